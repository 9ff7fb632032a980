//! Packed terms of rules. They are rarely read. So a rule that has its code keeps only its head as words, and its
//! body as a stream of numbers.
//!
//! A number is stored as groups of seven bits, one a byte, the least significant first. The first two numbers are the
//! number of words of the head, and of the body after unpacking. Then one number follows for the body and one for
//! each argument in it. The arguments of one object come after those of the other, in the order in which the objects
//! are referred to. So unpacking needs no stack: it lays objects one behind the other, and the numbers are for the
//! words that are laid, in their order. The low three bits of a number are its kind.

use crate::base::atom_table::{Atom, Functor, functors};
use crate::base::growth::{Grow, GrowBy, filled, with_room};
use crate::base::stop::Stop;
use crate::store::address::HeapAddr;
use crate::store::cell::{Cell, WORD, tag};
use crate::store::copy::relocated;
use crate::store::heap::Store;
use crate::store::raw;

/// Maximum number of words of a term that is packed.
const MOST_WORDS: usize = 1 << 12;
/// Number of words of `Head :- Body` itself.
const NECK: usize = 3;

const KIND_BITS: u32 = 3;
const KINDS: u64 = (1 << KIND_BITS) - 1;
/// An atom, by its number.
const ATOM: u64 = 0;
/// An integer: its value, with its sign in the lowest bit.
const INTEGER: u64 = 1;
/// A variable of the head: the number of its word in the head.
const HEAD: u64 = 2;
/// A variable of the body: 0 at its first occurrence, then the number of the word of that occurrence, from 2 on. The
/// number is 1 if the variable is the whole body.
const VARIABLE: u64 = 3;
/// A compound: the number of its functor, and its arity. An arity of [`MANY`] or more follows as a number of its own.
const STRUCTURE: u64 = 4;
/// A list cell.
const LIST: u64 = 5;

const ARITY_BITS: u32 = 3;
const MANY: u64 = (1 << ARITY_BITS) - 1;

/// A packed rule.
#[derive(Debug, PartialEq)]
pub(in crate::program) struct Packed {
    /// The words of the head. Its pointers are byte offsets.
    pub(in crate::program) head: Vec<u64>,
    /// Root of the head.
    pub(in crate::program) root: Cell,
    /// The body.
    pub(in crate::program) stream: Vec<u64>,
}

/// The meaning of a cell of the source. The number of its first word identifies an object.
enum Found {
    Atom(Atom),
    Integer(i64),
    Variable(usize),
    Structure(usize, Functor),
    List(usize),
    /// A cell that cannot be packed.
    Other,
}

struct Packer<'a> {
    source: &'a [u64],
    /// The address of the source, or 0 if its pointers are offsets.
    base: u64,
    /// The objects laid so far. Cells of the source lie in them until they are processed.
    laid: Vec<u64>,
    /// One number for each word of the source, for variables seen so far. For a variable of the head: its word in the
    /// head, from 1 on. For another: the number of words of the head plus the number that packs later occurrences.
    places: Vec<u32>,
    /// Number of words of the head.
    head: usize,
    bytes: Vec<u8>,
}

/// Packs a rule, given as a block of words and the root of the term in it. Pointers are relative to `base`. Returns
/// `None` if the rule is large, shares parts, or has values that take words of their own, or if the term is no rule.
pub(in crate::program) fn pack(
    source: &[u64],
    root: Cell,
    base: u64,
) -> Result<Option<Packed>, Stop> {
    if source.len() > MOST_WORDS {
        return Ok(None);
    }
    let mut packer = Packer {
        source,
        base,
        laid: with_room(source.len())?,
        places: filled(0, source.len())?,
        head: 0,
        bytes: with_room(source.len() * 2)?,
    };
    let Found::Structure(neck, functors::NECK) = packer.find(root) else {
        return Ok(None);
    };
    let [head, body] = [1, 2].map(|index| Cell::of_word(source[neck + index]));
    let Some(root) = packer.take_head(head) else {
        return Ok(None);
    };
    if !packer.take_body(body)? {
        return Ok(None);
    }
    packer.finish(root).map(Some)
}

