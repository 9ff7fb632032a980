//! Posting of linear relations in the form that propagates best.

use super::domain::record;
use super::few::gcd as gcd_of;
use super::kinds::Kinds;
use super::number::{Large, Num, large};
use super::variable::Wait;
use super::work::{Fd, Halt, R};
use crate::arith::integer::gcd;
use crate::arith::large::Bounds;
use crate::base::atom_table::FastMap;
use crate::base::atom_table::atoms;
use crate::base::growth::{Grow, GrowMap, with_room};
use crate::store::cell::{Cell, WORD};
use crate::store::heap::deref;
use crate::store::raw;

/// Number of terms up to which all are compared with each other. Among more terms, a table finds equal variables.
const FEW: usize = 16;

/// Coefficients and variables.
pub(crate) type Terms = Vec<(Large, Cell)>;

/// A sum of products of coefficients and variables, and a constant.
#[derive(Clone, Debug)]
pub(crate) struct Linear {
    /// Coefficients, not zero, and variables. After [`Fd::simplify`] each variable occurs once.
    pub(crate) terms: Terms,
    /// The constant that is added to the sum of the terms.
    pub(crate) constant: Large,
}

impl Linear {
    /// Makes a constant.
    pub(crate) fn constant(value: Large) -> Linear {
        Linear {
            terms: Vec::new(),
            constant: value,
        }
    }

    /// Adds a multiple of another sum.
    pub(crate) fn add(&mut self, factor: &Large, other: Linear, fd: &Fd<'_>) -> R {
        for (a, x) in other.terms {
            self.terms.put((a.mul(factor, fd.store)?, x))?;
        }
        self.constant = self.constant.add(&other.constant.mul(factor, fd.store)?)?;
        Ok(())
    }
}

