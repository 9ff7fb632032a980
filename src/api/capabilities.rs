//! Capabilities: the resources outside an engine that programs in it may use.

use super::error::{Error, ErrorKind};
use crate::base::growth::Grow;
use crate::base::locks::lock;
use crate::base::needs::Needs;
use crate::io::files::Directory;
use crate::io::guest::directory::DirectoryFiles;
use crate::io::guest::grants::{Guest, Mount};
use crate::io::guest::host_files::HostFiles;
use crate::io::guest::path::GuestPath;
use crate::io::policy::Policy;
use crate::io::stream_table::MOST_STREAMS;
use std::fmt;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

/// Maximum number of open streams in `pure` and `script`.
const FEW_STREAMS: usize = 64;

/// A kind of resource outside the engine. A refusal names it.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Capability {
    /// Inspecting, reading and loading files and directories.
    Read,
    /// Creating, changing and deleting files and directories.
    Write,
    /// Reading variables of the environment.
    Environment,
    /// Running other programs.
    Processes,
    /// Reading the clock.
    Clock,
    /// Drawing random numbers.
    Random,
    /// Reading the standard input of the process.
    Stdin,
    /// Using the terminal of the process.
    Stdout,
}

/// The capabilities, each with the need that the tables of builtins name.
const CAPABILITIES: [(Capability, Needs); 8] = [
    (Capability::Read, Needs::READ),
    (Capability::Write, Needs::WRITE),
    (Capability::Environment, Needs::ENVIRONMENT),
    (Capability::Processes, Needs::PROCESSES),
    (Capability::Clock, Needs::CLOCK),
    (Capability::Random, Needs::RANDOM),
    (Capability::Stdin, Needs::STDIN),
    (Capability::Stdout, Needs::STDOUT),
];

impl Capability {
    /// Returns the name of the capability in a refusal, such as `read` in `permission_error(use, capability, read)`.
    pub fn name(self) -> &'static str {
        let found = CAPABILITIES.iter().find(|row| row.0 == self);
        found.map_or("none", |row| row.1.refused_word())
    }

    /// Returns the capability with this name, or `None` if there is none.
    pub fn from_name(name: &str) -> Option<Capability> {
        let found = CAPABILITIES.iter().find(|row| row.1.refused_word() == name);
        found.map(|row| row.0)
    }
}

impl fmt::Display for Capability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The time that the clock of an engine shows.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Clock {
    /// The time of the system.
    System,
    /// Always this time. No time passes, and no processor time is used.
    Fixed(SystemTime),
}

/// The source of random numbers.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Random {
    /// Different numbers in each engine.
    System,
    /// The numbers of this seed, the same in each engine.
    Seed(u64),
}

/// The source of the standard input.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Input {
    /// The standard input of the process.
    Process,
    /// A fixed text.
    Text(String),
}

/// The destination of the standard output and the standard error output.
#[derive(Clone)]
pub struct Output(To);

#[derive(Clone)]
enum To {
    Process,
    Kept,
    Sink(Arc<Mutex<dyn Write + Send>>),
}

impl Output {
    /// Returns the destination for output to the standard streams of the process.
    pub fn process() -> Output {
        Output(To::Process)
    }

    /// Returns the destination for output to the engine's buffers. [`Engine::take_output`](super::Engine::take_output)
    /// and [`Engine::take_error_output`](super::Engine::take_error_output) return the output.
    pub fn kept() -> Output {
        Output(To::Kept)
    }

    /// Returns the destination for output to `writer`. Engines with the same capabilities share the writer.
    pub fn sink(writer: impl Write + Send + 'static) -> Output {
        Output(To::Sink(Arc::new(Mutex::new(writer))))
    }
}

impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            To::Process => "Output::process",
            To::Kept => "Output::kept",
            To::Sink(_) => "Output::sink",
        })
    }
}

/// A writer that engines share.
pub(super) struct Shared(Arc<Mutex<dyn Write + Send>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut writer = lock(&self.0);
        writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        let mut writer = lock(&self.0);
        writer.flush()
    }
}

/// The resources outside an engine that programs in it may use. The presets are [`Capabilities::pure`],
/// [`Capabilities::script`] and [`Capabilities::full`]. Grants add kinds of resources and places to them.
///
/// A goal that lacks a grant raises `error(permission_error(use, capability, C), context(PI, _))`, whether the
/// requested resource exists or not. The host's own calls are never limited.
///
/// ```
/// use wamlet::{Capabilities, Capability, Engine};
///
/// # fn main() -> Result<(), wamlet::Error> {
/// let capabilities = Capabilities::pure().read("/data", "tests/cases").env(["LANG"]);
/// let mut engine = Engine::builder().capabilities(capabilities).build()?;
/// assert!(engine.query_once("exists_directory('/data/iso')")?.is_some());
/// let error = engine.query_once("open('/etc/passwd', read, _)").unwrap_err();
/// assert_eq!(error.refused(), Some(Capability::Read));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Capabilities {
    policy: Policy,
    /// The granted places. `None` grants the whole file system.
    places: Option<Vec<Mount>>,
    denied: Vec<GuestPath>,
    input: Input,
    output: Output,
    streams: usize,
    host_scope: bool,
}

