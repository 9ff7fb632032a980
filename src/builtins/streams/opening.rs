//! Opening, closing, choosing and moving streams (ISO 13211-1, 8.11).

use super::captures::{begin_capture, drop_capture, end_capture, is_capture, take_capture};
use super::errors_io::OptionTerm;
use crate::base::atom_table::{Atom, atoms};
use crate::base::growth::{Grow, text_of};
use crate::base::needs::{Permit, Read, Write};
use crate::base::stop::Stop;
use crate::builtins::args::atomic_text;
use crate::io::encoding::Encoding;
use crate::io::error::IoError;
use crate::io::options::{
    Buffering, EofAction, Newline, OpenMode, OpenOptions, Opening, StreamType,
};
use crate::io::stream::{SeekOrigin, StreamId};
use crate::io::stream_table::USER_OUTPUT;
use crate::machine::builtin::{Step, builtins};
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::machine::upper_layers::LayerState;
use crate::store::cell::Cell;
use crate::store::claims::{Claim, Life};
use crate::store::heap::View;

/// Memory claim of the open streams.
#[derive(Default)]
struct OpenStreams(Claim);

impl LayerState for OpenStreams {}

builtins! { STREAMS =
    /// True if `stream` is the current input. ISO 8.11.1.
    iso "current_input"("?stream") needs history = |m, [stream]| {
        let current = m.world.host.streams.current_input();
        current_stream(m, stream, current)
    };
    /// True if `stream` is the current output. ISO 8.11.2.
    iso "current_output"("?stream") needs history = |m, [stream]| {
        let current = m.world.host.streams.current_output();
        current_stream(m, stream, current)
    };
    /// Makes `stream` the current input. ISO 8.11.3.
    ///
    /// ?- open_string('p(X). q.', _In), set_input(_In), read(T), close(_In).
    /// T = p(_).
    iso "set_input"("+stream") needs effect = |m, [stream]| {
        let target = m.stream_arg(stream)?;
        let chosen = m.world.host.streams.set_current_input(target.id);
        m.of_stream(chosen, atoms::INPUT, target)
    };
    /// Makes `stream` the current output. ISO 8.11.4.
    ///
    /// ?- open('o.txt', write, _S), set_output(_S), write(hidden), close(_S), read_file_to_string('o.txt', Text, []).
    /// Text = "hidden".
    iso "set_output"("+stream") needs effect = |m, [stream]| {
        let target = m.stream_arg(stream)?;
        let chosen = m.world.host.streams.set_current_output(target.id);
        m.of_stream(chosen, atoms::OUTPUT, target)
    };
    /// Opens the file `source_sink` in the mode `io_mode` and unifies `stream` with its stream. ISO 8.11.5.
    ///
    /// ?- open('no_such_file.txt', read, In).
    /// error: open/3: file `no_such_file.txt' does not exist (no such file or directory) [existence_error(source_sink, 'no_such_file.txt')]
    iso "open"("+source_sink", "+io_mode", "-stream") needs read, write, effect = |m, [source, mode, stream]| {
        open(m, (read, write), (source, mode), stream, Cell::atom(atoms::NIL))
    };
    /// Opens the file `source_sink` in the mode `io_mode` with the options in `list` and unifies `stream`
    /// with its stream. Options: `type(T)`, `alias(A)`, `eof_action(A)`, `reposition(B)`, `encoding(E)`,
    /// `bom(B)`, `buffer(B)`. ISO 8.11.5.
    ///
    /// ?- open('log.txt', write, _S, [alias(log)]), write(log, started), close(log), read_file_to_string('log.txt', Text, []).
    /// Text = "started".
    iso "open"("+source_sink", "+io_mode", "-stream", "+list") needs read, write, effect = |m, [source, mode, stream, options]| {
        open(m, (read, write), (source, mode), stream, options)
    };
    /// Opens `text` as an input stream.
    ///
    /// ?- open_string('one two', _In), read_string(_In, _, Text), close(_In).
    /// Text = "one two".
    library "open_string"("+text", "-stream") needs effect = |m, [text, stream]| {
        must_be_unbound(m, stream)?;
        let text = m.text_arg(text)?;
        match m.world.host.streams.open_text(text, &OpenOptions::default()) {
            Ok(id) => unify_opened(m, stream, id),
            Err(error) => Err(m.file_error(error, "open", "stream", Cell::atom(atoms::NIL))),
        }
    };
    /// Opens an output stream that discards its output and only counts it.
    ///
    /// ?- open_null_stream(_S), write(_S, hello), character_count(_S, N), close(_S).
    /// N = 5.
    library "open_null_stream"("-stream") needs effect = |m, [stream]| {
        must_be_unbound(m, stream)?;
        match m.world.host.streams.open_null() {
            Ok(id) => unify_opened(m, stream, id),
            Err(error) => Err(m.file_error(error, "open", "stream", Cell::atom(atoms::NIL))),
        }
    };
    /// Closes `stream`. ISO 8.11.6.
    ///
    /// ?- open_string(abc, _In), get_char(_In, C), close(_In).
    /// C = a.
    iso "close"("+stream") needs effect = |m, [stream]| close(m, stream, Cell::atom(atoms::NIL));
    /// Closes `stream` with the options in `list`: `force(true)` closes it even if output is lost.
    /// ISO 8.11.6.
    ///
    /// ?- open_string(a, _S), close(_S, [force(true)]).
    /// true.
    iso "close"("+stream", "+list") needs effect = |m, [stream, options]| close(m, stream, options);
    /// Writes the buffered output of the current output. ISO 8.11.7.
    iso "flush_output"() needs effect = |m, []| flush(m, None);
    /// Writes the buffered output of `stream`. ISO 8.11.7.
    iso "flush_output"("+stream") needs effect = |m, [stream]| flush(m, Some(stream));
    /// Writes the buffered output of the standard output.
    library "ttyflush"() needs effect = |m, []| flush(m, Some(Cell::atom(atoms::USER_OUTPUT)));
    /// True if the current input is at its end. ISO 8.11.8.
    iso "at_end_of_stream"() needs effect = |m, []| at_end_of_stream(m, None);
    /// True if `stream` is at its end. ISO 8.11.8.
    ///
    /// ?- open_string(a, _In), get_char(_In, C), at_end_of_stream(_In), close(_In).
    /// C = a.
    iso "at_end_of_stream"("+stream") needs effect = |m, [stream]| at_end_of_stream(m, Some(stream));
    /// Moves `stream` to `stream_position`, a position from `stream_property(Stream, position(P))`.
    /// ISO 8.11.9.
    iso "set_stream_position"("+stream", "+stream_position") needs effect = |m, [stream, position]| {
        set_stream_position(m, stream, position)
    };
    /// Moves `stream` to a byte and unifies the last integer with its position. The first integer counts from
    /// the start (`bof`), the current position (`current`) or the end (`eof`), as `atom` says.
    ///
    /// ?- open_string(hello, _In), seek(_In, 2, bof, P), get_char(_In, C), close(_In).
    /// P = 2,
    /// C = l.
    library "seek"("+stream", "+integer", "+atom", "-integer") needs effect = |m, [stream, offset, from, at]| {
        seek(m, stream, offset, from, at)
    };
    /// Truncates the file of the output stream `stream` at the current position.
    library "set_end_of_stream"("+stream") needs effect = |m, [stream]| {
        let target = m.stream_arg(stream)?;
        m.with_stream(target, |stream| stream.set_end_of_stream()).map(|()| true)
    };
    /// Changes a property of `stream`: `alias(A)`, `encoding(E)`, `type(T)`, `eof_action(A)`, `buffer(B)`,
    /// `line_position(N)`, `file_name(F)`, `tty(B)`.
    library "set_stream"("+stream", "+property") needs effect = |m, [stream, property]| {
        set_stream(m, stream, property)
    };
    /// True if `term` is the handle or an alias of an open stream.
    ///
    /// ?- is_stream(user_output).
    /// true.
    ///
    /// ?- is_stream(no_such_stream).
    /// false.
    library "is_stream"("@term") = |m, [term]| {
        Ok(match m.store.view(term) {
            View::Atom(alias) => m.world.host.streams.by_alias(alias).is_some(),
            _ => m.open_handle(term).is_some(),
        })
    };
    /// Copies the rest of the first stream to the second.
    ///
    /// ?- open_string('copied text', _In), copy_stream_data(_In, user_output), nl, close(_In).
    /// copied text
    /// true.
    library "copy_stream_data"("+stream", "+stream") needs effect = |m, [from, to]| copy_data(m, from, to, None);
    /// Copies at most `integer` characters or bytes of the first stream to the second.
    ///
    /// ?- open_string(hello, _In), copy_stream_data(_In, user_output, 2), nl, close(_In).
    /// he
    /// true.
    library "copy_stream_data"("+stream", "+stream", "+integer") needs effect = |m, [from, to, count]| {
        let count = m.size_arg(count)?;
        copy_data(m, from, to, Some(count))
    };
    /// Unifies the first atom with the prompt of reads from a terminal and replaces it by the second.
    library "prompt"("-atom", "+atom") needs effect = always |m, [old, new]| {
        let present = m.world.host.streams.prompt().unwrap_or("").to_owned();
        if !m.unify_text(old, &present)? {
            return Ok(false);
        }
        let prompt = m.atomic_text_arg(new, atoms::ATOM)?;
        m.world.host.streams.set_prompt(Some(prompt));
    };
    /// Replaces the prompt of the next read from a terminal, but not of later ones.
    library "prompt1"("+text") needs effect = always |m, [prompt]| {
        let prompt = m.atomic_text_arg(prompt, atoms::ATOM)?;
        m.world.host.streams.set_next_prompt(prompt);
    };
    /// Succeeds if the host collects the standard output.
    iso "$output_collected"() = |m, []| Ok(m.world.host.streams.is_collected(USER_OUTPUT));
    /// Redirects the current output to memory; `Capture` is for `'$end_capture'/3`. The capture also ends on
    /// backtracking and when a cut removes it.
    iso nondet "$begin_capture"("-capture") with dropped drop_capture = |m, [capture], state| {
        if state.is_some() {
            return Ok(Step::Fail);
        }
        begin_capture(m, capture, false)?;
        match m.open_handle(capture) {
            Some(id) => Ok(Step::More(i64::from(id.0))),
            None => Ok(Step::Fail),
        }
    };
    /// Redirects the output of a hook, which replaces a part of a term, to memory. Fails if too many such captures
    /// are open.
    iso "$begin_portray"("-capture") = |m, [capture]| begin_capture(m, capture, true);
    /// Ends a capture and returns its output as `Kind`: `atom`, `string`, `codes` or `chars`.
    iso "$end_capture"("+capture", "+atom", "-text") = |m, [capture, kind, text]| {
        end_capture(m, capture, kind, text)
    };
    /// Ends a capture and discards its output. Has no effect if the capture has ended before.
    iso "$drop_capture"("+capture") = always |m, [capture]| take_capture(m, capture)?;
}

