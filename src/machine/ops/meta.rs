//! Instructions that call goals made at run time, and instructions that find definitions.
#![forbid(unsafe_code)]

use crate::base::atom_table::{Atom, Functor, atoms, functors};
use crate::base::number::Number;
use crate::base::stop::Stop;
use crate::code::instruction::{slot_a, wide};
use crate::machine::builtin::Body;
use crate::machine::control::call_cache::key_of;
use crate::machine::control::called_goal::is_control;
use crate::machine::control::calls::enter;
use crate::machine::control::foreign::call_foreign;
use crate::machine::control::throw::Throw;
use crate::machine::dispatch::endings::{fail, out_of_memory, raise, sync};
use crate::machine::dispatch::regs::{MAX_PREDICATE_ARITY, Regs};
use crate::machine::dispatch::slow_forms::{rare, rarely};
use crate::machine::frames::frame::one_by_one;
use crate::machine::frames::layout::{ChoiceKind, NO_FRAME};
use crate::machine::frames::stubs;
use crate::machine::lolli::call_from_prolog;
use crate::machine::state::Machine;
use crate::program::clauses::clause_list::CallKeys;
use crate::program::predicate::{Kind, PredId, STUB_RETRY};
use crate::store::address::HeapAddr;
use crate::store::body::{BodyParts, CYCLE_CHECK};
use crate::store::cell::{Cell, WORD, tag};
use crate::store::heap::{View, deref};
use crate::store::raw;

// ---- builtins ---------------------------------------------------------------------------------

// ---- goals made at run time -------------------------------------------------------------------

impl Machine {
    /// Strips `Module:` prefixes off a goal. A term that consists of prefixes only keeps them.
    pub(crate) fn strip_module(&self, mut goal: Cell, mut module: Atom) -> (Cell, Atom) {
        // A landmark moves up at each power of two (Brent). A cycle returns to it.
        let (mut prefixes, mut next_landmark, mut landmark) = (0, CYCLE_CHECK, None);
        loop {
            goal = deref(goal);
            let View::Struct(functors::COLON, args) = self.store.view(goal) else {
                return (goal, module);
            };
            let View::Atom(name) = self.store.view(self.store.arg(args, 0)) else {
                return (goal, module);
            };
            if landmark == Some(goal) {
                return (goal, module);
            }
            prefixes += 1;
            if prefixes == next_landmark {
                landmark = Some(goal);
                next_landmark *= 2;
            }
            module = name;
            goal = self.store.arg(args, 1);
        }
    }

    /// Returns the predicate that a goal in `module` calls. Makes it known if it is unknown.
    pub(crate) fn intern_predicate(
        &mut self,
        module: Atom,
        functor: Functor,
    ) -> Result<PredId, Stop> {
        let module = match module {
            atoms::USER => module,
            _ => self.world.modules.of_inner_name(module),
        };
        let id = self.world.predicates.intern(module, functor)?;
        self.entries = self.world.predicates.entries();
        Ok(id)
    }

    /// Returns the predicate that a goal made at run time calls, and whether it was made known for this call.
    ///
    /// # Errors
    /// Returns a permission error for a private predicate of a system module, unless the system itself made the goal.
    fn called_predicate(
        &mut self,
        module: Atom,
        functor: Functor,
    ) -> Result<(PredId, bool), Throw> {
        let module = match module {
            atoms::USER => module,
            _ => self.accessible(module, functor)?,
        };
        let known = self.world.predicates.made();
        let id = self.intern_predicate(module, functor)?;
        let made = self.world.predicates.made() > known;
        if made {
            self.world.call_cache.passing = Some((id, self.calls));
        }
        Ok((id, made))
    }

    /// Returns the predicate that a goal of an interpreted clause of `user` calls.
    fn called_by_clause(&mut self, functor: Functor) -> Result<PredId, Throw> {
        let protected = self.protected_predicate(atoms::SYSTEM, functor);
        let Some(id) = protected.filter(|_| !self.is_own_name(functor)) else {
            return Ok(self.called_predicate(atoms::USER, functor)?.0);
        };
        if let Kind::Builtin(builtin) = self.world.predicates.get(id).kind
            && matches!(
                self.world.host.builtins[builtin as usize].body,
                Body::Det(_)
            )
        {
            uncount_call(self);
        }
        Ok(id)
    }

    /// Forgets an undefined predicate that was made known only for this call, so that unknown goals leave nothing
    /// behind. Nothing else was called or compiled in between, so only the running call refers to the predicate.
    /// That call must continue elsewhere.
    pub(in crate::machine) fn forget_passing(&mut self, id: PredId) -> Result<(), Stop> {
        if let Some((made, calls)) = self.world.call_cache.passing.take()
            && made == id
            && self.calls.wrapping_sub(calls) <= 1
        {
            self.world.predicates.forget(id)?;
            self.entries = self.world.predicates.entries();
        }
        Ok(())
    }

