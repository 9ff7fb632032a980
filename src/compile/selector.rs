//! The conditions that a clause sets for a call: the patterns of its head, and the tests at the beginning of its
//! body.
//!
//! Both are read from the stored term of the clause when an index is made.

use super::index::{Constraints, Target, known_tag};
use crate::base::atom_table::{Atom, Functor, Symbols, atoms, functors};
use crate::base::growth::Bounded;
use crate::ir::clause::{NumCompare, TypeTest};
use crate::ir::key::Key;
use crate::ir::selection::{Known, Path};
use crate::store::address::HeapAddr;
use crate::store::cell::{Cell, WORD, tag};
use crate::store::raw;

/// A variable of a clause: its address.
pub(super) type Var = HeapAddr;

/// The content of a clause at a path.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Pattern {
    /// A part of the value of a variable.
    Below,
    /// A variable.
    Var(Var),
    /// A term.
    Key(Key),
}

/// An operand of a test.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Operand {
    Var(Var),
    /// An atom or inline integer.
    Constant(Cell),
}

/// Orders that satisfy a comparison: 1 less, 2 equal, 4 greater; with [`INTEGERS`] if it is a constraint.
pub(super) type Orders = u8;
/// Marks a comparison of integers only.
pub(super) const INTEGERS: Orders = 8;

/// A test at the beginning of a body.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Test {
    /// A type test.
    Type(TypeTest, Var),
    /// An arithmetic comparison.
    Compare(Orders, Operand, Operand),
    /// `==` or, if false, `\==`.
    Identical(Operand, Operand, bool),
    /// A comparison of terms.
    Order(Orders, Operand, Operand),
}

impl Test {
    /// Returns the variables that the test reads.
    pub(super) fn vars(&self) -> impl Iterator<Item = Var> {
        let var = |operand: Operand| match operand {
            Operand::Var(var) => Some(var),
            Operand::Constant(_) => None,
        };
        let both = match *self {
            Test::Type(_, of) => [Some(of), None],
            Test::Compare(_, a, b) | Test::Identical(a, b, _) | Test::Order(_, a, b) => {
                [var(a), var(b)]
            }
        };
        both.into_iter().flatten()
    }
}

/// The result of matching the head against the knowledge of a call.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Match {
    /// The head matches and binds nothing of the call.
    Reads,
    /// The head matches and binds one variable.
    Binds,
    /// The head matches if the part at this path is a variable.
    If(Path),
    /// The head may or may not match.
    Open,
}

/// Maximum number of goals of a body that are examined.
const GOALS: usize = 16;
/// Maximum number of parts of a head that are examined to see whether it matches.
const PARTS: usize = 48;

/// Returns the comparison of this name.
fn comparison(name: Atom, a: Operand, b: Operand) -> Option<Test> {
    Some(match name {
        atoms::IDENTICAL => Test::Identical(a, b, true),
        atoms::NOT_IDENTICAL => Test::Identical(a, b, false),
        atoms::TERM_LESS => Test::Order(1, a, b),
        atoms::TERM_LESS_EQUAL => Test::Order(3, a, b),
        atoms::TERM_GREATER => Test::Order(4, a, b),
        atoms::TERM_GREATER_EQUAL => Test::Order(6, a, b),
        atoms::LESS => Test::Compare(1, a, b),
        atoms::NUM_EQUAL => Test::Compare(2, a, b),
        atoms::AT_LESS_EQUAL => Test::Compare(3, a, b),
        atoms::GREATER => Test::Compare(4, a, b),
        atoms::NUM_NOT_EQUAL => Test::Compare(5, a, b),
        atoms::GREATER_EQUAL => Test::Compare(6, a, b),
        _ => return None,
    })
}

