//! The rule for strings passed to predicates of lists.

use super::clause::{Goal, ReadClause};
use crate::base::stop::Stop;
use crate::base::warning::Warning;
use crate::machine::state::Machine;
use crate::source::parts::placed;
use crate::store::heap::View;
use crate::text::write_atom::push_quoted;
use std::ops::RangeInclusive;

/// Predicates of lists that fail if an argument is no list: their names, arities, and the arguments that are
/// lists.
const OF_LISTS: [(&str, RangeInclusive<usize>, RangeInclusive<usize>); 8] = [
    ("append", 3..=3, 0..=0),
    ("member", 2..=2, 1..=1),
    ("memberchk", 2..=2, 1..=1),
    ("reverse", 2..=2, 0..=1),
    ("nth0", 3..=3, 1..=1),
    ("nth1", 3..=3, 1..=1),
    ("maplist", 2..=5, 1..=4),
    ("foldl", 4..=4, 1..=1),
];

/// Warns of a string in place of a list: the goal fails without a message.
pub(super) fn check(
    m: &mut Machine,
    clause: &mut ReadClause<'_>,
    &Goal { functor, args, .. }: &Goal,
) -> Result<bool, Stop> {
    for index in 0..functor.arity() {
        let (argument, part) = placed(m, args, index);
        let View::String(addr) = m.store.view(argument) else {
            continue;
        };
        let name = m.world.symbols.name_text(functor);
        let takes_list = OF_LISTS.iter().any(|(known, arities, indexes)| {
            *known == name && arities.contains(&functor.arity()) && indexes.contains(&index)
        });
        if takes_list {
            let mut codes = String::new();
            push_quoted(&mut codes, m.store.text(addr), '`', true)?;
            let message = format!(
                "{name}/{} needs a list, but this is a string",
                functor.arity()
            );
            let hint = format!(
                "convert it by string_chars/2 or string_codes/2, or write it in back quotes, {codes}, for a list of codes"
            );
            clause.remark(Warning::String, part, message, Some(hint))?;
        }
    }
    Ok(false)
}
