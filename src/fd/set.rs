//! The members of a domain between its least and its greatest: one cell of its record.
//!
//! | cell | members |
//! |---|---|
//! | 0 | all |
//! | another integer | those whose bits are set, bit 0 standing for the least member: domains of up to 60 integers |
//! | a box | those whose bits are set in its words after the first, which is the value of the lowest bit: up to some thousand integers, all of machine size; bits outside of the bounds mean nothing |
//! | a list `[From, To, …]` | all but those from `From` to `To`: gaps in ascending order |
//!
//! Bits of a box are cleared in place if the box is as young as its record may be; lists never change.

use super::number::{Num, Small};
use super::work::{Fd, Halt, R};
use crate::base::growth::{Grow, with_room};
use crate::base::stop::Stop;
use crate::store::cell::{BoxKind, Cell, WORD, tag};
use crate::store::heap::deref;
use crate::store::raw;

/// All integers between the bounds are members.
pub(super) const INTERVAL: Cell = Cell::int(0);

/// Maximum number of integers of a domain whose bits are an inline integer.
const INLINE: u64 = 60;
/// Maximum number of integers of a domain whose bits are in a box.
const BOXED: u64 = 4096;
/// Number of bits of a word.
const BITS: i64 = 64;

/// Returns a word whose `count` lowest bits are set.
#[inline(always)]
fn ones(count: u64) -> u64 {
    (1 << count) - 1
}

/// Returns the distance from `low` to `high`, if both are machine words close together.
#[inline(always)]
fn width<N: Num>(low: &N, high: &N) -> Option<u64> {
    if !low.is_finite() || !high.is_finite() {
        return None;
    }
    u64::try_from(high.sub(low).ok()?.small()?).ok()
}

/// Returns the set of these bits. The lowest is set, and the highest stands for the greatest member.
#[inline(always)]
pub(super) fn inline(bits: u64) -> Cell {
    match bits & bits.wrapping_add(1) {
        0 => INTERVAL,
        _ => Cell::int(bits as i64),
    }
}

/// Returns the intervals of the integers whose bits are set; the lowest bit stands for `base`.
pub(super) fn ranges_of_bits(base: i64, mut bits: u64) -> R<Vec<(Small, Small)>> {
    let mut ranges = Vec::new();
    let mut from = base;
    while bits != 0 {
        let gap = bits.trailing_zeros();
        let count = (bits >> gap).trailing_ones();
        from += i64::from(gap);
        ranges.put((Small(from), Small(from + i64::from(count) - 1)))?;
        from += i64::from(count);
        bits = bits.checked_shr(gap + count).unwrap_or(0);
    }
    Ok(ranges)
}

/// Returns the intersection of two sets of intervals, each in ascending order.
pub(crate) fn intersection<N: Num>(a: &[(N, N)], b: &[(N, N)]) -> Result<Vec<(N, N)>, Stop> {
    let mut common = Vec::new();
    let (mut i, mut j) = (0, 0);
    while let (Some((low_a, high_a)), Some((low_b, high_b))) = (a.get(i), b.get(j)) {
        let (low, high) = (low_a.max(low_b), high_a.min(high_b));
        if low <= high {
            common.put((low.clone(), high.clone()))?;
        }
        match high_a < high_b {
            true => i += 1,
            false => j += 1,
        }
    }
    Ok(common)
}

/// Returns the integers that are in none of these intervals.
pub(crate) fn complement<N: Num>(ranges: &[(N, N)]) -> R<Vec<(N, N)>> {
    let mut rest = Vec::new();
    let mut from = N::INF;
    for (low, high) in ranges {
        if *low > from {
            rest.put((from, low.before()?))?;
        }
        if *high == N::SUP {
            return Ok(rest);
        }
        from = high.next()?;
    }
    rest.put((from, N::SUP))?;
    Ok(rest)
}

/// Returns the intervals in ascending order, without overlaps or neighbours.
pub(crate) fn normal<N: Num>(mut ranges: Vec<(N, N)>) -> R<Vec<(N, N)>> {
    ranges.retain(|(low, high)| low <= high);
    ranges.sort();
    let mut joined: Vec<(N, N)> = Vec::new();
    for (low, high) in ranges {
        match joined.last_mut() {
            Some((_, end)) if !end.is_finite() || low <= end.next()? => {
                if high > *end {
                    *end = high;
                }
            }
            _ => joined.put((low, high))?,
        }
    }
    Ok(joined)
}

