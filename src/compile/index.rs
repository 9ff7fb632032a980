//! The code that selects among the clauses of a static predicate (Aït-Kaci 5.11; Costa, Sagonas and Lopes,
//! "Demand-Driven Indexing of Prolog Clauses", ICLP 2007).
//!
//! A node of this code makes one decision. It switches on the argument, or the argument of such an argument, that
//! separates the clauses best. Or it makes a test at the beginning of a clause. Each outcome leads to another node,
//! made when control first reaches it. This ends when single clauses are left or no decision separates the clauses;
//! then the clauses are tried in order. Clauses after one that is known to reach a cut are never tried. So a
//! predicate whose clauses begin with tests and cuts neither makes nor leaves a choice point. (In Carlsson, "On the
//! Efficiency of Optimising Shallow Backtracking in Compiled Prolog", ICLP 1989, the machine saves less for such a
//! choice point. Here it saves nothing.)
//!
//! A decision never changes the effect of a program: a clause that it excludes could not have succeeded and could not
//! have raised an exception.

use super::decisions::Choice;
use super::selector::{Match, Operand, Pattern, Selector, Test, passes};
use crate::base::atom_table::Symbols;
use crate::base::growth::{Gather, Grow, GrowBy};
use crate::base::stop::Stop;
use crate::code::instruction::{Op, encode, encode_wide};
use crate::code::pairs::pair;
use crate::ir::key::Key;
use crate::ir::selection::{Column, Decision, Knowledge, Known, Node, Path};
use crate::store::address::CodeAddr;
use crate::store::cell::{Cell, tag};

/// A clause to be selected.
#[derive(Copy, Clone)]
pub(crate) struct Entry {
    /// The position of the clause in the predicate.
    pub(crate) position: i64,
    /// Address of the code of the clause.
    pub(crate) address: CodeAddr,
    /// The clause, or its head alone.
    pub(crate) source: Cell,
    /// Whether `source` is the head alone.
    pub(crate) is_head: bool,
    /// Whether the clause is a fact.
    pub(crate) is_fact: bool,
}

/// A rule for the number of solutions of a predicate. It applies if the arguments with bits in `variables` are
/// different variables. Then there are as many solutions as elements in the list that is another argument.
#[derive(Copy, Clone)]
pub(crate) struct Countable {
    /// A bit for each of these arguments.
    pub(crate) variables: u64,
    /// Number of the argument that is the list.
    pub(crate) list: u16,
}

/// For each comparison, whether it occurs as a constraint of library(clpfd) in goals of the clauses. The order is
/// that of [`NumCompare::ALL`](crate::ir::clause::NumCompare::ALL).
pub(crate) type Constraints = [bool; 6];

/// The target of the code.
#[derive(Copy, Clone)]
pub(crate) struct Target<'a> {
    /// Number of arguments.
    pub(crate) arity: usize,
    /// The predicate.
    pub(crate) predicate: u32,
    /// Number of the first postponed node.
    pub(crate) first_later: usize,
    /// Address of the instruction `fail`.
    pub(crate) fail: CodeAddr,
    /// Names.
    pub(crate) symbols: &'a Symbols,
    /// Whether decisions may be made. Otherwise the clauses are tried in order.
    pub(crate) decides: bool,
    /// Whether its clauses unify applications of variables, which may be any term.
    pub(crate) scoped: bool,
    /// Which comparisons occur as constraints of library(clpfd) in goals of its clauses.
    pub(crate) constraints: Constraints,
    /// Whether the code is for all clauses of the predicate.
    pub(crate) whole: bool,
    /// The rule for the number of solutions, if it is known without finding them.
    pub(crate) countable: Option<Countable>,
}

/// Index code.
pub(crate) enum Made {
    /// No decision: control goes to this address.
    Address(CodeAddr),
    /// Code, entered at its start, and the nodes to be made later.
    Code(Vec<u64>, Vec<Node>),
}

/// Maximum number of clauses for which tests are made and cuts are found.
pub(super) const TESTED: usize = 32;
/// Maximum number of parts in registers. Beyond it, arguments of arguments are not inspected.
pub(super) const COLUMNS: usize = 32;
/// The test of a pair of equal variables in the head.
pub(super) const PAIR: u8 = u8::MAX;

