//! Clauses into the program: conversion, compilation, permission, linking. What the loader and the
//! database builtins share.

use crate::base::symbol::{Atom, Functor, atoms, functors};
use crate::compile::{compile, index};
use crate::front::lower::{LowerError, Lowered, Resolver, Target, Wrap, lower};
use crate::machine::builtin::Body;
use crate::machine::state::Machine;
use crate::machine::throw::Throw;
use crate::program::clause_list::{ALIVE, Clause, ClauseCode};
use crate::program::module::Modules;
use crate::program::predicate::{Kind, PredId, Predicates};
use crate::store::cell::Cell;
use crate::store::copy::pool_from;
use crate::store::heap::View;
use std::sync::Arc;

struct ProgramResolver<'a> {
    predicates: &'a mut Predicates,
    modules: &'a Modules,
    deterministic: &'a dyn Fn(u32) -> bool,
}

impl ProgramResolver<'_> {
    fn is_system(&self, module: Atom) -> bool {
        self.modules
            .find(module)
            .is_some_and(|module| module.system)
    }

    /// The predicate of the system that a goal means whatever its module defines.
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
        let native = matches!(predicate.kind, Kind::Builtin(_));
        (native && free && self.is_system(module)).then_some(id)
    }
}

impl Resolver for ProgramResolver<'_> {
    fn resolve(&mut self, module: Atom, functor: Functor) -> Target {
        if let Some(id) = self.fixed(module, functor) {
            return match self.predicates.get(id).kind {
                Kind::Builtin(builtin) if (self.deterministic)(builtin) => Target::Builtin(builtin),
                _ => Target::Predicate(id.0),
            };
        }
        Target::Predicate(self.predicates.intern(module, functor).0)
    }

    fn in_place(&self, module: Atom, functor: Functor) -> bool {
        self.predicates.find(module, functor).is_none_or(|id| {
            matches!(
                self.predicates.get(id).kind,
                Kind::Undefined | Kind::Imported(_)
            ) && !self.predicates.get(id).traits.defined
        })
    }

    fn sensitive(&self, module: Atom, functor: Functor) -> Option<Vec<bool>> {
        let mut id = self
            .predicates
            .find(module, functor)
            .filter(|&id| self.predicates.get(id).kind != Kind::Undefined)
            .or_else(|| self.predicates.find(atoms::SYSTEM, functor))?;
        while let Kind::Imported(target) = self.predicates.get(id).kind {
            id = target;
        }
        let meta = self.predicates.get(id).meta.as_ref()?;
        Some(meta.iter().map(|mode| mode.sensitive()).collect())
    }

    fn wrap(&self, module: Atom) -> Wrap {
        if module == atoms::USER {
            Wrap::Nothing
        } else if self.is_system(module) {
            Wrap::Known
        } else {
            Wrap::All
        }
    }
}

/// Compiles a clause, given as a term that stands in `module`, for the predicate of its head.
///
/// # Errors
/// The errors of `assertz/1` (ISO 8.9.2) but for permissions; resource errors.
pub(crate) fn compile_clause(
    m: &mut Machine,
    term: Cell,
    module: Atom,
    file: u32,
    line: u32,
) -> Result<(PredId, Clause), Throw> {
    let mut ir = std::mem::take(&mut m.clause);
    let result = compile_with(m, &mut ir, term, module, file, line);
    // A large clause is no reason to keep as much room for ever.
    m.clause = if ir.terms.capacity() > 1 << 16 {
        Default::default()
    } else {
        ir
    };
    m.entries = m.predicates.entries();
    result
}

fn compile_with(
    m: &mut Machine,
    ir: &mut crate::ir::clause::Clause,
    term: Cell,
    module: Atom,
    file: u32,
    line: u32,
) -> Result<(PredId, Clause), Throw> {
    let builtins = &m.builtins;
    let deterministic = |index: u32| matches!(builtins[index as usize].body, Body::Det(_));
    let mut resolver = ProgramResolver {
        predicates: &mut m.predicates,
        modules: &m.modules,
        deterministic: &deterministic,
    };
    let lowered = lower(
        &mut m.store,
        &mut m.symbols,
        &mut resolver,
        ir,
        term,
        module,
    );
    let lowered = lowered.map_err(|error| lower_error(m, error))?;
    let mut pools = Vec::new();
    let mut cells = Vec::new();
    for &literal in &ir.literals {
        let stored = m.store.store_term(literal)?;
        let pool = pool_from(&stored)?;
        cells.push(pool.root());
        pools.push(pool);
    }
    let Ok(words) = compile(ir, &cells, &m.symbols) else {
        return Err(m.resource_error(atoms::MEMORY));
    };
    let source = m.store.store_term(plain_clause(m, term, lowered.is_fact))?;
    let Lowered {
        module,
        functor,
        keys,
        is_fact,
    } = lowered;
    let code = Arc::new(ClauseCode {
        words: words.into_boxed_slice(),
        pools,
    });
    let clause = Clause {
        code,
        source,
        keys,
        is_fact,
        file,
        line,
        born: 0,
        died: ALIVE,
    };
    Ok((m.predicates.intern(module, functor), clause))
}

/// The clause without module prefixes: `Head :- Body`, or the head alone if it is a fact.
fn plain_clause(m: &Machine, term: Cell, is_fact: bool) -> Cell {
    let (term, _) = m.strip_module(term, atoms::USER);
    match m.store.view(term) {
        View::Struct(functors::NECK, args) if is_fact => {
            m.strip_module(m.store.arg(args, 0), atoms::USER).0
        }
        _ => term,
    }
}

