//! Prolog flags (ISO 7.11) that the reader, the writer and the machine consult directly, as fields.
//! `current_prolog_flag/2` and `set_prolog_flag/2` present them under their names.

use super::warning::Warnings;

/// What a quoted item becomes when it is read.
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

/// What happens at the call of an undefined predicate.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum UnknownAction {
    /// Raise an existence error.
    Error,
    /// Fail.
    Fail,
    /// Print a warning and fail.
    Warning,
}

/// Whether unification checks for occurrences of a variable in its own value.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum OccursCheck {
    /// Cyclic terms may be built.
    False,
    /// A unification that would build one fails.
    True,
    /// A unification that would build one raises an error.
    Error,
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
    /// `prefer_rationals` and other ISO deviations are off when set.
    pub(crate) iso: bool,
    /// What loading warns of (`style_check`).
    pub(crate) warnings: Warnings,
    /// `character_escapes`.
    pub(crate) character_escapes: bool,
    /// Print banners and messages of progress.
    pub(crate) verbose: bool,
    /// `toplevel_print_anon`: answers tell variables whose names begin with `_` too.
    pub(crate) print_anon: bool,
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
            character_escapes: true,
            verbose: true,
            print_anon: false,
        }
    }
}

impl Flags {
    /// Returns the flags that programs and queries begin with. The default ones are those that the texts
    /// of the system are written for.
    pub(crate) fn of_programs() -> Flags {
        Flags {
            double_quotes: QuoteMode::String,
            ..Flags::default()
        }
    }
}
