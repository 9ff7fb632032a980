//! The interface to the layers above the machine: the work that they do for it, and the state that they keep in an engine.
#![forbid(unsafe_code)]

use super::contexts::assumption::Assumed;
use super::control::throw::Throw;
use super::events::recorder;
use super::events::trace::Trace;
use super::events::tracer::{self, InClause};
use super::search::memo::NotRemembered;
use crate::base::atom_table::{Atom, Functor};
use crate::base::growth::{Bounded, Gather, Grow, with_room};
use crate::base::stop::Stop;
use crate::program::predicate::PredId;
use crate::store::address::CodeAddr;
use crate::store::cell::Cell;
use std::any::{Any, TypeId};
use std::sync::Arc;

/// The layers above the machine `M`, which this file does not know. They have no state here: their state in
/// an engine is in its [`Layers`].
pub(crate) trait Upper<M>: Sync {
    /// Builds the index code of a predicate: node `node`, or the root for `None`. Returns the address to go on at.
    fn link(&self, m: &mut M, id: PredId, node: Option<usize>) -> Result<CodeAddr, Stop>;
    /// Assumes the declarations of files, at the beginning of a query.
    fn assume_declared(&self, m: &mut M) -> Result<(), Throw>;
    /// Compiles the clauses of a deferred predicate, or looks for the definition of an undefined one in the
    /// libraries. Returns whether it was found and loaded.
    fn autoload(&self, m: &mut M, id: PredId) -> Result<bool, Throw>;
    /// Compiles a clause that is stored as a term.
    fn compile_clause(&self, m: &mut M, id: PredId, position: i64) -> Result<(), Throw>;
    /// Loads the library that defines this module, if there is one and it is not loaded.
    fn load_module(&self, m: &mut M, module: Atom) -> Result<(), Throw>;
    /// Handles a predicate that is about to get a declaration.
    fn declares(&self, m: &mut M, id: PredId) -> Result<(), Stop>;
    /// Returns an assumption about a predicate as a formula.
    fn formula(&self, m: &mut M, id: PredId, assumed: Assumed) -> Result<Cell, Stop>;
    /// Makes the libraries respect the flag `occurs_check`, which has changed from false.
    fn respect_occurs_check(&self, m: &mut M) -> Result<(), Throw>;
    /// Shows an event of a context that is traced.
    fn trace_context(&self, m: &mut M, event: recorder::Event, terms: &[Cell]) -> Result<(), Stop>;
    /// Handles an event of a search tree, given its terms and the file and line of its goal.
    fn draw(
        &self,
        m: &mut M,
        event: recorder::Event,
        terms: &[Cell],
        at: Option<(u32, u32)>,
    ) -> Result<(), Stop>;
    /// Shows a port of a traced goal. Returns the command that follows.
    fn trace_port(&self, m: &mut M, event: &tracer::Event) -> Result<tracer::Command, Stop>;
    /// Reports that a goal of Lolli fails because nothing defines its predicate.
    fn undefined(&self, m: &mut M, functor: Functor, trace: &Trace) -> Result<(), Stop>;
    /// Reports why the counts of a predicate are not remembered, with the instruction that calls it.
    fn not_remembered(
        &self,
        m: &mut M,
        id: PredId,
        why: NotRemembered,
        caller: CodeAddr,
    ) -> Result<(), Stop>;
    /// Returns information about the user's clause that contains an address; `None` if there is no room to find out.
    fn user_clause(&self, m: &M, at: CodeAddr) -> Option<InClause>;
    /// Adds the symbols and predicates that the layers above hold to `held`.
    fn hold_symbols(&self, m: &mut M, held: &mut Held) -> Result<(), Stop>;
    /// Handles the removal of predicates, given in order.
    fn on_forgotten(&self, m: &mut M, gone: &[PredId]);
    /// Returns the arguments of a goal as texts, abbreviated to fit into a line together. Without room a text is `...`.
    fn abbreviated(&self, m: &M, args: &[Cell]) -> Box<[String]>;
    /// Returns a term of Lolli as text, for a message.
    fn lolli_text(&self, m: &M, term: Cell) -> String;
}

/// The symbols and predicates that the layers above hold while goals run.
#[derive(Default)]
pub(crate) struct Held {
    pub(crate) atoms: Vec<Atom>,
    pub(crate) functors: Vec<Functor>,
    pub(crate) predicates: Vec<PredId>,
}

/// The state of a layer above in an engine.
pub(crate) trait LayerState: Default + Send + 'static {
    /// Returns the initial state for other engines of the same program, if it is not the empty value.
    fn part(&self) -> Option<Part> {
        None
    }
}

impl<T: Send + 'static> LayerState for Option<T> {}

/// The state of the layers above in an engine: one value of each type, made at its first use.
#[derive(Default)]
pub(crate) struct Layers(Vec<Layer>);

/// One of these values.
struct Layer {
    id: TypeId,
    kept: Box<dyn Any + Send>,
    part: fn(&dyn Any) -> Option<Part>,
}

/// One of these values as a program stores it. It makes the same value for each engine.
#[derive(Clone)]
pub(crate) struct Part(Arc<dyn Fn() -> Layer + Send + Sync>);

impl Part {
    /// Returns a part from which engines get clones of this value.
    pub(crate) fn of<T: LayerState + Clone + Sync>(value: T) -> Option<Part> {
        Part::made_by(move || value.clone())
    }

    /// Returns a part from which engines get the results of `make`.
    pub(crate) fn made_by<T: LayerState>(
        make: impl Fn() -> T + Send + Sync + 'static,
    ) -> Option<Part> {
        Some(Part(Arc::new(move || Layer::new(make()))))
    }
}

impl Layer {
    fn new<T: LayerState>(kept: T) -> Layer {
        Layer {
            id: TypeId::of::<T>(),
            kept: Box::new(kept),
            part: |kept| kept.downcast_ref::<T>()?.part(),
        }
    }
}

/// Maximum number of values besides those of the program.
const ROOM: usize = 32;

impl Layers {
    /// Returns the initial values for engines of a program.
    pub(crate) fn parts(&self) -> Result<Vec<Part>, Stop> {
        let parts = self.0.iter().filter_map(|layer| (layer.part)(&*layer.kept));
        parts.gather()
    }

    /// Creates the initial values of an engine of a program.
    pub(crate) fn of_parts(parts: &[Part]) -> Result<Layers, Stop> {
        let mut layers = with_room(parts.len() + ROOM)?;
        layers.put_all(parts.iter().map(|part| (part.0)()))?;
        Ok(Layers(layers))
    }

    /// Returns the value of this type, if it exists already.
    pub(crate) fn get<T: LayerState>(&self) -> Option<&T> {
        self.0.iter().find_map(|layer| layer.kept.downcast_ref())
    }

    /// Returns the value of this type; makes it if it does not exist.
    #[inline]
    pub(crate) fn of<T: LayerState>(&mut self) -> &mut T {
        let wanted = TypeId::of::<T>();
        let known = self.0.iter().position(|layer| layer.id == wanted);
        let at = known.unwrap_or_else(|| {
            self.0.put_bounded(Layer::new(T::default()));
            self.0.len() - 1
        });
        match self.0[at].kept.downcast_mut() {
            Some(kept) => kept,
            None => unreachable!("it has the type by which it is found"),
        }
    }
}
