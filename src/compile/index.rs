//! The code that selects among the clauses of a static predicate (Aït-Kaci 5.11; Costa, Sagonas
//! and Lopes, "Demand-Driven Indexing of Prolog Clauses", ICLP 2007).
//!
//! A node switches on the most telling argument, and for each of its values on the next one, until
//! single clauses are left or nothing tells the clauses apart; then they are tried in order. A node
//! that is not needed at once is an `index_node` instruction, built when it is first reached.

use crate::base::symbol::FastMap;
use crate::code::instruction::{Op, encode, encode_wide};
use crate::ir::key::{KEYED_ARGS, Key};

/// A clause to be selected.
#[derive(Copy, Clone)]
pub(crate) struct Entry<'a> {
    /// Its position in the predicate.
    pub(crate) position: i64,
    /// Address of its code.
    pub(crate) address: u64,
    /// What its arguments are.
    pub(crate) keys: &'a [Key],
}

/// A node to be built later: arguments already switched on (a bit each), clause positions.
pub(crate) type Later = (u32, Vec<i64>);

/// Index code, still relative to its own start.
#[derive(Default)]
pub(crate) struct IndexCode {
    words: Vec<u64>,
    relocations: Vec<usize>,
    /// Nodes to be built later.
    pub(crate) later: Vec<Later>,
}

impl IndexCode {
    /// The code at its final place.
    pub(crate) fn finish(self) -> Box<[u64]> {
        let mut code = self.words.into_boxed_slice();
        let base = code.as_ptr() as u64;
        for at in self.relocations {
            code[at] = base + code[at] * 8;
        }
        code
    }
}

/// Where control goes.
#[derive(Copy, Clone)]
enum Label {
    /// An address that is known.
    Absolute(u64),
    /// A word of the code being made.
    Relative(usize),
}

struct Builder<'a> {
    entries: &'a [Entry<'a>],
    arity: usize,
    predicate: u32,
    fail: u64,
    first_later: usize,
    code: IndexCode,
}

/// Larger sets are put off until they are needed.
const EAGER: usize = 8;
/// More values than this put off what is behind them.
const EAGER_VALUES: usize = 16;

