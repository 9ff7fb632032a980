//! Interpretation of clauses that are stored as terms. Programs assert and call such clauses a few times, so their
//! compilation does not pay. The first calls unify the head with the arguments and call the body as a term; then the
//! clause is compiled. The number of counted calls is equal in both cases.
#![forbid(unsafe_code)]

use super::meta::{INTERPRETED, call_body};
use crate::base::atom_table::atoms;
use crate::base::flags::OccursCheck;
use crate::base::stop::Stop;
use crate::code::instruction::wide;
use crate::machine::control::calls::enter;
use crate::machine::dispatch::endings::{fail, raise, sync};
use crate::machine::dispatch::forms::is_watched;
use crate::machine::dispatch::regs::Regs;
use crate::machine::state::Machine;
use crate::program::clauses::clause::{Clause, calls_of, position_of};
use crate::program::predicate::PredId;
use crate::store::cell::{Cell, WORD};
use crate::store::raw;

/// Number of calls after which a clause is compiled. The compilation takes about as long as these calls.
const CALLS: u64 = 4;

/// Returns whether a clause must be compiled now. Watchers see the goals of a compiled clause. A tabled goal needs
/// the frames of a compiled clause for its continuation. A compiled clause keeps the value that the flag
/// `occurs_check` had when the clause was added.
fn wants_code(m: &Machine) -> bool {
    is_watched(m)
        || m.run.branches.is_some()
        || m.run.observers.observing.has_any()
        || m.world.tables.evaluating()
        || m.world.flags.occurs_check != OccursCheck::False
}

/// `interpret p, position and calls`
#[inline(always)]
pub(crate) fn interpret(m: &mut Machine, mut r: Regs, w: u64) -> Result<Regs, Stop> {
    sync(m, &r);
    let id = PredId(wide(w));
    let word = raw::word(r.p() + WORD);
    let position = position_of(word);
    if calls_of(word) >= CALLS || wants_code(m) {
        let upper = m.world.upper;
        if let Err(throw) = upper.compile_clause(m, id, position) {
            return Ok(raise(m, r, throw, None));
        }
        let code = m.world.predicates.get(id).clauses.get(position);
        r.go(code.map_or(r.p(), Clause::entry));
        return Ok(r);
    }
    raw::set_word(r.p() + WORD, word + 1);
    let predicate = m.world.predicates.get(id);
    let arity = predicate.functor.arity();
    let Some(clause) = predicate.clauses.get(position) else {
        fail(m, &mut r);
        return Ok(r);
    };
    let is_fact = clause.is_fact();
    let term = clause.load(&mut m.store)?;
    let (head, body) = match m.store.compound(term) {
        Some((_, parts)) if !is_fact => (m.store.arg(parts, 0), m.store.arg(parts, 1)),
        _ => (term, Cell::atom(atoms::TRUE)),
    };
    if let Some((_, args)) = m.store.compound(head) {
        for index in 0..arity {
            let arg = m.store.arg(args, index);
            if !m.unify(m.x[index], arg)? {
                fail(m, &mut r);
                return Ok(r);
            }
        }
    }
    r.h = m.store.heap_top;
    if is_fact {
        r.go(m.cont);
        return Ok(r);
    }
    m.x[0] = body;
    m.x[1] = INTERPRETED;
    m.x[2] = m.choice_cell(m.cut_choice);
    match m.store.wake_pending {
        // Goals woken by the head run before the body.
        true => Ok(enter(m, r, m.world.foundation.system.body.0)),
        false => Ok(call_body(m, r)),
    }
}
