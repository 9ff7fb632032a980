//! The output of a prompt: answers on the standard output, messages on the standard error output.

use super::engine::Engine;
use super::error::{Error, ErrorKind, Location};
use super::message::Message;
use super::query_language::{PromptPosition, QueryText};
use crate::base::growth::text_of;
use crate::source::diagnostic::{MessageForm, MessageKind, Severity};
use crate::source::loading::Loader;

/// The name of the input in messages.
pub(super) const USER_INPUT_NAME: &str = "user_input";

/// The codes for dim text on a terminal, and for its end.
const DIM: [&str; 2] = ["\x1b[2m", "\x1b[0m"];

impl Engine {
    /// Shows an answer. Starts a new line first if the language requires that.
    pub(super) fn show(&mut self, at: PromptPosition, text: &str) -> Result<(), Error> {
        match at.language.manner().begins_lines {
            true => self.show_line(text),
            false => self.write_output(text),
        }
    }

    fn show_line(&mut self, text: &str) -> Result<(), Error> {
        self.end_answer("\n")?;
        self.write_output(text)
    }

    pub(super) fn show_again(&mut self, text: &str) -> Result<(), Error> {
        self.show_line(text)?;
        self.flush_output()
    }

    /// Writes the text that ends an answer, unless the user has already ended the line.
    pub(super) fn end_answer(&mut self, text: &str) -> Result<(), Error> {
        match self.output_column() > 0 {
            true => self.write_output(text),
            false => Ok(()),
        }
    }

    /// Writes a text to the standard error output, after everything that the program wrote.
    pub(super) fn say(&mut self, text: &str) {
        // The output of the program comes first, on its own lines. An output error cannot be reported here.
        let _ = self.end_answer("\n");
        let _ = self.flush_output();
        let _ = self.write_error_output(text);
        let _ = self.flush_output();
    }

    /// Shows an error of the host itself.
    pub(super) fn report(&mut self, kind: MessageKind, location: Option<Location>, text: &str) {
        let message = Message::new(Severity::Error, kind, text);
        self.show_message(&match location {
            Some(location) => message.at(location),
            None => message,
        });
    }

    /// Shows the error that has ended a query, with its location in the typed text, even if the system read
    /// another text.
    pub(super) fn report_error(&mut self, error: &Error, query: Option<&QueryText>) {
        if *error.kind() == ErrorKind::Interrupted && self.message_form() != MessageForm::Json {
            return self.say("% Execution aborted\n");
        }
        let first = query.map_or(1, |query| query.line);
        let message = self.message_of(error, None, (USER_INPUT_NAME, first));
        let location = error.location().filter(|location| location.file.is_none());
        let typed = |location: &Location| {
            let lines = query?.text.lines();
            let line = lines.into_iter().nth(location.line.checked_sub(1)?)?;
            (location.source_line != line).then(|| text_of(line).ok())?
        };
        let message = match location.and_then(|location| Some((location, typed(location)?))) {
            Some((location, source_line)) => message.at(Location {
                file: Some(USER_INPUT_NAME.into()),
                line: location.line + first - 1,
                source_line,
                ..location.clone()
            }),
            None => message,
        };
        self.show_message(&message);
    }

    /// Prints once how to see the whole of a last answer that is abbreviated, since no key shows it then.
    pub(super) fn hint_at_full_answer(&mut self, text: &str) -> Result<(), Error> {
        let language = self.lexical_language();
        if let Some(name) = self.prompt().values.abbreviated(&language, text)
            && self.is_edited()
            && !std::mem::replace(&mut self.prompt().explained_more, true)
        {
            let hint = format!("% In full: print(${name}).");
            let coloured = self.machine.world.layers.of::<Loader>().coloured_output;
            return self.write_output(&format!("{}\n", dimmed(&hint, coloured)));
        }
        Ok(())
    }

    /// Prints the inferences and the time of a query, if the host wants that.
    pub(super) fn print_usage(&mut self) {
        if !self.prompt().times {
            return;
        }
        let present = &self.prompt().query;
        let seconds = present.time.as_secs_f64();
        let text = format!("{} inferences, {seconds:.3} seconds", present.inferences);
        match self.message_form() {
            MessageForm::Json => {
                let message = Message::new(Severity::Note, MessageKind::Other, text);
                self.show_message(&message);
            }
            form => {
                let dim = form == MessageForm::Coloured;
                self.say(&format!("{}\n", dimmed(&format!("% {text}"), dim)));
            }
        }
    }
}

/// Returns the text in dim style if `wanted` is true.
fn dimmed(text: &str, wanted: bool) -> String {
    let [begin, end] = if wanted { DIM } else { [""; 2] };
    format!("{begin}{text}{end}")
}
