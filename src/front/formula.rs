//! Assumed formulas, and the clauses that they stand for.

use crate::base::atom_table::{FastMap, Functor, atoms, functors};
use crate::base::growth::{Gather, Grow, GrowMap};
use crate::base::stop::Stop;
use crate::store::cell::Cell;
use crate::store::heap::{Store, View};

/// The reason why a formula cannot be assumed.
#[derive(Copy, Clone, Debug)]
pub(crate) enum FormulaError {
    /// The formula or its head is a variable.
    Flexible,
    /// A connective that is not allowed there.
    Connective(Cell),
    /// A head that is not callable, such as a number.
    Head(Cell),
    /// The formula is cyclic.
    Cyclic(Cell),
    /// There is not enough memory.
    Memory,
}

impl From<Stop> for FormulaError {
    fn from(_: Stop) -> FormulaError {
        FormulaError::Memory
    }
}

/// Words that a clause takes besides its bodies and variables.
const CLAUSE_CELLS: usize = 8;

/// One of the clauses that a formula stands for.
#[derive(Debug)]
pub(crate) struct AssumedClause {
    /// The head.
    pub(crate) head: Cell,
    /// The bodies in the order in which they are proved. The flag says whether a body is proved
    /// without linear assumptions.
    pub(crate) bodies: Vec<(Cell, bool)>,
    /// The variables that are new at each use.
    pub(crate) variables: Vec<Cell>,
}

/// Returns whether a formula with this functor has a meaning other than that of a fact.
pub(crate) fn is_formula(functor: Functor) -> bool {
    matches!(
        functor,
        functors::LOLLIPOP
            | functors::LOLLIPOP_PROLOG
            | functors::LOLLIPOP_SIGN
            | functors::IMPLIES
            | functors::FOLLOWS
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

/// Returns name and body of `X\ Body`. The name is a variable or an atom.
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

/// Returns the names that directly nested quantifiers of this functor bind, outermost first, and
/// the innermost body. The names differ.
pub(crate) fn binders(
    store: &Store,
    formula: Cell,
    quantifier: Functor,
) -> Result<(Vec<Cell>, Cell), Stop> {
    let (mut names, mut known) = (Vec::new(), FastMap::default());
    let mut rest = formula;
    while let View::Struct(functor, args) = store.view(rest)
        && functor == quantifier
        && let Some((name, body)) = binder(store, store.arg(args, 0))
    {
        let name = store.deref(name);
        // The inner name hides an outer one, which needs a separate substitution.
        if known.put_entry(name.word(), ())?.is_some() {
            break;
        }
        names.put(name)?;
        rest = body;
    }
    Ok((names, rest))
}

/// Returns `body` with `values` in place of the variables or constants that `names` bind. The names
/// differ.
///
/// # Errors
/// Returns an error if there is not enough memory.
pub(crate) fn bind(
    store: &mut Store,
    names: &[Cell],
    body: Cell,
    values: &[Cell],
) -> Result<Cell, Stop> {
    let mut to = FastMap::default();
    to.put_all(
        names
            .iter()
            .zip(values)
            .map(|(name, &value)| (name.word(), value)),
    )?;
    store.replace_bound(body, &to)
}

/// The rest of a formula, with indices of the last body and the last variable around it.
struct Part {
    formula: Cell,
    body: Option<usize>,
    variable: Option<usize>,
}

/// The bodies and variables around the parts of a formula. Each entry refers to the one around it,
/// so that the alternatives of a formula share entries.
#[derive(Default)]
struct Around {
    bodies: Vec<(Cell, bool, Option<usize>)>,
    variables: Vec<(Cell, Option<usize>)>,
}

/// Returns the clauses that the formula stands for, in order. Any of them may be used. If the
/// formula is linear, one use of one clause consumes all of them.
///
/// # Errors
/// See [`FormulaError`].
pub(crate) fn clauses_of(
    store: &mut Store,
    formula: Cell,
) -> Result<Vec<AssumedClause>, FormulaError> {
    let composed = matches!(store.view(formula), View::Struct(functor, _) if is_formula(functor));
    if composed && !store.acyclic_term(formula)? {
        return Err(FormulaError::Cyclic(formula));
    }
    let mut around = Around::default();
    let mut found = Vec::new();
    let mut cells = 0usize;
    let mut todo = vec![Part {
        formula,
        body: None,
        variable: None,
    }];
    let mut steps = 0;
    while let Some(mut part) = todo.pop() {
        steps += 1;
        store.events.watch.go_on_at(steps)?;
        let formula = store.deref(part.formula);
        let (functor, args) = match store.view(formula) {
            View::Var(_) => return Err(FormulaError::Flexible),
            View::Atom(atoms::TRUE | atoms::ERASE) => {
                return Err(FormulaError::Connective(formula));
            }
            View::Atom(_) => {
                found.put(around.clause(store, &part, formula, &mut cells)?)?;
                continue;
            }
            View::Struct(functor, args) => (functor, args),
            _ => return Err(FormulaError::Head(formula)),
        };
        let arg = |index| store.arg(args, index);
        let (body, rest) = match functor {
            functors::WITH => {
                todo.put(Part {
                    formula: arg(1),
                    ..part
                })?;
                part.formula = arg(0);
                todo.put(part)?;
                continue;
            }
            functors::LOLLIPOP | functors::LOLLIPOP_PROLOG | functors::LOLLIPOP_SIGN => {
                ((arg(0), false), arg(1))
            }
            functors::NECK => ((arg(1), false), arg(0)),
            functors::IMPLIES => ((arg(0), true), arg(1)),
            functors::FOLLOWS => ((arg(1), true), arg(0)),
            functors::FORALL1 => {
                let (names, rest) = binders(store, formula, functors::FORALL1)?;
                if names.is_empty() {
                    return Err(FormulaError::Connective(formula));
                }
                store.reserve(names.len())?;
                let variables: Vec<Cell> = names.iter().map(|_| store.new_var()).gather()?;
                for &variable in &variables {
                    around.variables.put((variable, part.variable))?;
                    part.variable = Some(around.variables.len() - 1);
                }
                part.formula = bind(store, &names, rest, &variables)?;
                todo.put(part)?;
                continue;
            }
            functor if is_formula(functor) => return Err(FormulaError::Connective(formula)),
            _ => {
                found.put(around.clause(store, &part, formula, &mut cells)?)?;
                continue;
            }
        };
        around.bodies.put((body.0, body.1, part.body))?;
        part.body = Some(around.bodies.len() - 1);
        part.formula = rest;
        todo.put(part)?;
    }
    Ok(found)
}

impl Around {
    /// Returns the clause of a head. `cells` is the number of cells for all clauses so far.
    fn clause(
        &self,
        store: &Store,
        part: &Part,
        head: Cell,
        cells: &mut usize,
    ) -> Result<AssumedClause, Stop> {
        let (mut bodies, mut variables) = (Vec::new(), Vec::new());
        let mut at = part.body;
        while let Some(index) = at {
            let (body, banged, next) = self.bodies[index];
            bodies.put((body, banged))?;
            at = next;
        }
        at = part.variable;
        while let Some(index) = at {
            let (variable, next) = self.variables[index];
            variables.put(variable)?;
            at = next;
        }
        variables.reverse();
        *cells += CLAUSE_CELLS + 2 * bodies.len() + variables.len();
        if !store.has_room_for(*cells * size_of::<Cell>()) {
            return Err(Stop);
        }
        Ok(AssumedClause {
            head,
            bodies,
            variables,
        })
    }
}
