//! Limits that a host changes between queries, and the output of a program when a query has returned.

#[path = "support/host.rs"]
mod host;

use host::{answer, engine, kind};
use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use wamlet::{Budget, Capabilities, Engine, ErrorKind};

/// A writer whose bytes the test can read.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);
impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("no panic").extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Output of a program comes before later output of the host.
#[test]
fn output_is_written_before_the_host_continues() {
    let shared = Shared::default();
    let mut engine = engine();
    engine.set_output(shared.clone());
    let seen = || String::from_utf8(shared.0.lock().unwrap().clone()).unwrap();
    let mut solutions = engine.query("member(X, [a, b]), write(X)").unwrap();
    assert!(solutions.advance().unwrap());
    assert_eq!(seen(), "a");
    assert!(solutions.advance().unwrap());
    assert_eq!(seen(), "ab");
    drop(solutions);
    engine.query_once("write(c), fail").unwrap();
    assert_eq!(seen(), "abc");
    engine.query_once("write(d), throw(e)").unwrap_err();
    assert_eq!(seen(), "abcd");
    let cleaned = "setup_call_cleanup(true, member(_, [1, 2]), write(e))";
    engine.query_once(cleaned).unwrap();
    assert_eq!(seen(), "abcde");
    engine.consult_text("f.pl", ":- write(f).").unwrap();
    assert_eq!(seen(), "abcdef");
    engine.set_budget(Budget::new().steps(1000));
    engine.query_once("write(g), repeat, fail").unwrap_err();
    engine.query_once("true").unwrap();
    assert_eq!(seen(), "abcdefg");
}

/// Limits may change between queries, and within one.
#[test]
fn limits_apply_to_the_current_query() {
    let mut engine = engine();
    let count = "between(1, 1000, X), X >= 1000";
    engine.set_budget(Budget::new().steps(100));
    assert_eq!(kind(&mut engine, count), ErrorKind::InferenceLimit);
    engine.set_budget(Budget::new());
    assert_eq!(answer(&mut engine, count), "X = 1000");
    let spin = "repeat, fail";
    engine.set_budget(Budget::new().time(Duration::from_millis(50)));
    assert_eq!(kind(&mut engine, spin), ErrorKind::TimeLimit);
    engine.set_budget(Budget::new());
    assert_eq!(answer(&mut engine, "sleep(0.1)"), "true");

    // Earlier inferences of an open query count.
    let mut solutions = engine
        .query("between(1, inf, X), X mod 1000 =:= 0")
        .unwrap();
    assert!(solutions.advance().unwrap());
    solutions.engine().set_budget(Budget::new().steps(100_000));
    assert!(solutions.advance().unwrap());
    solutions.engine().set_budget(Budget::new().steps(10));
    let ended = solutions.advance().unwrap_err();
    assert_eq!(*ended.kind(), ErrorKind::InferenceLimit);
    drop(solutions);
    engine.set_budget(Budget::new());

    let fill = "length(L, 1000000), L = [a|_]";
    let program: String = (0..100_000).map(|n| format!("f({n}).\n")).collect();
    engine.consult_text("facts.pl", &program).unwrap();
    for bytes in [1, 8 << 20, 1 << 24, usize::MAX, 4 << 20, 1 << 30] {
        engine.set_budget(Budget::new().memory(bytes));
        let enough = bytes >= 1 << 30;
        assert_eq!(engine.query_once(fill).is_ok(), enough, "{bytes}");
        engine.set_budget(Budget::new());
        assert_eq!(answer(&mut engine, "f(99999), X = 1"), "X = 1");
    }
    let mut solutions = engine.query("length(L, 100000), member(_, L)").unwrap();
    assert!(solutions.advance().unwrap());
    solutions.engine().set_budget(Budget::new().memory(1));
    while let Ok(true) = solutions.advance() {}
    drop(solutions);
    engine.set_budget(Budget::new());
    assert_eq!(answer(&mut engine, "f(99999), X = 1"), "X = 1");
}

/// Values of `nb_setval/2` remain for later queries, and leave them memory.
#[test]
fn values_of_global_variables_outlive_limits() {
    let mut engine = Engine::builder()
        .memory_limit(40 << 20)
        .build()
        .expect("there is memory");
    // The double negation leaves no bindings, so the answer takes no memory.
    let mut holds = |goal: &str| answer(&mut engine, &format!("\\+ \\+ ({goal})")) == "true";
    assert!(holds("numlist(1, 600000, L), nb_setval(a, L)"));
    assert!(holds("numlist(1, 600000, L), nb_setval(b, L)"));
    assert!(holds(
        "nb_getval(a, A), nb_getval(b, B), A == B, length(A, 600000)"
    ));
    let fill = "forall(between(1, inf, I), (atom_concat(g, I, A), nb_setval(A, f(I))))";
    let full = "E = error(resource_error(memory), _)";
    assert!(holds(&format!("catch({fill}, E, true), {full}")));
    assert!(holds("nb_getval(g7, X), X == f(7)"));
    assert!(holds("nb_setval(a, 0)"));
    assert!(holds("nb_setval(b, q([]))"));
    let grow = "repeat, nb_getval(b, Q), arg(1, Q, L), nb_setarg(1, Q, [x|L]), fail";
    assert!(holds(&format!("catch(({grow}), E, true), {full}")));
    assert!(holds("nb_getval(b, q([x, x|_]))"));
    assert!(holds("nb_setval(b, 0)"));
    assert!(holds("numlist(1, 300000, L), nb_setval(b, L)"));
}

