//! Loading: the system's own library, files and texts.

pub(crate) mod conditions;
pub(crate) mod consult;
pub(crate) mod dcg;
pub(crate) mod diagnostic;
mod exports;
mod formulas;
mod lolli_clauses;
pub(crate) mod lolli_files;
pub(crate) mod lolli_modules;
pub(crate) mod lolli_origin;
pub(crate) mod lolli_query;
pub(crate) mod lolli_session;
pub(crate) mod origin;
pub(crate) mod prelude;
pub(crate) mod similar;
mod singletons;
pub(crate) mod sources;
pub(crate) mod told;
mod typed;
