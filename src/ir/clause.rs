//! A clause: its terms in a flat arena, its body as a tree of goals.
//!
//! The arena is reused from clause to clause. The front end limits the depth of the goal tree.

use crate::base::atom_table::{Atom, Functor, atoms, functors};
use crate::store::cell::Cell;

/// Index of a term in [`Clause::terms`].
pub(crate) type TermId = u32;
/// Number of a variable, from 0 in order of first occurrence.
pub(crate) type VarId = u32;
/// Number of a goal in its clause, see `front::goal_numbers`. 0 if the text of the clause has no such goal.
pub(crate) type GoalNumber = u32;

/// A term of a clause.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) enum Term {
    /// A variable.
    Var(VarId),
    /// An atom or an inline integer.
    Constant(Cell),
    /// A term of the literal pool, by its index: a float, a big integer, a string, or a large ground term.
    Literal(u32),
    /// A list. Head and tail are `args[first]` and `args[first + 1]`.
    List {
        /// Index in [`Clause::args`].
        first: u32,
    },
    /// A compound. Its arguments begin at `args[first]`.
    Struct {
        /// Name and arity.
        functor: Functor,
        /// Index in [`Clause::args`].
        first: u32,
    },
}

/// A range of arguments in [`Clause::args`].
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Args {
    /// Index of the first argument.
    pub(crate) first: u32,
    /// Number of arguments.
    pub(crate) count: u32,
}

/// Type tests that compile to one instruction each.
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
    /// Returns the type test of this name.
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

    /// Returns the constraint of library(clpfd) that equals this comparison for known integers.
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

    /// Returns the comparison that a goal of this functor performs.
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

    /// Returns the name of the corresponding constraint.
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

    /// Returns the comparison of a constraint with this functor, or `None` for other functors.
    pub(crate) fn of_constraint(functor: Functor) -> Option<NumCompare> {
        let mut all = NumCompare::ALL.into_iter();
        all.find(|compare| compare.constraint() == functor)
    }
}

/// A goal that compares or evaluates expressions over integers in place, and calls a builtin in all other cases.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    /// A constraint of library(clpfd).
    Constraint(NumCompare),
    /// Lolli's `is`.
    LolliIs,
}

impl Relation {
    /// Returns the number of the relation in the instruction that ends the relation.
    pub(crate) const fn number(self) -> usize {
        match self {
            Relation::Constraint(compare) => compare as usize,
            Relation::LolliIs => NumCompare::ALL.len(),
        }
    }
}

/// The way in which an if-then-else commits to its condition.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Commit {
    /// `->`: commits to the first solution.
    First,
    /// `*->`: commits to the condition, but keeps all its solutions.
    Soft,
}

/// A condition, and the goal that follows if it succeeds.
#[derive(Clone, Debug)]
pub(crate) struct Arm {
    /// The way to commit to the condition.
    pub(crate) commit: Commit,
    /// The condition.
    pub(crate) condition: Goal,
    /// The goal that follows.
    pub(crate) then: Goal,
}

/// A goal with additional assumptions, or with some assumptions hidden.
#[derive(Clone, Debug)]
pub(crate) struct Scope {
    /// The kind of scope.
    pub(crate) kind: ScopeKind,
    /// Data that the scope keeps from its beginning to its end: variables that occur nowhere else.
    pub(crate) kept: Args,
    /// Goals that run at the beginning.
    pub(crate) assume: Vec<Goal>,
    /// The goal.
    pub(crate) goal: Goal,
    /// The builtin that ends the scope unless the scope is the last goal.
    pub(crate) end: u32,
}

/// The kind of a scope.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum ScopeKind {
    /// `D -o G` and `D => G`: assumptions that the end of the scope removes.
    Assumptions,
    /// `{G}`: linear assumptions are hidden.
    Bang,
}

/// The result made from the solutions of a goal. The discriminants are operands of instructions.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Collected {
    /// The list of the instances.
    List,
    /// The number of instances.
    Count,
    /// The sum of the values of the instances.
    Sum,
    /// A list of the largest instance, or an empty list without instances. Numbers are compared by their values, other
    /// terms in the standard order.
    Max,
    /// A list of the smallest instance, or an empty list without instances.
    Min,
    /// A list of the first pair with the largest first part, or an empty list.
    MaxWith,
    /// A list of the first pair with the smallest first part, or an empty list.
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

    /// Returns the result that an operand denotes.
    pub(crate) fn of_operand(operand: usize) -> Option<Collected> {
        Collected::ALL.get(operand).copied()
    }

    /// Returns the result with this name in the library, as in `$fold/4`.
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

