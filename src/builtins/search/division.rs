//! Division of a search into parts that other processes search. A path identifies a part, in every process with the
//! same program and goal.
//!
//! To divide a part, Wamlet runs it until a thread could give a part of its search away. It does not search the
//! rest, but makes parts of it. The program and the goal alone decide which part is divided next, and where; time
//! has no influence.

use super::effects::allow_effects;
use crate::base::growth::{Gather, Grow, GrowBy};
use crate::base::locks::lock;
use crate::base::stop::Stop;
use crate::machine::budget::ends::Amount;
use crate::machine::builtin::builtins;
use crate::machine::control::throw::Throw;
use crate::machine::search::path::{ALL, Exchange, Step};
use crate::machine::state::Machine;
use crate::machine::upper_layers::LayerState;
use crate::store::address::EnvAddr;
use crate::store::cell::Cell;
use crate::store::heap::View;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// Number of calls without a branch to give away after which a part stays whole.
const MOST_LOOKS: u64 = 1 << 20;
/// Number of calls that are all checked for a branch to give away. After them, one call in `LATER_LOOKS` is
/// checked.
const FIRST_LOOKS: u64 = 1 << 10;
const LATER_LOOKS: u64 = 1 << 6;
/// Number of parts of a unit. Parts differ in size; units of many parts differ less.
const PARTS_A_UNIT: usize = 64;
/// Number of parts of all units beyond which each unit gets fewer. Each part takes memory, and time to begin.
const MANY_PARTS: usize = 1 << 16;

/// Part of the search.
struct Part {
    path: Vec<Step>,
    /// Next part in the order of the solutions.
    next: Option<usize>,
    /// True if the part was searched without a solution.
    empty: bool,
}

/// Step of a branch that could be given away, and whether the branches before it have led to solutions.
type Found = (Step, bool);

/// Path to the beginning of a part, and the watcher of its search.
type Entry = (Vec<Step>, Arc<Divider>);

/// Watcher that ends the search of a part as soon as a branch of it could be given away.
pub(super) struct Divider {
    /// Budget of the search.
    budget: i64,
    looks: AtomicU64,
    /// Path to the branch that could be given away.
    found: Mutex<Option<Vec<Found>>>,
}

impl Exchange<Machine> for Divider {
    fn is_due(&self) -> bool {
        false
    }

    fn best(&self) -> Option<&AtomicI64> {
        None
    }

    fn look(&self, m: &mut Machine, e: EnvAddr) -> Result<(), Stop> {
        let looks = self.looks.fetch_add(1, Ordering::Relaxed);
        if lock(&self.found).is_some() {
            return Ok(());
        }
        m.store.watch.look_at_next_call();
        let tries = looks < FIRST_LOOKS || looks.is_multiple_of(LATER_LOOKS);
        if tries && let Some(path) = m.split_branches(e)? {
            let found = path.into_iter().enumerate();
            let found = found.map(|(at, step)| (step, m.has_led(at))).gather()?;
            *lock(&self.found) = Some(found);
            m.spend_budget(self.budget);
        }
        if looks == MOST_LOOKS {
            m.spend_budget(self.budget);
        }
        Ok(())
    }
}

/// Search that is being divided.
#[derive(Default)]
pub(super) struct Division {
    parts: Vec<Part>,
    /// Parts that may be divided, by the number of their steps: those of several branches, and the others.
    waiting: Vec<[VecDeque<usize>; 2]>,
    /// Number of parts at which the division ends. Empty parts do not count.
    enough: usize,
    empty: usize,
    /// Part that is being searched.
    under_way: Option<(usize, Arc<Divider>)>,
}

impl LayerState for Division {}

impl Division {
    /// Returns the division of a whole search.
    fn new(enough: usize) -> Result<Division, Stop> {
        let mut division = Division {
            enough,
            ..Division::default()
        };
        division.parts.put(Part {
            path: Vec::new(),
            next: None,
            empty: false,
        })?;
        division.wait(0)?;
        Ok(division)
    }

    /// Returns whether a part is being searched.
    pub(super) fn is_under_way(&self) -> bool {
        self.under_way.is_some()
    }

    /// Returns the path to the part that is being searched, and its watcher.
    pub(super) fn enter(&self) -> Result<Option<Entry>, Stop> {
        let Some((number, divider)) = &self.under_way else {
            return Ok(None);
        };
        let path = Vec::of(&self.parts[*number].path)?;
        Ok(Some((path, Arc::clone(divider))))
    }

    /// Queues a part for division.
    fn wait(&mut self, number: usize) -> Result<(), Stop> {
        let path = &self.parts[number].path;
        let single = path
            .last()
            .is_some_and(|step| step.end == step.branch.saturating_add(1));
        let steps = path.len();
        while self.waiting.len() <= steps {
            self.waiting.put(Default::default())?;
        }
        self.waiting[steps][usize::from(single)].put(number)
    }

