//! Writing actual answers into files of tests. All other text of the files stays as it is.

use super::comments::with_comments_of;
use super::runner::TestResult;
use super::source::TestFile;
use super::verdict::Verdict;
use crate::api::replace_file;
use crate::base::growth::{Gather, GrowBy};
use std::io;

/// The byte order mark that a text in UTF-8 may begin with.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// The indentation of the lines of a new answer.
const INDENT: &str = "   ";

impl TestResult {
    /// Returns whether the actual answers can replace the answers in the file.
    pub fn is_acceptable(&self) -> bool {
        let wrong = matches!(
            self.verdict,
            Verdict::Failed { .. } | Verdict::Unanswered | Verdict::Malformed { .. }
        );
        wrong && !self.refused
    }
}

impl TestFile {
    /// Returns the text of the file with the actual answers of these results. Results that have passed, or were stopped
    /// at a limit, change nothing.
    #[expect(
        clippy::disallowed_methods,
        reason = "the public interface fixes a signature without errors"
    )]
    pub fn with_answers<'r>(&self, results: impl IntoIterator<Item = &'r TestResult>) -> String {
        let mut results: Vec<&TestResult> = results
            .into_iter()
            .filter(|result| result.is_acceptable())
            .collect();
        results.sort_by_key(|result| result.test);
        results.dedup_by_key(|result| result.test);
        let end_of_line = if self.text.contains("\r\n") {
            "\r\n"
        } else {
            "\n"
        };
        let mut text = String::with_capacity(self.text.len());
        let mut at = 0;
        for result in results {
            let Some(test) = self.tests().get(result.test) else {
                continue;
            };
            let lines = result.actual.lines();
            match &test.answer {
                Some(range) => {
                    let old = &self.text[range.start..range.end];
                    let lines = with_comments_of(old, &result.actual, test.language.syntax());
                    // Without memory for the new answer the old one stays.
                    let Ok(lines) = lines else { continue };
                    // The text already has the blanks before the first line.
                    let indent = self.indent(range.start);
                    text.push_str(&self.text[at..range.start]);
                    text.push_str(&lines.join(&format!("{end_of_line}{indent}")));
                    at = range.end;
                }
                None => {
                    let indent = self.indent(test.whole.start);
                    let rest = &self.text[test.whole.end..];
                    let line = rest.find('\n').map_or(rest.len(), |end| end + 1);
                    let end = test.whole.end + line;
                    text.push_str(&self.text[at..end]);
                    if !text.ends_with('\n') {
                        text.push_str(end_of_line);
                    }
                    for line in lines {
                        text.push_str(indent);
                        text.push_str(INDENT);
                        text.push_str(line);
                        text.push_str(end_of_line);
                    }
                    at = end;
                }
            }
        }
        text.push_str(&self.text[at..]);
        text
    }

    /// Writes the answers of these results into the file. Returns their number.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or written, or has changed since it was read.
    pub fn accept<'r>(
        &self,
        results: impl IntoIterator<Item = &'r TestResult>,
    ) -> io::Result<usize> {
        let results = results.into_iter();
        let results = results.filter(|result| result.is_acceptable()).gather()?;
        if results.is_empty() {
            return Ok(0);
        }
        #[expect(clippy::disallowed_methods, reason = "it reports refused memory")]
        let bytes = std::fs::read(&self.path)?;
        let marked = bytes.starts_with(MARK);
        let body = if marked { &bytes[MARK.len()..] } else { &bytes };
        if body != self.text.as_bytes() {
            return Err(io::Error::other(
                match TestFile::read(&self.path)?.text == self.text {
                    true => {
                        "Wamlet writes answers only into UTF-8 texts whose lines end with line feeds"
                    }
                    false => "the file changed after Wamlet read its tests",
                },
            ));
        }
        let number = results.len();
        let mark = if marked { MARK } else { &[] };
        let mut text = Vec::of(mark)?;
        text.put_slice(self.with_answers(results).as_bytes())?;
        replace_file(&self.path, &text)?;
        Ok(number)
    }
}
