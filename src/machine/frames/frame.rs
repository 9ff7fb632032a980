#![expect(unsafe_code, reason = "addresses are kept in frames that are terms")]
//! Environments and choice points: functions that make and drop them. Their words are in
//! [`layout`](crate::machine::frames::layout).
//!
//! The word before the address of the continuation (a call site) gives the number of live slots of an environment. So
//! environments shrink as their variables die.

use super::layout::{ChoiceKind, NO_FRAME, cp, dead_registers, env};
use super::stubs;
use crate::machine::dispatch::regs::Regs;
use crate::machine::state::Machine;
use crate::store::address::{ChoiceAddr, CodeAddr, EnvAddr};
use crate::store::areas::{FIRST_HEAP, HEAP_SLACK_WORDS};
use crate::store::cell::{Cell, WORD};
use crate::store::claims::Reported;
use crate::store::heap::View;
use crate::store::raw;

/// Number of bytes of heap used before the first collection, and at least between two collections.
const FIRST_COLLECTION: u64 = 2 << 20;
const _: () = assert!(FIRST_COLLECTION + 2 * HEAP_SLACK_WORDS as u64 * WORD <= FIRST_HEAP);
/// Maximum number of bytes by which the growth of the heap before the next collection exceeds the live data. With
/// little live data the growth is four times the live data.
const MORE_GARBAGE: u64 = 24 << 20;

/// Number of registers that are saved or restored at a time. Registers copied beyond the last one
/// are not in use, at either place.
const PIECE: usize = 4;

const _: () = assert!(crate::machine::dispatch::regs::REGISTERS.is_multiple_of(PIECE));

/// Keeps the compiler from preparing a loop over a few registers for many registers. Also keeps registers from being
/// copied in larger pieces than they were written in, for which processors wait.
#[inline(always)]
pub(in crate::machine) fn one_by_one(cell: Cell) -> Cell {
    raw::alone(cell)
}

/// Bytes kept free above the next environment or choice point.
const FRAME_SLACK: u64 = (1 << 16) * WORD + 4096;

impl Machine {
    /// Returns the end of the used environments. The present environment `e` uses `slots` slots; if `slots` is
    /// [`NO_FRAME`], the call site before the continuation gives the number.
    #[inline(always)]
    pub(crate) fn env_top(&self, e: EnvAddr, slots: usize) -> EnvAddr {
        if e < self.env_floor {
            return self.env_floor;
        }
        let slots = if slots == NO_FRAME {
            raw::word(self.cont - WORD) & 0xffff
        } else {
            slots as u64
        };
        e + env::Y0 + slots * WORD
    }

    /// Returns whether the environments must grow for another one at `e`.
    #[inline(always)]
    pub(crate) fn env_crowded(&self, e: EnvAddr) -> bool {
        e + FRAME_SLACK > self.store.env.end
    }

    /// Gives memory back that the areas no longer need.
    pub(crate) fn trim_memory(&mut self, e: EnvAddr) {
        let b = self.choice;
        let env_top = self.env_floor.max(self.env_top(e, NO_FRAME));
        let choice_top = b + cp::ARGS + self.choice_args(b) as u64 * WORD;
        self.store
            .trim(env_top + FRAME_SLACK, choice_top + FRAME_SLACK);
    }

    /// Returns whether there is no room for another environment at `e`.
    #[inline(always)]
    pub(crate) fn env_full(&mut self, e: EnvAddr) -> bool {
        self.env_crowded(e) && !self.store.grow_environments(e + FRAME_SLACK)
    }

    /// Returns the address after the newest choice point.
    #[inline(always)]
    fn choice_top(&self) -> ChoiceAddr {
        let registers = self.choice.get(cp::META) & 0xffff_ffff;
        self.choice + cp::ARGS + registers * WORD
    }

    /// Returns whether the choice stack must grow for another choice point.
    #[inline(always)]
    pub(crate) fn choices_crowded(&self) -> bool {
        self.choice_top() + FRAME_SLACK > self.store.choice.end
    }

