//! Keys: descriptions of arguments, for the selection of clauses.

use super::apart::are_apart;
use crate::base::atom_table::{FastHasher, functors};
use crate::store::address::HeapAddr;
use crate::store::cell::{Cell, WORD, tag};
use crate::store::heap::deref;
use crate::store::raw;
use std::hash::Hasher;

/// The description of an argument in one word. It is the cell of a constant, the functor cell of a compound, or one of
/// the constants below, which differ from all such cells.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Key(u64);

impl Key {
    /// A variable, which matches everything.
    pub(crate) const ANY: Key = Key(tag::REF);
    /// A list.
    pub(crate) const LIST: Key = Key(tag::LST);
    /// The constant of a universal quantifier, which looks like a compound.
    pub(crate) const EIGENVARIABLE: Key = Key(Cell::functor(functors::EIGENVARIABLE).word());
    /// An abstraction of Lolli.
    const LAMBDA: Key = Key(Cell::functor(functors::LAMBDA).word());
    /// A boxed value. Only unification looks at it.
    pub(crate) const BOXED: Key = Key(tag::BOX);

    /// A term without the requested part.
    pub(crate) const ELSEWHERE: Key = Key(tag::STR);

    /// Returns the key of a term. The cell must be dereferenced.
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

    /// Returns the key of a term in a switch. For a boxed value it is a hash of the value. Equal values have the same
    /// hash and different values rarely do, so unification must follow. The cell must be dereferenced.
    #[inline(always)]
    pub(crate) fn in_switch(cell: Cell) -> Key {
        match cell.tag() {
            tag::BOX => Key::boxed(cell),
            _ => Key::of(cell),
        }
    }

    /// Returns the key of a boxed value in a switch.
    pub(crate) fn boxed(cell: Cell) -> Key {
        let mut hasher = FastHasher::default();
        hasher.write_u64(raw::word(cell.addr()));
        for &word in raw::payload(&cell, cell.addr()).iter().take(HASHED_WORDS) {
            hasher.write_u64(word);
        }
        Key(hasher.finish() << 3 | tag::BOX)
    }

    /// Returns the key of a whole term, if it is ground and not large. Equal terms have the same key and different
    /// terms rarely do. Returns [`Key::ANY`] for all other terms. The cell must be dereferenced.
    #[inline(always)]
    pub(crate) fn whole(cell: Cell) -> Key {
        match cell.tag() {
            tag::REF | tag::ATT => Key::ANY,
            tag::LST | tag::STR | tag::BOX => whole_term(cell).unwrap_or(Key::ANY),
            _ => Key(cell.word()),
        }
    }

    /// Returns one key for several arguments. Equal keys give equal results. Returns [`Key::ANY`] if one of the keys
    /// does not distinguish clauses.
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

    /// Returns a hash of the key that spreads over all bits.
    pub(crate) fn spread(self) -> u64 {
        let mut hasher = FastHasher::default();
        hasher.write_u64(self.0);
        hasher.finish()
    }

    /// Returns a hash in the form of the key of an integer.
    fn hashed(hasher: &FastHasher) -> Key {
        Key(Cell::int(hasher.finish() as i64 >> 3).word())
    }

    /// Returns the key with this word.
    pub(crate) const fn from_word(word: u64) -> Key {
        Key(word)
    }

    /// Returns the word that switches compare: the cell of a constant, or a functor cell.
    pub(crate) const fn word(self) -> u64 {
        self.0
    }

    /// Returns the key as a cell. Only a constant is a valid cell.
    pub(crate) const fn cell(self) -> Cell {
        Cell::of_word(self.0)
    }

    /// Returns whether the key distinguishes clauses without a look at their terms.
    #[inline(always)]
    pub(crate) fn is_selective(self) -> bool {
        self != Key::ANY && self != Key::BOXED
    }

    /// Returns whether the key is that of an atom or an inline integer.
    pub(crate) const fn is_constant(self) -> bool {
        self.cell().is_int() || self.cell().is_atom()
    }

    /// Returns whether the key is that of a compound other than a list.
    pub(crate) const fn is_structure(self) -> bool {
        self.cell().is_simple() && !self.is_constant()
    }
}

/// The bit in the mask of a `switch_on_structure` table that marks keys of boxed values.
pub(crate) const BOXED_TABLE: u64 = 1 << 32;

/// Number of words of a boxed value that its key in a switch depends on.
const HASHED_WORDS: usize = 32;

/// Maximum number of subterms and words of texts and numbers in a term with a key of its own.
const SMALL_TERM: usize = 256;
/// Maximum nesting of a term with a key of its own, without last arguments.
const FLAT_TERM: usize = 16;

/// Returns the key of a ground term: a hash of its parts.
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

/// Returns an argument of a compound, dereferenced. Returns `None` if there is no such argument or if the term is not a
/// compound.
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

/// Number of head arguments that keys describe.
pub(crate) const KEYED_ARGS: usize = 8;

/// The keys of the first arguments of a call.
pub(crate) struct CallKeys {
    args: HeapAddr,
    keys: [Key; KEYED_ARGS],
    count: usize,
    /// Whether heads are compared as a whole.
    whole: bool,
}

impl CallKeys {
    /// Returns the keys of a call with `arity` arguments at the address `args`. A call without arguments looks at all
    /// clauses.
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

    /// Returns these keys with the comparison of whole heads turned on or off. With it, clauses whose heads differ at
    /// any place are skipped, whether an index covers that place or not. Searches divided among several machines need
    /// this.
    #[inline(always)]
    pub(crate) fn whole(self, whole: bool) -> CallKeys {
        CallKeys { whole, ..self }
    }

    /// Returns whether a head can unify with the call, if its keys match. The heads are compared only if whole heads
    /// are compared.
    #[inline(always)]
    pub(crate) fn can_unify(&self, head_arg: impl Fn(usize) -> Cell) -> bool {
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

    /// Returns the keys of the arguments.
    #[inline(always)]
    pub(crate) fn keys(&self) -> &[Key] {
        &self.keys[..self.count]
    }

    /// Returns an argument, dereferenced, or `None` beyond the last described argument.
    pub(crate) fn argument(&self, index: usize) -> Option<Cell> {
        let place = self.args + index as u64 * WORD;
        (index < self.count).then(|| deref(raw::cell(place)))
    }
}

/// Returns whether an argument with key `clause` can unify with one with key `call`.
#[inline(always)]
pub(crate) fn may_match(clause: Key, call: Key) -> bool {
    clause == call || clause == Key::ANY || call == Key::ANY
}
