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

use super::timer::{Timer, now};
use crate::base::growth::{Grow, GrowAt, Within, reserve, with_room};
use crate::base::stop::Stop;
use crate::base::watch::GRACE_TIME;
use crate::store::heap::Store;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Steps of work within builtins that count as a call.
const STEPS_A_CALL: u64 = 64;

/// How much.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Amount {
    /// So many calls.
    Inferences(u64),
    /// So much time.
    Time(Duration),
}

/// What work may use up, or has used up; without a limit where nothing is said.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct Budget {
    /// Time in which the machine runs.
    pub(crate) time: Option<Duration>,
    /// Calls.
    pub(crate) inferences: Option<u64>,
}

impl Budget {
    /// Returns what is left of it, as far as it is limited, the outer amount first, when `spent` is used up.
    pub(crate) fn amounts(self, spent: Budget) -> impl Iterator<Item = Amount> {
        let (used, calls) = (
            spent.time.unwrap_or_default(),
            spent.inferences.unwrap_or(0),
        );
        let inferences = self
            .inferences
            .map(|all| Amount::Inferences(all.saturating_sub(calls)));
        let time = self.time.map(|all| Amount::Time(all.saturating_sub(used)));
        inferences.into_iter().chain(time)
    }

    /// Adds what was used up.
    pub(crate) fn add(&mut self, time: Duration, inferences: u64) {
        *self.time.get_or_insert_default() += time;
        *self.inferences.get_or_insert(0) += inferences;
    }
}

/// What goals that set up or clean up may still use up when a budget is spent; of time it is
/// [`GRACE_TIME`].
const GRACE_INFERENCES: u64 = 100_000;
/// The number of the host's budgets.
const HOST: i64 = 0;
/// The number of that of the cleanup goals of a query that was interrupted.
const INTERRUPTED: i64 = -1;

/// When a budget is spent.
#[derive(Copy, Clone, Debug)]
enum End {
    Calls(u64),
    Time(Instant),
}

/// The first of several of these.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
struct Ends {
    calls: Option<u64>,
    time: Option<Instant>,
}

impl Ends {
    fn of(end: End) -> Ends {
        match end {
            End::Calls(calls) => Ends {
                calls: Some(calls),
                time: None,
            },
            End::Time(time) => Ends {
                calls: None,
                time: Some(time),
            },
        }
    }

    /// The first of these and others.
    fn first(self, other: Ends) -> Ends {
        Ends {
            calls: self.calls.into_iter().chain(other.calls).min(),
            time: self.time.into_iter().chain(other.time).min(),
        }
    }

    /// The same for goals that set up or clean up.
    fn late(self) -> Ends {
        Ends {
            calls: self.calls.map(|end| end.saturating_add(GRACE_INFERENCES)),
            time: self.time.and_then(|end| end.checked_add(GRACE_TIME)),
        }
    }

    /// Has one come, after so many calls?
    fn have_come(self, calls: u64, now: Option<Instant>) -> bool {
        self.calls.is_some_and(|end| calls > end)
            || self.time.zip(now).is_some_and(|(end, now)| now >= end)
    }
}

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
    /// When the timer is to ring.
    awaited: Option<(Instant, Instant)>,
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
            None => (end, Ends::default()),
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
            budget.end = match budget.end {
                Some(End::Calls(end)) => Some(End::Calls(end.max(calls))),
                Some(End::Time(end)) => Some(End::Time(end.max(now))),
                None => None,
            };
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
        self.running.last().map_or_else(Default::default, |last| {
            (last.ends(), last.ends_within(depth.max(1)))
        })
    }

    /// Where the outermost budget is that is spent after so many calls, within so many shields.
    fn first_spent(&self, calls: u64, depth: usize) -> Option<usize> {
        let now = self.running.last()?.ends().time.map(|_| now());
        let outer = self
            .running
            .partition_point(|running| !running.ends_within(depth).have_come(calls, now));
        Some(self.running.get(outer)?.place)
    }
}

/// A time that stands still while the machine waits for a person: the place and number of its budget,
/// and when it would have ended.
type Standing = (usize, i64, Instant);

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
            budget.end = end_of(budget.amount, calls);
            if self.innermost().is_none_or(|inner| inner < place) {
                self.run(place);
            } else {
                self.settle();
            }
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
                budget.left = Some(left_until(end, calls));
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
                budget.end = end_of(left, calls);
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
                budget.end = end.checked_add(waited).map(End::Time);
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

    /// Sets what the host allows, until [`Budgets::end_host`].
    pub(in crate::machine) fn begin_host(
        &mut self,
        amounts: impl Iterator<Item = Amount>,
        calls: u64,
    ) -> Result<(), Stop> {
        // It is limited in two ways at most.
        self.room_for(2)?;
        for (place, amount) in amounts.enumerate() {
            let budget = OpenBudget {
                end: end_of(amount, calls),
                ..OpenBudget::new(HOST, amount)
            };
            self.open.put_at(place, budget)?;
        }
        self.settle();
        Ok(())
    }

    /// Forgets what the host allows.
    pub(in crate::machine) fn end_host(&mut self) {
        self.open.retain(|budget| budget.number != HOST);
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
        let time = ends.time.map(|time| (time, late.time.unwrap_or(time)));
        store.events.watch.set_waits_for_time(time.is_some());
        let made = self.inferences(*calls);
        let charged = made + charge(store);
        let until = |end: u64| end.saturating_add(1).saturating_sub(charged).max(1);
        self.late = depth > 0;
        let end = if depth > 0 { late.calls } else { ends.calls };
        let left = end.map(until);
        // It overflows at the call after the last one.
        *calls = left.map_or(made, |left| 0u64.wrapping_sub(left));
        self.calls_base = calls.wrapping_sub(made);
        let done = store.watch.steps_done();
        let steps = |end: Option<u64>| {
            end.map_or(u64::MAX, |end| {
                done.saturating_add(until(end).saturating_mul(STEPS_A_CALL))
            })
        };
        let (allowed, allowed_late) = (steps(ends.calls), steps(late.calls));
        store.watch.allow_steps(allowed, allowed_late);
        if time == self.awaited && !store.events.watch.time_has_come() {
            return Ok(());
        }
        self.awaited = None;
        let number = store.events.watch.await_another();
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

/// What is left until then.
fn left_until(end: End, calls: u64) -> Amount {
    match end {
        End::Calls(end) => Amount::Inferences(end.saturating_sub(calls)),
        End::Time(end) => Amount::Time(end.saturating_duration_since(now())),
    }
}

fn end_of(amount: Amount, calls: u64) -> Option<End> {
    match amount {
        Amount::Inferences(count) => Some(End::Calls(calls.saturating_add(count))),
        // A time that no clock will tell is none.
        Amount::Time(time) => now().checked_add(time).map(End::Time),
    }
}
