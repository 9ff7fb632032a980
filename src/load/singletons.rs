//! What the variables of a clause tell of slips: those that occur once, in the whole clause or in a
//! branch of its body, and those that occur again though their names say that they do not.
//!
//! An occurrence is alone if no other one can share its value: those in other branches of a
//! disjunction cannot, nor can those after a negation for those within it. One pass forwards finds
//! what earlier occurrences reach each one, one pass backwards what later ones do.

use super::parts::Part;
use crate::base::grow::{Gather, Grow, GrowTable, filled};
use crate::base::symbol::{FastMap, functors};
use crate::machine::state::Machine;
use crate::store::cell::Cell;
use crate::store::heap::View;

/// Steps of work that a clause is worth. Longer ones are made by programs, not typed.
const LIMIT: usize = 1 << 18;

/// So many remarks on a clause are made at most.
const MOST: usize = 20;

/// What the names say against the clause, in the words of messages, each with the occurrence that it is
/// about.
pub(super) fn remarks(
    m: &Machine,
    term: Cell,
    vars: &[(String, Cell, u32)],
) -> Vec<(Part, String)> {
    let mut remarks = Vec::new();
    for (index, (name, _, count)) in vars.iter().enumerate() {
        if *count == 1 && !name.starts_with('_') && remarks.len() < MOST {
            let message = format!("singleton variable: {name}");
            remarks.put((Part::Occurrence(index, 0), message));
        }
    }
    let again = vars
        .iter()
        .enumerate()
        .filter(|(_, (name, _, count))| *count > 1 && (is_marked(name) || !name.starts_with('_')));
    let again: Vec<(usize, &(String, Cell, u32))> = again.gather();
    let clause = Parts::of(m, term);
    let branches = clause.body.is_some_and(|body| clause.has_scope(m, body));
    if !branches && !again.iter().any(|(_, (name, ..))| is_marked(name)) {
        return remarks;
    }
    let numbers = again.iter().zip(0u32..);
    let mut numbered = FastMap::default();
    for ((_, (_, cell, _)), number) in numbers {
        numbered.make_room();
        numbered.insert(*cell, number);
    }
    let Some(events) = clause.events(m, &numbered) else {
        return remarks;
    };
    let Some(found) = occurrences(&events, again.len()) else {
        return remarks;
    };
    for ((index, (name, ..)), found) in again.iter().zip(&found) {
        let (occurrence, message) = match (is_marked(name), found.again, found.alone) {
            (true, Some(again), _) => {
                let message = format!("singleton-marked variable appears more than once: {name}");
                (again, message)
            }
            (false, _, Some((alone, scope))) => {
                let scope = match scope {
                    Scope::Branch => "branch",
                    Scope::Negation => "\\+",
                };
                (alone, format!("singleton variable in {scope}: {name}"))
            }
            _ => continue,
        };
        if remarks.len() < MOST {
            remarks.put((Part::Occurrence(*index, occurrence), message));
        }
    }
    remarks
}

/// Does the name say that the variable occurs once: `_Name`? Of `__Name` nothing is said.
fn is_marked(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next() == Some('_') && chars.next().is_some_and(char::is_uppercase)
}

/// What bounds the sharing of values.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Scope {
    Branch,
    Negation,
}

/// A clause as it is walked through, left to right.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Event {
    /// An occurrence of the variable of this number.
    Occurs(u32),
    /// The first branch begins.
    Begin(Scope),
    /// The next branch begins.
    Next,
    /// The last branch ends.
    End(Scope),
}

struct Parts {
    head: Cell,
    body: Option<Cell>,
    grammar: bool,
}

enum Work {
    Goal(Cell),
    /// What follows the first branch of a disjunction.
    Branches(Cell),
    Term(Cell),
    Event(Event),
}

