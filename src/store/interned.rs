//! Terms as numbers: two terms have the same number if, and only if, they are variants of each other. A term is taken apart
//! into pairs, and a pair that was met before keeps its number, so what many terms have in common takes memory once (the
//! hash consing of A. P. Ershov, "On programming of arithmetic operations", 1958). Several terms together are a row.
#![forbid(unsafe_code)]

use super::address::HeapAddr;
use super::cell::{Cell, WORD, tag};
use super::heap::{Store, View, deref};
use crate::base::atom_table::{FastBuild, FastMap, Functor};
use crate::base::growth::{Grow, GrowBy, GrowMap, GrowTable};
use crate::base::stop::Stop;
use std::hash::BuildHasher;

/// The tag of a pair that is a part of a term and no term itself: no cell has it.
const PAIR: u64 = 6;
/// Bits of the number of a pair.
pub(crate) const PAIR_BITS: u32 = 35;
/// The tag of a row: no number of a term has it.
const ROW: u64 = tag::ATT;
/// No row.
const NONE: u64 = u64::MAX;
/// Terms of more parts have no number: it may be that they have no end.
const MOST_PARTS: usize = 1 << 20;
/// The number of places of the heap whose terms can be known at a time.
const PLACES: usize = 1 << 13;

/// A term, or a part of one, as a number. Atoms and small integers are their cells.
pub(crate) type Part = u64;

/// What is to be done to a term, the last one first.
enum Todo {
    Term(Cell),
    Done(Part),
    /// The cells of a list, so many, are taken together, then its tail.
    List(usize),
    Structure(Functor),
}

/// The numbers of terms.
#[derive(Default)]
pub(crate) struct Interned {
    pairs: FastMap<(u64, Part, Part), u32>,
    /// The variables of the present term, in the order in which they occur.
    variables: FastMap<HeapAddr, u64>,
    /// Rows: for each the number of an older one with the same hash, its length and its parts.
    rows: Vec<u64>,
    /// The newest row with a hash.
    by_hash: FastMap<u64, u64>,
    /// The present row.
    row: Vec<Part>,
    /// Places of the heap where terms without variables begin, and these.
    known: Vec<(HeapAddr, Part)>,
    /// Where in `known` a place may be.
    places: Vec<u32>,
    todo: Vec<Todo>,
    done: Vec<Part>,
    /// The cells of the lists that are being taken apart.
    cells: Vec<HeapAddr>,
}

impl Interned {
    /// Bytes that the numbers take.
    pub(crate) fn bytes(&self) -> usize {
        let pair = size_of::<((u64, Part, Part), u32)>() + 1;
        let full = self.pairs.len() == self.pairs.capacity();
        let full_rows = self.by_hash.len() == self.by_hash.capacity();
        (self.pairs.capacity() << usize::from(full)) * pair
            + (self.by_hash.capacity() << usize::from(full_rows)) * (size_of::<[u64; 2]>() + 1)
            + self.rows.capacity() * size_of::<u64>()
            + self.known.capacity() * size_of::<(HeapAddr, Part)>()
            + self.places.capacity() * size_of::<u32>()
    }

    /// A row begins: its variables are counted anew.
    pub(crate) fn begin(&mut self) {
        self.variables.clear();
        self.row.clear();
    }

    /// Adds a part to the row.
    ///
    /// # Errors
    /// There is no memory.
    pub(crate) fn add(&mut self, part: Part) -> Result<(), Stop> {
        self.row.put(part)
    }

