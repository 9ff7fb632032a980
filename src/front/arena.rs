//! Conversion of a clause's terms from the heap to the arena of
//! [`Clause`](crate::ir::clause::Clause), and selection of terms for the literal pool.

use super::lower::{CYCLE_CHECK, LowerError, Lowering};
use crate::base::growth::{Gather, Grow, GrowBy, filled};
use crate::base::stop::Stop;
use crate::ir::clause::{Args, Term, TermId};
use crate::store::address::HeapAddr;
use crate::store::cell::{Cell, WORD, tag};
use crate::store::heap::deref;
use crate::store::raw;

/// Bytes for a node of a large clause until the clause is compiled: in the arena, in temporary
/// data, in the code and in the source. The value was measured with clauses of millions of nodes.
const NODE_BYTES: usize = 80;

impl Lowering<'_> {
    pub(super) fn args(&mut self, addr: HeapAddr, count: usize) -> Result<Args, LowerError> {
        let first = self.clause.args.len();
        self.clause.args.put_all(std::iter::repeat_n(0, count))?;
        self.todo.put((first, addr, count))?;
        self.drain()?;
        Ok(Args {
            first: first as u32,
            count: count as u32,
        })
    }

    pub(super) fn term(&mut self, cell: Cell) -> Result<TermId, LowerError> {
        let id = self.node(cell)?;
        self.drain()?;
        Ok(id)
    }

    pub(super) fn drain(&mut self) -> Result<(), LowerError> {
        let mut seen = 0;
        while let Some((first, addr, count)) = self.todo.pop() {
            seen += 1;
            self.store.watch.go_on_counted(seen)?;
            self.check_size()?;
            for index in 0..count {
                let cell = raw::cell(addr + index as u64 * WORD);
                let id = self.node(cell)?;
                self.clause.args[first + index] = id;
            }
        }
        Ok(())
    }

    pub(super) fn check_size(&mut self) -> Result<(), LowerError> {
        if self.clause.terms.len() + self.goals > self.checked {
            self.check_end()
        } else {
            Ok(())
        }
    }

    /// Checks whether a large clause is cyclic, or too large because it shares subterms many times.
    #[cold]
    pub(super) fn check_end(&mut self) -> Result<(), LowerError> {
        if self.checked == CYCLE_CHECK && !self.store.acyclic_term(self.root)? {
            return Err(LowerError::Cyclic(self.root));
        }
        // A term without shared subterms has at most as many nodes as the heap has cells.
        let cells = (self.store.heap_top - self.store.heap.base) / WORD;
        let most = (4 * cells as usize).max(CYCLE_CHECK) + 1;
        let nodes = self.clause.terms.len() + self.goals;
        if nodes > most || !self.store.has_room_for(nodes * NODE_BYTES) {
            return Err(LowerError::Memory);
        }
        self.checked = most.min(nodes + nodes / 8);
        Ok(())
    }

    pub(super) fn push(&mut self, term: Term, origin: Cell) -> Result<TermId, Stop> {
        self.clause.terms.put(term)?;
        self.clause.origins.put(origin)?;
        Ok(self.clause.terms.len() as TermId - 1)
    }

    pub(super) fn node(&mut self, cell: Cell) -> Result<TermId, Stop> {
        let cell = deref(cell);
        match cell.tag() {
            tag::INT => self.push(Term::Constant(cell), cell),
            tag::CON if cell.is_forward() => {
                self.push(Term::Var(cell.forward_index() as u32), Cell::ABSENT)
            }
            tag::CON => self.push(Term::Constant(cell), cell),
            tag::BOX => self.literal(cell),
            tag::LST => {
                let first = self.reserve(cell.addr(), 2)?;
                self.push(Term::List { first }, cell)
            }
            tag::STR => {
                let functor = raw::cell(cell.addr()).as_functor();
                let first = self.reserve(cell.addr() + WORD, functor.arity())?;
                self.push(Term::Struct { functor, first }, cell)
            }
            _ => {
                let var = self.clause.var_count;
                self.clause.var_count += 1;
                self.marks
                    .mark(cell.addr(), Cell::forward(u64::from(var)))?;
                self.push(Term::Var(var), Cell::ABSENT)
            }
        }
    }

    pub(super) fn literal(&mut self, cell: Cell) -> Result<TermId, Stop> {
        self.clause.literals.put(cell)?;
        self.push(Term::Literal(self.clause.literals.len() as u32 - 1), cell)
    }

    pub(super) fn reserve(&mut self, addr: HeapAddr, count: usize) -> Result<u32, Stop> {
        self.compounds = true;
        let first = self.clause.args.len();
        self.clause.args.put_all(std::iter::repeat_n(0, count))?;
        self.todo.put((first, addr, count))?;
        Ok(first as u32)
    }

    /// Replaces the largest ground terms above the given sizes by literals.
    pub(super) fn pool_args(
        &mut self,
        args: Args,
        list_words: u32,
        struct_words: u32,
    ) -> Result<(), Stop> {
        if !std::mem::take(&mut self.compounds) || !self.shares {
            return Ok(());
        }
        let roots: Vec<TermId> = (0..args.count as usize)
            .map(|index| self.clause.arg(args, index))
            .gather()?;
        // Children come after their parents in the arena, so one pass from the end suffices.
        let start = match roots.iter().min() {
            Some(&start) => start as usize,
            None => return Ok(()),
        };
        let count = self.clause.terms.len() - start;
        let mut words: Vec<Option<u32>> = filled(Some(0), count)?;
        for index in (0..count).rev() {
            self.store.watch.go_on_counted(index)?;
            let term = self.clause.terms[start + index];
            let own = match term {
                Term::Var(_) => None,
                Term::List { .. } => Some(2),
                Term::Struct { functor, .. } => Some(functor.arity() as u32 + 1),
                _ => Some(0),
            };
            let mut sum = own;
            for &arg in self.clause.compound_args(term) {
                let part = words
                    .get((arg as usize).wrapping_sub(start))
                    .copied()
                    .flatten();
                sum = sum.zip(part).map(|(a, b)| a.saturating_add(b));
            }
            words[index] = sum;
        }
        let mut todo = roots;
        let mut seen = 0;
        while let Some(id) = todo.pop() {
            seen += 1;
            self.store.watch.go_on_counted(seen)?;
            let term = self.clause.term(id);
            let limit = match term {
                Term::List { .. } => list_words,
                Term::Struct { .. } => struct_words,
                _ => continue,
            };
            match words
                .get((id as usize).wrapping_sub(start))
                .copied()
                .flatten()
            {
                Some(size) if size > limit => {
                    self.clause.literals.put(self.clause.origins[id as usize])?;
                    let index = self.clause.literals.len() as u32 - 1;
                    self.clause.terms[id as usize] = Term::Literal(index);
                }
                _ => todo.put_slice(self.clause.compound_args(term))?,
            }
        }
        Ok(())
    }
}
