//! The table of rules, and the visitor that applies them to a clause.

use super::clause::{Goal, ReadClause, Variables, goals_of, within};
use super::{
    arithmetic, count_memo, directives, equations, joined_texts, lines, nonstandard, order,
    recursion, singletons, strings, undefined, unreachable,
};
use crate::base::atom_table::functors;
use crate::base::source::Span;
use crate::base::stop::Stop;
use crate::machine::state::Machine;
use crate::source::loading::skipping;
use crate::store::cell::Cell;

/// A rule, by the object that it examines.
enum Rule {
    /// The clause as a whole.
    Clause(fn(&mut Machine, &mut ReadClause<'_>) -> Result<(), Stop>),
    /// Each compound goal of the body. Returns whether later rules skip the goal.
    Goal(fn(&mut Machine, &mut ReadClause<'_>, &Goal) -> Result<bool, Stop>),
    /// The goal of a directive and its place in the text.
    Directive(fn(&mut Machine, Cell, Span) -> Result<(), Stop>),
    /// The text; a clause that begins at this byte was read from it.
    Text(fn(&mut Machine, &str, usize) -> Result<(), Stop>),
    /// Everything loaded since the last check. The flag says that no more will be loaded.
    Program(fn(&mut Machine, bool) -> Result<(), Stop>),
}

/// All rules, in the order of their warnings.
const RULES: &[Rule] = &[
    Rule::Clause(singletons::check),
    Rule::Clause(unreachable::check),
    Rule::Clause(equations::note),
    Rule::Clause(directives::check),
    Rule::Clause(lines::check),
    Rule::Clause(recursion::check),
    Rule::Clause(recursion::base_case),
    Rule::Clause(order::check),
    Rule::Goal(arithmetic::equality),
    Rule::Goal(equations::unification),
    Rule::Goal(equations::identity),
    Rule::Goal(arithmetic::value),
    Rule::Goal(arithmetic::comparison),
    Rule::Goal(strings::check),
    Rule::Goal(joined_texts::check),
    Rule::Goal(arithmetic::passed),
    Rule::Directive(count_memo::note),
    Rule::Text(nonstandard::check),
    Rule::Program(undefined::check),
    Rule::Program(count_memo::check),
];

/// Reports the warnings about the present text, from which `term` was read; the text of the term begins at byte `from`
/// and is at `span` without the blanks before it. Applies the rules for directives, too.
pub(crate) fn warn_text(
    m: &mut Machine,
    text: &str,
    from: usize,
    (term, span): (Cell, Span),
) -> Result<(), Stop> {
    let goal = match m.store.compound(term) {
        Some((functors::DIRECTIVE, args)) if !skipping(m) => Some(m.store.arg(args, 0)),
        _ => None,
    };
    for rule in RULES {
        match rule {
            Rule::Text(check) => check(m, text, from)?,
            Rule::Directive(check) => {
                if let Some(goal) = goal {
                    check(m, goal, span)?;
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// Reports the warnings about everything loaded since the last check; `surely` says that no more will be
/// loaded.
pub(crate) fn warn_program(m: &mut Machine, surely: bool) -> Result<(), Stop> {
    for rule in RULES {
        if let Rule::Program(check) = rule {
            check(m, surely)?;
        }
    }
    Ok(())
}

/// Reports the warnings about a clause that was read with these variables. `expands` says whether the program
/// expands goals.
pub(crate) fn warn_clause(
    m: &mut Machine,
    term: Cell,
    vars: &Variables,
    expands: bool,
) -> Result<(), Stop> {
    let mut clause = ReadClause::new(m, term, vars, expands)?;
    for rule in RULES {
        if let Rule::Clause(check) = rule {
            check(m, &mut clause)?;
        }
    }
    for goal in goals_of(m, clause.body, within)? {
        for rule in RULES {
            if let Rule::Goal(check) = rule
                && check(m, &mut clause, &goal)?
            {
                break;
            }
        }
    }
    clause.keep_waiting(m)?;
    clause.report_remarks(m)
}
