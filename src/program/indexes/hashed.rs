//! The hash indexes of the clauses of one predicate: on single arguments by their keys, and joint ones on the terms
//! at several places of the arguments. Each is made when calls would try many clauses without it, if it pays. It
//! grows with the clauses.

use super::arg_index::{ArgIndex, Verdict};
use super::places::{Path, Tally, bound_places};
use crate::base::atom_table::FastSet;
use crate::base::growth::{Gather, Grow, Within};
use crate::base::stop::Stop;
use crate::ir::key::{CallKeys, Key};
use crate::program::clauses::clause::Clause;
use crate::program::clauses::entries::Entries;
use crate::store::address::CodeAddr;
use std::cmp::Reverse;

/// Number of clauses below which they are searched one by one.
const INDEX_FROM: usize = 8;
/// Number of candidates that needs no better index.
const FEW_CANDIDATES: usize = 4;
/// Maximum number of joint indexes of a predicate. Each takes some of the time to add a clause.
const JOINT_INDEXES: usize = 6;
/// Maximum number of sets of places that are remembered because an index on them does not pay.
const REFUSED: usize = 12;
/// Maximum number of places of a joint index.
const JOINT_PLACES: usize = 4;
/// Numbers of joint indexes from this one on do not fit into a choice point.
const MOST_NUMBERED: i64 = 1 << 24;
/// The predicate considers a joint index when the clauses that calls have tried exceed its number of clauses by this
/// factor.
const PATIENCE: usize = 2;

/// The clauses that a call has to try. All variants hold the same type, so a selection is passed in registers.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Selection {
    /// All clauses.
    All,
    /// The clauses that the index of this argument holds for the argument's key.
    Keyed(i64),
    /// The clauses that the joint index of this number holds for the key of the call.
    Joint(i64),
    /// The clause at this position.
    One(i64),
    /// No clause.
    Nothing,
    /// A selection among the engine's own clauses and one among the shared clauses: the numbers of both.
    Both(i64),
}

/// Bits of the number of a selection among shared clauses.
const HALF: u32 = 14;
/// First of the numbers of selections of both kinds.
const BOTH: i64 = 1 << (2 * HALF);

impl Selection {
    /// Returns the number of a selection of several clauses, for a choice point; it is greater than 0.
    pub(crate) fn number(self) -> i64 {
        match self {
            Selection::Keyed(arg) => 2 + 2 * arg,
            Selection::Joint(number) if number < MOST_NUMBERED => 3 + 2 * number,
            Selection::Both(halves) => BOTH | halves,
            // All clauses give the same solutions, only slower.
            _ => 1,
        }
    }

    /// Returns the selection of several clauses that has this number.
    pub(in crate::program) fn of_number(number: i64) -> Selection {
        match number {
            0 => Selection::Nothing,
            1 => Selection::All,
            BOTH.. => Selection::Both(number - BOTH),
            _ if number % 2 == 0 => Selection::Keyed(number / 2 - 1),
            _ => Selection::Joint(number / 2 - 1),
        }
    }

    /// Combines a selection among the engine's own clauses and one among the shared clauses.
    pub(in crate::program) fn both(own: Selection, shared: Selection) -> Selection {
        let half = |selection| match selection {
            Selection::Nothing => 0,
            other => Some(other.number())
                .filter(|number| *number < 1 << HALF)
                .unwrap_or(1),
        };
        Selection::Both(half(own) << HALF | half(shared))
    }

    /// Returns the two selections that [`Selection::both`] has combined.
    pub(in crate::program) fn halves(numbers: i64) -> (Selection, Selection) {
        let half = |number| Selection::of_number(number & ((1 << HALF) - 1));
        (half(numbers >> HALF), half(numbers))
    }
}

/// The state of an index.
enum State {
    /// No index, until a call needs it and there are more clauses than this number.
    NotBefore(usize),
    Built(ArgIndex),
}

