//! Writing terms (ISO 7.10.5). Long because all forms of terms share one stack of tasks.
//!
//! The remaining work is kept on a stack of tasks, so deep terms do not use the Rust stack. A term
//! written with `quoted` is read back as the same term. For this, operands get brackets because of
//! their priority, because they are operators themselves, or because two operators of one priority
//! would be read differently.

use super::bounded_text::{Text, WriteStop, bounded_text};
use super::name_table::NameTable;
use super::text_lists::text_of_list;
use super::token_out::TokenOut;
use super::var_names::letter_name;
use super::write_atom::{Edge, is_prefixless_variable, needs_quotes};
use super::write_cycles::{CycleLabels, cycle_labels};
use super::write_options::{AttributeMode, Spacing, WriteEnv, WriteOptions};
use crate::arith::format::float_text;
use crate::arith::large;
use crate::base::atom_table::{Atom, FastSet, Functor, atoms, functors};
use crate::base::growth::{Gather, Grow, GrowSet, GrowText};
use crate::base::number::Decimal;
use crate::base::op_table::{OpClass, OpDef, OpType};
use crate::base::stop::Stop;
use crate::store::address::HeapAddr;
use crate::store::cell::{Cell, WORD, tag};
use crate::store::heap::View;
use std::fmt;

/// Room reserved for tasks at the start; enough for most terms.
const FIRST_TASKS: usize = 12;

/// Maximum priority of an argument.
const ARGUMENT: u16 = 999;

/// Writes `term` to `out`.
///
/// # Errors
/// Returns the errors of `out`.
pub(crate) fn write_term(
    out: &mut dyn fmt::Write,
    env: &WriteEnv<'_>,
    term: Cell,
    options: &WriteOptions,
) -> fmt::Result {
    let names = NameTable::new(env.store, &options.variable_names)?;
    write_named(out, env, term, options, &names, (usize::MAX, usize::MAX))
}

/// Writes `term` to `out` with `names` instead of the names in the options. Writes `...` for integers that
/// certainly have more than `digits` digits. Of texts longer than `most` bytes, writes only the beginning.
fn write_named(
    out: &mut dyn fmt::Write,
    env: &WriteEnv<'_>,
    term: Cell,
    options: &WriteOptions,
    names: &NameTable<'_>,
    (most, digits): (usize, usize),
) -> fmt::Result {
    let mut writer = Writer::new(TokenOut::new(out), *env, options, names);
    (writer.most, writer.digits) = (most, digits);
    writer.start(term)?;
    while let Some(task) = writer.tasks.pop() {
        writer.perform(task);
        writer.out.flush_if_long()?;
    }
    writer.finish();
    writer.out.flush()
}

/// Maximum number of digits of an integer in a message; these are computed quickly.
const MOST_DIGITS: usize = 1 << 18;

/// Maximum number of bytes of a term in a message.
const LONGEST_MESSAGE: usize = 1 << 20;

/// Returns the text of `term` as written with these options.
///
/// # Errors
/// Returns an error if the text is too long, or if the query must stop.
pub(crate) fn try_term_text(
    env: &WriteEnv<'_>,
    term: Cell,
    options: &WriteOptions,
) -> Result<String, WriteStop> {
    bounded_text(env.store, |out| write_term(out, env, term, options))
}

/// Returns the text of `term` for a message, as written with these options. Only the beginning of a very
/// long text is returned.
pub(crate) fn message_text(
    env: &WriteEnv<'_>,
    term: Cell,
    options: &WriteOptions,
) -> Result<String, Stop> {
    let names = NameTable::new(env.store, &options.variable_names)?;
    cut_text(env, term, options, &names, (LONGEST_MESSAGE, MOST_DIGITS))
}

/// Returns the text of `term`, cut to at most `most` bytes.
pub(crate) fn beginning_of_text(
    env: &WriteEnv<'_>,
    term: Cell,
    options: &WriteOptions,
    most: usize,
) -> Result<String, Stop> {
    let names = NameTable::new(env.store, &options.variable_names)?;
    beginning_with_names(env, term, options, &names, most)
}

