//! Rules of the source tree that the compiler does not check. They limit imports between modules, the size of files, and
//! the files with `unsafe`. They require heads of files. They forbid glob imports, paths of one machine, and names that
//! do not exist. Each failing test lists every fault with its place.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

mod cycles;
mod names;
mod predicates;
mod rooms;
#[path = "../support/rust_source.rs"]
mod rust_source;
mod texts;
mod wording;

use rust_source::RustSource;

/// Modules that only compute: they neither print nor access files, streams or the environment.
const QUIET: &[&str] = &["base", "ir", "arith", "text", "front", "code", "compile"];

/// Words that a quiet module may not contain.
const NOISE: &[&str] = &[
    "crate::io",
    "std::io",
    "std::fs",
    "std::env",
    "std::net",
    "print",
    "println",
    "eprint",
    "eprintln",
];

/// The files of the reader in `text`. They build syntax trees and do not import the term store.
const READER_FILES: &[&str] = &[
    "src/text/ast",
    "src/text/clause_extent",
    "src/text/lexer",
    "src/text/lolli/lexer",
    "src/text/lolli/parse",
    "src/text/lolli/reader",
    "src/text/numeral",
    "src/text/parse",
    "src/text/quoted",
    "src/text/reduce",
    "src/text/token.rs",
];

/// Maximum number of lines of a Rust file. A Prolog library is one module, so its file may have any length.
const MAX_LINES: usize = 800;

/// Number of lines beyond which the head of a file must give the reason: `Long because …`.
const USUAL_LINES: usize = 600;

/// Files that other files include. They contain rows of tables and are not modules.
const INCLUDED_FILES: &[&str] = &["src/base/symbol_list.rs"];

/// Files that may contain `unsafe`.
const UNSAFE_FILES: &[&str] = &[
    "src/base/transform/product.rs",
    "src/store/address.rs",
    "src/store/areas.rs",
    "src/store/cell.rs",
    "src/store/large_pages.rs",
    "src/store/os.rs",
    "src/store/raw.rs",
    "src/store/reserve.rs",
    "src/machine/frames/frame.rs",
    "src/machine/frames/layout.rs",
    "benches/compare/child.rs",
    "tests/refused/main.rs",
];

/// Files outside `store` and `machine` that make cells from words of terms, code and keys.
const WORD_FILES: &[&str] = &[
    "src/builtins/database/predicates.rs",
    "src/builtins/database/facts.rs",
    "src/builtins/database/stored.rs",
    "src/ir/key.rs",
    "src/image/record.rs",
    "src/image/terms.rs",
    "src/diagnose/rules/undefined.rs",
    "src/program/clauses/clause.rs",
    "src/program/clauses/packed.rs",
    "src/program/records.rs",
];

/// Beginnings of paths that exist only on one machine. The literals are split, so that this file passes.
const MACHINE_PATHS: &[&str] = &[
    concat!("/wo", "rk/"),
    concat!("/ro", "ot/"),
    concat!("/Us", "ers/"),
    concat!("/tmp/", "brief"),
    concat!("file:", "///"),
];

/// Files and folders of the package in which the tests look for paths.
const OWN_TEXT: &[&str] = &[
    "src",
    "tests",
    "benches",
    "docs",
    "examples",
    "prelude",
    "programs",
    ".ci",
    "Cargo.toml",
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "build.rs",
];

/// Folders with the output of tools. Git ignores them.
const MADE_FOLDERS: &[&str] = &[
    "tests/guided/target",
    "tests/guided/corpus",
    "tests/guided/artifacts",
    "tests/guided/coverage",
];

struct File {
    /// The path from the package root, with `/`.
    path: String,
    source: RustSource,
}

impl File {
    /// Returns the module directly under the crate root that contains the file.
    fn module(&self) -> Option<&str> {
        let inside = self.path.strip_prefix("src/")?;
        inside
            .split('/')
            .next()
            .map(|first| first.strip_suffix(".rs").unwrap_or(first))
    }

    /// Returns the names in the module path of a file in `src`.
    fn module_path(&self) -> Vec<&str> {
        let inside = self.path.strip_prefix("src/").unwrap_or_default();
        let path = inside.strip_suffix(".rs").unwrap_or(inside);
        path.strip_suffix("/mod")
            .unwrap_or(path)
            .split('/')
            .collect()
    }

    /// Returns the modules directly under the crate root that the file names, each with its line number.
    fn crate_modules(&self) -> Vec<(usize, String)> {
        let paths = self.source.paths(&self.module_path()).into_iter();
        paths
            .map(|(line, mut path)| (line, path.swap_remove(0)))
            .collect()
    }

    fn is_root(&self) -> bool {
        self.path == "src/lib.rs" || self.path == "src/main.rs"
    }
}

