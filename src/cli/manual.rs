//! `wamlet man` and `wamlet completions`: the texts for `man` and for shells, made from the definitions of
//! the arguments.

use super::args::{Options, print_and_status};
use super::status::{BROKEN, exit_code};
use super::subcommands::{self, COMPILE, COMPLETIONS, COUNT, MAN, MERGE, SPLIT, TEST, TREE};
use super::{compile, count, merge, split, test, tree};
use clap::builder::PossibleValue;
use clap::{Command, CommandFactory, Parser};
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

/// The environment variables that the command uses, with their purpose.
const ENVIRONMENT: [(&str, &str); 7] = [
    (
        "WAMLET_PATH",
        "Directories with Lolli modules, searched after those of -L; separated as in PATH.",
    ),
    ("NO_COLOR", "Disables colours if it is set and not empty."),
    (
        "XDG_STATE_HOME",
        "Directory for the history of the prompt, in wamlet/; ~/.local/state by default.",
    ),
    (
        "HOME",
        "Home directory, for the history and for file names that begin with ~.",
    ),
    ("VISUAL", "Editor that edit/1 opens."),
    (
        "EDITOR",
        "Editor that edit/1 opens if VISUAL is not set; vi by default.",
    ),
    (
        "CI",
        "If it is set, wamlet test writes no answers, and tests without an answer fail.",
    ),
];

/// The text that offers only subcommands in the script for zsh, and its replacement.
const ZSH_COMMANDS: &str = "\":: :_wamlet_commands\"";
const ZSH_COMMANDS_AND_FILES: &str = "\":: :{_wamlet_commands; _files}\"";
/// The end of the arguments in the script for zsh: after a file there may be more files.
const ZSH_CASES: &str = "        esac\n    ;;\nesac\n}\n";
const ZSH_CASES_WITH_FILES: &str =
    "            (*)\n_files && ret=0\n;;\n        esac\n    ;;\nesac\n}\n";
/// The text that offers only subcommands in the script for fish, and its replacement.
const FISH_COMMAND: &str = "__fish_wamlet_needs_command\" -f -a";
const FISH_COMMAND_OR_FILE: &str = "__fish_wamlet_needs_command\" -a";

/// Write a manual page for man, in roff.
#[derive(Parser, Debug)]
#[command(name = "wamlet man", override_usage = "wamlet man [subcommand]")]
#[command(after_help = "\
wamlet man > wamlet.1 writes the page of the command, wamlet man test > wamlet-test.1 the page of a subcommand. Put \
the pages into a man1 directory that man searches. man ./wamlet.1 shows a page from any directory.")]
struct Page {
    /// Write the page of this subcommand; by default the page of wamlet itself
    #[arg(value_name = "SUBCOMMAND", value_parser = subcommands::ALL)]
    subcommand: Option<String>,
}

/// Write a completion script for a shell.
#[derive(Parser, Debug)]
#[command(
    name = "wamlet completions",
    override_usage = "wamlet completions shell"
)]
#[command(after_help = "\
bash: wamlet completions bash > ~/.local/share/bash-completion/completions/wamlet
zsh: wamlet completions zsh > _wamlet, in a directory of $fpath
fish: wamlet completions fish > ~/.config/fish/completions/wamlet.fish")]
struct Script {
    /// Write the script for this shell
    #[arg(value_name = "SHELL", value_enum)]
    shell: Shell,
}

/// Returns the definition of the command with its subcommands. Elsewhere the command finds its subcommand
/// before clap runs.
fn whole() -> Command {
    let mut whole = Options::command();
    for word in subcommands::ALL {
        whole = whole.subcommand(subcommand(word).name(word));
    }
    whole
}

/// Returns the definition of a subcommand.
fn subcommand(word: &str) -> Command {
    match word {
        TEST => test::command(),
        COMPILE => compile::command(),
        COUNT => count::command(),
        SPLIT => split::command(),
        MERGE => merge::command(),
        TREE => tree::command(),
        COMPLETIONS => Script::command(),
        _ => Page::command(),
    }
}

