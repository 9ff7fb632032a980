//! Rectangles that do not overlap.

use super::cumulative::{Task, share};
use crate::base::growth::{Grow, with_room};
use crate::fd::number::Num;
use crate::fd::propagator::{Propagator, Vector};
use crate::fd::work::{Fd, Halt, R};
use crate::store::cell::Cell;

/// Place and size of a rectangle in one direction.
#[derive(Copy, Clone)]
struct Side {
    place: Cell,
    size: Cell,
}

/// A condition on two rectangles in one direction.
#[derive(Copy, Clone)]
enum Condition {
    /// The first ends before the second begins.
    Before(Side, Side),
    /// The first begins after the second begins.
    Behind(Side, Side),
}

impl Condition {
    /// Returns the parts of the condition: added terms, a subtracted term, and the greatest permitted sum. A variable
    /// on both sides cancels out.
    fn terms(self) -> ([Option<Cell>; 2], Option<Cell>, i64) {
        let (mut added, subtracted, most) = match self {
            Condition::Before(a, b) => ([Some(a.place), Some(a.size)], b.place, 0),
            Condition::Behind(a, b) => ([Some(b.place), None], a.place, -1),
        };
        for term in &mut added {
            if *term == Some(subtracted) {
                *term = None;
                return (added, None, most);
            }
        }
        (added, Some(subtracted), most)
    }

    /// Returns the least value of the added terms minus the subtracted one, or the greatest value with `greatest`.
    fn bound<N: Num>(self, fd: &Fd<'_>, greatest: bool) -> R<Option<N>> {
        let (added, subtracted, _) = self.terms();
        let mut sum = N::of(0);
        let terms = added.into_iter().map(|x| (x, greatest));
        for (x, upper) in terms.chain([(subtracted, !greatest)]) {
            let Some(x) = x else {
                continue;
            };
            let bound = if upper { fd.max::<N>(x)? } else { fd.min(x)? };
            if !bound.is_finite() {
                return Ok(None);
            }
            sum = if upper == greatest {
                sum.add(&bound)?
            } else {
                sum.sub(&bound)?
            };
        }
        Ok(Some(sum))
    }

    /// Returns whether the condition can hold.
    fn can_hold<N: Num>(self, fd: &Fd<'_>) -> R<bool> {
        let most = N::of(self.terms().2);
        Ok(self
            .bound::<N>(fd, false)?
            .is_none_or(|least| least <= most))
    }

    /// Returns whether the condition holds for all remaining values.
    fn holds<N: Num>(self, fd: &Fd<'_>) -> R<bool> {
        let most = N::of(self.terms().2);
        Ok(self
            .bound::<N>(fd, true)?
            .is_some_and(|greatest| greatest <= most))
    }

    /// Makes the condition hold.
    fn impose<N: Num>(self, fd: &mut Fd<'_>) -> R {
        let (added, subtracted, most) = self.terms();
        let most = N::of(most);
        let least_of = |fd: &Fd<'_>, x: Option<Cell>| x.map_or(Ok(N::of(0)), |x| fd.min::<N>(x));
        let lows = [least_of(fd, added[0])?, least_of(fd, added[1])?];
        if let Some(subtracted) = subtracted
            && lows.iter().all(N::is_finite)
        {
            fd.set_min(subtracted, &lows[0].add(&lows[1])?.sub(&most)?)?;
        }
        let high = subtracted.map_or(Ok(N::of(0)), |x| fd.max::<N>(x))?;
        if added[0] == added[1]
            && let Some(x) = added[0]
            && high.is_finite()
        {
            return fd.set_max(x, &high.add(&most)?.div_floor(&N::of(2), fd.store)?);
        }
        for (x, other) in [(added[0], &lows[1]), (added[1], &lows[0])] {
            if let Some(x) = x
                && high.is_finite()
                && other.is_finite()
            {
                fd.set_max(x, &high.add(&most)?.sub(other)?)?;
            }
        }
        Ok(())
    }
}

