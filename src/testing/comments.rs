//! Comments within answers: they stay when new answers replace the answers in the file.

use crate::base::growth::{Gather, Grow, GrowText, filled, text_of};
use crate::base::source::Span;
use crate::base::stop::Stop;
use crate::text::query_tests::{Extent, Syntax, split_outside};
use std::collections::HashMap;
use std::ops::Range;

/// A comment in an answer.
struct Comment<'t> {
    text: &'t str,
    place: Range<usize>,
    /// Whether only blanks precede the comment on its line.
    alone: bool,
}

/// Returns the lines of an answer that replaces `old`, with the comments of `old`. Each comment stays at its alternative.
/// If the new answer does not have this alternative, the comment goes to the alternative with its number. If there is
/// none, it goes before the last one.
pub(super) fn with_comments_of(old: &str, new: &str, syntax: Syntax) -> Result<Vec<String>, Stop> {
    let comments = comments_of(old, syntax)?;
    if comments.is_empty() {
        return new.lines().map(text_of).try_gather();
    }
    let spans = split_outside(old, ';', syntax)?;
    let parts = pieces(new, &split_outside(new, ';', syntax)?)?;
    let bare = spans
        .iter()
        .map(|&span| without_comments(old, span, &comments));
    let keys = parts.iter().map(|part| key(part));
    let targets = targets(&bare.try_gather()?, &keys.try_gather()?)?;
    let (mut before, mut beside) = (
        filled(Vec::new(), parts.len())?,
        filled(Vec::new(), parts.len())?,
    );
    let last = parts.len() - 1;
    for comment in &comments {
        let owner = owner(comment, old, &spans, &comments)?;
        // No comment goes beside the last alternative: clauses may follow it on its line.
        match targets.get(owner).copied().flatten() {
            Some(at) if !comment.alone && at < last => beside[at].put(comment.text)?,
            at => before[at.unwrap_or(last)].put(comment.text)?,
        }
    }
    let mut lines: Vec<String> = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        lines.put_all(before[at].iter().flat_map(|text| lines_of(text)))?;
        lines.put_all(lines_of(part))?;
        // All text after `%` belongs to the comment.
        beside[at].sort_by_key(|text| text.starts_with('%'));
        let mut ending = if at + 1 < parts.len() { " ;" } else { "" }.to_owned();
        for text in &beside[at] {
            ending = format!("{ending} {text}");
        }
        let mut ending = ending.lines();
        if let (Some(last), Some(first)) = (lines.last_mut(), ending.next()) {
            last.put_str(first)?;
        }
        lines.put_all(ending.flat_map(lines_of))?;
    }
    Ok(lines)
}

fn lines_of(text: &str) -> impl Iterator<Item = String> {
    text.lines().map(|line| line.trim().to_owned())
}

fn pieces<'t>(text: &'t str, spans: &[Span]) -> Result<Vec<&'t str>, Stop> {
    let piece = |span: &Span| text[span.start as usize..span.end as usize].trim();
    spans.iter().map(piece).gather()
}

/// Returns the comments of a text.
fn comments_of(text: &str, syntax: Syntax) -> Result<Vec<Comment<'_>>, Stop> {
    let mut extent = Extent::new(syntax);
    let mut comments = Vec::new();
    let mut start = None;
    let mut keep = |place: Range<usize>| {
        let before = text[..place.start].rsplit('\n').next().unwrap_or_default();
        let found = text[place.clone()].trim_end();
        comments.put(Comment {
            text: found,
            place: place.start..place.start + found.len(),
            alone: before.trim().is_empty(),
        })
    };
    for (at, c) in text.char_indices() {
        let after = at + c.len_utf8();
        extent.push(c, &text[after..]);
        match (extent.in_comment(), start) {
            (true, None) => start = Some(at),
            (false, Some(begin)) => {
                start = None;
                keep(begin..if c == '\n' { at } else { after })?;
            }
            _ => {}
        }
    }
    if let Some(begin) = start {
        keep(begin..text.len())?;
    }
    Ok(comments)
}

/// Returns a part without comments, layout and full stop.
fn without_comments(text: &str, span: Span, comments: &[Comment<'_>]) -> Result<String, Stop> {
    let mut bare = String::new();
    let mut at = span.start as usize;
    let end = span.end as usize;
    for comment in comments {
        let place = &comment.place;
        if place.start >= at && place.end <= end {
            bare.put_str(&text[at..place.start])?;
            at = place.end;
        }
    }
    bare.put_str(&text[at..end])?;
    key(&bare)
}

fn key(text: &str) -> Result<String, Stop> {
    let mut key = text.split_whitespace().flat_map(str::chars).gather_text()?;
    if key.ends_with('.') {
        key.pop();
    }
    Ok(key)
}

/// Returns the alternative that a comment belongs to. On a line with alternatives, this is the one before the comment.
fn owner(
    comment: &Comment<'_>,
    text: &str,
    spans: &[Span],
    comments: &[Comment<'_>],
) -> Result<usize, Stop> {
    let start = comment.place.start;
    let at = spans
        .iter()
        .rposition(|span| span.start as usize <= start)
        .unwrap_or_default();
    let begin = spans.get(at).map_or(0, |span| span.start as usize);
    let begins = without_comments(text, Span::new(begin, start), comments)?.is_empty();
    let before = usize::from(begins && !comment.alone);
    Ok(at.saturating_sub(before))
}

/// Returns for each old alternative the new one that replaces it.
fn targets(old: &[String], new: &[String]) -> Result<Vec<Option<usize>>, Stop> {
    let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, key) in new.iter().enumerate().rev() {
        places.entry(key).or_default().put(at)?;
    }
    let same = old.iter();
    let same = same.map(|key| places.get_mut(key.as_str()).and_then(Vec::pop));
    let same = same.gather()?;
    let mut taken = filled(false, new.len())?;
    for &at in same.iter().flatten() {
        taken[at] = true;
    }
    let with_number = |at: usize| taken.get(at).is_some_and(|taken| !taken).then_some(at);
    let places = same.iter().enumerate();
    places
        .map(|(at, found)| found.or_else(|| with_number(at)))
        .gather()
}
