//! Answers in files of tests: the place and the terms of each.

use super::source::Language;
use crate::api::{Engine, Term};
use crate::base::flags::QuoteMode;
use crate::base::growth::{self, Gather, Grow, GrowMap, GrowText};
use crate::base::stop::Stop;

use crate::text::query_tests::split_outside;
use std::collections::HashMap;
use std::sync::Arc;

/// The text in place of further answers that the file omits.
const MORE: &str = "...";

/// The answers of a test, as text.
#[derive(Clone, Debug)]
pub(super) enum Answers {
    /// No answers yet.
    Absent,
    /// The answers in the file.
    Told(Vec<Piece>),
    /// A text that is no list of answers.
    Wrong(Malformed),
}

/// One answer, or the text in place of an answer.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) text: String,
    pub(super) line: usize,
}

/// The message if there is no memory to check an answer.
const NO_MEMORY: &str = "not enough memory for the answer";

/// The reason why a text is not an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Malformed {
    pub(super) line: usize,
    pub(super) message: String,
}

impl From<Stop> for Malformed {
    fn from(_: Stop) -> Malformed {
        Malformed::new(1, NO_MEMORY)
    }
}

impl Malformed {
    fn new(line: usize, message: impl Into<String>) -> Malformed {
        Malformed {
            line,
            message: message.into(),
        }
    }
}

/// An expected answer.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    /// The output before the answer.
    pub(super) output: String,
    pub(super) event: Event,
}

/// The expected outcome of a step of a query.
#[derive(Clone, Debug)]
pub(super) enum Event {
    /// A solution.
    Answer(Equations),
    /// No (further) solution.
    Failure,
    /// An exception: a term that the ball must be an instance of.
    Ball(Term),
    /// The end of the process, with this status.
    Halt(i32),
    /// The end of the query by `abort/0`.
    Abort,
    /// The number of solutions.
    Count(u64),
}

/// The contents of an answer.
#[derive(Clone, Debug, Default)]
pub(super) struct Equations {
    pub(super) values: HashMap<Arc<str>, Term>,
    /// The names in the order of the answer.
    pub(super) names: Vec<Arc<str>>,
    /// Suspended goals.
    pub(super) goals: Vec<Term>,
    /// The linear assumptions that the query leaves.
    pub(super) leftover: Option<Vec<Term>>,
    /// The terms that a text in double quotes also matches.
    pub(super) quotes: Option<QuoteMode>,
}

/// Splits a text into answers. The text includes its full stop and begins at this line.
pub(super) fn split(text: &str, line: usize, language: Language) -> Answers {
    pieces(text, line, language).unwrap_or_else(Answers::Wrong)
}

fn pieces(text: &str, line: usize, language: Language) -> Result<Answers, Malformed> {
    let Some(inner) = text.strip_suffix('.') else {
        let message = "the answer does not end with `.`";
        return Err(Malformed::new(line, message));
    };
    if inner.trim().is_empty() {
        return Ok(Answers::Absent);
    }
    let no_memory = |_| Malformed::new(line, NO_MEMORY);
    let spans = split_outside(inner, ';', language.syntax()).map_err(no_memory)?;
    let mut pieces: Vec<Piece> = Vec::new();
    for span in spans {
        let (start, end) = (span.start as usize, span.end as usize);
        let piece = skip_layout(&inner[start..end]);
        let begin = start + (end - start) - piece.len();
        let line = line + inner[..begin].matches('\n').count();
        if piece.is_empty() {
            return Err(Malformed::new(line, "an answer is missing here"));
        }
        if piece == ".." && end == inner.len() {
            let message = "the final `.` is missing; write it apart from `...`: `... .`";
            return Err(Malformed::new(line, message));
        }
        if let Some(last) = pieces.last()
            && last.text == MORE
        {
            return Err(Malformed::new(line, "nothing can follow `...`"));
        }
        let text = piece.trim_end().to_owned();
        pieces.put(Piece { text, line }).map_err(no_memory)?;
    }
    if let [piece] = &pieces[..]
        && piece.text == MORE
    {
        return Err(Malformed::new(line, "write `...` after an answer"));
    }
    Ok(Answers::Told(pieces))
}

/// Returns the text without the blanks and comments at its beginning.
fn skip_layout(text: &str) -> &str {
    let mut rest = text.trim_start();
    while rest.starts_with('%') {
        rest = rest
            .split_once('\n')
            .map_or("", |(_, rest)| rest)
            .trim_start();
    }
    rest
}

impl Piece {
    /// Returns whether the piece stands for further answers.
    pub(super) fn is_more(&self) -> bool {
        self.text == MORE
    }

    /// Returns whether the answer lists the linear assumptions that are left.
    pub(super) fn lists_leftover(&self) -> bool {
        self.text.contains("leftover(")
    }

