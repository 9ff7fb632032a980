//! From characters to tokens of Lolli text, one at a time. The longest token counts; words with a
//! meaning go before names.
//!
//! Beyond the original, letters of any script make names, an end of line may have a carriage
//! return, and integers have no greatest one and may have the sign `~`.

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
    /// Characters that mean nothing and were left out.
    pub(super) ignored: Vec<Span>,
}

/// May the name of this text be written as it is? So the writer knows what to mark.
pub(crate) fn is_name_char(c: char) -> bool {
    is_alphanumeric(c)
}

/// The names of signs that a text may begin with, the longest first.
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

/// The token of a name written without quotes.
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

/// Does a variable begin so?
pub(super) fn begins_upper(text: &str) -> bool {
    text.starts_with(|c| char_class(c) == CharClass::Capital)
}

impl<'t> Lexer<'t> {
    /// The tokens of `text` from byte `at` on.
    pub(super) fn new(text: &'t str, at: usize) -> Lexer<'t> {
        Lexer {
            text,
            at,
            ignored: Vec::new(),
        }
    }

    /// The offset after the last token.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Bytes of the text.
    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    /// The text between two offsets.
    pub(super) fn slice(&self, start: usize, end: usize) -> &'t str {
        self.text.get(start..end).unwrap_or_default()
    }

    /// The next token. After the end of the text, `Eof` again and again.
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

    /// Goes on to the next character of a token.
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

    /// How many bytes from `start` on make a name, and whether a `^` is among them.
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

    /// A name, or a number that is nothing more.
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

    /// `~` and digits, unless these begin a name.
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

    /// A quoted name or a string. There are no escapes, and it may go over many lines.
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

/// The value of digits.
fn whole_number(digits: &str) -> Number {
    match integer(digits, 10, None) {
        Some(value) => value,
        None => unreachable!("nobody stops it"),
    }
}
