//! Classes of characters: `char_type/2` and `code_type/2`, as in SWI-Prolog.

use super::args::{next_row, only_char};
use super::atoms::{lower_char, upper_char};
use crate::base::symbol::atoms;
use crate::machine::builtin::{Step, builtins};
use crate::machine::state::Machine;
use crate::machine::throw::Throw;
use crate::store::cell::Cell;
use crate::store::heap::View;
use crate::store::list::TextKind;
use crate::text::char_class::{is_alphanumeric, is_symbol};

/// The name of a class and the test for it.
type Class = (&'static str, fn(char) -> bool);

/// The classes without arguments.
const CLASSES: &[Class] = &[
    ("alnum", char::is_alphanumeric),
    ("alpha", char::is_alphabetic),
    ("csym", |c| c.is_alphanumeric() || c == '_'),
    ("csymf", |c| c.is_alphabetic() || c == '_'),
    ("ascii", |c| c.is_ascii()),
    ("white", |c| c == ' ' || c == '\t'),
    ("cntrl", char::is_control),
    ("digit", |c| c.is_ascii_digit()),
    ("space", char::is_whitespace),
    ("end_of_line", |c| {
        matches!(
            c,
            '\n' | '\u{b}' | '\u{c}' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}'
        )
    }),
    ("lower", char::is_lowercase),
    ("upper", char::is_uppercase),
    ("punct", |c| is_graph(c) && !c.is_alphanumeric()),
    ("graph", is_graph),
    ("print", |c| is_graph(c) || c == ' '),
    ("period", |c| matches!(c, '.' | '?' | '!')),
    ("quote", |c| matches!(c, '\'' | '"' | '`')),
    ("paren", |c| matches!(c, '(' | ')' | '[' | ']' | '{' | '}')),
    ("newline", |c| c == '\n'),
    ("prolog_var_start", |c| c.is_uppercase() || c == '_'),
    ("prolog_atom_start", char::is_lowercase),
    ("prolog_identifier_continue", is_alphanumeric),
    ("prolog_symbol", is_symbol),
];

/// The classes with one argument.
const RELATIONS: &[&str] = &[
    "digit", "xdigit", "to_lower", "to_upper", "lower", "upper", "paren",
];

/// Characters that are tried between two looks at the interrupt flag.
const POLL_STEPS: u32 = 1 << 12;

fn is_graph(c: char) -> bool {
    !c.is_control() && !c.is_whitespace()
}

/// The value that a class with an argument gives to a character.
enum Value {
    Number(u32),
    Char(char),
}

/// The argument of class `name` for `c`, if `c` is in that class.
fn relation(name: &str, c: char) -> Option<Value> {
    let close = |c| match c {
        '(' => Some(')'),
        '[' => Some(']'),
        '{' => Some('}'),
        _ => None,
    };
    match name {
        "digit" => c.to_digit(10).map(Value::Number),
        "xdigit" => c.to_digit(16).map(Value::Number),
        // `to_lower(U)`: the character can come of U when that is made lower case; `to_upper` likewise.
        "to_lower" => Some(Value::Char(upper_char(c))),
        "to_upper" => Some(Value::Char(lower_char(c))),
        // `lower(U)`: a lower case character with upper case U; `upper(L)` likewise.
        "lower" => c.is_lowercase().then(|| Value::Char(upper_char(c))),
        "upper" => c.is_uppercase().then(|| Value::Char(lower_char(c))),
        "paren" => close(c).map(Value::Char),
        _ => None,
    }
}

fn char_term(m: &mut Machine, c: char, kind: TextKind) -> Cell {
    match kind {
        TextKind::Codes => Cell::int(i64::from(u32::from(c))),
        TextKind::Chars => Cell::atom(m.symbols.intern_char(c)),
    }
}

/// The character that comes of the argument of `to_lower(U)` or `to_upper(L)`, and that argument.
fn converted(m: &Machine, class: Cell) -> Option<(char, char)> {
    let (functor, args) = m.store.compound(class)?;
    let convert = match m.symbols.text(m.symbols.name(functor)) {
        "to_lower" => lower_char,
        "to_upper" => upper_char,
        _ => return None,
    };
    let from = char_value(m, m.store.arg(args, 0))?;
    Some((convert(from), from))
}

