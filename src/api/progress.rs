//! How far a search is, for who waits for it.

use super::engine::Engine;
use super::term::{BigInteger, Term};
use crate::base::number::Number;
use crate::machine::search::gauge::Gauge;
use std::sync::Arc;

/// Tells how far the search of an engine is, from any thread: a count, a collection such as `findall/3`, or the parts of a
/// search by several threads.
///
/// The engine answers at its next call, so whoever calls [`Progress::ask`] gets the answer from [`Progress::reading`] some
/// time later. A search that nobody asks about takes no more time than without.
#[derive(Clone, Debug)]
pub struct Progress(Arc<Gauge>);

/// How far a search is.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchProgress {
    /// The number of the search, from 1: the outermost collection of solutions that runs, or ran last.
    pub search: u64,
    /// The number of solutions so far, an integer; none of a collection that keeps neither them nor their number, such as a sum.
    pub solutions: Option<Term>,
    /// The estimated share of the search tree that is done lies between these two, from 0 to 1. They are 0 and 1 if nothing
    /// is known.
    pub done: (f64, f64),
}

const fn assert_shared<T: Send + Sync + Clone>() {}
const _: () = assert_shared::<Progress>();

impl Engine {
    /// What tells how far the searches of this engine are, from now on.
    pub fn progress(&mut self) -> Progress {
        // Without memory nothing is told.
        Progress(self.machine.gauge().unwrap_or_default())
    }
}

impl Progress {
    /// Asks the engine to tell at its next call how far it is.
    pub fn ask(&self) {
        self.0.ask();
    }

    /// What the engine has told last; none before its first answer.
    pub fn reading(&self) -> Option<SearchProgress> {
        let totals = self.0.totals()?;
        let solutions = match totals.found {
            Some(Number::Int(found)) => Some(Term::Integer(found)),
            Some(Number::Big(found)) => Some(Term::BigInteger(BigInteger::new(found))),
            Some(Number::Float(_)) | None => None,
        };
        let done = |rest: f64| (1.0 - rest).clamp(0.0, 1.0);
        Some(SearchProgress {
            search: totals.search,
            solutions,
            done: (done(totals.rest.most), done(totals.rest.least)),
        })
    }
}
