//! Where in the source an exception came from: the innermost goal of the user's program whose call
//! raised it.
//!
//! A clause keeps its file and line only. What else is wanted is found when it is wanted: the clause
//! is compiled again to know which of its goals an address belongs to, and read again to know where
//! that goal stands. If the file has changed since, the line is all that is told.

use super::diagnostic::Place;
use super::encoding_directive::read_program_again;
use super::lolli_origin::{self, definitions, is_hidden, is_lolli, is_users};
use super::parts::{Part, find};
use super::passed::{Handed, handed};
use super::permits;
use crate::base::grow::{Gather, Grow, GrowBy, GrowTable, filled, joined};
use crate::base::source::Span;
use crate::base::symbol::{Atom, FastMap, FastSet, Functor, atoms, functors};
use crate::builtins::clause_goals::{GoalOf, goal_at};
use crate::builtins::clause_reader::{read_tree, with_ast};
use crate::builtins::errors_io::may_take;
use crate::code::instruction::{Op, ROWS, decode, wide};
use crate::machine::state::Machine;
use crate::machine::trace::Trace;
use crate::program::clause_list::Clause;
use crate::program::predicate::{Kind, PredId};
use crate::store::cell::{Addr, Cell, WORD};
use crate::store::heap::View;
use crate::text::ast::{Ast, Node, NodeId};

/// A last call is looked for in no more clauses than these.
const MAX_SEARCHED: usize = 10_000;

/// Where the exception was raised whose trace this is, by a query for `query`. None if no file of the
/// user's has to do with it.
pub(crate) fn origin(m: &mut Machine, trace: &Trace, query: Cell) -> Option<Place> {
    let (index, predicate, clause) = match innermost(m, &trace.addresses) {
        Some(found) => found,
        None => {
            let (roots, named) = called_by(m, query, &trace.addresses);
            if named.contains(&trace.culprit?) {
                // The query itself may have raised it.
                return None;
            }
            let (predicate, clause, address) = last_call(m, &roots, trace.culprit?)?;
            return place_of_call(m, (predicate, &clause, address), trace.culprit);
        }
    };
    // A continuation stands after the call.
    let address = trace.addresses[index] - if index == 0 { 0 } else { WORD };
    if m.world.predicates.get(predicate).module == atoms::LOLLI {
        return None;
    }
    if index > 0
        && let Some(culprit) = trace.culprit
        && let Some(called) = called(&clause, address)
        && m.world.predicates.get(called).functor != culprit
        && let Some((inner, clause, address)) = last_call(m, &[called], culprit)
    {
        return place_of_call(m, (inner, &clause, address), trace.culprit);
    }
    place_of_call(m, (predicate, &clause, address), trace.culprit)
}

/// The place of the goal that an instruction of a clause belongs to, or of the one among those it is handed,
/// such as bodies of lambda terms, that calls the culprit.
fn place_of_call(
    m: &mut Machine,
    (id, clause, address): (PredId, &Clause, Addr),
    culprit: Option<Functor>,
) -> Option<Place> {
    let goal = goal_of(m, id, clause, address);
    if let (Some(outer), Some(culprit)) = (goal, culprit)
        && outer.functor != culprit
        && !is_lolli(&m.world.files.get(clause.file()).name)
    {
        let handed = handed(m, id, clause, culprit);
        return place_of(m, id, clause, Sought::Handed(outer, &handed));
    }
    place(m, id, clause, goal)
}

/// The goal of a clause that an instruction belongs to.
pub(super) fn goal_of(
    m: &mut Machine,
    id: PredId,
    clause: &Clause,
    address: Addr,
) -> Option<GoalOf> {
    if is_lolli(&m.world.files.get(clause.file()).name) {
        return lolli_origin::goal_at(m, clause, address);
    }
    goal_at(m, id, clause, address)
}

/// The goals that consist of goals.
const CONSTRUCTS: [Functor; 3] = [functors::COMMA, functors::SEMICOLON, functors::ARROW];

/// Does a query consist of goals?
fn is_construct(m: &mut Machine, query: Cell) -> bool {
    let (goal, _) = m.strip_module(query, atoms::USER);
    let found = m.store.compound(goal);
    found.is_some_and(|(functor, _)| CONSTRUCTS.contains(&functor))
}

