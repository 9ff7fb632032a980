//! Instructions that collect the solutions of a goal, or count them.
#![forbid(unsafe_code)]

use super::context::assumed;
use crate::arith::mixed;
use crate::base::atom_table::functors;
use crate::base::flags::OccursCheck;
use crate::base::growth::Grow;
use crate::base::number::Number;
use crate::base::stop::Stop;
use crate::code::instruction::{slot_a, slot_b, slot_c, wide};
use crate::ir::clause::Collected;
use crate::machine::control::throw::Ball;
use crate::machine::control::wakeups::wake;
use crate::machine::dispatch::endings::{fail, out_of_memory, raise, step, sync, target, x};
use crate::machine::dispatch::regs::Regs;
use crate::machine::dispatch::slow_forms::out_of_line;
use crate::machine::evaluate::{arith_error, evaluate};
use crate::machine::frames::layout::ChoiceKind;
use crate::machine::frames::suspend::Held;
use crate::machine::search::bags::Bag;
use crate::machine::search::kept_solutions::Copies;
use crate::machine::search::memo::{NotRemembered, Remembered};
use crate::machine::state::Machine;
use crate::program::predicate::PredId;
use crate::store::cell::{Cell, WORD, tag};
use crate::store::claims::Life;
use crate::store::list::ListShape;
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
    let what = Collected::of_operand(slot_b(w)).unwrap_or(Collected::List);
    m.run.bags.put(Bag::new(what))?;
    step(&mut r, 3);
    Ok(r)
}

/// Makes room for more nested collections.
#[cold]
fn room_for_bags(m: &mut Machine) -> bool {
    let more = m.run.bags.len() / 2 + 16;
    let bytes = (m.run.bags.len() + more) * size_of::<Bag>();
    let claimed = m
        .store
        .resize_claim(&mut m.run.bags_claim, bytes as u64, Life::Passing);
    claimed.is_ok() && m.run.bags.try_reserve_exact(more).is_ok()
}

/// `collect_folded n, predicate`
#[inline(always)]
pub(crate) fn collect_folded(m: &mut Machine, mut r: Regs, w: u64) -> Regs {
    sync(m, &r);
    let own = m.means_own(PredId(wide(w)));
    m.entries = m.world.predicates.entries();
    r.h = m.store.heap_top;
    if own && !m.is_observed() {
        let bag = match Collected::of_operand(slot_a(w)) {
            Some(Collected::Sum) => Bag::Sum(Number::Int(0), true),
            _ => Bag::new(Collected::Count),
        };
        if let Some(list) = m.run.bags.last_mut() {
            *list = bag;
        }
    }
    step(&mut r, 1);
    r
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
    let added = match m.run.bags.last_mut() {
        Some(Bag::Terms(copies)) => copies.add(&mut m.store, term),
        Some(Bag::Best(best)) => best.add(&mut m.store, &m.world.symbols, term),
        _ => return add_up(m, r, term),
    };
    if added.is_err() {
        return out_of_memory(m, r);
    }
    fail(m, &mut r);
    r
}

/// Adds the value of a term to the sum.
#[inline(never)]
fn add_up(m: &mut Machine, mut r: Regs, term: Cell) -> Regs {
    let added = evaluate(m, term).and_then(|value| {
        let Some(Bag::Sum(sum, _)) = m.run.bags.last_mut() else {
            unreachable!("a collection of terms is under way");
        };
        match mixed::add(sum, &value) {
            Ok(number) => *sum = number,
            Err(error) => return Err(arith_error(m, error)),
        }
        Ok(())
    });
    let throw = match added {
        Ok(()) => {
            fail(m, &mut r);
            return r;
        }
        Err(throw) => throw,
    };
    if let Ball::Error(..) = throw.0.ball
        && let Some(Bag::Sum(sum, true)) = m.run.bags.last()
    {
        // The predicate that adds up the list raises the exception when all solutions are found.
        let sum = sum.clone();
        let list = list_from(m, &sum, term);
        match (list, m.run.bags.last_mut()) {
            (Ok(list), Some(bag)) => *bag = list,
            _ => return out_of_memory(m, r),
        }
        fail(m, &mut r);
        return r;
    }
    raise(m, r, throw, Some(functors::IS))
}

