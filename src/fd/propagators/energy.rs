//! The use of a resource by tasks in the times that are left for them.

use crate::base::growth::{Grow, GrowAt, with_room};
use crate::fd::number::Num;
use crate::fd::work::{Fd, Halt, R};

/// The least use by a task: `used` in all, `height` at a time, between `from` and `to`. The task does not end before
/// `until`.
pub(crate) struct Load<N> {
    pub(crate) from: N,
    pub(crate) to: N,
    pub(crate) used: N,
    pub(crate) height: N,
    pub(crate) until: N,
}

impl<N: Num> Load<N> {
    /// Exchanges past and future. The caller must set `until` afterwards.
    pub(crate) fn turn(&mut self) -> R {
        let from = self.to.neg()?;
        self.to = std::mem::replace(&mut self.from, from).neg()?;
        Ok(())
    }
}

/// Returns the earliest starts of tasks. If a task and a set of others use more than there is until a time, they
/// cannot all end by then. So the task ends after the set and starts where the set leaves room. Source: Vilím, "Edge
/// finding filtering algorithm for discrete cumulative resources in O(kn log n)", 2009; here in O(n²).
pub(crate) fn earliest<N: Num>(fd: &mut Fd<'_>, loads: &[Load<N>], limit: &N) -> R<Vec<N>> {
    let mut starts = with_room(loads.len())?;
    starts.put_all(loads.iter().map(|load| load.from.clone()))?;
    let mut by_start: Vec<usize> = with_room(loads.len())?;
    by_start.put_all((0..loads.len()).filter(|&index| !loads[index].used.is_zero()))?;
    let mut ends = with_room(by_start.len())?;
    ends.put_all(by_start.iter().map(|&index| loads[index].to.clone()))?;
    by_start.sort_by(|&a, &b| loads[a].from.cmp(&loads[b].from));
    ends.sort();
    ends.dedup();
    // For each task, the use of the tasks that start no earlier than it and end by `end`.
    let mut used: Vec<N> = with_room(by_start.len())?;
    used.fill_to(by_start.len(), N::of(0))?;
    for end in &ends {
        let mut sum = N::of(0);
        for (place, &index) in by_start.iter().enumerate().rev() {
            if loads[index].to <= *end {
                sum = sum.add(&loads[index].used)?;
            }
            used[place] = sum.clone();
        }
        let mut least_spare = N::SUP;
        for (place, &index) in by_start.iter().enumerate() {
            fd.look()?;
            let load = &loads[index];
            if load.from < *end {
                let spare = end
                    .sub(&load.from)?
                    .mul(limit, fd.store)?
                    .sub(&used[place])?;
                if spare < N::of(0) {
                    return Err(Halt::Fail);
                }
                least_spare = least_spare.min(spare);
            }
            let later = load.used > least_spare || load.until > *end && load.from < *end;
            if load.to > *end && later {
                let start = after(fd, loads, &by_start, &used, end, load, limit)?;
                if start > starts[index] {
                    starts[index] = start;
                }
            }
        }
    }
    Ok(starts)
}

/// Returns the earliest start of a task that ends after the tasks that end by `end`. Part of their use does not fit
/// beside the task, so they use that part before the task starts.
fn after<N: Num>(
    fd: &mut Fd<'_>,
    loads: &[Load<N>],
    by_start: &[usize],
    used: &[N],
    end: &N,
    load: &Load<N>,
    limit: &N,
) -> R<N> {
    let beside = limit.sub(&load.height)?;
    let mut start = load.from.clone();
    for (place, &index) in by_start.iter().enumerate() {
        let from = &loads[index].from;
        if *from >= *end {
            break;
        }
        let rest = used[place].sub(&end.sub(from)?.mul(&beside, fd.store)?)?;
        if rest > N::of(0) {
            start = start.max(from.add(&rest.div_ceil(&load.height, fd.store)?)?);
        }
        fd.look()?;
    }
    Ok(start)
}
