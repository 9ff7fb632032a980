//! Frame maps: words that describe a frame by its number of slots, its live slots and the cut levels among these. The
//! word before the address of each continuation is a frame map. Instructions that describe the clause's own frame hold
//! one too.

/// Number of slots that the mask of a frame map covers, from bit 16 on. Slots above these hold valid cells at all
/// times.
pub(crate) const MASKED_SLOTS: usize = 47;

/// The mark of a call site whose continuation cannot be stored and resumed elsewhere. The rest of its clause cuts
/// choice points that are older than the call, collects solutions or ends a scope.
pub(crate) const BARRIER: u64 = 1 << 63;

/// Largest number of slots of a frame whose map has bits for cut levels, above the bits of the live slots. The map of a
/// larger frame has no bits for them; its call site is a barrier if cut levels are alive there.
pub(crate) const LEVEL_SLOTS: usize = 23;

/// The lowest bit of the cut levels.
const LEVELS: usize = 16 + LEVEL_SLOTS;

/// Returns the frame map of a frame with `size` slots. `live` has bits for the live slots among the first ones, `levels`
/// for the cut levels among these.
pub(crate) const fn frame_map(size: usize, live: u64, levels: u64) -> u64 {
    let map = size as u64 | live << 16;
    if levels == 0 {
        map
    } else if size <= LEVEL_SLOTS {
        map | levels << LEVELS
    } else {
        map | BARRIER
    }
}

/// Returns the live slots of a frame map, among those that its mask covers.
#[inline(always)]
pub(crate) const fn live_slots(map: u64) -> u64 {
    let size = (map & 0xffff) as usize;
    let masked = if size < MASKED_SLOTS {
        size
    } else {
        MASKED_SLOTS
    };
    (map >> 16) & ((1 << masked) - 1)
}

/// Returns the live slots of a frame map that hold cut levels. A cut level is a distance from the base of the choice
/// stack.
#[inline(always)]
pub(crate) const fn level_slots(map: u64) -> u64 {
    let size = (map & 0xffff) as usize;
    if size <= LEVEL_SLOTS {
        (map & !BARRIER) >> LEVELS
    } else {
        0
    }
}

const _: () = assert!(LEVELS + LEVEL_SLOTS < 63, "the bits end below the mark");

#[cfg(test)]
mod tests {
    use super::{BARRIER, LEVEL_SLOTS, MASKED_SLOTS, frame_map, level_slots, live_slots};

    /// Checks for each size that a frame map returns the values that it was made from. For a large frame it only says
    /// whether there are cut levels.
    #[test]
    fn frame_maps_return_their_values() {
        for size in 0..=MASKED_SLOTS + 2 {
            let all = (1 << size.min(MASKED_SLOTS)) - 1;
            for live in
                [0, 1, 0x55_5555_5555_5555, 0x12_3456_789a_bcde, u64::MAX].map(|live| live & all)
            {
                for levels in [0, 1, 0x42_2222_2222_2222, u64::MAX].map(|levels| levels & live) {
                    let map = frame_map(size, live, levels);
                    assert_eq!((map & 0xffff) as usize, size);
                    assert_eq!(live_slots(map), live);
                    if size <= LEVEL_SLOTS {
                        assert_eq!(level_slots(map | BARRIER), levels);
                        assert_eq!(map & BARRIER, 0);
                    } else {
                        assert_eq!(level_slots(map), 0);
                        assert_eq!(map & BARRIER != 0, levels != 0);
                    }
                }
            }
        }
    }
}
