//! The four-port tracer (Byrd, "Understanding the control flow of Prolog programs", 1980): what is to be
//! shown of the calls of goals, and the goals that are under way.
//!
//! While goals are traced instructions are done one at a time (`dispatch::forms`), and each call that may
//! be shown makes a choice point and a frame of its own (`ops::trace`), so that its success, its failure
//! and its further solutions come by there. Its goal is a term on the heap, which knows the goal that
//! called it: so the goals under way are a list, the innermost first, that is trailed.
#![forbid(unsafe_code)]

use crate::base::atom_table::FastMap;
use crate::base::named::named;
use crate::program::predicate::PredId;
use crate::store::address::{CodeAddr, EnvAddr};
use crate::store::cell::Cell;

named! {
    /// Where a goal comes by.
    #[repr(u8)]
    Port {
        /// It is called.
        Call = 1 "Call",
        /// It has succeeded.
        Exit = 2 "Exit",
        /// A further solution is wanted.
        Redo = 4 "Redo",
        /// It has no (further) solution.
        Fail = 8 "Fail",
        /// It is left by an exception.
        Exception = 16 "Exception",
        /// Something was assumed.
        Assume = 32 "Assume",
        /// An assumption was used.
        Consume = 64 "Consume",
    }
}

/// The ports of goals: those at which the tracer asks unless told otherwise.
pub(crate) const LEASHED: u8 = 31;
/// All ports.
pub(crate) const ALL_PORTS: u8 = 127;

/// What the tracer does at a call.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Default)]
pub(crate) enum Mode {
    /// Nothing.
    #[default]
    Off,
    /// It stops at spy points.
    Leap,
    /// It shows all goals.
    Creep,
    /// It shows goals of this depth or less.
    Skip(i64),
}

/// What is to be done after a port was shown.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    /// Go on.
    Go,
    /// The goal fails.
    Fail,
    /// The goal is called again.
    Retry,
    /// The goal, which is about to be called, has succeeded.
    Ignore,
    /// The query ends.
    Abort,
    /// The query waits for a session within, and comes by the port again.
    Break,
    /// The process ends.
    Halt,
    /// What stops the work is raised.
    Stop,
}

/// A port that a goal comes by.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Event {
    /// Which.
    pub(crate) port: Port,
    /// What is known of the goal: a term of [`frame`].
    pub(crate) frame: Cell,
    /// May goals be run meanwhile?
    pub(crate) may_run: bool,
    /// May the goal be called again?
    pub(crate) may_retry: bool,
    /// Is the port shown because of a spy point?
    pub(crate) spied: bool,
    /// Where the goal goes on.
    pub(crate) stand: Stand,
}

impl Event {
    /// Can the query wait for a session within? An exception can be kept meanwhile.
    pub(crate) fn may_break(&self) -> bool {
        self.may_run || self.port == Port::Exception
    }
}

/// What a spy point does.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Spy {
    /// The tracer stops and asks.
    Stop,
    /// The tracer shows the ports and goes on.
    Show,
}

/// What the tracer was told.
#[derive(Debug)]
pub(crate) struct Tracer {
    /// What it does.
    pub(crate) mode: Mode,
    /// It does nothing while this is not zero: the system runs something of its own.
    pub(crate) suspended: u32,
    /// The predicates with spy points: definitions.
    pub(crate) spied: FastMap<PredId, Spy>,
    /// The ports at which it asks.
    pub(crate) leash: u8,
    /// The ports that are shown.
    pub(crate) visible: u8,
    /// How deep terms are shown; 0 for no limit.
    pub(crate) depth: u32,
    /// Where the present assumption stands: file and line.
    pub(crate) origin: Option<(u32, u32)>,
    /// Did it begin to note what is assumed?
    pub(in crate::machine) records: bool,
    /// Is the exception that has just been raised to wait for a session within?
    pub(in crate::machine) holds_exception: bool,
    /// Was the goal that call/N is about to call written by the user?
    pub(in crate::machine) from_user: bool,
    /// The number of goals so far.
    pub(in crate::machine) count: i64,
    /// The generation of the database in which that was found out.
    pub(in crate::machine) generation: u64,
    /// Which addresses lie in clauses of the user's.
    pub(in crate::machine) code: FastMap<CodeAddr, Option<InClause>>,
}

impl Default for Tracer {
    fn default() -> Tracer {
        Tracer {
            mode: Mode::Off,
            suspended: 0,
            spied: FastMap::default(),
            leash: LEASHED,
            visible: ALL_PORTS,
            depth: 10,
            origin: None,
            records: false,
            holds_exception: false,
            from_user: true,
            count: 0,
            generation: 0,
            code: FastMap::default(),
        }
    }
}

impl Tracer {
    /// Is anything to be looked at?
    #[inline]
    pub(crate) fn is_on(&self) -> bool {
        self.suspended == 0
            && match self.mode {
                Mode::Off => false,
                Mode::Leap => !self.spied.is_empty(),
                Mode::Creep | Mode::Skip(_) => true,
            }
    }

    /// Are goals of this depth shown?
    pub(in crate::machine) fn shows_depth(&self, depth: i64) -> bool {
        match self.mode {
            Mode::Off | Mode::Leap => false,
            Mode::Creep => true,
            Mode::Skip(highest) => depth <= highest,
        }
    }
}

/// The arguments of the term that stands for a goal under way.
pub(crate) mod frame {
    /// The goal, with its module.
    pub(crate) const GOAL: usize = 0;
    /// Its number.
    pub(crate) const NUMBER: usize = 1;
    /// How deep it is.
    pub(crate) const DEPTH: usize = 2;
    /// The goal that called it, or none.
    pub(crate) const PARENT: usize = 3;
    /// Its predicate.
    pub(crate) const PREDICATE: usize = 4;
    /// The address of the instruction that called it.
    pub(crate) const SITE: usize = 5;
    /// How many collections and exceptions were under way when it was called.
    pub(crate) const DEPTHS: usize = 6;
    pub(crate) const COUNT: usize = 7;
}

/// What is known of an instruction in a clause of the user's.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct InClause {
    /// The predicate of the clause; none if programs know it by another name.
    pub(crate) predicate: Option<PredId>,
    /// Does the clause stand in a file?
    pub(crate) in_file: bool,
    /// Has the clause an environment there?
    pub(crate) environment: bool,
}

/// Where a goal goes on: which clauses wait for it can be told from there.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Stand {
    /// The instruction of a goal that is done in place; 0 for one that is called.
    pub(in crate::machine) within: CodeAddr,
    /// Its continuation.
    pub(in crate::machine) next: CodeAddr,
    /// The environment there.
    pub(in crate::machine) env: EnvAddr,
}
