//! The pieces of a text, for highlighting: tokens and comments with their kinds. The text may be
//! incomplete or wrong.

use super::lexer::Lexer;
use super::token::TokenKind;
use crate::base::flags::Lexis;
use crate::base::growth::{Grow, GrowText, text_with_room};
use crate::base::source::Span;
use crate::base::stop::Stop;

/// The kind of a piece of text.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Lexeme {
    /// An atom that is not a functor before its arguments: a name, symbol characters, `!`, `;`.
    Atom,
    /// An atom immediately before the bracket of its arguments.
    Functor,
    /// An atom in quotes.
    Quoted,
    /// A variable.
    Variable,
    /// A number.
    Number,
    /// A text in double quotes or back quotes.
    Text,
    /// A bracket, `,` or `|`.
    Punctuation,
    /// The full stop.
    End,
    /// A comment.
    Comment,
    /// An unreadable piece: a quoted item or a comment without an end, or a character that is not
    /// allowed outside of quotes.
    Wrong,
}

impl Lexeme {
    /// Returns the terminal sequence that starts the colour of such pieces, if they have one.
    pub fn colour(self) -> Option<&'static str> {
        Some(match self {
            Lexeme::Variable => "\x1b[33m",
            Lexeme::Number => "\x1b[35m",
            Lexeme::Quoted | Lexeme::Text => "\x1b[32m",
            Lexeme::Functor => "\x1b[34m",
            Lexeme::Comment => "\x1b[2m",
            Lexeme::Wrong => "\x1b[31m",
            Lexeme::Atom | Lexeme::Punctuation | Lexeme::End => return None,
        })
    }
}

/// Returns a text with terminal colours; `pieces` are its pieces. A colour ends at the end of its
/// line.
pub(crate) fn coloured(text: &str, pieces: &[(Span, Lexeme)]) -> Result<String, Stop> {
    let mut shown = text_with_room(2 * text.len())?;
    let mut done = 0;
    for (span, lexeme) in pieces {
        let (start, end) = (span.start as usize, span.end as usize);
        shown.put_str(&text[done..start])?;
        done = end;
        let piece = &text[start..end];
        let Some(colour) = lexeme.colour() else {
            shown.put_str(piece)?;
            continue;
        };
        for (number, line) in piece.split('\n').enumerate() {
            if number > 0 {
                shown.put('\n')?;
            }
            shown.put_str(colour)?;
            shown.put_str(line)?;
            shown.put_str("\x1b[0m")?;
        }
    }
    shown.put_str(&text[done..])?;
    Ok(shown)
}

/// Returns the tokens and comments of a text, in order.
pub(crate) fn lexemes(text: &str, lexis: Lexis) -> Result<Vec<(Span, Lexeme)>, Stop> {
    let mut found = Vec::new();
    let mut comments = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let mut lexer = Lexer::new(text, at, lexis);
        lexer.comments = Some(&mut comments);
        match lexer.next_token() {
            Ok(token) => {
                let functor = lexer.opens_arguments(token.end);
                let Some(lexeme) = lexeme(&token.kind, functor) else {
                    break;
                };
                found.put((token.span(), lexeme))?;
                at = token.end;
            }
            Err(error) => {
                let start = (error.span.start as usize).max(at);
                let unfinished = text[start..].starts_with(['\'', '"', '`', '/']);
                let end = match text[start..].chars().next() {
                    Some(char) if !unfinished => start + char.len_utf8(),
                    _ => text.len(),
                };
                found.put((Span::new(start, end), Lexeme::Wrong))?;
                at = end;
            }
        }
    }
    for comment in comments {
        found.put((comment, Lexeme::Comment))?;
    }
    found.sort_unstable_by_key(|(span, _)| span.start);
    Ok(found)
}

/// Returns the kind of a token; `functor` says that a bracket follows immediately. Returns `None`
/// at the end of the text.
fn lexeme(kind: &TokenKind<'_>, functor: bool) -> Option<Lexeme> {
    Some(match kind {
        TokenKind::Name(_) | TokenKind::Quoted(_) if functor => Lexeme::Functor,
        TokenKind::Name(_) => Lexeme::Atom,
        TokenKind::Quoted(_) => Lexeme::Quoted,
        TokenKind::Var(_) => Lexeme::Variable,
        TokenKind::Number(_) | TokenKind::LongNumber(_) => Lexeme::Number,
        TokenKind::DoubleQuoted(_) | TokenKind::BackQuoted(_) => Lexeme::Text,
        TokenKind::Open
        | TokenKind::Close
        | TokenKind::OpenList
        | TokenKind::CloseList
        | TokenKind::OpenCurly
        | TokenKind::CloseCurly
        | TokenKind::Comma
        | TokenKind::Bar => Lexeme::Punctuation,
        TokenKind::End => Lexeme::End,
        TokenKind::Eof => return None,
    })
}
