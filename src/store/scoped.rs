//! Unification for Lolli: with occurs check, with the scopes of eigenvariables, and of applications
//! whose function is a variable.
//!
//! An eigenvariable, the constant that a universal quantifier makes, is `$eigen(Name, Number)`;
//! numbers grow with age. A variable may stand for a term with those eigenvariables only that were
//! there when it was made: addresses order by age, so a search among the eigenvariables tells. What
//! an older variable is bound to takes over its limit: younger variables in it become variables with
//! the attribute `$scope`, the greatest number that they may hold (Miller, "Unification under a mixed
//! prefix", Journal of Symbolic Computation 14, 1992: raising).
//!
//! An application `X a b` whose function is no name is `$app(X, a, b)`, and is the same term as
//! `f(a, b)` once X is f.

use super::cell::{Addr, Cell, WORD, tag};
use super::heap::{OutOfMemory, Store, View, deref};
use super::raw;
use super::walk::Visited;
use crate::base::symbol::{Symbols, atoms, functors};

/// Why two terms could not be unified, other than that they differ.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum ScopedError {
    /// Both are abstractions: the culprits.
    Abstractions(Cell, Cell),
    /// There is no room.
    Memory,
}

impl From<OutOfMemory> for ScopedError {
    fn from(_: OutOfMemory) -> ScopedError {
        ScopedError::Memory
    }
}

/// An eigenvariable: where it lies, and its number.
pub(crate) type Eigenvariable = (Addr, i64);

impl Store {
    /// Makes the eigenvariable `number`, greater than all before, for a quantifier over `name`.
    pub(crate) fn new_eigenvariable(&mut self, name: Cell, number: i64) -> Cell {
        self.forget_eigenvariables();
        let made = self.new_struct(functors::EIGENVARIABLE, &[name, Cell::int(number)]);
        self.eigenvariables.push((made.addr(), number));
        made
    }

    /// Forgets eigenvariables that backtracking has taken back.
    fn forget_eigenvariables(&mut self) {
        while let Some(&(addr, number)) = self.eigenvariables.last() {
            let there = addr < self.heap_top
                && raw::cell(addr) == Cell::functor(functors::EIGENVARIABLE)
                && raw::cell(addr + 2 * WORD) == Cell::int(number);
            if there {
                return;
            }
            self.eigenvariables.pop();
        }
    }

    /// The greatest number among the eigenvariables that a variable may hold.
    fn scope_of(&self, var: Cell) -> i64 {
        let older = self
            .eigenvariables
            .partition_point(|&(addr, _)| addr < var.addr());
        let by_age = match older {
            0 => 0,
            count => self.eigenvariables[count - 1].1,
        };
        match self.scope_attribute(var) {
            Some(limit) => limit.min(by_age),
            None => by_age,
        }
    }

    fn scope_attribute(&self, var: Cell) -> Option<i64> {
        if var.tag() != tag::ATT {
            return None;
        }
        let mut rest = raw::cell(var.addr() + WORD);
        while let View::Struct(functors::ATT, args) = self.view(rest) {
            if self.arg(args, 0) == Cell::atom(atoms::SCOPE) {
                return Some(self.arg(args, 1).int_value());
            }
            rest = raw::cell(args + 2 * WORD);
        }
        None
    }

    /// A variable that may hold eigenvariables up to this number only.
    fn new_scoped_var(&mut self, limit: i64) -> Result<Cell, OutOfMemory> {
        self.reserve(6)?;
        let attribute = self.new_struct(
            functors::ATT,
            &[
                Cell::atom(atoms::SCOPE),
                Cell::int(limit),
                Cell::atom(atoms::NIL),
            ],
        );
        let addr = self.allocate(2);
        raw::set_cell(addr, Cell::attributed(addr));
        raw::set_cell(addr + WORD, attribute);
        Ok(Cell::attributed(addr))
    }

    /// Unifies two terms; nothing is bound to what holds it, and nothing to eigenvariables younger
    /// than itself.
    ///
    /// # Errors
    /// See [`ScopedError`].
    pub(crate) fn unify_scoped(
        &mut self,
        symbols: &mut Symbols,
        a: Cell,
        b: Cell,
    ) -> Result<bool, ScopedError> {
        self.forget_eigenvariables();
        let mut todo = Vec::new();
        let mut visited = Visited::new();
        let mut next = Some((a, b));
        while let Some((a, b)) = next {
            let (a, b) = (deref(a), deref(b));
            if !self.unify_pair(symbols, a, b, &mut todo, &mut visited)? {
                return Ok(false);
            }
            next = todo.pop();
        }
        Ok(true)
    }

