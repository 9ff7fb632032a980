//! Relations of two variables and a constant.

use crate::base::room::with_room;
use crate::fd::domain::record;
use crate::fd::number::Num;
use crate::fd::propagator::Propagator;
use crate::fd::{Fd, R};

/// X ≠ Y + C.
#[inline(always)]
pub(in crate::fd) fn different<N: Num>(fd: &mut Fd<'_>, p: Propagator) -> R {
    let [x, y, c] = p.args()?;
    if x.is_int() && y.is_int() && c.is_int() {
        // Both were bound before this was told.
        return match x.int_value() == y.int_value() + c.int_value() {
            true => Err(crate::fd::Halt::Fail),
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
        true if fd.integer::<N>(c)?.is_zero() => Err(crate::fd::Halt::Fail),
        true => fd.kill(p),
        false => Ok(()),
    }
}

/// X ≤ Y + C.
#[inline(always)]
pub(in crate::fd) fn at_most<N: Num>(fd: &mut Fd<'_>, p: Propagator) -> R {
    let [x, y, c] = p.args()?;
    let c = fd.integer::<N>(c)?;
    if x == y {
        return match c.sign().is_ge() {
            true => fd.kill(p),
            false => Err(crate::fd::Halt::Fail),
        };
    }
    let (of_x, of_y) = match (record(x), record(y)) {
        (Some(record_x), Some(record_y)) => {
            let of_x = fd.bounds_of::<N>(record_x)?;
            let of_y = fd.bounds_of::<N>(record_y)?;
            let (least, most) = (of_x.0.sub(&c)?, of_y.1.add(&c)?);
            if least > of_y.0 {
                fd.raise_min(y, record_y, of_y.0.clone(), &least)?;
            }
            if most < of_x.1 {
                fd.lower_max(x, record_x, of_x.1.clone(), &most)?;
            }
            (of_x, of_y)
        }
        _ => {
            let (of_x, of_y) = (fd.bounds::<N>(x)?, fd.bounds::<N>(y)?);
            fd.set_min(y, &of_x.0.sub(&c)?)?;
            fd.set_max(x, &of_y.1.add(&c)?)?;
            (of_x, of_y)
        }
    };
    let (least, most) = (of_x.0.sub(&c)?, of_y.1.add(&c)?);
    match of_x.1.min(most) <= of_y.0.max(least).add(&c)? {
        true => fd.kill(p),
        false => Ok(()),
    }
}

/// X = Y + C.
pub(super) fn shift<N: Num>(fd: &mut Fd<'_>, p: Propagator) -> R {
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
            false => Err(crate::fd::Halt::Fail),
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
        // Each takes over the gaps of the other, and both may end earlier then.
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

/// X + Y = C.
pub(super) fn mirror<N: Num>(fd: &mut Fd<'_>, p: Propagator) -> R {
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
            false => Err(crate::fd::Halt::Fail),
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
                mirrored.push((c.sub(high)?, c.sub(low)?));
            }
            fd.restrict(to, &mirrored)?;
        }
    }
    Ok(())
}

/// X + Y = Z.
pub(super) fn plus<N: Num>(fd: &mut Fd<'_>, p: Propagator) -> R {
    let [x, y, z] = p.args()?;
    let (of_x, of_y) = (fd.bounds::<N>(x)?, fd.bounds::<N>(y)?);
    let (least, most) = (of_x.0.add(&of_y.0)?, of_x.1.add(&of_y.1)?);
    fd.set_between(z, &least, &most)?;
    let of_z = fd.bounds::<N>(z)?;
    if of_z.0 != least || of_z.1 != most {
        fd.set_between(x, &of_z.0.sub(&of_y.1)?, &of_z.1.sub(&of_y.0)?)?;
        let of_x = fd.bounds::<N>(x)?;
        fd.set_between(y, &of_z.0.sub(&of_x.1)?, &of_z.1.sub(&of_x.0)?)?;
    }
    Ok(())
}

/// The values that are a constant less those of these bits.
pub(super) fn mirrored(base: i64, bits: u64, sum: i64) -> (i64, u64) {
    let width = bits.leading_zeros();
    (
        sum - base - 63 + i64::from(width),
        bits.reverse_bits() >> width,
    )
}

/// Are some integers between the bounds of a variable not in its domain?
fn has_gaps(x: crate::store::cell::Cell) -> bool {
    record(crate::store::heap::deref(x)).is_some_and(crate::fd::domain::Record::has_gaps)
}
