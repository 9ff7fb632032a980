//! Budgets: the number of calls that a goal may make, and the time that it may take.
//!
//! A budget has a number. When a budget is spent, the machine raises the exception `'$budget'(Number)`. Only the
//! `catch/3` that opened the budget catches it. If several nested budgets are spent, the outermost counts. Nobody
//! catches the exceptions of the host's budgets.
//!
//! While goals set up or clean up, the budgets in which they began end later, by a fixed amount ([`shield`]). The
//! cleanup goals of an interrupted query have a budget that has already ended.
//!
//! A register counts the calls. It overflows when the next budget is spent, so budgets add no cost to counting. The
//! work of builtins on large terms and texts also counts: [`Watch`] counts the steps. A fixed number of steps equals
//! one call for budgets; statistics do not include it. A thread of the process notifies the machine when its time is
//! up.
//!
//! [`Watch`]: crate::base::watch::Watch
//! [`shield`]: crate::machine::frames::shield
#![forbid(unsafe_code)]

use super::ends::{Amount, End, Ends};
use super::timer::{Timer, Times, now};
use crate::base::alarm::Bell;
use crate::base::growth::{Grow, GrowAt, Within, reserve, with_room};
use crate::base::stop::Stop;
use crate::store::heap::Store;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

/// Number of steps of work within builtins that count as a call.
pub(crate) const STEPS_A_CALL: u64 = 64;

/// The number of the host's budgets.
const HOST: i64 = 0;
/// The number of the budget for the cleanup goals of an interrupted query.
const INTERRUPTED: i64 = -1;

#[derive(Debug)]
struct OpenBudget {
    number: i64,
    amount: Amount,
    /// The number of shields around the budget. Within more shields it ends later.
    depth: usize,
    /// The end; `None` while its goal does not run.
    end: Option<End>,
    /// The amount left while it is paused.
    left: Option<Amount>,
    /// Whether the end of the budget has been reported.
    reported: bool,
}

impl OpenBudget {
    fn new(number: i64, amount: Amount) -> OpenBudget {
        OpenBudget {
            number,
            amount,
            depth: 0,
            end: None,
            left: None,
            reported: false,
        }
    }
}

/// A budget whose goal runs, with the first end of it and the budgets around it.
#[derive(Copy, Clone, Debug)]
struct Running {
    /// The place of the budget in `Budgets::open`.
    place: usize,
    /// The number of shields around the budget.
    depth: usize,
    /// The first end of the budgets within the same number of shields, and of those within fewer.
    own: Ends,
    outer: Ends,
}

impl Running {
    /// Returns the first end if there is no shield.
    fn ends(&self) -> Ends {
        self.own.first(self.outer)
    }

    /// Returns the first end within `depth` shields.
    fn ends_within(&self, depth: usize) -> Ends {
        if depth == 0 {
            self.ends()
        } else if depth > self.depth {
            self.ends().late()
        } else {
            self.own.first(self.outer.late())
        }
    }
}

/// All budgets of a machine.
#[derive(Debug, Default)]
pub(crate) struct Budgets {
    /// The open budgets, outer ones first, so ordered by number.
    open: Vec<OpenBudget>,
    /// The budgets whose goals run, outer ones first. Nested goals begin and end in this order.
    running: Vec<Running>,
    /// The time that the machine has waited for a person.
    waited: Duration,
    last: i64,
    timer: Option<Timer>,
    /// Whether the counter of calls has an end.
    counted: bool,
    /// The number of the first wait of the timer since the host's outermost budgets began.
    first_number: u64,
    /// The times at which the timer is to ring.
    awaited: Option<(Times, Times)>,
    /// Whether the counter of calls waits for an end that counts only within shields.
    late: bool,
    /// The counter of calls before the first call: see [`Budgets::inferences`].
    pub(crate) calls_base: u64,
    /// The limits of the depth of calls.
    pub(crate) depths: crate::machine::events::depth::Depths,
}

impl Budgets {
    /// Returns the place of the budget with this number, and the budget.
    fn find(&mut self, number: i64) -> Option<(usize, &mut OpenBudget)> {
        let place = self
            .open
            .binary_search_by_key(&number, |budget| budget.number)
            .ok()?;
        Some((place, &mut self.open[place]))
    }

    /// Adds the budget at this place to the running budgets. It is the innermost of them.
    fn run(&mut self, place: usize) {
        let Some(budget) = self.open.get(place) else {
            return;
        };
        let Some(end) = budget.end.map(Ends::of) else {
            return;
        };
        let (own, outer) = match self.running.last() {
            Some(last) if last.depth < budget.depth => (end, last.ends()),
            Some(last) => (end.first(last.own), last.outer),
            None => (end, Ends::NONE),
        };
        self.running.put_within(Running {
            place,
            depth: budget.depth,
            own,
            outer,
        });
    }

