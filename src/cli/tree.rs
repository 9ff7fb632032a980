//! `wamlet tree`: the search tree of a query, or the proofs of its answers.

use super::args::parsed;
use super::limits::number;
use super::one_goal::{broken, load};
use super::output::show;
use super::report;
use super::setup::Setup;
use super::status::{BROKEN, LIMIT_REACHED, exit_code, status_of};
use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Command, CommandFactory, Parser};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use wamlet::testing::USUAL_STEPS;
use wamlet::{
    Engine, Error, ErrorKind, Location, Message, MessageKind, Severity, Term, text_of_os,
};

/// Draw the search tree of a small query: every goal, the clauses it tries and their bindings. With
/// --proof draw the proofs of its answers.
#[derive(Parser, Debug)]
#[command(
    name = "wamlet tree",
    override_usage = "wamlet tree [options] -g GOAL [file …]"
)]
#[command(after_help = "\
The tree follows goals of the files' own predicates and control constructs. Builtins and library predicates appear as \
one call with a branch for each solution. For Lolli, and for Prolog with library(linear), each goal is shown with the \
linear assumptions that it may use.

Without --max-steps the search may use 100,000,000 inferences, including those for drawing.

Exit status: 0 for success; 1 for errors in the files: Wamlet draws no tree then; 2 if the goal raises an exception \
or ends the process, for a syntax error, wrong usage or a file that cannot be read or written; 3 if --max-nodes ends \
the tree, or --timeout, --max-steps or --max-memory stops the work.")]
struct Options {
    /// Draw the search of GOAL
    #[arg(short = 'g', value_name = "GOAL", allow_hyphen_values = true)]
    goal: String,
    /// Write the tree to FILE, a name that ends in .svg, .html or .txt; by default as text to
    /// standard output
    #[arg(short = 'o', value_name = "FILE")]
    output: Option<PathBuf>,
    /// Stop the tree after NUMBER nodes
    #[arg(long, value_name = "NUMBER", default_value_t = 1000, value_parser = number(0, None::<u32>))]
    max_nodes: u32,
    #[command(flatten)]
    setup: Setup,
    /// Draw the proof of each answer instead of the search: each goal with the clause that proves it, or the linear assumptions that it consumes. Only for Prolog queries
    #[arg(long, conflicts_with = "lolli")]
    proof: bool,
    /// Read GOAL as a Lolli query; this is the default if a file is a Lolli module
    #[arg(long)]
    lolli: bool,
    /// Load these programs, or Lolli modules (.ll, the first one outermost)
    #[arg(value_name = "FILE", value_parser = OsStringValueParser::new().map(|name| text_of_os(&name)))]
    files: Vec<String>,
}

/// Returns the definition of the arguments.
pub(super) fn command() -> Command {
    Options::command()
}

/// Runs the command. `args` begins with the name of the subcommand.
pub(crate) fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let mut options: Options = match parsed(args) {
        Ok(options) => options,
        Err(status) => return status,
    };
    options.setup.limits.max_steps.get_or_insert(USUAL_STEPS);
    let mut engine = match options.setup.engine_or_status() {
        Ok(engine) => engine,
        Err(status) => return status,
    };
    let drawn = draw(&mut engine, &options);
    exit_code(drawn.unwrap_or_else(|error| broken(&mut engine, &error, None)))
}

/// Returns the form of the tree, which depends on the ending of its file's name.
fn form(options: &Options) -> Option<&'static str> {
    let Some(output) = &options.output else {
        return Some("text");
    };
    match output.extension()?.to_str()? {
        "svg" => Some("svg"),
        "html" | "htm" => Some("html"),
        "txt" => Some("text"),
        _ => None,
    }
}

