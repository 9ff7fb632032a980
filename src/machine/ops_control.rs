//! Instructions that move control: calls, frames, choice points, cuts.

use super::frame::{ChoiceKind, NO_FRAME, cp, dead_registers, env};
use super::ops_meta::call_system;
use super::regs::Regs;
use super::shield::Shield;
use super::slow_forms::{out_of_line, rare, rare_with, rarely};
use super::state::Machine;
use super::stubs;
use super::throw::{Ball, Throw};
use super::wakeups::wake;
use crate::base::grow::Grow;
use crate::base::symbol::Functor;
use crate::code::instruction::{
    MASKED_SLOTS, NO_OWN_FRAME, ROWS, decode, slot_a, slot_b, slot_c, wide,
};
use crate::program::predicate::PredId;
use crate::store::cell::{Addr, Cell, WORD};
use crate::store::raw;
use std::sync::atomic::Ordering;

/// Goes on `words` words further.
#[inline(always)]
pub(crate) fn step(r: &mut Regs, words: u64) {
    r.p += words * WORD;
}

/// Address that the label in word `word` of the instruction stands for.
#[inline(always)]
pub(crate) fn target(r: &Regs, word: u64) -> Addr {
    r.p.wrapping_add(raw::word(r.p + word * WORD).wrapping_mul(WORD))
}

/// Backtracks to the newest choice point.
#[inline(always)]
pub(crate) fn fail(m: &mut Machine, r: &mut Regs) {
    r.p = raw::word(m.choice + cp::ALT);
}

/// Ends a test of two words, the second its label: goes on, or to the label, which is failure if
/// zero.
#[inline(always)]
pub(crate) fn branch(m: &mut Machine, r: &mut Regs, holds: bool) {
    if holds {
        step(r, 2);
    } else {
        let label = raw::word(r.p + WORD);
        if label == 0 {
            fail(m, r);
        } else {
            r.p = r.p.wrapping_add(label.wrapping_mul(WORD));
        }
    }
}

out_of_line! {
    /// Raises an exception; `context` is the predicate that the error names.
    pub(crate) fn raise(m, mut r, throw: Throw, context: Option<Functor>) {
        m.run.raising.context = context;
        m.run.raising.at = r.p;
        m.run.raising.pending = Some(throw);
        r.p = stubs::raise();
        r
    }
}

out_of_line! {
    /// Raises the memory exception.
    pub(crate) fn out_of_memory(m, r) {
        raise(m, r, Throw::new(Ball::OutOfMemory), None)
    }
}

/// `fail`
#[inline(always)]
pub(crate) fn fail_op(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    fail(m, &mut r);
    r
}

// ---- calls ------------------------------------------------------------------------------------

/// Counts a call; true if a budget may be spent.
#[inline(always)]
pub(crate) fn count_call(m: &mut Machine) -> bool {
    let (calls, over) = m.calls.overflowing_add(1);
    m.calls = calls;
    over
}

/// Enters a predicate whose arguments and continuation are set.
#[inline(always)]
pub(crate) fn enter(m: &mut Machine, mut r: Regs, predicate: u32) -> Regs {
    m.cut_choice = m.choice;
    if count_call(m) || r.h > m.store.watch.heap_limit.load(Ordering::Relaxed) {
        return event(m, r, PredId(predicate));
    }
    r.p = raw::word(m.entries + u64::from(predicate) * WORD);
    r
}

/// One call for so many bytes of heap must have been made before a full heap is collected again.
const BYTES_A_CALL: u64 = 256;

/// A collection that looks at fewer bytes takes next to no time.
const SMALL_COLLECTION: u64 = 1 << 16;

