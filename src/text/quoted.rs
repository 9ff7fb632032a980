//! Quoted items and character escapes (ISO 13211-1, 6.4.2.1 and 6.4.4).

use super::lexer::skip_blanks;
use super::syntax_error::{SyntaxError, SyntaxErrorKind as Kind};
use crate::base::flags::Lexis;
use crate::base::growth::{Grow, GrowText};
use nom::IResult;
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_while, take_while_m_n, take_while1};
use nom::character::complete::char;
use nom::combinator::{opt, verify};
use nom::sequence::{preceded, terminated};
use std::borrow::Cow;

/// Recognizes literal characters in an item with this quote.
fn plain(input: &str, quote: char, escapes: bool) -> IResult<&str, &str, ()> {
    take_while(|c: char| c != quote && !(escapes && c == '\\') && !c.is_control()).parse(input)
}

/// Reads the quoted item whose opening quote is at `start`. Returns the text that it denotes and
/// the offset after its closing quote.
pub(super) fn quoted(
    text: &str,
    start: usize,
    quote: char,
    lexis: Lexis,
) -> Result<(Cow<'_, str>, usize), SyntaxError> {
    let mut at = start + 1;
    let mut denoted: Cow<'_, str> = Cow::Borrowed("");
    loop {
        let run = plain(&text[at..], quote, lexis.escapes).map_or("", |(_, run)| run);
        if denoted.is_empty() {
            denoted = Cow::Borrowed(run);
        } else {
            denoted.to_mut().put_str(run)?;
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
                denoted.to_mut().put(quote)?;
            }
            Some('\\') => {
                let (c, end) = escape(text, at, lexis)?;
                if let Some(c) = c {
                    denoted.to_mut().put(c)?;
                }
                at = end;
            }
            Some(c @ ('\n' | '\t')) if !lexis.iso => {
                at += 1;
                denoted.to_mut().put(c)?;
            }
            // The end of a line in a Windows file.
            Some('\r') if !lexis.iso && following.next() == Some('\n') => {
                at += 2;
                denoted.to_mut().put('\n')?;
            }
            None | Some('\n' | '\r') => {
                let line = text[start..at].lines().next().unwrap_or_default();
                return Err(SyntaxError::new(
                    start,
                    start + line.len(),
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

/// Reads the escape sequence whose backslash is at `at`. Returns its character, or none for a
/// continuation of the line or `\c`, and the offset after it.
fn escape(text: &str, at: usize, lexis: Lexis) -> Result<(Option<char>, usize), SyntaxError> {
    let after = &text[at + 1..];
    let Some(c) = after.chars().next() else {
        return Err(SyntaxError::new(at, at + 1, Kind::UnterminatedEscape));
    };
    let simple = match c {
        'a' => '\u{7}',
        'b' => '\u{8}',
        'f' => '\u{c}',
        'n' => '\n',
        // Most systems have it, although the standard does not.
        's' => ' ',
        'r' => '\r',
        't' => '\t',
        'v' => '\u{b}',
        '\\' | '\'' | '"' | '`' => c,
        '\n' => return Ok((None, at + 2)),
        '\r' if after.starts_with("\r\n") => return Ok((None, at + 3)),
        'x' | 'u' | 'U' | '0'..='7' => {
            return numeric_escape(text, at, lexis).map(|(c, end)| (Some(c), end));
        }
        'e' if !lexis.iso => '\u{1b}',
        'c' if !lexis.iso => return Ok((None, skip_blanks(text, at + 2))),
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

/// Reads `\x41\`, `\101\`, `\u0041` and `\U00000041`. Unless the flag `iso` is set, the final backslash
/// of the first two is optional.
fn numeric_escape(text: &str, at: usize, lexis: Lexis) -> Result<(char, usize), SyntaxError> {
    let after = &text[at + 1..];
    let end = || {
        verify(opt(char::<&str, ()>('\\')), |end| {
            end.is_some() || !lexis.iso
        })
    };
    let hex = terminated(preceded(char('x'), take_while1(is_hex)), end());
    let short = preceded(tag("u"), take_while_m_n(4, 4, is_hex));
    let long = preceded(tag("U"), take_while_m_n(8, 8, is_hex));
    let octal = terminated(take_while1(|c: char| c.is_digit(8)), end());
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

/// The character of `0'c`.
#[derive(Debug)]
pub(super) struct Literal {
    /// The character.
    pub(super) char: char,
    /// The offset after the literal.
    pub(super) end: usize,
    /// Whether the standard reads the number 0 and a quoted item there.
    pub(super) long: bool,
}

/// Reads the character of `0'c`, whose quote is at `quote_at`. Returns none if this is the
/// beginning of a quoted item and not a character.
pub(super) fn char_literal(
    text: &str,
    quote_at: usize,
    lexis: Lexis,
) -> Result<Option<Literal>, SyntaxError> {
    let at = quote_at + 1;
    let after = &text[at..];
    let literal = |char, length, long| {
        let end = at + length;
        Ok(Some(Literal { char, end, long }))
    };
    let mut chars = after.chars();
    match (chars.next(), chars.next()) {
        (Some('\''), Some('\'')) => literal('\'', 2, false),
        (Some('\''), _) if !lexis.iso => literal('\'', 1, true),
        (Some('\''), _) | (None, _) => Ok(None),
        (Some('\\'), next) if lexis.escapes => match escape(text, at, lexis)? {
            (Some(char), end) => literal(char, end - at, false),
            (None, _) if lexis.iso => Ok(None),
            (None, end) if next != Some('c') => literal('\n', end - at, true),
            (None, _) => {
                let kind = Kind::UndefinedEscape { found: 'c' };
                Err(SyntaxError::new(at, at + 2, kind))
            }
        },
        (Some(c @ ('\t' | '\n')), _) if !lexis.iso => literal(c, 1, false),
        (Some('\r'), Some('\n')) if !lexis.iso => literal('\n', 2, false),
        (Some(c), _) if c.is_control() => Ok(None),
        (Some(c), _) => literal(c, c.len_utf8(), false),
    }
}
