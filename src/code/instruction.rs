//! The instructions of the machine: one table with name, length and operands of each.
//!
//! An instruction is one word `number:16 | a:16 | b:16 | c:16` (least significant first) and up to a few
//! further words `w1`, `w2`, …. The number is that of the operation, or of a pair that the instruction
//! begins (see [`super::pairs`]), with the marks [`GOAL`] and [`OPERAND`], which change nothing in what the
//! instruction does. It is read as a whole: every marked number has a handler of its own. Registers X and Y are numbered from 0. A label is a distance in
//! words from the instruction that holds it; an address is absolute. Clause code holds only labels,
//! so it can be moved and shared; index code, which belongs to one engine, holds addresses.
//!
//! Terms are unified in two streams: in read mode `u_*` instructions follow `get_*`; when the
//! argument is a variable control jumps to a separate stream of `w_*` instructions that build the
//! whole term and jump back. There is no mode flag.

use super::pairs::{OPERATIONS, UNMARKED};

/// Number of registers that compiled code may use.
pub(crate) const REGISTERS: usize = 256;

/// Where an operand lies, and what it is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Operand {
    /// Register X, number in this slot (0, 1 or 2 for a, b, c).
    X(u8),
    /// Permanent variable Y, number in this slot.
    Y(u8),
    /// A number in this slot.
    Number(u8),
    /// A signed number in this slot.
    Signed(u8),
    /// A 32-bit index in slots b and c: a predicate.
    Predicate,
    /// A 32-bit index in slots b and c: a builtin.
    Builtin,
    /// A 32-bit number in slots b and c.
    Wide,
    /// A distance in slots b and c, back from the instruction that holds it.
    Back,
    /// A constant cell in this word.
    Constant(u8),
    /// A functor cell in this word.
    Functor(u8),
    /// A distance in this word; zero means failure.
    Label(u8),
    /// An absolute address in this word.
    Address(u8),
    /// An evaluable functor in this word.
    Evaluable(u8),
    /// Frame size, live permanent variables and cut levels of a call site in this word, and whether it is a barrier.
    Site(u8),
    /// Live slots of the clause's own environment in this word, in the form of a call site; all
    /// ones if it has none.
    Frame(u8),
    /// Any other word.
    Word(u8),
    /// Two numbers below 256 in this slot, the second in its upper half: the operands of a `move`,
    /// `load` or `store`.
    Packed(u8),
}

/// One row of the table.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Row {
    /// Spelling in listings.
    pub(crate) name: &'static str,
    /// Length in words.
    pub(crate) words: usize,
    /// Operands in the order of the listing.
    pub(crate) operands: &'static [Operand],
    /// What it does.
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "for the manual that is made of the table")
    )]
    pub(crate) doc: &'static str,
}

