//! The kinds of propagators, one file for each theme, and the table of all. A kind says how its propagator narrows domains
//! and when it wakes. The form of propagators is in `fd::propagator`, the queue in
//! `fd::queue`, algorithms that several kinds share in the files beside this folder.

mod automaton;
pub(super) mod binary;
mod cardinality;
mod circuit;
mod cumulative;
mod different;
mod element;
mod energy;
mod linear;
mod logic;
mod nonlinear;
mod nvalue;
mod order;
mod quotient;
mod rectangles;
mod serialized;
mod table;

pub(crate) use automaton::Automaton;
pub(crate) use nonlinear::FUNCTIONS;

use crate::fd::number::{Large, Small};
use crate::fd::propagator::Propagator;
use crate::fd::work::{Fd, R};

/// How propagators of a kind run.
pub(crate) struct Kind {
    /// What it is called where propagators are shown.
    pub(crate) name: &'static str,
    /// When: at once, or in this queue, counted from 1.
    pub(crate) priority: usize,
    /// Has it nothing to do after its own changes?
    pub(crate) idempotent: bool,
    /// Runs one on machine words.
    pub(super) run: fn(&mut Fd<'_>, Propagator) -> R,
    /// Runs one on integers of any size.
    pub(super) run_large: fn(&mut Fd<'_>, Propagator) -> R,
}

/// Makes the table of kinds. A row: name, name as text, priority, whether idempotent, function.
macro_rules! kinds {
    ($($name:ident $text:literal $priority:literal $idempotent:literal $($function:ident)::+;)*) => {
        /// The kinds of propagators.
        #[derive(Copy, Clone, Debug, PartialEq, Eq)]
        pub(crate) enum Kinds { $(#[doc = $text] $name),* }

        /// What is known of each.
        pub(crate) static KINDS: &[Kind] = &[$(Kind {
            name: $text,
            priority: $priority,
            idempotent: $idempotent,
            run: $($function)::+::<Small>,
            run_large: $($function)::+::<Large>,
        }),*];
    };
}

kinds! {
    Dead "dead" 0 true dead;
    // X ≠ Y + C
    Different "different" 0 true binary::different;
    // X = Y + C
    Shift "shift" 0 true binary::shift;
    // X + Y = C
    Mirror "mirror" 0 true binary::mirror;
    // X + Y = Z
    Plus "plus" 1 true binary::plus;
    // X ≤ Y + C
    AtMost "at_most" 0 true binary::at_most;
    // the sum of products of Coefficients and Variables, less State: Count, Rest
    LinearEqual "linear_equal" 2 true linear::equal;
    LinearAtMost "linear_at_most" 2 false linear::at_most;
    LinearDifferent "linear_different" 1 true linear::different;
    // X * Y = Z
    Times "times" 1 false nonlinear::times;
    // X ^ Y = Z
    Power "power" 1 false nonlinear::power;
    // |X| = Z
    Absolute "abs" 1 false nonlinear::absolute;
    // min(X, Y) = Z
    Minimum "min" 1 false nonlinear::minimum;
    // max(X, Y) = Z
    Maximum "max" 1 false nonlinear::maximum;
    // X // Y = Z and the like
    Truncated "//" 1 false quotient::truncated;
    Floored "div" 1 false quotient::floored;
    Modulo "mod" 1 false quotient::modulo;
    Remainder "rem" 1 false quotient::remainder;
    // X / Y = Z without a remainder
    Exact "/" 1 false nonlinear::exact;
    // a function of two integers that waits for both: Function, X, Y, Z
    Function "function" 1 true nonlinear::function;
    // X is in Set, a vector of bounds of intervals
    Member "in" 0 true logic::member;
    // B is 1 if a constraint holds, 0 if its negation does: B, Constraint, and 1 if that is defined
    Reified "reified" 1 true logic::reified;
    // B is 1 if all Conditions are: B, Conditions
    And "and" 1 true logic::and;
    // the same of a relation that holds if its operations have values and these are so: B, Conditions, Relation
    Defined "defined" 1 true logic::and;
    // B is 1 if one of Conditions is
    Or "or" 1 true logic::or;
    // B is 1 if P implies Q, else 0: P, Q, B
    Implies "implies" 0 true logic::implies;
    // A + B = C + 2 * A * B
    Xor "xor" 0 true logic::xor;
    // if B is 1 a constraint is posted: B, Constraint
    Implied "implied" 1 true logic::implied;
    // element number I of Xs is V: I, V, Xs
    Element "element" 2 false element::element;
    // a tuple is a row of a table: Variables, State, Order, Residues, Rows, and the rest of the table
    Tuple "tuple" 3 false table::tuple;
    // B is 1 if a tuple is a row, else 0: B, Variables, Values of the rows, Relation
    IsTuple "is_tuple" 3 true table::is_tuple;
    // an automaton accepts Variables
    Automaton "automaton" 3 false automaton::automaton;
    // each of Keys occurs in Variables as often as its element of Counts says, told by those that are known:
    // Variables, State, Order, Keys, Counts, Shown
    Occurrences "occurrences" 2 false cardinality::occurrences;
    // the same by a flow: Variables, Keys, Counts, Former, Shown
    Cardinality "cardinality" 4 false cardinality::cardinality;
    // Number is that of the different values of Variables: Number, Variables
    Nvalue "nvalue" 3 false nvalue::nvalue;
    // none of Variables have the same value, told as these become known
    AllDifferent "all_different" 1 true different::all_different;
    // the same, by matching
    AllDistinct "all_distinct" 4 true different::all_distinct;
    // Successors of nodes form one circuit, told by chains of known ones: Successors, Order, State
    Chains "chains" 1 true circuit::chains;
    // the same, by what can be reached; and no two nodes have the same successor
    Circuit "circuit" 4 false circuit::connected;
    CircuitDistinct "circuit_distinct" 4 true different::all_distinct;
    // tasks need no more than Limit at any time: Starts, Durations, Ends, Needs, Limit, Names
    Cumulative "cumulative" 3 false cumulative::cumulative;
    // no two tasks run at the same time: Starts, Durations
    Serialized "serialized" 3 false serialized::serialized;
    // no two rectangles overlap: Xs, Widths, Ys, Heights, Names
    Disjoint "disjoint" 3 false rectangles::disjoint;
    // Xs are not greater than Ys: Xs, Ys, State
    Lexicographic "lexicographic" 2 false order::lexicographic;
    // Order tells how A compares with B: Order, A, B
    Compared "compared" 1 true order::compared;
}

#[expect(
    clippy::extra_unused_type_parameters,
    reason = "a row of the table has one"
)]
fn dead<N>(_: &mut Fd<'_>, _: Propagator) -> R {
    Ok(())
}
