//! Clauses of a predicate in order, with the logical update view (ISO 7.5.4) and hash indexes on
//! arguments that grow with the clauses.
//!
//! Each clause carries the generation of its birth and of its death; a call sees the clauses that
//! live in the generation in which it started. A clause keeps its position, which is never given to
//! another one, and positions grow from clause to clause; so an enumeration that goes on after any
//! changes finds its place again.

use super::arg_index::{ArgIndex, Place, skip_dead};
pub(crate) use super::clause::Clause;
use crate::base::grow::{GiveBack, GrowTable};
use crate::base::symbol::FastSet;
pub(crate) use crate::ir::key::{KEYED_ARGS, Key, may_match};
use std::cell::Cell;
use std::collections::VecDeque;

/// A generation of the database of an engine.
pub(crate) type Generation = u64;
/// The generation of what has not died.
pub(crate) const ALIVE: Generation = Generation::MAX;

/// A clause in its list.
pub(super) struct Entry {
    /// Nothing where a dead clause was removed: a gap.
    clause: Option<Clause>,
    /// First generation that sees it.
    born: Generation,
    /// First generation that does not see it.
    died: Generation,
    place: Place,
}

impl Entry {
    /// Does a call of this generation see it?
    fn visible(&self, generation: Generation) -> bool {
        self.born <= generation && generation < self.died
    }

    /// Can none of the calls of these generations, in ascending order, come to it?
    fn unreachable(&self, open: &[Generation]) -> bool {
        let first = open.partition_point(|&generation| generation < self.born);
        open.get(first)
            .is_none_or(|&generation| generation >= self.died)
    }
}

/// Fewer clauses than this are searched one by one.
const INDEX_FROM: usize = 8;
/// So few candidates need no better index.
const FEW_CANDIDATES: usize = 4;
/// At least so many dead clauses are removed at once.
const FEW_DEAD: usize = 16;
/// For each living clause so many gaps may stand between them. While nothing moves, the place of a clause
/// follows from its position.
const GAPS: usize = 3;

/// The index of an argument.
enum State {
    /// None, until a call asks for it and there are more clauses than this number.
    NotBefore(usize),
    Built(ArgIndex),
}

/// The clauses of one predicate.
#[derive(Default)]
pub(crate) struct ClauseList {
    entries: VecDeque<Entry>,
    /// Position of the next clause added at the front is one less; see `after` for the end.
    before: i64,
    after: i64,
    live: usize,
    gaps: usize,
    /// Positions of clauses that died and were not removed yet; of all those, unless `dying_lost`.
    dying: Vec<i64>,
    dying_lost: bool,
    /// Calls of this generation or a later one see none of those that are dead by now.
    last_death: Generation,
    /// Number of dead clauses from which on it is worth while to remove them.
    purge_at: usize,
    /// Number of dead clauses from which on those between living ones are removed too.
    sweep_at: usize,
    indexes: Vec<State>,
    /// The place that was looked for last.
    last_place: Cell<usize>,
}

/// Which clauses a call has to look at: an argument and its key, or all.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Selection {
    /// All clauses.
    All,
    /// Those that the index of this argument holds for the key.
    Keyed(u16, Key),
    /// The one at this position.
    One(i64),
    /// None.
    Nothing,
}

impl ClauseList {
    /// Number of living clauses.
    pub(crate) fn len(&self) -> usize {
        self.live
    }

    /// Number of dead clauses not yet removed.
    pub(crate) fn dead(&self) -> usize {
        self.kept() - self.live
    }

    /// Number of clauses, living and dead.
    fn kept(&self) -> usize {
        self.entries.len() - self.gaps
    }

