//! Reporting of messages: they are kept for the host, counted and printed.

use super::diagnostic::{Diagnostic, MessageForm, Severity};
use super::loading::{loader, place_here};
use super::permits;
use crate::base::source::Span;
use crate::base::stop::Stop;
use crate::base::warning::Warning;
use crate::io::stream::Stream;
use crate::io::stream_table::USER_ERROR;
use crate::machine::state::Machine;
use crate::store::os;

/// Records a message, and prints it unless the host takes messages. A suppressed warning is
/// discarded.
pub(crate) fn report(m: &mut Machine, mut diagnostic: Diagnostic) -> Result<(), Stop> {
    if let Some(warning) = diagnostic.warning
        && !m.world.flags.warnings.wants(warning)
    {
        return Ok(());
    }
    let state = loader(m);
    if state.strict {
        diagnostic.promote();
    }
    state.kept.make_room()?;
    if diagnostic.severity == Severity::Error {
        state.errors += 1;
        state.met_memory_limit |= diagnostic.is_memory_limit();
    }
    if !state.quiet {
        show(m, &diagnostic);
    }
    let mut kept = std::mem::take(&mut loader(m).kept);
    kept.keep(&m.store, diagnostic);
    loader(m).kept = kept;
    Ok(())
}

/// Returns the text of a message as the standard error output shows it.
pub(crate) fn message_text(m: &mut Machine, message: &Diagnostic) -> String {
    let form = loader(m).form;
    let seen = m
        .world
        .host
        .streams
        .get(USER_ERROR)
        .is_some_and(Stream::is_tty);
    message.text_within(
        form,
        seen.then(|| os::terminal_width(permits::stdout()))
            .flatten(),
    )
}

/// Writes a message to the standard error output.
pub(crate) fn show(m: &mut Machine, message: &Diagnostic) {
    let form = loader(m).form;
    let text = message_text(m, message);
    let stream = m.world.host.streams.get(USER_ERROR);
    let column = stream.map_or(0, |stream| stream.line_position());
    if let Ok(stream) = m.world.host.streams.output(USER_ERROR) {
        // Errors are ignored: if the error stream rejects a message, no other stream is left for
        // it.
        if form == MessageForm::Json && column > 0 {
            let _ = stream.put_str("\n");
        }
        let _ = stream.put_str(&text);
        let _ = stream.flush();
    }
}

/// Reports a message about a place in the present text.
pub(crate) fn report_at(
    m: &mut Machine,
    severity: Severity,
    span: Span,
    message: String,
    hint: Option<String>,
) -> Result<(), Stop> {
    if let Some(place) = place_here(m, span) {
        report(m, Diagnostic::at(severity, place, message, hint))?;
    }
    Ok(())
}

/// Reports a warning about a place, unless the warning is suppressed.
pub(crate) fn warn_at(
    m: &mut Machine,
    warning: Warning,
    span: Span,
    message: String,
    hint: Option<String>,
) -> Result<(), Stop> {
    if m.world.flags.warnings.wants(warning)
        && let Some(place) = place_here(m, span)
    {
        let diagnostic = Diagnostic::at(Severity::Warning, place, message, hint);
        report(m, diagnostic.of_warning(warning))?;
    }
    Ok(())
}
