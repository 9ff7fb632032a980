//! Coverage: counts of the clauses that goals have entered.

use super::engine::Engine;
use super::error::Error;
use crate::base::growth::Gather;
use crate::tools::coverage::{Coverage, end_coverage};

/// A clause of a file with the number of times it was entered: see [`Engine::count_clauses`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ClauseCount {
    /// The name under which the file was loaded.
    pub file: String,
    /// The line in which the clause begins.
    pub line: usize,
    /// The predicate of the clause, as `name/arity`.
    pub predicate: String,
    /// How often the head unified with a goal and the part of the body before its first call succeeded.
    pub entered: u64,
}

impl Engine {
    /// Starts to count, from 0, how often the clauses of files are entered. Queries run several times slower meanwhile.
    ///
    /// ```
    /// # fn main() -> Result<(), wamlet::Error> {
    /// let mut engine = wamlet::Engine::new()?;
    /// engine.consult_text("sign.pl", "sign(N, neg) :- N < 0, !.\nsign(_, pos).\n")?;
    /// engine.count_clauses();
    /// engine.query_once("sign(5, S)")?;
    /// let counts: Vec<u64> = engine.clause_counts()?.iter().map(|clause| clause.entered).collect();
    /// assert_eq!(counts, [0, 1]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn count_clauses(&mut self) {
        self.machine.observe(Coverage::default());
    }

    /// Ends the count and returns the clauses of all files, in the order of files and lines. Clauses of the system's
    /// library are left out. Clauses that goals asserted, and queries, belong to no file.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Resource`](super::ErrorKind::Resource) if there is not enough memory.
    pub fn clause_counts(&mut self) -> Result<Vec<ClauseCount>, Error> {
        let found = self.guarded(|engine| Ok(end_coverage(&mut engine.machine)?))?;
        Ok(found
            .into_iter()
            .map(|clause| ClauseCount {
                file: clause.file,
                line: clause.line,
                predicate: clause.predicate,
                entered: clause.times,
            })
            .gather()?)
    }
}
