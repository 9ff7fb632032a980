//! The rule for calls of undefined predicates, which are reported after the whole program is
//! loaded.

use crate::base::atom_table::{Atom, FastSet, Functor, atoms};
use crate::base::flags::UnknownAction;
use crate::base::growth::{Gather, Grow, GrowSet, joined_by};
use crate::base::stop::Stop;
use crate::base::warning::Warning;
use crate::code::instruction::{Operand, ROWS, decode, wide};
use crate::diagnose::goal_places::{goal_of, place, place_of_part};
use crate::diagnose::handed_goals::passed_in;
use crate::diagnose::origin::{calls, definition};
use crate::diagnose::similar::{list, meant};
use crate::library::prelude::exported_predicates;
use crate::machine::state::Machine;
use crate::program::clauses::clause::ClauseTerm;
use crate::program::clauses::clause_list::Clause;
use crate::program::predicate::{Kind, PredId};
use crate::source::diagnostic::{Diagnostic, Severity};
use crate::source::loading::loader;
use crate::source::parts::Part;
use crate::source::program_names::is_lolli;
use crate::source::report::report;
use crate::source::term_texts::{indicator_text, term_text};
use crate::store::address::CodeAddr;
use crate::store::cell::Cell;
use crate::store::heap::View;

/// Maximum number of predicates that are reported.
const MOST: usize = 20;

/// A call of a predicate: its place, and the called predicate.
struct Call {
    predicate: PredId,
    clause: Clause,
    goal: Goal,
    called: PredId,
}

/// The goal of a call.
#[derive(Clone)]
enum Goal {
    /// The instruction at this address calls the goal.
    At(CodeAddr),
    /// A part of the term of the clause. The part is passed to a predicate that calls it.
    Passed(ClauseTerm, Part),
}

/// Maximum number of other callers of a lost predicate that are named.
const CALLERS: usize = 3;

/// Warns of undefined predicates called in the files loaded since the last check: those without a predicate,
/// declaration or library. Also warns of calls in other files whose definition has been lost since. Each
/// predicate is reported at its first call. With `surely`, lost definitions are reported even if the program
/// loads files itself.
pub(super) fn check(m: &mut Machine, surely: bool) -> Result<(), Stop> {
    let files = std::mem::take(&mut loader(m).unchecked);
    let lost = std::mem::take(&mut loader(m).lost);
    if files.is_empty() && lost.is_empty() {
        return Ok(());
    }
    let exported: FastSet<_> = exported_predicates(m).into_iter().gather_set()?;
    let mut passed = Vec::new();
    for &file in &files {
        let calls = passed_calls(m, file, &exported)?;
        passed.put((file, calls))?;
    }
    let mut undefined = FastSet::default();
    for id in m.world.predicates.ids() {
        if is_undefined(m, id)? {
            undefined.put_new(id)?;
        }
    }
    if undefined.is_empty() {
        return Ok(());
    }
    undefined.retain(|&id| {
        let functor = m.world.predicates.get(id).functor;
        !exported.contains(&functor) && !is_inherited(m, functor)
    });
    let gone: FastSet<PredId> = lost
        .into_iter()
        .filter(|id| undefined.contains(id))
        .gather_set()?;
    let mut found = Vec::new();
    if let Some(made) = made_at_run_time(m, &files)? {
        undefined.retain(|id| !gone.contains(id));
        undefined.retain(|&id| !made.contains(&m.world.predicates.get(id).functor));
        for (file, passed) in passed {
            let calls = calls_of(m, file, passed, &undefined)?.into_iter();
            let first = calls.filter(|call| undefined.remove(&call.called));
            found.put_all(first.map(|call| (call, Vec::new())).gather()?)?;
        }
    }
    if !gone.is_empty() && m.world.flags.warnings.wants(Warning::Undefined) {
        found.put_all(calls_of_gone(m, gone, &exported, surely)?)?;
    }
    let more = found.len().saturating_sub(MOST);
    found.truncate(MOST);
    for (call, others) in found {
        report_call(m, &call, &others)?;
    }
    if more > 0 {
        let message = format!("{more} more predicates are called but not defined");
        let diagnostic = Diagnostic::without_place(Severity::Warning, message);
        report(m, diagnostic.of_warning(Warning::Undefined))?;
    }
    Ok(())
}

