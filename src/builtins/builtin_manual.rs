//! `docs/builtins.md`, made from the tables of builtins and the headings of the library's predicates.
//! The test fails when the page is stale; with `UPDATE_GOLDEN` set it is written anew.

use super::TABLES;
use crate::machine::builtin::{Body, Class};
use std::fmt::Write;
use std::path::{Path, PathBuf};

const HEAD: &str = "\
# Builtins and library

Generated from the tables in `src/builtins` and the comments in `prelude`; do not edit.

Before an argument `+` means that it must be bound, `-` that it is unified with the result, `?` either,
`:` a goal or clause with its module. Builtins marked *ISO* cannot be redefined; a program's own
definition takes the place of the others.

## Native
";

fn native(text: &mut String) {
    let mut rows: Vec<_> = TABLES
        .iter()
        .copied()
        .flatten()
        .filter(|entry| !entry.name.starts_with('$'))
        .collect();
    rows.sort_by_key(|entry| (entry.name, entry.modes.len()));
    for entry in rows {
        let class = match entry.class {
            Class::Iso => " *ISO*",
            Class::Library | Class::Internal => "",
        };
        let solutions = match entry.body {
            Body::Det(_) => "",
            Body::Nondet(_) => " *nondet*",
        };
        let arguments = match entry.modes {
            [] => String::new(),
            modes => format!("({})", modes.join(", ")),
        };
        let doc: Vec<&str> = entry.doc.lines().map(str::trim).collect();
        let (name, doc) = (entry.name, doc.join(" "));
        writeln!(
            text,
            "\n`{name}{arguments}`{class}{solutions}\n: {}",
            doc.trim()
        )
        .unwrap();
    }
}

/// The predicates with a comment of their own in one file: `%% name(arguments)`, and what follows.
fn commented(source: &str, text: &mut String) {
    let mut lines = source.lines().peekable();
    while let Some(line) = lines.next() {
        let Some(heading) = line.strip_prefix("%% ") else {
            continue;
        };
        let mut headings = vec![heading.trim()];
        while let Some(more) = lines.next_if(|next| next.starts_with("%% ")) {
            headings.push(more[3..].trim());
        }
        let mut words = Vec::new();
        while let Some(next) = lines.next_if(|next| next.starts_with('%')) {
            let next = next.trim_start_matches('%').trim();
            if next.is_empty() && !words.is_empty() {
                break;
            }
            words.extend(next.split_whitespace());
        }
        let headings: Vec<String> = headings.iter().map(|it| format!("`{it}`")).collect();
        writeln!(text, "\n{}\n: {}", headings.join(", "), words.join(" ")).unwrap();
    }
}

fn manual(root: &Path) -> String {
    let mut text = HEAD.to_owned();
    native(&mut text);
    let mut files: Vec<PathBuf> = std::fs::read_dir(root.join("prelude"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|it| it == "pl"))
        .collect();
    let folder = std::fs::read_dir(root.join("prelude/dcg")).unwrap();
    files.extend(folder.map(|entry| entry.unwrap().path()));
    files.sort();
    for file in files {
        let mut section = String::new();
        commented(&std::fs::read_to_string(&file).unwrap(), &mut section);
        if !section.is_empty() {
            let name = file.strip_prefix(root.join("prelude")).unwrap();
            let name = name.with_extension("").to_string_lossy().replace('\\', "/");
            writeln!(text, "\n## {name}\n{section}").unwrap();
        }
    }
    text.trim_end().to_owned() + "\n"
}

#[test]
fn builtins_page_is_up_to_date() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = root.join("docs/builtins.md");
    let text = manual(root);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == text,
        "docs/builtins.md is stale: run the tests with UPDATE_GOLDEN=1"
    );
}
