//! Compares the engine with the oracle on random programs and goals.
//!
//! Each case runs in two forms: as a query, and as the body of a clause of a module, where its
//! assumptions are compiled. Each form runs for all answers, and for those that may drop resources.
//! Answers, their order and number, and the end must be the same.
//!
//! `cargo test --release --test oracle engine` runs 100,000 cases, in a minute or two. Environment
//! variables change that. `WAMLET_CASES=1000000` runs 1,000,000 cases. `WAMLET_FIRST_CASE=100000` begins
//! with that case instead of case 0. `WAMLET_KIND=Modules` runs cases of one kind only. A build without
//! optimization runs a hundredth of the cases. A number always gives the same case. If a case shows a
//! fault, the test shrinks it and prints it as a query that can be pasted.

use crate::compare::{Found, disagreement};
use crate::generate::{Case, Kind, case};
use crate::search::End;
use crate::shrink::shrunk;
use crate::{parse, with_deep_stack};
use std::cell::RefCell;
use std::env;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};
use wamlet::{Capabilities, Engine, InterruptHandle, Term};

/// Number of cases.
const CASES: u64 = if cfg!(debug_assertions) {
    1_000
} else {
    100_000
};
/// One case in this number also runs with a garbage collection at every call.
const COLLECTED: u64 = 50;
/// Number of queries that one engine runs.
const PER_ENGINE: usize = 4_000;
/// Maximum number of differences that are printed.
const SHOWN: usize = 10;
/// Memory of an engine, in bytes: enough for any case that ends.
const MEMORY: usize = 32 << 20;
/// Longest time of a query. Queries that end take a few thousand steps, which is much less.
const LONGEST: Duration = Duration::from_secs(20);

/// The program that writes the answers of a query as texts.
const ASKING: &str = "\
ask(Query, Answer) :-
    lolli_query(Query, Bindings),
    values(Bindings, Values),
    Term =.. [answer|Values],
    with_output_to(string(Answer), lolli:write(Term)).

values([], []).
values([_ = Value|Bindings], [Value|Values]) :- values(Bindings, Values).
";

#[test]
fn engine_agrees_with_the_oracle() {
    let first = number("WAMLET_FIRST_CASE", 0);
    let cases = number("WAMLET_CASES", CASES);
    compare(first, cases, false);
}

#[test]
fn engine_agrees_with_a_collection_at_every_call() {
    let first = number("WAMLET_FIRST_CASE", 0);
    let cases = number("WAMLET_CASES", CASES);
    compare(first, cases.div_ceil(COLLECTED), true);
}

fn number(variable: &str, default: u64) -> u64 {
    match env::var(variable) {
        Ok(text) => text
            .parse()
            .unwrap_or_else(|_| panic!("{variable} is a number")),
        Err(_) => default,
    }
}

/// Ratio of the oracle's time for a case of many facts to its time for another case.
const LONG: u64 = 8;

/// Compares these cases, of all kinds in turn, several at a time.
fn compare(first: u64, cases: u64, collect_always: bool) {
    let wanted = env::var("WAMLET_KIND").ok();
    let kinds: Vec<Kind> = Kind::ALL
        .iter()
        .copied()
        .filter(|kind| {
            let name = format!("{kind:?}");
            wanted.as_ref().is_none_or(|wanted| *wanted == name)
        })
        .collect();
    assert!(!kinds.is_empty(), "WAMLET_KIND is one of {:?}", Kind::ALL);
    let next = Arc::new(AtomicU64::new(first));
    let faults = Arc::new(Mutex::new(Vec::new()));
    let workers = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for worker in 0..workers {
            let (next, faults, kinds) = (Arc::clone(&next), Arc::clone(&faults), kinds.clone());
            let work = move || {
                let asker = RefCell::new(Asker::new(worker, collect_always));
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let known = faults.lock().expect("no worker panics").len();
                    if number >= first + cases || known >= SHOWN {
                        return;
                    }
                    let kind = kinds[number as usize % kinds.len()];
                    let round = number / kinds.len() as u64;
                    if kind == Kind::Keyed && kinds.len() > 1 && !round.is_multiple_of(LONG) {
                        continue;
                    }
                    let plain = case(kind, round);
                    for form in [plain.clone(), compiled(&plain)] {
                        if let Some(fault) = fault(&asker, &form) {
                            let message = format!("case {number}, {kind:?}:\n{fault}");
                            print_now(&message);
                            faults.lock().expect("no worker panics").push(message);
                        }
                    }
                }
            };
            scope.spawn(|| with_deep_stack(work));
        }
    });
    let faults = faults.lock().expect("no worker panics");
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

/// Returns a difference between the engine and the oracle on a case, shrunk to a small case.
fn fault(asker: &RefCell<Asker>, case: &Case) -> Option<String> {
    let differ =
        |case: &Case| disagreement(case, |case, limit| asker.borrow_mut().ask(case, limit));
    let whole = differ(case)?;
    let kind = ends(&whole);
    // The shrunk case must end in the same way, so that it shows the same fault.
    let is_faulty = |case: &Case| differ(case).is_some_and(|message| ends(&message) == kind);
    let small = shrunk(case, is_faulty);
    Some(differ(&small).unwrap_or(whole))
}

