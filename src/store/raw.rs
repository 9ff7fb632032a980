#![expect(unsafe_code, reason = "cells are read and written by address")]
//! Access to words by address.
//!
//! Addresses come only from pointer cells and registers of the engine. These are made only from allocations in its
//! areas, from pools of literals and from loaded code. All of these outlive every cell that points to them. The
//! functions here rely on this invariant. Under `debug_assertions` each access checks as much of it as possible.

use super::address::kind::Kind;
use super::address::{Addr, CodeAddr, HeapAddr};
use super::cell::{Cell, WORD};
use crate::base::stop::Stop;
use crate::base::watch::{PIECE, STEPS, Watch};
use std::marker::PhantomData;
use std::sync::Arc;

/// Checks, as far as possible, that `addr` is the address of a word of this kind.
#[inline(always)]
fn check<K: Kind>(addr: Addr<K>) {
    #[cfg(feature = "extra-checks")]
    super::extra_checks::check(addr.bits(), K::AREAS, K::ELSEWHERE);
    debug_assert!(
        addr.bits() >= 4096 && addr.bits().is_multiple_of(8),
        "no word: {addr:?}"
    );
}

/// Returns the word at `addr`.
#[inline(always)]
pub(crate) fn word<K: Kind>(addr: Addr<K>) -> u64 {
    check(addr);
    // SAFETY: see the head of this file.
    unsafe { *(addr.bits() as *const u64) }
}

/// Writes the word at `addr`.
#[inline(always)]
pub(crate) fn set_word<K: Kind>(addr: Addr<K>, word: u64) {
    check(addr);
    // SAFETY: see the head of this file.
    unsafe { *(addr.bits() as *mut u64) = word };
}

/// Returns 16 bits of the word at `addr`: number `SLOT`, counted from the lowest.
#[inline(always)]
pub(crate) fn half<const SLOT: u64>(addr: CodeAddr) -> u16 {
    if cfg!(target_endian = "big") {
        return (word(addr) >> (16 * SLOT)) as u16;
    }
    debug_assert!(SLOT < 4);
    check(addr);
    // SAFETY: see the head of this file.
    unsafe { *((addr.bits() + 2 * SLOT) as *const u16) }
}

/// Returns the upper 32 bits of the word at `addr`.
#[inline(always)]
pub(crate) fn upper(addr: CodeAddr) -> u32 {
    if cfg!(target_endian = "big") {
        return (word(addr) >> 32) as u32;
    }
    check(addr);
    // SAFETY: see the head of this file.
    unsafe { *((addr.bits() + 4) as *const u32) }
}

/// Returns a byte of the word at `addr`: number `BYTE`, counted from the lowest.
#[inline(always)]
pub(crate) fn byte<const BYTE: u64>(addr: CodeAddr) -> u8 {
    if cfg!(target_endian = "big") {
        return (word(addr) >> (8 * BYTE)) as u8;
    }
    debug_assert!(BYTE < 8);
    check(addr);
    // SAFETY: see the head of this file.
    unsafe { *((addr.bits() + BYTE) as *const u8) }
}

/// Returns the address of an instruction that the word at `addr` holds. The word belongs to code, to a table of
/// entries or to a frame.
#[inline(always)]
pub(crate) fn code_at<K: Kind>(addr: Addr<K>) -> CodeAddr {
    // SAFETY: the compiler or the machine has stored this address there.
    unsafe { CodeAddr::from_bits(word(addr)) }
}

/// Returns the cell at `addr`.
#[inline(always)]
pub(crate) fn cell<K: Kind>(addr: Addr<K>) -> Cell {
    Cell(word(addr))
}

/// Writes the cell at `addr`.
#[inline(always)]
pub(crate) fn set_cell<K: Kind>(addr: Addr<K>, cell: Cell) {
    set_word(addr, cell.0);
}

/// A field of the records at addresses of kind `K`: one word, which holds a `Value`.
pub(crate) struct Field<K, Value>(u64, PhantomData<(K, Value)>);

impl<K, Value> Clone for Field<K, Value> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K, Value> Copy for Field<K, Value> {}

