//! Recording of instructions: the meaning of each for the recorder, before it runs.
#![forbid(unsafe_code)]

use super::{builtin, import, meta};
use crate::base::atom_table::{atoms, functors};
use crate::base::growth::Grow;
use crate::base::needs::Needs;
use crate::base::stop::Stop;
use crate::code::instruction::{Op, decode, wide};
use crate::io::stream::StreamId;
use crate::machine::builtin::{Builtin, ScopeStep};
use crate::machine::contexts::assumption::{NONE, int_at, rec, represents_group};
use crate::machine::contexts::lookup::Found;
use crate::machine::contexts::slots::word;
use crate::machine::control::called_goal::goal_term;
use crate::machine::dispatch::endings::{fail, out_of_memory, raise};
use crate::machine::dispatch::regs::Regs;
use crate::machine::events::recorder::{Event, Made, Purpose, Site, StoppedBy};
use crate::machine::events::search_tree;
use crate::machine::events::watched::{Kept, push_choice, push_frame};
use crate::machine::events::watching::Next;
use crate::machine::frames::layout::{ChoiceKind, NO_FRAME};
use crate::machine::frames::stubs;
use crate::machine::state::Machine;
use crate::program::predicate::PredId;
use crate::store::address::ChoiceAddr;
use crate::store::cell::{Cell, WORD};
use crate::store::heap::{View, deref};
use crate::store::raw;

/// `record_begin`: X0 is the purpose. A positive number limits the calls of a goal that is to fail; 0 records a
/// solution; -1 shows events; -2 ends any of these; -3 draws a search tree.
#[inline(always)]
pub(crate) fn begin(m: &mut Machine, mut r: Regs, _: u64) -> Result<Regs, Stop> {
    m.store.heap_top = r.h;
    m.note_effect();
    let wish = match m.store.view(m.x[0]) {
        View::Int(wish) => wish,
        _ => 0,
    };
    let nested = m
        .run
        .observers
        .recorder
        .as_ref()
        .is_some_and(|recorder| recorder.base != ChoiceAddr::NONE);
    r.go(m.cont);
    match wish {
        -2 => m.end_recording(),
        _ if nested => {
            let name = m.world.symbols.intern("recording")?;
            let culprit = Cell::atom(m.world.symbols.intern("goal")?);
            let (modify, name) = (Cell::atom(atoms::MODIFY), Cell::atom(name));
            let formal = m
                .store
                .new_struct(functors::PERMISSION_ERROR, &[modify, name, culprit]);
            let throw = m.throw_formal(formal);
            return Ok(raise(m, r, throw, None));
        }
        -1 => {
            if m.run.observers.recorder.is_none() {
                m.begin_recording(Purpose::Trace, ChoiceAddr::NONE)?;
            }
        }
        calls => {
            let end = stubs::record_fail();
            if !m.push_choice(&r, 0, NO_FRAME, end, ChoiceKind::Plain) {
                return Ok(out_of_memory(m, r));
            }
            let purpose = match u64::try_from(calls) {
                Ok(calls @ 1..) => Purpose::Failures(calls),
                Ok(0) => Purpose::Solution,
                Err(_) => Purpose::Tree,
            };
            let base = m.choice;
            m.begin_recording(purpose, base)?;
        }
    }
    Ok(r)
}

/// `record_fail`
#[inline(always)]
pub(crate) fn failed(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    m.restore(&mut r);
    m.store.heap_top = r.h;
    m.end_recording_above(ChoiceAddr::NONE);
    m.pop_choice();
    fail(m, &mut r);
    r
}

