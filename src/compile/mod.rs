//! The compiler: from a clause to machine code. `classify` finds the permanent variables and their slots. `generate`
//! walks the body, `head` reads and `build` writes terms, `args` places arguments, `arith` evaluates, `merge` joins
//! branches. `index` makes the code that selects among clauses; `decisions` makes its decisions; `selector` reads the
//! clauses for them. `front` makes the input of the compiler; `machine` runs its code.
//! Sees `base`, `store`, `ir`, `arith` and `code`.
#![forbid(unsafe_code)]
mod args;
mod arith;
mod build;
mod classify;
mod conditions;
mod constraints;
mod control;
mod decisions;
mod fuse;
mod generate;
mod head;
pub(crate) mod index;
mod liveness;
mod merge;
mod registers;
mod selector;
mod shape;
mod switches;

pub(crate) use generate::compile;
pub(crate) use selector::may_test;
