//! Words that order terms by the beginning of their standard order. Sorting compares these words, and the terms
//! themselves only where the words are equal.
//!
//! One word is made of each term. If all terms are compounds of one functor, the word is made of their arguments
//! instead, from the left and inwards. The second word continues the first: it is made of the next argument if the
//! first word is complete, otherwise of the rest of a text.
#![forbid(unsafe_code)]

use super::address::HeapAddr;
use super::cell::{Cell, WORD, tag};
use super::compare::{Num, Rank, num, rank};
use super::heap::{Store, deref};
use super::raw;
use crate::base::atom_table::{Functor, Symbols, functors};
use crate::base::growth::{Grow, filled};
use crate::base::stop::Stop;

/// The words that order a term: the first word, then the second.
pub(crate) type Prefix = [u64; 2];

/// Prefixes of terms, in the order of the terms.
pub(crate) struct Prefixes {
    pub(crate) words: Vec<Prefix>,
    /// Whether terms with the same prefix are identical.
    pub(crate) complete: bool,
}

/// Greatest depth of the arguments that prefixes use, and greatest arity of the terms with such arguments.
const DEEPEST: usize = 4;
const WIDEST: usize = 8;

/// Bits of a word in addition to those for the rank.
const PAYLOAD: u32 = 61;
/// Bytes of a text in the first word.
const TEXT_BYTES: usize = 7;

/// A place in each of the terms: the numbers of the arguments from outside, counted from 0.
#[derive(Copy, Clone, Default)]
struct Path {
    steps: [u8; DEEPEST],
    length: usize,
}

impl Path {
    /// Returns the part of the term at this place. All parts on the way must be compounds with such arguments.
    #[inline(always)]
    fn part(&self, term: Cell) -> Cell {
        let mut cell = deref(term);
        for &step in &self.steps[..self.length] {
            cell = deref(raw::cell(arguments(cell) + u64::from(step) * WORD));
        }
        cell
    }

    fn inner(mut self, step: usize) -> Option<Path> {
        *self.steps.get_mut(self.length)? = step as u8;
        self.length += 1;
        Some(self)
    }
}

/// Returns the address of the arguments of a compound.
fn arguments(compound: Cell) -> HeapAddr {
    if compound.tag() == tag::LST {
        compound.addr()
    } else {
        compound.addr() + WORD
    }
}

fn functor_of(compound: Cell) -> Functor {
    if compound.tag() == tag::LST {
        functors::LIST
    } else {
        raw::cell(compound.addr()).as_functor()
    }
}

/// The parts of all terms at one place.
#[derive(Copy, Clone)]
struct Column {
    /// The functor, if all parts have the same one.
    functor: Option<Functor>,
    /// Whether a part is a boxed number.
    boxed_numbers: bool,
    /// Whether a part is a number but no float.
    other_than_floats: bool,
}

impl Store {
    /// Returns the prefixes of these terms, or `None` if there is no room for them.
    pub(crate) fn prefixes<T>(
        &self,
        items: &[T],
        term: impl Fn(&T) -> Cell,
        symbols: &Symbols,
    ) -> Result<Option<Prefixes>, Stop> {
        if (items.len() * size_of::<Prefix>()) as u64 > self.scratch_room() / 4 {
            return Ok(None);
        }
        let mut words: Vec<Prefix> = filled([0, 0], items.len())?;
        let mut todo = vec![Path::default()];
        let (mut word, mut exact) = (0, true);
        while let Some(path) = todo.pop() {
            let column = self.column(items, &term, path)?;
            if let Some(functor) = column.functor
                && functor.arity() <= WIDEST
                && path.length < DEEPEST
            {
                todo.put_all(
                    (0..functor.arity())
                        .rev()
                        .filter_map(|step| path.inner(step)),
                )?;
                continue;
            }
            exact = true;
            for (at, (item, words)) in items.iter().zip(&mut words).enumerate() {
                self.events.watch.go_on_at(at)?;
                let part = path.part(term(item));
                let (first, is_all) = first_word(part, column, symbols);
                words[word] = first;
                exact &= is_all;
                if word == 0 && !is_all {
                    words[1] = rest_of(part, column, symbols);
                }
            }
            word += 1;
            if word == 2 || !exact {
                break;
            }
        }
        let complete = exact && todo.is_empty();
        Ok(Some(Prefixes { words, complete }))
    }