    /// Puts the arguments of a callable term into the registers. Returns its functor with `extra` more arguments.
    pub(in crate::machine) fn spread(
        &mut self,
        goal: Cell,
        extra: usize,
    ) -> Result<Functor, Throw> {
        let (name, arity, args) = match self.store.view(goal) {
            View::Atom(name) => (name, 0, HeapAddr::NONE),
            View::List(args) => (atoms::DOT, 2, args),
            View::Struct(functor, args) => {
                if extra == 0 && functor.arity() <= MAX_PREDICATE_ARITY {
                    for index in 0..functor.arity() {
                        self.x[index] = raw::cell(args + index as u64 * WORD);
                    }
                    return Ok(functor);
                }
                (self.world.symbols.name(functor), functor.arity(), args)
            }
            View::Var(_) => return Err(self.instantiation_error()),
            _ => return Err(self.type_error(atoms::CALLABLE, goal)),
        };
        let total = arity + extra;
        if total > MAX_PREDICATE_ARITY {
            return Err(self.representation_error(atoms::MAX_ARITY));
        }
        if extra > 0 {
            self.x.copy_within(1..=extra, arity);
        }
        for index in 0..arity {
            self.x[index] = raw::cell(args + index as u64 * WORD);
        }
        Ok(self.world.symbols.functor_passing(name, total)?)
    }

    /// Puts the arguments of a goal in `module` into the registers. Returns its functor with `extra` more arguments.
    fn spread_in(&mut self, module: Atom, goal: Cell, extra: usize) -> Result<Functor, Throw> {
        if module == atoms::LOLLI {
            return self.spread_lolli(goal, extra);
        }
        self.spread(goal, extra)
    }
}

/// `meta_call n`: X0 is the goal, n - 1 further arguments follow.
#[inline(always)]
pub(crate) fn meta_call(m: &mut Machine, mut r: Regs, w: u64) -> Regs {
    sync(m, &r);
    let extra = slot_a(w) - 1;
    let (goal, module) = m.strip_module(m.x[0], atoms::USER);
    if m.leaves_lolli(module, m.x[0]) {
        m.x[0] = goal;
        return call_foreign(m, r, module, extra);
    }
    if module == atoms::LOLLI && m.is_called_by_prolog(m.x[0]) {
        m.x[0] = goal;
        return call_from_prolog(m, r, extra);
    }
    if extra == 0 && is_control(m, goal, module) {
        let body = match m.convert_body(goal) {
            Ok(body) => body,
            Err(throw) => return raise(m, r, throw, None),
        };
        r.h = m.store.heap_top;
        let barrier = m.choice_cell(m.choice);
        m.x[0] = body;
        m.x[1] = Cell::atom(module);
        m.x[2] = barrier;
        return call_body(m, r);
    }
    let called = m
        .spread_in(module, goal, extra)
        .and_then(|functor| m.called_predicate(module, functor));
    match called {
        Ok((predicate, made)) => {
            let key = key_of(goal);
            let simple = goal.is_atom() || goal.tag() == tag::STR;
            let other = [Cell::atom(atoms::LOLLI), Cell::functor(functors::COLON)];
            if !made && simple && module != atoms::LOLLI && !other.contains(&key) {
                m.world.call_cache.note(key, module, extra, predicate);
            }
            r.h = m.store.heap_top;
            enter(m, r, predicate.0)
        }
        Err(throw) => raise(m, r, throw, None),
    }
}

impl Machine {
    /// Converts a term to a body (7.6.2): variables become calls.
    fn convert_body(&mut self, body: Cell) -> Result<Cell, Throw> {
        match self.store.body_parts(body)? {
            BodyParts::Goals => Ok(body),
            BodyParts::Variables | BodyParts::Marked => Ok(self.store.wrap_variables(body)?),
            BodyParts::NotCallable => Err(self.type_error(atoms::CALLABLE, body)),
            BodyParts::Cyclic => Err(self.type_error(atoms::ACYCLIC, body)),
        }
    }
}

/// `body_call`: X0 is a body, X1 its module, X2 its cut barrier. An atom in X2 means the newest choice point.
#[inline(always)]
pub(crate) fn body_call(m: &mut Machine, r: Regs, _: u64) -> Regs {
    if m.x[1] == INTERPRETED {
        uncount_call(m);
    }
    call_body(m, r)
}

