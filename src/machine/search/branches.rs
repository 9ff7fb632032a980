//! Notes the branches that a search takes: see [`path`](super::path).
#![forbid(unsafe_code)]

use super::bags::Bag;
use super::path::{ALL, Branches, Exchange, FIRST_OPEN, Step, Taken, Work};
use crate::base::growth::{Grow, GrowAt};
use crate::base::number::Number;
use crate::base::stop::Stop;
use crate::code::instruction::{Op, decode};
use crate::machine::frames::layout::cp;
use crate::machine::frames::stubs;
use crate::machine::state::Machine;
use crate::program::predicate::PredId;
use crate::store::address::{ChoiceAddr, CodeAddr, EnvAddr};
use crate::store::cell::WORD;
use crate::store::raw;
use std::sync::Arc;

/// Returns the number of solutions that a search has found so far, if its bag counts them.
fn solutions(bags: &[Bag], place: usize) -> Option<u64> {
    match bags.get(place)? {
        Bag::Count(found, Number::Int(others), _) => Some(found.wrapping_add(*others as u64)),
        Bag::Terms(copies) => Some(copies.len() as u64),
        _ => None,
    }
}

impl Machine {
    /// Begins a search. The newest choice point collects its solutions. The machine searches only the part to which
    /// the path leads.
    ///
    /// # Errors
    /// Returns an error if memory runs out.
    pub(crate) fn begin_branches(
        &mut self,
        path: Vec<Step>,
        exchange: Arc<dyn Exchange<Machine>>,
    ) -> Result<(), Stop> {
        let (path, given) = match exchange.best() {
            Some(_) => (Vec::new(), Some(path)),
            None => (path, None),
        };
        let reached = path.is_empty().then(|| self.inferences());
        self.run.branches = Some(Box::new(Branches {
            base: self.choice,
            bag: self.run.bags.len().saturating_sub(1),
            next: 0,
            taken: Vec::new(),
            open: Vec::new(),
            first_open: 0,
            most_open: FIRST_OPEN,
            notes: 0,
            calls: self.inferences(),
            path,
            done: 0,
            mark: self.inferences(),
            within: 0,
            inner: 0,
            began: self.inferences(),
            reached,
            steps_before: self.store.watch.steps_done(),
            steps: self.store.watch.steps_done(),
            ended: None,
            given,
            went: false,
            exchange,
        }));
        self.store.set_inspects_choices(true);
        Ok(())
    }

    /// Returns whether a search is running whose choice points must be equal in other machines.
    pub(crate) fn is_searched_in_parts(&self) -> bool {
        self.run.branches.is_some()
    }

    /// Ends the part of the search that this machine does, because other machines have the remaining branches. The
    /// older choice points go too. Other machines have their remaining branches as well, unless these were cut when
    /// the part was made.
    pub(in crate::machine) fn end_part(&mut self) {
        if let Some(base) = self.run.branches.as_ref().map(|branches| branches.base) {
            self.set_choice(base);
        }
    }

    /// Returns whether a choice point is part of a search that several machines do.
    pub(in crate::machine) fn is_in_search(&self, choice: ChoiceAddr) -> bool {
        self.all_branches().any(|branches| choice > branches.base)
    }

    /// Notes that the goal of the search has no more solutions.
    pub(crate) fn leave_branches(&mut self) {
        self.store.set_inspects_choices(false);
        let calls = self.inferences();
        if let Some(branches) = &mut self.run.branches {
            branches.ended = Some(calls);
        }
    }

    /// Ends the search. Returns the work that was done for it, or `None` if the machine has not reached the end of the
    /// path.
    pub(crate) fn end_branches(&mut self) -> Option<Work> {
        self.store.set_inspects_choices(false);
        let branches = self.run.branches.take()?;
        let reached = branches.reached?;
        let ended = branches.ended.unwrap_or_else(|| self.inferences());
        Some(Work {
            calls: ended - reached,
            on_the_way: reached - branches.began,
            steps: self.store.watch.steps_done() - branches.steps,
            steps_on_the_way: branches.steps - branches.steps_before,
        })
    }

    /// Does work that is not part of a search and that only some machines may do. Its choice points get no numbers.
    pub(crate) fn unnumbered<T>(&mut self, work: impl FnOnce(&mut Machine) -> T) -> T {
        let notes = self.store.inspects_choices();
        if notes {
            self.store.set_inspects_choices(false);
        }
        let result = work(self);
        if notes && self.run.branches.is_some() {
            self.store.set_inspects_choices(true);
        }
        result
    }

