//! Enters predicates, and does the work that may be due before: a collection, a stop, wake-ups.
#![forbid(unsafe_code)]

use super::throw::{Ball, Throw};
use super::wakeups::wake;
use crate::base::stop::Stop;
use crate::code::instruction::{Op, decode};
use crate::machine::dispatch::endings::{count_call, out_of_memory, raise};
use crate::machine::dispatch::regs::Regs;
use crate::machine::dispatch::slow_forms::out_of_line;
use crate::machine::frames::suspend::Held;
use crate::machine::state::Machine;
use crate::program::predicate::PredId;
use crate::store::address::HeapAddr;
use crate::store::cell::WORD;
use crate::store::raw;
use std::sync::atomic::Ordering;

/// Enters a predicate whose arguments and continuation are set.
#[inline(always)]
pub(crate) fn enter(m: &mut Machine, mut r: Regs, predicate: u32) -> Regs {
    m.cut_choice = m.choice;
    if count_call(m) || r.h.bits() > m.store.watch.bell.limit.load(Ordering::Relaxed) {
        return event(m, r, PredId(predicate));
    }
    r.go(raw::code_at(m.entries + u64::from(predicate) * WORD));
    r
}

/// Bytes of heap per call: a full heap is collected again only after one call per this number of bytes.
const BYTES_A_CALL: u64 = 256;

/// Number of bytes below which a collection takes very little time.
const SMALL_COLLECTION: u64 = 1 << 16;

out_of_line! {
    /// Does the work that is due before the predicate is entered.
    pub(in crate::machine) fn event(m, mut r, predicate: PredId) -> Result<Regs, Stop> {
        m.store.heap_top = r.h;
        let due = m.run.collector.due_at.min(m.store.heap_bound());
        let short = m.store.is_short_of_room(false, m.life_of_growth());
        let mut stops = false;
        if r.h > due || m.collects_anyway() || m.store.collect_for_trail || short {
            let arity = m.world.predicates.get(predicate).functor.arity();
            match m.collect_at_call(&mut r, Some(predicate), arity, short)? {
                Collected::Whole => m.set_collect_at(),
                Collected::GivenUp => stops = true,
                Collected::InVain => return Ok(out_of_memory(m, r)),
            }
        }
        if m.store.trail_room_at_call().is_err() {
            return Ok(out_of_memory(m, r));
        }
        if !stops {
            m.sweep_if_due(r.e, Some(predicate))?;
        }
        let entry = m.world.predicates.entry(predicate);
        if m.is_held() {
            let functor = m.world.predicates.get(predicate).functor;
            let entered = (entry, Held::arguments(functor.arity()));
            let functor = m.reported_functor(functor)?;
            return Ok(m.hold(r, entered, functor));
        }
        let throw = if stops { m.stop_reason() } else { m.poll() };
        if let Some(throw) = throw {
            let called = m.world.predicates.get(predicate).functor;
            return Ok(raise(m, r, throw, Some(called)));
        }
        m.measure_if_requested(r.e);
        if m.run.branches.is_some() {
            m.look_at_exchange(r.e, Some(predicate))?;
        }
        if stops {
            // Nothing stops the query after all, so the next call collects.
            m.store.watch.look_at_next_call();
        }
        if m.store.wake_pending {
            let arity = m.world.predicates.get(predicate).functor.arity();
            return Ok(wake(m, r, entry, Held::arguments(arity)));
        }
        r.go(entry);
        Ok(r)

    }
}

/// The result of a collection at a call.
pub(in crate::machine) enum Collected {
    Whole,
    /// The collection was abandoned because the query must stop.
    GivenUp,
    /// There is no room even after the collection.
    InVain,
}

impl Machine {
    /// Collects garbage before a predicate with `arity` arguments is `called`, or before a builtin is retried.
    /// Collects symbols too if the machine is `short` of room.
    fn collect_at_call(
        &mut self,
        r: &mut Regs,
        called: Option<PredId>,
        arity: usize,
        short: bool,
    ) -> Result<Collected, Stop> {
        if self.run.collector.paused > 0 {
            return Ok(Collected::Whole);
        }
        if self.collection_is_useless() {
            return Ok(Collected::InVain);
        }
        self.store.note_tops();
        match self.collect(r.e, arity) {
            Ok(true) => {}
            Ok(false) => return Ok(Collected::GivenUp),
            Err(Stop) => return Ok(Collected::InVain),
        }
        r.h = self.store.heap_top;
        self.store.collected();
        self.trim_memory(r.e);
        self.set_collect_at();
        self.run.collector.full_at = None;
        let sweeps =
            short || (self.run.collector.always && self.world.symbols.has_passing_symbols());
        if sweeps && !self.sweep(r.e, called)? {
            return Ok(Collected::GivenUp);
        }
        if self.store.heap_is_crowded() || self.store.is_short_of_room(true, self.life_of_growth())
        {
            self.run.collector.full_at = Some((self.store.heap_top, self.inferences()));
            return Ok(Collected::InVain);
        }
        Ok(Collected::Whole)
    }

