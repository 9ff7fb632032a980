//! The recorded database: terms that are kept by key, in order for each key.
//!
//! The number of a record is the number of changes so far. It is positive for a record after the others of its key,
//! negative for one before them. So the numbers of a key ascend, and show which records are older than a search. An
//! erased record stays while a search for its key is open, because the search may have to find it (the logical update
//! view, ISO 7.5.4).
#![forbid(unsafe_code)]

use crate::base::atom_table::{FastBuild, FastMap};
use crate::base::growth::{Grow, GrowBy, GrowFront, GrowMap, GrowTable, Within, require_memory};
use crate::base::number::Number;
use crate::base::shared::Shared;
use crate::base::stop::Stop;
use crate::base::watch::Watch;
use crate::store::address::HeapAddr;
use crate::store::cell::{Cell, WORD, tag};
use crate::store::claims::{Claim, Life};
use crate::store::heap::{Store, View, deref};
use crate::store::raw;
use crate::store::stored::Attrs;
use dashu_int::IBig;
use indexmap::IndexMap;
use std::collections::VecDeque;

/// A key: an atom, an integer, or the functor of a compound.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    /// A value of one cell.
    Simple(Cell),
    /// A large integer.
    Large(IBig),
}

/// A record.
#[derive(Clone)]
struct Record {
    number: i64,
    /// The term: a constant, or a pointer into the block.
    root: u64,
    words: Box<[u64]>,
}

/// Size of the buffer for copies, in words, above which the buffer is freed.
const MOST_SCRATCH: usize = 1 << 16;

/// Mark in place of the term of a freed record.
const GONE: u64 = Cell::ABSENT.word();

/// Records of one key. The first and the last one are not freed.
#[derive(Clone, Default)]
struct OfKey {
    records: VecDeque<Record>,
    /// Number of freed records, whose places remain.
    gone: usize,
    /// Records that are erased but not freed yet, in the order of erasing, with the change that erased them.
    erased: IndexMap<i64, i64, FastBuild>,
    /// Number of open searches among the records.
    open: usize,
    /// Place of the record that was found last.
    last_found: usize,
}

/// All records, and the numbers that are kept by keys.
#[derive(Default)]
pub(crate) struct Records {
    /// Records that engines share. A key in `keys` takes precedence.
    published: Shared<IndexMap<Key, Shared<OfKey>, FastBuild>>,
    keys: IndexMap<Key, OfKey, FastBuild>,
    numbers: Shared<FastMap<Key, Number>>,
    /// Number of changes so far.
    changes: i64,
    searches: Slots<Search>,
    /// Buffer in which copies are made.
    scratch: Vec<u64>,
    claim: Claim,
}

/// Form that a record must have to unify with a term.
#[derive(Copy, Clone)]
pub(crate) enum Pattern {
    /// Any record.
    Any,
    /// A constant of one word.
    Constant(u64),
    /// A compound with this functor cell, or a list for 0. The arguments lie at the address.
    Compound(u64, HeapAddr),
}

impl Pattern {
    /// Returns the pattern of a term.
    pub(crate) fn of(store: &Store, term: Cell) -> Pattern {
        match store.view(term) {
            View::Atom(atom) => Pattern::Constant(Cell::atom(atom).word()),
            View::Int(number) => Pattern::Constant(Cell::int(number).word()),
            View::List(args) => Pattern::Compound(0, args),
            View::Struct(functor, args) => Pattern::Compound(Cell::functor(functor).word(), args),
            View::Var(_) | View::Big(_) | View::Float(_) | View::String(_) => Pattern::Any,
        }
    }
}

/// A search among the records of a key.
#[derive(Clone)]
pub(crate) struct Search {
    pub(crate) key: Key,
    /// The least number that the next record can have.
    pub(crate) next: i64,
    /// Number of changes when the search began.
    changes: i64,
}

/// A table of items by numbers. Numbers are reused.
struct Slots<T> {
    items: Vec<Option<T>>,
    free: Vec<usize>,
}

impl<T> Default for Slots<T> {
    fn default() -> Slots<T> {
        Slots {
            items: Vec::new(),
            free: Vec::new(),
        }
    }
}

