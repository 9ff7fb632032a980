//! Instructions that lead to the definition of a predicate: `undefined`, imports, and the qualification of
//! meta arguments with their module.
#![forbid(unsafe_code)]

use crate::base::atom_table::{atoms, functors};
use crate::base::stop::Stop;
use crate::code::instruction::wide;
use crate::machine::control::called_goal::goal_term;
use crate::machine::control::foreign::call_imported;
use crate::machine::dispatch::endings::{call_system, fail, out_of_memory, raise, sync, x};
use crate::machine::dispatch::regs::Regs;
use crate::machine::frames::stubs;
use crate::machine::state::Machine;
use crate::machine::tables::functor_of_program;
use crate::program::predicate::PredId;
use crate::program::predicates::QUALIFIED;
use crate::store::cell::{Cell, WORD};
use crate::store::heap::View;
use crate::store::raw;

/// `undefined p`
#[inline(always)]
pub(crate) fn undefined(m: &mut Machine, mut r: Regs, w: u64) -> Result<Regs, Stop> {
    sync(m, &r);
    let id = PredId(wide(w));
    if m.must_request_definition(id) {
        return Ok(ask_for_definition(m, r, id));
    }
    let result = m.resolve(id);
    m.entries = m.world.predicates.entries();
    r.h = m.store.heap_top;
    match result {
        Ok(true) => r.go(m.world.predicates.own_entry(id)),
        Ok(false) => {
            m.forget_passing(id)?;
            fail(m, &mut r);
        }
        Err(throw) => {
            let functor = m.world.predicates.get(id).functor;
            m.forget_passing(id)?;
            // The place of the exception is determined later.
            r.go(stubs::forgotten());
            let functor = functor_of_program(&mut m.world.symbols, functor)?;
            return Ok(raise(m, r, throw, Some(functor)));
        }
    }
    Ok(r)
}

/// Asks the program for the definition of a predicate that is called, by `user:exception/3`.
#[cold]
fn ask_for_definition(m: &mut Machine, mut r: Regs, id: PredId) -> Regs {
    let Ok(goal) = goal_term(m, id) else {
        return out_of_memory(m, r);
    };
    r.h = m.store.heap_top;
    m.x[0] = goal;
    let ask = m.world.foundation.system.undefined_goal;
    call_system(m, r, ask)
}

/// `import p`
#[inline(always)]
pub(crate) fn import(m: &mut Machine, mut r: Regs, w: u64) -> Regs {
    r.go(raw::code_at(m.entries + u64::from(wide(w)) * WORD));
    r
}

/// `import_meta p, importer`
#[inline(always)]
pub(crate) fn import_meta(m: &mut Machine, mut r: Regs, w: u64) -> Result<Regs, Stop> {
    sync(m, &r);
    let (target, importer) = (PredId(wide(w)), PredId(raw::word(r.p() + WORD) as u32));
    let module = Cell::atom(m.world.predicates.get(importer).module);
    if module == Cell::atom(atoms::LOLLI) {
        for index in 0..m.world.predicates.get(target).functor.arity() {
            match m.apply_terms(m.x[index]) {
                Ok(argument) => m.x[index] = argument,
                Err(_) => return Ok(out_of_memory(m, r)),
            }
        }
    }
    qualify_arguments(m, target, module);
    if module == Cell::atom(atoms::LOLLI) && m.is_foreign(target) {
        return call_imported(m, r, target);
    }
    r.h = m.store.heap_top;
    r.go(m.world.predicates.entry(target));
    Ok(r)
}

/// `qualify p`
#[inline(always)]
pub(crate) fn qualify(m: &mut Machine, mut r: Regs, w: u64) -> Regs {
    sync(m, &r);
    let id = PredId(wide(w));
    let module = Cell::atom(m.world.predicates.get(id).module);
    qualify_arguments(m, id, module);
    r.h = m.store.heap_top;
    r.go(raw::code_at(r.p() + QUALIFIED * WORD));
    r
}

/// Adds this module to the arguments that depend on the module of the caller, unless they have a module. If an
/// argument has several modules, the innermost is kept.
fn qualify_arguments(m: &mut Machine, id: PredId, module: Cell) {
    for index in 0..m.world.predicates.get(id).functor.arity() {
        let modes = m.world.predicates.get(id).meta.as_ref();
        if !modes.is_some_and(|modes| modes.get(index).is_some_and(|mode| mode.sensitive())) {
            continue;
        }
        let argument = x(m, index);
        let parts = match m.store.view(argument) {
            View::Struct(functors::COLON, args) => {
                let inner = m.store.arg(args, 1);
                if !matches!(m.store.view(inner), View::Struct(functors::COLON, _)) {
                    continue;
                }
                let (plain, name) = m.strip_module(argument, atoms::USER);
                [Cell::atom(name), plain]
            }
            _ => [module, argument],
        };
        let parts = match module == Cell::atom(atoms::LOLLI) {
            // A goal of Lolli's own: see `machine::lolli`.
            true => [module, m.store.new_struct(functors::COLON, &parts)],
            false => parts,
        };
        m.x[index] = m.store.new_struct(functors::COLON, &parts);
    }
}
