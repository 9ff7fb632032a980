//! Work within the budgets that a host sets.

use super::broken::Broken;
use super::budget::{Bounds, Budget, Room};
use super::engine::{Engine, no_memory};
use super::error::{Error, ErrorKind};
use crate::base::stop::Stop;
use crate::machine::budget::ends::Usage;

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
    /// Runs work. If it panics, the engine is broken.
    pub(super) fn at_work<T>(
        &mut self,
        work: impl FnOnce(&mut Engine) -> Result<T, Error>,
    ) -> Result<T, Error> {
        if self.broken.get() {
            let message = "the engine is unusable after a panic";
            return Err(Error::new(ErrorKind::Internal, message));
        }
        self.machine.wake().map_err(|Stop| no_memory())?;
        let mut under_way = Work(Some(self.broken.clone()));
        let _at_work = self.machine.world.host.directory.enter();
        let result = work(self);
        under_way.0 = None;
        result
    }

    /// Runs work within the limits of the engine and its own budget. Work inside other limited work shares the limits
    /// of that work.
    pub(super) fn within_bounds<T>(
        &mut self,
        bounds: Bounds<'_>,
        work: impl FnOnce(&mut Engine) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.at_work(|engine| match bounds.own.room == Room::UNLIMITED {
            true => engine.within_allowance(bounds, work),
            false => {
                let room = bounds.own.room;
                engine.within_room(room, |engine| engine.within_allowance(bounds, work))
            }
        })
    }

    /// Runs work with additional limits of memory and streams.
    fn within_room<T>(&mut self, room: Room, work: impl FnOnce(&mut Engine) -> T) -> T {
        let before = self.allowed.room;
        self.set_room(before.least_of(room));
        let result = work(self);
        self.set_room(before);
        result
    }

    fn within_allowance<T>(
        &mut self,
        bounds: Bounds<'_>,
        work: impl FnOnce(&mut Engine) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut allowed = bounds.own.usage;
        if !self.bounded {
            allowed = allowed.least_of(self.allowed.usage);
        }
        if allowed.is_unlimited() {
            return work(self);
        }
        let within = std::mem::replace(&mut self.bounded, true);
        let result = self.limited(allowed, bounds.spent, work);
        self.bounded = within;
        result
    }

    /// Runs work that may use at most `allowed`.
    fn limited<T>(
        &mut self,
        allowed: Usage,
        spent: Option<&mut Usage>,
        work: impl FnOnce(&mut Engine) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let before = spent.as_deref().copied().unwrap_or(Usage::NONE);
        let begun = match self.machine.begin_host_budget(allowed, before) {
            Ok(begun) => begun,
            Err(throw) => return Err(self.error(throw)),
        };
        self.limited += 1;
        let result = work(self);
        self.limited -= 1;
        if let Some(spent) = spent {
            spent.add(self.machine.used_since(begun));
        }
        self.machine.end_host_budget(begun);
        result
    }

    /// Sets the limits of memory and streams.
    pub(super) fn set_room(&mut self, room: Room) {
        self.allowed.room = room;
        let m = &mut *self.machine;
        m.store.set_limit(room.memory);
        m.world.symbols.set_memory(m.store.area_bytes());
        let streams = room.streams.min(self.capabilities.most_streams());
        m.world.host.streams.set_most_streams(streams);
    }
}

/// Limits can change from query to query.
impl Engine {
    /// Returns the budget of each query and each load.
    pub fn budget(&self) -> Budget {
        self.allowed
    }

    /// Sets the budget of each query and each load from now on. An open query keeps its usage so far.
    pub fn set_budget(&mut self, budget: Budget) {
        self.allowed = budget;
        self.set_room(budget.room);
    }

    /// Runs `work` within a budget. All queries and loads in it share this one budget. The engine's own budget also
    /// limits each of these queries and loads as usual.
    ///
    /// ```
    /// use wamlet::{Budget, Engine, ErrorKind};
    ///
    /// # fn main() -> Result<(), wamlet::Error> {
    /// let mut engine = Engine::new()?;
    /// let endless = ":- repeat, fail.";
    /// let budget = Budget::new().steps(100_000);
    /// let error = engine.within(&budget, |engine| engine.consult_text("endless.pl", endless)).unwrap_err();
    /// assert_eq!(*error.kind(), ErrorKind::InferenceLimit);
    /// assert_eq!(error.location().map(|place| place.line), Some(1));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// - the errors of `work`
    /// - [`ErrorKind::Resource`] if there is not enough memory
    /// - [`ErrorKind::Internal`] if a panic has broken the engine
    pub fn within<T>(
        &mut self,
        budget: &Budget,
        work: impl FnOnce(&mut Engine) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.close_leaked();
        let answers = self.allowed.answers;
        self.allowed.answers = self.allowed.least_of(*budget).answers;
        let result = self.at_work(|engine| {
            engine.within_room(budget.room, |engine| {
                engine.limited(budget.usage, None, work)
            })
        });
        self.allowed.answers = answers;
        result
    }
}
