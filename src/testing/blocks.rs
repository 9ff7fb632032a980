//! The blocks of Markdown documents that are marked as Prolog or Lolli. As in CommonMark, they may be in list items
//! and in quotes.

use super::source::Language;
use crate::base::growth::{Gather, Grow, GrowText};
use crate::base::source::Span;
use crate::base::stop::Stop;
use std::ops::Range;

/// Words after the language of a block: `ignore` skips its tests and clauses; `fresh` starts without the clauses of the
/// blocks before it.
const IGNORE: &str = "ignore";
const FRESH: &str = "fresh";
/// The beginning and the end of a comment of HTML: blocks within it do not count.
const COMMENT: &str = "<!--";
const COMMENT_END: &str = "-->";
/// The maximum indentation of a fence. Lines indented further are a block of code without a fence.
const MOST_INDENT: usize = 3;

/// A part of a file, without the prefixes of its lines, and the places of the parts in the file.
#[derive(Clone, Debug, Default)]
pub(super) struct Piece {
    pub(super) text: String,
    /// The beginnings of runs: in the text, and in the file.
    runs: Vec<(usize, usize)>,
}

impl Piece {
    /// Returns a whole file as a piece.
    pub(super) fn whole(text: &str) -> Result<Piece, Stop> {
        let mut piece = Piece::default();
        piece.push(text, 0..text.len())?;
        Ok(piece)
    }

    fn push(&mut self, file: &str, range: Range<usize>) -> Result<(), Stop> {
        let last = self.runs.last().copied();
        let here = self.text.len();
        if last.is_none_or(|(at, start)| start + (here - at) != range.start) {
            self.runs.put((here, range.start))?;
        }
        self.text.put_str(&file[range])
    }

    /// Returns the text of a span.
    pub(super) fn slice(&self, span: Span) -> &str {
        let range = span.start as usize..span.end as usize;
        self.text.get(range).unwrap_or_default()
    }

    /// Returns the place in the file of a byte of the text.
    pub(super) fn place(&self, at: usize) -> usize {
        let after = self.runs.partition_point(|&(start, _)| start <= at);
        let run = after.checked_sub(1).and_then(|run| self.runs.get(run));
        run.map_or(at, |&(start, place)| place + (at - start))
    }

    /// Returns the range in the file of a span, with the prefixes of its lines there.
    pub(super) fn range(&self, span: Span) -> Range<usize> {
        let (start, end) = (span.start as usize, span.end as usize);
        let last = match end > start {
            true => self.place(end - 1) + 1,
            false => self.place(end),
        };
        self.place(start)..last
    }

    /// Returns the beginnings of the lines of a part: in the part, and in the file.
    pub(super) fn lines(&self, range: Range<usize>) -> Result<Vec<(usize, usize)>, Stop> {
        let mut lines = vec![(0, self.place(range.start))];
        let later = self.runs.iter().filter(|(run, _)| range.contains(run));
        lines.put_all(later.map(|&(run, place)| (run - range.start, place)))?;
        Ok(lines)
    }

    /// Returns the parts of a span in the file, without the prefixes of its lines there.
    pub(super) fn parts(&self, span: Span) -> Result<Vec<Span>, Stop> {
        let (mut start, end) = (span.start as usize, span.end as usize);
        let mut parts = Vec::new();
        while start < end {
            let after = self.runs.partition_point(|&(run, _)| run <= start);
            let until = self.runs.get(after).map_or(end, |&(run, _)| run.min(end));
            let place = self.place(start);
            parts.put(Span::new(place, place + (until - start)))?;
            start = until;
        }
        Ok(parts)
    }
}

/// A block of a document.
pub(super) struct Block {
    pub(super) language: Language,
    pub(super) piece: Piece,
    pub(super) fresh: bool,
}

/// A block without an end yet.
struct Open {
    /// The mark that ends the block.
    mark: String,
    /// The number of quotes around the block, its indentation within them, and the indentation that its list item needs.
    quotes: usize,
    indent: usize,
    item: usize,
    /// None if the block is in another language.
    block: Option<Block>,
}

/// Returns the blocks of a document that are marked as Prolog or Lolli.
pub(super) fn blocks(text: &str) -> Result<Vec<Block>, Stop> {
    let mut blocks = Vec::new();
    let mut open: Option<Open> = None;
    // The columns of the contents of the open list items, with the number of quotes around each.
    let mut items: Vec<(usize, usize)> = Vec::new();
    // The number of quotes around an open comment of HTML.
    let mut comment: Option<usize> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let (start, end) = (at, at + line.len());
        at = end;
        if let Some(present) = &mut open {
            match present.take(text, start..end)? {
                Taken::Inside => continue,
                Taken::End => {
                    blocks.put_all(open.take().and_then(|open| open.block))?;
                    continue;
                }
                // The quote or list item around the block has ended, and the line does not belong to the block.
                Taken::Outside => blocks.put_all(open.take().and_then(|open| open.block))?,
            }
        }
        let (quotes, rest) = unquoted(line, usize::MAX);
        let (indent, inner) = unindented(rest, usize::MAX);
        if comment.is_some_and(|within| within <= quotes) {
            comment = comment.filter(|_| !line.contains(COMMENT_END));
            continue;
        }
        if inner.trim().is_empty() {
            continue;
        }
        items.retain(|&(item, within)| within < quotes || (within == quotes && item <= indent));
        let (column, inner) = after_markers(inner, indent, quotes, &mut items)?;
        let item = items.iter().rev().find(|&&(_, within)| within == quotes);
        let item = item.map_or(0, |&(item, _)| item);
        comment = inner
            .strip_prefix(COMMENT)
            .filter(|rest| column <= item + MOST_INDENT && !rest.contains(COMMENT_END))
            .map(|_| quotes);
        let mark = inner.chars().take_while(|&c| c == '`' || c == '~');
        let mark = mark.gather_text()?;
        // A mark that closes on its line is code within a text.
        let is_fence = (mark.starts_with("```") && !inner[mark.len()..].contains('`'))
            || mark.starts_with("~~~");
        if is_fence && column <= item + MOST_INDENT {
            let block = block_of(&inner[mark.len()..]);
            open = Some(Open {
                mark,
                quotes,
                indent: column,
                item,
                block,
            });
        }
    }
    blocks.put_all(open.and_then(|open| open.block))?;
    Ok(blocks)
}

