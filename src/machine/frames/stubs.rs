//! Stubs: instructions that belong to no clause. The machine jumps to some; others continue frames that the machine
//! makes. All engines of the process use the same stubs.
#![forbid(unsafe_code)]

use super::layout::SUSPENDED;
use crate::code::frame_map::frame_map;
use crate::code::instruction::{Op, encode};
use crate::machine::dispatch::regs::REGISTERS;
use crate::store::address::CodeAddr;

/// An instruction, preceded by the frame map of the frame that it continues, or by 0.
#[repr(C)]
struct Stub {
    frame: u64,
    word: u64,
}

/// Returns an instruction that continues a frame of `slots` slots. `live` is the mask of live slots, `levels` the
/// mask of cut levels among these.
const fn framed(slots: usize, live: u64, levels: u64, op: Op) -> Stub {
    Stub {
        frame: frame_map(slots, live, levels),
        word: encode(op, 0, 0, 0),
    }
}

const fn plain(op: Op) -> Stub {
    Stub {
        frame: 0,
        word: encode(op, 0, 0, 0),
    }
}

macro_rules! stubs {
    ($($(#[$doc:meta])* $name:ident = $stub:expr;)*) => {
        #[repr(C)]
        struct Stubs { $($name: Stub,)* }

        static STUBS: Stubs = Stubs { $($name: $stub,)* };

        $($(#[$doc])*
        #[inline(always)]
        pub(crate) fn $name() -> CodeAddr {
            CodeAddr::of(std::slice::from_ref(&STUBS.$name.word))
        })*
    };
}

/// Returns whether `at` is the address of a stub.
pub(crate) fn contains(at: CodeAddr) -> bool {
    let begin = CodeAddr::of_table(std::slice::from_ref(&STUBS));
    (begin..begin + size_of::<Stubs>() as u64).contains(&at)
}

/// Maximum number of registers in a frame of [`resume_few`].
pub(in crate::machine) const FEW_SUSPENDED: usize = 4;

/// Returns whether the stub at this address resumes an interrupted instruction.
pub(crate) fn resumes(at: CodeAddr) -> bool {
    at == resume() || at == resume_few()
}

stubs! {
    /// The query has succeeded.
    stop_success = plain(Op::StopSuccess);
    /// The query has failed.
    stop_failure = plain(Op::StopFailure);
    /// Raise the pending exception.
    raise = plain(Op::Raise);
    /// Backtrack.
    fail = plain(Op::Fail);
    /// Resume an interrupted instruction.
    resume = framed(REGISTERS + SUSPENDED as usize, 0, 0, Op::Resume);
    /// Resume an interrupted instruction from a frame with few registers.
    resume_few = framed(FEW_SUSPENDED + SUSPENDED as usize, 0, 0, Op::Resume);
    /// The goal of catch/3 has succeeded.
    catch_end = framed(1, 0b1, 1, Op::CatchEnd);
    /// The goal of catch/3 has failed.
    catch_fail = plain(Op::PopFail);
    /// The goal with a cleanup has succeeded.
    cleanup_end = framed(1, 0b1, 1, Op::CleanupEnd);
    /// The goal with a cleanup has failed.
    cleanup_fail = plain(Op::CleanupFail);
    /// Raise the exception that a cleanup has interrupted.
    rethrow = plain(Op::Rethrow);
    /// Drop the frame and return.
    deallocate_proceed = plain(Op::DeallocateProceed);
    /// Return.
    proceed = plain(Op::Proceed);
    /// Entry of catch/3.
    catch_begin = plain(Op::CatchBegin);
    /// Entry of the cleanup construct.
    cleanup_begin = plain(Op::CleanupBegin);
    /// Entry of the body interpreter.
    body_call = plain(Op::BodyCall);
    /// Entry of the explicit cut.
    cut_to = plain(Op::CutTo);
    /// Drop the choice point and backtrack further.
    pop_fail = plain(Op::PopFail);
    /// All solutions of a call with a memo are counted.
    count_memo_end = plain(Op::CountMemoEnd);
    /// Take the next branch of the newest choice point, which is noted.
    next_branch = plain(Op::NextBranch);
    /// Run an instruction by its slow form.
    rare = plain(Op::Rare);
    /// Finish the unification that an instruction has begun.
    unify_rest = plain(Op::UnifyRest);
    /// The goal of a scope of assumptions has succeeded.
    scope_return = framed(1, 0b1, 0, Op::ScopeReturn);
    /// The goal under `{}` has succeeded.
    bang_return = framed(2, 0b11, 0, Op::BangReturn);
    /// Entry of the recorder.
    record_begin = plain(Op::RecordBegin);
    /// The recorded goal has failed.
    record_fail = plain(Op::RecordFail);
    /// The goal of scopes and under `{}` has succeeded.
    scope_bang_return = framed(3, 0b111, 0, Op::ScopeBangReturn);
    /// Entry of the counting of depths.
    depth_begin = plain(Op::DepthBegin);
    /// Entry of the tracer.
    trace_begin = plain(Op::TraceBegin);
    /// The goal of a watched call has succeeded.
    watched_return = framed(3, 0b111, 1, Op::WatchedReturn);
    /// The goal of a watched call has failed.
    watched_fail = plain(Op::WatchedFail);
    /// The goal of a watched call is to find a further solution.
    watched_redo = plain(Op::WatchedRedo);
    /// Enter a predicate whose call was delayed while goals are watched.
    watched_enter = plain(Op::WatchedEnter);
    /// Entry of call/1.
    call = Stub { frame: 0, word: encode(Op::MetaCall, 1, 0, 0) };
    /// Call the traced goal of the newest choice point again.
    trace_call = plain(Op::TraceCall);
    /// A placeholder for the address of the call of an undefined predicate that is not known any more. Reports use
    /// it; the machine never runs it.
    forgotten = plain(Op::Undefined);
    /// Entry of the evaluation of tabled goals and their continuations.
    table_run = plain(Op::TableRun);
    /// The tabled goal or its continuation has succeeded.
    table_return = framed(1, 0b1, 0, Op::DeallocateProceed);
}
