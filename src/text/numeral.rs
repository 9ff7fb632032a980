//! Numbers (ISO 13211-1, 6.4.4 and 6.4.5), with digit groups (`1_000`) and the special floats
//! `1.0Inf` and `1.5NaN`.

use super::char_class::is_alphanumeric;
use super::lexer::Lexer;
use super::quoted::char_literal;
use super::syntax_error::{SyntaxError, SyntaxErrorKind as Kind};
use super::token::TokenKind;
use crate::arith::large::read_digits;
use crate::base::flags::Flags;
use crate::base::grow::text_with_room;
use crate::base::number::Number;
use crate::base::watch::Watch;
use dashu_int::IBig;
use nom::IResult;
use nom::Parser;
use nom::bytes::complete::take_while1;
use nom::character::complete::{char, digit1, one_of};
use nom::combinator::{opt, recognize};
use nom::multi::many0_count;
use nom::sequence::{pair, preceded};

/// Digits of a radix, in groups.
fn groups(radix: u32) -> impl Fn(&str) -> IResult<&str, &str, ()> {
    move |input| {
        let digits = || take_while1(move |c: char| c.is_digit(radix));
        recognize(pair(digits(), many0_count(preceded(char('_'), digits())))).parse(input)
    }
}

/// `.` digits, and an exponent if there is one.
fn fraction(input: &str) -> IResult<&str, &str, ()> {
    let exponent = (one_of("eE"), opt(one_of("+-")), digit1);
    recognize((char('.'), digit1, opt(exponent))).parse(input)
}

/// An exponent right after digits, as in `1e10`.
fn bare_exponent(input: &str) -> IResult<&str, &str, ()> {
    recognize((char('e'), opt(one_of("+-")), digit1)).parse(input)
}

/// Reads the number that begins with the digit at `start`; gives it and the offset after it.
/// `exponents`: may a float do without a fraction?
pub(super) fn number(
    text: &str,
    start: usize,
    escapes: bool,
    exponents: bool,
    watch: Option<&Watch>,
) -> Result<(Number, usize), SyntaxError> {
    let input = &text[start..];
    let bytes = input.as_bytes();
    if bytes[0] == b'0'
        && let Some(special) = zero_form(text, start, escapes, watch)?
    {
        return Ok(special);
    }
    let plain = bytes
        .iter()
        .position(|b| !b.is_ascii_digit())
        .unwrap_or(bytes.len());
    let whole = match bytes.get(plain) {
        Some(b'_') => groups(10)(input).map_or(plain, |(rest, _)| input.len() - rest.len()),
        _ => plain,
    };
    let after = &input[whole..];
    if after.starts_with('.')
        && let Ok((rest, _)) = fraction(after)
    {
        return float(text, start, start + whole, text.len() - rest.len());
    }
    if exponents
        && after.starts_with('e')
        && let Ok((rest, _)) = bare_exponent(after)
        && !rest.starts_with(is_alphanumeric)
    {
        return float(text, start, start + whole, text.len() - rest.len());
    }
    let end = start + whole;
    let value = integer(&input[..whole], 10, watch);
    Ok((value.ok_or_else(|| stopped(start, end))?, end))
}

/// `0'c`, `0x`, `0o` and `0b`, if it is one.
fn zero_form(
    text: &str,
    start: usize,
    escapes: bool,
    watch: Option<&Watch>,
) -> Result<Option<(Number, usize)>, SyntaxError> {
    let radix = match text.as_bytes().get(start + 1) {
        Some(b'\'') => {
            let code = char_literal(text, start + 1, escapes)?;
            return Ok(code.map(|(c, end)| (Number::Int(i64::from(u32::from(c))), end)));
        }
        Some(b'x') => 16,
        Some(b'o') => 8,
        Some(b'b') => 2,
        _ => return Ok(None),
    };
    let Ok((rest, digits)) = groups(radix)(&text[start + 2..]) else {
        return Ok(None);
    };
    let end = text.len() - rest.len();
    let value = integer(digits, radix, watch).ok_or_else(|| stopped(start, end))?;
    Ok(Some((value, end)))
}

