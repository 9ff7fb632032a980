//! Global variables. A value set for good lies on the heap while queries run, shared by all who ask
//! for it, so that asking takes no time and assignments to its arguments last; between queries it is
//! kept off the heap. One set until backtracking lies in a heap cell of the variable's own, which
//! hides the former while it is set.
//!
//! While there are eigenvariables of Lolli, whose ages tell what may hold them, values stay off the
//! heap: backtracking must take the heap back then.

use super::frame::cp;
use super::state::Machine;
use crate::base::grow::{Gather, GrowTable};
use crate::base::symbol::{Atom, FastMap};
use crate::store::cell::{Addr, Cell};
use crate::store::copy::{Attrs, Stored};
use crate::store::heap::OutOfMemory;
use crate::store::limit::{Claim, Life};
use crate::store::raw;

/// A value set for good.
#[derive(Default)]
enum Value {
    /// There is none.
    #[default]
    None,
    /// A constant.
    Simple(Cell),
    /// A term off the heap.
    Stored(Stored),
    /// The reference to a heap cell that holds a term.
    Kept(Cell),
}

/// A global variable.
#[derive(Default)]
struct Variable {
    value: Value,
    /// The reference to the heap cell of what is set until backtracking; if it is not set any more,
    /// [`Cell::ABSENT`] lies there.
    local: Option<Cell>,
    _claim: Claim,
}

/// Bytes that a variable takes.
const VARIABLE_BYTES: u64 = 2 * std::mem::size_of::<(Atom, Variable)>() as u64;

impl Variable {
    /// What is set until backtracking, if something is.
    fn local_value(&self) -> Option<Cell> {
        let value = raw::cell(self.local?.addr());
        (value != Cell::ABSENT).then_some(value)
    }

    fn has_value(&self) -> bool {
        !matches!(self.value, Value::None) || self.local_value().is_some()
    }
}

/// The global variables of an engine.
#[derive(Default)]
pub(crate) struct Globals {
    table: FastMap<Atom, Variable>,
    /// Have variables had heap cells since the heap was emptied?
    on_heap: bool,
}

impl Globals {
    /// The references to heap cells. They may be changed.
    pub(super) fn cells(&mut self) -> impl Iterator<Item = &mut Cell> {
        self.table.values_mut().flat_map(|variable| {
            let kept = match &mut variable.value {
                Value::Kept(cell) => Some(cell),
                _ => None,
            };
            kept.into_iter().chain(&mut variable.local)
        })
    }

    /// The names of all variables.
    pub(super) fn names(&self) -> impl Iterator<Item = Atom> {
        self.table.keys().copied()
    }

    /// The values off the heap: constants, and terms.
    pub(super) fn values(&self) -> impl Iterator<Item = Result<Cell, &Stored>> {
        let values = self.table.values().map(|variable| &variable.value);
        values.filter_map(|value| match value {
            Value::Simple(cell) => Some(Ok(*cell)),
            Value::Stored(stored) => Some(Err(stored)),
            Value::None | Value::Kept(_) => None,
        })
    }
}

impl Machine {
    /// Backtracking to any choice point made after the cell at `place` leaves what is on the heap now
    /// where it is. Choice points older than the cell take the cell itself away.
    pub(crate) fn keep_heap(&mut self, place: Addr) {
        let top = self.store.heap_top;
        let mut choice = self.choice;
        loop {
            if raw::word(choice + cp::HEAP) <= place {
                break;
            }
            raw::set_word(choice + cp::HEAP, top);
            let older = raw::word(choice + cp::PREV);
            if older == choice {
                break;
            }
            choice = older;
        }
        self.store.heap_backtrack = raw::word(self.choice + cp::HEAP);
    }

    /// A new heap cell with this value. It and all that lies on the heap outlive backtracking.
    fn lasting_cell(&mut self, value: Cell) -> Cell {
        let place = self.store.allocate(1);
        raw::set_cell(place, value);
        self.keep_heap(0);
        Cell::reference(place)
    }

    /// The variable of a name, made if there is none.
    fn global_variable(&mut self, name: Atom) -> Result<&mut Variable, OutOfMemory> {
        if !self.globals.table.contains_key(&name) {
            let claim = self.store.claim(VARIABLE_BYTES, Life::Kept)?;
            self.globals.table.make_room();
            let variable = Variable {
                _claim: claim,
                ..Variable::default()
            };
            self.globals.table.insert(name, variable);
        }
        self.globals.table.get_mut(&name).ok_or(OutOfMemory)
    }

