//! Searches by several threads have the same solutions as searches by one thread, in the same order, and raise the same
//! exceptions. The tests use random programs with cuts, conditions, exceptions, collections, constraints and assumptions,
//! which run within assumptions and global variables. They also use random constraint problems.

use std::fmt::Write;
use std::time::Duration;
use wamlet::{Engine, Error, ErrorKind, Term};

/// A sequence of pseudorandom numbers (Marsaglia's xorshift), and whether goals may have effects.
struct Random(u64, bool);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }
}

/// Number of predicates `p1/1` to `p6/1`. Each calls only those before it, so all calls end.
const PREDICATES: u64 = 6;

/// Returns a goal that may bind `var`. It calls predicates below `level`.
fn goal(random: &mut Random, level: u64, var: char, depth: u64) -> String {
    let number = random.below(5);
    let kinds = if random.1 { 29 } else { 24 };
    if depth == 0 {
        return match random.below(12) {
            0 => format!("member({var}, [{number}, 2, 4])"),
            1 => format!("between(1, {number}, {var})"),
            2 => format!("catch({var} > {number}, error(_, _), true)"),
            3 => format!("catch({var} =\\= {number}, error(_, _), fail)"),
            4 => format!("d({var})"),
            5 => format!("f({number}, {var})"),
            6 => format!("k({var})"),
            7 => format!("catch(h({var}), error(_, _), fail)"),
            8 => format!("catch(b_getval(around, A), _, A = 2), ( A = {var} ; {var} = {number} )"),
            9 => format!("format(atom({var}), \"~w\", [{number}])"),
            10 => format!(
                "catch(with_output_to(atom({var}), ( member(Y, [1, {var}]), write({number}), Y > 0 )), error(_, _), fail)"
            ),
            _ if level > 1 => format!("p{}({var})", 1 + random.below(level - 1)),
            _ => format!("{var} = {number}"),
        };
    }
    let mut part = |var| goal(random, level, var, depth - 1);
    let (a, b, c) = (part(var), part(var), part('Z'));
    match random.below(kinds) {
        0..5 => format!("{a}, {b}"),
        5..7 => format!("( {a} ; {b} )"),
        7 => format!("( {c} -> {a} ; {b} )"),
        8 => format!("( {c} *-> {a} ; {b} )"),
        9 => format!("( {a} -> true )"),
        10 => format!("\\+ ( {c}, Z > {number} ), {a}"),
        11 => format!("once(( {a}, {b} ))"),
        12 => format!("{a}, !, {b}"),
        13 => format!("catch(( {a}, {b} ), ball(_), {var} = caught)"),
        14 => format!("( {a} ; throw(ball({number})) )"),
        15 => format!("findall(Y, ( {c}, Y = Z ), L), L \\== [], member({var}, L)"),
        16 => format!("call(( {a}, ! ; {b} ))"),
        17 => format!("forall(( {c} ), Z \\== {number}), {a}"),
        18 => format!("( h({number}) => ( h({var}), {a} ) )"),
        19 => format!("( h({number}) -<> ( {a}, h({var}) ) )"),
        20..22 => format!("c(( {a} ; {b} ))"),
        22 => format!("{var} in 1..4, {var} #\\= {number}, label([{var}])"),
        24 => format!("( b_getval(seen, S), S > {number} ; b_setval(seen, {number}), {a} )"),
        25 => format!("( b_setval(seen, {number}), {a} ; {b} )"),
        26 => format!("nb_getval(kept, K), nb_setval(kept, {number}), K < {number}, {a}"),
        27 => format!("retractall(d({number})), {a}"),
        28 => format!("retractall(d({number})), assertz(d({number})), {a}"),
        _ => format!("count_solutions(( {c} ), N), {var} = N"),
    }
}

fn program(random: &mut Random) -> String {
    let mut text = String::from(
        ":- use_module(library(clpfd)).\n:- use_module(library(linear)).\n:- dynamic d/1.\nd(1). d(3). d(4).\nc(G) :- call(G).\n\
         k(1). k(4).\nf(_, 1). f(2, 2). f(3, 5). f(2, 4). f(X, X).\n",
    );
    for level in 1..=PREDICATES {
        for _ in 0..=random.below(3) {
            let depth = 1 + random.below(3);
            let body = goal(random, level, 'X', depth);
            writeln!(text, "p{level}(X) :- {body}.").expect("a text grows");
        }
    }
    text
}

