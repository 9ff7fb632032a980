//! Outline of a text of the system: the places of its clauses and the predicates that they define. The outline is
//! found without reading the clauses as terms. The texts are written for this: each line without indentation begins
//! a clause, a directive or a comment, or is a closing bracket. A test compares the outline with the result of the
//! reader.

use crate::base::atom_table::FastMap;
use crate::base::growth::{Bounded, Gather};
use crate::base::locks::lock;
use std::io::BufRead;
use std::sync::Mutex;

/// Entry that begins at a line of a text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Entry<'a> {
    /// Clause of the predicate with this name and arity. A grammar rule counts its two extra arguments.
    Clause(&'a str, usize),
    /// Directive, or clause whose head needs the reader.
    Other,
}

/// Entries of a text, each with its place.
pub(crate) struct Outline<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Outline<'a> {
    /// Returns the outline of `text`.
    pub(crate) fn new(text: &'a str) -> Outline<'a> {
        Outline { text, at: 0 }
    }
}

impl<'a> Iterator for Outline<'a> {
    type Item = (usize, Entry<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let start = self.at;
            let rest = self.text.get(start..)?;
            let mut bytes = rest.as_bytes();
            let first = *bytes.first()?;
            // Most lines are comments. `skip_until` finds their ends several times faster than `str::find`.
            self.at += bytes.skip_until(b'\n').unwrap_or(rest.len());
            match first {
                b'\n' | b' ' | b'%' | b')' | b']' | b'}' | b'.' => {}
                _ => {
                    let entry = clause(rest);
                    let entry =
                        entry.map_or(Entry::Other, |(name, arity)| Entry::Clause(name, arity));
                    return Some((start, entry));
                }
            }
        }
    }
}

/// Entries of a text of the system, with their places.
type Entries = [(usize, Entry<'static>)];
/// Module at the beginning of a text, and its exports.
pub(super) type Heading<'a> = (&'a str, Vec<(&'a str, usize)>);

/// Results that are computed once in a process, by the addresses of the texts.
struct Known<T: 'static>(Mutex<Option<FastMap<usize, &'static T>>>);

impl<T> Known<T> {
    const fn new() -> Known<T> {
        Known(Mutex::new(None))
    }

    fn get(&self, text: &'static str, find: impl FnOnce() -> T) -> &'static T {
        let mut known = lock(&self.0);
        let known = known.get_or_insert_default();
        known
            .entry(text.as_ptr() as usize)
            .or_insert_with(|| Box::leak(Box::new(find())))
    }
}

/// Returns the outline of a text of the system.
pub(super) fn entries(text: &'static str) -> &'static Entries {
    static KNOWN: Known<Box<Entries>> = Known::new();
    KNOWN.get(text, || Outline::new(text).collect_bounded())
}

/// Returns the heading of a text of the system, if it has plain names.
pub(super) fn known_heading(text: &'static str) -> Option<&'static Heading<'static>> {
    static KNOWN: Known<Option<Heading<'static>>> = Known::new();
    KNOWN.get(text, || heading(text)).as_ref()
}

/// Returns name and arity of the clause at the beginning of `text`, if its head is plain.
fn clause(text: &str) -> Option<(&str, usize)> {
    let (name, mut at) = name(text)?;
    let mut arity = 0;
    if text.as_bytes().get(at) == Some(&b'(') {
        (arity, at) = arguments(text, at)?;
    }
    let rest = text.get(at..)?.trim_ascii_start();
    if rest.starts_with("-->") {
        return Some((name, arity + 2));
    }
    let ends = |rest: &str| rest.is_empty() || rest.starts_with(['\n', ' ']);
    let plain = rest.starts_with(":-") || rest.strip_prefix('.').is_some_and(ends);
    plain.then_some((name, arity))
}

/// Returns the name at the beginning of `text`, without quotes, and the place of its end.
fn name(text: &str) -> Option<(&str, usize)> {
    if let Some(quoted) = text.strip_prefix('\'') {
        let end = quoted.find('\'')?;
        let name = quoted.get(..end)?;
        let plain = !name.contains('\\') && !quoted.get(end + 1..)?.starts_with('\'');
        return plain.then_some((name, end + 2));
    }
    let inside = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let end = text.find(|c| !inside(c)).unwrap_or(text.len());
    let begins = text.starts_with(|c: char| c.is_ascii_lowercase());
    begins.then(|| Some((text.get(..end)?, end))).flatten()
}

/// Returns the number of arguments in the brackets that begin at `at`, and the place of their end.
fn arguments(text: &str, at: usize) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let (mut depth, mut arity, mut at) = (0, 1, at);
    loop {
        match *bytes.get(at)? {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => {
                depth -= 1;
                if depth == 0 {
                    return Some((arity, at + 1));
                }
            }
            b',' if depth == 1 => arity += 1,
            quote @ (b'\'' | b'"' | b'`') => {
                // A quote may belong to the code of a character: `0''`.
                if at.checked_sub(1).map(|before| bytes[before]) == Some(b'0') {
                    return None;
                }
                at += 1;
                while *bytes.get(at)? != quote {
                    if bytes[at] == b'\\' {
                        return None;
                    }
                    at += 1;
                }
            }
            b'%' => return None,
            _ => {}
        }
        at += 1;
    }
}

/// Returns the module at the beginning of a text and its exported predicates, if they are plain names.
pub(super) fn heading(text: &str) -> Option<Heading<'_>> {
    let (start, _) = Outline::new(text).next()?;
    let rest = text.get(start..)?.strip_prefix(":- module(")?;
    let (module, end) = name(rest)?;
    let mut rest = after(rest.get(end..)?, ',')?;
    rest = after(rest, '[')?;
    let mut exports = Vec::new();
    loop {
        rest = skip(rest);
        if let Some(end) = rest.strip_prefix(']') {
            return end.starts_with(')').then_some((module, exports));
        }
        let (name, end) = name(rest)?;
        rest = rest.get(end..)?.strip_prefix('/')?;
        let grammar = rest.strip_prefix('/');
        rest = grammar.unwrap_or(rest);
        let end = rest.find(|c: char| !c.is_ascii_digit())?;
        let arity: usize = rest.get(..end)?.parse().ok()?;
        exports.put_bounded((name, arity + if grammar.is_some() { 2 } else { 0 }));
        rest = skip(rest.get(end..)?);
        rest = rest.strip_prefix(',').unwrap_or(rest);
    }
}

/// Returns the text after a character, which may follow layout.
fn after(text: &str, c: char) -> Option<&str> {
    skip(text).strip_prefix(c)
}

/// Returns the text after layout and comments.
fn skip(text: &str) -> &str {
    let mut rest = text.trim_ascii_start();
    while rest.starts_with('%') {
        rest = rest.split_once('\n').map_or("", |(_, rest)| rest);
        rest = rest.trim_ascii_start();
    }
    rest
}
