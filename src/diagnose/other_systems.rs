//! Names of predicates of other languages or systems that Wamlet does not have.

/// The replacements for these names in Wamlet.
const TABLE: &str = include_str!("other_systems.txt");

/// Returns the replacement for an undefined predicate.
pub(super) fn meant(name: &str, arity: Option<i64>) -> Option<String> {
    let rows = TABLE.lines().filter_map(|line| line.split_once(": "));
    let mut fitting = rows.filter(|(predicate, _)| match predicate.split_once('/') {
        Some((known, of)) => known == name && arity.is_none_or(|arity| of == arity.to_string()),
        None => *predicate == name,
    });
    let (_, here) = fitting.next()?;
    Some(format!("in Prolog use {here}"))
}
