//! Builtins for searches by several threads. `prelude/control/threads.pl` calls them.

use super::division::{Division, parts_of};
use super::effects::without_effects;
use super::exchange::{Doing, How, Made, Outcome, Own, Search, leave_part};
use super::within::{step_in, step_out};
use crate::base::atom_table::atoms;
use crate::base::growth::Grow;
use crate::base::stop::Stop;
use crate::builtins::streams::captures::begin_inner_captures;
use crate::machine::budget::limits::STEPS_A_CALL;
use crate::machine::builtin::builtins;
use crate::machine::control::throw::Throw;
use crate::machine::search::carried::Carried;
use crate::machine::search::path::Exchange;
use crate::machine::state::Machine;
use crate::store::cell::Cell;
use crate::store::heap::View;
use std::sync::Arc;

/// The error message of builtins that need a search.
const NO_SEARCH: &str = "no search is under way";

/// Returns the search in which the machine takes part.
fn search(m: &mut Machine) -> Result<Arc<Search>, Throw> {
    match &m.world.layers.of::<Doing>().search {
        Some(search) => Ok(Arc::clone(search)),
        None => Err(m.system_error(NO_SEARCH)),
    }
}

/// Copies a term for all machines of the search.
fn carried(m: &mut Machine, term: Cell) -> Result<Carried, Stop> {
    Carried::take(&mut m.store, &m.world.symbols, term)
}

/// Ends the part of the machine with this result, which is an exception if `raised`.
fn give(m: &mut Machine, term: Cell, raised: bool) -> Result<(), Throw> {
    let work = leave_part(m);
    let search = search(m)?;
    if search.is_measured() {
        m.end_measured_part(term);
    }
    let trace = match raised {
        true => m.carried_trace(term)?,
        false => None,
    };
    let term = carried(m, term)?;
    let Some(work) = work else {
        return Err(m.system_error("a part of a search no longer exists"));
    };
    let outcome = Outcome { term, trace };
    search.done(m, if raised { Err(outcome) } else { Ok(outcome) }, work);
    Ok(())
}

/// Abandons the part of the machine, because an earlier part has raised an exception.
fn abandon(m: &mut Machine) -> Result<(), Throw> {
    let work = leave_part(m).unwrap_or_default();
    m.store.watch.undid(work.steps + work.steps_on_the_way);
    let search = search(m)?;
    if search.is_measured() {
        m.end_measured_part(Cell::atom(atoms::NIL));
    }
    m.world.layers.of::<Doing>().busy = false;
    search.pool.leave();
    Ok(())
}

/// Begins to note the branches of the collection whose choice point is the newest.
fn enter(m: &mut Machine) -> Result<(), Throw> {
    let doing = m.world.layers.of::<Doing>();
    let own = doing.search.clone().map(Own);
    let (path, exchange): (_, Arc<dyn Exchange<Machine>>) = match own {
        Some(own) => (std::mem::take(&mut doing.path), Arc::new(own)),
        None => match m.world.layers.of::<Division>().enter()? {
            Some((path, divider)) => (path, divider),
            None => return Err(m.system_error(NO_SEARCH)),
        },
    };
    let whole = m.world.host.builtins;
    m.world.host.builtins = without_effects(whole)?;
    m.world.host.refusing = Some(whole);
    begin_inner_captures(m);
    m.begin_branches(path, exchange)?;
    m.enter_measured_part();
    m.store.watch.look_at_next_call();
    Ok(())
}

