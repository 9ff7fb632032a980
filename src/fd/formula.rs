//! Reification: constraints as truth values, and formulas of them.

use super::expression::{Fault, Mode, PostResult, Relation};
use super::kinds::Kinds;
use super::number::{Large, Num};
use super::propagator::Propagator;
use super::set::normal;
use super::variable::Wait;
use super::work::{Fd, Halt, R};
use crate::base::atom_table::{Functor, atoms, functors};
use crate::base::growth::{Grow, with_room};
use crate::store::cell::{Cell, WORD};
use crate::store::heap::{View, deref};
use crate::store::list::ListShape;
use crate::store::raw;

/// Intervals.
type Ranges = Vec<(Large, Large)>;

/// Maximum depth of a formula; chains of one connective do not count.
const DEPTH: usize = 1000;

/// Returns whether the functor is a connective of `P` and `Q`.
fn is_connective(functor: Functor) -> bool {
    matches!(
        functor,
        functors::FD_AND
            | functors::FD_OR
            | functors::FD_IMPLIES
            | functors::FD_IMPLIED
            | functors::FD_EQUIVALENT
            | functors::FD_XOR
    )
}

impl Fd<'_> {
    /// Returns a fresh variable that is 0 or 1.
    pub(crate) fn new_truth(&mut self) -> R<Cell> {
        self.new_variable_between(Cell::int(0), Cell::int(1))
    }

    /// Returns a variable that is 1 if a constraint holds and 0 if not; 0 or 1 itself if that is known.
    ///
    /// While `defined` is 0, the constraint has no truth value.
    fn truth_of(&mut self, constraint: Propagator, defined: Cell) -> R<Cell> {
        let truth = self.new_truth()?;
        let reified = self.new_propagator(Kinds::Reified, &[truth, constraint.cell(), defined])?;
        self.subscribe(truth, reified.cell(), Wait::Inst)?;
        self.subscribe(defined, reified.cell(), Wait::Inst)?;
        self.wait_for_truth(constraint, reified)?;
        self.run(reified)?;
        Ok(deref(truth))
    }

    /// Returns the truth of the membership of `x` in a set.
    pub(crate) fn reified_member(&mut self, x: Cell, ranges: &[(Large, Large)]) -> R<Cell> {
        let member = self.new_member(x, ranges)?;
        self.truth_of(member, Cell::int(1))
    }

    /// Makes a propagator of the membership of `x` in a set, without waiting for anything.
    fn new_member(&mut self, x: Cell, ranges: &[(Large, Large)]) -> R<Propagator> {
        let mut cells = with_room(2 * ranges.len())?;
        for (low, high) in ranges {
            cells.put(low.cell(self.store)?)?;
            cells.put(high.cell(self.store)?)?;
        }
        let set = self.new_vector(&cells)?;
        self.new_propagator(Kinds::Member, &[x, set])
    }

    /// Returns the truth of all conditions (`And`), or of one of them (`Or`).
    pub(crate) fn junction(&mut self, kind: Kinds, conditions: &[Cell]) -> R<Cell> {
        if let [condition] = conditions {
            return Ok(deref(*condition));
        }
        let truth = self.new_truth()?;
        self.post_junction(kind, truth, conditions, &[])?;
        Ok(deref(truth))
    }

    fn post_junction(
        &mut self,
        kind: Kinds,
        truth: Cell,
        conditions: &[Cell],
        shown: &[Cell],
    ) -> R {
        let mut args = vec![truth, self.new_vector(conditions)?];
        args.put_all(shown.iter().copied())?;
        let propagator = self.new_propagator(kind, &args)?;
        self.subscribe(truth, propagator.cell(), Wait::Inst)?;
        for &condition in conditions {
            self.subscribe(condition, propagator.cell(), Wait::Inst)?;
        }
        self.run(propagator)
    }

    /// Returns 1 minus a truth value.
    fn opposite(&mut self, truth: Cell) -> R<Cell> {
        if let Some(value) = self.value::<Large>(truth)? {
            return Ok(Cell::int(i64::from(value.is_zero())));
        }
        let other = self.new_truth()?;
        let args = [truth, other, Cell::int(1)];
        self.post(
            Kinds::Mirror,
            &args,
            &[(truth, Wait::Dom), (other, Wait::Dom)],
        )?;
        Ok(deref(other))
    }

    /// Returns the truth of a formula.
    pub(crate) fn reify(&mut self, formula: Cell, mode: Mode, depth: usize) -> PostResult<Cell> {
        let formula = deref(formula);
        if depth > DEPTH {
            return Err(Halt::Stop.into());
        }
        let (functor, at) = match self.store.view(formula) {
            View::Var(_) => {
                self.set_between(formula, &Large::of(0), &Large::of(1))?;
                return Ok(deref(formula));
            }
            View::Int(0 | 1) => return Ok(formula),
            View::Struct(functor, at) => (functor, at),
            _ => return Err(Fault::Reifiable(formula)),
        };
        let argument = |index: u64| raw::cell(at + index * WORD);
        if let Some(relation) = Relation::of(functor) {
            return self.reify_relation(relation, formula, argument(0), argument(1), mode);
        }
        match functor {
            functors::FD_NOT => {
                let truth = self.reify(argument(0), mode, depth + 1)?;
                Ok(self.opposite(truth)?)
            }
            functors::FD_IN | functors::FD_IN_SET => {
                let x = deref(argument(0));
                if !x.is_var() && self.integer::<Large>(x).is_err() {
                    return Err(Fault::Integer(x));
                }
                self.constrain(x)?;
                let ranges = self.domain_term(argument(1))?;
                if ranges.is_empty() {
                    return Ok(Cell::int(0));
                }
                Ok(self.reified_member(deref(x), &ranges)?)
            }
            functors::TUPLES_IN2 => self.reify_tuples(argument(0), argument(1)),
            functors::FD_VARIABLE | functors::FD_QUESTION => {
                let x = deref(argument(0));
                match self.store.view(x) {
                    View::Var(_) | View::Int(0 | 1) => self.reify(x, mode, depth + 1),
                    _ => Err(Fault::Reifiable(formula)),
                }
            }
            functor if is_connective(functor) => {
                if functor == functors::FD_OR
                    && let Some((x, ranges)) = self.one_of(formula, mode)?
                {
                    self.constrain(x)?;
                    return Ok(self.reified_member(deref(x), &ranges)?);
                }
                let mut operands = Vec::new();
                self.operands(functor, formula, mode, depth, &mut operands)?;
                Ok(self.connect(functor, &operands)?)
            }
            _ => Err(Fault::Reifiable(formula)),
        }
    }

    /// Returns the truth that all tuples are rows of a relation.
    fn reify_tuples(&mut self, tuples: Cell, relation: Cell) -> PostResult<Cell> {
        let (tuples, rows) = (self.matrix(tuples)?, self.matrix(relation)?);
        let mut numbers = with_room(rows.len())?;
        for row in &rows {
            let mut values = with_room(row.len())?;
            for &value in row {
                match self.store.view(value) {
                    View::Int(_) | View::Big(_) => values.put(self.integer::<Large>(value)?)?,
                    View::Var(_) => return Err(Fault::Instantiation),
                    _ => return Err(Fault::Integer(value)),
                }
            }
            numbers.put(values)?;
            self.look()?;
        }
        let mut truths = with_room(tuples.len())?;
        for tuple in &tuples {
            for &x in tuple {
                if !matches!(
                    self.store.view(x),
                    View::Var(_) | View::Int(_) | View::Big(_)
                ) {
                    return Err(Fault::Integer(x));
                }
                self.constrain(x)?;
            }
            truths.put(self.reified_tuple(tuple, &numbers, relation)?)?;
        }
        Ok(self.junction(Kinds::And, &truths)?)
    }

    /// Returns the elements of a list of lists.
    fn matrix(&self, term: Cell) -> PostResult<Vec<Vec<Cell>>> {
        let list = |term: Cell| -> PostResult<Vec<Cell>> {
            let mut items = Vec::new();
            match self.store.list_items(term, &mut items)? {
                ListShape::Proper(_) => Ok(items),
                ListShape::Partial(..) => Err(Fault::Instantiation),
                _ => Err(Fault::List(term)),
            }
        };
        let items = list(term)?;
        let mut rows = with_room(items.len())?;
        for item in items {
            rows.put(list(item)?)?;
        }
        Ok(rows)
    }

    /// Returns a variable and its set for a disjunction that only restricts one variable, such as
    /// `X #= 1 #\/ X in 5..7`.
    fn one_of(&mut self, formula: Cell, mode: Mode) -> PostResult<Option<(Cell, Ranges)>> {
        let mut rest = vec![formula];
        let mut ranges = Vec::new();
        let mut variable = None;
        while let Some(part) = rest.pop() {
            self.look()?;
            let part = deref(part);
            let View::Struct(functor, at) = self.store.view(part) else {
                return Ok(None);
            };
            let (p, q) = (deref(raw::cell(at)), deref(raw::cell(at + WORD)));
            let x = match functor {
                functors::FD_OR => {
                    rest.put(q)?;
                    rest.put(p)?;
                    continue;
                }
                functors::FD_EQUAL if !mode.monotonic => {
                    let (x, value) = if p.is_var() { (p, q) } else { (q, p) };
                    let Ok(value) = self.integer::<Large>(value) else {
                        return Ok(None);
                    };
                    ranges.put((value.clone(), value))?;
                    x
                }
                functors::FD_IN => {
                    ranges.put_all(self.domain_term(q)?)?;
                    p
                }
                _ => return Ok(None),
            };
            if !x.is_var() || variable.is_some_and(|variable| variable != x) {
                return Ok(None);
            }
            variable = Some(x);
        }
        let ranges = normal(ranges)?;
        Ok(variable
            .map(|x| (x, ranges))
            .filter(|(_, ranges)| !ranges.is_empty()))
    }

    /// Collects the truths of the operands of a connective. A chain of conjunctions or of disjunctions counts as one
    /// connective.
    fn operands(
        &mut self,
        functor: Functor,
        formula: Cell,
        mode: Mode,
        depth: usize,
        operands: &mut Vec<Cell>,
    ) -> PostResult {
        let chain = matches!(functor, functors::FD_AND | functors::FD_OR);
        let mut rest = vec![formula];
        let mut first = true;
        while let Some(part) = rest.pop() {
            match self.store.view(part) {
                View::Struct(other, at) if other == functor && (chain || first) => {
                    rest.put(raw::cell(at + WORD))?;
                    rest.put(raw::cell(at))?;
                    first = false;
                }
                _ => operands.put(self.reify(part, mode, depth + 1)?)?,
            }
            self.look()?;
        }
        Ok(())
    }

    /// Returns the truth of a connective of truths.
    fn connect(&mut self, functor: Functor, operands: &[Cell]) -> R<Cell> {
        match (functor, operands) {
            (functors::FD_AND, _) => self.junction(Kinds::And, operands),
            (functors::FD_OR, _) => self.junction(Kinds::Or, operands),
            (functors::FD_IMPLIES, &[p, q]) | (functors::FD_IMPLIED, &[q, p]) => {
                let truth = self.new_truth()?;
                self.post_implication(p, q, truth)?;
                Ok(deref(truth))
            }
            (functors::FD_XOR, &[p, q]) => self.difference(p, q),
            (_, &[p, q]) => {
                let truth = self.difference(p, q)?;
                self.opposite(truth)
            }
            _ => Err(Halt::Fail),
        }
    }

    /// Posts that a truth is that of an implication.
    fn post_implication(&mut self, p: Cell, q: Cell, truth: Cell) -> R {
        let args = [p, q, truth];
        self.post(Kinds::Implies, &args, &args.map(|x| (x, Wait::Inst)))?;
        Ok(())
    }

    /// Returns a truth that is 1 if two truths differ.
    fn difference(&mut self, p: Cell, q: Cell) -> R<Cell> {
        let truth = self.new_truth()?;
        let args = [p, q, truth];
        self.post(Kinds::Xor, &args, &args.map(|x| (x, Wait::Inst)))?;
        Ok(deref(truth))
    }

    fn reify_relation(
        &mut self,
        relation: Relation,
        shown: Cell,
        left: Cell,
        right: Cell,
        mode: Mode,
    ) -> PostResult<Cell> {
        match self.few_constraint(relation, left, right, mode)? {
            Some(Ok(constraint)) => return Ok(self.truth_of(constraint, Cell::int(1))?),
            Some(Err(known)) => return Ok(Cell::int(i64::from(known))),
            None => {}
        }
        let mut conditions = Vec::new();
        let sum = self.linear(&[(1, left), (-1, right)], mode, Some(&mut conditions))?;
        let (kind, terms, rest) = self.relate(relation, sum)?;
        let defined = match conditions.is_empty() {
            true => Cell::int(1),
            false => self.junction(Kinds::And, &conditions)?,
        };
        let truth = match self.normal_linear(kind, terms, rest)? {
            Err(known) => Cell::int(i64::from(known)),
            Ok((terms, rest)) => {
                let constraint = match self.as_member(kind, &terms, &rest)? {
                    Some(member) => member,
                    None => self.new_sum(kind, &terms, &rest)?,
                };
                self.truth_of(constraint, defined)?
            }
        };
        if conditions.is_empty() {
            return Ok(truth);
        }
        conditions.put(truth)?;
        let holds = self.new_truth()?;
        self.post_junction(Kinds::Defined, holds, &conditions, &[shown])?;
        Ok(deref(holds))
    }

    /// Returns a relation of one variable and a constant as the set of the variable.
    fn as_member(
        &mut self,
        kind: Kinds,
        terms: &[(Large, Cell)],
        rest: &Large,
    ) -> R<Option<Propagator>> {
        let [(a, x)] = terms else {
            return Ok(None);
        };
        let value = match kind {
            Kinds::LinearAtMost if a.sign().is_lt() => rest.div_ceil(a, self.store)?,
            _ => rest.div_floor(a, self.store)?,
        };
        let ranges = match kind {
            Kinds::LinearEqual => vec![(value.clone(), value)],
            Kinds::LinearDifferent => {
                vec![(Large::INF, value.before()?), (value.next()?, Large::SUP)]
            }
            _ if a.sign().is_lt() => vec![(value, Large::SUP)],
            _ => vec![(Large::INF, value)],
        };
        Ok(Some(self.new_member(deref(*x), &ranges)?))
    }

    /// Posts that a formula holds.
    pub(crate) fn post_formula(&mut self, formula: Cell, mode: Mode) -> PostResult {
        if !self.store.acyclic_term(formula)? {
            return Err(Fault::Reifiable(formula));
        }
        let mut rest = vec![formula];
        while let Some(part) = rest.pop() {
            self.look()?;
            let part = deref(part);
            let View::Struct(functor, at) = self.store.view(part) else {
                let truth = self.reify(part, mode, 0)?;
                self.assign(truth, &Large::of(1))?;
                continue;
            };
            let (p, q) = (
                raw::cell(at),
                raw::cell(at + WORD * u64::from(functor.arity() > 1)),
            );
            match functor {
                functors::FD_AND => {
                    rest.put(q)?;
                    rest.put(p)?;
                }
                functors::FD_OR => {
                    if let Some((x, ranges)) = self.one_of(part, mode)? {
                        self.constrain(x)?;
                        self.restrict(deref(x), &ranges)?;
                        continue;
                    }
                    let mut operands = Vec::new();
                    self.operands(functor, part, mode, 0, &mut operands)?;
                    self.post_junction(Kinds::Or, Cell::int(1), &operands, &[])?;
                }
                functors::FD_EQUIVALENT => {
                    // The truth value must get its domain before the constraint is reified.
                    let (first, second) = if deref(q).is_var() { (q, p) } else { (p, q) };
                    let first = self.reify(first, mode, 0)?;
                    let second = self.reify(second, mode, 0)?;
                    self.equate(first, second)?;
                }
                functors::FD_IMPLIES | functors::FD_IMPLIED => {
                    let p = self.reify(p, mode, 0)?;
                    let q = self.reify(q, mode, 0)?;
                    let (from, to) = if functor == functors::FD_IMPLIES {
                        (p, q)
                    } else {
                        (q, p)
                    };
                    self.post_implication(from, to, Cell::int(1))?;
                }
                functor if Relation::of(functor).is_some() => {
                    if let Some(relation) = Relation::of(functor) {
                        self.post_relation(relation, p, q, mode)?;
                    }
                }
                _ => {
                    let truth = self.reify(part, mode, 0)?;
                    self.assign(truth, &Large::of(1))?;
                }
            }
        }
        Ok(())
    }

    /// Returns the set that a domain term describes: `Integer`, `Low..High`, `Domain \/ Domain`, `\Domain`,
    /// `{Integer, …}`. The set may be empty.
    pub(crate) fn domain_term(&mut self, term: Cell) -> PostResult<Ranges> {
        let whole = deref(term);
        if !self.store.acyclic_term(whole)? {
            return Err(Fault::Domain(whole));
        }
        self.domain_part(whole, whole, 0)
    }

    fn domain_part(&mut self, part: Cell, whole: Cell, depth: usize) -> PostResult<Ranges> {
        if depth > DEPTH {
            return Err(Halt::Stop.into());
        }
        let mut rest = vec![part];
        let mut ranges = Vec::new();
        while let Some(part) = rest.pop() {
            let part = deref(part);
            match self.store.view(part) {
                View::Var(_) => return Err(Fault::Instantiation),
                View::Int(_) | View::Big(_) => {
                    let value = self.integer::<Large>(part)?;
                    ranges.put((value.clone(), value))?;
                }
                View::Struct(functors::FD_RANGE, at) => {
                    let (low, high) = (deref(raw::cell(at)), deref(raw::cell(at + WORD)));
                    if low.is_var() || high.is_var() {
                        return Err(Fault::Instantiation);
                    }
                    let (low, high) = (
                        Large::of_cell(self.store, low),
                        Large::of_cell(self.store, high),
                    );
                    match (low, high) {
                        (Ok(low), Ok(high)) if low != Large::SUP && high != Large::INF => {
                            ranges.put((low, high))?
                        }
                        (Err(Halt::Stop), _) | (_, Err(Halt::Stop)) => {
                            return Err(Halt::Stop.into());
                        }
                        _ => return Err(Fault::Domain(whole)),
                    }
                }
                View::Struct(functors::BIT_OR2, at) => {
                    rest.put(raw::cell(at + WORD))?;
                    rest.put(raw::cell(at))?;
                }
                View::Struct(functors::COMPLEMENT1, at) => {
                    let part = self.domain_part(deref(raw::cell(at)), whole, depth + 1)?;
                    ranges.put_all(super::set::complement(&part)?)?;
                }
                View::Struct(functors::CURLY1, at) => rest.put(raw::cell(at))?,
                View::Struct(functors::COMMA, at) => {
                    rest.put(raw::cell(at + WORD))?;
                    rest.put(raw::cell(at))?;
                }
                // A set of `library(clpfd_sets)`.
                View::Atom(atoms::EMPTY) => {}
                View::Struct(functors::FDSET3, at) => {
                    rest.put(raw::cell(at + 2 * WORD))?;
                    let (low, high) = (deref(raw::cell(at)), deref(raw::cell(at + WORD)));
                    match (
                        Large::of_cell(self.store, low),
                        Large::of_cell(self.store, high),
                    ) {
                        (Ok(low), Ok(high)) => ranges.put((low, high))?,
                        _ => return Err(Fault::Domain(whole)),
                    }
                }
                _ => return Err(Fault::Domain(whole)),
            }
            self.look()?;
        }
        Ok(super::set::normal(ranges)?)
    }
}
