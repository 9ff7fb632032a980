//! Budgets of the goals that run. After each change of them, the machine computes when the next one may be spent.
#![forbid(unsafe_code)]

use super::ends::{Amount, NEVER, Usage, nanoseconds, thread_time};
use super::limits::{NoTimer, Spent, charge};
use super::timer::now;
use crate::base::stop::Stop;
use crate::machine::control::throw::{Ball, Throw};
use crate::machine::state::Machine;
use crate::store::os;
use std::time::{Duration, Instant};

/// The beginning of work that the host limits.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Begun {
    /// The number of the host's budgets before.
    outer: usize,
    calls: u64,
    /// In nanoseconds.
    time: u64,
    waited: Duration,
    cpu: Option<u64>,
}

impl Machine {
    /// Returns the number of calls made so far.
    #[inline]
    pub(crate) fn inferences(&self) -> u64 {
        self.run.budgets.inferences(self.calls)
    }

    /// Returns the number of calls, including the work of builtins counted as calls.
    pub(crate) fn charged(&self) -> u64 {
        self.inferences() + charge(&self.store)
    }

    /// Returns the amounts that other machines may use up when they work for this one.
    pub(crate) fn allowance(&self) -> Usage {
        let left = self.run.budgets.calls_left(self.charged());
        Usage {
            inferences: left.unwrap_or(NEVER),
            ..Usage::UNLIMITED
        }
    }

    /// Adds calls that other machines have made for this machine.
    pub(crate) fn did_calls(&mut self, calls: u64) {
        // If this exceeds a limit, the next call finds the limit spent.
        self.calls = self.calls.saturating_add(calls);
    }

    /// Subtracts calls that are not to count.
    pub(crate) fn undid_calls(&mut self, calls: u64) {
        self.calls = self.calls.wrapping_sub(calls);
    }

    /// Opens a budget and returns its number. Its goal does not run yet.
    pub(crate) fn open_budget(&mut self, amount: Amount) -> Result<i64, Stop> {
        let depth = self.run.shields.len();
        self.run.budgets.open(amount, depth)
    }

    /// Starts the goal of a budget. The whole amount is available from now on.
    ///
    /// # Errors
    /// Returns a system error if there is no thread for the timer.
    pub(crate) fn start_budget(&mut self, number: i64) -> Result<(), Throw> {
        let calls = self.charged();
        self.run.budgets.start(number, calls);
        self.arm()
    }

    /// Ends the running goal of a budget at the next call.
    pub(crate) fn spend_budget(&mut self, number: i64) {
        let calls = self.charged();
        self.run.budgets.shorten(number, calls);
        self.rearm();
    }

    /// Suspends the goal of a budget.
    pub(crate) fn stop_budget(&mut self, number: i64) {
        self.run.budgets.stop(number);
        self.rearm();
    }

    /// Pauses the running budgets of the goals of a program and returns their numbers.
    pub(crate) fn pause_budgets(&mut self) -> Result<Vec<i64>, Stop> {
        let calls = self.charged();
        let paused = self.run.budgets.pause(calls)?;
        if !paused.is_empty() {
            self.rearm();
        }
        Ok(paused)
    }

    /// Does work in which the machine waits for a person. Meanwhile, no time passes for the budgets.
    #[expect(clippy::disallowed_methods, reason = "no text sees when budgets end")]
    pub(crate) fn while_waiting<T>(
        &mut self,
        work: impl FnOnce(&mut Machine) -> T,
    ) -> Result<T, Stop> {
        let standing = self.run.budgets.begin_waiting()?;
        if !standing.is_empty() {
            self.rearm();
        }
        let start = Instant::now();
        let result = work(self);
        self.run.budgets.end_waiting(&standing, start.elapsed());
        if !standing.is_empty() {
            self.rearm();
        }
        Ok(result)
    }

    /// Returns the time that the machine has waited for a person so far.
    pub(crate) fn time_waited(&self) -> Duration {
        self.run.budgets.waited()
    }

    /// Resumes paused budgets.
    ///
    /// # Errors
    /// Returns the same errors as [`Machine::start_budget`].
    pub(crate) fn resume_budgets(&mut self, numbers: &[i64]) -> Result<(), Throw> {
        if numbers.is_empty() {
            return Ok(());
        }
        let calls = self.charged();
        self.run.budgets.resume(numbers, calls);
        self.arm()
    }

    /// Closes a budget and those within it.
    pub(crate) fn close_budget(&mut self, number: i64) {
        self.run.budgets.close(number);
        self.rearm();
    }

