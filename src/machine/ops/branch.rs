//! The instruction for choice points whose branches are noted.
#![forbid(unsafe_code)]

use super::{builtin, context, control, meta, term};
use crate::base::stop::Stop;
use crate::code::instruction::{Op, decode};
use crate::machine::dispatch::endings::fail;
use crate::machine::dispatch::regs::Regs;
use crate::machine::dispatch::slow_forms::do_rare;
use crate::machine::frames::layout::cp;
use crate::machine::frames::stubs;
use crate::machine::state::Machine;
use crate::store::address::ChoiceAddr;
use crate::store::raw;

/// `next_branch`
#[inline(always)]
pub(crate) fn next_branch(m: &mut Machine, mut r: Regs, _: u64) -> Result<Regs, Stop> {
    let b = m.choice;
    loop {
        let Some(place) = m.begin_branch() else {
            m.pop_native();
            m.end_part();
            fail(m, &mut r);
            return Ok(r);
        };
        let skipped = m.is_on_the_way(place) && skip(m, &mut r, b);
        if skipped && m.choice != b {
            // There is no such branch: the path is invalid.
            fail(m, &mut r);
            return Ok(r);
        }
        let decides = is_search_decision(m, b);
        let mut failed = false;
        loop {
            if skipped {
                break;
            }
            r.go(b.get(cp::ALT));
            r = alternative(m, r)?;
            while r.p() == stubs::rare() {
                r = do_rare(m, r);
            }
            // Skipped branches raise no exception, but interrupts and limits do.
            if r.p() == stubs::raise() {
                return Ok(r);
            }
            // A builtin that has found nothing yet continues by itself.
            failed = m.choice == b && r.p() == b.get(cp::ALT) && r.p() != stubs::next_branch();
            // But each decision of a search is a branch: a machine that skips it does not learn whether it fails.
            if !failed || decides {
                break;
            }
        }
        if !m.end_branch(b, place) {
            if failed {
                fail(m, &mut r);
            }
            return Ok(r);
        }
    }
}

/// Skips a decision of a search, if the newest choice point belongs to one. Its consequences are for other
/// machines. Returns whether it did.
fn skip(m: &mut Machine, r: &mut Regs, b: ChoiceAddr) -> bool {
    let word = raw::word(b.get(cp::ALT));
    is_search_decision(m, b) && builtin::skip_decision(m, r, word)
}

/// Returns whether the choice point belongs to a decision of a search.
fn is_search_decision(m: &Machine, b: ChoiceAddr) -> bool {
    let word = raw::word(b.get(cp::ALT));
    decode(word) == Some(Op::NondetRetry) && builtin::decides(m, word)
}

/// Runs the instruction of an alternative.
#[inline(always)]
fn alternative(m: &mut Machine, r: Regs) -> Result<Regs, Stop> {
    let word = raw::word(r.p());
    Ok(match decode(word) {
        Some(Op::RetryElse) => control::retry_else(m, r, word),
        Some(Op::TrustElse) => control::trust_else(m, r, word),
        Some(Op::Retry) => control::retry_clause(m, r, word),
        Some(Op::Trust) => control::trust_clause(m, r, word),
        Some(Op::NondetRetry) => builtin::nondet_retry(m, r, word)?,
        Some(Op::BetweenRetry) => term::between_retry(m, r, word),
        Some(Op::BetweenNext) => term::between_next(m, r, word),
        Some(Op::DynamicRetry) => meta::dynamic_retry(m, r, word),
        Some(Op::AssumedRetry) => context::assumed_retry(m, r, word),
        _ => control::pop_fail(m, r, word),
    })
}
