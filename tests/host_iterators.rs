//! Functions of the host that give solutions one by one. Each iterator lives exactly as long as the program may
//! request a solution from it.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use wamlet::{Call, Engine, ErrorKind, Term};

/// The number of iterators, and the number of items that they have given.
#[derive(Clone, Default)]
struct Seen {
    living: Arc<AtomicI64>,
    given: Arc<AtomicI64>,
}

impl Seen {
    fn living(&self) -> i64 {
        self.living.load(Ordering::Relaxed)
    }
}

/// An iterator that counts up from a number, up to another if there is one.
struct Counter {
    next: i64,
    last: Option<i64>,
    seen: Seen,
}

impl Drop for Counter {
    fn drop(&mut self) {
        self.seen.living.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Iterator for Counter {
    type Item = Result<Vec<Term>, Term>;

    fn next(&mut self) -> Option<Self::Item> {
        let value = self.next;
        if self.last.is_some_and(|last| value > last) {
            return None;
        }
        self.next += 1;
        self.seen.given.fetch_add(1, Ordering::Relaxed);
        Some(Ok(vec![Term::from(value)]))
    }
}

/// Returns an engine with `count(X)`, which never ends, `upto(X, N)`, and `living(N)`, which gives the number of
/// iterators.
fn engine() -> (Engine, Seen) {
    let (mut engine, seen) = (Engine::new().expect("an engine"), Seen::default());
    let counter = |seen: &Seen, last| {
        seen.living.fetch_add(1, Ordering::Relaxed);
        let seen = seen.clone();
        Counter {
            next: 1,
            last,
            seen,
        }
    };
    let of = seen.clone();
    let count = move |_: &mut Call<'_>| Ok(counter(&of, None));
    engine.register_each("count", 1, count).expect("a new name");
    let of = seen.clone();
    let upto = move |call: &mut Call<'_>| {
        let last = call.arg(1);
        let last = last
            .as_integer()
            .ok_or_else(|| Call::type_error("integer", last))?;
        Ok(counter(&of, Some(last)))
    };
    engine.register_each("upto", 2, upto).expect("a new name");
    let of = seen.clone();
    let living = move |call: &mut Call<'_>| call.unify(0, of.living());
    engine.register("living", 1, living).expect("a new name");
    (engine, seen)
}

#[track_caller]
fn answers(engine: &mut Engine, seen: &Seen, goal: &str, expected: &str) {
    let solution = engine.query_once(goal).expect(goal);
    let answer = solution.map_or("false".to_string(), |solution| solution.to_string());
    assert_eq!(answer, expected, "{goal}");
    assert_eq!(seen.living(), 0, "{goal}");
}

#[test]
fn solutions_come_one_by_one() {
    let (mut engine, seen) = engine();
    for (goal, expected) in [
        ("findall(X, upto(X, 4), L)", "L = [1, 2, 3, 4]"),
        (
            "findall(X-Y, (upto(X, 2), upto(Y, X)), L)",
            "L = [1-1, 2-1, 2-2]",
        ),
        ("findall(X, upto(X, 0), L)", "L = []"),
        ("upto(3, 5)", "true"),
        ("upto(6, 5)", "false"),
        ("count(X), X > 1000", "X = 1001"),
        ("count(5000)", "true"),
        ("freeze(X, X > 3), count(X)", "X = 4"),
        ("aggregate_all(count, upto(_, 300), N)", "N = 300"),
        ("upto(f(X), 2)", "false"),
    ] {
        answers(&mut engine, &seen, goal, expected);
    }
}

#[test]
fn items_are_requested_when_solutions_are() {
    let (mut engine, seen) = engine();
    let mut solutions = engine.query("count(X)").expect("a goal");
    for nth in 1..=3 {
        solutions.next().expect("a solution").expect("no error");
        assert_eq!(seen.given.load(Ordering::Relaxed), nth);
    }
}

#[test]
fn the_end_of_a_search_drops_iterators_at_once() {
    let (mut engine, seen) = engine();
    for (goal, expected) in [
        ("count(X), !, living(N)", "X = 1,\nN = 0"),
        ("count(_), count(X), living(N), !", "X = 1,\nN = 2"),
        ("once((count(X), X > 2)), living(N)", "X = 3,\nN = 0"),
        ("( count(X), X > 2 -> living(N) ; true )", "X = 3,\nN = 0"),
        ("\\+ \\+ count(_), living(N)", "N = 0"),
        ("forall(upto(X, 3), X > 0), living(N)", "N = 0"),
        ("call((count(X), !)), living(N)", "X = 1,\nN = 0"),
        ("upto(X, 2), X > 1, living(N), upto(1, 1)", "X = 2,\nN = 1"),
        (
            "findall(X, upto(X, 3), L), living(N)",
            "L = [1, 2, 3],\nN = 0",
        ),
        (
            "catch((count(_), count(X), X > 2, throw(X)), B, true), living(N)",
            "B = 3,\nN = 0",
        ),
        (
            "catch((count(_), atom_length(_, _)), error(E, _), true), living(N)",
            "E = instantiation_error,\nN = 0",
        ),
        ("catch(count(X), _, true), !, living(N)", "X = 1,\nN = 0"),
        ("limit(2, count(X)), X > 1, living(N)", "X = 2,\nN = 0"),
        (
            "between(1, 3, Y), count(X), X > Y, living(A), !, living(B)",
            "X = 2,\nB = 0",
        ),
        ("count(X) *-> X > 2, !, living(N) ; true", "X = 3,\nN = 0"),
    ] {
        let solution = engine.query_once(goal).expect(goal).expect(goal);
        let answer = solution.to_string();
        assert!(
            expected
                .split(",\n")
                .all(|part| answer.split(",\n").any(|other| other == part)),
            "{goal}: {answer}"
        );
        assert_eq!(seen.living(), 0, "{goal}");
    }
}

#[test]
fn cleanup_goals_run_after_iterators_are_dropped() {
    let (mut engine, seen) = engine();
    let mut out = String::new();
    for goal in [
        "count(_), setup_call_cleanup(true, count(_), living(A)), count(_), !",
        "catch((setup_call_cleanup(true, count(_), living(A)), count(_), throw(x)), x, true)",
    ] {
        let goal = format!("{goal}, living(B)");
        let solution = engine.query_once(&goal).expect(&goal).expect(&goal);
        out += &format!("{solution}\n");
        assert_eq!(seen.living(), 0, "{goal}");
    }
    assert_eq!(out, "A = B, B = 0\nB = 0\n");
}

#[test]
#[expect(clippy::mem_forget, reason = "hosts may leak solutions")]
fn closing_a_query_drops_its_iterators() {
    let (mut engine, seen) = engine();
    let mut solutions = engine.query("count(_), count(X)").expect("a goal");
    solutions.next().expect("a solution").expect("no error");
    assert_eq!(seen.living(), 2);
    solutions.close().expect("no cleanup goal");
    assert_eq!(seen.living(), 0);

    let mut solutions = engine.query("count(X)").expect("a goal");
    solutions.next().expect("a solution").expect("no error");
    let mut inner = solutions.engine().query("count(Y)").expect("a goal");
    inner.next().expect("a solution").expect("no error");
    assert_eq!(seen.living(), 2);
    drop(inner);
    assert_eq!(seen.living(), 1);
    assert_eq!(
        solutions
            .next()
            .expect("one")
            .expect("no error")
            .to_string(),
        "X = 2"
    );
    drop(solutions);
    assert_eq!(seen.living(), 0);

    // A leaked query is closed when the next query starts.
    let mut solutions = engine.query("count(X)").expect("a goal");
    solutions.next().expect("a solution").expect("no error");
    std::mem::forget(solutions);
    assert_eq!(seen.living(), 1);
    answers(&mut engine, &seen, "true", "true");

    let mut solutions = engine.query("count(X)").expect("a goal");
    solutions.next().expect("a solution").expect("no error");
    std::mem::forget(solutions);
    drop(engine);
    assert_eq!(seen.living(), 0);
}

#[test]
fn limits_and_interrupts_end_an_iterator_that_never_fits() {
    let (_, seen) = engine();
    let mut engine = Engine::builder()
        .inference_limit(100_000)
        .build()
        .expect("an engine");
    let of = seen.clone();
    let count = move |_: &mut Call<'_>| {
        of.living.fetch_add(1, Ordering::Relaxed);
        let seen = of.clone();
        Ok(Counter {
            next: 1,
            last: None,
            seen,
        })
    };
    engine.register_each("count", 1, count).expect("a new name");
    for goal in ["count(none)", "count(_), fail", "count(X), X > 1000000000"] {
        let error = engine.query_once(goal).expect_err(goal);
        assert_eq!(error.kind(), &ErrorKind::InferenceLimit, "{goal}");
        assert_eq!(seen.living(), 0, "{goal}");
    }
}