impl<T> Slots<T> {
    fn put(&mut self, item: T) -> Result<usize, Stop> {
        if let Some(number) = self.free.pop() {
            self.items[number] = Some(item);
            return Ok(number);
        }
        // Reserve room for freeing each of the items.
        let more = self.items.len() + 1 - self.free.len();
        self.free.try_reserve(more)?;
        self.items.put(Some(item))?;
        Ok(self.items.len() - 1)
    }

    fn take(&mut self, number: usize) -> Option<T> {
        let item = self.items.get_mut(number)?.take()?;
        self.free.put_within(number);
        Some(item)
    }
}

impl Record {
    fn bytes(&self) -> u64 {
        size_of::<Record>() as u64 + 16 + self.words.len() as u64 * WORD
    }

    fn is_gone(&self) -> bool {
        self.root == GONE
    }

    /// Returns whether a term of this form may unify with the record.
    fn fits(&self, pattern: Pattern) -> bool {
        let root = Cell::of_word(self.root);
        if root.is_var() {
            return true;
        }
        let (functor, args) = match pattern {
            Pattern::Any => return true,
            Pattern::Constant(word) => return self.root == word,
            Pattern::Compound(functor, args) => (functor, args),
        };
        let at = match root.is_compound() {
            true => root.addr().block_word(),
            false => return false,
        };
        let (own_functor, own_args) = match root.tag() {
            tag::LST => (0, at..at + 2),
            _ => {
                let functor = self.words[at];
                let arity = Cell::of_word(functor).as_functor().arity();
                (functor, at + 1..at + 1 + arity)
            }
        };
        own_functor == functor
            && own_args.enumerate().all(|(index, at)| {
                let own = Cell::of_word(self.words[at]);
                let other = deref(raw::cell(args + index as u64 * WORD));
                !own.is_simple() || !other.is_simple() || own == other
            })
    }
}

impl OfKey {
    /// Returns the place of the record with this number, or of the next one.
    fn index_of(&self, number: i64) -> usize {
        let near = self.last_found..self.last_found + 2;
        let is_it =
            |&index: &usize| self.records.get(index).map(|record| record.number) == Some(number);
        near.into_iter().find(is_it).unwrap_or_else(|| {
            self.records
                .partition_point(|record| record.number < number)
        })
    }

    /// Returns the place of the record with this number, erased or not.
    fn get(&self, number: i64) -> Option<usize> {
        let index = self.index_of(number);
        let record = self.records.get(index)?;
        (record.number == number && !record.is_gone()).then_some(index)
    }

    fn is_alive(&self, number: i64) -> bool {
        !self.erased.contains_key(&number) && self.get(number).is_some()
    }

    /// Returns whether the record existed after this number of changes.
    fn was_there(&self, record: &Record, changes: i64) -> bool {
        let erased = || self.erased.get(&record.number);
        !record.is_gone()
            && record.number.abs() <= changes
            && (self.erased.is_empty() || erased().is_none_or(|&erased| erased > changes))
    }

    /// Removes freed records where that is cheap.
    fn tidy(&mut self) {
        while self.records.back().is_some_and(Record::is_gone) {
            self.records.pop_back();
            self.gone -= 1;
        }
        while self.records.front().is_some_and(Record::is_gone) {
            self.records.pop_front();
            self.gone -= 1;
        }
        if self.gone > self.records.len() / 2 {
            self.records.retain(|record| !record.is_gone());
            self.gone = 0;
        }
    }
}

impl Records {
    /// Publishes all records: forks share them from now on. No search may be open.
    ///
    /// # Errors
    /// Returns an error if memory is short; then nothing has changed.
    pub(crate) fn publish(&mut self, store: &Store) -> Result<(), Stop> {
        if self.keys.is_empty() {
            return Ok(());
        }
        let published = self.published.own();
        published.try_reserve(self.keys.len())?;
        for (key, mut records) in std::mem::take(&mut self.keys) {
            (records.open, records.last_found) = (0, 0);
            published.put_within((key, records.into()));
        }
        published.retain(|_, records| !records.records.is_empty());
        // A smaller claim is never refused.
        let _ = store.resize_claim(&mut self.claim, 0, Life::Kept);
        Ok(())
    }

