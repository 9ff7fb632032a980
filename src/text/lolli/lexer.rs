//! The lexer of Lolli text: from characters to tokens, one at a time. It takes the longest possible
//! token; keywords have priority over names.
//!
//! Extensions of the original: letters of any script form names, an end of line may have a carriage
//! return, and integers are unbounded and may have the sign `~`.

use super::error::LolliSyntax;
use super::op;
use super::parse_error::error_at;
use super::token::{Keyword, Token, TokenKind};
use crate::base::growth::Grow;
use crate::base::number::Number;
use crate::base::source::Span;
use crate::base::stop::Stop;
use crate::text::char_class::{CharClass, char_class, is_alphanumeric, is_layout};
use crate::text::numeral::{integer, negate};
use crate::text::syntax_error::SyntaxError;
use std::borrow::Cow;

/// A source of tokens.
pub(super) struct Lexer<'t> {
    text: &'t str,
    at: usize,
    /// Characters without meaning that were skipped.
    pub(super) ignored: Vec<Span>,
}

/// Returns whether a character may be in an unquoted name. The writer uses this to decide which
/// characters to mark.
pub(crate) fn is_name_char(c: char) -> bool {
    is_alphanumeric(c)
}

/// Returns the token of the sign at the beginning of a text, preferring longer signs.
fn sign(input: &str) -> Option<(TokenKind<'static>, usize)> {
    let found = |length: usize| {
        let text = input.get(..length)?;
        let kind = match text {
            "->" => TokenKind::Arrow,
            "|" => TokenKind::Bar,
            "!" => TokenKind::Cut,
            "\\" => TokenKind::Backslash,
            "(" => TokenKind::Open,
            ")" => TokenKind::Close,
            "{" => TokenKind::OpenCurly,
            "}" => TokenKind::CloseCurly,
            "[" => TokenKind::OpenSquare,
            "]" => TokenKind::CloseSquare,
            "." => TokenKind::Dot,
            _ => TokenKind::Op(op::find(text)?),
        };
        Some((kind, length))
    };
    (1..=3).rev().find_map(found)
}

