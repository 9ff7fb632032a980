//! Tables of tabled predicates: for each variant of a goal its answers, and what the evaluation of
//! goals that depend on each other has to know of them (SLG resolution by iteration: B-Prolog's linear
//! tabling, with Tarjan's search for the goals that depend on each other).
//!
//! A table is made when its goal is first called. All its answers are looked for at once; calls of
//! variants meanwhile get the answers that there are. Tables that have met one that is not complete wait
//! for the oldest of those that they depend on, their leader, whose evaluation is repeated until nothing
//! new is found. Then all of them are complete.
//!
//! A goal that depends on assumptions has a table of its own for each list of them, so that it depends on
//! what is in its key alone. Such a table lasts until the evaluation is over in which it was made.

use super::state::Machine;
use crate::base::grow::{GrowBy, GrowTable, room_for_one};
use crate::base::symbol::{FastMap, Functor};
use crate::store::copy::Stored;

/// What the names of the predicates end in that have the clauses of tabled ones.
pub(crate) const SUFFIX: &str = " tabled";

impl Machine {
    /// The predicate as the program names it: the tabled one whose clauses this one would have.
    pub(crate) fn functor_of_program(&mut self, functor: Functor) -> Functor {
        let name = self.symbols.text(self.symbols.name(functor));
        let Some(name) = name.strip_suffix(SUFFIX).map(str::to_owned) else {
            return functor;
        };
        let name = self.symbols.intern_passing(&name);
        self.symbols.functor_passing(name, functor.arity())
    }
}

/// What is known of a table.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// It is being evaluated.
    Active,
    /// It was evaluated in the present round of its leader.
    Waiting,
    /// It has to be evaluated again.
    Stale,
    /// It has all answers.
    Complete,
    /// It was given up: its number is not used any more.
    Gone,
}

/// An answer: its terms by which it is known, and those that were chosen for them by a mode.
#[derive(Debug)]
pub(crate) struct Answer {
    /// `Key-Value`.
    pub(crate) term: Stored,
    /// Hash of the key.
    pub(crate) hash: u64,
}

/// The table of a goal.
#[derive(Debug)]
pub(crate) struct Table {
    /// The goal with its module.
    pub(crate) goal: Stored,
    hash: u64,
    /// How far it is.
    pub(crate) state: State,
    /// The answers in order; none where a better one has come later.
    pub(crate) answers: Vec<Option<Answer>>,
    /// The answers by the hash of their keys.
    pub(crate) by_key: FastMap<u64, Vec<u32>>,
    /// Its place among the tables that are not complete.
    place: usize,
    /// The least place of those that it depends on.
    low: usize,
    /// Is this its first evaluation? Only then may it be a leader.
    first: bool,
    /// Answers of all tables when its present round began.
    found_before: u64,
}

/// What is to be done after a round.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// The same again.
    Round,
    /// The answers may be given.
    Answers,
}

/// All tables of an engine.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    tables: Vec<Table>,
    by_goal: FastMap<u64, Vec<u32>>,
    /// The tables that are being evaluated, the innermost last.
    active: Vec<u32>,
    /// The tables that are not complete, in order of their first calls.
    incomplete: Vec<u32>,
    /// Number of answers ever found.
    found: u64,
    /// The tables of goals under assumptions or a limit of depth: not for use after the evaluation in which
    /// they were made.
    passing: Vec<u32>,
}

/// No place: it depends on no table that is not complete.
const NONE: usize = usize::MAX;

impl Tables {
    /// Bytes that an answer takes besides its term: its place, and the way from its key to it.
    pub(crate) const ANSWER_BYTES: usize = 2 * size_of::<Option<Answer>>() + 80;
    /// The same of a table.
    pub(crate) const TABLE_BYTES: usize = 2 * size_of::<Table>() + 80;

    /// A table.
    pub(crate) fn get(&self, id: u32) -> Option<&Table> {
        self.tables.get(id as usize)
    }

