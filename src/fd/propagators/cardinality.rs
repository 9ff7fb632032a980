//! Numbers of occurrences of values among variables.

use crate::base::growth::{Grow, with_room};
use crate::fd::cardinality::Flow;
use crate::fd::kinds::Kinds;
use crate::fd::number::{Large, Num};
use crate::fd::propagator::{Propagator, Vector};
use crate::fd::variable::Wait;
use crate::fd::work::{Fd, Halt, R};
use crate::store::cell::Cell;
use crate::store::heap::deref;

/// Returns the keys as numbers, in ascending order.
fn keys_of<N: Num>(fd: &Fd<'_>, keys: Vector) -> R<Vec<N>> {
    let mut numbers = with_room(keys.len)?;
    for key in keys.iter() {
        numbers.put(N::of_cell(fd.store, key)?)?;
    }
    Ok(numbers)
}

/// Calls a function with the number of each key that is a value of `x`.
fn each_key<N: Num>(fd: &mut Fd<'_>, x: Cell, keys: &[N], mut key: impl FnMut(usize) -> R) -> R {
    for (low, high) in fd.ranges::<N>(x)? {
        let mut number = keys.partition_point(|key| *key < low);
        while number < keys.len() && keys[number] <= high {
            key(number)?;
            number += 1;
        }
    }
    fd.look()
}

/// Checks that every key occurs among the variables as often as its count says. Uses the known variables and the
/// variables that may have the key.
///
/// State: the number of open variables, and for each key the number of its occurrences among the others. Order has
/// the numbers of the variables, the open ones first.
pub(crate) fn occurrences<N: Num>(fd: &mut Fd<'_>, p: Propagator) -> R {
    let [variables, state, order, keys, counts] = p.args()?;
    let (variables, mut state, order) = (
        Vector::of(variables)?,
        Vector::of(state)?,
        Vector::of(order)?,
    );
    let keys = keys_of::<N>(fd, Vector::of(keys)?)?;
    let counts = Vector::of(counts)?;
    let open_variable = |nth: usize| variables.get(order.int(nth) as usize);
    let before = state.int(0) as usize;
    let mut open = before;
    let mut nth = 0;
    while nth < open {
        let Some(value) = fd.value::<N>(open_variable(nth))? else {
            nth += 1;
            continue;
        };
        let key = keys.binary_search(&value).map_err(|_| Halt::Fail)?;
        state = fd.own_vector(p, 1)?;
        state.set(key + 1, Cell::int(state.int(key + 1) + 1));
        open -= 1;
        order.swap(nth, open);
    }
    if open < before {
        state.set(0, Cell::int(open as i64));
    }
    let mut possible = with_room(keys.len())?;
    possible.put_all((0..keys.len()).map(|key| state.int(key + 1)))?;
    for nth in 0..open {
        each_key(fd, open_variable(nth), &keys, |key| {
            possible[key] += 1;
            Ok(())
        })?;
    }
    for (number, key) in keys.iter().enumerate() {
        let (certain, possible) = (state.int(number + 1), possible[number]);
        let count = counts.get(number);
        fd.set_between(count, &N::of(certain), &N::of(possible))?;
        let (least, most) = fd.bounds::<N>(count)?;
        if certain == possible || (most > N::of(certain) && least < N::of(possible)) {
            continue;
        }
        for nth in 0..open {
            let x = open_variable(nth);
            if most == N::of(certain) {
                fd.remove(x, key)?;
            } else if x.is_var() && fd.contains(x, key)? {
                fd.assign(x, key)?;
            }
        }
        fd.look()?;
    }
    sum_up::<N>(fd, counts, variables.len)?;
    match open {
        0 => fd.kill(p),
        _ => Ok(()),
    }
}

/// Makes the sum of the counts the number of the variables.
fn sum_up<N: Num>(fd: &mut Fd<'_>, counts: Vector, total: usize) -> R {
    let (mut least, mut most) = (N::of(0), N::of(0));
    for count in counts.iter() {
        let (low, high) = fd.bounds::<N>(count)?;
        (least, most) = (least.add(&low)?, most.add(&high)?);
    }
    let total = N::of(total as i64);
    if least > total || most < total {
        return Err(Halt::Fail);
    }
    let (spare, missing) = (total.sub(&least)?, most.sub(&total)?);
    for count in counts.iter() {
        let (low, high) = fd.bounds::<N>(count)?;
        fd.set_between(count, &high.sub(&missing)?, &low.add(&spare)?)?;
    }
    Ok(())
}

