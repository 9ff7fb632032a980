//! A matching of variables with values, and the edges that no maximum matching has.

use super::components::NODE;
use crate::base::atom_table::FastMap;
use crate::base::growth::{Grow, GrowAt, GrowMap, with_room};
use crate::base::stop::Stop;
use crate::base::watch::Watch;

/// No variable, or no value.
const NONE: u32 = u32::MAX;

/// A graph of variables and the values that they may have.
#[derive(Debug, Default)]
pub(crate) struct Matching {
    /// Values by number.
    values: Vec<i64>,
    numbers: FastMap<i64, u32>,
    /// Start of the values of each variable in `edges`, and the end of the last ones.
    starts: Vec<u32>,
    /// The numbers of the possible values of the variables, one variable after another.
    edges: Vec<u32>,
    /// The value of each variable.
    value_of: Vec<u32>,
    /// The variable of each value.
    variable_of: Vec<u32>,
}

impl Matching {
    /// Adds a variable with these values.
    pub(crate) fn add_variable(&mut self, values: impl Iterator<Item = i64>) -> Result<(), Stop> {
        if self.starts.is_empty() {
            self.starts.put(0)?;
        }
        for value in values {
            let number = match self.numbers.get(&value) {
                Some(&number) => number,
                None => {
                    let number = self.values.len() as u32;
                    self.numbers.try_reserve(1)?;
                    self.numbers.put_entry(value, number)?;
                    self.values.put(value)?;
                    self.variable_of.put(NONE)?;
                    number
                }
            };
            self.edges.put(number)?;
        }
        self.starts.put(self.edges.len() as u32)?;
        self.value_of.put(NONE)
    }

    fn edges_of(&self, variable: u32) -> std::ops::Range<usize> {
        self.starts[variable as usize] as usize..self.starts[variable as usize + 1] as usize
    }

    /// Matches every variable with a value of its own. Returns false if that is impossible.
    pub(crate) fn find(&mut self, watch: &Watch) -> Result<bool, Stop> {
        let count = self.value_of.len();
        // The variable from which each value was reached in the search of this round.
        let mut reached_from = with_room(self.values.len())?;
        reached_from.fill_to(self.values.len(), NONE)?;
        let mut round_of = with_room(self.values.len())?;
        round_of.fill_to(self.values.len(), NONE)?;
        let mut queue: Vec<u32> = with_room(count)?;
        let mut visited = 0;
        for root in 0..count as u32 {
            queue.clear();
            queue.put(root)?;
            let mut at = 0;
            let mut free = None;
            'search: while let Some(&variable) = queue.get(at) {
                at += 1;
                visited += NODE;
                watch.go_on_at(visited)?;
                for edge in self.edges_of(variable) {
                    let value = self.edges[edge];
                    if round_of[value as usize] == root {
                        continue;
                    }
                    round_of[value as usize] = root;
                    reached_from[value as usize] = variable;
                    match self.variable_of[value as usize] {
                        NONE => {
                            free = Some(value);
                            break 'search;
                        }
                        next => queue.put(next)?,
                    }
                }
            }
            let Some(mut value) = free else {
                return Ok(false);
            };
            loop {
                let variable = reached_from[value as usize];
                let former = self.value_of[variable as usize];
                self.value_of[variable as usize] = value;
                self.variable_of[value as usize] = variable;
                if former == NONE {
                    break;
                }
                value = former;
            }
        }
        Ok(true)
    }

    /// Returns the edges that no matching of all variables has, as number of the variable and value.
    ///
    /// Edges of the matching lead from variable to value, the others from value to variable. The result is the edges
    /// outside of the matching that lead from one component of this graph to another. It omits edges whose value is
    /// free or can become free.
    pub(crate) fn inconsistent(&self, watch: &Watch) -> Result<Vec<(usize, i64)>, Stop> {
        let components = self.components(watch)?;
        let reached = self.reached_from_free(watch)?;
        let mut removals = Vec::new();
        for variable in 0..self.value_of.len() {
            watch.go_on_at(variable * NODE)?;
            for edge in self.edges_of(variable as u32) {
                let value = self.edges[edge];
                let other = self.variable_of[value as usize];
                if other == NONE || other as usize == variable {
                    continue;
                }
                let other = other as usize;
                if !reached[other] && components[other] != components[variable] {
                    removals.put((variable, self.values[value as usize]))?;
                }
            }
        }
        Ok(removals)
    }

    /// Returns which variables can give their values to others, because a path leads from them to a free value.
    fn reached_from_free(&self, watch: &Watch) -> Result<Vec<bool>, Stop> {
        let count = self.value_of.len();
        let mut by_value: Vec<Vec<u32>> = with_room(self.values.len())?;
        by_value.fill_to(self.values.len(), Vec::new())?;
        for variable in 0..count as u32 {
            watch.go_on_at(variable as usize * NODE)?;
            for edge in self.edges_of(variable) {
                by_value[self.edges[edge] as usize].put(variable)?;
            }
        }
        let mut reached = with_room(count)?;
        reached.fill_to(count, false)?;
        let mut stack: Vec<u32> = Vec::new();
        for (value, &variable) in self.variable_of.iter().enumerate() {
            if variable == NONE {
                stack.put(value as u32)?;
            }
        }
        let mut visited = 0;
        while let Some(value) = stack.pop() {
            visited += NODE;
            watch.go_on_at(visited)?;
            for &variable in &by_value[value as usize] {
                if !reached[variable as usize] {
                    reached[variable as usize] = true;
                    stack.put(self.value_of[variable as usize])?;
                }
            }
        }
        Ok(reached)
    }

    /// Returns the strongly connected component of each variable. A variable leads to those whose values it may have.
    fn components(&self, watch: &Watch) -> Result<Vec<u32>, Stop> {
        let successor = |variable: u32, nth: usize| {
            let edge = self.edges_of(variable).nth(nth)?;
            match self.variable_of[self.edges[edge] as usize] {
                // It leads nowhere.
                NONE => Some(variable),
                other => Some(other),
            }
        };
        super::components::components(self.value_of.len(), successor, watch)
    }
}

