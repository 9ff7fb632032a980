//! Undefined goals of the host's queries. The flag `unknown` of the host's scope applies to them, even if a program has
//! changed the flag.

use super::engine::{Ended, Engine};
use crate::base::atom_table::{Atom, atoms, functors};
use crate::base::growth::Grow;
use crate::base::stop::Stop;
use crate::builtins::database::predicates::head_functor;
use crate::machine::state::Machine;
use crate::program::predicate::{Kind, MetaArg, PredId};
use crate::store::address::HeapAddr;
use crate::store::cell::{Cell, WORD};
use crate::store::heap::View;
use crate::store::raw;

/// The predicate that looks for the definition of a goal.
pub(super) const REQUIRE_DEFINITION: &str = "$require_definition";

/// Number of cells of a goal together with the guard that looks for its definition.
const GUARDED: usize = 16;

/// The target of a goal in a query.
enum Called {
    /// A defined predicate.
    Defined(PredId),
    /// A predicate without a definition so far.
    Undefined,
    /// A target that is known only when the query runs.
    Unknown,
}

impl Engine {
    /// Adds guards to a query that was just read, if the host has its own scope. A guard precedes each goal without a
    /// definition. It looks for the definition and applies the flag `unknown` of the host's scope.
    pub(super) fn heeding_host(&mut self, goal: Cell) -> Result<Cell, Ended> {
        let Some(scope) = &self.scope else {
            return Ok(goal);
        };
        let (module, unknown) = (scope.module(), scope.unknown().name());
        let m = &mut *self.machine;
        m.store.reserve(2).map_err(|_| Stop)?;
        let whole = m.store.new_struct(functors::CALL1, &[goal]);
        let Some((_, root)) = m.store.compound(whole) else {
            return Ok(goal);
        };
        let mut places = vec![root];
        while let Some(place) = places.pop() {
            match called(m, raw::cell(place), module)? {
                Called::Defined(id) => add_goals(m, id, raw::cell(place), &mut places)?,
                Called::Undefined => guard(m, place, (module, unknown))?,
                Called::Unknown => {}
            }
        }
        Ok(m.store.arg(root, 0))
    }
}

/// Returns the target of a goal in the module.
fn called(m: &mut Machine, goal: Cell, module: Atom) -> Result<Called, Stop> {
    // A variable of the query may have any value.
    if goal.is_var() || !matches!(m.store.view(goal), View::Atom(_) | View::Struct(..)) {
        return Ok(Called::Unknown);
    }
    let Some(functor) = head_functor(m, goal)? else {
        return Ok(Called::Unknown);
    };
    if functor == functors::COLON {
        return Ok(Called::Unknown);
    }
    let found = m.world.predicates.find(module, functor);
    let known = |id: &PredId| m.world.predicates.get(*id).kind != Kind::Undefined;
    let found = match found.filter(known) {
        None => m.visible_definition(module, functor)?,
        found => found,
    };
    Ok(found.map_or(Called::Undefined, |id| Called::Defined(m.definition(id))))
}

/// Adds the places of the arguments that are goals, if the goal calls a predicate of the system.
fn add_goals(m: &Machine, id: PredId, goal: Cell, places: &mut Vec<HeapAddr>) -> Result<(), Stop> {
    let predicate = m.world.predicates.get(id);
    let (Some((functor, args)), true) =
        (m.store.compound(goal), m.is_system_module(predicate.module))
    else {
        return Ok(());
    };
    let place = |index: usize| args + index as u64 * WORD;
    let control = matches!(
        functor,
        functors::COMMA
            | functors::SEMICOLON
            | functors::ARROW
            | functors::SOFT_ARROW
            | functors::NOT
    );
    for index in 0..functor.arity() {
        let mode = predicate.meta.as_ref().and_then(|modes| modes.get(index));
        match mode {
            _ if control => places.put(place(index))?,
            Some(MetaArg::Goal(0)) => places.put(place(index))?,
            Some(MetaArg::Existential) => places.put(below_carets(m, place(index)))?,
            _ => {}
        }
    }
    Ok(())
}

/// Returns the place of the goal in `X^Goal`.
fn below_carets(m: &Machine, mut place: HeapAddr) -> HeapAddr {
    while let cell = raw::cell(place)
        && !cell.is_var()
        && let View::Struct(functor, args) = m.store.view(cell)
        && functor.arity() == 2
        && m.world.symbols.name(functor) == atoms::CARET
    {
        place = args + WORD;
    }
    place
}

/// Puts a guard before the goal at `place`, which looks for the definition of the goal.
fn guard(m: &mut Machine, place: HeapAddr, (module, unknown): (Atom, &str)) -> Result<(), Stop> {
    m.store.reserve(GUARDED).map_err(|_| Stop)?;
    let name = m.world.symbols.intern(REQUIRE_DEFINITION)?;
    let asking = m.world.symbols.functor(name, 2)?;
    let unknown = Cell::atom(m.world.symbols.intern(unknown)?);
    let system = Cell::atom(m.inner_name(atoms::SYSTEM)?);
    let goal = raw::cell(place);
    let within = m
        .store
        .new_struct(functors::COLON, &[Cell::atom(module), goal]);
    let asked = m.store.new_struct(asking, &[within, unknown]);
    let asked = m.store.new_struct(functors::COLON, &[system, asked]);
    let both = m.store.new_struct(functors::COMMA, &[asked, goal]);
    raw::set_cell(place, both);
    Ok(())
}