    /// Makes room for another choice point if necessary. Returns whether there is room.
    pub(crate) fn room_for_choice(&mut self) -> bool {
        let top = self.choice_top() + FRAME_SLACK;
        top <= self.store.choice.end || self.store.grow_choices(top)
    }

    /// Pushes a choice point with the first `registers` registers. Returns false if there is no room.
    #[inline(always)]
    pub(crate) fn push_choice(
        &mut self,
        r: &Regs,
        registers: usize,
        slots: usize,
        alternative: CodeAddr,
        kind: ChoiceKind,
    ) -> bool {
        let room = self.room_for_choice();
        if room {
            if self.store.inspects_choices() {
                self.forget_gone();
            }
            self.make_choice(r, registers, slots, alternative, kind);
        }
        room
    }

    /// Pushes a choice point. The caller has made sure that there is room.
    #[inline(always)]
    pub(crate) fn make_choice(
        &mut self,
        r: &Regs,
        registers: usize,
        slots: usize,
        alternative: CodeAddr,
        kind: ChoiceKind,
    ) {
        let prev = self.choice;
        let b = self.choice_top();
        let env_top = self.env_top(r.e, slots);
        b.set(cp::ALT, alternative);
        b.set(cp::ENV, r.e);
        b.set(cp::CONT, self.cont);
        b.set(cp::HEAP, r.h);
        b.set(cp::TRAIL, self.store.trail_top);
        b.set(cp::ENV_TOP, env_top);
        b.set(cp::CUT, self.cut_choice);
        b.set(cp::PREV, prev);
        b.set(cp::META, kind.meta(registers));
        let mut at = 0;
        while at < registers {
            for index in at..at + PIECE {
                let cell = raw::register(&self.x, index);
                raw::set_cell(b.argument(index as u64), one_by_one(cell));
            }
            at += PIECE;
        }
        self.choice = b;
        self.store.heap_backtrack = r.h;
        self.env_floor = env_top;
    }

    /// Pushes a choice point from within a clause, as [`Machine::make_inner_choice`] does.
    /// Returns false if there is no room.
    pub(crate) fn push_inner_choice(
        &mut self,
        r: &Regs,
        registers: (usize, u64),
        slots: usize,
        alternative: CodeAddr,
        kind: ChoiceKind,
    ) -> bool {
        let room = self.room_for_choice();
        if room {
            if self.store.inspects_choices() {
                self.forget_gone();
            }
            self.make_inner_choice(r, registers, slots, alternative, kind);
        }
        room
    }

    /// Pushes a choice point from within a clause. The caller has made sure that there is room. The mask selects the
    /// registers that hold a value; other registers are not saved.
    #[inline(always)]
    pub(crate) fn make_inner_choice(
        &mut self,
        r: &Regs,
        (registers, mask): (usize, u64),
        slots: usize,
        alternative: CodeAddr,
        kind: ChoiceKind,
    ) {
        self.make_choice(r, registers, slots, alternative, kind);
        let mut dead = dead_registers(registers, mask);
        while dead != 0 {
            let index = u64::from(dead.trailing_zeros());
            raw::set_cell(self.choice.argument(index), Cell::int(0));
            dead &= dead - 1;
        }
    }

    /// Restores the state of the newest choice point: trail, heap, frames, registers.
    #[inline(always)]
    pub(crate) fn restore(&mut self, r: &mut Regs) {
        self.restore_plain(r);
        if self.store.wake_pending {
            self.drop_wakeups();
        }
    }

    /// Restores the state of the newest choice point when no wake-ups are pending.
    #[inline(always)]
    pub(crate) fn restore_plain(&mut self, r: &mut Regs) {
        let b = self.choice;
        self.store.undo_to(b.get(cp::TRAIL));
        #[cfg(feature = "extra-checks")]
        self.store
            .give_up(b.get(cp::HEAP), r.h.max(self.store.heap_top));
        r.h = b.get(cp::HEAP);
        r.e = b.get(cp::ENV);
        self.cont = b.get(cp::CONT);
        self.cut_choice = b.get(cp::CUT);
        let registers = b.get(cp::META) as u32 as usize;
        let mut at = 0;
        while at < registers {
            for index in at..at + PIECE {
                let cell = raw::cell(b.argument(index as u64));
                raw::set_register(&mut self.x, index, one_by_one(cell));
            }
            at += PIECE;
        }
    }

