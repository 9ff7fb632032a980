//! Naturals as words, lowest first: the loops of sums, products, quotients by one word, and of digits.
//!
//! Products of more than a few words are Karatsuba's (Karatsuba and Ofman, 1962, in the form of Knuth's with
//! differences); for hundreds of words `transform` is faster.
#![forbid(unsafe_code)]

use super::growth::{Grow, GrowAt, GrowBy, with_room, zeros};
use super::stop::Stop;
use std::cmp::Ordering;

/// Greatest number of words of factors that are multiplied word by word.
const SCHOOL: usize = 20;
/// Greatest number of words of naturals that are squared word by word.
const SCHOOL_SQUARE: usize = 40;
/// Number of words that a loop of sums handles in one turn.
const TURN: usize = 4;

/// Compares two naturals with the same number of words.
fn compare_equally_long(x: &[u64], y: &[u64]) -> Ordering {
    x.iter().rev().cmp(y.iter().rev())
}

/// Compares two naturals. The highest word may be zero only in the number 0 with its single word.
pub(crate) fn compare(x: &[u64], y: &[u64]) -> Ordering {
    x.len()
        .cmp(&y.len())
        .then_with(|| compare_equally_long(x, y))
}

// ---- sums -------------------------------------------------------------------------------------

/// One step of a sum or a difference: two words and a carry give a word and a carry.
type Step = fn(u64, u64, bool) -> (u64, bool);

/// Combines two naturals with the same number of words. Returns the last carry.
#[inline(always)]
fn combine(to: &mut [u64], x: &[u64], y: &[u64], step: Step) -> bool {
    let mut carry = false;
    let (to, to_end) = to.as_chunks_mut::<TURN>();
    let ((x, x_end), (y, y_end)) = (x.as_chunks::<TURN>(), y.as_chunks::<TURN>());
    for ((to, x), y) in to.iter_mut().zip(x).zip(y) {
        for nth in 0..TURN {
            (to[nth], carry) = step(x[nth], y[nth], carry);
        }
    }
    for ((to, x), y) in to_end.iter_mut().zip(x_end).zip(y_end) {
        (*to, carry) = step(*x, *y, carry);
    }
    carry
}

/// Combines two naturals as [`combine`] does, with the first one in place.
#[inline(always)]
fn combine_in_place(x: &mut [u64], y: &[u64], step: Step) -> bool {
    let mut carry = false;
    let ((x, x_end), (y, y_end)) = (x.as_chunks_mut::<TURN>(), y.as_chunks::<TURN>());
    for (x, y) in x.iter_mut().zip(y) {
        for nth in 0..TURN {
            (x[nth], carry) = step(x[nth], y[nth], carry);
        }
    }
    for (x, y) in x_end.iter_mut().zip(y_end) {
        (*x, carry) = step(*x, *y, carry);
    }
    carry
}

/// Continues where the shorter of two naturals ends.
#[inline(always)]
fn combine_rest(to: &mut [u64], x: &[u64], mut carry: bool, step: Step) -> bool {
    for (to, &word) in to.iter_mut().zip(x) {
        (*to, carry) = step(word, 0, carry);
    }
    carry
}

/// Writes the sum, which has one word more than the longer of the two; the highest may be 0.
pub(crate) fn add(to: &mut [u64], x: &[u64], y: &[u64]) {
    let (long, short) = if x.len() < y.len() { (y, x) } else { (x, y) };
    let (low, high) = long.split_at(short.len());
    let carry = combine(&mut to[..short.len()], low, short, u64::carrying_add);
    let carry = combine_rest(&mut to[short.len()..], high, carry, u64::carrying_add);
    to[long.len()] = u64::from(carry);
}

/// Writes the difference of a natural and one that is neither greater nor longer. It has the number of words of the
/// first.
pub(crate) fn subtract(to: &mut [u64], x: &[u64], y: &[u64]) {
    let (low, high) = x.split_at(y.len());
    let borrow = combine(&mut to[..y.len()], low, y, u64::borrowing_sub);
    combine_rest(&mut to[y.len()..], high, borrow, u64::borrowing_sub);
}

