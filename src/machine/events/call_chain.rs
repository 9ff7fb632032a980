//! The chain of goals that led to the present one, with their arguments, including goals whose clauses a last call
//! has left. It exists while the flag `debug` is on.
//!
//! Then instructions run one at a time, and each is examined. Each call notes its goal as a term on the heap. The
//! term has the continuation of the goal and a link to the goal noted before. The innermost goal is in a trailed word
//! of the contexts, so backtracking removes the goals that it leaves. A goal that reaches its continuation has
//! succeeded and is removed. Calls between predicates of the system are not noted.
//!
//! Goals with the same continuation form a run: each is the last call of the one before. Only the newest goals of a
//! run are kept. A predicate that calls itself repeatedly from the same place is noted once, with the number of
//! calls. So a loop takes constant space.
#![forbid(unsafe_code)]

use super::trace::{Called, Caller, Chain};
use super::watching::Next;
use crate::base::atom_table::{atoms, functors};
use crate::base::growth::{Bounded, Gather};
use crate::base::stop::Stop;
use crate::code::instruction::Op;
use crate::machine::contexts::slots::word;
use crate::machine::control::called_goal::plain_goal_term;
use crate::machine::dispatch::regs::Regs;
use crate::machine::frames::frame::{cell_code, cell_env, code_cell, env_cell};
use crate::machine::frames::stubs;
use crate::machine::state::Machine;
use crate::program::predicate::PredId;
use crate::store::address::{CodeAddr, EnvAddr};
use crate::store::cell::{Cell, WORD};
use crate::store::heap::View;
use crate::store::raw;

/// Number of goals that remain when a run has reached twice this length.
const RUN: i64 = 32;
/// Maximum number of different steps of a chain that are reported.
const MOST_STEPS: usize = 64;
/// Maximum number of frames searched before anything is unwound.
const MOST_LOOKED: usize = 10_000;

/// The arguments of the term for a noted goal.
mod part {
    /// The goal as a term.
    pub(super) const GOAL: usize = 0;
    /// The predicate of the goal.
    pub(super) const PREDICATE: usize = 1;
    /// The address of the instruction that called it, 0 if there is none.
    pub(super) const SITE: usize = 2;
    /// The continuation of the goal.
    pub(super) const CONT: usize = 3;
    /// The environment there.
    pub(super) const ENV: usize = 4;
    /// The goal noted before it.
    pub(super) const PARENT: usize = 5;
    /// Number of calls in a row that the term counts for; its goal is the last of them.
    pub(super) const TIMES: usize = 6;
    /// The place in its run, from 1.
    pub(super) const PLACE: usize = 7;
    pub(super) const COUNT: usize = 8;
}

/// A goal that was noted.
#[derive(Copy, Clone)]
struct Noted {
    goal: Cell,
    predicate: PredId,
    site: CodeAddr,
    at: (CodeAddr, EnvAddr),
    parent: Cell,
    times: i64,
    place: i64,
}

impl Chain {
    fn add(&mut self, m: &Machine, address: CodeAddr, noted: Option<&Noted>) {
        let times = noted.map_or(1, |noted| u32::try_from(noted.times).unwrap_or(u32::MAX));
        let predicate = noted.map(|noted| noted.predicate);
        if let (Some(last), Some(goal)) = (self.callers.last_mut(), self.goals.last())
            && last.address == address
            && goal.as_ref().map(|goal| goal.predicate) == predicate
        {
            last.times = last.times.saturating_add(times);
            return;
        }
        self.callers.put_bounded(Caller { address, times });
        self.goals.put_bounded(noted.map(|noted| Called {
            predicate: noted.predicate,
            args: m.texts_of_args(noted.goal),
        }));
    }
}

impl Machine {
    /// Returns whether goals are noted.
    #[inline]
    pub(in crate::machine) fn notes_calls(&self) -> bool {
        self.world.flags.debug && self.run.observers.tracer.suspended == 0
    }

    /// Sets the flag `debug`. Goals that already run stay unknown.
    pub(crate) fn set_debug(&mut self, debug: bool) {
        self.world.flags.debug = debug;
        self.run.observers.expected_call = None;
        self.forget_calls();
        if debug {
            self.recheck_mode();
        }
    }

