//! How much of a search is done, with the error of that, and how long the rest takes: from the shares that were seen so far.
//!
//! The time so far is cut into windows. If the share grows by the same amount in each, the rest takes as long as it is
//! large. The error comes from how much the windows differ: it is `share × (1 - share) × spread / √windows`, where the
//! spread is the standard deviation of the growth divided by its mean. It is not less than half of the range in which the
//! share itself lies. If the share has not grown in the second half of the time nothing is told.

/// The most windows that are kept: then each two become one.
const MOST: usize = 32;
/// From fewer windows nothing is told.
const LEAST: usize = 4;
/// A share that lies in a larger range than this says nothing.
const WIDEST: f64 = 0.25;

/// What is known of a search.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) struct Estimate {
    /// The share that is done, from 0 to 1.
    pub(super) share: f64,
    pub(super) error: f64,
    /// Seconds that are left, if the error allows to tell.
    pub(super) left: Option<f64>,
}

/// The shares that were seen.
#[derive(Debug)]
pub(super) struct Forecast {
    /// The seconds and the share at the end of each window, the beginning of the first before them.
    ends: Vec<(f64, f64)>,
    /// The length of a window in seconds, as it was asked for at first and doubled since.
    window: f64,
    /// The newest share, and half of the range in which it lies.
    newest: Option<(f64, f64, f64)>,
}

impl Forecast {
    /// Nothing is seen yet; windows of so many seconds at first.
    pub(super) fn new(window: f64) -> Forecast {
        Forecast {
            ends: vec![(0.0, 0.0)],
            window,
            newest: None,
        }
    }

    /// After so many seconds a share between these two is done.
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

    /// How much the growth in the windows differs, as a part of its mean, and by the number of windows.
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

    /// What is known now.
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
    fn a_search_that_goes_by_leaps_has_one() {
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
    fn without_growth_nothing_is_told() {
        let mut forecast = Forecast::new(1.0);
        for second in 1..=100 {
            let share = f64::from(second.min(20)) / 40.0;
            forecast.see(second.into(), (share, share));
            let told = forecast.estimate().is_some();
            assert_eq!(told, (4..40).contains(&second), "{second}");
        }
    }

    #[test]
    fn a_large_range_is_the_error_or_tells_nothing() {
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
