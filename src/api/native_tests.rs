//! Tests of the choice points of builtins: the known number of remaining solutions.

use super::Engine;
use crate::base::number::Number;
use crate::machine::frames::layout::ChoiceKind;
use crate::store::cell::Cell;

/// Returns the number of solutions left of a goal after `solutions` of them. Its choice point is the newest
/// one.
fn solutions_left(engine: &mut Engine, goal: &str, solutions: usize) -> Option<Number> {
    let mut open = engine.query(goal).unwrap();
    for _ in 0..solutions {
        open.next().unwrap().unwrap();
    }
    let m = &*open.engine().machine;
    let ChoiceKind::Native(native) = m.choice_kind(m.choice) else {
        panic!("{goal} has left no choice point of a builtin");
    };
    let arity = m.native_arity(m.choice);
    let args: Vec<Cell> = (0..arity)
        .map(|index| m.choice_arg(m.choice, index))
        .collect();
    let state = m.choice_arg(m.choice, arity).int_value();
    (native.remaining)(m, &args, state)
}

#[test]
fn between_knows_solutions_left() {
    let engine = &mut Engine::new().unwrap();
    for (goal, solutions, expected) in [
        ("between(1, 10, X)", 1, 9),
        ("between(1, 10, X)", 2, 8),
        ("between(1, 10, X)", 7, 3),
        ("between(1, 10, X)", 9, 1),
        ("between(-3, 3, X)", 3, 4),
        ("between(5, 6, _)", 1, 1),
    ] {
        assert_eq!(
            solutions_left(engine, goal, solutions),
            Some(Number::Int(expected)),
            "{goal}"
        );
    }
}

#[test]
fn unknown_number_is_none() {
    let engine = &mut Engine::new().unwrap();
    for goal in [
        "between(1, inf, X)",
        "freeze(X, true), between(1, 9, X)",
        "sub_atom(abc, _, _, _, X)",
        "atom_concat(X, Y, abc)",
    ] {
        assert_eq!(solutions_left(engine, goal, 1), None, "{goal}");
    }
}
