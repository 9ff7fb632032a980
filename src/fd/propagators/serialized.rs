//! Tasks that run one at a time.

use super::energy::{self, Load};
use crate::base::growth::{Grow, with_room};
use crate::fd::number::Num;
use crate::fd::propagator::{Propagator, Vector};
use crate::fd::work::{Fd, Halt, R};

/// Makes one of each two tasks end before the other starts. Arguments: Starts, Durations, integers that are not
/// negative.
pub(crate) fn serialized<N: Num>(fd: &mut Fd<'_>, p: Propagator) -> R {
    let [starts, durations] = p.args()?;
    let (starts, durations) = (Vector::of(starts)?, Vector::of(durations)?);
    let mut lengths = with_room(starts.len)?;
    for duration in durations.iter() {
        lengths.put(fd.integer::<N>(duration)?)?;
    }
    let mut settled = true;
    let mut changed = false;
    for i in 0..starts.len {
        for j in 0..i {
            fd.look()?;
            let (first, second) = (starts.get(i), starts.get(j));
            let (low_i, high_i) = fd.bounds::<N>(first)?;
            let (low_j, high_j) = fd.bounds::<N>(second)?;
            let i_before_j = low_i.add(&lengths[i])? <= high_j;
            let j_before_i = low_j.add(&lengths[j])? <= high_i;
            let (before, after, length) = match (i_before_j, j_before_i) {
                (false, false) => return Err(Halt::Fail),
                (true, true) => {
                    settled &= !first.is_var() && !second.is_var();
                    continue;
                }
                (true, false) => (first, second, &lengths[i]),
                (false, true) => (second, first, &lengths[j]),
            };
            let (low, high) = (
                fd.min::<N>(before)?.add(length)?,
                fd.max::<N>(after)?.sub(length)?,
            );
            changed |= low > fd.min(after)? || high < fd.max(before)?;
            fd.set_min(after, &low)?;
            fd.set_max(before, &high)?;
            settled &= fd.max::<N>(before)?.add(length)? <= fd.min(after)?;
        }
    }
    match (settled, changed) {
        (true, _) => fd.kill(p),
        // The propagator runs again.
        (false, true) => Ok(()),
        (false, false) => by_sets(fd, starts, &lengths),
    }
}

/// Narrows tasks by the times that sets of tasks leave for others.
fn by_sets<N: Num>(fd: &mut Fd<'_>, starts: Vector, lengths: &[N]) -> R {
    let one = N::of(1);
    let mut places = with_room(starts.len)?;
    let mut loads = with_room(starts.len)?;
    for (place, length) in lengths.iter().enumerate() {
        let (low, high) = fd.bounds::<N>(starts.get(place))?;
        if length.is_zero() || !low.is_finite() || !high.is_finite() {
            continue;
        }
        places.put(place)?;
        loads.put(Load {
            to: high.add(length)?,
            until: low.add(length)?,
            from: low,
            used: length.clone(),
            height: one.clone(),
        })?;
    }
    let earliest = energy::earliest(fd, &loads, &one)?;
    for (load, &place) in loads.iter_mut().zip(&places) {
        load.turn()?;
        load.until = load.from.add(&lengths[place])?;
    }
    let latest = energy::earliest(fd, &loads, &one)?;
    for ((&place, earliest), latest) in places.iter().zip(earliest).zip(latest) {
        let start = starts.get(place);
        fd.set_min(start, &earliest)?;
        fd.set_max(start, &latest.neg()?.sub(&lengths[place])?)?;
    }
    Ok(())
}
