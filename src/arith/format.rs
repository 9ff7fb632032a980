//! Numbers as text: the output of `write/1`, and the columns of `format/2` (`~d ~D ~e ~f ~g ~r`).
//!
//! A float is printed with the fewest digits that read back as the same float. Outside of 0.0001 .. 1.0e15 it has an
//! exponent; SWI-Prolog prints it in the same way.

use super::error::{Result, TOO_LARGE};
use super::large;
use crate::base::growth::{Bounded, Gather, Grow, GrowAt, GrowBy, GrowText};
use crate::base::number::{Decimal, Number};
use crate::base::stop::Stop;
use crate::base::watch::Watch;
use std::fmt::Write;
use std::iter::repeat_n;

/// Greatest number of digits after the point; more are refused.
const MAX_FRACTION: usize = 1 << 24;
/// Greatest number of digits after the point that a double can have.
const MAX_EXACT: usize = 1080;

/// Returns the text of a number as `write/1` prints it.
///
/// # Errors
/// Returns an error if the work must stop.
pub(crate) fn number_text(n: &Number, watch: &Watch) -> Result<String> {
    match n {
        Number::Int(i) => Ok(Decimal::of(*i).text().to_owned()),
        Number::Big(big) => large::digits(big, 10, watch),
        Number::Float(f) => Ok(float_text(*f)),
    }
}

/// Returns the shortest text that reads back as the float.
pub(crate) fn float_text(f: f64) -> String {
    if let Some(special) = special_text(f, "1.0Inf", "1.5NaN") {
        return special;
    }
    let (digits, exponent) = shortest_digits(f.abs());
    let mut text = String::with_capacity(24);
    if f.is_sign_negative() {
        text.put_bounded('-');
    }
    // The point comes after this number of digits.
    let point = exponent + 1;
    let count = digits.len() as i32;
    if point <= -4 || (point > 15 && count <= point) {
        let (first, rest) = digits.split_at(1);
        text.put_bounded(first);
        text.put_bounded('.');
        text.put_bounded(if rest.is_empty() { "0" } else { rest });
        let sign = if exponent < 0 { '-' } else { '+' };
        push_exponent(&mut text, sign, exponent, 1);
    } else if point <= 0 {
        text.put_bounded("0.");
        text.put_bounded(&"000"[..point.unsigned_abs() as usize]);
        text.put_bounded(&*digits);
    } else if point < count {
        let (whole, fraction) = digits.split_at(point as usize);
        text.put_bounded(whole);
        text.put_bounded('.');
        text.put_bounded(fraction);
    } else {
        text.put_bounded(&*digits);
        repeat_n('0', (point - count) as usize).for_each(|zero| text.put_bounded(zero));
        text.put_bounded(".0");
    }
    text
}

/// Returns the text of a float that is infinite or NaN.
fn special_text(f: f64, infinite: &str, nan: &str) -> Option<String> {
    if f.is_nan() {
        Some(nan.to_string())
    } else if f.is_infinite() {
        Some(format!("{}{infinite}", if f < 0.0 { "-" } else { "" }))
    } else {
        None
    }
}

/// Returns the shortest digits of a float that is not negative, and the power of ten of the first.
fn shortest_digits(f: f64) -> (String, i32) {
    let shortest = format!("{f:e}");
    let (digits, exponent) = split_exponent(&shortest);
    // Two texts of the same length may be equally near. Then the even digit is taken, as `format/2` does; this
    // happens only with many digits.
    if digits.len() >= 15 {
        let even = format!("{f:.*e}", digits.len() - 1);
        if even != shortest && even.parse() == Ok(f) {
            return split_exponent(&even);
        }
    }
    (digits, exponent)
}

/// Splits `d.ddde±x` into digits and exponent.
fn split_exponent(text: &str) -> (String, i32) {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    (
        mantissa.split('.').collect_bounded(),
        exponent.parse().unwrap_or(0),
    )
}

fn push_zeros(text: &mut String, count: usize) -> std::result::Result<(), Stop> {
    text.put_all(repeat_n('0', count))
}

/// Appends the digits, with a point after the first if there are more.
fn push_mantissa(text: &mut String, digits: &str) -> std::result::Result<(), Stop> {
    let (first, rest) = digits.split_at(digits.len().min(1));
    text.put_str(first)?;
    if !rest.is_empty() {
        text.put('.')?;
        text.put_str(rest)?;
    }
    Ok(())
}

/// Appends an exponent of at least `width` digits.
fn push_exponent(text: &mut String, sign: char, exponent: i32, width: usize) {
    // Writing to a string cannot fail.
    let _ = write!(text, "e{sign}{:0width$}", exponent.unsigned_abs());
}

