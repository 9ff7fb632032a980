//! Measures the progress of a search. The machine looks at its open choice points and reports their weight to the
//! [`gauge`](super::gauge). [`meter`](super::meter) and [`share`](super::share) compute the weights.
#![forbid(unsafe_code)]

use super::bags::Bag;
use super::gauge::Gauge;
use super::meter::{MOST_REGISTERS, Meter, Register, Seen};
use super::path::ALL;
use super::share::Place;
use crate::arith::compare::compare;
use crate::arith::mixed;
use crate::base::atom_table::atoms;
use crate::base::growth::Grow;
use crate::base::number::Number;
use crate::base::stop::Stop;
use crate::code::instruction::{Op, decode};
use crate::ir::key::CallKeys;
use crate::machine::frames::layout::{ChoiceKind, cp};
use crate::machine::state::Machine;
use crate::program::predicate::PredId;
use crate::store::address::{ChoiceAddr, CodeAddr, EnvAddr, HeapAddr};
use crate::store::cell::{Cell, WORD, tag};
use crate::store::heap::{View, deref};
use crate::store::list::ListShape;
use crate::store::raw;
use std::cmp::Ordering;
use std::sync::Arc;

/// Maximum number of open choice points or environments. If there are more, the machine does not look at them,
/// because that would take too long.
const MOST_LOOKED_AT: usize = 1 << 16;
/// Number of the oldest choice points that are weighed.
const MOST_WEIGHED: usize = 128;
/// Maximum number of branches, or of elements of a list, that are counted.
const MOST_BRANCHES: u64 = 1 << 12;

/// The measured collection of solutions: its choice point, and its number among the bags.
type Collection = (ChoiceAddr, usize);

impl Machine {
    /// Returns the gauge to which this machine reports. Creates one if there is none.
    ///
    /// # Errors
    /// Returns an error if memory runs out.
    pub(crate) fn gauge(&mut self) -> Result<Arc<Gauge>, Stop> {
        if let Some(meter) = &self.run.meter {
            return Ok(Arc::clone(&meter.gauge));
        }
        let gauge = Arc::new(Gauge::default());
        self.join_gauge(&gauge)?;
        Ok(gauge)
    }

    /// Makes the machine report to this gauge from now on.
    ///
    /// # Errors
    /// Returns an error if memory runs out.
    pub(crate) fn join_gauge(&mut self, gauge: &Arc<Gauge>) -> Result<(), Stop> {
        let machine = gauge.join(&self.store.events.watch)?;
        self.run.meter = Some(Box::new(Meter::new(Arc::clone(gauge), machine)));
        Ok(())
    }

    /// Returns the gauge for searches that are not within others, if progress is measured.
    pub(crate) fn own_gauge(&self) -> Option<Arc<Gauge>> {
        self.run
            .meter
            .as_ref()
            .map(|meter| Arc::clone(&meter.gauge))
    }

    /// Begins a part of this weight, in a search of several machines.
    pub(crate) fn begin_measured_part(&mut self, weight: f64) {
        if let Some(meter) = &mut self.run.meter {
            meter.begin_part(weight);
        }
    }

    /// Begins the goal of that part. The newest collection collects its solutions.
    pub(crate) fn enter_measured_part(&mut self) {
        let found = found(self.run.bags.last());
        if let Some(meter) = &mut self.run.meter {
            let rest = meter.share.rest();
            meter.gauge.report(meter.machine, found.clone(), rest);
            meter.found = found;
        }
    }

    /// Ends that part with this term as its result.
    pub(crate) fn end_measured_part(&mut self, result: Cell) {
        let Some(meter) = &mut self.run.meter else {
            return;
        };
        let found = meter
            .found
            .take()
            .and_then(|_| match self.store.view(result) {
                View::List(_) => match self.store.list_length(result) {
                    Ok(ListShape::Proper(length)) => Some(Number::from_big(length.into())),
                    _ => None,
                },
                _ => self.store.number(result).ok().flatten(),
            });
        meter.gauge.end_part(meter.machine, found);
    }

    /// Notes that this machine keeps only `left` branches of the choice point and has given the others away.
    pub(super) fn note_given(&mut self, b: ChoiceAddr, left: u32) {
        if let Some(meter) = &mut self.run.meter {
            meter.given = meter.share.give(b.bits(), left.into());
            let rest = meter.share.rest();
            meter.gauge.give_part(meter.machine, meter.given, rest);
        }
    }

