//! Loading: the system's own library, files and texts.

pub(crate) mod consult;
pub(crate) mod dcg;
pub(crate) mod diagnostic;
pub(crate) mod prelude;