impl Packer<'_> {
    fn find(&self, mut cell: Cell) -> Found {
        loop {
            let at = ((cell.addr().bits().wrapping_sub(self.base)) / WORD) as usize;
            return match cell.tag() {
                tag::REF => {
                    let next = Cell::of_word(self.source[at]);
                    if next != cell {
                        cell = next;
                        continue;
                    }
                    Found::Variable(at)
                }
                tag::STR => Found::Structure(at, Cell::of_word(self.source[at]).as_functor()),
                tag::LST => Found::List(at),
                tag::INT => Found::Integer(cell.int_value()),
                _ if cell.is_atom() => Found::Atom(cell.as_atom()),
                _ => Found::Other,
            };
        }
    }

    /// Lays an object of the source behind the others, and returns its offset. Returns `None` if there are more words
    /// than the source has, because then parts of the source are shared.
    fn lay(&mut self, from: usize, words: usize) -> Option<u64> {
        let offset = self.laid.len() as u64 * WORD;
        if NECK + self.laid.len() + words > self.source.len() {
            return None;
        }
        self.laid.put_slice(&self.source[from..from + words]).ok()?;
        Some(offset)
    }

    /// Lays the head, and returns its root.
    fn take_head(&mut self, head: Cell) -> Option<Cell> {
        let root = self.place(head, 0).filter(|root| root.tag() != tag::REF)?;
        let mut at = 0;
        while at < self.laid.len() {
            let cell = Cell::of_word(self.laid[at]);
            if !cell.is_functor() {
                self.laid[at] = self.place(cell, at)?.word();
            }
            at += 1;
        }
        self.head = self.laid.len();
        Some(root)
    }

    /// Returns the content of this word of the head for a cell of the source.
    fn place(&mut self, cell: Cell, at: usize) -> Option<Cell> {
        let (offset, tag) = match self.find(cell) {
            Found::Atom(atom) => return Some(Cell::atom(atom)),
            Found::Integer(value) => return Some(Cell::int(value)),
            Found::Variable(from) => {
                let place = &mut self.places[from];
                if *place == 0 {
                    *place = at as u32 + 1;
                }
                (u64::from(*place - 1) * WORD, tag::REF)
            }
            Found::Structure(from, functor) => (self.lay(from, functor.arity() + 1)?, tag::STR),
            Found::List(from) => (self.lay(from, 2)?, tag::LST),
            Found::Other => return None,
        };
        Some(Cell::of_word(offset | tag))
    }

    /// Writes the body. Returns whether it can be packed.
    fn take_body(&mut self, body: Cell) -> Result<bool, Stop> {
        if !self.item(body, 1)? {
            return Ok(false);
        }
        let mut at = self.head;
        while at < self.laid.len() {
            let cell = Cell::of_word(self.laid[at]);
            if !cell.is_functor() && !self.item(cell, at - self.head + 2)? {
                return Ok(false);
            }
            at += 1;
        }
        Ok(true)
    }

    /// Writes the item for a cell of the source. If a variable occurs first here, later occurrences are packed as
    /// `place`. Returns whether the cell can be packed.
    fn item(&mut self, cell: Cell, place: usize) -> Result<bool, Stop> {
        let (kind, number) = match self.find(cell) {
            Found::Atom(atom) => (ATOM, u64::from(atom.0)),
            Found::Integer(value) => (INTEGER, (value << 1 ^ value >> 63) as u64),
            Found::Variable(from) => match self.places[from] as usize {
                0 => {
                    self.places[from] = (self.head + place) as u32;
                    (VARIABLE, 0)
                }
                place if place <= self.head => (HEAD, place as u64 - 1),
                place => (VARIABLE, (place - self.head) as u64),
            },
            Found::Structure(from, functor) => {
                let arity = functor.arity();
                if self.lay(from, arity + 1).is_none() {
                    return Ok(false);
                }
                let few = (arity as u64).min(MANY);
                put_number(
                    &mut self.bytes,
                    ((functor.index() as u64) << ARITY_BITS | few) << KIND_BITS | STRUCTURE,
                )?;
                if few == MANY {
                    put_number(&mut self.bytes, arity as u64)?;
                }
                return Ok(true);
            }
            Found::List(from) => {
                if self.lay(from, 2).is_none() {
                    return Ok(false);
                }
                (LIST, 0)
            }
            Found::Other => return Ok(false),
        };
        put_number(&mut self.bytes, number << KIND_BITS | kind)?;
        Ok(true)
    }

    fn finish(mut self, root: Cell) -> Result<Packed, Stop> {
        let mut start = Vec::new();
        put_number(&mut start, self.head as u64)?;
        put_number(&mut start, (self.laid.len() - self.head) as u64)?;
        let bytes = start.len() + self.bytes.len();
        let mut stream = filled(0, bytes.div_ceil(WORD as usize))?;
        for (at, &byte) in start.iter().chain(&self.bytes).enumerate() {
            stream[at / WORD as usize] |= u64::from(byte) << (at % WORD as usize * 8);
        }
        self.laid.truncate(self.head);
        Ok(Packed {
            head: self.laid,
            root,
            stream,
        })
    }
}

