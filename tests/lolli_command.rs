//! The command as a session of Lolli: modules and goals as arguments, exit statuses, errors.
#![cfg(feature = "cli")]

#[path = "support/process.rs"]
mod process;

use process::{Folder, run_in};

const STORE: &str = "MODULE store Kind.\nLINEAR item Kind 1.\nLINEAR item Kind 2.\n";

#[test]
fn sessions_of_lolli() {
    let folder = Folder::new();
    folder.file("store.ll", STORE);
    folder.file("two.ll", "MODULE two.\np 1. p 2.\n");
    let ran = run_in(&folder.0, &["--lolli"], "two --o p X.\n;\n;\na -o a.\n");
    let text = "X_1 <- 1;\nX_1 <- 2;\nno\nsolved\nyes\n";
    assert_eq!((ran.status, ran.output.as_str()), (0, text));
    let ran = run_in(&folder.0, &["two.ll"], "p X.\np 2.\nbye.\n");
    let text = "X_1 <- 1\nyes\nsolved\nyes\nClosing Lolli. \n";
    assert_eq!((ran.status, ran.output.as_str()), (0, text));
    // Every query has the resources of the modules around it, and must use them all.
    let asked = "item red X.\nitem red X , item red Y.\n;\n;\n";
    let ran = run_in(&folder.0, &["--lolli", "two", "store red"], asked);
    assert!(ran.output.starts_with("no\nX_"), "{}", ran.output);
    assert_eq!(ran.output.matches(";\n").count(), 2);
}

#[test]
fn modules_need_their_arguments() {
    let folder = Folder::new();
    folder.file("store.ll", STORE);
    let ran = run_in(&folder.0, &["store.ll"], "");
    assert_eq!((ran.status, ran.output.as_str()), (2, ""));
    assert!(ran.errors.contains("1 parameter"), "{}", ran.errors);
    let ran = run_in(&folder.0, &["--lolli", "no_such"], "");
    assert_eq!(ran.status, 2);
    assert!(ran.errors.contains("no_such.ll"), "{}", ran.errors);
}

#[test]
fn goals_of_lolli() {
    let folder = Folder::new();
    folder.file("two.ll", "MODULE two.\np 1. p 2.\n");
    folder.file("bad.ll", "MODULE bad.\np 1\nq.\n(a , b).\n");
    let status = |args: &[&str]| run_in(&folder.0, args, "").status;
    assert_eq!(
        run_in(&folder.0, &["-g", "p X , write X", "two.ll"], "").output,
        "1"
    );
    assert_eq!(status(&["-g", "p 2", "two.ll"]), 0);
    assert_eq!(status(&["-g", "p 3", "two.ll"]), 1);
    assert_eq!(status(&["-g", "X is a", "two.ll"]), 2);
    assert_eq!(status(&["-g", "p 2 :-", "two.ll"]), 2);
    assert_eq!(status(&["-g", "true", "bad.ll"]), 2);
}

