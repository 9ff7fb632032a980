//! Recorded database (see [`crate::program::records`]), and the numbers that `flag/3` stores under keys of the same
//! kinds.

use crate::base::atom_table::{atoms, functors};
use crate::base::growth::Grow;
use crate::base::number::Number;
use crate::base::stop::Stop;
use crate::machine::builtin::{Step, builtins};
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::program::records::{Key, Pattern};
use crate::store::cell::Cell;
use crate::store::heap::View;

/// Returns the key for a term.
fn key_arg(m: &mut Machine, term: Cell) -> Result<Key, Throw> {
    Ok(match m.store.view(term) {
        View::Atom(name) => Key::Simple(Cell::atom(name)),
        View::Int(number) => Key::Simple(Cell::int(number)),
        View::Big(at) => Key::Large(m.store.big(at)?),
        View::Struct(functor, _) => Key::Simple(Cell::functor(functor)),
        View::List(_) => Key::Simple(Cell::functor(functors::LIST)),
        View::Var(_) => return Err(m.instantiation_error()),
        View::Float(_) | View::String(_) => return Err(m.type_error("key", term)),
    })
}

/// Returns a term for a key.
fn key_term(m: &mut Machine, key: &Key) -> Result<Cell, Throw> {
    match key {
        &Key::Simple(cell) if cell.is_functor() => {
            Ok(m.store.new_general_struct(cell.as_functor())?)
        }
        Key::Simple(cell) => Ok(*cell),
        Key::Large(number) => Ok(m.store.new_number(&Number::from_big(number.clone()))?),
    }
}

/// Builds `'$record'(Key, Number)`, the reference of a record. Such a term written by hand is not a valid
/// reference.
fn reference(m: &mut Machine, key: &Key, number: i64) -> Result<Cell, Throw> {
    let key = key_term(m, key)?;
    m.store.reserve(3)?;
    Ok(m.store
        .new_struct(functors::RECORD_REFERENCE, &[key, Cell::int(number)]))
}

/// Returns the key and the number of the record that a reference stands for, or `None` for any other term.
pub(in crate::builtins) fn referenced(
    m: &mut Machine,
    term: Cell,
) -> Result<Option<(Key, i64)>, Throw> {
    let View::Struct(functors::RECORD_REFERENCE, args) = m.store.view(term) else {
        return Ok(None);
    };
    let (key, number) = (m.store.arg(args, 0), m.store.arg(args, 1));
    if !number.is_int() || key.is_var() {
        return Ok(None);
    }
    Ok(Some((key_arg(m, key)?, number.int_value())))
}

/// Records a term before or after the others of its key. Returns the number of the record.
fn record(m: &mut Machine, key: &Key, term: Cell, first: bool) -> Result<i64, Stop> {
    m.world.records.add(&mut m.store, key.clone(), term, first)
}

fn record_plain(m: &mut Machine, key: Cell, term: Cell, first: bool) -> Result<bool, Throw> {
    let key = key_arg(m, key)?;
    record(m, &key, term, first)?;
    Ok(true)
}

fn record_reference(
    m: &mut Machine,
    [key, term, place]: [Cell; 3],
    first: bool,
) -> Result<bool, Throw> {
    let key = key_arg(m, key)?;
    if !place.is_var() {
        return Err(m.uninstantiation_error(place));
    }
    let number = record(m, &key, term, first)?;
    let made = reference(m, &key, number)?;
    Ok(m.unify(place, made)?)
}

/// Closes a search.
fn close_search(m: &mut Machine, number: i64) {
    m.world.records.close(&m.store, number as usize);
}

/// Unifies `term` with the next record of a key, and `place`, if given, with its reference.
fn recorded(
    m: &mut Machine,
    [key, term]: [Cell; 2],
    place: Option<Cell>,
    state: Option<i64>,
) -> Result<Step, Throw> {
    if let Some(place) = place.filter(|place| !place.is_var()) {
        return recorded_at(m, [key, term, place]);
    }
    let mut search = match state {
        None => {
            let key = key_arg(m, key)?;
            m.world.records.search(key)
        }
        Some(number) => match m.world.records.opened(number as usize) {
            Some(search) => search.clone(),
            None => unreachable!("the search is open"),
        },
    };
    let pattern = Pattern::of(&m.store, term);
    let Some(number) = m.world.records.find(&search, pattern, &m.store.watch) else {
        return Ok(Step::Fail);
    };
    // Search for the next candidate before binding anything.
    search.next = number + 1;
    let next = m.world.records.find(&search, pattern, &m.store.watch);
    let records = &m.world.records;
    let found = records.load(&mut m.store, (&search.key, number), false)?;
    let unifies = match found {
        Some(found) => m.unify(term, found)?,
        None => false,
    };
    if let Some(place) = place.filter(|_| unifies) {
        let made = reference(m, &search.key, number)?;
        m.unify(place, made)?;
    }
    let Some(next) = next else {
        return Ok(Step::when(unifies));
    };
    let number = match state {
        Some(number) => {
            m.world.records.go_on(number as usize, next);
            number
        }
        None => {
            search.next = next;
            m.world.records.open(search)? as i64
        }
    };
    Ok(if unifies {
        Step::More(number)
    } else {
        Step::Again(number)
    })
}

