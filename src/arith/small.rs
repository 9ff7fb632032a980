//! Functions of integers of one cell, and functions from floats to such integers, in a form without calls and
//! without errors. If they have no such result, the functions of the table compute it; both agree.

use super::evaluable::{EvalId, row};

const IDENTITY: u16 = row("+", 1);
const EVAL: u16 = row("eval", 1);
const NEGATION: u16 = row("-", 1);
const ABS: u16 = row("abs", 1);
const SIGN: u16 = row("sign", 1);
const SUCC: u16 = row("succ", 1);
const COMPLEMENT: u16 = row("\\", 1);
const MSB: u16 = row("msb", 1);
const LSB: u16 = row("lsb", 1);
const POPCOUNT: u16 = row("popcount", 1);
const INTEGER: u16 = row("integer", 1);
const FLOOR: u16 = row("floor", 1);
const CEILING: u16 = row("ceiling", 1);
const CEIL: u16 = row("ceil", 1);
const ROUND: u16 = row("round", 1);
const TRUNCATE: u16 = row("truncate", 1);
const TRUNC: u16 = row("trunc", 1);
const SQRT: u16 = row("sqrt", 1);

const ADD: u16 = row("+", 2);
const SUBTRACT: u16 = row("-", 2);
const MULTIPLY: u16 = row("*", 2);
const DIVIDE: u16 = row("/", 2);
const INT_DIVIDE: u16 = row("//", 2);
const REM: u16 = row("rem", 2);
const DIV: u16 = row("div", 2);
const MOD: u16 = row("mod", 2);
const MIN: u16 = row("min", 2);
const MAX: u16 = row("max", 2);
const GCD: u16 = row("gcd", 2);
const PLUS: u16 = row("plus", 2);
const POWER: u16 = row("**", 2);
const CARET: u16 = row("^", 2);
const SHIFT_RIGHT: u16 = row(">>", 2);
const SHIFT_LEFT: u16 = row("<<", 2);
const AND: u16 = row("/\\", 2);
const OR: u16 = row("\\/", 2);
const XOR: u16 = row("xor", 2);
const GETBIT: u16 = row("getbit", 2);

/// Returns the value of a function of an integer of one cell.
#[inline(always)]
pub(crate) fn one(id: EvalId, x: i64) -> Option<i64> {
    match id.0 {
        IDENTITY | EVAL | INTEGER | FLOOR | CEILING | CEIL | ROUND | TRUNCATE | TRUNC => Some(x),
        NEGATION => x.checked_neg(),
        ABS => x.checked_abs(),
        SIGN => Some(x.signum()),
        SUCC if x >= 0 => x.checked_add(1),
        COMPLEMENT => Some(!x),
        MSB if x > 0 => Some(63 - i64::from(x.leading_zeros())),
        LSB if x > 0 => Some(i64::from(x.trailing_zeros())),
        POPCOUNT if x >= 0 => Some(i64::from(x.count_ones())),
        _ => None,
    }
}

/// Returns the value of a function of two integers of one cell.
#[inline(always)]
pub(crate) fn two(id: EvalId, x: i64, y: i64, iso: bool) -> Option<i64> {
    match id.0 {
        AND => Some(x & y),
        OR => Some(x | y),
        XOR => Some(x ^ y),
        SHIFT_RIGHT if y >= 0 => Some(x >> y.min(63)),
        SHIFT_LEFT if (0..64).contains(&y) && (x << y) >> y == x => Some(x << y),
        MIN => Some(if y < x { y } else { x }),
        MAX => Some(if y > x { y } else { x }),
        REM if y != 0 => Some(x.wrapping_rem(y)),
        INT_DIVIDE => x.checked_div(y),
        DIVIDE if !iso && x.checked_rem(y) == Some(0) => Some(x / y),
        DIV if y != 0 => {
            let (quotient, rest) = (x.wrapping_div(y), x.wrapping_rem(y));
            Some(quotient - i64::from(rest != 0 && (rest ^ y) < 0))
        }
        MOD if y != 0 => {
            let rest = x.wrapping_rem(y);
            Some(if rest != 0 && (rest ^ y) < 0 {
                rest + y
            } else {
                rest
            })
        }
        GCD => i64::try_from(gcd(x.unsigned_abs(), y.unsigned_abs())).ok(),
        ADD | PLUS => x.checked_add(y),
        SUBTRACT => x.checked_sub(y),
        MULTIPLY => x.checked_mul(y),
        POWER if iso => None,
        POWER | CARET => power(x, y),
        GETBIT if x >= 0 && y >= 0 => Some((x >> y.min(63)) & 1),
        _ => None,
    }
}

