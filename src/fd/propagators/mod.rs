//! The functions by which propagators narrow domains, one file for each theme, and their table. `fd::kinds` has the
//! kinds, `fd::propagator` the form of propagators, `fd::queue` the queue. Algorithms that several kinds share are in
//! the files beside this folder.

mod automaton;
pub(super) mod binary;
mod cardinality;
mod circuit;
mod cumulative;
mod different;
mod element;
mod energy;
mod linear;
mod logic;
mod nonlinear;
mod nvalue;
mod order;
mod quotient;
mod rectangles;
mod runs;
mod serialized;
mod table;

pub(crate) use automaton::Automaton;
pub(crate) use nonlinear::FUNCTIONS;
pub(super) use runs::RUNS;
