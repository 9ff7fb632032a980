//! A hash index on one argument of the clauses of a predicate: for each key the positions of the
//! clauses that have it, in order.

use crate::base::room::GiveBack;
use crate::base::symbol::FastMap;
use crate::ir::key::Key;
use std::collections::VecDeque;

/// A position, with the number of those right after it in the same list that are known to be of
/// dead clauses, if its own clause is dead.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Place(i64);

const SKIP_BITS: u32 = 16;
const MAX_SKIP: usize = (1 << SKIP_BITS) - 1;

impl Place {
    /// A position; nothing is known of those after it.
    pub(super) fn new(position: i64) -> Place {
        Place(position << SKIP_BITS)
    }

    /// The position.
    #[inline(always)]
    pub(super) fn position(self) -> i64 {
        self.0 >> SKIP_BITS
    }

    fn skip(self) -> usize {
        self.0 as usize & MAX_SKIP
    }
}

impl AsMut<Place> for Place {
    fn as_mut(&mut self) -> &mut Place {
        self
    }
}

/// From place `at` of a list, whose clause is dead, to the first after it that is not. What is
/// learned is kept, so that a run of the dead is passed over in one stride the next time.
pub(super) fn skip_dead<T: AsMut<Place>>(
    list: &mut VecDeque<T>,
    at: usize,
    is_dead: impl Fn(&T) -> bool,
) -> usize {
    let mut end = at;
    while let Some(item) = list.get_mut(end) {
        if end > at && !is_dead(item) {
            break;
        }
        end += 1 + item.as_mut().skip();
    }
    let end = end.min(list.len());
    // A longer run is a chain of full strides.
    let mut from = at;
    while from < end {
        let skip = (end - from - 1).min(MAX_SKIP);
        let place = list[from].as_mut();
        *place = Place(place.0 & !(MAX_SKIP as i64) | skip as i64);
        from += 1 + skip;
    }
    end
}

/// The positions of the clauses that have a key.
#[expect(
    clippy::box_collection,
    reason = "most keys have one clause: the table is to be small for those"
)]
enum Bucket {
    One(i64),
    Many(Box<VecDeque<Place>>),
}

/// The index.
#[derive(Default)]
pub(super) struct ArgIndex {
    buckets: FastMap<Key, Bucket>,
    /// Clauses that match every key, or are found out by unification only.
    others: VecDeque<Place>,
}

/// What is known of the clause at a position: whether it is looked for; nothing if it is dead and
/// not looked for.
pub(super) type Verdict = Option<bool>;

/// Adds a position; false if there is no memory.
fn push(list: &mut VecDeque<Place>, position: i64, front: bool) -> bool {
    if list.try_reserve(1).is_err() {
        return false;
    }
    if front {
        list.push_front(Place::new(position));
    } else {
        list.push_back(Place::new(position));
    }
    true
}

fn drop_first(list: &mut VecDeque<Place>, position: i64) {
    if list
        .front()
        .is_some_and(|place| place.position() == position)
    {
        list.pop_front();
    }
    give_back(list);
}

fn retain(list: &mut VecDeque<Place>, keep: &impl Fn(i64) -> bool) {
    list.retain(|place| keep(place.position()));
    for place in list.iter_mut() {
        *place = Place::new(place.position());
    }
    give_back(list);
}

fn give_back(list: &mut VecDeque<Place>) {
    if list.capacity() > 64 && list.len() < list.capacity() / 4 {
        list.give_back(list.len() * 2);
    }
}

impl ArgIndex {
    /// Adds the position of a clause with this key, before or after all others; false if there is no
    /// memory for it, and then the index is of no use any more.
    #[must_use]
    pub(super) fn insert(&mut self, key: Key, position: i64, front: bool) -> bool {
        if !key.is_selective() {
            return push(&mut self.others, position, front);
        }
        match self.buckets.get_mut(&key) {
            None => {
                let room = self.buckets.try_reserve(1).is_ok();
                if room {
                    self.buckets.insert(key, Bucket::One(position));
                }
                room
            }
            Some(Bucket::Many(list)) => push(list, position, front),
            Some(bucket) => {
                if let Bucket::One(other) = *bucket {
                    let mut list = Box::new(VecDeque::from([Place::new(other)]));
                    let room = push(&mut list, position, front);
                    *bucket = Bucket::Many(list);
                    return room;
                }
                true
            }
        }
    }

