//! Lines that a person types, with the means of the host to edit them.

/// What came of asking for a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// A line, without its end.
    Text(String),
    /// What was typed so far is given up.
    GivenUp,
    /// There are no more.
    End,
}

/// What a person wants after an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wish {
    /// So many more, as far as there are.
    More(u64),
    /// No more.
    Stop,
    /// This answer once more, with nothing left out.
    Again,
    /// One more, and the goals of the way there.
    Traced,
    /// To know what left the choice that makes others possible.
    Choice,
    /// To read this; then another key is awaited.
    Told(String),
}

/// Reads the lines that a person types at the prompts of a session.
pub trait LineEditor: Send {
    /// The next line, asked for with this prompt. After it, and after what is given up or has ended, the
    /// terminal is at the beginning of a line.
    fn line(&mut self, prompt: &str) -> Line;

    /// The same where a program has written `before` already, right in front of the prompt: an editor that
    /// clears the line shows it again.
    fn line_after(&mut self, before: &str, prompt: &str) -> Line {
        let _ = before;
        self.line(prompt)
    }

    /// A key that the editor has read already, behind a line that was given up.
    fn typed_key(&mut self) -> Option<char> {
        None
    }

    /// Keeps a query in the history.
    fn remember(&mut self, query: &str);

    /// What is shown after an answer until a key is typed, and what takes that off the screen again. The line
    /// of the terminal has room for so many characters, if that is known.
    fn hint(&mut self, room: Option<usize>) -> Option<[String; 2]> {
        let _ = room;
        None
    }

    /// What the key means that was typed after an answer.
    fn wish(&mut self, key: char) -> Wish {
        match key {
            ';' | ' ' | '\t' | 'n' | 'r' => Wish::More(1),
            _ => Wish::Stop,
        }
    }
}
