//! The rule for variables that some branches of a disjunction mention and others do not, and that are used
//! after it: there they may have no value.
//!
//! Only uses that are hardly ever intended are reported. The variable must first occur in the disjunction,
//! and the branch that does not mention it must be able to succeed. The use must be reached whenever the
//! disjunction is left. A use in a later branch is not reported, because it may belong to the first
//! branch.

use super::clause::occurs;
use crate::base::atom_table::{Functor, functors};
use crate::base::growth::{Gather, Grow, filled};
use crate::base::stop::Stop;
use crate::machine::state::Machine;
use crate::source::walk::{Event, LIMIT, Scope};
use crate::store::address::HeapAddr;
use crate::store::cell::Cell;
use crate::store::heap::View;

/// A variable that may have no value.
pub(super) struct Unbound {
    /// The number of the variable.
    pub(super) variable: u32,
    /// Number of occurrences before the use.
    pub(super) occurrence: usize,
    /// The branch that does not mention the variable, by its number in the order of beginnings.
    pub(super) branch: usize,
}

/// A branch that does not mention a variable which is used later.
#[derive(Copy, Clone)]
struct Gap {
    branch: usize,
    /// Number of disjunctions and negations around the whole disjunction.
    depth: usize,
}

/// The state of a variable at the present place of the traversal.
#[derive(Copy, Clone, Default)]
struct State {
    seen: bool,
    gap: Option<Gap>,
    /// Number of occurrences of the variable so far.
    count: usize,
}

/// A branch that ended.
struct Branch {
    number: usize,
    /// The range of the events of the branch.
    from: usize,
    to: usize,
    /// The variables that first occur in the branch.
    new: Vec<(u32, Option<Gap>)>,
}

/// A disjunction or negation around the present place.
struct Open {
    /// The present branch, and its first event.
    branch: usize,
    from: usize,
    /// Length of the trail at the beginning of the disjunction or negation.
    start: usize,
    ended: Vec<Branch>,
}

struct Pass<'w> {
    m: &'w Machine,
    events: &'w [Event],
    /// The variables.
    cells: &'w [Cell],
    states: Vec<State>,
    /// Variables that occurred, in order.
    trail: Vec<u32>,
    open: Vec<Open>,
    /// Number of branches that began.
    branches: usize,
    goal: Option<Cell>,
    found: Vec<Unbound>,
    steps: usize,
}

/// Returns the variables that may have no value where they are used; `cells` are the variables by
/// their numbers.
pub(super) fn lacking(m: &Machine, events: &[Event], cells: &[Cell]) -> Result<Vec<Unbound>, Stop> {
    let mut pass = Pass {
        m,
        events,
        cells,
        states: filled(State::default(), cells.len())?,
        trail: Vec::new(),
        open: Vec::new(),
        branches: 0,
        goal: None,
        found: Vec::new(),
        steps: 0,
    };
    for (at, &event) in events.iter().enumerate() {
        pass.event(at, event)?;
        if pass.steps > LIMIT {
            break;
        }
    }
    Ok(pass.found)
}

