//! The goal that is about to be called: its predicate, if the goal was made at run time, and its term.
#![forbid(unsafe_code)]

use crate::base::atom_table::{Atom, atoms, functors};
use crate::base::growth::GrowBy;
use crate::base::stop::Stop;
use crate::code::instruction::{Op, decode, slot_a};
use crate::machine::state::Machine;
use crate::program::predicate::PredId;
use crate::store::cell::Cell;
use crate::store::heap::View;
use crate::store::raw;

/// Returns the predicate that the instruction of a goal made at run time is about to call.
pub(in crate::machine) fn goal_of_call(
    m: &mut Machine,
    w: u64,
    op: Op,
) -> Result<Option<PredId>, Stop> {
    // Only the instruction of bodies has a module in X1; elsewhere X1 may hold any cell.
    let outer = match op {
        Op::BodyCall => match m.store.view(m.x[1]) {
            View::Atom(module) => module,
            _ => atoms::USER,
        },
        _ => atoms::USER,
    };
    let extra = match op {
        Op::MetaCall => slot_a(w) - 1,
        _ => 0,
    };
    let (goal, module) = m.strip_module(m.x[0], outer);
    if module == atoms::LOLLI && outer != atoms::LOLLI && op == Op::BodyCall {
        return Ok(None);
    }
    if m.leaves_lolli(module, m.x[0]) || (module == atoms::LOLLI && m.is_called_by_prolog(m.x[0])) {
        return Ok(None);
    }
    let (name, arity) = match m.store.view(goal) {
        View::Atom(name) => (name, 0),
        View::List(_) => (atoms::DOT, 2),
        View::Struct(functor, _) => (m.world.symbols.name(functor), functor.arity()),
        _ => return Ok(None),
    };
    let control = extra == 0 && !calls_predicate(m);
    if control
        || goal == Cell::atom(atoms::CUT)
        || arity + extra > crate::machine::dispatch::regs::MAX_PREDICATE_ARITY
    {
        return Ok(None);
    }
    let functor = m.world.symbols.functor_passing(name, arity + extra)?;
    let id = m.intern_predicate(module, functor)?;
    let entry = raw::word(m.world.predicates.entry(id));
    Ok((decode(entry) != Some(Op::MetaCall)).then_some(id))
}

/// Returns whether the goal is a control construct, whose parts share their cuts.
pub(in crate::machine) fn is_control(m: &Machine, goal: Cell, module: Atom) -> bool {
    let lolli = module == atoms::LOLLI;
    match m.store.view(goal) {
        View::Atom(name) => name == atoms::CUT && !lolli,
        View::Struct(functor, _) if lolli => {
            matches!(functor, functors::COMMA | functors::SEMICOLON)
        }
        View::Struct(functor, _) => matches!(
            functor,
            functors::COMMA | functors::SEMICOLON | functors::ARROW | functors::SOFT_ARROW
        ),
        _ => false,
    }
}

/// Returns whether the body in X0 calls a predicate of a program and is not done within the control constructs.
pub(in crate::machine) fn calls_predicate(m: &Machine) -> bool {
    let (goal, module) = m.strip_module(m.x[0], atoms::USER);
    goal != Cell::atom(atoms::TRUE) && !is_control(m, goal, module)
}

/// Returns the goal in the registers, with its module.
pub(in crate::machine) fn goal_term(m: &mut Machine, predicate: PredId) -> Result<Cell, Stop> {
    let goal = plain_goal_term(m, predicate)?;
    let module = Cell::atom(m.world.predicates.get(predicate).module);
    m.store.reserve(3)?;
    Ok(m.store.new_struct(functors::COLON, &[module, goal]))
}

/// Returns the goal in the registers, without its module.
pub(in crate::machine) fn plain_goal_term(
    m: &mut Machine,
    predicate: PredId,
) -> Result<Cell, Stop> {
    let functor = m.world.predicates.get(predicate).functor;
    m.store.reserve(functor.arity() + 1)?;
    Ok(match functor.arity() {
        0 => Cell::atom(m.world.symbols.name(functor)),
        arity => {
            let args: Vec<Cell> = Vec::of(&m.x[..arity])?;
            m.store.new_struct(functor, &args)
        }
    })
}
