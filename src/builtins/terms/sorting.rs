//! Sorting (ISO 13211-1, 8.4.3 and 8.4.4, Cor.2) and operations based on it.

use crate::base::atom_table::{Atom, Symbols, atoms, functors};
use crate::base::growth::{Gather, Grow, GrowBy, filled, with_room};
use crate::base::stop::Stop;
use crate::machine::builtin::builtins;
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::store::cell::{Cell, WORD};
use crate::store::heap::{Store, View};
use crate::store::prefix::Prefix;
use std::cmp::Ordering;

/// Element and its sort key.
#[derive(Copy, Clone)]
struct Keyed {
    key: Cell,
    item: Cell,
}

/// Length up to which insertion extends a short run.
const SHORT_RUN: usize = 12;
/// Number of elements that are sorted without interruption.
const SMALL_PIECE: usize = 1 << 18;

/// Sorts and keeps the order of equal elements.
///
/// This is not the sort of Rust's library. That one may panic when the order is not total, and the order of cyclic
/// terms need not be total.
fn merge_sort<T: Copy>(
    items: &mut Vec<T>,
    mut less: impl FnMut(&T, &T) -> Result<bool, Stop>,
) -> Result<(), Stop> {
    if items.is_empty() {
        return Ok(());
    }
    // A few elements are a single sorted run.
    let mut start = next_run(items, &mut less)?;
    if start == items.len() {
        return Ok(());
    }
    let mut ends: Vec<usize> = Vec::new();
    ends.put(start)?;
    while start < items.len() {
        let end = next_run(&mut items[start..], &mut less)? + start;
        ends.put(end)?;
        start = end;
    }
    let mut merged: Vec<T> = with_room(items.len())?;
    while ends.len() > 1 {
        merged.clear();
        let mut merged_ends = with_room(ends.len().div_ceil(2))?;
        let mut start = 0;
        for pair in ends.chunks(2) {
            let (middle, end) = (pair[0], pair[pair.len() - 1]);
            merge(
                &items[start..middle],
                &items[middle..end],
                &mut merged,
                &mut less,
            )?;
            merged_ends.put(end)?;
            start = end;
        }
        std::mem::swap(items, &mut merged);
        ends = merged_ends;
    }
    Ok(())
}

/// Makes the first elements a run: the ascending ones, or a few that it sorts. Returns the length of the run.
fn next_run<T: Copy>(
    items: &mut [T],
    less: &mut impl FnMut(&T, &T) -> Result<bool, Stop>,
) -> Result<usize, Stop> {
    let mut end = 1;
    while end < items.len() && !less(&items[end], &items[end - 1])? {
        end += 1;
    }
    while end < items.len().min(SHORT_RUN) {
        let item = items[end];
        let mut at = end;
        while at > 0 && less(&item, &items[at - 1])? {
            items[at] = items[at - 1];
            at -= 1;
        }
        items[at] = item;
        end += 1;
    }
    Ok(end)
}

fn merge<T: Copy>(
    mut left: &[T],
    mut right: &[T],
    out: &mut Vec<T>,
    less: &mut impl FnMut(&T, &T) -> Result<bool, Stop>,
) -> Result<(), Stop> {
    while let ([a, left_rest @ ..], [b, right_rest @ ..]) = (left, right) {
        if less(b, a)? {
            out.put(*b)?;
            right = right_rest;
        } else {
            out.put(*a)?;
            left = left_rest;
        }
    }
    out.put_slice(left)?;
    out.put_slice(right)
}

/// Returns a function that checks whether two cells have this order. It regularly checks for a stop.
fn watched<'a>(
    store: &'a Store,
    symbols: &'a Symbols,
    wanted: Ordering,
) -> impl FnMut(Cell, Cell) -> Result<bool, Stop> + 'a {
    let mut count = 0usize;
    move |a, b| {
        count = count.wrapping_add(1);
        store.events.watch.go_on_at(count)?;
        Ok(store.compare(a, b, symbols)? == wanted)
    }
}

