//! What texts of the host are read with where texts of others are loaded: the operators, flags and conversions that were
//! there before these.
#![forbid(unsafe_code)]

use super::state::Machine;
use crate::base::atom_table::{Atom, FastMap};
use crate::base::flags::{Flags, UnknownAction};
use crate::base::shared::Shared;
use crate::program::operators::Operators;

/// What the text of a query means. All of it is shared with the program of the engine, as are its names.
#[derive(Clone)]
pub(crate) struct HostScope {
    operators: Operators,
    flags: Flags,
    char_conversions: Shared<FastMap<char, char>>,
    /// The module of queries.
    module: Atom,
}

impl HostScope {
    /// What a machine reads texts with now.
    pub(crate) fn of(m: &Machine) -> HostScope {
        HostScope {
            operators: m.world.modules.operators().clone(),
            flags: m.world.flags.clone(),
            char_conversions: m.world.char_conversions.clone(),
            module: m.world.source_module,
        }
    }

    /// The module that queries are asked in.
    pub(crate) fn module(&self) -> Atom {
        self.module
    }

    /// The flag `unknown` of goals of queries.
    pub(crate) fn unknown(&self) -> UnknownAction {
        self.flags.unknown
    }

    /// Has the machine read and write with what is in here, and keeps what it had.
    pub(crate) fn swap(&mut self, m: &mut Machine) {
        let world = &mut *m.world;
        world.modules.swap_operators(&mut self.operators);
        std::mem::swap(&mut world.flags, &mut self.flags);
        std::mem::swap(&mut world.char_conversions, &mut self.char_conversions);
        std::mem::swap(&mut world.source_module, &mut self.module);
    }
}
