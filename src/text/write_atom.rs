//! Writing of atoms, strings and single characters (ISO 6.4.2 and 7.10.5): which atoms need quotes,
//! and how quoted text is escaped.

use super::char_class::{CharClass, char_class, is_alphanumeric, is_symbol, is_unquoted_atom};
use crate::base::growth::{Grow, GrowText};
use crate::base::stop::Stop;

/// The class of a character at the edge of a token, which decides whether two tokens need a blank
/// between them.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Edge {
    /// A character that joins no other: punctuation, a blank, or the start of the text.
    Open,
    /// Letter, digit or underscore.
    Alphanumeric,
    /// The last character of a number.
    Number,
    /// Graphic character of a symbol atom.
    Symbol,
    /// The dots in place of omitted text.
    Elision,
    /// A quote.
    Quote(char),
}

impl Edge {
    /// Returns the edge of this character.
    pub(crate) fn of(char: char) -> Edge {
        if is_alphanumeric(char) {
            Edge::Alphanumeric
        } else if is_symbol(char) {
            Edge::Symbol
        } else if matches!(char, '\'' | '"' | '`') {
            Edge::Quote(char)
        } else {
            Edge::Open
        }
    }

    /// Returns whether a token with this end and one that begins with `next` need a blank between
    /// them.
    pub(crate) fn joins(self, next: Edge) -> bool {
        match (self, next) {
            (Edge::Alphanumeric | Edge::Number, Edge::Alphanumeric | Edge::Number)
            | (Edge::Symbol | Edge::Elision, Edge::Symbol)
            | (Edge::Number, Edge::Quote(_)) => true,
            (Edge::Quote(this), Edge::Quote(other)) => this == other,
            _ => false,
        }
    }
}

/// Returns whether the atom of this text must be quoted to be read back.
pub(crate) fn needs_quotes(text: &str) -> bool {
    !is_unquoted_atom(text)
}

/// Returns whether a text looks like a variable but is a name if variables begin with `_`.
pub(super) fn is_prefixless_variable(text: &str) -> bool {
    !text.starts_with('_')
        && text.starts_with(|first| char_class(first) == CharClass::Capital)
        && text.chars().all(is_alphanumeric)
}

/// Appends `text` as an atom to `out`; with `quoted`, it is quoted if needed.
pub(crate) fn push_atom(
    out: &mut String,
    text: &str,
    quoted: bool,
    escapes: bool,
) -> Result<(), Stop> {
    if quoted && needs_quotes(text) {
        push_quoted(out, text, '\'', escapes)?;
    } else {
        out.put_str(text)?;
    }
    Ok(())
}

/// Appends `text` between `quote`s, with escape sequences. Without `escapes`, only the quote itself
/// is doubled.
pub(crate) fn push_quoted(
    out: &mut String,
    text: &str,
    quote: char,
    escapes: bool,
) -> Result<(), Stop> {
    out.put(quote)?;
    for char in text.chars() {
        push_quoted_char(out, char, quote, escapes)?;
    }
    out.put(quote)?;
    Ok(())
}

/// Appends one character of a quoted item.
fn push_quoted_char(out: &mut String, char: char, quote: char, escapes: bool) -> Result<(), Stop> {
    if !escapes {
        if char == quote {
            out.put(quote)?;
        }
        out.put(char)?;
        return Ok(());
    }
    let letter = match char {
        '\\' => '\\',
        '\x07' => 'a',
        '\x08' => 'b',
        '\t' => 't',
        '\n' => 'n',
        '\x0b' => 'v',
        '\x0c' => 'f',
        '\r' => 'r',
        _ if char == quote => quote,
        _ if is_invisible(char) => {
            return out.put_str(&format!("\\x{:x}\\", u32::from(char)));
        }
        _ => {
            out.put(char)?;
            return Ok(());
        }
    };
    out.put('\\')?;
    out.put(letter)?;
    Ok(())
}

/// Returns whether a character is invisible. The space is not.
fn is_invisible(char: char) -> bool {
    if char.is_ascii() {
        return char.is_ascii_control();
    }
    char.is_control()
        || char.is_whitespace()
        || matches!(u32::from(char),
            0xad | 0x61c | 0x180e | 0x200b..=0x200f | 0x202a..=0x202e | 0x2060..=0x206f | 0xfeff
            | 0xfff9..=0xfffb | 0xe000..=0xf8ff | 0xe0000..=0x10_ffff)
        || u32::from(char) & 0xfffe == 0xfffe
}
