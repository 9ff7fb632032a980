//! Linear relations of few terms with small numbers, the usual kind. They are posted without numbers of any size and
//! without memory of their own.

use super::expression::{Mode, Relation};
use super::kinds::Kinds;
use super::number::Small;
use super::propagator::{Propagator, Vector};
use super::variable::Wait;
use super::work::{Fd, Halt, R};
use crate::base::atom_table::{atoms, functors};
use crate::base::number::{INLINE_MAX, INLINE_MIN};
use crate::store::cell::{Cell, WORD, tag};
use crate::store::heap::deref;
use crate::store::raw;

/// Maximum number of terms of such a sum.
const TERMS: usize = 16;
/// Maximum number of parts of an expression that wait for a visit.
const PARTS: usize = 24;

/// Maximum number of parts of an expression that are visited, because it may be cyclic.
const STEPS: usize = 64;

/// A sum of products and a constant.
#[derive(Copy, Clone)]
pub(super) struct Few {
    terms: [(i64, Cell); TERMS],
    count: usize,
    constant: i64,
}

impl Few {
    fn new() -> Few {
        Few {
            terms: [(0, Cell::ABSENT); TERMS],
            count: 0,
            constant: 0,
        }
    }

    /// Returns the terms of the sum: coefficients and variables.
    pub(super) fn terms(&self) -> &[(i64, Cell)] {
        &self.terms[..self.count]
    }

    fn add(&mut self, a: i64, x: Cell) -> Option<()> {
        for (coefficient, variable) in &mut self.terms[..self.count] {
            if *variable == x {
                *coefficient = inline(coefficient.checked_add(a)?)?;
                return Some(());
            }
        }
        *self.terms.get_mut(self.count)? = (inline(a)?, x);
        self.count += 1;
        Some(())
    }

    fn drop_zeros(&mut self) {
        let mut kept = 0;
        for index in 0..self.count {
            if self.terms[index].0 != 0 {
                self.terms[kept] = self.terms[index];
                kept += 1;
            }
        }
        self.count = kept;
    }
}

fn inline(value: i64) -> Option<i64> {
    (INLINE_MIN..=INLINE_MAX).contains(&value).then_some(value)
}

/// Returns the sum `left - right`, if both are sums of few terms.
pub(super) fn few(left: Cell, right: Cell) -> Option<Few> {
    let mut sum = Few::new();
    let mut parts = [(0i64, Cell::ABSENT); PARTS];
    (parts[0], parts[1]) = ((-1, right), (1, left));
    let mut waiting = 2;
    let mut steps = 0;
    while waiting > 0 {
        waiting -= 1;
        steps += 1;
        if steps > STEPS {
            return None;
        }
        let (factor, part) = parts[waiting];
        let part = deref(part);
        if part.is_int() {
            let value = factor.checked_mul(part.int_value())?;
            sum.constant = inline(sum.constant.checked_add(value)?)?;
            continue;
        }
        if part.is_var() {
            sum.add(factor, part)?;
            continue;
        }
        if part.tag() != tag::STR || waiting + 2 > PARTS {
            return None;
        }
        let at = part.addr();
        let (first, second) = (raw::cell(at + WORD), raw::cell(at + 2 * WORD));
        match raw::cell(at).as_functor() {
            functors::PLUS2 => {
                (parts[waiting], parts[waiting + 1]) = ((factor, second), (factor, first))
            }
            functors::MINUS2 => {
                (parts[waiting], parts[waiting + 1]) = ((-factor, second), (factor, first))
            }
            functors::MINUS1 => {
                parts[waiting] = (-factor, first);
                waiting += 1;
                continue;
            }
            functors::STAR2 => {
                let (first, second) = (deref(first), deref(second));
                let (number, other) = if first.is_int() {
                    (first, second)
                } else {
                    (second, first)
                };
                if !number.is_int() {
                    return None;
                }
                parts[waiting] = (inline(factor.checked_mul(number.int_value())?)?, other);
                waiting += 1;
                continue;
            }
            _ => return None,
        }
        waiting += 2;
    }
    Some(sum)
}

pub(super) fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Divides the coefficients by their greatest common divisor. Returns whether the relation holds, if that is known.
fn reduce(kind: Kinds, sum: &mut Few, rest: &mut i64) -> Option<bool> {
    let divisor = sum
        .terms()
        .iter()
        .fold(0, |common, (a, _)| gcd(common, a.unsigned_abs())) as i64;
    if divisor == 0 {
        return Some(match kind {
            Kinds::LinearEqual => *rest == 0,
            Kinds::LinearDifferent => *rest != 0,
            _ => *rest >= 0,
        });
    }
    if divisor > 1 {
        if kind != Kinds::LinearAtMost && *rest % divisor != 0 {
            return Some(kind == Kinds::LinearDifferent);
        }
        *rest = rest.div_euclid(divisor);
        for (a, _) in &mut sum.terms[..sum.count] {
            *a /= divisor;
        }
    }
    None
}

