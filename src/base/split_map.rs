//! A map from words that may grow large. Beyond some size it consists of many tables, so no growth of one takes
//! long, and the code that fills the map can check in time whether to go on.
#![forbid(unsafe_code)]

use super::atom_table::FastMap;
use super::growth::{GrowMap, Within};
use super::stop::Stop;

/// Entries of the single table that the map begins with.
const FEW: usize = 1 << 14;
/// Tables of a large map.
const TABLES: u64 = 256;
/// Low bits that do not matter for the choice of a table: keys that differ only in these are in the same table.
const NEIGHBOURS: u32 = 9;

/// A map from words.
pub(crate) struct SplitMap<V> {
    first: FastMap<u64, V>,
    /// All entries, once the map is large.
    tables: Vec<FastMap<u64, V>>,
}

impl<V> Default for SplitMap<V> {
    fn default() -> SplitMap<V> {
        SplitMap {
            first: FastMap::default(),
            tables: Vec::new(),
        }
    }
}

impl<V> SplitMap<V> {
    fn number(key: u64) -> usize {
        ((key >> NEIGHBOURS) % TABLES) as usize
    }

    fn table(&self, key: u64) -> &FastMap<u64, V> {
        self.tables
            .get(SplitMap::<V>::number(key))
            .unwrap_or(&self.first)
    }

    fn table_mut(&mut self, key: u64) -> &mut FastMap<u64, V> {
        self.tables
            .get_mut(SplitMap::<V>::number(key))
            .unwrap_or(&mut self.first)
    }

    /// Returns the value of a key.
    pub(crate) fn get(&self, key: u64) -> Option<&V> {
        self.table(key).get(&key)
    }

    /// Returns the value of a key, mutably.
    pub(crate) fn get_mut(&mut self, key: u64) -> Option<&mut V> {
        self.table_mut(key).get_mut(&key)
    }

    /// Returns whether the key has a value.
    pub(crate) fn holds(&self, key: u64) -> bool {
        self.get(key).is_some()
    }

    /// Gives the key this value. Returns the value before.
    pub(crate) fn insert(&mut self, key: u64, value: V) -> Result<Option<V>, Stop> {
        if self.tables.is_empty() && self.first.len() == FEW {
            self.split()?;
        }
        let table = self.table_mut(key);
        table.put_entry(key, value)
    }

    fn split(&mut self) -> Result<(), Stop> {
        self.tables.try_reserve_exact(TABLES as usize)?;
        self.tables
            .put_all_within((0..TABLES).map(|_| FastMap::default()));
        for (key, value) in std::mem::take(&mut self.first) {
            let table = &mut self.tables[SplitMap::<V>::number(key)];
            table.put_entry(key, value)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{FEW, SplitMap};

    #[test]
    fn holds_what_was_put_in_before_and_after_it_is_split() {
        let mut map = SplitMap::default();
        let keys = || (0..3 * FEW as u64).map(|number| number * 24);
        for key in keys() {
            assert_eq!(map.insert(key, key + 1), Ok(None));
        }
        assert!(keys().all(|key| map.get(key) == Some(&(key + 1)) && !map.holds(key + 1)));
        assert_eq!(map.insert(24, 7), Ok(Some(25)));
        assert_eq!(map.get(24), Some(&7));
    }
}
