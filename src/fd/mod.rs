//! Constraints over integers: domains of variables, propagators, and the queue that runs them to their fixpoint. Here
//! are the data structures and algorithms; what the predicates of `library(clpfd)` are called and which errors they
//! raise is said in `builtins/constraints`.
//! Sees `base`, `store` and `arith`.
//!
//! A constrained variable is an attributed variable whose first attribute is its domain (see
//! [`domain`]). A propagator is a compound on the heap (see [`propagator`]). All that changes is undone by
//! backtracking, and moved by the collector as other terms are; between two goals nothing else remains.
#![forbid(unsafe_code)]
mod cardinality;
pub(crate) mod change;
mod components;
pub(crate) mod domain;
pub(crate) mod expression;
mod few;
pub(crate) mod formula;
pub(crate) mod kinds;
mod linear;
mod matching;
pub(crate) mod number;
mod propagation;
pub(crate) mod propagator;
pub(crate) mod propagators;
pub(crate) mod queue;
pub(crate) mod search;
pub(crate) mod set;
pub(crate) mod variable;
mod work;

pub(crate) use work::{Fd, Halt, R};
