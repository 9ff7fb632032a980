//! Messages of the system: their form, and messages of the host in the same form.

use super::engine::Engine;
use super::error::{Error, ErrorKind, Frame, Location};
use crate::source::diagnostic::{Diagnostic, MessageForm, MessageKind, Severity};
use crate::source::loading::Loader;
use crate::source::report::show;

/// A message of a host, which the engine shows like its own messages.
#[derive(Clone, Debug)]
pub struct Message(pub(crate) Diagnostic);

impl Message {
    /// Returns a message with this severity, about something of this kind.
    pub fn new(severity: Severity, kind: MessageKind, text: impl Into<String>) -> Message {
        Message(Diagnostic {
            kind,
            ..Diagnostic::without_place(severity, text.into())
        })
    }

    /// Adds a location to the message.
    #[must_use]
    pub fn at(mut self, location: Location) -> Message {
        self.0.place = Some(location);
        self
    }

    /// Adds an exception to the message, as `writeq/1` writes it.
    #[must_use]
    pub fn with_term(mut self, term: impl Into<String>) -> Message {
        self.0.term = Some(term.into());
        self
    }
}

impl Engine {
    /// Returns the message about an error of a query. If the error has no location, the message begins with
    /// `what`, a name of the query. A location in the text of the query becomes one in the file `name`,
    /// where the query begins at line `line`.
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
            // A location already identifies the query.
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

    /// Sets the form in which the engine shows its messages on the standard error output. It applies to the
    /// messages of [`Engine::print_diagnostics`], and JSON also to those of `print_message/2`. The default
    /// is plain text.
    pub fn set_message_form(&mut self, form: MessageForm) {
        self.machine.world.layers.of::<Loader>().form = form;
    }

    /// Sets whether the standard output of the engine shows colours, which `listing/1` then uses. The
    /// default is `false`.
    pub fn colour_output(&mut self, wanted: bool) {
        self.machine.world.layers.of::<Loader>().coloured_output = wanted;
    }

    /// Shows a message on the standard error output of the engine, after everything that the program wrote.
    pub fn show_message(&mut self, message: &Message) {
        // An output error cannot be reported here.
        if self.output_column() > 0 {
            let _ = self.write_output("\n");
        }
        let _ = self.flush_output();
        show(&mut self.machine, &message.0);
    }

    /// Returns the form in which the engine shows its messages.
    pub fn message_form(&mut self) -> MessageForm {
        self.machine.world.layers.of::<Loader>().form
    }
}
