//! Where queries come from: a terminal with line editing, or a file or pipe that the program that
//! the queries run reads from too.

use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{Config, Editor};
use std::io::IsTerminal;
use std::path::PathBuf;
use wamlet::{Engine, Error};

const PROMPT: &str = "?- ";
const CONTINUATION: &str = "|    ";
const HISTORY_LINES: usize = 1000;

/// Is the standard input a terminal?
pub(crate) fn is_terminal() -> bool {
    std::io::stdin().is_terminal()
}

/// What the user wants after an answer.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(crate) enum Wish {
    /// The next one.
    Next,
    /// No more.
    Stop,
}

/// A source of queries.
pub(crate) enum Input {
    /// A terminal.
    Terminal(Box<Terminal>),
    /// The standard input of the engine.
    Stream,
}

/// A terminal with line editing.
pub(crate) struct Terminal {
    editor: Editor<(), FileHistory>,
    history: Option<PathBuf>,
    /// Text typed after the last query.
    rest: String,
}

/// The next query and the line of `user_input` where it begins.
pub(crate) struct QueryText {
    /// The text with its full stop, unless the input ended before it.
    pub(crate) text: String,
    /// The line, from 1.
    pub(crate) line: usize,
}

impl Input {
    /// The standard input.
    pub(crate) fn new() -> Input {
        if !is_terminal() {
            return Input::Stream;
        }
        let config = Config::builder().max_history_size(HISTORY_LINES);
        let Ok(config) = config else {
            return Input::Stream;
        };
        let config = config.auto_add_history(false).build();
        let Ok(mut editor) = Editor::with_history(config, FileHistory::new()) else {
            return Input::Stream;
        };
        let history = history_file();
        if let Some(path) = &history {
            // A first session has none.
            let _ = editor.load_history(path);
        }
        Input::Terminal(Box::new(Terminal {
            editor,
            history,
            rest: String::new(),
        }))
    }

    /// Is it a terminal?
    pub(crate) fn is_terminal(&self) -> bool {
        matches!(self, Input::Terminal(_))
    }

    /// The next query. `None` at the end of the input.
    pub(crate) fn query(&mut self, engine: &mut Engine) -> Result<Option<QueryText>, Error> {
        match self {
            Input::Terminal(terminal) => Ok(terminal.query(engine)),
            Input::Stream => {
                // Wishes for more answers than there are.
                while engine
                    .peek_input_line()?
                    .is_some_and(|line| line.trim() == ";")
                {
                    engine.read_input_line()?;
                }
                let line = usize::try_from(engine.input_line()).unwrap_or(1);
                let text = engine.read_input_clause()?;
                Ok(text.map(|text| QueryText { text, line }))
            }
        }
    }

    /// Asks whether another answer is wanted.
    pub(crate) fn wish(&mut self, engine: &mut Engine) -> Result<Wish, Error> {
        if self.is_terminal() {
            return Ok(match engine.read_key() {
                Some(';' | ' ' | '\t' | 'n' | 'r') => Wish::Next,
                _ => Wish::Stop,
            });
        }
        let line = engine.peek_input_line()?;
        match line.as_deref().map(str::trim) {
            Some(";") => {
                engine.read_input_line()?;
                Ok(Wish::Next)
            }
            Some("" | ".") => {
                engine.read_input_line()?;
                Ok(Wish::Stop)
            }
            // The next query, or the end of the input.
            _ => Ok(Wish::Stop),
        }
    }
}

impl Terminal {
    fn query(&mut self, engine: &mut Engine) -> Option<QueryText> {
        let mut text = std::mem::take(&mut self.rest);
        loop {
            if let Some(end) = engine.clause_end(&text) {
                self.rest = text.split_off(end).trim_start().to_owned();
                self.remember(text.trim());
                return Some(QueryText { text, line: 1 });
            }
            let prompt = if text.trim().is_empty() {
                PROMPT
            } else {
                CONTINUATION
            };
            match self.editor.readline(prompt) {
                Ok(line) if text.trim().is_empty() && line.trim().is_empty() => {}
                Ok(line) => {
                    text.push_str(&line);
                    text.push('\n');
                }
                // What was typed so far is given up.
                Err(ReadlineError::Interrupted) => text.clear(),
                Err(_) => return None,
            }
        }
    }

    fn remember(&mut self, query: &str) {
        let line = query
            .split('\n')
            .map(str::trim)
            .collect::<Vec<_>>()
            .join(" ");
        // Without history the prompt is still a prompt.
        let _ = self.editor.add_history_entry(line);
        if let Some(path) = &self.history {
            if let Some(folder) = path.parent() {
                let _ = std::fs::create_dir_all(folder);
            }
            let _ = self.editor.save_history(path);
        }
    }
}

/// The file that keeps the queries of former sessions.
fn history_file() -> Option<PathBuf> {
    let folder = |name: &str| {
        std::env::var_os(name)
            .map(PathBuf::from)
            .filter(|folder| folder.is_absolute())
    };
    let state = folder("XDG_STATE_HOME")
        .or_else(|| folder("LOCALAPPDATA"))
        .or_else(|| Some(folder("HOME")?.join(".local").join("state")))?;
    Some(state.join("wamlet").join("history"))
}
