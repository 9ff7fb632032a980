//! Goals of programs for which nothing is defined, told of once all of a program is loaded.

use super::consult::{indicator_text, loader, shown};
use super::diagnostic::{Diagnostic, Severity};
use super::lolli_origin::is_lolli;
use super::origin::{calls, definition, goal_of, place};
use super::prelude::exported_predicates;
use super::similar::meant;
use super::told::report;
use crate::base::grow::{Gather, Grow};
use crate::base::symbol::{FastSet, Functor, atoms};
use crate::base::warning::Warning;
use crate::code::instruction::{Operand, ROWS, decode, wide};
use crate::machine::state::Machine;
use crate::program::clause_list::Clause;
use crate::program::predicate::{Kind, PredId};
use crate::store::cell::{Addr, Cell};

/// So many predicates are told of at most.
const MOST: usize = 20;

/// A call of a predicate: where it stands, and what is called.
struct Call {
    predicate: PredId,
    clause: Clause,
    address: Addr,
    called: PredId,
}

/// Warns of goals in the files loaded since the last time for which nothing is defined: no predicate,
/// no declaration, no library. Each predicate is told of where it is first called.
pub(crate) fn warn_undefined(m: &mut Machine) {
    let files = std::mem::take(&mut loader(m).unchecked);
    if files.is_empty() {
        return;
    }
    let mut undefined: FastSet<PredId> = (0..m.predicates.len() as u32)
        .map(PredId)
        .filter(|&id| is_undefined(m, id))
        .collect();
    if undefined.is_empty() {
        return;
    }
    let exported: FastSet<_> = exported_predicates(m).into_iter().collect();
    undefined.retain(|&id| {
        let functor = m.predicates.get(id).functor;
        !exported.contains(&functor) && !is_inherited(m, functor)
    });
    let Some(made) = made_at_run_time(m, &files) else {
        return;
    };
    undefined.retain(|&id| !made.contains(&m.predicates.get(id).functor));
    let mut found = Vec::new();
    for file in files {
        found.put_all(first_calls(m, file, &mut undefined));
    }
    found.truncate(MOST);
    for call in found {
        tell(m, &call);
    }
}

/// The functors of terms in clauses that assert something: these predicates may come to be while the
/// program runs. `None` if a clause loads files, since then all may.
fn made_at_run_time(m: &Machine, files: &[u32]) -> Option<FastSet<Functor>> {
    let mut made = FastSet::default();
    for &file in files {
        let included = m.files.with_included(file);
        for &id in &m.files.get(file).defines {
            let clauses = m.predicates.get(id).clauses.iter();
            for (_, clause) in clauses.filter(|(_, clause)| included.contains(&clause.file())) {
                let used = used_by(m, clause);
                if used.names.iter().any(|name| LOADING.contains(name)) {
                    return None;
                }
                if used.names.iter().any(|name| ASSERTING.contains(name)) {
                    made.extend(used.functors);
                }
            }
        }
    }
    Some(made)
}

/// Predicates that add clauses, or take them away.
const ASSERTING: [&str; 8] = [
    "assert",
    "asserta",
    "assertz",
    "retract",
    "retractall",
    "abolish",
    "dynamic",
    "$assertz",
];

/// Predicates that load files.
const LOADING: [&str; 5] = [
    "consult",
    "load_files",
    "ensure_loaded",
    "use_module",
    "include",
];

/// What a clause is made of.
#[derive(Default)]
struct Used<'m> {
    /// Names of what it calls.
    names: Vec<&'m str>,
    /// Functors of its terms.
    functors: Vec<Functor>,
}

fn used_by<'m>(m: &'m Machine, clause: &Clause) -> Used<'m> {
    let (code, mut at) = (clause.code(), 0);
    let mut used = Used::default();
    while let Some(op) = code.get(at).and_then(|&word| decode(word)) {
        let row = &ROWS[op as usize];
        for operand in row.operands {
            match *operand {
                Operand::Predicate => {
                    let called = m.predicates.get(PredId(wide(code[at])));
                    used.names
                        .put(m.symbols.text(m.symbols.name(called.functor)));
                }
                Operand::Builtin => {
                    if let Some(builtin) = m.builtins.get(wide(code[at]) as usize) {
                        used.names.put(builtin.name);
                    }
                }
                Operand::Functor(word) => {
                    used.functors
                        .put(Cell(code[at + word as usize]).as_functor());
                }
                _ => {}
            }
        }
        at += row.words;
    }
    used
}

fn is_undefined(m: &Machine, id: PredId) -> bool {
    let predicate = m.predicates.get(id);
    predicate.kind == Kind::Undefined
        && !m.is_system_module(predicate.module)
        && !predicate.traits.multifile
        && !predicate.traits.discontiguous
        && m.contexts.slot_of(id).is_none()
}

/// Is it defined for all modules, or in `user`, from which others have what they lack?
fn is_inherited(m: &Machine, functor: Functor) -> bool {
    [atoms::SYSTEM, atoms::USER].into_iter().any(|module| {
        let found = m.predicates.find(module, functor);
        found.is_some_and(|id| m.predicates.get(id).kind != Kind::Undefined)
    })
}

/// The first call of each of these predicates in the clauses of a file, in their order; what is found is
/// taken from the set.
fn first_calls(m: &Machine, file: u32, undefined: &mut FastSet<PredId>) -> Vec<Call> {
    let files = m.files.with_included(file);
    let entry = m.files.get(file);
    if is_lolli(&entry.name) {
        return Vec::new();
    }
    let mut found: Vec<(u32, Call)> = Vec::new();
    for &predicate in &entry.defines {
        for (_, clause) in m.predicates.get(predicate).clauses.iter() {
            if !files.contains(&clause.file()) {
                continue;
            }
            for (address, callee, _) in calls(clause) {
                let called = definition(m, callee);
                if undefined.contains(&called) {
                    let clause = clause.clone();
                    let line = clause.line();
                    let call = Call {
                        predicate,
                        clause,
                        address,
                        called,
                    };
                    found.put((line, call));
                }
            }
        }
    }
    found.sort_by_key(|(line, _)| *line);
    let calls = found.into_iter().map(|(_, call)| call);
    calls.filter(|call| undefined.remove(&call.called)).gather()
}

fn tell(m: &mut Machine, call: &Call) {
    let goal = goal_of(m, call.predicate, &call.clause, call.address);
    let Some(place) = place(m, call.predicate, &call.clause, goal) else {
        return;
    };
    let called = m.predicates.get(call.called);
    let (functor, module) = (called.functor, called.module);
    let mut name = indicator_text(m, functor);
    if module != m.predicates.get(call.predicate).module {
        let module = shown(m, Cell::atom(module));
        name = format!("{module}:{name}");
    }
    let message = format!("{name} is called, but nothing defines it");
    let plain = m.symbols.name(functor);
    let hint = meant(m, module, plain, Some(functor.arity() as i64));
    let told = Diagnostic::at(Severity::Warning, place, message, hint);
    report(m, told.of_warning(Warning::Undefined));
}