/// The predicates that a query calls whose goals may be under way with these continuations, and the names of
/// all that it calls in Prolog.
fn called_by(m: &mut Machine, query: Cell, continuations: &[Addr]) -> (Vec<PredId>, Vec<Functor>) {
    let (mut found, mut named) = (Vec::new(), Vec::new());
    // A conjunction within a goal, such as the body of a lambda term, goes on, too.
    let goes_on = is_construct(m, query) && goes_on(m, continuations);
    // With each goal: does the query end with it?
    let mut todo = vec![(query, atoms::USER, true)];
    while let Some((goal, module, ends)) = todo.pop() {
        let (goal, module) = m.strip_module(goal, module);
        if let Some(goal) = lolli_goal(m, goal, module) {
            let most = MAX_SEARCHED.saturating_sub(found.len());
            found.put_all(lolli_origin::called_by(m, goal, most));
            continue;
        }
        let functor = match m.store.view(goal) {
            View::Struct(functor, args) if CONSTRUCTS.contains(&functor) => {
                let either = functor == functors::SEMICOLON;
                todo.put_all([
                    (m.store.arg(args, 0), module, ends && either),
                    (m.store.arg(args, 1), module, ends),
                ]);
                if found.len() + todo.len() > MAX_SEARCHED {
                    return (found, named);
                }
                continue;
            }
            View::Struct(functor, _) => Some(functor),
            View::Atom(name) => Some(m.world.symbols.functor_passing(name, 0)),
            _ => None,
        };
        if ends != goes_on {
            let find = |&functor: &Functor| m.world.predicates.find(module, functor);
            found.put_all(functor.as_ref().and_then(find));
        }
        named.put_all(functor);
    }
    (found, named)
}

/// Is the goal that is under way with these continuations one that a query goes on after?
fn goes_on(m: &Machine, continuations: &[Addr]) -> bool {
    let system = &m.world.program.system;
    let constructs = [
        system.conjunction,
        system.if_then,
        system.if_then_else,
        system.soft_if_then,
        system.soft_if_then_else,
    ];
    let clauses = constructs
        .iter()
        .flat_map(|&id| m.world.predicates.get(id).clauses.iter());
    clauses
        .map(|(_, clause)| clause.addresses())
        .any(|range| continuations.iter().any(|address| range.contains(address)))
}

/// The goal of Lolli that a goal is for.
fn lolli_goal(m: &Machine, goal: Cell, module: Atom) -> Option<Cell> {
    if module == atoms::LOLLI {
        return Some(goal);
    }
    let (functor, args) = m.store.compound(goal)?;
    let asks = m.world.symbols.text(module) == "lolli_session"
        && matches!(
            m.world.symbols.text(m.world.symbols.name(functor)),
            "asked" | "query_in"
        );
    asks.then(|| m.store.arg(args, functor.arity() - 1))
}

/// The first of these addresses that lies in a clause of a file of the user's.
fn innermost(m: &mut Machine, addresses: &[Addr]) -> Option<(usize, PredId, Clause)> {
    addresses.iter().enumerate().find_map(|(index, &address)| {
        let (id, clause) = loaded_clause_at(m, address)?;
        // The one clause of a tabled predicate is not the user's: its own are those of another one.
        let tabled = m.world.predicates.get(id).traits.tabled;
        (!tabled).then_some((index, id, clause))
    })
}

/// The clause of a file of the user's that an address lies in.
pub(super) fn loaded_clause_at(m: &mut Machine, at: Addr) -> Option<(PredId, Clause)> {
    let (id, position) = m.world.predicates.loaded_at(at)?;
    let clause = m.world.predicates.get(id).clauses.get(position)?;
    is_of_user(m, id, clause).then(|| (id, clause.clone()))
}

/// Is the clause one of the user's?
pub(super) fn is_of_user(m: &Machine, id: PredId, clause: &Clause) -> bool {
    let module = m.world.predicates.get(id).module;
    if is_hidden(m, module) {
        return is_users(m, clause);
    }
    !m.is_system_module(module)
}

