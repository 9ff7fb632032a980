//! Truth values and constraints that hold if they are 1.
//!
//! A constraint that may or may not hold is a propagator that waits for nothing: see [`holds`] and [`Fd::impose`].

use crate::base::atom_table::atoms;
use crate::base::growth::{Grow, with_room};
use crate::fd::kinds::Kinds;
use crate::fd::number::{Large, Num, Small};
use crate::fd::propagator::{Propagator, Vector};
use crate::fd::set::{complement, intersection};
use crate::fd::variable::Wait;
use crate::fd::work::{Fd, Halt, R};
use crate::store::cell::Cell;
use crate::store::heap::deref;

/// Returns `true` if a constraint holds for all values that are left, `false` if for none.
fn holds<N: Num>(fd: &Fd<'_>, constraint: Propagator) -> R<Option<bool>> {
    if constraint.kind_number() == Kinds::Member as usize {
        return is_within::<N>(fd, constraint);
    }
    let [coefficients, variables, state] = constraint.args()?;
    let (coefficients, variables) = (Vector::of(coefficients)?, Vector::of(variables)?);
    let rest = fd.integer::<N>(Vector::of(state)?.get(1))?;
    let (mut least, mut greatest) = (N::of(0), N::of(0));
    for index in 0..variables.len {
        let a = fd.integer::<N>(coefficients.get(index))?;
        let (low, high) = fd.bounds::<N>(variables.get(index))?;
        let (low, high) = (low.mul(&a, fd.store)?, high.mul(&a, fd.store)?);
        let (low, high) = if a.sign().is_ge() {
            (low, high)
        } else {
            (high, low)
        };
        least = if least.is_finite() {
            least.add(&low)?
        } else {
            least
        };
        greatest = if greatest.is_finite() {
            greatest.add(&high)?
        } else {
            greatest
        };
    }
    let equal = match () {
        () if rest < least || rest > greatest => Some(false),
        () if least == greatest => Some(true),
        () if variables.len == 2 => never_equal::<N>(fd, coefficients, variables, &rest)?,
        () => None,
    };
    Ok(match constraint.kind_number() {
        kind if kind == Kinds::LinearAtMost as usize => match () {
            () if greatest <= rest => Some(true),
            () if least > rest => Some(false),
            () => None,
        },
        kind if kind == Kinds::LinearEqual as usize => equal,
        _ => equal.map(|equal| !equal),
    })
}

/// Compares two variables whose sum or difference is to be a constant. Returns `false` if no two values fit. Returns
/// whether the constant is zero if the difference is that of a variable and itself.
fn never_equal<N: Num>(
    fd: &Fd<'_>,
    coefficients: Vector,
    variables: Vector,
    rest: &N,
) -> R<Option<bool>> {
    let (a, b) = (coefficients.int(0), coefficients.int(1));
    if a.abs() != 1 || b.abs() != 1 {
        return Ok(None);
    }
    let (x, y) = (variables.get(0), variables.get(1));
    let rest = if a == 1 { rest.clone() } else { rest.neg()? };
    if x != y
        && let (Some(of_x), Some(of_y), Some(rest)) = (fd.bits(x), fd.bits(y), rest.small())
    {
        let of_y = match a == b {
            true => super::binary::mirrored(of_y.0, of_y.1, rest),
            false => (of_y.0 + rest, of_y.1),
        };
        return Ok((common_bits(of_x, of_y) == 0).then_some(false));
    }
    if a == b {
        let mut mirrored = Vec::new();
        for (low, high) in fd.ranges::<N>(y)?.iter().rev() {
            mirrored.put((rest.sub(high)?, rest.sub(low)?))?;
        }
        let common = intersection(&fd.ranges::<N>(x)?, &mirrored)?;
        return Ok(common.is_empty().then_some(false));
    }
    // x - y = rest
    if x == y {
        return Ok(Some(rest.is_zero()));
    }
    let mut shifted = fd.ranges::<N>(y)?;
    for (low, high) in &mut shifted {
        (*low, *high) = (low.add(&rest)?, high.add(&rest)?);
    }
    let common = intersection(&fd.ranges::<N>(x)?, &shifted)?;
    Ok(common.is_empty().then_some(false))
}

/// Returns the intervals of a constraint that a variable is in a set.
fn intervals<N: Num>(fd: &Fd<'_>, constraint: Propagator) -> R<(Cell, Vec<(N, N)>)> {
    let [x, set] = constraint.args()?;
    let set = Vector::of(set)?;
    let mut ranges = with_room(set.len / 2)?;
    for pair in 0..set.len / 2 {
        let low = N::of_cell(fd.store, set.get(2 * pair))?;
        ranges.put((low, N::of_cell(fd.store, set.get(2 * pair + 1))?))?;
    }
    Ok((x, ranges))
}

/// Returns the common values of two sets of bits, as bits of the first.
fn common_bits((base, bits): (i64, u64), (other_base, other): (i64, u64)) -> u64 {
    let other = match other_base - base {
        away @ 0..64 => other << away,
        away @ -63..0 => other >> -away,
        _ => 0,
    };
    bits & other
}

