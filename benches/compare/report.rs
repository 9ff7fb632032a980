//! The figures and how they are shown: CPU seconds, peak memory, ratios to the first system.

use std::fmt::Write as _;

/// The runs of one program on one system.
#[derive(Clone)]
pub(crate) struct Runs {
    /// CPU seconds, one per round; none when a run failed.
    pub(crate) cpu: Vec<f64>,
    /// Peak memory in KiB, the largest of the rounds.
    pub(crate) peak: u64,
    /// Why there are no figures.
    pub(crate) fault: Option<String>,
}

/// One program with its runs on every system.
pub(crate) struct Row {
    /// The name of the program.
    pub(crate) program: String,
    /// In the order of the systems.
    pub(crate) runs: Vec<Runs>,
}

/// All figures.
pub(crate) struct Report {
    /// The names of the systems; ratios are to `base`.
    pub(crate) systems: Vec<&'static str>,
    /// The index of the system that the others are compared with.
    pub(crate) base: usize,
    /// One row per program.
    pub(crate) rows: Vec<Row>,
}

/// Median, least and greatest of some figures.
#[derive(Clone, Copy)]
struct Spread {
    median: f64,
    least: f64,
    greatest: f64,
}

fn spread(figures: &[f64]) -> Option<Spread> {
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

/// The ratios of each round to the base's run in that round.
fn ratio(runs: &Runs, base: &Runs) -> Option<Spread> {
    let ratios: Vec<f64> = runs
        .cpu
        .iter()
        .zip(&base.cpu)
        .map(|(own, base)| own / base.max(1e-3))
        .collect();
    spread(&ratios)
}

impl Report {
    /// The report as a Markdown table, which is also what a terminal shows.
    pub(crate) fn markdown(&self) -> String {
        let mut cells = vec![self.head()];
        cells.extend(self.rows.iter().map(|row| self.cells(row)));
        cells.push(self.means());
        let columns = cells[0].len();
        let widths: Vec<usize> = (0..columns)
            .map(|at| {
                cells
                    .iter()
                    .map(|row| row[at].chars().count())
                    .max()
                    .unwrap_or(0)
            })
            .collect();
        let mut text = String::new();
        for (number, row) in cells.iter().enumerate() {
            for (cell, width) in row.iter().zip(&widths) {
                let _ = write!(text, "| {cell:width$} ");
            }
            text.push_str("|\n");
            if number == 0 {
                widths.iter().for_each(|width| {
                    let _ = write!(text, "|{}", "-".repeat(width + 2));
                });
                text.push_str("|\n");
            }
        }
        let base = self.systems[self.base];
        let _ = write!(
            text,
            "\nCPU seconds (user + system, whole process), peak memory in MiB, and the ratio to \
             {base}: median (least to greatest over the rounds). x: no figure.\n"
        );
        for row in &self.rows {
            for (runs, system) in row.runs.iter().zip(&self.systems) {
                if let Some(fault) = &runs.fault {
                    let _ = writeln!(text, "- {} on {system}: {fault}", row.program);
                }
            }
        }
        text
    }

    fn head(&self) -> Vec<String> {
        let mut head = vec!["program".to_owned()];
        for (at, system) in self.systems.iter().enumerate() {
            head.push(format!("{system} s"));
            head.push("MiB".to_owned());
            if at != self.base {
                head.push(format!("{system} ratio"));
            }
        }
        head
    }

    fn cells(&self, row: &Row) -> Vec<String> {
        let missing = || "x".to_owned();
        let mut cells = vec![row.program.clone()];
        for (at, runs) in row.runs.iter().enumerate() {
            let time = spread(&runs.cpu);
            cells.push(time.map_or_else(missing, |time| format!("{:.3}", time.median)));
            cells.push(time.map_or_else(missing, |_| format!("{:.1}", runs.peak as f64 / 1024.0)));
            if at != self.base {
                let ratio = ratio(runs, &row.runs[self.base]);
                cells.push(ratio.map_or_else(missing, |r| {
                    format!("{:.2} ({:.2}-{:.2})", r.median, r.least, r.greatest)
                }));
            }
        }
        cells
    }

    /// The last row: geometric means of the ratios over the programs that both systems ran.
    fn means(&self) -> Vec<String> {
        let mut cells = vec!["geometric mean".to_owned()];
        for at in 0..self.systems.len() {
            cells.extend([String::new(), String::new()]);
            if at == self.base {
                continue;
            }
            let logs: Vec<f64> = self
                .rows
                .iter()
                .filter_map(|row| ratio(&row.runs[at], &row.runs[self.base]))
                .map(|ratio| ratio.median.max(1e-6).ln())
                .collect();
            cells.push(match logs.len() {
                0 => "x".to_owned(),
                n => format!(
                    "{:.2} (n = {n})",
                    (logs.iter().sum::<f64>() / n as f64).exp()
                ),
            });
        }
        cells
    }

    /// The figures as JSON.
    pub(crate) fn json(&self) -> String {
        let mut text = String::from("[\n");
        let mut separator = "";
        for row in &self.rows {
            for (runs, system) in row.runs.iter().zip(&self.systems) {
                let cpu: Vec<String> = runs.cpu.iter().map(|cpu| format!("{cpu:.4}")).collect();
                let _ = write!(
                    text,
                    "{separator}  {{\"program\": \"{}\", \"system\": \"{system}\", \"cpu\": [{}], \
                     \"peak_kib\": {}}}",
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
}
