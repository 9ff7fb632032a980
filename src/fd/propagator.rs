//! Propagators: compounds on the heap that narrow domains.
//!
//! `'$fd_propagator'(Kind, Flags, Argument…)`. Kind is a number of [`KINDS`]. A propagator that has nothing more to
//! do gets the kind [`Kinds::Dead`]; backtracking restores its kind. Arguments are terms. Lists of variables and
//! numbers are vectors: compounds whose arguments may be exchanged.

use super::kinds::{KINDS, Kind, Kinds};
use super::variable::Wait;
use super::work::{Fd, Halt, R};
use crate::base::atom_table::{Functor, functors};
use crate::store::address::HeapAddr;
use crate::store::cell::{Cell, WORD, tag};
use crate::store::heap::deref;
use crate::store::raw;

/// Flag: the propagator waits in a queue.
pub(super) const QUEUED: i64 = 1;
/// Words before the arguments.
const HEAD: usize = 3;

/// The address of a propagator.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Propagator(pub(super) HeapAddr);

/// Returns the functor with the name of `like` and this arity. Only functions of this file make compounds with it.
#[inline(always)]
fn of_arity(like: Functor, arity: usize) -> Cell {
    Cell::functor(Functor::new(like.index() as u32, arity as u32))
}

/// Returns the number of arguments of the compound at an address, if its name is that of `like`.
#[inline(always)]
fn arity_at(at: HeapAddr, like: Functor) -> Option<usize> {
    let functor = raw::cell(at);
    (functor.is_functor() && functor.as_functor().index() == like.index())
        .then(|| functor.as_functor().arity())
}

impl Propagator {
    /// Returns the propagator that a cell refers to.
    #[inline(always)]
    pub(crate) fn of(cell: Cell) -> Option<Propagator> {
        let is = cell.tag() == tag::STR
            && arity_at(cell.addr(), functors::FD_PROPAGATOR) >= Some(HEAD - 1);
        is.then(|| Propagator(cell.addr()))
    }

    /// Returns the cell of the propagator.
    pub(crate) fn cell(self) -> Cell {
        Cell::structure(self.0)
    }

    /// Returns the number of the kind.
    #[inline(always)]
    pub(crate) fn kind_number(self) -> usize {
        let kind = raw::cell(self.0 + WORD);
        match kind.is_int() && (kind.int_value() as u64) < KINDS.len() as u64 {
            true => kind.int_value() as usize,
            false => 0,
        }
    }

    /// Returns the kind.
    #[inline(always)]
    pub(crate) fn kind(self) -> &'static Kind {
        &KINDS[self.kind_number()]
    }

    /// Returns whether the propagator has anything more to do. Two variables differ as soon as one is known and the
    /// other cannot have its value.
    pub(crate) fn is_alive(self) -> bool {
        let number = self.kind_number();
        let differ = number == Kinds::Different as usize;
        number != Kinds::Dead as usize
            && !(differ && matches!(self.args(), Ok([x, y]) if !x.is_var() || !y.is_var()))
    }

    #[inline(always)]
    pub(super) fn flags(self) -> i64 {
        raw::cell(self.0 + 2 * WORD).int_value()
    }

    #[inline(always)]
    pub(super) fn set_flags(self, flags: i64) {
        raw::set_cell(self.0 + 2 * WORD, Cell::int(flags));
    }

    /// Returns the number of arguments.
    pub(crate) fn count(self) -> usize {
        raw::cell(self.0).as_functor().arity() + 1 - HEAD
    }

    /// Returns the address of an argument.
    #[inline(always)]
    fn place(self, index: usize) -> R<HeapAddr> {
        match index < self.count() {
            true => Ok(self.0 + (HEAD + index) as u64 * WORD),
            false => Err(Halt::Fail),
        }
    }

    /// Returns an argument, dereferenced.
    #[inline(always)]
    pub(crate) fn arg(self, index: usize) -> R<Cell> {
        Ok(deref(raw::cell(self.place(index)?)))
    }

    /// Returns the first arguments, dereferenced.
    #[inline(always)]
    pub(crate) fn args<const COUNT: usize>(self) -> R<[Cell; COUNT]> {
        if COUNT > self.count() {
            return Err(Halt::Fail);
        }
        let mut args = [Cell::ABSENT; COUNT];
        for (index, arg) in args.iter_mut().enumerate() {
            *arg = deref(raw::cell(self.0 + (HEAD + index) as u64 * WORD));
        }
        Ok(args)
    }
}

/// A compound of cells that are read and written by number.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Vector {
    at: HeapAddr,
    /// Number of cells.
    pub(crate) len: usize,
}

impl Vector {
    /// Returns the vector that a dereferenced cell refers to.
    #[inline(always)]
    pub(crate) fn of(cell: Cell) -> R<Vector> {
        if cell.tag() != tag::STR {
            return Err(Halt::Fail);
        }
        let at = cell.addr();
        match arity_at(at, functors::FD_VECTOR) {
            Some(len) => Ok(Vector { at, len }),
            None => Err(Halt::Fail),
        }
    }

