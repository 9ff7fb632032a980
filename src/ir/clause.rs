//! A clause: its terms in a flat arena, its body as a tree of goals.
//!
//! The arena is reused from clause to clause; the goal tree is bounded in depth by the front end.

use crate::base::atom_table::{Atom, Functor, atoms, functors};
use crate::store::cell::Cell;

/// Index of a term in [`Clause::terms`].
pub(crate) type TermId = u32;
/// Number of a variable, from 0 in order of first occurrence.
pub(crate) type VarId = u32;
/// Number of a goal in its clause, see `front::goal_numbers`; 0 for what the text of the clause has no goal for.
pub(crate) type GoalNumber = u32;

/// A term of a clause.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) enum Term {
    /// A variable.
    Var(VarId),
    /// An atom or an inline integer.
    Constant(Cell),
    /// A term of the literal pool: a float, a big integer, a string, a large ground term. The
    /// index is that of the pool entry.
    Literal(u32),
    /// A list; head and tail are `args[first]` and `args[first + 1]`.
    List {
        /// Index in [`Clause::args`].
        first: u32,
    },
    /// A compound; its arguments begin at `args[first]`.
    Struct {
        /// Name and arity.
        functor: Functor,
        /// Index in [`Clause::args`].
        first: u32,
    },
}

/// A run of arguments in [`Clause::args`].
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Args {
    /// Index of the first.
    pub(crate) first: u32,
    /// How many.
    pub(crate) count: u32,
}

/// Type tests that compile to an instruction each.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[repr(u16)]
pub(crate) enum TypeTest {
    /// `var/1`
    Var,
    /// `nonvar/1`
    Nonvar,
    /// `atom/1`
    Atom,
    /// `integer/1`
    Integer,
    /// `float/1`
    Float,
    /// `number/1`
    Number,
    /// `atomic/1`
    Atomic,
    /// `compound/1`
    Compound,
    /// `callable/1`
    Callable,
    /// `string/1`
    String,
}

impl TypeTest {
    /// The type test of this name.
    pub(crate) fn of_name(name: Atom) -> Option<TypeTest> {
        Some(match name {
            atoms::VAR => TypeTest::Var,
            atoms::NONVAR => TypeTest::Nonvar,
            atoms::ATOM => TypeTest::Atom,
            atoms::INTEGER => TypeTest::Integer,
            atoms::FLOAT => TypeTest::Float,
            atoms::NUMBER => TypeTest::Number,
            atoms::ATOMIC => TypeTest::Atomic,
            atoms::COMPOUND => TypeTest::Compound,
            atoms::CALLABLE => TypeTest::Callable,
            atoms::STRING => TypeTest::String,
            _ => return None,
        })
    }
}

/// Arithmetic comparisons.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[repr(u16)]
pub(crate) enum NumCompare {
    /// `<`
    Less,
    /// `=<`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `=:=`
    Equal,
    /// `=\=`
    NotEqual,
}

impl NumCompare {
    /// All comparisons, in order of their numbers.
    pub(crate) const ALL: [NumCompare; 6] = [
        NumCompare::Less,
        NumCompare::LessEqual,
        NumCompare::Greater,
        NumCompare::GreaterEqual,
        NumCompare::Equal,
        NumCompare::NotEqual,
    ];

    /// The constraint of library(clpfd) that is this comparison where integers are known.
    pub(crate) const fn constraint(self) -> Functor {
        match self {
            NumCompare::Less => functors::FD_LESS,
            NumCompare::LessEqual => functors::FD_AT_MOST,
            NumCompare::Greater => functors::FD_GREATER,
            NumCompare::GreaterEqual => functors::FD_AT_LEAST,
            NumCompare::Equal => functors::FD_EQUAL,
            NumCompare::NotEqual => functors::FD_DIFFERENT,
        }
    }

    /// The comparison that a goal is.
    pub(crate) fn of_comparison(functor: Functor) -> Option<NumCompare> {
        Some(match functor {
            functors::LESS2 => NumCompare::Less,
            functors::AT_LESS_EQUAL2 => NumCompare::LessEqual,
            functors::GREATER2 => NumCompare::Greater,
            functors::GREATER_EQUAL2 => NumCompare::GreaterEqual,
            functors::NUM_EQUAL2 => NumCompare::Equal,
            functors::NUM_NOT_EQUAL2 => NumCompare::NotEqual,
            _ => return None,
        })
    }

