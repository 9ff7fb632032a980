//! The compiler from the clauses of a Lolli module to predicates.
//! Long because the compilation of a module and its undoing after a refused clause belong together.

use super::files::is_library;
use super::modules::{Content, FROM, First, Module, Record};
use crate::base::atom_table::{Atom, FastMap, Functor, atoms, functors};
use crate::base::growth::{Gather, Grow, GrowBy, GrowMap, GrowTable, text_of, with_room};
use crate::base::source::Span;
use crate::base::stop::Stop;
use crate::builtins::database::clauses::{LOLLI_CLAUSES, compile_clause, load_clause};
use crate::builtins::linear::contexts::conjunction;
use crate::builtins::linear::lolli::{check_formula, fault_message};
use crate::front::build::build;
use crate::front::formula::{AssumedClause, FormulaError, clauses_of};
use crate::front::formula_class::{Class, Fault};
use crate::machine::control::throw::{Ball, Throw};
use crate::machine::dispatch::regs::MAX_PREDICATE_ARITY;
use crate::machine::state::Machine;
use crate::machine::upper_layers::{LayerState, Part};
use crate::program::predicate::PredId;
use crate::store::cell::Cell;
use crate::store::heap::View;
use crate::store::raw;
use crate::store::stored::{Attrs, Stored};
use crate::text::ast::Ast;
use crate::text::lolli::reader::ModuleReader;
use crate::text::lolli::writer::Form;
use crate::text::syntax_error::small;

/// Number of predicates of Lolli made so far. It makes the name of each predicate unique.
#[derive(Clone, Default)]
struct MadeNames(u64);

impl LayerState for MadeNames {
    fn part(&self) -> Option<Part> {
        Part::of(self.clone())
    }
}

/// An error: its place, its message, and a hint.
pub(super) type ClauseError = (Span, String, Option<String>);

/// The result of compiling a module.
pub(super) struct Compiled {
    /// The module, if it has a head.
    pub(super) module: Option<Module>,
    /// The errors in its clauses.
    pub(super) errors: Vec<ClauseError>,
    /// Variables that occur once in their clause, with their places.
    pub(super) singletons: Vec<(Span, String)>,
}

/// The predicate that a clause defines.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
enum Subject {
    /// A name and the number of arguments.
    Name(Functor),
    /// A local name, by its number among the values of the module, and the number of arguments.
    Local(usize, usize),
}

/// A clause with the values of the module that it uses: parameters, local names, shared variables.
struct Clause {
    clause: AssumedClause,
    /// The arguments of the head of the clause.
    args: Vec<Cell>,
    /// The variables that stand for values of the module: the number of the value and the variable.
    values: Vec<(usize, Cell)>,
    span: Span,
    line: u32,
}

/// The material of one assumption.
enum Draft {
    Closure {
        subject: Subject,
        linear: bool,
        joined: bool,
        clauses: Vec<Clause>,
    },
    Formula {
        linear: bool,
        stored: Stored,
    },
}

struct Compiler<'a> {
    m: &'a mut Machine,
    text: &'a str,
    file: u32,
    folder: Cell,
    params: Vec<usize>,
    /// The names of parameters and local names, in the order of the values.
    names: Vec<String>,
    /// The index of each name; if several are equal, of the last one.
    places: FastMap<String, usize>,
    locals: Vec<Atom>,
    /// The names of predicates whose counts are remembered, their places, and whether the module has clauses for them.
    count_memo: Vec<(Atom, Span, bool)>,
    shared: usize,
    drafts: Vec<Draft>,
    /// The last assumption of each subject, which further clauses may join.
    open: FastMap<Subject, usize>,
    errors: Vec<ClauseError>,
    singletons: Vec<(Span, String)>,
    /// The variables of the current clause, with their names.
    variables: Vec<(String, Cell)>,
    /// The beginning of the current clause, and its line.
    at: (usize, u32),
}

