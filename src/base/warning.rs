//! The names of warnings, by which they are silenced.
#![forbid(unsafe_code)]

/// What a warning is about.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Warning {
    /// A variable that occurs once, in a clause or in a branch of it; one marked by `_` that does not.
    Singleton,
    /// A variable that is used after a disjunction of which one branch does not mention it.
    Branches,
    /// Clauses of a predicate that are not together.
    Discontiguous,
    /// A definition that takes the place of another one.
    Redefined,
    /// A goal for which nothing is defined.
    Undefined,
    /// A clause after one that takes every call.
    Unreachable,
    /// A clause that calls its own predicate first, with nothing made smaller.
    Recursion,
    /// Arithmetic that cannot succeed, and expressions that nothing evaluates.
    Arithmetic,
    /// Bytes that are no text, characters without a meaning.
    Encoding,
    /// The file of a module has another name.
    Module,
    /// A directive that fails.
    Directive,
    /// What is imported is not exported.
    Import,
    /// An image that is not as it was made.
    Image,
    /// A test of `library(plunit)` that leaves a choice point.
    Choicepoint,
    /// A line of Lolli that begins with a name and goes on with the clause before it.
    Layout,
    /// A file declares two dialects.
    Dialect,
    /// A string where a list is taken.
    String,
    /// A clause that the reader of the standard refuses.
    Nonstandard,
}

/// Names of warnings.
const NAMES: [(&str, Warning); 18] = [
    ("singleton", Warning::Singleton),
    ("branches", Warning::Branches),
    ("discontiguous", Warning::Discontiguous),
    ("redefined", Warning::Redefined),
    ("undefined", Warning::Undefined),
    ("unreachable", Warning::Unreachable),
    ("recursion", Warning::Recursion),
    ("arithmetic", Warning::Arithmetic),
    ("encoding", Warning::Encoding),
    ("module", Warning::Module),
    ("directive", Warning::Directive),
    ("import", Warning::Import),
    ("image", Warning::Image),
    ("choicepoint", Warning::Choicepoint),
    ("layout", Warning::Layout),
    ("dialect", Warning::Dialect),
    ("string", Warning::String),
    ("nonstandard", Warning::Nonstandard),
];

impl Warning {
    /// The warning of this name.
    pub(crate) fn named(name: &str) -> Option<Warning> {
        let found = NAMES.iter().find(|(known, _)| *known == name);
        found.map(|&(_, warning)| warning)
    }

    /// All of them.
    pub(crate) fn all() -> impl Iterator<Item = Warning> {
        NAMES.iter().map(|&(_, warning)| warning)
    }

    /// Its name.
    pub(crate) fn name(self) -> &'static str {
        NAMES[self as usize].0
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
    use super::{NAMES, Warning, Warnings};

    #[test]
    fn warnings_have_the_names_that_silence_them() {
        let mut warnings = Warnings::default();
        for (name, warning) in NAMES {
            assert_eq!(Warning::named(name), Some(warning));
            assert_eq!(warning.name(), name);
            assert_eq!(warnings.wants(warning), warning != Warning::Nonstandard);
            warnings.set(warning, true);
            assert!(warnings.wants(warning));
            warnings.set(warning, false);
            assert!(!warnings.wants(warning));
        }
    }
}
