//! Watched calls: calls whose success, failure, redo, exception or depth must be noticed.
//!
//! Such a call makes a frame, which marks its success. It also makes a choice point, which marks its failure, unless
//! only the depth counts. A goal that has left choice points leaves one more, which marks its redo. All observers
//! share them. The choice point stores the arguments and then the record of the goal, which says who watches it
//! ([`Kept`]). The frame stores that choice point, the record, and the depth to restore.
#![forbid(unsafe_code)]

use super::observer::{Event, Kinds};
use super::tracer::{Mode, frame};
use super::watching::Next;
use crate::base::atom_table::functors;
use crate::base::stop::Stop;
use crate::code::instruction::{Op, decode, wide};
use crate::machine::contexts::slots::word;
use crate::machine::control::calls::enter;
use crate::machine::control::wakeups::wake;
use crate::machine::dispatch::endings::{count_call, fail, out_of_memory};
use crate::machine::dispatch::regs::Regs;
use crate::machine::dispatch::slow_forms::do_rare;
use crate::machine::frames::layout::{ChoiceKind, NO_FRAME, cp, env};
use crate::machine::frames::stubs;
use crate::machine::frames::suspend::Held;
use crate::machine::ops::guard::{self, guard_frame, return_from_guard};
use crate::machine::ops::{control, depth, meta, recorded, trace};
use crate::machine::state::Machine;
use crate::program::predicate::PredId;
use crate::store::address::{ChoiceAddr, CodeAddr, EnvAddr};
use crate::store::cell::{Cell, WORD};
use crate::store::heap::{View, deref};
use crate::store::raw;

/// Number of registers after the arguments in the choice point of a watched call: the record of the goal.
pub(in crate::machine) const EXTRA: usize = 1;
/// Slots of the frame of a watched call.
pub(in crate::machine) const SLOTS: usize = 3;
/// The depth of a goal while depths are not limited. Also the record of a goal whose depth alone counts.
pub(in crate::machine) const NONE: i64 = -1;

/// The record of the goal of a watched call.
#[derive(Copy, Clone)]
pub(in crate::machine) enum Kept {
    /// No record: only the depth counts.
    Nothing,
    /// The predicate, for observers.
    Observed(PredId),
    /// A term of [`frame`]: the goal is traced, and may be observed.
    Traced(Cell),
    /// A term of the recorder.
    Recorded(Cell),
}

impl Kept {
    fn of(m: &Machine, cell: Cell) -> Kept {
        match m.store.view(cell) {
            View::Int(NONE) => Kept::Nothing,
            View::Int(id) => Kept::Observed(PredId(id as u32)),
            View::Struct(functors::TRACED_GOAL, _) => Kept::Traced(cell),
            _ => Kept::Recorded(cell),
        }
    }

    pub(in crate::machine) fn cell(self) -> Cell {
        match self {
            Kept::Nothing => Cell::int(NONE),
            Kept::Observed(id) => Cell::int(i64::from(id.0)),
            Kept::Traced(term) | Kept::Recorded(term) => term,
        }
    }

    /// Returns the predicate of a goal that observers may get events about.
    fn predicate(self, m: &Machine) -> Option<PredId> {
        match self {
            Kept::Observed(id) => Some(id),
            Kept::Traced(goal) => Some(PredId(m.frame_int(goal, frame::PREDICATE) as u32)),
            Kept::Nothing | Kept::Recorded(_) => None,
        }
    }
}

impl Machine {
    /// Returns whether catch/3 and goals with a cleanup call their goals by a separate
    /// instruction, so that they can be watched.
    pub(in crate::machine) fn calls_goals_separately(&self) -> bool {
        self.run.observers.observing.wants(Kinds::PORTS) || self.run.observers.tracer.is_on()
    }

    /// Returns the record of the goal in this choice point of a watched call.
    pub(in crate::machine) fn kept_by(&self, b: ChoiceAddr) -> Kept {
        Kept::of(self, self.choice_arg(b, self.choice_args(b) - EXTRA))
    }

