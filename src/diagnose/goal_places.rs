//! The places of goals in the texts of clauses.
//!
//! A clause keeps its file and line, and the numbers of its goals (`front::goal_numbers`). The place of a goal is
//! computed on demand: the clause is read again, and its tree is traversed together with the stored term of the
//! clause. An expanded goal gets the place of its source in the text. If the file has changed since, only the line is
//! reported.

use super::handed_goals::{PassedGoals, passed_goals};
use crate::base::atom_table::{FastMap, Functor, atoms, functors};
use crate::base::growth::{Grow, GrowMap, require_memory};
use crate::base::source::Span;
use crate::base::stop::Stop;
use crate::builtins::streams::errors_io::may_take;
use crate::front::goal_numbers::goals_of;
use crate::ir::clause::GoalNumber;
use crate::machine::state::Machine;
use crate::program::clauses::clause::ClauseTerm;
use crate::program::clauses::clause_list::Clause;
use crate::program::predicate::PredId;
use crate::source::diagnostic::Location;
use crate::source::encoding_directive::read_program_again;
use crate::source::language::lolli;
use crate::source::named_goals::{
    compound, functor_of, goals_named, is_control, unqualified, with_tree,
};
use crate::source::parts::{Part, find};
use crate::source::permits;
use crate::source::program_names::is_lolli;
use crate::store::address::CodeAddr;
use crate::store::cell::Cell;
use crate::store::heap::View;
use crate::text::ast::{Ast, Node, NodeId};

/// A goal of a clause.
pub(super) struct GoalOf {
    /// The body of the clause, in this term.
    body: Cell,
    _term: ClauseTerm,
    number: GoalNumber,
    /// Name and arity; those of call/1 for a term that is called.
    pub(super) functor: Functor,
}

/// Returns the goal of a clause that an instruction belongs to.
pub(super) fn goal_of(
    m: &mut Machine,
    clause: &Clause,
    address: CodeAddr,
) -> Result<Option<GoalOf>, Stop> {
    match clause.goal_at(address) {
        Some(number) => numbered_goal(m, clause, number),
        None => Ok(None),
    }
}

/// Returns the goal of a clause with this number.
pub(super) fn numbered_goal(
    m: &mut Machine,
    clause: &Clause,
    number: GoalNumber,
) -> Result<Option<GoalOf>, Stop> {
    if clause.is_fact() {
        return Ok(None);
    }
    let term = clause.term()?;
    let View::Struct(functors::NECK, args) = m.store.view(term.root()) else {
        return Ok(None);
    };
    let body = m.store.arg(args, 1);
    let mut goals = goals_of(&m.store, body, ());
    let mut found = None;
    for _ in 0..number {
        found = goals.next(|(), _, _| ())?;
        if found.is_none() {
            break;
        }
    }
    let Some((goal, ())) = found else {
        return Ok(None);
    };
    let functor = called_functor(m, goal)?;
    Ok(functor.map(|functor| GoalOf {
        body,
        _term: term,
        number,
        functor,
    }))
}

/// Returns the goals of a body that call a predicate.
pub(super) fn numbered_goals(m: &Machine, body: Cell) -> Result<Vec<(GoalNumber, Cell)>, Stop> {
    let mut found = Vec::new();
    let (mut goals, mut number) = (goals_of(&m.store, body, ()), 0);
    while let Some((goal, ())) = goals.next(|(), _, _| ())? {
        number += 1;
        let control = m.store.compound(goal);
        if !matches!(m.store.view(goal), View::Var(_))
            && !control.is_some_and(|(functor, _)| is_control(functor))
        {
            found.put((number, goal))?;
        }
    }
    Ok(found)
}

/// Returns name and arity of the predicate that a goal calls.
fn called_functor(m: &mut Machine, goal: Cell) -> Result<Option<Functor>, Stop> {
    Ok(match m.store.view(goal) {
        View::Atom(name) => Some(m.world.symbols.functor_passing(name, 0)?),
        View::Struct(functor, _) if is_control(functor) || functor == functors::COLON => {
            Some(functors::CALL1)
        }
        View::Struct(functor, _) => Some(functor),
        View::List(_) => Some(functors::LIST),
        View::Var(_) => Some(functors::CALL1),
        _ => None,
    })
}

