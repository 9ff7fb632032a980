//! Reads Rust source for `tidy.rs`. Spaces replace comments and literals, so that a word found in the rest is code.
//! The places of words and paths are known.

use std::collections::BTreeMap;

/// A source file: its lines, and its code without comments and literals.
pub(crate) struct RustSource {
    /// The lines of the file.
    pub(crate) lines: Vec<String>,
    /// The same text with every character of a comment or a literal replaced by a space.
    pub(crate) code: String,
}

impl RustSource {
    /// Reads `text`.
    pub(crate) fn new(text: &str) -> RustSource {
        RustSource {
            lines: text.lines().map(str::to_owned).collect(),
            code: blank(text),
        }
    }

    /// Returns the line number, counted from 1, of the byte `offset` of `code`.
    pub(crate) fn line_of(&self, offset: usize) -> usize {
        self.code[..offset].matches('\n').count() + 1
    }

    /// Returns the byte offsets of `word` as a whole word of code.
    pub(crate) fn words(&self, word: &str) -> Vec<usize> {
        let code = self.code.as_bytes();
        self.code
            .match_indices(word)
            .map(|(at, _)| at)
            .filter(|&at| at == 0 || !is_name_byte(code[at - 1]))
            .filter(|&at| {
                code.get(at + word.len())
                    .is_none_or(|&next| !is_name_byte(next))
            })
            .collect()
    }

    /// Returns the paths from the crate root that occur in the code, each with its line number. `own` is the module
    /// path of the file, for `super::…`.
    pub(crate) fn paths(&self, own: &[&str]) -> Vec<(usize, Vec<String>)> {
        let roots = ["crate", "super"].iter();
        roots
            .flat_map(|root| self.paths_from(root, own, &[]))
            .collect()
    }

    /// Returns the paths that begin with this name, which is an alias for the path `meaning`.
    pub(crate) fn paths_of(&self, name: &str, meaning: &[String]) -> Vec<(usize, Vec<String>)> {
        let children = [(name.to_owned(), meaning.to_vec())];
        self.paths_from(name, &[], &children)
    }

    fn paths_from(
        &self,
        root: &str,
        own: &[&str],
        known: &[(String, Vec<String>)],
    ) -> Vec<(usize, Vec<String>)> {
        let mut found = Vec::new();
        for at in self.words(root) {
            let is_inner = self.code[..at].trim_end().ends_with("::");
            let Some((start, rest)) = path_start(&self.code[at..], own, known) else {
                continue;
            };
            if !is_inner {
                let mut paths = Vec::new();
                path_tree(&start, rest, &mut paths);
                let line = self.line_of(at);
                found.extend(paths.into_iter().map(|(_, path)| (line, path)));
            }
        }
        found
    }

    /// Returns the names that `use` declarations before the byte `end` import, with their paths from the crate root.
    /// `children` are the modules of the file, whose path is `own`.
    pub(crate) fn brought_in(
        &self,
        own: &[&str],
        children: &[(String, Vec<String>)],
        end: usize,
    ) -> BTreeMap<String, Vec<String>> {
        let mut found = Vec::new();
        for at in self.words("use").into_iter().filter(|&at| at < end) {
            let path = self.code[at + "use".len()..].trim_start();
            if let Some((start, rest)) = path_start(path, own, children) {
                path_tree(&start, rest, &mut found);
            }
        }
        found.into_iter().collect()
    }

    /// Returns the line numbers of `use` and `extern` declarations that give the crate or a parent module another
    /// name.
    pub(crate) fn renamed_roots(&self) -> Vec<usize> {
        let mut found = Vec::new();
        for at in [self.words("use"), self.words("extern")].concat() {
            let statement = self.code[at..].split(';').next().unwrap_or_default();
            let words: String = statement
                .split_whitespace()
                .flat_map(|word| [word, " "])
                .collect();
            let roots = [
                "use crate as",
                "use super as",
                "use self as",
                "extern crate self as",
            ];
            let is_root = roots.iter().any(|root| words.starts_with(root));
            if is_root || words.replace(' ', "").starts_with("usecrate::{selfas") {
                found.push(self.line_of(at));
            }
        }
        found
    }

    /// Returns the line numbers of glob imports.
    pub(crate) fn glob_imports(&self) -> Vec<usize> {
        let mut found = Vec::new();
        for at in self.words("use") {
            let statement = self.code[at..].split(';').next().unwrap_or_default();
            if statement["use".len()..].trim_start().starts_with('<') {
                continue; // `impl Trait + use<…>` is no declaration
            }
            for (star, _) in statement.match_indices('*') {
                let before = statement[..star].trim_end();
                if before.ends_with("::") || before.ends_with('{') || before.ends_with(',') {
                    found.push(self.line_of(at + star));
                }
            }
        }
        found
    }

