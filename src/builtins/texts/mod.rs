//! The builtins on atoms, characters and strings: length, parts, joining, conversion, classes of characters (ISO
//! 8.16). Terms as texts and `format/2` are in `builtins::term_io`, characters of streams in `builtins::streams`.
#![forbid(unsafe_code)]

pub(crate) mod atom_lists;
pub(crate) mod atoms;
pub(crate) mod atoms_sub;
pub(crate) mod char_types;
pub(crate) mod strings;

use crate::machine::builtin::Builtin;

/// Tables of the builtins in this folder.
pub(crate) const TABLES: &[&[Builtin]] = &[
    atoms::ATOMS,
    atoms_sub::ATOMS_SUB,
    strings::STRINGS,
    atom_lists::ATOM_LISTS,
    char_types::CHAR_TYPES,
];
