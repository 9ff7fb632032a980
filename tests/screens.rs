//! Pictures of terminals in the documents: `docs/NAME.svg` shows the console blocks of a section, in the colours of a
//! terminal. `tests/manual.rs` runs these blocks. `UPDATE_GOLDEN=1 cargo test --test screens` renews the pictures.

use std::fmt::Write;
use std::path::Path;

/// The document, the heading of its section, and the picture.
const SCREENS: [(&str, &str, &str); 2] = [
    ("README.md", "## First look", "docs/first-look.svg"),
    ("docs/messages.md", "## Examples", "docs/messages.svg"),
];

/// Width of a character and height of a line, in pixels.
const CELL: (f64, usize) = (8.0, 18);
/// Margin around the text, in pixels.
const MARGIN: usize = 14;

/// Returns the lines of the console blocks of a section.
fn lines<'d>(document: &'d str, heading: &str) -> Vec<&'d str> {
    let (_, section) = document.split_once(heading).expect("the section");
    let section = section.split("\n## ").next().expect("a text");
    let blocks = section.split("```console\n").skip(1);
    let blocks = blocks.map(|block| block.split("```").next().expect("a text"));
    blocks.flat_map(str::lines).collect()
}

/// Returns the parts of a line with their colours.
fn coloured(line: &str) -> Vec<(&str, &str)> {
    for (mark, colour) in [(": error:", "#ff7b72"), (": warning:", "#e3b341")] {
        if let Some(at) = line.find(mark) {
            let (place, rest) = line.split_at(at + 2);
            let (word, rest) = rest.split_at(mark.len() - 2);
            return vec![("#8b949e", place), (colour, word), ("#e6edf3", rest)];
        }
    }
    let colour = match line.trim_start() {
        command if line.starts_with("$ ") && !command.is_empty() => "#7ee787",
        help if help.starts_with("help:") => "#79c0ff",
        carets if carets.starts_with("| ") && carets.contains("^") => "#ff7b72",
        _ => "#e6edf3",
    };
    vec![(colour, line)]
}

/// Returns the picture of a terminal with these lines.
fn picture(lines: &[&str]) -> String {
    let columns = lines.iter().map(|line| line.chars().count()).max();
    let width = (columns.unwrap_or(0) as f64 * CELL.0) as usize + 2 * MARGIN;
    let height = lines.len() * CELL.1 + 2 * MARGIN;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         font-family=\"monospace\" font-size=\"13\" xml:space=\"preserve\">\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#0d1117\"/>\n"
    );
    for (row, line) in lines.iter().enumerate() {
        let y = MARGIN + row * CELL.1 + 13;
        let _ = write!(text, "<text x=\"{MARGIN}\" y=\"{y}\">");
        for (colour, part) in coloured(line) {
            let part = part.replace('&', "&amp;").replace('<', "&lt;");
            let _ = write!(text, "<tspan fill=\"{colour}\">{part}</tspan>");
        }
        text.push_str("</text>\n");
    }
    text + "</svg>\n"
}

#[test]
fn pictures_show_the_examples() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (document, heading, name) in SCREENS {
        let document = std::fs::read_to_string(root.join(document)).expect("a document");
        let lines = lines(&document, heading);
        assert!(lines.len() > 10, "{name}: {lines:?}");
        let picture = picture(&lines);
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(root.join(name), picture).expect("the picture is written");
        } else {
            let shown = std::fs::read_to_string(root.join(name)).unwrap_or_default();
            assert!(
                shown == picture,
                "{name} does not show the section {heading}"
            );
        }
    }
}
