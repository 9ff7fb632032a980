//! Tokens (ISO 13211-1, 6.4).

use crate::base::number::Number;
use crate::base::source::Span;
use std::borrow::Cow;

/// A token and its place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Placed<Kind> {
    /// The kind of the token.
    pub(crate) kind: Kind,
    /// The byte offset of the first character of the token, after layout.
    pub(crate) start: usize,
    /// The byte offset after the last character of the token.
    pub(crate) end: usize,
}

impl<Kind> Placed<Kind> {
    /// Returns the place of the token.
    pub(crate) fn span(&self) -> Span {
        Span::new(self.start, self.end)
    }
}

/// A token of Prolog text.
pub(crate) type Token<'t> = Placed<TokenKind<'t>>;

/// The kind of a token. Names are slices of the text unless they contain escapes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum TokenKind<'t> {
    /// An unquoted atom: a name, symbol characters, `!` or `;`.
    Name(&'t str),
    /// A quoted atom, without its quotes.
    Quoted(Cow<'t, str>),
    /// A variable.
    Var(&'t str),
    /// A number without sign.
    Number(Number),
    /// A number without sign that the standard reads as a shorter number and an operator, if the rest is
    /// an operator: `1e9`, `16'FF`, `0''`.
    LongNumber(Number),
    /// An item in double quotes, without them.
    DoubleQuoted(Cow<'t, str>),
    /// An item in back quotes, without them.
    BackQuoted(Cow<'t, str>),
    /// `(`.
    Open,
    /// `)`.
    Close,
    /// `[`.
    OpenList,
    /// `]`.
    CloseList,
    /// `{`.
    OpenCurly,
    /// `}`.
    CloseCurly,
    /// `,`.
    Comma,
    /// `|`.
    Bar,
    /// The `.` that ends a clause.
    End,
    /// The end of the text.
    Eof,
}
