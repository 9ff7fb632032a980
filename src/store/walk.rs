//! What the walks over terms are made of: a stack that is free for small terms, and a sampled set
//! of what was visited, which keeps them finite.
//!
//! A walk of ordinary length pays one addition per step. Where it is longer, it looks from time to time
//! whether it comes again to a few nodes, landmarks, that it has just been at: small cyclic terms come
//! to an end there. After many steps the term may be a large cyclic one, or a small graph that
//! unfolds into a huge tree; from then on a random part of the steps is remembered, and whatever is
//! remembered is not entered again. A node is entered about [`SAMPLE`] times before it is remembered,
//! so a walk stays linear in the size of the graph, at a fraction of the memory that a set of all nodes
//! takes. Wherever it looks for one thing or the other it also looks whether it is to be stopped: it ends
//! with [`Stop`] then, and what it marks it puts back as it is dropped.
#![forbid(unsafe_code)]

use super::address::HeapAddr;
use super::cell::{Cell, WORD, tag};
use super::heap::{Store, deref};
use super::raw;
use crate::base::atom_table::FastMap;
use crate::base::growth::{Bounded, Grow, GrowMap, Within};
use crate::base::stop::Stop;
use crate::base::watch::Watch;

/// Steps that are taken before the first landmarks. A node counts as many as it has arguments.
const FIRST_STEPS: u64 = 1 << 11;
/// The next ones are set after so many times as many steps.
const TIMES: u64 = 16;
/// Steps between landmarks.
const BETWEEN: u64 = 16;
/// Landmarks that are set in a row.
const LANDMARKS: usize = 8;
/// Steps during which it is looked for them, if none of them is found.
const LOOKING: u64 = 512;
/// Steps after which nodes are remembered for good.
const FREE_STEPS: u64 = 1 << 19;
/// One step of this many is remembered.
const SAMPLE: u64 = 32;
/// Frames of a walk that need no allocation.
const INLINE_FRAMES: usize = 12;

/// What is known of a node that a walk comes to.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Node {
    /// Nothing.
    New,
    /// Nothing so far; from now on it is remembered as open.
    Sampled,
    /// It was entered, and [`Visited::leave`] was not called since.
    Open,
    /// It was entered and left.
    Done,
}

/// The steps of one walk: nodes, or pairs of nodes walked together.
pub(super) struct Visited {
    steps: u64,
    /// The number of steps after which something is to be done at each node.
    free: u64,
    /// While it is looked for landmarks, the number of steps at which that ends.
    end: u64,
    landmarks: Vec<Landmark>,
    /// The number of steps that it was looked at last whether the walk is to be stopped.
    looked: u64,
    lots: Lots,
    /// The nodes remembered; true: done.
    seen: Option<Box<FastMap<(u64, u64), bool>>>,
    /// The pairs remembered.
    joined: Option<Box<Classes>>,
}

impl Visited {
    /// Nothing visited yet.
    #[inline(always)]
    pub(super) fn new() -> Visited {
        Visited {
            steps: 0,
            free: FIRST_STEPS,
            end: 0,
            landmarks: Vec::new(),
            looked: 0,
            lots: Lots(1),
            seen: None,
            joined: None,
        }
    }

    /// Counts the visit of node `a` (under circumstances `b`) with so many arguments; true if it is known to
    /// be visited before.
    #[inline(always)]
    pub(super) fn again(
        &mut self,
        a: u64,
        b: u64,
        arguments: u64,
        watch: &Watch,
    ) -> Result<bool, Stop> {
        self.steps += arguments;
        if self.steps <= self.free {
            return Ok(false);
        }
        Ok(matches!(self.lookup(a, b, watch)?, Node::Open | Node::Done))
    }

    /// Counts the visit of node `a` of one term together with node `b` of another one, which are to be
    /// equal in some sense, with so many arguments; true if it is known that they need not be visited: they
    /// were before, or each was with others that were, so that cyclic terms of different periods
    /// are walked together in the sum of their steps, not the product (Hopcroft and Karp, "A linear
    /// algorithm for testing equivalence of finite automata", 1971).
    #[inline(always)]
    pub(super) fn again_together(
        &mut self,
        a: u64,
        b: u64,
        arguments: u64,
        watch: &Watch,
    ) -> Result<bool, Stop> {
        self.steps += arguments;
        if self.steps <= self.free {
            return Ok(false);
        }
        self.lookup_together(a, b, watch)
    }

    /// Counts the visit of node `a` with so many arguments.
    #[inline(always)]
    pub(super) fn enter(&mut self, a: u64, arguments: u64, watch: &Watch) -> Result<Node, Stop> {
        self.steps += arguments;
        if self.steps > self.free {
            self.lookup(a, 0, watch)
        } else {
            Ok(Node::New)
        }
    }

    /// Ends the visit of a node that was sampled when it was entered.
    pub(super) fn leave(&mut self, a: u64) {
        if let Some(landmark) = self.landmarks.iter_mut().find(|mark| mark.node == (a, 0)) {
            landmark.done = true;
        }
        if let Some(done) = self.seen.as_mut().and_then(|seen| seen.get_mut(&key(a, 0))) {
            *done = true;
        }
    }

