//! The endings of the names of programs.

/// The ending of Lolli files.
pub(crate) const LOLLI_ENDING: &str = ".ll";
/// The ending of images.
pub(crate) const IMAGE_ENDING: &str = ".wam";
/// The endings that a name may omit, in the order in which files are searched for.
pub const OPTIONAL_ENDINGS: [&str; 4] = [".pl", ".pro", ".prolog", LOLLI_ENDING];

/// The endings of the names of programs: Prolog, Prolog tests, Lolli, and images.
pub const PROGRAM_ENDINGS: [&str; 6] =
    [".pl", ".pro", ".prolog", ".plt", LOLLI_ENDING, IMAGE_ENDING];

/// Returns whether this is the name of a Lolli file.
pub fn is_lolli(name: &str) -> bool {
    name.ends_with(LOLLI_ENDING)
}
