//! Unification for Lolli: with occurs check, with the scopes of eigenvariables, and of applications whose function
//! is a variable.
//!
//! An eigenvariable is the constant that a universal quantifier makes. It is `$eigen(Name, Number)`; numbers grow
//! with age. A variable may be bound to a term only if all eigenvariables in the term existed when the variable was
//! made. Addresses are in order of age, so a search among the eigenvariables finds out. The limit of an older
//! variable passes to the variables in its value: younger ones get the attribute `$scope`, the greatest number that
//! they may hold (Miller, "Unification under a mixed prefix", Journal of Symbolic Computation 14, 1992: raising).
//!
//! An application `X a b` whose function is no name is `$app(X, a, b)`, and is the same term as `f(a, b)` once X is
//! f. Long because unification with scopes has each case of plain unification.
#![forbid(unsafe_code)]

use super::address::HeapAddr;
use super::cell::{Cell, WORD, tag};
use super::heap::{Store, View, deref};
use super::raw;
use super::walk::Visited;
use crate::base::atom_table::{Functor, Symbols, atoms, functors};
use crate::base::growth::{Gather, Grow, GrowBy, room_for_one};
use crate::base::stop::Stop;
use std::ops::RangeInclusive;

/// The reason why two terms could not be unified, other than a difference.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum ScopedError {
    /// Both terms are abstractions: the culprits.
    Abstractions(Cell, Cell),
    /// There is no room.
    Memory,
}

impl From<Stop> for ScopedError {
    fn from(_: Stop) -> ScopedError {
        ScopedError::Memory
    }
}

/// Greatest number of arguments, the function included, of an application whose functor is known here.
const KNOWN_APPLICATIONS: usize = 8;

/// The functors of these applications, which follow each other in the table of functors.
const APPLICATIONS: [Functor; KNOWN_APPLICATIONS - 1] = [
    functors::APPLICATION2,
    functors::APPLICATION3,
    functors::APPLICATION4,
    functors::APPLICATION5,
    functors::APPLICATION6,
    functors::APPLICATION7,
    functors::APPLICATION8,
];
const _: () = {
    let mut at = 0;
    while at < APPLICATIONS.len() {
        assert!(APPLICATIONS[at].index() == APPLICATIONS[0].index() + at);
        at += 1;
    }
};

/// Returns whether this is the functor of an application known here.
#[inline(always)]
fn applies(functor: Functor) -> bool {
    functor.index().wrapping_sub(APPLICATIONS[0].index()) < APPLICATIONS.len()
}

/// The continuation after a pair of terms.
enum Next {
    /// The terms do not unify.
    Differ,
    /// Nothing more for this pair; continue with the pending pairs.
    Done,
    /// Continue with this pair.
    Pair(Cell, Cell),
}

impl Store {
    /// Makes the eigenvariable `number`, greater than all before, for a quantifier over `name`.
    ///
    /// # Errors
    /// Returns an error if there is no room.
    pub(crate) fn new_eigenvariable(&mut self, name: Cell, number: i64) -> Result<Cell, Stop> {
        self.forget_eigenvariables();
        room_for_one(&mut self.eigenvariables)?;
        let made = self.new_struct(functors::EIGENVARIABLE, &[name, Cell::int(number)]);
        self.eigenvariables.put((made.addr(), number))?;
        Ok(made)
    }

    /// Returns whether there are eigenvariables of quantifiers that are still active.
    pub(crate) fn has_eigenvariables(&mut self) -> bool {
        if !self.eigenvariables.is_empty() {
            self.forget_eigenvariables();
        }
        !self.eigenvariables.is_empty()
    }