    /// The number of the row: that of its only part, if there is but one.
    ///
    /// # Errors
    /// There is no memory.
    pub(crate) fn row(&mut self) -> Result<Part, Stop> {
        if let &[part] = &*self.row {
            return Ok(part);
        }
        let hash = FastBuild::default().hash_one(&self.row);
        let newest = self.by_hash.get(&hash).copied().unwrap_or(NONE);
        let mut at = newest;
        while at != NONE {
            let kept = &self.rows[at as usize..];
            if kept[1] as usize == self.row.len() && kept[2..].starts_with(&self.row) {
                return Ok(at << 3 | ROW);
            }
            at = kept[0];
        }
        let at = self.rows.len() as u64;
        self.rows.put_slice(&[newest, self.row.len() as u64])?;
        let kept = self.rows.put_slice(&self.row);
        if let Err(stop) = kept.and_then(|()| self.by_hash.put_entry(hash, at).map(drop)) {
            self.rows.truncate(at as usize);
            return Err(stop);
        }
        Ok(at << 3 | ROW)
    }

    /// Has the present row no variables?
    pub(crate) fn is_ground(&self) -> bool {
        self.variables.is_empty()
    }

    /// How many places are known.
    pub(crate) fn places(&self) -> usize {
        self.known.len()
    }

    /// Forgets the places that have become known since there were so many.
    pub(crate) fn forget_places(&mut self, number: usize) {
        self.known.truncate(number);
    }

    /// The number of a pair of this kind. `None` if there are too many.
    fn numbered(&mut self, kind: u64, first: Part, second: Part) -> Result<Option<Part>, Stop> {
        let key = (kind, first, second);
        let number = match self.pairs.get(&key) {
            Some(&number) => number,
            None => {
                let Ok(number) = u32::try_from(self.pairs.len()) else {
                    return Ok(None);
                };
                self.pairs.put_entry(key, number)?;
                number
            }
        };
        Ok(Some(u64::from(number) << 3 | kind))
    }

    /// The number of two parts together.
    pub(crate) fn pair(&mut self, first: Part, second: Part) -> Result<Option<Part>, Stop> {
        self.numbered(PAIR, first, second)
    }

    /// The number of a term. `None` if it has none: it has attributed variables, no end, or very many parts.
    ///
    /// # Errors
    /// There is no memory.
    pub(crate) fn term(&mut self, store: &Store, term: Cell) -> Result<Option<Part>, Stop> {
        let cell = deref(term);
        match cell.tag() {
            tag::CON | tag::INT => return Ok(Some(cell.word())),
            _ => self.todo.clear(),
        }
        self.done.clear();
        self.cells.clear();
        self.todo.put(Todo::Term(cell))?;
        let mut parts = 0;
        while let Some(todo) = self.todo.pop() {
            parts += 1;
            if parts > MOST_PARTS {
                return Ok(None);
            }
            store.events.watch.go_on_counted(parts)?;
            let part = match todo {
                Todo::Done(part) => Some(part),
                Todo::List(number) => self.list(number)?,
                Todo::Structure(functor) => self.structure(functor)?,
                Todo::Term(cell) => match store.view(cell) {
                    View::List(first) => {
                        self.take_list(store, first, &mut parts)?;
                        continue;
                    }
                    View::Struct(functor, arguments) => {
                        self.todo.put(Todo::Structure(functor))?;
                        for index in (0..functor.arity()).rev() {
                            self.todo.put(Todo::Term(store.arg(arguments, index)))?;
                        }
                        continue;
                    }
                    View::Var(cell) => self.variable(cell)?,
                    View::Float(float) => self.words(tag::BOX, &[float.to_bits()])?,
                    View::Big(at) => {
                        let (negative, words) = store.big_words(at);
                        let sign = u64::from(negative);
                        let magnitude = self.words(PAIR, words)?;
                        match magnitude {
                            Some(part) => self.numbered(tag::BOX, sign, part)?,
                            None => None,
                        }
                    }
                    View::String(at) => self.text(store.text(at))?,
                    View::Atom(_) | View::Int(_) => Some(deref(cell).word()),
                },
            };
            let Some(part) = part else {
                return Ok(None);
            };
            self.done.put(part)?;
        }
        Ok(self.done.pop())
    }

