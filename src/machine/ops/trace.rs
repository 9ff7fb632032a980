//! Instructions while goals are traced: what is done before each of them, and what the choice points and
//! the frames of traced goals lead to.
#![forbid(unsafe_code)]

use super::builtin;
use crate::base::atom_table::{atoms, functors};
use crate::base::stop::Stop;
use crate::code::instruction::{Op, slot_a, wide};
use crate::machine::contexts::slots::word;
use crate::machine::control::paused::Why;
use crate::machine::control::throw::{Ball, Throw};
use crate::machine::control::wakeups::wake;
use crate::machine::dispatch::endings::{fail, out_of_memory, raise};
use crate::machine::dispatch::regs::Regs;
use crate::machine::events::recorder::Purpose;
use crate::machine::events::tracer::{Command, Event, Mode, Port, Stand, frame};
use crate::machine::events::watched::{
    EXTRA, Kept, NONE, SLOTS, before_untraced, push_choice, push_frame, push_redo, wake_before_call,
};
use crate::machine::events::watching::Next;
use crate::machine::frames::layout::cp;
use crate::machine::frames::shield::Shield;
use crate::machine::frames::stubs;
use crate::machine::frames::suspend::Held;
use crate::machine::state::Machine;
use crate::machine::tables::SUFFIX;
use crate::program::predicate::{Kind, PredId};
use crate::store::address::{ChoiceAddr, CodeAddr};
use crate::store::cell::{Cell, WORD};
use crate::store::heap::deref;

/// Modules of the system whose predicates programs do not call by name, or that are about the tracer.
const UNSEEN: [&str; 3] = ["prolog_debug", "tabling", "$scope"];

/// `trace_begin`: X0 says what the tracer does from now on: 0 nothing, 1 stop at spy points, 2 show all.
/// Or the query waits for a session within, 3, or a prompt that is a part of it, 4, where that can be.
#[inline(always)]
pub(crate) fn begin(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    m.store.heap_top = r.h;
    match deref(m.x[0]).int_value() {
        0 => m.set_trace_mode(Mode::Off),
        1 => m.set_trace_mode(Mode::Leap),
        2 => m.set_trace_mode(Mode::Creep),
        3 if m.may_break() => {
            let proceed = stubs::proceed();
            return m.pause_for_break(r, proceed, Held::arguments(0));
        }
        4 if m.may_prompt() => {
            let proceed = stubs::proceed();
            return m.pause_for(Why::Prompt, r, proceed, Held::arguments(0));
        }
        _ => {}
    }
    r.h = m.store.heap_top;
    r.go(m.cont);
    r
}

impl Machine {
    /// Has the tracer do this from now on.
    pub(crate) fn set_trace_mode(&mut self, mode: Mode) {
        self.note_effect();
        self.run.observers.tracer.mode = mode;
        if mode == Mode::Off && std::mem::take(&mut self.run.observers.tracer.records) {
            self.end_recording();
        }
    }

    /// Does the predicate with the definition belong to the system?
    pub(in crate::machine) fn is_systems(&self, definition: PredId) -> bool {
        let predicate = self.world.predicates.get(definition);
        predicate.traits.system || self.is_system_module(predicate.module)
    }

    /// Is it a predicate that is never shown: one that programs do not call by name, or one of the
    /// tracer's own?
    pub(in crate::machine) fn is_unseen(&self, definition: PredId) -> bool {
        let predicate = self.world.predicates.get(definition);
        let name = self.world.symbols.name_text(predicate.functor);
        let system = self.is_systems(definition);
        let control = predicate.kind == Kind::Control && name != "catch";
        let switch = predicate.functor.arity() == 0 && matches!(name, "debug" | "nodebug");
        (system && (name.starts_with('$') || control || switch))
            || name.ends_with(SUFFIX)
            || UNSEEN.contains(&self.world.symbols.text(predicate.module))
            || matches!(
                predicate.functor,
                functors::COMMA | functors::SEMICOLON | functors::ARROW | functors::SOFT_ARROW
            )
    }

