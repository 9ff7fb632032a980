//! Places within the arguments of a call, a clause head or an assumption, for indexes.

use crate::base::growth::{Gather, Grow};
use crate::base::stop::Stop;
use crate::ir::key::{CallKeys, Key, part};
use crate::store::cell::Cell;

/// A place: the number of the argument, then the numbers of arguments within it, outermost first. Each takes four
/// bits, from the lowest on, and is stored as the number plus one.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Path(u64);

const STEP_BITS: u32 = 4;
const STEP_MASK: u64 = (1 << STEP_BITS) - 1;
const LEVELS: u32 = u64::BITS / STEP_BITS;

impl Path {
    fn root(arg: usize) -> Path {
        Path(arg as u64 + 1)
    }

    /// Returns the place of an argument of the compound here; `None` if its number is too large or it is too deep.
    fn child(self, level: u32, index: usize) -> Option<Path> {
        let step = index as u64 + 1;
        (step <= STEP_MASK && level < LEVELS).then(|| Path(self.0 | step << (level * STEP_BITS)))
    }

    /// Returns the key of the whole term at this place, or [`Key::ANY`] if there is a variable on the way. The key is
    /// [`Key::ELSEWHERE`] if there is another term than a compound with such an argument on the way. Then no term
    /// that has an argument there unifies with it.
    pub(crate) fn key(self, argument: impl Fn(usize) -> Option<Cell>) -> Key {
        let Some(mut cell) = argument((self.0 & STEP_MASK) as usize - 1) else {
            return Key::ANY;
        };
        let mut rest = self.0 >> STEP_BITS;
        while rest != 0 {
            let index = (rest & STEP_MASK) as usize - 1;
            rest >>= STEP_BITS;
            cell = match part(cell, index) {
                Some(part) => part,
                None if cell.is_var() => return Key::ANY,
                None => return Key::ELSEWHERE,
            };
        }
        Key::whole(cell)
    }
}

/// Maximum number of places of a call that are considered.
const PLACES: usize = 16;

/// Returns the places of ground terms in a call, each term as large as possible.
pub(crate) fn bound_places(call: &CallKeys) -> Result<Vec<Path>, Stop> {
    let mut places = Vec::new();
    let mut open: Vec<(Path, u32, Cell)> = (0..call.keys().len())
        .rev()
        .filter_map(|arg| Some((Path::root(arg), 1, call.argument(arg)?)))
        .gather()?;
    let mut looked_at = 0;
    while let Some((path, level, cell)) = open.pop()
        && looked_at < 2 * PLACES
        && places.len() < PLACES
    {
        looked_at += 1;
        if Key::whole(cell).is_selective() {
            places.put(path)?;
            continue;
        }
        let within = (0..STEP_MASK as usize).rev().filter_map(|index| {
            let part = part(cell, index)?;
            Some((path.child(level, index)?, level + 1, part))
        });
        open.put_all(within)?;
    }
    Ok(places)
}

/// The variety of the keys of clauses at one place.
#[derive(Default)]
pub(crate) struct Tally {
    /// A bit for each key; different keys may share a bit.
    seen: [u64; 16],
    /// Number of clauses that any key matches.
    others: usize,
}

impl Tally {
    /// Adds the key of one more clause.
    pub(crate) fn add(&mut self, key: Key) {
        if key.is_selective() {
            let bit = key.spread() as usize % (64 * self.seen.len());
            self.seen[bit / 64] |= 1 << (bit % 64);
        } else {
            self.others += 1;
        }
    }

    /// Returns the approximate number of different keys, at most about a thousand.
    pub(crate) fn keys(&self) -> u32 {
        self.seen.iter().map(|bits| bits.count_ones()).sum()
    }

    /// Returns whether there are about as many different keys as the tally can show for this number of items.
    pub(crate) fn is_full(keys: u32, items: usize) -> bool {
        let bits = 64.0 * 16.0;
        let expected = bits * (1.0 - (-(items as f64) / bits).exp());
        f64::from(keys) > expected * 0.9
    }

    /// Returns whether at least half of this number of clauses have keys, and the keys differ.
    pub(crate) fn separates(&self, clauses: usize) -> bool {
        self.keys() > 1 && self.others * 2 <= clauses
    }
}