#[test]
fn counts_of_goals_of_lolli() {
    let folder = Folder::new();
    let text = "MODULE coins.\nLINEAR coin 1.\nLINEAR coin 2.\nLINEAR coin 3.\nall X Y Z :- coin X , coin Y , coin Z.\n";
    folder.file("coins.ll", text);
    folder.file("store.ll", STORE);
    folder.file("two.pl", "two(1). two(2).\n");
    for threads in ["1", "2"] {
        let count = |args: &[&str]| {
            let ran = run_in(
                &folder.0,
                &[&["count", "-j", threads, "-g"], args].concat(),
                "",
            );
            (ran.status, ran.output, ran.errors)
        };
        let counted = |args: &[&str], number: &str| {
            let (status, output, errors) = count(args);
            assert_eq!((status, &*output, &*errors), (0, number, ""), "{args:?}");
        };
        counted(&["all X Y Z", "coins.ll"], "6\n");
        counted(&["all X Y Z , two N.", "two.pl", "coins.ll"], "12\n");
        // Every solution must consume the assumptions of the module.
        counted(&["coin X", "coins.ll"], "0\n");
        counted(&["coin X , erase", "coins.ll"], "3\n");
        counted(&["coin 4 -o (coin X , erase)", "coins.ll"], "4\n");
        let failed = |args: &[&str], what: &str| {
            let (status, output, errors) = count(args);
            assert_eq!((status, &*output), (2, ""), "{args:?}");
            assert!(errors.contains(what), "{errors}");
        };
        failed(&["coin X ,", "coins.ll"], "goal:1:9: error: syntax error");
        failed(&["item red 1", "store.ll"], "1 parameter");
    }
    let ran = run_in(
        &folder.0,
        &["count", "-j", "2", "-g", "coin X , write X", "coins.ll"],
        "",
    );
    assert_eq!((ran.status, &*ran.output), (2, ""));
    assert!(
        ran.errors.contains("must not have effects"),
        "{}",
        ran.errors
    );
    let ran = run_in(
        &folder.0,
        &["split", "--units", "2", "-g", "coin X", "coins.ll"],
        "",
    );
    assert_eq!((ran.status, &*ran.output), (2, ""));
    assert!(
        ran.errors
            .contains("coins.ll: only a Prolog text can have an image"),
        "{}",
        ran.errors
    );
}

#[test]
fn folders_of_modules() {
    let folder = Folder::new();
    let inner = folder.0.join("inner");
    std::fs::create_dir(&inner).unwrap();
    std::fs::write(inner.join("one.ll"), "MODULE one.\nq X :- two --o p X.\n").unwrap();
    std::fs::write(inner.join("two.ll"), "MODULE two.\np 1. p 2.\n").unwrap();
    let asked = "two --o p 2.\n\n";
    assert_eq!(run_in(&folder.0, &["--lolli"], asked).output, "");
    assert_eq!(
        run_in(&folder.0, &["-L", "inner", "--lolli"], asked).output,
        "solved\nyes\n"
    );
    // Beside the file that names it.
    let ran = run_in(&folder.0, &["-g", "q 2", "inner/one.ll"], "");
    assert_eq!((ran.status, ran.errors.as_str()), (0, ""));
}

#[test]
fn a_changed_module_is_read_again() {
    let folder = Folder::new();
    folder.file("one.ll", "MODULE one.\np 1.\n");
    let asked = "one --o p X.\n\ntelling \"one.ll\" (write_sans \"MODULE one. p 22.\").\n\none --o p X.\n\n";
    let ran = run_in(&folder.0, &["--lolli"], asked);
    assert_eq!(ran.output, "X_1 <- 1\nyes\nsolved\nyes\nX_2 <- 22\nyes\n");
}

#[test]
fn options_and_modules_in_either_order() {
    let folder = Folder::new();
    folder.file("store.ll", STORE);
    let goal = "item X 1 , item X 2 , write X";
    for args in [
        ["--lolli", "store red", "-g", goal],
        ["--lolli", "-g", goal, "store red"],
        ["-g", goal, "--lolli", "store red"],
    ] {
        let ran = run_in(&folder.0, &args, "");
        assert_eq!((ran.status, ran.output.as_str()), (0, "red"), "{args:?}");
    }
    let ran = run_in(&folder.0, &["--lolli", "X", "-g", "true"], "");
    assert_eq!(
        (ran.status, ran.errors.as_str()),
        (
            2,
            "ERROR: -g true: expected the name of a module, found X\n"
        )
    );
}

/// Goals that leave a session, run where there is none.
#[test]
fn sessions_that_goals_open_and_leave() {
    let folder = Folder::new();
    let ran = run_in(&folder.0, &["--lolli", "-g", "a => top"], "a.\n\nbye.\n");
    let text = "solved\nyes\nClosing Lolli. \n";
    assert_eq!((ran.status, ran.output.as_str()), (0, text));
    let goal = r#"lolli("top"), write(after)"#;
    let ran = run_in(&folder.0, &["-g", goal], "X = 1.\n");
    assert_eq!(
        (ran.status, ran.output.as_str()),
        (0, "X_1 <- 1\nyes\nafter")
    );
    for goal in ["pop", "popall", "abort"] {
        let ran = run_in(&folder.0, &["--lolli", "-g", goal], "");
        assert_eq!(ran.status, 2);
        assert!(ran.errors.contains("there is no session"), "{}", ran.errors);
    }
    let ran = run_in(&folder.0, &["--lolli", "-g", "bye", "-g", "write a"], "");
    assert_eq!((ran.status, ran.output.as_str()), (0, "Closing Lolli. \n"));
}

