//! Evaluation of tabled goals: the frame that bounds the continuations of consumers, and functions that store and
//! resume these continuations (see `tables`).
//!
//! A continuation is a list. Its first element is unified with answers; the second is the term for the answer that
//! the goal of the owner finds. Then come the environments, innermost first: the address of the code and the live
//! slots. Cut levels are left out and made again. The address is an inline integer. So the search for code in use
//! finds it as a word in the block of the stored list.
#![forbid(unsafe_code)]

use super::guard::guard_frame;
use crate::base::growth::Grow;
use crate::base::stop::Stop;
use crate::code::frame_map::{BARRIER, MASKED_SLOTS, level_slots, live_slots};
use crate::machine::dispatch::endings::{call_system, fail_op, out_of_memory, sync, x};
use crate::machine::dispatch::regs::Regs;
use crate::machine::frames::frame::{kept_code, kept_code_cell};
use crate::machine::frames::layout::env;
use crate::machine::frames::stubs;
use crate::machine::state::Machine;
use crate::store::address::CodeAddr;
use crate::store::cell::{Cell, WORD};
use crate::store::heap::View;
use crate::store::raw;

/// Returns the slots of an environment that hold terms, according to its call site.
fn slots(site: u64) -> impl Iterator<Item = u64> {
    let (size, terms) = (site & 0xffff, live_slots(site) & !level_slots(site));
    (0..size).filter(move |&slot| slot >= MASKED_SLOTS as u64 || terms >> slot & 1 != 0)
}

impl Machine {
    /// Returns the continuation of the present goal up to the frame of the innermost evaluation; `answer` is unified
    /// with answers. Returns `None` if a barrier crosses it.
    pub(crate) fn continuation(&self, answer: Cell) -> Result<Option<Vec<Cell>>, Stop> {
        let control = [
            self.world.foundation.system.conjunction,
            self.world.foundation.system.soft_if_then,
        ];
        let control = control.map(|id| {
            let clause = self.world.predicates.get(id).clauses.all().next();
            clause.map_or(CodeAddr::NONE..CodeAddr::NONE, |clause| clause.addresses())
        });
        let mut cells = vec![answer, answer];
        let (mut cont, mut e) = (self.cont, self.env);
        while cont != stubs::table_return() {
            // A later success of the goal is not shown. Otherwise the continuation is as without tracing.
            if !self.is_frame_of_shown(cont, e) {
                let barred = stubs::contains(cont)
                    || raw::word(cont - WORD) & BARRIER != 0
                    // Their environment refers to a choice point for the cuts of the goals that follow.
                    || control.iter().any(|code| code.contains(&cont));
                if barred {
                    return Ok(None);
                }
                cells.put(kept_code_cell(cont))?;
                for slot in slots(raw::word(cont - WORD)) {
                    cells.put(raw::cell(e.slot(slot)))?;
                }
            }
            cont = e.get(env::CP);
            e = e.get(env::CE);
        }
        cells[1] = raw::cell(e.slot(0));
        Ok(Some(cells))
    }

    /// Makes the environments of a continuation again. Returns the term to unify with answers, and the term for the
    /// answer to find. Returns `None` if there is no room.
    fn resume_continuation(&mut self, r: &mut Regs, list: Cell) -> Result<Option<[Cell; 2]>, Stop> {
        let mut cells = Vec::new();
        let mut rest = list;
        while let View::List(parts) = self.store.view(rest) {
            cells.put(self.store.arg(parts, 0))?;
            rest = self.store.arg(parts, 1);
        }
        let mut frames = Vec::new();
        let mut at = 2;
        while let Some(cont) = cells.get(at) {
            frames.put(at)?;
            let cont = kept_code(*cont);
            at += 1 + slots(raw::word(cont - WORD)).count();
        }
        for at in frames.into_iter().rev() {
            let cont = kept_code(cells[at]);
            if !guard_frame(self, r, cont) {
                return Ok(None);
            }
            let site = raw::word(cont - WORD);
            // The clause cuts to here, not to its call.
            let mut levels = level_slots(site);
            while levels != 0 {
                let slot = u64::from(levels.trailing_zeros());
                raw::set_cell(r.e.slot(slot), self.choice_cell(self.choice));
                levels &= levels - 1;
            }
            for (slot, &cell) in slots(site).zip(&cells[at + 1..]) {
                raw::set_cell(r.e.slot(slot), cell);
            }
        }
        Ok(Some([cells[0], cells[1]]))
    }
}

/// `table_run`: X0 is the term for the answer to find, X1 a goal or the number of a consumer.
#[inline(always)]
pub(crate) fn run(m: &mut Machine, mut r: Regs, _: u64) -> Result<Regs, Stop> {
    sync(m, &r);
    let (found, what) = (m.x[0], x(m, 1));
    let frame_end = stubs::table_return();
    if !guard_frame(m, &mut r, frame_end) {
        return Ok(out_of_memory(m, r));
    }
    raw::set_cell(r.e.slot(0), found);
    let View::Int(number) = m.store.view(what) else {
        m.x[0] = what;
        r.go(stubs::call());
        return Ok(r);
    };
    let number = u32::try_from(number).unwrap_or(u32::MAX);
    let Some(stored) = m.world.tables.continuation(number) else {
        return Ok(fail_op(m, r, 0));
    };
    let list = m.store.load_term(stored)?;
    let Some([answer, known]) = m.resume_continuation(&mut r, list)? else {
        return Ok(out_of_memory(m, r));
    };
    m.unify(found, known)?;
    r.h = m.store.heap_top;
    m.x[0] = Cell::int(i64::from(number));
    m.x[1] = answer;
    let unmet = m.world.foundation.system.table_unmet;
    Ok(call_system(m, r, unmet))
}
