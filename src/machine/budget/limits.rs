//! Budgets: how many calls a goal may make, and how long it may take.
//!
//! A budget has a number. Once it is spent an exception is raised that only the `catch/3` of whoever
//! opened it catches, `'$budget'(Number)`; where budgets lie within each other the outer one counts.
//! Those of the host nobody catches. While goals set up or clean up, the budgets within which they began
//! are spent a fixed amount later ([`shield`]); for those of a query that was interrupted there is
//! a budget that has ended already.
//!
//! Calls are counted in a register that overflows when the next budget is spent, so that counting
//! costs what it costs without. What builtins do on large terms and texts counts beside them: [`Watch`]
//! counts its steps, and so many of them are a call for budgets, though not for statistics. For time a
//! thread of the process tells the machine when it is up.
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

/// Steps of work within builtins that count as a call.
const STEPS_A_CALL: u64 = 64;

/// The number of the host's budgets.
const HOST: i64 = 0;
/// The number of that of the cleanup goals of a query that was interrupted.
const INTERRUPTED: i64 = -1;

#[derive(Debug)]
struct OpenBudget {
    number: i64,
    amount: Amount,
    /// How many shields it lies within: it is spent later where there are more.
    depth: usize,
    /// Nothing while its goal does not run.
    end: Option<End>,
    /// What is left of it while it stands still.
    left: Option<Amount>,
    /// Has it been told that it is spent?
    told: bool,
}

impl OpenBudget {
    fn new(number: i64, amount: Amount) -> OpenBudget {
        OpenBudget {
            number,
            amount,
            depth: 0,
            end: None,
            left: None,
            told: false,
        }
    }
}

/// A budget whose goal runs: which is spent first, it or one around it.
#[derive(Copy, Clone, Debug)]
struct Running {
    /// Where the budget is.
    place: usize,
    /// How many shields it lies within.
    depth: usize,
    /// The first end of those that lie within as many, and of those within fewer.
    own: Ends,
    outer: Ends,
}

impl Running {
    /// When the first is spent where there is no shield.
    fn ends(&self) -> Ends {
        self.own.first(self.outer)
    }

    /// The same within so many shields.
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
    /// Outer ones first, so by their numbers.
    open: Vec<OpenBudget>,
    /// Those whose goals run, outer ones first. Goals within each other begin and end in this order.
    running: Vec<Running>,
    /// How long the machine has waited for a person.
    waited: Duration,
    last: i64,
    timer: Option<Timer>,
    /// Does the counter of calls come to an end?
    counted: bool,
    /// The number of the first time that the timer was asked for since the host's outermost budgets began.
    first_number: u64,
    /// When the timer is to ring.
    awaited: Option<(Times, Times)>,
    /// Is the end of calls that the machine waits for one that counts within shields only?
    late: bool,
    /// What the counter of calls was before the first: see [`Budgets::inferences`].
    pub(crate) calls_base: u64,
    /// How deep goals may call one another.
    pub(crate) depths: crate::machine::events::depth::Depths,
}

impl Budgets {
    /// The budget of this number, and its place.
    fn find(&mut self, number: i64) -> Option<(usize, &mut OpenBudget)> {
        let place = self
            .open
            .binary_search_by_key(&number, |budget| budget.number)
            .ok()?;
        Some((place, &mut self.open[place]))
    }

    /// The goal of the budget at this place, within all that run, runs.
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

    /// The ends of budgets have changed.
    fn settle(&mut self) {
        self.running.clear();
        for place in 0..self.open.len() {
            self.run(place);
        }
    }

    /// It is told of the budget at this place that it is spent. Cleanup goals on the way have the
    /// time from now on, whatever has ended within it meanwhile.
    fn tell(&mut self, place: usize, calls: u64) {
        let within = self.open.get_mut(place..).unwrap_or_default();
        if within.first().is_none_or(|budget| budget.told) {
            return;
        }
        let now = now();
        for (index, budget) in within.iter_mut().enumerate() {
            budget.told |= index == 0;
            budget.end = budget.end.map(|end| end.not_before(calls, now));
        }
        self.settle();
    }

