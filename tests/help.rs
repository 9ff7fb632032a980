//! `help/1`, `apropos/1`, `make/0` and `edit/1`, as users run them at the prompt.
#![cfg(feature = "cli")]

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

#[path = "support/process.rs"]
mod process;

use process::{Folder, Ran, run_in};

fn session(input: &str) -> Ran {
    run_in(&std::env::temp_dir(), &["-q"], input)
}

#[test]
fn help_shows_the_comments_of_predicates() {
    let ran = session("help(append/3).\n");
    let shown = "append(?Xs, ?Ys, ?Zs)\n    library(lists)\n\n    True if Zs is Xs followed by Ys.\n\n    \
         ?- append([a,b], Ys, [a,b,c,d]).\n    Ys = [c, d].\n\n";
    assert!(ran.output.starts_with(shown), "{}", ran.output);
    assert_eq!(ran.errors, "");
    let all = session("help(append).\n").output;
    for heading in [
        "append(?Xs, ?Ys, ?Zs)",
        "append(+Lists, ?List)",
        "append(+sink)",
    ] {
        assert!(all.contains(heading), "{heading}: {all}");
    }
    let builtin = session("help(atom_length/2).\n").output;
    assert!(
        builtin.starts_with("atom_length(+atom, ?integer)\n    builtin; cannot be redefined\n")
    );
    assert!(
        session("help(blanks//0).\n")
            .output
            .contains("library(dcg/basics)")
    );
    assert!(session("help.\n").output.contains("apropos(Text)"));
}

#[test]
fn help_of_a_library_is_its_predicates() {
    let lists = session("help(lists).\n");
    assert!(lists.output.contains("\nreverse/2 "), "{}", lists.output);
    assert_eq!(lists.errors, "");
    assert_eq!(lists.output, session("help(library(lists)).\n").output);
    assert!(
        session("help(library(dcg/basics)).\n")
            .output
            .contains("\nblanks/2 ")
    );
    assert!(session("help(clpfd).\n").output.contains("\ntranspose/2 "));
    assert!(
        session("help(recorded/2).\n")
            .output
            .starts_with("recorded(?Key, ?Term)\n")
    );
}

/// Every system predicate that a program sees is documented, control constructs and directives too.
#[test]
fn every_predicate_of_the_system_is_documented() {
    let ran = session(
        "predicate_property(system:Head, visible), functor(Head, Name, Arity), \\+ sub_atom(Name, 0, _, _, $), \
         with_output_to(string(_), help(Name/Arity)), fail.\n",
    );
    assert_eq!(
        (ran.output.as_str(), ran.errors.as_str()),
        ("false.\n\n", "")
    );
    for (what, begins) in [
        (
            "findall/3",
            "findall(?Template, :Goal, -List)\n    builtin; cannot be redefined\n",
        ),
        (
            "catch",
            "catch(:Goal, ?Catcher, :Recovery)\n    builtin; cannot be redefined\n",
        ),
        ("call", "call(:Goal)\ncall(:Goal, ?A1)\n"),
        ("!", "!\n"),
        ("','", "','(:First, :Second)\n"),
        ("(->)/2", "->(:If, :Then)\n"),
        ("module/2", "module(+Name, +Exports)\n"),
        ("else", "else\n"),
    ] {
        let shown = session(&format!("help({what}).\n")).output;
        assert!(shown.starts_with(begins), "{what}: {shown}");
    }
}

#[test]
fn unknown_names_are_reported_with_similar_names() {
    for (query, message) in [
        (
            "help(lenght).",
            "there is no documentation of lenght; did you mean length/2?",
        ),
        (
            "help(append/7).",
            "there are append/1, append/2 and append/3",
        ),
        (
            "help(zzsort/3).",
            "there is no documentation of zzsort/3; did you mean msort/2, sort/2 or sort/4?",
        ),
        (
            "help(library(no_such)).",
            "library `no_such' does not exist",
        ),
        (
            "help(no_such_name_at_all).",
            "search descriptions with apropos(Text)",
        ),
        (
            "apropos(no_such_word_at_all).",
            "no name or description contains no_such_word_at_all",
        ),
        ("help(3).", "Type error: `predicate_indicator' expected"),
        ("help(_).", "Arguments are not sufficiently instantiated"),
        ("edit(_).", "Arguments are not sufficiently instantiated"),
        (
            "edit(no_such_name_at_all).",
            "`no_such_name_at_all' does not exist",
        ),
        ("edit.", "no file is loaded"),
    ] {
        let ran = session(&format!("{query}\n"));
        assert!(ran.errors.contains(message), "{query}: {}", ran.errors);
    }
}

