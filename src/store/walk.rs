//! Parts of the walks over terms: a stack that needs no allocation for small terms, and a sampled set of visited
//! nodes, which keeps the walks finite.
//!
//! A walk of ordinary length costs one addition per step. A longer walk checks from time to time whether it returns
//! to a few nodes that it has just visited, the landmarks. So it ends soon on small cyclic terms. After many steps
//! the term may be a large cyclic one, or a small graph that unfolds into a huge tree. From then on the walk
//! remembers a random part of the nodes, and does not enter a remembered node again. A node is entered about
//! [`SAMPLE`] times before it is remembered. So a walk stays linear in the size of the graph, with a fraction of the
//! memory that a set of all nodes would take. Each of these checks also tests whether the walk must stop. If so, it
//! ends with [`Stop`], and dropping it removes its marks.
#![forbid(unsafe_code)]

use super::address::HeapAddr;
use super::cell::{Cell, WORD, tag};
use super::heap::{Store, deref};
use super::raw;
use crate::base::atom_table::FastMap;
use crate::base::growth::{Bounded, Grow, GrowMap, Within};
use crate::base::stop::Stop;
use crate::base::watch::Watch;

/// Steps that are taken before the first landmarks. A node counts one step for each of its arguments.
const FIRST_STEPS: u64 = 1 << 11;
/// Factor by which the number of steps grows before the next landmarks.
const TIMES: u64 = 16;
/// Steps between landmarks.
const BETWEEN: u64 = 16;
/// Landmarks that are set in a row.
const LANDMARKS: usize = 8;
/// Steps during which the walk checks for landmarks, if it finds none.
const LOOKING: u64 = 512;
/// Steps after which nodes are remembered for good.
const FREE_STEPS: u64 = 1 << 19;
/// One of this number of steps is remembered.
const SAMPLE: u64 = 32;
/// Frames of a walk that need no allocation.
const INLINE_FRAMES: usize = 12;

/// The state of a node that a walk reaches.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Node {
    /// Nothing is known of the node.
    New,
    /// Nothing was known so far; from now on the node is remembered as open.
    Sampled,
    /// The node was entered, and [`Visited::leave`] was not called since.
    Open,
    /// The node was entered and left.
    Done,
}

/// The steps of one walk: nodes, or pairs of nodes walked together.
pub(super) struct Visited {
    steps: u64,
    /// The number of steps after which each node needs a check.
    free: u64,
    /// The number of steps at which checking for landmarks ends, while it is active.
    end: u64,
    landmarks: Vec<Landmark>,
    /// The number of steps at the last check whether the walk must stop.
    looked: u64,
    lots: Lots,
    /// The remembered nodes; true: done.
    seen: Option<Box<FastMap<(u64, u64), bool>>>,
    /// The remembered pairs.
    joined: Option<Box<Classes>>,
}

impl Visited {
    /// Returns the state in which nothing is visited yet.
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

    /// Counts the visit of node `a` (under circumstances `b`) with this number of arguments. Returns true if the
    /// node is known to be visited.
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

    /// Counts the visit of node `a` of one term together with node `b` of another. The two must be equal in some
    /// sense. Returns true if it is known that they need no visit: they were visited together, or each was visited
    /// with other nodes that connect them. So the steps for cyclic terms of different periods are the sum of the
    /// periods, not the product. See Hopcroft and Karp, "A linear algorithm for testing equivalence of finite
    /// automata", 1971.
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

    /// Counts the visit of node `a` with this number of arguments.
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