impl Fd<'_> {
    /// Joins the terms of equal variables, and adds known ones to the constant.
    pub(crate) fn simplify(&mut self, linear: Linear) -> R<Linear> {
        let many = linear.terms.len() > FEW;
        let mut places: FastMap<u64, usize> = FastMap::default();
        let mut terms: Terms = with_room(linear.terms.len())?;
        let mut constant = linear.constant;
        for (a, x) in linear.terms {
            let x = deref(x);
            if !x.is_var() {
                constant = constant.add(&a.mul(&self.integer(x)?, self.store)?)?;
                continue;
            }
            let place = match many {
                true => places.get(&x.addr().bits()).copied(),
                false => terms.iter().position(|(_, other)| *other == x),
            };
            match place {
                Some(place) => terms[place].0 = terms[place].0.add(&a)?,
                None => {
                    if many {
                        places.try_reserve(1).map_err(|_| Halt::Stop)?;
                        places.put_entry(x.addr().bits(), terms.len())?;
                    }
                    terms.put((a, x))?;
                }
            }
        }
        terms.retain(|(a, _)| !a.is_zero());
        Ok(Linear { terms, constant })
    }

    /// Divides coefficients by their greatest common divisor. Returns false if the sum can never be the constant.
    fn reduce(&mut self, kind: Kinds, terms: &mut [(Large, Cell)], rest: &mut Large) -> R<bool> {
        let one = Large::of(1);
        let mut common: Option<Large> = None;
        for (a, _) in terms.iter() {
            common = Some(match (common, a) {
                (None, a) => a.abs()?,
                (Some(Large::Val(common)), Large::Val(a)) => {
                    let watch = &self.store.events.watch;
                    large(gcd(
                        &common,
                        a,
                        Bounds {
                            max_bits: usize::MAX,
                            watch,
                        },
                    ))?
                }
                (Some(common), _) => common,
            });
            if common.as_ref() == Some(&one) {
                return Ok(true);
            }
        }
        let Some(divisor) = common else {
            return Ok(true);
        };
        let quotient = rest.div_floor(&divisor, self.store)?;
        if kind != Kinds::LinearAtMost && quotient.mul(&divisor, self.store)? != *rest {
            return Ok(false);
        }
        *rest = quotient;
        for (a, _) in terms {
            *a = a.div_floor(&divisor, self.store)?;
        }
        Ok(true)
    }

    /// Simplifies a relation between a sum and a constant; `None` if its truth is known.
    pub(crate) fn normal_linear(
        &mut self,
        kind: Kinds,
        terms: Terms,
        rest: Large,
    ) -> R<Result<(Terms, Large), bool>> {
        let sum = self.simplify(Linear {
            terms,
            constant: Large::of(0),
        })?;
        let mut rest = rest.sub(&sum.constant)?;
        let mut terms = sum.terms;
        if terms.is_empty() {
            return Ok(Err(match kind {
                Kinds::LinearEqual => rest.is_zero(),
                Kinds::LinearDifferent => !rest.is_zero(),
                _ => rest.sign().is_ge(),
            }));
        }
        match self.reduce(kind, &mut terms, &mut rest)? {
            true => Ok(Ok((terms, rest))),
            false => Ok(Err(kind == Kinds::LinearDifferent)),
        }
    }

    /// Posts that a sum is equal to, at most, or different from a constant, as the kind says.
    pub(crate) fn post_linear(&mut self, kind: Kinds, terms: Terms, rest: Large) -> R {
        let (terms, rest) = match self.normal_linear(kind, terms, rest)? {
            Ok(normal) => normal,
            Err(true) => return Ok(()),
            Err(false) => return Err(Halt::Fail),
        };
        for (_, x) in &terms {
            self.constrain(*x)?;
        }
        match &terms[..] {
            [(a, x)] => self.post_unary(kind, a, *x, &rest),
            [(a, x), (b, y)] => match (a.small(), b.small()) {
                (Some(1), Some(-1)) => self.post_difference(kind, *x, *y, rest),
                (Some(-1), Some(1)) => self.post_difference(kind, *y, *x, rest),
                (Some(1), Some(1)) if kind == Kinds::LinearEqual => self.post_mirror(*x, *y, &rest),
                (Some(-1), Some(-1)) if kind == Kinds::LinearEqual => {
                    self.post_mirror(*x, *y, &rest.neg()?)
                }
                _ => self.post_sum(kind, &terms, &rest),
            },
            _ => self.post_sum(kind, &terms, &rest),
        }
    }

    fn post_unary(&mut self, kind: Kinds, a: &Large, x: Cell, rest: &Large) -> R {
        match kind {
            Kinds::LinearAtMost if a.sign().is_gt() => {
                self.set_max(x, &rest.div_floor(a, self.store)?)
            }
            Kinds::LinearAtMost => self.set_min(x, &rest.div_ceil(a, self.store)?),
            _ => {
                // After the division by the common divisor, the coefficient is 1 or -1.
                let value = rest.mul(a, self.store)?;
                match kind {
                    Kinds::LinearEqual => self.assign(x, &value),
                    _ => self.remove(x, &value),
                }
            }
        }
    }

    /// Posts that x - y is, is at most, or is not a constant.
    fn post_difference(&mut self, kind: Kinds, x: Cell, y: Cell, rest: Large) -> R {
        if kind == Kinds::LinearEqual && rest.is_zero() {
            return self.equate(x, y);
        }
        let (x, y) = (deref(x), deref(y));
        let c = rest.cell(self.store)?;
        let (kind, waits) = match kind {
            Kinds::LinearEqual => (Kinds::Shift, [(x, Wait::Dom), (y, Wait::Dom)]),
            Kinds::LinearDifferent => (Kinds::Different, [(x, Wait::Inst), (y, Wait::Inst)]),
            _ => (Kinds::AtMost, [(x, Wait::Min), (y, Wait::Max)]),
        };
        self.post(kind, &[x, y, c], &waits)?;
        Ok(())
    }

    /// Posts that x + y is a constant.
    fn post_mirror(&mut self, x: Cell, y: Cell, sum: &Large) -> R {
        let (x, y) = (deref(x), deref(y));
        let c = sum.cell(self.store)?;
        self.post(Kinds::Mirror, &[x, y, c], &[(x, Wait::Dom), (y, Wait::Dom)])?;
        Ok(())
    }

    /// Makes a propagator of a linear relation, without waiting for anything.
    pub(crate) fn new_sum(
        &mut self,
        kind: Kinds,
        terms: &[(Large, Cell)],
        rest: &Large,
    ) -> R<super::propagator::Propagator> {
        let (mut coefficients, mut variables) = (with_room(terms.len())?, with_room(terms.len())?);
        for (a, x) in terms {
            coefficients.put(a.cell(self.store)?)?;
            variables.put(deref(*x))?;
        }
        let rest = rest.cell(self.store)?;
        let coefficients = self.new_vector(&coefficients)?;
        let variables = self.new_vector(&variables)?;
        let state = self.new_vector(&[Cell::int(terms.len() as i64), rest])?;
        self.new_propagator(kind, &[coefficients, variables, state])
    }

    fn post_sum(&mut self, kind: Kinds, terms: &[(Large, Cell)], rest: &Large) -> R {
        if kind == Kinds::LinearEqual
            && let Some(rest) = rest.small()
        {
            let mut small = with_room(terms.len())?;
            small.put_all(
                terms
                    .iter()
                    .filter_map(|(a, x)| Some((a.small()?, deref(*x)))),
            )?;
            if small.len() == terms.len() {
                self.keep_residues(&small, rest)?;
            }
        }
        let propagator = self.new_sum(kind, terms, rest)?;
        let mut waits = with_room(terms.len())?;
        for (a, x) in terms {
            let wait = match kind {
                Kinds::LinearEqual => Wait::Bounds,
                Kinds::LinearDifferent => Wait::Inst,
                _ if a.sign().is_gt() => Wait::Min,
                _ => Wait::Max,
            };
            waits.put((*x, wait))?;
        }
        self.start(propagator, &waits)
    }

    /// Removes values of a sum that is a constant. A divisor of all coefficients except one determines the remainder
    /// of the other term. If the domain of that term has few values, only the values with this remainder stay.
    pub(super) fn keep_residues(&mut self, terms: &[(i64, Cell)], rest: i64) -> R {
        let units = terms.iter().filter(|(a, _)| a.abs() == 1).count();
        if units > 1 {
            return Ok(());
        }
        // The common divisors of the coefficients from each one to the last.
        let mut after = with_room(terms.len() + 1)?;
        after.put(0)?;
        for (index, (a, _)) in terms.iter().enumerate().rev() {
            after.put(gcd_of(after[terms.len() - 1 - index], a.unsigned_abs()))?;
        }
        let mut before = 0;
        for (index, &(a, x)) in terms.iter().enumerate() {
            let divisor = i128::from(gcd_of(before, after[terms.len() - 1 - index]));
            before = gcd_of(before, a.unsigned_abs());
            let Some((base, own)) = self.bits(x).filter(|_| divisor > 1) else {
                continue;
            };
            let fits = |place: i64| {
                let value = i128::from(base) + i128::from(place);
                (i128::from(a) * value - i128::from(rest)) % divisor == 0
            };
            let kept = (0..64).filter(|&place| own >> place & 1 == 1 && fits(place));
            let kept = kept.fold(0, |kept, place| kept | 1 << place);
            self.restrict_bits(x, base, kept)?;
            self.look()?;
        }
        Ok(())
    }

    /// Makes two terms equal: two variables become one.
    pub(crate) fn equate(&mut self, x: Cell, y: Cell) -> R {
        self.constrain(x)?;
        self.constrain(y)?;
        let (x, y) = (deref(x), deref(y));
        if x == y {
            return Ok(());
        }
        if !x.is_var() || !y.is_var() {
            let (value, of) = if x.is_var() { (y, x) } else { (x, y) };
            let value = self.integer::<Large>(value)?;
            return self.assign(of, &value);
        }
        // Bind the younger one.
        let (from, to) = if x.addr() > y.addr() { (x, y) } else { (y, x) };
        let Some(own) = record(from) else {
            return Err(Halt::Fail);
        };
        let rest = raw::cell(own.slot + WORD);
        if rest != Cell::atom(atoms::NIL) {
            self.store.reserve(8)?;
            self.store.schedule(rest, to);
        }
        self.store.assign(from.addr(), to)?;
        self.join(own, to)
    }
}
