//! Addition of clauses to the program, for the loader and the database builtins: conversion, compilation and
//! permission. Long because adding a clause is one way from term to linked code.

use super::facts::fact;
use super::zero_arity::with_atoms_as_goals;
use crate::base::atom_table::{Atom, Functor, Symbols, atoms, functors};
use crate::base::flags::OccursCheck;
use crate::base::growth::{Gather, Grow};
use crate::base::op_table::OpClass;
use crate::base::stop::Stop;
use crate::builtins::linear::contexts::conjunction;
use crate::compile::compile;
use crate::front::closure::{Closure, free_variables};
use crate::front::formula::{FormulaError, clauses_of};
use crate::front::lower::{Dialect, LowerError, Lowered, Resolver, Sensitive, Target, Wrap, lower};
use crate::ir::clause::{Collected, NumCompare};
use crate::machine::builtin::{Body, Builtin, Class};
use crate::machine::contexts::slots::Contexts;
use crate::machine::control::definitions::closed_to_assumptions;
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::program::clauses::clause::{Parts, literal_mark, packed_sites};
use crate::program::clauses::clause_list::Clause;
use crate::program::module::Modules;
use crate::program::predicate::{Kind, PredId, Predicate};
use crate::program::predicates::Predicates;
use crate::store::cell::Cell;
use crate::store::heap::View;

/// Module of the predicates made from clauses of Lolli modules.
pub(crate) const LOLLI_CLAUSES: &str = "$lolli";
/// Module of the predicates made from assumed clauses.
pub(crate) const CLOSURE_MODULE: &str = "$assumed";
/// Levels of nesting up to which assumed clauses are compiled; deeper ones are assumed as terms. Each level stores
/// its text, which contains the texts of all inner levels.
const MAX_NESTED: usize = 16;

struct ProgramResolver<'a> {
    predicates: &'a mut Predicates,
    modules: &'a mut Modules,
    contexts: &'a mut Contexts,
    /// True if clauses that the clause assumes are compiled. If the clause is made at run time, they would pile up.
    closures: bool,
    deterministic: &'a dyn Fn(u32) -> bool,
    builtins: &'a [&'static Builtin],
    occurs_check: OccursCheck,
    /// True if the clause is from a text of the system.
    of_system: bool,
}

impl ProgramResolver<'_> {
    fn is_system(&self, module: Atom) -> bool {
        self.modules
            .find(module)
            .is_some_and(|module| module.system)
    }

    /// Returns the module of this name, which may be an inner name.
    fn module(&self, name: Atom) -> Atom {
        match name {
            atoms::USER => name,
            _ => self.modules.of_inner_name(name),
        }
    }

    /// Returns the predicate of the system that a goal always calls, whatever its module defines.
    fn fixed(&self, module: Atom, functor: Functor) -> Option<PredId> {
        let id = self.predicates.find(atoms::SYSTEM, functor)?;
        let predicate = self.predicates.get(id);
        if predicate.traits.protected {
            return Some(id);
        }
        let own = self.predicates.find(module, functor);
        let free = own.is_none_or(|own| {
            matches!(
                self.predicates.get(own).kind,
                Kind::Undefined | Kind::Imported(_)
            )
        });
        // Predicates with a name that begins with `$` are visible only in this way.
        let defined = predicate.kind != Kind::Undefined;
        (defined && free && self.is_system(module)).then_some(id)
    }
}

