//! Evaluation of tabled goals: the frame that bounds the continuations of consumers, taking and resuming them
//! (see `tables`).
//!
//! A continuation is a list: what is unified with answers; what the goal of the owner was to find; then, from the
//! innermost environment outwards, the address of its code and its live slots but for cut levels, which are made again. The address is an inline integer,
//! so that the block of the stored list holds a word that whoever looks for code in use can see.
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

/// Which slots of an environment a call site says to hold terms.
fn slots(site: u64) -> impl Iterator<Item = u64> {
    let (size, terms) = (site & 0xffff, live_slots(site) & !level_slots(site));
    (0..size).filter(move |&slot| slot >= MASKED_SLOTS as u64 || terms >> slot & 1 != 0)
}

impl Machine {
    /// The continuation of the present goal, as far as the frame of the innermost evaluation; `answer` is what is
    /// unified with answers. `None` if a barrier crosses it.
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
            // That the goal succeeds again is not shown; all else is as if nobody traced.
            if !self.is_frame_of_shown(cont, e) {
                let barred = stubs::contains(cont)
                    || raw::word(cont - WORD) & BARRIER != 0
                    // Their environment has a choice point for the cuts of the goals after this one.
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

    /// Makes the environments of a continuation again. Gives what is unified with answers, and what is found;
    /// `None` if there is no room.
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
            // Cuts of the clause reach to here, not to where it was called.
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

/// `table_run`: X0 is what is found, X1 a goal or the number of a consumer.
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
