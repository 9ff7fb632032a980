//! A clause that was read, as rules see it: its parts, and what they remark.

use crate::base::atom_table::{Functor, atoms, functors};
use crate::base::growth::{Gather, Grow};
use crate::base::source::Span;
use crate::base::stop::Stop;
use crate::base::warning::Warning;
use crate::machine::state::Machine;
use crate::source::loading::{line_of, loader};
use crate::source::parts::{Part, Placed, placed, spans_of};
use crate::source::report::warn_at;
use crate::source::term_texts::shown_with;
use crate::store::address::HeapAddr;
use crate::store::cell::Cell;
use crate::store::heap::View;

/// Goals and parts of expressions of a clause that are looked at. Longer ones are made by programs.
pub(super) const LIMIT: usize = 4096;
/// Branches of more bytes are not shown in messages.
const SHORT: usize = 40;

/// Variables of a clause in the order of their first occurrences: name, variable, number of occurrences.
pub(crate) type Variables = [(String, Cell, u32)];

/// A remark on a part of a clause.
pub(super) struct Remark {
    pub(super) warning: Warning,
    pub(super) part: Part,
    pub(super) message: String,
    pub(super) hint: Option<String>,
    /// The branch that does not mention the variable that the remark is on: the hint says which.
    pub(super) without: Option<Part>,
}

/// A clause that was read.
pub(super) struct ReadClause<'c> {
    pub(super) term: Cell,
    /// Name and arity of the head, if it is the head of a fact or of a rule with `:-`.
    pub(super) functor: Option<Functor>,
    pub(super) head: Cell,
    /// `true` if it is a fact.
    pub(super) body: Placed,
    pub(super) vars: &'c Variables,
    /// May functions be defined by the program?
    pub(super) expands: bool,
    remarks: Vec<Remark>,
    /// What is to be told if a clause gives this argument as a number.
    pub(super) waiting: Vec<(usize, Part, String, String)>,
}

/// A goal that is compound.
#[derive(Copy, Clone)]
pub(super) struct Goal {
    pub(super) functor: Functor,
    pub(super) args: HeapAddr,
    pub(super) placed: Placed,
}

impl Goal {
    /// Functor, arguments, and the whole with its place.
    pub(super) fn parts(&self) -> (Functor, HeapAddr, Placed) {
        (self.functor, self.args, self.placed)
    }
}

impl<'c> ReadClause<'c> {
    pub(super) fn new(
        m: &mut Machine,
        term: Cell,
        vars: &'c Variables,
        expands: bool,
    ) -> Result<ReadClause<'c>, Stop> {
        let (head, body) = match m.store.view(term) {
            View::Struct(functors::NECK, args) => (m.store.arg(args, 0), placed(m, args, 1)),
            _ => (m.store.deref(term), (Cell::atom(atoms::TRUE), Part::Whole)),
        };
        let functor = match (m.store.view(head), m.store.compound(head)) {
            (_, Some((functors::DCG_ARROW | functors::DIRECTIVE, _))) => None,
            (View::Atom(name), _) => Some(m.world.symbols.functor_passing(name, 0)?),
            (_, compound) => compound.map(|(functor, _)| functor),
        };
        Ok(ReadClause {
            term,
            functor,
            head,
            body,
            vars,
            expands,
            remarks: Vec::new(),
            waiting: Vec::new(),
        })
    }

    /// Remarks on a part of the clause.
    pub(super) fn remark(
        &mut self,
        warning: Warning,
        part: Part,
        message: String,
        hint: Option<String>,
    ) -> Result<(), Stop> {
        self.put(Remark {
            warning,
            part,
            message,
            hint,
            without: None,
        })
    }

    /// Adds a remark.
    pub(super) fn put(&mut self, remark: Remark) -> Result<(), Stop> {
        self.remarks.put(remark)
    }

    /// Warns of what was remarked so far.
    pub(super) fn tell(&mut self, m: &mut Machine) -> Result<(), Stop> {
        if self.remarks.is_empty() {
            return Ok(());
        }
        let remarks = std::mem::take(&mut self.remarks);
        let places = remarks.iter();
        let parts = places.flat_map(|remark| [remark.part, remark.without.unwrap_or(Part::Whole)]);
        let parts: Vec<Part> = parts.gather()?;
        let spans = spans_of(m, self.term, &parts)?;
        for (remark, spans) in remarks.into_iter().zip(spans.chunks(2)) {
            let branch = remark.without.and_then(|_| spans.get(1));
            let without =
                branch.map(|&span| format!("{} does not mention it", branch_text(m, span)));
            let span = spans.first().copied().unwrap_or_default();
            warn_at(
                m,
                remark.warning,
                span,
                remark.message,
                remark.hint.or(without),
            )?;
        }
        Ok(())
    }

    /// A part of the clause with the names of its variables.
    pub(super) fn shown(&self, m: &Machine, part: Cell) -> Result<String, Stop> {
        let names = self
            .vars
            .iter()
            .map(|(name, cell, _)| (*cell, name.clone()));
        shown_with(m, part, names.gather()?)
    }
}