impl Fd<'_> {
    /// Posts a relation of few terms. Returns false for other relations.
    pub(super) fn post_few(
        &mut self,
        relation: Relation,
        left: Cell,
        right: Cell,
        mode: Mode,
    ) -> R<bool> {
        let last = matches!(relation, Relation::Equal | Relation::Greater) && left.is_var();
        let Some((kind, sum, rest)) = self.few_relation(relation, left, right, mode, last)? else {
            return Ok(false);
        };
        self.post_if_small(kind, sum, rest)
    }

    /// Returns a relation of few terms as one of a sum and a constant. If `last` is true, the first variable gets its
    /// domain last. That is the order in which waiting goals are printed.
    fn few_relation(
        &mut self,
        relation: Relation,
        left: Cell,
        right: Cell,
        mode: Mode,
        last: bool,
    ) -> R<Option<(Kinds, Few, i64)>> {
        let Some(mut sum) = few(left, right).filter(|_| !mode.monotonic) else {
            return Ok(None);
        };
        for nth in 0..sum.count {
            let index = (nth + usize::from(last)) % sum.count;
            self.constrain(sum.terms[index].1)?;
            sum.terms[index].1 = deref(sum.terms[index].1);
        }
        sum.drop_zeros();
        let kind = match relation {
            Relation::Equal => Kinds::LinearEqual,
            Relation::Different => Kinds::LinearDifferent,
            _ => Kinds::LinearAtMost,
        };
        let mut rest = -sum.constant;
        if matches!(relation, Relation::AtLeast | Relation::Greater) {
            for (a, _) in &mut sum.terms[..sum.count] {
                // The least small integer has no negation that is small.
                let Some(opposite) = inline(-*a) else {
                    return Ok(None);
                };
                *a = opposite;
            }
            rest = -rest;
        }
        if matches!(relation, Relation::Less | Relation::Greater) {
            rest -= 1;
        }
        Ok(Some((kind, sum, rest)))
    }

    /// Returns a constraint that represents a relation of few terms, or whether the relation holds if that is known.
    /// Returns `None` for other relations.
    pub(super) fn few_constraint(
        &mut self,
        relation: Relation,
        left: Cell,
        right: Cell,
        mode: Mode,
    ) -> R<Option<Result<Propagator, bool>>> {
        let known = self.few_relation(relation, left, right, mode, false)?;
        let Some((kind, mut sum, mut rest)) = known else {
            return Ok(None);
        };
        if let Some(known) = reduce(kind, &mut sum, &mut rest) {
            return Ok(Some(Err(known)));
        }
        if rest.abs() >= INLINE_MAX {
            return Ok(None);
        }
        let (inf, sup) = (Cell::atom(atoms::INF), Cell::atom(atoms::SUP));
        let constraint = match *sum.terms() {
            [(a, x)] => {
                let value = a * rest;
                let set = match kind {
                    Kinds::LinearEqual => self.new_vector(&[Cell::int(value), Cell::int(value)])?,
                    Kinds::LinearDifferent => {
                        self.new_vector(&[inf, Cell::int(value - 1), Cell::int(value + 1), sup])?
                    }
                    _ if a > 0 => self.new_vector(&[inf, Cell::int(value)])?,
                    _ => self.new_vector(&[Cell::int(value), sup])?,
                };
                self.new_propagator(Kinds::Member, &[x, set])?
            }
            _ => self.new_few_sum(kind, &sum, Cell::int(rest))?,
        };
        Ok(Some(Ok(constraint)))
    }

    /// Posts a relation of small numbers between a sum and a constant. Two vectors have the coefficients and the
    /// variables of the sum. Returns false if the relation is not of this kind.
    pub(super) fn post_vectors(
        &mut self,
        kind: Kinds,
        coefficients: Vector,
        variables: Vector,
        rest: Cell,
    ) -> R<bool> {
        let mut sum = Few::new();
        let Some(mut rest) = rest.is_int().then(|| rest.int_value()) else {
            return Ok(false);
        };
        for index in 0..variables.len.min(coefficients.len) {
            let (a, x) = (coefficients.int(index), variables.get(index));
            if a == 0 || !(x.is_int() || x.is_var()) {
                return Ok(false);
            }
            let added = match x.is_int() {
                true => x
                    .int_value()
                    .checked_mul(a)
                    .and_then(|product| rest.checked_sub(product))
                    .and_then(inline),
                false => sum.add(a, x).map(|()| rest),
            };
            match added {
                Some(new) => rest = new,
                None => return Ok(false),
            }
        }
        sum.drop_zeros();
        self.post_if_small(kind, sum, rest)
    }

    /// Posts a relation. Returns false if its numbers are not small.
    fn post_if_small(&mut self, kind: Kinds, sum: Few, rest: i64) -> R<bool> {
        match self.post_few_terms(kind, sum, rest) {
            Err(Halt::Wide) => Ok(false),
            done => done.map(|()| true),
        }
    }

    fn post_few_terms(&mut self, kind: Kinds, mut sum: Few, mut rest: i64) -> R {
        match reduce(kind, &mut sum, &mut rest) {
            Some(true) => return Ok(()),
            Some(false) => return Err(Halt::Fail),
            None => {}
        }
        let c = inline(rest).map(Cell::int).ok_or(Halt::Wide)?;
        match *sum.terms() {
            [(a, x)] => {
                // The coefficient is 1 or -1.
                let value = Small(inline(a * rest).ok_or(Halt::Wide)?);
                match kind {
                    Kinds::LinearEqual => self.assign(x, &value),
                    Kinds::LinearDifferent => self.remove(x, &value),
                    _ if a > 0 => self.set_max(x, &value),
                    _ => self.set_min(x, &value),
                }
            }
            [(1, x), (-1, y)] | [(-1, y), (1, x)] if kind == Kinds::LinearDifferent => {
                self.post(
                    Kinds::Different,
                    &[x, y, c],
                    &[(x, Wait::Inst), (y, Wait::Inst)],
                )?;
                Ok(())
            }
            [(1, x), (-1, y)] | [(-1, y), (1, x)] if kind == Kinds::LinearAtMost => {
                self.post(Kinds::AtMost, &[x, y, c], &[(x, Wait::Min), (y, Wait::Max)])?;
                Ok(())
            }
            [(1, x), (-1, y)] | [(-1, y), (1, x)] if rest == 0 => self.equate(x, y),
            [(1, x), (-1, y)] | [(-1, y), (1, x)] => {
                self.post(Kinds::Shift, &[x, y, c], &[(x, Wait::Dom), (y, Wait::Dom)])?;
                Ok(())
            }
            [(1, x), (1, y)] | [(-1, x), (-1, y)] if kind == Kinds::LinearEqual => {
                let c = if sum.terms[0].0 == 1 {
                    c
                } else {
                    inline(-rest).map(Cell::int).ok_or(Halt::Wide)?
                };
                self.post(Kinds::Mirror, &[x, y, c], &[(x, Wait::Dom), (y, Wait::Dom)])?;
                Ok(())
            }
            [(1, x), (1, y), (-1, z)]
            | [(1, x), (-1, z), (1, y)]
            | [(-1, z), (1, x), (1, y)]
            | [(-1, x), (-1, y), (1, z)]
            | [(-1, x), (1, z), (-1, y)]
            | [(1, z), (-1, x), (-1, y)]
                if kind == Kinds::LinearEqual && rest == 0 =>
            {
                let waits = [(x, Wait::Bounds), (y, Wait::Bounds), (z, Wait::Bounds)];
                self.post(Kinds::Plus, &[x, y, z], &waits)?;
                Ok(())
            }
            _ => self.post_few_sum(kind, &sum, c),
        }
    }

    /// Makes a propagator of a relation between a sum and a constant, without waiting for anything.
    fn new_few_sum(&mut self, kind: Kinds, sum: &Few, rest: Cell) -> R<Propagator> {
        let mut cells = [Cell::ABSENT; TERMS];
        for (cell, (a, _)) in cells.iter_mut().zip(sum.terms()) {
            *cell = Cell::int(*a);
        }
        let coefficients = self.new_vector(&cells[..sum.count])?;
        for (cell, (_, x)) in cells.iter_mut().zip(sum.terms()) {
            *cell = *x;
        }
        let variables = self.new_vector(&cells[..sum.count])?;
        let state = self.new_vector(&[Cell::int(sum.count as i64), rest])?;
        self.new_propagator(kind, &[coefficients, variables, state])
    }

    fn post_few_sum(&mut self, kind: Kinds, sum: &Few, rest: Cell) -> R {
        if kind == Kinds::LinearEqual {
            self.keep_residues(sum.terms(), rest.int_value())?;
        }
        let propagator = self.new_few_sum(kind, sum, rest)?;
        for &(a, x) in sum.terms() {
            let wait = match kind {
                Kinds::LinearEqual => Wait::Bounds,
                Kinds::LinearDifferent => Wait::Inst,
                _ if a > 0 => Wait::Min,
                _ => Wait::Max,
            };
            self.subscribe(x, propagator.cell(), wait)?;
        }
        self.start(propagator, &[])
    }
}
