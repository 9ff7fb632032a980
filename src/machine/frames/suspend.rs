//! Interrupted instructions: a frame keeps the state that they need, and `resume` goes on with them.
#![forbid(unsafe_code)]

use super::layout::{NO_FRAME, SUSPENDED, dead_registers, env};
use super::stubs;
use crate::code::instruction::{NO_OWN_FRAME, slot_a, slot_c};
use crate::machine::dispatch::regs::Regs;
use crate::machine::events::observer::Event;
use crate::machine::state::Machine;
use crate::store::address::CodeAddr;
use crate::store::cell::{Cell, WORD};
use crate::store::raw;

/// The state that must be restored when an interrupted instruction resumes.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Held {
    /// Number of slots of the environment in use, or [`NO_FRAME`].
    pub(crate) slots: usize,
    /// Number of registers.
    pub(crate) registers: usize,
    /// Mask of those among the first 64 that hold a value.
    pub(crate) mask: u64,
    /// The slots of the clause's own environment that hold a value, as in the instruction.
    pub(crate) own: u64,
    /// Whether the cut barrier is restored too. If not, a predicate is about to be entered.
    pub(crate) barrier: bool,
}

impl Held {
    /// Returns the arguments of a predicate that is about to be entered.
    pub(crate) fn arguments(arity: usize) -> Held {
        Held {
            slots: NO_FRAME,
            registers: arity,
            mask: u64::MAX,
            own: NO_OWN_FRAME,
            barrier: false,
        }
    }

    /// Returns the state that an instruction with words for live registers and slots gives.
    pub(crate) fn instruction(p: CodeAddr, w: u64) -> Held {
        Held {
            slots: slot_c(w),
            registers: slot_a(w),
            mask: raw::word(p + WORD),
            own: raw::word(p + 2 * WORD),
            barrier: true,
        }
    }

    /// Returns the state for an instruction without an operand for the number of slots: a builtin, or `alive`.
    pub(crate) fn builtin(p: CodeAddr, w: u64) -> Held {
        let own = raw::word(p + 2 * WORD);
        let slots = if own == NO_OWN_FRAME {
            NO_FRAME
        } else {
            (own & 0xffff) as usize
        };
        Held {
            slots,
            registers: slot_a(w),
            mask: raw::word(p + WORD),
            own,
            barrier: true,
        }
    }

    /// Returns the state that a collection of solutions needs at its end: the register of the template, if any.
    pub(crate) fn solution(template: Option<usize>) -> Held {
        let registers = template.map_or(0, |index| index + 1);
        let mask = template.map_or(0, |index| if index < 64 { 1 << index } else { 0 });
        Held {
            slots: NO_FRAME,
            registers,
            mask,
            own: 0,
            barrier: true,
        }
    }

    /// Returns the one slot of a guard's frame.
    pub(crate) fn guard(barrier: bool) -> Held {
        Held::frame(1, barrier)
    }

    /// Returns the slots of a frame with a stub as its continuation.
    pub(crate) fn frame(slots: usize, barrier: bool) -> Held {
        Held {
            slots,
            registers: 0,
            mask: 0,
            own: slots as u64 | ((1 << slots) - 1) << 16,
            barrier,
        }
    }
}

/// Makes a frame from which `resume` goes on at `p`; the next goal continues there. The slots of the frame
/// are: P, the cut barrier, the number of registers, the live slots of the environment below, the registers.
/// Returns false if there is no room.
pub(crate) fn suspend(m: &mut Machine, r: &mut Regs, p: CodeAddr, held: Held) -> bool {
    m.notify(&Event::Detour, r);
    let e = m.env_top(r.e, held.slots);
    if m.env_full(e) {
        return false;
    }
    e.set(env::CE, r.e);
    e.set(env::CP, m.cont);
    let cut = if held.barrier {
        m.choice_cell(m.cut_choice)
    } else {
        Cell::ABSENT
    };
    raw::set_word(e.slot(0), p.bits());
    raw::set_cell(e.slot(1), cut);
    raw::set_cell(e.slot(2), Cell::int(held.registers as i64));
    raw::set_word(e.slot(3), held.own);
    let dead = dead_registers(held.registers, held.mask);
    for index in 0..held.registers {
        let at = e.slot(SUSPENDED + index as u64);
        let alive = index >= 64 || dead >> index & 1 == 0;
        raw::set_cell(
            at,
            if alive {
                raw::register(&m.x, index)
            } else {
                Cell::int(0)
            },
        );
    }
    r.e = e;
    m.cont = match held.registers {
        0..=stubs::FEW_SUSPENDED => stubs::resume_few(),
        _ => stubs::resume(),
    };
    true
}

/// `resume`
#[inline(always)]
pub(crate) fn resume(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    let e = r.e;
    r.go(raw::code_at(e.slot(0)));
    let cut = raw::cell(e.slot(1));
    m.cut_choice = if cut == Cell::ABSENT {
        m.choice
    } else {
        m.cell_choice(cut)
    };
    let registers = raw::cell(e.slot(2)).int_value() as usize;
    for index in 0..registers {
        let cell = raw::cell(e.slot(SUSPENDED + index as u64));
        raw::set_register(&mut m.x, index, cell);
    }
    r.e = e.get(env::CE);
    m.cont = e.get(env::CP);
    r
}