fn put_number(bytes: &mut Vec<u8>, mut number: u64) -> Result<(), Stop> {
    while number > 0x7f {
        bytes.put(number as u8 | 0x80)?;
        number >>= 7;
    }
    bytes.put(number as u8)
}

/// An item of a packed body: the meaning of one cell.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(in crate::program) enum Item {
    /// An atom or integer.
    Constant(Cell),
    /// A variable of the head, by the number of its word there.
    Head(u64),
    /// A variable of the body: 0 at its first occurrence, then its place.
    Variable(u64),
    /// A compound. Its arguments come after the arguments of all objects that are referred to earlier.
    Structure(Functor),
    /// A list cell, with its arguments in the same order.
    List,
}

impl Item {
    /// Returns the number of items that this item refers to.
    fn arity(self) -> usize {
        match self {
            Item::Structure(functor) => functor.arity(),
            Item::List => 2,
            _ => 0,
        }
    }

    /// Returns a word that differs from those of other items. For an atom or a compound it is the atom or functor
    /// cell.
    pub(in crate::program) fn word(self) -> u64 {
        match self {
            Item::Constant(cell) => cell.word(),
            Item::Head(word) => word << KIND_BITS | tag::REF,
            Item::Variable(number) => number << KIND_BITS | tag::ATT,
            Item::Structure(functor) => Cell::functor(functor).word(),
            Item::List => tag::LST,
        }
    }
}

/// The items of a packed body.
pub(in crate::program) struct Items<'a> {
    stream: &'a [u64],
    /// Index of the next byte.
    at: usize,
    /// Number of items that are left, as far as is known.
    left: usize,
    /// Number of words of the head.
    pub(in crate::program) head: usize,
    /// Number of words of the body.
    pub(in crate::program) body: usize,
}

impl<'a> Items<'a> {
    /// Makes a reader of a packed body.
    pub(in crate::program) fn new(stream: &'a [u64]) -> Items<'a> {
        let mut items = Items {
            stream,
            at: 0,
            left: 1,
            head: 0,
            body: 0,
        };
        items.head = items.number() as usize;
        items.body = items.number() as usize;
        items
    }

    fn number(&mut self) -> u64 {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = self.stream[self.at / WORD as usize] >> (self.at % WORD as usize * 8);
            self.at += 1;
            number |= (byte & 0x7f) << shift;
            shift += 7;
            if byte & 0x80 == 0 {
                return number;
            }
        }
    }
}

impl Iterator for Items<'_> {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        self.left = self.left.checked_sub(1)?;
        let number = self.number();
        let value = number >> KIND_BITS;
        let item = match number & KINDS {
            ATOM => Item::Constant(Cell::atom(Atom(value as u32))),
            INTEGER => Item::Constant(Cell::int((value >> 1) as i64 ^ -((value & 1) as i64))),
            HEAD => Item::Head(value),
            VARIABLE => Item::Variable(value),
            STRUCTURE => {
                let arity = match value & MANY {
                    MANY => self.number(),
                    few => few,
                };
                Item::Structure(Functor::new((value >> ARITY_BITS) as u32, arity as u32))
            }
            _ => Item::List,
        };
        self.left += item.arity();
        Some(item)
    }
}