impl GoalOf {
    /// Returns how many goals with the same name and arity come before it in the clause, and how many
    /// there are.
    pub(super) fn among_its_like(&self, m: &mut Machine) -> Result<(usize, usize), Stop> {
        let (mut found, mut number) = (Vec::new(), 0);
        let mut goals = goals_of(&m.store, self.body, ());
        while let Some((goal, ())) = goals.next(|(), _, _| ())? {
            number += 1;
            found.put((number, goal))?;
        }
        let (mut before, mut like) = (0, 0);
        for (number, goal) in found {
            if called_functor(m, goal)? == Some(self.functor) {
                like += 1;
                before += usize::from(number < self.number);
            }
        }
        Ok((before, like))
    }
}

/// Returns the place of the goal that an instruction of a clause belongs to. The goal may have been passed
/// another goal, such as the body of a lambda term. If that goal calls the culprit, returns its place.
pub(super) fn place_of_call(
    m: &mut Machine,
    (id, clause, address): (PredId, &Clause, CodeAddr),
    culprit: Option<Functor>,
) -> Result<Option<Location>, Stop> {
    let goal = goal_of(m, clause, address)?;
    if let (Some(outer), Some(culprit)) = (&goal, culprit)
        && outer.functor != culprit
        && !is_lolli(&m.world.files.get(clause.file()).name)
        && let Some(handed) = passed_goals(m, id, clause, culprit)?
    {
        return place_of(m, id, clause, Target::Handed(outer, &handed));
    }
    place(m, id, clause, goal)
}

/// Returns the place of a goal of a clause; if it is not found, the place of the head or of the
/// line.
pub(super) fn place(
    m: &mut Machine,
    id: PredId,
    clause: &Clause,
    goal: Option<GoalOf>,
) -> Result<Option<Location>, Stop> {
    place_of(m, id, clause, Target::Goal(goal.as_ref()))
}

/// Returns the place of a part of the term of a clause, or of its head.
pub(super) fn place_of_part(
    m: &mut Machine,
    id: PredId,
    clause: &Clause,
    (term, part): (Cell, Part),
) -> Result<Option<Location>, Stop> {
    place_of(m, id, clause, Target::Part(term, part))
}

/// The part of a clause to find.
#[derive(Copy, Clone)]
enum Target<'a> {
    Goal(Option<&'a GoalOf>),
    /// One of the goals that are passed to the goal.
    Handed(&'a GoalOf, &'a PassedGoals),
    Part(Cell, Part),
}

