//! Finds the clause of a loaded text from an address of code: for the places of exceptions and of their callers.
//!
//! While clauses are added, only the positions at which new ones begin are noted. The first lookup after that gathers
//! their addresses. So the time of a lookup does not depend on the size of the program.

use crate::base::growth::{Grow, GrowBy, reserve};
use crate::base::stop::Stop;
use crate::program::predicate::PredId;
use crate::program::predicates::Predicates;
use crate::store::address::CodeAddr;
use std::sync::Arc;

/// Number of places of new clauses, or of addresses, below which they are not reorganized.
const FEW: usize = 1 << 10;
/// Maximum number of addresses of removed clauses that a lookup skips.
const GONE: usize = 16;

/// The code of loaded texts.
#[derive(Default)]
pub(crate) struct LoadedCode {
    /// Addresses of published clauses, in ascending order. Any of these clauses may have died.
    published: Arc<Vec<Known>>,
    /// Addresses of the other clauses, in the same order. Removed clauses may still be among them.
    known: Vec<Known>,
    /// Predicates that have clauses not in the other lists, with the position of the first of these clauses.
    new: Vec<(PredId, i64)>,
    /// Lengths at which `known` and `new` are cleaned up.
    most_known: usize,
    most_new: usize,
}

/// The address at which the code of a clause begins.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Known {
    start: CodeAddr,
    predicate: PredId,
    position: i64,
}

impl LoadedCode {
    /// Makes the record for another engine, to which all clauses are published.
    pub(in crate::program) fn fork(&self) -> LoadedCode {
        LoadedCode {
            published: Arc::clone(&self.published),
            ..LoadedCode::default()
        }
    }
}

impl Predicates {
    /// Publishes the addresses of the clauses of loaded texts.
    pub(in crate::program) fn publish_loaded(&mut self) -> Result<(), Stop> {
        self.gather_loaded()?;
        self.drop_removed();
        if !self.loaded_code.known.is_empty() {
            let mut all = Vec::of(&self.loaded_code.published)?;
            merge(&mut all, &self.loaded_code.known)?;
            self.loaded_code.published = Arc::new(all);
            self.loaded_code.known = Vec::new();
        }
        Ok(())
    }

    /// Notes that a clause of a loaded text was added, or that its code was made.
    pub(crate) fn note_loaded(&mut self, predicate: PredId, position: i64) -> Result<(), Stop> {
        let LoadedCode { new, most_new, .. } = &mut self.loaded_code;
        if let Some(&(last, from)) = new.last()
            && last == predicate
            && from <= position
        {
            return Ok(());
        }
        if new.len() >= FEW.max(*most_new) {
            new.sort_unstable();
            new.dedup_by_key(|place| place.0);
            *most_new = 2 * new.len();
        }
        new.put((predicate, position))?;
        Ok(())
    }

    /// Returns the predicate and the position of the living clause of a loaded text that contains an address.
    pub(crate) fn loaded_at(&mut self, at: CodeAddr) -> Result<Option<(PredId, i64)>, Stop> {
        self.gather_loaded()?;
        let own = self.find_loaded(&self.loaded_code.known, at);
        let own = own.unwrap_or_else(|| {
            self.drop_removed();
            self.find_loaded(&self.loaded_code.known, at).flatten()
        });
        let published = || self.find_loaded(&self.loaded_code.published, at).flatten();
        let found = own.or_else(published);
        Ok(found.filter(|&(id, position)| self.get(id).clauses.is_alive(position)))
    }

    /// Finds the clause that contains an address. The outer `None` means that too many removed clauses are in the
    /// way.
    fn find_loaded(&self, known: &[Known], at: CodeAddr) -> Option<Option<(PredId, i64)>> {
        let end = known.partition_point(|known| known.start <= at);
        for (passed, known) in known[..end].iter().rev().enumerate() {
            if let Some(clause) = self.get(known.predicate).clauses.get(known.position)
                && clause.addresses().start == known.start
            {
                let inside = clause.addresses().contains(&at);
                return Some(inside.then_some((known.predicate, known.position)));
            }
            if passed >= GONE {
                return None;
            }
        }
        Some(None)
    }

    /// Adds the addresses of new clauses to the known ones.
    fn gather_loaded(&mut self) -> Result<(), Stop> {
        let mut added = Vec::new();
        for (predicate, from) in std::mem::take(&mut self.loaded_code.new) {
            for (position, clause) in self.get(predicate).clauses.own_from(from) {
                if clause.file() != 0 && clause.has_code() {
                    added.put(Known {
                        start: clause.addresses().start,
                        predicate,
                        position,
                    })?;
                }
            }
        }
        if added.is_empty() {
            return Ok(());
        }
        added.sort_unstable();
        let LoadedCode {
            known, most_known, ..
        } = &mut self.loaded_code;
        merge(known, &added)?;
        if known.len() > FEW.max(*most_known) {
            self.drop_removed();
        }
        Ok(())
    }

    /// Drops the addresses of removed clauses.
    fn drop_removed(&mut self) {
        let mut known = std::mem::take(&mut self.loaded_code.known);
        known.dedup();
        known.retain(|known| {
            let clause = self.get(known.predicate).clauses.get(known.position);
            clause.is_some_and(|clause| clause.addresses().start == known.start)
        });
        self.loaded_code.most_known = 2 * known.len();
        self.loaded_code.known = known;
    }
}

/// Merges sorted elements into others.
fn merge(into: &mut Vec<Known>, added: &[Known]) -> Result<(), Stop> {
    reserve(into, added.len())?;
    let mut left = into.len();
    into.put_slice(added)?;
    for (index, &new) in added.iter().enumerate().rev() {
        while left > 0 && into[left - 1] > new {
            into[left + index] = into[left - 1];
            left -= 1;
        }
        into[left + index] = new;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{CodeAddr, Known, PredId, merge};

    #[test]
    fn sorted_elements_are_merged() {
        let known = |starts: &[u64]| -> Vec<Known> {
            let known = |&start: &u64| Known {
                start: CodeAddr::NONE + start,
                predicate: PredId(0),
                position: 0,
            };
            starts.iter().map(known).collect()
        };
        for (into, added, all) in [
            (
                &[1, 4, 6][..],
                &[0, 4, 5, 9][..],
                &[0, 1, 4, 4, 5, 6, 9][..],
            ),
            (&[], &[1, 2], &[1, 2]),
            (&[1, 2], &[], &[1, 2]),
            (&[5], &[1, 2, 3], &[1, 2, 3, 5]),
        ] {
            let mut merged = known(into);
            merge(&mut merged, &known(added)).unwrap();
            assert_eq!(merged, known(all));
        }
    }
}
