//! The interface for editing the lines that a person types. The host implements it.

/// The result of reading a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// A line, without its end.
    Text(String),
    /// The person has discarded the line typed so far.
    GivenUp,
    /// There are no more lines.
    End,
}

/// The wish of a person after an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wish {
    /// Further answers, at most this number.
    More(u64),
    /// No further answers.
    Stop,
    /// The last answer once more, in full.
    Again,
    /// The next answer, with the goals on the way to it.
    Traced,
    /// A description of the choice point that makes further answers possible.
    Choice,
    /// A text to read. Afterwards another key is read.
    Told(String),
}

/// Reads the lines that a person types at the prompts of a session.
pub trait LineEditor: Send {
    /// Reads the next line after this prompt. When it returns, the terminal must be at the beginning of a line, even
    /// if the line was discarded or the input has ended.
    fn line(&mut self, prompt: &str) -> Line;

    /// Reads the next line after this prompt. A program has already written `before` in front of the prompt. An
    /// editor that clears the line must show it again.
    fn line_after(&mut self, before: &str, prompt: &str) -> Line {
        let _ = before;
        self.line(prompt)
    }

    /// Returns a key that the editor has already read after a discarded line.
    fn typed_key(&mut self) -> Option<char> {
        None
    }

    /// Keeps a query in the history.
    fn remember(&mut self, query: &str);

    /// Returns a text to show after an answer until a key is typed, and the text that removes it from the screen.
    /// `room` is the number of characters that fit into the line of the terminal, if that is known.
    fn hint(&mut self, room: Option<usize>) -> Option<[String; 2]> {
        let _ = room;
        None
    }

    /// Returns the meaning of a key typed after an answer.
    fn wish(&mut self, key: char) -> Wish {
        match key {
            ';' | ' ' | '\t' | 'n' | 'r' => Wish::More(1),
            _ => Wish::Stop,
        }
    }
}