    /// Does the instruction at this address belong to a clause of the user's?
    fn is_user_code(&mut self, at: CodeAddr) -> bool {
        self.user_clause(at).is_some()
    }

    /// The predicate of the innermost traced goal.
    fn traced_predicate(&self) -> Option<PredId> {
        let goal = self.traced_goal()?;
        Some(PredId(self.frame_int(goal, frame::PREDICATE) as u32))
    }

    /// Are goals of call/N shown that the present goal calls? Those of the system within one of the
    /// system's are, where that takes goals.
    fn shows_goals_of_call(&self) -> bool {
        let Some(id) = self.traced_predicate() else {
            return true;
        };
        let definition = self.definition(id);
        !self.is_systems(definition) || self.world.predicates.get(definition).sensitive()
    }

    /// Is a call of this predicate to be shown, and does a spy point make it so? `seen`: is the goal
    /// one that the user wrote? `stand`: where it goes on.
    fn wants(&mut self, id: PredId, seen: bool, stand: Stand) -> Option<bool> {
        let mut definition = self.definition(id);
        if self.world.predicates.get(definition).kind == Kind::Undefined {
            // A library may have it. What is wrong shows when it is called.
            let _ = self.untraced(|m| m.find_definition(definition));
            self.entries = self.world.predicates.entries();
            definition = self.definition(id);
        }
        if self.run.observers.tracer.spied.contains_key(&definition) {
            return Some(true);
        }
        let wanted = self.may_show()
            && !self.is_unseen(definition)
            && (seen || !self.is_systems(definition))
            && self.shows(stand);
        wanted.then_some(false)
    }
}

/// Before an instruction while goals are traced: the registers after it if it is done here.
pub(in crate::machine) fn before(
    m: &mut Machine,
    r: Regs,
    next: Next,
) -> Result<Option<Regs>, Stop> {
    if m.run.observers.recorder.is_none() && m.run.contexts.has_any() {
        m.store.heap_top = r.h;
        m.begin_recording(Purpose::Trace, ChoiceAddr::NONE)?;
        m.run.observers.tracer.records = true;
    }
    let registers = match next.op {
        Op::Call | Op::Execute | Op::DeallocateExecute if m.store.wake_pending => {
            m.run.observers.tracer.from_user = m.is_user_code(r.p());
            return Ok(Some(wake_before_call(m, r, next)));
        }
        Op::MetaCall => slot_a(next.word),
        Op::BodyCall => 3,
        Op::Builtin if !m.store.wake_pending => return builtin(m, r, next),
        _ => return Ok(None),
    };
    let p = r.p();
    Ok(m.store
        .wake_pending
        .then(|| wake(m, r, p, Held::arguments(registers))))
}

/// Is this call to be shown, and does a spy point make it so?
pub(in crate::machine) fn wants_call(m: &mut Machine, r: &Regs, next: Next) -> Option<bool> {
    if !m.run.observers.tracer.is_on() {
        return None;
    }
    let id = next.called?;
    let seen = match next.op {
        Op::MetaCall | Op::BodyCall => {
            std::mem::replace(&mut m.run.observers.tracer.from_user, true)
                && !m.is_system_module(m.world.predicates.get(id).module)
                && m.shows_goals_of_call()
        }
        _ => m.may_show() && m.is_user_code(r.p()),
    };
    if next.of_call {
        // The instruction that call/N consists of comes next.
        m.run.observers.tracer.from_user = seen || m.shows_goals_of_call();
        return None;
    }
    m.store.heap_top = r.h;
    m.env = r.e;
    let stand = m.stand_of_call(r, next.op);
    m.wants(id, seen, stand)
}

/// Is the call of a predicate to be shown that wake-ups have put off?
pub(in crate::machine) fn wants_entry(m: &mut Machine, r: &Regs, id: PredId) -> Option<bool> {
    let seen = m.run.observers.tracer.from_user;
    let stand = m.stand(r.e);
    m.wants(id, seen, stand)
}

