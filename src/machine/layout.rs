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

/// Offsets in an environment, in bytes.
pub(crate) mod env {
    /// Environment of the continuation.
    pub(crate) const CE: u64 = 0;
    /// Continuation.
    pub(crate) const CP: u64 = 8;
    /// First permanent variable.
    pub(crate) const Y0: u64 = 16;
}

/// Offsets in a choice point, in bytes.
pub(crate) mod cp {
    /// Next alternative.
    pub(crate) const ALT: u64 = 0;
    /// Environment.
    pub(crate) const ENV: u64 = 8;
    /// Continuation.
    pub(crate) const CONT: u64 = 16;
    /// Heap top.
    pub(crate) const HEAP: u64 = 24;
    /// Trail top.
    pub(crate) const TRAIL: u64 = 32;
    /// End of the protected environments.
    pub(crate) const ENV_TOP: u64 = 40;
    /// Cut barrier.
    pub(crate) const CUT: u64 = 48;
    /// Older choice point.
    pub(crate) const PREV: u64 = 56;
    /// Kind and number of registers.
    pub(crate) const META: u64 = 64;
    /// First saved register.
    pub(crate) const ARGS: u64 = 72;
}

/// The frame operand of an instruction in a clause that has no environment yet.
pub(crate) const NO_FRAME: usize = 0xffff;

/// What a choice point is for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum ChoiceKind {
    /// Alternative clauses or branches.
    Plain = 0,
    /// A goal of catch/3 is running.
    Catch = 1,
    /// A goal of catch/3 has succeeded and left choice points.
    CatchExited = 2,
    /// A cleanup is due when it goes.
    Cleanup = 3,
    /// A collection of solutions.
    Collect = 4,
    /// Clauses of a dynamic predicate: the last three registers are its index, the position of the
    /// next clause and the generation.
    Dynamic = 5,
    /// The bottom of a query.
    Query = 6,
}

/// Of the first `registers` registers, as far as a mask covers them, those that hold no value.
pub(crate) fn dead_registers(registers: usize, mask: u64) -> u64 {
    let all = if registers >= 64 {
        u64::MAX
    } else {
        (1 << registers) - 1
    };
    all & !mask
}

/// Slots before the registers in the frame of an interrupted instruction (`suspend`).
pub(crate) const SUSPENDED: u64 = 4;
