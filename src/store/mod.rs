//! The term store: tagged cells, the areas that hold them, the trail, and the algorithms on terms. All code here is
//! iterative: the depth of a term never costs Rust stack. Higher layers give terms their meaning in programs:
//! `arith` and `machine` evaluate, `text` handles texts.
//! Sees `base`.
pub(crate) mod address;
pub(crate) mod applications;
pub(crate) mod areas;
pub(crate) mod body;
pub(crate) mod cell;
pub(crate) mod claims;
pub(crate) mod compare;
pub(crate) mod copy;
mod copy_target;
pub(crate) mod events;
#[cfg(feature = "extra-checks")]
mod extra_checks;
mod grounds;
pub(crate) mod heap;
pub(crate) mod inspect;
pub(crate) mod integers;
pub(crate) mod interned;
mod large_pages;
pub(crate) mod links;
pub(crate) mod list;
pub(crate) mod mapping;
pub(crate) mod memory_limit;
pub(crate) mod os;
pub(crate) mod prefix;
pub(crate) mod raw;
pub(crate) mod refusals;
pub(crate) mod refuse;
pub(crate) mod replace;
pub(crate) mod reserve;
pub(crate) mod scoped;
pub(crate) mod stored;
pub(crate) mod take_out;
#[cfg(test)]
mod tests;
pub(crate) mod unify;
mod walk;
