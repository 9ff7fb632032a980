//! Slow forms of instructions. They keep rare work away from the fast path. A handler that calls only the next
//! handler needs no frame and saves no registers. So a fast instruction calls no function that is not inlined. If it
//! cannot finish at once, it calls [`rare`] to have a slow form run, which gets the values found so far as operands.
//!
//! Slow instructions, and `out_of_line!` functions in them, read and write the registers in [`Machine::saved`].
//! Registers in the frame of a handler would keep that frame alive, and the handler could not jump to the next one.
#![forbid(unsafe_code)]

use super::regs::Regs;
use crate::base::stop::Stop;
use crate::machine::control::throw::{Ball, Throw};
use crate::machine::frames::stubs;
use crate::machine::state::{Machine, Rare, RareForm};
use crate::store::address::CodeAddr;
use crate::store::raw;
use std::sync::atomic::Ordering;

/// Makes a function that is not inlined from an instruction written as a function from registers to registers. It
/// reads the registers in [`Machine::saved`] and writes the new ones there. Registers passed by value would be copied
/// in larger pieces than they were written in, for which processors wait.
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

/// Makes the [`RareForm`] of a function from registers to registers. With `with` the function takes operands.
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

/// The result of an instruction that runs out of line: the new registers, or [`Stop`].
pub(crate) trait Done {
    /// Returns the new registers. After a stop these raise an exception; the registers at the beginning of the
    /// instruction are in [`Machine::saved`] then.
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

/// Raises the exception for the stop of an instruction. The registers at its beginning are in [`Machine::saved`].
#[cold]
#[inline(never)]
pub(in crate::machine) fn stopped(m: &mut Machine) -> Regs {
    let r = m.saved;
    m.run.raising.context = None;
    m.run.raising.at = r.p();
    m.run.raising.pending = Some(Throw::new(Ball::OutOfMemory));
    // The stopped instruction may have moved these.
    m.set_choice(m.choice);
    m.entries = m.world.predicates.entries();
    // Its bindings may refer to terms that it has made.
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

/// Runs the present instruction by a slow form. `r` holds the registers at its beginning,
/// except changes that the form knows.
#[inline(always)]
pub(crate) fn rare(m: &mut Machine, r: Regs, form: RareForm) -> Regs {
    m.rare.at = r.p();
    m.rare.form = form;
    r.at(stubs::rare())
}

/// Runs the present instruction by a slow form with operands.
#[inline(always)]
pub(crate) fn rare_with(m: &mut Machine, r: Regs, form: RareForm, a: u64, b: u64) -> Regs {
    m.rare.operands = (a, b);
    rare(m, r, form)
}

/// Continues at the stub `unify_rest`, which unifies these operands. If that takes more work,
/// `form` does it and finds P at `at`.
#[inline(always)]
pub(crate) fn rest(m: &mut Machine, r: Regs, form: RareForm, at: CodeAddr, a: u64, b: u64) -> Regs {
    rare_with(m, r.at(at), form, a, b).at(stubs::unify_rest())
}

/// Runs the instruction `rare`.
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

/// Defines a function that takes the machine and the registers, returns the registers, and is never inlined.
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
