//! The programs of `benches/programs`: Prolog text with a `main/0` that does a fixed amount of work
//! and writes `checksum(Term)`. Comments at the head may say more, one to a line:
//!
//! - `% uses: PATH …` puts the text of these files of the package before the program,
//! - `% own: PATH …` likewise, for Wamlet only,
//! - `% peers: PATH …` likewise, for systems other than Wamlet,
//! - `% modules: PATH …` puts these modules of Lolli beside the program,
//! - `% facts: N` puts N facts `fact(Number, Atom, Compound)` before it,
//! - `% slow` runs it only when it is named or `--slow` is given.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;

/// One program.
pub(crate) struct Program {
    /// The name of its file without the extension.
    pub(crate) name: String,
    /// Whether it takes too long to be run unasked.
    pub(crate) slow: bool,
    text: String,
    uses: Vec<String>,
    own: Vec<String>,
    peers: Vec<String>,
    modules: Vec<String>,
    facts: usize,
}

impl Program {
    /// Reads the program at `path`.
    pub(crate) fn read(path: &Path) -> io::Result<Program> {
        let text = fs::read_to_string(path)?;
        let name = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let mut program = Program {
            name,
            slow: false,
            text,
            uses: Vec::new(),
            own: Vec::new(),
            peers: Vec::new(),
            modules: Vec::new(),
            facts: 0,
        };
        for line in program
            .text
            .lines()
            .take_while(|line| line.starts_with('%'))
        {
            let line = line.trim_start_matches('%').trim();
            let words = |rest: &str| rest.split_whitespace().map(str::to_owned).collect();
            if let Some(rest) = line.strip_prefix("uses:") {
                program.uses = words(rest);
            } else if let Some(rest) = line.strip_prefix("own:") {
                program.own = words(rest);
            } else if let Some(rest) = line.strip_prefix("modules:") {
                program.modules = words(rest);
            } else if let Some(rest) = line.strip_prefix("peers:") {
                program.peers = words(rest);
            } else if let Some(rest) = line.strip_prefix("facts:") {
                program.facts = rest.trim().parse().map_err(io::Error::other)?;
            } else if line == "slow" {
                program.slow = true;
            }
        }
        Ok(program)
    }

    /// Puts the modules of Lolli into a folder.
    pub(crate) fn put_modules(&self, root: &Path, folder: &Path) -> io::Result<()> {
        for path in &self.modules {
            let from = root.join(path);
            fs::copy(&from, folder.join(from.file_name().unwrap_or_default()))?;
        }
        Ok(())
    }

    /// The whole text for Wamlet or for a peer. `root` is the folder of the package.
    pub(crate) fn text(&self, root: &Path, for_peer: bool) -> io::Result<String> {
        let mut whole = String::new();
        for path in if for_peer { &self.peers } else { &self.own } {
            whole.push_str(&fs::read_to_string(root.join(path))?);
        }
        for path in &self.uses {
            for line in fs::read_to_string(root.join(path))?.lines() {
                // The files stand in one text; only Wamlet has its own library.
                let loads =
                    line.starts_with(":- ensure_loaded(") || line.starts_with(":- use_module(");
                let own = line.contains("misc") || line.contains("dialect");
                if !loads || (!for_peer && own) {
                    whole.push_str(line);
                    whole.push('\n');
                }
            }
        }
        for number in 1..=self.facts {
            let _ = writeln!(
                whole,
                "fact({number}, name_{number}, pair({}, [a, b{}])).",
                number % 97,
                number % 7
            );
        }
        whole.push_str(&self.text);
        Ok(whole)
    }
}