/// Reads and compiles the clauses of a module.
///
/// # Errors
/// Returns an error if memory is exhausted. Errors in the text are in the result.
pub(super) fn compile_module(
    m: &mut Machine,
    path: &str,
    text: &str,
    reader: &mut ModuleReader<'_>,
    ast: &mut Ast,
) -> Result<Compiled, Throw> {
    let folder = match path.rfind(std::path::is_separator) {
        Some(end) => Cell::atom(m.world.symbols.intern(&path[..end])?),
        None => Cell::atom(m.world.symbols.intern(".")?),
    };
    let file = match is_library(path) {
        true => m.world.files.intern_text(path),
        false => m.world.files.intern(path),
    }?;
    let params: Vec<String> = reader
        .params
        .iter()
        .map(|name| text_of(&name.text))
        .try_gather()?;
    let same = |index: usize| params.iter().position(|name| *name == params[index]);
    let first: Vec<usize> = (0..params.len())
        .map(|at| same(at).unwrap_or(at))
        .gather()?;
    let locals: Vec<String> = reader
        .locals
        .iter()
        .map(|name| text_of(&name.text))
        .try_gather()?;
    let local_atoms = locals
        .iter()
        .map(|name| m.world.symbols.intern(name))
        .try_gather()?;
    let count_memo = reader
        .count_memo
        .iter()
        .map(|name| Ok::<_, Stop>((m.world.symbols.intern(&name.text)?, name.span, false)))
        .try_gather()?;
    let names: Vec<String> = params.into_iter().chain(locals).gather()?;
    let mut places = FastMap::default();
    for (name, number) in names.iter().zip(0..) {
        places.put_entry(text_of(name)?, number)?;
    }
    let mut compiler = Compiler {
        m,
        text,
        file,
        folder,
        params: first,
        places,
        names,
        locals: local_atoms,
        count_memo,
        shared: 0,
        drafts: Vec::new(),
        open: FastMap::default(),
        errors: Vec::new(),
        singletons: Vec::new(),
        variables: Vec::new(),
        at: (0, 1),
    };
    loop {
        let m = &mut *compiler.m;
        let clause = reader.next_clause(&mut m.world.symbols, ast, &m.store.events.watch)?;
        m.go_on()?;
        let Some(clause) = clause else { break };
        compiler.clause(clause.linear, ast)?;
        ast.clear();
    }
    let name = reader.name.as_ref().map(|name| name.text.clone());
    compiler.finish(name.as_deref())
}

