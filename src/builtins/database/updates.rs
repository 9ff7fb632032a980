//! Clause creation, destruction and retrieval (ISO 13211-1, 8.8.1 and 8.9) with the logical update view of 7.5.4,
//! and references to clauses.

use super::clause_search::{
    Enumeration, Pattern, Undo, callable_body, check_module, clause_pattern, pattern, unify_clause,
};
use super::clauses::{add_clause, make_dynamic, modify_error, source_terms};
use super::modules::indicator_arg;
use super::records::referenced;
use super::stored::asserted_clause;
use crate::base::atom_table::{Atom, Functor, atoms, functors};
use crate::base::growth::{Gather, Grow};
use crate::base::stop::Stop;
use crate::machine::builtin::{Step, builtins};
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::program::clauses::clause_list::KEYED_ARGS;
use crate::program::clauses::generation::Generation;
use crate::program::predicate::{Kind, PredId};
use crate::store::cell::{Cell, tag};
use crate::store::heap::View;

// ---- permissions ------------------------------------------------------------------------------

/// Origin of a change. No program changes the private predicates of texts of the system.
#[derive(Copy, Clone, PartialEq, Eq)]
enum By {
    Program,
    System,
}

impl By {
    /// Checks that clauses of a predicate may be added or removed.
    fn check(self, m: &mut Machine, module: Atom, functor: Functor) -> Result<(), Throw> {
        match self == By::Program && m.is_shut(module, functor)? {
            true => Err(modify_error(m, functor)),
            false => Ok(()),
        }
    }
}

/// Returns the predicate whose clauses change, or `None` if it has no clauses of its own.
fn changed_predicate(
    m: &mut Machine,
    (module, functor): (Atom, Functor),
    by: By,
) -> Result<Option<PredId>, Throw> {
    by.check(m, module, functor)?;
    m.settle_module(module)?;
    let Some(id) = m.world.predicates.find(module, functor) else {
        return Ok(None);
    };
    let id = m.definition(id);
    let predicate = m.world.predicates.get(id);
    match predicate.kind {
        Kind::Dynamic => {
            let home = predicate.module;
            by.check(m, home, functor)?;
            Ok(Some(id))
        }
        Kind::Undefined => Ok(None),
        _ if predicate.traits.system && predicate.module != module => Ok(None),
        _ => Err(modify_error(m, functor)),
    }
}

/// Returns the predicate whose clauses are read, or `None` if there is none.
pub(in crate::builtins) fn readable_predicate(
    m: &mut Machine,
    module: Atom,
    functor: Functor,
) -> Result<Option<PredId>, Throw> {
    m.settle_module(module)?;
    let Some(id) = m.visible_definition(module, functor)? else {
        return Ok(None);
    };
    m.complete_predicate(id)?;
    let predicate = m.world.predicates.get(id);
    match predicate.kind {
        Kind::Dynamic => Ok(Some(id)),
        Kind::Static if predicate.module != atoms::SYSTEM => Ok(Some(id)),
        Kind::Undefined | Kind::Imported(_) => Ok(None),
        Kind::Static | Kind::Builtin(_) | Kind::Control => Err(private_error(m, functor)),
    }
}

fn private_error(m: &mut Machine, functor: Functor) -> Throw {
    let indicator = m.indicator(functor);
    m.permission_error(atoms::ACCESS, atoms::PRIVATE_PROCEDURE, indicator)
}

// ---- assert, clause, retract ------------------------------------------------------------------

fn assert(m: &mut Machine, clause: Cell, front: bool, by: By) -> Result<(PredId, i64), Throw> {
    let (term, module) = m.in_module(clause);
    check_module(m, term)?;
    let (mut id, clause) = asserted_clause(m, term, module)?;
    // A change of an imported predicate affects the module that defines it.
    let definition = m.definition(id);
    if !m.world.predicates.get(definition).traits.system {
        id = definition;
    }
    let predicate = m.world.predicates.get(id);
    by.check(m, predicate.module, predicate.functor)?;
    let position = add_clause(m, id, clause, front)?;
    Ok((id, position))
}

fn assert_reference(
    m: &mut Machine,
    clause: Cell,
    reference: Cell,
    front: bool,
) -> Result<bool, Throw> {
    if !reference.is_var() {
        return Err(m.uninstantiation_error(reference));
    }
    let (id, position) = assert(m, clause, front, By::Program)?;
    let made = clause_reference(m, id, position)?;
    Ok(m.unify(reference, made)?)
}

