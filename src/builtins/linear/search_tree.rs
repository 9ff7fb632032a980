//! Recording of events, as text, while the search tree of a goal is drawn: for `prelude/linear/search_tree.pl`.

use super::explain::plain;
use super::lolli::NAMES;
use super::lolli_text::{answer_text, named_variables};
use crate::base::atom_table::{atoms, functors};
use crate::base::growth::{Gather, Grow, joined_by, with_room};
use crate::base::stop::Stop;
use crate::machine::builtin::builtins;
use crate::machine::events::recorder::Event;
use crate::machine::state::Machine;
use crate::machine::upper_layers::LayerState;
use crate::store::cell::Cell;
use crate::store::heap::View;
use crate::text::lolli::writer::Form;
use crate::text::write_options::{Spacing, WriteOptions};
use crate::text::writer::beginning_of_text;

/// Depth below which subterms are not shown.
const DEPTH: u32 = 12;
/// Greatest length of the shown text of a term: bytes that Wamlet writes, then characters that it keeps.
const LONGEST: usize = 400;
/// Number of linear assumptions shown that a goal may use.
const MOST_RESOURCES: usize = 8;
/// Number of variables that get names.
const MOST_NAMES: usize = 500;
/// Number of recorded events for each goal that the tree may have.
const EVENTS_OF_A_GOAL: usize = 50;
/// Words of the term of an event besides its lists.
const EVENT_WORDS: usize = 32;

/// Names of events: other branches are cut off, and the goal of forall/2 holds.
const CUT_OFF: &str = "cut_off";
const HOLDS: &str = "holds";

/// Event, with the number of the event before it on its branch.
struct Happened {
    parent: i64,
    name: &'static str,
    text: String,
    place: String,
    /// Bindings made since the event before.
    bindings: Vec<String>,
    /// Usable linear assumptions, the newest ones if there are many. `more` is the number of those left out.
    resources: Vec<String>,
    more: usize,
    /// Places of named variables that are unbound.
    unbound: Vec<usize>,
}

/// Tree that is being drawn.
#[derive(Default)]
pub(in crate::builtins) struct Tree {
    events: Vec<Happened>,
    names: Vec<String>,
    lolli: bool,
    goals: usize,
    limit: usize,
}

impl LayerState for Tree {}

/// Returns the name of the variable at a place. The variables of the query come first.
fn name_at(m: &mut Machine, place: usize) -> String {
    let names = &m.world.layers.of::<Tree>().names;
    match names.get(place) {
        Some(name) => name.clone(),
        None => format!("_{}", place + 1 - names.len()),
    }
}

/// Returns the names of the variables of a term. Unnamed variables get names.
fn names(m: &mut Machine, term: Cell) -> Result<Vec<(Cell, String)>, Stop> {
    let mut known = m.named_variables()?;
    let mut found = Vec::new();
    for variable in m.store.variables_of(term)? {
        let place = known.iter().position(|&cell| cell == variable);
        if place.is_none() && known.len() >= MOST_NAMES {
            continue;
        }
        let place = place.unwrap_or(known.len());
        if place == known.len() {
            m.name_variable(variable);
            known.put(variable)?;
        }
        found.put((variable, name_at(m, place)))?;
    }
    Ok(found)
}

/// Returns the text of a term in the syntax of its language.
fn text(m: &mut Machine, term: Cell, lolli: bool, form: Form) -> Result<String, Stop> {
    let names = names(m, term)?;
    let mut text = if lolli {
        let names: Vec<(String, Cell)> = names
            .into_iter()
            .map(|(cell, name)| (name, cell))
            .gather()?;
        m.lolli_form_named(term, form, &names).unwrap_or_default()
    } else {
        let options = WriteOptions {
            quoted: true,
            numbervars: true,
            max_depth: DEPTH,
            spacing: Spacing::NextArgument,
            priority: 999,
            variable_names: names,
            ..WriteOptions::default()
        };
        beginning_of_text(&m.write_env()?, term, &options, LONGEST)?
    };
    if let Some((end, _)) = text.char_indices().nth(LONGEST) {
        text.truncate(end);
        text.put('…')?;
    }
    Ok(text)
}

