//! Time and memory to make engines of a program, to reset them and to change shared parts: `cargo bench --bench embed`.
//! Each time is for one step, the least of several rounds. `cargo run --release` in `benches/embed_peers` also measures other
//! engines.
#![expect(clippy::print_stdout, reason = "results are shown to whoever runs it")]

use std::hint::black_box;
use std::time::{Duration, Instant};
use wamlet::{Engine, Error, Pool, Program};

const ROUNDS: usize = 15;

/// Returns the time of one step: the least time of `ROUNDS` rounds, divided by the number of steps in a round.
pub(crate) fn least<E>(
    steps: u32,
    mut round: impl FnMut() -> Result<Duration, E>,
) -> Result<String, E> {
    let mut best = Duration::MAX;
    for _ in 0..ROUNDS {
        best = best.min(round()?);
    }
    let nanoseconds = best.as_nanos() as f64 / f64::from(steps);
    Ok(match nanoseconds {
        0.0..1000.0 => format!("{nanoseconds:.0} ns"),
        _ => format!("{:.2} µs", nanoseconds / 1000.0),
    })
}

pub(crate) fn timed<T, E>(work: impl FnOnce() -> Result<T, E>) -> Result<Duration, E> {
    let start = Instant::now();
    black_box(work()?);
    Ok(start.elapsed())
}

/// Returns the resident memory of the process in bytes.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = status
        .split(' ')
        .nth(1)
        .and_then(|pages| pages.parse().ok());
    pages.unwrap_or(0) * 4096
}

/// Makes a program with a number of facts, half of them dynamic.
fn program(facts: usize) -> Result<Program, Error> {
    let mut text =
        String::from(":- dynamic d/2.\nallow(X) :- role(X, admin).\nrole(ann, admin).\n");
    for number in 0..facts / 2 {
        text.push_str(&format!(
            "s({number}, a{}).\nd({number}, b).\n",
            number % 100
        ));
    }
    Ok(Program::builder().text("facts.pl", text).build()?.0)
}

/// Measures engines of a program: making, resetting and pooling.
fn engines(program: &Program, warm: &mut Engine) -> Result<(), Error> {
    let cold = least(100, || {
        let mut engines = Vec::with_capacity(100);
        timed(|| {
            for _ in 0..100 {
                engines.push(program.engine()?);
            }
            Ok::<_, Error>(())
        })
    })?;
    println!("  engine, cold: {cold}");
    let first = least(1, || {
        let mut engine = program.engine()?;
        timed(|| engine.query_once("allow(ann)"))
    })?;
    println!("  its first query: {first}");
    let mut engine = program.engine()?;
    let idle = least(100, || timed(|| (0..100).try_for_each(|_| engine.reset())))?;
    println!("  reset: {idle}");
    let used = least(1, || {
        engine.query_once("allow(ann)")?;
        timed(|| engine.reset())
    })?;
    println!("  reset after a query: {used}");
    let pool = Pool::new(program.clone(), 4);
    let pooled = least(100, || {
        timed(|| (0..100).try_for_each(|_| pool.engine()?.query_once("allow(ann)").map(drop)))
    })?;
    println!("  pooled engine with one query: {pooled}");
    let alone = least(100, || {
        timed(|| (0..100).try_for_each(|_| warm.query_once("allow(ann)").map(drop)))
    })?;
    println!("  query alone: {alone}");
    Ok(())
}

/// Measures changes of shared clauses.
fn changes(program: &Program) -> Result<(), Error> {
    let goals = [
        ("first write", "assertz(d(0, c))"),
        ("first retract", "retract(d(3, b))"),
        ("true", "true"),
    ];
    for (what, goal) in goals {
        let time = least(1, || {
            let mut engine = program.engine()?;
            engine.query_once("X = 1")?;
            timed(|| engine.query_once(goal))
        })?;
        println!("  query of a {what}: {time}");
    }
    let loops = "between(1, 1000, X), Y is X * 7, retract(d(Y, _)), fail ; true";
    let retract = least(1000, || {
        let mut engine = program.engine()?;
        engine.query_once("between(1, 4, N), retract(d(N, _)), fail ; true")?;
        timed(|| engine.query_once(loops))
    })?;
    println!("  retract of a shared clause, with its loop: {retract}");
    Ok(())
}

pub(crate) fn main() -> Result<(), Error> {
    let library = least(20, || {
        timed(|| {
            (0..20)
                .map(|_| Engine::new())
                .collect::<Result<Vec<_>, _>>()
        })
    })?;
    println!("engine of the library: {library}");
    for facts in [10, 100_000] {
        println!("program of {facts} facts");
        let program = program(facts)?;
        let mut warm = program.engine()?;
        warm.query_once("allow(ann), s(1, _), d(1, _)")?;
        engines(&program, &mut warm)?;
        changes(&program)?;
        let before = resident();
        let resting: Vec<Engine> = (0..1000)
            .map(|_| program.engine())
            .collect::<Result<_, _>>()?;
        let each = (resident() - before) / resting.len() as u64;
        println!("  memory of a resting engine: {each} bytes");
    }
    let mut limited = Engine::builder()
        .time_limit(Duration::from_secs(5))
        .build()?;
    let mut free = Engine::new()?;
    for (what, engine) in [("without", &mut free), ("with", &mut limited)] {
        let time = least(1000, || {
            timed(|| (0..1000).try_for_each(|_| engine.query_once("true").map(drop)))
        })?;
        println!("query {what} a limit of time: {time}");
    }
    Ok(())
}