out_of_line! {
    /// Something is to be done before the predicate is entered.
    fn event(m, mut r, predicate: PredId) {
        m.store.heap_top = r.h;
        let due = m.run.collector.due_at.min(m.store.heap_bound());
        let short = m.store.is_short_of_room(false, m.life_of_growth());
        let mut stops = false;
        if r.h > due || m.collects_anyway() || m.store.collect_for_trail || short {
            let arity = m.world.predicates.get(predicate).functor.arity();
            match m.collect_at_call(&mut r, Some(predicate), arity, short) {
                Collected::Whole => m.set_collect_at(),
                Collected::GivenUp => stops = true,
                Collected::InVain => return out_of_memory(m, r),
            }
        }
        if !stops {
            m.sweep_if_due(r.e, Some(predicate));
        }
        let entry = m.world.predicates.entry(predicate);
        if let Some(holder) = m.holder() {
            let functor = m.world.predicates.get(predicate).functor;
            let entered = (entry, Held::arguments(functor.arity()));
            let told = m.told_as(functor);
            return m.hold(r, entered, told, holder);
        }
        let throw = if stops { m.stop_reason() } else { m.poll() };
        if let Some(throw) = throw {
            let called = m.world.predicates.get(predicate).functor;
            return raise(m, r, throw, Some(called));
        }
        if stops {
            // Nothing stops it after all: the next call collects.
            m.store.watch.look_at_next_call();
        }
        if m.store.wake_pending {
            let arity = m.world.predicates.get(predicate).functor.arity();
            return wake(m, r, entry, Held::arguments(arity));
        }
        r.p = entry;
        r
    }
}

/// What a collection at a call has come to.
enum Collected {
    Whole,
    /// It was broken off, since the query is to be stopped.
    GivenUp,
    /// There is no room after it.
    InVain,
}

impl Machine {
    /// Collects garbage before a predicate with so many arguments is `called`, or a builtin tried again, with symbols
    /// if the machine is `short` of room.
    fn collect_at_call(
        &mut self,
        r: &mut Regs,
        called: Option<PredId>,
        arity: usize,
        short: bool,
    ) -> Collected {
        if self.run.collector.paused > 0 {
            return Collected::Whole;
        }
        if self.collection_is_vain() {
            return Collected::InVain;
        }
        self.store.note_tops();
        if !self.collect(r.e, arity) {
            return Collected::GivenUp;
        }
        r.h = self.store.heap_top;
        self.store.collected();
        self.trim_memory(r.e);
        self.set_collect_at();
        self.run.collector.full_at = None;
        let sweeps = short || (self.run.collector.always && self.world.symbols.sweep_is_of_use());
        if sweeps && !self.sweep(r.e, called) {
            return Collected::GivenUp;
        }
        if self.store.heap_is_crowded() || self.store.is_short_of_room(true, self.life_of_growth())
        {
            self.run.collector.full_at = Some((self.store.heap_top, self.inferences()));
            return Collected::InVain;
        }
        Collected::Whole
    }

    /// Is this a call at which a machine that is to collect at every call does so? The more there is
    /// to look at the fewer are, so that none takes more than its share of time.
    fn collects_anyway(&self) -> bool {
        let store = &self.store;
        let used = (store.heap_top - store.heap.base)
            + (store.trail_top - store.trail.base)
            + (self.choice - store.choice.base)
            + (self.env_floor - store.env.base);
        self.run.collector.always
            && self.inferences() - self.run.collector.collected_at > used / SMALL_COLLECTION
    }

    /// The last collection found next to no garbage and ended in an error, and hardly anything was
    /// given up or done since: goals that catch every error, each deep in the last, must not cost a
    /// collection each.
    fn collection_is_vain(&self) -> bool {
        let Some((top, inferences)) = self.run.collector.full_at else {
            return false;
        };
        let base = self.store.heap.base;
        let used = top - base;
        let now = self.store.heap_top - base;
        let calls = self.inferences() - inferences;
        !self.run.collector.always && now > used - used / 16 && calls < used / BYTES_A_CALL
    }

    /// Before a further solution is looked for, with so many registers in use: what came before may have filled
    /// the memory without a call of a predicate. False if there is no room.
    pub(super) fn has_room_at_retry(&mut self, r: &mut Regs, registers: usize) -> bool {
        !self.store.is_short_of_room(false, self.life_of_growth())
            || !matches!(
                self.collect_at_call(r, None, registers, true),
                Collected::InVain
            )
    }

