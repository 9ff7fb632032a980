//! Indexes of predicates: prepares the input of the index compiler, and stores the code that selects among clauses.
#![forbid(unsafe_code)]

use super::clauses::{LOLLI_CLAUSES, constrains};
use crate::base::atom_table::{Symbols, atoms};
use crate::base::growth::{Grow, room_for_one};
use crate::base::stop::Stop;
use crate::compile::{index, may_test};
use crate::ir::clause::NumCompare;
use crate::ir::selection::{Knowledge, Node};
use crate::machine::frames::stubs;
use crate::machine::state::Machine;
use crate::program::clauses::clause::ClauseTerm;
use crate::program::clauses::clause_list::{Clause, ClauseList};
use crate::program::clauses::frozen::SelectingCode;
use crate::program::predicate::PredId;
use crate::store::address::CodeAddr;
use crate::store::raw;

/// Clauses in the form that the index compiler takes, with the terms that must stay alive meanwhile.
#[derive(Default)]
struct Entries {
    all: Vec<index::Entry>,
    terms: Vec<ClauseTerm>,
}

impl Entries {
    fn add(&mut self, clause: &Clause, position: i64, symbols: &Symbols) -> Result<(), Stop> {
        let is_head = clause.is_fact() || !clause.may_begin_with(|goal| may_test(goal, symbols));
        let source = match is_head {
            true => clause.own_root(),
            false => {
                let term = clause.term()?;
                let root = term.root();
                self.terms.put(term)?;
                root
            }
        };
        self.all.put(index::Entry {
            position,
            address: clause.entry(),
            source,
            is_head,
            is_fact: clause.is_fact(),
        })
    }
}

/// Makes the index of a static predicate, or one node of it. The machine calls this as a hook.
pub(crate) fn link(m: &mut Machine, id: PredId, number: Option<usize>) -> Result<CodeAddr, Stop> {
    let address = make_index(m, id, number);
    if address.is_err() {
        // The index may have lost a node to this attempt. Wamlet rebuilds the whole index when there is memory.
        m.world.predicates.reset_entry(id)?;
    }
    address
}

/// Limit, in words, of selecting code that is made at once: this number for each clause, plus `WHOLE`.
const WHOLE_PER_CLAUSE: usize = 64;
const WHOLE: usize = 1 << 12;

/// Properties of a predicate, besides its clauses, that its code depends on.
#[derive(Copy, Clone)]
struct Setting<'a> {
    symbols: &'a Symbols,
    id: PredId,
    arity: usize,
    scoped: bool,
    decides: bool,
    constraints: index::Constraints,
    countable: Option<index::Countable>,
}

/// Predicates of library(lists) that have one solution for each element of a list, if their other arguments are
/// different variables. Each row has the name, the arity, a bit for each other argument, and the argument that is
/// the list.
const COUNTABLE: &[(&str, usize, u64, u16)] = &[
    ("member", 2, 0b01, 1),
    ("select", 3, 0b101, 1),
    ("nth0", 3, 0b101, 1),
    ("nth1", 3, 0b101, 1),
];

/// Returns how to count the solutions of a predicate, if it is countable.
fn countable(m: &Machine, id: PredId) -> Option<index::Countable> {
    let predicate = m.world.predicates.get(id);
    let symbols = &m.world.symbols;
    if !predicate.traits.system || symbols.text(predicate.module) != "lists" {
        return None;
    }
    let (name, arity) = (
        symbols.name_text(predicate.functor),
        predicate.functor.arity(),
    );
    let mut all = COUNTABLE.iter();
    let found = all.find(|known| (known.0, known.1) == (name, arity));
    found.map(|&(_, _, variables, list)| index::Countable { variables, list })
}

