//! Compares copies of an engine with an engine that has loaded the program itself: engines of one program, forks, forks of
//! forks, and engines after a reset. All give the same answers, whatever changes, and no engine sees changes of another.

use std::fmt::Write;
use std::thread;
use wamlet::{Budget, Engine, Error, ErrorKind, Pool, Program};

/// A sequence of pseudorandom numbers (Marsaglia's xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }
}

/// Returns facts with few keys in one argument, many in another, and some variables.
fn program(random: &mut Random, facts: u64) -> String {
    let mut text = String::from(
        ":- dynamic f/3, g/1.\n:- op(700, xfx, ==>).\ns(1, a). s(2, b). s(X, c) :- X > 1. s(3, d).\n\
         :- nb_setval(total, t(0, [a])).\n:- recordz(k, r(1)), recordz(k, r(2)).\n:- table path/2.\n\
         path(X, Y) :- edge(X, Y).\npath(X, Y) :- path(X, Z), edge(Z, Y).\nedge(1, 2). edge(2, 3). edge(3, 1).\n",
    );
    for number in 0..facts {
        let (few, many) = (random.below(4), random.below(facts + 1));
        let third = match random.below(20) {
            0 => "_".to_owned(),
            other => format!("p({other}, {})", random.below(3)),
        };
        writeln!(text, "f({few}, {many}, {third}). g({number}).").expect("a text grows");
    }
    text
}

/// Returns a goal that changes the program or shows its state. The second goal of a pair runs while the first one is open.
fn goal(random: &mut Random, facts: u64) -> String {
    let (few, many) = (random.below(4), random.below(facts + 1));
    match random.below(19) {
        0 => format!("assertz(f({few}, {many}, new))"),
        1 => format!("asserta(f({few}, {many}, new))"),
        2 => format!("once(retract(f({few}, _, _)))"),
        3 => format!("once(retract(f(_, {many}, _)))"),
        4 => format!("retractall(f({few}, {many}, _))"),
        5 => "once(retract(g(N)))".into(),
        6 => format!("findall(X-Y, f({few}, X, Y), L), length(L, N)"),
        7 => format!("findall(X-Y, f(X, {many}, Y), L)"),
        8 => format!("findall(X, f(X, _, p({}, _)), L)", random.below(20)),
        9 => format!("findall(X, (f({few}, X, _), once(retract(f({few}, X, _)))), L)"),
        10 => format!(
            "findall(X, (f({few}, X, _), assertz(f({few}, {many}, again))), L), length(L, N)"
        ),
        11 => "findall(X-Y, clause(f(X, Y, _), true), L), length(L, N)".into(),
        12 => "findall(X, g(X), L), sum_list(L, S)".into(),
        13 => "nb_getval(total, t(N, L)), N1 is N + 1, nb_setval(total, t(N1, [b|L]))".into(),
        14 => "findall(X, recorded(k, X), L), recordz(k, x), recorded(k, _, R), erase(R)".into(),
        15 => "findall(X-Y, path(X, Y), L0), sort(L0, L)".into(),
        16 => format!("findall(X-Y, s(X, Y), L), assertz(h({many})), findall(X, h(X), H)"),
        17 => format!("abolish_all_tables, forall(retract(f({few}, {many}, X)), true)"),
        _ => {
            "( retract(g(X)), X > 3, ! ; X = none ), predicate_property(g(_), number_of_clauses(N))"
                .into()
        }
    }
}

/// Returns the answers of an engine to all goals.
fn answers(engine: &mut Engine, goals: &[String]) -> Result<Vec<String>, Error> {
    let mut all = Vec::new();
    for goal in goals {
        let answer = engine.query_once(goal);
        all.push(match answer {
            Ok(Some(solution)) => solution.to_string(),
            Ok(None) => "false".into(),
            Err(error) => error.to_string(),
        });
    }
    Ok(all)
}

