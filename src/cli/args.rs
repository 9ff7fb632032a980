//! The command line, with SWI-Prolog's conventions: options, then files, then the program's arguments.

use super::limits::Limits;
use super::progress::ShowProgress;
use super::sandbox::Sandbox;
use super::status::{BROKEN, exit_code};
use super::subcommands;
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, ValueHint};
use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;
use strsim::damerau_levenshtein;
use wamlet::{DoubleQuotes, EngineBuilder, PROGRAM_ENDINGS, is_lolli, os_of_text, text_of_os};

/// The depth below which the prompt shows subterms as `...`.
pub(crate) const ANSWER_DEPTH: u32 = 10;
/// The file name that denotes the standard input.
pub(crate) const STANDARD_INPUT: &str = "-";

/// How programs and queries are read.
#[derive(clap::Args, Copy, Clone, Debug, Default)]
pub(crate) struct Reading {
    /// Follow ISO 13211-1 strictly: refuse extensions, and read "…" as a list of codes
    #[arg(long, conflicts_with = "traditional")]
    pub(crate) iso: bool,
    /// Read "…" as a list of codes, except in files that declare a dialect or set the flag double_quotes
    #[arg(long)]
    pub(crate) traditional: bool,
}

impl Reading {
    /// Returns the settings of an engine that reads this way.
    pub(crate) fn settings(self) -> EngineBuilder {
        let builder = EngineBuilder::default().iso(self.iso);
        match self.traditional {
            true => builder.double_quotes(DoubleQuotes::Codes),
            false => builder,
        }
    }
}

/// Load Prolog files, run goals and answer queries.
#[derive(Parser, Debug, Default)]
#[command(
    name = "wamlet",
    version,
    override_usage = "wamlet [options] [file …] [--] [arg …]\n       wamlet test [options] [path …]\n       wamlet compile [options] file\n       wamlet count [options] -g GOAL [file …]\n       wamlet split [options] -g GOAL --units UNITS [file …]\n       wamlet merge [options] [file …]\n       wamlet tree [options] -g GOAL [file …]\n       wamlet completions shell\n       wamlet man [subcommand]"
)]
#[command(after_help = "\
The first argument is a file to load, whatever its name; - is standard input. More files follow if their names \
end in .pl, .pro, .prolog, .plt, .ll or .wam (an image that wamlet compile has made). All other arguments, and all \
arguments after --, belong to the program: the flag argv.

With --lolli, or with a file that ends in .ll, Wamlet runs a Lolli prompt in the context of these modules; the goals \
of -g and -t are Lolli goals. After --lolli every argument up to -- that is not an option is a module: a name with \
its arguments, such as 'sort Less', or a file that ends in .ll. Wamlet searches for modules in the working directory, \
in the directories of -L, and in those of the environment variable WAMLET_PATH.

With --sandbox the program may use only the clock, random numbers and the standard streams. It may load files from the \
folders of the named files and their subfolders. GRANTS, separated by commas, allow more: read:DIR, write:DIR, load:DIR, \
env:NAME, process:PROG; env and process without a name allow all. With pure as the first grant, the program has only \
the grants that follow. These may then also be stdin, clock and random.

