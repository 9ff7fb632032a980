//! Output of the command itself to the standard output.

use wamlet::{Engine, Error};

/// Writes a text of the command to the standard output. A closed pipe is not an error: its reader
/// needs no more output.
pub(crate) fn show(engine: &mut Engine, text: &str) -> Result<(), Error> {
    let written = engine.write_output(text);
    match written.and_then(|()| engine.flush_output()) {
        Err(error) if error.is_broken_pipe() => Ok(()),
        written => written,
    }
}