impl Resolver for ProgramResolver<'_> {
    fn dialect(&self, module: Atom) -> Dialect {
        if module == atoms::LOLLI {
            Dialect::Lolli
        } else {
            Dialect::Prolog
        }
    }

    fn enters_lolli(&self, module: Atom, inner: Atom) -> bool {
        inner == atoms::LOLLI && module != atoms::LOLLI && !self.is_system(module)
    }

    fn special(&self, name: Atom) -> bool {
        let lolli = self.modules.find(atoms::LOLLI);
        lolli.is_some_and(|lolli| lolli.reserved.contains(&name))
    }

    fn resolve(&mut self, module: Atom, functor: Functor) -> Result<Target, Stop> {
        let module = self.module(module);
        if module == atoms::LOLLI {
            let id = self.predicates.intern(module, functor)?;
            // The builtins of Lolli are builtins of the system under other names.
            let own = self.predicates.get(id);
            return Ok(match own.kind {
                Kind::Imported(target) if own.traits.system => {
                    match self.predicates.get(target).kind {
                        Kind::Builtin(builtin) if (self.deterministic)(builtin) => {
                            Target::Builtin(builtin)
                        }
                        _ => Target::Predicate(id.0),
                    }
                }
                _ => Target::Predicate(id.0),
            });
        }
        if let Some(id) = self.fixed(module, functor) {
            return Ok(match self.predicates.get(id).kind {
                Kind::Builtin(builtin) if (self.deterministic)(builtin) => Target::Builtin(builtin),
                _ => Target::Predicate(id.0),
            });
        }
        Ok(Target::Predicate(
            self.predicates.intern(module, functor)?.0,
        ))
    }

    fn folds(&self, predicate: u32) -> Option<Collected> {
        match self.predicates.get(PredId(predicate)).functor {
            functors::LENGTH2 => Some(Collected::Count),
            functors::SUM_LIST2 | functors::SUMLIST2 => Some(Collected::Sum),
            _ => None,
        }
    }

    fn internal(&self, name: &str, arity: usize) -> Option<u32> {
        let internal = |builtin: &&&'static Builtin| {
            builtin.class == Class::Internal && builtin.name == name && builtin.modes.len() == arity
        };
        let place = self
            .builtins
            .iter()
            .position(|builtin| internal(&builtin))?;
        Some(place as u32)
    }

    fn constraint(&self, module: Atom, functor: Functor) -> Option<u32> {
        let module = self.module(module);
        let compare = NumCompare::of_constraint(functor)?;
        let constrains = constrains(self.predicates, module, compare);
        (constrains && self.is_system(atoms::CLPFD)).then(|| self.internal(compare.name(), 2))?
    }

    fn in_place(&self, module: Atom, functor: Functor) -> bool {
        let module = self.module(module);
        self.predicates.find(module, functor).is_none_or(|id| {
            matches!(
                self.predicates.get(id).kind,
                Kind::Undefined | Kind::Imported(_)
            ) && !self.predicates.get(id).traits.defined
                && !self.predicates.get(id).traits.assumed
        })
    }

    fn sensitive(&self, module: Atom, functor: Functor) -> Option<Result<Vec<Sensitive>, Stop>> {
        let module = self.module(module);
        if module == atoms::LOLLI {
            // The meaning of the name is known only when the goal is called.
            return None;
        }
        let mut id = self
            .predicates
            .find(module, functor)
            .filter(|&id| self.predicates.get(id).kind != Kind::Undefined)
            .or_else(|| self.predicates.find(atoms::SYSTEM, functor))?;
        while let Kind::Imported(target) = self.predicates.get(id).kind {
            id = target;
        }
        let predicate = self.predicates.get(id);
        let meta = predicate.meta.as_ref()?;
        // A program's module may define the other predicates itself later. They receive the module when they are
        // called.
        let known = predicate.traits.protected || self.is_system(module);
        (known && self.is_system(predicate.module))
            .then(|| meta.iter().map(|mode| mode.sensitivity()).gather())
    }

    fn hides(&self, module: Atom, functor: Functor, own: bool) -> bool {
        if self.of_system || self.module(module) != module {
            return false;
        }
        let system = self.is_system(module);
        if !system && !own {
            return false;
        }
        let defined = |module: Atom| {
            let id = self.predicates.find(module, functor)?;
            let predicate = self.predicates.get(id);
            (predicate.kind != Kind::Undefined).then_some(predicate)
        };
        let shown = match defined(module) {
            Some(Predicate {
                kind: Kind::Imported(_),
                ..
            })
            | None => false,
            Some(predicate) => !predicate.traits.system,
        };
        let open = |module: Atom| {
            let module = self.modules.find(module);
            module.is_some_and(|module| {
                module.exports.contains(&functor) || module.open.contains(&functor)
            })
        };
        let of_system = defined(atoms::SYSTEM).is_some();
        if shown || own && of_system && open(atoms::SYSTEM) {
            return false;
        }
        match system {
            true => !open(module) && (own || !of_system),
            false => of_system,
        }
    }

    fn inner_name(&mut self, symbols: &mut Symbols, module: Atom) -> Result<Atom, Stop> {
        match self.is_system(module) && (self.of_system || module == atoms::SYSTEM) {
            true => self.modules.inner_name(symbols, module),
            false => Ok(module),
        }
    }

    fn connective(&self, module: Atom, functor: Functor) -> bool {
        is_connective(self.predicates, module, functor)
    }

    fn closure(
        &mut self,
        symbols: &mut Symbols,
        name: &str,
        arity: usize,
        captured: usize,
    ) -> Result<Option<u32>, Stop> {
        let arity_with = arity + captured;
        if !self.closures || arity_with >= crate::code::instruction::REGISTERS {
            return Ok(None);
        }
        let module = symbols.intern(CLOSURE_MODULE)?;
        let name = format!("{name}/{arity} #{}", self.predicates.made());
        let name = symbols.intern_passing(&name)?;
        let functor = symbols.functor_passing(name, arity_with)?;
        Ok(Some(self.predicates.intern(module, functor)?.0))
    }

    fn scoped(&self, module: Atom) -> bool {
        module == atoms::LOLLI
    }

    fn checks_occurs(&self, module: Atom) -> bool {
        self.occurs_check != OccursCheck::False && module != atoms::LOLLI
    }

    fn assumable(&mut self, module: Atom, functor: Functor) -> Result<Option<u32>, Stop> {
        if module != atoms::LOLLI && self.fixed(module, functor).is_some() {
            return Ok(None);
        }
        // The running clause raises the error. No predicate is registered here.
        if !self.of_system && closed_to_assumptions(self.predicates, self.modules, module, functor)
        {
            return Ok(None);
        }
        let id = self.predicates.intern(module, functor)?;
        Ok(Some(self.contexts.assumable(self.predicates, id)?))
    }

    fn wrap(&self, module: Atom) -> Wrap {
        let module = self.module(module);
        if module == atoms::USER {
            Wrap::Nothing
        } else if self.is_system(module) {
            Wrap::Known
        } else {
            Wrap::All
        }
    }
}

