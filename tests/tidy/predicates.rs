//! Checks that the predicates in texts exist. A predicate exists if the manual, a table of builtins, a Prolog text of
//! the system or of the programs, or an example in the same document has it.

use super::texts::texts;
use super::{files_under, own_rust_files, package_root, read, refuse};
use std::collections::BTreeSet;

/// Predicates that need not exist, each with the text that names it: predicates of other systems, predicates that the
/// text calls missing, and hooks without a definition.
const OTHER_PREDICATES: &[(&str, &str)] = &[
    ("docs/constraints.md", "clpfd:run_propagator/2"),
    ("docs/from-swi-prolog.md", "shift/1"),
    ("docs/from-swi-prolog.md", "reset/3"),
    ("docs/from-swi-prolog.md", "tnot/1"),
    ("docs/from-swi-prolog.md", "snapshot/1"),
    ("docs/from-swi-prolog.md", "use_foreign_library/1"),
    ("docs/from-swi-prolog.md", "gtrace/0"),
    ("docs/from-swi-prolog.md", "qcompile/1"),
    ("docs/performance.md", "fd_relation/2"),
    ("docs/performance.md", "fd_element_var/3"),
];

/// Folders of Prolog texts.
pub(crate) const PROLOG: &[&str] = &["prelude", "programs"];

/// A name with its arity.
type Indicator = (String, usize);

/// Returns whether the text looks like `name/2`.
pub(crate) fn is_predicate(text: &str) -> bool {
    !indicators(text).is_empty()
}

/// Returns the predicates that `name/2`, `name/2,3` or `name//2` denote, with or without a module.
fn indicators(text: &str) -> Vec<Indicator> {
    let Some((name, arities)) = text.rsplit_once('/') else {
        return Vec::new();
    };
    let (name, more) = match name.strip_suffix('/') {
        Some(name) if !name.is_empty() => (name, 2),
        _ => (name, 0),
    };
    let name = match name.split_once(':') {
        Some((module, inner)) if !inner.is_empty() && module.chars().all(is_name_part) => inner,
        _ => name,
    };
    let is_quoted = name.len() > 2 && name.starts_with('\'') && name.ends_with('\'');
    let is_plain = name.starts_with(|c: char| c.is_ascii_lowercase() || c == '$')
        && name.chars().all(is_name_part);
    let is_signs = !name.is_empty() && name.chars().all(|c| "+-*\\^<>=~:.?@#&$;,|!".contains(c));
    if !(is_quoted || is_plain || is_signs || ["[]", "{}"].contains(&name)) {
        return Vec::new();
    }
    let name = name.trim_matches('\'').to_owned();
    let arities: Option<Vec<usize>> = arities.split(',').map(|arity| arity.parse().ok()).collect();
    let arities = arities.unwrap_or_default().into_iter();
    arities.map(|arity| (name.clone(), arity + more)).collect()
}

fn is_name_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || "_$".contains(c)
}

/// Returns the number of arguments in a text that begins after an opening bracket.
fn arity(text: &str) -> Option<usize> {
    let (mut depth, mut commas, mut quote) = (1, 0, None);
    for (at, c) in text.char_indices().take(2000) {
        match (quote, c) {
            (Some(open), _) if open == c => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth -= 1,
            (None, ',') if depth == 1 => commas += 1,
            _ => {}
        }
        if depth == 0 {
            return Some(if text[..at].trim().is_empty() {
                0
            } else {
                commas + 1
            });
        }
    }
    None
}

/// Adds the atoms and compounds of a Prolog text, and its indicators `name/2`, to `known`.
fn named_in(text: &str, known: &mut BTreeSet<Indicator>) {
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let first = rest.chars().next().unwrap_or(' ');
        let length = match first {
            '\'' => rest[1..].find(['\'', '\n']).map_or(1, |end| {
                if rest.as_bytes()[end + 1] == b'\'' {
                    end + 2
                } else {
                    1
                }
            }),
            _ => rest
                .find(|c| !is_name_part(c))
                .unwrap_or(rest.len())
                .max(first.len_utf8()),
        };
        let name = rest[..length].trim_matches('\'');
        let begin = at;
        at += length;
        if name.is_empty() || !(first == '\'' || first.is_ascii_lowercase()) {
            continue;
        }
        let after = &rest[length..];
        // An atom counts only at a place of a head or a query. Other atoms are data.
        if begin == 0 || text[..begin].ends_with(['\n', '-']) || text[..begin].ends_with("?- ") {
            known.insert((name.to_owned(), 0));
        }
        if let Some(arguments) = after.strip_prefix('(')
            && let Some(arity) = arity(arguments)
        {
            known.insert((name.to_owned(), arity));
        }
        let slashes = after.len() - after.trim_start_matches('/').len();
        let digits = after[slashes..].split(|c: char| !c.is_ascii_digit()).next();
        if let (1 | 2, Some(Ok(arity))) = (slashes, digits.map(str::parse::<usize>)) {
            known.insert((name.to_owned(), arity + 2 * (slashes - 1)));
        }
    }
}

