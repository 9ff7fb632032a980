//! Declarations about predicates (ISO 13211-1, 7.4.2), as directives and as goals: `dynamic/1`, `discontiguous/1`,
//! `multifile/1`, `meta_predicate/1`.

use super::clauses::{make_dynamic, modify_error};
use super::modules::indicator_arg;
use crate::base::atom_table::{Atom, Functor, atoms, functors};
use crate::base::growth::Grow;
use crate::base::stop::Stop;
use crate::machine::builtin::builtins;
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::program::predicate::{Kind, MetaArg, PredId};
use crate::store::body::{Parts, Visit};
use crate::store::cell::Cell;
use crate::store::heap::View;

/// Returns the parts of a declaration, each with its module. A declaration is a list, a conjunction, or both mixed.
fn parts(m: &mut Machine, term: Cell) -> Result<Vec<(Cell, Atom)>, Throw> {
    let whole = term;
    let mut met = Parts::default();
    let mut found = Vec::new();
    let mut todo = vec![m.in_module(term)];
    while let Some((term, module)) = todo.pop() {
        let (term, module) = m.strip_module(term, module);
        // A repeated declaration has no further effect.
        match met.again(&m.store, whole, term, Cell::atom(module).word())? {
            Visit::New => {}
            Visit::Again => continue,
            Visit::Endless => return Err(m.type_error(atoms::ACYCLIC, whole)),
        }
        match m.store.view(term) {
            View::Struct(functors::COMMA, args) => {
                todo.put((m.store.arg(args, 1), module))?;
                todo.put((m.store.arg(args, 0), module))?;
            }
            View::List(_) => {
                let items = m.list_arg(term)?;
                todo.put_all(items.into_iter().rev().map(|item| (item, module)))?;
            }
            View::Atom(atoms::NIL) => {}
            // `Indicators as Options`: other systems use the options for storage.
            View::Struct(functor, args)
                if functor.arity() == 2 && m.world.symbols.name(functor) == atoms::AS =>
            {
                todo.put((m.store.arg(args, 0), module))?;
            }
            View::Var(_) => return Err(m.instantiation_error()),
            _ => found.put((term, module))?,
        }
    }
    Ok(found)
}

/// Returns the predicates that a declaration names. Checks all before the caller changes the first.
fn declared(m: &mut Machine, term: Cell) -> Result<Vec<PredId>, Throw> {
    let mut found = Vec::new();
    for (term, module) in parts(m, term)? {
        let functor = indicator_arg(m, term)?;
        found.put(own_predicate(m, functor, module)?)?;
    }
    Ok(found)
}

/// Returns the predicate of a module for a declaration. Predicates of the system are an error.
fn own_predicate(m: &mut Machine, functor: Functor, module: Atom) -> Result<PredId, Throw> {
    if m.is_shut(module, functor)? {
        return Err(modify_error(m, functor));
    }
    if functor.arity() > crate::machine::dispatch::regs::MAX_PREDICATE_ARITY {
        return Err(m.representation_error(atoms::MAX_ARITY));
    }
    m.settle_module(module)?;
    let id = m.intern_predicate(module, functor)?;
    note(m, id)?;
    let own = m.world.predicates.get(id);
    if own.traits.system && own.kind == Kind::Static && !m.world.booting {
        return Err(modify_error(m, functor));
    }
    if let Kind::Imported(_) = m.world.predicates.get(id).kind {
        let target = m.definition(id);
        let predicate = m.world.predicates.get(target);
        if !predicate.traits.system && !m.world.predicates.get(id).traits.lazy {
            note(m, target)?;
            return Ok(target);
        }
        // The module has its own definition from here on.
        m.world.predicates.get_mut(id).kind = Kind::Undefined;
        m.world.predicates.reset_entry(id)?;
    }
    Ok(id)
}

/// Records that the file being loaded declares the predicate.
fn note(m: &mut Machine, id: PredId) -> Result<(), Stop> {
    let upper = m.world.upper;
    upper.declares(m, id)?;
    Ok(())
}

fn declare_dynamic(m: &mut Machine, term: Cell) -> Result<bool, Throw> {
    for id in declared(m, term)? {
        m.complete_predicate(id)?;
        match m.world.predicates.get(id).kind {
            Kind::Dynamic => {}
            Kind::Builtin(_) | Kind::Control => {
                let functor = m.world.predicates.get(id).functor;
                return Err(modify_error(m, functor));
            }
            Kind::Undefined | Kind::Static | Kind::Imported(_) => make_dynamic(m, id)?,
        }
    }
    Ok(true)
}

