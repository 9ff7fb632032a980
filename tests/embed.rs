//! The public interface as a host uses it, from outside the crate.
//! Long because the cases share one host.

#[path = "support/host.rs"]
mod host;

use host::{answer, engine, kind};
use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use wamlet::{BigInteger, Call, Capabilities, Engine, ErrorKind, Severity, Solution, Term};

fn answers(engine: &mut Engine, query: &str) -> Vec<String> {
    let solutions = engine.query(query).expect("a goal");
    solutions
        .map(|solution| solution.expect("no error").to_string())
        .collect()
}

#[test]
fn solutions_come_one_by_one() {
    let mut engine = engine();
    let mut solutions = engine.query("repeat, X = 1.").unwrap();
    for _ in 0..3 {
        let solution = solutions.next().unwrap().unwrap();
        assert_eq!(solution.get("X"), Some(&Term::from(1)));
        assert!(solution.has_more());
    }
    drop(solutions);
    assert_eq!(
        answers(&mut engine, "member(X, [a, b])"),
        ["X = a", "X = b"]
    );
    assert_eq!(answers(&mut engine, "fail"), [] as [&str; 0]);
}

#[test]
fn the_last_solution_is_known() {
    let mut engine = engine();
    let lasts: Vec<bool> = engine
        .query("member(X, [1, 2, 3])")
        .unwrap()
        .map(|solution| solution.unwrap().is_last())
        .collect();
    assert_eq!(lasts, [false, false, true]);
}

#[test]
fn single_values_without_whole_solutions() {
    let mut engine = engine();
    let mut solutions = engine.query("between(1, 1000, X), Y is X * X").unwrap();
    let mut sum = 0;
    while solutions.advance().unwrap() {
        sum += solutions
            .get("Y")
            .and_then(|term| term.as_integer())
            .unwrap();
        assert_eq!(solutions.get("Z"), None);
    }
    assert_eq!(sum, 333_833_500);
    assert!(solutions.solution().unwrap().is_none());
}

#[test]
fn answers_read_as_those_of_swi_prolog() {
    let mut engine = engine();
    for (query, text) in [
        ("true", "true"),
        ("X = 1, Y = a", "X = 1,\nY = a"),
        ("X = Y", "X = Y"),
        ("X = Y, Y = 1", "X = Y, Y = 1"),
        ("X = Y, Z = f(X,Y,W)", "X = Y,\nZ = f(Y, Y, W)"),
        ("X = Y, Y = Z", "X = Y, Y = Z"),
        ("L = [X,Y,Z], X = Y, Z = 1", "L = [Y, Y, 1],\nX = Y,\nZ = 1"),
        ("X = f(_)", "X = f(_)"),
        ("X = f(_C, _C, _)", "X = f(_C, _C, _)"),
        ("copy_term(f(A,A,B,B), C)", "C = f(_A, _A, _B, _B)"),
        ("_X = 1", "true"),
        ("X = _Y", "true"),
        ("X = 'A b', Y = 'x'", "X = 'A b',\nY = x"),
        ("X = (a:-b,c)", "X = (a:-b, c)"),
        ("X = f(X)", "X = f(X)"),
        ("X = [a|X]", "X = [a|X]"),
        ("X = f(Y), Y = g(X)", "X = f(g(X)),\nY = g(X)"),
        ("X = [1,2|T]", "X = [1, 2|T]"),
        ("length(L, 2)", "L = [_, _]"),
        ("freeze(X, true)", "freeze(X, true)"),
        ("dif(X, a), Y = f(X)", "Y = f(X),\ndif(X, a)"),
    ] {
        assert_eq!(answer(&mut engine, query), text, "?- {query}.");
    }
}

#[test]
fn bindings_are_in_the_order_of_the_query() {
    let mut engine = engine();
    let solution = engine
        .query_once("p(B, _C, A, D) = p(1, 2, 3, E)")
        .unwrap()
        .unwrap();
    let names: Vec<&str> = solution
        .bindings()
        .iter()
        .map(|(name, _)| &**name)
        .collect();
    assert_eq!(names, ["B", "A", "D", "E"]);
    assert_eq!(solution.get("D"), solution.get("E"));
    assert!(solution.get("D").unwrap().is_var());
}

