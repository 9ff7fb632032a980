//! The forms of dispatch.
//!
//! Every instruction is written once, as a function from the machine and the registers P, H, S, E to the new
//! registers. Two forms of dispatch are made from these functions. One is a loop around a `match`. The other is a set
//! of handlers that each end in a call of the next handler. An optimising compiler turns these calls into jumps, so
//! that the registers stay in processor registers. `tail_calls_hold` checks this before the handlers are used.
//!
//! Slow forms ([`slow_forms`](crate::machine::dispatch::slow_forms)) do rare work.
//!
//! A run is in one mode at a time. Goals are watched, one instruction at a time, while a depth is limited, or while
//! goals are recorded, noted for backtraces, traced or observed. Wake-ups are pending after a slow function has bound
//! an attributed variable (see `wakeups`). Then the loop runs the instructions. In all other modes the fastest form
//! runs them. An instruction that changes the mode saves the registers and returns to [`run`], which alone chooses
//! the form. No instruction runs other instructions, so changes of the mode take no stack. Long because the table of
//! all instructions is next to the forms that are made from it.
#![forbid(unsafe_code)]

use super::endings;
use super::regs::Regs;
use super::slow_forms::{self, do_rare, slowly};
use crate::base::growth::Bounded;
use crate::base::stop::Stop;
use crate::code::instruction::{GOAL, OPERAND, Op, decode};
use crate::code::pairs::{
    FIRST_PAIR, FIRST_THREE, PAIRS, THREES, UNMARKED, for_each_pair, for_each_three,
};
use crate::machine::control::{lambdas, wakeups};
use crate::machine::events::observer::Kinds;
use crate::machine::events::{call_chain, watched, watching};
use crate::machine::frames::suspend;
use crate::machine::ops;
use crate::machine::run::Outcome;
use crate::machine::state::Machine;
use crate::store::address::{CodeAddr, EnvAddr, HeapAddr};
use crate::store::{os, raw};
use std::sync::OnceLock;

