//! Progress reports of a search.

use super::engine::Engine;
use super::term::{BigInteger, Term};
use crate::base::number::Number;
use crate::machine::search::gauge::Gauge;
use std::sync::Arc;

/// A handle that reports the progress of an engine's search, from any thread. The search may be a count, a collection
/// such as `findall/3`, or a search divided among several threads.
///
/// The engine answers at its next call. After [`Progress::ask`], [`Progress::reading`] therefore returns the answer
/// some time later. The handle costs a search no time until someone calls [`Progress::ask`].
#[derive(Clone, Debug)]
pub struct Progress(Arc<Gauge>);

/// The progress of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchProgress {
    /// The number of the search, from 1: the outermost collection of solutions that runs, or ran last.
    pub search: u64,
    /// The number of solutions so far, an integer. `None` for a collection that keeps neither solutions nor their
    /// number, such as a sum.
    pub solutions: Option<Term>,
    /// The lower and the upper bound of the completed share of the search tree, an estimate from 0 to 1. The bounds are
    /// 0 and 1 if nothing is known.
    pub done: (f64, f64),
}

const fn assert_shared<T: Send + Sync + Clone>() {}
const _: () = assert_shared::<Progress>();

impl Engine {
    /// Returns a handle for the progress of this engine's searches, from now on.
    pub fn progress(&mut self) -> Progress {
        // Without enough memory, the handle reports nothing.
        Progress(self.machine.gauge().unwrap_or_default())
    }
}

impl Progress {
    /// Asks the engine to report its progress at the next call.
    pub fn ask(&self) {
        self.0.request_report();
    }

    /// Returns the last report of the engine. Returns `None` before the first report.
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