    /// Place in the list of the first clause at `position` or after it.
    fn lower(&self, position: i64) -> usize {
        let before = |place: usize| self.entries[place].place.position() < position;
        // One clause is looked up several times in a row.
        let last = self.last_place.get();
        match self.entries.get(last) {
            Some(entry) if entry.place.position() == position => return last,
            _ => {}
        }
        let (Some(first), Some(end)) = (self.entries.front(), self.entries.back()) else {
            return 0;
        };
        let (first, end) = (first.place.position(), end.place.position());
        if position <= first || position > end {
            return if position <= first {
                0
            } else {
                self.entries.len()
            };
        }
        if end - first + 1 == self.entries.len() as i64 {
            let place = (position - first) as usize;
            self.last_place.set(place);
            return place;
        }
        // Clauses were removed, and the others moved, most often everywhere: the place is near this one.
        let share = (position - first) as f64 / (end - first) as f64;
        let guess = (share * (self.entries.len() - 1) as f64) as usize;
        let (mut low, mut high);
        let mut stride = 1;
        if before(guess) {
            (low, high) = (guess + 1, self.entries.len());
            while low + stride < high && before(low + stride) {
                low += stride + 1;
                stride *= 2;
            }
            high = high.min(low + stride);
        } else {
            high = guess;
            while high > stride && !before(high - stride) {
                high -= stride;
                stride *= 2;
            }
            low = high.saturating_sub(stride);
        }
        while low < high {
            let middle = (low + high) / 2;
            if before(middle) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        self.last_place.set(low);
        low
    }

    /// The entry of a clause.
    pub(super) fn entry(&self, position: i64) -> Option<&Entry> {
        let entry = self.entries.get(self.lower(position))?;
        (entry.place.position() == position && entry.clause.is_some()).then_some(entry)
    }

    /// The clause at a position.
    pub(crate) fn get(&self, position: i64) -> Option<&Clause> {
        self.entry(position)?.clause.as_ref()
    }

    /// The generation in which the clause at a position was added.
    pub(crate) fn born(&self, position: i64) -> Option<Generation> {
        Some(self.entry(position)?.born)
    }

    /// Is there a living clause at this position?
    pub(crate) fn is_alive(&self, position: i64) -> bool {
        self.entry(position)
            .is_some_and(|entry| entry.died == ALIVE)
    }

    /// All clauses, also the dead ones that were not removed yet.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Clause> {
        self.entries
            .iter()
            .filter_map(|entry| entry.clause.as_ref())
    }

