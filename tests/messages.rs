//! What loading has to say: for each `tests/cases/messages/NAME.pl`, or `NAME.ll` of Lolli, loaded by the command,
//! `NAME.errors` holds what is to appear on the standard error output, and `NAME.json`, if it is there,
//! what appears with `--json`.
#![cfg(feature = "cli")]

use std::path::Path;
use std::process::{Command, Stdio};

#[path = "support/process.rs"]
#[allow(dead_code, reason = "each test program uses a part")]
mod process;

use process::{Folder, run_in};

/// What the command has to say of a program, with these options: a session of no queries, in which the
/// main goal of a program is run.
fn told(folder: &Path, options: &[&str], name: &str) -> String {
    let ran = Command::new(env!("CARGO_BIN_EXE_wamlet"))
        .args(options)
        .arg(name)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .expect("the command runs");
    String::from_utf8_lossy(&ran.stderr).into_owned()
}

/// The text with variables as `_`, for their numbers are anybody's.
fn without_numbers(text: &str) -> String {
    let mut parts = text.split('_');
    let mut result = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        result.push('_');
        result.push_str(part.trim_start_matches(|c: char| c.is_ascii_digit()));
    }
    result
}

#[test]
fn messages_are_those_of_the_files() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/messages");
    let (mut count, mut for_programs) = (0, 0);
    let mut wrong = String::new();
    for entry in std::fs::read_dir(&folder).expect("the folder of the cases") {
        let path = entry.expect("an entry of the folder").path();
        if path
            .extension()
            .is_none_or(|extension| extension != "pl" && extension != "ll")
        {
            continue;
        }
        count += 1;
        let name = path.file_name().and_then(|name| name.to_str());
        let name = name.expect("a name of a file");
        let got = told(&folder, &[], name);
        let wanted = std::fs::read_to_string(path.with_extension("errors")).unwrap_or_default();
        if got != wanted {
            wrong.push_str(&format!("{}:\n{got}", path.display()));
        }
        if let Ok(wanted) = std::fs::read_to_string(path.with_extension("json")) {
            for_programs += 1;
            let got = without_numbers(&told(&folder, &["--json"], name));
            if got != wanted {
                wrong.push_str(&format!("{} with --json:\n{got}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "other messages than told:\n{wrong}");
    assert!(count > 5 && for_programs > 1, "the cases are gone");
}

/// The table of the page on messages, line by line.
#[test]
fn mistakes_are_told_of_as_the_page_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join("docs/messages.md")).expect("the page");
    let (_, table) = page
        .split_once("## Mistakes of beginners")
        .expect("the table of the page");
    let folder = process::Folder::new();
    let mut count = 0;
    for row in table.lines().filter(|line| line.starts_with("| ")).skip(1) {
        let cells: Vec<&str> = row.split(" | ").collect();
        let [mistake, text, message, _] = cells[..] else {
            panic!("no row of the table: {row}");
        };
        let text = text
            .trim_matches('`')
            .replace('⏎', "\n")
            .replace("\\|", "|");
        folder.file("mistake.pl", &format!("{text}\n"));
        let ran = process::run_in(&folder.0, &["mistake.pl"], "");
        assert!(ran.errors.contains(message), "{mistake}:\n{}", ran.errors);
        count += 1;
    }
    assert!(count >= 20, "the table has {count} lines");
}

/// A limit that ends an expansion names the clause that was expanded, also where the hook lies elsewhere.
#[test]
fn a_limit_that_ends_an_expansion_names_the_clause() {
    let folder = Folder::new();
    let hooks = ":- module(hooks, []).
user:term_expansion(endless(_), _) :- turn(0).
user:goal_expansion(endless_goal, _) :- turn(0).
turn(N) :- turn(N).
grow(X) :- grow([X|X]).
user:term_expansion(large(_), _) :- grow(x).
";
    folder.file("hooks.pl", hooks);
    folder.file("outer.pl", ":- consult(text).\n");
    let time = ["--timeout", "0.1"];
    let steps = ["--max-steps", "60000"];
    let memory = ["--max-memory", "8m"];
    let other = "(while loading text.pl:3)";
    for (text, limit, told) in [
        (":- use_module(hooks).\na.\nendless(1).\n", time, other),
        (":- use_module(hooks).\na.\nendless(1).\n", steps, other),
        (
            ":- use_module(hooks).\na.\nb :-\n    a, endless_goal.\n",
            steps,
            other,
        ),
        (
            ":- use_module(hooks).\n\nb --> [x], { endless_goal }.\n",
            time,
            other,
        ),
        (
            ":- use_module(hooks).\n\n:- a, endless_goal.\n",
            steps,
            other,
        ),
        (
            ":- use_module(hooks).\n\nlarge(1).\n",
            memory,
            "text.pl:3:1: error",
        ),
        (
            "term_expansion(e, _) :- turn(0).\nturn(N) :- turn(N).\n\ne.\n",
            time,
            "(while loading line 4)",
        ),
    ] {
        folder.file("text.pl", text);
        for file in ["text.pl", "outer.pl"] {
            let args = [limit[0], limit[1], "-g", "true", file];
            let ran = run_in(&folder.0, &args, "");
            assert!(ran.errors.contains(told), "{text}{file}: {}", ran.errors);
        }
    }
}