    /// Drops the newest choice point after its goal has succeeded. The branches that the goal has taken still matter.
    pub(in crate::machine) fn leave_choice(&mut self) {
        let left = self.choice;
        self.pop_choice();
        if self.store.inspects_choices()
            && let Some(branches) = &mut self.run.branches
        {
            branches.drop_newer(left);
            let within = branches.taken.iter_mut().rev();
            for taken in within.take_while(|taken| taken.before == left) {
                taken.before = self.choice;
            }
        }
    }

    /// Returns the instruction at which the goal of a choice point continues.
    pub(in crate::machine) fn alternative(&self, b: ChoiceAddr) -> CodeAddr {
        let alternative = b.get(cp::ALT);
        if alternative != stubs::next_branch() {
            return alternative;
        }
        let branches = self.all_branches();
        let mut taken = branches.flat_map(|branches| branches.taken.iter().rev());
        let found = taken.find(|taken| taken.choice == b);
        found.map_or(alternative, |taken| taken.alternative)
    }

    /// Forgets choice points that are gone, because the machine will push a choice point that may have the address of
    /// one of them.
    #[cold]
    #[inline(never)]
    pub(in crate::machine) fn forget_gone(&mut self) {
        if let Some(branches) = &mut self.run.branches {
            branches.drop_newer(self.choice);
        }
    }

    /// Notes the newest choice point, which was just pushed. Returns true if the path needs another branch than the
    /// first: the machine then backtracks to the choice point.
    #[cold]
    #[inline(never)]
    pub(in crate::machine) fn note_choice(&mut self) -> bool {
        let (b, calls) = (self.choice, self.inferences());
        let alternative = b.get(cp::ALT);
        if !self.is_branching(alternative) {
            return false;
        }
        let stays = self.is_of_body(alternative);
        let Some(branches) = &mut self.run.branches else {
            return false;
        };
        let (number, meta) = (branches.next, b.get(cp::META));
        branches.next += 1;
        let own = calls.wrapping_sub(branches.within);
        let given = branches.step_of(number, meta, own);
        let step = given.unwrap_or(Step {
            number,
            meta,
            branch: 0,
            end: ALL,
        });
        let taken = Taken {
            step: Step { branch: 0, ..step },
            number,
            made: own,
            since: own,
            choice: b,
            before: b.get(cp::PREV),
            alternative,
            target: step.branch,
            stays,
            solutions: solutions(&self.run.bags, branches.bag),
            led: false,
            decision: None,
        };
        let place = branches.taken.len();
        let open = branches.open.len();
        let kept = branches.open.put(place);
        if kept.and_then(|()| branches.taken.put(taken)).is_err() {
            branches.open.truncate(open);
            // This choice point is not noted. A path that leads through it leads nowhere.
            self.store.set_inspects_choices(false);
            return false;
        }
        b.set(cp::ALT, stubs::next_branch());
        if given.is_some() && step.branch == 0 {
            branches.mark = own;
        }
        if given.is_some() && branches.is_at_part() && step.branch == 0 {
            branches.reached = Some(calls);
            branches.steps = self.store.watch.steps_done();
            self.store.watch.look_at_next_call();
        }
        if given.is_some() && !branches.is_at_part() {
            branches.first_open = branches.open.len();
        }
        let due = branches.count(calls);
        if branches.is_enough() {
            self.store.set_inspects_choices(false);
        }
        if due {
            self.store.watch.look_at_next_call();
        }
        step.branch > 0
    }

    /// Returns whether the alternatives that begin with this instruction are branches with solutions of their own.
    pub(super) fn is_branching(&self, alternative: CodeAddr) -> bool {
        let op = decode(raw::word(alternative));
        matches!(
            op,
            Some(
                Op::RetryElse
                    | Op::TrustElse
                    | Op::Retry
                    | Op::Trust
                    | Op::NondetRetry
                    | Op::BetweenRetry
                    | Op::DynamicRetry
                    | Op::AssumedRetry
            )
        )
    }

    /// Returns whether this alternative selects a clause for a disjunction in a body that runs as a term. The second
    /// branch of such a disjunction may cut older choice points.
    fn is_of_body(&self, alternative: CodeAddr) -> bool {
        let disjunction = self.world.foundation.system.disjunction;
        let mut blocks = self.world.predicates.get(disjunction).selecting_code();
        blocks.any(|block| {
            let start = CodeAddr::of(block);
            (start..start + block.len() as u64 * WORD).contains(&alternative)
        })
    }

