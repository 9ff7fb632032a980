//! Conversion of a clause from a term to [`Clause`]: conversion of terms to bodies (ISO 7.6), recognition of goals
//! that are compiled in place, and the literal pool.

use super::alternatives::add_goal;
use super::closure::Closure;
use super::goal_numbers::Numbers;
use crate::base::atom_table::{Atom, Functor, Symbols, atoms, functors};
use crate::base::growth::Grow;
use crate::base::stop::Stop;
use crate::ir::clause::{Args, Clause, Collected, Goal, Term, TermId, VarId};
use crate::store::address::HeapAddr;
use crate::store::cell::Cell;
use crate::store::heap::{Store, View, deref};
use crate::store::raw;

/// The target of a call.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// A deterministic builtin, executed in place.
    Builtin(u32),
    /// A predicate.
    Predicate(u32),
}

/// The rule for qualifying arguments that are goals with their module.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Wrap {
    /// No argument is qualified: calls assume this module.
    Nothing,
    /// Arguments known at compile time are qualified. A library passes on goals of its users unchanged.
    Known,
    /// All arguments are qualified.
    All,
}

/// The relation of an argument of a predicate to modules.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Sensitive {
    /// The argument does not depend on a module.
    No,
    /// The argument is interpreted in a module.
    ToModule,
    /// The argument is a goal, or becomes one with more arguments.
    Goal,
}

/// The dialect in which the goals of a module are read.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// ISO Prolog.
    Prolog,
    /// Lolli: connectives, and calls of the predicates of the module.
    Lolli,
}

/// The questions of the front end about the program.
pub(crate) trait Resolver {
    /// Returns the dialect of the goals in this module.
    fn dialect(&self, module: Atom) -> Dialect;
    /// Returns whether `inner:Goal` in this module is a goal of Lolli in Prolog text of a program.
    fn enters_lolli(&self, module: Atom, inner: Atom) -> bool;
    /// Returns whether this is the name of predicates of Lolli itself.
    fn special(&self, name: Atom) -> bool;
    /// Returns the target of a goal in this module.
    fn resolve(&mut self, module: Atom, functor: Functor) -> Result<Target, Stop>;
    /// Returns the result that the predicate computes from a list, its first argument. Returns `None` if its name is not
    /// that of such a predicate of the system.
    fn folds(&self, predicate: u32) -> Option<Collected>;
    /// Returns the builtin of this name that only the compiler calls.
    fn internal(&self, name: &str, arity: usize) -> Option<u32>;
    /// Returns the builtin that posts a constraint, if the goal is one of library(clpfd) in this module.
    fn constraint(&self, module: Atom, functor: Functor) -> Option<u32>;
    /// Returns whether the goal may be compiled in place. It may not if the module has its own definition.
    fn in_place(&self, module: Atom, functor: Functor) -> bool;
    /// Returns which arguments of a predicate are sensitive to the module.
    fn sensitive(&self, module: Atom, functor: Functor) -> Option<Result<Vec<Sensitive>, Stop>>;
    /// Returns whether the clause may not call the predicate, or perhaps may not, so that the call must check it at
    /// run time. `own` says whether the name of the predicate begins with `$`.
    fn hides(&self, module: Atom, functor: Functor, own: bool) -> bool;
    /// Returns the module name for goals of this module that clauses of the system pass on. This is the name of the
    /// module, or a name that allows calls of its internal predicates.
    fn inner_name(&mut self, symbols: &mut Symbols, module: Atom) -> Result<Atom, Stop>;
    /// Returns whether this is a connective of linear logic in this module.
    fn connective(&self, module: Atom, functor: Functor) -> bool;
    /// Returns a new predicate for an assumed clause for `name/arity`, with `captured` additional arguments. Returns
    /// `None` if such clauses are not compiled.
    fn closure(
        &mut self,
        symbols: &mut Symbols,
        name: &str,
        arity: usize,
        captured: usize,
    ) -> Result<Option<u32>, Stop>;
    /// Returns whether the clauses of this module unify with occurs check and the scopes of eigenvariables.
    fn scoped(&self, module: Atom) -> bool;
    /// Returns whether the clauses of this module respect the flag `occurs_check`.
    fn checks_occurs(&self, module: Atom) -> bool;
    /// Returns the slot of a predicate for assumptions, or `None` if the predicate cannot be assumed.
    fn assumable(&mut self, module: Atom, functor: Functor) -> Result<Option<u32>, Stop>;
    /// Returns the rule for qualifying goals in this module.
    fn wrap(&self, module: Atom) -> Wrap;
}

/// The reason why a term is not a clause.
#[derive(Copy, Clone, Debug)]
pub(crate) enum LowerError {
    /// The head or the whole clause is a variable.
    Unbound,
    /// The head is not callable: the culprit.
    Head(Cell),
    /// The body cannot be converted (7.6.2): the culprit.
    Body(Cell),
    /// A goal has too many arguments.
    Arity,
    /// A cyclic term.
    Cyclic(Cell),
    /// The clause, written out as a tree, is too large, or the work must stop.
    Memory,
}

