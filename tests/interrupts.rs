//! How late an interrupt is answered while large terms go to the host or come from it, lie on the heap that is
//! collected, or are compiled: measured by the time that
//! the processor has given to the thread, for other programs may have it meanwhile.

#![cfg(target_os = "linux")]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;
use wamlet::Engine;

/// What is done for the host, and whether it came to its end.
type Work<'w> = dyn Fn(&mut Engine) -> bool + 'w;

/// Nanoseconds that a thread has run.
fn time_of(thread: &str) -> u64 {
    let path = format!("/proc/self/task/{thread}/schedstat");
    let text = std::fs::read_to_string(path).expect("the times of a thread");
    let ran = text.split_whitespace().next().expect("a time");
    ran.parse().expect("a number")
}

/// The time that the work takes, and the longest that it goes on after an interrupt.
fn lateness(work: impl Fn(&mut Engine) -> bool) -> (u64, u64) {
    let link = std::fs::read_link("/proc/thread-self").expect("this thread");
    let name = link.file_name().and_then(|name| name.to_str());
    let this = name.expect("a number").to_owned();
    let mut engine = Engine::builder()
        .memory_limit(4 << 30)
        .build()
        .expect("there is memory");
    let start = time_of(&this);
    assert!(
        work(&mut engine),
        "what is not interrupted comes to its end"
    );
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
        // A request that came too late is not meant for this.
        let _ = engine.query_once("true");
    }
    (whole, latest)
}

#[test]
fn large_terms_of_the_host_are_given_up_soon() {
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
        is_given_up_soon(name, work);
    }
}

#[test]
fn large_clauses_are_given_up_soon() {
    let goal = "\\+ \\+ (length(L, 2000000), assertz(large(L)))";
    is_given_up_soon(goal, |engine| engine.query_once(goal).is_ok());
}

/// What a copy has marked of the original is put back first.
#[test]
fn copies_of_large_terms_are_given_up_soon() {
    for goal in [
        "\\+ \\+ (numlist(1, 10000000, L), nb_setval(kept, L))",
        "\\+ \\+ (numlist(1, 10000000, L), recorda(kept, L))",
        "\\+ \\+ (numlist(1, 10000000, L), findall(L, true, _))",
    ] {
        is_given_up_soon(goal, |engine| engine.query_once(goal).is_ok());
    }
}

#[test]
fn collections_of_garbage_are_given_up_soon() {
    let goals = [
        "\\+ \\+ (length(_, 1000), length(L, 8000000), garbage_collect, garbage_collect, L = [_|_])",
        "\\+ \\+ (length(L, 8000000), garbage_collect_atoms, garbage_collect_atoms, L = [_|_])",
    ];
    for goal in goals {
        is_given_up_soon(goal, |engine| engine.query_once(goal).is_ok());
    }
}

#[test]
fn products_and_quotients_are_given_up_soon() {
    // Larger products are done aside, and not measured here.
    let goals = [
        "X is 7 ** 1360000, _ is X * X, Y is X * (X - 7), _ is Y + 1",
        "X is 7 ** 680000, Y is 7 ** 1360001, _ is Y // X, _ is (Y - 9) mod (X + 1)",
    ];
    for goal in goals {
        is_given_up_soon(goal, |engine| engine.query_once(goal).is_ok());
    }
}

fn is_given_up_soon(name: &str, work: impl Fn(&mut Engine) -> bool) {
    let (whole, latest) = lateness(work);
    // Work that does not look is late by about as long as it takes. A machine that does other things is late, too.
    let most = whole / 3 + 40_000_000;
    assert!(latest < most, "{name}: {latest} ns late of {whole} ns");
}
