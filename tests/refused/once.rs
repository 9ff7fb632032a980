//! Refuses one block that a goal requests, each in turn. If two tables grow together and the second
//! cannot, the state must be as if neither had grown. Then the same goal runs again on the same engine.

use std::cell::Cell;
use wamlet::{Capabilities, Engine, Error, ErrorKind};

/// Smaller blocks are never refused. The first change of a shared table makes a copy from such blocks.
const SMALL: usize = 1 << 14;

/// Goals that make tables grow, one on each line; lines with `%` are comments.
const GOALS: &str = include_str!("tables.txt");
/// The program that the goals use.
const PROGRAM: &str = include_str!("tables.pl");

thread_local! {
    /// Number of blocks that this thread has requested, and the number of the refused one.
    static BLOCKS: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
}

/// Returns whether this block, which a growing structure requests, is the refused one.
pub(crate) fn is_refused(bytes: usize) -> bool {
    if bytes <= SMALL {
        return false;
    }
    let (asked, refused) = BLOCKS.get();
    BLOCKS.set((asked + 1, refused));
    asked + 1 == refused
}

/// Runs `work` while block number `refused` is refused, none if that is 0. Also returns the number of
/// requested blocks.
fn refusing<T>(refused: usize, work: impl FnOnce() -> T) -> (T, usize) {
    BLOCKS.set((0, refused));
    let result = work();
    (result, BLOCKS.replace((0, 0)).0)
}

fn engine() -> Engine {
    let builder = Engine::builder()
        .memory_limit(1 << 28)
        .capabilities(Capabilities::full());
    let mut engine = builder.build().expect("an engine");
    engine.print_diagnostics(false);
    engine.capture_output();
    engine.capture_error_output();
    engine
        .consult_text("tables.pl", PROGRAM)
        .expect("the program is loaded");
    engine
}

fn ask(engine: &mut Engine, goal: &str) -> Result<bool, Error> {
    match goal.strip_prefix("lolli: ") {
        Some(goal) => engine.lolli_query(goal)?.advance(),
        None => engine.query(goal)?.advance(),
    }
}

/// Returns the distance between refused blocks of a goal: 1 with the variable `REFUSED_EACH`.
fn step(blocks: usize) -> usize {
    match std::env::var("REFUSED_EACH") {
        Ok(_) => 1,
        Err(_) => blocks.div_ceil(24).max(1),
    }
}

/// With the variable `REFUSED_GOAL`, runs only the goal of that line, and refuses blocks from number
/// `REFUSED_FROM` on.
#[expect(
    clippy::print_stderr,
    reason = "the last line shows the block of an abort"
)]
pub(crate) fn every_single_refusal_is_survived() {
    let only = std::env::var("REFUSED_GOAL").ok();
    let only = only.and_then(|line| line.parse::<usize>().ok());
    let from = std::env::var("REFUSED_FROM").ok();
    let from = from
        .and_then(|line| line.parse::<usize>().ok())
        .unwrap_or(1);
    for (at, goal) in GOALS.lines().enumerate() {
        if goal.starts_with('%') || goal.is_empty() || only.is_some_and(|only| only != at + 1) {
            continue;
        }
        let mut engine = engine();
        let (answer, blocks) = refusing(0, || ask(&mut engine, goal));
        assert!(matches!(answer, Ok(true)), "{goal}: {answer:?}");
        eprintln!("tables.txt:{}: {goal}: {blocks} blocks", at + 1);
        for refused in (from..=blocks).step_by(step(blocks)) {
            let mut engine = self::engine();
            eprintln!("block {refused}");
            let (answer, _) = refusing(refused, || ask(&mut engine, goal));
            let is_right = match &answer {
                Ok(_) => true,
                Err(error) => {
                    *error.kind() == ErrorKind::Resource
                        || error.ball_text().contains("resource_error(memory)")
                }
            };
            assert!(is_right, "{goal}: block {refused}: {answer:?}");
            drop(answer);
            for _ in 0..2 {
                let answer = ask(&mut engine, goal);
                assert!(
                    matches!(answer, Ok(true)),
                    "{goal}: after block {refused}: {answer:?}"
                );
            }
            engine.take_output();
            engine.take_error_output();
        }
    }
}
