//! Lines that a person types: the editor of the host, prompts, and the terminal before the input.

use super::line_editor::LineEditor;
use super::stream::{Channel, StreamId};
use super::stream_table::{StreamTable, USER_INPUT, USER_OUTPUT};

impl StreamTable {
    /// Makes an editor supply the lines of the standard input, if that is a terminal. Changes nothing else.
    pub(crate) fn set_input_editor(&mut self, editor: Box<dyn LineEditor>) {
        if let Some(stream) = self.streams.get_mut(&USER_INPUT).filter(|it| it.is_tty())
            && let Ok(input) = stream.input()
        {
            input.set_editor(editor);
            if let Some(stream) = self.streams.get_mut(&USER_OUTPUT).filter(|it| it.is_tty())
                && let Ok(output) = stream.output()
            {
                output.keep_line();
            }
        }
    }

    /// Returns whether the lines of the standard input come from an editor.
    pub(crate) fn input_is_edited(&mut self) -> bool {
        let stream = self.streams.get_mut(&USER_INPUT);
        stream.is_some_and(|stream| stream.input().is_ok_and(|input| input.edited().is_some()))
    }

    /// Returns a key that the editor has already read, if there is one.
    pub(crate) fn typed_key(&mut self) -> Option<char> {
        let input = self.streams.get_mut(&USER_INPUT)?.input().ok()?;
        input.edited()?.typed_key()
    }

    pub(super) fn before_wait(&mut self, id: StreamId) {
        let tty = self.streams.get(&id).is_some_and(|stream| stream.is_tty());
        let next = self.next_prompt.take_if(|_| id == USER_INPUT);
        let prompt = next.as_deref().or(self.prompt.as_deref());
        let prompt = prompt.filter(|_| tty && id == USER_INPUT);
        let prompt = prompt.unwrap_or("").to_owned();
        // Nothing can interrupt the wait for an editor. So do not use it if a limit of time may expire meanwhile.
        let edited = id == USER_INPUT && self.input_is_edited();
        let asks_editor = edited && !self.watch.waits_for_time();
        let mut before = String::new();
        if let Some(stream) = self.streams.get_mut(&USER_OUTPUT)
            && let Ok(output) = stream.output()
        {
            if asks_editor {
                before = output.end_line();
            } else {
                output.show_prompt(&prompt);
            }
        }
        if let Some(stream) = self.streams.get_mut(&USER_INPUT).filter(|_| edited)
            && let Ok(input) = stream.input()
            && let Some(edited) = input.edited()
        {
            edited.ask(asks_editor.then_some((before, prompt)));
        }
    }

    /// Returns the prompt of reads from a terminal (`prompt/2`).
    pub(crate) fn prompt(&self) -> Option<&str> {
        self.prompt.as_deref()
    }

    /// Changes the prompt of reads from a terminal; `None` if the host shows one itself.
    pub(crate) fn set_prompt(&mut self, prompt: Option<String>) {
        self.prompt = prompt;
    }

    /// Changes the prompt of the next read from a terminal alone.
    pub(crate) fn set_next_prompt(&mut self, prompt: String) {
        self.next_prompt = Some(prompt);
    }

    /// Writes the pending output of `user_output` when no operation requires it.
    pub(crate) fn pass_on_output(&mut self) {
        if let Some(stream) = self.get_mut(USER_OUTPUT)
            && let Channel::Output(output) = &mut stream.channel
        {
            output.pass_on();
        }
    }

    /// Notes that a line typed at the terminal has ended the line of the standard output.
    pub(crate) fn line_was_typed(&mut self) {
        if let Some(stream) = self.get_mut(USER_OUTPUT).filter(|it| it.is_tty())
            && let Channel::Output(output) = &mut stream.channel
        {
            output.end_line();
        }
    }
}
