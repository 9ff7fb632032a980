//! The rules for recursion without end: no argument becomes smaller, or the base case comes too late.

use super::clause::{ReadClause, computation};
use super::equations::Arguments;
use super::unreachable::has_distinct_variables;
use crate::base::atom_table::{Functor, atoms, functors};
use crate::base::growth::Grow;
use crate::base::stop::Stop;
use crate::base::warning::Warning;
use crate::machine::state::Machine;
use crate::source::loading::loader;
use crate::source::parts::{Part, placed};
use crate::source::term_texts::indicator_text;
use crate::store::address::HeapAddr;
use crate::store::cell::Cell;
use crate::store::heap::View;

/// Warns of a clause that first calls its own predicate, with no argument made smaller.
pub(super) fn check(m: &mut Machine, clause: &mut ReadClause<'_>) -> Result<(), Stop> {
    let (mut goal, mut part) = clause.body;
    while let View::Struct(functors::COMMA, args) = m.store.view(goal) {
        (goal, part) = placed(m, args, 0);
    }
    let (Some((functor, params)), Some((called, args))) =
        (m.store.compound(clause.head), m.store.compound(goal))
    else {
        return Ok(());
    };
    let plain = |cell: Cell| !m.store.deref(cell).is_compound();
    let same = functor == called
        && (0..functor.arity())
            .all(|i| plain(m.store.arg(params, i)) && plain(m.store.arg(args, i)));
    if !same || clause.lacks_end || is_generator(m, functor, (params, args)) {
        return Ok(());
    }
    let module = m.world.source_module;
    let tabled = m.world.predicates.find(module, functor);
    if tabled.is_some_and(|id| m.world.predicates.get(id).traits.tabled) {
        return Ok(());
    }
    let name = indicator_text(m, functor)?;
    let message = format!("{name} calls itself first, with no smaller argument; it may never end");
    let hint =
        format!("put another goal before it, or declare `:- table {name}.` before its clauses");
    clause.remark(Warning::Recursion, part, message, Some(hint))
}

/// Returns whether a clause extends the solutions of its predicate, as in `nat(0). nat(N) :- nat(M), N is M + 1.`: an earlier
/// clause ends the recursion, and the call has none of the arguments of the head.
fn is_generator(m: &mut Machine, functor: Functor, (params, args): (HeapAddr, HeapAddr)) -> bool {
    let variables = |m: &Machine, args| {
        let mut args = (0..functor.arity()).map(|index| m.store.arg(args, index));
        args.all(Cell::is_var)
    };
    let differ = (0..functor.arity()).all(|index| {
        let arg = m.store.arg(args, index);
        (0..functor.arity()).all(|other| m.store.arg(params, other) != arg)
    });
    let earlier = loader(m)
        .stack
        .last_mut()
        .is_some_and(|loading| loading.own.of::<Arguments>().of() == Some(functor));
    earlier && differ && variables(m, args)
}

/// Warns of a base case that an earlier clause of its predicate never reaches: `fact(0, 1)` after
/// `fact(N, F) :- M is N-1, fact(M, G), F is N*G`.
pub(super) fn base_case(m: &mut Machine, clause: &mut ReadClause<'_>) -> Result<(), Stop> {
    let (Some(functor), Some((_, params))) = (clause.functor, m.store.compound(clause.head)) else {
        return Ok(());
    };
    let counted = counted(m, clause, params)?;
    let Some(loading) = loader(m).stack.last_mut() else {
        return Ok(());
    };
    let known = loading.own.of::<Arguments>();
    if known.of() != Some(functor) {
        return Ok(());
    }
    if let Some((index, variable)) = counted {
        if known.endless.is_empty() {
            known.endless.put((index, variable))?;
        }
        return Ok(());
    }
    let Some((index, variable)) = known.endless.first().cloned() else {
        return Ok(());
    };
    let View::Int(number) = m.store.view(m.store.arg(params, index)) else {
        return Ok(());
    };
    if let Some(loading) = loader(m).stack.last_mut() {
        loading.own.of::<Arguments>().endless.clear();
    }
    let name = indicator_text(m, functor)?;
    let message = format!(
        "{name} does not reach this clause: an earlier clause takes {number} as well, and calls {name} without end"
    );
    let hint =
        format!("write this clause first, and a test such as `{variable} > {number}` in the other");
    clause.remark(Warning::Recursion, Part::Whole, message, Some(hint))
}

/// Returns the argument that the clause counts up or down, and the name of its variable. Returns `None` if the head does
/// not match all calls, or if the clause tests anything before it calls its predicate.
fn counted(
    m: &mut Machine,
    clause: &ReadClause<'_>,
    params: HeapAddr,
) -> Result<Option<(usize, String)>, Stop> {
    if !has_distinct_variables(m, clause.head) {
        return Ok(None);
    }
    let mut computed = Vec::new();
    let mut rest = m.store.deref(clause.body.0);
    loop {
        let goal = match m.store.view(rest) {
            View::Struct(functors::COMMA, args) => {
                rest = m.store.arg(args, 1);
                m.store.arg(args, 0)
            }
            _ => std::mem::replace(&mut rest, Cell::atom(atoms::TRUE)),
        };
        let Some((functor, args)) = m.store.compound(goal) else {
            return Ok(None);
        };
        if Some(functor) == clause.functor {
            let passed = |index| {
                let pair = (m.store.arg(args, index), m.store.arg(params, index));
                computed.contains(&pair)
            };
            let Some(index) = (0..functor.arity()).find(|&index| passed(index)) else {
                return Ok(None);
            };
            let variable = clause.text_of(m, m.store.arg(params, index))?;
            return Ok(Some((index, variable)));
        }
        if functor != functors::IS {
            return Ok(None);
        }
        let (value, expression) = (m.store.arg(args, 0), m.store.arg(args, 1));
        if let Some(variable) = computation(m, expression).filter(|_| value.is_var()) {
            computed.put((value, variable))?;
        }
    }
}