/// Returns the text of an integer in a radix of 2 to 36. Returns `None` for a float or another radix.
///
/// # Errors
/// Returns an error if the work must stop.
pub(crate) fn radix_text(
    n: &Number,
    radix: u32,
    uppercase: bool,
    watch: &Watch,
) -> Option<Result<String>> {
    if !(2..=36).contains(&radix) {
        return None;
    }
    let radix = radix as u8;
    let mut text = match n {
        Number::Int(i) => small_radix_text(*i, radix),
        Number::Big(big) => match large::digits(big, radix, watch) {
            Ok(text) => text,
            Err(stopped) => return Some(Err(stopped)),
        },
        Number::Float(_) => return None,
    };
    if uppercase {
        text.make_ascii_uppercase();
    }
    Some(Ok(text))
}

fn small_radix_text(i: i64, radix: u8) -> String {
    let mut rest = i.unsigned_abs();
    let mut reversed = Vec::with_capacity(66);
    loop {
        let digit = (rest % u64::from(radix)) as u32;
        reversed.put_bounded(char::from_digit(digit, u32::from(radix)).unwrap_or('0'));
        rest /= u64::from(radix);
        if rest == 0 {
            break;
        }
    }
    if i < 0 {
        reversed.put_bounded('-');
    }
    reversed.iter().rev().collect_bounded()
}

/// Appends digits with `separator` between groups of `size`, counted from the right. With `size` 0 there are no
/// groups.
pub(crate) fn push_grouped(
    text: &mut String,
    digits: &str,
    size: usize,
    separator: &str,
) -> std::result::Result<(), Stop> {
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(size) {
            text.put_str(separator)?;
        }
        text.put(digit)?;
    }
    Ok(())
}

/// Returns the text of `~Nd` and, with a separator of groups of three, `~ND`: an integer with a point before its
/// last `fraction` digits. Returns `None` for a float.
pub(crate) fn decimal_text(
    n: &Number,
    fraction: usize,
    group: &str,
    watch: &Watch,
) -> Option<Result<String>> {
    n.is_integer()
        .then(|| pointed_text(n, fraction, group, watch))
}

fn pointed_text(n: &Number, fraction: usize, group: &str, watch: &Watch) -> Result<String> {
    if fraction > MAX_FRACTION {
        return Err(TOO_LARGE);
    }
    let all = number_text(n, watch)?;
    let (sign, digits) = match all.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", all.as_str()),
    };
    let mut padded = String::new();
    push_zeros(&mut padded, (fraction + 1).saturating_sub(digits.len()))?;
    padded.put_str(digits)?;
    let (whole, rest) = padded.split_at(padded.len() - fraction);
    let mut text = sign.to_string();
    push_grouped(
        &mut text,
        whole,
        if group.is_empty() { 0 } else { 3 },
        group,
    )?;
    if fraction > 0 {
        text.put('.')?;
        text.put_str(rest)?;
    }
    Ok(text)
}

/// Number of digits up to which the shortest text of a normal float is exact; zeros may follow it.
const SURE_DIGITS: usize = f64::DIGITS as usize;

/// Returns whether a float has few bits, so its digits may end soon. Rounding such a float to more digits would be
/// slow.
fn is_short(f: f64) -> bool {
    f.to_bits().trailing_zeros() >= 20 && (f.is_normal() || f == 0.0)
}

/// Returns the text of `~Nf`: the number with `fraction` digits after the point, an integer exactly.
pub(crate) fn fixed_text(n: &Number, fraction: usize, watch: &Watch) -> Result<String> {
    if fraction > MAX_FRACTION {
        return Err(TOO_LARGE);
    }
    let mut text = match n {
        Number::Float(f) => {
            if let Some(special) = special_text(*f, "inf", "nan") {
                return Ok(special);
            }
            if is_short(*f) {
                let mut text = f.to_string();
                let shown = text.split_once('.').map_or(0, |(_, digits)| digits.len());
                if shown <= fraction && text.len() + (fraction - shown) <= SURE_DIGITS {
                    if shown == 0 && fraction > 0 {
                        text.put('.')?;
                    }
                    push_zeros(&mut text, fraction - shown)?;
                    return Ok(text);
                }
            }
            let shown = fraction.min(MAX_EXACT);
            let mut text = format!("{f:.shown$}");
            push_zeros(&mut text, fraction - shown)?;
            return Ok(text);
        }
        _ => number_text(n, watch)?,
    };
    if fraction > 0 {
        text.put('.')?;
        push_zeros(&mut text, fraction)?;
    }
    Ok(text)
}