/// A predicate is about to be entered, its arguments in the registers: makes the choice point and the
/// frame of the goal and shows its call.
pub(in crate::machine) fn enter_traced(
    m: &mut Machine,
    mut r: Regs,
    (id, site, spied): (PredId, CodeAddr, bool),
    depth: Option<i64>,
) -> Regs {
    m.store.heap_top = r.h;
    let stand = m.stand(r.e);
    let Ok(goal) = m.new_frame(id, (site, stand)) else {
        return out_of_memory(m, r);
    };
    r.h = m.store.heap_top;
    let arity = m.world.predicates.get(id).functor.arity();
    if !push_choice(m, &r, arity, Kept::Traced(goal)) {
        return out_of_memory(m, r);
    }
    start(m, r, spied, depth)
}

/// Calls the goal of the newest choice point, which has just been made or restored.
fn start(m: &mut Machine, mut r: Regs, spied: bool, depth: Option<i64>) -> Regs {
    let b = m.choice;
    let arity = m.choice_args(b) - EXTRA;
    let goal = m.choice_arg(b, arity);
    let kept = (m.choice_cell(b), Kept::Traced(goal));
    if !push_frame(m, &mut r, kept, depth) {
        return out_of_memory(m, r);
    }
    m.set_context(word::TRACE, goal);
    let id = PredId(m.frame_int(goal, frame::PREDICATE) as u32);
    m.cut_choice = b;
    let stand = m.stand_of_frame(r.e);
    loop {
        match port(m, &r, (Port::Call, spied, stand), goal, (true, true)) {
            Command::Retry => {}
            Command::Go => break,
            Command::Fail => {
                fail(m, &mut r);
                return r;
            }
            Command::Ignore => {
                r.h = m.store.heap_top;
                r.go(m.cont);
                return r;
            }
            Command::Break => {
                m.restore(&mut r);
                m.x[0] = Cell::int(i64::from(spied));
                m.x[1] = Cell::int(depth.unwrap_or(NONE));
                let again = stubs::trace_call();
                return m.pause_for_break(r, again, Held::arguments(2));
            }
            other => return end_query(m, r, other),
        }
    }
    for index in 0..arity {
        m.x[index] = m.choice_arg(b, index);
    }
    r.h = m.store.heap_top;
    r.go(m.world.predicates.entry(id));
    r
}

impl Machine {
    /// Calls the traced goal of the newest choice point again, which an exception was about to leave.
    pub(in crate::machine) fn retry_traced(&mut self, r: &mut Regs) {
        self.restore(r);
        self.store.heap_top = r.h;
        let b = self.choice;
        let goal = self.choice_arg(b, self.choice_args(b) - EXTRA);
        self.keep_depths(self.frame_arg(goal, frame::DEPTHS));
        let spied = is_spied(self, goal);
        *r = start(self, *r, spied, None);
    }
}

impl Machine {
    /// The query waits for a session within, with an exception under way that has come to the newest
    /// choice point; then the exception goes on. `goal`: the traced goal that it has not left yet.
    pub(in crate::machine) fn break_at_exception(
        &mut self,
        r: &mut Regs,
        goal: Option<Cell>,
        throw: Throw,
    ) -> Result<(), Stop> {
        self.restore(r);
        self.store.heap_top = r.h;
        if let Some(goal) = goal {
            self.set_context(word::TRACE, goal);
        }
        self.begin_shield(Shield::Unwinding(throw))?;
        let rethrow = stubs::rethrow();
        *r = self.pause_for_break(*r, rethrow, Held::arguments(0));
        Ok(())
    }
}

/// `trace_call`: X0 says whether there is a spy point, X1 how deep the goal is for what limits depths.
#[inline(always)]
pub(crate) fn call_again(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    let spied = m.x[0] != Cell::int(0);
    let depth = Some(m.x[1].int_value()).filter(|&depth| depth != NONE);
    m.restore(&mut r);
    m.store.heap_top = r.h;
    start(m, r, spied, depth)
}