/// Adds `y`, which must not be longer, to `x`. Returns the carry.
pub(crate) fn add_to(x: &mut [u64], y: &[u64]) -> bool {
    let (low, high) = x.split_at_mut(y.len());
    let mut carry = combine_in_place(low, y, u64::carrying_add);
    for word in high {
        if !carry {
            break;
        }
        (*word, carry) = word.overflowing_add(1);
    }
    carry
}

/// Subtracts `y`, which must not be longer, from `x`. Returns the borrow.
pub(crate) fn take_from(x: &mut [u64], y: &[u64]) -> bool {
    let (low, high) = x.split_at_mut(y.len());
    let mut borrow = combine_in_place(low, y, u64::borrowing_sub);
    for word in high {
        if !borrow {
            break;
        }
        (*word, borrow) = word.overflowing_sub(1);
    }
    borrow
}

/// Writes the absolute difference of two naturals; the second must not be longer. Returns whether the first is less.
fn distance(to: &mut [u64], x: &[u64], y: &[u64]) -> bool {
    let (low, high) = x.split_at(y.len());
    let less = high.iter().all(|&word| word == 0) && compare_equally_long(low, y).is_lt();
    if less {
        combine(&mut to[..y.len()], y, low, u64::borrowing_sub);
        to[y.len()..].fill(0);
    } else {
        subtract(to, x, y);
    }
    less
}

/// Writes a natural shifted left by fewer bits than a word has, with zeros at the right.
pub(super) fn shift_left(to: &mut [u64], x: &[u64], shift: u32) {
    let mut below = 0;
    for (to, &word) in to.iter_mut().zip(x) {
        *to = (word << shift) | below;
        below = (u128::from(word) << shift >> 64) as u64;
    }
    if let Some(to) = to.get_mut(x.len()) {
        *to = below;
    }
}

// ---- products ---------------------------------------------------------------------------------

/// Writes the product by one word. Returns its highest word.
#[inline(always)]
fn multiply_by_word(to: &mut [u64], x: &[u64], factor: u64) -> u64 {
    let mut carry = 0;
    for (to, &word) in to.iter_mut().zip(x) {
        (*to, carry) = word.carrying_mul(factor, carry);
    }
    carry
}

/// Multiplies by one word in place. Returns the highest word of the product.
#[inline(always)]
pub(super) fn multiply_by_word_in_place(x: &mut [u64], factor: u64) -> u64 {
    let mut carry = 0;
    for word in x {
        (*word, carry) = word.carrying_mul(factor, carry);
    }
    carry
}

/// Adds the product by one word. Returns its highest word.
#[inline(always)]
pub(super) fn add_product_by_word(to: &mut [u64], x: &[u64], factor: u64) -> u64 {
    let mut carry = 0;
    for (to, &word) in to.iter_mut().zip(x) {
        (*to, carry) = word.carrying_mul_add(factor, *to, carry);
    }
    carry
}

/// Number of words of a factor that a row of a product handles in one turn.
pub(super) const ROWS: usize = 4;

/// Adds the product by [`ROWS`] words. Returns its [`ROWS`] highest words.
#[inline(always)]
pub(super) fn add_product_by_words(to: &mut [u64], x: &[u64], factors: [u64; ROWS]) -> [u64; ROWS] {
    let mut above = [0; ROWS];
    for (to, &word) in to.iter_mut().zip(x) {
        let (first, second, third);
        (*to, first) = word.carrying_mul_add(factors[0], *to, above[0]);
        (above[0], second) = word.carrying_mul_add(factors[1], first, above[1]);
        (above[1], third) = word.carrying_mul_add(factors[2], second, above[2]);
        (above[2], above[3]) = word.carrying_mul_add(factors[3], third, above[3]);
    }
    above
}

