//! Relations of two variables and a constant.

use crate::base::growth::{Grow, with_room};
use crate::fd::domain::{Record, record};
use crate::fd::number::{Num, Small};
use crate::fd::propagator::Propagator;
use crate::fd::work::{Fd, Halt, R};
use crate::store::cell::Cell;
use crate::store::heap::deref;

/// Propagates X ≠ Y + C if one of both has become an integer and all numbers are small: the most frequent work.
/// Returns `None` in other cases.
#[inline(always)]
pub(in crate::fd) fn different_small(fd: &mut Fd<'_>, p: Propagator) -> Option<R> {
    let [x, y, c] = p.args().ok()?;
    if !c.is_int() {
        return None;
    }
    let (other, value) = match (x.is_int(), y.is_int()) {
        (true, false) => (y, x.int_value() - c.int_value()),
        (false, true) => (x, y.int_value() + c.int_value()),
        // Both were bound before this propagator was notified.
        (true, true) if x.int_value() == y.int_value() + c.int_value() => {
            return Some(Err(Halt::Fail));
        }
        (true, true) => return Some(Ok(())),
        (false, false) => return None,
    };
    let record = record(other)?;
    let (low, high) = record.small_bounds()?;
    if value < low || value > high {
        return Some(Ok(()));
    }
    Some(fd.remove_member(other, record, Small(low), Small(high), &Small(value)))
}

/// Propagates X ≠ Y + C.
pub(crate) fn different<N: Num>(fd: &mut Fd<'_>, p: Propagator) -> R {
    let [x, y, c] = p.args()?;
    if x.is_int() && y.is_int() && c.is_int() {
        // Both were bound before this propagator was notified.
        return match x.int_value() == y.int_value() + c.int_value() {
            true => Err(Halt::Fail),
            false => Ok(()),
        };
    }
    if !x.is_var() {
        let value = fd.integer::<N>(x)?.sub(&fd.integer(c)?)?;
        return fd.remove(y, &value);
    }
    if !y.is_var() {
        let value = fd.integer::<N>(y)?.add(&fd.integer(c)?)?;
        return fd.remove(x, &value);
    }
    match x == y {
        true if fd.integer::<N>(c)?.is_zero() => Err(Halt::Fail),
        true => fd.kill(p),
        false => Ok(()),
    }
}

/// Propagates X ≤ Y + C if all numbers are small. Returns `None` in other cases.
#[inline(always)]
pub(in crate::fd) fn at_most_small(fd: &mut Fd<'_>, p: Propagator) -> Option<R> {
    let [x, y, c] = p.args().ok()?;
    if !c.is_int() || x == y {
        return None;
    }
    let c = c.int_value();
    let (of_x, of_y) = (record(x)?, record(y)?);
    let ((x_low, x_high), (y_low, y_high)) = (of_x.small_bounds()?, of_y.small_bounds()?);
    // A narrowed bound comes from a bound of the other variable. So it is small if there is a solution.
    let (least, most) = (x_low - c, y_high + c);
    if least > y_low
        && let Err(halt) = fd.raise_min(y, of_y, Small(y_low), &Small(least))
    {
        return Some(Err(halt));
    }
    if most < x_high
        && let Err(halt) = fd.lower_max(x, of_x, Small(x_high), &Small(most))
    {
        return Some(Err(halt));
    }
    match x_high.min(most) <= y_low.max(least) + c {
        true => Some(fd.kill(p)),
        false => Some(Ok(())),
    }
}

/// Propagates X ≤ Y + C.
pub(crate) fn at_most<N: Num>(fd: &mut Fd<'_>, p: Propagator) -> R {
    let [x, y, c] = p.args()?;
    let c = fd.integer::<N>(c)?;
    if x == y {
        return match c.sign().is_ge() {
            true => fd.kill(p),
            false => Err(Halt::Fail),
        };
    }
    let (of_x, of_y) = (fd.bounds::<N>(x)?, fd.bounds::<N>(y)?);
    let (least, most) = (of_x.0.sub(&c)?, of_y.1.add(&c)?);
    fd.set_min(y, &least)?;
    fd.set_max(x, &most)?;
    match of_x.1.min(most) <= of_y.0.max(least).add(&c)? {
        true => fd.kill(p),
        false => Ok(()),
    }
}

/// Propagates X = Y + C.
pub(crate) fn shift<N: Num>(fd: &mut Fd<'_>, p: Propagator) -> R {
    let [x, y, c] = p.args()?;
    if c.is_int()
        && x != y
        && let (Some(_), Some((base, bits))) = (fd.bits(x), fd.bits(y))
    {
        fd.restrict_bits(x, base + c.int_value(), bits)?;
        if let Some((base, bits)) = fd.bits(x) {
            return fd.restrict_bits(y, base - c.int_value(), bits);
        }
    }
    let c = fd.integer::<N>(c)?;
    let away = c.neg()?;
    if x == y {
        return match c.is_zero() {
            true => fd.kill(p),
            false => Err(Halt::Fail),
        };
    }
    if let Some(value) = fd.value::<N>(x)? {
        return fd.assign(y, &value.add(&away)?);
    }
    if let Some(value) = fd.value::<N>(y)? {
        return fd.assign(x, &value.add(&c)?);
    }
    let (low, high) = fd.bounds::<N>(y)?;
    fd.set_between(x, &low.add(&c)?, &high.add(&c)?)?;
    let (low, high) = fd.bounds::<N>(x)?;
    fd.set_between(y, &low.add(&away)?, &high.add(&away)?)?;
    if has_gaps(x) || has_gaps(y) {
        // Each gets the gaps of the other. Afterwards both may end earlier.
        let mut ranges = fd.ranges::<N>(y)?;
        for (low, high) in &mut ranges {
            (*low, *high) = (low.add(&c)?, high.add(&c)?);
        }
        fd.restrict(x, &ranges)?;
        let mut ranges = fd.ranges::<N>(x)?;
        for (low, high) in &mut ranges {
            (*low, *high) = (low.add(&away)?, high.add(&away)?);
        }
        fd.restrict(y, &ranges)?;
    }
    Ok(())
}

