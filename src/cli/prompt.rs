//! The prompt of the command: the session of the library, with the line editor, and what its outcome means.

use super::editor::Typist;
use super::report::{self, Place};
use super::{BROKEN, Outcome};
use std::io::IsTerminal;
use wamlet::{Engine, Error, ErrorKind, Solutions};

/// The files that keep the queries of former sessions of Prolog and of Lolli.
const HISTORY: &str = "history";
const LOLLI_HISTORY: &str = "lolli_history";

/// Is the standard input a terminal?
pub(crate) fn is_terminal() -> bool {
    std::io::stdin().is_terminal()
}

/// Has sessions ask a person at a terminal.
pub(crate) fn set_editor(engine: &mut Engine, lolli: bool) {
    if is_terminal() {
        engine.set_query_editor(Typist::new(if lolli { LOLLI_HISTORY } else { HISTORY }));
    }
}

/// Answers queries until the input ends or the program halts.
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
    // Nobody shall believe that all went well.
    Outcome::Exit(BROKEN)
}

/// Answers queries of Lolli in the context of modules until the input ends or is left.
///
/// # Errors
/// What keeps the session from going on.
pub(crate) fn lolli(engine: &mut Engine, modules: &[&str], banner: bool) -> Result<(), Error> {
    if banner && is_terminal() {
        let version = env!("CARGO_PKG_VERSION");
        let text = format!("Wamlet {version}, a session of Lolli. To leave: ?- bye.\n\n");
        report::say(engine, &text);
    }
    engine.lolli_session(modules)
}

/// The first solution of a goal of the command line, with the sessions that it asks for on the way.
///
/// # Errors
/// Those of the goal, and as [`Engine::session_within`].
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
