//! Builtins for assumptions: the beginnings and ends of the connectives of linear logic.

use crate::base::atom_table::{Atom, FastMap, Functor, atoms, functors};
use crate::base::growth::{Gather, Grow, room_for_one, with_room};
use crate::base::stop::Stop;
use crate::front::closure::free_variables;
use crate::front::formula::{AssumedClause, FormulaError, binders, clauses_of};
use crate::ir::manner::Manner;
use crate::machine::builtin::{Step, builtins};
use crate::machine::contexts::assumption::Assumed;
use crate::machine::contexts::slots::Declared;
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::program::predicate::PredId;
use crate::store::cell::Cell;
use crate::store::heap::View;
use crate::store::stored::Attrs;
use std::ops::RangeInclusive;

use crate::builtins::database::clauses::{is_connective, modify_error};

/// Number of parts of a formula after which it is checked for cycles.
const CYCLE_CHECK: usize = 1 << 12;
/// Greatest number of words of each part of an assumed clause, besides its terms.
const CLAUSE_WORDS: usize = 32;

/// Manner in which declarations of files are assumed.
const DECLARED: Manner = Manner {
    linear: true,
    own: false,
};

/// Assumes a formula that belongs to module `home`.
fn assume(m: &mut Machine, manner: Manner, home: Atom, formula: Cell) -> Result<(), Throw> {
    let whole = formula;
    let mut parts = 0usize;
    let mut todo = vec![(formula, home, manner.linear)];
    while let Some((formula, module, linear)) = todo.pop() {
        parts += 1;
        m.store.events.watch.go_on_at(parts)?;
        if parts == CYCLE_CHECK && !m.store.acyclic_term(whole)? {
            return Err(m.type_error(atoms::ACYCLIC, whole));
        }
        let (formula, module) = m.strip_module(formula, module);
        match m.store.view(formula) {
            // The last part of a tensor is assumed first, so that the search finds the first part first.
            View::Struct(functors::COMMA, args) if linear => {
                todo.put((m.store.arg(args, 0), module, true))?;
                todo.put((m.store.arg(args, 1), module, true))?;
            }
            View::Struct(functors::CURLY1, args) if linear => {
                todo.put((m.store.arg(args, 0), module, false))?;
            }
            View::Atom(atoms::TRUE) if linear => {}
            _ => {
                let clauses = clauses_of(&mut m.store, formula).map_err(|error| match error {
                    FormulaError::Flexible
                    | FormulaError::Connective(_)
                    | FormulaError::Head(_)
                        if module == atoms::LOLLI =>
                    {
                        super::lolli::not_assumed(m, formula, linear)
                    }
                    error => formula_error(m, error, linear).unwrap_or_else(Throw::from),
                })?;
                let own = manner.own && module == home;
                assume_clauses(m, Manner { linear, own }, module, clauses)?;
            }
        }
    }
    Ok(())
}

/// Assumes a formula of Lolli.
pub(crate) fn assume_lolli(m: &mut Machine, linear: bool, formula: Cell) -> Result<(), Throw> {
    assume(m, Manner { linear, own: false }, atoms::LOLLI, formula)
}

/// Assumes the clauses of one formula. They are alternatives: one use consumes all of them. The last is assumed
/// first, so that the search finds the first one first.
fn assume_clauses(
    m: &mut Machine,
    Manner { linear, own }: Manner,
    module: Atom,
    clauses: Vec<AssumedClause>,
) -> Result<(), Throw> {
    let mut group = None;
    let alternatives = clauses.len() > 1;
    for clause in clauses.into_iter().rev() {
        // Room for the clause as a term, and for its record.
        m.store
            .reserve(CLAUSE_WORDS * (clause.bodies.len() + 1) + clause.variables.len())?;
        let (mut head, home) = m.strip_module(clause.head, module);
        if home == atoms::LOLLI {
            head = super::lolli::head(m, head)?;
        }
        let functor = match m.store.view(head) {
            View::Atom(name) => m.world.symbols.functor_passing(name, 0)?,
            View::List(_) => functors::LIST,
            View::Struct(functor, _) => functor,
            View::Var(_) => return Err(m.instantiation_error()),
            _ => return Err(m.type_error(atoms::CALLABLE, head)),
        };
        let predicate = m.intern_predicate(home, functor)?;
        if home != atoms::LOLLI && m.is_shut(home, functor)? {
            return Err(modify_error(m, functor));
        }
        let own = own && home == module;
        m.check_assuming(predicate, own)?;
        let manner = Manner { linear, own };
        let first = m.store.compound(head).map(|(_, args)| m.store.arg(args, 0));
        let slot = m.assumable(predicate)?;
        let assumed = if clause.bodies.is_empty() && clause.variables.is_empty() {
            Assumed::Fact(head)
        } else {
            let body = conjunction(m, &clause.bodies);
            let variables = variables_term(m, &clause.variables)?;
            let term = m
                .store
                .new_struct(functors::ASSUMED_CLAUSE, &[head, body, variables]);
            Assumed::Clause(term, Cell::atom(module))
        };
        if alternatives {
            group = Some(m.assume_with(slot, manner, first, assumed, group)?);
        } else {
            m.assume(slot, manner, first, assumed)?;
        }
    }
    Ok(())
}

