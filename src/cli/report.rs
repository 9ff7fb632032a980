//! Errors and warnings on the standard error output, for people or for programs.

use super::status::{BROKEN, exit_code};
use super::style;
use std::process::ExitCode;
use wamlet::{Engine, Error, ErrorKind, Location, Message, MessageForm, MessageKind, Severity};

/// The place of a query's text.
#[derive(Copy, Clone)]
pub(crate) struct Place<'a> {
    /// The name to show.
    pub(crate) name: &'a str,
    /// The line where the text begins, from 1.
    pub(crate) line: usize,
}

impl Place<'_> {
    /// Returns the first line of the text with this name.
    pub(crate) const fn start(name: &str) -> Place<'_> {
        Place { name, line: 1 }
    }
}

/// Returns the form of messages: JSON on request, colours for terminals only.
pub(crate) fn form(json: bool) -> MessageForm {
    match json {
        true => MessageForm::Json,
        false if style::on_errors() => MessageForm::Coloured,
        false => MessageForm::Plain,
    }
}

/// Shows an error of a query, of a file, or of a goal given on the command line (`what`).
pub(crate) fn error(engine: &mut Engine, error: &Error, what: Option<&str>, place: Place<'_>) {
    if *error.kind() == ErrorKind::Interrupted && engine.message_form() != MessageForm::Json {
        return say(engine, "% Execution aborted\n");
    }
    let message = engine.message_of(error, what, (place.name, place.line));
    engine.show_message(&message);
}

/// Returns the name of the file whose load ended with this error, if the error is a limit. Messages about
/// limits do not name the file themselves.
pub(crate) fn ended_load<'a>(error: &Error, file: &'a str) -> Option<&'a str> {
    let limit = matches!(
        error.kind(),
        ErrorKind::TimeLimit | ErrorKind::InferenceLimit | ErrorKind::Resource
    );
    limit.then_some(file)
}

/// Shows an error (`is_error`) or a failure of a directive in a file.
pub(crate) fn directive(engine: &mut Engine, location: &Location, is_error: bool, message: &str) {
    let (severity, kind) = match is_error {
        true => (Severity::Error, MessageKind::Exception),
        false => (Severity::Warning, MessageKind::Failure),
    };
    show(engine, severity, kind, Some(location.clone()), message);
}

fn show(
    engine: &mut Engine,
    severity: Severity,
    kind: MessageKind,
    location: Option<Location>,
    text: &str,
) {
    let message = Message::new(severity, kind, text);
    engine.show_message(&match location {
        Some(location) => message.at(location),
        None => message,
    });
}

/// Shows an error without a place.
pub(crate) fn plain_error(engine: &mut Engine, message: &str) {
    show(engine, Severity::Error, MessageKind::Other, None, message);
}

/// Shows that a goal that should succeed has failed.
pub(crate) fn failure(engine: &mut Engine, message: &str) {
    show(
        engine,
        Severity::Warning,
        MessageKind::Failure,
        None,
        message,
    );
}

/// Shows a warning.
pub(crate) fn warning(engine: &mut Engine, message: &str) {
    show(engine, Severity::Warning, MessageKind::Other, None, message);
}

/// Writes a text to the standard error output, after everything that the program wrote.
pub(crate) fn say(engine: &mut Engine, text: &str) {
    // The output of the program comes first, on its own lines.
    if engine.output_column() > 0 {
        let _ = engine.write_output("\n");
    }
    // An error of the standard error output cannot be reported.
    let _ = engine.flush_output();
    let _ = engine.write_error_output(text);
}

/// Makes an engine print its messages, as JSON or for people.
pub(crate) fn report_as(engine: &mut Engine, json: bool) {
    engine.print_diagnostics(true);
    engine.set_message_form(form(json));
    engine.interrupt_handle().on_ctrl_c();
}

/// Returns what is wrong with a file, without the number of the error.
pub(crate) fn io_text(error: &impl std::fmt::Display) -> String {
    let text = error.to_string();
    let plain = text.find(" (os error").and_then(|end| text.get(..end));
    plain.unwrap_or(&text).to_owned()
}

/// Reports that no engine could be made. Returns the exit status.
pub(crate) fn no_engine(error: &Error) -> ExitCode {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "ERROR: {error}");
    exit_code(BROKEN)
}

/// The place of a goal on the command line.
pub(super) const GOAL: Place<'_> = Place::start("goal");

/// Returns the location of a whole goal on the command line.
pub(super) fn of_goal(goal: &str) -> Location {
    let source_line = goal.lines().next().unwrap_or_default().to_owned();
    Location {
        file: Some(GOAL.name.into()),
        line: GOAL.line,
        column: 1,
        span: 0..source_line.len(),
        source_line,
    }
}

/// Reports an error of a goal on the command line.
pub(super) fn goal_error(engine: &mut Engine, error: &Error, goal: &str) {
    let message = engine.message_of(error, None, (GOAL.name, GOAL.line));
    engine.show_message(&message.at(of_goal(goal)));
}
