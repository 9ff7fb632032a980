//! The linear and intuitionistic contexts: the assumptions that goals may use.
//!
//! Each assumption is a record on the heap. The records of one predicate form a chain, newest first, with linear and
//! intuitionistic records ordered by age. All records together form another chain.
//! [`index`](crate::machine::contexts::index) holds the indexes of a predicate. A consumed record is removed from its
//! chains and never visited again. On backtracking, the trail puts it back exactly, because it undoes changes in
//! reverse order (Knuth's dancing links).
//!
//! A range of levels determines which linear records a goal may use (Hodas, Watkins, Tamura and Kang, "Efficient
//! implementation of a linear logic programming language", 1998). A record carries the level at which it became
//! available. `{G}` and the second half of `A & B` raise the level, and so hide lower levels without changing their
//! records. `erase` sets a watermark: older records may be left.
//!
//! Every word here that changes is trailed and is a cell. So backtracking and garbage collection treat it as a part
//! of the heap. A predicate that is never assumed is not affected.
#![forbid(unsafe_code)]

use super::assumption::NONE;
use super::index::Index;
use crate::base::atom_table::{Atom, FastMap, atoms};
use crate::base::growth::{Grow, GrowMap, GrowTable, room_for_one, with_room};
use crate::base::stop::Stop;
use crate::code::instruction::{Op, encode, encode_wide};
use crate::program::predicate::PredId;
use crate::program::predicates::Predicates;
use crate::store::address::{Addr, CodeAddr, HeapAddr};
use crate::store::cell::{Cell, WORD};
use crate::store::stored::Stored;
use std::sync::Arc;

/// Words of the contexts as a whole, by index. The word after each is its last place on the trail: see
/// [`Machine::set_root`].
pub(in crate::machine) mod word {
    /// The lowest and the highest level of linear records that may be used.
    pub(in crate::machine) const LEVELS: usize = 0;
    /// The mark of records consumed now.
    pub(in crate::machine) const USED: usize = 2;
    /// Records up to this number need not be used.
    pub(in crate::machine) const WATERMARK: usize = 4;
    /// The number of the newest record.
    pub(in crate::machine) const SEQ: usize = 6;
    /// The records consumed in the first half of a `&`, newest first.
    pub(in crate::machine) const LOG: usize = 8;
    /// The recorded events, newest first, while events are recorded.
    pub(in crate::machine) const RECORD: usize = 10;
    /// The number of the goal that is being proved, while events are recorded.
    pub(in crate::machine) const STEP: usize = 12;
    /// The records that scopes have left, newest first, if they may be left; otherwise no list.
    pub(in crate::machine) const LEFT: usize = 14;
    /// The depth of the present goal, while depth is counted.
    pub(in crate::machine) const DEPTH: usize = 16;
    /// The newest record, as the head of a chain. The next word is the place of its old value on the trail. The third
    /// word is the place on the trail for the link of an older record, which changes as newer records come and go.
    pub(in crate::machine) const NEWEST: usize = 18;
    /// The slot whose predicate became the program's own last, plus 1: see
    /// [`crate::machine::contexts::slots::slot::OWN`].
    pub(in crate::machine) const OWN: usize = 21;
    /// The innermost goal that is traced.
    pub(in crate::machine) const TRACE: usize = 23;
    /// The variables that the tracer has named, newest first.
    pub(in crate::machine) const NAMES: usize = 25;
    /// The innermost called goal, while goals are noted.
    pub(in crate::machine) const CALLED: usize = 27;
    /// The number of records that a `&` has put back.
    pub(in crate::machine) const BACK: usize = 29;
    pub(in crate::machine) const COUNT: usize = 31;
}

