//! Linear relations: the sum of `a·x` over all terms, compared with a constant.
//!
//! Arguments: Coefficients, Variables and State, all vectors. State has the number of terms that are still open, and
//! the constant minus the known terms. The open terms come first. A term that becomes known changes places with the
//! last open term. The exchange need not be undone, because backtracking restores the number.

use crate::fd::number::Num;
use crate::fd::propagator::{Propagator, Vector};
use crate::fd::work::{Fd, Halt, R};
use crate::store::cell::Cell;

/// The terms of a linear propagator.
struct Terms<N> {
    coefficients: Vector,
    variables: Vector,
    /// Number of open terms.
    count: usize,
    /// The constant minus the known terms.
    rest: N,
}

impl<N: Num> Terms<N> {
    /// Moves the terms that have become known behind the open ones.
    fn open(fd: &mut Fd<'_>, p: Propagator) -> R<Terms<N>> {
        let [coefficients, variables, state] = p.args()?;
        let (coefficients, variables) = (Vector::of(coefficients)?, Vector::of(variables)?);
        let state = Vector::of(state)?;
        if state.len != 2 || coefficients.len != variables.len {
            return Err(Halt::Fail);
        }
        let before = usize::try_from(state.int(0))
            .unwrap_or(0)
            .min(variables.len);
        let mut terms = Terms::<N> {
            coefficients,
            variables,
            count: before,
            rest: fd.integer(state.get(1))?,
        };
        let mut index = 0;
        while index < terms.count {
            let x = variables.get(index);
            if x.is_var() {
                index += 1;
                continue;
            }
            let product = terms
                .coefficient(fd, index)?
                .mul(&fd.integer(x)?, fd.store)?;
            terms.rest = terms.rest.sub(&product)?;
            terms.count -= 1;
            coefficients.swap(index, terms.count);
            variables.swap(index, terms.count);
        }
        if terms.count < before {
            let rest = terms.rest.cell(fd.store)?;
            let state = fd.own_vector(p, 2)?;
            state.set(0, Cell::int(terms.count as i64));
            state.set(1, rest);
        }
        Ok(terms)
    }

    #[inline(always)]
    fn coefficient(&self, fd: &Fd<'_>, index: usize) -> R<N> {
        fd.integer(self.coefficients.get(index))
    }

    /// Returns the least and the greatest value of a term.
    #[inline(always)]
    fn range(&self, fd: &Fd<'_>, index: usize, a: &N) -> R<(N, N)> {
        let (low, high) = fd.bounds::<N>(self.variables.get(index))?;
        let (low, high) = (low.mul(a, fd.store)?, high.mul(a, fd.store)?);
        Ok(match a.sign().is_ge() {
            true => (low, high),
            false => (high, low),
        })
    }

    /// Returns the value that the only open term must have; fails if no integer gives it.
    fn last_value(&self, fd: &Fd<'_>) -> R<N> {
        let a = self.coefficient(fd, 0)?;
        let value = self.rest.div_floor(&a, fd.store)?;
        match value.mul(&a, fd.store)? == self.rest {
            true => Ok(value),
            false => Err(Halt::Fail),
        }
    }
}

/// A sum that counts its infinite terms.
struct Sum<N> {
    finite: N,
    infinite: usize,
}

impl<N: Num> Sum<N> {
    fn new() -> Sum<N> {
        Sum {
            finite: N::of(0),
            infinite: 0,
        }
    }

    #[inline(always)]
    fn add(&mut self, term: &N) -> R {
        match term.is_finite() {
            true => self.finite = self.finite.add(term)?,
            false => self.infinite += 1,
        }
        Ok(())
    }

    #[inline(always)]
    fn take(&mut self, term: &N) -> R {
        match term.is_finite() {
            true => self.finite = self.finite.sub(term)?,
            false => self.infinite -= 1,
        }
        Ok(())
    }

    /// Returns the sum without one of its terms, if that is finite.
    #[inline(always)]
    fn without(&self, term: &N) -> R<Option<N>> {
        Ok(match (self.infinite, term.is_finite()) {
            (0, _) => Some(self.finite.sub(term)?),
            (1, false) => Some(self.finite.clone()),
            _ => None,
        })
    }
}

/// Makes the term `a·x` at most, or at least, a value.
#[inline(always)]
fn limit<N: Num>(fd: &mut Fd<'_>, x: Cell, a: &N, value: &N, at_most: bool) -> R {
    match a.sign().is_ge() == at_most {
        true => {
            let value = value.div_floor(a, fd.store)?;
            fd.set_max(x, &value)
        }
        false => {
            let value = value.div_ceil(a, fd.store)?;
            fd.set_min(x, &value)
        }
    }
}

