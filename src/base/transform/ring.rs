//! Products modulo `2^(64 n) + 1`: the transform makes them where it has no room for the words above. Half of the
//! room is enough where half of a product is known. The transform of a factor can be kept.
#![forbid(unsafe_code)]

use super::complex::{Complex, LANES, ZERO};
use super::product::{Work, do_work, shape};
use crate::base::growth::{filled, require_memory, zeros};
use crate::base::natural::{add_to, take_from};
use crate::base::stop::Stop;

/// The transform of a natural in a ring.
pub(crate) struct Image(Vec<Complex>);

/// The naturals modulo `2^(64 n) + 1`.
pub(crate) struct Ring {
    bits: u32,
    scratch: Vec<Complex>,
    factor: Vec<Complex>,
}

impl Ring {
    /// Makes a ring of more than `words` words, in which products of factors with these numbers of words are exact.
    ///
    /// # Errors
    /// Returns an error if there is no memory for it.
    pub(crate) fn new(words: usize, factors: [usize; 2]) -> Result<Ring, Stop> {
        let (vectors, bits) = shape(words + 1, factors);
        require_memory(3 * vectors * size_of::<Complex>())?;
        Ok(Ring {
            bits,
            scratch: filled(ZERO, vectors)?,
            factor: filled(ZERO, vectors)?,
        })
    }

    fn words(&self) -> usize {
        self.scratch.len() * 2 * LANES * self.bits as usize / 64
    }

    /// Returns the transform of a natural, which must have fewer words than the ring.
    pub(crate) fn image(&mut self, x: &[u64]) -> Result<Image, Stop> {
        let mut image = filled(ZERO, self.scratch.len())?;
        do_work(Work::Begin(&mut image, x), &mut self.scratch, self.bits);
        Ok(Image(image))
    }

    /// Returns a product, less than `2^(64 n) + 1`; `x` must have fewer words than the ring.
    pub(crate) fn product(&mut self, x: &[u64], y: &Image) -> Result<Vec<u64>, Stop> {
        let count = self.words();
        let mut product = zeros(count + 1)?;
        let (factor, scratch) = (&mut self.factor, &mut self.scratch);
        do_work(Work::Begin(factor, x), scratch, self.bits);
        let finish = Work::Finish(&mut product[..count], factor, Some(&y.0));
        product[count] = do_work(finish, scratch, self.bits) as u64;
        fold(&mut product);
        Ok(product)
    }

    /// Returns the distance of a product and `z 2^(64 at)`, and whether the product is less. The distance is less
    /// than `2^(64 n - 1)`, and `z 2^(64 at)` has at most twice the number of words of the ring.
    pub(crate) fn distance(
        &mut self,
        (x, y): (&[u64], &Image),
        (z, at): (&[u64], usize),
    ) -> Result<(Vec<u64>, bool), Stop> {
        let mut product = self.product(x, y)?;
        let count = product.len() - 1;
        let (low, high) = z.split_at(z.len().min(count - at));
        take_from(&mut product[at..], low);
        add_to(&mut product, high);
        fold(&mut product);
        let less = product[count] != 0 || product[count - 1] >> 63 != 0;
        if less {
            // The difference from 2^(64 n) + 1.
            let above = product[count];
            product.iter_mut().for_each(|word| *word = !*word);
            add_to(&mut product, &[2]);
            product[count] = 0;
            if above != 0 {
                product.fill(0);
                product[0] = 1;
            }
        }
        product.truncate(count);
        Ok((product, less))
    }
}

/// Folds the last word, which has a sign, into the others: its value is subtracted from them. The last word becomes
/// 0, or 1 if all others are zero.
fn fold(x: &mut [u64]) {
    let Some((last, words)) = x.split_last_mut() else {
        return;
    };
    let above = std::mem::take(last) as i64;
    let taken = [above.unsigned_abs()];
    // 2^(64 n) is -1.
    let (missing, more) = if above < 0 {
        (false, add_to(words, &taken) && take_from(words, &[1]))
    } else {
        (take_from(words, &taken) && add_to(words, &[1]), false)
    };
    if more {
        words.fill(0);
    }
    *last = u64::from(missing || more);
}

#[cfg(test)]
mod tests {
    use super::Ring;
    use crate::base::transform::tests::words;
    use dashu_int::{IBig, UBig};

    #[test]
    fn products_are_those_of_the_library() {
        let mut seed = 88_172_645_463_325_252;
        for round in 0..600 {
            let count = 3 + (round * 37) % 500;
            let other = 1 + (round * 91) % count;
            let (x, y) = (
                words(&mut seed, count, round % 6),
                words(&mut seed, other, round / 6 % 6),
            );
            let mut ring = Ring::new(count, [count, other]).unwrap();
            let modulus = (UBig::ONE << (64 * ring.words())) + UBig::ONE;
            let image = ring.image(&y).unwrap();
            let product = UBig::from_words(&x) * UBig::from_words(&y);
            let found = UBig::from_words(&ring.product(&x, &image).unwrap());
            assert!(found == &product % &modulus, "{count} by {other}");
            // A number near the product, shifted by `at` words.
            let at = round % count;
            let shift = [0, 1, 64 * count - 1][round % 3];
            let near = IBig::from(product.clone())
                + (IBig::from(round) - IBig::from(300)) * (IBig::ONE << shift);
            let near = UBig::try_from(near).unwrap_or(UBig::ZERO) >> (64 * at);
            let (distance, less) = ring.distance((&x, &image), (near.as_words(), at)).unwrap();
            let wanted = IBig::from(product) - IBig::from(near << (64 * at));
            let distance = IBig::from(UBig::from_words(&distance));
            assert!(
                wanted == if less { -distance } else { distance },
                "{count} by {other}"
            );
        }
    }

    /// Tests the greatest factors, whose products are 1 and 2^(64 n).
    #[test]
    fn greatest_factors_of_a_ring() {
        let mut ring = Ring::new(40, [40, 40]).unwrap();
        let count = ring.words();
        let power = |at: usize| {
            let mut power = vec![0; at + 1];
            power[at] = 1;
            power
        };
        for at in 2..count - 1 {
            let image = ring.image(&power(at)).unwrap();
            let found = ring.product(&power(count - at), &image).unwrap();
            assert!(found == power(count));
            let one = (&power(0)[..], 0);
            let (distance, less) = ring.distance((&power(count - at), &image), one).unwrap();
            assert!(less && distance[0] == 2 && distance[1..].iter().all(|&word| word == 0));
        }
    }
}
