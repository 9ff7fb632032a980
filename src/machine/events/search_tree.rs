//! The events of a search tree: goals that are called, clauses that they enter, assumptions and their uses. Each
//! event is reported when it happens, with the number of the previous event on the same branch. That number is a
//! trailed word of the contexts. So after backtracking the next event follows the right one.
#![forbid(unsafe_code)]

use super::recorder::{Drawing, Event, Known};
use super::watching::Next;
use crate::base::atom_table::{Atom, Functor, atoms, functors};
use crate::base::growth::{Gather, Grow, GrowBy};
use crate::base::stop::Stop;
use crate::code::instruction::{Op, decode, slot_a, wide};
use crate::machine::contexts::assumption::{Assumed, assumed_of, int_at, rec};
use crate::machine::control::called_goal::{self, goal_term};
use crate::machine::control::calls::enter;
use crate::machine::dispatch::regs::Regs;
use crate::machine::ops::{arith, constraint};
use crate::machine::state::Machine;
use crate::program::predicate::PredId;
use crate::store::address::CodeAddr;
use crate::store::cell::Cell;
use crate::store::heap::View;
use crate::store::raw;

/// The name of the builtin through which the system calls `erase`.
const ERASE: &str = "$erase_context";
/// The prefix of the names of Lolli's own builtins.
const OF_LOLLI: &str = "$lolli_";

/// The module that goals of a program go through, and its predicates.
const FOLLOWER: &str = "linear_tree";
const PART: &str = "$tree_part";
const CLOSURE: &str = "$tree_closure";
const CLAUSES: &str = "$tree_clauses";

impl Machine {
    /// Returns whether a search tree is drawn.
    pub(in crate::machine) fn draws(&self) -> bool {
        self.run
            .observers
            .recorder
            .as_ref()
            .is_some_and(|recorder| recorder.drawing.is_some())
    }

    /// Returns whether the next instruction was already reported.
    pub(in crate::machine) fn is_reported(&self) -> bool {
        let recorder = self.run.observers.recorder.as_ref();
        let drawing = recorder.and_then(|recorder| recorder.drawing.as_ref());
        drawing.is_some_and(|drawing| drawing.reported)
    }

    fn drawing(&mut self) -> Option<&mut Drawing> {
        self.run.observers.recorder.as_mut()?.drawing.as_mut()
    }

    /// Returns the last event before the exception that ended the goal.
    pub(crate) fn raised_after(&self) -> i64 {
        let recorder = self.run.observers.recorder.as_ref().or(self
            .run
            .observers
            .recorded
            .as_ref());
        let drawing = recorder.and_then(|recorder| recorder.drawing.as_ref());
        drawing.map_or(-1, |drawing| drawing.raised)
    }

    /// Ends the goal whose tree is drawn.
    pub(crate) fn end_drawing(&mut self) {
        if let Some(recorder) = &mut self.run.observers.recorder {
            recorder.limit = 0;
        }
    }

    /// Reports an event, with the assumptions made or used in it and its goal.
    pub(in crate::machine) fn draw(
        &mut self,
        event: Event,
        records: &[Cell],
        goal: Option<Cell>,
    ) -> Result<(), Stop> {
        let compiled = |record: &Cell| {
            int_at(record.addr() + rec::MARK) == 0
                && matches!(assumed_of(*record), Assumed::Closure(..))
                && self.origin(*record).is_some()
        };
        // Uses of clauses are reported at the entry of the clause. Goals that nothing proves are reported at their call.
        if (event == Event::Used && records.iter().any(compiled))
            || (event == Event::Missed && goal.is_none())
        {
            return Ok(());
        }
        let Some(mut terms) = self.terms_of_records(records)? else {
            return Ok(());
        };
        if event == Event::Goal {
            terms.put_all(goal)?;
        }
        let declared = |record: &Cell| !matches!(assumed_of(*record), Assumed::Closure(..));
        let record = records.first().copied().filter(declared);
        let place = record.and_then(|record| self.origin(record));
        self.world.upper.draw(self, event, &terms, place)?;
        Ok(())
    }

