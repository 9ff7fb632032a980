//! Values of variables in the answers of a session: `$X` in a query stands for the last value of `X`.

use super::editing::Language;
use super::error::Error;
use super::query_language::Given;
use super::solutions::Solutions;
use super::term::Term;
use crate::base::growth::{Grow, GrowMap, GrowText, text_of};
use crate::base::stop::Stop;
use crate::text::lexemes::Lexeme;
use std::collections::HashMap;
use std::ops::Range;

/// Maximum number of subterms and words of texts in a value that is kept.
const LARGEST: usize = 100_000;

/// The text in place of a left-out subterm.
const LEFT_OUT: &str = "...";

/// The last values.
#[derive(Default)]
pub(super) struct Values {
    /// The values by name. `None` in place of a value that was too large.
    last: HashMap<String, Option<Term>>,
}

/// A `$NAME` of a query that has no value.
pub(super) struct Missing {
    /// The message.
    pub(super) message: String,
    /// The position of `$NAME` in the text, in bytes.
    pub(super) place: Range<usize>,
}

impl Values {
    /// Keeps the values of an answer.
    ///
    /// # Errors
    /// Returns an error if there is not enough memory.
    pub(super) fn keep(&mut self, solutions: &mut Solutions<'_>) -> Result<(), Error> {
        for (name, value) in solutions.small_values(LARGEST)? {
            if !name.starts_with('_') && !matches!(value, Some(Term::Var(_))) {
                self.last.put_entry(text_of(&name)?, value)?;
            }
        }
        Ok(())
    }

    /// Returns the first variable in the text of an answer whose value is abbreviated there but kept.
    pub(super) fn abbreviated<'t>(&self, language: &Language, text: &'t str) -> Option<&'t str> {
        let mut variable = None;
        for (range, lexeme) in language.lexemes(text) {
            let piece = &text[range.clone()];
            if range.start == 0 || text[..range.start].ends_with('\n') {
                variable = Some(piece).filter(|_| lexeme == Lexeme::Variable);
            }
            if lexeme == Lexeme::Atom
                && piece.ends_with(LEFT_OUT)
                && let Some(name) = variable
                && let Some(Some(value)) = self.last.get(name)
                // An atom may look the same.
                && *value != Term::atom(LEFT_OUT)
            {
                return Some(name);
            }
        }
        None
    }

    /// Returns the text of a query with variables in place of its `$X`, and their values.
    ///
    /// # Errors
    /// Returns an error if there is not enough memory.
    pub(super) fn used_in(
        &self,
        language: &Language,
        text: &str,
    ) -> Result<Result<(String, Vec<Given>), Missing>, Stop> {
        let pieces = language.lexemes(text);
        let is_variable = |name: &str| {
            pieces
                .iter()
                .any(|(range, lexeme)| *lexeme == Lexeme::Variable && &text[range.clone()] == name)
        };
        let mut shown = String::new();
        let mut given: Vec<Given> = Vec::new();
        let mut done = 0;
        for pair in pieces.windows(2) {
            let [(sign, Lexeme::Atom), (variable, Lexeme::Variable)] = pair else {
                continue;
            };
            let name = &text[variable.clone()];
            let place = variable.start.saturating_sub(1)..variable.end;
            let stands_alone = !text[..place.start].ends_with(|c: char| c.is_alphanumeric());
            let is_dollar = text[sign.clone()].ends_with('$') && sign.end == variable.start;
            if !is_dollar || !stands_alone || name.starts_with('_') {
                continue;
            }
            let value = match self.last.get(name) {
                Some(Some(value)) => value,
                // A longer sign may be an operator of the program.
                _ if sign.len() > 1 => continue,
                Some(None) => {
                    let message =
                        format!("the last value of {name} was cyclic or too large to keep");
                    return Ok(Err(Missing { message, place }));
                }
                None => {
                    let message = format!("no answer of this session binds {name}");
                    return Ok(Err(Missing { message, place }));
                }
            };
            // The variable is at least as long as `$NAME`, so that errors appear where they were typed.
            let mut own = format!("_{name}");
            while is_variable(&own) {
                own.put('_')?;
            }
            shown.put_str(&text[done..place.start])?;
            shown.put_str(&own)?;
            done = variable.end;
            if given.iter().all(|(known, _)| *known != own) {
                given.put((own, value.clone()))?;
            }
        }
        shown.put_str(&text[done..])?;
        Ok(Ok((shown, given)))
    }
}
