//! Goals that clauses pass to predicates that call them: closures, bodies of lambda terms, and all
//! arguments that `meta_predicate/1` declares as goals.

use super::origin::definition;
use crate::base::atom_table::{Atom, Functor, MAX_ARITY, atoms, functors};
use crate::base::growth::{Gather, Grow, GrowBy};
use crate::base::stop::Stop;
use crate::code::instruction::{Operand, ROWS, decode, wide};
use crate::library::prelude::load_exporter;
use crate::machine::state::Machine;
use crate::program::clauses::clause::ClauseTerm;
use crate::program::clauses::clause_list::Clause;
use crate::program::predicate::{Kind, MetaArg, PredId};
use crate::source::parts::{Part, Placed, placed};
use crate::source::walk::LIMIT;
use crate::store::cell::Cell;
use crate::store::heap::View;
use std::sync::Arc;

/// Maximum number of arguments added to a goal; a goal cannot have more.
const MOST_ARGUMENTS: usize = 64;

/// A goal that is passed as an argument.
pub(super) struct Passed {
    /// The part of the clause that is the goal.
    pub(super) part: Part,
    /// The module that the goal is called in.
    pub(super) module: Atom,
    /// The predicate that the goal calls.
    pub(super) functor: Functor,
}

/// The way a term is called.
#[derive(Copy, Clone)]
enum Form {
    /// A goal of the clause itself, which is compiled.
    Own,
    /// A goal with this number of arguments added.
    Goal(usize),
    /// A body of grammar rules.
    Grammar,
}

type Todo = Vec<(Placed, Form, Atom)>;

/// Returns the goals that a clause of a predicate passes, and the term that they are parts of. Returns `None` if
/// there are none.
fn passed(
    m: &mut Machine,
    id: PredId,
    clause: &Clause,
) -> Result<Option<(ClauseTerm, Vec<Passed>)>, Stop> {
    if clause.is_fact() || !hands_on(m, clause)? {
        return Ok(None);
    }
    let term = clause.term()?;
    let View::Struct(functors::NECK, args) = m.store.view(term.root()) else {
        return Ok(None);
    };
    let mut found = Vec::new();
    let mut todo = vec![(
        placed(m, args, 1),
        Form::Own,
        m.world.predicates.get(id).module,
    )];
    let mut steps = 0;
    while let Some(((goal, part), form, module)) = todo.pop() {
        steps += 1;
        if steps + todo.len() > LIMIT {
            break;
        }
        // Drop the module qualifier if the module is known.
        match m.store.view(goal) {
            View::Struct(functors::COLON, args) => {
                if let View::Atom(module) = m.store.view(m.store.arg(args, 0)) {
                    todo.put((placed(m, args, 1), form, module))?;
                }
            }
            _ => {
                let target = match form {
                    Form::Grammar => grammar(m, goal, module, &mut todo)?,
                    Form::Own => called(m, goal, (form, 0), module, &mut todo)?,
                    Form::Goal(more) => called(m, goal, (form, more), module, &mut todo)?,
                };
                if let (Some(functor), Form::Goal(_) | Form::Grammar) = (target, form) {
                    found.put(Passed {
                        part,
                        module,
                        functor,
                    })?;
                }
            }
        }
    }
    Ok(Some((term, found)))
}

/// Goals passed by a clause, one of them perhaps a call of a certain predicate.
pub(super) struct PassedGoals {
    /// The term of the clause.
    pub(super) term: ClauseTerm,
    /// The goals that call the predicate itself.
    pub(super) likely: Vec<Part>,
    /// The goals that call predicates of the program, which may have called the predicate.
    pub(super) others: Vec<Part>,
}

