//! The loader of Lolli modules. `Module --o Goal` finds the file of a module, compiles its clauses once, and
//! makes them assumptions of the goal.
//!
//! Consecutive clauses of a predicate, without a linear clause of it between them, are one assumption with a
//! compiled predicate. Each linear clause is one, too. The compiled predicates have further arguments:
//! parameters, local names, and the variables that parts of a linear clause share. The assumption holds the
//! values of these arguments.

use super::clauses::{Compiled, compile_module};
use super::files::{Found, FoundText, LoadedByName, find_module, given_module};
use crate::base::atom_table::{Atom, FastSet, atoms, functors};
use crate::base::growth::{Gather, Grow, GrowMap, text_of, with_room};
use crate::base::needs::{Load, Permit};
use crate::base::source::Span;
use crate::base::stop::Stop;
use crate::base::warning::Warning;
use crate::builtins::linear::contexts::assume_lolli;
use crate::builtins::streams::errors_io::may_take;
use crate::io::files::{Stamp, stamp};
use crate::io::source_file::read_source_file;
use crate::ir::manner::Manner;
use crate::library::prelude::load_lolli;
use crate::load::find::given_text;
use crate::machine::builtin::builtins;
use crate::machine::contexts::assumption::Assumed;
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::machine::upper_layers::{LayerState, Part};
use crate::program::predicate::PredId;
use crate::source::diagnostic::{Diagnostic, Severity};
use crate::source::program_names::{LOLLI_ENDING, is_lolli};
use crate::source::report::report;
use crate::store::cell::Cell;
use crate::store::heap::View;
use crate::store::stored::Stored;
use crate::text::ast::Ast;
use crate::text::lolli::reader::ModuleReader;
use crate::text::query_tests::{Syntax, without_tests};
use indexmap::IndexMap;
use std::sync::Arc;

/// The functor name of `$from(Folder, Module)`: a module named in a file of that folder.
pub(super) const FROM: &str = "$from";

/// The Lolli modules of an engine.
#[derive(Clone, Default)]
pub(crate) struct LolliModules {
    /// The loaded modules by their paths, in the order in which they were loaded first.
    pub(super) loaded: IndexMap<Box<str>, (Option<Stamp>, Arc<Module>)>,
    /// Paths of modules whose files are gone, after a report of this.
    pub(super) gone: FastSet<Box<str>>,
    /// Former versions of loaded modules, whose clauses may still be assumed.
    outdated: Vec<Arc<Module>>,
}

impl LayerState for LolliModules {
    fn part(&self) -> Option<Part> {
        Part::of(self.clone())
    }
}

/// A compiled module.
pub(super) struct Module {
    /// The name of the module.
    pub(super) name: Atom,
    /// The parameters of the module: for each the number of the first parameter of that name.
    pub(super) params: Vec<usize>,
    /// The local names of the module.
    pub(super) locals: Vec<Atom>,
    /// Number of variables that parts of linear clauses share.
    pub(super) shared: usize,
    /// The sets of parameters, local names and shared variables that its assumptions hold.
    pub(super) captures: Vec<Vec<usize>>,
    /// The assumptions of the module, in the order of the text.
    pub(super) records: Vec<Record>,
}

/// One assumption of a module.
pub(super) struct Record {
    /// Whether the assumption is linear.
    pub(super) linear: bool,
    /// Whether the assumption is an alternative of the assumption before it: one use consumes both.
    pub(super) joined: bool,
    /// The clauses or the formula.
    pub(super) what: Content,
}

/// The content of an assumption of a module.
pub(super) enum Content {
    /// Compiled clauses.
    Closure {
        /// The slot of the predicate that the clauses define.
        slot: u32,
        /// The compiled predicate of the clauses.
        predicate: PredId,
        /// The values that are further arguments: an index into the captures of the module.
        capture: usize,
        /// The first argument of the head.
        first: First,
    },
    /// A formula whose head is known when it is assumed: `v(Formula, v(Values…))`.
    Formula(Stored),
}

