//! The evaluable functors: a table of them all, and how to find and apply one. They are those of ISO 13211-1, 9.1 to
//! 9.4, Cor.2 and Cor.3, and the functions of SWI-Prolog.

use super::error::{ArithError, Result};
use super::float::{self, elementary};
use super::large::{Bounds, product_taking, room_to_work};
use super::{integer, mixed, power};
use crate::base::needs::{Clock, Kind, Needs, Permit, Random, same};
use crate::base::number::{INLINE_MAX, INLINE_MIN, Number};
use dashu_int::IBig;
use dashu_int::ops::BitTest;

/// The requests of an evaluation to the engine and its host.
pub(crate) trait EvalHost {
    /// Returns a random integer from 0 up to, not including, `limit`, which is an integer of at least 1.
    fn random_below(&mut self, random: &Permit<Random>, limit: &Number) -> Result<Number>;
    /// Returns a random float strictly between 0 and 1.
    fn random_float(&mut self, random: &Permit<Random>) -> f64;
    /// Returns the CPU time that the process has used, in seconds.
    fn cputime(&self, clock: &Permit<Clock>) -> f64;
    /// Returns the seconds since 1970-01-01 00:00 UTC.
    fn realtime(&self, clock: &Permit<Clock>) -> i64;
    /// Returns whether the policy of the engine grants this need.
    fn grants(&self, need: Needs) -> bool;
    /// Returns the limit of the size of a result, and the watch that knows whether the work must stop.
    fn bounds(&self) -> Bounds<'_>;
    /// Returns the flag `iso`.
    fn iso(&self) -> bool;
}

type Host<'a> = &'a mut dyn EvalHost;

