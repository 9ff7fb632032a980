//! Messages. A message about a place in a source text is `FILE:LINE:COLUMN: error: …`, followed by
//! the line with the place marked. Messages can also be JSON objects.

use super::waiting::{MAX_CALLERS, Waiting, caller_lines};
use crate::base::json::{JsonObject, json_text};
use crate::base::source::{Span, line_column};
use crate::base::warning::Warning;
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use std::ops::Range;
use std::sync::Arc;

/// The severity of a message.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Severity {
    /// The clause or directive has no effect.
    Error,
    /// The clause or directive has an effect, but probably not the intended one.
    Warning,
    /// Information.
    Note,
}

impl Severity {
    /// Returns the word for the severity in messages.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        }
    }

    /// Returns the text that begins a message without a place.
    fn heading(self) -> &'static str {
        match self {
            Severity::Error => "ERROR:",
            Severity::Warning => "Warning:",
            Severity::Note => "%",
        }
    }

    /// Returns the terminal sequence that starts the colour of this severity.
    fn colour(self) -> &'static str {
        match self {
            Severity::Error => "\x1b[1;31m",
            Severity::Warning => "\x1b[1;33m",
            Severity::Note => "\x1b[2m",
        }
    }
}

/// The subject of a message.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MessageKind {
    /// A syntax error.
    Syntax,
    /// An uncaught exception.
    Exception,
    /// A failed goal that should succeed.
    Failure,
    /// A limit that was reached.
    Limit,
    /// A query that the user interrupted.
    Interrupted,
    /// Anything else.
    Other,
}

impl MessageKind {
    /// Returns the word for the kind in messages for programs.
    pub(crate) fn word(self) -> &'static str {
        match self {
            MessageKind::Syntax => "syntax",
            MessageKind::Exception => "exception",
            MessageKind::Failure => "failure",
            MessageKind::Limit => "limit",
            MessageKind::Interrupted => "interrupted",
            MessageKind::Other => "other",
        }
    }
}

/// The output format of messages.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum MessageForm {
    /// Text without colours.
    #[default]
    Plain,
    /// Text with terminal colours.
    Coloured,
    /// A JSON object on its own line.
    Json,
}

impl MessageForm {
    /// Returns the heading of a message, coloured if the form has colours.
    fn word(self, severity: Severity, word: &str) -> String {
        match self {
            MessageForm::Coloured => format!("{}{word}\x1b[0m", severity.colour()),
            MessageForm::Plain | MessageForm::Json => word.to_owned(),
        }
    }
}

/// A message.
#[derive(Clone, Debug)]
pub(crate) struct Diagnostic {
    /// The severity.
    pub(crate) severity: Severity,
    /// The subject.
    pub(crate) kind: MessageKind,
    /// The place in a text that the message is about.
    pub(crate) place: Option<Location>,
    /// The text of the message.
    pub(crate) message: String,
    /// The name of the warning.
    pub(crate) warning: Option<Warning>,
    /// The suggested repair.
    pub(crate) hint: Option<String>,
    /// The exception as `writeq/1` writes it.
    pub(crate) term: Option<String>,
    /// The formal part of the error term (ISO 7.12.2), such as `type_error(integer, a)`;
    /// abbreviated.
    pub(crate) formal: Option<String>,
    /// The clauses that called the goal, innermost first.
    pub(crate) callers: Vec<Waiting>,
}

/// Minimum width of an excerpt; narrower terminals get this width too.
const NARROWEST: usize = 30;
/// Width of the separator between a line number and its line.
const GUTTER: usize = 3;
/// The replacement for the omitted part of a line.
const LEFT_OUT: &str = "…";

/// Maximum length of a line in an excerpt; longer lines are not shown.
const MAX_LINE: usize = 300;