/// The module register for the body of an interpreted clause of `user`. As in a compiled body, its control constructs and
/// deterministic builtins do not count as calls. Those in other bodies count, because such bodies may unfold without end.
pub(in crate::machine) const INTERPRETED: Cell = Cell::int(0);

/// Calls the body in the registers, as `body_call` does.
#[inline(never)]
pub(in crate::machine) fn call_body(m: &mut Machine, mut r: Regs) -> Regs {
    sync(m, &r);
    let outer = match m.store.view(m.x[1]) {
        View::Atom(module) => module,
        _ => atoms::USER,
    };
    let (goal, module) = m.strip_module(m.x[0], outer);
    if m.leaves_lolli(module, m.x[1]) {
        m.x[0] = goal;
        return call_foreign(m, r, module, 0);
    }
    if module == atoms::LOLLI && outer != atoms::LOLLI {
        m.x[0] = goal;
        return call_from_prolog(m, r, 0);
    }
    let barrier = match m.x[2] {
        opaque if opaque.is_atom() => m.choice_cell(m.choice),
        barrier => barrier,
    };
    let interpreted = m.x[1] == INTERPRETED;
    let home = match interpreted {
        true => INTERPRETED,
        false => Cell::atom(module),
    };
    if goal == Cell::atom(atoms::CUT) && module != atoms::LOLLI {
        m.x[0] = barrier;
        r.go(stubs::cut_to());
        return r;
    }
    if goal == Cell::atom(atoms::TRUE) {
        r.go(m.cont);
        return r;
    }
    let negates = interpreted
        && matches!(m.store.view(goal), View::Struct(functor, _) if functor == functors::NOT);
    if !negates && !is_control(m, goal, module) {
        let called = m
            .spread_in(module, goal, 0)
            .and_then(|functor| match interpreted {
                true => m.called_by_clause(functor),
                false => Ok(m.called_predicate(module, functor)?.0),
            });
        return match called {
            Ok(predicate) => {
                r.h = m.store.heap_top;
                enter(m, r, predicate.0)
            }
            Err(throw) => raise(m, r, throw, None),
        };
    }
    let Some(predicate) = put_construct(m, goal, module, (home, barrier)) else {
        fail(m, &mut r);
        return r;
    };
    if interpreted {
        uncount_call(m);
    }
    enter(m, r, predicate.0)
}

/// Puts the parts of a control construct into the registers, with the module and the cut barrier of its body. Returns
/// the predicate that proves the construct.
fn put_construct(
    m: &mut Machine,
    goal: Cell,
    module: Atom,
    (home, barrier): (Cell, Cell),
) -> Option<PredId> {
    let (functor, args) = m.store.compound(goal)?;
    let system = &m.world.foundation.system;
    let left = m.store.arg(args, 0);
    if functor == functors::NOT {
        let (fails, holds) = (Cell::atom(atoms::FAIL), Cell::atom(atoms::TRUE));
        m.x[..5].copy_from_slice(&[left, fails, holds, home, barrier]);
        return Some(system.if_then_else);
    }
    let right = m.store.arg(args, 1);
    let (predicate, list): (PredId, &[Cell]) = match functor {
        functors::COMMA => (system.conjunction, &[left, right, home, barrier]),
        functors::ARROW => (system.if_then, &[left, right, home, barrier]),
        functors::SOFT_ARROW => (system.soft_if_then, &[left, right, home, barrier]),
        _ => match m.store.compound(left) {
            _ if module == atoms::LOLLI => (system.disjunction, &[left, right, home, barrier]),
            Some((functors::ARROW, parts)) => {
                let (c, t) = (m.store.arg(parts, 0), m.store.arg(parts, 1));
                (system.if_then_else, &[c, t, right, home, barrier])
            }
            Some((functors::SOFT_ARROW, parts)) => {
                let (c, t) = (m.store.arg(parts, 0), m.store.arg(parts, 1));
                (system.soft_if_then_else, &[c, t, right, home, barrier])
            }
            _ => (system.disjunction, &[left, right, home, barrier]),
        },
    };
    m.x[..list.len()].copy_from_slice(list);
    Some(predicate)
}

/// Undoes the count of a call that would be none in a compiled clause.
fn uncount_call(m: &mut Machine) {
    m.calls = m.calls.wrapping_sub(1);
}

// ---- entering predicates -----------------------------------------------------------------------

/// `link p`
#[inline(always)]
pub(crate) fn link(m: &mut Machine, mut r: Regs, w: u64) -> Result<Regs, Stop> {
    sync(m, &r);
    let id = PredId(wide(w));
    r.go(m.world.upper.link(m, id, None)?);
    m.world.predicates.link(id, r.p());
    Ok(r)
}

