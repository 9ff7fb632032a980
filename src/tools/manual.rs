//! The documentation in the sources of builtins and libraries, for `help/1` and `apropos/1`. The page
//! `docs/builtins.md` is made of the same documentation.

use crate::base::atom_table::atoms;
use crate::base::growth::{Bounded, Gather, Grow, GrowText, joined_bounded};
use crate::base::stop::Stop;
use crate::diagnose::similar::{in_modules, meant};
use crate::library::prelude::{BOOT, LIBRARIES};
use crate::machine::builtin::{Body, Builtin, Class, builtins};
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::source::term_texts::text_of;
use crate::store::cell::Cell;
use crate::store::heap::View;
use std::fmt::Write;

/// The documentation of a predicate.
pub(crate) struct Entry {
    /// Name and arguments with their modes, such as `append(?Xs, ?Ys, ?Zs)`.
    pub(crate) heading: String,
    /// The name.
    pub(crate) name: String,
    /// The number of arguments.
    pub(crate) arity: usize,
    /// The origin of the predicate, and whether programs may redefine it.
    pub(crate) origin: String,
    /// The text: paragraphs of lines.
    pub(crate) text: String,
}

/// A comment in a library text that documents predicates.
pub(crate) struct Comment<'a> {
    /// The names and arguments after `%%`.
    pub(crate) headings: Vec<&'a str>,
    /// The lines after the headings, without `%`.
    pub(crate) lines: Vec<&'a str>,
}

/// Returns the documented builtins, by name.
pub(crate) fn native(m: &Machine) -> Result<Vec<&'static Builtin>, Stop> {
    let rows = m.world.host.builtins.iter().copied();
    let mut rows: Vec<_> = rows
        // Internal builtins, which the compiler makes from goals, are documented with these goals.
        .filter(|entry| entry.class != Class::Internal && !entry.name.starts_with('$'))
        .gather()?;
    rows.sort_by_key(|entry| (entry.name, entry.modes.len()));
    Ok(rows)
}

/// Returns the name and the arguments of a builtin.
pub(crate) fn heading(entry: &Builtin) -> String {
    match entry.modes {
        [] => entry.name.to_owned(),
        modes => format!("{}({})", entry.name, joined_bounded(modes, ", ")),
    }
}

/// Returns the comments of a text that document predicates: `%% name(arguments)`, and the lines after it.
pub(crate) fn comments(source: &str) -> Result<Vec<Comment<'_>>, Stop> {
    let mut lines = source.lines().peekable();
    let mut found = Vec::new();
    while let Some(line) = lines.next() {
        let Some(heading) = line.strip_prefix("%% ") else {
            continue;
        };
        let mut comment = Comment {
            headings: vec![heading.trim()],
            lines: Vec::new(),
        };
        while let Some(more) = lines.next_if(|next| next.starts_with("%% ")) {
            comment.headings.put(more[3..].trim())?;
        }
        while let Some(next) = lines.next_if(|next| next.starts_with('%')) {
            let text = next.trim_start_matches('%').trim_end();
            comment.lines.put(text)?;
        }
        found.put(comment)?;
    }
    Ok(found)
}