#[test]
fn cyclic_values_are_cut() {
    let mut engine = engine();
    let solution = engine.query_once("_X = f(_X), Y = g(_X)").unwrap().unwrap();
    assert_eq!(solution.get("Y").unwrap().to_string(), "g(_S1)");
    assert_eq!(&*solution.cycles()[0].0, "_S1");
    assert_eq!(
        solution.to_string(),
        "Y = g(_S1), % where\n    _S1 = f(_S1)"
    );
}

#[test]
fn residual_goals_are_terms() {
    let mut engine = engine();
    let solution: Solution = engine.query_once("dif(X, a)").unwrap().unwrap();
    assert_eq!(solution.residual_goals().len(), 1);
    assert_eq!(solution.residual_goals()[0].to_string(), "dif(X,a)");
}

#[test]
fn values_are_never_read_as_text() {
    let mut engine = engine();
    let odd = Term::atom("'), halt, ('");
    let values = [("Name", odd.clone()), ("List", Term::from(vec![1, 2]))];
    let solution = {
        let mut solutions = engine.query_with("X = Name-List-Y", &values).unwrap();
        solutions.next().unwrap().unwrap()
    };
    let names: Vec<&str> = solution
        .bindings()
        .iter()
        .map(|(name, _)| &**name)
        .collect();
    assert_eq!(names, ["X", "Y"]);
    assert_eq!(
        solution.get("X").unwrap().to_string(),
        "'\\'), halt, (\\''-[1,2]-Y"
    );
    let error = engine.query_with("true", &[("X", odd)]).err().unwrap();
    assert_eq!(*error.kind(), ErrorKind::Usage);
}

#[test]
fn errors_have_kind_message_and_place() {
    let mut engine = engine();
    let error = engine.query("X = [1, 2").err().unwrap();
    assert_eq!(*error.kind(), ErrorKind::Syntax);
    let place = error.location().unwrap();
    assert_eq!((place.line, place.source_line.as_str()), (1, "X = [1, 2"));

    let error = engine.query_once("atom_length(1, a)").unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::Uncaught);
    assert!(
        error.ball_text().starts_with("error(type_error("),
        "{}",
        error.ball_text()
    );
    assert_eq!(error.ball().unwrap().as_compound().unwrap().name(), "error");

    let place = error.location().unwrap();
    assert_eq!(
        (place.file.as_deref(), place.line, place.column),
        (None, 1, 1)
    );
    let error = engine.query_once("X = 1,\n atom_length(X, a)").unwrap_err();
    let place = error.location().unwrap();
    assert_eq!(
        (place.line, place.column, place.span.clone()),
        (2, 2, 1..18)
    );
    let program = "p(X) :-\n    q(X),\n    Y is X + a, r(Y).\nq(_).\n";
    engine.consult_text("text.pl", program).unwrap();
    let error = engine.query_once("p(1)").unwrap_err();
    let place = error.location().unwrap();
    assert_eq!(
        (place.file.as_deref(), place.line, place.column),
        (Some("text.pl"), 3, 5)
    );
    assert_eq!(&place.source_line[place.span.clone()], "Y is X + a");

    assert_eq!(kind(&mut engine, "throw(my)"), ErrorKind::Uncaught);
    assert_eq!(kind(&mut engine, "halt(7)"), ErrorKind::Halt(7));
    assert_eq!(kind(&mut engine, "a. b."), ErrorKind::Syntax);
    assert_eq!(kind(&mut engine, ""), ErrorKind::Syntax);
    assert_eq!(kind(&mut engine, "X"), ErrorKind::Uncaught);
    assert_eq!(answer(&mut engine, "true % with a comment"), "true");
    assert_eq!(answer(&mut engine, "?- X = 1."), "X = 1");
}

#[test]
fn a_runaway_recursion_is_an_error_and_the_engine_goes_on() {
    let mut engine = Engine::builder().memory_limit(16 << 20).build().unwrap();
    engine
        .consult_text(
            "grow.pl",
            "grow(X) :- grow(f(X)).\nnest(X) :- nest(X), write(X).\n",
        )
        .unwrap();
    for goal in ["grow(a)", "nest(a)", "length(L, L), length(L, 100000000)"] {
        let result = engine.query_once(goal);
        if let Err(error) = result {
            assert_eq!(*error.kind(), ErrorKind::Resource, "{goal}: {error}");
        }
        assert_eq!(answer(&mut engine, "X = 1"), "X = 1");
    }
    assert_eq!(
        answer(&mut engine, "catch(grow(a), error(E, _), true)"),
        "E = resource_error(memory)"
    );
}