/// Sorts by values that compare fast. Sorts pieces first and then merges them.
fn sort_pieces<T: Copy, V: Ord>(
    store: &Store,
    items: &mut Vec<T>,
    descending: bool,
    value: impl Fn(&T) -> V,
) -> Result<(), Stop> {
    for piece in items.chunks_mut(SMALL_PIECE) {
        if descending {
            piece.sort_by_key(|item| std::cmp::Reverse(value(item)));
        } else {
            piece.sort_by_key(&value);
        }
        // One step for each comparison.
        let depth = piece.len().checked_ilog2().unwrap_or(0) as usize;
        store.events.watch.go_on_after(piece.len() * depth)?;
    }
    if items.len() > SMALL_PIECE {
        let mut count = 0usize;
        merge_sort(items, |a, b| {
            count = count.wrapping_add(1);
            store.events.watch.go_on_at(count)?;
            Ok(if descending {
                value(a) > value(b)
            } else {
                value(a) < value(b)
            })
        })?;
    }
    Ok(())
}

/// Length from which lists are sorted by prefixes; shorter ones are sorted by comparing terms.
const PREFIXED: usize = 24;

/// Element and the prefix of its sort key.
#[derive(Copy, Clone)]
struct Prefixed<T> {
    prefix: Prefix,
    item: T,
}

/// Sorts by terms in standard order.
fn sort_by_term<T: Copy>(
    store: &Store,
    symbols: &Symbols,
    items: &mut Vec<T>,
    descending: bool,
    term: impl Fn(&T) -> Cell,
) -> Result<(), Stop> {
    let wanted = if descending {
        Ordering::Greater
    } else {
        Ordering::Less
    };
    let mut before = watched(store, symbols, wanted);
    let mut before = |a: &T, b: &T| before(term(a), term(b));
    let prefixes = if items.len() < PREFIXED {
        None
    } else {
        store.prefixes(items, &term, symbols)?
    };
    let Some(prefixes) = prefixes else {
        return merge_sort(items, before);
    };
    let mut prefixed = with_room(items.len())?;
    for (&prefix, &item) in prefixes.words.iter().zip(&*items) {
        prefixed.put(Prefixed { prefix, item })?;
    }
    drop(prefixes.words);
    sort_pieces(store, &mut prefixed, descending, |prefixed| prefixed.prefix)?;
    let mut alike = Vec::new();
    let mut done = 0;
    for same in prefixed.chunk_by(|a, b| a.prefix == b.prefix) {
        let place = &mut items[done..done + same.len()];
        done += same.len();
        for (place, prefixed) in place.iter_mut().zip(same) {
            *place = prefixed.item;
        }
        if !prefixes.complete && same.len() > 1 {
            alike.clear();
            alike.put_slice(place)?;
            merge_sort(&mut alike, &mut before)?;
            place.copy_from_slice(&alike);
        }
    }
    Ok(())
}

/// Sorts by keys in standard order.
fn sort_keyed(
    store: &Store,
    symbols: &Symbols,
    items: &mut Vec<Keyed>,
    descending: bool,
) -> Result<(), Stop> {
    if items.iter().all(|item| item.key.is_int()) {
        sort_pieces(store, items, descending, |item| item.key.int_value())
    } else {
        sort_by_term(store, symbols, items, descending, |item| item.key)
    }
}

/// Sorts elements in standard order.
fn sort_terms(store: &Store, symbols: &Symbols, items: &mut Vec<Cell>) -> Result<(), Stop> {
    if items.iter().all(|item| item.is_int()) {
        sort_pieces(store, items, false, |item| item.int_value())
    } else {
        sort_by_term(store, symbols, items, false, |&item| item)
    }
}

fn same(m: &Machine, a: Cell, b: Cell) -> Result<bool, Stop> {
    Ok(m.store.compare(a, b, &m.world.symbols)? == Ordering::Equal)
}

/// Removes neighbours with equal keys, except the first one.
fn drop_equal<T: Copy>(
    m: &Machine,
    items: &mut Vec<T>,
    key: impl Fn(&T) -> Cell,
) -> Result<(), Stop> {
    let mut equal = watched(&m.store, &m.world.symbols, Ordering::Equal);
    let mut kept = items.len().min(1);
    for at in 1..items.len() {
        if !equal(key(&items[at]), key(&items[kept - 1]))? {
            items[kept] = items[at];
            kept += 1;
        }
    }
    items.truncate(kept);
    Ok(())
}

/// Returns argument `nth` of an element, or the element itself for 0.
fn argument(store: &Store, item: Cell, nth: usize) -> Cell {
    match store.compound(item) {
        Some((_, addr)) if nth > 0 => store.deref(store.arg(addr, nth - 1)),
        _ => item,
    }
}