/// Errors of a goal have the same text as in a session, and names without quotes around them.
#[test]
fn words_of_errors() {
    let folder = Folder::new();
    std::fs::write(folder.0.join("bytes.ll"), b"MODULE bytes.\np \xff.\n").unwrap();
    std::fs::write(folder.0.join("bytes.pl"), b"p.\nq(\xff).\n").unwrap();
    let errors = |args: &[&str]| run_in(&folder.0, args, "").errors;
    assert_eq!(
        errors(&["--lolli", "-g", "1"]),
        "ERROR: -g 1: Non-name in function position (1)\n"
    );
    assert_eq!(
        run_in(&folder.0, &["--lolli"], "1.\n").errors,
        "user_input:1:1: error: Non-name in function position (1)\n1 | 1.\n  | ^\n"
    );
    assert_eq!(
        errors(&["bytes.ll"]),
        "ERROR: bytes.ll:2:3: this is not utf8 text (byte 16 of the file)\n"
    );
    assert!(errors(&["-g", "true", "bytes.pl"]).contains("bytes.pl:2:3: error: byte FF"));
    assert!(errors(&["no such.pl"]).contains("`no such.pl' does not exist"));
    assert!(
        errors(&["no such.ll"]).contains("there is no file no such.ll in the working directory")
    );
    let asked = "write a # .\nread X.\nfoo ( .\n";
    let ran = run_in(&folder.0, &["--lolli"], asked);
    assert!(
        ran.errors.contains("user_input:1:9: warning: "),
        "{}",
        ran.errors
    );
    assert!(
        ran.errors.contains("error: user_input:3:7: "),
        "{}",
        ran.errors
    );
}

/// Lost output makes the exit status of a session a failure.
#[cfg(target_os = "linux")]
#[test]
fn a_full_device_ends_a_session() {
    use std::process::{Command, Stdio};
    for (option, query) in [("--lolli", "write ok.\n"), ("-q", "write(ok).\n")] {
        let folder = Folder::new();
        let input = std::fs::File::open(folder.file("input", query)).unwrap();
        let full = std::fs::File::create("/dev/full").expect("a device that is full");
        let status = Command::new(env!("CARGO_BIN_EXE_wamlet"))
            .arg(option)
            .stdin(input)
            .stdout(full)
            .stderr(Stdio::null())
            .status()
            .expect("the command starts");
        assert_eq!(status.code(), Some(2), "{option}");
    }
}

/// A module that a Prolog program loads is found from any working directory.
#[test]
fn programs_load_modules_beside_them() {
    let folder = Folder::new();
    let inner = folder.0.join("inner");
    std::fs::create_dir(&inner).unwrap();
    std::fs::write(inner.join("store.ll"), STORE).unwrap();
    let program = ":- use_module(library(linear)).\n:- consult('store.ll').\n\
                   main :- store(red) --o (item(X, 1), item(X, 2)), write(X).\n";
    std::fs::write(inner.join("shop.pl"), program).unwrap();
    let ran = run_in(&folder.0, &["-g", "main", "inner/shop.pl"], "");
    assert_eq!((ran.errors.as_str(), ran.output.as_str()), ("", "red"));
    std::fs::write(inner.join("store.ll"), "MODULE store.\np (.\n").unwrap();
    let ran = run_in(&folder.0, &["-g", "true", "inner/shop.pl"], "");
    assert_eq!(ran.status, 1);
    assert!(
        ran.errors.contains("inner/store.ll:2:4: error: "),
        "{}",
        ran.errors
    );
}

