//! Runs random texts, terms, goals and programs, and checks the results. The tests of this folder make
//! cases from seeds, those of `tests/guided` from the bytes of a fuzzer.

use super::generate::{quoted, without_names};
use super::image::sealed;
use std::time::Duration;
use wamlet::{Engine, EngineBuilder, Error, ErrorKind, Solutions};

/// Maximum time of a case.
const TIME: Duration = Duration::from_millis(50);
/// Limit of calls for programs that run more than once: it stops at the same call each time, unlike a
/// limit of time.
const CALLS: u64 = 3_000;
/// Memory of an engine, in bytes.
const MEMORY: usize = 64 << 20;

fn quiet(builder: EngineBuilder) -> Engine {
    let mut engine = builder
        .memory_limit(MEMORY)
        .build()
        .expect("there is memory");
    engine.capture_output();
    engine.capture_error_output();
    engine.print_diagnostics(false);
    engine
}

/// Returns an engine for single cases.
pub(crate) fn engine() -> Engine {
    let mut engine = quiet(Engine::builder().time_limit(TIME));
    engine.set_input_text("a. b(X, Y). 'c' \"d\" 0'e 1.5. ");
    engine
}

/// Returns an engine, which collects garbage at every call if `collecting` is true.
pub(crate) fn collecting_engine(collecting: bool) -> Engine {
    let builder = Engine::builder().inference_limit(50_000_000);
    quiet(builder.collect_at_every_call(collecting))
}

/// Returns whether an error shows a broken invariant. (A syntax error shows the text itself.)
fn is_fault(error: &Error) -> bool {
    let text = error.to_string();
    !matches!(error.kind(), ErrorKind::Resource | ErrorKind::Syntax)
        && (text.contains("system_error") || text.contains("panicked"))
        && [
            "index out of",
            "unreachable",
            "unwrap",
            "overflow",
            "assert",
            "panicked",
            "slice",
            "char boundary",
            "RefCell",
            "capacity",
        ]
        .iter()
        .any(|sign| text.contains(sign))
}

/// Returns the texts of up to three answers, and of the error.
fn answers(engine: &mut Engine, goal: &str) -> Vec<String> {
    let texts = texts(engine.query(goal), goal);
    discard_output(engine);
    texts
}

/// Discards the output, which would pile up.
fn discard_output(engine: &mut Engine) {
    engine.take_output();
    engine.take_error_output();
}

fn texts(opened: Result<Solutions<'_>, Error>, goal: &str) -> Vec<String> {
    let mut texts = Vec::new();
    let mut solutions = match opened {
        Ok(solutions) => solutions,
        Err(error) => {
            assert!(!is_fault(&error), "{goal}: {error}");
            return vec![format!("{:?}", error.kind())];
        }
    };
    for _ in 0..3 {
        match solutions.next() {
            None => break,
            Some(Ok(solution)) => texts.push(solution.to_string()),
            Some(Err(error)) => {
                assert!(!is_fault(&error), "{goal}: {error}");
                texts.push(match error.kind() {
                    ErrorKind::Uncaught => error.ball_text().to_owned(),
                    kind => format!("{kind:?}"),
                });
                break;
            }
        }
    }
    texts
}

/// Checks that the engine still works.
pub(crate) fn check_works(engine: &mut Engine, after: &str) {
    let goal = "X = f(1, Y, \"s\"), atom_length(abc, N), catch(throw(X), f(A, _, _), true)";
    let mut answer = engine.query_once(goal);
    // On a busy machine the time may run out once or twice.
    for _ in 0..4 {
        if answer
            .as_ref()
            .is_err_and(|error| *error.kind() == ErrorKind::TimeLimit)
        {
            answer = engine.query_once(goal);
        }
    }
    match answer {
        Ok(Some(solution)) => {
            let text = solution.to_string();
            assert!(
                text.contains("N = 3") && text.contains("A = 1"),
                "after {after}: {text}"
            );
        }
        other => panic!("after {after}: {other:?}"),
    }
}

