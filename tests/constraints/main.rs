//! Constraints over integers held against brute force: random small models, whose solutions are found
//! by trying all values, are asked of an engine in several ways.

mod engine;
mod generate;
mod meaning;
mod model;
mod shrink;
mod strength;
mod term;
