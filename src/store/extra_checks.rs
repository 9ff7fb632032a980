//! Checks of every access to memory, in builds with the feature `extra-checks`: that the address is of its area, and
//! that memory is there. What is given up of the heap is overwritten, so that a cell that still leads there is noticed.
#![forbid(unsafe_code)]

use super::cell::WORD;
use std::sync::{PoisonError, RwLock};

/// What the words are that were given up: no cell, atom, instruction or address.
pub(super) const GIVEN_UP: u64 = 0x5a5a_5a5a_5a5a_5a5a;

/// The areas of an engine.
#[derive(Debug)]
struct Window {
    /// Where they begin, one `size` after the other.
    base: u64,
    size: u64,
    /// The addresses after what is mapped of each.
    ends: [u64; 4],
}

static WINDOWS: RwLock<Vec<Window>> = RwLock::new(Vec::new());

/// So much of the areas is mapped now that begin at `base`, each of them `size` bytes long; the last has two such parts.
#[expect(clippy::disallowed_methods, reason = "builds for tests alone have it")]
pub(super) fn mapped(base: u64, size: u64, ends: [u64; 4]) {
    let mut windows = WINDOWS.write().unwrap_or_else(PoisonError::into_inner);
    match windows.iter_mut().find(|window| window.base == base) {
        Some(window) => window.ends = ends,
        None => windows.push(Window { base, size, ends }),
    }
}

/// The areas that begin at `base` are gone.
pub(super) fn gone(base: u64) {
    let mut windows = WINDOWS.write().unwrap_or_else(PoisonError::into_inner);
    windows.retain(|window| window.base != base);
}

/// Panics if no word of these areas, numbers of which are bits of `areas`, lies at `address`, or, if they are
/// `elsewhere`, in no area at all.
pub(super) fn check(address: u64, areas: u8, elsewhere: bool) {
    assert!(
        address >= 4096 && address.is_multiple_of(WORD),
        "no word: {address:#x}"
    );
    let windows = WINDOWS.read().unwrap_or_else(PoisonError::into_inner);
    let within = |window: &&Window| (window.base..window.ends[3]).contains(&address);
    let Some(window) = windows.iter().find(within) else {
        assert!(elsewhere, "no word of areas {areas:b}: {address:#x}");
        return;
    };
    let area = ((address - window.base) / window.size).min(3) as usize;
    assert!(
        areas & 1 << area != 0,
        "a word of area {area}, not of {areas:b}: {address:#x}"
    );
    assert!(
        address < window.ends[area],
        "beyond the end of area {area}: {address:#x}"
    );
}
