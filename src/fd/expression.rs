//! Arithmetic expressions and the relations between them.
//!
//! The linear parts of an expression become one sum. Every other operation gets a propagator and a variable for its
//! result. The walk over an expression has its own stack, so the depth of the expression has no limit.

use super::kinds::Kinds;
use super::linear::{Linear, Terms};
use super::number::{Large, Num};
use super::propagator::Propagator;
use super::propagators::FUNCTIONS;
use super::variable::Wait;
use super::work::{Fd, Halt, R};
use crate::base::atom_table::{Functor, atoms, functors};
use crate::base::growth::{Grow, with_room};
use crate::base::stop::Stop;
use crate::store::cell::Cell;
use crate::store::heap::{View, deref};
use crate::store::raw;

/// The reason why a constraint is not posted.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Fault {
    /// The constraint has no solution, or the work must stop.
    Halt(Halt),
    /// `domain_error(clpfd_expression, Culprit)`.
    Expression(Cell),
    /// `domain_error(clpfd_reifiable_expression, Culprit)`.
    Reifiable(Cell),
    /// `domain_error(clpfd_domain, Culprit)`.
    Domain(Cell),
    /// `type_error(integer, Culprit)`.
    Integer(Cell),
    /// `type_error(list, Culprit)`.
    List(Cell),
    /// `instantiation_error`.
    Instantiation,
}

impl From<Halt> for Fault {
    fn from(halt: Halt) -> Fault {
        Fault::Halt(halt)
    }
}

impl From<Stop> for Fault {
    fn from(_: Stop) -> Fault {
        Fault::Halt(Halt::Stop)
    }
}

/// The result of posting a constraint.
pub(crate) type PostResult<T = ()> = Result<T, Fault>;

/// A relation between expressions.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    /// `#=`
    Equal,
    /// `#\=`
    Different,
    /// `#<`
    Less,
    /// `#>`
    Greater,
    /// `#=<`
    AtMost,
    /// `#>=`
    AtLeast,
}

impl Relation {
    /// Returns the relation with this functor.
    pub(crate) fn of(functor: Functor) -> Option<Relation> {
        Some(match functor {
            functors::FD_EQUAL => Relation::Equal,
            functors::FD_DIFFERENT => Relation::Different,
            functors::FD_LESS => Relation::Less,
            functors::FD_GREATER => Relation::Greater,
            functors::FD_AT_MOST => Relation::AtMost,
            functors::FD_AT_LEAST => Relation::AtLeast,
            _ => return None,
        })
    }
}

/// An operation that is not linear.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Operation {
    Times,
    Of(Kinds),
    /// A function that waits for its arguments, by number.
    Function(usize),
}

/// Returns the operation of a functor.
fn operation(functor: Functor, mode: Mode) -> Option<Operation> {
    Some(match functor {
        functors::STAR2 => Operation::Times,
        functors::CARET2 => Operation::Of(Kinds::Power),
        functors::INT_DIV => Operation::Of(Kinds::Truncated),
        functors::DIV2 => Operation::Of(Kinds::Floored),
        functors::MOD2 => Operation::Of(Kinds::Modulo),
        functors::REM2 => Operation::Of(Kinds::Remainder),
        functors::RDIV2 => Operation::Of(Kinds::Exact),
        functors::SLASH if mode.clpz => Operation::Of(Kinds::Exact),
        functors::MIN2 => Operation::Of(Kinds::Minimum),
        functors::MAX2 => Operation::Of(Kinds::Maximum),
        functors::ABS1 => Operation::Of(Kinds::Absolute),
        functors::COMPLEMENT1 => Operation::Function(0),
        functors::MSB1 => Operation::Function(1),
        functors::LSB1 => Operation::Function(2),
        functors::POPCOUNT1 => Operation::Function(3),
        functors::SHIFT_LEFT2 => Operation::Function(4),
        functors::LAMBDA_GOAL => Operation::Function(5),
        functors::BIT_AND2 => Operation::Function(6),
        functors::BIT_OR2 => Operation::Function(7),
        functors::XOR2 => Operation::Function(8),
        _ => return None,
    })
}

