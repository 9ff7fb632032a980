//! The reader of Lolli queries: from texts and from the input of a session.

use crate::base::atom_table::functors;
use crate::base::growth::{Gather, Grow, text_of, with_room};
use crate::base::source::line_column;
use crate::base::stop::Stop;
use crate::base::warning::Warning;
use crate::builtins::linear::lolli::{check_formula, fault_error};
use crate::builtins::term_io::clause_reader::{ReadError, with_ast};
use crate::front::build::build;
use crate::front::formula_class::Class;
use crate::library::prelude::load_lolli;
use crate::machine::builtin::{Step, builtins};
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::source::diagnostic::{Diagnostic, Severity};
use crate::source::report::report;
use crate::store::cell::Cell;
use crate::text::lolli::reader::{QueryEnd, Rest, read_query};

/// A query as read.
pub(crate) struct LolliQuery {
    /// The goal on the heap.
    pub(crate) goal: Cell,
    /// The variables of the query in order of occurrence, with their names.
    pub(crate) variables: Vec<(String, Cell)>,
}

/// Reads the query at the beginning of a text. Warnings show `place`: the name of the text and its first line.
///
/// # Errors
/// Returns an error if the text is wrong or has no query, or if memory is exhausted.
pub(crate) fn read_lolli(
    m: &mut Machine,
    text: &str,
    rest: Rest,
    place: (&str, usize),
) -> Result<LolliQuery, ReadError> {
    let mut ignored = Vec::new();
    let result = with_ast(m, |m, ast| {
        ast.clear();
        let before = m.world.symbols.read_passing(true);
        let watch = Some(&*m.store.events.watch);
        let read = read_query(
            text,
            &mut 0,
            rest,
            &mut m.world.symbols,
            ast,
            &mut ignored,
            watch,
        );
        m.world.symbols.read_passing(before);
        match read {
            Ok(QueryEnd::Absent) => Ok(None),
            Ok(end) => match build(&mut m.store, &mut m.world.symbols, ast) {
                Ok((goal, cells)) => {
                    let variables = cells.iter().zip(0u32..);
                    let variables = variables
                        .map(|(&cell, index)| Ok((text_of(ast.var_name(index))?, cell)))
                        .try_gather()?;
                    Ok(Some((LolliQuery { goal, variables }, end)))
                }
                Err(full) => Err(ReadError::Throw(full.into())),
            },
            Err(error) if error.is_out_of_memory() => Err(ReadError::Throw(Stop.into())),
            Err(error) => Err(ReadError::Syntax(error)),
        }
    });
    if !matches!(result, Ok(Some((_, QueryEnd::Text)))) {
        for span in ignored {
            let (name, first) = place;
            let line = line_column(text, span.start as usize).0;
            let message = "this character has no meaning here and is skipped".to_owned();
            let place = (span, first + line - 1);
            report(
                m,
                Diagnostic::new(Severity::Warning, name, text, place, message, None)
                    .of_warning(Warning::Encoding),
            )?;
        }
    }
    match result? {
        Some((query, _)) => Ok(query),
        None => {
            let message = "the text contains no goal";
            Err(m.syntax_error("end_of_file", message).into())
        }
    }
}

/// Returns how the query at the beginning of a text ends. A query without its full stop is no error, because more text may
/// complete it.
///
/// # Errors
/// Returns an error if the text is wrong, or if memory is exhausted.
pub(crate) fn query_end(m: &mut Machine, text: &str) -> Result<QueryEnd, ReadError> {
    with_ast(m, |m, ast| {
        ast.clear();
        let before = m.world.symbols.read_passing(true);
        let watch = Some(&*m.store.events.watch);
        let symbols = &mut m.world.symbols;
        let (rest, ignored) = (Rest::OfLine, &mut Vec::new());
        let read = read_query(text, &mut 0, rest, symbols, ast, ignored, watch);
        m.world.symbols.read_passing(before);
        match read {
            Err(error) if error.is_out_of_memory() => Err(ReadError::Throw(Stop.into())),
            Err(error) if error.is_unfinished() => Ok(QueryEnd::Text),
            Err(error) => Err(ReadError::Syntax(error)),
            Ok(end) => Ok(end),
        }
    })
}

/// Reads a text that is one query.
///
/// # Errors
/// Returns an error if the text is wrong, or if memory is exhausted.
pub(crate) fn read_goal(m: &mut Machine, text: &str) -> Result<LolliQuery, ReadError> {
    read_lolli(m, text, Rest::OfText, ("goal", 1))
}

/// Checks a query before it runs.
///
/// # Errors
/// Returns an error if the query is no goal.
pub(crate) fn check_query(m: &mut Machine, goal: Cell) -> Result<(), Throw> {
    load_lolli(m)?;
    match check_formula(m, goal, Class::Goal) {
        Ok(_) => Ok(()),
        Err((fault, culprit)) => Err(fault_error(m, fault, culprit)),
    }
}

/// Returns the list of `Name = Variable`.
pub(crate) fn bindings_list(m: &mut Machine, variables: &[(String, Cell)]) -> Result<Cell, Throw> {
    m.store.reserve(variables.len().saturating_mul(5))?;
    let mut items = with_room(variables.len())?;
    for (name, variable) in variables {
        let name = Cell::atom(m.world.symbols.intern_passing(name)?);
        items.put(m.store.new_struct(functors::EQUAL, &[name, *variable]))?;
    }
    Ok(m.store.list_of(&items)?)
}

builtins! { LOLLI_QUERY =
    /// Reads the goal of a Lolli text, and returns it with a list of `Name = Variable` for its variables. It
    /// has one solution. It is a nondeterministic builtin so that the compiler never compiles it in place, as
    /// the collection of code requires.
    iso nondet "$lolli_text"("+text", "-goal", "-list") = |m, [text, goal, bindings], _state| {
        m.free_retired_code()?;
        let text = m.text_arg(text)?;
        let query = match read_goal(m, &text) {
            Ok(query) => query,
            Err(ReadError::Throw(throw)) => return Err(throw),
            Err(ReadError::Syntax(error)) => {
                let (line, column) = line_column(&text, error.span.start as usize);
                let message = format!("goal:{line}:{column}: {}", error.message());
                return Err(m.syntax_error(error.name(), &message));
            }
        };
        check_query(m, query.goal)?;
        let list = bindings_list(m, &query.variables)?;
        let unified = m.unify(goal, query.goal)? && m.unify(bindings, list)?;
        Ok(if unified { Step::Last } else { Step::Fail })
    };
}
