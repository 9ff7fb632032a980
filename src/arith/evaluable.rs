//! The evaluable functors: one table of them all (ISO 13211-1, 9.1 to 9.4, Cor.2, Cor.3; beyond
//! these the functions of SWI-Prolog), how to find one and how to apply it.

use super::error::{ArithError, Result};
use super::float::{self, elementary};
use super::large::{Bounds, product_taking, room_to_work};
use super::{integer, mixed, power};
use crate::base::needs::{Clock, Needs, Permit, Random, same};
use crate::base::number::{INLINE_MAX, INLINE_MIN, Number};
use dashu_int::IBig;
use dashu_int::ops::BitTest;

/// What an evaluation asks of the engine and its host.
pub(crate) trait EvalHost {
    /// A random integer from 0 up to, not including, `limit`, which is an integer of at least 1.
    fn random_below(&mut self, random: &Permit<Random>, limit: &Number) -> Result<Number>;
    /// A random float strictly between 0 and 1.
    fn random_float(&mut self, random: &Permit<Random>) -> f64;
    /// The CPU time that the process has used, in seconds.
    fn cputime(&self, clock: &Permit<Clock>) -> f64;
    /// The seconds since 1970-01-01 00:00 UTC.
    fn realtime(&self, clock: &Permit<Clock>) -> i64;
    /// How large a result may be, and who says that the work is to be stopped.
    fn bounds(&self) -> Bounds<'_>;
    /// The flag `iso`.
    fn iso(&self) -> bool;
}

type Host<'a> = &'a mut dyn EvalHost;

/// A function of two integers, one of which is large, that uses the memory of that for its result.
type Taking = fn(IBig, IBig, Host<'_>) -> Result<IBig>;

/// The function of an evaluable, by its arity.
#[derive(Copy, Clone)]
pub(crate) enum Function {
    /// A constant, or what the host knows.
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
    /// What it computes of `X`, `Y` and `Z`, for the manual.
    #[expect(dead_code, reason = "for the manual that is made of the table")]
    pub(crate) doc: &'static str,
    /// What it needs besides numbers.
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "for those who run goals under a policy or again")
    )]
    pub(crate) needs: Needs,
    /// How.
    pub(crate) function: Function,
}

impl Evaluable {
    /// The arity of the functor.
    pub(crate) const fn arity(&self) -> usize {
        match self.function {
            Function::Zero(_) => 0,
            Function::One(_) => 1,
            Function::Two(..) => 2,
            Function::Three(_) => 3,
        }
    }
}

/// The number of a row: what compiled code holds.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct EvalId(pub(crate) u16);

/// The row of a number.
pub(crate) fn evaluable(id: EvalId) -> Option<&'static Evaluable> {
    EVALUABLES.get(usize::from(id.0))
}

/// All rows with their numbers, for the engine's own index by functor and for the manual.
pub(crate) fn all() -> impl Iterator<Item = (EvalId, &'static Evaluable)> {
    EVALUABLES
        .iter()
        .zip(0u16..)
        .map(|(row, index)| (EvalId(index), row))
}

/// The row of a functor.
pub(crate) fn lookup(name: &str, arity: usize) -> Option<EvalId> {
    all()
        .find(|(_, row)| row.arity() == arity && row.name == name)
        .map(|(id, _)| id)
}

/// The number of the row of a functor that the table has, for constants.
pub(super) const fn row(name: &str, arity: usize) -> u16 {
    let mut row = 0;
    while !(EVALUABLES[row].arity() == arity && same(EVALUABLES[row].name, name)) {
        row += 1;
    }
    row as u16
}

/// An id of another arity than the call: nothing that program text can bring about.
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

/// Bits of a large integer.
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

/// Evaluates a functor of arity 2 of what nobody else needs.
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

