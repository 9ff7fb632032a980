//! Elements of lists.

use crate::base::growth::Grow;
use crate::fd::number::Num;
use crate::fd::propagator::{Propagator, Vector};
use crate::fd::set::{intersection, normal};
use crate::fd::work::{Fd, Halt, R};
use crate::store::cell::Cell;

/// Does the work of [`element`] if the numbers and the values are close together. Returns `None` in other cases.
fn element_of_bits(fd: &mut Fd<'_>, number: Cell, v: Cell, list: Vector) -> Option<R> {
    let (first, numbers) = fd.bits(number)?;
    let (least, values) = fd.bits(v)?;
    let (mut left, mut found) = (0u64, 0u64);
    let mut rest = numbers;
    while rest != 0 {
        let bit = rest.trailing_zeros();
        rest &= rest - 1;
        let x = list.get(usize::try_from(first + i64::from(bit) - 1).ok()?);
        let (low, bits) = fd.bits(x)?;
        let distance = low - least;
        let common = values
            & match distance {
                0..64 => bits << distance,
                -63..0 => bits >> -distance,
                _ => 0,
            };
        if common != 0 {
            left |= 1 << bit;
            found |= common;
        }
    }
    Some(
        fd.restrict_bits(number, first, left)
            .and_then(|()| fd.restrict_bits(v, least, found)),
    )
}

/// Propagates that the element number I of Xs, counted from 1, is V. Arguments: I, V, Xs.
pub(crate) fn element<N: Num>(fd: &mut Fd<'_>, p: Propagator) -> R {
    let [number, v, list] = p.args()?;
    let list = Vector::of(list)?;
    if let Some(number) = fd.value::<N>(number)? {
        let index = number
            .small()
            .and_then(|number| usize::try_from(number - 1).ok());
        let Some(index) = index.filter(|&index| index < list.len) else {
            return Err(Halt::Fail);
        };
        fd.kill(p)?;
        return fd.equate(list.get(index), v);
    }
    fd.set_between(number, &N::of(1), &N::of(list.len as i64))?;
    if let Some(done) = element_of_bits(fd, number, v, list) {
        return done;
    }
    let of_v = fd.ranges::<N>(v)?;
    let mut numbers: Vec<(N, N)> = Vec::new();
    let mut values: Vec<(N, N)> = Vec::new();
    for (low, high) in fd.ranges::<N>(number)? {
        let (Some(low), Some(high)) = (low.small(), high.small()) else {
            return Err(Halt::Fail);
        };
        for nth in low..=high {
            let x = list.get(nth as usize - 1);
            let common = match fd.value::<N>(x)? {
                Some(value) if !fd.contains(v, &value)? => continue,
                Some(value) => vec![(value.clone(), value)],
                None => intersection(&of_v, &fd.ranges::<N>(x)?)?,
            };
            if common.is_empty() {
                continue;
            }
            values.put_all(common)?;
            let nth = N::of(nth);
            match numbers.last_mut() {
                Some((_, last)) if last.next()? == nth => *last = nth,
                _ => numbers.put((nth.clone(), nth))?,
            }
            fd.look()?;
        }
    }
    fd.restrict(number, &numbers)?;
    let values = normal(values)?;
    fd.restrict(v, &values)
}