/// Declares a formula, with or without module, that every query assumes at its beginning.
pub(crate) fn declare_linear(
    m: &mut Machine,
    formula: Cell,
    (file, line): (u32, u32),
) -> Result<(), Throw> {
    let (formula, module) = m.strip_module(formula, atoms::USER);
    let stored = m.store.keep_term(formula, Attrs::Drop)?;
    // A formula that cannot be assumed is refused here, not in every query. The rest of this query has it too.
    room_for_one(&mut m.run.contexts.declared)?;
    assume(m, DECLARED, module, formula)?;
    m.run.contexts.note_declared(file, line)?;
    m.run.contexts.declared.put(Declared {
        file,
        line,
        module,
        formula: stored.into(),
        replaced_by: None,
    })?;
    Ok(())
}

/// Assumes the declarations of files, the last one first. The machine calls this as a hook.
pub(crate) fn assume_declared(m: &mut Machine) -> Result<(), Throw> {
    for index in (0..m.run.contexts.declared.len()).rev() {
        let Declared {
            module,
            file,
            line,
            ref formula,
            replaced_by: None,
        } = m.run.contexts.declared[index]
        else {
            continue;
        };
        let formula = m.store.load_term(formula)?;
        assume(m, DECLARED, module, formula)?;
        m.run.contexts.note_declared(file, line)?;
    }
    Ok(())
}

/// Joins the bodies of a clause to one goal.
pub(crate) fn conjunction(m: &mut Machine, bodies: &[(Cell, bool)]) -> Cell {
    let mut whole = None;
    for &(body, banged) in bodies.iter().rev() {
        let goal = if banged {
            m.store.new_struct(functors::CURLY1, &[body])
        } else {
            body
        };
        whole = Some(match whole {
            None => goal,
            Some(rest) => m.store.new_struct(functors::COMMA, &[goal, rest]),
        });
    }
    whole.unwrap_or(Cell::atom(atoms::TRUE))
}

/// Builds one term of variables.
pub(crate) fn variables_term(m: &mut Machine, variables: &[Cell]) -> Result<Cell, Throw> {
    if variables.is_empty() {
        return Ok(Cell::atom(atoms::VARS));
    }
    m.store.reserve(variables.len() + 1)?;
    let functor = m
        .world
        .symbols
        .functor_passing(atoms::VARS, variables.len())?;
    Ok(m.store.new_struct(functor, variables))
}

fn formula_error(m: &mut Machine, error: FormulaError, linear: bool) -> Result<Throw, Stop> {
    match error {
        FormulaError::Flexible => Ok(m.instantiation_error()),
        FormulaError::Connective(culprit) => {
            let domain = if linear {
                "bounded_formula"
            } else {
                "unbounded_formula"
            };
            Ok(m.domain_error(domain, culprit))
        }
        FormulaError::Head(culprit) => Ok(m.type_error(atoms::CALLABLE, culprit)),
        FormulaError::Cyclic(culprit) => Ok(m.type_error(atoms::ACYCLIC, culprit)),
        FormulaError::Memory => Ok(m.no_room()),
    }
}

/// Quantified goal: the bound names, the body, and the module of the body.
struct Opened {
    names: Vec<Cell>,
    /// Implications above the body: each has its functor, its formula, and the number of names that are bound
    /// outside it. Wamlet proves nothing between the quantifiers outside and inside an implication.
    implications: Vec<(Functor, Cell, usize)>,
    body: Cell,
    module: Atom,
}

/// Returns whether goals of the module with this implication may be opened in advance.
fn is_implication(m: &Machine, functor: Functor, module: Atom) -> bool {
    match functor {
        functors::LOLLIPOP | functors::IMPLIES => {
            is_connective(&m.world.predicates, module, functor)
        }
        functors::LOLLIPOP_PROLOG | functors::LOLLIPOP_SIGN if module != atoms::LOLLI => {
            is_connective(&m.world.predicates, module, functor)
        }
        _ => false,
    }
}

