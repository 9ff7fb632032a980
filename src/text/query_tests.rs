//! Tests within a text: queries with their answers under them, found without reading them as terms.
//!
//! ```text
//! ?- append(Xs, Ys, [1]).
//!    Xs = [], Ys = [1] ;
//!    Xs = [1], Ys = [].
//! label ?- atom_length(A, _).
//!    instantiation_error.
//! ```
//!
//! The `?-`, or the label before it, stands at the beginning of a line. The answer is what is indented
//! under the query, up to its full stop; a `;` may stand at the beginning of a line. Blank lines may stand
//! within it, and before it, where nothing else can be meant. In a program a query without label and answer
//! is a directive, as ever.

use super::char_class::ends_clause;
use super::clause_extent::ClauseExtent;
use crate::base::flags::Flags;
use crate::base::growth::{Gather, Grow, GrowText, text_with_room};
use crate::base::source::Span;
use crate::base::stop::Stop;

/// Which language the text is of: they end clauses and quote differently.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Syntax {
    /// Prolog.
    Prolog,
    /// Lolli.
    Lolli,
}

/// What a text is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// A query, with what is under it.
    Query(QueryText),
    /// A clause or a directive, with its full stop. Without one it goes on to the end of the text.
    Clause(Span),
}

/// A query in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct QueryText {
    /// What stands before `?-`.
    pub(crate) label: Option<Span>,
    /// From the label or the `?-` on, with the full stop.
    pub(crate) whole: Span,
    /// The goal, without `?-` and full stop.
    pub(crate) goal: Span,
    /// The answer with its full stop, or as far as it goes without one.
    pub(crate) answer: Option<Span>,
}

impl QueryText {
    /// In a program: is it a test, and no directive?
    pub(crate) fn is_test(&self) -> bool {
        self.label.is_some() || self.answer.is_some()
    }
}

/// What tells where items end, character by character.
pub(crate) enum Extent {
    /// In Prolog.
    Prolog(ClauseExtent),
    /// In Lolli.
    Lolli(LolliExtent),
}

/// Where items of Lolli end: there are no escapes, and a `.` needs nothing after it.
#[derive(Default)]
pub(crate) struct LolliExtent {
    quote: Option<char>,
    /// The character that was taken last has opened it.
    fresh: bool,
    comment: bool,
    /// The next character stands for itself.
    caret: bool,
    begun: bool,
    /// How many full stops are known to be of a `...`.
    dots: u8,
    /// How much of `outputs(` was read: the text in it is written as in Prolog.
    output: usize,
    /// The next character of that text stands for itself.
    escaped: bool,
}

/// What stands before a text that is written as in Prolog.
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
    /// At the beginning of an item.
    pub(crate) fn new(syntax: Syntax) -> Extent {
        match syntax {
            Syntax::Prolog => Extent::Prolog(ClauseExtent::typed(Flags::default().lexis())),
            Syntax::Lolli => Extent::Lolli(LolliExtent::default()),
        }
    }

    /// Takes a character, which `rest` follows. True if it is the full stop of the item.
    pub(crate) fn push(&mut self, c: char, rest: &str) -> bool {
        match self {
            Extent::Prolog(extent) => extent.push(c, rest.chars().next()),
            Extent::Lolli(extent) => extent.push(c, rest),
        }
    }

    /// Has anything but layout and comments been seen?
    fn has_begun(&self) -> bool {
        match self {
            Extent::Prolog(extent) => extent.has_begun(),
            Extent::Lolli(extent) => extent.begun,
        }
    }

    /// The quote that the character has opened that was taken last. Only those of Lolli go on over ends of lines.
    fn opened(&self) -> Option<char> {
        match self {
            Extent::Prolog(_) => None,
            Extent::Lolli(extent) => extent.quote.filter(|_| extent.fresh),
        }
    }

    /// Is the next character in a comment?
    pub(crate) fn in_comment(&self) -> bool {
        match self {
            Extent::Prolog(extent) => extent.in_comment(),
            Extent::Lolli(extent) => extent.comment,
        }
    }

    /// Is the next character within quotes or a comment?
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
    /// The parts of `text`.
    pub(crate) fn new(text: &'t str, syntax: Syntax) -> Parts<'t> {
        let at = match text.starts_with("#!") {
            true => text.find('\n').unwrap_or(text.len()),
            false => 0,
        };
        Parts { text, at, syntax }
    }

    /// Where the next item begins and ends; none if only layout is left.
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
                // The end of a line ends what a quote does not close.
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

    /// Where the line ends on which an item of a test has to end, if it has to there: a quote that begins
    /// before `at` is not closed before what begins another test, or shows, where it is that of a query, that
    /// the line was to end it.
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

    /// The label and the length of what stands before the goal, if the item is a query.
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

    /// The query that an item is, if it is one.
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

    /// The answer under a query that ends at `end`.
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

    /// Where the answer ends that begins at `start`: after its full stop; where that is missing, before
    /// the line that can no longer be part of it.
    fn answer_end(&self, start: usize) -> usize {
        let mut extent = Extent::new(self.syntax);
        let rest = &self.text[start..];
        // What stands before, but for blanks and comments.
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

/// Does an answer without a full stop so far go on with this text, which begins a line? `last` is the character
/// before.
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

/// Does a text begin as nothing but an answer does?
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

/// The bytes up to the end of a `?-` that comes next, after blanks.
fn neck_after(text: &str, from: usize) -> Option<usize> {
    let rest = text.get(from..)?;
    let blank = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    let after = rest[blank..].strip_prefix("?-")?;
    let symbol = after.starts_with(|c: char| "#$&*+-/:<=>?@^~\\".contains(c));
    // A point may begin `...`, which is no goal.
    let stop = after
        .strip_prefix('.')
        .is_some_and(|rest| !ends_clause(rest.chars().next()));
    (!symbol && !stop).then_some(from + blank + 2)
}

/// The length of the name that a text begins with, quoted or not.
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

/// Does a line begin a query, with a label or without?
fn begins_query(line: &str) -> bool {
    let neck = |length| neck_after(line, length);
    neck(0).is_some() || label_length(line).and_then(neck).is_some()
}

/// May there be a query at the beginning of a line? A quick look.
fn may_have_queries(text: &str) -> bool {
    text.match_indices("?-").any(|(at, _)| {
        let line = &text[text[..at].rfind('\n').map_or(0, |end| end + 1)..at];
        label_length(line).map_or(line.is_empty(), |length| line[length..].trim().is_empty())
    })
}

/// The tests of a program: queries with a label or an answer.
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

/// The program with blanks in place of its tests, so that all else stands where it stood. None if it has
/// no tests.
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

/// Adds a blank for each byte, but keeps the ends of lines.
pub(crate) fn blank_out(text: &str, result: &mut String) -> Result<(), Stop> {
    result.put_all(text.bytes().map(|byte| match byte {
        b'\n' | b'\r' => char::from(byte),
        _ => ' ',
    }))
}

/// The pieces between the `separator`s that stand in no brackets, quotes and comments.
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
