//! Where queries come from: a terminal with line editing, or a file or pipe that the program that
//! the queries run reads from too.

use super::editor::{ProgramLines, SharedLines};
use super::keys::{self, Wish};
use std::io::IsTerminal;
use wamlet::{Debugging, Engine, Error, Line, LineEditor};

const PROMPT: &str = "?- ";
const SPY_PROMPT: &str = "[debug] ";
const TRACE_PROMPT: &str = "[trace] ";
const CONTINUATION: &str = "|    ";
/// The files that keep the queries of former sessions of Prolog and of Lolli.
const HISTORY: &str = "history";
pub(crate) const LOLLI_HISTORY: &str = "lolli_history";

/// Is the standard input a terminal?
pub(crate) fn is_terminal() -> bool {
    std::io::stdin().is_terminal()
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
    lines: SharedLines,
    /// Has it been asked for keys?
    asked: bool,
    /// Has it been told how to see all of a last answer?
    told: bool,
}

/// What is typed at the prompt.
pub(crate) enum Typed {
    /// A query.
    Query(QueryText),
    /// The interrupt key, while a query is stopped.
    Interrupt,
    /// No more.
    End,
}

/// The next query and the line of `user_input` where it begins.
pub(crate) struct QueryText {
    /// The text with its full stop, unless the input ended before it.
    pub(crate) text: String,
    /// The line, from 1.
    pub(crate) line: usize,
}

impl Input {
    /// The standard input, which programs read from as well.
    pub(crate) fn new(engine: &mut Engine) -> Input {
        match SharedLines::new(HISTORY, true) {
            Some(lines) => {
                engine.set_input_editor(ProgramLines(lines.clone()));
                Input::Terminal(Box::new(Terminal {
                    lines,
                    asked: false,
                    told: false,
                }))
            }
            None => Input::Stream,
        }
    }

    /// Is it a terminal?
    pub(crate) fn is_terminal(&self) -> bool {
        matches!(self, Input::Terminal(_))
    }

    /// Is it to be told how to see all of an answer? Once, to a person.
    pub(crate) fn tells_of_more(&mut self) -> bool {
        match self {
            Input::Terminal(terminal) => !std::mem::replace(&mut terminal.told, true),
            Input::Stream => false,
        }
    }

    /// The next query. `level`: so many others wait for it.
    pub(crate) fn query(&mut self, engine: &mut Engine, level: usize) -> Result<Typed, Error> {
        match self {
            Input::Terminal(terminal) => Ok(terminal.query(engine, level)),
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
                Ok(text.map_or(Typed::End, |text| Typed::Query(QueryText { text, line })))
            }
        }
    }

    /// Asks what is wanted after an answer that others may follow.
    pub(crate) fn wish(&mut self, engine: &mut Engine) -> Result<Wish, Error> {
        if let Input::Terminal(terminal) = self {
            let hint = match terminal.asked {
                true => None,
                false => keys::hint(engine.output_room()),
            };
            terminal.asked |= hint.is_some();
            return keys::wish(engine, hint.as_ref());
        }
        let line = engine.peek_input_line()?;
        match line.as_deref().map(str::trim) {
            Some(";") => {
                engine.read_input_line()?;
                Ok(Wish::More(1))
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
    fn query(&mut self, engine: &mut Engine, level: usize) -> Typed {
        engine.skip_input_blanks();
        let mut lines = self.lines.get();
        let mut text = std::mem::take(&mut lines.rest);
        lines.set_language(engine.lexical_language());
        // The editor completes names of files as the process sees them.
        if let Ok(directory) = engine.working_directory() {
            let _ = std::env::set_current_dir(directory);
        }
        loop {
            if engine.interrupt_handle().halt_wanted() {
                return Typed::End;
            }
            if let Some(end) = engine.clause_end(&text) {
                lines.rest = text.split_off(end).trim_start().to_owned();
                lines.remember(text.trim());
                return Typed::Query(QueryText { text, line: 1 });
            }
            let prompt = if text.trim().is_empty() {
                prompt(engine, level)
            } else {
                CONTINUATION.to_owned()
            };
            // What came when the last query had ended already stops nothing.
            engine.interrupt_handle().clear();
            let line = lines.line_about(engine, &prompt);
            engine.interrupt_handle().clear();
            match line {
                _ if engine.interrupt_handle().halt_wanted() => return Typed::End,
                Line::Text(line) if text.trim().is_empty() && line.trim().is_empty() => {}
                Line::Text(line) => {
                    text.push_str(&line);
                    text.push('\n');
                }
                Line::GivenUp
                    if text.is_empty()
                        && engine.kept_query().is_some_and(|kept| {
                            kept.keep();
                            true
                        }) =>
                {
                    return Typed::Interrupt;
                }
                Line::GivenUp => text.clear(),
                Line::End => return Typed::End,
            }
        }
    }
}

/// What is shown where a query is awaited.
fn prompt(engine: &Engine, level: usize) -> String {
    let debugging = match engine.debugging() {
        Debugging::Tracing => TRACE_PROMPT,
        Debugging::SpyPoints => SPY_PROMPT,
        _ => "",
    };
    let level = match level {
        0 => String::new(),
        level => format!("[{level}] "),
    };
    format!("{debugging}{level}{PROMPT}")
}
