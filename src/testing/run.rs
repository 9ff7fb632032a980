//! Running one test: its query, and the comparison of its answers with those in the file.

use super::answers::{Answers, Event, Malformed, Piece, Wanted, as_call, is_iso_error};
use super::compare::{is_instance, is_same, same_output};
use super::settings::{LONGEST, Settings};
use super::source::{Language, Test};
use super::verdict::Verdict;
use super::write::answer_text;
use crate::api::{Engine, Error, ErrorKind, Solution, Solutions, Term};
use crate::base::growth::{
    Gather, Grow, GrowTable, GrowText, Within, room_for_one, text_with_room,
};
use crate::base::stop::Stop;
use crate::text::query_tests::{Extent, Syntax};
use crate::text::var_names::letter_name;
use std::collections::HashMap;

/// The variable for the assumptions that a query leaves.
const LEFTOVER: &str = "_Leftover_of_test";

/// A step of a query: its output and its outcome.
pub(super) struct Reply {
    pub(super) output: String,
    pub(super) outcome: Outcome,
}

/// The outcome of a step of a query.
pub(super) enum Outcome {
    /// A solution, and the linear assumptions that it leaves, if requested.
    Answer(Solution, Option<Vec<Term>>),
    /// No (further) solution.
    Failure,
    /// An error, and its text in place of an answer.
    Error(Error, String),
    /// The number of solutions.
    Count(u64),
    /// The answers so far exceed the memory for answers.
    TooLong,
}

/// The result of a test.
pub(super) struct TestRun {
    pub(super) verdict: Verdict,
    /// The actual answers, in the form of a file, without indentation.
    pub(super) actual: String,
    pub(super) steps: u64,
    pub(super) end: QueryEnd,
}

/// Facts about the end of a query.
#[derive(Copy, Clone, Default)]
pub(super) struct QueryEnd {
    /// The query exhausted a resource that earlier queries may have used, too.
    pub(super) exhausted: bool,
    /// A module of Lolli was refused, so the program has no answers.
    pub(super) refused: bool,
}

/// A difference between replies and the answers in the file.
struct Difference {
    /// The line of the answer that is wrong.
    line: usize,
    message: String,
}

/// A running query.
struct RunningQuery<'e> {
    solutions: Solutions<'e>,
    replies: Vec<Reply>,
    leftover: bool,
    /// All replies have been collected.
    ended: bool,
    /// The number of bytes that the replies may still take.
    room: usize,
    /// Further replies are only shown and do not change the verdict.
    only_shown: bool,
}

/// Runs the query of a test and compares its answers.
pub(super) fn run(
    engine: &mut Engine,
    modules: &[&str],
    test: &Test,
    settings: &Settings,
) -> TestRun {
    let before = engine.inferences();
    let (verdict, actual, end) = run_query(engine, modules, test, settings);
    engine.take_output();
    engine.take_error_output();
    TestRun {
        verdict,
        actual,
        steps: engine.inferences() - before,
        end,
    }
}

fn run_query(
    engine: &mut Engine,
    modules: &[&str],
    test: &Test,
    settings: &Settings,
) -> (Verdict, String, QueryEnd) {
    let (pieces, wrong) = match &test.answers {
        Answers::Absent => (&[][..], None),
        Answers::Told(pieces) => (&pieces[..], None),
        Answers::Wrong(wrong) => (&[][..], Some(wrong.clone())),
    };
    let open_end = pieces.last().is_some_and(Piece::is_more);
    let expected = ExpectedAnswers {
        pieces: &pieces[..pieces.len() - usize::from(open_end)],
        open: open_end,
        language: test.language,
    };
    let leftover = expected.pieces.iter().any(Piece::lists_leftover);
    let wanted = match wrong {
        Some(wrong) => Err(wrong),
        None => expected.read(engine),
    };
    let opened = open(engine, modules, test, leftover);
    let result = opened.map(|solutions| {
        let expected_length: usize = expected.pieces.iter().map(|piece| piece.text.len()).sum();
        let asked = RunningQuery::new(solutions, leftover, LONGEST + 2 * expected_length);
        compare(asked, wanted.clone(), &expected, settings)
    });
    result.unwrap_or_else(|error| {
        let output = engine.take_output();
        // A test that expects a syntax error names it. Otherwise the query has a mistake, and the error is not its answer.
        let mistyped = *error.kind() == ErrorKind::Syntax && !expected.expects_syntax_error();
        let mistyped = mistyped.then(|| mistyped_verdict(&error, test, leftover));
        let outcome = error_outcome(engine, error);
        let replies = [Reply { output, outcome }];
        let verdict = match mistyped {
            Some(mistyped) => mistyped,
            None => verdict(&wanted, &expected, &replies, settings),
        };
        (
            verdict,
            answer_text(&replies, 1, test.language),
            QueryEnd::of(&replies),
        )
    })
}

