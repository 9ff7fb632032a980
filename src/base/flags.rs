//! Prolog flags (ISO 7.11) that the reader, the writer and the machine read directly, as fields.
//! `current_prolog_flag/2` and `set_prolog_flag/2` show them under their names.
#![forbid(unsafe_code)]

use super::named::named;
use super::warning::Warnings;

/// The term that a quoted item becomes when it is read.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum QuoteMode {
    /// A list of character codes.
    Codes,
    /// A list of one-character atoms.
    Chars,
    /// An atom.
    Atom,
    /// A string.
    String,
}

named! {
    /// The action at the call of an undefined predicate.
    UnknownAction {
        /// Raise an existence error.
        Error "error",
        /// Fail.
        Fail "fail",
        /// Print a warning and fail.
        Warning "warning",
    }

    /// Whether unification checks for occurrences of a variable in its own value.
    OccursCheck {
        /// Cyclic terms may be built.
        False "false",
        /// A unification that would build one fails.
        True "true",
        /// A unification that would build one raises an error.
        Error "error",
    }
}

/// The values that a flag of a program may have.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum FlagType {
    /// `true` or `false`.
    Bool,
    /// An atom.
    Atom,
    /// An integer.
    Integer,
    /// A float; integers become floats.
    Float,
    /// Any ground term.
    Term,
}

/// The flags that change behaviour.
#[derive(Clone, Debug)]
pub(crate) struct Flags {
    /// `double_quotes`.
    pub(crate) double_quotes: QuoteMode,
    /// `back_quotes`.
    pub(crate) back_quotes: QuoteMode,
    /// `unknown`.
    pub(crate) unknown: UnknownAction,
    /// `occurs_check`.
    pub(crate) occurs_check: OccursCheck,
    /// `char_conversion`.
    pub(crate) char_conversion: bool,
    /// `debug`.
    pub(crate) debug: bool,
    /// `iso`: `prefer_rationals` and other deviations from ISO are off when set.
    pub(crate) iso: bool,
    /// The warnings that loading prints (`style_check`).
    pub(crate) warnings: Warnings,
    /// `portray_text`: `print/1` and answers show lists of character codes as text.
    pub(crate) portray_text: bool,
    /// `character_escapes`.
    pub(crate) character_escapes: bool,
    /// `var_prefix`: only words that begin with `_` are variables.
    pub(crate) var_prefix: bool,
    /// `allow_variable_name_as_functor`: `Name(a)` is a term of that name.
    pub(crate) variable_functors: bool,
    /// Print banners and messages of progress.
    pub(crate) verbose: bool,
    /// `emulated_dialect`: the dialect of the file that is being loaded.
    pub(crate) dialect: &'static str,
    /// `toplevel_print_anon`: answers also show variables whose names begin with `_`.
    pub(crate) print_anon: bool,
    /// `clpfd_monotonic`: variables of constraints are marked.
    pub(crate) clpfd_monotonic: bool,
}

impl Default for Flags {
    fn default() -> Flags {
        Flags {
            double_quotes: QuoteMode::Codes,
            back_quotes: QuoteMode::Codes,
            unknown: UnknownAction::Error,
            occurs_check: OccursCheck::False,
            char_conversion: false,
            debug: false,
            iso: false,
            warnings: Warnings::default(),
            portray_text: false,
            character_escapes: true,
            var_prefix: false,
            variable_functors: false,
            verbose: true,
            dialect: "swi",
            print_anon: false,
            clpfd_monotonic: false,
        }
    }
}

impl Flags {
    /// Returns the flags that programs and queries begin with. The default flags are those of the system's own
    /// texts.
    pub(crate) fn of_programs() -> Flags {
        Flags {
            double_quotes: QuoteMode::String,
            ..Flags::default()
        }
    }

    /// Sets the flags that belong to a file, except `iso`, to those of `others`: they decide how quoted items are
    /// read.
    pub(crate) fn restore_reading(&mut self, others: &Flags) {
        self.double_quotes = others.double_quotes;
        self.back_quotes = others.back_quotes;
        self.character_escapes = others.character_escapes;
    }

    /// Returns the flags that tokens depend on; `--o` is off.
    pub(crate) fn lexis(&self) -> Lexis {
        Lexis {
            escapes: self.character_escapes,
            iso: self.iso,
            var_prefix: self.var_prefix,
            module_goals: false,
        }
    }
}

/// The flags that the tokens of a text depend on.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lexis {
    /// The flag `character_escapes`.
    pub(crate) escapes: bool,
    /// The flag `iso`: only the tokens of the standard.
    pub(crate) iso: bool,
    /// The flag `var_prefix`.
    pub(crate) var_prefix: bool,
    /// Whether `--o` is one token, as it is where it is an operator.
    pub(crate) module_goals: bool,
}

impl Lexis {
    /// Returns a copy in which `--o` is one token, or not.
    pub(crate) fn with_module_goals(self, module_goals: bool) -> Lexis {
        Lexis {
            module_goals,
            ..self
        }
    }

    /// Returns a copy with only the tokens of the standard.
    pub(crate) fn strict(self) -> Lexis {
        Lexis { iso: true, ..self }
    }
}
