//! Evaluation of terms (ISO 13211-1, clause 9): from a term to its value, with the error terms of 7.9.2. The
//! functions themselves are in `arith`.
//!
//! The evaluator uses a stack of its own, so deep terms take no Rust stack. A cyclic term has no value: after many
//! steps the evaluator looks for a cycle.
#![forbid(unsafe_code)]

use super::control::throw::{Ball, Throw};
use super::run::Waiting;
use super::state::Machine;
use crate::arith::error::ArithError;
use crate::arith::evaluable::{self, EvalHost, EvalId};
use crate::arith::large::Bounds;
use crate::arith::random::RandomState;
use crate::arith::small::{self, Small};
use crate::base::atom_table::{Functor, atoms, functors};
use crate::base::growth::{Grow, Within};
use crate::base::needs::{Clock, Needs, Permit, Random};
use crate::base::number::Number;
use crate::base::stop::Stop;
use crate::store::address::HeapAddr;
use crate::store::cell::{Cell, WORD};
use crate::store::heap::View;
use crate::store::os;

/// Number of steps after which the evaluator looks for a cycle. After each further such number of steps it looks
/// whether the work is to be stopped.
const MANY_STEPS: u64 = 1 << 12;
/// Maximum number of bits of a result, even if memory allows more. So no operation on numbers
/// takes longer than a few seconds.
const MAX_BITS: usize = 1 << 27;

/// The next use of the value of an argument.
enum Task {
    /// Apply a functor of arity 1.
    One(EvalId),
    /// Evaluate the second argument, which lies at this address, and apply a functor of arity 2.
    Second(EvalId, HeapAddr),
    /// Apply a functor of arity 2 to the last value that was put aside and this one.
    Two(EvalId),
    /// Evaluate the arguments from this address on; the first number counts them. Then apply a functor to all
    /// arguments; the second number is its arity.
    More(EvalId, HeapAddr, usize, usize),
}

/// Evaluates a term.
pub(crate) fn evaluate(m: &mut Machine, term: Cell) -> Result<Number, Throw> {
    match m.store.view(term) {
        View::Int(value) => Ok(Number::Int(value)),
        View::Float(value) => Ok(Number::Float(value)),
        View::Big(addr) => Ok(Number::from_big(m.store.big(addr)?)),
        View::Struct(functor, addr) => evaluate_compound(m, term, functor, addr),
        _ => run(m, term),
    }
}

fn evaluate_compound(
    m: &mut Machine,
    term: Cell,
    functor: Functor,
    addr: HeapAddr,
) -> Result<Number, Throw> {
    match small_value(m, functor, addr) {
        Some(Small::Int(value)) => Ok(Number::Int(value)),
        Some(Small::Float(value)) => Ok(Number::Float(value)),
        None => run(m, term),
    }
}

/// Maximum number of steps of [`small_value`]: it does not look for cycles or stop requests.
const FEW_STEPS: usize = 1 << 16;

/// Maximum capacity of the list of waiting functions that is kept for the next evaluation.
const KEPT: usize = 1 << 12;

/// Evaluates a compound with the fast functions for numbers of one word. Returns `None` if a function or a value
/// needs more. The functions have no effects, so the evaluation can begin again in another way.
fn small_value(m: &mut Machine, functor: Functor, addr: HeapAddr) -> Option<Small> {
    let mut waiting = std::mem::take(&mut m.run.waiting);
    waiting.clear();
    let value = value_of_small(m, &mut waiting, functor, addr);
    if waiting.capacity() <= KEPT {
        m.run.waiting = waiting;
    }
    value
}

fn value_of_small(
    m: &Machine,
    waiting: &mut Vec<Waiting>,
    mut functor: Functor,
    mut addr: HeapAddr,
) -> Option<Small> {
    let (rows, iso) = (&m.world.foundation.evaluable_rows, m.world.flags.iso);
    let mut steps = 0;
    loop {
        // Descend to a first argument that is a number.
        let mut value = loop {
            steps += 1;
            if steps == FEW_STEPS {
                return None;
            }
            let id = rows.find(functor)?;
            let function = match functor.arity() {
                1 => Waiting::One(id),
                2 => Waiting::First(id, addr + WORD),
                _ => return None,
            };
            waiting.put(function).ok()?;
            match small_number(m, m.store.at(addr)) {
                Ok(value) => break value,
                Err(compound) => (functor, addr) = compound?,
            }
        };
        // Ascend to a second argument that is no number.
        (functor, addr) = loop {
            value = match waiting.pop() {
                None => return Some(value),
                Some(Waiting::One(id)) => small::apply1(id, value)?,
                Some(Waiting::Second(id, first)) => small::apply2(id, first, value, iso)?,
                Some(Waiting::First(id, second)) => match small_number(m, m.store.at(second)) {
                    Ok(other) => small::apply2(id, value, other, iso)?,
                    Err(compound) => {
                        waiting.put_within(Waiting::Second(id, value));
                        break compound?;
                    }
                },
            };
        };
    }
}

