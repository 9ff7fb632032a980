//! The languages that queries are asked in: what differs between them.

use super::answer::Answer;
use super::engine::{Ended, Engine};
use super::error::Error;
use super::lolli::Lolli;
use super::term::Term;
use crate::base::growth::Gather;
use crate::base::source::Span;
use crate::base::stop::Stop;
use crate::diagnose::messages::formal_text;
use crate::machine::state::Machine;
use crate::source::named_goals::{Call, in_query};
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

    /// The message about an exception; none where the language has no words of its own.
    fn message(&self, engine: &mut Engine, ball: Cell) -> Option<String>;

    /// The term of an error that its message shows, if the language shows any.
    fn formal(&self, m: &Machine, ball: Cell) -> Option<String>;

    /// Where the text of a query has the goal that was called; none if that is not known, or all of it.
    fn span_of(&self, m: &mut Machine, text: &str, call: Call<'_>) -> Result<Option<Span>, Stop>;
}

/// The language of a query.
pub(super) type Spoken = &'static dyn QueryLanguage;

/// Prolog.
pub(super) const PROLOG: Spoken = &Prolog;
/// Lolli.
pub(super) const LOLLI: Spoken = &Lolli;

/// Prolog, with the answers and messages of SWI-Prolog.
struct Prolog;

impl QueryLanguage for Prolog {
    fn read(&self, engine: &mut Engine, text: &str) -> Result<ReadTerm, Ended> {
        let (goal, mut vars) = engine.read_goal(text)?;
        vars.retain(|(name, _)| name != "_");
        Ok((goal, vars))
    }

    fn answer(&self, engine: &mut Engine, vars: &[(String, Cell)]) -> Result<Answer, Ended> {
        engine.answer(vars)
    }

    fn answer_text(&self, engine: &mut Engine, vars: &[(String, Cell)]) -> Result<String, Ended> {
        engine.answer_text(vars)
    }

    fn message(&self, _: &mut Engine, _: Cell) -> Option<String> {
        None
    }

    fn formal(&self, m: &Machine, ball: Cell) -> Option<String> {
        formal_text(m, ball).ok().flatten()
    }

    fn span_of(&self, m: &mut Machine, text: &str, call: Call<'_>) -> Result<Option<Span>, Stop> {
        in_query(m, text, call)
    }
}

impl Engine {
    /// Reads a term of a language for the host.
    pub(super) fn parse_in(&mut self, language: Spoken, text: &str) -> Result<Term, Error> {
        self.alone(|engine| {
            let (term, vars) = language.read(engine, text)?;
            let names: Vec<(Cell, String)> =
                vars.into_iter().map(|(name, var)| (var, name)).gather()?;
            let term = engine.machine.put_together(term)?;
            let term = engine.owned_term(term, &names)?;
            engine.tidy();
            Ok(term)
        })
    }
}