/// Returns whether the function of two integers has an integer as its result whenever the second integer has this
/// sign.
pub(crate) fn is_defined(id: EvalId, sign: i64) -> bool {
    match id.0 {
        INT_DIVIDE | REM | DIV | MOD => sign != 0,
        CARET => sign >= 0,
        _ => true,
    }
}

/// Returns the integer that a function makes of a float, if it has 64 bits at most.
#[inline(always)]
pub(crate) fn integer_of_float(id: EvalId, x: f64) -> Option<i64> {
    // At or above this all floats are integers; below it, the additions here do not round.
    const LIMIT: f64 = (1u64 << 52) as f64;
    if x.is_nan() || x.abs() >= LIMIT {
        return None;
    }
    let whole = x as i64;
    let rest = x - whole as f64;
    match id.0 {
        TRUNCATE | TRUNC => Some(whole),
        FLOOR => Some(whole - i64::from(rest < 0.0)),
        CEILING | CEIL => Some(whole + i64::from(rest > 0.0)),
        INTEGER => Some(whole + i64::from(rest >= 0.5) - i64::from(rest <= -0.5)),
        // For negative numbers the result depends on the flag `iso`.
        ROUND if x >= 0.0 => Some(whole + i64::from(rest >= 0.5)),
        _ => None,
    }
}

/// Returns whether the function converts an integer argument to a float first.
#[inline(always)]
pub(crate) fn is_of_floats(id: EvalId) -> bool {
    id.0 == SQRT
}

/// Returns the float that a function makes of one float.
#[inline(always)]
pub(crate) fn float_of_float(id: EvalId, x: f64) -> Option<f64> {
    let value = match id.0 {
        SQRT => x.sqrt(),
        NEGATION => -x,
        ABS => x.abs(),
        _ => return None,
    };
    value.is_finite().then_some(value)
}

/// Returns the float that a function makes of two floats.
#[inline(always)]
pub(crate) fn float_of_floats(id: EvalId, x: f64, y: f64) -> Option<f64> {
    let value = match id.0 {
        ADD | PLUS => x + y,
        SUBTRACT => x - y,
        MULTIPLY => x * y,
        DIVIDE => x / y,
        _ => return None,
    };
    value.is_finite().then_some(value)
}

/// A number of one word.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) enum Small {
    /// An integer.
    Int(i64),
    /// A float.
    Float(f64),
}

impl Small {
    /// Returns the float that is exactly equal, if there is one.
    #[inline(always)]
    fn float(self) -> Option<f64> {
        const EXACT: u64 = 1 << 53;
        match self {
            Small::Int(value) => (value.unsigned_abs() <= EXACT).then_some(value as f64),
            Small::Float(value) => Some(value),
        }
    }
}

/// Returns the value of a function of one number.
#[inline(always)]
pub(crate) fn apply1(id: EvalId, x: Small) -> Option<Small> {
    match x {
        Small::Int(x) => one(id, x).map(Small::Int),
        Small::Float(x) => match float_of_float(id, x) {
            Some(value) => Some(Small::Float(value)),
            None => integer_of_float(id, x).map(Small::Int),
        },
    }
}

/// Returns the value of a function of two numbers.
#[inline(always)]
pub(crate) fn apply2(id: EvalId, x: Small, y: Small, iso: bool) -> Option<Small> {
    if let (Small::Int(x), Small::Int(y)) = (x, y) {
        return two(id, x, y, iso).map(Small::Int);
    }
    float_of_floats(id, x.float()?, y.float()?).map(Small::Float)
}

/// Returns the greatest common divisor, by shifts and subtractions.
#[inline(always)]
fn gcd(mut x: u64, mut y: u64) -> u64 {
    if x == 0 || y == 0 {
        return x | y;
    }
    let twos = (x | y).trailing_zeros();
    x >>= x.trailing_zeros();
    while y != 0 {
        y >>= y.trailing_zeros();
        (x, y) = (x.min(y), x.abs_diff(y));
    }
    x << twos
}

/// Returns a power with an exponent that is not negative.
#[inline(always)]
fn power(x: i64, y: i64) -> Option<i64> {
    let (mut value, mut square, mut left) = (1i64, x, u64::try_from(y).ok()?);
    loop {
        if left & 1 == 1 {
            value = value.checked_mul(square)?;
        }
        left >>= 1;
        if left == 0 {
            return Some(value);
        }
        square = square.checked_mul(square)?;
    }
}
