//! Limits that a host sets, and work within them.

use super::broken::{Broken, LEAST_MEMORY};
use super::engine::{Engine, no_memory};
use super::error::{Error, ErrorKind};
use crate::base::stop::Stop;
use crate::machine::budget::limits::Budget;
use std::time::{Duration, Instant};

/// Work of an engine. If a panic ends it, the engine is broken.
struct Work(Option<Broken>);

impl Drop for Work {
    fn drop(&mut self) {
        if let Some(engine) = &self.0 {
            engine.set();
        }
    }
}

impl Engine {
    /// Does something that is bounded by what the host allows, of which some is spent, and adds what
    /// it spends. Within something else that is bounded it shares that bound.
    pub(super) fn within_allowance<T>(
        &mut self,
        spent: &mut Budget,
        work: impl FnOnce(&mut Engine) -> Result<T, Error>,
    ) -> Result<T, Error> {
        if self.broken.get() {
            let message = "a panic has broken the engine";
            return Err(Error::new(ErrorKind::Internal, message));
        }
        self.machine.wake().map_err(|Stop| no_memory())?;
        let mut under_way = Work(Some(self.broken.clone()));
        let result = self.within_bounds(spent, work);
        under_way.0 = None;
        result
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "what a query has used of its time; text does not see it"
    )]
    fn within_bounds<T>(
        &mut self,
        spent: &mut Budget,
        work: impl FnOnce(&mut Engine) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let _at_work = self.machine.world.host.directory.enter();
        if self.allowed.amounts(*spent).next().is_none() || self.bounded {
            return work(self);
        }
        let (start, calls) = (Instant::now(), self.machine.charged());
        let waited = self.machine.time_waited();
        if let Err(throw) = self.machine.begin_host_budget(self.allowed, *spent) {
            return Err(self.error(throw));
        }
        self.bounded = true;
        let result = work(self);
        self.bounded = false;
        self.machine.end_host_budget();
        let waited = self.machine.time_waited().saturating_sub(waited);
        let time = start.elapsed().saturating_sub(waited);
        spent.add(time, self.machine.charged() - calls);
        result
    }
}

/// Limits may change from query to query.
impl Engine {
    /// How long each query may run from now on, and each file may take to load; `None` for no limit. As
    /// [`EngineBuilder::time_limit`](super::EngineBuilder::time_limit). What a query that is open has used up
    /// counts.
    pub fn set_time_limit(&mut self, time: Option<Duration>) {
        self.allowed.time = time;
    }

    /// How many inferences each query may make from now on, and the loading of each file; `None` for no limit. As
    /// [`EngineBuilder::inference_limit`](super::EngineBuilder::inference_limit). What a query that is open has
    /// used up counts.
    pub fn set_inference_limit(&mut self, inferences: Option<u64>) {
        self.allowed.inferences = inferences;
    }

    /// How many streams the program may have open at a time from now on. As
    /// [`Capabilities::streams`](super::Capabilities::streams). Streams that are open stay open.
    pub fn set_stream_limit(&mut self, streams: usize) {
        self.machine.world.host.streams.set_most_streams(streams);
    }

    /// Bytes of memory that terms may take from now on, and the program with them: at most as many as
    /// [`EngineBuilder::memory_limit`](super::EngineBuilder::memory_limit) has given the engine. Where the
    /// program alone takes more, queries end in a `resource_error`.
    pub fn set_memory_limit(&mut self, bytes: usize) {
        let m = &mut *self.machine;
        m.store.set_limit(bytes.max(LEAST_MEMORY));
        m.world.symbols.set_memory(m.store.area_bytes());
    }
}
