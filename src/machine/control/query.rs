//! Queries: running a goal from outside, solution by solution.
#![forbid(unsafe_code)]

use super::paused::Paused;
use super::throw::{Ball, Throw};
use crate::base::atom_table::{Atom, atoms, functors};
use crate::base::growth::Grow;
use crate::base::stop::Stop;
use crate::code::instruction::{Op, encode};
use crate::machine::dispatch::forms::run;
use crate::machine::frames::layout::{ChoiceKind, NO_FRAME, cp, env};
use crate::machine::frames::shield::Shield;
use crate::machine::frames::stubs;
use crate::machine::ops::guard::depths;
use crate::machine::run::Outcome;
use crate::machine::state::Machine;
use crate::store::address::{ChoiceAddr, CodeAddr, EnvAddr, HeapAddr};
use crate::store::cell::{Cell, WORD};
use crate::store::heap::View;
use crate::store::raw;

/// The register at the bottom of a query that holds the list of its held cells.
const HELD: usize = 1;
/// The register with the depths of the collections and exceptions of the surrounding queries.
pub(in crate::machine) const DEPTHS: usize = 2;

/// An open query. Queries nest: the newest is closed first.
#[derive(Debug)]
pub(crate) struct Query {
    /// The choice point at its bottom.
    bottom: ChoiceAddr,
    saved_env: EnvAddr,
    saved_cont: CodeAddr,
    saved_cut: ChoiceAddr,
    saved_cleanup: ChoiceAddr,
    /// The entry instruction of the goal.
    entry: Box<[u64; 1]>,
    started: bool,
    /// The state of the query, if it is paused.
    pub(crate) paused: Option<Paused>,
}

impl Machine {
    /// Opens a query for a goal on the heap in a module. [`Machine::next_solution`] finds its first solution.
    pub(crate) fn open_query(&mut self, goal: Cell, module: Atom) -> Result<Query, Throw> {
        self.open_query_over(goal, module, &[])
    }

    /// Opens a query as [`Machine::open_query`] does, and holds cells that the host reads after a solution.
    /// Collections move terms, so the host must fetch the cells again each time.
    pub(crate) fn open_query_over(
        &mut self,
        goal: Cell,
        module: Atom,
        held: &[Cell],
    ) -> Result<Query, Throw> {
        let held = self.store.list_of(held)?;
        let goal = self
            .store
            .new_struct(functors::COLON, &[Cell::atom(module), goal]);
        let mut query = Query {
            bottom: ChoiceAddr::NONE,
            saved_env: self.env,
            saved_cont: self.cont,
            saved_cut: self.cut_choice,
            saved_cleanup: self.cleanup_choice,
            entry: Box::new([encode(Op::MetaCall, 1, 0, 0)]),
            started: false,
            paused: None,
        };
        let stop = stubs::stop_failure();
        let (h, e) = (self.store.heap_top, self.env);
        let regs = crate::machine::dispatch::regs::Regs::new(CodeAddr::NONE, h, HeapAddr::NONE, e);
        self.x[0] = goal;
        self.x[HELD] = held;
        self.x[DEPTHS] = depths(self);
        if !self.push_choice(&regs, DEPTHS + 1, NO_FRAME, stop, ChoiceKind::Query) {
            return Err(Throw::new(Ball::OutOfMemory));
        }
        query.bottom = self.choice;
        self.cut_choice = self.choice;
        self.cleanup_choice = ChoiceAddr::NONE;
        let e = self.env_floor;
        e.set(env::CE, self.env);
        e.set(env::CP, self.cont);
        self.env = e;
        self.cont = stubs::stop_success();
        self.reset_heap_limit();
        if !self.run.contexts.declared.is_empty() && self.run.contexts.is_new() {
            let upper = self.world.upper;
            if let Err(throw) = upper.assume_declared(self) {
                self.close_query(query, false)?;
                return Err(throw);
            }
        }
        Ok(query)
    }

    /// Finds the next solution. Returns true if there is one, with its bindings in place, and false otherwise.
    ///
    /// # Errors
    /// Returns the exception that reached the query, which then has no more solutions.
    pub(crate) fn next_solution(&mut self, query: &mut Query) -> Result<bool, Throw> {
        let _at_work = self.world.host.directory.enter();
        let p = if let Some(paused) = query.paused.take() {
            self.resume_paused(paused)?
        } else if query.started {
            self.choice.get(cp::ALT)
        } else {
            query.started = true;
            CodeAddr::of(&*query.entry)
        };
        match run(self, p) {
            Outcome::Success => {
                query.paused = self.take_paused()?;
                match query.paused {
                    None => Ok(true),
                    Some(_) => Err(Throw::new(Ball::Aborted)),
                }
            }
            Outcome::Failure => Ok(false),
            Outcome::Exception(throw) => Err(throw),
        }
    }

    /// Returns the present values of the cells that the query holds.
    pub(crate) fn held_cells(&self, query: &Query) -> Result<Vec<Cell>, Stop> {
        let mut cells = Vec::new();
        let mut rest = self.choice_arg(query.bottom, HELD);
        while let View::List(pair) = self.store.view(rest) {
            cells.put(raw::cell(pair))?;
            rest = raw::cell(pair + WORD);
        }
        Ok(cells)
    }

