//! The system's own library: the texts in `prelude/`, what each exports, and loading them when they are needed. No
//! builtins in Rust, which are in `builtins`, and no loading of the user's files, which is in `load`.
//! Sees `base`, `store`, `text`, `front`, `program`, `machine` and `builtins`.
#![forbid(unsafe_code)]
pub(crate) mod absent;
pub(crate) mod lambdas;
pub(crate) mod outline;
pub(crate) mod prelude;
#[cfg(test)]
pub(crate) mod prelude_tests;
pub(crate) mod system_text;