/// Writes the product of two naturals, word by word. The second has at least one word.
fn multiply_word_by_word(to: &mut [u64], x: &[u64], y: &[u64]) {
    let n = x.len();
    let Some((first, others)) = y.split_first() else {
        return to.fill(0);
    };
    to[n] = multiply_by_word(&mut to[..n], x, *first);
    let (turns, last) = others.as_chunks();
    let mut at = 1;
    for &words in turns {
        let high = add_product_by_words(&mut to[at..at + n], x, words);
        to[at + n..at + n + ROWS].copy_from_slice(&high);
        at += ROWS;
    }
    for &word in last {
        to[at + n] = add_product_by_word(&mut to[at..at + n], x, word);
        at += 1;
    }
}

/// Writes the square of a natural: twice the products of two of its words, and the squares of its words.
fn square_at_school(to: &mut [u64], x: &[u64]) {
    to.fill(0);
    let n = x.len();
    for (turn, words) in x.chunks(ROWS).enumerate() {
        let from = ROWS * turn;
        let end = from + words.len();
        if let Ok(words) = words.try_into() {
            let high = add_product_by_words(&mut to[from + end..from + n], &x[end..], words);
            to[from + n..end + n].copy_from_slice(&high);
        }
        for (nth, &word) in words.iter().enumerate() {
            let at = from + nth + 1;
            let (low, high) = to[from + nth + at..].split_at_mut(end - at);
            let above = add_product_by_word(low, &x[at..end], word);
            add_to(high, &[above]);
        }
    }
    let (mut carry, mut above) = (false, 0);
    let (pairs, _) = to.as_chunks_mut::<2>();
    for ([low, high], &word) in pairs.iter_mut().zip(x) {
        let (first, second) = word.carrying_mul(word, 0);
        let twice = [*low << 1 | above, *high << 1 | *low >> 63];
        above = *high >> 63;
        (*low, carry) = twice[0].carrying_add(first, carry);
        (*high, carry) = twice[1].carrying_add(second, carry);
    }
}

/// Returns the words of room that [`multiply`] needs for factors of these lengths.
pub(crate) fn room_for_product(x: usize, y: usize) -> usize {
    let (long, short) = (x.max(y), x.min(y));
    if short <= SCHOOL {
        return 0;
    }
    let mut room = 0;
    let mut size = short;
    while size > SCHOOL {
        size = size.div_ceil(2);
        room += 2 * size;
    }
    room += 2 * size + 1;
    if long == short {
        return room;
    }
    2 * short + room.max(room_for_product(short, long % short))
}

/// Writes the product of two naturals of at least one word; it has the words of both together. `room` must have the
/// number of words that [`room_for_product`] returns.
pub(crate) fn multiply(to: &mut [u64], x: &[u64], y: &[u64], room: &mut [u64]) {
    let (long, short) = if x.len() < y.len() { (y, x) } else { (x, y) };
    if short.len() <= SCHOOL {
        multiply_word_by_word(to, long, short);
        return;
    }
    if long.len() == short.len() {
        multiply_equally_long(to, long, short, room);
        return;
    }
    to.fill(0);
    let (product, room) = room.split_at_mut(2 * short.len());
    for (nth, piece) in long.chunks(short.len()).enumerate() {
        let product = &mut product[..piece.len() + short.len()];
        multiply(product, piece, short, room);
        add_to(&mut to[nth * short.len()..], product);
    }
}