#[test]
fn descriptions_are_searched() {
    let found = session("apropos(subsumes).\n").output;
    let lines: Vec<&str> = found.lines().collect();
    assert!(lines[0].starts_with("subsumes/2 "), "{found}");
    let last = lines
        .iter()
        .position(|line| line.starts_with("subsumes_term/2 "));
    let other = lines
        .iter()
        .position(|line| line.starts_with("term_subsumer/3 "));
    assert!(last.is_some() && last < other, "{found}");
    assert_eq!(found, session("apropos('SUBSUMES').\n").output);
}

/// The output of `put_char('\x1\').`, which separates the answers of two examples.
const BETWEEN: &str = "\u{1}\ntrue.\n\n";

/// Returns the text of a line of a comment, and the characters before it.
fn commented(line: &str) -> Option<(&str, &str)> {
    let text = match line.strip_prefix('%') {
        Some(text) => text.trim_start(),
        None => line.trim_start().strip_prefix("///")?.trim_start(),
    };
    Some(line.split_at(line.len() - text.len()))
}

/// Returns the output of the session for each query, without locations and marks of errors. All queries of
/// a comment run in one session. Each gives as many answers as the comment shows.
fn answers(folder: &Path, examples: &[(&str, usize)]) -> Vec<Vec<String>> {
    let path = folder.join("shown");
    let file = File::create(&path).expect("a writable folder");
    let both = file.try_clone().expect("the file once more");
    let mut child = Command::new(env!("CARGO_BIN_EXE_wamlet"))
        .arg("-q")
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(file)
        .stderr(both)
        .spawn()
        .expect("the command starts");
    let mut input = child.stdin.take().expect("a pipe");
    for (query, more) in examples {
        let more = ";\n".repeat(*more);
        writeln!(input, "{query}\n{more}put_char('\\x1\\').").expect("an input");
    }
    drop(input);
    assert!(child.wait().expect("the command ends").success());
    let shown = std::fs::read_to_string(path).expect("the output");
    let place = |line: &str| line.find(|c: char| !c.is_ascii_digit() && c != ':' && c != ' ');
    let lines = |text: &str| {
        let shown = text.trim_end().lines();
        let excerpt = |line: &&str| {
            line.trim_start_matches([' ', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9'])
                .starts_with("| ")
        };
        let plain = |line: &str| match line.strip_prefix("user_input:") {
            Some(rest) => rest[place(rest).unwrap_or(0)..].to_owned(),
            None => line.to_owned(),
        };
        shown.filter(|line| !excerpt(line)).map(plain).collect()
    };
    let mut shown: Vec<_> = shown.split(BETWEEN).map(lines).collect();
    shown.truncate(examples.len());
    shown
}

/// Returns a comment with current answers below its examples. An example is a query after `?-`.
fn with_answers(folder: &Path, comment: &[&str], count: &mut usize) -> Vec<String> {
    let parts: Vec<(&str, &str)> = comment.iter().filter_map(|line| commented(line)).collect();
    let last = |at: usize| {
        let after = parts[at + 1..].iter();
        at + after
            .take_while(|(_, text)| !text.is_empty() && !text.starts_with("?- "))
            .count()
    };
    let is_query = |at: &usize| parts[*at].1.starts_with("?- ");
    let queries: Vec<usize> = (0..parts.len()).filter(is_query).collect();
    let asked = queries.iter().map(|&at| {
        let example = &parts[at..=last(at)];
        let more = example
            .iter()
            .filter(|(_, text)| text.ends_with(" ;"))
            .count();
        (&parts[at].1[3..], more)
    });
    let asked: Vec<(&str, usize)> = asked.collect();
    if asked.is_empty() {
        return comment.iter().map(|&line| line.to_owned()).collect();
    }
    *count += asked.len();
    let shown = answers(folder, &asked);
    let mut lines = Vec::new();
    let (mut at, mut number) = (0, 0);
    while at < comment.len() {
        lines.push(comment[at].to_owned());
        if is_query(&at) {
            let answer = shown.get(number).into_iter().flatten();
            lines.extend(answer.map(|line| format!("{}{line}", parts[at].0)));
            number += 1;
            at = last(at);
        }
        at += 1;
    }
    lines
}

/// Returns the files whose comments are the documentation of predicates.
fn documented() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut open = vec![root.join("prelude"), root.join("src")];
    let mut files = Vec::new();
    while let Some(path) = open.pop() {
        if path.is_dir() {
            let entries = std::fs::read_dir(&path).expect("a folder");
            open.extend(entries.map(|entry| entry.expect("an entry").path()));
        } else if path
            .extension()
            .is_some_and(|end| end == "pl" || end == "rs")
        {
            files.push(path);
        }
    }
    files.retain(|path| !path.ends_with("goal_places_tests.pl"));
    files.sort();
    files
}

/// The examples in the sources of the system show correct answers. After an intended change:
/// `UPDATE_GOLDEN=1 cargo test --test help examples`.
#[test]
fn examples_show_correct_answers() {
    let folder = Folder::new();
    let update = std::env::var_os("UPDATE_GOLDEN").is_some();
    let (mut count, mut wrong) = (0, String::new());
    for path in documented() {
        let text = std::fs::read_to_string(&path).expect("a text of the system");
        let lines: Vec<&str> = text.lines().collect();
        let mut anew = Vec::new();
        for block in lines.chunk_by(|a, b| commented(a).is_some() && commented(b).is_some()) {
            let answered = match commented(block[0]) {
                Some(_) => with_answers(&folder.0, block, &mut count),
                None => vec![block[0].to_owned()],
            };
            if answered != block {
                let (before, found) = (block.join("\n"), answered.join("\n"));
                wrong.push_str(&format!("{}:\n{before}\nis now\n{found}\n", path.display()));
            }
            anew.extend(answered);
        }
        if update && anew != lines {
            std::fs::write(&path, anew.join("\n") + "\n").expect("a writable file");
        }
    }
    assert!(update || wrong.is_empty(), "{wrong}");
    assert!(count >= 250, "{count} examples");
}

const FAMILY: &str = "\
parent(tom, bob).
parent(\"a text\", 1.5).
grand(X, Z) :- parent(X, Y), parent(Y, Z).
old(1).
:- table path/2.
path(X, Y) :- parent(X, Y).
";

const CHANGED: &str = "\
parent(tom, bob).
parent(\"a text\", 1.5).

grand(X, Z) :- parent(X, Y), parent(Y, Z), true.
sister(a, 100000000000000000000000).
:- table path/2.
path(X, Y) :- parent(Y, X).
";

#[test]
fn make_reports_changes() {
    let folder = Folder::new();
    folder.file("family.pl", FAMILY);
    folder.file("changed.pl", CHANGED);
    let copy = "open('changed.pl', read, In), read_string(In, _, Text), close(In), sleep(0.05), \
                open('family.pl', write, Out), write(Out, Text), close(Out), make.\n";
    let ran = run_in(
        &folder.0,
        &["family.pl"],
        &format!("make.\n{copy}path(bob, X).\n{copy}"),
    );
    assert_eq!(
        ran.errors,
        "% family.pl: reloaded\n\
         %   added: sister/2\n\
         %   changed: grand/2, path/2\n\
         %   removed: old/1\n\
         % family.pl: reloaded, with the same predicates\n"
    );
    assert!(ran.output.contains("X = tom."), "{}", ran.output);
}

/// Runs a session with an editor that prints its arguments and changes the program.
#[cfg(unix)]
fn edited(folder: &Folder, name: &str, query: &str) -> Ran {
    use std::os::unix::fs::PermissionsExt;
    let script = "#!/bin/sh\necho edits \"$@\"\nsleep 0.05\ncp changed.pl \"it's family.pl\"\n";
    let editor = folder.file(name, script);
    std::fs::set_permissions(&editor, PermissionsExt::from_mode(0o755)).expect("a program");
    let mut child = Command::new(env!("CARGO_BIN_EXE_wamlet"))
        .args(["-q", "it's family.pl"])
        .current_dir(&folder.0)
        .env_remove("VISUAL")
        .env("EDITOR", format!("{} -w", editor.display()))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut input = child.stdin.take().expect("a pipe");
    let _ = input.write_all(query.as_bytes());
    drop(input);
    let ended = child.wait_with_output().expect("the command ends");
    Ran {
        status: ended.status.code().unwrap_or(-1),
        output: String::from_utf8_lossy(&ended.stdout).into_owned(),
        errors: String::from_utf8_lossy(&ended.stderr).into_owned(),
    }
}

#[cfg(unix)]
#[test]
fn editors_open_at_the_predicate() {
    for (name, query, arguments) in [
        ("vim", "edit(grand/2).", "-w +3 "),
        ("vim", "edit(grand).", "-w +3 "),
        ("vim", "edit(user:parent/2).", "-w +1 "),
        ("vim", "edit.", "-w "),
        ("other", "edit(grand/2).", "-w "),
    ] {
        let folder = Folder::new();
        folder.file("it's family.pl", FAMILY);
        folder.file("changed.pl", CHANGED);
        let ran = edited(&folder, name, &format!("{query} sister(a, _).\n"));
        let first = ran.output.lines().next().unwrap_or_default();
        let rest = first.strip_prefix(&format!("edits {arguments}"));
        let whole =
            rest.is_some_and(|rest| rest.starts_with('/') && rest.ends_with("it's family.pl"));
        assert!(whole, "{query}: {first}\n{}", ran.errors);
        assert!(ran.output.ends_with("true.\n\ntrue.\n\n"), "{}", ran.output);
        assert_eq!(ran.status, 0);
    }
}
