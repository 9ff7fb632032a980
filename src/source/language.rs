//! What messages ask of the languages that programs are written in, besides Prolog.

use crate::base::atom_table::{Atom, FastMap, Functor};
use crate::base::source::Span;
use crate::base::stop::Stop;
use crate::builtins::database::clauses::{CLOSURE_MODULE, LOLLI_CLAUSES};
use crate::machine::state::Machine;
use crate::machine::upper_layers::{LayerState, Part};
use crate::program::clauses::clause_list::Clause;
use crate::program::predicate::PredId;
use crate::store::cell::Cell;

/// A language whose texts messages are about.
pub(crate) trait Language: Send + Sync {
    /// Is the clause one of a text of the user's?
    fn is_users(&self, m: &Machine, clause: &Clause) -> bool;
    /// The predicates that the clauses of texts about each predicate became.
    fn definitions(&self, m: &mut Machine) -> Result<FastMap<PredId, Vec<PredId>>, Stop>;
    /// The predicates that a goal calls, if they are not more than so many.
    fn called_by(&self, m: &mut Machine, goal: Cell, most: usize) -> Result<Vec<PredId>, Stop>;
    /// The place of a goal in a clause that begins in this line of the text, or of its head if the goal is not to be found:
    /// name and arity of the goal, how many of the same come before it, and how many there are. None if no clause begins
    /// there.
    fn span_in(
        &self,
        m: &mut Machine,
        text: &str,
        line: usize,
        goal: Option<(Functor, (usize, usize))>,
    ) -> Result<Option<Span>, Stop>;
}

/// The language Lolli, once an engine has it.
#[derive(Clone, Default)]
pub(crate) struct Lolli(pub(crate) Option<&'static dyn Language>);

impl LayerState for Lolli {
    fn part(&self) -> Option<Part> {
        Part::of(self.clone())
    }
}

/// Is this a module of predicates that clauses became which are assumed?
pub(crate) fn is_hidden(m: &Machine, module: Atom) -> bool {
    matches!(m.world.symbols.text(module), LOLLI_CLAUSES | CLOSURE_MODULE)
}

/// The language Lolli, if this engine has it.
pub(crate) fn lolli(m: &Machine) -> Option<&'static dyn Language> {
    m.world.layers.get::<Lolli>()?.0
}

/// The predicates that the clauses of modules of Lolli about each predicate became.
pub(crate) fn definitions(m: &mut Machine) -> Result<FastMap<PredId, Vec<PredId>>, Stop> {
    lolli(m).map_or_else(|| Ok(FastMap::default()), |lolli| lolli.definitions(m))
}

/// Is the clause one of a Lolli module of the user's?
pub(crate) fn is_users(m: &Machine, clause: &Clause) -> bool {
    lolli(m).is_some_and(|lolli| lolli.is_users(m, clause))
}