/// A term that is a character or a code.
fn char_value(m: &Machine, term: Cell) -> Option<char> {
    match m.store.view(term) {
        View::Atom(atom) => only_char(m.symbols.text(atom)),
        View::Int(code) => u32::try_from(code).ok().and_then(char::from_u32),
        _ => None,
    }
}

/// The class with its argument in the form, character or code, that answers have.
fn in_form(m: &mut Machine, class: Cell, kind: TextKind) -> Cell {
    let Some((functor, args)) = m.store.compound(class) else {
        return class;
    };
    let digits = matches!(m.symbols.text(m.symbols.name(functor)), "digit" | "xdigit");
    match char_value(m, m.store.arg(args, 0)) {
        Some(char) if !digits => {
            let char = char_term(m, char, kind);
            m.store.new_struct(functor, &[char])
        }
        _ => class,
    }
}

/// The terms of all classes of a character; what is converted to it may be the character itself.
fn classes_of(m: &mut Machine, c: char, class: Cell, kind: TextKind) -> Vec<Cell> {
    let mut terms: Vec<Cell> = Vec::new();
    for &(name, test) in CLASSES {
        if test(c) {
            terms.push(Cell::atom(m.symbols.intern(name)));
        }
    }
    if converted(m, class).is_some_and(|(_, from)| from == c) {
        terms.push(class);
        return terms;
    }
    for &name in RELATIONS {
        if let Some(value) = relation(name, c) {
            let value = match value {
                Value::Number(number) => Cell::int(i64::from(number)),
                Value::Char(char) => char_term(m, char, kind),
            };
            let atom = m.symbols.intern(name);
            let functor = m.symbols.functor(atom, 1);
            terms.push(m.store.new_struct(functor, &[value]));
        }
    }
    terms
}

/// Checks that a term names a class.
fn check_class(m: &mut Machine, class: Cell) -> Result<(), Throw> {
    let known = match m.store.view(class) {
        View::Var(_) => true,
        View::Atom(atom) => {
            let name = m.symbols.text(atom);
            atom == atoms::END_OF_FILE || CLASSES.iter().any(|&(class, _)| class == name)
        }
        View::Struct(functor, _) if functor.arity() == 1 => {
            RELATIONS.contains(&m.symbols.text(m.symbols.name(functor)))
        }
        _ => false,
    };
    if known {
        return Ok(());
    }
    let expected = m.symbols.intern("char_type");
    Err(m.domain_error(expected, class))
}

/// The character of an argument, given as character or code.
fn char_of(m: &mut Machine, char: Cell) -> Result<char, Throw> {
    if m.store.deref(char).is_int() {
        m.code_arg(char)
    } else {
        m.char_arg(char)
    }
}

/// Whether a character may be in a class, judged without making terms.
fn may_fit(m: &Machine, c: char, class: Cell) -> bool {
    match m.store.view(class) {
        View::Atom(atom) => {
            let name = m.symbols.text(atom);
            CLASSES
                .iter()
                .any(|&(class, test)| class == name && test(c))
        }
        View::Struct(functor, addr) => {
            let value = relation(m.symbols.text(m.symbols.name(functor)), c);
            value.is_some_and(|value| may_be(m, m.store.arg(addr, 0), &value))
        }
        _ => true,
    }
}

/// Whether the argument of a class may be this value.
fn may_be(m: &Machine, argument: Cell, value: &Value) -> bool {
    match (m.store.view(argument), value) {
        (View::Var(_), _) => true,
        (View::Atom(atom), Value::Char(char)) => only_char(m.symbols.text(atom)) == Some(*char),
        (View::Int(int), Value::Char(char)) => int == i64::from(u32::from(*char)),
        (View::Int(int), Value::Number(number)) => int == i64::from(*number),
        _ => false,
    }
}

const LAST_ASCII: u32 = 0x7f;

/// The last character that may be of a class.
fn last_char(m: &Machine, class: Cell) -> u32 {
    match m.store.view(class) {
        View::Struct(functor, _)
            if matches!(
                m.symbols.text(m.symbols.name(functor)),
                "digit" | "xdigit" | "paren"
            ) =>
        {
            LAST_ASCII
        }
        _ => u32::from(char::MAX),
    }
}

