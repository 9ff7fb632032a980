//! When clauses live: the generations of the database of an engine. Each change of a clause begins one, and a call sees the
//! clauses of the one in which it began (the logical update view, ISO 7.5.4).

/// A generation of the database of an engine.
pub(crate) type Generation = u64;
/// The generation of what has not died.
pub(crate) const ALIVE: Generation = Generation::MAX;