/// Makes the code for a set of clauses. `first_later` is the number that the first node put off
/// gets; `fail` the address of the instruction `fail`.
pub(crate) fn build(
    entries: &[Entry<'_>],
    excluded: u32,
    arity: usize,
    predicate: u32,
    first_later: usize,
    fail: u64,
) -> (IndexCode, Option<u64>) {
    let mut builder = Builder {
        entries,
        arity,
        predicate,
        fail,
        first_later,
        code: IndexCode::default(),
    };
    let all: Vec<u32> = (0..entries.len() as u32).collect();
    match builder.node(&all, excluded) {
        // The node lies at the start of the code, or is a single clause.
        Label::Relative(_) => (builder.code, None),
        Label::Absolute(address) => (builder.code, Some(address)),
    }
}

impl Builder<'_> {
    fn key(&self, entry: u32, arg: usize) -> Key {
        self.entries[entry as usize]
            .keys
            .get(arg)
            .copied()
            .unwrap_or(Key::ANY)
    }

    /// The argument that leaves the fewest clauses on average, if one leaves fewer than all.
    fn best_argument(&self, set: &[u32], excluded: u32) -> Option<usize> {
        let mut best: Option<(usize, usize)> = None;
        for arg in 0..self.arity.min(KEYED_ARGS) {
            if excluded & (1 << arg) != 0 {
                continue;
            }
            let mut values: FastMap<Key, ()> = FastMap::default();
            let mut any = 0;
            for &entry in set {
                match self.key(entry, arg) {
                    Key::ANY => any += 1,
                    key => {
                        values.insert(key, ());
                    }
                }
            }
            if values.is_empty() {
                continue;
            }
            let left = any * 16 + (set.len() - any) * 16 / values.len();
            let gain = values.len() > 1 || any > 0;
            if gain && best.is_none_or(|(_, least)| left < least) {
                best = Some((arg, left));
            }
        }
        best.map(|(arg, _)| arg)
    }

    fn node(&mut self, set: &[u32], excluded: u32) -> Label {
        match set {
            [] => return Label::Absolute(self.fail),
            [one] => return Label::Absolute(self.entries[*one as usize].address),
            _ => {}
        }
        match self.best_argument(set, excluded) {
            Some(arg) => self.switch(set, excluded, arg),
            None => self.chain(set),
        }
    }

    /// A node built now if it is small, else later.
    fn node_later(&mut self, set: &[u32], excluded: u32, eager: bool) -> Label {
        if set.len() < 2 || (eager && set.len() <= EAGER) {
            return self.node(set, excluded);
        }
        let at = self.code.words.len();
        let number = self.first_later + self.code.later.len();
        let positions = set
            .iter()
            .map(|&e| self.entries[e as usize].position)
            .collect();
        self.code.later.push((excluded, positions));
        self.code
            .words
            .push(encode_wide(Op::IndexNode, 0, self.predicate));
        self.code.words.push(number as u64);
        Label::Relative(at)
    }

    fn set(&mut self, at: usize, label: Label) {
        match label {
            Label::Absolute(address) => self.code.words[at] = address,
            Label::Relative(word) => {
                self.code.words[at] = word as u64;
                self.code.relocations.push(at);
            }
        }
    }

    fn chain(&mut self, set: &[u32]) -> Label {
        let at = self.code.words.len();
        for (index, &entry) in set.iter().enumerate() {
            let op = match index {
                0 => encode(Op::Try, self.arity as u16, 0, 0),
                _ if index + 1 == set.len() => Op::Trust as u64,
                _ => Op::Retry as u64,
            };
            self.code.words.push(op);
            self.code.words.push(self.entries[entry as usize].address);
        }
        Label::Relative(at)
    }

    fn switch(&mut self, set: &[u32], excluded: u32, arg: usize) -> Label {
        let at = self.code.words.len();
        self.code
            .words
            .push(encode(Op::SwitchOnTerm, arg as u16, 0, 0));
        self.code.words.extend([0; 5]);
        let excluded = excluded | 1 << arg;
        let var = self.node_later(set, excluded, true);
        self.set(at + 1, var);
        let select = |builder: &Self, wanted: fn(Key) -> bool| -> Vec<u32> {
            let fits = |&entry: &u32| {
                let key = builder.key(entry, arg);
                key == Key::ANY || wanted(key)
            };
            set.iter().copied().filter(fits).collect()
        };
        let constants = select(self, Key::is_constant);
        let label = self.table(&constants, excluded, arg, Op::SwitchOnConstant);
        self.set(at + 2, label);
        let lists = select(self, |key| key == Key::LIST);
        let label = self.node_later(&lists, excluded, true);
        self.set(at + 3, label);
        let structures = select(self, Key::is_structure);
        let label = self.table(&structures, excluded, arg, Op::SwitchOnStructure);
        self.set(at + 4, label);
        let boxes = select(self, |key| key == Key::BOXED);
        let label = self.node_later(&boxes, excluded, true);
        self.set(at + 5, label);
        Label::Relative(at)
    }

    /// A hash table over the constants or functors of an argument.
    fn table(&mut self, set: &[u32], excluded: u32, arg: usize, op: Op) -> Label {
        let mut groups: indexmap::IndexMap<u64, Vec<u32>> = indexmap::IndexMap::new();
        let mut any = Vec::new();
        for &entry in set {
            let key = self.key(entry, arg);
            if key.is_constant() || key.is_structure() {
                let group = groups.entry(key.word()).or_insert_with(|| any.clone());
                group.push(entry);
            } else {
                any.push(entry);
                groups.values_mut().for_each(|group| group.push(entry));
            }
        }
        if groups.is_empty() {
            return self.node_later(&any, excluded, true);
        }
        let size = (groups.len() * 2).next_power_of_two();
        let mask = size as u64 - 1;
        let at = self.code.words.len();
        self.code.words.push(encode(op, arg as u16, 0, 0));
        self.code.words.push(mask);
        self.code.words.push(0);
        self.code.words.extend(std::iter::repeat_n(0, size * 2));
        let other = self.node_later(&any, excluded, true);
        self.set(at + 2, other);
        let eager = groups.len() <= EAGER_VALUES;
        for (key, group) in groups {
            let label = self.node_later(&group, excluded, eager);
            let mut slot = crate::code::instruction::hash_key(key, mask);
            while self.code.words[at + 3 + 2 * slot as usize] != 0 {
                slot = (slot + 1) & mask;
            }
            let place = at + 3 + 2 * slot as usize;
            self.code.words[place] = key;
            self.set(place + 1, label);
        }
        Label::Relative(at)
    }
}