    /// Computes the running budgets again, because the ends of budgets have changed.
    fn settle(&mut self) {
        self.running.clear();
        for place in 0..self.open.len() {
            self.run(place);
        }
    }

    /// Marks the budget at this place as reported. The cleanup goals on the way get their time from now on, even if
    /// inner budgets have ended in the meantime.
    fn mark_reported(&mut self, place: usize, calls: u64) {
        let within = self.open.get_mut(place..).unwrap_or_default();
        if within.first().is_none_or(|budget| budget.reported) {
            return;
        }
        let now = now();
        for (index, budget) in within.iter_mut().enumerate() {
            budget.reported |= index == 0;
            budget.end = budget.end.map(|end| end.not_before(calls, now));
        }
        self.settle();
    }

    /// Returns the place of the innermost running budget.
    fn innermost(&self) -> Option<usize> {
        self.running.last().map(|running| running.place)
    }

    /// Returns the first ends without shields, and those that count within shields. `depth` is the present number of
    /// shields.
    fn first_ends(&self, depth: usize) -> (Ends, Ends) {
        let none = (Ends::NONE, Ends::NONE);
        self.running
            .last()
            .map_or(none, |last| (last.ends(), last.ends_within(depth.max(1))))
    }

    /// Returns the place of the outermost budget that is spent after `calls` calls, within `depth` shields.
    fn first_spent(&self, calls: u64, depth: usize) -> Option<usize> {
        let used = self.running.last()?.ends().used(calls);
        let outer = self
            .running
            .partition_point(|running| !running.ends_within(depth).have_come(used));
        Some(self.running.get(outer)?.place)
    }
}

/// A time that is paused while the machine waits for a person: the place and the number of its budget, and its end.
type PausedTime = (usize, i64, u64);

impl Budgets {
    /// Returns the number of calls made so far, computed from the counter of calls.
    #[inline]
    pub(in crate::machine) fn inferences(&self, calls: u64) -> u64 {
        calls.wrapping_sub(self.calls_base)
    }

    /// Reserves room for `more` budgets that may run.
    fn room_for(&mut self, more: usize) -> Result<(), Stop> {
        reserve(&mut self.open, more)?;
        reserve(&mut self.running, self.open.len() + more)
    }

    /// Opens a budget within `depth` shields and returns its number. Its goal does not run yet.
    pub(in crate::machine) fn open(&mut self, amount: Amount, depth: usize) -> Result<i64, Stop> {
        self.room_for(1)?;
        self.last += 1;
        let number = self.last;
        self.open.put(OpenBudget {
            depth,
            ..OpenBudget::new(number, amount)
        })?;
        Ok(number)
    }

    /// Starts the goal of a budget after `calls` calls. The whole amount is available from now on.
    pub(in crate::machine) fn start(&mut self, number: i64, calls: u64) {
        if let Some((place, budget)) = self.find(number) {
            budget.reported = false;
            budget.end = Some(End::of(budget.amount, calls, now));
            if self.innermost().is_none_or(|inner| inner < place) {
                self.run(place);
            } else {
                self.settle();
            }
        }
    }

    /// Makes a running budget end at the next call, after `calls` calls.
    pub(in crate::machine) fn shorten(&mut self, number: i64, calls: u64) {
        if let Some((_, budget)) = self.find(number) {
            budget.end = budget.end.map(|_| End::Calls(calls));
            self.settle();
        }
    }

    /// Suspends the goal of a budget.
    pub(in crate::machine) fn stop(&mut self, number: i64) {
        if let Some((place, budget)) = self.find(number) {
            let ran = budget.end.take().is_some();
            if self.innermost() == Some(place) {
                self.running.pop();
            } else if ran {
                self.settle();
            }
        }
    }

    /// Pauses the running budgets of the goals of a program and returns their numbers.
    pub(in crate::machine) fn pause(&mut self, calls: u64) -> Result<Vec<i64>, Stop> {
        let mut paused = with_room(self.open.len())?;
        let open = self.open.iter_mut();
        for budget in open.filter(|budget| budget.number > HOST) {
            if let Some(end) = budget.end.take() {
                budget.left = Some(end.left(calls));
                paused.put(budget.number)?;
            }
        }
        if !paused.is_empty() {
            self.settle();
        }
        Ok(paused)
    }