/// A function of the host stays registered after a limit struck anywhere in a call of it.
#[test]
fn functions_of_the_host_outlive_limits() {
    let mut engine = engine();
    let identity = |call: &mut wamlet::Call<'_>| {
        let term = call.arg(0);
        call.unify(1, term)
    };
    engine.register("same", 2, identity).unwrap();
    for steps in (0..12).map(|power| 10 << power) {
        engine.set_budget(Budget::new().steps(steps));
        let met = kind(&mut engine, "length(L, 1000000), same(L, M), repeat, fail");
        assert_eq!(met, ErrorKind::InferenceLimit);
        engine.set_budget(Budget::new());
        assert_eq!(answer(&mut engine, "same(1, X)"), "X = 1");
    }
    let within = "length(_L, 1000000), call_with_inference_limit(same(_L, _), 1000, R)";
    let after = format!("{within}, same(1, X)");
    assert_eq!(
        answer(&mut engine, &after),
        "R = inference_limit_exceeded,\nX = 1"
    );
}

/// Variables of large answers have the same names as in small ones.
#[test]
fn names_in_large_answers() {
    let mut engine = engine();
    let goal = "length(Xs, 60000), last(Xs, X), Y = f(X, Z, Z)";
    let text = answer(&mut engine, goal);
    let blanks = "_, ".repeat(59_999);
    assert_eq!(text, format!("Xs = [{blanks}X],\nY = f(X, Z, Z)"));
    let text = answer(&mut engine, "length(Xs, 60000), append(Xs, Xs, Ys)");
    let named = text
        .split(['[', ']', ',', ' '])
        .filter(|part| part.starts_with("_"));
    let names: std::collections::BTreeSet<&str> = named.collect();
    assert_eq!(names.len(), 60_000);
}

/// A text may have very many errors. Its report has the first ones, and the number of the others.
#[test]
fn a_report_has_the_first_messages_of_a_load() {
    let mut engine = engine();
    let wrong = "p(X) :- true.\np( .\n".repeat(3_000);
    let report = engine.consult_text("wrong.pl", &wrong).unwrap();
    assert_eq!((report.errors.len(), report.warnings.len()), (1_000, 1_000));
    assert_eq!((report.errors[999].line, report.left_out), (2_000, 4_000));
    assert_eq!(engine.load_errors(), 3_000);
    // The next report starts from zero.
    let report = engine.consult_text("right.pl", "r(1).\n").unwrap();
    assert!(report.is_clean());
    assert_eq!(report.left_out, 0);
}

/// Messages count against the limit of memory. Fewer large messages are kept, but always the first.
#[test]
fn messages_for_the_host_count_against_the_limit_of_memory() {
    let mut engine = Engine::builder().memory_limit(8 << 20).build().unwrap();
    engine
        .consult_text("large.pl", "large :- numlist(1, 20000, L), throw(L).\n")
        .unwrap();
    let mut kept = Vec::new();
    for _ in 0..2 {
        let report = engine
            .consult_text("wrong.pl", &":- large.\n".repeat(900))
            .unwrap();
        assert_eq!(report.errors.len() + report.left_out, 900);
        kept.push(report.errors.len());
    }
    assert!((1..900).contains(&kept[0]), "{kept:?}");
    // Messages that the host has received no longer count.
    assert_eq!(kept[0], kept[1]);
}

/// Time in functions of the host counts, even if no later call checks the clock.
#[test]
fn the_time_limit_ends_slow_functions_and_readers_as_last_goals() {
    struct Slow;
    impl std::io::Read for Slow {
        fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
            std::thread::sleep(Duration::from_millis(120));
            bytes[..3].copy_from_slice(b"a.\n");
            Ok(3)
        }
    }
    let mut engine = engine();
    engine
        .register("slow", 1, |call| {
            std::thread::sleep(Duration::from_millis(120));
            call.unify(0, 1)
        })
        .unwrap();
    engine.set_budget(Budget::new().time(Duration::from_millis(40)));
    for goal in [
        "slow(X)",
        "true, slow(_)",
        "slow(2)",
        "member(X, [1, 2]), slow(_)",
        "read(X)",
        "get_char(_)",
        "read_term(user_input, _, [])",
        "call_with_time_limit(10, slow(_))",
        "catch(slow(_), _, true)",
    ] {
        // A new reader, so that no buffer holds input.
        engine.set_input(Slow);
        assert_eq!(kind(&mut engine, goal), ErrorKind::TimeLimit, "{goal}");
    }
    let cleaned = "setup_call_cleanup(true, slow(X), nb_setval(cleaned, yes))";
    assert_eq!(kind(&mut engine, cleaned), ErrorKind::TimeLimit);
    assert_eq!(answer(&mut engine, "nb_getval(cleaned, X)"), "X = yes");
    engine.set_budget(Budget::new());
    assert_eq!(answer(&mut engine, "slow(X)"), "X = 1");
}

