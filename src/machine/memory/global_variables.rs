//! Sets, reads and keeps global variables. [`globals`](crate::machine::memory::globals) describes where their values
//! are stored.
#![forbid(unsafe_code)]

use super::globals::{Given, Value, Variable};
use crate::base::atom_table::Atom;
use crate::base::growth::{Gather, Grow, GrowMap, GrowTable};
use crate::base::stop::Stop;
use crate::machine::frames::layout::cp;
use crate::machine::state::Machine;
use crate::store::address::HeapAddr;
use crate::store::cell::{Cell, WORD};
use crate::store::claims::Life;
use crate::store::raw;
use crate::store::stored::Attrs;
use std::sync::Arc;

impl Machine {
    /// Makes backtracking keep the present heap, for all choice points newer than the cell at `place`. Older choice
    /// points remove the cell itself. Returns the number of updated choice points. If it is stopped half-way, that
    /// does no harm, because the kept terms are used only afterwards.
    fn keep_heap(&mut self, place: HeapAddr) -> Result<u64, Stop> {
        let top = self.store.heap_top;
        let mut choice = self.choice;
        let mut updated = 0;
        while choice.get(cp::HEAP) > place {
            choice.set(cp::HEAP, top);
            if updated == 0 {
                self.store.heap_backtrack = top;
            }
            updated += 1;
            self.store.watch.go_on_at(updated)?;
            let older = choice.get(cp::PREV);
            if older == choice {
                break;
            }
            choice = older;
        }
        Ok(updated as u64)
    }

    /// Keeps the present heap as long as the cell at `place`, to which a term of it will be assigned permanently.
    pub(crate) fn keep_for(&mut self, place: HeapAddr) -> Result<(), Stop> {
        self.run.globals.changed = true;
        self.keep_heap(place)?;
        Ok(())
    }

    /// Returns a copy of a term that outlives backtracking at least as long as the cell at `place`.
    ///
    /// # Errors
    /// Returns an error if there is no room for the copy.
    pub(crate) fn lasting_copy(&mut self, term: Cell, place: HeapAddr) -> Result<Cell, Stop> {
        let from = self.store.heap_top;
        let copy = self.store.duplicate_term(term, Attrs::Keep)?;
        let bytes = self.store.heap_top - from;
        if bytes == 0 {
            return Ok(copy);
        }
        self.run.globals.changed = true;
        self.run.globals.replaced = true;
        self.run.globals.grown += bytes;
        if let Err(full) = self.store.room_for_good(self.run.globals.grown) {
            self.store.heap_top = from;
            return Err(full);
        }
        let pool = &mut self.run.globals.pool;
        if bytes <= pool.end - pool.start {
            let to = pool.start;
            pool.start += bytes;
            return self.store.move_top(from, to, copy);
        }
        let updated = self.keep_heap(place)?;
        if updated > FEW_CHOICES {
            self.make_pool()?;
        }
        Ok(copy)
    }

    /// Makes a pool that is large enough to be worth the update of the choice points.
    fn make_pool(&mut self) -> Result<(), Stop> {
        let words = (self.run.globals.choices_updated * 2).clamp(FEW_CHOICES, POOL_WORDS);
        if self.store.reserve(words as usize).is_err() {
            return Ok(());
        }
        let start = self.store.allocate(words as usize);
        let end = self.store.heap_top;
        for word in 0..(end - start) / WORD {
            raw::set_word(start + word * WORD, 0);
        }
        self.run.globals.choices_updated = self.keep_heap(HeapAddr::NONE)?;
        self.run.globals.pool = start..end;
        Ok(())
    }

    /// Forgets the pool before a collection of the heap: the rest of the pool is garbage.
    pub(in crate::machine) fn forget_pool(&mut self) {
        self.run.globals.pool = HeapAddr::NONE..HeapAddr::NONE;
        self.run.globals.grown = 0;
    }

    /// Returns a new heap cell with this value. The cell and the present heap outlive backtracking.
    fn lasting_cell(&mut self, value: Cell) -> Result<Cell, Stop> {
        let place = self.store.allocate(1);
        raw::set_cell(place, value);
        self.run.globals.choices_updated = self.keep_heap(HeapAddr::NONE)?;
        Ok(Cell::reference(place))
    }

