//! Operators (ISO 13211-1, 8.14.3 and 8.14.4, with Cor.2 about `|`, `[]` and `{}`).

use crate::base::atom_table::{Atom, atoms};
use crate::base::growth::{Gather, Grow};
use crate::base::op_table::{OpClass, OpDef, OpType};
use crate::base::stop::Stop;
use crate::builtins::args::next_row;
use crate::machine::builtin::{Step, builtins};
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::program::operators::Operator;
use crate::store::cell::Cell;
use crate::store::heap::View;

/// Greatest priority of an operator.
const MAX_PRIORITY: i64 = 1200;
/// Least priority of `|` as an operator.
const MIN_BAR_PRIORITY: u16 = 1001;

/// Returns the priority of `op/3`.
fn priority_arg(m: &mut Machine, priority: Cell) -> Result<u16, Throw> {
    m.integer_arg(priority)?;
    match m.store.view(priority) {
        View::Int(value @ 0..=MAX_PRIORITY) => Ok(value as u16),
        _ => Err(m.domain_error(atoms::OPERATOR_PRIORITY, priority)),
    }
}

/// Returns the specifier of `op/3`.
fn specifier_arg(m: &mut Machine, specifier: Cell) -> Result<OpType, Throw> {
    let name = m.atom_arg(specifier)?;
    match OpType::from_name(m.world.symbols.text(name)) {
        Some(op_type) => Ok(op_type),
        None => Err(m.domain_error(atoms::OPERATOR_SPECIFIER, specifier)),
    }
}

/// Returns the module of the operators that `op/3` defines in `module`. With the flag `iso`, all modules share
/// those of `user`.
pub(in crate::builtins) fn op_home(m: &Machine, module: Atom) -> Atom {
    if m.world.flags.iso {
        atoms::USER
    } else {
        module
    }
}

/// Checks the arguments of `op/3` and returns each operator with its module. This is `module` unless the name is
/// qualified.
pub(in crate::builtins) fn operators_arg(
    m: &mut Machine,
    module: Atom,
    [priority, specifier, names]: [Cell; 3],
) -> Result<Vec<(Atom, Operator)>, Throw> {
    if priority.is_var() || specifier.is_var() {
        return Err(m.instantiation_error());
    }
    let names = names_arg(m, names, module)?;
    let priority = priority_arg(m, priority)?;
    let op_type = specifier_arg(m, specifier)?;
    for &name in &names {
        check_permission(m, name, priority, op_type)?;
    }
    let operator = |(module, name)| (module, (priority, op_type, name));
    Ok(names.into_iter().map(operator).gather()?)
}

/// Returns the names of `op/3`, an atom or a list of atoms, each with its module.
fn names_arg(m: &mut Machine, names: Cell, module: Atom) -> Result<Vec<(Atom, Atom)>, Throw> {
    let (names, module) = m.strip_module(names, module);
    match m.store.view(names) {
        View::Atom(atom) => Ok(vec![(op_home(m, module), atom)]),
        View::List(_) => {
            let mut atoms = Vec::new();
            for item in m.list_arg(names)? {
                let (item, module) = m.strip_module(item, module);
                atoms.put((op_home(m, module), m.atom_arg(item)?))?;
            }
            Ok(atoms)
        }
        _ => Err(m.type_or_instantiation_error(atoms::LIST, names)),
    }
}

/// Checks that a name may become such an operator.
fn check_permission(
    m: &mut Machine,
    (module, name): (Atom, Atom),
    priority: u16,
    op_type: OpType,
) -> Result<(), Throw> {
    let source = m.world.source_module;
    let of_system = m.is_system_module(module) && !m.world.booting;
    let closed = m.is_protected_module(module)
        || m.leaves_tenant(module)
        || of_system && m.is_tenant(source);
    let ops = m.world.modules.ops(module)?;
    let class = op_type.class();
    let action = match name {
        _ if closed => Some(atoms::MODIFY),
        atoms::COMMA => Some(atoms::MODIFY),
        atoms::NIL | atoms::CURLY => Some(atoms::CREATE),
        atoms::BAR if class != OpClass::Infix => Some(atoms::CREATE),
        atoms::BAR if (1..MIN_BAR_PRIORITY).contains(&priority) => Some(atoms::CREATE),
        // A name cannot be both an infix and a postfix operator.
        _ if priority > 0 && class == OpClass::Postfix && ops.infix(name).is_some() => {
            Some(atoms::CREATE)
        }
        _ if priority > 0 && class == OpClass::Infix && ops.postfix(name).is_some() => {
            Some(atoms::CREATE)
        }
        _ => None,
    };
    match action {
        Some(action) => Err(m.permission_error(action, atoms::OPERATOR, Cell::atom(name))),
        None => Ok(()),
    }
}