/// Returns the goals passed by a clause, if one of them may have called the predicate of this name. Returns `None`
/// if the clause passes none.
pub(super) fn passed_goals(
    m: &mut Machine,
    id: PredId,
    clause: &Clause,
    wanted: Functor,
) -> Result<Option<PassedGoals>, Stop> {
    let Some((term, passed)) = passed(m, id, clause)? else {
        return Ok(None);
    };
    let mut handed = PassedGoals {
        term,
        likely: Vec::new(),
        others: Vec::new(),
    };
    for passed in passed {
        if passed.functor == wanted {
            handed.likely.put(passed.part)?;
        } else if let Some(id) = m.world.predicates.find(passed.module, passed.functor) {
            let home = m.world.predicates.get(definition(m, id)).module;
            if !m.is_system_module(home) {
                handed.others.put(passed.part)?;
            }
        }
    }
    Ok(Some(handed))
}

/// Returns whether a clause calls a predicate that calls its arguments.
fn hands_on(m: &mut Machine, clause: &Clause) -> Result<bool, Stop> {
    let (code, mut at, mut callees) = (clause.code(), 0, Vec::new());
    while let Some(op) = code.get(at).and_then(|&word| decode(word)) {
        let row = &ROWS[op as usize];
        if row.operands.contains(&Operand::Predicate) {
            callees.put(PredId(wide(code[at])))?;
        }
        at += row.words;
    }
    Ok(callees.into_iter().any(|id| {
        let (module, functor) = {
            let predicate = m.world.predicates.get(id);
            (predicate.module, predicate.functor)
        };
        modes(m, module, functor).is_some_and(|modes| modes.iter().any(is_goal))
    }))
}

fn is_goal(mode: &MetaArg) -> bool {
    matches!(
        mode,
        MetaArg::Goal(_) | MetaArg::Existential | MetaArg::Grammar
    )
}

/// Returns the declared modes of a predicate, which say the arguments that it calls.
fn modes(m: &mut Machine, module: Atom, functor: Functor) -> Option<Arc<[MetaArg]>> {
    let homes = [module, atoms::SYSTEM, atoms::USER].into_iter();
    let known = homes
        .filter_map(|home| m.world.predicates.find(home, functor))
        .map(|id| m.world.predicates.get(definition(m, id)))
        .find(|predicate| predicate.kind != Kind::Undefined);
    if let Some(known) = known {
        return known.meta.clone();
    }
    let exporter = load_exporter(m, functor)?;
    let id = m.world.predicates.find(exporter, functor)?;
    m.world.predicates.get(definition(m, id)).meta.clone()
}

/// Returns the predicate that a goal with `more` arguments calls, if it is no control construct. Adds the
/// goals inside it to `todo`.
fn called(
    m: &mut Machine,
    goal: Cell,
    (form, more): (Form, usize),
    module: Atom,
    todo: &mut Todo,
) -> Result<Option<Functor>, Stop> {
    let (functor, args) = match m.store.view(goal) {
        View::Atom(name) => return with_more(m, name, 0, more),
        View::Struct(functor, args) => (functor, args),
        _ => return Ok(None),
    };
    match functor {
        functors::COMMA | functors::SEMICOLON | functors::ARROW | functors::SOFT_ARROW
            if more == 0 =>
        {
            todo.put_all([1, 0].map(|index| (placed(m, args, index), form, module)))?;
            return Ok(None);
        }
        functors::LAMBDA_GOAL => {
            let Some(parameters) = parameters(m, m.store.arg(args, 0)) else {
                return Ok(None);
            };
            let form = Form::Goal(more.saturating_sub(parameters));
            todo.put((placed(m, args, 1), form, module))?;
            return Ok(None);
        }
        functors::SLASH => {
            let Some((shared, _)) = m.store.compound(m.store.arg(args, 0)) else {
                return Ok(None);
            };
            if shared == functors::CURLY1 {
                todo.put((placed(m, args, 1), Form::Goal(more), module))?;
            }
            return Ok(None);
        }
        _ => {}
    }
    let name = m.world.symbols.name(functor);
    let Some(whole) = with_more(m, name, functor.arity(), more)? else {
        return Ok(None);
    };
    let modes = modes(m, module, whole);
    let modes = modes.as_deref().unwrap_or_default();
    for (index, mode) in modes.iter().enumerate().take(functor.arity()).rev() {
        let (mut inner, form) = match mode {
            MetaArg::Goal(more) => (placed(m, args, index), Form::Goal(*more as usize)),
            MetaArg::Existential => (placed(m, args, index), Form::Goal(0)),
            MetaArg::Grammar => (placed(m, args, index), Form::Grammar),
            MetaArg::Module | MetaArg::Plain(_) => continue,
        };
        while let (MetaArg::Existential, View::Struct(functor, args)) =
            (mode, m.store.view(inner.0))
            && functor.arity() == 2
            && m.world.symbols.name(functor) == atoms::CARET
        {
            inner = placed(m, args, 1);
        }
        todo.put((inner, form, module))?;
    }
    Ok(Some(whole))
}