/// `char_type/2` of a variable. The state is the next character and the next of its classes.
fn each_char(
    m: &mut Machine,
    [char, class]: [Cell; 2],
    state: Option<i64>,
    kind: TextKind,
) -> Result<Step, Throw> {
    let state = state.unwrap_or(0);
    let (first, mut from) = ((state >> 8) as u32, state & 0xff);
    let last = last_char(m, class);
    for code in first..=last {
        if code.is_multiple_of(POLL_STEPS)
            && m.store.events.watch.stop_wanted_after(POLL_STEPS as usize)
        {
            // The machine polls when it takes the solution that is none.
            break;
        }
        let Some(c) = char::from_u32(code) else {
            continue;
        };
        if may_fit(m, c, class) {
            let terms = classes_of(m, c, class, kind);
            let rows = rows_of(m, class, &terms);
            let step = next_row(m, &[class], &rows, Some(from));
            // Where few characters are left, whether one of them fits is known at once.
            let more = |c| char::from_u32(c).is_some_and(|c| may_fit(m, c, class));
            let ends =
                matches!(step, Step::Last) && last <= LAST_ASCII && !(code + 1..=last).any(more);
            let next = match step {
                Step::Fail => None,
                Step::Last => Some((i64::from(code) + 1) << 8),
                Step::More(row) => Some(i64::from(code) << 8 | row),
            };
            if let Some(next) = next {
                let value = char_term(m, c, kind);
                return Ok(match m.unify(char, value) {
                    true if ends => Step::Last,
                    true => Step::More(next),
                    false => Step::Fail,
                });
            }
        }
        from = 0;
    }
    Ok(Step::Fail)
}

/// The classes that may match, one a row: without the others the last answer is known to be the last.
fn rows_of<'a>(m: &Machine, class: Cell, terms: &'a [Cell]) -> Vec<&'a [Cell]> {
    let fits = |term: &&Cell| may_match(m, class, **term);
    terms
        .iter()
        .filter(fits)
        .map(std::slice::from_ref)
        .collect()
}

/// May a class that is asked for be this one of a character? Of both at most one argument counts.
fn may_match(m: &Machine, asked: Cell, class: Cell) -> bool {
    let (Some((functor, asked_args)), Some((own, args))) =
        (m.store.compound(asked), m.store.compound(class))
    else {
        return m.store.deref(asked).is_var() || m.store.deref(asked) == class;
    };
    let argument = m.store.deref(m.store.arg(asked_args, 0));
    functor == own && (argument.is_var() || argument == m.store.deref(m.store.arg(args, 0)))
}

/// `char_type/2` and `code_type/2`.
fn char_type(
    m: &mut Machine,
    [char, class]: [Cell; 2],
    state: Option<i64>,
    kind: TextKind,
) -> Result<Step, Throw> {
    check_class(m, class)?;
    m.store.reserve(4)?;
    let class = in_form(m, class, kind);
    if char.is_var()
        && let Some((found, _)) = converted(m, class)
    {
        let found = char_term(m, found, kind);
        let unified = m.unify(char, found);
        return Ok(if unified { Step::Last } else { Step::Fail });
    }
    if char.is_var() {
        return each_char(m, [char, class], state, kind);
    }
    let end_of_file = m.store.deref(char) == Cell::int(-1);
    let terms = if end_of_file {
        vec![Cell::atom(atoms::END_OF_FILE)]
    } else {
        let c = char_of(m, char)?;
        classes_of(m, c, class, kind)
    };
    let rows = rows_of(m, class, &terms);
    Ok(next_row(m, &[class], &rows, state))
}

builtins! { CHAR_TYPES =
    /// `Char`, a character or a code, is of the class `Type`, such as `alpha`, `digit(Weight)` or
    /// `upper(Lower)`. Gives all that fit.
    ///
    /// ?- char_type(a, alpha).
    /// true.
    ///
    /// ?- char_type('7', digit(W)).
    /// W = 7.
    library nondet "char_type"("?character", "?term") = |m, [char, class], state| {
        char_type(m, [char, class], state, TextKind::Chars)
    };

    /// `Code`, a code or a character, is of the class `Type`. Gives all that fit.
    ///
    /// ?- code_type(0'a, xdigit(W)).
    /// W = 10.
    library nondet "code_type"("?code", "?term") = |m, [code, class], state| {
        char_type(m, [code, class], state, TextKind::Codes)
    };
}
