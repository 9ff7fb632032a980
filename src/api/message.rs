//! Messages of the system: how they are shown, and messages that the host shows in the same way.

use super::engine::Engine;
use super::error::{Error, ErrorKind, Frame, Location};
use crate::source::diagnostic::{Diagnostic, MessageForm, MessageKind, Severity};
use crate::source::loading::Loader;
use crate::source::report::show;

/// A message that a host shows as the engine shows its own.
#[derive(Clone, Debug)]
pub struct Message(pub(crate) Diagnostic);

impl Message {
    /// A message of this severity about something of this kind, in words.
    pub fn new(severity: Severity, kind: MessageKind, text: impl Into<String>) -> Message {
        Message(Diagnostic {
            kind,
            ..Diagnostic::of_text(severity, text.into())
        })
    }

    /// The same about a place.
    #[must_use]
    pub fn at(mut self, location: Location) -> Message {
        self.0.place = Some(location);
        self
    }

    /// The same about an exception, as `writeq/1` writes it.
    #[must_use]
    pub fn with_term(mut self, term: impl Into<String>) -> Message {
        self.0.term = Some(term.into());
        self
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
        message.0.hint = self.hint(error);
        message.0.term = Some(term).filter(|term| !term.is_empty());
        message.0.formal = error.formal_text().map(str::to_owned);
        message.0.callers = error.backtrace().iter().map(Frame::waiting).collect();
        let Some(mut location) = error.location().cloned() else {
            return message;
        };
        if location.file.is_none() {
            location.file = Some(name.into());
            location.line += line - 1;
        }
        message.at(location)
    }

    /// How the engine shows its messages on the standard error output from here on: those of
    /// [`Engine::print_diagnostics`], and in JSON those of `print_message/2`, too. At first as text.
    pub fn set_message_form(&mut self, form: MessageForm) {
        self.machine.world.layers.of::<Loader>().form = form;
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
        show(&mut self.machine, &message.0);
    }

    /// How the engine shows its messages.
    pub fn message_form(&mut self) -> MessageForm {
        self.machine.world.layers.of::<Loader>().form
    }
}
