//! The prompt: reads queries, shows their answers as SWI-Prolog does.

use super::editor::{ProgramLines, SharedLines};
use super::input::{self, Input, LOLLI_HISTORY, QueryText, Typed};
use super::keys::Wish;
use super::report::{self, Place};
use super::style;
use super::values::{Missing, Values};
use super::{ANSWER_DEPTH, BROKEN, Outcome};
use std::time::{Duration, Instant};
use wamlet::{
    Debugging, Engine, Error, ErrorKind, Location, MessageKind, Solutions, Term, full_stop,
};

/// What lasts from one query to the next.
struct Session {
    input: Input,
    values: Values,
    /// Is it told what each query takes?
    times: bool,
    /// What the present query has taken so far.
    taken: Taken,
    /// How many queries wait for the present prompt.
    level: usize,
    /// What the tracer did when the present query began, or the last one.
    debugging: Debugging,
    /// Was a key typed that has the present query traced?
    traced_by_key: bool,
    /// Has it been told how to end tracing?
    told_of_tracing: bool,
}

impl Session {
    fn new(engine: &mut Engine, times: bool) -> Session {
        Session {
            input: Input::new(engine),
            values: Values::default(),
            times,
            taken: Taken::default(),
            level: 0,
            debugging: Debugging::Off,
            traced_by_key: false,
            told_of_tracing: false,
        }
    }
}

/// What a query has taken: time on the clock, without that in which a person was waited for, and inferences.
#[derive(Default)]
struct Taken {
    time: Duration,
    inferences: u64,
}

impl Taken {
    /// Adds what has passed since then.
    fn add(&mut self, engine: &Engine, (start, waited, inferences): (Instant, Duration, u64)) {
        let waited = engine.time_waited().saturating_sub(waited);
        self.time += start.elapsed().saturating_sub(waited);
        self.inferences += engine.inferences() - inferences;
    }
}

/// Now: the time, how long persons were waited for, and how many inferences there were.
fn now(engine: &Engine) -> (Instant, Duration, u64) {
    (Instant::now(), engine.time_waited(), engine.inferences())
}

/// So many queries may wait within each other: each takes some of the stack of the process.
const MOST_WAITING: usize = 100;

/// The query that ends a session, as the end of its input does.
const END: &str = "end_of_file.";

/// Answers queries until the input ends or the program halts. `times`: tells what each one takes.
pub(crate) fn run(engine: &mut Engine, banner: bool, times: bool) -> Outcome {
    let mut session = Session::new(engine, times);
    let terminal = session.input.is_terminal();
    if banner && terminal {
        let version = env!("CARGO_PKG_VERSION");
        report::say(engine, &format!("Wamlet {version}. To leave: ?- halt.\n\n"));
    }
    engine.stop_and_go(terminal);
    let Err(error) = queries(engine, &mut session) else {
        return Outcome::Done;
    };
    if engine.interrupt_handle().halt_wanted() {
        return Outcome::Done;
    }
    if let Some(status) = error.halt_status() {
        return Outcome::Exit(status);
    }
    let place = Place::start("user_input");
    report::error(engine, &error, None, place);
    // Nobody shall believe that all went well.
    Outcome::Exit(BROKEN)
}

/// Answers queries until the input ends.
///
/// # Errors
/// The program halts, or a standard stream fails.
fn queries(engine: &mut Engine, session: &mut Session) -> Result<(), Error> {
    loop {
        let result = match session.input.query(engine, session.level)? {
            Typed::Query(query) if query.text.trim() == END => return Ok(()),
            Typed::Query(query) => answer(engine, session, &query),
            Typed::Interrupt => stopped(engine, session),
            Typed::End => return Ok(()),
        };
        engine.check_undefined();
        result?;
    }
}

