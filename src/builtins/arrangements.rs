//! Constraints on how things are arranged: circuits, schedules, rectangles, orders.

use super::constraints::{check_variable, post, variables_arg};
use crate::base::room::{Grow, with_room};
use crate::fd::kinds::Kinds;
use crate::fd::number::{Num, Small};
use crate::fd::variable::Wait;
use crate::fd::{Fd, R};
use crate::machine::builtin::builtins;
use crate::store::cell::Cell;
use crate::store::heap::deref;

/// A vector of terms, variables of which get domains.
fn vector_of(fd: &mut Fd<'_>, items: &[Cell]) -> R<Cell> {
    let mut cells = with_room(items.len())?;
    for &item in items {
        fd.constrain(item)?;
        cells.put(deref(item))?;
    }
    fd.new_vector(&cells)
}

/// Has a propagator wait for changes of all these, and run.
fn start(fd: &mut Fd<'_>, kind: Kinds, args: &[Cell], items: &[Cell], wait: Wait) -> R {
    let propagator = fd.new_propagator(kind, args)?;
    for &item in items {
        fd.subscribe(item, propagator.cell(), wait)?;
    }
    fd.start(propagator, &[])
}

/// Posts that the successors of nodes form one circuit.
fn post_circuit(fd: &mut Fd<'_>, items: &[Cell]) -> R {
    let size = items.len() as i64;
    for (&item, own) in items.iter().zip(1..) {
        fd.constrain(item)?;
        fd.set_between(item, &Small(1), &Small(size))?;
        if size > 1 {
            fd.remove(item, &Small(own))?;
        }
    }
    if size <= 1 {
        return Ok(());
    }
    let successors = vector_of(fd, items)?;
    let mut indexes = with_room(items.len())?;
    indexes.put_all((0..size).map(Cell::int))?;
    let order = fd.new_vector(&indexes)?;
    let mut state = with_room(3 * items.len() + 1)?;
    state.put(Cell::int(size))?;
    state.put_all(indexes.iter().chain(&indexes).copied())?;
    state.put_all(items.iter().map(|_| Cell::int(1)))?;
    let state = fd.new_vector(&state)?;
    start(fd, Kinds::Chains, &[successors, order, state], items, Wait::Inst)?;
    let distinct = [vector_of(fd, items)?, fd.new_vector(&[Cell::int(size)])?];
    start(fd, Kinds::CircuitDistinct, &distinct, items, Wait::Dom)?;
    start(fd, Kinds::Circuit, &[successors], items, Wait::Dom)
}

builtins! { ARRANGEMENTS =
    /// Posts that the elements of a list are the successors of their places, counted from 1, in a circuit through all.
    library "$fd_circuit"("+list") = |m, [list]| {
        let items = variables_arg(m, list)?;
        post(m, |fd| Ok(post_circuit(fd, &items)?))
    };
}