/// The target of an unpacked rule.
trait Room {
    fn get(&self, at: usize) -> Cell;
    fn set(&mut self, at: usize, cell: Cell);
}

impl Room for Vec<u64> {
    fn get(&self, at: usize) -> Cell {
        Cell::of_word(self[at])
    }
    fn set(&mut self, at: usize, cell: Cell) {
        self[at] = cell.word();
    }
}

impl Room for HeapAddr {
    #[inline(always)]
    fn get(&self, at: usize) -> Cell {
        raw::cell(*self + at as u64 * WORD)
    }
    #[inline(always)]
    fn set(&mut self, at: usize, cell: Cell) {
        raw::set_cell(*self + at as u64 * WORD, cell);
    }
}

/// A packed rule in a clause: its body, the words of its head, and the root of the head.
#[derive(Copy, Clone)]
pub(in crate::program) struct Rule<'a> {
    pub(in crate::program) stream: &'a [u64],
    pub(in crate::program) head: &'a [u64],
    pub(in crate::program) root: Cell,
}

impl Rule<'_> {
    /// Unpacks the rule. Returns the words of `Head :- Body`, whose pointers are addresses, and its root.
    pub(in crate::program) fn unpack(self) -> Result<(Vec<u64>, Cell), Stop> {
        let items = Items::new(self.stream);
        let mut words = filled(0, NECK + items.head + items.body)?;
        let base = words.as_ptr() as u64;
        let root = self.lay(items, &mut words, base);
        Ok((words, root))
    }

    /// Unpacks the rule to the heap.
    pub(in crate::program) fn load(self, store: &mut Store) -> Result<Cell, Stop> {
        let items = Items::new(self.stream);
        let words = NECK + items.head + items.body;
        store.reserve(words)?;
        let mut addr = store.allocate(words);
        let base = addr.bits();
        Ok(self.lay(items, &mut addr, base))
    }

    /// Unpacks the rule to the room from the address `base` on.
    fn lay(self, items: Items<'_>, room: &mut impl Room, base: u64) -> Cell {
        let cell = |at: usize, tag: u64| Cell::of_word((base + at as u64 * WORD) | tag);
        let moved = (base + NECK as u64 * WORD).wrapping_sub(self.head.as_ptr() as u64);
        room.set(0, Cell::functor(functors::NECK));
        room.set(1, relocated(self.root, moved));
        for (at, &word) in self.head.iter().enumerate() {
            room.set(NECK + at, relocated(Cell::of_word(word), moved));
        }
        let start = NECK + self.head.len();
        let (mut at, mut end) = (NECK - 1, start);
        for item in items {
            let placed = match item {
                Item::Constant(cell) => cell,
                Item::Head(word) => cell(NECK + word as usize, tag::REF),
                Item::Variable(0) => cell(at, tag::REF),
                Item::Variable(1) => cell(NECK - 1, tag::REF),
                Item::Variable(place) => cell(start + place as usize - 2, tag::REF),
                Item::Structure(functor) => {
                    room.set(end, Cell::functor(functor));
                    cell(end, tag::STR)
                }
                Item::List => cell(end, tag::LST),
            };
            let first = match item {
                Item::Structure(_) => end + 1,
                _ => end,
            };
            end = first + item.arity();
            for inner in first..end {
                room.set(inner, Cell::ABSENT);
            }
            room.set(at, placed);
            at = if at < NECK { start } else { at + 1 };
            while at < end && room.get(at).is_functor() {
                at += 1;
            }
        }
        cell(0, tag::STR)
    }
}

#[cfg(test)]
mod tests {
    use super::{Items, Rule, pack};
    use crate::base::atom_table::{Atom, Functor, functors};
    use crate::store::cell::Cell;
    use crate::store::copy::{relocate, relocated};
    use crate::store::heap::Store;

    struct Terms {
        store: Store,
        seed: u64,
        variables: Vec<Cell>,
    }