    /// Sets the flag `iso`. The order of numbers and the operators of the system depend on it.
    pub(crate) fn set_iso(&mut self, iso: bool) -> Result<(), Stop> {
        self.world.modules.take_face(iso)?;
        self.world.flags.iso = iso;
        self.store.floats_first = iso;
        Ok(())
    }

    /// Forgets all active goals until backtracking undoes this.
    pub(in crate::machine) fn forget_calls(&mut self) {
        self.set_context(word::CALLED, Cell::atom(atoms::NIL));
    }

    fn noted(&self, cell: Cell) -> Option<Noted> {
        let (functors::CALLED_GOAL, args) = self.store.compound(cell)? else {
            return None;
        };
        let int = |index| match self.store.view(self.store.arg(args, index)) {
            View::Int(value) => value,
            _ => 0,
        };
        Some(Noted {
            goal: self.store.arg(args, part::GOAL),
            predicate: PredId(int(part::PREDICATE) as u32),
            site: cell_code(Cell::int(int(part::SITE))),
            at: (
                cell_code(Cell::int(int(part::CONT))),
                cell_env(Cell::int(int(part::ENV))),
            ),
            parent: self.store.arg(args, part::PARENT),
            times: int(part::TIMES),
            place: int(part::PLACE),
        })
    }

    fn innermost_noted(&self) -> Option<Noted> {
        self.noted(raw::cell(self.run.contexts.word(word::CALLED)))
    }

    fn new_noted(&mut self, noted: &Noted) -> Cell {
        let parts: [Cell; part::COUNT] = [
            noted.goal,
            Cell::int(i64::from(noted.predicate.0)),
            code_cell(noted.site),
            code_cell(noted.at.0),
            env_cell(noted.at.1),
            noted.parent,
            Cell::int(noted.times),
            Cell::int(noted.place),
        ];
        self.store.new_struct(functors::CALLED_GOAL, &parts)
    }

    /// Removes the goals that have succeeded: P is at their continuation.
    fn leave_calls(&mut self, r: &Regs) {
        let newest = raw::cell(self.run.contexts.word(word::CALLED));
        let here = code_cell(r.p());
        match self.store.compound(newest) {
            Some((_, args)) if self.store.arg(args, part::CONT) == here => {}
            _ => return,
        }
        let mut left = None;
        let mut next = self.innermost_noted();
        while let Some(noted) = next.filter(|noted| noted.at == (r.p(), r.e)) {
            left = Some(noted.parent);
            next = self.noted(noted.parent);
        }
        if let Some(parent) = left {
            self.set_context(word::CALLED, parent);
        }
    }

    /// Notes the goal whose predicate is about to be entered. Its arguments are in the registers.
    fn note_call(&mut self, r: &Regs, predicate: PredId, site: CodeAddr) -> Result<(), Stop> {
        let at = (self.cont, r.e);
        let newest = raw::cell(self.run.contexts.word(word::CALLED));
        let caller = self.noted(newest);
        let of_system = |m: &Machine, id| m.is_systems(m.definition(id));
        if of_system(self, predicate)
            && caller.is_none_or(|caller| of_system(self, caller.predicate))
        {
            return Ok(());
        }
        let goal = plain_goal_term(self, predicate)?;
        self.store.reserve((RUN as usize + 2) * (part::COUNT + 1))?;
        let mut noted = Noted {
            goal,
            predicate,
            site,
            at,
            parent: newest,
            times: 1,
            place: 1,
        };
        if let Some(caller) = caller.filter(|caller| caller.at == at) {
            noted.place = caller.place + 1;
            let again = |it: &Noted| (it.predicate, it.site, it.at) == (predicate, site, at);
            if let Some(before) = self.noted(caller.parent)
                && again(&caller)
                && again(&before)
            {
                noted.place = caller.place;
                noted.parent = self.new_noted(&Noted {
                    goal: caller.goal,
                    times: before.times + 1,
                    ..before
                });
            }
        }
        if noted.place > 2 * RUN {
            self.shorten(&mut noted);
        }
        let noted = self.new_noted(&noted);
        self.set_context(word::CALLED, noted);
        Ok(())
    }

