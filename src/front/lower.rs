//! From a clause as a term to [`Clause`]: conversion of terms to bodies (ISO 7.6), recognition of
//! what is compiled in place, and the literal pool.

use crate::base::symbol::{Atom, Functor, Symbols, atoms, functors};
use crate::ir::clause::{Args, Arm, Clause, Commit, Goal, NumCompare, Term, TermId, TypeTest};
use crate::ir::key::{KEYED_ARGS, Key};
use crate::store::cell::{Cell, WORD, tag};
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

/// What the front end asks of the program.
pub(crate) trait Resolver {
    /// What a goal in this module calls.
    fn resolve(&mut self, module: Atom, functor: Functor) -> Target;
    /// May the goal be compiled in place, or has the module a definition of its own?
    fn in_place(&self, module: Atom, functor: Functor) -> bool;
    /// Which arguments of a predicate are sensitive to the module.
    fn sensitive(&self, module: Atom, functor: Functor) -> Option<Vec<bool>>;
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
    /// The clause, written out as a tree, is too large.
    Memory,
}

/// Constructs nested deeper are called as terms.
const MAX_DEPTH: usize = 128;
/// Ground terms of more words become literals wherever they are.
const LITERAL_WORDS: u32 = 16;
/// After that many nodes a clause is examined for being cyclic.
const CYCLE_CHECK: usize = 1 << 20;

struct Lowering<'a> {
    store: &'a mut Store,
    symbols: &'a mut Symbols,
    resolver: &'a mut dyn Resolver,
    clause: &'a mut Clause,
    /// Addresses and contents of the variables that carry their number.
    marks: Vec<(u64, Cell)>,
    todo: Vec<(usize, u64, usize)>,
    compounds: bool,
    /// The clause as it was given.
    root: Cell,
    /// Goals met so far.
    goals: usize,
    /// With more nodes and goals than these it is examined whether there is an end to them.
    checked: usize,
}

/// What was found out about a clause besides its code.
#[derive(Debug)]
pub(crate) struct Lowered {
    /// The module of the predicate.
    pub(crate) module: Atom,
    /// Name and arity of the head.
    pub(crate) functor: Functor,
    /// What the head's arguments are.
    pub(crate) keys: Box<[Key]>,
    /// Is the body `true`?
    pub(crate) is_fact: bool,
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
    clause.clear();
    let mut lowering = Lowering {
        store,
        symbols,
        resolver,
        clause,
        marks: Vec::new(),
        todo: Vec::new(),
        compounds: false,
        root: term,
        goals: 0,
        checked: CYCLE_CHECK,
    };
    let result = lowering.clause(term, module);
    for &(addr, cell) in lowering.marks.iter().rev() {
        raw::set_cell(addr, cell);
    }
    result
}

