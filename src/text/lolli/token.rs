//! Tokens of Lolli text.

use super::op::Op;
use crate::base::named::named;
use crate::base::number::Number;
use crate::text::token::Placed;
use std::borrow::Cow;

/// A token and its place.
pub(super) type Token<'t> = Placed<TokenKind<'t>>;

/// The kind of a token.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum TokenKind<'t> {
    /// A name that begins with a capital letter or `_` and is not marked as a constant.
    Upper(Cow<'t, str>),
    /// Any other name, including `true` and `erase`.
    Lower(Cow<'t, str>),
    /// An integer.
    Int(Number),
    /// The text between double quotes.
    Text(&'t str),
    /// An infix operator.
    Op(Op),
    /// `->`.
    Arrow,
    /// `|`.
    Bar,
    /// `!`.
    Cut,
    /// `\`.
    Backslash,
    /// `(`.
    Open,
    /// `)`.
    Close,
    /// `{`.
    OpenCurly,
    /// `}`.
    CloseCurly,
    /// `[`.
    OpenSquare,
    /// `]`.
    CloseSquare,
    /// `forall` or `exists`.
    Quantifier(&'static str),
    /// A keyword of module files.
    Keyword(Keyword),
    /// `.`.
    Dot,
    /// The end of the text.
    Eof,
}

named! {
    /// A keyword of module files.
    Keyword {
        /// `MODULE`.
        Module "MODULE",
        /// `LINEAR`.
        Linear "LINEAR",
        /// `LOCAL`.
        Local "LOCAL",
        /// `COUNT_MEMO`.
        CountMemo "COUNT_MEMO",
    }
}
