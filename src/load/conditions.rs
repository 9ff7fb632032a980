//! Conditional compilation: `if`, `elif`, `else` and `endif`.

use crate::base::atom_table::atoms;
use crate::base::growth::Grow;
use crate::base::source::Span;
use crate::base::stop::Stop;
use crate::machine::builtin::builtins;
use crate::machine::state::Machine;
use crate::source::diagnostic::Severity;
use crate::source::loading::{loader, present_span, skipping};
use crate::source::report::report_at;
use crate::store::cell::Cell;
use crate::store::heap::View;

/// Records in the table of files that the text from here on is skipped, or is loaded again.
pub(super) fn note_unread(m: &mut Machine, unread: bool) -> Result<(), Stop> {
    let Some(loading) = loader(m).stack.last() else {
        return Ok(());
    };
    let (file, at) = (loading.file, loading.at);
    let Some(entry) = m.world.files.get_mut(file) else {
        return Ok(());
    };
    match entry.unread.last_mut() {
        Some(open) if open.end == u32::MAX && !unread => open.end = Span::new(at, at).end,
        Some(open) if open.end == u32::MAX => {}
        _ if unread => entry.unread.put(Span {
            start: Span::new(at, at).start,
            end: u32::MAX,
        })?,
        _ => {}
    }
    Ok(())
}

/// Reports that the present load ends inside an `if`.
pub(super) fn unended(m: &mut Machine) -> Result<(), Stop> {
    let Some(loading) = loader(m).stack.last() else {
        return Ok(());
    };
    let span = Span::new(loading.text.len(), loading.text.len());
    let message = "`:- if` has no `:- endif`".to_owned();
    report_at(m, Severity::Error, span, message, None)?;
    Ok(())
}

builtins! { CONDITIONS =
    /// Executes `if`, `elif`, `else` or `endif` of conditional compilation, with the truth of the
    /// condition.
    iso "$load_condition"("+word", "+truth") = always |m, [word, truth]| {
        let View::Atom(word) = m.store.view(word) else { return Ok(false) };
        let truth = truth == Cell::atom(atoms::TRUE);
        let word = m.world.symbols.text(word).to_owned();
        let Some(loading) = loader(m).stack.last_mut() else { return Ok(false) };
        let conditions = &mut loading.conditions;
        match (word.as_str(), conditions.last_mut()) {
            ("if", _) => conditions.put((truth, truth))?,
            (_, None) => {
                let span = present_span(m);
                let message = format!("`:- {word}` has no `:- if`");
                report_at(m, Severity::Error, span, message, None)?;
            }
            ("endif", _) => { conditions.pop(); }
            (_, Some((active, done))) => {
                *active = !*done && (truth || word == "else");
                *done |= *active;
            },
        }
        let unread = skipping(m);
        note_unread(m, unread)?;
    };
    /// Succeeds if the condition of `if` or `elif` must be evaluated.
    iso "$load_condition_matters"("+word") = |m, [word]| {
        let elif = matches!(m.store.view(word), View::Atom(word) if m.world.symbols.text(word) == "elif");
        let Some(loading) = loader(m).stack.last() else { return Ok(false) };
        let conditions = &loading.conditions;
        let (outer, done) = match (elif, conditions.split_last()) {
            (true, Some((&(_, done), outer))) => (outer, done),
            (true, None) => return Ok(false),
            _ => (conditions.as_slice(), false),
        };
        Ok(!done && outer.iter().all(|&(active, _)| active))
    };
}
