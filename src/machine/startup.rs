//! Creation of a machine.
#![forbid(unsafe_code)]

use super::builtin::Builtin;
use super::dispatch::regs::{REGISTERS, Regs};
use super::run::Run;
use super::state::{Machine, Rare};
use super::upper_layers::Upper;
use super::world::World;
use crate::base::stop::Stop;
use crate::store::address::{ChoiceAddr, CodeAddr};
use crate::store::cell::Cell;
use crate::store::heap::Store;

impl Machine {
    /// Creates a machine that knows these builtins and no predicates. Its areas take `memory` bytes together.
    pub(crate) fn new(
        builtins: &'static [&'static Builtin],
        upper: &'static dyn Upper<Machine>,
        memory: usize,
    ) -> Result<Box<Machine>, Stop> {
        let store = Store::resting(memory);
        let world = World::new(builtins, upper, &store)?;
        let mut machine = Machine::from_world(world, store, memory);
        machine.store.wake()?;
        machine.prepare()?;
        Ok(machine)
    }

    /// Creates a machine that runs goals in this world.
    pub(super) fn from_world(world: Box<World>, store: Store, memory: usize) -> Box<Machine> {
        let (env, choice) = (store.env.base, store.choice.base);
        let entries = world.predicates.entries();
        let mut machine = Box::new(Machine {
            x: [Cell::int(0); REGISTERS],
            store,
            env,
            cont: CodeAddr::NONE,
            saved: Regs::NONE,
            rare: Rare::NONE,
            choice,
            cut_choice: choice,
            env_floor: env,
            cleanup_choice: ChoiceAddr::NONE,
            entries,
            calls: 0,
            run: Run::new(memory),
            world,
        });
        let memory = machine.store.area_bytes();
        machine.world.symbols.set_memory(memory);
        machine
    }

    /// Reserves the areas and makes the machine ready for goals, if it rests.
    ///
    /// # Errors
    /// Returns an error if the system refuses memory.
    pub(crate) fn wake(&mut self) -> Result<(), Stop> {
        if self.store.is_resting() {
            self.store.wake()?;
            let memory = self.store.area_bytes();
            self.world.symbols.set_memory(memory);
            self.reset_stacks();
        }
        Ok(())
    }

    /// Makes the machine ready to load text.
    fn prepare(&mut self) -> Result<(), Stop> {
        self.define_system_predicates()?;
        self.reset_stacks();
        self.run.tail_calls = super::dispatch::forms::tail_calls_hold(self);
        self.reset_stacks();
        Ok(())
    }
}
