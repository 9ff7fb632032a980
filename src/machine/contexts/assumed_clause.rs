//! Goals proved by assumed clauses that are terms: `$clause_assumed(Head, Body, Variables)`.
//!
//! The head is matched with the goal directly, and the machine builds only those parts that the goal lacks. Each use
//! of the clause has its own variables. The first occurrence of such a variable takes the goal's term without looking
//! into it, as in compiled clauses.
#![forbid(unsafe_code)]

use crate::base::atom_table::{atoms, functors};
use crate::base::growth::{Gather, Grow};
use crate::base::stop::Stop;
use crate::machine::control::throw::Throw;
use crate::machine::dispatch::endings::{fail, out_of_memory, raise};
use crate::machine::dispatch::regs::Regs;
use crate::machine::frames::stubs;
use crate::machine::state::Machine;
use crate::store::cell::{Cell, WORD};
use crate::store::heap::{Store, deref};
use crate::store::raw;

/// Maximum number of parts of a head that are matched. The rest is built and unified, because it may be a small graph
/// that unfolds into a huge tree.
const MATCHED: usize = 1 << 14;

/// The variables that each use of a clause renames, and their values in this use.
struct Own {
    variables: Vec<Cell>,
    values: Vec<Option<Cell>>,
}

impl Own {
    fn place(&self, variable: Cell) -> Option<usize> {
        self.variables.iter().position(|&own| own == variable)
    }

    /// Returns a term of the clause with the variables of this use.
    fn instance(&mut self, store: &mut Store, term: Cell) -> Result<Cell, Stop> {
        if self.variables.is_empty() {
            return Ok(term);
        }
        store.rebuild(term, None, |store, variable| {
            let Some(place) = self.place(variable) else {
                return Ok(None);
            };
            if let Some(value) = self.values[place] {
                return Ok(Some(value));
            }
            store.reserve(1)?;
            let value = store.new_var();
            self.values[place] = Some(value);
            Ok(Some(value))
        })
    }
}

impl Machine {
    /// Proves the goal in the registers by an assumed clause that is a term.
    pub(in crate::machine) fn use_clause(
        &mut self,
        mut r: Regs,
        clause: Cell,
        module: Cell,
        (arity, scoped): (usize, bool),
    ) -> Regs {
        let Some((_, parts)) = self.store.compound(clause) else {
            unreachable!("an assumed clause is a compound")
        };
        let [head, body, variables] = [0, 1, 2].map(|index| self.store.arg(parts, index));
        let variables = match self.store.compound(variables) {
            None => Ok(Vec::new()),
            Some((functor, args)) => (0..functor.arity())
                .map(|index| self.store.arg(args, index))
                .gather(),
        };
        let Ok(variables) = variables else {
            return out_of_memory(self, r);
        };
        let values = vec![None; variables.len()];
        let mut own = Own { variables, values };
        let holds = self.match_head(head, arity, scoped, &mut own);
        r.h = self.store.heap_top;
        match holds {
            Ok(true) => {}
            Ok(false) => {
                fail(self, &mut r);
                return r;
            }
            Err(throw) => return raise(self, r, throw, None),
        }
        let Ok(body) = own.instance(&mut self.store, body) else {
            // Unification of the head may have made the body cyclic.
            if self.store.acyclic_term(body) != Ok(false) {
                return out_of_memory(self, r);
            }
            r.h = self.store.heap_top;
            let error = self.type_error(atoms::ACYCLIC, body);
            return raise(self, r, error, None);
        };
        r.h = self.store.heap_top;
        self.x[0] = body;
        self.x[1] = module;
        self.x[2] = self.choice_cell(self.cut_choice);
        r.go(stubs::body_call());
        r
    }

    /// Unifies a head with the registers.
    fn match_head(
        &mut self,
        head: Cell,
        arity: usize,
        scoped: bool,
        own: &mut Own,
    ) -> Result<bool, Throw> {
        if arity == 0 {
            return Ok(true);
        }
        let Some((_, args)) = self.store.compound(head) else {
            return Ok(false);
        };
        let mut todo: Vec<(Cell, Cell)> = (0..arity)
            .rev()
            .map(|index| (raw::cell(args + index as u64 * WORD), self.x[index]))
            .gather()?;
        let mut matched = 0;
        while let Some((pattern, term)) = todo.pop() {
            let (pattern, term) = (deref(pattern), deref(term));
            if pattern.is_var()
                && let Some(place) = own.place(pattern)
            {
                match own.values[place] {
                    None => own.values[place] = Some(term),
                    Some(value) => {
                        if !self.unify_as(scoped, value, term)? {
                            return Ok(false);
                        }
                    }
                }
                continue;
            }
            matched += 1;
            if let Some((functor, args)) = self.store.compound(pattern)
                && functor != functors::LAMBDA
                && matched < MATCHED
                && let Some((other, terms)) = self.store.compound(term)
                && functor == other
            {
                let parts = (0..functor.arity() as u64).rev().map(|index| {
                    let at = index * WORD;
                    (Cell::reference(args + at), Cell::reference(terms + at))
                });
                todo.put_all(parts)?;
                continue;
            }
            let made = own.instance(&mut self.store, pattern)?;
            if !self.unify_as(scoped, term, made)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn unify_as(&mut self, scoped: bool, a: Cell, b: Cell) -> Result<bool, Throw> {
        if scoped {
            self.unify_scoped(a, b)
        } else {
            Ok(self.unify(a, b)?)
        }
    }
}
