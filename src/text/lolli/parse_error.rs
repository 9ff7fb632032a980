//! Errors of the parser: tokens in the wrong place.

use super::error::{LolliSyntax, Unfinished};
use super::parser::{Frame, Parser};
use super::token::TokenKind;
use crate::base::source::Span;
use crate::text::syntax_error::{SyntaxError, SyntaxErrorKind};

/// Creates an error at a place.
pub(super) fn error_at(span: Span, kind: LolliSyntax) -> SyntaxError {
    SyntaxError {
        span,
        kind: SyntaxErrorKind::Lolli(Box::new(kind)),
        related: None,
    }
}

impl Parser<'_, '_> {
    pub(super) fn error_here(&self, kind: LolliSyntax) -> SyntaxError {
        error_at(self.token.span(), kind)
    }

    /// Returns the error for reading that must stop.
    pub(super) fn stopped(&self) -> SyntaxError {
        SyntaxError {
            span: self.token.span(),
            kind: SyntaxErrorKind::NoMemory,
            related: None,
        }
    }

    /// Returns the token as it is written in the text.
    pub(super) fn found(&self) -> Box<str> {
        self.lexer.slice(self.token.start, self.token.end).into()
    }

    /// Returns the innermost open bracket and its place.
    fn open_bracket(&self) -> Option<(char, Span)> {
        self.frames.iter().rev().find_map(|frame| {
            let &Frame::Bracket { open, start } = frame else {
                return None;
            };
            Some((open, Span::new(start, start + 1)))
        })
    }

    /// Returns the operator that waits for its right operand.
    fn waiting_operator(&self) -> Option<(&'static str, Span)> {
        match *self.frames.last()? {
            Frame::Infix { op, span } => Some((op.text, span)),
            Frame::Guard { span } => Some(("->", span)),
            Frame::Else { span } => Some(("|", span)),
            _ => None,
        }
    }

    /// Returns the error for a construct that is unfinished at the present token, which ends
    /// everything.
    pub(super) fn unfinished(&self, open: Unfinished, related: Option<Span>) -> SyntaxError {
        let mut error = self.error_here(match self.token.kind {
            TokenKind::Eof => LolliSyntax::EndOfText { open },
            _ => LolliSyntax::EarlyDot { open },
        });
        error.related = related;
        error
    }

    /// Returns the error for a token that cannot begin a term.
    pub(super) fn term_expected(&self) -> SyntaxError {
        let waiting = self.waiting_operator();
        match self.token.kind {
            TokenKind::Dot | TokenKind::Eof => {
                let (open, related) = match (waiting, self.open_bracket()) {
                    (Some((op, span)), _) => (Unfinished::Operator(op.into()), Some(span)),
                    (None, Some((bracket, span))) => (Unfinished::Bracket(bracket), Some(span)),
                    (None, None) => (Unfinished::Nothing, None),
                };
                self.unfinished(open, related)
            }
            TokenKind::Keyword(word) => {
                self.error_here(LolliSyntax::KeywordInTerm { found: word.name() })
            }
            TokenKind::Close
                if matches!(self.frames.last(), Some(Frame::Bracket { open: '(', .. })) =>
            {
                self.error_here(LolliSyntax::EmptyParentheses)
            }
            _ => {
                let mut error = self.error_here(LolliSyntax::TermExpected {
                    found: self.found(),
                    after: waiting.map(|(op, _)| op.into()),
                });
                error.related = waiting.map(|(_, span)| span);
                error
            }
        }
    }

    /// Returns the error for a token that cannot follow a term.
    pub(super) fn operator_expected(&self) -> SyntaxError {
        let found = self.found();
        self.error_here(match self.token.kind {
            TokenKind::Keyword(word) => LolliSyntax::KeywordInTerm { found: word.name() },
            TokenKind::Backslash => LolliSyntax::StrayBackslash,
            TokenKind::OpenCurly | TokenKind::OpenSquare | TokenKind::Quantifier(_)
                if matches!(self.frames.last(), Some(Frame::Apply { .. })) =>
            {
                LolliSyntax::NotAnArgument { found }
            }
            _ => LolliSyntax::NotAHead { found },
        })
    }

    /// Returns the error for a `|` without a `->`.
    pub(super) fn stray_bar(&self) -> SyntaxError {
        let in_list = matches!(self.open_bracket(), Some(('[', _)));
        self.error_here(LolliSyntax::BarWithoutGuard { in_list })
    }

    /// Returns the error for a closing bracket that does not match, or for a clause that ends with
    /// an open bracket.
    pub(super) fn mismatch(&self) -> SyntaxError {
        let open = self.open_bracket();
        let close = match self.token.kind {
            TokenKind::Close => ')',
            TokenKind::CloseCurly => '}',
            TokenKind::CloseSquare => ']',
            _ => {
                let unfinished =
                    open.map_or(Unfinished::Clause, |(open, _)| Unfinished::Bracket(open));
                return self.unfinished(unfinished, open.map(|(_, span)| span));
            }
        };
        let mut error = self.error_here(LolliSyntax::MismatchedBracket {
            open: open.map(|(open, _)| open),
            close,
        });
        error.related = open.map(|(_, span)| span);
        error
    }

    /// Returns the error for a token that ends the `->` at `span` before its `|`.
    pub(super) fn guard_without_else(&self, span: Span) -> SyntaxError {
        match self.token.kind {
            TokenKind::Dot | TokenKind::Eof => self.unfinished(Unfinished::Guard, Some(span)),
            _ => {
                let found = self.found();
                let mut error = self.error_here(LolliSyntax::GuardWithoutElse { found });
                error.related = Some(span);
                error
            }
        }
    }
}