fn place_of(
    m: &mut Machine,
    id: PredId,
    clause: &Clause,
    sought: Target<'_>,
) -> Result<Option<Location>, Stop> {
    let file = m.world.files.get(clause.file());
    let name = file.name.to_string();
    let line = clause.line() as usize;
    let text = match &file.text {
        Some(text) => text.clone(),
        None => {
            let _at_work = m.world.host.directory.enter();
            let read = read_program_again(permits::load(), &file.path, &|bytes| {
                may_take(&m.store, bytes)
            });
            // Without the text, only the line is known.
            let read = read.unwrap_or_default();
            require_memory(read.len())?;
            read.into()
        }
    };
    let start = match line {
        0 | 1 => Some(0),
        _ => text.match_indices('\n').nth(line - 2).map(|(at, _)| at + 1),
    };
    let head = m.world.predicates.get(id).functor;
    let found = match sought {
        Target::Goal(goal) if is_lolli(&name) => {
            let like = match goal {
                Some(goal) => Some((goal.functor, goal.among_its_like(m)?)),
                None => None,
            };
            match lolli(m) {
                Some(lolli) => lolli.span_in(m, &text, line, like)?,
                None => None,
            }
        }
        _ => match start {
            Some(start) => in_prolog(m, &text, start, head, sought)?,
            None => None,
        },
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
    Ok(Some(Location::new(&name, &text, span, line)))
}

/// Returns the place of a goal in one of the clauses that begin in the line starting at byte `start`; the
/// predicate of the clause is `head`.
fn in_prolog(
    m: &mut Machine,
    text: &str,
    start: usize,
    head: Functor,
    sought: Target<'_>,
) -> Result<Option<Span>, Stop> {
    let end = text[start..].find('\n').map_or(text.len(), |at| start + at);
    let (mut at, mut likely, mut possible) = (start, None, None);
    while at <= end
        && let Some(found) = in_clause(m, text, &mut at, head, sought)?
    {
        match found {
            Found::Nothing => {}
            Found::Sure(span) => return Ok(Some(span)),
            Found::Likely(span) => likely = likely.or(Some(span)),
            Found::Possible(span) => possible = possible.or(Some(span)),
        }
    }
    Ok(likely.or(possible))
}

enum Found {
    /// The place is in another clause.
    Nothing,
    /// The place is certain.
    Sure(Span),
    /// The place is right unless the goal is in another clause of the same line.
    Likely(Span),
    /// The place is right if no clause of the line has the head. Expansion may have changed the
    /// head of this clause.
    Possible(Span),
}

/// Searches for the goal in the clause that begins at `*at`. Returns `None` if no clause can be
/// read there.
fn in_clause(
    m: &mut Machine,
    text: &str,
    at: &mut usize,
    head: Functor,
    sought: Target<'_>,
) -> Result<Option<Found>, Stop> {
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
        let is_head = functor_of(m, ast, root, more)? == Some(head);
        let whole = body.map(|node| InText {
            node,
            grammar,
            form,
        });
        let found = match (whole, sought) {
            (Some(whole), Target::Goal(Some(goal)) | Target::Handed(goal, _)) if !is_head => {
                return Ok(Some(match span_of(m, ast, whole, goal)? {
                    Some(Found::Sure(span)) => Found::Possible(span),
                    _ => Found::Nothing,
                }));
            }
            _ if !is_head => return Ok(Some(Found::Nothing)),
            (_, Target::Part(term, part)) => part_in(m, ast, term, part)?.map(Found::Sure),
            (Some(whole), Target::Goal(Some(goal))) => span_of(m, ast, whole, goal)?,
            (Some(whole), Target::Handed(goal, handed)) => match span_of(m, ast, whole, goal)? {
                Some(found @ (Found::Sure(outer) | Found::Likely(outer))) => {
                    let inner = handed_in(m, ast, outer, handed)?;
                    Some(inner.map_or(found, Found::Sure))
                }
                found => found,
            },
            _ => None,
        };
        Ok(Some(found.unwrap_or(Found::Likely(ast.span(root)))))
    })
}

/// The source in the text for a goal of the stored term of a clause.
#[derive(Copy, Clone)]
struct InText {
    /// A node of the tree that the goal comes from, or is a part of.
    node: NodeId,
    /// Whether the node is part of the body of a grammar rule.
    grammar: bool,
    form: Form,
}

#[derive(Copy, Clone, PartialEq)]
enum Form {
    /// The goal is the node itself.
    Same,
    /// The goal is `\+ Goal`, which a grammar rule translates to a conjunction.
    Not,
    /// The goal is a part of the expansion of the node.
    Part,
    /// The goal is a part of the translation of the node by grammar rules.
    Translated,
    /// The goal is the body of a grammar rule with this node, followed by this pushback.
    Pushback(NodeId),
}

/// Returns the source in the text for a goal inside a goal with this functor, whose source is
/// known.
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

