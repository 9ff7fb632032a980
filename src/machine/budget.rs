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
//! thread of its own tells the machine when it is up.
//!
//! [`Watch`]: crate::base::watch::Watch
//! [`shield`]: super::shield

use super::state::Machine;
use super::throw::{Ball, Throw};
use super::timer::{Timer, Wanted};
use crate::base::grow::Grow;
use crate::base::watch::GRACE_TIME;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Steps of work within builtins that count as a call.
const STEPS_A_CALL: u64 = 64;

/// What a budget is of.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Resource {
    /// Calls.
    Inferences,
    /// Time on the clock.
    Time,
}

/// How much.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Amount {
    /// So many calls.
    Inferences(u64),
    /// So much time.
    Time(Duration),
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
struct Budget {
    number: i64,
    amount: Amount,
    /// How many shields it lies within: it is spent later where there are more.
    depth: usize,
    /// Nothing while its goal does not run.
    end: Option<End>,
    /// What is left of it while it stands still.
    left: Option<Amount>,
    /// Does it stand still while the machine waits for a person?
    patient: bool,
    /// Has it been told that it is spent?
    told: bool,
}

impl Budget {
    fn new(number: i64, amount: Amount) -> Budget {
        Budget {
            number,
            amount,
            depth: 0,
            end: None,
            left: None,
            patient: false,
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
    open: Vec<Budget>,
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
    /// What [`Machine::calls`] was before the first: see [`Machine::inferences`].
    pub(crate) calls_base: u64,
    /// How deep goals may call one another.
    pub(super) depths: super::depth::Depths,
}

impl Budgets {
    /// The budget of this number, and its place.
    fn find(&mut self, number: i64) -> Option<(usize, &mut Budget)> {
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
        self.running.put(Running {
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
        let now = Instant::now();
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
    fn spent(&self, calls: u64, depth: usize) -> Option<usize> {
        let now = self.running.last()?.ends().time.map(|_| Instant::now());
        let outer = self
            .running
            .partition_point(|running| !running.ends_within(depth).have_come(calls, now));
        Some(self.running.get(outer)?.place)
    }
}

impl Machine {
    /// Calls made so far.
    #[inline]
    pub(crate) fn inferences(&self) -> u64 {
        self.calls.wrapping_sub(self.run.budgets.calls_base)
    }

    /// The same with what builtins have done, as calls.
    pub(crate) fn charged(&self) -> u64 {
        self.inferences() + self.store.watch.steps_done() / STEPS_A_CALL
    }

    /// A new budget, whose goal does not run yet: its number.
    pub(crate) fn open_budget(&mut self, amount: Amount) -> i64 {
        self.add_budget(amount, false)
    }

    /// The same of a query of a session: it stands still while the session waits.
    pub(crate) fn open_patient_budget(&mut self, amount: Amount) -> i64 {
        self.add_budget(amount, true)
    }

    fn add_budget(&mut self, amount: Amount, patient: bool) -> i64 {
        self.run.budgets.last += 1;
        let number = self.run.budgets.last;
        self.run.budgets.open.put(Budget {
            patient,
            depth: self.run.shields.len(),
            ..Budget::new(number, amount)
        });
        number
    }

    /// The goal of a budget runs: it has the whole of it from now on.
    ///
    /// # Errors
    /// A system error if there is no thread that looks after the time.
    pub(crate) fn start_budget(&mut self, number: i64) -> Result<(), Throw> {
        let now = self.charged();
        if let Some((place, budget)) = self.run.budgets.find(number) {
            budget.told = false;
            budget.end = end_of(budget.amount, now);
            if self
                .run
                .budgets
                .innermost()
                .is_none_or(|inner| inner < place)
            {
                self.run.budgets.run(place);
            } else {
                self.run.budgets.settle();
            }
        }
        self.arm()
    }

    /// The goal of a budget does not run for the time being.
    pub(crate) fn stop_budget(&mut self, number: i64) {
        if let Some((place, budget)) = self.run.budgets.find(number) {
            let ran = budget.end.take().is_some();
            if self.run.budgets.innermost() == Some(place) {
                self.run.budgets.running.pop();
            } else if ran {
                self.run.budgets.settle();
            }
        }
        self.rearm();
    }

    /// Lets budgets stand still, those of the goals of a program or only the patient ones: gives the
    /// numbers of those that did not.
    pub(crate) fn pause_budgets(&mut self, patient: bool) -> Vec<i64> {
        let calls = self.charged();
        let mut paused = Vec::new();
        let open = self.run.budgets.open.iter_mut();
        for budget in open.filter(|budget| budget.number > HOST && (budget.patient || !patient)) {
            if let Some(end) = budget.end.take() {
                budget.left = Some(left_until(end, calls));
                paused.put(budget.number);
            }
        }
        if !paused.is_empty() {
            self.run.budgets.settle();
            self.rearm();
        }
        paused
    }

    /// Does something that a person is waited for in: no time passes for the budgets meanwhile.
    pub(crate) fn while_waiting<T>(&mut self, work: impl FnOnce(&mut Machine) -> T) -> T {
        let mut standing = Vec::new();
        for (place, budget) in self.run.budgets.open.iter_mut().enumerate() {
            if let Some(End::Time(end)) = budget.end {
                budget.end = None;
                standing.put((place, budget.number, end));
            }
        }
        if !standing.is_empty() {
            self.run.budgets.settle();
            self.rearm();
        }
        let start = Instant::now();
        let result = work(self);
        let waited = start.elapsed();
        self.run.budgets.waited += waited;
        for &(place, number, end) in &standing {
            if let Some(budget) = self.run.budgets.open.get_mut(place)
                && budget.number == number
            {
                budget.end = end.checked_add(waited).map(End::Time);
            }
        }
        if !standing.is_empty() {
            self.run.budgets.settle();
            self.rearm();
        }
        result
    }

    /// How long the machine has waited for a person so far.
    pub(crate) fn time_waited(&self) -> Duration {
        self.run.budgets.waited
    }

    /// Lets budgets go on that stand still.
    ///
    /// # Errors
    /// As [`Machine::start_budget`].
    pub(crate) fn resume_budgets(&mut self, numbers: &[i64]) -> Result<(), Throw> {
        if numbers.is_empty() {
            return Ok(());
        }
        let calls = self.charged();
        for &number in numbers {
            if let Some((_, budget)) = self.run.budgets.find(number)
                && let Some(left) = budget.left.take()
            {
                budget.end = end_of(left, calls);
            }
        }
        self.run.budgets.settle();
        self.arm()
    }

    /// A budget is not needed any more, nor are those within it.
    pub(crate) fn close_budget(&mut self, number: i64) {
        let outer = self
            .run
            .budgets
            .open
            .partition_point(|budget| budget.number < number);
        self.run.budgets.open.truncate(outer);
        while self
            .run
            .budgets
            .innermost()
            .is_some_and(|inner| inner >= outer)
        {
            self.run.budgets.running.pop();
        }
        self.rearm();
    }

    /// Sets what the host allows, until [`Machine::end_host_budget`].
    ///
    /// # Errors
    /// As [`Machine::start_budget`].
    pub(crate) fn begin_host_budget(&mut self, amounts: &[Amount]) -> Result<(), Throw> {
        let now = self.charged();
        for &amount in amounts.iter().rev() {
            let budget = Budget {
                end: end_of(amount, now),
                ..Budget::new(HOST, amount)
            };
            self.run.budgets.open.insert(0, budget);
        }
        self.run.budgets.settle();
        self.arm()
    }

    /// Forgets what the host allows.
    pub(crate) fn end_host_budget(&mut self) {
        self.run.budgets.open.retain(|budget| budget.number != HOST);
        self.run.budgets.settle();
        self.rearm();
    }

    /// Has a limit of the host's ended the query? Only cleanup goals run then.
    pub(crate) fn host_budget_is_spent(&self) -> bool {
        let hosts = |budget: &&Budget| budget.number == HOST;
        let mut open = self.run.budgets.open.iter().filter(hosts);
        open.any(|budget| budget.told)
    }

    /// The query was interrupted: its cleanup goals have a little time, all together.
    pub(crate) fn begin_grace(&mut self) {
        if self.has_grace() {
            return;
        }
        let budget = Budget {
            end: Some(End::Time(Instant::now())),
            told: true,
            ..Budget::new(INTERRUPTED, Amount::Time(Duration::ZERO))
        };
        self.run.budgets.open.insert(0, budget);
        self.run.budgets.settle();
        // Without a thread that looks after the time another interrupt has to.
        let _ = self.arm();
    }

    /// Have cleanup goals of an interrupted query a budget?
    pub(crate) fn has_grace(&self) -> bool {
        let first = self.run.budgets.open.first();
        first.is_some_and(|budget| budget.number == INTERRUPTED)
    }

    /// The interrupt has come to where it ends.
    pub(crate) fn end_grace(&mut self) {
        if self.has_grace() {
            self.run.budgets.open.remove(0);
            self.run.budgets.settle();
            self.rearm();
        }
    }

    /// Is what cleanup goals might still use up of a budget spent, too? Each would end as it begins.
    pub(super) fn grace_is_over(&self) -> bool {
        let depth = self.run.shields.len() + 1;
        self.run.budgets.spent(self.charged(), depth).is_some()
    }

    /// There are more shields now, or fewer.
    pub(super) fn shields_changed(&mut self) {
        let shielded = !self.run.shields.is_empty();
        self.store.watch.shield(shielded);
        let budgets = &self.run.budgets;
        let within_shields = |last: &Running| last.depth > 0;
        if budgets.running.last().is_some_and(within_shields) || (budgets.late && !shielded) {
            self.rearm();
        }
        let watch = &self.store.watch;
        if watch.stop_wanted() || watch.is_interrupted() {
            watch.look_at_next_call();
        }
    }

    /// Forgets all budgets: no goal runs.
    pub(crate) fn forget_budgets(&mut self) {
        self.run.budgets.open.clear();
        self.run.budgets.running.clear();
        self.run.budgets.depths.clear();
        self.rearm();
    }

    /// Makes the machine look when the next budget may be spent.
    fn arm(&mut self) -> Result<(), Throw> {
        let depth = self.run.shields.len();
        let (ends, late) = self.run.budgets.first_ends(depth);
        let time = ends.time.map(|time| (time, late.time.unwrap_or(time)));
        self.store.events.watch.set_waits_for_time(time.is_some());
        let (made, charged) = (self.inferences(), self.charged());
        let until = |end: u64| end.saturating_add(1).saturating_sub(charged).max(1);
        self.run.budgets.late = depth > 0;
        let calls = if depth > 0 { late.calls } else { ends.calls };
        let left = calls.map(until);
        // It overflows at the call after the last one.
        self.calls = left.map_or(made, |left| 0u64.wrapping_sub(left));
        self.run.budgets.calls_base = self.calls.wrapping_sub(made);
        let done = self.store.watch.steps_done();
        let steps = |end: Option<u64>| {
            end.map_or(u64::MAX, |end| {
                done.saturating_add(until(end).saturating_mul(STEPS_A_CALL))
            })
        };
        let (allowed, allowed_late) = (steps(ends.calls), steps(late.calls));
        self.store.watch.allow_steps(allowed, allowed_late);
        // To wake the thread of the timer up costs more than all the rest.
        if time == self.run.budgets.awaited && !self.store.events.watch.time_has_come() {
            return Ok(());
        }
        self.run.budgets.awaited = None;
        let number = self.store.events.watch.await_another();
        match (time, &self.run.budgets.timer) {
            (None, None) => {}
            (None, Some(timer)) => timer.set(Wanted::Nothing),
            (Some((time, late)), Some(timer)) => timer.set(Wanted::At(time, late, number)),
            (Some((time, late)), None) => {
                let Some(timer) = Timer::new(Arc::clone(&self.store.events)) else {
                    return Err(
                        self.system_error("the system gives no thread, which limits of time need")
                    );
                };
                timer.set(Wanted::At(time, late, number));
                self.run.budgets.timer = Some(timer);
            }
        }
        self.run.budgets.awaited = time;
        Ok(())
    }

    /// The same where the timer is there if one is needed.
    fn rearm(&mut self) {
        let armed = self.arm();
        debug_assert!(armed.is_ok(), "no timer is made for fewer budgets");
    }

    /// The exception of a budget that is spent.
    pub(crate) fn spent_budget(&mut self) -> Option<Throw> {
        if self.run.budgets.open.is_empty() {
            return None;
        }
        let calls = self.charged();
        let throw = self
            .run
            .budgets
            .spent(calls, self.run.shields.len())
            .and_then(|place| {
                self.run.budgets.tell(place, calls);
                let budget = self.run.budgets.open.get(place)?;
                let resource = match budget.amount {
                    Amount::Inferences(_) => Resource::Inferences,
                    Amount::Time(_) => Resource::Time,
                };
                Some(Throw::new(match budget.number {
                    INTERRUPTED => Ball::Aborted,
                    number => Ball::Spent(number, resource),
                }))
            });
        self.rearm();
        throw
    }
}

/// What is left until then.
fn left_until(end: End, calls: u64) -> Amount {
    match end {
        End::Calls(end) => Amount::Inferences(end.saturating_sub(calls)),
        End::Time(end) => Amount::Time(end.saturating_duration_since(Instant::now())),
    }
}

fn end_of(amount: Amount, calls: u64) -> Option<End> {
    match amount {
        Amount::Inferences(count) => Some(End::Calls(calls.saturating_add(count))),
        // A time that no clock will tell is none.
        Amount::Time(time) => Instant::now().checked_add(time).map(End::Time),
    }
}
