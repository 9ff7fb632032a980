//! Lolli in the machine: goals whose head is no name, and errors that show terms as Lolli text.
//!
//! Prolog calls a goal of Lolli as `lolli:Goal`. `lolli_session:from_prolog/1` then puts its terms together. When
//! Lolli itself, already in its module, calls such a goal, the goal is `lolli:lolli:Goal`.
#![forbid(unsafe_code)]

use super::control::throw::Throw;
use super::dispatch::endings::{call_system, out_of_memory};
use super::dispatch::regs::{MAX_PREDICATE_ARITY, Regs};
use super::state::Machine;
use crate::base::atom_table::{Atom, Functor, atoms, functors};
use crate::base::growth::GrowBy;
use crate::base::stop::Stop;
use crate::store::cell::{Cell, WORD};
use crate::store::heap::View;
use crate::store::raw;

impl Machine {
    /// Returns whether Prolog calls this goal, whose last module is `lolli`.
    pub(super) fn is_called_by_prolog(&self, mut called: Cell) -> bool {
        let mut before = atoms::USER;
        loop {
            let View::Struct(functors::COLON, args) = self.store.view(called) else {
                return true;
            };
            let View::Atom(module) = self.store.view(self.store.arg(args, 0)) else {
                return true;
            };
            if (before, module) == (atoms::LOLLI, atoms::LOLLI) {
                return false;
            }
            before = module;
            called = self.store.arg(args, 1);
        }
    }

    /// Puts the arguments of a goal of Lolli into the registers, followed by the `extra` arguments, which are in the
    /// registers after the first. Returns the functor of the goal. A goal whose head is an eigenvariable becomes
    /// `$app(Eigenvariable, …)`: only assumptions can match it.
    pub(super) fn spread_lolli(
        &mut self,
        mut goal: Cell,
        mut extra: usize,
    ) -> Result<Functor, Throw> {
        loop {
            goal = self.store.deref(goal);
            let (functor, args) = match self.store.view(goal) {
                View::Struct(functor, args) => (functor, args),
                View::Atom(_) | View::List(_) => return self.spread(goal, extra),
                View::Var(_) => {
                    let text = self.lolli_text(goal);
                    let message = format!("Unbound variable as goal ({text})");
                    let formal = Cell::atom(atoms::INSTANTIATION_ERROR);
                    return Err(self.throw_message(formal, Some(&message)));
                }
                _ => return Err(self.no_name_error(goal)),
            };
            if functor == functors::EIGENVARIABLE {
                self.x[0] = goal;
                return Ok(self.world.symbols.functor(atoms::APPLICATION, extra + 1)?);
            }
            if self.world.symbols.name(functor) != atoms::APPLICATION {
                return self.spread(goal, extra);
            }
            let count = functor.arity() - 1;
            if count == 0 && !self.store.acyclic_term(goal)? {
                return Err(self.type_error(atoms::ACYCLIC, goal));
            }
            if count + extra > MAX_PREDICATE_ARITY {
                return Err(self.representation_error(atoms::MAX_ARITY));
            }
            self.x.copy_within(1..=extra, 1 + count);
            for index in 1..=count {
                self.x[index] = raw::cell(args + index as u64 * WORD);
            }
            extra += count;
            goal = self.store.arg(args, 0);
        }
    }

    /// Returns a term of Lolli as other parts of the program see it: `f(a)` if the text has `X a` and X is bound to f.
    ///
    /// # Errors
    /// Returns an error if there is no room.
    pub(crate) fn apply_terms(&mut self, term: Cell) -> Result<Cell, Stop> {
        if !self.world.symbols.applications {
            return Ok(self.store.deref(term));
        }
        self.store.put_together(&mut self.world.symbols, term)
    }

    /// Returns the error for a number or a string as a goal or as the head of a clause.
    pub(crate) fn no_name_error(&mut self, culprit: Cell) -> Throw {
        let text = self.lolli_text(culprit);
        let message = format!("Non-name in function position ({text})");
        let callable = Cell::atom(atoms::CALLABLE);
        let formal = self
            .store
            .new_struct(functors::TYPE_ERROR, &[callable, culprit]);
        self.throw_message(formal, Some(&message))
    }

    /// Returns the error for a call of a builtin of Lolli with a wrong number of arguments. The
    /// arguments are in the registers.
    pub(super) fn special_arity_error(&mut self, functor: Functor) -> Throw {
        let name = self.world.symbols.name(functor);
        let args = match Vec::of(&self.x[..functor.arity()]) {
            Ok(args) => args,
            Err(full) => return full.into(),
        };
        let goal = match args.as_slice() {
            [] => Cell::atom(name),
            args => match self.store.reserve(args.len() + 1) {
                Ok(()) => self.store.new_struct(functor, args),
                Err(full) => return full.into(),
            },
        };
        let (text, goal) = (
            self.world.symbols.text(name).to_owned(),
            self.lolli_text(goal),
        );
        let message =
            format!("Built in predicate {text} called with the wrong number of arguments ({goal})");
        let indicator = self.indicator(functor);
        let procedure = Cell::atom(atoms::PROCEDURE);
        let formal = self
            .store
            .new_struct(functors::EXISTENCE_ERROR, &[procedure, indicator]);
        self.throw_message(formal, Some(&message))
    }

    /// Returns whether no clause may have this name in its head, with any number of arguments.
    pub(crate) fn is_special(&self, name: Atom) -> bool {
        self.world
            .modules
            .find(atoms::LOLLI)
            .is_some_and(|module| module.reserved.contains(&name))
    }

    /// Returns a term as Lolli text, for a message.
    pub(crate) fn lolli_text(&self, term: Cell) -> String {
        self.world.upper.lolli_text(self, term)
    }
}

/// Calls the goal of Lolli in the first register, with the `extra` arguments in the next ones, as a goal made by Prolog.
#[cold]
#[inline(never)]
pub(super) fn call_from_prolog(m: &mut Machine, mut r: Regs, extra: usize) -> Regs {
    if extra > 0 {
        if m.store.reserve(extra + 2).is_err() {
            return out_of_memory(m, r);
        }
        let Ok(functor) = m.world.symbols.functor(atoms::CALL, extra + 1) else {
            return out_of_memory(m, r);
        };
        m.x[0] = m.store.new_struct(functor, &m.x[..=extra]);
    }
    r.h = m.store.heap_top;
    let from_prolog = m.world.foundation.system.from_prolog;
    call_system(m, r, from_prolog)
}