/// Returns the documentation of all predicates.
pub(crate) fn entries(m: &Machine) -> Result<Vec<Entry>, Stop> {
    let mut found = Vec::new();
    for entry in native(m)? {
        let mut origin = match entry.class {
            Class::Iso => "builtin; cannot be redefined".to_owned(),
            Class::Library | Class::Internal => "builtin".to_owned(),
        };
        if matches!(entry.body, Body::Nondet(_) | Body::Search(_)) {
            origin.put_str("; may have several solutions")?;
        }
        let lines: Vec<&str> = entry.doc.lines().gather()?;
        found.put(Entry {
            heading: heading(entry),
            name: entry.name.to_owned(),
            arity: entry.modes.len(),
            origin,
            text: paragraphs(&lines),
        })?;
    }
    let boot = BOOT.iter().map(|&(_, text, protected)| {
        let origin = match protected {
            true => "builtin; cannot be redefined",
            false => "builtin",
        };
        (origin.to_owned(), text)
    });
    let libraries = LIBRARIES
        .iter()
        .map(|&(name, text)| (format!("library({name})"), text));
    for (origin, text) in boot.chain(libraries) {
        for comment in comments(text)? {
            for heading in &comment.headings {
                let (name, arity) = indicator(heading);
                if !name.starts_with('$') {
                    found.put(Entry {
                        heading: (*heading).to_owned(),
                        name,
                        arity,
                        origin: origin.clone(),
                        text: paragraphs(&comment.lines),
                    })?;
                }
            }
        }
    }
    Ok(found)
}

/// Joins lines without their common indentation.
fn paragraphs(lines: &[&str]) -> String {
    let blanks = |line: &&&str| line.len() - line.trim_start().len();
    let written = lines.iter().filter(|line| !line.is_empty());
    let margin = written.map(|line| blanks(&line)).min().unwrap_or(0);
    let lines = lines.iter().map(|line| line.get(margin..).unwrap_or(""));
    joined_bounded(&lines.collect_bounded::<Vec<_>>(), "\n")
        .trim()
        .to_owned()
}

/// Returns the name and the number of arguments of a heading: `name(arguments)`, `name`, `name//`, `name(arguments)//`.
fn indicator(heading: &str) -> (String, usize) {
    let (plain, extra) = match heading.strip_suffix("//") {
        Some(plain) => (plain, 2),
        None => (heading, 0),
    };
    let Some(open) = plain.find('(').filter(|&open| open > 0) else {
        return (plain.trim_matches('\'').to_owned(), extra);
    };
    let (name, arguments) = plain.split_at(open);
    let mut depth = 0;
    let mut count = 1;
    for c in arguments.chars() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 1 => count += 1,
            _ => {}
        }
    }
    (name.trim_matches('\'').to_owned(), count + extra)
}

/// Returns the text of an entry for `help/1`.
fn format_section(entry: &Entry) -> String {
    let mut text = format!("{}\n    {}\n\n", entry.heading, entry.origin);
    for line in entry.text.lines() {
        match line {
            "" => text.put_bounded('\n'),
            // Writing to a string cannot fail.
            line => drop(writeln!(text, "    {line}")),
        }
    }
    text
}

/// Returns the text of an entry before its examples.
fn prose(entry: &Entry) -> &str {
    entry.text.split("\n?- ").next().unwrap_or_default()
}

/// Returns a text in lower case.
fn lower_case(text: &str) -> Result<String, Stop> {
    text.chars().flat_map(char::to_lowercase).gather_text()
}

/// Returns an entry on one line, with the first sentence of its text.
fn summary(entry: &Entry) -> String {
    let words: Vec<&str> = prose(entry).split_whitespace().collect_bounded();
    let text = joined_bounded(&words, " ");
    let end = text.find(". ").map_or(text.len(), |end| end + 1);
    let name = format!("{}/{}", entry.name, entry.arity);
    format!("{name:<26} {}", &text[..end])
}

/// Unifies `list` with a list of strings.
pub(crate) fn unify_strings(
    m: &mut Machine,
    list: Cell,
    texts: impl Iterator<Item = String>,
) -> Result<bool, Throw> {
    let mut found = Vec::new();
    for text in texts {
        found.put(m.store.new_string(&text)?)?;
    }
    m.unify_items(list, &found)
}

