//! The systems of the comparison, the search for them, and the commands with which they run `main/0` of a file.

use std::env;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A system of the comparison.
#[derive(Clone)]
pub(crate) struct System {
    /// The name in the report.
    pub(crate) name: &'static str,
    executable: PathBuf,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Wamlet,
    Swi { optimised: bool },
    Gnu,
    GnuNative,
    Trealla,
    Scryer,
    Yap,
}

/// All known peers, in the order of the report: name, executable, kind.
const KNOWN: &[(&str, &str, Kind)] = &[
    ("swipl", "swipl", Kind::Swi { optimised: false }),
    ("swipl -O", "swipl", Kind::Swi { optimised: true }),
    ("yap", "yap", Kind::Yap),
    ("gprolog", "gprolog", Kind::Gnu),
    ("gplc", "gplc", Kind::GnuNative),
    ("trealla", "tpl", Kind::Trealla),
    ("scryer", "scryer-prolog", Kind::Scryer),
];

/// Sizes of the areas of GNU Prolog, which do not grow: memory in KiB, and the number of atoms.
const GNU_AREAS: &[(&str, &str)] = &[
    ("GLOBALSZ", "1200000"),
    ("LOCALSZ", "400000"),
    ("TRAILSZ", "400000"),
    ("CSTRSZ", "65536"),
    ("MAX_ATOM", "2000000"),
];

/// Returns Wamlet at `wamlet` and the peers in the search path. If there are `names`, it returns only these.
///
/// # Errors
/// Returns an error if a name is unknown, or if its system is not in the search path.
pub(crate) fn find(wamlet: &Path, names: &[String]) -> io::Result<Vec<System>> {
    let own = System {
        name: "wamlet",
        executable: std::path::absolute(wamlet)?,
        kind: Kind::Wamlet,
    };
    let peers = KNOWN.iter().filter_map(|&(name, executable, kind)| {
        Some(System {
            name,
            executable: in_path(executable)?,
            kind,
        })
    });
    let is_named = |system: &System, name: &String| name == system.name;
    let mut there: Vec<System> = std::iter::once(own).chain(peers).collect();
    let missing = |name: &&String| !there.iter().any(|system| is_named(system, name));
    if let Some(name) = names.iter().find(missing) {
        let known = KNOWN.iter().any(|&(known, ..)| known == name);
        return Err(io::Error::other(if known {
            format!("{name} is not in the search path")
        } else {
            let known: Vec<&str> = KNOWN.iter().map(|&(known, ..)| known).collect();
            format!(
                "no system is called {name}: there are wamlet, {}",
                known.join(", ")
            )
        }));
    }
    there.retain(|system| names.is_empty() || names.iter().any(|name| is_named(system, name)));
    Ok(there)
}

fn in_path(executable: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?)
        .map(|folder| folder.join(executable))
        .find(|path| path.is_file())
}

impl System {
    /// Returns whether the system is a peer, not Wamlet.
    pub(crate) fn is_peer(&self) -> bool {
        self.kind != Kind::Wamlet
    }

    /// Returns whether the system is GNU Prolog, compiled or not.
    pub(crate) fn is_gnu(&self) -> bool {
        matches!(self.kind, Kind::Gnu | Kind::GnuNative)
    }

    /// Returns the command that compiles `file` before it can run, for native compilers.
    pub(crate) fn compile(&self, file: &Path) -> Option<Command> {
        (self.kind == Kind::GnuNative).then(|| {
            let mut command = Command::new(&self.executable);
            command
                .arg("--no-top-level")
                .arg("-o")
                .arg(native(file))
                .arg(file);
            command.stdin(Stdio::null());
            command
        })
    }

    /// Returns the text to add to a program for this system.
    pub(crate) fn epilogue(&self) -> &'static str {
        match self.kind {
            Kind::GnuNative => "\n:- initialization(main).\n",
            _ => "",
        }
    }

    /// Returns the command that counts the instructions of `main` of `file`, for Wamlet only. It prints the
    /// number on its standard error output. Callgrind can count instructions, too, but it takes the tail calls
    /// of the machine's instructions for calls that never return.
    pub(crate) fn counting(&self, file: &Path) -> Option<Command> {
        let counted = (self.kind == Kind::Wamlet).then(|| self.command(file))?;
        let mut command = Command::new("valgrind");
        command
            .args(["--tool=cachegrind", "--cache-sim=no"])
            .arg("--cachegrind-out-file=/dev/null")
            .arg(counted.get_program())
            .args(counted.get_args())
            .stdin(Stdio::null());
        Some(command)
    }

    /// Returns the command that runs `main` of `file`.
    pub(crate) fn command(&self, file: &Path) -> Command {
        let mut command = Command::new(match self.kind {
            Kind::GnuNative => native(file),
            _ => self.executable.clone(),
        });
        let file = file.as_os_str().to_owned();
        let arguments: Vec<OsString> = match self.kind {
            Kind::Wamlet => vec!["-g".into(), "main".into(), file],
            Kind::Swi { optimised } => {
                let start: &[&str] = if optimised { &["-O"] } else { &[] };
                let rest = ["-q", "-g", "main", "-t", "halt"];
                start
                    .iter()
                    .chain(&rest)
                    .map(OsString::from)
                    .chain([file])
                    .collect()
            }
            Kind::Gnu => {
                let goal = "main,halt".into();
                vec!["--consult-file".into(), file, "--query-goal".into(), goal]
            }
            Kind::GnuNative => Vec::new(),
            Kind::Trealla => vec!["-q".into(), "-g".into(), "main,halt".into(), file],
            Kind::Scryer => vec!["-f".into(), "-g".into(), "main,halt".into(), file],
            Kind::Yap => vec![
                "-q".into(),
                "-g".into(),
                "main,halt".into(),
                "-l".into(),
                file,
            ],
        };
        command.args(arguments).stdin(Stdio::null());
        if self.is_gnu() {
            command.envs(GNU_AREAS.iter().copied());
        }
        command
    }
}

fn native(file: &Path) -> PathBuf {
    file.with_extension("native")
}