impl From<Stop> for LowerError {
    fn from(_: Stop) -> LowerError {
        LowerError::Memory
    }
}

/// Maximum depth of nested control constructs. Deeper ones are called as terms.
pub(super) const MAX_DEPTH: usize = 128;
/// Maximum number of words of a ground term that is not a literal.
pub(super) const LITERAL_WORDS: u32 = 16;
/// Number of nodes after which a clause is checked for being cyclic.
pub(super) const CYCLE_CHECK: usize = 1 << 20;

pub(super) struct Lowering<'a> {
    pub(super) store: &'a mut Store,
    pub(super) symbols: &'a mut Symbols,
    pub(super) resolver: &'a mut dyn Resolver,
    pub(super) clause: &'a mut Clause,
    /// The variables that carry their number.
    pub(super) marks: Marks,
    pub(super) todo: Vec<(usize, HeapAddr, usize)>,
    pub(super) compounds: bool,
    /// Assumed clauses to be compiled.
    pub(super) closures: Vec<Closure>,
    /// Variables that quantifiers and scopes of goals have introduced.
    pub(super) locals: Vec<VarId>,
    /// Whether unification respects the flag `occurs_check`.
    pub(super) checks_occurs: bool,
    /// The original clause.
    pub(super) root: Cell,
    /// Number of goals so far.
    pub(super) goals: usize,
    /// Number of nodes and goals above which the clause is checked for being cyclic.
    pub(super) checked: usize,
    /// Whether ground terms become literals, which all calls share.
    pub(super) shares: bool,
    /// Whether a goal assigns to an argument of a term.
    pub(super) assigns: bool,
    /// Whether the head or a goal is a compound without arguments.
    pub(super) zero_arity: bool,
    /// Whether the present goal is part of a goal that is converted when it is called.
    pub(super) within_called: bool,
    /// Numbers of goals.
    pub(super) numbers: Numbers,
    /// The module and the functor of the head, once they are known.
    pub(super) head: Option<(Atom, Functor)>,
}

/// Addresses and contents of cells that temporarily hold a mark. Dropping this value restores the contents, even if
/// the instruction ends early.
pub(super) struct Marks(Vec<(HeapAddr, Cell)>);

impl Marks {
    /// Puts `mark` into the cell at an address.
    pub(super) fn mark(&mut self, addr: HeapAddr, mark: Cell) -> Result<(), Stop> {
        self.0.put((addr, raw::cell(addr)))?;
        raw::set_cell(addr, mark);
        Ok(())
    }
}

impl Drop for Marks {
    fn drop(&mut self) {
        for &(addr, cell) in self.0.iter().rev() {
            raw::set_cell(addr, cell);
        }
    }
}

/// Results of lowering a clause, besides the clause itself.
#[derive(Debug)]
pub(crate) struct Lowered {
    /// The module of the predicate.
    pub(crate) module: Atom,
    /// Name and arity of the head.
    pub(crate) functor: Functor,
    /// Whether the body is `true`.
    pub(crate) is_fact: bool,
    /// Whether the head or a goal is a compound without arguments, which stands for the atom of that name.
    pub(crate) zero_arity: bool,
    /// The assumed clauses in it, to be compiled.
    pub(crate) closures: Vec<Closure>,
}

/// Converts the clause `term` in the module `module` into `clause`.
///
/// # Errors
/// See [`LowerError`].
pub(crate) fn lower(
    store: &mut Store,
    symbols: &mut Symbols,
    resolver: &mut dyn Resolver,
    clause: &mut Clause,
    term: Cell,
    module: Atom,
) -> Result<Lowered, LowerError> {
    let (lowered, assigns) = lower_with(store, symbols, resolver, clause, term, module, true)?;
    if !assigns {
        return Ok(lowered);
    }
    // Terms that goals of the clause assign to must not be shared.
    lower_with(store, symbols, resolver, clause, term, module, false).map(|(lowered, _)| lowered)
}

/// Converts a clause, with literals for ground terms if `shares` is true. Also returns whether goals assign to
/// arguments.
fn lower_with(
    store: &mut Store,
    symbols: &mut Symbols,
    resolver: &mut dyn Resolver,
    clause: &mut Clause,
    term: Cell,
    module: Atom,
    shares: bool,
) -> Result<(Lowered, bool), LowerError> {
    clause.clear();
    let mut lowering = Lowering {
        store,
        symbols,
        resolver,
        clause,
        marks: Marks(Vec::new()),
        todo: Vec::new(),
        compounds: false,
        closures: Vec::new(),
        locals: Vec::new(),
        checks_occurs: false,
        root: term,
        goals: 0,
        checked: CYCLE_CHECK,
        shares,
        assigns: false,
        zero_arity: false,
        within_called: false,
        numbers: Numbers::default(),
        head: None,
    };
    let lowered = lowering.clause(term, module)?;
    Ok((lowered, lowering.assigns))
}

