//! Prolog text that the system writes is read back as the same term, under any operators. This covers clauses from
//! `portray_clause/1` and `listing/1`, terms in messages, answers with their residual goals, and answers that are
//! accepted into files of tests. The writer's own tests (`src/text/tests/random_terms.rs`) check `writeq/1` and
//! `write_canonical/1` in the same way. `number_codes/2`, `atom_number/2` and the reader must read the same numbers
//! from texts.
//!
//! `READING_BACK_CASES=n` tests n terms for each way of writing, from the seed `READING_BACK_SEED`.

use wamlet::testing::{Settings, TestFile, run};
use wamlet::{Engine, Term};

#[path = "support/random.rs"]
mod random;

use random::Random;

/// Number of terms that are written with the same operators.
const TERMS: u64 = 50;
/// Number of terms for each way of writing, unless the environment sets it.
const CASES: u64 = 2_500;

/// The program that writes terms in each way and reads them back.
const WAYS: &str = r"
:- dynamic kept/1, kept/0.

failure(Ways, Terms, Way, Text, Read) :-
    member(T, Terms),
    member(Way, Ways),
    catch(written(Way, T, Text, Written), E, ( Text = E, Written = none )),
    (   catch(read_back(Way, Text, Read), Read, true)
    ->  Read \=@= Written
    ;   Read = no_clause
    ).

written(portray_clause, T, Text, Written) :-
    with_output_to(string(Text), portray_clause(T)),
    % The body of a fact need not be written.
    ( nonvar(T), T = (_ :- B), B == true -> fact_or_rule(Text, T, Written) ; Written = T ).
written(fact, T, Text, (kept(T) :- true)) :-
    retractall(kept(_)),
    assertz(kept(T)),
    with_output_to(string(Text), listing(kept/1)).
written(body, T, Text, (kept :- Body)) :-
    retractall(kept),
    catch(assertz((kept :- T)), error(_, _), fail),
    clause(kept, Body),
    with_output_to(string(Text), listing(kept/0)).
written(message, T, Text, T) :-
    message_to_lines(nobody_knows(T), ['Unknown message: ~p'-[nobody_knows(T1)]]),
    with_output_to(string(Text),
                   ( current_output(S), print_message_lines(S, '', ['~p'-[T1]]) )).
written(writeq, T, Text, T) :-
    with_output_to(string(Text), writeq(T)).

fact_or_rule(Text, (H :- true), Written) :-
    ( catch(term_string(U, Text), _, fail), nonvar(U), U = (_ :- _) -> Written = (H :- true) ; Written = H ).

read_back(Way, Text, Term) :-
    ( Way == fact ; Way == body ),
    !,
    setup_call_cleanup(open_string(Text, S),
                       ( read(S, (:- dynamic _)), read(S, Read), read(S, end_of_file) ),
                       close(S)),
    ( Read = (_ :- _) -> Term = Read ; Term = (Read :- true) ).
read_back(portray_clause, Text, Term) :-
    !,
    setup_call_cleanup(open_string(Text, S), ( read(S, Term), read(S, end_of_file) ), close(S)).
read_back(_, Text, Term) :-
    term_string(Term, Text).

% The answer to dif(V, x(T)), freeze(W, p(T)).
answer_of(Text, T) :-
    catch(term_string(( _ = T, dif(_, x(T1)), freeze(_, Goal) ), Text), _, fail),
    strip_module(Goal, _, p(T2)),
    T1 == T,
    T2 == T.
";

/// The program that compares the ways to read a number from a text.
const NUMBERS: &str = r#"
difference(Texts, Text, Listed-Read) :-
    member(Text, Texts),
    % The character of this one would be what ends the clause.
    \+ sub_string(Text, _, 2, 0, "0'"),
    string_codes(Text, Codes),
    catch(number_codes(Listed, Codes), error(_, _), Listed = none),
    (   catch(number_of_reader(Text, Read), error(_, _), fail)
    ->  true
    ;   Read = none
    ),
    (   Listed \== Read
    ->  true
    ;   % Neither layout nor quotes may stand before a number that is the whole text.
        string_chars(Text, Chars),
        ( Chars = [C|_] ; Chars = ['-',C|_] ),
        char_type(C, digit),
        !,
        ( catch(atom_number(Text, Number), _, fail) -> true ; Number = none ),
        Number \== Read
    ).

% The text is the number and nothing else, but for layout before it.
number_of_reader(Text, Number) :-
    term_string(Number, Text, [subterm_positions(_-End)]),
    number(Number),
    string_length(Text, End).
"#;

/// Pieces of texts that are numbers, or nearly numbers.
const PIECES: &[&str] = &[
    "-",
    "'-'",
    r"'\x2d\'",
    "+",
    " ",
    "\n",
    "/**/",
    "%c\n",
    "0",
    "1",
    "12",
    "0'",
    "a",
    "0x",
    "F",
    "0o7",
    "0b1",
    "_",
    ".",
    ".5",
    "e",
    "e10",
    "E5",
    "Inf",
    "NaN",
    "'",
    "(",
    ")",
    "1.5",
    "99999999999999999999",
];

