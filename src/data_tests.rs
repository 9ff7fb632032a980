//! Support for tests whose rows are in data files under `tests/`. `tests/reader/README.md` describes the format.
#![forbid(unsafe_code)]

use std::fmt::Write;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

/// The settings of a group of rows, each with a name and a value.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Settings {
    values: Vec<(String, String)>,
    /// Whether the row with these settings is the first of its group.
    pub(crate) first: bool,
}

impl Settings {
    /// Returns the value of a setting, or an empty text if the group lacks the setting.
    pub(crate) fn get(&self, name: &str) -> &str {
        let found = self.values.iter().find(|(known, _)| known == name);
        found.map_or("", |(_, value)| value)
    }

    /// Returns the parts of a value that `, ` separates.
    pub(crate) fn list(&self, name: &str) -> impl Iterator<Item = &str> {
        let parts = self.get(name).split(", ");
        parts.map(str::trim).filter(|part| !part.is_empty())
    }
}

/// An input with its expected result.
#[derive(Debug, PartialEq)]
struct Row {
    settings: Settings,
    input: String,
    expected: String,
    /// The number of the first line of the row, from 1.
    line: usize,
    /// The numbers of the lines with the expected result, from 0. In a block, these lines contain only the result.
    place: Range<usize>,
    block: bool,
}

/// Checks all rows of the files `*.txt` in a folder of the package. `known` names the settings that they may have.
/// `answer` returns the result of an input. With `UPDATE_GOLDEN` set, writes the new results to the files.
pub(crate) fn check(
    folder: &str,
    known: &[&str],
    mut answer: impl FnMut(&Settings, &str) -> String,
) {
    let mut faults = Vec::new();
    for path in files(folder) {
        let name = format!("{folder}/{}", path.file_name().unwrap().to_string_lossy());
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{name}: {e}"));
        let rows = match rows(&text, known) {
            Ok(rows) => rows,
            Err((line, fault)) => {
                faults.push(format!("{name}:{line}: {fault}"));
                continue;
            }
        };
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let before = faults.len();
        let mut results = Vec::new();
        for row in &rows {
            let got = catch_unwind(AssertUnwindSafe(|| answer(&row.settings, &row.input)))
                .unwrap_or_else(|_| "a panic".to_owned());
            if got == row.expected {
                continue;
            }
            let shown = encode(&got, false);
            faults.push(format!(
                "{name}:{}: {}\n    got       {shown}\n    expected  {}",
                row.line,
                encode(&row.input, false),
                encode(&row.expected, false)
            ));
            results.push((row, got));
        }
        for (row, got) in results.iter().rev() {
            update(&mut lines, row, got);
        }
        if faults.len() > before && std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(&path, lines.join("\n") + "\n").unwrap();
        }
    }
    assert!(
        faults.is_empty(),
        "{} fault(s):\n{}\n",
        faults.len(),
        faults.join("\n")
    );
}

/// Returns the data files of a folder, sorted. Fails if the folder has none.
fn files(folder: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder));
    let entries = entries.unwrap_or_else(|e| panic!("{folder}: {e}"));
    let paths = entries.map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|end| end == "txt"))
        .collect();
    assert!(!paths.is_empty(), "{folder}: no data files");
    paths.sort();
    paths
}

/// Replaces the expected result of a row by the result that it gives.
fn update(lines: &mut Vec<String>, row: &Row, got: &str) {
    let shown = encode(got, row.block);
    if row.block {
        lines.splice(row.place.clone(), shown.split('\n').map(str::to_owned));
    } else if let Some(line) = lines.get_mut(row.place.start) {
        let left = line.split("  =>").next().unwrap_or_default().len();
        line.truncate(left);
        line.push_str("  =>  ");
        line.push_str(&shown);
    }
}

