//! Answers as text, in the form of files of tests.

use super::run::{Outcome, Reply};
use super::source::Language;
use crate::api::full_stop;
use std::fmt::Write as _;

/// The maximum length of an answer on one line. Longer answers take a line for each variable.
const WIDTH: usize = 90;

/// Returns the first replies as text, without indentation, with the full stop.
#[expect(
    clippy::disallowed_methods,
    reason = "the verdict of a test has no error for this; replies take at most `LONGEST` bytes"
)]
pub(super) fn answer_text(replies: &[Reply], most: usize, language: Language) -> String {
    let failure = language.failure();
    let first = replies.iter().take(most);
    let mut parts: Vec<String> = first.map(|reply| reply_text(reply, failure)).collect();
    let open = match replies.get(parts.len().wrapping_sub(1)) {
        Some(Reply {
            outcome: Outcome::Answer(solution, _),
            ..
        }) => solution.has_more(),
        _ => false,
    };
    if open {
        let ends = match replies.get(parts.len()) {
            Some(Reply {
                outcome: Outcome::Failure,
                output,
            }) => output.is_empty(),
            _ => false,
        };
        parts.push(if ends { failure } else { "... " }.to_owned());
    }
    let mut text = parts.join(" ;\n");
    text.push_str(full_stop(&text));
    text
}

/// Returns a reply as text. `failure` is the text for no solution.
#[expect(
    clippy::disallowed_methods,
    reason = "the verdict of a test has no error for this; replies take at most `LONGEST` bytes"
)]
fn reply_text(reply: &Reply, failure: &str) -> String {
    let mut text = String::new();
    let answer = match &reply.outcome {
        Outcome::Answer(solution, leftover) => {
            let mut text = plain(&solution.to_string());
            if let Some(leftover) = leftover {
                let formulas: Vec<String> = leftover.iter().map(ToString::to_string).collect();
                let left = format!("leftover([{}])", formulas.join(", "));
                if text == "true" {
                    text = left;
                } else {
                    let _ = write!(text, ", {left}");
                }
            }
            text
        }
        Outcome::Failure => failure.to_owned(),
        Outcome::Error(_, text) => text.clone(),
        Outcome::Count(number) => format!("count({number})"),
        Outcome::TooLong => String::new(),
    };
    // Output of several lines is written line by line.
    let lines: Vec<String> = reply
        .output
        .split_inclusive('\n')
        .map(|line| format!("outputs({})", quoted(line)))
        .collect();
    text.push_str(&lines.join(",\n"));
    if !lines.is_empty() {
        if matches!(answer.as_str(), "true" | "solved") {
            return text;
        }
        text.push_str(",\n");
    }
    text.push_str(&answer);
    text
}

/// Returns the answer on one line, if it is short and has no text that spans lines.
#[expect(
    clippy::disallowed_methods,
    reason = "the verdict of a test has no error for this; replies take at most `LONGEST` bytes"
)]
fn plain(answer: &str) -> String {
    let lines: Vec<&str> = answer.lines().collect();
    let length: usize = lines.iter().map(|line| line.chars().count() + 1).sum();
    let one = lines.iter().rev().skip(1).all(|line| line.ends_with(','));
    if one && length <= WIDTH {
        return lines.join(" ");
    }
    answer.to_owned()
}

/// Returns a text in double quotes.
#[expect(
    clippy::disallowed_methods,
    reason = "the verdict of a test has no error for this; replies take at most `LONGEST` bytes"
)]
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            c if c.is_control() => {
                let _ = write!(quoted, "\\x{:x}\\", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
