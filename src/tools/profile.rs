//! The profiler: it counts the calls of a running goal, and samples the clauses that wait for the present goal. It shows
//! the profile as a table and as a flame graph.

use crate::base::atom_table::FastMap;
use crate::base::growth::{Gather, Grow, GrowMap, GrowTable, GrowText, text_with_room};
use crate::base::needs::{Clock, Permit};
use crate::base::stop::Stop;
use crate::builtins::streams::errors_io::Target;
use crate::io::clock::instant;
use crate::io::files::replace_file;
use crate::io::stream_table::USER_ERROR;
use crate::machine::builtin::builtins;
use crate::machine::events::observer::{Event, Kinds, Observer, View};
use crate::machine::events::trace::Caller;
use crate::machine::state::Machine;
use crate::program::predicate::PredId;
use crate::source::term_texts::name_and_arity;
use crate::store::address::CodeAddr;
use crate::store::cell::WORD;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::{Duration, Instant};

/// The number of calls between two readings of the clock.
const CALLS: u32 = 8;
/// The time between two samples of the waiting clauses.
const PERIOD: Duration = Duration::from_micros(250);
/// The maximum number of distinct stacks that the profiler records.
const MOST_STACKS: usize = 20_000;

/// The profile of a goal that runs or has run.
struct Profile {
    clock: &'static Permit<Clock>,
    /// How often each predicate was called.
    calls: FastMap<PredId, u64>,
    /// How often each builtin was called inline, by its number.
    builtins: FastMap<u32, u64>,
    /// The time with each stack of predicates, the outermost first; a builtin may be the last.
    stacks: FastMap<(Vec<PredId>, Option<u32>), Duration>,
    /// The last reading of the clock.
    last: Instant,
    /// The number of calls until the next reading of the clock.
    left: u32,
    /// The address ranges of the clauses of all predicates, in order.
    code: Vec<(CodeAddr, CodeAddr, PredId)>,
    /// The generation of the database for which `code` was made.
    generation: u64,
}

impl Observer<Machine> for Profile {
    fn kinds(&self) -> Kinds {
        Kinds::CALL.and(Kinds::BUILTIN).and(Kinds::BUILTIN_DONE)
    }

    fn event(&mut self, event: &Event<'_>, view: &View<'_, Machine>) -> Result<(), Stop> {
        match *event {
            Event::Call(predicate) => {
                count(&mut self.calls, view.machine.definition(predicate))?;
                self.left -= 1;
                if self.left == 0 {
                    self.left = CALLS;
                    self.look_at_clock(view, None)?;
                }
            }
            Event::Builtin {
                number,
                last: false,
            } => count(&mut self.builtins, number)?,
            Event::BuiltinDone { number } => self.look_at_clock(view, Some(number))?,
            _ => {}
        }
        Ok(())
    }

    fn stops_with_query(&self) -> bool {
        true
    }
}

fn count<K: std::hash::Hash + Eq>(counts: &mut FastMap<K, u64>, key: K) -> Result<(), Stop> {
    if let Some(count) = counts.get_mut(&key) {
        *count += 1;
    } else {
        counts.put_entry(key, 1)?;
    }
    Ok(())
}

impl Profile {
    fn new(clock: &'static Permit<Clock>) -> Profile {
        Profile {
            clock,
            calls: FastMap::default(),
            builtins: FastMap::default(),
            stacks: FastMap::default(),
            last: instant(clock),
            left: CALLS,
            code: Vec::new(),
            generation: u64::MAX,
        }
    }

    /// Adds a sample if the period is over: the clauses that wait while this goal or builtin runs, and the time since the
    /// last sample.
    fn look_at_clock(
        &mut self,
        view: &View<'_, Machine>,
        builtin: Option<u32>,
    ) -> Result<(), Stop> {
        let now = instant(self.clock);
        let time = now - self.last;
        if time < PERIOD {
            return Ok(());
        }
        self.last = now;
        let m = view.machine;
        if self.generation != m.world.predicates.generation {
            self.generation = m.world.predicates.generation;
            self.code = all_code(m)?;
        }
        let present = Caller {
            address: view.p + WORD,
            times: 1,
        };
        let mut stack: Vec<PredId> = Vec::new();
        for caller in std::iter::once(&present).chain(&view.callers()) {
            let Some(id) = self.predicate_at(caller.address.wrapping_sub(WORD)) else {
                continue;
            };
            let predicate = m.world.predicates.get(id);
            let name = m.world.symbols.name(predicate.functor);
            let own =
                m.world.symbols.text(name).starts_with('$') && m.is_system_module(predicate.module);
            let own = own || m.world.symbols.text(predicate.module) == "prolog_debug";
            // Repeated clauses of one predicate are one level of a stack.
            if !own && stack.last() != Some(&id) {
                stack.put(id)?;
            }
        }
        stack.reverse();
        if self.stacks.len() >= MOST_STACKS {
            stack.truncate(1);
        }
        self.stacks.make_room()?;
        *self.stacks.entry((stack, builtin)).or_default() += time;
        Ok(())
    }

