//! The place in the source where an exception was raised: the innermost goal of the user's program whose
//! call raised it. The clause maps an address to the number of one of its goals, and `goal_places` finds
//! that goal in the text.

use super::goal_places::place_of_call;
use crate::base::atom_table::{Atom, FastSet, Functor, atoms, functors};
use crate::base::growth::{Gather, Grow, GrowBy, GrowSet, GrowTable, filled};
use crate::base::stop::Stop;
use crate::code::instruction::{Op, ROWS, decode, wide};
use crate::machine::events::trace::Trace;
use crate::machine::events::tracer::InClause;
use crate::machine::frames::goal_stack::has_environment;
use crate::machine::state::Machine;
use crate::machine::tables::SUFFIX;
use crate::program::clauses::clause_list::Clause;
use crate::program::predicate::{Kind, PredId};
use crate::source::diagnostic::Location;
use crate::source::language::{definitions, is_hidden, is_users, lolli};
use crate::store::address::CodeAddr;
use crate::store::cell::{Cell, WORD};
use crate::store::heap::View;

/// Maximum number of clauses that are searched for a last call.
const MAX_SEARCHED: usize = 10_000;

/// Returns where the exception of this trace was raised, in a query for `query`. Returns `None` if no
/// file of the user is involved.
pub(crate) fn origin(
    m: &mut Machine,
    trace: &Trace,
    query: Cell,
) -> Result<Option<Location>, Stop> {
    let (index, predicate, clause) = match innermost(m, &trace.addresses)? {
        Some(found) => found,
        None => {
            let (roots, named) = called_by(m, query, &trace.addresses)?;
            // The query itself may have raised it.
            let Some(culprit) = trace.culprit.filter(|culprit| !named.contains(culprit)) else {
                return Ok(None);
            };
            let Some((predicate, clause, address)) = last_call(m, &roots, culprit)? else {
                return Ok(None);
            };
            return place_of_call(m, (predicate, &clause, address), trace.culprit);
        }
    };
    // A continuation is the address after the call.
    let address = trace.addresses[index] - if index == 0 { 0 } else { WORD };
    if m.world.predicates.get(predicate).module == atoms::LOLLI {
        return Ok(None);
    }
    if index > 0
        && let Some(culprit) = trace.culprit
        && let Some(called) = called(&clause, address)?
        && m.world.predicates.get(called).functor != culprit
        && let Some((inner, clause, address)) = last_call(m, &[called], culprit)?
    {
        return place_of_call(m, (inner, &clause, address), trace.culprit);
    }
    place_of_call(m, (predicate, &clause, address), trace.culprit)
}

/// The control constructs that consist of goals.
const CONSTRUCTS: [Functor; 3] = [functors::COMMA, functors::SEMICOLON, functors::ARROW];

/// Returns whether a query is a control construct.
fn is_construct(m: &mut Machine, query: Cell) -> bool {
    let (goal, _) = m.strip_module(query, atoms::USER);
    let found = m.store.compound(goal);
    found.is_some_and(|(functor, _)| CONSTRUCTS.contains(&functor))
}

/// Returns the predicates called by a query whose goals may be running with these continuations. Also
/// returns the names of all predicates that it calls in Prolog.
fn called_by(
    m: &mut Machine,
    query: Cell,
    continuations: &[CodeAddr],
) -> Result<(Vec<PredId>, Vec<Functor>), Stop> {
    let (mut found, mut named) = (Vec::new(), Vec::new());
    // A conjunction within a goal, such as the body of a lambda term, also has such a continuation.
    let goes_on = is_construct(m, query) && goes_on(m, continuations);
    // With each goal: whether it is a last goal of the query.
    let mut todo = vec![(query, atoms::USER, true)];
    while let Some((goal, module, ends)) = todo.pop() {
        let (goal, module) = m.strip_module(goal, module);
        if let Some(goal) = lolli_goal(m, goal, module) {
            let most = MAX_SEARCHED.saturating_sub(found.len());
            if let Some(lolli) = lolli(m) {
                found.put_all(lolli.called_by(m, goal, most)?)?;
            }
            continue;
        }
        let functor = match m.store.view(goal) {
            View::Struct(functor, args) if CONSTRUCTS.contains(&functor) => {
                let either = functor == functors::SEMICOLON;
                todo.put_all([
                    (m.store.arg(args, 0), module, ends && either),
                    (m.store.arg(args, 1), module, ends),
                ])?;
                if found.len() + todo.len() > MAX_SEARCHED {
                    return Ok((found, named));
                }
                continue;
            }
            View::Struct(functor, _) => Some(functor),
            View::Atom(name) => Some(m.world.symbols.functor_passing(name, 0)?),
            _ => None,
        };
        if ends != goes_on {
            let find = |&functor: &Functor| m.world.predicates.find(module, functor);
            found.put_all(functor.as_ref().and_then(find))?;
        }
        named.put_all(functor)?;
    }
    Ok((found, named))
}