impl Opened {
    /// Opens the goal under a quantifier of this functor.
    fn new(m: &mut Machine, quantified: Cell, quantifier: Functor) -> Result<Opened, Throw> {
        let (plain, module) = m.strip_module(quantified, atoms::USER);
        m.store.reserve(2)?;
        let whole = m.store.new_struct(quantifier, &[plain]);
        let (names, body) = binders(&m.store, whole, quantifier)?;
        if names.is_empty() {
            return Err(m.type_or_instantiation_error("quantified", plain));
        }
        let mut opened = Opened {
            names,
            implications: Vec::new(),
            body,
            module,
        };
        if quantifier == functors::FORALL1 {
            opened.open_further(m, plain)?;
        }
        Ok(opened)
    }

    /// Opens further universal quantifiers, if only implications and universal quantifiers surround them. Opening
    /// each one separately would copy its whole body.
    fn open_further(&mut self, m: &Machine, whole: Cell) -> Result<(), Stop> {
        let may_bind =
            |names: &[Cell]| self.module == atoms::LOLLI || names.iter().all(|name| name.is_var());
        if !may_bind(&self.names)
            || !is_connective(&m.world.predicates, self.module, functors::FORALL1)
        {
            return Ok(());
        }
        let (mut names, mut implications, mut body) = (self.names.clone(), Vec::new(), self.body);
        let (mut innermost, mut known) = (body, 0);
        let mut examined = false;
        loop {
            let goal = m.store.deref(body);
            if !examined && names.len() + implications.len() >= CYCLE_CHECK {
                examined = true;
                if !m.store.acyclic_term(whole)? {
                    return Ok(());
                }
            }
            match m.store.view(goal) {
                View::Struct(functors::FORALL1, _) => {
                    let (inner, rest) = binders(&m.store, goal, functors::FORALL1)?;
                    if inner.is_empty() || !may_bind(&inner) {
                        break;
                    }
                    names.put_all(inner)?;
                    (innermost, known) = (rest, implications.len());
                    body = rest;
                }
                View::Struct(functor, args) if is_implication(m, functor, self.module) => {
                    implications.put((functor, m.store.arg(args, 0), names.len()))?;
                    body = m.store.arg(args, 1);
                }
                _ => break,
            }
        }
        implications.truncate(known);
        (self.names, self.implications, self.body) = (names, implications, innermost);
        Ok(())
    }

    /// Returns the goal with these values for the names, without its module.
    fn goal(&self, m: &mut Machine, values: &[Cell]) -> Result<Cell, Throw> {
        match self.replaced(m, values) {
            // The goal may be cyclic.
            Err(_) if !m.store.acyclic_term(self.body)? => {
                Err(m.type_error(atoms::ACYCLIC, self.body))
            }
            replaced => replaced,
        }
    }

    fn replaced(&self, m: &mut Machine, values: &[Cell]) -> Result<Cell, Throw> {
        let plain = m.store.deref(self.body);
        let (mut to, mut bound) = (FastMap::default(), 0);
        let mut formulas = with_room(self.implications.len())?;
        let mut all = self
            .names
            .iter()
            .zip(values)
            .map(|(name, &value)| (name.word(), value));
        for &(_, formula, count) in &self.implications {
            to.put_all(all.by_ref().take(count - bound))?;
            bound = count;
            formulas.put(m.store.replace_bound(formula, &to)?)?;
        }
        to.put_all(all)?;
        let mut body = m.store.replace_bound(self.body, &to)?;
        m.store.reserve(3 * formulas.len())?;
        for (&(functor, ..), &formula) in self.implications.iter().zip(&formulas).rev() {
            body = m.store.new_struct(functor, &[formula, body]);
        }
        if body == plain
            && self.module != atoms::LOLLI
            && let Some(&name) = self.names.iter().find(|name| !name.is_var())
        {
            // A quantifier in Prolog text binds only variables.
            return Err(m.type_error("variable", name));
        }
        Ok(body)
    }

    /// Returns the terms that must not contain the constants for which `goal` is proved: a list of its free
    /// variables. Returns an empty list for Lolli, whose goals respect scopes themselves.
    fn outer(&self, m: &mut Machine, goal: Cell) -> Result<Cell, Throw> {
        if self.module == atoms::LOLLI {
            return Ok(Cell::atom(atoms::NIL));
        }
        let free = match free_variables(&m.store, goal)? {
            Some(free) => free,
            None => m.store.variables_of(goal)?,
        };
        Ok(m.store.list_of(&free)?)
    }

