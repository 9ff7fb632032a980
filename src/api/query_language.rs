//! The languages that queries are asked in: what differs between them.

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

    /// The answer of a solution that gives these variables their values.
    fn answer(&self, engine: &mut Engine, vars: &[(String, Cell)]) -> Result<Answer, Ended>;

    /// The text of that answer.
    fn answer_text(&self, engine: &mut Engine, vars: &[(String, Cell)]) -> Result<String, Ended>;

    /// The message about an exception, where the language has words of its own.
    fn message(&self, _: &mut Engine, _: Cell) -> Option<String> {
        None
    }

    /// The term of an error that its message shows, if the language shows any.
    fn formal(&self, _: &Machine, _: Cell) -> Option<String> {
        None
    }

    /// Where the text of a query has the goal that was called; none if that is not known, or all of it.
    fn span_of(&self, m: &mut Machine, text: &str, call: Call<'_>) -> Result<Option<Span>, Stop>;

    /// How its prompt shows answers.
    fn manner(&self) -> &'static Manner;

    /// How much of a query a text has, if there are `more` lines.
    fn extent(&self, engine: &mut Engine, text: &str, more: bool) -> Result<Extent, Error>;

    /// Reads the next query from the standard input.
    fn read_query(&self, engine: &mut Engine) -> Result<Option<QueryText>, Error>;

    /// What a line of the standard input, which may be a terminal, says after an answer: is it one that says so, and does
    /// it ask for another answer?
    fn reply(&self, line: Option<&str>, terminal: bool) -> (bool, bool);

    /// The text of a query that was typed as the system reads it, and the values of its variables. None if it was told
    /// that it is none.
    fn prepared(&self, engine: &mut Engine, query: &QueryText) -> Result<Option<Prepared>, Error>;

    /// Opens a query that was typed, whose text begins in this line: one of a prompt with so many around it.
    fn open(
        &self,
        engine: &mut Engine,
        text: (&str, usize),
        given: &[Given],
        depth: usize,
    ) -> Result<(), Ended>;

    /// The goal of an open query as it was asked.
    fn plain_goal(&self, _: &Machine, goal: Cell) -> Cell {
        goal
    }

    /// What is kept of an open query for those who ask why it has no solution, or was ended by a limit with this message.
    fn noted(&self, _: &mut Machine, goal: Cell, _: Option<&str>) -> Result<Cell, Stop> {
        Ok(goal)
    }

    /// Tells how a query leaves a prompt.
    fn leave(&self, _: &mut Engine, _: &str, _: At) -> Result<Option<Way>, Error> {
        Ok(None)
    }

    /// Is what its session stands on to be entered again?
    fn is_renewed(&self, _: &mut Engine) -> bool {
        false
    }
}

/// How a prompt shows answers.
pub(super) struct Manner {
    /// Does an answer begin a line?
    pub(super) begins_lines: bool,
    /// Is a blank after an answer for those alone who type?
    pub(super) typed_gap: bool,
    /// Is it asked what is wanted after the last answer, too?
    pub(super) asks_after_last: bool,
    /// Are queries of several lines edited as one text?
    pub(super) whole_queries: bool,
    /// Are values kept for further queries?
    pub(super) keeps_values: bool,
    /// Do goals have prompts within, which end with them?
    pub(super) has_prompts: bool,
    /// Is a failure explained after it was told?
    pub(super) explains_after: bool,
    /// There are no more answers.
    pub(super) no: &'static str,
    /// What ends an answer after which no other is wanted, and what is told then.
    pub(super) stop: &'static str,
    pub(super) yes: &'static str,
    /// What ends all.
    pub(super) end: &'static str,
}

/// A query as the system reads it, and the values of its variables.
pub(super) type Prepared = (String, Vec<Given>);

/// The language of a query.
pub(super) type Spoken = &'static dyn QueryLanguage;

/// A query and the line of `user_input` where it begins.
pub(super) struct QueryText {
    /// The text with its full stop, unless the input ended before it.
    pub(super) text: String,
    /// The line, from 1.
    pub(super) line: usize,
}

impl QueryText {
    /// Does the query end a prompt as the end of the input does?
    pub(super) fn is_end(&self) -> bool {
        self.text.trim().trim_end_matches('.').trim_end() == "end_of_file"
    }
}

/// How much of a query a text has.
pub(super) enum Extent {
    /// Nothing of one.
    Blank,
    /// Its beginning.
    Unfinished,
    /// All of it, up to this offset.
    Whole(usize),
}

/// Where a prompt stands.
#[derive(Copy, Clone)]
pub(super) struct At {
    pub(super) language: Spoken,
    /// How many prompts there are around it that end with it, in the same session.
    pub(super) depth: usize,
    /// Does a query wait that goes on when the session ends?
    pub(super) awaited: bool,
}

impl At {
    pub(super) fn session(language: Spoken, awaited: bool) -> At {
        At {
            language,
            depth: 0,
            awaited,
        }
    }
}

/// How a prompt is left.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// Its input has ended.
    End,
    /// With the query around it.
    Up,
    /// With all up to the outermost prompt of the session.
    UpAll,
    /// The session ends.
    Bye,
    /// What the session stands on is to be entered again.
    Again,
}

/// The name of a variable and its value.
pub(super) type Given = (String, Term);

impl Engine {
    /// Reads a term of a language for the host.
    pub(super) fn parse_in(&mut self, language: Spoken, text: &str) -> Result<Term, Error> {
        self.alone(|engine| {
            let (term, vars) = engine.in_scope(|engine| language.read(engine, text))?;
            let names: Vec<(Cell, String)> =
                vars.into_iter().map(|(name, var)| (var, name)).gather()?;
            let term = engine.machine.put_together(term)?;
            let term = engine.owned_term(term, &names)?;
            engine.tidy();
            Ok(term)
        })
    }
}