    /// Returns the same records for another engine; all are published.
    pub(crate) fn fork(&self) -> Records {
        Records {
            published: self.published.clone(),
            numbers: self.numbers.clone(),
            changes: self.changes,
            ..Records::default()
        }
    }

    /// Returns the records of a key.
    fn of(&self, key: &Key) -> Option<&OfKey> {
        let published = || self.published.get(key).map(|records| &**records);
        self.keys.get(key).or_else(published)
    }

    /// Returns the records of a key for changes. Copies published ones first.
    fn own(&mut self, key: &Key) -> Result<Option<&mut OfKey>, Stop> {
        if !self.keys.contains_key(key)
            && let Some(records) = self.published.get(key)
        {
            self.keys.make_room()?;
            let words: usize = records
                .records
                .iter()
                .map(|record| record.words.len())
                .sum();
            require_memory(words * 8)?;
            self.keys.put_entry(key.clone(), OfKey::clone(records))?;
        }
        Ok(self.keys.get_mut(key))
    }

    /// Records a copy of a term, after or before the others of its key, and returns the number of the record.
    ///
    /// # Errors
    /// Returns an error if there is no room for it.
    pub(crate) fn add(
        &mut self,
        store: &mut Store,
        key: Key,
        term: Cell,
        first: bool,
    ) -> Result<i64, Stop> {
        self.scratch.clear();
        let root = store.copy_out(term, &mut self.scratch, Attrs::Drop)?;
        let words = Vec::of(&self.scratch)?;
        store.watch.did_many(words.len());
        if self.scratch.len() > MOST_SCRATCH {
            self.scratch = Vec::new();
        }
        let change = self.changes + 1;
        let record = Record {
            number: if first { -change } else { change },
            root,
            words: words.into_boxed_slice(),
        };
        let number = record.number;
        let bytes = self.claim.bytes() + record.bytes();
        store.resize_claim(&mut self.claim, bytes, Life::Kept)?;
        self.own(&key)?;
        self.keys.make_room()?;
        let records = &mut self.keys.entry(key).or_default().records;
        match first {
            true => records.put_front(record)?,
            false => records.put(record)?,
        }
        self.changes = change;
        Ok(number)
    }

    /// Returns a search that begins with the first record of a key.
    pub(crate) fn search(&self, key: Key) -> Search {
        Search {
            key,
            next: i64::MIN,
            changes: self.changes,
        }
    }

    /// Returns the open search with this number.
    pub(crate) fn opened(&self, number: usize) -> Option<&Search> {
        self.searches.items.get(number)?.as_ref()
    }

    /// Keeps a search open and returns its number. The search still finds records that are erased meanwhile.
    ///
    /// # Errors
    /// Returns an error if there is no room to note it.
    pub(crate) fn open(&mut self, search: Search) -> Result<usize, Stop> {
        if let Some(found) = self.own(&search.key)? {
            found.open += 1;
        }
        let key = search.key.clone();
        self.searches.put(search).inspect_err(|_| {
            if let Some(found) = self.keys.get_mut(&key) {
                found.open -= 1;
            }
        })
    }

    /// Sets the record at which an open search continues.
    pub(crate) fn go_on(&mut self, number: usize, next: i64) {
        if let Some(Some(search)) = self.searches.items.get_mut(number) {
            search.next = next;
        }
    }

    /// Ends a search. After the last search for its key, the erased records of the key are freed.
    pub(crate) fn close(&mut self, store: &Store, number: usize) {
        let Some(Search { key, .. }) = self.searches.take(number) else {
            return;
        };
        let Some(found) = self.keys.get_mut(&key) else {
            return;
        };
        found.open -= 1;
        if found.open > 0 {
            return;
        }
        // Records at the front are usually erased first.
        found.last_found = 0;
        for number in std::mem::take(&mut found.erased).into_keys() {
            self.forget(store, &key, number);
        }
    }