/// Returns whether a clause whose body begins with this goal may set more conditions for a call than its head does.
/// The goal is given as an atom or a functor cell.
pub(crate) fn may_test(goal: Cell, symbols: &Symbols) -> bool {
    if goal.is_atom() {
        return matches!(goal.as_atom(), atoms::TRUE | atoms::CUT);
    }
    if !goal.is_functor() {
        return false;
    }
    let functor = goal.as_functor();
    let name = symbols.name(functor);
    let any = Operand::Constant(goal);
    match functor.arity() {
        1 => TypeTest::of_name(name).is_some(),
        2 => {
            name == atoms::EQUAL
                || NumCompare::of_constraint(functor).is_some()
                || comparison(name, any, any).is_some()
        }
        _ => false,
    }
}

/// A clause in the form that the index reads.
///
/// There is one for each clause of a predicate, so it is small.
pub(super) struct Selector<'a> {
    /// The symbols, if the head may contain applications of variables, which may be any term.
    applications: Option<&'a Symbols>,
    /// Address of the first argument of the head.
    args: HeapAddr,
    arity: usize,
    /// The beginning of the body, if it contains conditions.
    lead: Option<Box<Lead>>,
}

/// The beginning of a body.
#[derive(Default)]
struct Lead {
    /// Variables that the body unifies first of all, and their terms.
    bound: Vec<(Var, Cell)>,
    /// The tests before any other goal in the body, up to a cut.
    tests: Vec<Test>,
    /// Whether a cut follows the tests.
    commits: bool,
}