    /// Reads the answer as terms.
    ///
    /// # Errors
    /// Returns an error if the text is no answer.
    pub(super) fn read(
        &self,
        engine: &mut Engine,
        language: Language,
        last: bool,
    ) -> Result<Wanted, Malformed> {
        if language == Language::Lolli && self.lists_leftover() {
            let message = "leftover/1 is for Prolog queries; Lolli queries consume all resources";
            return Err(self.wrong(message));
        }
        let wanted = match language {
            Language::Prolog => self.read_prolog(engine, &self.text, String::new(), language),
            Language::Lolli => self.read_lolli(engine),
        }?;
        if !last
            && matches!(
                wanted.event,
                Event::Failure | Event::Ball(_) | Event::Halt(_) | Event::Abort | Event::Count(_)
            )
        {
            return Err(self.wrong("no answer can follow this one"));
        }
        Ok(wanted)
    }

    fn wrong(&self, message: impl Into<String>) -> Malformed {
        Malformed::new(self.line, message)
    }

    fn term(&self, engine: &mut Engine, text: &str, language: Language) -> Result<Term, Malformed> {
        let read = match language {
            Language::Prolog => engine.parse_answer(text),
            Language::Lolli => engine.parse_lolli_term(text),
        };
        read.map_err(|error| {
            let below = error.location().map_or(0, |place| place.line - 1);
            Malformed::new(self.line + below, error.message())
        })
    }

    fn read_prolog(
        &self,
        engine: &mut Engine,
        text: &str,
        output: String,
        language: Language,
    ) -> Result<Wanted, Malformed> {
        let term = self.term(engine, text, Language::Prolog)?;
        let mut wanted = Wanted {
            output,
            event: Event::Failure,
        };
        let mut answer = Equations {
            quotes: Some(engine.quotes()),
            ..Equations::default()
        };
        let mut others = Vec::new();
        for part in conjuncts(&term)? {
            match as_call(part) {
                Some(("outputs", [text])) => match text_of(text)? {
                    Some(text) => wanted.output.put_str(&text)?,
                    None => return Err(self.wrong("outputs/1 needs a text")),
                },
                Some(("leftover", [list])) => match list.as_list() {
                    Some(items) => answer.leftover = Some(items.into_iter().cloned().gather()?),
                    None => return Err(self.wrong("leftover/1 needs a list")),
                },
                Some(("=", [left, right])) => self.equation(&mut answer, left, right)?,
                Some(("true", [])) => {}
                _ => others.put(part)?,
            }
        }
        let alone = others.len() == 1 && answer.values.is_empty() && answer.leftover.is_none();
        let special = match others.first() {
            Some(part) => self.special(part, language)?,
            None => None,
        };
        wanted.event = match special {
            Some(event) if alone => event,
            Some(_) => {
                return Err(
                    self.wrong(format!("{} cannot be combined with other goals", others[0]))
                );
            }
            None => {
                answer.goals = others.into_iter().cloned().gather()?;
                Event::Answer(answer)
            }
        };
        Ok(wanted)
    }

    /// Adds the equation `Name = Value` to an answer.
    fn equation(&self, answer: &mut Equations, left: &Term, right: &Term) -> Result<(), Malformed> {
        let Term::Var(name) = left else {
            return Err(self.wrong(format!(
                "the left side of `=` is not a variable: {left} = {right}"
            )));
        };
        let values = &mut answer.values;
        if values.put_entry(Arc::clone(name), right.clone())?.is_some() {
            return Err(self.wrong(format!("{name} has two values")));
        }
        Ok(answer.names.put(Arc::clone(name))?)
    }

    /// Returns the event that a term in place of an answer stands for, if any.
    fn special(&self, part: &Term, language: Language) -> Result<Option<Event>, Malformed> {
        Ok(Some(match as_call(part) {
            Some((name, [])) if name == language.failure() => Event::Failure,
            Some(("false" | "no", [])) => {
                return Err(self.wrong(format!(
                    "in {language} write `{}` for no answer",
                    language.failure()
                )));
            }
            Some(("halt", [])) => Event::Halt(0),
            Some(("abort", [])) => Event::Abort,
            Some(("halt", [status])) => match status.as_integer().map(i32::try_from) {
                Some(Ok(status)) => Event::Halt(status),
                _ => return Err(self.wrong("halt/1 needs an exit status")),
            },
            Some(("count", [number])) => match number.as_integer().map(u64::try_from) {
                Some(Ok(number)) => Event::Count(number),
                _ => return Err(self.wrong("count/1 needs the number of answers")),
            },
            Some(("throw", [ball])) => Event::Ball(ball.clone()),
            Some(("error", [_, _])) => Event::Ball(part.clone()),
            Some(("syntax_error", [])) => {
                let any = Term::compound("syntax_error", vec![Term::var("_")]);
                Event::Ball(Term::compound("error", vec![any, Term::var("_")]))
            }
            Some((name, args)) if is_iso_error(name, args.len()) => {
                Event::Ball(Term::compound("error", vec![part.clone(), Term::var("_")]))
            }
            _ => return Ok(None),
        }))
    }

