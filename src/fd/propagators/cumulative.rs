//! Schedules of tasks that share a resource.

use super::energy::{self, Load};
use crate::base::growth::{Grow, with_room};
use crate::fd::number::Num;
use crate::fd::propagator::{Propagator, Vector};
use crate::fd::work::{Fd, Halt, R};
use crate::store::cell::Cell;

/// A task and its bounds. It runs from its start up to its end, exclusively. The end need not be a variable.
pub(crate) struct Task<N> {
    start: Cell,
    duration: Cell,
    end: Option<Cell>,
    need: Cell,
    earliest_start: N,
    latest_start: N,
    earliest_end: N,
    latest_end: N,
    /// The least duration and need.
    length: N,
    height: N,
}

impl<N: Num> Task<N> {
    pub(crate) fn new(
        fd: &Fd<'_>,
        [start, duration, need]: [Cell; 3],
        end: Option<Cell>,
    ) -> R<Task<N>> {
        let (earliest_start, latest_start) = fd.bounds::<N>(start)?;
        let (length, longest) = fd.bounds::<N>(duration)?;
        let (earliest_end, latest_end) = match end {
            Some(end) => fd.bounds(end)?,
            None => (earliest_start.add(&length)?, latest_start.add(&longest)?),
        };
        Ok(Task {
            start,
            duration,
            end,
            need,
            earliest_start,
            latest_start,
            earliest_end,
            latest_end,
            length,
            height: fd.min::<N>(need)?,
        })
    }

    /// Makes the task end by `latest`.
    fn end_by(&self, fd: &mut Fd<'_>, latest: &N) -> R {
        match self.end {
            Some(end) => fd.set_max(end, latest),
            None => fd.set_max(self.start, &latest.sub(&self.length)?),
        }
    }

    /// Returns whether the task certainly runs from `from` to `to`.
    fn runs(&self, from: &N, to: &N) -> bool {
        self.latest_start <= *from && *to <= self.earliest_end
    }
}

/// A time in which tasks certainly run, and their total need.
struct Segment<N> {
    from: N,
    to: N,
    height: N,
}

/// Keeps the total need of the tasks within the limit at any time. Arguments: Starts, Durations, Ends, Needs, Limit.
pub(crate) fn cumulative<N: Num>(fd: &mut Fd<'_>, p: Propagator) -> R {
    let [starts, durations, ends, needs, limit] = p.args()?;
    let (starts, durations) = (Vector::of(starts)?, Vector::of(durations)?);
    let (ends, needs) = (Vector::of(ends)?, Vector::of(needs)?);
    let mut tasks = with_room(starts.len)?;
    let mut open = false;
    for index in 0..starts.len {
        let (start, duration) = (starts.get(index), durations.get(index));
        let (end, need) = (ends.get(index), needs.get(index));
        open |= [start, duration, end, need].iter().any(|x| x.is_var());
        tasks.put(Task::new(fd, [start, duration, need], Some(end))?)?;
        fd.look()?;
    }
    share::<N>(fd, &tasks, limit)?;
    match open {
        true => Ok(()),
        false => fd.kill(p),
    }
}

/// Narrows tasks that share a resource of a limit. All tasks must have bounds.
pub(crate) fn share<N: Num>(fd: &mut Fd<'_>, tasks: &[Task<N>], limit: Cell) -> R {
    let segments = profile(fd, tasks)?;
    if let Some(highest) = segments.iter().map(|segment| &segment.height).max() {
        fd.set_min(limit, highest)?;
    }
    let most = fd.max::<N>(limit)?;
    let mut changed = false;
    for task in tasks {
        changed |= fit(fd, task, &segments, &most)?;
    }
    match changed {
        true => Ok(()),
        false => balance(fd, tasks, limit, &most),
    }
}

/// Returns the certain need of all tasks, in ascending order of times.
fn profile<N: Num>(fd: &mut Fd<'_>, tasks: &[Task<N>]) -> R<Vec<Segment<N>>> {
    let mut changes = with_room(2 * tasks.len())?;
    for task in tasks {
        if task.latest_start < task.earliest_end && !task.height.is_zero() {
            changes.put((task.latest_start.clone(), task.height.clone()))?;
            changes.put((task.earliest_end.clone(), task.height.neg()?))?;
        }
    }
    changes.sort();
    let mut segments = with_room(changes.len())?;
    let mut height = N::of(0);
    for pair in changes.windows(2) {
        height = height.add(&pair[0].1)?;
        let (from, to) = (pair[0].0.clone(), pair[1].0.clone());
        if from < to && !height.is_zero() {
            segments.put(Segment {
                from,
                to,
                height: height.clone(),
            })?;
        }
        fd.look()?;
    }
    Ok(segments)
}

