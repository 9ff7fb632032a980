//! Division of a count into units, and the count of a unit.

use super::one_goal::broken;
use super::progress::{ShowProgress, Watched};
use super::report;
use super::setup::Setup;
use super::status::{BROKEN, load_status, status_of};
use super::unit_lines::{Count, Program, ResultLine, Unit, number_of};
use std::collections::HashSet;
use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;
use wamlet::{Engine, Error, ErrorKind, Term, os_of_text, text_of_os};

/// A failure that has already been reported.
pub(crate) struct Failed {
    pub(crate) status: i32,
    pub(crate) message: String,
    /// Whether the failure ends the process.
    pub(crate) ends: bool,
}

/// Runs a query about a goal of the command line and returns the value of one variable. Shows the progress of the
/// query. The goal is one of Lolli if there are modules.
///
/// # Errors
/// Returns the exception of the goal, or the error in its text.
pub(crate) fn query_value(
    engine: &mut Engine,
    (goal, modules): (&str, &[&str]),
    (query, given): (&str, &[(&str, Term)]),
    variable: &str,
    watched: Watched,
) -> Result<Term, Failed> {
    let failed = |status, error: &Error| Failed {
        status,
        message: error.to_string(),
        ends: matches!(error.kind(), ErrorKind::Halt(_) | ErrorKind::Interrupted),
    };
    // Errors in its text are reported with their places.
    let read = match modules {
        [] => engine.query(goal),
        modules => engine.lolli_query_in(modules, goal),
    };
    let read = read.map(drop);
    let opened = read.and_then(|()| {
        let mut solutions = engine.query_with(query, given)?;
        let ended = watched.during(|| solutions.advance());
        let solution = match ended {
            Ok(_) => solutions.solution()?,
            Err(_) => None,
        };
        let found = solution.and_then(|solution| solution.get(variable).cloned());
        Ok((ended, found))
    });
    let (ended, found) = opened.map_err(|error| {
        let status = broken(engine, &error, None);
        failed(status, &error)
    })?;
    if let Err(error) = ended {
        let within = error.location().is_some_and(|place| place.file.is_some());
        let ends = failed(0, &error).ends;
        if within || ends {
            let status = broken(engine, &error, None);
            return Err(failed(status, &error));
        }
        report::goal_error(engine, &error, goal);
        return Err(failed(status_of(&error), &error));
    }
    found.ok_or_else(|| {
        let message = "the goal has no number of solutions".to_owned();
        report::plain_error(engine, &message);
        Failed {
            status: BROKEN,
            message,
            ends: false,
        }
    })
}

/// Returns the goal without its full stop.
pub(crate) fn text_of_goal(goal: &str) -> &str {
    goal.trim().trim_end_matches('.')
}

/// Divides a count of a program's goal into at most `most` units.
///
/// # Errors
/// Returns the exit status after reporting the error.
pub(crate) fn divide(
    setup: &Setup,
    files: &[String],
    most: u32,
    mut count: Count,
) -> Result<(Count, Vec<Unit>), i32> {
    let mut maker = setup.engine_of_lines(count.reading)?;
    count.programs = images(&mut maker, files)?;
    drop(maker);
    // The numbers of choice points must be those of a program loaded from the image.
    let mut engine = setup.engine_of_lines(count.reading)?;
    load(&mut engine, &count).map_err(|failed| failed.status)?;
    let given = [
        ("Text", Term::string(text_of_goal(&count.goal))),
        ("Most", Term::from(i64::from(most))),
    ];
    let query = "term_string(Goal, Text), '$threads_units'(Goal, Most, Units)";
    let units = query_value(
        &mut engine,
        (&count.goal, &[]),
        (query, &given),
        "Units",
        Watched::none(),
    );
    let units = units.map_err(|failed| failed.status)?;
    let lists = units.as_list().unwrap_or_default();
    count.of = u32::try_from(lists.len()).unwrap_or(u32::MAX);
    let fingerprint = count.fingerprint();
    let numbered = (1..).zip(lists);
    let units = numbered.map(|(number, parts)| Unit::of_parts(number, fingerprint.clone(), parts));
    let Some(units) = units.collect() else {
        report::plain_error(&mut engine, "the search of the goal has no parts");
        return Err(BROKEN);
    };
    Ok((count, units))
}

/// Returns the images of these files.
fn images(engine: &mut Engine, files: &[String]) -> Result<Vec<Program>, i32> {
    let mut programs = Vec::new();
    let mut names = HashSet::new();
    for file in files {
        let name = os_of_text(file);
        let made = engine.compile_file_to_bytes(&*name);
        let (_, image) =
            made.map_err(|error| broken(engine, &error, report::ended_load(&error, file)))?;
        let stem = Path::new(&*name).file_stem().unwrap_or_default();
        let stem = text_of_os(stem);
        let numbered = (2..).map(|number| format!("{stem}-{number}.wam"));
        let mut name = std::iter::once(format!("{stem}.wam")).chain(numbered);
        let name = name.find(|name| !names.contains(name)).unwrap_or_default();
        names.insert(name.clone());
        programs.extend(image.map(|image| Program { name, image }));
    }
    engine.check_undefined();
    if engine.load_errors() > 0 {
        let message = "there are errors in the program; Wamlet counted nothing";
        report::plain_error(engine, message);
        return Err(load_status(engine));
    }
    Ok(programs)
}