#[test]
fn limits_apply_to_each_query() {
    let folder = Folder::new();
    folder.file("loop.ll", "MODULE loop.\ngo :- go.\np 1. p 2.\n");
    let asked = "go.\np X.\n;\n\ntop.\ngo.\np 2.\n\npop.\np 1.\n\n";
    for (limit, message) in [
        (["--max-steps", "5000"], "Inference limit exceeded"),
        (["--timeout", "0.2"], "Time limit exceeded"),
    ] {
        let args = [limit[0], limit[1], "loop.ll"];
        let ran = run_in(&folder.0, &args, asked);
        let text = "X_1 <- 1;\nX_1 <- 2\nyes\nsolved\nyes\nReturning to previous top level...\nsolved\nyes\n";
        assert_eq!((ran.status, ran.output.as_str()), (0, text));
        let expected = format!("loop.ll:2:7: error: {message}\n2 | go :- go.\n  |       ^^\n");
        assert_eq!(ran.errors, expected.repeat(2));
        let args = [limit[0], limit[1], "-g", "go", "loop.ll"];
        let ran = run_in(&folder.0, &args, "");
        assert_eq!(ran.status, 3);
        assert!(ran.errors.contains(message), "{}", ran.errors);
    }
}

#[test]
fn modules_with_errors_change_the_exit_status_of_sessions() {
    let folder = Folder::new();
    folder.file("bad.ll", "MODULE bad.\n(a , b).\n");
    folder.file("good.ll", "MODULE good.\na.\n");
    let status = |args: &[&str], input: &str| run_in(&folder.0, args, input).status;
    assert_eq!(status(&["--lolli"], "good --o b.\n"), 0);
    assert_eq!(status(&["--lolli"], "bad --o a.\na -o a.\n\n"), 1);
    assert_eq!(status(&["--lolli"], "no_such --o a.\n"), 0);
    assert_eq!(status(&["bad.ll"], "true.\n"), 2);
    assert_eq!(status(&["--lolli", "-g", "bad --o a"], ""), 2);
}

#[test]
fn options_after_files_cause_a_warning() {
    let folder = Folder::new();
    folder.file("good.ll", "MODULE good.\na.\n");
    folder.file("good.pl", "a.\n");
    for file in ["good.ll", "good.pl"] {
        let ran = run_in(&folder.0, &[file, "-g", "a"], "");
        assert!(ran.errors.contains("put options before files"), "{file}");
        let ran = run_in(&folder.0, &[file, "--", "-g", "a"], "");
        assert_eq!(ran.errors, "", "{file}");
    }
}

#[test]
fn goals_after_a_prompt_of_their_own_run() {
    let folder = Folder::new();
    let goal = "a -o top , write done";
    let ran = run_in(&folder.0, &["--lolli", "-g", goal], "a.\n\nb.\n");
    assert_eq!(ran.status, 0);
    assert!(ran.output.starts_with("solved\nyes\n"), "{}", ran.output);
    assert!(ran.output.ends_with("done"), "{}", ran.output);
}

/// A path names the file of a module with or without its extension. Errors in a path are reported.
#[test]
fn modules_named_by_paths() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.0.join("shop/empty.ll")).unwrap();
    folder.file("shop/stock.ll", "MODULE stock.\nitem 1.\nitem 2.\n");
    folder.file("one.ll", "MODULE one Only.\np Only.\n");
    let run = |module: &str, asked: &str| run_in(&folder.0, &["--lolli", module], asked);
    for module in ["shop/stock", "./shop/stock", "shop/stock.ll"] {
        assert_eq!(
            run(module, "item X.\n;\n\n").output,
            "X_1 <- 1;\nX_1 <- 2\nyes\n"
        );
    }
    assert!(
        run("shop/none", "")
            .errors
            .contains("no file shop/none.ll in")
    );
    assert!(
        run("shop", "")
            .errors
            .contains("shop is a directory; there is no file shop.ll")
    );
    assert!(
        run("shop/empty.ll", "")
            .errors
            .contains("shop/empty.ll is a directory; ")
    );
    assert!(run("one", "").errors.contains("has 1 parameter, not 0"));
    let shown = run("shop/stock", "show_context.\n").output;
    assert!(
        shown.starts_with("intuitionistic item 1 & item 2  % stock.ll:2\n"),
        "{shown}"
    );
}