impl Lowering<'_> {
    fn clause(&mut self, term: Cell, module: Atom) -> Result<Lowered, LowerError> {
        let (term, mut module) = self.strip(term, module);
        let (head, body) = match self.store.view(term) {
            View::Var(_) => return Err(LowerError::Unbound),
            View::Struct(functors::NECK, args) => {
                (self.store.arg(args, 0), self.store.arg(args, 1))
            }
            _ => (term, Cell::atom(atoms::TRUE)),
        };
        let body_module = module;
        let (head, head_module) = self.strip(head, module);
        module = head_module;
        let functor = match self.store.view(head) {
            View::Var(_) => return Err(LowerError::Unbound),
            View::Atom(name) => self.symbols.functor(name, 0),
            View::List(_) => functors::LIST,
            View::Struct(functor, _) => functor,
            _ => return Err(LowerError::Head(head)),
        };
        if functor.arity() >= crate::code::instruction::REGISTERS {
            return Err(LowerError::Arity);
        }
        if let Some((_, args)) = self.store.compound(head) {
            let args = self.args(args, functor.arity())?;
            self.pool_args(args, LITERAL_WORDS, LITERAL_WORDS);
            self.clause.head = Some(args);
        }
        let goal = self
            .body(body, body_module, 0)
            .map_err(|error| match error {
                LowerError::Body(_) => LowerError::Body(body),
                error => error,
            })?;
        let keys = self.keys(&goal);
        let is_fact = matches!(goal, Goal::True);
        self.clause.body = if is_fact { None } else { Some(goal) };
        Ok(Lowered {
            module,
            functor,
            keys,
            is_fact,
        })
    }

    /// The keys of the head's arguments. A variable that the body unifies first thing counts as
    /// what it is unified with.
    fn keys(&self, body: &Goal) -> Box<[Key]> {
        let Some(args) = self.clause.head else {
            return Box::new([]);
        };
        let key = |term: Term| match term {
            Term::Var(_) => Key::Any,
            Term::Constant(cell) => Key::Constant(cell.0),
            Term::List { .. } => Key::List,
            Term::Struct { functor, .. } => Key::Structure(Cell::functor(functor).0),
            Term::Literal(index) => {
                let cell = self.clause.literals[index as usize];
                match cell.tag() {
                    tag::LST => Key::List,
                    tag::STR => Key::Structure(raw::word(cell.addr())),
                    _ => Key::Boxed,
                }
            }
        };
        let goals = match body {
            Goal::And(goals) => goals.as_slice(),
            goal => std::slice::from_ref(goal),
        };
        let unified = |var: u32| {
            let unifications = goals.iter().map_while(|goal| match goal {
                Goal::Unify(a, b) => Some((self.clause.term(*a), self.clause.term(*b))),
                _ => None,
            });
            unifications
                .filter_map(|(a, b)| match (a, b) {
                    (Term::Var(x), other) | (other, Term::Var(x)) if x == var => Some(key(other)),
                    _ => None,
                })
                .find(|&key| key != Key::Any)
                .unwrap_or(Key::Any)
        };
        (0..(args.count as usize).min(KEYED_ARGS))
            .map(
                |index| match self.clause.term(self.clause.arg(args, index)) {
                    Term::Var(var) => unified(var),
                    term => key(term),
                },
            )
            .collect()
    }

    fn strip(&self, mut term: Cell, mut module: Atom) -> (Cell, Atom) {
        loop {
            match self.store.view(term) {
                View::Struct(functors::COLON, args) => {
                    let View::Atom(name) = self.store.view(self.store.arg(args, 0)) else {
                        return (term, module);
                    };
                    module = name;
                    term = self.store.arg(args, 1);
                }
                _ => return (deref(term), module),
            }
        }
    }

    // ---- terms --------------------------------------------------------------------------------

    fn args(&mut self, addr: u64, count: usize) -> Result<Args, LowerError> {
        let first = self.clause.args.len();
        self.clause.args.extend(std::iter::repeat_n(0, count));
        self.todo.push((first, addr, count));
        self.drain()?;
        Ok(Args {
            first: first as u32,
            count: count as u32,
        })
    }

    fn term(&mut self, cell: Cell) -> Result<TermId, LowerError> {
        let id = self.node(cell);
        self.drain()?;
        Ok(id)
    }

    fn drain(&mut self) -> Result<(), LowerError> {
        while let Some((first, addr, count)) = self.todo.pop() {
            self.check_size()?;
            for index in 0..count {
                let cell = raw::cell(addr + index as u64 * WORD);
                let id = self.node(cell);
                self.clause.args[first + index] = id;
            }
        }
        Ok(())
    }

    fn check_size(&mut self) -> Result<(), LowerError> {
        if self.clause.terms.len() + self.goals > self.checked {
            self.check_end()
        } else {
            Ok(())
        }
    }

    /// The clause is large: is that because it is cyclic, or shares subterms many times over?
    #[cold]
    fn check_end(&mut self) -> Result<(), LowerError> {
        if self.checked == CYCLE_CHECK && !self.store.acyclic_term(self.root) {
            return Err(LowerError::Cyclic(self.root));
        }
        // A term that is its own tree has no more nodes than the heap has cells.
        let cells = (self.store.heap_top - self.store.heap.base) / WORD;
        let most = (4 * cells as usize).max(CYCLE_CHECK) + 1;
        if self.clause.terms.len() + self.goals > most {
            return Err(LowerError::Memory);
        }
        self.checked = most;
        Ok(())
    }

    fn push(&mut self, term: Term, origin: Cell) -> TermId {
        self.clause.terms.push(term);
        self.clause.origins.push(origin);
        self.clause.terms.len() as TermId - 1
    }

    fn node(&mut self, cell: Cell) -> TermId {
        let cell = deref(cell);
        match cell.tag() {
            tag::INT => self.push(Term::Constant(cell), cell),
            tag::CON if cell.is_forward() => {
                self.push(Term::Var(cell.forward_index() as u32), Cell::ABSENT)
            }
            tag::CON => self.push(Term::Constant(cell), cell),
            tag::BOX => self.literal(cell),
            tag::LST => {
                let first = self.reserve(cell.addr(), 2);
                self.push(Term::List { first }, cell)
            }
            tag::STR => {
                let functor = raw::cell(cell.addr()).as_functor();
                let first = self.reserve(cell.addr() + WORD, functor.arity());
                self.push(Term::Struct { functor, first }, cell)
            }
            _ => {
                let var = self.clause.var_count;
                self.clause.var_count += 1;
                self.marks.push((cell.addr(), raw::cell(cell.addr())));
                raw::set_cell(cell.addr(), Cell::forward(u64::from(var)));
                self.push(Term::Var(var), Cell::ABSENT)
            }
        }
    }

    fn literal(&mut self, cell: Cell) -> TermId {
        self.clause.literals.push(cell);
        self.push(Term::Literal(self.clause.literals.len() as u32 - 1), cell)
    }

    fn reserve(&mut self, addr: u64, count: usize) -> u32 {
        self.compounds = true;
        let first = self.clause.args.len();
        self.clause.args.extend(std::iter::repeat_n(0, count));
        self.todo.push((first, addr, count));
        first as u32
    }

    /// Replaces the greatest ground terms of more than the given sizes by literals.
    fn pool_args(&mut self, args: Args, list_words: u32, struct_words: u32) {
        if !self.compounds {
            return;
        }
        self.compounds = false;
        let roots: Vec<TermId> = (0..args.count as usize)
            .map(|index| self.clause.arg(args, index))
            .collect();
        // Children come after their parents in the arena, so one pass from the end suffices.
        let start = match roots.iter().min() {
            Some(&start) => start as usize,
            None => return,
        };
        let count = self.clause.terms.len() - start;
        let mut words: Vec<Option<u32>> = vec![Some(0); count];
        for index in (0..count).rev() {
            let term = self.clause.terms[start + index];
            let own = match term {
                Term::Var(_) => None,
                Term::List { .. } => Some(2),
                Term::Struct { functor, .. } => Some(functor.arity() as u32 + 1),
                _ => Some(0),
            };
            let mut sum = own;
            for &arg in self.clause.compound_args(term) {
                let part = words
                    .get((arg as usize).wrapping_sub(start))
                    .copied()
                    .flatten();
                sum = sum.zip(part).map(|(a, b)| a.saturating_add(b));
            }
            words[index] = sum;
        }
        let mut todo = roots;
        while let Some(id) = todo.pop() {
            let term = self.clause.term(id);
            let limit = match term {
                Term::List { .. } => list_words,
                Term::Struct { .. } => struct_words,
                _ => continue,
            };
            match words
                .get((id as usize).wrapping_sub(start))
                .copied()
                .flatten()
            {
                Some(size) if size > limit => {
                    self.clause.literals.push(self.clause.origins[id as usize]);
                    let index = self.clause.literals.len() as u32 - 1;
                    self.clause.terms[id as usize] = Term::Literal(index);
                }
                _ => todo.extend_from_slice(self.clause.compound_args(term)),
            }
        }
    }

    // ---- bodies -------------------------------------------------------------------------------

    fn body(&mut self, body: Cell, module: Atom, depth: usize) -> Result<Goal, LowerError> {
        let mut todo = vec![(body, module)];
        let mut goals = Vec::new();
        while let Some((part, module)) = todo.pop() {
            self.goals += 1;
            self.check_size()?;
            let (part, module) = self.strip(part, module);
            if let View::Struct(functors::COMMA, args) = self.store.view(part) {
                todo.push((self.store.arg(args, 1), module));
                todo.push((self.store.arg(args, 0), module));
                continue;
            }
            let goal = self.goal(part, module, depth)?;
            add_goal(&mut goals, goal);
        }
        Ok(if goals.len() > 1 {
            Goal::And(goals)
        } else {
            goals.pop().unwrap_or(Goal::True)
        })
    }

    fn goal(&mut self, goal: Cell, module: Atom, depth: usize) -> Result<Goal, LowerError> {
        if goal.is_forward() || goal.is_var() {
            return self.call_term(goal, module);
        }
        let (functor, args) = match self.store.view(goal) {
            View::Atom(name) => match name {
                atoms::TRUE => return Ok(Goal::True),
                atoms::FAIL | atoms::FALSE => return Ok(Goal::Fail),
                atoms::CUT => return Ok(Goal::Cut),
                atoms::OTHERWISE => {
                    let functor = self.symbols.functor(name, 0);
                    if self.resolver.in_place(module, functor) {
                        return Ok(Goal::True);
                    }
                    (functor, 0)
                }
                _ => (self.symbols.functor(name, 0), 0),
            },
            View::List(args) => (functors::LIST, args),
            View::Struct(functor, args) => (functor, args),
            _ => return Err(LowerError::Body(goal)),
        };
        match functor {
            functors::COLON => return self.call_term(goal, module),
            functors::SEMICOLON | functors::ARROW | functors::SOFT_ARROW => {
                if depth > MAX_DEPTH {
                    return self.deep_body(goal, module);
                }
                return self.control(functor, args, module, depth + 1);
            }
            _ => {}
        }
        if depth <= MAX_DEPTH
            && let Some(goal) = self.in_place(functor, args, module, depth + 1)?
        {
            return Ok(goal);
        }
        self.plain(functor, args, module)
    }

    /// A control construct too deep to be compiled; its cuts still are those of the clause.
    fn deep_body(&mut self, goal: Cell, module: Atom) -> Result<Goal, LowerError> {
        if !self.convertible(goal) {
            return Err(LowerError::Body(goal));
        }
        let term = self.term(goal)?;
        let module = self.push(Term::Constant(Cell::atom(module)), Cell::ABSENT);
        let body = self.symbols.intern("$body");
        let body = self.symbols.functor(body, 3);
        Ok(match self.resolver.resolve(atoms::SYSTEM, body) {
            Target::Predicate(predicate) => Goal::Body(predicate, [term, module]),
            Target::Builtin(_) => Goal::Fail,
        })
    }

    /// A goal that is known only when it is called.
    fn call_term(&mut self, goal: Cell, module: Atom) -> Result<Goal, LowerError> {
        let mut term = self.term(goal)?;
        if self.resolver.wrap(module) == Wrap::All {
            term = self.qualified(term, module);
        }
        let args = self.arg_list(&[term]);
        let target = match self.resolver.resolve(atoms::SYSTEM, functors::CALL1) {
            Target::Predicate(predicate) => predicate,
            Target::Builtin(_) => return Ok(Goal::Fail),
        };
        Ok(Goal::Call(target, args))
    }

    fn arg_list(&mut self, terms: &[TermId]) -> Args {
        let first = self.clause.args.len() as u32;
        self.clause.args.extend_from_slice(terms);
        Args {
            first,
            count: terms.len() as u32,
        }
    }

    fn qualified(&mut self, term: TermId, module: Atom) -> TermId {
        if let Term::Struct {
            functor: functors::COLON,
            ..
        } = self.clause.term(term)
        {
            return term;
        }
        let name = self.push(Term::Constant(Cell::atom(module)), Cell::ABSENT);
        let args = self.arg_list(&[name, term]);
        self.push(
            Term::Struct {
                functor: functors::COLON,
                first: args.first,
            },
            Cell::ABSENT,
        )
    }

    /// `;`, `->` and `*->`. The right sides of `;` are taken one after the other, so long chains
    /// of alternatives are not deep.
    fn control(
        &mut self,
        functor: Functor,
        args: u64,
        module: Atom,
        depth: usize,
    ) -> Result<Goal, LowerError> {
        let (mut functor, mut args, mut module) = (functor, args, module);
        let mut chain = Chain::default();
        loop {
            // Where conditionals and other alternatives take turns the tree does get deeper.
            let depth = depth + chain.groups.len();
            let (left, right) = (self.store.arg(args, 0), self.store.arg(args, 1));
            if functor != functors::SEMICOLON {
                let arm = self.arm(functor, args, module, depth)?;
                chain.arm(arm);
                return Ok(chain.finish(Goal::Fail));
            }
            match self.store.view(left) {
                View::Struct(inner @ (functors::ARROW | functors::SOFT_ARROW), parts) => {
                    let arm = self.arm(inner, parts, module, depth)?;
                    chain.arm(arm);
                }
                _ => {
                    let left = self.body(left, module, depth)?;
                    chain.alternative(left);
                }
            }
            let rest;
            (rest, module) = self.strip(right, module);
            match self.store.view(rest) {
                View::Struct(
                    next @ (functors::SEMICOLON | functors::ARROW | functors::SOFT_ARROW),
                    parts,
                ) if depth <= MAX_DEPTH => (functor, args) = (next, parts),
                _ => {
                    let other = self.body(rest, module, depth)?;
                    return Ok(chain.finish(other));
                }
            }
        }
    }

    /// A conditional without its alternative.
    fn arm(
        &mut self,
        functor: Functor,
        args: u64,
        module: Atom,
        depth: usize,
    ) -> Result<Arm, LowerError> {
        let condition = self.body(self.store.arg(args, 0), module, depth)?;
        let then = self.body(self.store.arg(args, 1), module, depth)?;
        let commit = if functor == functors::ARROW {
            Commit::First
        } else {
            Commit::Soft
        };
        Ok(Arm {
            commit,
            condition,
            then,
        })
    }

    /// Goals with instructions of their own.
    fn in_place(
        &mut self,
        functor: Functor,
        args: u64,
        module: Atom,
        depth: usize,
    ) -> Result<Option<Goal>, LowerError> {
        let Some(goals) = goal_arguments(functor) else {
            return self.simple(functor, args);
        };
        for &index in goals {
            let goal = self.store.arg(args, index);
            if !goal.is_forward() && !goal.is_var() && !self.convertible(goal) {
                return Ok(None);
            }
        }
        let arg = |lowering: &Self, index: usize| lowering.store.arg(args, index);
        Ok(match functor {
            functors::NOT | functors::NOT1 => {
                if functor == functors::NOT1 && !self.resolver.in_place(module, functor) {
                    return Ok(None);
                }
                let goal = self.body(arg(self, 0), module, depth)?;
                Some(conditional(goal, Goal::Fail, Goal::True))
            }
            functors::CALL1 => {
                let inner = arg(self, 0);
                if inner.is_forward() || inner.is_var() {
                    return Ok(None);
                }
                let goal = self.body(inner, module, depth)?;
                Some(Goal::Opaque(Box::new(goal)))
            }
            functors::ONCE1 => {
                let goal = self.body(arg(self, 0), module, depth)?;
                Some(conditional(goal, Goal::True, Goal::Fail))
            }
            functors::IGNORE1 => {
                let goal = self.body(arg(self, 0), module, depth)?;
                Some(conditional(goal, Goal::True, Goal::True))
            }
            functors::FORALL2 => {
                let condition = self.body(arg(self, 0), module, depth)?;
                let action = self.body(arg(self, 1), module, depth)?;
                // The action's cuts are its own, as the conditional around it makes sure; those of
                // the condition too.
                let not = conditional(action, Goal::Fail, Goal::True);
                let mut both = vec![Goal::Opaque(Box::new(condition))];
                add_goal(&mut both, not);
                Some(conditional(Goal::And(both), Goal::Fail, Goal::True))
            }
            functors::FINDALL3 => Some(self.findall(args, module, depth)?),
            functors::COUNT_SOLUTIONS_IN_PLACE => {
                let goal = self.body(arg(self, 0), module, depth)?;
                let result = self.term(arg(self, 1))?;
                Some(Goal::Count(Box::new(goal), result))
            }
            _ => None,
        })
    }

    fn findall(&mut self, args: u64, module: Atom, depth: usize) -> Result<Goal, LowerError> {
        let known = self.clause.var_count;
        let result = self.term(self.store.arg(args, 2))?;
        let template = self.term(self.store.arg(args, 0))?;
        let goal = self.body(self.store.arg(args, 1), module, depth)?;
        let find = Goal::Findall(template, Box::new(goal), result);
        if matches!(self.clause.term(result), Term::Var(var) if var >= known) {
            return Ok(find);
        }
        let check = self.symbols.intern("$check_list_or_partial");
        let check = self.symbols.functor(check, 1);
        let args = self.arg_list(&[result]);
        Ok(match self.resolver.resolve(atoms::SYSTEM, check) {
            Target::Builtin(builtin) => Goal::And(vec![Goal::Builtin(builtin, args), find]),
            Target::Predicate(_) => find,
        })
    }

    /// Can the term be converted to a body?
    fn convertible(&self, body: Cell) -> bool {
        let mut todo = vec![body];
        let mut steps = 0usize;
        while let Some(goal) = todo.pop() {
            if goal.is_forward() {
                continue;
            }
            steps += 1;
            if steps == CYCLE_CHECK && !self.store.acyclic_term(body) {
                return false;
            }
            match self.store.view(goal) {
                View::Int(_) | View::Float(_) | View::Big(_) | View::String(_) => return false,
                View::Struct(
                    functors::COMMA | functors::SEMICOLON | functors::ARROW | functors::SOFT_ARROW,
                    args,
                ) => todo.extend([self.store.arg(args, 0), self.store.arg(args, 1)]),
                _ => {}
            }
        }
        true
    }

    /// Unification, tests, comparison, arithmetic.
    fn simple(&mut self, functor: Functor, args: u64) -> Result<Option<Goal>, LowerError> {
        let name = self.symbols.name(functor);
        if functor.arity() == 1 {
            let test = match name {
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
                _ => return Ok(None),
            };
            let args = self.args(args, 1)?;
            return Ok(Some(Goal::Test(test, self.clause.arg(args, 0))));
        }
        if functor.arity() != 2 {
            return Ok(None);
        }
        let known = matches!(
            name,
            atoms::EQUAL
                | atoms::NOT_EQUAL
                | atoms::IDENTICAL
                | atoms::NOT_IDENTICAL
                | atoms::TERM_LESS
                | atoms::TERM_GREATER
                | atoms::TERM_LESS_EQUAL
                | atoms::TERM_GREATER_EQUAL
                | atoms::IS
                | atoms::LESS
                | atoms::GREATER
                | atoms::AT_LESS_EQUAL
                | atoms::GREATER_EQUAL
                | atoms::NUM_EQUAL
                | atoms::NUM_NOT_EQUAL
        );
        if !known {
            return Ok(None);
        }
        let list = self.args(args, 2)?;
        if matches!(
            name,
            atoms::EQUAL | atoms::IDENTICAL | atoms::NOT_EQUAL | atoms::NOT_IDENTICAL
        ) {
            self.pool_args(list, 1, LITERAL_WORDS);
        }
        self.compounds = false;
        let (a, b) = (self.clause.arg(list, 0), self.clause.arg(list, 1));
        Ok(Some(match name {
            atoms::EQUAL => Goal::Unify(a, b),
            atoms::NOT_EQUAL => Goal::NotUnifiable(a, b),
            atoms::IDENTICAL => Goal::Identical(a, b, true),
            atoms::NOT_IDENTICAL => Goal::Identical(a, b, false),
            atoms::TERM_LESS => Goal::Order(a, b, 1),
            atoms::TERM_LESS_EQUAL => Goal::Order(a, b, 3),
            atoms::TERM_GREATER => Goal::Order(a, b, 4),
            atoms::TERM_GREATER_EQUAL => Goal::Order(a, b, 6),
            atoms::IS => Goal::Is(a, b),
            atoms::LESS => Goal::Compare(NumCompare::Less, a, b),
            atoms::GREATER => Goal::Compare(NumCompare::Greater, a, b),
            atoms::AT_LESS_EQUAL => Goal::Compare(NumCompare::LessEqual, a, b),
            atoms::GREATER_EQUAL => Goal::Compare(NumCompare::GreaterEqual, a, b),
            atoms::NUM_EQUAL => Goal::Compare(NumCompare::Equal, a, b),
            _ => Goal::Compare(NumCompare::NotEqual, a, b),
        }))
    }

    /// A call of a predicate or builtin.
    fn plain(&mut self, functor: Functor, addr: u64, module: Atom) -> Result<Goal, LowerError> {
        let arity = functor.arity();
        if arity >= crate::code::instruction::REGISTERS {
            return Err(LowerError::Arity);
        }
        let args = if arity == 0 {
            self.arg_list(&[])
        } else {
            self.args(addr, arity)?
        };
        self.pool_args(args, 1, LITERAL_WORDS);
        let wrap = self.resolver.wrap(module);
        if wrap != Wrap::Nothing
            && let Some(sensitive) = self.resolver.sensitive(module, functor)
        {
            for (index, &sensitive) in sensitive.iter().enumerate().take(arity) {
                let id = self.clause.arg(args, index);
                let known = !matches!(self.clause.term(id), Term::Var(_));
                if sensitive && (known || wrap == Wrap::All) {
                    let id = self.qualified(id, module);
                    self.clause.args[args.first as usize + index] = id;
                }
            }
        }
        Ok(match self.resolver.resolve(module, functor) {
            Target::Builtin(builtin) => Goal::Builtin(builtin, args),
            Target::Predicate(predicate) => Goal::Call(predicate, args),
        })
    }
}