/// Ends the query, or the process.
fn end_query(m: &mut Machine, r: Regs, command: Command) -> Regs {
    let ball = match command {
        Command::Halt => Ball::Halt(0),
        Command::Stop => Ball::OutOfMemory,
        _ => Ball::Aborted,
    };
    raise(m, r, Throw::new(ball), None)
}

/// Shows a port if it is wanted; what the user wants then. Registers are as they were.
pub(in crate::machine) fn port(
    m: &mut Machine,
    r: &Regs,
    (port, spied, stand): (Port, bool, Stand),
    goal: Cell,
    (may_run, may_retry): (bool, bool),
) -> Command {
    let depth = m.frame_int(goal, frame::DEPTH);
    let wanted = m.run.observers.tracer.suspended == 0
        && (spied || m.run.observers.tracer.shows_depth(depth));
    if !wanted || m.run.observers.tracer.visible & port as u8 == 0 {
        return Command::Go;
    }
    if let Mode::Skip(_) = m.run.observers.tracer.mode {
        m.run.observers.tracer.mode = Mode::Creep;
    }
    let event = Event {
        port,
        frame: goal,
        may_run,
        may_retry,
        spied,
        stand,
    };
    m.store.heap_top = m.store.heap_top.max(r.h);
    m.env = r.e;
    let (registers, cont, cut) = (m.x, m.cont, m.cut_choice);
    let upper = m.world.upper;
    m.run.observers.tracer.suspended += 1;
    m.run.collector.paused += 1;
    let command = upper.trace_port(m, &event).unwrap_or(Command::Stop);
    m.run.collector.paused -= 1;
    m.run.observers.tracer.suspended = m.run.observers.tracer.suspended.saturating_sub(1);
    m.x = registers;
    m.cont = cont;
    m.cut_choice = cut;
    m.entries = m.world.predicates.entries();
    if m.run.observers.tracer.mode == Mode::Off {
        m.set_trace_mode(Mode::Off);
    }
    command
}

/// Is there a spy point at the predicate of a goal?
pub(in crate::machine) fn is_spied(m: &Machine, goal: Cell) -> bool {
    let id = PredId(m.frame_int(goal, frame::PREDICATE) as u32);
    m.run.observers.tracer.mode != Mode::Off
        && m.run.observers.tracer.spied.contains_key(&m.definition(id))
}

/// A traced goal has succeeded whose call has this choice point: true if it is to fail, and what it has left taken
/// up again, as after a failure behind it; an error if the machine goes on elsewhere.
pub(in crate::machine) fn goal_exits(
    m: &mut Machine,
    mut r: Regs,
    b: ChoiceAddr,
    goal: Cell,
) -> Result<bool, Regs> {
    let spied = is_spied(m, goal);
    let can_retry = m.cleanup_choice <= b;
    let stand = m.stand_of_frame(r.e);
    let command = port(m, &r, (Port::Exit, spied, stand), goal, (true, can_retry));
    match command {
        Command::Go | Command::Ignore | Command::Fail => {}
        Command::Retry => {
            m.set_choice(b);
            m.restore(&mut r);
            m.store.heap_top = r.h;
            return Err(start(m, r, spied, None));
        }
        Command::Break => {
            r.h = m.store.heap_top;
            return Err(m.pause_for_break(r, r.p(), Held::frame(SLOTS, true)));
        }
        other => return Err(end_query(m, r, other)),
    }
    let parent = m.frame_arg(goal, frame::PARENT);
    m.set_context(word::TRACE, parent);
    Ok(command == Command::Fail)
}

/// A traced goal, whose call has the newest choice point, has no (further) solution: the registers if the machine
/// goes on elsewhere.
pub(in crate::machine) fn goal_fails(m: &mut Machine, mut r: Regs, goal: Cell) -> Option<Regs> {
    let spied = is_spied(m, goal);
    let stand = m.stand(r.e);
    match port(m, &r, (Port::Fail, spied, stand), goal, (true, true)) {
        Command::Retry => {
            r.h = m.store.heap_top;
            Some(start(m, r, spied, None))
        }
        Command::Break => {
            r.h = m.store.heap_top;
            Some(m.pause_for_break(r, r.p(), Held::arguments(0)))
        }
        other @ (Command::Abort | Command::Halt | Command::Stop) => Some(end_query(m, r, other)),
        Command::Go | Command::Fail | Command::Ignore => None,
    }
}

