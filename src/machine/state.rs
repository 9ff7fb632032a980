//! The machine: the registers of a run, its areas, and the world that it runs in.
#![forbid(unsafe_code)]

use super::dispatch::regs::{REGISTERS, Regs};
use super::run::Run;
use super::world::World;
use crate::base::flags::OccursCheck;
use crate::base::stop::{Questions, Stop};
use crate::store::address::{Addr, ChoiceAddr, CodeAddr, EnvAddr, kind};
use crate::store::cell::Cell;
use crate::store::heap::Store;

/// A slow form of an instruction. It reads the registers in [`Machine::saved`] and writes the new ones there. It gets
/// the word of the instruction and two operands that the instruction has found.
pub(crate) type RareForm = fn(&mut Machine, u64, u64, u64);

/// A slow form that is to be run, with its operands.
#[derive(Copy, Clone)]
pub(crate) struct Rare {
    /// The address of the instruction.
    pub(super) at: CodeAddr,
    pub(super) form: RareForm,
    pub(super) operands: (u64, u64),
}

impl Rare {
    /// No slow form.
    pub(crate) const NONE: Rare = Rare {
        at: CodeAddr::NONE,
        form: |_, _, _, _| (),
        operands: (0, 0),
    };
}

/// A run, and the world that it runs in.
///
/// The doc comments give the letters that the WAM literature uses for registers. During the dispatch loop P, H, S and
/// E are in local variables (see `dispatch`), and the fields are out of date.
#[repr(C)]
pub(crate) struct Machine {
    /// A1, …, X1, …: argument and temporary registers.
    pub(crate) x: [Cell; REGISTERS],
    /// Heap, trail and their registers H, HB, TR.
    pub(crate) store: Store,
    /// E: the current environment.
    pub(crate) env: EnvAddr,
    /// CP: the continuation of the current goal.
    pub(crate) cont: CodeAddr,
    /// The registers while an instruction runs out of line.
    pub(crate) saved: Regs,
    /// The slow form that is to be run, with its operands.
    pub(crate) rare: Rare,
    /// B: the newest choice point.
    pub(crate) choice: ChoiceAddr,
    /// B0: the choice point at the call of the current predicate.
    pub(crate) cut_choice: ChoiceAddr,
    /// A choice point protects the environments below this address.
    pub(crate) env_floor: EnvAddr,
    /// The newest choice point with a pending cleanup, 0 for none.
    pub(crate) cleanup_choice: ChoiceAddr,
    /// Entry addresses of all predicates.
    pub(crate) entries: Addr<kind::Entries>,
    /// Counter of calls; it overflows when a budget may be spent.
    pub(crate) calls: u64,
    /// The other parts of the run.
    pub(crate) run: Run,
    /// The state that outlives the run.
    pub(crate) world: Box<World>,
}

impl Machine {
    /// Unifies two terms (7.3.2). With the flag `occurs_check`, acyclic terms only.
    #[inline]
    pub(crate) fn unify(&mut self, a: Cell, b: Cell) -> Result<bool, Stop> {
        if self.world.flags.occurs_check != OccursCheck::False {
            return self.store.unify_occurs_check(a, b);
        }
        self.store.unify(a, b)
    }

    /// Unifies terms with other terms, pair by pair, until a pair does not unify.
    pub(crate) fn unify_all(&mut self, terms: &[Cell], others: &[Cell]) -> Result<bool, Stop> {
        let pairs = terms.iter().zip(others);
        pairs.try_all(|(&term, &other)| self.unify(term, other))
    }
}