/// Words of a slot, by index. The first two are instructions: the entry of the predicate. `NEWEST` is the head of a
/// chain. `DIRECT`, `OWN` and `OWN_BEFORE` are each followed by their place on the trail.
pub(in crate::machine) mod slot {
    pub(in crate::machine) const ENTRY: usize = 0;
    pub(in crate::machine) const RETRY: usize = 1;
    /// The address for calls that use no assumption.
    pub(in crate::machine) const STATIC: usize = 2;
    /// 1 if that address leads to clauses of the predicate, else 0.
    pub(in crate::machine) const CLAUSES: usize = 3;
    /// The newest record of the predicate.
    pub(in crate::machine) const NEWEST: usize = 4;
    /// The number of the predicate of the assumed clause, plus 1, if calls can jump directly to it. This needs a
    /// compiled clause that is the only record of its predicate, is not linear and captures nothing.
    pub(in crate::machine) const DIRECT: usize = 7;
    /// For an undefined predicate: the number of the record since which it is the program's own, until the end of the
    /// scope of that record. Then the previous value of [`crate::machine::contexts::slots::word::OWN`].
    pub(in crate::machine) const OWN: usize = 9;
    pub(in crate::machine) const OWN_BEFORE: usize = 11;
    /// An instruction that fails, for calls of a predicate that is known to have no definition.
    pub(in crate::machine) const FAIL: usize = 13;
    /// An instruction for calls of a predicate that has no definition and no assumptions.
    pub(in crate::machine) const UNKNOWN: usize = 14;
    pub(in crate::machine) const COUNT: usize = 15;
}

/// The mark of a record that hides the definition of a library.
pub(in crate::machine) const HIDES: i64 = i64::MIN >> 8;
/// Number of records that calls look at in vain before an index is considered.
const PATIENCE: usize = 64;
/// Bits of a level.
const LEVEL_BITS: u32 = 30;
/// The greatest level.
pub(in crate::machine) const MAX_LEVEL: i64 = (1 << LEVEL_BITS) - 1;

/// A predicate that may be assumed.
pub(in crate::machine) struct Slot {
    pub(in crate::machine) predicate: PredId,
    pub(in crate::machine) arity: usize,
    /// Whether it unifies with occurs check and the scopes of eigenvariables.
    pub(in crate::machine) scoped: bool,
    /// Whether a message has said why its counts are not remembered.
    pub(in crate::machine) reported: bool,
    /// Whether goals may assume it, as checked since the host last reserved names.
    pub(in crate::machine) free: bool,
    words: Box<[u64; slot::COUNT]>,
    /// The indexes, newest last, and the number of records looked at in vain since an index was last considered.
    pub(in crate::machine) indexes: Vec<Index>,
    pub(in crate::machine) walked: usize,
    /// The number of such records at which an index is considered.
    pub(in crate::machine) patience: usize,
}

/// Bytes of a slot, including the lookup of the slot by its predicate.
pub(in crate::machine) const SLOT_BYTES: usize =
    2 * size_of::<Slot>() + size_of::<[u64; slot::COUNT]>() + 16 + 64;

/// The levels of linear records that may be used, which a scope restores at its end.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Levels {
    pub(in crate::machine) lowest: i64,
    pub(in crate::machine) highest: i64,
}

/// A linear formula that a file declares: every query begins with it.
#[derive(Clone)]
pub(crate) struct Declared {
    /// The file, 0 for none.
    pub(crate) file: u32,
    /// The line in it, 0 for none.
    pub(crate) line: u32,
    /// The module of the declaration.
    pub(crate) module: Atom,
    /// The formula.
    pub(crate) formula: Arc<Stored>,
    /// The file whose reload removes this declaration.
    pub(crate) replaced_by: Option<u32>,
}

/// The contexts of an engine.
pub(crate) struct Contexts {
    words: Box<[u64; word::COUNT]>,
    pub(in crate::machine) slots: Vec<Slot>,
    by_predicate: FastMap<u32, u32>,
    /// The slots of the predicates that have indexes.
    pub(in crate::machine) indexed: Vec<u32>,
    /// The number of the record that was assumed last, whether it still exists or not.
    pub(in crate::machine) assumed_last: i64,
    /// The declarations of the loaded files, in order.
    pub(crate) declared: Vec<Declared>,
    /// The present assumptions of these declarations: the number of the last one of each, and its file and line.
    declared_as: Vec<(i64, u32, u32)>,
    /// The number of eigenvariables made so far, which is the number of the newest.
    pub(in crate::machine) eigenvariables: i64,
}

