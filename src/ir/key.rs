//! What the arguments of a clause head are, for the choice of clauses.

use super::apart::are_apart;
use crate::base::atom_table::{FastHasher, functors};
use crate::store::address::HeapAddr;
use crate::store::cell::{Cell, WORD, tag};
use crate::store::heap::deref;
use crate::store::raw;
use std::hash::Hasher;

/// What an argument is, in one word: the cell of a constant, the functor cell of a compound, or one
/// of the constants below, which are no such cells.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Key(u64);

impl Key {
    /// A variable: matches everything.
    pub(crate) const ANY: Key = Key(tag::REF);
    /// A list.
    pub(crate) const LIST: Key = Key(tag::LST);
    /// The constant of a universal quantifier, which looks like a compound.
    pub(crate) const EIGENVARIABLE: Key = Key(Cell::functor(functors::EIGENVARIABLE).word());
    /// An abstraction of Lolli.
    const LAMBDA: Key = Key(Cell::functor(functors::LAMBDA).word());
    /// A boxed value: looked at only by unification.
    pub(crate) const BOXED: Key = Key(tag::BOX);

    /// Something that has no such part as is looked for.
    pub(crate) const ELSEWHERE: Key = Key(tag::STR);

    /// The key of a term; the cell is dereferenced.
    #[inline(always)]
    pub(crate) fn of(cell: Cell) -> Key {
        match cell.tag() {
            tag::REF | tag::ATT => Key::ANY,
            tag::LST => Key::LIST,
            tag::STR => Key(raw::word(cell.addr())),
            tag::BOX => Key::BOXED,
            _ => Key(cell.word()),
        }
    }

    /// The key of a term in a switch: for a boxed value a hash of what it is. Equal values have the same one, and
    /// others hardly ever, so unification must follow. The cell is dereferenced.
    #[inline(always)]
    pub(crate) fn in_switch(cell: Cell) -> Key {
        match cell.tag() {
            tag::BOX => Key::boxed(cell),
            _ => Key::of(cell),
        }
    }

    /// The key of a boxed value in a switch.
    pub(crate) fn boxed(cell: Cell) -> Key {
        let mut hasher = FastHasher::default();
        hasher.write_u64(raw::word(cell.addr()));
        for &word in raw::payload(&cell, cell.addr()).iter().take(HASHED_WORDS) {
            hasher.write_u64(word);
        }
        Key(hasher.finish() << 3 | tag::BOX)
    }

    /// The key of a whole term, if it is ground and not large: equal terms have the same one, and
    /// others hardly ever. [`Key::ANY`] for all others. The cell is dereferenced.
    #[inline(always)]
    pub(crate) fn whole(cell: Cell) -> Key {
        match cell.tag() {
            tag::REF | tag::ATT => Key::ANY,
            tag::LST | tag::STR | tag::BOX => whole_term(cell).unwrap_or(Key::ANY),
            _ => Key(cell.word()),
        }
    }

    /// One key for several arguments, the same for the same keys. [`Key::ANY`] if one of them does
    /// not tell clauses apart.
    pub(crate) fn joined(keys: impl Iterator<Item = Key>) -> Key {
        let mut hasher = FastHasher::default();
        for key in keys {
            if !key.is_selective() {
                return Key::ANY;
            }
            hasher.write_u64(key.0);
        }
        Key::hashed(&hasher)
    }

    /// A number that is different for most different keys, in all its bits.
    pub(crate) fn spread(self) -> u64 {
        let mut hasher = FastHasher::default();
        hasher.write_u64(self.0);
        hasher.finish()
    }

    /// A hash, in the form of the key of an integer.
    fn hashed(hasher: &FastHasher) -> Key {
        Key(Cell::int(hasher.finish() as i64 >> 3).word())
    }

    /// The key that this is the word of.
    pub(crate) const fn from_word(word: u64) -> Key {
        Key(word)
    }

    /// The word that switches compare: the cell of a constant, or a functor cell.
    pub(crate) const fn word(self) -> u64 {
        self.0
    }

    /// The same as a cell, which leads nowhere if it is no constant.
    pub(crate) const fn cell(self) -> Cell {
        Cell::of_word(self.0)
    }

    /// Does it tell clauses apart without a look at their terms?
    #[inline(always)]
    pub(crate) fn is_selective(self) -> bool {
        self != Key::ANY && self != Key::BOXED
    }

    /// Is it an atom or an inline integer?
    pub(crate) const fn is_constant(self) -> bool {
        self.cell().is_int() || self.cell().is_atom()
    }

    /// Is it a compound other than a list?
    pub(crate) const fn is_structure(self) -> bool {
        self.cell().is_simple() && !self.is_constant()
    }
}

/// The bit in the mask of a table of `switch_on_structure` whose keys are those of boxed values.
pub(crate) const BOXED_TABLE: u64 = 1 << 32;

/// Words of a boxed value that its key in a switch depends on.
const HASHED_WORDS: usize = 32;

