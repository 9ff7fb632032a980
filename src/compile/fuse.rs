//! Pairs of instructions that one instruction replaces: each saves a dispatch.

use crate::base::growth::Grow;
use crate::base::stop::Stop;
use crate::code::instruction::{Op, Operand, ROWS, decode, encode, slot_a, slot_b, slot_c};

/// Maximum operand of an instruction of packed pairs.
const PACKED_MAX: usize = 0xff;

/// Returns one instruction that does the work of two instructions of one word.
pub(super) fn fused(first: u64, second: u64) -> Option<u64> {
    let (one, two) = (decode(first)?, decode(second)?);
    let (a, b) = (slot_a(first) as u16, slot_a(second) as u16);
    let op = match (one, two) {
        (Op::UnifyVariableX, Op::UnifyVariableX) => Op::UnifyVariablesXX,
        (Op::UnifyVariableX, Op::UnifyVariableY) => Op::UnifyVariablesXY,
        (Op::UnifyVariableY, Op::UnifyVariableX) => Op::UnifyVariablesYX,
        (Op::UnifyVariableY, Op::UnifyVariableY) => Op::UnifyVariablesYY,
        (Op::UnifyVoid, Op::UnifyVariableX) => Op::UnifyVoidVariable,
        (Op::WriteValueX, Op::WriteVariableX) => Op::WriteValueVariable,
        (Op::WriteValueX, Op::WriteValueX) => Op::WriteValues,
        (Op::WriteVariableX, Op::WriteVariableX) => Op::WriteVariables,
        (Op::Move, Op::Move) => return pack(Op::MoveTwo, first, second),
        (Op::LoadY, Op::LoadY) => return pack(Op::LoadTwo, first, second),
        (Op::StoreY, Op::StoreY) => return pack(Op::StoreTwo, first, second),
        (Op::MoveTwo, Op::Move) => return pack_third(Op::MoveThree, first, second),
        (Op::LoadTwo, Op::LoadY) => return pack_third(Op::LoadThree, first, second),
        (Op::StoreTwo, Op::StoreY) => return pack_third(Op::StoreThree, first, second),
        _ => return None,
    };
    Some(encode(op, a, b, 0))
}

/// Returns the operands of an instruction in one slot, if they are small.
fn packed(word: u64) -> Option<u16> {
    let (to, from) = (slot_a(word), slot_b(word));
    (to <= PACKED_MAX && from <= PACKED_MAX).then_some((to | from << 8) as u16)
}

fn pack(op: Op, first: u64, second: u64) -> Option<u64> {
    Some(encode(op, packed(first)?, packed(second)?, 0))
}

fn pack_third(op: Op, two: u64, third: u64) -> Option<u64> {
    debug_assert_eq!(slot_c(two), 0);
    Some(encode(
        op,
        slot_a(two) as u16,
        slot_b(two) as u16,
        packed(third)?,
    ))
}

/// Appends an instruction of one word. `fence` is the place before which no word may change.
pub(super) fn push(code: &mut Vec<u64>, fence: usize, word: u64) -> Result<(), Stop> {
    if code.len() > fence
        && let Some(last) = code.last_mut()
        && let Some(both) = fused(*last, word)
    {
        *last = both;
        return Ok(());
    }
    code.put(word)?;
    Ok(())
}

/// Returns the end of a clause, if a few words from `at` on lead to it without a branch. A copy of them can replace a
/// jump to `at`.
pub(super) fn way_out(code: &[u64], at: usize) -> Option<&[u64]> {
    const WORDS: usize = 4;
    let mut next = at;
    while next < code.len() && next - at < WORDS {
        let op = decode(code[next])?;
        let row = &ROWS[op as usize];
        next += row.words;
        match op {
            Op::Execute | Op::Proceed | Op::DeallocateExecute | Op::DeallocateProceed => {
                return Some(&code[at..next]);
            }
            _ => {}
        }
        let is_plain = |operand: &Operand| {
            matches!(
                operand,
                Operand::X(_) | Operand::Y(_) | Operand::Constant(_) | Operand::Packed(_)
            )
        };
        if !row.operands.iter().all(is_plain) {
            return None;
        }
    }
    None
}

/// Returns one instruction for a `get_list` at `at`. It also does the work of the instructions that read its parts,
/// at the end of the code, and of the stream that writes them.
pub(super) fn whole_list(code: &[u64], at: usize, written: &[u64]) -> Option<u64> {
    let get = *code.get(at)?;
    if decode(get)? != Op::GetList {
        return None;
    }
    let a = slot_a(get) as u16;
    let list = |op: Op, b: usize, c: usize| Some(encode(op, a, b as u16, c as u16));
    let (read, write) = (code.get(at + 2..)?, written);
    let ops = |words: &[u64]| -> Option<(Op, Option<Op>)> {
        match *words {
            [one] => Some((decode(one)?, None)),
            [one, two] => Some((decode(one)?, Some(decode(two)?))),
            _ => None,
        }
    };
    let first = *read.first()?;
    let (b, c) = (slot_a(first), slot_b(first));
    match (ops(read)?, ops(write)?) {
        ((Op::UnifyVariablesXX, None), (Op::WriteVariables, None)) => list(Op::GetListXX, b, c),
        ((Op::UnifyVariablesXY, None), (Op::WriteVariableX, Some(Op::WriteVariableY))) => {
            list(Op::GetListXY, b, c)
        }
        ((Op::UnifyVariablesYX, None), (Op::WriteVariableY, Some(Op::WriteVariableX))) => {
            list(Op::GetListYX, b, c)
        }
        ((Op::UnifyVariablesYY, None), (Op::WriteVariableY, Some(Op::WriteVariableY))) => {
            list(Op::GetListYY, b, c)
        }
        ((Op::UnifyVoidVariable, None), (Op::WriteVoid, Some(Op::WriteVariableX))) => {
            list(Op::GetListTail, 0, c)
        }
        ((Op::UnifyVariableX, None), (Op::WriteVariableX, Some(Op::WriteVoid))) => {
            list(Op::GetListHead, b, 0)
        }
        ((Op::UnifyValueX, None), (Op::WriteValueX, Some(Op::WriteVoid))) => {
            list(Op::GetListHeadValue, b, 0)
        }
        ((Op::UnifyValueX, Some(Op::UnifyVariableX)), (Op::WriteValueVariable, None)) => {
            list(Op::GetListValue, b, slot_a(read[1]))
        }
        _ => None,
    }
}