pub(in crate::builtins) fn unify_stream(
    m: &mut Machine,
    cell: Cell,
    id: StreamId,
) -> Result<bool, Stop> {
    let handle = m.stream_term(id);
    m.unify(cell, handle)
}

/// Bytes of streams that do not count, so that a program without memory can still report this.
const FREE_BYTES: usize = 1 << 16;

/// Counts the memory of all open streams.
pub(in crate::builtins) fn claim_streams(m: &mut Machine) -> Result<(), Stop> {
    let mut claim = std::mem::take(&mut m.world.layers.of::<OpenStreams>().0);
    let held = m.world.host.streams.held().saturating_sub(FREE_BYTES) as u64;
    let claimed = m.store.resize_claim(&mut claim, held, Life::Kept);
    m.world.layers.of::<OpenStreams>().0 = claim;
    claimed
}

/// Counts the memory of a stream that was opened. Closes the stream if there is no room for it.
pub(in crate::builtins) fn count_opened(m: &mut Machine, id: StreamId) -> Result<(), Throw> {
    claim_streams(m).map_err(|full| {
        // The stream has no output yet.
        let _ = m.world.host.streams.close(id, true);
        full.into()
    })
}

fn unify_opened(m: &mut Machine, cell: Cell, id: StreamId) -> Result<bool, Throw> {
    count_opened(m, id)?;
    Ok(unify_stream(m, cell, id)?)
}

