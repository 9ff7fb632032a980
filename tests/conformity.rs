//! The cases under `tests/cases` and the queries of `programs`, asked through the public interface.
//!
//! The format is told in `support/case_file.rs`. A file `NAME.pl` beside `NAME.queries` is loaded
//! first; the queries of one file are asked in order of one engine. Beside a Lolli module `NAME.ll` they
//! are queries of Lolli, in its context. `$TMP` in either stands for a
//! folder that is the file's own and goes away afterwards. With the environment variable `CASES`
//! set, only files run whose path contains its value. What `tests/cases/memory` asks runs in
//! the configuration of little memory only, that of `tests/cases/large` in the default one only.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

#[path = "support/case_file.rs"]
mod case_file;
#[path = "support/token_text.rs"]
mod token_text;
#[path = "support/wamlet_system.rs"]
mod wamlet_system;

use case_file::System;
use wamlet_system::{Configuration, WamletSystem};

const DEFAULT: Configuration = Configuration {
    name: "default",
    memory: None,
    collect_always: false,
    indexing: true,
};

/// A collection at every call: what it does not see is lost at once.
const COLLECTING: Configuration = Configuration {
    name: "collecting",
    memory: Some(SMALL_MEMORY),
    collect_always: true,
    indexing: true,
};

/// Little memory: its areas lie close together, and what outgrows one is told.
const SMALL: Configuration = Configuration {
    name: "small",
    memory: Some(SMALL_MEMORY),
    collect_always: false,
    indexing: true,
};

/// All clauses are tried in order: what an index leaves out must not have mattered.
const UNINDEXED: Configuration = Configuration {
    name: "unindexed",
    memory: None,
    collect_always: false,
    indexing: false,
};

const SMALL_MEMORY: usize = 16 << 20;

/// Bytes of stack that an engine must do with, whatever it runs: no instruction leaves a frame
/// behind, no algorithm recurs on terms.
const STACK: usize = 256 << 10;

#[test]
fn cases_give_their_answers() {
    run_folder("tests/cases", DEFAULT);
}

#[test]
fn cases_give_their_answers_in_little_memory() {
    run_folder("tests/cases", SMALL);
}

#[test]
fn cases_give_their_answers_with_a_collection_at_every_call() {
    run_folder("tests/cases", COLLECTING);
}

#[test]
fn cases_give_their_answers_without_indexes() {
    run_folder("tests/cases", UNINDEXED);
}

#[test]
fn programs_give_their_answers() {
    run_folder("programs", DEFAULT);
}

/// The examples in `docs/lolli.md`: queries of Lolli, and of Prolog with the library.
#[test]
fn the_manual_of_lolli_tells_the_truth() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/lolli.md");
    let text = fs::read_to_string(&path).expect("the manual");
    let mut failures = Vec::new();
    for language in ["lolli", "prolog"] {
        let mut system = WamletSystem::new(DEFAULT).expect("there is memory");
        if language == "lolli" {
            system.enter(&[]);
        } else {
            let program = ":- use_module(library(linear)).\n";
            system.load(&path, program).expect("the library");
        }
        let cases = case_file::parse(&examples(&text, language)).expect("examples");
        assert!(!cases.is_empty(), "there are examples of {language}");
        for case in &cases {
            if let Err(difference) = case_file::check(case, &mut system) {
                failures.push(format!("docs/lolli.md:{}: {difference}", case.line));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// The blocks of a page that are marked as of this language, at their lines.
fn examples(page: &str, language: &str) -> String {
    let mut inside = false;
    let mut text = String::new();
    for line in page.lines() {
        match line.strip_prefix("```") {
            Some(mark) => inside = !inside && mark == language,
            None if inside => text.push_str(line),
            None => {}
        }
        text.push('\n');
    }
    text
}

/// Runs every case file under `folder`, several at a time.
fn run_folder(folder: &str, configuration: Configuration) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let filter = env::var("CASES").unwrap_or_default();
    let mut files = Vec::new();
    collect(&root.join(folder), &mut files).expect("a folder of case files");
    files.retain(|file| file.to_string_lossy().contains(&filter));
    if configuration.memory.is_some() || !configuration.indexing {
        // These need more than a little.
        files.retain(|file| !file.starts_with(root.join("tests/cases/large")));
    }
    if !configuration.indexing {
        // These ask what the selection of clauses leaves behind.
        files.retain(|file| !file.ends_with("iso/clause_selection.queries"));
    }
    if configuration.memory.is_none() || configuration.collect_always {
        // These fill the memory to its end, which takes its time where there is much, or where all
        // of it is looked at again and again.
        files.retain(|file| !file.starts_with(root.join("tests/cases/memory")));
    }
    files.sort();
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    let workers = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..workers {
            let work = || {
                while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found = run_file(file, configuration);
                    failures.lock().expect("no worker panics").extend(found);
                }
            };
            thread::Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, work)
                .expect("a thread");
        }
    });
    let failures = failures.into_inner().expect("no worker panics");
    let count = failures.len();
    assert!(
        failures.is_empty(),
        "{count} cases fail:\n\n{}\n",
        failures.join("\n\n")
    );
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path
            .extension()
            .is_some_and(|extension| extension == "queries")
        {
            files.push(path);
        }
    }
    Ok(())
}

/// What fails in one file: the place and the difference, one string for each case.
fn run_file(file: &Path, configuration: Configuration) -> Vec<String> {
    let name = file
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let own = env::temp_dir().join(format!(
        "wamlet-cases-{}-{}-{name}",
        std::process::id(),
        configuration.name
    ));
    let result = fs::create_dir_all(&own)
        .map_err(|error| vec![format!("{}: {error}", own.display())])
        .and_then(|()| run_in(file, &own.to_string_lossy(), configuration));
    // What is left behind in a folder for temporary files harms nobody.
    let _ = fs::remove_dir_all(&own);
    result.err().unwrap_or_default()
}

fn run_in(file: &Path, own_folder: &str, configuration: Configuration) -> Result<(), Vec<String>> {
    let shown = file
        .strip_prefix(env!("CARGO_MANIFEST_DIR"))
        .unwrap_or(file);
    let fault = |error: String| vec![format!("{}: {error}", shown.display())];
    let read = |path: &Path| -> Result<String, Vec<String>> {
        let text = fs::read_to_string(path).map_err(|error| fault(error.to_string()))?;
        Ok(text.replace("$TMP", own_folder))
    };
    let cases = case_file::parse(&read(file)?).map_err(fault)?;
    let mut system = WamletSystem::new(configuration).map_err(fault)?;
    let program = file.with_extension("pl");
    if program.exists() {
        // From its own place, so that what it loads itself is found beside it; a program that
        // names $TMP has to be given as text.
        let text = read(&program)?;
        system.load(&program, &text).map_err(fault)?;
    }
    let module = file.with_extension("ll");
    if module.exists() {
        system.enter(&[&module]);
    }
    let failures: Vec<String> = cases
        .iter()
        .filter_map(|case| {
            let difference = case_file::check(case, &mut system).err()?;
            Some(format!("{}:{}: {difference}", shown.display(), case.line))
        })
        .collect();
    if failures.is_empty() {
        Ok(())
    } else {
        Err(failures)
    }
}