/// Returns the verdict on a query that cannot be read; `wrapped` if it ran within another goal.
fn mistyped_verdict(error: &Error, test: &Test, wrapped: bool) -> Verdict {
    let place = error.location().map_or(0..0, |location| {
        let before = location.line - 1 - usize::from(wrapped);
        let lines = test.query.split_inclusive('\n').take(before);
        let start: usize = lines.map(str::len).sum();
        start + location.span.start..start + location.span.end
    });
    Verdict::Mistyped {
        message: error.message().to_owned(),
        hint: error.hint().map(str::to_owned),
        place,
    }
}

/// Requests the answers that the comparison needs. Returns the verdict, and the answers as text.
fn compare(
    mut asked: RunningQuery<'_>,
    mut wanted: Result<Vec<Wanted>, Malformed>,
    expected: &ExpectedAnswers<'_>,
    settings: &Settings,
) -> (Verdict, String, QueryEnd) {
    if let Ok(
        [
            Wanted {
                event: Event::Count(_),
                ..
            },
        ],
    ) = wanted.as_deref()
    {
        asked.count();
    } else {
        // One more than in the file shows a surplus answer.
        asked.collect(expected.pieces.len() + usize::from(!expected.open));
    }
    if wanted.is_err() && !expected.pieces.is_empty() {
        // Operators that the query itself defines are known only after it.
        wanted = expected.read(asked.solutions.engine()).or(wanted);
    }
    let verdict = verdict(&wanted, expected, &asked.replies, settings);
    let mut most = settings.answers.max(expected.pieces.len());
    if expected.open && !expected.pieces.is_empty() {
        most = expected.pieces.len();
    }
    if !verdict.is_passed() {
        asked.collect_more(most + 1);
    }
    let text = answer_text(&asked.replies, most, expected.language);
    (verdict, text, QueryEnd::of(&asked.replies))
}

impl QueryEnd {
    fn of(replies: &[Reply]) -> QueryEnd {
        let Some(Outcome::Error(error, _)) = replies.last().map(|reply| &reply.outcome) else {
            return QueryEnd::default();
        };
        QueryEnd {
            exhausted: !matches!(error.kind(), ErrorKind::Uncaught | ErrorKind::Syntax),
            refused: error.ball().is_some_and(is_refusal),
        }
    }
}

/// Returns whether an exception reports that a module of Lolli was refused.
fn is_refusal(ball: &Term) -> bool {
    let formal = as_call(ball).and_then(|(_, args)| args.first());
    let what = formal.and_then(as_call).and_then(|(_, args)| args.first());
    what.is_some_and(|what| *what == Term::atom("module_refused"))
}

/// The answers in the file.
struct ExpectedAnswers<'t> {
    pieces: &'t [Piece],
    /// Further answers follow that the file omits.
    open: bool,
    language: Language,
}

impl ExpectedAnswers<'_> {
    /// Returns whether the answers name a syntax error.
    fn expects_syntax_error(&self) -> bool {
        let mut pieces = self.pieces.iter();
        pieces.any(|piece| piece.text.contains("syntax_error"))
    }

    fn read(&self, engine: &mut Engine) -> Result<Vec<Wanted>, Malformed> {
        let last = self.pieces.len().saturating_sub(1);
        let pieces = self.pieces.iter().enumerate();
        pieces
            .map(|(at, piece)| piece.read(engine, self.language, at == last && !self.open))
            .gather_results()
    }
}

