//! Labeling: the choice of the next variable and of its value.

use super::domain::{Record, record};
use super::number::{Large, Num, Small, widening};
use super::propagator::{Propagator, Vector};
use super::set::INTERVAL;
use super::variable::{FIRST_LIST, LISTS, subscribers_at};
use super::work::{Fd, R};
use crate::base::atom_table::atoms;
use crate::base::growth::{Gather, Grow};
use crate::base::number::Number;
use crate::base::stop::Stop;
use crate::store::cell::{Cell, WORD, tag};
use crate::store::heap::deref;
use crate::store::raw;

/// Width of a domain of few values.
const FEW: i64 = 64;

/// The rule that selects the next variable.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Selection {
    /// The first.
    Leftmost,
    /// One with the smallest domain.
    FirstFail,
    /// Of those with the smallest domain, one with the most propagators.
    MostConstrained,
    /// One with the least lower bound.
    Smallest,
    /// One with the greatest upper bound.
    Largest,
    /// Any, at random.
    Random,
}

/// The order in which the values of a variable are tried.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// Ascending.
    Up,
    /// Descending.
    Down,
    /// Any, at random.
    Random,
}

/// The form of a decision.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Branching {
    /// The variable has a value, or it does not.
    Step,
    /// The variable has one of the values of its domain.
    Enum,
    /// The variable has a value in one half of its domain.
    Bisect,
}

/// The options of labeling.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Labeling {
    pub(crate) selection: Selection,
    pub(crate) order: Order,
    pub(crate) branching: Branching,
    /// Seed of random choices.
    pub(crate) seed: u32,
}

impl Labeling {
    /// Returns the number that encodes the options.
    pub(crate) fn code(self) -> i64 {
        self.selection as i64
            | (self.order as i64) << 3
            | (self.branching as i64) << 5
            | i64::from(self.seed) << 7
    }

    /// Decodes a number into options.
    pub(crate) fn of_code(code: i64) -> Labeling {
        Labeling {
            selection: match code & 7 {
                1 => Selection::FirstFail,
                2 => Selection::MostConstrained,
                3 => Selection::Smallest,
                4 => Selection::Largest,
                5 => Selection::Random,
                _ => Selection::Leftmost,
            },
            order: match code >> 3 & 3 {
                1 => Order::Down,
                2 => Order::Random,
                _ => Order::Up,
            },
            branching: match code >> 5 & 3 {
                1 => Branching::Enum,
                2 => Branching::Bisect,
                _ => Branching::Step,
            },
            seed: (code >> 7) as u32,
        }
    }
}

