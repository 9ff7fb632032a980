//! Instructions that belong to no clause: those that the machine jumps to, and continuations of frames
//! that it makes.

use crate::code::instruction::{Op, encode};
use crate::store::cell::Addr;

/// Instructions that the machine itself jumps to, and continuations of its own frames. Those are
/// preceded by a word that says how large their frame is.
#[derive(Debug)]
pub(crate) struct Stubs {
    words: Box<[u64; 50]>,
}

impl Stubs {
    /// The instructions.
    pub(crate) fn new() -> Stubs {
        let op = |op: Op| encode(op, 0, 0, 0);
        let resume_slots = super::state::REGISTERS as u64 + super::ops_control::SUSPENDED;
        let words = [
            0,
            op(Op::StopSuccess),
            op(Op::StopFailure),
            op(Op::Raise),
            op(Op::Fail),
            resume_slots,
            op(Op::Resume),
            1 | 1 << 16,
            op(Op::CatchEnd),
            op(Op::PopFail),
            1 | 1 << 16,
            op(Op::CleanupEnd),
            op(Op::CleanupFail),
            op(Op::Rethrow),
            op(Op::DeallocateProceed),
            op(Op::Proceed),
            op(Op::CatchBegin),
            op(Op::CleanupBegin),
            op(Op::BodyCall),
            op(Op::CutTo),
            op(Op::PopFail),
            op(Op::Rare),
            op(Op::UnifyRest),
            0,
            1 | 1 << 16,
            op(Op::ScopeReturn),
            2 | 3 << 16,
            op(Op::BangReturn),
            op(Op::RecordBegin),
            op(Op::RecordFail),
            op(Op::GoalFail),
            2 | 3 << 16,
            op(Op::GoalReturn),
            3 | 7 << 16,
            op(Op::ScopeBangReturn),
            op(Op::DepthBegin),
            1 | 1 << 16,
            op(Op::DepthReturn),
            op(Op::TraceBegin),
            2 | 3 << 16,
            op(Op::TraceReturn),
            op(Op::TraceFail),
            op(Op::TraceRedo),
            op(Op::TraceEnter),
            encode(Op::MetaCall, 1, 0, 0),
            op(Op::TraceCall),
            op(Op::Undefined),
            op(Op::TableRun),
            1 | 1 << 16,
            op(Op::DeallocateProceed),
        ];
        Stubs {
            words: Box::new(words),
        }
    }

    /// Is it the address of one of these?
    pub(crate) fn contains(&self, at: Addr) -> bool {
        (self.at(0)..self.at(self.words.len())).contains(&at)
    }

