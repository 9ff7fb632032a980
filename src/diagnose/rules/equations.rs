//! The rule for `=` where `is` was meant: a term of arithmetic that is not evaluated, although its parts are
//! numbers or another clause returns a number as the same result. Programs that process such terms get no
//! warning.

use super::arithmetic::is_identity;
use super::clause::{Goal, LIMIT, ReadClause, computation, goals_of, in_sequence, occurs};
use super::expressions::is_comparison;
use crate::arith::evaluable::lookup;
use crate::base::atom_table::{Functor, functors};
use crate::base::growth::{Gather, Grow};
use crate::base::stop::Stop;
use crate::base::warning::Warning;
use crate::machine::state::Machine;
use crate::machine::upper_layers::LayerState;
use crate::source::diagnostic::{Diagnostic, Severity};
use crate::source::loading::{loader, place_here};
use crate::source::parts::{Part, Placed, spans_of};
use crate::source::report::report;
use crate::store::address::HeapAddr;
use crate::store::cell::Cell;
use crate::store::heap::View;

/// Maximum number of arguments of a predicate that are examined.
const ARGUMENTS: usize = 64;
/// Maximum number of parts of a term of arithmetic that are examined.
const SMALL: usize = 32;

/// Facts about the arguments of the present predicate, learned from its clauses.
#[derive(Default)]
pub(crate) struct Arguments {
    /// The predicate.
    of: Option<Functor>,
    /// The arguments that a clause gives as numbers, as bits.
    numbers: u64,
    /// Whether a clause takes terms of arithmetic apart.
    symbolic: bool,
    /// The warnings to give if a clause has a number as this argument.
    waiting: Vec<(usize, Diagnostic)>,
    /// Arguments that a clause counts up or down without a test before it calls the predicate, with their names. Later clauses
    /// are not reached with numbers there.
    pub(super) endless: Vec<(usize, String)>,
}

impl LayerState for Arguments {}

impl Arguments {
    /// Returns the predicate of the arguments.
    pub(crate) fn of(&self) -> Option<Functor> {
        self.of
    }
}

/// Records the facts that a clause shows about the arguments of its predicate, and reports the
/// warnings that waited for them.
pub(super) fn note(m: &mut Machine, clause: &mut ReadClause<'_>) -> Result<(), Stop> {
    let (Some(functor), Some((_, args))) = (clause.functor, m.store.compound(clause.head)) else {
        return Ok(());
    };
    let body = clause.body;
    let (mut numbers, mut symbolic) = (0, false);
    for index in 0..functor.arity().min(ARGUMENTS) {
        let arg = m.store.arg(args, index);
        match m.store.view(arg) {
            View::Int(_) | View::Big(_) | View::Float(_) => numbers |= 1 << index,
            View::Struct(..) => symbolic |= is_symbolic(m, arg),
            View::Var(_) if body.0.is_compound() && computes(m, body, arg)? => {
                numbers |= 1 << index
            }
            _ => {}
        }
    }
    let Some(loading) = loader(m).stack.last_mut() else {
        return Ok(());
    };
    let known = loading.own.of::<Arguments>();
    if known.of != Some(functor) {
        *known = Arguments::default();
        known.of = Some(functor);
    }
    known.numbers |= numbers;
    known.symbolic |= symbolic;
    if known.waiting.is_empty() || !(known.symbolic || known.numbers & numbers != 0) {
        return Ok(());
    }
    let (numbers, symbolic) = (known.numbers, known.symbolic);
    let waiting = std::mem::take(&mut known.waiting);
    clause.report_remarks(m)?;
    for (index, diagnostic) in waiting {
        if !symbolic && numbers & 1 << index != 0 {
            report(m, diagnostic)?;
        } else if !symbolic && let Some(loading) = loader(m).stack.last_mut() {
            loading
                .own
                .of::<Arguments>()
                .waiting
                .put((index, diagnostic))?;
        }
    }
    Ok(())
}

/// Returns whether it is a term of arithmetic that a program processing such terms takes as an
/// argument. A pair is none.
fn is_symbolic(m: &Machine, term: Cell) -> bool {
    let Some((functor, _)) = m.store.compound(term) else {
        return false;
    };
    let name = m.world.symbols.name_text(functor);
    !matches!(name, "-" | "/") && lookup(name, functor.arity()).is_some()
}

