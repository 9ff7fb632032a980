//! Tables of tabled predicates. For each variant of a goal they hold its answers, and the state needed to evaluate
//! goals that depend on each other (SLG resolution: Chen and Warren, "Tabled evaluation with delaying for general
//! logic programs", JACM 1996; suspension by copies of continuations: Desouter et al., "Tabling as a library with
//! delimited control", TPLP 2015; components by Tarjan's search).
//!
//! A table is made when its goal is first called, and the clauses of the goal run at once. A goal within them whose
//! table is not complete is a *consumer*. It returns the answers found so far, and its continuation is kept. The
//! continuation reaches to the end of the clause of the *owner*, the table that the clause is evaluated for. When the
//! table gets new answers, the continuation runs again for each new answer only. So each consumer sees each answer
//! once, and the work is linear in the joins of the program.
//!
//! An evaluation runs the consumers of all tables made since it began, until each consumer has seen all answers. If
//! its table depends on no older one, it is the *leader* of its component, and all tables of the component are
//! complete then. Otherwise the tables wait for an older leader.
//!
//! A continuation cannot be kept if a *barrier* crosses it. The rest of the clause is a barrier if it cuts older choice
//! points, as in a condition, in `\+` or before a cut. It is also a barrier if it collects solutions, or ends catch/3, a
//! scope or a limit. Such a goal
//! returns the answers found so far, and its table is *watched*. If the table gets a further answer after that, the leader
//! makes a new *round*: it drops all consumers and runs its clauses again. The other tables run their clauses again when
//! they are called. Each round starts with more answers, until a round finds nothing new. An exception in a continuation
//! also leads to a new round, because a catch/3 within the component might have caught it.
//!
//! A goal that depends on assumptions has a separate table for each list of assumptions, so it depends only on its
//! key. Such a table lasts until the evaluation that made it ends. Its goals, and goals under a limit of depth, are
//! evaluated in rounds. Long because answers, dependencies and completion keep one invariant.
#![forbid(unsafe_code)]

use crate::base::atom_table::{FastMap, Functor, Symbols};
use crate::base::growth::{Grow, GrowBy, GrowTable, Within, room_for_one, with_room};
use crate::base::stop::Stop;
use crate::store::stored::Stored;
use std::sync::Arc;

/// The suffix of the names of predicates that hold the clauses of tabled predicates.
pub(crate) const SUFFIX: &str = " tabled";

/// Returns the predicate as the program names it: the tabled predicate whose clauses this one holds.
pub(crate) fn functor_of_program(symbols: &mut Symbols, functor: Functor) -> Result<Functor, Stop> {
    let name = symbols.name_text(functor);
    let Some(name) = name.strip_suffix(SUFFIX).map(str::to_owned) else {
        return Ok(functor);
    };
    let name = symbols.intern_passing(&name)?;
    symbols.functor_passing(name, functor.arity())
}

/// The state of a table.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// The table is being evaluated.
    Active,
    /// The table was evaluated, and waits for its leader.
    Waiting,
    /// The table must be evaluated again when it is called.
    Stale,
    /// The table has all answers.
    Complete,
    /// The table was dropped: its number is not used any more.
    Gone,
}

/// An answer. Its key is the terms that identify it; its value is the terms that a mode chose for that key.
#[derive(Debug)]
pub(crate) struct Answer {
    /// The term `Key-Value`.
    pub(crate) term: Stored,
    /// The hash of the key.
    pub(crate) hash: u64,
}

/// The table of a goal.
#[derive(Debug)]
pub(crate) struct Table {
    /// The goal with its module.
    pub(crate) goal: Stored,
    hash: u64,
    /// The state of the evaluation.
    pub(crate) state: State,
    /// The answers in order; `None` if a better one replaced the answer.
    pub(crate) answers: Vec<Option<Answer>>,
    /// The answers by the hash of their keys.
    pub(crate) by_key: FastMap<u64, Vec<u32>>,
    /// The place of the table among the tables that are not complete.
    place: usize,
}

impl Table {
    /// Returns a dropped table.
    fn gone() -> Table {
        Table {
            goal: Stored::default(),
            hash: 0,
            state: State::Gone,
            answers: Vec::new(),
            by_key: FastMap::default(),
            place: NONE,
        }
    }
}