/// Checks the arguments of `current_op/3`.
fn check_current_op(m: &mut Machine, [priority, specifier, name]: [Cell; 3]) -> Result<(), Throw> {
    let in_range = |value: i64| (0..=MAX_PRIORITY).contains(&value);
    match m.store.view(priority) {
        View::Var(_) => {}
        View::Int(value) if in_range(value) => {}
        _ => return Err(m.domain_error(atoms::OPERATOR_PRIORITY, priority)),
    }
    match m.store.view(specifier) {
        View::Var(_) => {}
        // 8.14.4.3 requires a domain error even for terms that are not atoms.
        View::Int(_) | View::Float(_) | View::Struct(..) | View::List(_) if m.world.flags.iso => {
            return Err(m.domain_error(atoms::OPERATOR_SPECIFIER, specifier));
        }
        _ => _ = specifier_arg(m, specifier)?,
    }
    if !name.is_var() {
        m.atom_arg(name)?;
    }
    Ok(())
}

/// Returns an operator as the arguments of `current_op/3`.
fn operator_row(name: Atom, def: OpDef) -> [Cell; 3] {
    [
        Cell::int(i64::from(def.priority)),
        Cell::atom(def.op_type.atom()),
        Cell::atom(name),
    ]
}

/// Returns the next matching operator of this name in a module, from `state` on.
fn next_of_name(
    m: &mut Machine,
    (module, name): (Atom, Atom),
    args: [Cell; 3],
    state: Option<i64>,
) -> Result<Step, Stop> {
    let mut rows = Vec::new();
    for class in [OpClass::Prefix, OpClass::Infix, OpClass::Postfix] {
        if let Some(def) = m.world.modules.ops(module)?.get(name, class) {
            rows.put(operator_row(name, def))?;
        }
    }
    next_row(m, &args, &rows, state)
}

/// Returns the next matching operator. `state` is the number of the first definition to try.
fn next_operator(
    m: &mut Machine,
    module: Atom,
    args: [Cell; 3],
    state: Option<i64>,
) -> Result<Step, Stop> {
    let from = state.map_or(0, i64::unsigned_abs);
    let Some((at, row)) = fitting_operator(m, module, args, from)? else {
        return Ok(Step::Fail);
    };
    let more = fitting_operator(m, module, args, at + 1)?;
    Ok(match m.unify_all(&args, &row)? {
        true => more.map_or(Step::Last, |(next, _)| Step::More(next as i64)),
        false => Step::Fail,
    })
}

/// Returns the first matching operator from this number on, with its number.
fn fitting_operator(
    m: &mut Machine,
    module: Atom,
    args: [Cell; 3],
    from: u64,
) -> Result<Option<(u64, [Cell; 3])>, Stop> {
    for (at, name, def) in m.world.modules.ops(module)?.iter_from(from) {
        let row = operator_row(name, def);
        if m.store.each_unifiable(&args, &row)? {
            return Ok(Some((at, row)));
        }
    }
    Ok(None)
}

builtins! { OPERATORS =
    /// Makes `atom_or_list`, an atom or a list of atoms, operators. `integer` is the priority, 0 to 1200, and
    /// `atom` the type: `xfx`, `xfy`, `yfx`, `fy`, `fx`, `xf` or `yf`. Priority 0 removes the operator.
    /// ISO 8.14.3. The operators belong to the module of the text that is being loaded. Outside of loading
    /// they belong to `user`, whose operators other modules see. `Module:Names` names another module. All
    /// modules see the operators of `system`.
    ///
    /// ?- op(700, xfx, likes).
    /// true.
    ///
    /// ?- X = (ann likes tea), X =.. L.
    /// X = (ann likes tea),
    /// L = [likes, ann, tea].
    ///
    /// ?- op(1201, xfx, likes).
    /// error: op/3: Domain error: `operator_priority' expected, found `1201' [domain_error(operator_priority, 1201)]
    ///
    /// ?- op(30, xfy, ',').
    /// error: op/3: No permission to modify operator `,' [permission_error(modify, operator, ',')]
    iso "op"("+integer", "+atom", ":atom_or_list") needs effect = always |m, [priority, specifier, names]| {
        let home = m.world.source_module;
        if let View::Atom(name) = m.store.view(names)
            && !priority.is_var()
            && !specifier.is_var()
        {
            let module = op_home(m, home);
            let (priority, op_type) = (priority_arg(m, priority)?, specifier_arg(m, specifier)?);
            check_permission(m, (module, name), priority, op_type)?;
            m.world.modules.define_op(module, (priority, op_type, name))?;
            return Ok(true);
        }
        for (module, operator) in operators_arg(m, home, [priority, specifier, names])? {
            m.world.modules.define_op(module, operator)?;
        }
    };

    /// True if the second atom is an operator with the priority `integer` and the type given by the first
    /// atom. Enumerates all matching operators on backtracking. ISO 8.14.4. `Module:Name` as the second atom
    /// inspects the operators visible in another module.
    ///
    /// ?- current_op(P, xfx, is).
    /// P = 700.
    ///
    /// ?- findall(T-P, current_op(P, T, -), L).
    /// L = [fy-200, yfx-500].
    iso nondet "current_op"("?integer", "?atom", "?atom") = |m, [priority, specifier, name], state| {
        let (name, module) = m.strip_module(name, m.world.source_module);
        check_current_op(m, [priority, specifier, name])?;
        let args = [priority, specifier, name];
        Ok(match m.store.view(name) {
            View::Atom(atom) => next_of_name(m, (module, atom), args, state)?,
            _ => next_operator(m, module, args, state)?,
        })
    };
}
