//! Errors and warnings for people, on the standard error output.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use wamlet::{Engine, Error, ErrorKind, Location, Term};

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
        None => say(engine, &format!("ERROR: {message}\n")),
    }
    if let Some(hint) = error.hint() {
        say(engine, &format!("  help: {hint}\n"));
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

/// Shows a warning.
pub(crate) fn warning(engine: &mut Engine, message: &str) {
    say(engine, &format!("Warning: {message}\n"));
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
    let word = if level == Level::ERROR {
        "error"
    } else {
        "warning"
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
    let shown = Renderer::plain().render(report);
    // The first line is an empty title.
    for line in shown.lines().skip(1).filter(|line| line.trim() != "|") {
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}
