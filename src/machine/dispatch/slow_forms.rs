//! What is rare is kept out of the way of what is fast. A handler that calls nothing but the next
//! one needs no frame and saves no registers, so a fast instruction calls no function that is not
//! inlined: when it meets what it cannot do at once it asks by [`rare`] to be done by a slow form, which
//! gets what the instruction has found as operands. A slow instruction, and `out_of_line!` in it, gets and leaves the
//! registers in [`Machine::saved`]: passed in memory of a handler's own frame they would keep that
//! frame alive, and the next handler would not be reached by a jump.
#![forbid(unsafe_code)]

use super::regs::Regs;
use crate::base::stop::Stop;
use crate::machine::control::throw::{Ball, Throw};
use crate::machine::frames::stubs;
use crate::machine::state::{Machine, Rare, RareForm};
use crate::store::address::CodeAddr;
use crate::store::raw;
use std::sync::atomic::Ordering;

/// An instruction that is written as a function from registers to registers, as one that is not inlined: from
/// the registers in [`Machine::saved`] to the new ones there. (Registers given and returned by value would be
/// copied in larger pieces than they were written in, for which processors wait.)
macro_rules! slowly {
    ($function:path) => {{
        #[inline(never)]
        fn saved(m: &mut $crate::machine::state::Machine, word: u64) {
            let r = $crate::machine::dispatch::slow_forms::one_by_one(m.saved);
            let done = $function(m, r, word);
            m.saved = $crate::machine::dispatch::slow_forms::one_by_one(
                $crate::machine::dispatch::slow_forms::Done::registers(done, m),
            );
        }
        saved
    }};
}
pub(crate) use slowly;

/// The [`RareForm`] of a function from registers to registers; with `with`, of one that takes operands.
macro_rules! rarely {
    (with $function:path) => {{
        #[inline(never)]
        fn saved(m: &mut $crate::machine::state::Machine, word: u64, a: u64, b: u64) {
            let r = $crate::machine::dispatch::slow_forms::one_by_one(m.saved);
            let done = $function(m, r, word, a, b);
            m.saved = $crate::machine::dispatch::slow_forms::one_by_one(
                $crate::machine::dispatch::slow_forms::Done::registers(done, m),
            );
        }
        saved
    }};
    ($function:path) => {{
        #[inline(never)]
        fn saved(m: &mut $crate::machine::state::Machine, word: u64, _: u64, _: u64) {
            let r = $crate::machine::dispatch::slow_forms::one_by_one(m.saved);
            let done = $function(m, r, word);
            m.saved = $crate::machine::dispatch::slow_forms::one_by_one(
                $crate::machine::dispatch::slow_forms::Done::registers(done, m),
            );
        }
        saved
    }};
}
pub(crate) use rarely;

/// What an instruction that is done out of line gives: the new registers, or [`Stop`].
pub(crate) trait Done {
    /// The new registers. What was stopped raises an exception instead; at its beginning the registers were in
    /// [`Machine::saved`].
    fn registers(self, m: &mut Machine) -> Regs;
}

impl Done for Regs {
    #[inline(always)]
    fn registers(self, _: &mut Machine) -> Regs {
        self
    }
}

impl Done for Result<Regs, Stop> {
    #[inline(always)]
    fn registers(self, m: &mut Machine) -> Regs {
        match self {
            Ok(r) => r,
            Err(Stop) => stopped(m),
        }
    }
}

/// Raises what has stopped the instruction that began with the registers in [`Machine::saved`].
#[cold]
#[inline(never)]
pub(in crate::machine) fn stopped(m: &mut Machine) -> Regs {
    let r = m.saved;
    m.run.raising.context = None;
    m.run.raising.at = r.p();
    m.run.raising.pending = Some(Throw::new(Ball::OutOfMemory));
    // What it had begun may have moved these.
    m.set_choice(m.choice);
    m.entries = m.world.predicates.entries();
    // What it had bound may refer to what it had made.
    let h = r.h.max(m.store.heap_top);
    r.above(h).at(stubs::raise())
}

/// Keeps the registers from being copied in pairs.
#[inline(always)]
pub(crate) fn one_by_one(r: Regs) -> Regs {
    let p = raw::alone(r.p());
    let (h, s, e) = (raw::alone(r.h), raw::alone(r.s), raw::alone(r.e));
    Regs::new(p, h, s, e)
}

/// Has the present instruction done by a slow form. `r` is as at its beginning, but for what the form knows of.
#[inline(always)]
pub(crate) fn rare(m: &mut Machine, r: Regs, form: RareForm) -> Regs {
    m.rare.at = r.p();
    m.rare.form = form;
    r.at(stubs::rare())
}

/// The same with operands.
#[inline(always)]
pub(crate) fn rare_with(m: &mut Machine, r: Regs, form: RareForm, a: u64, b: u64) -> Regs {
    m.rare.operands = (a, b);
    rare(m, r, form)
}

/// Has `form` done with these operands, by the instruction `stub` or as that asks for it. It finds P at `at`.
#[inline(always)]
pub(crate) fn rest(m: &mut Machine, r: Regs, form: RareForm, at: CodeAddr, a: u64, b: u64) -> Regs {
    rare_with(m, r.at(at), form, a, b).at(stubs::unify_rest())
}

/// `rare`
#[inline(always)]
pub(in crate::machine) fn do_rare(m: &mut Machine, r: Regs) -> Regs {
    let Rare { at, form, operands } = m.rare;
    m.saved = r.at(at);
    form(m, raw::word(at), operands.0, operands.1);
    if m.saved.h.bits() > m.store.watch.bell.limit.load(Ordering::Relaxed) {
        m.want_collection_at_return();
    }
    m.saved
}

/// Defines a function from the machine and the registers to the registers that is never inlined.
macro_rules! out_of_line {
    ($(#[$meta:meta])* $vis:vis fn $name:ident($m:ident, $r:pat_param $(, $arg:ident: $type:ty)* $(,)?) $body:block) => {
        $crate::machine::dispatch::slow_forms::out_of_line! {
            $(#[$meta])* $vis fn $name($m, $r $(, $arg: $type)*) -> $crate::machine::dispatch::regs::Regs $body
        }
    };
    ($(#[$meta:meta])* $vis:vis fn $name:ident($m:ident, $r:pat_param $(, $arg:ident: $type:ty)* $(,)?) -> $done:ty $body:block) => {
        $(#[$meta])*
        #[inline(always)]
        $vis fn $name(
            $m: &mut $crate::machine::state::Machine,
            registers: $crate::machine::dispatch::regs::Regs
            $(, $arg: $type)*
        ) -> $crate::machine::dispatch::regs::Regs {
            #[cold]
            #[inline(never)]
            fn outlined($m: &mut $crate::machine::state::Machine $(, $arg: $type)*) {
                let registers = $m.saved;
                let done = body($m, registers $(, $arg)*);
                $m.saved = $crate::machine::dispatch::slow_forms::Done::registers(done, $m);
            }
            #[inline(always)]
            fn body(
                $m: &mut $crate::machine::state::Machine,
                $r: $crate::machine::dispatch::regs::Regs
                $(, $arg: $type)*
            ) -> $done $body
            $m.saved = registers;
            outlined($m $(, $arg)*);
            $m.saved
        }
    };
}
pub(crate) use out_of_line;
