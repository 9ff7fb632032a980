//! The finished share of a search tree, as far as its open choice points show.
//!
//! All branches of a choice point have the same weight. Together they weigh as much as the branch that contains the
//! choice point. The whole tree weighs 1. The rest is the weight of the branches not yet taken, plus a part of the
//! present branch. P. Kilby, J. Slaney, S. Thiébaux and T. Walsh, "Estimating search tree size" (AAAI 2006), start
//! from this estimate by uniform weights.
//!
//! The machine looks at the choice points only from time to time. A choice point that has gone since the last look
//! has taken its last branch, which is under way. From then on, the branch around it weighs no more than that last
//! branch. If choice points come and go one after the other, as in a failure-driven loop, nothing is known about the
//! branch around them.
#![forbid(unsafe_code)]

use crate::base::growth::Grow;
use crate::base::stop::Stop;

/// Branches that weigh less are not distinguished.
const LEAST: f64 = 1e-12;
/// A branch is a loop if more choice points than this come and go in it, and more than one in this number of looks.
const MOST_GONE: u32 = 4;

/// The identity of a choice point. The same place means the same choice point, or one that its last alternative has
/// pushed.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// The address of the choice point on the choice stack.
    pub(crate) choice: u64,
    /// The environment and the address where the goal of the choice point continues.
    pub(crate) goes_on: (u64, u64),
    /// The instruction of the last alternative of the choice point.
    pub(crate) last: u64,
    /// Distinguishes choice points that have the same place one after the other.
    pub(crate) variant: u64,
}

/// A choice point with the number of branches not yet taken; `None` if unknown.
pub(crate) type Open = (Place, Option<u64>);

/// The weight of the rest: at least `least` and at most `most`.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub(crate) struct Rest {
    pub(crate) least: f64,
    pub(crate) most: f64,
}

/// A branch that is under way.
#[derive(Copy, Clone, Debug)]
struct Branch {
    /// The weight of the branch, and its weight without the part known to be done.
    whole: f64,
    rest: f64,
    /// The number of looks at it, and the number of choice points directly within it that have gone since.
    looks: u32,
    gone: u32,
    /// Whether choice points come and go without end, so that nothing is known about the branch.
    endless: bool,
}

impl Branch {
    fn new(weight: f64) -> Branch {
        Branch {
            whole: weight,
            rest: weight,
            looks: 0,
            gone: 0,
            endless: false,
        }
    }

    /// Forgets all knowledge about the branch.
    fn forget(&mut self) {
        self.rest = self.whole;
    }

    /// Handles the end of a choice point directly within the branch. `weight` is the weight of its last branch.
    fn narrow(&mut self, weight: f64) {
        self.rest = weight;
        self.gone += 1;
        // In a tree, half of the time passes before the first choice point is gone. Half of the rest passes before
        // the next is gone.
        if self.gone > MOST_GONE && self.gone * MOST_GONE > self.looks {
            self.endless = true;
            self.forget();
        }
    }
}

/// A choice point that was open at the last look.
#[derive(Copy, Clone, Debug)]
struct Known {
    place: Place,
    /// The number of branches left, and the weight of each.
    left: u64,
    each: f64,
    inner: Branch,
}

impl Known {
    fn new(place: Place, left: u64, weight: f64) -> Known {
        let each = weight / (left as f64 + 1.0);
        Known {
            place,
            left,
            each,
            inner: Branch::new(each),
        }
    }

    /// Returns the weight of the branches not yet taken.
    fn later(&self) -> f64 {
        self.each * self.left as f64
    }

    /// Returns the weight of its last branch.
    fn last(&self) -> f64 {
        if self.left > 0 {
            self.each
        } else {
            self.inner.rest
        }
    }
}

/// A part of a search, with the share that is done.
#[derive(Debug)]
pub(crate) struct Share {
    /// The branch outside the known choice points.
    outer: Branch,
    /// The known choice points, oldest first.
    known: Vec<Known>,
}

impl Share {
    /// Returns a part of this weight that has not begun.
    pub(crate) fn new(weight: f64) -> Share {
        Share {
            outer: Branch::new(weight),
            known: Vec::new(),
        }
    }

    /// Returns the branch under way within the first `count` known choice points.
    fn inner(&mut self, count: usize) -> &mut Branch {
        match count.checked_sub(1) {
            Some(at) => &mut self.known[at].inner,
            None => &mut self.outer,
        }
    }

    /// Handles the end of the known choice points from this one on.
    fn leave(&mut self, at: usize) {
        if let Some(gone) = self.known.get(at) {
            let last = gone.last();
            self.known.truncate(at);
            self.inner(at).narrow(last);
        }
    }

    /// Takes the choice points that are open now, oldest first. Ignores those within a choice point whose number of
    /// branches is unknown.
    ///
    /// # Errors
    /// Returns an error if memory runs out.
    pub(crate) fn observe(&mut self, open: impl IntoIterator<Item = Open>) -> Result<(), Stop> {
        self.outer.looks += 1;
        let mut at = 0;
        for (place, left) in open {
            let same = self.known.get(at).is_some_and(|known| known.place == place);
            let Some(left) = left else {
                self.known.truncate(at);
                self.inner(at).forget();
                return Ok(());
            };
            if same {
                self.advance(at, left);
                self.known[at].inner.looks += 1;
            } else {
                self.leave(at);
                let inner = self.inner(at);
                let weight = inner.rest;
                if inner.endless || weight < LEAST {
                    return Ok(());
                }
                self.known.put(Known::new(place, left, weight))?;
            }
            at += 1;
        }
        self.leave(at);
        Ok(())
    }