/// Unifies key and term with the record that a reference stands for.
fn recorded_at(m: &mut Machine, [key, term, place]: [Cell; 3]) -> Result<Step, Throw> {
    let Some((own_key, number)) = referenced(m, place)? else {
        return Err(m.type_error("db_reference", place));
    };
    if !key.is_var() && key_arg(m, key)? != own_key {
        return Ok(Step::Fail);
    }
    let Some(found) = m
        .world
        .records
        .load(&mut m.store, (&own_key, number), true)?
    else {
        return Ok(Step::Fail);
    };
    let unifies = m.unify(term, found)?;
    let same_key = !key.is_var() || {
        let own_key = key_term(m, &own_key)?;
        m.unify(key, own_key)?
    };
    Ok(Step::when(unifies && same_key))
}

builtins! { RECORDS =
    /// Stores a copy of `term` before the other records of `key`. `key` is an atom, an integer, or a compound
    /// term, whose name and arity count. `term` may be cyclic.
    ///
    /// ?- recordz(queue, a), recorda(queue, b), findall(X, recorded(queue, X), L).
    /// L = [b, a].
    library "recorda"("+key", "?term") needs effect = |m, [key, term]| record_plain(m, key, term, true);
    /// Stores a copy of `term` before the other records of `key` and unifies `reference` with a reference to
    /// it. erase/1 removes the record.
    library "recorda"("+key", "?term", "-reference") needs effect = |m, [key, term, place]| {
        record_reference(m, [key, term, place], true)
    };
    /// Stores a copy of `term` after the other records of `key`. `key` is an atom, an integer, or a compound
    /// term, whose name and arity count. `term` may be cyclic.
    ///
    /// ?- recordz(queue, a), recordz(queue, b), findall(X, recorded(queue, X), L).
    /// L = [a, b].
    library "recordz"("+key", "?term") needs effect = |m, [key, term]| record_plain(m, key, term, false);
    /// Stores a copy of `term` after the other records of `key` and unifies `reference` with a reference to
    /// it. erase/1 removes the record.
    library "recordz"("+key", "?term", "-reference") needs effect = |m, [key, term, place]| {
        record_reference(m, [key, term, place], false)
    };

    /// Returns the keys that have recorded terms; compound keys have variables as arguments.
    library "$record_keys"("-list") needs history = |m, [keys]| {
        let mut found = Vec::new();
        for key in m.world.records.keys() {
            found.put(key.clone())?;
        }
        let mut terms = Vec::new();
        for key in &found {
            terms.put(key_term(m, key)?)?;
        }
        m.unify_items(keys, &terms)
    };
    /// Unifies `Term` with the records of `Key`, in order.
    library nondet "$recorded"("+key", "?term") needs history with dropped close_search =
        |m, [key, term], state| recorded(m, [key, term], None, state);
    /// Works like `'$recorded'/2`; `Reference` is the reference of the record.
    library nondet "$recorded"("?key", "?term", "?reference") needs history with dropped close_search =
        |m, [key, term, place], state| recorded(m, [key, term], Some(place), state);

    /// Returns the number that `flag/3` stores for a key.
    library "$flag"("+key", "?number") = |m, [key, value]| {
        let key = key_arg(m, key)?;
        let number = m.world.records.number(&key);
        m.unify_number(value, &number)
    };
    /// Stores a number for a key of `flag/3`.
    library "$set_flag"("+key", "+number") needs effect = always |m, [key, value]| {
        let key = key_arg(m, key)?;
        let Some(number) = m.store.number(value)? else {
            return Err(m.type_error(atoms::NUMBER, value));
        };
        m.world.records.set_number(key, number)?;
    };
}
