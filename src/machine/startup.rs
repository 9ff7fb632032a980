//! A new machine.
#![forbid(unsafe_code)]

use super::builtin::Builtin;
use super::dispatch::regs::{REGISTERS, Regs};
use super::run::{Limits, Run};
use super::state::{Machine, Rare};
use super::upper_layers::Upper;
use super::world::World;
use crate::base::stop::Stop;
use crate::store::address::{Addr, ChoiceAddr, CodeAddr};
use crate::store::cell::Cell;
use crate::store::heap::Store;

impl Machine {
    /// A machine that knows these builtins and no predicates.
    pub(crate) fn new(
        builtins: &'static [&'static Builtin],
        upper: &'static dyn Upper<Machine>,
        limits: Limits,
    ) -> Result<Box<Machine>, Stop> {
        let store = Store::new(limits.memory)?;
        let (env, choice) = (store.env.base, store.choice.base);
        let world = World::new(builtins, upper, &store)?;
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
            entries: Addr::NONE,
            calls: 0,
            run: Run::new(limits),
            world,
        });
        machine.prepare()?;
        Ok(machine)
    }

    /// Makes it ready for text to be loaded.
    fn prepare(&mut self) -> Result<(), Stop> {
        self.world.symbols.set_memory(self.store.area_bytes());
        self.define_system_predicates()?;
        self.reset_stacks();
        self.run.tail_calls = super::dispatch::forms::tail_calls_hold(self);
        self.reset_stacks();
        Ok(())
    }
}
