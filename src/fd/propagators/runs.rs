//! The table of the functions of propagators, which are in the files beside this one.

use super::{
    automaton, binary, cardinality, circuit, cumulative, different, element, linear, logic,
    nonlinear, nvalue, order, quotient, rectangles, serialized, table,
};
use crate::fd::kinds::{KINDS, Kinds};
use crate::fd::number::{Large, Small};
use crate::fd::propagator::Propagator;
use crate::fd::work::{Fd, R};

/// The functions of a kind.
#[derive(Copy, Clone)]
pub(crate) struct Run {
    /// Runs a propagator on machine words.
    pub(crate) small: fn(&mut Fd<'_>, Propagator) -> R,
    /// Runs a propagator on integers of any size.
    pub(crate) large: fn(&mut Fd<'_>, Propagator) -> R,
}

/// Makes the table of functions. A row: kind, function.
macro_rules! runs {
    ($($kind:ident $($function:ident)::+;)*) => {
        /// The functions of propagators, by the number of their kind.
        pub(crate) static RUNS: [Run; KINDS.len()] = {
            let mut runs = [Run { small: dead::<Small>, large: dead::<Large> }; KINDS.len()];
            $(runs[Kinds::$kind as usize] = Run {
                small: $($function)::+::<Small>,
                large: $($function)::+::<Large>,
            };)*
            runs
        };

        /// Each kind has a row.
        const _: fn(Kinds) = |kind| match kind { $(Kinds::$kind => {})* };
    };
}

runs! {
    Dead dead;
    Different binary::different;
    Shift binary::shift;
    Mirror binary::mirror;
    Plus binary::plus;
    AtMost binary::at_most;
    LinearEqual linear::equal;
    LinearAtMost linear::at_most;
    LinearDifferent linear::different;
    Times nonlinear::times;
    Power nonlinear::power;
    Absolute nonlinear::absolute;
    Minimum nonlinear::minimum;
    Maximum nonlinear::maximum;
    Truncated quotient::truncated;
    Floored quotient::floored;
    Modulo quotient::modulo;
    Remainder quotient::remainder;
    Exact nonlinear::exact;
    Function nonlinear::function;
    Member logic::member;
    Reified logic::reified;
    And logic::and;
    Defined logic::and;
    Or logic::or;
    Implies logic::implies;
    Xor logic::xor;
    Implied logic::implied;
    Element element::element;
    Tuple table::tuple;
    IsTuple table::is_tuple;
    Automaton automaton::automaton;
    Occurrences cardinality::occurrences;
    Cardinality cardinality::cardinality;
    Nvalue nvalue::nvalue;
    AllDifferent different::all_different;
    AllDistinct different::all_distinct;
    Chains circuit::chains;
    Circuit circuit::connected;
    CircuitDistinct different::all_distinct;
    Cumulative cumulative::cumulative;
    Serialized serialized::serialized;
    Disjoint rectangles::disjoint;
    Lexicographic order::lexicographic;
    Compared order::compared;
}

#[expect(
    clippy::extra_unused_type_parameters,
    reason = "a row of the table has one"
)]
fn dead<N>(_: &mut Fd<'_>, _: Propagator) -> R {
    Ok(())
}
