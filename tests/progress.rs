//! The output of `--progress` for a count: as JSON, as text, for units, and for searches by several threads. The number of
//! lines depends on the machine; each line must be correct.
#![cfg(feature = "cli")]

#[path = "support/process.rs"]
mod process;

use process::{Folder, run_in};
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

const QUEENS: &str = "
    queens(N, Qs) :- numlist(1, N, Ns), place(Ns, [], Qs).
    place([], Qs, Qs).
    place([N|Ns], Placed, Qs) :- select(Q, [N|Ns], Rest), safe(Q, 1, Placed), place(Rest, [Q|Placed], Qs).
    safe(_, _, []).
    safe(Q, D, [P|Ps]) :- Q =\\= P + D, Q =\\= P - D, D1 is D + 1, safe(Q, D1, Ps).
";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.file("queens.pl", QUEENS);
    folder
}

/// A condition on a line.
type Condition<'a> = &'a dyn Fn(&str) -> bool;

/// Ends a process when its standard error output has at least `count` lines, and the last one fulfills `wanted`. Returns
/// these lines.
fn first_lines(folder: &Path, args: &[&str], count: usize, wanted: Condition<'_>) -> Vec<String> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_wamlet"))
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let errors = BufReader::new(child.stderr.take().expect("a pipe"));
    let mut lines = Vec::new();
    for line in errors.lines() {
        lines.push(line.expect("a line"));
        if lines.len() >= count && lines.last().is_some_and(|line| wanted(line)) {
            break;
        }
    }
    child.kill().expect("it runs");
    child.wait().expect("it has ended");
    lines
}

fn json(line: &str) -> Value {
    serde_json::from_str(line).expect("JSON")
}

fn number(line: &Value, member: &str) -> Option<f64> {
    match &line[member] {
        Value::Null => None,
        value => Some(value.as_f64().expect("a number")),
    }
}

/// Checks that lines of JSON can belong to one count. Returns the last number of solutions.
fn check(lines: &[String]) -> f64 {
    let (mut found, mut seconds) = (0.0, 0.0);
    for text in lines {
        let line = json(text);
        assert_eq!(line["progress"], "count", "{text}");
        let [now, later] = ["solutions", "seconds"].map(|member| number(&line, member));
        // Before the first part begins, the number of solutions is not known.
        let (now, later) = (now.unwrap_or(found), later.expect("a time"));
        assert!(now >= found && later >= seconds, "{text} after {found}");
        (found, seconds) = (now, later);
        let shares = ["share", "error"].map(|member| number(&line, member));
        for share in shares.into_iter().flatten() {
            assert!((0.0..=1.0).contains(&share), "{text}");
        }
        assert_eq!(shares[0].is_some(), shares[1].is_some(), "{text}");
        let rates = ["rate", "left"].map(|member| number(&line, member));
        assert!(rates.iter().flatten().all(|&rate| rate >= 0.0), "{text}");
    }
    found
}

#[test]
fn the_progress_of_a_count_is_reported_as_json() {
    let folder = folder();
    let goal = "between(1, 1000000000, X), X mod 7 =:= 0";
    for (threads, wanted) in [("1", "share"), ("2", "solutions")] {
        let args = [
            "count",
            "--progress=0.01",
            "--json",
            "-j",
            threads,
            "-g",
            goal,
        ];
        let is_wanted = |line: &str| number(&json(line), wanted).is_some_and(|value| value > 0.0);
        let lines = first_lines(&folder.0, &args, 5, &is_wanted);
        assert!(check(&lines) > 0.0);
    }
}

#[test]
fn the_progress_of_a_count_does_not_exceed_its_result() {
    let folder = folder();
    for threads in ["1", "2"] {
        let options = ["count", "--progress=0.001", "--json", "-j", threads];
        let args = [&options[..], &["-g", "queens(8, _)", "queens.pl"]].concat();
        let ran = run_in(&folder.0, &args, "");
        assert_eq!((ran.output.as_str(), ran.status), ("92\n", 0));
        let lines: Vec<String> = ran.errors.lines().map(ToOwned::to_owned).collect();
        assert!(check(&lines) <= 92.0);
    }
}

#[test]
fn the_progress_is_reported_as_text() {
    let folder = folder();
    let args = [
        "count",
        "--progress=0.01",
        "-g",
        "between(1, inf, X), X < 0",
    ];
    for line in first_lines(&folder.0, &args, 2, &|_| true) {
        assert!(line.starts_with("% 0 solutions, 0/s, after "), "{line}");
    }
    let goal = "aggregate_all(count, (between(1, inf, X), X < 0), _)";
    for line in first_lines(&folder.0, &["--progress=0.01", "-g", goal], 2, &|_| true) {
        assert!(line.starts_with("% 0 solutions, 0/s, after "), "{line}");
    }
}

#[test]
fn the_progress_of_a_unit_has_its_number() {
    let folder = folder();
    let options = ["count", "--progress=0.01", "--json", "--slice", "2/3"];
    let args = [&options[..], &["-g", "queens(13, _)", "queens.pl"]].concat();
    let lines = first_lines(&folder.0, &args, 2, &|_| true);
    check(&lines);
    let line = json(&lines[1]);
    assert_eq!((&line["unit"], &line["of"]), (&2.into(), &3.into()));
}

#[test]
fn no_progress_is_reported_without_the_option() {
    let folder = folder();
    let ran = run_in(&folder.0, &["count", "-g", "queens(8, _)", "queens.pl"], "");
    assert_eq!((ran.output.as_str(), ran.errors.as_str()), ("92\n", ""));
    let ran = run_in(&folder.0, &["count", "--progress=x", "-g", "true"], "");
    assert_eq!(ran.status, 2);
    assert!(
        ran.errors.contains("expected a number of seconds"),
        "{}",
        ran.errors
    );
}
