#![expect(unsafe_code, reason = "cells that point are made of addresses")]
//! The bit layout of a cell. Only this file knows the layout.
//!
//! A cell is a 64-bit word whose low three bits are its tag:
//!
//! | tag | name | rest of the word |
//! |---|---|---|
//! | 000 | `REF` | address of another cell; its own address: an unbound variable |
//! | 001 | `LST` | address of two cells, head and tail |
//! | 010 | `STR` | address of a functor cell, arguments follow it |
//! | 011 | `CON` | a constant; bits 3 to 7 give its kind (below) |
//! | 100 | `ATT` | address of an attributed variable: its own cell, then its attributes |
//! | 101 | `BOX` | address of a box header, raw words follow it |
//! | 110 |       | reserved for packed text |
//! | 111 | `INT` | a signed integer of 61 bits |
//!
//! There are five `CON` kinds: an atom (`index << 8`), a functor cell (`index << 32 | arity << 8`), a box header
//! (`words << 16 | kind << 8`), a forwarding mark, and the mark of an absent value. A copy leaves forwarding marks
//! while it is under way. Functor cells and box headers occur only as the first word of their object.

use super::address::HeapAddr;
use crate::base::atom_table::{Atom, Functor};

/// A tagged word.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub(crate) struct Cell(pub(in crate::store) u64);

/// Bytes of a word: addresses count bytes.
pub(crate) const WORD: u64 = 8;

/// The low three bits of a cell.
pub(crate) mod tag {
    /// A reference, or an unbound variable when it refers to itself.
    pub(crate) const REF: u64 = 0;
    /// A list cell pair.
    pub(crate) const LST: u64 = 1;
    /// A compound term.
    pub(crate) const STR: u64 = 2;
    /// A constant.
    pub(crate) const CON: u64 = 3;
    /// An attributed variable.
    pub(crate) const ATT: u64 = 4;
    /// A boxed value: float, big integer, string.
    pub(crate) const BOX: u64 = 5;
    /// An inline integer.
    pub(crate) const INT: u64 = 7;
    /// All tag bits.
    pub(crate) const MASK: u64 = 7;
}

const KIND_MASK: u64 = 0xff;
const KIND_ATOM: u64 = tag::CON;
const KIND_FUNCTOR: u64 = 1 << 3 | tag::CON;
const KIND_BOX: u64 = 2 << 3 | tag::CON;
const KIND_FORWARD: u64 = 3 << 3 | tag::CON;
const KIND_ABSENT: u64 = 4 << 3 | tag::CON;

/// The kind of value in a box.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum BoxKind {
    /// One word: the bits of a double.
    Float = 0,
    /// Limbs of a non-negative big integer, least significant first.
    BigPositive = 1,
    /// Limbs of the magnitude of a negative big integer.
    BigNegative = 2,
    /// Number of bytes, then UTF-8 text padded with zeros to whole words, then the index of its characters
    /// (`base::char_index`).
    String = 3,
}

impl Cell {
    /// The mark of an absent value.
    pub(crate) const ABSENT: Cell = Cell(KIND_ABSENT);

    /// Returns the cell of a word. The word must come from a term, from a copy of a term in a block, or from code.
    #[inline(always)]
    pub(crate) const fn of_word(word: u64) -> Cell {
        Cell(word)
    }
    /// Returns the word of the cell.
    #[inline(always)]
    pub(crate) const fn word(self) -> u64 {
        self.0
    }
    /// Returns the tag bits.
    #[inline(always)]
    pub(crate) const fn tag(self) -> u64 {
        self.0 & tag::MASK
    }
    /// Returns the address in a pointer cell.
    #[inline(always)]
    pub(crate) const fn addr(self) -> HeapAddr {
        // SAFETY: a pointer cell is made only from such an address.
        unsafe { HeapAddr::from_bits(self.0 & !tag::MASK) }
    }
    /// Returns the address in a pointer cell of this tag.
    #[inline(always)]
    pub(crate) const fn addr_of<const TAG: u64>(self) -> HeapAddr {
        debug_assert!(self.tag() == TAG);
        // SAFETY: see `Cell::addr`.
        unsafe { HeapAddr::from_bits(self.0.wrapping_sub(TAG)) }
    }
    /// Returns a reference to the cell at `addr`. Stored at `addr` itself, it is an unbound variable.
    #[inline(always)]
    pub(crate) const fn reference(addr: HeapAddr) -> Cell {
        Cell(addr.bits())
    }
    /// Returns the address in a reference.
    #[inline(always)]
    pub(crate) const fn referred(self) -> HeapAddr {
        debug_assert!(self.tag() == tag::REF);
        // SAFETY: see `Cell::addr`.
        unsafe { HeapAddr::from_bits(self.0) }
    }
    /// Returns the list whose head is at `addr`.
    #[inline(always)]
    pub(crate) const fn list(addr: HeapAddr) -> Cell {
        Cell(addr.bits() | tag::LST)
    }
    /// Returns the compound whose functor cell is at `addr`.
    #[inline(always)]
    pub(crate) const fn structure(addr: HeapAddr) -> Cell {
        Cell(addr.bits() | tag::STR)
    }
    /// Returns the attributed variable at `addr`.
    #[inline(always)]
    pub(crate) const fn attributed(addr: HeapAddr) -> Cell {
        Cell(addr.bits() | tag::ATT)
    }
    /// Returns the box whose header is at `addr`.
    #[inline(always)]
    pub(crate) const fn boxed(addr: HeapAddr) -> Cell {
        Cell(addr.bits() | tag::BOX)
    }
    /// Returns a pointer of the same kind to another address.
    #[inline(always)]
    pub(crate) const fn moved_to(self, addr: HeapAddr) -> Cell {
        Cell(addr.bits() | self.tag())
    }
    /// Returns the cell of an atom.
    #[inline(always)]
    pub(crate) const fn atom(atom: Atom) -> Cell {
        Cell((atom.0 as u64) << 8 | KIND_ATOM)
    }
    /// Returns an inline integer. `value` must be in the inline range.
    #[inline(always)]
    pub(crate) const fn int(value: i64) -> Cell {
        Cell((value << 3) as u64 | tag::INT)
    }
    /// Returns the value of an inline integer.
    #[inline(always)]
    pub(crate) const fn int_value(self) -> i64 {
        (self.0 as i64) >> 3
    }
    /// Returns the functor cell of `functor`.
    #[inline(always)]
    pub(crate) const fn functor(functor: Functor) -> Cell {
        Cell(functor.0 << 8 | KIND_FUNCTOR)
    }
    /// Returns the header of a box with `words` words after it.
    pub(crate) const fn box_header(kind: BoxKind, words: usize) -> Cell {
        Cell((words as u64) << 16 | (kind as u64) << 8 | KIND_BOX)
    }
    /// Returns a forwarding mark to word `index` of a copy.
    pub(crate) const fn forward(index: u64) -> Cell {
        Cell(index << 8 | KIND_FORWARD)
    }