    /// Drops the pending wake-ups.
    #[cold]
    pub(crate) fn drop_wakeups(&mut self) {
        self.store
            .set_wakeups(Cell::atom(crate::base::atom_table::atoms::NIL));
    }

    /// Makes `b` the newest choice point.
    #[inline(always)]
    pub(crate) fn set_choice(&mut self, b: ChoiceAddr) {
        self.choice = b;
        self.store.heap_backtrack = b.get(cp::HEAP);
        self.env_floor = b.get(cp::ENV_TOP);
    }

    /// Drops the newest choice point.
    #[inline(always)]
    pub(crate) fn pop_choice(&mut self) {
        self.set_choice(self.choice.get(cp::PREV));
    }

    /// Returns the kind of a choice point.
    pub(crate) fn choice_kind(&self, b: ChoiceAddr) -> ChoiceKind {
        match (b.get(cp::META) >> 32) as u32 {
            1 => ChoiceKind::Catch,
            2 => ChoiceKind::CatchExited,
            3 => ChoiceKind::Cleanup,
            4 => ChoiceKind::Collect,
            5 => ChoiceKind::Dynamic,
            6 => ChoiceKind::Query,
            7 => ChoiceKind::Native(self.native_choice(b)),
            _ => ChoiceKind::Plain,
        }
    }

    /// Returns register `index` saved in a choice point.
    pub(crate) fn choice_arg(&self, b: ChoiceAddr, index: usize) -> Cell {
        raw::cell(b.argument(index as u64))
    }

    /// Returns the number of registers saved in a choice point.
    pub(crate) fn choice_args(&self, b: ChoiceAddr) -> usize {
        b.get(cp::META) as u32 as usize
    }

    /// Returns the address of the call of a traced goal, given its frame; [`CodeAddr::NONE`] if it is not known.
    pub(crate) fn frame_site(&self, goal: Cell) -> CodeAddr {
        cell_code(Cell::int(
            self.frame_int(goal, crate::machine::events::tracer::frame::SITE),
        ))
    }

    /// Returns a choice point as an inline integer, for environments and arguments.
    #[inline(always)]
    pub(crate) fn choice_cell(&self, b: ChoiceAddr) -> Cell {
        Cell::int((b - self.store.choice.base) as i64)
    }

    /// Returns the choice point that such an integer denotes.
    #[inline(always)]
    pub(crate) fn cell_choice(&self, cell: Cell) -> ChoiceAddr {
        self.store.choice.base + cell.int_value() as u64
    }

    /// Returns the choice point for such an integer when a goal may have made the integer up: the newest choice point
    /// that is not newer than the integer says. It never leaves the query, the goal of catch/3 or the collection of
    /// solutions in progress. The time is proportional to the number of newer choice points.
    pub(crate) fn checked_choice(&self, cell: Cell) -> ChoiceAddr {
        let View::Int(distance) = self.store.view(cell) else {
            return self.choice;
        };
        let base = self.store.choice.base;
        let given = base.bits().saturating_add_signed(distance);
        let mut newest = self.choice;
        while newest.bits() > given && newest > base && !self.bounds_cuts(newest) {
            newest = newest.get(cp::PREV);
        }
        newest
    }

    /// Returns whether cuts in the goals after this choice point cannot remove it.
    fn bounds_cuts(&self, b: ChoiceAddr) -> bool {
        matches!(
            self.choice_kind(b),
            ChoiceKind::Query | ChoiceKind::Catch | ChoiceKind::Collect
        )
    }