fn package_root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the files under `start`, sorted, with their path from the package root.
fn files_under(start: &str) -> Vec<(String, PathBuf)> {
    let mut found = Vec::new();
    let mut open = vec![package_root().join(start)];
    let made: Vec<PathBuf> = MADE_FOLDERS
        .iter()
        .map(|folder| package_root().join(folder))
        .collect();
    while let Some(path) = open.pop() {
        if made.contains(&path) {
            continue;
        }
        if path.is_dir() {
            let entries = fs::read_dir(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            open.extend(entries.map(|entry| entry.expect("a folder entry").path()));
        } else if path.is_file() {
            let inside = path
                .strip_prefix(package_root())
                .expect("a path of the package");
            found.push((inside.to_string_lossy().replace('\\', "/"), path));
        }
    }
    found.sort();
    found
}

fn read(path: &Path) -> String {
    let bytes = fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    String::from_utf8_lossy(&bytes).into_owned()
}

fn rust_files(folders: &[&str]) -> Vec<File> {
    folders
        .iter()
        .flat_map(|folder| files_under(folder))
        .filter(|(path, _)| path.ends_with(".rs"))
        .map(|(path, place)| File {
            path,
            source: RustSource::new(&read(&place)),
        })
        .collect()
}

fn own_rust_files() -> Vec<File> {
    rust_files(&["src", "tests", "benches", "examples"])
}

fn refuse(rule: &str, offenders: &[String]) {
    assert!(
        offenders.is_empty(),
        "{rule}:\n  {}\n",
        offenders.join("\n  ")
    );
}

#[test]
fn the_reader_does_not_see_terms() {
    let mut offenders = Vec::new();
    for file in rust_files(&["src"]) {
        if READER_FILES
            .iter()
            .any(|start| file.path.starts_with(start))
        {
            let imports = file.crate_modules();
            offenders.extend(imports.iter().filter(|(_, name)| name == "store").map(
                |(line, _)| {
                    format!(
                        "{}:{line}: the reader builds syntax trees, not terms",
                        file.path
                    )
                },
            ));
        }
    }
    refuse("term store seen by the reader", &offenders);
}

#[test]
fn computing_modules_are_quiet() {
    let mut offenders = Vec::new();
    for file in rust_files(&["src"]) {
        if !file.module().is_some_and(|module| QUIET.contains(&module)) {
            continue;
        }
        for noise in NOISE {
            for at in file.source.words(noise) {
                let is_macro = file.source.code[at + noise.len()..].starts_with('!');
                if noise.contains("::") || is_macro {
                    offenders.push(format!(
                        "{}:{}: {noise}",
                        file.path,
                        file.source.line_of(at)
                    ));
                }
            }
        }
    }
    refuse(
        "input, output or environment in a module that only computes",
        &offenders,
    );
}

#[test]
fn files_are_short() {
    let mut offenders = Vec::new();
    let folders = ["src", "tests", "benches", "examples", "prelude"].iter();
    for (path, place) in folders.flat_map(|folder| files_under(folder)) {
        let (comment, most) = match path.rsplit_once('.') {
            Some((_, "rs")) => ("//!", MAX_LINES),
            Some((start, "pl")) if !start.starts_with("tests/") => ("%", usize::MAX),
            _ => continue,
        };
        let text = read(&place);
        let lines = text.lines().count();
        let mut head = text.lines().take_while(|line| line.starts_with(comment));
        let has_reason = head.any(|line| line.contains("Long because"));
        if lines > most {
            offenders.push(format!("{path}: {lines} lines, at most {most}"));
        } else if lines > USUAL_LINES && !has_reason {
            offenders.push(format!("{path}: {lines} lines without a reason"));
        }
    }
    refuse("files too long (split by theme)", &offenders);
}

#[test]
fn files_describe_their_content() {
    let mut offenders = Vec::new();
    for file in own_rust_files() {
        let mut lines = file.source.lines.iter().filter(|line| {
            let line = line.trim();
            !(line.is_empty() || line.starts_with("#![") || line.starts_with("#!/"))
        });
        let start = if INCLUDED_FILES.contains(&file.path.as_str()) {
            "//"
        } else {
            "//!"
        };
        if !lines.next().is_some_and(|line| line.starts_with(start)) {
            offenders.push(format!("{}: does not begin with `{start}`", file.path));
        }
    }
    refuse("files without a head", &offenders);
}

#[test]
fn unsafe_is_in_listed_files_with_a_reason() {
    let mut offenders = Vec::new();
    let mut found = BTreeSet::new();
    for file in own_rust_files() {
        let words = file.source.words("unsafe");
        if UNSAFE_FILES.contains(&&*file.path) {
            let unexplained = file.source.unexplained_unsafe();
            offenders.extend(
                unexplained.iter().map(|line| {
                    format!("{}:{line}: `unsafe` without `// SAFETY:` above", file.path)
                }),
            );
            if !words.is_empty() {
                found.insert(file.path.clone());
            }
        } else {
            offenders.extend(words.iter().map(|&at| {
                let line = file.source.line_of(at);
                format!(
                    "{}:{line}: `unsafe` outside the files named for it",
                    file.path
                )
            }));
            if file.path.starts_with("src/") && !forbids_unsafe(&file.path) {
                offenders.push(format!("{}: no `#![forbid(unsafe_code)]`", file.path));
            }
        }
    }
    let dead = UNSAFE_FILES.iter().filter(|name| !found.contains(**name));
    offenders.extend(dead.map(|name| format!("{name}: is listed, but contains no `unsafe`")));
    refuse("unsafe code", &offenders);
}

/// Returns whether a file of the library, or the head of a folder around it, forbids `unsafe`. The head of a folder
/// that has files with `unsafe` cannot forbid it.
fn forbids_unsafe(path: &str) -> bool {
    let forbids = |place: &Path| {
        fs::read_to_string(place).is_ok_and(|text| text.contains("#![forbid(unsafe_code)]"))
    };
    let heads = [
        "src/lib.rs",
        "src/base/mod.rs",
        "src/base/transform/mod.rs",
        "src/store/mod.rs",
        "src/machine/mod.rs",
        "src/machine/frames/mod.rs",
    ];
    let mut folders = Path::new(path).ancestors().skip(1);
    INCLUDED_FILES.contains(&path)
        || heads.contains(&path)
        || forbids(&package_root().join(path))
        || folders.any(|folder| forbids(&package_root().join(folder).join("mod.rs")))
}

#[test]
fn cells_are_made_from_words_in_listed_files() {
    let mut offenders = Vec::new();
    let mut found = BTreeSet::new();
    for file in own_rust_files() {
        let own = ["src/store/", "src/machine/"];
        let uses = file.source.words("of_word");
        if uses.is_empty() || own.iter().any(|folder| file.path.starts_with(folder)) {
            continue;
        }
        match WORD_FILES.contains(&&*file.path) {
            true => _ = found.insert(file.path.clone()),
            false => offenders.push(format!("{}: makes cells from words", file.path)),
        }
    }
    let dead = WORD_FILES.iter().filter(|name| !found.contains(**name));
    offenders.extend(dead.map(|name| format!("{name}: is listed, but makes no cells from words")));
    refuse("cells of words", &offenders);
}

#[test]
fn nothing_is_imported_by_glob() {
    let mut offenders = Vec::new();
    for file in own_rust_files() {
        let lines = file.source.glob_imports();
        offenders.extend(
            lines
                .iter()
                .map(|line| format!("{}:{line}: glob import", file.path)),
        );
    }
    refuse("glob imports", &offenders);
}

#[test]
fn no_text_names_a_path_of_one_machine() {
    let mut offenders = Vec::new();
    for (path, place) in OWN_TEXT.iter().flat_map(|start| files_under(start)) {
        for (number, line) in read(&place).lines().enumerate() {
            if let Some(found) = MACHINE_PATHS.iter().find(|start| line.contains(**start)) {
                offenders.push(format!("{path}:{}: {found}", number + 1));
            }
        }
    }
    refuse("paths of one machine", &offenders);
}

/// Returns the paths of the package in a text, without those that contain a placeholder in capitals.
fn named_paths(line: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_./-".contains(c);
    let words = line.split(move |c: char| !is_part(c));
    let paths = words.map(|word| word.trim_end_matches('.'));
    let is_any = |part: &str| part.len() > 1 && part.chars().all(|c| c.is_ascii_uppercase());
    paths.filter(move |path| {
        let root = path.split_once('/').map(|(root, _)| root);
        let ours = root.is_some_and(|root| OWN_TEXT.contains(&root));
        ours && !path.split(['/', '.']).any(is_any)
    })
}

/// Returns whether an example of CONTRIBUTING.md makes this file.
fn is_made(file: &str) -> bool {
    read(&package_root().join("CONTRIBUTING.md")).contains(&format!("\nNew file `{file}`:\n"))
}

/// Checks that documents and comments name only files that exist.
#[test]
fn files_named_in_texts_exist() {
    let mut offenders = Vec::new();
    for (path, place) in OWN_TEXT.iter().flat_map(|start| files_under(start)) {
        for (number, line) in read(&place).lines().enumerate() {
            let is_comment = line.trim_start().starts_with(['/', '%', '#']);
            if !path.ends_with(".md") && !is_comment {
                continue;
            }
            let lost = named_paths(line)
                .filter(|named| !package_root().join(named).exists() && !is_made(named));
            offenders.extend(lost.map(|named| format!("{path}:{}: {named}", number + 1)));
        }
    }
    let listed = UNSAFE_FILES.iter().chain(INCLUDED_FILES);
    let listed = listed.filter(|file| !file.ends_with('*'));
    let lost = listed.filter(|file| !package_root().join(file).exists());
    offenders.extend(lost.map(|file| format!("tests/tidy: {file}")));
    refuse("names of files that are not there", &offenders);
}

/// The files and folders in the package root, except hidden ones. Tests write no files there.
const TOP_LEVEL: &[&str] = &[
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "benches",
    "clippy.toml",
    "docs",
    "examples",
    "prelude",
    "programs",
    "rustfmt.toml",
    "src",
    "target",
    "tests",
];

#[test]
fn the_root_has_the_expected_files() {
    let entries = fs::read_dir(package_root()).expect("the root of the package");
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    let names = names.map(|name| name.to_string_lossy().into_owned());
    let strange: Vec<String> = names
        .filter(|name| !name.starts_with('.') && !TOP_LEVEL.contains(&name.as_str()))
        .collect();
    refuse("not at the top level", &strange);
}

/// Files that issue permits, each with the reason. Rows of tables issue permits through the macros of these files.
const PERMIT_ISSUERS: &[(&str, &str)] = &[
    ("src/base/needs.rs", "it defines them"),
    ("src/machine/builtin.rs", "rows of builtins, by their needs"),
    (
        "src/arith/evaluable.rs",
        "rows of evaluables, by their needs",
    ),
    (
        "src/builtins/system/known_flags.rs",
        "rows of flags that describe the process",
    ),
    ("src/machine/world.rs", "the standard streams of an engine"),
    (
        "src/machine/permits.rs",
        "permits for some arguments of builtins, if the policy grants them",
    ),
    (
        "src/machine/memory/collection_log.rs",
        "the times of garbage collections",
    ),
    (
        "src/program/files.rs",
        "files are recognized under all their paths",
    ),
    (
        "src/source/permits.rs",
        "permits of loading itself, independent of goals",
    ),
    ("src/api/leave.rs", "what the host asks for"),
];

/// Doors: functions and modules that access files, the network, other processes, the environment or the clocks.
const DOORS: &[&str] = &[
    "std::fs",
    "std::net",
    "std::process::Command",
    "std::process::id",
    "env::var",
    "env::var_os",
    "env::vars",
    "env::args",
    "env::args_os",
    "env::current_dir",
    "env::current_exe",
    "env::temp_dir",
    "SystemTime::now",
    "Instant::now",
    "elapsed",
    "io::stdin",
    "io::stdout",
    "io::stderr",
];

/// Files and folders that may contain doors. Their functions take permits, or Prolog programs never see the results.
const DOORKEEPERS: &[&str] = &[
    "src/io/",
    "src/store/os.rs",
    "src/base/watch.rs",
    "src/machine/budget/limits.rs",
    "src/machine/budget/spending.rs",
    "src/machine/budget/timer.rs",
    "src/api/",
    "src/testing/",
    "src/cli/",
    "src/main.rs",
];

/// Returns whether the code at an offset belongs to tests, which may use everything.
fn is_test_code(file: &File, at: usize) -> bool {
    let tests = file.source.code.find("#[cfg(test)]\nmod ");
    tests.is_some_and(|tests| at > tests)
        || file.path.contains("/tests")
        || file.path.ends_with("_tests.rs")
        || file.path.ends_with("_manual.rs")
        || file.path.ends_with("_page.rs")
}

/// Returns the places of a word in code outside tests and outside the allowed files.
fn words_outside(word: &str, allowed: impl Fn(&str) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    for file in rust_files(&["src"])
        .iter()
        .filter(|file| !allowed(&file.path))
    {
        let places = file.source.words(word).into_iter();
        let places = places.filter(|&at| !is_test_code(file, at));
        found.extend(places.map(|at| format!("{}:{}: {word}", file.path, file.source.line_of(at))));
    }
    found
}

#[test]
fn permits_are_issued_in_listed_files() {
    let named = |path: &str| PERMIT_ISSUERS.iter().any(|row| row.0 == path);
    refuse("permits issued", &words_outside("issue", named));
}

#[test]
fn doors_are_in_files_that_take_permits() {
    let keeps = |path: &str| DOORKEEPERS.iter().any(|start| path.starts_with(start));
    let offenders: Vec<String> = DOORS
        .iter()
        .flat_map(|door| words_outside(door, keeps))
        .collect();
    refuse("ways out of the process besides `io`", &offenders);
}
