//! Pairs and threes of instructions that one handler runs, without a dispatch in between.
//!
//! The first instruction of a pair or three has its own number, in place of the number of its operation. The
//! instructions after it keep their form, and code may jump to them. So only the handlers know of pairs:
//! [`super::instruction::decode`] returns the operation of the first instruction. The pairs are the most frequent
//! ones, counted over benchmarks.

use super::instruction::{Op, ROWS, decode};

macro_rules! for_each_pair {
    ($macro:ident) => {
        $macro! {
            Allocate => [GetLevel, StoreY, StoreThree, MoveTwo, GetStructure];
            NeckCut => [Proceed, Allocate, Execute];
            GetConstants => [Proceed];
            GetConstant => [Proceed, GetValue, GetConstant];
            GetValue => [Proceed, DeallocateProceed, NeckCut];
            GetStructure => [UnifyVariableX, UnifyVariablesXX, UnifyConstant];
            GetList => [UnifyValueX];
            GetListXX => [GetListValue];
            GetListValue => [Execute];
            GetListTail => [Execute];
            UnifyVariableX => [GetStructure];
            UnifyVariablesXX => [GetStructure];
            UnifyConstant => [Proceed];
            WriteConstant => [WriteConstant];
            WriteFunctor => [WriteVariableX, WriteValueVariable];
            WriteStructure => [WriteStructure, WriteFunctor];
            WriteVariableX => [WriteValueX];
            WriteVariableY => [Jump];
            WriteValueX => [WriteFunctor, Jump];
            WriteValueVariable => [Jump];
            PutConstant => [Execute, Multiply];
            PutVariableY => [Call, Move, StoreTwo, StoreThree, PutVariableY];
            Move => [PutVariableY, Execute, NeckCut];
            MoveTwo => [PutVariableY, Execute];
            MoveThree => [Move, MoveTwo, MoveThree, Execute];
            LoadY => [NumNotEqual, PutVariableY, AddSmall, DeallocateExecute, Move, GetValue, Call];
            LoadTwo => [PutVariableY, DeallocateExecute, Call];
            LoadThree => [LoadY, DeallocateExecute];
            StoreY => [Call];
            StoreTwo => [Call];
            StoreThree => [Call];
            NumNotEqual => [LoadY];
            AddSmall => [Move, LoadTwo];
            IndexArgument => [BranchOnConstant, BranchOnList, GuardPair, SwitchOnTerm, GuardCompare];
        }
    };
}
pub(crate) use for_each_pair;

macro_rules! for_each_three {
    ($macro:ident) => {
        $macro! {
            GetListXX => GetListValue => Execute;
        }
    };
}
pub(crate) use for_each_three;

macro_rules! threes {
    ($($first:ident => $second:ident => $third:ident;)*) => {
        /// The threes. Their numbers follow those of the pairs.
        pub(crate) const THREES: &[(Op, Op, Op)] = &[$((Op::$first, Op::$second, Op::$third),)*];
    };
}
for_each_three!(threes);

macro_rules! table {
    ($($first:ident => [$($second:ident),*];)*) => {
        /// The pairs, in the order of their numbers. These follow the numbers of the operations.
        pub(crate) const PAIRS: &[(Op, Op)] = &[$($((Op::$first, Op::$second),)*)*];
    };
}
for_each_pair!(table);

/// The first number of a pair. Smaller numbers are those of operations.
pub(crate) const FIRST_PAIR: usize = 1 << 10;
/// The number of the first three.
pub(crate) const FIRST_THREE: usize = FIRST_PAIR + PAIRS.len();
/// Number of instruction numbers, without the marks.
pub(crate) const UNMARKED: usize = 1 << 11;

const _: () = assert!(Op::ALL.len() <= FIRST_PAIR && FIRST_THREE + THREES.len() <= UNMARKED);

/// The operation of each number; for a pair or three that of its first instruction.
pub(crate) const OPERATIONS: [Option<Op>; UNMARKED] = {
    let mut operations = [None; UNMARKED];
    let mut op = 0;
    while op < Op::ALL.len() {
        operations[op] = Some(Op::ALL[op]);
        op += 1;
    }
    let mut pair = 0;
    while pair < PAIRS.len() {
        operations[FIRST_PAIR + pair] = Some(PAIRS[pair].0);
        pair += 1;
    }
    let mut three = 0;
    while three < THREES.len() {
        operations[FIRST_THREE + three] = Some(THREES[three].0);
        three += 1;
    }
    operations
};

