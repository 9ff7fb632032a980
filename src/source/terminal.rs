//! The terminal: the room left in its line, and the keys that are typed.

use super::permits;
use crate::base::needs::{Permit, Stdin};
use crate::io::stream_table::USER_OUTPUT;
use crate::machine::state::Machine;
use crate::store::os;

/// Returns the number of characters that fit into the rest of the line, if the standard output is a
/// terminal.
pub(crate) fn output_room(m: &Machine) -> Option<usize> {
    let output = m
        .world
        .host
        .streams
        .get(USER_OUTPUT)
        .filter(|output| output.is_terminal())?;
    let width = os::terminal_width(permits::stdout())?;
    let column = usize::try_from(output.line_position()).unwrap_or(0);
    Some(width - column % width)
}

/// Waits for a single key from the terminal, if that is the standard input, after all output is written. If the
/// terminal passes only whole lines, returns the first character of a line.
pub(crate) fn read_key(m: &mut Machine, stdin: &Permit<Stdin>) -> Option<char> {
    m.world.host.streams.pass_on_output();
    if let Some(key) = m.world.host.streams.typed_key() {
        return Some(key);
    }
    let key = os::read_key(stdin);
    if key.is_some() && os::keys_come_in_lines() {
        m.world.host.streams.line_was_typed();
    }
    key.map(char::from)
}
