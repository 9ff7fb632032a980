//! What a machine tells others of its search, and how it weighs its open choice points.
//!
//! The number of branches of a choice point is that of its clauses, or what its builtin knows. A predicate that runs down
//! a list, such as `member/2`, makes a choice point for each element, one in place of the other. That shows when the same
//! place is looked at again: a list in the registers of the choice point is shorter. From then on the length of the list is
//! the number of branches. If an integer has changed instead the number of branches is not known, unless choice points of
//! the predicate lie within each other: then its recursion makes the tree. A longer list, or other tops of the stacks, are
//! those of another choice point, within the last branch of the one that was there.
#![forbid(unsafe_code)]

use super::gauge::Gauge;
use super::share::{Open, Place, Share};
use crate::base::atom_table::FastMap;
use crate::base::growth::GrowMap;
use crate::base::number::Number;
use crate::base::stop::Stop;
use std::sync::Arc;

/// The number of registers of a choice point that are looked at.
pub(super) const MOST_REGISTERS: usize = 8;

/// What a saved register shows of a recursion.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Register {
    /// A list of so many elements.
    List(u64),
    Int(i64),
    Other,
}

/// A choice point as it was seen.
#[derive(Copy, Clone, Debug)]
pub(super) struct Seen {
    pub(super) place: Place,
    pub(super) left: Option<u64>,
    pub(super) registers: [Register; MOST_REGISTERS],
    /// The tops of heap and trail, which it goes back to, and when garbage was collected last.
    pub(super) tops: (u64, u64),
    pub(super) collected: u64,
}

/// What choice points in place of one another mean.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Recursion {
    /// Branches of one choice point, as many as the list in this register has elements.
    List(usize),
    /// Branches of one choice point, nobody knows how many.
    Unknown,
    /// Each is within the last branch of the one before.
    Tree,
}

/// What a machine tells others of its search.
#[derive(Debug)]
pub(crate) struct Meter {
    pub(super) gauge: Arc<Gauge>,
    pub(super) machine: usize,
    /// What tells the collection that is measured from the one before.
    pub(super) base: Option<(u64, u64, u64)>,
    pub(super) found: Option<Number>,
    pub(super) share: Share,
    seen: Vec<Seen>,
    /// By the last alternatives.
    recursions: FastMap<u64, Recursion>,
    /// The weight of the part that was given away last.
    pub(super) given: f64,
}

impl Drop for Meter {
    fn drop(&mut self) {
        self.gauge.part_with(self.machine);
    }
}

impl Meter {
    pub(super) fn new(gauge: Arc<Gauge>, machine: usize) -> Meter {
        Meter {
            gauge,
            machine,
            base: None,
            found: None,
            share: Share::new(0.0),
            seen: Vec::new(),
            recursions: FastMap::default(),
            given: 0.0,
        }
    }

    pub(super) fn begin_part(&mut self, weight: f64) {
        self.share = Share::new(weight);
        self.seen.clear();
        self.found = None;
        self.gauge.begin_part(self.machine, weight);
    }

    /// Learns what recursions mean, and weighs the choice points that are open now.
    pub(super) fn weigh(&mut self, mut seen: Vec<Seen>) -> Result<(), Stop> {
        let mut same = true;
        for at in 0..seen.len() {
            let around = at.checked_sub(1).map(|around| seen[around].place);
            let now = &mut seen[at];
            let (place, last) = (now.place, now.place.last);
            let around = around.filter(|around| around.last == last);
            if around.is_some_and(|around| around.goes_on == place.goes_on) {
                self.recursions.put_entry(last, Recursion::Tree)?;
            }
            let before = self.seen.get(at).filter(|_| same);
            let Some(before) = before.filter(|before| before.is_at(now)) else {
                same = false;
                continue;
            };
            now.place.variant = before.place.variant;
            same = before.left == now.left;
            if !same {
                continue;
            }
            let again = around.is_some_and(|around| around.goes_on.1 == place.goes_on.1);
            let change = change(before, now, again);
            let known = self.recursions.get(&last);
            let learned = match (change, known) {
                (Change::None, _) => continue,
                (Change::Another, _) => {
                    now.place.variant += 1;
                    None
                }
                (Change::Shorter(list), None | Some(Recursion::Unknown)) => {
                    Some(Recursion::List(list))
                }
                (Change::Integer, None) => Some(Recursion::Unknown),
                _ => None,
            };
            same = false;
            if let Some(learned) = learned {
                self.recursions.put_entry(last, learned)?;
            }
        }
        let recursions = &self.recursions;
        let open = seen.iter().map(|seen| {
            let recursion = recursions.get(&seen.place.last);
            opened(seen, recursion.filter(|_| seen.place.last != 0))
        });
        self.share.observe(open)?;
        self.seen = seen;
        Ok(())
    }
}

impl Seen {
    /// Is this the same place, of the same alternatives?
    fn is_at(&self, other: &Seen) -> bool {
        let place = Place {
            variant: self.place.variant,
            ..other.place
        };
        self.place == place
    }
}

/// What has become of a choice point between two looks.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Change {
    None,
    /// It is in place of one whose register here had a longer list.
    Shorter(usize),
    /// It is in place of one that had another integer.
    Integer,
    /// It is within the last branch of the one that was there.
    Another,
}

/// That, where `again` says that the predicate was called at this place in its own branches before.
fn change(before: &Seen, now: &Seen, again: bool) -> Change {
    let (mut shorter, mut longer, mut integer) = (None, false, false);
    let pairs = before.registers.iter().zip(&now.registers);
    for (at, pair) in pairs.enumerate() {
        match pair {
            (Register::List(before), Register::List(now)) if now < before => {
                shorter = shorter.or(Some(at));
            }
            (Register::List(before), Register::List(now)) => longer |= now > before,
            (Register::Int(before), Register::Int(now)) => integer |= now != before,
            _ => {}
        }
    }
    // A collection moves what lies on the heap.
    let moved = before.collected == now.collected && before.tops != now.tops;
    match shorter {
        Some(list) if !longer => Change::Shorter(list),
        _ if longer || (moved && (again || !integer)) => Change::Another,
        _ if integer => Change::Integer,
        _ => Change::None,
    }
}

/// How a choice point is weighed.
fn opened(seen: &Seen, recursion: Option<&Recursion>) -> Open {
    let Seen {
        mut place,
        mut left,
        ..
    } = *seen;
    match recursion {
        None => {}
        Some(Recursion::Unknown) => left = None,
        Some(&Recursion::List(at)) => {
            if let Register::List(length) = seen.registers[at] {
                left = left.map(|left| left.saturating_sub(1) + length);
            }
        }
        Some(Recursion::Tree) => {
            let registers = seen.registers.iter();
            place.variant = registers.fold(0, |all: u64, register| {
                let own = match *register {
                    Register::List(length) => length,
                    Register::Int(integer) => integer as u64,
                    Register::Other => 0,
                };
                all.wrapping_mul(31).wrapping_add(own)
            });
            place.variant = place.variant.wrapping_add(seen.place.variant);
        }
    }
    (place, left)
}
