//! Checks that names in texts exist: files, modules and items of the source, options of the command, environment
//! variables, and tests. The file `predicates` checks predicates.

use super::predicates::{PROLOG, is_predicate};
use super::texts::{comments, documents, refuse_names, texts};
use super::{files_under, is_made, own_rust_files, package_root, read, refuse};
use std::collections::{BTreeMap, BTreeSet};

/// Options of other programs, and of example programs in documents.
const OTHER_OPTIONS: &[&str] = &[
    "--stack-limit",
    "--name",
    "--flag",
    "--no-flag",
    "--no-name",
];

/// Programs whose options are not checked.
const OTHER_PROGRAMS: &[&str] = &["cargo", "swipl", "gprolog"];

/// Crates that are not part of the package.
const OTHER_CRATES: &[&str] = &[
    "std",
    "core",
    "alloc",
    "libc",
    "clap",
    "rustyline",
    "dashu_int",
];

// ---- options, tests, variables ----------------------------------------------------------------

/// Returns the long options in a text.
fn options(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let words = text.split(move |c: char| !is_part(c));
    words.filter(|word| word.len() > 3 && word.starts_with("--") && !word.ends_with('-'))
}

/// Returns the help of the command from `docs/options.md`. `tests/manual.rs` compares this document with the command.
fn help() -> String {
    let text = read(&package_root().join("docs/options.md"));
    let shown = text.split("\n$ ").skip(1);
    let helps = shown.filter(|shown| {
        let command = shown.lines().next().unwrap_or_default();
        command.starts_with("wamlet") && command.ends_with("--help")
    });
    let helps: Vec<&str> = helps
        .map(|shown| shown.split("\n```").next().unwrap_or_default())
        .collect();
    assert!(helps.len() > 4, "the subcommands show their help");
    helps.concat()
}

#[test]
fn options_named_in_texts_exist() {
    let help = help();
    let known: BTreeSet<&str> = options(&help).collect();
    assert!(known.len() > 20, "{known:?}");
    refuse_names("options that the command has not", &texts(), |_, span| {
        let mut words = span.split_whitespace();
        if words.any(|word| OTHER_PROGRAMS.contains(&word)) {
            return Vec::new();
        }
        let unknown = options(span)
            .filter(|name| !known.contains(name) && !OTHER_OPTIONS.contains(name))
            .map(str::to_owned);
        unknown.collect()
    });
}

fn is_target(name: &str) -> bool {
    ["tests", "benches"].iter().any(|folder| {
        let path = package_root().join(folder).join(name);
        path.is_dir() || path.with_extension("rs").is_file()
    })
}

#[test]
fn tests_named_in_texts_exist() {
    refuse_names(
        "tests and benches that are not there",
        &texts(),
        |_, span| {
            let words: Vec<&str> = span.split_whitespace().collect();
            let named = words.windows(2).filter_map(|pair| match pair {
                ["--test" | "--bench", name] if !is_target(name) => Some((*name).to_owned()),
                _ => None,
            });
            named.collect()
        },
    );
}

#[test]
fn variables_named_in_documents_exist() {
    let source: String = own_rust_files()
        .iter()
        .map(|file| file.source.lines.join("\n"))
        .collect();
    refuse_names("variables of the environment", &documents(), |_, span| {
        let names = span.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        let lost = names.filter(|name| {
            name.contains('_')
                && !name.starts_with('_')
                && name.chars().all(|c| c.is_ascii_uppercase() || c == '_')
                && !source.contains(name)
        });
        lost.map(str::to_owned).collect()
    });
}

// ---- files, modules, items --------------------------------------------------------------------

/// The source: the code of each module by the path of the module, and the paths of all Rust files.
struct Source {
    modules: BTreeMap<String, String>,
    paths: BTreeSet<String>,
}

impl Source {
    fn new() -> Source {
        let (mut modules, mut paths) = (BTreeMap::new(), BTreeSet::new());
        for file in own_rust_files() {
            if file.path.starts_with("src/") {
                // Keep literals: they contain the names of tables.
                let lines = file.source.lines.iter();
                let code = lines.filter(|line| !line.trim_start().starts_with("//"));
                let code: Vec<&str> = code.map(String::as_str).collect();
                modules.insert(file.module_path().join("::"), code.join("\n"));
            }
            paths.insert(file.path);
        }
        Source { modules, paths }
    }

