//! The record of an assumption: a compound on the heap, so that backtracking and collections of
//! garbage treat it as any other term. What is looked at together lies together.
#![forbid(unsafe_code)]

use crate::base::atom_table::functors;
use crate::base::growth::Grow;
use crate::base::stop::Stop;
use crate::program::predicate::PredId;
use crate::store::address::HeapAddr;
use crate::store::cell::{Cell, WORD};
use crate::store::heap::{Store, deref};
use crate::store::links::NO_NODE;
use crate::store::raw;

/// No record.
pub(in crate::machine) const NONE: Cell = NO_NODE;

/// Offsets in a record, in bytes; the first word is the functor. The word after the older neighbour in
/// a chain is the newer one.
pub(in crate::machine) mod rec {
    use crate::store::cell::WORD;
    use crate::store::links::link;

    /// Numbers of its chains.
    pub(in crate::machine) const PREDICATE: u32 = 0;
    pub(in crate::machine) const ALL: u32 = 1;
    /// 0 for an intuitionistic one; the level at which a linear one is available; less than 0 once
    /// it is used up: by which half of a `&`.
    pub(in crate::machine) const MARK: u64 = WORD;
    /// Its number in order of age.
    pub(in crate::machine) const SEQ: u64 = 2 * WORD;
    /// The older neighbour in the chain of the predicate.
    pub(in crate::machine) const NEXT: u64 = link(PREDICATE);
    /// The older neighbour in the chain of all records.
    pub(in crate::machine) const ALL_NEXT: u64 = link(ALL);
    /// Kind, slot of the predicate, number of the node in its newest index: see below.
    pub(in crate::machine) const INFO: u64 = 7 * WORD;
    /// What is assumed: see [`crate::machine::contexts::assumption::Assumed`].
    pub(in crate::machine) const BODY: u64 = 8 * WORD;
    /// In an extended record: the first argument; more of what is assumed; the next of the
    /// alternatives of which one use uses up all, itself if there are no others.
    pub(super) const FIRST: u64 = 9 * WORD;
    pub(super) const MORE: u64 = 10 * WORD;
    pub(in crate::machine) const GROUP: u64 = 11 * WORD;
}

/// Bits of [`rec::INFO`]: the kind, whether the record is extended, the slot, the node.
const KIND_MASK: i64 = 3;
const EXTENDED: i64 = 4;
const SLOT_SHIFT: u32 = 3;
const SLOT_MASK: i64 = (1 << 24) - 1;
const NODE_SHIFT: u32 = 27;

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
pub(in crate::machine) fn new_record(
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
    let mut words = [NONE; 11];
    words[0] = Cell::int(mark);
    words[1] = Cell::int(seq);
    words[6] = Cell::int(info);
    words[7] = body;
    let Some(first) = first else {
        return store.new_struct(functors::RESOURCE, &words[..8]);
    };
    words[8] = first;
    words[9] = more;
    let record = store.new_struct(functors::EXTENDED_RESOURCE, &words);
    raw::set_cell(record.addr() + rec::GROUP, record);
    record
}

#[inline(always)]
pub(in crate::machine) fn int_at(addr: HeapAddr) -> i64 {
    raw::cell(addr).int_value()
}

#[inline(always)]
fn info(record: Cell) -> i64 {
    int_at(record.addr() + rec::INFO)
}

/// The slot of the predicate.
#[inline(always)]
pub(in crate::machine) fn slot_of(record: Cell) -> u32 {
    (info(record) >> SLOT_SHIFT & SLOT_MASK) as u32
}

/// The number of its node in the newest index of the predicate; 0 if it is in none.
#[inline(always)]
pub(in crate::machine) fn node_of(record: Cell) -> u32 {
    (info(record) >> NODE_SHIFT) as u32
}

/// Sets that number. It is never on the trail: what it tells of is as old as the record.
pub(in crate::machine) fn set_node(record: Cell, number: u32) {
    let info = info(record) & ((1 << NODE_SHIFT) - 1) | i64::from(number) << NODE_SHIFT;
    raw::set_cell(record.addr() + rec::INFO, Cell::int(info));
}

/// Is the record in its chains, or was it taken out?
#[inline(always)]
pub(in crate::machine) fn is_linked(record: Cell) -> bool {
    let newer = raw::cell(record.addr() + rec::NEXT + WORD);
    raw::cell(newer.addr() + rec::NEXT) == record
}

/// An argument of the head, as a reference to where it stands if that is a fact; `None` if it is not known here.
#[inline(always)]
pub(in crate::machine) fn head_cell(store: &Store, record: Cell, index: usize) -> Option<Cell> {
    let info = info(record);
    if info & EXTENDED != 0 && index == 0 {
        return Some(Cell::reference(record.addr() + rec::FIRST));
    }
    if info & KIND_MASK != 0 {
        return None;
    }
    let (_, args) = store.compound(raw::cell(record.addr() + rec::BODY))?;
    Some(Cell::reference(args + index as u64 * WORD))
}

/// The same, dereferenced.
#[inline(always)]
pub(in crate::machine) fn head_arg(store: &Store, record: Cell, index: usize) -> Option<Cell> {
    head_cell(store, record, index).map(deref)
}

/// The first argument of the head of an extended record.
pub(in crate::machine) fn first_of(record: Cell) -> Option<Cell> {
    let extended = info(record) & EXTENDED != 0;
    extended.then(|| Cell::reference(record.addr() + rec::FIRST))
}

/// What is assumed.
#[inline(always)]
pub(in crate::machine) fn assumed_of(record: Cell) -> Assumed {
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
pub(in crate::machine) fn next_alternative(record: Cell) -> Cell {
    if info(record) & EXTENDED != 0 {
        raw::cell(record.addr() + rec::GROUP)
    } else {
        record
    }
}

/// Is this the youngest of its alternatives? That is the one that stands for them all where they are
/// told of.
pub(in crate::machine) fn stands_for_all(record: Cell) -> bool {
    int_at(next_alternative(record).addr() + rec::SEQ) <= int_at(record.addr() + rec::SEQ)
}

/// The one that stands for all alternatives.
pub(in crate::machine) fn whole(mut record: Cell) -> Cell {
    while !stands_for_all(record) {
        record = next_alternative(record);
    }
    record
}

/// All alternatives, as they stand in the formula: the youngest first.
pub(in crate::machine) fn alternatives(record: Cell) -> Result<Vec<Cell>, Stop> {
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
