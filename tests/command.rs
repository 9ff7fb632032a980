//! The command, run as a process: arguments, exit statuses, scripts, sessions through a pipe.
//! Long because the cases share the folders and the way to run the command.
#![cfg(feature = "cli")]

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

#[path = "support/process.rs"]
mod process;

use process::{Folder, Ran, run_in};

fn run(args: &[&str], input: &str) -> Ran {
    run_in(&std::env::temp_dir(), args, input)
}

/// Returns the standard output of a session.
fn session(input: &str) -> String {
    let ran = run(&[], input);
    assert_eq!((ran.errors.as_str(), ran.status), ("", 0));
    ran.output
}

#[test]
fn limits_end_the_work() {
    for limit in [["--timeout", "0.1"], ["--max-steps", "10000"]] {
        let goal = ["-g", "catch((repeat, fail), _, true)"];
        let args: Vec<&str> = limit.into_iter().chain(goal).collect();
        let ran = run(&args, "");
        assert_eq!((ran.output.as_str(), ran.status), ("", 3));
        assert!(ran.errors.contains("limit exceeded"), "{}", ran.errors);
        // Each query of a session has the whole limit.
        let ran = run(&limit, "repeat, fail.\nX = 1.\n");
        assert!(ran.output.contains("X = 1."), "{}", ran.output);
        assert!(ran.errors.contains("limit exceeded"), "{}", ran.errors);
    }
    // The limit also ends cleanup goals that run after the last wanted answer.
    let goal = "setup_call_cleanup(true, repeat, (repeat, fail))";
    let ran = run(&["--timeout", "0.1", "-g", goal], "");
    assert_eq!((ran.output.as_str(), ran.status), ("", 3));
    assert!(
        ran.errors.contains("Time limit exceeded\n"),
        "{}",
        ran.errors
    );
    // Work of builtins on large terms counts.
    let goal = "length(L,1000000), (between(1,900,I), msort(L,_), copy_term(L,_), term_variables(L,_), fail ; true)";
    let ran = run(&["--max-steps", "10000", "-g", goal], "");
    assert_eq!((ran.output.as_str(), ran.status), ("", 3));
    // Memory is limited, too. A program that catches the error goes on.
    let fill = "numlist(1, 3000000, _)";
    let ran = run(&["--max-memory", "4m", "-g", fill], "");
    assert_eq!((ran.output.as_str(), ran.status), ("", 3), "{}", ran.errors);
    assert!(
        ran.errors.contains("Not enough resources: memory"),
        "{}",
        ran.errors
    );
    let caught = format!("catch(({fill}), error(resource_error(memory), _), true)");
    assert_eq!(run(&["--max-memory", "4m", "-g", &caught], "").status, 0);
    let other = "throw(error(resource_error(patience), _))";
    assert_eq!(run(&["-g", other], "").status, 2);
    let ran = run(&["--timeout", "soon"], "");
    assert_eq!(ran.status, 2);
    assert!(
        ran.errors.contains("expected a number of seconds"),
        "{}",
        ran.errors
    );
}

#[test]
fn goals_decide_the_exit_status() {
    for (args, status, output) in [
        (&["-g", "write(a)"][..], 0, "a"),
        (&["-g", "write(a)", "-g", "write(b)"], 0, "ab"),
        (&["-g", "fail", "-g", "write(b)"], 1, ""),
        (&["-g", "member(X, [1, 2]), write(X)"], 0, "1"),
        (&["-g", "throw(oops)"], 2, ""),
        (&["-g", "no_such_predicate"], 2, ""),
        (&["-g", "foo("], 2, ""),
        (&["-g", "halt(4)", "-g", "write(b)"], 4, ""),
        (&["-g", "write(a), halt"], 0, "a"),
        (&["-t", "halt"], 0, ""),
        (&["-t", "fail"], 1, ""),
        (&["-t", "throw(x)"], 2, ""),
        (&["-q", "-g", "write(a)", "-t", "write(b)"], 0, "ab"),
        (&["-g", "write(a)", "-i"], 0, "a"),
        (&["no.pl"], 2, ""),
        (&["-g", "true", "no.pl"], 2, ""),
        (&["--no-such-option"], 2, ""),
        (&["-g"], 2, ""),
    ] {
        let ran = run(args, "");
        assert_eq!(
            (ran.status, ran.output.as_str()),
            (status, output),
            "{args:?}: {}",
            ran.errors
        );
        assert_eq!(
            ran.errors.is_empty(),
            !matches!(status, 1 | 2),
            "{args:?}: {}",
            ran.errors
        );
    }
}

