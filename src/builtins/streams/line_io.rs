//! Reading lines and whole streams, and the current streams in the style of DEC-10 Prolog.

use super::char_io::POLL_CHARS;
use super::errors_io::Target;
use super::opening::{count_opened, source_sink};
use crate::base::atom_table::atoms;
use crate::base::growth::{Grow, GrowText, text_of};
use crate::io::allowance::Allowance;
use crate::io::error::IoError;
use crate::io::input::Input;
use crate::io::options::{OpenOptions, Opening};
use crate::io::stream::StreamId;
use crate::io::stream_table::{USER_INPUT, USER_OUTPUT};
use crate::machine::builtin::builtins;
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::store::cell::Cell;
use crate::store::heap::View;

builtins! { LINE_IO =
    /// Reads the rest of the line of `stream` as `string`, without the line end. At the end of `stream`,
    /// `string` is `end_of_file`.
    ///
    /// ?- open_string('one\ntwo\n', _In), read_line_to_string(_In, A), read_line_to_string(_In, B).
    /// A = "one",
    /// B = "two".
    library "read_line_to_string"("+stream", "-string") needs effect = |m, [stream, string]| {
        match line_of(m, stream)? {
            Some(line) => m.unify_string(string, without_end(&line)),
            None => Ok(m.unify_atom(string, atoms::END_OF_FILE)?),
        }
    };
    /// Reads the rest of the line of `stream` and unifies `list` with its codes, without the line end. At the
    /// end of `stream`, `list` is `end_of_file`.
    ///
    /// ?- open_string('ab\n', _In), read_line_to_codes(_In, Codes), read_line_to_codes(_In, End), close(_In).
    /// Codes = [97, 98],
    /// End = end_of_file.
    library "read_line_to_codes"("+stream", "-list") needs effect = |m, [stream, codes]| {
        match line_of(m, stream)? {
            Some(line) => unify_codes(m, codes, without_end(&line), Cell::atom(atoms::NIL)),
            None => Ok(m.unify_atom(codes, atoms::END_OF_FILE)?),
        }
    };
    /// Reads the rest of the line of `stream` with its newline and unifies `list` with its codes followed by
    /// `tail`. At the end of `stream`, where no newline follows, `tail` is `[]`.
    ///
    /// ?- open_string('ab\nc', _In), read_line_to_codes(_In, A, Rest), read_line_to_codes(_In, B, End), close(_In).
    /// A = [97, 98, 10|Rest],
    /// B = [99],
    /// End = [].
    library "read_line_to_codes"("+stream", "-list", "?tail") needs effect = |m, [stream, codes, tail]| {
        match line_of(m, stream)? {
            Some(line) if line.ends_with('\n') => unify_codes(m, codes, &line, tail),
            line => {
                let nil = Cell::atom(atoms::NIL);
                Ok(m.unify(tail, nil)? && unify_codes(m, codes, &line.unwrap_or_default(), nil)?)
            }
        }
    };
    /// Reads the rest of `stream` and unifies `list` with its codes.
    ///
    /// ?- open_string('ab\n', _In), read_stream_to_codes(_In, Codes), close(_In).
    /// Codes = [97, 98, 10].
    library "read_stream_to_codes"("+stream", "-list") needs effect = |m, [stream, codes]| {
        let text = rest_of(m, stream)?;
        unify_codes(m, codes, &text, Cell::atom(atoms::NIL))
    };
    /// Reads the rest of `stream` and unifies `list` with its codes followed by `tail`.
    library "read_stream_to_codes"("+stream", "-list", "?tail") needs effect = |m, [stream, codes, tail]| {
        let text = rest_of(m, stream)?;
        unify_codes(m, codes, &text, tail)
    };
    /// Reads the next `integer` characters of `stream` as `string`, fewer at the end. If `integer` is
    /// unbound, reads the rest of `stream`.
    ///
    /// ?- open_string('hello world', _In), read_string(_In, 5, Text), close(_In).
    /// Text = "hello".
    library "read_string"("+stream", "?integer", "-string") needs effect = |m, [stream, length, string]| {
        match m.optional_size(length)? {
            Some(limit) => {
                let target = m.stream_arg(stream)?;
                let text = m.gather_from(target, |input, room| some_text(input, limit, room))?;
                m.unify_string(string, &text)
            }
            None => {
                let text = rest_of(m, stream)?;
                Ok(m.unify_size(length, text.chars().count())? && m.unify_string(string, &text)?)
            }
        }
    };
    /// Unifies `string` with the next `integer` characters of `stream` without reading them, fewer at the
    /// end.
    ///
    /// ?- open_string(hello, _In), peek_string(_In, 2, A), read_string(_In, _, B), close(_In).
    /// A = "he",
    /// B = "hello".
    library "peek_string"("+stream", "+integer", "-string") needs effect = |m, [stream, length, string]| {
        let length = m.size_arg(length)?;
        let target = m.stream_arg(stream)?;
        let text = m.gather_from(target, |input, room| {
            loop {
                let text = input.buffered_text()?;
                if let Some((end, _)) = text.char_indices().nth(length) {
                    return Ok(text_of(&text[..end])?);
                }
                if !input.fill_more(room)? {
                    return Ok(text_of(input.buffered_text()?)?);
                }
            }
        })?;
        m.unify_string(string, &text)
    };
    /// Reads from `stream` up to one of the separators, the characters of the first text. Unifies `integer`
    /// with the code of that separator, or with -1 at the end of `stream`. Removes the characters of the
    /// second text at both ends of `string`.
    ///
    /// ?- open_string('one, two', _In), read_string(_In, ',', ' ', End, Text), close(_In).
    /// End = 44,
    /// Text = "one".
    library "read_string"("+stream", "+text", "+text", "-integer", "-string") needs effect
        = |m, [stream, separators, padding, end, string]| {
        let separators = m.text_arg(separators)?;
        let padding = m.text_arg(padding)?;
        let target = m.stream_arg(stream)?;
        let (text, separator) = m.gather_from(target, |input, room| separated(input, &separators, room))?;
        let code = separator.map_or(-1, |char| i64::from(u32::from(char)));
        let trimmed = text.trim_matches(|char| padding.contains(char));
        Ok(m.unify_int(end, code)? && m.unify_string(string, trimmed)?)
    };
    /// Makes `source`, a file, a stream or an alias, the current input. Opens a file if needed.
    library "see"("+source") needs read, effect = |m, [source]| choose(m, source, true, Opening::to_read(read));
    /// Unifies `stream` with the current input.
    library "seeing"("-stream") = |m, [stream]| {
        let handle = m.stream_term(m.world.host.streams.current_input());
        Ok(m.unify(stream, handle)?)
    };
    /// Closes the current input and makes the standard input the current input.
    library "seen"() needs effect = |m, []| {
        let current = m.world.host.streams.current_input();
        close_current(m, current, USER_INPUT)
    };
    /// Makes `sink`, a file, a stream or an alias, the current output. Opens a file if needed.
    library "tell"("+sink") needs write, effect = |m, [sink]| choose(m, sink, false, Opening::to_write(write, false));
    /// Redirects the current output like `tell/1`, but keeps the contents of a file that it opens and appends
    /// to them.
    library "append"("+sink") needs write, effect = |m, [sink]| choose(m, sink, false, Opening::to_write(write, true));
    /// Unifies `stream` with the current output.
    library "telling"("-stream") = |m, [stream]| {
        let handle = m.stream_term(m.world.host.streams.current_output());
        Ok(m.unify(stream, handle)?)
    };
    /// Closes the current output and makes the standard output the current output.
    library "told"() needs effect = |m, []| {
        let current = m.world.host.streams.current_output();
        close_current(m, current, USER_OUTPUT)
    };
}

