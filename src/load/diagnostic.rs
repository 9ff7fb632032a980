//! Messages about a place in a source text: `FILE:LINE:COLUMN: error: …`, then the line with the
//! place marked.

use crate::base::grow::Gather;
use crate::base::source::{Span, line_column};
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

/// How serious a message is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Severity {
    /// The clause or directive has no effect.
    Error,
    /// It has, but is probably not what was meant.
    Warning,
}

impl Severity {
    /// The word in messages.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        }
    }
}

/// A message about a place.
#[derive(Clone, Debug)]
pub(crate) struct Diagnostic {
    /// How serious it is.
    pub(crate) severity: Severity,
    /// File, or name of the text.
    pub(crate) file: String,
    /// Line, from 1.
    pub(crate) line: usize,
    /// Column in characters, from 1.
    pub(crate) column: usize,
    /// What is wrong.
    pub(crate) message: String,
    /// How to mend it.
    pub(crate) hint: Option<String>,
    /// The whole message, as it is shown.
    pub(crate) rendered: String,
}

/// Longer lines are not shown.
const MAX_LINE: usize = 300;

/// A place in a source text, with what is shown of it. It outlives the text.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// File, or name of the text.
    pub(crate) file: String,
    /// Line, from 1.
    pub(crate) line: usize,
    /// Column in characters, from 1.
    pub(crate) column: usize,
    /// The line, without its end; empty if it is too long to be shown.
    pub(crate) source_line: String,
    /// The place, in bytes of the line.
    pub(crate) from: usize,
    /// Its end, in bytes of the line.
    pub(crate) to: usize,
}

impl Place {
    /// `span` of `text`, which begins in this line.
    pub(crate) fn new(file: &str, text: &str, span: Span, line: usize) -> Place {
        let at = floor(text, span.start as usize);
        let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
        let end = text[at..]
            .find('\n')
            .map_or(text.len(), |newline| at + newline);
        let column = line_column(&text[start..end], at - start).1;
        let shown = end - start <= MAX_LINE;
        Place {
            file: file.to_owned(),
            line,
            column,
            source_line: text[if shown { start..end } else { at..at }].to_owned(),
            from: at - start,
            // A text that changed since it was read may have other characters there.
            to: ceil(text, (span.end as usize).clamp(at, end)) - start,
        }
    }
}

impl Place {
    /// The place alone, for who has told what is wrong there.
    pub(crate) fn shown(&self) -> String {
        let Place {
            file, line, column, ..
        } = self;
        let excerpt = excerpt(Severity::Error, self);
        format!("raised at {file}:{line}:{column}\n{excerpt}")
    }
}

impl Diagnostic {
    /// Makes an error of a warning.
    pub(crate) fn promote(&mut self) {
        if self.severity == Severity::Error {
            return;
        }
        let (warning, error) = (self.severity.word(), Severity::Error.word());
        let head = format!("{}:{}:{}: ", self.file, self.line, self.column);
        if let Some(rest) = self.rendered.strip_prefix(&format!("{head}{warning}")) {
            self.rendered = format!("{head}{error}{rest}");
        }
        self.severity = Severity::Error;
    }

    /// A message about `span` of `text`, which begins in this line.
    pub(crate) fn new(
        severity: Severity,
        file: &str,
        text: &str,
        (span, line): (Span, usize),
        message: String,
        hint: Option<String>,
    ) -> Diagnostic {
        let place = Place::new(file, text, span, line);
        Diagnostic::at(severity, place, message, hint)
    }

    /// A message about a place.
    pub(crate) fn at(
        severity: Severity,
        place: Place,
        message: String,
        hint: Option<String>,
    ) -> Diagnostic {
        let excerpt = excerpt(severity, &place);
        let Place {
            file, line, column, ..
        } = place;
        let mut rendered = format!("{file}:{line}:{column}: {}: {message}\n", severity.word());
        rendered.push_str(&excerpt);
        if let Some(hint) = &hint {
            rendered.push_str("  help: ");
            rendered.push_str(hint);
            rendered.push('\n');
        }
        Diagnostic {
            severity,
            file,
            line,
            column,
            message,
            hint,
            rendered,
        }
    }
}

/// The last boundary of characters at or before a place.
fn floor(text: &str, place: usize) -> usize {
    let mut at = place.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The first place between characters from `place` on.
fn ceil(text: &str, place: usize) -> usize {
    let mut at = place.min(text.len());
    while !text.is_char_boundary(at) {
        at += 1;
    }
    at
}

/// The line of the place with the place marked.
fn excerpt(severity: Severity, place: &Place) -> String {
    let source = place.source_line.as_str();
    if source.trim().is_empty() {
        return String::new();
    }
    let from = floor(source, place.from);
    let to = ceil(source, place.to.max(from + 1));
    let level = match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let snippet = Snippet::source(source)
        .line_start(place.line)
        .annotation(AnnotationKind::Primary.span(from..to));
    let report = &[level.primary_title("").element(snippet)];
    let shown = Renderer::plain().render(report);
    // The first line is the title, which stands before the excerpt already.
    let lines: Vec<&str> = shown
        .lines()
        .skip(1)
        .filter(|line| line.trim() != "|")
        .gather();
    lines
        .iter()
        .map(|line| format!("{}\n", line.trim_end()))
        .collect()
}
