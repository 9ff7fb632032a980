//! What is assumed and what became of it, for people: contexts, failures, what a solution used.

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

/// Words that a formula takes at most besides its terms.
const FORMULA_WORDS: usize = 16;

/// So many clauses of a predicate are told, of more only how many there are.
const MOST_CLAUSES: usize = 4;

/// What is assumed of a predicate, as a formula: the hook of the machine.
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

/// A clause about a predicate, as the language of that has it.
fn clause_term(m: &mut Machine, predicate: PredId, head: Cell, body: Cell) -> Cell {
    if m.store.deref(body) == Cell::atom(atoms::TRUE) {
        return head;
    }
    if m.world.predicates.get(predicate).module == atoms::LOLLI {
        return m.store.new_struct(functors::LOLLIPOP, &[body, head]);
    }
    m.store.new_struct(functors::NECK, &[head, body])
}

/// The formula that compiled clauses stand for: their text with the captured values in it, several
/// clauses as `C & D`. Of many it is told how many they are: `'$clauses'(Number, Head)`.
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

/// One of these clauses, for `predicate`, with the captured values.
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

/// Shows an event of a context that is traced, on the standard error output: the hook of the machine.
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
    // Nobody can be told that the standard error output fails.
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

/// Subterms that lie deeper are not shown in traces.
const TRACE_DEPTH: u32 = 12;

/// A formula or goal without the module that needs no telling; is it of Lolli?
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

/// `Name/Arity` of a builtin, or the name alone by which users know what rests on it.
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
    /// `Goal` is that of the last query of the host; fails if that had a solution, or there was none.
    iso "$last_failed"("-goal") needs history = |m, [goal]| {
        let Some(last) = m.run.observers.last_query.failed.take() else {
            return Ok(false);
        };
        let loaded = m.store.load_term(&last);
        m.run.observers.last_query.failed = Some(last);
        Ok(m.unify(goal, loaded?)?)
    };

    /// True if the last query of the host had a solution.
    iso "$last_succeeded"() needs history = |m, []| Ok(m.run.observers.last_query.succeeded);

    /// `Items` are the newest `Most` assumptions, oldest first, each `Kind(Module:Formula)-Sight-Place`:
    /// the sight is `seen` or `hidden`, the place `File:Line` or `none`. `All` is the number of all of
    /// them.
    iso "$live_context"("+integer", "-list", "-integer") = |m, [most, items, all]| {
        let most = m.size_arg(most)?;
        let (records, count) = m.live_records(i64::MAX, most)?;
        let mut name = |name| m.world.symbols.intern(name).map(Cell::atom);
        let (seen, hidden, none) = (name("seen")?, name("hidden")?, name("none")?);
        let mut found = Vec::with_capacity(records.len());
        for record in records {
            let told = m.told(record.record)?;
            m.store.reserve(FORMULA_WORDS)?;
            let sight = if record.hidden { hidden } else { seen };
            let told = m.store.new_struct(functors::MINUS2, &[told, sight]);
            let place = match record.origin {
                Some(origin) => m.place_term(origin)?,
                None => none,
            };
            m.store.reserve(FORMULA_WORDS)?;
            found.put(m.store.new_struct(functors::MINUS2, &[told, place]))?;
        }
        Ok(m.unify_items(items, &found)? && m.unify_size(all, count)?)
    };

    /// Keeps a goal, with its module, as that of the last query of the host, which had no solution.
    iso "$note_failed"("+goal") needs history = always |m, [goal]| {
        let kept = m.store.keep_term(goal, Attrs::Drop)?;
        m.run.observers.last_query.note_failed(Some(kept));
    };

    /// The last query of the host had a solution.
    iso "$note_succeeded"() needs history = always |m, []| m.run.observers.last_query.note_succeeded();

    /// True if it is to be said why, whenever a query of the host fails.
    iso "$explains_failures"() = |m, []| Ok(m.run.observers.last_query.explain);

    /// `Number` is that of the newest assumption.
    iso "$newest_assumption"("-integer") = |m, [number]| {
        let newest = m.scope_base();
        Ok(m.unify(number, newest)?)
    };

    /// `Formulas` are the linear assumptions up to number `Newest` that may be used now and were not,
    /// newest first, each with its module.
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

    /// From now on, until `'$end_affine'/1`, scopes may leave what they must use elsewhere.
    iso "$begin_affine"() = always |m, []| m.begin_affine();

    /// Ends that. `Formulas` are what was left since, newest first, each with its module.
    iso "$end_affine"("-list") = |m, [formulas]| {
        let mut found = Vec::new();
        for record in m.end_affine()? {
            found.put(m.formula_of(record)?)?;
        }
        m.unify_items(formulas, &found)
    };

    /// `Events` are what happened on the way to here since noting began, oldest first.
    iso "$recorded_events"("-list") needs history = |m, [events]| {
        let found = m.recorded_events()?;
        m.unify_items(events, &found)
    };

    /// `Failures` are those that the last recorder has kept, each after the number of linear resources
    /// that were used before it, the greatest first. `End` is `end`,
    /// `calls` if the goal took too many, or `effect(Builtin)` if it was about to do what cannot be
    /// undone.
    iso "$recorded_failures"("-term", "-list") needs history = |m, [end, failures]| {
        let Some(mut recorder) = m.run.observers.recorded.take() else {
            return Err(no_recorder(m)?);
        };
        let kept = std::mem::take(&mut recorder.failures);
        let stopped = recorder.stopped;
        m.run.observers.recorded = Some(recorder);
        let mut found = Vec::with_capacity(kept.len());
        for failure in &kept {
            let told = m.store.load_term(&failure.term)?;
            m.store.reserve(FORMULA_WORDS)?;
            let rank = Cell::int(failure.rank);
            found.put(m.store.new_struct(functors::MINUS2, &[rank, told]))?;
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

    /// `File`, `Line` and `Indicator` tell where the clause of number `Place` stands; fails for what is
    /// in no file.
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
            let told = m.indicator(functor);
            let told = m.store.new_struct(functors::COLON, &[Cell::atom(module), told]);
            Ok(m.unify_atom(file, name)?
                && m.unify_int(line, i64::from(found.line))?
                && m.unify(indicator, told)?)
        };
}