impl<K, Value> Field<K, Value> {
    /// Returns the field that begins `bytes` bytes after the beginning of the record.
    ///
    /// # Safety
    /// All records of this kind must hold such a value there.
    pub(crate) const unsafe fn new(bytes: u64) -> Self {
        Field(bytes, PhantomData)
    }
}

/// A value that a word can hold.
pub(crate) trait Word: Copy {
    /// Returns the value of a word from a field.
    fn of_field(word: u64) -> Self;
    /// Returns the word of the value.
    fn to_word(self) -> u64;
}

impl Word for u64 {
    #[inline(always)]
    fn of_field(word: u64) -> u64 {
        word
    }
    #[inline(always)]
    fn to_word(self) -> u64 {
        self
    }
}

impl Word for Cell {
    #[inline(always)]
    fn of_field(word: u64) -> Cell {
        Cell(word)
    }
    #[inline(always)]
    fn to_word(self) -> u64 {
        self.0
    }
}

impl<K> Word for Addr<K> {
    #[inline(always)]
    fn of_field(word: u64) -> Self {
        // SAFETY: a field holds a value of its type, see `Field::new`.
        unsafe { Addr::from_bits(word) }
    }
    #[inline(always)]
    fn to_word(self) -> u64 {
        self.bits()
    }
}

impl<K: Kind> Addr<K> {
    /// Returns the value of a field of the record at this address.
    #[inline(always)]
    pub(crate) fn get<Value: Word>(self, field: Field<K, Value>) -> Value {
        Value::of_field(word(self + field.0))
    }

    /// Writes a field of the record at this address.
    #[inline(always)]
    pub(crate) fn set<Value: Word>(self, field: Field<K, Value>, value: Value) {
        set_word(self + field.0, value.to_word());
    }
}

/// Returns the words from `from` up to `to`. The slice borrows the store, because nothing may write these words
/// while the slice exists.
pub(super) fn words<T, K: Kind>(_: &T, from: Addr<K>, to: Addr<K>) -> &[u64] {
    check(from);
    let count = to.saturating_sub(from) / WORD;
    // SAFETY: see the head of this file; nothing writes there while the store is borrowed.
    unsafe { std::slice::from_raw_parts(from.bits() as *const u64, count as usize) }
}

/// Returns `count` words of free room from `addr` on. Nothing else reads or writes them while the store is borrowed.
/// They still hold old contents.
pub(super) fn room<T>(_: &mut T, addr: HeapAddr, count: usize) -> &mut [u64] {
    check(addr);
    // SAFETY: the caller has reserved the room. It belongs to the heap, whose memory is zeros at first.
    unsafe { std::slice::from_raw_parts_mut(addr.bits() as *mut u64, count) }
}

/// Returns the words after the header of the box at `addr`. The slice borrows the store, or another owner of the
/// term.
pub(crate) fn payload<T>(_: &T, addr: HeapAddr) -> &[u64] {
    let count = cell(addr).box_words();
    // SAFETY: a box has the number of words that its header gives.
    unsafe { std::slice::from_raw_parts((addr + WORD).bits() as *const u64, count) }
}

/// Copies `words` to `addr`.
pub(crate) fn write_words<K: Kind>(addr: Addr<K>, words: &[u64]) {
    check(addr);
    // SAFETY: the caller has reserved the room; a slice never overlaps fresh room.
    unsafe { std::ptr::copy_nonoverlapping(words.as_ptr(), addr.bits() as *mut u64, words.len()) };
}

/// Returns the text of the string box at `addr`. The slice borrows the store, or another owner of the term.
pub(crate) fn text<T>(_: &T, addr: HeapAddr) -> &str {
    let bytes = word(addr + WORD) as usize;
    // SAFETY: string boxes are written by `Store::new_string`, by copies of such boxes, and by the reader of terms
    // in images. All of them start from a `str`.
    unsafe {
        let slice = std::slice::from_raw_parts((addr + 2 * WORD).bits() as *const u8, bytes);
        std::str::from_utf8_unchecked(slice)
    }
}

