//! `wamlet tree`: the search tree of a query, as text, SVG and HTML.
//! Long because the expected trees are beside their queries.
#![cfg(feature = "cli")]

#[path = "support/process.rs"]
mod process;

use process::{Folder, Ran, run_in};
use std::path::{Path, PathBuf};
use wamlet::{Engine, EngineBuilder, ErrorKind, Term};

const PROGRAM: &str = "\
parent(tom, bob).
parent(bob, ann).
grand(X, Z) :- parent(X, Y), parent(Y, Z).
max(X, Y, X) :- X >= Y, !.
max(_, Y, Y).
first(X) :- parent(X, _), !.
childless(X) :- \\+ parent(X, _).
loop :- loop.
";

fn tree(folder: &Folder, args: &[&str]) -> Ran {
    folder.file("family.pl", PROGRAM);
    let args: Vec<&str> = ["tree"].iter().chain(args).copied().collect();
    run_in(&folder.0, &args, "")
}

/// Returns the message for an error of a whole goal.
fn placed(goal: &str, message: &str) -> String {
    let mark = "^".repeat(goal.chars().count());
    format!("goal:1:1: error: {message}\n1 | {goal}\n  | {mark}\n")
}

/// Returns the messages besides a tree, and the exit status. An exception that ends the tree is an error.
fn messages(goal: &str, drawn: &str, formal: &str) -> (String, i32) {
    match drawn.split_once("raises ") {
        Some((_, message)) => (placed(goal, &format!("{}{formal}", message.trim_end())), 2),
        None => (String::new(), 0),
    }
}

#[test]
fn goals_clauses_and_bindings_are_drawn() {
    let folder = Folder::new();
    for (goal, drawn) in [
        (
            "grand(tom, Z)",
            "grand(tom, Z)\n\
             └─ [family.pl:3] parent(tom, _1), parent(_1, Z)\n   \
                └─ [family.pl:1, _1 = bob] parent(bob, Z)\n      \
                   └─ [family.pl:2, Z = ann] solution: Z = ann\n",
        ),
        (
            "first(X)",
            "first(X)\n\
             └─ [family.pl:6] parent(X, _1), !\n   \
                ├─ [family.pl:1, X = tom, _1 = bob] !\n   \
                │  └─ [cut] solution: X = tom\n   \
                └─ cut off: the other branches are not tried\n",
        ),
        (
            "childless(ann), atom_length(abc, N)",
            "childless(ann), atom_length(abc, N)\n\
             └─ [family.pl:7] \\+parent(ann, _1), atom_length(abc, N)\n   \
                ├─ [not] parent(ann, _1), fail, atom_length(abc, N)\n   \
                │  └─ fails\n   \
                └─ atom_length(abc, N)\n      \
                   └─ [N = 3] solution: N = 3\n",
        ),
        (
            "(parent(X, ann) -> Y = 1 ; Y = 2)",
            "(parent(X, ann)->Y=1;Y=2)\n\
             ├─ [then] parent(X, ann), Y=1\n\
             │  └─ [family.pl:2, X = bob] Y=1\n\
             │     └─ [Y = 1] solution: X = bob, Y = 1\n\
             └─ cut off: the other branches are not tried\n",
        ),
        (
            "X is a",
            "X is a\n└─ raises (is)/2: Arithmetic: evaluable `a/0' does not exist\n",
        ),
    ] {
        let ran = tree(&folder, &["-g", goal, "family.pl"]);
        let (errors, status) = messages(goal, drawn, " [type_error(evaluable, a/0)]");
        assert_eq!(
            (ran.output.as_str(), ran.errors, ran.status),
            (drawn, errors, status),
            "{goal}"
        );
    }
}

