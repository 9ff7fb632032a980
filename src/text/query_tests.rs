//! Tests inside a text: queries with their answers below them. They are found without reading them as
//! terms.
//!
//! ```text
//! ?- append(Xs, Ys, [1]).
//!    Xs = [], Ys = [1] ;
//!    Xs = [1], Ys = [].
//! label ?- atom_length(A, _).
//!    instantiation_error.
//! ```
//!
//! The `?-`, or the label before it, is at the beginning of a line. The answer is the indented text below
//! the query, up to its full stop; a `;` may be at the beginning of a line. Blank lines may be inside the
//! answer, and before it if nothing else can be meant. In a program, a query without label and answer is a
//! directive, as usual.

use super::char_class::ends_clause;
use super::clause_extent::ClauseExtent;
use crate::base::flags::Flags;
use crate::base::growth::{Gather, Grow, GrowText, text_with_room};
use crate::base::source::Span;
use crate::base::stop::Stop;

/// The language of the text. The languages differ in full stops and quotes.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Syntax {
    /// Prolog.
    Prolog,
    /// Lolli.
    Lolli,
}

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// A query with its answer.
    Query(QueryText),
    /// A clause or a directive, with its full stop. Without a full stop it extends to the end of
    /// the text.
    Clause(Span),
}

/// A query in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct QueryText {
    /// The label before `?-`.
    pub(crate) label: Option<Span>,
    /// The text from the label or the `?-` on, including the full stop.
    pub(crate) whole: Span,
    /// The goal, without `?-` and full stop.
    pub(crate) goal: Span,
    /// The answer with its full stop, or an unfinished answer.
    pub(crate) answer: Option<Span>,
}

impl QueryText {
    /// Returns whether the query in a program is a test and not a directive.
    pub(crate) fn is_test(&self) -> bool {
        self.label.is_some() || self.answer.is_some()
    }
}

/// A scanner for the ends of items, character by character.
pub(crate) enum Extent {
    /// A scanner for Prolog.
    Prolog(ClauseExtent),
    /// A scanner for Lolli.
    Lolli(LolliExtent),
}

/// A scanner for the ends of Lolli items: there are no escapes, and a `.` needs nothing after it.
#[derive(Default)]
pub(crate) struct LolliExtent {
    quote: Option<char>,
    /// Whether the last character opened the quote.
    fresh: bool,
    comment: bool,
    /// Whether the next character is literal.
    caret: bool,
    begun: bool,
    /// Number of full stops known to belong to a `...`.
    dots: u8,
    /// Number of characters of `outputs(` that were read; the text inside is written as in Prolog.
    output: usize,
    /// Whether the next character of that text is literal.
    escaped: bool,
}

/// The prefix of a text that is written as in Prolog.
const OUTPUT: &str = "outputs(";

impl LolliExtent {
    fn push(&mut self, c: char, rest: &str) -> bool {
        self.fresh = false;
        if std::mem::take(&mut self.caret) {
            return false;
        }
        if self.comment {
            self.comment = c != '\n';
            return false;
        }
        if let Some(quote) = self.quote {
            let escapes = self.output == OUTPUT.len();
            let plain = !std::mem::take(&mut self.escaped);
            self.escaped = escapes && plain && c == '\\';
            if plain && c == quote {
                self.quote = None;
                self.output = 0;
            }
            return false;
        }
        let next = OUTPUT.as_bytes().get(self.output);
        if next.is_some_and(|&next| char::from(next) == c) {
            self.output += 1;
        } else if !(self.output == OUTPUT.len() && c == '"') {
            self.output = usize::from(c == 'o');
        }
        match c {
            '%' => {
                self.comment = true;
                return false;
            }
            '\'' | '"' => {
                self.quote = Some(c);
                self.fresh = true;
            }
            '^' => self.caret = true,
            '.' if self.dots > 0 => self.dots -= 1,
            '.' if rest.starts_with("..") => self.dots = 2,
            '.' => return true,
            _ => {}
        }
        self.begun |= !c.is_whitespace();
        false
    }
}

impl Extent {
    /// Creates a scanner at the beginning of an item.
    pub(crate) fn new(syntax: Syntax) -> Extent {
        match syntax {
            Syntax::Prolog => Extent::Prolog(ClauseExtent::typed(Flags::default().lexis())),
            Syntax::Lolli => Extent::Lolli(LolliExtent::default()),
        }
    }

