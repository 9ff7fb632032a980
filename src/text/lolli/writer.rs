//! Writing terms as Lolli text: `write`, `write_clause`, `write_raw` and `write_sans`.
//!
//! An implication is written as a goal, `a -o b`, or as a clause, `b :- a`. Its premise `a` is written
//! in the other form. A term gets parentheses if its place binds as strongly, as in the original. So
//! arguments in braces or square brackets, guards inside guards, and Prolog lists cannot be read again.
//!
//! The remaining work is kept on a stack of tasks, so deep terms do not use the Rust stack.

use super::lexer::{begins_upper, is_name_char};
use super::names::{ABSTRACTION, APPLICATION, BANG, BOUND, CUT, EIGEN, GUARD, SQUARE};
use super::op;
use crate::arith::format::float_text;
use crate::arith::large;
use crate::base::atom_table::{Atom, FastSet, Functor, Symbols, atoms, functors};
use crate::base::growth::{Gather, Grow, GrowSet, GrowText};
use crate::base::number::Number;
use crate::base::stop::Stop;
use crate::store::address::HeapAddr;
use crate::store::cell::Cell;
use crate::store::heap::{Store, View};
use crate::text::bounded_text::{WriteStop, bounded_text};
use crate::text::write_cycles::{CycleLabels, cycle_labels};
use std::fmt;

/// Size at which the buffer is passed on.
const BUFFER_BYTES: usize = 4096;

/// The forms of writing.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// `write`, and the bindings of answers: implications are written as goals.
    Goal,
    /// `write_clause`: implications are written as clauses.
    Clause,
    /// `write_raw`: one argument at a time, with all terms in parentheses.
    Raw,
    /// `write_sans`: like `write`, but a name or a string is written as its bare characters.
    Sans,
}

/// The tables that the writer uses.
#[derive(Copy, Clone)]
pub(crate) struct Env<'a> {
    /// The terms.
    pub(crate) store: &'a Store,
    /// The names.
    pub(crate) symbols: &'a Symbols,
    /// Returns the text to write for a variable.
    pub(crate) variable: &'a dyn Fn(Cell) -> String,
}

/// Writes `term` to `out`.
///
/// # Errors
/// Returns the errors of `out`.
pub(crate) fn write_term(
    out: &mut dyn fmt::Write,
    env: &Env<'_>,
    term: Cell,
    form: Form,
) -> fmt::Result {
    let term = env.store.deref(term);
    let mut writer = Writer {
        env: *env,
        raw: form == Form::Raw,
        buffer: String::new(),
        tasks: Vec::new(),
        cycles: cycle_labels(env.store, term)?,
        begun: FastSet::default(),
    };
    match (form, env.store.view(term)) {
        (Form::Sans, View::Atom(atom)) => writer.buffer.put_str(plain(env.symbols.text(atom)))?,
        (Form::Sans, View::String(addr)) => writer.buffer.put_str(env.store.text(addr))?,
        _ => writer.later(term, Place::new(form == Form::Clause, 0))?,
    }
    while let Some(task) = writer.tasks.pop() {
        writer.perform(task)?;
        if writer.buffer.len() >= BUFFER_BYTES {
            out.write_str(&writer.buffer)?;
            writer.buffer.clear();
        }
    }
    out.write_str(&writer.buffer)
}

/// Returns the text of `term`.
///
/// # Errors
/// Returns an error if the text is too long, or if the query must stop.
pub(crate) fn term_text(env: &Env<'_>, term: Cell, form: Form) -> Result<String, WriteStop> {
    bounded_text(env.store, |out| write_term(out, env, term, form))
}

/// Appends a name as it is written: characters that cannot be in names are preceded by `^`.
pub(crate) fn push_name(out: &mut String, name: &str) -> Result<(), Stop> {
    for c in plain(name).chars() {
        if !is_name_char(c) && name != CUT {
            out.put('^')?;
        }
        out.put(c)?;
    }
    Ok(())
}

/// Appends a constant. A name that would be read as a variable or a number begins with `^`.
fn push_constant(out: &mut String, name: &str) -> Result<(), Stop> {
    let digits = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
    if begins_upper(name) || digits {
        out.put('^')?;
    }
    push_name(out, name)?;
    Ok(())
}

