//! Loading: the system's own library, files and texts.
#![forbid(unsafe_code)]

mod absent;
pub(crate) mod backtrace;
mod branches;
mod caught;
mod coloured;
pub(crate) mod conditions;
pub(crate) mod consult;
mod consult_primitives;
mod context;
pub(crate) mod coverage;
pub(crate) mod cut_short;
pub(crate) mod diagnostic;
mod dialect;
mod elsewhere;
pub(crate) mod encoding_directive;
mod equations;
mod exports;
mod find;
mod formulas;
pub(crate) mod goal_places;
#[cfg(test)]
pub(crate) mod goal_places_tests;
pub(crate) mod held;
pub(crate) mod hint;
mod hooks;
pub(crate) mod image;
mod inside;
mod kept;
mod lambdas;
pub(crate) mod language;
mod lint;
pub(crate) mod loading;
mod lolli_clauses;
pub(crate) mod lolli_files;
mod lolli_listing;
mod lolli_make;
mod lolli_manual;
pub(crate) mod lolli_modules;
pub(crate) mod lolli_origin;
pub(crate) mod lolli_query;
pub(crate) mod lolli_session;
mod lolli_told;
pub(crate) mod manual;
#[cfg(test)]
mod manual_page;
pub(crate) mod named_goals;
mod nonstandard;
pub(crate) mod origin;
mod outline;
mod parts;
mod passed;
mod permits;
pub(crate) mod prelude;
#[cfg(test)]
pub(crate) mod prelude_tests;
pub(crate) mod profile;
mod refused;
pub(crate) mod reload;
mod replayed;
pub(crate) mod report;
pub(crate) mod similar;
mod singletons;
pub(crate) mod sources;
mod sums;
mod system_text;
mod term_texts;
pub(crate) mod terminal;
pub(crate) mod timing;
pub(crate) mod told;
pub(crate) mod tracing;
mod typed;
pub(crate) mod undefined;
pub(crate) mod waiting;
mod walk;

use crate::machine::builtin::Builtin;

/// The tables of builtins here.
pub(crate) const TABLES: &[&[Builtin]] = &[
    coloured::COLOURED,
    conditions::CONDITIONS,
    consult_primitives::CONSULT,
    context::CONTEXT,
    cut_short::CUT_SHORT,
    dialect::DIALECT,
    encoding_directive::ENCODINGS,
    image::replay::IMAGES,
    sources::SOURCES,
    told::TOLD,
    caught::CAUGHT,
    tracing::TRACING,
    profile::PROFILE,
    manual::MANUAL,
    lolli_modules::LOLLI_MODULES,
    lolli_listing::LOLLI_LISTING,
    lolli_make::LOLLI_MAKE,
    lolli_manual::LOLLI_MANUAL,
    lolli_query::LOLLI_QUERY,
    lolli_session::LOLLI_SESSION,
    lolli_told::LOLLI_TOLD,
];