/// The bits of a box.
struct Bits<'a> {
    /// The value of the lowest bit.
    base: i64,
    words: &'a [u64],
}

impl<'a> Bits<'a> {
    /// Returns the bits of a set that is a box.
    fn of(set: &'a Cell) -> Bits<'a> {
        match raw::payload(set, set.addr()) {
            [base, words @ ..] => Bits {
                base: *base as i64,
                words,
            },
            [] => Bits {
                base: 0,
                words: &[],
            },
        }
    }

    /// Returns the word and the bit in it that stand for a value.
    fn place(&self, value: i64) -> Option<(usize, u64)> {
        let at = u64::try_from(value.checked_sub(self.base)?).ok()?;
        let word = usize::try_from(at / 64).ok()?;
        (word < self.words.len()).then_some((word, at % 64))
    }

    fn has(&self, value: i64) -> bool {
        let place = self.place(value);
        place.is_some_and(|(word, bit)| self.words[word] >> bit & 1 == 1)
    }

    /// Returns the members between bounds that are less than 64 apart. The lowest bit stands for `low`.
    fn window(&self, low: i64, high: i64) -> u64 {
        let Some((word, bit)) = self.place(low) else {
            return 0;
        };
        let next = self.words.get(word + 1).copied().unwrap_or(0);
        let bits = self.words[word] >> bit | next.checked_shl(64 - bit as u32).unwrap_or(0);
        bits & (u64::MAX >> (63 - (high - low)))
    }

    /// Returns the least member that is at least `value`.
    fn first_from(&self, value: i64) -> Option<i64> {
        let (mut word, bit) = self.place(value)?;
        let mut bits = self.words[word] >> bit << bit;
        while bits == 0 {
            word += 1;
            bits = *self.words.get(word)?;
        }
        Some(self.base + word as i64 * BITS + i64::from(bits.trailing_zeros()))
    }

    /// Returns the greatest member that is at most `value`.
    fn last_to(&self, value: i64) -> Option<i64> {
        let (mut word, bit) = self.place(value)?;
        let mut bits = self.words[word] << (63 - bit) >> (63 - bit);
        while bits == 0 {
            word = word.checked_sub(1)?;
            bits = self.words[word];
        }
        Some(self.base + word as i64 * BITS + BITS - 1 - i64::from(bits.leading_zeros()))
    }

    /// Returns the number of members from `low` to `high`, inclusively.
    fn count(&self, low: i64, high: i64) -> i64 {
        let mut count = 0;
        for (nth, word) in self.words.iter().enumerate() {
            let first = self.base + nth as i64 * BITS;
            let mut bits = *word;
            if low > first {
                let skipped = low - first;
                bits = if skipped >= BITS { 0 } else { bits >> skipped };
            }
            if high < first + BITS - 1 {
                let kept = high - first.max(low) + 1;
                bits = if kept <= 0 {
                    0
                } else {
                    bits & (u64::MAX >> (BITS - kept))
                };
            }
            count += i64::from(bits.count_ones());
        }
        count
    }
}

/// Returns the machine integer for a value in a set of bits.
fn machine<N: Num>(value: &N) -> R<i64> {
    value.small().ok_or(Halt::Fail)
}

/// The gaps of a set that is a list.
struct Gaps(Cell);

impl Gaps {
    /// Returns the next gap.
    fn next<N: Num>(&mut self, fd: &Fd<'_>) -> R<Option<(N, N)>> {
        let pair = self.0;
        if pair.tag() != tag::LST {
            return Ok(None);
        }
        let low = fd.integer(deref(raw::cell(pair.addr())))?;
        let rest = deref(raw::cell(pair.addr() + WORD));
        if rest.tag() != tag::LST {
            return Ok(None);
        }
        let high = fd.integer(deref(raw::cell(rest.addr())))?;
        self.0 = deref(raw::cell(rest.addr() + WORD));
        Ok(Some((low, high)))
    }

