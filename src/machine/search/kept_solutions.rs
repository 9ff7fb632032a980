//! Copies of terms outside of the stacks: the solutions that a collection has found.
#![forbid(unsafe_code)]

use crate::base::atom_table::FastMap;
use crate::base::growth::{Grow, GrowTable, room_for_one};
use crate::base::stop::Stop;
use crate::store::cell::{Cell, WORD};
use crate::store::claims::{Claim, Life};
use crate::store::heap::Store;
use crate::store::stored::{Attrs, Stored};

/// Memory that a collection claims at least, once it has solutions.
const FIRST_CLAIM: u64 = 1 << 16;

/// Copies of terms.
#[derive(Debug, Default)]
pub(crate) struct Copies {
    words: Vec<u64>,
    /// The root of each.
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

    /// The list of the terms.
    pub(crate) fn list(&self, store: &mut Store) -> Result<Cell, Stop> {
        let mut items = Vec::new();
        store.copy_in_all(&self.words, &self.roots, &mut items)?;
        store.list_of(&items)
    }

    /// The first of the terms.
    pub(super) fn first(&self, store: &mut Store) -> Result<Option<Cell>, Stop> {
        let mut items = Vec::new();
        let roots = self.roots.get(..1).unwrap_or_default();
        store.copy_in_all(&self.words, roots, &mut items)?;
        Ok(items.pop())
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.roots.len()
    }

    /// Forgets them, and keeps the room.
    pub(crate) fn clear(&mut self) {
        self.words.clear();
        self.roots.clear();
    }

    /// All words that may name symbols.
    pub(crate) fn all_words(&self) -> [&[u64]; 2] {
        [&self.words, &self.roots]
    }
}

/// Terms of which no two are variants of each other.
#[derive(Default)]
pub(crate) struct DifferentTerms(FastMap<u64, Vec<Stored>>);

impl DifferentTerms {
    /// Adds a term; false if there is a variant of it.
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

/// What a goal keeps of its solutions from one to the next.
#[derive(Default)]
pub(crate) struct Kept {
    /// Those that are to be given together.
    pub(crate) copies: Copies,
    /// Those that are not to be given again.
    pub(crate) different: DifferentTerms,
}

/// What goals keep of their solutions, by the numbers of their collections.
#[derive(Default)]
pub(crate) struct KeptSolutions(Vec<Option<Kept>>);

impl KeptSolutions {
    /// Begins a collection; gives its number.
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

    /// The collection of this number.
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

    /// The copies of all that go on.
    pub(crate) fn copies(&self) -> impl Iterator<Item = &Copies> {
        self.0.iter().flatten().map(|kept| &kept.copies)
    }

    /// The terms that no variants of are to be given.
    pub(crate) fn different(&self) -> impl Iterator<Item = &Stored> {
        self.0
            .iter()
            .flatten()
            .flat_map(|kept| kept.different.all())
    }
}