    /// Removes the position of a clause with this key, which is the first of the predicate.
    pub(super) fn remove_first(&mut self, key: Key, position: i64) {
        if !key.is_selective() {
            drop_first(&mut self.others, position);
            return;
        }
        let empty = match self.buckets.get_mut(&key) {
            Some(Bucket::One(only)) => *only == position,
            Some(Bucket::Many(list)) => {
                drop_first(list, position);
                list.is_empty()
            }
            None => false,
        };
        if empty {
            self.remove_bucket(key);
        }
    }

    /// Keeps those positions of clauses with this key that `keep` accepts.
    pub(super) fn retain(&mut self, key: Key, keep: impl Fn(i64) -> bool) {
        if !key.is_selective() {
            retain(&mut self.others, &keep);
            return;
        }
        let empty = match self.buckets.get_mut(&key) {
            Some(Bucket::One(only)) => !keep(*only),
            Some(Bucket::Many(list)) => {
                retain(list, &keep);
                list.is_empty()
            }
            None => false,
        };
        if empty {
            self.remove_bucket(key);
        }
    }

    fn remove_bucket(&mut self, key: Key) {
        self.buckets.remove(&key);
        let (len, room) = (self.buckets.len(), self.buckets.capacity());
        if room > 64 && len < room / 4 {
            self.buckets.give_back(len * 2);
        }
    }

    /// Bytes that it takes, of about so many clauses.
    pub(super) fn bytes(&self, clauses: usize) -> u64 {
        let buckets = self.buckets.capacity() * size_of::<(Key, Bucket)>();
        let several = clauses.saturating_sub(self.buckets.len());
        (buckets + buckets / 4 + several * 2 * size_of::<Place>()) as u64
    }

    /// How many keys there are.
    pub(super) fn keys(&self) -> usize {
        self.buckets.len()
    }

    /// How many clauses there are to look at for a key. If it is one that has it, also its position.
    pub(super) fn count(&self, key: Key) -> (usize, Option<i64>) {
        let others = self.others.len();
        match self.buckets.get(&key) {
            Some(Bucket::Many(list)) => (list.len() + others, None),
            Some(Bucket::One(position)) => (1 + others, (others == 0).then_some(*position)),
            None => (others, None),
        }
    }

    /// The first position at or after `from` of a clause to look at for a key whose verdict is true.
    /// With `strides` dead clauses are passed over without asking again.
    pub(super) fn next(
        &mut self,
        key: Key,
        from: i64,
        strides: bool,
        verdict: impl Fn(i64) -> Verdict,
    ) -> Option<i64> {
        let own = match self.buckets.get_mut(&key) {
            Some(Bucket::One(position)) => {
                let position = *position;
                (position >= from && verdict(position) == Some(true)).then_some(position)
            }
            Some(Bucket::Many(list)) => first(list, from, strides, &verdict),
            None => None,
        };
        if self.others.is_empty() {
            return own;
        }
        let other = first(&mut self.others, from, strides, &verdict);
        match (own, other) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }
}

fn first(
    list: &mut VecDeque<Place>,
    from: i64,
    strides: bool,
    verdict: &impl Fn(i64) -> Verdict,
) -> Option<i64> {
    let mut at = match list.front() {
        Some(place) if place.position() >= from => 0,
        _ => list.partition_point(|place| place.position() < from),
    };
    while let Some(place) = list.get(at) {
        at = match verdict(place.position()) {
            Some(true) => return Some(place.position()),
            None if strides => skip_dead(list, at, |place| verdict(place.position()).is_none()),
            _ => at + 1,
        };
    }
    None
}
