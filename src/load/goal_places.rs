//! Where goals stand in the texts of clauses and queries.
//!
//! A clause keeps its file and line, and the numbers of its goals (`front::goal_numbers`). Where a goal stands is found
//! when it is wanted: the one clause is read again, and its tree is walked along with the term that the clause is kept
//! as. A goal that was expanded has the place of what the text has for it. If the file has changed since, the line is
//! all that is told.

use super::diagnostic::Place;
use super::encoding_directive::read_program_again;
use super::lolli_origin::{self, is_lolli};
use super::parts::{Part, find};
use super::passed::{Handed, handed};
use crate::base::grow::{Gather, Grow, GrowTable, joined};
use crate::base::source::Span;
use crate::base::symbol::{FastMap, Functor, atoms, functors};
use crate::builtins::clause_reader::{read_tree, with_ast};
use crate::builtins::errors_io::may_take;
use crate::front::goal_numbers::goals_of;
use crate::ir::clause::GoalNumber;
use crate::machine::state::Machine;
use crate::program::clause_list::Clause;
use crate::program::predicate::PredId;
use crate::store::cell::{Addr, Cell};
use crate::store::heap::View;
use crate::text::ast::{Ast, Node, NodeId};

/// A goal of a clause.
#[derive(Copy, Clone)]
pub(super) struct GoalOf {
    /// The body of the clause.
    body: Cell,
    number: GoalNumber,
    /// Name and arity; those of call/1 if it is a term that is called.
    pub(super) functor: Functor,
}

/// The goal of a clause that an instruction belongs to.
pub(super) fn goal_of(m: &mut Machine, clause: &Clause, address: Addr) -> Option<GoalOf> {
    numbered_goal(m, clause, clause.goal_at(address)?)
}

/// The goal of a clause that has this number.
pub(super) fn numbered_goal(
    m: &mut Machine,
    clause: &Clause,
    number: GoalNumber,
) -> Option<GoalOf> {
    let body = body_of(m, clause)?;
    let mut goals = goals_of(&m.store, body, ());
    for _ in 1..number {
        goals.next(|(), _, _| ())?;
    }
    let (goal, ()) = goals.next(|(), _, _| ()).filter(|_| number > 0)?;
    let functor = called_functor(m, goal)?;
    Some(GoalOf {
        body,
        number,
        functor,
    })
}

/// The goals of a body that call something.
pub(super) fn numbered_goals(m: &Machine, body: Cell) -> Vec<(GoalNumber, Cell)> {
    let mut found = Vec::new();
    let (mut goals, mut number) = (goals_of(&m.store, body, ()), 0);
    while let Some((goal, ())) = goals.next(|(), _, _| ()) {
        number += 1;
        let control = m.store.compound(goal);
        if !matches!(m.store.view(goal), View::Var(_))
            && !control.is_some_and(|(functor, _)| is_control(functor))
        {
            found.put((number, goal));
        }
    }
    found
}

fn body_of(m: &Machine, clause: &Clause) -> Option<Cell> {
    match m.store.view(clause.source()) {
        View::Struct(functors::NECK, args) if !clause.is_fact() => Some(m.store.arg(args, 1)),
        _ => None,
    }
}

/// Name and arity of what a goal calls.
fn called_functor(m: &mut Machine, goal: Cell) -> Option<Functor> {
    match m.store.view(goal) {
        View::Atom(name) => Some(m.symbols.functor_passing(name, 0)),
        View::Struct(functor, _) if is_control(functor) || functor == functors::COLON => {
            Some(functors::CALL1)
        }
        View::Struct(functor, _) => Some(functor),
        View::List(_) => Some(functors::LIST),
        View::Var(_) => Some(functors::CALL1),
        _ => None,
    }
}

impl GoalOf {
    /// How many goals of the same name and arity come before it in the clause, and how many there are.
    pub(super) fn among_its_like(&self, m: &mut Machine) -> (usize, usize) {
        let (mut found, mut number) = (Vec::new(), 0);
        let mut goals = goals_of(&m.store, self.body, ());
        while let Some((goal, ())) = goals.next(|(), _, _| ()) {
            number += 1;
            found.put((number, goal));
        }
        found.retain(|&(_, goal)| called_functor(m, goal) == Some(self.functor));
        let before = found.iter().filter(|goal| goal.0 < self.number).count();
        (before, found.len())
    }
}

