//! Goals of linear logic, compiled in place: they assume, hide or share assumptions.
//!
//! Source: Hodas and Miller, "Logic Programming in a Fragment of Intuitionistic Linear Logic", Information and
//! Computation 110 (1994).

use super::formula::{bind, binder};
use super::lower::{Dialect, LowerError, Lowering, Target, Wrap};
use crate::base::atom_table::{Atom, Functor, atoms, functors};
use crate::base::growth::{Gather, Grow};
use crate::base::stop::Stop;
use crate::ir::clause::{Args, Goal, Scope, ScopeKind, Term, TermId, VarId};
use crate::ir::manner::Manner;
use crate::store::address::HeapAddr;
use crate::store::cell::Cell;
use crate::store::heap::{Store, View};
use crate::store::raw;

/// Returns whether the functor is that of a connective, if the module imports it from the library of connectives.
pub(crate) fn is_connective(functor: Functor) -> bool {
    matches!(
        functor,
        functors::LOLLIPOP
            | functors::LOLLIPOP_PROLOG
            | functors::LOLLIPOP_SIGN
            | functors::IMPLIES
            | functors::WITH
            | functors::CURLY1
            | functors::FORALL1
            | functors::EXISTS1
            | functors::GUARD3
            | functors::MODULE_GOAL
    )
}

/// Returns the place of the variable of an abstraction. The variable may carry a mark.
fn place_of(store: &Store, abstraction: Cell) -> HeapAddr {
    let Some((_, mut place)) = store.compound(abstraction) else {
        unreachable!("an abstraction is a compound")
    };
    loop {
        let cell = raw::cell(place);
        if !cell.is_var() || cell.addr() == place {
            return place;
        }
        place = cell.addr();
    }
}