#[test]
fn modules_are_checked_when_they_are_loaded() {
    let folder = Folder::new();
    folder.file("one.pl", ":- module(one, [p/0, q/0, gone/0]).\np.\nq.\n");
    folder.file(
        "two.pl",
        ":- module(two, [p/0]).\np.\n:- module(three, []).\n",
    );
    let text = ":- use_module(one).\n:- use_module(two).\n:- use_module(two, [r/1]).\nq.\n";
    folder.file("all.pl", text);
    let named = ":- use_module(one, [q/0]).\nq :- fail.\n";
    folder.file("named.pl", named);
    let errors = run_in(&folder.0, &["-g", "q", "all.pl", "named.pl"], "").errors;
    let reported: Vec<&str> = errors
        .lines()
        .filter(|line| line.contains(".pl:"))
        .collect();
    let expected = [
        "one.pl:1:1: error: the exported procedure one:gone/0 is not defined",
        "two.pl:3:4: error: No permission to create module `three' [permission_error(create, module, three)]",
        "all.pl:2:4: error: No permission to import two:p/0 into user (already imported from one) [permission_error(import_into(user), procedure, two:p/0)]",
        "all.pl:3:4: warning: two:r/1 is imported, but its module does not export it [import]",
        "all.pl:4:1: warning: q/0 is defined here and replaces the one imported from one [redefined]",
        "named.pl:1:4: error: No permission to import one:q/0 into user (the module defines it itself) [permission_error(import_into(user), procedure, one:q/0)]",
    ];
    assert_eq!(
        reported[..expected.len().min(reported.len())],
        expected,
        "{errors}"
    );
    let ran = run_in(&folder.0, &["-g", "q", "named.pl"], "");
    let message = "named.pl:2:1: error: no permission to define the imported procedure one:q/0";
    assert!(ran.errors.contains(message), "{}", ran.errors);
}

#[test]
fn failures_are_explained_on_request() {
    let folder = Folder::new();
    folder.file(
        "shop.pl",
        ":- use_module(library(linear)).\nbuy(X) :- coin, good(X).\nshop(X) :- (coin, good(tea)) -<> buy(X).\n",
    );
    let goal = ["--explain", "-g", "shop(milk)", "shop.pl"];
    let ran = run_in(&folder.0, &goal, "");
    assert_eq!(ran.status, 1);
    assert_eq!(
        ran.errors,
        "The goal has no solution.\n\
         1. After one use of a linear assumption nothing proves good(milk), called at shop.pl:2.\n   \
         These exist but do not prove it: good(tea), assumed at shop.pl:3.\n\
         Warning: -g shop(milk): the goal failed\n"
    );
    assert!(
        !run_in(&folder.0, &goal[1..], "")
            .errors
            .contains("assumption")
    );
    let session = run_in(
        &folder.0,
        &["-q", "--explain", "shop.pl"],
        "shop(cup).\nshop(X).\n",
    );
    assert!(session.errors.contains("nothing proves good(cup)"));
    assert!(session.output.contains("X = tea"));
    let session = run_in(&folder.0, &["-q", "shop.pl"], "why.\nshop(cup).\nwhy.\n");
    assert!(session.output.starts_with("No query has run yet.\ntrue.\n"));
    assert!(session.output.contains("nothing proves good(cup)"));
}

