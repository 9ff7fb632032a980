//! Measures how late an engine reacts to an interrupt while it handles large terms: converts them for or from the
//! host, collects garbage with them on the heap, or compiles them. The measure is the processor time of the
//! thread, because other programs may use the processor meanwhile.

#![cfg(target_os = "linux")]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;
use wamlet::Engine;

/// Work for the host; returns whether it was finished.
type Work<'w> = dyn Fn(&mut Engine) -> bool + 'w;

/// Returns the nanoseconds that a thread has run.
fn time_of(thread: &str) -> u64 {
    let path = format!("/proc/self/task/{thread}/schedstat");
    let text = std::fs::read_to_string(path).expect("the times of a thread");
    let ran = text.split_whitespace().next().expect("a time");
    ran.parse().expect("a number")
}

/// Returns the time of the work, and the longest time that it continues after an interrupt.
fn lateness(work: impl Fn(&mut Engine) -> bool) -> (u64, u64) {
    let link = std::fs::read_link("/proc/thread-self").expect("this thread");
    let name = link.file_name().and_then(|name| name.to_str());
    let this = name.expect("a number").to_owned();
    let mut engine = Engine::builder()
        .memory_limit(4 << 30)
        .build()
        .expect("there is memory");
    let start = time_of(&this);
    assert!(work(&mut engine), "uninterrupted work is finished");
    let whole = time_of(&this) - start;
    let mut latest = 0;
    for tenth in [1, 3, 5, 7, 9] {
        let at = time_of(&this) + whole / 10 * tenth;
        let (asked, over) = (
            Arc::new(AtomicU64::new(0)),
            Arc::new(AtomicBool::new(false)),
        );
        let (handle, thread) = (engine.interrupt_handle(), this.clone());
        let interrupter = std::thread::spawn({
            let (asked, over) = (asked.clone(), over.clone());
            move || {
                while !over.load(Ordering::Relaxed) {
                    let now = time_of(&thread);
                    if now >= at {
                        asked.store(now, Ordering::Relaxed);
                        return handle.interrupt();
                    }
                    std::thread::sleep(Duration::from_micros(500));
                }
            }
        });
        let done = work(&mut engine);
        let end = time_of(&this);
        over.store(true, Ordering::Relaxed);
        interrupter.join().expect("a thread that waits");
        let asked = asked.load(Ordering::Relaxed);
        if asked != 0 && !done {
            latest = latest.max(end.saturating_sub(asked));
        }
        // An interrupt that came too late stops this query.
        let _ = engine.query_once("true");
    }
    (whole, latest)
}

#[test]
fn interrupts_soon_end_conversions_of_large_terms() {
    let prolog = format!("[{}0]", "f(x,Y), ".repeat(1 << 20));
    let lolli = format!("[{}0]", "(f x Y), ".repeat(1 << 19));
    let works: [(&str, &Work<'_>); 3] = [
        ("a solution", &|engine| {
            engine.query_once("numlist(1, 2000000, L)").is_ok()
        }),
        ("a text", &|engine| engine.parse_term(&prolog).is_ok()),
        ("a text of Lolli", &|engine| {
            engine.parse_lolli_term(&lolli).is_ok()
        }),
    ];
    for (name, work) in works {
        assert_ends_soon(name, work);
    }
}

#[test]
fn interrupts_soon_end_large_clauses() {
    let goal = "\\+ \\+ (length(L, 2000000), assertz(large(L)))";
    assert_ends_soon(goal, |engine| engine.query_once(goal).is_ok());
}

/// A copy first removes its marks from the original.
#[test]
fn interrupts_soon_end_copies_of_large_terms() {
    for goal in [
        "\\+ \\+ (numlist(1, 10000000, L), nb_setval(kept, L))",
        "\\+ \\+ (numlist(1, 10000000, L), recorda(kept, L))",
        "\\+ \\+ (numlist(1, 10000000, L), findall(L, true, _))",
    ] {
        assert_ends_soon(goal, |engine| engine.query_once(goal).is_ok());
    }
}

#[test]
fn interrupts_soon_end_collections_of_garbage() {
    let goals = [
        "\\+ \\+ (length(_, 1000), length(L, 8000000), garbage_collect, garbage_collect, L = [_|_])",
        "\\+ \\+ (length(L, 8000000), garbage_collect_atoms, garbage_collect_atoms, L = [_|_])",
    ];
    for goal in goals {
        assert_ends_soon(goal, |engine| engine.query_once(goal).is_ok());
    }
}

#[test]
fn interrupts_soon_end_products_and_quotients() {
    // Larger products use another algorithm, which is not measured here.
    let goals = [
        "X is 7 ** 1360000, _ is X * X, Y is X * (X - 7), _ is Y + 1",
        "X is 7 ** 680000, Y is 7 ** 1360001, _ is Y // X, _ is (Y - 9) mod (X + 1)",
    ];
    for goal in goals {
        assert_ends_soon(goal, |engine| engine.query_once(goal).is_ok());
    }
}

fn assert_ends_soon(name: &str, work: impl Fn(&mut Engine) -> bool) {
    let (whole, latest) = lateness(work);
    // Work that never checks for an interrupt is late by about its whole time. A busy machine is late, too.
    let most = whole / 3 + 40_000_000;
    assert!(latest < most, "{name}: {latest} ns late of {whole} ns");
}
