//! The lexer: from characters to tokens (ISO 13211-1, 6.4), one at a time.

use super::char_class::{
    CharClass, char_class, ends_clause, is_alphanumeric, is_layout, is_symbol,
};
use super::numeral::number;
use super::quoted::quoted;
use super::syntax_error::{SyntaxError, SyntaxErrorKind as Kind};
use super::token::{Token, TokenKind};
use crate::base::flags::Lexis;
use crate::base::growth::Grow;
use crate::base::number::Number;
use crate::base::source::Span;
use crate::base::stop::Stop;
use crate::base::watch::Watch;
use nom::IResult;
use nom::Parser;
use nom::bytes::complete::{tag, take_till, take_until, take_while, take_while1};
use nom::character::complete::char;
use nom::sequence::{delimited, preceded};
use std::borrow::Cow;

fn blanks(input: &str) -> IResult<&str, &str, ()> {
    take_while1(is_layout).parse(input)
}

fn line_comment(input: &str) -> IResult<&str, &str, ()> {
    preceded(char('%'), take_till(|c| c == '\n')).parse(input)
}

fn block_comment(input: &str) -> IResult<&str, &str, ()> {
    delimited(tag("/*"), take_until("*/"), tag("*/")).parse(input)
}

fn name(input: &str) -> IResult<&str, &str, ()> {
    let inside = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    ascii_run(input, inside).map_or_else(|| take_while(is_alphanumeric).parse(input), Ok)
}

/// Returns the run of such characters at the beginning of a text. Returns `None` if a character
/// outside of ASCII follows it, which is rare.
fn ascii_run(input: &str, inside: impl Fn(&u8) -> bool) -> Option<(&str, &str)> {
    let bytes = input.as_bytes();
    let end = bytes.iter().position(|b| !inside(b)).unwrap_or(bytes.len());
    let (run, rest) = input.split_at_checked(end)?;
    let plain = bytes.get(end).is_none_or(u8::is_ascii);
    plain.then_some((rest, run))
}

fn symbols(input: &str) -> IResult<&str, &str, ()> {
    take_while(is_symbol).parse(input)
}

/// Returns the offset of the first character from `at` on that is not blank.
pub(super) fn skip_blanks(text: &str, at: usize) -> usize {
    blanks(&text[at..]).map_or(at, |(rest, _)| text.len() - rest.len())
}

/// Returns whether the text has only blanks and comments.
pub(crate) fn is_layout_only(text: &str) -> bool {
    skip_layout(text, 0).is_ok_and(|end| end == text.len())
}

/// Returns the offset of the first character from `at` on that is neither blank nor in a comment.
pub(super) fn skip_layout(text: &str, at: usize) -> Result<usize, SyntaxError> {
    skip_with(text, at, |_| Ok(()))
}

/// Skips layout as [`skip_layout`] does, and calls `comment` with every comment.
fn skip_with(
    text: &str,
    mut at: usize,
    mut comment: impl FnMut(Span) -> Result<(), Stop>,
) -> Result<usize, SyntaxError> {
    loop {
        let input = &text[at..];
        let rest = match input.as_bytes().first() {
            None => return Ok(at),
            Some(b'%') => line_comment(input),
            Some(b'/') if input.starts_with("/*") => match block_comment(input) {
                Err(_) => {
                    return Err(SyntaxError::new(at, at + 2, Kind::UnterminatedComment));
                }
                found => found,
            },
            Some(b) if b.is_ascii_graphic() => return Ok(at),
            Some(_) => blanks(input),
        };
        match rest {
            Ok((rest, _)) => {
                let end = text.len() - rest.len();
                if matches!(input.as_bytes()[0], b'%' | b'/') {
                    comment(Span::new(at, end))?;
                }
                at = end;
            }
            Err(_) => return Ok(at),
        }
    }
}

/// A source of tokens.
pub(crate) struct Lexer<'t> {
    text: &'t str,
    at: usize,
    lexis: Lexis,
    watch: Option<&'t Watch>,
    /// The list that records comments, if requested.
    pub(super) comments: Option<&'t mut Vec<Span>>,
}

