//! The dispatch loop.
//!
//! Every instruction is written once, as a function from the machine and the registers P, H, S, E to
//! the new registers. The loop here inlines them all into one `match`; the same functions can be
//! wrapped as tail-calling handlers.

use super::state::Machine;
use super::throw::{Ball, Throw};
use super::{ops_arith, ops_control, ops_meta, ops_unify};
use crate::code::instruction::{Op, encode, number};
use crate::store::cell::Addr;
use crate::store::raw;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The registers that the loop keeps in processor registers.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Regs {
    /// P: the instruction.
    pub(crate) p: Addr,
    /// H: first free heap address.
    pub(crate) h: Addr,
    /// S: next argument to read.
    pub(crate) s: Addr,
    /// E: the environment.
    pub(crate) e: Addr,
}

/// How a run ended.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// The query has a solution.
    Success,
    /// The query has no further solution.
    Failure,
    /// An exception reached the query.
    Exception(Throw),
}

/// Instructions that the machine itself jumps to, and continuations of its own frames. Those are
/// preceded by a word that says how large their frame is.
#[derive(Debug)]
pub(crate) struct Stubs {
    words: Box<[u64; 24]>,
}

impl Stubs {
    /// The instructions.
    pub(crate) fn new() -> Stubs {
        let op = |op: Op| encode(op, 0, 0, 0);
        let resume_slots = super::state::REGISTERS as u64 + 3;
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
            op(Op::CatchFail),
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
            0,
            0,
            0,
        ];
        Stubs { words: Box::new(words) }
    }

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
    /// Drop the choice point and backtrack further.
    pub(crate) fn pop_fail(&self) -> Addr {
        self.at(20)
    }
    /// Entry of the explicit cut.
    pub(crate) fn cut_to(&self) -> Addr {
        self.at(19)
    }
}

macro_rules! dispatch {
    ($m:ident, $r:ident, $word:ident, { $($op:ident => $module:ident :: $function:ident,)* }) => {
        match $word as u16 {
            $(number::$op => $r = $module::$function($m, $r, $word),)*
            number::StopSuccess => return stop($m, $r, Outcome::Success),
            number::StopFailure => return stop($m, $r, Outcome::Failure),
            number::Raise => match raise($m, $r) {
                (after, Some(throw)) => return stop($m, after, Outcome::Exception(throw)),
                (after, None) => $r = after,
            },
            _ => unreachable!("no such instruction"),
        }
    };
}

/// Runs from instruction `p` until the query succeeds, fails or ends in an exception.
///
/// A panic inside a builtin becomes a `system_error`.
pub(crate) fn run(m: &mut Machine, p: Addr) -> Outcome {
    let mut start = p;
    loop {
        let outcome = catch_unwind(AssertUnwindSafe(|| dispatch_loop(m, start)));
        match outcome {
            Ok(outcome) => return outcome,
            Err(payload) => {
                let text = payload
                    .downcast_ref::<&str>()
                    .map(ToString::to_string)
                    .or_else(|| payload.downcast_ref::<String>().cloned())
                    .unwrap_or_default();
                m.store.heap_top = m.store.heap_backtrack.max(m.store.heap_top.min(m.store.heap.end));
                m.pending = Some(if text.contains("without a reservation") || text.contains("trail area") {
                    Throw(Box::new(Ball::OutOfMemory))
                } else {
                    m.system_error(&text)
                });
                start = m.stubs.raise();
            }
        }
    }
}

#[inline(never)]
fn raise(m: &mut Machine, mut r: Regs) -> (Regs, Option<Throw>) {
    let uncaught = m.unwind(&mut r);
    (r, uncaught)
}

fn stop(m: &mut Machine, r: Regs, outcome: Outcome) -> Outcome {
    m.store.heap_top = r.h;
    m.env = r.e;
    outcome
}

