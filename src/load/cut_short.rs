//! Where loading stood when a limit of the host's ended it: in which directive or clause. No `catch/3` sees such an
//! end, so the place is noted as the load is cleaned up.

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

/// What is noted of a load that was ended.
#[derive(Default)]
struct CutShort {
    /// The place of the directive or clause.
    place: Option<Location>,
    /// The number of the goal, of those that a directive runs one after the other, that it has come to, where no
    /// text is being loaded any more.
    reached_after_load: i64,
}

impl LayerState for CutShort {}

/// What tells that a load was at `present` when a limit was met at `at`.
pub(crate) fn while_loading(present: &Location, at: &Location) -> Option<String> {
    let (file, line) = (present.file_name(), present.line);
    if file != at.file_name() {
        return Some(format!("while loading {file}:{line}"));
    }
    (line != at.line).then(|| format!("while loading line {line}"))
}

/// The number of the goal that the present directive has come to; 0 if none runs.
fn reached(m: &mut Machine) -> &mut i64 {
    if loader(m).stack.is_empty() {
        return &mut m.world.layers.of::<CutShort>().reached_after_load;
    }
    match loader(m).stack.last_mut() {
        Some(loading) => &mut loading.reached,
        None => unreachable!("a load is under way"),
    }
}

/// Notes the place of the directive that runs, or of the clause that is loaded, if a limit of the host's ends it.
/// The innermost one is the first of which this is asked.
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
    // A limit ends all of it, whatever goal it has come to.
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

/// The place that was noted, once.
pub(crate) fn take_present(m: &mut Machine) -> Option<Location> {
    m.world.layers.of::<CutShort>().place.take()
}

builtins! { CUT_SHORT =
    /// Ends the load that was begun within so many, if it has not come to its end. It has one solution; as
    /// a nondeterministic builtin it is never compiled in place, which the collection of code asks for.
    iso nondet "$load_end"("+integer") needs effect = |m, [depth], _state| {
        let depth = m.size_arg(depth)?;
        let noted = note_present(m);
        end_loads(m, depth)?;
        m.free_retired_code()?;
        noted?;
        Ok(Step::Last)
    };
    /// The goal with this number is the one that the directive has come to.
    iso "$reached"("+integer") needs effect = always |m, [number]| *reached(m) = m.i64_arg(number)?;
    /// The number of the goal that the directive has come to.
    iso "$reached_goal"("-integer") = |m, [number]| {
        let here = *reached(m);
        Ok(m.unify_int(number, here)?)
    };
    /// A goal that a directive has given for the time after the load is over, the one that stands at the place of
    /// `'$load_place'/1`.
    iso "$initialization_left"("+place") needs effect = always |m, [place]| {
        if m.run.budgets.host_is_spent() && m.world.layers.of::<CutShort>().place.is_none() {
            let place = place_of(m, place);
            m.world.layers.of::<CutShort>().place = place;
        }
    };
}