Exit status: 0 for success; 1 if a goal fails or a loaded file has errors; 2 for an exception, wrong usage or a file \
that cannot be opened; 3 if --timeout, --max-steps or --max-memory stops the work; the status of halt/1 if the \
program calls it.")]
pub(crate) struct Options {
    /// Run GOAL after the files are loaded, then exit unless -i is given; may be repeated
    #[arg(short = 'g', value_name = "GOAL", allow_hyphen_values = true, value_hint = ValueHint::Other)]
    pub(crate) goals: Vec<String>,
    /// Run GOAL instead of the prompt
    #[arg(short = 't', value_name = "GOAL", allow_hyphen_values = true, value_hint = ValueHint::Other)]
    pub(crate) toplevel: Option<String>,
    /// Start the prompt after the goals of -g
    #[arg(short = 'i')]
    pub(crate) interactive: bool,
    /// Suppress the banner and informational messages
    #[arg(short = 'q', long = "quiet")]
    pub(crate) quiet: bool,
    /// Explain why a Lolli goal failed: list unused linear assumptions and goals without an assumption
    #[arg(long)]
    pub(crate) explain: bool,
    /// Run a Lolli session in the context of the given modules
    #[arg(long)]
    pub(crate) lolli: bool,
    /// Also search DIR for Lolli modules; may be repeated
    #[arg(short = 'L', value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) module_folders: Vec<String>,
    /// Load FILE, list the instructions of its predicates, and exit
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) listing: Option<String>,
    #[command(flatten)]
    pub(crate) limits: Limits,
    #[command(flatten)]
    pub(crate) sandbox: Sandbox,
    /// Report the inferences and the time of each query at the prompt
    #[arg(long)]
    pub(crate) time: bool,
    #[command(flatten)]
    pub(crate) progress: ShowProgress,
    /// Suppress warnings named NAME (the name in brackets at the end of a warning); may be repeated
    #[arg(long = "no-warn", value_name = "NAME")]
    pub(crate) silenced: Vec<String>,
    /// Write errors and warnings to standard error as JSON, one object a line
    #[arg(long)]
    pub(crate) json: bool,
    /// Treat warnings as errors
    #[arg(long)]
    pub(crate) strict: bool,
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// Files to be loaded
    #[arg(skip)]
    pub(crate) files: Vec<String>,
    /// Modules of Lolli
    #[arg(skip)]
    pub(crate) modules: Vec<String>,
    /// The program's arguments
    #[arg(skip)]
    pub(crate) args: Vec<String>,
    /// The first of these, if it would be an option before the files
    #[arg(skip)]
    pub(crate) late_option: Option<String>,
}

impl Options {
    /// Parses the command line. The first argument is the program's name.
    ///
    /// # Errors
    /// Returns an error for wrong usage, for example if the first argument is not a file. Also returns requests
    /// for help and for the version.
    pub(crate) fn parse_from_args(
        args: impl IntoIterator<Item = OsString>,
    ) -> Result<Options, clap::Error> {
        let mut args: Vec<OsString> = args.into_iter().collect();
        let mut end = options_end(&args);
        let mut options = Options::try_parse_from(&args[..end])?;
        if options.lolli {
            end = options_first(&mut args);
            options = Options::try_parse_from(&args[..end])?;
        }
        let mut rest = args[end..].iter().map(|arg| text_of_os(arg)).peekable();
        let all = options.lolli;
        let mut first = !all;
        while let Some(file) = rest.next_if(|arg| arg != "--" && (first || all || is_program(arg)))
        {
            if std::mem::take(&mut first) && !is_program(&file) {
                check_file(&file, rest.peek())?;
                options.files.push(file);
            } else if is_lolli(&file) || !is_program(&file) {
                options.lolli = true;
                options.modules.push(file);
            } else {
                options.files.push(file);
            }
        }
        let is_plain = rest.next_if(|arg| arg == "--").is_none();
        options.args = rest.collect();
        if is_plain {
            options.late_option = late_option(&options.args);
        }
        Ok(options)
    }
}

/// Returns the first of the program's arguments if it is an option that belongs before the files.
fn late_option(args: &[String]) -> Option<String> {
    let name = OsString::from("wamlet");
    let line: Vec<OsString> = std::iter::once(name)
        .chain(args.iter().map(|arg| os_of_text(arg).into_owned()))
        .collect();
    let end = options_end(&line);
    let first = args.first()?;
    (end > 1 && Options::try_parse_from(&line[..end]).is_ok()).then(|| first.clone())
}

/// Checks that the first argument names a file or the standard input, since it does not end like a program.
fn check_file(name: &str, next: Option<&String>) -> Result<(), clap::Error> {
    let file_name = os_of_text(name);
    let path = Path::new(&*file_name);
    if name == STANDARD_INPUT || (path.exists() && !path.is_dir()) {
        return Ok(());
    }
    let mut message = match path.is_dir() {
        true => format!("{name} is a directory, but a program must be a file"),
        false => format!("{name} is neither a file nor a subcommand"),
    };
    if let Some(meant) = guess(name, next) {
        message.push_str("\n\n  tip: ");
        message.push_str(&meant);
    }
    Err(Options::command().error(ErrorKind::InvalidValue, message))
}

