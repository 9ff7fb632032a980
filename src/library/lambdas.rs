//! Search for lambda expressions of library(yall) in clauses. `prelude/system/expand.pl` compiles them.

use crate::base::atom_table::functors;
use crate::base::growth::Grow;
use crate::base::stop::Stop;
use crate::machine::state::Machine;
use crate::store::address::HeapAddr;
use crate::store::body::CYCLE_CHECK;
use crate::store::cell::{Cell, WORD};
use crate::store::heap::View;
use crate::store::raw;

/// Returns whether a rule from the input may contain a lambda expression. Its term begins at `from` or after it.
pub(crate) fn makes_lambda(m: &Machine, from: HeapAddr, term: Cell) -> bool {
    let View::Struct(functors::NECK | functors::DCG_ARROW, _) = m.store.view(term) else {
        return false;
    };
    let lambda = Cell::functor(functors::LAMBDA_GOAL);
    let mut at = from;
    while at < m.store.heap_top {
        if raw::cell(at) == lambda {
            return true;
        }
        at += WORD;
    }
    false
}

/// Returns whether a term contains a lambda expression. The search ends after a fixed number of parts.
pub(crate) fn has_lambda(m: &Machine, term: Cell) -> Result<bool, Stop> {
    let mut todo = vec![term];
    let mut parts = 0;
    while let Some(part) = todo.pop() {
        parts += 1;
        if parts > CYCLE_CHECK {
            return Ok(false);
        }
        if let Some((functor, args)) = m.store.compound(part) {
            if functor == functors::LAMBDA_GOAL {
                return Ok(true);
            }
            let parts = (0..functor.arity()).rev();
            todo.put_all(parts.map(|index| m.store.arg(args, index)))?;
        }
    }
    Ok(false)
}
