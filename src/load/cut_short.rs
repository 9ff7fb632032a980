//! The directive or clause that was being loaded when a limit of the host stopped the load. No `catch/3` catches
//! such a stop, so the place is recorded while the load is cleaned up.

use super::consult::end_loads;
use crate::base::atom_table::atoms;
use crate::base::stop::Stop;
use crate::diagnose::messages::place_of;
use crate::machine::builtin::{Step, builtins};
use crate::machine::state::Machine;
use crate::machine::upper_layers::LayerState;
use crate::source::diagnostic::Location;
use crate::source::loading::{loader, place_here, present_span};
use crate::source::named_goals::Call;
use crate::source::parts::in_directive;
use crate::store::cell::Cell;

/// The record of a load that was stopped.
#[derive(Default)]
struct CutShort {
    /// The place of the directive or clause.
    place: Option<Location>,
    /// The number of the goal of a directive that runs now, if the load of its text is already over.
    reached_after_load: i64,
}

impl LayerState for CutShort {}

/// Returns the text saying that a load was at `present` when a limit was reached at `at`.
pub(crate) fn while_loading(present: &Location, at: &Location) -> Option<String> {
    let (file, line) = (present.file_name(), present.line);
    if file != at.file_name() {
        return Some(format!("while loading {file}:{line}"));
    }
    (line != at.line).then(|| format!("while loading line {line}"))
}

/// Returns the number of the goal of the present directive that runs now; 0 if none runs.
fn reached(m: &mut Machine) -> &mut i64 {
    if loader(m).stack.is_empty() {
        return &mut m.world.layers.of::<CutShort>().reached_after_load;
    }
    match loader(m).stack.last_mut() {
        Some(loading) => &mut loading.reached,
        None => unreachable!("a load is under way"),
    }
}

/// Records the place of the directive that runs, or of the clause that is loaded, after a limit of the host
/// stopped it. The innermost load is cleaned up first, and only its place is recorded.
pub(super) fn note_present(m: &mut Machine) -> Result<(), Stop> {
    if !m.run.budgets.host_is_spent() || m.world.layers.of::<CutShort>().place.is_some() {
        return Ok(());
    }
    if *reached(m) == 0 {
        let span = present_span(m);
        let place = place_here(m, span).filter(|_| span.end > span.start);
        m.world.layers.of::<CutShort>().place = place;
        return Ok(());
    }
    // A limit stops the whole directive, whichever of its goals runs.
    let whole = Call {
        goal: Cell::atom(atoms::TRUE),
        culprit: None,
        args: &[],
    };
    let span = in_directive(m, whole)?.unwrap_or_else(|| present_span(m));
    let place = place_here(m, span);
    m.world.layers.of::<CutShort>().place = place;
    Ok(())
}

/// Returns the recorded place and clears it.
pub(crate) fn take_interrupted_place(m: &mut Machine) -> Option<Location> {
    m.world.layers.of::<CutShort>().place.take()
}

builtins! { CUT_SHORT =
    /// Ends the loads that are nested deeper than `integer` loads, if they have not ended. It has one
    /// solution. It is declared nondeterministic because such builtins are never compiled in place, which
    /// the collection of code requires.
    iso nondet "$load_end"("+integer") needs effect = |m, [depth], _state| {
        let depth = m.size_arg(depth)?;
        let noted = note_present(m);
        end_loads(m, depth)?;
        m.free_retired_code()?;
        noted?;
        Ok(Step::Last)
    };
    /// Records the number of the goal of the directive that runs now.
    iso "$reached"("+integer") needs effect = always |m, [number]| *reached(m) = m.i64_arg(number)?;
    /// Unifies `integer` with the number of the goal of the directive that runs now.
    iso "$reached_goal"("-integer") = |m, [number]| {
        let here = *reached(m);
        Ok(m.unify_int(number, here)?)
    };
    /// Records the place of a goal that a directive deferred until after the load: the place given by
    /// `'$load_place'/1`.
    iso "$initialization_left"("+place") needs effect = always |m, [place]| {
        if m.run.budgets.host_is_spent() && m.world.layers.of::<CutShort>().place.is_none() {
            let place = place_of(m, place);
            m.world.layers.of::<CutShort>().place = place;
        }
    };
}
