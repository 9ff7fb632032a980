//! Tests of the algorithms on terms: against naive ones on small random terms, and on terms that are deep, long,
//! cyclic or hugely shared. `tests/cases` tests the builtins that use these algorithms.
#![forbid(unsafe_code)]

mod large;
mod naive;
mod random;
mod small;

/// A stored ground term that is used in place, like the literals of clauses.
struct InPlace {
    _words: Box<[u64]>,
    root: super::cell::Cell,
}

impl InPlace {
    fn new(stored: &super::stored::Stored) -> InPlace {
        let mut words = stored.cells.clone();
        let base = words.as_ptr() as u64;
        super::copy::relocate(&mut words, base, &crate::base::watch::Watch::default()).unwrap();
        let root = super::copy::relocated(super::cell::Cell(stored.root), base);
        InPlace {
            _words: words,
            root,
        }
    }
}
