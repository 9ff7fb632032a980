//! Quotients and remainders: `//` and `rem` are truncated, `div` and `mod` rounded down. The divisor is not zero.

use super::nonlinear::{by_values, hull, opposite};
use crate::fd::number::Num;
use crate::fd::propagator::Propagator;
use crate::fd::work::{Fd, Halt, R};
use crate::store::cell::Cell;
use std::cmp::Ordering;

/// Bounds of a variable.
type Bounds<N> = (N, N);

/// Returns the negative and the positive part of a divisor.
fn parts<N: Num>(y: &Bounds<N>) -> [Option<Bounds<N>>; 2] {
    let (minus, plus) = (N::of(-1), N::of(1));
    let negative = (y.0.clone(), y.1.clone().min(minus));
    let positive = (y.0.clone().max(plus), y.1.clone());
    [negative, positive].map(|part| (part.0 <= part.1).then_some(part))
}

/// Returns the bounds of a function over all divisors. `positive` computes them for positive divisors; its second
/// argument says whether the divisor was negative and has been mirrored.
fn over_parts<N: Num>(
    y: &Bounds<N>,
    mut positive: impl FnMut(&Bounds<N>, bool) -> R<Bounds<N>>,
) -> R<Bounds<N>> {
    let [below, above] = parts(y);
    let below = below
        .map(|part| positive(&opposite(&part)?, true))
        .transpose()?;
    let above = above.map(|part| positive(&part, false)).transpose()?;
    match (below, above) {
        (Some(below), Some(above)) => Ok((below.0.min(above.0), below.1.max(above.1))),
        (Some(part), None) | (None, Some(part)) => Ok(part),
        (None, None) => Err(Halt::Fail),
    }
}

/// Returns the interval itself or with the other sign.
fn signed<N: Num>(x: &Bounds<N>, opposed: bool) -> R<Bounds<N>> {
    match opposed {
        true => opposite(x),
        false => Ok(x.clone()),
    }
}

/// Returns the bounds of the quotients.
fn quotients<N: Num>(fd: &Fd<'_>, x: &Bounds<N>, y: &Bounds<N>, floored: bool) -> R<Bounds<N>> {
    let divide = |x: &N, y: &N| match floored {
        true => x.div_floor(y, fd.store),
        false => x.div_trunc(y, fd.store),
    };
    hull([
        divide(&x.0, &y.0)?,
        divide(&x.0, &y.1)?,
        divide(&x.1, &y.0)?,
        divide(&x.1, &y.1)?,
    ])
}

