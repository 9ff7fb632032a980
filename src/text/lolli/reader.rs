//! Reading queries and modules of Lolli text.
//!
//! A query is a term that ends with `.` or at the end of the text. Only layout and comments may follow the `.` on the
//! same line: in sessions and in scripts, a line contains one query at most. The original silently drops the rest of
//! the line.
//!
//! A module is `MODULE name parameters .`, then any number of `LOCAL names .` and `COUNT_MEMO names .`, and then
//! clauses. A clause is linear if `LINEAR` comes before it. Parameters and local names are variables in all clauses,
//! however they are written.
//!
//! Characters without meaning in Lolli text are no errors: they are skipped and reported.

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

/// The extent of text after the `.` of a query that may contain only layout and comments.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Rest {
    /// The rest of the line: for sessions, scripts and `read`.
    OfLine,
    /// The rest of the text: for queries from a host program.
    OfText,
}

/// The way a query ended.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum QueryEnd {
    /// There is no query: only layout is left.
    Absent,
    /// The query ended with a `.`.
    Dot,
    /// The query ended at the end of the text. In a session, further lines may belong to it.
    Text,
}

/// Reads the query that begins at byte `*pos` of `text`, and moves `*pos` to where the next one may begin.
/// Adds the places of skipped characters to `ignored`.
///
/// A session that reads line by line passes all lines of the query so far. It reads another line if the
/// result is [`QueryEnd::Text`] or an unfinished error (see [`LolliSyntax::is_unfinished`]). Any other
/// error is reported at its line.
///
/// # Errors
/// Returns an error if the query is wrong; `*pos` is then after the line or clause that contains the error.
/// Also returns an error if `watch` says that reading must stop.
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
        // Reading was stopped, so nothing reads on from here.
        Err(ref error) if error.is_out_of_memory() => *pos,
        Ok(QueryEnd::Absent) => text.len(),
        _ => end,
    };
    ignored.put_all(take(&mut parser.lexer.ignored))?;
    match result {
        Ok(QueryEnd::Dot) => check_rest(text, at, end).map(|()| QueryEnd::Dot),
        result => result,
    }
}

/// Checks that only layout and comments are between `at`, the end of the `.` of a query, and `end`.
fn check_rest(text: &str, at: usize, end: usize) -> Result<(), SyntaxError> {
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

/// Returns the offset after the line that contains the byte before `at`.
fn end_of_line(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    at + rest.find('\n').map_or(rest.len(), |newline| newline + 1)
}

/// Returns the offset after the clause that contains an error. A keyword that begins a clause
/// begins the next one, unless it is the first token of this clause.
fn end_of_clause(parser: &mut Parser<'_, '_>) -> usize {
    // Characters skipped here belong to the wrong clause, which is reported anyway.
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
    /// Whether the clause can be used only once.
    pub(crate) linear: bool,
}

/// A name in the head of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Name {
    /// The name.
    pub(crate) text: Box<str>,
    /// The place of the name.
    pub(crate) span: Span,
}

/// A reader for the clauses of a module, one after the other. A module with an error is refused as
/// a whole, so its users check `errors` after the last clause.
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
    /// The errors found so far.
    pub(crate) errors: Vec<SyntaxError>,
    /// Characters that were skipped.
    pub(crate) ignored: Vec<Span>,
    /// Names at the beginning of a line that continue the term before it.
    pub(crate) apart: Vec<Span>,
    /// Whether there were clauses, right or wrong.
    has_clauses: bool,
}

impl<'t> ModuleReader<'t> {
    /// Reads the head of the module in this text.
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

    /// Reads `MODULE name parameters .`.
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
            // Clauses may still follow.
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

    /// Reads `LOCAL names .` or `COUNT_MEMO names .`.
    fn head_line(&mut self, parser: &mut Parser<'_, 't>, word: Keyword) -> Result<(), SyntaxError> {
        let names = match word {
            Keyword::CountMemo => &mut self.count_memo,
            _ => &mut self.locals,
        };
        names_line(parser, word, names)?;
        self.pos = parser.token.start;
        Ok(())
    }

    /// Accepts a text without clauses, such as one that contains only tests.
    pub(crate) fn may_be_empty(&mut self) {
        self.has_clauses = true;
    }

    /// Reads the next correct clause into the tree. Returns `None` after the last one, or if the query must
    /// stop.
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

/// Reads the names after a keyword of the head of a module, up to their `.`, and the token after
/// it.
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

/// Reads a clause with its `.`, if there is one.
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