    #[inline(always)]
    fn at(&self, index: usize) -> Addr {
        self.words.as_ptr() as u64 + index as u64 * 8
    }
    /// The query has succeeded.
    pub(crate) fn stop_success(&self) -> Addr {
        self.at(1)
    }
    /// The query has failed.
    pub(crate) fn stop_failure(&self) -> Addr {
        self.at(2)
    }
    /// Raise what is pending.
    pub(crate) fn raise(&self) -> Addr {
        self.at(3)
    }
    /// Backtrack.
    pub(crate) fn fail(&self) -> Addr {
        self.at(4)
    }
    /// Take up an interrupted instruction.
    pub(crate) fn resume(&self) -> Addr {
        self.at(6)
    }
    /// The goal of catch/3 has succeeded.
    pub(crate) fn catch_end(&self) -> Addr {
        self.at(8)
    }
    /// The goal of catch/3 has failed.
    pub(crate) fn catch_fail(&self) -> Addr {
        self.at(9)
    }
    /// The goal with a cleanup has succeeded.
    pub(crate) fn cleanup_end(&self) -> Addr {
        self.at(11)
    }
    /// The goal with a cleanup has failed.
    pub(crate) fn cleanup_fail(&self) -> Addr {
        self.at(12)
    }
    /// Raise the exception that a cleanup has interrupted.
    pub(crate) fn rethrow(&self) -> Addr {
        self.at(13)
    }
    /// Drop the frame and return.
    pub(crate) fn deallocate_proceed(&self) -> Addr {
        self.at(14)
    }
    /// Return.
    pub(crate) fn proceed(&self) -> Addr {
        self.at(15)
    }
    /// Entry of catch/3.
    pub(crate) fn catch_begin(&self) -> Addr {
        self.at(16)
    }
    /// Entry of the cleanup construct.
    pub(crate) fn cleanup_begin(&self) -> Addr {
        self.at(17)
    }
    /// Entry of the body interpreter.
    pub(crate) fn body_call(&self) -> Addr {
        self.at(18)
    }
    /// Where the call of a predicate stood that nobody knows and that is forgotten by now. It is told of,
    /// never run.
    pub(crate) fn forgotten(&self) -> Addr {
        self.at(46)
    }
    /// Drop the choice point and backtrack further.
    pub(crate) fn pop_fail(&self) -> Addr {
        self.at(20)
    }
    /// Do an instruction by its slow function.
    #[inline(always)]
    pub(crate) fn rare(&self) -> Addr {
        self.at(21)
    }
    /// Unify what an instruction has left.
    #[inline(always)]
    pub(crate) fn unify_rest(&self) -> Addr {
        self.at(22)
    }
    /// The goal of a scope of assumptions has succeeded.
    #[inline(always)]
    pub(crate) fn scope_return(&self) -> Addr {
        self.at(25)
    }
    /// The goal under `{}` has succeeded.
    #[inline(always)]
    pub(crate) fn bang_return(&self) -> Addr {
        self.at(27)
    }
    /// The goal of scopes and under `{}` has succeeded.
    #[inline(always)]
    pub(crate) fn scope_bang_return(&self) -> Addr {
        self.at(34)
    }
    /// Entry of the recorder.
    pub(crate) fn record_begin(&self) -> Addr {
        self.at(28)
    }
    /// The goal that was noted has failed.
    pub(crate) fn record_fail(&self) -> Addr {
        self.at(29)
    }
    /// A goal has failed while goals are noted.
    pub(crate) fn goal_fail(&self) -> Addr {
        self.at(30)
    }
    /// A goal has succeeded while goals are noted.
    pub(crate) fn goal_return(&self) -> Addr {
        self.at(32)
    }
    /// Entry of what counts the depth of calls.
    pub(crate) fn depth_begin(&self) -> Addr {
        self.at(35)
    }
    /// A goal has succeeded whose depth was counted.
    pub(crate) fn depth_return(&self) -> Addr {
        self.at(37)
    }
    /// Entry of the tracer.
    pub(crate) fn trace_begin(&self) -> Addr {
        self.at(38)
    }
    /// Call the goal of the newest choice point, which is traced, once more.
    pub(crate) fn trace_call(&self) -> Addr {
        self.at(45)
    }
    /// A traced goal has succeeded.
    pub(crate) fn trace_return(&self) -> Addr {
        self.at(40)
    }
    /// A traced goal has failed.
    pub(crate) fn trace_fail(&self) -> Addr {
        self.at(41)
    }
    /// A further solution of a traced goal is wanted.
    pub(crate) fn trace_redo(&self) -> Addr {
        self.at(42)
    }
    /// Call a predicate that was put off while goals are traced.
    pub(crate) fn trace_enter(&self) -> Addr {
        self.at(43)
    }
    /// Entry of call/1.
    pub(crate) fn call(&self) -> Addr {
        self.at(44)
    }
    /// Entry of what runs tabled goals and their continuations.
    pub(crate) fn table_run(&self) -> Addr {
        self.at(47)
    }
    /// The goal or continuation has succeeded.
    pub(crate) fn table_return(&self) -> Addr {
        self.at(49)
    }
    /// Entry of the explicit cut.
    pub(crate) fn cut_to(&self) -> Addr {
        self.at(19)
    }
}