/// The state of a table that is not complete.
#[derive(Debug)]
struct Open {
    /// The table.
    id: u32,
    /// The least place of the tables that it depends on.
    low: usize,
    /// Whether the present evaluation of the table is the first one. Only then can the table be a leader.
    first: bool,
    /// Whether the goal of the table is under assumptions or a limit of depth.
    passing: bool,
    /// Whether a goal whose continuation cannot be kept has used the table.
    watched: bool,
    /// Whether the table got a further answer after that use.
    outdated: bool,
    /// The consumers of the table. A number may now belong to a later consumer of another table.
    consumers: Vec<u32>,
    /// Whether the table is on the agenda.
    queued: bool,
    /// The next of its consumers to look at, and the number of answers when the first one was looked at.
    next: usize,
    seen: usize,
    /// Number of times that the evaluation of the table has begun. Consumers of earlier evaluations are void.
    runs: u32,
    /// The stacks at the start of its evaluation: active tables up to itself, consumers, watched tables.
    active_from: usize,
    consumers_from: usize,
    watched_from: usize,
    /// Whether the consumers of the table run so that it notices exceptions.
    guarded: bool,
    /// Number of answers of all tables when an exception last led to a new round.
    raised: Option<u64>,
}

/// A goal that waits for answers of a table.
#[derive(Debug)]
struct Consumer {
    /// The table.
    table: u32,
    /// The table that it finds answers for, and the number of that table's evaluation.
    owner: u32,
    run: u32,
    /// The next answer that it has not seen.
    next: usize,
    /// The continuation of the goal; see `ops::table`.
    term: Stored,
}

/// The next step of an evaluation.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// Run the clauses again.
    Round,
    /// Run consumers that have not seen all answers.
    Work,
    /// Like `Work`, and notice the exceptions that they raise.
    GuardedWork,
    /// Return the answers.
    Answers,
}

/// A table of an engine, or a complete one that the engine shares with others.
#[derive(Debug)]
enum Held {
    Own(Table),
    Published(Arc<Table>),
}

impl Held {
    fn table(&self) -> &Table {
        match self {
            Held::Own(table) => table,
            Held::Published(table) => table,
        }
    }

    /// Returns the table for changes, if the engine owns it.
    fn own(&mut self) -> Option<&mut Table> {
        match self {
            Held::Own(table) => Some(table),
            Held::Published(_) => None,
        }
    }
}

/// All tables of an engine.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    tables: Vec<Held>,
    by_goal: FastMap<u64, Vec<u32>>,
    /// The tables that are being evaluated, the innermost last, and owners whose consumers run.
    active: Vec<u32>,
    /// The tables that are not complete, in order of their first calls.
    open: Vec<Open>,
    /// The consumers of these tables, in order of their calls.
    consumers: Vec<Consumer>,
    /// The open tables with consumers that have not seen all answers.
    agenda: Vec<u32>,
    /// The open tables that are watched.
    watched: Vec<u32>,
    /// Total number of answers found.
    found: u64,
    /// The tables of goals under assumptions or a limit of depth. They are not used after the evaluation that made them.
    passing: Vec<u32>,
}

/// No place: the table depends on no table that is not complete.
const NONE: usize = usize::MAX;

impl Tables {
    /// Bytes of an answer besides its term: its place, and the entry from its key to it.
    pub(crate) const ANSWER_BYTES: usize = 2 * size_of::<Option<Answer>>() + 80;
    /// Bytes of a table besides its goal and answers.
    pub(crate) const TABLE_BYTES: usize = 2 * (size_of::<Table>() + size_of::<Open>()) + 80;
    /// Bytes of a consumer besides its continuation.
    pub(crate) const CONSUMER_BYTES: usize = 2 * size_of::<Consumer>() + 16;

    /// Returns a table.
    pub(crate) fn get(&self, id: u32) -> Option<&Table> {
        self.tables.get(id as usize).map(Held::table)
    }