/// Propagates X + Y = C.
pub(crate) fn mirror<N: Num>(fd: &mut Fd<'_>, p: Propagator) -> R {
    let [x, y, c] = p.args()?;
    if c.is_int()
        && x != y
        && let (Some(_), Some((base, bits))) = (fd.bits(x), fd.bits(y))
    {
        let (base, bits) = mirrored(base, bits, c.int_value());
        fd.restrict_bits(x, base, bits)?;
        if let Some((base, bits)) = fd.bits(x) {
            let (base, bits) = mirrored(base, bits, c.int_value());
            return fd.restrict_bits(y, base, bits);
        }
    }
    let c = fd.integer::<N>(c)?;
    if x == y && x.is_var() {
        let half = c.div_floor(&N::of(2), fd.store)?;
        fd.kill(p)?;
        return match half.add(&half)? == c {
            true => fd.assign(x, &half),
            false => Err(Halt::Fail),
        };
    }
    for (of, to) in [(x, y), (y, x), (x, y)] {
        if let Some(value) = fd.value::<N>(of)? {
            return fd.assign(to, &c.sub(&value)?);
        }
        let (low, high) = fd.bounds::<N>(of)?;
        fd.set_between(to, &c.sub(&high)?, &c.sub(&low)?)?;
        if has_gaps(of) {
            let ranges = fd.ranges::<N>(of)?;
            let mut mirrored = with_room(ranges.len())?;
            for (low, high) in ranges.iter().rev() {
                mirrored.put((c.sub(high)?, c.sub(low)?))?;
            }
            fd.restrict(to, &mirrored)?;
        }
    }
    Ok(())
}

/// Propagates X + Y = Z.
pub(crate) fn plus<N: Num>(fd: &mut Fd<'_>, p: Propagator) -> R {
    let [x, y, z] = p.args()?;
    if let Some(done) = plus_small(fd, x, y, z) {
        return done;
    }
    loop {
        let (of_x, of_y) = (fd.bounds::<N>(x)?, fd.bounds::<N>(y)?);
        let (least, most) = (of_x.0.add(&of_y.0)?, of_x.1.add(&of_y.1)?);
        fd.set_between(z, &least, &most)?;
        let of_z = fd.bounds::<N>(z)?;
        if of_z.0 == least && of_z.1 == most {
            return Ok(());
        }
        fd.set_between(x, &of_z.0.sub(&of_y.1)?, &of_z.1.sub(&of_y.0)?)?;
        let now = fd.bounds::<N>(x)?;
        fd.set_between(y, &of_z.0.sub(&now.1)?, &of_z.1.sub(&now.0)?)?;
        if now == of_x && fd.bounds::<N>(y)? == of_y && fd.bounds::<N>(z)? == of_z {
            return Ok(());
        }
        fd.look()?;
    }
}

/// Propagates X + Y = Z if all bounds are small. Returns `None` in other cases.
fn plus_small(fd: &mut Fd<'_>, x: Cell, y: Cell, z: Cell) -> Option<R> {
    loop {
        let (of_x, of_y, of_z) = (small_bounds(x)?, small_bounds(y)?, small_bounds(z)?);
        let low_z = of_z.0.max(of_x.0 + of_y.0);
        let high_z = of_z.1.min(of_x.1 + of_y.1);
        let low_x = of_x.0.max(low_z - of_y.1);
        let high_x = of_x.1.min(high_z - of_y.0);
        let low_y = of_y.0.max(low_z - high_x);
        let high_y = of_y.1.min(high_z - low_x);
        let all = [
            (x, of_x, (low_x, high_x)),
            (y, of_y, (low_y, high_y)),
            (z, of_z, (low_z, high_z)),
        ];
        let mut changed = false;
        for (of, former, now) in all {
            if now != former {
                changed = true;
                if let Err(halt) = fd.set_between(of, &Small(now.0), &Small(now.1)) {
                    return Some(Err(halt));
                }
            }
        }
        if !changed {
            return Some(Ok(()));
        }
        if let Err(halt) = fd.look() {
            return Some(Err(halt));
        }
    }
}

/// Returns the bounds of a term if they are small integers.
#[inline(always)]
fn small_bounds(x: Cell) -> Option<(i64, i64)> {
    let x = deref(x);
    match x.is_int() {
        true => Some((x.int_value(), x.int_value())),
        false => record(x)?.small_bounds(),
    }
}

/// Returns the values `sum` minus each value of these bits.
pub(crate) fn mirrored(base: i64, bits: u64, sum: i64) -> (i64, u64) {
    let width = bits.leading_zeros();
    (
        sum - base - 63 + i64::from(width),
        bits.reverse_bits() >> width,
    )
}

/// Returns whether some integers between the bounds of a variable are not in its domain.
fn has_gaps(x: Cell) -> bool {
    record(deref(x)).is_some_and(Record::has_gaps)
}
