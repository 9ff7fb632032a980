//! A flow from variables to keys, where each key takes a number of variables between two bounds; and the edges that
//! no such flow has.

use super::components::{NODE, components};
use crate::base::growth::{Grow, GrowAt, GrowBy, with_room};
use crate::base::stop::Stop;
use crate::base::watch::Watch;

/// No key, or no variable.
const NONE: u32 = u32::MAX;

/// A graph of variables and the keys that they may have.
#[derive(Debug, Default)]
pub(crate) struct Flow {
    /// The least and the greatest number of variables that each key takes.
    bounds: Vec<(usize, usize)>,
    /// The variables of each key.
    members: Vec<Vec<u32>>,
    /// End of the keys of each variable in `edges`.
    ends: Vec<usize>,
    /// Keys by variable, in ascending order.
    edges: Vec<u32>,
    /// The key of each variable; before the search, the key to begin with.
    key_of: Vec<u32>,
}

impl Flow {
    /// Adds a key with its bounds.
    pub(crate) fn add_key(&mut self, least: usize, most: usize) -> Result<(), Stop> {
        self.bounds.put((least, most))?;
        self.members.put(Vec::new())
    }

    /// Adds a key to those of the next variable.
    pub(crate) fn add_edge(&mut self, key: usize) -> Result<(), Stop> {
        self.edges.put(key as u32)
    }

    /// Adds a variable with the keys that were added. `former` is the key that it had before, if any.
    pub(crate) fn end_variable(&mut self, former: Option<usize>) -> Result<(), Stop> {
        self.ends.put(self.edges.len())?;
        self.key_of.put(former.map_or(NONE, |key| key as u32))
    }

    /// Returns the key that a variable was given.
    pub(crate) fn key_of(&self, variable: usize) -> usize {
        self.key_of[variable] as usize
    }

    fn edges_of(&self, variable: usize) -> &[u32] {
        let start = if variable == 0 {
            0
        } else {
            self.ends[variable - 1]
        };
        &self.edges[start..self.ends[variable]]
    }

    fn has_room(&self, key: u32) -> bool {
        self.members[key as usize].len() < self.bounds[key as usize].1
    }

    fn give(&mut self, variable: u32, key: u32) -> Result<(), Stop> {
        let former = self.key_of[variable as usize];
        if former != NONE {
            self.members[former as usize].retain(|&member| member != variable);
        }
        self.key_of[variable as usize] = key;
        self.members[key as usize].put(variable)
    }

