//! The progress of a count, shown on the standard error output. A terminal shows a line that is renewed and removed at
//! the end. Otherwise, on request, each report is a separate line, in JSON with `--json`.

use super::forecast::{Estimate, Forecast};
use super::unit_lines::number_of;
use serde::Serialize;
use serde_json::Number;
use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};
use wamlet::{Engine, Progress, SearchProgress};

/// The time after which a terminal shows the progress, and the time between renewals.
const SHOWN_AFTER: Duration = Duration::from_secs(2);
const RENEWED_AFTER: Duration = Duration::from_millis(500);
/// The time after which the engine is first asked for its progress. The time doubles up to the longest one.
const FIRST_ASKED: Duration = Duration::from_millis(1);
const LONGEST: Duration = Duration::from_millis(250);
/// The time to wait for an answer of the engine.
const ANSWER: Duration = Duration::from_millis(5);
/// Maximum number of digits of numbers for people. Longer numbers are rounded.
const MOST_DIGITS: usize = 18;
/// Minimum time between two lines.
const FASTEST: Duration = Duration::from_millis(1);

/// The option for reports of progress.
#[derive(clap::Args, Copy, Clone, Debug, Default)]
pub(crate) struct ShowProgress {
    /// Report the progress on standard error every second, or every SECONDS
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

/// The form of the progress.
#[derive(Copy, Clone, Debug)]
enum Form {
    /// One line that is renewed.
    Renewed,
    /// Separate lines.
    Lines,
    /// JSON objects.
    Json,
}

/// The progress of an engine and its form, or `None` if it is not shown.
pub(crate) struct Watched(Option<(Progress, Shown, Times)>);

/// The time until the progress is first shown, and the time between reports.
type Times = (Duration, Duration);

impl ShowProgress {
    /// Returns the progress of this engine. A terminal shows the progress of a count even without the option, unless
    /// `quiet` is true. The progress of a unit includes its number and the number of units.
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
    /// Returns a value that shows no progress.
    pub(crate) fn none() -> Watched {
        Watched(None)
    }

    /// Runs the work and shows its progress meanwhile.
    pub(crate) fn during<T>(self, work: impl FnOnce() -> T) -> T {
        let Some((progress, mut shown, times)) = self.0 else {
            return work();
        };
        thread::scope(|scope| {
            let (done, wait): (Sender<()>, Receiver<()>) = channel();
            // Without a thread, no progress is shown.
            let _watcher = thread::Builder::new()
                .spawn_scoped(scope, move || shown.watch(&progress, &wait, times));
            let result = work();
            drop(done);
            result
        })
    }
}

/// Returns whether the work is still running after some time.
fn goes_on(wait: &Receiver<()>, time: Duration) -> bool {
    matches!(wait.recv_timeout(time), Err(RecvTimeoutError::Timeout))
}

/// The contents of a line.
#[derive(Debug, Serialize)]
struct Line {
    progress: &'static str,
    /// The number of the unit, and the number of units.
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    of: Option<u32>,
    solutions: Option<Number>,
    seconds: f64,
    /// Solutions per second.
    rate: Option<f64>,
    share: Option<f64>,
    error: Option<f64>,
    /// Seconds left.
    left: Option<f64>,
}

/// The state of the display.
struct Shown {
    form: Form,
    unit: Option<(u32, u32)>,
    window: f64,
    forecast: Forecast,
    /// The number of the search that is shown, and its earliest possible start.
    search: Option<(u64, Instant)>,
    /// The last time that the progress was read.
    looked: Instant,
    /// The seconds and the number of solutions in the previous line.
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

    /// Requests and shows the progress of the work until the work has ended.
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

    /// Returns the line for a report of the engine.
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
                // Only one line can be removed: without wrapping, the terminal cuts it at the margin.
                format!("\r\x1b[K\x1b[?7l% {}\x1b[?7h", words(line))
            }
        };
        // An error of the standard error output cannot be reported.
        let _ = io::stderr().write_all(text.as_bytes());
    }

    /// Removes the line.
    fn clear(&mut self) {
        if std::mem::take(&mut self.is_there) {
            let _ = io::stderr().write_all(b"\r\x1b[K");
        }
    }
}

/// Returns the text of a line for people.
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

/// Returns the digits in groups of three. Large numbers are rounded.
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

/// Returns a time in its two largest units.
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
    fn line_fields() {
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
