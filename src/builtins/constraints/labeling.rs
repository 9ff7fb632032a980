//! Labeling: the search for values of variables over the integers.

use super::posting::{answer, variables_arg};
use crate::base::atom_table::atoms;
use crate::base::number::Number;
use crate::base::stop::Stop;
use crate::fd::number::{Large, Num};
use crate::fd::propagator::Vector;
use crate::fd::search::{Branching, Labeling, Order, Selection};
use crate::fd::{Fd, Halt, R};
use crate::machine::builtin::{Decision, NativeChoice, Past, Search, Selected, Step, builtins};
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::store::address::HeapAddr;
use crate::store::cell::Cell;
use crate::store::heap::{View, deref};
use crate::store::raw;

/// Returns the instantiation error for variables that cannot be labelled, with the reason.
fn unlabelled(m: &mut Machine, why: &str) -> Throw {
    m.throw_message(Cell::atom(atoms::INSTANTIATION_ERROR), Some(why))
}

/// Arguments of a search.
struct Labels {
    variables: Vector,
    labeling: Labeling,
    /// `none`, or a bound (`better(…)`), or a limit of failures (`left(…)`).
    bound: Cell,
    /// Least `Sign * Variable` that another machine has found.
    others: Option<i64>,
}

impl Labels {
    /// Reads the arguments of the builtin.
    #[inline(always)]
    fn of_args(m: &Machine) -> R<Labels> {
        let [variables, code, bound] = m.args();
        let code = if code.is_int() { code.int_value() } else { 0 };
        Ok(Labels {
            variables: Vector::of(variables)?,
            labeling: Labeling::of_code(code),
            bound: deref(bound),
            others: None,
        })
    }

    /// Returns the place of the variable of a decision.
    #[inline(always)]
    fn place(&self, number: i64) -> usize {
        let last = self.variables.len.saturating_sub(1);
        usize::try_from(number).unwrap_or(0).min(last)
    }

    /// Returns whether the next value of the variable at a place is tried without excluding the value before it.
    /// This is so if the branching tries values one by one. It is also so for the last open variable with a narrow
    /// domain, on which nothing else depends.
    #[inline(always)]
    fn tries_values(&self, fd: &Fd<'_>, place: usize) -> bool {
        let last = || {
            self.labeling.branching == Branching::Step
                && self.labeling.selection == Selection::Leftmost
                && (place + 1..self.variables.len).all(|later| !self.variables.get(later).is_var())
                && fd.is_narrow(self.variables.get(place))
        };
        self.labeling.order != Order::Random
            && (self.labeling.branching == Branching::Enum || last())
    }

    /// Requires the bounded variable to be better than every solution so far. The bound is `better(Variable, Sign,
    /// Found, Limit)`, where Found is `found(Value)` with the best value so far, that is, the least `Sign *
    /// Variable`.
    #[inline(always)]
    fn keep_bound(&self, fd: &mut Fd<'_>) -> R {
        match self.bound.is_atom() {
            true => Ok(()),
            false => self.keep_better(fd),
        }
    }

    #[inline(never)]
    fn keep_better(&self, fd: &mut Fd<'_>) -> R {
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
        let up = sign == Cell::int(1);
        if let Some(least) = self.others {
            let value = Large::of(if up { least } else { -least });
            Self::keep_than(fd, variable, up, &value)?;
        }
        let View::Struct(functor, at) = fd.store.view(found) else {
            return Ok(());
        };
        let value = fd.store.arg(at, 0);
        if functor.arity() != 1 || value.is_atom() {
            return Ok(());
        }
        let value = fd.integer::<Large>(value)?;
        Self::keep_than(fd, variable, up, &value)
    }

    /// Requires a variable to be less than a value, or greater.
    fn keep_than(fd: &mut Fd<'_>, variable: Cell, less: bool, value: &Large) -> R {
        match less {
            true => fd.set_max(variable, &value.before()?),
            false => fd.set_min(variable, &value.next()?),
        }
    }

    /// Repeats the decisions on the path to the part of the search that this machine works on.
    fn follow_path(&self, fd: &mut Fd<'_>, given: Vec<(Decision, bool)>) -> R {
        for ((number, value), made) in given {
            let x = self.variables.get(self.place(number));
            match made {
                true => fd.decide(x, value, self.labeling)?,
                false => fd.refute(x, value, self.labeling)?,
            }
        }
        fd.propagate()
    }

    /// Makes a decision and propagates it.
    fn decide(&self, fd: &mut Fd<'_>, (number, value): Decision) -> R {
        let x = self.variables.get(self.place(number));
        fd.decide(x, value, self.labeling)?;
        fd.propagate()
    }