/// The known part of the first argument in the heads of assumed clauses.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) enum First {
    /// No argument.
    Absent,
    /// Any term.
    Any,
    /// A constant.
    Constant(Cell),
    /// A compound with this functor.
    Functor(crate::base::atom_table::Functor),
    /// The value of the module with this number.
    Value(usize),
}

/// Returns the compiled clauses of all loaded modules: the slot of the predicate that the clauses define, and their
/// compiled predicate.
pub(super) fn closures(m: &mut Machine) -> Result<Vec<(u32, PredId)>, Stop> {
    let loaded = &m.world.layers.of::<LolliModules>().loaded;
    let records = loaded.values().flat_map(|(_, module)| &module.records);
    let closure = |record: &Record| match record.what {
        Content::Closure {
            slot, predicate, ..
        } => Some((slot, predicate)),
        Content::Formula(_) => None,
    };
    records.filter_map(closure).gather()
}

impl Module {
    /// Assumes the clauses of the module. Returns false if two arguments for equal parameters do not unify.
    fn assume(&self, m: &mut Machine, args: &[Cell]) -> Result<bool, Throw> {
        let mut values = with_room(args.len() + self.locals.len() + self.shared)?;
        for (&argument, &same) in args.iter().zip(&self.params) {
            if same < values.len() && !m.unify(values[same], argument)? {
                return Ok(false);
            }
            values.put(argument)?;
        }
        let captured: usize = self.captures.iter().map(|capture| capture.len() + 1).sum();
        let words = captured + self.locals.len() * 4 + self.shared;
        m.store.reserve(words + 8)?;
        for &name in &self.locals {
            let constant = m.new_eigenvariable(Cell::atom(name));
            values.put(constant?)?;
        }
        for _ in 0..self.shared {
            let shared = m.store.new_var();
            values.put(shared)?;
        }
        let captures: Vec<Cell> = self
            .captures
            .iter()
            .map(|capture| {
                let args: Vec<Cell> = capture.iter().map(|&index| values[index]).gather()?;
                if args.is_empty() {
                    return Ok(Cell::atom(atoms::VARS));
                }
                let functor = m.world.symbols.functor(atoms::VARS, args.len())?;
                Ok(m.store.new_struct(functor, &args))
            })
            .try_gather()?;
        let mut group = None;
        for record in self.records.iter().rev() {
            let manner = Manner {
                linear: record.linear,
                own: false,
            };
            match &record.what {
                Content::Closure {
                    slot,
                    predicate,
                    capture,
                    first,
                } => {
                    let first = first_argument(m, *first, &values)?;
                    let assumed = Assumed::Closure(*predicate, captures[*capture]);
                    group = if record.joined || group.is_some() {
                        let made = m.assume_with(*slot, manner, first, assumed, group);
                        record.joined.then_some(made?)
                    } else {
                        m.assume(*slot, manner, first, assumed)?;
                        None
                    };
                }
                Content::Formula(stored) => {
                    let pair = m.store.load_term(stored)?;
                    let Some((_, pair)) = m.store.compound(pair) else {
                        unreachable!("formulas are kept with their values")
                    };
                    let (formula, names) = (m.store.arg(pair, 0), m.store.arg(pair, 1));
                    if let Some((functor, names)) = m.store.compound(names) {
                        for (index, &value) in values.iter().enumerate().take(functor.arity()) {
                            let name = m.store.arg(names, index);
                            m.unify(name, value)?;
                        }
                    }
                    assume_lolli(m, record.linear, formula)?;
                    group = None;
                }
            }
        }
        Ok(true)
    }
}

