//! Instructions that collect the solutions of a goal, or count them.
#![forbid(unsafe_code)]

use crate::arith::mixed;
use crate::base::growth::Grow;
use crate::base::number::Number;
use crate::base::stop::Stop;
use crate::code::instruction::{slot_a, slot_b, slot_c};
use crate::machine::control::wakeups::wake;
use crate::machine::dispatch::endings::{fail, out_of_memory, step, sync, target, x};
use crate::machine::dispatch::regs::Regs;
use crate::machine::dispatch::slow_forms::out_of_line;
use crate::machine::frames::layout::ChoiceKind;
use crate::machine::frames::suspend::Held;
use crate::machine::search::bags::Bag;
use crate::machine::search::kept_solutions::Copies;
use crate::machine::state::Machine;
use crate::store::cell::WORD;
use crate::store::claims::Life;
use crate::store::raw;

/// `collect_begin n, kind, slots, label`
#[inline(always)]
pub(crate) fn collect_begin(m: &mut Machine, mut r: Regs, w: u64) -> Result<Regs, Stop> {
    let end = target(&r, 1);
    let registers = (slot_a(w), raw::word(r.p() + 2 * WORD));
    if !m.push_inner_choice(&r, registers, slot_c(w), end, ChoiceKind::Collect) {
        return Ok(out_of_memory(m, r));
    }
    if m.run.bags.len() == m.run.bags.capacity() && !room_for_bags(m) {
        m.pop_choice();
        return Ok(out_of_memory(m, r));
    }
    m.run.bags.put(match slot_b(w) {
        0 => Bag::Terms(Copies::default()),
        _ => Bag::Count(0, Number::Int(0)),
    })?;
    step(&mut r, 3);
    Ok(r)
}

/// Makes room for more collections within each other.
#[cold]
fn room_for_bags(m: &mut Machine) -> bool {
    let more = m.run.bags.len() / 2 + 16;
    let bytes = (m.run.bags.len() + more) * size_of::<Bag>();
    let claimed = m
        .store
        .resize_claim(&mut m.run.bags_claim, bytes as u64, Life::Passing);
    claimed.is_ok() && m.run.bags.try_reserve_exact(more).is_ok()
}

/// `collect_term Xa`
#[inline(always)]
pub(crate) fn collect_term(m: &mut Machine, mut r: Regs, w: u64) -> Regs {
    if m.store.wake_pending {
        let p = r.p();
        return wake(m, r, p, Held::solution(Some(slot_a(w))));
    }
    sync(m, &r);
    let term = x(m, slot_a(w));
    let Some(Bag::Terms(copies)) = m.run.bags.last_mut() else {
        unreachable!("a collection of terms is under way");
    };
    if copies.add(&mut m.store, term).is_err() {
        return out_of_memory(m, r);
    }
    fail(m, &mut r);
    r
}

out_of_line! {
    fn wake_before_count(m, r) {
        let p = r.p();
        wake(m, r, p, Held::solution(None))
    }
}

/// `collect_count`
#[inline(always)]
pub(crate) fn collect_count(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    if m.store.wake_pending {
        return wake_before_count(m, r);
    }
    if let Some(Bag::Count(count, _)) = m.run.bags.last_mut() {
        *count += 1;
    }
    fail(m, &mut r);
    r
}

/// `collect_end Xa`
#[inline(always)]
pub(crate) fn collect_end(m: &mut Machine, mut r: Regs, w: u64) -> Regs {
    m.restore(&mut r);
    m.pop_choice();
    sync(m, &r);
    let Some(bag) = m.run.bags.pop() else {
        unreachable!("a collection is under way")
    };
    let result = match bag {
        Bag::Count(count, others) => match mixed::add(&others, &Number::from_big(count.into())) {
            Ok(number) => m.store.new_number(&number),
            Err(_) => Err(Stop),
        },
        Bag::Terms(copies) => copies.list(&mut m.store),
    };
    match result {
        Ok(cell) => {
            r.h = m.store.heap_top;
            raw::set_register(&mut m.x, slot_a(w), cell);
            step(&mut r, 2);
            r
        }
        Err(_) => out_of_memory(m, r),
    }
}
