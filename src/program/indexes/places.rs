//! Places within the arguments of a call or of a clause head, or of an assumption, for indexes.

use crate::base::growth::{Gather, Grow};
use crate::base::stop::Stop;
use crate::ir::key::{CallKeys, Key, part};
use crate::store::cell::Cell;

/// A place: the number of the argument, then the numbers of arguments within it, outermost first.
/// Each takes four bits, from the lowest on, and is one more than the number.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Path(u64);

const STEP_BITS: u32 = 4;
const STEP_MASK: u64 = (1 << STEP_BITS) - 1;
const LEVELS: u32 = u64::BITS / STEP_BITS;

impl Path {
    fn root(arg: usize) -> Path {
        Path(arg as u64 + 1)
    }

    /// The place of an argument of the compound here; `None` if it is too far out or too deep.
    fn child(self, level: u32, index: usize) -> Option<Path> {
        let step = index as u64 + 1;
        (step <= STEP_MASK && level < LEVELS).then(|| Path(self.0 | step << (level * STEP_BITS)))
    }

    /// The key of the whole term at this place, [`Key::ANY`] if there is a variable on the way, and
    /// [`Key::ELSEWHERE`] if there is something else than a compound with such an argument: no
    /// term that has one there unifies with it.
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

/// So many places of a call are looked at.
const PLACES: usize = 16;

/// The places of a call at which ground terms stand, of which each is as large as can be.
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

/// How the keys of clauses at one place differ.
#[derive(Default)]
pub(crate) struct Tally {
    /// A bit for each of the keys, of some also the same.
    seen: [u64; 16],
    /// Clauses that any key matches.
    others: usize,
}

impl Tally {
    /// Takes the key of one more clause.
    pub(crate) fn add(&mut self, key: Key) {
        if key.is_selective() {
            let bit = key.spread() as usize % (64 * self.seen.len());
            self.seen[bit / 64] |= 1 << (bit % 64);
        } else {
            self.others += 1;
        }
    }

    /// How many different keys there are, about; a thousand stand for more.
    pub(crate) fn keys(&self) -> u32 {
        self.seen.iter().map(|bits| bits.count_ones()).sum()
    }

    /// Are there about as many different keys as could be seen of so many items?
    pub(crate) fn is_full(keys: u32, items: usize) -> bool {
        let bits = 64.0 * 16.0;
        let expected = bits * (1.0 - (-(items as f64) / bits).exp());
        f64::from(keys) > expected * 0.9
    }

    /// Do most of so many clauses have keys, and not the same?
    pub(crate) fn tells_apart(&self, clauses: usize) -> bool {
        self.keys() > 1 && self.others * 2 <= clauses
    }
}