/// A step of the walk over an expression.
enum Work {
    /// A sum: the sum so far, and the remaining terms with their factors, last first.
    Sum(Linear, Vec<(Large, Cell)>),
    /// An operation, the factor of its result, its arguments, and the values of the finished arguments.
    Operation(Operation, Large, Vec<Cell>, Vec<Linear>),
}

/// The dialect of expressions.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct Mode {
    /// Whether a plain variable without `#` or `?` is an error (flag `clpfd_monotonic`).
    pub(crate) monotonic: bool,
    /// Whether `/` and `sign/1` are functions, as in `library(clpz)`.
    pub(crate) clpz: bool,
}

/// Variables that are 1 if an expression has a value, 0 if it has none. `None` means that nothing is reified, so the
/// expression must have a value.
pub(crate) type Conditions<'c> = Option<&'c mut Vec<Cell>>;

impl Fd<'_> {
    /// Returns the value of an expression as a sum. The results of operations are variables of the sum.
    pub(crate) fn linear(
        &mut self,
        terms: &[(i64, Cell)],
        mode: Mode,
        conditions: Conditions<'_>,
    ) -> PostResult<Linear> {
        let mut conditions = conditions;
        let mut first = with_room(terms.len())?;
        for (factor, term) in terms.iter().rev() {
            if !self.store.acyclic_term(*term)? {
                return Err(Fault::Expression(*term));
            }
            first.put((Large::of(*factor), *term))?;
        }
        let mut stack = vec![Work::Sum(Linear::constant(Large::of(0)), first)];
        loop {
            let Some(work) = stack.last_mut() else {
                return Err(Halt::Fail.into());
            };
            match work {
                Work::Sum(sum, terms) => {
                    if let Some((factor, term)) = terms.pop() {
                        if let Some(work) = self.add_term(sum, terms, factor, term, mode)? {
                            stack.put(work)?;
                        }
                        continue;
                    }
                    let done = std::mem::replace(sum, Linear::constant(Large::of(0)));
                    stack.pop();
                    match stack.last_mut() {
                        Some(Work::Operation(_, _, _, values)) => values.put(done)?,
                        _ => return Ok(self.simplify(done)?),
                    }
                }
                Work::Operation(operation, factor, arguments, values) => {
                    if let Some(argument) = arguments.pop() {
                        let terms = vec![(Large::of(1), argument)];
                        stack.put(Work::Sum(Linear::constant(Large::of(0)), terms))?;
                        continue;
                    }
                    let (operation, factor, values) =
                        (*operation, factor.clone(), std::mem::take(values));
                    stack.pop();
                    let value = self.apply(operation, values, None, conditions.as_deref_mut())?;
                    if let Some(Work::Sum(sum, _)) = stack.last_mut() {
                        sum.add(&factor, value, self)?;
                    }
                }
            }
            self.look()?;
        }
    }

    /// Adds a term to a sum: its parts if it is linear. Returns the work for another operation, which must be done
    /// first.
    fn add_term(
        &mut self,
        sum: &mut Linear,
        terms: &mut Vec<(Large, Cell)>,
        factor: Large,
        term: Cell,
        mode: Mode,
    ) -> PostResult<Option<Work>> {
        let term = deref(term);
        let (functor, at) = match self.store.view(term) {
            View::Var(_) => {
                if mode.monotonic && super::domain::record(term).is_none() {
                    return Err(Fault::Instantiation);
                }
                self.constrain(term)?;
                sum.terms.put((factor, deref(term)))?;
                return Ok(None);
            }
            View::Int(_) | View::Big(_) => {
                let value = self.integer::<Large>(term)?.mul(&factor, self.store)?;
                sum.constant = sum.constant.add(&value)?;
                return Ok(None);
            }
            View::Struct(functor, at) => (functor, at),
            _ => return Err(Fault::Expression(term)),
        };
        let argument = |index: u64| raw::cell(at + index * crate::store::cell::WORD);
        match functor {
            functors::PLUS2 => {
                terms.put((factor.clone(), argument(1)))?;
                terms.put((factor, argument(0)))?;
            }
            functors::MINUS2 => {
                terms.put((factor.neg()?, argument(1)))?;
                terms.put((factor, argument(0)))?;
            }
            functors::MINUS1 => terms.put((factor.neg()?, argument(0)))?,
            functors::FD_VARIABLE | functors::FD_QUESTION => {
                let inner = deref(argument(0));
                match self.store.view(inner) {
                    View::Var(_) => {
                        self.constrain(inner)?;
                        sum.terms.put((factor, deref(inner)))?;
                    }
                    View::Int(_) | View::Big(_) => terms.put((factor, inner))?,
                    _ => return Err(Fault::Integer(inner)),
                }
            }
            functors::SIGN1 if mode.clpz => {
                self.store.reserve(8)?;
                let bounded = [Cell::int(1), argument(0)];
                let bounded = self.store.new_struct(functors::MIN2, &bounded);
                let bounded = [Cell::int(-1), bounded];
                terms.put((factor, self.store.new_struct(functors::MAX2, &bounded)))?;
            }
            functor => {
                let Some(operation) = operation(functor, mode) else {
                    return Err(Fault::Expression(term));
                };
                let mut arguments = with_room(2)?;
                for index in (0..functor.arity() as u64).rev() {
                    arguments.put(argument(index))?;
                }
                return Ok(Some(Work::Operation(
                    operation,
                    factor,
                    arguments,
                    Vec::new(),
                )));
            }
        }
        Ok(None)
    }

    /// Returns the value of an operation as a sum. `result` is the term that the value must equal, if there is one.
    fn apply(
        &mut self,
        operation: Operation,
        values: Vec<Linear>,
        result: Option<Cell>,
        conditions: Conditions<'_>,
    ) -> PostResult<Linear> {
        let mut values = values.into_iter();
        let first = self.simplify(values.next().ok_or(Halt::Fail)?)?;
        let second = match values.next() {
            Some(second) => Some(self.simplify(second)?),
            None => None,
        };
        if operation == Operation::Times
            && let Some(second) = &second
        {
            let (factor, other) = match second.terms.is_empty() {
                true => (&second.constant, &first),
                false => (&first.constant, second),
            };
            if first.terms.is_empty() || second.terms.is_empty() {
                let mut product = Linear::constant(Large::of(0));
                product.add(factor, other.clone(), self)?;
                return Ok(product);
            }
        }
        let x = self.as_term(first)?;
        let y = match second {
            Some(second) => Some(self.as_operand(operation, second, conditions.is_none())?),
            None => None,
        };
        let z = match result {
            Some(result) => result,
            None => self.new_variable()?,
        };
        self.post_operation(operation, x, y, z, conditions)?;
        let mut value = Linear::constant(Large::of(0));
        value.terms.put((Large::of(1), z))?;
        Ok(value)
    }

    /// Returns the second operand of an operation. If the operation must have a value, excludes zero for a divisor
    /// that is a multiple of a variable.
    fn as_operand(&mut self, operation: Operation, sum: Linear, must: bool) -> R<Cell> {
        let divides = matches!(
            operation,
            Operation::Of(Kinds::Truncated | Kinds::Floored | Kinds::Modulo | Kinds::Remainder)
        );
        if must && divides && sum.terms.len() == 1 {
            let zero = sum.constant.neg()?;
            self.post_linear(Kinds::LinearDifferent, sum.terms.clone(), zero)?;
        }
        self.as_term(sum)
    }

    /// Posts that an operation on integers and variables has a result.
    fn post_operation(
        &mut self,
        operation: Operation,
        x: Cell,
        y: Option<Cell>,
        z: Cell,
        conditions: Conditions<'_>,
    ) -> PostResult {
        let (kind, args): (_, Vec<Cell>) = match (operation, y) {
            (Operation::Times, Some(y)) if x == y => (Kinds::Power, vec![x, Cell::int(2), z]),
            (Operation::Times, Some(y)) => (Kinds::Times, vec![x, y, z]),
            (Operation::Of(kind), Some(y)) => (kind, vec![x, y, z]),
            (Operation::Of(kind), None) => (kind, vec![x, z]),
            (Operation::Function(number), y) => {
                let y = y.unwrap_or(Cell::int(0));
                (Kinds::Function, vec![Cell::int(number as i64), x, y, z])
            }
            (Operation::Times, None) => return Err(Halt::Fail.into()),
        };
        let propagator = self.new_propagator(kind, &args)?;
        let known = |y: Option<Cell>| y.is_none_or(|y| !y.is_var());
        if conditions.is_none() && !x.is_var() && known(y) {
            return Ok(self.run(propagator)?);
        }
        let partial = matches!(
            kind,
            Kinds::Truncated
                | Kinds::Floored
                | Kinds::Modulo
                | Kinds::Remainder
                | Kinds::Exact
                | Kinds::Power
        );
        match conditions {
            Some(conditions) if partial => {
                if let Some(condition) = self.definedness(kind, x, args[1])? {
                    conditions.put(condition)?;
                    let args = [condition, propagator.cell()];
                    self.post(Kinds::Implied, &args, &[(condition, Wait::Inst)])?;
                    return Ok(());
                }
                Ok(self.start_function(propagator)?)
            }
            _ => Ok(self.start_function(propagator)?),
        }
    }

    /// Returns a variable that is 1 if the operation has a value; `None` if it always has one.
    fn definedness(&mut self, kind: Kinds, x: Cell, y: Cell) -> PostResult<Option<Cell>> {
        if kind == Kinds::Power {
            if self.min::<Large>(y)?.sign().is_ge() {
                return Ok(None);
            }
            // Only 1 and -1 have powers to a negative exponent.
            let natural = self.reified_member(y, &[(Large::of(0), Large::SUP)])?;
            let units = [(Large::of(-1), Large::of(-1)), (Large::of(1), Large::of(1))];
            let unit = self.reified_member(x, &units)?;
            return Ok(Some(self.junction(Kinds::Or, &[natural, unit])?));
        }
        let divisor = if self.contains(y, &Large::of(0))? {
            let others = [(Large::INF, Large::of(-1)), (Large::of(1), Large::SUP)];
            Some(self.reified_member(y, &others)?)
        } else {
            None
        };
        if kind != Kinds::Exact {
            return Ok(divisor);
        }
        let remainder = self.new_variable()?;
        let division = self.new_propagator(Kinds::Modulo, &[x, y, remainder])?;
        match divisor {
            Some(divisor) => {
                let args = [divisor, division.cell()];
                self.post(Kinds::Implied, &args, &[(divisor, Wait::Inst)])?;
            }
            None => self.start_function(division)?,
        }
        let whole = self.reified_member(deref(remainder), &[(Large::of(0), Large::of(0))])?;
        match divisor {
            Some(divisor) => Ok(Some(self.junction(Kinds::And, &[divisor, whole])?)),
            None => Ok(Some(whole)),
        }
    }

    /// Makes a propagator of an operation wait for its arguments, and runs it.
    pub(crate) fn start_function(&mut self, propagator: Propagator) -> R {
        let known = (0..propagator.count().min(2)).any(|index| {
            propagator
                .arg(index)
                .is_ok_and(|argument| !argument.is_var())
        });
        let wait = match propagator.kind_number() {
            kind if kind == Kinds::Function as usize => Wait::Inst,
            kind if kind == Kinds::Absolute as usize || known => Wait::Dom,
            _ => Wait::Bounds,
        };
        for index in 0..propagator.count() {
            let argument = propagator.arg(index)?;
            if argument.is_var() {
                self.subscribe(argument, propagator.cell(), wait)?;
            }
        }
        self.start(propagator, &[])
    }

    /// Returns a term for a sum: the variable or integer that equals it, or else a new variable for it.
    pub(crate) fn as_term(&mut self, sum: Linear) -> R<Cell> {
        if sum.terms.is_empty() {
            return sum.constant.cell(self.store);
        }
        if let [(a, x)] = &sum.terms[..]
            && *a == Large::of(1)
            && sum.constant.is_zero()
        {
            return Ok(*x);
        }
        let variable = self.new_variable()?;
        let mut terms = sum.terms;
        terms.put((Large::of(-1), variable))?;
        self.post_linear(Kinds::LinearEqual, terms, sum.constant.neg()?)?;
        Ok(deref(variable))
    }

    /// Returns the linear relation for `sum relation 0`: its kind, terms and constant.
    pub(crate) fn relate(&self, relation: Relation, sum: Linear) -> R<(Kinds, Terms, Large)> {
        let (mut terms, mut rest) = (sum.terms, sum.constant.neg()?);
        let (kind, opposite) = match relation {
            Relation::Equal => (Kinds::LinearEqual, false),
            Relation::Different => (Kinds::LinearDifferent, false),
            Relation::AtMost | Relation::Less => (Kinds::LinearAtMost, false),
            Relation::AtLeast | Relation::Greater => (Kinds::LinearAtMost, true),
        };
        if opposite {
            for (a, _) in &mut terms {
                *a = a.neg()?;
            }
            rest = rest.neg()?;
        }
        if matches!(relation, Relation::Less | Relation::Greater) {
            rest = rest.before()?;
        }
        Ok((kind, terms, rest))
    }

    /// Posts `left relation right`.
    pub(crate) fn post_relation(
        &mut self,
        relation: Relation,
        left: Cell,
        right: Cell,
        mode: Mode,
    ) -> PostResult {
        let (left, right) = (deref(left), deref(right));
        if self.post_few(relation, left, right, mode)? {
            return Ok(());
        }
        if relation == Relation::Equal {
            for (result, expression) in [(left, right), (right, left)] {
                if self.post_result(result, expression, mode)? {
                    return Ok(());
                }
            }
        }
        let sum = self.linear(&[(1, left), (-1, right)], mode, None)?;
        let (kind, terms, rest) = self.relate(relation, sum)?;
        Ok(self.post_linear(kind, terms, rest)?)
    }

    /// Posts `result #= expression` if the expression is an operation whose result is a variable or an integer.
    fn post_result(&mut self, result: Cell, expression: Cell, mode: Mode) -> PostResult<bool> {
        let plain =
            result.is_var() || matches!(self.store.view(result), View::Int(_) | View::Big(_));
        let View::Struct(functor, at) = self.store.view(expression) else {
            return Ok(false);
        };
        let Some(operation) = operation(functor, mode).filter(|_| plain) else {
            return Ok(false);
        };
        if result.is_var() && mode.monotonic && super::domain::record(result).is_none() {
            return Err(Fault::Instantiation);
        }
        let mut values = with_room(2)?;
        for index in 0..functor.arity() as u64 {
            let argument = raw::cell(at + index * crate::store::cell::WORD);
            values.put(self.linear(&[(1, argument)], mode, None)?)?;
        }
        self.constrain(result)?;
        let result = deref(result);
        let mut value = self.apply(operation, values, Some(result), None)?;
        value.terms.put((Large::of(-1), result))?;
        Ok(self
            .post_linear(Kinds::LinearEqual, value.terms, value.constant.neg()?)
            .map(|()| true)?)
    }
}

/// The names of the functions are those that are numbered in [`operation`].
const _: () = assert!(FUNCTIONS.len() == 9 && atoms::INF.0 != atoms::SUP.0);
