//! Lists and counting: `length/2`, `between/3` and others. They are not in the ISO standard and follow the common
//! practice described in the prologue for Prolog.

use crate::arith::compare::compare;
use crate::arith::mixed;
use crate::base::atom_table::{atoms, functors};
use crate::base::growth::{Grow, with_room};
use crate::base::number::Number;
use crate::base::stop::Stop;
use crate::builtins::args::room_for;
use crate::machine::builtin::{Step, builtins};
use crate::machine::control::throw::Throw;
use crate::machine::evaluate::arith_error;
use crate::machine::state::Machine;
use crate::store::cell::{Cell, WORD, tag};
use crate::store::claims::Life;
use crate::store::heap::View;
use crate::store::list::ListShape;
use crate::store::raw;
use std::cmp::Ordering;

/// Binds the end of a partial list to a list of `count` fresh variables.
fn extend(m: &mut Machine, end: Cell, count: usize) -> Result<bool, Throw> {
    if count == 0 {
        return Ok(m.unify_atom(end, atoms::NIL)?);
    }
    room_for(m, count, 2)?;
    let first = m.store.allocate(count * 2);
    let mut at = first;
    for nth in 0..count {
        m.store.events.watch.go_on_at(nth)?;
        // The first argument is an unbound variable in this cell.
        raw::set_cell(at, Cell::reference(at));
        raw::set_cell(at + WORD, Cell::list(at + 2 * WORD));
        at += 2 * WORD;
    }
    raw::set_cell(at - WORD, Cell::atom(atoms::NIL));
    Ok(m.unify(end, Cell::list(first))?)
}

/// Runs `length/2` on a partial list of `known` elements that ends in `end`.
fn partial_length(
    m: &mut Machine,
    known: usize,
    end: Cell,
    length: Cell,
    state: Option<i64>,
) -> Result<Step, Throw> {
    if let Some(wanted) = m.optional_size(length)? {
        let done = wanted >= known && extend(m, end, wanted - known)?;
        return Ok(Step::when(done));
    }
    if m.store.deref(length) == end {
        return Ok(Step::Fail);
    }
    if end.tag() == tag::ATT {
        return lengths_with_goals(m, known, end, length);
    }
    let more = state.unwrap_or(0);
    let count = usize::try_from(more).unwrap_or(usize::MAX);
    let done = extend(m, end, count)? && m.unify_size(length, known.saturating_add(count))?;
    Ok(if done {
        Step::More(more.saturating_add(1))
    } else {
        Step::Fail
    })
}

/// Runs `length/2` on a partial list whose end has attributes. Each longer list must wait for the suspended goals
/// of the shorter one. So the hook of `$length` makes the lists, as the first suspended goal to run.
fn lengths_with_goals(
    m: &mut Machine,
    known: usize,
    end: Cell,
    length: Cell,
) -> Result<Step, Throw> {
    room_for(m, 1, 16)?;
    let known = m.store.new_int(i64::try_from(known).unwrap_or(i64::MAX));
    let none = Cell::atom(atoms::NIL);
    let name = Cell::atom(atoms::LENGTH_HOOK);
    let attribute = m.store.new_struct(functors::ATT, &[name, known, none]);
    let value = m.store.new_list(end, length);
    m.store.schedule(attribute, value);
    Ok(Step::Last)
}

/// Returns the bounds of `between/3`. The upper one is `None` if it is infinite.
fn bounds(m: &mut Machine, low: Cell, high: Cell) -> Result<(Number, Option<Number>), Throw> {
    let low = m.integer_arg(low)?;
    let high = match m.store.view(high) {
        View::Atom(atoms::INF | atoms::INFINITE) => None,
        _ => Some(m.integer_arg(high)?),
    };
    Ok((low, high))
}

fn above(x: &Number, y: &Number) -> bool {
    compare(x, y) == Some(Ordering::Greater)
}

