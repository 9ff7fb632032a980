//! The instruction set of the machine: a table with the name, length and operands of each instruction.
//!
//! An instruction is one word `number:16 | a:16 | b:16 | c:16` (least significant first) and a few optional
//! words `w1`, `w2`, …. The number identifies the operation, or a pair that the instruction begins (see
//! [`super::pairs`]). The marks [`GOAL`] and [`OPERAND`] are part of the number but do not change the effect
//! of the instruction. Dispatch reads number and marks together: every marked number has its own handler.
//!
//! Registers X and Y are numbered from 0. A label is a distance in words from the instruction that holds it.
//! An address is absolute. Clause code holds only labels, so it can be moved and shared. Index code holds
//! addresses and belongs to one engine.
//!
//! Terms are unified in two streams. In read mode `u_*` instructions follow `get_*`. If the argument is a
//! variable, control jumps to a separate stream of `w_*` instructions. These build the whole term and jump
//! back. There is no mode flag.

use super::pairs::{OPERATIONS, UNMARKED};

/// Number of registers that compiled code may use.
pub(crate) const REGISTERS: usize = 256;

/// The position and the kind of an operand.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Operand {
    /// A register X; its number is in this slot (0, 1 or 2 for a, b, c).
    X(u8),
    /// A permanent variable Y; its number is in this slot.
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
    /// A distance backwards from the instruction that holds it, in slots b and c.
    Back,
    /// A constant cell in this word.
    Constant(u8),
    /// A functor cell in this word.
    Functor(u8),
    /// A label in this word; zero means failure.
    Label(u8),
    /// An absolute address in this word.
    Address(u8),
    /// An evaluable functor in this word.
    Evaluable(u8),
    /// The frame map of a call site in this word: frame size, live permanent variables, cut levels and the barrier mark.
    Site(u8),
    /// The live slots of the clause's own environment in this word, encoded as in a call site; all ones if the
    /// clause has no environment yet.
    Frame(u8),
    /// Any other word.
    Word(u8),
    /// Two numbers below 256 in this slot, the second in the upper half: the operands of a `move`, `load` or
    /// `store`.
    Packed(u8),
}

