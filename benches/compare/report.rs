//! The figures of a comparison: CPU seconds, peak memory, instructions, and their ratios.

use crate::json::Value;
use std::fmt::Write as _;

/// The runs of one program on one system.
#[derive(Clone, Default)]
pub(crate) struct Runs {
    /// CPU seconds, one per round; empty if a run failed or the program is not for the system.
    pub(crate) cpu: Vec<f64>,
    /// Peak memory in KiB, the largest of the rounds.
    pub(crate) peak: u64,
    /// Instructions of one run, if they were counted.
    pub(crate) instructions: Option<u64>,
    /// If the system did fewer rounds: their number, and the number to which its time is scaled up.
    pub(crate) rounds: Option<(usize, usize)>,
    /// The reason for missing figures.
    pub(crate) fault: Option<String>,
}

/// One program with its runs on every system.
pub(crate) struct Row {
    /// The name of the program.
    pub(crate) program: String,
    /// The note at its head that explains why a peer is faster.
    pub(crate) note: Option<String>,
    /// The runs, in the order of the systems.
    pub(crate) runs: Vec<Runs>,
}

/// All figures.
pub(crate) struct Report {
    /// The names of the systems; ratios are to `base`.
    pub(crate) systems: Vec<String>,
    /// The index of the system that the others are compared with.
    pub(crate) base: usize,
    /// One row per program.
    pub(crate) rows: Vec<Row>,
}

/// The median, least and greatest of some figures.
#[derive(Clone, Copy)]
pub(crate) struct Spread {
    /// The median.
    pub(crate) median: f64,
    /// The least figure.
    pub(crate) least: f64,
    /// The greatest figure.
    pub(crate) greatest: f64,
}

/// A group of programs, which the beginning of their names determines.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Group {
    /// Small whole programs.
    Programs,
    /// `anchor_`: single operations.
    Anchors,
    /// `seed_`: the programs of the documents in `programs/`.
    Documents,
    /// `linear_`: linear assumptions.
    Linear,
    /// `fd_`: constraints over integers.
    Constraints,
}

impl Group {
    /// All groups, in the order of the report.
    pub(crate) const ALL: [Group; 5] = [
        Group::Programs,
        Group::Anchors,
        Group::Documents,
        Group::Linear,
        Group::Constraints,
    ];

    /// Returns the group of the program `name`.
    pub(crate) fn of(name: &str) -> Group {
        match name.split_once('_') {
            Some(("anchor", _)) => Group::Anchors,
            Some(("seed", _)) => Group::Documents,
            Some(("linear", _)) => Group::Linear,
            Some(("fd", _)) => Group::Constraints,
            _ => Group::Programs,
        }
    }

    /// Returns the name of the group in the report.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Group::Programs => "programs",
            Group::Anchors => "anchors",
            Group::Documents => "documents",
            Group::Linear => "linear",
            Group::Constraints => "constraints",
        }
    }
}

/// Returns the spread of some figures, or `None` if there are no figures.
pub(crate) fn spread(figures: &[f64]) -> Option<Spread> {
    let mut sorted = figures.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (least, greatest) = (*sorted.first()?, *sorted.last()?);
    let middle = sorted.len() / 2;
    let median = match sorted.len() % 2 {
        0 => (sorted[middle - 1] + sorted[middle]) / 2.0,
        _ => sorted[middle],
    };
    Some(Spread {
        median,
        least,
        greatest,
    })
}

/// Formats a ratio with two decimals, or with four if it is below 0.01.
pub(crate) fn ratio_text(ratio: f64) -> String {
    match ratio < 0.01 {
        true => format!("{ratio:.4}"),
        false => format!("{ratio:.2}"),
    }
}

/// Returns the geometric mean of some ratios, or `None` if there are no ratios.
pub(crate) fn geometric_mean(ratios: &[f64]) -> Option<f64> {
    let logs: f64 = ratios.iter().map(|ratio| ratio.max(1e-6).ln()).sum();
    (!ratios.is_empty()).then(|| (logs / ratios.len() as f64).exp())
}

impl Row {
    /// Returns the spread of the ratios: the time on the system `at` in each round, divided by the time on `base` in that round.
    pub(crate) fn ratio(&self, at: usize, base: usize) -> Option<Spread> {
        let pairs = self.runs[at].cpu.iter().zip(&self.runs[base].cpu);
        let ratios: Vec<f64> = pairs.map(|(own, base)| own / base.max(1e-3)).collect();
        spread(&ratios)
    }

    /// Returns the median of the system `at` divided by the least median of all others.
    pub(crate) fn ratio_to_best(&self, at: usize) -> Option<f64> {
        let others = self.runs.iter().enumerate().filter(|&(i, _)| i != at);
        let medians = others.filter_map(|(_, runs)| Some(spread(&runs.cpu)?.median));
        let best = medians.min_by(f64::total_cmp)?;
        Some(spread(&self.runs[at].cpu)?.median / best.max(1e-3))
    }
}

impl Report {
    /// Returns the index of the system `name`.
    pub(crate) fn system(&self, name: &str) -> Option<usize> {
        self.systems.iter().position(|system| system == name)
    }

    /// Returns the figures as JSON, with a line for each program and system.
    pub(crate) fn json(&self) -> String {
        let mut text = String::from("[\n");
        let mut separator = "";
        for row in &self.rows {
            for (runs, system) in row.runs.iter().zip(&self.systems) {
                let cpu: Vec<String> = runs.cpu.iter().map(|cpu| format!("{cpu:.4}")).collect();
                let instructions = runs
                    .instructions
                    .map(|count| format!(", \"instructions\": {count}"))
                    .unwrap_or_default();
                let _ = write!(
                    text,
                    "{separator}  {{\"program\": \"{}\", \"system\": \"{system}\", \"cpu\": [{}], \
                     \"peak_kib\": {}{instructions}}}",
                    row.program,
                    cpu.join(", "),
                    runs.peak
                );
                separator = ",\n";
            }
        }
        text.push_str("\n]\n");
        text
    }

    /// Reads figures that `json` wrote.
    pub(crate) fn from_json(text: &str) -> Result<Report, String> {
        let mut report = Report {
            systems: Vec::new(),
            base: 0,
            rows: Vec::new(),
        };
        for entry in Value::parse(text)?.list()? {
            let program = entry.member("program")?.text()?;
            let system = entry.member("system")?.text()?;
            let cpu = entry.member("cpu")?.list()?;
            let runs = Runs {
                cpu: cpu.iter().map(Value::number).collect::<Result<_, _>>()?,
                peak: entry.member("peak_kib")?.number()? as u64,
                instructions: match entry.member("instructions") {
                    Ok(count) => Some(count.number()? as u64),
                    Err(_) => None,
                },
                rounds: None,
                fault: None,
            };
            let at = report.system(system).unwrap_or_else(|| {
                report.systems.push(system.to_owned());
                report.systems.len() - 1
            });
            if report.rows.last().is_none_or(|row| row.program != program) {
                report.rows.push(Row {
                    program: program.to_owned(),
                    note: None,
                    runs: Vec::new(),
                });
            }
            if let Some(row) = report.rows.last_mut() {
                let length = row.runs.len().max(at + 1);
                row.runs.resize(length, Runs::default());
                row.runs[at] = runs;
            }
        }
        let systems = report.systems.len();
        for row in &mut report.rows {
            row.runs.resize(systems, Runs::default());
        }
        report.base = report.system("swipl").unwrap_or(0);
        Ok(report)
    }
}