    /// Sets whether goals of the program that are known only at run time go through `prelude/linear/linear_tree.pl`.
    pub(crate) fn follow_goals(&mut self, follows: bool) {
        if let Some(drawing) = self.drawing() {
            drawing.follows = follows;
        }
    }

    /// Reports a goal.
    pub(crate) fn report_goal(&mut self, goal: Cell) -> Result<(), Stop> {
        let (goal, module) = self.strip_module(goal, atoms::USER);
        self.store.reserve(8)?;
        let goal = self
            .store
            .new_struct(functors::COLON, &[Cell::atom(module), goal]);
        self.draw(Event::Goal, &[], Some(goal))?;
        Ok(())
    }

    /// Makes call/N call the next goal directly. Reports this goal if the call does not report it.
    pub(crate) fn leave_to_call(&mut self, goal: Cell) -> Result<(), Stop> {
        let (plain, module) = self.strip_module(goal, atoms::USER);
        if let Some(drawing) = self.drawing() {
            drawing.as_it_is = true;
        }
        let functor = match self.store.view(plain) {
            View::Atom(name) => self.world.symbols.functor_passing(name, 0)?,
            View::Struct(functor, _) => functor,
            _ => return self.report_goal(goal),
        };
        let id = self.intern_predicate(module, functor)?;
        let _ = self.resolve(id);
        let definition = self.definition(id);
        if self.is_systems(definition) {
            let goal = match self.is_unseen(definition) {
                true => goal,
                false => self
                    .store
                    .new_struct(functors::COLON, &[Cell::atom(atoms::SYSTEM), plain]),
            };
            self.report_goal(goal)?;
        }
        Ok(())
    }

    /// Updates the addresses of clauses, if the database has changed.
    fn know_clauses(&mut self) -> Result<(), Stop> {
        let generation = self.world.predicates.generation;
        if self
            .drawing()
            .is_none_or(|drawing| drawing.generation == Some(generation))
        {
            return Ok(());
        }
        let mut clauses = Vec::new();
        for id in (0..self.world.predicates.len() as u32).map(PredId) {
            let predicate = self.world.predicates.get(id);
            let system = self.is_system_module(predicate.module);
            let hidden = self.world.symbols.text(predicate.module).starts_with('$');
            for (_, clause) in predicate.clauses.iter() {
                let addresses = clause.addresses();
                clauses.put(Known {
                    start: addresses.start,
                    end: addresses.end,
                    entry: clause.entry(),
                    place: (clause.file(), clause.line()),
                    users: !system || (hidden && clause.file() != 0),
                })?;
            }
        }
        clauses.sort_unstable_by_key(|known| known.start);
        if let Some(drawing) = self.drawing() {
            drawing.clauses = clauses;
            drawing.generation = Some(generation);
        }
        Ok(())
    }

    fn clause_around(&mut self, at: CodeAddr) -> Option<Known> {
        let clauses = &self.drawing()?.clauses;
        let after = clauses.partition_point(|known| known.start <= at);
        let known = *clauses.get(after.checked_sub(1)?)?;
        (at < known.end).then_some(known)
    }

    fn goal_with(&mut self, id: PredId, args: &[Cell]) -> Result<Cell, Stop> {
        let predicate = self.world.predicates.get(id);
        let (module, functor) = (predicate.module, predicate.functor);
        self.qualified(module, functor, args)
    }

    fn qualified(&mut self, module: Atom, functor: Functor, args: &[Cell]) -> Result<Cell, Stop> {
        self.store.reserve(args.len() + 8)?;
        let goal = match args {
            [] => Cell::atom(self.world.symbols.name(functor)),
            args => self.store.new_struct(functor, args),
        };
        let parts = [Cell::atom(module), goal];
        Ok(self.store.new_struct(functors::COLON, &parts))
    }

    fn is_users(&mut self, at: CodeAddr) -> bool {
        self.clause_around(at).is_some_and(|known| known.users)
    }

    /// Returns whether the instruction belongs to the user's code: a clause of the user or a goal made at run time.
    fn is_own_code(&mut self, at: CodeAddr) -> bool {
        self.clause_around(at).is_none_or(|known| known.users)
    }
}