/// Returns a guess of what the user meant by a first argument that does not name a file.
fn guess(name: &str, next: Option<&String>) -> Option<String> {
    let near = |other: &str| damerau_levenshtein(other, name) <= 1 + name.chars().count() / 6;
    if let Some(word) = subcommands::ALL.iter().find(|word| near(word)) {
        return Some(format!("did you mean the subcommand {word}?"));
    }
    let whole = PROGRAM_ENDINGS
        .iter()
        .map(|ending| format!("{name}{ending}"));
    let whole = whole.into_iter().find(|file| Path::new(file).is_file());
    if let Some(file) = whole.or_else(|| similar_file(name, near)) {
        return Some(format!("did you mean the file {file}?"));
    }
    next.filter(|next| is_program(next))
        .map(|file| format!("load that program with wamlet {file}"))
}

/// Returns the file in the same folder with the most similar name.
fn similar_file(name: &str, near: impl Fn(&str) -> bool) -> Option<String> {
    let (folder, start) = match name.rfind('/') {
        Some(slash) => (&name[..=slash], &name[..=slash]),
        None => (".", ""),
    };
    let mut files: Vec<String> = std::fs::read_dir(folder)
        .ok()?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .map(|file| format!("{start}{file}"))
        .filter(|file| near(file) && !Path::new(file).is_dir())
        .collect();
    files.sort_unstable();
    files.into_iter().next()
}

/// Returns the options whose value is the next argument.
fn options_with_value() -> Vec<String> {
    let mut names = Vec::new();
    for option in Options::command().get_arguments() {
        if option.get_action().takes_values() && !option.is_require_equals_set() {
            let long = option.get_long_and_visible_aliases().unwrap_or_default();
            let hidden = option.get_all_aliases().unwrap_or_default();
            let short = option.get_short().map(|short| format!("-{short}"));
            names.extend(
                long.into_iter()
                    .chain(hidden)
                    .map(|long| format!("--{long}")),
            );
            names.extend(short);
        }
    }
    names
}

/// Returns the index where the options end and the files begin.
fn options_end(args: &[OsString]) -> usize {
    let with_value = options_with_value();
    let mut at = 1;
    while let Some(arg) = args.get(at).and_then(|arg| arg.to_str()) {
        if arg == "--" || arg == "-" || !arg.starts_with('-') {
            break;
        }
        at += if with_value.iter().any(|option| option == arg) {
            2
        } else {
            1
        };
    }
    at.min(args.len())
}

/// Moves the options up to `--` before the modules of Lolli. Returns the index where the modules begin.
fn options_first(args: &mut Vec<OsString>) -> usize {
    let end = args.iter().position(|arg| arg == "--");
    let rest = args.split_off(end.unwrap_or(args.len()));
    let options = options_with_value();
    let mut modules = Vec::new();
    let mut all = std::mem::take(args).into_iter();
    args.extend(all.next());
    while let Some(arg) = all.next() {
        let text = arg.to_string_lossy();
        if text == "-" || !text.starts_with('-') {
            modules.push(arg);
            continue;
        }
        let with_value = options.iter().any(|option| *option == *text);
        args.push(arg);
        if with_value {
            args.extend(all.next());
        }
    }
    let end = args.len();
    args.extend(modules);
    args.extend(rest);
    end
}

/// Returns whether the argument is a file to load, wherever it is among the first arguments.
fn is_program(arg: &str) -> bool {
    PROGRAM_ENDINGS.iter().any(|ending| arg.ends_with(ending))
}

/// Parses the arguments of a subcommand. Returns the exit status if there are no options: the message has then
/// been printed.
pub(crate) fn parsed<T: clap::Parser>(
    args: impl IntoIterator<Item = OsString>,
) -> Result<T, ExitCode> {
    T::try_parse_from(args).map_err(|error| print_and_status(&error))
}

/// Prints the help, the version or the error in the arguments. Returns the exit status.
pub(crate) fn print_and_status(error: &clap::Error) -> ExitCode {
    use std::io::Write;
    let written = error.print().and_then(|()| std::io::stdout().flush());
    match written {
        // A closed pipe is not an error: its reader needs no more output.
        Err(failure) if !error.use_stderr() && failure.kind() != std::io::ErrorKind::BrokenPipe => {
            let _ = writeln!(std::io::stderr(), "ERROR: {failure}");
            exit_code(BROKEN)
        }
        _ => exit_code(error.exit_code()),
    }
}

#[cfg(test)]
mod tests {
    use super::Options;
    use std::time::Duration;

    fn parse(line: &str) -> Options {
        let args = std::iter::once("wamlet").chain(line.split_whitespace());
        Options::parse_from_args(args.map(Into::into)).unwrap()
    }