/// Returns the text of `term`, cut to at most `most` bytes, with `names` instead of the names in the
/// options.
pub(crate) fn beginning_with_names(
    env: &WriteEnv<'_>,
    term: Cell,
    options: &WriteOptions,
    names: &NameTable<'_>,
    most: usize,
) -> Result<String, Stop> {
    // Digits that would be cut off are not computed: that takes longer than the writing.
    cut_text(env, term, options, names, (most, most))
}

/// Returns the text of `term`, cut at two limits: bytes of the whole text, and digits of an
/// integer.
fn cut_text(
    env: &WriteEnv<'_>,
    term: Cell,
    options: &WriteOptions,
    names: &NameTable<'_>,
    bounds: (usize, usize),
) -> Result<String, Stop> {
    let mut text = Text {
        text: String::new(),
        most: bounds.0,
        store: env.store,
        stop: None,
    };
    if write_named(&mut text, env, term, options, names, bounds).is_err() {
        if text.stop != Some(WriteStop::TooLong) {
            env.store.events.watch.go_on()?;
        }
        text.text.put_str("...")?;
    }
    Ok(text.text)
}

/// A task: text still to be written. The next task is on top of the stack.
#[derive(Copy, Clone)]
enum Task {
    /// A term of at most this priority, at this depth; `operand` says whether it is an operand of
    /// an operator.
    Term {
        cell: Cell,
        priority: u16,
        operand: bool,
        depth: u32,
    },
    /// Closing brackets.
    Close { bracket: char, count: u32 },
    /// A comma and the rest of the arguments of a compound.
    Arguments {
        addr: HeapAddr,
        left: u32,
        depth: u32,
    },
    /// The text after an element of a list; the tail is at the address.
    Tail { addr: HeapAddr, depth: u32 },
    /// An infix operator.
    Infix(Atom),
    /// A postfix operator.
    Postfix(Atom),
    /// The list of named subterms, from `next` on.
    Definitions { next: u32 },
}

/// The notation of a term.
#[derive(Copy, Clone, PartialEq)]
enum Shape {
    /// The top of the term is no operator.
    Plain,
    /// The term is an atom that is an operator.
    OperatorAtom,
    /// An operator before, between or after its arguments.
    Operation(OpDef),
}

struct Writer<'a, 'o> {
    out: TokenOut<'o>,
    env: WriteEnv<'a>,
    options: &'a WriteOptions,
    dotlists: bool,
    brace_terms: bool,
    escapes: bool,
    names: &'a NameTable<'a>,
    /// Maximum number of bytes of a text that is written in full.
    most: usize,
    /// Maximum number of digits of an integer that is written.
    digits: usize,
    /// Variables whose attributes have already been written.
    shown: FastSet<u64>,
    labels: Option<CycleLabels>,
    /// The named subterms in order of their numbers.
    definitions: Vec<Cell>,
    /// The named subterm to write in full at its next occurrence.
    defining: Option<Cell>,
    tasks: Vec<Task>,
}

impl<'a, 'o> Writer<'a, 'o> {
    fn new(
        out: TokenOut<'o>,
        env: WriteEnv<'a>,
        options: &'a WriteOptions,
        names: &'a NameTable<'a>,
    ) -> Writer<'a, 'o> {
        Writer {
            out,
            env,
            options,
            dotlists: options.dotlists.unwrap_or(options.ignore_ops),
            brace_terms: options.brace_terms.unwrap_or(!options.ignore_ops),
            escapes: options
                .character_escapes
                .unwrap_or(env.flags.character_escapes),
            names,
            most: usize::MAX,
            digits: usize::MAX,
            shown: FastSet::default(),
            labels: None,
            definitions: Vec::new(),
            defining: None,
            tasks: Vec::with_capacity(FIRST_TASKS),
        }
    }

