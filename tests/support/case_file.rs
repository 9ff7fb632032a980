//! Case files: queries with the answers that a prompt must give, as people write them down.
//!
//! ```text
//! % What the file is about, and the ISO clause.
//! ?- atom_length(abc, N).
//!    N = 3.
//! ?- member(X, [a,b]).
//!    X = a ;
//!    X = b.
//! ?- atom_length(_, N).
//!    throws instantiation_error.
//! ?- write(hello), nl.
//!    outputs "hello\n"
//!    true.
//! ```
//!
//! A query starts with `?-` at the start of a line and ends at the line that ends in a full stop.
//! Under it, indented, come the answers, separated by `;` and ended by a full stop. In place of an
//! answer may stand `false` (`no` of Lolli), `throws Term` (the ball, or what stands in `error(Term, _)`) or `...`
//! (there are more answers, which are not asked for). `throws syntax_error` stands for any syntax
//! error. `outputs "…"` tells what is written before the next answer; what is not told must not be
//! written. After the last answer no choice is left: one that fails is written as a last `false`,
//! and is not required. A line that starts with `%` is a comment. Variables that the system names,
//! such as `_12` or `_A`, are compared up to renaming, and layout between tokens does not count.

use std::path::Path;

use crate::token_text::{first_argument, same_output, same_text};

/// One query with what it must give.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Case {
    /// The line of the query, from 1.
    pub(crate) line: usize,
    /// The query without `?-` and the full stop.
    pub(crate) query: String,
    /// What it must give, in order.
    pub(crate) expected: Vec<Reply>,
    /// Whether more answers may follow that are not told.
    pub(crate) open: bool,
}

/// One step of a query: what it wrote, and how it came out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reply {
    /// The text written to the current output since the last step.
    pub(crate) output: String,
    /// How the step came out.
    pub(crate) event: Event,
}

/// How one step of a query came out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Event {
    /// An answer as the prompt prints it; `more` when a choice is left.
    Answer {
        /// The text, without `;` or full stop.
        text: String,
        /// Whether another answer may follow.
        more: bool,
    },
    /// No (further) answer.
    Failure,
    /// An exception: the ball as `writeq/1` writes it.
    Ball(String),
}

/// A Prolog system under test.
pub(crate) trait System {
    /// Loads `text`, which is that of the file at `path`.
    fn load(&mut self, path: &Path, text: &str) -> Result<(), String>;
    /// Asks `query` and collects up to `limit` replies, fewer if it comes to an end.
    fn ask(&mut self, query: &str, limit: usize) -> Vec<Reply>;
}

/// Reads the cases of a file.
pub(crate) fn parse(text: &str) -> Result<Vec<Case>, String> {
    let mut cases = Vec::new();
    let mut lines = text
        .lines()
        .enumerate()
        .map(|(at, line)| (at + 1, line))
        .peekable();
    while let Some((number, line)) = lines.next() {
        if is_comment(line) || line.trim().is_empty() {
            continue;
        }
        let Some(start) = line.strip_prefix("?-") else {
            return Err(format!(
                "line {number}: neither a query nor a comment: {line}"
            ));
        };
        let mut query = start.trim().to_owned();
        while !query.ends_with('.') {
            let Some((_, next)) = lines.next_if(|(_, next)| !next.trim().is_empty()) else {
                return Err(format!(
                    "line {number}: the query does not end with a full stop"
                ));
            };
            query.push('\n');
            query.push_str(next.trim_end());
        }
        query.pop();
        let mut answers = Vec::new();
        while let Some((_, next)) = lines.next_if(|(_, next)| !next.starts_with("?-")) {
            if !(is_comment(next) || next.trim().is_empty()) {
                answers.push(next.trim().to_owned());
            }
        }
        let (expected, open) =
            parse_answers(&answers).map_err(|e| format!("line {number}: {e}"))?;
        cases.push(Case {
            line: number,
            query,
            expected,
            open,
        });
    }
    Ok(cases)
}

fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with('%')
}

