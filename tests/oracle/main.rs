//! The oracle for Lolli: a naive interpreter of the language's rules, and random programs and goals to
//! compare an engine with it. The tests also compare the oracle with known answers and with laws of the
//! logic.

mod bindings;
mod cases;
mod compare;
mod engine;
mod formula;
mod generate;
mod laws;
mod parse;
mod search;
mod shrink;
mod term;

/// Runs `body` with stack for a deep search: each continuation is called within the one before it.
fn with_deep_stack(body: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new()
        .stack_size(1 << 29)
        .spawn(body)
        .expect("a thread");
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}
