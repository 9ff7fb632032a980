//! The programs of `benches/programs`: Prolog text with a `main/0` that does a fixed amount of work
//! and writes `checksum(Term)`. Comments at the head of a program control its runs, one on each line:
//!
//! - `% uses: PATH …` puts the text of these files of the package before the program;
//! - `% own: PATH …` does the same for Wamlet only;
//! - `% peers: PATH …` does the same for systems other than Wamlet;
//! - `% gnu: PATH …` does the same for GNU Prolog only;
//! - `% modules: PATH …` puts these modules of Lolli beside the program;
//! - `% facts: N` puts N facts `fact(Number, Atom, Compound)` before the program;
//! - `% rounds: N, SYSTEM M, …` puts `rounds(N)` before the program, which does N rounds. A slow system gets
//!   `rounds(M)`, and its time is scaled up. With 0 rounds the program only starts and loads;
//! - `% without: SYSTEM …` excludes these systems, because they cannot run the program;
//! - `% note: TEXT` explains why a peer is faster; the report prints it;
//! - `% slow` runs the program only if it is named or `--slow` is given.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write as _};
use std::path::Path;

use crate::system::System;

/// The number of times that a program repeats its work.
struct Rounds {
    whole: usize,
    /// The systems that do fewer rounds, and their numbers.
    fewer: Vec<(String, usize)>,
}

/// A program of the comparison.
pub(crate) struct Program {
    /// The name of its file without the extension.
    pub(crate) name: String,
    /// Whether the program takes long and runs only on request.
    pub(crate) slow: bool,
    /// The explanation if a peer is faster.
    pub(crate) note: Option<String>,
    text: String,
    without: Vec<String>,
    uses: Vec<String>,
    own: Vec<String>,
    peers: Vec<String>,
    gnu: Vec<String>,
    rounds: Option<Rounds>,
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
            note: None,
            text,
            without: Vec::new(),
            uses: Vec::new(),
            own: Vec::new(),
            peers: Vec::new(),
            gnu: Vec::new(),
            rounds: None,
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
            } else if let Some(rest) = line.strip_prefix("gnu:") {
                program.gnu = words(rest);
            } else if let Some(rest) = line.strip_prefix("rounds:") {
                program.rounds = Some(Rounds::parse(rest)?);
            } else if let Some(rest) = line.strip_prefix("without:") {
                program.without = words(rest);
            } else if let Some(rest) = line.strip_prefix("note:") {
                program.note = Some(rest.trim().to_owned());
            } else if let Some(rest) = line.strip_prefix("facts:") {
                program.facts = rest.trim().parse().map_err(io::Error::other)?;
            } else if line == "slow" {
                program.slow = true;
            }
        }
        Ok(program)
    }

    /// Copies the modules of Lolli to a folder.
    pub(crate) fn put_modules(&self, root: &Path, folder: &Path) -> io::Result<()> {
        for path in &self.modules {
            let from = root.join(path);
            fs::copy(&from, folder.join(from.file_name().unwrap_or_default()))?;
        }
        Ok(())
    }

    /// Returns whether the system `name` can run the program.
    pub(crate) fn is_for(&self, name: &str) -> bool {
        !self.without.iter().any(|left_out| left_out == name)
    }

    /// Returns the rounds of the system `name` and those of all others, if this system does fewer.
    pub(crate) fn fewer_rounds(&self, name: &str) -> Option<(usize, usize)> {
        let rounds = self.rounds.as_ref()?;
        // `swipl` with an option does as many rounds as without.
        let is_named = |(system, _): &&(String, usize)| name.split(' ').next() == Some(system);
        let (_, fewer) = rounds.fewer.iter().find(is_named)?;
        Some((*fewer, rounds.whole))
    }

    /// Writes the whole text for `system` to `file`, with its number of rounds or with `rounds` of them.
    /// `root` is the folder of the package.
    ///
    /// It writes facts one at a time, because the peak memory of a child includes that of this process.
    pub(crate) fn write(
        &self,
        file: File,
        root: &Path,
        system: &System,
        rounds: Option<usize>,
    ) -> io::Result<BufWriter<File>> {
        let mut whole = BufWriter::new(file);
        let for_peer = system.is_peer();
        let by_kind = if for_peer { &self.peers } else { &self.own };
        let for_gnu = self.gnu.iter().filter(|_| system.is_gnu());
        for path in by_kind.iter().chain(for_gnu) {
            whole.write_all(&fs::read(root.join(path))?)?;
        }
        for path in &self.uses {
            for line in fs::read_to_string(root.join(path))?.lines() {
                // All files are joined to one text. Only Wamlet has its own library.
                let loads =
                    line.starts_with(":- ensure_loaded(") || line.starts_with(":- use_module(");
                let own = line.contains("misc") || line.contains("dialect");
                if !loads || (!for_peer && own) {
                    writeln!(whole, "{line}")?;
                }
            }
        }
        if let Some(own) = &self.rounds {
            let fewer = self.fewer_rounds(system.name).map(|(fewer, _)| fewer);
            let rounds = rounds.or(fewer).unwrap_or(own.whole);
            writeln!(whole, "rounds({rounds}).")?;
        }
        for number in 1..=self.facts {
            writeln!(
                whole,
                "fact({number}, name_{number}, pair({}, [a, b{}])).",
                number % 97,
                number % 7
            )?;
        }
        whole.write_all(self.text.as_bytes())?;
        Ok(whole)
    }
}

impl Rounds {
    /// Reads `N, SYSTEM M, …`.
    fn parse(text: &str) -> io::Result<Rounds> {
        let number = |word: &str| word.trim().parse().map_err(io::Error::other);
        let mut parts = text.split(',');
        let whole = number(parts.next().unwrap_or_default())?;
        let fewer = parts.map(|part| {
            let (system, rounds) = part.trim().rsplit_once(' ').unwrap_or_default();
            Ok((system.to_owned(), number(rounds)?))
        });
        Ok(Rounds {
            whole,
            fewer: fewer.collect::<io::Result<_>>()?,
        })
    }
}
