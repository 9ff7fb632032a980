//! Input and output of characters, codes and bytes (ISO 13211-1, 8.12 and 8.13), and the corresponding predicates
//! of older systems.

use crate::base::atom_table::atoms;
use crate::base::number::Number;
use crate::base::stop::Stop;
use crate::builtins::args::only_char;
use crate::io::error::IoError;
use crate::io::input::Input;
use crate::machine::builtin::builtins;
use crate::machine::control::throw::Throw;
use crate::machine::evaluate::evaluate;
use crate::machine::state::Machine;
use crate::store::cell::Cell;
use crate::store::heap::View;

/// Number of characters read between two checks of the interrupt flag.
pub(in crate::builtins) const POLL_CHARS: usize = 1024;

builtins! { CHAR_IO =
    /// Reads the next character of the current input and unifies `in_character` with it, or with
    /// `end_of_file` at the end. ISO 8.12.1.
    iso "get_char"("?in_character") needs effect = |m, [char]| read(m, None, char, &CHAR, Input::get_char);
    /// Reads the next character of `stream` and unifies `in_character` with it, or with `end_of_file` at the
    /// end. ISO 8.12.1.
    ///
    /// ?- open_string(ab, _In), get_char(_In, A), get_char(_In, B), get_char(_In, C), close(_In).
    /// A = a,
    /// B = b,
    /// C = end_of_file.
    iso "get_char"("+stream", "?in_character") needs effect = |m, [stream, char]| {
        read(m, Some(stream), char, &CHAR, Input::get_char)
    };
    /// Unifies `in_character` with the next character of the current input without reading it. ISO 8.12.1.
    iso "peek_char"("?in_character") needs effect = |m, [char]| read(m, None, char, &CHAR, Input::peek_char);
    /// Unifies `in_character` with the next character of `stream` without reading it. ISO 8.12.1.
    ///
    /// ?- open_string(ab, _In), peek_char(_In, A), get_char(_In, B), close(_In).
    /// A = B, B = a.
    iso "peek_char"("+stream", "?in_character") needs effect = |m, [stream, char]| {
        read(m, Some(stream), char, &CHAR, Input::peek_char)
    };
    /// Writes `character` to the current output. ISO 8.12.3.
    ///
    /// ?- put_char(a), put_char('\n').
    /// a
    /// true.
    iso "put_char"("+character") needs output = |m, [char]| put_one(m, None, char, Machine::char_arg);
    /// Writes `character` to `stream`. ISO 8.12.3.
    ///
    /// ?- put_char(user_output, a), nl(user_output).
    /// a
    /// true.
    iso "put_char"("+stream", "+character") needs output_to = |m, [stream, char]| put_one(m, Some(stream), char, Machine::char_arg);
    /// Reads the next character of the current input and unifies `in_character_code` with its code, or with
    /// -1 at the end. ISO 8.12.1.
    iso "get_code"("?in_character_code") needs effect = |m, [code]| read(m, None, code, &CODE, Input::get_char);
    /// Reads the next character of `stream` and unifies `in_character_code` with its code, or with -1 at the
    /// end. ISO 8.12.1.
    ///
    /// ?- open_string(a, _In), get_code(_In, A), get_code(_In, B), close(_In).
    /// A = 97,
    /// B = -1.
    iso "get_code"("+stream", "?in_character_code") needs effect = |m, [stream, code]| {
        read(m, Some(stream), code, &CODE, Input::get_char)
    };
    /// Unifies `in_character_code` with the code of the next character of the current input without reading
    /// it. ISO 8.12.1.
    iso "peek_code"("?in_character_code") needs effect = |m, [code]| read(m, None, code, &CODE, Input::peek_char);
    /// Unifies `in_character_code` with the code of the next character of `stream` without reading it.
    /// ISO 8.12.1.
    ///
    /// ?- open_string(a, _In), peek_code(_In, A), get_code(_In, B), get_code(_In, End), close(_In).
    /// A = B, B = 97,
    /// End = -1.
    iso "peek_code"("+stream", "?in_character_code") needs effect = |m, [stream, code]| {
        read(m, Some(stream), code, &CODE, Input::peek_char)
    };
    /// Writes the character with the code `character_code` to the current output. ISO 8.12.3.
    ///
    /// ?- put_code(0'a), nl.
    /// a
    /// true.
    iso "put_code"("+character_code") needs output = |m, [code]| put_one(m, None, code, Machine::code_arg);
    /// Writes the character with the code `character_code` to `stream`. ISO 8.12.3.
    iso "put_code"("+stream", "+character_code") needs output_to = |m, [stream, code]| {
        put_one(m, Some(stream), code, Machine::code_arg)
    };
    /// Reads the next byte of the current input and unifies `in_byte` with it, or with -1 at the end.
    /// ISO 8.13.1.
    iso "get_byte"("?in_byte") needs effect = |m, [byte]| read(m, None, byte, &BYTE, Input::get_byte);
    /// Reads the next byte of `stream` and unifies `in_byte` with it, or with -1 at the end. ISO 8.13.1.
    ///
    /// ?- open('b.bin', write, _Out, [type(binary)]), put_byte(_Out, 255), close(_Out).
    /// true.
    ///
    /// ?- open('b.bin', read, _In, [type(binary)]), get_byte(_In, A), get_byte(_In, B), close(_In).
    /// A = 255,
    /// B = -1.
    iso "get_byte"("+stream", "?in_byte") needs effect = |m, [stream, byte]| read(m, Some(stream), byte, &BYTE, Input::get_byte);
    /// Unifies `in_byte` with the next byte of the current input without reading it. ISO 8.13.2.
    iso "peek_byte"("?in_byte") needs effect = |m, [byte]| read(m, None, byte, &BYTE, Input::peek_byte);
    /// Unifies `in_byte` with the next byte of `stream` without reading it. ISO 8.13.2.
    iso "peek_byte"("+stream", "?in_byte") needs effect = |m, [stream, byte]| read(m, Some(stream), byte, &BYTE, Input::peek_byte);
    /// Writes `byte` to the current output. ISO 8.13.3.
    ///
    /// ?- put_byte(65).
    /// error: put_byte/1: No permission to output text stream `'$stream'(1)' [permission_error(output, text_stream, '$stream'(1))]
    iso "put_byte"("+byte") needs output = |m, [byte]| put_byte(m, None, byte);
    /// Writes `byte` to `stream`. ISO 8.13.3.
    iso "put_byte"("+stream", "+byte") needs output_to = |m, [stream, byte]| put_byte(m, Some(stream), byte);
    /// Ends the line of the current output. ISO 8.12.3.
    ///
    /// ?- write(a), nl, write(b), nl.
    /// a
    /// b
    /// true.
    iso "nl"() needs output = |m, []| new_line(m, None);
    /// Ends the line of `stream`. ISO 8.12.3.
    iso "nl"("+stream") needs output_to = |m, [stream]| new_line(m, Some(stream));
    /// Writes spaces to the current output; the value of `expression` is their number.
    ///
    /// ?- write(a), tab(3), write(b), nl.
    /// a   b
    /// true.
    library "tab"("+expression") needs output = |m, [count]| tab(m, None, count);
    /// Writes spaces to `stream`; the value of `expression` is their number.
    ///
    /// ?- write(a), tab(user_output, 1 + 2), write(b), nl.
    /// a   b
    /// true.
    library "tab"("+stream", "+expression") needs output_to = |m, [stream, count]| tab(m, Some(stream), count);
    /// Reads the next character of the current input and unifies `in_character_code` with its code. An older
    /// name of `get_code/1`.
    library "get0"("?in_character_code") needs effect = |m, [code]| read(m, None, code, &CODE, Input::get_char);
    /// Reads the next character of `stream` and unifies `in_character_code` with its code.
    library "get0"("+stream", "?in_character_code") needs effect = |m, [stream, code]| {
        read(m, Some(stream), code, &CODE, Input::get_char)
    };
    /// Reads the next visible character of the current input and unifies `in_character_code` with its code.
    library "get"("?in_character_code") needs effect = |m, [code]| read(m, None, code, &CODE, visible_char);
    /// Reads the next visible character of `stream` and unifies `in_character_code` with its code.
    library "get"("+stream", "?in_character_code") needs effect = |m, [stream, code]| {
        read(m, Some(stream), code, &CODE, visible_char)
    };
    /// Writes `character` to the current output: a character, or an expression for its code.
    library "put"("+character") needs output = |m, [char]| put_one(m, None, char, char_or_code);
    /// Writes `character` to `stream`: a character, or an expression for its code.
    library "put"("+stream", "+character") needs output_to = |m, [stream, char]| put_one(m, Some(stream), char, char_or_code);
    /// Reads the current input up to and including the next `character`, or to the end.
    library "skip"("+character") needs effect = |m, [char]| skip(m, None, char);
    /// Reads `stream` up to and including the next `character`, or to the end.
    library "skip"("+stream", "+character") needs effect = |m, [stream, char]| skip(m, Some(stream), char);
    /// Reads the next character of the standard input and unifies `in_character_code` with its code.
    library "get_single_char"("?in_character_code") needs effect = |m, [code]| {
        let input = Cell::atom(atoms::USER_INPUT);
        read(m, Some(input), code, &CODE, Input::get_char)
    };
}

