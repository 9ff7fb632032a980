//! Products, powers, absolute values, minima and maxima, and functions that wait for their arguments.

use crate::arith::integer;
use crate::base::growth::Grow;
use crate::base::number::Number;
use crate::fd::number::{Large, Num};
use crate::fd::propagator::Propagator;
use crate::fd::work::{Fd, Halt, R};
use crate::store::cell::Cell;
use dashu_int::IBig;
use std::cmp::Ordering;

/// Returns the least and the greatest of some numbers.
pub(crate) fn hull<N: Num>(numbers: impl IntoIterator<Item = N>) -> R<(N, N)> {
    let mut numbers = numbers.into_iter();
    let first = numbers.next().ok_or(Halt::Fail)?;
    Ok(
        numbers.fold((first.clone(), first), |(low, high), number| match () {
            () if number < low => (number, high),
            () if number > high => (low, number),
            () => (low, high),
        }),
    )
}

/// Returns the bounds of the product of two intervals.
pub(crate) fn product<N: Num>(fd: &Fd<'_>, x: &(N, N), y: &(N, N)) -> R<(N, N)> {
    hull([
        x.0.mul(&y.0, fd.store)?,
        x.0.mul(&y.1, fd.store)?,
        x.1.mul(&y.0, fd.store)?,
        x.1.mul(&y.1, fd.store)?,
    ])
}

/// Returns the interval with the other sign.
pub(crate) fn opposite<N: Num>(x: &(N, N)) -> R<(N, N)> {
    Ok((x.1.neg()?, x.0.neg()?))
}

