//! The active goals of a trace, as terms on the heap, and the names of their variables.
#![forbid(unsafe_code)]

use super::tracer::{GoalPlace, Mode, Port, Spy, frame};
use crate::base::atom_table::{Atom, FastMap, atoms, functors};
use crate::base::growth::{Gather, Grow, GrowMap, GrowTable, with_room};
use crate::base::stop::Stop;
use crate::machine::contexts::slots::word;
use crate::machine::control::called_goal::goal_term;
use crate::machine::control::throw::{Ball, Throw};
use crate::machine::frames::frame::code_cell;
use crate::machine::ops::guard::depths;
use crate::machine::state::Machine;
use crate::program::predicate::PredId;
use crate::store::address::CodeAddr;
use crate::store::cell::{Cell, WORD};
use crate::store::heap::{View, deref};
use crate::store::raw;

impl Machine {
    /// Returns an argument of the term of an active goal.
    pub(crate) fn frame_arg(&self, goal: Cell, index: usize) -> Cell {
        match self.store.compound(goal) {
            Some((_, args)) => self.store.arg(args, index),
            None => Cell::int(0),
        }
    }

    /// Returns an argument that is an integer.
    pub(crate) fn frame_int(&self, goal: Cell, index: usize) -> i64 {
        match self.store.view(self.frame_arg(goal, index)) {
            View::Int(value) => value,
            _ => 0,
        }
    }

    /// Returns the innermost traced goal; `None` if there is no term of [`frame`].
    pub(crate) fn traced_goal(&self) -> Option<Cell> {
        let cell = raw::cell(self.run.contexts.word(word::TRACE));
        self.is_frame(cell).then_some(cell)
    }

    /// Forgets all active goals until backtracking undoes this, because a nested query begins.
    pub(crate) fn forget_traced_goals(&mut self) {
        self.set_context(word::TRACE, Cell::atom(atoms::NIL));
        self.forget_calls();
    }

    /// Returns the goal that called this one.
    pub(crate) fn traced_parent(&self, goal: Cell) -> Option<Cell> {
        let parent = self.frame_arg(goal, frame::PARENT);
        self.is_frame(parent).then_some(parent)
    }

    fn is_frame(&self, cell: Cell) -> bool {
        matches!(
            self.store.view(cell),
            View::Struct(functors::TRACED_GOAL, _)
        )
    }

    /// Returns whether the tracer may show goals that the present goal calls.
    pub(in crate::machine) fn may_show(&self) -> bool {
        match self.run.observers.tracer.mode {
            Mode::Off | Mode::Leap => false,
            Mode::Creep => true,
            Mode::Skip(highest) => self.depth_of_calls() <= highest,
        }
    }

    /// Returns whether the tracer shows goals that continue at this place.
    pub(in crate::machine) fn shows(&mut self, stand: GoalPlace) -> bool {
        self.may_show()
            && match self.run.observers.tracer.mode {
                Mode::Skip(highest) => self.depth_at(stand, highest) <= highest,
                _ => true,
            }
    }

    /// Returns the depth of the goals that the present goal calls, as far as traced goals give it.
    pub(in crate::machine) fn depth_of_calls(&self) -> i64 {
        match self.traced_goal() {
            Some(goal) => self.frame_int(goal, frame::DEPTH) + 1,
            None => 1,
        }
    }

    /// Returns the goal in the registers as a term, with its number, depth, parent, predicate and address.
    pub(in crate::machine) fn new_frame(
        &mut self,
        id: PredId,
        (site, stand): (CodeAddr, GoalPlace),
    ) -> Result<Cell, Stop> {
        let depth = self.depth_at(stand, i64::MAX);
        let parent = self.traced_goal().unwrap_or(Cell::atom(atoms::NIL));
        let goal = goal_term(self, id)?;
        self.store.reserve(1 + frame::COUNT)?;
        self.run.observers.tracer.count += 1;
        let parts: [Cell; frame::COUNT] = [
            goal,
            Cell::int(self.run.observers.tracer.count),
            Cell::int(depth),
            parent,
            Cell::int(i64::from(id.0)),
            code_cell(site),
            depths(self),
        ];
        Ok(self.store.new_struct(functors::TRACED_GOAL, &parts))
    }

    /// Returns the present values of the variables that got names on the present branch, oldest first.
    pub(crate) fn named_variables(&self) -> Result<Vec<Cell>, Stop> {
        self.variables_and_names()?
            .into_iter()
            .map(|it| it.0)
            .gather()
    }

    /// Returns the present values of the named variables, oldest first, with the names that the query gives them.
    fn variables_and_names(&self) -> Result<Vec<(Cell, Option<Atom>)>, Stop> {
        let mut known = Vec::new();
        let mut rest = raw::cell(self.run.contexts.word(word::NAMES));
        while let View::List(pair) = self.store.view(rest) {
            let item = deref(raw::cell(pair));
            known.put(match self.store.compound(item) {
                Some((functors::MINUS2, parts)) => {
                    let name = match self.store.view(self.store.arg(parts, 0)) {
                        View::Atom(name) => Some(name),
                        _ => None,
                    };
                    (deref(self.store.arg(parts, 1)), name)
                }
                _ => (item, None),
            })?;
            rest = raw::cell(pair + WORD);
        }
        known.reverse();
        Ok(known)
    }

