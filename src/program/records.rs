//! The recorded database: terms that are kept by key, those of a key in order.
//!
//! Records are numbered by the changes that there were so far: those that come after others of their key upwards, those
//! that come before them downwards. So the numbers of a key ascend, and tell which records are older than a search among
//! them. What is erased stays as long as a search for its key is open, which may have to find it (the logical update
//! view, ISO 7.5.4).
#![forbid(unsafe_code)]

use crate::base::atom_table::{FastBuild, FastMap};
use crate::base::growth::{Grow, GrowBy, GrowFront, GrowMap, GrowTable, Within, ask};
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
    /// What one cell holds.
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

/// A larger room for copies, in words, is given back.
const MOST_SCRATCH: usize = 1 << 16;

/// In place of the term of a record that is gone.
const GONE: u64 = Cell::ABSENT.word();

/// Records of one key. The first and the last one are not gone.
#[derive(Clone, Default)]
struct OfKey {
    records: VecDeque<Record>,
    /// How many of them are gone, but for their places.
    gone: usize,
    /// Those that are erased and not gone yet, in the order of that, with the change that erased them.
    erased: IndexMap<i64, i64, FastBuild>,
    /// How many searches among them are open.
    open: usize,
    /// Where one was found last.
    last_found: usize,
}

/// All records, and the numbers that are kept by keys, too.
#[derive(Default)]
pub(crate) struct Records {
    /// Those that engines share, but for the keys that are among the next.
    published: Shared<IndexMap<Key, Shared<OfKey>, FastBuild>>,
    keys: IndexMap<Key, OfKey, FastBuild>,
    numbers: Shared<FastMap<Key, Number>>,
    /// How many changes there were.
    changes: i64,
    searches: Slots<Search>,
    /// Where copies are made.
    scratch: Vec<u64>,
    claim: Claim,
}

/// What a record must be like for a term to unify with it.
#[derive(Copy, Clone)]
pub(crate) enum Pattern {
    /// Anything.
    Any,
    /// A constant of one word.
    Constant(u64),
    /// A compound with this functor cell, or a list for 0, and the arguments that lie there.
    Compound(u64, HeapAddr),
}

impl Pattern {
    /// That of a term.
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
    /// The number of the record that comes next, or may.
    pub(crate) next: i64,
    /// How many changes there were when it began.
    changes: i64,
}

/// Things by numbers, which are given anew.
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
        // There is room to give each of them back.
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

    /// May a term of this form unify with it?
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
    /// Where the record of this number is, or the next one.
    fn index_of(&self, number: i64) -> usize {
        let near = self.last_found..self.last_found + 2;
        let is_it =
            |&index: &usize| self.records.get(index).map(|record| record.number) == Some(number);
        near.into_iter().find(is_it).unwrap_or_else(|| {
            self.records
                .partition_point(|record| record.number < number)
        })
    }

    /// Where the record of this number is, erased or not.
    fn get(&self, number: i64) -> Option<usize> {
        let index = self.index_of(number);
        let record = self.records.get(index)?;
        (record.number == number && !record.is_gone()).then_some(index)
    }

    fn is_alive(&self, number: i64) -> bool {
        !self.erased.contains_key(&number) && self.get(number).is_some()
    }

    /// Was it there after so many changes?
    fn was_there(&self, record: &Record, changes: i64) -> bool {
        let erased = || self.erased.get(&record.number);
        !record.is_gone()
            && record.number.abs() <= changes
            && (self.erased.is_empty() || erased().is_none_or(|&erased| erased > changes))
    }

    /// Takes away what is gone where that is cheap.
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
    /// Publishes all records: forks share them from here on. No search is open.
    ///
    /// # Errors
    /// There is no memory: nothing has changed.
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
        // A claim of less is never refused.
        let _ = store.resize_claim(&mut self.claim, 0, Life::Kept);
        Ok(())
    }

    /// The same records for another engine; all are published.
    pub(crate) fn fork(&self) -> Records {
        Records {
            published: self.published.clone(),
            numbers: self.numbers.clone(),
            changes: self.changes,
            ..Records::default()
        }
    }

    /// The records of a key.
    fn of(&self, key: &Key) -> Option<&OfKey> {
        let published = || self.published.get(key).map(|records| &**records);
        self.keys.get(key).or_else(published)
    }

    /// The records of a key, to be changed. Those that are published are copied first.
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
            ask(words * 8)?;
            self.keys.put_entry(key.clone(), OfKey::clone(records))?;
        }
        Ok(self.keys.get_mut(key))
    }

    /// Records a copy of a term, after or before others of its key; gives the number of the record.
    ///
    /// # Errors
    /// There is no room for it.
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

    /// A search that begins with the first record of a key.
    pub(crate) fn search(&self, key: Key) -> Search {
        Search {
            key,
            next: i64::MIN,
            changes: self.changes,
        }
    }

    /// The search that is open under this number.
    pub(crate) fn opened(&self, number: usize) -> Option<&Search> {
        self.searches.items.get(number)?.as_ref()
    }

    /// Has a search go on later: what is erased meanwhile is there for it. Gives its number.
    ///
    /// # Errors
    /// There is no room to note it.
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

    /// Says where an open search goes on.
    pub(crate) fn go_on(&mut self, number: usize, next: i64) {
        if let Some(Some(search)) = self.searches.items.get_mut(number) {
            search.next = next;
        }
    }

    /// A search is over; after the last one for its key what is erased there goes.
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
        // The first ones are mostly erased first.
        found.last_found = 0;
        for number in std::mem::take(&mut found.erased).into_keys() {
            self.forget(store, &key, number);
        }
    }

    /// The number of the next record of a search that is like this.
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

    /// Makes the term of a record on the heap, with fresh variables; `None` if there is no such record, or if it is erased
    /// and has to be `alive`.
    ///
    /// # Errors
    /// There is no room for it.
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

    /// Erases a record; false if there is none of this number.
    ///
    /// # Errors
    /// There is no room to note it.
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

    /// Gives the memory of a record back.
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
        // A claim of less is never refused.
        let _ = store.resize_claim(&mut self.claim, left, Life::Kept);
    }

    /// The keys of records.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &Key> {
        let alive = |found: &OfKey| found.records.len() > found.gone + found.erased.len();
        let published = self.published.iter();
        let published = published.filter(|(key, _)| !self.keys.contains_key(*key));
        let published = published.map(|(key, found)| (key, &**found));
        let keys = published.chain(&self.keys);
        keys.filter_map(move |(key, found)| alive(found).then_some(key))
    }

    /// The number that is kept by a key, 0 at first.
    pub(crate) fn number(&self, key: &Key) -> Number {
        self.numbers.get(key).cloned().unwrap_or(Number::Int(0))
    }

    /// Keeps a number by a key.
    ///
    /// # Errors
    /// There is no room for it.
    pub(crate) fn set_number(&mut self, key: Key, number: Number) -> Result<(), Stop> {
        self.numbers.own().put_entry(key, number)?;
        Ok(())
    }

    /// All words of records in which a symbol may be.
    pub(crate) fn words(&self) -> impl Iterator<Item = &[u64]> {
        let records = self.keys.values().flat_map(|found| &found.records);
        records.flat_map(|record| [std::slice::from_ref(&record.root), &record.words])
    }

    /// All keys that are symbols.
    pub(crate) fn symbols(&self) -> impl Iterator<Item = Cell> {
        let keys = self.keys.keys().chain(self.numbers.keys());
        keys.filter_map(|key| match *key {
            Key::Simple(cell) => Some(cell),
            Key::Large(_) => None,
        })
    }
}
