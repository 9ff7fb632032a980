//! The engine frees names from the host when nothing refers to them. A host may give new names in each query,
//! value, term or program for a week, and the engine does not grow.

use wamlet::{Engine, Error, Term};

/// Number of calls of each kind. Each call makes a name of [`LONG`] bytes: all together would fill the memory
/// several times.
const CALLS: usize = 3_000;
const LONG: usize = 4_000;
const MEMORY: usize = 8 << 20;

type Gives = fn(&mut Engine, &str) -> Result<(), Error>;

fn ask(engine: &mut Engine, query: &str) -> Result<(), Error> {
    engine.query_once(query).map(drop)
}

/// Turns an error into a success, except a lack of memory.
fn fails(result: Result<(), Error>) -> Result<(), Error> {
    match result {
        Err(error) if *error.kind() != wamlet::ErrorKind::Resource => Ok(()),
        Err(error) => Err(error),
        Ok(()) => panic!("no error"),
    }
}

const KINDS: &[(&str, Gives)] = &[
    ("an atom of a query", |e, n| ask(e, &format!("atom({n})"))),
    ("a functor of a query", |e, n| {
        ask(e, &format!("compound({n}(1))"))
    }),
    ("a control construct", |e, n| {
        ask(e, &format!("( fail ; X = {n}, X = Y, Y = {n} )"))
    }),
    ("a value", |e, n| {
        e.query_with("atom(V)", &[("V", Term::atom(n))])
            .and_then(|mut s| s.advance())
            .map(drop)
    }),
    ("a functor of a value", |e, n| {
        let value = Term::compound(n, vec![Term::from(1)]);
        e.query_with("compound(V)", &[("V", value)])
            .and_then(|mut s| s.advance())
            .map(drop)
    }),
    ("a term that is parsed", |e, n| {
        e.parse_term(&format!("{n}({n})")).map(drop)
    }),
    ("a term that is written", |e, n| {
        e.format_term(&Term::compound(n, vec![Term::atom(n)]))
            .map(drop)
    }),
    ("an unknown procedure", |e, n| fails(ask(e, n))),
    ("an unknown procedure with arguments", |e, n| {
        fails(ask(e, &format!("{n}(1, 2)")))
    }),
    ("no evaluable", |e, n| {
        fails(ask(e, &format!("X is {n} + 1")))
    }),
    ("no evaluable functor", |e, n| {
        fails(ask(e, &format!("X is {n}(1)")))
    }),
    ("a wrong type", |e, n| {
        fails(ask(e, &format!("atom_length({n}(x), _)")))
    }),
    ("an exception", |e, n| fails(ask(e, &format!("throw({n})")))),
    ("a syntax error", |e, n| {
        fails(ask(e, &format!("X = {n} {n}")))
    }),
    ("a file that is not there", |e, n| {
        fails(ask(e, &format!("open({}, read, _)", &n[..200])))
    }),
    ("a text that is loaded again", |e, n| {
        let text = format!(
            ":- dynamic(d/1).\n{n}(1). {n}(X, Y) :- {n}(X), Y = {n}({n}), u_{n}(Y).\nd(1). d(X) :- call({n}, X).\n"
        );
        e.consult_text("again.pl", &text).map(drop)?;
        let unknown = format!("catch({n}(_, _), error(existence_error(_, _), _), fail)");
        let holds = e.query_once(&format!("{n}(X), d(1), \\+ {unknown}"))?;
        assert!(holds.is_some(), "it was loaded");
        Ok(())
    }),
    ("a module that is loaded again", |e, n| {
        let text =
            format!(":- module(again, [{n}/1, op(700, xfx, ===>)]).\n{n}(1). {n}(X) :- X = {n}.\n");
        e.consult_text("module.pl", &text).map(drop)?;
        ask(e, &format!("{n}(X)"))
    }),
    ("clauses that are asserted and abolished", |e, n| {
        ask(
            e,
            &format!(
                "assertz(a_{n}(1)), assertz((a_{n}(X) :- a_{n}(X, {n}))), a_{n}(1), abolish(a_{n}/1)"
            ),
        )
    }),
    ("a goal of Lolli", |e, n| {
        e.parse_lolli_term(&format!("{n} a")).map(drop)
    }),
];

fn count(engine: &mut Engine, what: &str) -> i64 {
    let mut solutions = engine
        .query_with("statistics(K, N)", &[("K", Term::atom(what))])
        .expect("a number");
    assert!(solutions.advance().expect("a number"));
    solutions
        .get("N")
        .and_then(|n| n.as_integer())
        .expect("a number")
}

#[test]
fn names_of_the_host_are_freed() {
    let mut engine = Engine::builder().memory_limit(MEMORY).build().unwrap();
    let stem = "n".repeat(LONG);
    for (kind, give) in KINDS {
        let mut least = (i64::MAX, i64::MAX);
        for nth in 0..CALLS {
            // The number comes first, because names of files are cut.
            let name = format!("n{nth}_{stem}");
            give(&mut engine, &name).unwrap_or_else(|error| panic!("{kind}, call {nth}: {error}"));
            if nth == CALLS / 10 {
                engine.query_once("garbage_collect_atoms").unwrap();
                least = (count(&mut engine, "atoms"), count(&mut engine, "functors"));
            }
        }
        engine.query_once("garbage_collect_atoms").unwrap();
        let left = (count(&mut engine, "atoms"), count(&mut engine, "functors"));
        assert!(
            left.0 < least.0 + 40 && left.1 < least.1 + 40,
            "{kind}: {least:?}, then {left:?}"
        );
    }
}

/// A query stays open while other queries run.
#[test]
fn names_are_freed_while_a_query_is_open() {
    let mut engine = Engine::builder().memory_limit(MEMORY).build().unwrap();
    let stem = "n".repeat(LONG);
    let mut solutions = engine.query("X = kept, between(1, inf, N)").unwrap();
    for nth in 0..CALLS as i64 {
        assert!(solutions.advance().unwrap());
        let inner = solutions.engine();
        ask(inner, &format!("atom('{nth}{stem}')")).unwrap();
        inner
            .parse_term(&format!("'{nth}'('{nth}{stem}')"))
            .unwrap();
        assert_eq!(solutions.get("N"), Some(Term::from(nth + 1)));
        assert_eq!(solutions.get("X"), Some(Term::atom("kept")));
    }
}

/// Clauses fill the memory for programs. Names of queries use the other part, which becomes free again.
#[test]
fn names_are_freed_where_clauses_fill_the_memory() {
    let mut engine = Engine::builder().memory_limit(MEMORY).build().unwrap();
    let filled = engine
        .query_once("repeat, assertz(fact(1, two, \"three\")), fail")
        .unwrap_err();
    assert_eq!(*filled.kind(), wamlet::ErrorKind::Resource);
    let stem = "n".repeat(LONG);
    for nth in 0..CALLS {
        ask(&mut engine, &format!("atom('{nth}{stem}')"))
            .unwrap_or_else(|error| panic!("{nth}: {error}"));
    }
}