/// Examines an instruction before it runs. Returns its registers with the new heap top if an event was
/// reported that is now on the heap.
pub(in crate::machine) fn before(
    m: &mut Machine,
    r: Regs,
    next: Next,
) -> Result<Option<Regs>, Stop> {
    let (w, op) = (next.word, next.op);
    let step = m.present_step();
    let Some(drawing) = m.drawing() else {
        return Ok(None);
    };
    if std::mem::take(&mut drawing.reported) {
        return Ok(None);
    }
    if op == Op::Raise {
        drawing.raised = step;
        return Ok(None);
    }
    m.know_clauses()?;
    if let Some(known) = m.clause_around(r.p())
        && known.entry == r.p()
        && known.users
    {
        let upper = m.world.upper;
        let place = (known.place.0 != 0).then_some(known.place);
        upper.draw(m, Event::Clause, &[], place)?;
    }
    if let Some(mut posted) = constraint::left_to_lolli(r) {
        posted.h = m.store.heap_top;
        return Ok(Some(posted));
    }
    let result = match op {
        Op::Call | Op::Execute | Op::DeallocateExecute => call(m, &r, next),
        Op::MetaCall | Op::BodyCall => match follow(m, w, op) {
            Ok(false) => call_of_goal(m, next),
            followed => followed.map(|_| ()),
        },
        Op::Proceed | Op::DeallocateProceed if m.is_users(r.p()) => report_event(m, Event::Exited),
        Op::CollectCount if !m.is_counting() => Ok(()),
        Op::CollectTerm | Op::CollectCount => report_event(m, Event::Collected),
        Op::Builtin | Op::BuiltinProceed | Op::Nondet => builtin(m, &r, wide(w)),
        _ if let Some((functor, args)) = arith::lolli_goal(m, &r, w) => in_lolli(m, functor, &args),
        _ => Ok(()),
    };
    // Without room the instruction itself finds that out.
    let _ = result;
    if m.store.heap_top == r.h {
        return Ok(None);
    }
    if let Some(drawing) = m.drawing() {
        drawing.reported = true;
    }
    Ok(Some(r.above(m.store.heap_top)))
}

fn report_event(m: &mut Machine, event: Event) -> Result<(), Stop> {
    m.draw(event, &[], None)?;
    Ok(())
}

/// Reports the call of a predicate that an instruction names.
fn call(m: &mut Machine, r: &Regs, next: Next) -> Result<(), Stop> {
    let own = m.is_own_code(r.p());
    if next.of_call {
        if let Some(drawing) = m.drawing() {
            drawing.from_system = !own;
        }
        return Ok(());
    }
    match next.called.filter(|_| own) {
        Some(id) => {
            let goal = goal_term(m, id)?;
            show(m, id, goal)
        }
        None => Ok(()),
    }
}

/// Makes a goal of the program that is known only at run time go through `prelude/linear/linear_tree.pl`, if it
/// is to. Returns whether it did.
fn follow(m: &mut Machine, w: u64, op: Op) -> Result<bool, Stop> {
    let Some(drawing) = m.drawing() else {
        return Ok(false);
    };
    let as_it_is = std::mem::take(&mut drawing.as_it_is);
    if !drawing.follows || as_it_is {
        return Ok(false);
    }
    let (extra, outer) = match (op, m.store.view(m.x[1])) {
        (Op::MetaCall, _) => (slot_a(w) - 1, atoms::USER),
        (_, View::Atom(module)) => (0, module),
        _ => (0, atoms::USER),
    };
    let (goal, module) = m.strip_module(m.x[0], outer);
    let callable = goal.is_atom() || m.store.compound(goal).is_some();
    // A cut in a part of a body cuts the whole body.
    let part = op == Op::BodyCall && !m.x[2].is_atom() && !called_goal::calls_predicate(m);
    let none = goal == Cell::atom(atoms::TRUE);
    if !callable || part || none || module == atoms::LOLLI || m.is_system_module(module) {
        return Ok(false);
    }
    let name = if extra == 0 { PART } else { CLOSURE };
    let (name, home) = (
        m.world.symbols.intern(name)?,
        m.world.symbols.intern(FOLLOWER)?,
    );
    let functor = m.world.symbols.functor(name, 2)?;
    m.store.reserve(8)?;
    let part = m.store.new_struct(functor, &[Cell::atom(module), goal]);
    m.x[0] = m
        .store
        .new_struct(functors::COLON, &[Cell::atom(home), part]);
    if let Some(drawing) = m.drawing() {
        drawing.from_system = false;
    }
    Ok(true)
}