/// Returns whether all values of a variable are in a set, or none. Works if the values are close together and the set
/// has machine words. Returns `None` in other cases.
fn bits_within(fd: &Fd<'_>, constraint: Propagator) -> R<Option<Option<bool>>> {
    let [x, set] = constraint.args()?;
    let set = Vector::of(set)?;
    let Some((base, bits)) = fd.bits(x) else {
        return Ok(None);
    };
    let mut within = 0;
    for pair in 0..set.len / 2 {
        let (low, high) = (set.get(2 * pair), set.get(2 * pair + 1));
        let bound = |cell: Cell| match cell.is_int() {
            true => Some((cell.int_value() - base).clamp(-1, 64)),
            false if cell == Cell::atom(atoms::INF) => Some(-1),
            false if cell == Cell::atom(atoms::SUP) => Some(64),
            false => None,
        };
        let (Some(low), Some(high)) = (bound(low), bound(high)) else {
            return Ok(None);
        };
        if low < 64 && high >= 0 {
            within |= u64::MAX << low.max(0) & u64::MAX >> (63 - high.min(63));
        }
    }
    Ok(Some(match bits & within {
        0 => Some(false),
        all if all == bits => Some(true),
        _ => None,
    }))
}

fn is_within<N: Num>(fd: &Fd<'_>, constraint: Propagator) -> R<Option<bool>> {
    if let Some(known) = bits_within(fd, constraint)? {
        return Ok(known);
    }
    let (x, ranges) = intervals::<N>(fd, constraint)?;
    if let [(low, high)] = &ranges[..] {
        let (least, most) = fd.bounds::<N>(x)?;
        if *low <= least && most <= *high {
            return Ok(Some(true));
        }
        if *low > most || *high < least {
            return Ok(Some(false));
        }
        if low == high {
            return Ok((!fd.contains(x, low)?).then_some(false));
        }
    }
    let own = fd.ranges::<N>(x)?;
    let common = intersection(&own, &ranges)?;
    Ok(match () {
        () if common.is_empty() => Some(false),
        () if common == own => Some(true),
        () => None,
    })
}

/// Restricts X to a set, one interval after the other.
pub(crate) fn member<N: Num>(fd: &mut Fd<'_>, p: Propagator) -> R {
    let (x, ranges) = intervals::<N>(fd, p)?;
    fd.kill(p)?;
    fd.restrict(x, &ranges)
}

/// Propagates that B is 1 if a constraint holds and 0 if its negation does. B may be either if the constraint is
/// undefined.
pub(crate) fn reified<N: Num>(fd: &mut Fd<'_>, p: Propagator) -> R {
    let [b, constraint, defined] = p.args()?;
    if fd.value::<Small>(defined)? == Some(Small(0)) {
        fd.kill(p)?;
        return match b.is_var() {
            true => fd.assign(b, &N::of(0)),
            false => Ok(()),
        };
    }
    let constraint = Propagator::of(constraint).ok_or(Halt::Fail)?;
    if let Some(truth) = fd.value::<N>(b)? {
        fd.kill(p)?;
        return fd.impose(constraint, !truth.is_zero());
    }
    match holds::<N>(fd, constraint)? {
        Some(truth) => {
            fd.kill(p)?;
            fd.assign(b, &N::of(i64::from(truth)))
        }
        None => Ok(()),
    }
}

/// Posts the constraint if B is 1. If B is 0, sets its last argument, which no longer matters, to 0.
pub(crate) fn implied<N: Num>(fd: &mut Fd<'_>, p: Propagator) -> R {
    let [b, constraint] = p.args()?;
    let constraint = Propagator::of(constraint).ok_or(Halt::Fail)?;
    let Some(truth) = fd.value::<N>(b)? else {
        return Ok(());
    };
    fd.kill(p)?;
    match truth.is_zero() {
        true => fd.assign(constraint.arg(constraint.count() - 1)?, &N::of(0)),
        false => fd.start_function(constraint),
    }
}

/// Propagates that B is 1 if all conditions are, else 0.
pub(crate) fn and<N: Num>(fd: &mut Fd<'_>, p: Propagator) -> R {
    junction::<N>(fd, p, 1)
}

/// Propagates that B is 0 if all conditions are, else 1.
pub(crate) fn or<N: Num>(fd: &mut Fd<'_>, p: Propagator) -> R {
    junction::<N>(fd, p, 0)
}

/// Propagates that B has the value `neutral` if all conditions have it, else the other value.
fn junction<N: Num>(fd: &mut Fd<'_>, p: Propagator, neutral: i64) -> R {
    let [b, conditions] = p.args()?;
    let conditions = Vector::of(conditions)?;
    let result = fd.value::<Small>(b)?.map(|value| value.0);
    if result == Some(neutral) {
        fd.kill(p)?;
        return conditions
            .iter()
            .try_for_each(|condition| fd.assign(condition, &N::of(neutral)));
    }
    let mut open = None;
    for condition in conditions.iter() {
        match fd.value::<Small>(condition)? {
            Some(Small(value)) if value == neutral => {}
            Some(_) => {
                fd.kill(p)?;
                return fd.assign(b, &N::of(1 - neutral));
            }
            // Two conditions are open, or one and the result.
            None if open.is_some_and(|open| open != condition) => return Ok(()),
            None => open = Some(condition),
        }
    }
    match (open, result) {
        (None, _) => {
            fd.kill(p)?;
            fd.assign(b, &N::of(neutral))
        }
        (Some(condition), Some(result)) => {
            fd.kill(p)?;
            fd.assign(condition, &N::of(result))
        }
        (Some(_), None) => Ok(()),
    }
}