/// Returns the surroundings of a search: assumptions, and a global variable. `@` is the place of the search. The whole
/// ends after its first solution.
fn surroundings(random: &mut Random) -> String {
    let [first, second] = [0; 2].map(|_| random.below(5));
    let around = match random.below(16) {
        0 => format!("( h({first}) -<> ( @, erase ) )"),
        1 => format!("( h({first}) => ( h({second}) -<> ( @, erase ) ) )"),
        2 => format!("( ( h({first}) & k({second}) & k(3) ) -<> ( @, erase ) )"),
        3 => "( ( k(X0) :- h(X0) ; d(X0) ) => ( ( h(1), h(2), h(4) ) -<> ( @, erase ) ) )".into(),
        4 => format!("( ( h(1), h({first}), h(3) ) -<> ( h(_), @, erase ) )"),
        5 => "( h(V) -<> ( k(V) => ( k(f(V)) => ( @, erase ) ) ) )".into(),
        6 => format!("( h({first}) -<> ( h({second}) => ( {{ @ }}, erase ) ) )"),
        7 => format!("( ( h(1), h({first}) ) -<> ( ( ( h(_), @ ) & h(_) ), erase ) )"),
        8 => format!("( ( h(1), h({first}) ) -<> ( ( h(_) & ( @, h(_) ) ), erase ) )"),
        9 => format!("( ( h(1), h(2) ) -<> ( erase, ( k({first}) -<> ( @, erase ) ) ) )"),
        10 => format!("( k({first}) => ( ( h(A0) :- k(A0), k(B0), B0 >= A0 ) -<> ( @, erase ) ) )"),
        11 => format!("( f({first}, B0) => ( freeze(B0, B0 > 1), d({second}) => @ ) )"),
        _ => "@".into(),
    };
    match random.below(4) {
        0 => format!("b_setval(around, {first}), {around}"),
        1 => format!("b_setval(around, Z0), {around}"),
        2 => format!("nb_setval(around, f({first})), {around}"),
        _ => around,
    }
}

/// The goals that set the variables for goals with effects.
const BEGIN: &str = "b_setval(seen, 2), nb_setval(kept, 1)";

/// Returns the outcome of a query: the list, or the exception.
fn outcome(engine: &mut Engine, find: &str) -> String {
    let query = format!(
        "catch(call_with_inference_limit(( {find} ), 300000, _), Ball, L = raised(Ball)), copy_term(L, D, _), numbervars(D, 0, _), format(atom(C), \"~q\", [D])"
    );
    match engine.query_once(&query) {
        Ok(Some(solution)) => solution
            .get("C")
            .map_or("unbound".into(), ToString::to_string),
        Ok(None) => "false".into(),
        Err(error) => error.to_string(),
    }
}

/// Returns the number of solutions of a goal within surroundings. Seven units count them, each in another engine. Returns
/// `None` if a unit raises an exception.
fn count_in_units(text: &str, around: &str, goal: &str) -> Result<Option<i64>, Error> {
    let mut engine = Engine::new()?;
    engine.consult_text("random.pl", text)?;
    let units = around.replace('@', &format!("'$threads_units'({goal}, 7, Units)"));
    let units = engine.query_once(&format!("catch(( {units} ), _, Units = [])"))?;
    let units = units.and_then(|solution| solution.get("Units").cloned());
    let units = units.expect("a list");
    let units = units.as_list().expect("a list");
    let mut sum = (!units.is_empty()).then_some(0);
    for unit in units {
        let mut engine = Engine::new()?;
        engine.consult_text("random.pl", text)?;
        let count = around.replace('@', &format!("'$threads_count'({goal}, Unit, 1, N)"));
        let count = format!(
            "catch(( {count} ), Ball, true), \
            ( nonvar(Ball), Ball = error(system_error(_), _) -> throw(Ball) ; true )"
        );
        let mut solutions = engine.query_with(&count, &[("Unit", unit.clone())])?;
        solutions.advance()?;
        let count = solutions.get("N").as_ref().and_then(Term::as_integer);
        sum = sum.zip(count).map(|(sum, count)| sum + count);
    }
    Ok(sum)
}

/// Searches random programs in all ways. Returns the number of programs with solutions.
fn search_all(programs: u64, seed: u64) -> Result<u64, Error> {
    let mut random = Random(seed, false);
    let mut some = 0;
    for number in 0..programs {
        let text = program(&mut random);
        let mut engine = Engine::new()?;
        assert!(
            engine.consult_text("random.pl", &text)?.errors.is_empty(),
            "{text}"
        );
        let goal = format!("p{PREDICATES}(X)");
        let around = surroundings(&mut random);
        let within = |search: String| around.replace('@', &search);
        let wanted = outcome(&mut engine, &within(format!("findall(X, {goal}, L)")));
        if wanted.starts_with("unbound") {
            continue;
        }
        some += u64::from(wanted.len() > 4);
        for options in ["split(always)", "threads(2)", "threads(2), split(always)"] {
            let found = outcome(
                &mut engine,
                &within(format!("findall(X, {goal}, L, [], [{options}])")),
            );
            assert_eq!(found, wanted, "{number}: {options}\n{around}\n{text}");
        }
        // Seven engines take long, so only every fourth program runs in units.
        if number % 4 == 0 {
            let wanted = within(format!("count_solutions({goal}, L)"));
            let wanted = outcome(&mut engine, &wanted);
            let wanted = wanted.trim_matches('\'').parse().ok();
            let found = count_in_units(&text, &around, &goal)?;
            assert_eq!(found, wanted, "{number}\n{around}\n{text}");
        }
    }
    Ok(some)
}

