//! Compares the engine with brute force on random models.
//!
//! `cargo test --release --test constraints` runs a few thousand models. Environment variables change that.
//! `WAMLET_MODELS=100000` runs 100000 models. `WAMLET_FIRST_MODEL=5000` begins with model 5000 instead of model 0.
//! `WAMLET_KIND=circuit` makes constraints of one kind only. `WAMLET_LARGE=100` puts large integers into 100
//! percent of the models. `WAMLET_WITHOUT=memory,copy` ignores faults whose text has one of these words. If a model
//! shows a fault, the test shrinks it and prints it as a query that can be pasted.

use crate::generate::model;
use crate::model::{Model, Way};
use crate::shrink::shrunk;
use std::env;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;
use wamlet::Engine;

/// Number of models.
const MODELS: u64 = if cfg!(debug_assertions) { 100 } else { 2_000 };
/// Maximum number of constraints of a model.
const CONSTRAINTS: usize = 5;
/// One model in this number also runs with a garbage collection at every call.
const COLLECTED: u64 = 10;
/// Maximum number of differences that are printed.
const SHOWN: usize = 20;
/// Memory of an engine, in bytes.
const MEMORY: usize = 64 << 20;
/// The time after which a query is stopped.
const LONGEST: Duration = Duration::from_secs(5);
/// Number of queries that one engine runs.
const PER_ENGINE: usize = 4_000;

/// The result of a query.
#[derive(Clone, Debug, PartialEq)]
enum Found {
    Solutions(Vec<Vec<i128>>),
    Error(String),
}

#[test]
fn engine_agrees_with_brute_force() {
    let first = number("WAMLET_FIRST_MODEL", 0);
    compare(first, number("WAMLET_MODELS", MODELS), false);
}

#[test]
fn engine_agrees_with_a_collection_at_every_call() {
    let first = number("WAMLET_FIRST_MODEL", 0);
    compare(
        first,
        number("WAMLET_MODELS", MODELS).div_ceil(COLLECTED),
        true,
    );
}

/// The models are useful: many have solutions, many have none.
#[test]
fn models_are_various() {
    let (mut solved, mut large) = (0, 0);
    for number in 0..500 {
        let model = model(number, None, CONSTRAINTS);
        solved += u64::from(model.solutions().is_some_and(|found| !found.is_empty()));
        large += u64::from(!model.is_small());
    }
    assert!((200..480).contains(&solved), "{solved} have solutions");
    assert!((25..200).contains(&large), "{large} are large");
}

pub(crate) fn number(variable: &str, default: u64) -> u64 {
    match env::var(variable) {
        Ok(text) => text
            .parse()
            .unwrap_or_else(|_| panic!("{variable} is a number")),
        Err(_) => default,
    }
}

/// Compares these models, several at a time.
fn compare(first: u64, models: u64, collect_always: bool) {
    let wanted = env::var("WAMLET_KIND").ok();
    let next = AtomicU64::new(first);
    let faults = Mutex::new(Vec::new());
    let workers = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                let mut asker = Asker::new(collect_always);
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let known = faults.lock().expect("no worker panics").len();
                    if number >= first + models || known >= SHOWN {
                        return;
                    }
                    let model = model(number, wanted.as_deref(), CONSTRAINTS);
                    let mut ways = Way::ALL.iter();
                    if let Some(fault) = ways.find_map(|way| fault(&mut asker, &model, *way)) {
                        print_now(&format!("model {number}:\n{fault}"));
                        faults.lock().expect("no worker panics").push(fault);
                    }
                }
            });
        }
    });
    let faults = faults.into_inner().expect("no worker panics");
    assert!(
        faults.is_empty(),
        "{} differences:\n\n{}",
        faults.len(),
        faults.join("\n")
    );
}

/// Prints a difference at once, because a run may take long.
#[expect(clippy::print_stderr, reason = "the output of a test")]
fn print_now(message: &str) {
    eprintln!("{message}");
}

/// Returns where the engine and brute force disagree about a model, shrunk to a small one.
fn fault(asker: &mut Asker, model: &Model, way: Way) -> Option<String> {
    let whole = difference(asker, model, way)?;
    let text = format!("{} {whole}", model.query(way));
    if env::var("WAMLET_WITHOUT")
        .is_ok_and(|words| words.split(',').any(|word| text.contains(word)))
    {
        return None;
    }
    let sort = |message: &str| message.split(':').next().map(str::to_owned);
    // A new engine, so that one fault does not cause another.
    let small = shrunk(model, |less| {
        difference(asker, less, way).is_some_and(|message| sort(&message) == sort(&whole))
    });
    let message = difference(asker, &small, way).unwrap_or(whole);
    Some(format!("?- {}.\n{message}\n", small.query(way)))
}

