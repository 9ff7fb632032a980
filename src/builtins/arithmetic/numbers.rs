//! Arithmetic evaluation and comparison (ISO 13211-1, 8.6 and 8.7), relations between integers, and random numbers.
//! Evaluation is in `machine::evaluate`.

use crate::arith::compare::compare;
use crate::arith::error::Result as ArithResult;
use crate::arith::evaluable::EvalHost;
use crate::arith::random::RandomState;
use crate::arith::{integer, mixed};
use crate::base::atom_table::atoms;
use crate::base::needs::{Permit, Random};
use crate::base::number::Number;
use crate::machine::builtin::builtins;
use crate::machine::control::throw::Throw;
use crate::machine::evaluate::{arith_error, evaluate};
use crate::machine::state::Machine;
use crate::store::cell::Cell;
use crate::store::heap::View;
use std::cmp::Ordering;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Compares the values of two terms. Returns `None` if one is not a number.
fn order(m: &mut Machine, x: Cell, y: Cell) -> Result<Option<Ordering>, Throw> {
    if x.is_int() && y.is_int() {
        return Ok(Some(x.int_value().cmp(&y.int_value())));
    }
    let x = evaluate(m, x)?;
    let y = evaluate(m, y)?;
    Ok(compare(&x, &y))
}

/// Returns the result of a function of `arith`, or its exception.
fn value(m: &mut Machine, result: ArithResult<Number>) -> Result<Number, Throw> {
    result.map_err(|error| arith_error(m, error))
}

/// Returns a non-negative integer, or `None` for a variable.
fn natural_arg(m: &mut Machine, cell: Cell) -> Result<Option<Number>, Throw> {
    match m.optional_integer(cell)? {
        Some(number) if number.is_negative() => {
            Err(m.domain_error(atoms::NOT_LESS_THAN_ZERO, cell))
        }
        number => Ok(number),
    }
}

/// Runs `succ/2`.
fn succ(m: &mut Machine, small: Cell, great: Cell) -> Result<bool, Throw> {
    let known = natural_arg(m, small)?;
    let next = natural_arg(m, great)?;
    match (known, next) {
        (Some(known), _) => {
            let next = value(m, mixed::add(&known, &Number::Int(1)))?;
            m.unify_number(great, &next)
        }
        (None, Some(next)) if next.is_zero() => Ok(false),
        (None, Some(next)) => {
            let known = value(m, mixed::sub(&next, &Number::Int(1)))?;
            m.unify_number(small, &known)
        }
        (None, None) => Err(m.instantiation_error()),
    }
}

/// Runs `plus/3`.
fn plus(m: &mut Machine, args: [Cell; 3]) -> Result<bool, Throw> {
    let mut known = [None, None, None];
    for (known, arg) in known.iter_mut().zip(args) {
        *known = m.optional_integer(arg)?;
    }
    let [x, y, z] = known;
    let (missing, found) = match (x, y, z) {
        (Some(x), Some(y), _) => (args[2], mixed::add(&x, &y)),
        (Some(x), None, Some(z)) => (args[1], mixed::sub(&z, &x)),
        (None, Some(y), Some(z)) => (args[0], mixed::sub(&z, &y)),
        _ => return Err(m.instantiation_error()),
    };
    let found = value(m, found)?;
    m.unify_number(missing, &found)
}

/// Returns a random integer from `low` to `high`, or `None` if the range is empty.
fn random_between(
    m: &mut Machine,
    random: &Permit<Random>,
    low: &Number,
    high: &Number,
) -> Result<Option<Number>, Throw> {
    if compare(low, high) == Some(Ordering::Greater) {
        return Ok(None);
    }
    let width = value(m, mixed::sub(high, low))?;
    let count = value(m, mixed::add(&width, &Number::Int(1)))?;
    let offset = m.random(random).number_below(&count)?;
    value(m, mixed::add(low, &offset)).map(Some)
}

/// Sets the generator of random numbers by an option of `set_random/1`.
fn set_random(m: &mut Machine, random: &Permit<Random>, option: Cell) -> Result<bool, Throw> {
    let seed = match m.store.view(option) {
        View::Struct(functor, addr)
            if functor.arity() == 1 && m.world.symbols.name_text(functor) == "seed" =>
        {
            m.store.arg(addr, 0)
        }
        _ => return Err(m.domain_error("set_random_option", option)),
    };
    match m.store.view(seed) {
        View::Var(_) => return Err(m.instantiation_error()),
        View::Atom(atoms::RANDOM) => m.restart_random(random),
        _ => {
            let mut hasher = DefaultHasher::new();
            m.store.term_hash(seed)?.hash(&mut hasher);
            *m.random(random) = RandomState::new(hasher.finish());
        }
    }
    Ok(true)
}

