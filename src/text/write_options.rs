//! The options of `write_term/2,3` (ISO 7.10.4 and those of other systems), and the parts of an
//! engine that the writer needs.

use crate::base::atom_table::{Atom, Symbols, atoms};
use crate::base::flags::Flags;
use crate::base::op_table::OpTable;
use crate::store::cell::Cell;
use crate::store::heap::Store;

/// The tables that the writer uses.
#[derive(Copy, Clone)]
pub(crate) struct WriteEnv<'a> {
    /// The terms.
    pub(crate) store: &'a Store,
    /// The names.
    pub(crate) symbols: &'a Symbols,
    /// The current operators.
    pub(crate) ops: &'a OpTable,
    /// The current flags.
    pub(crate) flags: &'a Flags,
}

/// The optional blanks.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Spacing {
    /// None.
    Standard,
    /// After the comma between arguments.
    NextArgument,
}

/// The treatment of attributed variables.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum AttributeMode {
    /// Attributed variables are written as variables.
    Ignore,
    /// Attributed variables are written as variables, each followed by its attributes in braces.
    Write,
}

/// The options of one write operation.
#[derive(Clone, Debug)]
pub(crate) struct WriteOptions {
    /// Quote atoms and strings if reading them back requires it.
    pub(crate) quoted: bool,
    /// Write every compound term in functional notation, including lists and braces unless their
    /// options differ.
    pub(crate) ignore_ops: bool,
    /// Write `'$VAR'(N)` as a variable name.
    pub(crate) numbervars: bool,
    /// Write `...` for deeper subterms; 0 for no limit.
    pub(crate) max_depth: u32,
    /// The optional blanks.
    pub(crate) spacing: Spacing,
    /// Maximum priority of a term without brackets around it.
    pub(crate) priority: u16,
    /// The term is the operand of an operator: an operator used as an atom gets brackets.
    pub(crate) operand: bool,
    /// The module with the operators.
    pub(crate) module: Atom,
    /// Names of variables; if a variable has two names, the first is used.
    pub(crate) variable_names: Vec<(Cell, String)>,
    /// Write lists as `'.'(H,T)`; by default the same as `ignore_ops`.
    pub(crate) dotlists: Option<bool>,
    /// Write `{}(X)` as `{X}`; by default the opposite of `ignore_ops`.
    pub(crate) brace_terms: Option<bool>,
    /// Use escape sequences in quoted items; by default the same as the flag.
    pub(crate) character_escapes: Option<bool>,
    /// The treatment of attributed variables.
    pub(crate) attributes: AttributeMode,
    /// Name the subterms that close cycles, as in `@(S_1,[S_1=f(S_1)])`. Without it they are
    /// written as `...`.
    pub(crate) cycles: bool,
    /// Write lists of character codes as text, while the flag `portray_text` is set.
    pub(crate) text_lists: bool,
    /// End with a full stop.
    pub(crate) fullstop: bool,
    /// End with a newline.
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
    /// Returns the options of `write/1`.
    pub(crate) fn write() -> WriteOptions {
        WriteOptions {
            numbervars: true,
            ..WriteOptions::default()
        }
    }

    /// Returns the options of `writeq/1`.
    pub(crate) fn writeq() -> WriteOptions {
        WriteOptions {
            quoted: true,
            numbervars: true,
            ..WriteOptions::default()
        }
    }

    /// Returns the options of `print/1`. The caller runs `portray/1`.
    pub(crate) fn print() -> WriteOptions {
        WriteOptions {
            text_lists: true,
            ..WriteOptions::writeq()
        }
    }

    /// Returns the options of `write_canonical/1`.
    pub(crate) fn write_canonical() -> WriteOptions {
        WriteOptions {
            quoted: true,
            ignore_ops: true,
            ..WriteOptions::default()
        }
    }
}