/// The relation of a line to the open block.
enum Taken {
    Inside,
    End,
    Outside,
}

impl Open {
    /// Takes a line of the file into the block, if it belongs there.
    fn take(&mut self, text: &str, range: Range<usize>) -> Result<Taken, Stop> {
        let line = &text[range.clone()];
        let (quotes, rest) = unquoted(line, self.quotes);
        if quotes < self.quotes {
            return Ok(Taken::Outside);
        }
        let (indent, inner) = unindented(rest, usize::MAX);
        let fence = inner.chars().take_while(|&c| c == '`' || c == '~');
        let fence = fence.gather_text()?;
        let blank = inner.trim().is_empty();
        if !blank && indent < self.item {
            return Ok(Taken::Outside);
        }
        let closes = fence.starts_with(self.mark.as_str())
            && inner[fence.len()..].trim().is_empty()
            && indent <= self.item + MOST_INDENT;
        if closes {
            return Ok(Taken::End);
        }
        let (_, kept) = unindented(rest, self.indent);
        if let Some(block) = &mut self.block {
            block.piece.push(text, range.end - kept.len()..range.end)?;
        }
        Ok(Taken::Inside)
    }
}

/// Removes the marks of at most `most` quotes from a line. Returns their number and the rest.
fn unquoted(line: &str, most: usize) -> (usize, &str) {
    let (mut quotes, mut rest) = (0, line);
    while quotes < most {
        let (_, inner) = unindented(rest, MOST_INDENT);
        let Some(inner) = inner.strip_prefix('>') else {
            break;
        };
        rest = inner.strip_prefix(' ').unwrap_or(inner);
        quotes += 1;
    }
    (quotes, rest)
}

/// Removes at most `most` blanks from the beginning of a line. Returns their number and the rest. A tab counts as four
/// blanks, so the number may exceed `most`.
fn unindented(line: &str, most: usize) -> (usize, &str) {
    let (mut indent, mut rest) = (0, line);
    while indent < most {
        if let Some(inner) = rest.strip_prefix(' ') {
            (indent, rest) = (indent + 1, inner);
        } else if let Some(inner) = rest.strip_prefix('\t') {
            (indent, rest) = (indent + 4, inner);
        } else {
            break;
        }
    }
    (indent, rest)
}

/// Returns the text after the list markers at the beginning of a line, and its column. Adds the list items to `items`.
fn after_markers<'t>(
    inner: &'t str,
    column: usize,
    quotes: usize,
    items: &mut Vec<(usize, usize)>,
) -> Result<(usize, &'t str), Stop> {
    let (mut column, mut rest) = (column, inner);
    while let Some(length) = marker(rest) {
        let (blanks, after) = unindented(&rest[length..], usize::MAX);
        if after.trim().is_empty() {
            items.put((column + length + 1, quotes))?;
            return Ok((column, after));
        }
        if blanks == 0 {
            break;
        }
        let blanks = if blanks > MOST_INDENT + 1 { 1 } else { blanks };
        column += length + blanks;
        items.put((column, quotes))?;
        rest = after;
    }
    Ok((column, rest))
}

/// Returns the length of the marker of a list item.
fn marker(text: &str) -> Option<usize> {
    if text.starts_with(['-', '*', '+']) {
        return Some(1);
    }
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let ends = text[digits..].starts_with(['.', ')']);
    ((1..=9).contains(&digits) && ends).then_some(digits + 1)
}

/// Returns the block that a line such as `prolog fresh` begins.
fn block_of(info: &str) -> Option<Block> {
    let mut words = info
        .split([' ', ',', '\t', '\r', '\n'])
        .filter(|word| !word.is_empty());
    let languages = [("prolog", Language::Prolog), ("lolli", Language::Lolli)];
    let word = words.next()?;
    let mut languages = languages.into_iter();
    let (_, language) = languages.find(|(name, _)| name.eq_ignore_ascii_case(word))?;
    let (ignored, fresh) = words.fold((false, false), |(ignored, fresh), word| {
        (ignored || word == IGNORE, fresh || word == FRESH)
    });
    (!ignored).then(|| Block {
        language,
        piece: Piece::default(),
        fresh,
    })
}