fn current_stream(m: &mut Machine, cell: Cell, current: StreamId) -> Result<bool, Throw> {
    match m.optional_handle(cell)? {
        Some(id) => Ok(id == current),
        None => Ok(unify_stream(m, cell, current)?),
    }
}

// ---- opening and closing ----------------------------------------------------------------------

/// Raises an error if the argument for a new stream is bound. Nothing is opened then.
fn must_be_unbound(m: &mut Machine, stream: Cell) -> Result<(), Throw> {
    if stream.is_var() {
        return Ok(());
    }
    Err(m.uninstantiation_error(stream))
}

/// Opens a stream. Checks for errors in the order of 8.11.5.3.
fn open(
    m: &mut Machine,
    (read, write): (&Permit<Read>, &Permit<Write>),
    (source, mode): (Cell, Cell),
    stream: Cell,
    options: Cell,
) -> Result<bool, Throw> {
    if source.is_var() || mode.is_var() {
        return Err(m.instantiation_error());
    }
    let items = m.option_list(options)?;
    let mode_name = m.atom_arg(mode)?;
    must_be_unbound(m, stream)?;
    let path = source_sink(m, source)?;
    let Some(open_mode) = OpenMode::from_name(m.world.symbols.text(mode_name)) else {
        return Err(m.domain_error(atoms::IO_MODE, mode));
    };
    let mut parsed = OpenOptions::default();
    m.each_option(items, atoms::STREAM_OPTION, |m, option| {
        open_option(m, option, &mut parsed)
    })?;
    let opening = Opening::in_mode(open_mode, read, write);
    let opened = m.world.host.streams.open(opening, &path, &parsed);
    let id = m.of_file(opened, ("open", "source_sink"), source)?;
    unify_opened(m, stream, id)
}

