//! Texts of host terms, as `writeq/1` writes them with the operators of ISO. An engine writes a
//! term with its own operators ([`Engine::format_term`](super::engine::Engine::format_term)).

use super::term::{Compound, Term};
use super::to_heap::{Variables, build};
use crate::base::atom_table::{FastSet, Symbols};
use crate::base::flags::Flags;
use crate::base::growth::{Gather, Grow, GrowSet};
use crate::base::op_table::OpTable;
use crate::base::stop::Stop;
use crate::store::areas::HEAP_SLACK_WORDS;
use crate::store::heap::Store;
use crate::text::write_options::{WriteEnv, WriteOptions};
use crate::text::writer::write_term;
use std::fmt;
use std::sync::OnceLock;

/// Returns the names and operators for all texts, which never change.
fn tables() -> Result<&'static (Symbols, OpTable), Stop> {
    static TABLES: OnceLock<(Symbols, OpTable)> = OnceLock::new();
    if let Some(tables) = TABLES.get() {
        return Ok(tables);
    }
    let mut symbols = Symbols::new()?;
    let ops = OpTable::new(&mut symbols)?;
    symbols.freeze()?;
    Ok(TABLES.get_or_init(|| (symbols, ops)))
}

/// Returns an upper bound of the words that the term takes on a heap.
fn words(term: &Term) -> Result<usize, Stop> {
    let mut words = 0;
    let mut pending = vec![term];
    let mut seen = FastSet::default();
    while let Some(term) = pending.pop() {
        words += match term {
            Term::String(text) => text.len() / 8 + 3,
            Term::BigInteger(value) => value.value().as_sign_words().1.len() + 2,
            Term::Compound(compound) => {
                if !compound.is_shared() || seen.put_new(compound.identity())? {
                    pending.put_all(compound.args())?;
                }
                compound.arity() + 1
            }
            _ => 2,
        };
    }
    Ok(words)
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // These terms need no writer.
            Term::Integer(value) => return fmt::Display::fmt(value, f),
            Term::Var(name) => return f.write_str(name),
            _ => {}
        }
        // Callers do not expect an error here, so a term that is too large is shown as `...`.
        let Ok((symbols, ops)) = tables() else {
            return f.write_str("...");
        };
        let mut symbols = symbols.fork();
        let words = words(self).map(|words| words + 2 * HEAP_SLACK_WORDS);
        let store = words.and_then(|words| Store::new(words.saturating_mul(8)));
        let Ok(mut store) = store else {
            return f.write_str("...");
        };
        let mut variables = Variables::default();
        let Ok(cell) = build(&mut store, &mut symbols, self, &mut variables, false) else {
            return f.write_str("...");
        };
        let names = variables
            .into_iter()
            .map(|(name, var)| (var, name.to_string()));
        let Ok(variable_names) = names.gather() else {
            return f.write_str("...");
        };
        let options = WriteOptions {
            variable_names,
            ..WriteOptions::writeq()
        };
        let flags = Flags::default();
        let env = WriteEnv {
            store: &store,
            symbols: &symbols,
            ops,
            flags: &flags,
        };
        write_term(f, &env, cell, &options)
    }
}

impl fmt::Debug for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Compound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&Term::Compound(self.clone()), f)
    }
}

impl fmt::Debug for Compound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
