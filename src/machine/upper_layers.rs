//! What the layers above the machine do for it, and what they keep in an engine.
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

/// The layers above the machine `M`, which this file does not know. They keep nothing here: what they keep in an engine
/// are its [`Layers`].
pub(crate) trait Upper<M>: Sync {
    /// Builds the index code of a predicate: node `node`, or the root for `None`. Returns the
    /// address to go on at.
    fn link(&self, m: &mut M, id: PredId, node: Option<usize>) -> Result<CodeAddr, Stop>;
    /// Assumes what files declare, at the beginning of a query.
    fn assume_declared(&self, m: &mut M) -> Result<(), Throw>;
    /// Compiles the clauses of a deferred predicate, or looks for the definition of an undefined
    /// one in the libraries; true if it was found and loaded.
    fn autoload(&self, m: &mut M, id: PredId) -> Result<bool, Throw>;
    /// Compiles a clause that is kept as a term.
    fn compile_clause(&self, m: &mut M, id: PredId, position: i64) -> Result<(), Throw>;
    /// Loads the library that defines this module, if there is one and it is not loaded.
    fn load_module(&self, m: &mut M, module: Atom) -> Result<(), Throw>;
    /// Is told of a predicate that is about to be declared to be something.
    fn declares(&self, m: &mut M, id: PredId) -> Result<(), Stop>;
    /// What is assumed of a predicate, as a formula.
    fn formula(&self, m: &mut M, id: PredId, assumed: Assumed) -> Result<Cell, Stop>;
    /// Has the libraries heed the flag `occurs_check`, which is not false any more.
    fn heed_occurs_check(&self, m: &mut M) -> Result<(), Throw>;
    /// Shows an event of a context that is traced.
    fn trace_context(&self, m: &mut M, event: recorder::Event, terms: &[Cell]) -> Result<(), Stop>;
    /// Tells of an event of a search tree: the terms that belong to it, and the file and line of its goal.
    fn draw(
        &self,
        m: &mut M,
        event: recorder::Event,
        terms: &[Cell],
        at: Option<(u32, u32)>,
    ) -> Result<(), Stop>;
    /// Shows a port that a traced goal comes by: what is to be done then.
    fn trace_port(&self, m: &mut M, event: &tracer::Event) -> Result<tracer::Command, Stop>;
    /// Tells that a goal of Lolli fails because nothing defines its predicate.
    fn undefined(&self, m: &mut M, functor: Functor, trace: &Trace) -> Result<(), Stop>;
    /// Tells why the counts of a predicate are not remembered, and what the instruction is that calls it there.
    fn not_remembered(
        &self,
        m: &mut M,
        id: PredId,
        why: NotRemembered,
        caller: CodeAddr,
    ) -> Result<(), Stop>;
    /// What is known of the clause of the user's that an address lies in; nothing where there is no room to find out.
    fn user_clause(&self, m: &M, at: CodeAddr) -> Option<InClause>;
    /// Tells which symbols and predicates the layers above hold.
    fn held(&self, m: &mut M, held: &mut Held) -> Result<(), Stop>;
    /// Is told which predicates were forgotten, in order.
    fn forgotten(&self, m: &mut M, gone: &[PredId]);
    /// The texts of arguments of a goal, abbreviated so that they fit into a line together; `...` for each where
    /// there is no room.
    fn abbreviated(&self, m: &M, args: &[Cell]) -> Box<[String]>;
    /// The text of a term of Lolli, for a message.
    fn lolli_text(&self, m: &M, term: Cell) -> String;
}

/// What the layers above hold while goals run.
#[derive(Default)]
pub(crate) struct Held {
    pub(crate) atoms: Vec<Atom>,
    pub(crate) functors: Vec<Functor>,
    pub(crate) predicates: Vec<PredId>,
}

/// What a layer above keeps in an engine.
pub(crate) trait LayerState: Default + Send + 'static {
    /// What another engine of the same program begins with, if that is not the empty value.
    fn part(&self) -> Option<Part> {
        None
    }
}

impl<T: Send + 'static> LayerState for Option<T> {}

/// What the layers above keep in an engine: one value of each type, made when it is first asked for.
#[derive(Default)]
pub(crate) struct Layers(Vec<Layer>);

/// One of these values.
struct Layer {
    id: TypeId,
    kept: Box<dyn Any + Send>,
    part: fn(&dyn Any) -> Option<Part>,
}

/// One of these values as a program has it: makes the same for an engine.
#[derive(Clone)]
pub(crate) struct Part(Arc<dyn Fn() -> Layer + Send + Sync>);

impl Part {
    /// Engines begin with clones of this value.
    pub(crate) fn of<T: LayerState + Clone + Sync>(value: T) -> Option<Part> {
        Part::made_by(move || value.clone())
    }

    /// Engines begin with what this makes.
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

/// So many values there are besides those that a program has, at most.
const ROOM: usize = 32;

impl Layers {
    /// What engines of a program begin with.
    pub(crate) fn parts(&self) -> Result<Vec<Part>, Stop> {
        let parts = self.0.iter().filter_map(|layer| (layer.part)(&*layer.kept));
        parts.gather()
    }

    /// What an engine of a program begins with.
    pub(crate) fn of_parts(parts: &[Part]) -> Result<Layers, Stop> {
        let mut layers = with_room(parts.len() + ROOM)?;
        layers.put_all(parts.iter().map(|part| (part.0)()))?;
        Ok(Layers(layers))
    }

    /// What is kept of this type, if it was asked for by now.
    pub(crate) fn get<T: LayerState>(&self) -> Option<&T> {
        self.0.iter().find_map(|layer| layer.kept.downcast_ref())
    }

    /// What is kept of this type.
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
