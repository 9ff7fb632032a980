//! Conversion of terms to Lolli text, with the names of variables in the query.

use crate::base::atom_table::functors;
use crate::base::growth::{Gather, Grow, joined_by};
use crate::base::stop::Stop;
use crate::machine::state::Machine;
use crate::store::cell::{Cell, WORD};
use crate::store::heap::View;
use crate::text::bounded_text::WriteStop;
use crate::text::lolli::writer::{Env, Form, term_text};

/// Global variable with the names of the query's variables, each `Name = Variable`.
pub(crate) const VARIABLES: &str = "$lolli_names";

/// Returns a term as Lolli text for a message. The machine calls this as a hook.
pub(crate) fn lolli_text(m: &Machine, term: Cell) -> String {
    m.lolli_form(term, Form::Goal)
        .unwrap_or_else(|_| "...".to_owned())
}

impl Machine {
    /// Returns a term as Lolli text.
    ///
    /// # Errors
    /// Returns an error if the conversion was stopped.
    pub(crate) fn lolli_form(&self, term: Cell, form: Form) -> Result<String, WriteStop> {
        self.lolli_form_named(term, form, &self.lolli_names()?)
    }

    /// Returns a term as Lolli text for the tracer: all variables have names.
    ///
    /// # Errors
    /// Returns an error if the conversion was stopped.
    pub(crate) fn lolli_form_traced(
        &mut self,
        term: Cell,
        form: Form,
    ) -> Result<String, WriteStop> {
        let mut names = self.lolli_names()?;
        let variables = self.store.variables_of(term)?;
        for (variable, name) in self.trace_names(&variables)? {
            names.put((name, variable))?;
        }
        self.lolli_form_named(term, form, &names)
    }

    /// Returns a term as Lolli text, with these names for unbound variables.
    ///
    /// # Errors
    /// Returns an error if the conversion was stopped.
    pub(crate) fn lolli_form_named(
        &self,
        term: Cell,
        form: Form,
        names: &[(String, Cell)],
    ) -> Result<String, WriteStop> {
        let variable = |var: Cell| {
            let known = names
                .iter()
                .find(|(_, named)| self.store.deref(*named) == var);
            known.map_or_else(
                || {
                    let base = self.store.heap.base;
                    format!("_{}", var.addr().saturating_sub(base) / WORD)
                },
                |(name, _)| name.clone(),
            )
        };
        let env = Env {
            store: &self.store,
            symbols: &self.world.symbols,
            variable: &variable,
        };
        term_text(&env, term, form)
    }

    /// Returns the variables of the query with their names.
    fn lolli_names(&self) -> Result<Vec<(String, Cell)>, Stop> {
        let list = self
            .world
            .symbols
            .find(VARIABLES)
            .and_then(|name| self.local_global(name));
        list.map_or_else(|| Ok(Vec::new()), |list| named_variables(self, list))
    }
}

/// Returns the variables in a list of `Name = Variable`, with their names.
pub(crate) fn named_variables(m: &Machine, list: Cell) -> Result<Vec<(String, Cell)>, Stop> {
    let mut items = Vec::new();
    m.store.list_items(list, &mut items)?;
    let pair = |item: &Cell| match m.store.compound(*item) {
        Some((functors::EQUAL, args)) => match m.store.view(m.store.arg(args, 0)) {
            View::Atom(name) => Some((m.world.symbols.text(name).to_owned(), m.store.arg(args, 1))),
            _ => None,
        },
        _ => None,
    };
    items.iter().filter_map(pair).gather()
}

/// Returns the answer for these variables: `Name <- term` for each variable with a value or with the value of a
/// later variable. Returns `solved` if there is none.
///
/// # Errors
/// Returns an error if the conversion was stopped.
pub(crate) fn answer_text(m: &Machine, names: &[(String, Cell)]) -> Result<String, WriteStop> {
    let mut parts = Vec::new();
    // Terms from the input can have names, too.
    let mut all = names.iter().cloned().gather()?;
    all.put_all(m.lolli_names()?)?;
    for (index, (name, value)) in names.iter().enumerate() {
        let value = m.store.deref(*value);
        let text = if value.is_var() {
            // If several variables are the same, the last one is printed for all.
            let later = names[index + 1..].iter().rev();
            let mut same = later.filter(|(_, other)| m.store.deref(*other) == value);
            match same.next() {
                Some((other, _)) => other.clone(),
                None => continue,
            }
        } else {
            m.lolli_form_named(value, Form::Goal, &all)?
        };
        parts.put(format!("{name} <- {text}"))?;
    }
    if parts.is_empty() {
        return Ok("solved".to_owned());
    }
    Ok(joined_by(&parts, " ,\n")?)
}
