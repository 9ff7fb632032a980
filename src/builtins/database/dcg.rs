//! Translation of grammar rules to clauses (the DCG part of ISO, ISO/IEC DTR 13211-3, and SWI-Prolog's library).

use crate::base::atom_table::{atoms, functors};
use crate::base::growth::{Gather, Grow};
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::store::cell::Cell;
use crate::store::heap::View;
use crate::store::list::ListShape;

/// Number of translated parts of a body after which the translation checks that the body is acyclic.
const CYCLE_CHECK: usize = 1 << 16;

/// Translates a rule `Head --> Body` to a clause. Returns `None` if the term is not a rule.
///
/// # Errors
/// Instantiation, type and permission errors of `dcg_translate_rule/2`; resource errors.
pub(crate) fn translate_rule(m: &mut Machine, rule: Cell) -> Result<Option<Cell>, Throw> {
    let args = match m.store.view(rule) {
        View::Struct(functors::DCG_ARROW, args) => args,
        View::Var(_) => return Err(m.instantiation_error()),
        _ => return Ok(None),
    };
    let (head, body) = (m.store.arg(args, 0), m.store.arg(args, 1));
    let (s0, s) = (m.store.new_var(), m.store.new_var());
    let (head, pushback) = match m.store.view(head) {
        View::Struct(functors::COMMA, parts) => {
            (m.store.arg(parts, 0), Some(m.store.arg(parts, 1)))
        }
        _ => (head, None),
    };
    let (new_head, new_body) = match pushback {
        None => (head_goal(m, head, s0, s)?, body_goal(m, body, s0, s)?),
        Some(pushback) => {
            let middle = m.store.new_var();
            let new_head = head_goal(m, head, s0, s)?;
            let goal = body_goal(m, body, s0, middle)?;
            let push = terminals(m, pushback, s, middle)?;
            (new_head, m.store.new_struct(functors::COMMA, &[goal, push]))
        }
    };
    Ok(Some(
        m.store.new_struct(functors::NECK, &[new_head, new_body]),
    ))
}

/// Returns the head of the clause for the head of a rule. The head must be a nonterminal without a special meaning
/// in grammar bodies.
fn head_goal(m: &mut Machine, head: Cell, s0: Cell, s: Cell) -> Result<Cell, Throw> {
    let reserved = match m.store.view(head) {
        View::Atom(name) => matches!(name, atoms::NIL | atoms::CURLY | atoms::CUT),
        View::List(_) => true,
        View::Struct(functor, _) => matches!(
            functor,
            functors::COMMA
                | functors::SEMICOLON
                | functors::BAR
                | functors::ARROW
                | functors::SOFT_ARROW
                | functors::NOT
                | functors::CURLY1
                | functors::DCG_ARROW
        ),
        _ => false,
    };
    if reserved {
        return Err(m.permission_error("define", "dcg_nonterminal", head));
    }
    extend(m, head, s0, s)
}

/// Adds two arguments to a nonterminal.
fn extend(m: &mut Machine, term: Cell, s0: Cell, s: Cell) -> Result<Cell, Throw> {
    match m.store.view(term) {
        View::Var(_) => Err(m.instantiation_error()),
        View::Struct(functors::COLON, args) => {
            let mut modules = vec![m.store.arg(args, 0)];
            let mut inner = m.store.arg(args, 1);
            while let View::Struct(functors::COLON, args) = m.store.view(inner) {
                modules.put(m.store.arg(args, 0))?;
                if modules.len() == CYCLE_CHECK && !m.store.acyclic_term(inner)? {
                    return Err(m.type_error(atoms::ACYCLIC, inner));
                }
                inner = m.store.arg(args, 1);
            }
            let mut goal = extend(m, inner, s0, s)?;
            m.store.reserve(3 * modules.len() + 3)?;
            for &module in modules.iter().rev() {
                goal = m.store.new_struct(functors::COLON, &[module, goal]);
            }
            Ok(goal)
        }
        View::Atom(name) => {
            let functor = m.world.symbols.functor_passing(name, 2)?;
            Ok(m.store.new_struct(functor, &[s0, s]))
        }
        View::Struct(..) => {
            let Some((functor, args)) = m.store.compound(term) else {
                return Ok(term);
            };
            m.store.reserve(functor.arity() + 3)?;
            let mut all: Vec<Cell> = m.store.args(functor, args).gather()?;
            all.put_all([s0, s])?;
            let name = m.world.symbols.name(functor);
            let functor = m.world.symbols.functor_passing(name, all.len())?;
            Ok(m.store.new_struct(functor, &all))
        }
        _ => Err(m.type_error(atoms::CALLABLE, term)),
    }
}

