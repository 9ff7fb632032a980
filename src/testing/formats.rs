//! The formats of results, and the writers of TAP, JUnit and JSON.

use super::coverage::Coverage;
use super::report::query_text;
use super::runner::{Report, TestResult};
use super::source::TestFile;
use super::verdict::Verdict;
use crate::base::json::json_text;
use std::fmt::Write as _;

/// The format of results.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// For people: the tests that did not pass, with the differences, and the number of tests that passed.
    #[default]
    Human,
    /// The Test Anything Protocol, version 14.
    Tap,
    /// The XML of JUnit.
    Junit,
    /// One JSON document.
    Json,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 4] = [Format::Human, Format::Tap, Format::Junit, Format::Json];

    /// Returns the name of the format, and a short description.
    const fn row(self) -> (&'static str, &'static str) {
        match self {
            Format::Human => ("human", "For people"),
            Format::Tap => ("tap", "Test Anything Protocol"),
            Format::Junit => ("junit", "JUnit XML"),
            Format::Json => ("json", "JSON"),
        }
    }

    /// Returns the name of the format on the command line.
    pub const fn name(self) -> &'static str {
        self.row().0
    }

    /// Returns a short description of the format.
    pub const fn about(self) -> &'static str {
        self.row().1
    }
}

/// The data of a result that the formats write.
struct Row<'a> {
    file: String,
    /// The label of the test, or its query on one line.
    name: String,
    result: &'a TestResult,
    details: String,
    expected: String,
}

#[expect(
    clippy::disallowed_methods,
    reason = "`Report::render`, of the public interface, cannot fail"
)]
fn rows<'a>(report: &'a Report, files: &'a [TestFile]) -> impl Iterator<Item = Row<'a>> {
    report.results.iter().filter_map(|result| {
        let file = files.get(result.file)?;
        let test = file.tests().get(result.test)?;
        let query = query_text(test);
        let name = test.label.clone().unwrap_or_else(|| {
            let words: Vec<&str> = query.split_whitespace().collect();
            words.join(" ")
        });
        Some(Row {
            file: file.path.display().to_string(),
            name,
            result,
            details: match result.verdict {
                Verdict::Passed => String::new(),
                _ => result.describe(file),
            },
            expected: file.answer_text(test),
        })
    })
}

/// Returns the results in the Test Anything Protocol, version 14.
pub(super) fn tap(report: &Report, files: &[TestFile]) -> String {
    let number = report.results.len() + report.problems.len();
    let mut text = format!("TAP version 14\n1..{number}\n");
    let mut at = 0;
    for problem in &report.problems {
        at += 1;
        let _ = writeln!(text, "not ok {at} - {}", tap_name(&problem.message));
        for line in problem.rendered.lines().skip(1) {
            let _ = writeln!(text, "# {line}");
        }
    }
    for row in rows(report, files) {
        at += 1;
        let ok = if row.result.verdict.is_passed() {
            "ok"
        } else {
            "not ok"
        };
        // An open test is no failure in TAP.
        let todo = match report.is_open(&row.result.verdict) {
            true => " # TODO there is no expected answer",
            false => "",
        };
        let name = tap_name(&row.name);
        let _ = writeln!(
            text,
            "{ok} {at} - {}:{} {name}{todo}",
            tap_name(&row.file),
            row.result.line
        );
        if row.details.is_empty() {
            continue;
        }
        let (line, message) = row.result.place();
        let _ = writeln!(text, "  ---\n  message: {}", json_text(&message));
        let _ = writeln!(
            text,
            "  at:\n    file: {}\n    line: {line}",
            json_text(&row.file)
        );
        let _ = writeln!(text, "  wanted: {}", json_text(&row.expected));
        let _ = writeln!(text, "  found: {}\n  ...", json_text(&row.result.actual));
    }
    if let Some(number) = report.not_run {
        let _ = writeln!(text, "Bail out! Interrupted: {number} not run");
    }
    if let Some(coverage) = &report.coverage {
        for line in coverage.to_string().lines() {
            let _ = writeln!(text, "# {line}");
        }
    }
    text
}

/// Escapes the characters of a name that have a meaning in TAP.
#[expect(
    clippy::disallowed_methods,
    reason = "`Report::render`, of the public interface, cannot fail"
)]
fn tap_name(name: &str) -> String {
    name.replace('\\', "\\\\").replace('#', "\\#")
}

