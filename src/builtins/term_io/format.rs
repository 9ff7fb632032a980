//! Implementation of `format/1,2,3` and the targets of its output.
//!
//! Library text calls the goals of `~@` and `portray/1` of `~p`. `'$format'/4` writes nothing if it needs such
//! output, but returns the goals. `'$format'/5` then receives the texts.

use super::term_text::write_stopped;
use crate::base::atom_table::{Atom, atoms, functors};
use crate::base::growth::Grow;
use crate::base::stop::Stop;
use crate::builtins::streams::errors_io::Target;
use crate::machine::builtin::builtins;
use crate::machine::control::throw::Throw;
use crate::machine::evaluate::evaluate;
use crate::machine::state::Machine;
use crate::machine::upper_layers::{LayerState, Part};
use crate::store::cell::{Cell, WORD};
use crate::store::heap::View;
use crate::store::list::{ListShape, TextKind};
use crate::text::format_directives::{FormatError, FormatRun, FormatStep, put_text_of};

/// Directives of `format/2` that the program has defined with `format_predicate/2`.
#[derive(Clone, Default)]
struct OwnDirectives(String);

impl LayerState for OwnDirectives {
    fn part(&self) -> Option<Part> {
        Part::of(self.clone())
    }
}

builtins! { FORMAT =
    /// Writes the formatted `Arguments` to `Sink`, unless goals must be called for it. Then it writes nothing and
    /// returns the goals as `Goals`.
    iso "$format"("+sink", "+text", "+arguments", "-list") needs output_to = |m, [sink, format, arguments, goals]| {
        let formatted = formatted(m, sink, format, arguments, goals, None);
        formatted.map_err(|throw| m.named(throw, "format", 2))
    };
    /// Works like `'$format'/4`, with the output of the goals as a list of atoms.
    iso "$format"("+sink", "+text", "+arguments", "-list", "+texts") needs output_to
        = |m, [sink, format, arguments, goals, texts]| {
        let texts = m.list_arg(texts)?;
        let formatted = formatted(m, sink, format, arguments, goals, Some(&texts));
        formatted.map_err(|throw| m.named(throw, "format", 2))
    };
    /// Splits a term such as `atom(A)` or `codes(Cs, T)` into the kind of text, the text, and for a list its tail.
    iso "$output_sink"("+sink", "-kind", "-text", "-tail") = |m, [sink, kind, text, tail]| {
        let parts = match text_sink(m, sink) {
            Some(parts) => parts,
            None => {
                let throw = no_sink(m, sink)?;
                return Err(m.named(throw, "with_output_to", 2));
            }
        };
        let list_tail = parts.tail.unwrap_or(Cell::atom(atoms::NIL));
        Ok(m.unify_atom(kind, parts.kind)? && m.unify(text, parts.text)? && m.unify(tail, list_tail)?)
    };
    /// Registers the character as a directive that the program defines.
    iso "$own_format_directive"("+character") needs effect = always |m, [character]| {
        let character = m.char_arg(character)?;
        let own = &mut m.world.layers.of::<OwnDirectives>().0;
        if !own.contains(character) {
            own.put(character)?;
        }
    };
    /// Unifies `string` with the result of the format `text` with `arguments`.
    library "sformat"("-string", "+text", "+arguments") = |m, [result, format, arguments]| {
        let (text, _) = made(m, (0, false), format, arguments, None)?;
        m.unify_string(result, &text)
    };
    /// Unifies `string` with the result of the format `text` without arguments.
    library "sformat"("-string", "+text") = |m, [result, format]| {
        let (text, _) = made(m, (0, false), format, Cell::atom(atoms::NIL), None)?;
        m.unify_string(result, &text)
    };
}

/// Term that receives the text.
struct TextSink {
    /// Kind of text: `atom`, `string`, `codes` or `chars`.
    kind: Atom,
    text: Cell,
    tail: Option<Cell>,
    /// True for the text of a message, an atom that has only the beginnings of large terms.
    message: bool,
}

fn text_sink(m: &Machine, sink: Cell) -> Option<TextSink> {
    let View::Struct(functor, addr) = m.store.view(sink) else {
        return None;
    };
    let mut kind = m.world.symbols.name(functor);
    let message = functor.arity() == 1 && m.world.symbols.text(kind) == "$message";
    if message {
        kind = atoms::ATOM;
    }
    let list = matches!(kind, atoms::CODES | atoms::CHARS);
    let tail = match functor.arity() {
        1 if list || matches!(kind, atoms::ATOM | atoms::STRING) => None,
        2 if list => Some(m.store.at(addr + WORD)),
        _ => return None,
    };
    Some(TextSink {
        kind,
        text: m.store.at(addr),
        tail,
        message,
    })
}

