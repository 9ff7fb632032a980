//! Errors of the parser: tokens in the wrong place, and their probable causes.

use super::ast::Node;
use super::lexer::MODULE_GOAL;
use super::parser::{MAX_PRIORITY, Parser};
use super::reduce::{Frame, FrameKind};
use super::syntax_error::{Before, SyntaxError, SyntaxErrorKind as Kind};
use super::token::TokenKind;
use crate::base::atom_table::Atom;
use crate::base::source::Span;

/// Returns whether the text is a sign, and not a name, a number or a bracket.
fn is_sign(text: &str) -> bool {
    !text.starts_with(|first: char| first.is_alphanumeric() || matches!(first, '[' | '{' | '_'))
}

impl Parser<'_, '_> {
    pub(super) fn at_span(&self, span: Span, kind: Kind) -> SyntaxError {
        SyntaxError {
            span,
            kind,
            related: None,
        }
    }

    pub(super) fn error_here(&self, kind: Kind) -> SyntaxError {
        self.at_span(self.token.span(), kind)
    }

    /// Returns the token as it is written in the text.
    fn found(&self) -> Box<str> {
        self.lexer.slice(self.token.start, self.token.end).into()
    }

    pub(super) fn bracket_span(&self, frame: Frame) -> Span {
        let start = frame.place.start as usize;
        if frame.kind != FrameKind::Args {
            return Span::new(start, start + 1);
        }
        // The name may be quoted: its bracket immediately follows the name token.
        let mut name = self.lexer.again(start, self.token.end);
        match name.next_token() {
            Ok(token) => Span::new(start, token.end + 1),
            Err(_) => Span::new(start, start + 1),
        }
    }

    fn end_of_file(&self) -> SyntaxError {
        let open = self.ast.innermost_bracket();
        let error = self.error_here(Kind::EndOfFile {
            open: open.bracket(),
        });
        match open.bracket() {
            Some(_) => error.related_to(self.bracket_span(open)),
            None => error.related_to(Span::new(self.clause_start, self.previous_end)),
        }
    }

    pub(super) fn list_tail(&self, top: Frame) -> SyntaxError {
        let error = self.error_here(Kind::ListTail {
            found: self.found(),
        });
        error.related_to(self.bracket_span(top))
    }

    pub(super) fn mismatch(&self, top: Frame) -> SyntaxError {
        let close = match self.token.kind {
            TokenKind::Close => ')',
            TokenKind::CloseList => ']',
            _ => '}',
        };
        let error = self.error_here(Kind::MismatchedBracket {
            open: top.bracket(),
            close,
        });
        match top.bracket() {
            Some(_) => error.related_to(self.bracket_span(top)),
            None => error,
        }
    }

    pub(super) fn operand_expected(&self) -> SyntaxError {
        let top = self.ast.top();
        let after = top
            .is_operator()
            .then(|| self.symbols.text(top.name).into());
        match self.token.kind {
            TokenKind::Eof => self.end_of_file(),
            TokenKind::End => match top.bracket() {
                Some(open) => {
                    let error = self.error_here(Kind::UnclosedBracket { open });
                    error.related_to(self.bracket_span(top))
                }
                None => self.error_here(Kind::EndOfClause { after }),
            },
            // A quasi quotation.
            TokenKind::Bar
                if top.kind == FrameKind::Curly && top.place.end as usize == self.token.start =>
            {
                let span = Span {
                    end: self.token.span().end,
                    ..top.place
                };
                let found = "{|".into();
                self.at_span(span, Kind::CannotStartTerm { found, after })
            }
            _ => self.error_here(Kind::CannotStartTerm {
                found: self.found(),
                after,
            }),
        }
    }