    fn predicate_at(&self, at: CodeAddr) -> Option<PredId> {
        let after = self.code.partition_point(|range| range.0 <= at);
        let &(_, end, id) = self.code.get(after.checked_sub(1)?)?;
        (at < end).then_some(id)
    }
}

/// Returns the address ranges of the clauses of all predicates, in order.
fn all_code(m: &Machine) -> Result<Vec<(CodeAddr, CodeAddr, PredId)>, Stop> {
    let mut code = Vec::new();
    for id in m.world.predicates.ids() {
        for (_, clause) in m.world.predicates.get(id).clauses.iter() {
            let range = clause.addresses();
            code.put((range.start, range.end, id))?;
        }
    }
    code.sort_unstable();
    Ok(code)
}

/// The maximum number of predicates in the table.
const SHOWN: usize = 25;

/// A row of the table: a predicate with its calls and times.
#[derive(Clone, Debug, Default)]
struct Row {
    name: String,
    calls: u64,
    own: Duration,
    whole: Duration,
}

fn name_of(m: &Machine, id: PredId) -> Result<String, Stop> {
    let predicate = m.world.predicates.get(id);
    let name = name_and_arity(m, predicate.functor)?;
    match m.world.symbols.text(predicate.module) {
        "user" | "lolli" => Ok(name),
        module if m.is_system_module(predicate.module) || module.starts_with('$') => Ok(name),
        module => Ok(format!("{module}:{name}")),
    }
}

/// Returns the names of the predicates of a stack, the outermost first.
fn names(m: &Machine, (stack, builtin): &(Vec<PredId>, Option<u32>)) -> Result<Vec<String>, Stop> {
    let mut names: Vec<String> = stack.iter().map(|&id| name_of(m, id)).try_gather()?;
    if let Some(index) = builtin {
        let entry = m.world.host.builtins[*index as usize];
        names.put(format!("{}/{}", entry.name, entry.modes.len()))?;
    }
    Ok(names)
}

fn rows(m: &Machine, profile: &Profile) -> Result<Vec<Row>, Stop> {
    let mut rows: FastMap<String, Row> = FastMap::default();
    let others = |&(&id, _): &(&PredId, &u64)| {
        m.world.symbols.text(m.world.predicates.get(id).module) != "prolog_debug"
    };
    for (&id, &calls) in profile.calls.iter().filter(others) {
        rows.entry(name_of(m, id)?).or_default().calls += calls;
    }
    for (&index, &calls) in &profile.builtins {
        let entry = m.world.host.builtins[index as usize];
        let name = format!("{}/{}", entry.name, entry.modes.len());
        rows.entry(name).or_default().calls += calls;
    }
    for (stack, &time) in &profile.stacks {
        let mut names = names(m, stack)?;
        if let Some(last) = names.last() {
            rows.entry(last.clone()).or_default().own += time;
        }
        names.sort_unstable();
        names.dedup();
        for name in names {
            rows.entry(name).or_default().whole += time;
        }
    }
    let mut rows: Vec<Row> = rows
        .into_iter()
        .map(|(name, row)| Row { name, ..row })
        .filter(|row| !row.name.starts_with('$') && !row.name.starts_with("'$"))
        .gather()?;
    rows.sort_by(|a, b| {
        (b.own, b.whole, b.calls, &a.name).cmp(&(a.own, a.whole, a.calls, &b.name))
    });
    Ok(rows)
}

/// Returns the table of the profile.
fn table(m: &Machine, _: &Permit<Clock>, profile: &Profile) -> Result<String, Stop> {
    let total: Duration = profile.stacks.values().sum();
    let all = total.as_secs_f64().max(f64::MIN_POSITIVE);
    let rows = rows(m, profile)?;
    let calls: u64 = rows.iter().map(|row| row.calls).sum();
    let mut text = format!("% {calls} calls, {:.3} seconds\n", total.as_secs_f64());
    text.put_str("%       calls       self           with callees  predicate\n")?;
    for row in rows.iter().take(SHOWN) {
        let (own, whole) = (row.own.as_secs_f64(), row.whole.as_secs_f64());
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "% {:>11} {own:>8.3} s {:>5.1} % {whole:>8.3} s {:>5.1} %  {}",
            row.calls,
            100.0 * own / all,
            100.0 * whole / all,
            row.name
        );
    }
    if rows.len() > SHOWN {
        let _ = writeln!(text, "% and {} more", rows.len() - SHOWN);
    }
    Ok(text)
}