    /// Returns the weight of the part that was given away last.
    pub(crate) fn take_given_weight(&mut self) -> f64 {
        let meter = self.run.meter.as_mut();
        meter.map_or(0.0, |meter| std::mem::take(&mut meter.given))
    }

    /// Reports the progress of the search if a report was requested. The environment is `e`; the other registers are
    /// up to date.
    pub(in crate::machine) fn measure_if_requested(&mut self, e: EnvAddr) {
        if self.store.watch.take_progress_request() {
            self.measure(e);
        }
    }

    /// Reports the progress of the search, if progress is measured.
    #[cold]
    #[inline(never)]
    pub(super) fn measure(&mut self, e: EnvAddr) {
        if let Some(mut meter) = self.run.meter.take() {
            // If memory runs out, the machine sends no report.
            let _ = self.measure_into(&mut meter, e);
            self.run.meter = Some(meter);
        }
    }

    fn measure_into(&mut self, meter: &mut Meter, e: EnvAddr) -> Result<(), Stop> {
        let Some((base, bag)) = self.measured_collection(meter.gauge.is_shared()) else {
            return Ok(());
        };
        let found = found(self.run.bags.get(bag));
        if !meter.gauge.is_shared() {
            let own = (
                base.bits(),
                base.get(cp::ENV).bits(),
                base.get(cp::CONT).bits(),
            );
            let less = match (&meter.found, &found) {
                (Some(before), Some(now)) => compare(now, before) == Some(Ordering::Less),
                _ => false,
            };
            if meter.base != Some(own) || less {
                meter.gauge.begin(false);
                meter.begin_part(1.0);
                meter.base = Some(own);
            }
        }
        if let Some(seen) = self.open_choices(base, e)? {
            meter.weigh(seen)?;
        }
        meter.found = found;
        let rest = meter.share.rest();
        meter.gauge.report(meter.machine, meter.found.clone(), rest);
        Ok(())
    }

    /// Returns the outermost collection of solutions, or the collection of the part that the machine searches.
    fn measured_collection(&self, shared: bool) -> Option<Collection> {
        if shared {
            let branches = self.all_branches().last()?;
            return branches
                .is_at_part()
                .then_some((branches.base, branches.bag));
        }
        if self.run.bags.is_empty() {
            return None;
        }
        let mut found = None;
        let mut at = self.choice;
        for _ in 0..MOST_LOOKED_AT {
            if at.get(cp::PREV) == at {
                break;
            }
            if self.choice_kind(at) == ChoiceKind::Collect {
                found = Some(at);
            }
            at = at.get(cp::PREV);
        }
        Some((found?, 0))
    }

    /// Returns the choice points of a search that no goal may cut, oldest first. Returns `None` if there are too
    /// many.
    fn open_choices(&mut self, base: ChoiceAddr, e: EnvAddr) -> Result<Option<Vec<Seen>>, Stop> {
        let mut all = Vec::new();
        let mut at = self.choice;
        while at > base {
            if all.len() == MOST_LOOKED_AT {
                return Ok(None);
            }
            all.put(at)?;
            at = at.get(cp::PREV);
        }
        // Bodies that run as terms seldom have cuts, so the weights ignore such cuts.
        let bodies = [
            CodeAddr::NONE..CodeAddr::NONE,
            CodeAddr::NONE..CodeAddr::NONE,
        ];
        let bounds = self.bounds(base, e, (bodies, MOST_LOOKED_AT))?;
        let mut open = Vec::new();
        for b in all.into_iter().rev() {
            if !bounds.allow(b)
                || open.len() == MOST_WEIGHED
                || self.choice_kind(b) == ChoiceKind::Collect
            {
                break;
            }
            if let Some(seen) = self.seen_choice(b) {
                open.put(seen)?;
            }
        }
        Ok(Some(open))
    }

