//! Reading queries and modules of Lolli text.
//!
//! A query is a term that ends with `.` or with the text. Only layout and comments may follow the `.`
//! on the same line: in sessions and scripts alike a line holds one query at most. The original drops
//! the rest of the line without a word.
//!
//! A module is `MODULE name parameters .`, then any number of `LOCAL names .` and `COUNT_MEMO names .`, then clauses, each
//! of them linear if `LINEAR` stands before it. Parameters and local names are variables in all
//! clauses, however they are written.
//!
//! Characters that mean nothing in Lolli text are no errors: they are left out and told of.

use super::error::{LolliSyntax, Unfinished};
use super::lexer::Lexer;
use super::parse_error::error_at;
use super::parser::Parser;
use super::token::{Keyword, TokenKind};
use crate::base::atom_table::{FastSet, Symbols};
use crate::base::growth::{Gather, Grow};
use crate::base::source::Span;
use crate::base::stop::Stop;
use crate::base::watch::Watch;
use crate::text::ast::Ast;
use crate::text::syntax_error::SyntaxError;
use std::mem::take;

/// How far nothing but layout and comments may follow the `.` of a query.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Rest {
    /// To the end of the line: sessions, scripts and `read`.
    OfLine,
    /// To the end of the text: queries that a host program gives.
    OfText,
}

/// How a query came to its end.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum QueryEnd {
    /// There is none: only layout is left.
    Absent,
    /// With a `.`.
    Dot,
    /// With the text. In a session more lines may follow that belong to it.
    Text,
}

/// Reads the query that begins at byte `*pos` of `text` and moves `*pos` to where the next one may
/// begin. Adds the places of the characters that were left out to `ignored`.
///
/// A session that reads line by line calls it with all lines of the query so far. It asks for
/// another line while this gives [`QueryEnd::Text`] or an error that is unfinished (see
/// [`LolliSyntax::is_unfinished`]), and learns of any other error at the line where it stands. Reading ends
/// in an error, too, where `watch` tells that it is to be stopped.
///
/// # Errors
/// The query is wrong. `*pos` is then after the line, or the clause, that the error stands in.
pub(crate) fn read_query(
    text: &str,
    pos: &mut usize,
    rest: Rest,
    symbols: &mut Symbols,
    ast: &mut Ast,
    ignored: &mut Vec<Span>,
    watch: Option<&Watch>,
) -> Result<QueryEnd, SyntaxError> {
    let declared = FastSet::default();
    let mut parser = Parser::new(Lexer::new(text, *pos), symbols, ast, &declared);
    parser.watch = watch;
    let result = query(&mut parser);
    let at = parser.lexer.at();
    let end = match rest {
        Rest::OfLine => end_of_line(text, at),
        Rest::OfText => text.len(),
    };
    *pos = match result {
        // Reading was stopped: nobody goes on behind it.
        Err(ref error) if error.is_out_of_memory() => *pos,
        Ok(QueryEnd::Absent) => text.len(),
        _ => end,
    };
    ignored.put_all(take(&mut parser.lexer.ignored))?;
    match result {
        Ok(QueryEnd::Dot) => nothing_after(text, at, end).map(|()| QueryEnd::Dot),
        result => result,
    }
}

/// Makes sure that only layout and comments stand between the `.` of a query, which ends at `at`, and `end`.
fn nothing_after(text: &str, at: usize, end: usize) -> Result<(), SyntaxError> {
    let mut rest = text[at..end].trim_start();
    while rest.starts_with('%') {
        rest = rest
            .split_once('\n')
            .map_or("", |(_, rest)| rest.trim_start());
    }
    if rest.is_empty() {
        return Ok(());
    }
    let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    let before = text[..at].strip_suffix('.').unwrap_or_default();
    let fraction = is_digit(before.chars().next_back()) && is_digit(text[at..end].chars().next());
    let start = end - rest.len();
    let span = Span::new(start, start + rest.trim_end().len());
    Err(error_at(span, LolliSyntax::TextAfterQuery { fraction }))
}

fn query(parser: &mut Parser<'_, '_>) -> Result<QueryEnd, SyntaxError> {
    parser.take()?;
    if parser.token.kind == TokenKind::Eof {
        return Ok(QueryEnd::Absent);
    }
    parser.term()?;
    Ok(match parser.token.kind {
        TokenKind::Dot => QueryEnd::Dot,
        _ => QueryEnd::Text,
    })
}