    /// Selects the next decision if the variables before a place have values. After an undone decision it selects
    /// the alternative.
    fn next(&self, fd: &mut Fd<'_>, mut first: usize, undone: Option<Decision>) -> R<Next> {
        if let Some((number, value)) = undone {
            first = self.place(number);
            let x = self.variables.get(first);
            if self.tries_values(fd, first) {
                self.keep_bound(fd)?;
                fd.propagate()?;
                return match fd.next_choice(x, value, self.labeling.order)? {
                    Some((value, true)) => Ok(Next::Open((number, value))),
                    Some((value, false)) => Ok(Next::Forced((number, value))),
                    None => Err(Halt::Fail),
                };
            }
            fd.refute(x, value, self.labeling)?;
        }
        self.keep_bound(fd)?;
        fd.propagate()?;
        let Some(place) = fd.select(self.variables, self.labeling, first)? else {
            return Ok(Next::Nothing);
        };
        let value = fd.first_choice(self.variables.get(place), place, self.labeling)?;
        Ok(Next::Open((place as i64, value)))
    }

    /// Makes or undoes a decision, and returns the next one.
    fn go_on(&self, fd: &mut Fd<'_>, past: Past) -> R<Selected> {
        let (mut made, mut undone) = match past {
            Past::Nothing => (None, None),
            Past::Made(decision) => (Some(decision), None),
            Past::Undone(decision) => (None, Some(decision)),
        };
        loop {
            let mut first = 0;
            if let Some(decision) = made {
                self.decide(fd, decision)?;
                if fd.store.wake_pending {
                    return Ok(Selected::Woken);
                }
                first = self.place(decision.0);
            }
            match self.next(fd, first, undone.take())? {
                Next::Nothing => return Ok(Selected::Nothing),
                Next::Open(decision) => return Ok(Selected::Open(decision)),
                Next::Forced(decision) => made = Some(decision),
            }
        }
    }
}

/// Next decision of a search.
enum Next {
    /// No decision left.
    Nothing,
    /// Decision that has alternatives.
    Open(Decision),
    /// Decision without alternatives.
    Forced(Decision),
}

/// Returns the address of the number of failures that a search may still have: `left(Failures)`, alone or as the
/// last argument of a bound.
#[inline(always)]
fn failures_left(m: &Machine, bound: Cell) -> Option<HeapAddr> {
    match bound.is_atom() {
        true => None,
        false => failures_left_of(m, bound),
    }
}

#[inline(never)]
fn failures_left_of(m: &Machine, bound: Cell) -> Option<HeapAddr> {
    let View::Struct(functor, at) = m.store.view(bound) else {
        return None;
    };
    match functor.arity() {
        1 => Some(at),
        4 => failures_left_of(m, m.store.arg(at, 3)),
        _ => None,
    }
}

/// Subtracts `failures` from the number left. -1 takes one back at a solution: if the solution is refused later,
/// that counts as no failure. Returns false once the failures are used up. Backtracking does not change the number.
fn count_failures(m: &Machine, left: HeapAddr, failures: i64) -> bool {
    let number = m.store.arg(left, 0).int_value();
    if number >= 0 && failures != 0 {
        raw::set_cell(left, Cell::int(number - failures));
    }
    m.store.arg(left, 0).int_value() >= 0
}