    /// Returns the set of the gaps that are left.
    fn rest(&self) -> Cell {
        match self.0.tag() {
            tag::LST => self.0,
            _ => INTERVAL,
        }
    }
}

impl Fd<'_> {
    /// Returns whether a value between the bounds is a member of a set that is not an interval.
    #[inline(always)]
    pub(super) fn is_member<N: Num>(&self, set: Cell, low: &N, value: &N) -> R<bool> {
        if set.is_int() {
            return Ok(match width(low, value) {
                Some(at) if at < INLINE => set.int_value() >> at & 1 == 1,
                _ => false,
            });
        }
        self.is_far_member(set, value)
    }

    #[inline(never)]
    fn is_far_member<N: Num>(&self, set: Cell, value: &N) -> R<bool> {
        if set.tag() == tag::BOX {
            return Ok(Bits::of(&set).has(machine(value)?));
        }
        let mut gaps = Gaps(set);
        while let Some((from, to)) = gaps.next::<N>(self)? {
            if *value <= to {
                return Ok(*value < from);
            }
        }
        Ok(true)
    }

    /// Returns the least member that is at least `value`, which lies between the bounds.
    pub(super) fn first_member<N: Num>(&self, set: Cell, low: &N, high: &N, value: &N) -> R<N> {
        if set.is_int() {
            let Some(at) = width(low, value).filter(|at| *at < INLINE) else {
                return Err(Halt::Fail);
            };
            let bits = set.int_value() as u64 >> at;
            return match bits {
                0 => Err(Halt::Fail),
                _ => value.add(&N::of(i64::from(bits.trailing_zeros()))),
            };
        }
        if set.tag() == tag::BOX {
            let first = Bits::of(&set).first_from(machine(value)?);
            return first
                .map(N::of)
                .filter(|first| first <= high)
                .ok_or(Halt::Fail);
        }
        let mut gaps = Gaps(set);
        while let Some((from, to)) = gaps.next::<N>(self)? {
            if *value <= to {
                return if *value < from {
                    Ok(value.clone())
                } else {
                    to.next()
                };
            }
        }
        Ok(value.clone())
    }

    /// Returns the least member that is at least `value`, and the set from there on. `value` lies between the bounds.
    pub(super) fn members_from<N: Num>(
        &self,
        set: Cell,
        low: N,
        high: &N,
        value: &N,
    ) -> R<(N, Cell)> {
        let first = self.first_member(set, &low, high, value)?;
        if set.is_int() {
            let at = width(&low, &first).ok_or(Halt::Fail)?;
            return Ok((first, inline(set.int_value() as u64 >> at)));
        }
        if set.tag() == tag::BOX {
            return Ok((first, set));
        }
        let mut gaps = Gaps(set);
        loop {
            let rest = gaps.rest();
            match gaps.next::<N>(self)? {
                Some((from, _)) if from < first => {}
                _ => return Ok((first, rest)),
            }
        }
    }

    /// Returns the greatest member that is at most `value`, and the set up to there. `value` lies between the bounds.
    pub(super) fn members_to<N: Num>(
        &mut self,
        set: Cell,
        low: &N,
        high: N,
        value: &N,
    ) -> R<(N, Cell)> {
        if set.is_int() {
            let Some(at) = width(low, value).filter(|at| *at < INLINE) else {
                return Err(Halt::Fail);
            };
            let bits = set.int_value() as u64 & ones(at + 1);
            if bits == 0 {
                return Err(Halt::Fail);
            }
            let at = 63 - i64::from(bits.leading_zeros());
            return Ok((low.add(&N::of(at))?, inline(bits)));
        }
        if set.tag() == tag::BOX {
            let last = Bits::of(&set).last_to(machine(value)?);
            let last = last
                .map(N::of)
                .filter(|last| last >= low)
                .ok_or(Halt::Fail)?;
            return Ok((last, set));
        }
        debug_assert!(*value <= high);
        let mut last = value.clone();
        let mut kept = Vec::new();
        let mut gaps = Gaps(set);
        let mut cut = false;
        while let Some((from, to)) = gaps.next::<N>(self)? {
            if *value < from {
                cut = true;
                break;
            }
            if *value <= to {
                last = from.before()?;
                cut = true;
                break;
            }
            kept.put((from, to))?;
        }
        let set = if cut { self.new_gaps(&kept)? } else { set };
        Ok((last, set))
    }

