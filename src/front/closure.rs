//! Compilation of assumed clauses. Each becomes a predicate with additional arguments: the variables
//! of the surrounding clause that occur in it. An assumption thus needs to store only these variables
//! (Banbara and Tamura, "Translating a linear logic programming language into Java", 1999).

use super::formula::{AssumedClause, FormulaError, clauses_of};
use super::lower::{Dialect, LowerError, Lowering};
use crate::base::atom_table::{Atom, FastMap, atoms, functors};
use crate::base::growth::{Grow, GrowMap, GrowTable, with_room};
use crate::base::stop::Stop;
use crate::ir::clause::{Goal, Term, TermId};
use crate::store::body::CYCLE_CHECK;
use crate::store::cell::Cell;
use crate::store::heap::{Store, View};

/// An assumed clause to be compiled after the surrounding clause.
#[derive(Debug)]
pub(crate) struct Closure {
    /// The formula as it is in the surrounding clause.
    pub(crate) formula: Cell,
    /// The module of the formula.
    pub(crate) module: Atom,
    /// The predicate of the assumed clause.
    pub(crate) predicate: u32,
}

/// Returns the variables of a formula that no quantifier in it binds, in order of first occurrence.
/// Returns `None` if the formula is so large that it may be cyclic.
pub(crate) fn free_variables(store: &Store, formula: Cell) -> Result<Option<Vec<Cell>>, Stop> {
    let mut found = Vec::new();
    // The variables found, and for each the number of surrounding quantifiers that bind it.
    let mut known: FastMap<u64, ()> = FastMap::default();
    let mut bound: FastMap<u64, usize> = FastMap::default();
    // The parts still to visit. A variable with `true` ends the scope of the innermost quantifier that
    // binds it.
    let mut todo: Vec<(Cell, bool)> = vec![(formula, false)];
    let mut parts = 0;
    while let Some((part, ends)) = todo.pop() {
        parts += 1;
        if parts > CYCLE_CHECK {
            return Ok(None);
        }
        match store.view(part) {
            View::Var(var) if ends => {
                if let Some(count) = bound.get_mut(&var.word()) {
                    *count -= 1;
                }
            }
            View::Var(var) => {
                let is_bound = bound.get(&var.word()).is_some_and(|&count| count > 0);
                known.make_room()?;
                if !is_bound && known.put_entry(var.word(), ())?.is_none() {
                    found.put(var)?;
                }
            }
            View::Struct(functors::LAMBDA, args)
                if matches!(store.view(store.arg(args, 0)), View::Var(_)) =>
            {
                let name = store.arg(args, 0);
                *bound.entry(name.word()).or_default() += 1;
                todo.put((name, true))?;
                todo.put((store.arg(args, 1), false))?;
            }
            _ => {
                if let Some((functor, args)) = store.compound(part) {
                    let parts = (0..functor.arity()).rev();
                    todo.put_all(parts.map(|index| (store.arg(args, index), false)))?;
                }
            }
        }
    }
    Ok(Some(found))
}

impl Lowering<'_> {
    /// Returns the goal that assumes a formula as its own predicate, if the formula stands for one
    /// clause.
    pub(super) fn closure(
        &mut self,
        formula: Cell,
        linear: bool,
        module: Atom,
    ) -> Result<Option<Goal>, LowerError> {
        let top = self.store.heap_top;
        let found = match clauses_of(self.store, formula) {
            Err(FormulaError::Cyclic(culprit)) => return Err(LowerError::Cyclic(culprit)),
            Err(FormulaError::Memory) => return Err(LowerError::Memory),
            found => found.ok(),
        };
        let Some([clause]) = found.as_deref() else {
            self.store.heap_top = top;
            return Ok(None);
        };
        let goal = self.closure_of(formula, clause, linear, module);
        // The terms built for the formula are discarded and will be built again.
        self.store.heap_top = top;
        goal
    }

    fn closure_of(
        &mut self,
        formula: Cell,
        clause: &AssumedClause,
        linear: bool,
        module: Atom,
    ) -> Result<Option<Goal>, LowerError> {
        let (head, home) = self.strip(clause.head, module)?;
        let functor = match self.store.view(head) {
            View::Atom(name) => self.symbols.functor_passing(name, 0)?,
            View::Struct(functor, _) => functor,
            _ => return Ok(None),
        };
        let name = self.symbols.name(functor);
        let lolli = self.resolver.dialect(home) == Dialect::Lolli;
        if name == atoms::APPLICATION || (lolli && self.resolver.special(name)) {
            return Ok(None);
        }
        let Some(free) = free_variables(self.store, formula)? else {
            return Ok(None);
        };
        let (name, arity) = (self.symbols.text(name).to_owned(), functor.arity());
        let Some(predicate) = self
            .resolver
            .closure(self.symbols, &name, arity, free.len())?
        else {
            return Ok(None);
        };
        let Some(slot) = self.resolver.assumable(home, functor)? else {
            return Ok(None);
        };
        let first = match self.store.compound(head) {
            None => None,
            Some((_, args)) => Some(self.store.arg(args, 0)),
        };
        let first = match first {
            Some(first) if first.is_simple() && !first.is_forward() => {
                self.push(Term::Constant(first), Cell::ABSENT)?
            }
            Some(first) if free.contains(&first) => self.term(first)?,
            Some(_) => self.new_variable()?,
            None => self.push(Term::Constant(Cell::int(0)), Cell::ABSENT)?,
        };
        let mut captured = with_room(free.len())?;
        for &variable in &free {
            captured.put(self.term(variable)?)?;
        }
        let captured = self.term_of(&captured)?;
        self.closures.put(Closure {
            formula,
            module,
            predicate,
        })?;
        let manner = self.manner(linear, home)?;
        let slot = self.push(Term::Constant(Cell::int(i64::from(slot))), Cell::ABSENT)?;
        let predicate = Cell::int(i64::from(predicate));
        let predicate = self.push(Term::Constant(predicate), Cell::ABSENT)?;
        let args = [slot, manner, predicate, first, captured];
        Ok(Some(self.system_builtin("$assume_closure", &args)?))
    }

    /// Builds `$vars(Term, …)`, or `$vars` if there are no terms.
    pub(super) fn term_of(&mut self, terms: &[TermId]) -> Result<TermId, Stop> {
        if terms.is_empty() {
            return self.push(Term::Constant(Cell::atom(atoms::VARS)), Cell::ABSENT);
        }
        let functor = self.symbols.functor(atoms::VARS, terms.len())?;
        let first = self.arg_list(terms)?.first;
        self.push(Term::Struct { functor, first }, Cell::ABSENT)
    }
}
