//! The limits that every command accepts.

use std::fmt::Display;
use std::str::FromStr;
use std::time::Duration;
use wamlet::EngineBuilder;

/// What the work of a command may use up.
#[derive(clap::Args, Copy, Clone, Debug, Default)]
pub(crate) struct Limits {
    /// Limit the memory for terms to SIZE: bytes, or a number with k, m or g
    #[arg(long, alias = "stack-limit", value_name = "SIZE", value_parser = size)]
    pub(crate) max_memory: Option<usize>,
    /// Limit each query and the loading of each file to SECONDS
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) timeout: Option<Duration>,
    /// Limit each query and the loading of each file to INFERENCES
    #[arg(long, value_name = "INFERENCES", value_parser = number(0, None::<u64>))]
    pub(crate) max_steps: Option<u64>,
}

impl Limits {
    /// Sets the limits for an engine.
    pub(crate) fn set(self, mut builder: EngineBuilder) -> EngineBuilder {
        if let Some(bytes) = self.max_memory {
            builder = builder.memory_limit(bytes);
        }
        if let Some(time) = self.timeout {
            builder = builder.time_limit(time);
        }
        if let Some(inferences) = self.max_steps {
            builder = builder.inference_limit(inferences);
        }
        builder
    }
}

/// Returns a parser of whole numbers from `least` up to `most`.
pub(super) fn number<T>(
    least: T,
    most: Option<T>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    T: FromStr + PartialOrd + Display + Clone + Send + Sync + 'static,
{
    move |text| {
        let number = text.parse::<T>().ok().filter(|number| *number >= least);
        let number = number.filter(|number| most.as_ref().is_none_or(|most| number <= most));
        number.ok_or_else(|| match &most {
            Some(most) => format!("expected a whole number from {least} to {most}"),
            None => "expected a whole number".to_owned(),
        })
    }
}

/// Parses a number of seconds, such as `0.5`.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    // A time beyond the range of any clock means no limit.
    let number = text.parse::<f64>().ok().filter(|number| !number.is_nan());
    let number = number.map(|number| number.min(1.0e15));
    let time = number.and_then(|number| Duration::try_from_secs_f64(number).ok());
    time.ok_or_else(|| "expected a number of seconds, such as 0.5".to_owned())
}

/// Parses a number of bytes, such as `512m`.
fn size(text: &str) -> Result<usize, String> {
    let (digits, unit) = match text.to_ascii_lowercase().chars().last() {
        Some('k') => (&text[..text.len() - 1], 1 << 10),
        Some('m') => (&text[..text.len() - 1], 1 << 20),
        Some('g') => (&text[..text.len() - 1], 1 << 30),
        _ => (text, 1),
    };
    let number = digits
        .parse::<usize>()
        .ok()
        .and_then(|number| number.checked_mul(unit));
    number.ok_or_else(|| "expected a size, such as 512m".to_owned())
}
