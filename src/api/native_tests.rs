//! What is known of the choice points of builtins: how many solutions are left, and how they are divided.

use super::Engine;
use crate::machine::builtin::{NativeChoice, Rest};
use crate::machine::frames::layout::ChoiceKind;
use crate::machine::state::Machine;
use crate::store::cell::Cell;

/// What the newest choice point of a goal has left to do after so many of its solutions.
fn after(engine: &mut Engine, goal: &str, solutions: usize) -> (&'static NativeChoice, Rest) {
    let mut open = engine.query(goal).unwrap();
    for _ in 0..solutions {
        open.next().unwrap().unwrap();
    }
    let m = &*open.engine().machine;
    let ChoiceKind::Native(native) = m.choice_kind(m.choice) else {
        panic!("{goal} has left no choice point of a builtin");
    };
    let rest = m.native_rest(m.choice);
    (native, rest)
}

/// The integers that are left.
fn integers(m: &mut Machine, native: &NativeChoice, rest: &Rest) -> Vec<i64> {
    let count = (native.remaining)(m, &rest.args, rest.state).unwrap();
    match (native.split)(m, rest) {
        Some(parts) => {
            let parts = parts.map(|part| integers(m, native, &part));
            assert!(parts[0].len().abs_diff(parts[1].len()) < 2);
            assert_eq!(parts.concat().len() as u64, count);
            parts.concat()
        }
        None if count == 0 => Vec::new(),
        None => {
            assert_eq!(count, 1);
            vec![rest.args[0].int_value() + rest.state]
        }
    }
}

#[test]
fn between_knows_what_is_left_and_divides_it() {
    let engine = &mut Engine::new().unwrap();
    for (goal, solutions, expected) in [
        ("between(1, 10, X)", 1, 2..=10),
        ("between(1, 10, X)", 2, 3..=10),
        ("between(1, 10, X)", 7, 8..=10),
        ("between(1, 10, X)", 9, 10..=10),
        ("between(-3, 3, X)", 3, 0..=3),
        ("between(5, 6, _)", 1, 6..=6),
    ] {
        let (native, rest) = after(engine, goal, solutions);
        let left = integers(&mut engine.machine, native, &rest);
        assert_eq!(left, expected.collect::<Vec<_>>(), "{goal}");
    }
}

#[test]
fn what_is_not_known_is_not_told() {
    let engine = &mut Engine::new().unwrap();
    for goal in [
        "between(1, inf, X)",
        "between(1, 100000000000000000000, X)",
        "freeze(X, true), between(1, 9, X)",
        "sub_atom(abc, _, _, _, X)",
        "atom_concat(X, Y, abc)",
    ] {
        let (native, rest) = after(engine, goal, 1);
        let m = &*engine.machine;
        assert_eq!(
            (native.remaining)(m, &rest.args, rest.state),
            None,
            "{goal}"
        );
        assert!((native.split)(m, &rest).is_none(), "{goal}");
    }
}

/// The parts of what is left are done where the choice point was: the first in its place, the second by a call.
#[test]
fn parts_have_the_solutions_of_the_whole() {
    let engine = &mut Engine::new().unwrap();
    let (native, rest) = after(engine, "between(1, 7, X)", 2);
    let [first, second] = (native.split)(&engine.machine, &rest).unwrap();
    let bounds = |part: &Rest| [0, 1].map(|index: usize| part.args[index].int_value());
    let goals =
        [bounds(&first), bounds(&second)].map(|[low, high]| format!("between({low}, {high}, X)"));
    let found = goals.map(|goal| {
        let all = engine.query(&goal).unwrap();
        all.map(|solution| solution.unwrap().to_string())
            .collect::<Vec<_>>()
    });
    assert_eq!(
        found.concat(),
        ["X = 3", "X = 4", "X = 5", "X = 6", "X = 7"]
    );
    assert_eq!(second.args[2], rest.args[2]);
    assert_ne!(second.args[2], Cell::int(0));
}