    /// All tables that are not given up.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &Table)> {
        let numbered = (0u32..).zip(&self.tables);
        numbered.filter(|(_, table)| table.state != State::Gone)
    }

    /// Every stored term.
    pub(crate) fn stored(&self) -> impl Iterator<Item = &Stored> {
        self.tables.iter().flat_map(|table| {
            let answers = table.answers.iter().flatten();
            std::iter::once(&table.goal).chain(answers.map(|answer| &answer.term))
        })
    }

    /// Is some table being evaluated?
    pub(crate) fn evaluating(&self) -> bool {
        !self.active.is_empty()
    }

    /// The tables whose goals have this hash.
    pub(crate) fn candidates(&self, hash: u64) -> Vec<u32> {
        let same = self.by_goal.get(&hash);
        same.map(|same| Vec::of(same)).unwrap_or_default()
    }

    /// A table for a new goal.
    pub(crate) fn add(&mut self, goal: Stored, hash: u64) -> u32 {
        // All or nothing: first there is room everywhere, also where it is noted later.
        room_for_one(&mut self.tables);
        room_for_one(&mut self.incomplete);
        room_for_one(&mut self.passing);
        self.by_goal.make_room();
        let same = self.by_goal.entry(hash).or_default();
        room_for_one(same);
        let id = self.tables.len() as u32;
        same.push(id);
        self.tables.push(Table {
            goal,
            hash,
            state: State::Stale,
            answers: Vec::new(),
            by_key: FastMap::default(),
            place: self.incomplete.len(),
            low: NONE,
            first: true,
            found_before: 0,
        });
        self.incomplete.push(id);
        id
    }

    /// Has this table all its answers?
    pub(crate) fn is_complete(&self, id: u32) -> bool {
        let table = self.tables.get(id as usize);
        table.is_some_and(|table| table.state == State::Complete)
    }

    /// Calls a table: true if it is to be evaluated now.
    pub(crate) fn call(&mut self, id: u32) -> bool {
        let table = &self.tables[id as usize];
        match table.state {
            State::Stale => return true,
            State::Active | State::Waiting => {
                let low = table.place.min(table.low);
                self.depend(low);
            }
            State::Complete | State::Gone => {}
        }
        false
    }

    /// The evaluation of a table that is to be evaluated begins: rounds follow, and its end in
    /// [`Tables::round_over`] or [`Tables::broken_off`].
    pub(crate) fn begin(&mut self, id: u32) {
        room_for_one(&mut self.active);
        if let Some(table) = self.tables.get_mut(id as usize)
            && table.state == State::Stale
        {
            self.active.push(id);
            table.state = State::Active;
            table.found_before = self.found;
        }
    }

    /// The innermost table that is evaluated depends on one at this place.
    fn depend(&mut self, low: usize) {
        if let Some(&user) = self.active.last() {
            let user = &mut self.tables[user as usize];
            user.low = user.low.min(low);
        }
    }

    /// A round of the innermost table is over.
    pub(crate) fn round_over(&mut self) -> Next {
        let Some(&id) = self.active.last() else {
            return Next::Answers;
        };
        let found = self.found;
        let table = &mut self.tables[id as usize];
        let (place, low) = (table.place, table.low);
        if !table.first || low < place {
            table.state = State::Waiting;
            table.first = false;
            self.active.pop();
            self.depend(low.min(place));
            return Next::Answers;
        }
        if low == place && table.found_before < found {
            table.found_before = found;
            for &other in self.incomplete.iter().skip(place + 1) {
                self.tables[other as usize].state = State::Stale;
            }
            return Next::Round;
        }
        self.active.pop();
        while self.incomplete.len() > place
            && let Some(other) = self.incomplete.pop()
        {
            // One that the last round has not met may lack answers.
            match self.tables[other as usize].state {
                State::Stale => self.give_up(other),
                _ => self.tables[other as usize].state = State::Complete,
            }
        }
        Next::Answers
    }

    /// The evaluation of a table ends before its time, if it has begun and is not over. Where it is the
    /// outermost one, nothing is known of those that are not complete.
    pub(crate) fn broken_off(&mut self, id: u32) {
        let table = self.tables.get(id as usize);
        let begun = table.is_some_and(|table| table.state == State::Active);
        while begun && let Some(innermost) = self.active.pop() {
            let table = &mut self.tables[innermost as usize];
            table.state = State::Stale;
            table.first = false;
            let low = table.low.min(table.place);
            self.depend(low);
            if innermost == id {
                break;
            }
        }
        if self.active.is_empty() {
            for id in std::mem::take(&mut self.incomplete) {
                self.give_up(id);
            }
        }
    }

    /// Forgets a table.
    pub(crate) fn give_up(&mut self, id: u32) {
        let table = &mut self.tables[id as usize];
        table.state = State::Gone;
        table.answers = Vec::new();
        table.by_key = FastMap::default();
        if let Some(same) = self.by_goal.get_mut(&table.hash) {
            same.retain(|&other| other != id);
            if same.is_empty() {
                self.by_goal.remove(&table.hash);
            }
        }
    }

    /// Notes that a table is of a goal under assumptions, or may lack the answers that a limit of depth
    /// does not allow.
    pub(crate) fn note_passing(&mut self, id: u32) {
        self.passing.push(id);
    }

    /// Forgets such tables, while none is evaluated.
    pub(crate) fn forget_passing(&mut self) {
        if self.active.is_empty() {
            for id in std::mem::take(&mut self.passing) {
                self.give_up(id);
            }
        }
    }

    /// Forgets all tables, while none is evaluated.
    pub(crate) fn clear(&mut self) {
        if !self.tables.is_empty() {
            *self = Tables::default();
        }
    }

    /// Adds an answer to a table that there is, in the place of the one with this number if there is one.
    pub(crate) fn answer(&mut self, id: u32, replaced: Option<u32>, answer: Answer) {
        let Some(table) = self.tables.get_mut(id as usize) else {
            return;
        };
        room_for_one(&mut table.answers);
        table.by_key.make_room();
        let same = table.by_key.entry(answer.hash).or_default();
        room_for_one(same);
        self.found += 1;
        if let Some(old) = replaced {
            same.retain(|&other| other != old);
            if let Some(replaced) = table.answers.get_mut(old as usize) {
                *replaced = None;
            }
        }
        same.push(table.answers.len() as u32);
        table.answers.push(Some(answer));
    }
}