    /// Returns the part that is probably the largest of those that may be divided.
    fn largest(&mut self) -> Option<usize> {
        if self.parts.len() - self.empty >= self.enough {
            return None;
        }
        let mut lists = self.waiting.iter_mut().flatten();
        lists.find_map(VecDeque::pop_front)
    }

    /// Replaces the part that was searched by smaller parts. `found` is the branch that could be given away.
    fn replace(&mut self, number: usize, found: &[Found]) -> Result<(), Stop> {
        let mut paths = divided(&self.parts[number].path, found)?.into_iter();
        let Some(first) = paths.next() else {
            return Ok(());
        };
        self.parts[number].path = first;
        self.wait(number)?;
        let mut at = number;
        for path in paths {
            let new = self.parts.len();
            let next = self.parts[at].next;
            self.parts.put(Part {
                path,
                next,
                empty: false,
            })?;
            self.parts[at].next = Some(new);
            self.wait(new)?;
            at = new;
        }
        Ok(())
    }

    /// Marks a part as empty. At least one part stays.
    fn drop_part(&mut self, number: usize) {
        if self.empty + 1 < self.parts.len() {
            self.parts[number].empty = true;
            self.empty += 1;
        }
    }

    /// Returns the paths of all parts in their order, dealt to at most `most` units.
    fn units(&self, most: usize) -> Result<Vec<Vec<&[Step]>>, Stop> {
        let mut units = Vec::new();
        for _ in 0..most.min(self.parts.len() - self.empty) {
            units.put(Vec::new())?;
        }
        let count = units.len().max(1);
        let mut at = Some(0).filter(|_| !self.parts.is_empty());
        let mut dealt = 0;
        while let Some(number) = at {
            let part = &self.parts[number];
            if !part.empty {
                units[dealt % count].put(&*part.path)?;
                dealt += 1;
            }
            at = part.next;
        }
        Ok(units)
    }
}

/// Returns the parts that together have the solutions of a part, in order, if the branch at `found` can be given
/// away. Returns no parts if `found` is not within the part.
///
/// The result omits branches that were searched without a solution. This is faster, and it is also necessary: the
/// condition of `*->` would fail there.
fn divided(part: &[Step], found: &[Found]) -> Result<Vec<Vec<Step>>, Stop> {
    let same =
        |(a, (b, _)): (&Step, &Found)| (a.number, a.meta, a.branch) == (b.number, b.meta, b.branch);
    let from = part.len().saturating_sub(1);
    let within = match part.last().zip(found.get(from)) {
        Some((last, (step, _))) => {
            (last.number, last.meta) == (step.number, step.meta) && last.branch <= step.branch
        }
        None => part.is_empty(),
    };
    let mut parts = Vec::new();
    if !within || !part[..from].iter().zip(found).all(same) {
        return Ok(parts);
    }
    let path: Vec<Step> = found.iter().map(|&(step, _)| step).gather()?;
    for (at, &(step, led)) in found.iter().enumerate().skip(from) {
        let before = Step {
            branch: part.get(at).map_or(0, |step| step.branch),
            end: step.branch,
            ..step
        };
        let is_last = at + 1 == found.len();
        if before.branch < before.end && (led || is_last) {
            let mut path = Vec::of(&path[..at])?;
            path.put(before)?;
            parts.put(path)?;
        }
    }
    parts.put(path)?;
    Ok(parts)
}

/// Reads the paths from a term, in the form that [`DIVISIONS`] write.
pub(super) fn parts_of(m: &mut Machine, list: Cell) -> Result<Vec<Vec<Step>>, Throw> {
    let mut parts = Vec::new();
    for path in m.list_arg(list)? {
        let mut steps = Vec::new();
        for step in m.list_arg(path)? {
            let args = match m.store.view(step) {
                View::Struct(functor, args) if functor.arity() == 4 => args,
                _ => return Err(m.system_error("this is not a path of a search")),
            };
            let arg = |m: &mut Machine, index| {
                let arg = m.store.arg(args, index);
                m.size_arg(arg)
            };
            let (number, meta) = (arg(m, 0)? as u64, arg(m, 1)? as u64);
            let (branch, end) = (arg(m, 2)?, arg(m, 3)?);
            steps.put(Step {
                number,
                meta,
                branch: u32::try_from(branch).unwrap_or(ALL),
                end: u32::try_from(end).unwrap_or(ALL),
            })?;
        }
        parts.put(steps)?;
    }
    Ok(parts)
}

/// Builds the term of a path: a list of `step(Number, Meta, Branch, End)`.
fn term_of(m: &mut Machine, path: &[Step]) -> Result<Cell, Throw> {
    let name = m.world.symbols.intern("step")?;
    let functor = m.world.symbols.functor(name, 4)?;
    let mut steps = Vec::new();
    for step in path {
        let numbers = [step.number, step.meta, step.branch.into(), step.end.into()];
        m.store.reserve(5)?;
        let numbers = numbers.map(|number| Cell::int(number as i64));
        steps.put(m.store.new_struct(functor, &numbers))?;
    }
    Ok(m.store.list_of(&steps)?)
}