/// A further solution of a traced goal is wanted, which has the newest choice point.
pub(in crate::machine) fn goal_is_redone(m: &mut Machine, mut r: Regs, goal: Cell) -> Option<Regs> {
    let spied = is_spied(m, goal);
    m.store.undo_to(m.choice.get(cp::TRAIL));
    let stand = m.stand(r.e);
    match port(m, &r, (Port::Redo, spied, stand), goal, (true, false)) {
        other @ (Command::Abort | Command::Halt | Command::Stop) => Some(end_query(m, r, other)),
        Command::Break => {
            let redo = stubs::watched_redo();
            r.h = m.store.heap_top;
            Some(match push_redo(m, &r, goal) {
                true => m.pause_for_break(r, redo, Held::arguments(0)),
                false => out_of_memory(m, r),
            })
        }
        _ => None,
    }
}

/// A builtin that a clause calls in place.
fn builtin(m: &mut Machine, r: Regs, next: Next) -> Result<Option<Regs>, Stop> {
    let entry = m.world.host.builtins[wide(next.word) as usize];
    if entry.name.starts_with('$') || !m.may_show() || !m.is_user_code(r.p()) {
        return Ok(None);
    }
    let stand = m.stand_in_place(&r, m.cont);
    if !m.shows(stand) {
        return Ok(None);
    }
    let functor = m.builtin_functor(wide(next.word))?;
    let id = m.intern_predicate(atoms::SYSTEM, functor)?;
    let mut r = r;
    m.store.heap_top = r.h;
    m.env = r.e;
    let Ok(goal) = m.new_frame(id, (r.p(), stand)) else {
        return Ok(Some(out_of_memory(m, r)));
    };
    r.h = m.store.heap_top;
    // The environment has no word that says what of it is in use: nothing is run on top of it.
    loop {
        match port(m, &r, (Port::Call, false, stand), goal, (false, true)) {
            Command::Retry => {}
            Command::Go => break,
            Command::Ignore => {
                r.step(3);
                return Ok(Some(r));
            }
            Command::Fail => {
                fail(m, &mut r);
                return Ok(Some(r));
            }
            other => return Ok(Some(end_query(m, r, other))),
        }
    }
    r.h = m.store.heap_top;
    let mut after = match before_untraced(m, r, next)? {
        Some(after) => after,
        None => builtin::builtin(m, r, next.word),
    };
    m.store.heap_top = after.h;
    let how = if after.p() == r.p() + 3 * WORD {
        Port::Exit
    } else if after.p() == stubs::raise() {
        Port::Exception
    } else {
        Port::Fail
    };
    let command = port(m, &after, (how, false, stand), goal, (false, false));
    after.h = m.store.heap_top;
    Ok(Some(match command {
        Command::Fail if how == Port::Exit => {
            fail(m, &mut after);
            after
        }
        Command::Abort | Command::Halt | Command::Stop => end_query(m, after, command),
        Command::Break => {
            m.run.observers.tracer.holds_exception = true;
            after
        }
        _ => after,
    }))
}

impl Machine {
    /// An exception leaves the goal of this choice point, if it is one of those. What is to be done if
    /// the exception goes no further.
    pub(in crate::machine) fn leave_traced(
        &mut self,
        r: &Regs,
        numbers: &[i64],
    ) -> Option<Command> {
        let b = self.choice;
        let Kept::Traced(goal) = self.kept_by(b) else {
            return None;
        };
        if !numbers.contains(&self.frame_int(goal, frame::NUMBER)) {
            return None;
        }
        let spied = is_spied(self, goal);
        let stand = self.stand_of_choice(b);
        let about = (Port::Exception, spied, stand);
        let command = port(self, r, about, goal, (false, true));
        (command != Command::Go).then_some(command)
    }
}
