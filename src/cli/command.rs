//! The command itself: it runs the subcommand, or loads files, runs goals and shows the prompt.

use super::args::{ANSWER_DEPTH, Options, STANDARD_INPUT, print_and_status};
use super::output::show;
use super::report::{self, Place, no_engine, report_as};
use super::status::{BROKEN, FAILED, Outcome, exit_code, load_status, status_of};
use super::{compile, count, manual, merge, prompt, split, style, subcommands, test, tree};
use std::ffi::OsStr;
use std::process::ExitCode;
use wamlet::{Engine, Error, ErrorKind, Location, Term, os_of_text};

/// The name that loads the text of the standard input.
const USER: &str = "user";
/// Runs the command and returns its exit status.
pub(crate) fn run() -> ExitCode {
    wamlet::report_file_size_limit();
    let mut args = std::env::args_os().skip(1).peekable();
    match args.peek().and_then(|word| word.to_str()) {
        Some(subcommands::TEST) => return test::run(args),
        Some(subcommands::COMPILE) => return compile::run(args),
        Some(subcommands::COUNT) => return count::run(args),
        Some(subcommands::SPLIT) => return split::run(args),
        Some(subcommands::MERGE) => return merge::run(args),
        Some(subcommands::TREE) => return tree::run(args),
        Some(subcommands::MAN) => return manual::run(args, subcommands::MAN),
        Some(subcommands::COMPLETIONS) => return manual::run(args, subcommands::COMPLETIONS),
        _ => {}
    }
    let options = match Options::parse_from_args(std::env::args_os()) {
        Ok(options) => options,
        Err(error) => return print_and_status(&error),
    };
    let builder = options.limits.set(options.reading.settings());
    let builder = options
        .sandbox
        .set(builder)
        .answer_depth(ANSWER_DEPTH)
        .args(options.args.clone());
    let mut engine = match builder.build() {
        Ok(engine) => engine,
        Err(error) => return no_engine(&error),
    };
    options.sandbox.show_output(&mut engine);
    report_as(&mut engine, options.json);
    engine.colour_output(style::on_output());
    engine.explain_failures(options.explain);
    engine.print_times(options.time);
    let signals = engine.interrupt_handle();
    signals.on_termination();
    let Outcome::Exit(mut status) = work(&mut engine, &options) else {
        unreachable!("work ends")
    };
    // The goals of at_halt/1 run whatever ends the process.
    status = signals.take_halt().unwrap_or(status);
    if let Err(error) = engine.run_at_halt()
        && let Outcome::Exit(wanted) = broken(&mut engine, &error, None)
    {
        status = wanted;
    }
    if engine.output_column() > 0 && std::io::IsTerminal::is_terminal(&std::io::stdout()) {
        let _ = engine.write_output("\n");
    }
    let ended = engine.flush_output();
    let code = match ended {
        // Output of the program is lost, so the exit status must report that.
        Err(error) if status == 0 => {
            report::error(&mut engine, &error, None, Place::start(""));
            exit_code(BROKEN)
        }
        _ => exit_code(status),
    };
    engine.leave();
    code
}

/// Loads the files. Then runs the goals, the main goal of the program, or the prompt.
fn work(engine: &mut Engine, options: &Options) -> Outcome {
    if options.quiet
        && let Err(error) = engine.set_flag("verbose", &Term::atom("silent"))
    {
        return broken(engine, &error, None);
    }
    if let Some(file) = &options.listing {
        return list(engine, file);
    }
    engine.warnings_are_errors(options.strict);
    for name in &options.silenced {
        if let Err(error) = engine.silence_warning(name) {
            return broken(engine, &error, Some("--no-warn"));
        }
    }
    for folder in &options.module_folders {
        engine.add_module_folder(folder);
    }
    engine.hold_breaks(true);
    engine.hold_breaks_of_loading(Engine::session_within);
    prompt::set_editor(engine, options.lolli);
    if options.files.iter().any(|file| file == STANDARD_INPUT) {
        options.sandbox.read_queries(engine);
    }
    for file in &options.files {
        let file_name = os_of_text(file);
        let loaded = engine.consult_file(match file.as_str() {
            STANDARD_INPUT => OsStr::new(USER),
            // A file with that name.
            USER => OsStr::new("./user"),
            _ => &*file_name,
        });
        if let Err(error) = loaded {
            return broken(engine, &error, Some(file));
        }
    }
    engine.check_undefined();
    if let Outcome::Exit(status) = run_goals(engine, options) {
        return ended(engine, status);
    }
    if let Some(goal) = &options.toplevel {
        return match run_goal(engine, options, goal, "-t ") {
            Outcome::Done => ended(engine, 0),
            Outcome::Exit(status) => ended(engine, status),
        };
    }
    if !options.goals.is_empty() && !options.interactive {
        return ended(engine, 0);
    }
    if let (Some(option), false) = (&options.late_option, options.quiet) {
        let message = format!(
            "{option} after a file name is an argument of the program; put options before files"
        );
        report::warning(engine, &message);
    }
    options.sandbox.read_queries(engine);
    let interactive = prompt::is_terminal() || options.interactive;
    if options.lolli {
        return match prompt::lolli(engine, &modules(options), !options.quiet) {
            Ok(()) if interactive => Outcome::Exit(0),
            Ok(()) => ended(engine, 0),
            Err(error) => broken(engine, &error, None),
        };
    }
    let status = match prompt::run(engine, !options.quiet) {
        Outcome::Exit(status) => status,
        Outcome::Done => 0,
    };
    if interactive {
        Outcome::Exit(status)
    } else {
        ended(engine, status)
    }
}