/// Returns `S0 = [terminals… | S]`. For a partial list it returns a goal that appends `S` to the list.
fn terminals(m: &mut Machine, list: Cell, s0: Cell, s: Cell) -> Result<Cell, Throw> {
    let mut items = Vec::new();
    match m.store.view(list) {
        View::String(addr) => {
            items.put_all(
                m.store
                    .text(addr)
                    .chars()
                    .map(|char| Cell::int(i64::from(u32::from(char)))),
            )?;
        }
        _ => match m.store.list_items(list, &mut items)? {
            ListShape::Proper(_) => {}
            ListShape::Partial(..) => {
                return Ok(m.new_term("$append", &[list, s, s0])?);
            }
            _ => return Err(m.type_error(atoms::LIST, list)),
        },
    }
    let whole = m.store.list_with_tail(&items, s)?;
    Ok(m.store.new_struct(functors::EQUAL, &[s0, whole]))
}

/// Step in the translation of a body.
enum Step {
    /// Translate this body between these two states.
    Body(Cell, Cell, Cell),
    /// Combine the last results under this functor.
    Combine(crate::base::atom_table::Functor),
    /// Add `, S0 = S` to the last result.
    Same(Cell, Cell),
}

/// Translates a body to a goal.
///
/// # Errors
/// Those of [`translate_rule`].
pub(crate) fn body_goal(m: &mut Machine, body: Cell, s0: Cell, s: Cell) -> Result<Cell, Throw> {
    let mut steps = vec![Step::Body(body, s0, s)];
    let mut done: Vec<Cell> = Vec::new();
    let mut taken = 0;
    while let Some(step) = steps.pop() {
        taken += 1;
        m.store.events.watch.go_on_at(taken)?;
        if taken == CYCLE_CHECK && !m.store.acyclic_term(body)? {
            return Err(m.type_error(atoms::ACYCLIC, body));
        }
        m.store.reserve(64)?;
        match step {
            Step::Body(body, s0, s) => {
                if let Some(goal) = part(m, body, s0, s, &mut steps)? {
                    done.put(goal)?;
                }
            }
            Step::Combine(functor) => {
                let at = done.len() - functor.arity();
                let goal = m.store.new_struct(functor, &done[at..]);
                done.truncate(at);
                done.put(goal)?;
            }
            Step::Same(s0, s) => {
                if let Some(goal) = done.pop() {
                    let same = m.store.new_struct(functors::EQUAL, &[s, s0]);
                    done.put(m.store.new_struct(functors::COMMA, &[goal, same]))?;
                }
            }
        }
    }
    Ok(done.pop().unwrap_or(Cell::atom(atoms::TRUE)))
}

/// Translates a part, or pushes steps that do so.
fn part(
    m: &mut Machine,
    body: Cell,
    s0: Cell,
    s: Cell,
    steps: &mut Vec<Step>,
) -> Result<Option<Cell>, Throw> {
    match m.store.view(body) {
        View::Var(_) => {
            let phrase = m.world.symbols.functor(atoms::PHRASE, 3)?;
            Ok(Some(m.store.new_struct(phrase, &[body, s0, s])))
        }
        View::Atom(atoms::NIL) => Ok(Some(m.store.new_struct(functors::EQUAL, &[s0, s]))),
        View::Atom(atoms::CUT | atoms::CURLY) => {
            let goal = if body == Cell::atom(atoms::CUT) {
                atoms::CUT
            } else {
                atoms::TRUE
            };
            let same = m.store.new_struct(functors::EQUAL, &[s, s0]);
            Ok(Some(
                m.store
                    .new_struct(functors::COMMA, &[Cell::atom(goal), same]),
            ))
        }
        View::Atom(_) => extend(m, body, s0, s).map(Some),
        View::List(_) | View::String(_) => terminals(m, body, s0, s).map(Some),
        View::Struct(functor, args) => {
            let arg = |index: usize| m.store.arg(args, index);
            match functor {
                functors::COMMA | functors::ARROW | functors::SOFT_ARROW => {
                    let (left, right) = (arg(0), arg(1));
                    let middle = m.store.new_var();
                    steps.put(Step::Combine(functor))?;
                    steps.put(Step::Body(right, middle, s))?;
                    steps.put(Step::Body(left, s0, middle))?;
                    Ok(None)
                }
                functors::SEMICOLON | functors::BAR => {
                    let (left, right) = (arg(0), arg(1));
                    steps.put(Step::Combine(functors::SEMICOLON))?;
                    steps.put(Step::Body(right, s0, s))?;
                    steps.put(Step::Body(left, s0, s))?;
                    Ok(None)
                }
                functors::NOT => {
                    let inner = arg(0);
                    let after = m.store.new_var();
                    steps.put(Step::Same(s0, s))?;
                    steps.put(Step::Combine(functors::NOT))?;
                    steps.put(Step::Body(inner, s0, after))?;
                    Ok(None)
                }
                functors::CURLY1 => {
                    let goal = arg(0);
                    let same = m.store.new_struct(functors::EQUAL, &[s, s0]);
                    Ok(Some(m.store.new_struct(functors::COMMA, &[goal, same])))
                }
                functors::COLON if arg(1).is_var() => {
                    let phrase = m.world.symbols.functor(atoms::PHRASE, 3)?;
                    Ok(Some(m.store.new_struct(phrase, &[body, s0, s])))
                }
                _ => extend(m, body, s0, s).map(Some),
            }
        }
        _ => Err(m.type_error(atoms::CALLABLE, body)),
    }
}
