//! The place where reading continues after a syntax error. An open bracket or quote must not make the
//! reader lose the next clause.
//!
//! A clause with an error extends to the next full stop. If one of its lines looks like the beginning of
//! another clause, and the error can be a missing end of the clause before, reading continues at that
//! line. If a quoted item extends over such lines and ends where another item seems to begin, its closing
//! quote was forgotten. None of this applies to a text without errors.

use super::char_class::{is_alphanumeric, is_symbol};
use super::clause_extent::ClauseExtent;
use super::lexer::{Lexer, skip_layout};
use super::syntax_error::{SyntaxError, SyntaxErrorKind as Kind};
use crate::base::flags::Lexis;
use crate::base::growth::Grow;
use crate::base::stop::Stop;

/// Maximum length of a clause in which the beginning of another one is searched for.
const LONGEST: usize = 1 << 14;

/// A line of a clause that looks like the beginning of another one.
struct Line {
    /// The offset where the line begins.
    at: usize,
    /// The last character before it that is not blank and not in a comment.
    after: char,
    /// Whether the line begins in a quoted item.
    quoted: bool,
}

/// Returns the offset after the clause that begins at byte `start` and contains this error. If the cause
/// seems to be a quote that was forgotten before, replaces the error by the one for that quote.
pub(super) fn recover(text: &str, start: usize, error: &mut SyntaxError, lexis: Lexis) -> usize {
    let place = error.span.start as usize;
    if !lexis.iso
        && let Some((forgotten, next)) = forgotten_quote(text, start, place, lexis)
    {
        *error = forgotten;
        return next;
    }
    let mut scan = ClauseExtent::new(lexis).over(text, start);
    loop {
        // It is unknown whether a later quote opens an item or closes one.
        if scan.at() >= place && !scan.extent.in_quoted() {
            scan.extent.close_quotes_in_line();
        }
        match scan.step() {
            Some((_, false)) => {}
            Some((_, true)) | None => return scan.at(),
        }
    }
}

/// Returns the error for a quoted item before `place` that seems to lack its closing quote, since it
/// extends over lines. Also returns the beginning of the next clause.
fn forgotten_quote(
    text: &str,
    start: usize,
    place: usize,
    lexis: Lexis,
) -> Option<(SyntaxError, usize)> {
    let mut lexer = Lexer::new(text, start, lexis);
    let mut end = start;
    loop {
        let start = skip_layout(text, end).ok()?;
        let quote = text[start..].chars().next()?;
        if start >= place {
            return None;
        }
        let quoted = matches!(quote, '\'' | '"' | '`');
        let next = match lexer.next_token() {
            Ok(token) => {
                end = token.end;
                quoted.then(|| clause_within(text, start, end)).flatten()
            }
            // The error is inside the item.
            Err(_) if quoted => Some(first_clause(text, start, place)?),
            Err(_) => return None,
        };
        if let Some(next) = next {
            let line = text[start..].lines().next().unwrap_or_default();
            let kind = Kind::UnterminatedQuoted { quote };
            return Some((SyntaxError::new(start, start + line.len(), kind), next));
        }
    }
}

/// Returns where another clause seems to begin in the quoted item `start..end`. This is so only if the last quote of
/// the item looks like an opening quote.
fn clause_within(text: &str, start: usize, end: usize) -> Option<usize> {
    let close = end - 1;
    if !text[start..close].contains('\n') {
        return None;
    }
    let before = text[..close].chars().next_back()?;
    let visible = text[..close].trim_end().chars().next_back()?;
    let word_follows = text[end..].starts_with(is_alphanumeric);
    if word_follows && before == '\n' && visible == '.' {
        return Some(close);
    }
    let opens = matches!(visible, '(' | '[' | '{' | ',' | '|' | ';') || is_symbol(visible);
    let apostrophe = word_follows && is_alphanumeric(before);
    if !(opens && visible != '.' || apostrophe) {
        return None;
    }
    first_clause(text, start, close).or_else(|| {
        // An apostrophe in a comment.
        let line = text[..close].rfind('\n')? + 1;
        text[line..].starts_with('%').then_some(line)
    })
}

/// Returns the first line that begins in `start..end` and looks like the beginning of a clause.
fn first_clause(text: &str, start: usize, end: usize) -> Option<usize> {
    let lines = text[start..end].match_indices('\n');
    let mut lines = lines.map(|(at, _)| start + at + 1);
    lines.find(|&at| begins_clause(text, at) && (is_whole(text, at) || has_arguments(text, at)))
}

