//! How the time of loading divides: the texts are read again, as far as the tokens, the syntax trees,
//! and the terms.

use crate::base::atom_table::atoms;
use crate::base::growth::Gather;
use crate::base::needs::{Clock, Permit};
use crate::builtins::streams::errors_io::may_take;
use crate::builtins::term_io::clause_reader::{read_clause, read_tree, with_ast};
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::source::encoding_directive::read_program_again;
use crate::source::permits;
use crate::store::os::cpu_time;
use crate::text::lexer::Lexer;
use crate::text::query_tests::{Syntax, without_tests};
use crate::text::token::TokenKind;
use std::time::Duration;

/// How long it takes to read texts so far.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct Times {
    /// As tokens.
    pub(crate) tokens: Duration,
    /// As syntax trees.
    pub(crate) trees: Duration,
    /// As terms.
    pub(crate) terms: Duration,
}

/// Reads the texts of all files that were loaded again, with the operators of now.
///
/// # Errors
/// The work is to be stopped.
pub(crate) fn reading_times(m: &mut Machine, clock: &Permit<Clock>) -> Result<Times, Throw> {
    let names: Vec<String> = m
        .world
        .files
        .iter()
        .filter(|(_, file)| file.module.is_some())
        .map(|(_, file)| file.path.to_string())
        .gather()?;
    let mut times = Times::default();
    for name in names {
        let _at_work = m.world.host.directory.enter();
        let text = read_program_again(permits::load(), &name, &|bytes| may_take(&m.store, bytes));
        // What is no file was not read from one.
        let Ok(text) = text else { continue };
        let text = without_tests(&text, Syntax::Prolog)?.unwrap_or(text);
        times.tokens += timed(clock, || tokens(m, &text))?;
        times.trees += timed(clock, || clauses(m, &text, false))?;
        times.terms += timed(clock, || clauses(m, &text, true))?;
    }
    Ok(times)
}

/// The CPU time that some work takes.
fn timed(
    clock: &Permit<Clock>,
    work: impl FnOnce() -> Result<(), Throw>,
) -> Result<Duration, Throw> {
    let start = cpu_time(clock);
    work()?;
    Ok(Duration::from_secs_f64((cpu_time(clock) - start).max(0.0)))
}

fn tokens(m: &mut Machine, text: &str) -> Result<(), Throw> {
    let module_goals = m.ops()?.is_op(atoms::MODULE_GOAL);
    let lexis = m.world.flags.lexis().with_module_goals(module_goals);
    let mut lexer = Lexer::new(text, 0, lexis);
    // What is wrong was told when the file was loaded.
    while let Ok(token) = lexer.next_token() {
        match token.kind {
            TokenKind::Eof => break,
            TokenKind::End => m.go_on()?,
            _ => {}
        }
    }
    Ok(())
}

fn clauses(m: &mut Machine, text: &str, terms: bool) -> Result<(), Throw> {
    let mut at = 0;
    loop {
        m.go_on()?;
        let top = m.store.heap_top;
        let more = if terms {
            !matches!(read_clause(m, text, &mut at, false), Ok(None))
        } else {
            !matches!(
                with_ast(m, |m, ast| read_tree(m, text, &mut at, false, ast)),
                Ok(false)
            )
        };
        m.store.heap_top = top;
        if !more {
            return Ok(());
        }
    }
}
