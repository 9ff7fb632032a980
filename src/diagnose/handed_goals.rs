//! Goals that clauses hand to others to be called: closures, bodies of lambda terms, whatever
//! `meta_predicate/1` says is a goal.

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

/// More arguments than a goal can have are added to none.
const MOST_ARGUMENTS: usize = 64;

/// A goal that is handed on.
pub(super) struct Passed {
    /// Where it stands in the clause.
    pub(super) part: Part,
    /// In which module it is called.
    pub(super) module: Atom,
    /// What it calls.
    pub(super) functor: Functor,
}

/// How a term is called.
#[derive(Copy, Clone)]
enum Form {
    /// It is a goal of the clause itself, which is compiled.
    Own,
    /// With so many arguments added.
    Goal(usize),
    /// As a body of grammar rules.
    Grammar,
}

type Todo = Vec<(Placed, Form, Atom)>;

/// The goals that a clause of a predicate hands on, and the term that they are parts of. `None` if there are none.
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
        // Without its module where that is known.
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

/// Goals that a clause hands on one of which may have called a predicate.
pub(super) struct Handed {
    /// The term of the clause.
    pub(super) term: ClauseTerm,
    /// Where those stand that call the predicate.
    pub(super) likely: Vec<Part>,
    /// Where those stand that call what the program defines, which may have called it in its turn.
    pub(super) others: Vec<Part>,
}

/// The goals that a clause hands on one of which may have called the predicate of this name. `None` if it hands on
/// none.
pub(super) fn handed(
    m: &mut Machine,
    id: PredId,
    clause: &Clause,
    wanted: Functor,
) -> Result<Option<Handed>, Stop> {
    let Some((term, passed)) = passed(m, id, clause)? else {
        return Ok(None);
    };
    let mut handed = Handed {
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

/// Does a clause call what calls its arguments?
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

/// Which arguments a predicate calls, if that is declared.
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

/// What a goal calls with more arguments, if it is no control construct. The goals in it are to be looked at.
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

/// So many parameters a lambda term has, if that is known; those that it shares do not count.
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

/// The non-terminal that a body of grammar rules is, if it is one.
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

/// A goal that a clause of a predicate hands on, and the term of the clause.
pub(super) type PassedBy = (PredId, Clause, ClauseTerm, Passed);

/// The goals that the clauses of a file hand on.
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