    /// Processes a character; `rest` is the text after it. Returns whether it is the full stop of
    /// the item.
    pub(crate) fn push(&mut self, c: char, rest: &str) -> bool {
        match self {
            Extent::Prolog(extent) => extent.push(c, rest.chars().next()),
            Extent::Lolli(extent) => extent.push(c, rest),
        }
    }

    /// Returns whether the item has begun: whether the text so far is more than layout and
    /// comments.
    fn has_begun(&self) -> bool {
        match self {
            Extent::Prolog(extent) => extent.has_begun(),
            Extent::Lolli(extent) => extent.begun,
        }
    }

    /// Returns the quote that the last character opened. Only Lolli quotes extend over ends of lines.
    fn opened(&self) -> Option<char> {
        match self {
            Extent::Prolog(_) => None,
            Extent::Lolli(extent) => extent.quote.filter(|_| extent.fresh),
        }
    }

    /// Returns whether the next character is in a comment.
    pub(crate) fn in_comment(&self) -> bool {
        match self {
            Extent::Prolog(extent) => extent.in_comment(),
            Extent::Lolli(extent) => extent.comment,
        }
    }

    /// Returns whether the next character is in quotes or a comment.
    pub(crate) fn is_inside(&self) -> bool {
        match self {
            Extent::Prolog(extent) => extent.in_quoted() || extent.in_comment(),
            Extent::Lolli(extent) => extent.quote.is_some() || extent.comment || extent.caret,
        }
    }
}

/// The parts of a text, in order.
pub(crate) struct Parts<'t> {
    text: &'t str,
    at: usize,
    syntax: Syntax,
}

impl<'t> Parts<'t> {
    /// Returns the parts of `text`.
    pub(crate) fn new(text: &'t str, syntax: Syntax) -> Parts<'t> {
        let at = match text.starts_with("#!") {
            true => text.find('\n').unwrap_or(text.len()),
            false => 0,
        };
        Parts { text, at, syntax }
    }

    /// Returns the span of the next item; none if only layout is left.
    fn item(&self, from: usize) -> Option<Span> {
        let mut extent = Extent::new(self.syntax);
        let mut start = None;
        let rest = self.text.get(from..)?;
        for (at, c) in rest.char_indices() {
            let after = at + c.len_utf8();
            let ends = extent.push(c, &rest[after..]);
            if start.is_none() && (ends || extent.has_begun()) {
                start = Some(from + at);
            }
            if let (Some(quote), Some(start)) = (extent.opened(), start)
                && let Some(end) = self.broken_end(from + after, quote, true)
                && self.neck(Span::new(start, end)).is_some()
            {
                return Some(Span::new(start, end));
            }
            if ends {
                // The end of a line ends an unclosed quoted item.
                let end = if c == '\n' {
                    rest[..at].trim_end().len()
                } else {
                    after
                };
                return start.map(|start| Span::new(start, from + end));
            }
            let cut = c == '\n' && !extent.is_inside() && rest[after..].starts_with("?-");
            if let Some(start) = start.filter(|_| cut) {
                return Some(Span::new(start, from + rest[..at].trim_end().len()));
            }
        }
        start.map(|start| Span::new(start, self.text.len()))
    }

    /// Returns the end of the line on which an item of a test must end because of a forgotten quote. The
    /// quote begins before `at`. It is forgotten if another test begins before it is closed. In a query, it
    /// is also forgotten if its line was meant to end the query.
    fn broken_end(&self, at: usize, quote: char, in_query: bool) -> Option<usize> {
        let rest = &self.text[at..];
        let closing = rest.find(quote);
        let quoted = &rest[..closing.unwrap_or(rest.len())];
        let (first, others) = quoted.split_once('\n').unwrap_or((quoted, ""));
        let first = first.trim_end();
        let ends_query =
            in_query && first.ends_with('.') && others.starts_with([' ', '\t', '\n', '\r']);
        let broken = closing.is_none() || ends_query || others.split('\n').any(begins_query);
        broken.then_some(at + first.len())
    }

    /// Returns the label and the length of the text before the goal, if the item is a query.
    fn neck(&self, item: Span) -> Option<(Option<Span>, usize)> {
        let (start, end) = (item.start as usize, item.end as usize);
        let text = self.text.get(start..end)?;
        if start > 0 && !self.text[..start].ends_with('\n') {
            return None;
        }
        if let Some(neck) = neck_after(text, 0) {
            return Some((None, neck));
        }
        let length = label_length(text)?;
        let label = Span::new(start, start + length);
        Some((Some(label), neck_after(text, length)?))
    }

    /// Returns the query in an item, if it is one.
    fn query(&self, item: Span) -> Option<QueryText> {
        let (start, end) = (item.start as usize, item.end as usize);
        let (label, neck) = self.neck(item)?;
        let text = self.text.get(start..end)?;
        let goal_end = if text.ends_with('.') { end - 1 } else { end };
        let answer = self.answer(end);
        Some(QueryText {
            label,
            whole: item,
            goal: Span::new((start + neck).min(goal_end), goal_end),
            answer,
        })
    }

    /// Returns the answer below a query that ends at `end`.
    fn answer(&self, end: usize) -> Option<Span> {
        let line_end = |at: usize| {
            let rest = &self.text[at..];
            rest.find('\n').map(|length| at + length + 1)
        };
        let rest = self.text[end..line_end(end).unwrap_or(self.text.len())].trim();
        if !(rest.is_empty() || rest.starts_with('%')) {
            return None;
        }
        let mut at = line_end(end)?;
        let mut blank = false;
        loop {
            let line = &self.text[at..line_end(at).unwrap_or(self.text.len())];
            let inner = line.trim_start();
            if inner.is_empty() {
                blank = true;
                at = line_end(at)?;
                continue;
            }
            if !line.starts_with([' ', '\t']) {
                return None;
            }
            if inner.starts_with('%') {
                at = line_end(at)?;
                continue;
            }
            if blank && !is_answer(inner, self.syntax) {
                return None;
            }
            let start = at + line.len() - inner.len();
            return Some(Span::new(start, self.answer_end(start)));
        }
    }

    /// Returns the end of the answer that begins at `start`. It is after the full stop, or, without a
    /// full stop, before the line that cannot belong to the answer.
    fn answer_end(&self, start: usize) -> usize {
        let mut extent = Extent::new(self.syntax);
        let rest = &self.text[start..];
        // The last character that is not blank and not in a comment.
        let mut last = ' ';
        for (at, c) in rest.char_indices() {
            let after = at + c.len_utf8();
            if c == '\n' && !extent.is_inside() && !goes_on(&rest[after..], last) {
                return start + rest[..at].trim_end().len();
            }
            if extent.push(c, &rest[after..]) {
                return start + rest[..after].trim_end().len();
            }
            if let Some(quote) = extent.opened()
                && let Some(end) = self.broken_end(start + after, quote, false)
            {
                return end;
            }
            if !c.is_whitespace() && !extent.is_inside() {
                last = c;
            }
        }
        start + rest.trim_end().len()
    }
}

impl Iterator for Parts<'_> {
    type Item = Part;

