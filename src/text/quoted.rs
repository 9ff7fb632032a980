//! Quoted items and character escapes (ISO 13211-1, 6.4.2.1 and 6.4.4).

use super::syntax_error::{SyntaxError, SyntaxErrorKind as Kind};
use crate::base::grow::{Grow, GrowText};
use nom::IResult;
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_while, take_while_m_n, take_while1};
use nom::character::complete::char;
use nom::sequence::{preceded, terminated};
use std::borrow::Cow;

/// Characters that stand for themselves in an item with this quote.
fn plain(input: &str, quote: char, escapes: bool) -> IResult<&str, &str, ()> {
    take_while(|c: char| c != quote && !(escapes && c == '\\') && !c.is_control()).parse(input)
}

/// Reads the quoted item whose opening quote stands at `start`; gives what it denotes and the
/// offset after its closing quote.
pub(super) fn quoted(
    text: &str,
    start: usize,
    quote: char,
    escapes: bool,
) -> Result<(Cow<'_, str>, usize), SyntaxError> {
    let mut at = start + 1;
    let mut denoted: Cow<'_, str> = Cow::Borrowed("");
    loop {
        let run = plain(&text[at..], quote, escapes).map_or("", |(_, run)| run);
        if denoted.is_empty() {
            denoted = Cow::Borrowed(run);
        } else {
            denoted.to_mut().put_str(run);
        }
        at += run.len();
        let mut following = text[at..].chars();
        match following.next() {
            Some(c) if c == quote => {
                at += 1;
                if following.next() != Some(quote) {
                    return Ok((denoted, at));
                }
                at += 1;
                denoted.to_mut().put(quote);
            }
            Some('\\') => {
                let (c, end) = escape(text, at)?;
                if let Some(c) = c {
                    denoted.to_mut().put(c);
                }
                at = end;
            }
            None | Some('\n' | '\r') => {
                return Err(SyntaxError::new(
                    start,
                    at,
                    Kind::UnterminatedQuoted { quote },
                ));
            }
            Some(found) => {
                let end = at + found.len_utf8();
                return Err(SyntaxError::new(at, end, Kind::IllegalInQuoted { found }));
            }
        }
    }
}

/// Reads the escape sequence whose backslash stands at `at`; gives its character, or nothing for
/// a continuation of the line, and the offset after it.
pub(super) fn escape(text: &str, at: usize) -> Result<(Option<char>, usize), SyntaxError> {
    let after = &text[at + 1..];
    let Some(c) = after.chars().next() else {
        return Err(SyntaxError::new(at, at + 1, Kind::UnterminatedEscape));
    };
    let simple = match c {
        'a' => '\u{7}',
        'b' => '\u{8}',
        'f' => '\u{c}',
        'n' => '\n',
        // Not of the standard, but of most systems.
        's' => ' ',
        'r' => '\r',
        't' => '\t',
        'v' => '\u{b}',
        '\\' | '\'' | '"' | '`' => c,
        '\n' => return Ok((None, at + 2)),
        '\r' if after.starts_with("\r\n") => return Ok((None, at + 3)),
        'x' | 'u' | 'U' | '0'..='7' => return numeric_escape(text, at).map(|(c, e)| (Some(c), e)),
        _ => {
            let end = at + 1 + c.len_utf8();
            return Err(SyntaxError::new(
                at,
                end,
                Kind::UndefinedEscape { found: c },
            ));
        }
    };
    Ok((Some(simple), at + 2))
}

fn is_hex(c: char) -> bool {
    c.is_ascii_hexdigit()
}

/// `\x41\`, `\101\`; also `\u0041` and `\U00000041`.
fn numeric_escape(text: &str, at: usize) -> Result<(char, usize), SyntaxError> {
    let after = &text[at + 1..];
    let hex = terminated(
        preceded(char::<&str, ()>('x'), take_while1(is_hex)),
        char('\\'),
    );
    let short = preceded(tag("u"), take_while_m_n(4, 4, is_hex));
    let long = preceded(tag("U"), take_while_m_n(8, 8, is_hex));
    let octal = terminated(take_while1(|c: char| c.is_digit(8)), char('\\'));
    let radix = if after.starts_with(|c: char| c.is_ascii_digit()) {
        8
    } else {
        16
    };
    match alt((hex, short, long, octal)).parse(after) {
        Ok((rest, digits)) => {
            let end = text.len() - rest.len();
            match u32::from_str_radix(digits, radix)
                .ok()
                .and_then(char::from_u32)
            {
                Some(c) => Ok((c, end)),
                None => Err(SyntaxError::new(at, end, Kind::IllegalCharacterCode)),
            }
        }
        Err(_) => {
            let digits = after[1..].chars().take_while(|&c| is_hex(c)).count();
            Err(SyntaxError::new(
                at,
                at + 2 + digits,
                Kind::UnterminatedEscape,
            ))
        }
    }
}

/// Reads the character of `0'c`, whose quote stands at `quote_at`. Gives nothing if this is not
/// a character but the beginning of a quoted item.
pub(super) fn char_literal(
    text: &str,
    quote_at: usize,
    escapes: bool,
) -> Result<Option<(char, usize)>, SyntaxError> {
    let at = quote_at + 1;
    let after = &text[at..];
    let mut chars = after.chars();
    match chars.next() {
        None => Ok(None),
        Some('\'') if chars.next() == Some('\'') => Ok(Some(('\'', at + 2))),
        Some('\'') => Ok(None),
        Some('\\') if escapes => {
            let (c, end) = escape(text, at)?;
            Ok(c.map(|c| (c, end)))
        }
        Some(c) if c.is_control() => Ok(None),
        Some(c) => Ok(Some((c, at + c.len_utf8()))),
    }
}
