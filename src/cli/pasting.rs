//! Keys that come faster than a person types: of a text that is pasted where the terminal does not say so, or that
//! waited while a query ran.
//!
//! The editor draws the line for each key, at last all of it, so a long text would take the square of its length.
//! [`Keys`] gathers characters as long as further ones certainly wait, and adds them to the line at once. How many wait
//! in the terminal the system tells; how many the editor has read ahead, the difference between two such numbers.
//! Where that is not known, [`Pace`] has characters added without colours.

use rustyline::{
    Cmd, ConditionalEventHandler, Event, EventContext, KeyCode, KeyEvent, Modifiers, Movement,
    RepeatCount,
};
use std::cell::Cell;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use wamlet::{Engine, Language, Lexeme};

/// The end of a line of a query that goes on, with what the next line begins with.
const INDENT: &str = "\n     ";
/// So many keys at the end of what waits are not gathered, so that what ends the text finds nothing gathered.
const TAIL: usize = 80;

/// What is shared with the editor's keys.
#[derive(Clone, Default)]
pub(super) struct Shared(Arc<Mutex<Asked>>);

/// What is asked for, and typed.
#[derive(Default)]
pub(super) struct Asked {
    pub(super) language: Language,
    /// Does a text end only with a full stop?
    pub(super) whole_queries: bool,
    keys: Keys,
    /// The line was given up; the keys that were typed behind that are read as far as they are there.
    given_up: bool,
    /// These keys.
    behind: String,
}

/// What is known of the keys that wait.
#[derive(Default)]
struct Keys {
    /// Characters that are not yet of the line.
    gathered: String,
    /// Bytes that wait in the terminal.
    waiting: usize,
    /// Bytes that the editor has read ahead, at least.
    ahead: usize,
    /// Is the line to be accepted? The key for that was used to add what was gathered.
    accepts: bool,
    /// The first character of the next line.
    next: Option<char>,
    /// Does the terminal say that a text is being pasted?
    bracketed: bool,
}

impl Shared {
    pub(super) fn new(whole_queries: bool) -> Shared {
        let shared = Shared::default();
        shared.get().whole_queries = whole_queries;
        shared
    }

    pub(super) fn get(&self) -> MutexGuard<'_, Asked> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Asked {
    /// Is this text whole?
    pub(super) fn is_whole(&self, text: &str) -> bool {
        !self.whole_queries || text.trim().is_empty() || self.language.clause_end(text).is_some()
    }

    /// A line is asked for: what of it was typed with the last one.
    pub(super) fn begin(&mut self) -> String {
        let next = self.keys.next.take();
        self.keys = Keys::default();
        next.map_or_else(String::new, String::from)
    }

    /// Was the line given up? Then what was typed behind that.
    pub(super) fn take_given_up(&mut self) -> Option<String> {
        std::mem::take(&mut self.given_up).then(|| std::mem::take(&mut self.behind))
    }

    /// What ends the line of an unfinished query, of which this stands before the cursor.
    fn line_end(&self, before: &str) -> &'static str {
        // Blanks would be characters of a name or string.
        let last = self.language.lexemes(before).pop();
        let quoted = last
            .is_some_and(|(range, lexeme)| lexeme == Lexeme::Wrong && range.end == before.len());
        if quoted { "\n" } else { INDENT }
    }

    /// What a key does; nothing if it does what it usually does.
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
                // The editor would forget the keys that it has read together with this one.
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
    /// A key has been read. Gives how many bytes follow, at least.
    fn note(&mut self, key: KeyEvent) -> usize {
        let waiting = Engine::keys_waiting();
        let length = match typed(key) {
            Some(char) => char.len_utf8(),
            None if ends_line(key) => 1,
            // What it is made of is not known.
            None => usize::MAX,
        };
        // The editor reads ahead when nothing is left of what it has read.
        let read = self.waiting.checked_sub(waiting).filter(|&read| read > 0);
        self.ahead = read.unwrap_or(self.ahead).saturating_sub(length);
        self.waiting = waiting;
        waiting + self.ahead
    }

    /// Adds what was gathered to the line.
    fn add(&mut self) -> Option<Cmd> {
        Some(Cmd::Insert(1, std::mem::take(&mut self.gathered)))
    }
}

fn ends_line(key: KeyEvent) -> bool {
    key == KeyEvent(KeyCode::Enter, Modifiers::NONE) || key == KeyEvent::ctrl('J')
}

/// The character of a key that means something where a single key is asked for, or ends a line.
fn char_of(key: KeyEvent) -> Option<char> {
    match key {
        _ if ends_line(key) => Some('\n'),
        _ if key == KeyEvent::ctrl('C') => Some('\u{3}'),
        _ if key == KeyEvent::ctrl('D') => Some('\u{4}'),
        _ => typed(key),
    }
}

/// The character that a key types.
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

/// Tells the keys of a person from other characters, for which the line is not drawn in colours.
#[derive(Default)]
pub(super) struct Pace {
    /// When the last character came.
    last: Cell<Option<Instant>>,
    /// Was all drawn since? Then nobody knows how long the next one was waited for.
    drawn: Cell<bool>,
    /// So many characters in a row had all drawn.
    in_a_row: Cell<u32>,
    /// Was the last one added without colours?
    plain: Cell<bool>,
}

impl Pace {
    /// A character that comes sooner is no key of a person's.
    const FAST: Duration = Duration::from_millis(4);
    /// After so many in a row one is only added, to find out how soon the next one comes.
    const ROW: u32 = 16;
    /// Longer lines than that, in bytes, are drawn without colours meanwhile.
    const LONG: usize = 2000;

    /// A character has come: is it to be added without colours?
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

    /// All of the line is drawn: without colours?
    pub(super) fn note_drawn(&self, bytes: usize) -> bool {
        self.drawn.set(true);
        self.plain.get() && bytes > Pace::LONG
    }

    /// The line is drawn in colours from here on: was the end of it without them?
    pub(super) fn end(&self) -> bool {
        self.plain.take()
    }
}
