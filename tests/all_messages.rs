//! The page of all messages, `docs/all-messages.md`. It lists the texts in the tables and rules of the source, each with
//! an example from `tests/cases`. `UPDATE_GOLDEN=1 cargo test --test all_messages` writes the page anew.

use std::fs;
use std::path::{Path, PathBuf};

/// The sections of the page: the heading, the files with its texts, and the kind of the texts. `Some(true)` takes only the
/// hints of these files, `Some(false)` only the other texts, `None` all.
const SECTIONS: [(&str, &[&str], Option<bool>); 10] = [
    (
        "Syntax errors",
        &["src/text/syntax_error.rs", "src/text/error_rows.rs"],
        Some(false),
    ),
    (
        "Hints on syntax errors",
        &["src/text/syntax_error.rs", "src/text/syntax_hints.rs"],
        Some(true),
    ),
    (
        "Syntax errors of Lolli",
        &["src/text/lolli/error.rs"],
        Some(false),
    ),
    (
        "Hints on syntax errors of Lolli",
        &["src/text/lolli/error.rs"],
        Some(true),
    ),
    (
        "Warnings and their hints",
        &["src/diagnose/rules", "src/diagnose/not_remembered.rs"],
        None,
    ),
    (
        "Errors of clauses and files",
        &[
            "src/diagnose/refused.rs",
            "src/diagnose/messages.rs",
            "src/load",
        ],
        None,
    ),
    (
        "Errors of Lolli modules",
        &["src/lolli", "src/front/formula_class.rs"],
        None,
    ),
    ("Errors of goals", &["prelude/system/messages.pl"], None),
    (
        "Hints on errors of goals",
        &[
            "src/diagnose/hint.rs",
            "src/diagnose/similar.rs",
            "src/diagnose/other_systems.rs",
        ],
        None,
    ),
    ("Images", &["src/image"], None),
];

const HEAD: &str = "\
# All messages

This page lists the texts of messages and hints. `tests/all_messages.rs` makes it from the source; do not edit it.
In a text `…` is a part that depends on the program. The name is the end of a message in brackets. The example is a line with
this message, or with a message that has this hint. [errors.md](errors.md) explains the kinds of errors and warnings, and
[messages.md](messages.md) describes the layout of messages.
";

/// A message of the cases.
struct Message {
    text: String,
    name: String,
    hint: String,
    line: String,
    /// Whether the message is about a Lolli text.
    lolli: bool,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the files at a path, sorted. The path is a file or a folder.
fn files(path: &Path) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path.to_owned()];
    }
    let entries = fs::read_dir(path).expect("a folder");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    paths.iter().flat_map(|path| files(path)).collect()
}

/// Returns the messages in the cases and in the rows of the reader.
fn messages() -> Vec<Message> {
    let mut found: Vec<Message> = Vec::new();
    for file in files(&root().join("tests/cases")) {
        if file.extension() != Some("errors".as_ref()) {
            continue;
        }
        let lolli = file.with_extension("ll").exists();
        for line in fs::read_to_string(file).expect("a case").lines() {
            let source = line
                .split_once(" | ")
                .filter(|(number, _)| number.trim().parse::<usize>().is_ok());
            let begun = [": error: ", ": warning: "]
                .iter()
                .find_map(|begin| line.split_once(begin));
            if let (Some((_, source)), Some(last)) = (source, found.last_mut()) {
                if last.line.is_empty() {
                    last.line = source.trim().to_owned();
                }
            } else if let (Some(hint), Some(last)) =
                (line.strip_prefix("  help: "), found.last_mut())
            {
                last.hint = hint.to_owned();
            } else if let Some((_, text)) = begun {
                let (text, name) = text
                    .strip_suffix(']')
                    .and_then(|text| text.rsplit_once(" ["))
                    .unwrap_or((text, ""));
                found.push(Message {
                    text: text
                        .strip_prefix("syntax error: ")
                        .unwrap_or(text)
                        .to_owned(),
                    name: name
                        .strip_prefix("syntax_error(")
                        .map_or(name, |name| name.trim_end_matches(')'))
                        .to_owned(),
                    hint: String::new(),
                    line: String::new(),
                    lolli,
                });
            }
        }
    }

    for file in ["tests/reader/hints.txt", "tests/reader/lolli/errors.txt"] {
        let rows = fs::read_to_string(root().join(file)).expect("rows of the reader");
        let rows = rows.lines().filter_map(|row| row.split_once("  =>  "));
        found.extend(rows.map(|(line, text)| Message {
            text: text.to_owned(),
            name: String::new(),
            hint: text.to_owned(),
            line: line.trim().replace('␊', "⏎"),
            lolli: file.contains("lolli"),
        }));
    }
    found
}

/// Returns the messages in a Rust file without its tests, or in a Prolog file, each with the offset of its end. Omits
/// names, and texts for programmers.
fn texts(text: &str, prolog: bool) -> Vec<(usize, String)> {
    let quote = if prolog { '\'' } else { '"' };
    let mut found = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let code = line.trim_start();
        if start + line.len() <= found.last().map_or(0, |&(end, _): &(usize, String)| end) {
            continue;
        }
        let comment = code.starts_with("//") || code.starts_with('%') || code.starts_with("#[");
        let inner = ["expect(", "reason", "unreachable!", "assert"]
            .iter()
            .any(|word| code.contains(word));
        if comment || inner || prolog && !code.starts_with("[ '") {
            continue;
        }
        let mut rest = start.max(found.last().map_or(0, |&(end, _)| end));
        while let Some(begin) = text[rest..at].find(quote).map(|begin| rest + begin) {
            if !prolog && text[..begin].ends_with(['\'', '\\']) {
                // A quote as a character.
                rest = begin + 1;
                continue;
            }

            let (end, literal) = literal(text, begin + 1, quote);
            rest = end;
            found.push((end, literal));
            if rest >= at {
                break;
            }
        }
    }
    found.retain(|(_, text)| is_message(text));
    found
}