/// Makes one of these conditions hold: if only one of them can, imposes it. Returns whether one certainly holds.
fn one_of<N: Num>(fd: &mut Fd<'_>, conditions: &[Condition]) -> R<bool> {
    let mut only = None;
    for &condition in conditions {
        if condition.can_hold::<N>(fd)? {
            if only.is_some() {
                for condition in conditions {
                    if condition.holds::<N>(fd)? {
                        return Ok(true);
                    }
                }
                return Ok(false);
            }
            only = Some(condition);
        }
    }
    let only = only.ok_or(Halt::Fail)?;
    only.impose::<N>(fd)?;
    only.holds::<N>(fd)
}

/// Keeps rectangles from overlapping. Arguments: vectors of places and sizes in both directions. A rectangle without
/// extent in a direction counts as a point there. It overlaps a rectangle if it lies within it or at its beginning.
pub(crate) fn disjoint<N: Num>(fd: &mut Fd<'_>, p: Propagator) -> R {
    let [xs, widths, ys, heights] = p.args()?;
    let (xs, widths) = (Vector::of(xs)?, Vector::of(widths)?);
    let (ys, heights) = (Vector::of(ys)?, Vector::of(heights)?);
    let mut settled = true;
    for i in 0..xs.len {
        let side = |places: Vector, sizes: Vector, index| Side {
            place: places.get(index),
            size: sizes.get(index),
        };
        let has_extent = |fd: &Fd<'_>, index| -> R<bool> {
            Ok(fd.min::<N>(widths.get(index))? > N::of(0)
                && fd.min::<N>(heights.get(index))? > N::of(0))
        };
        let (ax, ay) = (side(xs, widths, i), side(ys, heights, i));
        let of_a = has_extent(fd, i)?;
        for j in 0..i {
            fd.look()?;
            let (bx, by) = (side(xs, widths, j), side(ys, heights, j));
            let left_or_right = [Condition::Before(ax, bx), Condition::Before(bx, ax)];
            let below_or_above = [Condition::Before(ay, by), Condition::Before(by, ay)];
            let [left, right] = left_or_right;
            let [below, above] = below_or_above;
            if of_a && has_extent(fd, j)? {
                settled &= one_of::<N>(fd, &[left, right, below, above])?;
                continue;
            }
            // If the beginning of one lies within the other in a direction, they are disjoint in the other direction.
            for ((a, b), apart) in [
                ((ax, bx), below_or_above),
                ((bx, ax), below_or_above),
                ((ay, by), left_or_right),
                ((by, ay), left_or_right),
            ] {
                let outside = [Condition::Behind(a, b), Condition::Before(a, b)];
                let [before, after] = apart;
                settled &= one_of::<N>(fd, &[outside[0], outside[1], before, after])?;
            }
        }
    }
    if settled {
        return fd.kill(p);
    }
    along::<N>(fd, [xs, widths], [ys, heights])?;
    along::<N>(fd, [ys, heights], [xs, widths])
}

/// Narrows rectangles that are above each other. They share the available height, as tasks that run at the same time
/// share a resource.
fn along<N: Num>(
    fd: &mut Fd<'_>,
    [places, sizes]: [Vector; 2],
    [across, extents]: [Vector; 2],
) -> R {
    let mut tasks = with_room(places.len)?;
    let (mut least, mut most) = (N::SUP, N::INF);
    for index in 0..places.len {
        let (size, extent) = (sizes.get(index), extents.get(index));
        let (low, high) = fd.bounds::<N>(across.get(index))?;
        let bounds = [places.get(index), size, extent].map(|x| fd.bounds::<N>(x));
        let mut finite = low.is_finite() && high.is_finite();
        for bounds in bounds {
            let (low, high) = bounds?;
            finite &= low.is_finite() && high.is_finite();
        }
        let zero = N::of(0);
        if !finite || fd.min::<N>(size)? <= zero || fd.min::<N>(extent)? <= zero {
            continue;
        }
        least = least.min(low);
        most = most.max(high.add(&fd.max(extent)?)?);
        tasks.put(Task::<N>::new(fd, [places.get(index), size, extent], None)?)?;
    }
    if tasks.len() < 2 {
        return Ok(());
    }
    let limit = most.sub(&least)?.cell(fd.store)?;
    share(fd, &tasks, limit)
}
