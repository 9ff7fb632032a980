//! Which clauses of a program goals have come to.

use super::engine::Engine;
use super::error::Error;
use crate::base::growth::Gather;
use crate::tools::coverage::{Coverage, end_coverage};

/// A clause of a file, and how often it was entered: see [`Engine::count_clauses`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ClauseCount {
    /// The file, by the name under which it was loaded.
    pub file: String,
    /// The line that the clause begins in.
    pub line: usize,
    /// Its predicate, as `name/arity`.
    pub predicate: String,
    /// How often its head fitted a goal, and what its body does before its first call held.
    pub entered: u64,
}

impl Engine {
    /// From now on it is counted how often the clauses of files are entered, from 0. Queries run several times
    /// slower meanwhile.
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

    /// Ends the count, and gives the clauses of all files, but for those of the system's library, in the order of files and
    /// lines. Clauses that goals have asserted are of no file, nor are queries.
    ///
    /// # Errors
    /// [`ErrorKind::Resource`](super::ErrorKind::Resource) if there is no memory for it.
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