impl Default for Contexts {
    fn default() -> Contexts {
        let mut contexts = Contexts {
            words: Box::new([0; word::COUNT]),
            slots: Vec::new(),
            by_predicate: FastMap::default(),
            indexed: Vec::new(),
            assumed_last: 1,
            declared: Vec::new(),
            declared_as: Vec::new(),
            eigenvariables: 0,
        };
        contexts.reset();
        contexts
    }
}

impl Contexts {
    /// Returns all words that may be cells.
    pub(in crate::machine) fn all_words(&self) -> impl Iterator<Item = &[u64]> {
        let slots = self.slots.iter().map(|slot| &slot.words[..]);
        slots.chain(std::iter::once(&self.words[..]))
    }

    /// Forgets all assumptions; nothing on the trail may refer to them.
    pub(crate) fn reset(&mut self) {
        *self.words = [0; word::COUNT].map(|_| NONE.word());
        self.words[word::LEVELS] = pack(Levels {
            lowest: 1,
            highest: 1,
        })
        .word();
        self.words[word::USED] = Cell::int(-1).word();
        self.words[word::SEQ] = Cell::int(1).word();
        for slot in &mut self.slots {
            slot.words[slot::NEWEST..slot::FAIL].fill(NONE.word());
            slot.indexes = Vec::new();
            (slot.walked, slot.patience) = (0, PATIENCE);
        }
        self.indexed.clear();
        self.assumed_last = 1;
        self.declared_as.clear();
    }

    /// Notes the place of the declaration that made all assumptions since the previous declaration.
    pub(crate) fn note_declared(&mut self, file: u32, line: u32) -> Result<(), Stop> {
        let last = self.int(word::SEQ);
        while self
            .declared_as
            .last()
            .is_some_and(|&(number, ..)| number >= last)
        {
            self.declared_as.pop();
        }
        self.declared_as.put((last, file, line))?;
        Ok(())
    }

    /// Returns the file and the line where assumption `number` is declared, if it is.
    pub(in crate::machine) fn declared_at(&self, number: i64) -> Option<(u32, u32)> {
        let index = self
            .declared_as
            .partition_point(|&(last, ..)| last < number);
        let &(_, file, line) = self.declared_as.get(index)?;
        (file != 0).then_some((file, line))
    }

    /// Returns the number of the newest eigenvariable.
    pub(crate) fn eigenvariables(&self) -> i64 {
        self.eigenvariables
    }

    /// Returns whether nothing was assumed yet.
    pub(crate) fn is_new(&self) -> bool {
        self.words[word::SEQ] == Cell::int(1).word()
    }

    /// Returns the addresses of all words that may refer to the heap.
    pub(crate) fn roots(&self) -> Result<Vec<HeapAddr>, Stop> {
        let whole = [
            word::NEWEST,
            word::LOG,
            word::RECORD,
            word::LEFT,
            word::TRACE,
            word::NAMES,
            word::CALLED,
        ];
        let count = whole.len() + self.slots.len();
        let mut roots: Vec<HeapAddr> = with_room(count)?;
        roots.put_all(whole.map(|index| self.word(index)))?;
        for slot in &self.slots {
            roots.put(Addr::of_table(&slot.words[slot::NEWEST..]))?;
        }
        Ok(roots)
    }

    pub(in crate::machine) fn word(&self, index: usize) -> HeapAddr {
        Addr::of_table(&self.words[index..])
    }

    pub(in crate::machine) fn int(&self, index: usize) -> i64 {
        Cell::of_word(self.words[index]).int_value()
    }

    pub(in crate::machine) fn slot_word(&self, slot: u32, index: usize) -> HeapAddr {
        Addr::of_table(&self.slots[slot as usize].words[index..])
    }

    /// Returns the address of an instruction among the words of a slot.
    pub(in crate::machine) fn slot_code(&self, slot: u32, index: usize) -> CodeAddr {
        CodeAddr::of(&self.slots[slot as usize].words[index..])
    }