/// Returns the name of a file to open.
pub(crate) fn source_sink(m: &mut Machine, source: Cell) -> Result<String, Throw> {
    match m.store.view(source) {
        View::Atom(_) | View::String(_) => Ok(atomic_text(m, source)?
            .map(|text| text.into_owned())
            .unwrap_or_default()),
        View::Var(_) => Err(m.instantiation_error()),
        _ => Err(m.domain_error(atoms::SOURCE_SINK, source)),
    }
}

fn open_option(m: &mut Machine, option: OptionTerm, parsed: &mut OpenOptions) -> Result<(), Throw> {
    const DOMAIN: Atom = atoms::STREAM_OPTION;
    match option.name {
        atoms::TYPE => parsed.stream_type = stream_type(m, option)?,
        atoms::REPOSITION => parsed.reposition = Some(m.option_bool(option, DOMAIN)?),
        atoms::ALIAS => {
            let alias = m.option_atom(option, DOMAIN)?;
            parsed.aliases.put(alias)?;
        }
        atoms::EOF_ACTION => {
            parsed.eof_action = named_value(m, option, DOMAIN, EofAction::from_name)?;
        }
        name => {
            let name = m.world.symbols.text(name).to_owned();
            match name.as_str() {
                "encoding" => {
                    parsed.encoding = named_value(m, option, DOMAIN, Encoding::of_spelling)?;
                }
                "buffer" => {
                    parsed.buffering = named_value(m, option, DOMAIN, Buffering::from_name)?;
                }
                "bom" => parsed.bom = Some(m.option_bool(option, DOMAIN)?),
                "newline" => {
                    parsed.newline = named_value(m, option, DOMAIN, Newline::from_name)?;
                }
                // Options of other systems, without effect here.
                "close_on_abort" | "create" | "lock" | "wait" | "locale" => {}
                _ => return Err(m.domain_error(DOMAIN, option.term)),
            }
        }
    }
    Ok(())
}

