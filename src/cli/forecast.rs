//! The forecast of a search: an estimate of the completed share with its error, and of the remaining time.
//!
//! The time so far is divided into windows. If the share grows evenly, the remaining time is proportional to the
//! remaining share. The error is `share × (1 - share) × spread / √windows`, where the spread is the standard deviation
//! of the growth in the windows divided by its mean. The error is at least half of the range in which the share itself
//! lies. If the share has not grown in the second half of the time, there is no estimate.

/// Maximum number of windows. Beyond it, every two windows are merged.
const MOST: usize = 32;
/// Minimum number of windows for an estimate.
const LEAST: usize = 4;
/// Maximum range of a share. A share in a larger range is not used.
const WIDEST: f64 = 0.25;

/// The estimate for a search.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) struct Estimate {
    /// The completed share, from 0 to 1.
    pub(super) share: f64,
    pub(super) error: f64,
    /// Seconds left, if the error is small enough for an estimate.
    pub(super) left: Option<f64>,
}

/// The observed shares.
#[derive(Debug)]
pub(super) struct Forecast {
    /// The seconds and the share at the end of each window, after those at the beginning of the first one.
    ends: Vec<(f64, f64)>,
    /// The length of a window in seconds: the initial length, doubled at each merge.
    window: f64,
    /// The seconds and the newest share, with half of the range in which the share lies.
    newest: Option<(f64, f64, f64)>,
}

impl Forecast {
    /// Returns a forecast without observations. `window` is the initial length of a window in seconds.
    pub(super) fn new(window: f64) -> Forecast {
        Forecast {
            ends: vec![(0.0, 0.0)],
            window,
            newest: None,
        }
    }

    /// Records that a share between `least` and `most` is completed after `seconds`.
    pub(super) fn see(&mut self, seconds: f64, (least, most): (f64, f64)) {
        self.newest = None;
        if most - least > WIDEST {
            return;
        }
        let share = f64::midpoint(least, most);
        self.newest = Some((seconds, share, (most - least) / 2.0));
        let begun = self.ends.last().map_or(0.0, |end| end.0);
        if seconds - begun < self.window {
            return;
        }
        self.ends.push((seconds, share));
        if self.ends.len() > MOST {
            let mut place = 0;
            self.ends.retain(|_| {
                place += 1;
                place % 2 == 1
            });
            self.window *= 2.0;
        }
    }

    /// Returns the standard deviation of the growth in the windows, divided by its mean and by the square root of the
    /// number of windows.
    fn spread(&self) -> Option<f64> {
        let rates = self.ends.windows(2);
        let rates = rates.map(|pair| (pair[1].1 - pair[0].1) / (pair[1].0 - pair[0].0));
        let rates: Vec<f64> = rates.collect();
        let (_, late) = rates.split_at(rates.len() / 2);
        let count = rates.len() as f64;
        if rates.len() < LEAST || late.iter().sum::<f64>() <= 0.0 {
            return None;
        }
        let mean = rates.iter().sum::<f64>() / count;
        let squares: f64 = rates.iter().map(|rate| (rate - mean).powi(2)).sum();
        let deviation = (squares / (count - 1.0)).sqrt();
        (mean > 0.0).then(|| deviation / mean / count.sqrt())
    }

    /// Returns the present estimate, if there is one.
    pub(super) fn estimate(&self) -> Option<Estimate> {
        let (seconds, share, range) = self.newest?;
        let error = (share * (1.0 - share) * self.spread()?).max(range).min(1.0);
        let left = seconds * (1.0 - share) / share;
        Some(Estimate {
            share,
            error,
            left: (share > error).then_some(left),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Forecast;

    #[test]
    fn a_steady_search_has_no_error() {
        let mut forecast = Forecast::new(1.0);
        assert_eq!(forecast.estimate(), None);
        for second in 1..=100 {
            let share = f64::from(second) / 200.0;
            forecast.see(second.into(), (share, share));
        }
        let estimate = forecast.estimate().unwrap();
        assert_eq!(estimate.share, 0.5);
        assert!(estimate.error < 1e-9, "{estimate:?}");
        assert!((estimate.left.unwrap() - 100.0).abs() < 1e-6);
        assert!(forecast.ends.len() <= super::MOST);
    }

    #[test]
    fn steep_growth_gives_a_forecast() {
        let mut forecast = Forecast::new(1.0);
        for second in 1..=16 {
            let share = f64::from(second / 4) / 16.0;
            forecast.see(second.into(), (share, share));
        }
        // The growth is 0, 0, 0, 1, …: its standard deviation is √3/2 · √(16/15) of 1, its mean 1/4.
        let spread = (0.75 * 0.25 * 16.0 / 15.0_f64).sqrt() / 0.25 / 4.0;
        let estimate = forecast.estimate().unwrap();
        assert!((estimate.error - 0.25 * 0.75 * spread).abs() < 1e-9);
        assert!((estimate.left.unwrap() - 48.0).abs() < 1e-9);
    }

    #[test]
    fn no_estimate_without_growth() {
        let mut forecast = Forecast::new(1.0);
        for second in 1..=100 {
            let share = f64::from(second.min(20)) / 40.0;
            forecast.see(second.into(), (share, share));
            let estimated = forecast.estimate().is_some();
            assert_eq!(estimated, (4..40).contains(&second), "{second}");
        }
    }

    #[test]
    fn large_ranges() {
        let mut forecast = Forecast::new(1.0);
        for second in 1..=10 {
            let share = f64::from(second) / 20.0;
            forecast.see(second.into(), (share - 0.05, share + 0.05));
        }
        let estimate = forecast.estimate().unwrap();
        assert!((estimate.error - 0.05).abs() < 1e-9, "{estimate:?}");
        forecast.see(11.0, (0.3, 0.7));
        assert_eq!(forecast.estimate(), None);
    }
}
