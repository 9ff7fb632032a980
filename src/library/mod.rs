//! The system's own library: the texts in `prelude/`, their exports, and their loading on demand. Builtins in Rust
//! are in `builtins`, and the loading of the user's files is in `load`.
//! Sees `base`, `store`, `text`, `front`, `program`, `machine` and `builtins`.
#![forbid(unsafe_code)]
pub(crate) mod absent;
pub(crate) mod lambdas;
pub(crate) mod outline;
pub(crate) mod prelude;
#[cfg(test)]
pub(crate) mod prelude_tests;
pub(crate) mod system_text;