#[test]
fn deep_terms_cross_the_boundary() {
    let mut engine = engine();
    let mut deep = Term::atom("z");
    for _ in 0..1_000_000 {
        deep = Term::compound("s", vec![deep]);
    }
    let other = deep.clone();
    let solution = {
        let mut solutions = engine.query_with("X = Deep", &[("Deep", deep)]).unwrap();
        solutions.next().unwrap().unwrap()
    };
    assert!(solution.get("X") == Some(&other));
    assert_eq!(solution.get("X").unwrap().to_string().len(), 3_000_001);
    let list = Term::list((0..1_000_000).map(Term::from).collect());
    let mut solutions = engine
        .query_with("length(List, N)", &[("List", list)])
        .unwrap();
    solutions.advance().unwrap();
    assert_eq!(solutions.get("N"), Some(Term::from(1_000_000)));
}

#[test]
fn shared_terms_stay_small() {
    let mut engine = engine();
    let mut term = Term::atom("a");
    for _ in 0..200 {
        term = Term::compound("f", vec![term.clone(), term]);
    }
    let mut solutions = engine.query_with("X = T", &[("T", term)]).unwrap();
    assert!(solutions.advance().unwrap());
}

#[test]
fn compounds_without_arguments() {
    let mut engine = engine();
    engine
        .register("twice", 2, |call| {
            let pair = vec![call.arg(0), call.arg(0)];
            call.unify(1, Term::compound("t", pair))
        })
        .unwrap();
    let term = engine.parse_term("f(now(), now)").unwrap();
    let args = term.as_compound().unwrap().args();
    assert_eq!(args[0], Term::compound_without_arguments("now"));
    assert_eq!(args[0].as_compound().unwrap().arity(), 0);
    assert_eq!(args[1], Term::atom("now"));
    assert_eq!(term.to_string(), "f(now(),now)");
    let answer = engine.query("twice(now(), X)").unwrap().next().unwrap();
    let value = answer.unwrap().get("X").unwrap().clone();
    assert_eq!(value.to_string(), "t(now(),now())");
}

#[test]
fn terms_and_values() {
    let big: BigInteger = "123456789012345678901234567890".parse().unwrap();
    assert_eq!(
        Term::from(big).to_string(),
        "123456789012345678901234567890"
    );
    assert!("12x".parse::<BigInteger>().is_err());
    assert_eq!(i32::try_from(&Term::from(7)), Ok(7));
    assert!(u8::try_from(&Term::from(256)).is_err());
    assert_eq!(u64::try_from(&Term::from(u64::MAX)), Ok(u64::MAX));
    assert_eq!(f64::try_from(&Term::from(2)), Ok(2.0));
    assert_eq!(bool::try_from(&Term::from(true)), Ok(true));
    assert_eq!(String::try_from(&Term::atom("abc")).as_deref(), Ok("abc"));
    let codes: Term = "hé".chars().map(u32::from).collect();
    assert_eq!(String::try_from(&codes).as_deref(), Ok("hé"));
    assert_eq!(
        Vec::<Term>::try_from(&Term::from(vec![1, 2]))
            .unwrap()
            .len(),
        2
    );
    assert!(
        Vec::<Term>::try_from(&Term::list_with_tail(vec![Term::from(1)], Term::var("T"))).is_err()
    );
    let term = Term::compound(
        "-",
        vec![Term::from(-1), Term::compound("f", vec![Term::var("X")])],
    );
    assert_eq!(term.to_string(), "-1-f(X)");
    assert_eq!(Term::string("a\"b").to_string(), "\"a\\\"b\"");
}

#[test]
fn operators_of_the_engine_and_those_of_iso() {
    let mut engine = engine();
    engine.query_once("op(700, xfx, ===>)").unwrap();
    let term = engine.parse_term("a ===> B + 1").unwrap();
    assert_eq!(engine.format_term(&term).unwrap(), "a===>B+1");
    assert_eq!(term.to_string(), "===>(a,B+1)");
    assert_eq!(answer(&mut engine, "X = (a ===> b)"), "X = (a===>b)");
}