/// Returns whether the running goal with these continuations is one after which a query continues.
fn goes_on(m: &Machine, continuations: &[CodeAddr]) -> bool {
    let system = &m.world.foundation.system;
    let constructs = [
        system.conjunction,
        system.if_then,
        system.if_then_else,
        system.soft_if_then,
        system.soft_if_then_else,
    ];
    let clauses = constructs
        .iter()
        .flat_map(|&id| m.world.predicates.get(id).clauses.iter());
    clauses
        .map(|(_, clause)| clause.addresses())
        .any(|range| continuations.iter().any(|address| range.contains(address)))
}

/// Returns the Lolli goal that a goal runs.
fn lolli_goal(m: &Machine, goal: Cell, module: Atom) -> Option<Cell> {
    if module == atoms::LOLLI {
        return Some(goal);
    }
    let (functor, args) = m.store.compound(goal)?;
    let asks = m.world.symbols.text(module) == "lolli_session"
        && matches!(
            m.world.symbols.name_text(functor),
            "asked" | "query_in" | "query"
        );
    asks.then(|| m.store.arg(args, functor.arity() - 1))
}

/// Returns the first of these addresses that is in a clause of a file of the user.
fn innermost(
    m: &mut Machine,
    addresses: &[CodeAddr],
) -> Result<Option<(usize, PredId, Clause)>, Stop> {
    for (index, &address) in addresses.iter().enumerate() {
        // The only clause of a tabled predicate is not the user's; the user's clauses belong to an
        // internal predicate.
        if let Some((id, clause)) = loaded_clause_at(m, address)?
            && !m.world.predicates.get(id).traits.tabled
        {
            return Ok(Some((index, id, clause)));
        }
    }
    Ok(None)
}

/// Returns the clause of a file of the user that contains an address.
pub(super) fn loaded_clause_at(
    m: &mut Machine,
    at: CodeAddr,
) -> Result<Option<(PredId, Clause)>, Stop> {
    let Some((id, position)) = m.world.predicates.loaded_at(at)? else {
        return Ok(None);
    };
    let clause = m.world.predicates.get(id).clauses.get(position);
    let clause = clause.filter(|clause| is_of_user(m, id, clause));
    Ok(clause.map(|clause| (id, clause.clone())))
}

/// Returns whether the clause belongs to the user.
pub(crate) fn is_of_user(m: &Machine, id: PredId, clause: &Clause) -> bool {
    let module = m.world.predicates.get(id).module;
    if is_hidden(m, module) {
        return is_users(m, clause);
    }
    !m.is_system_module(module)
}

/// Returns for each of these addresses the clause of the user's program that contains it, including clauses
/// without a file. The search covers all clauses.
pub(crate) fn clauses_at(
    m: &Machine,
    addresses: &[CodeAddr],
) -> Result<Vec<Option<(PredId, Clause)>>, Stop> {
    let mut sorted: Vec<usize> = (0..addresses.len()).gather()?;
    sorted.sort_unstable_by_key(|&index| addresses[index]);
    let mut found = filled(None, addresses.len())?;
    for id in m.world.predicates.ids() {
        let module = m.world.predicates.get(id).module;
        if !is_hidden(m, module) && m.is_system_module(module) {
            continue;
        }
        for (_, clause) in m.world.predicates.get(id).clauses.iter() {
            let range = clause.addresses();
            let first = sorted.partition_point(|&index| addresses[index] < range.start);
            for &index in sorted[first..]
                .iter()
                .take_while(|&&index| addresses[index] < range.end)
            {
                if is_of_user(m, id, clause) {
                    found[index] = Some((id, clause.clone()));
                }
            }
        }
    }
    Ok(found)
}

