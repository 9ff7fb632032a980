//! Labeling: the search for values of variables over the integers.

use super::constraints::{answer, variables_arg};
use crate::base::number::Number;
use crate::base::stop::Stop;
use crate::fd::number::{Large, Num};
use crate::fd::propagator::Vector;
use crate::fd::search::{Branching, Labeling, Order, Selection};
use crate::fd::{Fd, Halt, R};
use crate::machine::builtin::{Decision, NativeChoice, Past, Search, Selected, Step, builtins};
use crate::machine::state::Machine;
use crate::machine::throw::Throw;
use crate::store::address::HeapAddr;
use crate::store::cell::Cell;
use crate::store::heap::{View, deref};
use crate::store::raw;

/// The variables of a search, how they are labeled, and what else is told of it.
struct Labels {
    variables: Vector,
    labeling: Labeling,
    /// `none`, or what is to be better, or a limit of failures.
    bound: Cell,
}

impl Labels {
    /// What the arguments of the builtin tell.
    #[inline(always)]
    fn of_args(m: &Machine) -> R<Labels> {
        let [variables, code, bound] = m.args();
        let code = if code.is_int() { code.int_value() } else { 0 };
        Ok(Labels {
            variables: Vector::of(variables)?,
            labeling: Labeling::of_code(code),
            bound: deref(bound),
        })
    }

    /// The place of the variable of a decision.
    #[inline(always)]
    fn place(&self, number: i64) -> usize {
        let last = self.variables.len.saturating_sub(1);
        usize::try_from(number).unwrap_or(0).min(last)
    }

    /// Whether another value of the variable at a place is tried without a word on the one before: because values are
    /// tried like that, or because nothing else depends on the last variable, of which a few are tried.
    #[inline(always)]
    fn tries_values(&self, fd: &Fd<'_>, place: usize) -> bool {
        let last = || {
            self.labeling.branching == Branching::Step
                && self.labeling.selection == Selection::Leftmost
                && (place + 1..self.variables.len).all(|later| !self.variables.get(later).is_var())
                && fd.bits(self.variables.get(place)).is_some()
        };
        self.labeling.order != Order::Random
            && (self.labeling.branching == Branching::Enum || last())
    }

    /// Keeps what is to be better than what has been found: `better(Variable, Sign, Found, Limit)`, where Found is
    /// `found(Value)` with the least value of `Sign * Variable` so far.
    fn keep_bound(&self, fd: &mut Fd<'_>) -> R {
        let View::Struct(functor, at) = fd.store.view(self.bound) else {
            return Ok(());
        };
        if functor.arity() < 3 {
            return Ok(());
        }
        let (variable, sign, found) = (
            fd.store.arg(at, 0),
            fd.store.arg(at, 1),
            fd.store.arg(at, 2),
        );
        let View::Struct(functor, at) = fd.store.view(found) else {
            return Ok(());
        };
        let value = fd.store.arg(at, 0);
        if functor.arity() != 1 || value.is_atom() {
            return Ok(());
        }
        let value = fd.integer::<Large>(value)?;
        match sign == Cell::int(1) {
            true => fd.set_max(variable, &value.before()?),
            false => fd.set_min(variable, &value.next()?),
        }
    }

    /// What is decided next, after a decision was made, or undone.
    fn go_on(&self, fd: &mut Fd<'_>, mut past: Past) -> R<Selected> {
        loop {
            let mut first = 0;
            match past {
                Past::Nothing => {}
                Past::Made((number, value)) => {
                    first = self.place(number);
                    fd.decide(self.variables.get(first), value, self.labeling)?;
                    fd.propagate()?;
                    if fd.store.wake_pending {
                        return Ok(Selected::Woken);
                    }
                }
                Past::Undone((number, value)) => {
                    first = self.place(number);
                    let x = self.variables.get(first);
                    if self.tries_values(fd, first) {
                        self.keep_bound(fd)?;
                        fd.propagate()?;
                        match fd.next_choice(x, value, self.labeling.order)? {
                            Some((value, true)) => return Ok(Selected::Open((number, value))),
                            Some((value, false)) => past = Past::Made((number, value)),
                            None => return Err(Halt::Fail),
                        }
                        continue;
                    }
                    fd.refute(x, value, self.labeling)?;
                }
            }
            self.keep_bound(fd)?;
            fd.propagate()?;
            let Some(place) = fd.select(self.variables, self.labeling, first)? else {
                return Ok(Selected::Nothing);
            };
            let value = fd.first_choice(self.variables.get(place), place, self.labeling)?;
            return Ok(Selected::Open((place as i64, value)));
        }
    }
}

