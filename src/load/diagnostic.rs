//! Messages about a place in a source text: `FILE:LINE:COLUMN: error: …`, then the line with the
//! place marked.

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

impl Diagnostic {
    /// A message about `span` of `text`, which begins in this line.
    pub(crate) fn new(
        severity: Severity,
        file: &str,
        text: &str,
        (span, line): (Span, usize),
        message: String,
        hint: Option<String>,
    ) -> Diagnostic {
        let start = text[..floor(text, span.start as usize)]
            .rfind('\n')
            .map_or(0, |newline| newline + 1);
        let column = line_column(&text[start..], span.start as usize - start).1;
        let mut rendered = format!("{file}:{line}:{column}: {}: {message}\n", severity.word());
        rendered.push_str(&excerpt(severity, text, span, line));
        if let Some(hint) = &hint {
            rendered.push_str("  help: ");
            rendered.push_str(hint);
            rendered.push('\n');
        }
        let file = file.to_owned();
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

/// The line of the place with the place marked.
fn excerpt(severity: Severity, text: &str, span: Span, line: usize) -> String {
    let at = floor(text, span.start as usize);
    let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let end = text[at..]
        .find('\n')
        .map_or(text.len(), |newline| at + newline);
    let source = &text[start..end];
    if source.len() > MAX_LINE || source.trim().is_empty() {
        return String::new();
    }
    let from = at - start;
    let mut to = (span.end as usize).clamp(at, end) - start;
    while !source.is_char_boundary(to) {
        to += 1;
    }
    let to = to.max((from + 1).min(source.len()));
    let level = match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let snippet = Snippet::source(source)
        .line_start(line)
        .annotation(AnnotationKind::Primary.span(from..to));
    let report = &[level.primary_title("").element(snippet)];
    let shown = Renderer::plain().render(report);
    // The first line is the title, which stands before the excerpt already.
    let lines: Vec<&str> = shown
        .lines()
        .skip(1)
        .filter(|line| line.trim() != "|")
        .collect();
    lines
        .iter()
        .map(|line| format!("{}\n", line.trim_end()))
        .collect()
}
