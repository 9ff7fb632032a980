//! The command line of the comparison.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::program::Program;

/// What the command line asks for.
pub(crate) struct Options {
    /// Programs whose names contain one of these run, or all.
    names: Vec<String>,
    /// The systems by name, or those found.
    pub(crate) systems: Vec<String>,
    /// How often each program runs on each system.
    pub(crate) rounds: usize,
    /// Real time that a run may take.
    pub(crate) limit: Duration,
    slow: bool,
    /// Whether the programs are listed and none is run.
    pub(crate) list: bool,
    /// Whether the usage is shown and nothing is done.
    pub(crate) help: bool,
    /// Whether the instructions that Wamlet takes are counted.
    pub(crate) instructions: bool,
    /// The executable of Wamlet.
    pub(crate) wamlet: PathBuf,
    /// Where the table goes.
    pub(crate) markdown: Option<PathBuf>,
    /// Where the figures go.
    pub(crate) json: Option<PathBuf>,
    /// Where the chart goes.
    pub(crate) svg: Option<PathBuf>,
    /// The document whose part between the marker lines is renewed.
    pub(crate) document: Option<PathBuf>,
    /// The figures to compare with.
    pub(crate) against: Option<PathBuf>,
}

/// The usage.
pub(crate) const USAGE: &str = "\
Usage: cargo bench --bench compare -- [NAME …] [option …]
  NAME              only programs whose names contain it
  --slow            also programs that take long
  --list            the names of the programs, nothing is run
  --rounds N        runs of each program on each system (3)
  --limit SECONDS   real time that a run may take (60)
  --systems A,B     wamlet, swipl, 'swipl -O', yap, gprolog, gplc, trealla, scryer
  --wamlet PATH     the executable of Wamlet
  --instructions    counts the instructions that Wamlet takes, with valgrind
  --against FILE    tells which programs are slower than by these figures; status 1 if any is
  --markdown FILE   writes the table
  --json FILE       writes the figures
  --svg FILE        writes a chart of the ratios
  --document FILE   renews the part of it between the marker lines
  --record          all of that for docs/performance.{md,json,svg}: all programs, wamlet, swipl and
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

    /// What `--record` stands for, as far as nothing else was said.
    fn record(&mut self) -> Result<(), String> {
        if !self.names.is_empty() {
            return Err("the record is of all programs: --record takes no names".to_owned());
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

    /// Whether `program` is to run.
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