/// Returns the difference, with its kind before the colon.
fn difference(asker: &mut Asker, model: &Model, way: Way) -> Option<String> {
    // Propagation of large values on wide domains may take long.
    if way == Way::Late && !model.is_small() {
        return None;
    }
    let mut expected = model.solutions()?;
    let found = match asker.ask(&model.query(way)) {
        Found::Solutions(found) => found,
        // Propagation may move bounds by one step at a time.
        Found::Error(error) if error.contains("Time limit") && !model.is_small() => return None,
        Found::Error(error) => {
            return Some(format!(
                "% error: {error}\n% expected: {}",
                solutions_text(&expected)
            ));
        }
    };
    let mut compared = found.clone();
    if way == Way::Options {
        let ranks: Vec<_> = found.iter().map(|values| model.rank(values)).collect();
        if !ranks.is_sorted() {
            return Some(format!("% wrong order: {}", solutions_text(&found)));
        }
        compared.sort();
    }
    if compared == expected {
        return None;
    }
    let lost: Vec<_> = expected
        .iter()
        .filter(|values| !found.contains(values))
        .cloned()
        .collect();
    let added: Vec<_> = found
        .iter()
        .filter(|values| !expected.contains(values))
        .cloned()
        .collect();
    expected.truncate(20);
    let sort = match (lost.is_empty(), added.is_empty()) {
        (false, _) => format!("% lost: {}", solutions_text(&lost)),
        (true, false) => format!("% wrong: {}", solutions_text(&added)),
        (true, true) => format!("% otherwise: {}", solutions_text(&found)),
    };
    Some(format!("{sort}\n% expected: {}", solutions_text(&expected)))
}

fn solutions_text(solutions: &[Vec<i128>]) -> String {
    let all = if solutions.len() > 20 {
        ", and more"
    } else {
        ""
    };
    format!("{:?}{all}", &solutions[..solutions.len().min(20)])
}

/// An engine that runs models.
pub(crate) struct Asker {
    engine: Engine,
    /// Number of queries so far.
    asked: usize,
    collect_always: bool,
}

impl Asker {
    pub(crate) fn new(collect_always: bool) -> Asker {
        Asker {
            engine: new_engine(collect_always),
            asked: 0,
            collect_always,
        }
    }

    fn ask(&mut self, query: &str) -> Found {
        match self.value(query) {
            Ok(text) => solutions(&text).map_or(Found::Error(text), Found::Solutions),
            Err(error) => Found::Error(error),
        }
    }

    /// Returns the value of `L` in the first solution, or `false` if there is none.
    ///
    /// # Errors
    /// Returns the text of the error.
    pub(crate) fn value(&mut self, query: &str) -> Result<String, String> {
        self.asked += 1;
        if self.asked.is_multiple_of(PER_ENGINE) {
            self.engine = new_engine(self.collect_always);
        }
        let engine = &mut self.engine;
        let answer = catch_unwind(AssertUnwindSafe(|| match engine.query_once(query) {
            Ok(Some(solution)) => Ok(solution
                .get("L")
                .expect("the name of a variable")
                .to_string()),
            Ok(None) => Ok("false".to_owned()),
            Err(error) => Err(error.to_string()),
        }));
        answer.unwrap_or_else(|_| {
            self.engine = new_engine(self.collect_always);
            Err("panic".to_owned())
        })
    }
}

fn new_engine(collect_always: bool) -> Engine {
    let builder = Engine::builder().memory_limit(MEMORY).time_limit(LONGEST);
    let mut engine = builder
        .collect_at_every_call(collect_always)
        .build()
        .expect("an engine");
    engine.capture_error_output();
    let report = engine.consult_text("asking.pl", ":- use_module(library(clpfd)).");
    assert!(report.expect("a directive").is_clean());
    engine
}

/// Returns the solutions of a list of lists of integers.
fn solutions(text: &str) -> Option<Vec<Vec<i128>>> {
    let inner = text.strip_prefix('[')?.strip_suffix(']')?;
    let mut found = Vec::new();
    for part in inner.split('[').skip(1) {
        let values = part
            .split(']')
            .next()?
            .split(',')
            .map(|value| value.trim().parse().ok());
        found.push(values.collect::<Option<_>>()?);
    }
    Some(found)
}