/// A row of the table.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Row {
    /// The name in listings.
    pub(crate) name: &'static str,
    /// The length in words.
    pub(crate) words: usize,
    /// The operands, in the order of the listing.
    pub(crate) operands: &'static [Operand],
    /// The meaning of the instruction.
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
            /// All operations, in the order of their numbers.
            pub(crate) const ALL: &'static [Op] = &[$(Op::$op),*];
        }

        /// The table, in the order of the numbers of the operations.
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
    /// Stops the machine: the query has no further solution.
    StopFailure "stop_failure" 1 [];
    /// Raises the pending exception: unwinds to the goal that catches it.
    Raise "raise" 1 [];
    /// Runs the slow form of the instruction that requested it.
    Rare "rare" 1 [];
    /// Unifies two compounds that another instruction has found.
    UnifyRest "unify_rest" 1 [];
    /// Backtracks.
    Fail "fail" 1 [];
    /// Drops the newest choice point and backtracks.
    PopFail "pop_fail" 1 [];
    /// Takes the next branch of the newest choice point and records it, in a search that records its branches.
    NextBranch "next_branch" 1 [];
    /// Calls a predicate. w1, the word before the return address, is the frame map.
    Call "call" 2 [Predicate, Site(1)];
    /// Calls a predicate as the last goal.
    Execute "execute" 1 [Predicate];
    /// Returns to the continuation.
    Proceed "proceed" 1 [];
    /// Creates an environment with a slots.
    Allocate "allocate" 1 [Number(0)];
    /// Drops the environment.
    Deallocate "deallocate" 1 [];
    /// `deallocate`, `execute`.
    DeallocateExecute "deallocate_execute" 1 [Predicate];
    /// `deallocate`, `proceed`.
    DeallocateProceed "deallocate_proceed" 1 [];
    /// Jumps to the label.
    Jump "jump" 2 [Label(1)];
    /// Jumps to an absolute address.
    JumpTo "jump_to" 2 [Address(1)];
    /// Reserves w1 words on the heap, beyond the slack.
    EnsureHeap "ensure_heap" 2 [Word(1)];

    /// Pushes a choice point that saves the a registers X that w2 has bits for. The alternative is at the label. b
    /// slots of the frame are in use (65535: no frame).
    TryElse "try_else" 3 [Number(0), Number(1), Label(1), Word(2)];
    /// Restores the state of the newest choice point. Its next alternative is at the label.
    RetryElse "retry_else" 3 [Label(1), Frame(2)];
    /// Restores the state of the newest choice point and drops it.
    TrustElse "trust_else" 2 [Frame(1)];
    /// Pushes a choice point for arity a and enters the clause. The next alternative follows the instruction.
    Try "try" 2 [Number(0), Address(1)];
    /// Enters the next clause. Another alternative follows the instruction.
    Retry "retry" 2 [Address(1)];
    /// Drops the choice point and enters the last clause.
    Trust "trust" 2 [Address(1)];
    /// Branches on the tag of Xa. w1 to w8 are the addresses for: variable, list, structure, atom, attributed
    /// variable, box, unused, integer.
    SwitchOnTerm "switch_on_term" 9 [X(0), Address(1), Address(2), Address(3), Address(4), Address(5),
        Address(6), Address(7), Address(8)];
    /// Looks up the constant Xa in a hash table. w1 is the mask, w2 the address for other constants; pairs of key and
    /// address follow.
    SwitchOnConstant "switch_on_constant" 3 [X(0), Word(1), Address(2)];
    /// Looks up the functor of Xa, as `switch_on_constant` does. If w1 has the bit 2^32, Xa is a boxed value and the
    /// keys are hashes of boxed values.
    SwitchOnStructure "switch_on_structure" 3 [X(0), Word(1), Address(2)];
    /// Jumps to w2 if Xa is the constant, else to w3.
    SwitchOnOneConstant "switch_on_one_constant" 4 [X(0), Constant(1), Address(2), Address(3)];
    /// Jumps to w2 if Xa has the functor, else to w3.
    SwitchOnOneStructure "switch_on_one_structure" 4 [X(0), Functor(1), Address(2), Address(3)];
    /// Jumps to w1 if Xa is a list, to w2 if a variable, to w3 if an attributed variable, else to w4.
    BranchOnList "branch_on_list" 5 [X(0), Address(1), Address(2), Address(3), Address(4)];
    /// Jumps to w2 if Xa is the constant, to w3 if a variable, to w4 if an attributed variable, else to w5.
    BranchOnConstant "branch_on_constant" 6 [X(0), Constant(1), Address(2), Address(3), Address(4), Address(5)];
    /// Jumps to w2 if Xa has the functor; w3 to w5 as in `branch_on_constant`.
    BranchOnStructure "branch_on_structure" 6 [X(0), Functor(1), Address(2), Address(3), Address(4), Address(5)];
    /// Xa becomes the dereferenced word c of the compound Xb.
    IndexArgument "index_argument" 1 [X(0), X(1), Number(2)];
    /// Compares numbers. Jumps to w1 if the order of Xa and Xb is in the set c (1 less, 2 equal, 4 greater), else to
    /// w2. Jumps to w3 if one of them is not a number, or, if 8 is added to c, not an integer.
    GuardCompare "guard_compare" 4 [X(0), X(1), Number(2), Address(1), Address(2), Address(3)];
    /// Compares Xa with the number b, as `guard_compare` does.
    GuardCompareSmall "guard_compare_small" 4 [X(0), Signed(1), Number(2), Address(1), Address(2), Address(3)];
    /// Jumps to w1 if Xa and Xb are identical, else to w2.
    GuardIdentical "guard_identical" 3 [X(0), X(1), Address(1), Address(2)];
    /// Jumps to w1 if the standard order of Xa and Xb is in the set c, else to w2.
    GuardOrder "guard_order" 3 [X(0), X(1), Number(2), Address(1), Address(2)];
    /// Jumps to w1 if Xa and Xb are the same cell, to w2 if they clearly do not unify, else to w3.
    GuardPair "guard_pair" 4 [X(0), X(1), Address(1), Address(2), Address(3)];
    /// Builds node w1 of the index of the predicate, at the first call that needs the node.
    IndexNode "index_node" 2 [Predicate, Word(1)];
    /// Replaces applications whose function is now known, in the first a arguments. Jumps to w1 if an argument is
    /// still an application of a variable: it may become any term.
    IndexApplied "index_applied" 2 [Number(0), Address(1)];
    /// Counts all solutions of a call at once and backtracks. It applies if the continuation counts solutions and the
    /// arguments that w1 has bits for are different variables. The number is w2 if a is 0, else the length of the list
    /// in argument a - 1.
    CountAll "count_all" 3 [Number(0), Word(1), Word(2)];

    /// Cuts to the choice point that was newest when the predicate was called. a registers X are alive, and c slots
    /// of the frame are in use (65535: no frame).
    NeckCut "neck_cut" 3 [Number(0), Number(2), Word(1), Frame(2)];
    /// Cuts to the choice point saved in Yb; a and c as in `neck_cut`.
    CutY "cut" 3 [Number(0), Y(1), Number(2), Word(1), Frame(2)];
    /// Saves in Ya the choice point that was newest when the predicate was called.
    GetLevel "get_level" 1 [Y(0)];
    /// Saves the newest choice point in Ya.
    SaveChoice "save_choice" 1 [Y(0)];
    /// Drops the choice point with the alternative at the label, and those above it, which woken goals have left; a
    /// and c as in `neck_cut`.
    PopChoice "pop_choice" 4 [Number(0), Number(2), Word(1), Frame(2), Label(3)];
    /// Makes the choice point saved in Ya fail when backtracking reaches it.
    SoftCut "soft_cut" 1 [Y(0)];

    /// Unifies Xa with a constant.
    GetConstant "get_constant" 2 [X(0), Constant(1)];
    /// Unifies the first a registers X0, X1, … with the constants among the arguments of the clause's term. The first
    /// argument lies b words after this instruction.
    GetConstants "get_constants" 1 [Number(0), Number(1)];
    /// Unifies Xa with a ground term of the literal pool.
    GetLiteral "get_literal" 2 [X(0), Constant(1)];
    /// Unifies Xa with a copy of a small ground term of the literal pool.
    GetGround "get_ground" 2 [X(0), Constant(1)];
    /// Reads on if Xa is a list. If Xa is a variable, writes at the label.
    GetList "get_list" 2 [X(0), Label(1)];
    /// Puts the head and tail of the list Xa into Xb and Xc. A variable Xa becomes a list with fresh variables.
    GetListXX "get_list" 1 [X(0), X(1), X(2)];
    /// Puts the head and tail of the list Xa into Xb and Yc, as above.
    GetListXY "get_list" 1 [X(0), X(1), Y(2)];
    /// Puts the head and tail of the list Xa into Yb and Xc, as above.
    GetListYX "get_list" 1 [X(0), Y(1), X(2)];
    /// Puts the head and tail of the list Xa into Yb and Yc, as above.
    GetListYY "get_list" 1 [X(0), Y(1), Y(2)];
    /// Puts the tail of the list Xa into Xc, as above.
    GetListTail "get_list_tail" 1 [X(0), X(2)];
    /// Puts the head of the list Xa into Xb, as above.
    GetListHead "get_list_head" 1 [X(0), X(1)];
    /// Unifies the head of the list Xa with Xb, as above.
    GetListHeadValue "get_list_head_value" 1 [X(0), X(1)];
    /// Unifies the head of the list Xa with Xb and puts its tail into Xc, as above.
    GetListValue "get_list_value" 1 [X(0), X(1), X(2)];
    /// Reads on if Xa has this functor. If Xa is a variable, writes the functor and continues writing at the label.
    GetStructure "get_structure" 3 [X(0), Functor(1), Label(2)];
    /// Unifies Xa and Xb.
    GetValue "get_value" 1 [X(0), X(1)];

    /// Reads on if Xa has this functor. If Xa is a variable or an application, jumps to the label; the term that is
    /// written there is unified with Xa.
    GetStructureScoped "get_structure_scoped" 3 [X(0), Functor(1), Label(2)];
    /// Reads on if Xa is a list; otherwise as `get_structure_scoped`.
    GetListScoped "get_list_scoped" 2 [X(0), Label(1)];
    /// Unifies the written term with the term that the `get_*_scoped` instruction has saved, as `get_value_scoped`
    /// does. If a is 1, the written term holds no older term.
    UnifyWritten "unify_written" 1 [Number(0)];
    /// Unifies Xa and Xb, with the occurs check and with regard to the scopes of eigenvariables.
    GetValueScoped "get_value_scoped" 1 [X(0), X(1)];

    /// Loads the next argument into Xa.
    UnifyVariableX "u_variable" 1 [X(0)];
    /// Loads the next argument into Ya.
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
    /// Handles a list as the last argument, as `get_list` does.
    UnifyList "u_list" 2 [Label(1)];
    /// Handles a structure with this functor as the last argument, as `get_structure` does.
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
    /// Writes a fresh variable and loads it into Xa.
    WriteVariableX "w_variable" 1 [X(0)];
    /// Writes a fresh variable and loads it into Ya.
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
    /// Writes a list pointer to the cell at this distance in words.
    WriteList "w_list" 1 [Wide];
    /// Writes a structure pointer to the cell at this distance in words.
    WriteStructure "w_structure" 1 [Wide];

    /// Xa becomes a constant.
    PutConstant "put_constant" 2 [X(0), Constant(1)];
    /// Xa becomes a fresh variable.
    PutVariableX "put_variable" 1 [X(0)];
    /// Xa and Yb become the same fresh variable.
    PutVariableY "put_variable" 1 [X(0), Y(1)];
    /// Xa becomes a list, which the next instructions write.
    PutList "put_list" 1 [X(0)];
    /// Xa becomes a structure; the next instructions write its arguments.
    PutStructure "put_structure" 2 [X(0), Functor(1)];
    /// Xa becomes Xb.
    Move "move" 1 [X(0), X(1)];
    /// Xa becomes Yb.
    LoadY "load" 1 [X(0), Y(1)];
    /// Ya becomes Xb.
    StoreY "store" 1 [Y(0), X(1)];

    /// Two `move` operations.
    MoveTwo "moves" 1 [Packed(0), Packed(1)];
    /// Three `move` operations.
    MoveThree "moves" 1 [Packed(0), Packed(1), Packed(2)];
    /// Two `load` operations.
    LoadTwo "loads" 1 [Packed(0), Packed(1)];
    /// Three `load` operations.
    LoadThree "loads" 1 [Packed(0), Packed(1), Packed(2)];
    /// Two `store` operations.
    StoreTwo "stores" 1 [Packed(0), Packed(1)];
    /// Three `store` operations.
    StoreThree "stores" 1 [Packed(0), Packed(1), Packed(2)];

    /// Jumps to the label unless Xa is a variable.
    TestVar "var" 2 [X(0), Label(1)];
    /// Jumps to the label if Xa is a variable.
    TestNonvar "nonvar" 2 [X(0), Label(1)];
    /// Jumps to the label unless Xa is an atom.
    TestAtom "atom" 2 [X(0), Label(1)];
    /// Jumps to the label unless Xa is an integer.
    TestInteger "integer" 2 [X(0), Label(1)];
    /// Jumps to the label unless Xa is of type b.
    TestType "type" 2 [X(0), Number(1), Label(1)];
    /// Jumps to the label unless Xa and Xb are identical.
    Identical "identical" 2 [X(0), X(1), Label(1)];
    /// Jumps to the label if Xa and Xb are identical.
    NotIdentical "not_identical" 2 [X(0), X(1), Label(1)];
    /// Jumps to the label unless the standard order of Xa and Xb is in the set c (1 less, 2 equal, 4 greater).
    TermOrder "term_order" 2 [X(0), X(1), Number(2), Label(1)];
    /// Jumps to the label if Xa and Xb unify. Binds nothing.
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
    /// Xa becomes the value of a nullary evaluable.
    Arith0 "arith" 2 [X(0), Evaluable(1)];
    /// Xa becomes the value of a unary evaluable of Xb.
    Arith1 "arith" 2 [X(0), X(1), Evaluable(1)];
    /// Xa becomes the value of a binary evaluable of Xb and Xc.
    Arith2 "arith" 2 [X(0), X(1), X(2), Evaluable(1)];
    /// Jumps to the label unless Xa < Xb; c is 1 if the source has Xb > Xa.
    NumLess "less" 2 [X(0), X(1), Label(1)];
    /// Jumps to the label unless Xa =< Xb; c is 1 if the source has Xb >= Xa.
    NumLessEqual "less_equal" 2 [X(0), X(1), Label(1)];
    /// Jumps to the label unless Xa =:= Xb.
    NumEqual "num_equal" 2 [X(0), X(1), Label(1)];
    /// Jumps to the label unless Xa =\= Xb.
    NumNotEqual "num_not_equal" 2 [X(0), X(1), Label(1)];
    /// Jumps to the label unless Xa < b.
    LessSmall "less_small" 2 [X(0), Signed(1), Label(1)];
    /// Jumps to the label unless Xa =< b.
    LessEqualSmall "less_equal_small" 2 [X(0), Signed(1), Label(1)];
    /// Jumps to the label unless Xa > b.
    GreaterSmall "greater_small" 2 [X(0), Signed(1), Label(1)];
    /// Jumps to the label unless Xa >= b.
    GreaterEqualSmall "greater_equal_small" 2 [X(0), Signed(1), Label(1)];
    /// Jumps to the label unless Xa =:= b.
    EqualSmall "equal_small" 2 [X(0), Signed(1), Label(1)];
    /// Jumps to the label unless Xa =\= b.
    NotEqualSmall "not_equal_small" 2 [X(0), Signed(1), Label(1)];

    /// Runs a deterministic builtin on X0, X1, …; fails if the builtin fails. a registers are alive. w1 has bits for
    /// the live registers, w2 for the live slots.
    Builtin "builtin" 3 [Number(0), Builtin, Word(1), Frame(2)];
    /// Runs a deterministic builtin, then returns to the continuation.
    BuiltinProceed "builtin_proceed" 1 [Builtin];
    /// Runs a nondeterministic builtin of arity a for its first solution.
    Nondet "nondet" 1 [Number(0), Builtin];
    /// Runs arg/3 for its first solution, as `nondet` does.
    Arg "arg" 1 [Number(0), Builtin];
    /// Runs a nondeterministic builtin for its next solution.
    NondetRetry "nondet_retry" 1 [Number(0), Builtin];
    /// Runs between/3 for its next solution: the next integer.
    BetweenRetry "between_retry" 1 [Number(0), Builtin];
    /// Runs between/3 for its next solution, after `between_retry` has found that both bounds are integers.
    BetweenNext "between_next" 1 [Number(0), Builtin];
    /// Calls the goal X0 with a - 1 further arguments.
    MetaCall "meta_call" 1 [Number(0)];
    /// Calls the body X0 in module X1. Its cuts go to the choice point that X2 denotes, or to the newest if X2 is an
    /// atom.
    BodyCall "body_call" 1 [];
    /// Cuts to the choice point that X0 denotes, then returns to the continuation.
    CutTo "cut_to" 1 [];
    /// Finds and enters the definition of an undefined predicate, or raises its error.
    Undefined "undefined" 1 [Predicate];
    /// Builds the index of a predicate at its first call, then enters it.
    Link "link" 1 [Predicate];
    /// Enters the predicate that this one is imported from.
    Import "import" 1 [Predicate];
    /// Qualifies the meta arguments with the module of the importing predicate w1, then enters the predicate that it
    /// is imported from. Applications of Lolli in the arguments are normalised first.
    ImportMeta "import_meta" 2 [Predicate, Word(1)];
    /// Qualifies the meta arguments that no caller has qualified, then enters the predicate itself through its own
    /// entry at w2.
    Qualify "qualify" 4 [Predicate, Word(2)];
    /// Enters a dynamic predicate at its first matching clause.
    Dynamic "dynamic" 1 [Predicate];
    /// Enters a dynamic predicate at its next matching clause.
    DynamicRetry "dynamic_retry" 1 [];
    /// Interprets a clause of a dynamic predicate that is stored as a term: unifies its head, then calls its body. w1
    /// holds the position and the call count of the clause. A clause that is called often is compiled.
    Interpret "interpret" 2 [Predicate, Word(1)];

    /// Starts collecting solutions: pushes a choice point that saves a registers. c slots of the frame are in use. b
    /// is the kind of collection, such as a list or a count.
    CollectBegin "collect_begin" 3 [Number(0), Number(1), Number(2), Label(1), Word(2)];
    /// Switches the present collection from a list to the kind a, such as a count or a sum. Only this predicate uses
    /// the list, and it would compute that result from it. Does nothing unless the predicate is the system's own.
    CollectFolded "collect_folded" 1 [Number(0), Predicate];
    /// Collects a copy of Xa and backtracks.
    CollectTerm "collect_term" 1 [X(0)];
    /// Counts a solution and backtracks, if the present collection counts. Otherwise does nothing.
    CollectCount "collect_count" 1 [];
    /// Enters a predicate whose counts may be memoized; bc is its slot. If the count of this call is known, adds it and
    /// backtracks. Otherwise continues as `assumed`.
    CountMemo "count_memo" 1 [Wide];
    /// Ends the count of a call of such a predicate: stores the number and backtracks.
    CountMemoEnd "count_memo_end" 1 [];
    /// Ends a collection after the last solution: restores the state; Xa becomes the list or the number.
    CollectEnd "collect_end" 2 [X(0), Frame(1)];
    /// Pushes the choice point and the frame of catch/3 for X0, X1, X2, then calls the goal. Y0 of the frame holds the
    /// position of the choice point.
    CatchBegin "catch_begin" 1 [];
    /// Ends catch/3 after its goal has succeeded: its choice point no longer catches.
    CatchEnd "catch_end" 1 [];
    /// Pushes the frame that bounds the continuations of tabled goals, for X0. Then calls the goal X1, or resumes the
    /// continuation with the number X1.
    TableRun "table_run" 1 [];
    /// Pushes a choice point with the cleanup goal X1, then calls X0.
    CleanupBegin "cleanup_begin" 1 [];
    /// Handles the success of a goal with a cleanup: calls the cleanup if the goal left no choice point.
    CleanupEnd "cleanup_end" 1 [];
    /// Handles the failure of a goal with a cleanup: calls the cleanup.
    CleanupFail "cleanup_fail" 1 [];
    /// Enters a predicate that may be assumed; bc is its slot. Continues at the newest matching assumption, or at the
    /// clauses.
    Assumed "assumed" 1 [Wide];
    /// Continues at the next matching assumption, or at the clauses.
    AssumedRetry "assumed_retry" 1 [];
    /// Begins a scope of assumptions: Xa becomes the number of the newest.
    ScopeBegin "scope_begin" 1 [X(0)];
    /// Pushes the frame that ends the scope that began with Xa, unless the continuation ends a scope already. If the
    /// continuation ends `{}`, the new frame ends both.
    ScopeFrame "scope_frame" 1 [X(0)];
    /// Ends a scope after its goal has succeeded. Fails if a linear assumption is left; removes the scope's
    /// assumptions.
    ScopeReturn "scope_return" 1 [];
    /// Begins a goal under `{}`: hides linear assumptions. Xa and Xb become the values that its end restores.
    BangBegin "bang_begin" 1 [X(0), X(1)];
    /// Pushes the frame that ends the goal under `{}`, unless the continuation ends one already. If the
    /// continuation ends a scope with no linear assumption left, the new frame ends both.
    BangFrame "bang_frame" 1 [X(0), X(1)];
    /// Ends `{}` after its goal has succeeded.
    BangReturn "bang_return" 1 [];
    /// Ends a scope and the `{}` around it after the goal has succeeded.
    ScopeBangReturn "scope_bang_return" 1 [];
    /// Begins or ends the recording of assumptions and uses, as X0 says. A choice point marks the end of a recording.
    RecordBegin "record_begin" 1 [];
    /// Handles the failure of a recorded goal.
    RecordFail "record_fail" 1 [];
    /// Begins to track the depth of calls, for the limit X0.
    DepthBegin "depth_begin" 1 [];
    /// Sets the mode of the tracer: X0 is 0 for off, 1 to stop at spy points, 2 to show all.
    TraceBegin "trace_begin" 1 [];
    /// Calls the traced goal of the newest choice point again, after a nested session that was requested before the
    /// call.
    TraceCall "trace_call" 1 [];
    /// Calls the predicate with the number X0; its arguments are in the registers after X0. The call was postponed
    /// for wake-ups while goals are watched.
    WatchedEnter "watched_enter" 1 [];
    /// Handles the success of the goal of a watched call.
    WatchedReturn "watched_return" 1 [];
    /// Handles the failure of the goal of a watched call: it has no further solution.
    WatchedFail "watched_fail" 1 [];
    /// Retries the goal of a watched call for a further solution.
    WatchedRedo "watched_redo" 1 [];
    /// Resumes an interrupted instruction: restores the registers from its frame.
    Resume "resume" 1 [];
    /// Raises again the exception whose unwinding a cleanup goal has interrupted.
    Rethrow "rethrow" 1 [];

    /// Does nothing. Describes the marked instruction at the distance bc before this one: a registers are alive
    /// there. w1 has bits for the live registers, w2 for the live slots.
    Alive "alive" 3 [Back, Number(0), Word(1), Frame(2)];

    /// Unifies Xa with the integer Xb, as part of a constraint, if Xa is a variable or an integer.
    ConstraintValue "constraint_value" 1 [X(0), X(1)];
    /// Ends the arithmetic instructions of a constraint and jumps to w2. If one of these instructions does not find
    /// integers, it jumps to w1. The relation is number a of `NumCompare`; the next number means Lolli's arithmetic.
    Constraint "constraint" 3 [Number(0), Label(1), Label(2)];
}