    fn read_lolli(&self, engine: &mut Engine) -> Result<Wanted, Malformed> {
        let mut output = String::new();
        let mut rest = self.text.as_str();
        while rest.starts_with("outputs(") {
            let length = call_length(rest);
            let Wanted { output: text, .. } =
                self.read_prolog(engine, &rest[..length], String::new(), Language::Lolli)?;
            output.put_str(&text)?;
            rest = rest[length..].trim_start();
            rest = rest.strip_prefix(',').unwrap_or(rest).trim_start();
        }
        let mut answer = Equations::default();
        match rest {
            "" | "solved" => {}
            _ if !rest.contains("<-") => {
                let wanted = self.read_prolog(engine, rest, output, Language::Lolli)?;
                return match wanted.event {
                    Event::Answer(_) => Err(self
                        .wrong("write an answer of Lolli as `Name <- term , …`, `solved` or `no`")),
                    _ => Ok(wanted),
                };
            }
            _ => {
                for (name, value) in self.arrows(rest)? {
                    let value = self.term(engine, value, Language::Lolli)?;
                    self.equation(&mut answer, &Term::var(name), &value)?;
                }
            }
        }
        Ok(Wanted {
            output,
            event: Event::Answer(answer),
        })
    }

    /// Splits `Name <- term , Name <- term …` into names and terms.
    fn arrows<'t>(&self, text: &'t str) -> Result<Vec<(&'t str, &'t str)>, Malformed> {
        let mut found: Vec<(&str, usize, usize)> = Vec::new();
        let spans = split_outside(text, ',', Language::Lolli.syntax());
        for span in spans.map_err(|_| self.wrong(NO_MEMORY))? {
            let (start, end) = (span.start as usize, span.end as usize);
            let piece = text[start..end].trim_start();
            let name_end = piece.find(|c: char| !(c.is_alphanumeric() || c == '_'));
            let name = &piece[..name_end.unwrap_or(piece.len())];
            let after = piece[name.len()..].trim_start();
            match after.strip_prefix("<-") {
                Some(value) if !name.is_empty() => {
                    found.put((name, end - value.len(), end))?;
                }
                // The comma belongs to the value.
                _ => match found.last_mut() {
                    Some(last) => last.2 = end,
                    None => return Err(self.wrong("an answer of Lolli is `Name <- term , …`")),
                },
            }
        }
        let rows = found.into_iter();
        Ok(rows
            .map(|(name, start, end)| (name, text[start..end].trim()))
            .gather()?)
    }
}

/// Returns the length of `outputs(…)` at the beginning of a text.
fn call_length(text: &str) -> usize {
    let (mut quoted, mut escaped) = (false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            ')' if !quoted => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// Returns the parts of a conjunction.
fn conjuncts(term: &Term) -> Result<Vec<&Term>, Stop> {
    let (mut parts, mut todo) = (Vec::new(), vec![term]);
    while let Some(term) = todo.pop() {
        match as_call(term) {
            Some((",", [left, right])) => todo.put_all([right, left])?,
            _ => parts.put(term)?,
        }
    }
    Ok(parts)
}

/// Returns the name and the arguments of an atom or compound.
pub(super) fn as_call(term: &Term) -> Option<(&str, &[Term])> {
    match term {
        Term::Atom(name) => Some((name, &[])),
        Term::Compound(compound) => Some((compound.name(), compound.args())),
        _ => None,
    }
}

/// Returns the text of a string, an atom, or a list of characters or their codes.
fn text_of(term: &Term) -> Result<Option<String>, Stop> {
    match term {
        Term::String(text) => return Ok(Some(growth::text_of(text)?)),
        Term::Atom(text) if &**text != "[]" => return Ok(Some(growth::text_of(text)?)),
        _ => {}
    }
    let char_of = |item: &Term| match item {
        Term::Integer(code) => char::from_u32(u32::try_from(*code).ok()?),
        _ => item.as_atom()?.chars().next(),
    };
    let Some(items) = term.as_list() else {
        return Ok(None);
    };
    let mut text = String::new();
    for item in items {
        let Some(char) = char_of(item) else {
            return Ok(None);
        };
        text.put(char)?;
    }
    Ok(Some(text))
}

/// Returns whether this functor is the first argument of `error/2` for an error of ISO 7.12.2, or a similar error.
pub(super) fn is_iso_error(name: &str, arity: usize) -> bool {
    matches!(
        (name, arity),
        ("instantiation_error" | "system_error", 0)
            | (
                "representation_error" | "evaluation_error" | "resource_error" | "syntax_error",
                1
            )
            | ("uninstantiation_error" | "system_error", 1)
            | ("type_error" | "domain_error" | "existence_error", 2)
            | ("permission_error" | "existence_error", 3)
    )
}
