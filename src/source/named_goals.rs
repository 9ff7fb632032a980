//! The search for goals in the texts of queries, directives and clauses, by name, arity and
//! arguments.

use crate::base::atom_table::{Functor, atoms, functors};
use crate::base::growth::{Gather, Grow, joined};
use crate::base::source::Span;
use crate::base::stop::Stop;
use crate::builtins::term_io::clause_reader::{read_tree, with_ast};
use crate::machine::state::Machine;
use crate::store::cell::Cell;
use crate::text::ast::{Ast, Node, NodeId};

/// The call that was running when an exception was raised.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Call<'a> {
    /// The goal that ran, in its original form.
    pub(crate) goal: Cell,
    /// The predicate that the goal called.
    pub(crate) culprit: Option<Functor>,
    /// The arguments of that call, as far as they are known.
    pub(crate) args: &'a [Cell],
}

/// Returns the span of the goal in the text of a query that raised an exception: the goal with that
/// name, arity and arguments, or else the whole query.
pub(crate) fn in_query(m: &mut Machine, text: &str, call: Call<'_>) -> Result<Option<Span>, Stop> {
    let whole = joined(&[text, "\n."])?;
    with_tree(m, &whole, &mut 0, |m, ast| {
        goal_in(m, ast, goal_of_directive(ast).unwrap_or(ast.root), call)
    })
}

/// Returns the span of a query in its text, without the full stop.
pub(crate) fn whole_query(text: &str) -> Span {
    let query = text.trim_end();
    let end = query.strip_suffix('.').unwrap_or(query).trim_end().len();
    Span::new(text.len() - text.trim_start().len(), end)
}

/// Returns the goal that a directive runs.
pub(super) fn goal_of_directive(ast: &Ast) -> Option<NodeId> {
    match compound(ast, ast.root) {
        Some((functors::QUERY | functors::DIRECTIVE, args)) => Some(args[0]),
        _ => None,
    }
}

/// Returns the span of the goal within `root` that the call belongs to, or else of all of `root`. Returns
/// `None` if the text does not show which goal it is.
pub(super) fn goal_in(
    m: &mut Machine,
    ast: &Ast,
    root: NodeId,
    call: Call<'_>,
) -> Result<Option<Span>, Stop> {
    if let Node::Var(_) = ast.node(root)
        && call
            .culprit
            .is_none_or(|culprit| m.world.symbols.name(culprit) != atoms::CALL)
    {
        return Ok(None);
    }
    let whole = ast.spans[root.0 as usize];
    let Some(wanted) = call.culprit else {
        return Ok(Some(whole));
    };
    let found = goals_with_terms(m, ast, (root, Some(call.goal)), false, wanted)?;
    Ok(Some(match found.as_slice() {
        [(only, _)] => *only,
        found => called_with(m, found, call.args)?.unwrap_or(whole),
    }))
}

/// Returns the goal that these arguments fit: none of its arguments differs from them, and more are equal than in
/// any other goal. A variable may have been bound to anything.
fn called_with(
    m: &Machine,
    goals: &[(Span, Option<Cell>)],
    args: &[Cell],
) -> Result<Option<Span>, Stop> {
    let alike = |goal: Option<Cell>| {
        let (functor, given) = m.store.compound(goal?)?;
        let mut same = 0;
        for (index, &arg) in args.iter().enumerate().take(functor.arity()) {
            let given = m.store.deref(m.store.arg(given, index));
            same += usize::from(given == arg);
            if given != arg && !given.is_var() {
                return None;
            }
        }
        Some(same)
    };
    let alike: Vec<Option<usize>> = goals.iter().map(|goal| alike(goal.1)).gather()?;
    let most = alike.iter().copied().max().flatten();
    let Some(most) = most.filter(|_| !args.is_empty()) else {
        return Ok(None);
    };
    let mut best = (0..goals.len()).filter(|&index| alike[index] == Some(most));
    match (best.next(), best.next()) {
        (Some(only), None) => Ok(Some(goals[only].0)),
        _ => Ok(None),
    }
}

/// Reads a term and passes its tree to `work`. Returns `None` if the term cannot be read.
pub(crate) fn with_tree<T>(
    m: &mut Machine,
    text: &str,
    at: &mut usize,
    work: impl FnOnce(&mut Machine, &Ast) -> Result<Option<T>, Stop>,
) -> Result<Option<T>, Stop> {
    with_ast(m, |m, ast| match read_tree(m, text, at, true, ast) {
        Ok(true) => work(m, ast),
        _ => Ok(None),
    })
}

pub(crate) fn compound(ast: &Ast, id: NodeId) -> Option<(Functor, &[NodeId])> {
    match ast.node(id) {
        Node::Compound { functor, first } => {
            let first = *first as usize;
            Some((*functor, &ast.args[first..first + functor.arity()]))
        }
        _ => None,
    }
}

/// Returns the goal of a lambda term `Parameters>>Goal`.
fn lambda_body(ast: &Ast, id: NodeId) -> Option<NodeId> {
    match compound(ast, unqualified(ast, id))? {
        (functors::LAMBDA_GOAL, args) => Some(args[1]),
        _ => None,
    }
}

