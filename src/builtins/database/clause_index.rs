//! The code that selects among the clauses of a predicate: what the compiler of indexes is given, and where it goes.
#![forbid(unsafe_code)]

use super::clauses::{LOLLI_CLAUSES, constrains};
use crate::base::atom_table::{Symbols, atoms};
use crate::base::growth::{Grow, room_for_one};
use crate::base::stop::Stop;
use crate::compile::{asks_more, index};
use crate::ir::clause::NumCompare;
use crate::ir::selection::Node;
use crate::machine::frames::stubs;
use crate::machine::state::Machine;
use crate::program::clauses::clause::ClauseTerm;
use crate::program::clauses::clause_list::Clause;
use crate::program::predicate::PredId;
use crate::store::address::CodeAddr;
use crate::store::raw;

/// Clauses as the compiler of indexes takes them, with the terms that are to be kept meanwhile.
#[derive(Default)]
struct Entries {
    all: Vec<index::Entry>,
    terms: Vec<ClauseTerm>,
}

impl Entries {
    fn add(&mut self, clause: &Clause, position: i64, symbols: &Symbols) -> Result<(), Stop> {
        let is_head = clause.is_fact() || !clause.may_begin_with(|goal| asks_more(goal, symbols));
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
        })
    }
}

/// Makes the index of a static predicate, or one node of it: the hook of the machine.
pub(crate) fn link(m: &mut Machine, id: PredId, number: Option<usize>) -> Result<CodeAddr, Stop> {
    let address = make_index(m, id, number);
    if address.is_err() {
        // A node may have been taken out for it: the whole is made anew when there is memory.
        m.world.predicates.reset_entry(id)?;
    }
    address
}

fn make_index(m: &mut Machine, id: PredId, number: Option<usize>) -> Result<CodeAddr, Stop> {
    let hidden = m.world.symbols.intern(LOLLI_CLAUSES)?;
    let (fail, symbols) = (stubs::fail(), &m.world.symbols);
    let module = m.world.predicates.get(id).module;
    let constrained = m.is_system_module(atoms::CLPFD);
    let constraints = NumCompare::ALL
        .map(|compare| constrained && constrains(&m.world.predicates, module, compare));
    let predicate = m.world.predicates.get_mut(id);
    let scoped = predicate.module == atoms::LOLLI || predicate.module == hidden;
    let clauses = &predicate.clauses;
    let mut entries = Entries::default();
    let node: Option<Node> = match number {
        None => {
            for (position, clause) in clauses.iter() {
                entries.add(clause, position, symbols)?;
            }
            None
        }
        Some(number) => {
            let number = number.checked_sub(predicate.first_node);
            let node = number.and_then(|number| predicate.nodes.get_mut(number)?.take());
            let Some(node) = node else {
                // The index was replaced while this call was on its way.
                return Ok(CodeAddr::of(&*predicate.stub));
            };
            for &position in &node.positions {
                if let Some(clause) = clauses.get(position) {
                    entries.add(clause, position, symbols)?;
                }
            }
            Some(node)
        }
    };
    let target = index::Target {
        arity: predicate.functor.arity(),
        predicate: id.0,
        first_later: predicate.first_node + predicate.nodes.len(),
        fail,
        symbols,
        decides: m.world.indexing,
        scoped,
        constraints,
        whole: number.is_none(),
    };
    let slot = node.as_ref().map(|node| node.slot);
    let knowledge = node.map(|node| node.knowledge).unwrap_or_default();
    let address = match index::build(&entries.all, knowledge, target)? {
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
