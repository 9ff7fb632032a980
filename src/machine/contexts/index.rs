//! Indexes of assumptions by the terms at some places of the arguments. For each key, an index has a chain of the
//! records with that key, newest first. An index is built after calls have looked at many records in vain, as for
//! clauses (`program::indexes::hashed`). It uses the places that the last of these calls binds.
//!
//! Chains lie outside the heap and are not trailed. Each index has a log of its changes. Before an index is read or
//! changed, [`Index::heed`] undoes what backtracking has undone since, latest first. A record that is newer than the
//! present newest record was never assumed. A record that is in its other chains was never used. The number of
//! records put back by a `&` shows which of those changes to undo.
//!
//! So every older state comes back exactly (Knuth's dancing links). An index built within a loop of choices serves
//! all rounds of the loop.
#![forbid(unsafe_code)]

use super::assumption::{int_at, is_linked, rec};
use crate::base::atom_table::FastMap;
use crate::base::growth::{Grow, GrowTable, Within, with_room};
use crate::base::stop::Stop;
use crate::ir::key::Key;
use crate::program::indexes::places::Path;
use crate::store::address::HeapAddr;
use crate::store::cell::Cell;

/// The mark for a missing node.
pub(in crate::machine) const NO_NODE: u32 = 0;
/// The key of records without a key, whose term at a place may be any term.
pub(in crate::machine) const OPEN: u64 = Key::ANY.word();

/// The places by which an index distinguishes records.
#[derive(Clone, PartialEq, Eq)]
pub(in crate::machine) enum Places {
    /// The functor of this argument.
    Functor(usize),
    /// The whole terms at these places.
    Whole(Vec<Path>),
}

/// A record in the chain of a key. The node exists as long as the record can come back.
struct Node {
    record: Cell,
    key: u64,
    /// The number of the record in order of age.
    seq: i64,
    /// The neighbours in the chain. A removed node keeps both; in a free node `older` is the next free one.
    older: u32,
    newer: u32,
    /// The node of the same record in the next of the indexes.
    more: u32,
    /// Whether the node is in its chain.
    linked: bool,
    /// Whether the record of the node is gone for good.
    dead: bool,
}

/// A change of an index: an event and its node.
#[derive(Copy, Clone)]
struct Change(u64);

#[derive(Copy, Clone, PartialEq, Eq)]
enum Happened {
    Assumed,
    Used,
    /// Put back for the second half of a `&`. The neighbours that the node had kept are in [`Index::kept`].
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

    /// Returns the number of records that had been put back before this change.
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

/// The present state of an engine on its branch.
#[derive(Copy, Clone)]
pub(in crate::machine) struct Present {
    /// The number of the newest record.
    pub(in crate::machine) seq: i64,
    /// The number of records that were put back.
    pub(in crate::machine) back: i64,
}

/// The chain of a key.
#[derive(Copy, Clone, Default)]
struct Chain {
    newest: u32,
    /// Number of nodes with the key, whether they are in the chain or not.
    nodes: u32,
}

/// An index of a predicate.
pub(in crate::machine) struct Index {
    pub(in crate::machine) places: Places,
    chains: FastMap<u64, Chain>,
    open: Chain,
    log: Vec<Change>,
    /// The neighbours that nodes had kept when they were put back, in the order of the log.
    kept: Vec<(u32, u32)>,
    /// Number of records that are gone for good but still in the log.
    void: usize,
    nodes: Vec<Node>,
    free: u32,
}

/// Makes room for one more item. A large list grows by a quarter.
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
        // Number 0 means no node.
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

    /// Returns the bytes that the index uses.
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

    /// Returns the newest record with this key and the newest without any key, and the approximate number of both.
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

    /// Returns the node of the same record in the next index.
    pub(in crate::machine) fn more(&self, node: u32) -> u32 {
        self.node(node).more
    }

    // ---- chains -------------------------------------------------------------------------------

    fn chain(&mut self, key: u64) -> &mut Chain {
        match key {
            OPEN => &mut self.open,
            // A key is removed with its last node.
            key => self.chains.entry(key).or_default(),
        }
    }

    /// Removes a node from its chain.
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

    /// Puts a node back between the neighbours that it has kept.
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

    /// Returns the neighbours between which a node belongs by its age. If its former neighbours are neighbours now,
    /// it returns these. They are if records are put back in reverse order of removal.
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

    /// Puts a node back by its age. The neighbours that it has kept may be gone for good.
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

    /// Adds the newest record of all and returns its node. The caller has made room.
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

    /// Makes room for the changes that [`Index::used`] and [`Index::put_back`] log.
    pub(in crate::machine) fn room_to_use(&mut self) -> Result<(), Stop> {
        room(&mut self.kept)?;
        room(&mut self.log)
    }

    /// Removes a record. The log has room for the change. The record may come back only if `stays`.
    pub(in crate::machine) fn used(&mut self, number: u32, stays: bool, back: i64) {
        self.unlink(number);
        if stays {
            self.log
                .put_within(Change::new(number, Happened::Used, back));
            return;
        }
        // The change that added the record no longer matters: when it is undone, the node is freed.
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

    /// Puts a used record back by its age. The log has room for the change.
    pub(in crate::machine) fn put_back(&mut self, number: u32, back: i64) {
        let &Node { older, newer, .. } = self.node(number);
        self.log
            .put_within(Change::new(number, Happened::Back, back));
        self.kept.put_within((older, newer));
        self.link_aged(number);
    }

    /// Undoes the changes that backtracking has undone. A record may have been used and put back several times. If
    /// backtracking has undone that a record was put back, all later changes are undone too.
    #[inline(always)]
    pub(in crate::machine) fn catch_up(&mut self, present: Present) {
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

    /// Removes the changes of records that are gone for good, and their nodes.
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

    // ---- garbage collection -------------------------------------------------------------------

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

// ---- building an index of existing records --------------------------------------------------

/// A record that was removed or put back between two choice points.
#[derive(Copy, Clone)]
pub(in crate::machine) struct Past {
    pub(in crate::machine) record: Cell,
    /// Whether the record was put back, not removed.
    pub(in crate::machine) linked: bool,
    /// The state at the end of that time.
    pub(in crate::machine) end: Present,
}

impl Index {
    /// Fills a new index. `known` holds all records that exist or may come back, oldest first. `past` holds their
    /// changes, oldest first. `facts` returns the key of a record and its node in the previous index. The nodes are
    /// numbered from 1 in the order of the records.
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
