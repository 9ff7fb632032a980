//! What the names of programs end in.

/// The ending of files of Lolli.
pub(crate) const LOLLI_ENDING: &str = ".ll";
/// The ending of images.
pub(crate) const IMAGE_ENDING: &str = ".wam";
/// The endings that a name may lack, in the order in which files are looked for.
pub const OPTIONAL_ENDINGS: [&str; 4] = [".pl", ".pro", ".prolog", LOLLI_ENDING];

/// The endings of the names of programs: of Prolog, of tests of Prolog, of Lolli, and of images.
pub const PROGRAM_ENDINGS: [&str; 6] =
    [".pl", ".pro", ".prolog", ".plt", LOLLI_ENDING, IMAGE_ENDING];

/// Is this the name of a file of Lolli?
pub fn is_lolli(name: &str) -> bool {
    name.ends_with(LOLLI_ENDING)
}
