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

/// Reads the lines that a person types at the prompts of a session.
pub trait LineEditor: Send {
    /// The next line, asked for with this prompt.
    fn line(&mut self, prompt: &str) -> Line;

    /// Keeps a query in the history.
    fn remember(&mut self, query: &str);
}