/// Keeps only values that are part of a solution in which every key occurs as often as the bounds of its count
/// permit. Source: Régin, "Generalized arc consistency for global cardinality constraint", 1996.
pub(crate) fn cardinality<N: Num>(fd: &mut Fd<'_>, p: Propagator) -> R {
    let [variables, keys, counts, former] = p.args()?;
    let (variables, counts, former) = (
        Vector::of(variables)?,
        Vector::of(counts)?,
        Vector::of(former)?,
    );
    let keys = keys_of::<N>(fd, Vector::of(keys)?)?;
    let mut flow = Flow::default();
    for count in counts.iter() {
        let (least, most) = fd.bounds::<N>(count)?;
        let (Some(least), Some(most)) = (least.small(), most.small()) else {
            return Err(Halt::Fail);
        };
        flow.add_key(least.max(0) as usize, most.max(0) as usize)?;
    }
    let mut open = 0;
    for (number, x) in variables.iter().enumerate() {
        open += usize::from(x.is_var());
        each_key(fd, x, &keys, |key| Ok(flow.add_edge(key)?))?;
        flow.end_variable(usize::try_from(former.int(number)).ok())?;
    }
    if !flow.find(&fd.store.events.watch)? {
        return Err(Halt::Fail);
    }
    for number in 0..variables.len {
        // The key to begin with the next time. It is valid in every branch.
        former.set(number, Cell::int(flow.key_of(number) as i64));
    }
    if open == 0 {
        return fd.kill(p);
    }
    for (variable, key) in flow.inconsistent(&fd.store.events.watch)? {
        fd.remove(variables.get(variable), &keys[key])?;
        fd.look()?;
    }
    Ok(())
}

impl Fd<'_> {
    /// Posts that each of `keys` occurs in `xs` as often as its element of `counts` says. With `flow`, also uses a
    /// flow.
    pub(crate) fn post_cardinality(
        &mut self,
        xs: &[Cell],
        keys: &[Cell],
        counts: &[Cell],
        shown: Cell,
        flow: bool,
    ) -> R {
        let mut pairs: Vec<(Large, Cell, Cell)> = with_room(keys.len())?;
        for (&key, &count) in keys.iter().zip(counts) {
            pairs.put((self.integer(deref(key))?, deref(key), count))?;
        }
        pairs.sort_by(|a, b| a.0.cmp(&b.0));
        let mut ranges = Vec::new();
        for (key, _, _) in &pairs {
            super::table::put_value(&mut ranges, key.clone())?;
        }
        for &count in counts {
            self.set_between(count, &Large::of(0), &Large::of(xs.len() as i64))?;
        }
        for &x in xs {
            self.restrict(x, &ranges)?;
        }
        let mut variables = with_room(xs.len())?;
        variables.put_all(xs.iter().map(|&x| deref(x)))?;
        let (mut keys, mut counts) = (with_room(pairs.len())?, with_room(pairs.len())?);
        for (_, key, count) in &pairs {
            keys.put(*key)?;
            counts.put(deref(*count))?;
        }
        let (mut state, mut order) = (with_room(keys.len() + 1)?, with_room(xs.len())?);
        state.put(Cell::int(xs.len() as i64))?;
        state.put_all(keys.iter().map(|_| Cell::int(0)))?;
        order.put_all((0..xs.len()).map(|x| Cell::int(x as i64)))?;
        let mut former = with_room(xs.len())?;
        former.put_all(xs.iter().map(|_| Cell::int(-1)))?;
        let [of_variables, of_keys, of_counts] = [
            self.new_vector(&variables)?,
            self.new_vector(&keys)?,
            self.new_vector(&counts)?,
        ];
        let (state, order) = (self.new_vector(&state)?, self.new_vector(&order)?);
        let former = self.new_vector(&former)?;
        let own = if flow { Cell::int(0) } else { shown };
        let args = [of_variables, state, order, of_keys, of_counts, own];
        let mut propagators = vec![self.new_propagator(Kinds::Occurrences, &args)?];
        if flow {
            let args = [of_variables, of_keys, of_counts, former, shown];
            propagators.put(self.new_propagator(Kinds::Cardinality, &args)?)?;
        }
        for propagator in propagators {
            for &x in &variables {
                self.subscribe(x, propagator.cell(), Wait::Dom)?;
            }
            for &count in &counts {
                self.subscribe(count, propagator.cell(), Wait::Bounds)?;
            }
            self.start(propagator, &[])?;
        }
        Ok(())
    }
}