/// Runs `between/3`. The state is the distance from the lower bound.
fn between(
    m: &mut Machine,
    low: Cell,
    high: Cell,
    x: Cell,
    state: Option<i64>,
) -> Result<Step, Throw> {
    let distance = state.unwrap_or(0);
    // Fast path for the common case.
    if low.is_int() && high.is_int() && x.is_var() {
        let value = low.int_value() + distance;
        if value >= high.int_value() {
            let last = value == high.int_value() && m.unify(x, Cell::int(value))?;
            return Ok(Step::when(last));
        }
        m.store.bind(x, Cell::int(value))?;
        return Ok(Step::More(distance + 1));
    }
    let (low, high) = bounds(m, low, high)?;
    if let Some(x) = m.optional_integer(x)? {
        let within = !above(&low, &x) && high.is_none_or(|high| !above(&x, &high));
        return Ok(Step::when(within));
    }
    let value = mixed::add(&low, &Number::Int(distance)).map_err(|error| arith_error(m, error))?;
    if high.as_ref().is_some_and(|high| above(&value, high)) {
        return Ok(Step::Fail);
    }
    let last = high.as_ref() == Some(&value);
    if !m.unify_number(x, &value)? {
        return Ok(Step::Fail);
    }
    Ok(if last {
        Step::Last
    } else {
        Step::More(distance.saturating_add(1))
    })
}

/// Unifies `x` with the first element that unifies with it. `rest` becomes `[]` if this is the final result. If the
/// unification wakes suspended goals, which may reject the element, `rest` is the list from that element on. If the
/// list ends in a variable before a match, `rest` is that variable.
fn first_member(m: &mut Machine, x: Cell, list: Cell, rest: Cell) -> Result<bool, Throw> {
    let mut cell = m.store.deref(list);
    // A remembered element, the number of elements since then, and the number after which the next one is
    // remembered. If the search returns to the remembered element, the list is cyclic.
    let (mut met, mut since, mut most) = (None, 0, 1);
    while let View::List(addr) = m.store.view(cell) {
        if met == Some(addr) {
            return Err(m.type_error(atoms::LIST, list));
        }
        since += 1;
        if since == most {
            (met, since, most) = (Some(addr), 0, 2 * most);
        }
        m.store.events.watch.go_on_at(since)?;
        let item = m.store.arg(addr, 0);
        if item == x {
            return Ok(m.unify_atom(rest, atoms::NIL)?);
        }
        if !m.store.not_unifiable(x, item)? {
            let mut bindings = Vec::new();
            m.store.unifiable(x, item, &mut bindings)?;
            let wakes = bindings.iter().any(|(var, _)| is_attributed(*var));
            if wakes {
                return Ok(m.unify(rest, cell)?);
            }
            return Ok(m.unify(x, item)? && m.unify_atom(rest, atoms::NIL)?);
        }
        cell = m.store.arg(addr, 1);
    }
    match m.store.view(cell) {
        View::Var(_) => Ok(m.unify(rest, cell)?),
        View::Atom(atoms::NIL) => Ok(false),
        _ => Err(m.type_error(atoms::LIST, list)),
    }
}

fn is_attributed(var: Cell) -> bool {
    var.tag() == crate::store::cell::tag::ATT
}

/// Returns the list of integers from `low` to `high`.
fn number_list(m: &mut Machine, low: Cell, high: Cell) -> Result<Option<Cell>, Throw> {
    let (low, high) = (m.integer_arg(low)?, m.integer_arg(high)?);
    if above(&low, &high) {
        return Ok(None);
    }
    let between = mixed::sub(&high, &low).map_err(|error| arith_error(m, error))?;
    let Number::Int(steps) = between else {
        return Err(Stop.into());
    };
    let steps = usize::try_from(steps).unwrap_or(usize::MAX);
    room_for(m, steps.saturating_add(1), 4)?;
    let mut items = with_room(steps + 1)?;
    if let (Number::Int(low), Number::Int(high)) = (&low, &high) {
        for value in *low..=*high {
            m.store.events.watch.go_on_at(items.len())?;
            items.put(m.store.new_int(value))?;
        }
    } else {
        for nth in 0..=steps {
            m.store.events.watch.go_on_at(nth)?;
            let value = mixed::add(&low, &Number::Int(nth as i64));
            let value = value.map_err(|error| arith_error(m, error))?;
            items.put(m.store.new_number(&value)?)?;
        }
    }
    Ok(Some(m.store.list_of(&items)?))
}

