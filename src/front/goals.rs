//! Bodies: conversion of terms to goals (ISO 7.6.2) and recognition of goals that are compiled in place.
//! Long because the conversion is one recursion over all kinds of goals.

use super::alternatives::{Chain, add_goal, conditional};
use super::goal_numbers::goal_arguments;
use super::linear::is_connective;
use super::lower::{
    Dialect, LITERAL_WORDS, LowerError, Lowering, MAX_DEPTH, Sensitive, Target, Wrap,
};
use crate::base::atom_table::{Atom, Functor, atoms, functors};
use crate::base::growth::{Grow, GrowBy};
use crate::base::stop::Stop;
use crate::ir::clause::{
    Args, Arm, Collected, Collection, Commit, Goal, GoalNumber, NumCompare, Relation, Term, TermId,
    TypeTest,
};
use crate::store::address::HeapAddr;
use crate::store::body::BodyParts;
use crate::store::cell::Cell;
use crate::store::heap::{Store, View};

impl Lowering<'_> {
    pub(super) fn body(
        &mut self,
        body: Cell,
        module: Atom,
        depth: usize,
    ) -> Result<Goal, LowerError> {
        let mut todo = vec![(body, module)];
        let mut goals = Vec::new();
        while let Some((part, module)) = todo.pop() {
            self.goals += 1;
            self.check_size()?;
            let (plain, home) = self.strip(part, module)?;
            if self.numbers.made_up
                && let View::Struct(functors::COLON, _) = self.store.view(part)
            {
                let goal = self.not_made_up(|lowering| lowering.body(plain, home, depth))?;
                add_goal(&mut goals, goal)?;
                continue;
            }
            if self.resolver.enters_lolli(module, home) {
                let goal = self.numbered(plain, |lowering| lowering.lolli_from_prolog(plain))?;
                add_goal(&mut goals, goal)?;
                continue;
            }
            let (part, module) = (plain, home);
            if let View::Struct(functors::COMMA, args) = self.store.view(part) {
                self.numbers.pass();
                todo.put((self.store.arg(args, 1), module))?;
                todo.put((self.store.arg(args, 0), module))?;
                continue;
            }
            if part == Cell::atom(atoms::DOLLAR) && !todo.is_empty() && self.is_guard(module)? {
                add_goal(&mut goals, Goal::Cut)?;
                let goal = self.numbered(part, |lowering| {
                    let rest = lowering.guarded(&todo)?;
                    let system = lowering
                        .resolver
                        .inner_name(lowering.symbols, atoms::SYSTEM)?;
                    let lower = |lowering: &mut Self| lowering.body(rest, system, depth);
                    lowering.made_up_of(&todo, lower)
                })?;
                add_goal(&mut goals, goal)?;
                break;
            }
            let goal = self.numbered(part, |lowering| lowering.goal(part, module, depth))?;
            let goal = match goals.last_mut() {
                Some(Goal::Collect(collection, Some(_), _, list, _)) => {
                    self.folding(collection, *list, goal)?
                }
                _ => goal,
            };
            add_goal(&mut goals, goal)?;
        }
        Ok(if goals.len() > 1 {
            Goal::And(goals)
        } else {
            goals.pop().unwrap_or(Goal::True)
        })
    }

    /// Returns whether `$` is the system's own goal in this module.
    fn is_guard(&mut self, module: Atom) -> Result<bool, Stop> {
        let functor = self.symbols.functor_passing(atoms::DOLLAR, 0)?;
        Ok(self.resolver.in_place(module, functor))
    }

    /// Returns the goals after `$` in a body, the last one first, with a check that they succeed and leave no
    /// choice point: `'$choice'(B), ( Goals *-> '$guarded'(B, PI) ; '$guard_failed'(PI) )` in module `system`.
    fn guarded(&mut self, rest: &[(Cell, Atom)]) -> Result<Cell, LowerError> {
        const WORDS: usize = 32;
        let words = WORDS + 6 * rest.len();
        self.store.reserve(words).map_err(|_| LowerError::Memory)?;
        let mut functor = |name, arity| {
            let name = self.symbols.intern(name)?;
            self.symbols.functor(name, arity)
        };
        let (slash, choice) = (functor("/", 2)?, functor("$choice", 1)?);
        let (guarded, failed) = (functor("$guarded", 2)?, functor("$guard_failed", 1)?);
        let indicator = match self.head {
            None => Cell::atom(atoms::DOLLAR),
            Some((module, functor)) => {
                let name = Cell::atom(self.symbols.name(functor));
                let parts = [name, Cell::int(functor.arity() as i64)];
                let plain = self.store.new_struct(slash, &parts);
                match module {
                    atoms::USER => plain,
                    _ => {
                        let parts = [Cell::atom(module), plain];
                        self.store.new_struct(functors::COLON, &parts)
                    }
                }
            }
        };
        let qualified = |store: &mut Store, &(goal, module): &(Cell, Atom)| {
            store.new_struct(functors::COLON, &[Cell::atom(module), goal])
        };
        let store = &mut *self.store;
        let mut goals = Cell::atom(atoms::TRUE);
        for (nth, part) in rest.iter().enumerate() {
            let goal = qualified(store, part);
            goals = match nth {
                0 => goal,
                _ => store.new_struct(functors::COMMA, &[goal, goals]),
            };
        }
        let before = store.new_var();
        let check = store.new_struct(guarded, &[before, indicator]);
        let failed = store.new_struct(failed, &[indicator]);
        let choice = store.new_struct(choice, &[before]);
        let goals = store.new_struct(functors::SOFT_ARROW, &[goals, check]);
        let goals = store.new_struct(functors::SEMICOLON, &[goals, failed]);
        Ok(store.new_struct(functors::COMMA, &[choice, goals]))
    }

    fn goal(&mut self, goal: Cell, module: Atom, depth: usize) -> Result<Goal, LowerError> {
        if goal.is_forward() || goal.is_var() {
            return self.call_term(goal, module);
        }
        if self.resolver.dialect(module) == Dialect::Lolli {
            return self.lolli_goal(goal, module, depth);
        }
        let goal = match self.store.view(goal) {
            View::Struct(functor, _) if functor.arity() == 0 => {
                self.zero_arity = true;
                Cell::atom(self.symbols.name(functor))
            }
            _ => goal,
        };
        let (functor, args) = match self.store.view(goal) {
            View::Atom(name) => match name {
                atoms::TRUE => return Ok(Goal::True),
                atoms::FAIL | atoms::FALSE => return Ok(Goal::Fail),
                atoms::CUT => return Ok(Goal::Cut),
                atoms::OTHERWISE | atoms::DOLLAR => {
                    let functor = self.symbols.functor_passing(name, 0)?;
                    if self.resolver.in_place(module, functor) {
                        return Ok(match name {
                            atoms::DOLLAR => Goal::Cut,
                            _ => Goal::True,
                        });
                    }
                    (functor, HeapAddr::NONE)
                }
                atoms::ERASE
                    if self
                        .resolver
                        .connective(module, self.symbols.functor_passing(name, 0)?) =>
                {
                    return Ok(self.system_builtin("$erase_context", &[])?);
                }
                _ => (self.symbols.functor_passing(name, 0)?, HeapAddr::NONE),
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
        if self.is_hidden(functor, module) {
            return self.call_term(goal, module);
        }
        // The goal of a module of Lolli is a goal of Lolli.
        if depth <= MAX_DEPTH
            && is_connective(functor)
            && functor != functors::MODULE_GOAL
            && self.resolver.connective(module, functor)
        {
            return self.linear(functor, args, module, depth + 1);
        }
        if depth <= MAX_DEPTH
            && let Some(goal) = self.in_place(functor, args, module, depth + 1)?
        {
            return Ok(goal);
        }
        self.plain(functor, args, module)
    }

    /// Returns whether the call must check at run time that the clause may call this predicate.
    pub(super) fn is_hidden(&self, functor: Functor, module: Atom) -> bool {
        let name = self.symbols.name(functor);
        let text = self.symbols.text(name);
        let own = text.starts_with('$') && text.len() > 1;
        (own || module != atoms::USER) && self.resolver.hides(module, functor, own)
    }

    /// Returns the goal for a control construct that is nested too deep to be compiled. Its cuts remain those
    /// of the clause.
    pub(super) fn deep_body(&mut self, goal: Cell, module: Atom) -> Result<Goal, LowerError> {
        let body = match self.store.body_parts(goal)? {
            BodyParts::Goals => goal,
            BodyParts::Variables | BodyParts::Marked => self
                .store
                .wrap_variables(goal)
                .map_err(|_| LowerError::Memory)?,
            BodyParts::NotCallable | BodyParts::Cyclic => return Err(LowerError::Body(goal)),
        };
        let term = self.term(body)?;
        let module = self.push(Term::Constant(Cell::atom(module)), Cell::ABSENT)?;
        let body = self.symbols.intern("$body")?;
        let body = self.symbols.functor(body, 3)?;
        Ok(match self.resolver.resolve(atoms::SYSTEM, body)? {
            Target::Predicate(predicate) => {
                Goal::Body(predicate, [term, module], self.numbers.present)
            }
            Target::Builtin(_) => Goal::Fail,
        })
    }

    /// Lowers a goal that is converted when it is called (7.6.2). The values of variables among its control
    /// constructs belong to the goal then, such as a cut or `->` on the left of `;`. If no such variable has
    /// occurred in the clause so far, all are unbound at that time, and conversion makes calls of them. The
    /// goal is then compiled as a body. The caller keeps its cuts local.
    pub(super) fn called(
        &mut self,
        goal: Cell,
        module: Atom,
        depth: usize,
    ) -> Result<Goal, LowerError> {
        match self.store.body_parts(goal)? {
            BodyParts::Goals | BodyParts::Variables => {
                let outer = std::mem::replace(&mut self.within_called, true);
                let goal = self.body(goal, module, depth);
                self.within_called = outer;
                goal
            }
            _ => self.numbered(goal, |lowering| lowering.call_term(goal, module)),
        }
    }

    /// Returns the call of a goal that is known only at run time.
    pub(super) fn call_term(&mut self, goal: Cell, module: Atom) -> Result<Goal, LowerError> {
        let mut term = self.term(goal)?;
        if self.resolver.dialect(module) == Dialect::Lolli {
            // Lolli's own goal: see `machine::lolli`.
            term = self.qualified_anew(term, module)?;
            term = self.qualified_anew(term, module)?;
        } else {
            term = self.in_module(term, module, self.resolver.wrap(module))?;
        }
        let args = self.arg_list(&[term])?;
        let target = match self.resolver.resolve(atoms::SYSTEM, functors::CALL1)? {
            Target::Predicate(predicate) => predicate,
            Target::Builtin(_) => return Ok(Goal::Fail),
        };
        Ok(Goal::Call(target, args, self.numbers.present))
    }

    pub(super) fn arg_list(&mut self, terms: &[TermId]) -> Result<Args, Stop> {
        let first = self.clause.args.len() as u32;
        self.clause.args.put_slice(terms)?;
        Ok(Args {
            first,
            count: terms.len() as u32,
        })
    }

    /// Returns an argument that is sensitive to the module, qualified with its module if required.
    fn in_module(&mut self, term: TermId, module: Atom, wrap: Wrap) -> Result<TermId, Stop> {
        let known = !matches!(self.clause.term(term), Term::Var(_));
        if wrap == Wrap::All || (wrap == Wrap::Known && known) {
            self.qualified(term, module)
        } else {
            Ok(term)
        }
    }

    /// Returns a goal argument, qualified with its module if required. Goals of clauses of the system may call
    /// internal predicates of the system.
    fn goal_in_module(&mut self, term: TermId, module: Atom, wrap: Wrap) -> Result<TermId, Stop> {
        if wrap != Wrap::Known {
            return self.in_module(term, module, wrap);
        }
        let inner = match self.clause.term(term) {
            Term::Struct {
                functor: functors::COLON,
                first,
            } => {
                let (name, goal) = (
                    self.clause.args[first as usize],
                    self.clause.args[first as usize + 1],
                );
                match self.clause.term(name) {
                    Term::Constant(name) if name.is_atom() => Some((name.as_atom(), goal)),
                    _ => None,
                }
            }
            _ => None,
        };
        let (home, goal) = inner.unwrap_or((module, term));
        let name = self.resolver.inner_name(self.symbols, home)?;
        match inner {
            Some(_) if name != home => self.qualified_anew(goal, name),
            _ => self.in_module(term, name, wrap),
        }
    }

    fn qualified(&mut self, term: TermId, module: Atom) -> Result<TermId, Stop> {
        if let Term::Struct {
            functor: functors::COLON,
            ..
        } = self.clause.term(term)
        {
            return Ok(term);
        }
        self.qualified_anew(term, module)
    }

    fn qualified_anew(&mut self, term: TermId, module: Atom) -> Result<TermId, Stop> {
        let name = self.push(Term::Constant(Cell::atom(module)), Cell::ABSENT)?;
        let args = self.arg_list(&[name, term])?;
        self.push(
            Term::Struct {
                functor: functors::COLON,
                first: args.first,
            },
            Cell::ABSENT,
        )
    }

    /// Lowers `;`, `->` and `*->`. The right sides of `;` are handled in a loop, so that long chains of alternatives are
    /// not deep.
    fn control(
        &mut self,
        functor: Functor,
        args: HeapAddr,
        module: Atom,
        depth: usize,
    ) -> Result<Goal, LowerError> {
        let (mut functor, mut args, mut module) = (functor, args, module);
        let mut chain = Chain::default();
        loop {
            // Alternating conditionals and other alternatives do make the tree deeper.
            let depth = depth + chain.groups.len();
            let (left, right) = (self.store.arg(args, 0), self.store.arg(args, 1));
            if functor != functors::SEMICOLON {
                let arm = self.arm(functor, args, module, depth)?;
                chain.arm(arm)?;
                return Ok(chain.finish(Goal::Fail)?);
            }
            match self.store.view(left) {
                View::Struct(inner @ (functors::ARROW | functors::SOFT_ARROW), parts) => {
                    self.numbers.pass();
                    let arm = self.arm(inner, parts, module, depth)?;
                    chain.arm(arm)?;
                }
                _ => {
                    let left = self.body(left, module, depth)?;
                    chain.alternative(left)?;
                }
            }
            let (rest, home) = self.strip(right, module)?;
            match self.store.view(rest) {
                View::Struct(
                    next @ (functors::SEMICOLON | functors::ARROW | functors::SOFT_ARROW),
                    parts,
                ) if depth <= MAX_DEPTH && self.resolver.dialect(home) == Dialect::Prolog => {
                    self.numbers.pass();
                    (functor, args, module) = (next, parts, home);
                }
                _ => {
                    let other = self.body(right, module, depth)?;
                    return Ok(chain.finish(other)?);
                }
            }
        }
    }

    /// Lowers a conditional without its alternative.
    fn arm(
        &mut self,
        functor: Functor,
        args: HeapAddr,
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

    /// Lowers a goal that has instructions of its own.
    fn in_place(
        &mut self,
        functor: Functor,
        args: HeapAddr,
        module: Atom,
        depth: usize,
    ) -> Result<Option<Goal>, LowerError> {
        let goals = match functor {
            functors::NOT
            | functors::NOT1
            | functors::CALL1
            | functors::ONCE1
            | functors::IGNORE1
            | functors::FORALL2
            | functors::FINDALL3
            | functors::COUNT_SOLUTIONS_IN_PLACE
            | functors::FOLD_IN_PLACE => goal_arguments(functor),
            _ => {
                return match self.constraint(functor, args, module)? {
                    None => self.simple(functor, args),
                    constraint => Ok(constraint),
                };
            }
        };
        for &index in goals {
            let goal = self.store.arg(args, index);
            let parts = self.store.body_parts(goal);
            if matches!(parts?, BodyParts::NotCallable | BodyParts::Cyclic) {
                return Ok(None);
            }
        }
        let arg = |lowering: &Self, index: usize| lowering.store.arg(args, index);
        Ok(match functor {
            functors::NOT1 if !self.resolver.in_place(module, functor) => None,
            functors::NOT | functors::NOT1 | functors::ONCE1 | functors::IGNORE1 => {
                let goal = self.called(arg(self, 0), module, depth)?;
                let (then, other) = match functor {
                    functors::ONCE1 => (Goal::True, Goal::Fail),
                    functors::IGNORE1 => (Goal::True, Goal::True),
                    _ => (Goal::Fail, Goal::True),
                };
                Some(conditional(goal, then, other)?)
            }
            functors::CALL1 => Some(match self.called(arg(self, 0), module, depth)? {
                goal @ Goal::Call(..) => goal,
                goal => Goal::Opaque(Box::new(goal)),
            }),
            functors::FORALL2 => {
                let condition = self.called(arg(self, 0), module, depth)?;
                // When the action is called, the bindings of the condition are known.
                let action = self.called(arg(self, 1), module, depth)?;
                // The cuts of the action are local because of the conditional around it. The cuts of the
                // condition are local, too.
                let not = conditional(action, Goal::Fail, Goal::True)?;
                let mut both = vec![Goal::Opaque(Box::new(condition))];
                add_goal(&mut both, not)?;
                Some(conditional(Goal::And(both), Goal::Fail, Goal::True)?)
            }
            functors::FINDALL3 => Some(self.findall(args, module, depth)?),
            functors::COUNT_SOLUTIONS_IN_PLACE => {
                let goal = self.called(arg(self, 0), module, depth)?;
                let result = self.term(arg(self, 1))?;
                let number = self.numbers.present;
                let count = Collection::of(Collected::Count);
                Some(Goal::Collect(count, None, Box::new(goal), result, number))
            }
            functors::FOLD_IN_PLACE => {
                let View::Atom(what) = self.store.view(arg(self, 0)) else {
                    return Ok(None);
                };
                match Collected::of_name(self.symbols.text(what)) {
                    Some(what) => Some(self.collect(what, args, module, depth)?),
                    None => None,
                }
            }
            _ => None,
        })
    }

    fn findall(&mut self, args: HeapAddr, module: Atom, depth: usize) -> Result<Goal, LowerError> {
        let known = self.clause.var_count;
        let find = self.collect(Collected::List, args, module, depth)?;
        let Goal::Collect(.., result, number) = find else {
            return Ok(find);
        };
        if matches!(self.clause.term(result), Term::Var(var) if var >= known) {
            return Ok(find);
        }
        let check = self.symbols.intern("$check_list_or_partial")?;
        let check = self.symbols.functor(check, 1)?;
        let args = self.arg_list(&[result])?;
        Ok(match self.resolver.resolve(atoms::SYSTEM, check)? {
            Target::Builtin(builtin) => Goal::And(vec![Goal::Builtin(builtin, args, number), find]),
            Target::Predicate(_) => find,
        })
    }

    /// Lowers a goal that collects instances. Its last three arguments are template, goal and result.
    fn collect(
        &mut self,
        what: Collected,
        args: HeapAddr,
        module: Atom,
        depth: usize,
    ) -> Result<Goal, LowerError> {
        let first = usize::from(what != Collected::List);
        // The goal comes before the other arguments, whose variables are not bound when it is called.
        let goal = self.called(self.store.arg(args, first + 1), module, depth)?;
        let template = self.term(self.store.arg(args, first))?;
        let result = self.term(self.store.arg(args, first + 2))?;
        let number = self.numbers.present;
        Ok(Goal::Collect(
            Collection::of(what),
            Some(template),
            Box::new(goal),
            result,
            number,
        ))
    }

    /// Lowers a constraint of library(clpfd) between two expressions.
    fn constraint(
        &mut self,
        functor: Functor,
        args: HeapAddr,
        module: Atom,
    ) -> Result<Option<Goal>, LowerError> {
        let Some(compare) = NumCompare::of_constraint(functor) else {
            return Ok(None);
        };
        let Some(builtin) = self.resolver.constraint(module, functor) else {
            return Ok(None);
        };
        let args = self.args(args, 2)?;
        let number = self.numbers.present;
        Ok(Some(Goal::Constraint(
            Relation::Constraint(compare),
            builtin,
            args,
            number,
        )))
    }

    /// Lowers a unification, a test, a comparison or an evaluation.
    pub(super) fn simple(
        &mut self,
        functor: Functor,
        args: HeapAddr,
    ) -> Result<Option<Goal>, LowerError> {
        let name = self.symbols.name(functor);
        if functor.arity() == 1 {
            let Some(test) = TypeTest::of_name(name) else {
                return Ok(None);
            };
            let (args, number) = (self.args(args, 1)?, self.numbers.present);
            return Ok(Some(Goal::Test(test, self.clause.arg(args, 0), number)));
        }
        if functor.arity() != 2 {
            return Ok(None);
        }
        /// The constructor of a goal from its two terms and its number.
        type Make = fn(TermId, TermId, GoalNumber) -> Goal;
        let make: Make = match name {
            atoms::EQUAL => Goal::Unify,
            atoms::NOT_EQUAL => Goal::NotUnifiable,
            atoms::IDENTICAL => |a, b, number| Goal::Identical(a, b, true, number),
            atoms::NOT_IDENTICAL => |a, b, number| Goal::Identical(a, b, false, number),
            atoms::TERM_LESS => |a, b, number| Goal::Order(a, b, 1, number),
            atoms::TERM_LESS_EQUAL => |a, b, number| Goal::Order(a, b, 3, number),
            atoms::TERM_GREATER => |a, b, number| Goal::Order(a, b, 4, number),
            atoms::TERM_GREATER_EQUAL => |a, b, number| Goal::Order(a, b, 6, number),
            atoms::IS => Goal::Is,
            _ => match NumCompare::of_comparison(functor) {
                None => return Ok(None),
                Some(compare) => {
                    let list = self.args(args, 2)?;
                    self.compounds = false;
                    let (a, b) = (self.clause.arg(list, 0), self.clause.arg(list, 1));
                    return Ok(Some(Goal::Compare(compare, a, b, self.numbers.present)));
                }
            },
        };
        let list = self.args(args, 2)?;
        if matches!(
            name,
            atoms::EQUAL | atoms::IDENTICAL | atoms::NOT_EQUAL | atoms::NOT_IDENTICAL
        ) {
            self.pool_args(list, 1, LITERAL_WORDS)?;
        }
        self.compounds = false;
        let (a, b) = (self.clause.arg(list, 0), self.clause.arg(list, 1));
        if self.checks_occurs {
            match name {
                atoms::EQUAL => return Ok(Some(self.checked(a, b)?)),
                atoms::NOT_EQUAL => {
                    let unify = self.checked(a, b)?;
                    return Ok(Some(conditional(unify, Goal::Fail, Goal::True)?));
                }
                _ => {}
            }
        }
        let number = self.numbers.present;
        Ok(Some(make(a, b, number)))
    }

    /// Returns a call of a predicate or builtin.
    pub(super) fn plain(
        &mut self,
        functor: Functor,
        addr: HeapAddr,
        module: Atom,
    ) -> Result<Goal, LowerError> {
        let arity = functor.arity();
        if arity >= crate::code::instruction::REGISTERS {
            return Err(LowerError::Arity);
        }
        let assigning = [
            functors::SETARG3,
            functors::NB_SETARG3,
            functors::NB_LINKARG3,
        ];
        self.assigns |= assigning.contains(&functor);
        let args = if arity == 0 {
            self.arg_list(&[])?
        } else {
            self.args(addr, arity)?
        };
        self.pool_args(args, 1, LITERAL_WORDS)?;
        let wrap = self.resolver.wrap(module);
        if wrap != Wrap::Nothing
            && let Some(sensitive) = self.resolver.sensitive(module, functor)
        {
            for (index, &sensitive) in sensitive?.iter().enumerate().take(arity) {
                let term = self.clause.arg(args, index);
                self.clause.args[args.first as usize + index] = match sensitive {
                    Sensitive::No => term,
                    Sensitive::ToModule => self.in_module(term, module, wrap)?,
                    Sensitive::Goal => self.goal_in_module(term, module, wrap)?,
                };
            }
        }
        let number = self.numbers.present;
        Ok(match self.resolver.resolve(module, functor)? {
            Target::Builtin(builtin) => Goal::Builtin(builtin, args, number),
            Target::Predicate(predicate) => Goal::Call(predicate, args, number),
        })
    }
}
