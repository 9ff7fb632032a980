//! Front ends: conversion of text and terms to the clauses for the compiler. Reading texts is in `text`,
//! compiling the clauses in `compile`.
//! Sees `base`, `store`, `ir`, `text` and `code`.
#![forbid(unsafe_code)]
mod alternatives;
mod arena;
pub(crate) mod build;
pub(crate) mod closure;
mod folding;
pub(crate) mod formula;
pub(crate) mod formula_class;
pub(crate) mod goal_numbers;
mod goals;
pub(crate) mod linear;
mod lolli;
pub(crate) mod lower;
