//! The texts in which the tests look for names: documents in Markdown and the comments of `src`. Names are the spans in
//! back quotes. The tests report each fault with its file and line.

use super::{files_under, read, refuse};

/// A name in back quotes.
pub(crate) struct Quoted {
    pub(crate) line: usize,
    pub(crate) text: String,
    /// The text between the previous name and this one, within the paragraph.
    pub(crate) before: String,
}

/// A text, with its names.
pub(crate) struct Text {
    pub(crate) path: String,
    pub(crate) quoted: Vec<Quoted>,
    /// The code blocks of a document.
    pub(crate) examples: String,
}

/// Returns the spans in back quotes in these numbered lines. A span is between runs of back quotes of the same length,
/// within one paragraph.
pub(crate) fn quoted<'a>(lines: impl Iterator<Item = (usize, &'a str)>) -> Vec<Quoted> {
    let mut found = Vec::new();
    let (mut open, mut last) = (None::<(usize, Quoted)>, 0);
    let mut between = String::new();
    for (number, line) in lines {
        // The end of a paragraph ends an unclosed span.
        if line.trim().is_empty() || number != last + 1 {
            open = None;
            between = String::from("\n");
        }
        last = number;
        match &mut open {
            Some((_, inner)) => inner.text.push(' '),
            None => between.push(' '),
        }
        let mut rest = line;
        while let Some(at) = rest.find('`') {
            let (before, from) = rest.split_at(at);
            let after = from.trim_start_matches('`');
            let run = from.len() - after.len();
            rest = after;
            match open.take() {
                None => {
                    between.push_str(before);
                    let inner = Quoted {
                        line: number,
                        text: String::new(),
                        before: std::mem::take(&mut between),
                    };
                    open = Some((run, inner));
                }
                Some((length, mut inner)) => {
                    inner.text.push_str(before);
                    if length == run {
                        inner.text = inner.text.split_whitespace().collect::<Vec<_>>().join(" ");
                        found.push(inner);
                    } else {
                        inner.text.push_str(&"`".repeat(run));
                        open = Some((length, inner));
                    }
                }
            }
        }
        match &mut open {
            Some((_, inner)) => inner.text.push_str(rest.trim()),
            None => between.push_str(rest.trim()),
        }
    }
    found
}

/// Separates the numbered lines outside code blocks from the text of the blocks.
fn apart<'a>(lines: impl Iterator<Item = (usize, &'a str)>) -> (Vec<(usize, &'a str)>, String) {
    let (mut outside, mut blocks, mut within) = (Vec::new(), String::new(), false);
    for (number, line) in lines {
        if line.trim_start().starts_with("```") {
            within = !within;
        } else if within {
            blocks.push_str(line);
            blocks.push('\n');
        } else {
            outside.push((number, line));
        }
    }
    (outside, blocks)
}

pub(crate) fn documents() -> Vec<Text> {
    let all = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs"];
    let files = all.iter().flat_map(|start| files_under(start));
    let files = files.filter(|(path, _)| path.ends_with(".md"));
    let texts = files.map(|(path, place)| {
        let text = read(&place);
        let (outside, examples) = apart((1..).zip(text.lines()));
        let quoted = quoted(outside.into_iter());
        Text {
            path,
            quoted,
            examples,
        }
    });
    texts.collect()
}

/// Returns the comments of the files of `src`.
pub(crate) fn comments() -> Vec<Text> {
    let files = files_under("src").into_iter();
    let files = files.filter(|(path, _)| path.ends_with(".rs"));
    let texts = files.map(|(path, place)| {
        let text = read(&place);
        let numbered = (1..).zip(text.lines());
        let comments = numbered.filter_map(|(number, line)| {
            let comment = line.trim_start().strip_prefix("//")?;
            Some((number, comment.trim_start_matches(['/', '!'])))
        });
        let (outside, examples) = apart(comments);
        let quoted = quoted(outside.into_iter());
        Text {
            path,
            quoted,
            examples,
        }
    });
    texts.collect()
}

pub(crate) fn texts() -> Vec<Text> {
    documents().into_iter().chain(comments()).collect()
}

/// Fails if `faults` finds a fault in the names of the texts.
pub(crate) fn refuse_names(
    rule: &str,
    texts: &[Text],
    faults: impl Fn(&Text, &str) -> Vec<String>,
) {
    let mut offenders = Vec::new();
    for text in texts {
        for name in &text.quoted {
            let found = faults(text, &name.text).into_iter();
            offenders.extend(found.map(|fault| format!("{}:{}: {fault}", text.path, name.line)));
        }
    }
    refuse(rule, &offenders);
}

#[test]
fn names_are_found_in_texts() {
    let texts = |text: &str| -> Vec<(usize, String)> {
        let found = quoted((1..).zip(text.lines())).into_iter();
        found.map(|name| (name.line, name.text)).collect()
    };
    let name = |line, text: &str| (line, text.to_owned());
    assert_eq!(
        texts("a `b c` and `d\ne` and ``f`g``\n\n`h"),
        [name(1, "b c"), name(1, "d e"), name(2, "f`g")]
    );
}
