//! Goals of Lolli that Prolog proves, while there are eigenvariables.
//!
//! Clauses of Lolli respect the scopes of eigenvariables when they unify (`store::scoped`); Prolog clauses and
//! builtins do not. So `'$within_scope'/1` calls such a goal. It pushes a choice point before the goal, so bindings
//! of older variables go on the trail. After the goal has succeeded, the scopes of these bindings are checked.
//! Without eigenvariables, none of this happens.
#![forbid(unsafe_code)]

use crate::base::atom_table::{Atom, Functor, atoms, functors};
use crate::base::stop::Stop;
use crate::machine::dispatch::endings::{call_system, out_of_memory};
use crate::machine::dispatch::regs::Regs;
use crate::machine::frames::layout::cp;
use crate::machine::state::Machine;
use crate::program::predicate::{Kind, PredId};
use crate::store::cell::{Cell, WORD};
use crate::store::heap::View;
use crate::store::raw;

/// Types of arguments that hold no terms. Bindings of such arguments need no check.
const ATOMIC: [&str; 12] = [
    "atom",
    "atomic",
    "atom_or_var",
    "barrier",
    "boolean",
    "character",
    "code",
    "evaluable",
    "float",
    "integer",
    "number",
    "text",
];

impl Machine {
    /// Returns whether Lolli must call a goal with this definition by `'$within_scope'/1`.
    #[inline]
    pub(in crate::machine) fn is_foreign(&mut self, definition: PredId) -> bool {
        !self.store.eigenvariables.is_empty() && self.may_ignore_scopes(definition)
    }

    /// Returns whether there are eigenvariables whose scopes this definition might ignore.
    #[cold]
    fn may_ignore_scopes(&mut self, definition: PredId) -> bool {
        self.store.forget_eigenvariables();
        if self.store.eigenvariables.is_empty() {
            return false;
        }
        match self.world.predicates.get(definition).kind {
            Kind::Builtin(builtin) => !self.world.host.builtins[builtin as usize]
                .modes
                .iter()
                .all(|mode| binds_no_terms(mode)),
            // call/N calls goals of Lolli.
            Kind::Control => {
                self.world
                    .symbols
                    .name(self.world.predicates.get(definition).functor)
                    != atoms::CALL
            }
            _ => true,
        }
    }

    /// Returns whether this is a goal of Prolog that Lolli calls while there are eigenvariables. `module` is the
    /// module of the goal. `called` is the goal with its modules, or the module of the surrounding text.
    #[inline(always)]
    pub(in crate::machine) fn leaves_lolli(&mut self, module: Atom, called: Cell) -> bool {
        !self.store.eigenvariables.is_empty() && module != atoms::LOLLI && self.is_lolli(called)
    }

    /// Returns whether this is the module of Lolli, or a goal whose outermost module is Lolli.
    #[cold]
    fn is_lolli(&mut self, called: Cell) -> bool {
        self.store.forget_eigenvariables();
        let module = match self.store.view(called) {
            View::Struct(functors::COLON, args) => self.store.arg(args, 0),
            _ => self.store.deref(called),
        };
        module == Cell::atom(atoms::LOLLI) && !self.store.eigenvariables.is_empty()
    }

    /// Returns the goal whose arguments are in the first registers: `module:functor(X0, …)`.
    fn goal_in_registers(&mut self, module: Atom, functor: Functor) -> Result<Cell, Stop> {
        let arity = functor.arity();
        self.store.reserve(arity + 4)?;
        let goal = match arity {
            0 => Cell::atom(self.world.symbols.name(functor)),
            _ if functor == functors::LIST => self.store.new_list(self.x[0], self.x[1]),
            _ => self.store.new_struct(functor, &self.x[..arity]),
        };
        Ok(self
            .store
            .new_struct(functors::COLON, &[Cell::atom(module), goal]))
    }

    /// Returns whether `'$wake_within_scope'/1` must run these wake-ups. The hook of `$scope` itself respects scopes.
    pub(in crate::machine) fn hooks_are_foreign(&mut self, mut wakeups: Cell) -> bool {
        self.store.forget_eigenvariables();
        if self.store.eigenvariables.is_empty() {
            return false;
        }
        while let View::List(pair) = self.store.view(wakeups) {
            let mut attributes = match self.store.compound(raw::cell(pair)) {
                Some((_, args)) => self.store.arg(args, 0),
                None => return true,
            };
            while let View::Struct(functors::ATT, args) = self.store.view(attributes) {
                if self.store.arg(args, 0) != Cell::atom(atoms::SCOPE) {
                    return true;
                }
                attributes = self.store.arg(args, 2);
            }
            wakeups = raw::cell(pair + WORD);
        }
        false
    }

    /// Returns whether all bindings since the choice point `mark` respect the scopes of the bound variables.
    /// Restricts the variables in the values to these scopes.
    ///
    /// # Errors
    /// Returns an error if memory runs out.
    pub(crate) fn bindings_keep_scopes(&mut self, mark: Cell) -> Result<bool, Stop> {
        let mut at = self.checked_choice(mark).get(cp::TRAIL);
        let end = self.store.trail_top;
        while at < end {
            let word = raw::word(at);
            let bound = if word & 1 == 0 {
                at += WORD;
                Some(Cell::of_word(word))
            } else {
                let kept = Cell::of_word(raw::word(at + WORD));
                at += 3 * WORD;
                let addr = Cell::of_word(word).addr();
                // Of the assigned cells, only attributed variables are bindings.
                (kept == Cell::attributed(addr)).then_some(kept)
            };
            if let Some(variable) = bound
                && !self.store.binding_keeps_scope(variable)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Returns whether an argument of this mode binds nothing to a term.
fn binds_no_terms(mode: &str) -> bool {
    let kind = mode.trim_start_matches(['+', '-', '?', '@', ':']);
    let input = mode.starts_with(['+', '@']);
    ATOMIC.contains(&kind) || (input && matches!(kind, "term" | "callable" | "stream"))
}

/// Calls the predicate `definition` with the contents of the registers, by `'$within_scope'/1`.
#[cold]
#[inline(never)]
pub(in crate::machine) fn call_imported(
    m: &mut Machine,
    r: Regs,
    definition: PredId,
) -> Result<Regs, Stop> {
    let predicate = m.world.predicates.get(definition);
    let (module, functor) = (predicate.module, predicate.functor);
    // With the inner name of a system module, the goal may call its private predicates.
    let module = m.inner_name(module)?;
    Ok(call_within(m, r, module, functor))
}

/// Calls the goal of `module` in the first register, with `extra` arguments in the following registers, by
/// `'$within_scope'/1`.
#[cold]
#[inline(never)]
pub(in crate::machine) fn call_foreign(
    m: &mut Machine,
    r: Regs,
    module: Atom,
    extra: usize,
) -> Regs {
    if m.store.reserve(3).is_err() {
        return out_of_memory(m, r);
    }
    m.x[0] = m
        .store
        .new_struct(functors::COLON, &[Cell::atom(module), m.x[0]]);
    let Ok(functor) = m.world.symbols.functor(atoms::CALL, extra + 1) else {
        return out_of_memory(m, r);
    };
    call_within(m, r, atoms::SYSTEM, functor)
}

fn call_within(m: &mut Machine, mut r: Regs, module: Atom, functor: Functor) -> Regs {
    match m.goal_in_registers(module, functor) {
        Ok(goal) => m.x[0] = goal,
        Err(_) => return out_of_memory(m, r),
    }
    r.h = m.store.heap_top;
    let within = m.world.foundation.system.within_scope;
    call_system(m, r, within)
}
