//! The record of an assumption: a compound on the heap, so that backtracking and collections of
//! garbage treat it as any other term. What is looked at together lies together.
#![forbid(unsafe_code)]

use crate::base::room::Grow;
use crate::base::stop::Stop;
use crate::base::symbol::functors;
use crate::program::predicate::PredId;
use crate::store::address::HeapAddr;
use crate::store::cell::Cell;
use crate::store::heap::Store;
use crate::store::links::NO_NODE;
use crate::store::raw;

/// No record.
pub(super) const NONE: Cell = NO_NODE;

/// Offsets in a record, in bytes; the first word is the functor. The word after the older neighbour in
/// a chain is the newer one.
pub(super) mod rec {
    use crate::store::cell::WORD;
    use crate::store::links::link;

    /// Numbers of its chains.
    pub(in crate::machine) const PREDICATE: u32 = 0;
    pub(in crate::machine) const ALL: u32 = 1;
    pub(in crate::machine) const KEY: u32 = 2;
    /// 0 for an intuitionistic one; the level at which a linear one is available; less than 0 once
    /// it is used up: by which half of a `&`.
    pub(in crate::machine) const MARK: u64 = WORD;
    /// Its number in order of age.
    pub(in crate::machine) const SEQ: u64 = 2 * WORD;
    /// The older neighbour in the chain of the predicate.
    pub(in crate::machine) const NEXT: u64 = link(PREDICATE);
    /// The older neighbour in the chain of all records.
    pub(in crate::machine) const ALL_NEXT: u64 = link(ALL);
    /// The older neighbour in the chain of the first argument.
    pub(in crate::machine) const KEY_NEXT: u64 = link(KEY);
    /// Kind, slot of the predicate, number of the chain of the first argument: see below.
    pub(in crate::machine) const INFO: u64 = 9 * WORD;
    /// What is assumed: see [`super::Assumed`].
    pub(in crate::machine) const BODY: u64 = 10 * WORD;
    /// In an extended record: the first argument; more of what is assumed; the next of the
    /// alternatives of which one use uses up all, itself if there are no others.
    pub(super) const FIRST: u64 = 11 * WORD;
    pub(super) const MORE: u64 = 12 * WORD;
    pub(in crate::machine) const GROUP: u64 = 13 * WORD;
}

/// Bits of [`rec::INFO`]: the kind, whether the record is extended, the slot, the chain.
const KIND_MASK: i64 = 3;
const EXTENDED: i64 = 4;
const SLOT_SHIFT: u32 = 3;
const SLOT_MASK: i64 = (1 << 24) - 1;
const KEY_SHIFT: u32 = 27;

/// What a record holds.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Assumed {
    /// A fact: the term itself.
    Fact(Cell),
    /// Compiled clauses: a predicate whose further arguments are those of the term.
    Closure(PredId, Cell),
    /// A clause as a term: `$clause_assumed(Head, Body, Variables)`, the variables being those of
    /// each use of its own; and its module.
    Clause(Cell, Cell),
}

/// A new record with its mark and number, in no chain yet. It is an extended one if a first argument
/// is given, as all but facts need.
pub(super) fn new_record(
    store: &mut Store,
    (mark, seq): (i64, i64),
    slot: u32,
    assumed: Assumed,
    first: Option<Cell>,
) -> Cell {
    let (kind, body, more) = match assumed {
        Assumed::Fact(fact) => (0, fact, NONE),
        Assumed::Closure(predicate, captured) => (1, Cell::int(i64::from(predicate.0)), captured),
        Assumed::Clause(clause, module) => (2, clause, module),
    };
    let extended = if first.is_some() { EXTENDED } else { 0 };
    let info = kind | extended | i64::from(slot) << SLOT_SHIFT;
    let mut words = [NONE; 13];
    words[0] = Cell::int(mark);
    words[1] = Cell::int(seq);
    words[8] = Cell::int(info);
    words[9] = body;
    let Some(first) = first else {
        return store.new_struct(functors::RESOURCE, &words[..10]);
    };
    words[10] = first;
    words[11] = more;
    let record = store.new_struct(functors::EXTENDED_RESOURCE, &words);
    raw::set_cell(record.addr() + rec::GROUP, record);
    record
}

#[inline(always)]
pub(super) fn int_at(addr: HeapAddr) -> i64 {
    raw::cell(addr).int_value()
}

#[inline(always)]
fn info(record: Cell) -> i64 {
    int_at(record.addr() + rec::INFO)
}

/// The slot of the predicate.
#[inline(always)]
pub(super) fn slot_of(record: Cell) -> u32 {
    (info(record) >> SLOT_SHIFT & SLOT_MASK) as u32
}

/// The number of the chain of the first argument; 0 if it is in none.
#[inline(always)]
pub(super) fn key_number(record: Cell) -> i64 {
    info(record) >> KEY_SHIFT
}

/// [`rec::INFO`] with the number of another chain.
pub(super) fn with_key(record: Cell, number: i64) -> Cell {
    Cell::int(info(record) & ((1 << KEY_SHIFT) - 1) | number << KEY_SHIFT)
}

/// The first argument; anything if the predicate has none.
#[inline(always)]
pub(super) fn first_of(store: &Store, record: Cell) -> Cell {
    if info(record) & EXTENDED != 0 {
        return raw::cell(record.addr() + rec::FIRST);
    }
    let fact = raw::cell(record.addr() + rec::BODY);
    store
        .compound(fact)
        .map_or(NONE, |(_, args)| raw::cell(args))
}

/// What is assumed.
#[inline(always)]
pub(super) fn assumed_of(record: Cell) -> Assumed {
    let body = raw::cell(record.addr() + rec::BODY);
    match info(record) & KIND_MASK {
        0 => Assumed::Fact(body),
        1 => Assumed::Closure(
            PredId(body.int_value() as u32),
            raw::cell(record.addr() + rec::MORE),
        ),
        _ => Assumed::Clause(body, raw::cell(record.addr() + rec::MORE)),
    }
}

/// The next of the alternatives of which one use uses up all: the next younger one, or after the
/// youngest the oldest.
#[inline(always)]
pub(super) fn next_alternative(record: Cell) -> Cell {
    if info(record) & EXTENDED != 0 {
        raw::cell(record.addr() + rec::GROUP)
    } else {
        record
    }
}

/// Is this the youngest of its alternatives? That is the one that stands for them all where they are
/// told of.
pub(super) fn stands_for_all(record: Cell) -> bool {
    int_at(next_alternative(record).addr() + rec::SEQ) <= int_at(record.addr() + rec::SEQ)
}

/// The one that stands for all alternatives.
pub(super) fn whole(mut record: Cell) -> Cell {
    while !stands_for_all(record) {
        record = next_alternative(record);
    }
    record
}

/// All alternatives, as they stand in the formula: the youngest first.
pub(super) fn alternatives(record: Cell) -> Result<Vec<Cell>, Stop> {
    let youngest = whole(record);
    let mut found = vec![youngest];
    let mut at = next_alternative(youngest);
    while at != youngest {
        found.put(at)?;
        at = next_alternative(at);
    }
    found[1..].reverse();
    Ok(found)
}
