//! Errors and warnings for people, on the standard error output.

use super::style;
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use std::time::Duration;
use wamlet::{Engine, Error, ErrorKind, Location, Term};

/// So many callers are shown of a goal that raised an exception.
const FRAMES: usize = 10;

/// Where the text of a query stands.
#[derive(Copy, Clone)]
pub(crate) struct Place<'a> {
    /// The name to be shown.
    pub(crate) name: &'a str,
    /// The line of its first line, from 1.
    pub(crate) line: usize,
}

/// Shows an error of a query, of a file, or of a goal given on the command line (`what`).
pub(crate) fn error(engine: &mut Engine, error: &Error, what: Option<&str>, place: Place<'_>) {
    if *error.kind() == ErrorKind::Interrupted {
        return say(engine, "% Execution aborted\n");
    }
    let message = match what {
        // Where there is a place, that says it.
        Some(what) if error.location().is_none() => format!("{what}: {}", error.message()),
        _ if is_plain_term(error) => format!("Unhandled exception: {}", error.message()),
        _ => error.message().to_owned(),
    };
    match error.location() {
        Some(location) => {
            let text = located(location, Level::ERROR, &message, place);
            say(engine, &text);
        }
        None => plain_error(engine, &message),
    }
    if let Some(hint) = error.hint() {
        say(engine, &format!("  help: {hint}\n"));
    }
    let frames = error.backtrace();
    for frame in frames.iter().take(FRAMES) {
        say(engine, &format!("  {frame}\n"));
    }
    if frames.len() > FRAMES {
        say(engine, "  and so on\n");
    }
}

/// Was something thrown that is no error term of ISO?
fn is_plain_term(error: &Error) -> bool {
    let is_error = |ball: &Term| {
        ball.as_compound()
            .is_some_and(|ball| ball.name() == "error")
    };
    error.ball().is_some_and(|ball| !is_error(ball))
}

/// Shows an error (`is_error`) or warning about a directive of a file.
pub(crate) fn directive(engine: &mut Engine, location: &Location, is_error: bool, message: &str) {
    let level = if is_error {
        Level::ERROR
    } else {
        Level::WARNING
    };
    let text = located(location, level, message, Place { name: "", line: 1 });
    say(engine, &text);
}

/// Shows an error that has no place.
pub(crate) fn plain_error(engine: &mut Engine, message: &str) {
    let word = style::styled("ERROR:", style::ERROR, style::on_errors());
    say(engine, &format!("{word} {message}\n"));
}

/// Shows what a query took: time on the clock, and inferences.
pub(crate) fn time(engine: &mut Engine, time: Duration, inferences: u64) {
    let seconds = time.as_secs_f64();
    let text = format!("% {inferences} inferences, {seconds:.3} seconds");
    let text = style::styled(&text, style::DIM, style::on_errors());
    say(engine, &format!("{text}\n"));
}

/// Shows a warning.
pub(crate) fn warning(engine: &mut Engine, message: &str) {
    let word = style::styled("Warning:", style::WARNING, style::on_errors());
    say(engine, &format!("{word} {message}\n"));
}

/// Writes a text to the standard error output, behind all that the program wrote.
pub(crate) fn say(engine: &mut Engine, text: &str) {
    // What the program wrote comes first, on lines of its own.
    if engine.output_column() > 0 {
        let _ = engine.write_output("\n");
    }
    // Nobody can be told that the standard error output fails.
    let _ = engine.flush_output();
    let _ = engine.write_error_output(text);
}

/// `NAME:LINE:COLUMN: error: …`, or `warning`, and the line with the place marked.
fn located(location: &Location, level: Level<'_>, message: &str, place: Place<'_>) -> String {
    let (name, line) = match &location.file {
        Some(file) => (&**file, location.line),
        None => (place.name, location.line + place.line - 1),
    };
    let colours = style::on_errors();
    let word = match level == Level::ERROR {
        true => style::styled("error", style::ERROR, colours),
        false => style::styled("warning", style::WARNING, colours),
    };
    let mut text = format!("{name}:{line}:{}: {word}: {message}\n", location.column);
    let source = location.source_line.as_str();
    if source.trim().is_empty() {
        return text;
    }
    let start = location.span.start.min(source.len());
    // One character at least is marked, or the end of the line.
    let first = source.get(start..).and_then(|rest| rest.chars().next());
    let first_end = start + first.map_or(1, char::len_utf8);
    let end = location.span.end.min(source.len()).max(first_end);
    let snippet = Snippet::source(source)
        .line_start(line)
        .annotation(AnnotationKind::Primary.span(start..end));
    let report = &[level.primary_title("").element(snippet)];
    let plain = Renderer::plain().render(report);
    let shown = match colours {
        true => Renderer::styled().render(report),
        false => plain.clone(),
    };
    // The first line is an empty title.
    for (line, plain) in shown.lines().zip(plain.lines()).skip(1) {
        if plain.trim() != "|" {
            text.push_str(line.trim_end());
            text.push('\n');
        }
    }
    text
}