    /// Returns whether the cell is an inline integer.
    #[inline(always)]
    pub(crate) const fn is_int(self) -> bool {
        self.tag() == tag::INT
    }
    /// Returns whether the cell is an atom.
    #[inline(always)]
    pub(crate) const fn is_atom(self) -> bool {
        self.0 & KIND_MASK == KIND_ATOM
    }
    /// Returns whether the cell is a functor cell.
    #[inline(always)]
    pub(crate) const fn is_functor(self) -> bool {
        self.0 & KIND_MASK == KIND_FUNCTOR
    }
    /// Returns whether the cell is the header of a box.
    pub(crate) const fn is_box_header(self) -> bool {
        self.0 & KIND_MASK == KIND_BOX
    }
    /// Returns whether the cell is a forwarding mark.
    #[inline(always)]
    pub(crate) const fn is_forward(self) -> bool {
        self.0 & KIND_MASK == KIND_FORWARD
    }
    /// Returns the word index in a forwarding mark.
    pub(crate) const fn forward_index(self) -> u64 {
        self.0 >> 8
    }
    /// Returns the atom in an atom cell.
    #[inline(always)]
    pub(crate) const fn as_atom(self) -> Atom {
        Atom((self.0 >> 8) as u32)
    }
    /// Returns the functor in a functor cell.
    #[inline(always)]
    pub(crate) const fn as_functor(self) -> Functor {
        Functor(self.0 >> 8)
    }
    /// Returns the number of words after a box header.
    pub(crate) const fn box_words(self) -> usize {
        (self.0 >> 16) as usize
    }
    /// Returns the kind in a box header.
    pub(crate) const fn box_kind(self) -> BoxKind {
        match (self.0 >> 8) as u8 {
            0 => BoxKind::Float,
            1 => BoxKind::BigPositive,
            2 => BoxKind::BigNegative,
            _ => BoxKind::String,
        }
    }
    /// Returns whether the cell is a variable, plain or attributed. The cell must be dereferenced.
    #[inline(always)]
    pub(crate) const fn is_var(self) -> bool {
        self.0 & 3 == 0
    }
    /// Returns whether the cell is a constant of one word: an atom or an inline integer.
    #[inline(always)]
    pub(crate) const fn is_simple(self) -> bool {
        self.0 & 3 == 3
    }
    /// Returns whether the cell is a list or another compound.
    #[inline(always)]
    pub(crate) const fn is_compound(self) -> bool {
        matches!(self.tag(), tag::LST | tag::STR)
    }
}

impl std::fmt::Debug for Cell {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.tag() {
            tag::REF => write!(f, "REF {:#x}", self.0),
            tag::LST => write!(f, "LST {:?}", self.addr()),
            tag::STR => write!(f, "STR {:?}", self.addr()),
            tag::ATT => write!(f, "ATT {:?}", self.addr()),
            tag::BOX => write!(f, "BOX {:?}", self.addr()),
            tag::INT => write!(f, "INT {}", self.int_value()),
            _ if self.is_atom() => write!(f, "ATOM {}", self.as_atom().0),
            _ => write!(f, "CON {:#x}", self.0),
        }
    }
}