/// The range in [`PAIRS`] of the pairs that begin with each operation. The pairs of one operation are adjacent.
const RANGES: [(u16, u16); Op::ALL.len()] = {
    let mut ranges = [(0, 0); Op::ALL.len()];
    let mut pair = 0;
    while pair < PAIRS.len() {
        let range = &mut ranges[PAIRS[pair].0 as usize];
        if range.1 == 0 {
            range.0 = pair as u16;
        }
        assert!(
            range.1 == 0 || range.1 as usize == pair,
            "pairs are in groups"
        );
        range.1 = pair as u16 + 1;
        pair += 1;
    }
    ranges
};

/// Returns the number of the longest sequence that begins with these operations. `three` returns the third operation and
/// is called only if a three begins with the first two.
#[inline(always)]
fn sequence(one: Op, two: Op, three: impl FnOnce() -> Option<Op>) -> Option<usize> {
    let begun = |&(first, second, _): &(Op, Op, Op)| (first, second) == (one, two);
    if THREES.iter().any(begun) {
        let three = three();
        let whole = |other: &(Op, Op, Op)| begun(other) && Some(other.2) == three;
        if let Some(found) = THREES.iter().position(whole) {
            return Some(FIRST_THREE + found);
        }
    }
    let (from, to) = RANGES[one as usize];
    let pairs = &PAIRS[usize::from(from)..usize::from(to)];
    let found = pairs.iter().position(|pair| pair.1 == two)?;
    Some(FIRST_PAIR + usize::from(from) + found)
}

/// Returns the word `first` with the number of the pair that it forms with `second`, or unchanged if they are no pair.
#[inline]
pub(crate) fn pair(first: u64, second: u64) -> u64 {
    let number = || sequence(decode(first)?, decode(second)?, || None);
    number().map_or(first, |number| numbered(first, number))
}

fn numbered(word: u64, number: usize) -> u64 {
    (word & !(UNMARKED as u64 - 1)) | number as u64
}

/// Replaces the numbers of instructions that begin a pair or three, in the code of a clause.
pub(crate) fn mark(code: &mut [u64]) {
    let operation = |code: &[u64], at: usize| code.get(at).and_then(|&word| decode(word));
    let mut at = 0;
    let mut first = operation(code, at);
    while let Some(one) = first {
        let next = at + ROWS[one as usize].words;
        let second = operation(code, next);
        if let Some(two) = second
            && let third = next + ROWS[two as usize].words
            && let Some(number) = sequence(one, two, || operation(code, third))
        {
            code[at] = numbered(code[at], number);
        }
        (at, first) = (next, second);
    }
}

#[cfg(test)]
mod tests {
    use super::{FIRST_PAIR, FIRST_THREE, PAIRS, THREES, decode, mark, sequence};
    use crate::code::instruction::{Op, encode, encode_wide};

    #[test]
    fn a_marked_pair_decodes_as_its_first_instruction() {
        let store = encode(Op::StoreY, 1, 2, 0);
        let mut code = [store, encode_wide(Op::Call, 0, 7), 0, Op::Proceed as u64];
        let before = code;
        mark(&mut code);
        assert_ne!(code[0], store);
        assert_eq!(decode(code[0]), Some(Op::StoreY));
        assert_eq!(code[0] >> 16, store >> 16);
        assert_eq!(code[1..], before[1..]);
    }

    #[test]
    fn every_pair_number_decodes() {
        for (index, &(first, second)) in PAIRS.iter().enumerate() {
            let number = (FIRST_PAIR + index) as u64;
            assert_eq!(decode(number), Some(first));
            assert_eq!(sequence(first, second, || None), Some(number as usize));
        }
        for (index, &(first, second, third)) in THREES.iter().enumerate() {
            let number = FIRST_THREE + index;
            assert_eq!(decode(number as u64), Some(first));
            assert_eq!(sequence(first, second, || Some(third)), Some(number));
        }
        assert_eq!(decode(Op::ALL.len() as u64), None);
        assert_eq!(decode((FIRST_THREE + THREES.len()) as u64), None);
    }

    #[test]
    fn operand_words_are_not_marked() {
        // The constant has the form of a `store`, the last word that of a `call`.
        let mut code = [
            encode(Op::GetConstant, 0, 0, 0),
            encode(Op::StoreY, 1, 2, 0),
            encode_wide(Op::Call, 0, 7),
        ];
        let before = code;
        mark(&mut code);
        assert_eq!(code, before);
    }
}
