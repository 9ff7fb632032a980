//! Coverage: the clauses of programs that tests have entered, added up over all engines, and its reports.

use crate::api::ClauseCount;
use crate::base::json::json_text;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::fmt::Write as _;
use std::path::PathBuf;

/// The clauses of the programs of tests, and how often tests entered them. `Display` writes it in lines for people.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Coverage {
    /// The files, by name.
    pub files: Vec<CoveredFile>,
}

/// The clauses of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CoveredFile {
    /// The file: relative to the current folder if it is below it.
    pub path: String,
    /// The clauses of the file, in order.
    pub clauses: Vec<CoveredClause>,
}

/// A clause.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CoveredClause {
    /// The first line of the clause.
    pub line: usize,
    /// The predicate, as `name/arity`.
    pub predicate: String,
    /// The number of the clause among those of the predicate in this file, from 1.
    pub number: usize,
    /// How often tests entered the clause.
    pub entered: u64,
}

/// The line of a clause, its predicate, and how many clauses of that predicate begin before it in the same line.
type Place = (usize, String, usize);

/// The counts of all engines so far.
#[derive(Default)]
pub(super) struct ClauseCounts {
    files: BTreeMap<String, BTreeMap<Place, (usize, u64)>>,
    names: HashMap<String, String>,
}

impl ClauseCounts {
    /// Adds the counts of an engine.
    pub(super) fn add(&mut self, counts: Vec<ClauseCount>) {
        let mut before: HashMap<(String, usize, String), usize> = HashMap::new();
        for (at, count) in counts.into_iter().enumerate() {
            let name = self.names.entry(count.file);
            let file = name.or_insert_with_key(|name| report_name(name)).clone();
            let same = (file.clone(), count.line, count.predicate.clone());
            let same = before.entry(same).or_default();
            let place = (count.line, count.predicate, *same);
            *same += 1;
            let clauses = self.files.entry(file).or_default();
            clauses.entry(place).or_insert((at, 0)).1 += count.entered;
        }
    }

    /// Returns the coverage from all counts.
    #[expect(
        clippy::disallowed_methods,
        reason = "`run`, of the public interface, cannot fail"
    )]
    pub(super) fn coverage(self) -> Coverage {
        let mut files = Vec::new();
        for (path, clauses) in self.files {
            let mut clauses: Vec<(Place, (usize, u64))> = clauses.into_iter().collect();
            // Clauses that begin in one line stay in order.
            clauses.sort_by_key(|((line, ..), (at, _))| (*line, *at));
            let mut numbers: HashMap<String, usize> = HashMap::new();
            let clauses = clauses
                .into_iter()
                .map(|((line, predicate, _), (_, entered))| {
                    let number = numbers.entry(predicate.clone()).or_default();
                    *number += 1;
                    CoveredClause {
                        line,
                        number: *number,
                        predicate,
                        entered,
                    }
                });
            files.push(CoveredFile {
                clauses: clauses.collect(),
                path,
            });
        }
        Coverage { files }
    }
}

/// Returns the name of a file in reports. A file has one name, even if programs load it by several names.
#[expect(
    clippy::disallowed_methods,
    reason = "the host runs tests of its own files"
)]
fn report_name(name: &str) -> String {
    let path = PathBuf::from(name);
    let whole = path.canonicalize().unwrap_or(path);
    let here = std::env::current_dir().and_then(|here| here.canonicalize());
    let below = here.ok().and_then(|here| whole.strip_prefix(here).ok());
    below.unwrap_or(&whole).display().to_string()
}

/// Formats the number of entered clauses as a share of all.
fn share(entered: usize, all: usize) -> String {
    let word = if all == 1 { "clause" } else { "clauses" };
    // Rounds down, so 100 % means all clauses.
    let percent = (entered * 100).checked_div(all).unwrap_or(100);
    format!("{entered} of {all} {word} ({percent} %)")
}

impl CoveredFile {
    /// Returns the number of clauses of the file that tests entered.
    pub fn entered(&self) -> usize {
        let entered = self.clauses.iter().filter(|clause| clause.entered > 0);
        entered.count()
    }