fn plain(name: &str) -> &str {
    if name == CUT { "!" } else { name }
}

/// The place of a term.
#[derive(Copy, Clone)]
struct Place {
    /// Whether implications are written as clauses here.
    clause: bool,
    /// The strength of the place: a term that does not bind more tightly is put in parentheses.
    strength: u8,
}

impl Place {
    const fn new(clause: bool, strength: u8) -> Place {
        Place { clause, strength }
    }

    /// Returns the same place with another strength.
    const fn with(self, strength: u8) -> Place {
        Place { strength, ..self }
    }
}

/// Strength of an argument.
const ARGUMENT: u8 = 140;
/// Strength of a term with arguments.
const HEAD: u8 = 130;

/// The place of an element of a Prolog list, where a `|` and implications need parentheses.
const MEMBER: Place = Place::new(false, 100);

/// A task: text still to be written. The next task is on top of the stack.
enum Task {
    Term {
        cell: Cell,
        place: Place,
    },
    /// A constant text.
    Text(&'static str),
    /// A name, with `^` where it needs it.
    Name(Atom),
    /// A name that a quantifier binds; it may look like a variable.
    Bound(Atom),
    /// `count` closing brackets.
    Close {
        bracket: char,
        count: usize,
    },
    /// The first arguments of a name that has further arguments.
    Partial {
        name: Atom,
        args: Vec<Cell>,
        place: Place,
    },
    /// The elements of a Prolog list after the first.
    Tail(Cell),
}

/// The head of an application, and all its arguments.
struct Spine {
    head: Head,
    args: Vec<Cell>,
}

#[derive(Copy, Clone)]
enum Head {
    Name(Atom),
    Term(Cell),
}

struct Writer<'a> {
    env: Env<'a>,
    raw: bool,
    buffer: String,
    tasks: Vec<Task>,
    /// Subterms of a cyclic term that close its cycles.
    cycles: Option<CycleLabels>,
    /// The ones that have been reached.
    begun: FastSet<u64>,
}