/// A place in a text, with the excerpt to show. It remains valid after the text is freed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The file or the name of the text; none for a query.
    pub file: Option<Arc<str>>,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The line itself, without its end; empty if it is too long to be shown.
    pub source_line: String,
    /// The faulty part, as a range of bytes of `source_line`.
    pub span: Range<usize>,
}

impl Location {
    /// Returns the location of `span` in `text`; `span` begins in the line numbered `line`.
    pub(crate) fn new(file: &str, text: &str, span: Span, line: usize) -> Location {
        let at = floor(text, span.start as usize);
        let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
        let end = text[at..]
            .find('\n')
            .map_or(text.len(), |newline| at + newline);
        let column = line_column(&text[start..end], at - start).1;
        let shown = end - start <= MAX_LINE;
        Location {
            file: Some(file.into()),
            line,
            column,
            source_line: text[if shown { start..end } else { at..at }].to_owned(),
            // If the text changed after it was read, the span may no longer be at character
            // boundaries.
            span: at - start..ceil(text, (span.end as usize).clamp(at, end)) - start,
        }
    }
}

impl Location {
    /// Returns the file or the name of the text; the result is empty for a query.
    pub(crate) fn file_name(&self) -> &str {
        self.file.as_deref().unwrap_or_default()
    }

    /// Returns the place without a message, for callers that have already reported the error
    /// itself.
    pub(crate) fn place_text(&self) -> String {
        let Location { line, column, .. } = self;
        let file = self.file_name();
        let excerpt = excerpt(Severity::Error, self, MessageForm::Plain, None);
        format!("raised at {file}:{line}:{column}\n{excerpt}")
    }
}

impl Location {
    /// Returns the column after the last marked character.
    pub(crate) fn end_column(&self) -> usize {
        let meant = self.source_line.get(self.span.clone());
        self.column + meant.unwrap_or_default().chars().count()
    }
}

impl Diagnostic {
    /// Returns whether the message is about the memory limit.
    pub(crate) fn is_memory_limit(&self) -> bool {
        self.formal.as_deref() == Some("resource_error(memory)")
    }

    /// Returns the number of bytes that the message takes.
    pub(crate) fn bytes(&self) -> u64 {
        let place = self.place.iter();
        let texts = place.flat_map(|place| [place.file_name(), &place.source_line]);
        let own = [&self.hint, &self.term, &self.formal].into_iter().flatten();
        let texts = texts.chain(own.map(String::as_str)).chain([&*self.message]);
        let callers = self.callers.iter();
        let callers =
            callers.map(|caller| size_of::<Waiting>() + caller.predicate.len() + caller.file.len());
        (size_of::<Diagnostic>() + texts.map(str::len).sum::<usize>() + callers.sum::<usize>())
            as u64
    }

    /// Turns a warning into an error.
    pub(crate) fn promote(&mut self) {
        if self.severity == Severity::Warning {
            self.severity = Severity::Error;
        }
    }

    /// Creates a message about `span` of `text`; `span` begins in the line numbered `line`.
    pub(crate) fn new(
        severity: Severity,
        file: &str,
        text: &str,
        (span, line): (Span, usize),
        message: String,
        hint: Option<String>,
    ) -> Diagnostic {
        let place = Location::new(file, text, span, line);
        Diagnostic::at(severity, place, message, hint)
    }

    /// Creates a message about a place.
    pub(crate) fn at(
        severity: Severity,
        place: Location,
        message: String,
        hint: Option<String>,
    ) -> Diagnostic {
        Diagnostic {
            place: Some(place),
            hint,
            ..Diagnostic::without_place(severity, message)
        }
    }

    /// Creates a message without a place.
    pub(crate) fn without_place(severity: Severity, message: String) -> Diagnostic {
        Diagnostic {
            severity,
            kind: MessageKind::Other,
            place: None,
            message,
            warning: None,
            hint: None,
            term: None,
            formal: None,
            callers: Vec::new(),
        }
    }

    /// Returns the message as a warning with this name.
    pub(crate) fn of_warning(mut self, warning: Warning) -> Diagnostic {
        self.warning = Some(warning);
        self
    }

