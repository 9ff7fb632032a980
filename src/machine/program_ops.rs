//! The predicates that exist before any text is loaded: builtins and control.
#![forbid(unsafe_code)]

use super::builtin::{Body, Class};
use super::frames::stubs;
use super::state::Machine;
use super::world::SystemPredicates;
use crate::base::atom_table::{Functor, atoms};
use crate::base::growth::Grow;
use crate::base::stop::Stop;
use crate::code::instruction::{Op, encode, encode_wide};
use crate::program::predicate::{Kind, PredId};

/// Maximum number of arguments of call/N.
const MAX_CALL: usize = 8;

impl Machine {
    fn define_builtins(&mut self) -> Result<(), Stop> {
        for index in 0..self.world.host.builtins.len() {
            let builtin = self.world.host.builtins[index];
            if builtin.class == Class::Internal {
                self.world.foundation.own().builtin_functors.put(None)?;
                continue;
            }
            let arity = builtin.modes.len();
            let id = self.system_predicate(builtin.name, arity)?;
            let predicate = self.world.predicates.get_mut(id);
            let functors = &mut self.world.foundation.own().builtin_functors;
            functors.put(Some(predicate.functor))?;
            predicate.kind = Kind::Builtin(index as u32);
            predicate.traits.protected = builtin.class == Class::Iso;
            let index = index as u32;
            let (first, retry) = match (builtin.name, arity) {
                ("arg", 3) => (Op::Arg, Op::NondetRetry),
                ("between", 3) => (Op::Nondet, Op::BetweenRetry),
                _ => (Op::Nondet, Op::NondetRetry),
            };
            let words = match builtin.body {
                Body::Det(_) => [encode_wide(Op::BuiltinProceed, 0, index), 0, 0],
                Body::Nondet(_) | Body::Search(_) => [
                    encode_wide(first, arity as u16, index),
                    encode_wide(retry, arity as u16, index),
                    match retry {
                        Op::BetweenRetry => encode_wide(Op::BetweenNext, arity as u16, index),
                        _ => 0,
                    },
                ],
            };
            self.world.predicates.set_stub(id, words);
        }
        Ok(())
    }

    /// Returns the name and arity of the builtin of this number.
    pub(crate) fn builtin_functor(&mut self, index: u32) -> Result<Functor, Stop> {
        if let Some(&Some(functor)) = self.world.foundation.builtin_functors.get(index as usize) {
            return Ok(functor);
        }
        let builtin = self.world.host.builtins[index as usize];
        let name = self.world.symbols.intern(builtin.name)?;
        self.world.symbols.functor(name, builtin.modes.len())
    }

    /// Defines a predicate for every builtin, and for control predicates that have their own instructions.
    pub(crate) fn define_system_predicates(&mut self) -> Result<(), Stop> {
        self.world.modules.intern(atoms::SYSTEM)?.system = true;
        self.world.modules.intern(atoms::USER)?;
        self.define_builtins()?;
        for arity in 1..=MAX_CALL {
            let id = self.system_predicate("call", arity)?;
            self.control(id);
            self.world
                .predicates
                .set_stub(id, [encode(Op::MetaCall, arity as u16, 0, 0), 0, 0]);
        }
        for (name, arity, entry) in [
            ("catch", 3, stubs::catch_begin()),
            ("$call_cleanup", 2, stubs::cleanup_begin()),
            ("$body", 3, stubs::body_call()),
            ("$cut_to", 1, stubs::cut_to()),
            ("$record_begin", 1, stubs::record_begin()),
            ("$start_depth", 1, stubs::depth_begin()),
            ("$trace_begin", 1, stubs::trace_begin()),
            ("$table_run", 2, stubs::table_run()),
        ] {
            let id = self.system_predicate(name, arity)?;
            self.control(id);
            self.world.predicates.set_entry(id, entry);
        }
        let mut predicate = |module, name, arity| {
            let module = self.world.symbols.intern(module)?;
            let name = self.world.symbols.intern(name)?;
            let functor = self.world.symbols.functor(name, arity)?;
            self.intern_predicate(module, functor)
        };
        let system = SystemPredicates {
            from_prolog: predicate("lolli_session", "from_prolog", 1)?,
            exception: predicate("user", "exception", 3)?,
            clpz_monotonic: predicate("clpz", "monotonic", 0)?,
            undefined_goal: self.system_predicate("$undefined_goal", 1)?,
            undefined_variable: self.system_predicate("$undefined_variable", 2)?,
            run_wakeups: self.system_predicate("$run_wakeups", 1)?,
            within_scope: self.system_predicate("$within_scope", 1)?,
            wake_within_scope: self.system_predicate("$wake_within_scope", 1)?,
            try_unify: self.system_predicate("$try_unify", 2)?,
            run_cleanups: self.system_predicate("$clean_up", 1)?,
            run_cleanups_silently: self.system_predicate("$run_cleanups_silently", 1)?,
            body: self.system_predicate("$body", 3)?,
            conjunction: self.system_predicate("$and", 4)?,
            disjunction: self.system_predicate("$or", 4)?,
            if_then: self.system_predicate("$if", 4)?,
            if_then_else: self.system_predicate("$if", 5)?,
            soft_if_then: self.system_predicate("$soft", 4)?,
            soft_if_then_else: self.system_predicate("$soft", 5)?,
            table_unmet: self.system_predicate("$table_unmet", 2)?,
        };
        self.world.foundation.own().system = system;
        self.entries = self.world.predicates.entries();
        Ok(())
    }

    fn control(&mut self, id: PredId) {
        let predicate = self.world.predicates.get_mut(id);
        predicate.kind = Kind::Control;
        predicate.traits.protected = true;
    }

    fn system_predicate(&mut self, name: &str, arity: usize) -> Result<PredId, Stop> {
        let name = self.world.symbols.intern(name)?;
        let functor = self.world.symbols.functor(name, arity)?;
        let id = self.world.predicates.intern(atoms::SYSTEM, functor)?;
        let traits = &mut self.world.predicates.get_mut(id).traits;
        traits.system = true;
        Ok(id)
    }
}