/// Ends a run that no user watches: errors in a loaded file determine its status.
fn ended(engine: &mut Engine, status: i32) -> Outcome {
    let failed = status == 0 && engine.load_errors() > 0;
    Outcome::Exit(if failed { load_status(engine) } else { status })
}

/// Runs the goals of `-g` and those that files register for this time. Without `-g`, runs the main
/// goal of the program, which ends the program.
fn run_goals(engine: &mut Engine, options: &Options) -> Outcome {
    for goal in &options.goals {
        if let Outcome::Exit(status) = run_goal(engine, options, goal, "-g ") {
            return Outcome::Exit(status);
        }
    }
    let programs = match engine.program_goals() {
        Ok(programs) => programs,
        Err(error) => return broken(engine, &error, None),
    };
    for (goal, location) in programs {
        if let Outcome::Exit(status) = run_of_file(engine, goal, location) {
            return Outcome::Exit(status);
        }
    }
    if !options.goals.is_empty() {
        return Outcome::Done;
    }
    match engine.main_goal() {
        Ok(None) => Outcome::Done,
        Ok(Some(main)) => {
            let location = engine.main_goal_location();
            match run_of_file(engine, main, location) {
                // The goal in place of the prompt determines the status.
                Outcome::Done if options.toplevel.is_none() => Outcome::Exit(0),
                outcome => outcome,
            }
        }
        Err(error) => broken(engine, &error, None),
    }
}

/// Runs a goal of a directive in a file, once.
fn run_of_file(engine: &mut Engine, goal: Term, location: Option<Location>) -> Outcome {
    let name = engine
        .format_term(&goal)
        .unwrap_or_else(|_| "main".to_owned());
    let name = name.strip_prefix("user:").unwrap_or(&name);
    let succeeded = match engine.query_with("Goal", &[("Goal", goal)]) {
        Ok(solutions) => prompt::first(solutions),
        Err(error) => Err(error),
    };
    judge_of_file(engine, succeeded, name, location)
}

/// Runs a goal of the command line, once.
fn run_goal(engine: &mut Engine, options: &Options, goal: &str, option: &str) -> Outcome {
    // By default, the progress display does not disturb the output of the goal on the terminal.
    let watched = options.progress.of(engine, (options.json, true), None);
    let succeeded = if options.lolli {
        engine.lolli_query_in(&modules(options), goal)
    } else {
        engine.query(goal)
    };
    let succeeded = succeeded.and_then(|solutions| watched.during(|| prompt::first(solutions)));
    judge(engine, succeeded, &format!("{option}{goal}"))
}

/// Returns the modules of Lolli.
fn modules(options: &Options) -> Vec<&str> {
    options.modules.iter().map(String::as_str).collect()
}

/// Converts the result of a goal that should succeed to an outcome of the process.
fn judge(engine: &mut Engine, succeeded: Result<bool, Error>, what: &str) -> Outcome {
    match succeeded {
        Ok(true) => Outcome::Done,
        Ok(false) => {
            report::failure(engine, &format!("{what}: the goal failed"));
            Outcome::Exit(FAILED)
        }
        Err(error) => broken(engine, &error, Some(what)),
    }
}

/// Converts the result of a goal whose directive is in a file to an outcome of the process.
fn judge_of_file(
    engine: &mut Engine,
    succeeded: Result<bool, Error>,
    name: &str,
    location: Option<Location>,
) -> Outcome {
    let in_file = |error: &Error| {
        let own = matches!(error.kind(), ErrorKind::Halt(_) | ErrorKind::Interrupted);
        !own && error.location().is_none_or(|place| place.file.is_none())
    };
    let status = match &succeeded {
        Ok(true) => return Outcome::Done,
        Ok(false) => FAILED,
        Err(error) if in_file(error) => status_of(error),
        Err(_) => return judge(engine, succeeded, name),
    };
    let Some(location) = location else {
        return judge(engine, succeeded, name);
    };
    let message = match &succeeded {
        Err(error) => format!("{name}: {}", error.message()),
        Ok(_) => format!("{name}: the goal failed"),
    };
    report::directive(engine, &location, succeeded.is_err(), &message);
    Outcome::Exit(status)
}

/// Reports an error that ends the process, unless the program itself requested the end.
fn broken(engine: &mut Engine, error: &Error, what: Option<&str>) -> Outcome {
    if let ErrorKind::Halt(status) = error.kind() {
        return ended(engine, *status);
    }
    report::error(engine, error, what, Place::start("goal"));
    Outcome::Exit(status_of(error))
}

/// Lists the instructions of a file.
fn list(engine: &mut Engine, file: &str) -> Outcome {
    let text = match engine.list_instructions(file) {
        Ok(text) => text,
        Err(error) => return broken(engine, &error, Some(file)),
    };
    match show(engine, &text) {
        Ok(()) => ended(engine, 0),
        Err(error) => broken(engine, &error, None),
    }
}
