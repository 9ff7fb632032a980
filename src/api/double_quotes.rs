//! The meaning of double quotes in programs and queries.

use crate::base::flags::QuoteMode;

/// The meaning of `"…"` in programs and queries: the flag `double_quotes` (ISO 13211-1, 7.11.2.5).
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum DoubleQuotes {
    /// A string: [`Term::String`](crate::Term::String).
    #[default]
    String,
    /// A list of character codes.
    Codes,
    /// A list of one-character atoms.
    Chars,
    /// An atom.
    Atom,
}

impl From<DoubleQuotes> for QuoteMode {
    fn from(quotes: DoubleQuotes) -> QuoteMode {
        match quotes {
            DoubleQuotes::String => QuoteMode::String,
            DoubleQuotes::Codes => QuoteMode::Codes,
            DoubleQuotes::Chars => QuoteMode::Chars,
            DoubleQuotes::Atom => QuoteMode::Atom,
        }
    }
}