/// Returns the number of parameters of a lambda term, if it is known. Shared (global) variables do
/// not count.
fn parameters(m: &Machine, mut list: Cell) -> Option<usize> {
    let mut count = 0;
    if let View::Struct(functors::SLASH, args) = m.store.view(list) {
        list = m.store.arg(args, 1);
    }
    while let View::List(args) = m.store.view(list) {
        count += 1;
        list = m.store.arg(args, 1);
        if count > MOST_ARGUMENTS {
            return None;
        }
    }
    (m.store.view(list) == View::Atom(atoms::NIL)).then_some(count)
}

/// Returns the non-terminal that a body of grammar rules consists of, if it is one.
fn grammar(
    m: &mut Machine,
    body: Cell,
    module: Atom,
    todo: &mut Todo,
) -> Result<Option<Functor>, Stop> {
    let (functor, args) = match m.store.view(body) {
        View::Atom(atoms::NIL | atoms::CUT) => return Ok(None),
        View::Atom(name) => return with_more(m, name, 0, 2),
        View::Struct(functor, args) => (functor, args),
        _ => return Ok(None),
    };
    match functor {
        functors::COMMA
        | functors::SEMICOLON
        | functors::BAR
        | functors::ARROW
        | functors::SOFT_ARROW => {
            let parts = [1, 0].map(|index| (placed(m, args, index), Form::Grammar, module));
            todo.put_all(parts)?;
            Ok(None)
        }
        functors::NOT => {
            todo.put((placed(m, args, 0), Form::Grammar, module))?;
            Ok(None)
        }
        functors::CURLY1 => {
            todo.put((placed(m, args, 0), Form::Goal(0), module))?;
            Ok(None)
        }
        _ => {
            let name = m.world.symbols.name(functor);
            with_more(m, name, functor.arity(), 2)
        }
    }
}

fn with_more(
    m: &mut Machine,
    name: Atom,
    arity: usize,
    more: usize,
) -> Result<Option<Functor>, Stop> {
    let all = arity + more;
    if more > MOST_ARGUMENTS || all > MAX_ARITY {
        return Ok(None);
    }
    Ok(Some(m.world.symbols.functor_passing(name, all)?))
}

/// A goal that a clause of a predicate passes, and the term of the clause.
pub(super) type PassedBy = (PredId, Clause, ClauseTerm, Passed);

/// Returns the goals that the clauses of a file pass.
pub(super) fn passed_in(m: &mut Machine, file: u32) -> Result<Vec<PassedBy>, Stop> {
    let files = m.world.files.with_included(file)?;
    let mut found = Vec::new();
    for id in Vec::of(&m.world.files.get(file).defines)? {
        if m.world.predicates.get(id).module == atoms::LAMBDAS {
            continue;
        }
        let clauses = m.world.predicates.get(id).clauses.iter();
        let clauses: Vec<Clause> = clauses
            .filter(|(_, clause)| files.contains(&clause.file()))
            .map(|(_, clause)| clause.clone())
            .gather()?;
        for clause in clauses {
            let Some((term, passed)) = passed(m, id, &clause)? else {
                continue;
            };
            for passed in passed {
                found.put((id, clause.clone(), term.clone(), passed))?;
            }
        }
    }
    Ok(found)
}