/// Returns whether this functor is a connective of linear logic in that module.
pub(in crate::builtins) fn is_connective(
    predicates: &Predicates,
    module: Atom,
    functor: Functor,
) -> bool {
    if module == atoms::LINEAR || module == atoms::LOLLI {
        return true;
    }
    predicates.find(module, functor).is_some_and(|id| {
        let kind = &predicates.get(id).kind;
        matches!(*kind, Kind::Imported(target) if predicates.get(target).module == atoms::LINEAR)
    })
}

/// Returns whether this comparison of integers is the constraint of library(clpfd) in that module.
pub(in crate::builtins) fn constrains(
    predicates: &Predicates,
    module: Atom,
    compare: NumCompare,
) -> bool {
    let mut found = predicates.find(module, compare.constraint());
    while let Some(id) = found {
        let predicate = predicates.get(id);
        match predicate.kind {
            Kind::Imported(target) => found = Some(target),
            _ => return predicate.module == atoms::CLPFD,
        }
    }
    false
}

/// Compiles a clause for the predicate of its head. `term` belongs to `module`.
///
/// # Errors
/// The errors of `assertz/1` (ISO 8.9.2) except permission errors; resource errors.
pub(crate) fn compile_clause(
    m: &mut Machine,
    term: Cell,
    module: Atom,
    file: u32,
    line: u32,
) -> Result<(PredId, Clause), Throw> {
    let (plain, own_module) = m.strip_module(term, module);
    // A program that defines this operator itself declares it with op/3, and may then have such clauses.
    if let View::Struct(functors::IMPLIES, _) = m.store.view(plain)
        && m.ops()?.is_system(atoms::IMPLIES, OpClass::Infix)
    {
        return Err(modify_error(m, functors::IMPLIES));
    }
    if own_module != atoms::LOLLI
        && let Some(found) = fact(m, plain, own_module, (file, line))?
    {
        return Ok(found);
    }
    compile_rule(m, (term, None), module, (file, line))
}

/// Compiles a rule. If a second term is given, it is stored in place of the rule; its goals have the same numbers.
///
/// # Errors
/// Those of [`compile_clause`].
pub(crate) fn compile_rule(
    m: &mut Machine,
    (term, kept): (Cell, Option<Cell>),
    module: Atom,
    (file, line): (u32, u32),
) -> Result<(PredId, Clause), Throw> {
    let (clause, closures) = compile_plain(m, (term, kept), module, (file, line), MAX_NESTED)?;
    // A clause that a compiled clause assumes may itself assume clauses.
    let mut todo: Vec<(Closure, usize)> = Vec::new();
    todo.put_all(closures.into_iter().map(|closure| (closure, MAX_NESTED)))?;
    while let Some((closure, nested)) = todo.pop() {
        let inner = compile_closure(m, &closure, (file, line), nested - 1)?;
        todo.put_all(inner.into_iter().map(|closure| (closure, nested - 1)))?;
    }
    Ok(clause)
}

