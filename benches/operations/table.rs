//! A table with the figures of two systems.

use std::collections::HashMap;
use std::fmt::Write as _;

/// An operation is slower if its time is more than this multiple of the peer's time.
const TOLERANCE: f64 = 1.05;

/// Differences below this number of nanoseconds come from the loops and do not count.
const RESOLUTION: f64 = 3.0;

/// The least time of each operation in nanoseconds, or the reason for a missing time. The order is that of the program.
#[derive(Default)]
pub(crate) struct Figures {
    names: Vec<String>,
    least: HashMap<String, Result<f64, String>>,
}

impl Figures {
    /// Adds the lines of one run: theme, name, nanoseconds.
    pub(crate) fn add(&mut self, output: &str) {
        for line in output.lines() {
            let Some((name, figure)) = line.rsplit_once('\t') else {
                continue;
            };
            let name = name.replace('\t', " ");
            let new = figure.parse::<f64>().map_err(|_| figure.to_owned());
            match self.least.get_mut(&name) {
                Some(Ok(old)) => *old = new.map_or(*old, |new| old.min(new)),
                Some(old) => *old = new,
                None => {
                    self.names.push(name.clone());
                    self.least.insert(name, new);
                }
            }
        }
    }

    /// Returns the time of the operation without the loop.
    fn own(&self, name: &str) -> Result<f64, String> {
        let missing = || Err("not there".to_owned());
        let whole = self.least.get(name).cloned().unwrap_or_else(missing)?;
        let empty = self.least.get("loop ").cloned().unwrap_or_else(missing)?;
        // Times below a tenth of a nanosecond cannot be measured.
        Ok((whole - empty).max(0.1))
    }
}

struct Row {
    name: String,
    own: f64,
    peer: f64,
}

impl Row {
    fn ratio(&self) -> f64 {
        self.own / self.peer
    }

    fn is_slower(&self) -> bool {
        self.own > self.peer * TOLERANCE && self.own - self.peer > RESOLUTION
    }
}

/// The operations, ordered by their ratio, the greatest first.
pub(crate) struct Table {
    rows: Vec<Row>,
    faults: Vec<String>,
}

impl Table {
    /// Compares the figures.
    ///
    /// # Errors
    /// Returns an error if no operation has a figure in both systems.
    pub(crate) fn of(own: &Figures, peer: &Figures) -> Result<Table, String> {
        let (mut rows, mut faults) = (Vec::new(), Vec::new());
        for name in own.names.iter().filter(|name| *name != "loop ") {
            match (own.own(name), peer.own(name)) {
                (Ok(own), Ok(peer)) => rows.push(Row {
                    name: name.clone(),
                    own,
                    peer,
                }),
                (Err(fault), _) => faults.push(format!("{name} in Wamlet: {fault}")),
                (_, Err(fault)) => faults.push(format!("{name} in SWI-Prolog: {fault}")),
            }
        }
        if rows.is_empty() {
            return Err("no operation ran in both systems".to_owned());
        }
        rows.sort_by(|a, b| b.ratio().total_cmp(&a.ratio()));
        Ok(Table { rows, faults })
    }

    /// Returns the number of operations that are slower than the peer's.
    pub(crate) fn slower(&self) -> usize {
        self.rows.iter().filter(|row| row.is_slower()).count()
    }

    /// Returns the table as Markdown.
    pub(crate) fn text(&self) -> String {
        let mut text = String::from(
            "| operation                                | Wamlet ns  | swipl -O ns | ratio |\n\
             |------------------------------------------|------------|-------------|-------|\n",
        );
        for row in &self.rows {
            let (own, peer, ratio) = (row.own, row.peer, row.ratio());
            let mark = if row.is_slower() { " slower" } else { "" };
            let name = &row.name;
            let _ = writeln!(
                text,
                "| {name:40} | {own:10.1} | {peer:11.1} | {ratio:5.2} |{mark}"
            );
        }
        let (slower, all) = (self.slower(), self.rows.len());
        let _ = write!(text, "\n{slower} of {all} operations are slower.");
        for fault in &self.faults {
            let _ = write!(text, "\n- {fault}");
        }
        text
    }
}