impl State {
    fn index(&self) -> Option<&ArgIndex> {
        match self {
            State::Built(index) => Some(index),
            State::NotBefore(_) => None,
        }
    }

    fn index_mut(&mut self) -> Option<&mut ArgIndex> {
        match self {
            State::Built(index) => Some(index),
            State::NotBefore(_) => None,
        }
    }
}

/// An index on several places together.
struct Joint {
    /// Its number. No other joint index of the predicate has or had it.
    number: i64,
    places: Vec<Path>,
    state: State,
    /// The time of the last use of the index, see [`Indexes::served`].
    served: u64,
}

impl Joint {
    fn key_of(&self, clause: &Clause) -> Key {
        joint_key(&self.places, clause)
    }

    fn key_of_call(&self, call: &CallKeys) -> Key {
        Key::joined(
            self.places
                .iter()
                .map(|path| path.key(|arg| call.argument(arg))),
        )
    }
}

/// Returns one key for the terms of the clause at these places.
fn joint_key(places: &[Path], clause: &Clause) -> Key {
    Key::joined(
        places
            .iter()
            .map(|path| path.key(|arg| Some(clause.head_arg(arg)))),
    )
}

/// The indexes of a predicate.
pub(in crate::program) struct Indexes {
    /// Indexes of single arguments.
    single: Vec<State>,
    joint: Vec<Joint>,
    /// Number of the newest joint index.
    number: i64,
    /// Number of uses of joint indexes.
    served: u64,
    /// Number of clauses that calls had to try and that a joint index might have separated.
    walked: usize,
    /// Multiple of the number of clauses that `walked` must exceed before a joint index is considered.
    patience: usize,
}

impl Default for Indexes {
    fn default() -> Self {
        Indexes {
            single: Vec::new(),
            joint: Vec::new(),
            number: 0,
            served: 0,
            walked: 0,
            patience: PATIENCE,
        }
    }
}

impl Indexes {
    /// Adds a clause, which is the first or the last of its predicate and not yet among its entries.
    pub(in crate::program) fn insert(
        &mut self,
        entries: &Entries,
        clause: &Clause,
        position: i64,
        front: bool,
    ) {
        self.each(|state, key| {
            if let State::Built(index) = state
                && !add(entries, index, key, (position, clause), front)
            {
                // An index that lacks a clause is useless.
                *state = State::NotBefore(entries.list.len() * 2);
            }
        });
    }

    /// Notes that this clause, with the same head, has replaced the one at its position.
    pub(in crate::program) fn moved(&mut self, clause: &Clause, position: i64) {
        self.each(|state, key| {
            if let State::Built(index) = state
                && !index.set_code(key(clause), position, clause.entry())
            {
                *state = State::NotBefore(0);
            }
        });
    }

    /// Removes a clause, which is the first of its predicate.
    pub(in crate::program) fn remove_first(&mut self, clause: &Clause, position: i64) {
        self.each(|state, key| {
            if let State::Built(index) = state {
                index.remove_first(key(clause), position);
            }
        });
    }

    /// Removes clauses. `stays` returns whether the clause at a position is not removed.
    pub(in crate::program) fn remove(&mut self, gone: &[Clause], stays: impl Fn(i64) -> bool) {
        self.each(|state, key| {
            let State::Built(index) = state else {
                return;
            };
            let mut keys: FastSet<Key> = FastSet::default();
            if keys.try_reserve(gone.len()).is_err() {
                // An index that holds removed clauses is useless.
                *state = State::NotBefore(0);
                return;
            }
            keys.put_all_within(gone.iter().map(key));
            for key in keys {
                index.retain(key, &stays);
            }
        });
    }

    /// Calls `look_at` for each index, with the function that returns the key of a clause in it.
    fn each(&mut self, mut look_at: impl FnMut(&mut State, &dyn Fn(&Clause) -> Key)) {
        for (arg, state) in self.single.iter_mut().enumerate() {
            look_at(state, &|clause| clause.head_key(arg));
        }
        for joint in &mut self.joint {
            let places = &joint.places;
            look_at(&mut joint.state, &|clause| joint_key(places, clause));
        }
    }