builtins! { NUMBERS =
    /// Evaluates `evaluable` and unifies `number` with the result. ISO 8.6.1.
    ///
    /// ?- X is 3 + 4 * 2.
    /// X = 11.
    ///
    /// ?- X is 7 / 2, Y is 7 // 2, Z is 7 mod 2.
    /// X = 3.5,
    /// Y = 3,
    /// Z = 1.
    ///
    /// ?- X is 2 ** -1.
    /// X = 0.5.
    ///
    /// ?- X is Y + 1.
    /// error: (is)/2: Arguments are not sufficiently instantiated [instantiation_error]
    ///   help: Y has no value yet: a goal before this one must give it one
    ///
    /// ?- X is foo + 1.
    /// error: (is)/2: Arithmetic: evaluable `foo/0' does not exist [type_error(evaluable, foo/0)]
    ///
    /// ?- 4 is 2 + 2.0.
    /// false.
    iso "is"("?number", "+evaluable") = |m, [result, expression]| {
        let value = evaluate(m, expression)?;
        m.unify_number(result, &value)
    };

    /// True if the values of the two arguments are equal. ISO 8.7.1.
    ///
    /// ?- 1 + 1 =:= 2.0.
    /// true.
    iso "=:="("+evaluable", "+evaluable") = |m, [x, y]| Ok(order(m, x, y)? == Some(Ordering::Equal));

    /// True if the values of the two arguments are not equal. ISO 8.7.1.
    ///
    /// ?- 1 =\= 2.
    /// true.
    iso "=\\="("+evaluable", "+evaluable") = |m, [x, y]| Ok(order(m, x, y)? != Some(Ordering::Equal));

    /// True if the value of the first argument is less than the value of the second. ISO 8.7.1.
    ///
    /// ?- 1 + 2 < 4.
    /// true.
    ///
    /// ?- a < 1.
    /// error: (<)/2: Arithmetic: evaluable `a/0' does not exist [type_error(evaluable, a/0)]
    iso "<"("+evaluable", "+evaluable") = |m, [x, y]| Ok(order(m, x, y)? == Some(Ordering::Less));

    /// True if the value of the first argument is not greater than the value of the second. ISO 8.7.1.
    ///
    /// ?- 2 =< 2.
    /// true.
    iso "=<"("+evaluable", "+evaluable") = |m, [x, y]| {
        Ok(matches!(order(m, x, y)?, Some(Ordering::Less | Ordering::Equal)))
    };

    /// True if the value of the first argument is greater than the value of the second. ISO 8.7.1.
    ///
    /// ?- 2 > 1.5.
    /// true.
    iso ">"("+evaluable", "+evaluable") = |m, [x, y]| Ok(order(m, x, y)? == Some(Ordering::Greater));

    /// True if the value of the first argument is not less than the value of the second. ISO 8.7.1.
    ///
    /// ?- 2 >= 3.
    /// false.
    iso ">="("+evaluable", "+evaluable") = |m, [x, y]| {
        Ok(matches!(order(m, x, y)?, Some(Ordering::Greater | Ordering::Equal)))
    };

    /// True if the second integer is the first + 1. Both are integers that are not negative.
    ///
    /// ?- succ(3, X).
    /// X = 4.
    ///
    /// ?- succ(X, 4).
    /// X = 3.
    ///
    /// ?- succ(X, 0).
    /// false.
    library "succ"("?integer", "?integer") = |m, [small, great]| succ(m, small, great);

    /// True if the third integer is the sum of the first two. Computes the third integer from any two bound
    /// ones.
    ///
    /// ?- plus(1, 2, X).
    /// X = 3.
    ///
    /// ?- plus(1, X, 3).
    /// X = 2.
    library "plus"("?integer", "?integer", "?integer") = |m, [x, y, sum]| plus(m, [x, y, sum]);

    /// Divides the first integer by the second and unifies the third with the quotient, rounded down, and the
    /// fourth with the remainder.
    ///
    /// ?- divmod(17, 5, Q, R).
    /// Q = 3,
    /// R = 2.
    ///
    /// ?- divmod(-17, 5, Q, R).
    /// Q = -4,
    /// R = 3.
    library "divmod"("+integer", "+integer", "-integer", "-integer")
        = |m, [dividend, divisor, quotient, remainder]| {
        let (x, y) = (m.integer_arg(dividend)?, m.integer_arg(divisor)?);
        let (q, r) = (
            integer::div_floor(&x, &y, m.bounds()),
            integer::modulo(&x, &y, m.bounds()),
        );
        let (q, r) = (value(m, q)?, value(m, r)?);
        Ok(m.unify_number(quotient, &q)? && m.unify_number(remainder, &r)?)
    };

    /// Unifies `float` with a random float strictly between 0 and 1.
    library "random"("-float") needs random, history = |m, [x]| {
        let float = m.random(random).float();
        m.unify_number(x, &Number::Float(float))
    };

    /// Unifies the third integer with a random integer from the first to the second, both included. Fails if
    /// there is no such integer.
    ///
    /// ?- random_between(6, 6, X).
    /// X = 6.
    library "random_between"("+integer", "+integer", "-integer") needs random, history = |m, [low, high, x]| {
        let (low, high) = (m.integer_arg(low)?, m.integer_arg(high)?);
        match random_between(m, random, &low, &high)? {
            Some(number) => m.unify_number(x, &number),
            None => Ok(false),
        }
    };

    /// Unifies the third number with a random number from the first number up to, but not including, the
    /// second. The result is an integer if both bounds are integers, else a float.
    library "random"("+number", "+number", "-number") needs random, history = |m, [low, high, x]| {
        let (low, high) = (evaluate(m, low)?, evaluate(m, high)?);
        if low.is_integer() && high.is_integer() {
            let last = value(m, mixed::sub(&high, &Number::Int(1)))?;
            return match random_between(m, random, &low, &last)? {
                Some(number) => m.unify_number(x, &number),
                None => Ok(false),
            };
        }
        let width = value(m, mixed::sub(&high, &low))?;
        let share = Number::Float(m.random(random).float());
        let offset = mixed::mul(&width, &share, m.bounds());
        let offset = value(m, offset)?;
        let found = value(m, mixed::add(&low, &offset))?;
        m.unify_number(x, &found)
    };

    /// Restarts the random number generator: from `seed(Seed)`, or from a different point each time with
    /// `seed(random)`.
    ///
    /// ?- set_random(seed(42)), _X is random(1000), set_random(seed(42)), _X is random(1000).
    /// true.
    library "set_random"("+term") needs random, effect = |m, [option]| set_random(m, random, option);
}