#[test]
fn uses_of_assumptions_are_traced() {
    let text = "use_module(library(linear)).\ntrace_context.\np(1) -<> p(1).\np(1) -<> true.\n\
                p(1) -<> p(2).\nnotrace_context.\np(1) -<> p(1).\ntrace_context, (q => q), \
                notrace_context, (r => r).\n";
    let ran = run(&["-q"], text);
    assert_eq!(
        ran.errors,
        "   Assume: p(1)\n   Use: p(1) by p(1)\n   Assume: p(1)\n   Left: p(1)\n   Assume: p(1)\n   \
         Miss: p(2)\n   Assume: q\n   Use: q by q\n"
    );
}

#[test]
fn help_and_version() {
    let help = run(&["--help"], "");
    assert_eq!(help.status, 0);
    assert!(help.output.contains("Usage: wamlet"), "{}", help.output);
    let version = run(&["--version"], "");
    assert_eq!(
        version.output,
        format!("wamlet {}\n", env!("CARGO_PKG_VERSION"))
    );
}

#[test]
fn leading_programs_are_loaded_and_the_rest_is_argv() {
    let folder = Folder::new();
    folder.file("a.pl", "a.\n");
    folder.file("b.prolog", "b.\n");
    let goal = "current_prolog_flag(argv, A), print(A)";
    for (args, output) in [
        (
            &["a.pl", "b.prolog", "x", "c.pl", "-q"][..],
            "[x,'c.pl','-q']",
        ),
        (
            &["a.pl", "--", "b.prolog", "--", "-t"],
            "['b.prolog',--,'-t']",
        ),
        (&["a.pl", "-g", "b"], "['-g',b]"),
        (&["--", "a.pl"], "['a.pl']"),
    ] {
        let args = [&["-g", goal], args].concat();
        assert_eq!(run_in(&folder.0, &args, "").output, output, "{args:?}");
    }
    assert_eq!(
        run_in(
            &folder.0,
            &["-g", "a, b, write(yes)", "a.pl", "b.prolog"],
            ""
        )
        .output,
        "yes"
    );
}

#[test]
fn errors_in_a_file_are_located_and_the_rest_is_loaded() {
    let folder = Folder::new();
    folder.file("odd.pl", "p(1).\nq(X :- r.\np(2).\ns(X) :- p(Y).\n");
    let ran = run_in(&folder.0, &["-g", "forall(p(X), write(X))", "odd.pl"], "");
    assert_eq!((ran.status, ran.output.as_str()), (1, "12"));
    assert!(ran.errors.contains("odd.pl:2:"), "{}", ran.errors);
    assert!(ran.errors.contains("2 | q(X :- r."), "{}", ran.errors);
    assert!(
        ran.errors.contains("odd.pl:4:3: warning: "),
        "{}",
        ran.errors
    );
    // A session through a pipe shows the messages to nobody, so the exit status is 1.
    assert_eq!(run_in(&folder.0, &["odd.pl"], "").status, 1);
    folder.file(
        "fine.pl",
        ":- initialization(write(hi)).\n:- write(one), nl.\n",
    );
    let ran = run_in(&folder.0, &["-g", "true", "fine.pl"], "");
    assert_eq!(
        (ran.status, ran.output.as_str(), ran.errors.as_str()),
        (0, "one\nhi", "")
    );
}

#[test]
fn scripts_have_a_main_goal() {
    let folder = Folder::new();
    let script = |name: &str, main: &str| {
        let text = format!("#!/usr/bin/env wamlet\n:- initialization(main, main).\n{main}\n");
        folder.file(name, &text);
    };
    script(
        "args.pl",
        "main :- current_prolog_flag(argv, A), print(A), nl.",
    );
    script("fails.pl", "main :- fail.");
    script("throws.pl", "main :- throw(oops).");
    script("halts.pl", "main :- halt(3).");
    script("reads.pl", "main :- read(foo(X)), print(X).");
    let ran = run_in(&folder.0, &["args.pl", "a", "-b"], "");
    assert_eq!((ran.status, ran.output.as_str()), (0, "[a,'-b']\n"));
    assert_eq!(run_in(&folder.0, &["fails.pl"], "").status, 1);
    assert_eq!(run_in(&folder.0, &["throws.pl"], "").status, 2);
    assert_eq!(run_in(&folder.0, &["halts.pl"], "").status, 3);
    assert_eq!(run_in(&folder.0, &["reads.pl"], "foo(bar).").output, "bar");
    let ran = run_in(&folder.0, &["-t", "halt(5)", "args.pl"], "");
    assert_eq!((ran.status, ran.output.as_str()), (5, "[]\n"));
}