fn parse_answers(lines: &[String]) -> Result<(Vec<Reply>, bool), String> {
    let mut replies = Vec::new();
    let mut output = String::new();
    let mut answer = String::new();
    for (at, line) in lines.iter().enumerate() {
        if answer.is_empty() && line.starts_with("outputs ") {
            output.push_str(&parse_output(line)?);
            continue;
        }
        if answer.is_empty() && line.starts_with("...") {
            return match at + 1 == lines.len() && at > 0 && output.is_empty() {
                true => Ok((replies, true)),
                false => Err("`...` comes last, after an answer".to_owned()),
            };
        }
        if !answer.is_empty() {
            answer.push(' ');
        }
        answer.push_str(line);
        let last = at + 1 == lines.len();
        let Some(text) = answer.strip_suffix(if last { '.' } else { ';' }) else {
            if last {
                return Err(format!(
                    "the last answer does not end with a full stop: {answer}"
                ));
            }
            continue;
        };
        let event = parse_event(text.trim(), !last);
        replies.push(Reply {
            output: std::mem::take(&mut output),
            event,
        });
        answer.clear();
    }
    match replies.is_empty() || !answer.is_empty() || !output.is_empty() {
        true => Err("no answer".to_owned()),
        false => Ok((replies, false)),
    }
}

fn parse_event(text: &str, more: bool) -> Event {
    match text.strip_prefix("throws ") {
        Some(ball) => Event::Ball(ball.trim().to_owned()),
        None if matches!(text, "false" | "no") => Event::Failure,
        None => Event::Answer {
            text: text.to_owned(),
            more,
        },
    }
}

/// The text of `outputs "…"`, with the escapes `\n`, `\t`, `\"` and `\\`.
fn parse_output(line: &str) -> Result<String, String> {
    let fault = || format!("not a line of output: {line}");
    let quoted = line["outputs ".len()..].trim();
    let inner = quoted
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'))
        .ok_or_else(fault)?;
    let mut text = String::new();
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        text.push(match c {
            '\\' => match chars.next().ok_or_else(fault)? {
                'n' => '\n',
                't' => '\t',
                c @ ('"' | '\\') => c,
                _ => return Err(fault()),
            },
            '"' => return Err(fault()),
            c => c,
        });
    }
    Ok(text)
}

/// Asks the query of `case` and tells the first difference, if any.
pub(crate) fn check(case: &Case, system: &mut dyn System) -> Result<(), String> {
    // One more than told shows what is too much, unless what follows is not to be asked for.
    let further = usize::from(!case.open);
    let replies = system.ask(&case.query, case.expected.len() + further);
    compare(case, &replies).map_err(|difference| {
        format!(
            "?- {}.\n{difference}\n  all replies:\n{}",
            case.query,
            show_all(&replies)
        )
    })
}

fn compare(case: &Case, replies: &[Reply]) -> Result<(), String> {
    for (at, wanted) in case.expected.iter().enumerate() {
        // A choice that was told to be left, and only failed, need not have been left.
        let optional = at > 0 && wanted.event == Event::Failure && wanted.output.is_empty();
        let Some(got) = replies.get(at) else {
            return match optional {
                true => Ok(()),
                false => Err(format!(
                    "  wanted: {}\n  got no further reply",
                    show(wanted)
                )),
            };
        };
        if !same_output(&wanted.output, &got.output) || !same_event(&wanted.event, &got.event) {
            return Err(format!(
                "  wanted: {}\n  got:    {}",
                show(wanted),
                show(got)
            ));
        }
    }
    match replies.get(case.expected.len()) {
        Some(extra) if !case.open => {
            Err(format!("  wanted nothing more\n  got:    {}", show(extra)))
        }
        _ => Ok(()),
    }
}

fn same_event(wanted: &Event, got: &Event) -> bool {
    match (wanted, got) {
        (Event::Answer { text: wanted, .. }, Event::Answer { text: got, .. }) => {
            same_text(wanted, got)
        }
        (Event::Failure, Event::Failure) => true,
        (Event::Ball(wanted), Event::Ball(got)) => {
            (wanted == "syntax_error" && got.starts_with("error(syntax_error("))
                || same_text(wanted, got)
                || same_text(&format!("error({wanted},_)"), &without_context(got))
                || (wanted.ends_with(",_)") || wanted.ends_with(", _)"))
                    && same_text(&without_context(wanted), &without_context(got))
        }
        _ => false,
    }
}

/// `error(Formal,_)` for a ball `error(Formal,Context)`; other balls as they are.
fn without_context(ball: &str) -> String {
    let is_error = ball.starts_with("error(") && ball.ends_with(')');
    match is_error.then(|| first_argument(ball)).flatten() {
        Some(formal) => format!("error({formal},_)"),
        None => ball.to_owned(),
    }
}