fn stream_type(m: &mut Machine, option: OptionTerm) -> Result<StreamType, Throw> {
    match m.option_atom(option, atoms::STREAM_OPTION)? {
        atoms::TEXT => Ok(StreamType::Text),
        atoms::BINARY => Ok(StreamType::Binary),
        _ => Err(m.domain_error(atoms::STREAM_OPTION, option.term)),
    }
}

/// Returns the value of an option with this spelling.
fn named_value<T>(
    m: &mut Machine,
    option: OptionTerm,
    domain: Atom,
    from_name: impl Fn(&str) -> Option<T>,
) -> Result<T, Throw> {
    let atom = m.option_atom(option, domain)?;
    match from_name(m.world.symbols.text(atom)) {
        Some(value) => Ok(value),
        None => Err(m.domain_error(domain, option.term)),
    }
}

fn close(m: &mut Machine, stream: Cell, options: Cell) -> Result<bool, Throw> {
    let target = m.stream_arg(stream)?;
    let mut force = false;
    for item in m.option_list(options)? {
        let option = m.option_term(item, atoms::CLOSE_OPTION)?;
        if option.name != atoms::FORCE {
            return Err(m.domain_error(atoms::CLOSE_OPTION, item));
        }
        force = m.option_bool(option, atoms::CLOSE_OPTION)?;
    }
    // A stream of a capture stays open, like the standard streams.
    if is_capture(m, target.id) {
        return Ok(true);
    }
    let closed = m.world.host.streams.close(target.id, force);
    m.of_stream(closed, atoms::OUTPUT, target)?;
    let less = claim_streams(m);
    debug_assert!(less.is_ok(), "there is always room for less");
    Ok(true)
}

fn flush(m: &mut Machine, stream: Option<Cell>) -> Result<bool, Throw> {
    let target = m.output_target(stream)?;
    m.write_to(target, |output| output.flush())?;
    Ok(true)
}

fn at_end_of_stream(m: &mut Machine, stream: Option<Cell>) -> Result<bool, Throw> {
    let target = m.input_target(stream)?;
    m.read_from(target, |input| input.at_end_of_stream())
}

// ---- moving -----------------------------------------------------------------------------------

fn set_stream_position(m: &mut Machine, stream: Cell, position: Cell) -> Result<bool, Throw> {
    let target = m.stream_arg(stream)?;
    let place = m.position_arg(position)?;
    match m.with_stream(target, |stream| valid(stream.set_position(place)))? {
        Some(()) => Ok(true),
        None => Err(m.domain_error(atoms::STREAM_POSITION, position)),
    }
}

/// Returns the result of a move, or `None` if the position does not exist.
fn valid<T>(result: Result<T, IoError>) -> Result<Option<T>, IoError> {
    match result {
        Err(IoError::InvalidPosition) => Ok(None),
        result => result.map(Some),
    }
}

fn seek(m: &mut Machine, stream: Cell, offset: Cell, from: Cell, at: Cell) -> Result<bool, Throw> {
    let target = m.stream_arg(stream)?;
    let distance = m.i64_arg(offset)?;
    let method = m.atom_arg(from)?;
    let Some(origin) = SeekOrigin::from_name(m.world.symbols.text(method)) else {
        return Err(m.domain_error("seek_method", from));
    };
    match m.with_stream(target, |stream| valid(stream.seek(distance, origin)))? {
        Some(place) => Ok(m.unify_int(at, i64::try_from(place).unwrap_or(i64::MAX))?),
        None => Err(m.domain_error("position", offset)),
    }
}

