//! Cases of `wamlet test`, as files. A folder `tests/testing/NAME` holds files with tests, the `command` to run
//! beside them, and its outcome. `report` has exit status, output and errors, and `accepted/FILE` is a file that
//! the command changes. `input` is the standard input. After an intended change: `UPDATE_GOLDEN=1 cargo test
//! --test testing`. Read the difference before you commit it.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use wamlet::testing::{Program, Settings, TestFile, find, run};

#[allow(dead_code, reason = "other tests use the rest")]
#[path = "support/random.rs"]
mod random;

use random::Random;

/// Files of a case that are not its tests.
const OWN: [&str; 4] = ["command", "input", "report", "accepted"];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/testing")
}

/// Returns the plain files of a folder.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let Ok(entries) = fs::read_dir(folder) else {
        return found;
    };
    for entry in entries {
        let path = entry.expect("an entry").path();
        if path.is_file() {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let text = fs::read_to_string(&path).expect("a text");
            found.insert(name.into_owned(), text);
        }
    }
    found
}

/// Returns the text with `N` for numbers that may change with the engine.
fn plain(text: &str) -> String {
    let mut pieces = text.split("\"steps\": ");
    let mut result = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        result.push_str("\"steps\": N");
        result.push_str(piece.trim_start_matches(|c: char| c.is_ascii_digit()));
    }
    result
}

/// Runs the command of a case in a copy of its folder. Returns the report, and the changed files.
fn run_case(case: &Path) -> (String, BTreeMap<String, String>) {
    let name = case.file_name().unwrap_or_default().to_string_lossy();
    let copy = std::env::temp_dir().join(format!("wamlet-testing-{}-{name}", std::process::id()));
    fs::create_dir_all(&copy).expect("a folder");
    let mut before = files(case);
    before.retain(|name, _| !OWN.contains(&name.as_str()));
    for (name, text) in &before {
        fs::write(copy.join(name), text).expect("a copy");
    }
    let line = fs::read_to_string(case.join("command")).expect("a command");
    let mut command = Command::new(env!("CARGO_BIN_EXE_wamlet"));
    command.env_remove("CI").current_dir(&copy);
    let mut words = line.split_whitespace().peekable();
    while let Some((variable, value)) = words.peek().and_then(|word| word.split_once('=')) {
        command.env(variable, value);
        words.next();
    }
    assert_eq!(words.next(), Some("wamlet"), "{line}");
    command.args(words);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("a process");
    let input = fs::read(case.join("input")).unwrap_or_default();
    // A command that reads nothing may have ended already.
    let _ = child.stdin.take().expect("a pipe").write_all(&input);
    let ran = child.wait_with_output().expect("an end");
    let mut report = format!(
        "status {}\n{}",
        ran.status.code().unwrap_or(-1),
        plain(&String::from_utf8_lossy(&ran.stdout))
    );
    let errors = String::from_utf8_lossy(&ran.stderr);
    if !errors.is_empty() {
        report.push_str("----\n");
        report.push_str(&errors);
    }
    if line.contains("--accept") && ran.status.success() {
        // The written answers must pass.
        let again = Command::new(env!("CARGO_BIN_EXE_wamlet"))
            .env("CI", "true")
            .current_dir(&copy)
            .args(["test", "--choices"])
            .output()
            .expect("an end");
        let output = String::from_utf8_lossy(&again.stdout);
        assert!(again.status.success(), "{name}: {output}");
    }
    let mut after = files(&copy);
    after.retain(|name, text| before.get(name) != Some(text));
    let _ = fs::remove_dir_all(&copy);
    (report, after)
}

