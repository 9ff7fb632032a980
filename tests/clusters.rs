//! The units of a count on Dask, HyperQueue and GNU parallel, as described in `docs/counting.md` and with the scripts in
//! `examples/cluster`. If a system is not installed, its test prints that and ends. `WAMLET_PYTHON` names a Python that has
//! the packages.
#![cfg(all(feature = "cli", unix))]

#[path = "support/process.rs"]
mod process;

use process::{Folder, run_in};
use std::path::Path;
use std::process::{Command, Stdio};

const WAMLET: &str = env!("CARGO_BIN_EXE_wamlet");
const SCRIPTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/cluster");

const PROGRAM: &str = "
    pair(X, Y) :- between(1, 60, X), between(1, X, Y), gcd(X, Y, G), G =:= 1.
    gcd(X, 0, X) :- !.
    gcd(X, Y, G) :- Z is X mod Y, gcd(Y, Z, G).
";

/// Returns a folder with units, and the count that all units add up to.
fn units() -> (Folder, String) {
    let folder = Folder::new();
    folder.file("pair.pl", PROGRAM);
    let count = run_in(&folder.0, &["count", "-g", "pair(_, _)", "pair.pl"], "");
    let split = ["split", "-g", "pair(_, _)", "--units", "8", "pair.pl"];
    let split = run_in(&folder.0, &split, "");
    assert_eq!(
        (split.errors.as_str(), split.output.lines().count()),
        ("", 8)
    );
    folder.file("units.jsonl", &split.output);
    (folder, count.output)
}

/// Returns whether a command works. If not, the test ends early.
#[expect(
    clippy::print_stderr,
    reason = "who reads it shall know what was not tested"
)]
fn works(program: &str, args: &[&str]) -> bool {
    let mut command = Command::new(program);
    command
        .args(args)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let works = command
        .stdin(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    if !works {
        eprintln!("skipped: `{program} {}` does not work", args.join(" "));
    }
    works
}

fn python() -> String {
    std::env::var("WAMLET_PYTHON").unwrap_or_else(|_| "python3".to_owned())
}

/// Runs a command in a folder and returns its standard error output.
fn run(folder: &Path, program: &str, args: &[&str]) -> String {
    let mut command = Command::new(program);
    let ran = command
        .args(args)
        .current_dir(folder)
        .output()
        .expect("it is there");
    let errors = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(ran.status.success(), "{program}: {errors}");
    errors
}

#[track_caller]
fn assert_merged(folder: &Folder, results: &[&str], count: &str) {
    let merged = run_in(&folder.0, &[&["merge"], results].concat(), "");
    let result = (
        merged.output.as_str(),
        merged.errors.as_str(),
        merged.status,
    );
    assert_eq!(result, (count, "", 0));
}

#[test]
fn dask_counts_units_and_continues_with_missing_ones() {
    let python = python();
    if !works(&python, &["-c", "import distributed"]) {
        return;
    }
    let (folder, count) = units();
    let script = format!("{SCRIPTS}/count_on_dask.py");
    let args = [&script, "--wamlet", WAMLET, "units.jsonl"];
    run(&folder.0, &python, &args);
    let results = folder.0.join("units.results.jsonl");
    assert_merged(&folder, &["units.results.jsonl"], &count);
    // The worker died while it wrote the fourth result.
    let all = std::fs::read_to_string(&results).expect("results");
    let some: String = all.split_inclusive('\n').take(3).collect();
    std::fs::write(&results, some.clone() + "{\"unit\":").expect("a file");
    run(&folder.0, &python, &args);
    let again = std::fs::read_to_string(&results).expect("results");
    assert_eq!(again.matches("\"count\"").count(), 8);
    let whole: Vec<&str> = again.lines().filter(|line| line.ends_with('}')).collect();
    folder.file("whole.jsonl", &whole.join("\n"));
    assert_merged(&folder, &["whole.jsonl"], &count);
}

#[test]
fn hyperqueue_counts_units() {
    let python = python();
    if !works(&python, &["-c", "import hyperqueue"]) {
        return;
    }
    let (folder, count) = units();
    let script = format!("{SCRIPTS}/count_on_hyperqueue.py");
    let args = [&script, "--wamlet", WAMLET, "--cores", "2", "units.jsonl"];
    run(&folder.0, &python, &args);
    let names: Vec<String> = (1..=8)
        .map(|unit| format!("units.results/{unit}.jsonl"))
        .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    assert_merged(&folder, &names, &count);
}

#[test]
fn parallel_counts_units() {
    if !works("parallel", &["--version"]) {
        return;
    }
    let (folder, count) = units();
    let command = format!(
        "parallel --pipe -N1 -j2 {WAMLET} count --unit-stdin < units.jsonl >> results.jsonl"
    );
    run(&folder.0, "sh", &["-c", &command]);
    assert_merged(&folder, &["results.jsonl"], &count);
}