/// A prompt within a query, which waits for its end.
///
/// # Errors
/// As [`queries`].
fn within(engine: &mut Engine, session: &mut Session) -> Result<(), Error> {
    if session.level == MOST_WAITING {
        let message = format!("break/0: {MOST_WAITING} queries wait already");
        report::plain_error(engine, &message);
        return Ok(());
    }
    session.level += 1;
    let level = session.level;
    report::say(
        engine,
        &format!("% Break level {level}: Ctrl-D goes on with the query that waits\n"),
    );
    let tracing = (session.debugging, session.traced_by_key);
    let taken = std::mem::take(&mut session.taken);
    let result = queries(engine, session);
    (session.debugging, session.traced_by_key) = tracing;
    session.taken = taken;
    session.level -= 1;
    result
}

/// A prompt within what no prompt has asked: a load, a goal of the command line.
///
/// # Errors
/// As [`queries`].
pub(crate) fn within_work(engine: &mut Engine) -> Result<(), Error> {
    let mut session = Session::new(engine, false);
    session.told_of_tracing = true;
    engine.stop_and_go(session.input.is_terminal());
    let result = within(engine, &mut session);
    engine.stop_and_go(false);
    result
}

/// The first solution of a goal of the command line, with the sessions that it asks for on the way.
///
/// # Errors
/// Those of the goal, and as [`queries`].
pub(crate) fn first(solutions: Solutions<'_>) -> Result<bool, Error> {
    first_with(solutions, within_work)
}

/// The same of a goal of Lolli, whose sessions are of Lolli in its context.
///
/// # Errors
/// As [`first`].
pub(crate) fn lolli_first(solutions: Solutions<'_>) -> Result<bool, Error> {
    first_with(solutions, |engine| {
        let result = lolli(engine, &[], false);
        engine.stop_and_go(false);
        result
    })
}

fn first_with(
    mut solutions: Solutions<'_>,
    session: impl Fn(&mut Engine) -> Result<(), Error>,
) -> Result<bool, Error> {
    loop {
        match solutions.advance() {
            Err(error) if *error.kind() == ErrorKind::Break => session(solutions.engine())?,
            Ok(true) => return solutions.close().map(|()| true),
            outcome => return outcome,
        }
    }
}

/// Goes to the next solution of a query, with the sessions that it asks for on the way.
fn advance(solutions: &mut Solutions<'_>, session: &mut Session) -> Result<bool, Error> {
    loop {
        let start = now(solutions.engine());
        let outcome = solutions.advance();
        session.taken.add(solutions.engine(), start);
        match outcome {
            Err(error) if *error.kind() == ErrorKind::Break => within(solutions.engine(), session)?,
            outcome => return outcome,
        }
    }
}

/// Answers queries of Lolli in the context of modules until the input ends or is left.
///
/// # Errors
/// What keeps the session from going on.
pub(crate) fn lolli(engine: &mut Engine, modules: &[&str], banner: bool) -> Result<(), Error> {
    if banner && input::is_terminal() {
        let version = env!("CARGO_PKG_VERSION");
        let text = format!("Wamlet {version}, a session of Lolli. To leave: ?- bye.\n\n");
        report::say(engine, &text);
    }
    if let Some(lines) = SharedLines::new(LOLLI_HISTORY, false) {
        lines.get().set_language(engine.lexical_language());
        engine.set_input_editor(ProgramLines(lines.clone()));
        engine.set_line_editor(lines);
        engine.stop_and_go(true);
    }
    engine.lolli_session(modules)
}

/// Runs one query and shows its answers.
///
/// # Errors
/// Only what ends the prompt: the program halts, or a standard stream fails.
fn answer(engine: &mut Engine, session: &mut Session, query: &QueryText) -> Result<(), Error> {
    if engine.clause_end(&query.text).is_none() {
        unfinished(engine, query);
        return Ok(());
    }
    let (text, given) = if query.text.contains('$') {
        match session
            .values
            .used_in(&engine.lexical_language(), &query.text)
        {
            Ok(used) => used,
            Err(missing) => {
                missing_value(engine, query, &missing);
                return Ok(());
            }
        }
    } else {
        (query.text.clone(), Vec::new())
    };
    let given: Vec<(&str, Term)> = given
        .iter()
        .map(|(name, value)| (name.as_str(), value.clone()))
        .collect();
    session.taken = Taken::default();
    (session.debugging, session.traced_by_key) = (engine.debugging(), false);
    let result = match engine.query_with(&text, &given) {
        Ok(solutions) => answers_or_stop(solutions, session),
        Err(error) => Err(error),
    };
    ended(engine, session, result, Some(query))
}