    fn variable(&mut self, cell: Cell) -> Result<Option<Part>, Stop> {
        if cell.tag() != tag::REF {
            return Ok(None);
        }
        let next = self.variables.len() as u64;
        self.variables.make_room()?;
        let number = *self.variables.entry(cell.addr()).or_insert(next);
        Ok(Some(number << 3 | tag::REF))
    }

    /// Words that are no cells.
    fn words(&mut self, kind: u64, words: &[u64]) -> Result<Option<Part>, Stop> {
        let mut part = words.len() as u64;
        for &word in words {
            match self.numbered(kind, word, part)? {
                Some(next) => part = next,
                None => return Ok(None),
            }
        }
        Ok(Some(part))
    }

    fn text(&mut self, text: &str) -> Result<Option<Part>, Stop> {
        let mut part = text.len() as u64;
        for bytes in text.as_bytes().chunks(8) {
            let mut word = [0; 8];
            word[..bytes.len()].copy_from_slice(bytes);
            match self.numbered(PAIR, u64::from_le_bytes(word), part)? {
                Some(next) => part = next,
                None => return Ok(None),
            }
        }
        // Else a short text could be taken for a number of words.
        self.numbered(tag::BOX, 2, part)
    }

    /// Has the elements of a list taken apart, and its tail, up to a cell that is known.
    fn take_list(&mut self, store: &Store, first: HeapAddr, parts: &mut usize) -> Result<(), Stop> {
        let from = self.cells.len();
        let mut at = first;
        let tail = loop {
            if let Some(part) = self.known(at) {
                break Todo::Done(part);
            }
            self.cells.put(at)?;
            *parts += 1;
            let next = store.arg(at, 1);
            match store.view(next) {
                View::List(next) if *parts <= MOST_PARTS => at = next,
                _ => break Todo::Term(next),
            }
        };
        let number = self.cells.len() - from;
        self.todo.put(Todo::List(number))?;
        self.todo.put(tail)?;
        for index in (from..self.cells.len()).rev() {
            let element = store.arg(self.cells[index], 0);
            self.todo.put(Todo::Term(element))?;
        }
        Ok(())
    }

    fn list(&mut self, number: usize) -> Result<Option<Part>, Stop> {
        let mut tail = self.done.pop();
        for _ in 0..number {
            let (Some(part), Some(head), Some(cell)) = (tail, self.done.pop(), self.cells.pop())
            else {
                return Ok(None);
            };
            tail = self.numbered(tag::LST, head, part)?;
            if let Some(part) = tail {
                self.note(cell, part)?;
            }
        }
        Ok(tail)
    }

    fn structure(&mut self, functor: Functor) -> Result<Option<Part>, Stop> {
        let mut arguments = self.done.pop();
        for _ in 1..functor.arity() {
            let (Some(rest), Some(argument)) = (arguments, self.done.pop()) else {
                return Ok(None);
            };
            arguments = self.pair(argument, rest)?;
        }
        match arguments {
            Some(arguments) => self.numbered(tag::STR, Cell::functor(functor).word(), arguments),
            None => Ok(None),
        }
    }

    /// What begins at a place, if that is known.
    #[inline]
    pub(crate) fn known(&self, at: HeapAddr) -> Option<Part> {
        let place = *self.places.get(place_of(at))?;
        let &(found, part) = self.known.get(place as usize)?;
        (found == at).then_some(part)
    }

    /// Notes what begins at a place. That holds until the place is forgotten, which is up to the caller: before the heap
    /// changes there, and if the row has variables, before the next one begins.
    ///
    /// # Errors
    /// There is no memory.
    pub(crate) fn note(&mut self, at: HeapAddr, part: Part) -> Result<(), Stop> {
        while self.places.len() < PLACES {
            self.places.put(u32::MAX)?;
        }
        if let Ok(place) = u32::try_from(self.known.len()) {
            self.known.put((at, part))?;
            self.places[place_of(at)] = place;
        }
        Ok(())
    }
}

fn place_of(at: HeapAddr) -> usize {
    (at.bits() / WORD) as usize % PLACES
}
