//! What a clause tells of slips beside its variables: arithmetic that nothing computes, clauses that are
//! never reached, recursion that makes nothing smaller.

use super::arithmetic::{contradicts, fails, is_comparison, never_equal, never_is, without_value};
use super::equations;
use crate::base::op_table::OpClass;
use crate::base::room::{Bounded, Gather, Grow};
use crate::base::stop::Stop;
use crate::base::symbol::{Functor, atoms, functors};
use crate::base::warning::Warning;
use crate::machine::state::Machine;
use crate::source::loading::{loader, present_span};
use crate::source::parts::{Part, Placed, placed, spans_of};
use crate::source::report::warn_at;
use crate::source::term_texts::{indicator_text, shown_with};
use crate::store::address::HeapAddr;
use crate::store::cell::Cell;
use crate::store::heap::View;
use crate::text::write_atom::push_quoted;
use std::ops::RangeInclusive;

/// Goals and parts of expressions of a clause that are looked at. Longer ones are made by programs.
pub(super) const LIMIT: usize = 4096;

/// A remark: what it is about, where, what is wrong, what may help.
type Remark = (Warning, Part, String, Option<String>);

/// A clause that was read.
pub(super) struct Slips<'c> {
    pub(super) head: Cell,
    pub(super) body: Cell,
    vars: &'c [(String, Cell, u32)],
    /// May functions be defined by the program?
    expands: bool,
    remarks: Vec<Remark>,
    /// What is to be told if a clause gives this argument as a number.
    pub(super) waiting: Vec<(usize, Part, String, String)>,
}

/// Warns of slips in a clause that was read with these variables. `expands`: does the program expand
/// goals?
pub(crate) fn warn_slips(
    m: &mut Machine,
    term: Cell,
    vars: &[(String, Cell, u32)],
    expands: bool,
) -> Result<(), Stop> {
    let (head, body) = match m.store.view(term) {
        View::Struct(functors::NECK, args) => (m.store.arg(args, 0), placed(m, args, 1)),
        View::Struct(functors::DCG_ARROW | functors::DIRECTIVE, _) => {
            seal(m, None);
            return Ok(());
        }
        _ => (m.store.deref(term), (Cell::atom(atoms::TRUE), Part::Whole)),
    };
    let functor = match (m.store.view(head), m.store.compound(head)) {
        (View::Atom(name), _) => Some(m.world.symbols.functor_passing(name, 0)?),
        (_, compound) => compound.map(|(functor, _)| functor),
    };
    unreachable(m, functor, head, body.0)?;
    if let Some(functor) = functor {
        equations::note(m, functor, head, body.0)?;
    }
    if body.0 == Cell::atom(atoms::TRUE) {
        return functor.map_or(Ok(()), |functor| declaration(m, functor, head));
    }
    let mut slips = Slips {
        head,
        body: body.0,
        vars,
        expands,
        remarks: Vec::new(),
        waiting: Vec::new(),
    };
    slips.first_goal(m, body)?;
    slips.goals(m, body)?;
    slips.keep_waiting(m, term)?;
    let remarks = slips.remarks;
    if remarks.is_empty() {
        return Ok(());
    }
    let parts: Vec<Part> = remarks.iter().map(|&(_, part, ..)| part).gather()?;
    let spans = spans_of(m, term, &parts)?;
    for ((warning, _, message, hint), span) in remarks.into_iter().zip(spans) {
        warn_at(m, warning, span, message, hint)?;
    }
    Ok(())
}

/// Predicates that directives call.
const OF_DIRECTIVES: [(&str, usize); 11] = [
    ("consult", 1),
    ("discontiguous", 1),
    ("dynamic", 1),
    ("ensure_loaded", 1),
    ("initialization", 1),
    ("initialization", 2),
    ("multifile", 1),
    ("set_prolog_flag", 2),
    ("table", 1),
    ("use_module", 1),
    ("use_module", 2),
];

/// Predicates of lists that fail if an argument is none: their names, numbers of arguments, and the arguments that
/// are lists.
const OF_LISTS: [(&str, RangeInclusive<usize>, RangeInclusive<usize>); 8] = [
    ("append", 3..=3, 0..=0),
    ("member", 2..=2, 1..=1),
    ("memberchk", 2..=2, 1..=1),
    ("reverse", 2..=2, 0..=1),
    ("nth0", 3..=3, 1..=1),
    ("nth1", 3..=3, 1..=1),
    ("maplist", 2..=5, 1..=4),
    ("foldl", 4..=4, 1..=1),
];