/// The error where the work is to be stopped: the machine, which raises it, knows better.
fn stopped(start: usize, end: usize) -> SyntaxError {
    SyntaxError::new(start, end, Kind::NoMemory)
}

/// The value of digits, in groups or not; none if the work is to be stopped.
pub(super) fn integer(digits: &str, radix: u32, watch: Option<&Watch>) -> Option<Number> {
    let mut small = 0i64;
    for b in digits.bytes() {
        let Some(digit) = char::from(b).to_digit(radix) else {
            continue;
        };
        match small
            .checked_mul(i64::from(radix))
            .and_then(|n| n.checked_add(i64::from(digit)))
        {
            Some(n) => small = n,
            None => {
                let mut joined = text_with_room(digits.len());
                joined.extend(digits.chars().filter(|&c| c != '_'));
                let never = Watch::default();
                let big = read_digits(&joined, radix, watch.unwrap_or(&never));
                return big.ok().map(|big| Number::from_big(IBig::from(big)));
            }
        }
    }
    Some(Number::Int(small))
}

/// The float from `start` to `end`, whose whole part ends at `point`.
fn float(
    text: &str,
    start: usize,
    point: usize,
    end: usize,
) -> Result<(Number, usize), SyntaxError> {
    let source = &text[start..end];
    let parsed = if text[start..point].contains('_') {
        source.replace('_', "").parse::<f64>()
    } else {
        source.parse::<f64>()
    };
    let value = match parsed {
        Ok(value) if value.is_finite() => value,
        _ => return Err(SyntaxError::new(start, end, Kind::IllegalNumber)),
    };
    let special = match text.get(end..end + 3) {
        Some("Inf") if value == 1.0 => f64::INFINITY,
        Some("NaN") if (1.0..2.0).contains(&value) => f64::NAN,
        _ => return Ok((Number::Float(value), end)),
    };
    if text[end + 3..].starts_with(is_alphanumeric) {
        return Ok((Number::Float(value), end));
    }
    Ok((Number::Float(special), end + 3))
}

/// The opposite of a number.
pub(super) fn negate(number: Number) -> Number {
    match number {
        Number::Int(n) => match n.checked_neg() {
            Some(n) => Number::Int(n),
            None => Number::Big(-IBig::from(n)),
        },
        Number::Big(big) => Number::from_big(-big),
        Number::Float(f) => Number::Float(-f),
    }
}

/// Reads a text that is a number and nothing else, as `number_codes/2` does: the tokens of a number
/// (ISO 6.3.1), before which layout may stand, and where the name `-` may be quoted. `operators` says whether
/// the text after the digits of `1e10` begins an operator, as it does to the reader.
pub(crate) fn parse_number(
    text: &str,
    flags: &Flags,
    operators: impl Fn(&str) -> bool,
    watch: &Watch,
) -> Result<Number, SyntaxError> {
    let illegal = |from: usize| SyntaxError::new(from, text.len(), Kind::IllegalNumber);
    let mut lexer = Lexer::new(text, 0, flags.character_escapes, false).watched(watch);
    lexer.exponents = !flags.iso;
    let mut token = lexer.next_token()?;
    let negative = match &token.kind {
        TokenKind::Name(name) => *name == "-",
        TokenKind::Quoted(name) => name == "-",
        _ => false,
    };
    if negative {
        token = lexer.next_token()?;
    }
    let TokenKind::Number(value) = token.kind else {
        return Err(illegal(token.start));
    };
    if token.end < text.len() {
        return Err(illegal(token.end));
    }
    if matches!(value, Number::Float(_))
        && let Some(whole) = exponent_operator(&text[token.start..], operators)
    {
        return Err(illegal(token.start + whole));
    }
    Ok(if negative { negate(value) } else { value })
}

/// The length of the digits of a float without a fraction, such as `1e10`, if an operator follows them.
pub(super) fn exponent_operator(float: &str, is_operator: impl Fn(&str) -> bool) -> Option<usize> {
    let whole = float.find('e')?;
    let name = float[whole..].split(['+', '-']).next()?;
    (!float[..whole].contains('.') && is_operator(name)).then_some(whole)
}
