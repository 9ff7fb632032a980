//! Typed clauses: the text of `[user]`, read from `user_input` clause by clause. Errors of a clause are
//! reported before the next clause is read, and directives of the text can read from the same input.

use super::consult::{MAX_KEPT, begin_as, check_entered};
use crate::base::atom_table::{Atom, atoms};
use crate::base::growth::{GrowText, joined, require_memory};
use crate::base::stop::Stop;
use crate::builtins::streams::errors_io::Target;
use crate::io::stream_table::{USER_INPUT, USER_OUTPUT};
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::machine::upper_layers::LayerState;
use crate::source::input_clause::InputClause;
use crate::source::loading::{Lines, Loading, loader};
use crate::store::cell::Cell;
use crate::store::claims::Life;
use std::collections::VecDeque;

/// Data about the text that was typed before the present clause.
#[derive(Default)]
pub(super) struct Typed {
    /// The whole text up to the present clause, unless it is large: for messages about places in it.
    whole: String,
    /// Whether the input has ended. A terminal would continue after its end of input.
    at_end: bool,
}

impl LayerState for Typed {}

/// The beginning of the line before a script's first clause that names the program to run it.
pub(super) const HEADING: &str = "#!";

/// Returns the length in bytes of a first line that is no clause. The line begins with `#!`, or it is a comment
/// as in shells: `#` and a word that is no operator. The standard reads such a comment as a clause with an
/// error.
pub(super) fn heading(m: &Machine, text: &str) -> Result<usize, Stop> {
    let end = || text.find('\n').unwrap_or(text.len());
    if text.starts_with(HEADING) {
        return Ok(end());
    }
    let Some(comment) = text.strip_prefix('#').filter(|_| !m.world.flags.iso) else {
        return Ok(0);
    };
    let word = comment.trim_start_matches([' ', '\t']);
    let after = word.find(|char: char| !(char.is_alphanumeric() || char == '_'));
    let word = &word[..after.unwrap_or(word.len())];
    let ops = m.ops()?;
    let name = |text: &str| m.world.symbols.find(text);
    let is_op = |text: &str| name(text).is_some_and(|name| ops.is_op(name));
    if word.is_empty() || is_op("#") || is_op(word) {
        return Ok(0);
    }
    Ok(end())
}

/// Begins to load typed text.
pub(super) fn begin_typed(m: &mut Machine, module: Atom) -> Result<(), Throw> {
    check_entered(m, module)?;
    let name = m.world.symbols.text(atoms::USER).to_owned();
    let file = m.world.files.add_text(&name)?;
    let claim = m.store.claim(0, Life::Passing)?;
    begin_as(
        m,
        file,
        claim,
        ("".into(), VecDeque::new(), true),
        (module, false),
    )?;
    if let Some(loading) = loader(m).stack.last_mut() {
        loading.typed = Some(0);
    }
    Ok(())
}

/// Returns whether the present text is typed.
pub(super) fn is_typed(m: &mut Machine) -> bool {
    let loading = loader(m).stack.last();
    loading.is_some_and(|loading| loading.typed.is_some())
}

/// Returns whether more than blanks follow the present clause.
fn has_rest(loading: &Loading) -> bool {
    let rest = loading.text.get(loading.at..);
    rest.is_some_and(|rest| !rest.trim().is_empty())
}

/// Ensures that there is text to read: if the text is typed, reads the next clause. Returns `false`
/// at the end of the text.
pub(super) fn more_typed(m: &mut Machine) -> Result<bool, Throw> {
    let Some(loading) = loader(m).stack.last_mut() else {
        return Ok(false);
    };
    // After a clause without its full stop, the next clause is already in the text.
    if loading.typed.is_none() || has_rest(loading) {
        return Ok(true);
    }
    if loading.own.of::<Typed>().at_end {
        return Ok(false);
    }
    let first = loading.text.is_empty();
    let (clause, at_end) = typed_clause(m, first)?;
    let tty = m.world.host.streams.is_tty(USER_INPUT);
    if at_end && tty && !m.world.host.streams.input_is_edited() {
        // The end of input was typed without a newline.
        if let Ok(output) = m.world.host.streams.output(USER_OUTPUT) {
            // If this cannot be written, a later write reports the error.
            let _ = output.put_str("\n");
        }
    }
    let Some(loading) = loader(m).stack.last() else {
        return Ok(false);
    };
    // Keep the whole line that the clause begins in, so that messages can show it.
    let done = &loading.text;
    let line = done.rfind('\n').map_or(0, |newline| newline + 1);
    let lines = done[..line].matches('\n').count();
    let text = joined(&[&done[line..], &clause])?;
    let at = match first && clause.starts_with(HEADING) {
        true => clause.find('\n').unwrap_or(clause.len()),
        false => done.len() - line,
    };
    let claim = m.store.claim(text.len() as u64, Life::Passing)?;
    require_memory(text.len())?;
    if let Some(loading) = loader(m).stack.last_mut() {
        loading.text = text.into();
        loading.lines = Lines::default();
        loading.at = at;
        loading.claim = claim;
        if let Some(before) = &mut loading.typed {
            *before += u32::try_from(lines).unwrap_or(u32::MAX);
        }
        let typed = loading.own.of::<Typed>();
        typed.at_end = at_end;
        if typed.whole.len() + clause.len() <= MAX_KEPT {
            typed.whole.put_str(&clause)?;
        }
    }
    Ok(true)
}

/// Passes the text typed so far to the table of files.
pub(super) fn keep_typed(m: &mut Machine) {
    let Some(loading) = loader(m).stack.last_mut() else {
        return;
    };
    if loading.typed.is_none() {
        return;
    }
    let (file, whole) = (
        loading.file,
        loading.own.of::<Typed>().whole.as_str().into(),
    );
    if let Some(entry) = m.world.files.get_mut(file) {
        entry.text = Some(whole);
    }
}

/// Reads the text up to the next full stop and the blanks after it on its line. Also returns
/// whether the input ended before the full stop. The first clause may have the `#!` line of a
/// script before it.
fn typed_clause(m: &mut Machine, first: bool) -> Result<(String, bool), Throw> {
    let input = Target {
        id: USER_INPUT,
        named: Some(Cell::atom(atoms::USER_INPUT)),
    };
    let mut clause = InputClause::new(m.world.flags.lexis(), first.then_some(HEADING));
    // A text that is loaded from `user_input` belongs to the host, so a closed input is opened for
    // it.
    let closed = m.world.host.streams.close_input(false);
    let read = m.gather_from(input, |input, room| clause.read(input, room));
    m.world.host.streams.close_input(closed);
    read?;
    Ok(clause.text())
}