/// Runs one step of a search. It counts a failure if a decision was undone, and takes one back at a solution.
fn search<T>(
    m: &mut Machine,
    undone: bool,
    work: impl FnOnce(&Labels, &mut Fd<'_>) -> R<T>,
    solved: fn(&T) -> bool,
) -> Result<Option<T>, Throw> {
    let Ok(mut labels) = Labels::of_args(m) else {
        return Ok(None);
    };
    let left = failures_left(m, labels.bound);
    if !labels.bound.is_atom() {
        labels.others = m.best_of_others();
    }
    if let Some(left) = left
        && !count_failures(m, left, i64::from(undone))
    {
        return Ok(None);
    }
    let mut fd = m.fd();
    let done = work(&labels, &mut fd);
    if done.is_err() {
        fd.forget();
    }
    if let (Some(left), Ok(done)) = (left, &done)
        && solved(done)
    {
        count_failures(m, left, -1);
    }
    answer(done)
}

/// Makes or undoes a decision, and selects the next one.
fn go_on(m: &mut Machine, past: Past) -> Result<Selected, Throw> {
    let given = match past {
        Past::Nothing => m.take_given_decisions()?,
        _ => Vec::new(),
    };
    let selected = search(
        m,
        matches!(past, Past::Undone(_)),
        |labels, fd| {
            if !given.is_empty() {
                labels.follow_path(fd, given)?;
                if fd.store.wake_pending {
                    return Ok(Selected::Woken);
                }
            }
            labels.go_on(fd, past)
        },
        |selected| matches!(selected, Selected::Nothing),
    )?;
    Ok(selected.unwrap_or(Selected::Fail))
}

/// Returns another value of the variable of a decision, and whether more values follow. Returns `None` if the
/// choice depends on more than this variable.
fn another(m: &mut Machine, (number, value): Decision) -> Option<(Cell, bool)> {
    let labels = Labels::of_args(m).ok()?;
    let place = labels.place(number);
    let fd = m.fd();
    if !labels.bound.is_atom() || !labels.tries_values(&fd, place) {
        return None;
    }
    fd.next_small_choice(labels.variables.get(place), value, labels.labeling.order)
}

/// Returns the number of solutions from here on, if all open variables are independent of each other.
fn solutions(m: &mut Machine) -> Option<Number> {
    let labels = Labels::of_args(m).ok()?;
    if !labels.bound.is_atom() {
        return None;
    }
    m.fd().independent_solutions(labels.variables)
}

/// Search of a labeling.
static LABELING: Search = Search {
    choice: NativeChoice::new(|_, _| Ok(Step::Fail)),
    go_on,
    another,
    solutions,
};

builtins! { LABELS =
    /// Makes `Vector` of variables that are to be labeled. Each must have a finite domain.
    library "$fd_labels"("+list", "-vector") = |m, [list, vector]| {
        if let View::Var(_) = m.store.view(list) {
            return Err(unlabelled(m, "the variables must be in a list, as in label([X])"));
        }
        let items = variables_arg(m, list)?;
        for &item in &items {
            if answer(m.fd().size::<Large>(item))? == Some(Large::SUP) {
                return Err(unlabelled(m, "a variable has no bounds; give it a domain, as in X in 0..9"));
            }
        }
        let made = answer(m.fd().new_vector(&items))?.ok_or(Stop)?;
        Ok(m.unify(vector, made)?)
    };

    /// Labels the variables of a vector. The number encodes selection, order, branching and seed. The last argument
    /// is one of:
    ///
    /// - `none`;
    /// - `left(Failures)`: the search ends when it has failed more than `Failures` times;
    /// - `better(Variable, Sign, found(Value), Left)`: the variable must be better than the value; `Left` is one of
    ///   the other two.
    library search "$fd_search"("+vector", "+integer", "+term") = |m, []| &LABELING;

    /// Stores `Value`, which is better than the best value so far, in `Found`, and reports it to other machines
    /// that search. `Sign` is 1 if less is better, else -1.
    library "$fd_improve"("+term", "+integer", "+integer") = |m, [found, sign, value]| {
        let View::Struct(_, at) = m.store.view(found) else {
            return Ok(false);
        };
        let kept = if value.is_simple() { value } else { m.lasting_copy(value, at)? };
        m.store.set_arg(at, kept, false)?;
        if value.is_int() {
            m.share_best(sign.int_value() * value.int_value());
        }
        Ok(true)
    };

    /// Makes one step of such a search, for a program that draws the search. `Number` and `Value` are the next
    /// decision. `Number` is -1 if no decision is left. `Open` is 1 if the decision has alternatives. `Number0` and
    /// `Value0` are the undone decision, or `Number0` is -1.
    library "$fd_select"("+vector", "+integer", "+term", "+integer", "?term", "-integer", "-term", "-integer") = |m, [_vector, _how, _bound, number0, value0, number, value, open]| {
        let number0 = m.i64_arg(number0)?;
        let undone = (number0 >= 0).then_some((number0, value0));
        let selected = search(
            m,
            undone.is_some(),
            |labels, fd| labels.next(fd, 0, undone),
            |next| matches!(next, Next::Nothing),
        )?;
        let ((next, tried), alternatives) = match selected {
            None => return Ok(false),
            Some(Next::Nothing) => ((-1, Cell::int(0)), 0),
            Some(Next::Open(decision)) => (decision, 1),
            Some(Next::Forced(decision)) => (decision, 0),
        };
        Ok(m.unify_int(number, next)? && m.unify(value, tried)? && m.unify_int(open, alternatives)?)
    };

    /// Makes a decision of such a search.
    library "$fd_decide"("+vector", "+integer", "+integer", "+term") = |m, [_vector, _how, number, value]| {
        let number = m.i64_arg(number)?;
        let decided = search(m, false, |labels, fd| labels.decide(fd, (number, value)), |()| false)?;
        Ok(decided.is_some())
    };

    /// Encodes the options of labeling as one number: numbers of selection, order and branching, and a seed.
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
