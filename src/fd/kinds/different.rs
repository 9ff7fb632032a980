//! Variables of which no two have the same value.

use crate::base::room::{Grow, with_room};
use crate::fd::matching::{Matching, SmallMatching};
use crate::fd::number::{Num, Small};
use crate::fd::propagator::{Propagator, Vector};
use crate::fd::{Fd, Halt, R};
use crate::store::cell::Cell;

/// The variables of a propagator, the open ones first, and the number of these. Arguments: Variables, that number, and
/// the variables in their own order.
fn open_variables(p: Propagator) -> R<(Vector, usize)> {
    let [variables, open] = p.args()?;
    let variables = Vector::of(variables)?;
    let open = if open.is_int() { open.int_value() } else { 0 };
    Ok((
        variables,
        usize::try_from(open).unwrap_or(0).min(variables.len),
    ))
}

/// Takes the values that have become known from the variables that are still open. Returns how many are.
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
        // Those before have been looked at, and may become known by this.
        let mut known = false;
        for other in 0..open {
            let other_variable = variables.get(other);
            fd.remove(other_variable, &value)?;
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

/// No two have the same value, as far as known values tell.
pub(super) fn all_different<N: Num>(fd: &mut Fd<'_>, p: Propagator) -> R {
    match eliminate::<N>(fd, p)? {
        0 | 1 => fd.kill(p),
        _ => Ok(()),
    }
}

/// Most values of all variables together for which they are matched.
const MANY_VALUES: usize = 1 << 16;

/// The same for few variables whose values lie close together, the known values taken from the others as well; nothing
/// if they do not.
fn match_bits<const N: usize>(
    fd: &mut Fd<'_>,
    p: Propagator,
    variables: Vector,
    before: usize,
) -> Option<R> {
    let mut domains = [(0, 0); N];
    let mut least = i64::MAX;
    for (index, domain) in domains[..before].iter_mut().enumerate() {
        *domain = fd.bits(variables.get(index))?;
        least = least.min(domain.0);
    }
    let mut left = [0; N];
    for (left, &(low, bits)) in left.iter_mut().zip(&domains[..before]) {
        let distance = u32::try_from(low - least).ok()?;
        if distance > bits.leading_zeros() {
            return None;
        }
        *left = bits << distance;
    }
    Some(narrow_bits::<N>(
        fd,
        p,
        variables,
        least,
        (&domains, &mut left, before),
    ))
}

/// Are fewer than `count` bits set?
#[inline(always)]
fn has_fewer(mut bits: u64, count: usize) -> bool {
    for _ in 1..count {
        bits &= bits.wrapping_sub(1);
    }
    bits == 0
}

/// Narrows variables whose values are these bits, the lowest of which stands for `least`.
fn narrow_bits<const N: usize>(
    fd: &mut Fd<'_>,
    p: Propagator,
    variables: Vector,
    least: i64,
    (domains, left, before): (&[(i64, u64); N], &mut [u64; N], usize),
) -> R {
    // Values that are known, and the variables that do not have one.
    let mut taken = 0u64;
    let mut open = [0u8; N];
    let mut count = before;
    for (index, place) in open[..before].iter_mut().enumerate() {
        *place = index as u8;
    }
    let mut known = true;
    while known {
        known = false;
        let mut index = 0;
        while index < count {
            let variable = open[index] as usize;
            let bits = left[variable] & !taken;
            left[variable] = bits;
            if bits & bits.wrapping_sub(1) != 0 {
                index += 1;
                continue;
            }
            if bits == 0 {
                return Err(Halt::Fail);
            }
            // Those before may have this value yet.
            known |= index > 0;
            taken |= bits;
            count -= 1;
            open[index] = open[count];
        }
    }
    // Where each may have as many values as there are variables, all values are part of solutions.
    let few = count > 2
        && open[..count]
            .iter()
            .any(|&variable| has_fewer(left[variable as usize], count));
    if few {
        let mut matching = SmallMatching::<N>::new();
        for &variable in &open[..count] {
            matching.add_variable(left[variable as usize]);
        }
        if !matching.find() {
            return Err(Halt::Fail);
        }
        let kept = matching.consistent();
        for (&variable, &kept) in open[..count].iter().zip(&kept) {
            left[variable as usize] = kept;
        }
    }
    let mut unknown = before;
    for index in (0..before).rev() {
        let (low, bits) = domains[index];
        if left[index] != bits << (low - least) {
            fd.restrict_bits(variables.get(index), least, left[index])?;
        }
        if left[index] & (left[index] - 1) == 0 {
            unknown -= 1;
            variables.swap(index, unknown);
        }
    }
    match unknown {
        0 | 1 => fd.kill(p),
        _ if unknown < before => fd.set_arg(p, 1, Cell::int(unknown as i64)),
        _ => Ok(()),
    }
}

/// Every value that is left is part of a solution of this constraint alone (Régin, "A filtering algorithm for
/// constraints of difference in CSPs", 1994).
pub(super) fn all_distinct<N: Num>(fd: &mut Fd<'_>, p: Propagator) -> R {
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
            // Values beyond machine words are many.
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
    // Of those that were matched no other has a value that has become known.
    if finite.len() < open {
        eliminate::<N>(fd, p)?;
    }
    Ok(())
}
