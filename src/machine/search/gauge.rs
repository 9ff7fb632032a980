//! What the machines of a search tell of its progress: how many solutions they have found, and how much of the tree is left.
//! Somebody outside asks for it now and then; each machine answers at its next call.
#![forbid(unsafe_code)]

use super::share::Rest;
use crate::arith::mixed;
use crate::base::growth::Grow;
use crate::base::locks::lock;
use crate::base::number::Number;
use crate::base::stop::Stop;
use crate::base::watch::Watch;
use std::sync::{Arc, Mutex};

/// What one machine has told last.
#[derive(Debug, Default)]
struct Reading {
    /// The machine, until it has ended.
    watch: Option<Arc<Watch>>,
    /// The solutions of the part that it searches, and what is left of that.
    found: Option<Number>,
    rest: Rest,
}

/// What all machines together have told.
#[derive(Debug)]
pub(crate) struct Totals {
    /// The number of the search, from 1: another one may have begun meanwhile.
    pub(crate) search: u64,
    /// The number of solutions, if they are counted or kept.
    pub(crate) found: Option<Number>,
    /// The weight of what is left of the whole tree, which weighs 1.
    pub(crate) rest: Rest,
}

#[derive(Debug, Default)]
struct State {
    machines: Vec<Reading>,
    search: u64,
    /// Is it one of several machines?
    shared: bool,
    /// The solutions of parts that are done.
    done: Option<Number>,
    /// The weight of parts that wait.
    waiting: f64,
}

/// The progress of the searches of an engine.
#[derive(Debug, Default)]
pub(crate) struct Gauge(Mutex<State>);

/// The sum of two numbers of solutions; one that is not known adds nothing.
fn sum(one: Option<Number>, other: Option<&Number>) -> Option<Number> {
    match (one, other) {
        (Some(one), Some(other)) => mixed::add(&one, other).ok(),
        (one, other) => one.or_else(|| other.cloned()),
    }
}

impl Gauge {
    /// A machine takes part from now on: its number.
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

    /// It has ended.
    pub(super) fn part_with(&self, machine: usize) {
        if let Some(reading) = lock(&self.0).machines.get_mut(machine) {
            *reading = Reading::default();
        }
    }

    /// Asks all machines to tell at their next call how far they are.
    pub(crate) fn ask(&self) {
        let state = lock(&self.0);
        for watch in state.machines.iter().flat_map(|one| &one.watch) {
            watch.want_progress();
        }
    }

    /// What they have told, if a search has begun.
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

    /// A search begins, by several machines if `shared`: nothing is done of it, and all of it waits.
    pub(crate) fn begin(&self, shared: bool) {
        let mut state = lock(&self.0);
        state.search += 1;
        (state.shared, state.done, state.waiting) = (shared, None, 1.0);
        for one in &mut state.machines {
            (one.found, one.rest) = (None, Rest::default());
        }
    }

    /// The search of several machines has ended.
    pub(crate) fn end_shared(&self) {
        lock(&self.0).shared = false;
    }

    /// Do several machines search?
    pub(super) fn is_shared(&self) -> bool {
        lock(&self.0).shared
    }

    /// A machine begins a part of this weight.
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

    /// A machine has given a part of this weight away, which waits; so much is left of its own part.
    pub(super) fn give_part(&self, machine: usize, weight: f64, rest: Rest) {
        let mut state = lock(&self.0);
        state.waiting += weight;
        if let Some(reading) = state.machines.get_mut(machine) {
            reading.rest = rest;
        }
    }

    /// How far a machine is with its part.
    pub(super) fn tell(&self, machine: usize, found: Option<Number>, rest: Rest) {
        if let Some(reading) = lock(&self.0).machines.get_mut(machine) {
            (reading.found, reading.rest) = (found, rest);
        }
    }

    /// A machine is done with its part, which has so many solutions.
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

    fn told(gauge: &Gauge) -> (Option<i64>, f64, f64) {
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
        assert_eq!(told(&gauge), (None, 1.0, 1.0));
        gauge.begin_part(first, 1.0);
        assert_eq!(told(&gauge), (None, 0.0, 1.0));
        let rest = Rest {
            least: 0.25,
            most: 0.5,
        };
        gauge.tell(first, Some(Number::Int(3)), rest);
        gauge.give_part(
            first,
            0.25,
            Rest {
                least: 0.0,
                most: 0.25,
            },
        );
        assert_eq!(told(&gauge), (Some(3), 0.25, 0.5));
        gauge.begin_part(second, 0.25);
        gauge.end_part(first, Some(Number::Int(5)));
        assert_eq!(told(&gauge), (Some(5), 0.0, 0.25));
        gauge.end_part(second, Some(Number::Int(2)));
        assert_eq!(told(&gauge), (Some(7), 0.0, 0.0));
        gauge.begin(false);
        assert_eq!(told(&gauge), (None, 1.0, 1.0));
    }

    #[test]
    fn who_is_asked_hears_of_it_once() {
        let gauge = Gauge::default();
        let watch = Arc::new(Watch::default());
        let machine = gauge.join(&watch).unwrap();
        assert!(!watch.take_progress_request());
        gauge.ask();
        assert!(watch.take_progress_request() && !watch.take_progress_request());
        gauge.part_with(machine);
        gauge.ask();
        assert!(!watch.take_progress_request());
    }
}
