//! The goal that met a limit, with the arguments that registers still hold. So the report of an endless recursion
//! shows the mistake, without any notes taken before.
#![forbid(unsafe_code)]

use super::trace::Met;
use crate::base::atom_table::{Functor, atoms};
use crate::base::growth::{Bounded, Gather};
use crate::code::instruction::{Op, ROWS, decode, slot_a, slot_b, slot_c, wide};
use crate::machine::state::Machine;
use crate::program::predicate::PredId;
use crate::store::address::CodeAddr;
use crate::store::cell::{Cell, WORD};
use crate::store::heap::deref;
use crate::store::raw;

/// A predicate, and for each of its arguments whether a register still holds it.
type Entered = ((Option<PredId>, Functor), Option<Vec<bool>>);

/// The text for an argument that is not known any more.
const UNKNOWN: &str = "...";

impl Machine {
    /// Returns the goal of the instruction at this address, which met a limit: the goal being called, or the goal
    /// whose clause was being entered. `culprit` is the called predicate, if it is known.
    pub(in crate::machine) fn goal_at_limit(
        &mut self,
        at: CodeAddr,
        culprit: Option<Functor>,
    ) -> Option<Met> {
        if at == CodeAddr::NONE {
            return None;
        }
        let word = raw::word(at);
        let (predicate, known) = match decode(word)? {
            Op::Call | Op::Execute | Op::DeallocateExecute => {
                let id = PredId(wide(word));
                let functor = self.world.predicates.get(id).functor;
                return self.met((Some(id), functor), None, false);
            }
            Op::MetaCall | Op::BodyCall | Op::Builtin | Op::BuiltinProceed | Op::Nondet => {
                let functor = culprit?;
                let id = self.world.predicates.find(atoms::USER, functor);
                return self.met((id, functor), None, false);
            }
            Op::Try | Op::IndexNode | Op::Allocate | Op::TryElse | Op::EnsureHeap => {
                self.entered_at(at)?
            }
            _ => return None,
        };
        self.met(predicate, known.as_deref(), true)
    }

    fn met(
        &self,
        (id, functor): (Option<PredId>, Functor),
        known: Option<&[bool]>,
        entered: bool,
    ) -> Option<Met> {
        let name = self.world.symbols.name_text(functor);
        if name.starts_with('$') || functor.arity() == 0 {
            return None;
        }
        let args: Vec<Cell> = self.x[..functor.arity()]
            .iter()
            .enumerate()
            .map(|(index, &cell)| match known {
                Some(known) if !known[index] => Cell::int(0),
                _ => deref(cell),
            })
            .gather()
            .ok()?;
        let upper = self.world.upper;
        let mut args = upper.abbreviated(self, &args);
        for (text, _) in args
            .iter_mut()
            .zip(known.into_iter().flatten())
            .filter(|it| !it.1)
        {
            *text = UNKNOWN.to_owned();
        }
        Some(Met {
            functor,
            args,
            entered,
            system: id.is_none_or(|id| self.is_systems(self.definition(id))),
        })
    }

    /// Returns the predicate whose code contains an instruction, right after a goal has entered it. For a clause also
    /// returns which arguments registers still hold.
    fn entered_at(&self, at: CodeAddr) -> Option<Entered> {
        for id in (0..self.world.predicates.len() as u32).map(PredId) {
            let predicate = self.world.predicates.get(id);
            let functor = predicate.functor;
            let within = |code: &Vec<u64>| {
                let start = CodeAddr::of(code);
                (start..start + code.len() as u64 * WORD).contains(&at)
            };
            if predicate.selecting_code().any(within) {
                return Some(((Some(id), functor), None));
            }
            for (_, clause) in predicate.clauses.iter() {
                if clause.addresses().contains(&at) {
                    let until = ((at - clause.entry()) / WORD) as usize;
                    let known = arguments_left(clause.code(), until, functor.arity())?;
                    return Some(((Some(id), functor), Some(known)));
                }
            }
        }
        None
    }
}

/// Returns for each argument register whether it still holds its argument when a clause reaches the instruction at
/// word `until`. Returns `None` if the clause has called goals by then.
fn arguments_left(code: &[u64], until: usize, arity: usize) -> Option<Vec<bool>> {
    let mut left = vec![true; arity];
    let mut at = 0;
    while at < until {
        let word = *code.get(at)?;
        let op = decode(word)?;
        for register in written(word, op)? {
            if let Some(left) = left.get_mut(register) {
                *left = false;
            }
        }
        at += ROWS[op as usize].words;
    }
    Some(left)
}

/// Returns the X registers that an instruction of a head, or at the start of a body, writes. Returns `None`
/// for instructions that call goals.
fn written(word: u64, op: Op) -> Option<Vec<usize>> {
    let (a, b, c) = (slot_a(word), slot_b(word), slot_c(word));
    let mut found = Vec::new();
    match op {
        Op::Call
        | Op::Execute
        | Op::DeallocateExecute
        | Op::MetaCall
        | Op::BodyCall
        | Op::Builtin
        | Op::Nondet => return None,
        Op::GetListXX => found.put_all_bounded([b, c]),
        Op::GetListXY | Op::GetListHead => found.put_bounded(b),
        Op::GetListYX | Op::GetListTail | Op::GetListValue => found.put_bounded(c),
        Op::UnifyVariablesXX | Op::WriteVariables => found.put_all_bounded([a, b]),
        Op::UnifyVariablesYX | Op::UnifyVoidVariable | Op::WriteValueVariable => {
            found.put_bounded(b)
        }
        Op::UnifyVariableX
        | Op::UnifyVariablesXY
        | Op::WriteVariableX
        | Op::PutConstant
        | Op::PutVariableX
        | Op::PutVariableY
        | Op::PutList
        | Op::PutStructure
        | Op::Move
        | Op::LoadY
        | Op::Evaluate
        | Op::Add
        | Op::AddSmall
        | Op::Subtract
        | Op::Multiply
        | Op::IntDivide
        | Op::Modulo
        | Op::Arith0
        | Op::Arith1
        | Op::Arith2 => found.put_bounded(a),
        Op::MoveTwo | Op::MoveThree | Op::LoadTwo | Op::LoadThree => {
            let slots = ROWS[op as usize].operands.iter().zip([a, b, c]);
            found.put_all_bounded(slots.map(|(_, slot)| slot & 0xff));
        }
        _ => {}
    }
    Some(found)
}
