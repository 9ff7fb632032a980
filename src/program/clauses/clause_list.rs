//! Clauses of a predicate in order, with the logical update view (ISO 7.5.4) and hash indexes on arguments that grow
//! with the clauses.
//!
//! Each clause has the generations of its birth and of its death. A call sees the clauses that live in the generation
//! in which it began. A clause keeps its position. No other clause ever gets that position, and positions grow from
//! clause to clause. So an enumeration that continues after any changes finds its place again.

pub(crate) use super::clause::Clause;
use super::entries::{Entries, Entry};
use super::frozen::Frozen;
use super::generation::{ALIVE, Generation};
use super::overlay::Overlay;
use crate::base::growth::{Grow, GrowFront, GrowTable, Within};
use crate::base::stop::Stop;
pub(crate) use crate::ir::key::{CallKeys, KEYED_ARGS, Key, may_match};
use crate::program::indexes::arg_index::{Place, skip_dead};
use crate::program::indexes::hashed::Indexes;
pub(crate) use crate::program::indexes::hashed::Selection;
use crate::store::address::CodeAddr;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

/// The clauses of one predicate: the engine's own clauses, around the clauses that it shares with others.
#[derive(Default)]
pub(crate) struct ClauseList {
    /// The shared clauses. Their positions are between those of the engine's own clauses before and after them.
    pub(super) shared: Option<Box<Overlay>>,
    pub(super) entries: Entries,
    /// One more than the position of the next clause that is added at the front. `after` is the position of the next
    /// clause that is added at the end.
    pub(super) before: i64,
    pub(super) after: i64,
    pub(super) live: usize,
    pub(super) gaps: usize,
    /// Positions of dead clauses that are not removed yet. The list is complete unless `dying_lost`.
    pub(super) dying: Vec<i64>,
    pub(super) dying_lost: bool,
    /// Calls of this generation or a later one see none of the clauses that are dead now.
    last_death: Generation,
    /// Calls of this generation or a later one began when all clauses were present.
    last_birth: Generation,
    /// Number of dead clauses that makes their removal worth while.
    pub(super) purge_at: usize,
    /// Number of dead clauses that makes the removal of those between living ones worth while.
    pub(super) sweep_at: usize,
    pub(super) indexes: Indexes,
    /// Bytes of the indexes that count towards the limit of the engine.
    counted: u64,
}

impl ClauseList {
    /// Makes the list of an engine that shares these clauses with others.
    pub(super) fn over(frozen: Arc<Frozen>) -> ClauseList {
        let list = frozen.list();
        ClauseList {
            before: list.before,
            after: list.after,
            live: list.live,
            shared: Some(Box::new(Overlay::new(frozen))),
            ..ClauseList::default()
        }
    }

    /// Converts the list to the form that a program publishes: the living clauses, as if they had always been there.
    /// `gone` receives the dead clauses.
    ///
    /// # Errors
    /// Returns an error if memory is short; then the list is unchanged.
    pub(super) fn freeze(&mut self, gone: &mut Vec<Clause>) -> Result<Frozen, Stop> {
        let dead = self.entries.list.iter().filter(|entry| entry.is_dying());
        gone.room_for(dead.count())?;
        let whole = self.shared.is_none() && self.live == self.entries.list.len();
        let mut list = VecDeque::new();
        if !whole {
            list.try_reserve_exact(self.live)?;
            for (position, clause) in self.iter() {
                list.put_within(Entry {
                    clause: Some(clause.clone()),
                    born: 0,
                    died: ALIVE,
                    place: Place::new(position),
                });
            }
        }
        let old = std::mem::take(self);
        let mut new = ClauseList {
            before: old.before,
            after: old.after,
            live: old.live,
            ..ClauseList::default()
        };
        if whole {
            new.entries = old.entries;
            new.entries.list.iter_mut().for_each(|entry| entry.born = 0);
            new.indexes = old.indexes;
        } else {
            new.entries.list = list;
            let dead = old.entries.list.into_iter().filter(Entry::is_dying);
            gone.put_all_within(dead.filter_map(|entry| entry.clause));
        }
        Ok(Frozen::new(new))
    }

