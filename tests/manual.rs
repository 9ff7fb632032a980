//! The examples of the command in the documents: blocks marked `console` of the README and of `docs`.
//!
//! The shell runs a line `$ COMMAND`, and lines `> …` continue it. The lines up to the next command are
//! its output, with errors; a line `...` stands for any lines. A block marked `prolog NAME.pl` or `lolli
//! NAME.ll` makes that file for later commands. `$ cat FILE` with lines under it makes a file that does
//! not exist yet, and `programs` is the folder of programs. Each document has its own folder. After an
//! intended change: `UPDATE_GOLDEN=1 cargo test --test manual`.
#![cfg(all(feature = "cli", unix))]

use std::fs;
use std::path::{Path, PathBuf};

#[path = "support/console.rs"]
mod console;
#[path = "support/process.rs"]
#[expect(dead_code, reason = "processes are started by a shell here")]
mod process;

use console::{fits, run, steps};
use process::Folder;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the README and all documents.
fn documents() -> Vec<PathBuf> {
    let mut found = vec![root().join("README.md")];
    for entry in fs::read_dir(root().join("docs")).expect("the documents") {
        let path = entry.expect("an entry").path();
        found.extend(Some(path).filter(|path| path.extension().is_some_and(|end| end == "md")));
    }
    found.sort();
    found
}

/// Runs the commands of a document. Returns the document with correct output, and the differences.
fn check(document: &Path, count: &mut usize) -> (String, String) {
    let text = fs::read_to_string(document).expect("a document");
    let name = document.file_name().unwrap_or_default().to_string_lossy();
    let folder = Folder::new();
    std::os::unix::fs::symlink(root().join("programs"), folder.0.join("programs")).expect("a link");
    let bin = Path::new(env!("CARGO_BIN_EXE_wamlet"))
        .parent()
        .expect("a folder");
    let (mut made, mut wrong, mut status) = (String::new(), String::new(), 0);
    let lines: Vec<&str> = text.lines().collect();
    let mut at = 0;
    while at < lines.len() {
        let info = lines[at].strip_prefix("```");
        made.push_str(&format!("{}\n", lines[at]));
        at += 1;
        let Some(info) = info else { continue };
        let end = lines[at..].iter().position(|line| *line == "```");
        let end = at + end.expect("the end of a block");
        let block = &lines[at..end];
        if info == "console" {
            for step in steps(block, at + 1) {
                *count += 1;
                made.push_str(&format!("$ {}\n", step.command.replace('\n', "\n> ")));
                let new = step
                    .command
                    .strip_prefix("cat ")
                    .filter(|file| !folder.0.join(file).exists());
                let written = match new {
                    Some(file) => {
                        folder.file(file, &format!("{}\n", step.shown.join("\n")));
                        step.shown.clone()
                    }
                    None => run(&folder.0, bin, &step.command, &mut status),
                };
                let right = fits(&step.shown, &written);
                for line in if right { &step.shown } else { &written } {
                    made.push_str(&format!("{line}\n"));
                }
                if !right {
                    let written = written.join("\n");
                    wrong.push_str(&format!(
                        "{name}:{}: {}\n{written}\n\n",
                        step.line, step.command
                    ));
                }
            }
        } else {
            if let Some(file) = info
                .split_whitespace()
                .skip(1)
                .find(|word| word.contains('.'))
            {
                folder.file(file, &format!("{}\n", block.join("\n")));
            }
            made.extend(block.iter().map(|line| format!("{line}\n")));
        }
        made.push_str("```\n");
        at = end + 1;
    }
    (made, wrong)
}

/// Returns the targets of the links of a document: the text in `](…)`.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let after = text.split("](").skip(1);
    after.filter_map(|rest| rest.split_once(')').map(|(link, _)| link))
}

/// Returns the anchors of a document: its headings, in small letters with hyphens.
fn places(text: &str) -> Vec<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    let place = |line: &str| {
        let words = line.trim_start_matches('#').trim().to_lowercase();
        let kept = words
            .chars()
            .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    headings.map(place).collect()
}

#[test]
fn links_lead_somewhere() {
    let mut lost = Vec::new();
    for document in documents() {
        let text = fs::read_to_string(&document).expect("a document");
        let folder = document.parent().expect("a folder");
        for link in links(&text).filter(|link| !link.contains(':')) {
            let (file, place) = link.split_once('#').unwrap_or((link, ""));
            let target = match file {
                "" => document.clone(),
                _ => folder.join(file),
            };
            let there = fs::read_to_string(&target).unwrap_or_default();
            if !target.exists() || (!place.is_empty() && !places(&there).iter().any(|p| p == place))
            {
                lost.push(format!("{}: {link}", document.display()));
            }
        }
    }
    assert!(lost.is_empty(), "{lost:#?}");
}

/// Every name of a warning is a heading of the index of errors.
#[test]
fn the_index_of_errors_has_all_warnings() {
    let read = |name: &str| fs::read_to_string(root().join("docs").join(name)).expect("a document");
    let (messages, errors) = (read("messages.md"), read("errors.md"));
    let (_, table) = messages.split_once("## Warnings").expect("the warnings");
    let (table, _) = table.split_once("\n## ").expect("their end");
    let rows = table.lines().filter_map(|line| line.strip_prefix("| `"));
    let names: Vec<&str> = rows
        .filter_map(|row| Some(row.split_once('`')?.0))
        .collect();
    assert!(names.len() > 5, "{names:?}");
    for name in names {
        assert!(errors.contains(&format!("\n### {name}\n")), "{name}");
    }
}

/// Every document is in the list of the README.
#[test]
fn the_readme_lists_all_documents() {
    let readme = fs::read_to_string(root().join("README.md")).expect("the README");
    for document in documents() {
        let name = document.file_name().unwrap_or_default().to_string_lossy();
        let link = format!("](docs/{name})");
        assert!(name == "README.md" || readme.contains(&link), "{name}");
    }
}

#[test]
fn the_documents_show_correct_output() {
    let update = std::env::var_os("UPDATE_GOLDEN").is_some();
    let (mut wrong, mut count) = (String::new(), 0);
    for document in documents() {
        let (made, found) = check(&document, &mut count);
        if update && !found.is_empty() {
            fs::write(&document, made).expect("the document can be written");
        }
        wrong.push_str(&found);
    }
    assert!(
        update || wrong.is_empty(),
        "something else is written:\n{wrong}"
    );
    assert!(count > 0, "no document has commands");
}