    /// Requests a collection at the return of the clause. The heap may have grown too much in an instruction that is
    /// no call. A recursion that computes as it returns makes no calls. Until the clause returns or calls, the
    /// machine checks each instruction.
    #[cold]
    #[inline(never)]
    pub(in crate::machine) fn want_collection_at_return(&mut self) {
        let due = self.run.collector.due_at.min(self.store.heap_bound());
        if self.saved.h > due && !self.store.wake_pending {
            self.run.collector.at_return = true;
            self.store.wake_pending = true;
        }
    }

    /// Collects garbage if the clause has returned. Runs before each instruction while such a collection is due.
    /// Returns the registers after the collection, or `None` while the instructions lead straight to the return.
    /// Otherwise it abandons the collection: calls collect, and the next large result requests one again.
    pub(in crate::machine) fn collect_if_returned(&mut self, mut r: Regs) -> Option<Regs> {
        let returned = r.p() == self.cont;
        if !returned && decode(raw::word(r.p())).is_some_and(leads_to_return) {
            return None;
        }
        self.run.collector.at_return = false;
        self.drop_wakeups();
        if returned {
            self.store.heap_top = r.h;
            match self.collect_at_call(&mut r, None, 0, false) {
                Ok(Collected::Whole) => self.set_collect_at(),
                Ok(Collected::GivenUp) => self.store.watch.look_at_next_call(),
                Ok(Collected::InVain) | Err(Stop) => return Some(out_of_memory(self, r)),
            }
        }
        self.reset_heap_limit();
        Some(r)
    }

    /// Returns whether a machine that collects at every call collects at this one. The more memory is in use, the
    /// fewer calls collect. So collections take only their share of the time.
    fn collects_anyway(&self) -> bool {
        let store = &self.store;
        let used = (store.heap_top - store.heap.base)
            + (store.trail_top - store.trail.base)
            + (self.choice - store.choice.base)
            + (self.env_floor - store.env.base);
        self.run.collector.always
            && self.inferences() - self.run.collector.collected_at > used / SMALL_COLLECTION
    }

    /// Returns whether another collection would be useless. The last collection found almost no garbage and ended in
    /// an error. Since then, almost no memory was freed and few calls were made. Deeply nested goals that catch every
    /// error must not cost a collection each.
    fn collection_is_useless(&self) -> bool {
        let Some((top, inferences)) = self.run.collector.full_at else {
            return false;
        };
        let base = self.store.heap.base;
        let used = top - base;
        let now = self.store.heap_top - base;
        let calls = self.inferences() - inferences;
        !self.run.collector.always && now > used - used / 16 && calls < used / BYTES_A_CALL
    }

    /// Makes room before a further solution is searched, with `registers` registers in use. The work before may have
    /// filled the memory without a call of a predicate. Returns false if there is no room.
    pub(in crate::machine) fn has_room_at_retry(
        &mut self,
        r: &mut Regs,
        registers: usize,
    ) -> Result<bool, Stop> {
        Ok(!self.store.is_short_of_room(false, self.life_of_growth())
            || !matches!(
                self.collect_at_call(r, None, registers, true)?,
                Collected::InVain
            ))
    }

    /// Checks interrupts and the heap limit; the heap top must be up to date.
    pub(crate) fn poll(&mut self) -> Option<Throw> {
        if self.store.watch.take_output_request() {
            self.world.host.streams.pass_on_output();
        }
        if let Some(throw) = self.stop_reason() {
            return Some(throw);
        }
        if let Some(stop) = self.run.observers.observing.take_stop() {
            return Some(stop.into());
        }
        if self.store.heap_top > self.store.heap_bound() {
            return Some(Throw::new(Ball::OutOfMemory));
        }
        self.reset_heap_limit();
        None
    }

    /// Makes the next call collect garbage of the heap, and of symbols if `symbols`.
    pub(crate) fn request_collection(&mut self, symbols: bool) {
        if symbols {
            self.world.symbols.request_sweep();
        }
        self.run.collector.due_at = HeapAddr::NONE;
        self.store.watch.look_at_next_call();
    }
}

/// Returns whether this instruction may occur between a result and the return of the clause.
fn leads_to_return(op: Op) -> bool {
    matches!(
        op,
        Op::GetValue
            | Op::Move
            | Op::MoveTwo
            | Op::MoveThree
            | Op::LoadY
            | Op::LoadTwo
            | Op::LoadThree
            | Op::StoreY
            | Op::StoreTwo
            | Op::StoreThree
            | Op::Evaluate
            | Op::Add
            | Op::AddSmall
            | Op::Subtract
            | Op::Multiply
            | Op::IntDivide
            | Op::Modulo
            | Op::Jump
            | Op::Constraint
            | Op::Alive
            | Op::Deallocate
            | Op::DeallocateProceed
            | Op::Proceed
    )
}
