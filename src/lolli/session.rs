//! Builtins of Lolli sessions: they read terms of the input, number variables, and warn of undefined goals.

use super::origin::query_place;
use super::query::{bindings_list, check_query, query_end, read_lolli};
use crate::base::atom_table::{Functor, atoms, functors};
use crate::base::growth::Gather;
use crate::base::source::line_column;
use crate::base::stop::Stop;
use crate::base::warning::Warning;
use crate::builtins::streams::errors_io::Target;
use crate::builtins::system::engine::run_in_shell;
use crate::builtins::term_io::clause_reader::ReadError;
use crate::diagnose::origin::origin;
use crate::diagnose::similar::meant;
use crate::io::stream_table::{USER_ERROR, USER_INPUT, USER_OUTPUT};
use crate::machine::builtin::{Step, builtins};
use crate::machine::control::throw::Throw;
use crate::machine::events::trace::Trace;
use crate::machine::state::Machine;
use crate::machine::upper_layers::LayerState;
use crate::source::diagnostic::{Diagnostic, Location, Severity};
use crate::source::named_goals::whole_query;
use crate::source::report::message_text;
use crate::source::term_texts::name_and_arity;
use crate::store::cell::Cell;
use crate::text::lolli::names::SQUARE;
use crate::text::lolli::reader::{QueryEnd, Rest};

/// The name of the input in messages.
const USER_INPUT_NAME: &str = "user_input";

/// The hint for a goal of the form `[…]`.
const LISTS: &str = "write a list as `a :: b :: nil`; enter the module `name` with `load name.`";

/// The state of a session.
#[derive(Default)]
pub(crate) struct Session {
    /// The number of the last variable of a query. Each variable has a number of its own.
    stamps: u64,
    /// The first line of the current query of a session, and its text.
    pub(crate) asked: Option<(usize, String)>,
    /// How the current query leaves its prompt, if it does.
    pub(crate) way: Option<String>,
}

impl LayerState for Session {}

/// Returns the number of the next line of a stream, from 1.
fn line_number(m: &Machine, target: Target) -> usize {
    let position = m
        .world
        .host
        .streams
        .get(target.id)
        .map(|stream| stream.position().line);
    position.map_or(1, |line| usize::try_from(line).unwrap_or(1))
}

/// Returns the name of a stream for messages: the name of its file, or its alias.
fn stream_name(m: &Machine, target: Target) -> String {
    let stream = m.world.host.streams.get(target.id);
    let file = stream.and_then(|stream| stream.file_name.as_deref());
    let alias = stream.and_then(|stream| stream.aliases().first());
    match (file, alias) {
        (Some(file), _) => file.to_owned(),
        (None, Some(&alias)) => m.world.symbols.text(alias).to_owned(),
        (None, None) => "input".to_owned(),
    }
}

/// A text from a stream, and its first line in the stream.
type ReadText = (String, usize);

/// Reads the text of the next term of a stream and skips the rest of its last line. Returns `None` at the end.
fn read_text(m: &mut Machine, target: Target) -> Result<Option<ReadText>, Throw> {
    let mut text = String::new();
    let mut begin = line_number(m, target);
    loop {
        let more = m.gather_from(target, |input, room| input.read_line_into(&mut text, room))?;
        let wish = target.id == USER_INPUT && text.trim_end() == ";";
        match query_end(m, &text) {
            Ok(QueryEnd::Absent) if !more => return Ok(None),
            Ok(QueryEnd::Text) if more && !wish => continue,
            Err(ReadError::Throw(throw)) => return Err(throw),
            Ok(QueryEnd::Absent) => {}
            _ if more && wish => {}
            _ => return Ok(Some((text, begin))),
        }
        text.clear();
        begin = line_number(m, target);
    }
}

/// Returns the variables, each with a unique number added to its name.
///
/// # Errors
/// Returns an error if memory is exhausted.
pub(crate) fn stamped(
    m: &mut Machine,
    variables: Vec<(String, Cell)>,
) -> Result<Vec<(String, Cell)>, Throw> {
    let stamps = &mut m.world.layers.of::<Session>().stamps;
    let first = *stamps + 1;
    *stamps += variables.len() as u64;
    let last = *stamps;
    let named = variables
        .into_iter()
        .zip((first..=last).rev())
        .map(|((name, variable), stamp)| (format!("{name}_{stamp}"), variable));
    Ok(named.gather()?)
}

/// Writes a message to the standard error output, after all earlier output.
pub(super) fn write_message(m: &mut Machine, text: &str) {
    let column = m
        .world
        .host
        .streams
        .get(USER_OUTPUT)
        .map_or(0, |out| out.line_position());
    // An error of these outputs cannot be reported anywhere.
    if let Ok(output) = m.world.host.streams.output(USER_OUTPUT) {
        if column > 0 {
            let _ = output.put_str("\n");
        }
        let _ = output.flush();
    }
    if let Ok(stream) = m.world.host.streams.output(USER_ERROR) {
        let _ = stream.put_str(text);
        let _ = stream.flush();
    }
}

