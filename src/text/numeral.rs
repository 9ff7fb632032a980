//! Numbers (ISO 13211-1, 6.4.4 and 6.4.5), with digit groups (`1_000`) and the special floats `1.0Inf`
//! and `1.5NaN`. Unless the flag `iso` is set, also `1 000`, `16'FF`, `1e10` and more characters after
//! `0'`.

use super::char_class::is_alphanumeric;
use super::lexer::{Lexer, skip_layout};
use super::quoted::{Literal, char_literal};
use super::syntax_error::{SyntaxError, SyntaxErrorKind as Kind};
use super::token::TokenKind;
use crate::arith::large::read_digits;
use crate::base::flags::{Flags, Lexis};
use crate::base::growth::GrowText;
use crate::base::number::Number;
use crate::base::stop::Stop;
use crate::base::watch::Watch;
use dashu_int::IBig;
use nom::IResult;
use nom::Parser;
use nom::bytes::complete::take_while1;
use nom::character::complete::{char, digit1, one_of};
use nom::combinator::{opt, recognize};
use std::borrow::Cow;

/// A number in a text.
#[derive(Debug)]
pub(super) struct Numeral {
    /// The value of the numeral.
    pub(super) value: Number,
    /// The offset after the numeral.
    pub(super) end: usize,
    /// Whether the standard reads a shorter number there. See [`TokenKind::LongNumber`].
    pub(super) long: bool,
}

/// Digits and the offset after them.
type Digits<'t> = (Cow<'t, str>, usize);

/// Reads digits of a radix from `start` on, with or without groups. Unless the flag `iso` is set, layout
/// may follow the `_` between two groups.
fn groups(text: &str, start: usize, radix: u32, lexis: Lexis) -> Result<Option<Digits<'_>>, Stop> {
    let digits = |at: usize| -> IResult<&str, &str, ()> {
        take_while1(|c: char| c.is_digit(radix)).parse(text.get(at..).unwrap_or_default())
    };
    let Ok((_, first)) = digits(start) else {
        return Ok(None);
    };
    let mut end = start + first.len();
    let mut all = Cow::Borrowed(first);
    while text[end..].starts_with('_') {
        let next = match lexis.iso {
            true => Ok(end + 1),
            false => skip_layout(text, end + 1),
        };
        let Some((next, (_, group))) = next.ok().and_then(|at| Some((at, digits(at).ok()?))) else {
            break;
        };
        all.to_mut().put_str(group)?;
        end = next + group.len();
    }
    Ok(Some((all, end)))
}

/// Reads the digits of `1 000 000`, whose first group ends at `end`: groups of three digits, each after one
/// blank.
fn blank_groups(text: &str, start: usize, end: usize) -> Result<Option<Digits<'_>>, Stop> {
    let mut at = end;
    let mut all = Cow::Borrowed(&text[start..end]);
    while let Some(group) = text.get(at + 1..at + 4)
        && text.as_bytes()[at] == b' '
        && group.bytes().all(|b| b.is_ascii_digit())
        && !text[at + 4..].starts_with(is_alphanumeric)
    {
        all.to_mut().put_str(group)?;
        at += 4;
    }
    Ok((at > end && end - start <= 3).then_some((all, at)))
}

/// Reads the digits of `16'FF`, whose radix ends at the quote at `quote_at`.
fn radix_digits(
    text: &str,
    start: usize,
    quote_at: usize,
    lexis: Lexis,
) -> Result<Option<(u32, Digits<'_>)>, Stop> {
    let radix = text[start..quote_at].parse().ok();
    let Some(radix) = radix.filter(|radix| (2..=36).contains(radix)) else {
        return Ok(None);
    };
    let Some(digits) = groups(text, quote_at + 1, radix, lexis)? else {
        return Ok(None);
    };
    let ends = |after: char| after != '\'' && !is_alphanumeric(after);
    let next = text[digits.1..].chars().next();
    Ok(next.is_none_or(ends).then_some((radix, digits)))
}

/// Recognizes `.` and digits, and an exponent if there is one.
fn fraction(input: &str) -> IResult<&str, &str, ()> {
    let exponent = (one_of("eE"), opt(one_of("+-")), digit1);
    recognize((char('.'), digit1, opt(exponent))).parse(input)
}

/// Recognizes an exponent immediately after digits, as in `1e10`.
fn bare_exponent(input: &str) -> IResult<&str, &str, ()> {
    recognize((one_of("eE"), opt(one_of("+-")), digit1)).parse(input)
}

/// Reads the number that begins with the digit at `start`.
pub(super) fn number(
    text: &str,
    start: usize,
    lexis: Lexis,
    watch: Option<&Watch>,
) -> Result<Numeral, SyntaxError> {
    let bytes = &text.as_bytes()[start..];
    if bytes[0] == b'0'
        && let Some(special) = zero_form(text, start, lexis, watch)?
    {
        return Ok(special);
    }
    let plain = bytes
        .iter()
        .position(|b| !b.is_ascii_digit())
        .unwrap_or(bytes.len());
    let mut end = start + plain;
    let mut digits = Cow::Borrowed(&text[start..end]);
    match bytes.get(plain) {
        Some(b'_') => {
            if let Some(groups) = groups(text, start, 10, lexis)? {
                (digits, end) = groups;
            }
        }
        Some(b' ') if !lexis.iso && bytes.get(plain + 1).is_some_and(u8::is_ascii_digit) => {
            if let Some((digits, end)) = blank_groups(text, start, end)? {
                return whole(&digits, 10, (start, end), false, watch);
            }
        }
        Some(b'\'') if !lexis.iso => {
            if let Some((radix, (digits, end))) = radix_digits(text, start, end, lexis)? {
                return whole(&digits, radix, (start, end), true, watch);
            }
        }
        _ => {}
    }
    let after = &text[end..];
    if after.starts_with('.')
        && let Ok((rest, fraction)) = fraction(after)
    {
        let place = (start, text.len() - rest.len());
        return float(text, digits, fraction, place, false);
    }
    if !lexis.iso
        && after.starts_with(['e', 'E'])
        && let Ok((rest, exponent)) = bare_exponent(after)
        && !rest.starts_with(is_alphanumeric)
    {
        let place = (start, text.len() - rest.len());
        return float(text, digits, exponent, place, true);
    }
    whole(&digits, 10, (start, end), false, watch)
}

