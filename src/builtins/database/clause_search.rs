//! Search for clauses that unify with a pattern, for `clause/2`, `retract/1` and similar builtins.
//!
//! An enumeration of clauses turns its choice point into that of a dynamic predicate. The last three registers hold
//! predicate, position and generation. So all code that must know the clauses still to visit recognizes the
//! enumeration.

use super::clauses::source_terms;
use crate::base::atom_table::{Atom, Functor, atoms, functors};
use crate::base::growth::Grow;
use crate::machine::builtin::Step;
use crate::machine::control::throw::Throw;
use crate::machine::frames::layout::{ChoiceKind, cp, native_meta};
use crate::machine::state::Machine;
use crate::program::clauses::clause_list::{CallKeys, Selection};
use crate::program::clauses::generation::Generation;
use crate::program::predicate::PredId;
use crate::store::address::{HeapAddr, TrailAddr};
use crate::store::cell::{Cell, WORD};
use crate::store::heap::{View, deref};
use crate::store::raw;

// ---- arguments --------------------------------------------------------------------------------

/// Clause given as an argument.
pub(in crate::builtins) struct Pattern {
    /// Module of the clause.
    pub(in crate::builtins) module: Atom,
    /// Functor of the head.
    pub(in crate::builtins) functor: Functor,
    /// Head.
    pub(in crate::builtins) head: Cell,
    /// Body; `None` matches any body.
    pub(in crate::builtins) body: Option<Cell>,
    /// Address of the arguments of the head.
    pub(in crate::builtins) args: HeapAddr,
}

impl Pattern {
    /// Returns the keys of the first arguments of the head.
    fn keys(&self, m: &Machine) -> CallKeys {
        let arity = match m.world.indexing {
            true => self.functor.arity(),
            false => 0,
        };
        CallKeys::new(arity, self.args).whole(m.is_searched_in_parts())
    }
}

/// Checks a term after its modules were stripped. If it is still a colon term, its module is invalid.
pub(in crate::builtins) fn check_module(m: &mut Machine, term: Cell) -> Result<(), Throw> {
    match m.store.view(term) {
        View::Struct(functors::COLON, args) => {
            let module = m.store.arg(args, 0);
            if module.is_atom() {
                // The term consists of modules without end.
                return Err(m.type_error(atoms::ACYCLIC, term));
            }
            Err(m.type_or_instantiation_error(atoms::MODULE, module))
        }
        _ => Ok(()),
    }
}

/// Returns the pattern of clauses with this head and body.
pub(in crate::builtins) fn pattern(
    m: &mut Machine,
    head: Cell,
    module: Atom,
    body: Option<Cell>,
) -> Result<Pattern, Throw> {
    let (head, module) = m.strip_module(head, module);
    check_module(m, head)?;
    let (functor, args) = match m.store.view(head) {
        View::Atom(name) => (m.world.symbols.functor_passing(name, 0)?, HeapAddr::NONE),
        View::List(args) => (functors::LIST, args),
        View::Struct(functor, _) if functor.arity() == 0 => {
            let head = Cell::atom(m.world.symbols.name(functor));
            return pattern(m, head, module, body);
        }
        View::Struct(functor, args) => (functor, args),
        View::Var(_) => return Err(m.instantiation_error()),
        _ => return Err(m.type_error(atoms::CALLABLE, head)),
    };
    Ok(Pattern {
        module,
        functor,
        head,
        body,
        args,
    })
}

/// Returns the pattern of a clause `Head :- Body` or `Head`.
pub(in crate::builtins) fn clause_pattern(m: &mut Machine, clause: Cell) -> Result<Pattern, Throw> {
    let (clause, module) = m.in_module(clause);
    match m.store.view(clause) {
        View::Struct(functors::NECK, args) => {
            let (head, body) = (m.store.arg(args, 0), m.store.arg(args, 1));
            pattern(m, head, module, Some(body))
        }
        _ => pattern(m, clause, module, Some(Cell::atom(atoms::TRUE))),
    }
}

