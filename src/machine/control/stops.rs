//! Stops of queries, and the goals for which a stop waits.
#![forbid(unsafe_code)]

use super::throw::{Ball, Throw};
use crate::base::growth::Grow;
use crate::base::stop::Stop;
use crate::machine::frames::shield::Shield;
use crate::machine::state::Machine;
use crate::store::cell::Cell;
use crate::store::claims::Life;

/// Maximum number of nested shielded goals. Further goals that set up have no grace, because the number must share a
/// word with another one.
const MOST_SETUPS: usize = 1 << 22;

impl Machine {
    /// Begins a goal that sets something up.
    pub(crate) fn begin_setup(&mut self) -> Result<(), Stop> {
        if self.run.shields.len() < MOST_SETUPS {
            self.begin_shield(Shield::Setup)?;
        }
        Ok(())
    }

    /// Ends the setup, when the goal with a cleanup begins or cannot begin.
    pub(crate) fn end_setup(&mut self) {
        if matches!(self.run.shields.last(), Some(Shield::Setup)) {
            self.run.shields.pop();
            self.shields_changed();
        }
    }

    /// Begins a shielded goal.
    pub(crate) fn begin_shield(&mut self, shield: Shield) -> Result<(), Stop> {
        self.run.shields.put(shield)?;
        self.shields_changed();
        Ok(())
    }

    /// Returns the lifetime of growing memory. It counts as kept by the program. The exception is a goal that cleans
    /// up after a memory error: the memory may be full of data that the goal is to drop, and its first call may
    /// enlarge a table of names.
    pub(in crate::machine) fn life_of_growth(&self) -> Life {
        match self.run.shields.last() {
            Some(Shield::Unwinding(throw)) if matches!(throw.0.ball, Ball::OutOfMemory) => {
                Life::Passing
            }
            _ => Life::Kept,
        }
    }

    /// Ends a cleanup goal that is not followed by an exception.
    pub(crate) fn end_cleanup(&mut self) {
        if matches!(self.run.shields.last(), Some(Shield::Cleanup)) {
            self.run.shields.pop();
            self.shields_changed();
        }
    }

    /// Ends a cleanup goal, and returns the exception that continues after it.
    pub(in crate::machine) fn end_unwinding(&mut self) -> Option<Throw> {
        let mut throw = None;
        while let Some(shield) = self.run.shields.pop() {
            if let Shield::Unwinding(under_way) = shield {
                throw = Some(under_way);
                break;
            }
        }
        self.shields_changed();
        throw
    }

    /// Keeps only the `count` outermost shields.
    pub(in crate::machine) fn keep_shields(&mut self, count: usize) {
        if self.run.shields.len() > count {
            self.run.shields.truncate(count);
            self.shields_changed();
        }
    }

    /// Returns the ball of the exception that has led to the running cleanup goal, if there is one.
    ///
    /// # Errors
    /// Returns an error if memory runs out.
    pub(crate) fn cleanup_ball(&mut self) -> Result<Option<Cell>, Stop> {
        let Some(shield) = self.run.shields.pop() else {
            return Ok(None);
        };
        let ball = match &shield {
            Shield::Unwinding(throw) => self.ball_term(throw).map(Some),
            Shield::Setup | Shield::Cleanup => Ok(None),
        };
        self.run.shields.put(shield)?;
        ball
    }

    /// Returns the exceptions that wait for cleanup goals to end.
    pub(in crate::machine) fn suspended(&self) -> impl Iterator<Item = &Throw> {
        self.run.shields.iter().filter_map(|shield| match shield {
            Shield::Unwinding(throw) => Some(throw),
            Shield::Setup | Shield::Cleanup => None,
        })
    }

    /// Returns the exception that stops the query, if it must stop.
    pub(crate) fn stop_reason(&mut self) -> Option<Throw> {
        let watch = &self.store.events.watch;
        let reason = if watch.interrupt_counts() {
            watch.take_interrupt();
            match watch.take_halt() {
                Some(status) => Some(Throw::new(Ball::Halt(status))),
                None => {
                    self.begin_grace();
                    Some(Throw::new(Ball::Aborted))
                }
            }
        } else {
            self.spent_budget()
        };
        if reason.is_some() {
            self.reset_heap_limit();
        }
        reason
    }
}