#[test]
fn proofs_of_answers_are_drawn() {
    let folder = Folder::new();
    for (goal, drawn) in [
        (
            "grand(X, Z)",
            "grand(X, Z)\n\
             └─ solution: X = tom, Z = ann\n   \
                └─ [family.pl:3] grand(tom, ann)\n      \
                   ├─ [family.pl:1, X = tom, _1 = bob] parent(tom, bob)\n      \
                   └─ [family.pl:2, Z = ann] parent(bob, ann)\n",
        ),
        (
            "max(1, 2, M), first(X)",
            "max(1, 2, M), first(X)\n\
             └─ solution: M = 2, X = tom\n   \
                ├─ [family.pl:5, M = 2] max(1, 2, 2)\n   \
                └─ [family.pl:6] first(tom)\n      \
                   └─ [family.pl:1, X = tom, _1 = bob] parent(tom, bob)\n",
        ),
        (
            "member(X, [ann, bob]), call(childless, X)",
            "member(X, [ann, bob]), call(childless, X)\n\
             └─ solution: X = ann\n   \
                ├─ [X = ann] member(ann, [ann, bob])\n   \
                └─ [family.pl:7] childless(ann)\n      \
                   └─ \\+parent(ann, _1)\n",
        ),
        (
            "(fail ; parent(X, _) -> true ; X = nobody), !",
            "(fail;parent(X, _1)->true;X=nobody), !\n\
             └─ solution: X = tom\n   \
                └─ [family.pl:1, X = tom, _1 = bob] parent(tom, bob)\n",
        ),
        ("max(2, 1, 1), fail", "max(2, 1, 1), fail\n└─ fails\n"),
        (
            "X is a",
            "X is a\n└─ raises (is)/2: Arithmetic: evaluable `a/0' does not exist\n",
        ),
    ] {
        let ran = tree(&folder, &["--proof", "-g", goal, "family.pl"]);
        let (errors, status) = messages(goal, drawn, " [type_error(evaluable, a/0)]");
        assert_eq!(
            (ran.output.as_str(), ran.errors, ran.status),
            (drawn, errors, status),
            "{goal}"
        );
    }
    // No nodes below a limit, and pictures like those of search trees.
    let args = ["--proof", "--max-nodes", "4", "-o", "p.svg"];
    let ran = tree(
        &folder,
        &[&args[..], &["-g", "parent(X, Y), repeat", "family.pl"]].concat(),
    );
    assert_eq!(ran.status, 3, "{}", ran.errors);
    let text = std::fs::read_to_string(folder.0.join("p.svg")).expect("a tree");
    assert!(
        text.starts_with("<svg ") && text.contains("solution: X = tom, Y = bob"),
        "{text}"
    );
    let ran = tree(&folder, &["--proof", "--lolli", "-g", "true"]);
    assert_eq!((ran.status, ran.output.as_str()), (2, ""));
}

const RESOURCES: &str = "\
:- use_module(library(linear)).
:- table path/2.
go(X) :- (coin(1), (cake :- coin(2)), coin(2)) -<> (buy(X), {rich}, (cake & cake)).
buy(X) :- coin(X).
rich.
path(X, Y) :- path(X, Z), edge(Z, Y).
path(X, Y) :- edge(X, Y).
edge(a, b).
";

/// Goals of linear logic have their parts below them. Goals that are proved from assumptions show the consumed assumption.
/// Tabled goals do not show their proofs.
#[test]
fn proofs_show_the_consumed_assumptions() {
    let folder = Folder::new();
    folder.file("coins.pl", RESOURCES);
    for (goal, drawn) in [
        (
            "go(X)",
            "go(X)\n\
             └─ solution: X = 1\n   \
                └─ [coins.pl:3] go(1)\n      \
                   └─ (coin(1), (cake:-coin(2)), coin(2))-<>(buy(1), {rich}, (cake&cake))\n         \
                      ├─ [coins.pl:4] buy(1)\n         \
                      │  └─ [takes coin(1), X = 1] coin(1)\n         \
                      ├─ {rich}\n         \
                      │  └─ [coins.pl:5] rich\n         \
                      └─ (cake&cake)\n            \
                         ├─ [takes (cake:-coin(2))] cake\n            \
                         │  └─ [takes coin(2)] coin(2)\n            \
                         └─ [takes (cake:-coin(2))] cake\n               \
                            └─ [takes coin(2)] coin(2)\n",
        ),
        (
            "forall Y\\ (r(Y) => r(Y))",
            "forall Y\\r(Y)=>r(Y)\n\
             └─ solution: true\n   \
                └─ forall Y\\r(Y)=>r(Y)\n      \
                   └─ r(!forall1)=>r(!forall1)\n         \
                      └─ r(!forall1)\n",
        ),
        (
            "path(a, X)",
            "path(a, X)\n\
             └─ solution: X = b\n   \
                └─ [tabled, X = b] path(a, b)\n",
        ),
    ] {
        let ran = tree(&folder, &["--proof", "-g", goal, "coins.pl"]);
        assert_eq!((ran.output.as_str(), ran.errors.as_str()), (drawn, ""));
    }
}

