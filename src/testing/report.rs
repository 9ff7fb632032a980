//! Reports: results as text, for people and for programs.

use super::formats::Format;
use super::runner::{Report, TestResult};
use super::source::{Test, TestFile};
use super::verdict::Verdict;
use crate::base::growth::{Bounded, Gather, joined_bounded};
use crate::base::source::{Span, line_column};
use crate::source::diagnostic::{Diagnostic, MessageForm, Severity};
use std::fmt::Write as _;
use std::ops::Range;

impl Report {
    /// Returns the results as text. `files` are the files that were run.
    pub fn render(&self, files: &[TestFile], format: Format) -> String {
        match format {
            Format::Human => self.human(files),
            Format::Tap => super::formats::tap(self, files),
            Format::Junit => super::formats::junit(self, files),
            Format::Json => super::formats::json(self, files),
        }
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "`Report::render`, of the public interface, cannot fail"
    )]
    fn human(&self, files: &[TestFile]) -> String {
        let mut text = String::new();
        for problem in &self.problems {
            let _ = writeln!(text, "{}", problem.rendered);
        }
        for result in &self.results {
            if result.verdict.is_passed() {
                continue;
            }
            if let Some(file) = files.get(result.file) {
                text.push_str(&result.describe(file));
                text.push('\n');
            }
        }
        if let Some(coverage) = &self.coverage {
            let _ = writeln!(text, "{coverage}");
        }
        let _ = writeln!(text, "{}", self.summary());
        text
    }

    /// Returns the number of tests for each verdict, and the number of other problems, as text.
    pub fn summary(&self) -> String {
        // The name of each verdict for programs, and its text.
        let counts = [
            ("passed", "passed"),
            ("failed", "failed"),
            ("malformed", "malformed"),
            ("mistyped", "mistyped"),
            ("unanswered", "without answer"),
            ("limited", "stopped at a limit"),
        ];
        let counts =
            counts.map(|(name, word)| (self.count(|verdict| verdict.word() == name), word));
        let verdicts = counts.iter().enumerate();
        let verdicts = verdicts.filter(|(at, (number, _))| *at < 2 || *number > 0);
        let mut parts: Vec<String> = verdicts
            .map(|(_, (number, word))| format!("{number} {word}"))
            .collect_bounded();
        match self.problems.len() {
            0 => {}
            1 => parts.put_bounded("1 error of a file or program".to_owned()),
            number => parts.put_bounded(format!("{number} errors of files and programs")),
        }
        if let Some(number) = self.not_run {
            parts.put_bounded(format!("{number} not run"));
        }
        joined_bounded(&parts, ", ")
    }
}

impl TestResult {
    /// Returns the line and the message of a test that did not pass.
    pub(super) fn place(&self) -> (usize, String) {
        match &self.verdict {
            Verdict::Failed { line, message } | Verdict::Malformed { line, message } => {
                (*line, message.clone())
            }
            Verdict::Unanswered => (self.line, "there is no expected answer".to_owned()),
            Verdict::Mistyped { message, .. } | Verdict::Limited(message) => {
                (self.line, message.clone())
            }
            Verdict::Passed => (self.line, String::new()),
        }
    }

    /// Returns the line with the place and the message.
    pub(super) fn headline(&self, file: &TestFile) -> String {
        let (line, message) = self.place();
        let what = match &self.verdict {
            Verdict::Passed => "passed",
            Verdict::Failed { .. } => "failed: ",
            Verdict::Unanswered => "",
            Verdict::Malformed { .. } => "malformed answer: ",
            Verdict::Mistyped { .. } => "the query cannot be read: ",
            Verdict::Limited(_) => "stopped at a limit: ",
        };
        format!("{}:{line}: {what}{message}", file.path.display())
    }