/// Returns the known part of the first argument of a head.
fn first_argument(m: &mut Machine, first: First, values: &[Cell]) -> Result<Option<Cell>, Throw> {
    // Room for a record and its first argument.
    m.store.reserve(64)?;
    Ok(Some(match first {
        First::Absent => return Ok(None),
        First::Any => m.store.new_var(),
        First::Constant(cell) => cell,
        First::Functor(functor) => m.store.new_general_struct(functor)?,
        First::Value(index) => values[index],
    }))
}

/// Returns the module of a file. Compiles the file if it is new or has changed, or if `anew` is true. If compiling fails,
/// the old version of the module stays loaded.
///
/// # Errors
/// Returns an error if the file cannot be read, or if its text has errors. Reports each error of the text at its place.
pub(super) fn load_module(
    m: &mut Machine,
    load: &Permit<Load>,
    found: &Found,
    anew: bool,
) -> Result<Arc<Module>, Throw> {
    let path = found.path.as_str();
    let stamp = match found.text {
        None => stamp(load, m.world.files.path_of(path)),
        Some(_) => None,
    };
    let modules = &m.world.layers.of::<LolliModules>().loaded;
    if let Some((known, module)) = modules.get(path)
        && *known == stamp
        && !anew
    {
        return Ok(Arc::clone(module));
    }
    let text = match &found.text {
        Some(text) => Ok(text_of(text.as_str())?),
        None => {
            let path = m.world.files.path_of(path);
            read_source_file(load, path, None, &|bytes| may_take(&m.store, bytes))
        }
    };
    let text = match text {
        Ok(text) => text,
        Err(error) => {
            let name = Cell::atom(m.world.symbols.intern(path)?);
            return Err(m.file_error(error, "open", "source_sink", name));
        }
    };
    let top = m.store.heap_top;
    let plain = without_tests(&text, Syntax::Lolli)?;
    let has_tests = plain.is_some();
    let text = plain.unwrap_or(text);
    let result = compile(m, path, &text, has_tests);
    m.store.heap_top = top;
    let module = Arc::new(result?);
    if let Some(FoundText::Given(text)) = &found.text {
        let file = m.world.files.find(path);
        if let Some(file) = file.and_then(|file| m.world.files.get_mut(file)) {
            file.text = Some(Arc::clone(text));
        }
    }
    let known = m.world.layers.of::<LolliModules>();
    let old = known
        .loaded
        .put_entry(path.into(), (stamp, Arc::clone(&module)))?;
    known.outdated.put_all(old.map(|(_, old)| old))?;
    if m.run.contexts.is_new() {
        free_outdated(m)?;
    }
    Ok(module)
}

/// Frees the clauses of former versions of modules. The caller ensures that no assumption uses them any more.
fn free_outdated(m: &mut Machine) -> Result<(), Stop> {
    let outdated = std::mem::take(&mut m.world.layers.of::<LolliModules>().outdated);
    for module in outdated {
        for record in &module.records {
            let Content::Closure { predicate, .. } = record.what else {
                continue;
            };
            let clauses = m.world.predicates.get(predicate).clauses.iter();
            let positions: Vec<i64> = clauses.map(|(position, _)| position).gather()?;
            for position in positions {
                m.erase_clause(predicate, position)?;
            }
            m.purge(predicate)?;
        }
    }
    Ok(())
}

