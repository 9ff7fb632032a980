//! A search for the end of a clause, character by character. It is used to read exactly one clause from a stream, and
//! to skip clauses of a text that need not be read. It agrees with the lexer on every text that the lexer accepts.

use super::char_class::{CharClass, char_class, ends_clause, is_alphanumeric};
use super::resume::begins_clause;
use crate::base::flags::Lexis;
use std::str::Chars;

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum State {
    /// Before a token.
    Start,
    /// In a name or a variable, or in letters immediately after a number.
    Name,
    /// After a `0` that begins a number.
    Zero,
    /// In a number; `fraction` is true after its decimal point.
    Number { fraction: bool },
    /// Before the sign of an exponent.
    ExponentSign,
    /// In an atom of symbol characters.
    Symbol,
    /// In a `%` comment.
    LineComment,
    /// Before the `*` that opens a block comment.
    BlockOpen,
    /// In a block comment.
    Block,
    /// Before the `/` that closes a block comment.
    BlockClose,
    /// In a quoted item.
    Quoted(char),
    /// Before the second of two quotes that denote one.
    Doubled(char),
    /// After the backslash in a quoted item.
    Escape(char),
    /// In the digits of an escape in a quoted item; the number is their radix.
    Digits(char, u32),
    /// After the quote that follows the radix of a number, in its digits.
    Radix,
    /// After `0'`, before the character whose code is the number.
    Literal,
    /// After `0'`, before a backslash.
    LiteralBackslash,
    /// After `0'\`.
    LiteralEscape,
    /// In the digits of an escape after `0'`; the number is their radix.
    LiteralDigits(u32),
    /// Before this number of remaining digits of an escape after `0'`.
    LiteralFixed(u8),
    /// After `0'`, before a quote.
    LiteralQuote,
    /// After `0''`, before another quote.
    LiteralDoubled,
}

/// A scanner for the end of a clause.
#[derive(Clone, Debug)]
pub(crate) struct ClauseExtent {
    state: State,
    lexis: Lexis,
    /// Whether an unclosed quoted item ends the clause at the end of a line that ends in `.`.
    quotes_in_line: bool,
    begun: bool,
    /// The last character of the current line of a quoted item that is not blank.
    last_visible: char,
    /// The value of the digits of the present number as a radix; more than 36 if they cannot be
    /// one.
    radix: u32,
}

impl ClauseExtent {
    /// Creates a scanner at the beginning of a clause. A quoted item may extend over lines unless the flag
    /// `iso` is set.
    pub(crate) fn new(lexis: Lexis) -> ClauseExtent {
        ClauseExtent {
            state: State::Start,
            lexis,
            quotes_in_line: lexis.iso,
            begun: false,
            last_visible: ' ',
            radix: 0,
        }
    }

    /// Creates a scanner for incremental text, such as typed text. An unclosed quoted item ends the clause
    /// at the end of a line that ends in `.`. Usually its closing quote was forgotten.
    pub(crate) fn typed(lexis: Lexis) -> ClauseExtent {
        let mut extent = ClauseExtent::new(lexis);
        extent.close_quotes_in_line();
        extent
    }

    /// Makes an unclosed quoted item end the clause from here on, at the end of a line that ends in
    /// `.`.
    pub(super) fn close_quotes_in_line(&mut self) {
        self.quotes_in_line = true;
    }

    /// Returns whether the next character is in a quoted item, or is the character of a `0'c`.
    pub(crate) fn in_quoted(&self) -> bool {
        matches!(
            self.state,
            State::Quoted(_)
                | State::Doubled(_)
                | State::Escape(_)
                | State::Digits(..)
                | State::Literal
                | State::LiteralBackslash
                | State::LiteralEscape
                | State::LiteralDigits(_)
                | State::LiteralFixed(_)
                | State::LiteralQuote
                | State::LiteralDoubled
        )
    }

    /// Returns whether the next character is in a comment.
    pub(crate) fn in_comment(&self) -> bool {
        matches!(
            self.state,
            State::LineComment | State::BlockOpen | State::Block | State::BlockClose
        )
    }

    /// Returns whether the clause has begun: whether the text so far is more than layout and
    /// comments.
    pub(crate) fn has_begun(&self) -> bool {
        self.begun
    }

