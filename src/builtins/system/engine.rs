//! The engine and the system around it: halting (ISO 13211-1, 8.17.3 and 8.17.4), statistics,
//! time, environment.

use crate::base::atom_table::{FastMap, atoms};
use crate::base::growth::GrowMap;
use crate::base::needs::{Clock, Environment, Permit, Processes, Read};
use crate::base::number::Number;
use crate::io::clock::{epoch, instant, time_since};
use crate::io::error::IoError;
use crate::io::{environment, files, process};
use crate::machine::builtin::builtins;
use crate::machine::control::throw::{Ball, Throw};
use crate::machine::state::Machine;
use crate::machine::upper_layers::{LayerState, Part};
use crate::store::cell::Cell;
use crate::store::claims::{Claim, Life};
use crate::store::os;
use std::io::ErrorKind;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Environment variables that this engine has set: a host's own environment is never changed.
#[derive(Default)]
pub(in crate::builtins) struct Variables {
    values: FastMap<String, Option<String>>,
    claim: Claim,
}

impl LayerState for Variables {
    fn part(&self) -> Option<Part> {
        Part::of(self.clone())
    }
}

impl Clone for Variables {
    /// The claim of the values is that of the engine that has set them.
    fn clone(&self) -> Variables {
        Variables {
            values: self.values.clone(),
            claim: Claim::default(),
        }
    }
}

/// Bytes of a variable of the environment besides its name and value.
const VARIABLE_BYTES: usize = 128;

/// Changes a variable of the environment; what it takes counts.
fn set_variable(
    m: &mut Machine,
    _: &Permit<Environment>,
    name: String,
    value: Option<String>,
) -> Result<bool, Throw> {
    let size = |value: &Option<String>| value.as_ref().map_or(0, String::len);
    let environment = m.world.layers.of::<Variables>();
    let old = environment.values.get(&name);
    let freed = old.map_or(0, |old| VARIABLE_BYTES + name.len() + size(old));
    let taken = VARIABLE_BYTES + name.len() + size(&value);
    let bytes = environment.claim.bytes() + taken as u64 - freed as u64;
    let mut claim = std::mem::take(&mut environment.claim);
    let claimed = m.store.resize_claim(&mut claim, bytes, Life::Kept);
    let environment = m.world.layers.of::<Variables>();
    environment.claim = claim;
    claimed?;
    environment.values.put_entry(name, value)?;
    Ok(true)
}

/// When statistics were asked for last.
#[derive(Default)]
pub(in crate::builtins) struct Clocks {
    start: Option<Instant>,
    runtime: i64,
    walltime: i64,
    realtime: i64,
}

impl LayerState for Clocks {}

/// The longest time to sleep before the next look at the interrupt flag.
const NAP: Duration = Duration::from_millis(20);

/// What a key of `statistics/2` gives.
enum Statistic {
    Int(i64),
    Float(f64),
    /// A list of two integers.
    Pair(i64, i64),
    /// Number of collections, bytes gained, milliseconds, bytes left: a list.
    Collections([i64; 4]),
}