/// Does the work before an instruction. Returns the registers after the instruction if it is done here.
pub(in crate::machine) fn before(
    m: &mut Machine,
    r: Regs,
    next: Next,
) -> Result<Option<Regs>, Stop> {
    let (w, op) = (next.word, next.op);
    m.store.heap_top = r.h;
    m.env = r.e;
    let Some(recorder) = m.run.observers.recorder.as_mut() else {
        return Ok(None);
    };
    if m.choice < recorder.base {
        m.end_recording();
        return Ok(None);
    }
    if recorder.allocates {
        m.note_environment(r.e)?;
    }
    if let Some(refusal) = m.store.refusals.take() {
        m.note_refusal(&refusal)?;
    }
    let (cont, uses) = (m.cont, m.uses());
    // These two instructions continue the previous one.
    if !matches!(op, Op::Rare | Op::UnifyRest)
        && let Some(recorder) = &mut m.run.observers.recorder
    {
        recorder.last = (r, cont, uses);
    }
    let inferences = m.inferences();
    let Some(recorder) = m.run.observers.recorder.as_mut() else {
        return Ok(None);
    };
    recorder.instructions = recorder.instructions.saturating_sub(1);
    let spent = inferences > recorder.limit || recorder.instructions == 0;
    if spent && recorder.stopped.is_none() && op != Op::Raise {
        return Ok(Some(stop(m, r, StoppedBy::Calls)));
    }
    if m.store.wake_pending {
        return Ok(None);
    }
    if m.draws()
        && let Some(after) = search_tree::before(m, r, next)?
    {
        return Ok(Some(after));
    }
    let Some(recorder) = m.run.observers.recorder.as_mut() else {
        return Ok(None);
    };
    let done = match op {
        Op::Call | Op::Execute | Op::DeallocateExecute => {
            let site = m.site_of(&r);
            if let Some(recorder) = &mut m.run.observers.recorder {
                recorder.site = site;
            }
            return Ok(None);
        }
        Op::Allocate => {
            recorder.allocates = true;
            return Ok(None);
        }
        Op::Builtin | Op::BuiltinProceed | Op::Nondet | Op::Arg => builtin(m, r, w, op),
        Op::Assumed | Op::CountMemo => goal(m, r, w),
        Op::AssumedRetry => retry(m, r),
        Op::ScopeReturn => {
            let base = raw::cell(r.e.slot(0));
            scope_end(m, base).map(|()| None)
        }
        Op::BangBegin => note(m, Event::Banged).map(|()| None),
        Op::BangReturn => note(m, Event::Unbanged).map(|()| None),
        Op::ScopeBangReturn => {
            let base = raw::cell(r.e.slot(0));
            scope_end(m, base)?;
            note(m, Event::Unbanged).map(|()| None)
        }
        Op::Undefined => undefined(m, r, w),
        Op::Dynamic => dynamic(m, r, w),
        _ => return Ok(None),
    };
    match done {
        Ok(None) if m.store.heap_top == r.h => Ok(None),
        Ok(None) => {
            // The recorded event is on the heap; terms that the instruction makes come after it.
            Ok(Some(again(m, r, w, op)?))
        }
        after => after,
    }
}

/// Calls an undefined predicate: looks for a definition first.
fn undefined(m: &mut Machine, r: Regs, w: u64) -> Result<Option<Regs>, Stop> {
    let id = PredId(wide(w));
    set_active(m, false);
    let found = m.resolve(id);
    let after = match found {
        Ok(false) => None,
        _ => Some(import::undefined(m, r, w)),
    };
    set_active(m, true);
    if after.is_some() {
        return after.transpose();
    }
    note_unproved(m, id, false)?;
    let mut r = r;
    fail(m, &mut r);
    Ok(Some(r))
}

/// Notes that nothing proves the goal in the registers.
fn note_unproved(m: &mut Machine, id: PredId, known: bool) -> Result<(), Stop> {
    let site = m
        .run
        .observers
        .recorder
        .as_ref()
        .map_or(0, |recorder| recorder.site.place);
    let goal = goal_term(m, id)?;
    m.trace(Event::Missed, &[], Some(goal))?;
    m.note_unproved((id, known), goal, site)
}

/// Calls a dynamic predicate of a program: notes whether no clause matches.
fn dynamic(m: &mut Machine, r: Regs, w: u64) -> Result<Option<Regs>, Stop> {
    let id = PredId(wide(w));
    // A predicate that may be assumed is recorded where its assumptions are searched.
    if m.world.predicates.get(id).traits.system || m.run.contexts.slot_of(id).is_some() {
        return Ok(None);
    }
    let choice = m.choice;
    let after = meta::dynamic(m, r, w);
    let mut failed = r;
    fail(m, &mut failed);
    if m.choice != choice || after.p() != failed.p() {
        return Ok(Some(after));
    }
    m.store.heap_top = r.h;
    note_unproved(m, id, true)?;
    Ok(Some(failed))
}

fn set_active(m: &mut Machine, active: bool) {
    if let Some(recorder) = &mut m.run.observers.recorder {
        recorder.active = active;
    }
}

