//! The prompt: reads queries, shows their answers as SWI-Prolog does.

use super::editor::Lines;
use super::input::{self, Input, LOLLI_HISTORY, QueryText};
use super::keys::Wish;
use super::report::{self, Place};
use super::values::Values;
use super::{ANSWER_DEPTH, BROKEN, Outcome};
use std::time::Instant;
use wamlet::{Engine, Error, Location, Solutions, Term};

/// What lasts from one query to the next.
struct Session {
    input: Input,
    values: Values,
    /// Is it told what each query takes?
    times: bool,
}

/// Answers queries until the input ends or the program halts. `times`: tells what each one takes.
pub(crate) fn run(engine: &mut Engine, banner: bool, times: bool) -> Outcome {
    let mut session = Session {
        input: Input::new(),
        values: Values::default(),
        times,
    };
    let terminal = session.input.is_terminal();
    if banner && terminal {
        let version = env!("CARGO_PKG_VERSION");
        report::say(engine, &format!("Wamlet {version}. To leave: ?- halt.\n\n"));
    }
    loop {
        let result = match session.input.query(engine) {
            Ok(Some(query)) => answer(engine, &mut session, &query),
            Ok(None) => break,
            Err(error) => Err(error),
        };
        engine.check_undefined();
        match result {
            Ok(()) => {}
            Err(error) => {
                if let Some(status) = error.halt_status() {
                    return Outcome::Exit(status);
                }
                report::error(
                    engine,
                    &error,
                    None,
                    Place {
                        name: "user_input",
                        line: 1,
                    },
                );
                // Nobody shall believe that all went well.
                return Outcome::Exit(BROKEN);
            }
        }
    }
    if terminal {
        // The end of the input was typed without a new line.
        let _ = engine.write_output("\n");
    }
    Outcome::Done
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
    if let Some(mut lines) = Lines::new(LOLLI_HISTORY, false) {
        lines.set_language(engine.language());
        engine.set_line_editor(lines);
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
        match session.values.used_in(&engine.language(), &query.text) {
            Ok(used) => used,
            Err(name) => {
                let message = format!("no answer of this session has a value of {name}: ${name}");
                report::plain_error(engine, &message);
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
    let started = (Instant::now(), engine.inferences());
    let result = match engine.query_with(&text, &given) {
        Ok(mut solutions) => answers(&mut solutions, session),
        Err(error) => Err(error),
    };
    if session.times {
        report::time(engine, started.0.elapsed(), engine.inferences() - started.1);
    }
    match result {
        Ok(()) => {
            engine.write_output("\n")?;
            engine.flush_output()
        }
        Err(error) if error.halt_status().is_some() || is_stream_error(&error) => Err(error),
        Err(error) => {
            let place = Place {
                name: "user_input",
                line: query.line,
            };
            report::error(engine, &error, None, place);
            Ok(())
        }
    }
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
    let message = "Syntax error: the input ends before the `.` of the query";
    report::directive(engine, &location, true, message);
}

fn is_stream_error(error: &Error) -> bool {
    *error.kind() == wamlet::ErrorKind::Io
}

/// Shows the answers of a query as far as they are wanted.
fn answers(solutions: &mut Solutions<'_>, session: &mut Session) -> Result<(), Error> {
    // Answers that are wanted without being asked for one by one.
    let mut wanted: u64 = 1;
    loop {
        let Some(solution) = solutions.next().transpose()? else {
            return show(solutions.engine(), "false.\n");
        };
        session.values.keep(&solution);
        if solution.is_last() {
            return show(solutions.engine(), &format!("{solution}.\n"));
        }
        show(solutions.engine(), &format!("{solution} "))?;
        solutions.engine().flush_output()?;
        wanted -= 1;
        while wanted == 0 {
            match session.input.wish(solutions.engine())? {
                Wish::More(more) => wanted = more,
                Wish::Stop => return solutions.engine().write_output(".\n"),
                Wish::InFull => {
                    solutions.engine().set_answer_depth(0);
                    let text = solutions.solution()?.map(|whole| whole.to_string());
                    solutions.engine().set_answer_depth(ANSWER_DEPTH);
                    show(
                        solutions.engine(),
                        &format!("{} ", text.unwrap_or_default()),
                    )?;
                    solutions.engine().flush_output()?;
                }
            }
        }
        solutions.engine().write_output(";\n")?;
    }
}

/// Shows a text from the beginning of a line on.
fn show(engine: &mut Engine, text: &str) -> Result<(), Error> {
    if engine.output_column() > 0 {
        engine.write_output("\n")?;
    }
    engine.write_output(text)
}
