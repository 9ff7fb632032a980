//! The output of the tracer without interaction. Each `tests/tracing/NAME.in` has the queries of a
//! session with `NAME.pl` or `NAME.ll`, and `NAME.out` is the text on both outputs. With `UPDATE_GOLDEN`
//! set, the test writes `NAME.out`; read the difference before you commit it.
#![cfg(feature = "cli")]

use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};

#[path = "support/process.rs"]
#[expect(dead_code, reason = "both outputs go to one file here")]
mod process;

use process::Folder;

#[test]
fn traces_are_those_of_the_files() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tracing");
    let update = std::env::var_os("UPDATE_GOLDEN").is_some();
    let outputs = Folder::new();
    let mut count = 0;
    let mut wrong = String::new();
    for entry in std::fs::read_dir(&folder).expect("the folder of the traces") {
        let path = entry.expect("an entry of the folder").path();
        if path.extension().is_none_or(|extension| extension != "in") {
            continue;
        }
        count += 1;
        let seen = outputs.file("seen", "");
        let output = File::create(&seen).expect("a file");
        let errors = output.try_clone().expect("the same file");
        let mut command = Command::new(env!("CARGO_BIN_EXE_wamlet"));
        let (prolog, lolli) = (path.with_extension("pl"), path.with_extension("ll"));
        if lolli.exists() {
            command.arg("--lolli");
            command.arg(path.file_stem().expect("a name of a file"));
        } else if prolog.exists() {
            command.arg(prolog.file_name().expect("a name of a file"));
        }
        command
            .current_dir(&folder)
            .stdin(Stdio::from(File::open(&path).expect("the queries")))
            .stdout(output)
            .stderr(errors)
            .status()
            .expect("the command runs");
        let got = std::fs::read_to_string(&seen).expect("the trace");
        let expected = path.with_extension("out");
        if update {
            std::fs::write(&expected, &got).expect("the trace is written");
        } else if got != std::fs::read_to_string(&expected).unwrap_or_default() {
            wrong.push_str(&format!("{}:\n{got}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "other traces than expected:\n{wrong}");
    assert!(count > 2, "too few traces");
}
