//! Variables with values that all differ.

use crate::base::growth::{Grow, with_room};
use crate::fd::matching::{Matching, SmallMatching};
use crate::fd::number::{Num, Small};
use crate::fd::propagator::{Propagator, Vector};
use crate::fd::work::{Fd, Halt, R};
use crate::store::cell::Cell;

/// Returns the variables of a propagator, the open ones first, and the number of open ones. Arguments: Variables,
/// that number, and the variables in their original order.
fn open_variables(p: Propagator) -> R<(Vector, usize)> {
    let [variables, open] = p.args()?;
    let variables = Vector::of(variables)?;
    let open = if open.is_int() { open.int_value() } else { 0 };
    Ok((
        variables,
        usize::try_from(open).unwrap_or(0).min(variables.len),
    ))
}

/// Removes values that have become known from the variables that are still open. Returns the number of open
/// variables.
fn eliminate<N: Num>(fd: &mut Fd<'_>, p: Propagator) -> R<usize> {
    let (variables, before) = open_variables(p)?;
    let mut open = before;
    let mut index = 0;
    while index < open {
        let x = variables.get(index);
        if x.is_var() {
            index += 1;
            continue;
        }
        let value = fd.integer::<N>(x)?;
        open -= 1;
        variables.swap(index, open);
        // Earlier variables were already visited, and may become known by this.
        let mut known = false;
        for other in 0..open {
            fd.remove(variables.get(other), &value)?;
            known |= other < index && !variables.get(other).is_var();
        }
        if known {
            index = 0;
        }
    }
    if open < before {
        fd.set_arg(p, 1, Cell::int(open as i64))?;
    }
    Ok(open)
}

/// Keeps values different, as far as known values determine it.
pub(crate) fn all_different<N: Num>(fd: &mut Fd<'_>, p: Propagator) -> R {
    match eliminate::<N>(fd, p)? {
        0 | 1 => fd.kill(p),
        _ => Ok(()),
    }
}

/// Maximum number of values of all variables together for a matching.
const MANY_VALUES: usize = 1 << 16;

/// Keeps only values of solutions, for few variables whose values are close together. Also removes known values from
/// the other variables. Returns `None` if the variables are not of this kind.
fn match_bits<const N: usize>(
    fd: &mut Fd<'_>,
    p: Propagator,
    variables: Vector,
    before: usize,
) -> Option<R> {
    // Most domains are of small numbers that are not negative.
    let (least, own) = match aligned::<N>(fd, variables, before, 0) {
        Some(own) => (0, own),
        None => {
            let least = (0..before).map(|index| fd.min::<Small>(variables.get(index)));
            let least = least.min_by_key(|least| least.map_or(i64::MIN, |least| least.0))?;
            let least = least.ok()?.0;
            (least, aligned::<N>(fd, variables, before, least)?)
        }
    };
    let mut left = own;
    let possible = match before {
        0..=4 => narrow_four(&mut left, before),
        _ => narrow(&mut left, before),
    };
    if !possible {
        return Some(Err(Halt::Fail));
    }
    let mut unknown = before;
    for index in (0..before).rev() {
        if left[index] != own[index]
            && let Err(halt) = fd.restrict_bits(variables.get(index), least, left[index])
        {
            return Some(Err(halt));
        }
        if left[index] & (left[index] - 1) == 0 {
            unknown -= 1;
            variables.swap(index, unknown);
        }
    }
    Some(match unknown {
        0 | 1 => fd.kill(p),
        _ if unknown < before => fd.set_arg(p, 1, Cell::int(unknown as i64)),
        _ => Ok(()),
    })
}

/// Returns the domains of variables as bits whose lowest stands for `least`, if they fit.
#[inline(always)]
fn aligned<const N: usize>(
    fd: &Fd<'_>,
    variables: Vector,
    before: usize,
    least: i64,
) -> Option<[u64; N]> {
    let mut own = [0; N];
    for (index, own) in own[..before].iter_mut().enumerate() {
        let (low, bits) = fd.bits(variables.get(index))?;
        let distance = low.checked_sub(least)?;
        if !(0..64).contains(&distance) || bits.leading_zeros() < distance as u32 {
            return None;
        }
        *own = bits << distance;
    }
    Some(own)
}