    /// Returns the message as a syntax error; `name` is its name in error terms.
    pub(crate) fn of_syntax(mut self, name: &str) -> Diagnostic {
        self.kind = MessageKind::Syntax;
        let formal = format!("syntax_error({name})");
        self.term = Some(format!("error({formal},_)"));
        self.formal = Some(formal);
        self
    }

    /// Returns the text of the message. The name of the warning, or the formal part of the error
    /// term, follows in brackets.
    pub(crate) fn full_message(&self) -> String {
        let name = self.warning.map(Warning::name);
        match name.or(self.formal.as_deref()) {
            Some(name) => format!("{} [{name}]", self.message),
            None => self.message.clone(),
        }
    }

    /// Returns the message as it is shown. It ends with a newline.
    pub(crate) fn text(&self, form: MessageForm) -> String {
        self.text_within(form, None)
    }

    /// Returns the message as it is shown on a terminal with `width` columns. The excerpt is cut around
    /// the mark.
    #[expect(
        clippy::disallowed_methods,
        reason = "what makes messages has no error to end with"
    )]
    pub(crate) fn text_within(&self, form: MessageForm, width: Option<usize>) -> String {
        if form == MessageForm::Json {
            return self.json();
        }
        let severity = self.severity;
        let message = self.full_message();
        let mut text = match &self.place {
            None => format!("{} {message}\n", form.word(severity, severity.heading())),
            Some(place) => {
                let word = form.word(severity, severity.word());
                let Location { line, column, .. } = place;
                let file = place.file_name();
                let mut text = format!("{file}:{line}:{column}: {word}: {message}\n");
                text.push_str(&excerpt(severity, place, form, width));
                text
            }
        };
        if let Some(hint) = &self.hint {
            text.push_str(&format!("  help: {hint}\n"));
        }
        for line in caller_lines(&self.callers) {
            text.push_str(&format!("  {line}\n"));
        }
        text
    }

    /// Returns the message as a JSON object on one line.
    #[expect(
        clippy::disallowed_methods,
        reason = "what makes messages has no error to end with"
    )]
    fn json(&self) -> String {
        let place = self.place.as_ref();
        let callers: Vec<String> = self
            .callers
            .iter()
            .take(MAX_CALLERS)
            .map(|caller| {
                JsonObject::new()
                    .text("predicate", Some(&caller.predicate))
                    .text("goal", caller.goal.as_deref())
                    .text("file", (caller.line != 0).then_some(&caller.file))
                    .number("line", (caller.line != 0).then_some(caller.line))
                    .number("times", Some(caller.times as usize))
                    .end()
            })
            .collect();
        let source = place.map(|place| place.source_line.as_str());
        let object = JsonObject::new()
            .member("severity", &json_text(self.severity.word()))
            .member("kind", &json_text(self.kind.word()))
            .text("warning", self.warning.map(Warning::name))
            .text("message", Some(&self.message))
            .text("file", place.map(Location::file_name))
            .number("line", place.map(|place| place.line))
            .number("column", place.map(|place| place.column))
            .number("end", place.map(Location::end_column))
            .text("source", source.filter(|source| !source.is_empty()))
            .text("hint", self.hint.as_deref())
            .text("term", self.term.as_deref())
            .member("backtrace", &format!("[{}]", callers.join(", ")));
        let mut text = object.end();
        text.push('\n');
        text
    }
}

