//! Names for variables in texts for people: answers, listings, clauses. Variables are not bound:
//! the writer gets the names as its option `variable_names`.

use crate::base::growth::{Grow, with_room};
use crate::base::split_map::SplitMap;
use crate::base::stop::Stop;
use crate::store::address::HeapAddr;
use crate::store::cell::{Cell, WORD};
use crate::store::heap::{Store, View};

/// Number of compounds between two checks of the limits.
const LOOK_AFTER: usize = 1 << 14;
/// Number of bytes per entry of a table, including its free entries.
const ENTRY_BYTES: usize = 64;

/// Returns the name of the `number`th variable: `A` to `Z`, then `A1` and so on (ISO 7.10.5 on
/// `numbervars`).
pub(crate) fn letter_name(number: u64) -> String {
    let letter = char::from(b'A' + (number % 26) as u8);
    match number / 26 {
        0 => letter.to_string(),
        round => format!("{letter}{round}"),
    }
}

/// A variable of some terms.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) struct Occurrence {
    /// The variable.
    pub(crate) var: Cell,
    /// Whether the variable occurs only once.
    pub(crate) single: bool,
}

/// Returns the variables of `terms` in order of their first occurrence. No subterm is traversed
/// more than twice, so cyclic terms and terms with much sharing take no longer than others.
pub(crate) fn occurrences(store: &Store, terms: &[Cell]) -> Result<Vec<Occurrence>, Stop> {
    let mut found: Vec<Occurrence> = Vec::new();
    let mut index: SplitMap<usize> = SplitMap::default();
    // The compounds reached, and whether it is already known that everything below them occurs
    // repeatedly.
    let mut met: SplitMap<bool> = SplitMap::default();
    let mut compounds = 0;
    for &term in terms {
        // Arguments still to be traversed: address, count, and whether they occur repeatedly.
        let mut pending: Vec<(HeapAddr, usize, bool)> = Vec::new();
        let mut current = Some((term, false));
        loop {
            if let Some((cell, repeated)) = current.take() {
                let cell = store.deref(cell);
                let (addr, count) = match store.view(cell) {
                    View::List(addr) => (addr, 2),
                    View::Struct(functor, addr) => (addr, functor.arity()),
                    View::Var(var) => {
                        match index.get(var.word()) {
                            Some(&at) => found[at].single = false,
                            None => {
                                store.events.watch.go_on_counted(found.len())?;
                                index.insert(var.word(), found.len())?;
                                found.put(Occurrence {
                                    var,
                                    single: !repeated,
                                })?;
                            }
                        }
                        (HeapAddr::NONE, 0)
                    }
                    _ => (HeapAddr::NONE, 0),
                };
                if count > 0 {
                    let again = met.get(cell.word()).copied();
                    let repeated = repeated || again.is_some();
                    if again != Some(true) {
                        if compounds % LOOK_AFTER == 0 {
                            let steps = if compounds == 0 { 0 } else { LOOK_AFTER };
                            look(store, compounds + found.len(), steps)?;
                        }
                        compounds += 1;
                        met.insert(cell.word(), repeated)?;
                        pending.put((addr, count, repeated))?;
                    }
                }
            }
            let Some((addr, count, repeated)) = pending.last_mut() else {
                break;
            };
            current = Some((store.at(*addr), *repeated));
            *addr += WORD;
            *count -= 1;
            if *count == 0 {
                pending.pop();
            }
        }
    }
    Ok(found)
}

/// Stops the traversal after `steps` steps if the query must stop, or if there is no room for
/// `entries` entries.
fn look(store: &Store, entries: usize, steps: usize) -> Result<(), Stop> {
    store.events.watch.go_on_after(steps)?;
    if !store.has_room_for(entries * ENTRY_BYTES) {
        return Err(Stop);
    }
    Ok(())
}

/// Returns letters for the variables of `terms`, and `_` for those that occur once, as
/// `portray_clause/1` and `listing/1` show clauses.
#[cfg(test)]
pub(crate) fn clause_names(store: &Store, terms: &[Cell]) -> Result<Vec<(Cell, String)>, Stop> {
    name_each(store, occurrences(store, terms)?, "", &[])
}