    /// Returns the variable of a name; creates it if necessary.
    fn global_variable(&mut self, name: Atom) -> Result<&mut Variable, Stop> {
        if !self.run.globals.table.contains_key(&name) {
            let claim = self.store.claim(VARIABLE_BYTES, Life::Kept)?;
            self.run.globals.table.make_room()?;
            let variable = Variable {
                _claim: claim,
                ..Variable::default()
            };
            self.run.globals.table.put_entry(name, variable)?;
        }
        self.run.globals.table.get_mut(&name).ok_or(Stop)
    }

    /// Returns the value of a variable that is set until backtracking, if there is one.
    pub(crate) fn local_global(&self, name: Atom) -> Option<Cell> {
        self.run.globals.table.get(&name)?.local_value()
    }

    /// Sets a variable until backtracking.
    ///
    /// # Errors
    /// Returns an error if there is no room.
    pub(crate) fn set_local_global(&mut self, name: Atom, value: Cell) -> Result<(), Stop> {
        let cell = match self.global_variable(name)?.local {
            Some(cell) => cell,
            None => {
                self.store.reserve(1)?;
                let cell = self.lasting_cell(Cell::ABSENT)?;
                self.run.globals.on_heap = true;
                self.global_variable(name)?.local = Some(cell);
                cell
            }
        };
        self.store.assign(cell.addr(), value)?;
        Ok(())
    }

    /// Returns the value of a variable, if it has one.
    ///
    /// # Errors
    /// Returns an error if there is no room for the value on the heap.
    pub(crate) fn global(&mut self, name: Atom) -> Result<Option<Cell>, Stop> {
        let Some(variable) = self.run.globals.table.get(&name) else {
            return Ok(None);
        };
        if let Some(value) = variable.local_value() {
            return Ok(Some(value));
        }
        match &variable.value {
            Value::None => Ok(None),
            Value::Simple(value) => Ok(Some(*value)),
            Value::Kept(cell) => Ok(Some(raw::cell(cell.addr()))),
            Value::Stored(stored) => {
                let stored = Arc::clone(stored);
                let value = self.store.load_term(&stored)?;
                if !self.store.has_eigenvariables() {
                    self.run.globals.changed = true;
                    self.move_in(name, value)?;
                }
                Ok(Some(value))
            }
        }
    }

    /// Keeps the value of a variable on the heap, where it lies already.
    fn move_in(&mut self, name: Atom, value: Cell) -> Result<(), Stop> {
        self.store.reserve(1)?;
        let cell = self.lasting_cell(value)?;
        self.run.globals.on_heap = true;
        self.global_variable(name)?.value = Value::Kept(cell);
        Ok(())
    }

    /// Sets a variable permanently to a copy of a term.
    ///
    /// # Errors
    /// Returns an error if there is no room; the old value then stays.
    pub(crate) fn set_global(&mut self, name: Atom, value: Cell) -> Result<(), Stop> {
        if !value.is_simple() && self.store.has_eigenvariables() {
            let stored = self.store.keep_term(value, Attrs::Keep)?;
            return self.put_global(name, Value::Stored(Arc::new(stored)));
        }
        if value.is_simple() {
            return self.put_global(name, Value::Simple(value));
        }
        let value = self.lasting_copy(value, HeapAddr::NONE)?;
        if let Value::Kept(cell) = self.global_variable(name)?.value {
            raw::set_cell(cell.addr(), value);
        } else {
            self.move_in(name, value)?;
        }
        self.unset_local(name);
        Ok(())
    }

    fn put_global(&mut self, name: Atom, value: Value) -> Result<(), Stop> {
        self.global_variable(name)?.value = value;
        self.run.globals.replaced = true;
        self.unset_local(name);
        Ok(())
    }

    /// Removes the value set until backtracking, which hides the permanent value.
    fn unset_local(&mut self, name: Atom) {
        let variable = self.run.globals.table.get(&name);
        if let Some(cell) = variable.and_then(|variable| variable.local) {
            raw::set_cell(cell.addr(), Cell::ABSENT);
        }
    }

    /// Returns whether the variable has a value.
    pub(crate) fn has_global(&self, name: Atom) -> bool {
        let variable = self.run.globals.table.get(&name);
        variable.is_some_and(Variable::has_value)
    }

