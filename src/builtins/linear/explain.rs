//! Explanations of assumptions for users: contexts, failures, and the assumptions that a solution used.

use crate::base::atom_table::{Atom, Functor, atoms, functors};
use crate::base::growth::{Gather, Grow, GrowText};
use crate::base::stop::Stop;
use crate::builtins::database::clauses::source_terms;
use crate::builtins::streams::errors_io::Target;
use crate::io::stream_table::USER_ERROR;
use crate::machine::builtin::builtins;
use crate::machine::contexts::assumption::Assumed;
use crate::machine::control::throw::Throw;
use crate::machine::events::recorder::{Event, StoppedBy};
use crate::machine::state::Machine;
use crate::program::predicate::PredId;
use crate::store::cell::Cell;
use crate::store::heap::View;
use crate::store::stored::Attrs;
use crate::text::lolli::writer::Form;
use crate::text::write_options::WriteOptions;

/// Greatest number of words of a formula besides its terms.
const FORMULA_WORDS: usize = 16;

/// Number of clauses of a predicate that are shown; for more clauses, only their number is shown.
const MOST_CLAUSES: usize = 4;

/// Converts an assumption about a predicate to a formula. The machine calls this as a hook.
pub(crate) fn formula(m: &mut Machine, predicate: PredId, assumed: Assumed) -> Result<Cell, Stop> {
    m.store.reserve(FORMULA_WORDS)?;
    match assumed {
        Assumed::Fact(fact) => Ok(fact),
        Assumed::Clause(clause, _) => Ok(match m.store.compound(clause) {
            Some((_, args)) => {
                let (head, body) = (m.store.arg(args, 0), m.store.arg(args, 1));
                clause_term(m, predicate, head, body)
            }
            None => clause,
        }),
        Assumed::Closure(compiled, captured) => closure_formula(m, predicate, compiled, captured),
    }
}

/// Builds a clause of a predicate in the syntax of its language.
fn clause_term(m: &mut Machine, predicate: PredId, head: Cell, body: Cell) -> Cell {
    if m.store.deref(body) == Cell::atom(atoms::TRUE) {
        return head;
    }
    if m.world.predicates.get(predicate).module == atoms::LOLLI {
        return m.store.new_struct(functors::LOLLIPOP, &[body, head]);
    }
    m.store.new_struct(functors::NECK, &[head, body])
}

/// Returns the formula of compiled clauses: their text with the captured values, several clauses as `C & D`. For
/// many clauses it returns only their number: `'$clauses'(Number, Head)`.
fn closure_formula(
    m: &mut Machine,
    predicate: PredId,
    compiled: PredId,
    captured: Cell,
) -> Result<Cell, Stop> {
    let functor = m.world.predicates.get(predicate).functor;
    let clauses = m.world.predicates.get(compiled).clauses.iter();
    let positions: Vec<i64> = clauses
        .take(MOST_CLAUSES + 1)
        .map(|(position, _)| position)
        .gather()?;
    if positions.is_empty() {
        return Ok(m.indicator(functor));
    }
    if positions.len() > MOST_CLAUSES {
        let number = m.world.predicates.get(compiled).clauses.len();
        return many_clauses(m, functor, number);
    }
    let mut formula = None;
    for &position in positions.iter().rev() {
        let clause = closure_clause(m, (predicate, compiled), captured, position)?;
        m.store.reserve(FORMULA_WORDS)?;
        formula = Some(match formula {
            None => clause,
            Some(rest) => m.store.new_struct(functors::WITH, &[clause, rest]),
        });
    }
    Ok(formula.unwrap_or_else(|| m.indicator(functor)))
}

fn many_clauses(m: &mut Machine, functor: Functor, number: usize) -> Result<Cell, Stop> {
    m.store.reserve(2 * functor.arity() + FORMULA_WORDS)?;
    let head = if functor.arity() == 0 {
        Cell::atom(m.world.symbols.name(functor))
    } else {
        let args: Vec<Cell> = (0..functor.arity()).map(|_| m.store.new_var()).gather()?;
        m.store.new_struct(functor, &args)
    };
    let args = [Cell::int(number as i64), head];
    Ok(m.store.new_struct(functors::CLAUSES2, &args))
}

