//! The clauses of the user's program that called a goal, with the places of their calls.

use super::goal_places::{goal_of, place};
use super::origin::loaded_clause_at;
use crate::base::growth::{Gather, Grow, GrowAt, GrowBy, joined, joined_by, text_of};
use crate::base::stop::Stop;
use crate::builtins::database::clauses::{CLOSURE_MODULE, LOLLI_CLAUSES};
use crate::machine::events::trace::{Called, Caller, Trace};
use crate::machine::frames::goal_stack::has_environment;
use crate::machine::state::Machine;
use crate::machine::tables::SUFFIX;
use crate::program::clauses::clause_list::Clause;
use crate::program::predicate::PredId;
use crate::source::diagnostic::Location;
use crate::source::language::{definitions, is_hidden};
use crate::source::term_texts::name_and_arity;
use crate::source::waiting::{MAX_CALLERS, Waiting};
use crate::store::address::CodeAddr;
use crate::store::cell::WORD;
use crate::text::write_atom::push_atom;
use std::fmt::Write;

/// Returns the clauses that led to the exception of this trace, innermost first, without the clause
/// at the place `reported`.
pub(crate) fn of_exception(
    m: &mut Machine,
    trace: &Trace,
    reported: Option<&Location>,
) -> Result<Vec<Waiting>, Stop> {
    let raised = trace.addresses.first().copied();
    let raised = raised.filter(|&at| at != CodeAddr::NONE);
    let (mut callers, mut goals, mut within) = (Vec::new(), Vec::new(), false);
    let known = trace.goals.as_ref();
    if let Some(chain) = known.and_then(|known| known.chain.as_ref()) {
        callers.put_slice(&chain.callers)?;
        goals.put_all(chain.goals.iter().cloned())?;
    } else if let Some(raised) = raised {
        callers.put(Caller {
            address: raised + WORD,
            times: 1,
        })?;
        within = true;
    }
    callers.put_slice(&trace.callers)?;
    let mut found = waiting(m, &callers, &goals, within)?;
    // The text of a query itself shows the goals of the query.
    if let Some(met) = known.and_then(|known| known.met.as_ref())
        && (!met.system || reported.is_some() || !found.is_empty())
    {
        let predicate = name_and_arity(m, met.functor)?;
        let goal = goal_text(&predicate, &met.args)?;
        match found.first_mut() {
            Some(first) if met.entered && first.predicate == predicate => {
                first.goal.get_or_insert(goal);
            }
            _ => found.put_at(
                0,
                Waiting {
                    predicate,
                    goal: Some(goal),
                    file: String::new(),
                    line: 0,
                    times: 1,
                },
            )?,
        }
    }
    if let (Some(first), Some(place)) = (found.first_mut(), reported)
        && first.goal.is_none()
        && (first.file.as_str(), first.line) == (place.file_name(), place.line)
    {
        first.times -= 1;
        if first.times == 0 {
            found.remove(0);
        }
    }
    Ok(found)
}

/// Returns the clauses of the user's program among these callers, with their goals if they are known. With `within`,
/// the first caller is the present instruction and no continuation; the second may be an old continuation of the
/// same clause.
pub(crate) fn waiting(
    m: &mut Machine,
    callers: &[Caller],
    goals: &[Option<Called>],
    within: bool,
) -> Result<Vec<Waiting>, Stop> {
    let addresses: Vec<CodeAddr> = callers
        .iter()
        .map(|caller| caller.address.wrapping_sub(WORD))
        .gather()?;
    let clauses: Vec<Option<(PredId, Clause)>> = addresses
        .iter()
        .map(|&address| loaded_clause_at(m, address))
        .try_gather()?;
    let mut callers = Vec::of(callers)?;
    if within
        && let (Some((_, clause)), Some(second)) = (&clauses[0], callers.get_mut(1))
        && has_environment(
            clause.code(),
            ((addresses[0] - clause.entry()) / WORD) as usize,
        )
    {
        // It is the environment of the same call of the clause.
        second.times -= 1;
    }
    let mut found: Vec<Waiting> = Vec::new();
    for (index, caller) in callers.iter().enumerate() {
        let Some((predicate, clause)) = &clauses[index] else {
            continue;
        };
        if caller.times == 0 {
            continue;
        }
        // One more than shown, because the first may have been reported already.
        if found.len() > MAX_CALLERS + 1 {
            break;
        }
        let goal = goal_of(m, clause, addresses[index])?;
        let Some(place) = place(m, *predicate, clause, goal)? else {
            continue;
        };
        let predicate = name_of(m, *predicate)?;
        // If calls were not recorded, it may be another goal.
        let called = goals.get(index).and_then(Option::as_ref);
        let called = match called {
            Some(called) if name_of(m, called.predicate)? == predicate => Some(called),
            _ => None,
        };
        let next = Waiting {
            goal: called
                .map(|called| goal_text(&predicate, &called.args))
                .transpose()?,
            predicate,
            file: place.file_name().to_owned(),
            line: place.line,
            times: caller.times,
        };
        match found.last_mut() {
            Some(last) if same(last, &next) => last.times = last.times.saturating_add(next.times),
            _ => found.put(next)?,
        }
    }
    Ok(found)
}

fn same(a: &Waiting, b: &Waiting) -> bool {
    (&a.predicate, &a.file, a.line) == (&b.predicate, &b.file, b.line)
}

/// Returns the text of a goal of the predicate `name/arity`.
fn goal_text(predicate: &str, args: &[String]) -> Result<String, Stop> {
    let name = predicate
        .rsplit_once('/')
        .map_or(predicate, |parts| parts.0);
    match args {
        [] => text_of(name),
        args => joined(&[name, "(", &joined_by(args, ", ")?, ")"]),
    }
}

/// Returns name and arity of a predicate as the text of the program has them.
pub(crate) fn name_of(m: &mut Machine, predicate: PredId) -> Result<String, Stop> {
    let mut id = predicate;
    if is_hidden(m, m.world.predicates.get(id).module) {
        let about = definitions(m)?
            .into_iter()
            .find(|(_, hidden)| hidden.contains(&id));
        id = about.map_or(id, |(about, _)| about);
    }
    let functor = m.world.predicates.get(id).functor;
    let name = m.world.symbols.name_text(functor);
    let name = name.strip_suffix(SUFFIX).unwrap_or(name);
    let arity = functor.arity();
    let (name, arity) = match m.world.symbols.text(m.world.predicates.get(id).module) {
        CLOSURE_MODULE => assumed_name(name).unwrap_or((name, arity)),
        LOLLI_CLAUSES => (name.rsplit_once('#').map_or(name, |parts| parts.0), arity),
        _ => (name, arity),
    };
    let mut text = String::new();
    push_atom(&mut text, name, true, true)?;
    // Writing to a string never fails.
    let _ = write!(text, "/{arity}");
    Ok(text)
}

/// Returns name and arity of the predicate that an assumed clause belongs to; its internal predicate is called
/// `name/arity #number`.
fn assumed_name(name: &str) -> Option<(&str, usize)> {
    let (about, _) = name.rsplit_once(" #")?;
    let (name, arity) = about.rsplit_once('/')?;
    Some((name, arity.parse().ok()?))
}

/// Returns the place of the goal that the instruction at this address belongs to. Returns `None` if
/// it is in no clause of the user.
pub(crate) fn caller_place(m: &mut Machine, at: CodeAddr) -> Result<Option<Location>, Stop> {
    let Some((predicate, clause)) = loaded_clause_at(m, at)? else {
        return Ok(None);
    };
    let goal = goal_of(m, &clause, at)?;
    place(m, predicate, &clause, goal)
}