    /// Resumes paused budgets.
    pub(in crate::machine) fn resume(&mut self, numbers: &[i64], calls: u64) {
        for &number in numbers {
            if let Some((_, budget)) = self.find(number)
                && let Some(left) = budget.left.take()
            {
                budget.end = Some(End::of(left, calls, now));
            }
        }
        self.settle();
    }

    /// Pauses all times while the machine waits for a person. Returns the paused times.
    pub(in crate::machine) fn begin_waiting(&mut self) -> Result<Vec<PausedTime>, Stop> {
        let mut standing = Vec::new();
        for (place, budget) in self.open.iter_mut().enumerate() {
            if let Some(End::Time(end)) = budget.end {
                budget.end = None;
                standing.put((place, budget.number, end))?;
            }
        }
        if !standing.is_empty() {
            self.settle();
        }
        Ok(standing)
    }

    /// Resumes the paused times after the machine has waited.
    pub(in crate::machine) fn end_waiting(&mut self, standing: &[PausedTime], waited: Duration) {
        self.waited += waited;
        for &(place, number, end) in standing {
            if let Some(budget) = self.open.get_mut(place)
                && budget.number == number
            {
                let waited = u64::try_from(waited.as_nanos()).unwrap_or(u64::MAX);
                budget.end = Some(End::Time(end.saturating_add(waited)));
            }
        }
        if !standing.is_empty() {
            self.settle();
        }
    }

    /// Returns the time that the machine has waited for a person so far.
    pub(in crate::machine) fn waited(&self) -> Duration {
        self.waited
    }

    /// Closes a budget and those within it.
    pub(in crate::machine) fn close(&mut self, number: i64) {
        let outer = self.open.partition_point(|budget| budget.number < number);
        self.open.truncate(outer);
        while self.innermost().is_some_and(|inner| inner >= outer) {
            self.running.pop();
        }
    }

    /// Adds budgets of the host, which begin `now` and lie within those it already has. Returns the number of the
    /// host's earlier budgets, for [`Budgets::end_host`].
    pub(in crate::machine) fn begin_host(
        &mut self,
        amounts: impl Iterator<Item = Amount>,
        (calls, now): (u64, u64),
        bell: &Bell,
    ) -> Result<usize, Stop> {
        // The host limits at most three kinds.
        self.room_for(3)?;
        let hosts = self.hosts();
        if hosts.is_empty() {
            self.first_number = bell.next();
        }
        for (place, amount) in (hosts.end..).zip(amounts) {
            let budget = OpenBudget {
                end: Some(End::of(amount, calls, || now)),
                ..OpenBudget::new(HOST, amount)
            };
            self.open.put_at(place, budget)?;
        }
        self.settle();
        Ok(hosts.len())
    }

    /// Returns the places of the host's budgets.
    fn hosts(&self) -> Range<usize> {
        let place = |number| self.open.partition_point(|budget| budget.number < number);
        place(HOST)..place(HOST + 1)
    }

    /// Removes the budgets of the host except the outermost `outer`.
    pub(in crate::machine) fn end_host(&mut self, outer: usize) {
        let hosts = self.hosts();
        self.open
            .drain((hosts.start + outer).min(hosts.end)..hosts.end);
        self.settle();
    }

    /// Returns whether a limit of the host has ended the query. Only cleanup goals run then.
    pub(crate) fn host_is_spent(&self) -> bool {
        let hosts = |budget: &&OpenBudget| budget.number == HOST;
        let mut open = self.open.iter().filter(hosts);
        open.any(|budget| budget.reported)
    }

    /// Opens the budget of the cleanup goals of an interrupted query. They share a short time.
    pub(in crate::machine) fn begin_grace(&mut self) {
        let budget = OpenBudget {
            end: Some(End::Time(now())),
            reported: true,
            ..OpenBudget::new(INTERRUPTED, Amount::Time(Duration::ZERO))
        };
        // Without room, they have no time at all.
        if self.room_for(1).is_ok() && self.open.put_at(0, budget).is_ok() {
            self.settle();
        }
    }

    /// Returns whether the cleanup goals of an interrupted query have a budget.
    pub(crate) fn has_grace(&self) -> bool {
        let first = self.open.first();
        first.is_some_and(|budget| budget.number == INTERRUPTED)
    }

    /// Closes that budget, where the interrupt ends.
    pub(in crate::machine) fn end_grace(&mut self) {
        self.open.remove(0);
        self.settle();
    }

    /// Returns whether a budget is spent within `depth` shields, after `calls` calls.
    pub(in crate::machine) fn is_spent(&self, calls: u64, depth: usize) -> bool {
        self.first_spent(calls, depth).is_some()
    }