    /// Sets the number of branches left of a known choice point.
    fn advance(&mut self, at: usize, left: u64) {
        let known = &mut self.known[at];
        if left == known.left {
            return;
        }
        *known = match left < known.left {
            true => Known {
                left,
                inner: Branch::new(known.each),
                ..*known
            },
            // There are more branches than it seemed.
            false => Known::new(known.place, left, known.inner.rest + known.later()),
        };
        self.known.truncate(at + 1);
    }

    /// Notes that only `left` branches of the choice point at `choice` are left, because the others were given away.
    /// Returns the weight of those given away.
    pub(crate) fn give(&mut self, choice: u64, left: u64) -> f64 {
        let mut known = self.known.iter_mut();
        if let Some(known) = known.find(|known| known.place.choice == choice) {
            let given = known.left.saturating_sub(left) as f64 * known.each;
            known.left = known.left.min(left);
            return given;
        }
        // The choice point lies within the branch under way.
        let inner = self.inner(self.known.len());
        inner.rest /= 2.0;
        inner.whole = inner.rest;
        inner.rest
    }

    /// Returns the weight of the rest.
    pub(crate) fn rest(&self) -> Rest {
        let least = self.known.iter().map(Known::later).sum();
        let inner = self.known.last().map_or(&self.outer, |known| &known.inner);
        Rest {
            least,
            most: least + inner.rest,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Place, Share};

    fn place(choice: u64) -> Place {
        Place {
            choice,
            goes_on: (0, 0),
            last: choice,
            variant: 0,
        }
    }

    /// Returns the open choice points on the way to a leaf of a full tree. Choice points that have taken their last
    /// branch are gone.
    fn on_the_way(leaf: u64, branches: u64, depth: u32) -> Vec<(Place, Option<u64>)> {
        let branch = |level: u32| leaf / branches.pow(depth - 1 - level) % branches;
        let open = (0..depth).filter(|&level| branch(level) + 1 < branches);
        open.map(|level| (place(level.into()), Some(branches - 1 - branch(level))))
            .collect()
    }

    fn near(share: &Share, done: f64, width: f64) {
        let rest = share.rest();
        assert!((1.0 - rest.most - done).abs() < 1e-9, "{rest:?}, {done}");
        assert!((rest.most - rest.least - width).abs() < 1e-9, "{rest:?}");
    }

    #[test]
    fn the_leaves_of_a_full_tree_are_done_one_after_the_other() {
        for (branches, depth) in [(2, 10), (3, 6), (10, 3)] {
            let leaves = u64::pow(branches, depth);
            let mut share = Share::new(1.0);
            for leaf in 0..leaves {
                share.observe(on_the_way(leaf, branches, depth)).unwrap();
                let width = 1.0 / leaves as f64;
                near(&share, leaf as f64 * width, width);
            }
        }
    }

    #[test]
    fn leaves_that_nobody_looks_at_are_done_too() {
        // The choice point that is seen first seems to be in its first branch.
        let mut share = Share::new(1.0);
        for leaf in [0, 5, 123, 345, 678, 901, 999] {
            share.observe(on_the_way(leaf, 10, 3)).unwrap();
            let done = 1.0 - share.rest().most;
            assert!((done - leaf as f64 / 1000.0).abs() < 0.1, "{leaf}: {done}");
        }
    }

    #[test]
    fn branches_given_away_are_not_left() {
        let mut share = Share::new(1.0);
        share
            .observe([(place(1), Some(9)), (place(2), Some(3))])
            .unwrap();
        near(&share, 0.0, 0.025);
        assert!((share.give(1, 4) - 0.5).abs() < 1e-9);
        near(&share, 0.5, 0.025);
        share
            .observe([(place(1), Some(4)), (place(2), Some(1))])
            .unwrap();
        near(&share, 0.55, 0.025);
        // An unknown choice point gets half of the branch under way.
        assert!((share.give(3, 0) - 0.0125).abs() < 1e-9);
        share.observe([(place(1), Some(0))]).unwrap();
        near(&share, 0.9, 0.1);
        share.observe([]).unwrap();
        near(&share, 0.9, 0.1);
    }

    #[test]
    fn a_loop_gives_no_estimate() {
        let mut share = Share::new(1.0);
        for turn in 0..100 {
            let mut open = vec![(place(1), Some(1))];
            open.extend((turn % 2 == 0).then_some((place(2), Some(1))));
            share.observe(open).unwrap();
        }
        near(&share, 0.0, 0.5);
        share.observe([(place(3), Some(1))]).unwrap();
        near(&share, 0.5, 0.25);
    }

    #[test]
    fn unknown_branches_share_the_outer_branch() {
        let mut share = Share::new(1.0);
        share
            .observe([(place(1), None), (place(2), Some(1))])
            .unwrap();
        near(&share, 0.0, 1.0);
        share
            .observe([(place(1), Some(4)), (place(2), None)])
            .unwrap();
        near(&share, 0.0, 0.2);
        // There are more branches than it seemed.
        share.observe([(place(1), Some(9))]).unwrap();
        near(&share, 0.0, 0.1);
        share.observe([(place(1), Some(3))]).unwrap();
        near(&share, 0.6, 0.1);
    }
}