/// Goals of a clause run in its module. A meta-argument runs in the module of the caller.
#[test]
fn bodies_run_in_the_modules_of_their_clauses() {
    let folder = Folder::new();
    folder.file(
        "away.pl",
        ":- module(away, [run/1, twice/2, of/1, wide/1, each/1]).\n\
         :- use_module(library(dcg/basics)).\n\
         :- meta_predicate twice(1, -).\n\
         :- meta_predicate of(:).\n\
         run(X) :- aux(X), aux2(X).\n\
         aux(1).\naux(2).\naux2(2).\n\
         twice(G, X) :- call(G, X), G = _:H, call(own(H), X).\n\
         own(H, X) :- H \\== X.\n\
         of(M:X) :- X = M.\n\
         wide(X) :- below(X), blanks([0' ], []).\n\
         each(X) :- G = aux2(X), G.\n",
    );
    folder.file(
        "here.pl",
        ":- use_module(away).\nlocal(1).\nbelow(7).\ngo(X) :- twice(local, X).\n",
    );
    for (goal, answer) in [
        ("run(X)", "X = 2"),
        ("go(X)", "X = 1"),
        ("of(X)", "X = user"),
        ("wide(X)", "X = 7"),
        ("away:run(X)", "X = 2"),
        ("each(X)", "X = 2"),
    ] {
        for form in [&[][..], &["--proof"]] {
            let ran = tree(&folder, &[form, &["-g", goal, "here.pl"]].concat());
            assert_eq!(
                (ran.errors.as_str(), ran.status),
                ("", 0),
                "{goal} {form:?}"
            );
            let solution = format!("solution: {answer}\n");
            assert!(ran.output.contains(&solution), "{goal}: {}", ran.output);
        }
    }
}

#[test]
fn trees_are_written_to_files() {
    let folder = Folder::new();
    let goal = "grand(tom, Z), Z \\== '<&>'";
    for (name, begin, end, solution) in [
        (
            "tree.svg",
            "<svg ",
            "</svg>\n",
            ">solution: Z = ann</tspan></text>",
        ),
        (
            "tree.html",
            "<!DOCTYPE html>",
            "</html>\n",
            "<span class=\"solution\">solution: Z = ann</span>",
        ),
        (
            "tree.txt",
            "grand(tom, Z), ",
            "solution: Z = ann\n",
            "[family.pl:2, Z = ann]",
        ),
    ] {
        let ran = tree(&folder, &["-g", goal, "-o", name, "family.pl"]);
        assert_eq!(
            (ran.output.as_str(), ran.errors.as_str(), ran.status),
            ("", "", 0)
        );
        let text = std::fs::read_to_string(folder.0.join(name)).expect("a tree");
        let whole = text.starts_with(begin) && text.ends_with(end) && text.contains(solution);
        assert!(whole, "{name}: {text}");
        assert_eq!(text.contains("<&>"), name == "tree.txt", "{text}");
    }
}

#[test]
fn trees_end_at_limits() {
    let folder = Folder::new();
    let ran = tree(&folder, &["-g", "loop", "--max-nodes", "5", "family.pl"]);
    assert!(
        ran.output
            .ends_with("the tree stops here because it has more than 5 nodes\n"),
        "{}",
        ran.output
    );
    assert_eq!(ran.output.lines().count(), 6);
    assert!(
        ran.errors.contains("the tree shows only 5 nodes"),
        "{}",
        ran.errors
    );
    assert_eq!(ran.status, 3);
    let facts: String = (0..200).map(|n| format!("fact({n}, f({n})).\n")).collect();
    folder.file(
        "facts.pl",
        &format!(":- use_module(library(linear)).\n{facts}"),
    );
    let goal = "fact(_, X), X == g";
    let ran = tree(&folder, &["-g", goal, "--max-nodes", "2", "facts.pl"]);
    let cut = ran.output.ends_with("more than 2 nodes\n") && ran.output.lines().count() <= 3;
    assert!(cut && ran.status == 3, "{}", ran.output);
    let ran = tree(
        &folder,
        &["-g", "p X -o p X", "--lolli", "--max-nodes", "1"],
    );
    assert!(
        ran.output.ends_with("it has more than 1 nodes\n"),
        "{}",
        ran.output
    );
    assert_eq!(ran.status, 3);
    let ran = tree(
        &folder,
        &[
            "-g",
            "repeat, fail",
            "--max-nodes",
            "100000",
            "--max-steps",
            "50000",
        ],
    );
    assert_eq!(ran.status, 3, "{}", ran.errors);
    assert!(
        ran.errors.contains("Inference limit exceeded"),
        "{}",
        ran.errors
    );
}

