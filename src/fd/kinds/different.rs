//! Variables of which no two have the same value.

use crate::base::room::{Grow, with_room};
use crate::fd::matching::{Matching, SmallMatching};
use crate::fd::number::{Num, Small};
use crate::fd::propagator::{Propagator, Vector};
use crate::fd::{Fd, Halt, R};
use crate::store::cell::Cell;

/// Takes the values that have become known from the variables that are still open. Arguments: Variables, the open
/// ones first, State, a vector of their number, and the variables in their own order. Returns that number.
fn eliminate<N: Num>(fd: &mut Fd<'_>, p: Propagator) -> R<usize> {
    let [variables, state] = p.args()?;
    let variables = Vector::of(variables)?;
    let before = usize::try_from(Vector::of(state)?.int(0))
        .unwrap_or(0)
        .min(variables.len);
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
        let state = fd.own_vector(p, 1)?;
        state.set(0, Cell::int(open as i64));
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

/// The same for few variables whose values lie close together; nothing if they do not.
fn match_bits<const N: usize>(fd: &mut Fd<'_>, variables: Vector, open: usize) -> Option<R> {
    let mut domains = [(0, 0); N];
    let mut least = i64::MAX;
    for (index, domain) in domains[..open].iter_mut().enumerate() {
        *domain = fd.bits(variables.get(index))?;
        least = least.min(domain.0);
    }
    let mut matching = SmallMatching::<N>::new();
    for &(low, bits) in &domains[..open] {
        let distance = u32::try_from(low - least).ok()?;
        if distance > bits.leading_zeros() {
            return None;
        }
        matching.add_variable(bits << distance);
    }
    if !matching.find() {
        return Some(Err(Halt::Fail));
    }
    let kept = matching.consistent();
    for (index, &(low, bits)) in domains[..open].iter().enumerate() {
        if kept[index] != bits << (low - least)
            && let Err(halt) = fd.restrict_bits(variables.get(index), least, kept[index])
        {
            return Some(Err(halt));
        }
    }
    Some(Ok(()))
}

/// Every value that is left is part of a solution of this constraint alone (Régin, "A filtering algorithm for
/// constraints of difference in CSPs", 1994).
pub(super) fn all_distinct<N: Num>(fd: &mut Fd<'_>, p: Propagator) -> R {
    let open = eliminate::<N>(fd, p)?;
    if open <= 1 {
        return fd.kill(p);
    }
    let variables = Vector::of(p.args::<1>()?[0])?;
    let done = match open {
        0..=12 => match_bits::<12>(fd, variables, open),
        13..=64 => match_bits::<64>(fd, variables, open),
        _ => None,
    };
    if let Some(done) = done {
        return done;
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
