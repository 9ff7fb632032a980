//! The names of warnings, by which they are silenced.
#![forbid(unsafe_code)]

use super::named::named;

named! {
    /// What a warning is about.
    Warning {
        /// A variable that occurs once, in a clause or in a branch of it; one marked by `_` that does not.
        Singleton "singleton",
        /// A variable that is used after a disjunction of which one branch does not mention it.
        Branches "branches",
        /// Clauses of a predicate that are not together.
        Discontiguous "discontiguous",
        /// A definition that takes the place of another one.
        Redefined "redefined",
        /// A goal for which nothing is defined.
        Undefined "undefined",
        /// A clause after one that takes every call.
        Unreachable "unreachable",
        /// A clause that calls its own predicate first, with nothing made smaller.
        Recursion "recursion",
        /// Arithmetic that cannot succeed, and expressions that nothing evaluates.
        Arithmetic "arithmetic",
        /// Bytes that are no text, characters without a meaning.
        Encoding "encoding",
        /// The file of a module has another name.
        Module "module",
        /// A directive that fails.
        Directive "directive",
        /// What is imported is not exported.
        Import "import",
        /// An image that is not as it was made.
        Image "image",
        /// A test of `library(plunit)` that leaves a choice point.
        Choicepoint "choicepoint",
        /// A line of Lolli that begins with a name and goes on with the clause before it.
        Layout "layout",
        /// A file declares two dialects.
        Dialect "dialect",
        /// Counts that are not remembered, though they are declared to be.
        CountMemo "count_memo",
        /// A string where a list is taken.
        String "string",
        /// A clause that the reader of the standard refuses.
        Nonstandard "nonstandard",
    }
}

/// The warnings that are wanted. At first all are but `nonstandard`.
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
    /// Is this one wanted?
    pub(crate) fn wants(self, warning: Warning) -> bool {
        self.silenced & (1 << warning as u32) == 0
    }

    /// Wants it from here on, or does not.
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
