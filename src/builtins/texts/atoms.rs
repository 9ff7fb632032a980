//! Atomic term processing (ISO 13211-1, 8.16): length, concatenation, characters and codes, and conversion of texts
//! to numbers. Parts of atoms are in `atoms_sub`.

use crate::base::atom_table::atoms;
use crate::base::growth::{Gather, Grow, GrowMap, text_with_room};
use crate::base::number::Number;
use crate::base::passing_text::PassingText;
use crate::base::stop::Stop;
use crate::builtins::args::{atomic_text, next_row, text_of_number};
use crate::machine::builtin::{Step, builtins};
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::store::cell::Cell;
use crate::store::claims::Life;
use crate::store::heap::View;
use crate::store::list::TextKind;
use crate::text::numeral::parse_number;
use crate::text::syntax_error::SyntaxError;
use std::borrow::Cow;

/// Kind of term that a builtin makes of a text.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(in crate::builtins) enum Make {
    /// Atom.
    Atom,
    /// String.
    String,
    /// String if an argument is a string, else atom.
    Like,
}

/// Builds the term of a text.
pub(in crate::builtins) fn make_text(
    m: &mut Machine,
    text: &str,
    make: Make,
) -> Result<Cell, Throw> {
    Ok(match make {
        Make::String => m.store.new_string(text)?,
        Make::Atom | Make::Like => Cell::atom(m.new_atom(text)?),
    })
}

/// Unifies an argument with the term of a text.
fn unify_made(m: &mut Machine, cell: Cell, text: &str, make: Make) -> Result<bool, Throw> {
    let made = make_text(m, text, make)?;
    if m.unify(cell, made)? {
        return Ok(true);
    }
    // A text of another type is compared by its characters, except in `atom_concat/3`.
    let cell = m.store.deref(cell);
    Ok(make != Make::Atom && atomic_text(m, cell)?.is_some_and(|other| other == text))
}

/// Returns whether an argument is a text; false for a variable.
fn is_text(m: &mut Machine, cell: Cell, make: Make) -> Result<bool, Throw> {
    let expected = match make {
        Make::Atom => atoms::ATOM,
        Make::String | Make::Like => atoms::ATOMIC,
    };
    match m.store.view(cell) {
        View::Var(_) => Ok(false),
        View::Int(_) | View::Float(_) | View::Big(_) if make == Make::Atom && m.world.flags.iso => {
            Err(m.type_error(expected, cell))
        }
        View::List(_) | View::Struct(..) => Err(m.type_error(expected, cell)),
        _ => Ok(true),
    }
}

/// Returns the text of an argument, which must be a text.
fn text_of_arg(m: &Machine, cell: Cell) -> Result<Cow<'_, str>, Stop> {
    Ok(atomic_text(m, cell)?.unwrap_or_default())
}

/// Returns whether one of the first two arguments of the call is bound.
pub(in crate::builtins) fn parts_are_bound(m: &Machine) -> bool {
    let [left, right] = m.args();
    !(left.is_var() && right.is_var())
}

/// Runs `atom_concat/3` and similar builtins. The state is the byte of the last split.
pub(in crate::builtins) fn concat(
    m: &mut Machine,
    [left, right, whole]: [Cell; 3],
    state: Option<i64>,
    make: Make,
) -> Result<Step, Throw> {
    let is_string = |cell: Cell| matches!(m.store.view(cell), View::String(_));
    let make = match make {
        Make::Like if [left, right, whole].into_iter().any(is_string) => Make::String,
        other => other,
    };
    let (left_is_text, right_is_text) = (is_text(m, left, make)?, is_text(m, right, make)?);
    if left_is_text && right_is_text {
        let (a, b) = (text_of_arg(m, left)?, text_of_arg(m, right)?);
        m.room_for_text(a.len() + b.len(), Life::Passing)?;
        let text = PassingText::of(&[&a, &b], &m.store.watch)?;
        drop((a, b));
        let found = unify_made(m, whole, &text, make)?;
        return Ok(Step::when(found));
    }
    if !is_text(m, whole, make)? {
        return Err(m.instantiation_error());
    }
    let text = text_of_arg(m, whole)?;
    let rest = if left_is_text {
        text.strip_prefix(&*text_of_arg(m, left)?)
    } else if right_is_text {
        text.strip_suffix(&*text_of_arg(m, right)?)
    } else {
        let copy = PassingText::of(&[&text], &m.store.watch)?;
        drop(text);
        return split(m, [left, right], &copy, state, make);
    };
    let unknown = if left_is_text { right } else { left };
    let found = match rest {
        Some(rest) => {
            let copy = PassingText::of(&[rest], &m.store.watch)?;
            unify_made(m, unknown, &copy, make)?
        }
        None => false,
    };
    Ok(Step::when(found))
}

