//! The report as a Markdown table, which is also what a terminal shows.

use std::fmt::Write as _;

use crate::report::{Group, Report, Row, geometric_mean, ratio_text, spread};

impl Report {
    /// Returns the table, an explanation of its columns, and the reasons for missing figures.
    pub(crate) fn markdown(&self) -> String {
        let mut cells = vec![self.head()];
        cells.extend(self.rows.iter().map(|row| self.cells(row)));
        if self.systems.len() > 1 {
            cells.extend(self.means());
        }
        let mut text = aligned(&cells);
        text.push_str("\nSeconds are CPU time (user + system) of the whole process, the median of the rounds.");
        text.push_str(" MiB is peak memory.");
        if self.systems.len() > 1 {
            let base = &self.systems[self.base];
            let _ = write!(
                text,
                " A ratio is the time divided by that of {base}: median (least-greatest of the rounds)."
            );
        }
        if self.compares_with_best() {
            text.push_str(" To best: the time of wamlet divided by that of its fastest peer.");
        }
        if self.has_instructions() {
            text.push_str(" Instructions are those of wamlet, in millions.");
        }
        text.push_str(" x: no figure. -: the program is not for this system.\n");
        text.push_str(&self.scaled());
        for row in &self.rows {
            for (runs, system) in row.runs.iter().zip(&self.systems) {
                if let Some(fault) = &runs.fault {
                    let _ = writeln!(text, "- {} on {system}: {fault}", row.program);
                }
            }
        }
        text
    }

    /// Returns a line for each system that did fewer rounds than the programs have, so its times are scaled up.
    fn scaled(&self) -> String {
        let mut lines = String::new();
        for (at, system) in self.systems.iter().enumerate() {
            let of = |row: &Row| {
                let (done, whole) = row.runs[at].rounds?;
                Some(format!("{} {done}/{whole}", row.program))
            };
            let programs: Vec<String> = self.rows.iter().filter_map(of).collect();
            if !programs.is_empty() {
                let programs = programs.join(", ");
                let _ = writeln!(
                    lines,
                    "- {system} did fewer rounds, and its time beyond that of 0 rounds is multiplied: {programs}"
                );
            }
        }
        lines
    }

    /// Returns whether Wamlet has several peers, so the table compares it with the fastest of them.
    fn compares_with_best(&self) -> bool {
        self.system("wamlet").is_some() && self.systems.len() > 2
    }

    fn has_instructions(&self) -> bool {
        let mut runs = self.rows.iter().flat_map(|row| &row.runs);
        runs.any(|runs| runs.instructions.is_some())
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
        if self.compares_with_best() {
            head.push("to best".to_owned());
        }
        if self.has_instructions() {
            head.push("instructions".to_owned());
        }
        head
    }

    fn cells(&self, row: &Row) -> Vec<String> {
        let own = self.system("wamlet").unwrap_or(0);
        let mut cells = vec![row.program.clone()];
        for (at, runs) in row.runs.iter().enumerate() {
            let missing = || if runs.fault.is_some() { "x" } else { "-" }.to_owned();
            let time = spread(&runs.cpu);
            cells.push(time.map_or_else(missing, |time| format!("{:.3}", time.median)));
            cells.push(time.map_or_else(missing, |_| format!("{:.1}", runs.peak as f64 / 1024.0)));
            if at != self.base {
                let ratio = row.ratio(at, self.base);
                cells.push(ratio.map_or_else(missing, |r| {
                    let [median, least, greatest] = [r.median, r.least, r.greatest].map(ratio_text);
                    format!("{median} ({least}-{greatest})")
                }));
            }
        }
        let missing = || "x".to_owned();
        if self.compares_with_best() {
            let ratio = row.ratio_to_best(own);
            cells.push(ratio.map_or_else(missing, ratio_text));
        }
        if self.has_instructions() {
            let count = row.runs[own].instructions;
            cells.push(count.map_or_else(missing, |count| format!("{:.1}", count as f64 / 1e6)));
        }
        cells
    }

    /// Returns the last rows: geometric means over the programs that both systems ran. Each group in the report
    /// has a row. If there are several groups, a row for all of them follows. It excludes constraints, because
    /// their ratios compare libraries.
    fn means(&self) -> Vec<Vec<String>> {
        let mut means = Vec::new();
        for group in Group::ALL {
            let of_group = |row: &&Row| Group::of(&row.program) == group;
            let rows: Vec<&Row> = self.rows.iter().filter(of_group).collect();
            if !rows.is_empty() {
                means.push(self.mean(group.name(), &rows));
            }
        }
        let engine = |row: &&Row| Group::of(&row.program) != Group::Constraints;
        let rows: Vec<&Row> = self.rows.iter().filter(engine).collect();
        match (means.len() > 1, rows.len() < self.rows.len()) {
            (true, false) => means.push(self.mean("all", &rows)),
            (true, true) => means.push(self.mean("all but constraints", &rows)),
            (false, _) => {}
        }
        means
    }

    fn mean(&self, name: &str, rows: &[&Row]) -> Vec<String> {
        let cell = |ratios: Vec<f64>| match geometric_mean(&ratios) {
            Some(mean) => format!("{} (n = {})", ratio_text(mean), ratios.len()),
            None => "-".to_owned(),
        };
        let mut cells = vec![format!("**mean, {name}**")];
        for at in 0..self.systems.len() {
            cells.extend([String::new(), String::new()]);
            if at != self.base {
                let ratios = rows.iter().filter_map(|row| row.ratio(at, self.base));
                cells.push(cell(ratios.map(|ratio| ratio.median).collect()));
            }
        }
        if self.compares_with_best() {
            let own = self.system("wamlet").unwrap_or(0);
            let ratios = rows.iter().filter_map(|row| row.ratio_to_best(own));
            cells.push(cell(ratios.collect()));
        }
        if self.has_instructions() {
            cells.push(String::new());
        }
        cells
    }
}

/// Returns the rows with aligned columns, and the line that Markdown needs under the first row.
fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |at: usize| rows.iter().map(|row| row[at].chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|at| width(at).unwrap_or(0)).collect();
    let mut text = String::new();
    for (number, row) in rows.iter().enumerate() {
        for (cell, width) in row.iter().zip(&widths) {
            let _ = write!(text, "| {cell:width$} ");
        }
        text.push_str("|\n");
        if number == 0 {
            for width in &widths {
                let _ = write!(text, "|{}", "-".repeat(width + 2));
            }
            text.push_str("|\n");
        }
    }
    text
}
