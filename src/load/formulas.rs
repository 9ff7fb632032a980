//! Clauses of Prolog text that are formulas of linear logic: `A & B :- G`, `forall X\ C`, `A <= G`,
//! `G -<> A`, `G => A`. They are recognized in modules that have the connectives from
//! `library(linear)`. Each formula is translated to one clause or several.

use crate::base::atom_table::{Atom, Functor, atoms, functors};
use crate::base::growth::Grow;
use crate::base::source::Span;
use crate::builtins::linear::contexts::conjunction;
use crate::front::formula::{FormulaError, clauses_of};
use crate::front::linear::is_connective;
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::program::predicate::Kind;
use crate::source::diagnostic::Severity;
use crate::source::report::report_at;
use crate::source::term_texts::term_text;
use crate::store::cell::Cell;
use crate::store::heap::View;

/// Number of words that a clause takes in addition to its parts, for each body.
const CLAUSE_WORDS: usize = 8;

/// Returns whether a module has this connective from the library.
fn has_connective(m: &Machine, module: Atom, functor: Functor) -> bool {
    let predicate = m.world.predicates.find(module, functor);
    predicate.is_some_and(|id| match m.world.predicates.get(id).kind {
        Kind::Imported(target) => m.world.predicates.get(target).module == atoms::LINEAR,
        _ => false,
    })
}

/// Returns whether a term that is read as a clause of a module is a formula other than
/// `Head :- Body` and `Head`.
pub(super) fn is_formula_clause(m: &Machine, module: Atom, term: Cell) -> bool {
    let (term, module) = m.strip_module(term, module);
    let View::Struct(functor, args) = m.store.view(term) else {
        return false;
    };
    match functor {
        functors::NECK => {
            let (head, module) = m.strip_module(m.store.arg(args, 0), module);
            match m.store.view(head) {
                View::Struct(functors::NECK, _) => has_connective(m, module, functors::WITH),
                View::Struct(..) => is_formula_clause(m, module, head),
                _ => false,
            }
        }
        // `FOLLOWS` is no goal, so it has no predicate that could be imported.
        functors::FOLLOWS => has_connective(m, module, functors::WITH),
        // A guard is only a goal.
        functors::GUARD3 => false,
        _ => is_connective(functor) && has_connective(m, module, functor),
    }
}

/// Returns the clauses that a formula is translated to. If a part of the formula is not allowed
/// there, reports it and returns none.
///
/// # Errors
/// Returns an error if there is no memory, or if the term is infinite.
pub(super) fn formula_clauses(
    m: &mut Machine,
    formula: Cell,
    span: Span,
) -> Result<Vec<Cell>, Throw> {
    let found = match clauses_of(&mut m.store, formula) {
        Ok(found) => found,
        Err(error) => {
            let message = match error {
                FormulaError::Flexible => "the head of this clause is a variable".to_owned(),
                FormulaError::Connective(part) => {
                    let part = term_text(m, part)?;
                    format!("this is not allowed in the head of a clause: {part}")
                }
                FormulaError::Head(part) => {
                    format!(
                        "this cannot be the head of a clause: {}",
                        term_text(m, part)?
                    )
                }
                FormulaError::Cyclic(part) => return Err(m.type_error(atoms::ACYCLIC, part)),
                FormulaError::Memory => return Err(m.no_room()),
            };
            report_at(m, Severity::Error, span, message, None)?;
            return Ok(Vec::new());
        }
    };
    let mut clauses = Vec::with_capacity(found.len());
    for clause in found {
        m.store.reserve(CLAUSE_WORDS * (clause.bodies.len() + 1))?;
        let body = conjunction(m, &clause.bodies);
        clauses.put(if body == Cell::atom(atoms::TRUE) {
            clause.head
        } else {
            m.store.new_struct(functors::NECK, &[clause.head, body])
        })?;
    }
    Ok(clauses)
}
