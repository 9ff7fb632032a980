//! The system refuses memory: whatever goals make then, they succeed or end in a `resource_error`, and
//! the engine works on. Here the allocator refuses every large block, so whoever grows something with
//! what a program gives, and does not ask, aborts this process and is found by the goal told last.
//! Or it refuses one block of all that a goal asks for (`once`).
#![expect(
    unsafe_code,
    reason = "an allocator is made of functions that promise what the compiler cannot see"
)]

mod once;

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};
use wamlet::{Call, Engine, Term};

/// Blocks of more bytes than this are refused.
static LARGEST: AtomicUsize = AtomicUsize::new(usize::MAX);
/// What is large while goals run: a goal comes further before more is refused.
const LARGE: [usize; 3] = [1 << 20, 3 << 20, 9 << 20];

/// How many panics were told of.
static TOLD: AtomicUsize = AtomicUsize::new(0);

/// The allocator of the system as long as blocks are small.
struct Reluctant;

fn is_refused(bytes: usize) -> bool {
    bytes > LARGEST.load(Ordering::Relaxed)
}

// SAFETY: gives what the allocator of the system gives, or nothing.
unsafe impl GlobalAlloc for Reluctant {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // The tables of the standard library's maps, and nothing else, are aligned so.
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

/// What makes the terms of the goals.
const PROGRAM: &str = include_str!("terms.pl");
/// The goals, one in each line; those that begin with `%` are comments.
const GOALS: &str = include_str!("goals.txt");

/// With the variable `REFUSED_GOAL` only the goal of that line runs.
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

/// Does something while blocks of more bytes are refused.
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

/// The engine answers as ever.
fn works(engine: &mut Engine) {
    let text = "small(T), copy_term(T, U), T = U, term_to_atom(T, A), term_to_atom(V, A), T =@= V";
    let solution = engine.query_once(text).expect("no error");
    assert!(solution.is_some(), "the engine works no more");
}

#[test]
#[expect(clippy::print_stderr, reason = "an abort tells nothing else")]
fn whoever_needs_memory_asks_for_it() {
    // Of a panic the message is enough: a trace of calls takes memory, which is refused.
    std::panic::set_hook(Box::new(|info| {
        TOLD.fetch_add(1, Ordering::Relaxed);
        eprintln!("{info}");
    }));
    // What is refused to one test is so to the other.
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
            works(&mut engine);
            engine.take_output();
        }
    }
    assert_eq!(TOLD.load(Ordering::Relaxed), 0, "a panic was told of");
    if cfg!(panic = "abort") {
        return;
    }
    // Those of the host are.
    let refuse = |_: &mut Call<'_>| -> Result<bool, Term> { panic!("a panic of the host") };
    engine
        .register("refuse", 0, refuse)
        .expect("a new predicate");
    assert!(engine.query_once("refuse").is_err());
    assert_eq!(TOLD.load(Ordering::Relaxed), 1, "a panic of the host");
    assert!(std::panic::catch_unwind(|| panic!("another one")).is_err());
    assert_eq!(TOLD.load(Ordering::Relaxed), 2, "a panic of no engine");
}