/// Head and body of a stored clause, on the heap.
///
/// # Errors
/// A resource error.
pub(crate) fn source_terms(
    m: &mut Machine,
    id: PredId,
    position: i64,
) -> Result<Option<(Cell, Cell)>, Throw> {
    let Some(clause) = m.predicates.get(id).clauses.get(position) else {
        return Ok(None);
    };
    let is_fact = clause.is_fact;
    let term = m.store.load_term(&clause.source)?;
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
        LowerError::Memory => m.resource_error(atoms::MEMORY),
    }
}

/// `permission_error(modify, static_procedure, Name/Arity)`
pub(crate) fn modify_error(m: &mut Machine, functor: Functor) -> Throw {
    let indicator = m.indicator(functor);
    m.permission_error(atoms::MODIFY, atoms::STATIC_PROCEDURE, indicator)
}

/// Is it one that no program may define or change: a control construct, a builtin, or a predicate
/// of the system?
pub(crate) fn is_protected(m: &Machine, id: PredId) -> bool {
    let predicate = m.predicates.get(id);
    let system = m.predicates.find(atoms::SYSTEM, predicate.functor);
    let fixed = system.is_some_and(|system| m.predicates.get(system).traits.protected);
    fixed && !m.booting
}

/// Adds a clause for `assertz/1` and its kin: an unknown predicate becomes dynamic.
///
/// # Errors
/// A permission error for a static predicate.
pub(crate) fn add_clause(
    m: &mut Machine,
    id: PredId,
    clause: Clause,
    front: bool,
) -> Result<i64, Throw> {
    let predicate = m.predicates.get(id);
    let functor = predicate.functor;
    if is_protected(m, id) || (predicate.traits.system && predicate.kind != Kind::Dynamic) {
        return Err(modify_error(m, functor));
    }
    match predicate.kind {
        Kind::Dynamic => {}
        Kind::Undefined | Kind::Imported(_) => make_dynamic(m, id),
        _ => return Err(modify_error(m, functor)),
    }
    Ok(append(m, id, clause, front))
}

/// Makes a predicate without clauses of its own dynamic.
pub(crate) fn make_dynamic(m: &mut Machine, id: PredId) {
    let predicate = m.predicates.get_mut(id);
    predicate.kind = Kind::Dynamic;
    predicate.traits.defined = true;
    m.predicates.reset_entry(id);
    let retry = crate::code::instruction::Op::DynamicRetry as u64;
    let call =
        crate::code::instruction::encode_wide(crate::code::instruction::Op::Dynamic, 0, id.0);
    m.predicates.set_stub(id, [call, retry, 0, 0]);
}

/// Adds a clause in a new generation of the database.
fn append(m: &mut Machine, id: PredId, mut clause: Clause, front: bool) -> i64 {
    m.predicates.generation += 1;
    clause.born = m.predicates.generation;
    m.predicates.get_mut(id).clauses.add(clause, front)
}

/// Adds a clause of a file: an unknown predicate becomes static.
///
/// # Errors
/// A permission error for a predicate of the system.
pub(crate) fn load_clause(m: &mut Machine, id: PredId, clause: Clause) -> Result<(), Throw> {
    let predicate = m.predicates.get(id);
    let functor = predicate.functor;
    if is_protected(m, id) {
        return Err(modify_error(m, functor));
    }
    match predicate.kind {
        Kind::Dynamic => {}
        Kind::Static => {
            if m.predicates.entry(id) != m.predicates.get(id).stub.as_ptr() as u64 {
                m.predicates.reset_entry(id);
            }
        }
        Kind::Undefined | Kind::Imported(_) => {
            let predicate = m.predicates.get_mut(id);
            predicate.kind = Kind::Static;
            predicate.traits.defined = true;
            m.predicates.reset_entry(id);
        }
        Kind::Builtin(_) | Kind::Control => return Err(modify_error(m, functor)),
    }
    append(m, id, clause, false);
    Ok(())
}

/// Builds the index of a static predicate, or one node of it: the hook of the machine.
pub(crate) fn link(m: &mut Machine, id: PredId, node: Option<usize>) -> u64 {
    let fail = m.stubs.fail();
    let predicate = m.predicates.get_mut(id);
    let arity = predicate.functor.arity();
    let (excluded, positions) = match node {
        Some(node) => predicate
            .nodes
            .get_mut(node)
            .map(std::mem::take)
            .unwrap_or_default(),
        None => (0, Vec::new()),
    };
    let entry = |position: i64, clause: &Clause| {
        // The borrow of the keys ends with the build below; clauses are boxed and do not move.
        (position, clause.code.entry(), clause.keys.clone())
    };
    let chosen: Vec<(i64, u64, Box<[crate::ir::key::Key]>)> = match node {
        Some(_) => positions
            .iter()
            .filter_map(|&position| Some(entry(position, predicate.clauses.get(position)?)))
            .collect(),
        None => predicate
            .clauses
            .iter()
            .map(|(position, clause)| entry(position, clause))
            .collect(),
    };
    let entries: Vec<index::Entry<'_>> = chosen
        .iter()
        .map(|(position, address, keys)| index::Entry {
            position: *position,
            address: *address,
            keys,
        })
        .collect();
    let first_later = predicate.nodes.len();
    let (mut code, single) = index::build(&entries, excluded, arity, id.0, first_later, fail);
    predicate.nodes.append(&mut code.later);
    if let Some(address) = single {
        return address;
    }
    let words = code.finish();
    let address = words.as_ptr() as u64;
    predicate.index.push(words);
    address
}