    /// Empties all stacks, before a query that is not nested in another.
    pub(crate) fn reset_stacks(&mut self) {
        let floor = self.settle_globals();
        let store = &mut self.store;
        store.note_tops();
        store.heap_top = floor;
        store.trail_top = store.trail.base;
        let (e, b) = (store.env.base, store.choice.base);
        let stop = stubs::stop_failure();
        let top = e + env::Y0;
        self.env = e;
        self.cont = stubs::stop_success();
        e.set(env::CE, e);
        e.set(env::CP, self.cont);
        b.set(cp::ALT, stop);
        b.set(cp::ENV, e);
        b.set(cp::CONT, self.cont);
        b.set(cp::HEAP, store.heap_top);
        b.set(cp::TRAIL, store.trail_top);
        b.set(cp::ENV_TOP, top);
        b.set(cp::CUT, b);
        b.set(cp::PREV, b);
        b.set(cp::META, ChoiceKind::Query.meta(0));
        self.cut_choice = b;
        self.cleanup_choice = ChoiceAddr::NONE;
        self.set_choice(b);
        self.run.bags.clear();
        self.keep_shields(0);
        self.run.observers.tracer.suspended = 0;
        self.run.observers.observing.begin_query();
        self.run.contexts.reset();
        self.store
            .report_table_size(Reported::Assumptions, self.run.contexts.bytes());
        self.store.eigenvariables.clear();
        self.store
            .settle_eigenvariables(self.run.contexts.eigenvariables());
        self.drop_wakeups();
        self.collect_globals();
        self.store.heap_kept = self.store.heap_top;
        self.trim_memory(e);
        self.run.collector.full_at = None;
        self.run.collector.scanned_stacks = 0;
        self.set_collect_at();
        self.reset_heap_limit();
    }

    /// Decides at which heap top the next collection is due. The heap grows by a multiple of the data that the next
    /// collection will scan, so collections take a small part of the time. With much data the heap about doubles.
    pub(crate) fn set_collect_at(&mut self) {
        let used = self.store.heap_top - self.store.heap.base + self.run.collector.scanned_stacks;
        let more = (used * 3).min(MORE_GARBAGE);
        self.run.collector.due_at = self.store.heap_top + (used + more).max(FIRST_COLLECTION);
        self.run.collector.collected_at = self.inferences();
    }

    /// Sets the heap limit that calls poll.
    pub(crate) fn reset_heap_limit(&mut self) {
        let wanted = self.run.collector.due_at.min(self.store.heap_bound());
        let limit = self.store.mapped_limit(wanted);
        self.store.watch.bell.set_limit(limit.bits());
        // A waiting interrupt is checked again at each call.
        let events = &self.store.events;
        let interrupt = events.stop_wanted() || events.watch.is_interrupted();
        if interrupt || self.store.wake_pending || self.run.collector.always {
            self.store.watch.look_at_next_call();
        }
    }
}

/// Returns the address of an instruction as an integer, for frames that are terms.
pub(in crate::machine) fn code_cell(at: CodeAddr) -> Cell {
    Cell::int(at.bits() as i64)
}

/// Returns the address that [`code_cell`] has turned into this integer.
pub(in crate::machine) fn cell_code(cell: Cell) -> CodeAddr {
    // SAFETY: the machine made the integer from an address. The address is only compared, or its code still exists.
    unsafe { CodeAddr::from_bits(cell.int_value() as u64) }
}

/// Returns the address of an instruction as an integer that keeps its code where it is: the word is the
/// address without its lowest bits.
pub(in crate::machine) fn kept_code_cell(at: CodeAddr) -> Cell {
    Cell::int((at.bits() / WORD) as i64)
}

/// Returns the address that [`kept_code_cell`] has turned into this integer.
pub(in crate::machine) fn kept_code(cell: Cell) -> CodeAddr {
    // SAFETY: the machine made the integer from an address, and the code still exists.
    unsafe { CodeAddr::from_bits(cell.int_value() as u64 * WORD) }
}

/// Returns the address of an environment as an integer, for frames that are terms.
pub(in crate::machine) fn env_cell(e: EnvAddr) -> Cell {
    Cell::int(e.bits() as i64)
}

/// Returns the environment that [`env_cell`] has turned into this integer.
pub(in crate::machine) fn cell_env(cell: Cell) -> EnvAddr {
    // SAFETY: the machine made the integer from an address, which is only compared.
    unsafe { EnvAddr::from_bits(cell.int_value() as u64) }
}