/// Returns the rows of a file, or the number of a faulty line and its fault.
fn rows(text: &str, known: &[&str]) -> Result<Vec<Row>, (usize, String)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut rows: Vec<Row> = Vec::new();
    let mut settings = Settings::default();
    // The number of rows before the comment that begins the group. `None` before the first comment.
    let mut before: Option<usize> = None;
    let mut at = 0;
    while let Some(&line) = lines.get(at) {
        let fault = |what: &str| Err((at + 1, what.to_owned()));
        let in_rows = before.is_none_or(|before| rows.len() > before);
        if line.chars().any(char::is_control) {
            return fault("a control character: write it as its picture");
        }
        if line.starts_with('%') {
            if line.contains("  =>") {
                return fault("a row that begins with `%`: write ⟨25⟩");
            }
            if in_rows {
                before = Some(rows.len());
                settings = Settings::default();
                settings.first = true;
            }
        } else if line == "----" || line.contains("  =>") {
            if before.is_none() {
                return fault("a row before the comment that begins a group");
            }
            let read = if line == "----" {
                block(&lines, at)
            } else {
                single(line, at)
            };
            let row = read.map_err(|what| (at + 1, what))?;
            at = row.place.end - usize::from(!row.block);
            rows.push(Row {
                settings: settings.clone(),
                ..row
            });
            settings.first = false;
        } else if !line.trim().is_empty() {
            let Some((name, value)) = line.split_once(": ") else {
                return fault("neither comment, setting nor row");
            };
            if !known.contains(&name) || !settings.get(name).is_empty() {
                return fault("a setting that is unknown or was made before");
            }
            if in_rows {
                return fault("a setting without the comment that begins a group");
            }
            settings
                .values
                .push((name.to_owned(), value.trim().to_owned()));
        }
        at += 1;
    }
    if before.is_none_or(|before| rows.len() == before) {
        return Err((lines.len(), "no rows at the end of the file".to_owned()));
    }
    Ok(rows)
}

/// Returns the row on one line, or its fault.
fn single(line: &str, at: usize) -> Result<Row, String> {
    let (input, expected) = line
        .split_once("  =>  ")
        .filter(|(_, right)| !right.contains("  =>"))
        .ok_or("not one `  =>  ` between input and result")?;
    Ok(Row {
        settings: Settings::default(),
        input: decode(input.trim())?,
        expected: decode(expected.trim())?,
        line: at + 1,
        place: at..at + 1,
        block: false,
    })
}

/// Returns the row of several lines between two lines `----`, or its fault.
fn block(lines: &[&str], at: usize) -> Result<Row, String> {
    let find = |from: usize, what: &str| {
        let found = lines[from..].iter().position(|line| *line == what);
        found
            .map(|length| from + length)
            .ok_or(format!("a block without `{what}`"))
    };
    let middle = find(at + 1, "=>")?;
    let end = find(middle + 1, "----")?;
    if find(at + 1, "----")? < middle {
        return Err("a block without `=>`".to_owned());
    }
    Ok(Row {
        settings: Settings::default(),
        input: decode(&lines[at + 1..middle].join("\n"))?,
        expected: decode(&lines[middle + 1..end].join("\n"))?,
        line: at + 1,
        place: middle + 1..end,
        block: true,
    })
}

/// Checks that a page of the documentation is this text. With `UPDATE_GOLDEN` set, writes the text to the page.
pub(crate) fn check_page(page: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(page);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == text,
        "{page} is stale: run the tests with UPDATE_GOLDEN=1"
    );
}

/// Returns the text that a notation stands for, or the fault of the notation.
pub(crate) fn decode(notation: &str) -> Result<String, String> {
    match notation {
        "∅" => return Ok(String::new()),
        "" => return Err("nothing: write ∅".to_owned()),
        _ => {}
    }
    let mut text = String::new();
    let mut rest = notation.chars();
    while let Some(c) = rest.next() {
        text.push(match c {
            '\u{2400}'..='\u{2420}' => char::from_u32(c as u32 - 0x2400).unwrap(),
            '\u{2421}' => '\u{7f}',
            '⟨' => {
                let digits: String = rest.by_ref().take_while(|c| *c != '⟩').collect();
                let code = u32::from_str_radix(&digits, 16).ok();
                let wrong = || format!("no character: ⟨{digits}⟩");
                code.and_then(char::from_u32).ok_or_else(wrong)?
            }
            '∅' | '⟩' => return Err(format!("a stray {c}")),
            c => c,
        });
    }
    Ok(text)
}