/// `initialization(Goal, program)` in a file runs after the goals of the command line.
#[test]
fn scripts_have_goals_of_the_program() {
    let folder = Folder::new();
    folder.file(
        "two.pl",
        ":- initialization(write(one), program).\n:- initialization(write(two), program).\n",
    );
    folder.file(
        "fails.pl",
        ":- initialization(fail, program).\n:- initialization(write(two), program).\n",
    );
    for (args, status, output) in [
        (&["two.pl"][..], 0, "onetwo"),
        (&["-g", "write(zero)", "two.pl"], 0, "zeroonetwo"),
        (&["-t", "halt(3)", "two.pl"], 3, "onetwo"),
        (&["-g", "halt(4)", "two.pl"], 4, ""),
        (&["fails.pl"], 1, ""),
    ] {
        let ran = run_in(&folder.0, args, "");
        assert_eq!((ran.status, ran.output.as_str()), (status, output));
    }
}

#[test]
fn answers_of_a_session() {
    assert_eq!(session("X = 1, Y = a.\n"), "X = 1,\nY = a.\n\n");
    assert_eq!(session("true.\nfail.\n"), "true.\n\nfalse.\n\n");
    assert_eq!(session("X = 1. Y = 2.\n"), "X = 1.\n\nY = 2.\n\n");
    assert_eq!(session("X =\n  1.\n"), "X = 1.\n\n");
    assert_eq!(session("write(a).\n"), "a\ntrue.\n\n");
    assert_eq!(session("write(a), nl.\n"), "a\ntrue.\n\n");
    assert_eq!(session("write(a), fail.\n"), "a\nfalse.\n\n");
    assert_eq!(
        session("numlist(1, 20, L).\n"),
        "L = [1, 2, 3, 4, 5, 6, 7, 8, 9|...].\n\n"
    );
    assert_eq!(session(""), "");
    assert_eq!(session("% nothing\n"), "");
}

/// An answer describes only the cyclic terms that it shows, and the others take no time.
#[test]
fn answers_describe_the_cyclic_terms_that_they_show() {
    let args = ["-q", "--max-steps", "10000000"];
    let ran = run(&args, "length(L, 30000), maplist([X]>>(X = f(X)), L).\n");
    assert_eq!(ran.errors, "");
    assert!(
        ran.output.starts_with("L = [_S1, _S2, _S3, ") && ran.output.contains("|...], % where\n"),
        "{}",
        ran.output
    );
    assert!(
        ran.output.ends_with("    _S9 = f(_S9).\n\n"),
        "{}",
        ran.output
    );
    // Cycles that are longer than the shown part, and values that refer to each other.
    for (query, answer) in [
        (
            "C = f(f(f(f(f(f(f(f(f(f(f(f(C)))))))))))), Y = g(h(C)).",
            "C = f(f(f(f(f(f(f(f(f(f(...)))))))))),\nY = g(h(C)).",
        ),
        (
            "_C = f(f(f(f(f(f(f(f(f(f(f(f(_C)))))))))))), Y = g(_C).",
            "Y = g(f(f(f(f(f(f(f(f(f(...)))))))))).",
        ),
        (
            "X = f(X, Y, Z), Y = g(X, Y, W), Z = h(Z, W).",
            "X = f(X, Y, Z),\nY = g(X, Y, W),\nZ = h(Z, W).",
        ),
        (
            "_X = f(_X, _Y), _Y = g(_Y, _Z), _Z = h(_Z, _), A = [_X].",
            "A = [_S1], % where\n    _S1 = f(_S1, _S2),\n    _S2 = g(_S2, _S3),\n    _S3 = h(_S3, _A).",
        ),
    ] {
        assert_eq!(session(&format!("{query}\n")), format!("{answer}\n\n"));
    }
}