// ---- enumeration ------------------------------------------------------------------------------

/// Enumeration of the clauses of a predicate.
pub(in crate::builtins) struct Enumeration {
    /// Predicate.
    pub(in crate::builtins) id: PredId,
    /// Next clause to try, if there is one.
    pub(in crate::builtins) next: Option<i64>,
    generation: Generation,
    /// Clauses to search, once they are known. No clause is added while a builtin runs.
    selection: Option<Selection>,
}

impl Enumeration {
    /// Begins with the first clause that may match. Removes dead clauses first: this enumeration does not need them
    /// yet, and it may end in a cut.
    pub(in crate::builtins) fn begin(
        m: &mut Machine,
        id: PredId,
        pattern: &Pattern,
    ) -> Result<Enumeration, Throw> {
        m.remove_dead(id)?;
        let generation = m.world.predicates.generation;
        let mut enumeration = Enumeration {
            id,
            next: None,
            generation,
            selection: None,
        };
        let start = m.world.predicates.get(id).clauses.start();
        enumeration.find(m, pattern, start)?;
        Ok(enumeration)
    }

    /// Finds the next clause that may match, from a position on.
    pub(in crate::builtins) fn find(
        &mut self,
        m: &mut Machine,
        pattern: &Pattern,
        from: i64,
    ) -> Result<(), Throw> {
        let keys = &pattern.keys(m);
        let mut from = from;
        loop {
            let clauses = &mut m.world.predicates.get_mut(self.id).clauses;
            let selection = *self.selection.get_or_insert_with(|| clauses.select(keys));
            self.next = clauses.next(selection, keys, from, self.generation);
            match self.next {
                Some(position) if !may_match(m, pattern, self.id, position)? => from = position + 1,
                _ => return Ok(()),
            }
        }
    }

    /// Returns the enumeration stored in the newest choice point, which belongs to a builtin of this arity.
    pub(in crate::builtins) fn resume(m: &Machine, arity: usize) -> Enumeration {
        let arg = |index: usize| m.choice_arg(m.choice, arity + index).int_value();
        Enumeration {
            id: PredId(arg(0) as u32),
            next: Some(arg(1)),
            generation: arg(2) as Generation,
            selection: None,
        }
    }

    /// Stores the enumeration in the newest choice point, which belongs to a builtin of this arity. Returns the
    /// result for the builtin.
    pub(in crate::builtins) fn suspend(&self, m: &mut Machine, arity: usize) -> Step {
        let b = m.choice;
        let Some(next) = self.next else {
            b.set(cp::META, native_meta(arity + 1));
            return Step::Last;
        };
        let id = i64::from(self.id.0);
        for (index, value) in [id, next, self.generation as i64].into_iter().enumerate() {
            let at = b + cp::ARGS + (arity + index) as u64 * WORD;
            raw::set_cell(at, Cell::int(value));
        }
        b.set(cp::META, ChoiceKind::Dynamic.meta(arity + 3));
        Step::More(id)
    }

    /// Unifies the pattern with the next clause that matches, and returns the position of the clause.
    pub(in crate::builtins) fn advance(
        &mut self,
        m: &mut Machine,
        pattern: &Pattern,
    ) -> Result<Option<i64>, Throw> {
        while let Some(position) = self.next {
            self.find(m, pattern, position + 1)?;
            if unify_clause(m, pattern, self.id, position)? {
                return Ok(Some(position));
            }
        }
        Ok(None)
    }
}

/// Returns whether a pattern may match a clause with a fitting head. The test saves choice points. If the body is
/// given, unifying it is worth its cost.
fn may_match(m: &mut Machine, pattern: &Pattern, id: PredId, position: i64) -> Result<bool, Throw> {
    let Some(clause) = m.world.predicates.get(id).clauses.get(position) else {
        return Ok(false);
    };
    let body = match pattern.body.map(deref) {
        Some(body) if !body.is_var() => body,
        _ => return Ok(true),
    };
    if clause.is_fact() || body == Cell::atom(atoms::TRUE) {
        return Ok(clause.is_fact() == (body == Cell::atom(atoms::TRUE)));
    }
    let before = Undo::new(m);
    let matches = unify_clause(m, pattern, id, position)?;
    before.undo(m);
    Ok(matches)
}