    /// Drops all indexes.
    pub(in crate::program) fn clear(&mut self) {
        let number = self.number;
        *self = Indexes {
            number,
            ..Indexes::default()
        };
    }

    /// Returns the best selection for a call among `kept` clauses, valid until a clause is added. If the selection is
    /// one clause, also returns the address of its code, valid until a clause is added or removed. Builds indexes
    /// when there are enough clauses.
    #[inline]
    pub(in crate::program) fn select(
        &mut self,
        entries: &Entries,
        kept: usize,
        call: &CallKeys,
    ) -> (Selection, CodeAddr) {
        let best = self.best(entries, kept, call);
        (best.selection, best.code)
    }

    /// Returns the best selection for a call in the form of a selection of several clauses.
    pub(in crate::program) fn select_several(
        &mut self,
        entries: &Entries,
        kept: usize,
        call: &CallKeys,
    ) -> Selection {
        self.best(entries, kept, call).several()
    }

    #[inline(always)]
    fn best(&mut self, entries: &Entries, kept: usize, call: &CallKeys) -> Best {
        let mut best = Best::all(kept);
        if kept < INDEX_FROM {
            return best;
        }
        for joint in &mut self.joint {
            if consider_joint(&mut best, joint, call) {
                self.served += 1;
                joint.served = self.served;
            }
        }
        if best.count <= FEW_CANDIDATES {
            return best;
        }
        for (arg, &key) in call.keys().iter().enumerate() {
            if key.is_selective()
                && let Some(index) = self.single(entries, kept, arg)
            {
                let selection = Selection::Keyed(arg as i64);
                consider(&mut best, selection, index, key);
                if best.count <= FEW_CANDIDATES {
                    return best;
                }
            }
        }
        if best.count > INDEX_FROM && call.keys().iter().any(|&key| key != Key::ANY) {
            self.walked += best.count;
            if self.walked / self.patience > kept {
                self.walked = 0;
                self.make_joint(entries, kept, call, &mut best);
            }
        }
        best
    }

    /// Returns the index of an argument, and builds it if it pays.
    fn single(&mut self, entries: &Entries, kept: usize, arg: usize) -> Option<&ArgIndex> {
        if self.single.len() <= arg {
            let more = arg + 1 - self.single.len();
            self.single.room_for(more).ok()?;
            self.single
                .put_all_within((0..more).map(|_| State::NotBefore(0)));
        }
        let state = &mut self.single[arg];
        if let State::NotBefore(number) = *state
            && kept > number
        {
            *state = match single_index(entries, arg, kept) {
                Some(index) => State::Built(index),
                None => State::NotBefore(kept * 2),
            };
        }
        state.index()
    }

    /// Takes the indexes of single arguments that are made.
    pub(in crate::program) fn take_single(&mut self) -> impl Iterator<Item = (usize, ArgIndex)> {
        let all = std::mem::take(&mut self.single).into_iter().enumerate();
        all.filter_map(|(arg, state)| match state {
            State::Built(index) => Some((arg, index)),
            State::NotBefore(_) => None,
        })
    }