/// Writes the product of two naturals with the same number of words, which may be the same natural. With the halves
/// `x = x1 B + x0` and `y = y1 B + y0` it is `x1 y1 B^2 + (x1 y1 + x0 y0 - (x0 - x1) (y0 - y1)) B + x0 y0`.
fn multiply_equally_long(to: &mut [u64], x: &[u64], y: &[u64], room: &mut [u64]) {
    let square = std::ptr::eq(x, y);
    if x.len() <= SCHOOL {
        multiply_word_by_word(to, x, y);
        return;
    }
    if square && x.len() <= SCHOOL_SQUARE {
        square_at_school(to, x);
        return;
    }
    let half = x.len().div_ceil(2);
    let ((x0, x1), (y0, y1)) = (x.split_at(half), y.split_at(half));
    let (of_distances, room) = room.split_at_mut(2 * half);
    let (x_distance, y_distance) = to[..2 * half].split_at_mut(half);
    let less = distance(x_distance, x0, x1);
    let same_sign = if square {
        multiply_equally_long(of_distances, x_distance, x_distance, room);
        true
    } else {
        let other = distance(y_distance, y0, y1);
        multiply_equally_long(of_distances, x_distance, y_distance, room);
        less == other
    };
    let (low, high) = to.split_at_mut(2 * half);
    multiply_equally_long(low, x0, y0, room);
    multiply_equally_long(high, x1, y1, room);
    let middle = &mut room[..2 * half + 1];
    add(middle, low, high);
    if same_sign {
        take_from(middle, of_distances);
    } else {
        add_to(middle, of_distances);
    }
    // Its highest words are zeros where the product has no room for them.
    let above = &mut to[half..];
    let words = middle.len().min(above.len());
    add_to(above, &middle[..words]);
}

// ---- quotients by one word --------------------------------------------------------------------

/// Divides a remainder and half a word by a divisor of less than half a word. Returns quotient and remainder.
fn divide_half(rest: u64, half: u64, divisor: u64) -> (u64, u64) {
    let dividend = (rest << 32) | half;
    (dividend / divisor, dividend % divisor)
}

/// Number of words from which a reciprocal is used. Shorter numbers are divided by the instructions of the
/// processor.
const RECIPROCAL_FROM: usize = 4;

/// A reciprocal for the division of two words by a divisor: products replace the quotient (Möller and Granlund,
/// Improved division by invariant integers, algorithm 4).
struct Reciprocal {
    /// The divisor, shifted left until its first bit is set.
    divisor: u64,
    shift: u32,
    value: u64,
}

impl Reciprocal {
    fn new(divisor: u64) -> Reciprocal {
        let shift = divisor.leading_zeros();
        let divisor = divisor << shift;
        let dividend = (u128::from(!divisor) << 64) | u128::from(u64::MAX);
        Reciprocal {
            divisor,
            shift,
            value: (dividend / u128::from(divisor)) as u64,
        }
    }

    /// Divides `rest`, which is less than the divisor, and a word after it.
    #[inline(always)]
    fn divide(&self, rest: u64, word: u64) -> (u64, u64) {
        let dividend = (u128::from(rest) << 64) | u128::from(word);
        let estimate = (u128::from(self.value) * u128::from(rest)).wrapping_add(dividend);
        let mut quotient = ((estimate >> 64) as u64).wrapping_add(1);
        let mut left = word.wrapping_sub(quotient.wrapping_mul(self.divisor));
        if left > estimate as u64 {
            quotient = quotient.wrapping_sub(1);
            left = left.wrapping_add(self.divisor);
        }
        if left >= self.divisor {
            quotient += 1;
            left -= self.divisor;
        }
        (quotient, left)
    }
}

/// Divides by a divisor other than 0. Returns the remainder, and passes each word of the quotient to `put`. The
/// highest word, which may be 0, comes first.
#[inline(always)]
fn long_division(x: &[u64], divisor: u64, mut put: impl FnMut(usize, u64)) -> u64 {
    let mut rest = 0;
    if x.len() < RECIPROCAL_FROM && divisor < 1 << 32 {
        for (nth, &word) in x.iter().enumerate().rev() {
            let (high, left) = divide_half(rest, word >> 32, divisor);
            let (low, left) = divide_half(left, word & 0xffff_ffff, divisor);
            put(nth, (high << 32) | low);
            rest = left;
        }
        return rest;
    }
    division_by(x, &Reciprocal::new(divisor), put)
}

/// Divides as [`long_division`] does, by a reciprocal.
#[inline(always)]
fn division_by(x: &[u64], by: &Reciprocal, mut put: impl FnMut(usize, u64)) -> u64 {
    let moved = |above: u64, below: u64| {
        let both = (u128::from(above) << 64) | u128::from(below);
        ((both << by.shift) >> 64) as u64
    };
    let mut rest = moved(0, x.last().copied().unwrap_or(0));
    for (nth, &word) in x.iter().enumerate().rev() {
        let below = if nth > 0 { x[nth - 1] } else { 0 };
        let (quotient, left) = by.divide(rest, moved(word, below));
        put(nth, quotient);
        rest = left;
    }
    rest >> by.shift
}