/// Returns a number of one word. Otherwise returns the functor and the arguments of a compound as the error.
#[inline(always)]
fn small_number(m: &Machine, cell: Cell) -> Result<Small, Option<(Functor, HeapAddr)>> {
    match m.store.view(cell) {
        View::Int(value) => Ok(Small::Int(value)),
        View::Float(value) => Ok(Small::Float(value)),
        View::Struct(functor, addr) => Err(Some((functor, addr))),
        _ => Err(None),
    }
}

fn number(m: &Machine, cell: Cell) -> Option<Number> {
    match m.store.view(cell) {
        View::Int(value) => Some(Number::Int(value)),
        View::Float(value) => Some(Number::Float(value)),
        _ => None,
    }
}

#[inline]
fn functor_id(m: &mut Machine, functor: Functor) -> Result<EvalId, Throw> {
    match m.world.foundation.evaluable_rows.find(functor) {
        Some(id) => Ok(id),
        None => Err(not_evaluable(m, functor)),
    }
}

fn not_evaluable(m: &mut Machine, functor: Functor) -> Throw {
    let culprit = m.indicator(functor);
    m.type_error(atoms::EVALUABLE, culprit)
}

/// Evaluates a term of any form.
fn run(m: &mut Machine, whole: Cell) -> Result<Number, Throw> {
    let mut tasks = Vec::new();
    let mut aside: Vec<Number> = Vec::new();
    let (mut term, mut steps) = (whole, 0u64);
    loop {
        // Descend to a first argument that is no compound.
        let mut value = loop {
            steps += 1;
            if steps.is_multiple_of(MANY_STEPS) {
                look_around(m, whole, steps)?;
            }
            match m.store.view(term) {
                View::Int(value) => break Number::Int(value),
                View::Struct(functor, addr) => {
                    let id = functor_id(m, functor)?;
                    match functor.arity() {
                        0 => break apply0(m, id)?,
                        1 => tasks.put(Task::One(id)),
                        2 => tasks.put(Task::Second(id, addr + WORD)),
                        arity => tasks.put(Task::More(id, addr + WORD, arity - 1, arity)),
                    }?;
                    term = m.store.arg(addr, 0);
                }
                View::List(addr) => match element(m, addr)? {
                    Element::Code(code) => break code,
                    Element::Term(inner) => term = inner,
                },
                _ => break leaf(m, term)?,
            }
        };
        // Ascend to an argument that must be evaluated.
        term = loop {
            value = match tasks.pop() {
                None => return Ok(value),
                Some(Task::One(id)) => apply1(m, id, &value)?,
                Some(Task::Second(id, at)) => {
                    let second = m.store.at(at);
                    match number(m, second) {
                        Some(y) => apply2_taking(m, id, value, y)?,
                        None => {
                            aside.put(value)?;
                            tasks.put(Task::Two(id))?;
                            break second;
                        }
                    }
                }
                Some(Task::Two(id)) => match aside.pop() {
                    Some(x) => apply2_taking(m, id, x, value)?,
                    None => unreachable!("the first value was put aside"),
                },
                Some(Task::More(id, at, left, arity)) => {
                    aside.put(value)?;
                    if left > 0 {
                        tasks.put(Task::More(id, at + WORD, left - 1, arity))?;
                        break m.store.at(at);
                    }
                    let from = aside.len() - arity;
                    let result = evaluable::apply(id, &aside[from..], m);
                    aside.truncate(from);
                    result.map_err(|error| arith_error(m, error))?
                }
            };
        };
    }
}

/// Looks whether the term is cyclic or the work is to be stopped. The evaluator calls it after many steps.
#[cold]
fn look_around(m: &mut Machine, whole: Cell, steps: u64) -> Result<(), Throw> {
    if steps == MANY_STEPS && !m.store.acyclic_term(whole)? {
        let expected = m.world.symbols.intern("expression")?;
        return Err(m.type_error(expected, whole));
    }
    if m.store.events.watch.stop_wanted_after(MANY_STEPS as usize) {
        return Err(Throw::new(Ball::Aborted));
    }
    Ok(())
}

/// The meaning of a list of one element.
enum Element {
    /// The code of a character.
    Code(Number),
    /// Another term.
    Term(Cell),
}

fn element(m: &mut Machine, addr: HeapAddr) -> Result<Element, Throw> {
    if m.store.arg(addr, 1) != Cell::atom(atoms::NIL) {
        return Err(not_evaluable(m, functors::LIST));
    }
    let head = m.store.arg(addr, 0);
    if let View::Atom(atom) = m.store.view(head)
        && let Some(code) = single_char(m.world.symbols.text(atom))
    {
        return Ok(Element::Code(code));
    }
    Ok(Element::Term(head))
}

