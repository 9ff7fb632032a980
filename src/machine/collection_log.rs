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

/// When garbage is collected.
#[derive(Debug, Default)]
pub(crate) struct Collector {
    /// Heap top at which the next collection is due.
    pub(crate) due_at: u64,
    /// Bytes of the other areas that the last collection looked at.
    pub(crate) scanned_stacks: u64,
    /// Calls made before the last collection.
    pub(crate) collected_at: u64,
    /// Collect at every call: to test that collections change nothing.
    pub(crate) always: bool,
    /// Where the heap ended after the last collection, if that ended in an error, and the calls
    /// made until then.
    pub(crate) full_at: Option<(u64, u64)>,
    /// Collections of the heap, and sweeps of symbols.
    pub(crate) log: Collections,
    /// Collections are put off while this is not zero: somebody holds cells that are no roots.
    pub(crate) paused: u32,
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
        self.run.collector.log.count += 1;
        self.run.collector.log.gained += gained;
        self.run.collector.log.seconds += seconds;
        if self.run.collector.log.trace {
            self.tell_collection(&format!(
                "% GC: gained {gained} bytes of terms in {seconds:.6} sec; {used} bytes left\n"
            ));
        }
    }

    /// A sweep of symbols that began at this processor time has ended; before it there were so many
    /// atoms.
    pub(super) fn sweep_ends(&mut self, cpu: f64, atoms: usize) {
        let seconds = processor_time() - cpu;
        self.run.collector.log.sweep_seconds += seconds;
        if self.run.collector.log.trace {
            let left = self.world.symbols.atom_count();
            let gone = atoms.saturating_sub(left);
            self.tell_collection(&format!(
                "% AGC: removed {gone} atoms in {seconds:.6} sec; {left} atoms left\n"
            ));
        }
    }

    fn tell_collection(&mut self, message: &str) {
        if let Ok(stream) = self.world.host.streams.output(USER_ERROR) {
            // Nothing can be done about an error stream that does not take its message.
            let _ = stream.put_str(message);
            let _ = stream.flush();
        }
    }

    /// Makes the next call collect garbage of the heap, and of symbols if `symbols`.
    pub(crate) fn ask_for_collection(&mut self, symbols: bool) {
        if symbols {
            self.world.symbols.ask_for_sweep();
        }
        self.run.collector.due_at = 0;
        self.store.watch.look_at_next_call();
    }
}