/// Describes the user's clause that contains an address. This is a hook of the machine.
pub(crate) fn user_clause(m: &Machine, at: CodeAddr) -> Result<Option<InClause>, Stop> {
    let Some((id, clause)) = clauses_at(m, &[at])?.pop().flatten() else {
        return Ok(None);
    };
    let predicate = m.world.predicates.get(id);
    let name = m.world.symbols.name_text(predicate.functor);
    let known = !is_hidden(m, predicate.module) && !name.ends_with(SUFFIX);
    let place = ((at - clause.entry()) / WORD) as usize;
    Ok(Some(InClause {
        predicate: known.then_some(id),
        in_file: clause.file() != 0,
        environment: has_environment(clause.code(), place),
    }))
}

/// Returns the instructions of a clause that call predicates: address, predicate, and whether it is
/// the last call.
pub(crate) fn calls(clause: &Clause) -> Result<Vec<(CodeAddr, PredId, bool)>, Stop> {
    let (code, mut at, mut found) = (clause.code(), 0, Vec::new());
    while let Some(op) = code.get(at).and_then(|&word| decode(word)) {
        let address = clause.entry() + at as u64 * WORD;
        let last = match op {
            Op::Call => Some(false),
            Op::Execute | Op::DeallocateExecute => Some(true),
            _ => None,
        };
        if let Some(last) = last {
            found.put((address, PredId(wide(code[at])), last))?;
        }
        at += ROWS[op as usize].words;
    }
    Ok(found)
}

/// Returns the predicate that is called by the instruction at this address.
fn called(clause: &Clause, address: CodeAddr) -> Result<Option<PredId>, Stop> {
    let calls = calls(clause)?;
    let Some(call) = calls.iter().rev().find(|call| call.0 <= address) else {
        return Ok(None);
    };
    Ok(Some(call.1))
}

/// Returns the last call that last calls of these predicates have led to, if it is certain. It is
/// the only call of `culprit`, or of predicates that call goals known only at run time. If there is
/// none, it is the only call that leaves the user's program.
fn last_call(
    m: &mut Machine,
    roots: &[PredId],
    culprit: Functor,
) -> Result<Option<(PredId, Clause, CodeAddr)>, Stop> {
    let of_lolli = definitions(m)?;
    let mut todo = Vec::of(roots)?;
    let mut seen = FastSet::default();
    let (mut likely, mut outward, mut searched) = (Vec::new(), Vec::new(), 0);
    while let Some(id) = todo.pop() {
        let id = definition(m, id);
        let predicate = m.world.predicates.get(id);
        if let Some(definitions) = of_lolli.get(&id) {
            if seen.put_new(id)? {
                todo.put_all(definitions.iter().copied())?;
            }
            continue;
        }
        let hidden = is_hidden(m, predicate.module);
        seen.make_room()?;
        if (!hidden && m.is_system_module(predicate.module)) || !seen.put_new(id)? {
            continue;
        }
        for (_, clause) in predicate.clauses.iter() {
            if hidden && !is_users(m, clause) {
                continue;
            }
            searched += 1;
            if searched > MAX_SEARCHED {
                return Ok(None);
            }
            let last = |call: &(CodeAddr, PredId, bool)| call.2;
            for (address, callee, _) in calls(clause)?.into_iter().filter(last) {
                let target = definition(m, callee);
                let defined = of_lolli.contains_key(&target);
                let target = m.world.predicates.get(target);
                let found = (id, clause, address);
                let system = m.is_system_module(target.module);
                let calls = system && (target.sensitive() || target.kind == Kind::Control);
                if calls || m.world.predicates.get(callee).functor == culprit {
                    likely.put(found)?;
                }
                let outside = target.kind == Kind::Undefined || system;
                if outside && !defined {
                    outward.put(found)?;
                }
                todo.put(callee)?;
            }
        }
    }
    let only = match (likely.as_slice(), outward.as_slice()) {
        ([only], _) | (_, [only]) => only,
        _ => return Ok(None),
    };
    let (id, clause, address) = *only;
    Ok((clause.file() != 0).then(|| (id, clause.clone(), address)))
}

/// Returns the predicate that an import refers to.
pub(crate) fn definition(m: &Machine, mut id: PredId) -> PredId {
    while let Kind::Imported(target) = m.world.predicates.get(id).kind {
        id = target;
    }
    id
}