impl Parts {
    fn of(m: &Machine, term: Cell) -> Parts {
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
            body: Some(m.store.arg(args, 1)),
            grammar,
        }
    }

    /// Does the body branch, or negate?
    fn has_scope(&self, m: &Machine, body: Cell) -> bool {
        let mut goals = vec![body];
        while let Some(goal) = goals.pop() {
            match m.store.view(goal) {
                View::Struct(functors::SEMICOLON | functors::NOT, _) => return true,
                View::Struct(functors::BAR, _) if self.grammar => return true,
                View::Struct(functors::COMMA | functors::ARROW | functors::SOFT_ARROW, args) => {
                    goals.put_all([m.store.arg(args, 1), m.store.arg(args, 0)]);
                }
                View::Struct(functors::CURLY1, args) if self.grammar => {
                    goals.put(m.store.arg(args, 0));
                }
                _ => {}
            }
        }
        false
    }

    /// The clause as it is walked through, with the occurrences of these variables. None if it is
    /// too long.
    fn events(&self, m: &Machine, numbers: &FastMap<Cell, u32>) -> Option<Vec<Event>> {
        let mut events = Vec::new();
        let mut work = Vec::new();
        work.put_all(self.body.map(Work::Goal));
        work.put(Work::Term(self.head));
        let mut steps = 0;
        while let Some(next) = work.pop() {
            steps += 1;
            if steps + work.len() > LIMIT {
                return None;
            }
            match next {
                Work::Event(event) => events.put(event),
                Work::Goal(goal) => self.goal(m, goal, &mut work),
                Work::Branches(goal) => {
                    events.put(Event::Next);
                    match self.disjunction(m, goal) {
                        Some((first, rest)) => {
                            work.put_all([Work::Branches(rest), Work::Goal(first)]);
                        }
                        None => work.put(Work::Goal(goal)),
                    }
                }
                Work::Term(term) => match m.store.view(term) {
                    View::Var(var) => {
                        events.put_all(numbers.get(&var).map(|&number| Event::Occurs(number)));
                    }
                    View::List(args) => {
                        let parts = [1, 0].map(|index| Work::Term(m.store.arg(args, index)));
                        work.put_all(parts);
                    }
                    View::Struct(functor, args) => {
                        if functor.arity() + steps > LIMIT {
                            return None;
                        }
                        let indexes = (0..functor.arity()).rev();
                        work.put_all(indexes.map(|index| Work::Term(m.store.arg(args, index))));
                    }
                    _ => {}
                },
            }
        }
        Some(events)
    }

    fn disjunction(&self, m: &Machine, goal: Cell) -> Option<(Cell, Cell)> {
        match m.store.view(goal) {
            View::Struct(functor, args)
                if functor == functors::SEMICOLON || (functor == functors::BAR && self.grammar) =>
            {
                Some((m.store.arg(args, 0), m.store.arg(args, 1)))
            }
            _ => None,
        }
    }

    fn goal(&self, m: &Machine, goal: Cell, work: &mut Vec<Work>) {
        if let Some((first, rest)) = self.disjunction(m, goal) {
            work.put_all([
                Work::Event(Event::End(Scope::Branch)),
                Work::Branches(rest),
                Work::Goal(first),
                Work::Event(Event::Begin(Scope::Branch)),
            ]);
            return;
        }
        match m.store.view(goal) {
            View::Struct(functors::COMMA | functors::ARROW | functors::SOFT_ARROW, args) => {
                work.put_all([1, 0].map(|index| Work::Goal(m.store.arg(args, index))));
            }
            View::Struct(functors::NOT, args) => work.put_all([
                Work::Event(Event::End(Scope::Negation)),
                Work::Goal(m.store.arg(args, 0)),
                Work::Event(Event::Begin(Scope::Negation)),
            ]),
            View::Struct(functors::CURLY1, args) if self.grammar => {
                work.put(Work::Goal(m.store.arg(args, 0)));
            }
            _ => work.put(Work::Term(goal)),
        }
    }
}

/// What is found of a variable. Occurrences have numbers in their order in the text.
#[derive(Copy, Clone, Default)]
struct Found {
    /// Its occurrences so far.
    count: usize,
    /// The first occurrence that is alone in a scope, and the innermost one of these.
    alone: Option<(usize, Scope)>,
    /// The first occurrence that may share a value with one before it.
    again: Option<usize>,
}