impl Lowering<'_> {
    /// Lowers a goal whose functor is a connective.
    pub(super) fn linear(
        &mut self,
        functor: Functor,
        args: HeapAddr,
        module: Atom,
        depth: usize,
    ) -> Result<Goal, LowerError> {
        let arg = |lowering: &Self, index| lowering.store.arg(args, index);
        match functor {
            functors::CURLY1 => {
                let kept = self.new_variables(2)?;
                let goal = self.inner(arg(self, 0), module, depth)?;
                Ok(self.scope(ScopeKind::Bang, kept, Vec::new(), goal)?)
            }
            functors::WITH => {
                let (state, middle) = (self.new_variable()?, self.new_variable()?);
                let begin = self.system_builtin("$begin_with", &[state])?;
                let left = self.inner(arg(self, 0), module, depth)?;
                let half = self.system_builtin("$middle_with", &[state, middle])?;
                let right = self.inner(arg(self, 1), module, depth)?;
                let end = self.system_builtin("$end_with", &[state, middle])?;
                let goals = vec![begin, left, half, right, end];
                Ok(Goal::And(goals))
            }
            functors::GUARD3 => {
                let condition = self.inner(arg(self, 0), module, depth)?;
                let then = self.inner(arg(self, 1), module, depth)?;
                let other = self.inner(arg(self, 2), module, depth)?;
                Ok(super::alternatives::conditional(condition, then, other)?)
            }
            functors::FORALL1 | functors::EXISTS1 => self.quantified(functor, args, module, depth),
            functors::MODULE_GOAL => {
                let kept = self.new_variables(1)?;
                let name = self.term(arg(self, 0))?;
                let (start, locals) = (self.clause.terms.len(), self.locals.len());
                let goal = self.inner(arg(self, 1), module, depth)?;
                // Variables must exist before the local names of the module.
                let outer = self.variables_since(start, locals)?;
                let enter = vec![
                    self.system_builtin("$existing", &[outer])?,
                    self.system_builtin("$enter_module", &[name])?,
                ];
                Ok(self.scope(ScopeKind::Assumptions, kept, enter, goal)?)
            }
            _ => {
                let linear = functor != functors::IMPLIES;
                let kept = self.new_variables(1)?;
                let assume = self.assumption(arg(self, 0), linear, module)?;
                let goal = self.inner(arg(self, 1), module, depth)?;
                Ok(self.scope(ScopeKind::Assumptions, kept, assume, goal)?)
            }
        }
    }

    /// Lowers a goal inside a connective. It is a body if the connective is part of a body. Inside a called term,
    /// the connective is a predicate that calls its arguments.
    fn inner(&mut self, goal: Cell, module: Atom, depth: usize) -> Result<Goal, LowerError> {
        if !self.within_called {
            return self.body(goal, module, depth);
        }
        let goal = self.called(goal, module, depth)?;
        Ok(Goal::Opaque(Box::new(goal)))
    }

    fn scope(
        &mut self,
        kind: ScopeKind,
        kept: Args,
        assume: Vec<Goal>,
        goal: Goal,
    ) -> Result<Goal, Stop> {
        let end = match kind {
            ScopeKind::Assumptions => "$end_scope",
            ScopeKind::Bang => "$end_bang",
        };
        let Goal::Builtin(end, ..) = self.system_builtin(end, &[])? else {
            unreachable!("scopes end by builtins of the system")
        };
        Ok(Goal::Scope(Box::new(Scope {
            kind,
            kept,
            assume,
            goal,
            end,
        })))
    }

    pub(super) fn new_variable(&mut self) -> Result<TermId, Stop> {
        let var = self.clause.var_count;
        self.clause.var_count += 1;
        self.locals.put(var)?;
        self.push(Term::Var(var), Cell::ABSENT)
    }

    fn new_variables(&mut self, count: usize) -> Result<Args, Stop> {
        let terms = (0..count).map(|_| self.new_variable());
        let terms = terms.try_gather()?;
        self.arg_list(&terms)
    }

    /// Returns a call of a builtin of the system with these arguments. `terms` is empty if only the number of the
    /// builtin is needed.
    pub(super) fn system_builtin(&mut self, name: &str, terms: &[TermId]) -> Result<Goal, Stop> {
        let arity = match name {
            "$end_bang" => 2,
            "$end_scope" => 1,
            _ => terms.len(),
        };
        let args = self.arg_list(terms)?;
        let number = self.numbers.present;
        if let Some(builtin) = self.resolver.internal(name, arity) {
            return Ok(Goal::Builtin(builtin, args, number));
        }
        let name = self.symbols.intern(name)?;
        let functor = self.symbols.functor(name, arity)?;
        match self.resolver.resolve(atoms::SYSTEM, functor)? {
            Target::Builtin(builtin) => Ok(Goal::Builtin(builtin, args, number)),
            Target::Predicate(predicate) => Ok(Goal::Call(predicate, args, number)),
        }
    }

    /// Lowers `forall X\ G` and `exists X\ G`.
    fn quantified(
        &mut self,
        functor: Functor,
        args: HeapAddr,
        module: Atom,
        depth: usize,
    ) -> Result<Goal, LowerError> {
        let quantified = self.store.arg(args, 0);
        let Some((name, body)) = binder(self.store, quantified) else {
            return Err(LowerError::Body(quantified));
        };
        let universal = functor == functors::FORALL1;
        let label = match self.store.view(name) {
            View::Atom(_) => name,
            _ => Cell::atom(atoms::FORALL),
        };
        let label = self.push(Term::Constant(label), Cell::ABSENT)?;
        let locals = self.locals.len();
        let eigenvariable = self.new_variable()?;
        let start = self.clause.terms.len();
        let goal = match self.store.view(name) {
            View::Atom(_) => {
                self.store.reserve(1).map_err(|_| LowerError::Memory)?;
                let variable = self.store.new_var();
                self.mark(variable.addr(), eigenvariable)?;
                let bound = bind(self.store, &[name], body, &[variable]);
                let bound = bound.map_err(|_| LowerError::Memory)?;
                if bound == body && self.resolver.dialect(module) == Dialect::Prolog {
                    // Quantifiers in Prolog text bind variables only.
                    return Err(LowerError::Body(quantified));
                }
                self.numbered(bound, |lowering| lowering.inner(bound, module, depth))?
            }
            _ => {
                // Inside the body, the variable is that of this quantifier. Elsewhere it is unchanged.
                let place = place_of(self.store, quantified);
                let before = raw::cell(place);
                self.mark(place, eigenvariable)?;
                let goal = self.numbered(body, |lowering| lowering.inner(body, module, depth));
                raw::set_cell(place, before);
                goal?
            }
        };
        if !universal {
            return Ok(goal);
        }
        // Variables from outside must exist before the constant: a variable may only hold constants older than
        // itself.
        let outer = self.variables_since(start, locals)?;
        let fresh = self.system_builtin("$eigenvariable", &[label, eigenvariable, outer])?;
        if self.resolver.scoped(module) {
            return Ok(Goal::And(vec![fresh, goal]));
        }
        // These clauses unify without checking scopes, so the goal checks that the constant has not escaped.
        let free = self.system_builtin("$eigenvariable_free", &[eigenvariable, outer])?;
        Ok(Goal::And(vec![fresh, goal, free]))
    }

    /// Marks the variable at `place` as the given term.
    fn mark(&mut self, place: HeapAddr, term: TermId) -> Result<(), Stop> {
        if let Term::Var(var) = self.clause.term(term) {
            self.marks.mark(place, Cell::forward(u64::from(var)))?;
        }
        Ok(())
    }

    /// Returns a term with the variables that occur since term `start`, without the locals since number `locals`.
    fn variables_since(&mut self, start: usize, locals: usize) -> Result<TermId, Stop> {
        let mut found: Vec<VarId> = Vec::new();
        for &term in &self.clause.terms[start..] {
            if let Term::Var(var) = term
                && !self.locals[locals..].contains(&var)
            {
                found.put(var)?;
            }
        }
        found.sort_unstable();
        found.dedup();
        let terms = found
            .iter()
            .map(|&var| self.push(Term::Var(var), Cell::ABSENT));
        let terms = terms.try_gather()?;
        self.term_of(&terms)
    }

    /// Returns the goals that assume `formula`, the last assumption first.
    fn assumption(
        &mut self,
        formula: Cell,
        linear: bool,
        module: Atom,
    ) -> Result<Vec<Goal>, LowerError> {
        // A formula that a library receives without a module belongs to the user's module.
        let module = match self.resolver.wrap(module) {
            Wrap::Known => atoms::USER,
            _ => module,
        };
        let mut goals = Vec::new();
        let mut todo = vec![formula];
        while let Some(part) = todo.pop() {
            self.goals += 1;
            self.check_size()?;
            let (part, home) = self.strip(part, module)?;
            if let View::Struct(functors::COMMA, args) = self.store.view(part)
                && linear
            {
                todo.put(self.store.arg(args, 0))?;
                todo.put(self.store.arg(args, 1))?;
                continue;
            }
            let fact = self.fact_slot(part, home)?;
            if fact.is_none()
                && let Some(goal) = self.closure(part, linear, home)?
            {
                goals.put(goal)?;
                continue;
            }
            let (kind, term) = (self.manner(linear, home)?, self.term(part)?);
            goals.put(match fact {
                Some(slot) => {
                    let slot = Cell::int(i64::from(slot));
                    let slot = self.push(Term::Constant(slot), Cell::ABSENT)?;
                    self.system_builtin("$assume_fact", &[slot, kind, term])?
                }
                None => {
                    let home = self.push(Term::Constant(Cell::atom(home)), Cell::ABSENT)?;
                    self.system_builtin("$assume", &[kind, home, term])?
                }
            })?;
        }
        Ok(goals)
    }

    /// Returns the number of the manner in which a clause assumes a formula of the module `home`.
    pub(super) fn manner(&mut self, linear: bool, home: Atom) -> Result<TermId, Stop> {
        let own = self.head.is_some_and(|(module, _)| module == home);
        let number = Cell::int(Manner { linear, own }.number());
        self.push(Term::Constant(number), Cell::ABSENT)
    }

    /// Returns the slot of the predicate of a formula, if the formula is a plain fact.
    fn fact_slot(&mut self, formula: Cell, module: Atom) -> Result<Option<u32>, Stop> {
        let functor = match self.store.view(formula) {
            View::Atom(name) if !matches!(name, atoms::TRUE | atoms::ERASE) => {
                self.symbols.functor_passing(name, 0)?
            }
            View::Struct(functor, _) if !super::formula::is_formula(functor) => functor,
            _ => return Ok(None),
        };
        if self.resolver.dialect(module) == Dialect::Lolli {
            let name = self.symbols.name(functor);
            if matches!(name, atoms::APPLICATION | atoms::EIGEN) || self.resolver.special(name) {
                return Ok(None);
            }
        }
        self.resolver.assumable(module, functor)
    }
}
