//! Where parts of the clause that was read last stand in the text.
//!
//! Terms do not know their places. When a message is about a part of a clause, the clause is read once
//! more, and its tree is walked along with the term.

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
    /// All of it.
    Whole,
    /// The argument that lies at this address.
    Argument(HeapAddr),
    /// An occurrence of a variable: the variable, by its number in the order of first occurrences, and
    /// how many occurrences stand before it.
    Occurrence(usize, usize),
}

impl Part {
    /// An argument of a compound term, by the address of the first one.
    pub(super) fn argument(args: HeapAddr, index: usize) -> Part {
        Part::Argument(args + index as u64 * WORD)
    }
}

/// A subterm, with where it stands.
pub(crate) type Placed = (Cell, Part);

/// An argument of a compound term, by the address of the first one.
pub(crate) fn placed(m: &Machine, args: HeapAddr, index: usize) -> Placed {
    (m.store.arg(args, index), Part::argument(args, index))
}

/// The places of parts of the present clause, which was read as this term. What is not found has the place
/// of the clause.
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

/// Reads the present clause once more and has `work` look at its tree. None if it cannot be read.
fn with_present<T>(
    m: &mut Machine,
    work: impl FnOnce(&mut Machine, &Ast) -> Result<Option<T>, Stop>,
) -> Result<Option<T>, Stop> {
    seek_text(m);
    let mut start = present_span(m).start as usize;
    let text = loader(m).stack.last().map(|loading| loading.text.clone());
    // The text of an image may be another one than was read.
    match text.filter(|text| text.is_char_boundary(start)) {
        Some(text) => with_tree(m, &text, &mut start, work),
        None => Ok(None),
    }
}

/// Notes where these parts of the term stand that was read as this tree.
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
        // The body of a clause for another module is kept with the module that it stands in.
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

/// Where in the present directive the goal stands that the call is, or else all that
/// the directive runs. None if what stands there is no directive.
pub(crate) fn in_directive(m: &mut Machine, call: Call<'_>) -> Result<Option<Span>, Stop> {
    with_present(m, |m, ast| match goal_of_directive(ast) {
        Some(goal) => goal_in(m, ast, goal, call),
        None => Ok(None),
    })
}

/// The names of the variables of the present directive, in the order in which they come. None if what stands
/// there is no directive.
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

/// Where the goals stand that the present directive runs one after the other, or has run after the load. None if
/// what stands there is no directive.
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