    /// Looks at interrupts and the heap limit; the heap top must be up to date.
    pub(crate) fn poll(&mut self) -> Option<Throw> {
        if self.store.watch.take_output_request() {
            self.world.host.streams.pass_on_output();
        }
        if let Some(throw) = self.stop_reason() {
            return Some(throw);
        }
        if self.store.heap_top > self.store.heap_bound() {
            return Some(Throw::new(Ball::OutOfMemory));
        }
        self.reset_heap_limit();
        None
    }
}

/// Slots of a frame made by [`suspend`] before its registers.
pub(crate) const SUSPENDED: u64 = 4;

/// What must be as it was when an interrupted instruction is taken up again.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Held {
    /// Slots of the environment in use, or [`NO_FRAME`].
    pub(crate) slots: usize,
    /// Number of registers.
    pub(crate) registers: usize,
    /// Which of the first 64 hold a value.
    pub(crate) mask: u64,
    /// Slots of the clause's own environment that hold a value, as in the instruction.
    pub(crate) own: u64,
    /// The cut barrier too; otherwise a predicate is about to be entered.
    pub(crate) barrier: bool,
}

impl Held {
    /// The arguments of a predicate about to be entered.
    pub(crate) fn arguments(arity: usize) -> Held {
        Held {
            slots: NO_FRAME,
            registers: arity,
            mask: u64::MAX,
            own: NO_OWN_FRAME,
            barrier: false,
        }
    }

    /// What an instruction with words for live registers and slots says.
    pub(crate) fn instruction(p: Addr, w: u64) -> Held {
        Held {
            slots: slot_c(w),
            registers: slot_a(w),
            mask: raw::word(p + WORD),
            own: raw::word(p + 2 * WORD),
            barrier: true,
        }
    }

    /// The same for instructions whose operands leave no room for the number of slots: a builtin,
    /// and `alive`.
    pub(crate) fn builtin(p: Addr, w: u64) -> Held {
        let own = raw::word(p + 2 * WORD);
        let slots = if own == NO_OWN_FRAME {
            NO_FRAME
        } else {
            (own & 0xffff) as usize
        };
        Held {
            slots,
            registers: slot_a(w),
            mask: raw::word(p + WORD),
            own,
            barrier: true,
        }
    }

    /// What a collection of solutions needs at its end: the register of the template, if any.
    pub(crate) fn solution(template: Option<usize>) -> Held {
        let registers = template.map_or(0, |index| index + 1);
        let mask = template.map_or(0, |index| if index < 64 { 1 << index } else { 0 });
        Held {
            slots: NO_FRAME,
            registers,
            mask,
            own: 0,
            barrier: true,
        }
    }

    /// The one slot of a guard's frame.
    pub(crate) fn guard(barrier: bool) -> Held {
        Held::frame(1, barrier)
    }

    /// The slots of a frame that a continuation of the machine's own has.
    pub(crate) fn frame(slots: usize, barrier: bool) -> Held {
        Held {
            slots,
            registers: 0,
            mask: 0,
            own: slots as u64 | ((1 << slots) - 1) << 16,
            barrier,
        }
    }
}

/// Makes a frame from which `resume` goes on at `p`; the next goal continues there. Its slots: the
/// place, the cut barrier, the number of registers, the live slots of the environment below, the
/// registers.
pub(crate) fn suspend(m: &mut Machine, r: &mut Regs, p: Addr, held: Held) -> bool {
    m.note_detour();
    let e = m.env_top(r.e, held.slots);
    if m.env_full(e) {
        return false;
    }
    raw::set_word(e + env::CE, r.e);
    raw::set_word(e + env::CP, m.cont);
    let cut = if held.barrier {
        m.choice_cell(m.cut_choice)
    } else {
        Cell::ABSENT
    };
    raw::set_word(e + env::Y0, p);
    raw::set_cell(e + env::Y0 + WORD, cut);
    raw::set_cell(e + env::Y0 + 2 * WORD, Cell::int(held.registers as i64));
    raw::set_word(e + env::Y0 + 3 * WORD, held.own);
    let dead = dead_registers(held.registers, held.mask);
    for index in 0..held.registers {
        let at = e + env::Y0 + (SUSPENDED + index as u64) * WORD;
        let alive = index >= 64 || dead >> index & 1 == 0;
        raw::set_cell(
            at,
            if alive {
                raw::register(&m.x, index)
            } else {
                Cell::int(0)
            },
        );
    }
    r.e = e;
    m.cont = stubs::resume();
    true
}