    /// Processes a character; `next` is the one after it, or `None` at the end of the stream. Returns
    /// whether it ends the clause. The `.` of an end token ends it. Inside an unclosed quoted item, an end
    /// of line may end it.
    pub(crate) fn push(&mut self, c: char, next: Option<char>) -> bool {
        self.state = match self.state {
            State::LineComment if c == '\n' => State::Start,
            State::LineComment => State::LineComment,
            State::BlockOpen => State::Block,
            State::Block if c == '*' && next == Some('/') => State::BlockClose,
            State::Block => State::Block,
            State::Literal | State::LiteralEscape if c == '\r' && next == Some('\n') => self.state,
            State::BlockClose | State::Literal | State::LiteralDoubled => State::Start,
            State::Quoted(quote) => return self.quoted(quote, c, next),
            State::Doubled(quote) => State::Quoted(quote),
            State::Escape(quote) => match c {
                'x' => State::Digits(quote, 16),
                '0'..='7' => State::Digits(quote, 8),
                '\r' if next == Some('\n') => State::Escape(quote),
                _ => State::Quoted(quote),
            },
            State::Digits(_, radix) if c.is_digit(radix) => self.state,
            State::Digits(quote, _) if c == '\\' => State::Quoted(quote),
            State::Digits(quote, _) => return self.quoted(quote, c, next),
            State::Radix if c.is_digit(self.radix) || c == '_' => State::Radix,
            State::Radix if c == '\'' && next == Some('\'') => State::Doubled('\''),
            State::Radix if c == '\'' => State::Start,
            // This is a quoted operator that begins with such digits.
            State::Radix if is_alphanumeric(c) => return self.quoted('\'', c, next),
            State::Radix => {
                self.state = State::Name;
                return self.unquoted(c, next);
            }
            State::LiteralBackslash if self.lexis.iso && matches!(next, Some('\n' | '\r')) => {
                State::Escape('\'')
            }
            State::LiteralBackslash => State::LiteralEscape,
            State::LiteralEscape => match c {
                'x' => State::LiteralDigits(16),
                '0'..='7' => State::LiteralDigits(8),
                'u' => State::LiteralFixed(4),
                'U' => State::LiteralFixed(8),
                _ => State::Start,
            },
            State::LiteralDigits(radix) if c.is_digit(radix) => self.state,
            State::LiteralDigits(_) if c == '\\' => State::Start,
            State::LiteralFixed(left) if c.is_ascii_hexdigit() => match left {
                1 => State::Start,
                _ => State::LiteralFixed(left - 1),
            },
            State::LiteralQuote if next == Some('\'') => State::LiteralDoubled,
            State::LiteralQuote => State::Start,
            State::ExponentSign => match next {
                Some('0'..='9') => State::Number { fraction: true },
                _ => State::Symbol,
            },
            State::LiteralDigits(_) | State::LiteralFixed(_) => {
                self.state = State::Start;
                return self.unquoted(c, next);
            }
            State::Start | State::Name | State::Zero | State::Number { .. } | State::Symbol => {
                return self.unquoted(c, next);
            }
        };
        false
    }

    fn quoted(&mut self, quote: char, c: char, next: Option<char>) -> bool {
        if c == '\n' && self.last_visible == '.' && self.quotes_in_line {
            self.state = State::Start;
            return true;
        }
        if c == '\n' || !c.is_whitespace() {
            self.last_visible = c;
        }
        self.state = match c {
            '\\' if self.lexis.escapes => State::Escape(quote),
            _ if c == quote && next == Some(quote) => State::Doubled(quote),
            _ if c == quote => State::Start,
            _ => State::Quoted(quote),
        };
        false
    }