/// Tells that a `$X` of a query has no value.
fn missing_value(engine: &mut Engine, query: &QueryText, missing: &Missing) {
    let before = &query.text[..missing.place.start];
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let source_line = query.text[start..].lines().next().unwrap_or_default();
    let location = Location {
        file: Some("user_input".into()),
        line: query.line + before.matches('\n').count(),
        column: before[start..].chars().count() + 1,
        source_line: source_line.to_owned(),
        span: missing.place.start - start..missing.place.end - start,
    };
    report::at(engine, MessageKind::Other, location, &missing.message);
}

/// How a query, which begins in this line, has ended for the time being.
enum End {
    /// All was shown that was wanted.
    Shown,
    /// It was stopped and may go on.
    Stopped,
}

/// Shows how a query has ended. Tracing ends with it that was asked for by a key, or if it was aborted.
fn ended(
    engine: &mut Engine,
    session: &mut Session,
    result: Result<End, Error>,
    query: Option<&QueryText>,
) -> Result<(), Error> {
    if session.times {
        report::time(engine, session.taken.time, session.taken.inferences);
    }
    let aborted = matches!(&result, Err(error) if *error.kind() == ErrorKind::Interrupted);
    let leaves = matches!(&result, Err(error) if error.halt_status().is_some());
    let by_key = session.traced_by_key && !matches!(result, Ok(End::Stopped));
    if engine.debugging() == Debugging::Tracing && session.debugging != Debugging::Tracing {
        if aborted || by_key {
            engine.set_debugging(session.debugging);
        } else if !leaves
            && !std::mem::replace(&mut session.told_of_tracing, true)
            && session.input.is_terminal()
        {
            report::say(
                engine,
                "% Queries are traced from now on: notrace. ends that\n",
            );
        }
    }
    session.traced_by_key &= !by_key;
    match result {
        Ok(End::Shown) => {
            engine.write_output("\n")?;
            engine.flush_output()
        }
        Ok(End::Stopped) => Ok(()),
        Err(error) if error.halt_status().is_some() || is_stream_error(&error) => Err(error),
        Err(error) => {
            let place = Place {
                name: "user_input",
                line: query.map_or(1, |query| query.line),
            };
            report::query_error(
                engine,
                &error,
                query.map(|query| query.text.as_str()),
                place,
            );
            Ok(())
        }
    }
}

/// Shows answers; a query that is interrupted is kept if it can go on.
fn answers_or_stop(mut solutions: Solutions<'_>, session: &mut Session) -> Result<End, Error> {
    let result = answers(&mut solutions, session);
    if let (Err(_), Some(at)) = (&result, solutions.stopped_at()) {
        let text = format!("% Stopped in {at} (Ctrl-C again: where; a new query drops it)\n");
        report::say(solutions.engine(), &text);
        solutions.keep();
        return Ok(End::Stopped);
    }
    result?;
    solutions.close()?;
    Ok(End::Shown)
}

/// Shows where the query is that was stopped, and asks what to do with it.
fn stopped(engine: &mut Engine, session: &mut Session) -> Result<(), Error> {
    let Some(mut solutions) = engine.kept_query() else {
        return Ok(());
    };
    let at = solutions.stopped_at().unwrap_or_default();
    let stack = solutions.goal_stack();
    report::say(solutions.engine(), &format!("% Stopped in {at}\n{stack}"));
    loop {
        report::say(
            solutions.engine(),
            "a abort  c continue  t trace  e exit  RETURN leave it stopped ? ",
        );
        match solutions.engine().read_key() {
            Some('a') => {
                drop(solutions);
                report::say(engine, "abort\n% Execution aborted\n");
                return Ok(());
            }
            Some('c') => {
                report::say(solutions.engine(), "continue\n");
                break;
            }
            Some('t') => {
                report::say(solutions.engine(), "trace\n");
                session.traced_by_key = true;
                solutions.engine().set_debugging(Debugging::Tracing);
                break;
            }
            Some('e') => {
                drop(solutions);
                report::say(engine, "exit\n");
                return engine.query("halt")?.advance().map(|_| ());
            }
            Some('\n' | '\r' | ' ' | '\u{3}' | '\u{4}') | None => {
                report::say(solutions.engine(), "stopped\n");
                solutions.keep();
                return Ok(());
            }
            Some(_) => report::say(solutions.engine(), "\n"),
        }
    }
    let result = answers_or_stop(solutions, session);
    ended(engine, session, result, None)
}

