//! Arguments of the command: files, the standard input, arguments of the program, and mistakes in them.
#![cfg(feature = "cli")]

#[path = "support/process.rs"]
mod process;

use std::path::Path;

use process::{Folder, run_in};

#[test]
fn the_first_file_may_have_any_name() {
    let folder = Folder::new();
    let text = ":- initialization(main, main).\nmain(Words) :- print(Words), nl.\n";
    // A file other than the one without an extension.
    folder.file("hello.pl", ":- initialization((write(wrong), nl)).\n");
    for name in ["hello", "hello.txt", "user", "test.d", "-x"] {
        folder.file(name, text);
        let path = if name == "-x" { "./-x" } else { name };
        let ran = run_in(&folder.0, &[path, "hello.txt", "-q"], "write(query), nl.\n");
        assert_eq!(
            (ran.output.as_str(), ran.status),
            ("['hello.txt','-q']\n", 0),
            "{name}"
        );
    }
}

#[test]
fn an_argument_that_is_no_file_is_an_error() {
    let folder = Folder::new();
    folder.file("x.pl", "p.\n");
    std::fs::create_dir(folder.0.join("sub")).unwrap();
    for (args, message) in [
        (
            &["run", "x.pl"][..],
            "tip: load that program with wamlet x.pl",
        ),
        (&["x"], "did you mean the file x.pl?"),
        (
            &["-g", "p", "progam.txt"],
            "progam.txt is neither a file nor a subcommand",
        ),
        (&["sub"], "sub is a directory"),
        (&["tset"], "did you mean the subcommand test?"),
    ] {
        let ran = run_in(&folder.0, args, "");
        assert_eq!((ran.status, ran.output.as_str()), (2, ""), "{args:?}");
        assert!(ran.errors.contains(message), "{}", ran.errors);
    }
}

#[test]
fn the_standard_input_may_be_the_program() {
    let ran = run_in(
        Path::new("."),
        &["-g", "forall(p(X), print(X))", "-", "a"],
        "p(1).\np(2).\n",
    );
    assert_eq!((ran.output.as_str(), ran.status), ("12", 0));
    let main = "#!/usr/bin/env wamlet '\n:- initialization(main, main).\nmain(Words) :- print(Words), nl.\n";
    let ran = run_in(Path::new("."), &["-", "a", "b.pl"], main);
    assert_eq!((ran.output.as_str(), ran.status), ("[a,'b.pl']\n", 0));
    let ran = run_in(Path::new("."), &["-g", "true", "-"], "p(1) :- .\n");
    assert_eq!(ran.status, 1);
}

#[test]
fn missing_tests_fail() {
    let folder = Folder::new();
    folder.file("none.pl", "p.\n");
    let unit = ":- begin_tests(s).\ntest(one) :- GOAL.\n:- end_tests(s).\n";
    folder.file("good.plt", &unit.replace("GOAL", "true"));
    folder.file("bad.plt", &unit.replace("GOAL", "fail"));
    folder.file("left.plt", &unit.replace("(one)", "(one, condition(fail))"));
    let goal = "use_module(library(plunit)), run_tests";
    for (args, status) in [
        (&[][..], 1),
        (&["none.pl"], 1),
        (&["good.plt"], 0),
        (&["none.pl", "good.plt"], 0),
        (&["bad.plt"], 1),
        (&["left.plt"], 0),
    ] {
        let args = [&["-g", goal], args].concat();
        assert_eq!(run_in(&folder.0, &args, "").status, status, "{args:?}");
    }
    let none = "use_module(library(plunit)), run_tests(s:two)";
    assert_eq!(run_in(&folder.0, &["-g", none, "good.plt"], "").status, 1);
}
