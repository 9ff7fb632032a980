//! Prolog as a language of queries, with the answers and messages of SWI-Prolog.

use super::answer::Answer;
use super::engine::{Ended, Engine};
use super::error::{Error, Location};
use super::prompt_output::USER_INPUT_NAME;
use super::query_language::{
    Extent, Given, Manner, Prepared, QueryLanguage, QueryLanguageRef, QueryText, ReadTerm,
};
use super::term::Term;
use super::values::Missing;
use crate::base::growth::{Gather, text_of};
use crate::base::source::Span;
use crate::base::stop::Stop;
use crate::diagnose::messages::formal_text;
use crate::machine::state::Machine;
use crate::source::diagnostic::MessageKind;
use crate::source::named_goals::{Call, in_query};
use crate::store::cell::Cell;

/// The language Prolog.
pub(super) const PROLOG: QueryLanguageRef = &Prolog;

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

    fn formal(&self, m: &Machine, ball: Cell) -> Option<String> {
        formal_text(m, ball).ok().flatten()
    }

    fn span_of(&self, m: &mut Machine, text: &str, call: Call<'_>) -> Result<Option<Span>, Stop> {
        in_query(m, text, call)
    }

    fn manner(&self) -> &'static Manner {
        &Manner {
            begins_lines: true,
            typed_gap: false,
            asks_after_last: false,
            whole_queries: true,
            keeps_values: true,
            has_prompts: false,
            explains_after: false,
            no: "false.\n",
            stop: ".\n",
            yes: "",
            end: "\n",
        }
    }

    fn extent(&self, engine: &mut Engine, text: &str, _: bool) -> Result<Extent, Error> {
        Ok(match engine.clause_end(text) {
            Some(end) => Extent::Whole(end),
            None if text.trim().is_empty() => Extent::Blank,
            None => Extent::Unfinished,
        })
    }

    fn read_query(&self, engine: &mut Engine) -> Result<Option<QueryText>, Error> {
        let line = usize::try_from(engine.input_line()).unwrap_or(1);
        let text = engine.read_input_clause()?;
        Ok(text.map(|text| QueryText { text, line }))
    }

    fn reply(&self, line: Option<&str>, _: bool) -> (bool, bool) {
        match line.map(str::trim) {
            Some(";") => (true, true),
            Some("" | ".") => (true, false),
            // The line begins the next query, or the input has ended.
            _ => (false, false),
        }
    }

    fn prepared(&self, engine: &mut Engine, query: &QueryText) -> Result<Option<Prepared>, Error> {
        if engine.clause_end(&query.text).is_none() {
            engine.report_unfinished(query);
            return Ok(None);
        }
        if !query.text.contains('$') {
            return Ok(Some((text_of(&query.text)?, Vec::new())));
        }
        let language = engine.lexical_language();
        match engine.prompt().values.used_in(&language, &query.text)? {
            Ok(prepared) => Ok(Some(prepared)),
            Err(missing) => {
                engine.report_missing(query, &missing);
                Ok(None)
            }
        }
    }

    fn open(
        &self,
        engine: &mut Engine,
        (text, _): (&str, usize),
        given: &[Given],
        _: usize,
    ) -> Result<(), Ended> {
        let given = given
            .iter()
            .map(|(name, value)| (name.as_str(), value.clone()));
        let given: Vec<(&str, Term)> = given.gather()?;
        engine.open_read(text, &given, false)
    }
}

impl Engine {
    /// Reads a term with the operators and flags of this engine.
    ///
    /// # Errors
    /// - [`ErrorKind::Syntax`] if the text is not a term
    /// - [`ErrorKind::Resource`] if there is not enough memory
    /// - the errors of the limits of a query
    pub fn parse_term(&mut self, text: &str) -> Result<Term, Error> {
        self.parse_in(PROLOG, text)
    }

    /// Reports that a `$X` of a query has no value.
    fn report_missing(&mut self, query: &QueryText, missing: &Missing) {
        let place = &missing.place;
        let location = Location::in_text(
            Some(USER_INPUT_NAME.into()),
            &query.text,
            place.start,
            place.end,
            query.line,
        );
        self.report(MessageKind::Other, Some(location), &missing.message);
    }

    /// Reports that the input ended before the full stop of a query, which may be incomplete.
    fn report_unfinished(&mut self, query: &QueryText) {
        let text = query.text.trim_end();
        let (file, end) = (Some(USER_INPUT_NAME.into()), text.len());
        let location = Location::in_text(file, text, end, end, query.line);
        let message = "syntax error: the input ends before the `.` of the query";
        self.report(MessageKind::Syntax, Some(location), message);
    }
}