/// Returns the contents of the argument registers, for the selection of clauses.
#[inline(always)]
fn argument_keys(m: &Machine, arity: usize) -> CallKeys {
    let arity = if m.world.indexing { arity } else { 0 };
    CallKeys::new(arity, HeapAddr::of_table(&m.x)).whole(m.run.branches.is_some())
}

/// Returns the number of solutions of a call, if its predicate consists of facts and its arguments are different variables.
fn facts(m: &Machine, id: PredId, arity: usize) -> Option<Number> {
    let arguments = 1u64.checked_shl(arity as u32)? - 1;
    let mut clauses = m.world.predicates.get(id).clauses.iter();
    let all = m.are_different_variables(arguments) && clauses.all(|(_, clause)| clause.is_fact());
    all.then(|| Number::from_big(m.world.predicates.get(id).clauses.len().into()))
}

/// `dynamic p`
#[inline(always)]
pub(crate) fn dynamic(m: &mut Machine, mut r: Regs, w: u64) -> Regs {
    let id = PredId(wide(w));
    let generation = m.world.predicates.generation;
    let arity = m.world.predicates.get(id).functor.arity();
    if m.counts_next() && m.count_at_once(|m| facts(m, id, arity)) {
        fail(m, &mut r);
        return r;
    }
    let keys = &argument_keys(m, arity);
    let Some((code, second)) = m.world.predicates.first_clause(id, keys) else {
        fail(m, &mut r);
        return r;
    };
    if let Some((second, selection)) = second {
        let which = i64::from(id.0) | selection << 32;
        raw::set_register(&mut m.x, arity, Cell::int(which));
        raw::set_register(&mut m.x, arity + 1, Cell::int(second));
        raw::set_register(&mut m.x, arity + 2, Cell::int(generation as i64));
        let retry = r.p() + STUB_RETRY * WORD;
        if !m.push_choice(&r, arity + 3, NO_FRAME, retry, ChoiceKind::Dynamic) {
            return out_of_memory(m, r);
        }
        if m.store.inspects_choices() && m.note_choice() {
            fail(m, &mut r);
            return r;
        }
    }
    r.go(code);
    r
}

/// `dynamic_retry`
#[inline(always)]
pub(crate) fn dynamic_retry(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    m.restore(&mut r);
    let b = m.choice;
    let arity = m.choice_args(b) - 3;
    let which = m.choice_arg(b, arity).int_value();
    let id = PredId(which as u32);
    let position = m.choice_arg(b, arity + 1).int_value();
    let generation = m.choice_arg(b, arity + 2).int_value() as u64;
    let keys = &argument_keys(m, arity);
    let selection = (which >> 32, keys);
    let predicates = &mut m.world.predicates;
    let (code, next) = predicates.next_clause(id, selection, position, generation);
    match next {
        Some(next) => {
            raw::set_cell(b.argument(arity as u64 + 1), Cell::int(next));
        }
        None => m.pop_choice(),
    }
    match code {
        Some(code) => r.go(code),
        None => fail(m, &mut r),
    }
    r
}

/// `meta_call n`: X0 is the goal, n - 1 further arguments follow.
#[inline(always)]
pub(crate) fn call_known(m: &mut Machine, r: Regs, w: u64) -> Regs {
    let extra = slot_a(w) - 1;
    let (mut goal, mut module) = (deref(raw::register(&m.x, 0)), atoms::USER);
    if goal.tag() == tag::STR && raw::cell(goal.addr()) == Cell::functor(functors::COLON) {
        let name = deref(raw::cell(goal.addr() + WORD));
        if !name.is_atom() {
            return rare(m, r, rarely!(meta_call));
        }
        module = name.as_atom();
        goal = deref(raw::cell(goal.addr() + 2 * WORD));
    }
    let key = key_of(goal);
    let Some(predicate) = m.world.call_cache.find(key, module, extra) else {
        return rare(m, r, rarely!(meta_call));
    };
    let arity = if goal.tag() == tag::STR {
        key.as_functor().arity()
    } else {
        0
    };
    if arity == 0 {
        for index in 0..extra {
            let cell = raw::register(&m.x, index + 1);
            raw::set_register(&mut m.x, index, one_by_one(cell));
        }
    } else {
        for index in (0..extra).rev() {
            let cell = raw::register(&m.x, index + 1);
            raw::set_register(&mut m.x, index + arity, one_by_one(cell));
        }
        for index in 0..arity {
            let cell = raw::cell(goal.addr() + (index as u64 + 1) * WORD);
            raw::set_register(&mut m.x, index, one_by_one(cell));
        }
    }
    enter(m, r, predicate.0)
}
