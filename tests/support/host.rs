//! Helpers that run queries as a host.

use wamlet::{Capabilities, Engine, ErrorKind};

/// Returns an engine with all capabilities.
pub(crate) fn engine() -> Engine {
    let builder = Engine::builder().capabilities(Capabilities::full());
    builder.build().expect("there is memory")
}

/// Returns the first solution as text, `false` if there is none.
pub(crate) fn answer(engine: &mut Engine, query: &str) -> String {
    engine
        .query_once(query)
        .expect("no error")
        .map_or_else(|| "false".into(), |s| s.to_string())
}

/// Returns the kind of the error of a query.
pub(crate) fn kind(engine: &mut Engine, query: &str) -> ErrorKind {
    let error = engine.query_once(query).expect_err("an error");
    error.kind().clone()
}