    /// Returns the set without a member strictly between the bounds; `None` if the value is no member.
    #[inline(always)]
    pub(super) fn without<N: Num>(
        &mut self,
        set: Cell,
        low: &N,
        high: &N,
        value: &N,
    ) -> R<Option<Cell>> {
        if set.is_int() {
            let bits = match set {
                INTERVAL => match width(low, high) {
                    Some(width) if width < INLINE => ones(width + 1),
                    _ => return self.with_hole(set, low, high, value),
                },
                set => set.int_value() as u64,
            };
            let at = width(low, value).ok_or(Halt::Fail)?;
            return Ok((bits >> at & 1 == 1).then(|| Cell::int((bits & !(1 << at)) as i64)));
        }
        self.with_hole(set, low, high, value)
    }

    #[inline(never)]
    fn with_hole<N: Num>(&mut self, set: Cell, low: &N, high: &N, value: &N) -> R<Option<Cell>> {
        if set.tag() == tag::BOX {
            let value = machine(value)?;
            let bits = Bits::of(&set);
            if !bits.has(value) {
                return Ok(None);
            }
            let at = (value - bits.base) as u64;
            let set = match set.addr() >= self.store.heap_backtrack {
                true => set,
                false => self.copy_bits(set)?,
            };
            let word = set.addr() + (2 + at / 64) * WORD;
            raw::set_word(word, raw::word(word) & !(1 << (at % 64)));
            return Ok(Some(set));
        }
        if set == INTERVAL {
            let ranges = [
                (low.clone(), value.before()?),
                (value.next()?, high.clone()),
            ];
            return Ok(Some(self.new_set(&ranges)?));
        }
        let mut ranges = self.ranges_of(set, low.clone(), high.clone())?;
        let Some(at) = ranges
            .iter()
            .position(|(low, high)| low <= value && value <= high)
        else {
            return Ok(None);
        };
        let (from, to) = ranges[at].clone();
        ranges.splice(
            at..=at,
            [(from, value.before()?), (value.next()?, to)]
                .into_iter()
                .filter(|(a, b)| a <= b),
        );
        Ok(Some(self.new_set(&ranges)?))
    }

    fn copy_bits(&mut self, set: Cell) -> R<Cell> {
        let words = raw::cell(set.addr()).box_words() + 1;
        let at = self.allocate(words)?;
        for word in 0..words as u64 {
            raw::set_word(at + word * WORD, raw::word(set.addr() + word * WORD));
        }
        Ok(Cell::boxed(at))
    }

    /// Returns the set of several intervals, which begin and end with the bounds.
    pub(super) fn new_set<N: Num>(&mut self, ranges: &[(N, N)]) -> R<Cell> {
        let ([(low, _), ..], [.., (_, high)]) = (ranges, ranges) else {
            return Err(Halt::Fail);
        };
        if ranges.len() == 1 {
            return Ok(INTERVAL);
        }
        match width(low, high) {
            Some(size) if size < INLINE => {
                let mut bits = 0;
                for (from, to) in ranges {
                    let at = width(low, from).ok_or(Halt::Fail)?;
                    bits |= ones(width(from, to).ok_or(Halt::Fail)? + 1) << at;
                }
                Ok(Cell::int(bits as i64))
            }
            Some(size) if size < BOXED && low.small().is_some() && high.small().is_some() => {
                self.new_bits(ranges, machine(low)?, machine(high)?)
            }
            _ => {
                let mut gaps = with_room(ranges.len())?;
                for pair in ranges.windows(2) {
                    gaps.put((pair[0].1.next()?, pair[1].0.before()?))?;
                }
                self.new_gaps(&gaps)
            }
        }
    }