/// Saved state for undoing unifications. The newest choice point must belong to the builtin, and variables that may
/// be bound must be older. Only then is every binding trailed.
pub(in crate::builtins) struct Undo {
    heap: HeapAddr,
    trail: TrailAddr,
    wakeups: Cell,
    pending: bool,
}

impl Undo {
    /// Saves the present state.
    pub(in crate::builtins) fn new(m: &Machine) -> Undo {
        Undo {
            heap: m.store.heap_top,
            trail: m.store.trail_top,
            wakeups: m.store.wakeups,
            pending: m.store.wake_pending,
        }
    }

    /// Restores the saved state.
    pub(in crate::builtins) fn undo(&self, m: &mut Machine) {
        m.store.undo_to(self.trail);
        m.store.heap_top = self.heap;
        m.store.wakeups = self.wakeups;
        m.store.wake_pending = self.pending;
    }
}

/// Unifies a pattern with a clause. Undoes all bindings if they do not unify.
pub(in crate::builtins) fn unify_clause(
    m: &mut Machine,
    pattern: &Pattern,
    id: PredId,
    position: i64,
) -> Result<bool, Throw> {
    let before = Undo::new(m);
    if let Some((head, body)) = source_terms(m, id, position)?
        && m.unify(pattern.head, head)?
    {
        let Some(wanted) = pattern.body else {
            return Ok(true);
        };
        let body = callable_body(m, body)?;
        if m.unify(wanted, body)? {
            return Ok(true);
        }
    }
    before.undo(m);
    Ok(false)
}

fn is_control(functor: Functor) -> bool {
    matches!(
        functor,
        functors::COMMA | functors::SEMICOLON | functors::ARROW | functors::SOFT_ARROW
    )
}

/// Returns the body of a clause with `call(G)` for each goal `G` that is a variable (ISO 7.6.2).
pub(in crate::builtins) fn callable_body(m: &mut Machine, body: Cell) -> Result<Cell, Throw> {
    let mut todo = vec![body];
    let mut nodes = Vec::new();
    let mut variables = false;
    while let Some(goal) = todo.pop() {
        m.store.events.watch.go_on_at(nodes.len() + 1)?;
        match m.store.view(goal) {
            View::Var(_) => variables = true,
            View::Struct(functor, args) if is_control(functor) => {
                nodes.put((functor, args))?;
                todo.put(m.store.arg(args, 0))?;
                todo.put(m.store.arg(args, 1))?;
            }
            _ => {}
        }
    }
    if !variables {
        return Ok(body);
    }
    // The nodes were visited parents first, right before left. In reverse order, the parts of a node are built
    // before the node.
    m.store.reserve(nodes.len() * 8 + 8)?;
    let mut made: Vec<Cell> = Vec::new();
    let called = |m: &mut Machine, goal: Cell| {
        let goal = deref(goal);
        if goal.is_var() {
            m.store.new_struct(functors::CALL1, &[goal])
        } else {
            goal
        }
    };
    let nested = |m: &Machine, goal: Cell| matches!(m.store.view(goal), View::Struct(functor, _) if is_control(functor));
    for &(functor, args) in nodes.iter().rev() {
        let (left, right) = (m.store.arg(args, 0), m.store.arg(args, 1));
        let right = if nested(m, right) {
            made.pop().unwrap_or(right)
        } else {
            called(m, right)
        };
        let left = if nested(m, left) {
            made.pop().unwrap_or(left)
        } else {
            called(m, left)
        };
        made.put(m.store.new_struct(functor, &[left, right]))?;
    }
    match made.pop() {
        Some(body) => Ok(body),
        None => Ok(called(m, body)),
    }
}