/// A term of more subterms and words of texts and numbers than this has no key of its own.
const SMALL_TERM: usize = 256;
/// Nor has one whose parts, but for the last arguments, are nested more deeply.
const FLAT_TERM: usize = 16;

/// The key of a ground term: a hash of what it consists of.
fn whole_term(term: Cell) -> Option<Key> {
    let mut hasher = FastHasher::default();
    let mut outer: [(HeapAddr, usize); FLAT_TERM] = [(HeapAddr::NONE, 0); FLAT_TERM];
    let mut depth = 0;
    let mut cell = term;
    let (mut at, mut count) = (HeapAddr::NONE, 0);
    let mut left = SMALL_TERM;
    loop {
        left = left.checked_sub(1)?;
        match cell.tag() {
            tag::REF | tag::ATT => return None,
            tag::BOX => {
                let words = raw::payload(&cell, cell.addr());
                left = left.checked_sub(words.len())?;
                hasher.write_u64(raw::word(cell.addr()));
                words.iter().for_each(|&word| hasher.write_u64(word));
            }
            tag::LST | tag::STR => {
                if count > 0 {
                    *outer.get_mut(depth)? = (at, count);
                    depth += 1;
                }
                hasher.write_u64(Key::of(cell).0);
                (at, count) = match cell.tag() {
                    tag::LST => (cell.addr(), 2),
                    _ => {
                        let arity = raw::cell(cell.addr()).as_functor().arity();
                        (cell.addr() + WORD, arity)
                    }
                };
            }
            _ => hasher.write_u64(cell.word()),
        }
        while count == 0 {
            if depth == 0 {
                return Some(Key::hashed(&hasher));
            }
            depth -= 1;
            (at, count) = outer[depth];
        }
        cell = deref(raw::cell(at));
        at += WORD;
        count -= 1;
    }
}

/// An argument of a compound, dereferenced; `None` if there is none, or no compound.
#[inline(always)]
pub(crate) fn part(cell: Cell, index: usize) -> Option<Cell> {
    let place = match cell.tag() {
        tag::LST if index < 2 => cell.addr() + index as u64 * WORD,
        tag::STR if index < raw::cell(cell.addr()).as_functor().arity() => {
            cell.addr() + (index as u64 + 1) * WORD
        }
        _ => return None,
    };
    Some(deref(raw::cell(place)))
}

/// How many arguments of a head are described by keys.
pub(crate) const KEYED_ARGS: usize = 8;

/// What the first arguments of a call are.
pub(crate) struct CallKeys {
    args: HeapAddr,
    keys: [Key; KEYED_ARGS],
    count: usize,
    /// Are heads looked at as a whole?
    whole: bool,
}

impl CallKeys {
    /// Of a call with so many arguments, which stand at this address; of no arguments all clauses
    /// are looked at.
    #[inline(always)]
    pub(crate) fn new(arity: usize, args: HeapAddr) -> CallKeys {
        let count = arity.min(KEYED_ARGS);
        let mut keys = [Key::ANY; KEYED_ARGS];
        for (index, key) in keys.iter_mut().enumerate().take(count) {
            *key = Key::of(deref(raw::cell(args + index as u64 * WORD)));
        }
        CallKeys {
            args,
            keys,
            count,
            whole: false,
        }
    }

    /// The same, but clauses whose heads differ in any place are passed over if `whole`: whether there is an index on that
    /// place or not. Searches by several machines need that.
    #[inline(always)]
    pub(crate) fn whole(self, whole: bool) -> CallKeys {
        CallKeys { whole, ..self }
    }

    /// May a head unify with the call whose keys may match? It is asked where heads are looked at as a whole.
    #[inline(always)]
    pub(crate) fn may_be(&self, head_arg: impl Fn(usize) -> Cell) -> bool {
        !self.whole || !self.is_apart(head_arg)
    }

    #[cold]
    #[inline(never)]
    fn is_apart(&self, head_arg: impl Fn(usize) -> Cell) -> bool {
        let open = |cell: Cell| Key::of(cell) == Key::LAMBDA;
        (0..self.count).any(|arg| {
            let argument = raw::cell(self.args + arg as u64 * WORD);
            are_apart(argument, head_arg(arg), open)
        })
    }

    /// The keys of the arguments.
    #[inline(always)]
    pub(crate) fn keys(&self) -> &[Key] {
        &self.keys[..self.count]
    }

    /// An argument, dereferenced; `None` beyond the last one that is looked at.
    pub(crate) fn argument(&self, index: usize) -> Option<Cell> {
        let place = self.args + index as u64 * WORD;
        (index < self.count).then(|| deref(raw::cell(place)))
    }
}

/// May an argument of key `clause` unify with one of key `call`?
#[inline(always)]
pub(crate) fn may_match(clause: Key, call: Key) -> bool {
    clause == call || clause == Key::ANY || call == Key::ANY
}