/// Returns the verdict on a test whose query gave these replies.
fn verdict(
    wanted: &Result<Vec<Wanted>, Malformed>,
    expected: &ExpectedAnswers<'_>,
    replies: &[Reply],
    settings: &Settings,
) -> Verdict {
    let wanted = match wanted {
        Ok(wanted) => wanted,
        Err(wrong) => return wrong.clone().into(),
    };
    let difference = match expected.pieces.is_empty() {
        true => None,
        false => match judge(wanted, expected, replies, settings) {
            Ok(()) => return Verdict::Passed,
            Err(difference) => Some(difference),
        },
    };
    match (limit(replies), difference) {
        (Some(message), _) => Verdict::Limited(message),
        (None, None) => Verdict::Unanswered,
        (None, Some(difference)) => Verdict::Failed {
            line: difference.line,
            message: difference.message,
        },
    }
}

/// Returns the limit that ended a query, in words.
fn limit(replies: &[Reply]) -> Option<String> {
    match &replies.last()?.outcome {
        Outcome::Error(error, _)
            if matches!(
                error.kind(),
                ErrorKind::InferenceLimit | ErrorKind::TimeLimit
            ) =>
        {
            Some(error.message().to_owned())
        }
        Outcome::TooLong => {
            let most = LONGEST / 1_000_000;
            Some(format!(
                "the answers and their output take more than {most} MB"
            ))
        }
        _ => None,
    }
}

/// Opens the query of a test.
fn open<'e>(
    engine: &'e mut Engine,
    modules: &[&str],
    test: &Test,
    leftover: bool,
) -> Result<Solutions<'e>, Error> {
    let query = test.query.as_str();
    match test.language {
        Language::Lolli => engine.lolli_query_in(modules, query),
        // The parenthesis is on a line of its own, so it is not part of a comment at the end of the goal.
        Language::Prolog if leftover => engine.query(&format!("affine((\n{query}\n), {LEFTOVER})")),
        Language::Prolog => engine.query(query),
    }
}

