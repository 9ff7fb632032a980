//! The places in the text of parts of the clause that was read last.
//!
//! Terms do not know their places. For a message about a part of a clause, the clause is read again,
//! and its tree is traversed together with the term.

use super::loading::{loader, present_span, seek_text};
use super::named_goals::{Call, compound, goal_in, goal_of_directive, with_tree};
use crate::base::atom_table::{FastMap, functors};
use crate::base::growth::{Gather, Grow, GrowMap, filled};
use crate::base::source::Span;
use crate::base::stop::Stop;
use crate::machine::state::Machine;
use crate::store::address::HeapAddr;
use crate::store::cell::{Cell, WORD};
use crate::store::heap::View;
use crate::text::ast::{Ast, Node};

/// A part of a clause.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Part {
    /// The whole clause.
    Whole,
    /// The argument at this address.
    Argument(HeapAddr),
    /// An occurrence of a variable: the number of the variable in order of first occurrences, and the
    /// number of its occurrences before this one.
    Occurrence(usize, usize),
}

impl Part {
    /// Returns an argument of a compound term; `args` is the address of the first argument.
    pub(super) fn argument(args: HeapAddr, index: usize) -> Part {
        Part::Argument(args + index as u64 * WORD)
    }
}

/// A subterm with its place.
pub(crate) type Placed = (Cell, Part);

/// Returns an argument of a compound term with its place; `args` is the address of the first
/// argument.
pub(crate) fn placed(m: &Machine, args: HeapAddr, index: usize) -> Placed {
    (m.store.arg(args, index), Part::argument(args, index))
}

/// Returns the spans of parts of the present clause, which was read as `term`. A part that is not found
/// gets the span of the clause.
pub(crate) fn spans_of(m: &mut Machine, term: Cell, parts: &[Part]) -> Result<Vec<Span>, Stop> {
    let whole = present_span(m);
    let mut spans = FastMap::default();
    for &part in parts.iter().filter(|&&part| part != Part::Whole) {
        spans.put_entry(part, whole)?;
    }
    if !spans.is_empty() {
        with_present(m, |m, ast| find(m, ast, term, &mut spans).map(Some))?;
    }
    let spans = parts.iter().map(|part| spans.get(part).copied());
    spans.map(|span| span.unwrap_or(whole)).gather()
}

/// Reads the present clause again and passes its tree to `work`. Returns `None` if it cannot be
/// read.
fn with_present<T>(
    m: &mut Machine,
    work: impl FnOnce(&mut Machine, &Ast) -> Result<Option<T>, Stop>,
) -> Result<Option<T>, Stop> {
    seek_text(m);
    let mut start = present_span(m).start as usize;
    let text = loader(m).stack.last().map(|loading| loading.text.clone());
    // The source file of an image may have changed since the image was made.
    match text.filter(|text| text.is_char_boundary(start)) {
        Some(text) => with_tree(m, &text, &mut start, work),
        None => Ok(None),
    }
}

/// Finds the spans of these parts of `term`, which was read as this tree.
pub(crate) fn find(
    m: &Machine,
    ast: &Ast,
    term: Cell,
    spans: &mut FastMap<Part, Span>,
) -> Result<(), Stop> {
    let mut occurrences = filled(0, ast.vars.len())?;
    let mut todo = vec![(ast.root, term, Part::Whole)];
    while let Some((node, mut cell, part)) = todo.pop() {
        let span = ast.span(node);
        // The body of a clause for another module is stored with the module that the clause was
        // read in.
        if let View::Struct(functors::COLON, args) = m.store.view(cell)
            && !matches!(ast.node(node), Node::Compound { functor, .. } if *functor == functors::COLON)
        {
            if let Some(found) = spans.get_mut(&Part::argument(args, 1)) {
                *found = span;
            }
            cell = m.store.arg(args, 1);
        }
        if let Some(found) = spans.get_mut(&part) {
            *found = span;
        }
        if let Node::Var(var) = ast.node(node) {
            let before = &mut occurrences[*var as usize];
            if let Some(found) = spans.get_mut(&Part::Occurrence(*var as usize, *before)) {
                *found = span;
            }
            *before += 1;
        }
        if let Node::Compound { functor, first } = ast.node(node)
            && let Some((found, args)) = m.store.compound(cell)
            && found == *functor
        {
            let inner = (0..functor.arity()).rev().map(|index| {
                let node = ast.args[*first as usize + index];
                (node, m.store.arg(args, index), Part::argument(args, index))
            });
            todo.put_all(inner)?;
        }
    }
    Ok(())
}

/// Returns the span of the goal in the present directive that the call belongs to. If that is
/// unknown, returns the span of everything the directive runs. Returns `None` if the present clause
/// is no directive.
pub(crate) fn in_directive(m: &mut Machine, call: Call<'_>) -> Result<Option<Span>, Stop> {
    with_present(m, |m, ast| match goal_of_directive(ast) {
        Some(goal) => goal_in(m, ast, goal, call),
        None => Ok(None),
    })
}

/// Returns the names of the variables of the present directive, in order of first occurrence. Returns `None`
/// if the present clause is no directive.
pub(crate) fn names_of_present(m: &mut Machine) -> Result<Option<Vec<String>>, Stop> {
    with_present(m, |_, ast| {
        if goal_of_directive(ast).is_none() {
            return Ok(None);
        }
        let numbers = 0..ast.vars.len() as u32;
        let names = numbers.map(|var| ast.var_name(var).to_owned());
        names.gather().map(Some)
    })
}

/// Returns the spans of the goals that the present directive runs one after the other, or runs after the load.
/// Returns `None` if the present clause is no directive.
pub(crate) fn goals_of_present(m: &mut Machine) -> Result<Option<Vec<Span>>, Stop> {
    with_present(m, |m, ast| {
        let Some(mut goal) = goal_of_directive(ast) else {
            return Ok(None);
        };
        if let Some((functor, args)) = compound(ast, goal)
            && m.world.symbols.text(m.world.symbols.name(functor)) == "initialization"
        {
            goal = args[0];
        }
        let mut found = Vec::new();
        while let Some((functors::COMMA, args)) = compound(ast, goal) {
            found.put(ast.span(args[0]))?;
            goal = args[1];
        }
        found.put(ast.span(goal))?;
        Ok(Some(found))
    })
}
