//! The ISO error terms (7.12.2), all made here.
#![forbid(unsafe_code)]

use super::throw::{Ball, Throw};
use crate::base::atom_table::{Atom, Functor, Symbols, atoms, functors};
use crate::base::stop::Stop;
use crate::machine::state::Machine;
use crate::store::cell::Cell;

/// A word of an error term: an atom, or the text of one.
pub(crate) trait Word {
    /// Returns the atom.
    fn cell(self, symbols: &mut Symbols) -> Result<Cell, Stop>;
}

impl Word for Atom {
    fn cell(self, _: &mut Symbols) -> Result<Cell, Stop> {
        Ok(Cell::atom(self))
    }
}

impl Word for &str {
    fn cell(self, symbols: &mut Symbols) -> Result<Cell, Stop> {
        symbols.intern(self).map(Cell::atom)
    }
}

impl Machine {
    /// Checks whether long work may go on.
    ///
    /// # Errors
    /// Returns an exception if the query must stop. The true reason of the stop later replaces this exception.
    #[inline]
    pub(crate) fn go_on(&self) -> Result<(), Throw> {
        if self.store.events.stop_wanted() {
            Err(Throw::new(Ball::Aborted))
        } else {
            Ok(())
        }
    }

    /// Returns the exception of `throw(ball)`.
    pub(crate) fn throw_term(&mut self, ball: Cell) -> Throw {
        match self.store.store_ball(ball) {
            Ok(stored) => Throw::new(Ball::Term(stored)),
            Err(full) => full.into(),
        }
    }

    /// Returns the exception of `throw(error(formal, _))`; the dispatcher adds the context.
    pub(crate) fn throw_formal(&mut self, formal: Cell) -> Throw {
        self.throw_message(formal, None)
    }

    /// Returns the exception that replaces an effect of a goal that several machines search. No goal within the
    /// search catches it.
    pub(crate) fn refused_effect(&mut self) -> Throw {
        let mut throw = match self.world.symbols.intern("search") {
            Ok(search) => self.permission_error("use", "effect", Cell::atom(search)),
            Err(stop) => stop.into(),
        };
        throw.0.leaves_search = true;
        throw
    }

    /// Returns the exception of [`Machine::throw_formal`] with an additional message for the user.
    pub(crate) fn throw_message(&mut self, formal: Cell, message: Option<&str>) -> Throw {
        match self.store.store_term(formal) {
            Ok(stored) => Throw::new(Ball::Error(stored, message.map(Into::into))),
            Err(full) => full.into(),
        }
    }

    fn throw_struct(&mut self, functor: Functor, args: &[Cell]) -> Throw {
        let formal = self.store.new_struct(functor, args);
        self.throw_formal(formal)
    }

    /// Returns the exception of an error term with this functor, whose first argument is a word.
    fn throw_about(&mut self, functor: Functor, word: impl Word, culprit: Cell) -> Throw {
        match word.cell(&mut self.world.symbols) {
            Ok(word) => self.throw_struct(functor, &[word, culprit][..functor.arity()]),
            Err(stop) => stop.into(),
        }
    }

    /// Returns `instantiation_error`.
    pub(crate) fn instantiation_error(&mut self) -> Throw {
        self.throw_formal(Cell::atom(atoms::INSTANTIATION_ERROR))
    }

    /// Returns `uninstantiation_error(culprit)`.
    pub(crate) fn uninstantiation_error(&mut self, culprit: Cell) -> Throw {
        self.throw_struct(functors::UNINSTANTIATION_ERROR, &[culprit])
    }

    /// Returns `type_error(expected, culprit)`.
    pub(crate) fn type_error(&mut self, expected: impl Word, culprit: Cell) -> Throw {
        self.throw_about(functors::TYPE_ERROR, expected, culprit)
    }

    /// Returns an instantiation error if `culprit` is a variable, else `type_error(expected, culprit)`.
    pub(crate) fn type_or_instantiation_error(
        &mut self,
        expected: impl Word,
        culprit: Cell,
    ) -> Throw {
        if self.store.deref(culprit).is_var() {
            self.instantiation_error()
        } else {
            self.type_error(expected, culprit)
        }
    }

    /// Returns `domain_error(domain, culprit)`.
    pub(crate) fn domain_error(&mut self, domain: impl Word, culprit: Cell) -> Throw {
        self.throw_about(functors::DOMAIN_ERROR, domain, culprit)
    }

    /// Returns `existence_error(kind, culprit)`.
    pub(crate) fn existence_error(&mut self, kind: impl Word, culprit: Cell) -> Throw {
        self.throw_about(functors::EXISTENCE_ERROR, kind, culprit)
    }

    /// Returns `permission_error(action, kind, culprit)`.
    pub(crate) fn permission_error(
        &mut self,
        action: impl Word,
        kind: impl Word,
        culprit: Cell,
    ) -> Throw {
        let symbols = &mut self.world.symbols;
        match (action.cell(symbols), kind.cell(symbols)) {
            (Ok(action), Ok(kind)) => {
                self.throw_struct(functors::PERMISSION_ERROR, &[action, kind, culprit])
            }
            (Err(stop), _) | (_, Err(stop)) => stop.into(),
        }
    }

    /// Returns `representation_error(limit)`.
    pub(crate) fn representation_error(&mut self, limit: Atom) -> Throw {
        self.throw_struct(functors::REPRESENTATION_ERROR, &[Cell::atom(limit)])
    }

    /// Returns `evaluation_error(what)`.
    pub(crate) fn evaluation_error(&mut self, what: Atom) -> Throw {
        self.throw_struct(functors::EVALUATION_ERROR, &[Cell::atom(what)])
    }

    /// Returns `resource_error(resource)`.
    pub(crate) fn resource_error(&mut self, resource: impl Word) -> Throw {
        self.throw_about(functors::RESOURCE_ERROR, resource, Cell::ABSENT)
    }

    /// Returns the exception for lack of room for a clause or a formula, or the exception that stops the query.
    pub(crate) fn no_room(&mut self) -> Throw {
        if self.store.events.stop_wanted() {
            return Stop.into();
        }
        self.resource_error(atoms::MEMORY)
    }

    /// Returns `syntax_error(what)`, with a sentence for the user.
    pub(crate) fn syntax_error(&mut self, what: &str, message: &str) -> Throw {
        let Ok(what) = self.world.symbols.intern_passing(what) else {
            return Stop.into();
        };
        let what = Cell::atom(what);
        let formal = self.store.new_struct(functors::SYNTAX_ERROR, &[what]);
        self.throw_message(formal, Some(message))
    }

    /// Returns `system_error(what)`.
    pub(crate) fn system_error(&mut self, what: &str) -> Throw {
        match self.world.symbols.intern_passing(what) {
            Ok(what) => self.throw_struct(functors::SYSTEM_ERROR, &[Cell::atom(what)]),
            Err(stop) => stop.into(),
        }
    }

    /// Returns the indicator `name/arity` as a term.
    pub(crate) fn indicator(&mut self, functor: Functor) -> Cell {
        let name = Cell::atom(self.world.symbols.name(functor));
        let arity = Cell::int(functor.arity() as i64);
        self.store.new_struct(functors::SLASH, &[name, arity])
    }
}