impl Compiler<'_> {
    /// Adds the clause in the tree.
    fn clause(&mut self, linear: bool, ast: &Ast) -> Result<(), Throw> {
        let (term, variables) = build(&mut self.m.store, &mut self.m.world.symbols, ast)?;
        let span = ast.span;
        let start = span.start as usize;
        let before = self.text.as_bytes().get(self.at.0..start).unwrap_or(&[]);
        let newlines = before.iter().filter(|&&byte| byte == b'\n').count();
        self.at = (start, self.at.1 + newlines as u32);
        let mut values: Vec<(usize, Cell)> = Vec::new();
        let mut own: Vec<Cell> = Vec::new();
        self.variables.clear();
        for (&variable, index) in variables.iter().zip(0u32..) {
            let name = ast.var_name(index);
            self.variables.put((text_of(name)?, variable))?;
            // A local name hides a parameter of its name.
            match self.places.get(name) {
                Some(&place) => values.put((place, variable))?,
                None => own.put(variable)?,
            }
        }
        self.note_singletons(ast)?;
        let class = if linear { Class::Linear } else { Class::Clause };
        match check_formula(self.m, term, class) {
            Ok(modules) => self.mark_modules(&modules)?,
            Err((Fault::NoRoom, _)) => return Err(Stop.into()),
            Err((fault, culprit)) => {
                self.report(fault, culprit, span)?;
                return Ok(());
            }
        }
        let parts = self.parts(linear, term)?;
        if linear && matches!(self.m.store.view(term), View::Struct(functors::COMMA, _)) {
            self.share(&own, &mut values)?;
        }
        let first = self.drafts.len();
        for (linear, part) in parts {
            if !self.part(linear, part, &values, &own, span)? {
                self.drafts.truncate(first);
                let formula = self.formula(term, linear, &values, &own)?;
                self.drafts.put(formula)?;
                // The predicate of the formula is not known yet, so no later clause may join an earlier assumption.
                self.open.clear();
                break;
            }
        }
        Ok(())
    }

    /// Records the variables that occur once in the clause in the tree. Skips names that begin with `_` and variables
    /// that stand for values of the module.
    fn note_singletons(&mut self, ast: &Ast) -> Result<(), Stop> {
        for (variable, index) in ast.vars.iter().zip(0u32..) {
            let name = ast.var_name(index);
            if variable.count == 1 && !name.starts_with('_') && !self.places.contains_key(name) {
                self.singletons.put((variable.first, text_of(name)?))?;
            }
        }
        Ok(())
    }

    /// Marks the modules that the clauses load with the folder of this file.
    fn mark_modules(&mut self, goals: &[Cell]) -> Result<(), Throw> {
        let from = self.m.world.symbols.intern(FROM)?;
        let from = self.m.world.symbols.functor(from, 2)?;
        for &goal in goals {
            if let Some((_, args)) = self.m.store.compound(goal) {
                self.m.store.reserve(4)?;
                let name = self.m.store.arg(args, 0);
                let marked = self.m.store.new_struct(from, &[self.folder, name]);
                raw::set_cell(args, marked);
            }
        }
        Ok(())
    }

    /// Returns the parts of a clause that are assumed one by one, and whether each is linear.
    fn parts(&self, linear: bool, term: Cell) -> Result<Vec<(bool, Cell)>, Stop> {
        let mut parts = Vec::new();
        let mut todo = vec![(linear, term)];
        while let Some((linear, part)) = todo.pop() {
            match self.m.store.view(part) {
                View::Struct(functors::COMMA, args) if linear => {
                    todo.put((true, self.m.store.arg(args, 1)))?;
                    todo.put((true, self.m.store.arg(args, 0)))?;
                }
                View::Struct(functors::CURLY1, args) if linear => {
                    todo.put((false, self.m.store.arg(args, 0)))?;
                }
                View::Atom(atoms::TRUE) if linear => {}
                _ => parts.put((linear, part))?,
            }
        }
        Ok(parts)
    }

    /// Makes the variables of a clause of several parts shared values. Each has one value in all parts and all uses,
    /// because the quantifier is before the whole clause.
    fn share(&mut self, own: &[Cell], values: &mut Vec<(usize, Cell)>) -> Result<(), Stop> {
        for &variable in own {
            let number = self.names.len() + self.shared;
            self.shared += 1;
            values.put((number, variable))?;
        }
        Ok(())
    }

    /// Adds a part of a clause. Returns false if the predicate of the part is not known yet.
    fn part(
        &mut self,
        linear: bool,
        part: Cell,
        values: &[(usize, Cell)],
        own: &[Cell],
        span: Span,
    ) -> Result<bool, Throw> {
        let clauses = match clauses_of(&mut self.m.store, part) {
            Ok(clauses) => clauses,
            Err(FormulaError::Memory) => return Err(self.m.no_room()),
            // A parameter may be a clause. A variable of the clause itself never is.
            Err(_) => return Ok(self.report_flexible(part, own, span)?),
        };
        let mut known = with_room(clauses.len())?;
        for clause in clauses {
            match self.subject(clause.head, values)? {
                Some((subject, args)) => known.put((subject, args, clause))?,
                None => return Ok(self.report_flexible(clause.head, own, span)?),
            }
        }
        for (at, (subject, args, clause)) in known.into_iter().enumerate() {
            let clause = Clause {
                clause,
                args,
                values: Vec::of(values)?,
                span,
                line: self.at.1,
            };
            if linear {
                self.open.remove(&subject);
            } else if let Some(&place) = self.open.get(&subject)
                && let Some(Draft::Closure { clauses, .. }) = self.drafts.get_mut(place)
            {
                clauses.put(clause)?;
                continue;
            } else {
                self.open.put_entry(subject, self.drafts.len())?;
            }
            self.drafts.put(Draft::Closure {
                subject,
                linear,
                joined: linear && at > 0,
                clauses: vec![clause],
            })?;
        }
        Ok(true)
    }

    /// Returns the subject of a head and its arguments; `None` if the head is a parameter.
    fn subject(
        &mut self,
        head: Cell,
        values: &[(usize, Cell)],
    ) -> Result<Option<(Subject, Vec<Cell>)>, Stop> {
        let m = &mut *self.m;
        let head = m.store.deref(head);
        let local = |variable: Cell| {
            let value = values.iter().find(|&&(_, known)| known == variable);
            value
                .map(|&(number, _)| number)
                .filter(|&number| number >= self.params.len() && number < self.names.len())
        };
        match m.store.view(head) {
            View::Atom(name) => Ok(Some((
                Subject::Name(m.world.symbols.functor(name, 0)?),
                Vec::new(),
            ))),
            View::Var(variable) => {
                Ok(local(variable).map(|number| (Subject::Local(number, 0), vec![head])))
            }
            View::Struct(functor, at) => {
                let args: Vec<Cell> = (0..functor.arity())
                    .map(|index| m.store.arg(at, index))
                    .gather()?;
                if m.world.symbols.name(functor) != atoms::APPLICATION {
                    return Ok(Some((Subject::Name(functor), args)));
                }
                let View::Var(variable) = m.store.view(args[0]) else {
                    return Ok(None);
                };
                let number = local(variable);
                Ok(number.map(|number| (Subject::Local(number, args.len() - 1), args)))
            }
            _ => Ok(None),
        }
    }

    /// Records an error: a part of the clause is not of the required class.
    fn report(&mut self, fault: Fault, culprit: Cell, span: Span) -> Result<(), Stop> {
        let text = self
            .m
            .lolli_form_named(culprit, Form::Goal, &self.variables);
        let message = fault_message(fault, text.as_deref().unwrap_or("..."));
        let hint = match (&fault, text.as_deref().ok().and_then(small)) {
            (Fault::Flexible(_), Some(name)) => Some(format!(
                "a predicate name begins with a small letter: `{name}`"
            )),
            _ => fault.hint().map(str::to_owned),
        };
        self.errors.put((span, message, hint))?;
        Ok(())
    }

    /// Returns whether the head is a variable of the clause itself, and records the error if so.
    fn report_flexible(&mut self, head: Cell, own: &[Cell], span: Span) -> Result<bool, Stop> {
        let mut variable = self.m.store.deref(head);
        while let Some((functor, args)) = self.m.store.compound(variable) {
            let index = match functor {
                functors::LOLLIPOP | functors::IMPLIES => 1,
                _ => 0,
            };
            if functor.arity() == 0 {
                break;
            }
            variable = self.m.store.arg(args, index);
        }
        if !own.contains(&variable) {
            return Ok(false);
        }
        self.report(Fault::Flexible(Class::Clause), variable, span)?;
        Ok(true)
    }

    /// Makes the draft of a clause that is assumed as a term, because its head is a parameter.
    fn formula(
        &mut self,
        term: Cell,
        linear: bool,
        values: &[(usize, Cell)],
        own: &[Cell],
    ) -> Result<Draft, Throw> {
        let m = &mut *self.m;
        let mut names = Vec::new();
        for number in 0..self.names.len() {
            m.store.reserve(1)?;
            let known = values.iter().find(|&&(known, _)| known == number);
            names.put(known.map_or_else(|| m.store.new_var(), |&(_, variable)| variable))?;
        }
        // A formula needs an explicit quantifier for each variable of the clause.
        let mut formula = term;
        for (&variable, number) in own.iter().zip(0u64..) {
            if values.iter().any(|&(_, shared)| shared == variable) {
                continue;
            }
            let name = format!("$own{number}");
            let name = Cell::atom(m.world.symbols.intern(&name)?);
            m.store.reserve(8)?;
            let bound = m.store.new_struct(functors::BOUND, &[name]);
            formula = m.store.replace(formula, &[variable], &[bound])?;
            m.store.reserve(8)?;
            let abstraction = m.store.new_struct(functors::LAMBDA, &[name, formula]);
            formula = m.store.new_struct(functors::FORALL1, &[abstraction]);
        }
        let functor = m.world.symbols.functor(atoms::VARS, names.len())?;
        m.store.reserve(names.len() + 8)?;
        let names = if names.is_empty() {
            Cell::atom(atoms::VARS)
        } else {
            m.store.new_struct(functor, &names)
        };
        let pair = m.store.new_struct(functors::MINUS2, &[formula, names]);
        let stored = m.store.keep_term(pair, Attrs::Drop)?;
        Ok(Draft::Formula { linear, stored })
    }

    /// Compiles the drafts.
    fn finish(mut self, name: Option<&str>) -> Result<Compiled, Throw> {
        let mut captures: Vec<Vec<usize>> = Vec::new();
        let mut known: FastMap<Vec<usize>, usize> = FastMap::default();
        let mut records = Vec::new();
        for draft in std::mem::take(&mut self.drafts) {
            let (subject, linear, joined, clauses) = match draft {
                Draft::Closure {
                    subject,
                    linear,
                    joined,
                    clauses,
                } => (subject, linear, joined, clauses),
                Draft::Formula { linear, stored } => {
                    records.put(Record {
                        linear,
                        joined: false,
                        what: Content::Formula(stored),
                    })?;
                    continue;
                }
            };
            let mut used: Vec<usize> = Vec::new();
            for (number, _) in clauses.iter().flat_map(|clause| &clause.values) {
                if !used.contains(number) {
                    used.put(*number)?;
                }
            }
            used.sort_unstable();
            known.make_room()?;
            let capture = match known.get(&used) {
                Some(&capture) => capture,
                None => {
                    captures.put(Vec::of(&used)?)?;
                    known.put_entry(used, captures.len() - 1)?;
                    captures.len() - 1
                }
            };
            let first = self.first(subject, &clauses);
            let Some(predicate) = self.define(subject, &captures[capture], &clauses)? else {
                continue;
            };
            let functor = match subject {
                Subject::Name(functor) => functor,
                Subject::Local(_, arity) => self
                    .m
                    .world
                    .symbols
                    .functor(atoms::APPLICATION, arity + 1)?,
            };
            let about = self.m.intern_predicate(atoms::LOLLI, functor)?;
            let slot = self.m.assumable(about)?;
            self.declare(about, functor)?;
            records.put(Record {
                linear,
                joined,
                what: Content::Closure {
                    slot,
                    predicate,
                    capture,
                    first,
                },
            })?;
        }
        self.refuse_undefined()?;
        let name = name.map(|name| self.m.world.symbols.intern(name));
        let module = name.transpose()?.map(|name| Module {
            name,
            params: self.params,
            locals: self.locals,
            shared: self.shared,
            captures,
            records,
        });
        Ok(Compiled {
            module,
            errors: self.errors,
            singletons: self.singletons,
        })
    }

    /// Declares that the counts of a predicate are remembered, if the module says so.
    fn declare(&mut self, about: PredId, functor: Functor) -> Result<(), Stop> {
        let name = self.m.world.symbols.name(functor);
        let declared = self.count_memo.iter_mut().find(|named| named.0 == name);
        if let Some((.., used)) = declared {
            *used = true;
            self.m.remember_counts(about)?;
        }
        Ok(())
    }

    /// Records errors for declarations of predicates without clauses.
    fn refuse_undefined(&mut self) -> Result<(), Stop> {
        for (_, span, _) in self.count_memo.iter().filter(|named| !named.2) {
            let message = "the module has no clause for this name".to_owned();
            let hint = "after `COUNT_MEMO` write names of predicates that this module defines";
            self.errors.put((*span, message, Some(hint.to_owned())))?;
        }
        Ok(())
    }

    /// Records errors for clauses of a predicate that the host defines.
    fn refuse(&mut self, functor: Functor, clauses: &[Clause]) -> Result<(), Stop> {
        let symbols = &self.m.world.symbols;
        let name = symbols.text(symbols.name(functor));
        let indicator = format!("{name}/{}", functor.arity());
        for clause in clauses {
            let message = format!("No permission to modify static procedure `{indicator}`");
            let hint = "the host defines it for all modules; use another name".to_owned();
            self.errors.put((clause.span, message, Some(hint)))?;
        }
        Ok(())
    }

    /// Returns the known part of the first argument in the heads of these clauses.
    fn first(&self, subject: Subject, clauses: &[Clause]) -> First {
        let m = &*self.m;
        if let Subject::Local(number, _) = subject {
            return First::Value(number);
        }
        let [clause] = clauses else {
            return match subject {
                Subject::Name(functor) if functor.arity() == 0 => First::Absent,
                _ => First::Any,
            };
        };
        let Some(&first) = clause.args.first() else {
            return First::Absent;
        };
        match m.store.view(first) {
            View::Atom(_) => First::Constant(m.store.deref(first)),
            View::Int(_) if m.store.deref(first).is_simple() => {
                First::Constant(m.store.deref(first))
            }
            View::Var(variable) => {
                let value = clause.values.iter().find(|&&(_, known)| known == variable);
                value.map_or(First::Any, |&(number, _)| First::Value(number))
            }
            View::Struct(functor, _)
                if m.world.symbols.name(functor) != atoms::APPLICATION
                    && functor != functors::BOUND =>
            {
                First::Functor(functor)
            }
            _ => First::Any,
        }
    }

    /// Makes a predicate of the clauses of one subject. Returns `None` and records an error if a clause is wrong.
    fn define(
        &mut self,
        subject: Subject,
        capture: &[usize],
        clauses: &[Clause],
    ) -> Result<Option<PredId>, Throw> {
        let made = &mut self.m.world.layers.of::<MadeNames>().0;
        *made += 1;
        let number = *made;
        let name = match subject {
            Subject::Name(functor) => self
                .m
                .world
                .symbols
                .text(self.m.world.symbols.name(functor))
                .to_owned(),
            Subject::Local(number, _) => self.names[number].clone(),
        };
        let name = self.m.world.symbols.intern(&format!("{name}#{number}"))?;
        let hidden = self.m.world.symbols.intern(LOLLI_CLAUSES)?;
        self.m.world.modules.intern(hidden)?.system = true;
        let mut defined = None;
        if let Subject::Name(functor) = subject
            && self.m.is_of_host(functor)
        {
            self.refuse(functor, clauses)?;
            return Ok(None);
        }
        for clause in clauses {
            let arity = clause.args.len() + capture.len();
            if arity > MAX_PREDICATE_ARITY {
                let message = format!(
                    "too many arguments: {arity} with parameters and local names; the maximum is {MAX_PREDICATE_ARITY}"
                );
                self.errors.put((clause.span, message, None))?;
                return Ok(None);
            }
            let m = &mut *self.m;
            m.store
                .reserve(2 * arity + 8 * clause.clause.bodies.len() + 64)?;
            let mut args = Vec::of(&clause.args)?;
            for &number in capture {
                let known = clause.values.iter().find(|&&(known, _)| known == number);
                args.put(known.map_or_else(|| m.store.new_var(), |&(_, variable)| variable))?;
            }
            let head = if args.is_empty() {
                Cell::atom(name)
            } else {
                let functor = m.world.symbols.functor(name, arity)?;
                m.store.new_struct(functor, &args)
            };
            let body = conjunction(m, &clause.clause.bodies);
            let head = m
                .store
                .new_struct(functors::COLON, &[Cell::atom(hidden), head]);
            let term = m.store.new_struct(functors::NECK, &[head, body]);
            let compiled = compile_clause(m, term, atoms::LOLLI, self.file, clause.line)
                .and_then(|(id, code)| load_clause(m, id, code).map(|()| id));
            match compiled {
                Ok(id) => defined = Some(id),
                Err(throw) => {
                    let message = clause_error(m, throw)?;
                    self.errors.put((clause.span, message, None))?;
                    return Ok(None);
                }
            }
        }
        Ok(defined)
    }
}

/// Returns the message for a clause that cannot be compiled. Passes on exceptions that the clause did not cause.
fn clause_error(m: &mut Machine, throw: Throw) -> Result<String, Throw> {
    match throw.0.ball {
        Ball::Halt(_) | Ball::Aborted | Ball::Spent(..) | Ball::OutOfMemory => Err(throw),
        Ball::Error(_, Some(message)) => Ok(message.into()),
        _ => {
            let ball = m.ball_term(&throw)?;
            Ok(format!("this is not a clause: {}", m.lolli_text(ball)))
        }
    }
}