#[test]
#[cfg(panic = "unwind")]
fn errors_and_panics_of_an_iterator_are_exceptions() {
    let (mut engine, seen) = engine();
    answers(
        &mut engine,
        &seen,
        "catch(upto(_, a), error(E, _), true)",
        "E = type_error(integer, a)",
    );
    let items = |call: &mut Call<'_>| {
        let after = call.arg(0);
        let Some(after) = after.as_integer() else {
            return Err(Call::type_error("integer", after));
        };
        let mut nth = 0;
        Ok(std::iter::from_fn(move || {
            nth += 1;
            let ends = nth > after;
            match ends {
                true if nth == 4 => panic!("on purpose"),
                true => Some(Err(Term::atom("enough"))),
                false => Some(Ok(vec![Term::from(after), Term::from(nth)])),
            }
        }))
    };
    engine.register_each("items", 2, items).expect("a new name");
    answers(
        &mut engine,
        &seen,
        "catch((items(2, X), X > 2), B, true)",
        "B = enough",
    );
    answers(
        &mut engine,
        &seen,
        "catch(items(0, X), B, true)",
        "B = enough",
    );
    let caught = engine.query_once("catch((items(3, X), X > 3), error(E, _), true)");
    assert_eq!(
        caught.expect("caught").expect("caught").to_string(),
        "E = system_error('a function of the host panicked')"
    );
}