/// Steps along a list, at most `steps`. Returns the rest of the list and the steps left.
fn walk(m: &Machine, list: Cell, steps: usize) -> Result<(Cell, usize), Stop> {
    let mut cell = m.store.deref(list);
    let mut left = steps;
    while left > 0
        && let View::List(addr) = m.store.view(cell)
    {
        m.store.events.watch.go_on_at(left)?;
        cell = m.store.arg(addr, 1);
        left -= 1;
    }
    Ok((cell, left))
}

/// Number of list cells that are allocated together.
const FLAT_PIECE: usize = 1 << 12;

/// Returns the list of all elements of nested lists. A term that is not a list becomes the only element.
fn flattened(m: &mut Machine, nested: Cell) -> Result<Cell, Throw> {
    let first = m.store.heap_top;
    let (mut steps, mut room) = (0, 0);
    // Rests of the lists around the present one.
    let mut pending = Vec::new();
    let mut next = Some(m.store.deref(nested));
    while let Some(cell) = next {
        m.store.events.watch.go_on_at(steps)?;
        steps += 1;
        if let View::List(addr) = m.store.view(cell) {
            if pending.len() == pending.capacity() {
                let bytes = pending.len() as u64 * 2 * WORD;
                m.store.room_outside(bytes, Life::Passing)?;
            }
            pending.put(m.store.arg(addr, 1))?;
            next = Some(m.store.arg(addr, 0));
            continue;
        }
        if cell != Cell::atom(atoms::NIL) {
            if room == 0 {
                m.store.reserve(2 * FLAT_PIECE)?;
                room = FLAT_PIECE;
            }
            room -= 1;
            let at = m.store.allocate(2);
            raw::set_cell(at, cell);
            raw::set_cell(at + WORD, Cell::list(at + 2 * WORD));
        }
        next = pending.pop();
    }
    if m.store.heap_top == first {
        return Ok(Cell::atom(atoms::NIL));
    }
    raw::set_cell(m.store.heap_top - WORD, Cell::atom(atoms::NIL));
    Ok(Cell::list(first))
}

fn length_is_bound(m: &Machine) -> bool {
    let [_, length] = m.args();
    !length.is_var()
}

fn between_is_bound(m: &Machine) -> bool {
    let [_, _, x] = m.args();
    !x.is_var()
}

/// Returns the number of integers left, if both bounds are integers and `x` is a plain variable.
fn between_remaining(m: &Machine, args: &[Cell], state: i64) -> Option<Number> {
    let &[low, high, x] = args else {
        return None;
    };
    // If there was a solution, this variable is now bound to the last one.
    if x.tag() != tag::REF {
        return None;
    }
    let bound = |cell| match m.store.number(cell) {
        Ok(Some(number @ (Number::Int(_) | Number::Big(_)))) => Some(number),
        _ => None,
    };
    let all = mixed::sub(&bound(high)?, &bound(low)?).ok()?;
    let left = mixed::sub(&all, &Number::Int(state.checked_sub(1)?)).ok()?;
    Some(match above(&Number::Int(0), &left) {
        true => Number::Int(0),
        false => left,
    })
}