    /// Forgets eigenvariables that backtracking has removed.
    pub(crate) fn forget_eigenvariables(&mut self) {
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

    /// Notes the eigenvariables that a copy outside of the heap holds. Their age must be known as long as the copy
    /// may come back.
    #[inline]
    ///
    /// # Errors
    /// Returns an error if there is no room.
    pub(super) fn note_escaped(&mut self, copy: &[u64]) -> Result<(), Stop> {
        match self.eigenvariables.is_empty() {
            true => Ok(()),
            false => self.find_escaped(copy),
        }
    }

    #[cold]
    fn find_escaped(&mut self, copy: &[u64]) -> Result<(), Stop> {
        let functor = Cell::functor(functors::EIGENVARIABLE);
        for (place, &word) in copy.iter().enumerate() {
            if Cell(word) == functor
                && let Some(&number) = copy.get(place + 2)
                // A text may contain words that look the same.
                && Cell(number).is_int()
                && self.escaped.last() != Some(&Cell(number).int_value())
            {
                self.escaped.put(Cell(number).int_value())?;
            }
        }
        Ok(())
    }

    /// Returns the eigenvariables that copies outside of the heap hold. Others are forgotten once nothing on the
    /// heap holds them.
    ///
    /// # Errors
    /// Returns an error if there is no room.
    pub(crate) fn escaped_eigenvariables(&mut self) -> Result<Vec<Cell>, Stop> {
        self.escaped.sort_unstable();
        self.escaped.dedup();
        let known = &self.eigenvariables;
        let place = |number: i64| known.binary_search_by_key(&number, |&(_, known)| known);
        self.escaped.retain(|&number| place(number).is_ok());
        self.escaped
            .iter()
            .filter_map(|&number| Some(Cell::structure(known[place(number).ok()?].0)))
            .gather()
    }

    /// Begins a query. For the query the eigenvariables of earlier queries, the last of them with number `last`, are
    /// constants like others. It knows them from data that outlived those queries: clauses, global variables.
    pub(crate) fn settle_eigenvariables(&mut self, last: i64) {
        self.forget_eigenvariables();
        self.settled = match self.eigenvariables.first() {
            Some(&(_, number)) => number - 1,
            None => last,
        };
    }

    /// Replaces the eigenvariables in `ball` whose quantifiers the ball has left by plain constants. Only the part
    /// of `ball` above `top` is searched. These eigenvariables are younger than all that still exist; they were
    /// forgotten before the ball took their place on the heap.
    pub(crate) fn settle_ball(
        &mut self,
        symbols: &mut Symbols,
        ball: Cell,
        top: HeapAddr,
    ) -> Result<Cell, Stop> {
        let youngest = self.eigenvariables.last().map_or(0, |&(_, number)| number);
        let mut constant = |store: &Store, cell: Cell| -> Result<Option<Cell>, Stop> {
            Ok(match store.view(cell) {
                View::Struct(functors::EIGENVARIABLE, args) => {
                    match (
                        store.view(store.arg(args, 0)),
                        store.view(store.arg(args, 1)),
                    ) {
                        (View::Atom(name), View::Int(number)) if number > youngest => {
                            let name = format!("!{}{number}", symbols.text(name));
                            Some(Cell::atom(symbols.intern(&name)?))
                        }
                        _ => None,
                    }
                }
                _ => None,
            })
        };
        if let Some(constant) = constant(self, ball)? {
            return Ok(constant);
        }
        let mut visited = Visited::new();
        let mut todo = vec![ball];
        while let Some(cell) = todo.pop() {
            let cell = deref(cell);
            if !cell.is_compound() || cell.addr() < top {
                continue;
            }
            let Some((functor, args)) = self.compound(cell) else {
                continue;
            };
            let arity = functor.arity() as u64;
            if visited.again(cell.0, 0, arity, &self.events.watch)? {
                continue;
            }
            for index in 0..arity {
                let at = args + index * WORD;
                match constant(self, raw::cell(at))? {
                    Some(constant) => raw::set_cell(at, constant),
                    None => todo.put(raw::cell(at))?,
                }
            }
        }
        Ok(ball)
    }

    /// Returns the greatest number among the eigenvariables that are older than the cell at `place`.
    fn newest_before(&self, place: HeapAddr) -> i64 {
        let known = &self.eigenvariables;
        match known.partition_point(|&(addr, _)| addr < place) {
            0 => 0,
            count => known[count - 1].1,
        }
    }

    /// Returns the greatest number among the eigenvariables that a variable may hold.
    fn scope_of(&self, var: Cell) -> i64 {
        let by_age = self.newest_before(var.addr());
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

    /// Limits an unbound variable to eigenvariables up to this number. A plain variable becomes one with the
    /// attribute `$scope`; an attributed variable gets this attribute too.
    fn limit_scope(&mut self, var: Cell, limit: i64) -> Result<(), Stop> {
        self.reserve(6)?;
        let others = match var.tag() {
            tag::ATT => raw::cell(var.addr() + WORD),
            _ => Cell::atom(atoms::NIL),
        };
        let attribute = self.new_struct(
            functors::ATT,
            &[Cell::atom(atoms::SCOPE), Cell::int(limit), others],
        );
        if var.tag() == tag::ATT {
            // A limit that comes after it in the list is older and greater.
            self.assign(var.addr() + WORD, attribute)?;
            return Ok(());
        }
        let addr = self.allocate(2);
        raw::set_cell(addr, Cell::attributed(addr));
        raw::set_cell(addr + WORD, attribute);
        self.bind(var, Cell::attributed(addr))?;
        Ok(())
    }

    /// Unifies two terms. No variable is bound to a term that holds it, or to a term with eigenvariables younger
    /// than the variable.
    ///
    /// # Errors
    /// Returns a [`ScopedError`].
    pub(crate) fn unify_scoped(
        &mut self,
        symbols: &mut Symbols,
        a: Cell,
        b: Cell,
    ) -> Result<bool, ScopedError> {
        if !self.eigenvariables.is_empty() {
            self.forget_eigenvariables();
        }
        let mut todo = Vec::new();
        let mut visited = Visited::new();
        let mut next = Some((a, b));
        while let Some((a, b)) = next {
            let (a, b) = (deref(a), deref(b));
            next = match self.unify_pair(symbols, a, b, &mut todo, &mut visited)? {
                Next::Differ => return Ok(false),
                Next::Done => todo.pop(),
                Next::Pair(a, b) => Some((a, b)),
            };
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
    ) -> Result<Next, ScopedError> {
        match self.unify_at_once(a, b)? {
            Next::Pair(a, b) => self.unify_applied(symbols, (a, b), todo, visited),
            done => Ok(done),
        }
    }

    /// Unifies two dereferenced terms, unless neither is a variable and at least one is a compound.
    fn unify_at_once(&mut self, a: Cell, b: Cell) -> Result<Next, ScopedError> {
        let unified = if a == b {
            true
        } else if a.is_var() {
            self.bind_scoped(a, b)?
        } else if b.is_var() {
            self.bind_scoped(b, a)?
        } else if a.is_compound() || b.is_compound() {
            return Ok(Next::Pair(a, b));
        } else {
            self.unify(a, b)?
        };
        Ok(if unified { Next::Done } else { Next::Differ })
    }

    /// Unifies two terms, at least one of them a compound.
    fn unify_applied(
        &mut self,
        symbols: &mut Symbols,
        (a, b): (Cell, Cell),
        todo: &mut Vec<(Cell, Cell)>,
        visited: &mut Visited,
    ) -> Result<Next, ScopedError> {
        let (left, right) = (self.compound(a), self.compound(b));
        if let (Some((f, args)), Some((g, others))) = (left, right)
            && f == g
        {
            if f == functors::LAMBDA {
                return Err(ScopedError::Abstractions(a, b));
            }
            if visited.again_together(a.0, b.0, f.arity() as u64, &self.events.watch)? {
                return Ok(Next::Done);
            }
            return self.unify_arguments((args, others), f.arity() as u64, todo);
        }
        if !self.is_application(symbols, a) && !self.is_application(symbols, b) {
            return Ok(Next::Differ);
        }
        let (mut f, mut args) = self.spine(symbols, a)?;
        let (mut g, mut others) = self.spine(symbols, b)?;
        if args.len() > others.len() {
            std::mem::swap(&mut f, &mut g);
            std::mem::swap(&mut args, &mut others);
        }
        let rest = others.len() - args.len();
        if rest > 0 && !f.is_var() {
            // A name with fewer arguments.
            return Ok(Next::Differ);
        }
        for index in (0..args.len()).rev() {
            todo.put((args[index], others[rest + index]))?;
        }
        let applied = self.apply(symbols, g, &others[..rest])?;
        Ok(Next::Pair(f, applied))
    }

    /// Unifies the arguments of two compounds except inner compounds: the last of these comes next, the others
    /// later.
    fn unify_arguments(
        &mut self,
        (left, right): (HeapAddr, HeapAddr),
        count: u64,
        todo: &mut Vec<(Cell, Cell)>,
    ) -> Result<Next, ScopedError> {
        let mut next = Next::Done;
        for index in 0..count {
            let x = deref(raw::cell(left + index * WORD));
            let y = deref(raw::cell(right + index * WORD));
            match self.unify_at_once(x, y)? {
                Next::Differ => return Ok(Next::Differ),
                Next::Done => {}
                pair => {
                    if let Next::Pair(a, b) = std::mem::replace(&mut next, pair) {
                        todo.put((a, b))?;
                    }
                }
            }
        }
        Ok(next)
    }

    /// Returns whether the cell is an application whose function is no name in itself.
    #[inline]
    pub(crate) fn is_application(&self, symbols: &Symbols, cell: Cell) -> bool {
        match self.view(cell) {
            View::Struct(functor, _) if functor.arity() <= KNOWN_APPLICATIONS => applies(functor),
            View::Struct(functor, _) => symbols.name(functor) == atoms::APPLICATION,
            _ => false,
        }
    }

    /// Returns whether a dereferenced term may be an application whose function is no name in itself.
    #[inline(always)]
    pub(crate) fn may_be_application(&self, cell: Cell) -> bool {
        if cell.tag() != tag::STR {
            return false;
        }
        let functor = raw::cell(cell.addr()).as_functor();
        functor.arity() > KNOWN_APPLICATIONS || applies(functor)
    }

    /// Unifies two dereferenced terms if one of them is simple or both are plain variables. Also unifies flat terms
    /// while there are no eigenvariables. Returns `None` for other terms; a part of them may be unified then.
    #[inline(always)]
    pub(crate) fn unify_scoped_quickly(&mut self, a: Cell, b: Cell) -> Option<bool> {
        let unified = self.unify_plain(a, b);
        if unified.is_none() && self.eigenvariables.is_empty() {
            return self.unify_scoped_flat(a, b);
        }
        unified
    }

    /// Unifies two dereferenced terms if one of them is simple or both are plain variables.
    #[inline(always)]
    fn unify_plain(&mut self, a: Cell, b: Cell) -> Option<bool> {
        if a == b {
        } else if a.tag() == tag::REF && (b.is_simple() || b.tag() == tag::REF) {
            // Of two variables the older stays, because it may hold less.
            if b.tag() == tag::REF && b.0 > a.0 {
                self.bind_plain(b, a);
            } else {
                self.bind_plain(a, b);
            }
        } else if b.tag() == tag::REF && a.is_simple() {
            self.bind_plain(b, a);
        } else if a.is_simple() && b.is_simple() {
            return Some(false);
        } else {
            return None;
        }
        Some(true)
    }

    /// Unifies two dereferenced terms while there are no eigenvariables, if they are flat. Returns `None` for other
    /// terms; a part of them may be unified then.
    #[inline(always)]
    pub(crate) fn unify_scoped_flat(&mut self, a: Cell, b: Cell) -> Option<bool> {
        if a.tag() == tag::REF && b.tag() == tag::STR {
            return self.bind_flat(a, b);
        }
        if a.tag() != tag::STR {
            return None;
        }
        if b.tag() == tag::REF {
            return self.bind_flat(b, a);
        }
        if b.tag() != tag::STR {
            return None;
        }
        let functor = raw::cell(a.addr()).as_functor();
        let other = raw::cell(b.addr()).as_functor();
        let arity = functor.arity();
        if functor != other {
            let known = arity.max(other.arity()) <= KNOWN_APPLICATIONS;
            return (known && !applies(functor) && !applies(other)).then_some(false);
        }
        if functor == functors::LAMBDA {
            return None;
        }
        for index in 1..=arity as u64 {
            let x = deref(raw::cell(a.addr() + index * WORD));
            let y = deref(raw::cell(b.addr() + index * WORD));
            if !self.unify_plain(x, y)? {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Binds a variable to a structure whose arguments are constants and other variables.
    #[inline(always)]
    fn bind_flat(&mut self, var: Cell, structure: Cell) -> Option<bool> {
        let arity = raw::cell(structure.addr()).as_functor().arity() as u64;
        for index in 1..=arity {
            let arg = deref(raw::cell(structure.addr() + index * WORD));
            if arg == var || !(arg.is_simple() || arg.tag() == tag::REF) {
                return None;
            }
        }
        self.bind_plain(var, structure);
        Some(true)
    }

    /// Returns a term as a function and its arguments. The function is a name, a variable, or another term that is
    /// no application.
    pub(crate) fn spine(&self, symbols: &Symbols, cell: Cell) -> Result<(Cell, Vec<Cell>), Stop> {
        let mut parts: Vec<Vec<Cell>> = Vec::new();
        let mut cell = deref(cell);
        let function = loop {
            let Some((functor, args)) = self.compound(cell) else {
                break cell;
            };
            let arguments = (0..functor.arity()).map(|index| self.arg(args, index));
            match symbols.name(functor) {
                atoms::APPLICATION => {
                    parts.put(arguments.skip(1).gather()?)?;
                    cell = self.arg(args, 0);
                }
                atoms::EIGEN | atoms::BOUND => break cell,
                name => {
                    parts.put(arguments.gather()?)?;
                    break Cell::atom(name);
                }
            }
        };
        Ok((function, parts.into_iter().rev().flatten().gather()?))
    }

    /// Applies a function to arguments and returns the term.
    ///
    /// # Errors
    /// Returns an error if there is no room.
    pub(crate) fn apply(
        &mut self,
        symbols: &mut Symbols,
        function: Cell,
        args: &[Cell],
    ) -> Result<Cell, Stop> {
        if args.is_empty() {
            return Ok(function);
        }
        self.reserve(args.len() + 2)?;
        match self.view(function) {
            View::Atom(name) => {
                let functor = symbols.functor_passing(name, args.len())?;
                Ok(self.new_struct(functor, args))
            }
            _ => {
                let functor = symbols.functor(atoms::APPLICATION, args.len() + 1)?;
                let mut all = vec![function];
                all.put_slice(args)?;
                Ok(self.new_struct(functor, &all))
            }
        }
    }

    /// Returns the term with its function in place, if it is an application whose function is known by now.
    ///
    /// # Errors
    /// Returns an error if there is no room.
    pub(crate) fn applied(&mut self, symbols: &mut Symbols, cell: Cell) -> Result<Cell, Stop> {
        if !self.is_application(symbols, cell) {
            return Ok(cell);
        }
        let (function, args) = self.spine(symbols, cell)?;
        self.apply(symbols, function, &args)
    }

    /// Binds a variable to a dereferenced term other than itself, if the variable may hold the term.
    fn bind_scoped(&mut self, var: Cell, value: Cell) -> Result<bool, ScopedError> {
        if value.is_var() {
            if self.eigenvariables.is_empty() || (var.tag() == tag::REF && value.tag() == tag::REF)
            {
                // Of two plain variables the older stays, because it may hold less.
                self.bind(var, value)?;
                return Ok(true);
            }
            let (a, b) = (self.scope_of(var), self.scope_of(value));
            let (keeps, goes) = if a <= b { (var, value) } else { (value, var) };
            if keeps.tag() == tag::REF && goes.tag() == tag::ATT {
                self.limit_scope(goes, a.min(b))?;
                self.bind(keeps, goes)?;
            } else {
                self.bind(goes, keeps)?;
            }
            return Ok(true);
        }
        let may_hold = if !value.is_compound() {
            true
        } else if self.eigenvariables.is_empty() {
            !self.occurs(var, value)?
        } else {
            self.limit_within(var, self.scope_of(var), value)?
        };
        if may_hold {
            self.bind(var, value)?;
        }
        Ok(may_hold)
    }

    /// Returns whether a term holds neither this variable nor an eigenvariable above `limit`. If so, limits the
    /// variables in the term.
    fn limit_within(&mut self, var: Cell, limit: i64, value: Cell) -> Result<bool, Stop> {
        let mut raised = Vec::new();
        if let Some(held) = self.may_not_hold(var, value, limit, &mut raised)? {
            self.record_refusal(held, value)?;
            return Ok(false);
        }
        for inner in raised {
            let inner = deref(inner);
            if inner.is_var() && self.scope_of(inner) > limit {
                self.limit_scope(inner, limit)?;
            }
        }
        Ok(true)
    }

    /// Returns a part of `value` that is not allowed there: `var`, or an eigenvariable above `limit`. Adds the
    /// variables in `value` that may hold more to `raised`.
    fn may_not_hold(
        &self,
        var: Cell,
        value: Cell,
        limit: i64,
        raised: &mut Vec<Cell>,
    ) -> Result<Option<Cell>, Stop> {
        let newest = self.eigenvariables.last().map_or(0, |&(_, number)| number);
        let mut visited = Visited::new();
        let mut todo = vec![value];
        while let Some(cell) = todo.pop() {
            let cell = deref(cell);
            if cell.is_var() {
                if cell.addr() == var.addr() {
                    return Ok(Some(cell));
                }
                if limit < newest && self.scope_of(cell) > limit {
                    raised.put(cell)?;
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
                let number = self.arg(args, 1).int_value();
                if number > limit && number > self.settled {
                    return Ok(Some(cell));
                }
                continue;
            }
            if visited.again(cell.0, 0, functor.arity() as u64, &self.events.watch)? {
                continue;
            }
            for index in (0..functor.arity() as u64).rev() {
                todo.put(raw::cell(args + index * WORD))?;
            }
        }
        Ok(None)
    }

    /// Returns an eigenvariable with one of these numbers that occurs in a term.
    pub(crate) fn eigenvariable_in(
        &self,
        term: Cell,
        numbers: &RangeInclusive<i64>,
    ) -> Result<Option<Cell>, Stop> {
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
            if functor == functors::EIGENVARIABLE
                && matches!(self.view(self.arg(args, 1)), View::Int(number) if numbers.contains(&number))
            {
                return Ok(Some(cell));
            }
            if !visited.again(cell.0, 0, functor.arity() as u64, &self.events.watch)? {
                todo.put_all(
                    (0..functor.arity() as u64).map(|index| raw::cell(args + index * WORD)),
                )?;
            }
        }
        Ok(None)
    }

    /// Returns whether the argument at `place` may become `value`.
    ///
    /// # Errors
    /// Returns an error if there is no room.
    pub(crate) fn argument_may_be(&mut self, place: HeapAddr, value: Cell) -> Result<bool, Stop> {
        let Some(limit) = self.limit_at(place) else {
            return Ok(true);
        };
        let nowhere = Cell::reference(HeapAddr::NONE);
        let held = self.may_not_hold(nowhere, value, limit, &mut Vec::new())?;
        Ok(held.is_none())
    }

    /// Returns whether the argument at `place` may become `value`. If so, limits the variables in `value`.
    ///
    /// # Errors
    /// Returns an error if there is no room.
    pub(crate) fn argument_keeps_scope(
        &mut self,
        place: HeapAddr,
        value: Cell,
    ) -> Result<bool, Stop> {
        match self.limit_at(place) {
            Some(limit) => self.keep_scope(limit, value),
            None => Ok(true),
        }
    }

    /// Returns the greatest number among the eigenvariables that the cell at `place` may hold, or `None` if it may
    /// hold all.
    fn limit_at(&mut self, place: HeapAddr) -> Option<i64> {
        if !self.has_eigenvariables() {
            return None;
        }
        let limit = self.newest_before(place);
        (limit < self.newest_before(HeapAddr::MAX)).then_some(limit)
    }

    /// Returns whether the variable at `variable`, which other unification has bound, may have its value. If so,
    /// limits the variables in the value.
    ///
    /// # Errors
    /// Returns an error if there is no room.
    pub(crate) fn binding_keeps_scope(&mut self, variable: Cell) -> Result<bool, Stop> {
        let value = deref(raw::cell(variable.addr()));
        if value.is_simple() || !self.on_heap(variable.addr()) {
            return Ok(true);
        }
        let newest = self.eigenvariables.last().map_or(0, |&(_, number)| number);
        let limit = self.scope_of(variable);
        if limit >= newest {
            return Ok(true);
        }
        self.keep_scope(limit, value)
    }

    /// Returns whether a variable limited to eigenvariables up to `limit` may have the value `value`. If so, limits
    /// the variables in the value.
    ///
    /// # Errors
    /// Returns an error if there is no room.
    pub(crate) fn keep_scope(&mut self, limit: i64, value: Cell) -> Result<bool, Stop> {
        self.limit_within(Cell::reference(HeapAddr::NONE), limit, value)
    }
}
