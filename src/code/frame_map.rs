//! The word that a frame is read by: how many slots it has, which of them are alive, which of these are cut levels. It
//! stands before the address of each continuation, and where the code of a clause tells of the clause's own frame.

/// The mask of a call site, or of an own frame, covers so many slots, from bit 16 on. All above are valid at
/// all times.
pub(crate) const MASKED_SLOTS: usize = 47;

/// The mark of a call site from which its clause cannot be gone on with elsewhere: what comes after the call
/// cuts choice points that are older than the call, collects solutions or ends a scope.
pub(crate) const BARRIER: u64 = 1 << 63;

/// A frame of at most so many slots says which of the live ones are cut levels, in bits above those of the live ones. A
/// larger one has no bits for them: a call site is a barrier then, if cut levels are alive at it.
pub(crate) const LEVEL_SLOTS: usize = 23;

/// Where these bits begin.
const LEVELS: usize = 16 + LEVEL_SLOTS;

/// The word that a frame is read by: its size, which of the first slots are alive, which of these are cut levels.
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

/// The live slots of a call site or of an own frame, among those that its mask covers.
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

/// The live slots of a call site or of an own frame that hold cut levels: distances from the base of the choice points.
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

    /// Of each size the word gives back what it was made of; of cut levels in a large frame that there are some.
    #[test]
    fn frames_are_read_as_they_were_written() {
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