/// Runs `clause/2`, and `clause/3` with an unbound reference.
fn clause(
    m: &mut Machine,
    head: Cell,
    body: Cell,
    reference: Option<Cell>,
    state: Option<i64>,
) -> Result<Step, Throw> {
    let (head, module) = m.in_module(head);
    let pattern = pattern(m, head, module, Some(body))?;
    let arity = if reference.is_some() { 3 } else { 2 };
    let mut enumeration = match state {
        Some(_) => Enumeration::resume(m, arity),
        None => {
            if !body.is_var() {
                m.callable_arg(body)?;
            }
            let Some(id) = readable_predicate(m, pattern.module, pattern.functor)? else {
                return Ok(Step::Fail);
            };
            // `clause/3` is not in the standard. Tools of the library read all clauses with it.
            let standard = m.world.flags.iso && reference.is_none();
            if standard && !matches!(m.world.predicates.get(id).kind, Kind::Dynamic) {
                return Err(private_error(m, pattern.functor));
            }
            Enumeration::begin(m, id, &pattern)?
        }
    };
    let Some(position) = enumeration.advance(m, &pattern)? else {
        return Ok(Step::Fail);
    };
    if let Some(reference) = reference {
        let made = clause_reference(m, enumeration.id, position)?;
        m.unify(reference, made)?;
    }
    Ok(enumeration.suspend(m, arity))
}

/// Runs `clause/3` with a known reference.
fn clause_at(m: &mut Machine, head: Cell, body: Cell, reference: Cell) -> Result<Step, Throw> {
    let Some((id, position)) = find_clause(m, reference)? else {
        return Ok(Step::Fail);
    };
    let Some((found, found_body)) = source_terms(m, id, position)? else {
        return Ok(Step::Fail);
    };
    let (head, _) = m.in_module(head);
    let found_body = callable_body(m, found_body)?;
    let unified = m.unify(head, found)? && m.unify(body, found_body)?;
    Ok(Step::when(unified))
}

fn retract(m: &mut Machine, clause: Cell, state: Option<i64>, by: By) -> Result<Step, Throw> {
    let pattern = clause_pattern(m, clause)?;
    let mut enumeration = match state {
        Some(_) => Enumeration::resume(m, 1),
        None => match changed_predicate(m, (pattern.module, pattern.functor), by)? {
            Some(id) => Enumeration::begin(m, id, &pattern)?,
            None => return Ok(Step::Fail),
        },
    };
    let Some(position) = enumeration.advance(m, &pattern)? else {
        return Ok(Step::Fail);
    };
    m.erase_clause(enumeration.id, position)?;
    let step = enumeration.suspend(m, 1);
    if step == Step::Last {
        m.remove_dead(enumeration.id)?;
    }
    m.free_retired_code()?;
    Ok(step)
}

/// Returns whether the arguments are different variables, so that every clause matches.
fn is_most_general(m: &Machine, pattern: &Pattern) -> Result<bool, Stop> {
    let arity = pattern.functor.arity();
    let mut seen = Vec::with_capacity(arity);
    for index in 0..arity {
        let arg = m.store.arg(pattern.args, index);
        if arg.tag() != tag::REF || seen.contains(&arg) || seen.len() > KEYED_ARGS {
            return Ok(false);
        }
        seen.put(arg)?;
    }
    Ok(true)
}

fn retract_all(m: &mut Machine, head: Cell, by: By) -> Result<Step, Throw> {
    let (head, module) = m.in_module(head);
    let pattern = pattern(m, head, module, None)?;
    let Some(id) = changed_predicate(m, (pattern.module, pattern.functor), by)? else {
        let id = m.intern_predicate(pattern.module, pattern.functor)?;
        make_dynamic(m, id)?;
        return Ok(Step::Last);
    };
    let general = is_most_general(m, &pattern)?;
    let before = Undo::new(m);
    let mut enumeration = Enumeration::begin(m, id, &pattern)?;
    while let Some(position) = enumeration.next {
        enumeration.find(m, &pattern, position + 1)?;
        if general || unify_clause(m, &pattern, id, position)? {
            m.erase_clause(id, position)?;
            before.undo(m);
        }
    }
    m.remove_dead(id)?;
    m.free_retired_code()?;
    Ok(Step::Last)
}

fn abolish(m: &mut Machine, indicator: Cell) -> Result<Step, Throw> {
    let (indicator, module) = m.in_module(indicator);
    let functor = indicator_arg(m, indicator)?;
    By::Program.check(m, module, functor)?;
    m.settle_module(module)?;
    let Some(id) = m.world.predicates.find(module, functor) else {
        return Ok(Step::Last);
    };
    let predicate = m.world.predicates.get(id);
    match predicate.kind {
        Kind::Dynamic => {}
        Kind::Undefined | Kind::Imported(_) => return Ok(Step::Last),
        _ => return Err(modify_error(m, functor)),
    }
    let positions: Vec<i64> = predicate
        .clauses
        .iter()
        .map(|(position, _)| position)
        .gather()?;
    for position in positions {
        m.erase_clause(id, position)?;
    }
    m.remove_dead(id)?;
    undefine(m, id)?;
    m.free_retired_code()?;
    Ok(Step::Last)
}