impl Default for Capabilities {
    /// Returns [`Capabilities::script`].
    fn default() -> Capabilities {
        Capabilities::script()
    }
}

impl Capabilities {
    /// Returns capabilities that grant nothing. The engine keeps text written to the standard output, and refuses the
    /// clock and random numbers.
    pub fn pure() -> Capabilities {
        Capabilities {
            policy: Policy {
                granted: Needs::NONE,
                strangers: true,
                ..Policy::FULL
            },
            places: Some(Vec::new()),
            denied: Vec::new(),
            input: Input::Process,
            output: Output::kept(),
            streams: FEW_STREAMS,
            host_scope: true,
        }
    }

    /// Returns capabilities that grant the clock, random numbers, and the standard output and error output of the
    /// process.
    pub fn script() -> Capabilities {
        let mut script = Capabilities::pure()
            .clock(Clock::System)
            .random(Random::System)
            .stdout(Output::process())
            .host_scope(false);
        script.policy.strangers = false;
        script
    }

    /// Returns capabilities that grant everything that the process may do.
    pub fn full() -> Capabilities {
        Capabilities {
            policy: Policy::FULL,
            places: None,
            denied: Vec::new(),
            input: Input::Process,
            output: Output::process(),
            streams: MOST_STREAMS,
            host_scope: false,
        }
    }

    /// Grants reading and loading the files below a directory of the system, under the guest name `guest`. Links in the
    /// directory do not lead out of it.
    ///
    /// The first grant of a place confines [`Capabilities::full`] to the granted places.
    #[must_use]
    pub fn read(self, guest: &str, directory: impl AsRef<Path>) -> Capabilities {
        self.place(guest, Needs::READ.and(Needs::LOAD), directory.as_ref())
    }

    /// Grants creating, changing and deleting files below a directory of the system, under the guest name `guest`.
    #[must_use]
    pub fn write(self, guest: &str, directory: impl AsRef<Path>) -> Capabilities {
        self.place(guest, Needs::WRITE, directory.as_ref())
    }

    /// Grants loading the files below a directory as programs, but not opening them.
    #[must_use]
    pub fn load(self, guest: &str, directory: impl AsRef<Path>) -> Capabilities {
        self.place(guest, Needs::LOAD, directory.as_ref())
    }

    /// Grants reading, loading and writing all files in `files`. An operation that `files` itself refuses stays
    /// refused.
    #[must_use]
    pub fn files(self, files: Arc<dyn HostFiles>) -> Capabilities {
        let uses = Needs::READ.and(Needs::LOAD).and(Needs::WRITE);
        self.mount(GuestPath::root(), uses, files)
    }