    /// Checks whether the walk must stop.
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
        // The two sides have separate nodes. If variables are compared up to their names, a subterm that both terms
        // share has a different meaning on each side.
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

/// Mark of a node of the second term: a bit that no cell has after its tag has moved to the front.
const OTHER_SIDE: u64 = 1 << 60;

/// Nodes that were joined, directly or through others. Each has another node of its class, and one node of the class
/// has itself.
#[derive(Default)]
struct Classes(FastMap<u64, u64>);

impl Classes {
    /// Returns the representative of the class of this node, if the node was joined with any.
    fn find(&mut self, mut node: u64) -> Option<u64> {
        let mut next = *self.0.get(&node)?;
        while next != node {
            // Path halving: later searches are half as long.
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

/// A random generator that decides which nodes are remembered.
struct Lots(u64);

impl Lots {
    /// Returns whether the present node is remembered.
    fn is_drawn(&mut self) -> bool {
        self.0 = self
            .0
            .wrapping_mul(0x5851_f42d_4c95_7f2d)
            .wrapping_add(0x1405_7b7e_f767_814f);
        (self.0 >> 33).is_multiple_of(SAMPLE)
    }
}

/// The replacements of a random part of the nodes: the replacement of a part that is shared many times is made a few
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
    /// Returns the replacement of the node, if it is remembered.
    pub(super) fn find(&self, node: Cell) -> Option<Cell> {
        self.made.get(&key(deref(node).0, 0)).copied()
    }

    /// Notes the replacement of the node, if the node is one of those to be remembered.
    pub(super) fn may_keep(&mut self, node: Cell, by: Cell) {
        if self.lots.is_drawn() && self.made.try_reserve(1).is_ok() {
            self.made.put_within((key(deref(node).0, 0), by));
        }
    }
}

/// A node that the walk may reach again.
struct Landmark {
    node: (u64, u64),
    /// The number of steps at which the landmark was set.
    steps: u64,
    done: bool,
}

impl Visited {
    /// Returns the state of the node if it is a landmark. The node becomes one if it is time for a new one.
    fn at_landmark(&mut self, a: u64, b: u64) -> Node {
        if self.end == 0 {
            self.free = 0;
            self.end = self.steps + LOOKING;
        }
        if let Some(landmark) = self.landmarks.iter().find(|mark| mark.node == (a, b)) {
            // Pending parts of the walk may lead here many times.
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

/// Returns a key for the table. The low bits of addresses are tags, but the hash of the table needs varied low bits.
fn key(a: u64, b: u64) -> (u64, u64) {
    (a.rotate_right(3), b.rotate_right(3))
}

/// A stack whose first frames need no allocation.
pub(super) struct Frames<T> {
    inline: [T; INLINE_FRAMES],
    len: usize,
    more: Vec<T>,
}

impl<T: Copy + Default> Frames<T> {
    /// Returns an empty stack.
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

    /// Pushes a frame on a stack that counts against the limit if it is large.
    ///
    /// # Errors
    /// Returns an error if there is no room.
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

/// Returns address and number of the arguments of a compound.
#[inline(always)]
pub(super) fn arguments_of(compound: Cell) -> (HeapAddr, u64) {
    let addr = compound.addr();
    if compound.tag() == tag::LST {
        return (addr, 2);
    }
    (addr + WORD, raw::cell(addr).as_functor().arity() as u64)
}

/// The arguments that a walk still has to visit, from left to right.
pub(super) struct Ahead {
    at: HeapAddr,
    count: u64,
    frames: Frames<(HeapAddr, u64)>,
}

impl Ahead {
    /// Returns the state without arguments.
    #[inline(always)]
    pub(super) fn none() -> Ahead {
        Ahead {
            at: HeapAddr::NONE,
            count: 0,
            frames: Frames::new(),
        }
    }

    /// Makes the walk go through `count` cells at the address before the others.
    #[inline(always)]
    pub(super) fn enter(&mut self, (at, count): (HeapAddr, u64)) -> Result<(), Stop> {
        if self.count > 0 {
            self.frames.push((self.at, self.count))?;
        }
        (self.at, self.count) = (at, count);
        Ok(())
    }

    /// Returns the next argument, dereferenced.
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

/// The action of a walk after a variable.
pub(super) enum Step {
    /// Go on.
    Next,
    /// Go through `count` cells at the address first.
    Into(HeapAddr, u64),
    /// End the walk.
    Stop,
}

/// Walks through `term`, depth first and from left to right, and calls `at_variable` at each variable. Terms outside
/// of the heap are ground. Returns false if a [`Step::Stop`] ended the walk.
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