    /// Returns whether this is the frame of a watched call that only shows or observes its goal.
    pub(in crate::machine) fn is_frame_of_shown(&self, next: CodeAddr, e: EnvAddr) -> bool {
        next == stubs::watched_return()
            && matches!(
                Kept::of(self, raw::cell(e.slot(1))),
                Kept::Traced(_) | Kept::Observed(_)
            )
            && raw::cell(e.slot(2)) == Cell::int(NONE)
    }

    fn notify_port(&mut self, event: fn(PredId) -> Event<'static>, kept: Kept, r: &Regs) {
        if let Some(id) = kept.predicate(self) {
            self.notify(&event(id), r);
        }
    }

    /// Removes the newest choice point, which an exception leaves.
    pub(in crate::machine) fn pop_left_choice(&mut self, r: &Regs) {
        let alternative = self.choice.get(cp::ALT);
        if alternative == stubs::watched_redo() {
            self.run.observers.observing.exited += 1;
        } else if alternative == stubs::watched_fail()
            && let kept = self.kept_by(self.choice)
            && !matches!(kept, Kept::Nothing | Kept::Recorded(_))
        {
            match self.run.observers.observing.exited.checked_sub(1) {
                Some(fewer) => self.run.observers.observing.exited = fewer,
                None => self.notify_port(Event::Raised, kept, r),
            }
        }
        self.pop_native();
    }
}

/// Does the work before an instruction of watched goals. Returns the registers after the instruction if it is done here.
#[inline]
pub(in crate::machine) fn before(
    m: &mut Machine,
    r: Regs,
    next: Next,
) -> Result<Option<Regs>, Stop> {
    if m.run.observers.tracer.is_on()
        && let Some(after) = trace::before(m, r, next)?
    {
        return Ok(Some(after));
    }
    match next.op {
        Op::CatchBegin | Op::CleanupBegin
            if !m.calls_goals_separately() || m.store.wake_pending => {}
        Op::CatchBegin => return Ok(Some(then_call(guard::catch_frame(m, r)))),
        Op::CleanupBegin => return Ok(Some(then_call(guard::cleanup_frame(m, r)))),
        _ => {}
    }
    before_untraced(m, r, next)
}

/// Enters call/1, unless there was no room for the frames of its caller.
fn then_call(made: Result<Regs, Regs>) -> Regs {
    match made {
        Ok(r) => r.at(stubs::call()),
        Err(full) => full,
    }
}

/// Does the work before an instruction for all watchers except the tracer.
pub(in crate::machine) fn before_untraced(
    m: &mut Machine,
    r: Regs,
    next: Next,
) -> Result<Option<Regs>, Stop> {
    if m.is_recording()
        && let Some(after) = recorded::before(m, r, next)?
    {
        return Ok(Some(after));
    }
    if m.store.wake_pending {
        let ports = m.run.observers.observing.wants(Kinds::PORTS);
        let calls = matches!(next.op, Op::Call | Op::Execute | Op::DeallocateExecute);
        return Ok((ports && calls).then(|| wake_before_call(m, r, next)));
    }
    match next.op {
        Op::Call | Op::Execute | Op::DeallocateExecute | Op::MetaCall | Op::BodyCall => {
            Ok(call(m, r, next))
        }
        Op::Builtin if !depth::admits_builtin(m, next.word) => {
            let mut r = r;
            fail(m, &mut r);
            Ok(Some(r))
        }
        _ => Ok(None),
    }
}

/// Makes a call, with the frame and choice point that its watchers need.
fn call(m: &mut Machine, r: Regs, next: Next) -> Option<Regs> {
    let shown = trace::wants_call(m, &r, next);
    let called = next.called.filter(|_| !next.of_call);
    let observed = called.filter(|_| m.run.observers.observing.wants(Kinds::PORTS));
    let depth = match depth::admits_call(m, &r, next) {
        Ok(depth) => depth,
        Err(()) => {
            let mut r = r;
            fail(m, &mut r);
            return Some(r);
        }
    };
    if shown.is_none() && observed.is_none() && depth.is_none() {
        return None;
    }
    let done: fn(&mut Machine, Regs, u64) -> Regs = match next.op {
        Op::Call => control::call,
        Op::Execute => control::execute,
        Op::DeallocateExecute => control::deallocate_execute,
        Op::MetaCall => meta::meta_call,
        _ => meta::body_call,
    };
    let mut after = done(m, r, next.word);
    if after.p() == stubs::rare() {
        after = do_rare(m, after);
    }
    if let Some(id) = called
        && (shown.is_some() || observed.is_some())
        && after.p() == m.world.predicates.entry(id)
    {
        return Some(match shown {
            Some(spied) => trace::enter_traced(m, after, (id, r.p(), spied), depth),
            None => enter_observed(m, after, id, depth),
        });
    }
    let mut refused = after;
    fail(m, &mut refused);
    if after.p() == refused.p() || after.p() == stubs::raise() || after.p() == m.cont {
        return Some(after);
    }
    if let Some(depth) = depth
        && !push_frame(m, &mut after, (Cell::int(0), Kept::Nothing), Some(depth))
    {
        return Some(out_of_memory(m, after));
    }
    Some(after)
}