/// Splits a text in two, after the split at byte `state`.
fn split(
    m: &mut Machine,
    [left, right]: [Cell; 2],
    text: &str,
    state: Option<i64>,
    make: Make,
) -> Result<Step, Throw> {
    let at = if left == right {
        // Both halves are equal.
        let half = text.len() / 2;
        if !text.is_char_boundary(half) || text[..half] != text[half..] {
            return Ok(Step::Fail);
        }
        half
    } else {
        match state {
            None => 0,
            Some(last) => {
                let last = usize::try_from(last).unwrap_or(usize::MAX).min(text.len());
                last + text[last..].chars().next().map_or(0, char::len_utf8)
            }
        }
    };
    let done = unify_made(m, left, &text[..at], make)? && unify_made(m, right, &text[at..], make)?;
    Ok(match done {
        false => Step::Fail,
        true if at == text.len() || left == right => Step::Last,
        true => Step::More(i64::try_from(at).unwrap_or(i64::MAX)),
    })
}

/// Runs `atom_chars/2` and `atom_codes/2`.
fn atom_list(m: &mut Machine, atom: Cell, list: Cell, kind: TextKind) -> Result<bool, Throw> {
    if !atom.is_var() {
        if let View::Atom(atom) = m.store.view(atom)
            && kind == TextKind::Codes
            && list.is_var()
        {
            let text = m.world.symbols.text(atom);
            m.store.watch.did_bytes(text.len());
            let codes = m.store.code_list(text, Cell::atom(atoms::NIL))?;
            return Ok(m.unify(list, codes)?);
        }
        let text = m.atom_text_arg(atom)?;
        return m.unify_text_list(list, &text, kind);
    }
    match m.list_text(list, kind)? {
        Some(text) => {
            let made = m.new_atom(&text)?;
            Ok(m.unify_atom(atom, made)?)
        }
        None => Err(m.instantiation_error()),
    }
}

fn parsed_number(m: &Machine, text: &str) -> Result<Number, SyntaxError> {
    let is_operator = |name: &str| Ok(m.ops()?.continues(&m.world.symbols, name));
    parse_number(text, &m.world.flags, is_operator, &m.store.events.watch)
}

/// Returns the number of a text, or its syntax error.
pub(in crate::builtins) fn number_of(m: &mut Machine, text: &str) -> Result<Number, Throw> {
    parsed_number(m, text).map_err(|error| {
        if error.is_out_of_memory() {
            return Stop.into();
        }
        let message = error.message();
        m.syntax_error(error.name(), &message)
    })
}

/// Greatest number of digits of numbers that are always inline integers.
const FEW_DIGITS: usize = 17;

/// Appends a decimal digit to a value.
fn with_digit(value: i64, digit: u8) -> Option<i64> {
    let digit = Some(digit).filter(u8::is_ascii_digit)?;
    Some(value * 10 + i64::from(digit - b'0'))
}

/// Returns the integer of a short list of codes or characters of decimal digits.
fn short_decimal(m: &Machine, list: Cell, kind: TextKind) -> Option<i64> {
    let (mut value, mut rest) = (0, list);
    let mut kind = Some(kind).filter(|_| m.world.flags.iso);
    for _ in 0..=FEW_DIGITS {
        match m.store.view(rest) {
            View::List(pair) => {
                let (digit, of) = match m.store.view(m.store.arg(pair, 0)) {
                    View::Int(code) => (u8::try_from(code).ok()?, TextKind::Codes),
                    View::Atom(char) => match m.world.symbols.text(char).as_bytes() {
                        &[digit] => (digit, TextKind::Chars),
                        _ => return None,
                    },
                    _ => return None,
                };
                if *kind.get_or_insert(of) != of {
                    return None;
                }
                value = with_digit(value, digit)?;
                rest = m.store.arg(pair, 1);
            }
            View::Atom(atoms::NIL) if rest != list => return Some(value),
            _ => return None,
        }
    }
    None
}