    /// Adds limits of the host within those that already apply. `spent` is already used up. The limits apply until
    /// [`Machine::end_host_budget`].
    ///
    /// # Errors
    /// Returns the same errors as [`Machine::start_budget`].
    pub(crate) fn begin_host_budget(
        &mut self,
        allowed: Usage,
        spent: Usage,
    ) -> Result<Begun, Throw> {
        let calls = self.charged();
        if allowed.cpu != NEVER {
            self.store.watch.set_worker(os::thread_number());
        }
        let begun = Begun {
            outer: 0,
            calls,
            time: now(),
            waited: self.time_waited(),
            cpu: (allowed.cpu != NEVER).then(thread_time),
        };
        let amounts = allowed.amounts(spent);
        let bell = &self.store.watch.bell;
        let from = (calls, begun.time);
        let outer = self.run.budgets.begin_host(amounts, from, bell)?;
        self.arm()?;
        Ok(Begun { outer, ..begun })
    }

    /// Removes the limits that the host has set since `begun`.
    pub(crate) fn end_host_budget(&mut self, begun: Begun) {
        self.run.budgets.end_host(begun.outer);
        self.rearm();
    }

    /// Returns the amounts used up since `begun`.
    pub(crate) fn used_since(&self, begun: Begun) -> Usage {
        let waited = self.time_waited().saturating_sub(begun.waited);
        let time = now().saturating_sub(begun.time);
        let cpu = begun.cpu.map(|before| thread_time().saturating_sub(before));
        Usage {
            time: time.saturating_sub(nanoseconds(waited)),
            cpu: cpu.unwrap_or(0),
            inferences: self.charged() - begun.calls,
        }
    }

    /// Returns the exception of a limit that has ended the query before any call has noticed it.
    pub(crate) fn spent_unnoticed(&mut self) -> Option<Throw> {
        let bell = &self.store.watch.bell;
        let may_be = self.run.budgets.may_be_spent(self.charged(), bell);
        may_be.then(|| self.spent_budget()).flatten()
    }

    /// Gives the cleanup goals of an interrupted query a short time, which they share.
    pub(crate) fn begin_grace(&mut self) {
        if !self.run.budgets.has_grace() {
            self.run.budgets.begin_grace();
            // Without a timer thread, only another interrupt can end them.
            let _ = self.arm();
        }
    }

    /// Ends the time for cleanup goals, where the interrupt ends.
    pub(crate) fn end_grace(&mut self) {
        if self.run.budgets.has_grace() {
            self.run.budgets.end_grace();
            self.rearm();
        }
    }

    /// Returns whether the later end that applies to cleanup goals has also come. Each cleanup goal would then end as
    /// it begins.
    pub(in crate::machine) fn grace_is_over(&self) -> bool {
        let depth = self.run.shields.len() + 1;
        self.run.budgets.is_spent(self.charged(), depth)
    }

    /// Handles a change of the number of shields.
    pub(in crate::machine) fn shields_changed(&mut self) {
        let shielded = !self.run.shields.is_empty();
        self.store.watch.shield(shielded);
        if self.run.budgets.depend_on_shields(shielded) {
            self.rearm();
        }
        let watch = &self.store.watch;
        if watch.stop_wanted() || watch.is_interrupted() {
            watch.look_at_next_call();
        }
    }

    /// Forgets all budgets, because no goal runs.
    pub(crate) fn forget_budgets(&mut self) {
        self.run.budgets.clear();
        self.rearm();
    }

    /// Returns the exception of a spent budget.
    pub(crate) fn spent_budget(&mut self) -> Option<Throw> {
        if self.run.budgets.is_empty() {
            return None;
        }
        let (calls, depth) = (self.charged(), self.run.shields.len());
        let spent = self.run.budgets.spend(calls, depth);
        self.rearm();
        spent.map(|spent| {
            Throw::new(match spent {
                Spent::Interrupted => Ball::Aborted,
                Spent::Budget(number, resource) => Ball::Spent(number, resource),
            })
        })
    }

    /// Makes the machine check when the next budget may be spent.
    fn arm(&mut self) -> Result<(), Throw> {
        let depth = self.run.shields.len();
        let armed = self.run.budgets.arm(&mut self.calls, &self.store, depth);
        armed.map_err(|NoTimer| {
            self.system_error("the system gives no thread, which limits of time need")
        })
    }

    /// Calls `arm` where no new timer can be needed.
    fn rearm(&mut self) {
        let armed = self.arm();
        debug_assert!(armed.is_ok(), "no timer is made for fewer budgets");
    }
}
