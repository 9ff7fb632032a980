//! The clauses of a predicate that a program publishes. Nothing in the list changes any more, so engines on any
//! threads read it at the same time. Indexes and the code that selects clauses are made at their first use. Each is
//! complete before another engine sees it.

use super::clause_list::{CallKeys, Clause, ClauseList, KEYED_ARGS, may_match};
use super::entries::Entries;
use super::generation::ALIVE;
use crate::base::once::Once;
use crate::base::stop::Stop;
use crate::ir::key::Key;
use crate::program::indexes::arg_index::ArgIndex;
use crate::program::indexes::hashed::{Best, Selection, single_index};
use crate::store::address::CodeAddr;

/// The index of an argument; `None` if an index does not pay.
type ArgumentIndex = Once<Option<Box<ArgIndex>>>;

/// A list of clauses that does not change.
pub(crate) struct Frozen {
    /// The clauses. All of them are alive and are older than all calls.
    list: ClauseList,
    /// The indexes of arguments, made when a call needs them.
    single: Once<Box<[ArgumentIndex; KEYED_ARGS]>>,
    /// The code that selects clauses of a static predicate, made at the first call; `None` if it would be too large.
    code: Once<Option<SelectingCode>>,
}

/// The code that selects among the clauses of a static predicate, with all its parts made.
pub(crate) struct SelectingCode {
    /// Address that calls jump to.
    pub(crate) entry: CodeAddr,
    /// Which comparisons are constraints: besides the clauses, the code depends only on this.
    pub(crate) constraints: [bool; 6],
    /// The blocks of words of the code.
    pub(crate) blocks: Vec<Vec<u64>>,
}

impl Frozen {
    /// Makes a list whose clauses are all alive and older than all generations.
    pub(super) fn new(mut list: ClauseList) -> Frozen {
        debug_assert!(
            list.entries.list.iter().all(|entry| entry.died == ALIVE),
            "the dead are gone"
        );
        list.entries.shared = true;
        let mut indexes = std::mem::take(&mut list.indexes);
        let built = indexes.take_single();
        let mut frozen = Frozen {
            list,
            single: Once::new(),
            code: Once::new(),
        };
        for (arg, index) in built {
            // No one else has the list yet.
            frozen.singles()[arg].get_or_make(|| Some(Box::new(index)));
        }
        frozen.list.indexes = indexes;
        frozen
    }

    /// Returns the clauses.
    #[inline(always)]
    pub(crate) fn list(&self) -> &ClauseList {
        &self.list
    }

    pub(super) fn entries(&self) -> &Entries {
        &self.list.entries
    }

    fn singles(&self) -> &[ArgumentIndex; KEYED_ARGS] {
        self.single.get_or_make(Box::default)
    }

    /// Returns the index of an argument, and makes it if it pays.
    pub(super) fn single(&self, arg: usize) -> Option<&ArgIndex> {
        let index = self.singles().get(arg)?.get_or_make(|| {
            let index = single_index(&self.list.entries, arg, self.list.len());
            index.map(Box::new)
        });
        index.as_deref()
    }

    /// Returns the code of the first clause whose head may match a call, and the position of the second with the
    /// number of the selection. It works as [`ClauseList::first`], for clauses that no one has changed.
    pub(crate) fn first(&self, call: &CallKeys) -> Option<(CodeAddr, Option<(i64, i64)>)> {
        let selection = self.select(call);
        let first = self.next(selection, call, i64::MIN)?;
        let second = self.next(selection, call, first + 1);
        let number = Selection::both(Selection::Nothing, selection).number();
        let code = self.list.get(first)?.entry();
        Some((code, second.map(|second| (second, number))))
    }

    /// Works as [`ClauseList::again`], for clauses that no one has changed.
    pub(crate) fn again(
        &self,
        number: i64,
        call: &CallKeys,
        position: i64,
    ) -> (Option<CodeAddr>, Option<i64>) {
        let selection = match Selection::of_number(number) {
            Selection::Both(halves) => Selection::halves(halves).1,
            _ => self.select(call),
        };
        let code = self.list.get(position).map(Clause::entry);
        (code, self.next(selection, call, position + 1))
    }

    /// Returns the position of the first clause of the selection at or after `from` whose head may match.
    fn next(&self, selection: Selection, call: &CallKeys, from: i64) -> Option<i64> {
        if selection == Selection::Nothing {
            return None;
        }
        if let Some((index, key)) = self.index_of(selection, call) {
            return index.next_frozen(key, from, |position| {
                self.list
                    .get(position)
                    .is_some_and(|clause| fits(clause, call))
            });
        }
        let mut at = self.list.entries.place_of(from);
        loop {
            let entry = self.list.entries.list.get(at)?;
            if entry
                .clause
                .as_ref()
                .is_some_and(|clause| fits(clause, call))
            {
                return Some(entry.place.position());
            }
            at += 1;
        }
    }

    /// Returns the index that a selection uses, with the key of the call; `None` if the selection has all clauses.
    pub(super) fn index_of(
        &self,
        selection: Selection,
        call: &CallKeys,
    ) -> Option<(&ArgIndex, Key)> {
        match selection {
            Selection::Keyed(arg) => {
                let arg = arg as usize;
                Some((self.single(arg)?, *call.keys().get(arg)?))
            }
            Selection::Joint(number) => {
                let (index, key) = self.list.indexes.joint(number, call)?;
                Some((index?, key))
            }
            _ => None,
        }
    }

    /// Returns the best selection for a call.
    pub(super) fn select(&self, call: &CallKeys) -> Selection {
        let mut best = Best::all(self.list.len());
        let single = |arg| self.single(arg);
        self.list.indexes.best_of_frozen(&mut best, call, single);
        best.several()
    }

    /// Returns the code that selects among the clauses; `make` makes it if no engine has. The result is `None` if the
    /// code would be too large or was made for other constraints. Then an engine makes its own.
    ///
    /// # Errors
    /// Returns the errors of `make`.
    pub(crate) fn code(
        &self,
        constraints: [bool; 6],
        make: impl FnOnce() -> Result<Option<SelectingCode>, Stop>,
    ) -> Result<Option<CodeAddr>, Stop> {
        let code = match self.code.get() {
            Some(code) => code,
            None => {
                // Two engines may make it at once; then the code of the second is dropped.
                let made = make()?;
                self.code.get_or_make(|| made)
            }
        };
        let code = code.as_ref();
        let fits = code.filter(|code| code.constraints == constraints);
        Ok(fits.map(|code| code.entry))
    }

    /// Returns the blocks of that code, if it is made.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = &Vec<u64>> {
        let code = self.code.get().and_then(Option::as_ref);
        code.into_iter().flat_map(|code| &code.blocks)
    }
}

/// Returns whether the head of a clause may match a call.
pub(super) fn fits(clause: &Clause, call: &CallKeys) -> bool {
    let matches =
        |(arg, &key): (usize, &Key)| key == Key::ANY || may_match(clause.head_key(arg), key);
    call.keys().iter().enumerate().all(matches) && call.can_unify(|arg| clause.head_arg(arg))
}
