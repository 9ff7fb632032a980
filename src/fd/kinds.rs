//! The kinds of propagators: their names and properties. Their functions are in `propagators`.

/// The properties of a kind.
pub(crate) struct Kind {
    /// The name of the kind where propagators are printed.
    pub(crate) name: &'static str,
    /// The time when its propagators run: 0 means at once, otherwise the number of the queue, counted from 1.
    pub(crate) priority: usize,
    /// Whether propagators of the kind have nothing to do after their own changes.
    pub(crate) idempotent: bool,
}

/// Makes the table of kinds. A row: name, name as text, priority, whether idempotent.
macro_rules! kinds {
    ($($name:ident $text:literal $priority:literal $idempotent:literal;)*) => {
        /// The kinds of propagators.
        #[derive(Copy, Clone, Debug, PartialEq, Eq)]
        pub(crate) enum Kinds { $(#[doc = $text] $name),* }

        /// The properties of each kind.
        pub(crate) static KINDS: &[Kind] = &[$(Kind {
            name: $text,
            priority: $priority,
            idempotent: $idempotent,
        }),*];
    };
}

kinds! {
    Dead "dead" 0 true;
    // X ≠ Y + C
    Different "different" 0 true;
    // X = Y + C
    Shift "shift" 0 true;
    // X + Y = C
    Mirror "mirror" 0 true;
    // X + Y = Z
    Plus "plus" 1 true;
    // X ≤ Y + C
    AtMost "at_most" 0 true;
    // the sum of products of Coefficients and Variables, less State: Count, Rest
    LinearEqual "linear_equal" 2 true;
    LinearAtMost "linear_at_most" 2 false;
    LinearDifferent "linear_different" 1 true;
    // X * Y = Z
    Times "times" 1 false;
    // X ^ Y = Z
    Power "power" 1 false;
    // |X| = Z
    Absolute "abs" 1 false;
    // min(X, Y) = Z
    Minimum "min" 1 false;
    // max(X, Y) = Z
    Maximum "max" 1 false;
    // X // Y = Z and similar operations
    Truncated "//" 1 false;
    Floored "div" 1 false;
    Modulo "mod" 1 false;
    Remainder "rem" 1 false;
    // X / Y = Z without a remainder
    Exact "/" 1 false;
    // a function of two integers that waits for both: Function, X, Y, Z
    Function "function" 1 true;
    // X is in Set, a vector of bounds of intervals
    Member "in" 0 true;
    // B is 1 if a constraint holds, 0 if its negation does: B, Constraint, and 1 if that is defined
    Reified "reified" 1 true;
    // B is 1 if all Conditions are: B, Conditions
    And "and" 1 true;
    // B is 1 if a relation holds, whose operations have values if Conditions hold: B, Conditions, Relation
    Defined "defined" 1 true;
    // B is 1 if one of Conditions is
    Or "or" 1 true;
    // B is 1 if P implies Q, else 0: P, Q, B
    Implies "implies" 0 true;
    // A + B = C + 2 * A * B
    Xor "xor" 0 true;
    // if B is 1 a constraint is posted: B, Constraint
    Implied "implied" 1 true;
    // element number I of Xs is V: I, V, Xs
    Element "element" 2 false;
    // a tuple is a row of a table: Variables, State, Order, Residues, Rows, and the rest of the table
    Tuple "tuple" 3 false;
    // B is 1 if a tuple is a row, else 0: B, Variables, Values of the rows, Relation
    IsTuple "is_tuple" 3 true;
    // an automaton accepts Variables
    Automaton "automaton" 3 false;
    // each of Keys occurs in Variables as often as its element of Counts says, checked by known variables: Variables,
    // State, Order, Keys, Counts, Shown
    Occurrences "occurrences" 2 false;
    // the relation of occurrences, by a flow: Variables, Keys, Counts, Former, Shown
    Cardinality "cardinality" 4 false;
    // Number is the number of different values of Variables: Number, Variables
    Nvalue "nvalue" 3 false;
    // all Variables have different values, checked when variables become known
    AllDifferent "all_different" 1 true;
    // all Variables have different values, by matching
    AllDistinct "all_distinct" 4 true;
    // Successors of nodes form one circuit, by chains of known ones: Successors, Order, State
    Chains "chains" 1 true;
    // Successors of nodes form one circuit, by reachability; no two nodes have the same successor
    Circuit "circuit" 4 false;
    CircuitDistinct "circuit_distinct" 4 true;
    // tasks need no more than Limit at any time: Starts, Durations, Ends, Needs, Limit, Names
    Cumulative "cumulative" 3 false;
    // no two tasks run at the same time: Starts, Durations
    Serialized "serialized" 3 false;
    // no two rectangles overlap: Xs, Widths, Ys, Heights, Names
    Disjoint "disjoint" 3 false;
    // Xs are not greater than Ys: Xs, Ys, State
    Lexicographic "lexicographic" 2 false;
    // Order says how A compares with B: Order, A, B
    Compared "compared" 1 true;
}