    /// Returns the number of the next record of a search that fits the pattern.
    pub(crate) fn find(&mut self, search: &Search, pattern: Pattern, watch: &Watch) -> Option<i64> {
        let Some(found) = self.keys.get_mut(&search.key) else {
            let found = self.published.get(&search.key)?;
            let fits = |record: &&Record| {
                record.number >= search.next
                    && found.was_there(record, search.changes)
                    && record.fits(pattern)
            };
            watch.did_many(found.records.len());
            return found.records.iter().find(fits).map(|record| record.number);
        };
        let from = found.index_of(search.next);
        let fits =
            |record: &Record| found.was_there(record, search.changes) && record.fits(pattern);
        let passed = found.records.range(from..).position(fits);
        watch.did_many(passed.unwrap_or(found.records.len() - from));
        let index = from + passed?;
        found.last_found = index;
        Some(found.records[index].number)
    }

    /// Makes the term of a record on the heap, with fresh variables. Returns `None` if there is no such record, or if
    /// it is erased and `alive` is set.
    ///
    /// # Errors
    /// Returns an error if there is no room for it.
    pub(crate) fn load(
        &self,
        store: &mut Store,
        (key, number): (&Key, i64),
        alive: bool,
    ) -> Result<Option<Cell>, Stop> {
        let found = self.of(key);
        let Some(found) = found.filter(|found| !alive || found.is_alive(number)) else {
            return Ok(None);
        };
        let record = found.get(number).map(|index| &found.records[index]);
        record
            .map(|record| {
                store.watch.did_many(record.words.len());
                store.copy_in(&record.words, record.root)
            })
            .transpose()
    }

    /// Erases a record. Returns false if there is none of this number.
    ///
    /// # Errors
    /// Returns an error if there is no room to note it.
    pub(crate) fn erase(&mut self, store: &Store, key: &Key, number: i64) -> Result<bool, Stop> {
        let change = self.changes + 1;
        let Some(found) = self.own(key)?.filter(|found| found.is_alive(number)) else {
            return Ok(false);
        };
        if found.open == 0 {
            self.forget(store, key, number);
        } else {
            found.erased.put_entry(number, change)?;
        }
        self.changes = change;
        Ok(true)
    }

    /// Frees the memory of a record.
    fn forget(&mut self, store: &Store, key: &Key, number: i64) {
        let Some(found) = self.keys.get_mut(key) else {
            return;
        };
        let Some(index) = found.get(number) else {
            return;
        };
        let record = &mut found.records[index];
        let left = self.claim.bytes().saturating_sub(record.bytes());
        record.root = GONE;
        record.words = Box::default();
        found.gone += 1;
        found.tidy();
        if found.records.is_empty() && !self.published.contains_key(key) {
            self.keys.swap_remove(key);
        }
        // A smaller claim is never refused.
        let _ = store.resize_claim(&mut self.claim, left, Life::Kept);
    }

    /// Returns the keys of records.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &Key> {
        let alive = |found: &OfKey| found.records.len() > found.gone + found.erased.len();
        let published = self.published.iter();
        let published = published.filter(|(key, _)| !self.keys.contains_key(*key));
        let published = published.map(|(key, found)| (key, &**found));
        let keys = published.chain(&self.keys);
        keys.filter_map(move |(key, found)| alive(found).then_some(key))
    }

    /// Returns the number that is kept by a key, 0 at first.
    pub(crate) fn number(&self, key: &Key) -> Number {
        self.numbers.get(key).cloned().unwrap_or(Number::Int(0))
    }

    /// Keeps a number by a key.
    ///
    /// # Errors
    /// Returns an error if there is no room for it.
    pub(crate) fn set_number(&mut self, key: Key, number: Number) -> Result<(), Stop> {
        self.numbers.own().put_entry(key, number)?;
        Ok(())
    }

    /// Returns all words of records that can contain a symbol.
    pub(crate) fn words(&self) -> impl Iterator<Item = &[u64]> {
        let records = self.keys.values().flat_map(|found| &found.records);
        records.flat_map(|record| [std::slice::from_ref(&record.root), &record.words])
    }

    /// Returns all keys that are symbols.
    pub(crate) fn symbols(&self) -> impl Iterator<Item = Cell> {
        let keys = self.keys.keys().chain(self.numbers.keys());
        keys.filter_map(|key| match *key {
            Key::Simple(cell) => Some(cell),
            Key::Large(_) => None,
        })
    }
}