    /// Returns for each predicate the number of its clauses, how often tests entered them, and the line of the first.
    fn predicates(&self) -> HashMap<&str, (usize, u64, usize)> {
        let mut found: HashMap<&str, (usize, u64, usize)> = HashMap::new();
        for clause in &self.clauses {
            let predicate = found.entry(&clause.predicate);
            let predicate = predicate.or_insert((0, 0, clause.line));
            predicate.0 += 1;
            predicate.1 = predicate.1.saturating_add(clause.entered);
        }
        found
    }
}

impl Coverage {
    /// Returns the number of clauses that tests entered.
    pub fn entered(&self) -> usize {
        self.files.iter().map(CoveredFile::entered).sum()
    }

    /// Returns the number of clauses.
    pub fn clauses(&self) -> usize {
        self.files.iter().map(|file| file.clauses.len()).sum()
    }

    /// Returns the coverage in the form of LCOV, which editors and services for tests read. Its lines are the first lines of
    /// clauses.
    #[expect(
        clippy::disallowed_methods,
        reason = "the public interface fixes a signature without errors"
    )]
    pub fn lcov(&self) -> String {
        let mut text = String::new();
        for file in &self.files {
            let _ = writeln!(text, "TN:\nSF:{}", file.path);
            let mut predicates: Vec<_> = file.predicates().into_iter().collect();
            predicates.sort_by_key(|&(name, (_, _, line))| (line, name));
            for (name, (_, _, line)) in &predicates {
                let _ = writeln!(text, "FN:{line},{name}");
            }
            for (name, (_, entered, _)) in &predicates {
                let _ = writeln!(text, "FNDA:{entered},{name}");
            }
            let hit = predicates
                .iter()
                .filter(|(_, (_, entered, _))| *entered > 0);
            let _ = writeln!(text, "FNF:{}\nFNH:{}", predicates.len(), hit.count());
            let mut lines: BTreeMap<usize, u64> = BTreeMap::new();
            for clause in &file.clauses {
                let line = lines.entry(clause.line).or_default();
                *line = line.saturating_add(clause.entered);
            }
            for (line, entered) in &lines {
                let _ = writeln!(text, "DA:{line},{entered}");
            }
            let hit = lines.values().filter(|&&entered| entered > 0).count();
            let _ = writeln!(text, "LF:{}\nLH:{hit}\nend_of_record", lines.len());
        }
        text
    }

    /// Returns the coverage as an object of JSON.
    #[expect(
        clippy::disallowed_methods,
        reason = "`Report::render`, of the public interface, cannot fail"
    )]
    pub(super) fn json(&self) -> String {
        let files = self.files.iter().map(|file| {
            let clauses = file.clauses.iter().map(|clause| {
                format!(
                    "{{\"line\": {}, \"predicate\": {}, \"number\": {}, \"entered\": {}}}",
                    clause.line,
                    json_text(&clause.predicate),
                    clause.number,
                    clause.entered
                )
            });
            format!(
                "{{\"file\": {}, \"clauses\": {}, \"entered\": {}, \"counts\": [\n      {}]}}",
                json_text(&file.path),
                file.clauses.len(),
                file.entered(),
                clauses.collect::<Vec<_>>().join(",\n      ")
            )
        });
        format!(
            "{{\"clauses\": {}, \"entered\": {}, \"files\": [\n    {}]}}",
            self.clauses(),
            self.entered(),
            files.collect::<Vec<_>>().join(",\n    ")
        )
    }
}

impl fmt::Display for Coverage {
    /// Writes for each file the number of entered clauses, and the clauses that tests did not enter.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for file in &self.files {
            let (path, all) = (&file.path, file.clauses.len());
            writeln!(f, "{path}: {}", share(file.entered(), all))?;
            let predicates = file.predicates();
            for clause in file.clauses.iter().filter(|clause| clause.entered == 0) {
                let (line, name) = (clause.line, &clause.predicate);
                match predicates.get(name.as_str()) {
                    Some((_, 0, _)) if clause.number > 1 => {}
                    Some((_, 0, _)) => writeln!(f, "{path}:{line}: {name} is never entered")?,
                    Some((of, ..)) => {
                        let number = clause.number;
                        writeln!(
                            f,
                            "{path}:{line}: {name} clause {number} of {of} is never entered"
                        )?;
                    }
                    None => {}
                }
            }
        }
        write!(f, "coverage: {}", share(self.entered(), self.clauses()))
    }
}
