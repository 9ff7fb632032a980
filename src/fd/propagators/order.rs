//! Orders of lists and of integers.

use crate::base::atom_table::atoms;
use crate::fd::number::Num;
use crate::fd::propagator::{Propagator, Vector};
use crate::fd::work::{Fd, Halt, R};
use crate::store::cell::Cell;

/// Are two terms the same integer or variable?
fn are_equal<N: Num>(fd: &Fd<'_>, x: Cell, y: Cell) -> R<bool> {
    Ok(x == y || !x.is_var() && !y.is_var() && fd.integer::<N>(x)? == fd.integer(y)?)
}

/// The first list is not greater than the second (Frisch, Hnich, Kiziltan, Miguel, Walsh, "Global constraints for
/// lexicographic orderings", 2002). Of lists of different lengths, the first elements differ. Arguments: Xs, Ys, and
/// State, how many elements are known to be equal.
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
        // If these are equal, is it decided that the rest is wrong?
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
        // Then the first one is less.
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

/// Order tells how A compares with B: `<`, `=` or `>`. Arguments: Order, A, B.
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