    /// Pushes the first tasks.
    fn start(&mut self, term: Cell) -> Result<(), Stop> {
        let term = self.env.store.deref(term);
        let mut priority = self.options.priority;
        // With a limit of depth, writing always ends.
        if self.options.max_depth == 0 {
            self.labels = cycle_labels(self.env.store, term)?;
        }
        if let Some(labels) = &self.labels {
            if self.options.cycles {
                let mut definitions: Vec<(usize, Cell)> = labels
                    .iter()
                    .map(|(&cell, &number)| (number, cell))
                    .gather()?;
                definitions.sort_unstable_by_key(|&(number, _)| number);
                self.definitions = definitions.into_iter().map(|(_, cell)| cell).gather()?;
                self.out.token("@");
                self.out.punctuation('(');
                self.later(Task::Definitions { next: 0 });
                priority = ARGUMENT;
            } else {
                self.defining = Some(term);
            }
        }
        self.later_term(term, priority, self.options.operand, 0);
        Ok(())
    }

    /// Pushes a task to do next. Ends the work if there is no room for it.
    #[inline(always)]
    fn later(&mut self, task: Task) {
        let added = self.tasks.put(task);
        self.out.note(added);
    }

    /// Pushes a term to write next.
    #[inline(always)]
    fn later_term(&mut self, cell: Cell, priority: u16, operand: bool, depth: u32) {
        self.later(Task::Term {
            cell,
            priority,
            operand,
            depth,
        });
    }

    /// Writes the end of the text.
    fn finish(&mut self) {
        if self.options.fullstop {
            if self.out.last() == Edge::Symbol {
                self.out.blank();
            }
            self.out.punctuation('.');
            self.out
                .punctuation(if self.options.nl { '\n' } else { ' ' });
        } else if self.options.nl {
            self.out.punctuation('\n');
        }
    }

    fn perform(&mut self, task: Task) {
        match task {
            Task::Term {
                cell,
                priority,
                operand,
                depth,
            } => self.term(cell, priority, operand, depth),
            Task::Close { bracket, count } => {
                self.out.punctuation(bracket);
                if count > 1 {
                    self.later(Task::Close {
                        bracket,
                        count: count - 1,
                    });
                }
            }
            Task::Arguments { addr, left, depth } => {
                self.comma();
                self.arguments(addr, left, depth);
            }
            Task::Tail { addr, depth } => self.tail(addr, depth),
            Task::Infix(name) => self.infix(name),
            Task::Postfix(name) => self.atom(name),
            Task::Definitions { next } => self.definition(next),
        }
    }

    /// Writes the closing bracket after the task that is pushed next. Adjacent brackets share one
    /// entry, so terms nested in last arguments need no stack.
    fn close_later(&mut self, bracket: char) {
        match self.tasks.last_mut() {
            Some(Task::Close {
                bracket: same,
                count,
            }) if *same == bracket && *count < u32::MAX => {
                *count += 1;
            }
            _ => self.later(Task::Close { bracket, count: 1 }),
        }
    }

    fn comma(&mut self) {
        self.out.punctuation(',');
        if self.options.spacing == Spacing::NextArgument {
            self.out.blank();
        }
    }

    fn term(&mut self, cell: Cell, priority: u16, operand: bool, depth: u32) {
        let depth = depth.saturating_add(1);
        if self.options.max_depth > 0 && depth > self.options.max_depth {
            return self.out.elision();
        }
        let store = self.env.store;
        let cell = store.deref(cell);
        match store.view(cell) {
            View::Var(var) => self.variable(var, depth),
            View::Atom(atom) => {
                let bracket = operand && !self.options.ignore_ops && self.env.ops.is_op(atom);
                if bracket {
                    self.out.open_bracket();
                }
                self.atom(atom);
                if bracket {
                    self.out.punctuation(')');
                }
            }
            View::Int(value) => self.out.number(Decimal::of(value).text()),
            View::Big(addr) if self.has_too_many_digits(addr) => self.out.elision(),
            View::Big(addr) => {
                let watch = &store.events.watch;
                match store.big(addr).map(|big| large::digits(&big, 10, watch)) {
                    Ok(Ok(text)) => self.out.number(&text),
                    _ => self.out.fail(),
                }
            }
            View::Float(value) => self.out.number(&float_text(value)),
            View::String(addr) => self.string(store.text(addr)),
            View::List(addr) => {
                if self.label(cell) {
                } else if self.options.text_lists
                    && let Some(text) = text_of_list(&self.env, cell)
                {
                    self.out.quoted(&text, '`', self.escapes);
                } else if self.dotlists {
                    self.canonical(functors::LIST, addr, depth);
                } else {
                    self.out.punctuation('[');
                    self.later(Task::Tail {
                        addr: addr + WORD,
                        depth,
                    });
                    self.argument(store.at(addr), depth);
                }
            }
            View::Struct(functor, addr) => {
                let shape = self.shape(cell);
                if self.label(cell) {
                } else if let Shape::Operation(def) = shape {
                    self.operation(functor, addr, def, priority, depth);
                } else if functor == functors::CURLY1 && self.brace_terms {
                    self.out.punctuation('{');
                    self.close_later('}');
                    let cell = store.at(addr);
                    self.later_term(cell, 1200, false, depth);
                } else if let Some(name) = self.numbered_variable(functor, addr) {
                    self.out.token(&name);
                } else {
                    self.canonical(functor, addr, depth);
                }
            }
        }
    }

