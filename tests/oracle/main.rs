//! The oracle for Lolli: a naive interpreter of the language's rules, with random programs and goals
//! to compare an engine with. Here it is itself held against cases whose answers are known and
//! against laws of the logic, and the engine against it.

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

/// Runs `body` with room for a deep search: a continuation is called inside of the one before it.
fn with_deep_stack(body: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new()
        .stack_size(1 << 29)
        .spawn(body)
        .expect("a thread");
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}
