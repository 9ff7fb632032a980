//! Compiled lambda expressions, as debuggers and other observers of goals see them.
//!
//! In a clause compiled from a text, closures `'$lambda':Name(Context...)` replace the lambda expressions. The
//! predicate has one clause, stored as `Name(Context..., _...) :- Expression`. While goals are watched, the machine
//! puts the expressions back before a goal is called, and calls them.
#![forbid(unsafe_code)]

use crate::base::atom_table::{atoms, functors};
use crate::base::growth::Grow;
use crate::base::stop::Stop;
use crate::code::instruction::{Op, decode, wide};
use crate::machine::dispatch::regs::Regs;
use crate::machine::state::Machine;
use crate::program::predicate::{Kind, PredId};
use crate::store::cell::Cell;
use crate::store::heap::View;

/// Maximum number of parts of a goal that are searched. Goals in texts have fewer relevant parts.
const MOST_PARTS: usize = 1000;
/// Maximum depth of the search.
const DEEPEST: usize = 100;
/// Maximum number of arguments that a call adds to such a closure.
const MOST_PARAMETERS: usize = 8;

/// Puts lambda expressions back into the goals that the instruction at P passes on. Runs before each instruction
/// while goals are watched. Returns whether there were any: then the machine starts the instruction again.
pub(in crate::machine) fn put_back(m: &mut Machine, r: &mut Regs, word: u64) -> Result<bool, Stop> {
    if m.world.modules.find(atoms::LAMBDAS).is_none() {
        return Ok(false);
    }
    m.store.heap_top = r.h;
    let mut any = false;
    match decode(word) {
        Some(Op::MetaCall | Op::BodyCall | Op::CatchBegin | Op::CleanupBegin) => {
            any = put_back_in(m, 0, true)?;
        }
        Some(Op::Call | Op::Execute | Op::DeallocateExecute) => {
            let called = PredId(wide(word));
            // An imported predicate gets the module when it is called.
            let qualified = m.is_system_module(m.world.predicates.get(called).module);
            let predicate = m.world.predicates.get(m.definition(called));
            // It is unknown which arguments of an unloaded predicate are goals.
            let unknown = predicate.kind == Kind::Undefined;
            let (modes, arity) = (predicate.meta.clone(), predicate.functor.arity());
            for index in 0..arity {
                let mode = modes.as_ref().and_then(|modes| modes.get(index));
                if unknown || mode.is_some_and(|mode| mode.sensitive()) {
                    any |= put_back_in(m, index, qualified)?;
                }
            }
        }
        _ => {}
    }
    r.h = m.store.heap_top;
    Ok(any)
}

fn put_back_in(m: &mut Machine, register: usize, qualified: bool) -> Result<bool, Stop> {
    let found = m.with_expressions(m.x[register], qualified)?;
    if let Some(goal) = found {
        m.x[register] = goal;
    }
    Ok(found.is_some())
}

/// A term whose arguments are being searched.
struct Open {
    term: Cell,
    next: usize,
    changed: Vec<(usize, Cell)>,
}

impl Machine {
    /// Returns the goal with lambda expressions in place of their closures, or `None` if it has no closures.
    /// `qualified` says whether a goal that is itself a closure keeps its module.
    fn with_expressions(&mut self, goal: Cell, qualified: bool) -> Result<Option<Cell>, Stop> {
        let (mut open, mut parts): (Vec<Open>, usize) = (Vec::new(), 0);
        let mut part = Some(goal);
        loop {
            // The new value of the part, if the part has no parts itself.
            let mut done = None;
            if let Some(term) = part.take() {
                parts += 1;
                let expression = self.expression(term, qualified && open.is_empty())?;
                match self.store.view(term) {
                    View::Struct(..)
                        if expression.is_none() && parts < MOST_PARTS && open.len() < DEEPEST =>
                    {
                        open.put(Open {
                            term,
                            next: 0,
                            changed: Vec::new(),
                        })?;
                    }
                    _ if open.is_empty() => return Ok(expression),
                    _ => done = expression,
                }
            }
            loop {
                let Some(inner) = open.last_mut() else {
                    return Ok(done);
                };
                if let Some(cell) = done.take() {
                    inner.changed.put((inner.next - 1, cell))?;
                }
                let View::Struct(functor, args) = self.store.view(inner.term) else {
                    unreachable!("only compound terms are gone through")
                };
                if inner.next < functor.arity() {
                    part = Some(self.store.arg(args, inner.next));
                    inner.next += 1;
                    break;
                }
                let changed = std::mem::take(&mut inner.changed);
                open.pop();
                if changed.is_empty() {
                    continue;
                }
                let mut cells = Vec::new();
                for index in 0..functor.arity() {
                    cells.put(self.store.arg(args, index))?;
                }
                for (index, cell) in changed {
                    cells[index] = cell;
                }
                self.store.reserve(cells.len() + 1)?;
                done = Some(self.store.new_struct(functor, &cells));
            }
        }
    }

    /// Returns the lambda expression of a closure. If `qualified`, the expression keeps its module unless that is
    /// `user`.
    fn expression(&mut self, closure: Cell, qualified: bool) -> Result<Option<Cell>, Stop> {
        let View::Struct(functors::COLON, args) = self.store.view(closure) else {
            return Ok(None);
        };
        let (module, goal) = (self.store.arg(args, 0), self.store.arg(args, 1));
        if self.store.view(module) != View::Atom(atoms::LAMBDAS) {
            return Ok(None);
        }
        let (name, given) = match self.store.view(goal) {
            View::Atom(name) => (name, None),
            View::Struct(functor, args) => {
                (self.world.symbols.name(functor), Some((functor, args)))
            }
            _ => return Ok(None),
        };
        let context = given.map_or(0, |(functor, _)| functor.arity());
        let kept = (context..=context + MOST_PARAMETERS).find_map(|arity| {
            let functor = self.world.symbols.find_functor(name, arity)?;
            let id = self.world.predicates.find(atoms::LAMBDAS, functor)?;
            let (_, clause) = self.world.predicates.get(id).clauses.iter().next()?;
            Some(clause.clone())
        });
        let Some(clause) = kept else {
            return Ok(None);
        };
        let clause = clause.load(&mut self.store)?;
        let View::Struct(functors::NECK, args) = self.store.view(clause) else {
            return Ok(None);
        };
        let expression = self.store.arg(args, 1);
        let (head, _) = self.strip_module(self.store.arg(args, 0), atoms::LAMBDAS);
        if let (Some((_, given)), Some((_, known))) = (given, self.store.compound(head)) {
            for index in 0..context {
                let (known, given) = (self.store.arg(known, index), self.store.arg(given, index));
                self.store.unify(known, given)?;
            }
        }
        Ok(Some(match qualified {
            true => expression,
            false => self.strip_module(expression, atoms::USER).0,
        }))
    }
}