    fn is_module(&self, path: &str) -> bool {
        self.modules.contains_key(path)
    }

    /// Returns whether this code contains the name. The name may be an item, a field, a variant, or a row of a table, or a
    /// macro may define it.
    fn defines(code: &str, name: &str) -> bool {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        code.match_indices(name).any(|(at, _)| {
            let (before, after) = (&code[..at], &code[at + name.len()..]);
            !before.ends_with(is_part) && !after.starts_with(is_part)
        })
    }

    /// Returns whether a module has this path, or contains an item with it. The path may begin at the root or at a
    /// folder. A folder re-exports items of its files.
    fn has_item(&self, parts: &[&str]) -> bool {
        let is_room = self.is_module(parts[0]);
        let ends: Vec<&String> = self.modules.keys().collect();
        for length in (1..=parts.len()).rev() {
            let path = parts[..length].join("::");
            let tail = format!("::{path}");
            let fits = |module: &&&String| ***module == path || !is_room && module.ends_with(&tail);
            let mut modules = ends.iter().filter(fits).peekable();
            if modules.peek().is_some() {
                let rest = &parts[length..];
                return modules.any(|module| {
                    let handed_on =
                        rest.len() > 1 && Source::defines(&self.modules[*module], rest[0]);
                    let mut definers = self.modules.iter().filter(|(path, _)| {
                        path == module || handed_on && path.starts_with(&format!("{module}::"))
                    });
                    definers.any(|(_, code)| rest.iter().all(|name| Source::defines(code, name)))
                });
            }
        }
        // The path may consist of a type and its item.
        self.modules
            .values()
            .any(|code| parts.iter().all(|name| Source::defines(code, name)))
    }
}

/// Checks that comments name files, functions and instructions by their present names.
#[test]
fn words_named_in_comments_exist() {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut words: BTreeSet<String> = BTreeSet::new();
    for file in own_rust_files() {
        words.extend(file.path.split(['/', '.']).map(str::to_owned));
        let lines = file.source.lines.iter();
        for line in lines.filter(|line| !line.trim_start().starts_with("//")) {
            words.extend(line.split(|c| !is_part(c)).map(str::to_owned));
        }
    }
    for (path, place) in PROLOG.iter().flat_map(|start| files_under(start)) {
        words.extend(path.split(['/', '.']).map(str::to_owned));
        words.extend(read(&place).split(|c| !is_part(c)).map(str::to_owned));
    }
    refuse_names(
        "words that are not in the source",
        &comments(),
        |_, span| {
            let is_word =
                span.contains('_') && span.chars().all(|c| is_part(c) && !c.is_uppercase());
            let is_name = is_word && !span.starts_with('_') && !span.ends_with('_');
            let is_lost = is_name && !words.contains(span);
            let is_lost = is_lost && !is_made(span);
            is_lost.then(|| span.to_owned()).into_iter().collect()
        },
    );
}

/// Returns the paths of the source in a text: names joined by `::`.
fn source_paths(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_:".contains(c);
    let words = text.split(move |c: char| !is_part(c));
    words
        .map(|word| word.trim_matches(':'))
        .filter(|word| word.contains("::"))
}

/// Returns the paths of the source in a text that do not exist.
fn lost_items(source: &Source, text: &str) -> Vec<String> {
    let lost = source_paths(text).filter(|path| {
        let mut parts: Vec<&str> = path.split("::").collect();
        parts.retain(|part| !["crate", "wamlet", "self", "super", "Self"].contains(part));
        !parts.is_empty() && !OTHER_CRATES.contains(&parts[0]) && !source.has_item(&parts)
    });
    lost.map(str::to_owned).collect()
}

#[test]
fn items_named_in_texts_exist() {
    let source = Source::new();
    refuse_names(
        "modules and items that are not there",
        &texts(),
        |_, span| lost_items(&source, span),
    );
    // The targets of links in comments must exist, too.
    let mut offenders = Vec::new();
    for (path, place) in files_under("src") {
        for (number, line) in (1..).zip(read(&place).lines()) {
            if !line.trim_start().starts_with("//") {
                continue;
            }
            let links = line.split("](").skip(1);
            let links = links.filter_map(|link| link.split(')').next());
            let lost = links.flat_map(|link| lost_items(&source, link));
            offenders.extend(lost.map(|name| format!("{path}:{number}: {name}")));
        }
    }
    refuse("links to what is not there", &offenders);
}

