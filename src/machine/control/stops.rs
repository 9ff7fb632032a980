//! What stops a query, and the goals that what stops it waits for.
#![forbid(unsafe_code)]

use super::throw::{Ball, Throw};
use crate::base::growth::Grow;
use crate::base::stop::Stop;
use crate::machine::frames::shield::Shield;
use crate::machine::state::Machine;
use crate::store::cell::Cell;
use crate::store::claims::Life;

/// So many goals of this kind may lie within each other before further ones that set up have no grace: their
/// number has to fit beside another one in a word.
const MOST_SETUPS: usize = 1 << 22;

impl Machine {
    /// A goal that sets something up is about to run.
    pub(crate) fn begin_setup(&mut self) -> Result<(), Stop> {
        if self.run.shields.len() < MOST_SETUPS {
            self.begin_shield(Shield::Setup)?;
        }
        Ok(())
    }

    /// The goal with a cleanup begins, or there will be none.
    pub(crate) fn end_setup(&mut self) {
        if matches!(self.run.shields.last(), Some(Shield::Setup)) {
            self.run.shields.pop();
            self.shields_changed();
        }
    }

    /// A cleanup goal is about to run.
    pub(crate) fn begin_shield(&mut self, shield: Shield) -> Result<(), Stop> {
        self.run.shields.put(shield)?;
        self.shields_changed();
        Ok(())
    }

    /// What grows counts as what the program keeps; not while a goal cleans up after an error of memory:
    /// the memory may be full of what it is to drop, and its first call may make a table of names grow.
    pub(in crate::machine) fn life_of_growth(&self) -> Life {
        match self.run.shields.last() {
            Some(Shield::Unwinding(throw)) if matches!(throw.0.ball, Ball::OutOfMemory) => {
                Life::Passing
            }
            _ => Life::Kept,
        }
    }

    /// A cleanup goal is over after which no exception goes on.
    pub(crate) fn end_cleanup(&mut self) {
        if matches!(self.run.shields.last(), Some(Shield::Cleanup)) {
            self.run.shields.pop();
            self.shields_changed();
        }
    }

    /// The exception that goes on after the cleanup goal that has just ended.
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

    /// Of the goals of this kind only the outer ones, so many, still run.
    pub(in crate::machine) fn keep_shields(&mut self, count: usize) {
        if self.run.shields.len() > count {
            self.run.shields.truncate(count);
            self.shields_changed();
        }
    }

    /// The ball of the exception that has led to the cleanup goal that runs, if one has.
    ///
    /// # Errors
    /// There is no memory for it.
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

    /// The exceptions that wait for cleanup goals to end.
    pub(in crate::machine) fn suspended(&self) -> impl Iterator<Item = &Throw> {
        self.run.shields.iter().filter_map(|shield| match shield {
            Shield::Unwinding(throw) => Some(throw),
            Shield::Setup | Shield::Cleanup => None,
        })
    }

    /// What stops the query, if it is to be stopped.
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
