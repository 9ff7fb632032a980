//! Terms as numbers: two terms have the same number if, and only if, they are variants of each other. A term is
//! taken apart into pairs. A pair that occurred before keeps its number, so a common part of many terms takes memory
//! once (the hash consing of A. P. Ershov, "On programming of arithmetic operations", 1958). Several terms together
//! are a row.
#![forbid(unsafe_code)]

use super::address::HeapAddr;
use super::cell::{Cell, WORD, tag};
use super::heap::{Store, View, deref};
use crate::base::atom_table::{FastBuild, FastMap, Functor};
use crate::base::growth::{Grow, GrowBy, GrowMap, GrowTable};
use crate::base::stop::Stop;
use std::hash::BuildHasher;

/// The tag of a pair that is a part of a term and no term itself. No cell has this tag.
const PAIR: u64 = 6;
/// Bits of the number of a pair.
pub(crate) const PAIR_BITS: u32 = 35;
/// The tag of a row. No number of a term has this tag.
const ROW: u64 = tag::ATT;
/// The absence of a row.
const NONE: u64 = u64::MAX;
/// Greatest number of parts of a term with a number. A larger term may be infinite.
const MOST_PARTS: usize = 1 << 20;
/// Number of places of the heap whose terms can be known at a time.
const PLACES: usize = 1 << 13;

/// A term, or a part of one, as a number. The number of an atom or a small integer is its cell.
pub(crate) type Part = u64;

/// Pending work on a term; the last entry is done first.
enum Todo {
    Term(Cell),
    Done(Part),
    /// Combines this number of cells of a list, then its tail.
    List(usize),
    Structure(Functor),
}

/// The numbers of terms.
#[derive(Default)]
pub(crate) struct Interned {
    pairs: FastMap<(u64, Part, Part), u32>,
    /// The variables of the present term, in order of first occurrence.
    variables: FastMap<HeapAddr, u64>,
    /// Rows: for each the number of an older one with the same hash, its length and its parts.
    rows: Vec<u64>,
    /// The newest row with each hash.
    by_hash: FastMap<u64, u64>,
    /// The present row.
    row: Vec<Part>,
    /// Places of the heap where terms without variables begin, with the numbers of these terms.
    known: Vec<(HeapAddr, Part)>,
    /// The index in `known` that a place may have.
    places: Vec<u32>,
    todo: Vec<Todo>,
    done: Vec<Part>,
    /// The cells of the lists that are being taken apart.
    cells: Vec<HeapAddr>,
}

impl Interned {
    /// Returns the number of bytes that the numbers take.
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

    /// Begins a row, which numbers its variables from the start.
    pub(crate) fn begin(&mut self) {
        self.variables.clear();
        self.row.clear();
    }

    /// Adds a part to the row.
    ///
    /// # Errors
    /// Returns an error if there is no memory.
    pub(crate) fn add(&mut self, part: Part) -> Result<(), Stop> {
        self.row.put(part)
    }

    /// Returns the number of the row. A row with one part has the number of that part.
    ///
    /// # Errors
    /// Returns an error if there is no memory.
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

    /// Returns whether the present row has no variables.
    pub(crate) fn is_ground(&self) -> bool {
        self.variables.is_empty()
    }

    /// Returns the number of known places.
    pub(crate) fn places(&self) -> usize {
        self.known.len()
    }

    /// Forgets the known places after the first `number`.
    pub(crate) fn forget_places(&mut self, number: usize) {
        self.known.truncate(number);
    }

    /// Returns the number of a pair of this kind, or `None` if there are too many pairs.
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

    /// Returns the number of two parts together.
    pub(crate) fn pair(&mut self, first: Part, second: Part) -> Result<Option<Part>, Stop> {
        self.numbered(PAIR, first, second)
    }

    /// Returns the number of a term. A term has no number (`None`) if it has attributed variables, is infinite, or
    /// has very many parts.
    ///
    /// # Errors
    /// Returns an error if there is no memory.
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

    /// Returns the number of words that are no cells.
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
        // Without this, a short text could be confused with a number of words.
        self.numbered(tag::BOX, 2, part)
    }

    /// Schedules the elements of a list and its tail, up to a cell that is known.
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

    /// Returns the number of the term that begins at a place, if it is known.
    #[inline]
    pub(crate) fn known(&self, at: HeapAddr) -> Option<Part> {
        let place = *self.places.get(place_of(at))?;
        let &(found, part) = self.known.get(place as usize)?;
        (found == at).then_some(part)
    }

    /// Notes the number of the term that begins at a place. The caller must forget the place before the heap changes
    /// there. If the row has variables, the caller must forget it before the next row begins.
    ///
    /// # Errors
    /// Returns an error if there is no memory.
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