/// Writes the quotient by a divisor other than 0. It has the number of words of the dividend; the highest may be 0.
pub(crate) fn divide_by_word(to: &mut [u64], x: &[u64], divisor: u64) {
    if divisor.is_power_of_two() {
        let shift = divisor.trailing_zeros();
        for (nth, &word) in x.iter().enumerate() {
            let above = u128::from(x.get(nth + 1).copied().unwrap_or(0)) << 64;
            to[nth] = ((above | u128::from(word)) >> shift) as u64;
        }
        return;
    }
    long_division(x, divisor, |nth, word| to[nth] = word);
}

/// Returns the remainder of the division by a divisor other than 0.
pub(crate) fn remainder_by_word(x: &[u64], divisor: u64) -> u64 {
    if divisor.is_power_of_two() {
        return x.first().copied().unwrap_or(0) & (divisor - 1);
    }
    long_division(x, divisor, |_, _| {})
}

// ---- digits -----------------------------------------------------------------------------------

/// Returns how many digits of a radix fit into a word, and the power of the radix with that exponent.
pub(crate) fn digits_of_word(radix: u8) -> (usize, u64) {
    let radix = u64::from(radix);
    let (mut count, mut power) = (1, radix);
    while let Some(next) = power.checked_mul(radix) {
        (count, power) = (count + 1, next);
    }
    (count, power)
}

/// Writes the last digits of a word in a fixed radix, one for each byte of `to`.
#[inline(always)]
fn write_word(to: &mut [u8], mut word: u64, radix: u64) {
    for to in to.iter_mut().rev() {
        let digit = (word % radix) as u8;
        *to = if digit < 10 {
            b'0' + digit
        } else {
            b'a' + digit - 10
        };
        word /= radix;
    }
}

/// Returns the eight decimal digits of a number, the first in the lowest byte. Two groups of four digits, four of
/// two, and eight of one are made at once; products and shifts replace their quotients.
#[inline(always)]
fn eight_digits(x: u64) -> [u8; 8] {
    let x = (x / 10_000) | (x % 10_000) << 32;
    let tens = ((x * 10_486) >> 20) & 0x7f_0000_007f;
    let x = tens | (x - tens * 100) << 16;
    let tens = ((x * 103) >> 10) & 0x000f_000f_000f_000f;
    (tens | (x - tens * 10) << 8 | 0x3030_3030_3030_3030).to_le_bytes()
}

/// Appends the `count` last digits of a word; `count` is at most [`digits_of_word`].
#[inline(always)]
pub(super) fn push_digits(
    to: &mut Vec<u8>,
    word: u64,
    radix: u8,
    count: usize,
) -> Result<(), Stop> {
    let from = to.len();
    to.fill_to(from + count, 0)?;
    let to = &mut to[from..];
    if radix != 10 {
        write_word(to, word, u64::from(radix));
    } else if let Some((first, eights)) = to.split_last_chunk_mut::<16>() {
        let (high, low) = (word / 100_000_000, word % 100_000_000);
        write_word(first, high / 100_000_000, 10);
        eights[..8].copy_from_slice(&eight_digits(high % 100_000_000));
        eights[8..].copy_from_slice(&eight_digits(low));
    } else {
        write_word(to, word, 10);
    }
    Ok(())
}

