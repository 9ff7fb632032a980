//! Lists of solutions that only one goal uses, to compute a number: `findall(X, G, L), length(L, N)`.
#![forbid(unsafe_code)]

use super::alternatives::conditional;
use super::lower::{LowerError, Lowering};
use crate::base::growth::Grow;
use crate::base::stop::Stop;
use crate::ir::clause::{Collected, Collection, Goal, Term, TermId, TypeTest, VarId};
use crate::store::cell::{Cell, WORD, tag};
use crate::store::heap::deref;
use crate::store::raw;

/// Maximum number of parts of a clause that is searched for such lists.
const MOST_PARTS: usize = 1 << 12;

impl Lowering<'_> {
    /// Returns the goal that follows a goal which collects `list`. If the goal computes a number from the list, and no
    /// other goal uses the list, the number is collected instead of the list. A program can define its own predicate
    /// with the name of the goal; the call therefore checks that at run time.
    pub(super) fn folding(
        &mut self,
        collection: &mut Collection,
        list: TermId,
        goal: Goal,
    ) -> Result<Goal, LowerError> {
        let (Goal::Call(predicate, args, number), Collected::List) = (&goal, collection.what)
        else {
            return Ok(goal);
        };
        let Some(folded) = self.resolver.folds(*predicate) else {
            return Ok(goal);
        };
        let (taken, result) = (self.clause.arg(*args, 0), self.clause.arg(*args, 1));
        let (Term::Var(var), Term::Var(of_call)) =
            (self.clause.term(list), self.clause.term(taken))
        else {
            return Ok(goal);
        };
        if var != of_call || !self.occurs_twice(var)? {
            return Ok(goal);
        }
        let Some(unify) = self.resolver.internal("length", 2) else {
            return Ok(goal);
        };
        collection.folded = Some((folded, *predicate));
        let has_number = Goal::Test(TypeTest::Number, taken, 0);
        let args = self.arg_list(&[taken, result])?;
        let known = match folded {
            Collected::Count => Goal::Builtin(unify, args, *number),
            _ => Goal::Unify(taken, result, *number),
        };
        Ok(conditional(has_number, known, goal)?)
    }

    /// Returns whether the variable occurs at exactly two places in the clause.
    fn occurs_twice(&self, var: VarId) -> Result<bool, Stop> {
        let mut todo = vec![self.root];
        let (mut parts, mut places) = (0, 0);
        while let Some(cell) = todo.pop() {
            let cell = deref(cell);
            let (first, count) = match cell.tag() {
                tag::CON if cell == Cell::forward(u64::from(var)) => {
                    places += 1;
                    continue;
                }
                tag::LST => (cell.addr(), 2),
                tag::STR => {
                    let functor = raw::cell(cell.addr()).as_functor();
                    (cell.addr() + WORD, functor.arity())
                }
                _ => continue,
            };
            parts += count;
            if places > 2 || parts > MOST_PARTS {
                return Ok(false);
            }
            for index in 0..count {
                todo.put(raw::cell(first + index as u64 * WORD))?;
            }
        }
        Ok(places == 2)
    }
}
