//! Constraints over integers: domains of variables, propagators, and the queue that runs them to their fixpoint. This
//! room has the data structures and algorithms. `builtins/constraints` has the names and the errors of the predicates
//! of `library(clpfd)`.
//! Sees `base`, `store` and `arith`.
//!
//! A constrained variable is an attributed variable whose first attribute is its domain (see [`domain`]). A
//! propagator is a compound on the heap (see [`propagator`]). Backtracking undoes all changes, and the collector
//! moves these terms as it moves others. Between two goals no other data remains.
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
