//! A comparison: rounds over programs and systems, and the report.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use crate::options::Options;
use crate::program::Program;
use crate::report::{Group, Report, Row, Runs};
use crate::system::{self, System};
use crate::{against, chart, child, document};

/// The result of a comparison.
pub(crate) struct Outcome {
    /// The report.
    pub(crate) text: String,
    /// A line for each program that became slower than in the recorded figures.
    pub(crate) slower: Vec<String>,
}

/// Reads all programs and sorts them by group and name.
pub(crate) fn programs(root: &Path) -> io::Result<Vec<Program>> {
    let mut programs = Vec::new();
    for entry in fs::read_dir(root.join("benches/programs"))? {
        programs.push(Program::read(&entry?.path())?);
    }
    programs.sort_by(|a, b| (Group::of(&a.name), &a.name).cmp(&(Group::of(&b.name), &b.name)));
    Ok(programs)
}

/// Runs the comparison. `tell` receives a line when a program has run.
pub(crate) fn run(options: &Options, tell: impl Fn(&str)) -> io::Result<Outcome> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut programs = programs(root)?;
    programs.retain(|program| options.wants(program));
    if options.list {
        let names = programs.iter().map(|program| program.name.as_str());
        return Ok(Outcome {
            text: names.collect::<Vec<_>>().join("\n"),
            slower: Vec::new(),
        });
    }
    // A missing or wrong file is reported now, not after hours of work.
    let recorded = options.against.as_deref().map(recorded).transpose()?;
    if programs.is_empty() {
        return Err(io::Error::other(
            "no program has such a name; --list lists the programs",
        ));
    }
    if !options.wamlet.is_file() {
        let path = options.wamlet.display();
        return Err(io::Error::other(format!("there is no program {path}")));
    }
    let systems = system::find(&options.wamlet, &options.systems)?;
    let folder = std::env::temp_dir().join(format!("wamlet-compare-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let position = systems.iter().position(|system| system.name == "swipl");
    let mut report = Report {
        base: position.unwrap_or(0),
        systems: systems.iter().map(|s| s.name.to_owned()).collect(),
        rows: Vec::new(),
    };
    for program in &programs {
        let row = measure(program, &systems, options, root, &folder);
        let times: Vec<String> = row
            .runs
            .iter()
            .zip(&systems)
            .map(|(runs, system)| match (runs.cpu.first(), &runs.fault) {
                (Some(cpu), _) => format!("{} {cpu:.2}", system.name),
                (None, Some(_)) => format!("{} x", system.name),
                (None, None) => format!("{} -", system.name),
            })
            .collect();
        tell(&format!("{}: {}", program.name, times.join(", ")));
        report.rows.push(row);
    }
    fs::remove_dir_all(&folder)?;
    write(&report, options)?;
    let mut text = report.markdown() + &document::faster_peers(&report);
    let slower = recorded.map_or_else(Vec::new, |old| against::slower(&old, &report));
    if !slower.is_empty() {
        text += &format!("\nCompared with the record:\n- {}\n", slower.join("\n- "));
    }
    Ok(Outcome { text, slower })
}

/// Reads the figures recorded in a file.
fn recorded(path: &Path) -> io::Result<Report> {
    let fault = |why: String| io::Error::other(format!("{}: {why}", path.display()));
    let text = fs::read_to_string(path).map_err(|error| fault(error.to_string()))?;
    Report::from_json(&text).map_err(fault)
}

/// Writes the files that the options name.
fn write(report: &Report, options: &Options) -> io::Result<()> {
    if let Some(path) = &options.markdown {
        fs::write(path, report.markdown())?;
    }
    if let Some(path) = &options.json {
        fs::write(path, report.json())?;
    }
    if let Some(path) = &options.svg {
        fs::write(path, chart::svg(report))?;
    }
    if let Some(path) = &options.document {
        let part = document::part(report, options);
        let renewed = document::renewed(&fs::read_to_string(path)?, &part);
        fs::write(path, renewed.map_err(io::Error::other)?)?;
    }
    Ok(())
}

/// Runs `program` in rounds. Each round starts with another system.
fn measure(
    program: &Program,
    systems: &[System],
    options: &Options,
    root: &Path,
    folder: &Path,
) -> Row {
    let mut runs = vec![Runs::default(); systems.len()];
    let mut checksums: Vec<Option<String>> = vec![None; systems.len()];
    for (runs, system) in runs.iter_mut().zip(systems) {
        runs.rounds = program.fewer_rounds(system.name);
    }
    let files: Vec<Option<io::Result<Files>>> = systems
        .iter()
        .map(|system| {
            program
                .is_for(system.name)
                .then(|| prepare(program, system, root, folder))
        })
        .collect();
    for round in 0..options.rounds {
        for step in 0..systems.len() {
            let at = (round + step) % systems.len();
            if runs[at].fault.is_some() {
                continue;
            }
            let result = match &files[at] {
                Some(Ok(files)) => run_whole(&systems[at], files, options.limit),
                Some(Err(error)) => Err(error.to_string()),
                None => continue,
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
    if options.instructions {
        for ((system, file), runs) in systems.iter().zip(&files).zip(&mut runs) {
            if let (None, Some(Ok(files))) = (&runs.fault, file) {
                count(system, &files.whole, options.limit, runs);
            }
        }
    }
    Row {
        program: program.name.clone(),
        note: program.note.clone(),
        runs,
    }
}

/// Removes the figures of systems with a wrong checksum. The checksum of the first peer is right.
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

/// The text of a program for one system.
struct Files {
    whole: PathBuf,
    /// If the system does fewer rounds: the text with 0 rounds, and the factor for the time of the rounds.
    scaled: Option<(PathBuf, f64)>,
}

fn prepare(program: &Program, system: &System, root: &Path, folder: &Path) -> io::Result<Files> {
    let scaled = match program.fewer_rounds(system.name) {
        Some((done, whole)) => {
            let start = prepare_text(program, system, root, folder, Some(0))?;
            Some((start, whole as f64 / done as f64))
        }
        None => None,
    };
    let whole = prepare_text(program, system, root, folder, None)?;
    Ok(Files { whole, scaled })
}

/// Writes the text for `system` to its own file, and compiles it if the system needs that.
fn prepare_text(
    program: &Program,
    system: &System,
    root: &Path,
    folder: &Path,
    rounds: Option<usize>,
) -> io::Result<PathBuf> {
    let place = folder.join(system.name.replace(' ', ""));
    fs::create_dir_all(&place)?;
    let ending = if rounds.is_some() { "_start" } else { "" };
    let file = place.join(format!("{}{ending}.pl", program.name));
    let mut text = program.write(File::create(&file)?, root, system, rounds)?;
    text.write_all(system.epilogue().as_bytes())?;
    text.flush()?;
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

/// Runs all rounds. For a slow system it runs some rounds and none, and computes the time of all rounds from both.
fn run_whole(
    system: &System,
    files: &Files,
    limit: Duration,
) -> Result<(f64, u64, String), String> {
    let (cpu, peak, checksum) = run_once(system, &files.whole, limit)?;
    let Some((start, factor)) = &files.scaled else {
        return Ok((cpu, peak, checksum));
    };
    let (start, ..) = run_once(system, start, limit)?;
    Ok((start + (cpu - start).max(0.0) * factor, peak, checksum))
}

/// Runs the program once. Returns CPU seconds, peak memory in KiB and the printed checksum.
fn run_once(system: &System, file: &Path, limit: Duration) -> Result<(f64, u64, String), String> {
    let output = file.with_extension("out");
    let errors = file.with_extension("err");
    let create = |path: &Path| File::create(path).map_err(|error| error.to_string());
    let mut command = system.command(file);
    command.current_dir(file.parent().unwrap_or(file));
    command.stdout(create(&output)?).stderr(create(&errors)?);
    let usage = child::run(&mut command, limit).map_err(|error| error.to_string())?;
    if !usage.in_time {
        return Err(format!("not done after {} s", limit.as_secs()));
    }
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

/// Counts the instructions of one run. Such a run takes many times as long as a run without counting.
fn count(system: &System, file: &Path, limit: Duration, runs: &mut Runs) {
    let Some(mut command) = system.counting(file) else {
        return;
    };
    let errors = file.with_extension("count");
    let usage = File::create(&errors).and_then(|into| {
        command.current_dir(file.parent().unwrap_or(file));
        command.stdout(Stdio::null()).stderr(into);
        child::run(&mut command, limit * 60)
    });
    runs.instructions = counted(&read(&errors));
    runs.fault = match usage {
        Err(error) => Some(format!("valgrind: {error}")),
        Ok(usage) if !usage.success || runs.instructions.is_none() => {
            Some("valgrind did not count its instructions".to_owned())
        }
        Ok(_) => None,
    };
}

/// Returns the number of instructions in the output of valgrind.
pub(crate) fn counted(output: &str) -> Option<u64> {
    let line = output.lines().find(|line| line.contains("I   refs:"))?;
    let (_, number) = line.rsplit_once(':')?;
    number.trim().replace(',', "").parse().ok()
}

fn read(path: &Path) -> String {
    String::from_utf8_lossy(&fs::read(path).unwrap_or_default()).into_owned()
}
