//! Names of files: patterns and their expansion, relative names.

use super::errors_io::OptionTerm;
use crate::base::atom_table::atoms;
use crate::base::growth::{Gather, Grow, GrowBy, GrowText, filled, joined, joined_by};
use crate::base::needs::{Permit, Place, Read};
use crate::base::stop::Stop;
use crate::builtins::system::engine::{user_home, variable};
use crate::io::error::IoError;
use crate::io::wildcard::{Pattern, PatternError, is_pattern};
use crate::io::{files, paths};
use crate::machine::builtin::builtins;
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::store::cell::Cell;
use crate::store::heap::View;

builtins! { FILE_NAMES =
    /// True if `text` matches `pattern`. In `pattern`, `?` stands for any character, `*` for any text,
    /// `[a-z]` for a character of a set and `{a,b}` for one of several patterns.
    ///
    /// ?- wildcard_match('*.{pl,txt}', 'notes.txt').
    /// true.
    library "wildcard_match"("+pattern", "+text") = |m, [pattern, text]| {
        wildcard_match(m, pattern, text, Cell::atom(atoms::NIL))
    };
    /// Matches like `wildcard_match/2`, with options in `list`: `case_sensitive(false)` ignores case.
    ///
    /// ?- wildcard_match('*.TXT', 'notes.txt', [case_sensitive(false)]).
    /// true.
    library "wildcard_match"("+pattern", "+text", "+list") = |m, [pattern, text, options]| {
        wildcard_match(m, pattern, text, options)
    };
    /// Unifies `list` with the sorted names of the files that match `pattern`, or with `pattern` alone if it
    /// contains no wildcard. First replaces a leading `
    ///
    /// ` by the home directory, and `$NAME` or `${NAME}` by the value of an environment variable.
    ///
    /// ?- expand_file_name('*.no_such', L).
    /// L = [].
    library "expand_file_name"("+pattern", "-list") needs read, may_environment = |m, [pattern, names]| {
        let text = m.file_arg(pattern)?;
        let text = substitute(m, read, &text)?;
        let found = if is_pattern(&text) {
            expand(m, read, &text)?
        } else {
            vec![text]
        };
        let atoms = m.atoms_of(&found)?;
        m.unify_items(names, &atoms)
    };
    /// Unifies the third file with the name of the first file relative to the directory of the second file.
    /// If the first file is unbound, unifies it with the absolute name of the third.
    ///
    /// ?- relative_file_name('/home/ann/a.txt', '/home/bob/b.txt', Relative).
    /// Relative = '../ann/a.txt'.
    library "relative_file_name"("?file", "+file", "?file") needs place = |m, [path, from, relative]| {
        let from_name = m.file_arg(from)?;
        let is_folder = from_name.ends_with(std::path::is_separator);
        let from_name = absolute(m, place, &from_name, None, from)?;
        let folder = match is_folder {
            true => from_name,
            false => paths::directory_name(&from_name).to_owned(),
        };
        if path.is_var() {
            let name = m.file_arg(relative)?;
            let name = absolute(m, place, &name, Some(&folder), relative)?;
            return Ok(m.unify_text(path, &name)?);
        }
        let name = m.file_arg(path)?;
        let name = absolute(m, place, &name, None, path)?;
        Ok(m.unify_text(relative, &seen_from(&name, &folder)?)?)
    };
}

fn absolute(
    m: &mut Machine,
    place: &Permit<Place>,
    name: &str,
    folder: Option<&str>,
    cell: Cell,
) -> Result<String, Throw> {
    files::absolute_file_name(place, name, folder)
        .map_err(|error| m.file_error(error, "access", "directory", cell))
}

/// Returns an absolute name relative to a directory.
fn seen_from(path: &str, folder: &str) -> Result<String, Stop> {
    fn parts(text: &str) -> Result<Vec<&str>, Stop> {
        let parts = text.split(std::path::is_separator);
        parts.filter(|part| !part.is_empty()).gather()
    }
    let (path, folder) = (parts(path)?, parts(folder)?);
    let common = path.iter().zip(&folder).take_while(|(a, b)| a == b).count();
    let mut found = filled("..", folder.len() - common)?;
    found.put_slice(&path[common..])?;
    match found.is_empty() {
        true => Ok(".".to_owned()),
        false => joined_by(&found, "/"),
    }
}

// ---- patterns ---------------------------------------------------------------------------------

