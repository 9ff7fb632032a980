//! The search for the place in Lolli text where an exception was raised. It reads the text of the module again and
//! compares the goals of the clause in the text with those of the compiled clause.

use super::files::is_library;
use super::modules::closures;
use crate::base::atom_table::{FastMap, Functor, atoms, functors};
use crate::base::growth::{Grow, GrowTable};
use crate::base::source::{Span, line_column};
use crate::base::stop::Stop;
use crate::base::watch::Watch;
use crate::builtins::linear::lolli::NAMES;
use crate::builtins::term_io::clause_reader::with_ast;
use crate::machine::state::Machine;
use crate::program::clauses::clause_list::Clause;
use crate::program::predicate::PredId;
use crate::source::diagnostic::Location;
use crate::source::language::Language;
use crate::source::program_names::is_lolli;
use crate::store::cell::Cell;
use crate::store::heap::View;
use crate::text::ast::{Ast, Node};
use crate::text::lolli::reader::{ModuleReader, Rest, read_query};

/// The language Lolli for messages.
struct Lolli;

/// The language Lolli, for engines that support it.
pub(crate) static LOLLI: &dyn Language = &Lolli;

impl Language for Lolli {
    fn is_users(&self, m: &Machine, clause: &Clause) -> bool {
        let name = &m.world.files.get(clause.file()).name;
        clause.file() != 0 && is_lolli(name) && !is_library(name)
    }

    fn definitions(&self, m: &mut Machine) -> Result<FastMap<PredId, Vec<PredId>>, Stop> {
        let mut found: FastMap<PredId, Vec<PredId>> = FastMap::default();
        for (slot, predicate) in closures(m)? {
            if let Some(about) = m.run.contexts.predicate_of(slot) {
                found.make_room()?;
                found.entry(about).or_default().put(predicate)?;
            }
        }
        Ok(found)
    }

    fn called_by(&self, m: &mut Machine, goal: Cell, most: usize) -> Result<Vec<PredId>, Stop> {
        let mut found = Vec::new();
        let mut todo = vec![goal];
        while let Some(goal) = todo.pop() {
            if found.len() + todo.len() > most {
                break;
            }
            let (goal, _) = m.strip_module(goal, atoms::LOLLI);
            let functor = match m.store.view(goal) {
                View::Atom(name) => m.world.symbols.functor_passing(name, 0)?,
                View::Struct(functor, args) => {
                    let name = m.world.symbols.text(m.world.symbols.name(functor));
                    let inner = formula_args(name, functor.arity(), false);
                    if !inner.is_empty() {
                        let inner = inner.iter().filter(|(_, clause)| !clause);
                        todo.put_all(inner.map(|&(index, _)| m.store.arg(args, index)))?;
                        continue;
                    }
                    functor
                }
                _ => continue,
            };
            found.put_all(m.world.predicates.find(atoms::LOLLI, functor))?;
        }
        Ok(found)
    }

    fn span_in(
        &self,
        m: &mut Machine,
        text: &str,
        line: usize,
        goal: Option<(Functor, (usize, usize))>,
    ) -> Result<Option<Span>, Stop> {
        with_ast(m, |m, ast| {
            let before = m.world.symbols.read_passing(true);
            let found = span_read(m, ast, (text, line), goal);
            m.world.symbols.read_passing(before);
            found
        })
    }
}

/// Returns the arguments of a connective that are formulas: their indexes, and whether they are clauses. `clause` says
/// whether the whole formula is a clause. Empty for an atom.
fn formula_args(name: &str, arity: usize, clause: bool) -> &'static [(usize, bool)] {
    match (name, arity, clause) {
        ("," | "&", 2, true) => &[(0, true), (1, true)],
        ("," | "&" | ";", 2, false) => &[(0, false), (1, false)],
        ("-o" | "=>", 2, true) => &[(0, false), (1, true)],
        ("-o" | "=>", 2, false) => &[(0, true), (1, false)],
        ("--o" | "\\", 2, true) => &[(1, true)],
        ("--o" | "\\", 2, false) => &[(1, false)],
        ("guard", 3, false) => &[(0, false), (1, false), (2, false)],
        ("{}" | "forall" | "exists", 1, true) => &[(0, true)],
        ("{}" | "forall" | "exists", 1, false) => &[(0, false)],
        _ => &[],
    }
}

/// Returns the name and arity that a builtin has in Lolli text.
fn in_text(m: &mut Machine, functor: Functor) -> Result<Functor, Stop> {
    let name = m.world.symbols.text(m.world.symbols.name(functor));
    let known = |known: &&(&str, usize, &str)| known.2 == name && known.1 == functor.arity();
    match NAMES.iter().find(known) {
        Some(&(plain, arity, _)) => {
            let plain = m.world.symbols.intern(plain)?;
            m.world.symbols.functor(plain, arity)
        }
        None => Ok(functor),
    }
}