/// Returns the integer with these digits, at `start` to `end`.
fn whole(
    digits: &str,
    radix: u32,
    (start, end): (usize, usize),
    long: bool,
    watch: Option<&Watch>,
) -> Result<Numeral, SyntaxError> {
    let value = integer(digits, radix, watch);
    // If the query must stop, the machine raises the right error.
    let value = value.ok_or_else(|| SyntaxError::new(start, end, Kind::NoMemory))?;
    Ok(Numeral { value, end, long })
}

/// Reads `0'c`, `0x`, `0o` and `0b`, if it is one of these.
fn zero_form(
    text: &str,
    start: usize,
    lexis: Lexis,
    watch: Option<&Watch>,
) -> Result<Option<Numeral>, SyntaxError> {
    let radix = match text.as_bytes().get(start + 1) {
        Some(b'\'') => {
            let literal = char_literal(text, start + 1, lexis)?;
            return Ok(literal.map(|Literal { char, end, long }| Numeral {
                value: Number::Int(i64::from(u32::from(char))),
                end,
                long,
            }));
        }
        Some(b'x') => 16,
        Some(b'o') => 8,
        Some(b'b') => 2,
        _ => return Ok(None),
    };
    let Some((digits, end)) = groups(text, start + 2, radix, lexis)? else {
        return Ok(None);
    };
    whole(&digits, radix, (start, end), false, watch).map(Some)
}

/// Returns the value of digits; none if the query must stop.
pub(super) fn integer(digits: &str, radix: u32, watch: Option<&Watch>) -> Option<Number> {
    let mut small = 0i64;
    for b in digits.bytes() {
        let digit = char::from(b).to_digit(radix)?;
        match small
            .checked_mul(i64::from(radix))
            .and_then(|n| n.checked_add(i64::from(digit)))
        {
            Some(n) => small = n,
            None => {
                let never = Watch::default();
                let big = read_digits(digits, radix, watch.unwrap_or(&never));
                return big.ok().map(|big| Number::from_big(IBig::from(big)));
            }
        }
    }
    Some(Number::Int(small))
}

/// Returns the float with these digits and `rest`, at `start` to `end`.
fn float(
    text: &str,
    digits: Cow<'_, str>,
    rest: &str,
    (start, end): (usize, usize),
    long: bool,
) -> Result<Numeral, SyntaxError> {
    let parsed = match digits {
        Cow::Borrowed(_) => text[start..end].parse::<f64>(),
        Cow::Owned(mut source) => {
            source.put_str(rest)?;
            source.parse::<f64>()
        }
    };
    let value = match parsed {
        Ok(value) if value.is_finite() => value,
        _ => return Err(SyntaxError::new(start, end, Kind::IllegalNumber)),
    };
    let float = |value, end| {
        let value = Number::Float(value);
        Ok(Numeral { value, end, long })
    };
    let special = match text.get(end..end + 3) {
        Some("Inf") if value == 1.0 => f64::INFINITY,
        Some("NaN") if (1.0..2.0).contains(&value) => f64::NAN,
        _ => return float(value, end),
    };
    if text[end + 3..].starts_with(is_alphanumeric) {
        return float(value, end);
    }
    float(special, end + 3)
}

/// Returns the negated number.
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

/// Reads a text that is exactly a number, as `number_codes/2` does. It may have the tokens of a number (ISO
/// 6.3.1), with layout before them, and the name `-` may be quoted. `operators` says whether the rest of a
/// number such as `1e10` is an operator, as it is for the reader.
pub(crate) fn parse_number(
    text: &str,
    flags: &Flags,
    operators: impl Fn(&str) -> Result<bool, Stop>,
    watch: &Watch,
) -> Result<Number, SyntaxError> {
    let illegal = |from: usize| SyntaxError::new(from, text.len(), Kind::IllegalNumber);
    let mut lexer = Lexer::new(text, 0, flags.lexis()).watched(watch);
    let mut token = lexer.next_token()?;
    let negative = match &token.kind {
        TokenKind::Name(name) => *name == "-",
        TokenKind::Quoted(name) => name == "-",
        _ => false,
    };
    if negative {
        token = lexer.next_token()?;
    }
    let value = match token.kind {
        TokenKind::Number(value) => value,
        TokenKind::LongNumber(value) => match lexer.short_number(token.start) {
            Some((_, end, name)) if operators(&name)? => return Err(illegal(end)),
            _ => value,
        },
        _ => return Err(illegal(token.start)),
    };
    if token.end < text.len() {
        return Err(illegal(token.end));
    }
    Ok(if negative { negate(value) } else { value })
}