    /// Publishes the complete tables, so that forks share them from now on. No table is being evaluated.
    pub(crate) fn publish(&mut self) {
        self.forget_passing();
        for held in &mut self.tables {
            if let Held::Own(table) = held
                && table.state == State::Complete
            {
                let table = std::mem::replace(table, Table::gone());
                *held = Held::Published(Arc::new(table));
            }
        }
    }

    /// Returns the tables for another engine: the published ones.
    pub(crate) fn fork(&self) -> Result<Tables, Stop> {
        let mut fork = Tables {
            tables: with_room(self.tables.len())?,
            ..Tables::default()
        };
        for (id, held) in (0u32..).zip(&self.tables) {
            let Held::Published(table) = held else {
                fork.tables.put_within(Held::Own(Table::gone()));
                continue;
            };
            fork.tables.put_within(Held::Published(Arc::clone(table)));
            fork.by_goal.make_room()?;
            fork.by_goal.entry(table.hash).or_default().put(id)?;
        }
        Ok(fork)
    }

    /// Returns all tables that are not dropped.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &Table)> {
        let numbered = (0u32..).zip(self.tables.iter().map(Held::table));
        numbered.filter(|(_, table)| table.state != State::Gone)
    }

    /// Returns every stored term.
    pub(crate) fn stored(&self) -> impl Iterator<Item = &Stored> {
        let own = self.tables.iter().filter_map(|held| match held {
            Held::Own(table) => Some(table),
            // Published tables name published symbols only.
            Held::Published(_) => None,
        });
        let tables = own.flat_map(|table| {
            let answers = table.answers.iter().flatten();
            std::iter::once(&table.goal).chain(answers.map(|answer| &answer.term))
        });
        tables.chain(self.continuations())
    }

    /// Returns the continuations of consumers. They refer to code.
    pub(crate) fn continuations(&self) -> impl Iterator<Item = &Stored> {
        self.consumers.iter().map(|consumer| &consumer.term)
    }

    /// Returns whether a table is being evaluated.
    pub(crate) fn evaluating(&self) -> bool {
        !self.active.is_empty()
    }

    /// Returns the tables whose goals have this hash.
    pub(crate) fn candidates(&self, hash: u64) -> Result<Vec<u32>, Stop> {
        let same = self.by_goal.get(&hash);
        same.map_or(Ok(Vec::new()), |same| Vec::of(same))
    }

    /// Adds a table for a new goal. `passing` means that the goal is under assumptions, or may lack
    /// answers because of a limit of depth.
    pub(crate) fn add(&mut self, goal: Stored, hash: u64, passing: bool) -> Result<u32, Stop> {
        // All or nothing: make room everywhere first.
        room_for_one(&mut self.tables)?;
        room_for_one(&mut self.open)?;
        room_for_one(&mut self.passing)?;
        self.by_goal.make_room()?;
        let same = self.by_goal.entry(hash).or_default();
        room_for_one(same)?;
        let id = self.tables.len() as u32;
        same.put(id)?;
        self.tables.put(Held::Own(Table {
            goal,
            hash,
            state: State::Stale,
            answers: Vec::new(),
            by_key: FastMap::default(),
            place: self.open.len(),
        }))?;
        self.open.put(Open {
            id,
            low: NONE,
            first: true,
            passing,
            watched: false,
            outdated: false,
            consumers: Vec::new(),
            queued: false,
            next: 0,
            seen: 0,
            runs: 0,
            active_from: 0,
            consumers_from: 0,
            watched_from: 0,
            guarded: false,
            raised: None,
        })?;
        if passing {
            self.passing.put(id)?;
        }
        Ok(id)
    }

    /// Returns whether this table has all its answers.
    pub(crate) fn is_complete(&self, id: u32) -> bool {
        let table = self.get(id);
        table.is_some_and(|table| table.state == State::Complete)
    }

    /// Returns a table that is not complete, with its place.
    fn opened(&mut self, id: u32) -> Option<(usize, &mut Open)> {
        let place = self.get(id)?.place;
        let open = self.open.get_mut(place)?;
        (open.id == id).then_some((place, open))
    }

    /// Returns a table that is being evaluated, with its place.
    fn evaluated(&mut self, id: u32) -> Option<(usize, &mut Open)> {
        let active = self.state(id) == State::Active;
        self.opened(id).filter(|_| active)
    }

    fn set_state(&mut self, id: u32, state: State) {
        if let Some(table) = self.tables.get_mut(id as usize).and_then(Held::own) {
            table.state = state;
        }
    }

    fn state(&self, id: u32) -> State {
        let table = self.get(id);
        table.map_or(State::Gone, |table| table.state)
    }

    /// Calls a table. Returns whether its clauses must run now.
    pub(crate) fn call(&mut self, id: u32) -> bool {
        match self.state(id) {
            State::Stale => return true,
            State::Active | State::Waiting => self.depend_on(id),
            State::Complete | State::Gone => {}
        }
        false
    }

    /// Begins the evaluation of a stale table. [`Tables::end_round`] then returns the next step, and
    /// [`Tables::break_off`] can end the evaluation early.
    pub(crate) fn begin(&mut self, id: u32) -> Result<(), Stop> {
        room_for_one(&mut self.active)?;
        let (active, consumers, watched) =
            (self.active.len(), self.consumers.len(), self.watched.len());
        if self.state(id) == State::Stale
            && let Some((_, open)) = self.opened(id)
        {
            open.runs = open.runs.wrapping_add(1);
            open.active_from = active + 1;
            open.consumers_from = consumers;
            open.watched_from = watched;
            self.active.put(id)?;
            self.set_state(id, State::Active);
        }
        Ok(())
    }

    /// Makes the innermost active table depend on this table, and on everything that this table depends on.
    fn depend_on(&mut self, id: u32) {
        if let Some((place, open)) = self.opened(id) {
            let low = place.min(open.low);
            if let Some(&user) = self.active.last()
                && let Some((_, user)) = self.opened(user)
            {
                user.low = user.low.min(low);
            }
        }
    }

    /// Ends the runs of consumers and the evaluations that began within the evaluation of a table.
    fn settle(&mut self, active: usize) {
        while self.active.len() > active
            && let Some(inner) = self.active.pop()
        {
            self.depend_on(inner);
        }
    }

    /// Ends the last step of the evaluation of a table. Returns the next step.
    pub(crate) fn end_round(&mut self, id: u32) -> Next {
        let Some((place, open)) = self.evaluated(id) else {
            return Next::Answers;
        };
        let (active, watched_from) = (open.active_from, open.watched_from);
        self.settle(active);
        let guarded = self.watched.len() > watched_from;
        self.open[place].guarded = guarded;
        let (low, first) = (self.open[place].low, self.open[place].first);
        if first && self.has_work(place) {
            return if guarded {
                Next::GuardedWork
            } else {
                Next::Work
            };
        }
        if !first || low < place {
            self.set_state(id, State::Waiting);
            self.open[place].first = false;
            self.active.pop();
            self.depend_on(id);
            return Next::Answers;
        }
        let is_outdated = |&id: &u32| self.open[self.tables[id as usize].table().place].outdated;
        if self.watched[watched_from..].iter().any(is_outdated) {
            self.new_round(place);
            return Next::Round;
        }
        self.active.pop();
        self.complete(place);
        Next::Answers
    }

    /// Marks the tables from this place on as complete.
    fn complete(&mut self, place: usize) {
        if let Some(leader) = self.open.get(place) {
            self.consumers.truncate(leader.consumers_from);
            self.watched.truncate(leader.watched_from);
        }
        while self.open.len() > place
            && let Some(Open { id, .. }) = self.open.pop()
        {
            // A table that the last round has not called may lack answers.
            match self.state(id) {
                State::Stale => self.give_up(id),
                _ => self.set_state(id, State::Complete),
            }
        }
    }

    /// Prepares a new round of the table at this place, a leader or a possible leader. It drops the consumers within
    /// its evaluation, and marks all tables made there as stale.
    fn new_round(&mut self, place: usize) {
        while self.has_work(place)
            && let Some(id) = self.agenda.pop()
            && let Some((_, open)) = self.opened(id)
        {
            open.queued = false;
            open.next = 0;
        }
        let Some(leader) = self.open.get(place) else {
            return;
        };
        self.consumers.truncate(leader.consumers_from);
        for watched in self.watched.split_off(leader.watched_from) {
            if let Some((_, open)) = self.opened(watched) {
                (open.watched, open.outdated) = (false, false);
            }
        }
        self.open[place].consumers.clear();
        for at in place + 1..self.open.len() {
            self.open[at].consumers.clear();
            self.set_state(self.open[at].id, State::Stale);
        }
    }

    /// Handles an exception that a consumer has raised within the evaluation of a table. Returns whether the clauses
    /// must run again: a goal that catches the exception may have made the call that raises it. Returns false if no
    /// answer was found since the last time.
    pub(crate) fn on_exception(&mut self, id: u32) -> bool {
        let found = self.found;
        let Some((place, open)) = self.evaluated(id) else {
            return false;
        };
        let active = open.active_from;
        if open.raised.replace(found) == Some(found) {
            return false;
        }
        self.settle(active);
        self.new_round(place);
        true
    }

    // ---- consumers ------------------------------------------------------------------------------

    /// Returns whether a goal that calls this table now can be a consumer, so that its continuation is kept.
    pub(crate) fn takes_consumers(&mut self, id: u32) -> bool {
        self.opened(id).is_some_and(|(_, open)| !open.passing)
    }

    /// Stores the continuation of a goal that calls a table. Returns the number of the consumer.
    pub(crate) fn add_consumer(&mut self, id: u32, term: Stored) -> Result<Option<u32>, Stop> {
        let number = self.consumers.len();
        room_for_one(&mut self.consumers)?;
        let Some(&owner) = self.active.last() else {
            return Ok(None);
        };
        let Some(run) = self.opened(owner).map(|(_, open)| open.runs) else {
            return Ok(None);
        };
        let Some((_, open)) = self.opened(id) else {
            return Ok(None);
        };
        room_for_one(&mut open.consumers)?;
        open.consumers.put(number as u32)?;
        self.consumers.put(Consumer {
            table: id,
            owner,
            run,
            next: 0,
            term,
        })?;
        Ok(Some(number as u32))
    }

    /// Marks a table as watched: a goal whose continuation is not kept uses it.
    pub(crate) fn watch(&mut self, id: u32) -> Result<(), Stop> {
        room_for_one(&mut self.watched)?;
        let open = self.opened(id).map(|(_, open)| open);
        if let Some(open) = open.filter(|open| !open.watched) {
            open.watched = true;
            self.watched.put(id)?;
        }
        Ok(())
    }

    /// Returns the continuation of a consumer.
    pub(crate) fn continuation(&self, number: u32) -> Option<&Stored> {
        let consumer = self.consumers.get(number as usize);
        consumer.map(|consumer| &consumer.term)
    }

    /// Returns the next answer that a consumer has not seen.
    pub(crate) fn next_unmet(&mut self, number: u32) -> Option<&Answer> {
        let consumer = self.consumers.get_mut(number as usize)?;
        let answers = &self.tables.get(consumer.table as usize)?.table().answers;
        while let Some(answer) = answers.get(consumer.next) {
            consumer.next += 1;
            if answer.is_some() {
                return answer.as_ref();
            }
        }
        None
    }

    /// Returns whether a table from this place on has consumers to run.
    fn has_work(&self, place: usize) -> bool {
        let table = self.agenda.last().and_then(|&id| self.get(id));
        table.is_some_and(|table| table.place >= place)
    }

    /// Returns the next consumer to run within the evaluation of a table. Ends the run of the previous one.
    pub(crate) fn next_consumer(&mut self, leader: u32) -> Result<Option<u32>, Stop> {
        room_for_one(&mut self.active)?;
        let watched = self.watched.len();
        let Some((place, open)) = self.evaluated(leader) else {
            return Ok(None);
        };
        let newly_watched = !open.guarded && watched > open.watched_from;
        let active = open.active_from;
        self.settle(active);
        while !newly_watched && self.has_work(place) {
            let Some(&id) = self.agenda.last() else {
                return Ok(None);
            };
            let count = self.get(id).map_or(0, |table| table.answers.len());
            let Some((_, open)) = self.opened(id) else {
                return Ok(None);
            };
            if open.next == 0 {
                open.seen = count;
            }
            if let Some(&number) = open.consumers.get(open.next) {
                open.next += 1;
                if let Some(owner) = self.waiting(number, id) {
                    self.active.put(owner)?;
                    return Ok(Some(number));
                }
            } else if open.seen < count {
                open.next = 0;
            } else {
                open.queued = false;
                open.next = 0;
                self.agenda.pop();
            }
        }
        Ok(None)
    }

    /// Returns the owner of a consumer of a table, if the consumer has not seen all answers.
    fn waiting(&mut self, number: u32, id: u32) -> Option<u32> {
        let consumer = self.consumers.get(number as usize)?;
        let (owner, run) = (consumer.owner, consumer.run);
        let met = consumer.next >= self.get(id)?.answers.len();
        let ours = consumer.table == id && self.opened(owner)?.1.runs == run;
        (ours && !met).then_some(owner)
    }

    // ---- the end of tables ------------------------------------------------------------------------

    /// Breaks off the evaluation of a table, if it has begun and is not over. If it is the outermost evaluation, all
    /// tables that are not complete are dropped.
    pub(crate) fn break_off(&mut self, id: u32) {
        let Some((place, open)) = self.evaluated(id) else {
            return;
        };
        let before = open.active_from.saturating_sub(1);
        while self.active.len() > before
            && let Some(inner) = self.active.pop()
        {
            self.set_state(inner, State::Stale);
            if let Some((_, open)) = self.opened(inner) {
                open.first = false;
                // Its consumers have no owner any more.
                open.runs = open.runs.wrapping_add(1);
            }
            self.depend_on(inner);
        }
        // Tables that waited for it may lack answers.
        for at in place + 1..self.open.len() {
            let id = self.open[at].id;
            if self.state(id) == State::Waiting {
                self.set_state(id, State::Stale);
            }
        }
        if self.active.is_empty() {
            self.consumers.clear();
            self.watched.clear();
            self.agenda.clear();
            for open in std::mem::take(&mut self.open) {
                self.give_up(open.id);
            }
        }
    }

    /// Drops a table.
    pub(crate) fn give_up(&mut self, id: u32) {
        let given_up = Held::Own(Table::gone());
        let hash = std::mem::replace(&mut self.tables[id as usize], given_up)
            .table()
            .hash;
        if let Some(same) = self.by_goal.get_mut(&hash) {
            same.retain(|&other| other != id);
            if same.is_empty() {
                self.by_goal.remove(&hash);
            }
        }
    }

    /// Drops the tables of goals under assumptions or a limit of depth, if no table is being evaluated.
    pub(crate) fn forget_passing(&mut self) {
        if self.active.is_empty() {
            for id in std::mem::take(&mut self.passing) {
                self.give_up(id);
            }
        }
    }

    /// Drops all tables. No table is being evaluated.
    pub(crate) fn clear(&mut self) {
        if !self.tables.is_empty() {
            *self = Tables::default();
        }
    }

    /// Adds an answer to an existing table. It replaces the answer with the number `replaced`, if there is one.
    pub(crate) fn answer(
        &mut self,
        id: u32,
        replaced: Option<u32>,
        answer: Answer,
    ) -> Result<(), Stop> {
        room_for_one(&mut self.agenda)?;
        let Some(table) = self.tables.get_mut(id as usize).and_then(Held::own) else {
            return Ok(());
        };
        room_for_one(&mut table.answers)?;
        table.by_key.make_room()?;
        let same = table.by_key.entry(answer.hash).or_default();
        room_for_one(same)?;
        self.found += 1;
        if let Some(old) = replaced {
            same.retain(|&other| other != old);
            if let Some(replaced) = table.answers.get_mut(old as usize) {
                *replaced = None;
            }
        }
        same.put(table.answers.len() as u32)?;
        table.answers.put(Some(answer))?;
        if let Some((_, open)) = self.opened(id) {
            open.outdated |= open.watched;
            if !open.consumers.is_empty() && !open.queued {
                open.queued = true;
                self.agenda.put(id)?;
            }
        }
        Ok(())
    }
}