fn show_all(replies: &[Reply]) -> String {
    replies
        .iter()
        .map(|reply| format!("    {}\n", show(reply)))
        .collect()
}

fn show(reply: &Reply) -> String {
    let output = match reply.output.as_str() {
        "" => String::new(),
        text => format!("outputs {text:?} "),
    };
    match &reply.event {
        Event::Answer { text, more } => format!("{output}{text}{}", if *more { " ;" } else { "." }),
        Event::Failure => format!("{output}false."),
        Event::Ball(ball) => format!("{output}throws {ball}."),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Event, Reply, System, check, parse};

    /// A system that gives what it was told to give.
    struct Told(Vec<Reply>);

    impl System for Told {
        fn load(&mut self, _: &Path, _: &str) -> Result<(), String> {
            Ok(())
        }

        fn ask(&mut self, _: &str, limit: usize) -> Vec<Reply> {
            self.0.iter().take(limit).cloned().collect()
        }
    }

    fn answer(text: &str, more: bool) -> Reply {
        Reply {
            output: String::new(),
            event: Event::Answer {
                text: text.to_owned(),
                more,
            },
        }
    }

    fn failure() -> Reply {
        Reply {
            output: String::new(),
            event: Event::Failure,
        }
    }

    fn ball(text: &str) -> Reply {
        Reply {
            output: String::new(),
            event: Event::Ball(text.to_owned()),
        }
    }

    fn passes(case: &str, replies: Vec<Reply>) -> bool {
        let cases = parse(case).expect("a case that can be read");
        check(&cases[0], &mut Told(replies)).is_ok()
    }

    #[test]
    fn queries_and_answers_are_read() {
        let text = "% about\n\n?- p(X,\n   Y).\n   X = 1,\n   Y = 2 ;\n   false.\n?- q.\n   outputs \"a\\n\"\n   true.\n";
        let cases = parse(text).expect("cases");
        assert_eq!(cases.len(), 2);
        assert_eq!(cases[0].query, "p(X,\n   Y)");
        assert_eq!(cases[0].expected, [answer("X = 1, Y = 2", true), failure()]);
        assert_eq!(
            (cases[1].line, cases[1].expected[0].output.as_str()),
            (8, "a\n")
        );
    }

    #[test]
    fn faults_of_a_file_are_told_with_their_line() {
        for text in [
            "p.\n",
            "?- p\n\n",
            "?- p.\n?- q.\n   true.\n",
            "?- p.\n   X = 1 ;\n",
        ] {
            assert!(parse(text).expect_err(text).starts_with("line 1:"));
        }
    }

    #[test]
    fn answers_are_compared_up_to_names_and_layout() {
        let case = "?- p(X, Y).\n   X = f(_A, B, _A),\n   Y = 'a  b'.\n";
        assert!(passes(
            case,
            vec![answer("X = f(_1,B,_1),\nY = 'a  b'", false)]
        ));
        assert!(!passes(
            case,
            vec![answer("X = f(_1,B,_2),\nY = 'a  b'", false)]
        ));
        assert!(!passes(
            case,
            vec![answer("X = f(_1,B,_1),\nY = 'a b'", false)]
        ));
    }

    #[test]
    fn a_failing_last_choice_may_be_missing_but_not_added() {
        let told = "?- p(X).\n   X = 1 ;\n   false.\n";
        assert!(passes(told, vec![answer("X = 1", false)]));
        assert!(passes(told, vec![answer("X = 1", true), failure()]));
        assert!(!passes(
            "?- p(X).\n   X = 1.\n",
            vec![answer("X = 1", true), failure()]
        ));
    }

    #[test]
    fn further_answers_are_allowed_only_after_dots() {
        let replies = vec![answer("X = 1", true), answer("X = 2", true)];
        assert!(passes("?- p(X).\n   X = 1 ;\n   ...\n", replies.clone()));
        assert!(!passes("?- p(X).\n   X = 1.\n", replies));
    }

    #[test]
    fn exceptions_are_compared_without_context() {
        let case = "?- p.\n   throws type_error(integer,f(_X)).\n";
        assert!(passes(
            case,
            vec![ball("error(type_error(integer, f(_1)),context(p/0,_))")]
        ));
        assert!(!passes(
            case,
            vec![ball("error(type_error(atom, f(_1)),_)")]
        ));
        assert!(passes("?- p.\n   throws oops(1).\n", vec![ball("oops(1)")]));
    }
}