/// Sorts elements by an argument that they all have. With `once`, keeps only the first of the elements with equal
/// arguments.
fn sort_by_argument(
    m: &Machine,
    items: &mut Vec<Cell>,
    nth: usize,
    descending: bool,
    once: bool,
) -> Result<(), Stop> {
    let (store, symbols) = (&m.store, &m.world.symbols);
    let key = |item: &Cell| argument(store, *item, nth);
    if items.len() < PREFIXED {
        if items.iter().all(|item| key(item).is_int()) {
            sort_pieces(store, items, descending, |item| key(item).int_value())?;
        } else {
            sort_by_term(store, symbols, items, descending, key)?;
        }
        if once {
            drop_equal(m, items, key)?;
        }
        return Ok(());
    }
    // With many elements, each key is read only once.
    let keyed = |&item: &Cell| Keyed {
        key: key(&item),
        item,
    };
    let mut keyed: Vec<Keyed> = std::mem::take(items).iter().map(keyed).gather()?;
    sort_keyed(store, symbols, &mut keyed, descending)?;
    if once {
        drop_equal(m, &mut keyed, |keyed| keyed.key)?;
    }
    *items = keyed.iter().map(|keyed| keyed.item).gather()?;
    Ok(())
}

/// Returns the elements of a list of pairs.
fn pairs(m: &mut Machine, list: Cell) -> Result<Vec<Cell>, Throw> {
    let items = m.list_arg(list)?;
    for &item in &items {
        if !matches!(m.store.view(item), View::Struct(functors::MINUS2, _)) {
            return Err(m.type_or_instantiation_error(atoms::PAIR, item));
        }
    }
    Ok(items)
}

/// Checks the second argument of `keysort/2`. It must be a list or partial list of variables or pairs.
fn check_pairs_result(m: &mut Machine, list: Cell) -> Result<(), Throw> {
    m.check_list_result(list)?;
    let mut cell = list;
    while let View::List(addr) = m.store.view(cell) {
        let item = m.store.arg(addr, 0);
        match m.store.view(item) {
            View::Var(_) | View::Struct(functors::MINUS2, _) => {}
            _ => return Err(m.type_error(atoms::PAIR, item)),
        }
        cell = m.store.at(addr + WORD);
    }
    Ok(())
}

/// Checks that an element has the argument `nth`, for `sort/4`. `key` is the term of that number.
fn check_key(m: &mut Machine, item: Cell, (key, nth): (Cell, usize)) -> Result<(), Throw> {
    match m.store.compound(item) {
        _ if nth == 0 => Ok(()),
        Some((functor, _)) if nth <= functor.arity() => Ok(()),
        Some(_) => Err(m.existence_error("argument", key)),
        None => Err(m.type_or_instantiation_error(atoms::COMPOUND, item)),
    }
}

/// Returns whether an order of `sort/4` is descending, and whether it keeps duplicates.
fn sort_order(m: &mut Machine, order: Cell) -> Result<(bool, bool), Throw> {
    let name: Atom = m.atom_arg(order)?;
    match name {
        atoms::TERM_LESS => Ok((false, false)),
        atoms::TERM_LESS_EQUAL => Ok((false, true)),
        atoms::TERM_GREATER => Ok((true, false)),
        atoms::TERM_GREATER_EQUAL => Ok((true, true)),
        _ => Err(m.domain_error(atoms::ORDER, order)),
    }
}

/// Returns the elements in order, without those that are identical to an earlier one.
fn without_duplicates(m: &Machine, items: &[Cell]) -> Result<Vec<Cell>, Stop> {
    let mut order: Vec<(Cell, usize)> = items.iter().copied().zip(0..).gather()?;
    let mut before = watched(&m.store, &m.world.symbols, Ordering::Less);
    merge_sort(&mut order, |a, b| before(a.0, b.0))?;
    let mut keep = filled(true, items.len())?;
    for pair in order.windows(2) {
        if same(m, pair[0].0, pair[1].0)? {
            keep[pair[1].1] = false;
        }
    }
    let kept = items.iter().zip(keep);
    kept.filter_map(|(&item, keep)| keep.then_some(item))
        .gather()
}

/// Returns whether the elements are sorted without duplicates, so that no new list is needed.
fn is_ordered_set(m: &Machine, items: &[Cell]) -> Result<bool, Stop> {
    let mut before = watched(&m.store, &m.world.symbols, Ordering::Less);
    for pair in items.windows(2) {
        if !before(pair[0], pair[1])? {
            return Ok(false);
        }
    }
    Ok(true)
}