/// Which arguments of a goal compiled in place are goals; `None` for goals without any.
fn goal_arguments(functor: Functor) -> Option<&'static [usize]> {
    Some(match functor {
        functors::NOT
        | functors::NOT1
        | functors::CALL1
        | functors::ONCE1
        | functors::IGNORE1
        | functors::COUNT_SOLUTIONS_IN_PLACE => &[0],
        functors::FORALL2 => &[0, 1],
        functors::FINDALL3 => &[1],
        _ => return None,
    })
}

/// Adds a goal to a conjunction. Nothing after a `fail` is ever reached.
fn add_goal(goals: &mut Vec<Goal>, goal: Goal) {
    if matches!(goals.last(), Some(Goal::Fail)) {
        return;
    }
    match goal {
        Goal::True => {}
        Goal::And(inner) => inner.into_iter().for_each(|goal| add_goal(goals, goal)),
        goal => goals.push(goal),
    }
}

/// `(C -> T ; E)`
fn conditional(condition: Goal, then: Goal, other: Goal) -> Goal {
    let mut chain = Chain::default();
    chain.arm(Arm {
        commit: Commit::First,
        condition,
        then,
    });
    chain.finish(other)
}

/// Alternatives joined by `;`, from left to right.
#[derive(Default)]
struct Chain {
    /// Finished groups: alternatives that come before a conditional, or arms that come before
    /// an alternative.
    groups: Vec<Group>,
}

