//! The rules for probable slips in the variables of a clause. They report variables that occur
//! once, in the whole clause or in a branch of its body. They also report variables that occur
//! again although their names say that they do not.
//!
//! An occurrence is alone if no other occurrence can share its value. Occurrences in other branches
//! of a disjunction cannot share it. Neither can occurrences after a negation share values with
//! those within it. A forward pass finds the earlier occurrences that reach each occurrence, and a
//! backward pass finds the later ones.

use super::branches::lacking;
use super::clause::{ReadClause, Remark, Variables, goals_of, within};
use crate::base::atom_table::{FastMap, Functor, atoms, functors};
use crate::base::growth::{Gather, Grow, GrowMap, filled};
use crate::base::stop::Stop;
use crate::base::warning::Warning;
use crate::machine::state::Machine;
use crate::source::parts::Part;
use crate::source::walk::{Event, LIMIT, Parts, Scope, Walked};
use crate::store::cell::Cell;
use strsim::damerau_levenshtein;

/// Maximum number of remarks on a clause.
const MOST: usize = 20;

/// Warns of variables that occur once, unless their names say so, and of variables that only some
/// branches mention.
pub(super) fn check(m: &mut Machine, clause: &mut ReadClause<'_>) -> Result<(), Stop> {
    let wanted = m.world.flags.warnings;
    if !wanted.wants(Warning::Singleton) && !wanted.wants(Warning::Branches) {
        return Ok(());
    }
    for mut remark in remarks(m, clause.term, clause.vars)? {
        if let (Warning::Singleton, Part::Occurrence(index, 0)) = (remark.warning, remark.part) {
            remark.hint = hint(m, clause, index)?;
        }
        clause.put(remark)?;
    }
    Ok(())
}

/// Names of variables of fewer letters are not compared with others and are not meant as constants.
const SHORT: usize = 3;

/// Returns the variable that was probably meant by one that occurs once, or the rule about capitals if a constant was
/// probably meant.
fn hint(m: &Machine, clause: &ReadClause<'_>, index: usize) -> Result<Option<String>, Stop> {
    let (name, cell, count) = &clause.vars[index];
    if *count > 1 || name.len() < SHORT {
        return Ok(None);
    }
    let others = clause
        .vars
        .iter()
        .filter(|(other, ..)| other.len() >= SHORT);
    let mut near =
        others.filter(|(other, ..)| other != name && damerau_levenshtein(other, name) == 1);
    let unnumbered = |name: &str| !name.ends_with(|last: char| last.is_ascii_digit());
    if let Some((near, ..)) = near.find(|(near, ..)| unnumbered(near))
        && unnumbered(name)
    {
        return Ok(Some(format!("did you mean {near}?")));
    }
    let mut letters = name.chars();
    let is_word = letters.next().is_some_and(char::is_uppercase) && letters.all(char::is_lowercase);
    if !is_word || !is_constant(m, clause, *cell)? {
        return Ok(None);
    }
    let constant = name.chars().flat_map(char::to_lowercase).gather_text()?;
    Ok(Some(format!(
        "a name that begins with a capital letter is a variable; write {constant} for a constant, _{name} for any value"
    )))
}

/// Returns whether the variable is an argument of the head, or of a goal whose predicate is not a builtin. A constant may
/// be meant there.
fn is_constant(m: &Machine, clause: &ReadClause<'_>, variable: Cell) -> Result<bool, Stop> {
    let has = |functor: Functor, args| m.store.args(functor, args).any(|arg| arg == variable);
    if let Some((functor, args)) = m.store.compound(clause.head)
        && has(functor, args)
    {
        return Ok(true);
    }
    let goals = goals_of(m, clause.body, within)?;
    let of_program = |functor: Functor| {
        let found = m.world.predicates.find(atoms::SYSTEM, functor);
        found.is_none() || functor == functors::EQUAL
    };
    Ok(goals
        .iter()
        .any(|goal| of_program(goal.functor) && has(goal.functor, goal.args)))
}

