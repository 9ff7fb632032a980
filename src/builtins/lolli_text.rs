//! Terms as Lolli text, with the names that variables have in the query.

use crate::base::symbol::{Atom, functors};
use crate::machine::state::Machine;
use crate::store::cell::{Cell, WORD};
use crate::store::heap::View;
use crate::store::raw;
use crate::text::lolli::writer::{Env, Form, term_text};
use crate::text::writer::WriteStop;

/// The global variable that holds the names of the variables of the query, each `Name = Variable`.
pub(crate) const VARIABLES: &str = "$lolli_names";

/// A term as Lolli text, for a message: the hook of the machine.
pub(crate) fn lolli_text(m: &Machine, term: Cell) -> String {
    m.lolli_form(term, Form::Goal)
        .unwrap_or_else(|_| "...".to_owned())
}

impl Machine {
    /// A term as Lolli text.
    ///
    /// # Errors
    /// It was broken off.
    pub(crate) fn lolli_form(&self, term: Cell, form: Form) -> Result<String, WriteStop> {
        let names = self.lolli_names();
        let variable = |var: Cell| {
            let known = names.iter().find(|&&(_, named)| named == var);
            known.map_or_else(
                || {
                    let base = self.store.heap.base;
                    format!("_{}", var.addr().saturating_sub(base) / WORD)
                },
                |&(name, _)| self.symbols.text(name).to_owned(),
            )
        };
        let env = Env {
            store: &self.store,
            symbols: &self.symbols,
            variable: &variable,
        };
        term_text(&env, term, form)
    }

    /// The variables of the query that are unbound, with their names.
    fn lolli_names(&self) -> Vec<(Atom, Cell)> {
        let mut names = Vec::new();
        let Some(place) = self
            .symbols
            .find(VARIABLES)
            .and_then(|name| self.local_globals.get(&name))
        else {
            return names;
        };
        let list = raw::cell(place.addr());
        if list == Cell::ABSENT {
            return names;
        }
        let mut items = Vec::new();
        self.store.list_items(list, &mut items);
        for item in items {
            if let Some((functors::EQUAL, args)) = self.store.compound(item)
                && let View::Atom(name) = self.store.view(self.store.arg(args, 0))
                && let View::Var(var) = self.store.view(self.store.arg(args, 1))
            {
                names.push((name, var));
            }
        }
        names
    }
}
