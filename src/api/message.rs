//! Messages of the system: how they are shown, and messages that the host shows in the same way.

use super::consult::Severity;
use super::engine::Engine;
use super::error::{Error, ErrorKind, Frame, Location};
use crate::source::diagnostic::{self, Diagnostic, Form, Place};
use crate::source::loading::Loader;
use crate::source::report::show;

/// How messages are shown.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum MessageForm {
    /// As text.
    #[default]
    Plain,
    /// As text with colours of a terminal.
    Coloured,
    /// As an object of JSON on a line of its own.
    Json,
}

impl MessageForm {
    fn form(self) -> Form {
        match self {
            MessageForm::Plain => Form::Plain,
            MessageForm::Coloured => Form::Coloured,
            MessageForm::Json => Form::Json,
        }
    }
}

/// What a message is about.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MessageKind {
    /// The text is no Prolog text.
    Syntax,
    /// An exception that nothing caught.
    Exception,
    /// A goal that ought to succeed failed.
    Failure,
    /// A limit was reached.
    Limit,
    /// The user stopped the query.
    Interrupted,
    /// Anything else.
    Other,
}

impl MessageKind {
    fn kind(self) -> diagnostic::Kind {
        match self {
            MessageKind::Syntax => diagnostic::Kind::Syntax,
            MessageKind::Exception => diagnostic::Kind::Exception,
            MessageKind::Failure => diagnostic::Kind::Failure,
            MessageKind::Limit => diagnostic::Kind::Limit,
            MessageKind::Interrupted => diagnostic::Kind::Interrupted,
            MessageKind::Other => diagnostic::Kind::Other,
        }
    }
}

/// A message that a host shows as the engine shows its own.
#[derive(Clone, Debug)]
pub struct Message {
    severity: Severity,
    kind: MessageKind,
    text: String,
    location: Option<Location>,
    hint: Option<String>,
    term: Option<String>,
    formal: Option<String>,
    backtrace: Vec<Frame>,
}

impl Message {
    /// A message of this severity about something of this kind, in words.
    pub fn new(severity: Severity, kind: MessageKind, text: impl Into<String>) -> Message {
        Message {
            severity,
            kind,
            text: text.into(),
            location: None,
            hint: None,
            term: None,
            formal: None,
            backtrace: Vec::new(),
        }
    }

    /// The same about a place.
    #[must_use]
    pub fn at(mut self, location: Location) -> Message {
        self.location = Some(location);
        self
    }

    /// The same about an exception, as `writeq/1` writes it.
    #[must_use]
    pub fn with_term(mut self, term: impl Into<String>) -> Message {
        self.term = Some(term.into());
        self
    }

    /// What the loader knows as a message.
    #[expect(
        clippy::disallowed_methods,
        reason = "the public interface fixes a signature without errors"
    )]
    pub(crate) fn diagnostic(&self) -> Diagnostic {
        let severity = match self.severity {
            Severity::Error => diagnostic::Severity::Error,
            Severity::Warning => diagnostic::Severity::Warning,
            Severity::Note => diagnostic::Severity::Note,
        };
        let place = self.location.as_ref().map(|location| Place {
            file: location.file.as_deref().unwrap_or_default().to_owned(),
            line: location.line,
            column: location.column,
            source_line: location.source_line.clone(),
            from: location.span.start,
            to: location.span.end,
        });
        let callers = self.backtrace.iter().map(Frame::waiting);
        Diagnostic {
            severity,
            kind: self.kind.kind(),
            place,
            message: self.text.clone(),
            warning: None,
            hint: self.hint.clone(),
            term: self.term.clone(),
            formal: self.formal.clone(),
            callers: callers.collect(),
        }
    }
}

impl Engine {
    /// What there is to tell of an error of a query. `what` names the query if the error tells of no place;
    /// a place in the text of the query is one of `name`, whose text begins in line `line`.
    #[expect(
        clippy::disallowed_methods,
        reason = "the public interface fixes a signature without errors"
    )]
    pub fn message_of(
        &mut self,
        error: &Error,
        what: Option<&str>,
        (name, line): (&str, usize),
    ) -> Message {
        let kind = match error.kind() {
            ErrorKind::Syntax => MessageKind::Syntax,
            ErrorKind::Interrupted => MessageKind::Interrupted,
            ErrorKind::TimeLimit | ErrorKind::InferenceLimit => MessageKind::Limit,
            ErrorKind::Resource if error.is_memory_limit() => MessageKind::Limit,
            _ if error.ball().is_some() => MessageKind::Exception,
            _ => MessageKind::Other,
        };
        let text = match what {
            // Where there is a place, that says it.
            Some(what) if error.location().is_none() => format!("{what}: {}", error.message()),
            _ => error.message().to_owned(),
        };
        let term = error.ball_text();
        let mut message = Message::new(Severity::Error, kind, text);
        message.hint = self.hint(error);
        message.term = Some(term).filter(|term| !term.is_empty());
        message.formal = error.formal_text().map(str::to_owned);
        message.backtrace = error.backtrace().to_vec();
        message.location = error.location().cloned().map(|mut location| {
            if location.file.is_none() {
                location.file = Some(name.into());
                location.line += line - 1;
            }
            location
        });
        message
    }

    /// How the engine shows its messages on the standard error output from here on: those of
    /// [`Engine::print_diagnostics`], and in JSON those of `print_message/2`, too. At first as text.
    pub fn set_message_form(&mut self, form: MessageForm) {
        self.machine.world.layers.of::<Loader>().form = form.form();
    }

    /// Whether the standard output of the engine shows colours: `listing/1` uses them then. At first it
    /// does not.
    pub fn colour_output(&mut self, wanted: bool) {
        self.machine.world.layers.of::<Loader>().coloured_output = wanted;
    }

    /// Shows a message on the standard error output of the engine, behind all that the program wrote.
    pub fn show_message(&mut self, message: &Message) {
        // Nobody can be told that an output fails.
        if self.output_column() > 0 {
            let _ = self.write_output("\n");
        }
        let _ = self.flush_output();
        show(&mut self.machine, &message.diagnostic());
    }

    /// How the engine shows its messages.
    pub fn message_form(&mut self) -> MessageForm {
        match self.machine.world.layers.of::<Loader>().form {
            Form::Plain => MessageForm::Plain,
            Form::Coloured => MessageForm::Coloured,
            Form::Json => MessageForm::Json,
        }
    }
}