/// Runs `number_chars/2` and `number_codes/2`.
fn number_list(m: &mut Machine, number: Cell, list: Cell, kind: TextKind) -> Result<bool, Throw> {
    let known = m.store.number(number)?;
    if known.is_none() && !number.is_var() {
        return Err(m.type_error(atoms::NUMBER, number));
    }
    if let Some(value) = short_decimal(m, list, kind) {
        return Ok(m.unify_int(number, value)?);
    }
    if let Some(text) = m.list_text(list, kind)? {
        let parsed = number_of(m, &text)?;
        return m.unify_number(number, &parsed);
    }
    match known {
        Some(Number::Int(value)) => m.unify_text_list(list, &PassingText::of_integer(value), kind),
        Some(known) => m.unify_text_list(list, &text_of_number(m, &known)?, kind),
        None => Err(m.instantiation_error()),
    }
}

/// Returns the number of a text that contains only the number, without layout around it.
pub(in crate::builtins) fn exact_number(m: &Machine, text: &str) -> Result<Option<Number>, Stop> {
    if (1..=FEW_DIGITS).contains(&text.len())
        && let Some(value) = text.bytes().try_fold(0, with_digit)
    {
        return Ok(Some(Number::Int(value)));
    }
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if !digits.starts_with(|c: char| c.is_ascii_digit()) {
        return Ok(None);
    }
    match parsed_number(m, text.strip_prefix('+').unwrap_or(text)) {
        Ok(number) => Ok(Some(number)),
        Err(error) if error.is_out_of_memory() => Err(Stop),
        Err(_) => Ok(None),
    }
}

/// Unifies an argument with a number, or fails if there is none.
pub(in crate::builtins) fn unify_found(
    m: &mut Machine,
    cell: Cell,
    found: Option<Number>,
) -> Result<bool, Throw> {
    found.map_or(Ok(false), |number| m.unify_number(cell, &number))
}

/// Returns the text of a number argument.
pub(in crate::builtins) fn number_text_arg(m: &mut Machine, cell: Cell) -> Result<String, Throw> {
    match m.store.number(cell)? {
        Some(number) => Ok(text_of_number(m, &number)?),
        None => Err(m.type_or_instantiation_error(atoms::NUMBER, cell)),
    }
}

/// Bytes that are processed in negligible time.
const SHORT_TEXT: usize = 1 << 12;

/// Unifies `result` with the text of an argument in another case, as an atom or a string.
pub(in crate::builtins) fn change_case(
    m: &mut Machine,
    text: Cell,
    result: Cell,
    upper: bool,
    make: Make,
) -> Result<bool, Throw> {
    let mut text = m.text_arg(text)?;
    if text.len() <= SHORT_TEXT && text.is_ascii() {
        if upper {
            text.make_ascii_uppercase();
        } else {
            text.make_ascii_lowercase();
        }
    } else {
        let change = if upper { upper_char } else { lower_char };
        text = changed_text(m, &text, change)?;
    }
    let made = make_text(m, &text, make)?;
    Ok(m.unify(result, made)?)
}

/// Changes each character of a text; the number of characters stays.
fn changed_text(m: &Machine, text: &str, change: fn(char) -> char) -> Result<String, Stop> {
    let mut changed = text_with_room(text.len())?;
    for (nth, c) in text.chars().enumerate() {
        m.store.events.watch.go_on_at(nth)?;
        changed.put(change(c))?;
    }
    Ok(changed)
}

/// Returns a text in lower case with an equal number of characters.
pub(in crate::builtins) fn lower_text(m: &Machine, text: &str) -> Result<String, Stop> {
    changed_text(m, text, lower_char)
}