/// Returns the first calls of predicates that were defined before, each with other predicates that
/// call it.
fn calls_of_gone(
    m: &mut Machine,
    mut gone: FastSet<PredId>,
    exported: &FastSet<Functor>,
    surely: bool,
) -> Result<Vec<(Call, Vec<Call>)>, Stop> {
    let sources = m
        .world
        .files
        .iter()
        .filter(|(_, file)| file.context.is_some());
    let files: Vec<u32> = sources.map(|(number, _)| number).gather()?;
    match made_at_run_time(m, &files)? {
        Some(made) => gone.retain(|&id| !made.contains(&m.world.predicates.get(id).functor)),
        None if surely => {}
        None => return Ok(Vec::new()),
    }
    let mut found: Vec<(Call, Vec<Call>)> = Vec::new();
    let mut calls = Vec::new();
    for &file in &files {
        let passed = passed_calls(m, file, exported)?;
        calls.put_all(calls_of(m, file, passed, &gone)?)?;
    }
    for call in calls {
        let known = found
            .iter_mut()
            .find(|(first, _)| first.called == call.called);
        let Some((first, others)) = known else {
            found.put((call, Vec::new()))?;
            continue;
        };
        let is_named = |other: &Call| other.predicate == call.predicate;
        if !is_named(first) && !others.iter().any(is_named) {
            others.put(call)?;
        }
    }
    Ok(found)
}

/// Returns the functors of terms in clauses that call assert and the like: the program may define
/// these predicates at run time. Returns `None` if a clause loads files, since then it may define
/// any predicate.
fn made_at_run_time(m: &Machine, files: &[u32]) -> Result<Option<FastSet<Functor>>, Stop> {
    let mut made = FastSet::default();
    for &file in files {
        let included = m.world.files.with_included(file)?;
        for &id in &m.world.files.get(file).defines {
            let clauses = m.world.predicates.get(id).clauses.iter();
            for (_, clause) in clauses.filter(|(_, clause)| included.contains(&clause.file())) {
                let used = used_by(m, clause)?;
                if used.called.iter().any(|called| LOADING.contains(called)) {
                    return Ok(None);
                }
                // A predicate that asserts may also be passed as an argument.
                let handed =
                    |&functor: &Functor| ASSERTING.contains(&m.world.symbols.name_text(functor));
                if used.called.iter().any(|(name, _)| ASSERTING.contains(name))
                    || used.functors.iter().any(handed)
                {
                    made.put_all(used.functors)?;
                }
            }
        }
    }
    Ok(Some(made))
}

/// Returns whether a clause of a loaded file that asserts clauses has a term with this functor.
pub(crate) fn is_made_at_run_time(m: &mut Machine, functor: Functor) -> Result<bool, Stop> {
    let sources = m.world.files.iter();
    let sources = sources.filter(|(_, file)| file.context.is_some());
    let files: Vec<u32> = sources.map(|(number, _)| number).gather()?;
    let made = made_at_run_time(m, &files)?;
    Ok(made.is_some_and(|made| made.contains(&functor)))
}

/// Predicates that add or remove clauses, and the one that assumes formulas of more than one clause.
const ASSERTING: [&str; 9] = [
    "assert",
    "asserta",
    "assertz",
    "retract",
    "retractall",
    "abolish",
    "dynamic",
    "$assertz",
    "$assume",
];

/// Predicates that load files, with their numbers of arguments.
const LOADING: [(&str, usize); 7] = [
    ("consult", 1),
    ("load_files", 1),
    ("load_files", 2),
    ("ensure_loaded", 1),
    ("use_module", 1),
    ("use_module", 2),
    ("include", 1),
];