/// Takes the next part to be divided, and opens the budget of its search. Returns `None` once there are enough
/// parts.
fn next(m: &mut Machine) -> Result<Option<i64>, Throw> {
    let Some(number) = m.world.layers.of::<Division>().largest() else {
        return Ok(None);
    };
    let budget = m.open_budget(Amount::Inferences(u64::MAX / 2))?;
    let divider = Arc::new(Divider {
        budget,
        looks: AtomicU64::new(0),
        found: Mutex::new(None),
    });
    m.world.layers.of::<Division>().under_way = Some((number, divider));
    m.start_budget(budget)?;
    Ok(Some(budget))
}

/// Ends the search of a part.
fn leave(m: &mut Machine) -> Option<(usize, Arc<Divider>)> {
    allow_effects(m);
    m.end_branches();
    let (number, divider) = m.world.layers.of::<Division>().under_way.take()?;
    m.close_budget(divider.budget);
    Some((number, divider))
}

builtins! { DIVISIONS =
    /// Begins the division of a search into parts for this number of units.
    iso "$division_open"("+integer") = always |m, [units]| {
        let units = m.size_arg(units)?;
        let enough = units.saturating_mul((MANY_PARTS / units.max(1)).clamp(1, PARTS_A_UNIT));
        *m.world.layers.of::<Division>() = Division::new(enough)?;
    };
    /// Begins to search a part until it can be divided, which spends `Budget`. False if there are enough parts.
    iso "$division_next"("-integer") = |m, [budget]| {
        match next(m)? {
            Some(number) => Ok(m.unify_int(budget, number)?),
            None => Ok(false),
        }
    };
    /// Ends the search of the part. `Count` is the number of its solutions if the search was complete.
    iso "$division_replace"("?integer") = always |m, [count]| {
        let Some((number, divider)) = leave(m) else {
            return Ok(true);
        };
        let found = lock(&divider.found).take();
        let division = m.world.layers.of::<Division>();
        match found {
            Some(found) => division.replace(number, &found)?,
            None if count == Cell::int(0) => division.drop_part(number),
            None => {}
        }
    };
    /// Returns the parts of each unit: lists of lists of `step(Number, Meta, Branch, End)`.
    iso "$division_units"("+integer", "-list") = |m, [most, list]| {
        let most = m.size_arg(most)?;
        let division = std::mem::take(m.world.layers.of::<Division>());
        let mut units = Vec::new();
        for unit in division.units(most)? {
            let paths: Vec<Cell> = unit
                .into_iter()
                .map(|path| term_of(m, path))
                .gather_results::<_, Throw>()?;
            units.put(m.store.list_of(&paths)?)?;
        }
        let units = m.store.list_of(&units)?;
        Ok(m.unify(list, units)?)
    };
    /// Ends the division.
    iso "$division_close"() = always |m, []| {
        leave(m);
        *m.world.layers.of::<Division>() = Division::default();
    };
}

#[cfg(test)]
mod tests {
    use super::{ALL, Step, divided};

    fn step(number: u64, branch: u32, end: u32) -> Step {
        Step {
            number,
            meta: 0,
            branch,
            end,
        }
    }

    fn step_numbers(part: &[Step], found: &[Step]) -> Vec<Vec<(u64, u32, u32)>> {
        let found: Vec<_> = found.iter().map(|&step| (step, step.number != 5)).collect();
        let found = &found;
        let numbers = |step: &Step| (step.number, step.branch, step.end);
        let parts = divided(part, found).unwrap();
        parts
            .iter()
            .map(|path| path.iter().map(numbers).collect())
            .collect()
    }

    #[test]
    fn division_covers_the_whole_part() {
        let whole = step_numbers(&[], &[step(0, 1, 4)]);
        assert_eq!(whole, [[(0, 0, 1)], [(0, 1, 4)]]);
        // Three branches were searched completely before; the branch of 5 had no solutions.
        let found = [step(0, 2, 3), step(3, 1, 2), step(5, 1, 2), step(7, 1, ALL)];
        assert_eq!(
            step_numbers(&[step(0, 1, 4)], &found),
            [
                vec![(0, 1, 2)],
                vec![(0, 2, 3), (3, 0, 1)],
                vec![(0, 2, 3), (3, 1, 2), (5, 1, 2), (7, 0, 1)],
                vec![(0, 2, 3), (3, 1, 2), (5, 1, 2), (7, 1, ALL)],
            ]
        );
    }

    #[test]
    fn steps_outside_a_part_do_not_divide_it() {
        let part = [step(0, 1, 2), step(3, 2, ALL)];
        assert!(step_numbers(&part, &[step(0, 1, 2), step(3, 1, ALL)]).is_empty());
        assert!(step_numbers(&part, &[step(0, 0, 1), step(3, 2, ALL)]).is_empty());
        assert!(step_numbers(&part, &[step(0, 1, 2)]).is_empty());
        assert!(step_numbers(&part, &[]).is_empty());
    }
}