/// Evaluates a term without arguments.
fn leaf(m: &mut Machine, term: Cell) -> Result<Number, Throw> {
    match m.store.view(term) {
        View::Int(value) => Ok(Number::Int(value)),
        View::Float(value) => Ok(Number::Float(value)),
        View::Big(addr) => Ok(Number::from_big(m.store.big(addr)?)),
        View::Var(_) => Err(m.instantiation_error()),
        View::Atom(atom) => {
            let functor = m.world.symbols.functor_passing(atom, 0)?;
            let id = functor_id(m, functor)?;
            apply0(m, id)
        }
        View::String(addr) => match single_char(m.store.text(addr)) {
            Some(code) => Ok(code),
            None => Err(m.type_error(atoms::EVALUABLE, term)),
        },
        View::Struct(..) | View::List(_) => unreachable!("compounds are taken apart before"),
    }
}

fn single_char(text: &str) -> Option<Number> {
    let mut chars = text.chars();
    match (chars.next(), chars.next()) {
        (Some(char), None) => Some(Number::Int(i64::from(u32::from(char)))),
        _ => None,
    }
}

/// Evaluates a functor of arity 0.
pub(crate) fn apply0(m: &mut Machine, id: EvalId) -> Result<Number, Throw> {
    evaluable::apply0(id, m).map_err(|error| arith_error(m, error))
}

/// Evaluates a functor of arity 1 for a value.
pub(crate) fn apply1(m: &mut Machine, id: EvalId, x: &Number) -> Result<Number, Throw> {
    evaluable::apply1(id, x, m).map_err(|error| arith_error(m, error))
}

/// Evaluates a functor of arity 2 for values that it may consume.
pub(crate) fn apply2_taking(
    m: &mut Machine,
    id: EvalId,
    x: Number,
    y: Number,
) -> Result<Number, Throw> {
    evaluable::apply2_taking(id, x, y, m).map_err(|error| arith_error(m, error))
}

/// Returns the exception for an error of evaluation.
#[cold]
pub(crate) fn arith_error(m: &mut Machine, error: ArithError) -> Throw {
    made_of(m, error).unwrap_or_else(Throw::from)
}

fn made_of(m: &mut Machine, error: ArithError) -> Result<Throw, Stop> {
    if let ArithError::Refused(need) = error {
        return Ok(match m.world.host.refusing {
            Some(_) if m.grants(need) => m.refused_effect(),
            _ => m.refused(need),
        });
    }
    let (ArithError::Evaluation(word)
    | ArithError::Type(word, _)
    | ArithError::Domain(word, _)
    | ArithError::Resource(word)) = error
    else {
        return Err(Stop);
    };
    let word = m.world.symbols.intern(word)?;
    Ok(match error {
        ArithError::Evaluation(_) => m.evaluation_error(word),
        ArithError::Type(_, culprit) => {
            let culprit = m.store.new_number(&culprit)?;
            m.type_error(word, culprit)
        }
        ArithError::Domain(_, culprit) => {
            let culprit = m.store.new_number(&culprit)?;
            m.domain_error(word, culprit)
        }
        _ => m.resource_error(word),
    })
}

impl EvalHost for Machine {
    fn random_below(
        &mut self,
        random: &Permit<Random>,
        limit: &Number,
    ) -> Result<Number, ArithError> {
        self.note_effect();
        Ok(self.random(random).number_below(limit)?)
    }

    fn random_float(&mut self, random: &Permit<Random>) -> f64 {
        self.note_effect();
        self.random(random).float()
    }

    fn cputime(&self, clock: &Permit<Clock>) -> f64 {
        match self.world.host.policy.now {
            Some(_) => 0.0,
            None => os::cpu_time(clock),
        }
    }

    fn realtime(&self, clock: &Permit<Clock>) -> i64 {
        self.world.host.policy.epoch(clock) as i64
    }

    fn grants(&self, need: Needs) -> bool {
        let drawn = need == Needs::RANDOM && self.world.host.refusing.is_some();
        !drawn && Machine::grants(self, need)
    }

    fn bounds(&self) -> Bounds<'_> {
        let free = (self.store.heap.end - self.store.heap_top) as usize;
        Bounds {
            max_bits: MAX_BITS.min(free.saturating_mul(4)),
            watch: &self.store.events.watch,
        }
    }

    fn iso(&self) -> bool {
        self.world.flags.iso
    }
}

impl Machine {
    /// Reseeds the random numbers of this engine: with the seed of the policy, or unpredictably.
    pub(crate) fn restart_random(&mut self, random: &Permit<Random>) {
        *self.random(random) = match self.world.host.policy.seed {
            Some(seed) => RandomState::new(seed),
            None => RandomState::unseeded(),
        };
    }

    /// Returns the random number generator of this engine.
    pub(crate) fn random(&mut self, random: &Permit<Random>) -> &mut RandomState {
        self.world.host.random.get(random)
    }
}
