//! Indexes of assumptions: by what stands at some places of the arguments, for each key a chain of the
//! records that have it, newest first. An index is made when calls have looked at many records in vain
//! (as those of clauses, see `program::indexes::hashed`), on the places that the last of them binds.
//!
//! Chains lie outside of the heap and are not on the trail. Each index has a log of what has changed it.
//! Before an index is looked at or changed, [`Index::heed`] takes back what backtracking has undone since,
//! latest first: a record that is newer than the newest one now was never assumed, one that is in its other
//! chains was never used; how many records a `&` has put back tells of those. So all older states are there again, exactly (Knuth's dancing
//! links), and an index that is made within a loop of choices is good for all of its rounds.
#![forbid(unsafe_code)]

use super::assumption::{int_at, is_linked, rec};
use crate::base::atom_table::FastMap;
use crate::base::growth::{Grow, GrowTable, Within, with_room};
use crate::base::stop::Stop;
use crate::ir::key::Key;
use crate::program::indexes::places::Path;
use crate::store::address::HeapAddr;
use crate::store::cell::Cell;

/// No node.
pub(in crate::machine) const NO_NODE: u32 = 0;
/// The key of records that have none: what stands at a place may be anything.
pub(in crate::machine) const OPEN: u64 = Key::ANY.word();

/// What an index tells records apart by.
#[derive(Clone, PartialEq, Eq)]
pub(in crate::machine) enum Places {
    /// The functor of this argument.
    Functor(usize),
    /// The whole terms at these places.
    Whole(Vec<Path>),
}

/// A record in the chain of a key. It lasts while the record can come back.
struct Node {
    record: Cell,
    key: u64,
    /// The number of the record in order of age.
    seq: i64,
    /// The neighbours in the chain. What is taken out keeps both; among what is free `older` is the next.
    older: u32,
    newer: u32,
    /// The node of the same record in the next of the indexes.
    more: u32,
    /// Is it in its chain?
    linked: bool,
    /// Is its record gone for good?
    dead: bool,
}

/// A change of an index: what has happened to which node.
#[derive(Copy, Clone)]
struct Change(u64);

#[derive(Copy, Clone, PartialEq, Eq)]
enum Happened {
    Assumed,
    Used,
    /// Put back in a second half of `&`. The neighbours that it had kept are in [`Index::kept`].
    Back,
}

impl Change {
    fn new(node: u32, happened: Happened, back: i64) -> Change {
        let back = (back as u64).min(BACK_MASK);
        Change(u64::from(node) << 32 | back << 2 | happened as u64)
    }

    fn node(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// How many records had been put back then.
    fn back(self) -> i64 {
        (self.0 >> 2 & BACK_MASK) as i64
    }

    fn happened(self) -> Happened {
        match self.0 & 3 {
            0 => Happened::Assumed,
            1 => Happened::Used,
            _ => Happened::Back,
        }
    }
}

/// Bits for the number of records that were put back.
const BACK_MASK: u64 = (1 << 30) - 1;

/// Where an engine stands now, on the branch that it is on.
#[derive(Copy, Clone)]
pub(in crate::machine) struct Present {
    /// The number of the newest record.
    pub(in crate::machine) seq: i64,
    /// How many records were put back.
    pub(in crate::machine) back: i64,
}

/// The chain of a key.
#[derive(Copy, Clone, Default)]
struct Chain {
    newest: u32,
    /// Nodes that have the key, whether they are in the chain or not.
    nodes: u32,
}

/// An index of a predicate.
pub(in crate::machine) struct Index {
    pub(in crate::machine) places: Places,
    chains: FastMap<u64, Chain>,
    open: Chain,
    log: Vec<Change>,
    /// The neighbours that nodes had kept which were put back, in the order of the log.
    kept: Vec<(u32, u32)>,
    /// Records that are gone for good, of which the log still tells.
    void: usize,
    nodes: Vec<Node>,
    free: u32,
}

/// Makes room for one more item: a quarter at a time once there are many.
fn room<T>(items: &mut Vec<T>) -> Result<(), Stop> {
    const MANY: usize = 1 << 10;
    if items.len() == items.capacity() {
        match items.len() {
            0..MANY => crate::base::growth::room_for_one(items)?,
            many => items.try_reserve_exact(many / 4)?,
        }
    }
    Ok(())
}

impl Index {
    pub(in crate::machine) fn new(places: Places) -> Result<Index, Stop> {
        let mut nodes = with_room(1)?;
        // Number 0 stands for none.
        nodes.put(Node {
            record: Cell::int(0),
            key: OPEN,
            seq: 0,
            older: NO_NODE,
            newer: NO_NODE,
            more: NO_NODE,
            linked: false,
            dead: true,
        })?;
        Ok(Index {
            places,
            chains: FastMap::default(),
            open: Chain::default(),
            log: Vec::new(),
            kept: Vec::new(),
            void: 0,
            nodes,
            free: NO_NODE,
        })
    }

