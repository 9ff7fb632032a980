//! Evaluation of terms (ISO 13211-1, clause 9): from a term to its value, with the error terms of
//! 7.9.2. The functions themselves are those of `arith`.
//!
//! A term is evaluated with a stack of its own, so its depth costs no Rust stack. A cyclic term
//! has no value: after many steps the evaluator looks for a cycle.

use super::state::Machine;
use super::throw::{Ball, Throw};
use crate::arith::error::ArithError;
use crate::arith::evaluable::{self, EvalHost, EvalId};
use crate::arith::large::Bounds;
use crate::arith::random::RandomState;
use crate::base::grow::Grow;
use crate::base::number::Number;
use crate::base::symbol::{Atom, FastMap, Functor, atoms, functors};
use crate::store::cell::{Addr, Cell, WORD};
use crate::store::heap::View;
use crate::store::os;
use std::hash::{BuildHasher, Hasher};
use std::time::{SystemTime, UNIX_EPOCH};

/// Steps after which the evaluator looks whether the term is cyclic.
const MANY_STEPS: u64 = 1 << 16;
/// Steps between two looks at the interrupt flag.
const POLL_STEPS: u64 = 1 << 16;
/// The greatest number of bits of a result, however much memory there is: no operation on numbers
/// shall take longer than a few seconds.
const MAX_BITS: usize = 1 << 27;

/// What is left to do.
enum Task {
    /// Evaluate the terms from this address on, this many of them; then apply.
    Arguments(Addr, usize),
    /// Apply a functor of this arity to the last values.
    Apply(EvalId, usize),
}

/// The rows of evaluable functors by name and arity.
#[derive(Default)]
struct EvaluableIndex {
    rows: FastMap<(Atom, u32), EvalId>,
}

/// The evaluable functor `name/arity`.
pub(crate) fn lookup(m: &mut Machine, name: Atom, arity: usize) -> Option<EvalId> {
    let index = m.extensions.get::<EvaluableIndex>();
    if index.rows.is_empty() {
        for (id, row) in evaluable::all() {
            index
                .rows
                .insert((m.symbols.intern(row.name), row.arity() as u32), id);
        }
    }
    index.rows.get(&(name, u32::try_from(arity).ok()?)).copied()
}

/// The value of a term.
pub(crate) fn evaluate(m: &mut Machine, term: Cell) -> Result<Number, Throw> {
    match m.store.view(term) {
        View::Int(value) => Ok(Number::Int(value)),
        View::Float(value) => Ok(Number::Float(value)),
        View::Struct(functor, addr) => evaluate_compound(m, term, functor, addr),
        _ => {
            let mut tasks = Vec::new();
            match leaf(m, term, &mut tasks)? {
                Some(value) => Ok(value),
                None => run(m, term, tasks),
            }
        }
    }
}

fn evaluate_compound(
    m: &mut Machine,
    term: Cell,
    functor: Functor,
    addr: Addr,
) -> Result<Number, Throw> {
    let id = functor_id(m, functor)?;
    let arity = functor.arity();
    // The commonest terms need no stack.
    match arity {
        1 => {
            if let Some(x) = small_number(m, m.store.arg(addr, 0)) {
                return apply1(m, id, &x);
            }
        }
        2 => {
            let (x, y) = (m.store.arg(addr, 0), m.store.arg(addr, 1));
            if let (Some(x), Some(y)) = (small_number(m, x), small_number(m, y)) {
                return apply2(m, id, &x, &y);
            }
        }
        _ => {}
    }
    run(
        m,
        term,
        vec![Task::Apply(id, arity), Task::Arguments(addr, arity)],
    )
}

fn small_number(m: &Machine, cell: Cell) -> Option<Number> {
    match m.store.view(cell) {
        View::Int(value) => Some(Number::Int(value)),
        View::Float(value) => Some(Number::Float(value)),
        _ => None,
    }
}

fn functor_id(m: &mut Machine, functor: Functor) -> Result<EvalId, Throw> {
    let name = m.symbols.name(functor);
    match lookup(m, name, functor.arity()) {
        Some(id) => Ok(id),
        None => Err(not_evaluable(m, functor)),
    }
}

fn not_evaluable(m: &mut Machine, functor: Functor) -> Throw {
    let culprit = m.indicator(functor);
    m.type_error(atoms::EVALUABLE, culprit)
}