#[test]
fn the_command_reports_and_writes_as_in_the_files() {
    let update = std::env::var_os("UPDATE_GOLDEN").is_some();
    let mut cases: Vec<PathBuf> = fs::read_dir(folder())
        .expect("the folder of cases")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.is_dir())
        .collect();
    cases.sort();
    assert!(!cases.is_empty(), "there are cases");
    let mut failures = Vec::new();
    for case in cases {
        let (report, changed) = run_case(&case);
        let accepted = case.join("accepted");
        if update {
            fs::write(case.join("report"), &report).expect("the report can be written");
            let _ = fs::remove_dir_all(&accepted);
            for (name, text) in &changed {
                fs::create_dir_all(&accepted).expect("a folder");
                fs::write(accepted.join(name), text).expect("the file can be written");
            }
        }
        let wanted = fs::read_to_string(case.join("report")).unwrap_or_default();
        if wanted != report {
            failures.push(format!(
                "{}: wanted:\n{wanted}\ngot:\n{report}",
                case.display()
            ));
        }
        if files(&accepted) != changed {
            failures.push(format!("{}: changed: {changed:#?}", case.display()));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// If a link names a file in the same folder, the file is read once, under its own name.
#[cfg(unix)]
#[test]
fn links_to_files_are_ignored() {
    let folder = std::env::temp_dir().join(format!("wamlet-testing-{}-links", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("b.pl"), "p(1).\n?- p(X).\n   X = 2.\n").expect("a file");
    std::os::unix::fs::symlink("b.pl", folder.join("a.pl")).expect("a link");
    let ran = Command::new(env!("CARGO_BIN_EXE_wamlet"))
        .env_remove("CI")
        .args(["test", "--accept"])
        .current_dir(&folder)
        .output()
        .expect("an end");
    let text = fs::read_to_string(folder.join("b.pl")).expect("a text");
    let _ = fs::remove_dir_all(&folder);
    let errors = String::from_utf8_lossy(&ran.stderr);
    assert_eq!(
        (&*errors, ran.status.code()),
        ("1 answer written\n", Some(0))
    );
    assert_eq!(text, "p(1).\n?- p(X).\n   X = 1.\n");
}

/// Returns the text with its tests in another order.
fn shuffled(text: &str, random: &mut Random) -> String {
    let (mut head, mut blocks) = (String::new(), Vec::<String>::new());
    for line in text.lines() {
        if line.starts_with("?-") {
            blocks.push(String::new());
        }
        let place = blocks.last_mut().unwrap_or(&mut head);
        place.push_str(line);
        place.push('\n');
    }
    for at in (1..blocks.len()).rev() {
        blocks.swap(at, random.below(at + 1));
    }
    head + &blocks.concat()
}

/// Returns the outcomes of each query, without the numbers of variables.
fn outcomes(files: &[TestFile], settings: &Settings) -> BTreeMap<(usize, String), Vec<String>> {
    let mut found: BTreeMap<(usize, String), Vec<String>> = BTreeMap::new();
    for result in run(files, settings).results {
        let test = &files[result.file].tests()[result.test];
        let mut plain = String::new();
        for c in result.actual.chars() {
            if !(c.is_ascii_digit() && plain.ends_with('_')) {
                plain.push(c);
            }
        }
        let outcome = format!("{}: {plain}", result.verdict.is_passed());
        found
            .entry((result.file, test.query.clone()))
            .or_default()
            .push(outcome);
    }
    for outcomes in found.values_mut() {
        outcomes.sort();
    }
    found
}

/// Each test finds the program as if it were the first test, whatever ran before.
#[test]
fn results_do_not_depend_on_order_and_engines() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = [
        "attributed",
        "builtins",
        "database",
        "iso",
        "library",
        "linear",
        "modules",
    ];
    let folders: Vec<PathBuf> = folders
        .iter()
        .map(|name| root.join("tests/cases").join(name))
        .collect();
    let mut paths = find(&folders).expect("the cases");
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "queries"));
    let mut random = Random::new(7);
    let (mut in_order, mut mixed) = (Vec::new(), Vec::new());
    for path in &paths {
        let text = fs::read_to_string(path).expect("a case");
        let program = path.with_extension("pl");
        let uses = fs::read_to_string(&program).unwrap_or_default();
        if text.contains(":- session.") || text.contains("$TMP") || uses.contains("$TMP") {
            continue;
        }
        let read = |text: &str| {
            let mut file = TestFile::parse(path, text);
            if program.exists() {
                file.prepend_program(&[Program::File(program.clone())]);
            }
            file
        };
        in_order.push(read(&text));
        mixed.push(read(&shuffled(&text, &mut random)));
    }
    let fresh = outcomes(&in_order, &Settings::default().choices(true).reuse(false));
    assert!(fresh.len() > 1000, "{} queries", fresh.len());
    let used = outcomes(&mixed, &Settings::default().choices(true).threads(1));
    for (query, outcome) in &fresh {
        assert_eq!(used.get(query), Some(outcome), "{query:?}");
    }
}

/// Tests are decoded like programs: with a byte that is no UTF-8 in a comment, in UTF-16, or with other line ends.
#[test]
fn tests_are_read_like_programs() {
    let folder = std::env::temp_dir().join(format!("wamlet-texts-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let text = "p(1).\n% a comment\np(2).\n\n?- p(X).\n   X = 1 ;\n   X = 2.\nthird ?- p(3).\n";
    let utf_16 = "\u{feff}".chars().chain(text.chars());
    let utf_16: Vec<u8> = utf_16.flat_map(|c| (c as u16).to_le_bytes()).collect();
    let latin = text.replace("comment", "comment\0").into_bytes();
    let latin = latin
        .into_iter()
        .map(|byte| if byte == 0 { 0xe9 } else { byte });
    let module = "MODULE module.\np 1.\n% a comment\n?- p X.\n   X <- 1 ;\n   no.\nthird ?- p 3.\n";
    let marked = format!("\u{feff}{text}");
    for (name, bytes, written) in [
        ("utf_16.pl", utf_16, None),
        ("latin.pl", latin.collect(), None),
        ("returns.pl", text.replace('\n', "\r").into_bytes(), None),
        ("module.ll", module.replace('\n', "\r").into_bytes(), None),
        (
            "both.pl",
            text.replace('\n', "\r\n").into_bytes(),
            Some("third ?- p(3).\r\n   false.\r\n"),
        ),
        (
            "marked.pl",
            marked.into_bytes(),
            Some("third ?- p(3).\n   false.\n"),
        ),
    ] {
        let path = folder.join(name);
        fs::write(&path, &bytes).expect("a file");
        let run = |args: &[&str]| {
            let ran = Command::new(env!("CARGO_BIN_EXE_wamlet"))
                .args(args)
                .arg(name)
                .env_remove("CI")
                .current_dir(&folder)
                .output()
                .expect("the command starts");
            let output = [ran.stdout, ran.stderr].concat();
            String::from_utf8_lossy(&output).into_owned()
        };
        let output = run(&["test"]);
        assert!(
            output.contains("1 passed, 0 failed, 1 without answer"),
            "{name}: {output}"
        );
        let output = run(&["test", "--accept"]);
        let after = fs::read(&path).expect("the file");
        match written {
            Some(end) => assert!(
                after.starts_with(&bytes[..3]) && after.ends_with(end.as_bytes()),
                "{name}: {output}"
            ),
            None => assert!(
                after == bytes && output.contains("only into UTF-8 texts"),
                "{name}: {output}"
            ),
        }
    }
    let _ = fs::remove_dir_all(&folder);
}