builtins! { LISTS =
    /// True if `integer` is the number of elements of `list`. Extends a partial list to that length, or, if
    /// `integer` is unbound, to ever greater lengths on backtracking. Raises a type error if `list` is
    /// neither a list nor a partial list.
    ///
    /// ?- length([a,b,c], N).
    /// N = 3.
    ///
    /// ?- length(L, 2).
    /// L = [_, _].
    ///
    /// ?- length(L, -1).
    /// error: length/2: Domain error: `not_less_than_zero' expected, found `-1' [domain_error(not_less_than_zero, -1)]
    ///
    /// ?- length([a|T], 3).
    /// T = [_, _].
    library nondet "length"("?list", "?integer") with once length_is_bound = |m, [list, length], state| {
        match m.store.list_length(list)? {
            ListShape::Proper(count) => {
                m.optional_size(length)?;
                Ok(Step::when(m.unify_size(length, count)?))
            }
            ListShape::Partial(known, end) => partial_length(m, known, end, length, state),
            ListShape::NotList(..) | ListShape::Cyclic => Err(m.type_error(atoms::LIST, list)),
        }
    };

    /// Succeeds if `Length` is the number of solutions, which were counted without making a list.
    internal "length"("+integer", "?integer") = |m, [count, length]| {
        m.optional_size(length)?;
        Ok(m.unify(count, length)?)
    };

    /// True if the third integer lies between the first two, both included. The upper bound may be `inf` or
    /// `infinite`. If the third integer is unbound, enumerates the integers in ascending order on
    /// backtracking.
    ///
    /// ?- between(1, 3, X).
    /// X = 1 ;
    /// X = 2 ;
    /// X = 3.
    ///
    /// ?- between(1, inf, X), X * X > 50, !.
    /// X = 8.
    ///
    /// ?- between(3, 1, X).
    /// false.
    library nondet "between"("+integer", "+integer", "?integer")
        with once between_is_bound, remaining between_remaining = |m, [low, high, x], state| {
        between(m, low, high, x, state)
    };

    /// Unifies `list` with the list of the integers from the first integer to the second, both included.
    ///
    /// ?- numlist(1, 5, L).
    /// L = [1, 2, 3, 4, 5].
    library "numlist"("+integer", "+integer", "-list") = |m, [low, high, list]| {
        match number_list(m, low, high)? {
            Some(numbers) => Ok(m.unify(list, numbers)?),
            None => Ok(false),
        }
    };

    /// Unifies `X` with the first element of `List` that unifies. `Rest` is `[]`, or the list that `member/2` must
    /// still search.
    library "$memberchk"("?term", "?list", "-term") = |m, [x, list, rest]| {
        first_member(m, x, list, rest)
    };

    /// Steps along `List` from index `First` to `Index`, for `nth0/3` and `nth1/3`. `Rest` is the list that begins
    /// with the element, and the number of steps left is 0. If the list ends earlier, `Rest` is its end, and some
    /// steps are left.
    iso "$nth"("+integer", "+integer", "?list", "-term", "-integer") = |m, [index, first, list, rest, left]| {
        let index = m.integer_arg(index)?;
        if index.is_negative() {
            return Ok(false);
        }
        let index = match index {
            Number::Int(index) => usize::try_from(index).unwrap_or(usize::MAX),
            _ => usize::MAX,
        };
        let Some(steps) = index.checked_sub(m.size_arg(first)?) else {
            return Ok(false);
        };
        let (end, steps) = walk(m, list, steps)?;
        Ok(m.unify(rest, end)? && m.unify_size(left, steps)?)
    };

    /// Returns the list `Flat` of the elements at any depth of `Nested` that are not lists, for `flatten/2`.
    iso "$flatten"("+term", "-list") = |m, [nested, flat]| {
        let list = flattened(m, nested)?;
        Ok(m.unify(flat, list)?)
    };

    /// Returns the end of `List` after its last element: `[]`, a variable, or another term. For a cyclic list it
    /// returns the list itself.
    library "$skip_list"("?term", "-term") = |m, [list, tail]| {
        let end = match m.store.list_length(list)? {
            ListShape::Proper(_) => Cell::atom(atoms::NIL),
            ListShape::Partial(_, end) | ListShape::NotList(_, end) => end,
            ListShape::Cyclic => list,
        };
        Ok(m.unify(tail, end)?)
    };

    /// Checks that `List` is a list.
    library "$must_be_list"("+list") = |m, [list]| m.list_arg(list).map(|_| true);
}
