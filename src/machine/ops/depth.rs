//! Limits on the depth of calls: which calls count, and which are too deep. The frames of `watched` restore the count.
#![forbid(unsafe_code)]

use crate::base::stop::Stop;
use crate::code::instruction::{Op, wide};
use crate::machine::contexts::slots::word;
use crate::machine::control::called_goal;
use crate::machine::dispatch::endings;
use crate::machine::dispatch::regs::Regs;
use crate::machine::events::watching::Next;
use crate::machine::frames::stubs;
use crate::machine::state::Machine;
use crate::program::predicate::PredId;
use crate::store::cell::Cell;

impl Machine {
    /// Starts the goal of a limit.
    fn start_depth(&mut self, number: i64) -> Result<(), Stop> {
        if !self.run.budgets.depths.is_counting() {
            self.set_context(word::DEPTH, Cell::int(0));
        }
        let base = self.present_depth();
        self.run.budgets.depths.start(number, base)?;
        Ok(())
    }

    fn present_depth(&self) -> i64 {
        self.run.contexts.int(word::DEPTH)
    }

    /// Returns whether a predicate belongs to the system and programs do not call it by name.
    fn is_own(&self, predicate: PredId) -> bool {
        let predicate = self.world.predicates.get(predicate);
        let name = self.world.symbols.name(predicate.functor);
        predicate.traits.system && self.world.symbols.text(name).starts_with('$')
    }
}

/// `depth_begin`: starts the goal of the limit with the number in X0.
#[inline(always)]
pub(crate) fn begin(m: &mut Machine, mut r: Regs, _: u64) -> Result<Regs, Stop> {
    let number = endings::x(m, 0).int_value();
    m.start_depth(number)?;
    r.go(m.cont);
    Ok(r)
}

/// Returns the depth from which this call is made; `None` if the call does not count. Returns an error if it is too deep.
pub(in crate::machine) fn admits_call(
    m: &mut Machine,
    r: &Regs,
    next: Next,
) -> Result<Option<i64>, ()> {
    if !m.run.budgets.depths.is_counting() {
        return Ok(None);
    }
    let counts = match next.op {
        Op::BodyCall => called_goal::calls_predicate(m),
        // A goal of catch/3 or with a cleanup has the depth of that construct.
        Op::MetaCall => r.p() != stubs::call() || !m.calls_goals_separately(),
        // The instruction of call/N is counted itself.
        _ => !next.of_call && !m.is_own(PredId(wide(next.word))),
    };
    if !counts {
        return Ok(None);
    }
    let present = m.present_depth();
    match m.run.budgets.depths.admits(present) {
        true => Ok(Some(present)),
        false => Err(()),
    }
}

/// Returns whether this builtin may run in place.
pub(in crate::machine) fn admits_builtin(m: &mut Machine, w: u64) -> bool {
    let name = m.world.host.builtins[wide(w) as usize].name;
    let present = m.present_depth();
    !m.run.budgets.depths.is_counting()
        || name.starts_with('$')
        || m.run.budgets.depths.admits(present)
}
