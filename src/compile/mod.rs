//! The compiler: a clause to machine code. The passes: `classify` decides which variables are permanent and where,
//! `generate` walks the body, `head` reads and `build` writes terms, `args` places arguments, `arith` evaluates,
//! `merge` joins branches. `index` makes the code that selects among clauses, with the decisions that `decisions`
//! takes, of what `selector` finds in them. What it is given is made in `front`; what its code does is in `machine`.
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
pub(crate) use selector::asks_more;
