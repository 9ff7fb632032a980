//! The interface between messages and the languages of programs other than Prolog.

use crate::base::atom_table::{Atom, FastMap, Functor};
use crate::base::source::Span;
use crate::base::stop::Stop;
use crate::builtins::database::clauses::{CLOSURE_MODULE, LOLLI_CLAUSES};
use crate::machine::state::Machine;
use crate::machine::upper_layers::{LayerState, Part};
use crate::program::clauses::clause_list::Clause;
use crate::program::predicate::PredId;
use crate::store::cell::Cell;

/// A language of programs that messages are about.
pub(crate) trait Language: Send + Sync {
    /// Returns whether the clause comes from a text of the user.
    fn is_users(&self, m: &Machine, clause: &Clause) -> bool;
    /// Returns, for each predicate, the internal predicates that its clauses in texts were
    /// translated to.
    fn definitions(&self, m: &mut Machine) -> Result<FastMap<PredId, Vec<PredId>>, Stop>;
    /// Returns the predicates that a goal calls, if there are at most `most`.
    fn called_by(&self, m: &mut Machine, goal: Cell, most: usize) -> Result<Vec<PredId>, Stop>;
    /// Returns the span of a goal in the clause that begins in line `line` of the text. If the goal is not found,
    /// returns the span of the clause's head. A goal is given by name and arity, by the number of equal ones before
    /// it, and by their total number. Returns `None` if no clause begins in the line.
    fn span_in(
        &self,
        m: &mut Machine,
        text: &str,
        line: usize,
        goal: Option<(Functor, (usize, usize))>,
    ) -> Result<Option<Span>, Stop>;
}

/// The language Lolli, if the engine has loaded it.
#[derive(Clone, Default)]
pub(crate) struct Lolli(pub(crate) Option<&'static dyn Language>);

impl LayerState for Lolli {
    fn part(&self) -> Option<Part> {
        Part::of(self.clone())
    }
}

/// Returns whether the module holds the internal predicates of assumed clauses.
pub(crate) fn is_hidden(m: &Machine, module: Atom) -> bool {
    matches!(m.world.symbols.text(module), LOLLI_CLAUSES | CLOSURE_MODULE)
}

/// Returns the language Lolli, if this engine has it.
pub(crate) fn lolli(m: &Machine) -> Option<&'static dyn Language> {
    m.world.layers.get::<Lolli>()?.0
}

/// Returns, for each predicate, the internal predicates that its clauses in Lolli modules were
/// translated to.
pub(crate) fn definitions(m: &mut Machine) -> Result<FastMap<PredId, Vec<PredId>>, Stop> {
    lolli(m).map_or_else(|| Ok(FastMap::default()), |lolli| lolli.definitions(m))
}

/// Returns whether the clause comes from a Lolli module of the user.
pub(crate) fn is_users(m: &Machine, clause: &Clause) -> bool {
    lolli(m).is_some_and(|lolli| lolli.is_users(m, clause))
}
