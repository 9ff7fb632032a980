//! Tests of the algorithms on terms: against naive ones on small random terms, and on terms that
//! are deep, long, cyclic or hugely shared.

mod large;
mod naive;
mod random;
mod small;
