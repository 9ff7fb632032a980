//! The goal of a clause to which an instruction belongs: the places in the code where goals begin, with the numbers
//! of the goals. They are packed into bytes at the end of the block of the clause.
//!
//! Each place is a number of variable length, with the least significant group of seven bits first. The number is
//! four times the distance from the place before, in words, plus a code for the number of the goal. Codes 0 to 2 mean
//! that this number is greater by 1, 2 or 3. Code 3 means that another number with the difference follows, with its
//! sign in the lowest bit. Nearly all places take one byte. A byte 0 or the end of the words follows the last place.
//!
//! Nothing is kept if the only goal with code of its own is the first, as in a clause with a single call.

use crate::base::growth::Grow;
use crate::base::stop::Stop;
use crate::ir::clause::GoalNumber;

/// A place in the code where a goal begins, as a number of words, and the number of the goal.
pub(crate) type Site = (u32, GoalNumber);

/// The number of the goal of all instructions in a clause whose table is empty.
const ALONE: GoalNumber = 1;

/// Packs places, given in the order of the code. Returns whole words.
pub(in crate::program) fn pack(sites: &[Site]) -> Result<Vec<u64>, Stop> {
    if sites.iter().all(|&(_, number)| number == ALONE) {
        return Ok(Vec::new());
    }
    let mut bytes = Packer {
        words: Vec::with_capacity(sites.len() / 4 + 1),
        used: u64::BITS,
    };
    // The place before the first word, where no goal begins.
    let mut before = (0, 0);
    for (index, &(at, number)) in sites.iter().enumerate() {
        let hidden = sites.get(index + 1).is_some_and(|next| next.0 == at);
        if hidden || (number == before.1 && index > 0) {
            continue;
        }
        let words = u64::from(at + 1 - before.0);
        match number.wrapping_sub(before.1) {
            more @ 1..=3 => bytes.number(words << 2 | u64::from(more - 1))?,
            _ => {
                let less = u64::from(number < before.1);
                bytes.number(words << 2 | 3)?;
                bytes.number(u64::from(number.abs_diff(before.1)) << 1 | less)?;
            }
        }
        before = (at + 1, number);
    }
    Ok(bytes.words)
}

/// Returns the number of the goal to which the word at `at` of the code belongs: the goal of the last place that is
/// not behind it. Returns `None` if there is no such place.
pub(in crate::program) fn find(packed: &[u64], at: u32) -> Option<GoalNumber> {
    if packed.is_empty() {
        return Some(ALONE);
    }
    let mut bytes = packed.iter().flat_map(|word| word.to_le_bytes());
    let (mut place, mut number) = (0, 0);
    loop {
        let step = next(&mut bytes);
        place += step >> 2;
        if step == 0 || place > u64::from(at) + 1 {
            return (number != 0).then_some(number);
        }
        number = match step & 3 {
            3 => {
                let by = next(&mut bytes);
                let change = (by >> 1) as GoalNumber;
                if by & 1 == 0 {
                    number + change
                } else {
                    number - change
                }
            }
            more => number + more as GoalNumber + 1,
        };
    }
}

/// Reads the next number.
fn next(bytes: &mut impl Iterator<Item = u8>) -> u64 {
    let (mut number, mut shift) = (0, 0);
    for byte in bytes {
        number |= u64::from(byte & 0x7f) << shift;
        shift += 7;
        if byte & 0x80 == 0 {
            break;
        }
    }
    number
}

/// Bytes in words.
struct Packer {
    words: Vec<u64>,
    /// Number of bytes used in the last word.
    used: u32,
}

impl Packer {
    fn byte(&mut self, byte: u8) -> Result<(), Stop> {
        if self.used == u64::BITS {
            self.used = 0;
            self.words.put(0)?;
        }
        if let Some(last) = self.words.last_mut() {
            *last |= u64::from(byte) << self.used;
        }
        self.used += u8::BITS;
        Ok(())
    }

    fn number(&mut self, mut number: u64) -> Result<(), Stop> {
        while number > 0x7f {
            self.byte(number as u8 | 0x80)?;
            number >>= 7;
        }
        self.byte(number as u8)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Site, find, pack};

    #[test]
    fn each_word_belongs_to_the_last_goal_before() {
        let many: Vec<Site> = (0..500)
            .map(|goal| (goal * 37, goal * 5 % 211 + 1))
            .collect();
        for sites in [
            &[(0, 2), (3, 4), (9, 5)][..],
            &[(4, 7), (4, 9), (200, 3), (201, 300), (70_000, 299)],
            &[(1, 2), (2, 0), (3, 3)],
            &[
                (0, 2),
                (1, 3),
                (2, 4),
                (3, 5),
                (4, 6),
                (5, 7),
                (6, 8),
                (7, 9),
            ],
            &many,
        ] {
            let packed = pack(sites).unwrap();
            let ends = sites
                .iter()
                .flat_map(|&(at, _)| [at.saturating_sub(1), at, at + 1]);
            for at in ends {
                let last = sites.iter().rev().find(|site| site.0 <= at);
                let number = last.map(|site| site.1).filter(|&number| number != 0);
                assert_eq!(find(&packed, at), number, "word {at} of {sites:?}");
            }
        }
    }

    #[test]
    fn a_single_goal_takes_no_room() {
        assert!(pack(&[(3, 1)]).unwrap().is_empty());
        assert_eq!(find(&[], 5), Some(1));
    }

    #[test]
    fn most_goals_take_a_byte() {
        let sites: Vec<Site> = (0..16).map(|goal| (goal * 6 + 2, goal * 2 + 2)).collect();
        assert_eq!(pack(&sites).unwrap().len(), 2);
    }
}