/// Warns of a fact for one of them, which takes the place of what the system has: it was meant as a
/// directive.
fn declaration(m: &mut Machine, functor: Functor, head: Cell) -> Result<(), Stop> {
    if m.world.symbols.text(m.world.symbols.name(functor)) == ":=" && functor.arity() == 2 {
        return assignment(m, functor, head);
    }
    let known = |&(name, arity): &(&str, usize)| {
        arity == functor.arity() && name == m.world.symbols.text(m.world.symbols.name(functor))
    };
    if !OF_DIRECTIVES.iter().any(known) || !m.store.variables_of(head)?.is_empty() {
        return Ok(());
    }
    let name = indicator_text(m, functor)?;
    let message = format!("this fact is a definition of {name} in place of the system's");
    let hint = "a directive has `:-` before it".to_owned();
    let span = present_span(m);
    warn_at(m, Warning::Redefined, span, message, Some(hint))?;
    Ok(())
}

/// Warns of a fact of `:=` in place of a rule, unless the program makes an operator of that sign.
fn assignment(m: &mut Machine, functor: Functor, head: Cell) -> Result<(), Stop> {
    let left = m.store.compound(head).map(|(_, args)| m.store.arg(args, 0));
    let Some((defined, _)) = left.and_then(|left| m.store.compound(left)) else {
        return Ok(());
    };
    if m.ops()?
        .is_system(m.world.symbols.name(functor), OpClass::Infix)
    {
        let (name, meant) = (indicator_text(m, functor)?, indicator_text(m, defined)?);
        let message = format!("this fact defines {name}, not {meant}");
        let hint = "a rule is written `Head :- Body`".to_owned();
        let span = present_span(m);
        warn_at(m, Warning::Undefined, span, message, Some(hint))?;
    }
    Ok(())
}

/// Notes which predicate takes no more clauses.
fn seal(m: &mut Machine, sealed: Option<Functor>) {
    if let Some(loading) = loader(m).stack.last_mut() {
        loading.sealed = sealed;
    }
}

/// Warns of the first clause after one of its predicate that takes every call.
fn unreachable(
    m: &mut Machine,
    functor: Option<Functor>,
    head: Cell,
    body: Cell,
) -> Result<(), Stop> {
    let sealed = loader(m).stack.last().and_then(|loading| loading.sealed);
    if let Some(functor) = functor
        && sealed == Some(functor)
    {
        let name = indicator_text(m, functor)?;
        let message = format!("this clause of {name} is never reached");
        let hint = "the clause before it takes every call, and cuts".to_owned();
        let span = present_span(m);
        warn_at(m, Warning::Unreachable, span, message, Some(hint))?;
        seal(m, None);
        return Ok(());
    }
    let takes_all = begins_with_cut(m, body) && has_distinct_variables(m, head);
    let next = functor.filter(|_| takes_all);
    if next != sealed {
        seal(m, next);
    }
    Ok(())
}

fn begins_with_cut(m: &Machine, mut body: Cell) -> bool {
    while let View::Struct(functors::COMMA, args) = m.store.view(body) {
        body = m.store.arg(args, 0);
    }
    m.store.deref(body) == Cell::atom(atoms::CUT)
}

fn has_distinct_variables(m: &Machine, head: Cell) -> bool {
    let Some((functor, args)) = m.store.compound(head) else {
        return !head.is_var();
    };
    let mut seen = Vec::new();
    (0..functor.arity()).all(|index| {
        let arg = m.store.deref(m.store.arg(args, index));
        let new = arg.is_var() && !seen.contains(&arg) && seen.len() < 64;
        seen.put_bounded(arg);
        new
    })
}

