//! The depth of a traced goal, and the clauses that wait for it. The tracer may have leapt over the calls between the
//! goal and the traced goal that called it. The environments give these.
#![forbid(unsafe_code)]

use super::recorder::Event;
use super::trace::Caller;
use super::tracer::{GoalPlace, InClause, frame};
use crate::base::growth::GrowMap;
use crate::code::instruction::{Op, decode};
use crate::machine::dispatch::regs::Regs;
use crate::machine::frames::goal_stack::{MOST_FRAMES, add};
use crate::machine::frames::layout::{cp, env};
use crate::machine::frames::stubs;
use crate::machine::state::Machine;
use crate::program::predicate::PredId;
use crate::store::address::{ChoiceAddr, CodeAddr, EnvAddr};
use crate::store::cell::{Cell, WORD};
use crate::store::raw;

impl Machine {
    /// Returns the place where the present goal continues, which is being called.
    pub(crate) fn present_place(&self) -> GoalPlace {
        self.stand(self.env)
    }

    /// Returns the place where a goal with this environment continues.
    pub(in crate::machine) fn stand(&self, env: EnvAddr) -> GoalPlace {
        GoalPlace {
            within: CodeAddr::NONE,
            next: self.cont,
            env,
        }
    }

    /// Returns the place where the goal continues that an instruction is about to call.
    pub(in crate::machine) fn place_of_call(&self, r: &Regs, op: Op) -> GoalPlace {
        let mut stand = self.stand(r.e);
        match op {
            Op::Call => stand.next = r.p() + 2 * WORD,
            Op::DeallocateExecute => {
                stand.next = r.e.get(env::CP);
                stand.env = r.e.get(env::CE);
            }
            _ => {}
        }
        stand
    }

    /// Returns the place where the goal of an instruction that runs in place continues. For a clause without an
    /// environment the continuation is `cont`.
    pub(in crate::machine) fn place_of_builtin(&mut self, r: &Regs, cont: CodeAddr) -> GoalPlace {
        let mut stand = GoalPlace {
            within: r.p(),
            next: cont,
            env: r.e,
        };
        if self.user_clause(r.p()).is_some_and(|it| it.environment) {
            stand.next = r.e.get(env::CP);
            stand.env = r.e.get(env::CE);
        }
        stand
    }

    /// Returns the place where the goal of the last noted instruction continues, given its continuation.
    fn stand_of_last(&mut self, r: &Regs, cont: CodeAddr) -> GoalPlace {
        match decode(raw::word(r.p())) {
            // A scope ends; its frame is the environment.
            Some(Op::ScopeReturn | Op::ScopeBangReturn) => GoalPlace {
                within: CodeAddr::NONE,
                next: r.p(),
                env: r.e,
            },
            _ => self.place_of_builtin(r, cont),
        }
    }

    /// Returns the place where the goal of this tracer frame continues.
    pub(in crate::machine) fn stand_of_frame(&self, e: EnvAddr) -> GoalPlace {
        GoalPlace {
            within: CodeAddr::NONE,
            next: e.get(env::CP),
            env: e.get(env::CE),
        }
    }

    /// Returns the place where the goal of a choice point continues.
    pub(in crate::machine) fn stand_of_choice(&self, b: ChoiceAddr) -> GoalPlace {
        GoalPlace {
            within: CodeAddr::NONE,
            next: b.get(cp::CONT),
            env: b.get(cp::ENV),
        }
    }

    /// Returns information about the user's clause that contains an instruction.
    pub(in crate::machine) fn user_clause(&mut self, at: CodeAddr) -> Option<InClause> {
        // Another clause may now be at this address.
        if std::mem::replace(
            &mut self.run.observers.tracer.generation,
            self.world.predicates.generation,
        ) != self.world.predicates.generation
        {
            self.run.observers.tracer.code.clear();
        }
        if let Some(&known) = self.run.observers.tracer.code.get(&at) {
            return known;
        }
        let found = self.world.upper.user_clause(self, at);
        // Without room it is looked up again.
        let _ = self.run.observers.tracer.code.put_entry(at, found);
        found
    }

    /// Returns the continuations of a goal up to the traced goal that it belongs to, innermost first, and that traced
    /// goal. The continuation in the traced goal's own clause is left out.
    pub(crate) fn callers_to_traced(
        &mut self,
        stand: GoalPlace,
    ) -> (Vec<Caller>, Option<(Cell, GoalPlace)>) {
        let mut callers = Vec::new();
        let (traced, waiting) = self.until_traced(stand, i64::MAX, |next| {
            // Continuations without room are not shown.
            let _ = add(&mut callers, next);
        });
        if waiting.own
            && let Some(last) = callers.iter_mut().rfind(|it| it.address == waiting.last)
        {
            last.times -= 1;
        }
        (callers, traced)
    }

