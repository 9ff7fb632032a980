//! The progress of a count, on the standard error output while it runs: at a terminal a line that is renewed and goes
//! away, else a line each time if it is asked for, as JSON with `--json`.

use super::forecast::{Estimate, Forecast};
use super::unit_lines::number_of;
use serde::Serialize;
use serde_json::Number;
use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};
use wamlet::{Engine, Progress, SearchProgress};

/// After this time a terminal shows the progress, and then after each of these.
const SHOWN_AFTER: Duration = Duration::from_secs(2);
const RENEWED_AFTER: Duration = Duration::from_millis(500);
/// After this time the engine is asked for the first time; then after twice the time, up to the longest.
const FIRST_ASKED: Duration = Duration::from_millis(1);
const LONGEST: Duration = Duration::from_millis(250);
/// So long an answer is waited for.
const ANSWER: Duration = Duration::from_millis(5);
/// Numbers of more digits are rounded in the line for people.
const MOST_DIGITS: usize = 18;
/// Lines do not come faster.
const FASTEST: Duration = Duration::from_millis(1);

/// Who wants to see the progress.
#[derive(clap::Args, Copy, Clone, Debug, Default)]
pub(crate) struct ShowProgress {
    /// Write a line on the progress each second, or after each SECONDS, to the standard error output
    #[arg(
        long = "progress",
        value_name = "SECONDS",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "1",
        value_parser = super::limits::seconds
    )]
    pub(crate) each: Option<Duration>,
}

/// How it is shown.
#[derive(Copy, Clone, Debug)]
enum Form {
    /// A line that is renewed.
    Renewed,
    /// Lines.
    Lines,
    /// Objects of JSON.
    Json,
}

/// The progress of an engine, and how it is shown, if it is.
pub(crate) struct Watched(Option<(Progress, Shown, Times)>);

/// When it is shown first, and how long after each time.
type Times = (Duration, Duration);

impl ShowProgress {
    /// The progress of this engine: that of a count is shown at a terminal also without the option, unless it is to be `quiet`.
    /// Of a unit its number and how many there are is shown, too.
    pub(crate) fn of(
        self,
        engine: &mut Engine,
        (json, quiet): (bool, bool),
        unit: Option<(u32, u32)>,
    ) -> Watched {
        let terminal = io::stderr().is_terminal()
            && std::env::var_os("TERM").is_some_and(|name| !name.is_empty() && name != "dumb");
        let (form, first, each) = match self.each {
            Some(each) if json => (Form::Json, each, each),
            Some(each) if terminal => (
                Form::Renewed,
                each.min(SHOWN_AFTER),
                each.min(RENEWED_AFTER),
            ),
            Some(each) => (Form::Lines, each, each),
            None if terminal && !json && !quiet => (Form::Renewed, SHOWN_AFTER, RENEWED_AFTER),
            None => return Watched::none(),
        };
        let times = (first.max(FASTEST), each.max(FASTEST));
        let shown = Shown::new(form, unit, times.1);
        Watched(Some((engine.progress(), shown, times)))
    }
}

impl Watched {
    /// That of work whose progress nobody wants to see.
    pub(crate) fn none() -> Watched {
        Watched(None)
    }

    /// Does the work, and shows its progress meanwhile.
    pub(crate) fn during<T>(self, work: impl FnOnce() -> T) -> T {
        let Some((progress, mut shown, times)) = self.0 else {
            return work();
        };
        thread::scope(|scope| {
            let (done, wait): (Sender<()>, Receiver<()>) = channel();
            // Without a thread nothing is shown.
            let _watcher = thread::Builder::new()
                .spawn_scoped(scope, move || shown.watch(&progress, &wait, times));
            let result = work();
            drop(done);
            result
        })
    }
}

/// Is the work still under way after some time?
fn goes_on(wait: &Receiver<()>, time: Duration) -> bool {
    matches!(wait.recv_timeout(time), Err(RecvTimeoutError::Timeout))
}