/// Returns the remarks on the variables of a clause.
fn remarks(m: &Machine, term: Cell, vars: &Variables) -> Result<Vec<Remark>, Stop> {
    let mut remarks = Vec::new();
    for (index, (name, _, count)) in vars.iter().enumerate() {
        if *count == 1 && !name.starts_with('_') {
            let message = format!("singleton variable: {name}");
            remarks.put(singleton(index, 0, message))?;
        }
    }
    let again = vars
        .iter()
        .enumerate()
        .filter(|(_, (name, _, count))| *count > 1 && (is_marked(name) || !name.starts_with('_')));
    let again: Vec<(usize, &(String, Cell, u32))> = again.gather()?;
    let clause = Parts::of(m, term);
    let branches = clause.has_scope(m)?;
    if branches || again.iter().any(|(_, (name, ..))| is_marked(name)) {
        let numbers = again.iter().zip(0u32..);
        let mut numbered = FastMap::default();
        for ((_, (_, cell, _)), number) in numbers {
            numbered.put_entry(*cell, number)?;
        }
        if let Some(walked) = clause.walk(m, &numbered)? {
            along(m, &walked, &again, &mut remarks)?;
        }
    }
    remarks.truncate(MOST);
    Ok(remarks)
}

fn singleton(variable: usize, occurrence: usize, message: String) -> Remark {
    Remark {
        warning: Warning::Singleton,
        part: Part::Occurrence(variable, occurrence),
        message,
        hint: None,
        without: None,
    }
}

/// Adds the remarks that a traversal of the clause gives on its variables; `variables` has their numbers in
/// the clause.
fn along(
    m: &Machine,
    walked: &Walked,
    variables: &[(usize, &(String, Cell, u32))],
    remarks: &mut Vec<Remark>,
) -> Result<(), Stop> {
    let Some(found) = occurrences(&walked.events, variables.len())? else {
        return Ok(());
    };
    for ((index, (name, ..)), found) in variables.iter().zip(&found) {
        match (is_marked(name), found.again, found.alone) {
            (true, Some(again), _) => {
                let message = format!("singleton-marked variable appears more than once: {name}");
                remarks.put(singleton(*index, again, message))?;
            }
            (false, _, Some((alone, scope))) => {
                let scope = match scope {
                    Scope::Branch => "branch",
                    Scope::Negation => "\\+",
                };
                let message = format!("singleton variable in {scope}: {name}");
                remarks.put(singleton(*index, alone, message))?;
            }
            _ => {}
        }
    }
    if walked.branches.is_empty() || !found.iter().any(|found| found.goes_out) {
        return Ok(());
    }
    let cells: Vec<Cell> = variables.iter().map(|(_, (_, cell, _))| *cell).gather()?;
    for lacking in lacking(m, &walked.events, &cells)? {
        let Some((index, (name, ..))) = variables.get(lacking.variable as usize) else {
            continue;
        };
        if !is_marked(name) {
            remarks.put(Remark {
                warning: Warning::Branches,
                part: Part::Occurrence(*index, lacking.occurrence),
                message: format!("{name} may be unbound here"),
                hint: None,
                without: walked.branches.get(lacking.branch).copied(),
            })?;
        }
    }
    Ok(())
}

/// Returns whether the name says that the variable occurs once, as `_Name` does. `__Name` does not
/// say so.
fn is_marked(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next() == Some('_') && chars.next().is_some_and(char::is_uppercase)
}

/// The findings about a variable. Occurrences are numbered in their order in the text.
#[derive(Copy, Clone, Default)]
struct Found {
    /// Number of occurrences of the variable so far.
    count: usize,
    /// The first occurrence that is alone in a scope, and the innermost such scope.
    alone: Option<(usize, Scope)>,
    /// The first occurrence that may share a value with an earlier one.
    again: Option<usize>,
    /// Maximum number of scopes around an occurrence so far.
    deepest: usize,
    /// Whether an occurrence is further out than an earlier one.
    goes_out: bool,
}

