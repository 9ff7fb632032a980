//! The clauses of a predicate in an engine: a list that it may share with others until it changes it.

use super::clause_list::{Clause, ClauseList};
use super::frozen::Frozen;
use crate::base::stop::Stop;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, LazyLock};

/// No clauses, a list of the engine's own, or a list that it shares with others and has not changed.
#[derive(Default)]
pub(crate) enum Clauses {
    /// No clauses.
    #[default]
    None,
    /// A list of the engine's own.
    Own(Box<ClauseList>),
    /// The list of a program.
    Shared(Arc<Frozen>),
}

impl Clauses {
    /// Publishes the clauses, which are shared from now on. `gone` receives the dead clauses.
    ///
    /// # Errors
    /// Returns an error if memory is short; then nothing has changed.
    pub(crate) fn freeze(&mut self, gone: &mut Vec<Clause>) -> Result<(), Stop> {
        if let Clauses::Own(list) = self {
            *self = Clauses::Shared(Arc::new(list.freeze(gone)?));
        }
        Ok(())
    }

    /// Returns the same clauses for another engine. They must be published.
    pub(crate) fn share(&self) -> Clauses {
        match self {
            Clauses::Shared(frozen) => Clauses::Shared(Arc::clone(frozen)),
            Clauses::Own(_) => unreachable!("the clauses are published"),
            Clauses::None => Clauses::None,
        }
    }

    /// Returns the list that a program publishes, if the engine has not changed it.
    pub(crate) fn shared(&self) -> Option<&Frozen> {
        match self {
            Clauses::Shared(frozen) => Some(frozen),
            Clauses::None | Clauses::Own(_) => None,
        }
    }

    #[cold]
    #[inline(never)]
    fn make_own(&mut self) {
        let list = match std::mem::take(self) {
            Clauses::Shared(frozen) => ClauseList::over(frozen),
            _ => ClauseList::default(),
        };
        *self = Clauses::Own(Box::new(list));
    }
}

impl Deref for Clauses {
    type Target = ClauseList;

    #[inline(always)]
    fn deref(&self) -> &ClauseList {
        static NONE: LazyLock<ClauseList> = LazyLock::new(ClauseList::default);
        match self {
            Clauses::Own(list) => list,
            Clauses::Shared(frozen) => frozen.list(),
            Clauses::None => &NONE,
        }
    }
}

impl DerefMut for Clauses {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut ClauseList {
        if !matches!(self, Clauses::Own(_)) {
            self.make_own();
        }
        match self {
            Clauses::Own(list) => list,
            _ => unreachable!("it was made so"),
        }
    }
}