/// The way in which the solutions of a goal are collected.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Collection {
    /// The result made from the solutions.
    pub(crate) what: Collected,
    /// The number that a call of this predicate computes from the list, if no other goal uses the list. If the
    /// predicate is that of the system, the number is collected directly, and there is no list.
    pub(crate) folded: Option<(Collected, u32)>,
}

impl Collection {
    /// Returns a collection whose result any goal can use.
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
    /// `!`, which cuts the clause or the innermost opaque goal around it.
    Cut,
    /// `A, B, …`. A `fail` is always the last goal.
    And(Vec<Goal>),
    /// `A ; B ; …`
    Or(Vec<Goal>),
    /// `(C1 -> T1 ; C2 -> T2 ; … ; E)`, also with `*->`
    IfThenElse(Vec<Arm>, Box<Goal>),
    /// A goal whose cuts are local: `call(G)`, or `once(G)` without its commitment.
    Opaque(Box<Goal>),
    /// `findall(Template, Goal, Result)` and similar goals. The result is made from the solutions of a goal, or from
    /// the instances of a template.
    Collect(Collection, Option<TermId>, Box<Goal>, TermId, GoalNumber),
    /// `A = B`
    Unify(TermId, TermId, GoalNumber),
    /// `A \= B`
    NotUnifiable(TermId, TermId, GoalNumber),
    /// `A == B`, or `A \== B` if the flag is false.
    Identical(TermId, TermId, bool, GoalNumber),
    /// Term comparison, with the sum of the orders that satisfy it: 1 less, 2 equal, 4 greater.
    Order(TermId, TermId, u16, GoalNumber),
    /// A type test.
    Test(TypeTest, TermId, GoalNumber),
    /// `X is Expression`
    Is(TermId, TermId, GoalNumber),
    /// Arithmetic comparison.
    Compare(NumCompare, TermId, TermId, GoalNumber),
    /// Lolli's arithmetic comparison.
    LolliCompare(NumCompare, TermId, TermId, GoalNumber),
    /// A comparison of two expressions over integers, or an evaluation by `is`, if the values are integers. Otherwise a
    /// call of the builtin with this index, with the expressions as arguments.
    Constraint(Relation, u32, Args, GoalNumber),
    /// A deterministic builtin, by its index in the engine's table.
    Builtin(u32, Args, GoalNumber),
    /// A predicate, by its index in the engine's table.
    Call(u32, Args, GoalNumber),
    /// A goal in a scope of assumptions.
    Scope(Box<Scope>),
    /// A body nested too deep to be compiled. This predicate runs it as a term. Its first two arguments are the body
    /// and its module. The third is the barrier of cuts in the body.
    Body(u32, [TermId; 2], GoalNumber),
}

impl Goal {
    /// Returns the number of a goal that has its own code. Returns `None` for `true`, `fail`, cuts and control
    /// constructs.
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
    /// For every compound term, the heap cell of its origin. Absent for other terms.
    pub(crate) origins: Vec<Cell>,
    /// Heap cells of the pool entries that [`Term::Literal`] refers to.
    pub(crate) literals: Vec<Cell>,
    /// Arguments of the head.
    pub(crate) head: Option<Args>,
    /// The body.
    pub(crate) body: Option<Goal>,
    /// Number of variables.
    pub(crate) var_count: u32,
    /// Whether the clause unifies with occurs check and the scopes of eigenvariables.
    pub(crate) scoped: bool,
}

impl Clause {
    /// Empties the clause but keeps its memory.
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

    /// Returns argument number `index` of these arguments.
    pub(crate) fn arg(&self, args: Args, index: usize) -> TermId {
        self.args[args.first as usize + index]
    }

    /// Returns the term with this index.
    pub(crate) fn term(&self, id: TermId) -> Term {
        self.terms[id as usize]
    }

    /// Returns the arguments of a compound term or a list.
    pub(crate) fn compound_args(&self, term: Term) -> &[TermId] {
        let (first, count) = match term {
            Term::List { first } => (first as usize, 2),
            Term::Struct { functor, first } => (first as usize, functor.arity()),
            _ => return &[],
        };
        &self.args[first..first + count]
    }
}
