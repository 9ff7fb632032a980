//! Checks of every access to memory, in builds with the feature `extra-checks`: the address must be in its area, and
//! memory must be mapped there. Freed parts of the heap are overwritten, so a cell that still points there is
//! noticed.
#![forbid(unsafe_code)]

use super::cell::WORD;
use std::sync::{PoisonError, RwLock};

/// The value of freed words: no cell, atom, instruction or address.
pub(super) const GIVEN_UP: u64 = 0x5a5a_5a5a_5a5a_5a5a;

/// The areas of an engine.
#[derive(Debug)]
struct Window {
    /// First address of the areas, which follow one another, each of `size` bytes.
    base: u64,
    size: u64,
    /// The address after the mapped part of each area.
    ends: [u64; 4],
}

static WINDOWS: RwLock<Vec<Window>> = RwLock::new(Vec::new());

/// Notes the mapped parts of the areas that begin at `base`. Each area is `size` bytes long; the last has twice that
/// size.
#[expect(clippy::disallowed_methods, reason = "builds for tests alone have it")]
pub(super) fn mapped(base: u64, size: u64, ends: [u64; 4]) {
    let mut windows = WINDOWS.write().unwrap_or_else(PoisonError::into_inner);
    match windows.iter_mut().find(|window| window.base == base) {
        Some(window) => window.ends = ends,
        None => windows.push(Window { base, size, ends }),
    }
}

/// Notes that the areas that begin at `base` are gone.
pub(super) fn gone(base: u64) {
    let mut windows = WINDOWS.write().unwrap_or_else(PoisonError::into_inner);
    windows.retain(|window| window.base != base);
}

/// Panics if `address` is no address of a word in one of these areas. The bits of `areas` are the numbers of the
/// areas. Words that are `elsewhere` may also be outside of all areas.
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