impl<'t> Lexer<'t> {
    /// Returns the lexer with a watch: reading a large number stops if the query must stop.
    pub(super) fn watched(self, watch: &'t Watch) -> Lexer<'t> {
        Lexer {
            watch: Some(watch),
            ..self
        }
    }

    /// Creates a lexer for `text` from byte `at` on.
    pub(crate) fn new(text: &'t str, at: usize, lexis: Lexis) -> Lexer<'t> {
        Lexer {
            text,
            at,
            lexis,
            watch: None,
            comments: None,
        }
    }

    /// Returns the offset of the next character that is neither blank nor in a comment.
    fn skip(&mut self) -> Result<usize, SyntaxError> {
        // Most tokens come immediately after the previous one, or after one blank.
        let bytes = self.text.as_bytes();
        let blank = matches!(bytes.get(self.at), Some(b' ' | b'\n'));
        let at = self.at + usize::from(blank);
        if let Some(b) = bytes.get(at)
            && b.is_ascii_graphic()
            && !matches!(b, b'%' | b'/')
        {
            return Ok(at);
        }
        let Some(noted) = &mut self.comments else {
            return skip_layout(self.text, self.at);
        };
        skip_with(self.text, self.at, |comment| {
            // After `go_back`, comments are read again.
            if noted.last().is_none_or(|last| last.end <= comment.start) {
                noted.put(comment)?;
            }
            Ok(())
        })
    }

    /// Returns the next token. After the end of the text, every call returns `Eof`.
    pub(crate) fn next_token(&mut self) -> Result<Token<'t>, SyntaxError> {
        let text = self.text;
        let start = self.skip()?;
        let input = &text[start..];
        let Some(first) = input.chars().next() else {
            self.at = start;
            return Ok(Token {
                kind: TokenKind::Eof,
                start,
                end: start,
            });
        };
        let (kind, end) = match char_class(first) {
            CharClass::Small => slice(text, name(input), TokenKind::Name),
            CharClass::Capital if self.lexis.var_prefix && first != '_' => {
                slice(text, name(input), TokenKind::Name)
            }
            CharClass::Capital => slice(text, name(input), TokenKind::Var),
            CharClass::Digit => {
                let numeral = number(text, start, self.lexis, self.watch)?;
                let kind = match numeral.long {
                    false => TokenKind::Number(numeral.value),
                    true => TokenKind::LongNumber(numeral.value),
                };
                (kind, numeral.end)
            }
            CharClass::Symbol if first == '.' && ends_clause(input[1..].chars().next()) => {
                (TokenKind::End, start + 1)
            }
            CharClass::Symbol if self.lexis.module_goals && begins_with_module_goal(input) => {
                let end = start + MODULE_GOAL.len();
                (TokenKind::Name(MODULE_GOAL), end)
            }
            CharClass::Symbol => slice(text, symbols(input), TokenKind::Name),
            CharClass::Solo => (TokenKind::Name(&input[..1]), start + 1),
            CharClass::Punctuation => (punctuation(first), start + 1),
            CharClass::Quote => {
                let (denoted, end) = quoted(text, start, first, self.lexis)?;
                let kind = match first {
                    '\'' => TokenKind::Quoted(denoted),
                    '"' => TokenKind::DoubleQuoted(denoted),
                    _ => TokenKind::BackQuoted(denoted),
                };
                (kind, end)
            }
            class => {
                let kind = match class {
                    CharClass::TypographicQuote => Kind::TypographicQuote { found: first },
                    _ => Kind::IllegalCharacter { found: first },
                };
                return Err(SyntaxError::new(start, start + first.len_utf8(), kind));
            }
        };
        self.at = end;
        Ok(Token { kind, start, end })
    }

    /// Returns whether `(` is at this offset.
    pub(crate) fn opens_arguments(&self, at: usize) -> bool {
        self.text.as_bytes().get(at) == Some(&b'(')
    }

    /// Returns a lexer that reads the text up to `end` again, from `start` on.
    pub(super) fn again(&self, start: usize, end: usize) -> Lexer<'t> {
        Lexer::new(
            self.slice(0, end),
            start,
            self.lexis.with_module_goals(false),
        )
    }

    /// Reads again, strictly by the standard, a number that begins at `start`. Returns its value, its end
    /// and the name that follows it.
    pub(super) fn short_number(&self, start: usize) -> Option<(Number, usize, Cow<'t, str>)> {
        let mut lexer = Lexer::new(self.text, start, self.lexis.strict());
        lexer.watch = self.watch;
        let number = lexer.next_token().ok()?;
        let TokenKind::Number(value) = number.kind else {
            return None;
        };
        let name = match lexer.next_token().ok()?.kind {
            TokenKind::Name(name) => Cow::Borrowed(name),
            TokenKind::Quoted(name) => name,
            _ => return None,
        };
        Some((value, number.end, name))
    }

    /// Returns the offset that is read next, to which `go_back` can return.
    pub(super) fn place(&self) -> usize {
        self.at
    }

    /// Returns whether a digit is at this offset.
    pub(super) fn digit_follows(&self, at: usize) -> bool {
        self.text.as_bytes().get(at).is_some_and(u8::is_ascii_digit)
    }

    /// Returns whether the next token is the end of a clause.
    pub(crate) fn at_end_token(&mut self) -> bool {
        self.next_token()
            .is_ok_and(|token| token.kind == TokenKind::End)
    }

    /// Returns whether this offset is the first of a line.
    pub(crate) fn begins_line(&self, at: usize) -> bool {
        at > 0 && self.text.as_bytes().get(at - 1) == Some(&b'\n')
    }

    /// Moves back or forward to an offset.
    pub(super) fn go_back(&mut self, at: usize) {
        self.at = at;
    }

    /// Returns the text between two offsets.
    pub(crate) fn slice(&self, start: usize, end: usize) -> &'t str {
        self.text.get(start..end).unwrap_or_default()
    }

    /// Returns whether the text of the Lolli operator is at this offset, whether or not it is an
    /// operator there.
    pub(super) fn at_module_goal(&self, start: usize) -> bool {
        self.text.get(start..).is_some_and(begins_with_module_goal)
    }
}

/// The operator of Lolli that mixes symbol characters and letters.
pub(super) const MODULE_GOAL: &str = "--o";

fn begins_with_module_goal(input: &str) -> bool {
    let rest = input.strip_prefix(MODULE_GOAL);
    rest.is_some_and(|rest| !rest.starts_with(is_alphanumeric))
}

/// Returns the token for a recognized run of characters, and the offset after it.
fn slice<'t>(
    text: &'t str,
    recognized: IResult<&'t str, &'t str, ()>,
    kind: impl FnOnce(&'t str) -> TokenKind<'t>,
) -> (TokenKind<'t>, usize) {
    match recognized {
        Ok((rest, found)) => (kind(found), text.len() - rest.len()),
        Err(_) => unreachable!("a run of no characters is recognized too"),
    }
}

fn punctuation(c: char) -> TokenKind<'static> {
    match c {
        '(' => TokenKind::Open,
        ')' => TokenKind::Close,
        '[' => TokenKind::OpenList,
        ']' => TokenKind::CloseList,
        '{' => TokenKind::OpenCurly,
        '}' => TokenKind::CloseCurly,
        ',' => TokenKind::Comma,
        _ => TokenKind::Bar,
    }
}