/// Writes `text` from `addr` on, padded with zeros to `words` whole words. Calls `look` before each piece of the
/// text; an error of `look` ends the writing.
pub(crate) fn write_text(
    addr: HeapAddr,
    text: &str,
    words: usize,
    look: impl Fn() -> Result<(), Stop>,
) -> Result<(), Stop> {
    debug_assert!(text.len() <= words * 8);
    if words > 0 {
        set_word(addr + (words as u64 - 1) * 8, 0);
    }
    for (nth, piece) in text.as_bytes().chunks(PIECE).enumerate() {
        if nth > 0 {
            look()?;
        }
        let to = addr + (nth * PIECE) as u64;
        // SAFETY: the caller has reserved `words` words at `addr`.
        unsafe { std::ptr::copy_nonoverlapping(piece.as_ptr(), to.bits() as *mut u8, piece.len()) };
    }
    Ok(())
}

/// Returns register `index` of a bank. `index` must be less than its length; the compiler that chose it ensures
/// this.
#[inline(always)]
pub(crate) fn register(bank: &[Cell], index: usize) -> Cell {
    debug_assert!(index < bank.len());
    // SAFETY: see above.
    unsafe { *bank.get_unchecked(index) }
}

/// Sets register `index` of a bank. `index` must be less than its length.
#[inline(always)]
pub(crate) fn set_register(bank: &mut [Cell], index: usize, cell: Cell) {
    debug_assert!(index < bank.len());
    // SAFETY: see above.
    unsafe { *bank.get_unchecked_mut(index) = cell };
}

/// Returns entry `number` of a table. The table must have an entry for every number that code can hold.
#[inline(always)]
pub(crate) fn entry<T: Copy>(table: &[T], number: u16) -> T {
    debug_assert!(usize::from(number) < table.len());
    // SAFETY: see above.
    unsafe { *table.get_unchecked(usize::from(number)) }
}

/// Returns the address of an instruction that the word at `addr` holds. The Rust compiler does not merge two
/// branches of different `BRANCH` that end in this call. If merged, they would select a word by arithmetic, where
/// branch prediction of the processor is faster.
#[inline(always)]
pub(crate) fn guessed_code_at<const BRANCH: u8>(addr: CodeAddr) -> CodeAddr {
    let code = code_at(addr);
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    {
        let mut word = code.bits();
        // SAFETY: the assembly contains no instruction.
        unsafe {
            std::arch::asm!("/* {} {} */", inout(reg) word, const BRANCH, options(nomem, nostack, preserves_flags));
            CodeAddr::from_bits(word)
        }
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    code
}

/// Returns the value out of a register of the processor. So the compiler does not move it in memory together with
/// its neighbours.
#[inline(always)]
pub(crate) fn alone<Value: Word>(value: Value) -> Value {
    #[cfg(target_arch = "x86_64")]
    {
        let mut word = value.to_word();
        // SAFETY: the assembly contains no instruction.
        unsafe {
            std::arch::asm!("/* {0} */", inout(reg) word, options(nomem, nostack, preserves_flags));
        }
        Value::of_field(word)
    }
    #[cfg(not(target_arch = "x86_64"))]
    value
}

/// Returns a shared block of the words of all parts, in order.
///
/// # Errors
/// Returns an error if the work must stop. The allocation itself cannot fail: room for large blocks is checked
/// before.
pub(crate) fn joined<const PARTS: usize>(
    parts: [&[u64]; PARTS],
    watch: &Watch,
) -> Result<Arc<[u64]>, Stop> {
    let mut block = Arc::new_uninit_slice(parts.iter().map(|part| part.len()).sum());
    let Some(mut rest) = Arc::get_mut(&mut block) else {
        unreachable!("the block was just made");
    };
    for mut part in parts {
        while part.len() > STEPS {
            watch.go_on()?;
            let (piece, further) = part.split_at(STEPS);
            let (here, later) = rest.split_at_mut(STEPS);
            here.write_copy_of_slice(piece);
            (part, rest) = (further, later);
        }
        let (here, later) = rest.split_at_mut(part.len());
        here.write_copy_of_slice(part);
        rest = later;
    }
    // SAFETY: the block has the number of words of all parts, and each of them was written.
    Ok(unsafe { block.assume_init() })
}
