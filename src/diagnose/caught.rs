//! Messages about an error that the program has caught, with the place where it was raised.

use super::backtrace::of_exception;
use super::messages::about_ball;
use super::origin::origin;
use crate::base::atom_table::atoms;
use crate::machine::builtin::builtins;
use crate::source::diagnostic::Severity;
use crate::source::report::show;
use crate::source::term_texts::text_of;
use crate::store::cell::Cell;

builtins! { CAUGHT =
    /// Prints a message about the error that the program caught last, at the place where it was raised;
    /// the severity is `error` or `warning`. Fails if the last error is another one, or if its place is
    /// unknown.
    iso "$message_of_caught"("+severity", "+text", "+error") needs effect = always |m, [severity, text, ball]| {
        let Some(trace) = m.caught_trace(ball)? else { return Ok(false) };
        let Some(place) = origin(m, &trace, Cell::atom(atoms::TRUE))? else { return Ok(false) };
        let callers = of_exception(m, &trace, Some(&place))?;
        let warning = severity == Cell::atom(atoms::WARNING);
        let severity = if warning { Severity::Warning } else { Severity::Error };
        let message = text_of(m, text)?.unwrap_or_default();
        let mut diagnostic = about_ball(m, severity, place, message, ball)?;
        diagnostic.callers = callers;
        show(m, &diagnostic);
    };
}
