//! The next clause of a stream as text, up to its full stop. The program can read the rest of the stream after it.

use crate::base::flags::Lexis;
use crate::base::growth::Grow;
use crate::io::allowance::Allowance;
use crate::io::error::IoError;
use crate::io::input::Input;
use crate::text::clause_extent::ClauseExtent;

/// Number of bytes of a clause that are read between two checks of the limit.
const POLL_BYTES: usize = 4096;

/// A clause that is being read from a stream. Reading can be interrupted.
pub(crate) struct InputClause {
    lexis: Lexis,
    /// The prefix of a heading line: a line before the clause that is not part of it.
    heading: Option<&'static str>,
    in_heading: bool,
    extent: ClauseExtent,
    text: String,
    /// A character that was read but not yet processed.
    taken: Option<char>,
    /// The length of the text including the full stop.
    end: Option<usize>,
}

impl InputClause {
    pub(crate) fn new(lexis: Lexis, heading: Option<&'static str>) -> InputClause {
        InputClause {
            lexis,
            heading,
            in_heading: false,
            extent: ClauseExtent::typed(lexis),
            text: String::new(),
            taken: None,
            end: None,
        }
    }

    /// Reads the text up to the next full stop, and the blanks after it on its line. After a temporary error, a
    /// further call continues where this one stopped.
    pub(crate) fn read(&mut self, input: &mut Input, room: Allowance<'_>) -> Result<(), IoError> {
        while self.end.is_none() {
            let Some(char) = (match self.taken {
                Some(char) => Some(char),
                None => input.get_char()?,
            }) else {
                return Ok(());
            };
            self.taken = Some(char);
            let next = input.peek_char()?;
            self.taken = None;
            self.text.put(char)?;
            if self.text.len().is_multiple_of(POLL_BYTES) {
                room(2 * self.text.len())?;
            }
            self.in_heading |= self.heading.is_some_and(|heading| self.text == heading);
            if !self.in_heading {
                self.end = self.extent.push(char, next).then_some(self.text.len());
            } else if char == '\n' {
                self.in_heading = false;
                self.extent = ClauseExtent::typed(self.lexis);
            }
        }
        while let Some(blank @ (' ' | '\t' | '\r' | '\n')) = input.peek_char()? {
            input.get_char()?;
            self.text.put(blank)?;
            if blank == '\n' {
                break;
            }
        }
        Ok(())
    }

    /// Returns the clause up to its full stop. Returns `None` if the stream ended before the clause began. If the
    /// stream ended inside the clause, the text has no full stop.
    pub(crate) fn clause(mut self) -> Option<String> {
        self.text.truncate(self.end.unwrap_or(self.text.len()));
        (self.end.is_some() || self.extent.has_begun()).then_some(self.text)
    }

    /// Returns all text that was read, and whether the stream ended before the full stop.
    pub(crate) fn text(self) -> (String, bool) {
        (self.text, self.end.is_none())
    }
}