fn declare(
    m: &mut Machine,
    term: Cell,
    set: fn(&mut crate::program::predicate::Traits),
) -> Result<bool, Throw> {
    for id in declared(m, term)? {
        let traits = &mut m.world.predicates.get_mut(id).traits;
        set(traits);
        traits.defined = true;
    }
    Ok(true)
}

/// Returns the meaning of an argument of `meta_predicate/1`.
fn meta_arg(m: &mut Machine, arg: Cell) -> Result<MetaArg, Throw> {
    match m.store.view(arg) {
        View::Int(extra @ 0..=9) => Ok(MetaArg::Goal(extra as u8)),
        View::Atom(atoms::CARET) => Ok(MetaArg::Existential),
        View::Atom(atoms::INT_DIV) => Ok(MetaArg::Grammar),
        View::Atom(atoms::COLON) => Ok(MetaArg::Module),
        View::Atom(mode)
            if matches!(
                m.world.symbols.text(mode),
                "?" | "+" | "-" | "*" | "++" | "--" | "!"
            ) =>
        {
            Ok(MetaArg::Plain(mode))
        }
        View::Var(_) => Err(m.instantiation_error()),
        _ => Err(m.domain_error("meta_argument_specifier", arg)),
    }
}

fn declare_meta(m: &mut Machine, term: Cell) -> Result<bool, Throw> {
    let mut found = Vec::new();
    for (term, module) in parts(m, term)? {
        m.callable_arg(term)?;
        let Some((functor, args)) = m.store.compound(term) else {
            continue;
        };
        let mut modes = Vec::with_capacity(functor.arity());
        for index in 0..functor.arity() {
            modes.put(meta_arg(m, m.store.arg(args, index))?)?;
        }
        found.put((own_predicate(m, functor, module)?, modes))?;
    }
    for (id, modes) in found {
        m.set_meta(id, modes.into())?;
    }
    Ok(true)
}

builtins! { DECLARATIONS =
    /// Makes the predicates in `indicators` dynamic. ISO 7.4.2.1.
    ///
    /// ?- dynamic(visited/1), findall(X, visited(X), L).
    /// L = [].
    iso "dynamic"(":indicators") needs effect = |m, [indicators]| declare_dynamic(m, indicators);
    /// Declares that the clauses of the predicates in `indicators` need not be together. ISO 7.4.2.3.
    iso "discontiguous"(":indicators") needs effect = |m, [indicators]| {
        declare(m, indicators, |traits| traits.discontiguous = true)
    };
    /// Declares that the clauses of the predicates in `indicators` may be in several files. ISO 7.4.2.2.
    iso "multifile"(":indicators") needs effect = |m, [indicators]| {
        declare(m, indicators, |traits| traits.multifile = true)
    };
    /// Remembers the number of solutions of the predicates in `indicators` within one count. A call with the
    /// same arguments and assumptions as an earlier one is then not solved again. This applies under three
    /// conditions: the call is the last goal of the counted goal, its arguments have no constraints, and no
    /// goal below it has effects. If a condition does not hold, Wamlet warns once and counts the solutions
    /// one by one.
    ///
    /// :- count_memo(path/2).
    library "count_memo"(":indicators") needs effect = |m, [indicators]| {
        for id in declared(m, indicators)? {
            m.remember_counts(id)?;
            m.world.predicates.get_mut(id).traits.defined = true;
        }
        Ok(true)
    };
    /// Declares which arguments of the predicates in `heads` are goals or otherwise depend on the module.
    ///
    /// ?- meta_predicate(twice(0)), assertz(( twice(G) :- call(G), call(G) )), twice(write(x)), nl.
    /// xx
    /// true.
    library "meta_predicate"(":heads") needs effect = |m, [heads]| declare_meta(m, heads);
    /// Declares that other code calls the predicates in `indicators`. Has no effect.
    library "public"(":indicators") needs effect = |m, [indicators]| declared(m, indicators).map(|_| true);
    /// Declares that the predicates in `indicators` run in the module of their caller. Wamlet does not
    /// support this. Use `meta_predicate/1` for a library that passes goals on.
    library "module_transparent"(":indicators") needs effect = |m, [indicators]| {
        declared(m, indicators).map(|_| true)
    };
    /// Adds the predicates in `indicators` to the exports of a module.
    library "export"(":indicators") needs effect = always |m, [indicators]| {
        for (term, module) in parts(m, indicators)? {
            let functor = indicator_arg(m, term)?;
            m.check_module(module)?;
            m.world.modules.export(module, functor)?;
        }
    };
}