    impl Terms {
        fn below(&mut self, end: u64) -> u64 {
            self.seed = self
                .seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (self.seed >> 33) % end
        }

        fn variable(&mut self) -> Cell {
            let number = self.below(6) as usize;
            while self.variables.len() <= number {
                let fresh = self.store.new_var();
                self.variables.push(fresh);
            }
            self.variables[number]
        }

        fn term(&mut self, depth: u64) -> Cell {
            match self.below(if depth == 0 { 4 } else { 8 }) {
                0 => Cell::atom(Atom(self.below(1 << 20) as u32)),
                1 => Cell::int((self.below(1 << 30) as i64 - (1 << 29)) << self.below(31)),
                2 | 3 => self.variable(),
                4 => {
                    let (head, tail) = (self.term(depth - 1), self.term(depth - 1));
                    self.store.new_list(head, tail)
                }
                _ => self.structure(depth - 1),
            }
        }

        fn structure(&mut self, depth: u64) -> Cell {
            let arity = self.below(12);
            let args: Vec<Cell> = (0..arity).map(|_| self.term(depth)).collect();
            let functor = Functor::new(self.below(1 << 20) as u32, arity as u32);
            self.store.new_struct(functor, &args)
        }

        fn rule(&mut self) -> Cell {
            self.variables.clear();
            let head = self.structure(2);
            let body = self.term(4);
            self.store.new_struct(functors::NECK, &[head, body])
        }
    }

    fn terms() -> Terms {
        Terms {
            store: Store::new(1 << 26).unwrap(),
            seed: 35,
            variables: Vec::new(),
        }
    }

    /// Returns the block of a term in the form that clauses get: its pointers are offsets.
    fn block(terms: &mut Terms, term: Cell) -> (Vec<u64>, Cell) {
        let (mut words, mut places) = (Vec::new(), Vec::new());
        let root = terms
            .store
            .copy_clause_out(term, &[], &mut words, &mut places);
        (words, Cell::of_word(root.unwrap()))
    }

    #[test]
    fn rules_are_unpacked_as_they_were() {
        let mut terms = terms();
        let mut count = 0;
        for _ in 0..5_000 {
            let (start, rule) = (terms.store.heap_top, terms.rule());
            let (words, root) = block(&mut terms, rule);
            let packed = pack(&words, root, 0).unwrap();
            let mut packed = packed.expect("nothing is shared");
            let base = packed.head.as_ptr() as u64;
            relocate(&mut packed.head, base, &terms.store.events.watch).unwrap();
            let root = relocated(packed.root, base);
            let lies = Rule {
                stream: &packed.stream,
                head: &packed.head,
                root,
            };
            let (unpacked, root) = lies.unpack().unwrap();
            assert_eq!(unpacked.len(), words.len());
            let items = Items::new(&packed.stream);
            assert_eq!(items.head, packed.head.len());
            assert_eq!(3 + items.head + items.body, unpacked.len());
            count += items.count();
            let loaded = terms.store.load_block(&unpacked, root).unwrap();
            assert_eq!(terms.store.variant(rule, loaded), Ok(true));
            let loaded = lies.load(&mut terms.store).unwrap();
            assert_eq!(terms.store.variant(rule, loaded), Ok(true));
            terms.store.heap_top = start;
        }
        assert!(count > 20_000, "{count} items");
    }

    #[test]
    fn rules_that_share_parts_or_have_boxes_are_not_packed() {
        let mut terms = terms();
        let f = Functor::new(1000, 2);
        let x = terms.store.new_var();
        let part = terms.store.new_struct(f, &[x, Cell::int(1)]);
        let shared = terms.store.new_struct(f, &[part, part]);
        let float = terms.store.new_float(1.5);
        let boxed = terms.store.new_struct(f, &[float, x]);
        for body in [shared, boxed] {
            let rule = terms.store.new_struct(functors::NECK, &[part, body]);
            let (words, root) = block(&mut terms, rule);
            assert_eq!(pack(&words, root, 0), Ok(None));
        }
        let (words, root) = block(&mut terms, part);
        assert_eq!(pack(&words, root, 0), Ok(None), "it is no rule");
    }
}