/// Variables of the arguments keep their names in later items, even if a garbage collection has moved them.
#[test]
fn variables_of_arguments_keep_their_identity() {
    for always in [false, true] {
        let builder = Engine::builder().collect_at_every_call(always);
        let mut engine = builder.build().expect("an engine");
        let pairs = |call: &mut Call<'_>| {
            let first = call.arg(0);
            let rows = (1..=3).map(move |nth| {
                let pair = Term::compound("-", vec![Term::from(nth), first.clone()]);
                Ok(vec![first.clone(), pair])
            });
            Ok(rows)
        };
        engine.register_each("pairs", 2, pairs).expect("a new name");
        let goal = "atom_codes(A, \"x\"), L = [A, _, B], findall(P-B, (pairs(f(B), P), length(M, 3), M = [B|_], B = b), L2)";
        let solution = engine.query_once(goal).expect(goal).expect(goal);
        let pairs = solution.get("L2").expect("a value").to_string();
        assert_eq!(pairs, "[1-f(b)-b,2-f(b)-b,3-f(b)-b]");
    }
}

#[test]
fn registered_names_cannot_be_replaced() {
    let (mut engine, seen) = engine();
    let error = engine.register("upto", 2, |call| call.unify(0, 7));
    let error = error.expect_err("it is registered");
    assert_eq!(error.message(), "the host has registered upto/2");
    let two = |_: &mut Call<'_>| Ok([8, 9].map(|value| Ok(vec![Term::from(value)])).into_iter());
    assert!(engine.register_each("upto", 2, two).is_err());
    let goal = "findall(X, upto(X, 2), L)";
    answers(&mut engine, &seen, goal, "L = [1, 2]");
    let goal = "catch(assertz(upto(1, 1)), error(permission_error(_, _, _), _), true)";
    answers(&mut engine, &seen, goal, "true");
}
