//! A clause as it is walked through from left to right: occurrences of its variables, branches of its body.

use super::parts::Part;
use crate::base::atom_table::{FastMap, functors};
use crate::base::growth::{Grow, with_room};
use crate::base::stop::Stop;
use crate::machine::state::Machine;
use crate::store::address::HeapAddr;
use crate::store::cell::Cell;
use crate::store::heap::View;

/// Steps of work that a clause is worth. Longer ones are made by programs, not typed.
pub(crate) const LIMIT: usize = 1 << 18;

/// What bounds the sharing of values.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// One of a disjunction.
    Branch,
    /// A negation: what it binds is undone.
    Negation,
}

/// A clause as it is walked through, left to right.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// A goal that is no control construct: what occurs up to the next one, occurs in it.
    Goal(Cell),
    /// An occurrence of the variable of this number.
    Occurs(u32),
    /// The first branch begins.
    Begin(Scope),
    /// The next branch begins.
    Next,
    /// The last branch ends.
    End(Scope),
}

/// There is room for so many events at first.
const USUAL: usize = 32;

/// A clause that was walked through.
pub(crate) struct Walked {
    /// What was come by.
    pub(crate) events: Vec<Event>,
    /// Where the branches of disjunctions are, in the order in which they begin.
    pub(crate) branches: Vec<Part>,
}

/// A clause to be walked through.
pub(crate) struct Parts {
    head: Cell,
    body: Option<(Cell, Part)>,
    grammar: bool,
}

enum Work {
    Goal(Cell),
    /// A branch of a disjunction, or more than one.
    Branches(Cell, Part),
    Term(Cell),
    Event(Event),
}

impl Parts {
    /// The parts of a clause.
    pub(crate) fn of(m: &Machine, term: Cell) -> Parts {
        let (args, grammar) = match m.store.view(term) {
            View::Struct(functors::NECK, args) => (args, false),
            View::Struct(functors::DCG_ARROW, args) => (args, true),
            _ => {
                return Parts {
                    head: term,
                    body: None,
                    grammar: false,
                };
            }
        };
        Parts {
            head: m.store.arg(args, 0),
            body: Some((m.store.arg(args, 1), Part::argument(args, 1))),
            grammar,
        }
    }

    /// Does the body branch, or negate?
    pub(crate) fn has_scope(&self, m: &Machine) -> Result<bool, Stop> {
        let mut goals = Vec::new();
        goals.put_all(self.body.map(|(body, _)| body))?;
        while let Some(goal) = goals.pop() {
            match m.store.view(goal) {
                View::Struct(functors::SEMICOLON | functors::NOT, _) => return Ok(true),
                View::Struct(functors::BAR, _) if self.grammar => return Ok(true),
                View::Struct(functors::COMMA | functors::ARROW | functors::SOFT_ARROW, args) => {
                    goals.put_all([m.store.arg(args, 1), m.store.arg(args, 0)])?;
                }
                View::Struct(functors::CURLY1, args) if self.grammar => {
                    goals.put(m.store.arg(args, 0))?;
                }
                _ => {}
            }
        }
        Ok(false)
    }

    /// Walks through the clause. Variables with numbers are looked at. None if it is too long.
    pub(crate) fn walk(
        &self,
        m: &Machine,
        numbers: &FastMap<Cell, u32>,
    ) -> Result<Option<Walked>, Stop> {
        let mut walked = Walked {
            events: with_room(USUAL)?,
            branches: Vec::new(),
        };
        let mut work = with_room(USUAL)?;
        work.put_all(self.body.map(|(body, _)| Work::Goal(body)))?;
        work.put(Work::Term(self.head))?;
        let mut steps = 0;
        while let Some(next) = work.pop() {
            steps += 1;
            if steps + work.len() > LIMIT {
                return Ok(None);
            }
            match next {
                Work::Event(event) => walked.events.put(event)?,
                Work::Goal(goal) => self.goal(m, goal, &mut work)?,
                Work::Branches(goal, part) => match self.disjunction(m, goal) {
                    Some(args) => work.put_all([
                        Work::Branches(m.store.arg(args, 1), Part::argument(args, 1)),
                        Work::Event(Event::Next),
                        Work::Branches(m.store.arg(args, 0), Part::argument(args, 0)),
                    ])?,
                    None => {
                        walked.branches.put(part)?;
                        work.put(Work::Goal(goal))?;
                    }
                },
                Work::Term(term) => match m.store.view(term) {
                    View::Var(var) => {
                        let number = numbers.get(&var).copied();
                        walked.events.put_all(number.map(Event::Occurs))?;
                    }
                    View::List(args) => {
                        let parts = [1, 0].map(|index| Work::Term(m.store.arg(args, index)));
                        work.put_all(parts)?;
                    }
                    View::Struct(functor, args) => {
                        if functor.arity() + steps > LIMIT {
                            return Ok(None);
                        }
                        let indexes = (0..functor.arity()).rev();
                        work.put_all(indexes.map(|index| Work::Term(m.store.arg(args, index))))?;
                    }
                    _ => {}
                },
            }
        }
        Ok(Some(walked))
    }

    /// The arguments of a disjunction.
    fn disjunction(&self, m: &Machine, goal: Cell) -> Option<HeapAddr> {
        match m.store.view(goal) {
            View::Struct(functor, args)
                if functor == functors::SEMICOLON || (functor == functors::BAR && self.grammar) =>
            {
                Some(args)
            }
            _ => None,
        }
    }

    fn goal(&self, m: &Machine, goal: Cell, work: &mut Vec<Work>) -> Result<(), Stop> {
        if self.disjunction(m, goal).is_some() {
            work.put_all([
                Work::Event(Event::End(Scope::Branch)),
                Work::Branches(goal, Part::Whole),
                Work::Event(Event::Begin(Scope::Branch)),
            ])?;
            return Ok(());
        }
        match m.store.view(goal) {
            View::Struct(functors::COMMA | functors::ARROW | functors::SOFT_ARROW, args) => {
                work.put_all([1, 0].map(|index| Work::Goal(m.store.arg(args, index))))?;
            }
            View::Struct(functors::NOT, args) => work.put_all([
                Work::Event(Event::End(Scope::Negation)),
                Work::Goal(m.store.arg(args, 0)),
                Work::Event(Event::Begin(Scope::Negation)),
            ])?,
            View::Struct(functors::CURLY1, args) if self.grammar => {
                work.put(Work::Goal(m.store.arg(args, 0)))?;
            }
            _ => work.put_all([Work::Term(goal), Work::Event(Event::Goal(goal))])?,
        }
        Ok(())
    }
}