/// Errors of goals of `-g` give their location. `why` reports if a query was stopped.
#[test]
fn places_of_errors_and_limits() {
    let folder = Folder::new();
    folder.file(
        "work.ll",
        "MODULE work.\ngo X :- go X.\nsum X :- q Y ,\n  X is Y + a , q X.\nq 1.\n",
    );
    let errors = |goal: &str| run_in(&folder.0, &["--lolli", "work", "-g", goal], "").errors;
    assert_eq!(
        errors("sum X"),
        "work.ll:4:3: error: 2nd argument of `is' contains a non-integer constant (a)\n\
         4 |   X is Y + a , q X.\n  |   ^^^^^^^^^^\n"
    );
    assert!(errors("q X , Y is X + b").starts_with("goal:1:7: error: "));
    // Warnings give their location, too, also for goals of Prolog.
    folder.file("lost.ll", "MODULE lost.\nseek :- missing a.\n");
    let text = ":- use_module(library(linear)).\ngo :- lost --o seek.\n";
    folder.file("calls.pl", text);
    for (goal, program) in [("seek", "lost.ll"), ("go", "calls.pl")] {
        let errors = run_in(&folder.0, &["-g", goal, program], "").errors;
        let warning = "lost.ll:2:9: warning: missing/1 fails: ";
        assert!(errors.starts_with(warning), "{errors}");
    }
    // A session reports the same to programs as a goal of the command line.
    folder.file(
        "wrap.ll",
        "MODULE wrap.\nbad X :- Y is X + foo.\nwrap X :- bad X , nl.\n",
    );
    let of_goal = run_in(&folder.0, &["--json", "-g", "wrap 1", "wrap.ll"], "");
    let of_session = run_in(&folder.0, &["--json", "wrap.ll"], "wrap 1.\n");
    assert!(
        of_goal
            .errors
            .contains(r#""backtrace": [{"predicate": "wrap/1""#)
    );
    assert_eq!(of_session.errors, of_goal.errors);
    let args = ["--json", "--max-steps", "1000", "work.ll"];
    let errors = run_in(&folder.0, &args, "go 1.\n").errors;
    assert!(
        errors.starts_with(r#"{"severity": "error", "kind": "limit", "#),
        "{errors}"
    );
    let args = ["--max-steps", "1000000", "work.ll"];
    let explained = run_in(&folder.0, &args, "go 1.\nwhy.\n").output;
    assert!(
        explained
            .starts_with("The query ended before it had a result: Inference limit exceeded.\n"),
        "{explained}"
    );
}

/// Queries of several lines also work after answers.
#[test]
fn answers_and_queries_of_several_lines() {
    let folder = Folder::new();
    let session = |input: &str| {
        let ran = run_in(&folder.0, &["--lolli"], input);
        assert_eq!(ran.errors, "");
        ran.output
    };
    assert_eq!(
        session("X = 1.\nX =\n  2.\ny\nX = \"a\nb\".\n\n% Nothing.\nX = 3 ;\nX = 4.\n;\n"),
        "X_1 <- 1\nyes\nX_2 <- 2\nyes\nX_3 <- \"a\nb\"\nyes\nX_4 <- 3;\nX_4 <- 4\nyes\n"
    );
}

/// A limit ends a command of the operating system.
#[test]
#[cfg(unix)]
fn limits_end_commands() {
    let folder = Folder::new();
    let args = [
        "--lolli",
        "--timeout",
        "1",
        "-g",
        "system \"exec sleep 100\"",
    ];
    let ran = run_in(&folder.0, &args, "");
    assert_eq!(ran.status, 3);
    assert!(ran.errors.contains("Time limit exceeded"), "{}", ran.errors);
}