#[test]
fn all_kinds_of_copies_answer_alike() -> Result<(), Error> {
    for (seed, facts) in [(1, 3), (2, 12), (3, 40), (4, 120), (5, 500), (6, 1500)] {
        let mut random = Random(0x9e37_79b9_7f4a_7c15 ^ (seed << 40));
        let text = program(&mut random, facts);
        let first: Vec<String> = (0..15).map(|_| goal(&mut random, facts)).collect();
        let then: Vec<String> = (0..80).map(|_| goal(&mut random, facts)).collect();
        let mut alone = Engine::new()?;
        assert!(alone.consult_text("facts.pl", &text)?.is_clean());
        answers(&mut alone, &first)?;
        let wanted = answers(&mut alone, &then)?;

        let mut engine = Engine::new()?;
        engine.consult_text("facts.pl", &text)?;
        let mut changed = engine.fork()?;
        answers(&mut changed, &first)?;
        let mut again = changed.fork()?;
        let mut copies = vec![changed.fork()?, again.fork()?.fork()?, again];
        for copy in &mut copies {
            assert_eq!(answers(copy, &then)?, wanted, "seed {seed}");
        }
        // Their original has changed no more than the copies.
        assert_eq!(answers(&mut changed, &then)?, wanted, "seed {seed}");
        // The first engine has not changed at all.
        answers(&mut engine, &first)?;
        assert_eq!(answers(&mut engine, &then)?, wanted, "seed {seed}");
    }
    Ok(())
}

#[test]
fn a_reset_restores_an_engine() -> Result<(), Error> {
    let mut random = Random(77);
    let text = program(&mut random, 200);
    let goals: Vec<String> = (0..60).map(|_| goal(&mut random, 200)).collect();
    let (program, report) = Program::builder().text("facts.pl", text).build()?;
    assert!(report.is_clean());
    let wanted = answers(&mut program.engine()?, &goals)?;
    let mut engine = program.engine()?;
    for _ in 0..5 {
        assert_eq!(answers(&mut engine, &goals)?, wanted);
        engine.query_once(
            "op(700, xfx, ===>), set_prolog_flag(double_quotes, atom), assertz(u:v(1))",
        )?;
        engine.consult_text("more.pl", "more(1). s(9, z).")?;
        engine.reset()?;
    }
    assert!(engine.query_once("current_op(_, _, ===>)")?.is_none());
    assert!(engine.query_once("catch(more(_), _, fail)")?.is_none());
    Ok(())
}

#[test]
fn engines_on_four_threads_answer_alike() -> Result<(), Error> {
    let mut random = Random(4711);
    let text = program(&mut random, 400);
    let goals: Vec<String> = (0..60).map(|_| goal(&mut random, 400)).collect();
    let (program, _) = Program::builder().text("facts.pl", text).build()?;
    let wanted = answers(&mut program.engine()?, &goals)?;
    let pool = Pool::new(program, 4);
    thread::scope(|scope| {
        let work = || -> Result<(), Error> {
            for _ in 0..6 {
                assert_eq!(answers(&mut *pool.engine()?, &goals)?, wanted);
            }
            Ok(())
        };
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(work)).collect();
        threads
            .into_iter()
            .try_for_each(|thread| thread.join().expect("no panic"))
    })
}

#[test]
fn ten_thousand_engines_rest_beside_each_other() -> Result<(), Error> {
    let (program, _) = Program::builder()
        .text("p.pl", ":- dynamic p/1. p(1). p(2).")
        .build()?;
    let mut engines: Vec<Engine> = (0..10_000)
        .map(|_| program.engine())
        .collect::<Result<_, _>>()?;
    let last = engines.last_mut().expect("an engine");
    assert!(last.query_once("retract(p(1)), assertz(p(3))")?.is_some());
    for engine in engines.iter_mut().step_by(1000).take(9) {
        let solution = engine
            .query_once("findall(X, p(X), L)")?
            .expect("a solution");
        assert_eq!(
            solution.get("L").map(ToString::to_string),
            Some("[1,2]".into())
        );
    }
    Ok(())
}