/// The offset after the line that holds the byte before `at`.
fn end_of_line(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    at + rest.find('\n').map_or(rest.len(), |newline| newline + 1)
}

/// The offset after the clause that an error stands in. A word that begins a clause begins the
/// next one, unless it is the first of this.
fn end_of_clause(parser: &mut Parser<'_, '_>) -> usize {
    // What is left out here is part of what is wrong anyway.
    let ignored = parser.lexer.ignored.len();
    loop {
        match parser.token.kind {
            TokenKind::Dot => break,
            TokenKind::Eof if parser.lexer.at() == parser.lexer.len() => break,
            TokenKind::Keyword(Keyword::Linear) if parser.token.start > parser.begin => {
                parser.lexer.ignored.truncate(ignored);
                return parser.token.start;
            }
            _ => {
                if parser.take().is_err() {
                    break;
                }
            }
        }
    }
    parser.lexer.ignored.truncate(ignored);
    parser.lexer.at()
}

/// A clause of a module; its term is in the tree.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Clause {
    /// Whether it is for one use only.
    pub(crate) linear: bool,
}

/// A name in the head of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Name {
    /// The name.
    pub(crate) text: Box<str>,
    /// Where it stands.
    pub(crate) span: Span,
}

/// Reads the clauses of a module one after the other. A module that has an error is refused as a
/// whole: whoever reads it looks at `errors` after the last clause.
pub(crate) struct ModuleReader<'t> {
    text: &'t str,
    pos: usize,
    /// The name of the module, unless its head is wrong.
    pub(crate) name: Option<Name>,
    /// The parameters, in order.
    pub(crate) params: Vec<Name>,
    /// The local names, in order.
    pub(crate) locals: Vec<Name>,
    /// The names of predicates whose counts are remembered.
    pub(crate) count_memo: Vec<Name>,
    declared: FastSet<Box<str>>,
    /// What is wrong with it, as far as it is read.
    pub(crate) errors: Vec<SyntaxError>,
    /// Characters that were left out.
    pub(crate) ignored: Vec<Span>,
    /// Names that begin a line and go on with what stands before it.
    pub(crate) apart: Vec<Span>,
    /// Clauses were there, right or wrong.
    has_clauses: bool,
}