    fn unify_pair(
        &mut self,
        symbols: &mut Symbols,
        a: Cell,
        b: Cell,
        todo: &mut Vec<(Cell, Cell)>,
        visited: &mut Visited,
    ) -> Result<bool, ScopedError> {
        if a == b {
            return Ok(true);
        }
        if a.is_var() {
            return self.bind_scoped(a, b);
        }
        if b.is_var() {
            return self.bind_scoped(b, a);
        }
        if a.is_compound() || b.is_compound() {
            return self.unify_applied(symbols, (a, b), todo, visited);
        }
        Ok(self.unify(a, b))
    }

    /// Unifies two terms of which one at least is a compound.
    fn unify_applied(
        &mut self,
        symbols: &mut Symbols,
        (a, b): (Cell, Cell),
        todo: &mut Vec<(Cell, Cell)>,
        visited: &mut Visited,
    ) -> Result<bool, ScopedError> {
        let (left, right) = (self.compound(a), self.compound(b));
        if let (Some((f, args)), Some((g, others))) = (left, right)
            && f == g
        {
            if f == functors::LAMBDA {
                return Err(ScopedError::Abstractions(a, b));
            }
            if !visited.again(a.0, b.0) {
                for index in (0..f.arity() as u64).rev() {
                    let at = |args: Addr| raw::cell(args + index * WORD);
                    todo.push((at(args), at(others)));
                }
            }
            return Ok(true);
        }
        let applies = |store: &Store, cell| store.is_application(symbols, cell);
        if !applies(self, a) && !applies(self, b) {
            return Ok(false);
        }
        let (mut f, mut args) = self.spine(symbols, a);
        let (mut g, mut others) = self.spine(symbols, b);
        if args.len() > others.len() {
            std::mem::swap(&mut f, &mut g);
            std::mem::swap(&mut args, &mut others);
        }
        let rest = others.len() - args.len();
        if rest > 0 && !f.is_var() {
            // A name with fewer arguments.
            return Ok(false);
        }
        for index in (0..args.len()).rev() {
            todo.push((args[index], others[rest + index]));
        }
        let applied = self.apply(symbols, g, &others[..rest])?;
        todo.push((f, applied));
        Ok(true)
    }

    /// Is it an application whose function is no name in itself?
    pub(crate) fn is_application(&self, symbols: &Symbols, cell: Cell) -> bool {
        match self.view(cell) {
            View::Struct(functor, _) => symbols.name(functor) == atoms::APPLICATION,
            _ => false,
        }
    }

    /// A term as a function and its arguments: the function is a name, a variable, or something else
    /// that is no application.
    pub(crate) fn spine(&self, symbols: &Symbols, cell: Cell) -> (Cell, Vec<Cell>) {
        let mut parts: Vec<Vec<Cell>> = Vec::new();
        let mut cell = deref(cell);
        let function = loop {
            let Some((functor, args)) = self.compound(cell) else {
                break cell;
            };
            let arguments = (0..functor.arity()).map(|index| self.arg(args, index));
            match symbols.name(functor) {
                atoms::APPLICATION => {
                    parts.push(arguments.skip(1).collect());
                    cell = self.arg(args, 0);
                }
                atoms::EIGEN | atoms::BOUND => break cell,
                name => {
                    parts.push(arguments.collect());
                    break Cell::atom(name);
                }
            }
        };
        (function, parts.into_iter().rev().flatten().collect())
    }

    /// A function applied to arguments.
    ///
    /// # Errors
    /// There is no room.
    pub(crate) fn apply(
        &mut self,
        symbols: &mut Symbols,
        function: Cell,
        args: &[Cell],
    ) -> Result<Cell, OutOfMemory> {
        if args.is_empty() {
            return Ok(function);
        }
        self.reserve(args.len() + 2)?;
        match self.view(function) {
            View::Atom(name) => {
                let functor = symbols.functor(name, args.len());
                Ok(self.new_struct(functor, args))
            }
            _ => {
                let functor = symbols.functor(atoms::APPLICATION, args.len() + 1);
                let mut all = vec![function];
                all.extend_from_slice(args);
                Ok(self.new_struct(functor, &all))
            }
        }
    }

    /// The term with its function in place, if it is an application whose function is known by now.
    ///
    /// # Errors
    /// There is no room.
    pub(crate) fn applied(
        &mut self,
        symbols: &mut Symbols,
        cell: Cell,
    ) -> Result<Cell, OutOfMemory> {
        if !self.is_application(symbols, cell) {
            return Ok(cell);
        }
        let (function, args) = self.spine(symbols, cell);
        self.apply(symbols, function, &args)
    }

