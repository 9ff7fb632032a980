//! The prompt: reads queries, shows their answers as SWI-Prolog does.

use super::input::{self, Input, LOLLI_HISTORY, Lines, QueryText, Wish};
use super::report::{self, Place};
use super::{BROKEN, Outcome};
use wamlet::{Engine, Error, Location, Solutions};

/// Answers queries until the input ends or the program halts.
pub(crate) fn run(engine: &mut Engine, banner: bool) -> Outcome {
    let mut input = Input::new();
    let terminal = input.is_terminal();
    if banner && terminal {
        let version = env!("CARGO_PKG_VERSION");
        report::say(engine, &format!("Wamlet {version}. To leave: ?- halt.\n\n"));
    }
    loop {
        let result = match input.query(engine) {
            Ok(Some(query)) => answer(engine, &mut input, &query),
            Ok(None) => break,
            Err(error) => Err(error),
        };
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
    if let Some(lines) = Lines::new(LOLLI_HISTORY) {
        engine.set_line_editor(lines);
    }
    engine.lolli_session(modules)
}

/// Runs one query and shows its answers.
///
/// # Errors
/// Only what ends the prompt: the program halts, or a standard stream fails.
fn answer(engine: &mut Engine, input: &mut Input, query: &QueryText) -> Result<(), Error> {
    if engine.clause_end(&query.text).is_none() {
        unfinished(engine, query);
        return Ok(());
    }
    let result = match engine.query(&query.text) {
        Ok(mut solutions) => answers(&mut solutions, input),
        Err(error) => Err(error),
    };
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
fn answers(solutions: &mut Solutions<'_>, input: &mut Input) -> Result<(), Error> {
    loop {
        let Some(solution) = solutions.next().transpose()? else {
            return show(solutions.engine(), "false.\n");
        };
        if solution.is_last() {
            return show(solutions.engine(), &format!("{solution}.\n"));
        }
        show(solutions.engine(), &format!("{solution} "))?;
        solutions.engine().flush_output()?;
        if input.wish(solutions.engine())? == Wish::Stop {
            return solutions.engine().write_output(".\n");
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