    /// Drops the older goals of a run. The oldest goal that is kept counts for them.
    fn shorten(&mut self, newest: &mut Noted) {
        let mut kept = Vec::new();
        let (mut next, mut dropped) = (newest.parent, 0);
        while let Some(noted) = self.noted(next).filter(|noted| noted.at == newest.at) {
            if (kept.len() as i64) < RUN - 1 {
                kept.put_bounded(noted);
            } else {
                dropped += noted.times;
            }
            next = noted.parent;
        }
        if let Some(oldest) = kept.last_mut() {
            oldest.times += dropped;
        }
        for (place, noted) in (1..).zip(kept.iter().rev()) {
            let parent = next;
            next = self.new_noted(&Noted {
                parent,
                place,
                ..*noted
            });
        }
        newest.parent = next;
        newest.place = RUN;
    }

    /// Returns the callers of the goal that runs at instruction `raised`, with their goals as far as these were
    /// noted. Returns `None` if no goal is known.
    pub(in crate::machine) fn chain(&mut self, raised: CodeAddr, r: &Regs) -> Option<Chain> {
        if !self.notes_calls() {
            return None;
        }
        let mut next = self.innermost_noted();
        next?;
        let mut chain = Chain::default();
        let mut at = (self.cont, r.e);
        let after = |site| match site == CodeAddr::NONE {
            true => site,
            false => site + WORD,
        };
        let mut waits = after(raised);
        // The continuation may be an old one of the present clause, which has an environment.
        let mut unsure = true;
        for _ in 0..MOST_LOOKED {
            if chain.callers.len() >= MOST_STEPS {
                break;
            }
            if unsure
                && let Some(outer) = self.after(at)
                && next.is_some_and(|noted| noted.at == outer && self.may_be_in(noted, waits))
            {
                at = outer;
            }
            unsure = false;
            while next.is_some_and(|noted| noted.at != at && noted.at.1 >= at.1) {
                next = next.and_then(|noted| self.noted(noted.parent));
            }
            let mut found = false;
            while let Some(noted) = next.filter(|noted| noted.at == at) {
                if waits != CodeAddr::NONE {
                    chain.add(self, waits, Some(&noted));
                }
                waits = after(noted.site);
                found = true;
                next = self.noted(noted.parent);
            }
            if waits != CodeAddr::NONE && (!found || waits + WORD != at.0) {
                // A clause of a goal that was not noted.
                chain.add(self, waits, None);
            }
            let Some(outer) = self.after(at).filter(|_| at.0 != stubs::stop_success()) else {
                return Some(chain);
            };
            waits = at.0;
            if stubs::resumes(at.0) {
                // The interrupted clause.
                waits = raw::code_at(at.1.slot(0));
                unsure = true;
            }
            at = outer;
            if next.is_none() {
                break;
            }
        }
        if waits != CodeAddr::NONE {
            chain.add(self, waits, None);
        }
        chain.rest = Some(at);
        Some(chain)
    }

    /// Returns whether the clause that waits at `waits` can belong to this goal. For clauses of the system this
    /// is unknown, so it returns true.
    fn may_be_in(&mut self, noted: Noted, waits: CodeAddr) -> bool {
        let clause = self.user_clause(waits.wrapping_sub(WORD));
        let predicate = clause.and_then(|clause| clause.predicate);
        predicate.is_none_or(|id| id == self.definition(noted.predicate))
    }

    /// Returns the arguments of a goal as texts.
    fn texts_of_args(&self, goal: Cell) -> Box<[String]> {
        let Some((functor, args)) = self.store.compound(goal) else {
            return Box::default();
        };
        let args = (0..functor.arity()).map(|index| self.store.arg(args, index));
        match args.gather() {
            Ok(args) => self.world.upper.abbreviated(self, &args),
            Err(Stop) => Box::default(),
        }
    }
}

/// Examines an instruction before it runs. Returns the registers if the heap has grown.
pub(in crate::machine) fn look(m: &mut Machine, mut r: Regs, next: Next) -> Option<Regs> {
    m.leave_calls(&r);
    if let Some((id, site)) = m.run.observers.expected_call
        && r.p() == m.world.predicates.entry(id)
    {
        m.run.observers.expected_call = None;
        m.store.heap_top = r.h;
        // Without room the goal stays unknown.
        let _ = m.note_call(&r, id, site);
        r.h = m.store.heap_top;
        return Some(r);
    }
    let calls = matches!(
        next.op,
        Op::MetaCall | Op::BodyCall | Op::CatchBegin | Op::CleanupBegin
    );
    if calls || next.called.is_some() || next.op == Op::Raise {
        m.run.observers.expected_call = next.called.map(|id| (id, r.p()));
    }
    None
}