/// Returns a pseudorandom number that depends only on the arguments (Steele, Lea, Flood, "Fast splittable
/// pseudorandom number generators", 2014).
fn mixed(a: u64, b: u64) -> u64 {
    let mut z = a.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ b.wrapping_add(0x6a09_e667_f3bc_c909);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

impl Fd<'_> {
    /// Returns the number of the next variable to be decided. `first` is a number before which all variables are
    /// known.
    pub(crate) fn select(
        &mut self,
        variables: Vector,
        labeling: Labeling,
        first: usize,
    ) -> R<Option<usize>> {
        match labeling.selection {
            Selection::Leftmost => {
                Ok((first..variables.len).find(|&index| variables.get(index).is_var()))
            }
            Selection::Random => {
                let open = variables.iter().filter(|x| x.is_var()).count() as u64;
                if open == 0 {
                    return Ok(None);
                }
                let nth = mixed(u64::from(labeling.seed), open) % open;
                let mut numbers = (0..variables.len).filter(|&index| variables.get(index).is_var());
                Ok(numbers.nth(nth as usize))
            }
            _ => widening!(N => self.best::<N>(variables, labeling.selection)),
        }
    }

    fn best<N: Num>(&self, variables: Vector, selection: Selection) -> R<Option<usize>> {
        let mut best: Option<(N, i64, usize)> = None;
        for index in 0..variables.len {
            let x = variables.get(index);
            if !x.is_var() {
                continue;
            }
            let measure = match selection {
                Selection::Smallest => self.min(x)?,
                Selection::Largest => self.max::<N>(x)?.neg()?,
                _ => self.size(x)?,
            };
            if let Some((least, most_waiting, _)) = &best {
                if measure > *least {
                    continue;
                }
                if measure == *least
                    && (selection != Selection::MostConstrained || self.degree(x) <= *most_waiting)
                {
                    continue;
                }
            }
            let waiting = match selection {
                Selection::MostConstrained => self.degree(x),
                _ => 0,
            };
            best = Some((measure, waiting, index));
        }
        Ok(best.map(|(_, _, index)| index))
    }

    /// Returns the number of propagators that wait for a variable and have something to do.
    pub(crate) fn degree(&self, x: Cell) -> i64 {
        let Some(record) = record(deref(x)) else {
            return 0;
        };
        waiting(record).filter(|p| p.kind_number() != 0).count() as i64
    }

    /// Returns the propagators that wait for a variable and have something to do, newest first. Omits those that were
    /// returned since [`Queue::begin_report`](super::queue::Queue::begin_report).
    pub(crate) fn unreported(&mut self, x: Cell) -> Result<Vec<Propagator>, Stop> {
        let mut found = Vec::new();
        let Some(record) = record(deref(x)) else {
            return Ok(found);
        };
        let mark = self.queue.report() << 1;
        for propagator in waiting(record) {
            if propagator.kind_number() != 0 && propagator.flags() != mark {
                propagator.set_flags(mark);
                found.put(propagator)?;
            }
        }
        Ok(found)
    }

    /// Returns the value, or the bound of a half, to be tried first for the variable of this number.
    pub(crate) fn first_choice(&mut self, x: Cell, number: usize, labeling: Labeling) -> R<Cell> {
        widening!(N => self.first_choice_of::<N>(x, number, labeling))
    }

    fn first_choice_of<N: Num>(&mut self, x: Cell, number: usize, labeling: Labeling) -> R<Cell> {
        let (low, high) = self.bounds::<N>(x)?;
        let value = match (labeling.branching, labeling.order) {
            (Branching::Bisect, _) => {
                let middle = low.add(&high)?.div_trunc(&N::of(2), self.store)?;
                if middle == high {
                    middle.before()?
                } else {
                    middle
                }
            }
            (_, Order::Up) => low,
            (_, Order::Down) => high,
            (_, Order::Random) => {
                let size = self.size::<N>(x)?;
                let bits = mixed(u64::from(labeling.seed), number as u64) >> 4;
                let mut nth = match size.small() {
                    Some(size) => (bits % size as u64) as i64,
                    None => bits as i64,
                };
                let mut value = low;
                for (from, to) in self.ranges::<N>(x)? {
                    let width = to.sub(&from)?.small().unwrap_or(i64::MAX);
                    if nth <= width {
                        value = from.add(&N::of(nth))?;
                        break;
                    }
                    nth -= width + 1;
                }
                value
            }
        };
        value.cell(self.store)
    }

    /// Decides that a variable has a value, or lies in the first half.
    pub(crate) fn decide(&mut self, x: Cell, value: Cell, labeling: Labeling) -> R {
        widening!(N => self.decide_by::<N>(x, value, labeling))
    }

    fn decide_by<N: Num>(&mut self, x: Cell, value: Cell, labeling: Labeling) -> R {
        let value = self.integer::<N>(deref(value))?;
        match (labeling.branching, labeling.order) {
            (Branching::Bisect, Order::Down) => self.set_min(x, &value.next()?),
            (Branching::Bisect, _) => self.set_max(x, &value),
            _ => self.assign(x, &value),
        }
    }

    /// Imposes the opposite of a decision.
    pub(crate) fn refute(&mut self, x: Cell, value: Cell, labeling: Labeling) -> R {
        widening!(N => self.refute_by::<N>(x, value, labeling))
    }

    fn refute_by<N: Num>(&mut self, x: Cell, value: Cell, labeling: Labeling) -> R {
        let value = self.integer::<N>(deref(value))?;
        match (labeling.branching, labeling.order) {
            (Branching::Bisect, Order::Down) => self.set_max(x, &value),
            (Branching::Bisect, _) => self.set_min(x, &value.next()?),
            _ => self.remove(x, &value),
        }
    }

    /// Returns the value of a variable after one that was tried, and whether there are more.
    pub(crate) fn next_choice(
        &mut self,
        x: Cell,
        value: Cell,
        order: Order,
    ) -> R<Option<(Cell, bool)>> {
        widening!(N => self.next_choice_of::<N>(x, value, order))
    }

    /// Returns whether a term has few values, so that they are tried one by one.
    #[inline(always)]
    pub(crate) fn is_narrow(&self, x: Cell) -> bool {
        record(deref(x))
            .and_then(Record::small_bounds)
            .is_some_and(|(low, high)| high - low < FEW)
    }

    /// Returns the value after one that was tried, and whether there are more; `None` if that takes more than a few
    /// instructions.
    #[inline(always)]
    pub(crate) fn next_small_choice(
        &self,
        x: Cell,
        value: Cell,
        order: Order,
    ) -> Option<(Cell, bool)> {
        let record = record(deref(x))?;
        let (low, high) = record.small_bounds()?;
        let value = deref(value);
        if order == Order::Down || !value.is_int() || value.int_value() >= high {
            return None;
        }
        let next = match record.set() {
            INTERVAL => value.int_value() + 1,
            _ => self.next_value(x, &Small(value.int_value())).ok()??.0,
        };
        (next >= low).then(|| (Cell::int(next), next < high))
    }

    fn next_choice_of<N: Num>(
        &mut self,
        x: Cell,
        value: Cell,
        order: Order,
    ) -> R<Option<(Cell, bool)>> {
        match self.next_value_of::<N>(x, value, order)? {
            Some((next, more)) => Ok(Some((next.cell(self.store)?, more))),
            None => Ok(None),
        }
    }

    #[inline(always)]
    fn next_value_of<N: Num>(&self, x: Cell, value: Cell, order: Order) -> R<Option<(N, bool)>> {
        let value = self.integer::<N>(deref(value))?;
        let (low, high) = self.bounds::<N>(x)?;
        if order != Order::Down {
            let next = self.next_value(x, &value)?;
            return Ok(next.map(|next| {
                let more = next != high;
                (next, more)
            }));
        }
        let ranges = self.ranges::<N>(x)?;
        let Some((_, to)) = ranges.iter().rev().find(|(from, _)| *from < value) else {
            return Ok(None);
        };
        let next = to.clone().min(value.before()?);
        let more = next != low;
        Ok(Some((next, more)))
    }

    /// Returns the number of assignments of values to variables that no propagator or goal waits for: the product of
    /// the sizes of their domains.
    pub(crate) fn independent_solutions(&self, variables: Vector) -> Option<Number> {
        if !variables.iter().all(|x| self.is_free(x)) {
            return None;
        }
        let mut open: Vec<Cell> = variables.iter().filter(|x| x.is_var()).gather().ok()?;
        open.sort_unstable_by_key(|x| x.addr());
        open.dedup();
        let mut product = Large::of(1);
        for x in open {
            let size = self.size::<Large>(x).ok()?;
            product = product.mul(&size, self.store).ok()?;
        }
        match product {
            Large::Val(number) => Some(number),
            _ => None,
        }
    }

    /// Returns whether nothing waits for changes of this term.
    fn is_free(&self, x: Cell) -> bool {
        if !x.is_var() {
            return true;
        }
        let Some(record) = record(x) else {
            return false;
        };
        if raw::cell(record.slot + WORD) != Cell::atom(atoms::NIL) {
            return false;
        }
        !waiting(record).any(Propagator::is_alive)
    }
}

/// Returns the propagators that wait for a variable, newest first.
fn waiting(record: Record) -> impl Iterator<Item = Propagator> {
    let at = subscribers_at(record.subscribers());
    let lists = at.into_iter().flat_map(|at| {
        LISTS
            .iter()
            .map(move |(_, list)| raw::cell(at + FIRST_LIST + list * WORD))
    });
    lists.flat_map(|mut list| {
        std::iter::from_fn(move || {
            let pair = (list.tag() == tag::LST).then(|| list.addr())?;
            list = deref(raw::cell(pair + WORD));
            Some(Propagator::of(raw::cell(pair)))
        })
        .flatten()
    })
}
