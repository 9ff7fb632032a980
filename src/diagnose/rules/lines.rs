//! The rule for a line that begins with `:-` and continues the clause before it: that clause probably lacks its final `.`.

use super::clause::ReadClause;
use crate::base::atom_table::functors;
use crate::base::source::Span;
use crate::base::stop::Stop;
use crate::base::warning::Warning;
use crate::machine::state::Machine;
use crate::source::loading::{loader, present_span};
use crate::source::parts::{placed, spans_of};
use crate::source::report::warn_at;
use crate::store::heap::View;

/// A directive as it begins a line.
const DIRECTIVE: &str = "\n:-";

/// Warns of `parent(tom, bob)` before a line `:- parent(tom, X), write(X).`
pub(super) fn check(m: &mut Machine, clause: &mut ReadClause<'_>) -> Result<(), Stop> {
    let View::Struct(functors::NECK, args) = m.store.view(clause.term) else {
        return Ok(());
    };
    let span = present_span(m);
    let Some(text) = loader(m).stack.last().map(|loading| loading.text.clone()) else {
        return Ok(());
    };
    let within = text.get(span.start as usize..span.end as usize);
    let Some(at) = within.and_then(|within| within.find(DIRECTIVE)) else {
        return Ok(());
    };
    let at = span.start as usize + at;
    let parts = [placed(m, args, 0).1, placed(m, args, 1).1];
    if let [head, body] = spans_of(m, clause.term, &parts)?[..]
        && head.end as usize <= at
        && at < body.start as usize
    {
        clause.lacks_end = true;
        let span = Span::new(at + 1, at + DIRECTIVE.len());
        let message = "the clause before this `:-` may lack its final `.`".to_owned();
        let hint =
            "if this is a rule, put the `:-` on the line of its head, or indent it".to_owned();
        warn_at(m, Warning::Layout, span, message, Some(hint))?;
    }
    Ok(())
}