enum Group {
    Alternatives(Vec<Goal>),
    Arms(Vec<Arm>),
}

impl Chain {
    fn arm(&mut self, arm: Arm) {
        match self.groups.last_mut() {
            Some(Group::Arms(arms)) => arms.push(arm),
            _ => self.groups.push(Group::Arms(vec![arm])),
        }
    }

    fn alternative(&mut self, goal: Goal) {
        match self.groups.last_mut() {
            Some(Group::Alternatives(goals)) => goals.push(goal),
            _ => self.groups.push(Group::Alternatives(vec![goal])),
        }
    }

    /// The whole, with its last alternative.
    fn finish(self, last: Goal) -> Goal {
        let join = |rest: Goal, group: Group| match group {
            Group::Alternatives(mut goals) => {
                goals.push(rest);
                Goal::Or(goals)
            }
            Group::Arms(arms) => finish_arms(arms, rest),
        };
        self.groups.into_iter().rev().fold(last, join)
    }
}

/// A conditional without the arms whose conditions are known.
fn finish_arms(arms: Vec<Arm>, other: Goal) -> Goal {
    let mut kept = Vec::with_capacity(arms.len());
    let mut other = other;
    for arm in arms {
        match arm.condition {
            Goal::Fail => {}
            Goal::True => {
                other = arm.then;
                break;
            }
            _ => kept.push(arm),
        }
    }
    if kept.is_empty() {
        return other;
    }
    if let (
        true,
        Goal::Fail,
        Some(Arm {
            commit: Commit::Soft,
            ..
        }),
    ) = (kept.len() == 1, &other, kept.last())
    {
        // Nothing to choose: a conjunction, but for the cuts of the condition.
        let mut goals = Vec::new();
        for arm in kept {
            goals.push(Goal::Opaque(Box::new(arm.condition)));
            add_goal(&mut goals, arm.then);
        }
        return Goal::And(goals);
    }
    Goal::IfThenElse(kept, Box::new(other))
}
