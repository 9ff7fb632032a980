//! What the command itself writes to the standard output.

use wamlet::{Engine, Error};

/// Writes a text of the command's own to the standard output. Who closes that has seen enough.
pub(crate) fn show(engine: &mut Engine, text: &str) -> Result<(), Error> {
    let written = engine.write_output(text);
    match written.and_then(|()| engine.flush_output()) {
        Err(error) if error.is_broken_pipe() => Ok(()),
        written => written,
    }
}