    /// Returns the range of all positions that clauses have had.
    pub(super) fn range(&self) -> Range<i64> {
        self.before..self.after
    }

    /// Returns the shared clauses, if one of them has this position.
    fn shared_at(&self, position: i64) -> Option<&Overlay> {
        let shared = self.shared.as_deref()?;
        shared.range().contains(&position).then_some(shared)
    }

    /// Returns the entries of the engine's own clauses that come after the shared ones (`after`) or before them.
    fn own(&self, after: bool) -> impl Iterator<Item = &Entry> {
        let middle = match &self.shared {
            Some(shared) => self.entries.lower(shared.range().start),
            None => 0,
        };
        let range = if after {
            middle..self.entries.list.len()
        } else {
            0..middle
        };
        self.entries.list.range(range)
    }

    /// Returns all clauses in order, with their positions and whether they are alive.
    fn each(&self) -> impl Iterator<Item = (i64, &Clause, bool)> {
        let shared = self.shared.iter().flat_map(|shared| shared.iter());
        let before = self.own(false).filter_map(Entry::parts);
        before
            .chain(shared)
            .chain(self.own(true).filter_map(Entry::parts))
    }

    /// Returns the number of living clauses.
    pub(crate) fn len(&self) -> usize {
        self.live
    }

    /// Returns the number of dead clauses that are not removed yet.
    pub(crate) fn dead(&self) -> usize {
        self.kept() - self.own_live()
    }

    /// Returns the number of living clauses that are not shared.
    #[inline(always)]
    fn own_live(&self) -> usize {
        match &self.shared {
            Some(shared) => self.live - shared.living(),
            None => self.live,
        }
    }

    /// Returns the number of clauses, living and dead, that are not shared.
    #[inline(always)]
    pub(super) fn kept(&self) -> usize {
        self.entries.list.len() - self.gaps
    }

    /// Returns the clause at a position.
    pub(crate) fn get(&self, position: i64) -> Option<&Clause> {
        match self.shared_at(position) {
            Some(shared) => shared.get(position),
            None => self.entries.entry(position)?.clause.as_ref(),
        }
    }

    /// Returns the generation in which the clause at a position was added; 0 if it precedes all generations.
    pub(crate) fn born(&self, position: i64) -> Option<Generation> {
        match self.shared_at(position) {
            Some(shared) => shared.get(position).map(|_| 0),
            None => Some(self.entries.entry(position)?.born),
        }
    }

    /// Returns whether there is a living clause at this position.
    pub(crate) fn is_alive(&self, position: i64) -> bool {
        match self.shared_at(position) {
            Some(shared) => shared.is_alive(position),
            None => {
                let entry = self.entries.entry(position);
                entry.is_some_and(|entry| entry.died == ALIVE)
            }
        }
    }