/// Returns the text of an assumption or goal with its module.
fn formula(m: &mut Machine, term: Cell, form: Form) -> Result<String, Stop> {
    if let Some((functors::COLON, args)) = m.store.compound(term)
        && let View::Atom(module) = m.store.view(m.store.arg(args, 0))
        && module != atoms::LOLLI
        && m.is_system_module(module)
    {
        let term = m.store.arg(args, 1);
        return text(m, term, false, form);
    }
    let (term, lolli) = plain(m, term);
    let term = if lolli { as_written(m, term)? } else { term };
    text(m, term, lolli, form)
}

/// Returns a goal of a builtin of Lolli under its Lolli name.
fn as_written(m: &mut Machine, goal: Cell) -> Result<Cell, Stop> {
    let Some((functor, args)) = m.store.compound(goal) else {
        return Ok(goal);
    };
    let own = m.world.symbols.name_text(functor);
    let Some((name, arity, _)) = NAMES.iter().find(|(_, _, of_system)| *of_system == own) else {
        return Ok(goal);
    };
    let name = m.world.symbols.intern(name)?;
    let functor = m.world.symbols.functor(name, *arity)?;
    let args: Vec<Cell> = (0..*arity).map(|index| m.store.arg(args, index)).gather()?;
    match m.store.reserve(arity + 1) {
        Ok(()) => Ok(m.store.new_struct(functor, &args)),
        Err(_) => Ok(goal),
    }
}

/// Returns the bindings of named variables that were unbound at the event before.
fn bindings(m: &mut Machine, parent: i64) -> Result<Vec<String>, Stop> {
    let tree = m.world.layers.of::<Tree>();
    let lolli = tree.lolli;
    let before = usize::try_from(parent)
        .ok()
        .and_then(|parent| tree.events.get(parent));
    let unbound = before.map_or(Vec::new(), |before| before.unbound.clone());
    let now = m.named_variables()?;
    let mut found = Vec::new();
    for place in unbound {
        if let Some(&value) = now.get(place)
            && !value.is_var()
        {
            let value = text(m, value, lolli, Form::Goal)?;
            let equals = if lolli { "<-" } else { "=" };
            found.put(format!("{} {equals} {value}", name_at(m, place)))?;
        }
    }
    Ok(found)
}

/// Returns the usable linear assumptions, the newest first, and the number of those left out.
fn resources(m: &mut Machine) -> Result<(Vec<String>, usize), Stop> {
    let (records, _) = m.live_records(i64::MAX, usize::MAX)?;
    let records = records
        .into_iter()
        .filter(|record| record.linear && !record.hidden);
    let records: Vec<Cell> = records.map(|record| record.record).gather()?;
    let more = records.len().saturating_sub(MOST_RESOURCES);
    let mut found = Vec::new();
    for &record in &records[more..] {
        if let Ok(term) = m.formula_of(record) {
            found.put(formula(m, term, Form::Clause)?)?;
        }
    }
    found.reverse();
    Ok((found, more))
}

/// Adds an event to the tree. The machine calls this as a hook.
pub(crate) fn draw(
    m: &mut Machine,
    event: Event,
    terms: &[Cell],
    place: Option<(u32, u32)>,
) -> Result<(), Stop> {
    let form = if event == Event::Goal {
        Form::Goal
    } else {
        Form::Clause
    };
    let linear = terms
        .first()
        .and_then(|&term| m.store.compound(term))
        .is_some_and(|(kind, _)| kind == functors::LINEAR1);
    let verb = match event {
        Event::Assumed if linear => "assumes linear ",
        Event::Assumed => "assumes ",
        Event::Used if linear => "takes ",
        Event::Used => "uses ",
        _ => "",
    };
    let mut texts = with_room(terms.len())?;
    for &term in terms {
        texts.put(formula(m, term, form)?)?;
    }
    let place = match place {
        Some((file, line)) => {
            let name = &m.world.files.get(file).name;
            format!("{}:{line}", name.rsplit('/').next().unwrap_or_default())
        }
        None => String::new(),
    };
    let text = format!("{verb}{}", joined_by(&texts, ", ")?);
    add(m, event.name(), text, place)
}

