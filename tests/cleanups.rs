//! Cleanup goals of closed queries: the host drops these queries before their last solution.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use wamlet::{Capabilities, Engine, ErrorKind};

/// Cleanup goals run in the order newest first. Each keeps its bindings, even if an earlier one collects
/// garbage.
#[test]
fn cleanup_goals_survive_collections() {
    let program = "
        out(Name, List) :-
            sum_list(List, Sum), write(Name-Sum), nl,
            numlist(1, 5000, Other), garbage_collect, sum_list(Other, _).
        guarded(Name, List) :-
            setup_call_cleanup(true, member(_, [1, 2]), out(Name, List)).";
    for collecting in [false, true] {
        let builder = Engine::builder().collect_at_every_call(collecting);
        let mut engine = builder.build().expect("an engine");
        engine.consult_text("out.pl", program).expect("a program");
        engine.capture_output();
        let goal = "numlist(1, 20000, L0), sum_list(L0, _), findall(f(N), member(N, [a, b, c, d]), [A, B, C, D]), \
                    length(L1, 3000), maplist(=(2), L1), sum_list(L1, S), numlist(1, 100, L), \
                    guarded(A-S, L), guarded(B-S, L), guarded(C-S, L), guarded(D-S, L)";
        let mut solutions = engine.query(goal).expect("a goal");
        assert!(solutions.advance().expect("no error"));
        drop(solutions);
        assert_eq!(
            engine.take_output(),
            "f(d)-6000-5050\nf(c)-6000-5050\nf(b)-6000-5050\nf(a)-6000-5050\n"
        );
        assert!(engine.query_once("true").expect("no error").is_some());
    }
}

/// After an interrupt, all cleanup goals of the query together have a short time. Then the engine works
/// on.
#[test]
fn one_interrupt_stops_endless_cleanup_goals() {
    let mut engine = Engine::new().expect("an engine");
    let handle = engine.interrupt_handle();
    for goal in [
        "setup_call_cleanup(true, (repeat, fail), (repeat, fail))",
        "length(L, 10), foldl([_, S, setup_call_cleanup(true, S, (repeat, fail))]>>true, L, (repeat, fail), G), call(G)",
        // This query has an answer; its cleanup goals run when it is closed.
        "length(L, 10), foldl([_, S, setup_call_cleanup(true, S, (repeat, fail))]>>true, L, (true ; true), G), call(G)",
    ] {
        let handle = handle.clone();
        let interrupts = std::thread::spawn(move || {
            std::thread::sleep(std::time::Duration::from_millis(300));
            handle.interrupt();
        });
        let result = engine.query_once(goal);
        let error = result.expect_err(goal);
        assert_eq!(*error.kind(), ErrorKind::Interrupted, "{goal}");
        interrupts.join().expect("a thread");
        assert!(engine.query_once("true").expect("no error").is_some());
        // The time allowed for those goals does not limit later queries.
        let counted = engine.query_once("between(1, 2000000, X), X >= 2000000");
        assert!(counted.expect("no error").is_some());
    }
}

/// Limits hold for the cleanup goals that run when a query is closed. `close` returns the error.
#[test]
fn limits_end_cleanup_goals() {
    let builder = Engine::builder().inference_limit(100_000);
    let mut engine = builder.build().expect("an engine");
    let goal = "setup_call_cleanup(true, repeat, (repeat, fail))";
    let mut solutions = engine.query(goal).expect("a goal");
    assert!(solutions.advance().expect("no error"));
    let error = solutions.close().expect_err("the limit");
    assert_eq!(*error.kind(), ErrorKind::InferenceLimit);
    let error = engine.query_once(goal).expect_err("the limit");
    assert_eq!(*error.kind(), ErrorKind::InferenceLimit);
    // An exception of a cleanup goal is ignored.
    let goal = "setup_call_cleanup(true, repeat, throw(x))";
    assert!(engine.query_once(goal).expect("no error").is_some());
}

/// Cleanup goals of leaked solutions run before the next query, or when the engine is dropped.
#[test]
#[expect(clippy::mem_forget, reason = "hosts may leak solutions")]
fn cleanup_goals_of_leaked_solutions_run_late() {
    let folder = std::env::temp_dir().join(format!("wamlet-forgotten-{}", std::process::id()));
    let file = folder.to_string_lossy().into_owned();
    let goal = "length(L, 1000), setup_call_cleanup(true, member(_, L), \
                setup_call_cleanup(open(File, append, S), write(S, x), close(S)))";
    let written = || std::fs::read_to_string(&folder).map_or(0, |text| text.len());
    let builder = Engine::builder().capabilities(Capabilities::full());
    let mut engine = builder.build().expect("an engine");
    for round in 0..100 {
        let values = [("File", wamlet::Term::atom(&*file))];
        let mut solutions = engine.query_with(goal, &values).expect("a goal");
        assert!(solutions.advance().expect("no error"));
        assert_eq!(written(), round);
        std::mem::forget(solutions);
    }
    // A query within another one closes only the solutions that leaked within it.
    let mut outer = engine.query("member(X, [1, 2])").expect("a goal");
    assert_eq!(written(), 100);
    assert!(outer.advance().expect("no error"));
    for _ in 0..2 {
        let inner = outer.engine().query("member(_, [a, b])").expect("a goal");
        std::mem::forget(inner);
    }
    let second = outer.next().expect("another").expect("no error");
    assert_eq!(second.to_string(), "X = 2");
    drop(outer);
    let values = [("File", wamlet::Term::atom(&*file))];
    let mut last = engine.query_with(goal, &values).expect("a goal");
    assert!(last.advance().expect("no error"));
    std::mem::forget(last);
    drop(engine);
    assert_eq!(written(), 101);
    std::fs::remove_file(&folder).expect("a file");
}

/// After an interrupt at any time, every setup has been undone.
#[test]
fn interrupts_undo_every_setup() {
    let program = "
        :- dynamic(held/0).
        some :- between(1, 30, X), X >= 30, !.
        hold(Goal) :- setup_call_cleanup((some, assertz(held)), Goal, (some, retract(held))).
        work :- begun, repeat, hold(some), hold(member(_, [1, 2])), \\+ hold((some, fail)),
            catch(hold(throw(x)), x, true), hold(hold(some)), fail.";
    let mut engine = Engine::new().expect("an engine");
    // An interrupt that came before the query would not concern it.
    let begun = Arc::new(AtomicBool::new(false));
    let runs = begun.clone();
    engine
        .register("begun", 0, move |_| {
            runs.store(true, Ordering::Relaxed);
            Ok(true)
        })
        .expect("a new predicate");
    engine.consult_text("held.pl", program).expect("a program");
    let handle = engine.interrupt_handle();
    for round in 0..200_u64 {
        let (handle, begun) = (handle.clone(), begun.clone());
        let interrupts = std::thread::spawn(move || {
            while !begun.swap(false, Ordering::Relaxed) {
                std::thread::yield_now();
            }
            std::thread::sleep(std::time::Duration::from_micros(300 + 37 * round));
            handle.interrupt();
        });
        let error = engine.query_once("work").expect_err("an interrupt");
        assert_eq!(*error.kind(), ErrorKind::Interrupted);
        interrupts.join().expect("a thread");
        let held = engine.query_once("held").expect("no error");
        assert!(held.is_none(), "round {round}");
    }
}
