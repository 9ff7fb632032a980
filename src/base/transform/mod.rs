//! Products of long naturals by a transform of floats. Shorter products are in `base::natural`, and products that
//! can be stopped half-way in `arith::large`. Integers with a sign are unknown here.

mod complex;
mod product;
mod ring;
mod steps;

#[cfg(test)]
pub(in crate::base) use product::tests;
pub(crate) use product::{LONGEST, SHORT_FACTOR, length, multiply};
pub(crate) use ring::{Image, Ring};