/// Returns the results in the XML of JUnit.
#[expect(
    clippy::disallowed_methods,
    reason = "`Report::render`, of the public interface, cannot fail"
)]
pub(super) fn junit(report: &Report, files: &[TestFile]) -> String {
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    // Tests that did not run are an error: half a run must not look like a whole one.
    let errors = report.problems.len() + usize::from(report.not_run.is_some());
    let tests = report.results.len();
    let (failed, open) = (report.failed(), report.unanswered());
    let _ = writeln!(
        text,
        "<testsuites tests=\"{}\" failures=\"{failed}\" errors=\"{errors}\" skipped=\"{open}\">",
        tests + errors
    );
    let all: Vec<Row<'_>> = rows(report, files).collect();
    for (number, file) in files.iter().enumerate() {
        let own: Vec<&Row<'_>> = all.iter().filter(|row| row.result.file == number).collect();
        let wrong: Vec<_> = report
            .problems
            .iter()
            .filter(|problem| problem.file == number)
            .collect();
        if own.is_empty() && wrong.is_empty() {
            continue;
        }
        let name = xml_text(&file.path.display().to_string());
        let verdicts = || own.iter().map(|row| &row.result.verdict);
        let skipped = verdicts().filter(|verdict| report.is_open(verdict)).count();
        let passed = verdicts().filter(|verdict| verdict.is_passed()).count();
        let _ = writeln!(
            text,
            "  <testsuite name=\"{name}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{skipped}\">",
            own.len() + wrong.len(),
            own.len() - passed - skipped,
            wrong.len()
        );
        for problem in wrong {
            let message = xml_text(&problem.message);
            let details = xml_text(&problem.rendered);
            let _ = writeln!(
                text,
                "    <testcase classname=\"{name}\" name=\"loading\"><error message=\"{message}\">{details}</error></testcase>"
            );
        }
        for row in own {
            junit_case(&mut text, &name, row, report);
        }
        text.push_str("  </testsuite>\n");
    }
    if let Some(number) = report.not_run {
        let _ = writeln!(
            text,
            "  <testsuite name=\"interrupted\" tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\">\n    \
             <testcase classname=\"interrupted\" name=\"interrupted\"><error message=\"{number} not run\"/></testcase>\n  \
             </testsuite>"
        );
    }
    text.push_str("</testsuites>\n");
    text
}

fn junit_case(text: &mut String, file: &str, row: &Row<'_>, report: &Report) {
    let (name, line) = (xml_text(&row.name), row.result.line);
    let case = format!(
        "    <testcase classname=\"{file}\" name=\"{name}\" file=\"{file}\" line=\"{line}\""
    );
    if row.result.verdict.is_passed() {
        let _ = writeln!(text, "{case}/>");
        return;
    }
    let message = xml_text(&row.result.place().1);
    if report.is_open(&row.result.verdict) {
        let _ = writeln!(
            text,
            "{case}>\n      <skipped message=\"{message}\"/>\n    </testcase>"
        );
        return;
    }
    let kind = row.result.verdict.word();
    let details = xml_text(&row.details);
    let _ = writeln!(
        text,
        "{case}>\n      <failure type=\"{kind}\" message=\"{message}\">{details}</failure>\n    </testcase>"
    );
}

/// Escapes a text for XML, between tags or in double quotes. Characters that XML cannot contain are written as numbers.
#[expect(
    clippy::disallowed_methods,
    reason = "`Report::render`, of the public interface, cannot fail"
)]
fn xml_text(text: &str) -> String {
    let mut result = String::new();
    for c in text.chars() {
        match c {
            '&' => result.push_str("&amp;"),
            '<' => result.push_str("&lt;"),
            '>' => result.push_str("&gt;"),
            '"' => result.push_str("&quot;"),
            '\n' => result.push_str("&#10;"),
            '\t' => result.push_str("&#9;"),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => {
                let _ = write!(result, "\\x{:x}\\", u32::from(c));
            }
            c => result.push(c),
        }
    }
    result
}

/// Returns the results as one JSON document.
#[expect(
    clippy::disallowed_methods,
    reason = "`Report::render`, of the public interface, cannot fail"
)]
pub(super) fn json(report: &Report, files: &[TestFile]) -> String {
    let mut items = Vec::new();
    for row in rows(report, files) {
        let (line, message) = row.result.place();
        let mut item = format!(
            "{{\"file\": {}, \"line\": {}, \"name\": {}, \"verdict\": \"{}\", \"steps\": {}",
            json_text(&row.file),
            row.result.line,
            json_text(&row.name),
            row.result.verdict.word(),
            row.result.steps
        );
        if !row.details.is_empty() {
            let _ = write!(
                item,
                ", \"message\": {}, \"answer_line\": {line}, \"wanted\": {}, \"found\": {}",
                json_text(&message),
                json_text(&row.expected),
                json_text(&row.result.actual)
            );
        }
        item.push('}');
        items.push(item);
    }
    let problems: Vec<String> = report
        .problems
        .iter()
        .map(|problem| format!("\n    {}", problem.json))
        .collect();
    let end = if problems.is_empty() { "" } else { "\n  " };
    let not_run = report
        .not_run
        .map(|number| format!("\n  \"not_run\": {number},"));
    let coverage = report.coverage.as_ref().map(Coverage::json);
    let coverage = coverage.map(|object| format!(",\n  \"coverage\": {object}"));
    format!(
        "{{\n  \"passed\": {},\n  \"failed\": {},\n  \"unanswered\": {},\n  \"errors\": {},{}\n  \"problems\": [{}{end}],\n  \"tests\": [\n    {}\n  ]{}\n}}\n",
        report.passed(),
        report.failed(),
        report.unanswered(),
        problems.len(),
        not_run.unwrap_or_default(),
        problems.join(","),
        items.join(",\n    "),
        coverage.unwrap_or_default()
    )
}
