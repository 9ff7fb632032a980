//! The names of warnings, which suppress them.
#![forbid(unsafe_code)]

use super::named::named;

named! {
    /// The topic of a warning.
    Warning {
        /// A variable that occurs once in a clause or in a branch of it. Also a variable marked by `_` that occurs
        /// again.
        Singleton "singleton",
        /// A variable that is used after a disjunction, but missing in one of its branches.
        Branches "branches",
        /// Clauses of a predicate that are not together.
        Discontiguous "discontiguous",
        /// A definition that replaces another one.
        Redefined "redefined",
        /// A goal for which no definition exists.
        Undefined "undefined",
        /// A clause after one that takes every call.
        Unreachable "unreachable",
        /// A clause that calls its own predicate first, with nothing made smaller.
        Recursion "recursion",
        /// Arithmetic that cannot succeed, and expressions that nothing evaluates.
        Arithmetic "arithmetic",
        /// Bytes that are no text, characters without a meaning.
        Encoding "encoding",
        /// A module whose file has another name.
        Module "module",
        /// A directive that fails.
        Directive "directive",
        /// An import of something that is not exported.
        Import "import",
        /// An image that has changed since it was made.
        Image "image",
        /// A test of `library(plunit)` that leaves a choice point.
        Choicepoint "choicepoint",
        /// A line that continues the clause before it, but looks like a clause of its own.
        Layout "layout",
        /// A file that declares two dialects.
        Dialect "dialect",
        /// Counts that are declared to be remembered but are not.
        CountMemo "count_memo",
        /// A string in the place of a list.
        String "string",
        /// A clause that the reader of the standard refuses.
        Nonstandard "nonstandard",
    }
}

/// The warnings that are enabled: at first all except `nonstandard`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Warnings {
    silenced: u32,
}

impl Default for Warnings {
    fn default() -> Warnings {
        Warnings {
            silenced: 1 << Warning::Nonstandard as u32,
        }
    }
}

impl Warnings {
    /// Returns whether this warning is enabled.
    pub(crate) fn wants(self, warning: Warning) -> bool {
        self.silenced & (1 << warning as u32) == 0
    }

    /// Enables or disables this warning.
    pub(crate) fn set(&mut self, warning: Warning, wanted: bool) {
        if wanted {
            self.silenced &= !(1 << warning as u32);
        } else {
            self.silenced |= 1 << warning as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Warning, Warnings};

    #[test]
    fn warnings_have_the_names_that_silence_them() {
        let mut warnings = Warnings::default();
        for &warning in Warning::ALL {
            assert_eq!(Warning::from_name(warning.name()), Some(warning));
            assert_eq!(warnings.wants(warning), warning != Warning::Nonstandard);
            warnings.set(warning, true);
            assert!(warnings.wants(warning));
            warnings.set(warning, false);
            assert!(!warnings.wants(warning));
        }
    }
}