/// Returns the text of `~Ne`: one digit, `fraction` digits after the point, and an exponent of two digits or more.
pub(crate) fn exponent_text(n: &Number, fraction: usize, watch: &Watch) -> Result<String> {
    if fraction > MAX_FRACTION {
        return Err(TOO_LARGE);
    }
    if let Number::Float(f) = n
        && let Some(special) = special_text(*f, "inf", "nan")
    {
        return Ok(special);
    }
    let (negative, digits, exponent) = rounded_digits(n, fraction + 1, watch)?;
    let mut text = if negative {
        "-".to_string()
    } else {
        String::new()
    };
    push_mantissa(&mut text, &digits)?;
    push_exponent(&mut text, if exponent < 0 { '-' } else { '+' }, exponent, 2);
    Ok(text)
}

/// Returns the text of `~Ng`: `precision` significant digits without trailing zeros. It has an exponent if that is
/// below -4 or not below the precision (C's `%g`).
pub(crate) fn general_text(n: &Number, precision: usize, watch: &Watch) -> Result<String> {
    if precision > MAX_FRACTION {
        return Err(TOO_LARGE);
    }
    if let Number::Float(f) = n
        && let Some(special) = special_text(*f, "inf", "nan")
    {
        return Ok(special);
    }
    let precision = precision.max(1);
    let (negative, digits, exponent) = rounded_digits(n, precision, watch)?;
    let significant = digits.trim_end_matches('0');
    let digits = if significant.is_empty() {
        "0"
    } else {
        significant
    };
    let mut text = if negative {
        "-".to_string()
    } else {
        String::new()
    };
    if exponent < -4 || exponent as i64 >= precision as i64 {
        push_mantissa(&mut text, digits)?;
        push_exponent(&mut text, if exponent < 0 { '-' } else { '+' }, exponent, 2);
    } else if exponent < 0 {
        text.put_str("0.")?;
        push_zeros(&mut text, exponent.unsigned_abs() as usize - 1)?;
        text.put_str(digits)?;
    } else {
        let whole = exponent as usize + 1;
        if digits.len() <= whole {
            text.put_str(digits)?;
            push_zeros(&mut text, whole - digits.len())?;
        } else {
            let (before, after) = digits.split_at(whole);
            text.put_str(before)?;
            text.put('.')?;
            text.put_str(after)?;
        }
    }
    Ok(text)
}

/// Returns the sign, exactly `count` significant digits and the power of ten of the first. Halves are rounded to an
/// even digit.
fn rounded_digits(n: &Number, count: usize, watch: &Watch) -> Result<(bool, String, i32)> {
    match n {
        Number::Float(f) => {
            if is_short(*f) && count <= SURE_DIGITS {
                let (mut digits, exponent) = split_exponent(&format!("{:e}", f.abs()));
                if digits.len() <= count {
                    let more = count - digits.len();
                    push_zeros(&mut digits, more)?;
                    return Ok((f.is_sign_negative(), digits, exponent));
                }
            }
            let shown = (count - 1).min(MAX_EXACT);
            let (mut digits, exponent) = split_exponent(&format!("{:.shown$e}", f.abs()));
            push_zeros(&mut digits, count - 1 - shown)?;
            Ok((f.is_sign_negative(), digits, exponent))
        }
        _ => {
            let text = number_text(n, watch)?;
            let digits = text.trim_start_matches('-');
            let (digits, exponent) = round_decimal(digits, count)?;
            Ok((text.starts_with('-'), digits, exponent))
        }
    }
}

/// Rounds a text of digits to `count` of them, or pads it.
fn round_decimal(digits: &str, count: usize) -> Result<(String, i32)> {
    let exponent = digits.len() as i32 - 1;
    if digits.len() <= count {
        let mut padded = digits.to_string();
        push_zeros(&mut padded, count - digits.len())?;
        return Ok((padded, exponent));
    }
    let (kept, dropped) = digits.split_at(count);
    let odd = kept.bytes().last().is_some_and(|last| last & 1 == 1);
    let up = match dropped.as_bytes() {
        [b'5', rest @ ..] => odd || rest.iter().any(|digit| *digit != b'0'),
        [first, ..] => *first > b'5',
        [] => false,
    };
    if !up {
        return Ok((kept.to_string(), exponent));
    }
    let mut bytes = Vec::of(kept.as_bytes())?;
    for byte in bytes.iter_mut().rev() {
        if *byte == b'9' {
            *byte = b'0';
        } else {
            *byte += 1;
            return Ok((String::from_utf8_lossy(&bytes).into_owned(), exponent));
        }
    }
    // All nines: one more digit in front.
    bytes.put_at(0, b'1')?;
    bytes.truncate(count);
    Ok((String::from_utf8_lossy(&bytes).into_owned(), exponent + 1))
}