/// Returns the predicates in a heading of `docs/builtins.md`.
fn headings(line: &str) -> Vec<Indicator> {
    let headings = line.split('`').skip(1).step_by(2);
    let headings = headings.filter(|_| line.starts_with('`') && !line.starts_with("```"));
    let found = headings.filter_map(|heading| {
        let more = if heading.ends_with("//") { 2 } else { 0 };
        let heading = heading.trim_end_matches("//");
        match heading.find('(').filter(|&at| at > 0) {
            Some(at) => {
                let arity = arity(&heading[at + 1..])?;
                Some((heading[..at].trim_matches('\'').to_owned(), arity + more))
            }
            None => Some((heading.trim_matches('\'').to_owned(), more)),
        }
    });
    found.collect()
}

/// Adds the builtins in a Rust text to `known`: rows with a name and modes, and names with arities in tables of the
/// machine.
fn rows(text: &str, known: &mut BTreeSet<Indicator>) {
    for line in text.lines() {
        let row = ["iso ", "library "]
            .iter()
            .any(|class| line.trim_start().starts_with(class));
        let Some((name, rest)) = line
            .split_once('"')
            .and_then(|(_, rest)| rest.split_once("\"("))
        else {
            continue;
        };
        let modes = rest.split(')').next().unwrap_or_default();
        if row {
            known.insert((name.to_owned(), modes.matches('"').count() / 2));
        }
    }
    // Predicates with their own instructions.
    for row in text.split("(\"").skip(1) {
        let Some((name, rest)) = row.split_once("\", ") else {
            continue;
        };
        let digits = rest.split(|c: char| !c.is_ascii_digit()).next();
        if let Some(Ok(arity)) = digits.map(str::parse) {
            known.insert((name.to_owned(), arity));
        }
    }
}

/// Returns all known predicates. They are in the manual, in the tables of builtins, or in Prolog texts of the system and
/// of the programs. Such a text defines, calls or exports them.
fn known_predicates() -> BTreeSet<Indicator> {
    let mut known = BTreeSet::new();
    let manual = read(&package_root().join("docs/builtins.md"));
    known.extend(manual.lines().flat_map(headings));
    assert!(known.len() > 500, "the manual has headings");
    for file in own_rust_files()
        .iter()
        .filter(|file| file.path.starts_with("src/"))
    {
        rows(&file.source.lines.join("\n"), &mut known);
    }
    for (_, place) in PROLOG.iter().flat_map(|start| files_under(start)) {
        let text = read(&place);
        let code = text.lines().filter(|line| !line.starts_with('%'));
        named_in(&code.collect::<Vec<&str>>().join("\n"), &mut known);
    }
    known
}

#[test]
fn predicates_named_in_texts_exist() {
    let known = known_predicates();
    let mut used = BTreeSet::new();
    let mut offenders = Vec::new();
    for text in texts() {
        let mut examples = BTreeSet::new();
        named_in(&text.examples, &mut examples);
        for name in &text.quoted {
            if let Some(row) = OTHER_PREDICATES
                .iter()
                .find(|row| row.0 == text.path && row.1 == name.text)
            {
                used.insert(*row);
                continue;
            }
            let lost = indicators(&name.text);
            let mut lost = lost
                .iter()
                .filter(|indicator| !known.contains(*indicator) && !examples.contains(*indicator));
            if lost.next().is_some() {
                offenders.push(format!("{}:{}: {}", text.path, name.line, name.text));
            }
        }
    }
    let dead = OTHER_PREDICATES.iter().filter(|row| !used.contains(*row));
    offenders.extend(dead.map(|row| format!("tests/tidy: {} in {} is not named", row.1, row.0)));
    refuse("predicates that are not there", &offenders);
}

#[test]
fn predicates_are_found_in_texts() {
    let both = [("a".to_owned(), 2), ("a".to_owned(), 3)];
    assert_eq!(indicators("m:a/2,3"), both);
    assert_eq!(indicators("digits//1"), [("digits".to_owned(), 3)]);
    assert_eq!(indicators("src/load"), []);
    assert_eq!(arity("X, f(Y, ','), [Z|T])"), Some(3));
    let both = [("[]".to_owned(), 2), ("else".to_owned(), 0)];
    assert_eq!(headings("`'[]'(+A, -B)`, `else` *ISO*"), both);
}
