//! The command line of the comparison.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::program::Program;

/// The options of the command line.
pub(crate) struct Options {
    /// Parts of names: programs run if their names contain one of them. All programs run if there are none.
    names: Vec<String>,
    /// The names of the systems to compare; empty for all that are found.
    pub(crate) systems: Vec<String>,
    /// Number of runs of each program on each system.
    pub(crate) rounds: usize,
    /// Limit of real time for a run.
    pub(crate) limit: Duration,
    slow: bool,
    /// Whether to list the programs and run none.
    pub(crate) list: bool,
    /// Whether to print the usage and do nothing else.
    pub(crate) help: bool,
    /// Whether to count the instructions that Wamlet takes.
    pub(crate) instructions: bool,
    /// The executable of Wamlet.
    pub(crate) wamlet: PathBuf,
    /// The file for the table.
    pub(crate) markdown: Option<PathBuf>,
    /// The file for the figures.
    pub(crate) json: Option<PathBuf>,
    /// The file for the chart.
    pub(crate) svg: Option<PathBuf>,
    /// The document in which to renew the part between the marker lines.
    pub(crate) document: Option<PathBuf>,
    /// The file with the recorded figures for a comparison.
    pub(crate) against: Option<PathBuf>,
}

/// The text of `--help`.
pub(crate) const USAGE: &str = "\
Usage: cargo bench --bench compare -- [NAME …] [option …]
  NAME              run only programs whose names contain NAME
  --slow            also run programs that take long
  --list            list the names of the programs and run none
  --rounds N        run each program N times on each system (3)
  --limit SECONDS   limit the real time of a run (60)
  --systems A,B     compare these: wamlet, swipl, 'swipl -O', yap, gprolog, gplc, trealla, scryer
  --wamlet PATH     use this executable of Wamlet
  --instructions    count the instructions that Wamlet takes, with valgrind
  --against FILE    list programs that are slower than these figures; status 1 if there are any
  --markdown FILE   write the table
  --json FILE       write the figures
  --svg FILE        write a chart of the ratios
  --document FILE   renew the part of FILE between the marker lines
  --record          do all of this for docs/performance.{md,json,svg}: all programs, wamlet, swipl and
                    gplc, 5 rounds of at most 300 seconds, instructions";

impl Options {
    /// Reads the arguments.
    pub(crate) fn parse(arguments: impl Iterator<Item = String>) -> Result<Options, String> {
        let mut options = Options {
            names: Vec::new(),
            systems: Vec::new(),
            rounds: 0,
            limit: Duration::ZERO,
            slow: false,
            list: false,
            help: false,
            instructions: false,
            wamlet: PathBuf::from(env!("CARGO_BIN_EXE_wamlet")),
            markdown: None,
            json: None,
            svg: None,
            document: None,
            against: None,
        };
        let mut record = false;
        let mut arguments = arguments;
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or(format!("{argument} wants a value"));
            match argument.as_str() {
                "--rounds" => options.rounds = number(&value()?)?,
                "--limit" => options.limit = Duration::from_secs(number(&value()?)? as u64),
                "--systems" => options.systems = value()?.split(',').map(str::to_owned).collect(),
                "--wamlet" => options.wamlet = value()?.into(),
                "--markdown" => options.markdown = Some(value()?.into()),
                "--json" => options.json = Some(value()?.into()),
                "--svg" => options.svg = Some(value()?.into()),
                "--document" => options.document = Some(value()?.into()),
                "--against" => options.against = Some(value()?.into()),
                "--instructions" => options.instructions = true,
                "--record" => record = true,
                "--slow" => options.slow = true,
                "--list" => options.list = true,
                "--help" => options.help = true,
                "--bench" => {} // added by cargo
                name if name.starts_with('-') => return Err(format!("unknown option {name}")),
                name => options.names.push(name.to_owned()),
            }
        }
        if record {
            options.record()?;
        }
        if options.rounds == 0 {
            options.rounds = 3;
        }
        if options.limit.is_zero() {
            options.limit = Duration::from_secs(60);
        }
        Ok(options)
    }

    /// Sets the options that `--record` stands for. Options on the command line override them.
    fn record(&mut self) -> Result<(), String> {
        if !self.names.is_empty() {
            return Err("--record takes no names: the record contains all programs".to_owned());
        }
        let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
        self.slow = true;
        self.instructions = true;
        self.json.get_or_insert(docs.join("performance.json"));
        self.svg.get_or_insert(docs.join("performance.svg"));
        self.document.get_or_insert(docs.join("performance.md"));
        if self.systems.is_empty() {
            self.systems = ["wamlet", "swipl", "gplc"].map(str::to_owned).to_vec();
        }
        if self.rounds == 0 {
            self.rounds = 5;
        }
        if self.limit.is_zero() {
            self.limit = Duration::from_secs(300);
        }
        Ok(())
    }

    /// Returns whether to run `program`.
    pub(crate) fn wants(&self, program: &Program) -> bool {
        match self.names.is_empty() {
            true => self.slow || !program.slow,
            false => self
                .names
                .iter()
                .any(|name| program.name.contains(name.as_str())),
        }
    }
}

fn number(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err(format!("not a positive number: {text}")),
    }
}