    /// Binds a variable to a dereferenced term other than itself, if it may hold that.
    fn bind_scoped(&mut self, var: Cell, value: Cell) -> Result<bool, ScopedError> {
        if value.is_var() {
            if self.eigenvariables.is_empty() || (var.tag() == tag::REF && value.tag() == tag::REF)
            {
                // Of two plain variables the older stays, which may hold less.
                self.bind(var, value);
                return Ok(true);
            }
            let (a, b) = (self.scope_of(var), self.scope_of(value));
            let (keeps, goes) = if a <= b { (var, value) } else { (value, var) };
            if keeps.tag() == tag::REF && goes.tag() == tag::ATT {
                let limited = self.new_scoped_var(a.min(b))?;
                self.bind(keeps, limited);
                self.bind(goes, limited);
            } else {
                self.bind(goes, keeps);
            }
            return Ok(true);
        }
        if !value.is_compound() {
            self.bind(var, value);
            return Ok(true);
        }
        let limit = if self.eigenvariables.is_empty() {
            i64::MAX
        } else {
            self.scope_of(var)
        };
        let mut raised = Vec::new();
        if !self.may_hold(var, value, limit, &mut raised) {
            return Ok(false);
        }
        for inner in raised {
            let inner = deref(inner);
            if inner.is_var() && self.scope_of(inner) > limit {
                let limited = self.new_scoped_var(limit)?;
                self.bind(inner, limited);
            }
        }
        self.bind(var, value);
        Ok(true)
    }

    /// Whether `value` holds neither `var` nor an eigenvariable above `limit`; variables in it that
    /// may hold more are added to `raised`.
    fn may_hold(&self, var: Cell, value: Cell, limit: i64, raised: &mut Vec<Cell>) -> bool {
        let newest = self.eigenvariables.last().map_or(0, |&(_, number)| number);
        let mut visited = Visited::new();
        let mut todo = vec![value];
        while let Some(cell) = todo.pop() {
            let cell = deref(cell);
            if cell.is_var() {
                if cell.addr() == var.addr() {
                    return false;
                }
                if limit < newest && self.scope_of(cell) > limit {
                    raised.push(cell);
                }
                continue;
            }
            if !cell.is_compound() || !self.on_heap(cell.addr()) {
                continue;
            }
            let Some((functor, args)) = self.compound(cell) else {
                continue;
            };
            if functor == functors::EIGENVARIABLE {
                if self.arg(args, 1).int_value() > limit {
                    return false;
                }
                continue;
            }
            if visited.again(cell.0, 0) {
                continue;
            }
            for index in (0..functor.arity() as u64).rev() {
                todo.push(raw::cell(args + index * WORD));
            }
        }
        true
    }

    /// Whether an eigenvariable occurs in a term.
    pub(crate) fn holds_eigenvariable(&self, term: Cell, eigenvariable: Cell) -> bool {
        let Some((_, parts)) = self.compound(eigenvariable) else {
            return false;
        };
        let number = self.arg(parts, 1);
        let mut visited = Visited::new();
        let mut todo = vec![term];
        while let Some(cell) = todo.pop() {
            let cell = deref(cell);
            if !cell.is_compound() || !self.on_heap(cell.addr()) {
                continue;
            }
            let Some((functor, args)) = self.compound(cell) else {
                continue;
            };
            if functor == functors::EIGENVARIABLE && self.arg(args, 1) == number {
                return true;
            }
            if !visited.again(cell.0, 0) {
                todo.extend(
                    (0..functor.arity() as u64).map(|index| raw::cell(args + index * WORD)),
                );
            }
        }
        false
    }

    /// Whether a variable limited to eigenvariables up to `limit` may have become `value`; limits the
    /// variables in it.
    ///
    /// # Errors
    /// There is no room.
    pub(crate) fn keep_scope(&mut self, limit: i64, value: Cell) -> Result<bool, OutOfMemory> {
        let mut raised = Vec::new();
        let nowhere = Cell::reference(0);
        if !self.may_hold(nowhere, value, limit, &mut raised) {
            return Ok(false);
        }
        for inner in raised {
            let inner = deref(inner);
            if inner.is_var() && self.scope_of(inner) > limit {
                let limited = self.new_scoped_var(limit)?;
                self.bind(inner, limited);
            }
        }
        Ok(true)
    }
}
