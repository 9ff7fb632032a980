//! The rule for declarations `count_memo` of predicates without a definition. They are reported after the whole program
//! is loaded.

use super::clause::LIMIT;
use crate::base::atom_table::{Atom, Functor, functors};
use crate::base::growth::Grow;
use crate::base::source::Span;
use crate::base::stop::Stop;
use crate::base::warning::Warning;
use crate::diagnose::origin::definition;
use crate::machine::state::Machine;
use crate::machine::upper_layers::LayerState;
use crate::program::predicate::Kind;
use crate::source::diagnostic::{Diagnostic, Location, Severity};
use crate::source::loading::place_here;
use crate::source::report::report;
use crate::source::term_texts::indicator_text;
use crate::store::cell::Cell;
use crate::store::heap::View;

/// The declarations since the last check: module, name and arity, and place.
#[derive(Default)]
struct Declared(Vec<(Atom, Functor, Location)>);

impl LayerState for Declared {}

/// Records the predicates of a directive, if it is `count_memo`.
pub(super) fn note(m: &mut Machine, goal: Cell, span: Span) -> Result<(), Stop> {
    let (goal, module) = m.strip_module(goal, m.world.source_module);
    let Some((functor, args)) = m.store.compound(goal) else {
        return Ok(());
    };
    if functor.arity() != 1 || m.world.symbols.name_text(functor) != "count_memo" {
        return Ok(());
    }
    let mut todo = vec![(m.store.arg(args, 0), module)];
    let mut rest = LIMIT;
    while let Some((term, module)) = todo.pop() {
        rest -= 1;
        let (term, module) = m.strip_module(term, module);
        let (name, arity) = match m.store.compound(term) {
            _ if rest == 0 => return Ok(()),
            Some((functors::COMMA, args)) => {
                todo.put((m.store.arg(args, 1), module))?;
                todo.put((m.store.arg(args, 0), module))?;
                continue;
            }
            Some((functors::SLASH, args)) => (m.store.arg(args, 0), m.store.arg(args, 1)),
            _ => continue,
        };
        let (View::Atom(name), View::Int(arity)) = (m.store.view(name), m.store.view(arity)) else {
            continue;
        };
        let Ok(arity) = usize::try_from(arity) else {
            continue;
        };
        let functor = m.world.symbols.functor_passing(name, arity)?;
        if let Some(place) = place_here(m, span) {
            let declared = m.world.layers.of::<Declared>();
            declared.0.put((module, functor, place))?;
        }
    }
    Ok(())
}

/// Warns of the declared predicates that no clause defines.
pub(super) fn check(m: &mut Machine, _: bool) -> Result<(), Stop> {
    let declared = std::mem::take(&mut m.world.layers.of::<Declared>().0);
    for (module, functor, place) in declared {
        let found = m.world.predicates.find(module, functor);
        let found = found.map(|id| m.world.predicates.get(definition(m, id)));
        if found.is_some_and(|found| found.kind != Kind::Undefined || found.traits.multifile) {
            continue;
        }
        let name = indicator_text(m, functor)?;
        let message = format!("`count_memo` is ignored for {name}: no clause defines it");
        let diagnostic = Diagnostic::at(Severity::Warning, place, message, None);
        report(m, diagnostic.of_warning(Warning::CountMemo))?;
    }
    Ok(())
}