#[test]
fn clauses_typed_at_the_prompt_go_into_module_user() {
    assert_eq!(
        session("[user].\nzz(1).\nend_of_file.\ncatch(system:zz(_), _, fail).\nzz(X).\n"),
        "true.\n\nfalse.\n\nX = 1.\n\n"
    );
    let ran = run(&[], "[user].\n:- fail.\n:- no_such.\nend_of_file.\n");
    assert_eq!(
        ran.errors,
        "user:1:4: warning: the directive failed: fail [directive]\n1 | :- fail.\n  |    ^^^^\n\
         user:2:4: error: Unknown procedure: no_such/0 [existence_error(procedure, no_such/0)]\n2 | :- no_such.\n  |    ^^^^^^^\n"
    );
    assert_eq!(ran.status, 1);
}

#[test]
fn clauses_typed_at_the_prompt_have_their_own_lines() {
    let ran = run(
        &[],
        "\n[user].\np(1).\nq(X) :- .\np(2). r(X).\n:- read(X), X = seen(_).\nseen(1).\n\
         t(X) :-\n  s(X), true.\nend_of_file.\n\
         p(X).\n;\nt(1).\n[user].\np(3).\nend_of_file.\np(X).\nsource_file(_).\n[user].\nz(",
    );
    let errors = "\
user:2:9: error: syntax error: the clause ends before the right operand of `:-` [syntax_error(end_of_clause)]\n\
2 | q(X) :- .\n  |         ^\n\
user:3:9: warning: singleton variable: X [singleton]\n\
3 | p(2). r(X).\n  |         ^\n\
user:7:3: warning: s/1 is called but not defined [undefined]\n\
7 |   s(X), true.\n  |   ^^^^\n\
user:7:3: error: Unknown procedure: s/1 [existence_error(procedure, s/1)]\n\
7 |   s(X), true.\n  |   ^^^^\n\
user:1:1: warning: p/1 was defined at user:1; that definition is replaced [redefined]\n\
1 | p(3).\n  | ^^^^^\n\
user:1:3: error: syntax error: the text ends before `(` is closed [syntax_error(end_of_file)]\n\
1 | z(\n  |   ^\n";
    assert_eq!(ran.errors, errors);
    assert_eq!(
        ran.output,
        "true.\n\nX = 1 ;\nX = 2.\n\ntrue.\n\nX = 3.\n\nfalse.\n\ntrue.\n\n"
    );
}

#[test]
fn a_query_without_its_full_stop_is_not_run() {
    let ran = run(&[], "X = 1.\nwrite(a),\n  write(b)");
    assert_eq!((ran.status, ran.output.as_str()), (0, "X = 1.\n\n"));
    assert_eq!(
        ran.errors,
        "user_input:3:11: error: syntax error: the input ends before the `.` of the query\n\
         3 |   write(b)\n  |           ^\n"
    );
    assert_eq!(session("X = 1. % the end"), "X = 1.\n\n");
}

#[test]
fn answers_are_read_as_the_same_terms() {
    let answer = "X = f(D, '$VAR'(3)).\n";
    assert_eq!(session(answer), format!("{answer}\n"));
}

#[test]
fn a_line_with_a_semicolon_asks_for_more() {
    let three = "member(X, [1, 2, 3]).\n";
    let all = "X = 1 ;\nX = 2 ;\nX = 3.\n\n";
    assert_eq!(session(&format!("{three};\n;\n")), all);
    // More semicolons than answers.
    assert_eq!(
        session(&format!("{three};\n;\n;\n;\ntrue.\n")),
        format!("{all}true.\n\n")
    );
    assert_eq!(
        session(&format!("{three};\n\ntrue.\n")),
        "X = 1 ;\nX = 2 .\n\ntrue.\n\n"
    );
    assert_eq!(
        session(&format!("{three}.\ntrue.\n")),
        "X = 1 .\n\ntrue.\n\n"
    );
    // The next query, or the end, also stops the query.
    assert_eq!(session(&format!("{three}true.\n")), "X = 1 .\n\ntrue.\n\n");
    assert_eq!(session(three), "X = 1 .\n\n");
    assert_eq!(
        session("( X = 1 ; X = 2, fail ).\n;\n"),
        "X = 1 ;\nfalse.\n\n"
    );
}