/// Returns the term without `Module:` before it.
pub(crate) fn unqualified(ast: &Ast, mut id: NodeId) -> NodeId {
    while let Some((functors::COLON, args)) = compound(ast, id) {
        id = args[1];
    }
    id
}

/// Returns name and arity of a callable term with `more` further arguments.
pub(crate) fn functor_of(
    m: &mut Machine,
    ast: &Ast,
    id: NodeId,
    more: usize,
) -> Result<Option<Functor>, Stop> {
    let (name, arity) = match ast.node(id) {
        Node::Atom(name) => (*name, 0),
        Node::Compound { functor, .. } => (m.world.symbols.name(*functor), functor.arity()),
        _ => return Ok(None),
    };
    Ok(Some(m.world.symbols.functor_passing(name, arity + more)?))
}

/// Returns whether the functor is a control construct.
pub(crate) fn is_control(functor: Functor) -> bool {
    matches!(
        functor,
        functors::COMMA
            | functors::SEMICOLON
            | functors::ARROW
            | functors::SOFT_ARROW
            | functors::BAR
    )
}

/// Returns whether a goal that is passed as an argument is called as a term. This is so if one of its
/// variables also occurs before `start`.
fn called_whole(ast: &Ast, goal: NodeId, start: u32) -> Result<bool, Stop> {
    let mut todo = vec![goal];
    while let Some(part) = todo.pop() {
        match (ast.node(part), compound(ast, part)) {
            (Node::Var(variable), _) => {
                let before = |(node, span): (&Node, &Span)| {
                    span.start < start && matches!(node, Node::Var(other) if other == variable)
                };
                if ast.nodes.iter().zip(&ast.spans).any(before) {
                    return Ok(true);
                }
            }
            (_, Some((functor, args))) if is_control(functor) => {
                todo.put_all(args.iter().copied())?
            }
            (_, Some((functors::COLON, args))) => todo.put(args[1])?,
            _ => {}
        }
    }
    Ok(false)
}

/// Returns the goals of a body, or of the body of a grammar rule, that have this name and arity. A
/// variable is a goal of call/1.
pub(crate) fn goals_named(
    m: &mut Machine,
    ast: &Ast,
    body: NodeId,
    grammar: bool,
    wanted: Functor,
) -> Result<Vec<Span>, Stop> {
    let found = goals_with_terms(m, ast, (body, None), grammar, wanted)?;
    found.into_iter().map(|(span, _)| span).gather()
}

/// Returns the same goals, each with its subterm in the term of the body.
fn goals_with_terms(
    m: &mut Machine,
    ast: &Ast,
    (body, term): (NodeId, Option<Cell>),
    grammar: bool,
    wanted: Functor,
) -> Result<Vec<(Span, Option<Cell>)>, Stop> {
    // The bodies of lambda terms are goals of the called predicate, not of the clause.
    let lambdas = term.is_some();
    let mut found = Vec::new();
    // With each goal that is passed to another goal: the end of the text before it that may bind
    // its variables.
    let mut todo = vec![(body, term, grammar, None)];
    while let Some((goal, term, grammar, before)) = todo.pop() {
        let plain = unqualified(ast, goal);
        let term = term.map(|term| m.strip_module(term, atoms::USER).0);
        let whole = match before.filter(|_| !grammar) {
            Some(before) => called_whole(ast, goal, before)?,
            None => false,
        };
        if whole || matches!(ast.node(plain), Node::Var(_)) && !grammar {
            if wanted == functors::CALL1 {
                found.put((ast.spans[goal.0 as usize], term))?;
            }
            continue;
        }
        if let Some((functor, args)) = compound(ast, plain) {
            let part = |m: &Machine, index: usize| match m.store.compound(term?) {
                Some((found, args)) if found == functor => Some(m.store.arg(args, index)),
                _ => None,
            };
            let mut first = 0;
            let inner: &[NodeId] = match functor {
                functor if is_control(functor) => args,
                functors::NOT | functors::CALL1 if !grammar || functor == functors::NOT => args,
                functors::ONCE1 | functors::IGNORE1 | functors::NOT1 | functors::FORALL2
                    if !grammar =>
                {
                    args
                }
                functors::FINDALL3 if !grammar => {
                    if wanted == functor {
                        found.put((ast.spans[goal.0 as usize], term))?;
                    }
                    first = 1;
                    &args[1..2]
                }
                functors::CURLY1 if grammar => {
                    todo.put((args[0], part(m, 0), false, None))?;
                    continue;
                }
                _ => &[],
            };
            if !inner.is_empty() {
                for (index, &inner) in inner.iter().enumerate().rev() {
                    let before = if index == 0 { goal } else { inner };
                    let before = ast.spans[before.0 as usize].start;
                    let handed = (!is_control(functor)).then_some(before);
                    todo.put((inner, part(m, first + index), grammar, handed))?;
                }
                continue;
            }
            if lambdas {
                let bodies = args.iter().filter_map(|&arg| lambda_body(ast, arg));
                todo.put_all(bodies.map(|body| (body, None, false, None)))?;
            }
        }
        let more = if grammar { 2 } else { 0 };
        if functor_of(m, ast, plain, more)? == Some(wanted) {
            found.put((ast.spans[goal.0 as usize], term))?;
        }
    }
    Ok(found)
}