/// A program can open as many streams as the host allows, and closing streams frees them.
#[test]
fn open_streams_are_limited() {
    let open_all = "catch((repeat, open('/dev/null', read, _), fail), error(E, _), true)";
    let open_files = "findall(S, (stream_property(S, file_name(_))), L), length(L, N)";
    let mut engine = Engine::builder()
        .capabilities(Capabilities::full().streams(20))
        .build()
        .unwrap();
    for limit in [10, 3, 20] {
        engine.set_budget(Budget::new().streams(limit));
        let met = format!("{open_all}, E == resource_error(streams), {open_files}, N =:= {limit}");
        assert!(engine.query_once(&met).unwrap().is_some(), "{limit}");
        // Other streams can still be opened.
        let others = "with_output_to(string(S), write(a))";
        assert!(engine.query_once(others).unwrap().is_some());
        assert!(engine.consult_text("a.pl", "a(1).").unwrap().is_clean());
        engine
            .query_once(&format!("{open_files}, maplist(close, L)"))
            .unwrap();
    }
    for (way, of) in [
        ("append('/dev/null')", "told"),
        ("see('/dev/null')", "seen"),
    ] {
        engine.set_budget(Budget::new().streams(0));
        let error = engine.query_once(way).unwrap_err();
        assert_eq!(*error.kind(), ErrorKind::Resource, "{way}");
        engine.query_once(of).unwrap();
    }
    let mut engine = self::engine();
    assert!(answer(&mut engine, &format!("{open_all}, {open_files}")).contains("N = 256"));
}

/// The trail keeps only the oldest of the values that backtrackable assignments have replaced since the newest
/// choice point. Loops of any length therefore need no memory for them.
#[test]
fn assignments_until_backtracking_keep_the_trail_short() {
    let mut engine = Engine::builder().memory_limit(16 << 20).build().unwrap();
    engine
        .consult_text(
            "loops.pl",
            ":- use_module(library(linear)).
loop(0, _) :- !.
loop(N, G) :- \\+ \\+ true, call(G, N), M is N - 1, loop(M, G).
value(N) :- b_setval(k, f(N)).
two(N) :- b_setval(k, N), b_setval(l, N).
argument(T, N) :- setarg(1, T, N).
attribute(V, N) :- put_attr(V, test, N).
both(T, V, N) :- setarg(1, T, g(N)), put_attr(V, test, T).
",
        )
        .unwrap();
    for (goal, after) in [
        ("b_setval(k, 0), L = value", "b_getval(k, X), X == f(1)"),
        (
            "b_setval(k, 0), b_setval(l, 0), L = two",
            "b_getval(k, X), X == 1, b_getval(l, X)",
        ),
        ("T = t(0), L = argument(T)", "T == t(1)"),
        (
            "put_attr(V, test, 0), L = attribute(V)",
            "get_attr(V, test, X), X == 1",
        ),
        (
            "T = t(0), put_attr(V, test, 0), L = both(T, V)",
            "T == t(g(1)), get_attr(V, test, X), X == T",
        ),
    ] {
        for choices in ["", "member(_, [1, 2, 3]), "] {
            let done = format!("{goal}, {choices}loop(1000000, L), {after}");
            assert!(engine.query_once(&done).expect(&done).is_some(), "{done}");
        }
        // Backtracking restores the values of each choice point.
        let undone = format!(
            "{goal}, copy_term(L, L0), ( ( true ; fail ), loop(400000, L), fail ; L =@= L0 )"
        );
        assert!(
            engine.query_once(&undone).expect(&undone).is_some(),
            "{undone}"
        );
    }
    let levels = "T = t(0), ( member(X, [1, 2, 3]), setarg(1, T, X), member(Y, [4, 5]), setarg(1, T, X-Y), \
        G = [N]>>setarg(1, T, N), loop(300000, G), fail ; T == t(0) )";
    assert!(engine.query_once(levels).unwrap().is_some());
    let at_each = "T = t(0), findall(X-A-B, ( member(X, [1, 2]), arg(1, T, A), setarg(1, T, X), member(_, [3, 4]), \
        arg(1, T, B), loop(300000, argument(T)) ), L), L == [1-0-1, 1-0-1, 2-0-2, 2-0-2]";
    assert!(engine.query_once(at_each).unwrap().is_some());
}
