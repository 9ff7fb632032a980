//! The registers of a run that live in processor registers, and functions that read the operands of the instruction at P.
#![forbid(unsafe_code)]

use crate::store::address::{CodeAddr, EnvAddr, HeapAddr};
use crate::store::cell::WORD;
use crate::store::raw;

/// The registers that the loop keeps in processor registers. In memory they are copied in pairs. Most slow
/// instructions write H last, so H is in no pair: a processor waits when it reads a pair that was only half written.
#[derive(Copy, Clone, Debug)]
#[repr(C)]
pub(crate) struct Regs {
    /// P: the current instruction.
    p: CodeAddr,
    /// Whether P has moved other than past an instruction. Handlers of several instructions test it. The compiler knows its
    /// value on each path; a comparison of addresses would keep one more address in a register. It is a word, not a bool,
    /// because a processor waits when it reads a byte that was just written together with its neighbours.
    gone: u64,
    /// S: the next argument to read.
    pub(crate) s: HeapAddr,
    /// E: the current environment.
    pub(crate) e: EnvAddr,
    /// H: the first free address of the heap.
    pub(crate) h: HeapAddr,
}

impl Regs {
    /// Registers without values.
    pub(crate) const NONE: Regs = Regs {
        p: CodeAddr::NONE,
        gone: 0,
        s: HeapAddr::NONE,
        e: EnvAddr::NONE,
        h: HeapAddr::NONE,
    };

    /// Returns the registers of a handler.
    #[inline(always)]
    pub(crate) const fn new(p: CodeAddr, h: HeapAddr, s: HeapAddr, e: EnvAddr) -> Regs {
        Regs {
            p,
            gone: 0,
            s,
            e,
            h,
        }
    }

    /// Returns P.
    #[inline(always)]
    pub(crate) const fn p(&self) -> CodeAddr {
        self.p
    }

    /// Moves P to another instruction.
    #[inline(always)]
    pub(crate) fn go(&mut self, p: CodeAddr) {
        self.p = p;
        self.gone = 1;
    }

    /// Returns these registers with another P.
    #[inline(always)]
    pub(crate) fn at(mut self, p: CodeAddr) -> Regs {
        self.go(p);
        self
    }

    /// Returns these registers with another H.
    #[inline(always)]
    pub(crate) fn above(mut self, h: HeapAddr) -> Regs {
        self.h = h;
        self
    }

    /// Moves P past the present instruction, which has `words` words.
    #[inline(always)]
    pub(crate) fn step(&mut self, words: u64) {
        self.p += words * WORD;
    }

    /// Returns these registers with P past the present instruction.
    #[inline(always)]
    pub(crate) fn past(mut self, words: u64) -> Regs {
        self.step(words);
        self
    }

    /// Returns whether P has moved other than past instructions.
    #[inline(always)]
    pub(crate) const fn gone(&self) -> bool {
        self.gone != 0
    }

    /// Returns slot a of the instruction. Slots are read one by one: a processor loads each in one step, but needs
    /// two steps to extract it from the word.
    #[inline(always)]
    pub(crate) fn a(&self) -> usize {
        usize::from(raw::half::<1>(self.p))
    }

    /// Returns slot b.
    #[inline(always)]
    pub(crate) fn b(&self) -> usize {
        usize::from(raw::half::<2>(self.p))
    }

    /// Returns slot c.
    #[inline(always)]
    pub(crate) fn c(&self) -> usize {
        usize::from(raw::half::<3>(self.p))
    }

    /// Returns the upper half of the instruction, for an operand that needs two slots.
    #[inline(always)]
    pub(crate) fn wide(&self) -> u32 {
        raw::upper(self.p)
    }

    /// Returns two bytes of the instruction, for slots with packed operands.
    #[inline(always)]
    pub(crate) fn bytes<const ONE: u64, const TWO: u64>(&self) -> (usize, usize) {
        let (one, two) = (raw::byte::<ONE>(self.p), raw::byte::<TWO>(self.p));
        (usize::from(one), usize::from(two))
    }
}

/// Number of registers: those of compiled code, and a few for the machine's own choice points.
pub(crate) const REGISTERS: usize = crate::code::instruction::REGISTERS + 8;

/// Maximum arity of a predicate.
pub(crate) const MAX_PREDICATE_ARITY: usize = 255;
