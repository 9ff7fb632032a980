//! Choice of the decision at a node of an index: the decision that separates its clauses best.
//!
//! First come arguments on which clauses need different values. Then comes anything that decides whether the first
//! clause reaches its cut. Last come decisions that separate only some clauses. They are arguments on which some
//! clauses need a value and arguments of arguments of this kind if there are few clauses. They are also tests that
//! may exclude clauses without a cut, if that probably leaves a single clause.

use super::index::{Builder, COLUMNS, PAIR, TESTED, compound_arity};
use super::selector::{INTEGERS, Match, Operand, Orders, Pattern, Test};
use crate::base::atom_table::FastMap;
use crate::base::growth::{Gather, GrowMap};
use crate::base::stop::Stop;
use crate::ir::key::Key;
use crate::ir::selection::{Knowledge, Known, Path};
use crate::store::cell::{Cell, tag};

/// Maximum number of clauses for tests of clauses that do not reach a cut.
const TESTED_OPEN: usize = 4;
/// Number of clauses of a large set that are examined to find the argument that separates them.
const SAMPLE: usize = 1024;
/// One clause left, in the measure of [`Score::Values`].
const ONE: usize = 16;

/// A possible decision.
pub(super) enum Choice {
    Switch(Path),
    Compare(u32, u8, Orders, Path, Result<Path, Cell>),
    Terms(u32, u8, Test, [Result<Path, Cell>; 2]),
    Pair(u32, Path, Path),
}

/// The ability of a path to separate clauses.
enum Score {
    /// The path separates no clauses.
    Nothing,
    /// The number of values that the clauses have at the path, and a measure of the average number of clauses left by
    /// one value. One value means that other clauses have a variable.
    Values(usize, usize),
    /// All clauses have a list there, or structures with this functor.
    Same(Key),
}

/// The arguments that separate clauses best.
#[derive(Default)]
struct Columns {
    /// A path at which, or inside which, clauses have different values.
    strong: Option<Path>,
    /// A path at which some clauses have a value and some a variable.
    weak: Option<Path>,
    /// A path inside an argument at which some clauses have a value and some a variable, for few clauses.
    inner: Option<Path>,
    /// A path at which all clauses have compounds with parts that help to separate them.
    outer: Option<Path>,
}