/// A bar of a flame graph: its time, and the bars above it.
#[derive(Default)]
struct Flame {
    time: Duration,
    above: BTreeMap<String, Flame>,
}

/// The width of the picture.
const WIDTH: f64 = 1200.0;
/// The height of a bar.
const STEP: usize = 18;
/// The minimum width of a bar. Narrower bars are left out.
const NARROWEST: f64 = 0.4;
/// The width of a character.
const CHARACTER: f64 = 7.0;

/// Returns the flame graph. The goal is at the bottom. Above each predicate are the predicates that it calls, as wide
/// as their time.
fn flame_graph(m: &Machine, _: &Permit<Clock>, profile: &Profile) -> Result<String, Stop> {
    let mut root = Flame::default();
    let mut height = 0;
    for (stack, &time) in &profile.stacks {
        let names = names(m, stack)?;
        height = height.max(names.len());
        root.time += time;
        let mut step = &mut root;
        for name in names {
            step = step.above.entry(name).or_default();
            step.time += time;
        }
    }
    let measured = !root.time.is_zero();
    let all = match measured {
        true => root.time.as_secs_f64(),
        false => 1.0,
    };
    let total = (height + 2) * STEP;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {total}\" font-family=\"monospace\" font-size=\"12\">\n"
    );
    let name = match measured {
        true => "all",
        false => "nothing was measured because the goal was too fast",
    };
    let mut todo: Vec<(&str, &Flame, f64, usize)> = vec![(name, &root, 0.0, 0)];
    while let Some((name, flame, left, depth)) = todo.pop() {
        let seconds = flame.time.as_secs_f64();
        let width = match measured {
            true => WIDTH * seconds / all,
            false => WIDTH,
        };
        if width < NARROWEST {
            continue;
        }
        let top = total - (depth + 1) * STEP;
        let name = escaped(name)?;
        let room = (width / CHARACTER) as usize;
        let label: String = if name.chars().count() <= room {
            name.clone()
        } else {
            String::new()
        };
        let share = 100.0 * seconds / all;
        let colour = colour(&name);
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "<g><title>{name}: {seconds:.3} s, {share:.1} %</title><rect x=\"{left:.1}\" y=\"{top}\" width=\"{width:.1}\" height=\"{}\" fill=\"{colour}\"/><text x=\"{:.1}\" y=\"{}\">{label}</text></g>",
            STEP - 1,
            left + 3.0,
            top + STEP - 5,
        );
        let mut x = left;
        for (name, step) in &flame.above {
            todo.put((name, step, x, depth + 1))?;
            x += WIDTH * step.time.as_secs_f64() / all;
        }
    }
    text.put_str("</svg>\n")?;
    Ok(text)
}

fn escaped(name: &str) -> Result<String, Stop> {
    let mut text = text_with_room(name.len())?;
    for c in name.chars() {
        match c {
            '&' => text.put_str("&amp;")?,
            '<' => text.put_str("&lt;")?,
            '>' => text.put_str("&gt;")?,
            c => text.put(c)?,
        }
    }
    Ok(text)
}

/// Returns a warm colour. Equal names have equal colours.
fn colour(name: &str) -> String {
    let sum = name.bytes().fold(7u32, |sum, byte| {
        sum.wrapping_mul(31).wrapping_add(u32::from(byte))
    });
    format!("rgb({},{},{})", 205 + sum % 50, 110 + sum / 50 % 110, 60)
}

builtins! { PROFILE =
    /// Starts to count calls and to measure time.
    iso "$profile_begin"() needs clock = always |m, []| m.observe(Profile::new(clock));
    /// Stops the profiler and keeps the profile.
    iso "$profile_end"() = always |m, []| m.run.observers.observing.stop::<Profile>();
    /// Writes the table of the last goal of `profile/1` to the standard error output.
    iso "$profile_table"() needs clock, effect = |m, []| {
        let Some(profile) = m.run.observers.observing.get() else { return Ok(false) };
        let text = table(m, clock, profile);
        let target = Target::of(USER_ERROR);
        m.write_text_to(target, &text?)
    };
    /// Writes the flame graph of the last goal of `profile/1` to a file, as SVG.
    iso "$profile_graph"("+file") needs clock, write, effect = |m, [file]| {
        let path = m.file_arg(file)?;
        let Some(profile) = m.run.observers.observing.get() else { return Ok(false) };
        let text = flame_graph(m, clock, profile);
        let written = replace_file(write, &path, text?.as_bytes());
        m.of_file(written, ("open", "source_sink"), file)?;
        Ok(true)
    };
}