/// Does what is left to do, and gives the last value. `term` is the whole, for an error.
fn run(m: &mut Machine, term: Cell, mut tasks: Vec<Task>) -> Result<Number, Throw> {
    let mut values: Vec<Number> = Vec::new();
    let mut steps = 0u64;
    while let Some(task) = tasks.pop() {
        match task {
            Task::Arguments(addr, count) => {
                if count > 1 {
                    tasks.put(Task::Arguments(addr + WORD, count - 1));
                }
                let argument = m.store.arg(addr, 0);
                if let Some(value) = leaf(m, argument, &mut tasks)? {
                    values.put(value);
                }
            }
            Task::Apply(id, arity) => {
                let from = values.len() - arity;
                let value = match values[from..] {
                    [ref x] => apply1(m, id, x)?,
                    [ref x, ref y] => apply2(m, id, x, y)?,
                    _ => {
                        let result = evaluable::apply(id, &values[from..], m);
                        result.map_err(|error| arith_error(m, error))?
                    }
                };
                values.truncate(from);
                values.put(value);
            }
        }
        steps += 1;
        if steps == MANY_STEPS && !m.store.acyclic_term(term) {
            let expected = m.symbols.intern("expression");
            return Err(m.type_error(expected, term));
        }
        if steps.is_multiple_of(POLL_STEPS) && m.store.events.stop_wanted() {
            return Err(Throw::new(Ball::Aborted));
        }
    }
    match values.pop() {
        Some(value) => Ok(value),
        None => unreachable!("every task leaves a value"),
    }
}

/// The value of what is no compound; of a compound, `None` and its tasks.
fn leaf(m: &mut Machine, term: Cell, tasks: &mut Vec<Task>) -> Result<Option<Number>, Throw> {
    match m.store.view(term) {
        View::Int(value) => Ok(Some(Number::Int(value))),
        View::Float(value) => Ok(Some(Number::Float(value))),
        View::Big(addr) => Ok(Some(Number::from_big(m.store.big(addr)))),
        View::Var(_) => Err(m.instantiation_error()),
        View::Struct(functor, addr) => {
            let id = functor_id(m, functor)?;
            let arity = functor.arity();
            tasks.put(Task::Apply(id, arity));
            tasks.put(Task::Arguments(addr, arity));
            Ok(None)
        }
        View::Atom(atom) => match lookup(m, atom, 0) {
            Some(id) => apply0(m, id).map(Some),
            None => {
                let functor = m.symbols.functor(atom, 0);
                Err(not_evaluable(m, functor))
            }
        },
        View::List(addr) => {
            if m.store.arg(addr, 1) != Cell::atom(atoms::NIL) {
                return Err(not_evaluable(m, functors::LIST));
            }
            let head = m.store.arg(addr, 0);
            if let View::Atom(atom) = m.store.view(head)
                && let Some(code) = single_char(m.symbols.text(atom))
            {
                return Ok(Some(code));
            }
            tasks.put(Task::Arguments(addr, 1));
            Ok(None)
        }
        View::String(addr) => match single_char(m.store.text(addr)) {
            Some(code) => Ok(Some(code)),
            None => Err(m.type_error(atoms::EVALUABLE, term)),
        },
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

/// Evaluates a functor of arity 1 of a value.
pub(crate) fn apply1(m: &mut Machine, id: EvalId, x: &Number) -> Result<Number, Throw> {
    evaluable::apply1(id, x, m).map_err(|error| arith_error(m, error))
}

/// Evaluates a functor of arity 2 of values.
pub(crate) fn apply2(m: &mut Machine, id: EvalId, x: &Number, y: &Number) -> Result<Number, Throw> {
    evaluable::apply2(id, x, y, m).map_err(|error| arith_error(m, error))
}

/// The exception of an error of evaluation.
#[cold]
pub(crate) fn arith_error(m: &mut Machine, error: ArithError) -> Throw {
    match error {
        ArithError::Evaluation(what) => {
            let what = m.symbols.intern(what);
            m.evaluation_error(what)
        }
        ArithError::Type(expected, culprit) => {
            let expected = m.symbols.intern(expected);
            match m.store.new_number(&culprit) {
                Ok(culprit) => m.type_error(expected, culprit),
                Err(full) => full.into(),
            }
        }
        ArithError::Domain(expected, culprit) => {
            let expected = m.symbols.intern(expected);
            match m.store.new_number(&culprit) {
                Ok(culprit) => m.domain_error(expected, culprit),
                Err(full) => full.into(),
            }
        }
        ArithError::Stopped => Throw::new(Ball::Aborted),
        ArithError::Resource(what) => {
            let what = m.symbols.intern(what);
            m.resource_error(what)
        }
    }
}

impl EvalHost for Machine {
    fn random_below(&mut self, limit: &Number) -> Number {
        self.extensions.get::<Random>().0.number_below(limit)
    }

    fn random_float(&mut self) -> f64 {
        self.extensions.get::<Random>().0.float()
    }

    fn cputime(&self) -> f64 {
        os::cpu_time()
    }

    fn realtime(&self) -> i64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        since.map_or(0, |time| i64::try_from(time.as_secs()).unwrap_or(i64::MAX))
    }

    fn bounds(&self) -> Bounds<'_> {
        let free = (self.store.heap.end - self.store.heap_top) as usize;
        Bounds {
            max_bits: MAX_BITS.min(free.saturating_mul(4)),
            watch: &self.store.events.watch,
        }
    }

    fn iso(&self) -> bool {
        self.flags.iso
    }
}

/// The random numbers of an engine.
pub(crate) struct Random(pub(crate) RandomState);

impl Default for Random {
    /// Starts somewhere else each time.
    fn default() -> Random {
        let keys = std::collections::hash_map::RandomState::new();
        Random(RandomState::new(keys.build_hasher().finish()))
    }
}