#[test]
fn programs_report_their_errors() {
    let mut engine = engine();
    let text = "p(1).\np(X) :- q(Y).\nq(.\np(3).\n:- fail.\n";
    let report = engine.consult_text("odd.pl", text).unwrap();
    let errors: Vec<_> = report.errors.iter().map(|error| error.line).collect();
    assert_eq!(errors, [3]);
    let warning = &report.warnings[0];
    assert_eq!((warning.severity, warning.line), (Severity::Warning, 2));
    assert!(warning.to_string().starts_with("odd.pl:2:"), "{warning}");
    assert!(
        report.errors[0].rendered.contains("q(."),
        "{}",
        report.errors[0].rendered
    );
    assert_eq!(
        answers(&mut engine, "clause(p(X), true)"),
        ["X = 1", "X = 3"]
    );
    // A text replaces an earlier text of the same name.
    engine.consult_text("odd.pl", "p(9).").unwrap();
    assert_eq!(answers(&mut engine, "p(X)"), ["X = 9"]);
    let error = engine.consult_file("no/such/file.pl").unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::Io);
}

#[test]
fn output_goes_where_the_host_wants() {
    #[derive(Clone, Default)]
    struct Shared(Arc<Mutex<Vec<u8>>>);
    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut engine = engine();
    let shared = Shared::default();
    engine.set_output(shared.clone());
    engine.query_once("write(hello), nl, write(x)").unwrap();
    assert_eq!(engine.output_column(), 1);
    engine.flush_output().unwrap();
    assert_eq!(&*shared.0.lock().unwrap(), b"hello\nx");
    engine.capture_output();
    engine.query_once("print([1,2])").unwrap();
    assert_eq!(engine.take_output(), "[1,2]");
    assert_eq!(engine.take_output(), "");
    engine.set_input_text("foo(X, Y). 12");
    assert_eq!(answer(&mut engine, "read(T)"), "T = foo(_, _)");
}

#[test]
fn engines_are_independent_and_move_between_threads() {
    let mut one = engine();
    let mut two = engine();
    one.consult_text("p.pl", "p(one).").unwrap();
    two.consult_text("p.pl", "p(two).").unwrap();
    let thread = std::thread::spawn(move || answer(&mut one, "p(X)"));
    assert_eq!(answer(&mut two, "p(X)"), "X = two");
    assert_eq!(thread.join().unwrap(), "X = one");
}

#[test]
fn an_interrupt_of_the_first_call_leaves_libraries_whole() {
    let goal = "list_to_assoc([a-1], _), subtract([1], [2], _), rb_new(_), list_to_heap([], _), \
                foldl([X,Y,Z]>>(Z is X+Y), [1], 0, _), sub_term(_, f(x))";
    let mut interrupted = 0;
    for round in 0..1200 {
        // On a busy machine most interrupts come too late.
        if round >= 60 && interrupted > 0 {
            break;
        }
        let wait = round % 60 * 20;
        let mut engine = engine();
        let handle = engine.interrupt_handle();
        let thread = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_micros(wait));
            handle.interrupt();
        });
        interrupted += usize::from(engine.query_once(goal).is_err());
        thread.join().unwrap();
        // An interrupt that came too late stops this query.
        let _ = engine.query_once("true");
        assert_eq!(answer(&mut engine, goal), "true", "after {wait} us");
    }
    assert!(interrupted > 0, "no query was interrupted");
}

#[test]
fn a_query_can_be_interrupted() {
    let mut engine = engine();
    let handle = engine.interrupt_handle();
    let thread = std::thread::spawn(move || {
        for _ in 0..50 {
            std::thread::sleep(Duration::from_millis(20));
            handle.interrupt();
        }
    });
    for goal in ["repeat, fail", "between(1, inf, _), fail"] {
        assert_eq!(kind(&mut engine, goal), ErrorKind::Interrupted, "{goal}");
    }
    // An interrupt cannot be caught.
    assert_eq!(
        kind(&mut engine, "catch((repeat, fail), _, true)"),
        ErrorKind::Interrupted
    );
    thread.join().unwrap();
    assert_eq!(answer(&mut engine, "X = 1"), "X = 1");
}

