//! Orders of lists and of integers.

use crate::base::atom_table::atoms;
use crate::fd::number::Num;
use crate::fd::propagator::{Propagator, Vector};
use crate::fd::work::{Fd, Halt, R};
use crate::store::cell::Cell;

/// Returns whether two terms are the same integer or variable.
fn are_equal<N: Num>(fd: &Fd<'_>, x: Cell, y: Cell) -> R<bool> {
    Ok(x == y || !x.is_var() && !y.is_var() && fd.integer::<N>(x)? == fd.integer(y)?)
}

/// Propagates that the first list is not greater than the second (Frisch, Hnich, Kiziltan, Miguel, Walsh, "Global
/// constraints for lexicographic orderings", 2002). If the lists differ in length, their common first elements must
/// differ. Arguments: Xs, Ys, and State, the number of elements known to be equal.
pub(crate) fn lexicographic<N: Num>(fd: &mut Fd<'_>, p: Propagator) -> R {
    let [xs, ys, state] = p.args()?;
    let (xs, ys) = (Vector::of(xs)?, Vector::of(ys)?);
    let (length, strict) = (xs.len.min(ys.len), xs.len != ys.len);
    let before = usize::try_from(Vector::of(state)?.int(0)).unwrap_or(0);
    let mut equal = before;
    loop {
        while equal < length && are_equal::<N>(fd, xs.get(equal), ys.get(equal))? {
            equal += 1;
            fd.look()?;
        }
        if equal == length {
            return match strict {
                true => Err(Halt::Fail),
                false => fd.kill(p),
            };
        }
        let (x, y) = (xs.get(equal), ys.get(equal));
        fd.set_max(x, &fd.max::<N>(y)?)?;
        fd.set_min(y, &fd.min::<N>(x)?)?;
        if fd.max::<N>(x)? < fd.min(y)? {
            return fd.kill(p);
        }
        if are_equal::<N>(fd, x, y)? {
            continue;
        }
        // Find out whether the rest must be wrong if these elements are equal.
        let mut wrong = strict;
        for index in equal + 1..length {
            fd.look()?;
            let (low, high) = (fd.min::<N>(xs.get(index))?, fd.max::<N>(ys.get(index))?);
            if low != high {
                wrong = low > high;
                break;
            }
        }
        if !wrong {
            break;
        }
        // Then the element of the first list is less.
        let high = fd.max::<N>(y)?;
        if high.is_finite() {
            fd.set_max(x, &high.before()?)?;
        }
        let low = fd.min::<N>(x)?;
        if low.is_finite() {
            fd.set_min(y, &low.next()?)?;
        }
        if fd.max::<N>(x)? < fd.min(y)? {
            return fd.kill(p);
        }
        break;
    }
    if equal > before {
        let state = fd.own_vector(p, 2)?;
        state.set(0, Cell::int(equal as i64));
    }
    Ok(())
}

/// Propagates that Order is `<`, `=` or `>`, as A compares with B. Arguments: Order, A, B.
pub(crate) fn compared<N: Num>(fd: &mut Fd<'_>, p: Propagator) -> R {
    let [order, a, b] = p.args()?;
    if !order.is_var() {
        return fd.kill(p);
    }
    let (low_a, high_a) = fd.bounds::<N>(a)?;
    let (low_b, high_b) = fd.bounds::<N>(b)?;
    let known = match () {
        () if are_equal::<N>(fd, a, b)? => atoms::EQUAL,
        () if high_a < low_b => atoms::LESS,
        () if low_a > high_b => atoms::GREATER,
        () => return Ok(()),
    };
    fd.kill(p)?;
    fd.store.bind(order, Cell::atom(known))?;
    Ok(())
}