/// Returns the last character boundary at or before `place`.
fn floor(text: &str, place: usize) -> usize {
    let mut at = place.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Returns the first character boundary at or after `place`.
fn ceil(text: &str, place: usize) -> usize {
    let mut at = place.min(text.len());
    while !text.is_char_boundary(at) {
        at += 1;
    }
    at
}

/// Returns the part of a line that fits into `room`, and the range of the mark in it. The beginning of
/// the mark is always shown.
fn fitted(source: &str, (from, to): (usize, usize), room: usize) -> (String, usize, usize) {
    // A tab is shown as four spaces.
    let room = room.saturating_sub(3 * source.matches('\t').count());
    let room = room.max(NARROWEST / 2);
    let length = source.chars().count();
    if length <= room {
        return (source.to_owned(), from, to);
    }
    let (first, last) = (source[..from].chars().count(), source[..to].chars().count());
    let start = if last < room {
        0
    } else {
        // Show an equal amount of text on both sides of the mark.
        let around = (room - 2).saturating_sub(last - first) / 2;
        first.saturating_sub(around.max(2)).min(length + 1 - room)
    };
    let end = (start + room - usize::from(start > 0)).min(length);
    let end = if end < length { end - 1 } else { end };
    let byte = |at: usize| {
        source
            .char_indices()
            .nth(at)
            .map_or(source.len(), |it| it.0)
    };
    let (cut, until) = (byte(start), byte(end));
    let before = if start > 0 { LEFT_OUT } else { "" };
    let after = if end < length { LEFT_OUT } else { "" };
    let text = format!("{before}{}{after}", &source[cut..until]);
    let place = |at: usize| at.clamp(cut, until) - cut + before.len();
    (text, place(from), place(to))
}

/// Returns the line of the place with the place marked, cut to `width` characters.
#[expect(
    clippy::disallowed_methods,
    reason = "what makes messages has no error to end with"
)]
fn excerpt(
    severity: Severity,
    place: &Location,
    form: MessageForm,
    width: Option<usize>,
) -> String {
    let source = place.source_line.as_str();
    if source.trim().is_empty() {
        return String::new();
    }
    let from = floor(source, place.span.start);
    let to = ceil(source, place.span.end.max(from + 1));
    let room = width.map(|width| width.max(NARROWEST) - place.line.to_string().len() - GUTTER);
    let (fitted, from, to) = fitted(source, (from, to), room.unwrap_or(usize::MAX));
    let source = fitted.as_str();
    let level = match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let snippet = Snippet::source(source)
        .line_start(place.line)
        .annotation(AnnotationKind::Primary.span(from..to));
    let report = &[level.primary_title("").element(snippet)];
    let plain = Renderer::plain().render(report);
    let shown = match form {
        MessageForm::Coloured => Renderer::styled().render(report),
        MessageForm::Plain | MessageForm::Json => plain.clone(),
    };
    let mut text = String::new();
    // The first line is the title, which the message already has before the excerpt.
    for (line, plain) in shown.lines().zip(plain.lines()).skip(1) {
        if plain.trim() != "|" {
            text.push_str(line.trim_end());
            text.push('\n');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::fitted;

    #[test]
    fn long_lines_are_cut_around_the_mark() {
        let line: String = (0..10).map(|digit| digit.to_string().repeat(10)).collect();
        let shown = |from, to, room| {
            let (text, from, to) = fitted(&line, (from, to), room);
            assert!(text.chars().count() <= room, "{text}");
            (text.clone(), text[from..to].to_owned())
        };
        assert_eq!(shown(0, 3, 100).0, line);
        let start = ("00000000001111111111…".to_owned(), "000".to_owned());
        assert_eq!(shown(5, 8, 21), start);
        let middle = ("…4444444445555555555…".to_owned(), "4455".to_owned());
        assert_eq!(shown(48, 52, 22).1, middle.1);
        assert_eq!(shown(48, 52, 21), middle);
        let end = ("…88888888889999999999".to_owned(), "999".to_owned());
        assert_eq!(shown(97, 100, 21), end);
        // A mark wider than the room is cut.
        assert_eq!(shown(30, 90, 21).1, "33333333334444444");
        // A character is never split.
        assert_eq!(
            fitted("ääääääääääääääääääääää", (2, 4), 20)
                .0
                .chars()
                .count(),
            20
        );
    }
}