    /// Returns the names of the variables that have values, in the order of their atoms.
    pub(crate) fn global_names(&self) -> Result<Vec<Atom>, Stop> {
        let table = self.run.globals.table.iter();
        let with_value = table.filter(|(_, variable)| variable.has_value());
        let mut names = with_value.map(|(&name, _)| name).gather()?;
        names.sort_unstable();
        Ok(names)
    }

    /// Returns the variables that are set until backtracking, with their values, in the order of their atoms.
    ///
    /// # Errors
    /// Returns an error if memory runs out.
    pub(crate) fn local_globals(&self) -> Result<Vec<(Atom, Cell)>, Stop> {
        let table = self.run.globals.table.iter();
        let set = table.filter_map(|(&name, variable)| Some((name, variable.local_value()?)));
        let mut set = set.gather()?;
        set.sort_unstable_by_key(|&(name, _)| name);
        Ok(set)
    }

    /// Returns the permanent values of global variables, stored outside the heap for other engines of a program.
    ///
    /// # Errors
    /// Returns an error if there is no room for them.
    pub(in crate::machine) fn stored_globals(&mut self) -> Result<Vec<(Atom, Given)>, Stop> {
        let mut given = Vec::new();
        for (&name, variable) in &self.run.globals.table {
            let value = match &variable.value {
                Value::None => continue,
                Value::Simple(value) => Given::Simple(*value),
                Value::Stored(stored) => Given::Stored(Arc::clone(stored)),
                Value::Kept(cell) => {
                    let value = raw::cell(cell.addr());
                    Given::Stored(Arc::new(self.store.keep_term(value, Attrs::Keep)?))
                }
            };
            given.put((name, value))?;
        }
        Ok(given)
    }

    /// Sets global variables to these values, before goals run.
    ///
    /// # Errors
    /// Returns an error if there is no room for the variables.
    pub(in crate::machine) fn give_globals(&mut self, given: &[(Atom, Given)]) -> Result<(), Stop> {
        for (name, value) in given {
            self.global_variable(*name)?.value = match value {
                Given::Simple(value) => Value::Simple(*value),
                Given::Stored(stored) => Value::Stored(Arc::clone(stored)),
            };
        }
        Ok(())
    }

    /// Undoes all settings, assignments and bindings that last until backtracking. Returns the address down to which
    /// the heap is to be emptied.
    pub(in crate::machine) fn settle_globals(&mut self) -> HeapAddr {
        let base = self.store.heap.base;
        self.run.globals.pool = HeapAddr::NONE..HeapAddr::NONE;
        if !self.run.globals.on_heap {
            return base;
        }
        self.store.undo_terms();
        let mut kept = false;
        for variable in self.run.globals.table.values_mut() {
            variable.local = None;
            kept |= matches!(variable.value, Value::Kept(_));
        }
        self.run.globals.on_heap = kept;
        self.run.globals.floor = match kept {
            false => base,
            true if self.run.globals.changed => self.store.heap_top,
            true => self.run.globals.floor,
        };
        self.run.globals.changed = false;
        self.run.globals.floor
    }

    /// Collects garbage below the floor that belongs to no value any more, if there is much of it. The stacks are
    /// empty.
    pub(in crate::machine) fn collect_globals(&mut self) {
        let used = self.store.heap_top - self.store.heap.base;
        let much = used > 2 * self.run.globals.alive + LEFT;
        let room = self.store.room_for_good(0).is_ok();
        if !self.run.globals.on_heap || !(much || self.run.globals.replaced && !room) {
            return;
        }
        if self.collect(self.env, 0) == Ok(true) {
            self.run.globals.replaced = false;
            self.run.globals.floor = self.store.heap_top;
            self.run.globals.alive = self.store.heap_top - self.store.heap.base;
        }
    }
}

/// Bytes of a variable.
const VARIABLE_BYTES: u64 = 2 * std::mem::size_of::<(Atom, Variable)>() as u64;

/// Maximum number of words of the pool, whose size grows with the number of choice points.
const POOL_WORDS: u64 = 1 << 17;

const FEW_CHOICES: u64 = 64;

/// Bytes that may be left between queries above the live ones.
const LEFT: u64 = 1 << 18;
