//! The completion scripts and the manual pages: each contains every option, and the installed shells can
//! read the scripts.
#![cfg(feature = "cli")]

use std::process::{Command, Stdio};

#[path = "support/process.rs"]
#[allow(dead_code, reason = "each test program uses a part")]
mod process;

use process::{Folder, run_in};

const SHELLS: [&str; 3] = ["bash", "zsh", "fish"];
const SUBCOMMANDS: [&str; 4] = ["test", "compile", "completions", "man"];

/// Returns the output of the command.
fn written(args: &[&str]) -> String {
    let ran = run_in(&std::env::temp_dir(), args, "");
    assert_eq!((ran.errors.as_str(), ran.status), ("", 0), "{args:?}");
    ran.output
}

/// Returns the long options in the help, without hyphens.
fn long_options(help: &str) -> Vec<&str> {
    let words = help
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix('-'));
    let long = words.filter_map(|line| line.split("--").nth(1).or(line.strip_prefix('-')));
    long.filter_map(|option| option.split([' ', ',', '[']).next())
        .collect()
}

#[test]
fn scripts_have_all_options_and_can_be_read() {
    let folder = Folder::new();
    for shell in SHELLS {
        let script = written(&["completions", shell]);
        for subcommand in [&[][..], &["test"], &["compile"]] {
            let help = written(&[subcommand, &["--help"]].concat());
            let options = long_options(&help);
            assert!(options.len() > 4, "{help}");
            for option in options {
                assert!(script.contains(option), "{shell}: {option}");
            }
        }
        assert!(SUBCOMMANDS.iter().all(|word| script.contains(word)));
        let path = folder.file(shell, &script);
        let read = Command::new(shell)
            .arg("-n")
            .arg(path)
            .stdin(Stdio::null())
            .status();
        // A shell that is not installed cannot read its script.
        assert!(
            read.is_err() || read.is_ok_and(|status| status.success()),
            "{shell}"
        );
    }
}

#[test]
fn pages_have_all_options() {
    for subcommand in [
        None,
        Some("test"),
        Some("compile"),
        Some("completions"),
        Some("man"),
    ] {
        let page = written(&["man"].into_iter().chain(subcommand).collect::<Vec<_>>());
        let plain = page.replace('\\', "");
        let help = written(&subcommand.into_iter().chain(["--help"]).collect::<Vec<_>>());
        for option in long_options(&help) {
            assert!(
                plain.contains(&format!("--{option}")),
                "{subcommand:?}: {option}"
            );
        }
        assert!(
            plain.contains(".SH SYNOPSIS") && plain.contains(".SH NOTES"),
            "{page}"
        );
        assert_eq!(plain.contains(".SH ENVIRONMENT"), subcommand.is_none());
    }
}

#[test]
fn wrong_usage_is_reported() {
    for args in [
        &["man", "none"][..],
        &["completions"],
        &["completions", "csh"],
    ] {
        let ran = run_in(&std::env::temp_dir(), args, "");
        assert_eq!((ran.status, ran.output.as_str()), (2, ""));
        assert!(ran.errors.contains("--help"), "{}", ran.errors);
    }
}
