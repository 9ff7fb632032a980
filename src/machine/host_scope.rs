//! The operators, flags and character conversions that the host reads its texts with. They stay as they were
//! before other texts were loaded.
#![forbid(unsafe_code)]

use super::state::Machine;
use crate::base::atom_table::{Atom, FastMap};
use crate::base::flags::{Flags, UnknownAction};
use crate::base::shared::Shared;
use crate::program::operators::Operators;

/// The settings that give the text of a query its meaning. The engine shares all of them, and the names, with its program.
#[derive(Clone)]
pub(crate) struct HostScope {
    operators: Operators,
    flags: Flags,
    char_conversions: Shared<FastMap<char, char>>,
    /// The module of queries.
    module: Atom,
}

impl HostScope {
    /// Returns the settings that the machine reads texts with now.
    pub(crate) fn of(m: &Machine) -> HostScope {
        HostScope {
            operators: m.world.modules.operators().clone(),
            flags: m.world.flags.clone(),
            char_conversions: m.world.char_conversions.clone(),
            module: m.world.source_module,
        }
    }

    /// Returns the module that queries run in.
    pub(crate) fn module(&self) -> Atom {
        self.module
    }

    /// Returns the flag `unknown` for goals of queries.
    pub(crate) fn unknown(&self) -> UnknownAction {
        self.flags.unknown
    }

    /// Exchanges these settings with those of the machine, so that the machine reads and writes with these.
    pub(crate) fn swap(&mut self, m: &mut Machine) {
        let world = &mut *m.world;
        world.modules.swap_operators(&mut self.operators);
        std::mem::swap(&mut world.flags, &mut self.flags);
        std::mem::swap(&mut world.char_conversions, &mut self.char_conversions);
        std::mem::swap(&mut world.source_module, &mut self.module);
    }
}
