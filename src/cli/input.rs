//! Where queries come from: a terminal with line editing, or a file or pipe that the program that
//! the queries run reads from too.

use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{Config, Editor};
use std::io::IsTerminal;
use std::path::PathBuf;
use wamlet::{Engine, Error, Line, LineEditor};

const PROMPT: &str = "?- ";
const CONTINUATION: &str = "|    ";
const HISTORY_LINES: usize = 1000;
/// The files that keep the queries of former sessions of Prolog and of Lolli.
const HISTORY: &str = "history";
pub(crate) const LOLLI_HISTORY: &str = "lolli_history";

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
    lines: Lines,
    /// Text typed after the last query.
    rest: String,
}

/// The lines that are typed at a terminal, with a history that a file keeps.
pub(crate) struct Lines {
    editor: Editor<(), FileHistory>,
    history: Option<PathBuf>,
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
        match Lines::new(HISTORY) {
            Some(lines) => Input::Terminal(Box::new(Terminal {
                lines,
                rest: String::new(),
            })),
            None => Input::Stream,
        }
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
            return wish_of_keys(engine);
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

/// What `h` tells.
const KEYS: &str = "\n; n r SPACE TAB: next answer    . a c q RETURN: no more    h ?: this help\n";

/// The wish that a key tells. After one that means nothing it is asked again.
fn wish_of_keys(engine: &mut Engine) -> Result<Wish, Error> {
    loop {
        match engine.read_key() {
            Some(';' | ' ' | '\t' | 'n' | 'r') => return Ok(Wish::Next),
            // The interrupt key and the end of the input stop too.
            Some('.' | 'a' | 'c' | 'q' | '\n' | '\r' | '\u{3}' | '\u{4}') | None => {
                return Ok(Wish::Stop);
            }
            Some('h' | '?') => engine.write_output(KEYS)?,
            Some(key) => {
                let key = key.escape_debug();
                engine.write_output(&format!("\nUnknown action: {key} (h for help)\n"))?;
            }
        }
        engine.write_output("Action? ")?;
        engine.flush_output()?;
    }
}

impl Terminal {
    fn query(&mut self, engine: &mut Engine) -> Option<QueryText> {
        let mut text = std::mem::take(&mut self.rest);
        loop {
            if let Some(end) = engine.clause_end(&text) {
                self.rest = text.split_off(end).trim_start().to_owned();
                self.lines.remember(text.trim());
                return Some(QueryText { text, line: 1 });
            }
            let prompt = if text.trim().is_empty() {
                PROMPT
            } else {
                CONTINUATION
            };
            match self.lines.line(prompt) {
                Line::Text(line) if text.trim().is_empty() && line.trim().is_empty() => {}
                Line::Text(line) => {
                    text.push_str(&line);
                    text.push('\n');
                }
                Line::GivenUp => text.clear(),
                Line::End => return None,
            }
        }
    }
}

impl Lines {
    /// Those of the terminal that is the standard input, if it is one. The history is kept in a file
    /// of this name.
    pub(crate) fn new(history: &str) -> Option<Lines> {
        if !is_terminal() {
            return None;
        }
        let config = Config::builder().max_history_size(HISTORY_LINES).ok()?;
        let config = config.auto_add_history(false).build();
        let mut editor = Editor::with_history(config, FileHistory::new()).ok()?;
        let history = history_file(history);
        if let Some(path) = &history {
            // A first session has none.
            let _ = editor.load_history(path);
        }
        Some(Lines { editor, history })
    }
}

impl LineEditor for Lines {
    fn line(&mut self, prompt: &str) -> Line {
        match self.editor.readline(prompt) {
            Ok(line) => Line::Text(line),
            Err(ReadlineError::Interrupted) => Line::GivenUp,
            Err(_) => Line::End,
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
fn history_file(name: &str) -> Option<PathBuf> {
    let folder = |variable: &str| {
        std::env::var_os(variable)
            .map(PathBuf::from)
            .filter(|folder| folder.is_absolute())
    };
    let state = folder("XDG_STATE_HOME")
        .or_else(|| folder("LOCALAPPDATA"))
        .or_else(|| Some(folder("HOME")?.join(".local").join("state")))?;
    Some(state.join("wamlet").join(name))
}