    /// Gives every variable one of its keys, so that every key has as many variables as its bounds permit. Returns
    /// false if that is impossible.
    pub(crate) fn find(&mut self, watch: &Watch) -> Result<bool, Stop> {
        let mut rest = Vec::new();
        for variable in 0..self.key_of.len() {
            watch.go_on_at(variable * NODE)?;
            let former = std::mem::replace(&mut self.key_of[variable], NONE);
            let keys = self.edges_of(variable);
            let key = match keys.binary_search(&former) {
                Ok(_) if self.has_room(former) => Some(former),
                _ => keys.iter().copied().find(|&key| self.has_room(key)),
            };
            match key {
                Some(key) => self.give(variable as u32, key)?,
                None => rest.put(variable as u32)?,
            }
        }
        for variable in rest {
            if !self.place(variable, watch)? {
                return Ok(false);
            }
        }
        let mut by_key: Vec<Vec<u32>> = Vec::new();
        for key in 0..self.bounds.len() {
            while self.members[key].len() < self.bounds[key].0 {
                if by_key.is_empty() {
                    by_key = self.by_key(watch)?;
                }
                if !self.fetch(key as u32, &by_key, watch)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Returns the variables that may have each key.
    fn by_key(&self, watch: &Watch) -> Result<Vec<Vec<u32>>, Stop> {
        let mut by_key: Vec<Vec<u32>> = with_room(self.bounds.len())?;
        by_key.fill_to(self.bounds.len(), Vec::new())?;
        for variable in 0..self.key_of.len() {
            watch.go_on_at(variable * NODE)?;
            for &key in self.edges_of(variable) {
                by_key[key as usize].put(variable as u32)?;
            }
        }
        Ok(by_key)
    }

    /// Gives a variable a key and other variables other keys, so that all keys have room.
    fn place(&mut self, root: u32, watch: &Watch) -> Result<bool, Stop> {
        // For each key reached, the variable that leads to it.
        let mut from = with_room(self.bounds.len())?;
        from.fill_to(self.bounds.len(), NONE)?;
        let mut queue = vec![root];
        let mut at = 0;
        while let Some(&variable) = queue.get(at) {
            at += 1;
            watch.go_on_at(at * NODE)?;
            let start = self.ends[variable as usize] - self.edges_of(variable as usize).len();
            for edge in start..self.ends[variable as usize] {
                let mut key = self.edges[edge];
                if from[key as usize] != NONE {
                    continue;
                }
                from[key as usize] = variable;
                if !self.has_room(key) {
                    queue.put_all(self.members[key as usize].iter().copied())?;
                    continue;
                }
                loop {
                    let variable = from[key as usize];
                    let former = self.key_of[variable as usize];
                    self.give(variable, key)?;
                    if variable == root {
                        return Ok(true);
                    }
                    key = former;
                }
            }
        }
        Ok(false)
    }

    /// Gives a key another variable. A key with more variables than it needs gives one away, perhaps through other
    /// keys.
    fn fetch(&mut self, root: u32, by_key: &[Vec<u32>], watch: &Watch) -> Result<bool, Stop> {
        // The variable that each key gives away, and the key that gets it.
        let mut to = with_room(self.bounds.len())?;
        to.fill_to(self.bounds.len(), (NONE, NONE))?;
        let mut queue = vec![root];
        let mut at = 0;
        while let Some(&key) = queue.get(at) {
            at += 1;
            watch.go_on_at(at * NODE)?;
            for &variable in &by_key[key as usize] {
                let mut giver = self.key_of[variable as usize];
                if giver == root || to[giver as usize].0 != NONE {
                    continue;
                }
                to[giver as usize] = (variable, key);
                if self.members[giver as usize].len() <= self.bounds[giver as usize].0 {
                    queue.put(giver)?;
                    continue;
                }
                while giver != root {
                    let (variable, taker) = to[giver as usize];
                    self.give(variable, taker)?;
                    giver = taker;
                }
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns the edges that no flow has, as numbers of variable and key.
    ///
    /// A variable can have another key if a cycle of the graph contains both keys. A key leads to the keys that its
    /// variables may have. If it can lose a variable, it also leads to all keys with room.
    pub(crate) fn inconsistent(&self, watch: &Watch) -> Result<Vec<(usize, usize)>, Stop> {
        let keys = self.bounds.len();
        // The last node stands for all keys with room, and for keys that can lose a variable.
        let mut targets: Vec<Vec<u32>> = with_room(keys + 1)?;
        targets.fill_to(keys + 1, Vec::new())?;
        for key in 0..keys {
            watch.go_on_at(key * NODE)?;
            for &member in &self.members[key] {
                targets[key].put_slice(self.edges_of(member as usize))?;
            }
            if self.has_room(key as u32) {
                targets[key].put(keys as u32)?;
            }
            if self.members[key].len() > self.bounds[key].0 {
                targets[keys].put(key as u32)?;
            }
        }
        let successor = |node: u32, nth: usize| targets[node as usize].get(nth).copied();
        let component = components(keys + 1, successor, watch)?;
        let mut removals = Vec::new();
        for variable in 0..self.key_of.len() {
            watch.go_on_at(variable * NODE)?;
            let own = component[self.key_of(variable)];
            for &key in self.edges_of(variable) {
                if component[key as usize] != own {
                    removals.put((variable, key as usize))?;
                }
            }
        }
        Ok(removals)
    }
}