    fn next(&mut self) -> Option<Part> {
        let item = self.item(self.at)?;
        let query = self.query(item);
        let end = match &query {
            Some(QueryText {
                answer: Some(answer),
                ..
            }) => answer.end,
            _ => item.end,
        };
        self.at = end as usize;
        Some(query.map_or(Part::Clause(item), Part::Query))
    }
}

/// Returns whether an answer without a full stop so far continues with this text, which begins a line. `last`
/// is the character before.
fn goes_on(next: &str, last: char) -> bool {
    let lines = next.split_inclusive('\n');
    let blank: usize = lines
        .take_while(|line| line.trim().is_empty())
        .map(str::len)
        .sum();
    let below = &next[blank..];
    if blank == 0 {
        return below.starts_with([' ', '\t', ';', '%']);
    }
    let unfinished = matches!(last, ';' | ',' | '|' | '(' | '[' | '{');
    let more = below.trim_start_matches([' ', '\t']).starts_with(';');
    more || unfinished && below.starts_with([' ', '\t'])
}

/// Returns whether a text begins in a way that only answers do.
pub(crate) fn is_answer(text: &str, syntax: Syntax) -> bool {
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_'));
    let (word, rest) = text.split_at(end.unwrap_or(text.len()));
    let rest = rest.trim_start();
    match word {
        "" => text.starts_with("..."),
        "true" | "false" => rest.starts_with([',', ';', '.']),
        "no" | "solved" => syntax == Syntax::Lolli && rest.starts_with([',', ';', '.']),
        "outputs" => rest.starts_with("(\""),
        _ if word.starts_with(|first: char| first.is_uppercase() || first == '_') => {
            rest.starts_with("= ") || rest.starts_with("=\n") || rest.starts_with("<-")
        }
        _ => false,
    }
}