impl Lowering<'_> {
    fn clause(&mut self, term: Cell, module: Atom) -> Result<Lowered, LowerError> {
        let (term, mut module) = self.strip(term, module)?;
        let (head, body) = match self.store.view(term) {
            View::Var(_) => return Err(LowerError::Unbound),
            View::Struct(functors::NECK, args) => {
                (self.store.arg(args, 0), self.store.arg(args, 1))
            }
            _ => (term, Cell::atom(atoms::TRUE)),
        };
        let body_module = module;
        self.clause.scoped = self.resolver.scoped(body_module);
        self.checks_occurs = self.resolver.checks_occurs(body_module);
        let (head, head_module) = self.strip(head, module)?;
        module = head_module;
        // Each call of a lambda expression has its own terms.
        self.shares &= module != atoms::LAMBDAS;
        let functor = match self.store.view(head) {
            View::Var(_) => return Err(LowerError::Unbound),
            View::Atom(name) => self.symbols.functor_passing(name, 0)?,
            View::List(_) => functors::LIST,
            View::Struct(functor, _) => functor,
            _ => return Err(LowerError::Head(head)),
        };
        self.zero_arity = functor.arity() == 0 && head.is_compound();
        if functor.arity() >= crate::code::instruction::REGISTERS {
            return Err(LowerError::Arity);
        }
        self.head = Some((module, functor));
        if let Some((_, args)) = self.store.compound(head) {
            let args = self.args(args, functor.arity())?;
            self.pool_args(args, LITERAL_WORDS, LITERAL_WORDS)?;
            self.clause.head = Some(args);
        }
        let goal = self
            .body(body, body_module, 0)
            .map_err(|error| match error {
                LowerError::Body(_) => LowerError::Body(body),
                error => error,
            })?;
        // `true, true` has the same meaning, but is a different body.
        let is_fact = matches!(goal, Goal::True) && body == Cell::atom(atoms::TRUE);
        let mut goals = Vec::new();
        if let Some(args) = self.clause.head
            && self.checks_occurs
        {
            self.make_linear(args, &mut goals)?;
        }
        self.clause.body = if goals.is_empty() {
            if is_fact { None } else { Some(goal) }
        } else {
            add_goal(&mut goals, goal)?;
            Some(Goal::And(goals))
        };
        Ok(Lowered {
            module,
            functor,
            is_fact,
            zero_arity: self.zero_arity,
            closures: std::mem::take(&mut self.closures),
        })
    }

    /// Replaces repeated variables of the head by new ones, and unifies these in goals. The rest of the head then
    /// needs no occurs check, because its variables are new to the terms of the call.
    fn make_linear(&mut self, args: Args, goals: &mut Vec<Goal>) -> Result<(), Stop> {
        let mut seen = Vec::new();
        seen.put_all(std::iter::repeat_n(false, self.clause.var_count as usize))?;
        let mut todo = vec![args];
        while let Some(args) = todo.pop() {
            for index in args.first..args.first + args.count {
                let id = self.clause.args[index as usize];
                match self.clause.term(id) {
                    Term::Var(var) if seen[var as usize] => {
                        let other = self.new_variable()?;
                        self.clause.args[index as usize] = other;
                        let goal = self.checked(id, other)?;
                        goals.put(goal)?;
                    }
                    Term::Var(var) => seen[var as usize] = true,
                    Term::List { first } => todo.put(Args { first, count: 2 })?,
                    Term::Struct { functor, first } => todo.put(Args {
                        first,
                        count: functor.arity() as u32,
                    })?,
                    Term::Constant(_) | Term::Literal(_) => {}
                }
            }
        }
        Ok(())
    }

    /// Returns a unification that respects the flag `occurs_check` at run time.
    pub(super) fn checked(&mut self, x: TermId, y: TermId) -> Result<Goal, Stop> {
        let args = self.arg_list(&[x, y])?;
        let number = self.numbers.present;
        match self.resolver.internal("=", 2) {
            Some(builtin) => Ok(Goal::Builtin(builtin, args, number)),
            None => Ok(Goal::Unify(x, y, number)),
        }
    }

    pub(super) fn strip(&self, mut term: Cell, mut module: Atom) -> Result<(Cell, Atom), Stop> {
        let mut prefixes = 0;
        loop {
            match self.store.view(term) {
                View::Struct(functors::COLON, args) => {
                    let View::Atom(name) = self.store.view(self.store.arg(args, 0)) else {
                        return Ok((term, module));
                    };
                    prefixes += 1;
                    if prefixes == CYCLE_CHECK && !self.store.acyclic_term(term)? {
                        return Ok((term, module));
                    }
                    module = name;
                    term = self.store.arg(args, 1);
                }
                _ => return Ok((deref(term), module)),
            }
        }
    }
}
