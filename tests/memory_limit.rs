//! The limit of memory limits the process, whatever goals do with terms that nearly fill it. Memory for
//! intermediate results counts, too. The tests allow a third more, for garbage and for memory that is not
//! counted.
#![cfg(all(feature = "cli", target_os = "linux"))]

#[path = "support/process.rs"]
mod process;

use process::{Folder, run_in};

/// The limit, in megabytes.
const LIMIT: u64 = 192;
/// Megabytes of an idle process.
const IDLE: u64 = 16;

const PROGRAM: &str = ":- set_prolog_flag(double_quotes, string).
% A term that is so many levels deep, with as many variables.
deep(0, T, T) :- !.
deep(N, T0, T) :- N1 is N - 1, deep(N1, g(T0, _), T).
named(S) :-
    numlist(1, 1500000, L), atomic_list_concat(L, ',V', A), atomic_list_concat(['[V', A, ']'], S).
peak(Megabytes) :-
    open('/proc/self/status', read, Stream), read_string(Stream, _, Text), close(Stream),
    split_string(Text, \"\\n\", \"\", Lines), member(Line, Lines),
    string_concat(\"VmHWM:\", Rest, Line), !,
    split_string(Rest, \" \", \" \\t\", [Number|_]), number_string(Kilobytes, Number),
    Megabytes is Kilobytes // 1024.
run(Levels, T, Goal) :-
    deep(Levels, x, T), catch((call(Goal) -> true ; true), error(_, _), true),
    peak(Megabytes), write(Megabytes).
";

#[test]
fn work_on_large_terms_keeps_to_the_limit() {
    let folder = Folder::new();
    folder.file("deep.pl", PROGRAM);
    let limit = format!("{LIMIT}m");
    let mut offenders = Vec::new();
    for goal in [
        "copy_term(T, _)",
        "duplicate_term(T, _)",
        "findall(T, true, _)",
        "catch(throw(T), _, true)",
        "nb_setval(k, T)",
        "assertz(k(T))",
        "assertz((k :- print(T)))",
        "T =@= T",
        "copy_term(T, U), T =@= U",
        "copy_term(T, U), T = U",
        "copy_term(T, U), compare(_, T, U)",
        "copy_term(T, U), unify_with_occurs_check(T, U)",
        "copy_term(T, U), subsumes_term(T, U)",
        "term_variables(T, _)",
        "numbervars(T, 0, _)",
        "term_hash(T, _)",
        "acyclic_term(T)",
        "with_output_to(string(_), write(T))",
        "with_output_to(string(S), write(T)), term_to_atom(_, S)",
        "named(S), term_to_atom(_, S)",
    ] {
        for levels in [1_000_000, 2_000_000, 4_000_000] {
            let goal = format!("run({levels}, T, ({goal}))");
            let ran = run_in(
                &folder.0,
                &["--max-memory", &limit, "-q", "-g", &goal, "deep.pl"],
                "",
            );
            let peak = ran.output.trim().parse::<u64>();
            if !peak
                .as_ref()
                .is_ok_and(|&peak| peak <= LIMIT * 4 / 3 + IDLE)
            {
                offenders.push(format!("{goal}: {peak:?} {}", ran.errors));
            }
        }
    }
    assert!(offenders.is_empty(), "{}", offenders.join("\n"));
}

/// The clauses and tables of programs count. A call of an undefined predicate leaves nothing behind.
#[test]
fn predicates_and_tables_count() {
    let folder = Folder::new();
    let more = ":- table connected/2.
connected(X, Y) :- connected(X, Z), next(Z, Y).
connected(X, Y) :- next(X, Y).
next(X, Y) :- Y is (X + 1) mod 300.
each(Goal, I) :- forall(between(1, 1000000, I), Goal).
:- dynamic fact/2.
churn :-
    between(1, 6, Round), catch(each(assertz(fact(I, Round)), I), error(resource_error(_), _), true),
    forall((clause(fact(_, _), true, Ref), random(3) =\\= 0), erase(Ref)), fail.
churn.
% Each clause stands in eight indexes.
:- dynamic y/8.
indexed :-
    length(Args, 8), Call =.. [y|Args],
    each((assertz(y(I, I, I, I, I, I, I, I)), ( I =:= 100 -> forall(member(1, Args), forall(Call, true)) ; true )), I).
:- use_module(library(linear)).
assumes(N) :- M is N + 1, (token(N) -<> assumes(M)).
keeps(N) :- M is N + 1, (token(N) => keeps(M)).
% No call of a predicate looks at the memory between two of these.
declares :- between(1, 1000000, I), atom_concat(m, I, A), dynamic(A/1), fail.
% Each is of a predicate of its own.
others(N) :- M is N + 1, atom_concat(t, N, A), G =.. [A, 1], (G -<> others(M)).
";
    folder.file("deep.pl", &format!("{PROGRAM}{more}"));
    let loop_without_end = "MODULE loop.\nLINEAR q X.\nl X :- (q a -o l X).\n";
    folder.file("loop.ll", loop_without_end);
    // A library that is loaded later would count, so it is loaded first.
    for (limit, goal, most) in [
        (64, "each((atom_concat(m, I, A), assertz(A:q(1))), I)", 112),
        (64, "each((atom_concat(m, I, A), dynamic(A/1)), I)", 96),
        (64, "each((atom_concat(m, I, A), assertz(A:q)), I)", 80),
        (64, "churn", 112),
        (64, "indexed", 96),
        (64, "lolli_query(\"loop --o l 1\", _)", 96),
        (64, "each(connected(I, _), I)", 96),
        (64, "assumes(1)", 96),
        (64, "keeps(1)", 96),
        (64, "declares", 96),
        (64, "others(1)", 96),
        (64, "each((atom_concat(m, I, A), setenv(A, I)), I)", 96),
        (
            64,
            "each((atom_concat(m, I, A), catch(A, error(_, _), true)), I)",
            32,
        ),
    ] {
        let limit = format!("{limit}m");
        // The assertions of the goal remain and may use all memory. Dropping the ballast frees memory for the
        // output.
        let goal = format!(
            "peak(_), ( numlist(1, 20000, Ballast), catch(({goal}), error(resource_error(_), _), true), \
             Ballast = [], fail ; peak(M), write(M) )"
        );
        let args = ["--max-memory", &limit, "-q", "-g", &goal, "deep.pl"];
        let ran = run_in(&folder.0, &args, "");
        let peak = ran.output.trim().parse::<u64>();
        assert!(
            peak.as_ref().is_ok_and(|&peak| peak <= most),
            "{goal}: {peak:?} {}",
            ran.errors
        );
    }
}

/// A cleanup goal runs although kept data fills the memory. That must not depend on the table of names that
/// it grows.
#[test]
fn cleanup_goals_run_when_kept_data_fills_the_memory() {
    let folder = Folder::new();
    for facts in 16..48 {
        let mut program = String::from(
            ":- dynamic f/1.
fill(N) :- assertz(f(N)), M is N + 1, fill(M).
full :- catch(setup_call_cleanup(true, fill(0), write(cleaned_up)), error(E, _), (nl, print(E), nl)).
",
        );
        for fact in 1..=facts {
            program += &format!("fact{fact}(name{fact}, value{fact}).\n");
        }
        folder.file("full.pl", &program);
        let ran = run_in(
            &folder.0,
            &["--max-memory", "20m", "-g", "full", "full.pl"],
            "",
        );
        let expected = "cleaned_up\nresource_error(memory)\n";
        assert_eq!(ran.output, expected, "{facts} facts: {}", ran.errors);
    }
}

/// When clauses have filled their part of the memory, only new clauses fail. Other goals go on, even first
/// calls of library predicates. Retracted clauses make room again.
#[test]
fn a_session_goes_on_when_clauses_fill_the_memory() {
    let folder = Folder::new();
    folder.file(
        "full.pl",
        ":- dynamic f/1.\nfill(N) :- assertz(f(N)), M is N + 1, fill(M).\n",
    );
    let queries = "catch(fill(0), error(E, _), true).
member(X, [1]).
findall(X, between(1, 1000, X), L), sum_list(L, S), length(L, N).
list_to_assoc([a-1], T), get_assoc(a, T, V).
format(\"~a~t~20|~w~n\", [a, b]).
retractall(f(_)).
assertz(f(2)), findall(X, f(X), L).
";
    for limit in ["12m", "20m", "33m"] {
        let args = ["--max-memory", limit, "full.pl"];
        let ran = run_in(&folder.0, &args, queries);
        for expected in [
            "E = resource_error(memory).",
            "X = 1.",
            "S = 500500",
            "V = 1.",
            "a                   b\ntrue.",
            "L = [2].",
        ] {
            assert!(
                ran.output.contains(expected),
                "{limit}: no {expected} in {}",
                ran.output
            );
        }
        assert_eq!(ran.errors, "", "{limit}");
    }
}

/// A table that the limit of memory interrupts is not complete, and the next query computes it again.
#[test]
fn interrupted_tables_are_computed_again() {
    let folder = Folder::new();
    for facts in 30..46 {
        let mut program = String::from(
            ":- table inf/1, small/2.
:- dynamic kept/1.
inf(0).
inf(N) :- inf(M), N is M + 1.
small(1, 1).
full :- catch(inf(_), error(E, _), (print(E), nl)), fail.
full :- small(1, X), print(X), assertz(kept(1)), abolish_all_tables, small(1, Y), print(Y), nl.
",
        );
        for fact in 1..=facts {
            program += &format!("fact{fact}(name{fact}, value{fact}).\n");
        }
        folder.file("full.pl", &program);
        let ran = run_in(
            &folder.0,
            &["--max-memory", "50m", "-g", "full", "full.pl"],
            "",
        );
        let expected = "resource_error(memory)\n11\n";
        assert_eq!(ran.output, expected, "{facts} facts: {}", ran.errors);
    }
}

/// An uncaught exception becomes a message and a term for the host within the limits.
#[test]
fn messages_of_deep_terms_keep_to_the_limit() {
    let folder = Folder::new();
    folder.file("deep.pl", PROGRAM);
    let limit = format!("{LIMIT}m");
    for levels in [1_000_000, 3_000_000] {
        let goal = format!("deep({levels}, x, T), throw(T)");
        let at_end = "at_halt((peak(M), write(M)))";
        let args = ["--max-memory", &limit, "--timeout", "20", "-q"];
        let rest = ["-g", at_end, "-g", &goal, "deep.pl"];
        let ran = run_in(&folder.0, &[&args[..], &rest[..]].concat(), "");
        let peak = ran.output.trim().parse::<u64>();
        let fits = |&peak: &u64| peak <= LIMIT * 4 / 3 + IDLE;
        assert!(peak.as_ref().is_ok_and(fits), "{levels}: {peak:?}");
    }
}

/// The text of a small term can be huge. A message shows only its beginning.
#[test]
fn messages_of_unfolding_terms_are_short() {
    let folder = Folder::new();
    folder.file(
        "shared.pl",
        "shared(T) :- length(L, 64), foldl([_, X, f(X, X)]>>true, L, z, T).",
    );
    for (goal, status) in [
        ("throw(T)", 2),
        ("atom_length(T, _)", 2),
        ("throw(error(type_error(T, T), T))", 2),
        ("print_message(error, T)", 0),
        ("print_message(error, format(\"~w ~a\", [T, T]))", 0),
        ("print_message(error, error(existence_error(T, T), _))", 0),
    ] {
        let goal = format!("shared(T), {goal}");
        let start = std::time::Instant::now();
        let args = ["--max-memory", "256m", "-g", &goal, "shared.pl"];
        let ran = run_in(&folder.0, &args, "");
        assert_eq!(ran.status, status, "{goal}");
        let bytes = ran.errors.len();
        assert!((1 << 10..8 << 20).contains(&bytes), "{goal}: {bytes} bytes");
        assert!(start.elapsed().as_secs() < 30, "{goal}");
    }
}

/// The text of an answer is cut, too; the value is complete.
#[test]
fn answers_that_unfold_are_cut() {
    let builder = wamlet::Engine::builder().memory_limit(256 << 20);
    let mut engine = builder.build().unwrap();
    let goal = "length(L, 64), foldl([_, Y, f(Y, Y)]>>true, L, z, X)";
    let start = std::time::Instant::now();
    let solution = engine.query_once(goal).unwrap().unwrap();
    let text = solution.to_string();
    assert!(text.ends_with("..."), "an end");
    assert!(text.len() < 20 << 20, "{} bytes", text.len());
    assert!(solution.get("X").is_some());
    assert!(start.elapsed().as_secs() < 30);
}

/// The prompt takes memory for the shown part of an answer, not for the whole.
#[test]
fn large_answers_at_the_prompt_keep_to_the_limit() {
    let folder = Folder::new();
    folder.file("deep.pl", PROGRAM);
    for (query, answer) in [
        (
            "length(X, 8000000).",
            "X = [_, _, _, _, _, _, _, _, _|...].",
        ),
        (
            "length(X, 4000000), X = [f(A)|_], last(X, A).",
            "X = [f(A), _, _, _, _, _, _, _, _|...].",
        ),
        (
            "length(X, 4000000), nth1(2, X, V), last(X, W), V = W, nb_setval(k, V).",
            "X = [_, W, _, _, _, _, _, _, _|...],\nV = W.",
        ),
        (
            "Z = f(Z), length(X, 8000000).",
            "Z = f(Z),\nX = [_, _, _, _, _, _, _, _, _|...].",
        ),
        (
            "length(X, 4000000), nth1(2, X, V), last(X, Z), Z = g(X, V).",
            "X = [_A, V, _B, _C, _D, _E, _F, _G, _H|...],\nZ = g(X, V).",
        ),
        (
            "deep(2000000, x, X).",
            "X = g(g(g(g(g(g(g(g(g(g(..., ...), _), _), _), _), _), _), _), _), _).",
        ),
    ] {
        let input = format!("{query}\nY = $X.\npeak(M), write(M), nl, fail.\n");
        let ran = run_in(
            &folder.0,
            &["--max-memory", "192m", "-q", "deep.pl"],
            &input,
        );
        assert!(ran.output.starts_with(answer), "{query}: {}", ran.output);
        let refused = "the last value of X was cyclic or too large to keep\n2 | Y = $X.";
        assert!(ran.errors.contains(refused), "{query}: {}", ran.errors);
        let peak = ran.output.lines().find_map(|line| line.parse::<u64>().ok());
        let fits = |&peak: &u64| peak <= LIMIT * 4 / 3 + IDLE;
        assert!(peak.as_ref().is_some_and(fits), "{query}: {peak:?}");
    }
}

/// Messages of loading take limited memory.
#[test]
fn messages_of_loading_keep_to_the_limit() {
    let folder = Folder::new();
    folder.file("deep.pl", PROGRAM);
    let long = "x".repeat(250);
    for (clause, errors) in [
        ("p( , .\n".to_owned(), true),
        (format!("p('{long}' , .\n"), true),
        ("atom_length(a, 1).\n".to_owned(), true),
        (":- fail.\n".to_owned(), false),
        ("p :- q(X).\nr.\n".to_owned(), false),
        (format!(":- throw('{long}').\n"), true),
    ] {
        folder.file("wrong.pl", &clause.repeat(40_000));
        let goal = "peak(M), write(M)";
        let args = [
            "--max-memory",
            "32m",
            "-g",
            goal,
            "-t",
            "halt",
            "deep.pl",
            "wrong.pl",
        ];
        let ran = run_in(&folder.0, &args, "");
        let peak = ran.output.trim().parse::<u64>();
        assert!(
            peak.is_ok_and(|peak| peak <= 32 + IDLE),
            "{clause}: {}",
            ran.output
        );
        assert_eq!(ran.errors.contains(": error: "), errors, "{clause}");
    }
}
