//! What a host asks of an engine.

use wamlet::{Capabilities, Engine, ErrorKind};

/// An engine that may do everything.
pub(crate) fn engine() -> Engine {
    let builder = Engine::builder().capabilities(Capabilities::full());
    builder.build().expect("there is memory")
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
