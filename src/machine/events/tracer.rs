//! The four-port tracer (Byrd, "Understanding the control flow of Prolog programs", 1980): its settings,
//! its ports and the active goals.
//!
//! While goals are traced instructions run one at a time (`dispatch::forms`). Each call that may be shown makes a choice
//! point and a frame of its own (`ops::trace`), which mark its success, its failure and its further solutions. Its goal is
//! a term on the heap that refers to the goal that called it. So the active goals are a trailed list, innermost first.
#![forbid(unsafe_code)]

use crate::base::atom_table::FastMap;
use crate::base::named::named;
use crate::program::predicate::PredId;
use crate::store::address::{CodeAddr, EnvAddr};
use crate::store::cell::Cell;

named! {
    /// A port of a goal.
    #[repr(u8)]
    Port {
        /// The goal is called.
        Call = 1 "Call",
        /// The goal has succeeded.
        Exit = 2 "Exit",
        /// Backtracking looks for a further solution of the goal.
        Redo = 4 "Redo",
        /// The goal has no solution, or no further one.
        Fail = 8 "Fail",
        /// An exception leaves the goal.
        Exception = 16 "Exception",
        /// Something was assumed.
        Assume = 32 "Assume",
        /// An assumption was used.
        Consume = 64 "Consume",
    }
}

/// The ports at which the tracer stops by default: those of goals.
pub(crate) const LEASHED: u8 = 31;
/// All ports.
pub(crate) const ALL_PORTS: u8 = 127;

/// The action of the tracer at a call.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Default)]
pub(crate) enum Mode {
    /// The tracer does nothing.
    #[default]
    Off,
    /// The tracer stops at spy points.
    Leap,
    /// The tracer shows all goals.
    Creep,
    /// The tracer shows goals of this depth or less.
    Skip(i64),
}

/// The action after a port was shown.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    /// Go on.
    Go,
    /// Let the goal fail.
    Fail,
    /// Call the goal again.
    Retry,
    /// Let the goal, which is about to be called, succeed without a call.
    Ignore,
    /// End the query.
    Abort,
    /// Pause the query for a nested session; then show the port again.
    Break,
    /// End the process.
    Halt,
    /// Raise the exception that stops the work.
    Stop,
}

/// The arrival of a goal at a port.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Event {
    /// The port.
    pub(crate) port: Port,
    /// The record of the goal: a term of [`frame`].
    pub(crate) frame: Cell,
    /// Whether goals may run meanwhile.
    pub(crate) may_run: bool,
    /// Whether the goal may be called again.
    pub(crate) may_retry: bool,
    /// Whether a spy point causes the port to be shown.
    pub(crate) spied: bool,
    /// The place where the goal continues.
    pub(crate) stand: GoalPlace,
}

impl Event {
    /// Returns whether the query can pause for a nested session. An exception can be kept meanwhile.
    pub(crate) fn may_break(&self) -> bool {
        self.may_run || self.port == Port::Exception
    }
}

/// The action of a spy point.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Spy {
    /// The tracer stops and waits for a command.
    Stop,
    /// The tracer shows the ports and goes on.
    Show,
}

/// The settings and the state of the tracer.
#[derive(Debug)]
pub(crate) struct Tracer {
    /// The mode of the tracer.
    pub(crate) mode: Mode,
    /// The tracer does nothing while this is not zero: the system runs work of its own.
    pub(crate) suspended: u32,
    /// The predicates with spy points, as definitions.
    pub(crate) spied: FastMap<PredId, Spy>,
    /// The ports at which the tracer stops.
    pub(crate) leash: u8,
    /// The ports that are shown.
    pub(crate) visible: u8,
    /// The depth to which terms are shown; 0 for no limit.
    pub(crate) depth: u32,
    /// The file and line of the present assumption.
    pub(crate) origin: Option<(u32, u32)>,
    /// Whether the tracer has started recording assumptions.
    pub(in crate::machine) records: bool,
    /// Whether the exception that was just raised waits for a nested session.
    pub(in crate::machine) holds_exception: bool,
    /// Whether the user wrote the goal that call/N is about to call.
    pub(in crate::machine) from_user: bool,
    /// The number of goals so far.
    pub(in crate::machine) count: i64,
    /// The generation of the database that `code` is valid for.
    pub(in crate::machine) generation: u64,
    /// For each known address, the user's clause that contains it, if any.
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
    /// Returns whether the tracer needs to examine instructions.
    #[inline]
    pub(crate) fn is_on(&self) -> bool {
        self.suspended == 0
            && match self.mode {
                Mode::Off => false,
                Mode::Leap => !self.spied.is_empty(),
                Mode::Creep | Mode::Skip(_) => true,
            }
    }

    /// Returns whether goals of this depth are shown.
    pub(in crate::machine) fn shows_depth(&self, depth: i64) -> bool {
        match self.mode {
            Mode::Off | Mode::Leap => false,
            Mode::Creep => true,
            Mode::Skip(highest) => depth <= highest,
        }
    }
}

/// The arguments of the term of an active goal.
pub(crate) mod frame {
    /// The goal, with its module.
    pub(crate) const GOAL: usize = 0;
    /// The number of the goal.
    pub(crate) const NUMBER: usize = 1;
    /// The depth of the goal.
    pub(crate) const DEPTH: usize = 2;
    /// The goal that called this goal, or none.
    pub(crate) const PARENT: usize = 3;
    /// The predicate of the goal.
    pub(crate) const PREDICATE: usize = 4;
    /// The address of the instruction that called the goal.
    pub(crate) const SITE: usize = 5;
    /// The numbers of collections of solutions and of shielded goals when it was called.
    pub(crate) const DEPTHS: usize = 6;
    pub(crate) const COUNT: usize = 7;
}

/// Information about an instruction in the user's clause.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct InClause {
    /// The predicate of the clause; `None` if programs know it by another name.
    pub(crate) predicate: Option<PredId>,
    /// Whether the clause comes from a file.
    pub(crate) in_file: bool,
    /// Whether the clause has an environment at this instruction.
    pub(crate) environment: bool,
}

/// The place where a goal continues. The clauses that wait for the goal can be found from it.
#[derive(Copy, Clone, Debug)]
pub(crate) struct GoalPlace {
    /// The instruction of a goal that runs in place; 0 for a goal that is called.
    pub(in crate::machine) within: CodeAddr,
    /// The continuation of the goal.
    pub(in crate::machine) next: CodeAddr,
    /// The environment there.
    pub(in crate::machine) env: EnvAddr,
}