    /// Returns the line numbers of `unsafe { … }` blocks and `unsafe impl`s without a `// SAFETY:` comment. The
    /// comment is directly above the statement with the block.
    pub(crate) fn unexplained_unsafe(&self) -> Vec<usize> {
        let mut found = Vec::new();
        for at in self.words("unsafe") {
            let rest = self.code[at + "unsafe".len()..].trim_start();
            let line = self.line_of(at);
            if (rest.starts_with('{') || rest.starts_with("impl")) && !self.is_explained(line) {
                found.push(line);
            }
        }
        found
    }

    fn is_explained(&self, line: usize) -> bool {
        for above in self.lines[..line - 1].iter().rev() {
            let above = above.trim();
            if above.starts_with("//") {
                if above.contains("SAFETY:") {
                    return true;
                }
            } else if above.is_empty() || above.ends_with([';', '{', '}']) {
                break;
            }
        }
        self.lines[line - 1].contains("// SAFETY:")
    }
}

fn is_name_byte(byte: u8) -> bool {
    byte == b'_' || byte.is_ascii_alphanumeric() || byte >= 0x80
}

fn after_colons(text: &str) -> Option<&str> {
    text.trim_start().strip_prefix("::").map(str::trim_start)
}

/// Returns the path that the root of a path refers to, and the text after the colons. `own` is the path of the
/// surrounding module, `known` are other roots.
fn path_start<'a>(
    text: &'a str,
    own: &[&str],
    known: &[(String, Vec<String>)],
) -> Option<(Vec<String>, &'a str)> {
    let name = leading_name(text);
    let mut rest = after_colons(&text[name.len()..])?;
    let mut module = own;
    match &*name {
        "crate" => module = &[],
        "self" => {}
        "super" => {
            module = &module[..module.len().saturating_sub(1)];
            while let Some(inner) = rest.strip_prefix("super").and_then(after_colons) {
                module = &module[..module.len().saturating_sub(1)];
                rest = inner;
            }
        }
        _ => {
            let (_, meaning) = known.iter().find(|(known, _)| *known == name)?;
            return Some((meaning.clone(), rest));
        }
    }
    Some((module.iter().map(|&name| name.to_owned()).collect(), rest))
}

/// Collects the paths of `text`, which continue `start`: a single path, or the paths of a braced group, each with the
/// name that it imports. Returns the rest of the text.
fn path_tree<'a>(
    start: &[String],
    text: &'a str,
    paths: &mut Vec<(String, Vec<String>)>,
) -> &'a str {
    let text = text.trim_start();
    if let Some(mut rest) = text.strip_prefix('{') {
        while !rest.trim_start().starts_with('}') {
            let after = path_tree(start, rest, paths).trim_start();
            if after.len() == rest.len() {
                return after; // no group of names
            }
            rest = after.strip_prefix(',').unwrap_or(after);
        }
        return &rest.trim_start()[1..];
    }
    let name = leading_name(text);
    let rest = &text[name.len()..];
    // A macro belongs to the crate root, whatever module defines it.
    if name.is_empty() || rest.starts_with('!') {
        return rest;
    }
    let path = match &*name {
        "self" => start.to_vec(),
        _ => [start, &[name]].concat(),
    };
    if let Some(inner) = after_colons(rest) {
        return path_tree(&path, inner, paths);
    }
    let last = path.last().cloned().unwrap_or_default();
    match rest.trim_start().strip_prefix("as ") {
        Some(alias) => {
            let name = leading_name(alias);
            let rest = &alias[name.len()..];
            paths.push((name, path));
            rest
        }
        None => {
            paths.push((last, path));
            rest
        }
    }
}

fn leading_name(text: &str) -> String {
    text.chars()
        .take_while(|&c| c == '_' || c.is_alphanumeric())
        .collect()
}

/// Returns `text` with comments and literals replaced by spaces; line ends stay.
fn blank(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut code = String::with_capacity(text.len());
    let mut at = 0;
    while at < chars.len() {
        let end = skipped_end(&chars, at);
        if end == at {
            code.push(chars[at]);
            at += 1;
        } else {
            code.extend(
                chars[at..end]
                    .iter()
                    .map(|&c| if c == '\n' { '\n' } else { ' ' }),
            );
            at = end;
        }
    }
    code
}

/// Returns the end of the comment or literal that starts at `at`; `at` itself if there is none.
fn skipped_end(chars: &[char], at: usize) -> usize {
    let next = chars.get(at + 1).copied();
    let starts_word = at == 0 || !(chars[at - 1] == '_' || chars[at - 1].is_alphanumeric());
    match (chars[at], next) {
        ('/', Some('/')) => position(chars, at, '\n'),
        ('/', Some('*')) => block_comment_end(chars, at),
        ('"', _) => quoted_end(chars, at),
        ('r', Some('"' | '#')) if starts_word => raw_string_end(chars, at),
        ('b' | 'c', Some('r')) if starts_word => match raw_string_end(chars, at + 1) {
            end if end == at + 1 => at,
            end => end,
        },
        ('\'', Some('\\')) => quoted_end(chars, at),
        ('\'', Some(_)) if chars.get(at + 2) == Some(&'\'') => at + 3,
        _ => at,
    }
}