#[test]
fn time_and_inferences_are_limited() {
    let goals = [
        "repeat, fail",
        "between(1, inf, _), fail",
        "catch((repeat, fail), _, true)",
        "setup_call_cleanup(true, (repeat, fail), (repeat, fail))",
        "findall(X, (repeat, X = a, fail), _)",
    ];
    let mut engine = Engine::builder()
        .time_limit(Duration::from_millis(50))
        .build()
        .unwrap();
    for goal in goals {
        assert_eq!(kind(&mut engine, goal), ErrorKind::TimeLimit, "{goal}");
        assert_eq!(answer(&mut engine, "X = 1"), "X = 1");
    }
    // Time in the host does not count. All solutions of a query share its limit.
    let mut solutions = engine.query("member(X, [1, 2]) ; repeat, fail").unwrap();
    for _ in 0..2 {
        assert!(solutions.advance().unwrap());
        std::thread::sleep(Duration::from_millis(60));
    }
    let error = solutions.advance().unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::TimeLimit);
    drop(solutions);
    let error = engine
        .consult_text("slow.pl", ":- repeat, fail.\n")
        .unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::TimeLimit);

    let mut engine = Engine::builder().inference_limit(10_000).build().unwrap();
    for goal in goals {
        assert_eq!(kind(&mut engine, goal), ErrorKind::InferenceLimit, "{goal}");
        assert_eq!(answer(&mut engine, "X = 1"), "X = 1");
    }
    // The limit ends the goal at the same call each time.
    let mut spent = || {
        let goal = "nb_setval(n, 0), repeat, nb_getval(n, N), M is N + 1, nb_setval(n, M), fail";
        assert_eq!(kind(&mut engine, goal), ErrorKind::InferenceLimit);
        answer(&mut engine, "nb_getval(n, N)")
    };
    assert_eq!(spent(), spent());
}

/// Goals that would each take hours within one builtin.
const LONG: [&str; 5] = [
    "A is 3 ** 6000000, B is 7 ** 3000000, X is gcd(A, B)",
    "length(L, 100), foldl([_, T, f(T, T)]>>true, L, x, T), with_output_to(string(_), print(T))",
    "sleep(1000)",
    "open('/dev/zero', read, S), repeat, catch(read(S, _), error(_, _), true), fail",
    "numlist(1, 300000, L), append(L, [a], A), append(L, [b], B), length(Ls, 9000), \
     maplist([X]>>(random(2) =:= 0 -> X = A ; X = B), Ls), msort(Ls, _)",
];

#[test]
fn work_within_one_builtin_is_limited_and_can_be_interrupted() {
    let mut engine = Engine::builder()
        .capabilities(Capabilities::full())
        .time_limit(Duration::from_millis(100))
        .build()
        .unwrap();
    for goal in LONG {
        assert_eq!(kind(&mut engine, goal), ErrorKind::TimeLimit, "{goal}");
        assert_eq!(answer(&mut engine, "X = 1"), "X = 1");
    }
    let mut engine = self::engine();
    let handle = engine.interrupt_handle();
    let (done, end) = std::sync::mpsc::channel::<()>();
    let thread = std::thread::spawn(move || {
        while end.recv_timeout(Duration::from_millis(100)).is_err() {
            handle.interrupt();
        }
    });
    for goal in LONG {
        assert_eq!(kind(&mut engine, goal), ErrorKind::Interrupted, "{goal}");
    }
    done.send(()).unwrap();
    thread.join().unwrap();
    assert_eq!(answer(&mut engine, "X = 1"), "X = 1");
}

/// A limit does not stop a function of the host before it returns.
#[test]
fn functions_of_the_host_always_return() {
    let mut engine = Engine::builder()
        .time_limit(Duration::from_millis(50))
        .build()
        .unwrap();
    let count = Arc::new(Mutex::new((0, 0)));
    let counted = Arc::clone(&count);
    engine
        .register("slow", 2, move |call| {
            counted.lock().unwrap().0 += 1;
            std::thread::sleep(Duration::from_millis(100));
            let list = call.arg(1);
            let unified = call.unify(0, list);
            counted.lock().unwrap().1 += 1;
            unified
        })
        .unwrap();
    assert_eq!(
        kind(&mut engine, "length(L, 1000000), slow(_, L), true"),
        ErrorKind::TimeLimit
    );
    let (begun, ended) = *count.lock().unwrap();
    assert_eq!(begun, ended);
}