/// The calls and terms of a clause.
#[derive(Default)]
struct Used<'m> {
    /// Names and arities of the predicates that the clause calls.
    called: Vec<(&'m str, usize)>,
    /// Functors of the terms of the clause.
    functors: Vec<Functor>,
}

fn used_by<'m>(m: &'m Machine, clause: &Clause) -> Result<Used<'m>, Stop> {
    let (code, mut at) = (clause.code(), 0);
    let mut used = Used::default();
    while let Some(op) = code.get(at).and_then(|&word| decode(word)) {
        let row = &ROWS[op as usize];
        for operand in row.operands {
            match *operand {
                Operand::Predicate => {
                    let called = m.world.predicates.get(PredId(wide(code[at])));
                    let name = m.world.symbols.name_text(called.functor);
                    used.called.put((name, called.functor.arity()))?;
                }
                Operand::Builtin => {
                    if let Some(builtin) = m.world.host.builtins.get(wide(code[at]) as usize) {
                        used.called.put((builtin.name, builtin.modes.len()))?;
                    }
                }
                Operand::Functor(word) => {
                    used.functors
                        .put(Cell::of_word(code[at + word as usize]).as_functor())?;
                }
                Operand::Constant(word) => {
                    // An atom without a functor of arity 0 names no predicate.
                    if let View::Atom(name) = m.store.view(Cell::of_word(code[at + word as usize]))
                    {
                        used.functors
                            .put_all(m.world.symbols.find_functor(name, 0))?;
                    }
                }
                _ => {}
            }
        }
        at += row.words;
    }
    Ok(used)
}

fn is_undefined(m: &Machine, id: PredId) -> Result<bool, Stop> {
    let predicate = m.world.predicates.get(id);
    Ok(predicate.kind == Kind::Undefined
        && !m.is_system_module(predicate.module)
        && !predicate.traits.multifile
        && !predicate.traits.discontiguous
        && !m.means_hook(predicate.module, predicate.functor)
        && m.run.contexts.slot_of(id).is_none()
        // Otherwise its calls fail because the program wants them to.
        && m.unknown_action(predicate.module)? == UnknownAction::Error)
}

/// Returns whether a predicate is defined for all modules, or in `user`, from which other modules inherit.
fn is_inherited(m: &Machine, functor: Functor) -> bool {
    [atoms::SYSTEM, atoms::USER].into_iter().any(|module| {
        let found = m.world.predicates.find(module, functor);
        found.is_some_and(|id| m.world.predicates.get(definition(m, id)).kind != Kind::Undefined)
    })
}