pub(super) struct Builder<'a> {
    pub(super) entries: &'a [Entry],
    pub(super) clauses: Vec<Selector<'a>>,
    pub(super) target: Target<'a>,
    pub(super) words: Vec<u64>,
    /// Words that hold a place in the code and will hold its address.
    pub(super) relocations: Vec<usize>,
    /// Places where a part is fetched for the instruction that follows.
    fetches: Vec<usize>,
    /// Postponed nodes, with the word that leads to each.
    later: Vec<(usize, Node)>,
}

/// Makes the code that selects among these clauses, from the present knowledge.
pub(crate) fn build(
    entries: &[Entry],
    knowledge: Knowledge,
    target: Target<'_>,
) -> Result<Made, Stop> {
    let clauses = entries.iter();
    let clauses = clauses.map(|e| Selector::new(e.source, e.is_head, &target));
    let mut builder = Builder {
        entries,
        clauses: clauses.gather()?,
        target,
        words: Vec::new(),
        relocations: Vec::new(),
        fetches: Vec::new(),
        later: Vec::new(),
    };
    let all: Vec<u32> = (0..entries.len() as u32).gather()?;
    let may_check = target.decides && target.scoped && target.whole;
    let checked = if may_check { builder.looked_at() } else { 0 };
    let checks = checked > 0;
    if checks {
        let op = encode(Op::IndexApplied, checked as u16, 0, 0);
        builder.words.put_all([op, 0])?;
    }
    let countable = target.countable.filter(|_| target.whole);
    if let Some(Countable { variables, list }) = countable {
        let op = encode(Op::CountAll, list + 1, 0, 0);
        builder.words.put_all([op, variables, 0])?;
    }
    match builder.node(all.clone(), knowledge)? {
        Some(address) if countable.is_none() => return Ok(Made::Address(address)),
        Some(address) => {
            let op = encode(Op::JumpTo, 0, 0, 0);
            builder.words.put_all([op, address.bits()])?;
        }
        None => {}
    }
    if checks {
        builder.words[1] = builder.words.len() as u64;
        builder.relocations.put(1)?;
        builder.chain(&all)?;
    }
    builder.finish()
}

