//! What collections of garbage came to: for `statistics/2`, and told on the error stream where the flag
//! `trace_gc` asks for it. And how a program asks for one.

use super::state::Machine;
use crate::base::needs::Permit;
use crate::io::stream_table::USER_ERROR;
use crate::store::os;

/// Sums over all collections so far.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct Collections {
    /// Collections of the heap.
    pub(crate) count: u64,
    /// Bytes of the heap and of the trail that they have gained.
    pub(crate) gained: u64,
    /// Seconds of the processor that they took.
    pub(crate) seconds: f64,
    /// The same of sweeps of symbols.
    pub(crate) sweep_seconds: f64,
    /// Is each to be told?
    pub(crate) trace: bool,
}

/// How things are before a collection.
pub(super) struct Before {
    cpu: f64,
    used: u64,
}

/// The processor time, in seconds.
pub(super) fn processor_time() -> f64 {
    os::cpu_time(Permit::issue())
}

impl Machine {
    /// Bytes of the heap and of the trail in use.
    fn used_by_terms(&self) -> u64 {
        let store = &self.store;
        (store.heap_top - store.heap.base) + (store.trail_top - store.trail.base)
    }

    /// A collection of the heap begins.
    pub(super) fn collection_begins(&self) -> Before {
        Before {
            cpu: processor_time(),
            used: self.used_by_terms(),
        }
    }

    /// It has ended.
    pub(super) fn collection_ends(&mut self, before: &Before) {
        let seconds = processor_time() - before.cpu;
        let used = self.used_by_terms();
        let gained = before.used.saturating_sub(used);
        self.collections.count += 1;
        self.collections.gained += gained;
        self.collections.seconds += seconds;
        if self.collections.trace {
            self.tell_collection(&format!(
                "% GC: gained {gained} bytes of terms in {seconds:.6} sec; {used} bytes left\n"
            ));
        }
    }

    /// A sweep of symbols that began at this processor time has ended; before it there were so many
    /// atoms.
    pub(super) fn sweep_ends(&mut self, cpu: f64, atoms: usize) {
        let seconds = processor_time() - cpu;
        self.collections.sweep_seconds += seconds;
        if self.collections.trace {
            let left = self.symbols.atom_count();
            let gone = atoms.saturating_sub(left);
            self.tell_collection(&format!(
                "% AGC: removed {gone} atoms in {seconds:.6} sec; {left} atoms left\n"
            ));
        }
    }

    fn tell_collection(&mut self, message: &str) {
        if let Ok(stream) = self.streams.output(USER_ERROR) {
            // Nothing can be done about an error stream that does not take its message.
            let _ = stream.put_str(message);
            let _ = stream.flush();
        }
    }

    /// Makes the next call collect garbage of the heap, and of symbols if `symbols`.
    pub(crate) fn ask_for_collection(&mut self, symbols: bool) {
        if symbols {
            self.symbols.ask_for_sweep();
        }
        self.collect_at = 0;
        self.store.watch.look_at_next_call();
    }
}