/// Makes a goal that may be assumed go on to its clauses through `prelude/linear/linear_tree.pl`
/// too, after all its assumptions.
pub(in crate::machine) fn follow_clauses(
    m: &mut Machine,
    r: Regs,
    id: PredId,
) -> Result<Regs, Stop> {
    let lolli = m.world.predicates.get(id).module == atoms::LOLLI;
    if lolli || !m.drawing().is_some_and(|drawing| drawing.follows) {
        return Ok(r);
    }
    let goal = goal_term(m, id)?;
    let (goal, module) = m.strip_module(goal, atoms::USER);
    let (name, home) = (
        m.world.symbols.intern(CLAUSES)?,
        m.world.symbols.intern(FOLLOWER)?,
    );
    let functor = m.world.symbols.functor(name, 2)?;
    let follower = m.intern_predicate(home, functor)?;
    [m.x[0], m.x[1]] = [Cell::atom(module), goal];
    let r = r.above(m.store.heap_top);
    Ok(enter(m, r, follower.0))
}

/// Reports the call of a goal that is known only at run time.
fn call_of_goal(m: &mut Machine, next: Next) -> Result<(), Stop> {
    let Some(id) = next.called else {
        return Ok(());
    };
    let of_system = m
        .drawing()
        .is_some_and(|drawing| std::mem::take(&mut drawing.from_system));
    let module = m.world.predicates.get(id).module;
    let own = !of_system && (module == atoms::LOLLI || !m.is_system_module(module));
    if !own && m.is_systems(m.definition(id)) {
        return Ok(());
    }
    let extra = match next.op {
        Op::MetaCall => slot_a(next.word) - 1,
        _ => 0,
    };
    let (called, _) = m.strip_module(m.x[0], atoms::USER);
    let mut args: Vec<Cell> = match m.store.compound(called) {
        Some((functor, args)) => (0..functor.arity())
            .map(|index| m.store.arg(args, index))
            .gather()?,
        None => Vec::new(),
    };
    for index in 0..extra {
        args.put(m.x[1 + index])?;
    }
    let goal = m.goal_with(id, &args)?;
    show(m, id, goal)
}

fn show(m: &mut Machine, id: PredId, goal: Cell) -> Result<(), Stop> {
    // A goal that may be assumed is reported where its assumptions are searched.
    let entry = decode(raw::word(m.world.predicates.entry(id)));
    if !matches!(entry, Some(Op::Assumed | Op::CountMemo)) && !m.is_unseen(m.definition(id)) {
        m.draw(Event::Goal, &[], Some(goal))?;
    }
    Ok(())
}

/// Reports a comparison of Lolli.
fn in_lolli(m: &mut Machine, functor: Functor, args: &[Cell]) -> Result<(), Stop> {
    let goal = m.qualified(atoms::LOLLI, functor, args)?;
    m.draw(Event::Goal, &[], Some(goal))?;
    Ok(())
}

/// Reports a builtin that a clause calls in place, or that is the body of its predicate.
fn builtin(m: &mut Machine, r: &Regs, number: u32) -> Result<(), Stop> {
    let (name, arity) = {
        let entry = m.world.host.builtins[number as usize];
        (entry.name, entry.modes.len())
    };
    if name == ERASE {
        return report_event(m, Event::Erased);
    }
    let Some(known) = m.clause_around(r.p()) else {
        return Ok(());
    };
    let of_lolli = name.starts_with(OF_LOLLI);
    if !known.users || (!of_lolli && name.starts_with('$')) {
        return Ok(());
    }
    let module = match of_lolli {
        true => atoms::LOLLI,
        false => atoms::SYSTEM,
    };
    let name = m.world.symbols.intern(name)?;
    let functor = m.world.symbols.functor(name, arity)?;
    let args = Vec::of(&m.x[..arity])?;
    let goal = m.qualified(module, functor, &args)?;
    m.draw(Event::Goal, &[], Some(goal))?;
    Ok(())
}