impl Writer<'_> {
    fn perform(&mut self, task: Task) -> Result<(), Stop> {
        match task {
            Task::Term { cell, place } => self.term(cell, place),
            Task::Text(text) => self.buffer.put_str(text),
            Task::Name(atom) => push_constant(&mut self.buffer, self.env.symbols.text(atom)),
            Task::Bound(atom) => push_name(&mut self.buffer, self.env.symbols.text(atom)),
            Task::Close { bracket, count } => {
                self.buffer.put(bracket)?;
                if count > 1 {
                    let count = count - 1;
                    self.tasks.put(Task::Close { bracket, count })?;
                }
                Ok(())
            }
            Task::Partial { name, args, place } => self.special(name, args, place),
            Task::Tail(cell) => self.tail(cell),
        }
    }

    fn later(&mut self, cell: Cell, place: Place) -> Result<(), Stop> {
        self.tasks.put(Task::Term { cell, place })?;
        Ok(())
    }

    /// Writes the closing bracket after the task that is pushed next. Adjacent brackets share one
    /// entry, so terms nested in last arguments need little room.
    fn close_later(&mut self, bracket: char) -> Result<(), Stop> {
        match self.tasks.last_mut() {
            Some(Task::Close {
                bracket: same,
                count,
            }) if *same == bracket => *count += 1,
            _ => self.tasks.put(Task::Close { bracket, count: 1 })?,
        }
        Ok(())
    }

    /// Opens parentheses if a term of this strength needs them here.
    fn parentheses(&mut self, strength: u8, place: Place) -> Result<(), Stop> {
        if strength <= place.strength {
            self.buffer.put('(')?;
            self.close_later(')')?;
        }
        Ok(())
    }

    fn term(&mut self, cell: Cell, place: Place) -> Result<(), Stop> {
        let env = self.env;
        let cell = env.store.deref(cell);
        if self
            .cycles
            .as_ref()
            .is_some_and(|cycles| cycles.contains_key(&cell))
            && !self.begun.put_new(cell.word())?
        {
            self.buffer.put_str("...")?;
            return Ok(());
        }
        match env.store.view(cell) {
            View::Var(var) => self.buffer.put_str(&(env.variable)(var))?,
            View::Atom(atoms::NIL) if !self.raw => self.buffer.put_str("[]")?,
            View::Atom(atom) => push_constant(&mut self.buffer, env.symbols.text(atom))?,
            View::Int(value) => self.number(&value.to_string())?,
            View::Big(addr) => {
                let digits = large::digits(&env.store.big(addr)?, 10, &env.store.watch);
                self.number(&digits.map_err(|_| Stop)?)?;
            }
            View::Float(value) => self.number(&float_text(value))?,
            View::String(addr) => {
                self.buffer.put('"')?;
                self.buffer.put_str(env.store.text(addr))?;
                self.buffer.put('"')?;
            }
            View::List(addr) if self.raw => self.compound(functors::LIST, addr, place)?,
            View::List(addr) => self.list(addr)?,
            View::Struct(functor, addr) => self.compound(functor, addr, place)?,
        }
        Ok(())
    }

    /// Writes a Prolog list, `[a, b | Rest]`.
    fn list(&mut self, addr: HeapAddr) -> Result<(), Stop> {
        self.buffer.put('[')?;
        self.close_later(']')?;
        self.members(addr)?;
        Ok(())
    }

    fn members(&mut self, addr: HeapAddr) -> Result<(), Stop> {
        self.tasks.put(Task::Tail(self.env.store.arg(addr, 1)))?;
        self.later(self.env.store.arg(addr, 0), MEMBER)?;
        Ok(())
    }

    fn tail(&mut self, cell: Cell) -> Result<(), Stop> {
        let cell = self.env.store.deref(cell);
        let cycles = self.cycles.as_ref();
        match self.env.store.view(cell) {
            View::Atom(atoms::NIL) => {}
            View::List(addr) if !cycles.is_some_and(|cycles| cycles.contains_key(&cell)) => {
                self.buffer.put_str(", ")?;
                self.members(addr)?;
            }
            _ => {
                self.buffer.put_str(" | ")?;
                self.later(cell, MEMBER)?;
            }
        }
        Ok(())
    }

    fn number(&mut self, text: &str) -> Result<(), Stop> {
        match text.strip_prefix('-') {
            Some(digits) => {
                self.buffer.put('~')?;
                self.buffer.put_str(digits)?;
            }
            None => self.buffer.put_str(text)?,
        }
        Ok(())
    }

    fn arguments(&self, functor: Functor, addr: HeapAddr) -> Result<Vec<Cell>, Stop> {
        (0..functor.arity())
            .map(|index| self.env.store.arg(addr, index))
            .gather()
    }

    /// Returns the head and the arguments of a compound term, including arguments that are applied
    /// one after the other.
    fn spine(&self, functor: Functor, addr: HeapAddr) -> Result<Spine, Stop> {
        let Env { store, symbols, .. } = self.env;
        let mut head = Head::Name(symbols.name(functor));
        let mut args = self.arguments(functor, addr)?;
        while let Head::Name(name) = head
            && symbols.text(name) == APPLICATION
            && !args.is_empty()
        {
            let first = store.deref(args.remove(0));
            let (functor, addr) = match store.view(first) {
                View::Atom(atom) => {
                    head = Head::Name(atom);
                    break;
                }
                View::List(addr) => (functors::LIST, addr),
                View::Struct(functor, addr) if !self.is_constant(functor) => (functor, addr),
                _ => {
                    head = Head::Term(first);
                    break;
                }
            };
            head = Head::Name(symbols.name(functor));
            let mut all = self.arguments(functor, addr)?;
            all.put_all(args)?;
            args = all;
        }
        Ok(Spine { head, args })
    }

    /// Returns whether the functor represents a name of Lolli.
    fn is_constant(&self, functor: Functor) -> bool {
        let name = self.env.symbols.text(self.env.symbols.name(functor));
        matches!((name, functor.arity()), (BOUND, 1) | (EIGEN, 2))
    }

    fn compound(&mut self, functor: Functor, addr: HeapAddr, place: Place) -> Result<(), Stop> {
        if self.is_constant(functor) {
            return self.constant(functor, addr);
        }
        let spine = self.spine(functor, addr)?;
        match spine.head {
            Head::Name(name) if self.raw => {
                let args = spine.args;
                match (self.env.symbols.text(name), args.as_slice()) {
                    (ABSTRACTION, &[name, body]) => {
                        self.buffer.put('(')?;
                        self.close_later(')')?;
                        self.abstraction(name, body, place)?;
                    }
                    _ => self.raw_application(Head::Name(name), &args)?,
                }
            }
            Head::Term(_) if self.raw => self.raw_application(spine.head, &spine.args)?,
            Head::Name(name) => self.special(name, spine.args, place)?,
            Head::Term(head) => {
                self.parentheses(ARGUMENT, place)?;
                self.further(&spine.args, place)?;
                self.later(head, place.with(HEAD))?;
            }
        }
        Ok(())
    }

    /// Writes a name that a quantifier binds, or a constant that `forall` generated.
    fn constant(&mut self, functor: Functor, addr: HeapAddr) -> Result<(), Stop> {
        let Env { store, symbols, .. } = self.env;
        let bound = functor.arity() == 1;
        if !bound {
            self.buffer.put('!')?;
        }
        match store.view(store.deref(store.at(addr))) {
            View::Atom(atom) => push_name(&mut self.buffer, symbols.text(atom))?,
            _ => self.buffer.put('_')?,
        }
        if !bound && let Some(number) = store.number(store.arg(addr, 1))? {
            self.buffer.put_str(&eigen_number(&number))?;
        }
        Ok(())
    }

    /// Writes a space before each argument.
    fn further(&mut self, args: &[Cell], place: Place) -> Result<(), Stop> {
        for &arg in args.iter().rev() {
            self.later(arg, place.with(ARGUMENT))?;
            self.tasks.put(Task::Text(" "))?;
        }
        Ok(())
    }

    fn raw_application(&mut self, head: Head, args: &[Cell]) -> Result<(), Stop> {
        let place = Place::new(false, 0);
        for _ in args {
            self.buffer.put('(')?;
        }
        for &arg in args.iter().rev() {
            self.close_later(')')?;
            self.later(arg, place)?;
            self.tasks.put(Task::Text(" "))?;
        }
        match head {
            Head::Name(name) if name == self.env.symbols.name(functors::CURLY1) => {
                self.tasks.put(Task::Text(BANG))?;
            }
            Head::Name(name) => self.tasks.put(Task::Name(name))?,
            Head::Term(head) => self.later(head, place)?,
        }
        Ok(())
    }

    /// Writes `x \ body`.
    fn abstraction(&mut self, name: Cell, body: Cell, place: Place) -> Result<(), Stop> {
        self.later(body, place.with(40))?;
        self.tasks.put(Task::Text(" \\ "))?;
        match self.env.store.view(self.env.store.deref(name)) {
            View::Atom(name) => self.tasks.put(Task::Bound(name))?,
            _ => self.later(name, place.with(0))?,
        }
        Ok(())
    }

    /// Returns the arity of the special notation of `name`; `None` if it has no such notation, or
    /// none for these arguments.
    fn own_arity(&self, name: &str, args: &[Cell]) -> Option<usize> {
        let arity = match name {
            "{}" | BANG | SQUARE => 1,
            "forall" | "exists" => {
                let first = self.env.store.deref(*args.first()?);
                let (functor, _) = self.env.store.compound(first)?;
                let name = self.env.symbols.text(self.env.symbols.name(functor));
                if (name, functor.arity()) != (ABSTRACTION, 2) {
                    return None;
                }
                1
            }
            GUARD => 3,
            ABSTRACTION => 2,
            _ => {
                op::find(name).filter(|op| op.term.0 == name)?;
                2
            }
        };
        (arity <= args.len()).then_some(arity)
    }

    /// Writes a name with arguments: in its special notation if it has one, otherwise one after the
    /// other.
    fn special(&mut self, name: Atom, args: Vec<Cell>, place: Place) -> Result<(), Stop> {
        let text = self.env.symbols.text(name);
        match self.own_arity(text, &args) {
            None => {
                self.parentheses(ARGUMENT, place)?;
                self.further(&args, place)?;
                self.tasks.put(Task::Name(name))?;
            }
            Some(arity) if arity < args.len() => {
                self.parentheses(ARGUMENT, place)?;
                self.further(&args[arity..], place)?;
                let mut args = args;
                args.truncate(arity);
                let place = place.with(HEAD);
                self.tasks.put(Task::Partial { name, args, place })?;
            }
            Some(_) => match (text, args.as_slice()) {
                (ABSTRACTION, &[name, body]) => {
                    self.parentheses(30, place)?;
                    self.abstraction(name, body, place)?;
                }
                (GUARD, &[test, then, otherwise]) => {
                    self.parentheses(100, place)?;
                    let inside = place.with(90);
                    self.later(otherwise, inside)?;
                    self.tasks.put(Task::Text(" | "))?;
                    self.later(then, inside)?;
                    self.tasks.put(Task::Text(" -> "))?;
                    self.later(test, inside)?;
                }
                (_, &[arg]) => self.enclosed(name, arg, place)?,
                (_, &[left, right]) => self.infix(name, left, right, place)?,
                _ => unreachable!("no other numbers of arguments have forms of their own"),
            },
        }
        Ok(())
    }

    /// Writes a term in braces or square brackets, or a quantified one.
    fn enclosed(&mut self, name: Atom, arg: Cell, place: Place) -> Result<(), Stop> {
        let (open, close) = match self.env.symbols.text(name) {
            SQUARE => ('[', ']'),
            "{}" | BANG => ('{', '}'),
            quantifier => {
                self.parentheses(30, place)?;
                self.buffer.put_str(quantifier)?;
                self.buffer.put(' ')?;
                let store = self.env.store;
                if let Some((_, addr)) = store.compound(store.deref(arg)) {
                    self.abstraction(store.arg(addr, 0), store.arg(addr, 1), place)?;
                }
                return Ok(());
            }
        };
        self.buffer.put(open)?;
        self.close_later(close)?;
        self.later(arg, place.with(0))?;
        Ok(())
    }

    /// Returns the strength of a place next to an operator, where clauses need parentheses.
    fn strength_for(&self, part: Cell, place: Place, strength: u8) -> u8 {
        let store = self.env.store;
        match store.compound(store.deref(part)) {
            Some((functors::LOLLIPOP | functors::IMPLIES, _)) if place.clause => 80,
            _ => strength,
        }
    }

    fn infix(&mut self, name: Atom, left: Cell, right: Cell, place: Place) -> Result<(), Stop> {
        let text = self.env.symbols.text(name);
        let implication = match text {
            "-o" if place.clause => Some(" :- "),
            "-o" => Some(" -o "),
            "=>" if place.clause => Some(" <= "),
            "=>" => Some(" => "),
            "-->" => Some(" --> "),
            _ => None,
        };
        if let Some(sign) = implication {
            self.parentheses(80, place)?;
            if place.clause || text == "-->" {
                self.later(left, Place::new(false, 80))?;
                self.tasks.put(Task::Text(sign))?;
                self.later(right, Place::new(true, 70))?;
            } else {
                self.later(right, Place::new(false, 70))?;
                self.tasks.put(Task::Text(sign))?;
                self.later(left, Place::new(true, 80))?;
            }
            return Ok(());
        }
        let (own, on_left, on_right) = match op::find(text).map_or(0, |op| op.level) {
            3 => (50, 50, 40),
            4 => (60, 60, 50),
            5 => (70, 70, 60),
            7 => (90, 90, 80),
            10 => (110, 100, 110),
            11 => (120, 110, 120),
            _ => (130, 130, 120),
        };
        self.parentheses(own, place)?;
        let on_right = self.strength_for(right, place, on_right);
        let on_left = self.strength_for(left, place, on_left);
        self.later(right, place.with(on_right))?;
        let sign = match op::find(text) {
            Some(op) => op.text,
            None => unreachable!("only operators are written between their arguments"),
        };
        self.tasks.put(Task::Text(" "))?;
        self.tasks.put(Task::Text(sign))?;
        if sign != ";" {
            self.tasks.put(Task::Text(" "))?;
        }
        self.later(left, place.with(on_left))?;
        Ok(())
    }
}

/// Returns the text of the number of an eigenvariable.
fn eigen_number(number: &Number) -> String {
    match number {
        Number::Int(value) => value.to_string(),
        Number::Big(value) => value.to_string(),
        Number::Float(_) => String::new(),
    }
}
