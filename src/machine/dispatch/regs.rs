//! The registers of a run that live in registers of the processor, and reading of the operands of the
//! instruction at P.
#![forbid(unsafe_code)]

use crate::store::address::{CodeAddr, EnvAddr, HeapAddr};
use crate::store::cell::WORD;
use crate::store::raw;

/// The registers that the loop keeps in processor registers. Where they lie in memory they are copied in pairs: H, which
/// most slow instructions write last, stands alone, for a processor waits where it reads a pair that was half written.
#[derive(Copy, Clone, Debug)]
#[repr(C)]
pub(crate) struct Regs {
    /// P: the instruction.
    p: CodeAddr,
    /// Has P gone elsewhere than past an instruction? Handlers of several instructions ask it, and compilers know the
    /// answer on each way, where a comparison of addresses would keep one more of them at hand. A word, not a bool:
    /// what was written as a byte and is read with its neighbours makes processors wait.
    gone: u64,
    /// S: next argument to read.
    pub(crate) s: HeapAddr,
    /// E: the environment.
    pub(crate) e: EnvAddr,
    /// H: first free heap address.
    pub(crate) h: HeapAddr,
}

impl Regs {
    /// No registers yet.
    pub(crate) const NONE: Regs = Regs {
        p: CodeAddr::NONE,
        gone: 0,
        s: HeapAddr::NONE,
        e: EnvAddr::NONE,
        h: HeapAddr::NONE,
    };

    /// The registers of a handler.
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

    /// P.
    #[inline(always)]
    pub(crate) const fn p(&self) -> CodeAddr {
        self.p
    }

    /// Goes on at another instruction.
    #[inline(always)]
    pub(crate) fn go(&mut self, p: CodeAddr) {
        self.p = p;
        self.gone = 1;
    }

    /// The same registers with another P.
    #[inline(always)]
    pub(crate) fn at(mut self, p: CodeAddr) -> Regs {
        self.go(p);
        self
    }

    /// The same registers with another H.
    #[inline(always)]
    pub(crate) fn above(mut self, h: HeapAddr) -> Regs {
        self.h = h;
        self
    }

    /// Goes on past the present instruction, which has so many words.
    #[inline(always)]
    pub(crate) fn step(&mut self, words: u64) {
        self.p += words * WORD;
    }

    /// The same registers past the present instruction.
    #[inline(always)]
    pub(crate) fn past(mut self, words: u64) -> Regs {
        self.step(words);
        self
    }

    /// Has P gone elsewhere than past the instructions that were done?
    #[inline(always)]
    pub(crate) const fn gone(&self) -> bool {
        self.gone != 0
    }

    /// Slot a of the instruction. Slots are read one by one: a processor loads each in one step,
    /// where it needs two to take it from the word.
    #[inline(always)]
    pub(crate) fn a(&self) -> usize {
        usize::from(raw::half::<1>(self.p))
    }

    /// Slot b.
    #[inline(always)]
    pub(crate) fn b(&self) -> usize {
        usize::from(raw::half::<2>(self.p))
    }

    /// Slot c.
    #[inline(always)]
    pub(crate) fn c(&self) -> usize {
        usize::from(raw::half::<3>(self.p))
    }

    /// The upper half of the instruction, where an operand needs two slots.
    #[inline(always)]
    pub(crate) fn wide(&self) -> u32 {
        raw::upper(self.p)
    }

    /// Two bytes of the instruction, where a slot holds packed operands.
    #[inline(always)]
    pub(crate) fn bytes<const ONE: u64, const TWO: u64>(&self) -> (usize, usize) {
        let (one, two) = (raw::byte::<ONE>(self.p), raw::byte::<TWO>(self.p));
        (usize::from(one), usize::from(two))
    }
}

/// Number of registers: those of compiled code, and a few for the machine's own choice points.
pub(crate) const REGISTERS: usize = crate::code::instruction::REGISTERS + 8;

/// Greatest arity of a predicate.
pub(crate) const MAX_PREDICATE_ARITY: usize = 255;
