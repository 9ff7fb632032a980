//! Where to read on after a clause that is wrong: an open bracket or quote must not take the next clause
//! along.
//!
//! The clause that holds an error goes up to the next full stop. Where a line of it looks like the
//! beginning of another clause, and the error can be that the clause before it does not end, reading goes
//! on there. A text without errors is never read so.

use super::char_class::is_alphanumeric;
use super::clause_extent::ClauseExtent;
use super::lexer::skip_layout;
use super::syntax_error::{SyntaxError, SyntaxErrorKind as Kind};
use crate::base::grow::Grow;

/// In longer clauses no other one is looked for.
const LONGEST: usize = 1 << 14;

/// A line of a clause that looks like the beginning of another one.
struct Line {
    /// Where it begins.
    at: usize,
    /// The last character before it, blanks and comments aside.
    after: char,
    /// Does it begin in a quoted item?
    quoted: bool,
}

/// Where in the text `start..end`, of which the clause is wrong in this way, another clause begins.
pub(crate) fn next_clause(
    text: &str,
    start: usize,
    end: usize,
    error: &SyntaxError,
    escapes: bool,
) -> Option<usize> {
    let start = skip_layout(text, start).ok()?;
    if end.checked_sub(start)? > LONGEST {
        return None;
    }
    let place = error.span.start as usize;
    let first_of_line = |at: usize| (at > start && begins_clause(text, at)).then_some(at);
    match &error.kind {
        Kind::MissingEnd { .. } => first_of_line(place),
        // The full stop has become a part of the sign before it.
        Kind::OperatorExpected { found, .. } if found.len() > 1 && found.ends_with('.') => {
            let after = error.span.end as usize;
            let rest = text.get(after..end)?.trim_start_matches([' ', '\r']);
            rest.starts_with('\n').then_some(after)
        }
        Kind::OperatorClash { .. } => first_of_line(error.related?.start as usize),
        Kind::UnclosedBracket { .. } => {
            let lines = lines(text, start, end, escapes);
            let only = lines.len() == 1;
            let open =
                |line: &&Line| matches!(line.after, '(' | '[' | '{') || line.after == ',' && only;
            lines.iter().rfind(open).map(|line| line.at)
        }
        Kind::UnterminatedQuoted { .. } => {
            let lines = lines(text, start, end, escapes);
            let clause = |line: &&Line| line.at > place && line.quoted && is_whole(text, line.at);
            lines.iter().find(clause).map(|line| line.at)
        }
        Kind::OperatorExpected { .. }
        | Kind::OperatorAsOperand { .. }
        | Kind::CannotStartTerm { .. }
        | Kind::BlankBeforeArguments { .. }
        | Kind::IllegalCharacter { .. } => {
            let prose = is_prose(text, start);
            let lines = lines(text, start, end, escapes);
            let clause = |line: &&Line| {
                line.at > place
                    && !line.quoted
                    && (prose || ends_operand(line.after))
                    && (is_whole(text, line.at) || has_arguments(text, line.at))
            };
            lines.iter().find(clause).map(|line| line.at)
        }
        _ => None,
    }
}

/// The name that the clause at byte `start` of the text, or after what is blank there, begins with, and where it
/// stands.
pub(crate) fn name_of_clause(text: &str, start: usize) -> Option<(usize, &str)> {
    let start = skip_layout(text, start).ok()?;
    let rest = text.get(start..)?;
    let after = rest.trim_start_matches(|c: char| c == '_' || is_alphanumeric(c));
    let name = &rest[..rest.len() - after.len()];
    name.starts_with(char::is_lowercase)
        .then_some((start, name))
}

/// Does the clause begin as comments of other languages do?
fn is_prose(text: &str, start: usize) -> bool {
    let rest = text.get(start..).unwrap_or_default();
    ["#", "//", "/ ", "--"]
        .iter()
        .any(|sign| rest.starts_with(sign))
}

/// May an operand end with this character, so that nothing need follow?
fn ends_operand(after: char) -> bool {
    is_alphanumeric(after) || matches!(after, '_' | ')' | ']' | '}' | '\'' | '"' | '`' | '!')
}

/// The lines after the first one that look like the beginning of a clause.
fn lines(text: &str, start: usize, end: usize, escapes: bool) -> Vec<Line> {
    let mut extent = ClauseExtent::with_escapes(escapes);
    let mut lines = Vec::new();
    let mut after = ' ';
    let mut chars = text[start..end].char_indices().peekable();
    while let Some((offset, char)) = chars.next() {
        extent.push(char, chars.peek().map(|&(_, next)| next));
        let at = start + offset + 1;
        if extent.in_comment() {
            continue;
        }
        if char == '\n' && at < end && begins_clause(text, at) {
            let quoted = extent.in_quoted();
            lines.put(Line { at, after, quoted });
        }
        if !char.is_whitespace() {
            after = char;
        }
    }
    lines
}

/// Does a line begin here with a name, or as a directive does?
fn begins_clause(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default();
    let rest = text.get(at..).unwrap_or_default();
    let name = |first: char| is_alphanumeric(first) && first.is_lowercase();
    before.ends_with('\n')
        && (rest.starts_with(name) || rest.starts_with(":-") || rest.starts_with("?-"))
}

/// Does the line begin with a name and the bracket of its arguments, or as a directive does?
fn has_arguments(text: &str, at: usize) -> bool {
    let rest = text[at..].trim_start_matches(|c: char| c == '_' || is_alphanumeric(c));
    rest.starts_with(['(', ':', '?'])
}

/// Does the line that begins here end as a clause does, or hold the sign of a rule?
fn is_whole(text: &str, at: usize) -> bool {
    let line = text[at..].lines().next().unwrap_or_default().trim_end();
    line.ends_with('.') || line.contains(":-") || line.contains("-->")
}
