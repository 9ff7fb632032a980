//! Captures: output that goes to memory while a goal runs, for `with_output_to/2` and portray/1.

use super::opening::{claim_streams, unify_stream};
use crate::base::atom_table::atoms;
use crate::base::growth::{Grow, room_for_one};
use crate::base::stop::Stop;
use crate::io::stream::StreamId;
use crate::io::stream_table::Capture;
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::machine::upper_layers::LayerState;
use crate::store::cell::Cell;
use crate::store::claims::{Claim, Life};

/// Returns whether the stream belongs to an open capture.
pub(in crate::builtins) fn is_capture(m: &mut Machine, id: StreamId) -> bool {
    m.world.layers.of::<Captures>().place(id).is_some()
}

/// Returns whether the stream belongs to a capture that began within a goal searched by several machines. No other
/// goal reads it.
pub(in crate::builtins) fn is_inner_capture(m: &mut Machine, id: StreamId) -> bool {
    let captures = m.world.layers.of::<Captures>();
    captures
        .place(id)
        .is_some_and(|place| place >= captures.outer)
}

/// Marks the open captures as outer ones when a goal that several machines search begins. Returns the former number
/// of outer captures.
pub(in crate::builtins) fn begin_inner_captures(m: &mut Machine) -> usize {
    let captures = m.world.layers.of::<Captures>();
    std::mem::replace(&mut captures.outer, captures.open.len())
}

/// Restores the number of captures that do not belong to the goal.
pub(in crate::builtins) fn set_outer_captures(m: &mut Machine, outer: usize) {
    m.world.layers.of::<Captures>().outer = outer;
}

/// Greatest nesting depth of calls of portray/1, or of the hook of the option `portray_goal`.
const PORTRAYALS: usize = 1000;

/// Open capture.
struct Held {
    capture: Capture,
    bytes: usize,
    /// True if a hook writes this output in place of a part of a term.
    portrays: bool,
}

/// Open captures.
#[derive(Default)]
pub(in crate::builtins) struct Captures {
    /// Captures, ordered by the numbers of their streams.
    open: Vec<Held>,
    /// Bytes of all captures.
    bytes: usize,
    claim: Claim,
    /// Number of captures of hooks.
    portrayals: usize,
    /// Number of captures from before the goal that several machines search.
    outer: usize,
}

impl LayerState for Captures {}

impl Captures {
    /// Returns the place of the capture with this stream.
    fn place(&self, id: StreamId) -> Option<usize> {
        self.open
            .binary_search_by_key(&id, |held| held.capture.stream)
            .ok()
    }
}

/// Counts the memory of the stream if it belongs to an open capture.
pub(in crate::builtins) fn claim_capture(m: &mut Machine, id: StreamId) -> Result<(), Stop> {
    let written = m
        .world
        .host
        .streams
        .output(id)
        .map_or(0, |output| output.accounted());
    let captures = m.world.layers.of::<Captures>();
    let Some(place) = captures.place(id) else {
        // The host takes the text of a standard stream. Until then, the limit of memory bounds this text.
        return m.store.room_outside(written as u64, Life::Passing);
    };
    let held = &mut captures.open[place].bytes;
    captures.bytes = captures.bytes - *held + written;
    *held = written;
    claim_captures(m)
}

fn claim_captures(m: &mut Machine) -> Result<(), Stop> {
    let captures = m.world.layers.of::<Captures>();
    let bytes = captures.bytes as u64;
    let mut claim = std::mem::take(&mut captures.claim);
    let claimed = m.store.resize_claim(&mut claim, bytes, Life::Passing);
    m.world.layers.of::<Captures>().claim = claim;
    claimed
}

/// Redirects the current output to memory. Fails if the output of too many hooks is nested.
pub(in crate::builtins) fn begin_capture(
    m: &mut Machine,
    cell: Cell,
    portrays: bool,
) -> Result<bool, Throw> {
    if portrays && m.world.layers.of::<Captures>().portrayals == PORTRAYALS {
        return Ok(false);
    }
    room_for_one(&mut m.world.layers.of::<Captures>().open)?;
    let capture = match m.world.host.streams.begin_capture() {
        Ok(capture) => capture,
        Err(error) => return Err(m.system_error(&error.to_string())),
    };
    let id = capture.stream;
    let captures = m.world.layers.of::<Captures>();
    let place = captures.open.len();
    captures.open.put(Held {
        capture,
        bytes: 0,
        portrays,
    })?;
    captures.portrayals += usize::from(portrays);
    if let Err(full) = claim_streams(m) {
        end_captures(m, place)?;
        return Err(full.into());
    }
    Ok(unify_stream(m, cell, id)?)
}

/// Ends the captures from this place on. Returns the text of the outermost one.
fn end_captures(m: &mut Machine, place: usize) -> Result<Option<String>, Stop> {
    let mut text = Ok(None);
    loop {
        let captures = m.world.layers.of::<Captures>();
        if captures.open.len() <= place {
            return text;
        }
        let Some(held) = captures.open.pop() else {
            return text;
        };
        captures.bytes -= held.bytes;
        captures.portrayals -= usize::from(held.portrays);
        text = m.world.host.streams.end_capture(held.capture).map(Some);
    }
}

/// Ends the capture of this stream, and all open captures that began later.
pub(in crate::builtins) fn take_capture(
    m: &mut Machine,
    cell: Cell,
) -> Result<Option<String>, Throw> {
    let Some(id) = m.open_handle(cell) else {
        return Ok(None);
    };
    let Some(place) = m.world.layers.of::<Captures>().place(id) else {
        return Ok(None);
    };
    let text = end_captures(m, place);
    claim_captures(m)?;
    claim_streams(m)?;
    Ok(text?)
}

/// Ends a capture whose goal cannot continue, if it is still open.
pub(in crate::builtins) fn drop_capture(m: &mut Machine, stream: i64) {
    let id = StreamId(stream as u32);
    let place = m.world.layers.of::<Captures>().place(id);
    if let Some(place) = place {
        // The next claim reports an error of memory.
        let _ = end_captures(m, place);
        let _ = claim_captures(m);
        let _ = claim_streams(m);
    }
}

/// Ends a capture and returns its output as a text of this kind.
pub(in crate::builtins) fn end_capture(
    m: &mut Machine,
    capture: Cell,
    kind: Cell,
    result: Cell,
) -> Result<bool, Throw> {
    use crate::store::list::TextKind;
    let kind = m.atom_arg(kind)?;
    let Some(text) = take_capture(m, capture)? else {
        return Ok(false);
    };
    let cell = match kind {
        atoms::ATOM => Cell::atom(m.new_atom(&text)?),
        atoms::STRING => m.store.new_string(&text)?,
        atoms::CHARS => m.text_list(&text, TextKind::Chars)?,
        _ => m.text_list(&text, TextKind::Codes)?,
    };
    Ok(m.unify(result, cell)?)
}
