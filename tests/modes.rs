//! The modes of a running query: goals limited in depth, traced, noted, profiled or counted, wake-ups pending,
//! queries stopped. One query enters and leaves each mode many times, on a thread with a small stack. If a
//! change of mode takes stack, this process ends.

#[allow(dead_code, reason = "other tests use the rest")]
#[path = "support/host.rs"]
mod host;

use host::{answer, engine};
use std::path::{Path, PathBuf};
use wamlet::testing::{Format, Settings, TestFile, run};
use wamlet::{Call, Engine, ErrorKind};

/// Bytes of the stack: less than a return address for each change.
const STACK: usize = 256 * 1024;
/// Number of changes of mode in one query.
const CHANGES: usize = 100_000;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/modes")
}

/// Returns an engine with the program of all modes. The tracer prints nothing.
fn program() -> Engine {
    let mut engine = engine();
    engine
        .register("called_host", 0, |_: &mut Call<'_>| Ok(true))
        .expect("a new predicate");
    let loaded = engine.consult_file(folder().join("modes.pl"));
    assert!(loaded.expect("the file").is_clean());
    engine.capture_error_output();
    answer(&mut engine, "visible(-all), spy(spied), nodebug");
    engine
}

fn on_small_stack(work: impl FnOnce() + Send + 'static) {
    let builder = std::thread::Builder::new().stack_size(STACK);
    let thread = builder.spawn(work).expect("a thread");
    thread.join().expect("no panic");
}

#[test]
fn no_change_of_mode_takes_stack() {
    on_small_stack(|| {
        let mut engine = program();
        let modes = engine.query("clause(enter(Mode), _)").expect("a goal");
        let modes: Vec<String> = modes
            .map(|mode| {
                mode.expect("no error")
                    .get("Mode")
                    .expect("bound")
                    .to_string()
            })
            .collect();
        assert!(modes.len() > 20);
        for mode in modes {
            for way in ["failing", "going_on"] {
                let goal = format!("{way}({mode}, {CHANGES})");
                assert_eq!(answer(&mut engine, &goal), "true", "{goal}");
            }
        }
    });
}

#[test]
fn a_query_is_stopped_many_times() {
    on_small_stack(|| {
        let mut engine = program();
        engine.hold_breaks(true);
        let mut solutions = engine
            .query(&format!("stopping({CHANGES})"))
            .expect("a goal");
        for _ in 0..CHANGES {
            let error = solutions.advance().expect_err("a break");
            assert_eq!(error.kind(), &ErrorKind::Break);
        }
        assert!(solutions.advance().expect("no error"));
    });
}

#[test]
fn goals_of_prolog_within_scopes_take_no_stack() {
    on_small_stack(|| {
        let mut engine = engine();
        engine.add_module_folder(folder());
        let query = format!("run {CHANGES}");
        let mut solutions = engine.lolli_query_in(&["foreign"], &query).expect("a goal");
        assert!(solutions.advance().expect("no error"));
    });
}

#[test]
fn modes_change_while_clauses_are_counted() {
    let file = TestFile::read(folder().join("modes.queries")).expect("the file");
    let files = [file];
    let settings = Settings::default().coverage(true).stack_size(STACK);
    let report = run(&files, &settings);
    assert_eq!(
        report.passed(),
        1,
        "{}",
        report.render(&files, Format::Human)
    );
    assert!(report.coverage.expect("clauses were counted").entered() > 0);
}