builtins! { MANUAL =
    /// Gives the documentation of the predicates of a name, as strings. If `arity` is bound, only of the predicate with
    /// this number of arguments.
    iso "$help"("+name", "?arity", "-list") = |m, [name, arity, list]| {
        let name = m.atom_arg(name)?;
        let name = m.world.symbols.text(name).to_owned();
        let wanted = match m.store.view(arity) {
            View::Var(_) => None,
            _ => Some(m.size_arg(arity)?),
        };
        let mut wanted_entries: Vec<Entry> = Vec::new();
        for entry in entries(m)? {
            if entry.name != name || wanted.is_some_and(|wanted| wanted != entry.arity) {
                continue;
            }
            match wanted_entries.last_mut() {
                // Predicates of one comment are shown together.
                Some(last) if last.text == entry.text && last.origin == entry.origin => {
                    last.heading = format!("{}\n{}", last.heading, entry.heading);
                }
                _ => wanted_entries.put(entry)?,
            }
        }
        unify_strings(m, list, wanted_entries.iter().map(format_section))
    };
    /// Gives the documented predicates whose name or text contains the given text, as strings of one line. Ignores case.
    /// Matches of the name come first.
    iso "$apropos"("+text", "-list") = |m, [text, list]| {
        let text = lower_case(&text_of(m, text)?.unwrap_or_default())?;
        let mut lines: Vec<(bool, String)> = Vec::new();
        for entry in entries(m)? {
            let in_name = lower_case(&entry.name)?.contains(&text);
            if in_name || lower_case(prose(&entry))?.contains(&text) {
                lines.put((!in_name, summary(&entry)))?;
            }
        }
        lines.sort();
        lines.dedup();
        unify_strings(m, list, lines.into_iter().map(|(_, line)| line))
    };
    /// Gives the predicates of a library by name, in the form of `$apropos`: none if there is no such library.
    iso "$help_library"("+text", "-list") = |m, [name, list]| {
        let origin = format!("library({})", text_of(m, name)?.unwrap_or_default());
        let of_library = entries(m)?.into_iter().filter(|entry| entry.origin == origin);
        let mut lines: Vec<String> = of_library.map(|entry| summary(&entry)).gather()?;
        lines.sort();
        unify_strings(m, list, lines.into_iter())
    };
    /// Gives names similar to that of a predicate that does not exist, as the end of a sentence. Fails if there is no
    /// similar name.
    iso "$meant"("+name", "?arity", "-text") needs history = |m, [name, arity, text]| {
        let name = m.atom_arg(name)?;
        let arity = match m.store.view(arity) {
            View::Int(arity) => Some(arity),
            _ => None,
        };
        let Some(hint) = meant(m, atoms::USER, name, arity)? else { return Ok(false) };
        let hint: Cell = m.store.new_string(&hint)?;
        Ok(m.unify(text, hint)?)
    };
    /// Gives the modules of the program, other than `user`, that define a predicate of this name. If `arity` is bound,
    /// the predicate has this number of arguments.
    iso "$modules_with"("+name", "?arity", "-list") needs history = |m, [name, arity, list]| {
        let name = m.atom_arg(name)?;
        let arity = match m.store.view(arity) {
            View::Int(arity) => usize::try_from(arity).ok(),
            _ => None,
        };
        let mut modules = Vec::new();
        for id in in_modules(m, name, arity)? {
            let module = Cell::atom(m.world.predicates.get(id).module);
            if !modules.contains(&module) {
                modules.put(module)?;
            }
        }
        m.unify_items(list, &modules)
    };
}

#[cfg(test)]
mod tests {
    use super::indicator;

    #[test]
    fn headings_have_name_and_arguments() {
        for (heading, name, arity) in [
            ("append(?Xs, ?Ys, ?Zs)", "append", 3),
            ("make", "make", 0),
            ("'C'(?List, ?First, ?Rest)", "C", 3),
            ("blanks//", "blanks", 2),
            ("foldl(:Goal, [X, Y], f(A, B))//", "foldl", 5),
            ("{}(:Goal)", "{}", 1),
            ("\\=(?X, ?Y)", "\\=", 2),
        ] {
            assert_eq!(indicator(heading), (name.to_owned(), arity), "{heading}");
        }
    }
}
