//! The number of different values of variables (Pachet, Roy, "Automatic generation of music programs", 1999;
//! Beldiceanu, "Pruning for the minimum constraint family and for the number of distinct values constraint family",
//! 2001).

use super::table::put_value;
use crate::base::growth::{Grow, with_room};
use crate::fd::kinds::Kinds;
use crate::fd::number::Num;
use crate::fd::propagator::{Propagator, Vector};
use crate::fd::variable::Wait;
use crate::fd::work::{Fd, R};
use crate::store::cell::Cell;
use crate::store::heap::deref;

/// Propagates that Number is the number of different values of Variables. Arguments: Number, Variables.
pub(crate) fn nvalue<N: Num>(fd: &mut Fd<'_>, p: Propagator) -> R {
    let [number, variables] = p.args()?;
    let variables = Vector::of(variables)?;
    let (mut known, mut open) = (with_room(variables.len)?, with_room(variables.len)?);
    for x in variables.iter() {
        match fd.value::<N>(x)? {
            Some(value) => known.put(value)?,
            None => open.put(x)?,
        }
    }
    known.sort_unstable();
    known.dedup();
    open.sort_unstable_by_key(|x| x.addr().bits());
    open.dedup();
    let least = known.len() + more_values(fd, &known, &open)?;
    let most = known.len() + open.len();
    fd.set_between(number, &N::of(least as i64), &N::of(most as i64))?;
    let (low, high) = fd.bounds::<N>(number)?;
    if high == N::of(known.len() as i64) {
        // There is no other value.
        fd.kill(p)?;
        let mut ranges = Vec::new();
        for value in known {
            put_value(&mut ranges, value)?;
        }
        for x in open {
            fd.restrict(x, &ranges)?;
        }
        return Ok(());
    }
    if low == N::of(most as i64) {
        // All open variables differ from each other and from the known values.
        for x in open {
            for value in &known {
                fd.remove(x, value)?;
            }
            fd.look()?;
        }
    }
    Ok(())
}

/// Returns the least number of further values. It counts variables that can have none of the known values and whose
/// bounds do not overlap.
fn more_values<N: Num>(fd: &mut Fd<'_>, known: &[N], open: &[Cell]) -> R<usize> {
    let mut others = with_room(open.len())?;
    for &x in open {
        let (low, high) = fd.bounds::<N>(x)?;
        let first = known.partition_point(|value| *value < low);
        let mut meets = false;
        for value in known[first..].iter().take_while(|value| **value <= high) {
            meets = meets || fd.contains(x, value)?;
        }
        if !meets {
            others.put((high, low))?;
        }
        fd.look()?;
    }
    others.sort_unstable();
    let mut count = 0;
    let mut end: Option<N> = None;
    for (high, low) in others {
        if end.as_ref().is_none_or(|end| *end < low) {
            count += 1;
            end = Some(high);
        }
    }
    Ok(count)
}

impl Fd<'_> {
    /// Posts that variables have a number of different values.
    pub(crate) fn post_nvalue(&mut self, number: Cell, variables: &[Cell]) -> R {
        self.constrain(number)?;
        let mut xs = with_room(variables.len())?;
        for &x in variables {
            self.constrain(x)?;
        }
        xs.put_all(variables.iter().map(|&x| deref(x)))?;
        let vector = self.new_vector(&xs)?;
        let number = deref(number);
        let propagator = self.new_propagator(Kinds::Nvalue, &[number, vector])?;
        self.subscribe(number, propagator.cell(), Wait::Bounds)?;
        for &x in &xs {
            self.subscribe(x, propagator.cell(), Wait::Dom)?;
        }
        self.start(propagator, &[])
    }
}
