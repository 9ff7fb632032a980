//! Copies of terms outside the stacks: the solutions that a collection has found.
#![forbid(unsafe_code)]

use crate::base::atom_table::FastMap;
use crate::base::growth::{Grow, GrowTable, room_for_one};
use crate::base::stop::Stop;
use crate::store::cell::{Cell, WORD};
use crate::store::claims::{Claim, Life};
use crate::store::heap::Store;
use crate::store::stored::{Attrs, Stored};

/// The least memory in bytes that a collection with solutions claims.
const FIRST_CLAIM: u64 = 1 << 16;

/// Copies of terms.
#[derive(Debug, Default)]
pub(crate) struct Copies {
    words: Vec<u64>,
    /// The root of each copy.
    roots: Vec<u64>,
    claim: Claim,
}

impl Copies {
    /// Adds a copy of a term.
    #[inline(always)]
    pub(crate) fn add(&mut self, store: &mut Store, term: Cell) -> Result<(), Stop> {
        let root = store.copy_out(term, &mut self.words, Attrs::Keep)?;
        self.roots.put(root)?;
        let bytes = (self.words.len() + self.roots.len()) as u64 * WORD;
        if bytes <= self.claim.bytes() {
            return Ok(());
        }
        let ahead = bytes + (bytes / 16).max(FIRST_CLAIM);
        store.resize_claim(&mut self.claim, ahead, Life::Passing)
    }

    /// Returns the list of the terms.
    pub(crate) fn list(&self, store: &mut Store) -> Result<Cell, Stop> {
        let mut items = Vec::new();
        store.copy_in_all(&self.words, &self.roots, &mut items)?;
        store.list_of(&items)
    }

    /// Returns the first term.
    pub(super) fn first(&self, store: &mut Store) -> Result<Option<Cell>, Stop> {
        let mut items = Vec::new();
        let roots = self.roots.get(..1).unwrap_or_default();
        store.copy_in_all(&self.words, roots, &mut items)?;
        Ok(items.pop())
    }

    /// Returns the number of terms.
    pub(crate) fn len(&self) -> usize {
        self.roots.len()
    }

    /// Forgets the terms and keeps their memory for later terms.
    pub(crate) fn clear(&mut self) {
        self.words.clear();
        self.roots.clear();
    }

    /// Returns all words that may name symbols.
    pub(crate) fn all_words(&self) -> [&[u64]; 2] {
        [&self.words, &self.roots]
    }
}

/// A set of terms, in which no term is a variant of another.
#[derive(Default)]
pub(crate) struct DifferentTerms(FastMap<u64, Vec<Stored>>);

impl DifferentTerms {
    /// Adds a term; returns false if the set has a variant of it.
    pub(crate) fn add(&mut self, store: &mut Store, term: Cell) -> Result<bool, Stop> {
        let top = store.heap_top;
        let added = self.add_plain(store, term);
        store.heap_top = top;
        added
    }

    fn add_plain(&mut self, store: &mut Store, term: Cell) -> Result<bool, Stop> {
        let plain = store.copy_term(term, Attrs::Drop)?;
        let hash = store.variant_hash(plain)?;
        self.0.make_room()?;
        let alike = self.0.entry(hash).or_default();
        for known in &*alike {
            let known = store.load_term(known)?;
            if store.variant(known, plain)? {
                return Ok(false);
            }
        }
        alike.put(store.keep_term_with(plain, Attrs::Drop, size_of::<Stored>())?)?;
        Ok(true)
    }

    fn all(&self) -> impl Iterator<Item = &Stored> {
        self.0.values().flatten()
    }
}

/// The solutions that a goal keeps from one solution to the next.
#[derive(Default)]
pub(crate) struct Kept {
    /// The solutions to return together.
    pub(crate) copies: Copies,
    /// The solutions not to return again.
    pub(crate) different: DifferentTerms,
}

/// The kept solutions of all goals, by the numbers of their collections.
#[derive(Default)]
pub(crate) struct KeptSolutions(Vec<Option<Kept>>);

impl KeptSolutions {
    /// Begins a collection and returns its number.
    pub(crate) fn begin(&mut self) -> Result<usize, Stop> {
        let number = match self.0.iter().position(Option::is_none) {
            Some(free) => free,
            None => {
                room_for_one(&mut self.0)?;
                self.0.put(None)?;
                self.0.len() - 1
            }
        };
        self.0[number] = Some(Kept::default());
        Ok(number)
    }

    /// Returns the collection of this number.
    pub(crate) fn get(&mut self, number: usize) -> Option<&mut Kept> {
        self.0.get_mut(number)?.as_mut()
    }

    /// Ends a collection.
    pub(crate) fn end(&mut self, number: usize) {
        if let Some(place) = self.0.get_mut(number) {
            *place = None;
        }
        while let Some(None) = self.0.last() {
            self.0.pop();
        }
    }

    /// Returns the copies of all collections that are not ended.
    pub(crate) fn copies(&self) -> impl Iterator<Item = &Copies> {
        self.0.iter().flatten().map(|kept| &kept.copies)
    }

    /// Returns the terms whose variants are not to be returned again.
    pub(crate) fn different(&self) -> impl Iterator<Item = &Stored> {
        self.0
            .iter()
            .flatten()
            .flat_map(|kept| kept.different.all())
    }
}
