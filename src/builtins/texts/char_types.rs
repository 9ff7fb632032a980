//! Classes of characters: `char_type/2` and `code_type/2`, as in SWI-Prolog.

use super::atoms::{lower_char, upper_char};
use crate::base::atom_table::{Atom, Functor, Symbols, atoms};
use crate::base::growth::Gather;
use crate::base::stop::Stop;
use crate::builtins::args::only_char;
use crate::machine::builtin::{Step, builtins};
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::machine::upper_layers::LayerState;
use crate::store::cell::Cell;
use crate::store::heap::View;
use crate::store::list::TextKind;
use crate::text::char_class::{is_alphanumeric, is_symbol};
use std::sync::LazyLock;

/// Name of a class and its test.
type Class = (&'static str, fn(char) -> bool);

/// Classes without arguments.
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

/// Class with an argument.
struct Relation {
    name: &'static str,
    /// Function that returns the argument for a character of the class.
    value: fn(char) -> Option<Value>,
    /// Function that returns the character for an argument, if each argument has one.
    back: Option<fn(char) -> char>,
    /// Last character that may be in the class.
    last: u32,
    /// Characters of the class by their arguments, if these are characters.
    sources: Option<&'static Sources>,
}

/// Characters of a class by their arguments, in order. The first use makes the table.
type Sources = LazyLock<Vec<(char, char)>>;

fn sources_of(value: fn(char) -> Option<Value>) -> Vec<(char, char)> {
    let all = (0..=LAST_CASED).filter_map(char::from_u32);
    let mut sources: Vec<(char, char)> = all
        .filter_map(|c| match value(c)? {
            Value::Char(value) => Some((value, c)),
            Value::Number(_) => None,
        })
        .collect_bounded();
    sources.sort_unstable();
    sources
}

static LOWER: Sources = LazyLock::new(|| sources_of(upper_of_lower));
static UPPER: Sources = LazyLock::new(|| sources_of(lower_of_upper));

/// Returns the upper case of a lower case character.
fn upper_of_lower(c: char) -> Option<Value> {
    c.is_lowercase().then(|| Value::Char(upper_char(c)))
}

/// Returns the lower case of an upper case character.
fn lower_of_upper(c: char) -> Option<Value> {
    c.is_uppercase().then(|| Value::Char(lower_char(c)))
}

/// Value that a class with an argument gives to a character.
enum Value {
    Number(u32),
    Char(char),
}

const LAST_ASCII: u32 = 0x7f;

/// Last character that has a case.
const LAST_CASED: u32 = 0x1_ffff;

const fn relation(
    name: &'static str,
    value: fn(char) -> Option<Value>,
    back: Option<fn(char) -> char>,
    last: u32,
) -> Relation {
    Relation {
        name,
        value,
        back,
        last,
        sources: None,
    }
}

/// Makes a class whose argument is the character in the other case.
const fn cased(
    name: &'static str,
    value: fn(char) -> Option<Value>,
    sources: &'static Sources,
) -> Relation {
    Relation {
        name,
        value,
        back: None,
        last: LAST_CASED,
        sources: Some(sources),
    }
}

/// Classes with one argument.
const RELATIONS: &[Relation] = &[
    relation(
        "digit",
        |c| c.to_digit(10).map(Value::Number),
        None,
        LAST_ASCII,
    ),
    relation(
        "xdigit",
        |c| c.to_digit(16).map(Value::Number),
        None,
        LAST_ASCII,
    ),
    // `to_lower(U)`: converting U to lower case can give the character; `to_upper` likewise.
    relation(
        "to_lower",
        |c| Some(Value::Char(upper_char(c))),
        Some(lower_char),
        LAST,
    ),
    relation(
        "to_upper",
        |c| Some(Value::Char(lower_char(c))),
        Some(upper_char),
        LAST,
    ),
    // `lower(U)`: a lower case character with upper case U; `upper(L)` likewise.
    cased("lower", upper_of_lower, &LOWER),
    cased("upper", lower_of_upper, &UPPER),
    relation("paren", closing, None, LAST_ASCII),
];

const LAST: u32 = char::MAX as u32;

/// Returns the closing parenthesis for an opening one.
fn closing(c: char) -> Option<Value> {
    let close = match c {
        '(' => ')',
        '[' => ']',
        '{' => '}',
        _ => return None,
    };
    Some(Value::Char(close))
}

/// Number of characters tried between two checks of the interrupt flag.
const POLL_STEPS: u32 = 1 << 12;

fn is_graph(c: char) -> bool {
    !c.is_control() && !c.is_whitespace()
}

/// Symbols of the classes, in the order of the tables.
#[derive(Default)]
pub(in crate::builtins) struct Names {
    classes: Vec<Atom>,
    relations: Vec<Functor>,
}

impl LayerState for Names {}

impl Names {
    fn new(symbols: &mut Symbols) -> Result<Names, Stop> {
        let classes = CLASSES.iter().map(|class| symbols.intern(class.0));
        let classes = classes.try_gather()?;
        let relation = |relation: &Relation| {
            let name = symbols.intern(relation.name)?;
            symbols.functor(name, 1)
        };
        Ok(Names {
            classes,
            relations: RELATIONS.iter().map(relation).try_gather()?,
        })
    }
}

/// Returns the symbols of the classes, which are made once.
fn names(m: &mut Machine) -> Result<&Names, Stop> {
    if m.world.layers.of::<Names>().classes.is_empty() {
        *m.world.layers.of::<Names>() = Names::new(&mut m.world.symbols)?;
    }
    Ok(m.world.layers.of::<Names>())
}

/// Requested class.
#[derive(Copy, Clone)]
enum RequestedClass {
    /// All classes.
    All,
    EndOfFile,
    /// Class without argument.
    Class(fn(char) -> bool),
    /// Class and its argument.
    Relation(&'static Relation, Cell),
}

/// Returns the class that a term requests. Raises an exception if there is no such class.
fn requested_class(m: &mut Machine, class: Cell) -> Result<RequestedClass, Throw> {
    let place = match m.store.view(class) {
        View::Var(_) => return Ok(RequestedClass::All),
        View::Atom(atoms::END_OF_FILE) => return Ok(RequestedClass::EndOfFile),
        View::Atom(atom) => {
            let place = names(m)?.classes.iter().position(|&name| name == atom);
            place.map(|place| RequestedClass::Class(CLASSES[place].1))
        }
        View::Struct(functor, addr) => {
            let argument = m.store.arg(addr, 0);
            let place = names(m)?.relations.iter().position(|&name| name == functor);
            place.map(|place| RequestedClass::Relation(&RELATIONS[place], argument))
        }
        _ => None,
    };
    match place {
        Some(asked) => Ok(asked),
        None => Err(m.domain_error("char_type", class)),
    }
}

fn char_term(m: &mut Machine, c: char, kind: TextKind) -> Result<Cell, Stop> {
    match kind {
        TextKind::Codes => Ok(Cell::int(i64::from(u32::from(c)))),
        TextKind::Chars => Ok(Cell::atom(m.world.symbols.intern_char(c)?)),
    }
}

/// Returns the character of a term that is a character or a code.
fn char_value(m: &Machine, term: Cell) -> Option<char> {
    match m.store.view(term) {
        View::Atom(atom) => only_char(m.world.symbols.text(atom)),
        View::Int(code) => u32::try_from(code).ok().and_then(char::from_u32),
        _ => None,
    }
}

/// Returns the classes of a character, one bit each. Those without arguments come first.
fn classes_of(c: char) -> u32 {
    let relations = RELATIONS
        .iter()
        .map(|relation| (relation.value)(c).is_some());
    let all = CLASSES.iter().map(|class| class.1(c)).chain(relations);
    all.enumerate()
        .fold(0, |set, (nth, holds)| set | u32::from(holds) << nth)
}

/// Builds the term of class number `nth` of a character.
fn class_term(m: &mut Machine, c: char, nth: usize, kind: TextKind) -> Result<Cell, Stop> {
    let Some(place) = nth.checked_sub(CLASSES.len()) else {
        return Ok(Cell::atom(names(m)?.classes[nth]));
    };
    let functor = names(m)?.relations[place];
    match (RELATIONS[place].value)(c) {
        Some(value) => {
            let value = value_term(m, &value, kind)?;
            Ok(m.store.new_struct(functor, &[value]))
        }
        None => unreachable!("the class is one of the character"),
    }
}

/// Unifies `class` with the first of the classes left for a character, or of all if `left` is 0. Returns the
/// classes left after it.
fn next_class(
    m: &mut Machine,
    c: char,
    class: Cell,
    left: u32,
    kind: TextKind,
) -> Result<Option<u32>, Stop> {
    let left = if left == 0 { classes_of(c) } else { left };
    if left == 0 {
        return Ok(None);
    }
    let term = class_term(m, c, left.trailing_zeros() as usize, kind)?;
    Ok(m.unify(class, term)?.then_some(left & (left - 1)))
}

fn value_term(m: &mut Machine, value: &Value, kind: TextKind) -> Result<Cell, Stop> {
    match *value {
        Value::Number(number) => Ok(Cell::int(i64::from(number))),
        Value::Char(char) => char_term(m, char, kind),
    }
}

/// Returns the character of an argument, given as character or code.
fn char_of(m: &mut Machine, char: Cell) -> Result<char, Throw> {
    if m.store.deref(char).is_int() {
        m.code_arg(char)
    } else {
        m.char_arg(char)
    }
}

/// Returns whether a character may be in the requested class, as far as the argument of the class is known.
fn fits(m: &Machine, asked: RequestedClass, c: char) -> bool {
    match asked {
        RequestedClass::All => true,
        RequestedClass::EndOfFile => false,
        RequestedClass::Class(test) => test(c),
        RequestedClass::Relation(relation, argument) => {
            (relation.value)(c).is_some_and(|value| may_be(m, argument, &value))
                // For these classes, a character also matches itself.
                || relation.back.is_some() && char_value(m, argument) == Some(c)
        }
    }
}

/// Returns whether the argument of a class may be this value.
fn may_be(m: &Machine, argument: Cell, value: &Value) -> bool {
    match (m.store.view(argument), value) {
        (View::Var(_), _) => true,
        (View::Atom(atom), Value::Char(char)) => {
            only_char(m.world.symbols.text(atom)) == Some(*char)
        }
        (View::Int(int), Value::Char(char)) => int == i64::from(u32::from(*char)),
        (View::Int(int), Value::Number(number)) => int == i64::from(*number),
        _ => false,
    }
}

/// Returns whether a character is in the requested class, and unifies the argument of the class.
fn is_in(m: &mut Machine, asked: RequestedClass, c: char, kind: TextKind) -> Result<bool, Stop> {
    if !fits(m, asked, c) {
        return Ok(false);
    }
    match asked {
        RequestedClass::Relation(relation, argument) if m.store.deref(argument).is_var() => {
            let Some(value) = (relation.value)(c) else {
                return Ok(false);
            };
            let value = value_term(m, &value, kind)?;
            Ok(m.unify(argument, value)?)
        }
        _ => Ok(true),
    }
}

/// Runs `char_type/2` on a variable and a class with a known argument. The state is the number of the next
/// character.
fn each_source(
    m: &mut Machine,
    char: Cell,
    (sources, argument): (&Sources, char),
    state: Option<i64>,
    kind: TextKind,
) -> Result<Step, Stop> {
    let first = sources.partition_point(|&(value, _)| value < argument);
    let nth = state.unwrap_or(0);
    let mut rest = sources[first..].iter().skip(nth as usize);
    let mut next = || rest.next().filter(|&&(value, _)| value == argument);
    let Some(&(_, c)) = next() else {
        return Ok(Step::Fail);
    };
    let more = next().is_some();
    let c = char_term(m, c, kind)?;
    Ok(match (m.unify(char, c)?, more) {
        (false, _) => Step::Fail,
        (true, true) => Step::More(nth + 1),
        (true, false) => Step::Last,
    })
}

/// Runs `char_type/2` on a variable. The state is the next character and the classes left for it.
fn each_char(
    m: &mut Machine,
    [char, class]: [Cell; 2],
    asked: RequestedClass,
    state: Option<i64>,
    kind: TextKind,
) -> Result<Step, Stop> {
    let state = state.unwrap_or(0);
    let (first, mut left) = ((state >> 32) as u32, state as u32);
    let last = match asked {
        RequestedClass::Relation(relation, _) => relation.last,
        _ => LAST,
    };
    for code in first..=last {
        if code.is_multiple_of(POLL_STEPS)
            && m.store.events.watch.stop_wanted_after(POLL_STEPS as usize)
        {
            // The machine polls when this call fails.
            break;
        }
        let Some(c) = char::from_u32(code).filter(|&c| fits(m, asked, c)) else {
            continue;
        };
        // If few characters are left, check at once whether one of them fits.
        let more = |c| char::from_u32(c).is_some_and(|c| fits(m, asked, c));
        let ends = last <= LAST_ASCII && !(code + 1..=last).any(more);
        let next = match asked {
            RequestedClass::All => {
                let next = next_class(m, c, class, left, kind)?;
                next.map(|left| match left {
                    0 => (i64::from(code) + 1) << 32,
                    left => i64::from(code) << 32 | i64::from(left),
                })
            }
            _ if is_in(m, asked, c, kind)? => Some((i64::from(code) + 1) << 32),
            _ => None,
        };
        if let Some(next) = next {
            let value = char_term(m, c, kind)?;
            return match m.unify(char, value)? {
                true if ends => Ok(Step::Last),
                true => Ok(Step::More(next)),
                false => Ok(Step::Fail),
            };
        }
        left = 0;
    }
    Ok(Step::Fail)
}

/// Runs `char_type/2` and `code_type/2`.
fn char_type(
    m: &mut Machine,
    [char, class]: [Cell; 2],
    state: Option<i64>,
    kind: TextKind,
) -> Result<Step, Throw> {
    let asked = requested_class(m, class)?;
    m.store.reserve(4)?;
    let once = |holds| Step::when(holds);
    if char.is_var() {
        if let RequestedClass::Relation(relation, argument) = asked
            && let (Some(back), Some(from)) = (relation.back, char_value(m, argument))
        {
            let found = char_term(m, back(from), kind)?;
            return Ok(once(m.unify(char, found)?));
        }
        if let RequestedClass::Relation(relation, argument) = asked
            && let (Some(sources), Some(from)) = (relation.sources, char_value(m, argument))
        {
            return Ok(each_source(m, char, (sources, from), state, kind)?);
        }
        return Ok(each_char(m, [char, class], asked, state, kind)?);
    }
    let c = if m.store.deref(char) == Cell::int(-1) {
        None
    } else {
        Some(char_of(m, char)?)
    };
    Ok(match (asked, c) {
        (RequestedClass::All, Some(c)) => {
            match next_class(m, c, class, state.unwrap_or(0) as u32, kind)? {
                Some(0) => Step::Last,
                Some(left) => Step::More(i64::from(left)),
                None => Step::Fail,
            }
        }
        (_, Some(c)) => once(is_in(m, asked, c, kind)?),
        (RequestedClass::All, None) => once(m.unify_atom(class, atoms::END_OF_FILE)?),
        (asked, None) => once(matches!(asked, RequestedClass::EndOfFile)),
    })
}

/// Returns whether both arguments are bound, so that the call is a test.
fn both_bound(m: &Machine) -> bool {
    let [char, class] = m.args();
    !char.is_var() && !class.is_var()
}

builtins! { CHAR_TYPES =
    /// True if `character`, a character or a code, belongs to the class `term`, such as `alpha`,
    /// `digit(Weight)` or `upper(Lower)`. Enumerates all matching characters and classes on backtracking.
    ///
    /// ?- char_type(a, alpha).
    /// true.
    ///
    /// ?- char_type('7', digit(W)).
    /// W = 7.
    library nondet "char_type"("?character", "?term") with once both_bound = |m, [char, class], state| {
        char_type(m, [char, class], state, TextKind::Chars)
    };

    /// True if `code`, a code or a character, belongs to the class `term`. Enumerates all matching codes and
    /// classes on backtracking.
    ///
    /// ?- code_type(0'a, xdigit(W)).
    /// W = 10.
    library nondet "code_type"("?code", "?term") with once both_bound = |m, [code, class], state| {
        char_type(m, [code, class], state, TextKind::Codes)
    };
}