/// Returns the offset of the end of a `?-` that comes next, after blanks.
fn neck_after(text: &str, from: usize) -> Option<usize> {
    let rest = text.get(from..)?;
    let blank = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    let after = rest[blank..].strip_prefix("?-")?;
    let symbol = after.starts_with(|c: char| "#$&*+-/:<=>?@^~\\".contains(c));
    // A `.` may begin `...`, which is no goal.
    let stop = after
        .strip_prefix('.')
        .is_some_and(|rest| !ends_clause(rest.chars().next()));
    (!symbol && !stop).then_some(from + blank + 2)
}

/// Returns the length of the name, quoted or not, at the beginning of a text.
fn label_length(text: &str) -> Option<usize> {
    if let Some(quoted) = text.strip_prefix('\'') {
        return quoted.find(['\'', '\n', '\\']).and_then(|length| {
            let closed = quoted[length..].starts_with('\'');
            closed.then_some(length + 2)
        });
    }
    let first = text.chars().next()?;
    if !first.is_lowercase() {
        return None;
    }
    text.find(|c: char| !(c.is_alphanumeric() || c == '_'))
}

/// Returns whether a line begins a query, with or without a label.
fn begins_query(line: &str) -> bool {
    let neck = |length| neck_after(line, length);
    neck(0).is_some() || label_length(line).and_then(neck).is_some()
}

/// Returns whether there may be a query at the beginning of a line. This is a quick check.
fn may_have_queries(text: &str) -> bool {
    text.match_indices("?-").any(|(at, _)| {
        let line = &text[text[..at].rfind('\n').map_or(0, |end| end + 1)..at];
        label_length(line).map_or(line.is_empty(), |length| line[length..].trim().is_empty())
    })
}

/// Returns the tests of a program: queries with a label or an answer.
pub(crate) fn tests_of_program(text: &str, syntax: Syntax) -> Result<Vec<QueryText>, Stop> {
    if !may_have_queries(text) {
        return Ok(Vec::new());
    }
    let queries = Parts::new(text, syntax).filter_map(|part| match part {
        Part::Query(query) => Some(query),
        Part::Clause(_) => None,
    });
    queries
        .filter(|query| syntax == Syntax::Lolli || query.is_test())
        .gather()
}

/// Returns the program with blanks in place of its tests, so that all other text keeps its place.
/// Returns `None` if it has no tests.
pub(crate) fn without_tests(text: &str, syntax: Syntax) -> Result<Option<String>, Stop> {
    let tests = tests_of_program(text, syntax)?;
    if tests.is_empty() {
        return Ok(None);
    }
    let spans = tests
        .iter()
        .flat_map(|test| [Some(test.whole), test.answer].into_iter().flatten());
    let spans: Vec<Span> = spans.gather()?;
    let mut spans = spans.into_iter();
    let mut result = text_with_room(text.len())?;
    let mut at = 0;
    loop {
        let span = spans.next();
        let start = span.map_or(text.len(), |span| span.start as usize);
        result.put_str(text.get(at..start).unwrap_or_default())?;
        let Some(span) = span else {
            return Ok(Some(result));
        };
        at = span.end as usize;
        blank_out(text.get(start..at).unwrap_or_default(), &mut result)?;
    }
}

/// Appends a blank for each byte of a text, but keeps the ends of lines.
pub(crate) fn blank_out(text: &str, result: &mut String) -> Result<(), Stop> {
    result.put_all(text.bytes().map(|byte| match byte {
        b'\n' | b'\r' => char::from(byte),
        _ => ' ',
    }))
}

/// Returns the pieces between the `separator`s that are outside of brackets, quotes and comments.
pub(crate) fn split_outside(
    text: &str,
    separator: char,
    syntax: Syntax,
) -> Result<Vec<Span>, Stop> {
    let mut extent = Extent::new(syntax);
    let (mut pieces, mut start, mut depth) = (Vec::new(), 0, 0usize);
    for (at, c) in text.char_indices() {
        let after = at + c.len_utf8();
        let inside = extent.is_inside();
        extent.push(c, &text[after..]);
        if inside || extent.is_inside() {
            continue;
        }
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ if c == separator && depth == 0 => {
                pieces.put(Span::new(start, at))?;
                start = after;
            }
            _ => {}
        }
    }
    pieces.put(Span::new(start, text.len()))?;
    Ok(pieces)
}