/// Removes all values that are part of no solution from the domains of `before` variables, given as bits. Returns
/// false if there is no solution.
fn narrow<const N: usize>(left: &mut [u64; N], before: usize) -> bool {
    // The variables without a known value.
    let mut open = [0u8; N];
    for (place, number) in open[..before].iter_mut().zip(0..) {
        *place = number;
    }
    let (mut taken, mut count) = (0, before);
    let mut known = true;
    while known {
        known = false;
        let mut index = 0;
        while index < count {
            let variable = open[index] as usize;
            let bits = left[variable] & !taken;
            left[variable] = bits;
            if !has_fewer(bits, 2) {
                index += 1;
                continue;
            }
            if bits == 0 {
                return false;
            }
            // Earlier variables may still have this value.
            known |= index > 0;
            taken |= bits;
            count -= 1;
            open[index] = open[count];
        }
    }
    let open = &open[..count];
    // If each variable may have as many values as there are variables, all values are part of solutions.
    if !(open.iter()).any(|&variable| has_fewer(left[variable as usize], count)) {
        return true;
    }
    let mut matching = SmallMatching::<N>::new();
    for &variable in open {
        matching.add_variable(left[variable as usize]);
    }
    if !matching.find() {
        return false;
    }
    for (&variable, kept) in open.iter().zip(matching.consistent()) {
        left[variable as usize] = kept;
    }
    true
}

/// Returns whether fewer than `count` bits are set.
#[inline(always)]
fn has_fewer(mut bits: u64, count: usize) -> bool {
    for _ in 1..count {
        bits &= bits.wrapping_sub(1);
    }
    bits == 0
}

/// Does the work of [`narrow`] for at most four variables. If some variables have no more values together than their
/// number, the others cannot have these values (Hall, "On representatives of subsets", 1935).
fn narrow_four<const N: usize>(left: &mut [u64; N], count: usize) -> bool {
    const PAIRS: [[usize; 4]; 6] = [
        [0, 1, 2, 3],
        [0, 2, 1, 3],
        [0, 3, 1, 2],
        [1, 2, 0, 3],
        [1, 3, 0, 2],
        [2, 3, 0, 1],
    ];
    // Missing variables may have any value.
    let mut four = [u64::MAX; 4];
    for (four, left) in four.iter_mut().zip(&left[..count]) {
        *four = *left;
    }
    loop {
        let before = four;
        for one in 0..4 {
            let bits = four[one];
            if has_fewer(bits, 2) {
                if bits == 0 {
                    return false;
                }
                for (other, values) in four.iter_mut().enumerate() {
                    *values &= if other == one { bits } else { !bits };
                }
            }
        }
        if count > 2 {
            for [a, b, c, d] in PAIRS {
                let bits = four[a] | four[b];
                if has_fewer(bits, 3) {
                    four[c] &= !bits;
                    four[d] &= !bits;
                }
            }
        }
        if count > 3 {
            for [a, b, c, d] in [[0, 1, 2, 3], [0, 1, 3, 2], [0, 2, 3, 1], [1, 2, 3, 0]] {
                let bits = four[a] | four[b] | four[c];
                if has_fewer(bits, 4) {
                    four[d] &= !bits;
                }
            }
        }
        if four == before {
            for (left, four) in left.iter_mut().zip(&four[..count]) {
                *left = *four;
            }
            return true;
        }
    }
}

/// Keeps only values that are part of a solution of this constraint alone (Régin, "A filtering algorithm for
/// constraints of difference in CSPs", 1994).
pub(crate) fn all_distinct<N: Num>(fd: &mut Fd<'_>, p: Propagator) -> R {
    let (variables, before) = open_variables(p)?;
    let done = match before {
        0..=1 => return fd.kill(p),
        2..=4 => match_bits::<4>(fd, p, variables, before),
        5..=12 => match_bits::<12>(fd, p, variables, before),
        13..=64 => match_bits::<64>(fd, p, variables, before),
        _ => None,
    };
    if let Some(done) = done {
        return done;
    }
    let open = eliminate::<N>(fd, p)?;
    if open <= 1 {
        return fd.kill(p);
    }
    let mut matching = Matching::default();
    let mut finite: Vec<Cell> = with_room(open)?;
    let mut values = 0;
    for index in 0..open {
        let x = variables.get(index);
        let known = fd
            .ranges::<Small>(x)
            .and_then(|ranges| Ok((ranges, fd.size::<Small>(x)?)));
        let (ranges, size) = match known {
            Ok(known) => known,
            // A domain beyond machine words has many values.
            Err(Halt::Wide) => continue,
            Err(halt) => return Err(halt),
        };
        if !size.is_finite() || values + size.0 as usize > MANY_VALUES {
            continue;
        }
        values += size.0 as usize;
        finite.put(x)?;
        matching.add_variable(ranges.iter().flat_map(|(low, high)| low.0..=high.0))?;
        fd.look()?;
    }
    if !matching.find(&fd.store.events.watch)? {
        return Err(Halt::Fail);
    }
    let removals = matching.inconsistent(&fd.store.events.watch)?;
    for (variable, value) in removals {
        fd.remove(finite[variable], &N::of(value))?;
    }
    // The matching has already removed known values from the matched variables.
    if finite.len() < open {
        eliminate::<N>(fd, p)?;
    }
    Ok(())
}