    /// The value of a variable that is set until backtracking, if there is one.
    pub(crate) fn local_global(&self, name: Atom) -> Option<Cell> {
        self.globals.table.get(&name)?.local_value()
    }

    /// Sets a variable until backtracking.
    ///
    /// # Errors
    /// There is no room.
    pub(crate) fn set_local_global(&mut self, name: Atom, value: Cell) -> Result<(), OutOfMemory> {
        let cell = match self.global_variable(name)?.local {
            Some(cell) => cell,
            None => {
                self.store.reserve(1)?;
                let cell = self.lasting_cell(Cell::ABSENT);
                self.globals.on_heap = true;
                self.global_variable(name)?.local = Some(cell);
                cell
            }
        };
        self.store.assign(cell.addr(), value);
        Ok(())
    }

    /// The value of a variable, if it has one.
    ///
    /// # Errors
    /// There is no room for it on the heap.
    pub(crate) fn global(&mut self, name: Atom) -> Result<Option<Cell>, OutOfMemory> {
        let Some(variable) = self.globals.table.get(&name) else {
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
                let value = self.store.load_term(stored)?;
                if !self.store.has_eigenvariables() {
                    self.move_in(name, value)?;
                }
                Ok(Some(value))
            }
        }
    }

    /// Has the value of a variable, which lies on the heap, stay there.
    fn move_in(&mut self, name: Atom, value: Cell) -> Result<(), OutOfMemory> {
        self.store.reserve(1)?;
        let cell = self.lasting_cell(value);
        self.globals.on_heap = true;
        self.global_variable(name)?.value = Value::Kept(cell);
        Ok(())
    }

    /// Sets a variable to a copy of a term, for good.
    ///
    /// # Errors
    /// There is no room; then its value is as before.
    pub(crate) fn set_global(&mut self, name: Atom, value: Cell) -> Result<(), OutOfMemory> {
        if !value.is_simple() && self.store.has_eigenvariables() {
            let stored = self.store.keep_term(value, Attrs::Keep)?;
            return self.put_global(name, Value::Stored(stored));
        }
        let value = self.store.duplicate_term(value, Attrs::Keep)?;
        if value.is_simple() {
            return self.put_global(name, Value::Simple(value));
        }
        if let Value::Kept(cell) = self.global_variable(name)?.value {
            raw::set_cell(cell.addr(), value);
            self.keep_heap(0);
        } else {
            self.move_in(name, value)?;
        }
        self.unset_local(name);
        Ok(())
    }

    fn put_global(&mut self, name: Atom, value: Value) -> Result<(), OutOfMemory> {
        self.global_variable(name)?.value = value;
        self.unset_local(name);
        Ok(())
    }

    /// Nothing hides the value for good any more.
    fn unset_local(&mut self, name: Atom) {
        let variable = self.globals.table.get(&name);
        if let Some(cell) = variable.and_then(|variable| variable.local) {
            raw::set_cell(cell.addr(), Cell::ABSENT);
        }
    }

    /// Has the variable a value?
    pub(crate) fn has_global(&self, name: Atom) -> bool {
        let variable = self.globals.table.get(&name);
        variable.is_some_and(Variable::has_value)
    }

    /// The names of the variables that have values, in the order of their atoms.
    pub(crate) fn global_names(&self) -> Vec<Atom> {
        let table = self.globals.table.iter();
        let with_value = table.filter(|(_, variable)| variable.has_value());
        let mut names = with_value.map(|(&name, _)| name).gather();
        names.sort_unstable();
        names
    }

    /// Takes the values off the heap, which is about to be emptied.
    pub(super) fn settle_globals(&mut self) {
        if !std::mem::take(&mut self.globals.on_heap) {
            return;
        }
        let mut values = self.globals.table.values();
        if values.any(|variable| matches!(variable.value, Value::Kept(_))) {
            // What was bound and assigned until backtracking is so no more.
            self.store.undo_terms();
        }
        for variable in self.globals.table.values_mut() {
            if let Value::Kept(cell) = variable.value {
                // A value that there is no memory for at all is lost: its variable has none then.
                let moved = self.store.move_out(raw::cell(cell.addr()));
                variable.value = moved.map_or(Value::None, Value::Stored);
            }
            variable.local = None;
        }
    }
}