fn copy_data(m: &mut Machine, from: Cell, to: Cell, count: Option<usize>) -> Result<bool, Throw> {
    let (from, to) = (m.stream_arg(from)?, m.stream_arg(to)?);
    let binary = m.with_stream(
        from,
        |stream| Ok(stream.stream_type() == StreamType::Binary),
    )?;
    let mut left = count.unwrap_or(usize::MAX);
    while left > 0 {
        let copied = if binary {
            match m.gather_from(from, |input, allowance| {
                allowance(0)?;
                input.get_byte()
            })? {
                Some(byte) => m.write_to(to, |output| output.put_byte(byte)).map(|()| 1)?,
                None => 0,
            }
        } else {
            let piece = m.gather_from(from, |input, allowance| {
                allowance(0)?;
                let text = input.buffered_text()?;
                let end = text
                    .char_indices()
                    .nth(left)
                    .map_or(text.len(), |(at, _)| at);
                let piece = text_of(&text[..end])?;
                input.consume(end);
                Ok(piece)
            })?;
            m.write_text_to(to, &piece)?;
            piece.chars().count()
        };
        if copied == 0 {
            break;
        }
        left -= copied;
    }
    Ok(true)
}

// ---- properties -------------------------------------------------------------------------------

fn set_stream(m: &mut Machine, stream: Cell, property: Cell) -> Result<bool, Throw> {
    let target = m.stream_arg(stream)?;
    if property.is_var() {
        return Err(m.instantiation_error());
    }
    let domain = atoms::STREAM_PROPERTY;
    let option = m.option_term(property, domain)?;
    let name = m.world.symbols.text(option.name).to_owned();
    match name.as_str() {
        "alias" => {
            let alias = m.option_atom(option, domain)?;
            set_alias(m, target.id, alias);
        }
        "encoding" => {
            let encoding = named_value(m, option, domain, Encoding::of_spelling)?;
            m.with_stream(target, |stream| Ok(stream.set_encoding(encoding)?))?;
        }
        "type" => {
            let stream_type = stream_type(m, option)?;
            m.with_stream(target, |stream| Ok(stream.set_type(stream_type)?))?;
        }
        "eof_action" => {
            let action = named_value(m, option, domain, EofAction::from_name)?;
            m.change_stream(target, |stream| stream.set_eof_action(action))?;
        }
        "buffer" => {
            let buffering = named_value(m, option, domain, Buffering::from_name)?;
            m.with_stream(target, |stream| stream.set_buffering(buffering))?;
        }
        "newline" => {
            let newline = named_value(m, option, domain, Newline::from_name)?;
            m.change_stream(target, |stream| stream.set_newline(newline))?;
        }
        "line_position" => {
            let column = m.size_arg(option.value)?;
            m.change_stream(target, |stream| {
                stream.set_line(stream.position().line, column as u64)
            })?;
        }
        "file_name" => {
            let file = m.file_arg(option.value)?;
            m.change_stream(target, |stream| stream.file_name = Some(file))?;
        }
        "tty" => {
            let tty = m.option_bool(option, domain)?;
            m.change_stream(target, |stream| stream.set_tty(tty))?;
        }
        // Properties of other systems, without effect here.
        "buffer_size"
        | "close_on_abort"
        | "close_on_exec"
        | "record_position"
        | "representation_errors"
        | "timeout"
        | "locale" => {}
        _ => return Err(m.domain_error(domain, property)),
    }
    Ok(true)
}

/// Gives a stream an alias. The aliases of the current streams also make the stream current.
fn set_alias(m: &mut Machine, id: StreamId, alias: Atom) {
    let aliased = match m.world.symbols.text(alias) {
        "current_input" => m.world.host.streams.set_current_input(id),
        "current_output" => m.world.host.streams.set_current_output(id),
        _ => m.world.host.streams.set_alias(id, alias),
    };
    // The stream is open. Only a stream of the wrong direction cannot become current.
    debug_assert!(aliased.is_ok() || m.world.host.streams.get(id).is_some());
}
