//! Budgets of an engine, of a query, of several queries together, and of loading.

#[path = "support/host.rs"]
mod host;

use host::{answer, kind};
use std::sync::Arc;
use std::time::{Duration, Instant};
use wamlet::{Budget, Capabilities, Engine, Error, ErrorKind, MemoryFiles, Program};

/// Texts that never finish loading: a name, the text, and the line where the limit stops the load. A budget of
/// inferences or time always stops them. If memory ends first, the directive or clause has an error, and the rest of the
/// text is loaded.
const ENDLESS: [(&str, &str, usize); 9] = [
    ("a directive", "a(1).\n:- repeat, fail.\nb(1).\n", 2),
    (
        "a directive that catches",
        "a(1).\n\n:- catch((repeat, fail), _, true).\n",
        3,
    ),
    (
        "an expansion",
        "term_expansion(a, b) :- repeat, fail.\nx(1).\na.\nc.\n",
        3,
    ),
    (
        "an expansion of goals",
        "goal_expansion(a, b) :- repeat, fail.\nx(1).\nc :- a.\n",
        3,
    ),
    (
        "an expansion into itself",
        "goal_expansion(a(X), a(f(X))).\nc :- a(1).\n",
        2,
    ),
    (
        "an initialization",
        "x(1).\n:- initialization((repeat, fail)).\ny(1).\n",
        2,
    ),
    ("a nested load", "x(1).\n:- consult('/files/endless').\n", 1),
    (
        "a condition",
        "x(1).\n:- if((repeat, fail)).\ny(1).\n:- endif.\n",
        2,
    ),
    (
        "an evaluation",
        "x(1).\nx(2).\n:- X is 7 ** (7 ** 9), print(X).\n",
        3,
    ),
];

/// A goal that takes more inferences than the budgets allow.
const COUNT: &str = "\\+ \\+ (between(1, 400_000, X), X >= 400_000)";

fn engine() -> Engine {
    let files = MemoryFiles::new()
        .with("/files/endless.pl", ":- repeat, fail.\n")
        .with("/files/chain.pl", "c(1).\n:- include('/files/chain.pl').\n");
    let capabilities = Capabilities::script().files(Arc::new(files));
    let builder = Engine::builder().capabilities(capabilities);
    builder
        .memory_limit(256 << 20)
        .build()
        .expect("there is memory")
}

fn place(error: &Error) -> usize {
    error.location().map_or(0, |place| place.line)
}

#[test]
fn loads_are_bounded() {
    let budgets = [
        (Budget::new().steps(300_000), ErrorKind::InferenceLimit),
        (
            Budget::new().time(Duration::from_millis(60)),
            ErrorKind::TimeLimit,
        ),
        (
            Budget::new().cpu(Duration::from_millis(60)),
            ErrorKind::TimeLimit,
        ),
    ];
    let mut engine = engine();
    for (what, text, line) in ENDLESS {
        for (budget, limit) in &budgets {
            let load = |engine: &mut Engine| engine.consult_text("endless.pl", text);
            let begun = Instant::now();
            let error = engine.within(budget, load).expect_err(what);
            let took = begun.elapsed();
            assert_eq!((error.kind(), place(&error)), (limit, line), "{what}");
            assert!(took < Duration::from_secs(5), "{what}: {took:?}");
            // The engine works afterwards, without the limit.
            assert_eq!(
                answer(
                    &mut engine,
                    "numlist(1, 400000, L), last(L, X), L = [Y|_], X > Y, L = [_], !; true"
                ),
                "true"
            );
            let report = engine.consult_text("endless.pl", "fine(1).\n").expect(what);
            assert!(report.is_clean(), "{what}");
        }
    }
}