    /// Returns whether the integer certainly has more digits than are wanted.
    fn has_too_many_digits(&self, addr: HeapAddr) -> bool {
        // A digit takes less than 4 bits.
        self.digits < usize::MAX && self.env.store.big_words(addr).1.len() * 16 > self.digits + 16
    }

    fn variable(&mut self, var: Cell, depth: u32) {
        if let Some(name) = self.names.of(var) {
            self.out.variable(name);
        } else {
            let noted = self.names.note(var);
            self.out.note(noted);
            let index = var.addr().saturating_sub(self.env.store.heap.base) / WORD;
            // Offsets in the address space fit into an integer.
            let number = Decimal::after('_', index.cast_signed());
            if !self.names.has(number.text()) {
                self.out.token(number.text());
            } else {
                let mut name = format!("_{}", number.text());
                while self.names.has(name.as_str()) {
                    name = format!("_{name}");
                }
                self.out.token(&name);
            }
        }
        let wanted = self.options.attributes == AttributeMode::Write;
        // The attributes may contain the variable itself, and may be cyclic in other ways.
        if !wanted || var.tag() != tag::ATT {
            return;
        }
        let Ok(new) = self.shown.put_new(var.word()) else {
            return self.out.fail();
        };
        if new {
            let cell = self.env.store.at(var.addr() + WORD);
            let Ok(acyclic) = self.env.store.acyclic_term(cell) else {
                return self.out.fail();
            };
            self.out.punctuation('{');
            self.close_later('}');
            if acyclic {
                self.later_term(cell, 1200, false, depth);
            } else {
                self.out.elision();
            }
        }
    }