fn add(m: &mut Machine, name: &'static str, text: String, place: String) -> Result<(), Stop> {
    let parent = m.present_step();
    let bindings = bindings(m, parent)?;
    add_after(m, parent, (name, text, place), bindings)
}

fn add_after(
    m: &mut Machine,
    parent: i64,
    (name, text, place): (&'static str, String, String),
    bindings: Vec<String>,
) -> Result<(), Stop> {
    let tree = m.world.layers.of::<Tree>();
    let last = usize::try_from(parent)
        .ok()
        .and_then(|parent| tree.events.get(parent));
    // Skip collections that libraries make for themselves.
    if name == Event::Collected.name() && last.is_none_or(|last| last.name == Event::Goal.name()) {
        return Ok(());
    }
    let is_goal = name == Event::Goal.name();
    let (resources, more) = if is_goal {
        resources(m)?
    } else {
        (Vec::new(), 0)
    };
    let now = m.named_variables()?;
    let unbound = |place: &usize| now[*place].is_var() && !now[..*place].contains(&now[*place]);
    let happened = Happened {
        parent,
        name,
        text,
        place,
        bindings,
        resources,
        more,
        unbound: (0..now.len()).filter(unbound).gather()?,
    };
    let tree = m.world.layers.of::<Tree>();
    tree.events.put(happened)?;
    let number = tree.events.len() as i64 - 1;
    // No event follows a resource that is left over or not found.
    let ends = [Event::Left, Event::Missed, Event::Collected].map(Event::name);
    if !ends.contains(&name) && ![CUT_OFF, HOLDS].contains(&name) {
        m.set_step(number);
    }
    let tree = m.world.layers.of::<Tree>();
    tree.goals += usize::from(is_goal);
    let most = tree
        .limit
        .saturating_mul(EVENTS_OF_A_GOAL)
        .saturating_add(EVENTS_OF_A_GOAL);
    if tree.goals > tree.limit || tree.events.len() > most {
        m.end_drawing();
    }
    Ok(())
}

/// Returns the values of the query's variables as text.
fn solution(m: &mut Machine, variables: Cell) -> Result<String, Stop> {
    let variables = named_variables(m, variables)?;
    if m.world.layers.of::<Tree>().lolli {
        let text = answer_text(m, &variables).unwrap_or_default();
        return text
            .chars()
            .map(|c| if c == '\n' { ' ' } else { c })
            .gather_text();
    }
    let mut found = Vec::new();
    for (name, value) in variables {
        let value = text(m, value, false, Form::Goal)?;
        if value != name {
            found.put(format!("{name} = {value}"))?;
        }
    }
    match found.is_empty() {
        true => Ok("true".to_owned()),
        false => joined_by(&found, ", "),
    }
}

builtins! { SEARCH_TREE =
    /// Begins a tree for a query with these variables, each `Name = Variable`. The tree has `Limit` goals at most.
    /// `Language` is `lolli` or `prolog`.
    iso "$tree_begin"("+list", "+integer", "+atom") needs effect = always |m, [variables, limit, language]| {
        let limit = m.size_arg(limit)?;
        let language = m.atom_arg(language)?;
        let lolli = m.world.symbols.text(language) == "lolli";
        let variables = named_variables(m, variables)?;
        m.forget_names();
        let mut names = Vec::new();
        for (name, variable) in variables {
            m.name_variable(variable);
            names.put(name)?;
        }
        *m.world.layers.of::<Tree>() = Tree { names, lolli, limit, ..Tree::default() };
        m.follow_goals(!lolli);
        add(m, "query", String::new(), String::new())?;
    };

    /// Records a solution of the query with these variables, each `Name = Variable`.
    iso "$tree_solution"("+list") needs effect = always |m, [variables]| {
        let text = solution(m, variables)?;
        add(m, "solution", text, String::new())?;
    };

    /// Records that a goal is tried.
    iso "$tree_goal"("+callable") needs effect = always |m, [goal]| m.report_goal(goal)?;

    /// Announces that the goal is about to be called unchanged. Records the goal here unless the call itself
    /// records it.
    iso "$tree_call"("+callable") needs effect = always |m, [goal]| m.leave_to_call(goal)?;

    /// Records that a clause at this place is tried.
    iso "$tree_clause"("+atom") needs effect = always |m, [place]| {
        let place = m.atom_arg(place)?;
        let place = m.world.symbols.text(place).to_owned();
        add(m, Event::Clause.name(), String::new(), place)?;
    };

    /// Records that a branch of a control construct begins, or that a goal has succeeded (`exited`).
    iso "$tree_step"("+atom") needs effect = always |m, [name]| {
        let name = m.atom_arg(name)?;
        let text = m.world.symbols.text(name).to_owned();
        match text == Event::Exited.name() {
            true => add(m, Event::Exited.name(), String::new(), String::new())?,
            false => add(m, "step", text, String::new())?,
        }
    };

    /// Returns the number of the last event on this branch.
    iso "$tree_here"("-integer") needs history = |m, [number]| {
        let here = m.present_step();
        Ok(m.unify_int(number, here)?)
    };

    /// Ends a branch after the event `Number`. The name is `cut_off` if other branches are skipped, `holds` if the
    /// goal of forall/2 holds.
    iso "$tree_leaf"("+atom", "+integer") needs effect = always |m, [name, number]| {
        let name = m.atom_arg(name)?;
        let name = match m.world.symbols.text(name) {
            CUT_OFF => CUT_OFF,
            _ => HOLDS,
        };
        let number = m.size_arg(number)? as i64;
        add_after(m, number, (name, String::new(), String::new()), Vec::new())?;
    };

    /// Returns the number of the event after which the exception that ended the query was raised.
    iso "$tree_raised"("-integer") needs history = |m, [number]| {
        let raised = m.raised_after().max(0);
        Ok(m.unify_int(number, raised)?)
    };

    /// Returns the events and deletes the tree. Each event is `event(Number, After, Name, Text, Place, Bindings,
    /// Resources, More)`.
    iso "$tree_events"("-list") needs history = |m, [list]| {
        let tree = std::mem::take(m.world.layers.of::<Tree>());
        let mut events = Vec::new();
        for (number, event) in (0i64..).zip(tree.events) {
            let lists = [&event.bindings, &event.resources].map(|texts| {
                let mut items = Vec::new();
                for text in texts {
                    items.put(m.store.new_string(text)?)?;
                }
                m.store.list_of(&items)
            });
            let [bindings, resources] = lists;
            let (bindings, resources) = (bindings?, resources?);
            let text = m.store.new_string(&event.text)?;
            let place = m.new_atom(&event.place)?;
            let place = Cell::atom(place);
            let name = Cell::atom(m.world.symbols.intern(event.name)?);
            let functor = m.world.symbols.intern("event")?;
            let functor = m.world.symbols.functor(functor, 8)?;
            m.store.reserve(EVENT_WORDS)?;
            let parts = [
                Cell::int(number),
                Cell::int(event.parent),
                name,
                text,
                place,
                bindings,
                resources,
                Cell::int(event.more as i64),
            ];
            events.put(m.store.new_struct(functor, &parts))?;
        }
        m.unify_items(list, &events)
    };
}
