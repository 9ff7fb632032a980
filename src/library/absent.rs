//! Libraries of SWI-Prolog that Wamlet does not have, and their replacements: for messages, and for the table in
//! `docs/from-swi-prolog.md`.

/// Returns the rows of `absent.txt`: names of absent libraries, and the replacement.
fn rows() -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = include_str!("absent.txt").lines();
    let rows = lines.filter(|line| !line.starts_with('%'));
    rows.filter_map(|row| row.split_once(": "))
}

/// Returns the replacement for a library that does not exist, or `None` if none is known.
pub(crate) fn replacement_of(library: &str) -> Option<&'static str> {
    let is_meant = |name: &str| match name.ends_with('/') || name.ends_with('_') {
        true => library.starts_with(name),
        false => library == name,
    };
    let mut rows = rows().filter(|(names, _)| names.split(' ').any(is_meant));
    rows.next().map(|(_, instead)| instead)
}

/// Returns the table of absent libraries in Markdown.
#[cfg(test)]
fn table() -> String {
    let mut text = String::from("| library | what to use |\n|---|---|\n");
    for (names, instead) in rows() {
        let names = names.split(' ').filter(|name| is_absent(name));
        let names: Vec<String> = names
            .map(|name| match name.ends_with('/') || name.ends_with('_') {
                true => format!("`{name}…`"),
                false => format!("`{name}`"),
            })
            .collect();
        if !names.is_empty() {
            text.push_str(&format!("| {} | {instead} |\n", names.join(", ")));
        }
    }
    text
}

/// Returns whether no library has this name.
#[cfg(test)]
fn is_absent(name: &str) -> bool {
    super::prelude::LIBRARIES
        .iter()
        .all(|(known, _)| *known != name)
}

#[cfg(test)]
mod tests {
    use super::{replacement_of, table};
    use std::path::Path;

    #[test]
    fn names_folders_and_beginnings_are_known() {
        for name in ["http/http_open", "pce_main", "clpb", "semweb/rdf11", "chr"] {
            assert!(replacement_of(name).is_some(), "{name}");
        }
        assert_eq!(
            replacement_of("http/dcg_basics"),
            Some("library(dcg/basics)")
        );
        for name in ["lists", "http", "clpfd", "clpb2", "chronology"] {
            assert_eq!(replacement_of(name), None, "{name}");
        }
    }

    #[test]
    fn the_page_has_the_table() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/from-swi-prolog.md");
        let page = std::fs::read_to_string(&path).unwrap();
        let (begin, end) = ("<!-- absent libraries -->\n", "<!-- end -->\n");
        let (before, rest) = page.split_once(begin).expect("the table begins");
        let (present, after) = rest.split_once(end).expect("the table ends");
        let wanted = table();
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(&path, [before, begin, &wanted, end, after].concat()).unwrap();
            return;
        }
        assert!(
            present == wanted,
            "the table is stale: run the tests with UPDATE_GOLDEN=1"
        );
    }
}