fn position(chars: &[char], from: usize, wanted: char) -> usize {
    chars[from..]
        .iter()
        .position(|&c| c == wanted)
        .map_or(chars.len(), |n| from + n)
}

fn block_comment_end(chars: &[char], start: usize) -> usize {
    let mut level = 0_usize;
    let mut at = start;
    while at < chars.len() {
        match (chars[at], chars.get(at + 1)) {
            ('/', Some('*')) => {
                level += 1;
                at += 2;
            }
            ('*', Some('/')) => {
                level -= 1;
                at += 2;
                if level == 0 {
                    break;
                }
            }
            _ => at += 1,
        }
    }
    at.min(chars.len())
}

fn quoted_end(chars: &[char], start: usize) -> usize {
    let mut at = start + 1;
    while at < chars.len() && chars[at] != chars[start] {
        at += if chars[at] == '\\' { 2 } else { 1 };
    }
    (at + 1).min(chars.len())
}

/// Returns the end of the raw string whose `r` is at `start`; `start` if there is no raw string.
fn raw_string_end(chars: &[char], start: usize) -> usize {
    let hashes = chars[start + 1..].iter().take_while(|&&c| c == '#').count();
    let open = start + 1 + hashes;
    if chars.get(open) != Some(&'"') {
        return start;
    }
    let mut at = open + 1;
    while at < chars.len() {
        if chars[at] == '"'
            && chars[at + 1..]
                .iter()
                .take(hashes)
                .filter(|&&c| c == '#')
                .count()
                == hashes
        {
            return at + 1 + hashes;
        }
        at += 1;
    }
    chars.len()
}

#[cfg(test)]
mod tests {
    use super::RustSource;

    #[test]
    fn comments_and_literals_are_not_code() {
        let text = "let a = \"unsafe\"; // unsafe\nlet b = r#\"unsafe \" \"#; /* unsafe /* */ */\n\
                    let c: &'static str = x; let d = '\"'; let e = '\\''; unsafe { f() }";
        let source = RustSource::new(text);
        assert_eq!(source.words("unsafe").len(), 1, "{}", source.code);
        assert_eq!(source.line_of(source.words("unsafe")[0]), 3);
    }

    #[test]
    fn crate_paths_are_found_in_all_their_forms() {
        let text = "use crate::base::atom_table;\nuse crate::{\n    store::{cell, raw},\n    text,\n};\n\
                    fn f() { $crate::io::g() }\nuse super::super::api::Engine;\nuse super::cell;";
        let paths = RustSource::new(text).paths(&["machine", "tests"]);
        let names: Vec<String> = paths.iter().map(|(_, path)| path.join("::")).collect();
        let expected = [
            "base::atom_table",
            "store::cell",
            "store::raw",
            "text",
            "io::g",
            "api::Engine",
            "machine::cell",
        ];
        assert_eq!(names, expected);
        assert_eq!(paths[1].0, 2);
    }

    #[test]
    fn names_stand_for_paths() {
        let text = "use crate::base::{self, stop::Stop as S};\npub(crate) use queue::Queue;\nuse std::fmt;\n\
                    use super::domain;\nfn f() { domain::{a, b}; x::domain::c }";
        let source = RustSource::new(text);
        let children = [(
            "queue".to_owned(),
            vec!["fd".to_owned(), "queue".to_owned()],
        )];
        let names = source.brought_in(&["fd"], &children, usize::MAX);
        let names: Vec<String> = names
            .iter()
            .map(|(name, path)| format!("{name} {}", path.join("::")))
            .collect();
        let expected = [
            "Queue fd::queue::Queue",
            "S base::stop::Stop",
            "base base",
            "domain domain",
        ];
        assert_eq!(names, expected);
        let paths = source.paths_of("domain", &["fd".to_owned(), "domain".to_owned()]);
        let paths: Vec<String> = paths.iter().map(|(_, path)| path.join("::")).collect();
        assert_eq!(paths, ["fd::domain::a", "fd::domain::b"]);
    }

    #[test]
    fn new_names_of_the_crate_are_found() {
        let text = "use crate as c;\nuse crate::base::{self as b};\nuse super as s;\nuse crate::{self as me};\n\
                    extern crate self as e;\nlet x = self as *const T;";
        let mut lines = RustSource::new(text).renamed_roots();
        lines.sort();
        assert_eq!(lines, [1, 3, 4, 5]);
    }

    #[test]
    fn glob_imports_are_found() {
        let text = "use a::*;\nuse b::{c, *};\nuse d::e;\nlet x = y * z;";
        assert_eq!(RustSource::new(text).glob_imports(), [1, 2]);
    }

    #[test]
    fn unsafe_without_a_reason_is_found() {
        let text = "// SAFETY: checked above.\nlet a =\n    unsafe { f() };\nlet b = unsafe { g() };\n\
                    unsafe fn h() {}\n";
        assert_eq!(RustSource::new(text).unexplained_unsafe(), [4]);
    }
}