    /// Bytes that it takes.
    pub(in crate::machine) fn bytes(&self) -> u64 {
        let chains = self.chains.capacity() * 8 / 7 * (size_of::<(u64, Chain)>() + 1);
        let nodes = self.nodes.capacity() * size_of::<Node>();
        let kept = self.kept.capacity() * size_of::<(u32, u32)>();
        (chains + nodes + kept + self.log.capacity() * size_of::<Change>()) as u64
    }

    // ---- looking up ---------------------------------------------------------------------------

    #[inline(always)]
    fn node(&self, number: u32) -> &Node {
        &self.nodes[number as usize]
    }

    fn node_mut(&mut self, number: u32) -> &mut Node {
        &mut self.nodes[number as usize]
    }

    /// The newest records that have a key, and that have none; and about how many there are.
    #[inline(always)]
    pub(in crate::machine) fn newest(&self, key: u64) -> (u32, u32, u32) {
        let chain = self.chains.get(&key).copied().unwrap_or_default();
        (
            chain.newest,
            self.open.newest,
            chain.nodes.saturating_add(self.open.nodes),
        )
    }

    #[inline(always)]
    pub(in crate::machine) fn record(&self, node: u32) -> Cell {
        self.node(node).record
    }

    #[inline(always)]
    pub(in crate::machine) fn older(&self, node: u32) -> u32 {
        self.node(node).older
    }

    #[inline(always)]
    pub(in crate::machine) fn seq(&self, node: u32) -> i64 {
        self.node(node).seq
    }

    /// The node of the same record in the next index.
    pub(in crate::machine) fn more(&self, node: u32) -> u32 {
        self.node(node).more
    }

    // ---- chains -------------------------------------------------------------------------------

    fn chain(&mut self, key: u64) -> &mut Chain {
        match key {
            OPEN => &mut self.open,
            // A key lasts as long as its nodes.
            key => self.chains.entry(key).or_default(),
        }
    }

    /// Takes a node out of its chain.
    fn unlink(&mut self, number: u32) {
        let &Node {
            key, older, newer, ..
        } = self.node(number);
        self.node_mut(number).linked = false;
        match newer {
            NO_NODE => self.chain(key).newest = older,
            newer => self.node_mut(newer).older = older,
        }
        if older != NO_NODE {
            self.node_mut(older).newer = newer;
        }
    }

    /// Puts a node between the neighbours that it knows of.
    fn relink(&mut self, number: u32) {
        let &Node {
            key, older, newer, ..
        } = self.node(number);
        self.node_mut(number).linked = true;
        match newer {
            NO_NODE => self.chain(key).newest = number,
            newer => self.node_mut(newer).older = number,
        }
        if older != NO_NODE {
            self.node_mut(older).newer = number;
        }
    }