/// Draws the tree and returns the exit status.
fn draw(engine: &mut Engine, options: &Options) -> Result<i32, Error> {
    let Some(form) = form(options) else {
        let message = "the name of the file of a tree must end in .svg, .html or .txt";
        report::plain_error(engine, message);
        return Ok(BROKEN);
    };
    if let Some(status) = load(engine, &options.files, "Wamlet drew no tree") {
        return Ok(status);
    }
    let files = options.files.iter().map(String::as_str);
    let modules: Vec<&str> = files.filter(|file| wamlet::is_lolli(file)).collect();
    let lolli = options.lolli || !modules.is_empty();
    if lolli && options.proof {
        let message = "--proof is only for Prolog goals; the search tree of a Lolli goal shows what it consumes";
        report::plain_error(engine, message);
        return Ok(BROKEN);
    }
    // Errors in its text are reported with their places.
    if lolli {
        drop(engine.lolli_query_in(&modules, &options.goal)?);
    } else {
        drop(engine.query(&options.goal)?);
    }
    let mut given = vec![
        ("Goal", Term::string(options.goal.as_str())),
        ("Form", Term::atom(form)),
        ("Nodes", Term::from(i64::from(options.max_nodes))),
    ];
    let mut goal = match options.proof {
        true => "proof_tree:tree_of_proofs(Goal, Form, Nodes, Text, Whole)",
        false => "search_tree:tree_of_prolog(Goal, Form, Nodes, Text, Whole)",
    };
    if lolli {
        let modules = modules.into_iter().map(Term::atom).collect();
        given.push(("Modules", Term::list(modules)));
        goal = "search_tree:tree_of_lolli(Modules, Goal, Form, Nodes, Text, Whole)";
    }
    let mut solutions = engine.query_with(goal, &given)?;
    let ended = solutions.advance();
    if let Err(error) = ended {
        drop(solutions);
        return Ok(unfinished(engine, &options.goal, &error));
    }
    let (text, whole) = (solutions.get("Text"), solutions.get("Whole"));
    drop(solutions);
    let text = text.as_ref().and_then(Term::as_text).unwrap_or_default();
    match &options.output {
        Some(output) => {
            if let Err(error) = wamlet::replace_file(output, text.as_bytes()) {
                report::plain_error(
                    engine,
                    &format!("{}: {}", output.display(), report::io_text(&error)),
                );
                return Ok(BROKEN);
            }
        }
        None => show(engine, text)?,
    }
    engine.flush_output()?;
    if let Some(Term::Compound(raised)) = &whole
        && let [message, ball, place] = raised.args()
    {
        let words = if lolli { message.as_text() } else { None };
        let location = location(place).unwrap_or_else(|| report::of_goal(&options.goal));
        return Ok(report_exception(engine, location, words, ball));
    }
    Ok(match whole {
        Some(whole) if whole == Term::atom("true") => 0,
        _ => LIMIT_REACHED,
    })
}

/// Reports the exception that ended the tree at this location. `words` replaces the usual message. Returns the exit
/// status.
fn report_exception(
    engine: &mut Engine,
    location: Location,
    words: Option<&str>,
    ball: &Term,
) -> i32 {
    let throw = Term::compound("throw", vec![ball.clone()]);
    let raised = engine.query_with("Goal", &[("Goal", throw)]);
    let Err(error) = raised.and_then(|mut solutions| solutions.advance().map(|_| ())) else {
        return BROKEN;
    };
    let message = match words {
        None => engine.message_of(&error, None, (report::GOAL.name, report::GOAL.line)),
        Some(words) => Message::new(Severity::Error, MessageKind::Exception, words)
            .with_term(error.ball_text()),
    };
    engine.show_message(&message.at(location));
    status_of(&error)
}

/// Reports the error that ended the search before there was a tree, and returns the exit status.
fn unfinished(engine: &mut Engine, goal: &str, error: &Error) -> i32 {
    match (error.kind(), error.location()) {
        (ErrorKind::Halt(_), _) => {
            report::plain_error(engine, "the goal ends the process; Wamlet drew no tree");
            BROKEN
        }
        (ErrorKind::Interrupted, _) => broken(engine, error, None),
        // A location outside a file belongs to the code that draws the tree.
        (_, location) if location.is_none_or(|place| place.file.is_none()) => {
            report::goal_error(engine, error, goal);
            status_of(error)
        }
        _ => broken(engine, error, None),
    }
}

/// Returns the location in a term: the goal of a clause.
fn location(place: &Term) -> Option<Location> {
    let [file, line, column, source_line, from, to] = place.as_compound()?.args() else {
        return None;
    };
    let number = |term: &Term| usize::try_from(term.as_integer()?).ok();
    Some(Location {
        file: Some(file.as_text()?.into()),
        line: number(line)?,
        column: number(column)?,
        span: number(from)?..number(to)?,
        source_line: source_line.as_text()?.to_owned(),
    })
}