    /// Describes a test that did not pass, for people: its place, its query, and the difference of the answers.
    #[expect(
        clippy::disallowed_methods,
        reason = "`Report::render`, of the public interface, cannot fail"
    )]
    pub fn describe(&self, file: &TestFile) -> String {
        let mut text = self.headline(file);
        text.push('\n');
        let Some(test) = file.tests().get(self.test) else {
            return text;
        };
        if let Verdict::Mistyped {
            message,
            hint,
            place,
        } = &self.verdict
        {
            let message = format!("the query cannot be read: {message}");
            let place = test.place_of(place.start)..test.place_of(place.end);
            let diagnostic = file.diagnostic(place, message);
            return Diagnostic {
                hint: hint.clone(),
                ..diagnostic
            }
            .text(MessageForm::Plain);
        }
        let mut query = query_text(test).replace('\n', "\n  ");
        query.insert_str(0, "  ");
        let _ = writeln!(text, "{query}");
        if matches!(self.verdict, Verdict::Limited(_)) {
            return text;
        }
        let expected = file.answer_text(test);
        for (mark, line) in difference(&expected, &self.actual) {
            let _ = writeln!(text, "  {mark}  {line}");
        }
        text
    }
}

impl TestFile {
    /// Returns a message on an error in these bytes of the file.
    pub(super) fn diagnostic(&self, place: Range<usize>, message: String) -> Diagnostic {
        let span = Span::new(place.start, place.end);
        let line = line_column(&self.text, place.start).0;
        let name = self.path.display().to_string();
        let text = &self.text;
        Diagnostic::new(Severity::Error, &name, text, (span, line), message, None)
    }

    /// Returns the answer in the file to a test, without indentation; empty if there is none.
    #[expect(
        clippy::disallowed_methods,
        reason = "the public interface fixes a signature without errors"
    )]
    pub fn answer_text(&self, test: &Test) -> String {
        let Some(range) = test.answer.clone().filter(|_| !test.is_new()) else {
            return String::new();
        };
        let indent = self.indent(range.start);
        let text = &self.text[range];
        let lines = text
            .lines()
            .map(|line| line.strip_prefix(indent).unwrap_or(line));
        lines.collect::<Vec<_>>().join("\n")
    }

    /// Returns the blanks and the marks of quotes before `start` on its line.
    pub(super) fn indent(&self, start: usize) -> &str {
        let begin = self.text[..start].rfind('\n').map_or(0, |end| end + 1);
        let line = &self.text[begin..start];
        let inner = line.trim_start_matches([' ', '\t', '>']);
        &line[..line.len() - inner.len()]
    }
}

/// Returns the query as in its file, with its label.
pub(super) fn query_text(test: &Test) -> String {
    let label = test.label.as_ref().map(|label| format!("{label} "));
    format!("{}?- {}.", label.unwrap_or_default(), test.query)
}

/// The maximum number of lines of two equally long texts for which a table of differences is made.
const MOST_LINES: usize = 2000;

/// Returns the lines of two texts. Lines of the first text alone are marked `-`, lines of the second alone `+`.
#[expect(
    clippy::disallowed_methods,
    reason = "`Report::render`, of the public interface, cannot fail"
)]
pub(super) fn difference<'t>(old: &'t str, new: &'t str) -> Vec<(char, &'t str)> {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let mut result = Vec::new();
    if old.len().saturating_mul(new.len()) > MOST_LINES * MOST_LINES {
        result.extend(old.iter().map(|line| ('-', *line)));
        result.extend(new.iter().map(|line| ('+', *line)));
        return result;
    }
    // The maximum number of lines that two ends have in common.
    let width = new.len() + 1;
    let mut common = vec![0u32; (old.len() + 1) * width];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            common[i * width + j] = if old[i] == new[j] {
                common[(i + 1) * width + j + 1] + 1
            } else {
                common[(i + 1) * width + j].max(common[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            result.push((' ', old[i]));
            (i, j) = (i + 1, j + 1);
        } else if j == new.len()
            || (i < old.len() && common[(i + 1) * width + j] >= common[i * width + j + 1])
        {
            result.push(('-', old[i]));
            i += 1;
        } else {
            result.push(('+', new[j]));
            j += 1;
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::difference;

    #[test]
    fn lines_that_both_have_are_not_marked() {
        let text: String = difference("a\nb\nc", "a\nx\nc\nd")
            .iter()
            .map(|(mark, line)| format!("{mark}{line}"))
            .collect();
        assert_eq!(text, " a-b+x c+d");
    }
}