/// Returns the atom of a character from the input, or `end_of_file`.
fn char_cell(m: &mut Machine, char: Option<char>) -> Result<Cell, Stop> {
    Ok(Cell::atom(match char {
        Some(char) => m.world.symbols.intern_char(char)?,
        None => atoms::END_OF_FILE,
    }))
}

/// Returns the code of a character from the input, or -1.
fn code_cell(char: Option<char>) -> Cell {
    Cell::int(char.map_or(-1, |char| i64::from(u32::from(char))))
}

// ---- checks of result arguments ----------------------------------------------------------------

fn check_in_character(m: &mut Machine, cell: Cell) -> Result<(), Throw> {
    match m.store.view(cell) {
        View::Var(_) | View::Atom(atoms::END_OF_FILE) => Ok(()),
        View::Atom(atom) if only_char(m.world.symbols.text(atom)).is_some() => Ok(()),
        _ => Err(m.type_error(atoms::IN_CHARACTER, cell)),
    }
}

fn check_in_code(m: &mut Machine, cell: Cell) -> Result<(), Throw> {
    let is_code = |code| u32::try_from(code).is_ok_and(|code| char::from_u32(code).is_some());
    match m.store.view(cell) {
        View::Var(_) | View::Int(-1) => Ok(()),
        View::Int(code) if is_code(code) => Ok(()),
        View::Int(_) | View::Big(_) => Err(m.representation_error(atoms::IN_CHARACTER_CODE)),
        _ => Err(m.type_error(atoms::INTEGER, cell)),
    }
}

