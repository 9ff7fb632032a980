//! The report of a machine about its search, and the weights of its open choice points.
//!
//! The number of branches of a choice point is the number of its clauses, or a number that its builtin knows. A
//! predicate that recurs along a list, such as `member/2`, pushes one choice point per element, each in place of the
//! one before. The next look at the same place shows this: a list in the registers of the choice point is shorter.
//! From then on the length of the list counts as the number of branches.
//!
//! If an integer has changed instead, the number of branches is unknown. The exception is a predicate whose choice
//! points lie within each other: its recursion makes the tree. If a list is longer, or the tops of the stacks differ,
//! another choice point is there now. It lies within the last branch of the one before.
#![forbid(unsafe_code)]

use super::gauge::Gauge;
use super::share::{Open, Place, Share};
use crate::base::atom_table::FastMap;
use crate::base::growth::GrowMap;
use crate::base::number::Number;
use crate::base::stop::Stop;
use std::sync::Arc;

/// Number of registers of a choice point that are looked at.
pub(super) const MOST_REGISTERS: usize = 8;

/// The content of a saved register, as far as it shows a recursion.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Register {
    /// A list with this number of elements.
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
    /// The tops of heap and trail to which it returns, and the time of the last garbage collection.
    pub(super) tops: (u64, u64),
    pub(super) collected: u64,
}

/// The relation of choice points that follow one another at the same place.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Recursion {
    /// Branches of one choice point; the list in this register gives their number.
    List(usize),
    /// Branches of one choice point; their number is unknown.
    Unknown,
    /// Each lies within the last branch of the one before.
    Tree,
}

/// The progress that a machine reports about its search.
#[derive(Debug)]
pub(crate) struct Meter {
    pub(super) gauge: Arc<Gauge>,
    pub(super) machine: usize,
    /// Distinguishes the measured collection from the one before.
    pub(super) base: Option<(u64, u64, u64)>,
    pub(super) found: Option<Number>,
    pub(super) share: Share,
    seen: Vec<Seen>,
    /// The recursions by their last alternatives.
    recursions: FastMap<u64, Recursion>,
    /// The weight of the part that was given away last.
    pub(super) given: f64,
}

impl Drop for Meter {
    fn drop(&mut self) {
        self.gauge.leave(self.machine);
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

    /// Learns the kinds of recursion, and weighs the choice points that are open now.
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
    /// Returns whether `other` is at the same place and has the same alternatives.
    fn is_at(&self, other: &Seen) -> bool {
        let place = Place {
            variant: self.place.variant,
            ..other.place
        };
        self.place == place
    }
}

/// The change of a choice point between two looks.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Change {
    None,
    /// The choice point replaces one with a longer list in this register.
    Shorter(usize),
    /// The choice point replaces one with another integer.
    Integer,
    /// The choice point lies within the last branch of the previous choice point.
    Another,
}

/// Returns the change of a choice point. `again` means that the choice point around it has the same alternatives and
/// continuation, because the predicate calls itself there.
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
    // A garbage collection moves the contents of the heap.
    let moved = before.collected == now.collected && before.tops != now.tops;
    match shorter {
        Some(list) if !longer => Change::Shorter(list),
        _ if longer || (moved && (again || !integer)) => Change::Another,
        _ if integer => Change::Integer,
        _ => Change::None,
    }
}

/// Returns the place and the number of branches with which a choice point is weighed.
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