#[test]
fn divided_searches_find_the_same_as_whole_ones() -> Result<(), Error> {
    let some = search_all(250, 0x2545_f491_4f6c_dd1d)?;
    assert!(some > 100, "only {some} programs have solutions");
    Ok(())
}

/// Walks along facts that differ only deep in their first arguments. Calls by the second argument make an index, which
/// only some machines have.
#[test]
fn indexes_that_some_machines_have_change_nothing() -> Result<(), Error> {
    let text = "
        :- use_module(library(linear)).
        :- dynamic e/2.
        facts(N, Fs) :- findall(e(f(g(I, x), a), J), ( between(1, N, I), member(K, [1,2,3]), J is (I * K) mod N + 1 ), Fs).
        :- initialization(( facts(30, Fs), forall(member(e(A, B), Fs), assertz(e(A, B))) )).
        around([], G) :- call(G).
        around([e(A, B)|Fs], G) :- ( i(A, B) => around(Fs, G) ).
        within(G) :- facts(30, Fs), around(Fs, G).
        walk(0, _, _).
        walk(N, P, I) :- N > 0, call(P, f(g(I, x), a), J), \\+ \\+ call(P, _, J), M is N - 1, walk(M, P, J).
    ";
    let goals = [
        ("@", "walk(5, e, 1)"),
        ("@", "within(walk(5, i, 1))"),
        ("within(@)", "walk(5, i, 1)"),
    ];
    for (around, goal) in goals {
        let mut engine = Engine::new()?;
        engine.consult_text("random.pl", text)?;
        for options in ["split(always)", "threads(2)", "threads(2), split(always)"] {
            let find = format!("count_solutions({goal}, L, [{options}])");
            let found = outcome(&mut engine, &around.replace('@', &find));
            assert_eq!(found, "'243'", "{around}, {goal}: {options}");
        }
        assert_eq!(count_in_units(text, around, goal)?, Some(243), "{goal}");
    }
    Ok(())
}

/// Counts the solutions of random programs in all ways, with and without remembered counts.
fn count_all(programs: u64, seed: u64) -> Result<u64, Error> {
    let mut random = Random(seed, true);
    let mut some = 0;
    for number in 0..programs {
        random.1 = number % 2 == 0;
        let text = program(&mut random);
        let find =
            |goal: &str, options: &str| format!("{BEGIN}, count_solutions(( {goal} ), L{options})");
        let levels: Vec<String> = (1..=PREDICATES)
            .map(|level| format!("p{level}/1"))
            .collect();
        let declared = format!(
            ":- style_check(-count_memo).\n:- count_memo {}.\n{text}",
            levels.join(", ")
        );
        let goals = [
            format!("p{PREDICATES}(X)"),
            format!("member(X, [1, 2, 1, Y, Y]), p{PREDICATES}(X)"),
            format!(
                "( h(2) -<> ( h(3) => ( p{}(X) ; p{PREDICATES}(X) ) ) )",
                PREDICATES - 1
            ),
        ];
        for goal in goals {
            let mut plain = Engine::new()?;
            let mut remembering = Engine::new()?;
            assert!(plain.consult_text("random.pl", &text)?.errors.is_empty());
            let loaded = remembering.consult_text("random.pl", &declared)?;
            assert!(loaded.errors.is_empty(), "{declared}");
            let wanted = outcome(&mut plain, &find(&goal, ""));
            if wanted.starts_with("unbound") {
                continue;
            }
            some += u64::from(wanted.len() > 1);
            let found = outcome(&mut remembering, &find(&goal, ""));
            assert_eq!(found, wanted, "{number}: {goal}\n{text}");
            if !random.1 {
                for options in [", [threads(2)]", ", [threads(2), split(always)]"] {
                    let found = outcome(&mut remembering, &find(&goal, options));
                    assert_eq!(found, wanted, "{number}: {goal}{options}\n{text}");
                }
            }
        }
    }
    Ok(some)
}

#[test]
fn remembered_counts_are_correct() -> Result<(), Error> {
    let some = count_all(120, 0x1234_5678_9abc_def1)?;
    assert!(some > 50, "only {some} counts have two digits");
    Ok(())
}

