//! The results of garbage collections: for `statistics/2`, and for messages on the error stream if the flag
//! `trace_gc` is set.
#![forbid(unsafe_code)]

use crate::base::needs::Permit;
use crate::io::stream_table::{StreamTable, USER_ERROR};
use crate::store::address::HeapAddr;
use crate::store::heap::Store;
use crate::store::os;

/// Sums over all collections so far.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct Collections {
    /// Number of collections of the heap.
    pub(crate) count: u64,
    /// Bytes of the heap and of the trail that they have freed.
    pub(crate) gained: u64,
    /// CPU seconds that they took.
    pub(crate) seconds: f64,
    /// CPU seconds that sweeps of symbols took.
    pub(crate) sweep_seconds: f64,
    /// Whether each collection is reported.
    pub(crate) trace: bool,
}

/// The state that determines when garbage is collected.
#[derive(Debug, Default)]
pub(crate) struct Collector {
    /// Heap top at which the next collection is due.
    pub(crate) due_at: HeapAddr,
    /// Whether the heap has outgrown that within a clause. Then a collection is due at the return of the clause,
    /// unless a call comes first.
    pub(crate) at_return: bool,
    /// Bytes of the other areas that the last collection looked at.
    pub(crate) scanned_stacks: u64,
    /// Calls made before the last collection.
    pub(crate) collected_at: u64,
    /// Whether to collect at every call, to test that collections change nothing.
    pub(crate) always: bool,
    /// The heap top after the last collection, if that ended in an error, and the calls made until then.
    pub(crate) full_at: Option<(HeapAddr, u64)>,
    /// The statistics of collections of the heap and sweeps of symbols.
    pub(crate) log: Collections,
    /// While this is not zero, collections are postponed, because some code holds cells that are no roots.
    pub(crate) paused: u32,
}

/// The state before a collection.
pub(in crate::machine) struct Before {
    cpu: f64,
    used: u64,
}

/// Returns the CPU time, in seconds.
pub(in crate::machine) fn processor_time() -> f64 {
    os::cpu_time(Permit::issue())
}

/// Returns the bytes of the heap and of the trail in use.
fn used_by_terms(store: &Store) -> u64 {
    (store.heap_top - store.heap.base) + (store.trail_top - store.trail.base)
}

impl Before {
    /// Notes the state at the beginning of a collection of the heap.
    pub(in crate::machine) fn new(store: &Store) -> Before {
        Before {
            cpu: processor_time(),
            used: used_by_terms(store),
        }
    }
}

impl Collector {
    /// Logs the end of a collection of the heap.
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

    /// Logs the end of a sweep of symbols that began at the CPU time `cpu`. `gone` atoms were removed, and `left` are
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
        // If the error stream rejects the message, nothing can be done.
        let _ = stream.put_str(message);
        let _ = stream.flush();
    }
}
