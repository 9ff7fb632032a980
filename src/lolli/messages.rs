//! What a session of Lolli tells of exceptions: the same as is told of those of a goal of the command line.

use super::session::{place_in_query, tell};
use crate::base::atom_table::{atoms, functors};
use crate::base::stop::Stop;
use crate::diagnose::backtrace;
use crate::diagnose::hint::hint_for;
use crate::diagnose::messages::quoted;
use crate::diagnose::origin::origin;
use crate::machine::builtin::builtins;
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::source::diagnostic::{Diagnostic, Location, MessageForm, MessageKind, Severity};
use crate::source::loading::loader;
use crate::source::report::text_shown;
use crate::source::waiting::Waiting;
use crate::store::cell::Cell;
use crate::store::heap::View;

/// Where the exception that was caught last was raised, by a query with this text; and what led there.
/// In the text of the query a limit ends all of it.
fn raised_place(
    m: &mut Machine,
    goal: Cell,
    asked: Cell,
    limit: bool,
) -> Result<Option<(Location, Vec<Waiting>)>, Throw> {
    let Some(trace) = m.run.raising.traces.last.take() else {
        return Ok(None);
    };
    m.store.reserve(4)?;
    let lolli = Cell::atom(atoms::LOLLI);
    let goal = m.store.new_struct(functors::COLON, &[lolli, goal]);
    let place = origin(m, &trace, goal)?;
    let led = backtrace::of_exception(m, &trace, place.as_ref())?;
    if let Some(place) = place {
        return Ok(Some((place, led)));
    }
    let Some((functors::MINUS2, parts)) = m.store.compound(asked) else {
        return Ok(None);
    };
    let View::Int(line) = m.store.view(m.store.arg(parts, 0)) else {
        return Ok(None);
    };
    let text = m.text_arg(m.store.arg(parts, 1))?;
    let line = usize::try_from(line).unwrap_or(1);
    let culprit = trace.culprit.filter(|_| !limit);
    let place = place_in_query(m, line, &text, culprit)?;
    Ok(Some((place, led)))
}

/// What is told of an exception beside its place.
fn of_ball(m: &mut Machine, message: String, ball: Cell) -> Result<Diagnostic, Stop> {
    Ok(Diagnostic {
        kind: MessageKind::Exception,
        hint: hint_for(m, ball)?,
        term: Some(quoted(m, ball)?),
        ..Diagnostic::of_text(Severity::Error, message)
    })
}

/// Tells of something that has no place: `plain` is what people read.
fn complain(m: &mut Machine, told: &Diagnostic, plain: &str) {
    let text = match loader(m).form {
        MessageForm::Json => text_shown(m, told),
        MessageForm::Plain | MessageForm::Coloured => format!("{plain}\n"),
    };
    tell(m, &text);
}

/// Tells what has ended a query; with its place, where that is known.
fn tell_raised(m: &mut Machine, told: Diagnostic, raised: Option<(Location, Vec<Waiting>)>) {
    let told = match raised {
        Some((place, callers)) => Diagnostic {
            place: Some(place),
            callers,
            ..told
        },
        None => told,
    };
    let text = text_shown(m, &told);
    tell(m, &text);
}

builtins! { LOLLI_TOLD =
    /// Tells what is wrong, and where the exception was raised that `'$raised'(Ball)` has caught: in a clause
    /// that this goal has led to, or in the text of the query, `Line-Text`. Without a place where it is not known.
    iso "$lolli_tell_raised"("+goal", "+query", "@ball", "+text") needs effect = |m, [goal, asked, ball, text]| {
        let text = m.text_arg(text)?;
        let raised = raised_place(m, goal, asked, false)?;
        let told = of_ball(m, text, ball)?;
        tell_raised(m, told, raised);
        Ok(true)
    };

    /// Tells of an exception that has no place.
    iso "$lolli_tell_error"("@ball", "+text") needs effect = |m, [ball, text]| {
        let text = m.text_arg(text)?;
        let told = of_ball(m, text, ball)?;
        tell_raised(m, told, None);
        Ok(true)
    };

    /// Tells that the limits of a query have ended it, and where it was: as `'$lolli_tell_raised'/4` does.
    iso "$lolli_tell_limit"("+goal", "+query", "+text") needs effect = |m, [goal, asked, text]| {
        let text = m.text_arg(text)?;
        let raised = raised_place(m, goal, asked, true)?;
        let kind = MessageKind::Limit;
        let told = Diagnostic { kind, ..Diagnostic::of_text(Severity::Error, text) };
        tell_raised(m, told, raised);
        Ok(true)
    };

    /// Tells that a query was aborted.
    iso "$lolli_tell_aborted"() needs effect = |m, []| {
        let kind = MessageKind::Interrupted;
        let message = "the query was interrupted".to_owned();
        let told = Diagnostic { kind, ..Diagnostic::of_text(Severity::Error, message) };
        complain(m, &told, "% Execution aborted");
        Ok(true)
    };
}