/// For each of these addresses the clause of the user's program that it lies in, also one that no file has. This
/// goes over all clauses.
pub(super) fn clauses_at(m: &Machine, addresses: &[Addr]) -> Vec<Option<(PredId, Clause)>> {
    let mut sorted: Vec<usize> = (0..addresses.len()).gather();
    sorted.sort_unstable_by_key(|&index| addresses[index]);
    let mut found = filled(None, addresses.len());
    for id in (0..m.world.predicates.len() as u32).map(PredId) {
        let module = m.world.predicates.get(id).module;
        if !is_hidden(m, module) && m.is_system_module(module) {
            continue;
        }
        for (_, clause) in m.world.predicates.get(id).clauses.iter() {
            let range = clause.addresses();
            let first = sorted.partition_point(|&index| addresses[index] < range.start);
            for &index in sorted[first..]
                .iter()
                .take_while(|&&index| addresses[index] < range.end)
            {
                if is_of_user(m, id, clause) {
                    found[index] = Some((id, clause.clone()));
                }
            }
        }
    }
    found
}

/// The instructions of a clause that call predicates: address, predicate, and whether it is the last
/// call.
pub(super) fn calls(clause: &Clause) -> Vec<(Addr, PredId, bool)> {
    let (code, mut at, mut found) = (clause.code(), 0, Vec::new());
    while let Some(op) = code.get(at).and_then(|&word| decode(word)) {
        let address = clause.entry() + at as u64 * WORD;
        let last = match op {
            Op::Call => Some(false),
            Op::Execute | Op::DeallocateExecute => Some(true),
            _ => None,
        };
        if let Some(last) = last {
            found.put((address, PredId(wide(code[at])), last));
        }
        at += ROWS[op as usize].words;
    }
    found
}

/// The predicate that the instruction which this address is in calls.
fn called(clause: &Clause, address: Addr) -> Option<PredId> {
    let calls = calls(clause);
    let call = calls.iter().rev().find(|call| call.0 <= address)?;
    Some(call.1)
}

/// The last call that last calls of these predicates have led to, if it is sure: the only one of
/// `culprit`, or of what calls goals that are not known before they run; or else the only one that
/// leaves the user's program.
fn last_call(
    m: &mut Machine,
    roots: &[PredId],
    culprit: Functor,
) -> Option<(PredId, Clause, Addr)> {
    let of_lolli = definitions(m);
    let mut todo = Vec::of(roots);
    let mut seen = FastSet::default();
    let (mut likely, mut outward, mut searched) = (Vec::new(), Vec::new(), 0);
    while let Some(id) = todo.pop() {
        let id = definition(m, id);
        let predicate = m.world.predicates.get(id);
        if let Some(definitions) = of_lolli.get(&id) {
            seen.make_room();
            if seen.insert(id) {
                todo.put_all(definitions.iter().copied());
            }
            continue;
        }
        let hidden = is_hidden(m, predicate.module);
        seen.make_room();
        if (!hidden && m.is_system_module(predicate.module)) || !seen.insert(id) {
            continue;
        }
        for (_, clause) in predicate.clauses.iter() {
            if hidden && !is_users(m, clause) {
                continue;
            }
            searched += 1;
            if searched > MAX_SEARCHED {
                return None;
            }
            let last = |call: &(Addr, PredId, bool)| call.2;
            for (address, callee, _) in calls(clause).into_iter().filter(last) {
                let target = definition(m, callee);
                let defined = of_lolli.contains_key(&target);
                let target = m.world.predicates.get(target);
                let found = (id, clause, address);
                let system = m.is_system_module(target.module);
                let calls = system && (target.sensitive() || target.kind == Kind::Control);
                if calls || m.world.predicates.get(callee).functor == culprit {
                    likely.put(found);
                }
                let outside = target.kind == Kind::Undefined || system;
                if outside && !defined {
                    outward.put(found);
                }
                todo.put(callee);
            }
        }
    }
    let only = match (likely.as_slice(), outward.as_slice()) {
        ([only], _) | (_, [only]) => only,
        _ => return None,
    };
    let (id, clause, address) = *only;
    (clause.file() != 0).then(|| (id, clause.clone(), address))
}

/// The predicate that an imported one is.
pub(super) fn definition(m: &Machine, mut id: PredId) -> PredId {
    while let Kind::Imported(target) = m.world.predicates.get(id).kind {
        id = target;
    }
    id
}

// ---- in the text ------------------------------------------------------------------------------

/// The place of a goal of a clause, or of its head if the goal is not to be found, or of its line.
pub(super) fn place(
    m: &mut Machine,
    id: PredId,
    clause: &Clause,
    goal: Option<GoalOf>,
) -> Option<Place> {
    place_of(m, id, clause, Sought::Goal(goal))
}

/// The place of a part of the term that a clause is kept as, or of its head.
pub(super) fn place_of_part(
    m: &mut Machine,
    id: PredId,
    clause: &Clause,
    part: Part,
) -> Option<Place> {
    place_of(m, id, clause, Sought::Part(clause.source(), part))
}