    /// Where the innermost of those is that run.
    fn innermost(&self) -> Option<usize> {
        self.running.last().map(|running| running.place)
    }

    /// The first ends where there is no shield, and those that count within shields, of which there are so
    /// many now.
    fn first_ends(&self, depth: usize) -> (Ends, Ends) {
        let none = (Ends::NONE, Ends::NONE);
        self.running
            .last()
            .map_or(none, |last| (last.ends(), last.ends_within(depth.max(1))))
    }

    /// Where the outermost budget is that is spent after so many calls, within so many shields.
    fn first_spent(&self, calls: u64, depth: usize) -> Option<usize> {
        let used = self.running.last()?.ends().used(calls);
        let outer = self
            .running
            .partition_point(|running| !running.ends_within(depth).have_come(used));
        Some(self.running.get(outer)?.place)
    }
}

/// A time that stands still while the machine waits for a person: the place and number of its budget,
/// and when it would have ended.
type Standing = (usize, i64, u64);

impl Budgets {
    /// Calls made so far, by the counter of calls.
    #[inline]
    pub(in crate::machine) fn inferences(&self, calls: u64) -> u64 {
        calls.wrapping_sub(self.calls_base)
    }

    /// Makes room for so many more, each of which may run.
    fn room_for(&mut self, more: usize) -> Result<(), Stop> {
        reserve(&mut self.open, more)?;
        reserve(&mut self.running, self.open.len() + more)
    }

    /// A new budget within so many shields, whose goal does not run yet: its number.
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

    /// The goal of a budget runs: it has the whole of it from now on, after so many calls.
    pub(in crate::machine) fn start(&mut self, number: i64, calls: u64) {
        if let Some((place, budget)) = self.find(number) {
            budget.told = false;
            budget.end = Some(End::of(budget.amount, calls, now));
            if self.innermost().is_none_or(|inner| inner < place) {
                self.run(place);
            } else {
                self.settle();
            }
        }
    }

    /// A budget whose goal runs is spent at the next call, after so many.
    pub(in crate::machine) fn shorten(&mut self, number: i64, calls: u64) {
        if let Some((_, budget)) = self.find(number) {
            budget.end = budget.end.map(|_| End::Calls(calls));
            self.settle();
        }
    }

    /// The goal of a budget does not run for the time being.
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

    /// Lets the budgets of the goals of a program stand still: gives the numbers of those that did not.
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

    /// Lets budgets go on that stand still.
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