/// Returns the ends of oracle and engine in the text of a difference.
fn ends(message: &str) -> Vec<String> {
    let lines = message.lines().filter(|line| line.starts_with("  the "));
    lines
        .filter_map(|line| line.rsplit(' ').next())
        .map(str::to_owned)
        .collect()
}

/// Returns the same program with the goal as the body of a clause of a module.
fn compiled(case: &Case) -> Case {
    let (module, before, body) = match &case.module {
        Some(module) => (module.clone(), case.before.clone(), case.goal.clone()),
        None => (
            "MODULE gen.\n".to_owned(),
            "gen --o ".to_owned(),
            case.query(),
        ),
    };
    let vars = parse::query(&body).vars;
    let mut goal = "start".to_owned();
    for var in vars {
        goal.push(' ');
        goal.push_str(&var);
    }
    Case {
        module: Some(format!("{module}{goal} :- ({body}).\n")),
        before,
        goal,
    }
}

/// An engine that runs cases.
struct Asker {
    engine: Engine,
    watch: Watch,
    /// The folder for the files of modules.
    folder: PathBuf,
    /// Number of queries so far.
    asked: usize,
    collect_always: bool,
}

impl Asker {
    fn new(worker: usize, collect_always: bool) -> Asker {
        let name = format!(
            "wamlet-oracle-{}-{worker}-{collect_always}",
            std::process::id()
        );
        let folder = env::temp_dir().join(name);
        fs::create_dir_all(&folder).expect("a folder for modules");
        let engine = new_engine(collect_always);
        Asker {
            watch: Watch::over(engine.interrupt_handle()),
            engine,
            folder,
            asked: 0,
            collect_always,
        }
    }

    /// Returns the results of the engine, with at most `limit` answers.
    fn ask(&mut self, case: &Case, limit: usize) -> Found {
        self.asked += 1;
        if self.asked.is_multiple_of(PER_ENGINE) {
            self.engine = new_engine(self.collect_always);
            self.watch = Watch::over(self.engine.interrupt_handle());
        }
        let mut query = case.query();
        let file = self.folder.join(format!("{}.ll", self.asked));
        if let Some(module) = &case.module {
            fs::write(&file, module).expect("a file for a module");
            query = query.replace("gen", &format!("'{}'", file.display()));
        }
        self.watch.begin();
        let found = answers(&mut self.engine, &query, limit);
        self.watch.end();
        if case.module.is_some() {
            fs::remove_file(&file).expect("the file of the module");
        }
        found
    }
}

impl Drop for Asker {
    fn drop(&mut self) {
        // A folder for temporary files may keep the rest.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn new_engine(collect_always: bool) -> Engine {
    let builder = Engine::builder()
        .memory_limit(MEMORY)
        .capabilities(Capabilities::full());
    let mut engine = builder
        .collect_at_every_call(collect_always)
        .build()
        .expect("an engine");
    engine.capture_output();
    engine.capture_error_output();
    let report = engine.consult_text("asking.pl", ASKING).expect("clauses");
    assert!(report.errors.is_empty(), "{report:?}");
    engine
}

/// Returns the answers of a query, and its end. A query without end is stopped, and ends with an error.
fn answers(engine: &mut Engine, query: &str, limit: usize) -> Found {
    let mut found = Found {
        answers: Vec::new(),
        end: End::Exhausted,
    };
    let values = [("Query", Term::string(query))];
    let mut solutions = match engine.query_with("ask(Query, Answer)", &values) {
        Ok(solutions) => solutions,
        Err(error) => panic!("{query}: {error}"),
    };
    loop {
        if found.answers.len() == limit {
            found.end = End::Budget;
            break;
        }
        match solutions.advance() {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) => {
                let text = error.ball_text();
                // A fault of the host and a lack of memory are no answers of Lolli.
                if text.is_empty() || text.contains("resource_error") || text.contains("abort") {
                    found.answers.push(vec!["breakdown".to_owned()]);
                }
                found.end = End::Error;
                break;
            }
        }
        let answer = solutions.get("Answer");
        let text = answer.as_ref().and_then(Term::as_text).expect("a text");
        let mut seen = Vec::new();
        let (_, values) = parse::query(text).term.spine();
        let values = values.iter().map(|value| value.written(&mut seen));
        found.answers.push(values.collect());
    }
    drop(solutions);
    engine.take_error_output();
    found
}

/// Stops a query that takes too long. Dropping this value ends the watch.
struct Watch {
    begun: Arc<Mutex<Option<Instant>>>,
    /// A channel without messages: the other end notices when this end is dropped.
    _ended: Sender<()>,
}

impl Watch {
    fn over(handle: InterruptHandle) -> Watch {
        let begun = Arc::new(Mutex::new(None::<Instant>));
        let (ended, watched) = mpsc::channel();
        let seen = Arc::clone(&begun);
        thread::spawn(move || {
            while watched.recv_timeout(LONGEST / 4) == Err(RecvTimeoutError::Timeout) {
                let begun = seen.lock().ok().and_then(|begun| *begun);
                if begun.is_some_and(|begun| begun.elapsed() > LONGEST) {
                    handle.interrupt();
                }
            }
        });
        Watch {
            begun,
            _ended: ended,
        }
    }

    fn begin(&self) {
        *self.begun.lock().expect("no watch panics") = Some(Instant::now());
    }

    fn end(&self) {
        *self.begun.lock().expect("no watch panics") = None;
    }
}