/// Returns the findings about each of `count` variables, or `None` if that is too much work.
fn occurrences(events: &[Event], count: usize) -> Result<Option<Vec<Found>>, Stop> {
    let mut reached = filled((false, false), events.len())?;
    let mut pass = Pass::new(count)?;
    for (&event, (before, _)) in events.iter().zip(&mut reached) {
        match event {
            Event::Occurs(number) => *before = pass.occurs(number)?,
            Event::Begin(_) => pass.begin(false)?,
            Event::Next => pass.next()?,
            Event::Goal(_) => {}
            Event::End(Scope::Branch) => pass.end()?,
            // The bindings of a negation are undone.
            Event::End(Scope::Negation) => pass.end_without_effect(),
        }
        if pass.steps > LIMIT {
            return Ok(None);
        }
    }
    pass = Pass::new(count)?;
    for (&event, (_, after)) in events.iter().zip(&mut reached).rev() {
        match event {
            Event::Occurs(number) => *after = pass.occurs(number)?,
            Event::End(scope) => pass.begin(scope == Scope::Negation)?,
            Event::Next => pass.next()?,
            Event::Goal(_) => {}
            Event::Begin(_) => pass.end()?,
        }
        if pass.steps > LIMIT {
            return Ok(None);
        }
    }
    let mut found = filled(Found::default(), count)?;
    let mut scopes = Vec::new();
    for (&event, &(before, after)) in events.iter().zip(&reached) {
        match event {
            Event::Occurs(number) => {
                let found = &mut found[number as usize];
                if before && found.again.is_none() {
                    found.again = Some(found.count);
                }
                found.goes_out |= scopes.len() < found.deepest;
                found.deepest = found.deepest.max(scopes.len());
                if !before && !after && found.alone.is_none() {
                    found.alone = scopes.last().map(|&scope| (found.count, scope));
                }
                found.count += 1;
            }
            Event::Begin(scope) => scopes.put(scope)?,
            Event::End(_) => {
                scopes.pop();
            }
            Event::Next | Event::Goal(_) => {}
        }
    }
    Ok(Some(found))
}

/// The variables that occurred so far on the way to the present place.
struct Pass {
    seen: Vec<bool>,
    /// The variables that occurred, in order.
    trail: Vec<u32>,
    open: Vec<Open>,
    steps: usize,
}

/// A disjunction or negation around the present place.
struct Open {
    /// Length of the trail at the beginning of the disjunction or negation.
    start: usize,
    /// The variables of the branches that ended.
    gathered: Vec<u32>,
    /// The variables that occurred before, if they are out of reach within.
    hidden: Option<Vec<u32>>,
}

impl Pass {
    fn new(count: usize) -> Result<Pass, Stop> {
        Ok(Pass {
            seen: filled(false, count)?,
            trail: Vec::new(),
            open: Vec::new(),
            steps: 0,
        })
    }

    /// Records an occurrence, and returns whether the variable occurred before.
    fn occurs(&mut self, number: u32) -> Result<bool, Stop> {
        self.steps += 1;
        let before = std::mem::replace(&mut self.seen[number as usize], true);
        if !before {
            self.trail.put(number)?;
        }
        Ok(before)
    }

    fn forget(&mut self, start: usize) -> Vec<u32> {
        let gone = self.trail.split_off(start);
        self.steps += gone.len();
        for &number in &gone {
            self.seen[number as usize] = false;
        }
        gone
    }

    /// Begins a disjunction or negation; `apart` means that earlier occurrences are out of reach
    /// within it.
    fn begin(&mut self, apart: bool) -> Result<(), Stop> {
        let hidden = apart.then(|| self.forget(0));
        self.open.put(Open {
            start: self.trail.len(),
            gathered: Vec::new(),
            hidden,
        })?;
        Ok(())
    }

    fn next(&mut self) -> Result<(), Stop> {
        let start = self.open.last().map_or(0, |open| open.start);
        let gone = self.forget(start);
        if let Some(open) = self.open.last_mut() {
            open.gathered.put_all(gone)?;
        }
        Ok(())
    }

    fn end(&mut self) -> Result<(), Stop> {
        self.next()?;
        let Some(open) = self.open.pop() else {
            return Ok(());
        };
        for number in open.hidden.into_iter().flatten().chain(open.gathered) {
            self.occurs(number)?;
        }
        Ok(())
    }

    fn end_without_effect(&mut self) {
        let Some(open) = self.open.pop() else { return };
        self.forget(open.start);
    }
}
