//! The engine and its system: halting (ISO 13211-1, 8.17.3 and 8.17.4), statistics, time and environment.

use crate::arith::evaluable::EvalHost;
use crate::base::atom_table::{FastMap, atoms};
use crate::base::growth::GrowMap;
use crate::base::needs::{Clock, Environment, Needs, Permit, Place, Processes, Read};
use crate::base::number::Number;
use crate::io::clock::instant;
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

/// Environment variables that this engine has set. The environment of the host never changes.
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
    /// Copies the values without their claim, which stays with the engine that has set them.
    fn clone(&self) -> Variables {
        Variables {
            values: self.values.clone(),
            claim: Claim::default(),
        }
    }
}

/// Bytes of an environment variable besides its name and value.
const VARIABLE_BYTES: usize = 128;

/// Changes an environment variable and counts its memory.
fn set_variable(
    m: &mut Machine,
    _: &Permit<Environment>,
    name: String,
    value: Option<String>,
) -> Result<bool, Throw> {
    if !m.world.host.policy.shows_variable(&name) {
        return Err(m.refused(Needs::ENVIRONMENT));
    }
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

/// Times of the last calls of statistics.
#[derive(Default)]
pub(in crate::builtins) struct Clocks {
    start: Option<Instant>,
    runtime: i64,
    walltime: i64,
    realtime: i64,
}

impl LayerState for Clocks {}

/// Longest sleep between two checks of the interrupt flag.
const NAP: Duration = Duration::from_millis(20);

/// Value of a key of `statistics/2`.
enum Statistic {
    Int(i64),
    Float(f64),
    /// List of two integers.
    Pair(i64, i64),
    /// List of number of collections, bytes gained, milliseconds, bytes left.
    Collections([i64; 4]),
}

fn to_i64(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

/// Returns a time, and the time since the last call for it.
fn since(now: i64, last: &mut i64) -> Statistic {
    let before = std::mem::replace(last, now);
    Statistic::Pair(now, now - before)
}

/// Keys of `statistics/2` that read the clock.
const TIMES: &[&str] = &[
    "runtime",
    "process_runtime",
    "walltime",
    "real_time",
    "system_time",
    "cputime",
    "process_cputime",
    "epoch",
    "agc_time",
    "garbage_collection",
];

/// Returns the value of one of these keys.
fn time(m: &mut Machine, clock: &Permit<Clock>, key: &str) -> Option<Statistic> {
    let cpu = m.cputime(clock);
    let now = m.world.host.policy.epoch(clock);
    let instant = m.world.host.policy.instant(clock);
    let milliseconds = (cpu * 1000.0) as i64;
    let clocks = m.world.layers.of::<Clocks>();
    let start = *clocks.start.get_or_insert(instant);
    let passed = instant.saturating_duration_since(start);
    Some(match key {
        "runtime" | "process_runtime" => since(milliseconds, &mut clocks.runtime),
        "walltime" => {
            let now = i64::try_from(passed.as_millis()).unwrap_or(i64::MAX);
            since(now, &mut clocks.walltime)
        }
        "real_time" => since(now as i64, &mut clocks.realtime),
        "system_time" => Statistic::Pair(0, 0),
        "cputime" | "process_cputime" => Statistic::Float(cpu),
        "epoch" => Statistic::Float(now - passed.as_secs_f64()),
        "agc_time" => Statistic::Float(m.run.collector.log.sweep_seconds),
        "garbage_collection" => Statistic::Collections([
            to_i64(m.run.collector.log.count),
            to_i64(m.run.collector.log.gained),
            (m.run.collector.log.seconds * 1000.0) as i64,
            to_i64(m.store.heap_top - m.store.heap.base)
                + to_i64(m.store.trail_top - m.store.trail.base),
        ]),
        _ => return None,
    })
}

fn statistic(m: &mut Machine, key: &str) -> Option<Statistic> {
    let heap = to_i64(m.store.heap_top - m.store.heap.base);
    let trail = to_i64(m.store.trail_top - m.store.trail.base);
    let local = to_i64(m.env.saturating_sub(m.store.env.base));
    let limit = i64::try_from(m.store.area_bytes()).unwrap_or(i64::MAX);
    Some(match key {
        "inferences" => Statistic::Int(to_i64(m.inferences())),
        "atoms" => Statistic::Int(to_i64(m.world.symbols.atom_count() as u64)),
        "functors" => Statistic::Int(to_i64(m.world.symbols.functor_count() as u64)),
        "atom_space" => Statistic::Int(to_i64(m.world.symbols.bytes())),
        "agc" => Statistic::Int(to_i64(m.world.symbols.sweeps().count)),
        "agc_gained" => Statistic::Int(to_i64(m.world.symbols.sweeps().atoms)),
        "modules" => Statistic::Int(to_i64(m.world.modules.visible_names().count() as u64)),
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
        "codes" | "threads" => Statistic::Int(0),
        _ => return None,
    })
}

/// Runs `statistics/2`.
fn statistics(m: &mut Machine, key: Cell, value: Cell) -> Result<bool, Throw> {
    let name = m.atom_arg(key)?;
    let text = m.world.symbols.text(name).to_owned();
    let found = match TIMES.contains(&text.as_str()) {
        true => {
            let clock = m.permit::<Clock>()?;
            time(m, clock, &text)
        }
        false => statistic(m, &text),
    };
    let Some(found) = found else {
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

/// Returns an environment variable as this engine sees it.
///
/// # Errors
/// Returns an error if the variable is not granted, even if it does not exist.
pub(in crate::builtins) fn variable(m: &mut Machine, name: &str) -> Result<Option<String>, Throw> {
    let environment = m.permit::<Environment>()?;
    if !m.world.host.policy.shows_variable(name) {
        return Err(m.refused(Needs::ENVIRONMENT));
    }
    if let Some(value) = m.world.layers.of::<Variables>().values.get(name) {
        return Ok(value.clone());
    }
    Ok(environment::variable(environment, name))
}

/// Returns the home directory of a user; an empty name means the current user. If no variable names the directory
/// of the current user, it is the root, as in SWI-Prolog.
pub(in crate::builtins) fn user_home(
    m: &mut Machine,
    read: &Permit<Read>,
    user: &str,
) -> Result<Option<String>, Throw> {
    let home = match user.is_empty() || m.world.host.policy.shows_variable("HOME") {
        false => None,
        true => match variable(m, "HOME")? {
            None if m.world.host.policy.shows_variable("USERPROFILE") => {
                variable(m, "USERPROFILE")?
            }
            home => home,
        },
    };
    if user.is_empty() {
        return Ok(home.or_else(|| Some(std::path::MAIN_SEPARATOR.to_string())));
    }
    if home.is_some()
        && m.world.host.policy.shows_variable("USER")
        && variable(m, "USER")?.as_deref() == Some(user)
    {
        return Ok(home);
    }
    match files::home_of(read, user) {
        Err(IoError::Refused(need)) => Err(m.refused(need)),
        found => Ok(found.ok().flatten()),
    }
}

/// Runs `sleep/1`.
fn sleep(m: &mut Machine, clock: &Permit<Clock>, seconds: f64) -> Result<(), Throw> {
    m.world.host.streams.pass_on_output();
    // With a fixed clock, sleep returns at once.
    if m.world.host.policy.now.is_some() {
        return Ok(());
    }
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

/// Runs a command after passing on the earlier output of the program.
fn shell(m: &mut Machine, processes: &Permit<Processes>, command: Cell) -> Result<i32, Throw> {
    let text = m.text_arg(command)?;
    m.world.host.streams.pass_on_output();
    run_in_shell(m, processes, &text)
}

/// Runs a command in the shell of the system and waits for its end. Returns its exit status, or -1 if it ended in
/// another way.
///
/// # Errors
/// Returns an error if the command cannot run, or if a stop of the query is requested. A stop ends the command.
pub(crate) fn run_in_shell(
    m: &mut Machine,
    processes: &Permit<Processes>,
    command: &str,
) -> Result<i32, Throw> {
    let watch = Arc::clone(&m.store.events.watch);
    let policy = Arc::clone(&m.world.host.policy);
    let changes = &m.world.layers.of::<Variables>().values;
    let command = match &policy.programs {
        None => process::in_shell(processes, command, changes.iter()),
        Some(programs) => match process::program(processes, command, programs)? {
            Some(command) => command,
            None => return Err(m.refused(Needs::PROCESSES)),
        },
    };
    process::wait(command, &watch, os::end_process).map_err(|error| {
        match error.kind() {
            ErrorKind::Interrupted => Throw::new(Ball::Aborted),
            // The command runs in the working directory of the engine.
            ErrorKind::NotFound
                if !files::exists_directory(processes.any::<Read>(), ".").unwrap_or(true) =>
            {
                let here = files::working_directory(processes.any::<Place>());
                let here = here.unwrap_or_else(|_| ".".to_owned());
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
    /// Ends the program with exit status 0. ISO 8.17.3.
    iso "halt"() needs halt, effect = |_m, []| Err(Throw::halt(halt, 0));

    /// Ends the program with the exit status `integer`. ISO 8.17.4.
    iso "halt"("+integer") needs halt, effect = |m, [code]| {
        let code = m.i64_arg(code)?;
        Err(Throw::halt(halt, i32::try_from(code & 0xff).unwrap_or(1)))
    };

    /// Unifies `term` with the value of the statistic `atom`. `runtime` and `walltime` are in milliseconds:
    /// the total and the time since the last call. `cputime` is in seconds. Other statistics include
    /// `inferences`.
    library "statistics"("+atom", "-term") needs may_clock, history = |m, [key, value]| statistics(m, key, value);

    /// Unifies `float` with the number of seconds since 1970.
    library "get_time"("-float") needs clock = |m, [time]| {
        let now = m.store.new_float(m.world.host.policy.epoch(clock));
        Ok(m.unify(time, now)?)
    };

    /// Waits for `number` seconds.
    library "sleep"("+number") needs clock, effect = always |m, [seconds]| {
        match m.store.number(seconds)? {
            Some(Number::Int(whole)) => sleep(m, clock, whole as f64)?,
            Some(Number::Float(float)) => sleep(m, clock, float)?,
            Some(_) => sleep(m, clock, f64::INFINITY)?,
            None => return Err(m.type_or_instantiation_error(atoms::FLOAT, seconds)),
        }
    };

    /// Requests a garbage collection at the next call: of the heap, and also of atoms if `What` is `atoms`.
    iso "$want_collection"("+what") needs history = always |m, [what]| m.request_collection(what == Cell::atom(atoms::ATOMS));

    /// Has no effect. Wamlet accepts it for compatibility.
    library "trim_stacks"() = |_m, []| Ok(true);

    /// Unifies `atom` with the value of the environment variable `text`. Fails if the variable is not set.
    ///
    /// ?- setenv(my_name, ann), getenv(my_name, X).
    /// X = ann.
    ///
    /// ?- getenv(no_such_variable, X).
    /// false.
    library "getenv"("+text", "-atom") needs may_environment = |m, [name, value]| {
        let name = m.text_arg(name)?;
        match variable(m, &name)? {
            Some(text) => Ok(m.unify_text(value, &text)?),
            None => Ok(false),
        }
    };

    /// Runs the command `text` in the shell of the system. True if its exit status is 0. If an interrupt or a
    /// limit ends the goal, Wamlet sends SIGTERM to the command and its child processes, and kills them after
    /// a second.
    library "shell"("+text") needs processes, effect = |m, [command]| Ok(shell(m, processes, command)? == 0);

    /// Runs the command `text` in the shell of the system and unifies `integer` with its exit status. The
    /// command ends with the goal, as in shell/1.
    library "shell"("+text", "-integer") needs processes, effect = |m, [command, status]| {
        let found = shell(m, processes, command)?;
        Ok(m.unify_int(status, i64::from(found))?)
    };

    /// Sets the environment variable named by the first text to the second text, in this engine only.
    ///
    /// ?- setenv(my_name, ann), getenv(my_name, X).
    /// X = ann.
    library "setenv"("+text", "+text") needs environment, effect = |m, [name, value]| {
        let (name, value) = (m.text_arg(name)?, m.text_arg(value)?);
        set_variable(m, environment, name, Some(value))
    };

    /// Removes the environment variable `text`, in this engine only.
    ///
    /// ?- setenv(my_name, ann), unsetenv(my_name), getenv(my_name, X).
    /// false.
    library "unsetenv"("+text") needs environment, effect = |m, [name]| {
        let name = m.text_arg(name)?;
        set_variable(m, environment, name, None)
    };
}