/// Returns the last part of the path of an item, such as `consult_file` of `Engine::consult_file`.
fn item(name: &str) -> Option<&str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_:".contains(c);
    name.chars().all(is_part).then(|| name.rsplit(':').next())?
}

/// Checks that items are in the files that documents give for them. A document gives the file in brackets after the
/// item, or together with the item in brackets.
#[test]
fn items_are_in_their_documented_files() {
    let source = Source::new();
    let is_file = |name: &str| name.starts_with("src/") && source.paths.contains(name);
    let (mut offenders, mut count) = (Vec::new(), 0);
    for text in documents() {
        for pair in text.quoted.windows(2) {
            let (first, second) = (&pair[0], &pair[1]);
            let (name, file) = match (&*first.text, &*second.text, second.before.trim()) {
                (name, file, "(") if is_file(file) => (name, file),
                (name, file, ",") if is_file(file) && first.before.ends_with('(') => (name, file),
                (file, name, ",") if is_file(file) && first.before.ends_with('(') => (name, file),
                _ => continue,
            };
            let Some(name) = item(name) else {
                continue;
            };
            count += 1;
            if !Source::defines(&read(&package_root().join(file)), name) {
                offenders.push(format!("{}:{}: {name} in {file}", text.path, first.line));
            }
        }
    }
    assert!(count > 50, "documents give files: {count}");
    refuse("items that are not in their files", &offenders);
}

/// Folders that may contain the paths in texts, besides the root.
const BASES: &[&str] = &["src", "prelude", "tests"];

#[test]
fn paths_named_in_texts_exist() {
    let source = Source::new();
    let root = package_root();
    refuse_names("files that are not there", &texts(), |_, span| {
        let is_part = |c: char| c.is_ascii_alphanumeric() || "_./-".contains(c);
        if !span.chars().all(is_part) || span.starts_with(['/', '.']) {
            return Vec::new();
        }
        // Texts name a library without its extension.
        let is_there = |path: &str| {
            let mut places = BASES.iter().map(|base| root.join(base).join(path));
            places.any(|place| place.exists() || place.with_extension("pl").exists())
        };
        let first = span.split('/').next().unwrap_or_default();
        let is_path = span.contains('/') && is_there(first) && !is_predicate(span);
        let is_rust =
            span.ends_with(".rs") && !source.paths.iter().any(|path| path.ends_with(span));
        let is_lost = is_rust || is_path && !is_there(span) && !root.join(span).exists();
        (is_lost && !is_made(span))
            .then(|| span.to_owned())
            .into_iter()
            .collect()
    });
}

/// Returns the words of a drawing, each with its number: `0  CE`.
fn drawn_words(text: &str) -> BTreeSet<(&str, &str)> {
    let is_name = |word: &str| word.len() > 1 && word.chars().all(|c| c.is_ascii_uppercase());
    let words: Vec<&str> = text.split_whitespace().collect();
    let pairs = words.windows(2).map(|pair| (pair[0], pair[1]));
    pairs
        .filter(|(number, name)| number.parse::<u32>().is_ok() && is_name(name))
        .collect()
}

/// Checks that `docs/machine.md` draws frames and clauses with the same words as their files.
#[test]
fn drawings_have_the_words_of_the_source() {
    let page = read(&package_root().join("docs/machine.md"));
    let drawn = drawn_words(&page);
    for file in [
        "src/machine/frames/layout.rs",
        "src/program/clauses/clause.rs",
    ] {
        let text = read(&package_root().join(file));
        let head = text.lines().filter_map(|line| line.strip_prefix("//!"));
        let head: Vec<&str> = head.collect();
        let head = head.join("\n");
        let words = drawn_words(&head);
        assert!(words.len() > 2, "{file} draws words");
        let lost = words.difference(&drawn);
        let lost: Vec<String> = lost
            .map(|(number, name)| format!("{file}: {number} {name}"))
            .collect();
        refuse("words that docs/machine.md does not draw", &lost);
    }
}
