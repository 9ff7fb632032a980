//! `help/1`, `apropos/1`, `make/0` and `edit/1`, as they are used at the prompt.
#![cfg(feature = "cli")]

use std::path::Path;
use std::process::{Command, Stdio};

#[path = "support/process.rs"]
mod process;

use process::{Folder, Ran, run_in};

fn session(input: &str) -> Ran {
    run_in(&std::env::temp_dir(), &["-q"], input)
}

#[test]
fn help_is_what_the_predicates_carry() {
    let ran = session("help(append/3).\n");
    let shown = "append(?Xs, ?Ys, ?Zs)\n    library(lists)\n\n    True when Zs is Xs followed by Ys.\n\n    \
         ?- append([a,b], Ys, [a,b,c,d]).\n    Ys = [c, d].\n\ntrue.\n\n";
    assert_eq!((ran.output.as_str(), ran.errors.as_str()), (shown, ""));
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

/// Every predicate that a program sees of the system is documented, control constructs and directives too.
#[test]
fn every_predicate_of_the_system_is_documented() {
    let ran = session(
        "predicate_property(system:Head, visible), functor(Head, Name, Arity), \\+ sub_atom(Name, 0, _, _, $), \
         '$help'(Name, Arity, []), print(Name/Arity), nl, fail.\n",
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
fn unknown_names_are_told_with_what_is_like_them() {
    for (query, message) in [
        (
            "help(lenght).",
            "nothing is known of lenght: did you mean length/2?",
        ),
        (
            "help(append/7).",
            "there are append/1, append/2 and append/3",
        ),
        (
            "help(no_such_name_at_all).",
            "apropos(Text) looks into descriptions",
        ),
        (
            "apropos(no_such_word_at_all).",
            "no description has no_such_word_at_all",
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

/// The examples in the texts of the system: a query after `?-`, and the answer that it has.
#[test]
fn examples_have_the_answers_that_they_tell() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("prelude");
    let (mut queries, mut wanted) = (String::new(), String::new());
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("the texts of the system") {
        let path = entry.expect("an entry").path();
        let Ok(text) = std::fs::read_to_string(path) else {
            continue;
        };
        let mut lines = text.lines().peekable();
        while let Some(line) = lines.next() {
            let Some(query) = line.strip_prefix("%  ?- ") else {
                continue;
            };
            count += 1;
            queries.push_str(&format!("{query}\n"));
            while let Some(answer) = lines.next_if(|line| line.starts_with("%  ")) {
                wanted.push_str(&format!("{}\n", &answer[3..]));
            }
            wanted.push('\n');
        }
    }
    let ran = session(&queries);
    assert_eq!((ran.output, ran.errors), (wanted, String::new()));
    assert!(count >= 8, "{count} examples");
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
fn make_tells_what_has_changed() {
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
        "% family.pl: loaded anew\n\
         %   added: sister/2\n\
         %   changed: grand/2, path/2\n\
         %   removed: old/1\n\
         % family.pl: loaded anew, with the same predicates\n"
    );
    assert!(ran.output.contains("X = tom."), "{}", ran.output);
}

/// Runs a session with an editor that tells its arguments and changes the program.
#[cfg(unix)]
fn edited(folder: &Folder, name: &str, query: &str) -> Ran {
    use std::io::Write;
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
fn editors_begin_where_the_predicate_does() {
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