/// Exceptions are reported as for a goal of the command line: with the same text, and in JSON with kind and term.
#[test]
fn exceptions_are_reported_as_elsewhere() {
    let folder = Folder::new();
    let ran = tree(&folder, &["-g", "throw(hello)"]);
    let errors = placed("throw(hello)", "Unhandled exception: hello");
    assert_eq!((ran.errors, ran.status), (errors, 2));
    let ran = tree(&folder, &["-g", "grandd(X, Y)", "family.pl"]);
    assert!(
        ran.errors.contains("did you mean grand/2?"),
        "{}",
        ran.errors
    );
    for (goal, messages) in [
        (
            &["-g", "X is a"][..],
            r#""term": "error(type_error(evaluable,a/0),"#,
        ),
        (
            &["--lolli", "-g", "X is a"],
            r#""term": "error(type_error(integer,a),"#,
        ),
    ] {
        let args = [&["--json"], goal].concat();
        let ran = tree(&folder, &args);
        let kind = r#""kind": "exception""#;
        assert!(
            ran.errors.contains(kind) && ran.errors.contains(messages),
            "{}",
            ran.errors
        );
    }
    let args = [
        "--json",
        "--max-memory",
        "2m",
        "-g",
        "numlist(1, 1000000, L)",
    ];
    let ran = tree(&folder, &args);
    assert!(ran.errors.contains(r#""kind": "limit""#), "{}", ran.errors);
    assert_eq!(ran.status, 3);
    let ran = tree(&folder, &["-g", "halt", "-o", "tree.svg"]);
    let errors = "ERROR: the goal ends the process; Wamlet drew no tree\n";
    assert_eq!((ran.errors.as_str(), ran.status), (errors, 2));
}

/// If a goal of a clause raises an exception, the message marks this goal.
#[test]
fn exceptions_are_located_at_goals_of_clauses() {
    const HALF: &str = "\
half(X, Y) :-
    ( number(X), Y is X / 2 ; once(( true, Y is X + 1 )) ).
p(X) :- member(X, [4, a]), half(X, _), X == a.
s(X) :- nosuch(X).
twice(X) :- X < 1, X < 1.
";
    let folder = Folder::new();
    folder.file("half.pl", HALF);
    for (goal, line, marked) in [
        ("half(a, _)", 2, "Y is X + 1"),
        ("p(X)", 2, "Y is X + 1"),
        ("s(1)", 4, "nosuch(X)"),
        // Either of two equal goals may have raised it, so the head is marked.
        ("twice(a)", 5, "twice(X)"),
    ] {
        let ran = tree(&folder, &["-g", goal, "half.pl"]);
        let source = HALF.lines().nth(line - 1).unwrap_or_default();
        let at = source.find(marked).unwrap_or_default();
        let place = format!("half.pl:{line}:{}: error: ", at + 1);
        let mark = format!(
            "\n{line} | {source}\n  | {}{}\n",
            " ".repeat(at),
            "^".repeat(marked.len())
        );
        assert!(
            ran.errors.contains(&place) && ran.errors.ends_with(&mark),
            "{goal}: {}",
            ran.errors
        );
        assert_eq!(ran.status, 2);
    }
}

#[test]
fn trees_that_cannot_be_drawn_are_reported() {
    let folder = Folder::new();
    folder.file("wrong.pl", "p(a b).\n");
    for (args, status, message) in [
        (
            &["-g", "p(", "family.pl"][..],
            2,
            "goal:1:3: error: syntax error",
        ),
        (
            &["-g", "p", "-o", "tree.png", "family.pl"],
            2,
            "must end in .svg, .html or .txt",
        ),
        (
            &["-g", "true", "-o", "none/tree.svg"],
            2,
            "ERROR: none/tree.svg: No such file",
        ),
        (&["-g", "p", "wrong.pl"], 1, "Wamlet drew no tree"),
        (&["-g", "p", "none.pl"], 2, "does not exist"),
        (&["-g", "p", "module.ll"], 2, "does not exist"),
        (&["-g", "p (", "--lolli"], 2, "goal:1:4: error: syntax"),
        (&["family.pl"], 2, "-g <GOAL>"),
    ] {
        let ran = tree(&folder, args);
        assert_eq!(ran.status, status, "{args:?}: {}", ran.errors);
        assert!(ran.errors.contains(message), "{args:?}: {}", ran.errors);
    }
}

/// Goals of Lolli, with the resources that they may use and what each step does to these.
#[test]
fn resources_are_drawn() {
    let folder = Folder::new();
    folder.file(
        "stock.ll",
        "MODULE stock.\nLINEAR coin 1.\nLINEAR coin 2.\nbuy N :- coin N , N > 1.\nnone.\n",
    );
    folder.file(
        "till.pl",
        ":- use_module(library(linear)).\nprice(tea, 2).\nbuy(X) :- price(X, N), coin(N).\npay(X) :- coin(2) -<> buy(X).\n",
    );
    for (args, drawn) in [
        (
            &["-g", "buy X , coin Y", "stock.ll"][..],
            "buy X , coin Y\n\
             └─ buy X  with coin 1, coin 2\n   \
                └─ [stock.ll:4] coin X  with coin 1, coin 2\n      \
                   ├─ [takes coin 1, stock.ll:2, X <- 1] 1 > 1  with coin 2\n      \
                   │  └─ fails\n      \
                   └─ [takes coin 2, stock.ll:3, X <- 2] 2 > 1  with coin 1\n         \
                      └─ coin Y  with coin 1\n            \
                         └─ [takes coin 1, stock.ll:2, Y <- 1] solution: X <- 2 , Y <- 1\n",
        ),
        (
            &["-g", "none", "stock.ll"],
            "none  with coin 1, coin 2\n└─ [stock.ll:5] left over: coin 1, coin 2\n",
        ),
        (
            &["-g", "a => b -o ({a} , (b & b))", "--lolli"],
            "a => b -o ({a} , (b & b))\n\
             └─ [assumes a] b -o ({a} , (b & b))\n   \
                └─ [assumes linear b, {] a\n      \
                   └─ [uses a, }, first of &] b  with b\n         \
                      └─ [takes b, second of &] b  with b\n            \
                         └─ [takes b, end of &] solution: solved\n",
        ),
        (
            &["-g", "pay(X)", "till.pl"],
            "pay(X)\n\
             └─ [till.pl:4, assumes linear coin(2)] buy(X)  with coin(2)\n   \
                └─ [till.pl:3] price(X, _1)  with coin(2)\n      \
                   └─ [till.pl:2, X = tea, _1 = 2] coin(2)  with coin(2)\n         \
                      └─ [takes coin(2)] solution: X = tea\n",
        ),
        (
            &["-g", "X is a", "--lolli"],
            "X is a\n└─ raises 2nd argument of `is' contains a non-integer constant (a)\n",
        ),
    ] {
        let ran = tree(&folder, args);
        let (errors, status) = messages(args[1], drawn, "");
        assert_eq!(
            (ran.output.as_str(), ran.errors, ran.status),
            (drawn, errors, status),
            "{args:?}"
        );
    }
}

const CHOICES: &str = "\
:- use_module(library(linear)).
some(X) :- between(1, 2, X), X > 1.
small(X) :- ( X > 1 -> true ; X = 1 ), X < 5.
first(X) :- fact(X), !.
first(0).
fact(1).
fact(2).
all(L) :- findall(X, (fact(X), X > 1), L), forall(fact(Y), Y > 0), \\+ fact(3).
day(X) :- (coin(2), (cake :- coin(C), C > X)) -<> cake.
coin(0) :- fact(2).
";

/// Goals, and their trees.
const TREES_OF_CHOICES: &[(&str, &str)] = &[
    (
        "some(X)",
        "some(X)\n\
             └─ [choices.pl:2] between(1, 2, X)\n   \
             ├─ [X = 1] 1>1\n   \
             │  └─ fails\n   \
             └─ [X = 2] 2>1\n      \
             └─ solution: X = 2\n",
    ),
    (
        "small(9)",
        "small(9)\n\
             └─ [choices.pl:3] (9>1->true;9=1)\n   \
             ├─ [then] 9>1\n   \
             │  └─ 9<5\n   \
             │     └─ fails\n   \
             └─ cut off: the other branches are not tried\n",
    ),
    (
        "small(0)",
        "small(0)\n\
             └─ [choices.pl:3] (0>1->true;0=1)\n   \
             ├─ [then] 0>1\n   \
             │  └─ fails\n   \
             └─ [else] 0=1\n      \
             └─ fails\n",
    ),
    (
        "first(X)",
        "first(X)\n\
             ├─ [choices.pl:4] fact(X)\n\
             │  └─ [choices.pl:6, X = 1, cut] solution: X = 1\n\
             └─ cut off: the other branches are not tried\n",
    ),
    (
        "all(L)",
        "all(L)\n\
             └─ [choices.pl:8] findall(_1, (fact(_1), _1>1), L)\n   \
             ├─ fact(_1)\n   \
             │  ├─ [choices.pl:6, _1 = 1] 1>1\n   \
             │  │  └─ fails\n   \
             │  └─ [choices.pl:7, _1 = 2] 2>1\n   \
             │     └─ collected\n   \
             └─ [L = [2]] forall(fact(_2), _2>0)\n      \
             ├─ fact(_2)\n      \
             │  ├─ [choices.pl:6, _2 = 1] 1>0\n      \
             │  │  └─ holds\n      \
             │  └─ [choices.pl:7, _2 = 2] 2>0\n      \
             │     └─ holds\n      \
             └─ \\+fact(3)\n         \
             ├─ [not] fact(3)\n         \
             │  └─ fails\n         \
             └─ solution: L = [2]\n",
    ),
    (
        "day(1)",
        "day(1)\n\
             └─ [choices.pl:9, assumes linear (cake:-coin(_1), _1>1), assumes linear coin(2)] cake  with coin(2), (cake:-coin(_1), _1>1)\n   \
             └─ [takes (cake:-coin(_1), _1>1)] coin(_1)  with coin(2)\n      \
             ├─ [takes coin(2), _1 = 2] 2>1\n      \
             │  └─ solution: true\n      \
             └─ [choices.pl:10, _1 = 0] fact(2)  with coin(2)\n         \
             └─ [choices.pl:7] 0>1  with coin(2)\n            \
             └─ fails\n",
    ),
    (
        "(fact(X) *-> X < 2 ; true)",
        "(fact(X)*->X<2;true)\n\
             ├─ [then] fact(X)\n\
             │  ├─ [choices.pl:6, X = 1] 1<2\n\
             │  │  └─ solution: X = 1\n\
             │  └─ [choices.pl:7, X = 2] 2<2\n\
             │     └─ fails\n\
             └─ cut off: the other branches are not tried\n",
    ),
];

/// Programs of library(linear): clauses compiled in place, control constructs, cuts, and branches that fail.
#[test]
fn programs_of_linear_logic_have_all_of_their_branches() {
    let folder = Folder::new();
    folder.file("choices.pl", CHOICES);
    for &(goal, drawn) in TREES_OF_CHOICES {
        let ran = tree(&folder, &["-g", goal, "choices.pl"]);
        assert_eq!((ran.output.as_str(), ran.errors.as_str()), (drawn, ""));
    }
}

/// Returns the queries of a file of tests or of a session.
fn queries(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some(first) = line.strip_prefix("?- ") else {
            continue;
        };
        let mut query = first.trim_end().to_owned();
        while !query.ends_with('.') {
            let Some(next) = lines.next() else { break };
            query = format!("{query} {}", next.trim());
        }
        let shown = query.trim_end_matches('.').trim_end().to_owned();
        // Queries that read, write or end, and those about the system itself, are skipped.
        let asks = [
            "top", "load", "bye", "exit", "read", "write", "pop", "abort", "halt", "why",
            "context", "trace", "telling", "seeing", "causal", "system", "cd ", "nl",
        ];
        if !asks.iter().any(|word| shown.contains(word)) {
            found.push(shown);
        }
    }
    found
}

/// Returns a text without the numbers of variables.
fn unnumbered(text: &str) -> String {
    let text: Vec<&str> = text.split_whitespace().collect();
    let mut plain = String::new();
    let mut in_variable = false;
    for c in text.join(" ").chars() {
        in_variable = c == '_' || (in_variable && c.is_ascii_alphanumeric());
        if !in_variable || c == '_' {
            plain.push(c);
        }
    }
    plain
}

/// Returns the answers of a query, or `None` if it raises an error or has many answers.
fn answers(engine: &mut Engine, modules: Option<&[&str]>, query: &str) -> Option<Vec<String>> {
    let solutions = match modules {
        Some(modules) => engine.lolli_query_in(modules, query),
        None => engine.query(query),
    };
    let mut found = Vec::new();
    for solution in solutions.ok()? {
        found.push(unnumbered(&solution.ok()?.to_string()));
        if found.len() > 30 {
            return None;
        }
    }
    Some(found)
}

/// Returns the answers in the tree of a query, or `None` if the tree is large.
fn answers_of_tree(
    engine: &mut Engine,
    modules: Option<&[&str]>,
    query: &str,
) -> Option<Vec<String>> {
    let mut given = vec![("Goal", Term::string(query))];
    let mut goal = "search_tree:tree_of_prolog(Goal, text, 1500, Tree, Whole)";
    if let Some(modules) = modules {
        let modules = modules.iter().map(|module| Term::atom(*module)).collect();
        given.push(("Modules", Term::list(modules)));
        goal = "search_tree:tree_of_lolli(Modules, Goal, text, 1500, Tree, Whole)";
    }
    let mut solutions = engine.query_with(goal, &given).expect("a goal");
    match solutions.advance() {
        Err(error) if *error.kind() == ErrorKind::InferenceLimit => return None,
        drawn => drawn.unwrap_or_else(|error| panic!("{query}: {error}")),
    };
    let whole = solutions.get("Whole")? != Term::atom("false");
    let tree = solutions.get("Tree")?;
    let tree = tree.as_text()?;
    let found = tree
        .lines()
        .filter_map(|line| line.split_once("solution: "));
    whole.then(|| found.map(|(_, answer)| unnumbered(answer)).collect())
}

/// Trees have the same answers as queries.
#[test]
fn trees_have_the_answers_of_queries() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut compared = 0;
    for (folder, ending) in [
        ("programs", "ll"),
        ("tests/cases/lolli", "session"),
        ("tests/cases/linear", "pl"),
        ("tests/cases/constraints", "pl"),
    ] {
        let folder = root.join(folder);
        let entries = std::fs::read_dir(&folder).expect("a folder");
        let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        files.retain(|file| file.extension().is_some_and(|end| end == ending));
        files.sort();
        for file in files {
            let asked = match ending {
                "session" => file.clone(),
                _ => file.with_extension("queries"),
            };
            let Ok(text) = std::fs::read_to_string(asked) else {
                continue;
            };
            let name = file.to_str().expect("a name");
            let modules: Option<&[&str]> = match ending {
                "pl" => None,
                "ll" => Some(&[name]),
                _ => Some(&[]),
            };
            for query in queries(&text) {
                let engine = || {
                    let builder = EngineBuilder::default().inference_limit(3_000_000);
                    let mut engine = builder.build().expect("an engine");
                    engine.add_module_folder(&folder);
                    if ending == "pl" {
                        engine.consult_file(name).expect("a program");
                    }
                    engine
                };
                let Some(expected) = answers(&mut engine(), modules, &query) else {
                    continue;
                };
                let Some(found) = answers_of_tree(&mut engine(), modules, &query) else {
                    continue;
                };
                compared += 1;
                assert_eq!(found.len(), expected.len(), "{name}: {query}");
                if modules.is_some() {
                    assert_eq!(found, expected, "{name}: {query}");
                }
            }
        }
    }
    assert!(compared > 300, "only {compared} queries were compared");
}