    /// Returns the goal with its module.
    fn qualified(&self, m: &mut Machine, goal: Cell) -> Result<Cell, Throw> {
        m.store.reserve(4)?;
        let module = Cell::atom(self.module);
        Ok(m.store.new_struct(functors::COLON, &[module, goal]))
    }
}

/// Returns whether none of these eigenvariables occurs in the values of the variables of `outer`. These variables
/// are the arguments of a term or the elements of a list.
fn keeps_out(m: &mut Machine, numbers: RangeInclusive<i64>, outer: Cell) -> Result<bool, Stop> {
    let Some(held) = m.store.eigenvariable_in(outer, &numbers)? else {
        return Ok(true);
    };
    let mut rest = outer;
    while let Some((functor, args)) = m.store.compound(rest) {
        let list = functor == functors::LIST;
        let count = if list { 1 } else { functor.arity() };
        for index in 0..count {
            let value = m.store.arg(args, index);
            if let Some(held) = m.store.eigenvariable_in(value, &numbers)? {
                m.store.record_refusal(held, value)?;
                return Ok(false);
            }
        }
        if !list {
            break;
        }
        rest = m.store.arg(args, 1);
    }
    m.store.record_refusal(held, outer)?;
    Ok(false)
}

builtins! { CONTEXTS =
    /// Succeeds if the eigenvariable does not occur in `Term`.
    iso "$eigenvariable_free"("+eigenvariable", "?term") = |m, [eigenvariable, term]| {
        let Some((_, parts)) = m.store.compound(eigenvariable) else {
            return Ok(true);
        };
        let number = m.store.arg(parts, 1).int_value();
        Ok(keeps_out(m, number..=number, term)?)
    };

    /// Succeeds if no eigenvariable of the numbers from `First` to `Last` occurs in `Term`.
    iso "$eigenvariables_free"("+integer", "+integer", "?term") = |m, [first, last, term]| {
        let numbers = first.int_value()..=last.int_value();
        Ok(keeps_out(m, numbers, term)?)
    };

    /// Succeeds if `Term` may be the value of a variable that may contain eigenvariables up to number `Limit`.
    iso "$keep_scope"("+integer", "?term") = |m, [limit, term]| {
        Ok(m.store.keep_scope(limit.int_value(), term)?)
    };

    /// Leaves a choice point and returns it as `Mark`, for `'$scopes_kept'/3`.
    iso nondet "$scope_mark"("-barrier") = |m, [mark], state| {
        if state.is_some() {
            return Ok(Step::Fail);
        }
        let here = m.choice_cell(m.choice);
        Ok(if m.unify(mark, here)? { Step::More(0) } else { Step::Fail })
    };

    /// Succeeds if the values of the variables bound since `Mark` respect the scopes of these variables. From now
    /// on, variables in these values have the same scopes. `Last` is 1 if no choice point is newer than `Mark`,
    /// else 0. `Goal` is the goal that may have bound the variables. It keeps them alive, because a collection
    /// removes bindings of unreachable variables from the trail.
    iso "$scopes_kept"("+barrier", "@callable", "-integer") = |m, [mark, _goal, last]| {
        let newest = m.checked_choice(mark) == m.choice;
        Ok(m.bindings_keep_scopes(mark)? && m.unify(last, Cell::int(i64::from(newest)))?)
    };

    /// Assumes the declarations of files if there is no assumption yet, for goals that loading runs.
    iso "$assume_declared"() = always |m, []| {
        if !m.run.contexts.declared.is_empty() && m.run.contexts.is_new() {
            assume_declared(m)?;
        }
    };

    /// Assumes the fact `Fact` of the assumable predicate number `Slot`. The second argument is the number of the
    /// manner.
    internal "$assume_fact"("+integer", "+integer", "+callable") = always |m, [slot, manner, fact]| {
        let slot = m.size_arg(slot)? as u32;
        let first = m.store.compound(fact).map(|(_, args)| m.store.arg(args, 0));
        m.assume(slot, Manner::of(manner.int_value()), first, Assumed::Fact(fact))?;
    };

    /// Assumes the compiled clauses of a predicate, given by its number. `Captured` has the further arguments of
    /// the predicate; `First` is the first argument of the heads.
    internal "$assume_closure"("+integer", "+integer", "+integer", "?term", "+term") =
        |m, [slot, manner, predicate, first, captured]| {
            let slot = m.size_arg(slot)? as u32;
            let assumed = Assumed::Closure(PredId(m.size_arg(predicate)? as u32), captured);
            m.assume(slot, Manner::of(manner.int_value()), Some(first), assumed)?;
            Ok(true)
        };

    /// Assumes the formula `Formula`, which belongs to `Module`, in the manner with this number.
    iso "$assume"("+integer", "+atom", "+callable") = always |m, [manner, module, formula]| {
        let module = m.atom_arg(module)?;
        assume(m, Manner::of(manner.int_value()), module, formula)?;
    };

    /// Ends the scope of the assumptions made since `Base`. Fails if an assumption is left that must be used.
    internal "$end_scope"("+integer") does EndScope = |m, [base]| {
        Ok(m.end_scope(base)?)
    };

    /// Ends a goal under `{}`.
    internal "$end_bang"("+integer", "+integer") does EndBang = always |m, [levels, watermark]| m.end_bang(levels, watermark);

    /// Begins the first of two goals that consume the same resources.
    internal "$begin_with"("-term") does BeginWith = |m, [state]| {
        let begin = m.begin_with();
        Ok(m.unify(state, begin)?)
    };

    /// Begins the second of two goals that consume the same resources.
    internal "$middle_with"("+term", "-term") does MiddleWith = |m, [state, middle]| {
        match m.middle_with(state)? {
            Some(found) => Ok(m.unify(middle, found)?),
            None => Err(m.resource_error(atoms::MEMORY)),
        }
    };

    /// Ends the second of two goals that consume the same resources. Fails if it has not consumed the resources of
    /// the first goal.
    internal "$end_with"("+term", "+term") does EndWith = |m, [state, middle]| {
        Ok(m.end_with(state, middle)?)
    };

    /// Allows all present assumptions to stay unused.
    iso "$erase_context"() = always |m, []| m.erase_context();

    /// Succeeds if no assumption is left that must be used.
    iso "$all_used"() does AllUsed = |m, []| {
        Ok(m.all_used())
    };

    /// Opens a universal quantifier. `Quantified` is `Name\\ Body`, with or without module. `Goal` is the body,
    /// with new constants for the names of this quantifier and of those directly inside it. The constants are
    /// eigenvariables of the numbers from `First` to `Last`. `Outer` is the list of terms that must not contain
    /// them in the end.
    iso "$open_universal"(":binder", "-integer", "-integer", "-list", "-callable") =
        |m, [quantified, first, last, outer, goal]| {
            let opened = Opened::new(m, quantified, functors::FORALL1)?;
            let mut constants = Vec::with_capacity(opened.names.len());
            for &name in &opened.names {
                let label = match m.store.view(name) {
                    View::Atom(_) => name,
                    _ => Cell::atom(atoms::FORALL),
                };
                m.store.reserve(8)?;
                constants.put(m.new_eigenvariable(label)?)?;
            }
            let end = m.run.contexts.eigenvariables();
            let body = opened.goal(m, &constants)?;
            let free = opened.outer(m, body)?;
            let body = opened.qualified(m, body)?;
            let begin = Cell::int(end + 1 - constants.len() as i64);
            Ok(m.unify(first, begin)?
                && m.unify(last, Cell::int(end))?
                && m.unify(outer, free)?
                && m.unify(goal, body)?)
        };

    /// Opens an existential quantifier. `Quantified` is `Name\\ Body`, with or without module. `Goal` is the body,
    /// with new variables for the names of this quantifier and of those directly inside it.
    iso "$open_existential"(":binder", "-callable") = |m, [quantified, goal]| {
        let opened = Opened::new(m, quantified, functors::EXISTS1)?;
        m.store.reserve(opened.names.len())?;
        let variables: Vec<Cell> = opened.names.iter().map(|_| m.store.new_var()).gather()?;
        let body = opened.goal(m, &variables)?;
        let body = opened.qualified(m, body)?;
        Ok(m.unify(goal, body)?)
    };

    /// Succeeds. The call makes sure that the variables of `Term` exist.
    iso "$existing"("?term") = |_m, [_term]| Ok(true);

    /// Makes a new constant `Variable` for a quantifier over `Name`, younger than the variables of `Older`.
    iso "$eigenvariable"("+atom", "-term", "?term") = |m, [name, variable, _older]| {
        let constant = m.new_eigenvariable(name);
        Ok(m.unify(variable, constant?)?)
    };
}
