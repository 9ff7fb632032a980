//! Arithmetic (ISO 13211-1 clause 9, Cor.2 and Cor.3): pure functions on [`crate::base::number`]. `machine` walks
//! expressions as terms, and `compile` compiles them; long naturals are in `base`.
//! Sees `base`.
//!
//! Integers are unbounded; a result that could have more bits than a given limit is refused before it is computed.
//! All data of the engine or the host come through `evaluable::EvalHost`.
#![forbid(unsafe_code)]
pub(crate) mod compare;
pub(crate) mod error;
pub(crate) mod evaluable;
pub(crate) mod float;
pub(crate) mod format;
pub(crate) mod integer;
pub(crate) mod large;
pub(crate) mod mixed;
pub(crate) mod power;
pub(crate) mod random;
pub(crate) mod small;
#[cfg(test)]
mod tests;
mod whole_product;