impl<'e> RunningQuery<'e> {
    fn new(solutions: Solutions<'e>, leftover: bool, room: usize) -> RunningQuery<'e> {
        RunningQuery {
            solutions,
            replies: Vec::new(),
            leftover,
            ended: false,
            room,
            only_shown: false,
        }
    }

    /// Keeps a reply if there is room for it. Otherwise drops all replies, or ends if they are only shown.
    fn keep(&mut self, reply: Reply) {
        let length = match &reply.outcome {
            Outcome::Answer(solution, _) => solution.text_length(),
            Outcome::Error(_, text) => text.len(),
            Outcome::Failure | Outcome::Count(_) | Outcome::TooLong => 0,
        };
        match self
            .room
            .checked_sub(length.saturating_add(reply.output.len()))
        {
            Some(room) if room_for_one(&mut self.replies).is_ok() => {
                self.room = room;
                self.replies.put_within(reply);
            }
            _ if self.only_shown => self.ended = true,
            _ => {
                let outcome = Outcome::TooLong;
                let output = String::new();
                self.replies = vec![Reply { output, outcome }];
                self.ended = true;
            }
        }
    }

    /// Collects replies until there are `most`, or the query ends.
    fn collect(&mut self, most: usize) {
        while !self.ended && self.replies.len() < most {
            let solutions = &mut self.solutions;
            let outcome = match solutions.next() {
                Some(Ok(solution)) => {
                    let leftover = self.leftover.then(|| leftover(solutions));
                    match leftover.transpose() {
                        Ok(leftover) => Outcome::Answer(solution, leftover),
                        Err(Stop) => Outcome::TooLong,
                    }
                }
                Some(Err(error)) => error_outcome(solutions.engine(), error),
                None => Outcome::Failure,
            };
            self.ended = !matches!(&outcome, Outcome::Answer(solution, _) if solution.has_more());
            let output = solutions.engine().take_output();
            self.keep(Reply { output, outcome });
        }
    }

    /// Collects more replies to show, as far as the limits allow.
    fn collect_more(&mut self, most: usize) {
        let known = self.replies.len();
        self.only_shown = true;
        self.collect(most);
        if self.replies.len() > known && limit(&self.replies).is_some() {
            self.replies.pop();
        }
    }

    /// Counts the solutions.
    fn count(&mut self) {
        let solutions = &mut self.solutions;
        let mut found = 0;
        let outcome = loop {
            match solutions.advance() {
                Ok(true) => found += 1,
                Ok(false) => break Outcome::Count(found),
                Err(error) => break error_outcome(solutions.engine(), error),
            }
        };
        let output = solutions.engine().take_output();
        self.ended = true;
        self.keep(Reply { output, outcome });
    }
}

/// Returns the linear assumptions that a solution leaves.
fn leftover(solutions: &mut Solutions<'_>) -> Result<Vec<Term>, Stop> {
    let list = solutions.get(LEFTOVER).unwrap_or_default();
    let items = list.as_list().unwrap_or_default().into_iter();
    items
        .map(|item| match as_call(item) {
            Some(("linear", [formula])) => formula.clone(),
            _ => item.clone(),
        })
        .gather()
}

/// Returns the outcome for an error, with its text in place of an answer.
fn error_outcome(engine: &mut Engine, error: Error) -> Outcome {
    let mut shown = |term: &Term| match engine.format_term(term) {
        Ok(text) => with_variable_names(&text).unwrap_or_else(|Stop| "_".to_owned()),
        Err(_) => "_".to_owned(),
    };
    let text = match (error.ball(), error.halt_status()) {
        (_, Some(0)) => "halt".to_owned(),
        (_, Some(status)) => format!("halt({status})"),
        (None, None) if *error.kind() == ErrorKind::Interrupted => "abort".to_owned(),
        (None, None) => {
            let message = Term::compound("system_error", vec![Term::atom(error.message())]);
            shown(&message)
        }
        (Some(ball), None) => match as_call(ball) {
            Some(("error", [formal, _])) => {
                let known =
                    as_call(formal).is_some_and(|(name, args)| is_iso_error(name, args.len()));
                match known {
                    true => shown(formal),
                    false => format!("error({}, _)", shown(formal)),
                }
            }
            _ => shown(&Term::compound("throw", vec![ball.clone()])),
        },
    };
    Outcome::Error(error, text)
}

/// Renames the numbered variables in the text of a term: `_` for those that occur once, `_A` and so on for the others.
fn with_variable_names(text: &str) -> Result<String, Stop> {
    let mut pieces: Vec<(&str, bool)> = Vec::new();
    let mut extent = Extent::new(Syntax::Prolog);
    let (mut start, mut in_word) = (0, false);
    for (at, c) in text.char_indices() {
        let word = c == '_' || c.is_alphanumeric();
        if c == '_' && !in_word && !extent.is_inside() {
            let digits = text[at + 1..]
                .bytes()
                .take_while(u8::is_ascii_digit)
                .count();
            let after = text[at + 1 + digits..].chars().next();
            if digits > 0 && !after.is_some_and(|c| c == '_' || c.is_alphanumeric()) {
                pieces.put_all([(&text[start..at], false), (&text[at..=at + digits], true)])?;
                start = at + 1 + digits;
            }
        }
        in_word = word;
        extent.push(c, &text[at + c.len_utf8()..]);
    }
    pieces.put((&text[start..], false))?;
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for (piece, _) in pieces.iter().filter(|(_, numbered)| *numbered) {
        counts.make_room()?;
        *counts.entry(piece).or_default() += 1;
    }
    let mut names: HashMap<&str, String> = HashMap::new();
    let mut result = text_with_room(text.len())?;
    for (piece, numbered) in pieces {
        match counts.get(piece) {
            Some(1) if numbered => result.put('_')?,
            Some(_) if numbered => {
                let next = names.len() as u64;
                names.make_room()?;
                let name = names.entry(piece);
                result.put_str(name.or_insert_with(|| format!("_{}", letter_name(next))))?;
            }
            _ => result.put_str(piece)?,
        }
    }
    Ok(result)
}

/// Compares the answers in the file with the replies.
fn judge(
    wanted: &[Wanted],
    expected: &ExpectedAnswers<'_>,
    replies: &[Reply],
    settings: &Settings,
) -> Result<(), Difference> {
    let (pieces, open) = (expected.pieces, expected.open);
    let end = pieces.last().map_or(0, |piece| piece.line);
    for (at, (wanted, piece)) in wanted.iter().zip(pieces).enumerate() {
        let differs = |message: &str| Difference {
            line: piece.line,
            message: message.to_owned(),
        };
        let failure = at > 0 && matches!(wanted.event, Event::Failure);
        let Some(got) = replies.get(at) else {
            // Sessions of Lolli print `no` after the last answer, whether it left a choice point or not.
            return match expected.language {
                Language::Lolli if failure && wanted.output.is_empty() => Ok(()),
                _ if failure => Err(differs("the last answer leaves no choice point")),
                _ => Err(differs("there are fewer answers")),
            };
        };
        if !same_output(&wanted.output, &got.output) {
            return Err(differs("the output is different"));
        }
        let same = is_as_wanted(&wanted.event, &got.outcome);
        if !same.map_err(|Stop| differs("not enough memory to compare the answers"))? {
            let raises = matches!(wanted.event, Event::Ball(_) | Event::Halt(_) | Event::Abort);
            let kind = match got.outcome {
                Outcome::Error(..) if raises => "the error is different",
                Outcome::Error(..) => "the query raises an error",
                Outcome::Failure => "there is no answer",
                _ => "the answer is different",
            };
            return Err(differs(kind));
        }
    }
    let last = replies.get(wanted.len().wrapping_sub(1));
    let more = matches!(last, Some(Reply { outcome: Outcome::Answer(solution, _), .. }) if solution.has_more());
    if open && !more {
        return Err(Difference {
            line: end,
            message: "there are no more answers".to_owned(),
        });
    }
    match replies.get(wanted.len()) {
        Some(Reply {
            output,
            outcome: Outcome::Failure,
        }) if output.is_empty() && !settings.choices => Ok(()),
        Some(extra) if !open => Err(Difference {
            line: end,
            message: match extra.outcome {
                Outcome::Failure if extra.output.is_empty() => {
                    "the last answer leaves a choice point"
                }
                _ => "there are more answers",
            }
            .to_owned(),
        }),
        _ => Ok(()),
    }
}

fn is_as_wanted(wanted: &Event, got: &Outcome) -> Result<bool, Stop> {
    Ok(match (wanted, got) {
        (Event::Answer(wanted), Outcome::Answer(got, leftover)) => {
            is_same(wanted, got, leftover.as_deref())?
        }
        (Event::Failure, Outcome::Failure) => true,
        (Event::Count(wanted), Outcome::Count(got)) => wanted == got,
        (Event::Halt(wanted), Outcome::Error(error, _)) => error.halt_status() == Some(*wanted),
        (Event::Abort, Outcome::Error(error, _)) => *error.kind() == ErrorKind::Interrupted,
        (Event::Ball(pattern), Outcome::Error(error, _)) => match error.ball() {
            Some(ball) => is_instance(ball, pattern)?,
            None => false,
        },
        _ => false,
    })
}

/// Runs a query on an engine and returns it with its first answers as text, in the form of files of tests.
/// Use it for snapshot tests. The output of the engine is captured from then on.
///
/// ```
/// # fn main() -> Result<(), wamlet::Error> {
/// let mut engine = wamlet::Engine::new()?;
/// let text = wamlet::testing::transcript(&mut engine, "between(1, inf, X), write(X)", 1)?;
/// assert_eq!(text, "?- between(1, inf, X), write(X).\n   outputs(\"1\"),\n   X = 1 ;\n   ... .\n");
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// Returns an error if the text is no goal. Errors of the goal are answers.
pub fn transcript(engine: &mut Engine, query: &str, most: usize) -> Result<String, Error> {
    engine.capture_output();
    let mut asked = RunningQuery::new(engine.query(query)?, false, usize::MAX);
    asked.collect(most + 1);
    let answers = answer_text(&asked.replies, most, Language::Prolog);
    let mut text = format!("?- {query}.\n");
    for line in answers.lines() {
        for piece in ["   ", line, "\n"] {
            text.put_str(piece)?;
        }
    }
    Ok(text)
}
