//! Line editing. A query is one text of one or more lines. The editor has a history in a file, colours, bracket
//! matching and completion of names.

use super::pasting::{Pace, Shared};
use super::{keys, style};
use rustyline::completion::{Completer, FilenameCompleter, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{CompletionType, Config, Context, Editor, Event, EventHandler, Helper};
use std::borrow::Cow;
use std::cell::RefCell;
use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use wamlet::{Engine, Language, Lexeme, Line, LineEditor, QueryEditor, Wish};

const HISTORY_LINES: usize = 1000;
/// Predicates whose first argument is a file.
const OF_FILES: [&str; 7] = [
    "consult",
    "load_files",
    "ensure_loaded",
    "use_module",
    "include",
    "edit",
    "lolli_load",
];
/// The character shown in place of the blank at the beginning of a further line of a query.
const MARK: &str = "|";

/// The style of matching brackets.
const MATCHING: &str = "\x1b[1;4m";

/// The lines that a user types at a terminal, with a history in a file.
pub(crate) struct Lines {
    editor: Editor<Typing, FileHistory>,
    /// Text typed or pasted after the last text that was taken.
    rest: String,
    /// Keys that were read after an abandoned line.
    typed: String,
    history: Option<PathBuf>,
    /// Whether the editor has shown the keys for answers.
    hinted: bool,
    /// Whether the terminal can only show lines. It then edits them itself.
    plain: bool,
}

/// The helper for typing a query.
struct Typing {
    asked: Shared,
    colours: bool,
    files: FilenameCompleter,
    pace: Pace,
    /// The engine whose names are completed. A line that a program reads finds an engine without programs here,
    /// because the program's own engine is running.
    engine: RefCell<Engine>,
}

impl Lines {
    /// Returns the line editor for the terminal at the standard input, if there is one. `history` is the name of the
    /// history file. With `whole_queries`, a text can span several lines up to a full stop.
    pub(crate) fn new(history: &str, whole_queries: bool) -> Option<Lines> {
        if !super::prompt::is_terminal() {
            return None;
        }
        let config = Config::builder().max_history_size(HISTORY_LINES).ok()?;
        let config = config
            .auto_add_history(false)
            .completion_type(CompletionType::List)
            .build();
        let mut editor = Editor::with_history(config, FileHistory::new()).ok()?;
        let asked = Shared::new(whole_queries);
        let keys = EventHandler::Conditional(Box::new(asked.clone()));
        editor.bind_sequence(Event::Any, keys);
        editor.set_helper(Some(Typing {
            asked,
            colours: style::on_output(),
            files: FilenameCompleter::new(),
            pace: Pace::default(),
            engine: RefCell::new(Engine::new().ok()?),
        }));
        let history = history_file(history);
        if let Some(path) = &history {
            // A first session has no history.
            let _ = editor.load_history(path);
        }
        let plain = Engine::keys_come_in_lines();
        Some(Lines {
            editor,
            rest: String::new(),
            typed: String::new(),
            history,
            hinted: false,
            plain,
        })
    }

    /// Returns a line of the keys that were read already, if they end a line.
    fn typed_line(&mut self, prompt: &str) -> Option<Line> {
        let end = self.typed.find(['\n', '\u{3}', '\u{4}'])?;
        let mut line: String = self.typed.drain(..=end).collect();
        let key = line.pop();
        let mut out = io::stdout();
        let shown = writeln!(out, "{prompt}{line}").and_then(|()| out.flush());
        // The user has typed the line, even if it cannot be shown.
        shown.unwrap_or_default();
        Some(match key {
            Some('\n') => Line::Text(line),
            Some('\u{3}') => Line::GivenUp,
            _ => Line::End,
        })
    }

    /// Sets the language of the text that is typed from now on.
    fn set_language(&mut self, language: Language) {
        if let Some(typing) = self.editor.helper() {
            typing.asked.get().language = language;
        }
    }

    /// Reads a line, with completion of the names in the engine's program. The names are collected on demand.
    fn line_about(&mut self, engine: &mut Engine, prompt: &str) -> Line {
        self.exchange(engine);
        let line = self.line(prompt);
        self.exchange(engine);
        line
    }

    /// Swaps the engine whose names are completed with `engine`.
    fn exchange(&mut self, engine: &mut Engine) {
        if let Some(typing) = self.editor.helper_mut() {
            std::mem::swap(typing.engine.get_mut(), engine);
        }
    }

    /// Sets whether a text can span several lines up to a full stop. Returns the previous setting.
    fn set_whole_queries(&mut self, whole: bool) -> bool {
        let typing = self.editor.helper();
        typing.is_some_and(|typing| std::mem::replace(&mut typing.asked.get().whole_queries, whole))
    }
}

impl LineEditor for Lines {
    fn line(&mut self, prompt: &str) -> Line {
        if self.plain {
            return plain_line(prompt);
        }
        let begun = self
            .editor
            .helper()
            .map(|typing| typing.asked.get().begin());
        if let Some(line) = self.typed_line(prompt) {
            return line;
        }
        let begun = begun.unwrap_or_default() + &std::mem::take(&mut self.typed);
        let line = self.editor.readline_with_initial(prompt, (&begun, ""));
        let asked = self.editor.helper().map(|typing| &typing.asked);
        if let Some(typed) = asked.and_then(|asked| asked.get().take_given_up()) {
            self.typed = typed;
            return Line::GivenUp;
        }
        match line {
            Ok(line) => Line::Text(line),
            Err(ReadlineError::Interrupted) => Line::GivenUp,
            Err(_) => Line::End,
        }
    }

    fn line_after(&mut self, before: &str, prompt: &str) -> Line {
        match self.plain {
            true => plain_line(prompt),
            false => self.line(&format!("{before}{prompt}")),
        }
    }

    fn typed_key(&mut self) -> Option<char> {
        let key = self.typed.chars().next()?;
        self.typed.drain(..key.len_utf8());
        Some(key)
    }

    fn remember(&mut self, query: &str) {
        // The prompt also works without a history.
        let _ = self.editor.add_history_entry(query.trim());
        if let Some(path) = &self.history {
            if let Some(folder) = path.parent() {
                let _ = std::fs::create_dir_all(folder);
            }
            // Other sessions add to the same file.
            let _ = self.editor.append_history(path);
        }
    }

    fn hint(&mut self, room: Option<usize>) -> Option<[String; 2]> {
        let hint = if self.hinted { None } else { keys::hint(room) };
        self.hinted |= hint.is_some();
        hint
    }

    fn wish(&mut self, key: char) -> Wish {
        keys::wish(key)
    }
}

/// Reads a line from a terminal that edits lines itself. The interrupt key is a signal there, which ends the wait.
fn plain_line(prompt: &str) -> Line {
    let mut out = io::stdout();
    // The user can type even if the prompt cannot be shown.
    let _ = out.write_all(prompt.as_bytes()).and_then(|()| out.flush());
    let mut typed = Vec::new();
    let mut input = io::stdin().lock();
    loop {
        let used = match input.fill_buf() {
            Ok([]) if typed.is_empty() => {
                let _ = out.write_all(b"\n");
                return Line::End;
            }
            Ok([]) => break,
            Ok(bytes) => {
                let end = bytes.iter().position(|&byte| byte == b'\n');
                typed.extend_from_slice(&bytes[..end.unwrap_or(bytes.len())]);
                end.map_or((bytes.len(), false), |end| (end + 1, true))
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {
                let _ = out.write_all(b"\n");
                return Line::GivenUp;
            }
            Err(_) => return Line::End,
        };
        input.consume(used.0);
        if used.1 {
            break;
        }
    }
    Line::Text(String::from_utf8_lossy(&typed).into_owned())
}

/// The lines of a terminal, for the prompt and for its program.
#[derive(Clone)]
pub(crate) struct SharedLines(Arc<Mutex<Lines>>);

impl SharedLines {
    /// Returns shared lines: see [`Lines::new`].
    pub(crate) fn new(history: &str, whole_queries: bool) -> Option<SharedLines> {
        let lines = Lines::new(history, whole_queries)?;
        Some(SharedLines(Arc::new(Mutex::new(lines))))
    }

    /// Returns the lines, locked for other users.
    pub(crate) fn get(&self) -> MutexGuard<'_, Lines> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The user at the terminal. The line editor is made when it is first needed.
pub(crate) struct Typist {
    /// The name of the history file.
    history: &'static str,
    lines: Option<SharedLines>,
}

impl Typist {
    pub(crate) fn new(history: &'static str) -> Typist {
        Typist {
            history,
            lines: None,
        }
    }

    /// Runs work with the lines, if there are any.
    fn done<T>(&self, work: impl FnOnce(&mut Lines) -> T) -> Option<T> {
        self.lines.as_ref().map(|lines| work(&mut lines.get()))
    }
}

impl LineEditor for Typist {
    fn line(&mut self, prompt: &str) -> Line {
        self.done(|lines| lines.line(prompt)).unwrap_or(Line::End)
    }

    fn remember(&mut self, query: &str) {
        self.done(|lines| lines.remember(query));
    }

    fn hint(&mut self, room: Option<usize>) -> Option<[String; 2]> {
        self.done(|lines| lines.hint(room)).flatten()
    }

    fn wish(&mut self, key: char) -> Wish {
        keys::wish(key)
    }
}

impl QueryEditor for Typist {
    fn line_about(&mut self, engine: &mut Engine, prompt: &str, whole: bool) -> Line {
        if self.lines.is_none() {
            self.lines = SharedLines::new(self.history, whole);
            if let Some(lines) = &self.lines {
                engine.set_input_editor(ProgramLines(lines.clone()));
            }
        }
        // The editor completes file names relative to the directory of the process.
        if let Ok(directory) = engine.working_directory() {
            let _ = std::env::set_current_dir(directory);
        }
        let asked = |lines: &mut Lines| {
            lines.set_language(engine.lexical_language());
            lines.set_whole_queries(whole);
            lines.line_about(engine, prompt)
        };
        self.done(asked).unwrap_or_else(|| plain_line(prompt))
    }

    fn exchange_rest(&mut self, rest: String) -> String {
        let exchanged = |lines: &mut Lines| std::mem::replace(&mut lines.rest, rest);
        self.done(exchanged).unwrap_or_default()
    }
}

/// The lines that a program reads. The text after its query comes first.
pub(crate) struct ProgramLines(pub(crate) SharedLines);

impl LineEditor for ProgramLines {
    fn line(&mut self, prompt: &str) -> Line {
        self.line_after("", prompt)
    }

    fn line_after(&mut self, before: &str, prompt: &str) -> Line {
        let mut lines = self.0.get();
        if !lines.rest.is_empty() {
            let end = lines.rest.find('\n');
            let line = lines.rest[..end.unwrap_or(lines.rest.len())].to_owned();
            lines.rest.drain(..end.map_or(line.len(), |end| end + 1));
            return Line::Text(line);
        }
        let whole = lines.set_whole_queries(false);
        let line = lines.line_after(before, prompt);
        lines.set_whole_queries(whole);
        line
    }

    fn typed_key(&mut self) -> Option<char> {
        self.0.get().typed_key()
    }

    fn remember(&mut self, _: &str) {}
}

impl Helper for Typing {}

impl Hinter for Typing {
    type Hint = String;
}

impl Validator for Typing {
    fn validate(&self, typed: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        Ok(match self.asked.get().is_whole(typed.input()) {
            // A message, even an empty one, makes the editor draw the line again.
            true => ValidationResult::Valid(self.pace.end().then(String::new)),
            false => ValidationResult::Incomplete,
        })
    }
}

impl Highlighter for Typing {
    fn highlight<'l>(&self, line: &'l str, pos: usize) -> Cow<'l, str> {
        let mark = format!("\n{}", style::styled(MARK, style::DIM, self.colours));
        if self.pace.note_drawn(line.len()) || !self.colours {
            return Cow::Owned(line.replace("\n ", &mark));
        }
        let language = &self.asked.get().language;
        let brackets = language.brackets(line, pos);
        let matching = |at: usize| {
            brackets.is_some_and(|(one, other)| other.is_some() && (at == one || other == Some(at)))
        };
        let mut shown = String::with_capacity(2 * line.len());
        let mut done = 0;
        for (range, lexeme) in language.lexemes(line) {
            shown.push_str(&line[done..range.start]);
            done = range.end;
            let text = &line[range.clone()];
            match lexeme.colour() {
                _ if matching(range.start) => shown.push_str(&style::styled(text, MATCHING, true)),
                // The editor paints lines one by one, so a style ends with its line.
                Some(colour) => {
                    let lines: Vec<String> = text
                        .split('\n')
                        .map(|part| style::styled(part, colour, true))
                        .collect();
                    shown.push_str(&lines.join("\n"));
                }
                None => shown.push_str(text),
            }
        }
        shown.push_str(&line[done..]);
        Cow::Owned(shown.replace("\n ", &mark))
    }

    fn highlight_char(&self, _line: &str, _pos: usize, kind: CmdKind) -> bool {
        match kind {
            CmdKind::Other => self.colours && !self.pace.note_char(),
            CmdKind::MoveCursor | CmdKind::ForcedRefresh => {
                self.pace.end();
                self.colours
            }
        }
    }
}

impl Completer for Typing {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        pos: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        let before = line.get(..pos).unwrap_or(line);
        let language = self.engine.borrow_mut().language();
        let pieces = language.lexemes(before);
        let unfinished = pieces
            .last()
            .is_some_and(|(range, lexeme)| *lexeme == Lexeme::Wrong && range.end == before.len());
        let completions = language.completions(line, pos);
        if unfinished && completions.names.is_empty() {
            return self.files.complete_path(line, pos);
        }
        let mut names = completions.names;
        if names_file(before, &pieces) {
            let programs = programs(&before[completions.range.clone()]);
            if !programs.is_empty() {
                names = programs;
            }
        }
        let pairs = names.into_iter().map(|name| Pair {
            display: name.clone(),
            replacement: name,
        });
        Ok((completions.range.start, pairs.collect()))
    }
}

/// Returns whether the last part of the text is the beginning of a program's name.
fn names_file(text: &str, pieces: &[(std::ops::Range<usize>, Lexeme)]) -> bool {
    match pieces {
        [(open, _), _] => &text[open.clone()] == "[",
        [.., (name, Lexeme::Functor), (open, _), _] if &text[open.clone()] == "(" => {
            OF_FILES.contains(&&text[name.clone()])
        }
        _ => false,
    }
}

/// Returns the programs in the working directory whose names have this beginning, without endings.
fn programs(beginning: &str) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(".") else {
        return Vec::new();
    };
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.starts_with(beginning))
        .filter_map(|name| {
            let stem = wamlet::OPTIONAL_ENDINGS
                .iter()
                .find_map(|end| name.strip_suffix(end))?;
            let plain = stem.starts_with(|first: char| first.is_ascii_lowercase())
                && stem.chars().all(|c| c.is_alphanumeric() || c == '_');
            // Lolli's files keep their ending: a name without an ending denotes a Prolog file.
            Some(match plain && name.ends_with(".pl") {
                true => stem.to_owned(),
                false => format!("'{name}'"),
            })
        })
        .collect();
    names.sort_unstable();
    names
}

/// Returns the history file for queries of earlier sessions.
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
