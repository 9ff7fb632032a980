//! From a clause as a term to [`Clause`]: conversion of terms to bodies (ISO 7.6), recognition of
//! what is compiled in place, and the literal pool.

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

/// What a goal calls.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// A deterministic builtin, done in place.
    Builtin(u32),
    /// A predicate.
    Predicate(u32),
}

/// How arguments that are goals are given their module.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Wrap {
    /// Not at all: the module is the one that calls assume.
    Nothing,
    /// If they are known: a library hands goals of its users on as they are.
    Known,
    /// All.
    All,
}

/// What an argument of a predicate has to do with modules.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Sensitive {
    /// Nothing.
    No,
    /// It stands in a module.
    ToModule,
    /// It is a goal, or becomes one with more arguments.
    Goal,
}

/// How the goals of a module are read.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// As ISO Prolog has them.
    Prolog,
    /// As Lolli has them: connectives, and calls of the predicates of the module.
    Lolli,
}

/// What the front end asks of the program.
pub(crate) trait Resolver {
    /// How the goals of this module are read.
    fn dialect(&self, module: Atom) -> Dialect;
    /// Is `inner:Goal` in this module a goal of Lolli in a program's Prolog text?
    fn enters_lolli(&self, module: Atom, inner: Atom) -> bool;
    /// Is this the name of predicates of Lolli itself?
    fn special(&self, name: Atom) -> bool;
    /// What a goal in this module calls.
    fn resolve(&mut self, module: Atom, functor: Functor) -> Result<Target, Stop>;
    /// What the predicate makes of a list, its first argument, if it is one of a name that does so in the system.
    fn folds(&self, predicate: u32) -> Option<Collected>;
    /// The builtin of this name that only the compiler calls.
    fn internal(&self, name: &str, arity: usize) -> Option<u32>;
    /// The builtin that posts a constraint, if the goal is one of library(clpfd) in this module.
    fn constraint(&self, module: Atom, functor: Functor) -> Option<u32>;
    /// May the goal be compiled in place, or has the module a definition of its own?
    fn in_place(&self, module: Atom, functor: Functor) -> bool;
    /// Which arguments of a predicate are sensitive to the module.
    fn sensitive(&self, module: Atom, functor: Functor) -> Option<Result<Vec<Sensitive>, Stop>>;
    /// Is the predicate one that the clause may not call, or that perhaps it may not: is it to be found out when it is
    /// called? `own` says whether its name begins with `$`.
    fn hides(&self, module: Atom, functor: Functor, own: bool) -> bool;
    /// The name that goals of this module have which clauses of the system hand on: that of the module, or one that
    /// lets them call what the module keeps to itself.
    fn inner_name(&mut self, symbols: &mut Symbols, module: Atom) -> Result<Atom, Stop>;
    /// Is this, in this module, a connective of linear logic?
    fn connective(&self, module: Atom, functor: Functor) -> bool;
    /// A new predicate for an assumed clause for `name/arity`, with so many further arguments; `None`
    /// if such clauses are not to be compiled.
    fn closure(
        &mut self,
        symbols: &mut Symbols,
        name: &str,
        arity: usize,
        captured: usize,
    ) -> Result<Option<u32>, Stop>;
    /// Do the clauses of this module unify with occurs check and the scopes of eigenvariables?
    fn scoped(&self, module: Atom) -> bool;
    /// Do the clauses of this module heed the flag `occurs_check`?
    fn checks_occurs(&self, module: Atom) -> bool;
    /// The slot of a predicate that is to be assumed; `None` if none may assume it.
    fn assumable(&mut self, module: Atom, functor: Functor) -> Result<Option<u32>, Stop>;
    /// How goals in this module are given their module.
    fn wrap(&self, module: Atom) -> Wrap;
}

/// Why a term is no clause.
#[derive(Copy, Clone, Debug)]
pub(crate) enum LowerError {
    /// The head is a variable, or the whole clause is.
    Unbound,
    /// The head is not callable: the culprit.
    Head(Cell),
    /// The body cannot be converted (7.6.2): the culprit.
    Body(Cell),
    /// A goal has too many arguments.
    Arity,
    /// A cyclic term.
    Cyclic(Cell),
    /// The clause, written out as a tree, is too large, or the work ends here.
    Memory,
}

impl From<Stop> for LowerError {
    fn from(_: Stop) -> LowerError {
        LowerError::Memory
    }
}

/// Constructs nested deeper are called as terms.
pub(super) const MAX_DEPTH: usize = 128;
/// Ground terms of more words become literals wherever they are.
pub(super) const LITERAL_WORDS: u32 = 16;
/// After that many nodes a clause is examined for being cyclic.
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
    /// Assumed clauses that are to be compiled.
    pub(super) closures: Vec<Closure>,
    /// Variables that quantifiers and scopes of goals have brought in.
    pub(super) locals: Vec<VarId>,
    /// Does unification heed the flag `occurs_check`?
    pub(super) checks_occurs: bool,
    /// The clause as it was given.
    pub(super) root: Cell,
    /// Goals met so far.
    pub(super) goals: usize,
    /// With more nodes and goals than these it is examined whether there is an end to them.
    pub(super) checked: usize,
    /// Do ground terms become literals, which all calls share?
    pub(super) shares: bool,
    /// Is there a goal that assigns to an argument of a term?
    pub(super) assigns: bool,
    /// Is the head or a goal a compound without arguments?
    pub(super) zero_arity: bool,
    /// Is this part of a goal that is converted when it is called?
    pub(super) within_called: bool,
    /// Numbers of goals.
    pub(super) numbers: Numbers,
    /// The module and the functor of the head, once it is known.
    pub(super) head: Option<(Atom, Functor)>,
}

/// Addresses and contents of cells that carry something else for the time being. They get it back as
/// this is dropped, also where the instruction ends in between.
pub(super) struct Marks(Vec<(HeapAddr, Cell)>);

impl Marks {
    /// Has the cell at an address carry `mark`.
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

/// What was found out about a clause besides its code.
#[derive(Debug)]
pub(crate) struct Lowered {
    /// The module of the predicate.
    pub(crate) module: Atom,
    /// Name and arity of the head.
    pub(crate) functor: Functor,
    /// Is the body `true`?
    pub(crate) is_fact: bool,
    /// Is the head or a goal a compound without arguments, which stands for the atom of that name?
    pub(crate) zero_arity: bool,
    /// The clauses that it assumes, to be compiled.
    pub(crate) closures: Vec<Closure>,
}

/// Converts the clause `term`, standing in `module`, into `clause`.
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
    // What goals of the clause assign to is not shared.
    lower_with(store, symbols, resolver, clause, term, module, false).map(|(lowered, _)| lowered)
}

/// The same, with or without literals for ground terms, and whether there are goals that assign to arguments.
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
        // Each call of a lambda expression has terms of its own.
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
        // `true, true` says no more, but is another body.
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

    /// Gives variables that a head repeats names of their own, and unifies them in goals. What remains
    /// of the head needs no occurs check: its variables are new to the terms that they are unified with.
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

    /// A unification that heeds the flag `occurs_check` when it is done.
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
