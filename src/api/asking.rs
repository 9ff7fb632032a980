//! Opening of queries: reads their texts and binds their variables to values of the host.

use super::budget::Bounds;
use super::engine::{Ended, Engine, no_memory};
use super::error::{Error, ErrorKind, Location};
use super::prolog::PROLOG;
use super::solutions::OpenQuery;
use super::term::Term;
use super::to_heap::Variables;
use crate::base::atom_table::{atoms, functors};
use crate::base::growth::{Gather, joined};
use crate::builtins::term_io::clause_reader::{ReadError, read_clause};
use crate::load::consult::end_left_loads;
use crate::machine::budget::ends::Usage;
use crate::store::cell::Cell;
use crate::text::syntax_error::SyntaxError;

impl Engine {
    /// Opens a query and binds the variables named in `values`. Reading the text counts against the budget
    /// of the query.
    pub(super) fn open_query(&mut self, text: &str, values: &[(&str, Term)]) -> Result<(), Error> {
        self.opening(|engine| engine.open_read(text, values, false))
    }

    /// Opens a query of Wamlet itself, which may call internal predicates of the system. Binds its
    /// variables as `open_query` does.
    pub(super) fn open_own(&mut self, text: &str, values: &[(&str, Term)]) -> Result<(), Error> {
        self.opening(|engine| engine.open_read(text, values, true))
    }

    /// Closes a kept query that nobody can resume, then runs `open` within the budget of the new query.
    pub(super) fn opening(
        &mut self,
        open: impl FnOnce(&mut Engine) -> Result<(), Ended>,
    ) -> Result<(), Error> {
        if self
            .open
            .last()
            .is_some_and(|open| open.query.paused.is_some())
        {
            // Nobody can resume a kept query after this point.
            let waiting = self.open.iter().rposition(OpenQuery::waits);
            self.close_above(waiting.map_or(0, |place| place + 1));
        }
        let first = self.open.is_empty();
        if first {
            self.discard_terms();
            self.interrupts().clear();
        }
        let mut spent = Usage::NONE;
        let own = self.given;
        let open = |engine: &mut Engine| {
            if first {
                end_left_loads(&mut engine.machine)?;
            }
            engine.machine.sweep_between_queries()?;
            open(engine)
        };
        let bounds = Bounds {
            own,
            spent: Some(&mut spent),
        };
        self.within_bounds(bounds, |engine| engine.guarded(open))?;
        if let Some(open) = self.open.last_mut() {
            (open.budget, open.spent) = (own, spent);
        }
        Ok(())
    }

    pub(super) fn open_read(
        &mut self,
        text: &str,
        values: &[(&str, Term)],
        own: bool,
    ) -> Result<(), Ended> {
        let (goal, mut vars) = self.in_scope(|engine| PROLOG.read(engine, text))?;
        let mut goal = self.without_prefix(goal);
        if own && text.starts_with("'$") {
            let m = &mut *self.machine;
            m.store.reserve(3).map_err(|_| no_memory())?;
            let system = Cell::atom(m.inner_name(atoms::SYSTEM)?);
            goal = m.store.new_struct(functors::COLON, &[system, goal]);
        }
        if !own {
            goal = self.heeding_host(goal)?;
        }
        self.bind_values(&vars, values)?;
        vars.retain(|(name, _)| values.iter().all(|(given, _)| given != name));
        self.open_goal(goal, vars, PROLOG)?;
        if let Some(open) = self.open.last_mut() {
            open.text = Some(text.into());
        }
        Ok(())
    }

    /// Binds variables of a query to the values of the host.
    fn bind_values(
        &mut self,
        vars: &[(String, Cell)],
        values: &[(&str, Term)],
    ) -> Result<(), Ended> {
        let mut variables: Variables = vars
            .iter()
            .map(|(name, var)| (name.as_str().into(), *var))
            .gather_map()?;
        for (name, value) in values {
            let usage = |message| Error::new(ErrorKind::Usage, message);
            let Some((_, var)) = vars.iter().find(|(known, _)| known == name) else {
                return Err(usage(format!("the query has no variable {name}")).into());
            };
            let value = self.build_term(value, &mut variables)?;
            if !self.machine.unify(*var, value)? {
                return Err(usage(format!("the variable {name} has two different values")).into());
            }
        }
        Ok(())
    }

    /// Reads the one term of a text, with or without its full stop. Returns the term and its variables.
    pub(super) fn read_goal(&mut self, text: &str) -> Result<(Cell, Vec<(String, Cell)>), Ended> {
        // The full stop is on its own line because the text may end in a comment.
        let whole = joined(&[text, "\n."])?;
        let mut at = 0;
        let read = match read_clause(&mut self.machine, &whole, &mut at, true) {
            Ok(Some(read)) => read,
            Ok(None) => {
                let message = "the text contains no term";
                return Err(Error::new(ErrorKind::Syntax, message).into());
            }
            Err(ReadError::Syntax(error)) => return Err(self.syntax_error(text, &error).into()),
            Err(ReadError::Throw(throw)) => return Err(self.error(throw).into()),
        };
        let rest = text.get(at..).unwrap_or("");
        let mut next = 0;
        match read_clause(&mut self.machine, rest, &mut next, true) {
            Ok(None) => {}
            _ => {
                let start = at + rest.len() - rest.trim_start().len();
                let place = Location::in_text(None, text, start, text.trim_end().len(), 1);
                let message = "there is text after the end of the term";
                let error = Error::new(ErrorKind::Syntax, message).with_location(place);
                return Err(error.into());
            }
        }
        Ok((
            read.term,
            read.vars
                .into_iter()
                .map(|(name, var, _)| (name, var))
                .gather()?,
        ))
    }

    pub(super) fn syntax_error(&mut self, text: &str, error: &SyntaxError) -> Error {
        let span = error.span;
        let place = Location::in_text(None, text, span.start as usize, span.end as usize, 1);
        let name = Term::atom(error.name());
        let formal = Term::compound("syntax_error", vec![name]);
        let ball = Term::compound("error", vec![formal, Term::var("_")]);
        let message = format!("syntax error: {}", error.message());
        let text = ball.to_string();
        Error::new(ErrorKind::Syntax, message)
            .with_location(place)
            .with_hint(error.hint())
            .with_term(Some(ball), text)
            .with_formal(Some(format!("syntax_error({})", error.name())))
    }
}