// ---- lines and texts --------------------------------------------------------------------------

fn line_of(m: &mut Machine, stream: Cell) -> Result<Option<String>, Throw> {
    let target = m.stream_arg(stream)?;
    let mut line = String::new();
    let more = m.gather_from(target, |input, room| input.read_line_into(&mut line, room))?;
    Ok(more.then_some(line))
}

fn without_end(line: &str) -> &str {
    let line = line.strip_suffix('\n').unwrap_or(line);
    line.strip_suffix('\r').unwrap_or(line)
}

fn rest_of(m: &mut Machine, stream: Cell) -> Result<String, Throw> {
    let target = m.stream_arg(stream)?;
    m.gather_from(target, Input::read_all_to_string)
}

fn some_text(input: &mut Input, limit: usize, allowance: Allowance<'_>) -> Result<String, IoError> {
    let mut text = String::new();
    let mut left = limit;
    while left > 0 {
        allowance(2 * text.len())?;
        let piece = input.buffered_text()?;
        let end = piece
            .char_indices()
            .nth(left)
            .map_or(piece.len(), |(at, _)| at);
        if end == 0 {
            break;
        }
        left -= piece[..end].chars().count();
        text.put_str(&piece[..end])?;
        input.consume(end);
    }
    Ok(text)
}