#[test]
fn a_function_of_one_engine_is_not_copied() -> Result<(), Error> {
    let mut engine = Engine::new()?;
    let mut calls = 0;
    engine.register("count", 1, move |call| {
        calls += 1;
        call.unify(0, calls)
    })?;
    let error = engine.fork().expect_err("it belongs to the engine");
    assert!(error.to_string().contains("count/1"), "{error}");
    Ok(())
}

#[test]
fn an_engine_of_another_program_does_not_go_into_a_pool() -> Result<(), Error> {
    let (program, _) = Program::builder().text("f.pl", "f(1).").build()?;
    let pool = Pool::new(program, 4);
    *pool.engine()? = Engine::new()?;
    assert!(pool.engine()?.query_once("f(1)")?.is_some());
    Ok(())
}

#[test]
fn old_interrupt_handles_stop_nothing() -> Result<(), Error> {
    let (program, _) = Program::builder().build()?;
    let pool = Pool::new(program, 4);
    let former = pool.engine()?.interrupt_handle();
    let mut engine = pool.engine()?;
    let handle = engine.interrupt_handle();
    engine.register("stop_former", 0, move |_| {
        former.interrupt();
        Ok(true)
    })?;
    engine.register("stop", 0, move |_| {
        handle.interrupt();
        Ok(true)
    })?;
    let goal = "between(1, 100000, X), X > 99999";
    let former = engine.query_once(&format!("stop_former, {goal}"))?;
    assert!(former.is_some());
    let own = engine.query_once(&format!("stop, {goal}"));
    assert_eq!(
        *own.expect_err("it is stopped").kind(),
        ErrorKind::Interrupted
    );
    Ok(())
}

#[test]
#[expect(clippy::mem_forget, reason = "the test leaks solutions")]
fn solutions_end_when_their_engine_is_reset() -> Result<(), Error> {
    let (program, _) = Program::builder().text("f.pl", "f(1). f(2).").build()?;
    let mut engine = program.engine()?;
    let mut solutions = engine.query("f(X)")?;
    assert!(solutions.advance()?);
    solutions.engine().reset()?;
    let mut others = solutions.engine().query("f(Y)")?;
    assert!(others.advance()?);
    std::mem::forget(others);
    assert!(!solutions.advance()?);
    assert!(solutions.get("X").is_none());
    assert!(solutions.solution()?.is_none());
    Ok(())
}

#[test]
fn a_budget_is_not_lost_by_a_reset() -> Result<(), Error> {
    let mut engine = Engine::new()?;
    let reset = engine.within(&Budget::new().steps(100), Engine::reset);
    assert_eq!(
        *reset.expect_err("the reset is refused").kind(),
        ErrorKind::Usage
    );
    engine.reset()
}

/// A call skips dead clauses of a program and notes how far. A living clause that did not fit the call stays in reach of
/// other calls.
#[test]
fn living_clauses_between_dead_ones_are_found() -> Result<(), Error> {
    let mut text = String::from(":- dynamic p/3.\n");
    for key in 1..=30 {
        for number in 1..=40 {
            text.push_str(&format!("p({key}, s(0), {number}).\n"));
        }
    }
    let (program, _) = Program::builder().text("p.pl", &text).build()?;
    for warm in [true, false] {
        let mut engine = program.engine()?;
        if warm {
            engine.query_once("p(1, s(0), 7)")?;
        }
        engine.query_once("between(2, 38, N), retract(p(1, _, N)), fail ; true")?;
        let goals = [
            "p(1, other, X)",
            "p(1, s(_), X)",
            "p(1, _, 40)",
            "p(1, _, 38)",
        ];
        let found = answers(&mut engine, &goals.map(str::to_owned))?;
        assert_eq!(found, ["false", "X = 1", "true", "false"], "{warm}");
    }
    Ok(())
}