/// What a line tells.
#[derive(Debug, Serialize)]
struct Line {
    progress: &'static str,
    /// The number of the unit, and how many there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    of: Option<u32>,
    solutions: Option<Number>,
    seconds: f64,
    /// Solutions in a second.
    rate: Option<f64>,
    share: Option<f64>,
    error: Option<f64>,
    /// Seconds.
    left: Option<f64>,
}

/// What was shown so far.
struct Shown {
    form: Form,
    unit: Option<(u32, u32)>,
    window: f64,
    forecast: Forecast,
    /// The number of the search that is shown, and when it may have begun.
    search: Option<(u64, Instant)>,
    /// The last time that was looked for one.
    looked: Instant,
    /// The seconds and the number of solutions of the line before.
    before: Option<(f64, f64)>,
    is_there: bool,
}

impl Shown {
    fn new(form: Form, unit: Option<(u32, u32)>, each: Duration) -> Shown {
        let window = each.min(LONGEST).as_secs_f64();
        Shown {
            form,
            unit,
            window,
            forecast: Forecast::new(window),
            search: None,
            looked: Instant::now(),
            before: None,
            is_there: false,
        }
    }

    /// Asks how far the work is, and shows it, until it has ended.
    fn watch(
        &mut self,
        progress: &Progress,
        wait: &Receiver<()>,
        (first, each): (Duration, Duration),
    ) {
        let start = Instant::now();
        let mut shown_at = first;
        let mut pause = FIRST_ASKED;
        while goes_on(wait, pause) {
            progress.ask();
            if !goes_on(wait, ANSWER.min(each)) {
                break;
            }
            let seen = progress.reading().map(|reading| self.see(&reading));
            self.looked = Instant::now();
            let elapsed = start.elapsed();
            if elapsed >= shown_at {
                if let Some(line) = seen {
                    self.show(&line);
                }
                while shown_at <= elapsed {
                    shown_at += each;
                }
            }
            pause = (pause * 2)
                .min(LONGEST)
                .min(shown_at.saturating_sub(elapsed));
        }
        self.clear();
    }

    /// What there is to tell.
    fn see(&mut self, reading: &SearchProgress) -> Line {
        let known = self.search.filter(|(search, _)| *search == reading.search);
        let (_, begun) = known.unwrap_or_else(|| {
            self.forecast = Forecast::new(self.window);
            self.before = None;
            (reading.search, self.looked)
        });
        self.search = Some((reading.search, begun));
        let seconds = begun.elapsed().as_secs_f64();
        self.forecast.see(seconds, reading.done);
        let estimate = self.forecast.estimate();
        let solutions = reading.solutions.as_ref().and_then(number_of);
        let number = solutions.as_ref().and_then(Number::as_f64);
        let (before, found) = self.before.unwrap_or((0.0, 0.0));
        let rate = number.map(|number| (number - found) / (seconds - before).max(1e-9));
        let rounded = |value: f64, digits: i32| {
            let scale = 10f64.powi(digits);
            (value * scale).round() / scale
        };
        Line {
            progress: "count",
            unit: self.unit.map(|unit| unit.0),
            of: self.unit.map(|unit| unit.1),
            solutions,
            seconds: rounded(seconds, 3),
            rate: rate.map(|rate| rounded(rate, 1)),
            share: estimate.map(|Estimate { share, .. }| rounded(share, 6)),
            error: estimate.map(|Estimate { error, .. }| rounded(error, 6)),
            left: estimate.and_then(|estimate| Some(rounded(estimate.left?, 1))),
        }
    }

    /// Shows a line.
    fn show(&mut self, line: &Line) {
        let number = line.solutions.as_ref().and_then(Number::as_f64);
        self.before = number.map(|number| (line.seconds, number));
        let text = match self.form {
            Form::Json => match serde_json::to_string(line) {
                Ok(text) => format!("{text}\n"),
                Err(_) => return,
            },
            Form::Lines => format!("% {}\n", words(line)),
            Form::Renewed => {
                self.is_there = true;
                // More than one line could not be taken back: without wrapping it is cut at the margin.
                format!("\r\x1b[K\x1b[?7l% {}\x1b[?7h", words(line))
            }
        };
        // Nobody can be told that the standard error output fails.
        let _ = io::stderr().write_all(text.as_bytes());
    }