fn parse(m: &mut Machine, text: &str) -> Result<Pattern, Throw> {
    Pattern::parse(text).map_err(|error| {
        let message = match error {
            PatternError::NoMemory => return Stop.into(),
            PatternError::Unmatched(bracket) => format!("Unmatched '{bracket}'"),
            PatternError::EndsInEscape => "Nothing follows the last '\\'".to_owned(),
        };
        m.syntax_error(&message, "")
    })
}

/// Returns the text of an argument, which may be a list.
fn text_arg(m: &mut Machine, cell: Cell) -> Result<String, Throw> {
    match m.store.view(cell) {
        View::List(_) => m.text_arg(cell),
        _ => m.file_arg(cell),
    }
}

fn wildcard_match(
    m: &mut Machine,
    pattern: Cell,
    text: Cell,
    options: Cell,
) -> Result<bool, Throw> {
    let mut fold = false;
    let domain = m.world.symbols.intern("wildcard_option")?;
    for item in m.option_list(options)? {
        let option: OptionTerm = m.option_term(item, domain)?;
        if m.world.symbols.text(option.name) == "case_sensitive" {
            fold = !m.option_bool(option, domain)?;
        }
    }
    let pattern = text_arg(m, pattern)?;
    let pattern = parse(m, &pattern)?;
    let text = text_arg(m, text)?;
    Ok(pattern.matches(&text, fold, &m.store.events.watch)?)
}

/// Replaces `~` and `$NAME`.
fn substitute(m: &mut Machine, read: &Permit<Read>, text: &str) -> Result<String, Throw> {
    let mut made = String::new();
    let mut rest = text;
    if let Some(after) = text.strip_prefix('~') {
        let end = after.find(std::path::is_separator).unwrap_or(after.len());
        let Some(home) = user_home(m, read, &after[..end])? else {
            let kind = m.world.symbols.intern("user")?;
            let name = Cell::atom(m.world.symbols.intern_passing(&after[..end])?);
            return Err(m.existence_error(kind, name));
        };
        rest = &after[end..];
        made.put_str(match rest {
            "" => &home,
            _ => home.trim_end_matches(std::path::is_separator),
        })?;
    }
    while let Some(at) = rest.find('$') {
        made.put_str(&rest[..at])?;
        let after = &rest[at + 1..];
        let (name, end) = match after
            .strip_prefix('{')
            .and_then(|inner| inner.split_once('}'))
        {
            Some((name, _)) => (name, name.len() + 2),
            None => {
                let in_name = |char: char| char.is_alphanumeric() || char == '_';
                let end = after.find(|char| !in_name(char)).unwrap_or(after.len());
                (&after[..end], end)
            }
        };
        if name.is_empty() {
            made.put('$')?;
        } else if let Some(value) = variable(m, name)? {
            made.put_str(&value)?;
        } else {
            let (kind, name) = (
                m.world.symbols.intern("variable")?,
                m.world.symbols.intern_passing(name)?,
            );
            return Err(m.existence_error(kind, Cell::atom(name)));
        }
        rest = &after[end..];
    }
    made.put_str(rest)?;
    Ok(made)
}

/// Returns the files that match a pattern.
fn expand(m: &mut Machine, read: &Permit<Read>, text: &str) -> Result<Vec<String>, Throw> {
    let mut found = vec![String::new()];
    for (place, part) in text.split('/').enumerate() {
        let slash = if place == 0 { "" } else { "/" };
        let before = std::mem::take(&mut found);
        if !is_pattern(part) {
            for folder in before {
                found.put(joined(&[&folder, slash, part])?)?;
            }
            continue;
        }
        let pattern = parse(m, part)?;
        for folder in before {
            let list = match (folder.as_str(), place) {
                ("", 0) => ".".to_owned(),
                _ => format!("{folder}/"),
            };
            // A directory that cannot be read contains no matching files.
            let names = match files::directory_files(read, &list) {
                Err(IoError::Refused(need)) => return Err(m.refused(need)),
                names => names.unwrap_or_default(),
            };
            for name in names {
                let hidden = name.starts_with('.') && !part.starts_with('.');
                if !hidden && pattern.matches(&name, false, &m.store.events.watch)? {
                    found.put(format!("{folder}{slash}{name}"))?;
                }
            }
        }
    }
    let mut refused = None;
    found.retain(|name| match files::exists(read, name) {
        Err(IoError::Refused(need)) => {
            refused = Some(need);
            false
        }
        exists => exists.unwrap_or(false),
    });
    match refused {
        Some(need) => Err(m.refused(need)),
        None => Ok(found),
    }
}
