//! The data for `prolog_load_context/2` about the text being loaded: positions, the stream it is read from, and
//! names of variables.

use crate::base::atom_table::{atoms, functors};
use crate::base::growth::{Grow, text_of};
use crate::builtins::args::room_for;
use crate::io::options::OpenOptions;
use crate::io::position::Position;
use crate::io::stream::StreamId;
use crate::io::stream_table::USER_INPUT;
use crate::machine::builtin::builtins;
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::source::loading::{line_of, loader};
use crate::store::cell::Cell;
use crate::store::claims::{Claim, Life};

/// A stream from which a program reads further in the text that is being loaded.
#[derive(Debug)]
struct TextStream {
    id: StreamId,
    /// The position where the loader placed the stream.
    at: u64,
    /// The memory of the text.
    _claim: Claim,
}

builtins! { CONTEXT =
    /// Unifies `position` with the position of the present clause.
    iso "$load_position"("-position") = |m, [position]| {
        let Some(loading) = loader(m).stack.last() else { return Ok(false) };
        let (span, text) = (loading.span, loading.text.clone());
        let whole = loading.in_image.is_none() && loading.typed.is_none();
        let line = line_of(m, &text, span);
        let place = match whole {
            true => position_at(m, span.start as usize),
            false => Position { line: u64::from(line), ..Position::START },
        };
        let found = m.position_term(place);
        Ok(m.unify(position, found)?)
    };
    /// Unifies `stream` with the stream of the present text. Text that the program reads from it is
    /// not loaded.
    iso "$load_stream"("-stream") needs effect = |m, [stream]| {
        let Some(id) = text_stream(m)? else { return Ok(false) };
        let found = m.stream_term(id);
        Ok(m.unify(stream, found)?)
    };
    /// Succeeds if the file that is loaded was loaded before. An included text counts as part of
    /// the file that includes it.
    iso "$load_again"() = |m, []| {
        let loading = loader(m).stack.iter().rfind(|loading| !loading.included);
        Ok(loading.is_some_and(|loading| loading.again))
    };
    /// Stops loading the present text.
    iso "$load_stop"() needs effect = always |m, []| {
        if let Some(loading) = loader(m).stack.last_mut() {
            loading.stopped = true;
        }
    };
    /// Succeeds if loading the present text was stopped.
    iso "$load_stopped"() = |m, []| Ok(loader(m).stack.last().is_some_and(|loading| loading.stopped));
}

/// Returns the position of byte `at` in the present text. It is counted from the position that was computed
/// before.
fn position_at(m: &mut Machine, at: usize) -> Position {
    let Some(loading) = loader(m).stack.last_mut() else {
        return Position::START;
    };
    let mut place = loading.place;
    if place.byte_offset > at as u64 {
        place = Position::START;
    }
    let between = loading.text.get(place.byte_offset as usize..at);
    place.advance_text(between.unwrap_or_default());
    place.byte_offset = at as u64;
    loading.place = place;
    place
}

/// Returns the stream of the present text, positioned after the present clause. Returns `None` if
/// there is no text.
fn text_stream(m: &mut Machine) -> Result<Option<StreamId>, Throw> {
    let Some(loading) = loader(m).stack.last_mut() else {
        return Ok(None);
    };
    if loading.in_image.is_some() {
        return Ok(None);
    }
    if loading.typed.is_some() {
        return Ok(Some(USER_INPUT));
    }
    let stream = loading.own.of::<Option<TextStream>>();
    let open = stream.as_ref().map(|stream| stream.id);
    if open.is_some_and(|id| m.world.host.streams.get(id).is_some()) {
        return Ok(open);
    }
    let Some(loading) = loader(m).stack.last() else {
        return Ok(None);
    };
    let (text, at, file) = (loading.text.clone(), loading.at, loading.file);
    let claim = m.store.claim(text.len() as u64, Life::Passing)?;
    let place = position_at(m, at);
    let name = m.world.files.get(file).path.to_string();
    let copy = text_of(&text)?;
    let opened = m
        .world
        .host
        .streams
        .open_text(copy, &OpenOptions::default());
    let id = match opened {
        Ok(id) => id,
        Err(error) => {
            return Err(m.file_error(error, "open", "stream", Cell::atom(atoms::NIL)));
        }
    };
    if let Some(stream) = m.world.host.streams.get_mut(id) {
        stream.file_name = Some(name);
        // The text is in memory, so this position exists.
        let _ = stream.set_position(place);
    }
    if let Some(loading) = loader(m).stack.last_mut() {
        *loading.own.of() = Some(TextStream {
            id,
            at: place.byte_offset,
            _claim: claim,
        });
    }
    Ok(Some(id))
}

/// Skips the part of the present text that a program has read.
pub(super) fn skip_read_text(m: &mut Machine) {
    let Some(stream) = loader(m)
        .stack
        .last_mut()
        .and_then(|loading| loading.own.of::<Option<TextStream>>().take())
    else {
        return;
    };
    let Some(open) = m.world.host.streams.get(stream.id) else {
        return;
    };
    let at = open.position().byte_offset;
    let _ = m.world.host.streams.close(stream.id, true);
    if at != stream.at
        && let Some(loading) = loader(m).stack.last_mut()
        && loading.text.is_char_boundary(at as usize)
    {
        loading.at = at as usize;
    }
}

/// Returns the list of `Name = Variable` for the variables that have a name.
pub(super) fn names_list(m: &mut Machine, vars: &[(String, Cell, u32)]) -> Result<Cell, Throw> {
    if vars.is_empty() {
        return Ok(Cell::atom(atoms::NIL));
    }
    room_for(m, vars.len(), 5)?;
    let mut equations = Vec::new();
    for (name, variable, _) in vars {
        if name != "_" {
            let name = Cell::atom(m.world.symbols.intern_passing(name)?);
            equations.put(m.store.new_struct(functors::EQUAL, &[name, *variable]))?;
        }
    }
    Ok(m.store.list_of(&equations)?)
}
