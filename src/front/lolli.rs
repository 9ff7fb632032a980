//! Goals of Lolli. Only the connectives are compiled in place. All other goals call predicates of
//! the module that all Lolli texts share.

use super::alternatives::Chain;
use super::linear::is_connective;
use super::lower::{Dialect, LITERAL_WORDS, LowerError, Lowering, MAX_DEPTH, Target};
use crate::base::atom_table::{Atom, Functor, atoms, functors};
use crate::ir::clause::{Goal, NumCompare, Relation};
use crate::store::address::HeapAddr;
use crate::store::cell::Cell;
use crate::store::heap::View;

impl Lowering<'_> {
    /// Lowers a goal that is not a variable, in a module of the Lolli dialect.
    pub(super) fn lolli_goal(
        &mut self,
        goal: Cell,
        module: Atom,
        depth: usize,
    ) -> Result<Goal, LowerError> {
        let (functor, args) = match self.store.view(goal) {
            View::Atom(atoms::TRUE) => return Ok(Goal::True),
            View::Atom(atoms::FAIL) => return Ok(Goal::Fail),
            View::Atom(atoms::ERASE) => return Ok(self.system_builtin("$erase_context", &[])?),
            View::Atom(name) => (self.symbols.functor_passing(name, 0)?, HeapAddr::NONE),
            View::List(args) => (functors::LIST, args),
            View::Struct(functor, args) => (functor, args),
            _ => return Err(LowerError::Body(goal)),
        };
        match functor {
            functors::SEMICOLON if depth > MAX_DEPTH => self.deep_body(goal, module),
            functors::SEMICOLON => self.disjunction(args, module, depth + 1),
            _ if let Some(goal) = self.arithmetic(functor, args, module)? => Ok(goal),
            functors::EQUAL => match self.simple(functor, args)? {
                Some(goal) => Ok(goal),
                None => self.plain(functor, args, module),
            },
            // `M:G` whose module is not known yet, or a head that is not an atom.
            functors::COLON => self.call_term(goal, module),
            _ if self.symbols.name(functor) == atoms::APPLICATION => self.call_term(goal, module),
            _ if depth <= MAX_DEPTH && is_connective(functor) => {
                self.linear(functor, args, module, depth + 1)
            }
            _ if self.is_hidden(functor, module) => self.call_term(goal, module),
            _ => self.plain(functor, args, module),
        }
    }

    /// Lowers a test, a comparison of numbers or an evaluation. The names are Lolli's own.
    fn arithmetic(
        &mut self,
        functor: Functor,
        args: HeapAddr,
        module: Atom,
    ) -> Result<Option<Goal>, LowerError> {
        let (name, number) = (self.symbols.name(functor), self.numbers.present);
        if functor.arity() == 1 && matches!(name, atoms::VAR | atoms::NONVAR) {
            return self.simple(functor, args);
        }
        let compare = NumCompare::of_comparison(functor);
        if compare.is_none() && functor != functors::IS {
            return Ok(None);
        }
        let Target::Builtin(builtin) = self.resolver.resolve(module, functor)? else {
            return Ok(None);
        };
        let args = self.args(args, 2)?;
        self.pool_args(args, 1, LITERAL_WORDS)?;
        Ok(Some(match compare {
            Some(compare) => {
                let (a, b) = (self.clause.arg(args, 0), self.clause.arg(args, 1));
                Goal::LolliCompare(compare, a, b, number)
            }
            None => Goal::Constraint(Relation::LolliIs, builtin, args, number),
        }))
    }

    /// Lowers `lolli:Goal` in Prolog text. Prolog sees its terms in the form of Prolog.
    pub(super) fn lolli_from_prolog(&mut self, goal: Cell) -> Result<Goal, LowerError> {
        let term = self.term(goal)?;
        let args = self.arg_list(&[term])?;
        let name = self.symbols.intern("from_prolog")?;
        let functor = self.symbols.functor(name, 1)?;
        let session = self.symbols.intern("lolli_session")?;
        let number = self.numbers.present;
        Ok(match self.resolver.resolve(session, functor)? {
            Target::Builtin(builtin) => Goal::Builtin(builtin, args, number),
            Target::Predicate(predicate) => Goal::Call(predicate, args, number),
        })
    }

    /// Lowers `;`. The right sides are handled in a loop.
    fn disjunction(
        &mut self,
        mut args: HeapAddr,
        mut module: Atom,
        depth: usize,
    ) -> Result<Goal, LowerError> {
        let mut chain = Chain::default();
        loop {
            let (left, right) = (self.store.arg(args, 0), self.store.arg(args, 1));
            let left = self.body(left, module, depth)?;
            chain.alternative(left)?;
            let rest;
            (rest, module) = self.strip(right, module)?;
            match self.store.view(rest) {
                View::Struct(functors::SEMICOLON, parts)
                    if self.resolver.dialect(module) == Dialect::Lolli =>
                {
                    self.numbers.pass();
                    args = parts;
                }
                _ => {
                    let other = self.body(rest, module, depth)?;
                    return Ok(chain.finish(other)?);
                }
            }
        }
    }
}