    /// The name of that.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            NumCompare::Less => "#<",
            NumCompare::LessEqual => "#=<",
            NumCompare::Greater => "#>",
            NumCompare::GreaterEqual => "#>=",
            NumCompare::Equal => "#=",
            NumCompare::NotEqual => "#\\=",
        }
    }

    /// The comparison that a constraint of this name is; `None` for other names.
    pub(crate) fn of_constraint(functor: Functor) -> Option<NumCompare> {
        let mut all = NumCompare::ALL.into_iter();
        all.find(|compare| compare.constraint() == functor)
    }
}

/// What compares or evaluates expressions over integers in place, and leaves all else to a builtin.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    /// A constraint of library(clpfd).
    Constraint(NumCompare),
    /// Lolli's `is`.
    LolliIs,
}

impl Relation {
    /// Its number in the instruction that ends it.
    pub(crate) const fn number(self) -> usize {
        match self {
            Relation::Constraint(compare) => compare as usize,
            Relation::LolliIs => NumCompare::ALL.len(),
        }
    }
}

/// How an if-then-else commits to its condition.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Commit {
    /// `->`: to the first solution.
    First,
    /// `*->`: to having solutions at all.
    Soft,
}

/// A condition, and what follows if it holds.
#[derive(Clone, Debug)]
pub(crate) struct Arm {
    /// How to commit to the condition.
    pub(crate) commit: Commit,
    /// The condition.
    pub(crate) condition: Goal,
    /// What follows.
    pub(crate) then: Goal,
}

/// A goal with assumptions of its own, or with fewer than those around it.
#[derive(Clone, Debug)]
pub(crate) struct Scope {
    /// Which.
    pub(crate) kind: ScopeKind,
    /// What it keeps from its beginning to its end: variables that occur nowhere else.
    pub(crate) kept: Args,
    /// What is done at the beginning.
    pub(crate) assume: Vec<Goal>,
    /// The goal.
    pub(crate) goal: Goal,
    /// The builtin that ends it where it is not the last goal.
    pub(crate) end: u32,
}

/// What a scope is for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum ScopeKind {
    /// `D -o G` and `D => G`: assumptions that go at its end.
    Assumptions,
    /// `{G}`: linear assumptions are hidden.
    Bang,
}

/// What is made of the solutions of a goal. The discriminants are operands of instructions.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Collected {
    /// The list of the instances.
    List,
    /// How many they are.
    Count,
    /// The sum of the values of the instances.
    Sum,
    /// A list of the largest instance: numbers by their values, others in the standard order. Empty without any.
    Max,
    /// Likewise of the smallest.
    Min,
    /// Of pairs, likewise the first one whose first part is the largest.
    MaxWith,
    /// Likewise the smallest.
    MinWith,
}

impl Collected {
    const ALL: [Collected; 7] = [
        Collected::List,
        Collected::Count,
        Collected::Sum,
        Collected::Max,
        Collected::Min,
        Collected::MaxWith,
        Collected::MinWith,
    ];

    /// What an operand stands for.
    pub(crate) fn of_operand(operand: usize) -> Option<Collected> {
        Collected::ALL.get(operand).copied()
    }

    /// What the library calls it: of `$fold/4`.
    pub(crate) fn of_name(name: &str) -> Option<Collected> {
        Some(match name {
            "sum" => Collected::Sum,
            "max" => Collected::Max,
            "min" => Collected::Min,
            "max_with" => Collected::MaxWith,
            "min_with" => Collected::MinWith,
            _ => return None,
        })
    }
}

/// How the solutions of a goal are collected.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Collection {
    /// What is made of them.
    pub(crate) what: Collected,
    /// Where nothing but a call of this predicate sees the list: what the call makes of it, if it is that of the system. That is
    /// collected at once, and there is no list.
    pub(crate) folded: Option<(Collected, u32)>,
}

impl Collection {
    /// What is seen by any goal.
    pub(crate) const fn of(what: Collected) -> Collection {
        let folded = None;
        Collection { what, folded }
    }
}