/// Returns the goals that the clauses of a file pass to predicates that call them.
fn passed_calls(
    m: &mut Machine,
    file: u32,
    exported: &FastSet<Functor>,
) -> Result<Vec<Call>, Stop> {
    if is_lolli(&m.world.files.get(file).name) {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for (predicate, clause, term, passed) in passed_in(m, file)? {
        let (module, functor) = (passed.module, passed.functor);
        let called = match m.world.predicates.find(module, functor) {
            Some(id) => definition(m, id),
            None if exported.contains(&functor) || is_inherited(m, functor) => continue,
            None => m.intern_predicate(module, functor)?,
        };
        found.put(Call {
            predicate,
            clause,
            goal: Goal::Passed(term, passed.part),
            called,
        })?;
    }
    Ok(found)
}

/// Returns the calls of these predicates in the clauses of a file, in order, including those in `passed`.
fn calls_of(
    m: &Machine,
    file: u32,
    passed: Vec<Call>,
    undefined: &FastSet<PredId>,
) -> Result<Vec<Call>, Stop> {
    let files = m.world.files.with_included(file)?;
    let entry = m.world.files.get(file);
    if is_lolli(&entry.name) {
        return Ok(Vec::new());
    }
    let mut found: Vec<(u32, Call)> = Vec::new();
    // The calls of lambda expressions are passed on by the clauses that contain them.
    let own = |id: &&PredId| m.world.predicates.get(**id).module != atoms::LAMBDAS;
    for &predicate in entry.defines.iter().filter(own) {
        for (_, clause) in m.world.predicates.get(predicate).clauses.iter() {
            if !files.contains(&clause.file()) {
                continue;
            }
            for (address, callee, _) in calls(clause)? {
                let called = definition(m, callee);
                if undefined.contains(&called) {
                    let clause = clause.clone();
                    let line = clause.line();
                    let call = Call {
                        predicate,
                        clause,
                        goal: Goal::At(address),
                        called,
                    };
                    found.put((line, call))?;
                }
            }
        }
    }
    let passed = passed
        .into_iter()
        .filter(|call| undefined.contains(&call.called));
    found.put_all(passed.map(|call| (call.clause.line(), call)))?;
    found.sort_by_key(|(line, _)| *line);
    found.into_iter().map(|(_, call)| call).gather()
}

/// Reports a call, and the other predicates with such a call.
fn report_call(m: &mut Machine, call: &Call, others: &[Call]) -> Result<(), Stop> {
    let (predicate, clause) = (call.predicate, &call.clause);
    let place = match &call.goal {
        &Goal::At(address) => {
            let goal = goal_of(m, clause, address)?;
            place(m, predicate, clause, goal)?
        }
        Goal::Passed(term, part) => place_of_part(m, predicate, clause, (term.root(), *part))?,
    };
    let Some(place) = place else {
        return Ok(());
    };
    let called = m.world.predicates.get(call.called);
    let (functor, module) = (called.functor, called.module);
    let here = m.world.predicates.get(call.predicate).module;
    let name = qualified(m, call.called, here)?;
    let message = format!("{name} is called but not defined");
    let plain = m.world.symbols.name(functor);
    let marked = place.source_line.get(place.span.clone());
    let in_grammar = matches!(call.goal, Goal::At(_))
        && functor.arity() >= 2
        && marked == Some(m.world.symbols.text(plain));
    let word = in_grammar.then(|| {
        let word = marked.unwrap_or_default();
        format!("in a grammar rule write a word as [{word}]")
    });
    let hint = meant(m, module, plain, Some(functor.arity() as i64))?.or(word);
    let callers = other_callers(m, others)?;
    let hint: Vec<String> = callers.into_iter().chain(hint).gather()?;
    let hint = (!hint.is_empty())
        .then(|| joined_by(&hint, "; "))
        .transpose()?;
    let diagnostic = Diagnostic::at(Severity::Warning, place, message, hint);
    report(m, diagnostic.of_warning(Warning::Undefined))?;
    Ok(())
}

/// Returns the other predicates with a call, with their places; none if there are none.
fn other_callers(m: &mut Machine, others: &[Call]) -> Result<Option<String>, Stop> {
    let mut shown = Vec::new();
    for call in others.iter().take(CALLERS) {
        let name = qualified(m, call.predicate, atoms::USER)?;
        let file = m.world.files.get(call.clause.file());
        shown.put(format!("{name} ({}:{})", file.name, call.clause.line()))?;
    }
    match others.len().saturating_sub(CALLERS) {
        0 => {}
        more => shown.put(format!("{more} more"))?,
    }
    if shown.is_empty() {
        return Ok(None);
    }
    Ok(Some(format!("also called by {}", list(&shown, "and")?)))
}

/// Returns the name of a predicate, qualified unless it is in the module `here`.
fn qualified(m: &mut Machine, id: PredId, here: Atom) -> Result<String, Stop> {
    let predicate = m.world.predicates.get(id);
    let (functor, module) = (predicate.functor, predicate.module);
    let name = indicator_text(m, functor)?;
    if module == here {
        return Ok(name);
    }
    let module = term_text(m, Cell::atom(module))?;
    Ok(format!("{module}:{name}"))
}