/// Propagates that the sum is the constant.
pub(crate) fn equal<N: Num>(fd: &mut Fd<'_>, p: Propagator) -> R {
    let terms = Terms::<N>::open(fd, p)?;
    let c = &terms.rest;
    match terms.count {
        0 if c.is_zero() => return fd.kill(p),
        0 => return Err(Halt::Fail),
        1 => {
            let value = terms.last_value(fd)?;
            fd.kill(p)?;
            return fd.assign(terms.variables.get(0), &value);
        }
        _ => {}
    }
    loop {
        let (mut least, mut greatest) = (Sum::new(), Sum::new());
        let mut widest = N::of(0);
        for index in 0..terms.count {
            let a = terms.coefficient(fd, index)?;
            let (low, high) = terms.range(fd, index, &a)?;
            least.add(&low)?;
            greatest.add(&high)?;
            widest = widest.max(high.sub(&low)?);
        }
        let above = least.infinite == 0 && least.finite > *c;
        let below = greatest.infinite == 0 && greatest.finite < *c;
        if above || below {
            return Err(Halt::Fail);
        }
        let spare_below =
            least.infinite > 1 || least.infinite == 0 && c.sub(&least.finite)? >= widest;
        let spare_above =
            greatest.infinite > 1 || greatest.infinite == 0 && greatest.finite.sub(c)? >= widest;
        if spare_below && spare_above {
            return Ok(());
        }
        let mut changed = false;
        for index in 0..terms.count {
            let a = terms.coefficient(fd, index)?;
            let x = terms.variables.get(index);
            let (low, high) = terms.range(fd, index, &a)?;
            let width = high.sub(&low)?;
            // A term whose range is within the slack of the sum can have all of its values.
            let narrow = least.infinite == 0 && width <= c.sub(&least.finite)?;
            if !narrow && let Some(others) = least.without(&low)? {
                limit(fd, x, &a, &c.sub(&others)?, true)?;
            }
            let narrow = greatest.infinite == 0 && width <= greatest.finite.sub(c)?;
            if !narrow && let Some(others) = greatest.without(&high)? {
                limit(fd, x, &a, &c.sub(&others)?, false)?;
            }
            let (new_low, new_high) = terms.range(fd, index, &a)?;
            if new_low != low {
                least.take(&low)?;
                least.add(&new_low)?;
                changed = true;
            }
            if new_high != high {
                greatest.take(&high)?;
                greatest.add(&new_high)?;
                changed = true;
            }
        }
        if !changed {
            return Ok(());
        }
        fd.look()?;
    }
}

/// Propagates that the sum is at most the constant.
pub(crate) fn at_most<N: Num>(fd: &mut Fd<'_>, p: Propagator) -> R {
    let terms = Terms::<N>::open(fd, p)?;
    let c = &terms.rest;
    let (mut least, mut greatest) = (Sum::new(), Sum::new());
    let mut widest = N::of(0);
    for index in 0..terms.count {
        let a = terms.coefficient(fd, index)?;
        let (low, high) = terms.range(fd, index, &a)?;
        least.add(&low)?;
        greatest.add(&high)?;
        widest = widest.max(high.sub(&low)?);
    }
    if greatest.infinite == 0 && greatest.finite <= *c {
        return fd.kill(p);
    }
    if least.infinite == 0 && least.finite > *c {
        return Err(Halt::Fail);
    }
    if least.infinite > 1 || least.infinite == 0 && c.sub(&least.finite)? >= widest {
        return Ok(());
    }
    for index in 0..terms.count {
        let a = terms.coefficient(fd, index)?;
        let (low, _) = terms.range(fd, index, &a)?;
        if let Some(others) = least.without(&low)? {
            limit(fd, terms.variables.get(index), &a, &c.sub(&others)?, true)?;
        }
    }
    Ok(())
}

/// Propagates that the sum is not the constant.
pub(crate) fn different<N: Num>(fd: &mut Fd<'_>, p: Propagator) -> R {
    let terms = Terms::<N>::open(fd, p)?;
    match terms.count {
        0 if terms.rest.is_zero() => Err(Halt::Fail),
        0 => fd.kill(p),
        1 => {
            fd.kill(p)?;
            match terms.last_value(fd) {
                Ok(value) => fd.remove(terms.variables.get(0), &value),
                Err(Halt::Fail) => Ok(()),
                Err(halt) => Err(halt),
            }
        }
        _ => Ok(()),
    }
}