/// `resume`
#[inline(always)]
pub(crate) fn resume(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    let e = r.e;
    r.p = raw::word(e + env::Y0);
    let cut = raw::cell(e + env::Y0 + WORD);
    m.cut_choice = if cut == Cell::ABSENT {
        m.choice
    } else {
        m.cell_choice(cut)
    };
    let registers = raw::cell(e + env::Y0 + 2 * WORD).int_value() as usize;
    for index in 0..registers {
        let cell = raw::cell(e + env::Y0 + (SUSPENDED + index as u64) * WORD);
        raw::set_register(&mut m.x, index, cell);
    }
    r.e = raw::word(e + env::CE);
    m.cont = raw::word(e + env::CP);
    r
}

/// Enters the predicate that the instruction names.
#[inline(always)]
fn enter_named(m: &mut Machine, mut r: Regs, w: u64) -> Regs {
    m.cut_choice = m.choice;
    if count_call(m) || r.h > m.store.watch.heap_limit.load(Ordering::Relaxed) {
        return rare(m, r, rarely!(event_before_named));
    }
    r.p = raw::word(m.entries + u64::from(wide(w)) * WORD);
    r
}

#[inline(always)]
fn event_before_named(m: &mut Machine, r: Regs, w: u64) -> Regs {
    event(m, r, PredId(wide(w)))
}

/// `call p`
#[inline(always)]
pub(crate) fn call(m: &mut Machine, r: Regs, w: u64) -> Regs {
    m.cont = r.p + 2 * WORD;
    enter_named(m, r, w)
}

/// `execute p`
#[inline(always)]
pub(crate) fn execute(m: &mut Machine, r: Regs, w: u64) -> Regs {
    enter_named(m, r, w)
}

/// `proceed`
#[inline(always)]
pub(crate) fn proceed(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    r.p = m.cont;
    r
}

/// `allocate n`
#[inline(always)]
pub(crate) fn allocate(m: &mut Machine, mut r: Regs, w: u64) -> Regs {
    let e = m.env_top(r.e, NO_FRAME);
    if m.env_crowded(e) {
        return rare(m, r, rarely!(more_environments));
    }
    raw::set_word(e + env::CE, r.e);
    raw::set_word(e + env::CP, m.cont);
    // The slots that no mask covers are kept valid at all times.
    for index in MASKED_SLOTS as u64..slot_a(w) as u64 {
        raw::set_cell(e + env::Y0 + index * WORD, Cell::int(0));
    }
    r.e = e;
    step(&mut r, 1);
    r
}

/// Has the instruction done again once there is room for an environment.
#[inline(always)]
fn more_environments(m: &mut Machine, r: Regs, _: u64) -> Regs {
    let e = m.env_top(r.e, NO_FRAME);
    if m.env_full(e) {
        return out_of_memory(m, r);
    }
    r
}

/// Has the instruction done again once there is room for a choice point.
#[inline(always)]
fn more_choices(m: &mut Machine, r: Regs, _: u64) -> Regs {
    if m.room_for_choice() {
        r
    } else {
        out_of_memory(m, r)
    }
}

#[inline(always)]
fn drop_frame(m: &mut Machine, r: &mut Regs) {
    m.cont = raw::word(r.e + env::CP);
    r.e = raw::word(r.e + env::CE);
}

/// `deallocate`
#[inline(always)]
pub(crate) fn deallocate(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    drop_frame(m, &mut r);
    step(&mut r, 1);
    r
}

/// `deallocate_execute p`
#[inline(always)]
pub(crate) fn deallocate_execute(m: &mut Machine, mut r: Regs, w: u64) -> Regs {
    drop_frame(m, &mut r);
    enter_named(m, r, w)
}

/// `deallocate_proceed`
#[inline(always)]
pub(crate) fn deallocate_proceed(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    drop_frame(m, &mut r);
    r.p = m.cont;
    r
}

/// `alive`
#[inline(always)]
pub(crate) fn alive(_: &mut Machine, mut r: Regs, _: u64) -> Regs {
    step(&mut r, 3);
    r
}

