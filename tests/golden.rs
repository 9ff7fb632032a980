//! Listings of compiled code. The test compiles each `tests/golden/bytecode/NAME.pl` and compares the
//! listings of its predicates, in order, with `NAME.golden`. With `UPDATE_GOLDEN` set it writes the
//! listings into the files; read the difference before you commit it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use wamlet::Engine;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/bytecode")
}

/// Returns the predicates of a program: its first line lists them after `% Code of`.
fn predicates(text: &str) -> Vec<&str> {
    let first = text.lines().next().unwrap_or_default();
    let list = first.strip_prefix("% Code of ").unwrap_or_default();
    list.trim_end_matches('.').split(", ").collect()
}

fn listing(path: &Path) -> Result<String, String> {
    let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
    let mut engine = Engine::new().map_err(|error| error.to_string())?;
    engine.capture_output();
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let report = engine
        .consult_text(&name, &text)
        .map_err(|error| error.to_string())?;
    if let Some(error) = report.errors.first() {
        return Err(error.to_string());
    }
    for predicate in predicates(&text) {
        let query = format!("vm_list({predicate})");
        let found = engine
            .query_once(&query)
            .map_err(|error| error.to_string())?;
        if found.is_none() {
            return Err(format!("no predicate {predicate}"));
        }
    }
    Ok(engine.take_output())
}

/// Returns the first line in which two texts differ.
fn difference(expected: &str, found: &str) -> String {
    let mut lines = expected.lines().zip(found.lines()).enumerate();
    match lines.find(|(_, (old, new))| old != new) {
        Some((at, (old, new))) => format!("line {}:\n  was {old}\n  is  {new}", at + 1),
        None => "one has more lines".to_owned(),
    }
}

#[test]
fn code_is_as_listed() {
    let update = std::env::var_os("UPDATE_GOLDEN").is_some();
    let files = fs::read_dir(folder()).expect("the folder of listings");
    let programs: BTreeSet<PathBuf> = files
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "pl"))
        .collect();
    assert!(!programs.is_empty(), "there are programs");
    let mut failures = Vec::new();
    for path in programs {
        let name = path.display();
        let found = match listing(&path) {
            Ok(found) => found,
            Err(error) => {
                failures.push(format!("{name}: {error}"));
                continue;
            }
        };
        let golden = path.with_extension("golden");
        if update {
            fs::write(&golden, &found).expect("the listing can be written");
        }
        let expected = fs::read_to_string(&golden).unwrap_or_default();
        if expected != found {
            failures.push(format!("{name}: {}", difference(&expected, &found)));
        }
    }
    assert!(
        failures.is_empty(),
        "code has changed; UPDATE_GOLDEN=1 writes the new listings\n{}",
        failures.join("\n")
    );
}
