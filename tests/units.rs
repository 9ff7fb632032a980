//! The commands `wamlet split`, `wamlet count --unit-stdin`, `wamlet count --slice` and `wamlet merge`. The counts of all
//! units add up to the whole count, whichever process counts them. Missing, repeated and damaged lines are reported.
#![cfg(feature = "cli")]

#[path = "support/process.rs"]
mod process;

use process::{Folder, Ran, run_in};
use std::process::{Command, Stdio};

const QUEENS: &str = "
    :- use_module(parts/safe).
    queens(N, Qs) :- numlist(1, N, Ns), place(Ns, [], Qs).
    place([], Qs, Qs).
    place([N|Ns], Placed, Qs) :- select(Q, [N|Ns], Rest), safe(Q, 1, Placed), place(Rest, [Q|Placed], Qs).
    slow :- between(1, inf, X), X < 0.
";

const SAFE: &str = "
    :- module(safe, [safe/3]).
    safe(_, _, []).
    safe(Q, D, [P|Ps]) :- Q =\\= P + D, Q =\\= P - D, D1 is D + 1, safe(Q, D1, Ps).
";

fn folder() -> Folder {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.0.join("parts")).expect("a folder");
    folder.file("queens.pl", QUEENS);
    folder.file("parts/safe.pl", SAFE);
    folder
}

/// Returns the units of the eight queens, from a folder that is deleted afterwards.
fn units(count: &str) -> String {
    let folder = folder();
    let split = ["split", "-g", "queens(8, _)", "--units", count, "queens.pl"];
    let ran = run_in(&folder.0, &split, "");
    assert_eq!((ran.errors.as_str(), ran.status), ("", 0));
    ran.output
}

fn results(units: &str) -> String {
    let elsewhere = Folder::new();
    let ran = run_in(&elsewhere.0, &["count", "--unit-stdin"], units);
    assert_eq!((ran.errors.as_str(), ran.status), ("", 0));
    ran.output
}

fn merge(results: &str) -> Ran {
    let merged = run_in(&std::env::temp_dir(), &["merge"], results);
    let named = run_in(&std::env::temp_dir(), &["merge", "-"], results);
    assert_eq!(named.output, merged.output);
    merged
}

/// Returns the lines with these numbers, from 0.
fn lines(text: &str, numbers: &[usize]) -> String {
    let all: Vec<&str> = text.lines().collect();
    numbers
        .iter()
        .map(|&number| format!("{}\n", all[number]))
        .collect()
}

#[track_caller]
fn assert_reported(ran: &Ran, status: i32, message: &str) {
    assert_eq!(ran.status, status, "{}{}", ran.output, ran.errors);
    assert!(ran.errors.contains(message), "{}", ran.errors);
}

#[test]
fn units_add_up_to_the_count() {
    for (count, wanted) in [("1", 1), ("7", 7), ("16", 16), ("100000", 92)] {
        let units = units(count);
        assert_eq!(units.lines().count(), wanted);
        let ran = merge(&results(&units));
        let result = (ran.output.as_str(), ran.errors.as_str(), ran.status);
        assert_eq!(result, ("92\n", "", 0));
    }
    assert_eq!(units("9"), units("9"), "the division is always the same");
}

#[test]
fn units_are_counted_by_several_threads() {
    let ran = run_in(
        &std::env::temp_dir(),
        &["count", "--unit-stdin", "-j", "3"],
        &units("3"),
    );
    assert_eq!(merge(&ran.output).output, "92\n");
}

