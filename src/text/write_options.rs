//! The options of `write_term/2,3` (ISO 7.10.4 and what other systems add), and what the writer
//! needs to know of an engine.

use crate::base::atom_table::{Atom, Symbols, atoms};
use crate::base::flags::Flags;
use crate::base::op_table::OpTable;
use crate::store::cell::Cell;
use crate::store::heap::Store;

/// What the writer looks things up in.
#[derive(Copy, Clone)]
pub(crate) struct WriteEnv<'a> {
    /// The terms.
    pub(crate) store: &'a Store,
    /// The names.
    pub(crate) symbols: &'a Symbols,
    /// The operators in force.
    pub(crate) ops: &'a OpTable,
    /// The flags in force.
    pub(crate) flags: &'a Flags,
}

/// Where blanks go that no token needs.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Spacing {
    /// Nowhere.
    Standard,
    /// After the comma between arguments.
    NextArgument,
}

/// How attributed variables are written.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum AttributeMode {
    /// As variables.
    Ignore,
    /// As variables, each followed by its attributes in braces.
    Write,
}

/// Options of one act of writing.
#[derive(Clone, Debug)]
pub(crate) struct WriteOptions {
    /// Quote atoms and strings where reading back needs it.
    pub(crate) quoted: bool,
    /// Write every compound in functional notation, lists and braces too unless said otherwise.
    pub(crate) ignore_ops: bool,
    /// Write `'$VAR'(N)` as a variable name.
    pub(crate) numbervars: bool,
    /// Write `...` for what lies deeper; 0 for no limit.
    pub(crate) max_depth: u32,
    /// Blanks.
    pub(crate) spacing: Spacing,
    /// Greatest priority of a term without brackets around it.
    pub(crate) priority: u16,
    /// The term is the operand of an operator: an operator that is an atom stands in brackets.
    pub(crate) operand: bool,
    /// The module with the operators.
    pub(crate) module: Atom,
    /// Names of variables; of two for the same variable the first counts.
    pub(crate) variable_names: Vec<(Cell, String)>,
    /// Lists as `'.'(H,T)`; by default as `ignore_ops` says.
    pub(crate) dotlists: Option<bool>,
    /// `{}(X)` as `{X}`; by default unless `ignore_ops`.
    pub(crate) brace_terms: Option<bool>,
    /// Use escape sequences in quoted items; by default as the flag says.
    pub(crate) character_escapes: Option<bool>,
    /// Attributed variables.
    pub(crate) attributes: AttributeMode,
    /// Name the subterms that close cycles, as in `@(S_1,[S_1=f(S_1)])`. Without it they are
    /// written as `...`.
    pub(crate) cycles: bool,
    /// Write lists of character codes as text, while the flag `portray_text` is set.
    pub(crate) text_lists: bool,
    /// End with a full stop.
    pub(crate) fullstop: bool,
    /// End with a new line.
    pub(crate) nl: bool,
}

impl Default for WriteOptions {
    fn default() -> WriteOptions {
        WriteOptions {
            quoted: false,
            ignore_ops: false,
            numbervars: false,
            max_depth: 0,
            spacing: Spacing::Standard,
            priority: 1200,
            operand: false,
            module: atoms::USER,
            variable_names: Vec::new(),
            dotlists: None,
            brace_terms: None,
            character_escapes: None,
            attributes: AttributeMode::Ignore,
            cycles: true,
            text_lists: false,
            fullstop: false,
            nl: false,
        }
    }
}

impl WriteOptions {
    /// The options of `write/1`.
    pub(crate) fn write() -> WriteOptions {
        WriteOptions {
            numbervars: true,
            ..WriteOptions::default()
        }
    }

    /// The options of `writeq/1`.
    pub(crate) fn writeq() -> WriteOptions {
        WriteOptions {
            quoted: true,
            numbervars: true,
            ..WriteOptions::default()
        }
    }

    /// The options of `print/1`, apart from `portray/1`, which is a matter of the caller.
    pub(crate) fn print() -> WriteOptions {
        WriteOptions {
            text_lists: true,
            ..WriteOptions::writeq()
        }
    }

    /// The options of `write_canonical/1`.
    pub(crate) fn write_canonical() -> WriteOptions {
        WriteOptions {
            quoted: true,
            ignore_ops: true,
            ..WriteOptions::default()
        }
    }
}
