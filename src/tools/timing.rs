//! The parts of the time of loading. The texts are read again: once to tokens, once to syntax trees, and once to terms.

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

/// The times to read texts to each stage.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct Times {
    /// The time to read tokens.
    pub(crate) tokens: Duration,
    /// The time to read syntax trees.
    pub(crate) trees: Duration,
    /// The time to read terms.
    pub(crate) terms: Duration,
}

/// Reads the texts of all loaded files again, with the present operators.
///
/// # Errors
/// Returns an error if the work must stop.
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
        // A name that is no file was not loaded from a file.
        let Ok(text) = text else { continue };
        let text = without_tests(&text, Syntax::Prolog)?.unwrap_or(text);
        times.tokens += timed(clock, || tokens(m, &text))?;
        times.trees += timed(clock, || clauses(m, &text, false))?;
        times.terms += timed(clock, || clauses(m, &text, true))?;
    }
    Ok(times)
}

/// Returns the CPU time that some work takes.
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
    // Errors were reported when the file was loaded.
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