#[test]
fn slices_are_the_units() {
    let folder = folder();
    let slices: String = (1..=5)
        .map(|slice| {
            let slice = format!("{slice}/5");
            let count = [
                "count",
                "--slice",
                &slice,
                "-g",
                "queens(8, _).",
                "queens.pl",
            ];
            let ran = run_in(&folder.0, &count, "");
            assert_eq!((ran.errors.as_str(), ran.status), ("", 0));
            ran.output
        })
        .collect();
    assert_eq!(merge(&slices).output, "92\n");
    for wrong in ["0/5", "6/5", "5", "a/b", "1/0", "1/4294967296"] {
        let ran = run_in(&folder.0, &["count", "--slice", wrong, "-g", "true"], "");
        assert_reported(&ran, 2, "expected UNIT/UNITS, such as 3/16");
    }
    // A search without choices is one unit.
    let ran = run_in(&folder.0, &["count", "--slice", "2/5", "-g", "true"], "");
    assert_eq!((ran.output.as_str(), ran.status), ("", 0));
}

#[test]
fn missing_and_repeated_results_are_reported() {
    let units = units("16");
    let all = results(&units);
    let ran = merge(&lines(
        &all,
        &[0, 1, 2, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    ));
    assert_reported(&ran, 1, "units 4, 7 of 16 are missing");
    assert_eq!(ran.output, "");
    assert_reported(&merge(&lines(&all, &[3])), 1, "units 1, 2, 3, 5, 6");
    assert_reported(&merge(""), 1, "there are no results to add up");
    let ran = merge(&(all.clone() + &lines(&all, &[5])));
    assert_reported(
        &ran,
        0,
        "standard input:17: unit 6 was counted before, at standard input:6",
    );
    assert_eq!(ran.output, "92\n");
    let (head, tail) = all.rsplit_once("\"count\":").expect("a count");
    let other = format!("{head}\"count\":7{tail}");
    let ran = merge(&(all.clone() + &lines(&other, &[15])));
    assert_reported(&ran, 1, "standard input:17: unit 16 has 7");
    // A line that is cut off.
    let cut = &all[..all.len() - 30];
    let ran = merge(cut);
    assert_reported(&ran, 1, "standard input:16: this is not a result");
    assert_reported(&ran, 1, "unit 16 of 16 is missing");
    let others = results(&self::units("4"));
    let ran = merge(&(all + &others));
    assert_reported(
        &ran,
        2,
        "standard input:17: this result belongs to another count than standard input:1",
    );
}

#[test]
fn missing_units_can_be_counted_later() {
    let folder = Folder::new();
    let units = units("6");
    folder.file("units.jsonl", &units);
    let some = results(&lines(&units, &[4, 0, 2]));
    folder.file("some.jsonl", &(some + "{\"unit\":2,\"of"));
    let missing = ["merge", "--missing", "units.jsonl", "some.jsonl"];
    let ran = run_in(&folder.0, &missing, "");
    assert_reported(&ran, 0, "some.jsonl:4: this is not a result");
    assert_eq!(ran.output, lines(&units, &[1, 3, 5]));
    folder.file("rest.jsonl", &results(&ran.output));
    let ran = run_in(&folder.0, &["merge", "some.jsonl", "rest.jsonl"], "");
    assert_eq!((ran.output.as_str(), ran.status), ("92\n", 0));
    let ran = run_in(&folder.0, &["merge", "some.jsonl", "none.jsonl"], "");
    assert_reported(&ran, 2, "none.jsonl");
    let ran = run_in(&folder.0, &["merge", "--missing", "rest.jsonl"], "");
    assert_reported(&ran, 2, "rest.jsonl");
}

#[test]
fn a_unit_whose_process_was_killed_is_counted_again() {
    let units = units("4");
    let folder = folder();
    let split = ["split", "-g", "slow", "--units", "1", "queens.pl"];
    let endless = run_in(&folder.0, &split, "").output;
    folder.file("units.jsonl", &(lines(&units, &[0, 1]) + &endless));
    let input = std::fs::File::open(folder.0.join("units.jsonl")).expect("a file");
    let mut worker = Command::new(env!("CARGO_BIN_EXE_wamlet"))
        .args(["count", "--unit-stdin"])
        .stdin(input)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let out = worker.stdout.take().expect("a pipe");
    let mut read = std::io::BufReader::new(out);
    let mut done = String::new();
    for _ in 0..2 {
        std::io::BufRead::read_line(&mut read, &mut done).expect("a result");
    }
    // The process is at the unit that never ends.
    worker.kill().expect("it runs");
    worker.wait().expect("it ends");
    let again = results(&lines(&units, &[1, 2, 3]));
    let ran = merge(&(done + &again));
    assert_reported(&ran, 0, "unit 2 was counted before");
    assert_eq!(ran.output, "92\n");
}

/// Returns damaged copies of a unit, each with its message.
fn damaged(line: &str) -> Vec<(String, &'static str)> {
    vec![
        (
            "nonsense".to_owned(),
            "this is not a unit: it is not a JSON object",
        ),
        ("[]".to_owned(), "this is not a unit"),
        ("{}".to_owned(), "it has no member `format`"),
        (
            line.replace("\"format\":1", "\"format\":2"),
            "this unit has format 2",
        ),
        (
            line.replace("\"format\":1", "\"format\":\"1\""),
            "this is not a unit: the value that ends at byte 13 is wrong",
        ),
        (
            line.replace("\"unit\":1", "\"unit\":3"),
            "there is no unit 3 of 2",
        ),
        (
            line.replace("\"unit\":1", "\"unit\":0"),
            "there is no unit 0 of 2",
        ),
        (
            line.replace("\"unit\":1", "\"unit\":2"),
            "the checksum of its parts is wrong",
        ),
        (
            line.replace("\"unit\":1", "\"unit\":-1"),
            "the value that ends at byte 21 is wrong",
        ),
        (
            line.replace("\"unit\":1", "\"unit\":99999999999999999999"),
            "not a unit",
        ),
    ]
}

/// Units with other damage, and the message about each.
fn damaged_inside(line: &str) -> Vec<(String, &'static str)> {
    let sum = line.find("\"sum\":\"").expect("a sum") + 7;
    let image = line.find("\"image\":\"").expect("an image") + 9;
    vec![
        (
            line.replace("\"of\":2", "\"of\":3"),
            "the fingerprint does not fit",
        ),
        (
            line.replace("queens(8", "queens(9"),
            "the fingerprint does not fit",
        ),
        (
            line.replace("\"parts\":[[", "\"parts\":[[[0,4,1,1],"),
            "a part of it has no branches",
        ),
        (
            line.replace("\"parts\":[[", "\"parts\":[[[0,4,1,2],"),
            "the checksum of its parts is wrong",
        ),
        (
            line.replace("\"parts\":[[", "\"parts\":[[[0,4,1],"),
            "is wrong",
        ),
        (
            line.replace("\"goal\"", "\"gaol\""),
            "it has an unknown member `gaol`",
        ),
        (
            line.replace("\"reading\":\"plain\"", "\"reading\":\"odd\""),
            "is wrong",
        ),
        (
            line[..line.len() / 2].to_owned(),
            "the line is incomplete: it ends at byte",
        ),
        (
            format!("{}0{}", &line[..sum], &line[sum..]),
            "the checksum of its parts is wrong",
        ),
        (
            format!("{}A{}", &line[..image], &line[image..]),
            "is not in base64",
        ),
        (
            format!("{}AAAA{}", &line[..image], &line[image..]),
            "the fingerprint does not fit",
        ),
        (
            "{\"unit\":1,\"of\":1,\"fingerprint\":\"f\",\"count\":1}".to_owned(),
            "this is a result, not a unit; add results up with wamlet merge",
        ),
        (
            format!("{}{}{}", "[".repeat(100_000), line, "]".repeat(100_000)),
            "not a unit",
        ),
    ]
}

#[test]
fn damaged_units_are_refused_with_their_line() {
    let units = units("2");
    let line = lines(&units, &[0]);
    for (damaged, message) in damaged(&line).into_iter().chain(damaged_inside(&line)) {
        let input = format!("\n{damaged}\n{}", lines(&units, &[1]));
        let ran = run_in(&std::env::temp_dir(), &["count", "--unit-stdin"], &input);
        assert_reported(&ran, 2, "standard input:2: ");
        assert_reported(&ran, 2, message);
        assert_eq!(ran.output.lines().count(), 1, "the other unit is counted");
    }
}

#[test]
fn units_and_results_are_not_mistaken_for_each_other() {
    let units = units("2");
    let first = lines(&units, &[0]);
    let ran = merge(&first);
    let message = "standard input:1: this is a unit, not a result; count units with";
    assert_reported(&ran, 1, message);
    for (line, message) in [
        (
            "{\"unit\":1}",
            "this is not a result: it has no member `of`",
        ),
        (
            "{\"unit\":1,}",
            "this is not a result: byte 11 is not valid JSON",
        ),
        (
            "{\"unit\":1,\"unit\":1}",
            "this is not a result: it has the member `unit` twice",
        ),
    ] {
        assert_reported(&merge(line), 1, message);
    }
}

#[test]
fn an_input_without_units_is_warned_of() {
    let ran = run_in(&std::env::temp_dir(), &["count", "--unit-stdin"], "");
    let message = "Warning: standard input has no units; make units with wamlet split";
    assert_reported(&ran, 0, message);
}

/// Numbers that are none, or out of range.
#[test]
fn wrong_numbers_are_reported() {
    let folder = folder();
    for (args, message) in [
        (
            &["count", "-j", "x", "-g", "true"][..],
            "'x' for '-j <THREADS>': expected a whole number from 1 to 1024",
        ),
        (
            &["split", "-g", "true", "--units", "999999999999"],
            "'--units <UNITS>': expected a whole number from 1 to 100000",
        ),
        (
            &["split", "-g", "true", "--units", "0"],
            "'--units <UNITS>': expected a whole number from 1 to 100000",
        ),
        (
            &["count", "--max-steps", "1.5", "-g", "true"],
            "'--max-steps <INFERENCES>': expected a whole number",
        ),
    ] {
        assert_reported(&run_in(&folder.0, args, ""), 2, message);
    }
}

#[test]
fn a_goal_that_halts_has_no_count() {
    let folder = folder();
    let message = "ERROR: halt/1 or a signal ended the work; there is no result";
    for (goal, status) in [("halt", 2), ("halt(3)", 3)] {
        let ran = run_in(&folder.0, &["count", "-g", goal], "");
        assert_reported(&ran, status, message);
        assert_eq!(ran.output, "");
    }
}

#[test]
fn damaged_results_cause_warnings_with_their_line() {
    for damaged in [
        "{\"unit\":1,\"of\":2,\"fingerprint\":\"f\",\"count\":-1}",
        "{\"unit\":1,\"of\":2,\"fingerprint\":\"f\",\"count\":1.5}",
        "{\"unit\":1,\"of\":2,\"fingerprint\":\"f\",\"count\":1e400}",
        "{\"unit\":1,\"of\":2,\"fingerprint\":\"f\"}",
        "{\"unit\":1,\"of\":0,\"fingerprint\":\"f\",\"count\":1}",
    ] {
        assert_reported(&merge(damaged), 1, "Warning: standard input:1: ");
    }
}

#[test]
fn exceptions_are_results_of_units() {
    let folder = folder();
    folder.file(
        "bad.pl",
        "p(X) :- between(1, 9, X), ( X =:= 9 -> throw(nine) ; true ).\n",
    );
    folder.file("wrong.pl", "p(.\n");
    for (goal, file, status, message) in [
        ("p(_)", "bad.pl", 2, "nine"),
        ("q(_)", "bad.pl", 2, "q/1"),
        ("p(", "bad.pl", 2, "goal:1:"),
        ("halt", "bad.pl", 2, "effect"),
        ("p(_)", "wrong.pl", 1, "Wamlet counted nothing"),
        ("p(_)", "none.pl", 2, "none.pl"),
        ("p(_)", "a.ll", 2, "only a Prolog text can have an image"),
    ] {
        let ran = run_in(&folder.0, &["split", "-g", goal, "--units", "3", file], "");
        assert_reported(&ran, status, message);
        assert_eq!(ran.output, "");
    }
    // A unit has an exception as its result if its count raises one, here at the limit of inferences.
    let units = units("2");
    let limited = ["count", "--unit-stdin", "--max-steps", "100"];
    let ran = run_in(&folder.0, &limited, &units);
    assert_reported(&ran, 3, "limit");
    let merged = merge(&ran.output);
    assert_reported(&merged, 2, "standard input:1: unit 1 ended with an error: ");
    // Units that are counted again have a result.
    let again = merge(&(ran.output + &results(&units)));
    assert_eq!((again.output.as_str(), again.errors.as_str()), ("92\n", ""));
}

#[test]
fn large_counts_and_readings_are_kept() {
    let folder = Folder::new();
    let program =
        "all(X) :- numlist(1, 20, L), member(X, L), between(1, 1000000000000000000, _).\n";
    folder.file("all.pl", program);
    let split = ["split", "-g", "all(_)", "--units", "9", "all.pl"];
    let units = run_in(&folder.0, &split, "");
    let ran = merge(&results(&units.output));
    let result = (ran.output.as_str(), ran.errors.as_str());
    assert_eq!(result, ("20000000000000000000\n", ""));
    let goal = "\"ab\" = [_, _], member(_, [a, b])";
    let split = ["split", "--traditional", "-g", goal, "--units", "2"];
    let units = run_in(&folder.0, &split, "");
    assert_eq!(merge(&results(&units.output)).output, "2\n");
}

#[test]
fn output_of_programs_does_not_disturb_the_lines() {
    let folder = Folder::new();
    folder.file("loud.pl", ":- write(loading), nl.\np(1).\np(2).\n");
    let ran = run_in(
        &folder.0,
        &["split", "-g", "p(X), X > 0", "--units", "2", "loud.pl"],
        "",
    );
    assert!(ran.errors.contains("loading"), "{}", ran.errors);
    assert!(!ran.output.contains("loading"), "{}", ran.output);
    let ran = run_in(&folder.0, &["count", "--unit-stdin"], &ran.output);
    assert!(ran.errors.contains("loading"), "{}", ran.errors);
    assert_eq!(merge(&ran.output).output, "2\n");
}

#[test]
fn a_closed_output_is_no_error() {
    let folder = Folder::new();
    let mut child = Command::new(env!("CARGO_BIN_EXE_wamlet"))
        .args(["count", "--unit-stdin"])
        .current_dir(&folder.0)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    drop(child.stdout.take());
    let mut input = child.stdin.take().expect("a pipe");
    // The process ends at its first result, and reads no more.
    let _ = std::io::Write::write_all(&mut input, units("8").as_bytes());
    drop(input);
    let ran = child.wait_with_output().expect("the command ends");
    let errors = String::from_utf8_lossy(&ran.stderr);
    assert_eq!((&*errors, ran.status.code()), ("", Some(0)));
}

#[test]
fn a_later_branch_may_cut_older_branches() {
    let folder = Folder::new();
    let text = "some(X) :- ( between(1, 3, X) ; member(X, [3, 4]), !, ( X = 3, between(1, 2, _) ; true ) ).\nsome(7).\n";
    folder.file("cut.pl", text);
    let split = ["split", "-g", "some(_)", "--units", "7", "cut.pl"];
    let units = run_in(&folder.0, &split, "").output;
    assert!(units.lines().count() > 1);
    assert_eq!(merge(&results(&units)).output, "6\n");
}