impl Builder<'_> {
    /// Returns the decision that separates these clauses best, from the present knowledge; `None` if no decision
    /// separates them.
    pub(super) fn choice(
        &self,
        set: &[u32],
        knowledge: &Knowledge,
    ) -> Result<Option<Choice>, Stop> {
        let columns = self.best_columns(set, knowledge)?;
        if let Some(path) = columns.strong {
            return Ok(Some(Choice::Switch(path)));
        }
        let first = set[0];
        let small = set.len() <= TESTED;
        let condition = self.condition(first, knowledge).filter(|_| small);
        // Inspect an argument before tests. Tests may make the inspection of an argument of an argument superfluous.
        if let Some(path) = condition.filter(|path| path.parent().is_none()) {
            return Ok(Some(Choice::Switch(path)));
        }
        if small && self.clauses[first as usize].commits() {
            let pair = self.pair_of(first, knowledge);
            if let Some(choice) = pair.or_else(|| self.test_of(first, knowledge)) {
                return Ok(Some(choice));
            }
            if let Some(path) = condition {
                return Ok(Some(Choice::Switch(path)));
            }
        }
        if let Some(path) = columns.weak.or(columns.inner) {
            return Ok(Some(Choice::Switch(path)));
        }
        if set.len() <= TESTED_OPEN {
            let mut clauses = set.iter();
            let pair = clauses.find_map(|&clause| self.pair_of(clause, knowledge));
            let compare = || {
                let mut clauses = set.iter().filter(|&&clause| self.excludes(clause, set));
                clauses.find_map(|&clause| self.test_of(clause, knowledge))
            };
            if let Some(choice) = pair.or_else(compare) {
                return Ok(Some(choice));
            }
        }
        Ok(columns.outer.map(Choice::Switch))
    }

    /// Returns whether the first comparison of another clause cannot hold if that of this clause does.
    fn excludes(&self, clause: u32, set: &[u32]) -> bool {
        let comparison = |clause: u32| {
            let selector = &self.clauses[clause as usize];
            let place = |operand: Operand| match operand {
                Operand::Constant(cell) => Some(Err(cell)),
                Operand::Var(var) => selector.place(var).map(Ok),
            };
            selector.tests().iter().find_map(|test| match *test {
                Test::Compare(orders, a, b) => Some((orders, place(a)?, place(b)?)),
                _ => None,
            })
        };
        let Some((orders, a, b)) = comparison(clause) else {
            return false;
        };
        let mut others = set.iter().filter(|&&other| other != clause);
        others.any(|&other| match comparison(other) {
            Some((others, c, d)) if (c, d) == (a, b) => orders & others & ALL_ORDERS == 0,
            Some((others, c, d)) if (c, d) == (b, a) => orders & turned(others) & ALL_ORDERS == 0,
            _ => false,
        })
    }

    /// Returns the part that must be a variable for the head to match, for a clause that reaches a cut.
    fn condition(&self, clause: u32, knowledge: &Knowledge) -> Option<Path> {
        let selector = &self.clauses[clause as usize];
        match (selector.commits(), self.head(clause, knowledge)) {
            (true, Match::If(path)) => Some(path),
            _ => None,
        }
    }

    /// Returns the arguments that separate the clauses best.
    fn best_columns(&self, set: &[u32], knowledge: &Knowledge) -> Result<Columns, Stop> {
        let some: Vec<u32>;
        let set = if set.len() > 2 * SAMPLE {
            some = set.iter().copied().step_by(set.len() / SAMPLE).gather()?;
            &some
        } else {
            set
        };
        let mut columns = Columns::default();
        let (mut least_strong, mut least_weak, mut least_inner) =
            (usize::MAX, usize::MAX, usize::MAX);
        let mut consider = |path: Path| -> Result<(), Stop> {
            // A clause for each value is the best result.
            if least_strong <= ONE {
                return Ok(());
            }
            if self.known(knowledge, path) != Some(Known::Nothing) {
                return Ok(());
            }
            match self.score(set, path)? {
                Score::Nothing => {}
                Score::Values(1, left) if path.parent().is_none() || self.cuts_below(set, path) => {
                    if left < least_weak {
                        (columns.weak, least_weak) = (Some(path), left);
                    }
                }
                Score::Values(1, left) if set.len() <= TESTED_OPEN => {
                    if left < least_inner {
                        (columns.inner, least_inner) = (Some(path), left);
                    }
                }
                Score::Values(2.., left) if left < least_strong => {
                    (columns.strong, least_strong) = (Some(path), left);
                }
                Score::Values(..) => {}
                Score::Same(key) => match self.inside(set, path, key)? {
                    Some(left) if left < least_strong => {
                        (columns.strong, least_strong) = (Some(path), left);
                    }
                    None if columns.outer.is_none() && self.worth_opening(set, path) => {
                        columns.outer = Some(path);
                    }
                    _ => {}
                },
            }
            Ok(())
        };
        for index in 0..self.target.arity.min(Path::WIDTH) {
            consider(Path::root(index))?;
        }
        for column in &knowledge.columns {
            let arity = compound_arity(column.known).min(Path::WIDTH);
            for path in (0..arity).filter_map(|index| column.path.child(index)) {
                consider(path)?;
            }
        }
        Ok(columns)
    }

    /// Returns whether one of the clauses with a value at a path reaches a cut.
    fn cuts_below(&self, set: &[u32], path: Path) -> bool {
        let mut clauses = set.iter().map(|&clause| &self.clauses[clause as usize]);
        clauses
            .any(|selector| selector.commits() && matches!(selector.pattern(path), Pattern::Key(_)))
    }

    /// Returns the average number of clauses left by the best part of the compounds that all clauses have at a path.
    /// Returns `None` if their parts do not separate values.
    fn inside(&self, set: &[u32], path: Path, key: Key) -> Result<Option<usize>, Stop> {
        let arity = compound_arity(Known::Exact(key)).min(Path::WIDTH);
        let mut least = None;
        for child in (0..arity).filter_map(|index| path.child(index)) {
            let left = match self.score(set, child)? {
                Score::Values(2.., left) => Some(left),
                Score::Same(key) => self.inside(set, child, key)?,
                _ => None,
            };
            least = least.into_iter().chain(left).min();
        }
        Ok(least)
    }

    /// Returns whether a compound that all clauses have at this path has a part worth a look. Such a part decides
    /// whether a clause reaches its cut, is in tests that exclude each other, or must be equal to another argument.
    fn worth_opening(&self, set: &[u32], path: Path) -> bool {
        let few = set.len() <= TESTED_OPEN;
        let below = |&clause: &u32| {
            let selector = &self.clauses[clause as usize];
            if few
                && let Some((a, b)) = self.near_pair(clause)
                && (a.is_below(path) || b.is_below(path))
            {
                return true;
            }
            let tested = selector.commits() || (few && self.excludes(clause, set));
            let mut vars = selector.tests().iter().flat_map(Test::vars);
            tested && vars.any(|var| selector.place(var).is_some_and(|at| at.is_below(path)))
        };
        let mut children = (0..Path::WIDTH).map_while(|index| path.child(index));
        set.len() <= TESTED
            && (children.any(|child| self.cuts_below(set, child)) || set.iter().any(below))
    }

    /// Returns the two places of a variable that occurs twice in the head of a clause. Both places are arguments or
    /// arguments of arguments.
    pub(super) fn near_pair(&self, clause: u32) -> Option<(Path, Path)> {
        let near = |path: &Path| {
            path.parent()
                .is_none_or(|(outer, _)| outer.parent().is_none())
        };
        let pair = self.clauses[clause as usize].pair();
        pair.filter(|(a, b)| near(a) && near(b))
    }

    /// Returns the ability of a path to separate the clauses.
    fn score(&self, set: &[u32], path: Path) -> Result<Score, Stop> {
        let mut values: FastMap<Result<Key, u8>, ()> = FastMap::default();
        let mut any = 0;
        for &clause in set {
            let selector = &self.clauses[clause as usize];
            let value = match selector.pattern(path) {
                Pattern::Key(key) => Some(Ok(key)),
                Pattern::Var(var) => selector.types(var).next().map(|test| Err(test as u8)),
                Pattern::Below => None,
            };
            match value {
                Some(value) => {
                    values.put_entry(value, ())?;
                }
                None => any += 1,
            }
        }
        let only = values.keys().next();
        Ok(match (values.len(), any, only) {
            (0, ..) => Score::Nothing,
            (1, 0, Some(&Ok(key))) if key == Key::LIST || key.is_structure() => Score::Same(key),
            (1, 0, _) => Score::Nothing,
            (count, ..) => Score::Values(count, any * ONE + (set.len() - any) * ONE / count),
        })
    }

    /// Returns the test whether two parts may match a variable that occurs twice in the head.
    fn pair_of(&self, clause: u32, knowledge: &Knowledge) -> Option<Choice> {
        if self.decided(knowledge, clause, PAIR).is_some() {
            return None;
        }
        let (a, b) = self.near_pair(clause)?;
        let both = self.may_match(knowledge, a) && self.may_match(knowledge, b);
        both.then_some(Choice::Pair(clause, a, b))
    }

    /// Returns the first undecided test of a clause, if it can be made.
    fn test_of(&self, clause: u32, knowledge: &Knowledge) -> Option<Choice> {
        let selector = &self.clauses[clause as usize];
        let head = self.head(clause, knowledge);
        let place = |operand: Operand| match operand {
            Operand::Constant(cell) => Some(Err(cell)),
            Operand::Var(var) => {
                let place = selector.place(var)?;
                self.known(knowledge, place).map(|_| Ok(place))
            }
        };
        let number = |operand: Operand| match place(operand)? {
            Err(cell) => Some(Err(cell)),
            Ok(path) => match self.known(knowledge, path)? {
                Known::Nothing | Known::Tag(tag::INT | tag::BOX) => Some(Ok(path)),
                Known::Exact(key) if key.cell().is_int() => Some(Ok(path)),
                _ => None,
            },
        };
        for test in 0..selector.tests().len() as u8 {
            if self.holds(clause, test, knowledge, head) == Some(true) {
                continue;
            }
            if self.decided(knowledge, clause, test).is_some() {
                return None;
            }
            let what = selector.tests()[usize::from(test)];
            return match what {
                // Switches decide types, where a type separates clauses at all.
                Test::Type(..) => None,
                Test::Compare(orders, a, b) => {
                    let (a, b, orders) = match (number(a)?, number(b)?) {
                        (Err(cell), Ok(path)) => (path, Err(cell), turned(orders)),
                        (Ok(path), b) => (path, b, orders),
                        _ => return None,
                    };
                    Some(Choice::Compare(clause, test, orders, a, b))
                }
                Test::Identical(a, b, _) | Test::Order(_, a, b) => {
                    let room = self.target.arity + COLUMNS < crate::code::instruction::REGISTERS;
                    let worth = room && head == Match::Reads && selector.commits();
                    let both = [place(a)?, place(b)?];
                    worth.then_some(Choice::Terms(clause, test, what, both))
                }
            };
        }
        None
    }

    /// Returns whether a part is in reach and not known to be a variable.
    fn may_match(&self, knowledge: &Knowledge, path: Path) -> bool {
        let known = self.known(knowledge, path);
        known.is_some_and(|known| !matches!(known, Known::Tag(tag::REF | tag::ATT)))
    }
}

/// Less, equal, greater.
const ALL_ORDERS: Orders = 7;

/// Returns a comparison with its operands exchanged.
fn turned(orders: Orders) -> Orders {
    (orders & (2 | INTEGERS)) | (orders & 1) << 2 | (orders & 4) >> 2
}