    /// Looks whether the walk is to be stopped.
    fn look(&mut self, watch: &Watch) -> Result<(), Stop> {
        if self.steps - self.looked >= FIRST_STEPS {
            watch.go_on_after((self.steps - self.looked) as usize)?;
            self.looked = self.steps;
        }
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn lookup_together(&mut self, a: u64, b: u64, watch: &Watch) -> Result<bool, Stop> {
        self.look(watch)?;
        if self.steps <= FREE_STEPS {
            return Ok(matches!(self.at_landmark(a, b), Node::Open | Node::Done));
        }
        let joined = self.joined.get_or_insert_default();
        // The sides are told apart: what one term has in common with the other is something else there
        // if variables are compared up to their names.
        let (a, b) = (a.rotate_right(3), b.rotate_right(3) ^ OTHER_SIDE);
        if joined.are_joined(a, b) {
            return Ok(true);
        }
        if self.lots.is_drawn() {
            joined.join(a, b);
        }
        Ok(false)
    }

    #[cold]
    #[inline(never)]
    fn lookup(&mut self, a: u64, b: u64, watch: &Watch) -> Result<Node, Stop> {
        self.look(watch)?;
        if self.steps <= FREE_STEPS {
            return Ok(self.at_landmark(a, b));
        }
        let seen = self.seen.get_or_insert_default();
        match seen.get(&key(a, b)) {
            Some(true) => return Ok(Node::Done),
            Some(false) => return Ok(Node::Open),
            None => {}
        }
        if !self.lots.is_drawn() || seen.try_reserve(1).is_err() {
            return Ok(Node::New);
        }
        seen.put_entry(key(a, b), false)?;
        Ok(Node::Sampled)
    }
}

/// Says that a node is one of the second term: a bit that no cell has, its tag moved to the front.
const OTHER_SIDE: u64 = 1 << 60;

/// Nodes that were joined, directly or by others: of each another one of its class, and of one of them
/// itself.
#[derive(Default)]
struct Classes(FastMap<u64, u64>);

impl Classes {
    /// The node that stands for the class of this one, if it was joined with any.
    fn find(&mut self, mut node: u64) -> Option<u64> {
        let mut next = *self.0.get(&node)?;
        while next != node {
            // Later searches go half the way.
            let after = self.0.get(&next).copied().unwrap_or(next);
            if let Some(known) = self.0.get_mut(&node) {
                *known = after;
            }
            (node, next) = (next, after);
        }
        Some(node)
    }

    fn are_joined(&mut self, a: u64, b: u64) -> bool {
        self.find(a).is_some_and(|a| self.find(b) == Some(a))
    }

    /// Joins the classes of two nodes, if there is memory for it.
    fn join(&mut self, a: u64, b: u64) {
        if self.0.try_reserve(2).is_ok() {
            let a = self.find(a).unwrap_or(a);
            let b = self.find(b).unwrap_or(b);
            self.0.put_within((a, b));
            self.0.put_within((b, b));
        }
    }
}

/// Which nodes are remembered.
struct Lots(u64);

impl Lots {
    /// Is it this one?
    fn is_drawn(&mut self) -> bool {
        self.0 = self
            .0
            .wrapping_mul(0x5851_f42d_4c95_7f2d)
            .wrapping_add(0x1405_7b7e_f767_814f);
        (self.0 >> 33).is_multiple_of(SAMPLE)
    }
}

/// What nodes were replaced by, of a random part of them: what is shared many times over is made a few
/// times only.
pub(super) struct Sampled {
    lots: Lots,
    made: FastMap<(u64, u64), Cell>,
}

impl Default for Sampled {
    fn default() -> Sampled {
        Sampled {
            lots: Lots(1),
            made: FastMap::default(),
        }
    }
}

impl Sampled {
    /// What the node was replaced by, if that is remembered.
    pub(super) fn find(&self, node: Cell) -> Option<Cell> {
        self.made.get(&key(deref(node).0, 0)).copied()
    }