    /// The machine waits for a person: the times that stand still.
    pub(in crate::machine) fn begin_waiting(&mut self) -> Result<Vec<Standing>, Stop> {
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

    /// It has waited so long.
    pub(in crate::machine) fn end_waiting(&mut self, standing: &[Standing], waited: Duration) {
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

    /// How long the machine has waited for a person so far.
    pub(in crate::machine) fn waited(&self) -> Duration {
        self.waited
    }

    /// A budget is not needed any more, nor are those within it.
    pub(in crate::machine) fn close(&mut self, number: i64) {
        let outer = self.open.partition_point(|budget| budget.number < number);
        self.open.truncate(outer);
        while self.innermost().is_some_and(|inner| inner >= outer) {
            self.running.pop();
        }
    }

    /// Adds what the host allows from `now` on, within what it allows already, until [`Budgets::end_host`] is told
    /// the number that this gives.
    pub(in crate::machine) fn begin_host(
        &mut self,
        amounts: impl Iterator<Item = Amount>,
        (calls, now): (u64, u64),
        bell: &Bell,
    ) -> Result<usize, Stop> {
        // It is limited in three ways at most.
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

    /// Where the budgets of the host are.
    fn hosts(&self) -> Range<usize> {
        let place = |number| self.open.partition_point(|budget| budget.number < number);
        place(HOST)..place(HOST + 1)
    }

    /// Forgets what the host allows within as many of its budgets as there were.
    pub(in crate::machine) fn end_host(&mut self, outer: usize) {
        let hosts = self.hosts();
        self.open
            .drain((hosts.start + outer).min(hosts.end)..hosts.end);
        self.settle();
    }

    /// Has a limit of the host's ended the query? Only cleanup goals run then.
    pub(crate) fn host_is_spent(&self) -> bool {
        let hosts = |budget: &&OpenBudget| budget.number == HOST;
        let mut open = self.open.iter().filter(hosts);
        open.any(|budget| budget.told)
    }

    /// The query was interrupted: its cleanup goals have a little time, all together.
    pub(in crate::machine) fn begin_grace(&mut self) {
        let budget = OpenBudget {
            end: Some(End::Time(now())),
            told: true,
            ..OpenBudget::new(INTERRUPTED, Amount::Time(Duration::ZERO))
        };
        // Without room it has no time at all.
        if self.room_for(1).is_ok() && self.open.put_at(0, budget).is_ok() {
            self.settle();
        }
    }

    /// Have cleanup goals of an interrupted query a budget?
    pub(crate) fn has_grace(&self) -> bool {
        let first = self.open.first();
        first.is_some_and(|budget| budget.number == INTERRUPTED)
    }

    /// The interrupt has come to where it ends.
    pub(in crate::machine) fn end_grace(&mut self) {
        self.open.remove(0);
        self.settle();
    }

    /// Is what may still be used up within so many shields spent, after so many calls?
    pub(in crate::machine) fn is_spent(&self, calls: u64, depth: usize) -> bool {
        self.first_spent(calls, depth).is_some()
    }

    /// Does a change of the number of shields, which are `shielded` if any are left, move the next end?
    pub(in crate::machine) fn depend_on_shields(&self, shielded: bool) -> bool {
        let within_shields = |last: &Running| last.depth > 0;
        self.running.last().is_some_and(within_shields) || (self.late && !shielded)
    }

    /// Forgets all budgets: no goal runs.
    pub(in crate::machine) fn clear(&mut self) {
        self.open.clear();
        self.running.clear();
        self.depths.clear();
    }

    /// Is there no budget?
    pub(in crate::machine) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// What has ended the query after so many calls, within so many shields, if anything has.
    pub(in crate::machine) fn spend(&mut self, calls: u64, depth: usize) -> Option<Spent> {
        let place = self.first_spent(calls, depth)?;
        self.tell(place, calls);
        let budget = self.open.get(place)?;
        Some(match budget.number {
            INTERRUPTED => Spent::Interrupted,
            number => Spent::Budget(number, budget.amount),
        })
    }

    /// How many more calls may be made, if that is limited.
    pub(in crate::machine) fn calls_left(&self, calls: u64) -> Option<u64> {
        let ends = self.running.last()?.ends();
        ends.has_calls().then(|| ends.calls.saturating_sub(calls))
    }

    /// May a budget be spent, as far as calls and the timer tell?
    pub(in crate::machine) fn may_be_spent(&self, calls: u64, bell: &Bell) -> bool {
        let spent =
            |last: &Running| bell.has_come_since(self.first_number) || calls > last.ends().calls;
        self.running.last().is_some_and(spent)
    }

    /// Has the counter of `calls` and the steps that builtins may do come to their end at the first of these ends, of
    /// which the second one counts within shields.
    fn count(&mut self, calls: &mut u64, store: &Store, ends: (Ends, Ends)) {
        let made = self.inferences(*calls);
        let charged = made + charge(store);
        self.counted = ends.0.has_calls();
        let until = |ends: Ends| ends.calls.saturating_add(1).saturating_sub(charged).max(1);
        // It overflows at the call after the last one.
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

    /// Makes the machine look when the next budget may be spent: sets its counter of `calls`, the steps that
    /// builtins may do, and the timer. `depth` is the number of shields.
    ///
    /// # Errors
    /// The system gives no thread that looks after the time.
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

/// What has ended a query.
pub(in crate::machine) enum Spent {
    /// An interrupt, after the time of its cleanup goals.
    Interrupted,
    /// The budget of this number.
    Budget(i64, Amount),
}

/// The system gives no thread that looks after the time.
pub(in crate::machine) struct NoTimer;

/// What builtins have done on large terms and texts, as calls.
pub(in crate::machine) fn charge(store: &Store) -> u64 {
    store.watch.steps_done() / STEPS_A_CALL
}
