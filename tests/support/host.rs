//! What a host asks of an engine.

use wamlet::{Engine, ErrorKind};

/// An engine.
pub(crate) fn engine() -> Engine {
    Engine::new().expect("there is memory")
}

/// The first solution, `false` if there is none.
pub(crate) fn answer(engine: &mut Engine, query: &str) -> String {
    engine
        .query_once(query)
        .expect("no error")
        .map_or_else(|| "false".into(), |s| s.to_string())
}

/// The kind of the error that a query ends in.
pub(crate) fn kind(engine: &mut Engine, query: &str) -> ErrorKind {
    let error = engine.query_once(query).expect_err("an error");
    error.kind().clone()
}
