//! Library predicates that belong to the system in SWI-Prolog. Programs can see them before any library is loaded.

use crate::base::atom_table::Functor;
use crate::machine::state::Machine;

/// Names and numbers of arguments, in order.
const OF_LIBRARIES: [(&str, usize); 43] = [
    ("abolish_all_tables", 0),
    ("acyclic_term", 1),
    ("break", 0),
    ("call_with_depth_limit", 3),
    ("call_with_inference_limit", 3),
    ("current_key", 1),
    ("current_table", 2),
    ("cyclic_term", 1),
    ("findnsols", 4),
    ("findnsols", 5),
    ("flag", 3),
    ("freeze", 2),
    ("frozen", 2),
    ("is_thread", 1),
    ("leash", 1),
    ("mutex_create", 1),
    ("mutex_destroy", 1),
    ("mutex_lock", 1),
    ("mutex_trylock", 1),
    ("mutex_unlock", 1),
    ("mutex_unlock_all", 0),
    ("normalize_space", 2),
    ("notrace", 0),
    ("notrace", 1),
    ("numbervars", 4),
    ("print_message", 2),
    ("print_message_lines", 3),
    ("recorded", 2),
    ("recorded", 3),
    ("sub_atom_icasechk", 3),
    ("table", 1),
    ("term_hash", 2),
    ("term_singletons", 2),
    ("term_variables", 2),
    ("term_variables", 3),
    ("thread_local", 1),
    ("thread_self", 1),
    ("trace", 0),
    ("tracing", 0),
    ("visible", 1),
    ("with_mutex", 2),
    ("write_length", 3),
    ("writeln", 2),
];

/// Returns whether this is the name of a library predicate that programs see as one of the system.
pub(in crate::builtins) fn is_system_name(m: &Machine, functor: Functor) -> bool {
    let name = m.world.symbols.name_text(functor);
    let Some(first) = name.bytes().next() else {
        return false;
    };
    // Most names differ in the first byte.
    let order = |&(known, arity): &(&str, usize)| {
        let rest = || (known, arity).cmp(&(name, functor.arity()));
        known.as_bytes()[0].cmp(&first).then_with(rest)
    };
    OF_LIBRARIES.binary_search_by(order).is_ok()
}

#[cfg(test)]
mod tests {
    use super::OF_LIBRARIES;

    #[test]
    fn the_names_are_in_order() {
        assert!(OF_LIBRARIES.is_sorted());
    }
}