/// Compiles the text of a module. A text with tests may have no clauses.
fn compile(m: &mut Machine, path: &str, text: &str, has_tests: bool) -> Result<Module, Throw> {
    let mut ast = Ast::new();
    let mut reader = ModuleReader::new(text, &mut m.world.symbols, &mut ast)?;
    if has_tests {
        reader.may_be_empty();
    }
    let Compiled {
        module,
        errors,
        singletons,
    } = compile_module(m, path, text, &mut reader, &mut ast)?;
    let ignored = reader.ignored.iter().map(|&span| {
        let message = "this character has no meaning here and is skipped".to_owned();
        (span, message, None, Warning::Encoding)
    });
    let apart = reader.apart.iter().map(|&span| {
        let name = &text[span.start as usize..span.end as usize];
        let message =
            format!("`{name}` at the beginning of the line is an argument of the term before it");
        let hint = "the final `.` may be missing before it; if not, begin the line with a space";
        (span, message, Some(hint), Warning::Layout)
    });
    let singletons = singletons.into_iter().map(|(span, name)| {
        let message = format!("singleton variable: {name}");
        (span, message, None, Warning::Singleton)
    });
    let slips = ignored.chain(apart).chain(singletons).gather()?;
    warn_of(m, (path, text), slips)?;
    let wrong = reader.errors.iter().map(|error| {
        let message = format!("syntax error: {}", error.message());
        (error.span, message, error.hint(), Some(error.name()))
    });
    let errors = errors.into_iter();
    let errors = errors.map(|(span, message, hint)| (span, message, hint, None));
    let mut wrong: Vec<_> = wrong.chain(errors).gather()?;
    wrong.sort_by_key(|(span, ..)| span.start);
    let count = wrong.len();
    let mut lines = Lines::new(text);
    for (span, message, hint, syntax) in wrong {
        let place = (span, lines.line(span.start as usize));
        let error = Diagnostic::new(Severity::Error, path, text, place, message, hint);
        report(
            m,
            match syntax {
                Some(name) => error.of_syntax(name),
                None => error,
            },
        )?;
    }
    match module {
        Some(module) if count == 0 => {
            if let Some(name) = &reader.name
                && is_lolli(path)
                && m.world.symbols.text(module.name) != crate::io::paths::base_name(stem(path))
            {
                let message = format!("the module `{}` is in a file with another name", name.text);
                let hint = format!("`{} --o …` looks for {}.ll", name.text, name.text);
                let place = (name.span, Lines::new(text).line(name.span.start as usize));
                let hint = Some(hint);
                let warning = Diagnostic::new(Severity::Warning, path, text, place, message, hint);
                report(m, warning.of_warning(Warning::Module))?;
            }
            Ok(module)
        }
        _ => {
            let errors = if count == 1 { "an error" } else { "errors" };
            let message = format!("the module {path} is not loaded because it has {errors}");
            Err(m.syntax_error("module_refused", &message))
        }
    }
}

/// Warns of slips in the text of a module, in order.
fn warn_of(
    m: &mut Machine,
    (path, text): (&str, &str),
    mut slips: Vec<(Span, String, Option<&str>, Warning)>,
) -> Result<(), Stop> {
    slips.sort_by_key(|(span, ..)| span.start);
    let mut lines = Lines::new(text);
    for (span, message, hint, warning) in slips {
        let place = (span, lines.line(span.start as usize));
        let hint = hint.map(str::to_owned);
        let diagnostic = Diagnostic::new(Severity::Warning, path, text, place, message, hint);
        report(m, diagnostic.of_warning(warning))?;
    }
    Ok(())
}

fn stem(path: &str) -> &str {
    path.strip_suffix(LOLLI_ENDING).unwrap_or(path)
}

/// A counter of lines for places in a text. It is fast if the places are in order.
struct Lines<'t> {
    text: &'t str,
    at: usize,
    line: usize,
}