/// Predicates that change the world outside the engine, wait, or change how later texts are read.
const OUTSIDE: [&str; 28] = [
    "halt",
    "shell",
    "edit",
    "sleep",
    "abort",
    "prolog",
    "delete_file",
    "rename_file",
    "copy_file",
    "link_file",
    "chdir",
    "cd",
    "tmp_file",
    "tmp_file_stream",
    "causal_json",
    "causal_dot",
    "open",
    "tell",
    "append",
    "setenv",
    "unsetenv",
    "absolute_file_name",
    "told",
    "break",
    "set_stream",
    "close",
    "set_prolog_flag",
    "op",
];

/// Returns name and arity of the builtins in the manual that do not affect the world outside the engine.
pub(crate) fn builtins() -> Vec<(String, usize)> {
    let manual = include_str!("../../docs/builtins.md");
    let mut found = Vec::new();
    for line in manual.lines().filter(|line| line.starts_with('`')) {
        let Some((head, _)) = line[1..].split_once('`') else {
            continue;
        };
        let (name, args) = match head
            .rsplit_once(')')
            .and_then(|(head, _)| head.split_once('('))
        {
            Some((name, args)) if !name.is_empty() => (name, args),
            _ => (head, ""),
        };
        let arity = if args.is_empty() {
            0
        } else {
            args.split(',').count()
        };
        let outside = OUTSIDE.contains(&name) || name.contains("directory");
        if !outside && !name.contains(' ') {
            found.push((name.to_owned(), arity));
        }
    }
    assert!(found.len() > 300, "the manual lists the builtins");
    found
}

/// Returns whether a text may run: it contains no name of a predicate that changes files or waits.
pub(crate) fn is_harmless(text: &str) -> bool {
    const NAMES: [&str; 16] = [
        "shell",
        "edit",
        "causal_",
        "copy_file",
        "link_file",
        "sleep",
        "delete",
        "rename",
        "directory",
        "chdir",
        "tmp_file",
        "open",
        "tell",
        "append(",
        "setenv",
        "save",
    ];
    !NAMES.iter().any(|name| text.contains(name))
}

/// Reads a text as a term, as clauses and as data.
pub(crate) fn reads(engine: &mut Engine, text: &str) {
    let read = engine.parse_term(text);
    assert!(!read.is_err_and(|error| is_fault(&error)), "{text}");
    engine.set_input_text(text);
    let goal = "repeat, catch(read_term(T, [variable_names(_), variables(_), singletons(_), \
                term_position(_)]), E, T = caught), ( nonvar(E), E = error(syntax_error(_), _) -> fail ; true ), \
                T == end_of_file, !";
    answers(engine, goal);
    for flag in ["codes", "chars", "atom"] {
        let goal = format!(
            "term_string(T, {}, [double_quotes({flag}), back_quotes(symbol_char)])",
            quoted(text)
        );
        answers(engine, &goal);
    }
}

/// Loads a text as a program and runs its directives.
pub(crate) fn loads(engine: &mut Engine, text: &str) {
    match engine.consult_text("fuzz.pl", text) {
        Ok(report) => assert!(
            !report
                .errors
                .iter()
                .any(|error| error.to_string().contains("system_error")),
            "{text}"
        ),
        Err(error) => assert!(!is_fault(&error), "{text}: {error}"),
    }
}

/// Reads a text as a module of Lolli, and as a goal.
pub(crate) fn reads_lolli(engine: &mut Engine, text: &str) {
    if !is_harmless(text) {
        return;
    }
    let loaded = engine.consult_text("fuzz.ll", text);
    assert!(!loaded.is_err_and(|error| is_fault(&error)), "{text}");
    texts(engine.lolli_query(text), text);
    discard_output(engine);
}

/// Runs a call of a builtin.
pub(crate) fn check_call(engine: &mut Engine, goal: &str) {
    answers(engine, goal);
}