/// Returns the place of a goal in the text of a query that begins in this line. If the goal is not found, returns the
/// place of the whole query.
pub(super) fn place_in_query(
    m: &mut Machine,
    line: usize,
    text: &str,
    culprit: Option<Functor>,
) -> Result<Location, Stop> {
    let goal = query_place(m, (USER_INPUT_NAME, line, text), culprit)?;
    Ok(goal.unwrap_or_else(|| {
        let span = whole_query(text);
        let before = text[..span.start as usize].matches('\n').count();
        Location::new(USER_INPUT_NAME, text, span, line + before)
    }))
}

/// The global variable with the goal of Lolli that runs outside a session.
const GOAL: &str = "$lolli_goal";

/// Warns that a goal fails because its predicate is not defined. A hook of the machine.
pub(crate) fn warn_undefined(m: &mut Machine, functor: Functor, trace: &Trace) -> Result<(), Stop> {
    if !m.world.flags.warnings.wants(Warning::Undefined) {
        return Ok(());
    }
    let asked = m.world.layers.of::<Session>().asked.clone();
    let goal = match &asked {
        Some((line, text)) => {
            let read = read_lolli(m, text, Rest::OfLine, (USER_INPUT_NAME, *line));
            read.ok().map(|query| query.goal)
        }
        None => {
            let name = m.world.symbols.intern(GOAL)?;
            m.local_global(name)
        }
    };
    let goal = goal.filter(|_| m.store.reserve(4).is_ok());
    let goal = goal.map_or(Cell::atom(atoms::TRUE), |goal| {
        let parts = [Cell::atom(atoms::LOLLI), goal];
        m.store.new_struct(functors::COLON, &parts)
    });
    let place = match (origin(m, trace, goal)?, asked) {
        (None, Some((line, text))) => Some(place_in_query(m, line, &text, trace.culprit)?),
        (place, _) => place,
    };
    let name = name_and_arity(m, functor)?;
    let message = format!(
        "{name} fails: no clause, assumption or Prolog predicate has this name and number of arguments"
    );
    let arity = i64::try_from(functor.arity()).ok();
    let hint = match m.world.symbols.text(m.world.symbols.name(functor)) {
        SQUARE => Some(LISTS.to_owned()),
        _ => meant(m, atoms::LOLLI, m.world.symbols.name(functor), arity)?,
    };
    let diagnostic = match place {
        Some(place) => Diagnostic::at(Severity::Warning, place, message, hint),
        None => Diagnostic {
            hint,
            ..Diagnostic::without_place(Severity::Warning, message)
        },
    };
    let text = message_text(m, &diagnostic.of_warning(Warning::Undefined));
    write_message(m, &text);
    Ok(())
}

builtins! { LOLLI_SESSION =
    /// Checks a query before it runs.
    iso "$lolli_check_query"("+goal") = |m, [goal]| check_query(m, goal).map(|()| true);

    /// Cancels the effect of earlier `erase` goals before a query begins.
    iso "$forget_erasing"() = |m, []| {
        m.forget_erasing();
        Ok(true)
    };

    /// Records how the current query leaves its prompt, or that the query has reported its result itself.
    iso "$lolli_leave"("+way") needs effect = |m, [way]| {
        let way = m.atomic_text_arg(way, atoms::ATOM)?;
        m.world.layers.of::<Session>().way = Some(way);
        Ok(true)
    };

    /// Reads the next term of the current input and returns it with its variables, each `Name = Variable`.
    /// Skips the rest of its line. The compiler never compiles it in place, as `'$lolli_text'/3`.
    iso nondet "$lolli_read"("-term", "-list") needs effect = |m, [term, names], _state| {
        m.free_retired_code()?;
        let target = m.input_target(None)?;
        let Some((text, begin)) = read_text(m, target)? else {
            let nothing = Cell::atom(atoms::NIL);
            let end = Cell::atom(atoms::END_OF_FILE);
            let unified = m.unify(term, end)? && m.unify(names, nothing)?;
            return Ok(if unified { Step::Last } else { Step::Fail });
        };
        let name = stream_name(m, target);
        let query = match read_lolli(m, &text, Rest::OfLine, (&name, begin)) {
            Ok(query) => query,
            Err(ReadError::Throw(throw)) => return Err(throw),
            Err(ReadError::Syntax(error)) => {
                let (line, column) = line_column(&text, error.span.start as usize);
                let line = begin + line - 1;
                let message = format!("{name}:{line}:{column}: {}", error.message());
                return Err(m.syntax_error(error.name(), &message));
            }
        };
        let stamped = stamped(m, query.variables)?;
        let list = bindings_list(m, &stamped)?;
        let unified = m.unify(term, query.goal)? && m.unify(names, list)?;
        Ok(if unified { Step::Last } else { Step::Fail })
    };

    /// Runs a command of the operating system.
    iso "$lolli_system"("+text", "-integer") needs processes, effect = |m, [command, status]| {
        let command = m.text_arg(command)?;
        // If flushing fails here, it fails again at the next output.
        let _ = m.world.host.streams.flush_all();
        let found = run_in_shell(m, processes, &command)?;
        Ok(m.unify_int(status, i64::from(found))?)
    };
}
