//! The clauses of a predicate as a program publishes them: nothing in the list changes any more, so engines on any
//! threads read it at the same time. What is made of them when it is first asked for, indexes and the code that selects
//! among them, is made whole before another one sees it.

use super::clause_list::{CallKeys, Clause, ClauseList, KEYED_ARGS, may_match};
use super::entries::Entries;
use super::generation::ALIVE;
use crate::base::once::Once;
use crate::base::stop::Stop;
use crate::ir::key::Key;
use crate::program::indexes::arg_index::ArgIndex;
use crate::program::indexes::hashed::{Best, Selection, single_index};
use crate::store::address::CodeAddr;

/// The index of an argument; nothing if it does not pay.
type ArgumentIndex = Once<Option<Box<ArgIndex>>>;

/// A list of clauses that does not change.
pub(crate) struct Frozen {
    /// All its clauses are alive, and were there before all calls.
    list: ClauseList,
    /// The indexes of arguments, once a call asks for them.
    single: Once<Box<[ArgumentIndex; KEYED_ARGS]>>,
    /// The code that selects among the clauses, once the predicate is called; of a static one. None that is too
    /// large.
    code: Once<Option<SelectingCode>>,
}

/// The code that selects among the clauses of a static predicate, with all its parts made.
pub(crate) struct SelectingCode {
    /// Where calls go.
    pub(crate) entry: CodeAddr,
    /// What the code depends on besides the clauses: which comparisons are constraints.
    pub(crate) constraints: [bool; 6],
    /// The blocks of words that it consists of.
    pub(crate) blocks: Vec<Vec<u64>>,
}

impl Frozen {
    /// A list whose clauses are all alive and were born before all generations.
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
            // Nobody else has the list yet.
            frozen.singles()[arg].get_or_make(|| Some(Box::new(index)));
        }
        frozen.list.indexes = indexes;
        frozen
    }

    /// The clauses.
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

    /// The index of an argument, made if it pays.
    pub(super) fn single(&self, arg: usize) -> Option<&ArgIndex> {
        let index = self.singles().get(arg)?.get_or_make(|| {
            let index = single_index(&self.list.entries, arg, self.list.len());
            index.map(Box::new)
        });
        index.as_deref()
    }

    /// The code of the first clause whose head may match a call, and the position of the second with the number of the
    /// selection: as [`ClauseList::first`], of clauses that nobody has changed.
    pub(crate) fn first(&self, call: &CallKeys) -> Option<(CodeAddr, Option<(i64, i64)>)> {
        let selection = self.select(call);
        let first = self.next(selection, call, i64::MIN)?;
        let second = self.next(selection, call, first + 1);
        let number = Selection::both(Selection::Nothing, selection).number();
        let code = self.list.get(first)?.entry();
        Some((code, second.map(|second| (second, number))))
    }

    /// As [`ClauseList::again`], likewise.
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

    /// Position of the first clause of the selection at or after `from` whose head may match.
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

    /// The index that a selection uses, with the key of the call in it; nothing if it looks at all clauses.
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

    /// The best selection for a call.
    pub(super) fn select(&self, call: &CallKeys) -> Selection {
        let mut best = Best::all(self.list.len());
        let single = |arg| self.single(arg);
        self.list.indexes.best_of_frozen(&mut best, call, single);
        best.several()
    }

    /// The code that selects among the clauses, made by `make` if nobody has made it. There is none if it would be too
    /// large, or if it was made for other constraints: an engine makes its own then.
    ///
    /// # Errors
    /// Those of `make`.
    pub(crate) fn code(
        &self,
        constraints: [bool; 6],
        make: impl FnOnce() -> Result<Option<SelectingCode>, Stop>,
    ) -> Result<Option<CodeAddr>, Stop> {
        let code = match self.code.get() {
            Some(code) => code,
            None => {
                // Two may make it: the second one's is dropped.
                let made = make()?;
                self.code.get_or_make(|| made)
            }
        };
        let code = code.as_ref();
        let fits = code.filter(|code| code.constraints == constraints);
        Ok(fits.map(|code| code.entry))
    }

    /// The blocks of that code, as far as it is made.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = &Vec<u64>> {
        let code = self.code.get().and_then(Option::as_ref);
        code.into_iter().flat_map(|code| &code.blocks)
    }
}

/// May the head of a clause match a call?
pub(super) fn fits(clause: &Clause, call: &CallKeys) -> bool {
    let matches =
        |(arg, &key): (usize, &Key)| key == Key::ANY || may_match(clause.head_key(arg), key);
    call.keys().iter().enumerate().all(matches) && call.may_be(|arg| clause.head_arg(arg))
}