/// Tells that the input ended before the full stop of a query, which may not be whole.
fn unfinished(engine: &mut Engine, query: &QueryText) {
    let text = query.text.trim_end();
    let source_line = text.lines().last().unwrap_or_default().to_owned();
    let end = source_line.len();
    let location = Location {
        file: Some("user_input".into()),
        line: query.line + text.lines().count().saturating_sub(1),
        column: source_line.chars().count() + 1,
        source_line,
        span: end..end,
    };
    let message = "syntax error: the input ends before the `.` of the query";
    report::at(engine, MessageKind::Syntax, location, message);
}

fn is_stream_error(error: &Error) -> bool {
    *error.kind() == ErrorKind::Io
}

/// Shows the answers of a query as far as they are wanted.
fn answers(solutions: &mut Solutions<'_>, session: &mut Session) -> Result<(), Error> {
    // Answers that are wanted without being asked for one by one.
    let mut wanted: u64 = 1;
    loop {
        if !advance(solutions, session)? {
            return show(solutions.engine(), "false.\n");
        }
        let last = !solutions.has_more();
        let text = solutions.text()?.unwrap_or_default();
        session.values.keep(solutions)?;
        if last {
            show(solutions.engine(), &format!("{text}{}\n", full_stop(&text)))?;
            return tell_of_more(solutions.engine(), session, &text);
        }
        show(solutions.engine(), &format!("{text} "))?;
        solutions.engine().flush_output()?;
        wanted -= 1;
        while wanted == 0 {
            match session.input.wish(solutions.engine())? {
                Wish::More(more) => wanted = more,
                Wish::Stop => return end_answer(solutions.engine(), ".\n"),
                Wish::Traced => {
                    session.traced_by_key = true;
                    solutions.engine().set_debugging(Debugging::Tracing);
                    wanted = 1;
                }
                Wish::Choice => {
                    let choice = solutions.choice_left();
                    let choice = choice.unwrap_or_else(|| "nothing that is known".to_owned());
                    report::say(solutions.engine(), &format!("% {choice}\n"));
                    show(solutions.engine(), &format!("{text} "))?;
                    solutions.engine().flush_output()?;
                }
                Wish::InFull => {
                    solutions.engine().set_answer_depth(0);
                    let whole = solutions.text();
                    solutions.engine().set_answer_depth(ANSWER_DEPTH);
                    let whole = whole?.unwrap_or_default();
                    show(solutions.engine(), &format!("{whole} "))?;
                    solutions.engine().flush_output()?;
                }
            }
        }
        end_answer(solutions.engine(), ";\n")?;
    }
}

/// Writes what ends an answer, unless a line that was typed has ended it.
fn end_answer(engine: &mut Engine, text: &str) -> Result<(), Error> {
    match engine.output_column() > 0 {
        true => engine.write_output(text),
        false => Ok(()),
    }
}

/// Tells, the first time, how to see all of a last answer that is not shown in full: no key asks for that.
fn tell_of_more(engine: &mut Engine, session: &mut Session, text: &str) -> Result<(), Error> {
    let name = session.values.abbreviated(&engine.lexical_language(), text);
    if let Some(name) = name
        && session.input.tells_of_more()
    {
        let hint = format!("% In full: print(${name}).");
        let hint = style::styled(&hint, style::DIM, style::on_output());
        return engine.write_output(&format!("{hint}\n"));
    }
    Ok(())
}

/// Shows a text from the beginning of a line on.
fn show(engine: &mut Engine, text: &str) -> Result<(), Error> {
    if engine.output_column() > 0 {
        engine.write_output("\n")?;
    }
    engine.write_output(text)
}