/// Makes a task run where there is room for it. Returns whether that changes its bounds.
fn fit<N: Num>(fd: &mut Fd<'_>, task: &Task<N>, segments: &[Segment<N>], limit: &N) -> R<bool> {
    fd.set_max(task.need, limit)?;
    let (mut earliest, mut latest) = (task.earliest_start.clone(), task.latest_end.clone());
    // The greatest need of the task, the latest end and the earliest start.
    let mut room = limit.clone();
    let (mut last_end, mut first_start) = (task.latest_end.clone(), task.earliest_start.clone());
    let first = segments.partition_point(|segment| segment.to <= task.earliest_start);
    let mut blocked = with_room(0)?;
    for segment in &segments[first..] {
        fd.look()?;
        if segment.from >= task.latest_end {
            break;
        }
        if task.runs(&segment.from, &segment.to) {
            room = room.min(limit.sub(&segment.height.sub(&task.height)?)?);
        } else if !task.height.is_zero() && segment.height.add(&task.height)? > *limit {
            blocked.put(segment)?;
        }
    }
    for segment in &blocked {
        if segment.from < earliest.add(&task.length)? && segment.to > earliest {
            earliest = segment.to.clone();
        }
        if segment.to > task.latest_start {
            last_end = last_end.min(segment.from.clone().max(task.latest_start.clone()));
        }
    }
    for segment in blocked.iter().rev() {
        if segment.to > latest.sub(&task.length)? && segment.from < latest {
            latest = segment.from.clone();
        }
        if segment.from < task.earliest_end {
            first_start = first_start.max(segment.to.clone().min(task.earliest_end.clone()));
        }
    }
    let (earliest, latest) = (earliest.max(first_start), latest.min(last_end));
    fd.set_max(task.need, &room)?;
    fd.set_min(task.start, &earliest)?;
    task.end_by(fd, &latest)?;
    Ok(earliest > task.earliest_start || latest < task.latest_end)
}

/// Makes the use of all tasks fit into their times.
fn balance<N: Num>(fd: &mut Fd<'_>, tasks: &[Task<N>], limit: Cell, most: &N) -> R {
    let mut loads: Vec<Load<N>> = with_room(tasks.len())?;
    let mut total = N::of(0);
    for task in tasks {
        let used = task.length.mul(&task.height, fd.store)?;
        total = total.add(&used)?;
        loads.put(Load {
            from: task.earliest_start.clone(),
            to: task.latest_end.clone(),
            used,
            height: task.height.clone(),
            until: task.earliest_end.clone(),
        })?;
    }
    let from = tasks.iter().map(|task| &task.earliest_start).min();
    let to = tasks.iter().map(|task| &task.latest_end).max();
    let (Some(from), Some(to)) = (from, to) else {
        return Ok(());
    };
    let time = to.sub(from)?;
    let spare = most.mul(&time, fd.store)?.sub(&total)?;
    if spare < N::of(0) {
        return Err(Halt::Fail);
    }
    fd.set_min(limit, &total.div_ceil(&time, fd.store)?)?;
    for task in tasks {
        if !task.height.is_zero() {
            let more = spare.div_floor(&task.height, fd.store)?;
            fd.set_max(task.duration, &task.length.add(&more)?)?;
        }
        let more = spare.div_floor(&task.length, fd.store)?;
        fd.set_max(task.need, &task.height.add(&more)?)?;
    }
    let earliest = energy::earliest(fd, &loads, most)?;
    for load in &mut loads {
        load.turn()?;
    }
    for (load, task) in loads.iter_mut().zip(tasks) {
        load.until = task.latest_start.neg()?;
    }
    let latest = energy::earliest(fd, &loads, most)?;
    for ((task, earliest), latest) in tasks.iter().zip(earliest).zip(latest) {
        fd.set_min(task.start, &earliest)?;
        task.end_by(fd, &latest.neg()?)?;
    }
    Ok(())
}
