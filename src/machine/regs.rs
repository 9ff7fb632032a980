//! The registers of a run that live in registers of the processor, and reading of the operands of the
//! instruction at P.
#![forbid(unsafe_code)]

use crate::store::address::{CodeAddr, EnvAddr, HeapAddr};
use crate::store::raw;

/// The registers that the loop keeps in processor registers.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Regs {
    /// P: the instruction.
    pub(crate) p: CodeAddr,
    /// H: first free heap address.
    pub(crate) h: HeapAddr,
    /// S: next argument to read.
    pub(crate) s: HeapAddr,
    /// E: the environment.
    pub(crate) e: EnvAddr,
}

impl Regs {
    /// No registers yet.
    pub(crate) const NONE: Regs = Regs {
        p: CodeAddr::NONE,
        h: HeapAddr::NONE,
        s: HeapAddr::NONE,
        e: EnvAddr::NONE,
    };

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
