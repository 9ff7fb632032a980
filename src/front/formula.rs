//! Formulas that are assumed: what clauses they stand for.

use crate::base::symbol::{Functor, atoms, functors};
use crate::store::cell::Cell;
use crate::store::heap::{OutOfMemory, Store, View};

/// Why a formula cannot be assumed.
#[derive(Copy, Clone, Debug)]
pub(crate) enum FormulaError {
    /// It is a variable, or its head is.
    Flexible,
    /// A connective that has no place there.
    Connective(Cell),
    /// A head that is a number or the like.
    Head(Cell),
    /// There is no room.
    Memory,
}

impl From<OutOfMemory> for FormulaError {
    fn from(_: OutOfMemory) -> FormulaError {
        FormulaError::Memory
    }
}

/// One of the clauses that a formula stands for.
#[derive(Debug)]
pub(crate) struct AssumedClause {
    /// Its head.
    pub(crate) head: Cell,
    /// Its bodies, in the order in which they are proved; whether without linear assumptions.
    pub(crate) bodies: Vec<(Cell, bool)>,
    /// The variables that each use has of its own.
    pub(crate) variables: Vec<Cell>,
}

/// Has a formula of this functor a meaning of its own, other than that of a fact?
pub(crate) fn is_formula(functor: Functor) -> bool {
    matches!(
        functor,
        functors::LOLLIPOP
            | functors::LOLLIPOP_PROLOG
            | functors::LOLLIPOP_SIGN
            | functors::IMPLIES
            | functors::WITH
            | functors::COMMA
            | functors::SEMICOLON
            | functors::ARROW
            | functors::SOFT_ARROW
            | functors::COLON
            | functors::NECK
            | functors::CURLY1
            | functors::FORALL1
            | functors::EXISTS1
            | functors::GUARD3
            | functors::MODULE_GOAL
    )
}

/// Name and body of `X\ Body`, the name a variable or an atom.
pub(crate) fn binder(store: &Store, term: Cell) -> Option<(Cell, Cell)> {
    let View::Struct(functors::LAMBDA, args) = store.view(term) else {
        return None;
    };
    let name = store.arg(args, 0);
    match store.view(name) {
        View::Var(_) | View::Atom(_) => Some((name, store.arg(args, 1))),
        _ => None,
    }
}

/// `body` with `value` for what `name` binds.
///
/// # Errors
/// There is no room.
pub(crate) fn bind(
    store: &mut Store,
    name: Cell,
    body: Cell,
    value: Cell,
) -> Result<Cell, OutOfMemory> {
    match store.view(name) {
        View::Atom(atom) => store.replace_bound(body, atom, value),
        _ => store.replace(body, &[name], &[value]),
    }
}

struct Part {
    formula: Cell,
    bodies: Vec<(Cell, bool)>,
    variables: Vec<Cell>,
}

/// The clauses that the formula stands for, in order: any of them may be used, and if the formula is
/// linear one use of one uses up all.
///
/// # Errors
/// See [`FormulaError`].
pub(crate) fn clauses_of(
    store: &mut Store,
    formula: Cell,
) -> Result<Vec<AssumedClause>, FormulaError> {
    let mut found = Vec::new();
    let mut todo = vec![Part {
        formula,
        bodies: Vec::new(),
        variables: Vec::new(),
    }];
    while let Some(mut part) = todo.pop() {
        let formula = store.deref(part.formula);
        let (functor, args) = match store.view(formula) {
            View::Var(_) => return Err(FormulaError::Flexible),
            View::Atom(atoms::TRUE | atoms::ERASE) => {
                return Err(FormulaError::Connective(formula));
            }
            View::Atom(_) => {
                found.push(part.finish(formula));
                continue;
            }
            View::Struct(functor, args) => (functor, args),
            _ => return Err(FormulaError::Head(formula)),
        };
        let arg = |index| store.arg(args, index);
        match functor {
            functors::WITH => {
                let (left, right) = (arg(0), arg(1));
                let (bodies, variables) = (part.bodies.clone(), part.variables.clone());
                todo.push(Part {
                    formula: right,
                    bodies,
                    variables,
                });
                todo.push(Part {
                    formula: left,
                    ..part
                });
            }
            functors::LOLLIPOP | functors::LOLLIPOP_PROLOG | functors::LOLLIPOP_SIGN => {
                part.bodies.push((arg(0), false));
                part.formula = arg(1);
                todo.push(part);
            }
            functors::NECK => {
                part.bodies.push((arg(1), false));
                part.formula = arg(0);
                todo.push(part);
            }
            functors::IMPLIES => {
                part.bodies.push((arg(0), true));
                part.formula = arg(1);
                todo.push(part);
            }
            functors::FORALL1 => {
                let Some((name, body)) = binder(store, arg(0)) else {
                    return Err(FormulaError::Connective(formula));
                };
                store.reserve(1)?;
                let variable = store.new_var();
                part.formula = bind(store, name, body, variable)?;
                part.variables.push(variable);
                todo.push(part);
            }
            functor if is_formula(functor) => return Err(FormulaError::Connective(formula)),
            _ => found.push(part.finish(formula)),
        }
    }
    Ok(found)
}

impl Part {
    fn finish(mut self, head: Cell) -> AssumedClause {
        self.bodies.reverse();
        AssumedClause {
            head,
            bodies: self.bodies,
            variables: self.variables,
        }
    }
}
