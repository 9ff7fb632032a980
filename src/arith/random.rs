//! A generator of pseudo-random numbers for the evaluables: xoshiro256++ (Blackman and Vigna),
//! seeded by SplitMix64. Not for secrets.

use crate::base::growth::Gather;
use crate::base::number::Number;
use crate::base::stop::Stop;
use dashu_int::ops::BitTest;
use dashu_int::{IBig, UBig};
use std::hash::{BuildHasher, Hasher};

/// The state of a generator.
#[derive(Clone, Debug)]
pub(crate) struct RandomState {
    words: [u64; 4],
}

impl RandomState {
    /// Returns the generator of a seed: the same seed gives the same numbers.
    pub(crate) fn new(seed: u64) -> RandomState {
        let mut state = seed;
        let words = std::array::from_fn(|_| {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = state;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        });
        RandomState { words }
    }

    /// Returns a generator that starts with a different state each time.
    pub(crate) fn unseeded() -> RandomState {
        let keys = std::collections::hash_map::RandomState::new();
        RandomState::new(keys.build_hasher().finish())
    }

    /// Returns the next 64 bits.
    pub(crate) fn next(&mut self) -> u64 {
        let [a, b, c, d] = self.words;
        let result = a.wrapping_add(d).rotate_left(23).wrapping_add(a);
        let (c, d) = (c ^ a, d ^ b);
        self.words = [a ^ d, b ^ c, c ^ (b << 17), d.rotate_left(45)];
        result
    }

    /// Returns a float strictly between 0 and 1.
    pub(crate) fn float(&mut self) -> f64 {
        const STEP: f64 = 1.0 / (1u64 << 53) as f64;
        ((self.next() >> 11) as f64 + 0.5).min((1u64 << 53) as f64 - 1.0) * STEP
    }

    /// Returns a number from 0 up to, not including, `limit`, or 0 if `limit` is 0.
    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        if limit == 0 {
            return 0;
        }
        // The last, incomplete run of multiples of the limit would favour small numbers.
        let excess = (u64::MAX % limit + 1) % limit;
        loop {
            let bits = self.next();
            if bits <= u64::MAX - excess {
                return bits % limit;
            }
        }
    }

    /// Returns an integer from 0 up to, not including, `limit`, or 0 if there is none.
    pub(crate) fn number_below(&mut self, limit: &Number) -> Result<Number, Stop> {
        Ok(match limit {
            Number::Int(small) => {
                let below = self.below(u64::try_from(*small).unwrap_or(0));
                Number::Int(i64::try_from(below).unwrap_or(0))
            }
            Number::Big(big) if !limit.is_negative() => Number::from_big(self.big_below(big)?),
            _ => Number::Int(0),
        })
    }

    fn big_below(&mut self, limit: &IBig) -> Result<IBig, Stop> {
        let bits = limit.bit_len();
        loop {
            let words = (0..bits.div_ceil(64)).map(|_| self.next());
            let mut words = words.gather()?;
            if let Some(last) = words.last_mut()
                && !bits.is_multiple_of(64)
            {
                *last >>= 64 - bits % 64;
            }
            let candidate = IBig::from(UBig::from_words(&words));
            // The limit is above at least half of the candidates.
            if candidate < *limit {
                return Ok(candidate);
            }
        }
    }
}