/// Returns whether a goal of the body computes the variable by `is`.
fn computes(m: &Machine, body: Placed, variable: Cell) -> Result<bool, Stop> {
    Ok(goals_of(m, body, in_sequence)?
        .iter()
        .any(|goal| goal.functor == functors::IS && m.store.arg(goal.args, 0) == variable))
}

/// Facts about a variable, learned from a body.
#[derive(Default)]
struct Known {
    /// The variable is computed by `is`.
    computed: bool,
    /// The variable is a part of an expression, or is compared.
    evaluated: bool,
    /// The arguments of a recursive call that are the variable, as bits.
    given: u64,
}

/// Warns of `Y = X * 2` and the like, if it cannot be intended.
pub(super) fn unification(
    m: &mut Machine,
    clause: &mut ReadClause<'_>,
    goal: &Goal,
) -> Result<bool, Stop> {
    if goal.functor == functors::EQUAL {
        let sides = (m.store.arg(goal.args, 0), m.store.arg(goal.args, 1));
        clause.unification(m, goal.placed.1, sides)?;
    }
    Ok(false)
}

/// Warns of `Z == X + Y` if `Z` cannot have a value.
pub(super) fn identity(
    m: &mut Machine,
    clause: &mut ReadClause<'_>,
    goal: &Goal,
) -> Result<bool, Stop> {
    if is_identity(m, goal.functor) {
        clause.identity(m, goal.placed.1, goal.args)?;
    }
    Ok(false)
}