/// Returns the upper case of a character if it is a single character, otherwise the character itself.
pub(in crate::builtins) fn upper_char(c: char) -> char {
    let mut upper = c.to_uppercase();
    match (upper.next(), upper.next()) {
        (Some(upper), None) => upper,
        _ => c,
    }
}

/// Returns the lower case of a character if it is a single character, otherwise the character itself.
pub(in crate::builtins) fn lower_char(c: char) -> char {
    let mut lower = c.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(lower), None) => lower,
        _ => c,
    }
}

/// Runs `char_code/2`.
fn char_code(m: &mut Machine, char: Cell, code: Cell) -> Result<bool, Throw> {
    if char.is_var() {
        let value = m.code_arg(code)?;
        let atom = m.world.symbols.intern_char(value)?;
        return Ok(m.unify_atom(char, atom)?);
    }
    let value = m.char_arg(char)?;
    if !code.is_var() {
        m.code_arg(code)?;
    }
    Ok(m.unify_int(code, i64::from(u32::from(value)))?)
}

/// Checks an argument that becomes a length.
fn check_length_result(m: &mut Machine, length: Cell) -> Result<(), Throw> {
    m.optional_size(length).map(|_| ())
}

builtins! { ATOMS =
    /// Unifies `integer` with the number of characters of `atom`. ISO 8.16.1.
    ///
    /// ?- atom_length(hello, N).
    /// N = 5.
    ///
    /// ?- atom_length('', N).
    /// N = 0.
    ///
    /// ?- atom_length(N, 3).
    /// error: atom_length/2: Arguments are not sufficiently instantiated [instantiation_error]
    iso "atom_length"("+atom", "?integer") = |m, [atom, length]| {
        let count = match m.store.view(atom) {
            View::Atom(atom) => m.world.symbols.text(atom).chars().count(),
            View::String(addr) => m.store.text(addr).chars().count(),
            _ => return Err(m.type_or_instantiation_error(atoms::ATOM, atom)),
        };
        check_length_result(m, length)?;
        Ok(m.unify_size(length, count)?)
    };

    /// Unifies the third atom with the concatenation of the first two. If the first two are both unbound,
    /// enumerates all splits of the third on backtracking. ISO 8.16.2.
    ///
    /// ?- atom_concat(abc, def, A).
    /// A = abcdef.
    ///
    /// ?- atom_concat(X, '.pl', 'file.pl').
    /// X = file.
    ///
    /// ?- atom_concat(X, Y, ab).
    /// X = '',
    /// Y = ab ;
    /// X = a,
    /// Y = b ;
    /// X = ab,
    /// Y = ''.
    iso nondet "atom_concat"("?atom", "?atom", "?atom") with once parts_are_bound = |m, [left, right, whole], state| {
        concat(m, [left, right, whole], state, Make::Atom)
    };

    /// Unifies `list` with the list of the characters of `atom`, or makes `atom` from `list`. ISO 8.16.4.
    ///
    /// ?- atom_chars(hello, L).
    /// L = [h, e, l, l, o].
    ///
    /// ?- atom_chars(A, [h,i]).
    /// A = hi.
    ///
    /// ?- atom_chars(12, L).
    /// L = ['1', '2'].
    iso "atom_chars"("?atom", "?list") = |m, [atom, list]| atom_list(m, atom, list, TextKind::Chars);

    /// Unifies `list` with the list of the character codes of `atom`, or makes `atom` from `list`.
    /// ISO 8.16.5.
    ///
    /// ?- atom_codes(abc, L).
    /// L = [97, 98, 99].
    ///
    /// ?- atom_codes(A, [0'h,0'i]).
    /// A = hi.
    iso "atom_codes"("?atom", "?list") = |m, [atom, list]| atom_list(m, atom, list, TextKind::Codes);

    /// Converts between `character` and its character `code`. ISO 8.16.6.
    ///
    /// ?- char_code(a, Code).
    /// Code = 97.
    ///
    /// ?- char_code(C, 0x3b1).
    /// C = α.
    iso "char_code"("?character", "?code") = |m, [char, code]| char_code(m, char, code);

    /// Unifies `list` with the list of the characters of `number`, or reads `number` from `list`. Raises a
    /// syntax error if `list` denotes no number. ISO 8.16.7.
    ///
    /// ?- number_chars(N, ['4','2']).
    /// N = 42.
    ///
    /// ?- number_chars(42, L).
    /// L = ['4', '2'].
    ///
    /// ?- number_chars(N, [x]).
    /// error: number_chars/2: Syntax error: illegal number (this is not a number, or it is too large for a float) [syntax_error(illegal_number)]
    iso "number_chars"("?number", "?list") = |m, [number, list]| {
        number_list(m, number, list, TextKind::Chars)
    };

    /// Unifies `list` with the list of the character codes of `number`, or reads `number` from `list`. Raises
    /// a syntax error if `list` denotes no number. ISO 8.16.8.
    ///
    /// ?- number_codes(42, L).
    /// L = [52, 50].
    ///
    /// ?- number_codes(N, "0x1F").
    /// N = 31.
    iso "number_codes"("?number", "?list") = |m, [number, list]| {
        number_list(m, number, list, TextKind::Codes)
    };

    /// Unifies `number` with the number that the text of `atom` denotes, or makes `atom` from `number`. Fails
    /// if the text is no number.
    ///
    /// ?- atom_number('42', N).
    /// N = 42.
    ///
    /// ?- atom_number(abc, N).
    /// false.
    ///
    /// ?- atom_number(A, 1.5).
    /// A = '1.5'.
    library "atom_number"("?atom", "?number") = |m, [atom, number]| {
        if !atom.is_var() {
            let value = match atomic_text(m, atom)? {
                Some(text) => exact_number(m, &text)?,
                None => return Err(m.type_error(atoms::ATOM, atom)),
            };
            return unify_found(m, number, value);
        }
        let text = number_text_arg(m, number)?;
        Ok(m.unify_text(atom, &text)?)
    };

    /// Unifies `atom` with `text` in upper case.
    ///
    /// ?- upcase_atom('hello world', A).
    /// A = 'HELLO WORLD'.
    library "upcase_atom"("+text", "-atom") = |m, [text, upper]| {
        change_case(m, text, upper, true, Make::Atom)
    };

    /// Unifies `atom` with the text in lower case.
    ///
    /// ?- downcase_atom('Hello', A).
    /// A = hello.
    library "downcase_atom"("+text", "-atom") = |m, [text, lower]| {
        change_case(m, text, lower, false, Make::Atom)
    };

    /// Makes the reader replace the first character by the second, outside quoted items, while the flag
    /// `char_conversion` is `on`. ISO 8.14.5.
    iso "char_conversion"("+character", "+character") needs effect = always |m, [from, to]| {
        let (from, to) = (m.char_arg(from)?, m.char_arg(to)?);
        if from == to {
            m.world.char_conversions.own().remove(&from);
        } else {
            m.world.char_conversions.own().put_entry(from, to)?;
        }
    };

    /// True if the reader replaces the first character by the second. With an unbound first character,
    /// enumerates the characters that are replaced by others, and the second character itself. ISO 8.14.6.
    ///
    /// ?- current_char_conversion(a, C).
    /// C = a.
    iso nondet "current_char_conversion"("?character", "?character") = |m, [from, to], state| {
        for cell in [from, to] {
            if !cell.is_var() {
                m.char_arg(cell)?;
            }
        }
        let mut pairs: Vec<(char, char)> = if from.is_var() {
            m.world.char_conversions.iter().map(|(&from, &to)| (from, to)).gather()?
        } else {
            let char = m.char_arg(from)?;
            vec![(char, m.world.char_conversions.get(&char).copied().unwrap_or(char))]
        };
        if from.is_var() && !to.is_var() {
            let char = m.char_arg(to)?;
            if !m.world.char_conversions.contains_key(&char) {
                pairs.put((char, char))?;
            }
        }
        pairs.sort_unstable();
        let mut rows: Vec<[Cell; 2]> = Vec::new();
        for (from, to) in pairs {
            let symbols = &mut m.world.symbols;
            rows.put([symbols.intern_char(from)?, symbols.intern_char(to)?].map(Cell::atom))?;
        }
        Ok(next_row(m, &[from, to], &rows, state)?)
    };
}
