//! Lifetimes of clauses: the generations of the database of an engine. Each change of a clause begins a generation,
//! and a call sees the clauses of the generation in which it began (the logical update view, ISO 7.5.4).

/// A generation of the database of an engine.
pub(crate) type Generation = u64;
/// The generation of death of a clause that is alive.
pub(crate) const ALIVE: Generation = Generation::MAX;
