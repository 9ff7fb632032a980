//! The targets of the fuzzer. The bytes of the fuzzer are either a text, or the choices of the
//! generators of `tests/fuzz`.
#![allow(
    dead_code,
    reason = "what makes texts from seeds is of use to tests/fuzz alone"
)]

#[path = "../fuzz/cases.rs"]
mod cases;
#[path = "../fuzz/generate.rs"]
mod generate;
#[path = "../support/image.rs"]
mod image;
#[path = "../fuzz/programs.rs"]
mod programs;
#[path = "../support/random.rs"]
mod random;

use cases::Engines;
use random::Random;
use std::cell::RefCell;
use wamlet::Engine;

/// Number of cases that an engine runs before a new one replaces it. So effects of a case soon
/// disappear.
const CASES_OF_AN_ENGINE: u32 = 1000;

thread_local! {
    static ENGINE: RefCell<Option<(Engine, u32)>> = const { RefCell::new(None) };
    static ENGINES: RefCell<Option<(Engines, u32)>> = const { RefCell::new(None) };
}

/// Calls `work` with the current engine, or with a new one.
fn with_engine(work: impl FnOnce(&mut Engine)) {
    ENGINE.with_borrow_mut(|kept| {
        let (mut engine, count) = kept.take().unwrap_or_else(|| (cases::engine(), 0));
        work(&mut engine);
        if count < CASES_OF_AN_ENGINE {
            *kept = Some((engine, count + 1));
        } else {
            cases::check_works(&mut engine, "all cases");
        }
    });
}

/// Returns the bytes as a text.
fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Reads a text as a term, as clauses and as data.
pub fn reader(bytes: &[u8]) {
    with_engine(|engine| cases::reads(engine, &text(bytes)));
}

/// Reads a text as a module of Lolli and as a goal.
pub fn lolli(bytes: &[u8]) {
    with_engine(|engine| cases::reads_lolli(engine, &text(bytes)));
}

/// Compiles a program and runs a goal.
pub fn machine(bytes: &[u8]) {
    let mut random = Random::of_bytes(bytes);
    let (goal, program) = (random.program_goal(), random.program());
    with_engine(|engine| cases::runs(engine, &program, &goal));
}

/// Writes a term and reads it again.
pub fn round_trip(bytes: &[u8]) {
    let term = Random::of_bytes(bytes).term(5);
    with_engine(|engine| cases::check_written_term(engine, &term));
}

/// Loads the bytes as an image, with a header and a correct checksum added; then calls the predicates
/// that it defines.
pub fn images(bytes: &[u8]) {
    thread_local!(static HEADER: Vec<u8> = cases::image_of("a.").expect("an image")[..image::BODY].to_vec());
    const CALLS: &str = "forall(( member(M, [user, zoo]), current_predicate(M:Name/Arity), functor(Goal, Name, Arity) ), \
                         ( catch(forall(clause(M:Goal, _), true), _, true), ignore(catch(M:Goal, _, true)) ))";
    if cases::is_harmless(&text(bytes)) {
        let image = HEADER.with(|header| [header, bytes].concat());
        with_engine(|engine| cases::check_image(engine, image, CALLS));
    }
}

/// Calls a builtin with any arguments.
pub fn builtins(bytes: &[u8]) {
    thread_local!(static BUILTINS: Vec<(String, usize)> = cases::builtins());
    let mut random = Random::of_bytes(bytes);
    let goal = BUILTINS.with(|builtins| random.call_of(builtins));
    with_engine(|engine| cases::check_call(engine, &goal));
}

/// Checks that a program has the same answers whenever garbage is collected, and without indexes.
pub fn collections(bytes: &[u8]) {
    let mut random = Random::of_bytes(bytes);
    let (goal, program) = (random.program_goal(), random.program());
    ENGINES.with_borrow_mut(|kept| {
        let (mut engines, count) = kept.take().unwrap_or_else(|| (Engines::new(), 0));
        if engines.agree(&program, &goal) && count < CASES_OF_AN_ENGINE {
            *kept = Some((engines, count + 1));
        }
    });
}
