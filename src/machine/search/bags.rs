//! What collects the solutions of a goal while it is searched: copies of terms, or their number.
#![forbid(unsafe_code)]

use super::kept_solutions::Copies;
use crate::base::number::Number;

/// What collects the solutions of a goal.
#[derive(Debug)]
pub(crate) enum Bag {
    /// Copies of terms.
    Terms(Copies),
    /// Their number: of those that were found one by one, and of others.
    Count(u64, Number),
}