    /// Between which nodes of its chain a node belongs by its age: where it was, if they are neighbours
    /// now, as they are where records are put back the last taken out first.
    fn place_of_age(&mut self, number: u32) -> (u32, u32) {
        let &Node {
            key,
            seq,
            older,
            newer,
            ..
        } = self.node(number);
        let newest = self.chain(key).newest;
        let is_older = older == NO_NODE || {
            let node = self.node(older);
            node.linked && node.key == key && node.seq < seq
        };
        let is_newer = match newer {
            NO_NODE => newest == older,
            newer => {
                let node = self.node(newer);
                node.linked && node.key == key && node.older == older && node.seq > seq
            }
        };
        if is_older && is_newer {
            return (older, newer);
        }
        let (mut older, mut newer) = (newest, NO_NODE);
        while older != NO_NODE && self.node(older).seq > seq {
            newer = older;
            older = self.node(older).older;
        }
        (older, newer)
    }

    /// Puts a node back at the place of its age. The neighbours that it knows of may be gone for good.
    fn link_aged(&mut self, number: u32) {
        let (older, newer) = self.place_of_age(number);
        let node = self.node_mut(number);
        (node.older, node.newer) = (older, newer);
        self.relink(number);
    }

    fn release(&mut self, number: u32) {
        let key = self.node(number).key;
        let free = self.free;
        let node = self.node_mut(number);
        (node.dead, node.older) = (true, free);
        self.free = number;
        let chain = self.chain(key);
        chain.nodes -= 1;
        if chain.nodes == 0 && key != OPEN {
            self.chains.remove(&key);
        }
    }

    // ---- changes ------------------------------------------------------------------------------

    /// Makes room for one more record.
    pub(in crate::machine) fn room_to_assume(&mut self) -> Result<(), Stop> {
        room(&mut self.log)?;
        if self.free == NO_NODE {
            room(&mut self.nodes)?;
        }
        self.chains.make_room()
    }

    /// Adds the newest record of all, for which there is room. Gives its node.
    pub(in crate::machine) fn assume(&mut self, record: Cell, key: u64, more: u32) -> u32 {
        let node = Node {
            record,
            key,
            seq: int_at(record.addr() + rec::SEQ),
            older: self.chain(key).newest,
            newer: NO_NODE,
            more,
            linked: true,
            dead: false,
        };
        let number = match self.free {
            NO_NODE => {
                self.nodes.put_within(node);
                (self.nodes.len() - 1) as u32
            }
            number => {
                self.free = self.node(number).older;
                *self.node_mut(number) = node;
                number
            }
        };
        self.chain(key).nodes += 1;
        self.relink(number);
        self.log
            .put_within(Change::new(number, Happened::Assumed, 0));
        number
    }

    /// Makes room for what [`Index::used`] and [`Index::put_back`] note.
    pub(in crate::machine) fn room_to_use(&mut self) -> Result<(), Stop> {
        room(&mut self.kept)?;
        room(&mut self.log)
    }

    /// Takes a record out, for which there is room in the log. It may come back only if `stays`.
    pub(in crate::machine) fn used(&mut self, number: u32, stays: bool, back: i64) {
        self.unlink(number);
        if stays {
            self.log
                .put_within(Change::new(number, Happened::Used, back));
            return;
        }
        // The change by which it came tells of nothing any more: the node is free as that goes.
        self.node_mut(number).dead = true;
        self.void += 1;
        while let Some(&last) = self.log.last()
            && self.node(last.node()).dead
        {
            self.undo(last);
        }
        const FEW: usize = 64;
        if self.void > FEW && self.void > self.log.len() / 2 {
            self.tidy();
        }
    }

    /// Puts a record back that was used, at the place of its age, for which there is room in the log.
    pub(in crate::machine) fn put_back(&mut self, number: u32, back: i64) {
        let &Node { older, newer, .. } = self.node(number);
        self.log
            .put_within(Change::new(number, Happened::Back, back));
        self.kept.put_within((older, newer));
        self.link_aged(number);
    }

    /// Takes back what backtracking has undone. A record may have been used and put back several times: what
    /// came after a record was put back that is not so now is undone with that.
    #[inline(always)]
    pub(in crate::machine) fn heed(&mut self, present: Present) {
        while let Some(&change) = self.log.last() {
            let node = self.node(change.node());
            let undone = node.seq > present.seq
                || change.back() > present.back
                || change.happened() == Happened::Used && !node.dead && is_linked(node.record);
            if !undone {
                return;
            }
            self.undo(change);
        }
    }