    /// Prepares the newest choice point, which is noted, for its next branch. The machine then runs the instruction
    /// of that branch. Returns `None` if other machines have the remaining branches.
    pub(in crate::machine) fn begin_branch(&mut self) -> Option<usize> {
        let (b, calls) = (self.choice, self.inferences());
        let branches = self.run.branches.as_mut()?;
        branches.drop_newer(b);
        let place = branches.open.pop()?;
        debug_assert!(branches.taken[place].choice == b, "it is noted");
        branches.taken.truncate(place + 1);
        branches.first_open = branches.first_open.min(branches.open.len());
        branches.next = branches.taken[place].number + 1;
        self.store.set_inspects_choices(true);
        let due = branches.count(calls);
        if due {
            self.store.watch.look_at_next_call();
        }
        let own = calls.wrapping_sub(branches.within);
        let taken = &mut branches.taken[place];
        b.set(cp::ALT, taken.alternative);
        if taken.step.branch + 1 >= taken.step.end {
            branches.taken.truncate(place);
            return None;
        }
        taken.step.branch += 1;
        taken.since = own;
        if taken.step.branch == taken.target {
            branches.mark = own;
        }
        let found = solutions(&self.run.bags, branches.bag);
        taken.led |= found.is_none() || found != taken.solutions;
        let there = taken.step.branch == taken.target && branches.done == branches.path.len();
        if there && branches.reached.is_none() {
            branches.reached = Some(calls);
            branches.steps = self.store.watch.steps_done();
            self.store.watch.look_at_next_call();
        }
        taken.choice = ChoiceAddr::NONE;
        Some(place)
    }

    /// Returns whether the path needs a later branch of this place than the present one.
    pub(in crate::machine) fn is_on_the_way(&self, place: usize) -> bool {
        let branches = self.run.branches.as_ref();
        let taken = branches.and_then(|branches| branches.taken.get(place));
        taken.is_some_and(|taken| taken.step.branch < taken.target)
    }

    /// Notes where the choice point `b` continues, if it still exists after its instruction. Returns true if the
    /// machine must continue with another branch at once.
    pub(in crate::machine) fn end_branch(&mut self, b: ChoiceAddr, place: usize) -> bool {
        let mut at = self.choice;
        while at > b {
            at = at.get(cp::PREV);
        }
        let alternative = b.get(cp::ALT);
        let stays = at == b && alternative != stubs::next_branch();
        let Some(branches) = self.run.branches.as_mut() else {
            return false;
        };
        let Some(taken) = branches.taken.get_mut(place) else {
            return false;
        };
        let goes_on = taken.step.branch < taken.target;
        if stays {
            taken.choice = b;
            taken.alternative = alternative;
            b.set(cp::ALT, stubs::next_branch());
            let newer = branches.open.partition_point(|&other| other < place);
            // There is room, because the place was in the list before.
            let kept = branches.open.put_at(newer, place);
            debug_assert!(kept.is_ok(), "there is room");
        }
        if branches.is_enough() && !goes_on {
            self.store.set_inspects_choices(false);
        }
        if goes_on && stays {
            self.set_choice(b);
        }
        // Without the choice point, the path leads nowhere. `end_branches` reports that.
        goes_on && stays
    }

    /// Checks whether another machine wants a part of the search. The machine is at a call of a predicate, or where a
    /// builtin continues.
    #[cold]
    #[inline(never)]
    pub(in crate::machine) fn look_at_exchange(
        &mut self,
        e: EnvAddr,
        called: Option<PredId>,
    ) -> Result<(), Stop> {
        let system = &self.world.foundation.system;
        let of_bodies = [
            system.body,
            system.conjunction,
            system.disjunction,
            system.if_then,
            system.if_then_else,
            system.soft_if_then,
            system.soft_if_then_else,
        ];
        let Some(branches) = &self.run.branches else {
            return Ok(());
        };
        if called.is_some_and(|called| of_bodies.contains(&called)) {
            // The arguments of these predicates determine which choice points they may cut.
            self.store.watch.look_at_next_call();
            return Ok(());
        }
        if !branches.is_at_part() {
            return Ok(());
        }
        let exchange = Arc::clone(&branches.exchange);
        exchange.look(self, e)
    }
}