    /// Looks for a better selection for a call, among indexes that do not change. `single` returns those of single
    /// arguments.
    pub(in crate::program) fn best_of_frozen<'a>(
        &self,
        best: &mut Best,
        call: &CallKeys,
        single: impl Fn(usize) -> Option<&'a ArgIndex>,
    ) {
        if best.count < INDEX_FROM {
            return;
        }
        for joint in &self.joint {
            consider_joint(best, joint, call);
        }
        for (arg, &key) in call.keys().iter().enumerate() {
            if best.count <= FEW_CANDIDATES {
                return;
            }
            if key.is_selective()
                && let Some(index) = single(arg)
            {
                consider(best, Selection::Keyed(arg as i64), index, key);
            }
        }
    }

    /// Returns the joint index of this number with the key of a call in it; `None` if there is none.
    pub(in crate::program) fn joint(
        &self,
        number: i64,
        call: &CallKeys,
    ) -> Option<(Option<&ArgIndex>, Key)> {
        let joint = self.joint.iter().find(|joint| joint.number == number)?;
        Some((joint.state.index(), joint.key_of_call(call)))
    }

    /// Makes a joint index on places of a call that separate clauses. Does so only if there is none yet and the new
    /// index is much better than the others.
    #[cold]
    #[inline(never)]
    fn make_joint(&mut self, entries: &Entries, kept: usize, call: &CallKeys, best: &mut Best) {
        self.patience = self.patience.saturating_mul(2);
        let Ok(places) = best_places(entries, kept, call) else {
            return;
        };
        let slot = match self.joint.iter().position(|joint| joint.places == places) {
            Some(slot) => slot,
            None if places.is_empty() || !self.room_for_joint() => return,
            None => {
                self.number += 1;
                self.joint.put_within(Joint {
                    number: self.number,
                    places,
                    state: State::NotBefore(0),
                    served: 0,
                });
                self.joint.len() - 1
            }
        };
        let joint = &self.joint[slot];
        if let State::NotBefore(number) = joint.state
            && kept > number
        {
            let state = build(entries, |clause| joint.key_of(clause), kept);
            // If all keys had equally many clauses, this call would have to try at most half of its present
            // candidates.
            let pays = |index: &ArgIndex| kept / index.keys().max(1) <= best.count / 2;
            let joint = &mut self.joint[slot];
            if state.index().is_some_and(pays) {
                joint.state = state;
                self.patience = PATIENCE;
                self.served += 1;
                joint.served = self.served;
                consider_joint(best, joint, call);
                self.drop_least_used();
            } else {
                joint.state = State::NotBefore(kept * 2);
            }
        }
    }

    /// Makes room for one more set of places. Returns false if memory is short.
    fn room_for_joint(&mut self) -> bool {
        if self.joint.len() >= JOINT_INDEXES + REFUSED {
            // An index that did not pay may pay by now.
            self.joint.retain(|joint| joint.state.index().is_some());
        }
        self.joint.try_reserve(1).is_ok()
    }

    /// Drops the joint index that was not used for the longest time, if there are too many.
    fn drop_least_used(&mut self) {
        let built = |joint: &&Joint| joint.state.index().is_some();
        if self.joint.iter().filter(built).count() > JOINT_INDEXES {
            let oldest = self
                .joint
                .iter()
                .filter(built)
                .map(|joint| joint.served)
                .min();
            self.joint
                .retain(|joint| Some(joint.served) != oldest || joint.state.index().is_none());
        }
    }

    /// Returns the bytes that the indexes take for about this number of clauses, without the first index.
    pub(in crate::program) fn bytes(&self, clauses: usize) -> u64 {
        let joint = self.joint.iter().map(|joint| &joint.state);
        let built = self.single.iter().chain(joint).filter_map(State::index);
        built.skip(1).map(|index| index.bytes(clauses)).sum()
    }

    /// Returns the first position at or after `from` that a selection by an index has and whose verdict is true, see
    /// [`ArgIndex::next`]. Returns `None` if the index no longer exists.
    pub(in crate::program) fn next(
        &mut self,
        (selection, call): (Selection, &CallKeys),
        from: i64,
        strides: bool,
        verdict: impl Fn(i64) -> Verdict,
    ) -> Option<Option<i64>> {
        let (state, key) = match selection {
            Selection::Keyed(arg) => {
                let key = *call.keys().get(arg as usize)?;
                (self.single.get_mut(arg as usize)?, key)
            }
            Selection::Joint(number) => {
                let mut joint = self.joint.iter_mut();
                let joint = joint.find(|joint| joint.number == number)?;
                let key = joint.key_of_call(call);
                (&mut joint.state, key)
            }
            _ => return None,
        };
        let index = state.index_mut()?;
        Some(index.next(key, from, strides, verdict))
    }
}