/// Returns one of these clauses, for `predicate`, with the captured values.
fn closure_clause(
    m: &mut Machine,
    (predicate, compiled): (PredId, PredId),
    captured: Cell,
    position: i64,
) -> Result<Cell, Stop> {
    let functor = m.world.predicates.get(predicate).functor;
    let Ok(Some((head, body))) = source_terms(m, compiled, position) else {
        return Err(Stop);
    };
    let Some((_, args)) = m.store.compound(head) else {
        let head = Cell::atom(m.world.symbols.name(functor));
        return Ok(clause_term(m, predicate, head, body));
    };
    if let Some((with, values)) = m.store.compound(captured) {
        for index in 0..with.arity() {
            let variable = m.store.arg(args, functor.arity() + index);
            let value = m.store.arg(values, index);
            m.unify(variable, value)?;
        }
    }
    m.store.reserve(functor.arity() + FORMULA_WORDS)?;
    let own: Vec<Cell> = m.store.args(functor, args).gather()?;
    let head = if own.is_empty() {
        Cell::atom(m.world.symbols.name(functor))
    } else {
        m.store.new_struct(functor, &own)
    };
    Ok(clause_term(m, predicate, head, body))
}

/// Prints an event of a traced context on the standard error output. The machine calls this as a hook.
pub(crate) fn trace_context(m: &mut Machine, event: Event, terms: &[Cell]) -> Result<(), Stop> {
    let traced = m.traces_contexts(event);
    let port = match (event, traced) {
        (Event::Goal, _) => return Ok(()),
        (_, Some(depth)) if !m.shows_context(event, depth) => return Ok(()),
        (Event::Assumed, _) => "Assume",
        (Event::Used, None) => "Use",
        (Event::Used, Some(_)) => "Consume",
        (Event::Left, _) => "Left",
        _ => "Miss",
    };
    let target = Target::of(USER_ERROR);
    let mut options = WriteOptions {
        quoted: true,
        max_depth: TRACE_DEPTH,
        ..WriteOptions::default()
    };
    let mut text = format!("   {port}: ");
    if let Some(depth) = traced {
        text.put_str(&format!("({depth}) "))?;
    }
    // Ignore errors of the standard error output: there is no other place to report them.
    for (index, &term) in terms.iter().enumerate() {
        if index > 0 {
            text.put_str(if event == Event::Used { " by " } else { ", " })?;
        }
        let _ = m.write_text_to(target, &text);
        text.clear();
        if let (Some(_), Some((kind, _))) = (traced, m.store.compound(term))
            && matches!(kind, functors::LINEAR1 | functors::INTUITIONISTIC1)
        {
            text.put_str(m.world.symbols.name_text(kind))?;
            text.put(' ')?;
            let _ = m.write_text_to(target, &text);
            text.clear();
        }
        let (term, lolli) = plain(m, term);
        if lolli {
            let form = if index == 0 && event != Event::Missed {
                Form::Clause
            } else {
                Form::Goal
            };
            let shown = match traced {
                Some(_) => m.lolli_form_traced(term, form),
                None => m.lolli_form(term, form),
            };
            text.put_str(&shown.unwrap_or_default())?;
        } else {
            if traced.is_some() {
                let variables = m.store.variables_of(term);
                options.variable_names = m.trace_names(&variables?)?;
            }
            let _ = m.write_term_to(target, term, &options);
        }
    }
    if let (Some(_), Some((file, line))) = (traced, m.run.observers.tracer.origin) {
        let name = &m.world.files.get(file).name;
        let name = name.rsplit('/').next().unwrap_or_default();
        text.put_str(&format!("  [{name}:{line}]"))?;
    }
    text.put('\n')?;
    let _ = m.write_text_to(target, &text);
    Ok(())
}

/// Depth in traces below which subterms are not printed.
const TRACE_DEPTH: u32 = 12;