    /// Living clauses in order, with their positions.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (i64, &Clause)> {
        self.entries
            .iter()
            .filter(|entry| entry.died == ALIVE)
            .filter_map(|entry| Some((entry.place.position(), entry.clause.as_ref()?)))
    }

    /// Makes room for a clause: adding one cannot fail then.
    pub(crate) fn make_room(&mut self) {
        // Most predicates that a program makes up have one clause.
        if self.entries.capacity() == 0 && self.entries.try_reserve_exact(1).is_ok() {
            return;
        }
        self.entries.make_room();
    }

    /// Adds a clause, which this generation is the first to see, at the end or at the front.
    pub(crate) fn add(&mut self, clause: Clause, born: Generation, front: bool) -> i64 {
        self.make_room();
        let position = if front {
            self.before -= 1;
            self.before
        } else {
            self.after += 1;
            self.after - 1
        };
        for (arg, state) in self.indexes.iter_mut().enumerate() {
            if let State::Built(index) = state
                && !index.insert(clause.head_key(arg), position, front)
            {
                // An index that lacks a clause is none.
                *state = State::NotBefore((self.entries.len() - self.gaps) * 2);
            }
        }
        let entry = Entry {
            clause: Some(clause),
            born,
            died: ALIVE,
            place: Place::new(position),
        };
        if front {
            self.entries.push_front(entry);
        } else {
            self.entries.push_back(entry);
        }
        self.live += 1;
        position
    }

    /// Puts another clause, of the same source, in the place of one. Gives that.
    pub(crate) fn replace(&mut self, position: i64, clause: Clause) -> Option<Clause> {
        let at = self.lower(position);
        let entry = self.entries.get_mut(at)?;
        if entry.place.position() != position || entry.clause.is_none() {
            return None;
        }
        entry.clause.replace(clause)
    }

    /// Marks a clause dead from `generation` on; false if it was dead already.
    pub(crate) fn erase(&mut self, position: i64, generation: Generation) -> bool {
        let at = self.lower(position);
        match self.entries.get_mut(at) {
            Some(entry) if entry.place.position() == position && entry.died == ALIVE => {
                entry.died = generation;
                self.last_death = generation;
                self.live -= 1;
                if self.dying.try_reserve(1).is_ok() {
                    self.dying.push(position);
                } else {
                    self.dying_lost = true;
                }
                true
            }
            _ => false,
        }
    }

    /// Marks all living clauses dead from `generation` on that `goes` says of them and of the generation in
    /// which they were added; false if there is none.
    pub(crate) fn erase_all(
        &mut self,
        generation: Generation,
        goes: impl Fn(&Clause, Generation) -> bool,
    ) -> bool {
        let before = self.live;
        for entry in &mut self.entries {
            let clause = entry.clause.as_ref();
            if entry.died == ALIVE && clause.is_some_and(|clause| goes(clause, entry.born)) {
                entry.died = generation;
                self.live -= 1;
                self.dying_lost = true;
            }
        }
        if self.live < before {
            self.last_death = generation;
        }
        self.live < before
    }

    /// Gives those clauses their life back that died in `generation`.
    pub(crate) fn revive(&mut self, generation: Generation) {
        for entry in &mut self.entries {
            if entry.died == generation && entry.clause.is_some() {
                entry.died = ALIVE;
                self.live += 1;
            }
            // What is known of the dead after a place may be so no more.
            entry.place = Place::new(entry.place.position());
        }
        self.indexes = Vec::new();
        (self.dying, self.dying_lost) = (Vec::new(), true);
    }

    /// Living clauses that were added after this generation.
    pub(crate) fn living_since(&self, generation: Generation) -> impl Iterator<Item = &Clause> {
        let living = self.entries.iter().filter(|entry| entry.died == ALIVE);
        living
            .filter(move |entry| entry.born > generation)
            .filter_map(|entry| entry.clause.as_ref())
    }

    /// The generation in which the newest of the living clauses was added, 0 if there is none.
    pub(crate) fn latest_birth(&self) -> Generation {
        let living = self.entries.iter().filter(|entry| entry.died == ALIVE);
        living.map(|entry| entry.born).max().unwrap_or(0)
    }

    // ---- removal ------------------------------------------------------------------------------

    /// Are there so many dead clauses that it is worth while to find out which can go?
    pub(crate) fn purge_is_due(&self) -> bool {
        let dead = self.dead();
        dead >= FEW_DEAD && dead >= self.purge_at
    }

    /// Removes dead clauses that none of the calls of these generations, in ascending order, can
    /// come to. `cost` is what it took to find the generations out: the next time is put off
    /// accordingly. `gone` receives what is removed; what there is no room for stays.
    pub(crate) fn purge(&mut self, open: &[Generation], cost: usize, gone: &mut Vec<Clause>) {
        while let Some(entry) = self.entries.front()
            && entry.died != ALIVE
            && (entry.clause.is_none() || entry.unreachable(open))
            && gone.try_reserve(1).is_ok()
        {
            let Some(Entry { clause, place, .. }) = self.entries.pop_front() else {
                break;
            };
            let Some(clause) = clause else {
                self.gaps -= 1;
                continue;
            };
            for (arg, state) in self.indexes.iter_mut().enumerate() {
                if let State::Built(index) = state {
                    index.remove_first(clause.head_key(arg), place.position());
                }
            }
            gone.push(clause);
        }
        if self.dead() >= self.sweep_at.max(self.live / 4) + FEW_DEAD {
            self.sweep(open, gone);
            self.sweep_at = self.dead() + self.dead() / 4;
        }
        self.sweep_at = self.sweep_at.min(self.dead() + self.dead() / 4);
        self.purge_at = self.dead() + FEW_DEAD.max(cost / 8);
        if self.entries.capacity() > 64 && self.entries.len() < self.entries.capacity() / 4 {
            self.entries.give_back(self.entries.len() * 2);
        }
        if self.entries.is_empty() {
            self.indexes = Vec::new();
        }
        if self.dying.len() > 2 * self.dead() + FEW_DEAD {
            // Clauses at the front went without it.
            let first = self.entries.front().map(|entry| entry.place.position());
            self.dying
                .retain(|&position| first.is_some_and(|first| position >= first));
            self.dying.shrink_to(2 * self.dying.len());
        }
    }

    /// Removes dead clauses wherever they stand.
    fn sweep(&mut self, open: &[Generation], gone: &mut Vec<Clause>) {
        let from = gone.len();
        // Without memory they stay until there is some.
        if gone.try_reserve(self.dead()).is_err() {
            return;
        }
        self.remove_unreachable(open, gone);
        if self.gaps > GAPS * self.live + FEW_DEAD {
            self.close_gaps();
        }
        let mut indexes = std::mem::take(&mut self.indexes);
        for (arg, state) in indexes.iter_mut().enumerate() {
            if let State::Built(index) = state {
                let mut keys: FastSet<Key> = FastSet::default();
                if keys.try_reserve(gone.len() - from).is_err() {
                    // An index that holds what is gone is none.
                    *state = State::NotBefore(0);
                    continue;
                }
                keys.extend(gone[from..].iter().map(|clause| clause.head_key(arg)));
                for key in keys {
                    index.retain(key, |position| self.entry(position).is_some());
                }
            }
        }
        self.indexes = indexes;
    }

    /// Leaves gaps in place of dead clauses. There is room for them in `gone`.
    fn remove_unreachable(&mut self, open: &[Generation], gone: &mut Vec<Clause>) {
        let before = gone.len();
        let mut remove = |entry: &mut Entry| {
            let goes = entry.died != ALIVE && entry.unreachable(open);
            if let Some(clause) = entry.clause.take_if(|_| goes) {
                gone.push(clause);
            }
        };
        if self.dying_lost {
            self.entries.iter_mut().for_each(remove);
            let dead = |entry: &&Entry| entry.died != ALIVE && entry.clause.is_some();
            self.dying.clear();
            let left = self.entries.iter().filter(dead).count();
            self.dying_lost = self.dying.try_reserve(left).is_err();
            if !self.dying_lost {
                let left = self.entries.iter().filter(dead);
                self.dying.extend(left.map(|entry| entry.place.position()));
            }
        } else {
            let mut dying = std::mem::take(&mut self.dying);
            dying.retain(|&position| {
                let at = self.lower(position);
                let entry = self.entries.get_mut(at);
                let entry = entry.filter(|entry| entry.place.position() == position);
                entry.is_some_and(|entry| {
                    remove(entry);
                    entry.died != ALIVE && entry.clause.is_some()
                })
            });
            self.dying = dying;
        }
        self.gaps += gone.len() - before;
    }

    /// Moves the clauses together.
    fn close_gaps(&mut self) {
        let mut kept = VecDeque::new();
        if kept.try_reserve(self.kept()).is_err() {
            return;
        }
        for mut entry in std::mem::take(&mut self.entries) {
            if entry.clause.is_some() {
                entry.place = Place::new(entry.place.position());
                kept.push_back(entry);
            }
        }
        self.entries = kept;
        self.gaps = 0;
    }

    // ---- selection ----------------------------------------------------------------------------

    /// The best selection for these argument keys, good until a clause is added. Builds indexes when there are enough clauses.
    pub(crate) fn select(&mut self, keys: &[Key]) -> Selection {
        let all = self.kept();
        let mut best = (Selection::All, all);
        if all < INDEX_FROM {
            return Selection::All;
        }
        for (arg, &key) in keys.iter().enumerate() {
            if !key.is_selective() {
                continue;
            }
            if let Some(index) = self.index(arg) {
                let (count, only) = index.count(key);
                if count < best.1 {
                    let selection = match only {
                        _ if count == 0 => Selection::Nothing,
                        Some(position) => Selection::One(position),
                        None => Selection::Keyed(arg as u16, key),
                    };
                    best = (selection, count);
                }
                if count <= FEW_CANDIDATES {
                    break;
                }
            }
        }
        best.0
    }

    /// The index of an argument, built if it pays.
    fn index(&mut self, arg: usize) -> Option<&ArgIndex> {
        if self.indexes.len() <= arg {
            self.indexes.resize_with(arg + 1, || State::NotBefore(0));
        }
        if let State::NotBefore(number) = self.indexes[arg]
            && self.kept() > number
        {
            self.indexes[arg] = self.build_index(arg);
        }
        match &self.indexes[arg] {
            State::Built(index) => Some(index),
            State::NotBefore(_) => None,
        }
    }

    fn build_index(&self, arg: usize) -> State {
        let keys = || self.all().map(|clause| clause.head_key(arg));
        let others = keys().filter(|key| !key.is_selective()).count();
        let mut selective = keys().filter(|key| key.is_selective());
        let first = selective.next();
        let differ = selective.any(|key| Some(key) != first);
        if !differ || others * 2 > self.kept() {
            return State::NotBefore(self.kept() * 2);
        }
        let mut index = ArgIndex::default();
        for entry in &self.entries {
            if let Some(clause) = &entry.clause
                && !index.insert(clause.head_key(arg), entry.place.position(), false)
            {
                return State::NotBefore(self.kept() * 2);
            }
        }
        State::Built(index)
    }

    /// Position of the first clause of the selection at or after `from` that the generation sees.
    pub(crate) fn next(
        &mut self,
        selection: Selection,
        keys: &[Key],
        from: i64,
        generation: Generation,
    ) -> Option<i64> {
        match selection {
            Selection::Nothing => return None,
            Selection::One(position) => {
                let entry = (position >= from).then(|| self.entry(position))??;
                return fits(entry, keys, generation).then_some(position);
            }
            _ => {}
        }
        // To a call of the present all that is dead is invisible, and is passed over in strides.
        let strides = generation >= self.last_death;
        if let Selection::Keyed(arg, key) = selection
            && let Some(State::Built(_)) = self.indexes.get(usize::from(arg))
        {
            let mut indexes = std::mem::take(&mut self.indexes);
            let found = match &mut indexes[usize::from(arg)] {
                State::Built(index) => {
                    index.next(key, from, strides, |position| match self.entry(position) {
                        Some(entry) if fits(entry, keys, generation) => Some(true),
                        Some(entry) if entry.died == ALIVE => Some(false),
                        _ => None,
                    })
                }
                State::NotBefore(_) => None,
            };
            self.indexes = indexes;
            return found;
        }
        let mut at = self.lower(from);
        while let Some(entry) = self.entries.get(at) {
            if fits(entry, keys, generation) {
                return Some(entry.place.position());
            }
            at = if strides && entry.died != ALIVE {
                skip_dead(&mut self.entries, at, |entry| entry.died != ALIVE)
            } else {
                at + 1
            };
        }
        None
    }

    /// A position before every clause.
    pub(crate) fn start(&self) -> i64 {
        self.before
    }
}

impl AsMut<Place> for Entry {
    fn as_mut(&mut self) -> &mut Place {
        &mut self.place
    }
}

/// Does a call of this generation see the clause, and may its head match?
#[inline(always)]
fn fits(entry: &Entry, keys: &[Key], generation: Generation) -> bool {
    let Some(clause) = &entry.clause else {
        return false;
    };
    let matches =
        |(arg, &key): (usize, &Key)| key == Key::ANY || may_match(clause.head_key(arg), key);
    entry.visible(generation) && keys.iter().enumerate().all(matches)
}