fn no_sink(m: &mut Machine, sink: Cell) -> Result<Throw, Stop> {
    if m.store.deref(sink).is_var() {
        return Ok(m.instantiation_error());
    }
    Ok(m.domain_error("output_sink", sink))
}

/// Target of formatted text.
enum Sink {
    Stream(Target),
    Text(TextSink),
}

fn sink_arg(m: &mut Machine, cell: Cell) -> Result<Sink, Throw> {
    if let Some(sink) = text_sink(m, cell) {
        return Ok(Sink::Text(sink));
    }
    match m.store.view(cell) {
        View::Struct(functor, _) if functor != crate::base::atom_table::functors::STREAM => {
            Err(no_sink(m, cell)?)
        }
        _ => Ok(Sink::Stream(m.stream_arg(cell)?)),
    }
}

fn formatted(
    m: &mut Machine,
    sink: Cell,
    format: Cell,
    arguments: Cell,
    goals: Cell,
    texts: Option<&[Cell]>,
) -> Result<bool, Throw> {
    let sink = sink_arg(m, sink)?;
    let column = match sink {
        Sink::Stream(target) => m.write_to(target, |output| Ok(output.position().line_position))?,
        Sink::Text(_) => 0,
    };
    let column = usize::try_from(column).unwrap_or(usize::MAX);
    let message = matches!(&sink, Sink::Text(text) if text.message);
    let result = made(m, (column, message), format, arguments, texts);
    let (text, wanted) = match result {
        Ok(made) => made,
        Err(stopped) => {
            // As in other systems, the text before the invalid directive is printed.
            if let (Sink::Stream(target), false) = (sink, stopped.text.is_empty()) {
                m.write_text_to(target, &stopped.text)?;
            }
            return Err(stopped.throw);
        }
    };
    if !wanted.is_empty() {
        return m.unify_items(goals, &wanted);
    }
    let written = match sink {
        Sink::Stream(target) => m.write_text_to(target, &text)?,
        Sink::Text(sink) => {
            let made = text_cell(m, &text, sink.kind, sink.tail)?;
            m.unify(sink.text, made)?
        }
    };
    m.run.spare.keep_text(text);
    Ok(written && m.unify_atom(goals, atoms::NIL)?)
}

/// Converts a text to the requested kind. A list may end in `tail`.
pub(crate) fn text_cell(
    m: &mut Machine,
    text: &str,
    kind: Atom,
    tail: Option<Cell>,
) -> Result<Cell, Throw> {
    Ok(match (kind, tail) {
        (atoms::ATOM, _) => Cell::atom(m.new_atom(text)?),
        (atoms::STRING, _) => m.store.new_string(text)?,
        (atoms::CHARS, Some(tail)) => m.store.char_list(text, tail, &mut m.world.symbols)?,
        (_, Some(tail)) => m.store.code_list(text, tail)?,
        (atoms::CHARS, None) => m.text_list(text, TextKind::Chars)?,
        (_, None) => m.text_list(text, TextKind::Codes)?,
    })
}

/// Error during formatting.
struct Stopped {
    /// Text made before the error.
    text: String,
    throw: Throw,
}

impl From<Throw> for Stopped {
    fn from(throw: Throw) -> Stopped {
        Stopped {
            text: String::new(),
            throw,
        }
    }
}

impl From<Stop> for Stopped {
    fn from(stop: Stop) -> Stopped {
        Throw::from(stop).into()
    }
}

impl From<Stopped> for Throw {
    fn from(stopped: Stopped) -> Throw {
        stopped.throw
    }
}

/// Formats the arguments from a column on, for a message if the flag says so. Returns the text and the goals whose
/// output belongs in it. If `texts` is given, it inserts these texts as the output of the goals.
fn made(
    m: &mut Machine,
    (column, message): (usize, bool),
    format: Cell,
    arguments: Cell,
    texts: Option<&[Cell]>,
) -> Result<(String, Vec<Cell>), Stopped> {
    let format = format_text(m, format)?;
    let arguments = argument_list(m, arguments)?;
    let portray = has_print_hook(m, &format)?;
    let mut run = FormatRun::new(format, column, portray, m.run.spare.text());
    run.for_message(message);
    let own = &m.world.layers.of::<OwnDirectives>().0;
    if !own.is_empty() {
        run.with_own(own);
    }
    let made = run_to_end(m, &mut run, &arguments, texts);
    m.run.spare.keep_text(run.into_format());
    m.run.spare.keep_cells(arguments);
    made
}