/// What is looked for in a clause.
#[derive(Copy, Clone)]
enum Sought<'a> {
    Goal(Option<GoalOf>),
    /// One of the goals that the goal is handed.
    Handed(GoalOf, &'a Handed),
    Part(Cell, Part),
}

fn place_of(m: &mut Machine, id: PredId, clause: &Clause, sought: Sought<'_>) -> Option<Place> {
    let file = m.world.files.get(clause.file());
    let name = file.name.to_string();
    let line = clause.line() as usize;
    let text = match &file.text {
        Some(text) => text.clone(),
        None => {
            let read = read_program_again(permits::read(), &file.path, &|bytes| {
                may_take(&m.store, bytes)
            });
            // Without its text the line is all there is to tell.
            read.unwrap_or_default().into()
        }
    };
    let start = match line {
        0 | 1 => Some(0),
        _ => text.match_indices('\n').nth(line - 2).map(|(at, _)| at + 1),
    };
    let head = m.world.predicates.get(id).functor;
    let found = match sought {
        Sought::Goal(goal) if is_lolli(&name) => lolli_origin::span_in(m, &text, line, goal),
        _ => start.and_then(|start| in_prolog(m, &text, start, head, sought)),
    };
    let span = match (found, start) {
        (Some(span), _) => span,
        (None, Some(start)) => Span::new(start, start),
        (None, None) => Span::new(text.len(), text.len()),
    };
    let before = text.get(..span.start as usize).unwrap_or("");
    let line = match found {
        Some(_) => before.matches('\n').count() + 1,
        None => line,
    };
    Some(Place::new(&name, &text, span, line))
}

/// The place of a goal of a clause of a predicate, one of those that begin in the line which starts here.
fn in_prolog(
    m: &mut Machine,
    text: &str,
    start: usize,
    head: Functor,
    sought: Sought<'_>,
) -> Option<Span> {
    let end = text[start..].find('\n').map_or(text.len(), |at| start + at);
    let mut at = start;
    while at <= end {
        match in_clause(m, text, &mut at, head, sought)? {
            Found::Nothing => {}
            Found::At(span) => return Some(span),
        }
    }
    None
}

enum Found {
    /// It is another clause.
    Nothing,
    At(Span),
}

/// Looks for the goal in the clause that begins at `*at`. None if there is none to be read.
fn in_clause(
    m: &mut Machine,
    text: &str,
    at: &mut usize,
    head: Functor,
    sought: Sought<'_>,
) -> Option<Found> {
    with_tree(m, text, at, |m, ast| {
        let mut root = ast.root;
        let (mut body, mut grammar) = (None, false);
        if let Some((functor, args)) = compound(ast, root)
            && matches!(functor, functors::NECK | functors::DCG_ARROW)
        {
            root = args[0];
            body = Some(args[1]);
            grammar = functor == functors::DCG_ARROW;
        }
        root = unqualified(ast, root);
        if grammar && let Some((functors::COMMA, args)) = compound(ast, root) {
            root = unqualified(ast, args[0]);
        }
        let more = if grammar { 2 } else { 0 };
        if functor_of(m, ast, root, more) != Some(head) {
            return Found::Nothing;
        }
        let span = match (body, sought) {
            (_, Sought::Part(term, part)) => part_in(m, ast, term, part),
            (Some(body), Sought::Goal(Some(goal))) => span_of(m, ast, (body, grammar), goal),
            (Some(body), Sought::Handed(goal, handed)) => {
                let outer = span_of(m, ast, (body, grammar), goal);
                outer.map(|outer| handed_in(m, ast, outer, handed).unwrap_or(outer))
            }
            _ => None,
        };
        Found::At(span.unwrap_or(ast.spans[root.0 as usize]))
    })
}

/// Where the goal stands in a body, or in the body of a grammar rule.
fn span_of(
    m: &mut Machine,
    ast: &Ast,
    (body, grammar): (NodeId, bool),
    goal: GoalOf,
) -> Option<Span> {
    let found = goals(m, ast, body, grammar, goal.functor);
    match found.as_slice() {
        [only] => Some(*only),
        found if found.len() == goal.all => found.get(goal.before).copied(),
        _ => None,
    }
}

