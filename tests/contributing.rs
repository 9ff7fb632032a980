//! Checks the examples of CONTRIBUTING.md: their steps fit the sources, and have the effects that the page shows.
//!
//! `In FILE:` before a block marked `diff` is a step. It inserts the lines marked `+` before the unmarked line. `New file
//! FILE:` before a block makes a file. Blocks marked `console` run after all steps. Building the result takes some
//! minutes, so `.ci/nightly` does it.
#![cfg(all(feature = "cli", unix))]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[path = "support/console.rs"]
mod console;

use console::{fits, run, steps};

/// The files and folders that the build needs.
const SOURCES: &[&str] = &[
    "Cargo.toml",
    "Cargo.lock",
    "clippy.toml",
    "src",
    "prelude",
    "benches",
    "docs",
    "tests",
    "README.md",
    "CONTRIBUTING.md",
];

/// A copy of the sources, deleted on drop.
struct Copy(PathBuf);

impl Copy {
    fn new() -> Copy {
        let folder = std::env::temp_dir().join(format!("wamlet-copy-{}", std::process::id()));
        for name in SOURCES {
            copy(
                &Path::new(env!("CARGO_MANIFEST_DIR")).join(name),
                &folder.join(name),
            );
        }
        Copy(folder)
    }

    /// Does all steps.
    fn change(&self, blocks: &[Block]) {
        for block in blocks {
            match block {
                Block::Insert { file, text, before } => {
                    let path = self.0.join(file);
                    let whole = fs::read_to_string(&path).expect("the file");
                    let (first, rest) = whole.split_at(place(&whole, file, before));
                    fs::write(&path, format!("{first}{text}{rest}")).expect("a writable file");
                }
                Block::File { file, text } => {
                    fs::write(self.0.join(file), text).expect("a new file");
                }
                Block::Console(..) => {}
            }
        }
    }

    /// Builds the program and returns its folder.
    fn build(&self) -> PathBuf {
        let target = self.0.join("target");
        let mut cargo = Command::new(env!("CARGO"));
        cargo
            .args(["build", "--release", "--locked"])
            .current_dir(&self.0);
        cargo.env("CARGO_TARGET_DIR", &target);
        cargo.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1");
        let built = cargo.output().expect("cargo");
        assert!(
            built.status.success(),
            "{}",
            String::from_utf8_lossy(&built.stderr)
        );
        target.join("release")
    }
}

impl Drop for Copy {
    fn drop(&mut self) {
        // The folder for temporary files may keep the rest.
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn copy(from: &Path, to: &Path) {
    if from.is_file() {
        fs::create_dir_all(to.parent().expect("a folder")).expect("a new folder");
        fs::copy(from, to).expect("a copy");
        return;
    }
    for entry in fs::read_dir(from).expect("the folder") {
        let path = entry.expect("an entry").path();
        copy(&path, &to.join(path.file_name().expect("a name")));
    }
}

/// A block of the page.
enum Block {
    /// A text to insert before a line.
    Insert {
        file: String,
        text: String,
        before: String,
    },
    /// A new file.
    File { file: String, text: String },
    /// Commands: the line where they begin, and the lines.
    Console(usize, Vec<String>),
}

/// Returns the blocks of the page.
fn blocks() -> Vec<Block> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("CONTRIBUTING.md");
    let page = fs::read_to_string(page).expect("the page");
    let lines: Vec<&str> = page.lines().collect();
    let (mut found, mut introduction, mut at) = (Vec::new(), "", 0);
    while at < lines.len() {
        let Some(kind) = lines[at].strip_prefix("```") else {
            introduction = if lines[at].is_empty() {
                introduction
            } else {
                lines[at]
            };
            at += 1;
            continue;
        };
        let first = at + 1;
        let length = lines[first..].iter().position(|line| *line == "```");
        let block = &lines[first..first + length.expect("the end of a block")];
        at = first + block.len() + 1;
        let file = |before: &str| {
            let name = introduction.strip_prefix(before)?.strip_suffix("`:")?;
            Some(name.to_owned())
        };
        if kind == "console" {
            let lines = block.iter().map(|&line| line.to_owned());
            found.push(Block::Console(first, lines.collect()));
        } else if let Some(file) = file("In `") {
            let (before, added) = block.split_last().expect("lines");
            let added = added
                .iter()
                .map(|line| line.strip_prefix('+').expect("a line with +"));
            found.push(Block::Insert {
                file,
                text: added.map(|line| format!("{line}\n")).collect(),
                before: before
                    .strip_prefix(' ')
                    .expect("a line without +")
                    .to_owned(),
            });
        } else {
            let file = file("New file `").unwrap_or_else(|| {
                panic!("line {first}: this block is neither a step nor a file nor commands")
            });
            let text = block.iter().map(|line| format!("{line}\n")).collect();
            found.push(Block::File { file, text });
        }
    }
    found
}

/// Returns the offset of the only line that equals `line`.
fn place(whole: &str, file: &str, line: &str) -> usize {
    let lines = whole.split_inclusive('\n').scan(0, |at, line| {
        *at += line.len();
        Some((*at - line.len(), line.trim_end()))
    });
    let places: Vec<usize> = lines
        .filter(|(_, found)| *found == line)
        .map(|(at, _)| at)
        .collect();
    match places[..] {
        [only] => only,
        _ => panic!("{file} has {} lines `{line}`", places.len()),
    }
}

#[test]
fn steps_fit_the_sources() {
    let blocks = blocks();
    let mut steps = 0;
    for block in &blocks {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        match block {
            Block::Insert { file, before, .. } => {
                let whole = fs::read_to_string(root.join(file));
                place(
                    &whole.unwrap_or_else(|error| panic!("{file}: {error}")),
                    file,
                    before,
                );
                steps += 1;
            }
            Block::File { file, .. } => {
                assert!(!root.join(file).exists(), "{file} is there");
                assert!(root.join(file).parent().is_some_and(Path::is_dir), "{file}");
                steps += 1;
            }
            Block::Console(..) => {}
        }
    }
    assert!(steps > 5 && steps < blocks.len());
}

#[test]
#[ignore = "builds the program"]
fn examples_have_the_effects_that_the_page_shows() {
    let blocks = blocks();
    let sources = Copy::new();
    sources.change(&blocks);
    let bin = sources.build();
    let (mut wrong, mut status) = (String::new(), 0);
    for block in &blocks {
        let Block::Console(first, lines) = block else {
            continue;
        };
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        for step in steps(&lines, *first + 1) {
            if let Some(file) = step.command.strip_prefix("cat ") {
                let text = step.shown.join("\n") + "\n";
                fs::write(sources.0.join(file), text).expect("a new file");
                continue;
            }
            let written = run(&sources.0, &bin, &step.command, &mut status);
            if !fits(&step.shown, &written) {
                let written = written.join("\n");
                wrong.push_str(&format!("{}: {}\n{written}\n\n", step.line, step.command));
            }
        }
    }
    assert!(wrong.is_empty(), "something else is written:\n{wrong}");
}
