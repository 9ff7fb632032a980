//! Instructions while goals are traced: the work before each instruction, and the ports at the choice
//! points and frames of traced goals.
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
use crate::machine::events::tracer::{Command, Event, GoalPlace, Mode, Port, frame};
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

/// Modules of the system whose predicates are never shown: programs do not call them by name, or they control the tracer.
const UNSEEN: [&str; 3] = ["prolog_debug", "tabling", "$scope"];

/// `trace_begin`: X0 sets the tracer: 0 off, 1 stop at spy points, 2 show all goals. With 3 the query waits for a
/// nested session, with 4 for a prompt that is a part of it, if this is possible.
#[inline(always)]
pub(crate) fn trace_begin(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
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
    /// Sets the mode of the tracer.
    pub(crate) fn set_trace_mode(&mut self, mode: Mode) {
        self.note_effect();
        self.run.observers.tracer.mode = mode;
        if mode == Mode::Off && std::mem::take(&mut self.run.observers.tracer.records) {
            self.end_recording();
        }
    }

    /// Returns whether the predicate with this definition belongs to the system.
    pub(in crate::machine) fn is_systems(&self, definition: PredId) -> bool {
        let predicate = self.world.predicates.get(definition);
        predicate.traits.system || self.is_system_module(predicate.module)
    }

    /// Returns whether a predicate is never shown: programs do not call it by name, or it belongs to the tracer.
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

    /// Returns whether the instruction at this address belongs to the user's clause.
    fn is_user_code(&mut self, at: CodeAddr) -> bool {
        self.user_clause(at).is_some()
    }

    /// Returns the predicate of the innermost traced goal.
    fn traced_predicate(&self) -> Option<PredId> {
        let goal = self.traced_goal()?;
        Some(PredId(self.frame_int(goal, frame::PREDICATE) as u32))
    }

    /// Returns whether the tracer shows goals that the present goal calls by call/N. In a predicate of the system it
    /// shows them only if the predicate takes goals as arguments.
    fn shows_goals_of_call(&self) -> bool {
        let Some(id) = self.traced_predicate() else {
            return true;
        };
        let definition = self.definition(id);
        !self.is_systems(definition) || self.world.predicates.get(definition).sensitive()
    }

    /// Returns `None` if this call is not shown, otherwise whether a spy point is the reason. `seen` means that the
    /// user wrote the goal; `stand` is the place where it continues.
    fn wants(&mut self, id: PredId, seen: bool, stand: GoalPlace) -> Option<bool> {
        let mut definition = self.definition(id);
        if self.world.predicates.get(definition).kind == Kind::Undefined {
            // A library may define it. An error in the library appears at the call.
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

/// Does the work before an instruction while goals are traced. Returns the registers after the
/// instruction if it is done here.
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

/// Returns `None` if this call is not shown, otherwise whether a spy point is the reason.
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
        // The instruction of call/N comes next.
        m.run.observers.tracer.from_user = seen || m.shows_goals_of_call();
        return None;
    }
    m.store.heap_top = r.h;
    m.env = r.e;
    let stand = m.place_of_call(r, next.op);
    m.wants(id, seen, stand)
}

/// Returns `None` if the call that wake-ups have delayed is not shown, otherwise whether a spy point is the reason.
pub(in crate::machine) fn wants_entry(m: &mut Machine, r: &Regs, id: PredId) -> Option<bool> {
    let seen = m.run.observers.tracer.from_user;
    let stand = m.stand(r.e);
    m.wants(id, seen, stand)
}

/// Makes the choice point and the frame of a goal whose predicate is about to be entered, and shows its call. The
/// arguments are in the registers.
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

/// Calls the goal of the newest choice point, which was just made or restored.
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
    /// Calls the traced goal of the newest choice point again. An exception was about to leave it.
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
    /// Pauses the query for a nested session, with an exception that has reached the newest choice point. Then the
    /// exception goes on. `goal` is the traced goal that it has not left yet.
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

/// `trace_call`: X0 is nonzero if there is a spy point. X1 is the depth of the goal for limits of depth.
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

/// Shows a port if it is wanted. Returns the command of the user. The registers do not change.
pub(in crate::machine) fn port(
    m: &mut Machine,
    r: &Regs,
    (port, spied, stand): (Port, bool, GoalPlace),
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

/// Returns whether there is a spy point at the predicate of a goal.
pub(in crate::machine) fn is_spied(m: &Machine, goal: Cell) -> bool {
    let id = PredId(m.frame_int(goal, frame::PREDICATE) as u32);
    m.run.observers.tracer.mode != Mode::Off
        && m.run.observers.tracer.spied.contains_key(&m.definition(id))
}

/// Shows the success of a traced goal, whose call has this choice point. Returns whether the goal must fail, so that
/// its choice points are retried. Returns the registers as an error if the machine continues elsewhere.
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

/// Shows the failure of a traced goal, whose call has the newest choice point. Returns the registers if
/// the machine continues elsewhere.
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

/// Shows the redo of a traced goal, whose call has the newest choice point. Returns the registers if
/// the machine continues elsewhere.
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

/// Shows and runs a builtin that a clause calls in place.
fn builtin(m: &mut Machine, r: Regs, next: Next) -> Result<Option<Regs>, Stop> {
    let entry = m.world.host.builtins[wide(next.word) as usize];
    if entry.name.starts_with('$') || !m.may_show() || !m.is_user_code(r.p()) {
        return Ok(None);
    }
    let stand = m.place_of_builtin(&r, m.cont);
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
    // No word gives the used slots of this environment, so no goal may run on top of it.
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
    /// Shows that an exception leaves the goal of this choice point, if this is a traced goal that it leaves. Returns
    /// the command if the exception goes no further.
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