/// Prepares the entry of a predicate whose goal observers watch.
fn enter_observed(m: &mut Machine, mut r: Regs, id: PredId, depth: Option<i64>) -> Regs {
    let kept = Kept::Observed(id);
    let arity = m.world.predicates.get(id).functor.arity();
    if !push_choice(m, &r, arity, kept) {
        return out_of_memory(m, r);
    }
    let choice = m.choice_cell(m.choice);
    if !push_frame(m, &mut r, (choice, kept), depth) {
        return out_of_memory(m, r);
    }
    m.cut_choice = m.choice;
    r
}

/// Makes the choice point of a watched call. The arguments are in the registers.
pub(in crate::machine) fn push_choice(m: &mut Machine, r: &Regs, arity: usize, kept: Kept) -> bool {
    m.x[arity] = kept.cell();
    let fails = stubs::watched_fail();
    m.push_choice(r, arity + EXTRA, NO_FRAME, fails, ChoiceKind::Plain)
}

/// Makes the frame of a watched call. If a depth is given, the goal is one deeper.
pub(in crate::machine) fn push_frame(
    m: &mut Machine,
    r: &mut Regs,
    (choice, kept): (Cell, Kept),
    depth: Option<i64>,
) -> bool {
    let end = stubs::watched_return();
    if !guard_frame(m, r, end) {
        return false;
    }
    raw::set_cell(r.e.slot(0), choice);
    raw::set_cell(r.e.slot(1), kept.cell());
    raw::set_cell(r.e.slot(2), Cell::int(depth.unwrap_or(NONE)));
    m.env = r.e;
    if let Some(depth) = depth {
        m.set_context(word::DEPTH, Cell::int(depth + 1));
    }
    true
}

/// Runs `watched_return`: the goal of a watched call has succeeded.
#[inline(always)]
pub(crate) fn goal_return(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    if m.store.wake_pending {
        let p = r.p();
        return wake(m, r, p, Held::frame(SLOTS, true));
    }
    m.store.heap_top = r.h;
    let [choice, kept, depth] = [0, 1, 2].map(|slot| raw::cell(r.e.slot(slot)));
    let kept = Kept::of(m, kept);
    if depth != Cell::int(NONE) {
        m.set_context(word::DEPTH, depth);
    }
    if let Kept::Nothing = kept {
        return_from_guard(m, &mut r);
        return r;
    }
    // If the goal is shown or observed, it also has a choice point.
    let shared = !matches!(kept, Kept::Recorded(_));
    let mut fails = false;
    match kept {
        Kept::Nothing | Kept::Observed(_) => {}
        Kept::Traced(goal) => match trace::goal_exits(m, r, m.cell_choice(choice), goal) {
            Ok(failing) => fails = failing,
            Err(elsewhere) => return elsewhere,
        },
        Kept::Recorded(goal) => {
            if recorded::goal_exits(m, goal).is_err() {
                return out_of_memory(m, r);
            }
        }
    }
    r.h = m.store.heap_top;
    let alone = shared && m.choice == m.cell_choice(choice);
    if alone && !fails {
        m.pop_choice();
    }
    return_from_guard(m, &mut r);
    if !fails {
        m.notify_port(Event::Exit, kept, &r);
    }
    let again =
        m.run.observers.tracer.mode != Mode::Off || m.run.observers.observing.wants(Kinds::PORTS);
    if shared && !alone && again && !push_redo(m, &r, kept.cell()) {
        return out_of_memory(m, r);
    }
    if fails {
        fail(m, &mut r);
    }
    r
}

