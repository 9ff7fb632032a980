//! What loading has to say: for each `tests/cases/messages/NAME.pl`, loaded by the command,
//! `NAME.errors` holds what is to appear on the standard error output.
#![cfg(feature = "cli")]

use std::path::Path;
use std::process::{Command, Stdio};

#[test]
fn messages_are_those_of_the_files() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/messages");
    let mut count = 0;
    let mut wrong = String::new();
    for entry in std::fs::read_dir(&folder).expect("the folder of the cases") {
        let path = entry.expect("an entry of the folder").path();
        if path.extension().is_none_or(|extension| extension != "pl") {
            continue;
        }
        count += 1;
        let name = path.file_name().expect("a name of a file");
        // A session of no queries: the main goal of a program is run.
        let ran = Command::new(env!("CARGO_BIN_EXE_wamlet"))
            .arg(name)
            .current_dir(&folder)
            .stdin(Stdio::null())
            .output()
            .expect("the command runs");
        let got = String::from_utf8_lossy(&ran.stderr);
        let wanted = std::fs::read_to_string(path.with_extension("errors")).unwrap_or_default();
        if got != wanted {
            wrong.push_str(&format!("{}:\n{got}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "other messages than told:\n{wrong}");
    assert!(count > 5, "the cases are gone");
}