/// Returns the offset of the end of a literal and its text. The text begins at `begin`.
fn literal(text: &str, begin: usize, quote: char) -> (usize, String) {
    let mut literal = String::new();
    let mut letters = text[begin..].char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            _ if letter == quote => return (begin + at + 1, literal),
            '\\' => match letters.next() {
                Some((_, 'n')) => literal.push('⏎'),
                Some((at, '\n')) => {
                    let rest = &text[begin + at..];
                    for _ in 1..rest.len() - rest.trim_start().len() {
                        letters.next();
                    }
                }
                Some((_, escaped)) => literal.push(escaped),
                None => break,
            },
            letter => literal.push(letter),
        }
    }
    (text.len(), literal)
}

fn is_message(text: &str) -> bool {
    let letters = |word: &str| word.chars().filter(|letter| letter.is_alphabetic()).count();
    let words = text
        .split(' ')
        .filter(|word| !word.starts_with('{') && letters(word) >= 2);
    let words = words.count();
    text.contains(' ') && letters(text) > 5 && (words >= 2 || words == 1 && text.contains('{'))
}

/// Replaces the names of constants in a text by the values that the file defines.
fn with_constants(mut text: String, file: &str) -> String {
    for name in [
        "INSTEAD_OF_DICTS",
        "LINEAR",
        "GUARD",
        "RULE_AS_ARGUMENT",
        "OTHER_VERSION",
    ] {
        let place = format!("{{{name}}}");
        let definition = file
            .find(&format!("const {name}: &str ="))
            .filter(|_| text.contains(&place));
        let begin = definition.and_then(|at| Some(at + file[at..].find('"')? + 1));
        if let Some(begin) = begin {
            text = text.replace(&place, &literal(file, begin, '"').1);
        }
    }
    text
}

/// Returns the fixed parts of a text, between the parts that depend on the program.
fn parts(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let last = parts.last_mut().expect("a part");
        let place = rest.strip_prefix('{').and_then(|rest| rest.split_once('}'));
        let is_name = |name: &str| {
            name.len() != 1
                && name
                    .chars()
                    .all(|letter| letter.is_alphanumeric() || "_:?".contains(letter))
        };
        if let Some((_, after)) = place.filter(|(name, _)| is_name(name)) {
            parts.push(String::new());
            rest = after;
        } else if letter == '~' && rest[1..].starts_with(['w', 'p', 'q', 'd']) {
            parts.push(String::new());
            rest = &rest[2..];
        } else {
            last.push(letter);
            rest = &rest[letter.len_utf8()..];
        }
    }
    parts
}

/// Returns whether a message or hint contains these parts in order. The first part begins the text, or follows `; ` or
/// `: `.
fn fits(parts: &[String], text: &str) -> bool {
    let mut rest = text;
    for (index, part) in parts.iter().enumerate() {
        match rest.find(part.as_str()) {
            Some(at)
                if at == 0
                    || index > 0
                    || text[..at].ends_with("; ")
                    || text[..at].ends_with(": ") =>
            {
                rest = &rest[at + part.len()..];
            }
            _ => return false,
        }
    }
    parts
        .concat()
        .chars()
        .filter(|letter| letter.is_alphabetic())
        .count()
        > 5
}

fn cell(text: &str) -> String {
    text.trim().replace('|', "\\|").replace('<', "&lt;")
}

fn code(text: &str) -> String {
    match text.contains('`') {
        _ if text.is_empty() => String::new(),
        true => format!("`` {} ``", text.replace('|', "\\|")),
        false => format!("`{}`", text.replace('|', "\\|")),
    }
}

fn page() -> String {
    let messages = messages();
    let mut page = HEAD.to_owned();
    for (heading, paths, hints) in SECTIONS {
        page.push_str(&format!(
            "\n## {heading}\n\n| text | name | example |\n|---|---|---|\n"
        ));
        let mut seen = Vec::new();
        for file in paths.iter().flat_map(|path| files(&root().join(path))) {
            let text = fs::read_to_string(&file).expect("a source");
            let whole = text.as_str();
            let text = whole
                .split("#[cfg(test)]\nmod tests")
                .next()
                .unwrap_or_default();
            let is_row = !file.ends_with("error_rows.rs") && !file.ends_with("syntax_hints.rs");
            let border = text.rfind("fn hint(&self)").unwrap_or(usize::MAX);
            for (at, text) in texts(text, file.extension() == Some("pl".as_ref())) {
                if hints.is_some_and(|hints| is_row && hints != (at > border))
                    || seen.contains(&text)
                {
                    continue;
                }
                let parts = parts(&with_constants(text.clone(), whole));
                let example = messages
                    .iter()
                    .filter(|message| message.lolli == heading.contains("Lolli"))
                    .find(|message| fits(&parts, &message.text) || fits(&parts, &message.hint));
                let (name, line) =
                    example.map_or(("", ""), |example| (&example.name, &example.line));
                page.push_str(&format!(
                    "| {} | {} | {} |\n",
                    cell(&parts.join("…")),
                    cell(name),
                    code(line)
                ));
                seen.push(text);
            }
        }
        assert!(seen.len() > 3, "{heading} has no texts");
    }
    page
}

#[test]
fn the_page_of_all_messages_is_up_to_date() {
    let path = root().join("docs/all-messages.md");
    let made = page();
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, &made).expect("the page is written");
    }
    let page = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        page == made,
        "docs/all-messages.md is stale: UPDATE_GOLDEN=1 cargo test --test all_messages"
    );
}