macro_rules! for_each_instruction {
    ($macro:ident) => {
        $macro! {
            fast Fail => endings::fail_op,
            fast UnifyRest => ops::unify::unify_rest,
            slow PopFail => ops::control::pop_fail,
            slow NextBranch => ops::branch::next_branch,
            fast Call => ops::control::call,
            fast Execute => ops::control::execute,
            fast Proceed => ops::control::proceed,
            fast Allocate => ops::control::allocate,
            fast Deallocate => ops::control::deallocate,
            fast DeallocateExecute => ops::control::deallocate_execute,
            fast DeallocateProceed => ops::control::deallocate_proceed,
            fast Jump => ops::control::jump,
            fast JumpTo => ops::control::jump_to,
            slow EnsureHeap => ops::control::ensure_heap,
            fast TryElse => ops::control::try_else,
            fast RetryElse => ops::control::retry_else,
            fast TrustElse => ops::control::trust_else,
            fast Try => ops::control::try_clause,
            fast Retry => ops::control::retry_clause,
            fast Trust => ops::control::trust_clause,
            fast SwitchOnTerm => ops::index::switch_on_term,
            fast SwitchOnConstant => ops::index::switch_on_constant,
            fast SwitchOnStructure => ops::index::switch_on_structure,
            fast SwitchOnOneConstant => ops::index::switch_on_one_constant,
            fast SwitchOnOneStructure => ops::index::switch_on_one_structure,
            fast BranchOnList => ops::index::branch_on_list,
            fast BranchOnConstant => ops::index::branch_on_constant,
            fast BranchOnStructure => ops::index::branch_on_structure,
            fast IndexArgument => ops::index::index_argument,
            fast GuardCompare => ops::index::guard_compare,
            fast GuardCompareSmall => ops::index::guard_compare_small,
            fast GuardIdentical => ops::index::guard_identical,
            slow GuardOrder => ops::index::guard_order,
            fast GuardPair => ops::index::guard_pair,
            slow IndexNode => ops::index::index_node,
            fast IndexApplied => ops::index::index_applied,
            fast CountAll => ops::collect::count_all,
            fast NeckCut => ops::control::neck_cut,
            fast CutY => ops::control::cut_y,
            fast GetLevel => ops::control::get_level,
            fast SaveChoice => ops::control::save_choice,
            fast PopChoice => ops::control::pop_choice,
            slow SoftCut => ops::control::soft_cut,
            fast GetConstant => ops::unify::get_constant,
            fast GetConstants => ops::fact::get_constants,
            fast GetLiteral => ops::unify::get_literal,
            slow GetGround => ops::unify::get_ground,
            fast GetList => ops::unify::get_list,
            fast GetListXX => ops::list::get_list_xx,
            fast GetListXY => ops::list::get_list_xy,
            fast GetListYX => ops::list::get_list_yx,
            fast GetListYY => ops::list::get_list_yy,
            fast GetListTail => ops::list::get_list_tail,
            fast GetListHead => ops::list::get_list_head,
            fast GetListHeadValue => ops::list::get_list_head_value,
            fast GetListValue => ops::list::get_list_value,
            fast GetStructure => ops::unify::get_structure,
            fast GetValue => ops::unify::get_value,
            fast GetStructureScoped => ops::scoped::get_structure,
            fast GetListScoped => ops::scoped::get_list,
            fast UnifyWritten => ops::scoped::unify_written,
            fast GetValueScoped => ops::scoped::get_value,
            fast UnifyVariableX => ops::unify::unify_variable_x,
            fast UnifyVariableY => ops::unify::unify_variable_y,
            fast UnifyValueX => ops::unify::unify_value_x,
            fast UnifyValueY => ops::unify::unify_value_y,
            fast UnifyConstant => ops::unify::unify_constant,
            fast UnifyLiteral => ops::unify::unify_literal,
            fast UnifyVariablesXX => ops::unify::unify_variables_xx,
            fast UnifyVariablesXY => ops::unify::unify_variables_xy,
            fast UnifyVariablesYX => ops::unify::unify_variables_yx,
            fast UnifyVariablesYY => ops::unify::unify_variables_yy,
            fast UnifyVoidVariable => ops::unify::unify_void_variable,
            fast WriteValueVariable => ops::unify::write_value_variable,
            fast WriteValues => ops::unify::write_values,
            fast WriteVariables => ops::unify::write_variables,
            fast MoveTwo => ops::unify::move_two,
            fast MoveThree => ops::unify::move_three,
            fast LoadTwo => ops::unify::load_two,
            fast LoadThree => ops::unify::load_three,
            fast StoreTwo => ops::unify::store_two,
            fast StoreThree => ops::unify::store_three,
            fast UnifyVoid => ops::unify::unify_void,
            fast UnifyList => ops::unify::unify_list,
            fast UnifyStructure => ops::unify::unify_structure,
            fast WriteConstant => ops::unify::write_constant,
            fast WriteFunctor => ops::unify::write_constant,
            fast WriteVariableX => ops::unify::write_variable_x,
            fast WriteVariableY => ops::unify::write_variable_y,
            fast WriteValueX => ops::unify::write_value_x,
            fast WriteValueY => ops::unify::write_value_y,
            fast WriteVoid => ops::unify::write_void,
            fast WriteList => ops::unify::write_list,
            fast WriteStructure => ops::unify::write_structure,
            fast PutConstant => ops::unify::put_constant,
            fast PutVariableX => ops::unify::put_variable_x,
            fast PutVariableY => ops::unify::put_variable_y,
            fast PutList => ops::unify::put_list,
            fast PutStructure => ops::unify::put_structure,
            fast Move => ops::unify::move_x,
            fast LoadY => ops::unify::load_y,
            fast StoreY => ops::unify::store_y,
            fast TestVar => ops::arith::test_var,
            fast TestNonvar => ops::arith::test_nonvar,
            fast TestAtom => ops::arith::test_atom,
            fast TestInteger => ops::arith::test_integer,
            fast TestType => ops::arith::test_type,
            fast Identical => ops::arith::identical,
            fast NotIdentical => ops::arith::not_identical,
            slow TermOrder => ops::arith::term_order,
            fast NotUnifiable => ops::arith::not_unifiable,
            fast Evaluate => ops::arith::evaluate,
            fast Add => ops::arith::add,
            fast AddSmall => ops::arith::add_small,
            fast Subtract => ops::arith::subtract,
            fast Multiply => ops::arith::multiply,
            fast IntDivide => ops::arith::int_divide,
            fast Modulo => ops::arith::modulo,
            slow Arith0 => ops::arith::arith0,
            fast Arith1 => ops::arith::arith1,
            fast Arith2 => ops::arith::arith2,
            fast NumLess => ops::arith::num_less,
            fast NumLessEqual => ops::arith::num_less_equal,
            fast NumEqual => ops::arith::num_equal,
            fast NumNotEqual => ops::arith::num_not_equal,
            fast LessSmall => ops::arith::less_small,
            fast LessEqualSmall => ops::arith::less_equal_small,
            fast GreaterSmall => ops::arith::greater_small,
            fast GreaterEqualSmall => ops::arith::greater_equal_small,
            fast EqualSmall => ops::arith::equal_small,
            fast NotEqualSmall => ops::arith::not_equal_small,
            fast Assumed => ops::context::assumed,
            slow AssumedRetry => ops::context::assumed_retry,
            fast ScopeBegin => ops::context::scope_begin,
            slow ScopeFrame => ops::context::scope_frame,
            slow ScopeReturn => ops::context::scope_return,
            slow BangBegin => ops::context::bang_begin,
            slow BangFrame => ops::context::bang_frame,
            slow BangReturn => ops::context::bang_return,
            slow ScopeBangReturn => ops::context::scope_bang_return,
            mode RecordBegin => ops::recorded::begin,
            slow RecordFail => ops::recorded::failed,
            mode DepthBegin => ops::depth::begin,
            mode TraceBegin => ops::trace::trace_begin,
            slow TraceCall => ops::trace::call_again,
            slow WatchedReturn => watched::goal_return,
            slow WatchedFail => watched::goal_fail,
            slow WatchedRedo => watched::goal_redo,
            slow WatchedEnter => watched::enter_later,
            slow Builtin => ops::builtin::builtin,
            slow BuiltinProceed => ops::builtin::builtin_proceed,
            slow Nondet => ops::builtin::nondet,
            slow NondetRetry => ops::builtin::nondet_retry,
            fast Arg => ops::term::arg,
            fast BetweenRetry => ops::term::between_retry,
            fast BetweenNext => ops::term::between_next,
            fast MetaCall => ops::meta::call_known,
            slow BodyCall => ops::meta::body_call,
            slow CutTo => ops::control::cut_to,
            slow Undefined => ops::import::undefined,
            slow Link => ops::meta::link,
            fast Import => ops::import::import,
            slow ImportMeta => ops::import::import_meta,
            slow Qualify => ops::import::qualify,
            slow Dynamic => ops::meta::dynamic,
            slow Interpret => ops::interpret::interpret,
            slow DynamicRetry => ops::meta::dynamic_retry,
            slow CollectBegin => ops::collect::collect_begin,
            slow CollectFolded => ops::collect::collect_folded,
            slow CollectTerm => ops::collect::collect_term,
            fast CollectCount => ops::collect::collect_count,
            slow CountMemo => ops::collect::count_memo,
            slow CountMemoEnd => ops::collect::count_memo_end,
            slow CollectEnd => ops::collect::collect_end,
            slow CatchBegin => ops::guard::catch_begin,
            slow CatchEnd => ops::guard::catch_end,
            slow TableRun => ops::table::run,
            slow CleanupBegin => ops::guard::cleanup_begin,
            slow CleanupEnd => ops::guard::cleanup_end,
            slow CleanupFail => ops::guard::cleanup_fail,
            slow Resume => suspend::resume,
            slow Rethrow => ops::guard::rethrow,
            fast Alive => ops::control::alive,
            fast ConstraintValue => ops::constraint::constraint_value,
            fast Constraint => ops::constraint::constraint,
        }
    };
}

