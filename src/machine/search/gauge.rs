//! The progress that the machines of a search report: the number of solutions found, and the remaining part of the
//! tree. Another thread requests a report from time to time; each machine reports at its next call.
#![forbid(unsafe_code)]

use super::share::Rest;
use crate::arith::mixed;
use crate::base::growth::Grow;
use crate::base::locks::lock;
use crate::base::number::Number;
use crate::base::stop::Stop;
use crate::base::watch::Watch;
use std::sync::{Arc, Mutex};

/// The last report of one machine.
#[derive(Debug, Default)]
struct Reading {
    /// The machine, until it has ended.
    watch: Option<Arc<Watch>>,
    /// The number of solutions in the part that the machine searches, and the rest of that part.
    found: Option<Number>,
    rest: Rest,
}

/// The totals of the reports of all machines.
#[derive(Debug)]
pub(crate) struct Totals {
    /// The number of the search, from 1. It shows whether another search has begun in the meantime.
    pub(crate) search: u64,
    /// The number of solutions, if the search counts or keeps them.
    pub(crate) found: Option<Number>,
    /// The weight of the rest of the tree. The whole tree weighs 1.
    pub(crate) rest: Rest,
}

#[derive(Debug, Default)]
struct State {
    machines: Vec<Reading>,
    search: u64,
    /// Whether several machines do the search.
    shared: bool,
    /// The number of solutions of the finished parts.
    done: Option<Number>,
    /// The weight of the parts that wait.
    waiting: f64,
}

/// The progress of the searches of an engine.
#[derive(Debug, Default)]
pub(crate) struct Gauge(Mutex<State>);

/// Adds two numbers of solutions; an unknown number adds nothing.
fn sum(one: Option<Number>, other: Option<&Number>) -> Option<Number> {
    match (one, other) {
        (Some(one), Some(other)) => mixed::add(&one, other).ok(),
        (one, other) => one.or_else(|| other.cloned()),
    }
}

impl Gauge {
    /// Registers a machine and returns its number.
    pub(crate) fn join(&self, watch: &Arc<Watch>) -> Result<usize, Stop> {
        let mut state = lock(&self.0);
        let free = state.machines.iter().position(|one| one.watch.is_none());
        let number = free.unwrap_or(state.machines.len());
        if free.is_none() {
            state.machines.put(Reading::default())?;
        }
        state.machines[number].watch = Some(Arc::clone(watch));
        Ok(number)
    }

    /// Removes a machine that has ended.
    pub(super) fn leave(&self, machine: usize) {
        if let Some(reading) = lock(&self.0).machines.get_mut(machine) {
            *reading = Reading::default();
        }
    }

    /// Requests a report from all machines at their next call.
    pub(crate) fn request_report(&self) {
        let state = lock(&self.0);
        for watch in state.machines.iter().flat_map(|one| &one.watch) {
            watch.want_progress();
        }
    }

    /// Returns the totals of all reports, if a search has begun.
    pub(crate) fn totals(&self) -> Option<Totals> {
        let state = lock(&self.0);
        let mut found = state.done.clone();
        let waiting = state.waiting;
        let mut rest = Rest {
            least: waiting,
            most: waiting,
        };
        for one in &state.machines {
            found = sum(found, one.found.as_ref());
            rest.least += one.rest.least;
            rest.most += one.rest.most;
        }
        (state.search > 0).then_some(Totals {
            search: state.search,
            found,
            rest,
        })
    }

    /// Begins a search, by several machines if `shared`. At first the whole search waits.
    pub(crate) fn begin(&self, shared: bool) {
        let mut state = lock(&self.0);
        state.search += 1;
        (state.shared, state.done, state.waiting) = (shared, None, 1.0);
        for one in &mut state.machines {
            (one.found, one.rest) = (None, Rest::default());
        }
    }

    /// Ends the search of several machines.
    pub(crate) fn end_shared(&self) {
        lock(&self.0).shared = false;
    }

    /// Returns whether several machines search.
    pub(super) fn is_shared(&self) -> bool {
        lock(&self.0).shared
    }

    /// Notes that a machine begins a part of this weight.
    pub(super) fn begin_part(&self, machine: usize, weight: f64) {
        let mut state = lock(&self.0);
        state.waiting = (state.waiting - weight).max(0.0);
        if let Some(reading) = state.machines.get_mut(machine) {
            reading.rest = Rest {
                least: 0.0,
                most: weight,
            };
        }
    }

    /// Notes that a machine has given away a part of this weight, which waits now. `rest` is the rest of its own
    /// part.
    pub(super) fn give_part(&self, machine: usize, weight: f64, rest: Rest) {
        let mut state = lock(&self.0);
        state.waiting += weight;
        if let Some(reading) = state.machines.get_mut(machine) {
            reading.rest = rest;
        }
    }

    /// Stores the progress of a machine in its part.
    pub(super) fn report(&self, machine: usize, found: Option<Number>, rest: Rest) {
        if let Some(reading) = lock(&self.0).machines.get_mut(machine) {
            (reading.found, reading.rest) = (found, rest);
        }
    }

    /// Ends the part of a machine, in which it has found `found` solutions.
    pub(super) fn end_part(&self, machine: usize, found: Option<Number>) {
        let mut state = lock(&self.0);
        state.done = sum(state.done.take(), found.as_ref());
        if let Some(reading) = state.machines.get_mut(machine) {
            (reading.found, reading.rest) = (None, Rest::default());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Gauge, Rest};
    use crate::base::number::Number;
    use crate::base::watch::Watch;
    use std::sync::Arc;

    fn reported(gauge: &Gauge) -> (Option<i64>, f64, f64) {
        let totals = gauge.totals().unwrap();
        let found = totals.found.map(|found| match found {
            Number::Int(found) => found,
            _ => unreachable!("it is small"),
        });
        (found, totals.rest.least, totals.rest.most)
    }

    #[test]
    fn parts_add_up_to_the_whole() {
        let gauge = Gauge::default();
        let watches = [(); 2].map(|()| Arc::new(Watch::default()));
        let [first, second] = watches.each_ref().map(|watch| gauge.join(watch).unwrap());
        assert!(gauge.totals().is_none());
        gauge.begin(true);
        assert_eq!(reported(&gauge), (None, 1.0, 1.0));
        gauge.begin_part(first, 1.0);
        assert_eq!(reported(&gauge), (None, 0.0, 1.0));
        let rest = Rest {
            least: 0.25,
            most: 0.5,
        };
        gauge.report(first, Some(Number::Int(3)), rest);
        gauge.give_part(
            first,
            0.25,
            Rest {
                least: 0.0,
                most: 0.25,
            },
        );
        assert_eq!(reported(&gauge), (Some(3), 0.25, 0.5));
        gauge.begin_part(second, 0.25);
        gauge.end_part(first, Some(Number::Int(5)));
        assert_eq!(reported(&gauge), (Some(5), 0.0, 0.25));
        gauge.end_part(second, Some(Number::Int(2)));
        assert_eq!(reported(&gauge), (Some(7), 0.0, 0.0));
        gauge.begin(false);
        assert_eq!(reported(&gauge), (None, 1.0, 1.0));
    }

    #[test]
    fn a_request_reaches_each_machine_once() {
        let gauge = Gauge::default();
        let watch = Arc::new(Watch::default());
        let machine = gauge.join(&watch).unwrap();
        assert!(!watch.take_progress_request());
        gauge.request_report();
        assert!(watch.take_progress_request() && !watch.take_progress_request());
        gauge.leave(machine);
        gauge.request_report();
        assert!(!watch.take_progress_request());
    }
}