impl Builder<'_> {
    /// Returns the number of arguments that may separate the clauses; later arguments do not.
    fn looked_at(&self) -> usize {
        let tests = |selector: &Selector<'_>| !selector.tests().is_empty();
        let pairs = |clause: u32| self.near_pair(clause).is_some();
        if self.clauses.iter().any(tests) || (0..self.clauses.len() as u32).any(pairs) {
            return self.target.arity;
        }
        let tells = |&index: &usize| {
            let mut patterns = self.clauses.iter().map(|s| s.pattern(Path::root(index)));
            patterns.any(|pattern| matches!(pattern, Pattern::Key(_)))
        };
        let last = (0..self.target.arity.min(Path::WIDTH)).rev().find(tells);
        last.map_or(0, |last| last + 1)
    }

    fn finish(mut self) -> Result<Made, Stop> {
        // Append the instructions that make further nodes.
        for (number, (at, _)) in self.later.iter().enumerate() {
            self.words[*at] = self.words.len() as u64;
            self.relocations.put(*at)?;
            self.words.put_all([
                encode_wide(Op::IndexNode, 0, self.target.predicate),
                (self.target.first_later + number) as u64,
            ])?;
        }
        for at in self.fetches {
            self.words[at] = pair(self.words[at], self.words[at + 1]);
        }
        let mut code = self.words;
        if code.capacity() - code.len() > code.len() / 8 {
            // Allocate a block of the right size: to give back a part of the old block might fail.
            code = Vec::of(&code)?;
        }
        let base = CodeAddr::of(&code).bits();
        for at in self.relocations {
            code[at] = base + code[at] * 8;
        }
        let start = CodeAddr::of(&code);
        let place = |(at, mut node): (usize, Node)| {
            node.slot = start + at as u64 * 8;
            node
        };
        Ok(Made::Code(
            code,
            self.later.into_iter().map(place).gather()?,
        ))
    }

    /// Appends code for a set of clauses, or returns an address if there is no decision to make.
    fn node(
        &mut self,
        mut set: Vec<u32>,
        mut knowledge: Knowledge,
    ) -> Result<Option<CodeAddr>, Stop> {
        if self.target.decides {
            self.settle(&mut set, &mut knowledge);
        }
        match set.as_slice() {
            [] => return Ok(Some(self.target.fail)),
            [one] => return Ok(Some(self.entries[*one as usize].address)),
            _ => {}
        }
        if !self.target.decides {
            self.chain(&set)?;
            return Ok(None);
        }
        match self.choice(&set, &knowledge)? {
            Some(Choice::Switch(path)) => self.switch(&set, knowledge, path)?,
            Some(choice) => self.test(&set, knowledge, &choice)?,
            None => {
                self.count_facts(&set, &knowledge)?;
                self.chain(&set)?;
            }
        }
        Ok(None)
    }

    /// Emits the number of facts before a chain of facts, for calls that are counted and match all of them.
    fn count_facts(&mut self, set: &[u32], knowledge: &Knowledge) -> Result<(), Stop> {
        let plain = |&clause: &u32| {
            let selector = &self.clauses[clause as usize];
            self.entries[clause as usize].is_fact && selector.pair().is_none()
        };
        if self.target.arity > 64 || self.target.scoped || !set.iter().all(plain) {
            return Ok(());
        }
        let mut variables = 0;
        for index in 0..self.target.arity {
            let path = Path::root(index);
            let known = knowledge.column(path).map(|column| column.known);
            let matches = |&clause: &u32| match self.clauses[clause as usize].pattern(path) {
                Pattern::Var(_) => true,
                Pattern::Key(key) => key.is_constant() && known == Some(Known::Exact(key)),
                Pattern::Below => false,
            };
            variables |= u64::from(!set.iter().all(matches)) << index;
        }
        let op = encode(Op::CountAll, 0, 0, 0);
        self.words.put_all([op, variables, set.len() as u64])
    }

    // ---- knowledge ----------------------------------------------------------------------------

    /// Returns the knowledge at a path; `None` if the path is out of reach.
    pub(super) fn known(&self, knowledge: &Knowledge, path: Path) -> Option<Known> {
        if let Some(column) = knowledge.column(path) {
            return Some(column.known);
        }
        let reached = match path.parent() {
            None => path.last() < self.target.arity.min(Path::WIDTH),
            // Applications of variables inside arguments were not searched for.
            Some(_) if self.target.scoped => false,
            Some((parent, index)) => {
                let parent = knowledge.column(parent);
                parent.is_some_and(|column| index < compound_arity(column.known))
                    && knowledge.columns.len() < COLUMNS
                    && self.target.arity + COLUMNS < crate::code::instruction::REGISTERS
            }
        };
        reached.then_some(Known::Nothing)
    }

    pub(super) fn head(&self, clause: u32, knowledge: &Knowledge) -> Match {
        let same = self.decided(knowledge, clause, PAIR) == Some(true);
        let known = |path: Path| self.known(knowledge, path);
        self.clauses[clause as usize].head(known, same)
    }

    pub(super) fn decided(&self, knowledge: &Knowledge, clause: u32, test: u8) -> Option<bool> {
        let position = self.entries[clause as usize].position;
        let mut decisions = knowledge.decisions.iter();
        let found = decisions.find(|d| d.position == position && d.test == test);
        found.map(|decision| decision.holds)
    }

    fn decide(
        &self,
        knowledge: &Knowledge,
        clause: u32,
        test: u8,
        holds: bool,
    ) -> Result<Knowledge, Stop> {
        let mut knowledge = knowledge.clone();
        let position = self.entries[clause as usize].position;
        knowledge.decisions.put(Decision {
            position,
            test,
            holds,
        })?;
        Ok(knowledge)
    }

    /// Returns whether a test holds, from the present knowledge; `None` if that does not decide it.
    pub(super) fn holds(
        &self,
        clause: u32,
        test: u8,
        knowledge: &Knowledge,
        head: Match,
    ) -> Option<bool> {
        let selector = &self.clauses[clause as usize];
        match *selector.tests().get(usize::from(test))? {
            Test::Type(test, var) => {
                let known = self.known(knowledge, selector.place(var)?)?;
                let tag = known_tag(known)?;
                // Another argument of the head may bind the variable before the test.
                let stable = !matches!(tag, tag::REF | tag::ATT) || head == Match::Reads;
                if stable { passes(test, known) } else { None }
            }
            Test::Compare(orders, a, b) => {
                let value = |operand: Operand| match operand {
                    Operand::Constant(cell) => Some(cell),
                    Operand::Var(var) => match self.known(knowledge, selector.place(var)?)? {
                        Known::Exact(key) if key.is_constant() => Some(key.cell()),
                        _ => None,
                    },
                };
                match (value(a), value(b)) {
                    (Some(a), Some(b)) if a.is_int() && b.is_int() => {
                        let order = a.int_value().cmp(&b.int_value());
                        Some(orders & 1 << (order as i8 + 1) != 0)
                    }
                    _ => self.decided(knowledge, clause, test).filter(|&holds| holds),
                }
            }
            _ => self.decided(knowledge, clause, test).filter(|&holds| holds),
        }
    }

    /// Removes the clauses whose tests are known not to hold, and those after a clause that is known to reach its
    /// cut.
    fn settle(&self, set: &mut Vec<u32>, knowledge: &mut Knowledge) {
        if set.len() > TESTED || set.len() < 2 {
            return;
        }
        let mut cut = false;
        set.retain(|&clause| {
            if cut {
                return false;
            }
            let selector = &self.clauses[clause as usize];
            if selector.tests().is_empty() && !selector.commits() {
                return true;
            }
            let head = self.head(clause, knowledge);
            let mut all = true;
            for test in 0..selector.tests().len() as u8 {
                match self.holds(clause, test, knowledge, head) {
                    Some(true) => {}
                    // If an earlier test may raise an exception, the clause must be tried.
                    Some(false) if all || selector.is_silent(usize::from(test)) => return false,
                    _ => all = false,
                }
            }
            cut = selector.commits() && all && matches!(head, Match::Reads | Match::Binds);
            true
        });
    }

    // ---- code ---------------------------------------------------------------------------------

    /// Returns the register of a part that is in reach.
    pub(super) fn register(&mut self, knowledge: &mut Knowledge, path: Path) -> Result<u16, Stop> {
        if let Some(column) = knowledge.column(path) {
            return Ok(column.register);
        }
        let register = match path.parent() {
            None => path.last() as u16,
            Some((parent, index)) => {
                let register = self.target.arity + knowledge.columns.len();
                let (from, first) = match knowledge.column(parent) {
                    Some(Column {
                        register,
                        known: Known::Exact(Key::LIST),
                        ..
                    }) => (*register, 0),
                    Some(column) => (column.register, 1),
                    None => (0, 1),
                };
                let offset = (index + first) as u16;
                self.fetches.put(self.words.len())?;
                self.words
                    .put(encode(Op::IndexArgument, register as u16, from, offset))?;
                register as u16
            }
        };
        knowledge.columns.put(Column {
            path,
            register,
            known: Known::Nothing,
        })?;
        Ok(register)
    }

    /// Returns the register of an operand: a part, or a constant.
    fn operand(
        &mut self,
        knowledge: &mut Knowledge,
        operand: Result<Path, Cell>,
    ) -> Result<u16, Stop> {
        match operand {
            Ok(path) => self.register(knowledge, path),
            Err(constant) => {
                let register = (self.target.arity + COLUMNS) as u16;
                self.words.put(encode(Op::PutConstant, register, 0, 0))?;
                self.words.put(constant.word())?;
                Ok(register)
            }
        }
    }

    /// Sets the word `at` to the address for these clauses.
    pub(super) fn leads(
        &mut self,
        at: usize,
        mut set: Vec<u32>,
        mut knowledge: Knowledge,
    ) -> Result<(), Stop> {
        self.settle(&mut set, &mut knowledge);
        match set.as_slice() {
            [] => self.words[at] = self.target.fail.bits(),
            [one] => self.words[at] = self.entries[*one as usize].address.bits(),
            _ => {
                let positions = set
                    .iter()
                    .map(|&clause| self.entries[clause as usize].position);
                let node = Node {
                    knowledge,
                    positions: positions.gather()?,
                    slot: CodeAddr::NONE,
                };
                self.later.put((at, node))?;
            }
        }
        Ok(())
    }

    fn chain(&mut self, set: &[u32]) -> Result<(), Stop> {
        for (index, &entry) in set.iter().enumerate() {
            let op = match index {
                0 => encode(Op::Try, self.target.arity as u16, 0, 0),
                _ if index + 1 == set.len() => Op::Trust as u64,
                _ => Op::Retry as u64,
            };
            self.words.put(op)?;
            self.words
                .put(self.entries[entry as usize].address.bits())?;
        }
        Ok(())
    }

    fn test(&mut self, set: &[u32], mut knowledge: Knowledge, choice: &Choice) -> Result<(), Stop> {
        let (clause, number) = match *choice {
            Choice::Compare(clause, test, ..) | Choice::Terms(clause, test, ..) => (clause, test),
            Choice::Pair(clause, ..) => (clause, PAIR),
            Choice::Switch(_) => return Ok(()),
        };
        let mut turned = false;
        let open = match *choice {
            Choice::Compare(_, _, orders, a, b) => {
                let a = self.register(&mut knowledge, a)?;
                match b {
                    Ok(path) => {
                        let b = self.register(&mut knowledge, path)?;
                        self.words
                            .put(encode(Op::GuardCompare, a, b, orders.into()))?;
                    }
                    Err(cell) => {
                        let small = cell.int_value() as i16 as u16;
                        self.words
                            .put(encode(Op::GuardCompareSmall, a, small, orders.into()))?;
                    }
                }
                true
            }
            Choice::Terms(_, _, test, [a, b]) => {
                let a = self.operand(&mut knowledge, a)?;
                let b = self.operand(&mut knowledge, b)?;
                let word = match test {
                    Test::Order(orders, ..) => encode(Op::GuardOrder, a, b, orders.into()),
                    Test::Identical(_, _, positive) => {
                        turned = !positive;
                        encode(Op::GuardIdentical, a, b, 0)
                    }
                    _ => return Ok(()),
                };
                self.words.put(word)?;
                false
            }
            Choice::Pair(_, a, b) => {
                let a = self.register(&mut knowledge, a)?;
                let b = self.register(&mut knowledge, b)?;
                self.words.put(encode(Op::GuardPair, a, b, 0))?;
                true
            }
            Choice::Switch(_) => return Ok(()),
        };
        let at = self.words.len();
        self.words.put_all([0; 2])?;
        if open {
            self.words.put(0)?;
        }
        let (yes, no) = if turned { (at + 1, at) } else { (at, at + 1) };
        let holds = self.decide(&knowledge, clause, number, true)?;
        self.leads(yes, Vec::of(set)?, holds)?;
        let others = set.iter().copied().filter(|&other| other != clause);
        self.leads(no, others.gather()?, knowledge.clone())?;
        if open {
            let unknown = self.decide(&knowledge, clause, number, false)?;
            self.leads(at + 2, Vec::of(set)?, unknown)?;
        }
        Ok(())
    }
}

/// Returns the knowledge extended by this fact.
pub(super) fn knowing(knowledge: &Knowledge, path: Path, known: Known) -> Knowledge {
    let mut knowledge = knowledge.clone();
    for column in &mut knowledge.columns {
        if column.path == path {
            column.known = known;
        }
    }
    knowledge
}

pub(super) fn compound_arity(known: Known) -> usize {
    match known {
        Known::Exact(Key::LIST) => 2,
        Known::Exact(key) if key.is_structure() => key.cell().as_functor().arity(),
        _ => 0,
    }
}

pub(super) fn known_tag(known: Known) -> Option<u64> {
    match known {
        Known::Nothing => None,
        Known::Tag(tag) => Some(tag),
        Known::Exact(key) => Some(key_tag(key)),
    }
}

pub(super) fn key_tag(key: Key) -> u64 {
    if key.is_structure() {
        tag::STR
    } else {
        key.cell().tag()
    }
}
