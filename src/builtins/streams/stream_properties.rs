//! Properties of streams (ISO 13211-1, 7.10.2.13 and 8.11.8).

use super::errors_io::Target;
use crate::base::atom_table::{Atom, atoms};
use crate::base::growth::{Gather, Grow};
use crate::io::options::EofAction;
use crate::io::position::Position;
use crate::io::stream::{Stream, StreamId};
use crate::io::stream_table::{USER_ERROR, USER_OUTPUT};
use crate::machine::builtin::builtins;
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::store::cell::Cell;
use crate::store::heap::View;
use std::borrow::Cow;

builtins! { STREAM_PROPERTIES =
    /// Returns the pairs `Stream-Property` of open streams that unify with these two. If at most one solution is
    /// possible, it binds the arguments and returns `[]`.
    iso "$stream_properties"("?stream", "?property", "-list") needs history = |m, [stream, property, pairs]| {
        matching_properties(m, stream, property, pairs)
            .map_err(|throw| m.named(throw, "stream_property", 2))
    };
    /// Unifies `integer` with the current line of `stream`, counted from 1.
    ///
    /// ?- open_string('one\ntwo', _In), read_line_to_string(_In, Line), line_count(_In, N), close(_In).
    /// Line = "one",
    /// N = 2.
    library "line_count"("+stream", "-integer") needs history = |m, [stream, count]| {
        counter(m, stream, count, |position| position.line)
    };
    /// Unifies `integer` with the current column of `stream`, counted from 0.
    ///
    /// ?- write(abc), line_position(user_output, N), nl.
    /// abc
    /// N = 3.
    library "line_position"("+stream", "-integer") needs history = |m, [stream, count]| {
        counter(m, stream, count, |position| position.line_position)
    };
    /// Unifies `integer` with the number of characters before the current position of `stream`.
    ///
    /// ?- open_string(hello, _In), get_char(_In, C), character_count(_In, N), close(_In).
    /// C = h,
    /// N = 1.
    library "character_count"("+stream", "-integer") needs history = |m, [stream, count]| {
        counter(m, stream, count, |position| position.char_count)
    };
    /// Unifies `integer` with the number of bytes before the current position of `stream`.
    library "byte_count"("+stream", "-integer") needs history = |m, [stream, count]| {
        counter(m, stream, count, |position| position.byte_offset)
    };
}

fn counter(
    m: &mut Machine,
    stream: Cell,
    count: Cell,
    of: impl Fn(Position) -> u64,
) -> Result<bool, Throw> {
    let target = m.stream_arg(stream)?;
    let value = m.with_stream(target, |stream| Ok(of(stream.position())))?;
    Ok(m.unify_int(count, i64::try_from(value).unwrap_or(i64::MAX))?)
}

/// Properties in the order of solutions. Only `input` and `output` have no argument.
const NAMES: &[&str] = &[
    "input",
    "output",
    "file_name",
    "mode",
    "alias",
    "position",
    "end_of_stream",
    "eof_action",
    "reposition",
    "type",
    "encoding",
    "buffer",
    "bom",
    "newline",
    "tty",
    "representation_errors",
];

/// Greatest number of words for the pairs of one stream, besides further aliases.
const WORDS_PER_STREAM: usize = 256;

/// Returns the number of arguments of a property.
fn arity_of(name: &str) -> usize {
    usize::from(!matches!(name, "input" | "output"))
}

/// Returns the names of the requested properties: one, or all for a variable.
fn wanted_properties(m: &mut Machine, property: Cell) -> Result<&'static [&'static str], Throw> {
    let (name, arity): (Atom, usize) = match m.store.view(property) {
        View::Var(_) => return Ok(NAMES),
        View::Atom(atom) => (atom, 0),
        View::Struct(functor, _) => (m.world.symbols.name(functor), functor.arity()),
        _ => return Err(m.domain_error(atoms::STREAM_PROPERTY, property)),
    };
    let text = m.world.symbols.text(name);
    match NAMES
        .iter()
        .position(|&known| known == text && arity_of(known) == arity)
    {
        Some(index) => Ok(&NAMES[index..=index]),
        None => Err(m.domain_error(atoms::STREAM_PROPERTY, property)),
    }
}