/// Where the number of failures stands that a search may still have: `left(Failures)`, alone or as the last
/// argument of a bound.
fn failures_left(m: &Machine, bound: Cell) -> Option<HeapAddr> {
    let View::Struct(functor, at) = m.store.view(bound) else {
        return None;
    };
    match functor.arity() {
        1 => Some(at),
        4 => failures_left(m, m.store.arg(at, 3)),
        _ => None,
    }
}

/// Counts a failure, or takes one back: a solution that is refused afterwards was none. False if the failures are used
/// up, and then for good. Backtracking does not change the number.
fn count_failures(m: &Machine, left: HeapAddr, failures: i64) -> bool {
    let number = m.store.arg(left, 0).int_value();
    if number >= 0 && failures != 0 {
        raw::set_cell(left, Cell::int(number - failures));
    }
    m.store.arg(left, 0).int_value() >= 0
}

/// Makes a decision, or undoes it, and selects what is decided next.
fn go_on(m: &mut Machine, past: Past) -> Result<Selected, Throw> {
    let Ok(labels) = Labels::of_args(m) else {
        return Ok(Selected::Fail);
    };
    let left = failures_left(m, labels.bound);
    if let Some(left) = left
        && !count_failures(m, left, i64::from(matches!(past, Past::Undone(_))))
    {
        return Ok(Selected::Fail);
    }
    let mut fd = m.fd();
    let selected = labels.go_on(&mut fd, past);
    if selected.is_err() {
        fd.forget();
    }
    if let (Some(left), Ok(Selected::Nothing)) = (left, &selected) {
        count_failures(m, left, -1);
    }
    Ok(answer(selected)?.unwrap_or(Selected::Fail))
}

/// Another value of the variable of a decision, and whether it is not the last, where that is a matter of this variable
/// alone.
fn another(m: &mut Machine, (number, value): Decision) -> Option<(Cell, bool)> {
    let labels = Labels::of_args(m).ok()?;
    let place = labels.place(number);
    let fd = m.fd();
    if !labels.bound.is_atom() || !labels.tries_values(&fd, place) {
        return None;
    }
    fd.next_small_choice(labels.variables.get(place), value, labels.labeling.order)
}

/// The number of solutions from here on, where all that is open is independent of each other.
fn solutions(m: &mut Machine) -> Option<Number> {
    let labels = Labels::of_args(m).ok()?;
    if !labels.bound.is_atom() {
        return None;
    }
    m.fd().independent_solutions(labels.variables)
}

/// Labeling.
static LABELING: Search = Search {
    choice: NativeChoice::new(|_, _| Ok(Step::Fail)),
    go_on,
    another,
    solutions,
};

builtins! { LABELS =
    /// `Vector` holds variables that are to be labeled: each has a finite domain.
    library "$fd_labels"("+list", "-vector") = |m, [list, vector]| {
        let items = variables_arg(m, list)?;
        for &item in &items {
            if answer(m.fd().size::<Large>(item))? == Some(Large::SUP) {
                return Err(m.instantiation_error());
            }
        }
        let made = answer(m.fd().new_vector(&items))?.ok_or(Stop)?;
        Ok(m.unify(vector, made)?)
    };

    /// Labels the variables of a vector as a number says: selection, order, branching and seed. The last argument is
    /// `none`; or `left(Failures)`, and the search ends at the failure after so many; or
    /// `better(Variable, Sign, found(Value), Left)`: only where that variable is better than the value, where Left is one
    /// of the other two.
    library search "$fd_search"("+vector", "+integer", "+term") = |m, []| &LABELING;

    /// The number that tells how to label: numbers of selection, order and branching, and a seed.
    library "$fd_labeling"("+integer", "+integer", "+integer", "+integer", "-integer") = |m, [selection, order, branching, seed, code]| {
        let mut number = 0;
        for (part, shift) in [(selection, 0), (order, 3), (branching, 5)] {
            number |= (m.i64_arg(part)? & 7) << shift;
        }
        let seed = match m.integer_arg(seed)? {
            Number::Int(seed) => seed as u32,
            _ => 0,
        };
        let labeling = Labeling { seed, ..Labeling::of_code(number) };
        Ok(m.unify_int(code, labeling.code())?)
    };
}