/// Steps counted for each word of a compiled clause.
const STEPS_A_WORD: usize = 4;

/// Clause and its predicate.
type Compiled = (PredId, Clause);

/// Compiles a single clause. Also returns the clauses that it assumes, which the caller compiles up to `nested`
/// levels deep.
fn compile_plain(
    m: &mut Machine,
    term: (Cell, Option<Cell>),
    module: Atom,
    place: (u32, u32),
    nested: usize,
) -> Result<(Compiled, Vec<Closure>), Throw> {
    let mut ir = std::mem::take(&mut m.run.clause);
    let result = compile_with(m, &mut ir, term, module, place, nested);
    // Free the memory that a large clause needed.
    m.run.clause = if ir.terms.capacity() > 1 << 16 {
        Default::default()
    } else {
        ir
    };
    m.entries = m.world.predicates.entries();
    result
}

/// Converts a clause that belongs to `module`. The flags: whether to compile the clauses that it assumes, and
/// whether it is from a text of the system.
pub(in crate::builtins) fn lower_in(
    m: &mut Machine,
    ir: &mut crate::ir::clause::Clause,
    term: Cell,
    module: Atom,
    (closures, of_system): (bool, bool),
) -> Result<Lowered, LowerError> {
    let builtins = &m.world.host.builtins;
    let deterministic = |index: u32| matches!(builtins[index as usize].body, Body::Det(_));
    let mut resolver = ProgramResolver {
        predicates: &mut m.world.predicates,
        modules: &mut m.world.modules,
        contexts: &mut m.run.contexts,
        closures,
        deterministic: &deterministic,
        builtins,
        occurs_check: m.world.flags.occurs_check,
        of_system,
    };
    lower(
        &mut m.store,
        &mut m.world.symbols,
        &mut resolver,
        ir,
        term,
        module,
    )
}

fn compile_with(
    m: &mut Machine,
    ir: &mut crate::ir::clause::Clause,
    (term, kept): (Cell, Option<Cell>),
    module: Atom,
    (file, line): (u32, u32),
    nested: usize,
) -> Result<(Compiled, Vec<Closure>), Throw> {
    let options = (file != 0 && nested > 0, m.world.booting);
    let lowered = lower_in(m, ir, term, module, options);
    let lowered = lowered.map_err(|error| lower_error(m, error))?;
    let marks: Vec<Cell> = (0..ir.literals.len()).map(literal_mark).gather()?;
    // No message refers to clauses that goals have made.
    let placed = file != 0;
    let Ok((code, sites)) = compile(ir, &marks, &m.world.symbols, &m.store.events.watch, placed)
    else {
        m.go_on()?;
        return Err(m.resource_error(atoms::MEMORY));
    };
    let own_module = module;
    let Lowered {
        module,
        functor,
        is_fact,
        zero_arity,
        closures,
    } = lowered;
    let is_fact = is_fact && kept.is_none();
    let term = kept.unwrap_or(term);
    let term = match zero_arity {
        true => with_atoms_as_goals(m, term)?,
        false => term,
    };
    let term = plain_clause(m, (term, own_module), is_fact)?;
    let (mut source, mut literals) = (Vec::new(), Vec::new());
    let root = m
        .store
        .copy_clause_out(term, &ir.literals, &mut source, &mut literals)?;
    let parts = Parts {
        code: &code,
        source: &source,
        root,
        literals: &literals,
        shares: !literals.is_empty(),
        is_fact,
        has_code: true,
        file,
        line,
        sites: &packed_sites(&sites)?,
    };
    let clause = Clause::new(&parts, &m.store.events.watch)?;
    m.store.watch.did_many(clause.size() * STEPS_A_WORD);
    Ok((
        (m.world.predicates.intern(module, functor)?, clause),
        closures,
    ))
}