const fn zero(
    name: &'static str,
    doc: &'static str,
    function: fn(Host<'_>) -> Result<Number>,
) -> Evaluable {
    Evaluable {
        name,
        doc,
        needs: Needs::NONE,
        function: Function::Zero(function),
    }
}

const fn one(
    name: &'static str,
    doc: &'static str,
    function: fn(&Number, Host<'_>) -> Result<Number>,
) -> Evaluable {
    Evaluable {
        name,
        doc,
        needs: Needs::NONE,
        function: Function::One(function),
    }
}

const fn two(
    name: &'static str,
    doc: &'static str,
    function: fn(&Number, &Number, Host<'_>) -> Result<Number>,
) -> Evaluable {
    Evaluable {
        name,
        doc,
        needs: Needs::NONE,
        function: Function::Two(function, None),
    }
}

/// The same, with another one for large integers.
const fn two_taking(
    name: &'static str,
    doc: &'static str,
    function: fn(&Number, &Number, Host<'_>) -> Result<Number>,
    taking: Taking,
) -> Evaluable {
    Evaluable {
        name,
        doc,
        needs: Needs::NONE,
        function: Function::Two(function, Some(taking)),
    }
}

const fn three(
    name: &'static str,
    doc: &'static str,
    function: fn(&Number, &Number, &Number, Host<'_>) -> Result<Number>,
) -> Evaluable {
    Evaluable {
        name,
        doc,
        needs: Needs::NONE,
        function: Function::Three(function),
    }
}

/// A row with a need: its function finds the permit under the word for it.
macro_rules! needing {
    ($need:ident $kind:ident $($other:ident)?, $make:ident($name:literal, $doc:literal, |$($arg:ident),+| $body:expr)) => {
        Evaluable {
            needs: Needs::named(stringify!($need))$(.and(Needs::named(stringify!($other))))?,
            ..$make($name, $doc, |$($arg),+| {
                let $need = Permit::<$kind>::issue();
                $body
            })
        }
    };
}

/// A random integer below `limit`.
fn random_below(limit: &Number, host: Host<'_>, random: &Permit<Random>) -> Result<Number> {
    integer::check_integer(limit)?;
    if limit.is_negative() || limit.is_zero() {
        return Err(ArithError::Domain("not_less_than_one", limit.clone()));
    }
    host.random_below(random, limit)
}

/// A constant.
const fn constant(value: f64) -> Result<Number> {
    Ok(Number::Float(value))
}

/// The table. Append freely: the order is that of the manual.
static EVALUABLES: &[Evaluable] = &[
    // Sums and products.
    one("+", "X itself", |x, _| Ok(x.clone())),
    one("-", "the negation of X", |x, _| mixed::neg(x)),
    two_taking(
        "+",
        "the sum of X and Y",
        |x, y, _| mixed::add(x, y),
        |x, y, _| Ok(x + y),
    ),
    two_taking(
        "-",
        "X less Y",
        |x, y, _| mixed::sub(x, y),
        |x, y, _| Ok(x - y),
    ),
    two_taking(
        "*",
        "the product of X and Y",
        |x, y, h| mixed::mul(x, y, h.bounds()),
        |x, y, h| product_taking(x, y, h.bounds()),
    ),
    two(
        "/",
        "the quotient: of integers that divide exactly an integer (unless the flag iso is set), \
         else a float",
        |x, y, h| mixed::divide(x, y, h.iso(), h.bounds()),
    ),
    two("//", "the integer quotient, truncated", |x, y, h| {
        integer::int_div(x, y, h.bounds())
    }),
    two("rem", "the rest of //, with the sign of X", |x, y, h| {
        integer::rem(x, y, h.bounds())
    }),
    two("div", "the integer quotient, rounded down", |x, y, h| {
        integer::div_floor(x, y, h.bounds())
    }),
    two("mod", "the rest of div, with the sign of Y", |x, y, h| {
        integer::modulo(x, y, h.bounds())
    }),
    one("abs", "the magnitude of X", |x, _| mixed::abs(x)),
    one(
        "sign",
        "-1, 0 or 1 by the sign of X, of the type of X",
        |x, _| mixed::sign(x),
    ),
    two("min", "the lesser of X and Y", |x, y, _| mixed::min(x, y)),
    two("max", "the greater of X and Y", |x, y, _| mixed::max(x, y)),
    two("gcd", "the greatest common divisor", |x, y, h| {
        integer::gcd(x, y, h.bounds())
    }),
    two("lcm", "the least common multiple", |x, y, h| {
        integer::lcm(x, y, h.bounds())
    }),
    one("succ", "X + 1 of an integer not below zero", |x, _| {
        mixed::succ(x)
    }),
    two("plus", "the sum of two integers", |x, y, _| {
        mixed::plus(x, y)
    }),
    one("eval", "X itself", |x, _| Ok(x.clone())),
    // Powers.
    two(
        "**",
        "X to the power Y; 2 ** -1 is 0.5; if the flag iso is set, a float",
        |x, y, h| power::power(x, y, h.iso(), h.bounds()),
    ),
    two(
        "^",
        "X to the power Y; of integers an integer",
        |x, y, h| power::caret(x, y, h.bounds()),
    ),
    three("powm", "X to the power Y, modulo Z", |x, y, z, h| {
        integer::powm(x, y, z, h.bounds())
    }),
    one("sqrt", "the square root", |x, _| elementary(x, f64::sqrt)),
    one("exp", "e to the power X", |x, _| elementary(x, f64::exp)),
    one("log", "the natural logarithm", |x, _| float::log(x)),
    two("log", "the logarithm of Y to the base X", |x, y, _| {
        float::log_base(x, y)
    }),
    one("log2", "the logarithm to the base 2", |x, _| float::log2(x)),
    one("log10", "the logarithm to the base 10", |x, _| {
        float::log10(x)
    }),
    one("erf", "the error function", |x, _| elementary(x, libm::erf)),
    one("erfc", "1 less the error function", |x, _| {
        elementary(x, libm::erfc)
    }),
    one(
        "lgamma",
        "the logarithm of the absolute value of the gamma function",
        |x, _| elementary(x, libm::lgamma),
    ),
    // Angles, in radians, and hyperbolic functions.
    one("sin", "the sine", |x, _| elementary(x, f64::sin)),
    one("cos", "the cosine", |x, _| elementary(x, f64::cos)),
    one("tan", "the tangent", |x, _| elementary(x, f64::tan)),
    one("cot", "the cotangent", |x, _| float::cot(x)),
    one("asin", "the arc sine", |x, _| elementary(x, f64::asin)),
    one("acos", "the arc cosine", |x, _| elementary(x, f64::acos)),
    one("atan", "the arc tangent", |x, _| elementary(x, f64::atan)),
    one("acot", "the arc cotangent", |x, _| float::acot(x)),
    two(
        "atan",
        "the angle of the point (Y, X), as atan2",
        |x, y, _| float::atan2(x, y),
    ),
    two("atan2", "the angle of the point (Y, X)", |x, y, _| {
        float::atan2(x, y)
    }),
    one("sinh", "the hyperbolic sine", |x, _| {
        elementary(x, f64::sinh)
    }),
    one("cosh", "the hyperbolic cosine", |x, _| {
        elementary(x, f64::cosh)
    }),
    one("tanh", "the hyperbolic tangent", |x, _| {
        elementary(x, f64::tanh)
    }),
    one("asinh", "the inverse of sinh", |x, _| float::asinh(x)),
    one("acosh", "the inverse of cosh", |x, _| float::acosh(x)),
    one("atanh", "the inverse of tanh", |x, _| {
        elementary(x, f64::atanh)
    }),
    // Conversions.
    one("float", "the float nearest to X", |x, _| float::float(x)),
    one(
        "integer",
        "the integer nearest to X, halves away from zero",
        |x, _| float::round(x, false),
    ),
    one("float_integer_part", "X without its fraction", |x, _| {
        float::float_integer_part(x)
    }),
    one("float_fractional_part", "the fraction of X", |x, _| {
        float::float_fractional_part(x)
    }),
    one("floor", "the greatest integer not above X", |x, _| {
        float::floor(x)
    }),
    one("ceiling", "the least integer not below X", |x, _| {
        float::ceiling(x)
    }),
    one("ceil", "the least integer not below X", |x, _| {
        float::ceiling(x)
    }),
    one(
        "round",
        "the integer nearest to X, halves away from zero (upwards if the flag iso is set)",
        |x, h| float::round(x, h.iso()),
    ),
    one("truncate", "the integer part of X as an integer", |x, _| {
        float::truncate(x)
    }),
    one("trunc", "the integer part of X as an integer", |x, _| {
        float::truncate(x)
    }),
    two("copysign", "X with the sign of Y", |x, y, _| {
        float::copysign(x, y)
    }),
    two("nexttoward", "the float next to X toward Y", |x, y, _| {
        float::nexttoward(x, y)
    }),
    // Bits of integers, in two's complement.
    two(
        ">>",
        "X shifted right by Y bits, keeping the sign",
        |x, y, h| integer::shift_right(x, y, h.bounds()),
    ),
    two("<<", "X shifted left by Y bits", |x, y, h| {
        integer::shift_left(x, y, h.bounds())
    }),
    two("/\\", "the bits in both X and Y", |x, y, _| {
        integer::and(x, y)
    }),
    two("\\/", "the bits in X or Y", |x, y, _| integer::or(x, y)),
    two("xor", "the bits in one of X and Y", |x, y, _| {
        integer::xor(x, y)
    }),
    one("\\", "the bits not in X", |x, _| integer::complement(x)),
    one("msb", "the position of the most significant bit", |x, _| {
        integer::msb(x)
    }),
    one(
        "lsb",
        "the position of the least significant bit",
        |x, _| integer::lsb(x),
    ),
    one("popcount", "the number of bits that are set", |x, _| {
        integer::popcount(x)
    }),
    two("getbit", "bit number Y of X", |x, y, _| {
        integer::getbit(x, y)
    }),
    // Constants.
    zero("pi", "the ratio of a circle", |_| {
        constant(std::f64::consts::PI)
    }),
    zero("e", "the base of natural logarithms", |_| {
        constant(std::f64::consts::E)
    }),
    zero("inf", "positive infinity", |_| constant(f64::INFINITY)),
    zero("infinite", "positive infinity", |_| constant(f64::INFINITY)),
    zero("nan", "what is not a number", |_| constant(f64::NAN)),
    zero("epsilon", "the distance of 1.0 to the next float", |_| {
        constant(f64::EPSILON)
    }),
    zero(
        "max_tagged_integer",
        "the greatest integer that takes one cell",
        |_| Ok(Number::Int(INLINE_MAX)),
    ),
    zero(
        "min_tagged_integer",
        "the least integer that takes one cell",
        |_| Ok(Number::Int(INLINE_MIN)),
    ),
    zero("max_integer", "the greatest integer of 64 bits", |_| {
        Ok(Number::Int(i64::MAX))
    }),
    zero("min_integer", "the least integer of 64 bits", |_| {
        Ok(Number::Int(i64::MIN))
    }),
    // What the host knows.
    needing!(random Random history, one("random", "a random integer from 0 to X - 1", |x, h| {
        random_below(x, h, random)
    })),
    needing!(random Random history, zero("random", "a random float between 0 and 1", |h| {
        Ok(Number::Float(h.random_float(random)))
    })),
    needing!(random Random history, zero("random_float", "a random float between 0 and 1", |h| {
        Ok(Number::Float(h.random_float(random)))
    })),
    needing!(clock Clock, zero("cputime", "the CPU time used, in seconds", |h| {
        Ok(Number::Float(h.cputime(clock)))
    })),
    needing!(clock Clock, zero("realtime", "the seconds since 1970", |h| {
        Ok(Number::Int(h.realtime(clock)))
    })),
];