/// A branch, in words.
fn branch_text(m: &mut Machine, span: Span) -> String {
    let text = loader(m).stack.last().map(|loading| loading.text.clone());
    let text = text.unwrap_or_default();
    let line = line_of(m, &text, span);
    match text.get(span.start as usize..span.end as usize) {
        Some(branch) if branch.len() <= SHORT && !branch.contains('\n') => {
            format!("the branch `{branch}` in line {line}")
        }
        _ => format!("the branch that begins in line {line}"),
    }
}

/// Which arguments of a control construct are goals that run where it does, one after the other.
pub(super) fn in_sequence(functor: Functor) -> &'static [usize] {
    match functor {
        functors::COMMA | functors::SEMICOLON | functors::ARROW | functors::SOFT_ARROW => &[0, 1],
        _ => &[],
    }
}

/// Which arguments of a control construct or of a predicate that calls them are goals.
pub(super) fn within(functor: Functor) -> &'static [usize] {
    match functor {
        functors::FORALL2 => &[0, 1],
        functors::NOT | functors::CALL1 | functors::ONCE1 | functors::IGNORE1 => &[0],
        functors::FINDALL3 => &[1],
        _ => in_sequence(functor),
    }
}

/// The compound goals of a body in their order, those within others as `inner` says; so many as a clause has that is
/// typed.
pub(super) fn goals_of(
    m: &Machine,
    body: Placed,
    inner: fn(Functor) -> &'static [usize],
) -> Result<Vec<Goal>, Stop> {
    let mut found = Vec::new();
    let mut todo = vec![body];
    let mut seen = 0;
    while let Some((goal, part)) = todo.pop() {
        seen += 1;
        if seen > LIMIT {
            break;
        }
        let Some((functor, args)) = m.store.compound(goal) else {
            continue;
        };
        let goals = inner(functor);
        todo.put_all(goals.iter().rev().map(|&index| placed(m, args, index)))?;
        if goals.is_empty() {
            let placed = (goal, part);
            found.put(Goal {
                functor,
                args,
                placed,
            })?;
        }
    }
    Ok(found)
}

/// Does a variable occur in a term?
pub(super) fn occurs(m: &Machine, variable: Cell, term: Cell) -> Result<bool, Stop> {
    let mut todo = vec![term];
    let mut seen = 0;
    while let Some(cell) = todo.pop() {
        let cell = m.store.deref(cell);
        seen += 1;
        if cell == variable {
            return Ok(true);
        }
        if seen > LIMIT {
            return Ok(false);
        }
        if let Some((functor, args)) = m.store.compound(cell) {
            todo.put_all(m.store.args(functor, args))?;
        }
    }
    Ok(false)
}

/// Is it `V op 1`, or so: what people write who mean its value? Gives the variable.
pub(super) fn computation(m: &Machine, term: Cell) -> Option<Cell> {
    let (functor, args) = m.store.compound(term)?;
    if functor.arity() != 2 || !matches!(m.world.symbols.name_text(functor), "+" | "-" | "*" | "**")
    {
        return None;
    }
    let (left, right) = (m.store.arg(args, 0), m.store.arg(args, 1));
    let is_number = |cell: Cell| matches!(m.store.view(cell), View::Int(_) | View::Float(_));
    match (left.is_var(), right.is_var()) {
        (true, false) if is_number(right) => Some(left),
        (false, true) if is_number(left) => Some(right),
        _ => None,
    }
}