#[test]
fn predicates_of_the_host() {
    let mut engine = engine();
    let mut calls = 0;
    engine
        .register("next", 1, move |call| {
            calls += 1;
            call.unify(0, calls)
        })
        .unwrap();
    engine
        .register("double", 2, |call| {
            let number = call.arg(0);
            let value = number
                .as_integer()
                .ok_or_else(|| Call::type_error("integer", number))?;
            call.unify(1, value * 2)
        })
        .unwrap();
    engine
        .register("wrap", 2, |call| {
            let wrapped = Term::compound("w", vec![call.arg(0), call.arg(0)]);
            call.unify(1, wrapped)
        })
        .unwrap();
    assert_eq!(answer(&mut engine, "next(X), next(Y)"), "X = 1,\nY = 2");
    assert_eq!(answer(&mut engine, "double(21, X)"), "X = 42");
    assert_eq!(answer(&mut engine, "double(1, 3)"), "false");
    assert_eq!(
        answer(&mut engine, "wrap(X, Y), X = 1"),
        "X = 1,\nY = w(1, 1)"
    );
    let error = engine.query_once("double(a, X)").unwrap_err();
    assert!(
        error
            .ball_text()
            .starts_with("error(type_error(integer,a),"),
        "{error}"
    );
    assert_eq!(
        answer(&mut engine, "catch(double(_, _), error(E, _), true)"),
        "E = instantiation_error"
    );
    let again = engine.register("double", 2, |call| call.unify(1, 0));
    assert_eq!(
        again.unwrap_err().message(),
        "the host has registered double/2"
    );
    assert_eq!(answer(&mut engine, "double(21, X)"), "X = 42");
    assert!(engine.register("atom_length", 2, |_| Ok(true)).is_err());
}

#[test]
#[cfg(panic = "unwind")]
fn a_panic_of_a_function_is_an_exception() {
    let mut engine = engine();
    engine
        .register("broken", 0, |_| panic!("on purpose"))
        .unwrap();
    let goal = "catch(broken, error(system_error(_), _), true)";
    assert_eq!(answer(&mut engine, goal), "true");
}

#[test]
fn queries_between_two_solutions() {
    let mut engine = engine();
    let mut solutions = engine.query("member(X, [1, 2])").unwrap();
    assert!(solutions.advance().unwrap());
    assert_eq!(answer(solutions.engine(), "Y = inner"), "Y = inner");
    assert_eq!(solutions.get("X"), Some(Term::from(1)));
    assert!(solutions.advance().unwrap());
    assert_eq!(solutions.get("X"), Some(Term::from(2)));
}

#[test]
fn flags_and_arguments() {
    let mut engine = Engine::builder().args(["a", "b"]).build().unwrap();
    assert_eq!(engine.flag("argv").unwrap().unwrap().to_string(), "[a,b]");
    assert_eq!(engine.flag("no_such_flag").unwrap(), None);
    engine
        .set_flag("double_quotes", &Term::atom("atom"))
        .unwrap();
    assert_eq!(answer(&mut engine, "X = \"a b\""), "X = 'a b'");
}

#[test]
fn odd_texts_cause_no_panic() {
    let mut engine = engine();
    for text in [
        "\0",
        "'",
        "\"",
        "/*",
        "0'",
        "a(",
        ")",
        "X = \u{1F600}",
        "é",
        "'\\x",
        ".",
        "..",
        "a.b",
        "%",
        "\n\n.",
        "- ",
        "f(,)",
        "[|]",
        "{",
        "a:b:c:d",
        "1e400",
        "0'\\",
        "\u{feff}true",
        "`",
        "X = 'a\nb'",
        "_",
        "[a|b|c]",
        "'\u{0}'",
        ":- a",
        "99999999999999999999999 = X",
    ] {
        let _ = engine.query_once(text);
        let _ = engine.parse_term(text);
        let _ = engine.consult_text("odd", text);
        let _ = engine.clause_end(text);
    }
    assert_eq!(answer(&mut engine, "true"), "true");
}

