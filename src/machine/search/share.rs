//! How much of a search tree is done, as far as its open choice points tell.
//!
//! Each branch of a choice point weighs the same, all branches together as much as the branch that the choice point is in;
//! the whole tree weighs 1. What is left is the weight of the branches that nobody has taken yet, plus a part of the branch
//! that is under way. This is the estimate by uniform weights that P. Kilby, J. Slaney, S. Thiébaux and T. Walsh,
//! "Estimating search tree size" (AAAI 2006), start from.
//!
//! The choice points are looked at now and then only. One that has gone since has taken its last branch, which is under
//! way: the branch around it weighs no more than that from then on. Where one choice point after the other comes and goes, as
//! in a loop by failure, nothing is known of the branch around them.
#![forbid(unsafe_code)]

use crate::base::growth::Grow;
use crate::base::stop::Stop;

/// Branches that weigh less are not told apart.
const LEAST: f64 = 1e-12;
/// If more choice points than this come and go in a branch, one at each of so many looks, it is a loop.
const MOST_GONE: u32 = 4;

/// What tells a choice point from others: the same place again is the same one, or what its last alternative has made of it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// Where it is on the stack.
    pub(crate) choice: u64,
    /// The environment and the address where its goal goes on.
    pub(crate) goes_on: (u64, u64),
    /// The instruction of its last alternative.
    pub(crate) last: u64,
    /// Tells apart what has the same place one after the other.
    pub(crate) variant: u64,
}

/// A choice point with the number of branches that nobody has taken, `None` if that is not known.
pub(crate) type Open = (Place, Option<u64>);

/// The weight of what is left: not less than `least`, and not more than `most`.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub(crate) struct Rest {
    pub(crate) least: f64,
    pub(crate) most: f64,
}

/// A branch that is under way.
#[derive(Copy, Clone, Debug)]
struct Branch {
    /// Its weight, and that without what is known to be done of it.
    whole: f64,
    rest: f64,
    /// How often it was looked at, and how many choice points right within it have gone meanwhile.
    looks: u32,
    gone: u32,
    /// Choice points come and go without end: nothing is known of it.
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

    /// Nothing is known of it.
    fn forget(&mut self) {
        self.rest = self.whole;
    }

    /// A choice point right within it is gone, whose last branch has this weight.
    fn narrow(&mut self, weight: f64) {
        self.rest = weight;
        self.gone += 1;
        // In a tree half of the time goes by before the first is gone, half of the rest before the next.
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
    /// The number of branches that are left, and the weight of each.
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

    /// The weight of the branches that nobody has taken.
    fn later(&self) -> f64 {
        self.each * self.left as f64
    }

    /// The weight of its last branch.
    fn last(&self) -> f64 {
        if self.left > 0 {
            self.each
        } else {
            self.inner.rest
        }
    }
}

/// A part of a search, and how much of it is done.
#[derive(Debug)]
pub(crate) struct Share {
    /// What is outside of the choice points that are known.
    outer: Branch,
    /// Oldest first.
    known: Vec<Known>,
}

impl Share {
    /// Nothing is done of a part of this weight.
    pub(crate) fn new(weight: f64) -> Share {
        Share {
            outer: Branch::new(weight),
            known: Vec::new(),
        }
    }

    /// What is under way within the first `count` known choice points.
    fn inner(&mut self, count: usize) -> &mut Branch {
        match count.checked_sub(1) {
            Some(at) => &mut self.known[at].inner,
            None => &mut self.outer,
        }
    }

    /// The known choice points from this one on are gone.
    fn leave(&mut self, at: usize) {
        if let Some(gone) = self.known.get(at) {
            let last = gone.last();
            self.known.truncate(at);
            self.inner(at).narrow(last);
        }
    }

    /// These are the open choice points now, oldest first. What lies within one whose number of branches is not known is not
    /// looked at.
    ///
    /// # Errors
    /// There is no memory.
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

    /// The number of branches of a known choice point that are left now.
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
            // There are more of them than it seemed.
            false => Known::new(known.place, left, known.inner.rest + known.later()),
        };
        self.known.truncate(at + 1);
    }

    /// Only this number of branches of the choice point at `choice` is left: others were given away. Gives their weight.
    pub(crate) fn give(&mut self, choice: u64, left: u64) -> f64 {
        let mut known = self.known.iter_mut();
        if let Some(known) = known.find(|known| known.place.choice == choice) {
            let given = known.left.saturating_sub(left) as f64 * known.each;
            known.left = known.left.min(left);
            return given;
        }
        // It lies within what is under way.
        let inner = self.inner(self.known.len());
        inner.rest /= 2.0;
        inner.whole = inner.rest;
        inner.rest
    }

    /// The weight of what is left.
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

    /// The open choice points on the way to a leaf of a full tree: those that have taken their last branch are gone.
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
        // What is seen first seems to be in its first branch.
        let mut share = Share::new(1.0);
        for leaf in [0, 5, 123, 345, 678, 901, 999] {
            share.observe(on_the_way(leaf, 10, 3)).unwrap();
            let done = 1.0 - share.rest().most;
            assert!((done - leaf as f64 / 1000.0).abs() < 0.1, "{leaf}: {done}");
        }
    }

    #[test]
    fn what_is_given_away_is_not_left() {
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
        // One that is not known is a half of what is under way.
        assert!((share.give(3, 0) - 0.0125).abs() < 1e-9);
        share.observe([(place(1), Some(0))]).unwrap();
        near(&share, 0.9, 0.1);
        share.observe([]).unwrap();
        near(&share, 0.9, 0.1);
    }

    #[test]
    fn a_loop_tells_nothing() {
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
    fn an_unknown_number_of_branches_is_as_much_as_the_branch_around_it() {
        let mut share = Share::new(1.0);
        share
            .observe([(place(1), None), (place(2), Some(1))])
            .unwrap();
        near(&share, 0.0, 1.0);
        share
            .observe([(place(1), Some(4)), (place(2), None)])
            .unwrap();
        near(&share, 0.0, 0.2);
        // There are more than it seemed.
        share.observe([(place(1), Some(9))]).unwrap();
        near(&share, 0.0, 0.1);
        share.observe([(place(1), Some(3))]).unwrap();
        near(&share, 0.6, 0.1);
    }
}
