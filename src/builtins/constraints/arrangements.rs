//! Constraints on arrangements: circuits, schedules, rectangles and orders.

use super::posting::{check_variable, post, variables_arg};
use crate::base::growth::{Grow, with_room};
use crate::fd::kinds::Kinds;
use crate::fd::number::{Large, Num};
use crate::fd::variable::Wait;
use crate::fd::{Fd, R};
use crate::machine::builtin::builtins;
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::store::cell::Cell;
use crate::store::heap::deref;

/// Returns a vector of terms and gives a domain to each variable in it.
fn vector_of(fd: &mut Fd<'_>, items: &[Cell]) -> R<Cell> {
    let mut cells = with_room(items.len())?;
    for &item in items {
        fd.constrain(item)?;
        cells.put(deref(item))?;
    }
    fd.new_vector(&cells)
}

/// Makes a propagator wait for changes of all `items`, and starts it.
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
        fd.set_between(item, &Large::of(1), &Large::of(size))?;
        if size > 1 {
            fd.remove(item, &Large::of(own))?;
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
    start(
        fd,
        Kinds::Chains,
        &[successors, order, state],
        items,
        Wait::Inst,
    )?;
    let distinct = [vector_of(fd, items)?, Cell::int(size)];
    start(fd, Kinds::CircuitDistinct, &distinct, items, Wait::Dom)?;
    start(fd, Kinds::Circuit, &[successors], items, Wait::Dom)
}

/// Posts a constraint on several lists of equal length. Its propagator waits for the bounds of all their elements.
fn post_lists(
    m: &mut Machine,
    kind: Kinds,
    lists: &[Cell],
    others: &[Cell],
    names: Option<Cell>,
) -> Result<bool, Throw> {
    let mut items = Vec::new();
    let mut vectors = with_room(lists.len())?;
    for &list in lists {
        let elements = variables_arg(m, list)?;
        items.put_all(elements.iter().copied())?;
        vectors.put(elements)?;
    }
    for &other in others {
        check_variable(m, other)?;
        items.put(other)?;
    }
    let names = match names {
        Some(names) => Some(m.list_arg(names)?),
        None => None,
    };
    if vectors
        .windows(2)
        .any(|pair| pair[0].len() != pair[1].len())
    {
        return Ok(false);
    }
    post(m, |fd| {
        let mut args = with_room(lists.len() + others.len() + 1)?;
        for elements in &vectors {
            args.put(vector_of(fd, elements)?)?;
        }
        for &other in others {
            fd.constrain(other)?;
            args.put(deref(other))?;
        }
        if let Some(names) = names {
            args.put(fd.new_vector(&names)?)?;
        }
        Ok(start(fd, kind, &args, &items, Wait::Bounds)?)
    })
}

builtins! { ARRANGEMENTS =
    /// Posts that the elements of a list form one circuit through all places. Each element is the successor of its
    /// place, counted from 1.
    library "$fd_circuit"("+list") = |m, [list]| {
        let items = variables_arg(m, list)?;
        post(m, |fd| Ok(post_circuit(fd, &items)?))
    };

    /// Posts that running tasks never need more than a limit. The arguments are starts, durations, ends, needs, the
    /// limit, and the names of the tasks. Starts, durations and ends are bounded; durations are positive; needs are
    /// not negative.
    library "$fd_cumulative"("+list", "+list", "+list", "+list", "?integer", "+list") =
        |m, [starts, durations, ends, needs, limit, names]| {
        post_lists(m, Kinds::Cumulative, &[starts, durations, ends, needs], &[limit], Some(names))
    };

    /// Posts that no two tasks with these starts and durations, which are integers, run at the same time.
    library "$fd_serialized"("+list", "+list") = |m, [starts, durations]| {
        post_lists(m, Kinds::Serialized, &[starts, durations], &[], None)
    };

    /// Posts that no two rectangles overlap. The arguments are places and sizes in both directions, and the names
    /// of the rectangles.
    library "$fd_disjoint"("+list", "+list", "+list", "+list", "+list") =
        |m, [xs, widths, ys, heights, names]| {
        post_lists(m, Kinds::Disjoint, &[xs, widths, ys, heights], &[], Some(names))
    };

    /// Posts that a list is not greater than another in the order of lists.
    library "$fd_lexicographic"("+list", "+list") = |m, [xs, ys]| {
        let (first, second) = (variables_arg(m, xs)?, variables_arg(m, ys)?);
        post(m, |fd| {
            let state = fd.new_vector(&[Cell::int(0)])?;
            let args = [vector_of(fd, &first)?, vector_of(fd, &second)?, state];
            let mut items = with_room(2 * first.len())?;
            for (x, y) in first.into_iter().zip(second) {
                items.put(x)?;
                items.put(y)?;
            }
            Ok(start(fd, Kinds::Lexicographic, &args, &items, Wait::Bounds)?)
        })
    };

    /// Posts that an atom, still unknown, is the order of two integers.
    library "$fd_compared"("?atom", "?integer", "?integer") = |m, [order, a, b]| {
        check_variable(m, a)?;
        check_variable(m, b)?;
        post(m, |fd| {
            fd.constrain(a)?;
            fd.constrain(b)?;
            let args = [deref(order), deref(a), deref(b)];
            Ok(start(fd, Kinds::Compared, &args, &args[1..], Wait::Bounds)?)
        })
    };
}