/// Runs from instruction `p` until the query succeeds, fails or ends in an exception.
///
/// It catches no panic: a panic within an instruction is a fault of this library and reaches the host.
pub(crate) fn run(m: &mut Machine, p: CodeAddr) -> Outcome {
    let watch = &m.store.events.watch;
    watch.set_worker(os::thread_number());
    let outer = watch.set_within_instruction(true);
    // Changes of the tracer's mode within an instruction apply only there.
    let mode = (m.run.pausing.runs > 0).then_some(m.run.observers.tracer.mode);
    m.run.pausing.runs += 1;
    m.saved = Regs::new(p, m.store.heap_top, HeapAddr::NONE, m.env);
    let outcome = trampoline(m);
    m.run.pausing.runs -= 1;
    m.run.observers.tracer.mode = mode.unwrap_or(m.run.observers.tracer.mode);
    m.store.events.watch.set_within_instruction(outer);
    outcome
}

/// Runs instructions in the form for the present mode. Looks at the mode again whenever it may have changed.
fn trampoline(m: &mut Machine) -> Outcome {
    loop {
        if m.run.tail_calls && !m.store.wake_pending && !is_watched(m) {
            let r = m.saved;
            next(m, r);
        } else {
            steps(m);
        }
        if let Some(outcome) = m.run.outcome.take() {
            return outcome;
        }
    }
}