    /// The node is replaced by this from now on, if it is one of those to be remembered.
    pub(super) fn may_keep(&mut self, node: Cell, by: Cell) {
        if self.lots.is_drawn() && self.made.try_reserve(1).is_ok() {
            self.made.put_within((key(deref(node).0, 0), by));
        }
    }
}

/// A node that the walk may come to again.
struct Landmark {
    node: (u64, u64),
    /// The number of steps at which it was set.
    steps: u64,
    done: bool,
}

impl Visited {
    /// Is the node a landmark? It becomes one if it is time for one.
    fn at_landmark(&mut self, a: u64, b: u64) -> Node {
        if self.end == 0 {
            self.free = 0;
            self.end = self.steps + LOOKING;
        }
        if let Some(landmark) = self.landmarks.iter().find(|mark| mark.node == (a, b)) {
            // What was put off before may lead here many times.
            self.end = self.end.max(self.steps + LOOKING);
            return if landmark.done {
                Node::Done
            } else {
                Node::Open
            };
        }
        if self.steps > self.end {
            self.landmarks.clear();
            self.end = 0;
            self.free = (self.steps * TIMES).min(FREE_STEPS);
            return Node::New;
        }
        let due = |last: &Landmark| last.steps + BETWEEN <= self.steps;
        if self.landmarks.len() == LANDMARKS || !self.landmarks.last().is_none_or(due) {
            return Node::New;
        }
        self.landmarks.put_bounded(Landmark {
            node: (a, b),
            steps: self.steps,
            done: false,
        });
        Node::Sampled
    }
}

/// The low bits of addresses are tags; the hash of the table wants varied ones.
fn key(a: u64, b: u64) -> (u64, u64) {
    (a.rotate_right(3), b.rotate_right(3))
}

/// A stack whose first frames lie in itself.
pub(super) struct Frames<T> {
    inline: [T; INLINE_FRAMES],
    len: usize,
    more: Vec<T>,
}

impl<T: Copy + Default> Frames<T> {
    /// An empty stack.
    #[inline(always)]
    pub(super) fn new() -> Frames<T> {
        Frames {
            inline: [T::default(); INLINE_FRAMES],
            len: 0,
            more: Vec::new(),
        }
    }

    /// Pushes a frame.
    #[inline(always)]
    pub(super) fn push(&mut self, frame: T) -> Result<(), Stop> {
        if self.len == INLINE_FRAMES {
            return self.more.put(frame);
        }
        self.inline[self.len] = frame;
        self.len += 1;
        Ok(())
    }

    /// Pushes a frame on a stack that is counted against the limit where it is large.
    ///
    /// # Errors
    /// There is no room.
    #[inline(always)]
    pub(super) fn push_counted(&mut self, frame: T, store: &Store) -> Result<(), Stop> {
        let frames = self.more.capacity();
        if self.more.len() == frames && (2 * frames * size_of::<T>()) as u64 > store.scratch_room()
        {
            return Err(Stop);
        }
        self.push(frame)
    }

    /// Pops the newest frame.
    #[inline(always)]
    pub(super) fn pop(&mut self) -> Option<T> {
        if self.len == INLINE_FRAMES
            && let Some(frame) = self.more.pop()
        {
            return Some(frame);
        }
        self.len = self.len.checked_sub(1)?;
        Some(self.inline[self.len])
    }
}

/// Address and number of the arguments of a compound.
#[inline(always)]
pub(super) fn arguments_of(compound: Cell) -> (HeapAddr, u64) {
    let addr = compound.addr();
    if compound.tag() == tag::LST {
        return (addr, 2);
    }
    (addr + WORD, raw::cell(addr).as_functor().arity() as u64)
}

/// The arguments that a walk has still to come to, from left to right.
pub(super) struct Ahead {
    at: HeapAddr,
    count: u64,
    frames: Frames<(HeapAddr, u64)>,
}

impl Ahead {
    /// None.
    #[inline(always)]
    pub(super) fn none() -> Ahead {
        Ahead {
            at: HeapAddr::NONE,
            count: 0,
            frames: Frames::new(),
        }
    }

    /// Goes through `count` cells at the address before the others.
    #[inline(always)]
    pub(super) fn enter(&mut self, (at, count): (HeapAddr, u64)) -> Result<(), Stop> {
        if self.count > 0 {
            self.frames.push((self.at, self.count))?;
        }
        (self.at, self.count) = (at, count);
        Ok(())
    }

    /// The next one, dereferenced.
    #[inline(always)]
    pub(super) fn next(&mut self) -> Option<Cell> {
        while self.count == 0 {
            (self.at, self.count) = self.frames.pop()?;
        }
        let cell = deref(raw::cell(self.at));
        self.at += WORD;
        self.count -= 1;
        Some(cell)
    }
}

/// What a walk does at a variable.
pub(super) enum Step {
    /// It goes on.
    Next,
    /// It goes through `count` cells at the address first.
    Into(HeapAddr, u64),
    /// It ends.
    Stop,
}

/// Walks through `term`, depth first and from left to right, and calls `at_variable` at each
/// variable. Terms outside of the heap are ground. False if it was stopped.
#[inline(always)]
pub(super) fn walk_variables(
    term: Cell,
    store: &Store,
    mut at_variable: impl FnMut(Cell) -> Result<Step, Stop>,
) -> Result<bool, Stop> {
    let mut visited = Visited::new();
    let mut ahead = Ahead::none();
    let mut cell = deref(term);
    loop {
        if cell.is_compound() {
            let inner = arguments_of(cell);
            if store.on_heap(cell.addr())
                && !visited.again(cell.0, 0, inner.1, &store.events.watch)?
            {
                ahead.enter(inner)?;
            }
        } else if cell.is_var() {
            match at_variable(cell)? {
                Step::Next => {}
                Step::Into(addr, cells) => ahead.enter((addr, cells))?,
                Step::Stop => return Ok(false),
            }
        }
        cell = match ahead.next() {
            Some(next) => next,
            None => return Ok(true),
        };
    }
}
