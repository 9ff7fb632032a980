//! The prompt of the command: it runs the session of the library with the line editor, and converts its
//! result to an outcome.

use super::editor::Typist;
use super::report::{self, Place};
use super::{BROKEN, Outcome};
use std::io::IsTerminal;
use wamlet::{Engine, Error, ErrorKind, Solutions};

/// The files with the queries of earlier sessions of Prolog and of Lolli.
const HISTORY: &str = "history";
const LOLLI_HISTORY: &str = "lolli_history";

/// Returns whether the standard input is a terminal.
pub(crate) fn is_terminal() -> bool {
    std::io::stdin().is_terminal()
}

/// Sets the line editor for sessions, if the standard input is a terminal.
pub(crate) fn set_editor(engine: &mut Engine, lolli: bool) {
    if is_terminal() {
        engine.set_query_editor(Typist::new(if lolli { LOLLI_HISTORY } else { HISTORY }));
    }
}

/// Runs queries until the input ends or the program halts.
pub(crate) fn run(engine: &mut Engine, banner: bool) -> Outcome {
    if banner && is_terminal() {
        let version = env!("CARGO_PKG_VERSION");
        report::say(engine, &format!("Wamlet {version}. To leave: ?- halt.\n\n"));
    }
    let Err(error) = engine.prolog_session() else {
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
    // The exit status must report the error.
    Outcome::Exit(BROKEN)
}

/// Runs queries of Lolli in the context of modules until the input ends or the user leaves the session.
///
/// # Errors
/// Returns the error that ends the session.
pub(crate) fn lolli(engine: &mut Engine, modules: &[&str], banner: bool) -> Result<(), Error> {
    if banner && is_terminal() {
        let version = env!("CARGO_PKG_VERSION");
        let text = format!("Wamlet {version}, a session of Lolli. To leave: ?- bye.\n\n");
        report::say(engine, &text);
    }
    engine.lolli_session(modules)
}

/// Runs a goal of the command line up to its first solution, with the sessions that it requests.
///
/// # Errors
/// Returns the errors of the goal and those of [`Engine::session_within`].
pub(crate) fn first(mut solutions: Solutions<'_>) -> Result<bool, Error> {
    loop {
        match solutions.advance() {
            Err(error) if *error.kind() == ErrorKind::Break => {
                solutions.engine().session_within()?;
            }
            Ok(true) => return solutions.close().map(|()| true),
            outcome => return outcome,
        }
    }
}
