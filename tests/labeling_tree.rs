//! `wamlet tree` draws the decisions of labeling.
#![cfg(feature = "cli")]

#[path = "support/process.rs"]
mod process;

use process::{Folder, run_in};

/// Goals, and the trees of their search.
const TREES: &[(&str, &str)] = &[
    (
        "[X,Y] ins 1..3, X #< Y, label([X,Y])",
        "[X, Y]ins 1..3, X#<Y, label([X, Y])\n\
             └─ [X in 1..3, Y in 1..3] X#<Y, label([X, Y])\n   \
                └─ [X in 1..2, Y in 2..3] label([X, Y])\n      \
                   ├─ X in 1..2: X = 1\n      \
                   │  ├─ Y in 2..3: Y = 2\n      \
                   │  │  └─ solution: X = 1, Y = 2\n      \
                   │  └─ Y in 2..3: Y = 3\n      \
                   │     └─ solution: X = 1, Y = 3\n      \
                   └─ X in 1..2: X = 2\n         \
                      └─ [Y = 3] solution: X = 2, Y = 3\n",
    ),
    (
        "[X,Y,Z] ins 1..2, all_different([X,Y,Z]), indomain(X)",
        "[X, Y, Z]ins 1..2, all_different([X, Y, Z]), indomain(X)\n\
             └─ [X in 1..2, Y in 1..2, Z in 1..2] all_different([X, Y, Z]), indomain(X)\n   \
                └─ indomain(X)\n      \
                   ├─ X in 1..2: X = 1\n      \
                   │  └─ fails\n      \
                   └─ X in 1..2: X = 2\n         \
                      └─ fails\n",
    ),
    (
        "X in 1..4, labeling([bisect,down], [X]), X < 4, !",
        "X in 1..4, labeling([bisect, down], [X]), X<4, !\n\
             └─ [X in 1..4] labeling([bisect, down], [X]), X<4, !\n   \
                ├─ X in 1..4: X #> 2\n   \
                │  ├─ X in 3..4: X #> 3\n   \
                │  │  └─ [X = 4] 4<4, !\n   \
                │  │     └─ fails\n   \
                │  └─ X in 3..4: X = 3\n   \
                │     └─ 3<4, !\n   \
                │        └─ !\n   \
                │           └─ [cut] solution: X = 3\n   \
                └─ cut off: the other branches are not tried\n",
    ),
    (
        "[X,Y] ins 1..2, once(labeling([max(X-Y)], [X,Y]))",
        "[X, Y]ins 1..2, once(labeling([max(X-Y)], [X, Y]))\n\
             └─ [X in 1..2, Y in 1..2] once(labeling([max(X-Y)], [X, Y]))\n   \
                └─ [once] labeling([max(X-Y)], [X, Y])\n      \
                   ├─ search for max(X-Y)\n      \
                   │  ├─ X in 1..2: X = 1\n      \
                   │  │  ├─ Y in 1..2: Y = 1\n      \
                   │  │  │  └─ found: 0\n      \
                   │  │  └─ Y in 1..2: Y #\\= 1\n      \
                   │  │     └─ fails\n      \
                   │  └─ X in 1..2: X = 2\n      \
                   │     └─ [Y = 1] found: 1\n      \
                   ├─ max(X-Y) = 1\n      \
                   │  └─ [X = 2, Y = 1] solution: X = 2, Y = 1\n      \
                   └─ cut off: the other branches are not tried\n",
    ),
    (
        "[X,Y,Z,W] ins 1..3, all_different([X,Y,Z,W]), labeling([failures(1,End)], [X,Y,Z,W]), W = 3",
        "[X, Y, Z, W]ins 1..3, all_different([X, Y, Z, W]), labeling([failures(1, End)], [X, Y, Z, W]), W=3\n\
             └─ [X in 1..3, Y in 1..3, Z in 1..3, W in 1..3] all_different([X, Y, Z, W]), \
             labeling([failures(1, End)], [X, Y, Z, W]), W=3\n   \
                └─ labeling([failures(1, End)], [X, Y, Z, W]), W=3\n      \
                   ├─ X in 1..3: X = 1\n      \
                   │  ├─ [Z in 2..3, W in 2..3] Y in 2..3: Y = 2\n      \
                   │  │  └─ fails\n      \
                   │  └─ Y in 2..3: Y #\\= 2\n      \
                   │     └─ fails\n      \
                   ├─ the limit of failures ends the labeling\n      \
                   └─ [limit] W=3\n         \
                      └─ [X in 1..2, Y in 1..2, Z in 1..2, W = 3] solution: W = 3, End = limit, \
             X in 1..2, Y in 1..2, Z in 1..2\n",
    ),
];

/// Decisions of labeling are nodes, with the domains of the variables.
#[test]
fn decisions_of_labeling_are_drawn() {
    let folder = Folder::new();
    folder.file("model.pl", ":- use_module(library(clpfd)).\n");
    for &(goal, drawn) in TREES {
        let ran = run_in(&folder.0, &["tree", "-g", goal, "model.pl"], "");
        assert_eq!(
            (ran.output.as_str(), ran.errors.as_str(), ran.status),
            (drawn, "", 0),
            "{goal}"
        );
    }
    let goal = "[X,Y] ins 1..90, label([X,Y])";
    let args = ["tree", "-g", goal, "--max-nodes", "50", "model.pl"];
    let ran = run_in(&folder.0, &args, "");
    assert!(
        ran.output
            .ends_with("the tree stops here because it has more than 50 nodes\n")
    );
    assert_eq!(ran.status, 3);
}