/// Returns the place of a goal: see [`Language::span_in`]. Reads the text into this tree.
fn span_read(
    m: &mut Machine,
    ast: &mut Ast,
    (text, line): (&str, usize),
    goal: Option<(Functor, (usize, usize))>,
) -> Result<Option<Span>, Stop> {
    let (wanted, like) = goal.unzip();
    ast.clear();
    let mut reader = ModuleReader::new(text, &mut m.world.symbols, ast)?;
    let (mut counted, mut present, mut found) = (0, 1, None);
    loop {
        ast.clear();
        let clause = reader.next_clause(&mut m.world.symbols, ast, &Watch::default())?;
        if clause.is_none() {
            return Ok(found);
        }
        let start = ast.span.start as usize;
        let skipped = text.get(counted..start).unwrap_or("");
        present += skipped.matches('\n').count();
        counted = start;
        if present > line {
            return Ok(found);
        }
        if present < line {
            continue;
        }
        let (goals, head) = goals(m, ast, true, wanted)?;
        match (like, goals.as_slice()) {
            (Some(_), &[only]) => return Ok(Some(only)),
            (Some((before, all)), goals) if goals.len() == all => {
                return Ok(goals.get(before).copied());
            }
            _ => found = found.or(head),
        }
    }
}

/// Returns the place of the goal in the text of a query that raised an exception. It must be the only goal of that name
/// and arity. Returns `None` if the goal is not known, or if it is the whole query.
pub(crate) fn in_lolli_query(
    m: &mut Machine,
    text: &str,
    culprit: Option<Functor>,
) -> Result<Option<Span>, Stop> {
    let culprit = culprit.map(|culprit| in_text(m, culprit)).transpose()?;
    with_ast(m, |m, ast| {
        ast.clear();
        let before = m.world.symbols.read_passing(true);
        let read = read_query(
            text,
            &mut 0,
            Rest::OfText,
            &mut m.world.symbols,
            ast,
            &mut Vec::new(),
            Some(&*m.store.events.watch),
        );
        m.world.symbols.read_passing(before);
        if read.is_err() {
            return Ok(None);
        }
        let (goals, _) = goals(m, ast, false, culprit)?;
        match goals.as_slice() {
            &[only] if only != ast.spans[ast.root.0 as usize] => Ok(Some(only)),
            _ => Ok(None),
        }
    })
}

/// Returns the heads of the clause in the tree that have names, in the order of the text.
pub(super) fn heads(m: &Machine, ast: &Ast) -> Result<Vec<Functor>, Stop> {
    let mut found = Vec::new();
    let mut todo = vec![ast.root];
    while let Some(node) = todo.pop() {
        match ast.node(node) {
            Node::Atom(name) => found.put_all(m.world.symbols.find_functor(*name, 0))?,
            Node::Compound { functor, first } => {
                let name = m.world.symbols.text(m.world.symbols.name(*functor));
                let inner = formula_args(name, functor.arity(), true);
                if inner.is_empty() {
                    found.put(*functor)?;
                    continue;
                }
                let heads = inner.iter().rev().filter(|(_, clause)| *clause);
                todo.put_all(heads.map(|&(index, _)| ast.args[*first as usize + index]))?;
            }
            _ => {}
        }
    }
    Ok(found)
}

/// Returns the goals in the tree that have this name and arity, in the order of the text, and the first head.
fn goals(
    m: &mut Machine,
    ast: &Ast,
    clause: bool,
    wanted: Option<Functor>,
) -> Result<(Vec<Span>, Option<Span>), Stop> {
    let (mut found, mut head): (Vec<Span>, Option<Span>) = (Vec::new(), None);
    let mut todo = vec![(ast.root, clause)];
    while let Some((node, clause)) = todo.pop() {
        let span = ast.spans[node.0 as usize];
        let functor = match ast.node(node) {
            Node::Atom(name) => m.world.symbols.functor_passing(*name, 0)?,
            Node::Compound { functor, first } => {
                let name = m.world.symbols.text(m.world.symbols.name(*functor));
                let inner = formula_args(name, functor.arity(), clause);
                if !inner.is_empty() {
                    let arg = |&(index, clause): &(usize, bool)| {
                        (ast.args[*first as usize + index], clause)
                    };
                    todo.put_all(inner.iter().map(arg))?;
                    continue;
                }
                *functor
            }
            // `call/1` calls a variable.
            Node::Var(_) if !clause => functors::CALL1,
            _ => continue,
        };
        if clause {
            if head.is_none_or(|head| span.start < head.start) {
                head = Some(span);
            }
        } else if wanted == Some(functor) {
            found.put(span)?;
        }
    }
    found.sort_by_key(|span| span.start);
    Ok((found, head))
}

/// Returns the place of a goal in the text of a query that begins in this line of a stream. Returns `None` if the goal
/// is the whole query.
pub(super) fn query_place(
    m: &mut Machine,
    (name, line, text): (&str, usize, &str),
    culprit: Option<Functor>,
) -> Result<Option<Location>, Stop> {
    let found = in_lolli_query(m, text, culprit)?;
    Ok(found.map(|span| {
        let within = line_column(text, span.start as usize).0;
        Location::new(name, text, span, line + within - 1)
    }))
}
