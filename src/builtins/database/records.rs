//! The recorded database (see [`crate::program::records`]), and the numbers that `flag/3` keeps by keys of the same kinds.

use crate::base::number::Number;
use crate::base::room::Grow;
use crate::base::stop::Stop;
use crate::base::symbol::{atoms, functors};
use crate::machine::builtin::{Step, builtins};
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::program::records::{Key, Pattern, Wanted};
use crate::store::cell::Cell;
use crate::store::heap::View;

/// The key that a term stands for.
fn key_arg(m: &mut Machine, term: Cell) -> Result<Key, Throw> {
    Ok(match m.store.view(term) {
        View::Atom(name) => Key::Simple(Cell::atom(name)),
        View::Int(number) => Key::Simple(Cell::int(number)),
        View::Big(at) => Key::Large(m.store.big(at)?),
        View::Struct(functor, _) => Key::Simple(Cell::functor(functor)),
        View::List(_) => Key::Simple(Cell::functor(functors::LIST)),
        View::Var(_) => return Err(m.instantiation_error()),
        View::Float(_) | View::String(_) => {
            let expected = m.world.symbols.intern("key")?;
            return Err(m.type_error(expected, term));
        }
    })
}

/// A term that stands for a key.
fn key_term(m: &mut Machine, key: &Key) -> Result<Cell, Throw> {
    match key {
        &Key::Simple(cell) if cell.is_functor() => {
            Ok(m.store.new_general_struct(cell.as_functor())?)
        }
        Key::Simple(cell) => Ok(*cell),
        Key::Large(number) => Ok(m.store.new_number(&Number::from_big(number.clone()))?),
    }
}

/// `'$record'(Key, Number)` stands for a record: a term that was written by hand means none.
fn reference(m: &mut Machine, key: &Key, number: i64) -> Result<Cell, Throw> {
    let key = key_term(m, key)?;
    m.store.reserve(3)?;
    Ok(m.store
        .new_struct(functors::RECORD_REFERENCE, &[key, Cell::int(number)]))
}

/// The key and the number of the record that a reference stands for; `None` if it stands for something else.
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

/// Records a term, before or after others of its key; gives the number of the record.
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

/// A search among records is over.
fn search_is_over(m: &mut Machine, _: i64) {
    m.world.records.close_search(&m.store);
}

/// The next record of a key among those that there were, which `place` becomes a reference to, if there is one.
fn recorded(
    m: &mut Machine,
    [key, term, changes]: [Cell; 3],
    place: Option<Cell>,
    state: Option<i64>,
) -> Result<Step, Throw> {
    if let Some(place) = place.filter(|place| !place.is_var()) {
        return recorded_at(m, [key, term, place]);
    }
    let key = key_arg(m, key)?;
    let mut wanted = Wanted {
        key: &key,
        from: state.unwrap_or(i64::MIN),
        changes: changes.int_value(),
        pattern: Pattern::of(&m.store, term),
    };
    let Some(number) = m.world.records.find(&wanted, &m.store.watch) else {
        return Ok(Step::Fail);
    };
    // What it may be unified with next is looked for before anything is bound.
    wanted.from = number + 1;
    let next = m.world.records.find(&wanted, &m.store.watch);
    let found = m.world.records.load(&mut m.store, (&key, number), false)?;
    let unifies = match found {
        Some(found) => m.unify(term, found)?,
        None => false,
    };
    if let Some(place) = place.filter(|_| unifies) {
        let made = reference(m, &key, number)?;
        m.unify(place, made)?;
    }
    if state.is_none() && next.is_some() {
        m.world.records.open_search();
    }
    Ok(match next {
        Some(next) if unifies => Step::More(next),
        Some(next) => Step::Again(next),
        None if unifies => Step::Last,
        None => Step::Fail,
    })
}

/// The record that a reference stands for.
fn recorded_at(m: &mut Machine, [key, term, place]: [Cell; 3]) -> Result<Step, Throw> {
    let Some((own_key, number)) = referenced(m, place)? else {
        let expected = m.world.symbols.intern("db_reference")?;
        return Err(m.type_error(expected, place));
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
    Ok(if unifies && same_key {
        Step::Last
    } else {
        Step::Fail
    })
}

builtins! { RECORDS =
    /// Keeps a copy of `Term`, before others of `Key`: an atom, an integer, or a compound term, of which name and
    /// arity count. `Term` may be cyclic.
    ///
    /// ?- recordz(queue, a), recorda(queue, b), findall(X, recorded(queue, X), L).
    /// L = [b, a].
    library "recorda"("+key", "?term") needs effect = |m, [key, term]| record_plain(m, key, term, true);
    /// Keeps a copy of `Term`, before others of `Key`; `Reference` stands for it. erase/1 takes it away.
    library "recorda"("+key", "?term", "-reference") needs effect = |m, [key, term, place]| {
        record_reference(m, [key, term, place], true)
    };
    /// Keeps a copy of `Term`, after others of `Key`: an atom, an integer, or a compound term, of which name and
    /// arity count. `Term` may be cyclic.
    ///
    /// ?- recordz(queue, a), recordz(queue, b), findall(X, recorded(queue, X), L).
    /// L = [a, b].
    library "recordz"("+key", "?term") needs effect = |m, [key, term]| record_plain(m, key, term, false);
    /// Keeps a copy of `Term`, after others of `Key`; `Reference` stands for it. erase/1 takes it away.
    library "recordz"("+key", "?term", "-reference") needs effect = |m, [key, term, place]| {
        record_reference(m, [key, term, place], false)
    };

    /// `Changes` is how many changes of records there were so far.
    library "$record_changes"("-integer") needs history = |m, [changes]| {
        Ok(m.unify(changes, Cell::int(m.world.records.changes()))?)
    };
    /// `Keys` are the keys with which terms are recorded, compound ones with variables as arguments.
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
    /// `Term` unifies with what was recorded with `Key`, in order, after so many changes of records.
    library nondet "$recorded"("+key", "?term", "+integer") needs history with dropped search_is_over =
        |m, [key, term, changes], state| recorded(m, [key, term, changes], None, state);
    /// The same; `Reference` stands for it.
    library nondet "$recorded"("?key", "?term", "?reference", "+integer") needs history with dropped search_is_over =
        |m, [key, term, place, changes], state| recorded(m, [key, term, changes], Some(place), state);

    /// The number that `flag/3` keeps for a key.
    library "$flag"("+key", "?number") = |m, [key, value]| {
        let key = key_arg(m, key)?;
        let number = m.world.records.number(&key);
        m.unify_number(value, &number)
    };
    /// Has `flag/3` keep a number for a key.
    library "$set_flag"("+key", "+number") needs effect = |m, [key, value]| {
        let key = key_arg(m, key)?;
        let Some(number) = m.store.number(value)? else {
            return Err(m.type_error(atoms::NUMBER, value));
        };
        m.world.records.set_number(key, number)?;
        Ok(true)
    };
}