/// The place of the goal that an instruction of a clause belongs to, or of the one among those it is handed,
/// such as bodies of lambda terms, that calls the culprit.
pub(super) fn place_of_call(
    m: &mut Machine,
    (id, clause, address): (PredId, &Clause, Addr),
    culprit: Option<Functor>,
) -> Option<Place> {
    let goal = goal_of(m, clause, address);
    if let (Some(outer), Some(culprit)) = (goal, culprit)
        && outer.functor != culprit
        && !is_lolli(&m.files.get(clause.file()).name)
    {
        let handed = handed(m, id, clause, culprit);
        return place_of(m, id, clause, Sought::Handed(outer, &handed));
    }
    place(m, id, clause, goal)
}

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
    let file = m.files.get(clause.file());
    let name = file.name.to_string();
    let line = clause.line() as usize;
    let text = match &file.text {
        Some(text) => text.clone(),
        None => {
            let read = read_program_again(&file.path, &|bytes| may_take(&m.store, bytes));
            // Without its text the line is all there is to tell.
            read.unwrap_or_default().into()
        }
    };
    let start = match line {
        0 | 1 => Some(0),
        _ => text.match_indices('\n').nth(line - 2).map(|(at, _)| at + 1),
    };
    let head = m.predicates.get(id).functor;
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
    let (mut at, mut likely, mut possible) = (start, None, None);
    while at <= end
        && let Some(found) = in_clause(m, text, &mut at, head, sought)
    {
        match found {
            Found::Nothing => {}
            Found::Sure(span) => return Some(span),
            Found::Likely(span) => likely = likely.or(Some(span)),
            Found::Possible(span) => possible = possible.or(Some(span)),
        }
    }
    likely.or(possible)
}

enum Found {
    /// It is another clause.
    Nothing,
    /// It is there.
    Sure(Span),
    /// It is there unless it is in another clause of the same line.
    Likely(Span),
    /// It is there if no clause of the line has the head, which another one may have been made for.
    Possible(Span),
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
        let (mut body, mut grammar, mut form) = (None, false, Form::Same);
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
            form = Form::Pushback(args[1]);
        }
        let more = if grammar { 2 } else { 0 };
        let is_head = functor_of(m, ast, root, more) == Some(head);
        let whole = body.map(|node| InText {
            node,
            grammar,
            form,
        });
        let found = match (whole, sought) {
            (Some(whole), Sought::Goal(Some(goal)) | Sought::Handed(goal, _)) if !is_head => {
                return match span_of(m, ast, whole, goal) {
                    Some(Found::Sure(span)) => Found::Possible(span),
                    _ => Found::Nothing,
                };
            }
            _ if !is_head => return Found::Nothing,
            (_, Sought::Part(term, part)) => part_in(m, ast, term, part).map(Found::Sure),
            (Some(whole), Sought::Goal(Some(goal))) => span_of(m, ast, whole, goal),
            (Some(whole), Sought::Handed(goal, handed)) => match span_of(m, ast, whole, goal) {
                Some(Found::Sure(outer) | Found::Likely(outer)) => {
                    let inner = handed_in(m, ast, outer, handed);
                    Some(inner.map_or(Found::Likely(outer), Found::Sure))
                }
                found => found,
            },
            _ => None,
        };
        found.unwrap_or(Found::Likely(ast.span(root)))
    })
}

/// What the text has for a goal of the term that a clause is kept as.
#[derive(Copy, Clone)]
struct InText {
    /// A node of the tree that it stands for, or that it is a part of.
    node: NodeId,
    /// Is that part of the body of a grammar rule?
    grammar: bool,
    form: Form,
}

#[derive(Copy, Clone, PartialEq)]
enum Form {
    /// It is the goal that the node is.
    Same,
    /// It is `\+ Goal`, for which a grammar rule gets a conjunction.
    Not,
    /// It is a part of what the node was expanded to.
    Part,
    /// It is a part of what grammar rules get for the node.
    Translated,
    /// It is the body of a grammar rule with the node, and then this pushback.
    Pushback(NodeId),
}

/// What the text has for a goal in a goal of this functor that the text has something for.
fn inner_in_text(ast: &Ast, outer: InText, functor: Functor, index: usize) -> InText {
    let InText {
        node,
        grammar,
        form,
    } = outer;
    let inner = |node: NodeId, grammar: bool, form: Form| InText {
        node,
        grammar,
        form,
    };
    let plain = unqualified(ast, node);
    match (compound(ast, plain), form) {
        (Some((_, args)), Form::Not) => inner(args[0], grammar, Form::Same),
        (_, Form::Pushback(pushback)) => inner([node, pushback][index.min(1)], grammar, Form::Same),
        (_, Form::Part | Form::Translated) => outer,
        (Some((functors::NOT, _)), _) if grammar && functor == functors::COMMA && index == 0 => {
            inner(node, true, Form::Not)
        }
        (Some((functors::CURLY1, args)), _)
            if grammar && functor == functors::COMMA && index == 0 =>
        {
            inner(args[0], false, Form::Same)
        }
        (Some((found, args)), _)
            if (!grammar || is_control(found))
                && (found == functor
                    || (found, functor) == (functors::BAR, functors::SEMICOLON)) =>
        {
            inner(args[index], grammar, Form::Same)
        }
        _ if grammar && functor == functors::COMMA => inner(node, true, Form::Translated),
        _ => inner(node, grammar, Form::Part),
    }
}