/// Returns how these variables occur in `terms`. The terms may be much larger than the text made from
/// them; only the given variables take memory.
pub(crate) fn occurrences_of(
    store: &Store,
    terms: &[Cell],
    variables: &[Cell],
) -> Result<Vec<Occurrence>, Stop> {
    let mut counts: SplitMap<u32> = SplitMap::default();
    for (nth, var) in variables.iter().enumerate() {
        store.events.watch.go_on_counted(nth)?;
        counts.insert(var.word(), 0)?;
    }
    if !variables.is_empty() {
        for &term in terms {
            store.each_variable(term, |var| {
                if let Some(count) = counts.get_mut(var.word()) {
                    *count = count.saturating_add(1);
                }
                Ok(())
            })?;
        }
    }
    let mut found = with_room(variables.len())?;
    for (nth, &var) in variables.iter().enumerate() {
        store.events.watch.go_on_counted(nth)?;
        found.put(Occurrence {
            var,
            single: counts.get(var.word()).is_none_or(|&count| count < 2),
        })?;
    }
    Ok(found)
}

/// Returns names for the variables of answers that have none: `_A` and so on, or `_` for those that
/// occur once. `named` holds the variables with names; their names are not used again.
pub(crate) fn answer_names(
    store: &Store,
    mut found: Vec<Occurrence>,
    named: &[(Cell, String)],
) -> Result<Vec<(Cell, String)>, Stop> {
    found.retain(|each| !named.iter().any(|(var, _)| store.deref(*var) == each.var));
    name_each(store, found, "_", named)
}

fn name_each(
    store: &Store,
    found: Vec<Occurrence>,
    prefix: &str,
    taken: &[(Cell, String)],
) -> Result<Vec<(Cell, String)>, Stop> {
    let mut names = (0..).map(|number| format!("{prefix}{}", letter_name(number)));
    let mut fresh = || names.find(|name| !taken.iter().any(|(_, other)| other == name));
    let mut named = with_room(found.len())?;
    for (nth, each) in found.into_iter().enumerate() {
        store.events.watch.go_on_counted(nth)?;
        let name = if each.single {
            Some("_".to_string())
        } else {
            fresh()
        };
        named.put_all(name.map(|name| (each.var, name)))?;
    }
    Ok(named)
}

#[cfg(test)]
mod tests {
    use super::{answer_names, clause_names, letter_name, occurrences, occurrences_of};
    use crate::base::atom_table::functors;
    use crate::store::cell::Cell;
    use crate::store::heap::Store;

    fn texts(names: Vec<(Cell, String)>) -> Vec<String> {
        names.into_iter().map(|(_, name)| name).collect()
    }

    #[test]
    fn letters() {
        assert_eq!(letter_name(0), "A");
        assert_eq!(letter_name(25), "Z");
        assert_eq!(letter_name(27), "B1");
        assert_eq!(letter_name(52), "A2");
    }

    #[test]
    fn names_in_order_of_occurrence() {
        let mut store = Store::new(1 << 22).unwrap();
        let (x, y, z) = (store.new_var(), store.new_var(), store.new_var());
        let pair = store.new_struct(functors::MINUS2, &[y, z]);
        let term = store.new_struct(functors::PLUS2, &[pair, y]);
        assert_eq!(
            texts(clause_names(&store, &[x, term]).unwrap()),
            ["_", "A", "_"]
        );
        let given = [(x, "_A".to_string())];
        assert_eq!(
            texts(
                answer_names(&store, occurrences(&store, &[x, term, x]).unwrap(), &given).unwrap()
            ),
            ["_B", "_"]
        );
        let (once, twice) = (
            occurrences_of(&store, &[x, term], &[z, y]).unwrap(),
            [false, true],
        );
        assert_eq!(
            once.iter().map(|each| !each.single).collect::<Vec<_>>(),
            twice
        );
        // A subterm that occurs twice contains variables that occur twice.
        let twice = store.new_struct(functors::EQUAL, &[pair, pair]);
        assert_eq!(texts(clause_names(&store, &[twice]).unwrap()), ["A", "B"]);
    }

    #[test]
    fn shared_and_cyclic_terms_end() {
        let mut store = Store::new(1 << 22).unwrap();
        let mut term = store.new_var();
        for _ in 0..100 {
            term = store.new_list(term, term);
        }
        let hole = store.new_var();
        let list = store.new_list(term, hole);
        store.bind_plain(hole, list);
        assert_eq!(texts(clause_names(&store, &[list]).unwrap()), ["A"]);
    }
}
