//! Hooks: predicates that programs may define and the system calls. A call of an undefined hook fails. Clauses in any
//! file make the hook dynamic and multifile, as if it had always been so.
#![forbid(unsafe_code)]

use crate::base::atom_table::{Atom, Functor, atoms};
use crate::machine::state::Machine;
use crate::program::predicate::{Kind, PredId, Predicate};

/// A name and a number of arguments.
type Indicator = (&'static str, usize);

/// The hooks of `user`.
const OF_USER: [Indicator; 19] = [
    ("exception", 3),
    ("expand_answer", 2),
    ("expand_query", 4),
    ("file_search_path", 2),
    ("goal_expansion", 2),
    ("goal_expansion", 4),
    ("library_directory", 1),
    ("message_hook", 3),
    ("message_property", 2),
    ("portray", 1),
    ("prolog_file_type", 2),
    ("prolog_list_goal", 1),
    ("prolog_load_file", 2),
    ("resource", 2),
    ("resource", 3),
    ("term_expansion", 2),
    ("term_expansion", 4),
    ("thread_message_hook", 3),
    ("prolog_exception_hook", 5),
];

/// The hooks of `system`.
const OF_SYSTEM: [Indicator; 4] = [
    ("goal_expansion", 2),
    ("goal_expansion", 4),
    ("term_expansion", 2),
    ("term_expansion", 4),
];

/// The hooks of `prolog`.
const OF_PROLOG: [Indicator; 26] = [
    ("assertion_failed", 2),
    ("called_by", 2),
    ("comment_hook", 3),
    ("confirm", 2),
    ("deprecated", 3),
    ("deprecated", 4),
    ("error_message", 3),
    ("error_message", 4),
    ("heartbeat", 0),
    ("history_line", 2),
    ("initialize_now", 2),
    ("message", 3),
    ("message", 4),
    ("message_context", 3),
    ("message_context", 4),
    ("message_line_element", 2),
    ("message_location", 3),
    ("message_location", 4),
    ("message_prefix_hook", 2),
    ("open_source_hook", 3),
    ("rename_predicate", 2),
    ("sandbox_allowed_clause", 1),
    ("sandbox_allowed_directive", 1),
    ("sandbox_allowed_expansion", 1),
    ("sandbox_allowed_goal", 1),
    ("tripwire", 2),
];

impl Machine {
    /// Returns whether the predicate is a hook of the system.
    pub(crate) fn is_hook(&self, predicate: &Predicate) -> bool {
        self.is_hook_of(predicate.module, predicate.functor)
    }

    /// Returns whether a call in this module refers to a hook of the system.
    pub(crate) fn means_hook(&self, module: Atom, functor: Functor) -> bool {
        self.is_hook_of(module, functor)
            || (!self.is_system_module(module) && self.is_hook_of(atoms::USER, functor))
    }

    /// Returns whether programs may define this predicate of a system module, or add clauses to it.
    pub(super) fn is_hook_of_system(&self, module: Atom, functor: Functor) -> bool {
        let open = |id: PredId| self.world.predicates.get(id).traits.multifile;
        self.is_hook_of(module, functor)
            || self
                .world
                .predicates
                .find(module, functor)
                .is_some_and(open)
    }

    fn is_hook_of(&self, module: Atom, functor: Functor) -> bool {
        let known: &[Indicator] = match module {
            atoms::USER => &OF_USER,
            atoms::SYSTEM => &OF_SYSTEM,
            _ if self.world.symbols.text(module) == "prolog" => &OF_PROLOG,
            _ => return false,
        };
        let name = self.world.symbols.name_text(functor);
        known.contains(&(name, functor.arity()))
    }

    /// Returns whether the program defines `user:exception/3` to handle undefined predicates.
    pub(crate) fn handles_undefined(&self) -> bool {
        self.world
            .predicates
            .get(self.world.foundation.system.exception)
            .clauses
            .len()
            > 0
    }

    /// Returns whether the machine must request the definition of this undefined predicate from the program. It need
    /// not if a library of the system has a definition, which the predicate then imports.
    pub(in crate::machine) fn must_request_definition(&mut self, id: PredId) -> bool {
        if !self.handles_undefined() {
            return false;
        }
        let predicate = self.world.predicates.get(id);
        let module = predicate.module;
        predicate.kind == Kind::Undefined
            && !predicate.traits.defined
            && !predicate.traits.deferred
            && module != atoms::LOLLI
            && !self.is_system_module(module)
            && !self.means_hook(module, self.world.predicates.get(id).functor)
            && !self.is_assumed(id)
            // An error of the search is reported where its result is used.
            && matches!(self.find_definition(id), Ok(false))
    }
}
