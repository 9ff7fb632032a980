//! Keys that come faster than a user types them: text that is pasted in a terminal that does not mark pastes, or that
//! was typed while a query ran.
//!
//! The editor draws the line for each key, at last the whole line, so the time for a long text would grow with the
//! square of its length. [`Keys`] therefore gathers characters while more of them certainly wait, and adds them to the
//! line at once. The system reports the number of bytes that wait in the terminal. The difference between two such
//! numbers is the number of bytes that the editor has read ahead. If these numbers are unknown, [`Pace`] makes the
//! editor add characters without colours.

use rustyline::{
    Cmd, ConditionalEventHandler, Event, EventContext, KeyCode, KeyEvent, Modifiers, Movement,
    RepeatCount,
};
use std::cell::Cell;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use wamlet::{Engine, Language, Lexeme};

/// The end of a line inside an unfinished query, and the beginning of the next line.
const INDENT: &str = "\n     ";
/// Number of keys at the end of the waiting text that are not gathered. The key that ends the text thus finds no
/// gathered keys.
const TAIL: usize = 80;

/// The state that the handler of the editor's keys shares.
#[derive(Clone, Default)]
pub(super) struct Shared(Arc<Mutex<EditorState>>);

/// The requested input and the typed keys.
#[derive(Default)]
pub(super) struct EditorState {
    pub(super) language: Language,
    /// Whether only a full stop ends a text.
    pub(super) whole_queries: bool,
    keys: Keys,
    /// Whether the user has abandoned the line. The keys typed after that are read as far as they are available.
    given_up: bool,
    /// The keys typed after the abandoned line.
    behind: String,
}

/// The state of the waiting keys.
#[derive(Default)]
struct Keys {
    /// Characters that are not yet part of the line.
    gathered: String,
    /// Bytes that wait in the terminal.
    waiting: usize,
    /// Minimum number of bytes that the editor has read ahead.
    ahead: usize,
    /// Whether to accept the line. The key that accepts it was used to add the gathered characters.
    accepts: bool,
    /// The first character of the next line.
    next: Option<char>,
    /// Whether the terminal has marked the beginning of a paste.
    bracketed: bool,
}

impl Shared {
    pub(super) fn new(whole_queries: bool) -> Shared {
        let shared = Shared::default();
        shared.get().whole_queries = whole_queries;
        shared
    }

    pub(super) fn get(&self) -> MutexGuard<'_, EditorState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl EditorState {
    /// Returns whether the text is complete.
    pub(super) fn is_whole(&self, text: &str) -> bool {
        !self.whole_queries || text.trim().is_empty() || self.language.clause_end(text).is_some()
    }

    /// Begins a line. Returns the part of it that was typed together with the last line.
    pub(super) fn begin(&mut self) -> String {
        let next = self.keys.next.take();
        self.keys = Keys::default();
        next.map_or_else(String::new, String::from)
    }

    /// Returns the keys typed after an abandoned line, or `None` if the line was not abandoned.
    pub(super) fn take_given_up(&mut self) -> Option<String> {
        std::mem::take(&mut self.given_up).then(|| std::mem::take(&mut self.behind))
    }

    /// Returns the line end to insert into an unfinished query. `before` is the text before the cursor.
    fn line_end(&self, before: &str) -> &'static str {
        // Blanks would become part of a quoted name or string.
        let last = self.language.lexemes(before).pop();
        let quoted = last
            .is_some_and(|(range, lexeme)| lexeme == Lexeme::Wrong && range.end == before.len());
        if quoted { "\n" } else { INDENT }
    }

    /// Returns the command for a key, or `None` for its usual command.
    fn command(&mut self, key: KeyEvent, line: &str, at: usize) -> Option<Cmd> {
        if self.given_up {
            self.behind.extend(char_of(key));
            return Some(Cmd::Noop);
        }
        let more = self.keys.note(key);
        let idle = self.keys.gathered.is_empty();
        if std::mem::take(&mut self.keys.accepts) {
            self.keys.next = typed(key);
            return Some(Cmd::AcceptLine);
        }
        match key {
            KeyEvent(KeyCode::BracketedPasteStart, _) if !idle => {
                self.keys.bracketed = true;
                Some(Cmd::Noop)
            }
            KeyEvent(KeyCode::BracketedPasteEnd, _) if self.keys.bracketed => {
                self.keys.bracketed = false;
                self.keys.add()
            }
            _ if ends_line(key) => {
                let (before, after) = line.split_at_checked(at).unwrap_or((line, ""));
                let before = format!("{before}{}", self.keys.gathered);
                if self.keys.bracketed {
                    self.keys.gathered.push('\n');
                    return Some(Cmd::Noop);
                }
                if !self.is_whole(&format!("{before}{after}")) {
                    let end = self.line_end(&before);
                    self.keys.gathered.push_str(end);
                    return if idle {
                        self.keys.add()
                    } else {
                        Some(Cmd::Noop)
                    };
                }
                self.keys.accepts = !idle;
                if idle { None } else { self.keys.add() }
            }
            _ => match typed(key).filter(|char| !idle || *char != '\t') {
                Some(char) if more > TAIL || self.keys.bracketed => {
                    self.keys.gathered.push(char);
                    Some(Cmd::Noop)
                }
                Some(char) if !idle => {
                    self.keys.gathered.push(char);
                    self.keys.add()
                }
                // The editor would discard the keys that it has read together with this one.
                None if key == KeyEvent::ctrl('C') => {
                    self.keys.gathered.clear();
                    self.given_up = Engine::stop_waiting_for_keys();
                    self.given_up.then_some(Cmd::Move(Movement::EndOfBuffer))
                }
                None if !idle => self.keys.add(),
                _ => None,
            },
        }
    }
}