/// Compiles a clause that another clause assumes. Returns the clauses that it assumes itself.
fn compile_closure(
    m: &mut Machine,
    closure: &Closure,
    (file, line): (u32, u32),
    nested: usize,
) -> Result<Vec<Closure>, Throw> {
    let Some(free) = free_variables(&m.store, closure.formula)? else {
        unreachable!("the variables of the formula were found before")
    };
    let clauses = clauses_of(&mut m.store, closure.formula);
    let clause = match clauses.as_deref() {
        Ok([clause]) => clause,
        Err(FormulaError::Memory) => return Err(m.no_room()),
        _ => unreachable!("the formula stood for one clause before"),
    };
    let (head, _) = m.strip_module(clause.head, closure.module);
    let mut args: Vec<Cell> = match m.store.compound(head) {
        Some((functor, addr)) => m.store.args(functor, addr).gather()?,
        None => Vec::new(),
    };
    args.put_all(free)?;
    let functor = m.world.predicates.get(PredId(closure.predicate)).functor;
    m.store.reserve(args.len() + 8 * clause.bodies.len() + 8)?;
    let head = if args.is_empty() {
        Cell::atom(m.world.symbols.name(functor))
    } else {
        m.store.new_struct(functor, &args)
    };
    let module = Cell::atom(m.world.symbols.intern(CLOSURE_MODULE)?);
    let head = m.store.new_struct(functors::COLON, &[module, head]);
    let body = conjunction(m, &clause.bodies);
    let term = m.store.new_struct(functors::NECK, &[head, body]);
    let ((id, clause), closures) =
        compile_plain(m, (term, None), closure.module, (file, line), nested)?;
    if let Some(file) = m.world.files.get_mut(file) {
        file.defines.put(id)?;
    }
    load_clause(m, id, clause)?;
    Ok(closures)
}

/// Removes the module prefixes of a clause: `Head :- Body`, or the head alone if it is a fact. Qualifies the body
/// of a clause for another module.
fn plain_clause(
    m: &mut Machine,
    (term, module): (Cell, Atom),
    is_fact: bool,
) -> Result<Cell, Throw> {
    let (term, module) = m.strip_module(term, module);
    let View::Struct(functors::NECK, args) = m.store.view(term) else {
        return Ok(term);
    };
    let (head, home) = m.strip_module(m.store.arg(args, 0), module);
    if is_fact {
        return Ok(head);
    }
    let hidden = [CLOSURE_MODULE, LOLLI_CLAUSES].contains(&m.world.symbols.text(home));
    if home == module || home == atoms::LAMBDAS || hidden || m.is_system_module(module) {
        return Ok(term);
    }
    m.store.reserve(6)?;
    let body = [Cell::atom(module), m.store.arg(args, 1)];
    let body = m.store.new_struct(functors::COLON, &body);
    Ok(m.store
        .new_struct(functors::NECK, &[m.store.arg(args, 0), body]))
}

/// Builds head and body of a stored clause on the heap.
///
/// # Errors
/// A resource error.
pub(crate) fn source_terms(
    m: &mut Machine,
    id: PredId,
    position: i64,
) -> Result<Option<(Cell, Cell)>, Throw> {
    let Some(clause) = m.world.predicates.get(id).clauses.get(position) else {
        return Ok(None);
    };
    let is_fact = clause.is_fact();
    let term = clause.load(&mut m.store)?;
    if is_fact {
        return Ok(Some((term, Cell::atom(atoms::TRUE))));
    }
    match m.store.view(term) {
        View::Struct(functors::NECK, args) => {
            let head = m.strip_module(m.store.arg(args, 0), atoms::USER).0;
            Ok(Some((head, m.store.arg(args, 1))))
        }
        _ => Ok(Some((term, Cell::atom(atoms::TRUE)))),
    }
}

fn lower_error(m: &mut Machine, error: LowerError) -> Throw {
    match error {
        LowerError::Unbound => m.instantiation_error(),
        LowerError::Head(culprit) | LowerError::Body(culprit) => {
            m.type_error(atoms::CALLABLE, culprit)
        }
        LowerError::Arity => m.representation_error(atoms::MAX_ARITY),
        LowerError::Cyclic(culprit) => m.type_error(atoms::ACYCLIC, culprit),
        LowerError::Memory => m.no_room(),
    }
}

/// Returns `permission_error(modify, static_procedure, Name/Arity)`.
pub(crate) fn modify_error(m: &mut Machine, functor: Functor) -> Throw {
    let indicator = m.indicator(functor);
    m.permission_error(atoms::MODIFY, atoms::STATIC_PROCEDURE, indicator)
}

/// Returns `permission_error(redefine, imported_procedure, Module:Name/Arity)`.
fn redefine_error(m: &mut Machine, target: PredId) -> Result<Throw, Stop> {
    let predicate = m.world.predicates.get(target);
    let (module, functor) = (Cell::atom(predicate.module), predicate.functor);
    let indicator = m.indicator(functor);
    let culprit = m.store.new_struct(functors::COLON, &[module, indicator]);
    Ok(m.permission_error("redefine", IMPORTED_PROCEDURE, culprit))
}