/// Where the goal stands that calls the culprit, of those that are handed to a goal that stands here, if it is sure.
fn handed_in(m: &Machine, ast: &Ast, outer: Span, handed: &Handed) -> Option<Span> {
    let mut spans = FastMap::default();
    for &part in handed.likely.iter().chain(&handed.others) {
        spans.make_room();
        spans.insert(part, Span::default());
    }
    find(m, ast, handed.term, &mut spans);
    let inside = |part: &&Part| {
        let span = spans.get(part).copied().unwrap_or_default();
        span != Span::default() && outer.start <= span.start && span.end <= outer.end
    };
    let mut likely = handed.likely.iter().filter(inside);
    let (only, None, None) = (
        likely.next()?,
        likely.next(),
        handed.others.iter().find(inside),
    ) else {
        return None;
    };
    spans.get(only).copied()
}

/// Where a part of a term stands in the text that it was read from.
fn part_in(m: &Machine, ast: &Ast, term: Cell, part: Part) -> Option<Span> {
    let mut spans = FastMap::default();
    spans.make_room();
    spans.insert(part, Span::default());
    find(m, ast, term, &mut spans);
    spans.remove(&part).filter(|&span| span != Span::default())
}

/// What a goal called when an exception was raised.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Call<'a> {
    /// The goal that ran, as it was before.
    pub(crate) goal: Cell,
    /// What it called.
    pub(crate) culprit: Option<Functor>,
    /// With these arguments, as far as they are known.
    pub(crate) args: &'a [Cell],
}

/// Where in the text of a query the goal stands that raised an exception: the one of that name
/// and arity with these arguments, or else the whole query.
pub(crate) fn in_query(m: &mut Machine, text: &str, call: Call<'_>) -> Option<Span> {
    let whole = joined(&[text, "\n."]);
    with_tree(m, &whole, &mut 0, |m, ast| {
        goal_in(m, ast, goal_of_directive(ast).unwrap_or(ast.root), call)
    })?
}

/// What a directive runs.
pub(super) fn goal_of_directive(ast: &Ast) -> Option<NodeId> {
    match compound(ast, ast.root) {
        Some((functors::QUERY | functors::DIRECTIVE, args)) => Some(args[0]),
        _ => None,
    }
}

/// The goal in a goal that the call is, or else all of it. None if the text does not say which goal it is.
pub(super) fn goal_in(m: &mut Machine, ast: &Ast, root: NodeId, call: Call<'_>) -> Option<Span> {
    if let Node::Var(_) = ast.node(root)
        && call
            .culprit
            .is_none_or(|culprit| m.world.symbols.name(culprit) != atoms::CALL)
    {
        return None;
    }
    let whole = ast.spans[root.0 as usize];
    let Some(wanted) = call.culprit else {
        return Some(whole);
    };
    let found = goals_with_terms(m, ast, (root, Some(call.goal)), false, wanted);
    Some(match found.as_slice() {
        [(only, _)] => *only,
        found => called_with(m, found, call.args).unwrap_or(whole),
    })
}

/// The goal that these arguments are those of: none of them differs, and more are the same than in any other goal.
/// A variable may have become anything.
fn called_with(m: &Machine, goals: &[(Span, Option<Cell>)], args: &[Cell]) -> Option<Span> {
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
    let alike: Vec<Option<usize>> = goals.iter().map(|goal| alike(goal.1)).gather();
    let most = alike.iter().copied().max()?.filter(|_| !args.is_empty())?;
    let mut best = (0..goals.len()).filter(|&index| alike[index] == Some(most));
    match (best.next(), best.next()) {
        (Some(only), None) => Some(goals[only].0),
        _ => None,
    }
}

/// Reads a term and has `work` look at its tree.
pub(super) fn with_tree<T>(
    m: &mut Machine,
    text: &str,
    at: &mut usize,
    work: impl FnOnce(&mut Machine, &Ast) -> T,
) -> Option<T> {
    with_ast(m, |m, ast| match read_tree(m, text, at, true, ast) {
        Ok(true) => Some(work(m, ast)),
        _ => None,
    })
}

pub(super) fn compound(ast: &Ast, id: NodeId) -> Option<(Functor, &[NodeId])> {
    match ast.node(id) {
        Node::Compound { functor, first } => {
            let first = *first as usize;
            Some((*functor, &ast.args[first..first + functor.arity()]))
        }
        _ => None,
    }
}