/// `jump label`
#[inline(always)]
pub(crate) fn jump(_: &mut Machine, mut r: Regs, _: u64) -> Regs {
    r.p = target(&r, 1);
    r
}

/// `jump_to address`
#[inline(always)]
pub(crate) fn jump_to(_: &mut Machine, mut r: Regs, _: u64) -> Regs {
    r.p = raw::word(r.p + WORD);
    r
}

/// `ensure_heap n`
#[inline(always)]
pub(crate) fn ensure_heap(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    m.store.heap_top = r.h;
    if m.store.reserve(raw::word(r.p + WORD) as usize).is_err() {
        return out_of_memory(m, r);
    }
    step(&mut r, 2);
    r
}

// ---- choice points ----------------------------------------------------------------------------

/// `try_else n, slots, label`
#[inline(always)]
pub(crate) fn try_else(m: &mut Machine, mut r: Regs, w: u64) -> Regs {
    if m.choices_crowded() {
        return rare(m, r, rarely!(more_choices));
    }
    let alternative = target(&r, 1);
    let registers = (slot_a(w), raw::word(r.p + 2 * WORD));
    m.make_inner_choice(&r, registers, slot_b(w), alternative, ChoiceKind::Plain);
    step(&mut r, 3);
    r
}

/// `retry_else label`
#[inline(always)]
pub(crate) fn retry_else(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    debug_assert!(!m.store.wake_pending, "see wakeups");
    m.restore_plain(&mut r);
    raw::set_word(m.choice + cp::ALT, target(&r, 1));
    step(&mut r, 3);
    r
}

/// `trust_else`
#[inline(always)]
pub(crate) fn trust_else(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    debug_assert!(!m.store.wake_pending, "see wakeups");
    m.restore_plain(&mut r);
    m.pop_choice();
    step(&mut r, 2);
    r
}

/// `try n, address`
#[inline(always)]
pub(crate) fn try_clause(m: &mut Machine, mut r: Regs, w: u64) -> Regs {
    if m.choices_crowded() {
        return rare(m, r, rarely!(more_choices));
    }
    m.make_choice(&r, slot_a(w), NO_FRAME, r.p + 2 * WORD, ChoiceKind::Plain);
    r.p = raw::word(r.p + WORD);
    r
}

/// `retry address`
#[inline(always)]
pub(crate) fn retry_clause(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    debug_assert!(!m.store.wake_pending, "see wakeups");
    m.restore_plain(&mut r);
    raw::set_word(m.choice + cp::ALT, r.p + 2 * WORD);
    r.p = raw::word(r.p + WORD);
    r
}

/// `trust address`
#[inline(always)]
pub(crate) fn trust_clause(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    debug_assert!(!m.store.wake_pending, "see wakeups");
    m.restore_plain(&mut r);
    m.pop_choice();
    r.p = raw::word(r.p + WORD);
    r
}

// ---- cuts -------------------------------------------------------------------------------------

/// Cuts to `barrier`: instructions of so many words, the second and third of which tell what is
/// alive.
#[inline(always)]
fn cut(m: &mut Machine, mut r: Regs, barrier: Addr, words: u64) -> Regs {
    debug_assert!(!m.store.wake_pending, "see wakeups");
    if barrier < m.choice {
        if barrier < m.cleanup_choice {
            return rare_with(m, r, rarely!(with clean_before_cut), barrier, 0);
        }
        m.set_choice(barrier);
    }
    step(&mut r, words);
    r
}

#[inline(always)]
fn clean_before_cut(m: &mut Machine, r: Regs, w: u64, barrier: Addr, _: u64) -> Regs {
    let held = Held::instruction(r.p, w);
    let words = decode(w).map_or(0, |op| ROWS[op as usize].words);
    cut_cleanup(m, r, held, barrier, words as u64)
}