/// Removes the module from a formula or goal if it is `user` or `lolli`. Also returns whether the term is of Lolli.
pub(crate) fn plain(m: &Machine, term: Cell) -> (Cell, bool) {
    let mut term = term;
    if let View::Struct(functors::LINEAR1 | functors::INTUITIONISTIC1, args) = m.store.view(term) {
        term = m.store.arg(args, 0);
    }
    match m.store.view(term) {
        View::Struct(functors::COLON, args) => match m.store.view(m.store.arg(args, 0)) {
            View::Atom(module @ (atoms::USER | atoms::LOLLI)) => {
                let term = match m.store.view(m.store.arg(args, 1)) {
                    View::Struct(functors::CLAUSES2, clauses) => m.store.arg(clauses, 1),
                    _ => m.store.arg(args, 1),
                };
                (term, module == atoms::LOLLI)
            }
            _ => (term, false),
        },
        _ => (term, false),
    }
}

/// Returns `Name/Arity` of a builtin. For an internal builtin it returns the plain name, which users know.
fn builtin_indicator(m: &mut Machine, number: u32) -> Result<Cell, Stop> {
    let builtin = m.world.host.builtins[number as usize];
    let name = builtin.name;
    let plain = name
        .strip_prefix("$lolli_")
        .unwrap_or(name.trim_start_matches('$'));
    let name: Atom = m.world.symbols.intern(plain)?;
    if plain != builtin.name {
        return Ok(Cell::atom(name));
    }
    let functor = m.world.symbols.functor(name, builtin.modes.len())?;
    Ok(m.indicator(functor))
}

fn no_recorder(m: &mut Machine) -> Result<Throw, Stop> {
    Ok(m.existence_error("recording", Cell::atom(atoms::NIL)))
}

