//! Comparison of terms that do not unify because their shapes differ. Searches divided among several machines must make
//! the same choice points, so they compare the terms in full: an index on the differing places may exist on some
//! machines only.

use crate::base::growth::Grow;
use crate::store::cell::{Cell, WORD, tag};
use crate::store::heap::deref;
use crate::store::raw;

/// Maximum number of pairs of subterms that are compared.
const MOST_PAIRS: usize = 1 << 16;

/// Returns whether the terms differ at a place where no binding can make them equal. Subterms for which `open` returns
/// true may become anything.
pub(crate) fn are_apart(a: Cell, b: Cell, open: impl Fn(Cell) -> bool) -> bool {
    let mut todo = Vec::new();
    let mut next = Some((a, b));
    let mut left = MOST_PAIRS;
    while let Some((a, b)) = next {
        let (a, b) = (deref(a), deref(b));
        if a != b && !a.is_var() && !b.is_var() && !open(a) && !open(b) {
            if left == 0 {
                return false;
            }
            left -= 1;
            let parts = match (a.tag(), b.tag()) {
                (tag::LST, tag::LST) => 0..2,
                (tag::STR, tag::STR) if raw::cell(a.addr()) == raw::cell(b.addr()) => {
                    1..raw::cell(a.addr()).as_functor().arity() as u64 + 1
                }
                (tag::BOX, tag::BOX) if are_same_boxes(a, b) => 0..0,
                _ => return true,
            };
            for part in parts.rev() {
                let pair = [a, b].map(|cell| raw::cell(cell.addr() + part * WORD));
                if todo.put(pair).is_err() {
                    return false;
                }
            }
        }
        next = todo.pop().map(|[a, b]| (a, b));
    }
    false
}

fn are_same_boxes(a: Cell, b: Cell) -> bool {
    raw::cell(a.addr()) == raw::cell(b.addr())
        && raw::payload(&a, a.addr()) == raw::payload(&b, b.addr())
}
