//! Attributed variables. The cell after an attributed variable holds its attributes: a chain `att(Module, Value,
//! Rest)` that ends in `[]`. Backtracking undoes all changes.

use crate::base::atom_table::{Atom, atoms, functors};
use crate::base::stop::Stop;
use crate::machine::builtin::builtins;
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::store::address::HeapAddr;
use crate::store::cell::{Cell, WORD, tag};
use crate::store::heap::View;
use crate::store::raw;
use crate::store::stored::Attrs;

/// Returns the address of the attributes of an attributed variable.
fn attributes_place(m: &Machine, var: Cell) -> Option<HeapAddr> {
    let var = m.store.deref(var);
    (var.tag() == tag::ATT).then(|| var.addr() + WORD)
}

/// Returns whether a term is a variable with attributes. An attributed variable may have lost all of them.
fn has_attributes(m: &Machine, var: Cell) -> bool {
    attributes_place(m, var)
        .is_some_and(|place| m.store.deref(raw::cell(place)) != Cell::atom(atoms::NIL))
}

/// Finds the link for `module` in the chain that begins at `place`. Returns the address of the cell that refers to
/// the link, and the address of the arguments of the link. The latter is `None` if the link is missing.
fn find_link(m: &Machine, mut place: HeapAddr, module: Atom) -> (HeapAddr, Option<HeapAddr>) {
    loop {
        match m.store.view(raw::cell(place)) {
            View::Struct(functors::ATT, addr) => {
                if m.store.arg(addr, 0) == Cell::atom(module) {
                    return (place, Some(addr));
                }
                place = addr + 2 * WORD;
            }
            _ => return (place, None),
        }
    }
}

/// Makes a plain variable attributed, without attributes, and returns their address.
fn make_attributed(m: &mut Machine, var: Cell) -> Result<HeapAddr, Stop> {
    let addr = m.store.allocate(2);
    let attributed = Cell::attributed(addr);
    raw::set_cell(addr, attributed);
    raw::set_cell(addr + WORD, Cell::atom(atoms::NIL));
    m.store.bind(var, attributed)?;
    Ok(addr + WORD)
}

/// Checks that an argument is a variable, for an operation on attributes.
fn variable_arg(m: &mut Machine, var: Cell) -> Result<Cell, Throw> {
    let var = m.store.deref(var);
    if var.is_var() {
        Ok(var)
    } else {
        Err(m.uninstantiation_error(var))
    }
}

fn place_of(m: &mut Machine, var: Cell) -> Result<HeapAddr, Stop> {
    match attributes_place(m, var) {
        Some(place) => Ok(place),
        None => Ok(make_attributed(m, var)?),
    }
}

builtins! { ATTRIBUTES =
    /// True if `term` is an attributed variable.
    ///
    /// ?- freeze(X, true), attvar(X).
    /// freeze(X, true).
    ///
    /// ?- attvar(X).
    /// false.
    library "attvar"("?term") = |m, [x]| Ok(has_attributes(m, x));

    /// Sets the attribute `atom` of the variable `var` to `term`.
    ///
    /// ?- put_attr(X, color, red), get_attr(X, color, C).
    /// C = red,
    /// put_attr(X, color, red).
    library "put_attr"("-var", "+atom", "?term") = always |m, [var, module, value]| {
        let var = variable_arg(m, var)?;
        let name = m.atom_arg(module)?;
        let place = place_of(m, var)?;
        match find_link(m, place, name) {
            (_, Some(link)) => m.store.assign(link + WORD, value)?,
            (end, None) => {
                let nil = Cell::atom(atoms::NIL);
                let link = m.store.new_struct(functors::ATT, &[module, value, nil]);
                m.store.assign(end, link)?;
            }
        }
    };

    /// Unifies the last `term` with the attribute `atom` of the variable, the first `term`.
    ///
    /// ?- get_attr(X, color, C).
    /// false.
    library "get_attr"("?term", "+atom", "-term") = |m, [var, module, value]| {
        let name = m.atom_arg(module)?;
        let Some(place) = attributes_place(m, var) else {
            return Ok(false);
        };
        match find_link(m, place, name) {
            (_, Some(link)) => Ok(m.unify(value, m.store.arg(link, 1))?),
            _ => Ok(false),
        }
    };

    /// Removes the attribute `atom` of the variable `term`, if it has one.
    ///
    /// ?- put_attr(X, color, red), del_attr(X, color), attvar(X).
    /// false.
    library "del_attr"("?term", "+atom") = always |m, [var, module]| {
        let name = m.atom_arg(module)?;
        if let Some(place) = attributes_place(m, var)
            && let (hook, Some(link)) = find_link(m, place, name)
        {
            let rest = m.store.arg(link, 2);
            m.store.assign(hook, rest)?;
        }
    };

    /// Unifies the second term with all attributes of the first, a variable: `att(Module, Value, Rest)`,
    /// ending in `[]`.
    library "get_attrs"("?term", "-term") = |m, [var, attributes]| {
        match attributes_place(m, var) {
            Some(place) => {
                let chain = raw::cell(place);
                Ok(m.unify(attributes, chain)?)
            }
            None => Ok(false),
        }
    };

    /// Replaces all attributes of the variable `var` by `term`: `att(Module, Value, Rest)`, ending in `[]`.
    library "put_attrs"("-var", "+term") = always |m, [var, attributes]| {
        let var = variable_arg(m, var)?;
        let place = place_of(m, var)?;
        m.store.assign(place, attributes)?;
    };

    /// Removes all attributes of the variable `term`.
    library "del_attrs"("?term") = always |m, [var]| {
        if let Some(place) = attributes_place(m, var) {
            m.store.assign(place, Cell::atom(atoms::NIL))?;
        }
    };

    /// Unifies `list` with the attributed variables of `term` and of their attributes.
    ///
    /// ?- freeze(X, true), term_attvars(f(X, Y), Vs).
    /// Vs = [X],
    /// freeze(X, true).
    library "term_attvars"("?term", "-list") = |m, [term, variables]| {
        let mut found = m.store.attributed_variables(term)?;
        found.retain(|&var| has_attributes(m, var));
        m.unify_items(variables, &found)
    };

    /// Returns copies of the terms of `Terms`, without attributes. Copies share the variables that the terms share.
    library "$copy_terms_nat"("+list", "-list") = |m, [terms, copies]| {
        let copy = m.store.copy_term(terms, Attrs::Drop)?;
        Ok(m.unify(copies, copy)?)
    };
}
