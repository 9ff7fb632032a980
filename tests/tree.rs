//! `wamlet tree`: the search tree of a query, as text, SVG and HTML.
#![cfg(feature = "cli")]

#[path = "support/process.rs"]
mod process;

use process::{Folder, Ran, run_in};

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
        assert_eq!(
            (ran.output.as_str(), ran.errors.as_str()),
            (drawn, ""),
            "{goal}"
        );
        assert_eq!(ran.status, 0, "{goal}");
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
            .ends_with("the tree ends here: it has more than 5 nodes\n"),
        "{}",
        ran.output
    );
    assert_eq!(ran.output.lines().count(), 6);
    assert!(
        ran.errors.contains("drawn up to 5 nodes only"),
        "{}",
        ran.errors
    );
    assert_eq!(ran.status, 0);
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

#[test]
fn what_cannot_be_drawn_is_told() {
    let folder = Folder::new();
    folder.file("wrong.pl", "p(a b).\n");
    for (args, status, message) in [
        (
            &["-g", "p(", "family.pl"][..],
            2,
            "goal:1:3: error: Syntax error",
        ),
        (
            &["-g", "p", "-o", "tree.png", "family.pl"],
            2,
            "ends in .svg, .html or .txt",
        ),
        (&["-g", "p", "wrong.pl"], 1, "no tree is drawn"),
        (&["-g", "p", "none.pl"], 2, "does not exist"),
        (
            &["-g", "p", "module.ll"],
            2,
            "no trees are drawn of queries of Lolli",
        ),
        (&["family.pl"], 2, "-g <GOAL>"),
    ] {
        let ran = tree(&folder, args);
        assert_eq!(ran.status, status, "{args:?}: {}", ran.errors);
        assert!(ran.errors.contains(message), "{args:?}: {}", ran.errors);
    }
}
