//! The machine: the registers of a run, its areas, and the world that it runs in.

use super::builtin::Builtin;
use super::regs::Regs;
use super::run::Run;
use super::upper::Upper;
use super::world::World;
use crate::base::flags::OccursCheck;
use crate::base::stop::Stop;
use crate::store::cell::{Addr, Cell};
use crate::store::heap::Store;

/// Number of registers: those of compiled code, and a few for the machine's own choice points.
pub(crate) const REGISTERS: usize = crate::code::instruction::REGISTERS + 8;
/// Greatest arity of a predicate.
pub(crate) const MAX_PREDICATE_ARITY: usize = 255;

/// How a machine was asked to be.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Limits {
    /// Bytes of all areas together.
    pub(crate) memory: usize,
}

/// A slow form of an instruction: from the registers in [`Machine::saved`] to the new
/// registers there, with the word of the instruction and two operands that it has found.
pub(crate) type RareForm = fn(&mut Machine, u64, u64, u64);

/// A slow form that is to be done, and what it is done with.
#[derive(Copy, Clone)]
pub(crate) struct Rare {
    /// Its instruction.
    pub(super) at: Addr,
    pub(super) form: RareForm,
    pub(super) operands: (u64, u64),
}

impl Rare {
    /// Nothing is to be done.
    pub(crate) const NONE: Rare = Rare {
        at: 0,
        form: |_, _, _, _| (),
        operands: (0, 0),
    };
}

/// A run, and the world that it runs in.
///
/// Registers carry the letter of the WAM literature in their doc comment. Inside the dispatch loop
/// P, H, S and E live in local variables (see `dispatch`); the fields are then out of date.
#[repr(C)]
pub(crate) struct Machine {
    /// A1, …, X1, …: argument and temporary registers.
    pub(crate) x: [Cell; REGISTERS],
    /// Heap, trail and their registers H, HB, TR.
    pub(crate) store: Store,
    /// E: the present environment.
    pub(crate) env: u64,
    /// CP: where the present goal continues.
    pub(crate) cont: u64,
    /// The registers while an instruction is done out of line.
    pub(crate) saved: Regs,
    /// The slow form of an instruction that is to be done, with its arguments.
    pub(crate) rare: Rare,
    /// B: the newest choice point.
    pub(crate) choice: u64,
    /// B0: the choice point at the present predicate's call.
    pub(crate) cut_choice: u64,
    /// Environments below this address are kept by a choice point.
    pub(crate) env_floor: u64,
    /// The newest choice point of a pending cleanup, 0 for none.
    pub(crate) cleanup_choice: u64,
    /// Entry addresses of all predicates.
    pub(crate) entries: u64,
    /// Counts calls; it overflows when a budget may be spent.
    pub(crate) calls: u64,
    /// The other parts of the run.
    pub(crate) run: Run,
    /// What outlives it.
    pub(crate) world: Box<World>,
}

impl Machine {
    /// A machine that knows these builtins and no predicates.
    pub(crate) fn new(
        builtins: Vec<&'static Builtin>,
        upper: &'static dyn Upper,
        limits: Limits,
    ) -> Result<Box<Machine>, Stop> {
        let store = Store::new(limits.memory)?;
        let (env, choice) = (store.env.base, store.choice.base);
        let world = World::new(builtins, upper, &store);
        let mut machine = Box::new(Machine {
            x: [Cell::int(0); REGISTERS],
            store,
            env,
            cont: 0,
            saved: Regs::NONE,
            rare: Rare::NONE,
            choice,
            cut_choice: choice,
            env_floor: env,
            cleanup_choice: 0,
            entries: 0,
            calls: 0,
            run: Run::new(limits),
            world,
        });
        machine.prepare();
        Ok(machine)
    }

    /// Makes it ready for text to be loaded.
    fn prepare(&mut self) {
        self.world.symbols.set_memory(self.store.area_bytes());
        self.define_system_predicates();
        self.reset_stacks();
        self.run.tail_calls = super::dispatch::tail_calls_hold(self);
        self.reset_stacks();
    }

    /// Unifies two terms (7.3.2); with the flag `occurs_check`, to acyclic terms only.
    #[inline]
    pub(crate) fn unify(&mut self, a: Cell, b: Cell) -> bool {
        if self.world.flags.occurs_check != OccursCheck::False {
            return self.store.unify_occurs_check(a, b);
        }
        self.store.unify(a, b)
    }
}
