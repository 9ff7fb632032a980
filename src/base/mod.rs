//! The foundation of all other parts: atoms, functors, numbers, operators, flags, source places. It knows nothing of
//! terms, which are in `store`, of the machine or of files.
//! Sees no other room.
pub(crate) mod alarm;
pub(crate) mod atom_table;
pub(crate) mod char_index;
pub(crate) mod digits;
pub(crate) mod flags;
mod frozen_names;
mod functor_table;
pub(crate) mod growth;
pub(crate) mod json;
pub(crate) mod locks;
pub(crate) mod named;
pub(crate) mod natural;
pub(crate) mod needs;
pub(crate) mod number;
pub(crate) mod once;
pub(crate) mod op_table;
pub(crate) mod panics;
pub(crate) mod passing_text;
pub(crate) mod quotient;
pub(crate) mod reciprocal;
pub(crate) mod shared;
pub(crate) mod source;
pub(crate) mod split_map;
pub(crate) mod stop;
pub(crate) mod symbol_marks;
pub(crate) mod sync;
mod text_table;
pub(crate) mod transform;
pub(crate) mod warning;
pub(crate) mod watch;