const ATOMS: &[&str] = &[
    "a", "bc", "[]", "{}", "!", ";", ",", "|", "-", "+", "\\", "\\+", ":-", "?-", "-->", "is",
    "mod", "dynamic", "*", "^", "**", ":", "$", ".", "A", "_b", "", "a b", "it's", "/*", "=..",
    "\n", "é", "É", "日本", "%", "\"", "`", "0", "->", "*->", "//", "e", "x", "b", "o", "&",
    "xq r", "@", "#", "true", "=", "=>", ":=", "volatile", "\t",
];

/// Names of operators of a program. No name is both an infix and a postfix operator (6.3.4.3).
const INFIX: &[&str] = &[
    "-", "+", "*", "is", "mod", "a", "dynamic", "\\", "A", "a b", "^", "**", ":", "?-", ";", "b",
    "!", "\\+", "=..", "0", "//", "x", "日本", "$", "->", "*->", ":-", "-->", "|", "#", "@",
];
const POSTFIX: &[&str] = &["e10", "bc", "&", "e", "é", "É", "o", "it's", "_b"];

const PRIORITIES: [u16; 14] = [
    0, 1, 100, 200, 200, 400, 500, 700, 900, 999, 1000, 1001, 1100, 1200,
];

/// Control constructs and goals with goals as arguments.
const CONTROL: &[(&str, usize)] = &[
    (",", 2),
    (",", 2),
    (";", 2),
    ("->", 2),
    ("*->", 2),
    (":", 2),
    ("\\+", 1),
    ("{}", 1),
    ("call", 1),
    ("findall", 3),
    ("forall", 2),
    ("catch", 3),
];

fn leaf(random: &mut Random) -> Term {
    match random.below(15) {
        14 => Term::compound_without_arguments(random.pick(ATOMS)),
        0 => Term::from(random.below(20) as i64),
        1 => Term::from(-(random.below(20) as i64)),
        2 => Term::from([0.5, -0.5, 1e100, -1e-7, 0.0, -0.0][random.below(6)]),
        3 => Term::var(["X", "Y", "Z"][random.below(3)]),
        4 => Term::string(random.pick(ATOMS)),
        5 => Term::from(i64::MIN),
        _ => Term::atom(random.pick(ATOMS)),
    }
}

/// Returns a term of operators, control constructs and other functors.
fn term(random: &mut Random, depth: usize) -> Term {
    if depth == 0 || random.below(6) == 0 {
        return leaf(random);
    }
    let part = |random: &mut Random| term(random, depth - 1);
    match random.below(10) {
        0 => {
            let items = (0..1 + random.below(2)).map(|_| part(random)).collect();
            match random.below(3) {
                0 => Term::list_with_tail(items, part(random)),
                _ => Term::list(items),
            }
        }
        1..5 => {
            let (name, arity) = CONTROL[random.below(CONTROL.len())];
            Term::compound(name, (0..arity).map(|_| part(random)).collect())
        }
        5 => Term::compound(random.pick(POSTFIX), vec![part(random)]),
        6 => Term::compound(random.pick(INFIX), vec![part(random)]),
        7 => {
            let arity = 1 + random.below(3);
            Term::compound(
                random.pick(ATOMS),
                (0..arity).map(|_| part(random)).collect(),
            )
        }
        _ => Term::compound(random.pick(INFIX), vec![part(random), part(random)]),
    }
}

/// Returns a clause, a directive, or any term.
fn clause(random: &mut Random) -> Term {
    let (head, body) = (term(random, 2), term(random, 4));
    match random.below(6) {
        0 => Term::compound("-->", vec![head, body]),
        1 => Term::compound(random.pick(&[":-", "?-"]), vec![body]),
        2 => body,
        _ => Term::compound(":-", vec![head, body]),
    }
}

/// Returns random directives for operators, also for those of the standard. Equations of answers need `=`, so that
/// stays.
fn operators(random: &mut Random) -> Vec<String> {
    (0..random.below(30))
        .map(|_| {
            let (names, types): (_, &[&str]) = match random.below(3) {
                0 => (POSTFIX, &["xf", "yf", "fy", "fx"]),
                _ => (INFIX, &["xfx", "xfy", "yfx", "fy", "fx"]),
            };
            format!(
                "catch(op({}, {}, {}), _, true)",
                PRIORITIES[random.below(PRIORITIES.len())],
                random.pick(types),
                Term::atom(random.pick(names)),
            )
        })
        .collect()
}

/// Calls `check` with engines that have random operators, each with a random source for [`TERMS`] terms, until all
/// cases are done.
fn with_operators(mut check: impl FnMut(&mut Engine, &mut Random, u64, &str)) {
    let number = |name: &str| std::env::var(name).ok()?.parse::<u64>().ok();
    let cases = number("READING_BACK_CASES").unwrap_or(CASES);
    let first = number("READING_BACK_SEED").unwrap_or(1);
    for table in 0..cases.div_ceil(TERMS) {
        let mut random = Random::new(first + table);
        let operators = operators(&mut random).join(", ");
        let mut engine = Engine::new().expect("an engine");
        engine.print_diagnostics(false);
        for (name, text) in [("ways", WAYS), ("numbers", NUMBERS)] {
            let report = engine.consult_text(name, text).expect("a program");
            assert!(report.is_clean(), "{report:?}");
        }
        engine
            .set_flag("double_quotes", &Term::atom("string"))
            .expect("a flag");
        let set = format!(
            "{operators}{}true",
            if operators.is_empty() { "" } else { ", " }
        );
        engine.query_once(&set).expect("operators");
        check(&mut engine, &mut random, TERMS, &operators);
    }
}