    #[test]
    fn files_then_arguments() {
        let options = parse("-q -g main -g halt a.pl b.plt c d.pl -q");
        assert_eq!(options.goals, ["main", "halt"]);
        assert!(options.quiet && !options.lolli);
        assert_eq!(options.files, ["a.pl", "b.plt"]);
        assert_eq!(options.args, ["c", "d.pl", "-q"]);
    }

    #[test]
    fn the_first_file_may_have_any_name() {
        let options = parse("Cargo.toml a.pl Cargo.lock b.pl");
        assert_eq!(options.files, ["Cargo.toml", "a.pl"]);
        assert_eq!(options.args, ["Cargo.lock", "b.pl"]);
        assert_eq!(parse("- - a").files, ["-"]);
        assert_eq!(parse("- - a").args, ["-", "a"]);
        assert_eq!(parse("a.pl Cargo.toml").args, ["Cargo.toml"]);
    }

    #[test]
    fn a_first_argument_that_is_no_file_is_an_error() {
        let message = |line: &str| {
            let args = std::iter::once("wamlet").chain(line.split_whitespace());
            let error = Options::parse_from_args(args.map(Into::into)).unwrap_err();
            assert_eq!(error.exit_code(), 2, "{line}");
            error.to_string()
        };
        for (line, wanted) in [
            ("run x.pl", "load that program with wamlet x.pl"),
            ("-g main tests/sweep/no", "tests/sweep/no is neither a file"),
            ("tset", "the subcommand test"),
            ("cargo.toml", "the file Cargo.toml"),
            ("./Cargo.tml", "the file ./Cargo.toml"),
            ("src", "src is a directory"),
        ] {
            assert!(message(line).contains(wanted), "{}", message(line));
        }
    }

    #[test]
    fn modules_of_lolli() {
        let options = parse("a.pl b.ll c d.pl");
        assert!(options.lolli);
        assert_eq!((options.files.len(), options.args.len()), (1, 2));
        assert_eq!(options.modules, ["b.ll"]);
        let options = parse("--lolli -L x -L y b a.pl c.ll -- d");
        assert_eq!(options.module_folders, ["x", "y"]);
        assert_eq!(options.modules, ["b", "c.ll"]);
        assert_eq!(
            (options.files, options.args),
            (vec!["a.pl".into()], vec!["d".into()])
        );
    }

    #[test]
    fn options_may_follow_modules_of_lolli() {
        let options = parse("--lolli a -g b c.ll -t d -q e -- -g f");
        assert_eq!(options.modules, ["a", "c.ll", "e"]);
        assert_eq!((options.goals, options.quiet), (vec!["b".into()], true));
        assert_eq!(options.args, ["-g", "f"]);
        assert_eq!(parse("-g --lolli a.pl").goals, ["--lolli"]);
    }

    #[test]
    fn two_hyphens_end_the_files() {
        assert_eq!(parse("a.pl -- b.pl -- -x").args, ["b.pl", "--", "-x"]);
        assert_eq!(parse("-- b.pl").files, [] as [&str; 0]);
        assert_eq!(parse("a.pl -g main").args, ["-g", "main"]);
    }

    #[test]
    fn options_after_files_are_noticed() {
        let late = |line| parse(line).late_option;
        assert_eq!(late("a.pl -g main").as_deref(), Some("-g"));
        assert_eq!(late("a.ll --timeout=3 x").as_deref(), Some("--timeout=3"));
        for line in ["-g main a.pl", "a.pl -- -g main", "a.pl b -g c", "a.pl -n"] {
            assert_eq!(late(line), None, "{line}");
        }
    }

    #[test]
    fn sizes() {
        assert_eq!(parse("--stack-limit 2k").limits.max_memory, Some(2048));
        assert_eq!(parse("--stack-limit=5").limits.max_memory, Some(5));
        assert_eq!(
            parse("--max-memory 3m a.pl").limits.max_memory,
            Some(3 << 20)
        );
    }

    #[test]
    fn limits() {
        let options = parse("--timeout 0.5 --max-steps 1000 a.pl");
        assert_eq!(options.limits.timeout, Some(Duration::from_millis(500)));
        assert_eq!(options.limits.max_steps, Some(1000));
        assert_eq!(options.files, ["a.pl"]);
    }

    #[test]
    fn wrong_options_are_errors() {
        let args = ["wamlet", "--no-such"].map(Into::into);
        assert_eq!(Options::parse_from_args(args).unwrap_err().exit_code(), 2);
    }
}
