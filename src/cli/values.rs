//! The values that variables had in the answers of a session: `$X` in a query stands for the last one
//! of `X`.

use std::collections::HashMap;
use wamlet::{Language, Lexeme, Solution, Term};

/// The last values.
#[derive(Default)]
pub(crate) struct Values {
    last: HashMap<String, Term>,
}

/// The name of a variable and its value.
type Given = (String, Term);

impl Values {
    /// Keeps the values of an answer.
    pub(crate) fn keep(&mut self, solution: &Solution) {
        // What stands for itself in a cyclic term has no value of its own.
        if !solution.cycles().is_empty() {
            return;
        }
        for (name, value) in solution.bindings() {
            if !matches!(value, Term::Var(_)) {
                self.last.insert(name.to_string(), value.clone());
            }
        }
    }

    /// The text of a query with variables in the place of its `$X`, and their values.
    ///
    /// # Errors
    /// The name of a variable that no answer has given a value.
    pub(crate) fn used_in(
        &self,
        language: &Language,
        text: &str,
    ) -> Result<(String, Vec<Given>), String> {
        let pieces = language.lexemes(text);
        let is_variable = |name: &str| {
            pieces
                .iter()
                .any(|(range, lexeme)| *lexeme == Lexeme::Variable && &text[range.clone()] == name)
        };
        let mut shown = String::with_capacity(text.len());
        let mut given: Vec<Given> = Vec::new();
        let mut done = 0;
        for pair in pieces.windows(2) {
            let [(sign, Lexeme::Atom), (variable, Lexeme::Variable)] = pair else {
                continue;
            };
            let name = &text[variable.clone()];
            if &text[sign.clone()] != "$" || sign.end != variable.start || name.starts_with('_') {
                continue;
            }
            let value = self.last.get(name).ok_or_else(|| name.to_owned())?;
            // As long as what it takes the place of, so that errors are where they were typed.
            let mut own = format!("_{name}");
            while is_variable(&own) {
                own.push('_');
            }
            shown.push_str(&text[done..sign.start]);
            shown.push_str(&own);
            done = variable.end;
            if given.iter().all(|(known, _)| *known != own) {
                given.push((own, value.clone()));
            }
        }
        shown.push_str(&text[done..]);
        Ok((shown, given))
    }
}
