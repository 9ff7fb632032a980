//! Messages of loading. Each `NAME.errors` in `tests/cases` is the standard error output of the command when it loads
//! `NAME.pl`, or `NAME.ll` of Lolli. `NAME.json`, if it exists, is the output with `--json`. `UPDATE_GOLDEN=1 cargo test
//! --test messages` writes both files.
#![cfg(feature = "cli")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

#[path = "support/process.rs"]
#[allow(dead_code, reason = "each test program uses a part")]
mod process;

use process::{Folder, run_in};

/// Returns the messages of the command for a program, with these options. The session has no queries, and runs the main
/// goal of the program.
fn messages(folder: &Path, options: &[&str], name: &str) -> String {
    let ran = Command::new(env!("CARGO_BIN_EXE_wamlet"))
        .args(options)
        .arg(name)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .expect("the command runs");
    String::from_utf8_lossy(&ran.stderr).into_owned()
}

/// Returns the text with variables as `_`, because their numbers may change.
fn without_numbers(text: &str) -> String {
    let mut parts = text.split('_');
    let mut result = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        result.push('_');
        result.push_str(part.trim_start_matches(|c: char| c.is_ascii_digit()));
    }
    result
}

/// Returns the files under a folder.
fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder of cases");
    let paths = entries.map(|entry| entry.expect("an entry of the folder").path());
    let files = paths.flat_map(|path| match path.is_dir() {
        true => files_in(&path),
        false => vec![path],
    });
    files.collect()
}

#[test]
fn messages_are_those_of_the_files() {
    let update = std::env::var_os("UPDATE_GOLDEN").is_some();
    let cases = files_in(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases"));
    let (mut count, mut for_programs) = (0, 0);
    let mut wrong = String::new();
    let mut compare = |file: &Path, got: &str, wanted: &str| match got == wanted {
        true => {}
        false if update => std::fs::write(file, got).expect("the file is written"),
        false => wrong.push_str(&format!("{}:\n{got}", file.display())),
    };
    for errors in cases
        .iter()
        .filter(|path| path.extension() == Some("errors".as_ref()))
    {
        count += 1;
        let programs = ["pl", "ll"].map(|ending| errors.with_extension(ending));
        let program = programs.iter().find(|program| program.exists());
        let program = program.unwrap_or_else(|| panic!("the program of {}", errors.display()));
        let name = program.file_name().and_then(|name| name.to_str());
        let name = name.expect("a name of a file");
        let folder = program.parent().expect("the folder of a file");
        let wanted = std::fs::read_to_string(errors).expect("the messages");
        compare(errors, &messages(folder, &[], name), &wanted);
        let json = errors.with_extension("json");
        if let Ok(wanted) = std::fs::read_to_string(&json) {
            for_programs += 1;
            let got = without_numbers(&messages(folder, &["--json"], name));
            compare(&json, &got, &wanted);
        }
    }
    assert!(wrong.is_empty(), "unexpected messages:\n{wrong}");
    assert!(count > 5 && for_programs > 1, "too few cases");
}

/// The messages for the table in docs/messages.md are as in its rows.
#[test]
fn mistakes_have_the_messages_of_the_manual() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join("docs/messages.md")).expect("the page");
    let (_, table) = page
        .split_once("## Mistakes of beginners")
        .expect("the table of the page");
    let folder = Folder::new();
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
        let ran = run_in(&folder.0, &["mistake.pl"], "");
        assert!(ran.errors.contains(message), "{mistake}:\n{}", ran.errors);
        count += 1;
    }
    assert!(count >= 20, "the table has {count} lines");
}

/// Tests a program of 300 lines without one of its quotes, at many places. The message points at the other quote of the
/// pair, and at most the clauses of two messages are lost.
#[test]
fn a_missing_quote_affects_few_clauses() {
    let clauses = [
        "p(N, 'an atom') :- write('It is'), nl.",
        "p(N, \"some text\") :- format(\"~w~n\", [N]).",
        "p(N, X) :-\n    atom_length('a name', X),\n    \\+ X = N.",
        "q(N) --> \"text\", ['token'], !.",
        "% It doesn't matter.\np(N, `codes`).",
        "p(N, 'over\nlines').",
        ":- dynamic r/N.",
    ];
    let lines: Vec<String> = (1..=30)
        .flat_map(|n| clauses.map(|clause| clause.replace('N', &n.to_string())))
        .collect();
    let program = lines.join("\n") + "\n";
    assert!(program.lines().count() >= 300);
    let quotes = program.match_indices(['\'', '"', '`']).map(|(at, _)| at);
    let folder = Folder::new();
    for (nth, at) in quotes.enumerate() {
        // One of each clause, at different places of the program.
        let line = program[..at].matches('\n').count();
        if nth % 31 != 0
            || program
                .lines()
                .nth(line)
                .is_some_and(|line| line.starts_with('%'))
        {
            continue;
        }
        let mut text = program.clone();
        text.remove(at);
        folder.file("quote.pl", &text);
        let ran = run_in(
            &folder.0,
            &["-g", "halt", "--no-warn", "discontiguous", "quote.pl"],
            "",
        );
        let errors: Vec<&str> = ran
            .errors
            .lines()
            .filter(|line| line.contains(": error: "))
            .collect();
        assert!((1..=2).contains(&errors.len()), "{}", ran.errors);
        let first = errors[0]
            .split(':')
            .nth(1)
            .and_then(|line| line.parse::<usize>().ok());
        assert!(
            first.is_some_and(|first| first.abs_diff(line + 1) <= 1),
            "line {}: {}",
            line + 1,
            ran.errors
        );
    }
}