/// Propagates that B is 1 if P is 0 or Q is 1, else 0.
pub(crate) fn implies<N: Num>(fd: &mut Fd<'_>, p: Propagator) -> R {
    let [from, to, b] = p.args()?;
    let values = [
        fd.value::<Small>(from)?,
        fd.value::<Small>(to)?,
        fd.value::<Small>(b)?,
    ];
    match values.map(|value| value.map(|value| value.0)) {
        [Some(0), _, _] | [_, Some(1), _] => fd.assign(b, &N::of(1)),
        [Some(_), Some(_), _] => fd.assign(b, &N::of(0)),
        [_, _, Some(0)] => {
            fd.assign(from, &N::of(1))?;
            fd.assign(to, &N::of(0))
        }
        [Some(_), None, Some(_)] => fd.assign(to, &N::of(1)),
        [None, Some(_), Some(_)] => fd.assign(from, &N::of(0)),
        _ if from == to => fd.assign(b, &N::of(1)),
        _ => Ok(()),
    }
}

/// Propagates that C is 1 if one of A and B is 1 and the other 0, else 0.
pub(crate) fn xor<N: Num>(fd: &mut Fd<'_>, p: Propagator) -> R {
    let [a, b, c] = p.args()?;
    let values = [
        fd.value::<Small>(a)?,
        fd.value::<Small>(b)?,
        fd.value::<Small>(c)?,
    ];
    match values.map(|value| value.map(|value| value.0)) {
        [Some(a), Some(b), _] => fd.assign(c, &N::of(a ^ b)),
        [Some(a), _, Some(c)] => fd.assign(b, &N::of(a ^ c)),
        [_, Some(b), Some(c)] => fd.assign(a, &N::of(b ^ c)),
        _ if a == b => fd.assign(c, &N::of(0)),
        _ if a == c => fd.assign(b, &N::of(0)),
        _ if b == c => fd.assign(a, &N::of(0)),
        _ => Ok(()),
    }
}

impl Fd<'_> {
    /// Posts a constraint that has waited, or its negation.
    pub(crate) fn impose(&mut self, constraint: Propagator, holds: bool) -> R {
        if constraint.kind_number() == Kinds::Member as usize {
            let (x, ranges) = intervals::<Large>(self, constraint)?;
            let ranges = if holds { ranges } else { complement(&ranges)? };
            return self.restrict(x, &ranges);
        }
        let [coefficients, variables, state] = constraint.args()?;
        let rest = Vector::of(state)?.get(1);
        let (coefficients, variables) = (Vector::of(coefficients)?, Vector::of(variables)?);
        let kind = match (constraint.kind_number(), holds) {
            (kind, true) if kind == Kinds::LinearEqual as usize => Some(Kinds::LinearEqual),
            (kind, false) if kind == Kinds::LinearEqual as usize => Some(Kinds::LinearDifferent),
            (kind, true) if kind == Kinds::LinearDifferent as usize => Some(Kinds::LinearDifferent),
            (kind, false) if kind == Kinds::LinearDifferent as usize => Some(Kinds::LinearEqual),
            (_, true) => Some(Kinds::LinearAtMost),
            (_, false) => None,
        };
        if let Some(kind) = kind
            && self.post_vectors(kind, coefficients, variables, rest)?
        {
            return Ok(());
        }
        let rest = self.integer::<Large>(rest)?;
        let mut terms = with_room(variables.len)?;
        for index in 0..variables.len {
            terms.put((
                self.integer::<Large>(coefficients.get(index))?,
                deref(variables.get(index)),
            ))?;
        }
        let Some(kind) = kind else {
            // The opposite of `at most` is `at least one more`.
            for (coefficient, _) in &mut terms {
                *coefficient = coefficient.neg()?;
            }
            return self.post_linear(Kinds::LinearAtMost, terms, rest.next()?.neg()?);
        };
        self.post_linear(kind, terms, rest)
    }

    /// Makes `waiting` wait for the variables of a constraint, which determine its truth.
    pub(crate) fn wait_for_truth(&mut self, constraint: Propagator, waiting: Propagator) -> R {
        if constraint.kind_number() == Kinds::Member as usize {
            let [x] = constraint.args()?;
            return self.subscribe(x, waiting.cell(), Wait::Dom);
        }
        let [_, variables] = constraint.args()?;
        let variables = Vector::of(variables)?;
        let wait = match variables.len {
            0..=2 if constraint.kind_number() != Kinds::LinearAtMost as usize => Wait::Dom,
            _ => Wait::Bounds,
        };
        variables
            .iter()
            .try_for_each(|x| self.subscribe(x, waiting.cell(), wait))
    }
}