#[test]
fn the_program_reads_the_text_after_its_query() {
    assert_eq!(
        session("read(X).\nfoo(bar).\nY = 1.\n"),
        "X = foo(bar).\n\nY = 1.\n\n"
    );
}

#[test]
fn errors_do_not_end_a_session() {
    let ran = run(
        &[],
        "no_such(1).\natom_length(X, Y).\nthrow(my).\nX = .\nfoo bar.\nX = 1.\n",
    );
    assert_eq!((ran.status, ran.output.as_str()), (0, "X = 1.\n\n"));
    for message in [
        "no_such/1",
        "sufficiently instantiated",
        "my",
        ":4:5: ",
        "5 | foo bar.",
    ] {
        assert!(ran.errors.contains(message), "{message}: {}", ran.errors);
    }
}

#[test]
fn halt_ends_a_session() {
    let ran = run(&[], "X = 1.\nhalt(5).\nX = 2.\n");
    assert_eq!((ran.status, ran.output.as_str()), (5, "X = 1.\n\n"));
    assert_eq!(run(&[], "halt.\n").status, 0);
    assert_eq!(run(&[], "catch(halt(2), _, true).\n").status, 2);
}

#[test]
fn a_runaway_recursion_does_not_end_a_session() {
    let folder = Folder::new();
    folder.file("grow.pl", "grow(X) :- grow(f(X)).\n");
    let ran = run_in(
        &folder.0,
        &["--stack-limit=32m", "grow.pl"],
        "grow(a).\nX = 1.\n",
    );
    assert_eq!((ran.status, ran.output.as_str()), (0, "X = 1.\n\n"));
    assert!(
        ran.errors.contains("memory") || ran.errors.contains("resource"),
        "{}",
        ran.errors
    );
}

#[test]
fn files_are_consulted_at_the_prompt() {
    let folder = Folder::new();
    folder.file("a.pl", "a(1).\n");
    let ran = run_in(&folder.0, &[], "[a].\na(X).\n");
    assert_eq!(
        (ran.status, ran.output.as_str()),
        (0, "true.\n\nX = 1.\n\n")
    );
    let ran = run_in(&folder.0, &[], "[user].\nb(2).\nend_of_file.\nb(X).\n");
    assert_eq!(
        (ran.status, ran.output.as_str()),
        (0, "true.\n\nX = 2.\n\n")
    );
}

#[test]
fn instructions_are_listed() {
    let folder = Folder::new();
    folder.file(
        "a.pl",
        "app([], L, L).\napp([H|T], L, [H|R]) :- app(T, L, R).\n",
    );
    let ran = run_in(&folder.0, &["--listing", "a.pl"], "");
    assert_eq!((ran.status, ran.errors.as_str()), (0, ""));
    assert!(ran.output.contains("app/3"), "{}", ran.output);
}