/// A single clause that is finite but large is limited, too.
#[test]
fn large_clauses_are_bounded() {
    let mut engine = engine();
    let elements = "f(a, B, \"text\", 1.5), ".repeat(400_000);
    let text = format!("small(1).\nlarge([{elements}end]).\nsmall(2).\n");
    for (budget, limit) in [
        (Budget::new().steps(20_000), ErrorKind::InferenceLimit),
        (
            Budget::new().time(Duration::from_millis(60)),
            ErrorKind::TimeLimit,
        ),
    ] {
        let load = |engine: &mut Engine| engine.consult_text("large.pl", &text);
        let error = engine.within(&budget, load).expect_err("it is large");
        assert_eq!(error.kind(), &limit);
        // Before reading begins, the error has no location.
        let is_time = limit == ErrorKind::TimeLimit;
        assert!(place(&error) == 2 || (is_time && place(&error) == 0));
        assert_eq!(answer(&mut engine, COUNT), "true");
    }
    // Where memory is short, the load ends at this clause.
    let load = |engine: &mut Engine| engine.consult_text("large.pl", &text);
    let error = engine.within(&Budget::new().memory(32 << 20), load);
    let error = error.expect_err("it is large");
    assert_eq!(error.formal_text(), Some("resource_error(memory)"));
    assert_eq!(answer(&mut engine, COUNT), "true");
    let report = engine
        .consult_text("large.pl", "small(3).\n")
        .expect("memory");
    assert!(report.is_clean());
    assert_eq!(answer(&mut engine, "small(X)"), "X = 3");
}

#[test]
fn files_that_include_themselves_are_bounded() {
    let mut engine = engine();
    let chain = ":- consult('/files/chain').\n";
    for (budget, limit) in [
        (
            Budget::new().steps(300_000),
            Some(ErrorKind::InferenceLimit),
        ),
        (
            Budget::new().time(Duration::from_millis(100)),
            Some(ErrorKind::TimeLimit),
        ),
        (Budget::new().memory(4 << 20), None),
    ] {
        let begun = Instant::now();
        let load = |engine: &mut Engine| engine.consult_text("chain.pl", chain);
        match (engine.within(&budget, load), limit) {
            (Err(error), Some(limit)) => assert_eq!(*error.kind(), limit),
            (outcome, _) => assert!(!outcome.expect("a report").errors.is_empty()),
        }
        assert!(begun.elapsed() < Duration::from_secs(20));
        assert_eq!(answer(&mut engine, COUNT), "true");
    }
}

/// All parts of a program share one budget when the program is built. The main goal, which the host calls, has this
/// budget too.
#[test]
fn programs_are_made_within_a_budget() {
    let count = ":- between(1, 20_000, X), X >= 20_000.\n";
    let made = |parts: usize, text: &str| {
        let mut builder = Program::builder().budget(Budget::new().steps(400_000));
        for part in 0..parts {
            builder = builder.text(format!("part{part}.pl"), text);
        }
        builder.build()
    };
    let (program, report) = made(2, count).expect("it is enough");
    assert!(report.is_clean());
    // Each query of the engines has this budget again.
    let mut engine = program.engine().expect("an engine");
    assert_eq!(engine.budget(), Budget::new().steps(400_000));
    assert_eq!(
        answer(&mut engine, "between(1, 10_000, X), X >= 10_000"),
        "X = 10000"
    );
    let error = engine.query_once("repeat, fail").expect_err("endless");
    assert_eq!(*error.kind(), ErrorKind::InferenceLimit);
    let error = made(9, count).expect_err("too much together");
    assert_eq!(*error.kind(), ErrorKind::InferenceLimit);
    let place = error.location().map(ToString::to_string);
    assert!(
        place.is_some_and(|place| { ["part2.pl:1:", "part3.pl:1:"].contains(&&place[..11]) }),
        "{error}"
    );

    let main = ":- initialization(main, main).\nmain :- main.\n";
    let (program, _) = made(1, main).expect("it is loaded");
    let mut engine = program.engine().expect("memory");
    let goal = engine.main_goal().expect("memory").expect("a goal");
    let budget = Budget::new().steps(10_000);
    let asked = engine.query_within(&budget, "Goal", &[("Goal", goal)]);
    let error = asked.unwrap().advance().expect_err("it has no end");
    assert_eq!(*error.kind(), ErrorKind::InferenceLimit);
}