/// A goal of a body.
#[derive(Clone, Debug)]
pub(crate) enum Goal {
    /// `true`
    True,
    /// `fail`
    Fail,
    /// `!`, cutting the clause or the innermost opaque goal around it.
    Cut,
    /// `A, B, …`; nothing follows a `fail`.
    And(Vec<Goal>),
    /// `A ; B ; …`
    Or(Vec<Goal>),
    /// `(C1 -> T1 ; C2 -> T2 ; … ; E)`, also with `*->`
    IfThenElse(Vec<Arm>, Box<Goal>),
    /// A goal whose cuts are local: `call(G)`, `once(G)` without its commitment.
    Opaque(Box<Goal>),
    /// `findall(Template, Goal, Result)` and its like: what is made of the solutions of a goal, or of the instances of
    /// a template that they give.
    Collect(Collection, Option<TermId>, Box<Goal>, TermId, GoalNumber),
    /// `A = B`
    Unify(TermId, TermId, GoalNumber),
    /// `A \= B`
    NotUnifiable(TermId, TermId, GoalNumber),
    /// `A == B`, or `A \== B` when false.
    Identical(TermId, TermId, bool, GoalNumber),
    /// Term comparison: the orders that satisfy it, 1 less, 2 equal, 4 greater.
    Order(TermId, TermId, u16, GoalNumber),
    /// A type test.
    Test(TypeTest, TermId, GoalNumber),
    /// `X is Expression`
    Is(TermId, TermId, GoalNumber),
    /// Arithmetic comparison.
    Compare(NumCompare, TermId, TermId, GoalNumber),
    /// Lolli's arithmetic comparison.
    LolliCompare(NumCompare, TermId, TermId, GoalNumber),
    /// A comparison of two expressions over integers, or what `is` does, if it finds integers; otherwise a call of
    /// this builtin, by its index, with the expressions as arguments.
    Constraint(Relation, u32, Args, GoalNumber),
    /// A deterministic builtin, by its index in the engine's table.
    Builtin(u32, Args, GoalNumber),
    /// A predicate, by its index in the engine's table.
    Call(u32, Args, GoalNumber),
    /// A goal in a scope of assumptions.
    Scope(Box<Scope>),
    /// A body nested too deep to be compiled, run as a term by this predicate; its two arguments
    /// are the body and its module, its third the barrier that cuts in the body go to.
    Body(u32, [TermId; 2], GoalNumber),
}

impl Goal {
    /// Returns the number of a goal that code of its own is made for. `None` for `true`, `fail`, cuts and what
    /// consists of goals.
    pub(crate) fn number(&self) -> Option<GoalNumber> {
        match *self {
            Goal::Collect(.., number)
            | Goal::Unify(.., number)
            | Goal::NotUnifiable(.., number)
            | Goal::Identical(.., number)
            | Goal::Order(.., number)
            | Goal::Test(.., number)
            | Goal::Is(.., number)
            | Goal::Compare(.., number)
            | Goal::LolliCompare(.., number)
            | Goal::Constraint(.., number)
            | Goal::Builtin(.., number)
            | Goal::Call(.., number)
            | Goal::Body(.., number) => Some(number),
            _ => None,
        }
    }
}

/// A clause, or the body of a query.
#[derive(Default, Debug)]
pub(crate) struct Clause {
    /// All terms.
    pub(crate) terms: Vec<Term>,
    /// Arguments of the compounds and goals.
    pub(crate) args: Vec<TermId>,
    /// For every compound term the heap cell it came from; absent for others.
    pub(crate) origins: Vec<Cell>,
    /// Heap cells of the pool entries that [`Term::Literal`] refers to.
    pub(crate) literals: Vec<Cell>,
    /// Arguments of the head.
    pub(crate) head: Option<Args>,
    /// The body.
    pub(crate) body: Option<Goal>,
    /// Number of variables.
    pub(crate) var_count: u32,
    /// Is unification with occurs check and the scopes of eigenvariables?
    pub(crate) scoped: bool,
}

impl Clause {
    /// Empties the clause, keeping its room.
    pub(crate) fn clear(&mut self) {
        self.terms.clear();
        self.args.clear();
        self.origins.clear();
        self.literals.clear();
        self.head = None;
        self.body = None;
        self.var_count = 0;
        self.scoped = false;
    }

    /// The `index`th of these arguments.
    pub(crate) fn arg(&self, args: Args, index: usize) -> TermId {
        self.args[args.first as usize + index]
    }

    /// A term.
    pub(crate) fn term(&self, id: TermId) -> Term {
        self.terms[id as usize]
    }

    /// Arguments of a compound term, lists included.
    pub(crate) fn compound_args(&self, term: Term) -> &[TermId] {
        let (first, count) = match term {
            Term::List { first } => (first as usize, 2),
            Term::Struct { functor, first } => (first as usize, functor.arity()),
            _ => return &[],
        };
        &self.args[first..first + count]
    }
}