    /// Returns the depth of the goal that continues at this place. It stops counting after `most` clauses.
    pub(crate) fn depth_at(&mut self, stand: GoalPlace, most: i64) -> i64 {
        let (traced, waiting) = self.until_traced(stand, most, |_| {});
        let depth = traced.map_or(0, |(goal, _)| self.frame_int(goal, frame::DEPTH));
        depth + 1 + waiting.count - i64::from(waiting.own)
    }

    /// Returns the depth of the goal of an event of the contexts: the goal that uses an assumption,
    /// or the one whose clause assumes.
    pub(in crate::machine) fn depth_of_context(&mut self, event: Event) -> i64 {
        let depth = match event {
            Event::Used | Event::Missed => {
                let stand = self.present_place();
                let traced =
                    stand.next == stubs::watched_return() && self.traced_in(stand.env).is_some();
                self.depth_at(stand, i64::MAX) - i64::from(traced)
            }
            _ => {
                let last = self
                    .run
                    .observers
                    .recorder
                    .as_ref()
                    .map(|recorder| recorder.last);
                let stand = match last {
                    Some((r, cont, _)) if r.p() != CodeAddr::NONE => self.stand_of_last(&r, cont),
                    _ => self.present_place(),
                };
                self.depth_at(stand, i64::MAX) - 1
            }
        };
        depth.max(1)
    }

    /// Visits the continuations of a goal up to the traced goal that it belongs to. Returns that traced goal, and the
    /// clauses that wait. It stops counting after `most` clauses.
    fn until_traced(
        &mut self,
        stand: GoalPlace,
        most: i64,
        mut look: impl FnMut(CodeAddr),
    ) -> (Option<(Cell, GoalPlace)>, Waiting) {
        let mut waiting = Waiting::default();
        let mut traced = None;
        if stand.within != CodeAddr::NONE {
            look(stand.within + WORD);
            self.count_waiting(&mut waiting, stand.within + WORD);
        }
        let mut at = (stand.next, stand.env);
        for _ in 0..MOST_FRAMES {
            if at.0 == stubs::stop_success() || waiting.count > most {
                break;
            }
            let Some(outer) = self.after(at) else {
                break;
            };
            if at.0 == stubs::watched_return()
                && let Some(goal) = self.traced_in(at.1)
            {
                let stand = self.stand_of_frame(at.1);
                let own = PredId(self.frame_int(goal, frame::PREDICATE) as u32);
                let own = self.definition(own);
                waiting.own = waiting
                    .outermost
                    .is_some_and(|it| it.is_none_or(|it| it == own));
                traced = Some((goal, stand));
                break;
            }
            look(at.0);
            self.count_waiting(&mut waiting, at.0);
            if stubs::resumes(at.0) {
                let address = raw::code_at(at.1.slot(0));
                look(address);
                self.count_waiting(&mut waiting, address);
            }
            at = outer;
        }
        (traced, waiting)
    }

    /// Returns the active goal of a tracer frame. Returns `None` if the environment is no such frame: the
    /// continuation of a clause of the system is unknown after one of its goals has returned.
    fn traced_in(&self, e: EnvAddr) -> Option<Cell> {
        if !self.is_environment(e.wrapping_add(WORD)) {
            return None;
        }
        let found = raw::cell(e.slot(1));
        std::iter::successors(self.traced_goal(), |&goal| self.traced_parent(goal))
            .find(|&goal| goal == found)
    }

    /// Counts the clause that contains a continuation.
    fn count_waiting(&mut self, waiting: &mut Waiting, address: CodeAddr) {
        if let Some(clause) = self.user_clause(address.wrapping_sub(WORD))
            && clause.in_file
        {
            waiting.count += 1;
            waiting.outermost = Some(clause.predicate);
            waiting.last = address;
        }
    }
}

/// The user's clauses that wait.
#[derive(Default)]
struct Waiting {
    /// Number of these clauses.
    count: i64,
    /// The predicate of the outermost clause, if it is known.
    outermost: Option<Option<PredId>>,
    /// The continuation in the outermost clause.
    last: CodeAddr,
    /// Whether the outermost clause is that of the traced goal itself.
    own: bool,
}