/// Runs an instruction of the contexts after its event was noted.
fn again(m: &mut Machine, r: Regs, w: u64, op: Op) -> Result<Regs, Stop> {
    let r = r.above(m.store.heap_top);
    Ok(match op {
        Op::ScopeReturn => super::context::scope_return(m, r, w)?,
        Op::BangBegin => super::context::bang_begin(m, r, w),
        Op::BangReturn => super::context::bang_return(m, r, w),
        Op::ScopeBangReturn => super::context::scope_bang_return(m, r, w)?,
        _ => r,
    })
}

/// Ends the recorded goal.
fn stop(m: &mut Machine, r: Regs, why: StoppedBy) -> Regs {
    if let Some(recorder) = &mut m.run.observers.recorder {
        recorder.stopped = Some(why);
        // Cleanup goals on the way out have no limit of calls.
        recorder.limit = u64::MAX;
    }
    let ball = Cell::atom(atoms::RECORDING_STOPPED);
    let throw = m.throw_term(ball);
    raise(m, r, throw, None)
}

fn note(m: &mut Machine, event: Event) -> Result<(), Stop> {
    let step = Cell::int(m.present_step());
    m.note(event, (step, Cell::int(0), Cell::int(0)), Site::default())
}

// ---- builtins ---------------------------------------------------------------------------------

fn builtin(m: &mut Machine, r: Regs, w: u64, op: Op) -> Result<Option<Regs>, Stop> {
    let index = wide(w);
    let Some(recorder) = &m.run.observers.recorder else {
        return Ok(None);
    };
    let Builtin {
        needs, scope_step, ..
    } = *m.world.host.builtins[index as usize];
    let refuses = matches!(recorder.purpose, Purpose::Failures(_)) && recorder.stopped.is_none();
    if refuses && needs.any(Needs::EFFECT) {
        return Ok(Some(stop(m, r, StoppedBy::Effect(index))));
    }
    if refuses && needs.any(Needs::OUTPUT.and(Needs::OUTPUT_TO)) {
        let current = m.world.host.streams.current_output();
        let target = match m.store.view(m.x[0]) {
            _ if needs.any(Needs::OUTPUT) => Some(current),
            View::Atom(alias) => m.world.host.streams.by_alias(alias),
            View::Struct(functors::STREAM, args) => {
                let id = m.store.arg(args, 0);
                id.is_int().then(|| StreamId(id.int_value() as u32))
            }
            // A text, or no stream at all.
            _ => None,
        };
        // Only the goal sees text that it collects in memory.
        let seen = current == recorder.output || target != Some(current);
        if target.is_some() && seen {
            return Ok(Some(stop(m, r, StoppedBy::Effect(index))));
        }
    }
    match scope_step {
        ScopeStep::BeginWith => note(m, Event::WithBegun)?,
        ScopeStep::MiddleWith => note(m, Event::WithHalved)?,
        ScopeStep::EndWith => {
            let left = m.left_by_second(deref(m.x[0]), deref(m.x[1]))?;
            m.note_left(atoms::WITH, &left)?;
            note(m, Event::WithEnded)?;
        }
        ScopeStep::EndScope => {
            let base = deref(m.x[0]);
            scope_end(m, base)?;
        }
        ScopeStep::EndBang => note(m, Event::Unbanged)?,
        ScopeStep::AllUsed => {
            let left = m.left_at_all()?;
            m.note_left(atoms::ALL, &left)?;
        }
        _ => {}
    }
    let site = m.site_of(&r);
    let newest = m.run.contexts.int(word::SEQ);
    let constants = m.run.contexts.eigenvariables();
    let r = r.above(m.store.heap_top);
    let mut after = match op {
        Op::Builtin => builtin::builtin(m, r, w),
        Op::BuiltinProceed => builtin::builtin_proceed(m, r, w),
        _ => builtin::nondet(m, r, w),
    };
    if m.run.contexts.eigenvariables() > constants
        && let Some(recorder) = &mut m.run.observers.recorder
    {
        recorder.made.put(Made {
            first: constants + 1,
            place: site.place,
            local: scope_step == ScopeStep::EnterModule,
        })?;
    }
    // In search trees, assumptions from modules are reported where they are used.
    let reports = scope_step != ScopeStep::EnterModule || !m.draws();
    if reports && m.run.contexts.int(word::SEQ) > newest {
        m.store.heap_top = after.h;
        m.note_assumed(newest, site)?;
        after.h = m.store.heap_top;
    }
    Ok(Some(after))
}