/// Returns where another clause begins in the text `start..end`, whose first clause has this error.
pub(crate) fn next_clause(
    text: &str,
    start: usize,
    end: usize,
    error: &SyntaxError,
    lexis: Lexis,
) -> Result<Option<usize>, Stop> {
    let Ok(start) = skip_layout(text, start) else {
        return Ok(None);
    };
    if end.checked_sub(start).is_none_or(|length| length > LONGEST) {
        return Ok(None);
    }
    let place = error.span.start as usize;
    let first_of_line = |at: usize| (at > start && begins_clause(text, at)).then_some(at);
    Ok(match &error.kind {
        Kind::MissingEnd { .. } => first_of_line(place),
        // The full stop was read as part of the sign before it.
        Kind::OperatorExpected { found, .. } if found.len() > 1 && found.ends_with('.') => {
            let after = error.span.end as usize;
            let rest = text.get(after..end).unwrap_or_default();
            let rest = rest.trim_start_matches([' ', '\r']);
            rest.starts_with('\n').then_some(after)
        }
        Kind::OperatorClash { .. } => error
            .related
            .and_then(|related| first_of_line(related.start as usize)),
        Kind::UnclosedBracket { .. } => {
            let lines = lines(text, start, end, lexis)?;
            let only = lines.len() == 1;
            let open =
                |line: &&Line| matches!(line.after, '(' | '[' | '{') || line.after == ',' && only;
            lines.iter().rfind(open).map(|line| line.at)
        }
        Kind::UnterminatedQuoted { .. } => {
            let lines = lines(text, start, end, lexis)?;
            let clause = |line: &&Line| line.at > place && line.quoted && is_whole(text, line.at);
            lines.iter().find(clause).map(|line| line.at)
        }
        Kind::OperatorExpected { .. }
        | Kind::OperatorAsOperand { .. }
        | Kind::CannotStartTerm { .. }
        | Kind::BlankBeforeArguments { .. }
        | Kind::IllegalCharacter { .. } => {
            let prose = is_prose(text, start);
            let lines = lines(text, start, end, lexis)?;
            let clause = |line: &&Line| {
                line.at > place
                    && !line.quoted
                    && (prose || ends_operand(line.after))
                    && (is_whole(text, line.at) || has_arguments(text, line.at))
            };
            lines.iter().find(clause).map(|line| line.at)
        }
        _ => None,
    })
}

/// Returns the place and the name at the beginning of a clause. The clause begins at byte `start` of the
/// text, or after the blanks there.
pub(crate) fn name_of_clause(text: &str, start: usize) -> Option<(usize, &str)> {
    let start = skip_layout(text, start).ok()?;
    let rest = text.get(start..)?;
    let after = rest.trim_start_matches(|c: char| c == '_' || is_alphanumeric(c));
    let name = &rest[..rest.len() - after.len()];
    name.starts_with(char::is_lowercase)
        .then_some((start, name))
}

/// Returns whether the clause begins like a comment of another language.
fn is_prose(text: &str, start: usize) -> bool {
    let rest = text.get(start..).unwrap_or_default();
    ["#", "//", "/ ", "--"]
        .iter()
        .any(|sign| rest.starts_with(sign))
}

/// Returns whether an operand may end with this character, so that nothing need follow.
fn ends_operand(after: char) -> bool {
    is_alphanumeric(after) || matches!(after, '_' | ')' | ']' | '}' | '\'' | '"' | '`' | '!')
}

/// Returns the lines after the first one that look like the beginning of a clause.
fn lines(text: &str, start: usize, end: usize, lexis: Lexis) -> Result<Vec<Line>, Stop> {
    let mut lines = Vec::new();
    let mut after = ' ';
    let mut scan = ClauseExtent::new(lexis).over(&text[..end], start);
    while let Some((char, _)) = scan.step() {
        if scan.extent.in_comment() {
            continue;
        }
        let at = scan.at();
        if char == '\n' && at < end && begins_clause(text, at) {
            let quoted = scan.extent.in_quoted();
            lines.put(Line { at, after, quoted })?;
        }
        if !char.is_whitespace() {
            after = char;
        }
    }
    Ok(lines)
}

/// Returns whether a line begins here with a name or the sign of a directive.
pub(super) fn begins_clause(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default();
    let rest = text.get(at..).unwrap_or_default();
    let name = |first: char| is_alphanumeric(first) && first.is_lowercase();
    before.ends_with('\n')
        && (rest.starts_with(name) || rest.starts_with(":-") || rest.starts_with("?-"))
}

/// Returns whether the line begins with a name and the bracket of its arguments, or with the sign
/// of a directive.
fn has_arguments(text: &str, at: usize) -> bool {
    let rest = text[at..].trim_start_matches(|c: char| c == '_' || is_alphanumeric(c));
    rest.starts_with(['(', ':', '?'])
}

/// Returns whether the line that begins here ends like a clause, or contains the sign of a rule.
fn is_whole(text: &str, at: usize) -> bool {
    let line = text[at..].lines().next().unwrap_or_default().trim_end();
    line.ends_with('.') || line.contains(":-") || line.contains("-->")
}