/// The best selection so far.
pub(in crate::program) struct Best {
    selection: Selection,
    count: usize,
    /// Address of the code if the selection is one clause.
    code: CodeAddr,
    /// The selection by the same index, in the form that does not depend on the number of its clauses.
    via: Selection,
}

impl Best {
    /// Selects all of `kept` clauses.
    pub(in crate::program) fn all(kept: usize) -> Best {
        Best {
            selection: Selection::All,
            count: kept,
            code: CodeAddr::NONE,
            via: Selection::All,
        }
    }

    /// Returns the selection, in the form of a selection of several clauses.
    pub(in crate::program) fn several(&self) -> Selection {
        match self.count {
            0 => Selection::Nothing,
            _ => self.via,
        }
    }
}

/// Replaces the best selection so far if the index has fewer clauses for the key. Returns whether it has replaced it.
#[inline(always)]
fn consider(best: &mut Best, selection: Selection, index: &ArgIndex, key: Key) -> bool {
    let candidates = index.candidates(key);
    let better = candidates.count < best.count;
    if better {
        best.count = candidates.count;
        best.via = selection;
        (best.selection, best.code) = match candidates.only {
            Some((position, code)) => (Selection::One(position), code),
            None if candidates.count == 0 => (Selection::Nothing, CodeAddr::NONE),
            None => (selection, CodeAddr::NONE),
        };
    }
    better
}

#[inline]
fn consider_joint(best: &mut Best, joint: &Joint, call: &CallKeys) -> bool {
    let Some(index) = joint.state.index() else {
        return false;
    };
    let key = joint.key_of_call(call);
    key.is_selective() && consider(best, Selection::Joint(joint.number), index, key)
}

/// Returns the places of a call that separate clauses best.
fn best_places(entries: &Entries, kept: usize, call: &CallKeys) -> Result<Vec<Path>, Stop> {
    let mut places: Vec<(Path, Tally)> = bound_places(call)?
        .into_iter()
        .map(|path| (path, Tally::default()))
        .gather()?;
    for (_, clause) in entries.clauses() {
        for (path, tally) in &mut places {
            tally.add(path.key(|arg| Some(clause.head_arg(arg))));
        }
    }
    places.retain(|(_, tally)| tally.separates(kept));
    places.sort_by_key(|(_, tally)| Reverse(tally.keys()));
    places.truncate(JOINT_PLACES);
    let mut places: Vec<Path> = places.into_iter().map(|(path, _)| path).gather()?;
    places.sort_unstable();
    Ok(places)
}

/// Returns the index of an argument for `kept` clauses; `None` if it does not pay or memory is short.
pub(in crate::program) fn single_index(
    entries: &Entries,
    arg: usize,
    kept: usize,
) -> Option<ArgIndex> {
    let mut tally = Tally::default();
    for (_, clause) in entries.clauses() {
        tally.add(clause.head_key(arg));
    }
    if !tally.separates(kept) {
        return None;
    }
    match build(entries, |clause| clause.head_key(arg), kept) {
        State::Built(index) => Some(index),
        State::NotBefore(_) => None,
    }
}

fn build(entries: &Entries, key: impl Fn(&Clause) -> Key, kept: usize) -> State {
    let mut index = ArgIndex::default();
    for clause in entries.clauses() {
        if !add(entries, &mut index, &key, clause, false) {
            return State::NotBefore(kept * 2);
        }
    }
    State::Built(index)
}

/// Adds a clause to an index whose keys `key` returns. Returns false if that is not possible.
#[must_use]
fn add(
    entries: &Entries,
    index: &mut ArgIndex,
    key: &dyn Fn(&Clause) -> Key,
    (position, clause): (i64, &Clause),
    front: bool,
) -> bool {
    let key_at = |position| Some(key(entries.entry(position)?.clause.as_ref()?));
    index.insert(key(clause), (position, clause.entry()), front, key_at)
}