    pub(in crate::machine) fn levels(&self) -> Levels {
        let packed = self.int(word::LEVELS);
        Levels {
            lowest: packed >> LEVEL_BITS,
            highest: packed & MAX_LEVEL,
        }
    }

    /// Makes a predicate assumable and returns its slot.
    pub(crate) fn assumable(
        &mut self,
        predicates: &mut Predicates,
        predicate: PredId,
    ) -> Result<u32, Stop> {
        if let Some(slot) = self.slot_of(predicate) {
            return Ok(slot);
        }
        // All or nothing: the predicate is diverted only when there is room for its slot.
        room_for_one(&mut self.slots)?;
        self.by_predicate.make_room()?;
        let number = self.slots.len() as u32;
        let mut words = Box::new([NONE.word(); slot::COUNT]);
        let entry = match predicates.get(predicate).traits.count_memo {
            true => Op::CountMemo,
            false => Op::Assumed,
        };
        words[slot::ENTRY] = encode_wide(entry, 0, number);
        words[slot::RETRY] = encode(Op::AssumedRetry, 0, 0, 0);
        let arity = predicates.get(predicate).functor.arity();
        if !predicates.get(predicate).traits.assumed {
            predicates.get_mut(predicate).traits.assumed = true;
        }
        words[slot::FAIL] = encode(Op::Fail, 0, 0, 0);
        words[slot::UNKNOWN] = encode_wide(Op::Undefined, 0, predicate.0);
        let address = CodeAddr::of(&*words);
        predicates.divert(predicate, address, address + slot::STATIC as u64 * WORD)?;
        self.slots.put(Slot {
            predicate,
            arity,
            scoped: predicates.get(predicate).module == atoms::LOLLI,
            reported: false,
            free: false,
            words,
            indexes: Vec::new(),
            walked: 0,
            patience: PATIENCE,
        })?;
        self.by_predicate.put_entry(predicate.0, number)?;
        Ok(number)
    }

    /// Allows the counts of the predicate of a slot to be remembered. From now on, its calls check for remembered
    /// counts.
    pub(crate) fn remember_counts(&mut self, slot: u32) {
        if let Some(own) = self.slots.get_mut(slot as usize) {
            own.words[slot::ENTRY] = encode_wide(Op::CountMemo, 0, slot);
            own.reported = false;
        }
    }

    /// Marks all slots for a new check, because the host has reserved names.
    pub(crate) fn recheck(&mut self) {
        self.slots.iter_mut().for_each(|slot| slot.free = false);
    }

    /// Returns whether any predicate may be assumed.
    pub(in crate::machine) fn has_any(&self) -> bool {
        !self.slots.is_empty()
    }

    /// Returns the predicate of a slot.
    pub(crate) fn predicate_of(&self, slot: u32) -> Option<PredId> {
        self.slots.get(slot as usize).map(|slot| slot.predicate)
    }

    /// Returns the predicates that may be assumed.
    pub(crate) fn predicates(&self) -> impl Iterator<Item = PredId> {
        self.slots.iter().map(|slot| slot.predicate)
    }

    /// Returns the slot of a predicate, if it may be assumed.
    pub(crate) fn slot_of(&self, predicate: PredId) -> Option<u32> {
        self.by_predicate.get(&predicate.0).copied()
    }

    /// Returns the bytes of the slots of predicates and of their indexes.
    pub(in crate::machine) fn bytes(&self) -> u64 {
        let of_indexes = |&slot: &u32| {
            let indexes = self.slots[slot as usize].indexes.iter();
            indexes.map(Index::bytes).sum::<u64>()
        };
        let indexes: u64 = self.indexed.iter().map(of_indexes).sum();
        indexes + (self.slots.len() * SLOT_BYTES) as u64
    }
}

pub(in crate::machine) fn pack(levels: Levels) -> Cell {
    Cell::int(levels.lowest << LEVEL_BITS | levels.highest)
}

/// Returns the head of a chain as the newer neighbour of its newest record: a node whose link is the head.
pub(in crate::machine) fn head_as_node(head: HeapAddr, next: u64) -> Cell {
    Cell::structure(head - next)
}