/// Does the simple cases of an operation whose divisor is not zero. Returns the arguments if there is more to do.
/// `of_equal` is the result for two equal arguments. If one argument is known and the other has few values, only
/// values with possible results stay.
fn open<N: Num>(
    fd: &mut Fd<'_>,
    p: Propagator,
    of_equal: i64,
    value: impl Fn(&Fd<'_>, &N, &N) -> R<N>,
) -> R<Option<[Cell; 3]>> {
    let [x, y, z] = p.args()?;
    fd.remove(y, &N::of(0))?;
    if x == y {
        fd.kill(p)?;
        fd.assign(z, &N::of(of_equal))?;
        return Ok(None);
    }
    let settled = match (fd.value::<N>(x)?, fd.value::<N>(y)?) {
        (Some(a), Some(b)) => {
            fd.kill(p)?;
            let value = value(fd, &a, &b)?;
            fd.assign(z, &value)?;
            return Ok(None);
        }
        (Some(a), None) => by_values(fd, y, z, |fd, b| value(fd, &a, b))?,
        (None, Some(b)) => by_values(fd, x, z, |fd, a| value(fd, a, &b))?,
        (None, None) => false,
    };
    if settled {
        fd.kill(p)?;
        return Ok(None);
    }
    Ok(Some([x, y, z]))
}

/// Propagates X // Y = Z.
pub(crate) fn truncated<N: Num>(fd: &mut Fd<'_>, p: Propagator) -> R {
    let Some([x, y, z]) = open::<N>(fd, p, 1, |fd, a, b| a.div_trunc(b, fd.store))? else {
        return Ok(());
    };
    let (of_x, of_y) = (fd.bounds::<N>(x)?, fd.bounds::<N>(y)?);
    let (low, high) = over_parts(&of_y, |y, opposed| {
        quotients(fd, &signed(&of_x, opposed)?, y, false)
    })?;
    fd.set_between(z, &low, &high)?;
    let of_z = fd.bounds::<N>(z)?;
    let zero = N::of(0);
    let (low, high) = over_parts(&of_y, |y, opposed| {
        let z = signed(&of_z, opposed)?;
        let low = match z.0 > zero {
            true => z.0.mul(&y.0, fd.store)?,
            false => z.0.mul(&y.1, fd.store)?.sub(&y.1.before()?)?,
        };
        let high = match z.1 < zero {
            true => z.1.mul(&y.0, fd.store)?,
            false => z.1.mul(&y.1, fd.store)?.add(&y.1.before()?)?,
        };
        Ok((low, high))
    })?;
    fd.set_between(x, &low, &high)?;
    divisor::<N>(fd, x, y, z, false)
}

/// Narrows the divisor.
fn divisor<N: Num>(fd: &mut Fd<'_>, x: Cell, y: Cell, z: Cell, floored: bool) -> R {
    let (of_x, of_z) = (fd.bounds::<N>(x)?, fd.bounds::<N>(z)?);
    let zero = N::of(0);
    if of_z.0 <= zero && zero <= of_z.1 {
        return Ok(());
    }
    let most = of_x.0.abs()?.max(of_x.1.abs()?);
    let mut least = of_z.0.abs()?.min(of_z.1.abs()?);
    if floored && of_z.1 < zero {
        // If the quotient is rounded down, its size may be greater by one.
        least = least.before()?;
    }
    if !least.is_zero() {
        let size = most.div_floor(&least, fd.store)?;
        fd.set_between(y, &size.neg()?, &size)?;
    }
    // Sign of the dividend times that of the quotient.
    let sign_of_x = match (of_x.0.sign(), of_x.1.sign()) {
        (Ordering::Greater | Ordering::Equal, _) => 1,
        (_, Ordering::Less | Ordering::Equal) => -1,
        _ => 0,
    };
    let sign_of_z = if of_z.0 > zero { 1 } else { -1 };
    match sign_of_x * sign_of_z {
        1 => fd.set_min(y, &N::of(1)),
        -1 => fd.set_max(y, &N::of(-1)),
        _ => Ok(()),
    }
}

/// Propagates X div Y = Z.
pub(crate) fn floored<N: Num>(fd: &mut Fd<'_>, p: Propagator) -> R {
    let Some([x, y, z]) = open::<N>(fd, p, 1, |fd, a, b| a.div_floor(b, fd.store))? else {
        return Ok(());
    };
    let (of_x, of_y) = (fd.bounds::<N>(x)?, fd.bounds::<N>(y)?);
    let (low, high) = over_parts(&of_y, |y, opposed| {
        quotients(fd, &signed(&of_x, opposed)?, y, true)
    })?;
    fd.set_between(z, &low, &high)?;
    let of_z = fd.bounds::<N>(z)?;
    let (low, high) = over_parts(&of_y, |y, opposed| {
        let low = match of_z.0.sign() {
            Ordering::Less => of_z.0.mul(&y.1, fd.store)?,
            _ => of_z.0.mul(&y.0, fd.store)?,
        };
        let after = of_z.1.next()?;
        let high = match after.sign() {
            Ordering::Greater => after.mul(&y.1, fd.store)?,
            _ => after.mul(&y.0, fd.store)?,
        };
        signed(&(low, high.before()?), opposed)
    })?;
    fd.set_between(x, &low, &high)?;
    divisor::<N>(fd, x, y, z, true)
}

/// Returns the greatest size of a remainder: the size of the divisor minus one.
fn largest<N: Num>(y: &Bounds<N>) -> R<N> {
    y.0.abs()?.max(y.1.abs()?).before()
}

/// Propagates X mod Y = Z.
pub(crate) fn modulo<N: Num>(fd: &mut Fd<'_>, p: Propagator) -> R {
    let Some([x, y, z]) = open::<N>(fd, p, 0, modulus)? else {
        return Ok(());
    };
    let (of_x, of_y) = (fd.bounds::<N>(x)?, fd.bounds::<N>(y)?);
    let zero = N::of(0);
    if of_y.1 > zero {
        fd.set_max(z, &of_y.1.before()?)?;
    } else {
        fd.set_max(z, &zero)?;
    }
    if of_y.0 < zero {
        fd.set_min(z, &of_y.0.next()?)?;
    } else {
        fd.set_min(z, &zero)?;
    }
    if of_y.0 > zero {
        if of_x.0 >= zero {
            fd.set_max(z, &of_x.1)?;
        }
        if of_x.0 >= zero && of_x.1 < of_y.0 {
            fd.set_min(z, &of_x.0)?;
            let (low, high) = fd.bounds::<N>(z)?;
            return fd.set_between(x, &low, &high);
        }
    }
    match fd.value::<N>(y)? {
        Some(divisor) => congruent(fd, x, &divisor, z),
        None => Ok(()),
    }
}

fn modulus<N: Num>(fd: &Fd<'_>, x: &N, y: &N) -> R<N> {
    x.sub(&x.div_floor(y, fd.store)?.mul(y, fd.store)?)
}

fn rest<N: Num>(fd: &Fd<'_>, x: &N, y: &N) -> R<N> {
    x.sub(&x.div_trunc(y, fd.store)?.mul(y, fd.store)?)
}

/// Narrows dividend and remainder for a known divisor. Moves the bounds of the dividend to the next values with a
/// possible remainder. If the bounds lie within one period of the divisor, the remainder is the dividend minus a
/// constant.
fn congruent<N: Num>(fd: &mut Fd<'_>, x: Cell, divisor: &N, z: Cell) -> R {
    let period = divisor.abs()?;
    for _ in 0..2 {
        let (least, most) = fd.bounds::<N>(z)?;
        let low = fd.min::<N>(x)?;
        if low.is_finite() {
            let rest = modulus(fd, &low, divisor)?;
            if rest < least {
                fd.set_min(x, &low.add(&least.sub(&rest)?)?)?;
            } else if rest > most {
                fd.set_min(x, &low.add(&period.add(&least)?.sub(&rest)?)?)?;
            }
        }
        let high = fd.max::<N>(x)?;
        if high.is_finite() {
            let rest = modulus(fd, &high, divisor)?;
            if rest > most {
                fd.set_max(x, &high.sub(&rest.sub(&most)?)?)?;
            } else if rest < least {
                fd.set_max(x, &high.sub(&rest.add(&period)?.sub(&most)?)?)?;
            }
        }
        let (low, high) = fd.bounds::<N>(x)?;
        if !low.is_finite() || !high.is_finite() {
            return Ok(());
        }
        let quotient = low.div_floor(divisor, fd.store)?;
        if quotient != high.div_floor(divisor, fd.store)? {
            return Ok(());
        }
        let away = quotient.mul(divisor, fd.store)?;
        fd.set_between(z, &low.sub(&away)?, &high.sub(&away)?)?;
        let (low, high) = fd.bounds::<N>(z)?;
        fd.set_between(x, &low.add(&away)?, &high.add(&away)?)?;
    }
    Ok(())
}

/// Propagates X rem Y = Z.
pub(crate) fn remainder<N: Num>(fd: &mut Fd<'_>, p: Propagator) -> R {
    let Some([x, y, z]) = open::<N>(fd, p, 0, rest)? else {
        return Ok(());
    };
    let (of_x, of_y) = (fd.bounds::<N>(x)?, fd.bounds::<N>(y)?);
    let (zero, most) = (N::of(0), largest(&of_y)?);
    let high = match of_x.1 > zero {
        true => most.clone().min(of_x.1.clone()),
        false => zero.clone(),
    };
    let low = match of_x.0 < zero {
        true => most.neg()?.max(of_x.0.clone()),
        false => zero.clone(),
    };
    fd.set_between(z, &low, &high)?;
    let (least, greatest) = fd.bounds::<N>(z)?;
    if least > zero {
        fd.set_min(x, &least)?;
    }
    if greatest < zero {
        fd.set_max(x, &greatest)?;
    }
    let least_divisor = match of_y.0 < zero && of_y.1 > zero {
        true => N::of(1),
        false => of_y.0.abs()?.min(of_y.1.abs()?),
    };
    let of_x = fd.bounds::<N>(x)?;
    if of_x.0.abs()?.max(of_x.1.abs()?) < least_divisor {
        fd.set_between(z, &of_x.0, &of_x.1)?;
        let (low, high) = fd.bounds::<N>(z)?;
        return fd.set_between(x, &low, &high);
    }
    match fd.value::<N>(y)? {
        Some(divisor) if of_x.0 >= zero => congruent(fd, x, &divisor.abs()?, z),
        _ => Ok(()),
    }
}