impl<'t> ModuleReader<'t> {
    /// Reads the head of the module of this text.
    pub(crate) fn new(
        text: &'t str,
        symbols: &mut Symbols,
        ast: &mut Ast,
    ) -> Result<ModuleReader<'t>, Stop> {
        let mut reader = ModuleReader {
            text,
            pos: 0,
            name: None,
            params: Vec::new(),
            locals: Vec::new(),
            count_memo: Vec::new(),
            declared: FastSet::default(),
            errors: Vec::new(),
            ignored: Vec::new(),
            apart: Vec::new(),
            has_clauses: false,
        };
        let declared = FastSet::default();
        let mut parser = Parser::new(Lexer::new(text, 0), symbols, ast, &declared);
        if let Err(error) = reader.module_line(&mut parser) {
            reader.errors.put(error)?;
        }
        while reader.errors.is_empty()
            && let TokenKind::Keyword(word @ (Keyword::Local | Keyword::CountMemo)) =
                parser.token.kind
        {
            if let Err(error) = reader.head_line(&mut parser, word) {
                reader.errors.put(error)?;
                reader.pos = end_of_clause(&mut parser);
            }
        }
        reader.ignored.put_all(take(&mut parser.lexer.ignored))?;
        reader.apart.put_all(take(&mut parser.apart))?;
        let names = reader.params.iter().chain(&reader.locals);
        reader.declared = names.map(|name| name.text.clone()).gather_set()?;
        Ok(reader)
    }

    /// `MODULE name parameters .`
    fn module_line(&mut self, parser: &mut Parser<'_, 't>) -> Result<(), SyntaxError> {
        parser.take()?;
        if parser.token.kind != TokenKind::Keyword(Keyword::Module) {
            let found = parser.found();
            let kind = match parser.token.kind {
                TokenKind::Eof => LolliSyntax::EndOfText {
                    open: Unfinished::Head,
                },
                _ => LolliSyntax::ModuleExpected { found },
            };
            let error = parser.error_here(kind);
            // Clauses may follow all the same.
            self.pos = parser.token.start;
            return Err(error);
        }
        let mut names = Vec::new();
        let result = names_line(parser, Keyword::Module, &mut names);
        if result.is_err() {
            self.pos = end_of_clause(parser);
        } else {
            self.pos = parser.token.start;
        }
        let mut names = names.into_iter();
        self.name = names.next();
        self.params = names.gather()?;
        result
    }

    /// `LOCAL names .` or `COUNT_MEMO names .`
    fn head_line(&mut self, parser: &mut Parser<'_, 't>, word: Keyword) -> Result<(), SyntaxError> {
        let names = match word {
            Keyword::CountMemo => &mut self.count_memo,
            _ => &mut self.locals,
        };
        names_line(parser, word, names)?;
        self.pos = parser.token.start;
        Ok(())
    }

    /// Accepts a text without clauses, as one that holds tests alone.
    pub(crate) fn may_be_empty(&mut self) {
        self.has_clauses = true;
    }

    /// Reads the next clause that is right into the tree; `None` after the last one, and where the work is to
    /// be stopped.
    pub(crate) fn next_clause(
        &mut self,
        symbols: &mut Symbols,
        ast: &mut Ast,
        watch: &Watch,
    ) -> Result<Option<Clause>, Stop> {
        while !watch.stop_wanted() {
            let from = self.pos;
            let mut parser = Parser::new(
                Lexer::new(self.text, self.pos),
                symbols,
                ast,
                &self.declared,
            );
            parser.watch = Some(watch);
            let result = clause(&mut parser);
            self.pos = match result {
                Ok(_) => parser.lexer.at(),
                Err(_) => end_of_clause(&mut parser),
            };
            self.ignored.put_all(take(&mut parser.lexer.ignored))?;
            self.apart.put_all(take(&mut parser.apart))?;
            watch.did_clause(self.pos.saturating_sub(from));
            match result {
                Ok(Some(clause)) => {
                    self.has_clauses = true;
                    return Ok(Some(clause));
                }
                Ok(None) => {
                    if !self.has_clauses && self.errors.is_empty() {
                        let end = Span::new(self.text.len(), self.text.len());
                        self.errors.put(error_at(end, LolliSyntax::NoClauses))?;
                    }
                    return Ok(None);
                }
                Err(error) if error.is_out_of_memory() && !watch.stop_wanted() => return Err(Stop),
                Err(error) => {
                    self.has_clauses = true;
                    self.errors.put(error)?;
                }
            }
            if self.pos >= self.text.len() {
                return Ok(None);
            }
        }
        Ok(None)
    }
}

/// Reads the names after a word of the head of a module, up to their `.`, and looks at the token
/// after it.
fn names_line(
    parser: &mut Parser<'_, '_>,
    word: Keyword,
    names: &mut Vec<Name>,
) -> Result<(), SyntaxError> {
    let first = parser.take()?.span();
    let before = names.len();
    loop {
        let span = parser.token.span();
        if names.len() > before {
            parser.note_apart()?;
        }
        match &parser.token.kind {
            TokenKind::Upper(text) | TokenKind::Lower(text) => names.put(Name {
                text: text.as_ref().into(),
                span,
            })?,
            TokenKind::Dot if names.len() > before => {
                parser.take()?;
                return Ok(());
            }
            TokenKind::Eof => return Err(parser.unfinished(Unfinished::Head, Some(first))),
            _ => {
                let (after, found) = (word.name(), parser.found());
                return Err(parser.error_here(LolliSyntax::NameExpected { after, found }));
            }
        }
        parser.take()?;
    }
}

/// Reads a clause with its `.`, if one is left.
fn clause(parser: &mut Parser<'_, '_>) -> Result<Option<Clause>, SyntaxError> {
    parser.take()?;
    let start = parser.token.start;
    let linear = match parser.token.kind {
        TokenKind::Eof => return Ok(None),
        TokenKind::Keyword(Keyword::Linear) => {
            parser.take()?;
            true
        }
        TokenKind::Keyword(word @ (Keyword::Local | Keyword::CountMemo)) => {
            return Err(parser.error_here(LolliSyntax::LateHead { word: word.name() }));
        }
        _ => false,
    };
    parser.term()?;
    if parser.token.kind == TokenKind::Eof {
        let begun = Span::new(start, parser.token.start);
        return Err(parser.unfinished(Unfinished::Clause, Some(begun)));
    }
    parser.ast.span = Span::new(start, parser.token.end);
    Ok(Some(Clause { linear }))
}