impl Setting<'_> {
    /// Makes the code for some clauses, using the knowledge of a node about the call.
    fn build(
        &self,
        entries: &Entries,
        node: Option<Knowledge>,
        first_later: usize,
    ) -> Result<index::Made, Stop> {
        let target = index::Target {
            arity: self.arity,
            predicate: self.id.0,
            first_later,
            fail: stubs::fail(),
            symbols: self.symbols,
            decides: self.decides,
            scoped: self.scoped,
            constraints: self.constraints,
            whole: node.is_none(),
            countable: self.countable,
        };
        index::build(&entries.all, node.unwrap_or_default(), target)
    }

    /// Returns the clauses at these positions.
    fn entries(&self, clauses: &ClauseList, positions: &[i64]) -> Result<Entries, Stop> {
        let mut entries = Entries::default();
        for &position in positions {
            if let Some(clause) = clauses.get(position) {
                entries.add(clause, position, self.symbols)?;
            }
        }
        Ok(entries)
    }

    /// Returns all clauses.
    fn all(&self, clauses: &ClauseList) -> Result<Entries, Stop> {
        let mut entries = Entries::default();
        for (position, clause) in clauses.iter() {
            entries.add(clause, position, self.symbols)?;
        }
        Ok(entries)
    }

    /// Returns the code for all clauses with all its parts, or `None` if it is too large.
    fn whole(&self, clauses: &ClauseList) -> Result<Option<SelectingCode>, Stop> {
        let mut left = WHOLE + WHOLE_PER_CLAUSE * clauses.len();
        let (mut blocks, mut open): (Vec<Vec<u64>>, Vec<Node>) = Default::default();
        let mut made = self.build(&self.all(clauses)?, None, 0)?;
        let mut slot = None;
        let mut entry = CodeAddr::NONE;
        loop {
            let address = match made {
                index::Made::Address(address) => address,
                index::Made::Code(words, later) => {
                    let address = CodeAddr::of(&words);
                    let Some(rest) = left.checked_sub(words.len()) else {
                        return Ok(None);
                    };
                    left = rest;
                    blocks.put(words)?;
                    open.put_all(later)?;
                    address
                }
            };
            match slot {
                Some(slot) => raw::set_word(slot, address.bits()),
                None => entry = address,
            }
            let Some(node) = open.pop() else {
                break;
            };
            slot = Some(node.slot);
            let Some(rest) = left.checked_sub(node.positions.len()) else {
                return Ok(None);
            };
            left = rest;
            made = self.build(
                &self.entries(clauses, &node.positions)?,
                Some(node.knowledge),
                0,
            )?;
        }
        Ok(Some(SelectingCode {
            entry,
            constraints: self.constraints,
            blocks,
        }))
    }
}

fn make_index(m: &mut Machine, id: PredId, number: Option<usize>) -> Result<CodeAddr, Stop> {
    let hidden = m.world.symbols.intern(LOLLI_CLAUSES)?;
    let predicate = m.world.predicates.get(id);
    let module = predicate.module;
    let constrained = m.is_system_module(atoms::CLPFD);
    let setting = Setting {
        symbols: &m.world.symbols,
        id,
        arity: predicate.functor.arity(),
        scoped: module == atoms::LOLLI || module == hidden,
        decides: m.world.indexing,
        constraints: NumCompare::ALL
            .map(|compare| constrained && constrains(&m.world.predicates, module, compare)),
        countable: countable(m, id),
    };
    if let (None, true, Some(frozen)) = (number, setting.decides, predicate.clauses.shared()) {
        let whole = || setting.whole(frozen.list());
        if let Some(address) = frozen.code(setting.constraints, whole)? {
            return Ok(address);
        }
    }
    let predicate = m.world.predicates.get_mut(id);
    let clauses = &predicate.clauses;
    let (entries, node) = match number {
        None => (setting.all(clauses)?, None),
        Some(number) => {
            let number = number.checked_sub(predicate.first_node);
            let node = number.and_then(|number| predicate.nodes.get_mut(number)?.take());
            let Some(node) = node else {
                // The index was replaced while this call was under way.
                return Ok(predicate.stub());
            };
            (setting.entries(clauses, &node.positions)?, Some(node))
        }
    };
    let first_later = predicate.first_node + predicate.nodes.len();
    let slot = node.as_ref().map(|node| node.slot);
    let made = setting.build(&entries, node.map(|node| node.knowledge), first_later)?;
    let address = match made {
        index::Made::Address(address) => address,
        index::Made::Code(words, later) => {
            let address = CodeAddr::of(&words);
            room_for_one(&mut predicate.index)?;
            predicate.nodes.put_all(later.into_iter().map(Some))?;
            predicate.index.put(words)?;
            address
        }
    };
    if let Some(slot) = slot {
        raw::set_word(slot, address.bits());
    }
    Ok(address)
}