    /// Denies access to everything below a guest name, whatever is granted around it.
    #[must_use]
    #[expect(
        clippy::disallowed_methods,
        reason = "the public interface fixes a signature without errors"
    )]
    pub fn deny(mut self, guest: &str) -> Capabilities {
        self.places.get_or_insert_default();
        self.denied.push(GuestPath::new(guest));
        self
    }

    fn place(self, guest: &str, uses: Needs, directory: &Path) -> Capabilities {
        self.mount(
            GuestPath::new(guest),
            uses,
            Arc::new(DirectoryFiles::new(directory)),
        )
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "the public interface fixes a signature without errors"
    )]
    fn mount(mut self, at: GuestPath, uses: Needs, files: Arc<dyn HostFiles>) -> Capabilities {
        self.policy.granted = self.policy.granted.and(uses);
        let places = self.places.get_or_insert_default();
        // Several grants of one directory share one mount.
        places.push(Mount {
            at,
            uses,
            files,
            admitted: false,
        });
        self
    }

    /// Grants these variables of the environment.
    #[must_use]
    #[expect(
        clippy::disallowed_methods,
        reason = "the public interface fixes a signature without errors"
    )]
    pub fn env<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Capabilities {
        let former = match self.policy.granted.any(Needs::ENVIRONMENT) {
            true => self.policy.variables.take().unwrap_or_default(),
            false => Vec::new(),
        };
        let names = names.into_iter().map(Into::into);
        self.policy.variables = Some(former.into_iter().chain(names).collect());
        self.grant(Needs::ENVIRONMENT)
    }

    /// Grants all variables of the environment and the identity of the process: its program, its number and its
    /// arguments.
    #[must_use]
    pub fn all_env(mut self) -> Capabilities {
        self.policy.variables = None;
        self.grant(Needs::ENVIRONMENT)
    }

    /// Grants the clock.
    #[must_use]
    pub fn clock(mut self, clock: Clock) -> Capabilities {
        self.policy.now = match clock {
            Clock::System => None,
            Clock::Fixed(time) => Some(time),
        };
        self.grant(Needs::CLOCK)
    }

    /// Grants random numbers.
    #[must_use]
    pub fn random(mut self, random: Random) -> Capabilities {
        self.policy.seed = match random {
            Random::System => None,
            Random::Seed(seed) => Some(seed),
        };
        self.grant(Needs::RANDOM)
    }

    /// Grants running these programs. The command of shell/1 is then a program and its arguments, separated by blanks.
    /// No shell takes part, and variables that a Prolog program has set are not passed on. The started program itself
    /// is not limited.
    #[must_use]
    #[expect(
        clippy::disallowed_methods,
        reason = "the public interface fixes a signature without errors"
    )]
    pub fn processes<S: Into<String>>(
        mut self,
        programs: impl IntoIterator<Item = S>,
    ) -> Capabilities {
        let former = match self.policy.granted.any(Needs::PROCESSES) {
            true => self.policy.programs.take().unwrap_or_default(),
            false => Vec::new(),
        };
        let programs = programs.into_iter().map(Into::into);
        self.policy.programs = Some(former.into_iter().chain(programs).collect());
        self.grant(Needs::PROCESSES)
    }

    /// Grants running any command of the system's shell.
    #[must_use]
    pub fn all_processes(mut self) -> Capabilities {
        self.policy.programs = None;
        self.grant(Needs::PROCESSES)
    }

    /// Grants the standard input.
    #[must_use]
    pub fn stdin(mut self, input: Input) -> Capabilities {
        self.input = input;
        self.grant(Needs::STDIN)
    }

    /// Sets the destination of the standard output and the standard error output.
    #[must_use]
    pub fn stdout(mut self, output: Output) -> Capabilities {
        self.policy.granted = match output.0 {
            To::Process => self.policy.granted.and(Needs::STDOUT),
            To::Kept | To::Sink(_) => self.policy.granted.without(Needs::STDOUT),
        };
        self.output = output;
        self
    }

    /// Sets the maximum number of streams open at a time, besides the standard ones. The default is 256 in `full` and
    /// 64 elsewhere. One more stream raises `resource_error(streams)`.
    #[must_use]
    pub fn streams(mut self, most: usize) -> Capabilities {
        self.streams = most;
        self
    }

    /// Sets whether the host has its own scope. With its own scope, Wamlet reads the host's queries with the operators,
    /// flags and character conversions of the new engine. Later changes by programs have no effect on them. This is the
    /// default in `pure` and capabilities made from it. In `script` and `full`, the definitions of programs also apply
    /// to queries.
    ///
    /// ```
    /// # fn main() -> Result<(), wamlet::Error> {
    /// use wamlet::{Capabilities, Engine};
    ///
    /// let mut engine = Engine::builder().capabilities(Capabilities::pure()).build()?;
    /// engine.consult_text("stranger.pl", ":- op(0, xfx, is).")?;
    /// assert!(engine.query_once("X is 1+1")?.is_some());
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn host_scope(mut self, own: bool) -> Capabilities {
        self.host_scope = own;
        self
    }

    pub(super) fn has_host_scope(&self) -> bool {
        self.host_scope
    }

    fn grant(mut self, need: Needs) -> Capabilities {
        self.policy.granted = self.policy.granted.and(need);
        self
    }

    /// Returns the policy that these capabilities set.
    pub(super) fn policy(&self) -> Policy {
        self.policy.clone()
    }

    pub(super) fn most_streams(&self) -> usize {
        self.streams
    }

    /// Returns the files that an engine with these capabilities sees.
    pub(super) fn directory(&self) -> Result<Directory, Error> {
        let Some(places) = &self.places else {
            return Ok(Directory::default());
        };
        let mut mounts = Vec::new();
        for place in places {
            mounts.put(place.clone())?;
        }
        let mut denied = Vec::new();
        for path in &self.denied {
            denied.put(path.clone())?;
        }
        Ok(Directory::confined(Arc::new(Guest::new(mounts, denied))))
    }

    /// Returns the text of the standard input, if the input is a text and is granted.
    pub(super) fn input_text(&self) -> Option<String> {
        match &self.input {
            Input::Text(text) if self.policy.granted.any(Needs::STDIN) => Some(text.clone()),
            _ => None,
        }
    }

    /// Returns the writer for output, if there is one.
    pub(super) fn sink(&self) -> Option<Shared> {
        match &self.output.0 {
            To::Sink(sink) => Some(Shared(Arc::clone(sink))),
            _ => None,
        }
    }
}

impl Error {
    /// Returns the capability whose lack raised this error: the error term is
    /// `error(permission_error(use, capability, C), _)`.
    pub fn refused(&self) -> Option<Capability> {
        if *self.kind() != ErrorKind::Uncaught && *self.kind() != ErrorKind::Io {
            return None;
        }
        let word = self.formal_text()?;
        let word = word.strip_prefix("permission_error(use, capability, ")?;
        Capability::from_name(word.strip_suffix(')')?)
    }
}