/// Writes a term in several ways and reads it again.
pub(crate) fn check_written_term(engine: &mut Engine, term: &str) {
    // `'$VAR'` terms are written as variables, so they are replaced.
    let term = term.replace("'$VAR'", "'$VAL'");
    for write in ["writeq", "print", "write_canonical"] {
        let goal = format!(
            "T = {term}, ( acyclic_term(T), term_attvars(T, []) -> with_output_to(string(S), {write}(T)), \
             term_to_atom(U, S), ( T =@= U -> true ; throw(differs(S)) ) ; true )"
        );
        let found = answers(engine, &goal);
        assert!(
            !found.iter().any(|text| text.contains("differs(")),
            "{goal}: {found:?}"
        );
    }
}

/// Loads a program and runs a goal.
pub(crate) fn runs(engine: &mut Engine, program: &str, goal: &str) {
    let program = program.replace("gc_here", "garbage_collect");
    loads(engine, &program);
    answers(engine, goal);
}

/// Returns the image of a program, or `None` if the program has an error.
pub(crate) fn image_of(program: &str) -> Option<Vec<u8>> {
    let program = program.replace("gc_here", "garbage_collect");
    let made = quiet(Engine::builder()).compile_text("fuzz.pl", &program);
    made.ok().and_then(|(_, image)| image)
}

/// Loads bytes as an image, and calls a predicate of it.
pub(crate) fn check_image(engine: &mut Engine, image: Vec<u8>, goal: &str) {
    if let Err(error) = engine.consult_image("fuzz.wam", sealed(image)) {
        assert!(!is_fault(&error), "{error}");
    }
    answers(engine, goal);
}

/// Checks that calls find the same clauses with indexes as without.
pub(crate) fn finds_the_same_clauses(program: &str, calls: &[String]) {
    let mut found = [true, false].map(|indexing| {
        let builder = Engine::builder().inference_limit(CALLS);
        let mut engine = quiet(builder.clause_indexing(indexing));
        loads(&mut engine, program);
        let answers = calls.iter().map(|call| answers(&mut engine, call));
        answers.collect::<Vec<_>>()
    });
    for text in found.iter_mut().flatten().flatten() {
        *text = without_names(text);
    }
    let [indexed, in_order] = found;
    for (number, call) in calls.iter().enumerate() {
        assert_eq!(indexed[number], in_order[number], "?- {call}.\n{program}");
    }
}

/// Engines with different settings, which must give the same answers.
pub(crate) struct Engines(Vec<Engine>);

impl Engines {
    /// Returns four engines: without forced collections, with a collection at every call, with some
    /// collections, and without indexes.
    pub(crate) fn new() -> Engines {
        let with = |collecting: bool, indexing: bool| {
            let builder = Engine::builder()
                .inference_limit(CALLS)
                .collect_at_every_call(collecting)
                .clause_indexing(indexing);
            let mut engine = quiet(builder);
            engine.set_input_text("");
            engine
        };
        Engines(vec![
            with(false, true),
            with(true, true),
            with(false, true),
            with(false, false),
        ])
    }

    /// Checks that a program has the same answers in all engines. `gc_here` in the program collects
    /// garbage. Returns false if a limit was reached: then the states of the engines may differ.
    pub(crate) fn agree(&mut self, program: &str, goal: &str) -> bool {
        let never = program.replace("gc_here", "true");
        let sometimes = program.replace("gc_here", "garbage_collect");
        let found_by_all: Vec<Vec<String>> = self
            .0
            .iter_mut()
            .enumerate()
            .map(|(number, engine)| {
                let program = if number == 2 { &sometimes } else { &never };
                loads(engine, program);
                let mut found = answers(engine, goal);
                found
                    .iter_mut()
                    .for_each(|text| *text = without_names(text));
                found
            })
            .collect();
        // Where a limit strikes depends on work without calls.
        if found_by_all
            .iter()
            .flatten()
            .any(|text| text.contains("Limit") || text.contains("Resource"))
        {
            return false;
        }
        let case = format!("{program}\n?- {goal}.");
        assert_eq!(
            found_by_all[0], found_by_all[1],
            "collecting at every call: {case}"
        );
        assert_eq!(found_by_all[0], found_by_all[2], "collecting: {case}");
        // With indexes, a goal may leave no choice point, so its cleanup runs earlier.
        if !case.contains("call_cleanup") {
            assert_eq!(found_by_all[0], found_by_all[3], "without indexes: {case}");
        }
        true
    }
}
