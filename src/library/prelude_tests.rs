//! Comparison of the outlines of the texts of the system with the results of the reader.

use super::outline::{Entry, Outline};
use super::prelude::{BOOT, LIBRARIES};
use super::system_text::{as_system, compile_term, heading_of, next_term, read_heading};
use crate::base::atom_table::{Functor, atoms, functors};
use crate::machine::state::Machine;
use crate::store::heap::View;

/// Returns the predicates that the clauses of a text define, according to the reader.
fn read(m: &mut Machine, text: &str) -> Vec<Option<Functor>> {
    let (mut at, mut found) = (0, Vec::new());
    while let Some(term) = next_term(m, text, &mut at).unwrap() {
        found.push(match m.store.view(term) {
            View::Struct(functors::DIRECTIVE, _) => None,
            _ => {
                let (id, _) = compile_term(m, term, atoms::SYSTEM).unwrap();
                Some(m.world.predicates.get(id).functor)
            }
        });
    }
    found
}

/// Compares the outlines of the texts of the system with the results of the reader.
pub(crate) fn compare_outlines(m: &mut Machine) {
    as_system(m, |m| {
        let boot = BOOT.iter().map(|&(name, text, _)| (name, text));
        for (name, text) in boot.chain(LIBRARIES.iter().copied()) {
            let read = read(m, text);
            let outline: Vec<_> = Outline::new(text).collect();
            assert_eq!(outline.len(), read.len(), "entries of {name}");
            for ((start, entry), read) in outline.into_iter().zip(read) {
                if let Entry::Clause(name, arity) = entry {
                    let name = m.world.symbols.intern(name).unwrap();
                    let functor = m.world.symbols.functor(name, arity).unwrap();
                    let place = text[start..].lines().next();
                    assert_eq!(Some(functor), read, "{place:?}");
                }
            }
            let quick = heading_of(m, text).unwrap();
            let full = read_heading(m, text).unwrap();
            assert_eq!(quick.module, full.module, "module of {name}");
            assert_eq!(quick.exports, full.exports, "exports of {name}");
            assert_eq!(quick.operators, full.operators, "operators of {name}");
        }
    });
}