/// Loads the programs of a count.
fn load(engine: &mut Engine, count: &Count) -> Result<(), Failed> {
    for program in &count.programs {
        let loaded = engine.consult_image(&program.name, program.image.as_slice());
        let what = match loaded {
            Ok(report) if report.errors.is_empty() => continue,
            Ok(_) => {
                let message = format!("{}: there are errors in the program", program.name);
                report::plain_error(engine, &message);
                (load_status(engine), message, false)
            }
            Err(error) => {
                let what = report::ended_load(&error, &program.name);
                let status = broken(engine, &error, what);
                let ends = matches!(error.kind(), ErrorKind::Halt(_) | ErrorKind::Interrupted);
                (status, error.to_string(), ends)
            }
        };
        let (status, message, ends) = what;
        return Err(Failed {
            status,
            message,
            ends,
        });
    }
    Ok(())
}

/// A counter of units. It reuses the engine of the last unit if both belong to the same count.
pub(crate) struct Counter<'a> {
    setup: &'a Setup,
    threads: u32,
    /// The option for the progress, and whether the count is quiet without it.
    progress: (ShowProgress, bool),
    engine: Option<(String, Engine)>,
}

impl<'a> Counter<'a> {
    pub(crate) fn new(
        setup: &'a Setup,
        threads: u32,
        progress: (ShowProgress, bool),
    ) -> Counter<'a> {
        Counter {
            setup,
            threads,
            progress,
            engine: None,
        }
    }

    /// Returns the engine with the programs of a unit.
    fn engine(&mut self, unit: &Unit, count: &Count) -> Result<&mut Engine, Failed> {
        let known = self.engine.take();
        let known = known.filter(|(fingerprint, _)| *fingerprint == unit.fingerprint);
        let (fingerprint, engine) = match known {
            Some(known) => known,
            None => {
                let made = self.setup.engine_of_lines(count.reading);
                let mut engine = made.map_err(|status| Failed {
                    status,
                    message: "there is no engine".to_owned(),
                    ends: true,
                })?;
                load(&mut engine, count)?;
                (unit.fingerprint.clone(), engine)
            }
        };
        Ok(&mut self.engine.insert((fingerprint, engine)).1)
    }

    /// Counts a unit and writes the line of its result. Returns the exit status.
    ///
    /// # Errors
    /// Returns the exit status if the process ends.
    pub(crate) fn count(&mut self, unit: &Unit, count: &Count) -> Result<i32, i32> {
        let start = Instant::now();
        let (threads, json) = (self.threads, self.setup.json);
        let (show, quiet) = self.progress;
        let counted = self.engine(unit, count).and_then(|engine| {
            let given = [
                ("Text", Term::string(text_of_goal(&count.goal))),
                ("Parts", unit.parts()),
                ("Threads", Term::from(i64::from(threads))),
            ];
            let query = "term_string(Goal, Text), '$threads_count'(Goal, Parts, Threads, Count)";
            let number = Some((unit.number, count.of));
            let watched = show.of(engine, (json, quiet), number);
            query_value(
                engine,
                (&count.goal, &[]),
                (query, &given),
                "Count",
                watched,
            )
        });
        let mut line = ResultLine {
            unit: unit.number,
            of: count.of,
            fingerprint: unit.fingerprint.clone(),
            count: None,
            error: None,
            seconds: (start.elapsed().as_secs_f64() * 1e6).round() / 1e6,
        };
        let status = match counted {
            Ok(found) => {
                line.count = number_of(&found);
                0
            }
            Err(failed) if failed.ends => return Err(failed.status),
            Err(failed) => {
                line.error = Some(failed.message);
                failed.status
            }
        };
        match line.line() {
            Ok(line) => write_line(&line).map(|()| status),
            Err(error) => Err(report_error(&error)),
        }
    }
}

/// Writes a line to the standard output and flushes it.
///
/// # Errors
/// Returns the exit status if the write fails. The status is 0 if the reader has closed the pipe.
pub(crate) fn write_line(line: &str) -> Result<(), i32> {
    let mut out = std::io::stdout().lock();
    let written = out
        .write_all(line.as_bytes())
        .and_then(|()| out.write_all(b"\n"))
        .and_then(|()| out.flush());
    written.map_err(|error| match error.kind() {
        // A closed pipe is not an error: its reader needs no more output.
        io::ErrorKind::BrokenPipe => 0,
        _ => report_error(&error.to_string()),
    })
}

/// Reports an error without an engine. Returns the exit status.
pub(crate) fn report_error(message: &str) -> i32 {
    let _ = writeln!(std::io::stderr(), "ERROR: {message}");
    BROKEN
}
