//! What collections of garbage came to: for `statistics/2`, and told on the error stream where the flag
//! `trace_gc` asks for it.
#![forbid(unsafe_code)]

use crate::base::needs::Permit;
use crate::io::stream_table::{StreamTable, USER_ERROR};
use crate::store::address::HeapAddr;
use crate::store::heap::Store;
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
    pub(crate) due_at: HeapAddr,
    /// The heap has outgrown that within a clause: a collection is due when the clause has returned, unless a call comes
    /// first.
    pub(crate) at_return: bool,
    /// Bytes of the other areas that the last collection looked at.
    pub(crate) scanned_stacks: u64,
    /// Calls made before the last collection.
    pub(crate) collected_at: u64,
    /// Collect at every call: to test that collections change nothing.
    pub(crate) always: bool,
    /// Where the heap ended after the last collection, if that ended in an error, and the calls
    /// made until then.
    pub(crate) full_at: Option<(HeapAddr, u64)>,
    /// Collections of the heap, and sweeps of symbols.
    pub(crate) log: Collections,
    /// Collections are put off while this is not zero: somebody holds cells that are no roots.
    pub(crate) paused: u32,
}

/// How things are before a collection.
pub(in crate::machine) struct Before {
    cpu: f64,
    used: u64,
}

/// The processor time, in seconds.
pub(in crate::machine) fn processor_time() -> f64 {
    os::cpu_time(Permit::issue())
}

/// Bytes of the heap and of the trail in use.
fn used_by_terms(store: &Store) -> u64 {
    (store.heap_top - store.heap.base) + (store.trail_top - store.trail.base)
}

impl Before {
    /// A collection of the heap begins.
    pub(in crate::machine) fn new(store: &Store) -> Before {
        Before {
            cpu: processor_time(),
            used: used_by_terms(store),
        }
    }
}

impl Collector {
    /// A collection of the heap has ended.
    pub(in crate::machine) fn ends(
        &mut self,
        before: &Before,
        store: &Store,
        streams: &mut StreamTable,
    ) {
        let seconds = processor_time() - before.cpu;
        let used = used_by_terms(store);
        let gained = before.used.saturating_sub(used);
        self.log.count += 1;
        self.log.gained += gained;
        self.log.seconds += seconds;
        if self.log.trace {
            let message = format!(
                "% GC: gained {gained} bytes of terms in {seconds:.6} sec; {used} bytes left\n"
            );
            report(streams, &message);
        }
    }

    /// A sweep of symbols has ended that began at the processor time `cpu`: `gone` atoms are gone, and `left` are
    /// left.
    pub(in crate::machine) fn sweep_ends(
        &mut self,
        cpu: f64,
        (gone, left): (usize, usize),
        streams: &mut StreamTable,
    ) {
        let seconds = processor_time() - cpu;
        self.log.sweep_seconds += seconds;
        if self.log.trace {
            let message =
                format!("% AGC: removed {gone} atoms in {seconds:.6} sec; {left} atoms left\n");
            report(streams, &message);
        }
    }
}

fn report(streams: &mut StreamTable, message: &str) {
    if let Ok(stream) = streams.output(USER_ERROR) {
        // Nothing can be done about an error stream that does not take its message.
        let _ = stream.put_str(message);
        let _ = stream.flush();
    }
}