impl<'a> Selector<'a> {
    pub(super) fn new(source: Cell, is_head: bool, target: &Target<'a>) -> Selector<'a> {
        let symbols = target.symbols;
        let mut constraints = target.constraints;
        let mut selector = Selector {
            applications: target.scoped.then_some(symbols),
            args: HeapAddr::NONE,
            arity: 0,
            lead: None,
        };
        let mut head = source;
        let mut body = None;
        if let (false, Some((functors::NECK, args))) = (is_head, selector.structure(head)) {
            head = raw::cell(args);
            body = Some(raw::cell(args + WORD));
        }
        while let Some((functors::COLON, args)) = selector.structure(head) {
            head = raw::cell(args + WORD);
            // The body may belong to another module.
            constraints = Constraints::default();
        }
        match selector.resolve(head) {
            Ok(list) if list.tag() == tag::LST => {
                (selector.args, selector.arity) = (list.addr(), 2)
            }
            _ => {
                if let Some((functor, args)) = selector.structure(head) {
                    (selector.args, selector.arity) = (args, functor.arity());
                }
            }
        }
        if let Some(body) = body {
            selector.lead(body, symbols, constraints);
        }
        selector
    }

    /// Returns the tests before any other goal in the body, up to a cut.
    pub(super) fn tests(&self) -> &[Test] {
        self.lead.as_deref().map_or(&[], |lead| &lead.tests)
    }

    /// Returns whether a cut follows the tests.
    pub(super) fn commits(&self) -> bool {
        self.lead.as_deref().is_some_and(|lead| lead.commits)
    }

    /// Returns the term with which the body unifies a variable first of all.
    fn bound(&self, var: Var) -> Option<Cell> {
        let mut bound = self.lead.as_deref()?.bound.iter();
        bound
            .find(|&&(other, _)| other == var)
            .map(|&(_, term)| term)
    }

    fn lead_mut(&mut self) -> &mut Lead {
        self.lead.get_or_insert_default()
    }

    /// Returns the term that a cell stands for, or the variable.
    fn resolve(&self, mut cell: Cell) -> Result<Cell, Var> {
        loop {
            let addr = match cell.tag() {
                tag::REF => cell.addr(),
                tag::ATT => return Err(cell.addr()),
                _ => return Ok(cell),
            };
            let next = raw::cell(addr);
            if next == cell {
                match self.bound(addr) {
                    Some(term) => cell = term,
                    None => return Err(addr),
                }
            } else {
                cell = next;
            }
        }
    }

    /// Returns the functor and the address of the arguments of a structure.
    fn structure(&self, cell: Cell) -> Option<(Functor, HeapAddr)> {
        match self.resolve(cell) {
            Ok(cell) if cell.tag() == tag::STR => {
                Some((raw::cell(cell.addr()).as_functor(), cell.addr() + WORD))
            }
            _ => None,
        }
    }

    fn is_application(&self, cell: Cell) -> bool {
        self.applications.is_some_and(|symbols| {
            cell.tag() == tag::STR
                && symbols.name(raw::cell(cell.addr()).as_functor()) == atoms::APPLICATION
        })
    }

    /// Returns the address of the first argument of a compound and the number of arguments.
    fn arguments(&self, cell: Cell) -> (HeapAddr, usize) {
        match cell.tag() {
            tag::LST => (cell.addr(), 2),
            tag::STR => (
                cell.addr() + WORD,
                raw::cell(cell.addr()).as_functor().arity(),
            ),
            _ => (HeapAddr::NONE, 0),
        }
    }

    /// Returns the content of the clause at a path.
    pub(super) fn pattern(&self, path: Path) -> Pattern {
        let (mut args, mut arity) = (self.args, self.arity);
        let mut found = Pattern::Below;
        for index in path.steps() {
            if index >= arity {
                return Pattern::Below;
            }
            match self.resolve(raw::cell(args + index as u64 * WORD)) {
                Err(var) => {
                    (args, arity) = (HeapAddr::NONE, 0);
                    found = Pattern::Var(var);
                }
                // The application may be any term once its variable is known.
                Ok(cell) if self.is_application(cell) => {
                    (args, arity) = (HeapAddr::NONE, 0);
                    found = Pattern::Below;
                }
                Ok(cell) => {
                    (args, arity) = self.arguments(cell);
                    found = Pattern::Key(Key::in_switch(cell));
                }
            }
        }
        found
    }

    // ---- the beginning of the body ------------------------------------------------------------

    /// Reads the goals of the body up to the first that has no known meaning here.
    fn lead(&mut self, body: Cell, symbols: &Symbols, constraints: Constraints) {
        let mut todo = vec![body];
        for _ in 0..GOALS {
            let Some(goal) = todo.pop() else { return };
            match self.resolve(goal) {
                Ok(cell) if cell == Cell::atom(atoms::TRUE) => continue,
                Ok(cell) if cell == Cell::atom(atoms::CUT) => {
                    self.lead_mut().commits = true;
                    return;
                }
                _ => {}
            }
            let Some((functor, args)) = self.structure(goal) else {
                return;
            };
            let arity = functor.arity();
            let arg = |index: usize| {
                if index < arity {
                    raw::cell(args + index as u64 * WORD)
                } else {
                    goal
                }
            };
            let (a, b) = (arg(0), arg(1));
            if functor == functors::COMMA {
                todo.put_all_bounded([b, a]);
                continue;
            }
            let understood = match functor.arity() {
                1 => self.type_test(symbols.name(functor), a),
                2 if symbols.name(functor) == atoms::EQUAL => self.unification(a, b),
                2 => match NumCompare::of_constraint(functor) {
                    None => self.comparison(symbols.name(functor), a, b),
                    Some(compare) => {
                        constraints[compare as usize] && self.constraint(compare, a, b)
                    }
                },
                _ => false,
            };
            if !understood {
                return;
            }
        }
    }

    fn type_test(&mut self, name: Atom, arg: Cell) -> bool {
        let (Some(test), Err(var)) = (TypeTest::of_name(name), self.resolve(arg)) else {
            return false;
        };
        self.lead_mut().tests.put_bounded(Test::Type(test, var));
        true
    }

    /// Notes the unification of a variable before all tests: the variable counts as the term.
    fn unification(&mut self, a: Cell, b: Cell) -> bool {
        if !self.tests().is_empty() {
            return false;
        }
        let (var, term) = match (self.resolve(a), self.resolve(b)) {
            (Err(var), Ok(term)) | (Ok(term), Err(var)) => (var, term),
            _ => return false,
        };
        if self.contains(term, var) {
            return false;
        }
        self.lead_mut().bound.put_bounded((var, term));
        true
    }

    /// Returns whether the variable may occur in the term.
    fn contains(&self, term: Cell, var: Var) -> bool {
        let mut todo = vec![term];
        for _ in 0..PARTS {
            let Some(cell) = todo.pop() else { return false };
            match self.resolve(cell) {
                Err(other) if other == var => return true,
                Err(_) => {}
                Ok(cell) => {
                    let (args, count) = self.arguments(cell);
                    let args = (0..count.min(PARTS + 1) as u64).map(|n| raw::cell(args + n * WORD));
                    todo.put_all_bounded(args);
                }
            }
        }
        true
    }

    fn comparison(&mut self, name: Atom, a: Cell, b: Cell) -> bool {
        let (Some(a), Some(b)) = (self.operand(a), self.operand(b)) else {
            return false;
        };
        if let (Operand::Constant(_), Operand::Constant(_)) = (a, b) {
            return false;
        }
        let numeric = |operand: Operand| match operand {
            Operand::Constant(cell) => cell.is_int() && i16::try_from(cell.int_value()).is_ok(),
            Operand::Var(_) => true,
        };
        let Some(test) = comparison(name, a, b) else {
            return false;
        };
        if matches!(test, Test::Compare(..)) && !(numeric(a) && numeric(b)) {
            return false;
        }
        self.lead_mut().tests.put_bounded(test);
        if self.applications.is_some() {
            // Lolli's comparisons differ from Prolog's for values that are not numbers.
            self.of_integers();
        }
        true
    }

    /// Restricts the last comparison among the tests to integers.
    fn of_integers(&mut self) {
        if let Some(Test::Compare(orders, ..)) = self.lead_mut().tests.last_mut() {
            *orders |= INTEGERS;
        }
    }

    fn constraint(&mut self, compare: NumCompare, a: Cell, b: Cell) -> bool {
        let name = match compare {
            NumCompare::Less => atoms::LESS,
            NumCompare::LessEqual => atoms::AT_LESS_EQUAL,
            NumCompare::Greater => atoms::GREATER,
            NumCompare::GreaterEqual => atoms::GREATER_EQUAL,
            NumCompare::Equal => atoms::NUM_EQUAL,
            NumCompare::NotEqual => atoms::NUM_NOT_EQUAL,
        };
        let understood = self.comparison(name, a, b);
        if understood {
            self.of_integers();
        }
        understood
    }

    fn operand(&self, cell: Cell) -> Option<Operand> {
        match self.resolve(cell) {
            Err(var) => Some(Operand::Var(var)),
            Ok(cell) if cell.is_simple() => Some(Operand::Constant(cell)),
            Ok(_) => None,
        }
    }

    /// Returns the type tests of a variable that come before any other test.
    pub(super) fn types(&self, var: Var) -> impl Iterator<Item = TypeTest> {
        self.tests()
            .iter()
            .map_while(|test| match test {
                Test::Type(test, of) => Some((*test, *of)),
                _ => None,
            })
            .filter(move |&(_, of)| of == var)
            .map(|(test, _)| test)
    }

    /// Returns whether the tests distinguish an eigenvariable from structures.
    pub(super) fn separates_eigenvariables(&self, var: Var) -> bool {
        let tells = |test: &Test| matches!(*test, Test::Type(TypeTest::Atomic | TypeTest::Compound, of) if of == var);
        self.tests().iter().any(tells)
    }

    /// Returns whether the tests before this one raise no exceptions.
    pub(super) fn is_silent(&self, test: usize) -> bool {
        let mut earlier = self.tests().iter().take(test);
        earlier.all(|test| !matches!(test, Test::Compare(..)))
    }

    // ---- the head -----------------------------------------------------------------------------

    /// Visits the parts of the head, outer ones first. If `part` returns true, also visits the parts inside. Returns
    /// false if there are too many parts.
    fn walk(&self, mut part: impl FnMut(Path, Result<Cell, Var>) -> bool) -> bool {
        let mut todo = std::collections::VecDeque::new();
        if self.arity > Path::WIDTH {
            return false;
        }
        for index in 0..self.arity {
            todo.put_bounded((
                Path::root(index),
                raw::cell(self.args + index as u64 * WORD),
            ));
        }
        for _ in 0..PARTS {
            let Some((path, cell)) = todo.pop_front() else {
                return true;
            };
            let found = self.resolve(cell);
            if part(path, found)
                && let Ok(cell) = found
            {
                let (args, count) = self.arguments(cell);
                for index in 0..count {
                    let Some(child) = path.child(index) else {
                        return false;
                    };
                    todo.put_bounded((child, raw::cell(args + index as u64 * WORD)));
                }
            }
        }
        todo.is_empty()
    }

    /// Returns the place of the first occurrence of a variable in the head.
    pub(super) fn place(&self, wanted: Var) -> Option<Path> {
        let mut place = None;
        self.walk(|path, found| {
            if found == Err(wanted) && place.is_none() {
                place = Some(path);
            }
            place.is_none()
        });
        place
    }

    /// Returns the first two places of a variable that occurs more than once in the head.
    pub(super) fn pair(&self) -> Option<(Path, Path)> {
        let mut seen: Vec<(Var, Path)> = Vec::new();
        let mut pair = None;
        self.walk(|path, found| {
            if let (Err(var), None) = (found, pair) {
                match seen.iter().find(|(other, _)| *other == var) {
                    Some(&(_, first)) => pair = Some((first, path)),
                    None => seen.put_bounded((var, path)),
                }
            }
            pair.is_none()
        });
        pair
    }

    /// Returns whether the head matches a call. `known` returns the knowledge of the call. `same` says whether the
    /// parts at the places of [`Selector::pair`] are known to be equal.
    pub(super) fn head(&self, known: impl Fn(Path) -> Option<Known>, same: bool) -> Match {
        let pair = if same { self.pair() } else { None };
        let mut seen: Vec<Var> = Vec::new();
        let (mut open, mut free) = (false, 0);
        let mut conditions = Vec::new();
        let whole = self.walk(|path, found| {
            let known = known(path);
            match found {
                Err(var) if !seen.contains(&var) => seen.put_bounded(var),
                Err(_) if pair.is_some_and(|(_, second)| second == path) => {}
                Err(_) => match known {
                    Some(Known::Tag(tag::REF)) => free += 1,
                    Some(Known::Nothing) => conditions.put_bounded(path),
                    _ => open = true,
                },
                Ok(cell) => match known {
                    Some(Known::Tag(tag::REF)) => free += 1,
                    Some(Known::Nothing) => conditions.put_bounded(path),
                    Some(Known::Exact(key)) if key == Key::of(cell) => return true,
                    _ => open = true,
                },
            }
            false
        });
        match (whole && !open, free, conditions.as_slice()) {
            (true, 0, []) => Match::Reads,
            (true, 1, []) => Match::Binds,
            (true, 0, [path]) => Match::If(*path),
            _ => Match::Open,
        }
    }
}

/// The constant of a universal quantifier.
pub(super) const EIGENVARIABLE: Known = Known::Exact(Key::EIGENVARIABLE);

/// Returns whether a value passes the type test, from the knowledge of the value; `None` if that does not decide it.
/// A known structure is not an eigenvariable, because an eigenvariable is a constant. Where the difference matters,
/// eigenvariables are a case of their own.
pub(super) fn passes(test: TypeTest, known: Known) -> Option<bool> {
    let with = known_tag(known)?;
    let var = matches!(with, tag::REF | tag::ATT);
    let boxed = with == tag::BOX;
    let compound = matches!(with, tag::LST | tag::STR) && known != EIGENVARIABLE;
    Some(match test {
        TypeTest::Var => var,
        TypeTest::Nonvar => !var,
        TypeTest::Atom => with == tag::CON,
        TypeTest::Atomic => !var && !compound,
        TypeTest::Compound => compound,
        TypeTest::Callable => compound || with == tag::CON || known == EIGENVARIABLE,
        TypeTest::Integer | TypeTest::Number if with == tag::INT => true,
        TypeTest::Integer | TypeTest::Number | TypeTest::Float | TypeTest::String if boxed => {
            return None;
        }
        TypeTest::Integer | TypeTest::Number | TypeTest::Float | TypeTest::String => false,
    })
}