    pub(super) fn operator_expected(&self) -> SyntaxError {
        let found = self.found();
        match self.token.kind {
            TokenKind::Eof => return self.end_of_file(),
            TokenKind::Open if self.left_is_atom() => {
                let (name, blank) = (self.left_text(), self.odd_blank());
                return self.error_here(Kind::BlankBeforeArguments { name, blank });
            }
            _ if self.has_bare_term() => return self.bare_operator(),
            _ => {}
        }
        let own_line = self
            .line_begin
            .is_some_and(|line| line == self.token.span());
        if own_line && matches!(self.token.kind, TokenKind::Name(_) | TokenKind::Quoted(_)) {
            let before = Span::new(self.previous_end.saturating_sub(1), self.previous_end);
            let layout = self.lexer.slice(self.previous_end, self.token.start);
            let rest_of_line = layout.lines().next().unwrap_or_default().trim();
            let comment = rest_of_line.starts_with('%') && rest_of_line.ends_with('.');
            return self
                .error_here(Kind::MissingEnd { found, comment })
                .related_to(before);
        }
        let left = self.left_is_atom().then(|| self.left_text());
        self.error_here(Kind::OperatorExpected {
            found: self.whole_sign().unwrap_or(found),
            left,
            blank: self.odd_blank(),
            before: self.before(),
        })
    }

    /// Returns whether the term before is an operator that was read as an atom.
    fn has_bare_term(&self) -> bool {
        let left = self.ast.operands.last();
        left.is_some_and(|left| self.ast.span(left.node) == self.bare) && self.bare.end > 0
    }

    /// Returns the error for the operator that was read as an atom. If a prefix operator is before it,
    /// the error is for that one, which seems to be meant as an atom.
    fn bare_operator(&self) -> SyntaxError {
        let top = self.ast.top();
        let span = match top.kind {
            FrameKind::Prefix => top.place,
            _ => self.bare,
        };
        let name = self.lexer.slice(span.start as usize, span.end as usize);
        self.at_span(span, Kind::OperatorAsOperand { name: name.into() })
    }

    /// Returns the kind of the term before.
    fn before(&self) -> Before {
        let Some(left) = self.ast.operands.last() else {
            return Before::Term;
        };
        let span = self.ast.span(left.node);
        let first = self.lexer.slice(span.start as usize, span.end as usize);
        let quote = first
            .chars()
            .next()
            .filter(|c| matches!(c, '\'' | '"' | '`'));
        match (quote, self.ast.node(left.node)) {
            (Some(quote), _) if self.previous_end == self.token.start && first.ends_with(quote) => {
                Before::Quoted(quote)
            }
            (_, Node::Var(_)) if self.previous_end == self.token.start => Before::Variable,
            (_, Node::Int(_) | Node::Big(_) | Node::Float(_))
                if self.previous_end == self.token.start =>
            {
                Before::Number
            }
            (_, Node::Atom(_))
                if self.previous_end == self.token.start && !is_sign(&self.found()) =>
            {
                Before::Beside
            }
            (_, Node::Atom(_) | Node::Compound { .. })
                if self.ast.top().kind == FrameKind::Clause =>
            {
                Before::Head
            }
            _ => Before::Term,
        }
    }

    /// Returns a blank before the token that is not an ASCII blank, although it looks like one.
    fn odd_blank(&self) -> Option<char> {
        let before = self.lexer.slice(self.previous_end, self.token.start);
        before.chars().find(|c| c.is_whitespace() && !c.is_ascii())
    }

    /// Returns the text of the term before.
    fn left_text(&self) -> Box<str> {
        let left = self.ast.operands.last();
        let left = left.map(|operand| self.ast.span(operand.node));
        let left = left.unwrap_or_default();
        self.lexer
            .slice(left.start as usize, left.end as usize)
            .into()
    }

    /// Returns the sign of another language at the token, which is several tokens here.
    fn whole_sign(&self) -> Option<Box<str>> {
        let start = self.token.start;
        if self.lexer.at_module_goal(start) {
            return Some(MODULE_GOAL.into());
        }
        ["!==", "!="]
            .into_iter()
            .find(|sign| self.lexer.slice(start, start + sign.len()) == *sign)
            .map(Into::into)
    }

    fn left_is_atom(&self) -> bool {
        let left = self.ast.operands.last();
        left.is_some_and(|operand| matches!(self.ast.node(operand.node), Node::Atom(_)))
    }

    /// Returns the error for an operator that does not fit. If its line begins inside this clause
    /// and it is an operator of clauses, the clause before may lack its end.
    pub(super) fn clash(&self, atom: Atom, priority: u16, limit: u16, span: Span) -> SyntaxError {
        let name = self.symbols.text(atom).into();
        let error = self.at_span(
            span,
            Kind::OperatorClash {
                name,
                priority,
                limit,
            },
        );
        match self.line_begin {
            Some(line) if priority == MAX_PRIORITY => error.related_to(line),
            _ => error,
        }
    }
}