#[test]
fn each_query_has_its_own_budget() {
    let mut engine = engine();
    let mut kind_within = |budget: Budget, goal: &str| {
        let mut solutions = engine.query_within(&budget, goal, &[]).expect(goal);
        let error = loop {
            match solutions.advance() {
                Ok(true) => {}
                Ok(false) => break None,
                Err(error) => {
                    break Some((error.kind().clone(), error.formal_text().map(str::to_owned)));
                }
            }
        };
        drop(solutions);
        assert_eq!(answer(&mut engine, COUNT), "true");
        error
    };
    let limit = |kind| Some((kind, None));
    let resource =
        |what: &str| Some((ErrorKind::Resource, Some(format!("resource_error({what})"))));
    let endless = "catch((repeat, fail), _, true)";
    let steps = Budget::new().steps(10_000);
    assert_eq!(
        kind_within(steps, endless),
        limit(ErrorKind::InferenceLimit)
    );
    let time = Budget::new().time(Duration::from_millis(20));
    assert_eq!(kind_within(time, endless), limit(ErrorKind::TimeLimit));
    let cpu = Budget::new().cpu(Duration::from_millis(20));
    assert_eq!(kind_within(cpu, endless), limit(ErrorKind::TimeLimit));
    assert_eq!(kind_within(cpu, "sleep(0.1)"), None);
    assert_eq!(kind_within(time, "sleep(0.1)"), limit(ErrorKind::TimeLimit));
    let memory = Budget::new().memory(8 << 20);
    assert_eq!(
        kind_within(memory, "length(_, 2_000_000)"),
        resource("memory")
    );
    assert_eq!(kind_within(Budget::new(), "length(_, 2_000_000)"), None);
    let answers = Budget::new().answers(3);
    assert_eq!(kind_within(answers, "between(1, 3, _)"), None);
    assert_eq!(
        kind_within(answers, "member(_, [a, b, c, d])"),
        resource("answers")
    );
    assert_eq!(
        kind_within(Budget::new().answers(0), "catch(true, _, true)"),
        resource("answers")
    );
    assert_eq!(kind_within(Budget::new().answers(0), "fail"), None);
    let streams = Budget::new().streams(1);
    let open =
        "open('/files/endless.pl', read, S), open('/files/chain.pl', read, T), close(S), close(T)";
    assert_eq!(kind_within(streams, open), resource("streams"));
    assert_eq!(kind_within(Budget::new().streams(3), open), None);
    // All steps of a query count together.
    assert_eq!(
        kind_within(steps, "repeat"),
        limit(ErrorKind::InferenceLimit)
    );
}

