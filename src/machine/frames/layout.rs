#![expect(unsafe_code, reason = "what the words of frames hold is said here")]
//! The words of environments and choice points.
//!
//! ```text
//! environment (on the environment stack, E)        choice point (on the choice stack, B)
//!   0  CE   environment of the continuation          0  ALT   next alternative
//!   1  CP   continuation                             1  E     environment
//!   2  Y0   permanent variables                      2  CP    continuation
//!   …                                                3  H     heap top
//!                                                    4  TR    trail top
//!                                                    5  ETOP  end of the protected environments
//!                                                    6  B0    cut barrier of the predicate
//!                                                    7  PREV  older choice point
//!                                                    8  META  kind << 32 | number of registers
//!                                                    9  A1 …  saved registers
//! ```

use crate::machine::builtin::NativeChoice;
use crate::store::address::{ChoiceAddr, EnvAddr, HeapAddr};
use crate::store::cell::WORD;

/// The words of an environment.
pub(crate) mod env {
    use crate::store::address::kind::Env;
    use crate::store::address::{CodeAddr, EnvAddr};
    use crate::store::raw::Field;

    const fn field<Value>(word: u64) -> Field<Env, Value> {
        // SAFETY: environments hold these types; see above.
        unsafe { Field::new(8 * word) }
    }

    /// Environment of the continuation.
    pub(crate) const CE: Field<Env, EnvAddr> = field(0);
    /// Continuation.
    pub(crate) const CP: Field<Env, CodeAddr> = field(1);
    /// Bytes before the first permanent variable.
    pub(crate) const Y0: u64 = 16;
}

/// The words of a choice point.
pub(crate) mod cp {
    use crate::store::address::kind::Choice;
    use crate::store::address::{ChoiceAddr, CodeAddr, EnvAddr, HeapAddr, TrailAddr};
    use crate::store::raw::Field;

    const fn field<Value>(word: u64) -> Field<Choice, Value> {
        // SAFETY: choice points hold these types; see above.
        unsafe { Field::new(8 * word) }
    }

    /// Next alternative.
    pub(crate) const ALT: Field<Choice, CodeAddr> = field(0);
    /// Environment.
    pub(crate) const ENV: Field<Choice, EnvAddr> = field(1);
    /// Continuation.
    pub(crate) const CONT: Field<Choice, CodeAddr> = field(2);
    /// Heap top.
    pub(crate) const HEAP: Field<Choice, HeapAddr> = field(3);
    /// Trail top.
    pub(crate) const TRAIL: Field<Choice, TrailAddr> = field(4);
    /// End of the protected environments.
    pub(crate) const ENV_TOP: Field<Choice, EnvAddr> = field(5);
    /// Cut barrier.
    pub(crate) const CUT: Field<Choice, ChoiceAddr> = field(6);
    /// Older choice point.
    pub(crate) const PREV: Field<Choice, ChoiceAddr> = field(7);
    /// Kind and number of registers.
    pub(crate) const META: Field<Choice, u64> = field(8);
    /// Bytes before the first saved register.
    pub(crate) const ARGS: u64 = 72;
}

impl EnvAddr {
    /// Returns the address of slot `index`.
    #[inline(always)]
    pub(crate) fn slot(self, index: u64) -> HeapAddr {
        // SAFETY: slots hold terms; `index` is below their number.
        unsafe { HeapAddr::from_bits((self + env::Y0 + index * WORD).bits()) }
    }
}

impl ChoiceAddr {
    /// Returns the address of saved register `index`.
    #[inline(always)]
    pub(crate) fn argument(self, index: u64) -> HeapAddr {
        // SAFETY: registers hold terms; `index` is below their number.
        unsafe { HeapAddr::from_bits((self + cp::ARGS + index * WORD).bits()) }
    }
}

/// The frame operand of an instruction in a clause that has no environment yet.
pub(crate) const NO_FRAME: usize = 0xffff;

/// The kind of a choice point: its purpose.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum ChoiceKind {
    /// Alternative clauses or branches.
    Plain,
    /// A goal of catch/3 runs.
    Catch,
    /// A goal of catch/3 has succeeded and left choice points.
    CatchExited,
    /// A cleanup is due when the choice point goes. The last register is the next older choice point
    /// that needs work before it goes.
    Cleanup,
    /// A collection of solutions.
    Collect,
    /// Clauses of a dynamic predicate. The last three registers are its index, the position of the
    /// next clause and the generation.
    Dynamic,
    /// The bottom of a query.
    Query,
    /// Solutions of a builtin. The registers are its arguments and its state; ALT identifies the builtin. If it holds
    /// resources outside the stacks, the last register is as in a cleanup.
    Native(&'static NativeChoice),
}

/// The number of the kind [`ChoiceKind::Native`].
const NATIVE: u64 = 7;

/// Returns the word META of a choice point of a builtin with this number of registers.
pub(crate) const fn native_meta(registers: usize) -> u64 {
    NATIVE << 32 | registers as u64
}

impl ChoiceKind {
    /// Returns the word META of a choice point of this kind with this number of registers.
    #[inline(always)]
    pub(crate) const fn meta(self, registers: usize) -> u64 {
        let number = match self {
            ChoiceKind::Plain => 0,
            ChoiceKind::Catch => 1,
            ChoiceKind::CatchExited => 2,
            ChoiceKind::Cleanup => 3,
            ChoiceKind::Collect => 4,
            ChoiceKind::Dynamic => 5,
            ChoiceKind::Query => 6,
            ChoiceKind::Native(_) => NATIVE,
        };
        number << 32 | registers as u64
    }
}

/// Returns those of the first `registers` registers that hold no value, as far as the mask covers them.
pub(crate) fn dead_registers(registers: usize, mask: u64) -> u64 {
    let all = if registers >= 64 {
        u64::MAX
    } else {
        (1 << registers) - 1
    };
    all & !mask
}

/// Number of slots before the registers in the frame of an interrupted instruction (`suspend`).
pub(crate) const SUSPENDED: u64 = 4;
