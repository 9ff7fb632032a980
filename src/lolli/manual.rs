//! The entries of `help/1` for connectives and builtins of Lolli: their sections in `docs/lolli.md`.

use crate::base::growth::{Bounded, Gather};
use crate::machine::builtin::builtins;
use crate::tools::manual::unify_strings;

const PAGE: &str = include_str!("../../docs/lolli.md");
/// The beginning of the section of a connective or builtin. Its form follows in back quotes.
const SECTION: &str = "#### `";

/// Returns the forms, such as `A -o B`, each with the text of its section.
fn sections() -> impl Iterator<Item = (&'static str, &'static str)> {
    PAGE.split(SECTION).skip(1).filter_map(|section| {
        let (form, text) = section.split_once("`\n")?;
        Some((form, text.split("\n#").next().unwrap_or(text)))
    })
}

/// Returns whether the section with this form describes this name.
fn describes(form: &str, name: &str) -> bool {
    let mut words = form.split(' ');
    match name {
        "{}" => form.starts_with('{'),
        "guard" => words.any(|word| word == "->"),
        _ => words.any(|word| word == name),
    }
}

/// Returns a section as `help/1` prints it: the form, then the text and its examples indented.
fn format_section(form: &str, text: &str) -> String {
    let mut shown = format!("{form}\n    Lolli\n");
    let lines = text.trim().lines().filter(|line| !line.starts_with("```"));
    for line in std::iter::once("").chain(lines) {
        let line = format!("    {line}");
        shown.put_bounded(line.trim_end());
        shown.put_bounded('\n');
    }
    shown
}

builtins! { LOLLI_MANUAL =
    /// Returns the documentation of a connective or builtin of Lolli, a list of strings.
    iso "$lolli_help"("+name", "-list") = |m, [name, list]| {
        let name = m.atom_arg(name)?;
        let name = m.world.symbols.text(name).to_owned();
        let about = sections().filter(|(form, _)| describes(form, &name));
        let texts: Vec<String> = about.map(|(form, text)| format_section(form, text)).gather()?;
        unify_strings(m, list, texts.into_iter())
    };
}

#[cfg(test)]
mod tests {
    use super::{describes, sections};
    use crate::builtins::linear::lolli::{CLAUSES, NAMES};

    #[test]
    fn every_builtin_and_connective_has_a_section_with_an_example() {
        let connectives = [
            ",", ";", "&", "{}", "-o", "=>", ":-", "<=", "--o", "->", "|", "guard", "forall",
            "exists", "true", "erase",
        ];
        let builtins = NAMES.iter().map(|&(name, ..)| name);
        for name in builtins.chain(CLAUSES.iter().copied()).chain(connectives) {
            let found = sections().find(|(form, _)| describes(form, name));
            let (form, text) = found.unwrap_or_else(|| panic!("no section about {name}"));
            assert!(text.contains("?- "), "no example of {form}");
        }
    }
}