    fn new_bits<N: Num>(&mut self, ranges: &[(N, N)], low: i64, high: i64) -> R<Cell> {
        let base = low.div_euclid(BITS) * BITS;
        let words = ((high - base) / BITS + 1) as usize;
        let at = self.allocate(words + 2)?;
        raw::set_cell(at, Cell::box_header(BoxKind::BigPositive, words + 1));
        raw::set_word(at + WORD, base as u64);
        let mut ranges = ranges.iter();
        let mut range = ranges.next();
        for nth in 0..words {
            let first = base + nth as i64 * BITS;
            let mut bits = 0;
            while let Some((from, to)) = range {
                let (from, to) = (machine(from)?, machine(to)?);
                if from >= first + BITS {
                    break;
                }
                let (begin, end) = (from.max(first) - first, to.min(first + BITS - 1) - first);
                bits |= u64::MAX >> (BITS - 1 - (end - begin)) << begin;
                if to >= first + BITS {
                    break;
                }
                range = ranges.next();
            }
            raw::set_word(at + (nth as u64 + 2) * WORD, bits);
        }
        Ok(Cell::boxed(at))
    }

    fn new_gaps<N: Num>(&mut self, gaps: &[(N, N)]) -> R<Cell> {
        if gaps.is_empty() {
            return Ok(INTERVAL);
        }
        let mut items = with_room(2 * gaps.len())?;
        for (from, to) in gaps {
            items.put(from.cell(self.store)?)?;
            items.put(to.cell(self.store)?)?;
        }
        Ok(self.store.list_of(&items)?)
    }

    /// Returns the members as intervals in ascending order.
    pub(super) fn ranges_of<N: Num>(&self, set: Cell, low: N, high: N) -> R<Vec<(N, N)>> {
        let mut ranges = Vec::new();
        if set.tag() == tag::LST {
            let mut from = low;
            let mut gaps = Gaps(set);
            while let Some((gap_from, gap_to)) = gaps.next::<N>(self)? {
                ranges.put((from, gap_from.before()?))?;
                from = gap_to.next()?;
            }
            ranges.put((from, high))?;
            return Ok(ranges);
        }
        let mut from = low.clone();
        loop {
            let mut to = from.clone();
            while to < high && self.is_member(set, &low, &to.next()?)? {
                to = to.next()?;
            }
            let end = to == high;
            ranges.put((from, to.clone()))?;
            if end {
                return Ok(ranges);
            }
            from = self.first_member(set, &low, &high, &to.next()?)?;
        }
    }

    /// Returns the members between bounds that are less than a word apart, as bits.
    #[inline(always)]
    pub(super) fn bits_of(&self, set: Cell, low: i64, high: i64) -> u64 {
        match set.is_int() {
            true => set.int_value() as u64,
            false => self.bits_of_far(set, low, high),
        }
    }

    #[inline(never)]
    fn bits_of_far(&self, set: Cell, low: i64, high: i64) -> u64 {
        if set.tag() == tag::BOX {
            return Bits::of(&set).window(low, high);
        }
        let mut bits = 0;
        for value in low..=high {
            let member = self.is_far_member(set, &Small(value)) == Ok(true);
            bits |= u64::from(member) << (value - low);
        }
        bits
    }

    /// Returns the set of the integers whose bits are set. The lowest bit stands for `low` and is set.
    #[inline(always)]
    pub(super) fn bits_set(&mut self, low: i64, bits: u64) -> R<Cell> {
        match bits >> INLINE {
            0 => Ok(inline(bits)),
            _ => self.wide_bits_set(low, bits),
        }
    }

    #[cold]
    #[inline(never)]
    fn wide_bits_set(&mut self, low: i64, bits: u64) -> R<Cell> {
        self.new_set(&ranges_of_bits(low, bits)?)
    }

    /// Returns the number of members.
    pub(super) fn size_of<N: Num>(&self, set: Cell, low: &N, high: &N) -> R<N> {
        if set.is_int() {
            return Ok(N::of(i64::from(set.int_value().count_ones())));
        }
        if set.tag() == tag::BOX {
            return Ok(N::of(Bits::of(&set).count(machine(low)?, machine(high)?)));
        }
        let mut size = N::of(0);
        for (from, to) in self.ranges_of(set, low.clone(), high.clone())? {
            size = size.add(&to.sub(&from)?.next()?)?;
        }
        Ok(size)
    }
}