/// A function of two integers, one of them large, that reuses the memory of the large one for its result.
type Taking = fn(IBig, IBig, Host<'_>) -> Result<IBig>;

/// The function of an evaluable, by its arity.
#[derive(Copy, Clone)]
pub(crate) enum Function {
    /// A constant, or a value that the host provides.
    Zero(fn(Host<'_>) -> Result<Number>),
    /// A function of one number.
    One(fn(&Number, Host<'_>) -> Result<Number>),
    /// A function of two numbers.
    Two(
        fn(&Number, &Number, Host<'_>) -> Result<Number>,
        Option<Taking>,
    ),
    /// A function of three numbers.
    Three(fn(&Number, &Number, &Number, Host<'_>) -> Result<Number>),
}

/// A row of the table.
pub(crate) struct Evaluable {
    /// The name of the functor.
    pub(crate) name: &'static str,
    /// The value in terms of `X`, `Y` and `Z`, for the manual.
    #[expect(dead_code, reason = "for the manual that is made of the table")]
    pub(crate) doc: &'static str,
    /// The needs of the evaluable besides numbers.
    #[cfg_attr(not(test), expect(dead_code, reason = "for those who run goals again"))]
    pub(crate) needs: Needs,
    /// The function that computes the evaluable.
    pub(crate) function: Function,
}

impl Evaluable {
    /// Returns the arity of the functor.
    pub(crate) const fn arity(&self) -> usize {
        match self.function {
            Function::Zero(_) => 0,
            Function::One(_) => 1,
            Function::Two(..) => 2,
            Function::Three(_) => 3,
        }
    }
}

/// The number of a row: compiled code holds this.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct EvalId(pub(crate) u16);

/// Returns the row with this number.
pub(crate) fn evaluable(id: EvalId) -> Option<&'static Evaluable> {
    EVALUABLES.get(usize::from(id.0))
}

/// Returns all rows with their numbers, for the engine's own index by functor and for the manual.
pub(crate) fn all() -> impl Iterator<Item = (EvalId, &'static Evaluable)> {
    EVALUABLES
        .iter()
        .zip(0u16..)
        .map(|(row, index)| (EvalId(index), row))
}

/// Returns the row of a functor.
pub(crate) fn lookup(name: &str, arity: usize) -> Option<EvalId> {
    all()
        .find(|(_, row)| row.arity() == arity && row.name == name)
        .map(|(id, _)| id)
}

/// Returns the number of the row of a functor that the table has, for constants.
pub(super) const fn row(name: &str, arity: usize) -> u16 {
    let mut row = 0;
    while !(EVALUABLES[row].arity() == arity && same(EVALUABLES[row].name, name)) {
        row += 1;
    }
    row as u16
}

/// Returns an error for an id of another arity than the call. No program text can cause this.
#[cold]
fn wrong_arity() -> Result<Number> {
    debug_assert!(
        false,
        "an evaluable is applied to a wrong number of arguments"
    );
    Err(ArithError::Evaluation("undefined"))
}

/// Evaluates a functor of arity 0.
pub(crate) fn apply0(id: EvalId, host: Host<'_>) -> Result<Number> {
    match evaluable(id).map(|row| row.function) {
        Some(Function::Zero(function)) => function(host),
        _ => wrong_arity(),
    }
}

/// Returns the number of bits of a large integer.
#[inline]
fn bits(x: &Number) -> usize {
    match x {
        Number::Big(big) => big.bit_len(),
        _ => 0,
    }
}

/// Evaluates a functor of arity 1.
pub(crate) fn apply1(id: EvalId, x: &Number, host: Host<'_>) -> Result<Number> {
    match evaluable(id).map(|row| row.function) {
        Some(Function::One(function)) => {
            room_to_work(bits(x))?;
            function(x, host)
        }
        _ => wrong_arity(),
    }
}

/// Evaluates a functor of arity 2.
pub(crate) fn apply2(id: EvalId, x: &Number, y: &Number, host: Host<'_>) -> Result<Number> {
    match evaluable(id).map(|row| row.function) {
        Some(Function::Two(function, _)) => {
            room_to_work(bits(x) + bits(y))?;
            function(x, y, host)
        }
        _ => wrong_arity(),
    }
}

/// Evaluates a functor of arity 2 with arguments that nothing else uses, so their memory may be reused.
pub(crate) fn apply2_taking(id: EvalId, x: Number, y: Number, host: Host<'_>) -> Result<Number> {
    let taking = match evaluable(id).map(|row| row.function) {
        Some(Function::Two(_, taking)) => taking,
        _ => None,
    };
    if taking.is_some() {
        room_to_work(bits(&x) + bits(&y))?;
    }
    match (taking, x, y) {
        (Some(taking), Number::Big(x), Number::Big(y)) => taking(x, y, host),
        (Some(taking), Number::Big(x), Number::Int(y)) => taking(x, y.into(), host),
        (Some(taking), Number::Int(x), Number::Big(y)) => taking(x.into(), y, host),
        (_, x, y) => return apply2(id, &x, &y, host),
    }
    .map(Number::from_big)
}

/// Evaluates a functor of arity 3.
pub(crate) fn apply3(
    id: EvalId,
    x: &Number,
    y: &Number,
    z: &Number,
    host: Host<'_>,
) -> Result<Number> {
    match evaluable(id).map(|row| row.function) {
        Some(Function::Three(function)) => {
            room_to_work(bits(x) + bits(y) + bits(z))?;
            function(x, y, z, host)
        }
        _ => wrong_arity(),
    }
}

/// Evaluates a functor of any arity.
pub(crate) fn apply(id: EvalId, arguments: &[Number], host: Host<'_>) -> Result<Number> {
    match arguments {
        [] => apply0(id, host),
        [x] => apply1(id, x, host),
        [x, y] => apply2(id, x, y, host),
        [x, y, z] => apply3(id, x, y, z, host),
        _ => wrong_arity(),
    }
}

/// Returns a random integer below `limit`.
fn random_below(limit: &Number, host: Host<'_>, random: &Permit<Random>) -> Result<Number> {
    integer::check_integer(limit)?;
    if limit.is_negative() || limit.is_zero() {
        return Err(ArithError::Domain("not_less_than_one", limit.clone()));
    }
    host.random_below(random, limit)
}

/// Returns the permit for a need of an evaluable, or an error if the policy does not grant it.
fn permit<K: Kind>(host: &mut dyn EvalHost) -> Result<&'static Permit<K>> {
    match host.grants(K::NEED) {
        true => Ok(Permit::issue()),
        false => Err(ArithError::Refused(K::NEED)),
    }
}

/// Returns a constant.
const fn constant(value: f64) -> Result<Number> {
    Ok(Number::Float(value))
}

/// Makes the table of functions: name, arguments, host if it is used, documentation, needs, and the value. `needs`
/// has three parts: the name of the permit in the value, the kind of the permit, and other needs. `taking` adds a
/// function for large integers whose memory may be reused.
macro_rules! evaluables {
    ($($name:literal($($arg:ident),*)$([$host:ident])? $doc:literal $(needs $need:ident $kind:ident $($other:ident)?)?
        = $value:expr $(, taking $taking:expr)?;)*) => {
        /// The table. Append freely: the manual has the same order.
        static EVALUABLES: &[Evaluable] = &[$(Evaluable {
            name: $name,
            doc: $doc,
            needs: Needs::NONE$(.and(Needs::named(stringify!($need)))$(.and(Needs::named(stringify!($other))))?)?,
            function: evaluables!(@function [$($arg)*] $($taking)?; |$($arg,)* host| {
                $(let $need = permit::<$kind>(host)?;)?
                evaluables!(@host host $($host)?);
                $value
            }),
        }),*];
    };
    (@host $all:ident) => { let _ = $all; };
    (@host $all:ident $host:ident) => { let $host = $all; };
    (@function []; $function:expr) => { Function::Zero($function) };
    (@function [$x:ident]; $function:expr) => { Function::One($function) };
    (@function [$x:ident $y:ident]; $function:expr) => { Function::Two($function, None) };
    (@function [$x:ident $y:ident] $taking:expr; $function:expr) => { Function::Two($function, Some($taking)) };
    (@function [$x:ident $y:ident $z:ident]; $function:expr) => { Function::Three($function) };
}

evaluables! {
    // Sums and products.
    "+"(x) "X itself" = Ok(x.clone());
    "-"(x) "the negation of X" = mixed::neg(x);
    "+"(x, y) "the sum of X and Y" = mixed::add(x, y), taking |x, y, _| Ok(x + y);
    "-"(x, y) "X less Y" = mixed::sub(x, y), taking |x, y, _| Ok(x - y);
    "*"(x, y)[h] "the product of X and Y" =
        mixed::mul(x, y, h.bounds()), taking |x, y, h| product_taking(x, y, h.bounds());
    "/"(x, y)[h] "the quotient: of integers that divide exactly an integer (unless the flag iso is set), else a float" =
        mixed::divide(x, y, h.iso(), h.bounds());
    "//"(x, y)[h] "the integer quotient, truncated" = integer::int_div(x, y, h.bounds());
    "rem"(x, y)[h] "the rest of //, with the sign of X" = integer::rem(x, y, h.bounds());
    "div"(x, y)[h] "the integer quotient, rounded down" = integer::div_floor(x, y, h.bounds());
    "mod"(x, y)[h] "the rest of div, with the sign of Y" = integer::modulo(x, y, h.bounds());
    "abs"(x) "the magnitude of X" = mixed::abs(x);
    "sign"(x) "-1, 0 or 1 by the sign of X, of the type of X" = mixed::sign(x);
    "min"(x, y) "the lesser of X and Y" = mixed::min(x, y);
    "max"(x, y) "the greater of X and Y" = mixed::max(x, y);
    "gcd"(x, y)[h] "the greatest common divisor" = integer::gcd(x, y, h.bounds());
    "lcm"(x, y)[h] "the least common multiple" = integer::lcm(x, y, h.bounds());
    "succ"(x) "X + 1 of an integer not below zero" = mixed::succ(x);
    "plus"(x, y) "the sum of two integers" = mixed::plus(x, y);
    "eval"(x) "X itself" = Ok(x.clone());
    // Powers.
    "**"(x, y)[h] "X to the power Y; 2 ** -1 is 0.5; if the flag iso is set, a float" =
        power::power(x, y, h.iso(), h.bounds());
    "^"(x, y)[h] "X to the power Y; of integers an integer" = power::caret(x, y, h.bounds());
    "powm"(x, y, z)[h] "X to the power Y, modulo Z" = integer::powm(x, y, z, h.bounds());
    "sqrt"(x) "the square root" = elementary(x, f64::sqrt);
    "exp"(x) "e to the power X" = elementary(x, f64::exp);
    "log"(x) "the natural logarithm" = float::log(x);
    "log"(x, y) "the logarithm of Y to the base X" = float::log_base(x, y);
    "log2"(x) "the logarithm to the base 2" = float::log2(x);
    "log10"(x) "the logarithm to the base 10" = float::log10(x);
    "erf"(x) "the error function" = elementary(x, libm::erf);
    "erfc"(x) "1 less the error function" = elementary(x, libm::erfc);
    "lgamma"(x) "the logarithm of the absolute value of the gamma function" = elementary(x, libm::lgamma);
    // Angles, in radians, and hyperbolic functions.
    "sin"(x) "the sine" = elementary(x, f64::sin);
    "cos"(x) "the cosine" = elementary(x, f64::cos);
    "tan"(x) "the tangent" = elementary(x, f64::tan);
    "cot"(x) "the cotangent" = float::cot(x);
    "asin"(x) "the arc sine" = elementary(x, f64::asin);
    "acos"(x) "the arc cosine" = elementary(x, f64::acos);
    "atan"(x) "the arc tangent" = elementary(x, f64::atan);
    "acot"(x) "the arc cotangent" = float::acot(x);
    "atan"(x, y) "the angle of the point (Y, X), as atan2" = float::atan2(x, y);
    "atan2"(x, y) "the angle of the point (Y, X)" = float::atan2(x, y);
    "sinh"(x) "the hyperbolic sine" = elementary(x, f64::sinh);
    "cosh"(x) "the hyperbolic cosine" = elementary(x, f64::cosh);
    "tanh"(x) "the hyperbolic tangent" = elementary(x, f64::tanh);
    "asinh"(x) "the inverse of sinh" = float::asinh(x);
    "acosh"(x) "the inverse of cosh" = float::acosh(x);
    "atanh"(x) "the inverse of tanh" = elementary(x, f64::atanh);
    // Conversions.
    "float"(x) "the float nearest to X" = float::float(x);
    "integer"(x) "the integer nearest to X, halves away from zero" = float::round(x, false);
    "float_integer_part"(x) "X without its fraction" = float::float_integer_part(x);
    "float_fractional_part"(x) "the fraction of X" = float::float_fractional_part(x);
    "floor"(x) "the greatest integer not above X" = float::floor(x);
    "ceiling"(x) "the least integer not below X" = float::ceiling(x);
    "ceil"(x) "the least integer not below X" = float::ceiling(x);
    "round"(x)[h] "the integer nearest to X, halves away from zero (upwards if the flag iso is set)" =
        float::round(x, h.iso());
    "truncate"(x) "the integer part of X as an integer" = float::truncate(x);
    "trunc"(x) "the integer part of X as an integer" = float::truncate(x);
    "copysign"(x, y) "X with the sign of Y" = float::copysign(x, y);
    "nexttoward"(x, y) "the float next to X toward Y" = float::nexttoward(x, y);
    // Bits of integers, in two's complement.
    ">>"(x, y)[h] "X shifted right by Y bits, keeping the sign" = integer::shift_right(x, y, h.bounds());
    "<<"(x, y)[h] "X shifted left by Y bits" = integer::shift_left(x, y, h.bounds());
    "/\\"(x, y) "the bits in both X and Y" = integer::and(x, y);
    "\\/"(x, y) "the bits in X or Y" = integer::or(x, y);
    "xor"(x, y) "the bits in one of X and Y" = integer::xor(x, y);
    "\\"(x) "the bits not in X" = integer::complement(x);
    "msb"(x) "the position of the most significant bit" = integer::msb(x);
    "lsb"(x) "the position of the least significant bit" = integer::lsb(x);
    "popcount"(x) "the number of bits that are set" = integer::popcount(x);
    "getbit"(x, y) "bit number Y of X" = integer::getbit(x, y);
    // Constants.
    "pi"() "the ratio of a circle" = constant(std::f64::consts::PI);
    "e"() "the base of natural logarithms" = constant(std::f64::consts::E);
    "inf"() "positive infinity" = constant(f64::INFINITY);
    "infinite"() "positive infinity" = constant(f64::INFINITY);
    "nan"() "the value that is not a number" = constant(f64::NAN);
    "epsilon"() "the distance of 1.0 to the next float" = constant(f64::EPSILON);
    "max_tagged_integer"() "the greatest integer that takes one cell" = Ok(Number::Int(INLINE_MAX));
    "min_tagged_integer"() "the least integer that takes one cell" = Ok(Number::Int(INLINE_MIN));
    "max_integer"() "the greatest integer of 64 bits" = Ok(Number::Int(i64::MAX));
    "min_integer"() "the least integer of 64 bits" = Ok(Number::Int(i64::MIN));
    // Values that the host provides.
    "random"(x)[h] "a random integer from 0 to X - 1" needs random Random history = random_below(x, h, random);
    "random"()[h] "a random float between 0 and 1" needs random Random history =
        Ok(Number::Float(h.random_float(random)));
    "random_float"()[h] "a random float between 0 and 1" needs random Random history =
        Ok(Number::Float(h.random_float(random)));
    "cputime"()[h] "the CPU time used, in seconds" needs clock Clock = Ok(Number::Float(h.cputime(clock)));
    "realtime"()[h] "the seconds since 1970" needs clock Clock = Ok(Number::Int(h.realtime(clock)));
}