/// The limits of a query hold for all its work, also for reading its text and for converting its solution
/// or exception for the host. A result beyond the limits is an error, and the engine goes on.
#[test]
fn limits_hold_for_texts_and_terms_of_the_host() {
    let mut engine = Engine::builder()
        .memory_limit(256 << 20)
        .time_limit(Duration::from_millis(500))
        .build()
        .unwrap();
    engine
        .consult_text(
            "limits",
            "deep(0, T, T) :- !.\ndeep(N, T0, T) :- M is N - 1, deep(M, f(T0), T).\n\
             shared(0, T, T) :- !.\nshared(N, T0, T) :- M is N - 1, shared(M, f(T0, T0), T).",
        )
        .unwrap();
    let bounded = |kind: &ErrorKind| matches!(kind, ErrorKind::TimeLimit | ErrorKind::Resource);
    let number = format!("X = {}", "7".repeat(20_000_000));
    assert!(bounded(&kind(&mut engine, &number)));
    assert!(bounded(engine.parse_term(&number).unwrap_err().kind()));
    assert!(bounded(&kind(&mut engine, "deep(2000000, a, X)")));
    assert_eq!(answer(&mut engine, "X = 1"), "X = 1");
    // A small term whose text is huge.
    let mut term = Term::atom("a");
    for _ in 0..60 {
        term = Term::compound("f", vec![term.clone(), term]);
    }
    assert!(bounded(engine.format_term(&term).unwrap_err().kind()));
    assert_eq!(engine.format_term(&Term::from(1)).unwrap(), "1");
    // An exception has a message even if it is too large for a term of the host.
    for goal in ["shared(60, a, X), throw(X)", "deep(300000, a, X), throw(X)"] {
        let error = engine.query_once(goal).expect_err("an exception");
        assert!(!error.message().is_empty() && error.message().len() < 2 << 20);
    }
    assert_eq!(answer(&mut engine, "X = 1"), "X = 1");
}

#[test]
fn a_query_waits_for_a_session_of_the_host() {
    let mut engine = Engine::builder()
        .collect_at_every_call(true)
        .build()
        .unwrap();
    engine
        .consult_text(
            "t",
            "asks(X) :- member(X, [1, 2, 3]), T = f(X, Y), break, Y = T, X > 1.",
        )
        .unwrap();
    engine.hold_breaks(true);
    let mut solutions = engine.query("asks(X)").unwrap();
    for waits in [true, true, false] {
        match solutions.advance() {
            Err(error) if waits => assert_eq!(*error.kind(), ErrorKind::Break),
            outcome => assert!(outcome.unwrap()),
        }
        if waits {
            let within = solutions
                .engine()
                .query_once("numlist(1, 1000, L), sum_list(L, X)");
            assert_eq!(
                within.unwrap().unwrap().get("X"),
                Some(&Term::from(500_500))
            );
        }
    }
    assert_eq!(solutions.get("X"), Some(Term::from(2)));
    drop(solutions);
    // A waiting query that is dropped ends.
    let mut solutions = engine.query("asks(X)").unwrap();
    assert!(solutions.advance().is_err());
    drop(solutions);
    assert!(engine.query_once("X = 1").unwrap().is_some());
    // If a host does not hold breaks, `break/0` runs a session of its own.
    engine.hold_breaks(false);
    engine.set_input_text("X = 1.\nend_of_file.\n");
    engine.capture_error_output();
    assert!(engine.query_once("asks(2)").unwrap().is_some());
    assert!(engine.take_error_output().contains("X = 1"));
}

/// Each engine has its own working directory, and the process keeps its directory.
#[test]
fn engines_have_working_directories_of_their_own() {
    let before = std::env::current_dir().unwrap();
    let (mut here, mut there) = (engine(), engine());
    let folder = std::env::temp_dir().canonicalize().unwrap();
    let text = Term::atom(folder.to_str().unwrap());
    assert!(
        here.query_with("chdir(F)", &[("F", text)])
            .unwrap()
            .advance()
            .unwrap()
    );
    assert_eq!(here.working_directory().unwrap(), folder);
    assert_eq!(there.working_directory().unwrap(), before);
    assert_eq!(std::env::current_dir().unwrap(), before);
    let name = format!("wamlet-here-{}.pl", std::process::id());
    let write = format!("open('{name}', write, S), write(S, 'near(1).'), close(S)");
    assert!(here.query_once(&write).unwrap().is_some());
    assert!(folder.join(&name).exists());
    assert!(
        there
            .query_once(&format!("exists_file('{name}')"))
            .unwrap()
            .is_none()
    );
    assert!(here.consult_file(&name).unwrap().is_clean());
    assert!(here.query_once("near(1)").unwrap().is_some());
    // A function of the host uses another engine; the goal then continues in its own directory.
    there
        .register("nested", 0, move |_: &mut Call<'_>| {
            Ok(here.query_once(&format!("delete_file('{name}')")).is_ok())
        })
        .unwrap();
    let found = there
        .query_once("nested, working_directory(D, D)")
        .unwrap()
        .unwrap();
    let directory = found.get("D").and_then(Term::as_atom).unwrap();
    assert_eq!(std::path::Path::new(directory), before);
}