    /// Returns `text`, or only its beginning if the output certainly cuts it off, so that the rest need not
    /// be quoted.
    fn seen<'t>(&self, text: &'t str) -> &'t str {
        // One character more than there is room for.
        &text[..text.ceil_char_boundary(self.most.saturating_add(1))]
    }

    fn atom(&mut self, atom: Atom) {
        let text = self.seen(self.env.symbols.text(atom));
        if self.quotes(text) {
            self.out.quoted(text, '\'', self.escapes);
        } else {
            self.out.token(text);
        }
    }

    /// Returns whether the atom of this text is written in quotes.
    fn quotes(&self, text: &str) -> bool {
        let name = self.env.flags.var_prefix && is_prefixless_variable(text);
        self.options.quoted && needs_quotes(text) && !name
    }

    fn string(&mut self, text: &str) {
        let text = self.seen(text);
        if self.options.quoted {
            self.out.quoted(text, '"', self.escapes);
        } else {
            self.out.token(text);
        }
    }

    /// Returns the variable name that `'$VAR'(N)` denotes, or `!x3` for the constant of a
    /// quantifier.
    fn numbered_variable(&self, functor: Functor, addr: HeapAddr) -> Option<String> {
        if functor == functors::EIGENVARIABLE {
            let store = self.env.store;
            return match (store.view(store.at(addr)), store.view(store.arg(addr, 1))) {
                (View::Atom(name), View::Int(number)) => {
                    Some(format!("!{}{number}", self.env.symbols.text(name)))
                }
                _ => None,
            };
        }
        if functor != functors::VAR1 || !self.options.numbervars {
            return None;
        }
        let argument = self.env.store.at(addr);
        if let View::Atom(name) = self.env.store.view(argument) {
            // numbervars/4 binds variables that occur once to this term.
            return (self.env.symbols.text(name) == "_").then(|| "_".to_owned());
        }
        match self.env.store.view(argument) {
            View::Int(number) => Some(letter_name(u64::try_from(number).ok()?)),
            _ => None,
        }
    }

    /// Returns the notation of a term.
    fn shape(&self, cell: Cell) -> Shape {
        if self.options.ignore_ops || self.is_labelled(cell) {
            return Shape::Plain;
        }
        let ops = self.env.ops;
        let (functor, addr) = match self.env.store.view(cell) {
            View::Atom(atom) if ops.is_op(atom) => return Shape::OperatorAtom,
            View::Struct(functor, addr) => (functor, addr),
            _ => return Shape::Plain,
        };
        let def = match functor.arity() {
            1 if functor == functors::CURLY1 && self.brace_terms => None,
            1 if self.numbered_variable(functor, addr).is_some() => None,
            1 => {
                let name = self.env.symbols.name(functor);
                ops.prefix(name).or_else(|| ops.postfix(name))
            }
            2 if functor != functors::EIGENVARIABLE => ops.infix(self.env.symbols.name(functor)),
            _ => None,
        };
        def.map_or(Shape::Plain, Shape::Operation)
    }

    fn argument(&mut self, cell: Cell, depth: u32) {
        self.later_term(cell, ARGUMENT, false, depth);
    }

    /// Writes `name(arguments)`.
    fn canonical(&mut self, functor: Functor, addr: HeapAddr, depth: u32) {
        self.atom(self.env.symbols.name(functor));
        self.out.punctuation('(');
        // Arities are bounded by the symbol table.
        self.arguments(addr, functor.arity() as u32, depth);
    }

    /// Writes the next of `left` arguments, and pushes tasks for the rest.
    fn arguments(&mut self, addr: HeapAddr, left: u32, depth: u32) {
        if left > 1 {
            self.later(Task::Arguments {
                addr: addr + WORD,
                left: left - 1,
                depth,
            });
        } else {
            self.close_later(')');
        }
        if left > 0 {
            self.argument(self.env.store.at(addr), depth);
        }
    }

    /// Writes the text after an element of a list that was written at `depth`.
    fn tail(&mut self, addr: HeapAddr, depth: u32) {
        let depth = depth.saturating_add(1);
        let store = self.env.store;
        let cell = store.deref(store.at(addr));
        match store.view(cell) {
            View::Atom(atoms::NIL) => self.out.punctuation(']'),
            _ if self.options.max_depth > 0 && depth >= self.options.max_depth => {
                self.out.punctuation('|');
                self.out.elision();
                self.out.punctuation(']');
            }
            View::List(addr) if !self.is_labelled(cell) => {
                self.comma();
                self.later(Task::Tail {
                    addr: addr + WORD,
                    depth,
                });
                self.argument(store.at(addr), depth);
            }
            _ => {
                self.out.punctuation('|');
                self.close_later(']');
                self.argument(cell, depth);
            }
        }
    }

    /// Writes a compound term with an operator as its functor.
    fn operation(
        &mut self,
        functor: Functor,
        addr: HeapAddr,
        def: OpDef,
        priority: u16,
        depth: u32,
    ) {
        if def.priority > priority {
            self.out.open_bracket();
            self.close_later(')');
        }
        let name = self.env.symbols.name(functor);
        let first = self.env.store.at(addr);
        match def.op_type {
            OpType::Fy | OpType::Fx => self.prefix(name, first, def, depth),
            OpType::Yf | OpType::Xf => {
                self.later(Task::Postfix(name));
                self.left_operand(first, def, depth);
            }
            OpType::Xfx | OpType::Xfy | OpType::Yfx => {
                let second = self.env.store.at(addr + WORD);
                self.operand(second, def.right_max(), depth);
                self.later(Task::Infix(name));
                self.left_operand(first, def, depth);
            }
        }
    }

    fn operand(&mut self, cell: Cell, priority: u16, depth: u32) {
        self.later_term(cell, priority, true, depth);
    }

    /// Writes the left operand of an infix or postfix operator. The operand is bracketed if its own
    /// operator takes a right operand of the same priority: that operator would otherwise take this
    /// one, too.
    fn left_operand(&mut self, cell: Cell, def: OpDef, depth: u32) {
        let mut priority = def.left_max();
        if let Shape::Operation(inner) = self.shape(self.env.store.deref(cell)) {
            let open = matches!(inner.op_type, OpType::Fy | OpType::Xfy);
            if open && inner.priority == def.priority {
                priority = 0;
            }
        }
        self.operand(cell, priority, depth);
    }

    /// Writes a prefix operator and its operand. `-` before a number would be read as its sign. So
    /// `-` is separated from every operand that could begin with a number (ISO 6.3.4.1, 7.10.5).
    fn prefix(&mut self, name: Atom, cell: Cell, def: OpDef, depth: u32) {
        self.atom(name);
        self.out.set_after_prefix();
        let cell = self.env.store.deref(cell);
        let mut priority = def.right_max();
        if name == atoms::MINUS {
            if self.is_unsigned_number(cell) {
                self.out.open_bracket();
                self.close_later(')');
            } else if let Shape::Operation(inner) = self.shape(cell)
                && inner.op_type.class() != OpClass::Prefix
            {
                priority = 0;
            }
        }
        self.operand(cell, priority, depth);
    }

    fn is_unsigned_number(&self, cell: Cell) -> bool {
        match self.env.store.view(cell) {
            View::Float(value) => !value.is_sign_negative(),
            View::Int(value) => value >= 0,
            View::Big(addr) => !self.env.store.big_words(addr).0,
            _ => false,
        }
    }

    /// Writes an infix operator. A word that needs a space before it also gets one after it, and so
    /// does an operator after an elision.
    fn infix(&mut self, name: Atom) {
        match name {
            atoms::COMMA => return self.comma(),
            atoms::BAR => return self.out.punctuation('|'),
            _ => {}
        }
        let text = self.env.symbols.text(name);
        let first = if self.quotes(text) {
            Edge::Quote('\'')
        } else {
            text.chars().next().map_or(Edge::Open, Edge::of)
        };
        let last = self.out.last();
        let apart = last.joins(first) && (first != Edge::Symbol || last == Edge::Elision);
        self.atom(name);
        if apart {
            self.out.blank();
        }
    }

    // ---- cyclic terms -------------------------------------------------------------------------

    /// Returns whether the subterm is written as its name.
    fn is_labelled(&self, cell: Cell) -> bool {
        self.defining != Some(cell)
            && self
                .labels
                .as_ref()
                .is_some_and(|labels| labels.contains_key(&cell))
    }

    /// Writes the name of the subterm, if it has one and need not be written in full here.
    fn label(&mut self, cell: Cell) -> bool {
        if !self.is_labelled(cell) {
            self.defining = self.defining.filter(|&defining| defining != cell);
            return false;
        }
        let number = self
            .labels
            .as_ref()
            .and_then(|labels| labels.get(&cell))
            .copied();
        match number {
            Some(number) if self.options.cycles => self.out.token(&format!("S_{}", number + 1)),
            _ => self.out.elision(),
        }
        true
    }

    /// Writes the definition of the named subterm `next`, and pushes a task for those after it.
    fn definition(&mut self, next: u32) {
        let Some(&cell) = self.definitions.get(next as usize) else {
            self.out.punctuation(']');
            return self.out.punctuation(')');
        };
        self.out.punctuation(',');
        if next == 0 {
            self.out.punctuation('[');
        }
        self.out.token(&format!("S_{}", next + 1));
        self.out.token("=");
        self.defining = Some(cell);
        self.later(Task::Definitions { next: next + 1 });
        self.later_term(cell, 699, true, 0);
    }
}
