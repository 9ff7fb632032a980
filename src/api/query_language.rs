//! The languages of queries, and their differences.

use super::answer::Answer;
use super::engine::{Ended, Engine};
use super::error::Error;
use super::term::Term;
use crate::base::growth::Gather;
use crate::base::source::Span;
use crate::base::stop::Stop;
use crate::machine::state::Machine;
use crate::source::named_goals::Call;
use crate::store::cell::Cell;

/// A goal or another term, and its named variables in order of their first occurrence.
pub(super) type ReadTerm = (Cell, Vec<(String, Cell)>);

/// A language of queries.
pub(super) trait QueryLanguage: Sync {
    /// Reads the one term of a text.
    fn read(&self, engine: &mut Engine, text: &str) -> Result<ReadTerm, Ended>;

    /// Returns the answer of a solution with the values of these variables.
    fn answer(&self, engine: &mut Engine, vars: &[(String, Cell)]) -> Result<Answer, Ended>;

    /// Returns the text of the answer.
    fn answer_text(&self, engine: &mut Engine, vars: &[(String, Cell)]) -> Result<String, Ended>;

    /// Returns the message about an exception, if the language has its own words for it.
    fn message(&self, _: &mut Engine, _: Cell) -> Option<String> {
        None
    }

    /// Returns the error term to show in a message, if the language shows it.
    fn formal(&self, _: &Machine, _: Cell) -> Option<String> {
        None
    }

    /// Returns the span of the called goal in the text of a query. Returns `None` if the span is unknown or covers the
    /// whole text.
    fn span_of(&self, m: &mut Machine, text: &str, call: Call<'_>) -> Result<Option<Span>, Stop>;

    /// Returns the way in which the prompt shows answers.
    fn manner(&self) -> &'static Manner;

    /// Returns how much of a query a text contains. `more` says whether further lines follow.
    fn extent(&self, engine: &mut Engine, text: &str, more: bool) -> Result<Extent, Error>;

    /// Reads the next query from the standard input.
    fn read_query(&self, engine: &mut Engine) -> Result<Option<QueryText>, Error>;

    /// Interprets a line of the standard input after an answer. Returns whether the line is a reply, and whether it
    /// requests another answer. `terminal` says whether the standard input is a terminal.
    fn reply(&self, line: Option<&str>, terminal: bool) -> (bool, bool);

    /// Prepares a typed query: returns the text for the system and the values of its variables. Returns `None` if the
    /// text is not a query and an error was printed.
    fn prepared(&self, engine: &mut Engine, query: &QueryText) -> Result<Option<Prepared>, Error>;

    /// Opens a typed query whose text begins at the given line. `depth` is the number of prompts around its prompt.
    fn open(
        &self,
        engine: &mut Engine,
        text: (&str, usize),
        given: &[Given],
        depth: usize,
    ) -> Result<(), Ended>;

    /// Returns the goal of an open query in its original form.
    fn plain_goal(&self, _: &Machine, goal: Cell) -> Cell {
        goal
    }

    /// Returns the term that is stored for an open query without solutions, for later questions about the reason.
    /// `limit` is the message of the limit that ended the query.
    fn noted(&self, _: &mut Machine, goal: Cell, _: Option<&str>) -> Result<Cell, Stop> {
        Ok(goal)
    }

    /// Prints how a query leaves a prompt, and returns the way.
    fn leave(&self, _: &mut Engine, _: &str, _: PromptPosition) -> Result<Option<Exit>, Error> {
        Ok(None)
    }

    /// Returns whether the session must enter its modules again.
    fn must_reenter(&self, _: &mut Engine) -> bool {
        false
    }
}

/// The way in which a prompt shows answers.
pub(super) struct Manner {
    /// Whether an answer begins a new line.
    pub(super) begins_lines: bool,
    /// Whether the blank after an answer is printed for typed input only.
    pub(super) typed_gap: bool,
    /// Whether the prompt also waits for a reply after the last answer.
    pub(super) asks_after_last: bool,
    /// Whether the user edits a query of several lines as one text.
    pub(super) whole_queries: bool,
    /// Whether the prompt keeps values for later queries.
    pub(super) keeps_values: bool,
    /// Whether goals can have their own prompts, which end with the goals.
    pub(super) has_prompts: bool,
    /// Whether a failure is explained after it was printed.
    pub(super) explains_after: bool,
    /// The text for no more answers.
    pub(super) no: &'static str,
    /// The end of an answer after which the user wants no other answer, and the text that follows it.
    pub(super) stop: &'static str,
    pub(super) yes: &'static str,
    /// The text at the end of a query.
    pub(super) end: &'static str,
}

/// A query in the form for the system, and the values of its variables.
pub(super) type Prepared = (String, Vec<Given>);

/// The language of a query.
pub(super) type QueryLanguageRef = &'static dyn QueryLanguage;

/// A query and the line of `user_input` where it begins.
pub(super) struct QueryText {
    /// The text with its full stop, unless the input ended before it.
    pub(super) text: String,
    /// The line, from 1.
    pub(super) line: usize,
}

impl QueryText {
    /// Returns whether the query ends a prompt as the end of the input does.
    pub(super) fn is_end(&self) -> bool {
        self.text.trim().trim_end_matches('.').trim_end() == "end_of_file"
    }
}

/// The amount of a query that a text contains.
pub(super) enum Extent {
    /// No part of a query.
    Blank,
    /// The beginning of a query.
    Unfinished,
    /// A whole query, up to this offset.
    Whole(usize),
}

/// The position of a prompt among other prompts.
#[derive(Copy, Clone)]
pub(super) struct PromptPosition {
    pub(super) language: QueryLanguageRef,
    /// Number of prompts around this one, in the same session, that end with it.
    pub(super) depth: usize,
    /// Whether a query waits that resumes when the session ends.
    pub(super) awaited: bool,
}

impl PromptPosition {
    pub(super) fn session(language: QueryLanguageRef, awaited: bool) -> PromptPosition {
        PromptPosition {
            language,
            depth: 0,
            awaited,
        }
    }
}

/// The way in which a prompt is left.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Exit {
    /// The input of the prompt has ended.
    End,
    /// The prompt and the query around it end.
    Up,
    /// All prompts up to the outermost one of the session end.
    UpAll,
    /// The session ends.
    Bye,
    /// The session must enter its modules again.
    Again,
}

/// The name of a variable and its value.
pub(super) type Given = (String, Term);

impl Engine {
    /// Reads a term of a language for the host.
    pub(super) fn parse_in(
        &mut self,
        language: QueryLanguageRef,
        text: &str,
    ) -> Result<Term, Error> {
        self.within_query_limits(|engine| {
            let (term, vars) = engine.in_scope(|engine| language.read(engine, text))?;
            let names: Vec<(Cell, String)> =
                vars.into_iter().map(|(name, var)| (var, name)).gather()?;
            let term = engine.machine.apply_terms(term)?;
            let term = engine.owned_term(term, &names)?;
            engine.discard_unused_terms();
            Ok(term)
        })
    }
}