/// Type of a predicate that was imported by its name, in permission errors.
pub(crate) const IMPORTED_PROCEDURE: &str = "imported_procedure";

/// Returns whether no program may define or change a predicate. This is so for control constructs, builtins, and
/// predicates of the system or of the host.
pub(crate) fn is_protected(m: &Machine, id: PredId) -> bool {
    let predicate = m.world.predicates.get(id);
    if predicate.module == atoms::LOLLI {
        let special = m.is_special(m.world.symbols.name(predicate.functor)) && !m.world.booting;
        return special || m.is_of_host(predicate.functor);
    }
    m.is_closed(predicate.module, predicate.functor)
}

/// Adds a clause for `assertz/1` and similar builtins. An unknown predicate becomes dynamic.
///
/// # Errors
/// A permission error for a static predicate.
pub(crate) fn add_clause(
    m: &mut Machine,
    id: PredId,
    clause: Clause,
    front: bool,
) -> Result<i64, Throw> {
    if m.world.predicates.get(id).kind == Kind::Undefined {
        m.settle_module(m.world.predicates.get(id).module)?;
    }
    let predicate = m.world.predicates.get(id);
    let functor = predicate.functor;
    if is_protected(m, id) || (predicate.traits.system && predicate.kind != Kind::Dynamic) {
        return Err(modify_error(m, functor));
    }
    match predicate.kind {
        Kind::Dynamic => {}
        // The module that it is imported from identifies a connective.
        Kind::Imported(target) if m.world.predicates.get(target).module == atoms::LINEAR => {
            return Err(modify_error(m, functor));
        }
        Kind::Undefined | Kind::Imported(_) => make_dynamic(m, id)?,
        _ => return Err(modify_error(m, functor)),
    }
    append(m, id, clause, front)
}

/// Makes a predicate without own clauses dynamic.
pub(crate) fn make_dynamic(m: &mut Machine, id: PredId) -> Result<(), Stop> {
    // Defining a predicate creates its module.
    m.world.modules.intern(m.world.predicates.get(id).module)?;
    let predicate = m.world.predicates.get_mut(id);
    predicate.kind = Kind::Dynamic;
    predicate.traits.defined = true;
    m.world.predicates.reset_entry(id)?;
    Ok(())
}

/// Adds a clause in a new generation of the database.
fn append(m: &mut Machine, id: PredId, mut clause: Clause, front: bool) -> Result<i64, Throw> {
    let clauses = &mut m.world.predicates.get_mut(id).clauses;
    clauses.make_room()?;
    clause.set_place(id.0, clauses.next_position(front));
    m.claim_indexes(id)?;
    m.claim_clause(id, &clause)?;
    m.world.predicates.generation += 1;
    let generation = m.world.predicates.generation;
    let loaded = clause.file() != 0 && !m.world.booting;
    let clauses = &mut m.world.predicates.get_mut(id).clauses;
    let position = clauses.add(clause, generation, front)?;
    if loaded {
        m.world.predicates.note_loaded(id, position)?;
    }
    Ok(position)
}

/// Adds a clause of a file. An unknown predicate becomes static.
///
/// # Errors
/// A permission error for a predicate of the system.
pub(crate) fn load_clause(m: &mut Machine, id: PredId, clause: Clause) -> Result<(), Throw> {
    if m.world.predicates.get(id).kind == Kind::Undefined {
        m.settle_module(m.world.predicates.get(id).module)?;
    }
    let predicate = m.world.predicates.get(id);
    let functor = predicate.functor;
    let of_library = predicate.traits.system && predicate.kind == Kind::Static && !m.world.booting;
    if is_protected(m, id) || of_library {
        return Err(modify_error(m, functor));
    }
    match predicate.kind {
        Kind::Dynamic => {}
        Kind::Static => {
            if m.world.predicates.own_entry(id) != m.world.predicates.get(id).stub() {
                m.world.predicates.reset_entry(id)?;
            }
        }
        Kind::Imported(target)
            if predicate.traits.named && !m.world.predicates.get(target).traits.system =>
        {
            return Err(redefine_error(m, target)?);
        }
        Kind::Undefined | Kind::Imported(_) => {
            let predicate = m.world.predicates.get_mut(id);
            predicate.kind = Kind::Static;
            predicate.traits.defined = true;
            m.world.predicates.reset_entry(id)?;
        }
        Kind::Builtin(_) | Kind::Control => return Err(modify_error(m, functor)),
    }
    append(m, id, clause, false).map(|_| ())
}
