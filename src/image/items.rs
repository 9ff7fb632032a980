//! The clauses and directives of a file in an image. Each item begins with a byte for its kind and
//! with its place in the text. Parts of the place are left out if they have the expected value:
//!
//! ```text
//!   kind of the item, and flags
//!   [unless SAME_MODULE] the module that it stands in: 0 for the one that is loaded into, or the
//!                        number of an atom and 1
//!   the bytes from the beginning of the item before to that of this one, with a sign; its length
//!   the lines from that of the item before, with a sign
//!   [unless FIRST_COLUMN] its column, from 1
//!   the term
//! ```

use super::bytes::{Damaged, Input, put_number, put_signed};
use super::terms::Names;
use crate::base::atom_table::Atom;
use crate::base::growth::Grow;
use crate::base::source::Span;
use crate::base::stop::Stop;

/// The kind of an item.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The end of the items.
    End = 0,
    /// A fact: the head of a clause.
    Fact = 1,
    /// Any other clause. Its code may be made later.
    Rule = 2,
    /// Any other clause whose code depends on the state at the time of loading.
    PresentRule = 3,
    /// A directive.
    Directive = 4,
}

const KINDS: [Kind; 5] = [
    Kind::End,
    Kind::Fact,
    Kind::Rule,
    Kind::PresentRule,
    Kind::Directive,
];
const KIND_MASK: u8 = 7;
const SAME_MODULE: u8 = 8;
const FIRST_COLUMN: u8 = 16;

/// The place of an item.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ItemPlace {
    /// The span in the text.
    pub(super) span: Span,
    /// The line, from 1.
    pub(super) line: u32,
    /// The column, from 1.
    pub(super) column: u32,
}

/// The place of the previous item, and its module. `None` denotes the module that the image is loaded
/// into.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct Before {
    place: ItemPlace,
    module: Option<Atom>,
}

impl Before {
    /// Writes the data that precede the term of an item. `number` is the number of its module.
    pub(super) fn write(
        &mut self,
        kind: Kind,
        (module, number): (Option<Atom>, u64),
        place: ItemPlace,
        out: &mut Vec<u8>,
    ) -> Result<(), Stop> {
        let mut first = kind as u8;
        if module == self.module {
            first |= SAME_MODULE;
        }
        if place.column == 1 {
            first |= FIRST_COLUMN;
        }
        out.put(first)?;
        if module != self.module {
            put_number(out, module.map_or(0, |_| number + 1))?;
        }
        let before = self.place;
        put_signed(
            out,
            i64::from(place.span.start) - i64::from(before.span.start),
        )?;
        put_number(
            out,
            u64::from(place.span.end.saturating_sub(place.span.start)),
        )?;
        put_signed(out, i64::from(place.line) - i64::from(before.line))?;
        if place.column != 1 {
            put_number(out, u64::from(place.column))?;
        }
        *self = Before { place, module };
        Ok(())
    }

    /// Reads the data that precede the term of an item: its kind, module and place.
    pub(super) fn read(
        &mut self,
        names: &Names,
        input: &mut Input<'_>,
    ) -> Result<(Kind, Option<Atom>, ItemPlace), Damaged> {
        let first = input.byte()?;
        let kind = KINDS.get(usize::from(first & KIND_MASK));
        let Some(&kind) = kind.filter(|_| first < 2 * FIRST_COLUMN) else {
            return Err(input.damaged("unknown kind of clause"));
        };
        if kind == Kind::End {
            return Ok((kind, None, self.place));
        }
        if first & SAME_MODULE == 0 {
            self.module = names.atom_or_none(input)?;
        }
        let before = self.place;
        let start = moved(before.span.start, input.signed()?);
        let length = input.number()?;
        let end = start.and_then(|start| moved(start, i64::try_from(length).ok()?));
        let line = moved(before.line, input.signed()?);
        let column = match first & FIRST_COLUMN {
            0 => u32::try_from(input.number()?).ok(),
            _ => Some(1),
        };
        let (Some(start), Some(end), Some(line), Some(column)) = (start, end, line, column) else {
            return Err(input.damaged("a place belongs to no text"));
        };
        self.place = ItemPlace {
            span: Span { start, end },
            line,
            column,
        };
        Ok((kind, self.module, self.place))
    }
}

/// Returns `from` plus `by`, if the result is in range.
fn moved(from: u32, by: i64) -> Option<u32> {
    u32::try_from(i64::from(from).checked_add(by)?).ok()
}
