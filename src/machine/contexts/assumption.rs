//! The record of an assumption: a compound on the heap. So backtracking and garbage collection treat it as any other
//! term. Fields that are read together are neighbours.
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

/// The mark for a missing record.
pub(in crate::machine) const NONE: Cell = NO_NODE;

/// Offsets in a record, in bytes; the first word is the functor. In a chain, the word after the older neighbour is
/// the newer neighbour.
pub(in crate::machine) mod rec {
    use crate::store::cell::WORD;
    use crate::store::links::link;

    /// Numbers of the chains of the record.
    pub(in crate::machine) const PREDICATE: u32 = 0;
    pub(in crate::machine) const ALL: u32 = 1;
    /// 0 for an intuitionistic record; for a linear one, the level at which it is available. A consumed record has a
    /// value below 0, which says in which half of a `&` it was consumed.
    pub(in crate::machine) const MARK: u64 = WORD;
    /// The number of the record in order of age.
    pub(in crate::machine) const SEQ: u64 = 2 * WORD;
    /// The older neighbour in the chain of the predicate.
    pub(in crate::machine) const NEXT: u64 = link(PREDICATE);
    /// The older neighbour in the chain of all records.
    pub(in crate::machine) const ALL_NEXT: u64 = link(ALL);
    /// Kind, slot of the predicate, number of the node in its newest index: see below.
    pub(in crate::machine) const INFO: u64 = 7 * WORD;
    /// The assumed formula: see [`crate::machine::contexts::assumption::Assumed`].
    pub(in crate::machine) const BODY: u64 = 8 * WORD;
    /// Only in an extended record: the first argument; a second word of the formula; the next of the alternatives
    /// that one use consumes together. Without other alternatives, the last word is the record itself.
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

/// The formula of a record.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Assumed {
    /// A fact: the term itself.
    Fact(Cell),
    /// Compiled clauses: a predicate whose further arguments are those of the term.
    Closure(PredId, Cell),
    /// A clause as a term, and its module: `$clause_assumed(Head, Body, Variables)`. Each use renames `Variables`.
    Clause(Cell, Cell),
}

/// Returns a new record with its mark and number, in no chain yet. It is extended if a first argument is given, which
/// all kinds except facts need.
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

/// Returns the slot of the predicate.
#[inline(always)]
pub(in crate::machine) fn slot_of(record: Cell) -> u32 {
    (info(record) >> SLOT_SHIFT & SLOT_MASK) as u32
}

/// Returns the number of the record's node in the newest index of the predicate; 0 if it is in none.
#[inline(always)]
pub(in crate::machine) fn node_of(record: Cell) -> u32 {
    (info(record) >> NODE_SHIFT) as u32
}

/// Sets the number of the node. It is never trailed, because the node is as old as the record.
pub(in crate::machine) fn set_node(record: Cell, number: u32) {
    let info = info(record) & ((1 << NODE_SHIFT) - 1) | i64::from(number) << NODE_SHIFT;
    raw::set_cell(record.addr() + rec::INFO, Cell::int(info));
}

/// Returns whether the record is in its chains, and was not removed.
#[inline(always)]
pub(in crate::machine) fn is_linked(record: Cell) -> bool {
    let newer = raw::cell(record.addr() + rec::NEXT + WORD);
    raw::cell(newer.addr() + rec::NEXT) == record
}

/// Returns an argument of the head, for a fact as a reference to its place. Returns `None` if it is unknown here.
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

/// Returns an argument of the head, dereferenced.
#[inline(always)]
pub(in crate::machine) fn head_arg(store: &Store, record: Cell, index: usize) -> Option<Cell> {
    head_cell(store, record, index).map(deref)
}

/// Returns the first argument of the head of an extended record.
pub(in crate::machine) fn first_of(record: Cell) -> Option<Cell> {
    let extended = info(record) & EXTENDED != 0;
    extended.then(|| Cell::reference(record.addr() + rec::FIRST))
}

/// Returns the assumed formula.
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

/// Returns the next alternative of a group that one use consumes together: the next younger one. After the youngest
/// comes the oldest.
#[inline(always)]
pub(in crate::machine) fn next_alternative(record: Cell) -> Cell {
    if info(record) & EXTENDED != 0 {
        raw::cell(record.addr() + rec::GROUP)
    } else {
        record
    }
}

/// Returns whether this is the youngest of its alternatives. In reports, the youngest represents all of them.
pub(in crate::machine) fn represents_group(record: Cell) -> bool {
    int_at(next_alternative(record).addr() + rec::SEQ) <= int_at(record.addr() + rec::SEQ)
}

/// Returns the alternative that represents all.
pub(in crate::machine) fn representative(mut record: Cell) -> Cell {
    while !represents_group(record) {
        record = next_alternative(record);
    }
    record
}

/// Returns all alternatives in the order of the formula: the youngest first.
pub(in crate::machine) fn alternatives(record: Cell) -> Result<Vec<Cell>, Stop> {
    let youngest = representative(record);
    let mut found = vec![youngest];
    let mut at = next_alternative(youngest);
    while at != youngest {
        found.put(at)?;
        at = next_alternative(at);
    }
    found[1..].reverse();
    Ok(found)
}