fn matching_properties(
    m: &mut Machine,
    stream: Cell,
    property: Cell,
    pairs: Cell,
) -> Result<bool, Throw> {
    // Other systems accept aliases here, too.
    let aliased = match m.store.view(stream) {
        View::Atom(alias) if !m.world.flags.iso => m.world.host.streams.by_alias(alias),
        _ => None,
    };
    let only = match aliased {
        Some(id) => Some(id),
        None => m.optional_handle(stream)?,
    };
    let wanted = wanted_properties(m, property)?;
    if let (Some(id), [name], View::Struct(_, args)) = (only, wanted, m.store.view(property))
        && !matches!(*name, "alias" | "position")
    {
        let target = Target::of(id);
        let Some(text) = m.with_stream(target, |stream| Ok(spelled_value(stream, id, name)))?
        else {
            return Ok(false);
        };
        let value = m.world.symbols.intern_passing(&text)?;
        let wanted = m.store.arg(args, 0);
        return Ok(m.unify_atom(wanted, value)? && m.unify_atom(pairs, atoms::NIL)?);
    }
    let ids: Vec<StreamId> = match only {
        Some(id) => vec![id],
        None => m.world.host.streams.iter().map(|(id, _)| id).gather()?,
    };
    m.store
        .reserve(ids.len().saturating_mul(WORDS_PER_STREAM))?;
    let mut found = Vec::new();
    let mut values = Vec::new();
    for id in ids {
        for name in wanted {
            values.clear();
            property_terms(m, id, name, &mut values)?;
            for &value in &values {
                if !m.store.not_unifiable(property, value)? {
                    let handle = if only.is_some() {
                        stream
                    } else {
                        m.stream_term(id)
                    };
                    let functor = crate::base::atom_table::functors::MINUS2;
                    found.put(m.store.new_struct(functor, &[handle, value]))?;
                }
            }
        }
    }
    Ok(!found.is_empty() && m.unify_items(pairs, &found)?)
}

/// Collects the terms of the property `name` of a stream.
fn property_terms(
    m: &mut Machine,
    id: StreamId,
    name: &str,
    terms: &mut Vec<Cell>,
) -> Result<(), Throw> {
    let target = Target::of(id);
    let from = terms.len();
    match name {
        "position" => {
            let position = m.with_stream(target, |stream| Ok(stream.position()))?;
            let position = m.position_term(position);
            terms.put(position)?;
        }
        "alias" => m.with_stream(target, |stream| {
            Ok(terms.put_all(stream.aliases().iter().copied().map(Cell::atom))?)
        })?,
        "input" | "output" => {
            let wants_input = name == "input";
            if m.with_stream(target, |stream| Ok(stream.is_input()))? == wants_input {
                terms.put(Cell::atom(m.world.symbols.intern(name)?))?;
            }
            return Ok(());
        }
        _ => match m.with_stream(target, |stream| Ok(spelled_value(stream, id, name)))? {
            Some(text) => terms.put(Cell::atom(m.world.symbols.intern_passing(&text)?))?,
            None => return Ok(()),
        },
    }
    let name = m.world.symbols.intern(name)?;
    let functor = m.world.symbols.functor(name, 1)?;
    for value in &mut terms[from..] {
        *value = m.store.new_struct(functor, &[*value]);
    }
    Ok(())
}

/// Returns the value of a property that is a name.
fn spelled_value(stream: &mut Stream, id: StreamId, name: &str) -> Option<Cow<'static, str>> {
    let truth = |value: bool| if value { "true" } else { "false" };
    let standard_output = id == USER_OUTPUT || id == USER_ERROR;
    Some(Cow::Borrowed(match name {
        "file_name" => return stream.file_name.clone().map(Cow::Owned),
        "mode" => stream.mode.name(),
        "end_of_stream" => stream.end_of_stream()?.name(),
        "eof_action" if standard_output => EofAction::Reset.name(),
        "eof_action" => stream.eof_action().name(),
        "reposition" => truth(stream.reposition),
        "type" => stream.stream_type().name(),
        "encoding" => stream.encoding().name(),
        "buffer" => stream.buffering().name(),
        "bom" => truth(stream.has_bom()),
        "newline" => stream.newline().name(),
        "tty" => truth(stream.is_tty()),
        _ => "error",
    }))
}