impl<'t> Lines<'t> {
    fn new(text: &'t str) -> Lines<'t> {
        Lines {
            text,
            at: 0,
            line: 1,
        }
    }

    /// Returns the line of a byte, from 1.
    fn line(&mut self, at: usize) -> usize {
        let at = at.min(self.text.len());
        if at < self.at {
            *self = Lines::new(self.text);
        }
        let between = &self.text.as_bytes()[self.at..at];
        self.line += between.iter().filter(|&&byte| byte == b'\n').count();
        self.at = at;
        self.line
    }
}

/// Assumes the clauses of a module, given as a term. Returns false if the module has another name or number of
/// parameters.
fn enter(m: &mut Machine, load: &Permit<Load>, term: Cell) -> Result<bool, Throw> {
    load_lolli(m)?;
    let mut term = m.store.deref(term);
    let mut folder = None;
    if let Some((functor, args)) = m.store.compound(term)
        && m.world.symbols.text(m.world.symbols.name(functor)) == FROM
        && functor.arity() == 2
    {
        let from = m.store.arg(args, 0);
        folder = crate::builtins::args::atomic_text(m, from)?.map(std::borrow::Cow::into_owned);
        term = m.store.deref(m.store.arg(args, 1));
    }
    let mut args = Vec::new();
    let name = loop {
        match m.store.view(term) {
            View::Atom(name) => break name,
            View::Struct(functor, at) => {
                let apply = m.world.symbols.name(functor) == atoms::APPLICATION;
                let from = usize::from(apply);
                let inner: Vec<Cell> = (from..functor.arity())
                    .map(|index| m.store.arg(at, index))
                    .gather()?;
                args.splice(0..0, inner);
                if functor == functors::EIGENVARIABLE {
                    return Err(module_name_error(m, term, "non-name"));
                }
                if !apply {
                    break m.world.symbols.name(functor);
                }
                term = m.store.arg(at, 0);
            }
            View::Var(_) => return Err(module_name_error(m, term, "Unbound variable")),
            _ => return Err(module_name_error(m, term, "non-name")),
        }
    };
    let text = text_of(m.world.symbols.text(name))?;
    let found = find_module(m, load, &text, folder.as_deref())?;
    let module = load_module(m, load, &found, false)?;
    if (!found.by_path && module.name != name) || module.params.len() != args.len() {
        return Ok(false);
    }
    module.assume(m, &args)
}

fn module_name_error(m: &mut Machine, term: Cell, what: &str) -> Throw {
    let message = format!("{what} as module name in --o ({})", m.lolli_text(term));
    let formal = if term.is_var() {
        Cell::atom(atoms::INSTANTIATION_ERROR)
    } else {
        let expected = Cell::atom(atoms::ATOM);
        m.store.new_struct(functors::TYPE_ERROR, &[expected, term])
    };
    m.throw_message(formal, Some(&message))
}

builtins! { LOLLI_MODULES =
    /// Assumes the clauses of a Lolli module, `Name Arguments…`. Fails if the module has another name or
    /// number of parameters.
    iso "$enter_module"("+module") needs load, may_environment does EnterModule = |m, [module]| enter(m, load, module);

    /// Loads the file of a module. From then on the module is known by its name.
    iso "$load_lolli"("+path") needs load, effect = |m, [path]| {
        load_lolli(m)?;
        let path = m.atomic_text_arg(path, atoms::ATOM)?;
        let text = given_text(m, &path).map(FoundText::Given);
        let found = Found { path: path.clone(), text: text.clone(), by_path: true };
        let module = load_module(m, load, &found, text.is_some())?;
        let name = m.world.symbols.text(module.name).into();
        let known = &mut m.world.layers.of::<LoadedByName>().0;
        if text.is_some() {
            known.put_entry(path.as_str().into(), (path.as_str().into(), text.clone()))?;
        }
        known.put_entry(name, (path.into(), text))?;
        Ok(true)
    };

    /// Succeeds if the host has given the text of a module under this name.
    iso "$is_given_module"("+name") = |m, [name]| {
        let name = m.atomic_text_arg(name, atoms::ATOM)?;
        Ok(given_module(m, &name).is_some())
    };

    /// Returns the number of parameters of a module.
    iso "$module_parameters"("+name", "-integer") needs load, may_environment = |m, [name, count]| {
        let text = m.atomic_text_arg(name, atoms::ATOM)?;
        let found = find_module(m, load, &text, None)?;
        let module = load_module(m, load, &found, false)?;
        Ok(m.unify_size(count, module.params.len())?)
    };
}
