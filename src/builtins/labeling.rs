//! Labeling of `library(clpfd)`: the search, and its steps for one who draws it.

use super::constraints::{answer, variables_arg};
use crate::base::number::Number;
use crate::base::stop::Stop;
use crate::fd::number::{Large, Num};
use crate::fd::propagator::Vector;
use crate::fd::search::{Branching, Labeling, Order, Selection};
use crate::fd::{Fd, Halt};
use crate::machine::builtin::{Decision, NativeChoice, Search, Selected, Step, builtins};
use crate::machine::state::Machine;
use crate::machine::throw::Throw;
use crate::store::address::HeapAddr;
use crate::store::cell::Cell;
use crate::store::heap::{View, deref};
use crate::store::raw;

/// The parts of the arguments of a search: variables, how, and a bound to be kept.
fn search_args(m: &Machine) -> Result<(Vector, Labeling), Halt> {
    let [variables, code, _] = m.args();
    let labeling = Labeling::of_code(if code.is_int() { code.int_value() } else { 0 });
    Ok((Vector::of(variables)?, labeling))
}

/// Keeps what is to be better than what has been found: `better(Variable, Sign, Found, Limit)`, where Found is
/// `found(Value)` with the least value of `Sign * Variable` so far.
fn keep_bound(fd: &mut Fd<'_>, bound: Cell) -> Result<(), Halt> {
    let bound = deref(bound);
    let View::Struct(functor, at) = fd.store.view(bound) else {
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

/// Selects what is to be decided next.
fn select(m: &mut Machine, undone: Option<Decision>) -> Result<Selected, Throw> {
    let [_, _, bound] = m.args();
    let left = failures_left(m, bound);
    if let Some(left) = left
        && !count_failures(m, left, i64::from(undone.is_some()))
    {
        return Ok(Selected::Fail);
    }
    let selected = select_within(m, bound, undone)?;
    if let (Some(left), Selected::Nothing) = (left, selected) {
        count_failures(m, left, -1);
    }
    Ok(selected)
}

fn select_within(
    m: &mut Machine,
    bound: Cell,
    undone: Option<Decision>,
) -> Result<Selected, Throw> {
    let selected = search_args(m).and_then(|(variables, labeling)| {
        let mut fd = m.fd();
        let selected = next_decision(&mut fd, variables, labeling, bound, undone);
        if selected.is_err() {
            fd.forget();
        }
        selected
    });
    Ok(answer(selected)?.unwrap_or(Selected::Fail))
}

fn next_decision(
    fd: &mut Fd<'_>,
    variables: Vector,
    labeling: Labeling,
    bound: Cell,
    undone: Option<Decision>,
) -> Result<Selected, Halt> {
    let mut first = 0;
    if let Some((number, value)) = undone {
        first = usize::try_from(number)
            .unwrap_or(0)
            .min(variables.len.saturating_sub(1));
        let x = variables.get(first);
        // Nothing else depends on the last variable: a few values of it are tried one after the other.
        let last = labeling.branching == Branching::Step
            && labeling.selection == Selection::Leftmost
            && fd.bits(x).is_some()
            && (first + 1..variables.len).all(|later| !variables.get(later).is_var());
        if (labeling.branching == Branching::Enum || last) && labeling.order != Order::Random {
            keep_bound(fd, bound)?;
            fd.propagate()?;
            return Ok(match fd.next_choice(x, value, labeling.order)? {
                Some((value, true)) => Selected::Open((number, value)),
                Some((value, false)) => Selected::Forced((number, value)),
                None => Selected::Fail,
            });
        }
        fd.refute(x, value, labeling)?;
    }
    keep_bound(fd, bound)?;
    fd.propagate()?;
    let Some(number) = fd.select(variables, labeling, first)? else {
        return Ok(Selected::Nothing);
    };
    let value = fd.first_choice(variables.get(number), number, labeling)?;
    Ok(Selected::Open((number as i64, value)))
}

/// Makes a decision.
fn decide(m: &mut Machine, (number, value): Decision) -> Result<bool, Throw> {
    let decided = search_args(m).and_then(|(variables, labeling)| {
        let x = variables.get(
            usize::try_from(number)
                .unwrap_or(0)
                .min(variables.len.saturating_sub(1)),
        );
        let mut fd = m.fd();
        let decided = fd.decide(x, value, labeling).and_then(|()| fd.propagate());
        if decided.is_err() {
            fd.forget();
        }
        decided
    });
    Ok(answer(decided)?.is_some())
}

/// Labeling.
static LABELING: Search = Search {
    choice: NativeChoice::new(|_, _| Ok(Step::Fail)),
    select,
    decide,
};

builtins! { SEARCH =
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

    /// One step of such a search, for one who draws it: `Number` and `Value` are the next decision, or `Number` is -1 where
    /// nothing is left to decide. `Open` is 1 if the decision has alternatives. `Number0` and `Value0` are the decision
    /// that was undone, or `Number0` is -1.
    library "$fd_select"("+vector", "+integer", "+term", "+integer", "?term", "-integer", "-term", "-integer") = |m, [_vector, _how, _bound, number0, value0, number, value, open]| {
        let number0 = m.i64_arg(number0)?;
        let undone = (number0 >= 0).then_some((number0, value0));
        let ((next, tried), alternatives) = match select(m, undone)? {
            Selected::Fail => return Ok(false),
            Selected::Nothing => ((-1, Cell::int(0)), 0),
            Selected::Open(decision) => (decision, 1),
            Selected::Forced(decision) => (decision, 0),
        };
        Ok(m.unify_int(number, next)? && m.unify(value, tried)? && m.unify_int(open, alternatives)?)
    };

    /// Makes a decision of such a search.
    library "$fd_decide"("+vector", "+integer", "+integer", "+term") = |m, [_vector, _how, number, value]| {
        let number = m.i64_arg(number)?;
        decide(m, (number, value))
    };

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