fn to_i64(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

/// A time and how long after the last one that was asked for it is.
fn since(now: i64, last: &mut i64) -> Statistic {
    let before = std::mem::replace(last, now);
    Statistic::Pair(now, now - before)
}

fn statistic(m: &mut Machine, clock: &Permit<Clock>, key: &str) -> Option<Statistic> {
    let heap = to_i64(m.store.heap_top - m.store.heap.base);
    let trail = to_i64(m.store.trail_top - m.store.trail.base);
    let local = to_i64(m.env.saturating_sub(m.store.env.base));
    let limit = i64::try_from(m.store.area_bytes()).unwrap_or(i64::MAX);
    let cpu = os::cpu_time(clock);
    let milliseconds = (cpu * 1000.0) as i64;
    let clocks = m.world.layers.of::<Clocks>();
    let start = *clocks.start.get_or_insert_with(|| instant(clock));
    Some(match key {
        "runtime" | "process_runtime" => since(milliseconds, &mut clocks.runtime),
        "walltime" => {
            let now = i64::try_from(time_since(clock, start).as_millis()).unwrap_or(i64::MAX);
            since(now, &mut clocks.walltime)
        }
        "real_time" => since(epoch(clock) as i64, &mut clocks.realtime),
        "system_time" => Statistic::Pair(0, 0),
        "cputime" | "process_cputime" => Statistic::Float(cpu),
        "epoch" => Statistic::Float(epoch(clock) - time_since(clock, start).as_secs_f64()),
        "inferences" => Statistic::Int(to_i64(m.inferences())),
        "atoms" => Statistic::Int(to_i64(m.world.symbols.atom_count() as u64)),
        "functors" => Statistic::Int(to_i64(m.world.symbols.functor_count() as u64)),
        "atom_space" => Statistic::Int(to_i64(m.world.symbols.bytes())),
        "agc" => Statistic::Int(to_i64(m.world.symbols.sweeps().count)),
        "agc_gained" => Statistic::Int(to_i64(m.world.symbols.sweeps().atoms)),
        "agc_time" => Statistic::Float(m.run.collector.log.sweep_seconds),
        "modules" => Statistic::Int(to_i64(m.world.modules.shown().count() as u64)),
        "predicates" => Statistic::Int(to_i64(m.world.predicates.len() as u64)),
        "clauses" => {
            let clauses = m.world.predicates.iter().map(|p| p.clauses.len() as u64);
            Statistic::Int(to_i64(clauses.sum()))
        }
        "global_stack" => Statistic::Pair(heap, limit - heap),
        "local_stack" => Statistic::Pair(local, limit - local),
        "trail" => Statistic::Pair(trail, limit - trail),
        "globalused" | "heapused" => Statistic::Int(heap),
        "localused" => Statistic::Int(local),
        "trailused" => Statistic::Int(trail),
        "stack" => Statistic::Int(heap + local + trail),
        "stack_limit" | "globallimit" | "locallimit" | "traillimit" => Statistic::Int(limit),
        "memory" | "core" | "program" => Statistic::Pair(heap + local + trail, limit - heap),
        "garbage_collection" => Statistic::Collections([
            to_i64(m.run.collector.log.count),
            to_i64(m.run.collector.log.gained),
            (m.run.collector.log.seconds * 1000.0) as i64,
            heap + trail,
        ]),
        "codes" | "threads" => Statistic::Int(0),
        _ => return None,
    })
}

/// `statistics/2`.
fn statistics(
    m: &mut Machine,
    clock: &Permit<Clock>,
    key: Cell,
    value: Cell,
) -> Result<bool, Throw> {
    let name = m.atom_arg(key)?;
    let text = m.world.symbols.text(name).to_owned();
    let Some(found) = statistic(m, clock, &text) else {
        return Err(m.domain_error("statistics_key", key));
    };
    match found {
        Statistic::Int(number) => Ok(m.unify_int(value, number)?),
        Statistic::Float(number) => {
            let number = m.store.new_float(number);
            Ok(m.unify(value, number)?)
        }
        Statistic::Pair(x, y) => {
            let items = [m.store.new_int(x), m.store.new_int(y)];
            m.unify_items(value, &items)
        }
        Statistic::Collections(numbers) => {
            let items = numbers.map(|number| m.store.new_int(number));
            m.unify_items(value, &items)
        }
    }
}

/// An environment variable as this engine sees it.
pub(in crate::builtins) fn variable(
    m: &mut Machine,
    environment: &Permit<Environment>,
    name: &str,
) -> Option<String> {
    if let Some(value) = m.world.layers.of::<Variables>().values.get(name) {
        return value.clone();
    }
    environment::variable(environment, name)
}

/// The home directory of a user, the present one if the name is empty. Without a variable that names it the present
/// user's is the root, as in SWI-Prolog.
pub(in crate::builtins) fn user_home(
    m: &mut Machine,
    (read, environment): (&Permit<Read>, &Permit<Environment>),
    user: &str,
) -> Option<String> {
    let home = variable(m, environment, "HOME").or_else(|| variable(m, environment, "USERPROFILE"));
    if user.is_empty() {
        return home.or_else(|| Some(std::path::MAIN_SEPARATOR.to_string()));
    }
    let own = home.filter(|_| variable(m, environment, "USER").as_deref() == Some(user));
    own.or_else(|| files::home_of(read, user))
}

/// `sleep/1`.
fn sleep(m: &mut Machine, clock: &Permit<Clock>, seconds: f64) -> Result<(), Throw> {
    m.world.host.streams.pass_on_output();
    let end = Duration::try_from_secs_f64(seconds)
        .ok()
        .and_then(|d| instant(clock).checked_add(d));
    loop {
        if m.store.events.stop_wanted() {
            return Err(Throw::new(Ball::Aborted));
        }
        let left = match end {
            Some(end) => end.saturating_duration_since(instant(clock)),
            None if seconds > 0.0 => NAP,
            None => Duration::ZERO,
        };
        if left.is_zero() {
            return Ok(());
        }
        std::thread::sleep(left.min(NAP));
    }
}

/// Runs a command, after what the program wrote before it.
fn shell(m: &mut Machine, processes: &Permit<Processes>, command: Cell) -> Result<i32, Throw> {
    let text = m.text_arg(command)?;
    m.world.host.streams.pass_on_output();
    run_in_shell(m, processes, &text)
}

/// Runs a command in the shell of the system and waits for its end: its exit status, or -1 if something else
/// ended it.
///
/// # Errors
/// It cannot be run; or the query is to be stopped, which ends it.
pub(crate) fn run_in_shell(
    m: &mut Machine,
    processes: &Permit<Processes>,
    command: &str,
) -> Result<i32, Throw> {
    let watch = Arc::clone(&m.store.events.watch);
    let changes = &m.world.layers.of::<Variables>().values;
    process::shell(processes, command, changes.iter(), &watch, os::end_process).map_err(|error| {
        match error.kind() {
            ErrorKind::Interrupted => Throw::new(Ball::Aborted),
            // A command works where the engine does.
            ErrorKind::NotFound if !files::exists_directory(processes.any(), ".") => {
                let here =
                    files::working_directory(processes.any()).unwrap_or_else(|_| ".".to_owned());
                match m.world.symbols.intern(&here) {
                    Ok(here) => m.file_error(error.into(), "access", "directory", Cell::atom(here)),
                    Err(stop) => stop.into(),
                }
            }
            _ => m.system_error(&IoError::from(error).to_string()),
        }
    })
}

builtins! { SYSTEM =
    /// Ends the program with exit code 0. ISO 8.17.3.
    iso "halt"() needs halt, effect = |_m, []| Err(Throw::halt(halt, 0));

    /// Ends the program with this exit code. ISO 8.17.4.
    iso "halt"("+integer") needs halt, effect = |m, [code]| {
        let code = m.i64_arg(code)?;
        Err(Throw::halt(halt, i32::try_from(code & 0xff).unwrap_or(1)))
    };

    /// `Value` is what the engine has used of something: `runtime` and `walltime` in milliseconds
    /// (in all, and since the last time), `cputime` in seconds, `inferences`, and others.
    library "statistics"("+atom", "-term") needs clock, history = |m, [key, value]| statistics(m, clock, key, value);

    /// `Time` is the number of seconds since 1970, a float.
    library "get_time"("-float") needs clock = |m, [time]| {
        let now = m.store.new_float(epoch(clock));
        Ok(m.unify(time, now)?)
    };

    /// Waits for this number of seconds.
    library "sleep"("+number") needs clock, effect = always |m, [seconds]| {
        match m.store.number(seconds)? {
            Some(Number::Int(whole)) => sleep(m, clock, whole as f64)?,
            Some(Number::Float(float)) => sleep(m, clock, float)?,
            Some(_) => sleep(m, clock, f64::INFINITY)?,
            None => return Err(m.type_or_instantiation_error(atoms::FLOAT, seconds)),
        }
    };

    /// Makes the next call collect garbage: of the heap, and of atoms too if `What` is `atoms`.
    iso "$want_collection"("+what") needs history = always |m, [what]| m.ask_for_collection(what == Cell::atom(atoms::ATOMS));

    /// Asks the engine to give memory of its stacks back that it does not need.
    library "trim_stacks"() = |_m, []| Ok(true);

    /// `Value` is the value of the environment variable `Name`; fails if there is none.
    ///
    /// ?- setenv(my_name, ann), getenv(my_name, X).
    /// X = ann.
    ///
    /// ?- getenv(no_such_variable, X).
    /// false.
    library "getenv"("+text", "-atom") needs environment = |m, [name, value]| {
        let name = m.text_arg(name)?;
        match variable(m, environment, &name) {
            Some(text) => Ok(m.unify_text(value, &text)?),
            None => Ok(false),
        }
    };

    /// Runs a command in the shell of the system; true when its exit status is 0. If an interrupt or a limit ends the
    /// goal, the command and the processes that it has begun are asked to end (SIGTERM), and made to after a second.
    library "shell"("+text") needs processes, effect = |m, [command]| Ok(shell(m, processes, command)? == 0);

    /// Runs a command in the shell of the system; `Status` is its exit status. It ends with the goal, as in shell/1.
    library "shell"("+text", "-integer") needs processes, effect = |m, [command, status]| {
        let found = shell(m, processes, command)?;
        Ok(m.unify_int(status, i64::from(found))?)
    };

    /// Sets an environment variable, for this engine.
    ///
    /// ?- setenv(my_name, ann), getenv(my_name, X).
    /// X = ann.
    library "setenv"("+text", "+text") needs environment, effect = |m, [name, value]| {
        let (name, value) = (m.text_arg(name)?, m.text_arg(value)?);
        set_variable(m, environment, name, Some(value))
    };

    /// Takes an environment variable away, for this engine.
    ///
    /// ?- setenv(my_name, ann), unsetenv(my_name), getenv(my_name, X).
    /// false.
    library "unsetenv"("+text") needs environment, effect = |m, [name]| {
        let name = m.text_arg(name)?;
        set_variable(m, environment, name, None)
    };
}
