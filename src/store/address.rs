#![expect(unsafe_code, reason = "addresses are made of bits here alone")]
//! Addresses of words. Their types say which kind of word is there, so that addresses are not confused. The types do
//! not prove that the word is still there.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Add, AddAssign, Sub, SubAssign};

/// Address of a word of this `Kind`.
#[repr(transparent)]
pub(crate) struct Addr<Kind>(u64, PhantomData<Kind>);

/// The kinds of words.
pub(crate) mod kind {
    /// The places where words of a kind may be.
    pub(crate) trait Kind {
        /// The areas of an engine, numbered as bits: heap, environments, choice points, trail.
        #[cfg(feature = "extra-checks")]
        const AREAS: u8;
        /// Whether words may also be in blocks outside of the areas.
        #[cfg(feature = "extra-checks")]
        const ELSEWHERE: bool;
    }

    macro_rules! kinds {
        ($($(#[$doc:meta])* $name:ident $areas:literal $elsewhere:literal;)*) => {
            $($(#[$doc])*
            pub(crate) enum $name {}

            impl Kind for $name {
                #[cfg(feature = "extra-checks")]
                const AREAS: u8 = $areas;
                #[cfg(feature = "extra-checks")]
                const ELSEWHERE: bool = $elsewhere;
            })*
        };
    }

    kinds! {
        /// A term: on the heap, in a slot or a saved register, in a clause, or in a pool of literals.
        Heap 0b0111 true;
        /// An environment.
        Env 0b0010 false;
        /// A choice point.
        Choice 0b0100 false;
        /// The trail.
        Trail 0b1000 false;
        /// Instructions.
        Code 0b0000 true;
        /// The table of the addresses that calls of predicates go to.
        Entries 0b0000 true;
    }
}

/// Address of a cell of a term.
pub(crate) type HeapAddr = Addr<kind::Heap>;
/// Address of an environment.
pub(crate) type EnvAddr = Addr<kind::Env>;
/// Address of a choice point.
pub(crate) type ChoiceAddr = Addr<kind::Choice>;
/// Address of an entry of the trail.
pub(crate) type TrailAddr = Addr<kind::Trail>;
/// Address of an instruction.
pub(crate) type CodeAddr = Addr<kind::Code>;

impl<Kind> Addr<Kind> {
    /// An address that refers to nothing: it is only compared, never read.
    pub(crate) const NONE: Self = Addr(0, PhantomData);
    /// An address after all others: it is only compared, never read.
    pub(crate) const MAX: Self = Addr(u64::MAX, PhantomData);

    /// Returns the address with these bits.
    ///
    /// # Safety
    /// While the address is used to read or to write, a word of this kind must be there. Otherwise the address may
    /// only be compared.
    #[inline(always)]
    pub(crate) const unsafe fn from_bits(bits: u64) -> Self {
        Addr(bits, PhantomData)
    }

    /// Returns the bits of the address.
    #[inline(always)]
    pub(crate) const fn bits(self) -> u64 {
        self.0
    }

    /// Returns the address `bytes` bytes after this one, in the same block or area.
    #[inline(always)]
    pub(crate) const fn plus(self, bytes: u64) -> Self {
        Addr(self.0 + bytes, PhantomData)
    }

    /// Returns the bytes from `from` to this address, or 0 if `from` is later.
    #[inline(always)]
    pub(crate) const fn saturating_sub(self, from: Self) -> u64 {
        self.0.saturating_sub(from.0)
    }

    /// Returns the address `bytes` bytes before this one, wrapping around.
    #[inline(always)]
    pub(crate) const fn wrapping_sub(self, bytes: u64) -> Self {
        Addr(self.0.wrapping_sub(bytes), PhantomData)
    }

    /// Returns the address `bytes` bytes after this one, wrapping around; so `bytes` may stand for a negative
    /// number.
    #[inline(always)]
    pub(crate) const fn wrapping_add(self, bytes: u64) -> Self {
        Addr(self.0.wrapping_add(bytes), PhantomData)
    }

    /// Returns the bytes from `from` to this address; if `from` is later, the number wraps around and is huge.
    #[inline(always)]
    pub(crate) const fn distance(self, from: Self) -> u64 {
        self.0.wrapping_sub(from.0)
    }

    /// Returns the bytes from `from` to this address, or `None` if `from` is later.
    #[inline(always)]
    pub(crate) const fn checked_sub(self, from: Self) -> Option<u64> {
        self.0.checked_sub(from.0)
    }
}

impl<Kind> Clone for Addr<Kind> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<Kind> Copy for Addr<Kind> {}

impl<Kind> Default for Addr<Kind> {
    fn default() -> Self {
        Self::NONE
    }
}

impl<Kind> PartialEq for Addr<Kind> {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<Kind> Eq for Addr<Kind> {}

impl<Kind> PartialOrd for Addr<Kind> {
    #[inline(always)]
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
    #[inline(always)]
    fn lt(&self, other: &Self) -> bool {
        self.0 < other.0
    }
    #[inline(always)]
    fn le(&self, other: &Self) -> bool {
        self.0 <= other.0
    }
    #[inline(always)]
    fn gt(&self, other: &Self) -> bool {
        self.0 > other.0
    }
    #[inline(always)]
    fn ge(&self, other: &Self) -> bool {
        self.0 >= other.0
    }
}

impl<Kind> Ord for Addr<Kind> {
    #[inline(always)]
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.cmp(&other.0)
    }
}

impl<Kind> std::hash::Hash for Addr<Kind> {
    #[inline(always)]
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl<Kind> fmt::Debug for Addr<Kind> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}

impl<Kind> Add<u64> for Addr<Kind> {
    type Output = Self;
    #[inline(always)]
    fn add(self, bytes: u64) -> Self {
        self.plus(bytes)
    }
}

impl<Kind> AddAssign<u64> for Addr<Kind> {
    #[inline(always)]
    fn add_assign(&mut self, bytes: u64) {
        self.0 += bytes;
    }
}

impl<Kind> Sub<u64> for Addr<Kind> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, bytes: u64) -> Self {
        Addr(self.0 - bytes, PhantomData)
    }
}

impl<Kind> SubAssign<u64> for Addr<Kind> {
    #[inline(always)]
    fn sub_assign(&mut self, bytes: u64) {
        self.0 -= bytes;
    }
}

impl<Kind> Sub for Addr<Kind> {
    type Output = u64;
    #[inline(always)]
    fn sub(self, from: Self) -> u64 {
        self.0 - from.0
    }
}

impl<Kind> Addr<Kind> {
    /// Returns the address of the first of these values. They must not move while the address is used.
    #[inline(always)]
    pub(crate) fn of_table<T>(values: &[T]) -> Self {
        Addr(values.as_ptr() as u64, PhantomData)
    }
}

impl CodeAddr {
    /// Returns the address of the first of these instructions. They must not move while the address is used.
    #[inline(always)]
    pub(crate) fn of(instructions: &[u64]) -> CodeAddr {
        Addr(instructions.as_ptr() as u64, PhantomData)
    }
}

/// The address of an instruction, with a label of 16 bits in the same word.
#[derive(Copy, Clone, Debug)]
pub(crate) struct LabelledCode(u64);

impl LabelledCode {
    const ADDRESS_BITS: u32 = 48;

    /// Returns the address with this label, or `None` if the address has more bits than fit.
    #[inline(always)]
    pub(crate) const fn new(code: CodeAddr, label: u16) -> Option<LabelledCode> {
        if code.0 >> Self::ADDRESS_BITS != 0 {
            return None;
        }
        Some(LabelledCode((label as u64) << Self::ADDRESS_BITS | code.0))
    }

    /// Returns the address.
    #[inline(always)]
    pub(crate) const fn code(self) -> CodeAddr {
        Addr(self.0 & ((1 << Self::ADDRESS_BITS) - 1), PhantomData)
    }

    /// Returns the label.
    #[inline(always)]
    pub(crate) const fn label(self) -> u16 {
        (self.0 >> Self::ADDRESS_BITS) as u16
    }
}

impl HeapAddr {
    /// Returns the address of a word of a block whose words are counted from 0.
    #[inline(always)]
    pub(crate) const fn in_block(word: usize) -> HeapAddr {
        Addr(word as u64 * 8, PhantomData)
    }

    /// Returns the number of the word in such a block.
    #[inline(always)]
    pub(crate) const fn block_word(self) -> usize {
        (self.0 / 8) as usize
    }
}