fn run_to_end(
    m: &mut Machine,
    run: &mut FormatRun,
    arguments: &[Cell],
    texts: Option<&[Cell]>,
) -> Result<(String, Vec<Cell>), Stopped> {
    let mut goals = Vec::new();
    let mut texts = texts.map(<[Cell]>::iter);
    loop {
        let step = match run.run(&m.write_env_of(atoms::USER)?, arguments) {
            Ok(step) => step,
            Err(error) => {
                let throw = format_throw(m, error)?;
                return Err(Stopped {
                    text: run.take_text()?,
                    throw,
                });
            }
        };
        let goal = match step {
            FormatStep::Done => return Ok((run.take_text()?, goals)),
            FormatStep::Evaluate(expression) => {
                match evaluate(m, expression) {
                    Ok(value) => run.supply(value),
                    Err(throw) => {
                        return Err(Stopped {
                            text: run.take_text()?,
                            throw,
                        });
                    }
                }
                continue;
            }
            FormatStep::Goal(goal) => goal,
            FormatStep::WriteTerm(term, options) => call_of(m, "write_term", &[term, options])?,
            FormatStep::Own(directive, count, argument) => {
                let directive = Cell::atom(m.world.symbols.intern_char(directive)?);
                let count = match count {
                    Some(count) => Cell::int(count as i64),
                    None => Cell::atom(m.world.symbols.intern("default")?),
                };
                call_of(m, "$own_directive", &[directive, count, argument])?
            }
            FormatStep::Print(term) => call_of(m, "print", &[term])?,
        };
        match &mut texts {
            None => goals.put(goal)?,
            Some(texts) => {
                if let Some(&text) = texts.next() {
                    let text = m.atomic_text_arg(text, atoms::ATOM)?;
                    run.insert(&text)?;
                }
            }
        }
    }
}

/// Builds a goal of a predicate of the system.
fn call_of(m: &mut Machine, name: &str, args: &[Cell]) -> Result<Cell, Throw> {
    let name = m.world.symbols.intern(name)?;
    let functor = m.world.symbols.functor(name, args.len())?;
    m.store.reserve(args.len() + 1).map_err(Throw::from)?;
    let goal = m.store.new_struct(functor, args);
    m.store.reserve(3).map_err(Throw::from)?;
    let system = Cell::atom(m.inner_name(atoms::SYSTEM)?);
    Ok(m.store.new_struct(functors::COLON, &[system, goal]))
}

/// Returns whether `~p` must call `portray/1`.
fn has_print_hook(m: &mut Machine, format: &str) -> Result<bool, Stop> {
    Ok(format.contains('p') && super::term_write::has_portray(m)?)
}

fn format_text(m: &mut Machine, format: Cell) -> Result<String, Throw> {
    let mut text = m.run.spare.text();
    if put_text_of(&m.write_env()?, format, &mut text)? {
        return Ok(text);
    }
    // The format is a number, or invalid.
    m.text_arg(format)
}

/// Returns the arguments: the elements of a list, or any other term as the only argument. Ignores a module before
/// them.
fn argument_list(m: &mut Machine, arguments: Cell) -> Result<Vec<Cell>, Stop> {
    let mut items = m.run.spare.cells();
    match m.store.list_items(arguments, &mut items)? {
        ListShape::Proper(_) => Ok(items),
        _ => Ok(vec![m.store.deref(arguments)]),
    }
}

fn format_throw(m: &mut Machine, error: FormatError) -> Result<Throw, Stop> {
    let message = match error {
        FormatError::NotEnoughArguments => "not enough arguments",
        FormatError::TooManyArguments => "too many arguments",
        FormatError::BadStar => "no or negative integer for `*' argument",
        FormatError::UnknownDirective(directive) => {
            let kind = m.world.symbols.intern("format_character")?;
            let directive = Cell::atom(m.world.symbols.intern_char(directive)?);
            return Ok(m.existence_error(kind, directive));
        }
        FormatError::BadArgument { directive, culprit } => {
            let name = m.world.symbols.intern("format_argument_type")?;
            let functor = m.world.symbols.functor(name, 2)?;
            let directive = Cell::atom(m.world.symbols.intern_char(directive)?);
            let formal = m.store.new_struct(functor, &[directive, culprit]);
            return Ok(m.throw_formal(formal));
        }
        FormatError::BadRadix(radix) => {
            let domain = m.world.symbols.intern("radix")?;
            let radix = m.store.new_int(i64::try_from(radix).unwrap_or(i64::MAX));
            return Ok(m.domain_error(domain, radix));
        }
        FormatError::NoCharacter => return Ok(m.representation_error(atoms::CHARACTER_CODE)),
        FormatError::TooLarge => return Ok(m.resource_error(atoms::MEMORY)),
        FormatError::Stopped(stop) => return Ok(write_stopped(stop)),
    };
    let name = m.world.symbols.intern("format")?;
    let functor = m.world.symbols.functor(name, 1)?;
    let text = Cell::atom(m.world.symbols.intern_passing(message)?);
    let formal = m.store.new_struct(functor, &[text]);
    Ok(m.throw_formal(formal))
}