macro_rules! instructions {
    ($($(#[doc = $doc:literal])* $op:ident $name:literal $words:literal [$($operand:expr),*];)*) => {
        /// The operation of an instruction.
        #[derive(Copy, Clone, Debug, PartialEq, Eq)]
        #[repr(u16)]
        pub(crate) enum Op { $($(#[doc = $doc])* $op),* }

        impl Op {
            /// All operations, in order of their numbers.
            pub(crate) const ALL: &'static [Op] = &[$(Op::$op),*];
        }

        /// The table, in order of the numbers of the operations.
        pub(crate) const ROWS: &[Row] = {
            use Operand::{Address, Back, Builtin, Constant, Evaluable, Frame, Functor, Label, Number, Packed,
                Predicate, Signed, Site, Wide, Word, X, Y};
            &[$(Row { name: $name, words: $words, operands: &[$($operand),*], doc: concat!($($doc),*) }),*]
        };
    };
}

instructions! {
    /// Stops the machine: the query has a solution.
    StopSuccess "stop_success" 1 [];
    /// Stops the machine: the query has no (further) solution.
    StopFailure "stop_failure" 1 [];
    /// Raises the pending exception: unwinds to the catching goal.
    Raise "raise" 1 [];
    /// Does the instruction that asked for it by its slow function.
    Rare "rare" 1 [];
    /// Unifies two compounds that an instruction has met.
    UnifyRest "unify_rest" 1 [];
    /// Backtracks.
    Fail "fail" 1 [];
    /// Drops the newest choice point and backtracks.
    PopFail "pop_fail" 1 [];
    /// Takes the next branch of the newest choice point, of a search that notes which ones it takes.
    NextBranch "next_branch" 1 [];
    /// Calls a predicate; the word before the return address says what is alive in the frame.
    Call "call" 2 [Predicate, Site(1)];
    /// Calls a predicate as the last goal.
    Execute "execute" 1 [Predicate];
    /// Returns to the continuation.
    Proceed "proceed" 1 [];
    /// Makes an environment of a slots.
    Allocate "allocate" 1 [Number(0)];
    /// Drops the environment.
    Deallocate "deallocate" 1 [];
    /// `deallocate`, `execute`.
    DeallocateExecute "deallocate_execute" 1 [Predicate];
    /// `deallocate`, `proceed`.
    DeallocateProceed "deallocate_proceed" 1 [];
    /// Goes on elsewhere.
    Jump "jump" 2 [Label(1)];
    /// Goes on at an absolute address.
    JumpTo "jump_to" 2 [Address(1)];
    /// Makes sure of room for terms beyond the slack.
    EnsureHeap "ensure_heap" 2 [Word(1)];

    /// Choice point that saves a registers X; the alternative is at the label; b slots of the frame
    /// are in use (65535: no frame).
    TryElse "try_else" 3 [Number(0), Number(1), Label(1), Word(2)];
    /// Restores the state; the next alternative is at the label.
    RetryElse "retry_else" 3 [Label(1), Frame(2)];
    /// Restores the state and drops the choice point.
    TrustElse "trust_else" 2 [Frame(1)];
    /// Choice point for a clause of arity a; the next alternative follows.
    Try "try" 2 [Number(0), Address(1)];
    /// Next clause; another alternative follows.
    Retry "retry" 2 [Address(1)];
    /// Last clause.
    Trust "trust" 2 [Address(1)];
    /// Branches on the tag of Xa: variable, list, structure, atom, attributed variable, box, unused,
    /// integer.
    SwitchOnTerm "switch_on_term" 9 [X(0), Address(1), Address(2), Address(3), Address(4), Address(5),
        Address(6), Address(7), Address(8)];
    /// Looks the constant Xa up; w1 is the mask, w2 where others go, then pairs of key and address.
    SwitchOnConstant "switch_on_constant" 3 [X(0), Word(1), Address(2)];
    /// Looks the functor of Xa up, in the form of `switch_on_constant`. With the bit 2^32 in w1 Xa is a boxed value,
    /// and the keys are hashes of such values.
    SwitchOnStructure "switch_on_structure" 3 [X(0), Word(1), Address(2)];
    /// Goes to w2 if Xa is the constant, else to w3.
    SwitchOnOneConstant "switch_on_one_constant" 4 [X(0), Constant(1), Address(2), Address(3)];
    /// Goes to w2 if Xa has the functor, else to w3.
    SwitchOnOneStructure "switch_on_one_structure" 4 [X(0), Functor(1), Address(2), Address(3)];
    /// Goes to w1 if Xa is a list, to w2 if it is a variable, to w3 if an attributed one, else to w4.
    BranchOnList "branch_on_list" 5 [X(0), Address(1), Address(2), Address(3), Address(4)];
    /// Goes to w2 if Xa is the constant, to w3 if it is a variable, to w4 if an attributed one, else
    /// to w5.
    BranchOnConstant "branch_on_constant" 6 [X(0), Constant(1), Address(2), Address(3), Address(4), Address(5)];
    /// The same for a functor.
    BranchOnStructure "branch_on_structure" 6 [X(0), Functor(1), Address(2), Address(3), Address(4), Address(5)];
    /// Xa becomes what stands c words into the compound Xb.
    IndexArgument "index_argument" 1 [X(0), X(1), Number(2)];
    /// Compares numbers: goes to w1 if the order of Xa and Xb is one of c (1 less, 2 equal, 4 greater), else to w2; to
    /// w3 if they are no numbers, or, if 8 is added to c, no integers.
    GuardCompare "guard_compare" 4 [X(0), X(1), Number(2), Address(1), Address(2), Address(3)];
    /// The same for Xa and the number b.
    GuardCompareSmall "guard_compare_small" 4 [X(0), Signed(1), Number(2), Address(1), Address(2), Address(3)];
    /// Goes to w1 if Xa and Xb are identical, else to w2.
    GuardIdentical "guard_identical" 3 [X(0), X(1), Address(1), Address(2)];
    /// Goes to w1 if the order of the terms Xa and Xb is one of c, else to w2.
    GuardOrder "guard_order" 3 [X(0), X(1), Number(2), Address(1), Address(2)];
    /// Goes to w1 if Xa and Xb are the same, to w2 if it is plain that they do not unify, else to w3.
    GuardPair "guard_pair" 4 [X(0), X(1), Address(1), Address(2), Address(3)];
    /// Has the part of an index made that is needed for the first time: node w1 of the predicate.
    IndexNode "index_node" 2 [Predicate, Word(1)];
    /// Puts functions that have become known in place in the first a arguments; goes to w1 if one is
    /// still an application of a variable, which may be anything.
    IndexApplied "index_applied" 2 [Number(0), Address(1)];
    /// Where the next instruction counts solutions, and the arguments that w1 has bits for are different variables, adds
    /// their number and backtracks: w2, or the elements of the list in argument a - 1 if a is not 0.
    CountAll "count_all" 3 [Number(0), Word(1), Word(2)];

    /// Cuts to the choice point at the predicate's call; a registers X are alive, c slots of the
    /// frame in use (65535: no frame).
    NeckCut "neck_cut" 3 [Number(0), Number(2), Word(1), Frame(2)];
    /// Cuts to the choice point kept in Yb; a and c as in `neck_cut`.
    CutY "cut" 3 [Number(0), Y(1), Number(2), Word(1), Frame(2)];
    /// Keeps the choice point at the predicate's call in Ya.
    GetLevel "get_level" 1 [Y(0)];
    /// Keeps the newest choice point in Ya.
    SaveChoice "save_choice" 1 [Y(0)];
    /// Drops the choice point with the alternative at the label and those above it, which woken goals
    /// have left; a and c as in `neck_cut`.
    PopChoice "pop_choice" 4 [Number(0), Number(2), Word(1), Frame(2), Label(3)];
    /// Makes the choice point kept in Ya fail when it is reached.
    SoftCut "soft_cut" 1 [Y(0)];

    /// Unifies Xa with a constant.
    GetConstant "get_constant" 2 [X(0), Constant(1)];
    /// Unifies X0, X1, …, a of them, with the constants among the arguments in the term of the clause, whose first lies
    /// b words behind this one.
    GetConstants "get_constants" 1 [Number(0), Number(1)];
    /// Unifies Xa with a ground term of the literal pool.
    GetLiteral "get_literal" 2 [X(0), Constant(1)];
    /// Unifies Xa with a small ground term of the literal pool, which is copied.
    GetGround "get_ground" 2 [X(0), Constant(1)];
    /// Xa is a list: reads on; a variable: writes at the label.
    GetList "get_list" 2 [X(0), Label(1)];
    /// Xa is a list whose parts go into Xb and Xc; a variable: becomes a list of two fresh variables.
    GetListXX "get_list" 1 [X(0), X(1), X(2)];
    /// Xa is a list whose parts go into Xb and Yc, as in the above.
    GetListXY "get_list" 1 [X(0), X(1), Y(2)];
    /// Xa is a list whose parts go into Yb and Xc, as in the above.
    GetListYX "get_list" 1 [X(0), Y(1), X(2)];
    /// Xa is a list whose parts go into Yb and Yc, as in the above.
    GetListYY "get_list" 1 [X(0), Y(1), Y(2)];
    /// Xa is a list whose tail goes into Xc, as in the above.
    GetListTail "get_list_tail" 1 [X(0), X(2)];
    /// Xa is a list whose head goes into Xb, as in the above.
    GetListHead "get_list_head" 1 [X(0), X(1)];
    /// Xa is a list that begins with Xb, as in the above.
    GetListHeadValue "get_list_head_value" 1 [X(0), X(1)];
    /// Xa is a list that begins with Xb and whose tail goes into Xc, as in the above.
    GetListValue "get_list_value" 1 [X(0), X(1), X(2)];
    /// Xa has this functor: reads on; a variable: writes it, and goes on writing at the label.
    GetStructure "get_structure" 3 [X(0), Functor(1), Label(2)];
    /// Unifies Xa and Xb.
    GetValue "get_value" 1 [X(0), X(1)];

    /// Xa has this functor: reads on; a variable or an application: what is written at the label is
    /// unified with it.
    GetStructureScoped "get_structure_scoped" 3 [X(0), Functor(1), Label(2)];
    /// Xa is a list, as in the above.
    GetListScoped "get_list_scoped" 2 [X(0), Label(1)];
    /// Unifies what was written with what the instruction before met, as `get_value_scoped` does; if a
    /// is 1 it holds nothing that was there before.
    UnifyWritten "unify_written" 1 [Number(0)];
    /// Unifies Xa and Xb, with occurs check and the scopes of eigenvariables.
    GetValueScoped "get_value_scoped" 1 [X(0), X(1)];

    /// Next argument into Xa.
    UnifyVariableX "u_variable" 1 [X(0)];
    /// Next argument into Ya.
    UnifyVariableY "u_variable" 1 [Y(0)];
    /// Unifies the next argument with Xa.
    UnifyValueX "u_value" 1 [X(0)];
    /// Unifies the next argument with Ya.
    UnifyValueY "u_value" 1 [Y(0)];
    /// Unifies the next argument with a constant.
    UnifyConstant "u_constant" 2 [Constant(1)];
    /// Unifies the next argument with a ground term of the literal pool.
    UnifyLiteral "u_literal" 2 [Constant(1)];
    /// Skips a arguments.
    UnifyVoid "u_void" 1 [Number(0)];
    /// The last argument is a list, as in `get_list`.
    UnifyList "u_list" 2 [Label(1)];
    /// The last argument has this functor, as in `get_structure`.
    UnifyStructure "u_structure" 3 [Functor(1), Label(2)];

    /// `u_variable Xa`, `u_variable Xb`.
    UnifyVariablesXX "u_variables" 1 [X(0), X(1)];
    /// `u_variable Xa`, `u_variable Yb`.
    UnifyVariablesXY "u_variables" 1 [X(0), Y(1)];
    /// `u_variable Ya`, `u_variable Xb`.
    UnifyVariablesYX "u_variables" 1 [Y(0), X(1)];
    /// `u_variable Ya`, `u_variable Yb`.
    UnifyVariablesYY "u_variables" 1 [Y(0), Y(1)];
    /// `u_void a`, `u_variable Xb`.
    UnifyVoidVariable "u_void_variable" 1 [Number(0), X(1)];

    /// Writes a constant.
    WriteConstant "w_constant" 2 [Constant(1)];
    /// Writes a functor.
    WriteFunctor "w_functor" 2 [Functor(1)];
    /// Writes a fresh variable, also into Xa.
    WriteVariableX "w_variable" 1 [X(0)];
    /// Writes a fresh variable, also into Ya.
    WriteVariableY "w_variable" 1 [Y(0)];
    /// Writes Xa.
    WriteValueX "w_value" 1 [X(0)];
    /// Writes Ya.
    WriteValueY "w_value" 1 [Y(0)];
    /// Writes a fresh variables.
    WriteVoid "w_void" 1 [Number(0)];
    /// `w_value Xa`, `w_variable Xb`.
    WriteValueVariable "w_value_variable" 1 [X(0), X(1)];
    /// `w_value Xa`, `w_value Xb`.
    WriteValues "w_values" 1 [X(0), X(1)];
    /// `w_variable Xa`, `w_variable Xb`.
    WriteVariables "w_variables" 1 [X(0), X(1)];
    /// Writes a list pointer to the cell that many words further on.
    WriteList "w_list" 1 [Wide];
    /// Writes a structure pointer to the cell that many words further on.
    WriteStructure "w_structure" 1 [Wide];

    /// Xa becomes a constant.
    PutConstant "put_constant" 2 [X(0), Constant(1)];
    /// Xa becomes a fresh variable.
    PutVariableX "put_variable" 1 [X(0)];
    /// Xa and Yb become a fresh variable.
    PutVariableY "put_variable" 1 [X(0), Y(1)];
    /// Xa becomes a list that is written next.
    PutList "put_list" 1 [X(0)];
    /// Xa becomes a structure whose arguments are written next.
    PutStructure "put_structure" 2 [X(0), Functor(1)];
    /// Xa becomes Xb.
    Move "move" 1 [X(0), X(1)];
    /// Xa becomes Yb.
    LoadY "load" 1 [X(0), Y(1)];
    /// Ya becomes Xb.
    StoreY "store" 1 [Y(0), X(1)];

    /// Two of `move`.
    MoveTwo "moves" 1 [Packed(0), Packed(1)];
    /// Three of `move`.
    MoveThree "moves" 1 [Packed(0), Packed(1), Packed(2)];
    /// Two of `load`.
    LoadTwo "loads" 1 [Packed(0), Packed(1)];
    /// Three of `load`.
    LoadThree "loads" 1 [Packed(0), Packed(1), Packed(2)];
    /// Two of `store`.
    StoreTwo "stores" 1 [Packed(0), Packed(1)];
    /// Three of `store`.
    StoreThree "stores" 1 [Packed(0), Packed(1), Packed(2)];

    /// Goes to the label unless Xa is a variable.
    TestVar "var" 2 [X(0), Label(1)];
    /// Goes to the label if Xa is a variable.
    TestNonvar "nonvar" 2 [X(0), Label(1)];
    /// Goes to the label unless Xa is an atom.
    TestAtom "atom" 2 [X(0), Label(1)];
    /// Goes to the label unless Xa is an integer.
    TestInteger "integer" 2 [X(0), Label(1)];
    /// Goes to the label unless Xa is of type b.
    TestType "type" 2 [X(0), Number(1), Label(1)];
    /// Goes to the label unless Xa and Xb are identical.
    Identical "identical" 2 [X(0), X(1), Label(1)];
    /// Goes to the label if Xa and Xb are identical.
    NotIdentical "not_identical" 2 [X(0), X(1), Label(1)];
    /// Goes to the label unless the order of Xa and Xb is one of c (1 less, 2 equal, 4 greater).
    TermOrder "term_order" 2 [X(0), X(1), Number(2), Label(1)];
    /// Goes to the label if Xa and Xb unify; binds nothing.
    NotUnifiable "not_unifiable" 2 [X(0), X(1), Label(1)];

    /// Xa becomes the value of the expression Xb.
    Evaluate "evaluate" 1 [X(0), X(1)];
    /// Xa becomes Xb + Xc.
    Add "add" 1 [X(0), X(1), X(2)];
    /// Xa becomes Xb + c.
    AddSmall "add_small" 1 [X(0), X(1), Signed(2)];
    /// Xa becomes Xb - Xc.
    Subtract "subtract" 1 [X(0), X(1), X(2)];
    /// Xa becomes Xb * Xc.
    Multiply "multiply" 1 [X(0), X(1), X(2)];
    /// Xa becomes Xb // Xc.
    IntDivide "int_divide" 2 [X(0), X(1), X(2), Evaluable(1)];
    /// Xa becomes Xb mod Xc.
    Modulo "modulo" 2 [X(0), X(1), X(2), Evaluable(1)];
    /// Xa becomes a nullary evaluable.
    Arith0 "arith" 2 [X(0), Evaluable(1)];
    /// Xa becomes a function of Xb.
    Arith1 "arith" 2 [X(0), X(1), Evaluable(1)];
    /// Xa becomes a function of Xb and Xc.
    Arith2 "arith" 2 [X(0), X(1), X(2), Evaluable(1)];
    /// Goes to the label unless Xa < Xb; c is 1 for Xb > Xa.
    NumLess "less" 2 [X(0), X(1), Label(1)];
    /// Goes to the label unless Xa =< Xb; c is 1 for Xb >= Xa.
    NumLessEqual "less_equal" 2 [X(0), X(1), Label(1)];
    /// Goes to the label unless Xa =:= Xb.
    NumEqual "num_equal" 2 [X(0), X(1), Label(1)];
    /// Goes to the label unless Xa =\= Xb.
    NumNotEqual "num_not_equal" 2 [X(0), X(1), Label(1)];
    /// Goes to the label unless Xa < b.
    LessSmall "less_small" 2 [X(0), Signed(1), Label(1)];
    /// Goes to the label unless Xa =< b.
    LessEqualSmall "less_equal_small" 2 [X(0), Signed(1), Label(1)];
    /// Goes to the label unless Xa > b.
    GreaterSmall "greater_small" 2 [X(0), Signed(1), Label(1)];
    /// Goes to the label unless Xa >= b.
    GreaterEqualSmall "greater_equal_small" 2 [X(0), Signed(1), Label(1)];
    /// Goes to the label unless Xa =:= b.
    EqualSmall "equal_small" 2 [X(0), Signed(1), Label(1)];
    /// Goes to the label unless Xa =\= b.
    NotEqualSmall "not_equal_small" 2 [X(0), Signed(1), Label(1)];

    /// Runs a deterministic builtin on X0, X1, …; fails if it does. a registers are alive; w1 says
    /// which, w2 which slots are.
    Builtin "builtin" 3 [Number(0), Builtin, Word(1), Frame(2)];
    /// Runs a deterministic builtin, then returns to the continuation.
    BuiltinProceed "builtin_proceed" 1 [Builtin];
    /// Runs a nondeterministic builtin of arity a for its first solution.
    Nondet "nondet" 1 [Number(0), Builtin];
    /// The same for arg/3.
    Arg "arg" 1 [Number(0), Builtin];
    /// Runs a nondeterministic builtin for its next solution.
    NondetRetry "nondet_retry" 1 [Number(0), Builtin];
    /// The same for between/3: the next integer.
    BetweenRetry "between_retry" 1 [Number(0), Builtin];
    /// The same after the first time, between two integers.
    BetweenNext "between_next" 1 [Number(0), Builtin];
    /// Calls the goal X0 with a - 1 further arguments.
    MetaCall "meta_call" 1 [Number(0)];
    /// Calls the body X0 in module X1; its cuts go to the choice point that X2 stands for, if an atom to the newest.
    BodyCall "body_call" 1 [];
    /// Cuts to the choice point that X0 stands for, then returns to the continuation.
    CutTo "cut_to" 1 [];
    /// Finds and enters the definition of an undefined predicate, or raises its error.
    Undefined "undefined" 1 [Predicate];
    /// Builds the index of a predicate that was never called, then enters it.
    Link "link" 1 [Predicate];
    /// Enters the predicate that this one is imported from.
    Import "import" 1 [Predicate];
    /// Qualifies the meta arguments, those of Lolli put together, then enters the predicate w1 that
    /// this one is imported from.
    ImportMeta "import_meta" 2 [Predicate, Word(1)];
    /// Qualifies the meta arguments that no caller has qualified, then enters the predicate itself,
    /// at the address w2.
    Qualify "qualify" 4 [Predicate, Word(2)];
    /// Enters a dynamic predicate at its first matching clause.
    Dynamic "dynamic" 1 [Predicate];
    /// Enters a dynamic predicate at its next matching clause.
    DynamicRetry "dynamic_retry" 1 [];
    /// A clause of a dynamic predicate that is kept as a term: unifies its head, then calls its body. w1 holds its
    /// position and how often it was called; a clause that is called often is compiled.
    Interpret "interpret" 2 [Predicate, Word(1)];

    /// Starts collecting solutions (b: what they are collected as): choice point that saves a
    /// registers, c slots of the frame in use.
    CollectBegin "collect_begin" 3 [Number(0), Number(1), Number(2), Label(1), Word(2)];
    /// The list that is being collected is for this predicate alone: if that is the system's own, what it makes of the
    /// list (a) is collected instead.
    CollectFolded "collect_folded" 1 [Number(0), Predicate];
    /// Collects a copy of Xa and backtracks.
    CollectTerm "collect_term" 1 [X(0)];
    /// Counts a solution and backtracks, if solutions are being counted.
    CollectCount "collect_count" 1 [];
    /// Enters a predicate whose counts may be remembered, b being its slot: counts what the call is known to lead to and
    /// backtracks, or goes on as `assumed`.
    CountMemo "count_memo" 1 [Wide];
    /// All was counted that the call of such a predicate leads to: remembers the number, and backtracks.
    CountMemoEnd "count_memo_end" 1 [];
    /// All solutions were seen: restores the state, Xa becomes the list or the number.
    CollectEnd "collect_end" 2 [X(0), Frame(1)];
    /// Choice point of catch/3 over X0, X1, X2; its place is kept in Y0.
    CatchBegin "catch_begin" 1 [];
    /// The goal of catch/3 has succeeded: its choice point no longer catches.
    CatchEnd "catch_end" 1 [];
    /// Makes the frame that bounds the continuations of tabled goals, for X0; then calls the goal X1, or goes on with
    /// the continuation of this number.
    TableRun "table_run" 1 [];
    /// Choice point of the cleanup goal X1, then calls X0.
    CleanupBegin "cleanup_begin" 1 [];
    /// The goal has succeeded: if it left no choice point its cleanup is due.
    CleanupEnd "cleanup_end" 1 [];
    /// The goal has failed: its cleanup is due.
    CleanupFail "cleanup_fail" 1 [];
    /// Enters a predicate that may be assumed, b being its slot: at its newest assumption that fits, or
    /// where its clauses are.
    Assumed "assumed" 1 [Wide];
    /// The next assumption that fits, or the clauses.
    AssumedRetry "assumed_retry" 1 [];
    /// Begins a scope of assumptions: Xa becomes the number of the newest.
    ScopeBegin "scope_begin" 1 [X(0)];
    /// Makes the frame that ends the scope that began with Xa, unless the goal returns to one; of one
    /// that ends `{}` it makes one that ends both.
    ScopeFrame "scope_frame" 1 [X(0)];
    /// The goal of a scope has succeeded: what had to be used must be, the scope's assumptions go.
    ScopeReturn "scope_return" 1 [];
    /// Begins a goal under `{}`: hides linear assumptions; Xa and Xb become what its end restores.
    BangBegin "bang_begin" 1 [X(0), X(1)];
    /// Makes the frame that ends the goal under `{}`, unless it returns to one; of one that ends a
    /// scope of which nothing is left it makes one that ends both.
    BangFrame "bang_frame" 1 [X(0), X(1)];
    /// The goal under `{}` has succeeded.
    BangReturn "bang_return" 1 [];
    /// The goal of a scope under `{}` has succeeded: both end.
    ScopeBangReturn "scope_bang_return" 1 [];
    /// Begins to note what goals assume and use, as X0 tells: with a choice point at which it ends.
    RecordBegin "record_begin" 1 [];
    /// The goal that was noted has failed.
    RecordFail "record_fail" 1 [];
    /// Calls are counted from now on how deep they are, for the limit X0.
    DepthBegin "depth_begin" 1 [];
    /// The tracer does from now on what X0 says.
    TraceBegin "trace_begin" 1 [];
    /// The goal of the newest choice point, which is traced, is called once more: before that a session within
    /// the query was asked for.
    TraceCall "trace_call" 1 [];
    /// Calls the predicate whose number is X0, its arguments in the registers after that: it was put
    /// off for wake-ups while goals are watched.
    WatchedEnter "watched_enter" 1 [];
    /// The goal of a watched call has succeeded.
    WatchedReturn "watched_return" 1 [];
    /// The goal of a watched call has no further solution.
    WatchedFail "watched_fail" 1 [];
    /// A further solution of the goal of a watched call is wanted.
    WatchedRedo "watched_redo" 1 [];
    /// Takes up an interrupted instruction: restores the registers kept in its frame.
    Resume "resume" 1 [];
    /// Raises the exception that a cleanup has interrupted.
    Rethrow "rethrow" 1 [];

    /// Does nothing: tells of the marked instruction so many words before this one that a registers
    /// are alive there, w1 says which, w2 which slots are.
    Alive "alive" 3 [Back, Number(0), Word(1), Frame(2)];

    /// Unifies Xa with the integer Xb: part of a constraint, done if Xa is a variable or an integer.
    ConstraintValue "constraint_value" 1 [X(0), X(1)];
    /// Ends the instructions of a constraint that find integers: goes on at w2. One of them that does not goes to
    /// w1. The constraint is number a of `NumCompare`; the number after those is Lolli's arithmetic.
    Constraint "constraint" 3 [Number(0), Label(1), Label(2)];
}

/// The frame word of an instruction in a clause that has no environment yet.
pub(crate) const NO_OWN_FRAME: u64 = u64::MAX;

/// The mark of an instruction that a goal of a clause begins with, before which wake-ups may be due:
/// an [`Op::Alive`] after it tells what is alive.
pub(crate) const GOAL: u64 = 1 << 11;

/// The mark of an instruction that evaluates an operand of the comparison, or is part of the constraint, that the
/// instruction after all that are marked so ends: its errors name that predicate.
pub(crate) const OPERAND: u64 = 1 << 12;

/// In slot c of a comparison: its operands are evaluated as Lolli does.
pub(crate) const OF_LOLLI: usize = 2;

const _: () = assert!(UNMARKED as u64 == GOAL, "the marks follow the numbers");

/// The operation word of an instruction.
pub(crate) const fn encode(op: Op, a: u16, b: u16, c: u16) -> u64 {
    op as u64 | (a as u64) << 16 | (b as u64) << 32 | (c as u64) << 48
}

/// The operation word of an instruction with a 32-bit index.
pub(crate) const fn encode_wide(op: Op, a: u16, wide: u32) -> u64 {
    op as u64 | (a as u64) << 16 | (wide as u64) << 32
}

/// Slot a.
#[inline(always)]
pub(crate) const fn slot_a(word: u64) -> usize {
    (word >> 16) as u16 as usize
}
/// Slot b.
#[inline(always)]
pub(crate) const fn slot_b(word: u64) -> usize {
    (word >> 32) as u16 as usize
}
/// Slot c.
#[inline(always)]
pub(crate) const fn slot_c(word: u64) -> usize {
    (word >> 48) as usize
}
/// Both halves of a slot of packed operands.
#[inline(always)]
pub(crate) const fn halves(slot: usize) -> (usize, usize) {
    (slot & 0xff, slot >> 8)
}
/// The 32-bit index in slots b and c.
#[inline(always)]
pub(crate) const fn wide(word: u64) -> u32 {
    (word >> 32) as u32
}

/// The operation of an instruction word, of the first of a pair; `None` for a number that is none.
pub(crate) fn decode(word: u64) -> Option<Op> {
    OPERATIONS[word as usize % UNMARKED]
}

/// Place of a key in a switch table before probing.
#[inline(always)]
pub(crate) fn hash_key(key: u64, mask: u64) -> u64 {
    ((key >> 3).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) & mask
}