impl Keys {
    /// Records that a key was read. Returns the minimum number of bytes that follow.
    fn note(&mut self, key: KeyEvent) -> usize {
        let waiting = Engine::keys_waiting();
        let length = match typed(key) {
            Some(char) => char.len_utf8(),
            None if ends_line(key) => 1,
            // The number of its bytes is unknown.
            None => usize::MAX,
        };
        // The editor reads ahead when it has used all bytes read so far.
        let read = self.waiting.checked_sub(waiting).filter(|&read| read > 0);
        self.ahead = read.unwrap_or(self.ahead).saturating_sub(length);
        self.waiting = waiting;
        waiting + self.ahead
    }

    /// Adds the gathered characters to the line.
    fn add(&mut self) -> Option<Cmd> {
        Some(Cmd::Insert(1, std::mem::take(&mut self.gathered)))
    }
}

fn ends_line(key: KeyEvent) -> bool {
    key == KeyEvent(KeyCode::Enter, Modifiers::NONE) || key == KeyEvent::ctrl('J')
}

/// Returns the character of a key that ends a line or is a reply to a prompt for a single key.
fn char_of(key: KeyEvent) -> Option<char> {
    match key {
        _ if ends_line(key) => Some('\n'),
        _ if key == KeyEvent::ctrl('C') => Some('\u{3}'),
        _ if key == KeyEvent::ctrl('D') => Some('\u{4}'),
        _ => typed(key),
    }
}

/// Returns the character that a key types.
fn typed(key: KeyEvent) -> Option<char> {
    match key {
        KeyEvent(KeyCode::Char(char), Modifiers::NONE) => Some(char),
        KeyEvent(KeyCode::Tab, Modifiers::NONE) => Some('\t'),
        _ => None,
    }
}

impl ConditionalEventHandler for Shared {
    fn handle(
        &self,
        event: &Event,
        count: RepeatCount,
        positive: bool,
        context: &EventContext<'_>,
    ) -> Option<Cmd> {
        let key = event.get(0).copied().filter(|_| count == 1 && positive)?;
        self.get().command(key, context.line(), context.pos())
    }
}

/// Distinguishes keys typed by a user from other characters. For the latter, the line is not drawn in colours.
#[derive(Default)]
pub(super) struct Pace {
    /// The time of the last character.
    last: Cell<Option<Instant>>,
    /// Whether the whole line was drawn since then. The time since the last character then includes the drawing, so it
    /// does not show how soon the next character came.
    drawn: Cell<bool>,
    /// Number of consecutive characters that were drawn in colours.
    in_a_row: Cell<u32>,
    /// Whether the last character was added without colours.
    plain: Cell<bool>,
}

impl Pace {
    /// Minimum time between two keys that a user types.
    const FAST: Duration = Duration::from_millis(4);
    /// After this number of coloured characters in a row, one is added without colours. This shows how soon the next
    /// character comes.
    const ROW: u32 = 16;
    /// Lines longer than this, in bytes, are drawn without colours while characters come fast.
    const LONG: usize = 2000;

    /// Records that a character came. Returns whether to add it without colours.
    pub(super) fn note_char(&self) -> bool {
        let now = Instant::now();
        let since = self.last.replace(Some(now)).map(|last| now - last);
        let soon = since.is_some_and(|time| time < Pace::FAST);
        let drawn = self.drawn.replace(false);
        let in_a_row = self.in_a_row.get();
        let plain = soon || (drawn && (self.plain.get() || in_a_row >= Pace::ROW));
        self.in_a_row.set(if plain { 0 } else { in_a_row + 1 });
        self.plain.set(plain);
        plain
    }

    /// Records that the whole line is being drawn. Returns whether to draw it without colours.
    pub(super) fn note_drawn(&self, bytes: usize) -> bool {
        self.drawn.set(true);
        self.plain.get() && bytes > Pace::LONG
    }

    /// Returns whether the end of the line was drawn without colours. From now on the line is drawn in colours.
    pub(super) fn end(&self) -> bool {
        self.plain.take()
    }
}