/// Makes a dynamic predicate without clauses unknown. Calls that run through its dead clauses continue.
fn undefine(m: &mut Machine, id: PredId) -> Result<(), Stop> {
    let predicate = m.world.predicates.get_mut(id);
    predicate.kind = Kind::Undefined;
    predicate.traits.defined = false;
    predicate.traits.discontiguous = false;
    m.world.predicates.reset_entry(id)?;
    Ok(())
}

// ---- references -------------------------------------------------------------------------------

/// Builds `'$clause'(Predicate, Position, Born)`, where `Born` is the generation in which the clause was added.
/// Such a term written by hand is not a valid reference.
pub(in crate::builtins) fn clause_reference(
    m: &mut Machine,
    id: PredId,
    position: i64,
) -> Result<Cell, Stop> {
    let born = m
        .world
        .predicates
        .get(id)
        .clauses
        .born(position)
        .unwrap_or(0);
    let args = [i64::from(id.0), position, born as i64].map(Cell::int);
    Ok(m.store.new_struct(functors::CLAUSE_REFERENCE, &args))
}

/// Returns the living clause that a reference stands for.
pub(crate) fn find_clause(
    m: &mut Machine,
    reference: Cell,
) -> Result<Option<(PredId, i64)>, Throw> {
    let parts = match m.store.view(reference) {
        View::Struct(functors::CLAUSE_REFERENCE, args) => [0, 1, 2].map(|n| m.store.arg(args, n)),
        _ => [Cell::ABSENT; 3],
    };
    if !parts.iter().all(|part| part.is_int()) {
        return Err(m.type_or_instantiation_error("db_reference", reference));
    }
    let [index, position, born] = parts.map(Cell::int_value);
    let index = match u32::try_from(index) {
        Ok(index) if (index as usize) < m.world.predicates.len() => index,
        _ => return Ok(None),
    };
    let id = PredId(index);
    let clauses = &m.world.predicates.get(id).clauses;
    let meant = clauses.is_alive(position) && clauses.born(position) == Some(born as Generation);
    Ok(meant.then_some((id, position)))
}

fn erase(m: &mut Machine, reference: Cell) -> Result<Step, Throw> {
    if let Some((key, number)) = referenced(m, reference)? {
        let erased = m.world.records.erase(&m.store, &key, number)?;
        return Ok(Step::when(erased));
    }
    let Some((id, position)) = find_clause(m, reference)? else {
        return Ok(Step::Fail);
    };
    let predicate = m.world.predicates.get(id);
    let (home, functor) = (predicate.module, predicate.functor);
    if predicate.kind != Kind::Dynamic {
        return Err(modify_error(m, functor));
    }
    By::Program.check(m, home, functor)?;
    m.erase_clause(id, position)?;
    m.remove_dead(id)?;
    m.free_retired_code()?;
    Ok(Step::Last)
}