/// Returns whether goals are watched, one instruction at a time.
pub(in crate::machine) fn is_watched(m: &Machine) -> bool {
    m.run.budgets.depths.is_counting()
        || m.is_recording()
        || m.run.observers.tracer.is_on()
        || m.run.observers.observing.wants(Kinds::STEPWISE)
        || m.notes_calls()
}

/// Does the work before an instruction of watched goals. Returns the registers after the instruction if it is done here.
fn before(m: &mut Machine, mut r: Regs, word: u64) -> Option<Regs> {
    match lambdas::put_back(m, &mut r, word) {
        Ok(false) => {}
        Ok(true) => return Some(r),
        Err(Stop) => return Some(stopped_before(m, r)),
    }
    let next = match watching::decoded(m, &r, word) {
        Ok(next) => next?,
        Err(Stop) => return Some(stopped_before(m, r)),
    };
    if m.notes_calls()
        && let Some(after) = call_chain::look(m, r, next)
    {
        return Some(after);
    }
    watching::notify(m, &r, next);
    match watched::before(m, r, next) {
        Ok(after) => after,
        Err(Stop) => Some(stopped_before(m, r)),
    }
}

/// Raises the exception that has stopped the work before an instruction, instead of running the instruction.
#[cold]
fn stopped_before(m: &mut Machine, r: Regs) -> Regs {
    m.saved = r;
    slow_forms::stopped(m)
}

/// Ends a run.
#[inline(never)]
fn stop(m: &mut Machine, r: Regs, outcome: Outcome) {
    m.store.heap_top = r.h;
    m.env = r.e;
    m.run.outcome = Some(outcome);
    let here = 0u8;
    m.run.stack_mark = &raw const here as u64;
}

/// Runs the instruction `raise`. Returns whether the exception is caught within the query.
#[inline(never)]
fn raise(m: &mut Machine) -> bool {
    let mut r = m.saved;
    let uncaught = match m.unwind(&mut r) {
        Ok(uncaught) => uncaught,
        Err(Stop) => {
            // The next instruction raises the new exception instead.
            m.saved = slow_forms::stopped(m);
            return true;
        }
    };
    m.saved = r;
    match uncaught {
        Some(throw) => {
            stop(m, r, Outcome::Exception(throw));
            false
        }
        None => true,
    }
}

/// Runs a slow instruction, with the registers in the machine.
#[inline(always)]
fn run_slow(m: &mut Machine, r: Regs, word: u64, function: fn(&mut Machine, u64)) -> Regs {
    m.saved = r;
    function(m, word);
    m.saved
}

// ---- the loop ---------------------------------------------------------------------------------

macro_rules! loop_arms {
    ($($speed:ident $op:ident => $function:path,)*) => {
        /// Runs instructions until the run ends or the mode may have changed. Before and after,
        /// the registers are in the machine.
        fn steps(m: &mut Machine) {
            let mut r = m.saved;
            let watched = is_watched(m);
            loop {
                if m.store.wake_pending {
                    if let Some(after) = wakeups::before(m, r) {
                        r = after;
                        if !watched && is_watched(m) {
                            m.saved = r;
                            return;
                        }
                        continue;
                    }
                } else if m.run.tail_calls && !watched {
                    m.saved = r;
                    return;
                }
                let word = raw::word(r.p());
                if watched {
                    if !is_watched(m) {
                        m.saved = r;
                        return;
                    }
                    if let Some(after) = before(m, r, word) {
                        r = after;
                        continue;
                    }
                }
                let Some(op) = decode(word) else {
                    unreachable!("no such instruction")
                };
                match op {
                    $(Op::$op => loop_arms!(@$speed m, r, word, $function),)*
                    Op::Rare => r = do_rare(m, r),
                    Op::StopSuccess => return stop(m, r, Outcome::Success),
                    Op::StopFailure => return stop(m, r, Outcome::Failure),
                    Op::Raise => {
                        m.saved = r;
                        if !raise(m) {
                            return;
                        }
                        r = m.saved;
                    }
                }
            }
        }
    };
    (@fast $m:ident, $r:ident, $word:ident, $function:path) => {
        $r = $function($m, $r, $word)
    };
    (@slow $m:ident, $r:ident, $word:ident, $function:path) => {
        $r = run_slow($m, $r, $word, slowly!($function))
    };
    (@mode $m:ident, $r:ident, $word:ident, $function:path) => {{
        run_slow($m, $r, $word, slowly!($function));
        return;
    }};
}

