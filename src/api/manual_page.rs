//! The manual page `docs/builtins.md`, made from the tables of builtins and the headings of library
//! predicates. The test fails if the page is out of date. With `UPDATE_GOLDEN` set, the test writes
//! the page.

use super::engine::Engine;
use crate::base::stop::Stop;
use crate::data_tests::check_page;
use crate::library::prelude::{BOOT, LIBRARIES};
use crate::machine::builtin::{Body, Class};
use crate::tools::manual::{comments, entries, heading, native};
use std::fmt::Write;

const HEAD: &str = "\
# Builtins and library

Generated from the tables in `src/builtins` and the comments in `prelude`; do not edit.

The sign before an argument is its mode. `+` means that the argument must be bound, `-` that the predicate unifies it
with a result. `?` allows both, and `@` marks an argument that the predicate does not bind. `:` marks a goal or clause
that depends on the module.

The arguments of native predicates are named by their types, and the descriptions use these names. A program cannot
redefine predicates marked *ISO*. It can redefine the others; its own definition then replaces the predicate.
Predicates marked *nondet* can have several solutions.

## Native
";

fn natives(text: &mut String) -> Result<(), Stop> {
    for entry in native(&Engine::new().unwrap().machine)? {
        let class = match entry.class {
            Class::Iso => " *ISO*",
            Class::Library | Class::Internal => "",
        };
        let solutions = match entry.body {
            Body::Det(_) => "",
            Body::Nondet(_) | Body::Search(_) => " *nondet*",
        };
        let lines: Vec<&str> = entry.doc.lines().collect();
        let is_example = |line: &&&str| line.trim_start().starts_with("?- ");
        let doc: Vec<&str> = lines
            .iter()
            .take_while(|line| !is_example(line))
            .map(|line| line.trim())
            .collect();
        let (heading, doc) = (heading(entry), doc.join(" "));
        writeln!(text, "\n`{heading}`{class}{solutions}\n: {}", doc.trim()).unwrap();
        examples(&lines, text);
    }
    Ok(())
}

/// Writes the examples in a comment as a block: queries with their answers.
fn examples(lines: &[&str], text: &mut String) {
    let paragraphs = lines.split(|line| line.trim().is_empty());
    let examples = paragraphs.filter_map(|lines| {
        let margin = lines
            .first()?
            .strip_suffix(lines.first()?.trim_start())?
            .len();
        let first = lines.first()?.get(margin..)?;
        let lines = lines.iter().map(|line| line.get(margin..).unwrap_or(""));
        first
            .starts_with("?- ")
            .then(|| lines.collect::<Vec<_>>().join("\n"))
    });
    let examples: Vec<String> = examples.collect();
    if !examples.is_empty() {
        writeln!(text, "\n```text\n{}\n```", examples.join("\n\n")).unwrap();
    }
}

/// Writes the predicates that have a comment of their own in a source text, each with the first
/// paragraph of its comment.
fn commented(source: &str, text: &mut String) -> Result<(), Stop> {
    for comment in comments(source)? {
        let lines = comment.lines.iter().map(|line| line.trim());
        let first = lines.skip_while(|line| line.is_empty());
        let paragraph = first.take_while(|line| !line.is_empty());
        let words: Vec<&str> = paragraph.flat_map(str::split_whitespace).collect();
        let headings: Vec<String> = comment
            .headings
            .iter()
            .map(|it| format!("`{it}`"))
            .collect();
        writeln!(text, "\n{}\n: {}", headings.join(", "), words.join(" ")).unwrap();
        examples(&comment.lines, text);
    }
    Ok(())
}

fn manual() -> Result<String, Stop> {
    let mut text = HEAD.to_owned();
    natives(&mut text)?;
    let boot = BOOT.iter().map(|&(name, text, _)| (name, text));
    let mut files: Vec<(&str, &str)> = boot.chain(LIBRARIES.iter().copied()).collect();
    files.sort_unstable();
    for (name, source) in files {
        let mut section = String::new();
        commented(source, &mut section)?;
        if !section.is_empty() {
            writeln!(text, "\n## {name}\n{section}").unwrap();
        }
    }
    Ok(text.trim_end().to_owned() + "\n")
}

#[test]
fn builtins_page_is_up_to_date() {
    check_page("docs/builtins.md", &manual().unwrap());
}

#[test]
fn documented_predicates_have_text() {
    let entries = entries(&Engine::new().unwrap().machine).unwrap();
    assert!(entries.len() > 700, "{}", entries.len());
    for entry in entries {
        assert!(!entry.text.is_empty(), "{}", entry.heading);
    }
}