fn check_in_byte(m: &mut Machine, cell: Cell) -> Result<(), Throw> {
    match m.store.view(cell) {
        View::Var(_) | View::Int(-1..=255) => Ok(()),
        _ => Err(m.type_error(atoms::IN_BYTE, cell)),
    }
}

// ---- input ------------------------------------------------------------------------------------

/// Conversion of an input item for a builtin.
struct Made<T> {
    /// Check of the result argument.
    check: fn(&mut Machine, Cell) -> Result<(), Throw>,
    cell: fn(&mut Machine, Option<T>) -> Result<Cell, Stop>,
}

const CHAR: Made<char> = Made {
    check: check_in_character,
    cell: char_cell,
};
const CODE: Made<char> = Made {
    check: check_in_code,
    cell: |_, char| Ok(code_cell(char)),
};
const BYTE: Made<u8> = Made {
    check: check_in_byte,
    cell: |_, byte| Ok(Cell::int(byte.map_or(-1, i64::from))),
};

#[inline]
fn read<T>(
    m: &mut Machine,
    stream: Option<Cell>,
    result: Cell,
    made: &Made<T>,
    read: impl Fn(&mut Input) -> Result<Option<T>, IoError>,
) -> Result<bool, Throw> {
    let target = m.input_target(stream)?;
    (made.check)(m, result)?;
    let item = m.read_from(target, read)?;
    let cell = (made.cell)(m, item)?;
    Ok(m.unify(result, cell)?)
}