/// Returns the list of a sum and a term.
fn list_from(m: &mut Machine, sum: &Number, term: Cell) -> Result<Bag, Stop> {
    let mut copies = Copies::default();
    let sum = m.store.new_number(sum)?;
    copies.add(&mut m.store, sum)?;
    copies.add(&mut m.store, term)?;
    Ok(Bag::Terms(copies))
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
    match m.run.bags.last_mut() {
        Some(Bag::Count(count, ..)) => {
            *count += 1;
            fail(m, &mut r);
        }
        _ => step(&mut r, 1),
    }
    r
}

/// `count_all a, variables, number`
#[inline(always)]
pub(crate) fn count_all(m: &mut Machine, mut r: Regs, w: u64) -> Regs {
    if m.counts_next() {
        return count_all_now(m, r, w);
    }
    step(&mut r, 3);
    r
}

out_of_line! {
    fn count_all_now(m, mut r, w: u64) {
        let (variables, number) = (raw::word(r.p() + WORD), raw::word(r.p() + 2 * WORD));
        let counted = m.are_different_variables(variables)
            && m.count_at_once(|m| match slot_a(w) {
                0 => Some(Number::from_big(number.into())),
                // With the flag `occurs_check` an element does not unify with a variable that occurs in it.
                _ if m.world.flags.occurs_check != OccursCheck::False => None,
                list => match m.store.list_length(x(m, list - 1)) {
                    Ok(ListShape::Proper(length)) => Some(Number::from_big(length.into())),
                    _ => None,
                },
            });
        match counted {
            true => fail(m, &mut r),
            false => step(&mut r, 3),
        }
        r
    }
}

impl Machine {
    /// Returns whether the arguments selected by the bits of a number are different variables that no goal waits for.
    pub(super) fn are_different_variables(&self, arguments: u64) -> bool {
        let bits = |number: u64| {
            let rest =
                std::iter::successors(Some(number), |rest| Some(rest & rest.wrapping_sub(1)));
            rest.map_while(|rest| (rest != 0).then(|| rest.trailing_zeros() as usize))
        };
        bits(arguments).all(|index| {
            let argument = x(self, index);
            let before = arguments & ((1 << index) - 1);
            argument.tag() == tag::REF && bits(before).all(|other| x(self, other) != argument)
        })
    }
}

/// `count_memo n`
#[inline(always)]
pub(crate) fn count_memo(m: &mut Machine, mut r: Regs, w: u64) -> Result<Regs, Stop> {
    sync(m, &r);
    match m.remember_call(&r, wide(w)) {
        Remembered::Counted => {
            fail(m, &mut r);
            return Ok(r);
        }
        Remembered::No(why) => {
            if let Some(why) = why {
                let reported = m.report_not_remembered(wide(w), why);
                // A lack of memory does not stop the search.
                if why != NotRemembered::Memory {
                    reported?;
                }
                r.h = m.store.heap_top;
            }
        }
    }
    Ok(assumed(m, r, w))
}

/// `count_memo_end`
#[inline(always)]
pub(crate) fn count_memo_end(m: &mut Machine, mut r: Regs, _: u64) -> Result<Regs, Stop> {
    m.restore(&mut r);
    sync(m, &r);
    if let Some(slot) = m.end_of_remembered() {
        m.report_not_remembered(slot, NotRemembered::Effects)?;
    }
    m.pop_choice();
    fail(m, &mut r);
    Ok(r)
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
        Bag::Count(count, others, _) => {
            match mixed::add(&others, &Number::from_big(count.into())) {
                Ok(number) => m.store.new_number(&number),
                Err(_) => Err(Stop),
            }
        }
        Bag::Terms(copies) => copies.list(&mut m.store),
        Bag::Sum(number, _) => m.store.new_number(&number),
        Bag::Best(best) => best.list(&mut m.store),
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