/// A graph of at most `N` variables and 64 values, with edges in words of bits. `N` is at most 64.
pub(crate) struct SmallMatching<const N: usize> {
    /// The values that each variable may have.
    domains: [u64; N],
    count: usize,
    /// The value of each variable.
    value_of: [u8; N],
    /// The variable of each taken value.
    variable_of: [u8; 64],
    /// Values that are taken.
    taken: u64,
}

impl<const N: usize> SmallMatching<N> {
    /// Makes a graph without variables.
    pub(crate) fn new() -> SmallMatching<N> {
        SmallMatching {
            domains: [0; N],
            count: 0,
            value_of: [0; N],
            variable_of: [0; 64],
            taken: 0,
        }
    }

    /// Adds a variable that may have the values whose bits are set.
    pub(crate) fn add_variable(&mut self, values: u64) {
        self.domains[self.count] = values;
        self.count += 1;
    }

    /// Matches every variable with a value of its own. Returns false if that is impossible.
    pub(crate) fn find(&mut self) -> bool {
        (0..self.count).all(|variable| {
            let free = self.domains[variable] & !self.taken;
            if free != 0 {
                self.take(variable, free.trailing_zeros() as u8);
                return true;
            }
            self.augment(variable)
        })
    }

    fn take(&mut self, variable: usize, value: u8) {
        self.value_of[variable] = value;
        self.variable_of[value as usize] = variable as u8;
        self.taken |= 1 << value;
    }

    /// Finds a value for a variable all of whose values are taken, breadth first.
    fn augment(&mut self, root: usize) -> bool {
        let mut reached = 0;
        let mut reached_from = [0u8; 64];
        let mut queue = [0u8; N];
        (queue[0], reached_from[0]) = (root as u8, 0);
        let (mut at, mut end) = (0, 1);
        while at < end {
            let variable = queue[at] as usize;
            at += 1;
            let free = self.domains[variable] & !self.taken;
            if free != 0 {
                let (mut variable, mut value) = (variable, free.trailing_zeros() as u8);
                loop {
                    let former = self.value_of[variable];
                    self.take(variable, value);
                    if variable == root {
                        return true;
                    }
                    value = former;
                    variable = reached_from[value as usize] as usize;
                }
            }
            let mut values = self.domains[variable] & !reached;
            reached |= values;
            while values != 0 {
                let value = values.trailing_zeros() as usize;
                values &= values - 1;
                reached_from[value] = variable as u8;
                queue[end] = self.variable_of[value];
                end += 1;
            }
        }
        false
    }

    /// Returns the values that each variable keeps: see [`Matching::inconsistent`].
    pub(crate) fn consistent(&self) -> [u64; N] {
        // Values that are free or can become free.
        let mut loose = !self.taken;
        let mut fixed = 0u64;
        loop {
            let before = loose;
            for variable in 0..self.count {
                if fixed >> variable & 1 == 0 && self.domains[variable] & loose != 0 {
                    loose |= 1 << self.value_of[variable];
                    fixed |= 1 << variable;
                }
            }
            if loose == before {
                break;
            }
        }
        let mut kept = [0; N];
        let components = self.components();
        for variable in 0..self.count {
            let own = 1 << self.value_of[variable];
            kept[variable] = self.domains[variable] & (loose | own | components[variable]);
        }
        kept
    }

    /// Returns the values of the variables in the strongly connected component of each variable.
    fn components(&self) -> [u64; N] {
        let mut values_of = [0u64; N];
        let mut order = [0u8; N];
        let mut low = [0u8; N];
        let mut rest = [0u64; N];
        let mut open = [0u8; N];
        let mut path = [0u8; N];
        let (mut next, mut opened, mut settled) = (0u8, 0, 0u64);
        for root in 0..self.count {
            if order[root] != 0 {
                continue;
            }
            let mut depth = 1;
            path[0] = root as u8;
            while depth > 0 {
                let variable = path[depth - 1] as usize;
                if order[variable] == 0 {
                    next += 1;
                    (order[variable], low[variable]) = (next, next);
                    rest[variable] =
                        self.domains[variable] & self.taken & !(1 << self.value_of[variable]);
                    open[opened] = variable as u8;
                    opened += 1;
                }
                if rest[variable] != 0 {
                    let value = rest[variable].trailing_zeros() as usize;
                    rest[variable] &= rest[variable] - 1;
                    let to = self.variable_of[value] as usize;
                    if order[to] == 0 {
                        path[depth] = to as u8;
                        depth += 1;
                    } else if settled >> to & 1 == 0 {
                        low[variable] = low[variable].min(order[to]);
                    }
                    continue;
                }
                depth -= 1;
                if depth > 0 {
                    let above = path[depth - 1] as usize;
                    low[above] = low[above].min(low[variable]);
                }
                if low[variable] == order[variable] {
                    let mut first = opened;
                    let mut values = 0;
                    while first > 0 {
                        first -= 1;
                        let member = open[first] as usize;
                        values |= 1 << self.value_of[member];
                        settled |= 1 << member;
                        if member == variable {
                            break;
                        }
                    }
                    for &member in &open[first..opened] {
                        values_of[member as usize] = values;
                    }
                    opened = first;
                }
            }
        }
        values_of
    }
}