impl Pass<'_> {
    fn event(&mut self, at: usize, event: Event) -> Result<(), Stop> {
        match event {
            Event::Goal(goal) => self.goal = Some(goal),
            Event::Occurs(number) => self.occurs(number)?,
            Event::Begin(scope) => self.begin(at, scope)?,
            Event::Next => {
                self.end_branch(at)?;
                let branch = self.branches;
                self.branches += 1;
                if let Some(open) = self.open.last_mut() {
                    (open.branch, open.from) = (branch, at + 1);
                }
            }
            Event::End(Scope::Branch) => {
                self.end_branch(at)?;
                self.end()?;
            }
            // The bindings of a negation are undone.
            Event::End(Scope::Negation) => {
                if let Some(open) = self.open.pop() {
                    self.forget(open.start)?;
                }
            }
        }
        Ok(())
    }

    fn occurs(&mut self, number: u32) -> Result<(), Stop> {
        self.steps += 1;
        let state = &mut self.states[number as usize];
        let occurrence = state.count;
        state.count += 1;
        if !state.seen {
            state.seen = true;
            self.trail.put(number)?;
        } else if let Some(gap) = state.gap.take()
            && self.open.len() <= gap.depth
            && let Some(goal) = self.goal
            && needs_value(self.m, goal, self.cells[number as usize])?
        {
            self.found.put(Unbound {
                variable: number,
                occurrence,
                branch: gap.branch,
            })?;
        }
        Ok(())
    }

    fn begin(&mut self, at: usize, scope: Scope) -> Result<(), Stop> {
        self.open.put(Open {
            branch: self.branches,
            from: at + 1,
            start: self.trail.len(),
            ended: Vec::new(),
        })?;
        self.branches += usize::from(scope == Scope::Branch);
        Ok(())
    }

    /// Forgets the occurrences since `start`, and returns the variables.
    fn forget(&mut self, start: usize) -> Result<Vec<(u32, Option<Gap>)>, Stop> {
        let gone = self.trail.split_off(start);
        self.steps += gone.len();
        gone.into_iter()
            .map(|number| {
                let state = &mut self.states[number as usize];
                state.seen = false;
                (number, state.gap.take())
            })
            .gather()
    }

    fn end_branch(&mut self, at: usize) -> Result<(), Stop> {
        let Some((start, number, from)) = self
            .open
            .last()
            .map(|open| (open.start, open.branch, open.from))
        else {
            return Ok(());
        };
        let new = self.forget(start)?;
        if let Some(open) = self.open.last_mut() {
            let to = at;
            open.ended.put(Branch {
                number,
                from,
                to,
                new,
            })?;
        }
        Ok(())
    }

    /// Ends a disjunction: variables that first occur in a branch that can succeed count as occurring
    /// from here on.
    fn end(&mut self) -> Result<(), Stop> {
        let Some(open) = self.open.pop() else {
            return Ok(());
        };
        if open.ended.iter().all(|branch| branch.new.is_empty()) {
            return Ok(());
        }
        let depth = self.open.len();
        let mut left: Vec<&Branch> = Vec::new();
        for branch in &open.ended {
            if self.has_way_out(branch.from, branch.to)? {
                left.put(branch)?;
            }
        }
        let mut mentions: Vec<(u32, usize, Option<Gap>)> = Vec::new();
        for (index, branch) in left.iter().enumerate() {
            self.steps += branch.new.len();
            let new = branch.new.iter();
            mentions.put_all(new.map(|&(number, gap)| (number, index, gap)))?;
        }
        mentions.sort_unstable_by_key(|&(number, index, _)| (number, index));
        for mentions in mentions.chunk_by(|one, other| one.0 == other.0) {
            let unmentioned = mentions
                .iter()
                .zip(0..)
                .find(|((_, index, _), n)| index != n);
            let branch = match unmentioned {
                Some((_, index)) => left.get(index),
                None => left.get(mentions.len()),
            };
            let branch = match branch {
                Some(branch) => Some(branch.number),
                None => mentions
                    .iter()
                    .find_map(|mention| mention.2)
                    .map(|gap| gap.branch),
            };
            let number = mentions.first().map_or(0, |mention| mention.0);
            let state = &mut self.states[number as usize];
            state.seen = true;
            state.gap = branch.map(|branch| Gap { branch, depth });
            self.trail.put(number)?;
        }
        Ok(())
    }

    /// Returns whether these events may be completed, as far as the events show it.
    fn has_way_out(&mut self, from: usize, to: usize) -> Result<bool, Stop> {
        self.steps += to - from;
        // For each disjunction around the present place: whether the present branch can succeed so far,
        // and whether an earlier branch could.
        let mut around = vec![(true, false)];
        for &event in &self.events[from..to] {
            match event {
                Event::Begin(_) => around.put((true, false))?,
                Event::Next => {
                    if let Some((present, earlier)) = around.last_mut() {
                        *earlier |= *present;
                        *present = true;
                    }
                }
                Event::End(scope) => {
                    let inner = around
                        .pop()
                        .is_none_or(|(present, earlier)| present || earlier);
                    if let Some((present, _)) = around.last_mut() {
                        *present &= inner || scope == Scope::Negation;
                    }
                }
                Event::Goal(goal) => {
                    if let Some((present, _)) = around.last_mut() {
                        *present &= !never_succeeds(self.m, goal);
                    }
                }
                Event::Occurs(_) => {}
            }
        }
        Ok(around.first().is_none_or(|&(present, _)| present))
    }
}

/// Returns the goal without `Module:` before it, and the functor and arguments of a compound goal.
fn called(m: &Machine, mut goal: Cell) -> (Cell, Option<(Functor, HeapAddr)>) {
    loop {
        match m.store.compound(goal) {
            Some((functors::COLON, args)) => goal = m.store.arg(args, 1),
            found => return (goal, found),
        }
    }
}

/// Returns whether the goal fails or raises an exception, or has the name of such a goal.
fn never_succeeds(m: &Machine, goal: Cell) -> bool {
    let (goal, compound) = called(m, goal);
    let name = match (compound, m.store.view(goal)) {
        (Some((functor, _)), _) => m.world.symbols.name(functor),
        (None, View::Atom(name)) => name,
        _ => return false,
    };
    let name = m.world.symbols.text(name);
    ["fail", "false", "throw", "error", "halt", "abort"]
        .iter()
        .any(|word| name.contains(word))
}

/// Returns whether the goal is of no use unless this variable has a value.
fn needs_value(m: &Machine, goal: Cell, variable: Cell) -> Result<bool, Stop> {
    let (_, Some((functor, args))) = called(m, goal) else {
        return Ok(false);
    };
    let (name, arity) = (m.world.symbols.name_text(functor), functor.arity());
    if ACCEPT_UNBOUND.contains(&(name, arity)) {
        return Ok(false);
    }
    let mut builtins = m.world.host.builtins.iter();
    let known = builtins.find(|known| known.name == name && known.modes.len() == arity);
    let Some(known) = known else { return Ok(true) };
    for (index, mode) in known.modes.iter().enumerate() {
        if !mode.starts_with(['-', '?']) && occurs(m, variable, m.store.arg(args, index))? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Goals that accept variables without a value although they do not bind them, or that have
/// variables of their own.
const ACCEPT_UNBOUND: &[(&str, usize)] = &[
    ("\\=", 2),
    ("==", 2),
    ("\\==", 2),
    ("var", 1),
    ("nonvar", 1),
    ("ground", 1),
    ("throw", 1),
    ("findall", 3),
    ("findall", 4),
    ("bagof", 3),
    ("setof", 3),
    ("aggregate_all", 3),
    ("aggregate_all", 4),
    ("forall", 2),
];