fn scope_end(m: &mut Machine, base: Cell) -> Result<(), Stop> {
    let View::Int(base) = m.store.view(base) else {
        return Ok(());
    };
    let left = m.left_in_scope(base)?;
    m.note_left(atoms::SCOPE, &left)
}

// ---- goals ------------------------------------------------------------------------------------

/// Calls a predicate that may be assumed.
fn goal(m: &mut Machine, mut r: Regs, w: u64) -> Result<Option<Regs>, Stop> {
    let slot = wide(w);
    let arity = m.run.contexts.slots[slot as usize].arity;
    let (site, kept) = match &m.run.observers.recorder {
        Some(recorder) => (recorder.site, m.is_kept()),
        None => return Ok(None),
    };
    let predicate = m.run.contexts.slots[slot as usize].predicate;
    let goal = goal_term(m, predicate)?;
    m.trace(Event::Goal, &[], Some(goal))?;
    r.h = m.store.heap_top;
    if kept {
        let outer = m.present_step();
        let (step, noted) = match &mut m.run.observers.recorder {
            Some(recorder) => {
                recorder.exited.put(false)?;
                (recorder.exited.len() as i64 - 1, recorder.noted)
            }
            None => return Ok(None),
        };
        m.note(
            Event::Called,
            (Cell::int(step), goal, Cell::int(outer)),
            site,
        )?;
        let mut parts = [Cell::int(0); kept::COUNT];
        parts[kept::STEP] = Cell::int(step);
        parts[kept::OUTER] = Cell::int(outer);
        parts[kept::CALLED] = Cell::int(i64::from(slot) << 32 | site.place);
        parts[kept::NOTED] = Cell::int(noted);
        m.store.reserve(1 + kept::COUNT)?;
        let kept = Kept::Recorded(m.store.new_struct(functors::RECORDED_GOAL, &parts));
        r.h = m.store.heap_top;
        if !push_choice(m, &r, arity, kept) {
            return Err(Stop);
        }
        let choice = m.choice_cell(m.choice);
        if !push_frame(m, &mut r, (choice, kept), None) {
            return Err(Stop);
        }
        m.set_step(step);
    }
    let found = m.first_record(&mut r, slot);
    let called = (predicate, arity, Some(goal));
    Ok(Some(proved_by(m, r, found, called, site)?))
}

fn retry(m: &mut Machine, mut r: Regs) -> Result<Option<Regs>, Stop> {
    let slot = m.chosen_slot();
    let predicate = m.run.contexts.slots[slot as usize].predicate;
    let (found, arity) = m.next_record(&mut r);
    m.env = r.e;
    let step = m.present_step();
    if m.is_kept()
        && let Some(recorder) = &mut m.run.observers.recorder
    {
        // Later goals are on a branch that was left.
        recorder.exited.truncate((step + 1).max(0) as usize);
    }
    Ok(Some(proved_by(
        m,
        r,
        found,
        (predicate, arity, None),
        Site::default(),
    )?))
}

fn proved_by(
    m: &mut Machine,
    mut r: Regs,
    found: Found,
    (predicate, arity, goal): (PredId, usize, Option<Cell>),
    site: Site,
) -> Result<Regs, Stop> {
    m.store.heap_top = m.store.heap_top.max(r.h);
    match found {
        Found::Record(record) => {
            let step = Cell::int(m.present_step());
            m.note(Event::Used, (record, step, Cell::int(0)), site)?;
            m.trace(Event::Used, &[record], goal)?;
            r.h = m.store.heap_top;
            let mut after = m.use_record(r, record, arity);
            if m.draws() && after.p() == m.cont {
                m.store.heap_top = after.h;
                m.draw(Event::Exited, &[], None)?;
                after.h = m.store.heap_top;
            }
            Ok(after)
        }
        Found::Clauses => {
            // Without clauses the call goes to an instruction that fails.
            if decode(raw::word(r.p())) == Some(Op::Fail) {
                m.trace(Event::Missed, &[], goal)?;
                r.h = m.store.heap_top;
                return Ok(r);
            }
            r.h = m.store.heap_top;
            search_tree::follow_clauses(m, r, predicate)
        }
        Found::Full => Err(Stop),
    }
}