    #[inline(never)]
    fn undo(&mut self, change: Change) {
        self.log.pop();
        let number = change.node();
        let dead = self.node(number).dead;
        match change.happened() {
            Happened::Assumed => {
                if dead {
                    self.void = self.void.saturating_sub(1);
                } else {
                    self.unlink(number);
                }
                self.release(number);
            }
            Happened::Used if dead => {}
            Happened::Used => self.link_aged(number),
            Happened::Back => {
                let kept = self.kept.pop();
                if let (false, Some((older, newer))) = (dead, kept) {
                    self.unlink(number);
                    let node = self.node_mut(number);
                    (node.older, node.newer) = (older, newer);
                }
            }
        }
    }

    /// Drops the changes of records that are gone for good, and their nodes.
    fn tidy(&mut self) {
        let mut log = std::mem::take(&mut self.log);
        let mut kept = std::mem::take(&mut self.kept);
        let (mut from, mut to) = (0, 0);
        log.retain(|&change| {
            let gone = self.node(change.node()).dead;
            match change.happened() {
                Happened::Assumed if gone => self.release(change.node()),
                Happened::Back => {
                    kept[to] = kept[from];
                    from += 1;
                    to += usize::from(!gone);
                }
                _ => {}
            }
            !gone
        });
        self.log = log;
        kept.truncate(to);
        self.kept = kept;
        self.void = 0;
    }

    // ---- collections of garbage ----------------------------------------------------------------

    /// Forgets the records that are not alive.
    pub(in crate::machine) fn forget_dead(&mut self, is_alive: impl Fn(HeapAddr) -> bool) {
        for node in &mut self.nodes {
            if !node.dead && !node.linked && !is_alive(node.record.addr()) {
                node.dead = true;
            }
        }
        self.tidy();
    }

    /// Moves the records.
    pub(in crate::machine) fn forward(&mut self, forward: impl Fn(Cell) -> Cell) {
        for node in &mut self.nodes {
            if !node.dead {
                node.record = forward(node.record);
            }
        }
    }
}

// ---- making one of a state that is there already ------------------------------------------------

/// A record that was taken out or put back between two choice points.
#[derive(Copy, Clone)]
pub(in crate::machine) struct Past {
    pub(in crate::machine) record: Cell,
    /// Was it put back, or taken out?
    pub(in crate::machine) linked: bool,
    /// The end of that time.
    pub(in crate::machine) end: Present,
}

impl Index {
    /// Fills a new index. `known` holds all records that are there or may come back, the oldest first; `past` is
    /// what has happened to them, the oldest first; `facts` gives the key of a record and its node in the index
    /// before. The nodes are numbered from 1 on in the order of the records.
    pub(in crate::machine) fn fill(
        &mut self,
        known: &[Cell],
        past: &[Past],
        facts: impl Fn(Cell) -> (u64, u32),
    ) -> Result<(), Stop> {
        let seq_of = |record: Cell| int_at(record.addr() + rec::SEQ);
        self.nodes.try_reserve_exact(known.len())?;
        self.log.try_reserve_exact(known.len() + past.len())?;
        let mut done = 0;
        let mut assume_to = |index: &mut Index, seq: i64| {
            while let Some(&record) = known.get(done)
                && seq_of(record) <= seq
            {
                let (key, more) = facts(record);
                index.room_to_assume()?;
                index.assume(record, key, more);
                done += 1;
            }
            Ok::<(), Stop>(())
        };
        for &Past {
            record,
            linked,
            end,
        } in past
        {
            assume_to(self, end.seq)?;
            let node = 1 + known.partition_point(|&known| seq_of(known) < seq_of(record)) as u32;
            self.room_to_use()?;
            match (self.node(node).linked, linked) {
                (false, true) => self.put_back(node, end.back),
                (true, false) => self.used(node, true, end.back),
                _ => {}
            }
        }
        assume_to(self, i64::MAX)
    }
}