    /// Returns whether a change of the number of shields moves the next end. `shielded` says whether any shields are
    /// left.
    pub(in crate::machine) fn depend_on_shields(&self, shielded: bool) -> bool {
        let within_shields = |last: &Running| last.depth > 0;
        self.running.last().is_some_and(within_shields) || (self.late && !shielded)
    }

    /// Forgets all budgets, because no goal runs.
    pub(in crate::machine) fn clear(&mut self) {
        self.open.clear();
        self.running.clear();
        self.depths.clear();
    }

    /// Returns whether there is no budget.
    pub(in crate::machine) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// Returns the reason if a budget or interrupt has ended the query after `calls` calls, within `depth` shields.
    pub(in crate::machine) fn spend(&mut self, calls: u64, depth: usize) -> Option<Spent> {
        let place = self.first_spent(calls, depth)?;
        self.mark_reported(place, calls);
        let budget = self.open.get(place)?;
        Some(match budget.number {
            INTERRUPTED => Spent::Interrupted,
            number => Spent::Budget(number, budget.amount),
        })
    }

    /// Returns the number of calls that may still be made, if it is limited.
    pub(in crate::machine) fn calls_left(&self, calls: u64) -> Option<u64> {
        let ends = self.running.last()?.ends();
        ends.has_calls().then(|| ends.calls.saturating_sub(calls))
    }

    /// Returns whether a budget may be spent, according to the calls and the timer.
    pub(in crate::machine) fn may_be_spent(&self, calls: u64, bell: &Bell) -> bool {
        let spent =
            |last: &Running| bell.has_come_since(self.first_number) || calls > last.ends().calls;
        self.running.last().is_some_and(spent)
    }

    /// Sets the end of the counter of `calls` and of the steps of builtins to the first of these ends. The second
    /// ends count within shields.
    fn count(&mut self, calls: &mut u64, store: &Store, ends: (Ends, Ends)) {
        let made = self.inferences(*calls);
        let charged = made + charge(store);
        self.counted = ends.0.has_calls();
        let until = |ends: Ends| ends.calls.saturating_add(1).saturating_sub(charged).max(1);
        // The counter overflows at the call after the last allowed one.
        *calls = match (self.counted, self.late) {
            (false, _) => made,
            (true, false) => 0u64.wrapping_sub(until(ends.0)),
            (true, true) => 0u64.wrapping_sub(until(ends.1)),
        };
        self.calls_base = calls.wrapping_sub(made);
        let done = store.watch.steps_done();
        let steps = |ends| match self.counted {
            true => done.saturating_add(until(ends).saturating_mul(STEPS_A_CALL)),
            false => u64::MAX,
        };
        store.watch.allow_steps(steps(ends.0), steps(ends.1));
    }

    /// Makes the machine check when the next budget may be spent. Sets its counter of `calls`, the steps that
    /// builtins may do, and the timer. `depth` is the number of shields.
    ///
    /// # Errors
    /// Returns an error if the system provides no thread for the timer.
    pub(in crate::machine) fn arm(
        &mut self,
        calls: &mut u64,
        store: &Store,
        depth: usize,
    ) -> Result<(), NoTimer> {
        let (ends, late) = self.first_ends(depth);
        let time = ends
            .has_time()
            .then_some((Times::of(ends), Times::of(late)));
        store.events.watch.set_waits_for_time(time.is_some());
        self.late = depth > 0;
        if ends.has_calls() || self.counted {
            self.count(calls, store, (ends, late));
        }
        if time == self.awaited && !store.events.watch.time_has_come() {
            return Ok(());
        }
        self.awaited = None;
        let number = store.events.watch.bell.await_another();
        match (time, &self.timer) {
            (None, None) => {}
            (None, Some(timer)) => timer.clear(),
            (Some((time, late)), Some(timer)) => timer.set(time, late, number),
            (Some((time, late)), None) => {
                let timer = Timer::new(Arc::clone(&store.events)).ok_or(NoTimer)?;
                timer.set(time, late, number);
                self.timer = Some(timer);
            }
        }
        self.awaited = time;
        Ok(())
    }
}

/// The reason why a query was ended.
pub(in crate::machine) enum Spent {
    /// An interrupt, after the time for the cleanup goals.
    Interrupted,
    /// The budget of this number.
    Budget(i64, Amount),
}

/// The error that the system provides no thread for the timer.
pub(in crate::machine) struct NoTimer;

/// Returns the work of builtins on large terms and texts, as a number of calls.
pub(in crate::machine) fn charge(store: &Store) -> u64 {
    store.watch.steps_done() / STEPS_A_CALL
}