    /// Returns all clauses, including dead ones that are not removed yet.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Clause> {
        self.each().map(|(_, clause, _)| clause)
    }

    /// Returns all clauses that are not shared, including dead ones that are not removed yet.
    pub(crate) fn all_own(&self) -> impl Iterator<Item = &Clause> {
        let entries = self.entries.list.iter();
        entries.filter_map(|entry| entry.clause.as_ref())
    }

    /// Returns the living clauses in order, with their positions.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (i64, &Clause)> {
        let living = self.each().filter(|(.., alive)| *alive);
        living.map(|(position, clause, _)| (position, clause))
    }

    /// Returns all clauses from a position on that are not shared, with their positions.
    pub(crate) fn own_from(&self, position: i64) -> impl Iterator<Item = (i64, &Clause)> {
        let from = self.entries.lower(position);
        self.entries
            .list
            .range(from..)
            .filter_map(|entry| Some((entry.place.position(), entry.clause.as_ref()?)))
    }

    /// Makes room for a clause, so that adding one cannot fail.
    pub(crate) fn make_room(&mut self) -> Result<(), Stop> {
        // Most predicates that a program creates at run time have one clause.
        if self.entries.list.capacity() == 0 && self.entries.list.try_reserve_exact(1).is_ok() {
            return Ok(());
        }
        self.entries.list.make_room()?;
        Ok(())
    }

    /// Returns the position of the clause that is added next, at the front or at the end.
    pub(crate) fn next_position(&self, front: bool) -> i64 {
        if front { self.before - 1 } else { self.after }
    }

    /// Adds a clause at the end or at the front. This generation is the first to see it.
    pub(crate) fn add(
        &mut self,
        clause: Clause,
        born: Generation,
        front: bool,
    ) -> Result<i64, Stop> {
        self.make_room()?;
        let position = self.next_position(front);
        if front {
            self.before = position;
        } else {
            self.after = position + 1;
        }
        self.indexes.insert(&self.entries, &clause, position, front);
        let entry = Entry {
            clause: Some(clause),
            born,
            died: ALIVE,
            place: Place::new(position),
        };
        if front {
            self.entries.list.put_front(entry)?;
        } else {
            self.entries.list.put(entry)?;
        }
        self.live += 1;
        self.last_birth = born;
        Ok(position)
    }

    /// Replaces a clause by another one of the same source and returns the old one.
    pub(crate) fn replace(&mut self, position: i64, clause: Clause) -> Option<Clause> {
        let at = self.entries.lower(position);
        let entry = self.entries.list.get_mut(at)?;
        if entry.place.position() != position || entry.clause.is_none() {
            return None;
        }
        self.indexes.moved(&clause, position);
        entry.clause.replace(clause)
    }

    /// Marks a clause dead from `generation` on. Returns false if it was already dead.
    ///
    /// # Errors
    /// Returns an error if there is no memory to note it.
    pub(crate) fn erase(&mut self, position: i64, generation: Generation) -> Result<bool, Stop> {
        if self.shared_at(position).is_some()
            && let Some(shared) = &mut self.shared
        {
            let goes = shared.erase(position, generation)?;
            if goes {
                self.last_death = generation;
                self.live -= 1;
            }
            return Ok(goes);
        }
        let at = self.entries.lower(position);
        match self.entries.list.get_mut(at) {
            Some(entry) if entry.place.position() == position && entry.died == ALIVE => {
                entry.died = generation;
                self.last_death = generation;
                self.live -= 1;
                if self.dying.try_reserve(1).is_ok() {
                    self.dying.put_within(position);
                } else {
                    self.dying_lost = true;
                }
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// Marks all living clauses dead from `generation` on that `goes` accepts. `goes` gets the clause and the
    /// generation in which it was added. Returns false if there is no such clause.
    ///
    /// # Errors
    /// Returns an error if there is no memory to note it; some of the clauses may be dead then.
    pub(crate) fn erase_all(
        &mut self,
        generation: Generation,
        goes: impl Fn(&Clause, Generation) -> bool,
    ) -> Result<bool, Stop> {
        let before = self.live;
        if let Some(shared) = &mut self.shared {
            self.last_death = generation;
            let living = shared.living();
            let result = shared.erase_all(generation, |clause| goes(clause, 0));
            self.live -= living - shared.living();
            result?;
        }
        for entry in &mut self.entries.list {
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
        Ok(self.live < before)
    }

    /// Revives the clauses that died in `generation`.
    pub(crate) fn revive(&mut self, generation: Generation) {
        if let Some(shared) = &mut self.shared {
            self.live += shared.revive(generation);
        }
        for entry in &mut self.entries.list {
            if entry.died == generation && entry.clause.is_some() {
                entry.died = ALIVE;
                self.live += 1;
            }
            // The stored length of a run of dead clauses may be wrong now.
            entry.place = Place::new(entry.place.position());
        }
        self.indexes.clear();
        (self.dying, self.dying_lost) = (Vec::new(), true);
    }

    /// Returns the living clauses that were added after this generation.
    pub(crate) fn living_since(&self, generation: Generation) -> impl Iterator<Item = &Clause> {
        let since = move |&(position, _): &(i64, &Clause)| {
            self.born(position).is_some_and(|born| born > generation)
        };
        self.iter().filter(since).map(|(_, clause)| clause)
    }

    /// Returns the generation in which the newest of the living clauses was added, 0 if there is none.
    pub(crate) fn latest_birth(&self) -> Generation {
        let living = self.entries.list.iter().filter(|entry| entry.died == ALIVE);
        living.map(|entry| entry.born).max().unwrap_or(0)
    }

    // ---- selection ----------------------------------------------------------------------------

    /// Returns the best selection for a call, valid until a clause is added. Builds indexes when there are enough
    /// clauses.
    #[inline]
    pub(crate) fn select(&mut self, call: &CallKeys) -> Selection {
        self.select_code(call).0
    }

    /// Does the work of [`ClauseList::select`]. If the selection is one clause, also returns the address of its code.
    #[inline(always)]
    fn select_code(&mut self, call: &CallKeys) -> (Selection, CodeAddr) {
        if self.shared.is_some() {
            return (self.select_both(call), CodeAddr::NONE);
        }
        let kept = self.kept();
        self.indexes.select(&self.entries, kept, call)
    }

    #[inline(never)]
    fn select_both(&mut self, call: &CallKeys) -> Selection {
        let kept = self.kept();
        let own = match kept {
            0 => Selection::Nothing,
            _ => self.indexes.select_several(&self.entries, kept, call),
        };
        let shared = self
            .shared
            .as_deref()
            .map(|shared| shared.frozen().select(call));
        Selection::both(own, shared.unwrap_or(Selection::Nothing))
    }

    /// Returns the start of a call of this generation, which must be the present one. The start is the code of the
    /// first clause that the call sees and whose head may match. With it comes the position of the next clause, and
    /// the number of the selection. If an index finds a single clause, only the code decides whether the head
    /// matches.
    #[inline]
    pub(crate) fn first(
        &mut self,
        call: &CallKeys,
        generation: Generation,
    ) -> Option<(CodeAddr, Option<(i64, i64)>)> {
        let (selection, code) = self.select_code(call);
        match selection {
            Selection::One(position) => {
                // The call sees every living clause. While no clause is dead, there is no need to read the entry.
                let alive = self.live == self.kept() || self.is_alive(position);
                return alive.then_some((code, None));
            }
            Selection::Nothing => return None,
            _ => {}
        }
        let first = self.next(selection, call, self.before, generation)?;
        let (code, second) = self.step(selection, call, first, generation);
        Some((code?, second.map(|second| (second, selection.number()))))
    }

    /// Continues a call of this generation that has a selection of this number. Returns the code of the clause at
    /// this position and the position of the next clause.
    #[inline]
    pub(crate) fn again(
        &mut self,
        number: i64,
        call: &CallKeys,
        position: i64,
        generation: Generation,
    ) -> (Option<CodeAddr>, Option<i64>) {
        // The call sees no clause that is newer than the selection, so it needs no better one.
        let selection = match number {
            1.. if generation >= self.last_birth => Selection::of_number(number),
            _ => self.select(call),
        };
        self.step(selection, call, position, generation)
    }

    #[inline(always)]
    fn step(
        &mut self,
        selection: Selection,
        call: &CallKeys,
        position: i64,
        generation: Generation,
    ) -> (Option<CodeAddr>, Option<i64>) {
        if let Selection::Both(_) = selection {
            let code = self.get(position).map(Clause::entry);
            return (code, self.next(selection, call, position + 1, generation));
        }
        let at = self.entries.lower(position);
        let entry = self.entries.list.get(at);
        let entry = entry.filter(|entry| entry.place.position() == position);
        let code = entry.and_then(|entry| Some(entry.clause.as_ref()?.entry()));
        let next = match selection {
            Selection::All => self.next_from(at + usize::from(entry.is_some()), call, generation),
            _ => self.next(selection, call, position + 1, generation),
        };
        (code, next)
    }

    /// Returns the position of the first clause of the selection at or after `from` that the generation sees.
    pub(crate) fn next(
        &mut self,
        selection: Selection,
        call: &CallKeys,
        from: i64,
        generation: Generation,
    ) -> Option<i64> {
        match selection {
            Selection::Nothing => return None,
            Selection::Both(numbers) => return self.next_of_both(numbers, call, from, generation),
            Selection::One(position) => {
                let entry = (position >= from).then(|| self.entries.entry(position))??;
                return fits(entry, call, generation).then_some(position);
            }
            _ => {}
        }
        // A call of the present generation sees no dead clause, so it skips runs of them in strides.
        let strides = generation >= self.last_death;
        let entries = &self.entries;
        let verdict = |position| match entries.entry(position) {
            Some(entry) if fits(entry, call, generation) => Some(true),
            Some(entry) if entry.died == ALIVE => Some(false),
            _ => None,
        };
        if selection != Selection::All
            && let Some(found) = self.indexes.next((selection, call), from, strides, verdict)
        {
            return found;
        }
        self.next_from(self.entries.lower(from), call, generation)
    }

    /// Does the work of [`ClauseList::next`] for the engine's own clauses and the shared ones together.
    #[inline(never)]
    fn next_of_both(
        &mut self,
        numbers: i64,
        call: &CallKeys,
        from: i64,
        generation: Generation,
    ) -> Option<i64> {
        let (own, selection) = Selection::halves(numbers);
        let range = self.shared.as_deref()?.range();
        if from < range.start
            && let Some(found) = self.next(own, call, from, generation)
            && found < range.start
        {
            return Some(found);
        }
        let present = generation >= self.last_death;
        let shared = self.shared.as_deref_mut()?;
        let begin = from.max(range.start);
        let found = shared.next(selection, call, begin, (generation, present));
        found.or_else(|| self.next(own, call, from.max(range.end), generation))
    }

    /// Returns the position of the first clause, from a place of the list on, that the generation sees.
    #[inline]
    fn next_from(&mut self, mut at: usize, call: &CallKeys, generation: Generation) -> Option<i64> {
        let strides = generation >= self.last_death;
        while let Some(entry) = self.entries.list.get(at) {
            if fits(entry, call, generation) {
                self.entries.expect(at);
                return Some(entry.place.position());
            }
            at = if strides && entry.died != ALIVE {
                skip_dead(&mut self.entries.list, at, |entry| entry.died != ALIVE)
            } else {
                at + 1
            };
        }
        None
    }

    /// Returns the bytes that the indexes take now, and how many of them count towards the limit.
    pub(crate) fn index_bytes(&self) -> (u64, u64) {
        (self.indexes.bytes(self.kept()), self.counted)
    }

    /// Sets the number of bytes of the indexes that count towards the limit.
    pub(crate) fn count_index_bytes(&mut self, bytes: u64) {
        self.counted = bytes;
    }

    /// Returns a position before every clause.
    pub(crate) fn start(&self) -> i64 {
        self.before
    }
}

/// Returns whether a call of this generation sees the clause and its head may match.
#[inline(always)]
fn fits(entry: &Entry, call: &CallKeys, generation: Generation) -> bool {
    let Some(clause) = &entry.clause else {
        return false;
    };
    let matches =
        |(arg, &key): (usize, &Key)| key == Key::ANY || may_match(clause.head_key(arg), key);
    entry.visible(generation)
        && call.keys().iter().enumerate().all(matches)
        && call.can_unify(|arg| clause.head_arg(arg))
}