    /// Names the variables of a new query. No other variable has a name then.
    pub(crate) fn name_query_variables(&mut self, variables: &[(String, Cell)]) {
        if self.store.reserve(8 * variables.len()).is_err() {
            return;
        }
        let mut list = Cell::atom(atoms::NIL);
        for (name, variable) in variables {
            let Ok(name) = self.world.symbols.intern_passing(name) else {
                return;
            };
            let item = [Cell::atom(name), *variable];
            let item = self.store.new_struct(functors::MINUS2, &item);
            list = self.store.new_list(item, list);
        }
        self.set_context(word::NAMES, list);
    }

    /// Adds a variable to those with names.
    pub(crate) fn name_variable(&mut self, variable: Cell) {
        if self.store.reserve(4).is_ok() {
            let list = raw::cell(self.run.contexts.word(word::NAMES));
            let list = self.store.new_list(variable, list);
            self.set_context(word::NAMES, list);
        }
    }

    /// Removes all names of variables.
    pub(crate) fn forget_names(&mut self) {
        self.set_context(word::NAMES, Cell::atom(atoms::NIL));
    }

    /// Returns names for these variables. A variable keeps its name until it is bound.
    pub(crate) fn trace_names(&mut self, variables: &[Cell]) -> Result<Vec<(Cell, String)>, Stop> {
        let mut known = self.variables_and_names()?;
        let mut list = raw::cell(self.run.contexts.word(word::NAMES));
        if known.len() > MOST_NAMES {
            known.clear();
            list = Cell::atom(atoms::NIL);
        }
        // Variables that the query does not name are `_A`, `_B` and so on, in their order.
        let mut places: FastMap<u64, String> = FastMap::default();
        let mut count = 0;
        for (cell, name) in known {
            let name = match name {
                Some(name) => self.world.symbols.text(name).to_owned(),
                None => {
                    count += 1;
                    variable_name(count - 1)
                }
            };
            places.make_room()?;
            places.entry(cell.word()).or_insert(name);
        }
        let mut names = with_room(variables.len())?;
        for &variable in variables {
            if let Some(name) = places.get(&variable.word()) {
                names.put((variable, name.clone()))?;
                continue;
            }
            let name = variable_name(count);
            if self.store.reserve(4).is_ok() {
                places.put_entry(variable.word(), name.clone())?;
                count += 1;
                list = self.store.new_list(variable, list);
            }
            names.put((variable, name))?;
        }
        self.set_context(word::NAMES, list);
        Ok(names)
    }

    /// Returns the depth of the goal that an event belongs to, if the tracer records assumptions and their uses.
    pub(crate) fn traces_contexts(&mut self, event: super::recorder::Event) -> Option<i64> {
        self.run
            .observers
            .tracer
            .records
            .then(|| self.depth_of_context(event))
    }

    /// Returns whether the tracer shows this event of the contexts, whose goal has this depth.
    pub(crate) fn shows_context(&self, event: super::recorder::Event, depth: i64) -> bool {
        use super::recorder::Event as Happened;
        let port = match event {
            Happened::Assumed => Port::Assume,
            Happened::Used => Port::Consume,
            // Leftover resources explain why the next port is a failure.
            Happened::Left => Port::Fail,
            _ => return false,
        };
        let tracer = &self.run.observers.tracer;
        tracer.suspended == 0 && tracer.visible & port as u8 != 0 && tracer.shows_depth(depth)
    }

    /// Runs work of the system without tracing it. The work cannot change the mode of the tracer.
    pub(crate) fn untraced<T>(&mut self, work: impl FnOnce(&mut Machine) -> T) -> T {
        let mode = self.run.observers.tracer.mode;
        self.run.observers.tracer.suspended += 1;
        let result = work(self);
        self.run.observers.tracer.suspended = self.run.observers.tracer.suspended.saturating_sub(1);
        self.run.observers.tracer.mode = mode;
        result
    }
}

impl Machine {
    /// Returns the numbers of the active goals that an exception leaves, while goals are traced.
    pub(in crate::machine) fn traced_goals(&self, throw: &Throw) -> Vec<i64> {
        let mut numbers = Vec::new();
        // An aborted query shows no more ports, and a query over its limit ends at once.
        if let Ball::Aborted | Ball::Halt(_) | Ball::Spent(..) = throw.0.ball {
            return numbers;
        }
        let mut next = self
            .run
            .observers
            .tracer
            .is_on()
            .then(|| self.traced_goal())
            .flatten();
        while let Some(goal) = next {
            // Without room the outer goals are not shown.
            if numbers.put(self.frame_int(goal, frame::NUMBER)).is_err() {
                break;
            }
            next = self.traced_parent(goal);
        }
        numbers
    }

    /// Returns whether the spy point of this goal only shows its ports.
    pub(crate) fn only_shows(&self, goal: Cell) -> bool {
        let id = PredId(self.frame_int(goal, frame::PREDICATE) as u32);
        self.run.observers.tracer.spied.get(&self.definition(id)) == Some(&Spy::Show)
    }
}

/// Maximum number of variables with names at a time.
const MOST_NAMES: usize = 500;

/// Returns `_A`, …, `_Z`, `_A1`, …
fn variable_name(place: usize) -> String {
    let letter = char::from(b'A' + (place % 26) as u8);
    match place / 26 {
        0 => format!("_{letter}"),
        round => format!("_{letter}{round}"),
    }
}