/// Returns the next character that is neither white space nor a control character.
fn visible_char(input: &mut Input) -> Result<Option<char>, IoError> {
    loop {
        match input.get_char()? {
            Some(char) if char.is_whitespace() || char.is_control() => {}
            other => return Ok(other),
        }
    }
}

fn skip(m: &mut Machine, stream: Option<Cell>, char: Cell) -> Result<bool, Throw> {
    let target = m.input_target(stream)?;
    let wanted = char_or_code(m, char)?;
    m.gather_from(target, |input, allowance| {
        loop {
            for _ in 0..POLL_CHARS {
                match input.get_char()? {
                    Some(char) if char != wanted => {}
                    _ => return Ok(true),
                }
            }
            allowance(0)?;
        }
    })
}

// ---- output -----------------------------------------------------------------------------------

/// Writes the character of an argument.
fn put_one(
    m: &mut Machine,
    stream: Option<Cell>,
    cell: Cell,
    char: fn(&mut Machine, Cell) -> Result<char, Throw>,
) -> Result<bool, Throw> {
    let target = m.output_target(stream)?;
    let char = char(m, cell)?;
    m.write_to(target, |output| output.put_char(char))?;
    Ok(true)
}

fn new_line(m: &mut Machine, stream: Option<Cell>) -> Result<bool, Throw> {
    put_one(m, stream, Cell::ABSENT, |_, _| Ok('\n'))
}

fn put_byte(m: &mut Machine, stream: Option<Cell>, byte: Cell) -> Result<bool, Throw> {
    let target = m.output_target(stream)?;
    let value = match m.store.view(byte) {
        View::Int(value) => u8::try_from(value).ok(),
        _ => None,
    };
    match value {
        Some(value) => m
            .write_to(target, |output| output.put_byte(value))
            .map(|()| true),
        None => Err(m.type_or_instantiation_error(atoms::BYTE, byte)),
    }
}

/// Returns a character, given directly or by an expression for its code.
fn char_or_code(m: &mut Machine, cell: Cell) -> Result<char, Throw> {
    if let View::Atom(atom) = m.store.view(cell)
        && let Some(char) = only_char(m.world.symbols.text(atom))
    {
        return Ok(char);
    }
    let value = evaluate(m, cell)?;
    let code = m.store.new_number(&value)?;
    m.code_arg(code)
}

fn tab(m: &mut Machine, stream: Option<Cell>, count: Cell) -> Result<bool, Throw> {
    const BLANKS: &str = "                                                                ";
    let target = m.output_target(stream)?;
    let mut left = match evaluate(m, count)? {
        Number::Int(count) => usize::try_from(count).unwrap_or(0),
        big @ Number::Big(_) if big.is_negative() => 0,
        Number::Big(_) => usize::MAX,
        Number::Float(float) => {
            let value = m.store.new_float(float);
            return Err(m.type_error(atoms::INTEGER, value));
        }
    };
    // An empty piece is written too, because this checks the stream.
    loop {
        let piece = left.min(BLANKS.len());
        m.write_text_to(target, &BLANKS[..piece])?;
        left -= piece;
        if left == 0 {
            return Ok(true);
        }
        if let Some(throw) = m.poll() {
            return Err(throw);
        }
    }
}