/// Returns the notation of a text. In a block, line breaks stay as they are.
fn encode(text: &str, block: bool) -> String {
    if text.is_empty() {
        return "∅".to_owned();
    }
    let clash = text.contains("  =>");
    let mut out = String::new();
    for (at, c) in text.char_indices() {
        let outer = at == 0 || at + 1 == text.len();
        match c {
            '\n' if block => out.push(c),
            ' ' if clash || outer => out.push('\u{2420}'),
            '\0'..='\u{1f}' => out.push(char::from_u32(0x2400 + c as u32).unwrap()),
            '\u{7f}' => out.push('\u{2421}'),
            '⟨' | '⟩' | '∅' | '\u{2400}'..='\u{2421}' => {
                write!(out, "⟨{:x}⟩", c as u32).unwrap();
            }
            c if c != ' ' && is_invisible(c) => write!(out, "⟨{:x}⟩", c as u32).unwrap(),
            c => out.push(c),
        }
    }
    out
}

fn is_invisible(c: char) -> bool {
    c.is_control() || c.is_whitespace() || matches!(c, '\u{200b}'..='\u{200f}' | '\u{feff}')
}

#[test]
fn texts_have_a_notation() {
    for text in [
        "",
        " a  => b ",
        "a\n\t\0\u{1f}\u{7f}\u{80}",
        "\u{feff}⟨∅␀⟩\u{a0}é日",
        "%",
    ] {
        for block in [false, true] {
            let notation = encode(text, block);
            assert_eq!(decode(&notation).as_deref(), Ok(text), "{notation}");
        }
    }
    for notation in ["", "a∅", "⟩", "⟨d800⟩", "⟨x⟩"] {
        assert!(decode(notation).is_err(), "{notation}");
    }
}

#[test]
fn files_are_read_or_refused() {
    let text = "% Head\n\n% One\nops: a, b\n a  =>  ␠b\n\n% Two\n----\nx\ny\n=>\nz\n----\n";
    let read = rows(text, &["ops"]).unwrap();
    let shown = read.iter().map(|row| {
        let parts: Vec<&str> = row.settings.list("ops").collect();
        (row.line, parts, &*row.input, &*row.expected)
    });
    let expected = [(5, vec!["a", "b"], "a", " b"), (8, vec![], "x\ny", "z")];
    assert!(shown.eq(expected));
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    update(&mut lines, &read[1], "1\n2");
    update(&mut lines, &read[0], "c ");
    let new = text.replace("␠b", "c␠").replace("\nz", "\n1\n2");
    assert_eq!(lines.join("\n") + "\n", new);
    for (line, text) in [
        (1, "a  =>  b"),
        (2, "% One\nfoo: a\na  =>  b"),
        (2, "% One\na => b"),
        (2, "% One\na  =>  b  =>  c"),
        (2, "% One\na  =>"),
        (2, "% One\na  =>  ⟨d800⟩"),
        (2, "% One\na\t  =>  b"),
        (2, "% One\n%a  =>  b"),
        (3, "% One\nops: a\nops: a\na  =>  b"),
        (3, "% One\na  =>  b\nops: a\nc  =>  d"),
        (2, "% One\n----\na\n----\n% Two\n----\nb\n=>\nc\n----"),
        (2, "% One\n----\na\n=>\nb"),
        (4, "% One\na  =>  b\n% Two\nops: a"),
        (1, "% One"),
        (0, ""),
    ] {
        assert_eq!(rows(text, &["ops"]).unwrap_err().0, line, "{text}");
    }
}