/// The frame word of an instruction in a clause that has no environment yet.
pub(crate) const NO_OWN_FRAME: u64 = u64::MAX;

/// The mark of an instruction that begins a goal of a clause. Wake-ups may be due before it. An [`Op::Alive`]
/// after it lists the live registers and slots.
pub(crate) const GOAL: u64 = 1 << 11;

/// The mark of an instruction that evaluates an operand of a comparison or is part of a constraint. The first
/// instruction without the mark ends the comparison or constraint. Errors name the predicate of that one.
pub(crate) const OPERAND: u64 = 1 << 12;

/// The value of slot c of a comparison that evaluates its operands as Lolli does.
pub(crate) const OF_LOLLI: usize = 2;

const _: () = assert!(UNMARKED as u64 == GOAL, "the marks follow the numbers");

/// Returns the operation word of an instruction.
pub(crate) const fn encode(op: Op, a: u16, b: u16, c: u16) -> u64 {
    op as u64 | (a as u64) << 16 | (b as u64) << 32 | (c as u64) << 48
}

/// Returns the operation word of an instruction with a 32-bit index.
pub(crate) const fn encode_wide(op: Op, a: u16, wide: u32) -> u64 {
    op as u64 | (a as u64) << 16 | (wide as u64) << 32
}

/// Returns slot a.
#[inline(always)]
pub(crate) const fn slot_a(word: u64) -> usize {
    (word >> 16) as u16 as usize
}
/// Returns slot b.
#[inline(always)]
pub(crate) const fn slot_b(word: u64) -> usize {
    (word >> 32) as u16 as usize
}
/// Returns slot c.
#[inline(always)]
pub(crate) const fn slot_c(word: u64) -> usize {
    (word >> 48) as usize
}
/// Returns both halves of a slot of packed operands, the lower one first.
#[inline(always)]
pub(crate) const fn halves(slot: usize) -> (usize, usize) {
    (slot & 0xff, slot >> 8)
}
/// Returns the 32-bit index in slots b and c.
#[inline(always)]
pub(crate) const fn wide(word: u64) -> u32 {
    (word >> 32) as u32
}

/// Returns the operation of an instruction word. For the word of a pair, returns the operation of its first
/// instruction. Returns `None` for a number without an operation.
pub(crate) fn decode(word: u64) -> Option<Op> {
    OPERATIONS[word as usize % UNMARKED]
}

/// Returns the slot of a key in a switch table where probing begins.
#[inline(always)]
pub(crate) fn hash_key(key: u64, mask: u64) -> u64 {
    ((key >> 3).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) & mask
}