impl Slips<'_> {
    /// Does the clause call its own predicate first, with no argument made smaller?
    fn first_goal(&mut self, m: &mut Machine, body: Placed) -> Result<(), Stop> {
        let (mut goal, mut part) = body;
        while let View::Struct(functors::COMMA, args) = m.store.view(goal) {
            (goal, part) = placed(m, args, 0);
        }
        let (Some((functor, params)), Some((called, args))) =
            (m.store.compound(self.head), m.store.compound(goal))
        else {
            return Ok(());
        };
        let plain = |cell: Cell| !m.store.deref(cell).is_compound();
        let same = functor == called
            && (0..functor.arity())
                .all(|i| plain(m.store.arg(params, i)) && plain(m.store.arg(args, i)));
        if !same {
            return Ok(());
        }
        let module = m.world.source_module;
        let tabled = m.world.predicates.find(module, functor);
        if tabled.is_some_and(|id| m.world.predicates.get(id).traits.tabled) {
            return Ok(());
        }
        let name = indicator_text(m, functor)?;
        let message =
            format!("{name} calls itself first, with nothing made smaller: it may never end");
        let hint = format!("put another goal before it, or `:- table {name}.` before its clauses");
        self.remarks
            .put((Warning::Recursion, part, message, Some(hint)))?;
        Ok(())
    }

    /// Looks at the goals of a body.
    fn goals(&mut self, m: &mut Machine, body: Placed) -> Result<(), Stop> {
        let mut todo = vec![body];
        let mut seen = 0;
        while let Some((goal, part)) = todo.pop() {
            seen += 1;
            if seen > LIMIT {
                return Ok(());
            }
            let Some((functor, args)) = m.store.compound(goal) else {
                continue;
            };
            match functor {
                functors::COMMA
                | functors::SEMICOLON
                | functors::ARROW
                | functors::SOFT_ARROW
                | functors::FORALL2 => {
                    todo.put_all([1, 0].map(|index| placed(m, args, index)))?;
                }
                functors::NOT | functors::CALL1 | functors::ONCE1 | functors::IGNORE1 => {
                    todo.put(placed(m, args, 0))?;
                }
                functors::FINDALL3 => todo.put(placed(m, args, 1))?,
                _ if is_equality(m, functor) && self.equality(m, (goal, part), args)? => {}
                functors::EQUAL => {
                    self.unification(m, part, (m.store.arg(args, 0), m.store.arg(args, 1)))?;
                }
                _ if is_identity(m, functor) => {
                    self.identity(m, part, args)?;
                }
                functors::IS => self.value(m, (goal, part), args)?,
                _ if is_comparison(m, functor) => self.comparison(m, (goal, part), args)?,
                _ => {
                    self.strings(m, functor, args)?;
                    self.passed(m, goal)?;
                }
            }
        }
        Ok(())
    }

    /// Warns of a string as an argument that is a list: the goal fails without a word.
    fn strings(&mut self, m: &Machine, functor: Functor, args: HeapAddr) -> Result<(), Stop> {
        for index in 0..functor.arity() {
            let (argument, part) = placed(m, args, index);
            let View::String(addr) = m.store.view(argument) else {
                continue;
            };
            let name = m.world.symbols.text(m.world.symbols.name(functor));
            let takes_list = OF_LISTS.iter().any(|(known, arities, indexes)| {
                *known == name && arities.contains(&functor.arity()) && indexes.contains(&index)
            });
            if takes_list {
                let mut codes = String::new();
                push_quoted(&mut codes, m.store.text(addr), '`', true)?;
                let message = format!(
                    "{name}/{} takes a list, and this is a string",
                    functor.arity()
                );
                let hint = format!("{codes} is a list of codes");
                self.remarks
                    .put((Warning::String, part, message, Some(hint)))?;
            }
        }
        Ok(())
    }

    pub(super) fn remark(
        &mut self,
        part: Part,
        message: String,
        hint: Option<String>,
    ) -> Result<(), Stop> {
        self.remarks
            .put((Warning::Arithmetic, part, message, hint))?;
        Ok(())
    }

    /// Warns of a value that nothing has, or that cannot be the one which is wanted.
    fn value(&mut self, m: &mut Machine, (goal, part): Placed, args: HeapAddr) -> Result<(), Stop> {
        let (result, expression) = (m.store.arg(args, 0), m.store.arg(args, 1));
        if assigns(m, result, expression)? {
            let goal = self.shown(m, goal)?;
            let message = format!("`{goal}` cannot succeed: a variable keeps its value");
            let hint = "give the new value to a variable of its own".to_owned();
            self.remark(part, message, Some(hint))?;
        }
        if self.evaluables(m, placed(m, args, 1))?
            && !self.expands
            && let Some(why) = never_is(m, result, expression)?
        {
            let message = format!("`{}` cannot succeed: {why}", self.shown(m, goal)?);
            self.remark(part, message, None)?;
        }
        Ok(())
    }

    /// Warns of a comparison that nothing evaluates, or that fails whatever comes.
    fn comparison(
        &mut self,
        m: &mut Machine,
        (goal, part): Placed,
        args: HeapAddr,
    ) -> Result<(), Stop> {
        let left = self.evaluables(m, placed(m, args, 0))?;
        let right = self.evaluables(m, placed(m, args, 1))?;
        if !left || !right || self.expands {
            return Ok(());
        }
        if fails(m, goal)? {
            let message = format!("`{}` cannot succeed", self.shown(m, goal)?);
            self.remark(part, message, None)?;
        } else if let Some(why) = contradicts(m, goal)? {
            let message = format!("`{}` {why}", self.shown(m, goal)?);
            self.remark(part, message, None)?;
        }
        Ok(())
    }

    /// Warns of a term of arithmetic that is to be a number. Is it one?
    fn equality(
        &mut self,
        m: &mut Machine,
        (goal, part): Placed,
        args: HeapAddr,
    ) -> Result<bool, Stop> {
        let (left, right) = (m.store.arg(args, 0), m.store.arg(args, 1));
        let found = !self.expands && never_equal(m, left, right)?;
        if found {
            let goal = self.shown(m, goal)?;
            let message = format!("`{goal}` cannot succeed: a term is no number");
            let (left, right) = (self.shown(m, left)?, self.shown(m, right)?);
            let hint = format!("`{left} =:= {right}` compares the values");
            self.remark(part, message, Some(hint))?;
        }
        Ok(found)
    }

    /// Warns of what arithmetic cannot evaluate. Is there nothing of that kind?
    fn evaluables(&mut self, m: &mut Machine, expression: Placed) -> Result<bool, Stop> {
        if self.expands {
            return Ok(true);
        }
        let Some((part, message, hint)) = without_value(m, expression)? else {
            return Ok(true);
        };
        self.remark(part, message, hint)?;
        Ok(false)
    }

    /// Warns of `fact(N-1, F)` in a clause of `fact(N, F)`.
    fn passed(&mut self, m: &mut Machine, goal: Cell) -> Result<(), Stop> {
        let (Some((functor, params)), Some((called, args))) =
            (m.store.compound(self.head), m.store.compound(goal))
        else {
            return Ok(());
        };
        if functor != called {
            return Ok(());
        }
        for index in 0..functor.arity() {
            let param = m.store.deref(m.store.arg(params, index));
            let (arg, part) = placed(m, args, index);
            if param.is_var() && computation(m, arg) == Some(param) {
                let arg = self.shown(m, arg)?;
                let message = format!("the argument {arg} is passed as it is: nothing computes it");
                let hint = format!("compute it before, by `N1 is {arg}`, and pass N1");
                self.remark(part, message, Some(hint))?;
                return Ok(());
            }
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

/// Is it `=` or `==`?
fn is_equality(m: &Machine, functor: Functor) -> bool {
    functor == functors::EQUAL || is_identity(m, functor)
}

/// Is it `==`?
fn is_identity(m: &Machine, functor: Functor) -> bool {
    functor.arity() == 2 && m.world.symbols.name(functor) == atoms::IDENTICAL
}

/// Is a variable to be the value of an expression that it occurs in?
fn assigns(m: &Machine, result: Cell, expression: Cell) -> Result<bool, Stop> {
    Ok(result.is_var() && expression.is_compound() && occurs(m, result, expression)?)
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
            todo.put_all((0..functor.arity()).map(|index| m.store.arg(args, index)))?;
        }
    }
    Ok(false)
}

/// Is it `V op 1`, or so: what people write who mean its value? Gives the variable.
pub(super) fn computation(m: &Machine, term: Cell) -> Option<Cell> {
    let (functor, args) = m.store.compound(term)?;
    if functor.arity() != 2
        || !matches!(
            m.world.symbols.text(m.world.symbols.name(functor)),
            "+" | "-" | "*" | "**"
        )
    {
        return None;
    }
    let (left, right) = (m.store.arg(args, 0), m.store.arg(args, 1));
    let (left, right) = (m.store.deref(left), m.store.deref(right));
    let is_number = |cell: Cell| matches!(m.store.view(cell), View::Int(_) | View::Float(_));
    match (left.is_var(), right.is_var()) {
        (true, false) if is_number(right) => Some(left),
        (false, true) if is_number(left) => Some(right),
        _ => None,
    }
}