/// If a limit ends an expansion, the error names the expanded clause, even if the hook is in another file.
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
    for (text, limit, wanted) in [
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
            assert!(ran.errors.contains(wanted), "{text}{file}: {}", ran.errors);
        }
    }
}
/// If a limit ends an endless recursion, the error shows the arguments of its goals, without any earlier request.
#[test]
fn a_goal_that_exceeds_a_limit_is_shown_with_its_arguments() {
    let folder = Folder::new();
    let program = "fact(0, 1) :- fail.\n\
        fact(N, F) :- M is N - 1, fact(M, G), F is N * G.\n\
        tail(N, [N|T]) :- M is N - 1, tail(M, T).\n\
        tried(N) :- M is N - 1, tried(M).\n\
        tried(_).\n\
        wide(T, N) :- M is N - 1, wide(f(T, T, [N]), M), true.\n";
    folder.file("endless.pl", program);
    let limits: [&[&str]; 2] = [&["--max-memory", "16m"], &["--timeout", "0.2"]];
    for debug in ["", "debug, "] {
        for limit in limits {
            for goal in ["fact(3, _)", "tail(3, _)", "tried(3)", "wide(a, 3)"] {
                let asked = format!("{debug}{goal}");
                let options = [limit, &["-q", "-g", &asked, "endless.pl"]].concat();
                let ran = run_in(&folder.0, &options, "");
                let (name, _) = goal.split_once('(').expect("a goal with arguments");
                let goals: Vec<&str> = ran
                    .errors
                    .lines()
                    .filter(|line| line.starts_with("  called "))
                    .filter(|line| line.contains(&format!("{name}(")) && line.contains('-'))
                    .collect();
                assert!(!goals.is_empty(), "{limit:?} {asked}:\n{}", ran.errors);
                assert!(goals.iter().all(|line| line.len() < 300), "{goals:?}");
            }
        }
    }
}

/// In random programs, an argument of each goal lists the goals that led to it. `backtrace/1` must show the same.
#[test]
fn backtraces_of_random_programs_match_their_arguments() {
    let mut compared = 0;
    for seed in 1..=40 {
        let folder = Folder::new();
        folder.file("random.pl", &random_program(seed));
        let ran = run_in(&folder.0, &["-q", "-g", "debug, run", "random.pl"], "");
        let mut wanted: Vec<&str> = Vec::new();
        let mut reported: Vec<(&str, usize)> = Vec::new();
        for line in ran.errors.lines().chain(["= end"]) {
            if let Some(goals) = line.strip_prefix("= ") {
                let same = agree(&wanted, &reported);
                assert!(
                    same,
                    "seed {seed}: {wanted:?}, {reported:?}\n{}",
                    ran.errors
                );
                compared += usize::from(!reported.is_empty());
                wanted = goals.split_whitespace().collect();
                reported.clear();
            } else if let Some(goal) = line.strip_prefix("  called by ")
                && let Some((goal, rest)) = goal.split_once(',')
            {
                let times = rest
                    .strip_suffix(" times")
                    .and_then(|rest| rest.rsplit(' ').next());
                reported.push((
                    goal,
                    times.map_or(1, |times| times.parse().expect("a number")),
                ));
            }
        }
    }
    assert!(compared > 300, "{compared} backtraces are compared");
}

/// Returns whether these goals, innermost first, are those of at most ten lines of a backtrace. A line may combine
/// several goals of a predicate.
fn agree(goals: &[&str], lines: &[(&str, usize)]) -> bool {
    let mut rest = goals;
    for &(goal, times) in lines {
        let name = |goal: &str| goal.split('(').next().map(str::to_owned);
        if rest.len() < times
            || rest[0] != goal
            || rest[..times].iter().any(|other| name(other) != name(goal))
        {
            return false;
        }
        rest = &rest[times..];
    }
    rest.is_empty() || lines.len() == 10
}

/// Returns a program in which each goal has its depth and the goals that led to it as arguments.
fn random_program(seed: u64) -> String {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut below = move |end: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 20) % end
    };
    let mut text = ":- style_check(-singleton).\nrun :- nb_setval(left, 60), ( p0(0, []) -> true ; true ).\n\
        told(C) :- nb_getval(left, N), ( N =:= 0 -> halt ; M is N - 1, nb_setval(left, M) ),\n    \
        write(user_error, =), forall(member(G, C), format(user_error, \" ~w\", [G])), nl(user_error).\n\
        leaf(_, C) :- told(C), backtrace(30).\n\
        nothing.\n\
        twice.\ntwice.\n"
        .to_owned();
    for predicate in 0..6 {
        for _ in 0..2 {
            let mut body = Vec::new();
            for _ in 0..1 + below(3) {
                let goal = match below(4) {
                    0 => "leaf(E, ['leaf(E'|C1])".replace("'leaf(E'", "L"),
                    _ => format!("p{}(E, C1)", below(6)),
                };
                body.push(match below(12) {
                    0 => format!("call({goal})"),
                    1 => format!("findall(x, {goal}, _)"),
                    2 => format!("catch({goal}, none, true)"),
                    3 => format!("( {goal} ; nothing )"),
                    4 => format!("( \\+ {goal} -> nothing ; {goal} )"),
                    5 => format!("twice, {goal}"),
                    6 => format!("G = {goal}, G"),
                    7 => "nothing, fail".to_owned(),
                    8 => format!("forall({goal}, nothing)"),
                    _ => goal,
                });
            }
            text.push_str(&format!(
                "p{predicate}(D, C) :- D < 7, E is D + 1, own(p{predicate}, D, C, C1), own(leaf, E, [], [L]), {}.\n",
                body.join(", ")
            ));
        }
        text.push_str(&format!("p{predicate}(_, _).\n"));
    }
    text.push_str("own(P, D, C, [G|C]) :- format(atom(G), \"~w(~w\", [P, D]).\n");
    text
}