#[expect(clippy::too_many_lines, reason = "one arm for each instruction")]
fn dispatch_loop(m: &mut Machine, start: Addr) -> Outcome {
    let mut r = Regs { p: start, h: m.store.heap_top, s: 0, e: m.env };
    loop {
        let word = raw::word(r.p);
        dispatch!(m, r, word, {
            Fail => ops_control::fail_op,
            PopFail => ops_control::pop_fail,
            Call => ops_control::call,
            Execute => ops_control::execute,
            Proceed => ops_control::proceed,
            Allocate => ops_control::allocate,
            Deallocate => ops_control::deallocate,
            DeallocateExecute => ops_control::deallocate_execute,
            DeallocateProceed => ops_control::deallocate_proceed,
            Jump => ops_control::jump,
            JumpTo => ops_control::jump_to,
            EnsureHeap => ops_control::ensure_heap,
            TryElse => ops_control::try_else,
            RetryElse => ops_control::retry_else,
            TrustElse => ops_control::trust_else,
            Try => ops_control::try_clause,
            Retry => ops_control::retry_clause,
            Trust => ops_control::trust_clause,
            SwitchOnTerm => ops_control::switch_on_term,
            SwitchOnConstant => ops_control::switch_on_constant,
            SwitchOnStructure => ops_control::switch_on_structure,
            IndexNode => ops_control::index_node,
            NeckCut => ops_control::neck_cut,
            CutY => ops_control::cut_y,
            GetLevel => ops_control::get_level,
            SaveChoice => ops_control::save_choice,
            PopChoice => ops_control::pop_choice,
            SoftCut => ops_control::soft_cut,
            GetConstant => ops_unify::get_constant,
            GetLiteral => ops_unify::get_literal,
            GetList => ops_unify::get_list,
            GetStructure => ops_unify::get_structure,
            GetValue => ops_unify::get_value,
            UnifyVariableX => ops_unify::unify_variable_x,
            UnifyVariableY => ops_unify::unify_variable_y,
            UnifyValueX => ops_unify::unify_value_x,
            UnifyValueY => ops_unify::unify_value_y,
            UnifyConstant => ops_unify::unify_constant,
            UnifyLiteral => ops_unify::unify_literal,
            UnifyVoid => ops_unify::unify_void,
            UnifyList => ops_unify::unify_list,
            UnifyStructure => ops_unify::unify_structure,
            WriteConstant => ops_unify::write_constant,
            WriteFunctor => ops_unify::write_constant,
            WriteVariableX => ops_unify::write_variable_x,
            WriteVariableY => ops_unify::write_variable_y,
            WriteValueX => ops_unify::write_value_x,
            WriteValueY => ops_unify::write_value_y,
            WriteVoid => ops_unify::write_void,
            WriteList => ops_unify::write_list,
            WriteStructure => ops_unify::write_structure,
            PutConstant => ops_unify::put_constant,
            PutVariableX => ops_unify::put_variable_x,
            PutVariableY => ops_unify::put_variable_y,
            PutList => ops_unify::put_list,
            PutStructure => ops_unify::put_structure,
            Move => ops_unify::move_x,
            LoadY => ops_unify::load_y,
            StoreY => ops_unify::store_y,
            TestVar => ops_arith::test_var,
            TestNonvar => ops_arith::test_nonvar,
            TestAtom => ops_arith::test_atom,
            TestInteger => ops_arith::test_integer,
            TestType => ops_arith::test_type,
            Identical => ops_arith::identical,
            NotIdentical => ops_arith::not_identical,
            TermOrder => ops_arith::term_order,
            NotUnifiable => ops_arith::not_unifiable,
            Evaluate => ops_arith::evaluate,
            Add => ops_arith::add,
            AddSmall => ops_arith::add_small,
            Subtract => ops_arith::subtract,
            Multiply => ops_arith::multiply,
            IntDivide => ops_arith::int_divide,
            Modulo => ops_arith::modulo,
            Arith0 => ops_arith::arith0,
            Arith1 => ops_arith::arith1,
            Arith2 => ops_arith::arith2,
            NumLess => ops_arith::num_less,
            NumLessEqual => ops_arith::num_less_equal,
            NumEqual => ops_arith::num_equal,
            NumNotEqual => ops_arith::num_not_equal,
            LessSmall => ops_arith::less_small,
            LessEqualSmall => ops_arith::less_equal_small,
            GreaterSmall => ops_arith::greater_small,
            GreaterEqualSmall => ops_arith::greater_equal_small,
            EqualSmall => ops_arith::equal_small,
            NotEqualSmall => ops_arith::not_equal_small,
            Builtin => ops_meta::builtin,
            BuiltinProceed => ops_meta::builtin_proceed,
            Nondet => ops_meta::nondet,
            NondetRetry => ops_meta::nondet_retry,
            MetaCall => ops_meta::meta_call,
            BodyCall => ops_meta::body_call,
            CutTo => ops_control::cut_to,
            Undefined => ops_meta::undefined,
            Link => ops_meta::link,
            Import => ops_meta::import,
            ImportMeta => ops_meta::import_meta,
            Dynamic => ops_meta::dynamic,
            DynamicRetry => ops_meta::dynamic_retry,
            CollectBegin => ops_meta::collect_begin,
            CollectTerm => ops_meta::collect_term,
            CollectCount => ops_meta::collect_count,
            CollectEnd => ops_meta::collect_end,
            CatchBegin => ops_meta::catch_begin,
            CatchEnd => ops_meta::catch_end,
            CatchFail => ops_meta::catch_fail,
            CleanupBegin => ops_meta::cleanup_begin,
            CleanupEnd => ops_meta::cleanup_end,
            CleanupFail => ops_meta::cleanup_fail,
            Resume => ops_control::resume,
            Rethrow => ops_meta::rethrow,
        });
    }
}