/// Makes the choice point that marks the redo of a goal.
pub(in crate::machine) fn push_redo(m: &mut Machine, r: &Regs, kept: Cell) -> bool {
    m.x[0] = kept;
    let redo = stubs::watched_redo();
    m.push_choice(r, 1, NO_FRAME, redo, ChoiceKind::Plain)
}

/// Runs `watched_fail`: the goal of a watched call has no solution, or no further one.
#[inline(always)]
pub(crate) fn goal_fail(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    m.restore(&mut r);
    m.store.heap_top = r.h;
    let kept = m.kept_by(m.choice);
    if let Kept::Traced(goal) = kept
        && let Some(elsewhere) = trace::goal_fails(m, r, goal)
    {
        return elsewhere;
    }
    m.notify_port(Event::Fail, kept, &r);
    m.pop_choice();
    let noted = match kept {
        Kept::Recorded(goal) => recorded::goal_fails(m, goal),
        _ => Ok(()),
    };
    m.store.heap_top = r.h;
    if noted.is_err() {
        return out_of_memory(m, r);
    }
    fail(m, &mut r);
    r
}

/// Runs `watched_redo`: backtracking looks for a further solution of the goal of a watched call.
#[inline(always)]
pub(crate) fn goal_redo(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    m.restore(&mut r);
    m.store.heap_top = r.h;
    let kept = Kept::of(m, m.choice_arg(m.choice, 0));
    m.pop_choice();
    m.notify_port(Event::Redo, kept, &r);
    // The tracer shows the goal that has the choice points, not those that called it.
    if let Kept::Traced(goal) = kept
        && m.choice.get(cp::ALT) != stubs::watched_redo()
        && let Some(elsewhere) = trace::goal_is_redone(m, r, goal)
    {
        return elsewhere;
    }
    fail(m, &mut r);
    r
}

/// Runs the wake-ups that are pending before a call, and then the call, by `watched_enter`.
pub(in crate::machine) fn wake_before_call(m: &mut Machine, mut r: Regs, next: Next) -> Regs {
    let id = PredId(wide(next.word));
    match next.op {
        Op::Call => m.cont = r.p() + 2 * WORD,
        Op::DeallocateExecute => {
            m.cont = r.e.get(env::CP);
            r.e = r.e.get(env::CE);
        }
        _ => {}
    }
    // The call counts now, as for goals that are not watched, even if the wake-ups fail or return several times.
    if count_call(m) {
        m.store.watch.look_at_next_call();
    }
    let arity = m.world.predicates.get(id).functor.arity();
    m.x.copy_within(0..arity, 1);
    m.x[0] = Cell::int(i64::from(id.0));
    let enters = stubs::watched_enter();
    wake(m, r, enters, Held::arguments(arity + 1))
}

/// Runs `watched_enter`: calls the predicate whose number is in X0. Its arguments follow in the next registers.
#[inline(always)]
pub(crate) fn enter_later(m: &mut Machine, r: Regs, _: u64) -> Regs {
    let id = PredId(deref(m.x[0]).int_value() as u32);
    let arity = m.world.predicates.get(id).functor.arity();
    m.x.copy_within(1..=arity, 0);
    m.store.heap_top = r.h;
    m.env = r.e;
    let of_call = decode(raw::word(m.world.predicates.entry(id))) == Some(Op::MetaCall);
    let shown = match m.run.observers.tracer.is_on() && !of_call {
        true => trace::wants_entry(m, &r, id),
        false => None,
    };
    let observed = !of_call && m.run.observers.observing.wants(Kinds::PORTS);
    m.calls = m.calls.wrapping_sub(1);
    let r = enter(m, r, id.0);
    match shown {
        _ if r.p() != m.world.predicates.entry(id) => r,
        Some(spied) => trace::enter_traced(m, r, (id, CodeAddr::NONE, spied), None),
        None if observed => enter_observed(m, r, id, None),
        None => r,
    }
}