/// Narrows a function of a variable of few values. The variable keeps the values whose results are in the domain of
/// `z`, and `z` is restricted to the range of these results. Returns whether all results are equal; then nothing more
/// is to be done.
pub(crate) fn by_values<N: Num>(
    fd: &mut Fd<'_>,
    x: Cell,
    z: Cell,
    value: impl Fn(&Fd<'_>, &N) -> R<N>,
) -> R<bool> {
    let Some((base, own)) = fd.bits(x) else {
        return Ok(false);
    };
    let (mut kept, mut least, mut most) = (0, N::SUP, N::INF);
    for place in (0..64).filter(|place| own >> place & 1 == 1) {
        let result = value(fd, &N::of(base + place))?;
        if fd.contains(z, &result)? {
            kept |= 1 << place;
            least = least.min(result.clone());
            most = most.max(result);
        }
    }
    fd.restrict_bits(x, base, kept)?;
    fd.set_between(z, &least, &most)?;
    Ok(least == most)
}

/// Propagates X * Y = Z.
pub(crate) fn times<N: Num>(fd: &mut Fd<'_>, p: Propagator) -> R {
    let factors = p.args()?;
    multiplied::<N>(fd, p, factors)
}

fn multiplied<N: Num>(fd: &mut Fd<'_>, p: Propagator, [x, y, z]: [Cell; 3]) -> R {
    if x == y && x.is_var() {
        return power_by(fd, p, x, &N::of(2), z);
    }
    // If a factor is the product itself and is not zero, the other factor is 1.
    for (factor, other) in [(x, y), (y, x)] {
        if factor == z && factor.is_var() && !fd.contains(factor, &N::of(0))? {
            fd.kill(p)?;
            return fd.assign(other, &N::of(1));
        }
    }
    let (of_x, of_y) = (fd.bounds::<N>(x)?, fd.bounds::<N>(y)?);
    let (low, high) = product(fd, &of_x, &of_y)?;
    fd.set_between(z, &low, &high)?;
    if of_x.0 == of_x.1 && of_y.0 == of_y.1 {
        return fd.kill(p);
    }
    if !fd.contains(z, &N::of(0))? {
        fd.remove(x, &N::of(0))?;
        fd.remove(y, &N::of(0))?;
    }
    factor::<N>(fd, x, y, z)?;
    factor::<N>(fd, y, x, z)?;
    match fd.value::<N>(z)? {
        Some(product) if !product.is_zero() => {
            cofactors(fd, x, y, &product)?;
            cofactors(fd, y, x, &product)
        }
        _ => Ok(()),
    }
}

/// Keeps those values of a factor of few values that divide the product with a quotient in the domain of the other
/// factor.
fn cofactors<N: Num>(fd: &mut Fd<'_>, x: Cell, y: Cell, product: &N) -> R {
    let Some((base, own)) = fd.bits(x) else {
        return Ok(());
    };
    let mut kept = 0;
    for place in (0..64).filter(|place| own >> place & 1 == 1) {
        let value = N::of(base + place);
        let quotient = product.div_floor(&value, fd.store)?;
        if quotient.mul(&value, fd.store)? == *product && fd.contains(y, &quotient)? {
            kept |= 1 << place;
        }
    }
    fd.restrict_bits(x, base, kept)
}

/// Propagates X / Y = Z without a remainder, which is Z * Y = X.
pub(crate) fn exact<N: Num>(fd: &mut Fd<'_>, p: Propagator) -> R {
    let [x, y, z] = p.args()?;
    fd.remove(y, &N::of(0))?;
    multiplied::<N>(fd, p, [z, y, x])
}

/// Narrows a factor by the other factor and the product.
fn factor<N: Num>(fd: &mut Fd<'_>, x: Cell, y: Cell, z: Cell) -> R {
    let (of_y, of_z) = (fd.bounds::<N>(y)?, fd.bounds::<N>(z)?);
    let zero = N::of(0);
    if of_y.0 <= zero && zero <= of_y.1 {
        let inner = of_y.0 < zero && zero < of_y.1;
        if of_z.0 <= zero && zero <= of_z.1 || !inner {
            return Ok(());
        }
        let most = of_z.0.abs()?.max(of_z.1.abs()?);
        return fd.set_between(x, &most.neg()?, &most);
    }
    let (of_y, of_z) = match of_y.0 > zero {
        true => (of_y, of_z),
        false => (opposite(&of_y)?, opposite(&of_z)?),
    };
    let least = match of_z.0 >= zero {
        true => of_z.0.div_ceil(&of_y.1, fd.store)?,
        false => of_z.0.div_ceil(&of_y.0, fd.store)?,
    };
    let most = match of_z.1 >= zero {
        true => of_z.1.div_floor(&of_y.0, fd.store)?,
        false => of_z.1.div_floor(&of_y.1, fd.store)?,
    };
    fd.set_between(x, &least, &most)
}

/// Propagates X ^ Y = Z.
pub(crate) fn power<N: Num>(fd: &mut Fd<'_>, p: Propagator) -> R {
    let [x, y, z] = p.args()?;
    if let Some(exponent) = fd.value::<N>(y)? {
        return power_by(fd, p, x, &exponent, z);
    }
    if let Some(base) = fd.value::<N>(x)? {
        return power_of(fd, p, &base, y, z);
    }
    let (of_x, of_y) = (fd.bounds::<N>(x)?, fd.bounds::<N>(y)?);
    if of_x.0 >= N::of(2) {
        fd.set_min(y, &N::of(0))?;
        let least = raised(fd, &of_x.0, &of_y.0.clone().max(N::of(0)), false)?;
        fd.set_min(z, &least)?;
        return logarithm(fd, &of_x.0, y, z);
    }
    if of_y.0.sign() == Ordering::Greater {
        let base = of_x.0.abs()?.max(of_x.1.abs()?);
        let most = raised(fd, &base, &of_y.1, true)?;
        let least = match of_x.0.sign() {
            Ordering::Less => most.neg()?,
            _ => raised(fd, &of_x.0, &of_y.0, false)?,
        };
        return fd.set_between(z, &least, &most);
    }
    Ok(())
}

/// Narrows the exponent by the power, for a base of at least 2.
fn logarithm<N: Num>(fd: &mut Fd<'_>, base: &N, y: Cell, z: Cell) -> R {
    let most = fd.max::<N>(z)?;
    if !most.is_finite() {
        return Ok(());
    }
    let (mut exponent, mut power) = (N::of(0), N::of(1));
    loop {
        power = match power.mul(base, fd.store) {
            Ok(power) => power,
            Err(Halt::Wide) if most.small().is_some() => break,
            Err(halt) => return Err(halt),
        };
        if power > most {
            break;
        }
        exponent = exponent.next()?;
        fd.look()?;
    }
    fd.set_max(y, &exponent)
}

/// Propagates a power of a known base.
fn power_of<N: Num>(fd: &mut Fd<'_>, p: Propagator, base: &N, y: Cell, z: Cell) -> R {
    match base.small() {
        Some(1) => {
            fd.kill(p)?;
            return fd.assign(z, &N::of(1));
        }
        Some(0) => {
            fd.set_min(y, &N::of(0))?;
            fd.set_between(z, &N::of(0), &N::of(1))?;
            if fd.min::<N>(y)?.sign() == Ordering::Greater {
                fd.kill(p)?;
                return fd.assign(z, &N::of(0));
            }
            return match fd.value::<N>(z)?.map(|z| z.is_zero()) {
                Some(true) => fd.set_min(y, &N::of(1)),
                Some(false) => fd.assign(y, &N::of(0)),
                None => Ok(()),
            };
        }
        Some(-1) => return fd.restrict(z, &[(N::of(-1), N::of(-1)), (N::of(1), N::of(1))]),
        _ => {}
    }
    fd.set_min(y, &N::of(0))?;
    let size = base.abs()?;
    let (low, high) = fd.bounds::<N>(y)?;
    let most = raised(fd, &size, &high, true)?;
    if base.sign() == Ordering::Less {
        fd.set_between(z, &most.neg()?, &most)?;
        let (least, most) = fd.bounds::<N>(z)?;
        let size_of_z = least.abs()?.max(most.abs()?);
        if let Some(Some(limit)) = size_of_z
            .is_finite()
            .then(|| whole_logarithm(fd, &size, &size_of_z))
            .transpose()?
        {
            return fd.set_max(y, &limit);
        }
        return Ok(());
    }
    let lowest = raised(fd, &size, &low, false)?;
    fd.set_between(z, &lowest, &most)?;
    logarithm(fd, base, y, z)?;
    let least = fd.min::<N>(z)?;
    if is_vast(&size, &low) {
        return Ok(());
    }
    let (mut exponent, mut power) = (low.clone(), lowest);
    while power < least {
        power = power.mul(&size, fd.store)?;
        exponent = exponent.next()?;
        fd.look()?;
    }
    fd.set_min(y, &exponent)
}

/// Returns the greatest exponent whose power is at most `most`.
fn whole_logarithm<N: Num>(fd: &mut Fd<'_>, base: &N, most: &N) -> R<Option<N>> {
    let (mut exponent, mut power) = (N::of(0), N::of(1));
    if power > *most {
        return Ok(None);
    }
    loop {
        power = power.mul(base, fd.store)?;
        if power > *most {
            return Ok(Some(exponent));
        }
        exponent = exponent.next()?;
        fd.look()?;
    }
}

/// Propagates a power to a known exponent.
fn power_by<N: Num>(fd: &mut Fd<'_>, p: Propagator, x: Cell, exponent: &N, z: Cell) -> R {
    let ones = [(N::of(-1), N::of(-1)), (N::of(1), N::of(1))];
    let two = N::of(2);
    let even = exponent.div_floor(&two, fd.store)?.mul(&two, fd.store)? == *exponent;
    match exponent.sign() {
        Ordering::Equal => {
            fd.kill(p)?;
            return fd.assign(z, &N::of(1));
        }
        Ordering::Less => {
            fd.restrict(x, &ones)?;
            match even {
                true => fd.assign(z, &N::of(1))?,
                false => fd.restrict(z, &ones)?,
            }
            if let Some(value) = fd.value::<N>(x)? {
                return fd.assign(z, &if even { N::of(1) } else { value });
            }
            return match fd.value::<N>(z)? {
                Some(value) if !even => fd.assign(x, &value),
                _ => Ok(()),
            };
        }
        Ordering::Greater => {}
    }
    let (low, high) = fd.bounds::<N>(x)?;
    if low == high {
        let power = low.pow(exponent, fd.store)?;
        fd.kill(p)?;
        return fd.assign(z, &power);
    }
    if !even {
        let (least, most) = (
            raised(fd, &low, exponent, false)?,
            raised(fd, &high, exponent, true)?,
        );
        fd.set_between(z, &least, &most)?;
    } else {
        let (least, most) = match () {
            () if low.sign().is_gt() => (low.clone(), high.clone()),
            () if high.sign().is_lt() => (high.neg()?, low.neg()?),
            () => (N::of(0), high.clone().max(low.neg()?)),
        };
        let (least, most) = (
            raised(fd, &least, exponent, false)?,
            raised(fd, &most, exponent, true)?,
        );
        fd.set_between(z, &least, &most)?;
    }
    if exponent
        .small()
        .is_some_and(|exponent| exponent <= FEW_FACTORS)
        && by_values(fd, x, z, |fd, value: &N| value.pow(exponent, fd.store))?
    {
        return fd.kill(p);
    }
    let (least, most) = fd.bounds::<N>(z)?;
    if !even {
        let least = root(fd, &least, exponent, true)?;
        let most = root(fd, &most, exponent, false)?;
        return fd.set_between(x, &least, &most);
    }
    let outer = root(fd, &most, exponent, false)?;
    let inner = root(fd, &least, exponent, true)?;
    match inner.sign() {
        Ordering::Greater if outer < inner => Err(Halt::Fail),
        Ordering::Greater => fd.restrict(x, &[(outer.neg()?, inner.neg()?), (inner, outer)]),
        _ => fd.set_between(x, &outer.neg()?, &outer),
    }
}

/// Maximum exponent for which powers of single values are computed.
const FEW_FACTORS: i64 = 8;

/// Maximum number of bits of a power that is computed as a bound.
const BOUND_BITS: u64 = 1 << 16;

/// Returns whether a power is too large to be a bound.
fn is_vast<N: Num>(base: &N, exponent: &N) -> bool {
    let exponent = exponent
        .small()
        .and_then(|exponent| u64::try_from(exponent).ok());
    base.bits() > 1
        && exponent.is_none_or(|exponent| base.bits().saturating_mul(exponent) > BOUND_BITS)
}

/// Returns the power of a bound to an exponent that is not negative. Both may be infinite. For a power that is too
/// large the result is an infinity, or the base itself if a bound on the other side is needed.
fn raised<N: Num>(fd: &Fd<'_>, base: &N, exponent: &N, upper: bool) -> R<N> {
    let odd = exponent.small().is_none_or(|exponent| exponent % 2 != 0);
    let negative = base.sign().is_lt() && odd;
    if !base.is_finite() {
        return Ok(if negative { N::INF } else { N::SUP });
    }
    if exponent.is_finite() && !is_vast(base, exponent) {
        return base.pow(exponent, fd.store);
    }
    Ok(match (negative, upper) {
        // The powers of 0 and of 1 are at most 1, and so are those of -1.
        _ if base.bits() <= 1 && upper => N::of(1),
        _ if base.bits() <= 1 => base.clone().min(N::of(0)),
        (false, true) => N::SUP,
        (true, false) => N::INF,
        (false, false) => base.abs()?,
        (true, true) => base.clone(),
    })
}

/// Returns the root of a number, rounded up or down.
fn root<N: Num>(fd: &mut Fd<'_>, power: &N, exponent: &N, up: bool) -> R<N> {
    if !power.is_finite() {
        return Ok(power.clone());
    }
    if power.sign() == Ordering::Less {
        return root(fd, &power.neg()?, exponent, !up)?.neg();
    }
    let Some(count) = exponent
        .small()
        .and_then(|exponent| usize::try_from(exponent).ok())
    else {
        // No number of this size is such a power of an integer greater than 1. For a larger number 1 is safe, too.
        return Ok(N::of(i64::from(power.sign() == Ordering::Greater)));
    };
    let cell = power.cell(fd.store)?;
    let Large::Val(number) = Large::of_cell(fd.store, cell)? else {
        return Err(Halt::Fail);
    };
    let Some(big) = number.as_big() else {
        return Err(Halt::Fail);
    };
    let root = IBig::from(integer::magnitude(&big).nth_root(count));
    let root = fd.store.new_big(&root)?;
    let root = N::of_cell(fd.store, root)?;
    match up && root.pow(exponent, fd.store)? != *power {
        true => root.next(),
        false => Ok(root),
    }
}

/// Propagates |X| = Z.
pub(crate) fn absolute<N: Num>(fd: &mut Fd<'_>, p: Propagator) -> R {
    let [x, z] = p.args()?;
    if let Some(value) = fd.value::<N>(x)? {
        fd.kill(p)?;
        return fd.assign(z, &value.abs()?);
    }
    let zero = N::of(0);
    let mut sizes = Vec::new();
    for (low, high) in fd.ranges::<N>(x)? {
        if low >= zero {
            sizes.put((low, high))?;
        } else if high <= zero {
            sizes.put((high.neg()?, low.neg()?))?;
        } else {
            sizes.put((zero.clone(), high.max(low.neg()?)))?;
        }
    }
    let sizes = crate::fd::set::normal(sizes)?;
    fd.restrict(z, &sizes)?;
    let sizes = fd.ranges::<N>(z)?;
    let mut both = Vec::new();
    for (low, high) in sizes {
        both.put((high.neg()?, low.neg()?))?;
        both.put((low, high))?;
    }
    let both = crate::fd::set::normal(both)?;
    if !z.is_var() {
        fd.kill(p)?;
    }
    fd.restrict(x, &both)
}

/// Propagates max(X, Y) = Z.
pub(crate) fn maximum<N: Num>(fd: &mut Fd<'_>, p: Propagator) -> R {
    let [x, y, z] = p.args()?;
    let (of_x, of_y) = (fd.bounds::<N>(x)?, fd.bounds::<N>(y)?);
    fd.set_between(
        z,
        &of_x.0.clone().max(of_y.0.clone()),
        &of_x.1.clone().max(of_y.1.clone()),
    )?;
    let (least, most) = fd.bounds::<N>(z)?;
    fd.set_max(x, &most)?;
    fd.set_max(y, &most)?;
    if of_x.1 < least {
        fd.set_min(y, &least)?;
    }
    if of_y.1 < least {
        fd.set_min(x, &least)?;
    }
    match !x.is_var() && !y.is_var() {
        true => fd.kill(p),
        false => Ok(()),
    }
}

/// Propagates min(X, Y) = Z.
pub(crate) fn minimum<N: Num>(fd: &mut Fd<'_>, p: Propagator) -> R {
    let [x, y, z] = p.args()?;
    let (of_x, of_y) = (fd.bounds::<N>(x)?, fd.bounds::<N>(y)?);
    fd.set_between(
        z,
        &of_x.0.clone().min(of_y.0.clone()),
        &of_x.1.clone().min(of_y.1.clone()),
    )?;
    let (least, most) = fd.bounds::<N>(z)?;
    fd.set_min(x, &least)?;
    fd.set_min(y, &least)?;
    if of_x.0 > most {
        fd.set_max(y, &most)?;
    }
    if of_y.0 > most {
        fd.set_max(x, &most)?;
    }
    match !x.is_var() && !y.is_var() {
        true => fd.kill(p),
        false => Ok(()),
    }
}

/// The functions that wait for their arguments, by number: name and arity.
pub(crate) const FUNCTIONS: &[(&str, usize)] = &[
    ("\\", 1),
    ("msb", 1),
    ("lsb", 1),
    ("popcount", 1),
    ("<<", 2),
    (">>", 2),
    ("/\\", 2),
    ("\\/", 2),
    ("xor", 2),
];

/// Propagates a function of known integers.
pub(crate) fn function<N: Num>(fd: &mut Fd<'_>, p: Propagator) -> R {
    let [number, x, y, z] = p.args()?;
    let (Some(Large::Val(x)), Some(Large::Val(y))) = (fd.value::<Large>(x)?, fd.value::<Large>(y)?)
    else {
        return Ok(());
    };
    let bounds = crate::fd::number::bounds(fd.store);
    let value: Result<Number, _> = match fd.integer::<N>(number)?.small() {
        Some(0) => integer::complement(&x),
        Some(1) => integer::msb(&x),
        Some(2) => integer::lsb(&x),
        Some(3) => integer::popcount(&x),
        Some(4) => integer::shift_left(&x, &y, bounds),
        Some(5) => integer::shift_right(&x, &y, bounds),
        Some(6) => integer::and(&x, &y),
        Some(7) => integer::or(&x, &y),
        _ => integer::xor(&x, &y),
    };
    let value = crate::fd::number::large(value)?;
    fd.kill(p)?;
    fd.assign(z, &value)
}
