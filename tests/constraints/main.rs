//! Compares constraints over integers with brute force: small random models run in an engine in several
//! ways. Brute force finds their solutions by trying all values.

mod engine;
mod generate;
mod meaning;
mod model;
mod shrink;
mod strength;
mod term;