    fn column<T>(
        &self,
        items: &[T],
        term: &impl Fn(&T) -> Cell,
        path: Path,
    ) -> Result<Column, Stop> {
        let mut column = Column {
            functor: None,
            boxed_numbers: false,
            other_than_floats: false,
        };
        for (at, item) in items.iter().enumerate() {
            self.events.watch.go_on_at(at)?;
            let part = path.part(term(item));
            if part.is_compound() {
                let functor = functor_of(part);
                if at == 0 {
                    column.functor = Some(functor);
                } else if column.functor != Some(functor) {
                    column.functor = None;
                }
            } else {
                column.functor = None;
                if part.is_int() {
                    column.other_than_floats = true;
                } else if rank(part) == Rank::Number {
                    column.boxed_numbers = true;
                    column.other_than_floats |= float(part).is_none();
                }
            }
        }
        Ok(column)
    }
}

/// Returns the first word of a part, and whether the word contains all of it.
fn first_word(part: Cell, column: Column, symbols: &Symbols) -> (u64, bool) {
    let rank = rank(part);
    let (payload, is_all) = match rank {
        Rank::Var => (part.addr().bits() >> 3, true),
        Rank::Number if column.boxed_numbers => match float(part) {
            Some(float) if !column.other_than_floats => {
                (float_order(float) >> (u64::BITS - PAYLOAD), false)
            }
            _ => (0, false),
        },
        Rank::Number => (
            part.int_value().wrapping_add(1 << (PAYLOAD - 1)) as u64,
            true,
        ),
        Rank::Atom | Rank::String => {
            let text = text_of(&part, symbols).as_bytes();
            let is_all = text.len() <= TEXT_BYTES && !text.contains(&0);
            (bytes_of(text) >> 8, is_all)
        }
        Rank::Compound => {
            let functor = functor_of(part);
            let arity = functor.arity().min(0xffff) as u64;
            let name = symbols.text(symbols.name(functor)).as_bytes();
            // If the arity is that large, the word ignores the name; the comparison looks at it.
            let name = if arity == 0xffff {
                0
            } else {
                bytes_of(name) >> 24
            };
            (arity << 40 | name, false)
        }
    };
    debug_assert!(payload >> PAYLOAD == 0, "a prefix in {PAYLOAD} bits");
    ((rank as u64) << PAYLOAD | payload, is_all)
}

/// Returns the float of a number.
fn float(number: Cell) -> Option<f64> {
    match num(&number) {
        Num::Float(float) => Some(float),
        _ => None,
    }
}

/// Returns a word for each float, in the order of floats.
fn float_order(float: f64) -> u64 {
    const SIGN: u64 = 1 << 63;
    match float.to_bits() {
        _ if float.is_nan() => 0,
        bits if bits & SIGN == 0 => bits | SIGN,
        bits => !bits,
    }
}

/// Returns the word for the rest of a text, or of a float, after its first word.
fn rest_of(part: Cell, column: Column, symbols: &Symbols) -> u64 {
    match rank(part) {
        Rank::Number if !column.other_than_floats => float(part).map_or(0, float_order),
        Rank::Atom | Rank::String => {
            let text = text_of(&part, symbols).as_bytes();
            bytes_of(text.get(TEXT_BYTES..).unwrap_or_default())
        }
        _ => 0,
    }
}

fn text_of<'a>(part: &'a Cell, symbols: &'a Symbols) -> &'a str {
    if part.is_atom() {
        symbols.text(part.as_atom())
    } else {
        raw::text(part, part.addr())
    }
}

/// Returns the first eight bytes of a text, padded with 0. The order of texts in UTF-8 by bytes is their order by
/// characters.
fn bytes_of(text: &[u8]) -> u64 {
    let mut bytes = [0; 8];
    let count = text.len().min(8);
    bytes[..count].copy_from_slice(&text[..count]);
    u64::from_be_bytes(bytes)
}