/// Is this the goal that the text has there, or what a grammar rule gets for it?
fn is_in_text(m: &mut Machine, ast: &Ast, goal: Cell, place: InText) -> bool {
    let InText {
        node,
        grammar,
        form,
    } = place;
    let plain = unqualified(ast, node);
    let found = match m.store.view(goal) {
        View::Atom(name) => Some(m.symbols.functor_passing(name, 0)),
        _ => m.store.compound(goal).map(|(functor, _)| functor),
    };
    let is_comma = found == Some(functors::COMMA);
    let is_equal = found == Some(functors::EQUAL);
    match (form, ast.node(plain)) {
        (Form::Translated, _) => is_equal || matches!(found, Some(f) if f.arity() == 0),
        (Form::Part, _) => false,
        (Form::Pushback(_), _) => is_comma,
        (_, Node::Var(_)) => grammar || matches!(m.store.view(goal), View::Var(_)),
        (Form::Not, _) => found == Some(functors::NOT),
        (_, Node::Atom(atoms::CUT | atoms::CURLY)) if grammar => is_comma,
        (_, Node::Atom(atoms::NIL)) if grammar => is_equal,
        (_, Node::Compound { functor, .. }) => {
            let same = match *functor {
                functors::BAR => {
                    [functors::BAR, functors::SEMICOLON].contains(&found.unwrap_or(functors::BAR))
                }
                functors::NOT | functors::CURLY1 if grammar => is_comma,
                functors::LIST if grammar => is_equal,
                functor if grammar && !is_control(functor) => functor_of(m, ast, plain, 2) == found,
                functor => found == Some(functor),
            };
            same || found.is_none()
        }
        (_, Node::Atom(_)) => functor_of(m, ast, plain, if grammar { 2 } else { 0 }) == found,
        // Terminals in quotes.
        _ => grammar && is_equal,
    }
}

/// Where the goal stands in a body, or in the body of a grammar rule. It is sure if the text has the same goals as the
/// clause.
fn span_of(m: &mut Machine, ast: &Ast, whole: InText, goal: GoalOf) -> Option<Found> {
    let (mut all, mut goals) = (Vec::new(), goals_of(&m.store, goal.body, whole));
    while let Some(next) =
        goals.next(|&outer, functor, index| inner_in_text(ast, outer, functor, index))
    {
        all.put(next);
    }
    let &(_, sought) = all.get(goal.number as usize - 1)?;
    let span = ast.span(sought.node);
    if all.iter().all(|&(goal, at)| is_in_text(m, ast, goal, at)) {
        return Some(Found::Sure(span));
    }
    // Goals were expanded. What has the place of one that is no longer there is what it was expanded to.
    let more = if sought.grammar { 2 } else { 0 };
    let name = functor_of(m, ast, unqualified(ast, sought.node), more);
    let gone = |m: &mut Machine, name| {
        all.iter()
            .all(|goal| called_functor(m, goal.0) != Some(name))
    };
    if let Some(name) = name.filter(|&name| !is_control(name))
        && gone(m, name)
    {
        return Some(Found::Likely(span));
    }
    let found = goals_named(m, ast, whole.node, whole.grammar, goal.functor);
    let (before, like) = goal.among_its_like(m);
    let span = match found.as_slice() {
        [only] => Some(*only),
        found if found.len() == like => found.get(before).copied(),
        _ => name.filter(|&name| !is_control(name)).map(|_| span),
    };
    span.map(Found::Likely)
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
            .is_none_or(|culprit| m.symbols.name(culprit) != atoms::CALL)
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
        Node::Compound { functor, .. } => (m.symbols.name(*functor), functor.arity()),
        _ => return None,
    };
    Some(m.symbols.functor_passing(name, arity + more))
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
fn goals_named(
    m: &mut Machine,
    ast: &Ast,
    body: NodeId,
    grammar: bool,
    wanted: Functor,
) -> Vec<Span> {
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