/// The goal of a lambda term, `Parameters>>Goal`.
fn lambda_body(ast: &Ast, id: NodeId) -> Option<NodeId> {
    match compound(ast, unqualified(ast, id))? {
        (functors::LAMBDA_GOAL, args) => Some(args[1]),
        _ => None,
    }
}

/// The term without `Module:` before it.
fn unqualified(ast: &Ast, mut id: NodeId) -> NodeId {
    while let Some((functors::COLON, args)) = compound(ast, id) {
        id = args[1];
    }
    id
}

/// Name and arity of a callable term with so many further arguments.
fn functor_of(m: &mut Machine, ast: &Ast, id: NodeId, more: usize) -> Option<Functor> {
    let (name, arity) = match ast.node(id) {
        Node::Atom(name) => (*name, 0),
        Node::Compound { functor, .. } => (m.world.symbols.name(*functor), functor.arity()),
        _ => return None,
    };
    Some(m.world.symbols.functor_passing(name, arity + more))
}

/// Is it a control construct?
fn is_control(functor: Functor) -> bool {
    matches!(
        functor,
        functors::COMMA
            | functors::SEMICOLON
            | functors::ARROW
            | functors::SOFT_ARROW
            | functors::BAR
    )
}

/// Is a goal that a goal is handed called as a term: is a variable among its parts that stands before `start`,
/// too?
fn called_whole(ast: &Ast, goal: NodeId, start: u32) -> bool {
    let mut todo = vec![goal];
    while let Some(part) = todo.pop() {
        match (ast.node(part), compound(ast, part)) {
            (Node::Var(variable), _) => {
                let before = |(node, span): (&Node, &Span)| {
                    span.start < start && matches!(node, Node::Var(other) if other == variable)
                };
                if ast.nodes.iter().zip(&ast.spans).any(before) {
                    return true;
                }
            }
            (_, Some((functor, args))) if is_control(functor) => todo.put_all(args.iter().copied()),
            (_, Some((functors::COLON, args))) => todo.put(args[1]),
            _ => {}
        }
    }
    false
}

/// The goals of a body, or of the body of a grammar rule, that have this name and arity. A variable is
/// one of call/1.
fn goals(m: &mut Machine, ast: &Ast, body: NodeId, grammar: bool, wanted: Functor) -> Vec<Span> {
    let found = goals_with_terms(m, ast, (body, None), grammar, wanted);
    found.into_iter().map(|(span, _)| span).gather()
}

/// The same, each with what it is in the term that the body is.
fn goals_with_terms(
    m: &mut Machine,
    ast: &Ast,
    (body, term): (NodeId, Option<Cell>),
    grammar: bool,
    wanted: Functor,
) -> Vec<(Span, Option<Cell>)> {
    // The bodies of lambda terms are goals of what is called, not of the clause.
    let lambdas = term.is_some();
    let mut found = Vec::new();
    // With each goal: if it is handed to a goal, where what may bind its variables before ends.
    let mut todo = vec![(body, term, grammar, None)];
    while let Some((goal, term, grammar, before)) = todo.pop() {
        let plain = unqualified(ast, goal);
        let term = term.map(|term| m.strip_module(term, atoms::USER).0);
        let whole = !grammar && before.is_some_and(|before| called_whole(ast, goal, before));
        if whole || matches!(ast.node(plain), Node::Var(_)) && !grammar {
            if wanted == functors::CALL1 {
                found.put((ast.spans[goal.0 as usize], term));
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
                        found.put((ast.spans[goal.0 as usize], term));
                    }
                    first = 1;
                    &args[1..2]
                }
                functors::CURLY1 if grammar => {
                    todo.put((args[0], part(m, 0), false, None));
                    continue;
                }
                _ => &[],
            };
            if !inner.is_empty() {
                for (index, &inner) in inner.iter().enumerate().rev() {
                    let before = if index == 0 { goal } else { inner };
                    let before = ast.spans[before.0 as usize].start;
                    let handed = (!is_control(functor)).then_some(before);
                    todo.put((inner, part(m, first + index), grammar, handed));
                }
                continue;
            }
            if lambdas {
                let bodies = args.iter().filter_map(|&arg| lambda_body(ast, arg));
                todo.put_all(bodies.map(|body| (body, None, false, None)));
            }
        }
        let more = if grammar { 2 } else { 0 };
        if functor_of(m, ast, plain, more) == Some(wanted) {
            found.put((ast.spans[goal.0 as usize], term));
        }
    }
    found
}