fn refuse(failures: &[String]) {
    let shown = failures.iter().take(40).cloned().collect::<Vec<_>>();
    assert!(
        failures.is_empty(),
        "{} not read back:\n{}",
        failures.len(),
        shown.join("\n")
    );
}

#[test]
fn clauses_and_messages_are_read_back() {
    let mut failures = Vec::new();
    with_operators(|engine, random, terms, operators| {
        let clauses = Term::list((0..terms).map(|_| clause(random)).collect());
        let bodies = Term::list((0..terms).map(|_| term(random, 4)).collect());
        for (ways, terms) in [
            ("[portray_clause, message, writeq]", clauses),
            ("[fact, body]", bodies),
        ] {
            let query = format!("failure({ways}, Terms, Way, Text, Read)");
            let solutions = engine
                .query_with(&query, &[("Terms", terms)])
                .expect("a query");
            for solution in solutions {
                let solution = solution.expect("no error");
                let text = solution.get("Text").expect("a text");
                let text = text
                    .as_text()
                    .map_or_else(|| text.to_string(), str::to_owned);
                let way = solution.get("Way").expect("a way");
                let read = solution.get("Read").expect("a term");
                failures.push(format!("{way}: {text}    read {read}    {operators}"));
            }
        }
    });
    refuse(&failures);
}

#[test]
fn answers_and_their_goals_are_read_back() {
    let mut failures = Vec::new();
    with_operators(|engine, random, terms, operators| {
        for _ in 0..terms {
            let term = match term(random, 4) {
                // A variable would be no value.
                Term::Var(name) => Term::compound("k", vec![Term::Var(name)]),
                term => term,
            };
            let query = "Value = Given, dif(V, x(Value)), freeze(W, p(Value))";
            let mut solutions = engine
                .query_with(query, &[("Given", term.clone())])
                .expect("a query");
            solutions.advance().expect("no error");
            let text = solutions.text().expect("no error").expect("an answer");
            solutions.close().expect("no error");
            let values = [("Text", Term::string(text.as_str())), ("Value", term)];
            let mut check = engine
                .query_with("answer_of(Text, Read), Read =@= Value", &values)
                .expect("a query");
            if !check.advance().expect("no error") {
                failures.push(format!("{text}    {operators}"));
            }
        }
    });
    refuse(&failures);
}

#[test]
fn numbers_of_texts_agree_with_the_reader() {
    let mut failures = Vec::new();
    with_operators(|engine, random, terms, operators| {
        let text = |random: &mut Random| -> String {
            let pieces = 1 + random.below(5);
            (0..pieces).map(|_| random.pick(PIECES)).collect()
        };
        let texts = (0..terms).map(|_| Term::string(text(random))).collect();
        let solutions = engine
            .query_with(
                "difference(Texts, Text, Numbers)",
                &[("Texts", Term::list(texts))],
            )
            .expect("a query");
        for solution in solutions {
            let solution = solution.expect("no error");
            let (text, numbers) = (solution.get("Text"), solution.get("Numbers"));
            failures.push(format!("{text:?}: {numbers:?}    {operators}"));
        }
    });
    refuse(&failures);
}

#[test]
fn accepted_answers_are_read_back() {
    let mut failures = Vec::new();
    let settings = Settings::default().threads(1);
    with_operators(|_, random, terms, operators| {
        let mut text = String::new();
        for operator in operators.split_inclusive("true)") {
            let goal = operator.trim_start_matches(", ");
            text.push_str(&format!(":- {goal}.\n"));
        }
        // Operators do not affect functional notation.
        let mut writer = Engine::new().expect("an engine");
        for _ in 0..terms {
            let mut written = writer
                .query_with("format(atom(Text), '~k', [T])", &[("T", term(random, 3))])
                .expect("a query");
            written.advance().expect("no error");
            let written = written.get("Text").expect("a text");
            let written = written.as_text().expect("a text").to_owned();
            let query = match random.below(3) {
                0 => format!("throw(x({written}))"),
                1 => format!("dif(X, x({written}))"),
                _ => format!("X = {written}, Y = x(X)"),
            };
            text.push_str(&format!("?- {query}.\n"));
        }
        let file = TestFile::parse("answers.pl", &text);
        let report = run(std::slice::from_ref(&file), &settings);
        let accepted = file.with_answers(&report.results);
        let again = TestFile::parse("answers.pl", &accepted);
        let report = run(std::slice::from_ref(&again), &settings);
        for result in &report.results {
            if !result.verdict.is_passed() {
                failures.push(format!("{}    {operators}", result.actual));
            }
        }
    });
    refuse(&failures);
}