#[test]
fn the_smaller_limit_counts() {
    let mut engine = host::engine();
    let small = Budget::new().steps(1000).answers(2);
    let large = Budget::new().steps(1_000_000).time(Duration::from_secs(60));
    assert_eq!(small.least_of(large), large.least_of(small));
    let run = "between(1, 5000, X), X >= 5000";
    for (outer, inner) in [(small, large), (large, small)] {
        engine.set_budget(outer);
        assert_eq!(engine.budget(), outer);
        let error = engine.query_within(&inner, run, &[]).unwrap().advance();
        assert_eq!(*error.unwrap_err().kind(), ErrorKind::InferenceLimit);
        engine.set_budget(Budget::new());
        let error = engine.within(&outer, |engine| {
            engine.within(&inner, |engine| engine.query_once(run))
        });
        assert_eq!(*error.unwrap_err().kind(), ErrorKind::InferenceLimit);
    }
    // Queries that run within one budget share it: their inferences add up.
    let mut done = 0;
    let all = engine.within(&Budget::new().steps(35_000), |engine| {
        loop {
            engine.query_once(run)?;
            done += 1;
        }
    });
    let all: Result<(), Error> = all;
    assert_eq!(*all.unwrap_err().kind(), ErrorKind::InferenceLimit);
    assert!((2..=4).contains(&done), "{done}");
    // A limit in a program works inside a limit of the host, and the smaller one counts.
    let limited = "call_with_inference_limit((repeat, fail), 100, R)";
    let budget = Budget::new().steps(10_000);
    let solution = engine.within(&budget, |engine| engine.query_once(limited));
    assert_eq!(
        solution.unwrap().expect("one").to_string(),
        "R = inference_limit_exceeded"
    );
    let limited = "call_with_inference_limit((repeat, fail), 100000, R)";
    let error = engine.within(&budget, |engine| engine.query_once(limited));
    assert_eq!(*error.unwrap_err().kind(), ErrorKind::InferenceLimit);
    assert_eq!(kind(&mut engine, "throw(a)"), ErrorKind::Uncaught);
}

/// Cleanup goals run when a limit ends a query. They are limited themselves.
#[test]
fn cleanups_run_and_end() {
    let mut engine = host::engine();
    engine.consult_text("c.pl", ":- dynamic done/1.\n").unwrap();
    let cleaned = "setup_call_cleanup(true, (repeat, fail), assertz(done(1)))";
    for budget in [
        Budget::new().steps(10_000),
        Budget::new().time(Duration::from_millis(20)),
        Budget::new().cpu(Duration::from_millis(20)),
    ] {
        let asked = engine
            .query_within(&budget, cleaned, &[])
            .unwrap()
            .advance();
        assert!(asked.is_err());
        assert_eq!(answer(&mut engine, "retract(done(X))"), "X = 1");
        let endless = "setup_call_cleanup(true, (repeat, fail), (repeat, fail))";
        let begun = Instant::now();
        let asked = engine
            .query_within(&budget, endless, &[])
            .unwrap()
            .advance();
        assert!(asked.is_err() && begun.elapsed() < Duration::from_secs(5));
        let left = "setup_call_cleanup(true, member(X, [1, 2]), (repeat, fail))";
        let mut solutions = engine.query_within(&budget, left, &[]).unwrap();
        assert!(solutions.advance().unwrap());
        assert!(solutions.close().is_err());
    }
    // Cleanup goals also run after a query has given its maximum of answers.
    let answers = Budget::new().answers(1);
    let more = "setup_call_cleanup(true, member(_, [1, 2, 3]), assertz(done(2)))";
    let mut solutions = engine.query_within(&answers, more, &[]).unwrap();
    assert!(solutions.advance().unwrap() && solutions.advance().is_err());
    assert!(!solutions.advance().unwrap());
    drop(solutions);
    assert_eq!(answer(&mut engine, "done(X)"), "X = 2");
}

/// A limit of time ends a query soon after that time. The limit of processor time counts the time of the thread.
#[test]
fn limits_of_time_end_queries_soon() {
    let mut engine = host::engine();
    for milliseconds in [1, 2, 5, 10, 30, 100] {
        let limit = Duration::from_millis(milliseconds);
        let late = (0..5).map(|_| {
            let budget = Budget::new().time(limit);
            let begun = Instant::now();
            let mut solutions = engine.query_within(&budget, "repeat, fail", &[]).unwrap();
            let kind = solutions.advance().unwrap_err().kind().clone();
            assert_eq!(kind, ErrorKind::TimeLimit);
            let took = begun.elapsed();
            assert!(took >= limit, "{took:?}");
            took - limit
        });
        let late = late.min().expect("some");
        // The machine may be busy, so only the best of five runs counts.
        assert!(late < Duration::from_millis(20), "{milliseconds}: {late:?}");
    }
}
