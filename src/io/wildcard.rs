//! Patterns for names of files, as in a shell: `?` stands for a character, `*` for any number of them, `[a-z_]` for
//! one of a set, `{a,b}` for one of several patterns. `\` removes the meaning of the character after it.

use crate::base::growth::{Grow, filled};
use crate::base::stop::Stop;
use crate::base::watch::{STEPS, Watch};

/// The reason why a text is no pattern.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum PatternError {
    /// The bracket that is not closed.
    Unmatched(char),
    /// Nothing follows the last backslash.
    EndsInEscape,
    /// There is no room for it.
    NoMemory,
}

impl From<Stop> for PatternError {
    fn from(_: Stop) -> PatternError {
        PatternError::NoMemory
    }
}

/// One part of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    /// A character that matches itself.
    Char(char),
    /// Any character.
    Any,
    /// Any number of characters.
    Star,
    /// A character of one of these ranges.
    Set(Vec<(char, char)>),
    /// The beginnings of alternative patterns. Each continues at the end of all.
    Choice(Vec<usize>),
    /// The pattern continues at this place.
    Jump(usize),
}

/// A pattern that was read.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    parts: Vec<Part>,
}

impl Pattern {
    /// Reads a pattern.
    pub(crate) fn parse(text: &str) -> Result<Pattern, PatternError> {
        let mut parts = Vec::new();
        // For each open brace: its place, the beginnings of its patterns, the jumps to its end.
        let mut open: Vec<(usize, Vec<usize>, Vec<usize>)> = Vec::new();
        let mut chars = text.chars().peekable();
        while let Some(char) = chars.next() {
            match char {
                '?' => parts.put(Part::Any)?,
                '*' => parts.put(Part::Star)?,
                '\\' => parts.put(Part::Char(chars.next().ok_or(PatternError::EndsInEscape)?))?,
                '[' => {
                    let mut set = Vec::new();
                    loop {
                        let mut from = chars.next().ok_or(PatternError::Unmatched('['))?;
                        if from == ']' {
                            break;
                        }
                        if from == '\\' {
                            from = chars.next().ok_or(PatternError::Unmatched('['))?;
                        }
                        let mut ahead = chars.clone();
                        let range = match (ahead.next(), ahead.next()) {
                            (Some('-'), Some(to)) if to != ']' => Some(to),
                            _ => None,
                        };
                        if let Some(to) = range {
                            chars = ahead;
                            set.put((from, to))?;
                        } else {
                            set.put((from, from))?;
                        }
                    }
                    parts.put(Part::Set(set))?;
                }
                '{' => {
                    open.put((parts.len(), vec![parts.len() + 1], Vec::new()))?;
                    parts.put(Part::Choice(Vec::new()))?;
                }
                ',' | '}' if !open.is_empty() => {
                    let Some((place, mut begins, mut jumps)) = open.pop() else {
                        unreachable!("a brace is not closed")
                    };
                    jumps.put(parts.len())?;
                    parts.put(Part::Jump(0))?;
                    if char == ',' {
                        begins.put(parts.len())?;
                        open.put((place, begins, jumps))?;
                    } else {
                        let end = parts.len();
                        for jump in jumps {
                            parts[jump] = Part::Jump(end);
                        }
                        parts[place] = Part::Choice(begins);
                    }
                }
                char => parts.put(Part::Char(char))?,
            }
        }
        if open.is_empty() {
            Ok(Pattern { parts })
        } else {
            Err(PatternError::Unmatched('{'))
        }
    }

    /// Returns whether the whole text matches. All ways to read the pattern are followed at once, so the time is at
    /// most the product of both lengths. In a pattern without alternatives only the ways from the last star on are
    /// followed, because an earlier star can match nothing more.
    pub(crate) fn matches(&self, text: &str, fold: bool, watch: &Watch) -> Result<bool, Stop> {
        let choices = self
            .parts
            .iter()
            .any(|part| matches!(part, Part::Choice(_)));
        let mut places = Places {
            parts: &self.parts,
            reached: filled(0, self.parts.len() + 1)?,
            todo: Vec::new(),
        };
        let (mut here, mut next) = (Vec::new(), Vec::new());
        places.reach(&mut here, 0, 1)?;
        let mut steps = 0;
        for (nth, char) in text.chars().enumerate() {
            let mark = nth + 2;
            let is_star = |&place: &usize| matches!(self.parts.get(place), Some(Part::Star));
            let last_star = here.iter().copied().filter(is_star).max();
            for &place in &here {
                steps += 1;
                if !choices && last_star.is_some_and(|star| place < star) {
                    continue;
                }
                match &self.parts.get(place) {
                    Some(Part::Star) => places.reach(&mut next, place, mark)?,
                    Some(Part::Any) => places.reach(&mut next, place + 1, mark)?,
                    Some(Part::Char(wanted)) if same(*wanted, char, fold) => {
                        places.reach(&mut next, place + 1, mark)?;
                    }
                    Some(Part::Set(set)) => {
                        steps += set.len();
                        if in_set(set, char, fold) {
                            places.reach(&mut next, place + 1, mark)?;
                        }
                    }
                    _ => {}
                }
                if steps >= STEPS {
                    watch.go_on_after(steps)?;
                    steps = 0;
                }
            }
            if next.is_empty() {
                return Ok(false);
            }
            std::mem::swap(&mut here, &mut next);
            next.clear();
        }
        Ok(here.contains(&self.parts.len()))
    }
}

/// Places of a pattern on the way through a text.
struct Places<'p> {
    parts: &'p [Part],
    /// The last mark with which each place was reached.
    reached: Vec<usize>,
    todo: Vec<usize>,
}

impl Places<'_> {
    /// Adds a place and those reached from it without a character, except those already reached with this mark.
    fn reach(&mut self, found: &mut Vec<usize>, place: usize, mark: usize) -> Result<(), Stop> {
        self.todo.put(place)?;
        while let Some(place) = self.todo.pop() {
            if std::mem::replace(&mut self.reached[place], mark) == mark {
                continue;
            }
            match self.parts.get(place) {
                Some(Part::Star) => {
                    found.put(place)?;
                    self.todo.put(place + 1)?;
                }
                Some(Part::Choice(begins)) => self.todo.put_all(begins.iter().copied())?,
                Some(Part::Jump(to)) => self.todo.put(*to)?,
                _ => found.put(place)?,
            }
        }
        Ok(())
    }
}

fn same(one: char, other: char, fold: bool) -> bool {
    one == other || (fold && one.to_lowercase().eq(other.to_lowercase()))
}

fn in_set(set: &[(char, char)], char: char, fold: bool) -> bool {
    let holds = |char: char| set.iter().any(|&(from, to)| (from..=to).contains(&char));
    holds(char) || (fold && (char.to_lowercase().any(holds) || char.to_uppercase().any(holds)))
}

/// Returns whether the text contains characters with a meaning in patterns.
pub(crate) fn is_pattern(text: &str) -> bool {
    text.contains(['?', '*', '[', '{'])
}