/// Appends the digits of a natural in a radix from 2 to 36 to `text`; the first ones may be zeros. The time is the
/// square of the number of words.
pub(crate) fn write_digits(text: &mut Vec<u8>, x: &[u64], radix: u8) -> Result<(), Stop> {
    let (count, power) = digits_of_word(radix);
    let by = Reciprocal::new(power);
    let mut words = Vec::of(x)?;
    let mut quotient = zeros(x.len())?;
    // Groups of digits, lowest first.
    let mut groups = with_room(x.len() + x.len() / 8 + 2)?;
    while words.pop_if(|word| *word == 0).is_some() {}
    while !words.is_empty() {
        groups.put(division_by(&words, &by, |nth, word| quotient[nth] = word))?;
        quotient.truncate(words.len());
        std::mem::swap(&mut words, &mut quotient);
        while words.pop_if(|word| *word == 0).is_some() {}
    }
    let mut groups = groups.iter().rev();
    groups.try_for_each(|&word| push_digits(text, word, radix, count))
}

#[cfg(test)]
mod tests {
    use super::{
        add, divide_by_word, multiply, remainder_by_word, room_for_product, subtract, write_digits,
    };
    use dashu_int::UBig;

    /// Returns random words; many consist only of ones or of zeros, which detects wrong carries.
    fn random_words() -> impl FnMut(usize) -> Vec<u64> {
        let mut seed = 1u64;
        let mut word = move || {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            match seed >> 61 {
                0 => 0,
                1 => u64::MAX,
                2 => seed >> 32,
                3 => 1 << (seed & 63),
                _ => seed,
            }
        };
        move |count| (0..count).map(|_| word()).collect()
    }

    #[test]
    fn sums_and_products_agree_with_the_library() {
        let mut words = random_words();
        for count in (1..80).chain([127, 128, 400]) {
            for other in [1, 2, 7, 19, 20, 21, 22, 40, 41, 63, 64, 65, count] {
                let (x, y) = (words(count), words(other));
                let (big, other_big) = (UBig::from_words(&x), UBig::from_words(&y));
                let mut product = vec![u64::MAX; count + other];
                let mut room = vec![u64::MAX; room_for_product(count, other)];
                multiply(&mut product, &x, &y, &mut room);
                assert!(UBig::from_words(&product) == &big * &other_big);
                let mut square = vec![u64::MAX; 2 * count];
                let mut room = vec![u64::MAX; room_for_product(count, count)];
                multiply(&mut square, &x, &x, &mut room);
                assert!(UBig::from_words(&square) == big.sqr());
                let mut sum = vec![u64::MAX; count.max(other) + 1];
                add(&mut sum, &x, &y);
                assert!(UBig::from_words(&sum) == &big + &other_big);
                let mut difference = vec![u64::MAX; sum.len()];
                subtract(&mut difference, &sum, &y);
                assert!(UBig::from_words(&difference) == big);
            }
        }
    }

    #[test]
    fn quotients_by_a_word_agree_with_school_division() {
        let mut words = random_words();
        for round in 0..20_000 {
            let x = words(1 + round % 9);
            let divisor = (words(1)[0] >> (words(1)[0] % 64)).max(1);
            let mut wanted = vec![0; x.len()];
            let mut rest = 0u128;
            for (nth, &word) in x.iter().enumerate().rev() {
                let dividend = (rest << 64) | u128::from(word);
                wanted[nth] = (dividend / u128::from(divisor)) as u64;
                rest = dividend % u128::from(divisor);
            }
            let mut quotient = vec![0; x.len()];
            divide_by_word(&mut quotient, &x, divisor);
            let left = remainder_by_word(&x, divisor);
            assert_eq!(
                (quotient, left),
                (wanted, rest as u64),
                "{x:x?} / {divisor:x}"
            );
        }
    }

    #[test]
    fn digits_agree_with_the_library() {
        let mut words = random_words();
        for round in 0..2_000 {
            let x = words(round % 30);
            let radix = 2 + (round % 35) as u8;
            let wanted = UBig::from_words(&x).in_radix(radix).to_string();
            let mut text = Vec::new();
            write_digits(&mut text, &x, radix).unwrap();
            let text = String::from_utf8(text).unwrap();
            let digits = |text: &str| text.trim_start_matches('0').to_owned();
            assert_eq!(digits(&text), digits(&wanted), "{x:x?} in radix {radix}");
        }
    }
}
