//! A hash index on one argument of the clauses of a predicate: for each key the positions of the clauses that have
//! it, in order.

use super::slots::{Content, Slots};
use crate::base::growth::{GiveBack, Grow, GrowFront, Within};
use crate::ir::key::Key;
use crate::store::address::CodeAddr;
use std::collections::VecDeque;

/// A position. If its clause is dead, it also has the length of the run of dead clauses known to follow it in the
/// same list.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(in crate::program) struct Place(i64);

const SKIP_BITS: u32 = 16;
const MAX_SKIP: usize = (1 << SKIP_BITS) - 1;

impl Place {
    /// Makes a position without a known run of dead clauses after it.
    pub(in crate::program) fn new(position: i64) -> Place {
        Place(position << SKIP_BITS)
    }

    /// Returns the position.
    #[inline(always)]
    pub(in crate::program) fn position(self) -> i64 {
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

/// Goes from place `at` of a list, whose clause is dead, to the first later place whose clause is not. Notes the
/// length of the run, so that the next call skips it in one stride.
pub(in crate::program) fn skip_dead<T: AsMut<Place>>(
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
    // Note a longer run as a chain of full strides.
    let mut from = at;
    while from < end {
        let skip = (end - from - 1).min(MAX_SKIP);
        let place = list[from].as_mut();
        *place = Place(place.0 & !(MAX_SKIP as i64) | skip as i64);
        from += 1 + skip;
    }
    end
}

/// The positions of several clauses that have a key. Another key may have the same hash; then it has a list of its
/// own.
struct Many {
    key: Key,
    list: VecDeque<Place>,
}

/// The index.
#[derive(Default)]
pub(in crate::program) struct ArgIndex {
    /// Slots by the hashes of the keys.
    slots: Slots,
    lists: Vec<Many>,
    /// Clauses that match every key, or for which only unification can decide.
    others: VecDeque<Place>,
    /// The list that was read last, and the place in it after the clause that was found.
    last: (usize, usize),
}

/// The clauses to try for a key.
pub(in crate::program) struct Candidates {
    /// Number of clauses.
    pub(in crate::program) count: usize,
    /// The position and the address of the code, if there is exactly one clause.
    pub(in crate::program) only: Option<(i64, CodeAddr)>,
}

fn hash(key: Key) -> u32 {
    (key.spread() >> 32) as u32
}

/// The result for the clause at a position: whether it is wanted; `None` if it is dead and not wanted.
pub(in crate::program) type Verdict = Option<bool>;

/// Adds a position. Returns false if memory is short.
fn push(list: &mut VecDeque<Place>, position: i64, front: bool) -> bool {
    let place = Place::new(position);
    match front {
        true => list.put_front(place).is_ok(),
        false => list.put(place).is_ok(),
    }
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
    /// Returns the slot for this key. The single clause in it may have another key with the same hash. In that case
    /// no clause has this key.
    #[inline(always)]
    fn find(&self, key: Key) -> Option<(usize, Content)> {
        self.slots
            .find(hash(key), |content| self.may_be_of(content, key))
    }

    #[inline(always)]
    fn may_be_of(&self, content: Content, key: Key) -> bool {
        match content {
            Content::One(..) => true,
            Content::Many(number) => self.lists[number].key == key,
        }
    }

    /// Adds a clause with this key, before or after all others. Returns false if that is not possible; then the index
    /// is useless. `key_at` returns the key of the clause at a position.
    #[must_use]
    pub(in crate::program) fn insert(
        &mut self,
        key: Key,
        (position, code): (i64, CodeAddr),
        front: bool,
        key_at: impl Fn(i64) -> Option<Key>,
    ) -> bool {
        if !key.is_selective() {
            return push(&mut self.others, position, front);
        }
        let hash = hash(key);
        let found = self
            .slots
            .find_or_free(hash, |content| self.may_be_of(content, key));
        match found {
            Err((free, false)) => {
                let only = Content::One(position, code);
                self.slots.insert_at(free, hash, only)
            }
            Err(_) => self.insert_list(key, position),
            Ok((_, Content::Many(number))) => push(&mut self.lists[number].list, position, front),
            Ok((at, Content::One(other, _))) => {
                let others = key_at(other).unwrap_or(key);
                let number = self.lists.len();
                let list = Content::Many(number);
                if !self.add_list(others, other) || !self.slots.replace(at, list) {
                    return false;
                }
                if others == key {
                    return push(&mut self.lists[number].list, position, front);
                }
                self.insert_list(key, position)
            }
        }
    }

    /// Adds the list of a key, and a slot for it. Returns false if that is not possible.
    fn insert_list(&mut self, key: Key, position: i64) -> bool {
        let list = Content::Many(self.lists.len());
        self.add_list(key, position) && self.slots.insert(hash(key), list)
    }

    /// Adds the list of a key, with its first position. Returns false if memory is short.
    fn add_list(&mut self, key: Key, position: i64) -> bool {
        let mut list = VecDeque::new();
        // A predicate with many keys has many of these lists.
        let full = self.lists.len() == self.lists.capacity();
        let more = self.lists.len() / 4 + 2;
        if full && self.lists.try_reserve_exact(more).is_err() || list.try_reserve_exact(2).is_err()
        {
            return false;
        }
        list.put_within(Place::new(position));
        self.lists.put_within(Many { key, list });
        true
    }

    /// Notes that the clause at this position, with this key, has its code elsewhere now. Returns false if that is
    /// not possible; then the index is useless.
    #[must_use]
    pub(in crate::program) fn set_code(&mut self, key: Key, position: i64, code: CodeAddr) -> bool {
        match self.find(key) {
            Some((at, Content::One(only, _))) if key.is_selective() && only == position => {
                self.slots.replace(at, Content::One(position, code))
            }
            _ => true,
        }
    }

    /// Removes the position of a clause with this key, which is the first of the predicate.
    pub(in crate::program) fn remove_first(&mut self, key: Key, position: i64) {
        if !key.is_selective() {
            drop_first(&mut self.others, position);
            return;
        }
        match self.find(key) {
            Some((at, Content::One(only, _))) if only == position => self.slots.remove(at),
            Some((at, Content::Many(number))) => {
                drop_first(&mut self.lists[number].list, position);
                self.drop_if_empty(at, number);
            }
            _ => {}
        }
    }

    /// Keeps those positions of clauses with this key that `keep` accepts.
    pub(in crate::program) fn retain(&mut self, key: Key, keep: impl Fn(i64) -> bool) {
        if !key.is_selective() {
            retain(&mut self.others, &keep);
            return;
        }
        match self.find(key) {
            Some((at, Content::One(only, _))) if !keep(only) => self.slots.remove(at),
            Some((at, Content::Many(number))) => {
                retain(&mut self.lists[number].list, &keep);
                self.drop_if_empty(at, number);
            }
            _ => {}
        }
    }

    /// Removes a list, whose slot this is, if it is empty. The last list takes its number.
    fn drop_if_empty(&mut self, at: usize, number: usize) {
        if !self.lists[number].list.is_empty() {
            return;
        }
        self.slots.remove(at);
        let last = self.lists.len() - 1;
        if number < last
            && let Some((at, _)) = self.find(self.lists[last].key)
        {
            let moved = self.slots.replace(at, Content::Many(number));
            debug_assert!(moved, "a list has no address");
        }
        self.lists.swap_remove(number);
        if self.lists.capacity() > 64 && last < self.lists.capacity() / 4 {
            self.lists.give_back(last * 2);
        }
    }

    /// Returns the bytes that the index takes, for about this number of clauses.
    pub(in crate::program) fn bytes(&self, clauses: usize) -> u64 {
        let several = clauses.saturating_sub(self.slots.len());
        let lists = self.lists.capacity() * size_of::<Many>();
        (self.slots.bytes() + lists + several * 2 * size_of::<Place>()) as u64
    }

    /// Returns the number of keys.
    pub(in crate::program) fn keys(&self) -> usize {
        self.slots.len()
    }

    /// Returns the clauses to try for a key.
    #[inline(always)]
    pub(in crate::program) fn candidates(&self, key: Key) -> Candidates {
        let others = self.others.len();
        let (own, only) = match self.find(key) {
            Some((_, Content::Many(number))) => (self.lists[number].list.len(), None),
            Some((_, Content::One(position, code))) => (1, Some((position, code))),
            None => (0, None),
        };
        Candidates {
            count: own + others,
            only: only.filter(|_| others == 0),
        }
    }

    /// Returns the first position at or after `from` whose clause may have the key and whose verdict is true. With
    /// `strides` it skips known runs of dead clauses.
    pub(in crate::program) fn next(
        &mut self,
        key: Key,
        from: i64,
        strides: bool,
        verdict: impl Fn(i64) -> Verdict,
    ) -> Option<i64> {
        // An enumeration continues in the list that it was in.
        let found = match self.lists.get(self.last.0) {
            Some(many) if many.key == key => Some(Content::Many(self.last.0)),
            _ => self.find(key).map(|(_, content)| content),
        };
        let own = match found {
            Some(Content::One(position, _)) => {
                (position >= from && verdict(position) == Some(true)).then_some(position)
            }
            Some(Content::Many(number)) => {
                self.last.0 = number;
                let after = &mut self.last.1;
                first(&mut self.lists[number].list, from, strides, &verdict, after)
            }
            None => None,
        };
        if self.others.is_empty() {
            return own;
        }
        let other = first(&mut self.others, from, strides, &verdict, &mut 0);
        match (own, other) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }
}

impl ArgIndex {
    /// Works as [`ArgIndex::next`] on an index that does not change. Returns the first position at or after `from`
    /// that may have the key and that `fits` accepts.
    pub(in crate::program) fn next_frozen(
        &self,
        key: Key,
        from: i64,
        fits: impl Fn(i64) -> bool,
    ) -> Option<i64> {
        let first = |list: &VecDeque<Place>| {
            let at = list.partition_point(|place| place.position() < from);
            let mut positions = list.range(at..).map(|place| place.position());
            positions.find(|&position| fits(position))
        };
        let own = match self.find(key) {
            Some((_, Content::One(position, _))) => {
                (position >= from && fits(position)).then_some(position)
            }
            Some((_, Content::Many(number))) => first(&self.lists[number].list),
            None => None,
        };
        let other = first(&self.others);
        match (own, other) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }
}

/// Returns the first position at or after `from` whose verdict is true. An enumeration continues at `after_last`; the
/// list itself shows whether that place is right.
fn first(
    list: &mut VecDeque<Place>,
    from: i64,
    strides: bool,
    verdict: &impl Fn(i64) -> Verdict,
    after_last: &mut usize,
) -> Option<i64> {
    let before = |place: Option<&Place>| place.is_some_and(|place| place.position() < from);
    let mut at = match *after_last {
        _ if !before(list.front()) => 0,
        after @ 1.. if before(list.get(after - 1)) && !before(list.get(after)) => after,
        _ => list.partition_point(|place| before(Some(place))),
    };
    while let Some(place) = list.get(at) {
        at = match verdict(place.position()) {
            Some(true) => {
                *after_last = at + 1;
                return Some(place.position());
            }
            None if strides => skip_dead(list, at, |place| verdict(place.position()).is_none()),
            _ => at + 1,
        };
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{ArgIndex, CodeAddr, Key, hash};
    use crate::store::cell::Cell;
    use std::collections::HashMap;

    fn key(number: i64) -> Key {
        Key::of(Cell::int(number))
    }

    /// Addresses without code; no test jumps to them.
    fn code(position: i64) -> CodeAddr {
        CodeAddr::NONE + (position as u64 + 1) * 8
    }

    fn found(index: &mut ArgIndex, number: i64) -> Vec<i64> {
        let mut positions = Vec::new();
        let mut from = 0;
        while let Some(position) = index.next(key(number), from, false, |_| Some(true)) {
            positions.push(position);
            from = position + 1;
        }
        positions
    }

    #[test]
    fn clauses_are_found_by_their_keys_whatever_comes_and_goes() {
        let mut index = ArgIndex::default();
        let mut alive: HashMap<i64, Vec<i64>> = HashMap::new();
        let mut numbers: HashMap<i64, i64> = HashMap::new();
        let mut state = 1_u64;
        for position in 0..60_000 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let number = (state >> 40) as i64 % 5000;
            let key_at = |position| numbers.get(&position).map(|&number| key(number));
            assert!(index.insert(key(number), (position, code(position)), false, key_at));
            numbers.insert(position, number);
            alive.entry(number).or_default().push(position);
            // First add more than is removed, then remove more than is added.
            if state >> 36 & 15 < if position < 30_000 { 4 } else { 13 } {
                let gone = (state >> 20) as i64 % 5000;
                if let Some(positions) = alive.get_mut(&gone) {
                    let first = positions.remove(0);
                    index.retain(key(gone), |position| position != first);
                    if positions.is_empty() {
                        alive.remove(&gone);
                    }
                }
            }
        }
        assert_eq!(index.keys(), alive.len());
        for number in 0..5000 {
            let expected = alive.get(&number).cloned().unwrap_or_default();
            assert_eq!(found(&mut index, number), expected, "{number}");
        }
        for (number, positions) in alive {
            for position in positions {
                index.retain(key(number), |other| other != position);
            }
        }
        assert_eq!((index.keys(), index.lists.len()), (0, 0));
    }

    #[test]
    fn keys_of_one_hash_have_lists_of_their_own() {
        let mut seen: HashMap<u32, i64> = HashMap::new();
        let pair = (0..2_000_000).find_map(|number| {
            let other = seen.insert(hash(key(number)), number)?;
            Some((other, number))
        });
        let (a, b) = pair.expect("there are enough keys");
        let mut index = ArgIndex::default();
        let key_at = |position| Some(key(if position == 2 { b } else { a }));
        assert!(index.insert(key(a), (1, code(1)), false, key_at));
        // The code of the clause decides.
        assert_eq!(index.candidates(key(b)).only, Some((1, code(1))));
        assert!(index.insert(key(b), (2, code(2)), false, key_at));
        assert!(index.insert(key(a), (3, code(3)), false, key_at));
        assert_eq!(found(&mut index, a), [1, 3]);
        assert_eq!(found(&mut index, b), [2]);
        index.retain(key(a), |_| false);
        assert_eq!(found(&mut index, a), []);
        assert_eq!(found(&mut index, b), [2]);
        assert!(index.insert(key(a), (4, code(4)), false, key_at));
        assert_eq!(found(&mut index, a), [4]);
        assert_eq!(found(&mut index, b), [2]);
    }
}