    #[inline(always)]
    fn place(self, index: usize) -> HeapAddr {
        assert!(index < self.len, "a vector of {} has no {index}", self.len);
        self.at + (index as u64 + 1) * WORD
    }

    /// Returns one of the cells, dereferenced.
    #[inline(always)]
    pub(crate) fn get(self, index: usize) -> Cell {
        deref(raw::cell(self.place(index)))
    }

    /// Returns the small integer in a cell; 0 for other cells.
    #[inline(always)]
    pub(crate) fn int(self, index: usize) -> i64 {
        let cell = raw::cell(self.place(index));
        if cell.is_int() { cell.int_value() } else { 0 }
    }

    /// Writes a cell of a vector that is new or was returned by [`Fd::own_vector`].
    #[inline(always)]
    pub(crate) fn set(self, index: usize, cell: Cell) {
        raw::set_cell(self.place(index), cell);
    }

    /// Exchanges two cells, without a trail.
    #[inline(always)]
    pub(crate) fn swap(self, a: usize, b: usize) {
        let (a, b) = (self.place(a), self.place(b));
        let (of_a, of_b) = (raw::cell(a), raw::cell(b));
        raw::set_cell(a, of_b);
        raw::set_cell(b, of_a);
    }

    /// Returns the cells, dereferenced.
    pub(crate) fn iter(self) -> impl Iterator<Item = Cell> {
        (0..self.len).map(move |index| self.get(index))
    }
}

impl Fd<'_> {
    /// Makes a vector of these cells.
    pub(crate) fn new_vector(&mut self, cells: &[Cell]) -> R<Cell> {
        if cells.len() > crate::base::atom_table::MAX_ARITY {
            return Err(Halt::Stop);
        }
        let at = self.allocate(cells.len() + 1)?;
        raw::set_cell(at, of_arity(functors::FD_VECTOR, cells.len()));
        for (index, &cell) in cells.iter().enumerate() {
            raw::set_cell(at + (index as u64 + 1) * WORD, cell);
        }
        Ok(Cell::structure(at))
    }

    /// Returns a vector argument of a propagator for changes: the vector itself, or a copy that backtracking removes.
    pub(crate) fn own_vector(&mut self, propagator: Propagator, index: usize) -> R<Vector> {
        let place = propagator.place(index)?;
        let vector = Vector::of(deref(raw::cell(place)))?;
        if vector.at >= self.store.heap_backtrack {
            return Ok(vector);
        }
        let at = self.allocate(vector.len + 1)?;
        for word in 0..=vector.len as u64 {
            raw::set_word(at + word * WORD, raw::word(vector.at + word * WORD));
        }
        self.store.assign(place, Cell::structure(at))?;
        Ok(Vector {
            at,
            len: vector.len,
        })
    }

    /// Replaces an argument of a propagator. Backtracking restores it.
    pub(crate) fn set_arg(&mut self, propagator: Propagator, index: usize, cell: Cell) -> R {
        let place = propagator.place(index)?;
        self.store.assign(place, cell)?;
        Ok(())
    }

    /// Makes a propagator, which does not run by itself.
    pub(crate) fn new_propagator(&mut self, kind: Kinds, args: &[Cell]) -> R<Propagator> {
        let at = self.allocate(HEAD + args.len())?;
        raw::set_cell(at, of_arity(functors::FD_PROPAGATOR, HEAD - 1 + args.len()));
        raw::set_cell(at + WORD, Cell::int(kind as i64));
        raw::set_cell(at + 2 * WORD, Cell::int(0));
        for (index, &arg) in args.iter().enumerate() {
            raw::set_cell(at + (HEAD + index) as u64 * WORD, arg);
        }
        Ok(Propagator(at))
    }

    /// Makes a propagator, makes it wait for changes of variables, and runs it.
    pub(crate) fn post(
        &mut self,
        kind: Kinds,
        args: &[Cell],
        waits: &[(Cell, Wait)],
    ) -> R<Propagator> {
        let propagator = self.new_propagator(kind, args)?;
        self.start(propagator, waits)?;
        Ok(propagator)
    }

    /// Makes a propagator wait for changes of variables, and runs it.
    pub(crate) fn start(&mut self, propagator: Propagator, waits: &[(Cell, Wait)]) -> R {
        for &(x, wait) in waits {
            self.subscribe(x, propagator.cell(), wait)?;
        }
        match propagator.kind().priority {
            0 => self.run(propagator),
            priority => self.enqueue(propagator, priority - 1),
        }
    }

    /// Marks a propagator that has nothing more to do.
    pub(crate) fn kill(&mut self, propagator: Propagator) -> R {
        self.store
            .assign(propagator.0 + WORD, Cell::int(Kinds::Dead as i64))?;
        Ok(())
    }
}
