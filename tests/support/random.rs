//! A source of choices: random ones, always the same for a seed, or the bytes of a fuzzer.

/// A source of choices.
pub(crate) enum Random {
    /// The state of a generator.
    Seeded(u64),
    /// Bytes, and the number of those that are used. After the last byte, every choice is the first.
    Given(Vec<u8>, usize),
}

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        let mut random = Random::Seeded(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        random.next();
        random.next();
        random
    }

    #[allow(dead_code, reason = "not every test has bytes")]
    pub(crate) fn of_bytes(bytes: &[u8]) -> Random {
        Random::Given(bytes.to_vec(), 0)
    }

    fn next(&mut self) -> u64 {
        match self {
            Random::Seeded(state) => {
                *state ^= *state << 13;
                *state ^= *state >> 7;
                *state ^= *state << 17;
                state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16
            }
            Random::Given(bytes, at) => {
                let byte = bytes.get(*at).copied().unwrap_or(0);
                *at += 1;
                u64::from(byte)
            }
        }
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        let mut choice = self.next();
        // One byte is enough for most choices, so a fuzzer sees the effect of each byte.
        if limit > 256 && matches!(self, Random::Given(..)) {
            choice = choice << 8 | self.next();
        }
        (choice % limit as u64) as usize
    }

    #[allow(dead_code, reason = "not every test has texts")]
    pub(crate) fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}