impl ReadClause<'_> {
    /// Warns of `Y = X * 2` and the like, if it cannot be intended.
    fn unification(
        &mut self,
        m: &mut Machine,
        part: Part,
        (left, right): (Cell, Cell),
    ) -> Result<(), Stop> {
        let (variable, term) = match (left.is_var(), right.is_var()) {
            (true, false) => (left, right),
            (false, true) => (right, left),
            _ => return Ok(()),
        };
        let Some((sign, leaves)) = arithmetic(m, term)? else {
            return Ok(());
        };
        if leaves.contains(&variable) {
            let goal = format!("{} = {}", self.text_of(m, left)?, self.text_of(m, right)?);
            let message =
                format!("`{goal}` cannot succeed for a number: a variable keeps its value");
            let hint = "use a new variable for the new value, and `is` to compute it".to_owned();
            return self.remark(Warning::Arithmetic, part, message, Some(hint));
        }
        let position = self.position(m, variable);
        let arguments = loader(m)
            .stack
            .last_mut()
            .map(|loading| &*loading.own.of::<Arguments>());
        let (numbers, symbolic) =
            arguments.map_or((0, false), |known| (known.numbers, known.symbolic));
        if symbolic || self.known(m, variable)?.evaluated || self.is_evaluated(m, term)? {
            return Ok(());
        }
        let mut result = None;
        if let Some(index) = position {
            let mut from_call = false;
            for &leaf in &leaves {
                from_call = from_call || self.known(m, leaf)?.given & 1 << index != 0;
            }
            result = position.filter(|_| from_call && self.are_numbers(m, &leaves));
        }
        if self.is_meant(m, variable, term, (&sign, &leaves))? {
            return self.not_computed(m, part, variable, term);
        }
        match result {
            Some(index) if numbers & 1 << index != 0 => {
                self.not_computed(m, part, variable, term)?
            }
            Some(index) => {
                let (message, hint) = self.words(m, variable, term)?;
                self.waiting.put((index, part, message, hint))?;
            }
            None => {}
        }
        Ok(())
    }

    /// Warns of `Z == X + Y` if `Z` cannot have a value.
    fn identity(&mut self, m: &Machine, part: Part, args: HeapAddr) -> Result<(), Stop> {
        let (left, right) = (m.store.arg(args, 0), m.store.arg(args, 1));
        if !left.is_var() || arithmetic(m, right)?.is_none() || self.occurs_before(m, left, args)? {
            return Ok(());
        }
        let (result, term) = (self.text_of(m, left)?, self.text_of(m, right)?);
        let message = format!(
            "`{result} == {term}` cannot succeed: {result} has no value, and `==` gives none"
        );
        self.remark(
            Warning::Arithmetic,
            part,
            message,
            Some(format!("to compute the value write `{result} is {term}`")),
        )?;
        Ok(())
    }

    /// Returns whether a variable occurs in the clause before the goal with these arguments.
    fn occurs_before(&self, m: &Machine, variable: Cell, goal: HeapAddr) -> Result<bool, Stop> {
        let mut todo = vec![self.body.0, self.head];
        let mut seen = 0;
        while let Some(cell) = todo.pop() {
            let cell = m.store.deref(cell);
            seen += 1;
            if cell == variable || seen > LIMIT {
                return Ok(true);
            }
            match m.store.compound(cell) {
                Some((_, args)) if args == goal => return Ok(false),
                Some((functor, args)) => {
                    let parts = (0..functor.arity()).rev();
                    todo.put_all(parts.map(|index| m.store.arg(args, index)))?;
                }
                None => {}
            }
        }
        Ok(false)
    }

    /// Returns the argument of the head that is the variable.
    fn position(&self, m: &Machine, variable: Cell) -> Option<usize> {
        let (functor, args) = m.store.compound(self.head)?;
        (0..functor.arity().min(ARGUMENTS)).find(|&index| m.store.arg(args, index) == variable)
    }

    fn known(&self, m: &Machine, variable: Cell) -> Result<Known, Stop> {
        let own = m.store.compound(self.head).map(|(functor, _)| functor);
        let mut known = Known::default();
        for Goal { functor, args, .. } in goals_of(m, self.body, in_sequence)? {
            let arg = |index| m.store.arg(args, index);
            if functor == functors::IS {
                known.computed |= arg(0) == variable;
                known.evaluated |= occurs(m, variable, arg(1))?;
            } else if is_comparison(m, functor) {
                known.evaluated |= occurs(m, variable, arg(0))? || occurs(m, variable, arg(1))?;
            } else if Some(functor) == own {
                let indexes = 0..functor.arity().min(ARGUMENTS);
                let given = indexes.filter(|&index| arg(index) == variable);
                known.given |= given.fold(0, |bits, index| bits | 1 << index);
            }
        }
        Ok(known)
    }

    /// Returns whether the same term is an expression of another goal.
    fn is_evaluated(&self, m: &Machine, term: Cell) -> Result<bool, Stop> {
        for goal in goals_of(m, self.body, in_sequence)? {
            if goal.functor == functors::IS
                && m.store
                    .structurally_equal(m.store.arg(goal.args, 1), term)?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns whether the variables can only be numbers, given that a recursive call binds one of them.
    fn are_numbers(&self, m: &Machine, leaves: &[Cell]) -> bool {
        let Some((functor, args)) = m.store.compound(self.head) else {
            return false;
        };
        let params = m.store.args(functor, args);
        let Ok(params) = params.gather() else {
            return false;
        };
        // The contents of other terms are unknown: a tree may be the tree of an expression.
        let plain = |param: &Cell| !matches!(m.store.view(*param), View::Struct(..));
        let counts = leaves.iter().any(|leaf| !leaf.is_var());
        counts || params.iter().all(plain)
    }

    /// Returns whether a number is intended whatever other clauses say: parts are computed, or are
    /// arguments next to a number.
    fn is_meant(
        &self,
        m: &Machine,
        variable: Cell,
        term: Cell,
        (sign, leaves): (&str, &[Cell]),
    ) -> Result<bool, Stop> {
        // `Key-1` is a pair more often than a difference, `Column/Row` more often than a quotient.
        let pair = match sign {
            "-" => true,
            "/" => leaves.last().is_none_or(|leaf| leaf.is_var()),
            _ => false,
        };
        let counts = leaves.iter().any(|leaf| !leaf.is_var());
        if counts && !pair {
            let mut computed = true;
            for &leaf in leaves {
                computed = computed && (!leaf.is_var() || self.known(m, leaf)?.computed);
            }
            if computed {
                return Ok(true);
            }
        }
        let Some(operand) = computation(m, term) else {
            return Ok(false);
        };
        if self.is_passed_on(m, variable)? {
            return Ok(false);
        }
        match sign {
            "-" => Ok(false),
            // A number counted by a recursive call.
            "+" => {
                let counts = leaves
                    .iter()
                    .any(|leaf| matches!(m.store.view(*leaf), View::Int(_)));
                let called = self.known(m, operand)?.given != 0;
                Ok(occurs(m, operand, self.head)?
                    || counts && occurs(m, variable, self.head)? && called)
            }
            _ => occurs(m, operand, self.head),
        }
    }

    /// Returns whether a goal other than arithmetic and output receives the variable: the goal may process a term.
    fn is_passed_on(&self, m: &Machine, variable: Cell) -> Result<bool, Stop> {
        let own = m.store.compound(self.head).map(|(functor, _)| functor);
        let mut unifications = 0;
        for Goal { functor, args, .. } in goals_of(m, self.body, in_sequence)? {
            let name = m.world.symbols.name_text(functor);
            let known = functor == functors::IS
                || Some(functor) == own
                || is_comparison(m, functor)
                || ["write", "writeln", "print", "format"].contains(&name);
            let mut args = (0..functor.arity()).map(|index| m.store.arg(args, index));
            let occurs = args.try_fold(false, |found, arg| {
                Ok::<_, Stop>(found || occurs(m, variable, arg)?)
            })?;
            unifications += usize::from(occurs && functor == functors::EQUAL);
            if occurs && !known && (functor != functors::EQUAL || unifications > 1) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn not_computed(
        &mut self,
        m: &Machine,
        part: Part,
        variable: Cell,
        term: Cell,
    ) -> Result<(), Stop> {
        let (message, hint) = self.words(m, variable, term)?;
        self.remark(Warning::Arithmetic, part, message, Some(hint))?;
        Ok(())
    }

    fn words(&self, m: &Machine, variable: Cell, term: Cell) -> Result<(String, String), Stop> {
        let (result, term) = (self.text_of(m, variable)?, self.text_of(m, term)?);
        let message = format!("`=` does not compute: it makes the term {term}");
        Ok((
            message,
            format!("to compute the value write `{result} is {term}`"),
        ))
    }

    /// Keeps the warnings that depend on later clauses.
    pub(super) fn keep_waiting(&mut self, m: &mut Machine) -> Result<(), Stop> {
        if self.waiting.is_empty() || !m.world.flags.warnings.wants(Warning::Arithmetic) {
            return Ok(());
        }
        let waiting = std::mem::take(&mut self.waiting);
        for (index, part, message, hint) in waiting {
            let span = spans_of(m, self.term, &[part])?
                .first()
                .copied()
                .unwrap_or_default();
            let Some(place) = place_here(m, span) else {
                return Ok(());
            };
            let diagnostic = Diagnostic::at(Severity::Warning, place, message, Some(hint));
            let diagnostic = diagnostic.of_warning(Warning::Arithmetic);
            if let Some(loading) = loader(m).stack.last_mut() {
                loading
                    .own
                    .of::<Arguments>()
                    .waiting
                    .put((index, diagnostic))?;
            }
        }
        Ok(())
    }
}

/// Returns the operator of a term of arithmetic, and its variables and numbers. Returns `None` if it has other
/// parts, or no variable.
fn arithmetic(m: &Machine, term: Cell) -> Result<Option<(String, Vec<Cell>)>, Stop> {
    let Some((functor, _)) = m.store.compound(term) else {
        return Ok(None);
    };
    let sign = m.world.symbols.name_text(functor).to_owned();
    let mut leaves = Vec::new();
    let mut todo = vec![term];
    while let Some(cell) = todo.pop() {
        let cell = m.store.deref(cell);
        if leaves.len() + todo.len() > SMALL {
            return Ok(None);
        }
        match m.store.view(cell) {
            View::Var(_) | View::Int(_) | View::Big(_) | View::Float(_) => leaves.put(cell)?,
            View::Struct(functor, args) => {
                let name = m.world.symbols.name_text(functor);
                let known = ["+", "-", "*", "/", "//", "mod", "**", "^"].contains(&name);
                if !known || functor.arity() != 2 {
                    return Ok(None);
                }
                todo.put_all([1, 0].map(|index| m.store.arg(args, index)))?;
            }
            _ => return Ok(None),
        }
    }
    Ok(leaves
        .iter()
        .any(|leaf| leaf.is_var())
        .then_some((sign, leaves)))
}