    /// Takes the line back.
    fn clear(&mut self) {
        if std::mem::take(&mut self.is_there) {
            let _ = io::stderr().write_all(b"\r\x1b[K");
        }
    }
}

/// A line for people.
fn words(line: &Line) -> String {
    let mut parts = Vec::new();
    if let (Some(unit), Some(of)) = (line.unit, line.of) {
        parts.push(format!("unit {unit} of {of}"));
    }
    if let Some(solutions) = &line.solutions {
        parts.push(format!("{} solutions", grouped(&solutions.to_string())));
    }
    if let Some(rate) = line.rate {
        parts.push(format!("{}/s", grouped(&format!("{rate:.0}"))));
    }
    if let (Some(share), Some(error)) = (line.share, line.error) {
        let digits = if error < 0.001 { 2 } else { 1 };
        let (share, error) = (100.0 * share, 100.0 * error);
        parts.push(format!("{share:.digits$} % ± {error:.digits$} % done"));
    }
    match line.left {
        Some(left) => parts.push(format!("about {} left", time(left))),
        None => parts.push(format!("after {}", time(line.seconds))),
    }
    parts.join(", ")
}

/// The digits in groups of three; of a large number the first ones only.
fn grouped(digits: &str) -> String {
    if digits.len() > MOST_DIGITS
        && let Ok(number) = digits.parse::<f64>()
    {
        return format!("{number:.3e}");
    }
    let (sign, digits) = match digits.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", digits),
    };
    let mut text = sign.to_owned();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A time, in its two largest units.
fn time(seconds: f64) -> String {
    const UNITS: [(u64, &str); 4] = [(86_400, "d"), (3_600, "h"), (60, "min"), (1, "s")];
    let all = seconds.round() as u64;
    let largest = UNITS.iter().position(|unit| all >= unit.0);
    let Some(largest) = largest else {
        return "1 s".to_owned();
    };
    let mut rest = all;
    let mut parts = Vec::new();
    for (size, name) in UNITS.iter().skip(largest).take(2) {
        let number = rest / size;
        rest %= size;
        if number > 0 {
            parts.push(format!("{number} {name}"));
        }
    }
    parts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::{Line, grouped, time, words};

    #[test]
    fn numbers_and_times_for_people() {
        let numbers = ["0", "999", "1000", "123456", "1234567", "-1234"];
        let wanted = ["0", "999", "1,000", "123,456", "1,234,567", "-1,234"];
        assert_eq!(numbers.map(grouped), wanted);
        assert_eq!(grouped("123456789012345678901"), "1.235e20");
        let times = [0.2, 59.0, 61.0, 3600.0, 3725.0, 90_000.0];
        let wanted = ["1 s", "59 s", "1 min 1 s", "1 h", "1 h 2 min", "1 d 1 h"];
        assert_eq!(times.map(time), wanted);
    }

    #[test]
    fn a_line_has_what_is_known() {
        let mut line = Line {
            progress: "count",
            unit: None,
            of: None,
            solutions: Some(1_234_567.into()),
            seconds: 4.0,
            rate: Some(308_641.7),
            share: Some(0.25),
            error: Some(0.0125),
            left: Some(12.0),
        };
        let all = "1,234,567 solutions, 308,642/s, 25.0 % ± 1.2 % done, about 12 s left";
        assert_eq!(words(&line), all);
        (line.share, line.left) = (None, None);
        (line.unit, line.of) = (Some(3), Some(16));
        let some = "unit 3 of 16, 1,234,567 solutions, 308,642/s, after 4 s";
        assert_eq!(words(&line), some);
        (line.unit, line.solutions, line.rate) = (None, None, None);
        assert_eq!(words(&line), "after 4 s");
    }
}