    fn unquoted(&mut self, c: char, next: Option<char>) -> bool {
        let state = self.state;
        let number = matches!(state, State::Zero | State::Number { .. });
        let fraction = state == State::Number { fraction: true };
        let next_digit = next.is_some_and(|c| c.is_ascii_digit());
        self.radix = match c {
            '0'..='9' if number => self.radix.min(99) * 10 + u32::from(c) - u32::from('0'),
            '0'..='9' => u32::from(c) - u32::from('0'),
            '_' => u32::MAX,
            _ => self.radix,
        };
        self.state = match char_class(c) {
            CharClass::Digit => match state {
                State::Name => State::Name,
                _ if number => State::Number { fraction },
                _ if c == '0' => State::Zero,
                _ => State::Number { fraction: false },
            },
            CharClass::Capital if c == '_' && number && next_digit && !fraction => {
                State::Number { fraction }
            }
            CharClass::Small | CharClass::Capital
                if fraction && matches!(c, 'e' | 'E') && matches!(next, Some('+' | '-')) =>
            {
                State::ExponentSign
            }
            CharClass::Small | CharClass::Capital | CharClass::Mark => State::Name,
            CharClass::Symbol if state == State::Symbol => State::Symbol,
            CharClass::Symbol if c == '.' && number && !fraction && next_digit => {
                State::Number { fraction: true }
            }
            CharClass::Symbol if c == '.' && ends_clause(next) => {
                self.state = State::Start;
                return true;
            }
            CharClass::Symbol if c == '/' && next == Some('*') => State::BlockOpen,
            CharClass::Symbol => State::Symbol,
            CharClass::Percent => State::LineComment,
            CharClass::Quote if c == '\'' && state == State::Zero => match next {
                Some('\'') => State::LiteralQuote,
                Some('\\') if self.lexis.escapes => State::LiteralBackslash,
                Some('\n' | '\t' | '\r') if !self.lexis.iso => State::Literal,
                Some(next) if !next.is_control() => State::Literal,
                _ => self.open_quote(c),
            },
            CharClass::Quote
                if c == '\''
                    && state == (State::Number { fraction: false })
                    && !self.lexis.iso
                    && (2..=36).contains(&self.radix)
                    && next.is_some_and(|next| next.is_digit(self.radix)) =>
            {
                self.last_visible = c;
                State::Radix
            }
            CharClass::Quote => self.open_quote(c),
            CharClass::Layout => State::Start,
            _ => {
                self.begun = true;
                State::Start
            }
        };
        if !matches!(
            self.state,
            State::Start | State::LineComment | State::BlockOpen
        ) {
            self.begun = true;
        }
        false
    }

    fn open_quote(&mut self, quote: char) -> State {
        self.last_visible = quote;
        State::Quoted(quote)
    }

    /// Returns a scan of the characters of a text from byte `start` on.
    pub(super) fn over(self, text: &str, start: usize) -> Scan<'_> {
        let chars = text.get(start..).unwrap_or_default().chars();
        Scan {
            extent: self,
            chars,
            length: text.len(),
        }
    }

    /// Returns the offset after the clause that begins at byte `start` of `text`. If the clause is incomplete,
    /// returns the end of the text.
    pub(crate) fn end_in(self, text: &str, start: usize) -> usize {
        self.over(text, start).end().unwrap_or(text.len())
    }

    /// Returns the offset after the clause that begins at byte `start`. Returns `None` if the clause may have an
    /// error after which reading continues elsewhere: a quoted item extends over lines, or a line looks like the
    /// beginning of another clause.
    pub(crate) fn plain_end_in(self, text: &str, start: usize) -> Option<usize> {
        let mut scan = self.over(text, start);
        loop {
            let quoted = scan.extent.in_quoted();
            match scan.step() {
                Some(('\n', _)) if quoted || begins_clause(text, scan.at()) => return None,
                Some((_, false)) => {}
                Some((_, true)) | None => return Some(scan.at()),
            }
        }
    }

    /// Returns the offset after the clause at the beginning of a text; `None` if the clause is
    /// incomplete.
    pub(crate) fn end_of(self, text: &str) -> Option<usize> {
        self.over(text, 0).end()
    }
}

/// A scanner with its text.
pub(super) struct Scan<'a> {
    /// The state before the next character.
    pub(super) extent: ClauseExtent,
    chars: Chars<'a>,
    length: usize,
}

impl Scan<'_> {
    /// Returns the offset of the next character.
    pub(super) fn at(&self) -> usize {
        self.length - self.chars.as_str().len()
    }

    /// Processes the next character. Returns the character and whether it ends the clause.
    pub(super) fn step(&mut self) -> Option<(char, bool)> {
        self.step_as(|c| c)
    }

    /// Processes the next character, replaced by `of` unless it is in a quoted item.
    pub(super) fn step_as(&mut self, of: impl Fn(char) -> char) -> Option<(char, bool)> {
        let c = self.chars.next()?;
        let c = if self.extent.in_quoted() { c } else { of(c) };
        let next = self.chars.clone().next().map(of);
        Some((c, self.extent.push(c, next)))
    }

    fn end(mut self) -> Option<usize> {
        while let Some((_, ends)) = self.step() {
            if ends {
                return Some(self.at());
            }
        }
        None
    }
}