fn separated(
    input: &mut Input,
    separators: &str,
    allowance: Allowance<'_>,
) -> Result<(String, Option<char>), IoError> {
    let mut text = String::new();
    loop {
        if text.len().is_multiple_of(POLL_CHARS) {
            allowance(2 * text.len())?;
        }
        match input.get_char()? {
            None => return Ok((text, None)),
            Some(char) if separators.contains(char) => return Ok((text, Some(char))),
            Some(char) => text.put(char)?,
        }
    }
}

fn unify_codes(m: &mut Machine, codes: Cell, text: &str, tail: Cell) -> Result<bool, Throw> {
    let list = m.store.code_list(text, tail)?;
    Ok(m.unify(codes, list)?)
}

// ---- current streams --------------------------------------------------------------------------

fn choose(m: &mut Machine, cell: Cell, input: bool, opening: Opening) -> Result<bool, Throw> {
    let direction = if input { atoms::INPUT } else { atoms::OUTPUT };
    let id = match m.store.view(cell) {
        View::Atom(atoms::USER) if input => USER_INPUT,
        View::Atom(atoms::USER) => USER_OUTPUT,
        View::Struct(..) => m.stream_arg(cell)?.id,
        View::Atom(alias) if m.world.host.streams.by_alias(alias).is_some() => {
            m.stream_arg(cell)?.id
        }
        _ => {
            let path = source_sink(m, cell)?;
            match open_file_stream(m, &path, input) {
                Some(id) => id,
                None => {
                    let options = OpenOptions::default();
                    let opened = m.world.host.streams.open(opening, &path, &options);
                    let id = m.of_file(opened, ("open", "source_sink"), cell)?;
                    count_opened(m, id)?;
                    m.change_stream(Target::of(id), |stream| stream.seen_or_told = true)?;
                    id
                }
            }
        }
    };
    let chosen = if input {
        m.world.host.streams.set_current_input(id)
    } else {
        m.world.host.streams.set_current_output(id)
    };
    let named = Some(cell);
    m.of_stream(chosen, direction, Target { id, named })
}

/// Returns the open stream of a file with this name. Ignores streams that the program opened in another way.
fn open_file_stream(m: &Machine, path: &str, input: bool) -> Option<StreamId> {
    let fits = |stream: &crate::io::stream::Stream| {
        stream.seen_or_told
            && stream.is_input() == input
            && stream.file_name.as_deref() == Some(path)
    };
    let mut streams = m.world.host.streams.iter();
    streams.find_map(|(id, stream)| fits(stream).then_some(id))
}

/// Closes a current stream unless it is the standard one. The standard stream replaces it.
fn close_current(m: &mut Machine, current: StreamId, standard: StreamId) -> Result<bool, Throw> {
    let closed = m.world.host.streams.close(current, false);
    let chosen = if standard == USER_INPUT {
        m.world.host.streams.set_current_input(standard)
    } else {
        m.world.host.streams.set_current_output(standard)
    };
    m.of_stream(closed.and(chosen), atoms::OUTPUT, Target::of(current))
}
