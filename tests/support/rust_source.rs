//! Rust source as `tidy.rs` reads it: the text with comments and literals blanked out, so that a
//! word found in it is code, with the places of words and paths.

/// One source file: its lines as they are, and its code with comments and literals blanked.
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

    /// The line number, counted from 1, of the byte `offset` of `code`.
    pub(crate) fn line_of(&self, offset: usize) -> usize {
        self.code[..offset].matches('\n').count() + 1
    }

    /// The byte offsets at which `word` stands as a whole word of code.
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

    /// The modules directly under the crate root that the code names, each with its line number.
    /// `depth` is the number of names in the module path of the file, for `super::super::…`.
    pub(crate) fn crate_modules(&self, depth: usize) -> Vec<(usize, String)> {
        let mut found = Vec::new();
        for at in self.words("crate") {
            if let Some(rest) = after_colons(&self.code[at + "crate".len()..]) {
                let line = self.line_of(at);
                found.extend(first_names(rest).into_iter().map(|name| (line, name)));
            }
        }
        for at in self.words("super") {
            let mut rest = &self.code[at..];
            let mut steps = 0;
            while let Some(inner) = rest.strip_prefix("super").and_then(after_colons) {
                steps += 1;
                rest = inner;
            }
            let continues = self.code[..at].trim_end().ends_with("::");
            if steps == depth && !continues {
                let line = self.line_of(at);
                found.extend(first_names(rest).into_iter().map(|name| (line, name)));
            }
        }
        found
    }

    /// The line numbers of `use` declarations that import everything.
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

    /// The line numbers of `unsafe { … }` blocks and `unsafe impl`s that no `// SAFETY:` comment
    /// introduces. The comment stands directly above the statement that holds the block.
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

/// The first name of every path of `text`: one, or those of a braced group.
fn first_names(text: &str) -> Vec<String> {
    let Some(group) = text.strip_prefix('{') else {
        let name = leading_name(text);
        // A macro is of the crate root, whatever module defines it.
        let is_macro = text[name.len()..].starts_with('!');
        return if name.is_empty() || is_macro {
            Vec::new()
        } else {
            vec![name]
        };
    };
    let mut names = Vec::new();
    let mut level = 0_usize;
    let mut at_start = true;
    for (at, c) in group.char_indices() {
        match c {
            '{' => level += 1,
            '}' if level == 0 => break,
            '}' => level -= 1,
            ',' if level == 0 => at_start = true,
            c if c.is_whitespace() => {}
            _ if at_start => {
                names.push(leading_name(&group[at..]));
                at_start = false;
            }
            _ => {}
        }
    }
    names
}

fn leading_name(text: &str) -> String {
    text.chars()
        .take_while(|&c| c == '_' || c.is_alphanumeric())
        .collect()
}

/// `text` with comments and literals replaced by spaces; line ends stay.
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

/// The end of the comment or literal that starts at `at`; `at` itself when none does.
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

/// The end of the raw string whose `r` is at `start`; `start` when it is no raw string.
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
        let text = "use crate::base::symbol;\nuse crate::{\n    store::{cell, raw},\n    text,\n};\n\
                    fn f() { $crate::io::g() }\nuse super::super::api::Engine;\nuse super::cell;";
        let modules: Vec<_> = RustSource::new(text).crate_modules(2);
        let names: Vec<&str> = modules.iter().map(|(_, name)| name.as_str()).collect();
        assert_eq!(names, ["base", "store", "text", "io", "api"]);
        assert_eq!(modules[1].0, 2);
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