/// Returns the manual page of a subcommand, or of the command itself.
fn page(about: Option<&str>) -> io::Result<Vec<u8>> {
    let command = match about {
        None => whole().bin_name("wamlet"),
        Some(word) => subcommand(word)
            .display_name(format!("wamlet-{word}"))
            .bin_name(format!("wamlet {word}"))
            .version(env!("CARGO_PKG_VERSION")),
    };
    let notes = command.get_after_help().map(ToString::to_string);
    let notes = notes.unwrap_or_default();
    let mut text = Vec::new();
    let man = Man::new(command.disable_help_subcommand(true));
    man.render_title(&mut text)?;
    man.render_name_section(&mut text)?;
    man.render_synopsis_section(&mut text)?;
    man.render_description_section(&mut text)?;
    man.render_options_section(&mut text)?;
    if about.is_none() {
        man.render_subcommands_section(&mut text)?;
    }
    let mut roff = Roff::new();
    roff.control("SH", ["NOTES"]);
    for paragraph in notes.split("\n\n") {
        roff.control("PP", []);
        roff.text([roman(paragraph)]);
    }
    if about.is_none() {
        roff.control("SH", ["ENVIRONMENT"]);
        for (name, use_of_it) in ENVIRONMENT {
            roff.control("TP", []);
            roff.text([bold(name)]);
            roff.text([roman(use_of_it)]);
        }
    }
    roff.to_writer(&mut text)?;
    man.render_version_section(&mut text)?;
    Ok(text)
}

/// Returns the completion script for a shell. The script offers files in addition to subcommands. That of
/// bash does this by default.
fn script(shell: Shell) -> String {
    let mut text = Vec::new();
    let mut command = whole().disable_help_subcommand(true);
    clap_complete::generate(shell, &mut command, "wamlet", &mut text);
    let text = String::from_utf8_lossy(&text);
    match shell {
        Shell::Zsh => text.replace(ZSH_COMMANDS, ZSH_COMMANDS_AND_FILES).replacen(
            ZSH_CASES,
            ZSH_CASES_WITH_FILES,
            1,
        ),
        Shell::Fish => text.replace(FISH_COMMAND, FISH_COMMAND_OR_FILE) + &fish_values(&command),
        _ => text.into_owned(),
    }
}

/// Returns lines for fish with the values of positional arguments, which its script otherwise lacks.
fn fish_values(whole: &Command) -> String {
    let mut lines = String::new();
    for command in whole.get_subcommands() {
        for argument in command.get_positionals() {
            let values = argument.get_possible_values();
            let names: Vec<&str> = values.iter().map(PossibleValue::get_name).collect();
            if !names.is_empty() {
                let (word, names) = (command.get_name(), names.join(" "));
                lines.push_str(&format!(
                    "complete -c wamlet -n \"__fish_wamlet_using_subcommand {word}\" -f -a \"{names}\"\n"
                ));
            }
        }
    }
    lines
}

/// Runs `wamlet man` or `wamlet completions`, with the arguments after `word`.
pub(super) fn run(args: impl Iterator<Item = OsString>, word: &str) -> ExitCode {
    let args: Vec<OsString> = args.collect();
    let text = if word == MAN {
        Page::try_parse_from(args).map(|options| page(options.subcommand.as_deref()))
    } else {
        Script::try_parse_from(args).map(|options| Ok(script(options.shell).into_bytes()))
    };
    let written = match text {
        Ok(text) => text.and_then(|text| {
            let mut out = io::stdout().lock();
            out.write_all(&text).and_then(|()| out.flush())
        }),
        Err(error) => return print_and_status(&error),
    };
    match written {
        Ok(()) => ExitCode::SUCCESS,
        // A closed pipe is not an error: its reader needs no more output.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "ERROR: {error}");
            exit_code(BROKEN)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{
        ENVIRONMENT, FISH_COMMAND_OR_FILE, Shell, ZSH_CASES_WITH_FILES, ZSH_COMMANDS_AND_FILES,
        script, whole,
    };

    #[test]
    fn the_definitions_fit_together() {
        whole().debug_assert();
    }

    #[test]
    fn files_are_completed_beside_subcommands() {
        assert!(script(Shell::Zsh).contains(ZSH_COMMANDS_AND_FILES));
        assert_eq!(script(Shell::Zsh).matches(ZSH_CASES_WITH_FILES).count(), 1);
        let commands = script(Shell::Fish).matches(FISH_COMMAND_OR_FILE).count();
        assert_eq!(commands, super::subcommands::ALL.len());
        assert!(script(Shell::Fish).contains("completions\" -f -a \"bash "));
    }

    /// The page on options lists every environment variable.
    #[test]
    fn options_page_lists_environment_variables() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        let page = std::fs::read_to_string(root.join("docs/options.md")).expect("the page");
        for (name, _) in ENVIRONMENT {
            assert!(page.contains(&format!("| `{name}` |")), "{name}");
        }
    }
}
