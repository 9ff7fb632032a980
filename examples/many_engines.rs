//! Many engines on many threads, each with a budget. They check answers to an exercise, as a school or a competition does.
//! `cargo run --release --example many_engines -- FILE...` checks the answers in files. Without files it checks some sample
//! answers.
//!
//! An answer may be wrong or endless, take too much memory, or try to read files. Each answer has its own engine. The engines
//! share the exercise, have no effect outside, and end within their budgets. A program reaches a limit of inferences at the same
//! place each time, so the results are the same on any machine and any number of threads.
#![expect(clippy::print_stdout, reason = "results are shown to whoever runs it")]

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use wamlet::{Budget, Engine, Error, Program};

/// The predicates that answers may use.
const GIVEN: &str = "swap(f(X, Y), f(Y, X)).\n";

/// The names and goals of the tests. They test `rev/2`, which must reverse a list.
const TESTS: [(&str, &str); 3] = [
    ("empty", "rev([], X), X == []"),
    ("three", "rev([a, b, c], X), X == [c, b, a]"),
    (
        "long",
        "numlist(1, 300, L), reverse(L, R), rev(L, X), X == R",
    ),
];

/// Sample answers with the names of their authors, for a run without files.
const HANDED_IN: [(&str, &str); 7] = [
    (
        "ann",
        "rev(L, R) :- rev(L, [], R).\nrev([], R, R).\nrev([X|L], A, R) :- rev(L, [X|A], R).\n",
    ),
    (
        "bob",
        "rev([], []).\nrev([X|L], R) :- rev(L, K), append(K, [X], R).\n",
    ),
    ("cyd", "rev([], []).\nrev([X|L], [X|R]) :- rev(L, R).\n"),
    ("dan", "rev(L, R) :- rev(L, R).\n"),
    ("eve", "rev([], []).\nrev([X|L], R :- rev(L, R).\n"),
    (
        "fay",
        "rev(_, R) :- open('/etc/passwd', read, S), read(S, R).\n",
    ),
    (
        "guy",
        "rev(L, R) :- length(X, _), append(X, X, L), rev(X, R).\nrev(L, [L|R]) :- rev(L, R).\n",
    ),
];

/// Returns the outcome of a test: right, wrong, or an error.
fn outcome(engine: &mut Engine, goal: &str) -> String {
    match engine.query_once(goal) {
        Ok(Some(_)) => "right".to_owned(),
        Ok(None) => "wrong".to_owned(),
        Err(error) => error.to_string(),
    }
}

/// Tries an answer. Returns a line for each test or, if the text has errors, for each error.
fn tried(exercise: &Program, name: &str, text: &str) -> Result<Vec<String>, Error> {
    let mut engine = exercise.engine()?;
    let report = match engine.consult_text(&format!("{name}.pl"), text) {
        Ok(report) => report,
        Err(error) => return Ok(vec![error.to_string()]),
    };
    if !report.errors.is_empty() {
        return Ok(report.errors.iter().map(ToString::to_string).collect());
    }
    let answer = engine.snapshot()?;
    let mut lines = Vec::new();
    for (test, goal) in TESTS {
        // Each test has a new engine, so no test sees the changes of an earlier one.
        let outcome = outcome(&mut answer.engine()?, goal);
        lines.push(format!("{test}: {outcome}"));
    }
    Ok(lines)
}

/// Tries all answers on `threads` threads. Returns the results in the order of the answers.
fn try_all(threads: usize, answers: &[(String, String)]) -> Result<Vec<Vec<String>>, Error> {
    let budget = Budget::new()
        .steps(300_000)
        .memory(16 << 20)
        .time(Duration::from_secs(10));
    let (exercise, _) = Program::builder()
        .budget(budget)
        .text("given.pl", GIVEN)
        .build()?;
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done: Vec<(usize, Vec<String>)> = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some((name, text)) = answers.get(at) else {
                return Ok::<_, Error>(done);
            };
            done.push((at, tried(&exercise, name, text)?));
        }
    };
    let done: Result<Vec<_>, Error> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let ends = workers.into_iter().map(|worker| worker.join());
        ends.map(|end| end.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    });
    let mut done: Vec<_> = done?.into_iter().flatten().collect();
    done.sort();
    Ok(done.into_iter().map(|(_, lines)| lines).collect())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut answers = Vec::new();
    for file in std::env::args().skip(1) {
        let name = Path::new(&file).file_stem().unwrap_or_default();
        let text = std::fs::read_to_string(&file).map_err(|error| format!("{file}: {error}"))?;
        answers.push((name.to_string_lossy().into_owned(), text));
    }
    if answers.is_empty() {
        answers = HANDED_IN
            .map(|(name, text)| (name.to_owned(), text.to_owned()))
            .into();
    }
    let threads = std::thread::available_parallelism()?.get();
    for ((name, _), lines) in answers.iter().zip(try_all(threads, &answers)?) {
        println!("{name}");
        for line in lines {
            println!("    {line}");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{HANDED_IN, try_all};

    #[test]
    fn results_are_the_same_on_any_number_of_threads() {
        let mut answers = Vec::new();
        for turn in 0..4 {
            answers
                .extend(HANDED_IN.map(|(name, text)| (format!("{name}{turn}"), text.to_owned())));
        }
        let one = try_all(1, &answers).expect("results");
        assert_eq!(one, try_all(8, &answers).expect("results"));
        let ends = [
            "long: right",
            "long: right",
            "three: wrong",
            "Inference limit",
            "error: ",
            "capability",
            "Inference limit",
        ];
        for (lines, end) in one.iter().zip(ends) {
            assert!(
                lines.iter().any(|line| line.contains(end)),
                "{lines:?} without {end}"
            );
        }
    }
}