/// What is found of each of `count` variables. None if that is too much work.
fn occurrences(events: &[Event], count: usize) -> Option<Vec<Found>> {
    let mut before = filled(false, events.len());
    let mut pass = Pass::new(count);
    for (&event, before) in events.iter().zip(&mut before) {
        match event {
            Event::Occurs(number) => *before = pass.occurs(number),
            Event::Begin(_) => pass.begin(false),
            Event::Next => pass.next(),
            Event::End(Scope::Branch) => pass.end(),
            // What a negation binds is undone.
            Event::End(Scope::Negation) => pass.end_without_effect(),
        }
        pass.check()?;
    }
    let mut after = filled(false, events.len());
    pass = Pass::new(count);
    for (&event, after) in events.iter().zip(&mut after).rev() {
        match event {
            Event::Occurs(number) => *after = pass.occurs(number),
            Event::End(scope) => pass.begin(scope == Scope::Negation),
            Event::Next => pass.next(),
            Event::Begin(_) => pass.end(),
        }
        pass.check()?;
    }
    let mut found = filled(Found::default(), count);
    let mut scopes = Vec::new();
    for ((&event, &before), &after) in events.iter().zip(&before).zip(&after) {
        match event {
            Event::Occurs(number) => {
                let found = &mut found[number as usize];
                if before && found.again.is_none() {
                    found.again = Some(found.count);
                }
                if !before && !after && found.alone.is_none() {
                    found.alone = scopes.last().map(|&scope| (found.count, scope));
                }
                found.count += 1;
            }
            Event::Begin(scope) => scopes.put(scope),
            Event::End(_) => {
                scopes.pop();
            }
            Event::Next => {}
        }
    }
    Some(found)
}

/// Which variables occurred so far on the way to the present place.
struct Pass {
    seen: Vec<bool>,
    /// Those that occurred, in order.
    trail: Vec<u32>,
    open: Vec<Open>,
    steps: usize,
}

/// A disjunction or negation that the present place is in.
struct Open {
    /// Length of the trail where it begins.
    start: usize,
    /// What occurs in its branches that ended.
    gathered: Vec<u32>,
    /// What occurred before, if that is out of reach within.
    hidden: Option<Vec<u32>>,
}

impl Pass {
    fn new(count: usize) -> Pass {
        Pass {
            seen: filled(false, count),
            trail: Vec::new(),
            open: Vec::new(),
            steps: 0,
        }
    }

    fn check(&self) -> Option<()> {
        (self.steps <= LIMIT).then_some(())
    }

    /// Did the variable occur before? From now on it did.
    fn occurs(&mut self, number: u32) -> bool {
        self.steps += 1;
        let before = std::mem::replace(&mut self.seen[number as usize], true);
        if !before {
            self.trail.put(number);
        }
        before
    }

    fn forget(&mut self, start: usize) -> Vec<u32> {
        let gone = self.trail.split_off(start);
        self.steps += gone.len();
        for &number in &gone {
            self.seen[number as usize] = false;
        }
        gone
    }

    /// A disjunction or negation begins; `apart` if what occurred before is out of reach within.
    fn begin(&mut self, apart: bool) {
        let hidden = apart.then(|| self.forget(0));
        self.open.put(Open {
            start: self.trail.len(),
            gathered: Vec::new(),
            hidden,
        });
    }

    fn next(&mut self) {
        let start = self.open.last().map_or(0, |open| open.start);
        let gone = self.forget(start);
        if let Some(open) = self.open.last_mut() {
            open.gathered.put_all(gone);
        }
    }

    fn end(&mut self) {
        self.next();
        let Some(open) = self.open.pop() else { return };
        for number in open.hidden.into_iter().flatten().chain(open.gathered) {
            self.occurs(number);
        }
    }

    fn end_without_effect(&mut self) {
        let Some(open) = self.open.pop() else { return };
        self.forget(open.start);
    }
}