/// The memory of former versions of a module is freed.
#[test]
fn a_module_may_change_any_number_of_times() {
    let folder = Folder::new();
    folder.file(
        "versions.pl",
        r#"version(N) :-
    open('many.ll', write, S),
    format(S, "MODULE many.~n", []),
    forall(between(1, 200, I), format(S, "p ~d ~d :- q ~d.~n", [N, I, I])),
    format(S, "q _.~n% ~*c~n", [N, 0'x]),
    close(S),
    lolli_query("many --o p X 7", ['X'=X]), !,
    X == N.
main :- forall(between(1, 400, N), version(N)), write(done), nl.
"#,
    );
    let options = ["--stack-limit", "12M", "-g", "main", "versions.pl"];
    let ran = run_in(&folder.0, &options, "");
    assert_eq!((ran.output.as_str(), ran.errors.as_str()), ("done\n", ""));
}

/// `abort/0` ends the query, whatever catches exceptions, and keeps the session.
#[test]
fn an_abort_ends_the_query() {
    let ran = run(&[], "catch(abort, _, true).\nX = 1.\n");
    assert_eq!(ran.output, "X = 1.\n\n");
    let ran = run(&["-g", "catch(abort, _, true)"], "");
    assert_eq!((ran.output.as_str(), ran.status), ("", 1));
}

/// Goals of `at_halt/1` run when the program ends, however it ends. Their exceptions are reported.
#[test]
fn goals_run_at_the_end() {
    let goal = "at_halt((write(one), nl)), at_halt(throw(oops)), at_halt((write(two), nl))";
    let ran = run(&["-g", goal], "");
    assert_eq!((ran.output.as_str(), ran.status), ("one\ntwo\n", 0));
    assert!(ran.errors.contains("oops"), "{}", ran.errors);
    let ran = run(&["-g", "at_halt((write(bye), nl)), halt(3)"], "");
    assert_eq!((ran.output.as_str(), ran.status), ("bye\n", 3));
    let ran = run(&["-g", "at_halt(fail), at_halt(write(on))"], "");
    assert_eq!((ran.output.as_str(), ran.status), ("on", 0));
    assert!(ran.errors.contains("(at_halt) failed"), "{}", ran.errors);
}

/// Ctrl-C stops the query and keeps the session.
#[cfg(unix)]
#[test]
fn an_interrupt_stops_the_query() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_wamlet"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin
        .write_all(b"write(running), nl, flush_output, repeat, fail.\nX = 1.\n")
        .unwrap();
    let mut seen = [0; 8];
    std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut seen).unwrap();
    let id = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &id])
            .status()
            .unwrap()
            .success()
    );
    drop(stdin);
    let result = child.wait_with_output().unwrap();
    assert_eq!(result.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&result.stdout), "X = 1.\n\n");
}

/// Limits and Ctrl-C end a wait for input.
#[cfg(unix)]
#[test]
fn waiting_for_input_is_limited_and_can_be_interrupted() {
    let start = |args: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_wamlet"))
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    };
    for goal in [
        "read(_)",
        "get_char(_)",
        "read_line_to_string(user_input, _)",
    ] {
        // The other end of the pipe stays open until the process has ended.
        let mut child = start(&["--timeout", "0.1", "-g", goal]);
        let stdin = child.stdin.take();
        let result = child.wait_with_output().unwrap();
        drop(stdin);
        assert_eq!(result.status.code(), Some(3), "{goal}");
    }
    let mut child = start(&["-g", "write(reading), flush_output, read(_)"]);
    let stdin = child.stdin.take();
    let mut seen = [0; 7];
    std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut seen).unwrap();
    let id = child.id().to_string();
    std::thread::sleep(std::time::Duration::from_millis(200));
    let killed = Command::new("kill").args(["-INT", &id]).status();
    assert!(killed.unwrap().success());
    let result = child.wait_with_output().unwrap();
    drop(stdin);
    let errors = String::from_utf8_lossy(&result.stderr);
    assert!(errors.contains("aborted"), "{errors}");
}

/// Every shell command of the README runs, and gives the output that the README shows.
#[test]
fn the_commands_of_the_readme_give_its_output() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = std::fs::read_to_string(root.join("README.md")).expect("a README");
    let mut commands = Vec::new();
    for block in readme.split("```sh\n").skip(1) {
        let block = block.split("```").next().unwrap_or_default();
        commands.extend(block.lines().filter(|line| !line.trim().is_empty()));
    }
    let runs: Vec<&&str> = commands
        .iter()
        .filter(|line| line.starts_with("cargo run "))
        .collect();
    assert!(!runs.is_empty(), "no command that runs the program");
    for line in &commands {
        if line.starts_with("cargo bench ") {
            // The tests of the benchmarks check this command.
            continue;
        }
        let Some((cargo, args)) = line.split_once(" -- ") else {
            // This command runs these tests.
            assert_eq!(*line, "cargo test --release --locked");
            continue;
        };
        assert_eq!(cargo, "cargo run --release --locked");
        let args = words(args);
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let ran = run_in(root, &args, "");
        assert_eq!((ran.status, ran.errors.as_str()), (0, ""), "{line}");
        let output = ran.output.trim();
        assert!(
            !output.is_empty() && readme.contains(output),
            "{line} gives {output}, which the README does not show"
        );
    }
}