out_of_line! {
    fn cut_cleanup(m, mut r, held: Held, barrier: Addr, words: u64) {
        m.store.heap_top = r.h;
        let mut goals = Vec::new();
        while barrier < m.cleanup_choice {
            let b = m.cleanup_choice;
            goals.put(m.choice_arg(b, 0));
            m.cleanup_choice = m.older_cleanup(b);
        }
        m.set_choice(barrier);
        let goals = match m.store.list_of(&goals) {
            Ok(goals) => goals,
            Err(_) => return out_of_memory(m, r),
        };
        r.h = m.store.heap_top;
        let next = r.p + words * WORD;
        if !suspend(m, &mut r, next, held) {
            return out_of_memory(m, r);
        }
        raw::set_register(&mut m.x, 0, goals);
        m.begin_shield(Shield::Cleanup);
        let run = m.world.program.system.run_cleanups;
        call_system(m, r, run)
    }
}

/// `neck_cut`
#[inline(always)]
pub(crate) fn neck_cut(m: &mut Machine, r: Regs, _: u64) -> Regs {
    let barrier = m.cut_choice;
    cut(m, r, barrier, 3)
}

/// `cut Yb`
#[inline(always)]
pub(crate) fn cut_y(m: &mut Machine, r: Regs, w: u64) -> Regs {
    let barrier = m.cell_choice(raw::cell(r.e + env::Y0 + slot_b(w) as u64 * WORD));
    cut(m, r, barrier, 3)
}

/// `cut_to`: the barrier is in X0; returns.
#[inline(always)]
pub(crate) fn cut_to(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    let barrier = m.given_choice(raw::register(&m.x, 0));
    // The instruction is taken up again after wake-ups, and done when there is nothing to cut.
    if m.store.wake_pending {
        let p = r.p;
        return wake(m, r, p, Held::arguments(1));
    }
    if barrier < m.choice {
        if barrier < m.cleanup_choice {
            return cut_cleanup(m, r, Held::arguments(1), barrier, 0);
        }
        m.set_choice(barrier);
    }
    r.p = m.cont;
    r
}

/// `pop_choice label`
#[inline(always)]
pub(crate) fn pop_choice(m: &mut Machine, r: Regs, _: u64) -> Regs {
    if raw::word(m.choice + cp::ALT) != target(&r, 3) {
        return rare(m, r, rarely!(pop_choice_below));
    }
    let barrier = raw::word(m.choice + cp::PREV);
    cut(m, r, barrier, 4)
}

/// Goals that were woken meanwhile have left choice points. They may have come by this clause too,
/// but in environments of their own. The environment of this clause may have been made since.
#[inline(always)]
fn pop_choice_below(m: &mut Machine, r: Regs, _: u64) -> Regs {
    let (mut b, alternative) = (m.choice, target(&r, 3));
    let environments = [r.e, raw::word(r.e + env::CE)];
    while raw::word(b + cp::ALT) != alternative || !environments.contains(&raw::word(b + cp::ENV)) {
        debug_assert!(b > m.store.choice.base, "the choice point is there");
        b = raw::word(b + cp::PREV);
    }
    let barrier = raw::word(b + cp::PREV);
    cut(m, r, barrier, 4)
}

/// `get_level Ya`
#[inline(always)]
pub(crate) fn get_level(m: &mut Machine, mut r: Regs, w: u64) -> Regs {
    let cell = m.choice_cell(m.cut_choice);
    raw::set_cell(r.e + env::Y0 + slot_a(w) as u64 * WORD, cell);
    step(&mut r, 1);
    r
}

/// `save_choice Ya`
#[inline(always)]
pub(crate) fn save_choice(m: &mut Machine, mut r: Regs, w: u64) -> Regs {
    let cell = m.choice_cell(m.choice);
    raw::set_cell(r.e + env::Y0 + slot_a(w) as u64 * WORD, cell);
    step(&mut r, 1);
    r
}

/// `soft_cut Ya`
#[inline(always)]
pub(crate) fn soft_cut(m: &mut Machine, mut r: Regs, w: u64) -> Regs {
    let b = m.cell_choice(raw::cell(r.e + env::Y0 + slot_a(w) as u64 * WORD));
    if b == m.choice {
        m.pop_choice();
    } else {
        raw::set_word(b + cp::ALT, stubs::pop_fail());
    }
    step(&mut r, 1);
    r
}

/// A choice point that has become pointless: drops it and backtracks further.
#[inline(always)]
pub(crate) fn pop_fail(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    m.pop_choice();
    fail(m, &mut r);
    r
}