    /// Describes a choice point. Returns `None` if its branches have no solutions of their own.
    fn seen_choice(&mut self, b: ChoiceAddr) -> Option<Seen> {
        let alternative = self.alternative(b);
        let op = decode(raw::word(alternative))?;
        let branching = self.is_branching(alternative) || op == Op::BetweenNext;
        if !branching {
            return None;
        }
        let (left, last) = self.branches_left(b, alternative);
        let own = self
            .all_branches()
            .flat_map(|branches| branches.taken.iter().rev());
        let mut own = own.filter(|taken| taken.choice == b);
        let end = own.next().map_or(ALL, |taken| {
            taken.step.end - taken.step.branch.min(taken.step.end)
        });
        let left = match end {
            ALL => left,
            end => Some(
                left.unwrap_or(u64::MAX)
                    .min(u64::from(end).saturating_sub(1)),
            ),
        };
        Some(Seen {
            place: Place {
                choice: b.bits(),
                goes_on: (b.get(cp::ENV).bits(), b.get(cp::CONT).bits()),
                last,
                variant: 0,
            },
            left,
            registers: self.registers_text(b),
            tops: (b.get(cp::HEAP).bits(), b.get(cp::TRAIL).bits()),
            collected: self.run.collector.collected_at,
        })
    }

    /// Returns the number of branches not yet taken, if known. The second number identifies the last branch.
    fn branches_left(&mut self, b: ChoiceAddr, alternative: CodeAddr) -> (Option<u64>, u64) {
        match self.choice_kind(b) {
            ChoiceKind::Plain => alternatives(alternative),
            ChoiceKind::Dynamic => self.clauses_left(b),
            _ => (self.native_branches(b), 0),
        }
    }

    /// Returns the number of clauses that a choice point of a dynamic predicate has not tried.
    fn clauses_left(&mut self, b: ChoiceAddr) -> (Option<u64>, u64) {
        let arity = self.choice_args(b) - 3;
        let number = |index| self.choice_arg(b, arity + index).int_value();
        let (which, position, generation) = (number(0), number(1), number(2) as u64);
        // A variable of the call may be bound by now, so no key selects clauses.
        let keys = CallKeys::new(0, HeapAddr::of_table(&self.x));
        let (mut at, mut left) = (position, 0);
        let id = PredId(which as u32);
        loop {
            left += 1;
            let selection = (which >> 32, &keys);
            let predicates = &mut self.world.predicates;
            match predicates.next_clause(id, selection, at, generation).1 {
                Some(next) if left < MOST_BRANCHES => at = next,
                Some(_) => return (None, 0),
                None => return (Some(left), 0),
            }
        }
    }

    fn registers_text(&self, b: ChoiceAddr) -> [Register; MOST_REGISTERS] {
        let count = self.choice_args(b);
        let mut shown = [Register::Other; MOST_REGISTERS];
        for (index, register) in shown.iter_mut().enumerate().take(count) {
            // A variable may be bound now and lose its value on backtracking.
            let cell = self.choice_arg(b, index);
            *register = match cell.tag() {
                tag::LST => length(cell).map_or(Register::Other, Register::List),
                _ if cell.is_int() => Register::Int(cell.int_value()),
                _ => Register::Other,
            };
        }
        shown
    }
}

/// Returns the number of solutions in a bag, if the bag knows it.
fn found(bag: Option<&Bag>) -> Option<Number> {
    match bag? {
        Bag::Count(found, others, _) => mixed::add(others, &Number::from_big((*found).into())).ok(),
        Bag::Terms(copies) => Some(Number::from_big(copies.len().into())),
        _ => None,
    }
}

/// Returns the number of alternatives from this one on, and the instruction of the last.
fn alternatives(mut at: CodeAddr) -> (Option<u64>, u64) {
    for number in 1..=MOST_BRANCHES {
        at = match decode(raw::word(at)) {
            Some(Op::Trust | Op::TrustElse) => return (Some(number), at.bits()),
            Some(Op::Retry) => at + 2 * WORD,
            Some(Op::RetryElse) => at.wrapping_add(raw::word(at + WORD).wrapping_mul(WORD)),
            _ => break,
        };
    }
    (None, 0)
}

/// Returns the length of a proper list, if it is not too long.
fn length(list: Cell) -> Option<u64> {
    let mut cell = list;
    for length in 0..MOST_BRANCHES {
        match cell.tag() {
            tag::LST => cell = deref(raw::cell(cell.addr() + WORD)),
            _ => return (cell == Cell::atom(atoms::NIL)).then_some(length),
        }
    }
    None
}