    /// Returns the goal of the query, with its module.
    pub(crate) fn query_goal(&self, query: &Query) -> Cell {
        self.choice_arg(query.bottom, 0)
    }

    /// Undoes the bindings of a query that has no more solutions.
    pub(crate) fn undo_query(&mut self, query: &Query) {
        self.store.undo_to(query.bottom.get(cp::TRAIL));
    }

    /// Returns whether there may be more solutions after a solution.
    pub(crate) fn has_alternatives(&self, query: &Query) -> bool {
        self.choice != query.bottom
    }

    /// Closes the newest query. With `keep`, the bindings of its last solution stay. Otherwise the state before the
    /// query is restored.
    ///
    /// # Errors
    /// Returns the exception that stopped the cleanup goals of the query. The query is closed even then.
    pub(crate) fn close_query(&mut self, query: Query, keep: bool) -> Result<(), Throw> {
        self.run.raising.pending = None;
        self.end_recording_above(query.bottom);
        let stopped = match self.take_cleanups(query.bottom) {
            Ok(goals) if goals.is_empty() => Ok(None),
            Ok(goals) => self.run_pending_cleanups(&query, goals),
            Err(Stop) => Err(Stop),
        };
        self.set_choice(query.bottom);
        self.keep_depths(self.choice_arg(query.bottom, DEPTHS));
        let trail = query.bottom.get(cp::TRAIL);
        let heap = query.bottom.get(cp::HEAP);
        self.store.note_tops();
        if !keep {
            self.store.undo_to(trail);
            self.store.heap_top = heap;
        }
        self.pop_choice();
        self.env = query.saved_env;
        self.cont = query.saved_cont;
        self.cut_choice = query.saved_cut;
        self.cleanup_choice = query.saved_cleanup;
        if !keep && self.env == self.store.env.base {
            self.trim_memory(self.env);
        }
        stopped?.map_or(Ok(()), Err)
    }

    /// Runs the cleanup goals of a query whose further solutions nobody needs, the newest first. Returns the
    /// exception that stopped one of them, if it was the first to stop the query.
    fn run_pending_cleanups(
        &mut self,
        query: &Query,
        goals: Vec<Cell>,
    ) -> Result<Option<Throw>, Stop> {
        self.set_choice(query.bottom);
        let within_interrupt = self.run.budgets.has_grace();
        let mut stopped = None;
        if query.paused.is_some() {
            // The query was interrupted, or waits for a session, and does not resume. So its cleanup goals have the
            // same time as those of an interrupted query.
            self.begin_grace();
        }
        // A query that never runs holds the remaining goals, because one of them may move them.
        let Ok(holder) = self.open_query_over(Cell::atom(atoms::TRUE), atoms::USER, &goals) else {
            return Ok(None);
        };
        drop(goals);
        let shields = self.run.shields.len();
        self.begin_shield(Shield::Cleanup)?;
        while let View::List(pair) = self.store.view(self.choice_arg(holder.bottom, HELD)) {
            let goal = raw::cell(pair);
            let rest = raw::cell(pair + WORD);
            raw::set_cell(holder.bottom.argument(HELD as u64), rest);
            if let Ok(mut inner) = self.open_query(goal, atoms::USER) {
                // The failure or exception of a cleanup goal changes nothing (ISO Cor.2 draft).
                let outcome = self.next_solution(&mut inner);
                let closed = self.close_query(inner, true);
                let mut stops = outcome.err().into_iter().chain(closed.err());
                stopped = stopped.or_else(|| {
                    stops.find(|throw| matches!(throw.0.ball, Ball::Aborted | Ball::Spent(..)))
                });
            }
        }
        let _ = self.close_query(holder, true);
        self.keep_shields(shields);
        if within_interrupt {
            return Ok(None);
        }
        self.end_grace();
        Ok(stopped.filter(|_| query.paused.is_none()))
    }

    /// Runs a goal of the system in a module as [`Machine::call_once`] does. The goal may call private predicates of
    /// the module.
    ///
    /// # Errors
    /// Returns the exception that the goal raised.
    pub(crate) fn call_own(&mut self, goal: Cell, module: Atom) -> Result<bool, Throw> {
        let module = self.inner_name(module)?;
        self.call_once(goal, module)
    }

    /// Runs a goal once and keeps its bindings. Only for the layers above the machine, never for builtins.
    ///
    /// # Errors
    /// Returns the exception that the goal raised.
    pub(crate) fn call_once(&mut self, goal: Cell, module: Atom) -> Result<bool, Throw> {
        // The caller holds cells, so garbage collection must pause.
        self.run.collector.paused += 1;
        let result = self.untraced(|m| {
            m.unnumbered(|m| {
                let mut query = m.open_query(goal, module)?;
                let result = m.next_solution(&mut query);
                let keep = matches!(result, Ok(true));
                m.close_query(query, keep)?;
                result
            })
        });
        self.run.collector.paused -= 1;
        result
    }
}