/// Returns the token of a name written without quotes.
fn word(text: Cow<'_, str>, upper: bool) -> TokenKind<'_> {
    match &*text {
        _ if matches!(text, Cow::Owned(_)) => {}
        "MODULE" => return TokenKind::Keyword(Keyword::Module),
        "LINEAR" => return TokenKind::Keyword(Keyword::Linear),
        "LOCAL" => return TokenKind::Keyword(Keyword::Local),
        "COUNT_MEMO" => return TokenKind::Keyword(Keyword::CountMemo),
        "forall" => return TokenKind::Quantifier("forall"),
        "exists" => return TokenKind::Quantifier("exists"),
        "is" => {
            if let Some(op) = op::find("is") {
                return TokenKind::Op(op);
            }
        }
        _ => {}
    }
    if upper {
        TokenKind::Upper(text)
    } else {
        TokenKind::Lower(text)
    }
}

/// Returns whether the text begins like a variable.
pub(super) fn begins_upper(text: &str) -> bool {
    text.starts_with(|c| char_class(c) == CharClass::Capital)
}

impl<'t> Lexer<'t> {
    /// Creates a lexer for `text` from byte `at` on.
    pub(super) fn new(text: &'t str, at: usize) -> Lexer<'t> {
        Lexer {
            text,
            at,
            ignored: Vec::new(),
        }
    }

    /// Returns the offset after the last token.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Returns the number of bytes of the text.
    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    /// Returns the text between two offsets.
    pub(super) fn slice(&self, start: usize, end: usize) -> &'t str {
        self.text.get(start..end).unwrap_or_default()
    }

    /// Returns the next token. After the end of the text, every call returns `Eof`.
    pub(super) fn next_token(&mut self) -> Result<Token<'t>, SyntaxError> {
        loop {
            self.skip_layout();
            let start = self.at;
            let input = &self.text[start..];
            let Some(first) = input.chars().next() else {
                return Ok(self.token(TokenKind::Eof, start, 0));
            };
            if is_name_char(first) || first == '^' && input.chars().nth(1).is_some() {
                return Ok(self.name(start)?);
            }
            if matches!(first, '\'' | '"') {
                return self.quoted(start, first);
            }
            if let Some(negative) = self.negative(start) {
                return Ok(negative);
            }
            if let Some((kind, length)) = sign(input) {
                return Ok(self.token(kind, start, length));
            }
            self.at = start + first.len_utf8();
            self.ignored.put(Span::new(start, self.at))?;
        }
    }

    fn token(&mut self, kind: TokenKind<'t>, start: usize, length: usize) -> Token<'t> {
        self.at = start + length;
        Token {
            kind,
            start,
            end: self.at,
        }
    }

    /// Skips to the next character of a token.
    pub(super) fn skip_layout(&mut self) {
        loop {
            let rest = self.text[self.at..].trim_start_matches(is_layout);
            self.at = self.text.len() - rest.len();
            if !rest.starts_with('%') {
                return;
            }
            self.at += rest.find('\n').unwrap_or(rest.len());
        }
    }

    /// Returns the number of bytes of the name at `start`, and whether it contains a `^`.
    fn name_length(&self, start: usize) -> (usize, bool) {
        let input = &self.text[start..];
        let mut carets = false;
        let mut chars = input.char_indices();
        while let Some((at, c)) = chars.next() {
            if c == '^' && chars.next().is_some() {
                carets = true;
            } else if !is_name_char(c) {
                return (at, carets);
            }
        }
        (input.len(), carets)
    }

    /// Reads a name, or a number if all its characters are digits.
    fn name(&mut self, start: usize) -> Result<Token<'t>, Stop> {
        let (length, carets) = self.name_length(start);
        let text = &self.text[start..start + length];
        let kind = if carets {
            let mut plain = String::with_capacity(length);
            let mut chars = text.chars();
            while let Some(c) = chars.next() {
                plain.put_all(if c == '^' { chars.next() } else { Some(c) })?;
            }
            word(Cow::Owned(plain), begins_upper(text))
        } else if text.bytes().all(|b| b.is_ascii_digit()) {
            TokenKind::Int(whole_number(text))
        } else {
            word(Cow::Borrowed(text), begins_upper(text))
        };
        Ok(self.token(kind, start, length))
    }

    /// Reads `~` and digits, unless the digits begin a name.
    fn negative(&mut self, start: usize) -> Option<Token<'t>> {
        let digits = self.text[start..].strip_prefix('~')?;
        let (length, _) = self.name_length(start + 1);
        let digits = &digits[..length];
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let number: Number = negate(whole_number(digits));
        Some(self.token(TokenKind::Int(number), start, length + 1))
    }

    /// Reads a quoted name or a string. It has no escapes and may extend over many lines.
    fn quoted(&mut self, start: usize, quote: char) -> Result<Token<'t>, SyntaxError> {
        let Some(length) = self.text[start + 1..].find(quote) else {
            self.at = self.text.len();
            let kind = LolliSyntax::UnclosedQuote { quote };
            return Err(error_at(Span::new(start, start + 1), kind));
        };
        let text = &self.text[start + 1..start + 1 + length];
        let kind = match quote {
            '"' => TokenKind::Text(text),
            _ if begins_upper(text) => TokenKind::Upper(Cow::Borrowed(text)),
            _ => TokenKind::Lower(Cow::Borrowed(text)),
        };
        Ok(self.token(kind, start, length + 2))
    }
}

/// Returns the value of digits.
fn whole_number(digits: &str) -> Number {
    match integer(digits, 10, None) {
        Some(value) => value,
        None => unreachable!("nobody stops it"),
    }
}
