//! One comparison: options, rounds over programs and systems, and the report.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use crate::child;
use crate::program::Program;
use crate::report::{Report, Row, Runs};
use crate::system::{self, System};

/// What the command line asks for.
pub(crate) struct Options {
    names: Vec<String>,
    systems: Vec<String>,
    rounds: usize,
    limit: Duration,
    slow: bool,
    list: bool,
    wamlet: PathBuf,
    markdown: Option<PathBuf>,
    json: Option<PathBuf>,
}

impl Options {
    /// Reads the arguments.
    pub(crate) fn parse(arguments: impl Iterator<Item = String>) -> Result<Options, String> {
        let mut options = Options {
            names: Vec::new(),
            systems: Vec::new(),
            rounds: 3,
            limit: Duration::from_secs(60),
            slow: false,
            list: false,
            wamlet: PathBuf::from(env!("CARGO_BIN_EXE_wamlet")),
            markdown: None,
            json: None,
        };
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
                "--slow" => options.slow = true,
                "--list" => options.list = true,
                "--bench" => {} // added by cargo
                name if name.starts_with('-') => return Err(format!("unknown option {name}")),
                name => options.names.push(name.to_owned()),
            }
        }
        Ok(options)
    }

    fn wants(&self, program: &Program) -> bool {
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
    text.parse().map_err(|_| format!("not a number: {text}"))
}

/// Runs the comparison; `tell` gets a line as each program ends.
pub(crate) fn run(options: &Options, tell: impl Fn(&str)) -> io::Result<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut programs = Vec::new();
    for entry in fs::read_dir(root.join("benches/programs"))? {
        programs.push(Program::read(&entry?.path())?);
    }
    programs.retain(|program| options.wants(program));
    programs.sort_by(|a, b| a.name.cmp(&b.name));
    if options.list {
        return Ok(programs
            .iter()
            .map(|program| format!("{}\n", program.name))
            .collect());
    }
    let systems = system::find(&options.wamlet, &options.systems);
    let folder = std::env::temp_dir().join(format!("wamlet-compare-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let mut report = Report {
        base: systems
            .iter()
            .position(|system| system.name == "swipl")
            .unwrap_or(0),
        systems: systems.iter().map(|system| system.name).collect(),
        rows: Vec::new(),
    };
    for program in &programs {
        let row = measure(program, &systems, options, root, &folder);
        let times: Vec<String> = row
            .runs
            .iter()
            .zip(&systems)
            .map(|(runs, system)| match runs.cpu.first() {
                Some(cpu) => format!("{} {cpu:.2}", system.name),
                None => format!("{} x", system.name),
            })
            .collect();
        tell(&format!("{}: {}", program.name, times.join(", ")));
        report.rows.push(row);
    }
    fs::remove_dir_all(&folder)?;
    if let Some(path) = &options.markdown {
        fs::write(path, report.markdown())?;
    }
    if let Some(path) = &options.json {
        fs::write(path, report.json())?;
    }
    Ok(report.markdown())
}

/// Runs `program` in rounds, each starting with another system.
fn measure(
    program: &Program,
    systems: &[System],
    options: &Options,
    root: &Path,
    folder: &Path,
) -> Row {
    let mut runs = vec![
        Runs {
            cpu: Vec::new(),
            peak: 0,
            fault: None
        };
        systems.len()
    ];
    let mut checksums: Vec<Option<String>> = vec![None; systems.len()];
    let files: Vec<io::Result<PathBuf>> = systems
        .iter()
        .map(|system| prepare(program, system, root, folder))
        .collect();
    for round in 0..options.rounds {
        for step in 0..systems.len() {
            let at = (round + step) % systems.len();
            if runs[at].fault.is_some() {
                continue;
            }
            let result = match &files[at] {
                Ok(file) => run_once(&systems[at], file, options.limit),
                Err(error) => Err(error.to_string()),
            };
            match result {
                Ok((cpu, peak, checksum)) => {
                    runs[at].cpu.push(cpu);
                    runs[at].peak = runs[at].peak.max(peak);
                    checksums[at] = Some(checksum);
                }
                Err(fault) => {
                    runs[at].cpu.clear();
                    runs[at].fault = Some(fault);
                }
            }
        }
    }
    compare_checksums(&mut runs, &checksums);
    Row {
        program: program.name.clone(),
        runs,
    }
}

/// A system that computes something else than the first has no figure.
fn compare_checksums(runs: &mut [Runs], checksums: &[Option<String>]) {
    let right = checksums
        .iter()
        .skip(1)
        .flatten()
        .next()
        .or(checksums[0].as_ref())
        .cloned();
    for (runs, checksum) in runs.iter_mut().zip(checksums) {
        if checksum.is_some() && *checksum != right {
            runs.cpu.clear();
            runs.fault = Some(format!(
                "wrong: {}",
                checksum.as_deref().unwrap_or_default()
            ));
        }
    }
}

/// Writes the text for `system` to a file of its own and compiles it where that is a step.
fn prepare(program: &Program, system: &System, root: &Path, folder: &Path) -> io::Result<PathBuf> {
    let place = folder.join(system.name.replace(' ', ""));
    fs::create_dir_all(&place)?;
    let file = place.join(format!("{}.pl", program.name));
    let text = program.text(root, system.is_peer())? + system.epilogue();
    fs::write(&file, text)?;
    program.put_modules(root, &place)?;
    if let Some(mut command) = system.compile(&file) {
        let status = command
            .current_dir(&place)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()?;
        if !status.success() {
            return Err(io::Error::other("does not compile"));
        }
    }
    Ok(file)
}

/// One run: CPU seconds, peak memory and the checksum printed.
fn run_once(system: &System, file: &Path, limit: Duration) -> Result<(f64, u64, String), String> {
    let output = file.with_extension("out");
    let errors = file.with_extension("err");
    let create = |path: &Path| File::create(path).map_err(|error| error.to_string());
    let mut command = system.command(file);
    command.current_dir(file.parent().unwrap_or(file));
    command.stdout(create(&output)?).stderr(create(&errors)?);
    let usage = child::run(&mut command, limit).map_err(|error| error.to_string())?;
    let text = read(&output);
    let checksum = text
        .lines()
        .rev()
        .find(|line| line.starts_with("checksum("));
    match checksum {
        Some(checksum) if usage.success => Ok((usage.cpu, usage.peak, checksum.to_owned())),
        _ => {
            let said = format!("{}\n{text}", read(&errors));
            let line = said
                .lines()
                .find(|line| line.to_lowercase().contains("error"));
            let first = said.lines().find(|line| !line.trim().is_empty());
            let line = line.or(first).unwrap_or("no checksum").trim();
            Err(line.chars().take(120).collect())
        }
    }
}

fn read(path: &Path) -> String {
    String::from_utf8_lossy(&fs::read(path).unwrap_or_default()).into_owned()
}