for_each_instruction!(loop_arms);

// ---- tail calls -------------------------------------------------------------------------------

/// A handler. Its arguments are P, the machine, H, S, E; its result has no meaning.
type Handler = fn(CodeAddr, &mut Machine, HeapAddr, HeapAddr, EnvAddr) -> u64;

/// Number of handlers: one for each number with each combination of marks.
const HANDLERS: usize = UNMARKED << 2;

const _: () = assert!(HANDLERS as u64 == UNMARKED as u64 + (GOAL | OPERAND));

#[inline(always)]
fn next(m: &mut Machine, r: Regs) -> u64 {
    let handler = raw::entry(&TABLE, raw::half::<0>(r.p()));
    handler(r.p(), m, r.h, r.s, r.e)
}

/// Runs the next instruction with the registers in the machine. Returns if wake-ups are pending.
#[inline(always)]
fn next_or_wake(m: &mut Machine) -> u64 {
    if m.store.wake_pending {
        return 0;
    }
    let r = m.saved;
    next(m, r)
}

macro_rules! handlers {
    ($($speed:ident $op:ident => $function:path,)*) => {
        #[expect(non_snake_case, reason = "named as the instructions")]
        mod handler {
            use super::{CodeAddr, EnvAddr, HeapAddr, Machine, Regs, run_slow, body, next, next_or_wake, ops, raw, slowly, suspend, watched};
            $(pub(super) fn $op(p: CodeAddr, m: &mut Machine, h: HeapAddr, s: HeapAddr, e: EnvAddr) -> u64 {
                let r = Regs::new(p, h, s, e);
                let word = raw::word(p);
                handlers!(@$speed m, r, word, $op, $function)
            })*
        }

        /// The fast instructions by name.
        #[expect(non_snake_case, reason = "named as the instructions")]
        mod body {
            use super::{Machine, Regs, endings, ops};
            $(handlers!(@body $speed $op $function);)*
        }

        static TABLE: [Handler; HANDLERS] = {
            let mut table: [Handler; HANDLERS] = [unknown; HANDLERS];
            $(table[Op::$op as usize] = handler::$op;)*
            let mut pair = 0;
            while pair < PAIRS.len() {
                table[FIRST_PAIR + pair] = PAIR_HANDLERS[pair];
                pair += 1;
            }
            let mut three = 0;
            while three < THREES.len() {
                table[FIRST_THREE + three] = THREE_HANDLERS[three];
                three += 1;
            }
            table[Op::Rare as usize] = rare_handler;
            table[Op::StopSuccess as usize] = stop_success;
            table[Op::StopFailure as usize] = stop_failure;
            table[Op::Raise as usize] = raise_handler;
            let mut marked = UNMARKED;
            while marked < HANDLERS {
                table[marked] = table[marked % UNMARKED];
                marked += 1;
            }
            table
        };
    };
    (@body fast $op:ident $function:path) => {
        #[inline(always)]
        pub(super) fn $op(m: &mut Machine, r: Regs, word: u64) -> Regs {
            $function(m, r, word)
        }
    };
    (@body slow $op:ident $function:path) => {};
    (@body mode $op:ident $function:path) => {};
    (@fast $m:ident, $r:ident, $word:ident, $op:ident, $function:path) => {{
        let r = body::$op($m, $r, $word);
        next($m, r)
    }};
    (@slow $m:ident, $r:ident, $word:ident, $op:ident, $function:path) => {{
        run_slow($m, $r, $word, slowly!($function));
        next_or_wake($m)
    }};
    (@mode $m:ident, $r:ident, $word:ident, $op:ident, $function:path) => {{
        run_slow($m, $r, $word, slowly!($function));
        0
    }};
}

for_each_instruction!(handlers);

