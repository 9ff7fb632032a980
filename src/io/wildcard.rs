//! Patterns for names of files, as a shell has them: `?` stands for a character, `*` for any number
//! of them, `[a-z_]` for one of a set, `{a,b}` for one of several patterns; `\` takes the meaning
//! off the character after it.

/// Why a text is no pattern.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum PatternError {
    /// This bracket is not closed.
    Unmatched(char),
    /// Nothing follows the last backslash.
    EndsInEscape,
}

/// One part of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    /// This character.
    Char(char),
    /// Any character.
    Any,
    /// Any number of characters.
    Star,
    /// A character of one of these ranges.
    Set(Vec<(char, char)>),
    /// Here one of these patterns begins; each goes on at the end of all.
    Choice(Vec<usize>),
    /// The pattern goes on at this place.
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
                '?' => parts.push(Part::Any),
                '*' => parts.push(Part::Star),
                '\\' => parts.push(Part::Char(chars.next().ok_or(PatternError::EndsInEscape)?)),
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
                            set.push((from, to));
                        } else {
                            set.push((from, from));
                        }
                    }
                    parts.push(Part::Set(set));
                }
                '{' => {
                    open.push((parts.len(), vec![parts.len() + 1], Vec::new()));
                    parts.push(Part::Choice(Vec::new()));
                }
                ',' | '}' if !open.is_empty() => {
                    let Some((place, mut begins, mut jumps)) = open.pop() else {
                        unreachable!("a brace is open")
                    };
                    jumps.push(parts.len());
                    parts.push(Part::Jump(0));
                    if char == ',' {
                        begins.push(parts.len());
                        open.push((place, begins, jumps));
                    } else {
                        let end = parts.len();
                        for jump in jumps {
                            parts[jump] = Part::Jump(end);
                        }
                        parts[place] = Part::Choice(begins);
                    }
                }
                char => parts.push(Part::Char(char)),
            }
        }
        if open.is_empty() {
            Ok(Pattern { parts })
        } else {
            Err(PatternError::Unmatched('{'))
        }
    }

    /// Does the whole text fit? All ways to read the pattern are followed at once, so the time is
    /// the product of both lengths at most.
    pub(crate) fn matches(&self, text: &str, fold: bool) -> bool {
        let mut here = vec![false; self.parts.len() + 1];
        self.reach(&mut here, 0);
        for char in text.chars() {
            let mut next = vec![false; self.parts.len() + 1];
            for (place, part) in self.parts.iter().enumerate() {
                if !here[place] {
                    continue;
                }
                match part {
                    Part::Star => self.reach(&mut next, place),
                    Part::Any => self.reach(&mut next, place + 1),
                    Part::Char(wanted) if same(*wanted, char, fold) => {
                        self.reach(&mut next, place + 1);
                    }
                    Part::Set(set) if in_set(set, char, fold) => self.reach(&mut next, place + 1),
                    _ => {}
                }
            }
            here = next;
        }
        here[self.parts.len()]
    }

    /// Marks a place, and those that are reached from it without a character.
    fn reach(&self, marked: &mut [bool], place: usize) {
        let mut todo = vec![place];
        while let Some(place) = todo.pop() {
            if std::mem::replace(&mut marked[place], true) {
                continue;
            }
            match self.parts.get(place) {
                Some(Part::Star) => todo.push(place + 1),
                Some(Part::Choice(begins)) => todo.extend(begins),
                Some(Part::Jump(to)) => todo.push(*to),
                _ => {}
            }
        }
    }
}

fn same(one: char, other: char, fold: bool) -> bool {
    one == other || (fold && one.to_lowercase().eq(other.to_lowercase()))
}

fn in_set(set: &[(char, char)], char: char, fold: bool) -> bool {
    let holds = |char: char| set.iter().any(|&(from, to)| (from..=to).contains(&char));
    holds(char) || (fold && (char.to_lowercase().any(holds) || char.to_uppercase().any(holds)))
}

/// Does the text contain what stands for other text?
pub(crate) fn is_pattern(text: &str) -> bool {
    text.contains(['?', '*', '[', '{'])
}