builtins! { SORTING =
    /// Unifies the second list with the first, sorted in the standard order of terms without duplicates.
    /// ISO 8.4.3. A cyclic list raises `type_error(list, List)`. Cyclic elements are compared as infinite
    /// trees.
    ///
    /// ?- sort([c,a,b,a], L).
    /// L = [a, b, c].
    ///
    /// ?- sort([c,1,b,f(x),2.0,Z], L).
    /// L = [Z, 1, 2.0, b, c, f(x)].
    iso "sort"("+list", "-list") = |m, [list, sorted]| {
        let mut items = m.list_arg(list)?;
        m.check_list_result(sorted)?;
        if is_ordered_set(m, &items)? {
            return Ok(m.unify(sorted, list)?);
        }
        sort_terms(&m.store, &m.world.symbols, &mut items)?;
        drop_equal(m, &mut items, |item| *item)?;
        m.unify_items(sorted, &items)
    };

    /// Unifies the second list with the first, sorted in the standard order of terms. Keeps duplicates.
    ///
    /// ?- msort([c,a,b,a], L).
    /// L = [a, a, b, c].
    library "msort"("+list", "-list") = |m, [list, sorted]| {
        let mut items = m.list_arg(list)?;
        sort_terms(&m.store, &m.world.symbols, &mut items)?;
        m.unify_items(sorted, &items)
    };

    /// Unifies the second list with the first, sorted by argument number `integer` of its elements, or by the
    /// whole elements if `integer` is 0. `atom` is the order. `@<` and `@>` keep only the first of elements
    /// with equal keys. `@=<` and `@>=` keep all elements in their order.
    ///
    /// ?- sort(0, @>=, [3,1,2,3], L).
    /// L = [3, 3, 2, 1].
    ///
    /// ?- sort(1, @<, [f(2,a),f(1,b),f(2,c)], L).
    /// L = [f(1, b), f(2, a)].
    library "sort"("+integer", "+atom", "+list", "-list") = |m, [key, order, list, sorted]| {
        let nth = m.size_arg(key)?;
        let (descending, duplicates) = sort_order(m, order)?;
        let mut items = m.list_arg(list)?;
        m.check_list_result(sorted)?;
        for &item in &items {
            check_key(m, item, (key, nth))?;
        }
        sort_by_argument(m, &mut items, nth, descending, !duplicates)?;
        m.unify_items(sorted, &items)
    };

    /// Sorts the first list, pairs `Key-Value`, by the keys and unifies the second list with the result.
    /// Pairs with equal keys keep their order. ISO 8.4.4.
    ///
    /// ?- keysort([b-1,a-2,b-0,a-1], L).
    /// L = [a-2, a-1, b-1, b-0].
    ///
    /// ?- keysort([a], L).
    /// error: keysort/2: Type error: `pair' expected, found `a' (an atom) [type_error(pair, a)]
    iso "keysort"("+list", "-list") = |m, [list, sorted]| {
        let mut items = pairs(m, list)?;
        check_pairs_result(m, sorted)?;
        sort_by_argument(m, &mut items, 1, false, false)?;
        m.unify_items(sorted, &items)
    };

    /// Unifies the second list with the first without elements that are identical to an earlier one.
    ///
    /// ?- list_to_set([b,a,b,c,a], Set).
    /// Set = [b, a, c].
    library "list_to_set"("+list", "-list") = |m, [list, set]| {
        let items = m.list_arg(list)?;
        let items = without_duplicates(m, &items)?;
        m.unify_items(set, &items)
    };
}

#[cfg(test)]
mod tests {
    use super::merge_sort;

    #[test]
    fn sorts_stably() {
        for length in [0, 1, 2, 11, 12, 13, 100, 1000] {
            let mut items: Vec<(u32, usize)> = (0..length)
                .map(|at| ((at as u32).wrapping_mul(2_654_435_761) >> 24, at))
                .collect();
            let mut expected = items.clone();
            expected.sort_by_key(|item| item.0);
            merge_sort(&mut items, |a, b| Ok(a.0 < b.0)).unwrap();
            assert_eq!(items, expected);
        }
    }

    #[test]
    fn inconsistent_order_does_no_harm() {
        let mut items: Vec<u32> = (0..500).map(|at| at * 7919 % 500).collect();
        let mut flip = false;
        merge_sort(&mut items, |a, b| {
            flip = !flip;
            Ok(flip ^ (a < b))
        })
        .unwrap();
        items.sort_unstable();
        assert_eq!(items, (0..500).collect::<Vec<u32>>());
    }
}
