//! The system refuses memory. Every goal must then succeed or end in a `resource_error`, and the engine
//! must work on. In the first test, the allocator refuses every large block. Code that grows a structure
//! with data of a program, and does not check for failure, aborts this process. The goal printed last
//! shows the place. The test in `once` refuses a single block that a goal requests.
#![expect(unsafe_code, reason = "an allocator needs unsafe functions")]

mod once;

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};
use wamlet::{Call, Engine, Term};

/// Requests for larger blocks are refused.
static LARGEST: AtomicUsize = AtomicUsize::new(usize::MAX);
/// The limits of block size. With a larger limit, a goal gets further before a refusal.
const LARGE: [usize; 3] = [1 << 20, 3 << 20, 9 << 20];

/// Number of reported panics.
static PANICS: AtomicUsize = AtomicUsize::new(0);

/// The allocator of the system, with a limit on the size of blocks.
struct Reluctant;

fn is_refused(bytes: usize) -> bool {
    bytes > LARGEST.load(Ordering::Relaxed)
}

// SAFETY: returns the result of the system's allocator, or null.
unsafe impl GlobalAlloc for Reluctant {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // Only tables of the standard library's maps have this alignment.
        let is_table = layout.align() == 16;
        if is_refused(layout.size()) || (is_table && once::is_refused(layout.size())) {
            return std::ptr::null_mut();
        }
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(at, layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        if is_refused(bytes) || once::is_refused(bytes) {
            return std::ptr::null_mut();
        }
        // SAFETY: as the caller promises.
        unsafe { System.realloc(at, layout, bytes) }
    }
}

#[global_allocator]
static ALLOCATOR: Reluctant = Reluctant;

/// The program that makes the terms of the goals.
const PROGRAM: &str = include_str!("terms.pl");
/// The goals, one on each line; lines with `%` are comments.
const GOALS: &str = include_str!("goals.txt");

/// Returns the goals. With the variable `REFUSED_GOAL`, only the goal of that line.
fn goals() -> impl Iterator<Item = (usize, &'static str)> {
    let only = std::env::var("REFUSED_GOAL").ok();
    let only = only.and_then(|line| line.parse::<usize>().ok());
    let lines = GOALS.lines().enumerate();
    lines
        .map(|(at, line)| (at + 1, line))
        .filter(move |&(at, line)| {
            !line.starts_with('%') && !line.is_empty() && only.is_none_or(|only| only == at)
        })
}

/// Runs `work` while larger blocks are refused.
fn refusing<T>(large: usize, work: impl FnOnce() -> T) -> T {
    LARGEST.store(large, Ordering::Relaxed);
    let result = work();
    LARGEST.store(usize::MAX, Ordering::Relaxed);
    result
}

fn engine() -> Engine {
    let builder = Engine::builder().memory_limit(1 << 30);
    let mut engine = builder.build().expect("an engine");
    engine.print_diagnostics(false);
    engine.capture_output();
    engine
        .consult_text("terms.pl", PROGRAM)
        .expect("the program is loaded");
    engine
}

/// Checks that the engine still works.
fn check_works(engine: &mut Engine) {
    let text = "small(T), copy_term(T, U), T = U, term_to_atom(T, A), term_to_atom(V, A), T =@= V";
    let solution = engine.query_once(text).expect("no error");
    assert!(solution.is_some(), "the engine does not work any more");
}

#[test]
#[expect(
    clippy::print_stderr,
    reason = "the last line shows the goal of an abort"
)]
fn refused_memory_is_an_error() {
    // The message of a panic is enough, because a backtrace needs memory, which is refused.
    std::panic::set_hook(Box::new(|info| {
        PANICS.fetch_add(1, Ordering::Relaxed);
        eprintln!("{info}");
    }));
    // A refusal in one test would affect the other, so they run in sequence.
    once::every_single_refusal_is_survived();
    let mut engine = engine();
    for (line, goal) in goals() {
        eprintln!("goals.txt:{line}: {goal}");
        let caught = format!("catch(({goal}), error(resource_error(memory), _), true)");
        for large in LARGE {
            let mut ask = |text| refusing(large, || engine.query(text)?.advance());
            let result = ask(&caught);
            assert!(
                matches!(result, Ok(true)),
                "line {line}: {caught}: {result:?}"
            );
            check_works(&mut engine);
            engine.take_output();
        }
    }
    assert_eq!(PANICS.load(Ordering::Relaxed), 0, "a panic was reported");
    if cfg!(panic = "abort") {
        return;
    }
    // Panics of the host are reported.
    let refuse = |_: &mut Call<'_>| -> Result<bool, Term> { panic!("a panic of the host") };
    engine
        .register("refuse", 0, refuse)
        .expect("a new predicate");
    assert!(engine.query_once("refuse").is_err());
    assert_eq!(PANICS.load(Ordering::Relaxed), 1, "a panic of the host");
    assert!(std::panic::catch_unwind(|| panic!("another one")).is_err());
    assert_eq!(PANICS.load(Ordering::Relaxed), 2, "a panic of no engine");
}