/// Runs the same test on many programs, which takes minutes.
#[test]
#[ignore = "takes minutes"]
fn many_remembered_counts_are_correct() -> Result<(), Error> {
    for seed in 1..=40 {
        count_all(250, seed << 32 | 0x9e37_79b9)?;
    }
    Ok(())
}

/// Returns a goal that labels variables with constraints between them.
fn labels(random: &mut Random) -> String {
    let number = 2 + random.below(3);
    let mut goal = format!("X = [A, B, C, D], X ins 0..{number}");
    for _ in 0..3 {
        let mut one_of =
            |options: &[&'static str]| options[random.below(options.len() as u64) as usize];
        let pair = one_of(&[
            "A @ B",
            "A + B @ C",
            "B @ D",
            "C + D @ A",
            "A * C @ D",
            "D @ B + C",
        ]);
        let constraint = pair.replace('@', one_of(&["#\\=", "#=<", "#>="]));
        write!(goal, ", {constraint}").expect("a text grows");
    }
    let mut one_of =
        |options: &[&'static str]| options[random.below(options.len() as u64) as usize];
    let select = one_of(&["leftmost", "ff", "ffc", "min", "max", "random_variable(3)"]);
    let branch = one_of(&[
        "up",
        "down",
        "enum",
        "bisect",
        "enum, down",
        "random_value(3)",
    ]);
    let waiting = one_of(&["true", "true", "freeze(B, member(_, [1, 2]))"]);
    let optima = one_of(&[
        "",
        "",
        ", min(A + 2 * B - C)",
        ", max(A * D - B)",
        ", min(B), max(C)",
    ]);
    format!("{goal}, {waiting}, labeling([{select}, {branch}{optima}], X)")
}

/// Searches random constraint problems in all ways.
fn label_all(problems: u64, seed: u64) -> Result<(), Error> {
    let mut random = Random(seed, false);
    let mut engine = Engine::new()?;
    engine.consult_text("labels.pl", ":- use_module(library(clpfd)).")?;
    for number in 0..problems {
        let goal = labels(&mut random);
        let wanted = outcome(&mut engine, &format!("findall(X, ({goal}), L)"));
        for options in ["split(always)", "threads(2)", "threads(2), split(always)"] {
            let found = outcome(
                &mut engine,
                &format!("findall(X, ({goal}), L, [], [{options}])"),
            );
            assert_eq!(found, wanted, "{number}: {options}\n{goal}");
        }
    }
    Ok(())
}

#[test]
fn divided_labelings_find_the_same_as_whole_ones() -> Result<(), Error> {
    label_all(100, 0x5851_f42d_4c95_7f2d)
}

/// Values that fail at once are branches like others. A search that skips such a value on the way to a part does not know
/// that it fails.
#[test]
fn values_that_fail_at_once_are_branches() -> Result<(), Error> {
    let mut engine = Engine::new()?;
    engine.consult_text("labels.pl", ":- use_module(library(clpfd)).")?;
    let goal =
        "X = [B, C, D], X ins 0..4, B #\\= 2, 2 * C #=< D, D #\\= B + C, labeling([max, enum], X)";
    let wanted = outcome(&mut engine, &format!("findall(X, ({goal}), L)"));
    assert!(wanted.starts_with("'[["), "{wanted}");
    let divided = format!("findall(X, ({goal}), L, [], [split(always)])");
    assert_eq!(outcome(&mut engine, &divided), wanted);
    Ok(())
}

/// A machine that skips the branches before its part ends at the first interrupt. A division skips branches between its
/// steps.
#[test]
fn an_interrupt_ends_the_way_to_a_part() -> Result<(), Error> {
    let mut engine = Engine::builder()
        .time_limit(Duration::from_secs(30))
        .build()?;
    engine.consult_text(
        "long.pl",
        "long(X, Y) :- between(1, 4000000000, X), member(Y, [1,2,3]), between(1, 100, _), X * Y > 290.",
    )?;
    let handle = engine.interrupt_handle();
    let interrupter = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(300));
        handle.interrupt();
    });
    let ended = engine.query_once("'$threads_units'(long(_, _), 2, _)");
    interrupter.join().expect("a thread that waits");
    assert_eq!(
        ended.map(drop).map_err(|error| error.kind().clone()),
        Err(ErrorKind::Interrupted)
    );
    Ok(())
}

/// Runs the same tests on many programs and problems, which takes minutes.
#[test]
#[ignore = "takes minutes"]
fn many_divided_searches_find_the_same_as_whole_ones() -> Result<(), Error> {
    for seed in 1..=40 {
        search_all(250, seed << 32 | 0x9e37_79b9)?;
        label_all(250, seed << 32 | 0x7f4a_7c15)?;
    }
    Ok(())
}