#[test]
fn directives_see_their_location() {
    let folder = Folder::new();
    folder.file("part.pl", "\n:- note(file), note(source).\n");
    let main = folder.file(
        "main.pl",
        "note(K) :- prolog_load_context(K, V), file_base_name(V, B), print(K-B), nl.\n\
         :- prolog_load_context(directory, D), exists_directory(D).\n\
         :- prolog_load_context(module, M), print(M), nl.\n\
         :- include(part).\n\
         :- prolog_load_context(term_position, P), \n   stream_position_data(line_count, P, L), print(L), nl.\n",
    );
    let ran = run_in(&folder.0, &["-g", "true", &main.to_string_lossy()], "");
    let wanted = "user\nfile-'part.pl'\nsource-'main.pl'\n5\n";
    assert_eq!(
        (ran.status, ran.output.as_str()),
        (0, wanted),
        "{}",
        ran.errors
    );
}

#[test]
fn clauses_are_expanded_as_soon_as_expansions_are_defined() {
    let folder = Folder::new();
    let main = folder.file(
        "main.pl",
        "user:term_expansion(gen(N), [g(N), g(M)]) :- M is N+1.\n\
         gen(3).\n\
         :- initialization((findall(X, g(X), L), print(L), nl)).\n",
    );
    let ran = run_in(&folder.0, &["-g", "true", &main.to_string_lossy()], "");
    let (output, errors) = (ran.output.as_str(), ran.errors.as_str());
    assert_eq!((ran.status, output, errors), (0, "[3,4]\n", ""));
}

/// Lost output makes the exit status a failure.
#[cfg(target_os = "linux")]
#[test]
fn a_full_device_shows_in_the_exit_status() {
    let full = std::fs::File::create("/dev/full").expect("a device that is full");
    let status = Command::new(env!("CARGO_BIN_EXE_wamlet"))
        .args(["-g", "write(a)"])
        .stdout(full)
        .stderr(Stdio::null())
        .status()
        .expect("the command starts");
    assert_eq!(status.code(), Some(2));
}

/// This holds for other output of the command, too.
#[cfg(target_os = "linux")]
#[test]
fn help_on_a_full_device_is_an_error() {
    let folder = Folder::new();
    folder.file("p.pl", "p.\n?- p.\n   true.\n");
    for line in [
        "--help",
        "--version",
        "man",
        "man --help",
        "completions bash",
        "tree --help",
        "tree -g true",
        "test --version",
        "test p.pl",
        "compile --help",
        "compile --time p.pl",
        "--listing p.pl",
    ] {
        let full = std::fs::File::create("/dev/full").expect("a device that is full");
        let ran = Command::new(env!("CARGO_BIN_EXE_wamlet"))
            .args(line.split(' '))
            .current_dir(&folder.0)
            .stdout(full)
            .output()
            .expect("the command starts");
        let errors = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(ran.status.code(), Some(2), "{line}: {errors}");
        assert!(
            errors.contains("No space left on device") && !errors.contains("p.pl"),
            "{line}: {errors}"
        );
    }
}

#[test]
fn a_missing_file_is_reported_without_internal_names() {
    let folder = Folder::new();
    let ran = run_in(&folder.0, &["none.pl"], "");
    assert_eq!(ran.status, 2);
    assert!(
        ran.errors.contains("none.pl") && !ran.errors.contains('$'),
        "{}",
        ran.errors
    );
}

/// Returns the words of a command line, some in double quotes.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (number, part) in line.split('"').enumerate() {
        if number % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}