macro_rules! pair_handlers {
    ($($first:ident => [$($second:ident),*];)*) => {
        /// Handlers that run both instructions of a pair: the second only if the first leads to it.
        #[expect(non_snake_case, reason = "named as the instructions")]
        mod pair_handler {
            $(pub(super) mod $first {
                use crate::machine::dispatch::forms::{CodeAddr, EnvAddr, HeapAddr, Machine, body, next, raw};
                use crate::machine::dispatch::regs::Regs;
                $(pub(in super::super) fn $second(p: CodeAddr, m: &mut Machine, h: HeapAddr, s: HeapAddr, e: EnvAddr) -> u64 {
                    let r = body::$first(m, Regs::new(p, h, s, e), raw::word(p));
                    if r.gone() {
                        return next(m, r);
                    }
                    let r = body::$second(m, r, raw::word(r.p()));
                    next(m, r)
                })*
            })*
        }

        /// The handlers in order of the numbers of the pairs.
        const PAIR_HANDLERS: [Handler; PAIRS.len()] = [$($(pair_handler::$first::$second,)*)*];
    };
}
for_each_pair!(pair_handlers);

macro_rules! three_handlers {
    ($($first:ident => $second:ident => $third:ident;)*) => {
        /// Handlers that run all instructions of a three, as far as each leads to the next.
        #[expect(non_snake_case, reason = "named as the instructions")]
        mod three_handler {
            $(pub(super) mod $first { pub(in crate::machine::dispatch::forms) mod $second {
                use crate::machine::dispatch::forms::{CodeAddr, EnvAddr, HeapAddr, Machine, body, next, raw};
                use crate::machine::dispatch::regs::Regs;
                pub(in crate::machine::dispatch::forms) fn $third(p: CodeAddr, m: &mut Machine, h: HeapAddr, s: HeapAddr, e: EnvAddr) -> u64 {
                    let r = body::$first(m, Regs::new(p, h, s, e), raw::word(p));
                    if r.gone() {
                        return next(m, r);
                    }
                    let r = body::$second(m, r, raw::word(r.p()));
                    if r.gone() {
                        return next(m, r);
                    }
                    let r = body::$third(m, r, raw::word(r.p()));
                    next(m, r)
                }
            }})*
        }

        /// The handlers in order of the numbers of the threes.
        const THREE_HANDLERS: [Handler; THREES.len()] = [$(three_handler::$first::$second::$third,)*];
    };
}
for_each_three!(three_handlers);

fn unknown(_: CodeAddr, _: &mut Machine, _: HeapAddr, _: HeapAddr, _: EnvAddr) -> u64 {
    unreachable!("no such instruction")
}

fn stop_success(p: CodeAddr, m: &mut Machine, h: HeapAddr, s: HeapAddr, e: EnvAddr) -> u64 {
    debug_assert!(!m.store.wake_pending, "see wakeups");
    stop(m, Regs::new(p, h, s, e), Outcome::Success);
    0
}

fn stop_failure(p: CodeAddr, m: &mut Machine, h: HeapAddr, s: HeapAddr, e: EnvAddr) -> u64 {
    stop(m, Regs::new(p, h, s, e), Outcome::Failure);
    0
}

fn rare_handler(p: CodeAddr, m: &mut Machine, h: HeapAddr, s: HeapAddr, e: EnvAddr) -> u64 {
    m.saved = do_rare(m, Regs::new(p, h, s, e));
    next_or_wake(m)
}

fn raise_handler(p: CodeAddr, m: &mut Machine, h: HeapAddr, s: HeapAddr, e: EnvAddr) -> u64 {
    m.saved = Regs::new(p, h, s, e);
    if !raise(m) {
        return 0;
    }
    next_or_wake(m)
}

/// Number of instructions that the check below runs.
const CHECKED: usize = 1000;
/// Maximum number of bytes of stack that these instructions may take together if no call leaves a frame behind.
const CHECKED_STACK: u64 = 4096;

/// Returns whether calls between handlers are jumps in this build: a run of instructions does not change the depth of
/// the stack. A process checks this once.
pub(crate) fn tail_calls_hold(m: &mut Machine) -> bool {
    static HOLD: OnceLock<bool> = OnceLock::new();
    *HOLD.get_or_init(|| {
        let mut code: Vec<u64> = Vec::new();
        for _ in 0..CHECKED {
            code.put_all_bounded([Op::Jump as u64, 2]);
        }
        code.put_bounded(Op::StopSuccess as u64);
        let here = 0u8;
        let start = &raw const here as u64;
        let p = CodeAddr::of(&code);
        next(m, Regs::NONE.at(p));
        m.run.outcome = None;
        // Without optimisation some handlers keep a frame even if calls are jumps.
        cfg!(not(debug_assertions)) && m.run.stack_mark.abs_diff(start) < CHECKED_STACK
    })
}