builtins! { PARTS =
    /// True if the machine must search alone: within a search of several machines, while a search is divided, and while the
    /// depth of goals is limited. Also true within the scope of a universal quantifier: there, the age of a term decides
    /// whether the term may contain the constant of the quantifier.
    iso "$search_alone"() = |m, []| {
        *m.world.layers.of::<Option<Made>>() = None;
        let searches = m.world.layers.of::<Doing>().search.is_some();
        let alone = searches || m.store.has_eigenvariables() || m.run.budgets.depths.is_counting();
        Ok(alone || m.world.layers.of::<Division>().is_under_way())
    };
    /// Counts the work of a search whose results were combined. The machine has made the calls of the parts and no others,
    /// so the number of parts has no influence.
    iso "$search_settle"() = |m, []| {
        if let Some(made) = m.world.layers.of::<Option<Made>>().take() {
            m.undid_calls(m.inferences() - made.opened);
            let left = m.allowance().inferences;
            m.did_calls(made.calls);
            m.store.watch.did(made.steps as usize);
            if made.calls + made.steps / STEPS_A_CALL > left
                && let Some(throw) = m.stop_reason()
            {
                return Err(throw);
            }
        }
        Ok(true)
    };
    /// Begins a search by at most this number of threads. Each thread runs `Goal` in `Module`. With `always`, a thread gives
    /// away at once all that it can. With `race`, other threads do this number of parts, and the first exception ends the
    /// search. With `parts(Parts)`, the threads search only these parts.
    iso "$search_open"("+module", "+goal", "+integer", "+split") = always |m, [module, goal, threads, split]| {
        let threads = m.size_arg(threads)?;
        let how = match split.is_atom().then(|| m.world.symbols.text(split.as_atom())) {
            Some("always") => How::Always,
            Some("race") => How::Race,
            _ => How::Needed,
        };
        let mut parts = Vec::new();
        match m.store.view(split) {
            View::Struct(_, args) => parts = parts_of(m, m.store.arg(args, 0))?,
            _ => {
                for _ in 0..if how == How::Race { threads } else { 1 } {
                    parts.put(Vec::new())?;
                }
            }
        }
        let search = Search::new(m, (goal, module.as_atom()), threads, (how, parts), None)?;
        m.world.layers.of::<Doing>().search = Some(search);
    };
    /// Takes a free part of the search, and returns the number of its budget. False if no part is left.
    iso "$search_next"("-integer") = |m, [number]| {
        match search(m)?.next(m)? {
            Some(budget) => Ok(m.unify_int(number, budget)?),
            None => Ok(false),
        }
    };
    /// Waits for the other threads of a race. False if they ended before the race was over.
    iso "$search_race"() = |m, []| search(m)?.race(m);
    /// Returns the number of the part, from 1.
    iso "$search_piece"("-integer") = |m, [number]| {
        let part = m.world.layers.of::<Doing>().part;
        Ok(m.unify_size(number, part + 1)?)
    };
    /// Begins the goal of the part, within a collection of its solutions.
    iso "$search_enter"() = always |m, []| enter(m)?;
    /// Ends the goal of the part.
    iso "$search_leave"() = always |m, []| m.leave_branches();
    /// Ends the part with this term as its result.
    iso "$search_give"("+term") = always |m, [term]| give(m, term, false)?;
    /// Ends the part with this exception.
    iso "$search_raised"("+term") = always |m, [ball]| give(m, ball, true)?;
    /// Abandons the part, because an earlier part has raised an exception.
    iso "$search_abandon"() = always |m, []| abandon(m)?;
    /// Ends the search, and the work of other threads for it.
    iso "$search_close"() = always |m, []| {
        leave_part(m);
        let mut doing = std::mem::take(m.world.layers.of::<Doing>());
        if let Some(search) = doing.search {
            if doing.busy {
                search.pool.leave();
            }
            search.end();
        }
        if let Some(around) = doing.around.pop() {
            step_out(m, around);
        }
    };
    /// True within a search of several machines, or while a search is divided.
    iso "$search_inside"() = |m, []| {
        let searched = m.world.layers.of::<Doing>().search.is_some();
        Ok(searched || m.world.layers.of::<Division>().is_under_way())
    };
    /// Begins a search for the best value of a variable, nested in the present search. Each machine runs `Goal` in
    /// `Module`.
    iso "$search_open_within"("+module", "+goal") = always |m, [module, goal]| {
        let outer = m.world.layers.of::<Doing>().search.clone();
        // While a search is divided, one machine runs the goal.
        let threads = outer.as_ref().map_or(1, |outer| outer.threads);
        let how = outer.as_ref().map_or(How::Needed, |outer| outer.how);
        let how = if how == How::Race { How::Needed } else { how };
        let mut parts = Vec::new();
        parts.put(Vec::new())?;
        let inner = Search::new(m, (goal, module.as_atom()), threads, (how, parts), outer)?;
        step_in(m, inner)?;
    };
    /// Returns the results of all parts in order: `found(Term)` for each part, and `raised(Ball)` at the end if a part
    /// raised an exception.
    iso "$search_found"("-list") = |m, [list]| {
        let search = search(m)?;
        if let Some(why) = search.pool.broken() {
            return Err(m.system_error(why));
        }
        let all = search.take_found(m)?;
        let mut terms = Vec::new();
        for found in all {
            let (name, outcome) = match found {
                Ok(outcome) => ("found", outcome),
                Err(outcome) => ("raised", outcome),
            };
            let term = outcome.term.give(&mut m.store, &mut m.world.symbols)?;
            if let Some(trace) = outcome.trace {
                m.receive_trace(term, trace)?;
            }
            let name = m.world.symbols.intern(name)?;
            let functor = m.world.symbols.functor(name, 1)?;
            m.store.reserve(2)?;
            terms.put(m.store.new_struct(functor, &[term]))?;
        }
        let terms = m.store.list_of(&terms)?;
        Ok(m.unify(list, terms)?)
    };
}
