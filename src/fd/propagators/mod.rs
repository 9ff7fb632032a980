//! How propagators narrow domains, one file for each theme, and the table of the functions. The kinds are in `fd::kinds`,
//! the form of propagators in `fd::propagator`, the queue in `fd::queue`, algorithms that several kinds share in the
//! files beside this folder.

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