builtins! { DATABASE =
    /// Adds `clause` as the last clause of its predicate.
    ///
    /// ?- assert(count(0)), count(N).
    /// N = 0.
    library "assert"(":clause") needs effect = |m, [clause]| assert(m, clause, false, By::Program).map(|_| true);
    /// Adds `clause` as the last clause of its predicate and unifies `reference` with a reference to it.
    library "assert"(":clause", "-reference") needs effect = |m, [clause, reference]| {
        assert_reference(m, clause, reference, false)
    };
    /// Adds `clause` as the first clause of its predicate. ISO 8.9.1. A clause with a cyclic term raises
    /// `type_error(acyclic_term, Clause)`; recorda/2 stores cyclic terms.
    ///
    /// ?- assertz(item(1)), asserta(item(0)), findall(X, item(X), L).
    /// L = [0, 1].
    iso "asserta"(":clause") needs effect = |m, [clause]| assert(m, clause, true, By::Program).map(|_| true);
    /// Adds `clause` as the first clause of its predicate and unifies `reference` with a reference to it.
    library "asserta"(":clause", "-reference") needs effect = |m, [clause, reference]| {
        assert_reference(m, clause, reference, true)
    };
    /// Adds `clause` as the last clause of its predicate. ISO 8.9.2. A clause with a cyclic term raises
    /// `type_error(acyclic_term, Clause)`; recordz/2 stores cyclic terms.
    ///
    /// ?- assertz(likes(ann, tea)), assertz((happy(X) :- likes(X, tea))).
    /// true.
    ///
    /// ?- happy(Who).
    /// Who = ann.
    iso "assertz"(":clause") needs effect = |m, [clause]| assert(m, clause, false, By::Program).map(|_| true);
    /// Adds `clause` as the last clause of its predicate and unifies `reference` with a reference to it.
    ///
    /// ?- assertz(fact(1), _Ref), erase(_Ref), \+ fact(_).
    /// true.
    library "assertz"(":clause", "-reference") needs effect = |m, [clause, reference]| {
        assert_reference(m, clause, reference, false)
    };

    /// True if the program has a clause `head :- body`; the body of a fact is `true`. Enumerates the matching
    /// clauses on backtracking. With the flag `iso`, only dynamic predicates can be inspected. ISO 8.8.1.
    ///
    /// ?- assertz((grand(X, Z) :- parent(X, Y), parent(Y, Z))), clause(grand(tom, W), Body).
    /// Body = (parent(tom, _A), parent(_A, W)).
    ///
    /// ?- clause(atom_length(_, _), Body).
    /// error: clause/2: No permission to access private procedure `atom_length/2' [permission_error(access, private_procedure, atom_length/2)]
    iso nondet "clause"(":head", "?body") = |m, [head, body], state| {
        clause(m, head, body, None, state)
    };
    /// True if `reference` refers to a clause `head :- body`. If `reference` is unbound, enumerates the
    /// matching clauses on backtracking.
    ///
    /// ?- assertz(color(red), _Ref), clause(Head, Body, _Ref).
    /// Head = color(red),
    /// Body = true.
    library nondet "clause"(":head", "?body", "?reference") needs history = |m, [head, body, reference], state| {
        if reference.is_var() {
            clause(m, head, body, Some(reference), state)
        } else {
            clause_at(m, head, body, reference)
        }
    };

    /// Removes the first clause that unifies with `clause`; on backtracking, the next ones. ISO 8.9.3.
    ///
    /// ?- assertz(queue(a)), assertz(queue(b)), retract(queue(X)), !.
    /// X = a.
    ///
    /// ?- findall(Y, queue(Y), L).
    /// L = [b].
    ///
    /// ?- retract(queue(zzz)).
    /// false.
    iso nondet "retract"(":clause") needs effect = |m, [clause], state| retract(m, clause, state, By::Program);

    // The following builtins have one solution. They are declared nondeterministic so that they are never compiled
    // in place; the collection of code requires this.

    /// Removes all clauses whose head unifies with `head`. ISO 8.9.5 (Cor. 2).
    ///
    /// ?- assertz(seen(a, 1)), assertz(seen(b, 2)), retractall(seen(a, _)), findall(X, seen(X, _), L).
    /// L = [b].
    ///
    /// ?- retractall(never_told(_)), \+ never_told(_).
    /// true.
    iso nondet "retractall"(":head") needs effect = |m, [head], _state| retract_all(m, head, By::Program);
    /// Removes a dynamic predicate with its clauses and properties. ISO 8.9.4.
    ///
    /// ?- assertz(old(1)), abolish(old/1).
    /// true.
    ///
    /// ?- abolish(atom_length/2).
    /// error: abolish/1: No permission to modify static procedure `atom_length/2' [permission_error(modify, static_procedure, atom_length/2)]
    iso nondet "abolish"(":indicator") needs effect = |m, [indicator], _state| abolish(m, indicator);
    /// Removes the clause or the record of `reference`.
    ///
    /// ?- assertz(color(red), _Ref), assertz(color(blue)), erase(_Ref), findall(X, color(X), L).
    /// L = [blue].
    library nondet "erase"("+reference") needs effect = |m, [reference], _state| erase(m, reference);

    /// Works like `asserta/1`, for texts of the system and their own predicates.
    iso "$asserta"(":clause") needs effect = |m, [clause]| assert(m, clause, true, By::System).map(|_| true);
    /// Works like `assertz/1`, for texts of the system and their own predicates.
    iso "$assertz"(":clause") needs effect = |m, [clause]| assert(m, clause, false, By::System).map(|_| true);
    /// Works like `retract/1`, for texts of the system and their own predicates.
    iso nondet "$retract"(":clause") needs effect = |m, [clause], state| retract(m, clause, state, By::System);
    /// Works like `retractall/1`, for texts of the system and their own predicates.
    iso nondet "$retractall"(":head") needs effect = |m, [head], _state| retract_all(m, head, By::System);

    /// Unifies `term` with the clause or the recorded term of `reference`.
    library "instance"("+reference", "?term") needs history = |m, [reference, term]| {
        if let Some((key, number)) = referenced(m, reference)? {
            let recorded = m.world.records.load(&mut m.store, (&key, number), true)?;
            return Ok(recorded.map_or(Ok(false), |found| m.unify(term, found))?);
        }
        let Some((id, position)) = find_clause(m, reference)? else { return Ok(false) };
        let Some((head, body)) = source_terms(m, id, position)? else { return Ok(false) };
        let body = callable_body(m, body)?;
        let clause = m.store.new_struct(functors::NECK, &[head, body]);
        Ok(m.unify(term, clause)?)
    };
}