/// Returns whether the goal is the one in the text at this place, or its translation by a grammar
/// rule.
fn is_in_text(m: &mut Machine, ast: &Ast, goal: Cell, place: InText) -> Result<bool, Stop> {
    let InText {
        node,
        grammar,
        form,
    } = place;
    let plain = unqualified(ast, node);
    let found = match m.store.view(goal) {
        View::Atom(name) => Some(m.world.symbols.functor_passing(name, 0)?),
        _ => m.store.compound(goal).map(|(functor, _)| functor),
    };
    let is_comma = found == Some(functors::COMMA);
    let is_equal = found == Some(functors::EQUAL);
    Ok(match (form, ast.node(plain)) {
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
                functor if grammar && !is_control(functor) => {
                    functor_of(m, ast, plain, 2)? == found
                }
                functor => found == Some(functor),
            };
            same || found.is_none()
        }
        (_, Node::Atom(_)) => functor_of(m, ast, plain, if grammar { 2 } else { 0 })? == found,
        // Terminals in quotes.
        _ => grammar && is_equal,
    })
}

/// Returns the place of the goal in a body, or in the body of a grammar rule. The place is certain if the text has
/// the same goals as the clause.
fn span_of(
    m: &mut Machine,
    ast: &Ast,
    whole: InText,
    goal: &GoalOf,
) -> Result<Option<Found>, Stop> {
    let (mut all, mut goals) = (Vec::new(), goals_of(&m.store, goal.body, whole));
    while let Some(next) =
        goals.next(|&outer, functor, index| inner_in_text(ast, outer, functor, index))?
    {
        all.put(next)?;
    }
    let Some(&(_, sought)) = all.get(goal.number as usize - 1) else {
        return Ok(None);
    };
    let span = ast.span(sought.node);
    let mut same = true;
    for &(goal, at) in &all {
        same = same && is_in_text(m, ast, goal, at)?;
    }
    if same {
        return Ok(Some(Found::Sure(span)));
    }
    // Goals were expanded. If a goal of the text is no longer in the clause, its place belongs to its
    // expansion.
    let more = if sought.grammar { 2 } else { 0 };
    let name = functor_of(m, ast, unqualified(ast, sought.node), more)?;
    let name = name.filter(|&name| !is_control(name));
    if name.is_some() {
        let mut gone = true;
        for &(goal, _) in &all {
            gone = gone && called_functor(m, goal)? != name;
        }
        if gone {
            return Ok(Some(Found::Likely(span)));
        }
    }
    let found = goals_named(m, ast, whole.node, whole.grammar, goal.functor)?;
    let (before, like) = goal.among_its_like(m)?;
    let span = match found.as_slice() {
        [only] => Some(*only),
        found if found.len() == like => found.get(before).copied(),
        _ => name.map(|_| span),
    };
    Ok(span.map(Found::Likely))
}

/// Returns the place of the goal that calls the culprit, if it is certain. It is one of the goals passed to the
/// goal at `outer`.
fn handed_in(
    m: &Machine,
    ast: &Ast,
    outer: Span,
    handed: &PassedGoals,
) -> Result<Option<Span>, Stop> {
    let mut spans = FastMap::default();
    for &part in handed.likely.iter().chain(&handed.others) {
        spans.put_entry(part, Span::default())?;
    }
    find(m, ast, handed.term.root(), &mut spans)?;
    let inside = |part: &&Part| {
        let span = spans.get(part).copied().unwrap_or_default();
        span != Span::default() && outer.start <= span.start && span.end <= outer.end
    };
    let mut likely = handed.likely.iter().filter(inside);
    let (Some(only), None, None) = (
        likely.next(),
        likely.next(),
        handed.others.iter().find(inside),
    ) else {
        return Ok(None);
    };
    Ok(spans.get(only).copied())
}

/// Returns the place of a part of a term in the text that the term was read from.
fn part_in(m: &Machine, ast: &Ast, term: Cell, part: Part) -> Result<Option<Span>, Stop> {
    let mut spans = FastMap::default();
    spans.put_entry(part, Span::default())?;
    find(m, ast, term, &mut spans)?;
    Ok(spans.remove(&part).filter(|&span| span != Span::default()))
}