builtins! { EXPLAIN =
    /// Returns the goal of the host's last query. Fails if the query had a solution, or if there was no query.
    iso "$last_failed"("-goal") needs history = |m, [goal]| {
        let Some(last) = m.run.observers.last_query.failed.take() else {
            return Ok(false);
        };
        let loaded = m.store.load_term(&last);
        m.run.observers.last_query.failed = Some(last);
        Ok(m.unify(goal, loaded?)?)
    };

    /// Succeeds if the host's last query had a solution.
    iso "$last_succeeded"() needs history = |m, []| Ok(m.run.observers.last_query.succeeded);

    /// Returns the newest `Most` assumptions, oldest first, each as `Kind(Module:Formula)-Sight-Place`. The sight
    /// is `seen` or `hidden`, the place `File:Line` or `none`. `All` is the number of all assumptions.
    iso "$live_context"("+integer", "-list", "-integer") = |m, [most, items, all]| {
        let most = m.size_arg(most)?;
        let (records, count) = m.live_records(i64::MAX, most)?;
        let mut name = |name| m.world.symbols.intern(name).map(Cell::atom);
        let (seen, hidden, none) = (name("seen")?, name("hidden")?, name("none")?);
        let mut found = Vec::with_capacity(records.len());
        for record in records {
            let assumption = m.kind_and_formula(record.record)?;
            m.store.reserve(FORMULA_WORDS)?;
            let sight = if record.hidden { hidden } else { seen };
            let pair = m.store.new_struct(functors::MINUS2, &[assumption, sight]);
            let place = match record.origin {
                Some(origin) => m.place_term(origin)?,
                None => none,
            };
            m.store.reserve(FORMULA_WORDS)?;
            found.put(m.store.new_struct(functors::MINUS2, &[pair, place]))?;
        }
        Ok(m.unify_items(items, &found)? && m.unify_size(all, count)?)
    };

    /// Stores a goal, with its module, as the host's last query, which had no solution.
    iso "$note_failed"("+goal") needs history = always |m, [goal]| {
        let kept = m.store.keep_term(goal, Attrs::Drop)?;
        m.run.observers.last_query.note_failed(Some(kept));
    };

    /// Records that the host's last query had a solution.
    iso "$note_succeeded"() needs history = always |m, []| m.run.observers.last_query.note_succeeded();

    /// Succeeds if every failure of a host's query is to be explained.
    iso "$explains_failures"() = |m, []| Ok(m.run.observers.last_query.explain);

    /// Returns the number of the newest assumption.
    iso "$newest_assumption"("-integer") = |m, [number]| {
        let newest = m.scope_base();
        Ok(m.unify(number, newest)?)
    };

    /// Returns the linear assumptions up to number `Newest` that are usable now and unused, newest first, each with
    /// its module.
    iso "$unused"("+integer", "-list") = |m, [newest, formulas]| {
        let newest = m.i64_arg(newest)?;
        let (records, _) = m.live_records(newest, usize::MAX)?;
        let mut found = Vec::new();
        for record in records.into_iter().rev() {
            if record.linear && !record.hidden {
                found.put(m.formula_of(record.record)?)?;
            }
        }
        m.unify_items(formulas, &found)
    };

    /// Allows scopes to end with unused resources that they must normally consume, until `'$end_affine'/1`.
    iso "$begin_affine"() = always |m, []| m.begin_affine();

    /// Ends the effect of `'$begin_affine'/0`. `Formulas` are the resources left since, newest first, each with its
    /// module.
    iso "$end_affine"("-list") = |m, [formulas]| {
        let mut found = Vec::new();
        for record in m.end_affine()? {
            found.put(m.formula_of(record)?)?;
        }
        m.unify_items(formulas, &found)
    };

    /// Returns the recorded events on the branch to the present point, oldest first.
    iso "$recorded_events"("-list") needs history = |m, [events]| {
        let found = m.recorded_events()?;
        m.unify_items(events, &found)
    };

    /// Returns the failures that the last recorder has stored, each as `Number-Failure`. `Number` is the number of
    /// linear resources consumed before the failure; the greatest comes first. `End` is one of:
    ///
    /// - `end`;
    /// - `calls`: the goal took too many calls;
    /// - `effect(Builtin)`: the goal was about to have an effect that cannot be undone.
    iso "$recorded_failures"("-term", "-list") needs history = |m, [end, failures]| {
        let Some(mut recorder) = m.run.observers.recorded.take() else {
            return Err(no_recorder(m)?);
        };
        let kept = std::mem::take(&mut recorder.failures);
        let stopped = recorder.stopped;
        m.run.observers.recorded = Some(recorder);
        let mut found = Vec::with_capacity(kept.len());
        for failure in &kept {
            let term = m.store.load_term(&failure.term)?;
            m.store.reserve(FORMULA_WORDS)?;
            let rank = Cell::int(failure.rank);
            found.put(m.store.new_struct(functors::MINUS2, &[rank, term]))?;
        }
        m.store.reserve(FORMULA_WORDS)?;
        let how = match stopped {
            None => Cell::atom(atoms::END),
            Some(StoppedBy::Calls) => Cell::atom(m.world.symbols.intern("calls")?),
            Some(StoppedBy::Effect(number)) => {
                let indicator = builtin_indicator(m, number)?;
                m.new_term("effect", &[indicator])?
            }
        };
        Ok(m.unify(end, how)? && m.unify_items(failures, &found)?)
    };

    /// Returns file, line and predicate of the clause with number `Place`. Fails for a clause without file.
    iso "$recorded_place"("+integer", "-atom", "-integer", "-term") needs history =
        |m, [place, file, line, indicator]| {
            let number = m.i64_arg(place)?;
            let recorder = m.run.observers.recorder.as_ref().filter(|recorder| !recorder.places.is_empty());
            let Some(recorder) = recorder.or(m.run.observers.recorded.as_ref()) else {
                return Ok(false);
            };
            let index = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
            let Some(&found) = index.and_then(|index| recorder.places.get(index)) else {
                return Ok(false);
            };
            let name = m.world.files.get(found.file).name.to_string();
            let name = m.new_atom(&name)?;
            let predicate = m.world.predicates.get(found.predicate);
            let (module, functor) = (predicate.module, predicate.functor);
            m.store.reserve(FORMULA_WORDS)?;
            let bare = m.indicator(functor);
            let qualified = m.store.new_struct(functors::COLON, &[Cell::atom(module), bare]);
            Ok(m.unify_atom(file, name)?
                && m.unify_int(line, i64::from(found.line))?
                && m.unify(indicator, qualified)?)
        };
}
