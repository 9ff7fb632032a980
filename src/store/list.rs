//! Lists: their shape, their elements, and lists that are text.
#![forbid(unsafe_code)]

use super::cell::{Cell, WORD, tag};
use super::heap::{Store, View, deref};
use super::raw;
use crate::base::atom_table::{Symbols, atoms};
use crate::base::growth::{Grow, reserve, reserve_text};
use crate::base::stop::Stop;
use crate::base::watch;

/// The shape of a term as a list.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum ListShape {
    /// A list with this number of elements.
    Proper(usize),
    /// A list with this number of elements whose tail is a variable.
    Partial(usize, Cell),
    /// This number of elements, followed by a tail that is neither a list nor a variable.
    NotList(usize, Cell),
    /// A cyclic list.
    Cyclic,
}

/// The kind of elements of a list that is text.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum TextKind {
    /// Character codes. The empty list counts here.
    Codes,
    /// One-character atoms.
    Chars,
}

/// The reason why a list is no text.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum TextProblem {
    /// The list, its tail or an element is a variable.
    Unbound,
    /// The term is not a list; the culprit is the whole term.
    NotList(Cell),
    /// The element is neither a code nor a character. Or it is one of these, but the first element is of the other
    /// kind.
    NotCharacter(Cell),
    /// The integer is not a character code.
    NotCode(Cell),
    /// The work was stopped before the result was known.
    Stopped,
}

impl From<Stop> for TextProblem {
    fn from(_: Stop) -> TextProblem {
        TextProblem::Stopped
    }
}

impl Store {
    /// Returns the shape and the length of `term` as a list.
    ///
    /// # Errors
    /// Returns an error if the work must stop.
    pub(crate) fn list_length(&self, term: Cell) -> Result<ListShape, Stop> {
        let mut cell = deref(term);
        let mut length = 0;
        // The landmark moves up at each power of two (Brent), so a cycle leads back to it.
        let mut landmark = cell;
        let mut next_landmark = 1 << 10;
        let (mut looked, mut stop) = (0, next_landmark);
        while cell.tag() == tag::LST {
            cell = deref(raw::cell(cell.addr() + WORD));
            length += 1;
            if cell == landmark {
                return Ok(ListShape::Cyclic);
            }
            if length == stop {
                if length == next_landmark {
                    landmark = cell;
                    next_landmark *= 2;
                }
                stop = next_landmark.min(length + watch::STEPS);
                self.events.watch.go_on_after(length - looked)?;
                looked = length;
            }
        }
        Ok(if cell == Cell::atom(atoms::NIL) {
            ListShape::Proper(length)
        } else if cell.is_var() {
            ListShape::Partial(length, cell)
        } else {
            ListShape::NotList(length, cell)
        })
    }

    /// Adds the elements of a list to `items`, dereferenced. Of a partial list, or of one with another term at its
    /// end, these are the elements before that end; of a cyclic list, none.
    ///
    /// # Errors
    /// Returns an error if there is no room or the work must stop.
    pub(crate) fn list_items(&self, term: Cell, items: &mut Vec<Cell>) -> Result<ListShape, Stop> {
        let shape = self.list_length(term)?;
        let length = match shape {
            ListShape::Proper(length)
            | ListShape::Partial(length, _)
            | ListShape::NotList(length, _) => length,
            ListShape::Cyclic => return Ok(shape),
        };
        reserve(items, length)?;
        let mut cell = deref(term);
        for nth in 0..length {
            self.events.watch.go_on_at(nth)?;
            items.put(self.arg(cell.addr(), 0))?;
            cell = self.arg(cell.addr(), 1);
        }
        Ok(shape)
    }

    /// Adds the text of a list of codes or of characters to `text`.
    pub(crate) fn text_of_list(
        &self,
        term: Cell,
        symbols: &Symbols,
        text: &mut String,
    ) -> Result<TextKind, TextProblem> {
        let length = match self.list_length(term)? {
            ListShape::Proper(length) => length,
            ListShape::Partial(..) => return Err(TextProblem::Unbound),
            ListShape::NotList(..) | ListShape::Cyclic => return Err(TextProblem::NotList(term)),
        };
        reserve_text(text, length)?;
        let mut kind = None;
        let mut cell = deref(term);
        for nth in 0..length {
            self.events.watch.go_on_at(nth)?;
            let item = self.arg(cell.addr(), 0);
            let (item_kind, char) = self.character(item, symbols)?;
            if *kind.get_or_insert(item_kind) != item_kind {
                return Err(TextProblem::NotCharacter(item));
            }
            text.put(char)?;
            cell = self.arg(cell.addr(), 1);
        }
        Ok(kind.unwrap_or(TextKind::Codes))
    }

    fn character(&self, item: Cell, symbols: &Symbols) -> Result<(TextKind, char), TextProblem> {
        match self.view(item) {
            View::Var(_) => Err(TextProblem::Unbound),
            View::Int(code) => u32::try_from(code)
                .ok()
                .and_then(char::from_u32)
                .map(|char| (TextKind::Codes, char))
                .ok_or(TextProblem::NotCode(item)),
            View::Big(_) => Err(TextProblem::NotCode(item)),
            View::Atom(atom) => {
                let mut chars = symbols.text(atom).chars();
                match (chars.next(), chars.next()) {
                    (Some(char), None) => Ok((TextKind::Chars, char)),
                    _ => Err(TextProblem::NotCharacter(item)),
                }
            }
            _ => Err(TextProblem::NotCharacter(item)),
        }
    }

    /// Makes the list of the codes of `text`, ending in `tail`.
    pub(crate) fn code_list(&mut self, text: &str, tail: Cell) -> Result<Cell, Stop> {
        let code = |code: u32| Ok(Cell::int(i64::from(code)));
        if text.is_ascii() {
            let codes = text.bytes().map(|byte| code(u32::from(byte)));
            return self.list_from(text.len(), tail, codes);
        }
        let codes = text.chars().map(|char| code(u32::from(char)));
        self.list_from(text.chars().count(), tail, codes)
    }

    /// Makes the list of the characters of `text`, ending in `tail`.
    pub(crate) fn char_list(
        &mut self,
        text: &str,
        tail: Cell,
        symbols: &mut Symbols,
    ) -> Result<Cell, Stop> {
        let mut char = |char| Ok(Cell::atom(symbols.intern_char(char)?));
        if text.is_ascii() {
            let chars = text.bytes().map(|byte| char(byte.into()));
            return self.list_from(text.len(), tail, chars);
        }
        let count = text.chars().count();
        self.list_from(count, tail, text.chars().map(char))
    }

    /// Makes the list of `count` cells, ending in `tail`.
    fn list_from(
        &mut self,
        count: usize,
        tail: Cell,
        items: impl Iterator<Item = Result<Cell, Stop>>,
    ) -> Result<Cell, Stop> {
        if count == 0 {
            return Ok(tail);
        }
        self.reserve(count * 2)?;
        let addr = self.allocate(count * 2);
        let mut at = addr;
        for (nth, item) in items.enumerate() {
            self.events.watch.go_on_at(nth)?;
            raw::set_cell(at, item?);
            raw::set_cell(at + WORD, Cell::list(at + 2 * WORD));
            at += 2 * WORD;
        }
        raw::set_cell(at - WORD, tail);
        Ok(Cell::list(addr))
    }
}