/// The arguments of the term for a recorded goal.
mod kept {
    /// The number of the goal.
    pub(super) const STEP: usize = 0;
    /// The number of the goal that called this goal.
    pub(super) const OUTER: usize = 1;
    /// The slot of the predicate of the goal, and the place of the call.
    pub(super) const CALLED: usize = 2;
    /// The number of failures noted before the call of the goal.
    pub(super) const NOTED: usize = 3;
    pub(super) const COUNT: usize = 4;
}

/// Records that the goal of this term has succeeded.
pub(in crate::machine) fn goal_exits(m: &mut Machine, goal: Cell) -> Result<(), Stop> {
    if !m.is_recording() {
        return Ok(());
    }
    let step = m.frame_int(goal, kept::STEP);
    if let Some(recorder) = &mut m.run.observers.recorder
        && let Some(exited) = recorder.exited.get_mut(step as usize)
    {
        *exited = true;
    }
    let about = (Cell::int(step), Cell::int(0), Cell::int(0));
    m.note(Event::Exited, about, Site::default())?;
    m.set_step(m.frame_int(goal, kept::OUTER));
    Ok(())
}

/// Records that the goal of this term has failed. Its arguments are in the registers.
pub(in crate::machine) fn goal_fails(m: &mut Machine, goal: Cell) -> Result<(), Stop> {
    if !m.is_recording() {
        return Ok(());
    }
    let step = m.frame_int(goal, kept::STEP) as usize;
    let Some(recorder) = &mut m.run.observers.recorder else {
        return Ok(());
    };
    let exited = recorder.exited.get(step).copied().unwrap_or(true);
    let noted = recorder.noted;
    recorder.exited.truncate(step);
    if exited || noted != m.frame_int(goal, kept::NOTED) {
        return Ok(());
    }
    let called = m.frame_int(goal, kept::CALLED);
    let (slot, site) = ((called >> 32) as u32, called & 0xffff_ffff);
    let predicate = m.run.contexts.slots[slot as usize].predicate;
    let goal = goal_term(m, predicate)?;
    m.note_missed(slot, goal, site)
}

impl Machine {
    /// Returns the unused resources that must be used, of the scope that began after record `base`.
    fn left_in_scope(&self, base: i64) -> Result<Vec<Cell>, Stop> {
        if self.is_affine() {
            return Ok(Vec::new());
        }
        let watermark = self.run.contexts.int(word::WATERMARK);
        self.left(|mark, seq| seq > base.max(watermark) && mark > 0, base)
    }

    /// Returns all unused resources that must be used.
    fn left_at_all(&self) -> Result<Vec<Cell>, Stop> {
        let watermark = self.run.contexts.int(word::WATERMARK);
        let levels = self.run.contexts.levels();
        let usable = levels.lowest..=levels.highest;
        self.left(|mark, seq| seq > watermark && usable.contains(&mark), 0)
    }

    fn left(&self, must: impl Fn(i64, i64) -> bool, base: i64) -> Result<Vec<Cell>, Stop> {
        let mut found = Vec::new();
        let mut at = raw::cell(self.run.contexts.word(word::NEWEST));
        while at != NONE {
            let (mark, seq) = (int_at(at.addr() + rec::MARK), int_at(at.addr() + rec::SEQ));
            if seq <= base {
                break;
            }
            if must(mark, seq) && represents_group(at) {
                found.put(at)?;
            }
            at = raw::cell(at.addr() + rec::ALL_NEXT);
        }
        Ok(found)
    }

    /// Returns the resources that the first half of `&` has used and the second has left.
    fn left_by_second(&self, begin: Cell, middle: Cell) -> Result<Vec<Cell>, Stop> {
        let _ = begin;
        let mut found = Vec::new();
        if self.is_affine() || self.run.contexts.int(word::WATERMARK) > 0 {
            return Ok(found);
        }
        let Some((functors::WITH_MIDDLE, args)) = self.store.compound(middle) else {
            return Ok(found);
        };
        let level = self.run.contexts.levels().highest;
        let mut rest = self.store.arg(args, 2);
        while let View::List(pair) = self.store.view(rest) {
            let record = raw::cell(pair);
            rest = raw::cell(pair + WORD);
            if int_at(record.addr() + rec::MARK) == level && represents_group(record) {
                found.put(record)?;
            }
        }
        Ok(found)
    }
}
