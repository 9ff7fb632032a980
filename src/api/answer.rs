//! Answers: the values of the variables of a query, as terms of the host and as the text that SWI-Prolog's
//! prompt would print.
//!
//! Variables with the same value are printed together (`X = Y, Y = 1`). Unbound variables are not printed.
//! Attributed variables are replaced by plain ones and by the goals that `copy_term/3` returns for them.

use super::engine::{Ended, Engine};
use super::from_heap::Converter;
use super::term::{FREED_APART, Term, free_apart, freeing_apart};
use super::to_heap::Variables;
use crate::base::atom_table::{FastMap, atoms, functors};
use crate::base::growth::{Gather, Grow, GrowBy, GrowSet, joined_by, with_room};
use crate::base::op_table::OpDef;
use crate::base::stop::{Questions, Stop};
use crate::program::predicate::Kind;
use crate::store::cell::Cell;
use crate::store::heap::{Store, View};
use crate::text::char_class::is_symbol;
use crate::text::name_table::NameTable;
use crate::text::var_names::{answer_names, occurrences, occurrences_of};
use crate::text::write_options::{Spacing, WriteOptions};
use crate::text::writer::beginning_with_names;
use std::collections::HashSet;
use std::sync::Arc;

/// Maximum number of bytes in the text of a value: a small term can unfold into an unlimited text.
const LONGEST_VALUE: usize = 1 << 24;
/// Greatest priority of a goal between commas.
const GOAL_PRIORITY: u16 = 999;

/// An answer: the bindings, the residual goals and the text of a solution.
#[derive(Clone, Default)]
pub(super) struct Answer {
    /// Values of the variables. Names that begin with `_` are left out unless the flag `toplevel_print_anon` is
    /// true.
    pub(super) bindings: Vec<(Arc<str>, Term)>,
    /// Residual goals: the goals that are suspended on variables.
    pub(super) residual: Vec<Term>,
    /// Values of the variables that replace cyclic subterms.
    pub(super) cycles: Vec<(Arc<str>, Term)>,
    /// The text of the answer.
    pub(super) text: String,
}

/// The reported parts of a solution, on the heap.
struct Reported<'v> {
    groups: Vec<Group<'v>>,
    /// Residual goals.
    goals: Vec<Cell>,
    /// Names of the variables in the text. A variable that occurs once has the name `_`, or no name if no value
    /// is cyclic.
    names: Vec<(Cell, String)>,
    /// Whether any of the terms is cyclic.
    cyclic: bool,
    /// Values to write by name below themselves, although their abbreviated copies contain no whole cycle.
    closed: Vec<Cell>,
}

/// Frees a large list of names on another thread.
impl Drop for Reported<'_> {
    fn drop(&mut self) {
        if self.names.len() > FREED_APART {
            free_apart(std::mem::take(&mut self.names));
        }
    }
}

/// Variables of the query that share one value.
struct Group<'v> {
    names: Vec<&'v str>,
    value: Cell,
}

impl Group<'_> {
    /// Returns the name that the value is printed under: the last one of the group.
    fn name(&self) -> &str {
        self.names.last().copied().unwrap_or("_")
    }
}

impl Engine {
    /// Returns whether the answer reports the variable `name`.
    fn is_visible(&self, name: &str) -> bool {
        self.machine.world.flags.print_anon || !name.starts_with('_')
    }

    /// Returns the answer of the current solution.
    pub(super) fn answer(&mut self, vars: &[(String, Cell)]) -> Result<Answer, Ended> {
        let parts = self.reported_parts(vars, false)?;
        if parts.cyclic {
            let answer = self.converted(vars, &parts)?;
            let text = self.in_scope(|engine| engine.reported_text(&parts, &answer));
            let (mut answer, text) = freeing_apart(answer, text)?;
            answer.text = text;
            return Ok(answer);
        }
        // The text comes first: if it fails, no large terms have to be freed.
        let text = self.in_scope(|engine| engine.reported_text(&parts, &Answer::default()))?;
        let mut answer = self.converted(vars, &parts)?;
        answer.text = text;
        Ok(answer)
    }

    /// Returns the text of the answer of the current solution. Only the shown parts of cyclic values are
    /// converted to terms of the host, which bounds the memory that the text takes.
    pub(super) fn answer_text(&mut self, vars: &[(String, Cell)]) -> Result<String, Ended> {
        let parts = self.reported_parts(vars, true)?;
        let answer = if parts.cyclic {
            self.converted(vars, &parts)?
        } else {
            Answer::default()
        };
        let text = self.in_scope(|engine| engine.reported_text(&parts, &answer));
        Ok(freeing_apart(answer, text)?.1)
    }

    /// Returns the parts of the current solution that an answer reports. If `abbreviated` is true, cyclic
    /// values are cut to the parts that an abbreviated text shows.
    fn reported_parts<'v>(
        &mut self,
        vars: &'v [(String, Cell)],
        abbreviated: bool,
    ) -> Result<Reported<'v>, Ended> {
        let (values, mut goals) = self.plain_values(vars)?;
        let mut groups = self.groups(vars, &values)?;
        let given = self.given_names(vars, &values, &groups)?;
        let mut terms: Vec<Cell> = groups.iter().map(|group| group.value).gather()?;
        terms.put_slice(&goals)?;
        let cyclic = !self.machine.store.acyclic_terms(&terms)?;
        let shown = match cyclic && abbreviated && self.answer_depth > 0 {
            true => self.abbreviated_parts(&terms)?,
            false => None,
        };
        let store = &self.machine.store;
        let fresh = if let Some(shown) = &shown {
            let met: Vec<Cell> = occurrences(store, &shown.terms)?
                .into_iter()
                .map(|each| each.var)
                .gather()?;
            answer_names(store, occurrences_of(store, &terms, &met)?, &given)?
        } else if cyclic {
            answer_names(store, occurrences(store, &terms)?, &given)?
        } else {
            let met = self.mentioned_variables(&groups, &goals, &given)?;
            let mut found = occurrences_of(store, &terms, &met)?;
            // All other variables are printed as `_` and need no name.
            found.retain(|each| !each.single);
            answer_names(store, found, &given)?
        };
        let mut names = given;
        names.put_all(fresh)?;
        let mut closed = Vec::new();
        if let Some(shown) = shown {
            closed = shown.closed;
            let (values, others) = shown.terms.split_at(groups.len());
            for (group, &value) in groups.iter_mut().zip(values) {
                group.value = value;
            }
            goals = Vec::of(others)?;
        }
        Ok(Reported {
            groups,
            goals,
            names,
            cyclic,
            closed,
        })
    }

    /// Returns the variables without a name that the text of an answer without cycles mentions.
    fn mentioned_variables(
        &self,
        groups: &[Group<'_>],
        goals: &[Cell],
        given: &[(Cell, String)],
    ) -> Result<Vec<Cell>, Stop> {
        let store = &self.machine.store;
        let terms = groups
            .iter()
            .map(|group| group.value)
            .chain(goals.iter().copied());
        if terms.try_all(|term| Ok(term.is_var() || store.ground(term)?))? {
            return Ok(Vec::new());
        }
        let table = NameTable::new(store, given)?.recording_unnamed();
        let values: Vec<Cell> = groups.iter().map(|group| group.value).gather()?;
        self.text(groups, &values, goals, &[], &table)?;
        Ok(table.into_unnamed())
    }

    /// Converts the terms of an answer to terms of the host. Leaves its text empty.
    fn converted(
        &mut self,
        vars: &[(String, Cell)],
        parts: &Reported<'_>,
    ) -> Result<Answer, Ended> {
        // A group has one value, so the same cycles are cut for all its names.
        let mut values: FastMap<&str, Cell> = FastMap::default();
        let mut all = with_room(parts.groups.len() + parts.goals.len())?;
        for group in &parts.groups {
            values.put_all(group.names.iter().map(|&name| (name, group.value)))?;
            all.put(group.value)?;
        }
        all.put_slice(&parts.goals)?;
        let all = self.goal("v", &all)?;
        // Variables that occur once are all `_` in the text, but they are different variables.
        let known = parts.names.iter().filter(|(_, name)| name != "_");
        let mut converter =
            Converter::new(&self.machine.store, &self.machine.world.symbols, known)?;
        if parts.cyclic {
            let groups = parts.groups.iter();
            let named: Vec<(Cell, &str)> =
                groups.map(|group| (group.value, group.name())).gather()?;
            converter.cut_cycles(all, &named)?;
            converter.cut_also(&parts.closed);
        }
        let (names, values): (Vec<Arc<str>>, Vec<Cell>) = vars
            .iter()
            .filter_map(|(name, _)| Some((name.as_str().into(), *values.get(name.as_str())?)))
            .unzip();
        let values = converter.convert_each(values.iter().chain(&parts.goals))?;
        let (mut values, cycles) = freeing_apart(values, converter.cycles())?;
        let residual = values.split_off(names.len());
        let bindings = names.into_iter().zip(values).gather()?;
        Ok(Answer {
            bindings,
            residual,
            cycles,
            text: String::new(),
        })
    }

    /// Returns the text of an answer. Cyclic values are written from the converted terms.
    fn reported_text(&mut self, parts: &Reported<'_>, answer: &Answer) -> Result<String, Ended> {
        if parts.cyclic {
            return self.cyclic_text(
                &parts.groups,
                &answer.bindings,
                &answer.residual,
                &answer.cycles,
            );
        }
        let values: Vec<Cell> = parts.groups.iter().map(|group| group.value).gather()?;
        let names = NameTable::new(&self.machine.store, &parts.names)?.with_others("_");
        Ok(self.text(&parts.groups, &values, &parts.goals, &[], &names)?)
    }

    /// Converts a term to a term of the host. Unbound variables get the given names.
    pub(super) fn owned_term(&self, term: Cell, names: &[(Cell, String)]) -> Result<Term, Stop> {
        let store = &self.machine.store;
        let free = names.iter().filter(|(var, _)| store.deref(*var).is_var());
        let mut converter = Converter::new(store, &self.machine.world.symbols, free)?;
        converter.cut_cycles(term, &[])?;
        let term = converter.convert(term)?;
        let (term, cycles) = freeing_apart(term, converter.cycles())?;
        if cycles.is_empty() {
            return Ok(term);
        }
        // The form `@(Template, [S = Value, …])` of cyclic terms, as in `copy_term/2` and `print/1`.
        let equation = |(name, value)| Term::compound("=", vec![Term::Var(name), value]);
        let equations = Term::list(cycles.into_iter().map(equation).gather()?);
        Ok(Term::compound("@", vec![term, equations]))
    }

    /// Returns the values of the variables without attributes, and the goals that replace the attributes.
    fn plain_values(&mut self, vars: &[(String, Cell)]) -> Result<(Vec<Cell>, Vec<Cell>), Ended> {
        let values: Vec<Cell> = vars
            .iter()
            .map(|(_, var)| self.machine.store.deref(*var))
            .gather()?;
        let tuple = self.goal("v", &values)?;
        if self.machine.store.attributed_variables(tuple)?.is_empty() {
            return Ok((values, Vec::new()));
        }
        let (copy, goals) = (self.machine.store.new_var(), self.machine.store.new_var());
        let goal = self.goal("copy_term", &[tuple, copy, goals])?;
        // If a hook of a program raises an exception or fails, the variables stay plain.
        if !matches!(self.machine.call_once(goal, atoms::USER), Ok(true)) {
            return Ok((values, Vec::new()));
        }
        let m = &*self.machine;
        let values = match m.store.compound(copy) {
            Some((functor, args)) if functor.arity() == values.len() => (0..values.len())
                .map(|index| m.store.arg(args, index))
                .gather()?,
            _ => values,
        };
        let mut listed = Vec::new();
        m.store.list_items(goals, &mut listed)?;
        Ok((values, self.flat_goals(listed)?))
    }

    /// Returns the goals of conjunctions as a flat list. Removes the qualification `user:` and that of modules
    /// from which `user` imports the predicate.
    fn flat_goals(&mut self, mut pending: Vec<Cell>) -> Result<Vec<Cell>, Stop> {
        pending.reverse();
        let store = &self.machine.store;
        let mut flat = Vec::new();
        while let Some(goal) = pending.pop() {
            match store.view(goal) {
                View::Struct(functors::COMMA, args) => {
                    pending.put(store.arg(args, 1))?;
                    pending.put(store.arg(args, 0))?;
                }
                View::Struct(functors::COLON, args)
                    if self.is_seen(store.arg(args, 0), store.arg(args, 1)) =>
                {
                    pending.put(store.arg(args, 1))?;
                }
                _ => flat.put(store.deref(goal))?,
            }
        }
        flat.into_iter().map(|goal| self.unqualified(goal)).gather()
    }

    /// Returns whether a goal calls the same predicate in `user` as in the module.
    fn is_seen(&self, module: Cell, goal: Cell) -> bool {
        if module == Cell::atom(atoms::USER) {
            return true;
        }
        let predicates = &self.machine.world.predicates;
        let Some((functor, _)) = self.machine.store.compound(goal) else {
            return false;
        };
        let known = predicates
            .find(atoms::USER, functor)
            .map(|id| predicates.get(id).kind);
        matches!(known, Some(Kind::Imported(target)) if module == Cell::atom(predicates.get(target).module))
    }

    /// Removes the qualification `user:` from the arguments of a goal that are goals.
    fn unqualified(&mut self, goal: Cell) -> Cell {
        let store = &mut self.machine.store;
        let Some((functor, args)) = store.compound(goal) else {
            return goal;
        };
        let plain = |store: &Store, cell: Cell| match store.view(cell) {
            View::Struct(functors::COLON, inner)
                if store.arg(inner, 0) == Cell::atom(atoms::USER) =>
            {
                store.arg(inner, 1)
            }
            _ => cell,
        };
        let given = store.args(functor, args);
        let Ok(parts) = given.clone().map(|cell| plain(store, cell)).gather() else {
            return goal;
        };
        if given.eq(parts.iter().copied()) || store.reserve(parts.len() + 1).is_err() {
            return goal;
        }
        store.new_struct(functor, &parts)
    }

    /// Groups the variables that the answer reports by their values.
    fn groups<'v>(
        &self,
        vars: &'v [(String, Cell)],
        values: &[Cell],
    ) -> Result<Vec<Group<'v>>, Stop> {
        let store = &self.machine.store;
        let mut groups: Vec<Group<'v>> = Vec::new();
        for ((name, _), &value) in vars.iter().zip(values) {
            if !self.is_visible(name) {
                continue;
            }
            let value = store.deref(value);
            let same = |group: &Group<'v>| {
                let compared = !value.is_var() && !group.value.is_var();
                Ok(group.value == value
                    || (compared && store.structurally_equal(group.value, value)?))
            };
            match groups.iter().try_position(same)? {
                Some(at) => groups[at].names.put(name)?,
                None => groups.put(Group {
                    names: vec![name],
                    value,
                })?,
            }
        }
        Ok(groups)
    }

    /// Returns the names that the query gives to the unbound variables of the answer.
    fn given_names(
        &self,
        vars: &[(String, Cell)],
        values: &[Cell],
        groups: &[Group<'_>],
    ) -> Result<Vec<(Cell, String)>, Stop> {
        let store = &self.machine.store;
        let unbound = groups.iter().filter(|group| group.value.is_var());
        let mut names: Vec<(Cell, String)> = unbound
            .map(|group| (group.value, group.name().to_owned()))
            .gather()?;
        for ((name, _), &value) in vars.iter().zip(values) {
            let value = store.deref(value);
            if value.is_var() && !names.iter().any(|(var, _)| *var == value) {
                names.put((value, name.clone()))?;
            }
        }
        Ok(names)
    }

    /// Returns the text of an answer. `values`, `goals` and `cycles` are the terms to write for the groups, the
    /// residual goals and the cyclic subterms.
    fn text(
        &self,
        groups: &[Group<'_>],
        values: &[Cell],
        goals: &[Cell],
        cycles: &[(Arc<str>, Cell)],
        names: &NameTable<'_>,
    ) -> Result<String, Stop> {
        let env = self.write_env()?;
        let equals = env.ops.infix(atoms::EQUAL);
        let value_priority = equals.map_or(GOAL_PRIORITY, OpDef::right_max);
        let mut options = WriteOptions {
            max_depth: self.answer_depth,
            spacing: Spacing::NextArgument,
            priority: value_priority,
            operand: true,
            // The shown text must read back as the same term.
            numbervars: false,
            text_lists: true,
            ..WriteOptions::writeq()
        };
        let mut parts: Vec<String> = Vec::new();
        let numbers: FastMap<&str, usize> = cycles
            .iter()
            .enumerate()
            .map(|(number, (name, _))| (&**name, number))
            .gather_map()?;
        let mut defined: HashSet<usize> = HashSet::new();
        // An abbreviated text mentions few cyclic subterms: only those are defined, and the ones that their
        // definitions mention.
        let mut with_definitions =
            |line: String, text: &str, options: &WriteOptions| -> Result<String, Stop> {
                let mut todo = cycles_in(text, &numbers)?;
                let mut definitions: Vec<(usize, String)> = Vec::new();
                while let Some(number) = todo.pop() {
                    if defined.put_new(number)? {
                        let (name, value) = &cycles[number];
                        let value =
                            beginning_with_names(&env, *value, options, names, LONGEST_VALUE)?;
                        todo.put_all(cycles_in(&value, &numbers)?)?;
                        definitions.put((number, format!("    {name} = {value}")))?;
                    }
                }
                if definitions.is_empty() {
                    return Ok(line);
                }
                definitions.sort_unstable_by_key(|&(number, _)| number);
                let definitions = definitions.into_iter().map(|(_, text)| text).gather()?;
                let definitions = joined_by(&definitions, ",\n")?;
                Ok(format!("{line}, % where\n{definitions}"))
            };
        for (group, &value) in groups.iter().zip(values) {
            let pairs = group.names.windows(2);
            let mut equations: Vec<String> = pairs
                .map(|pair| format!("{} = {}", pair[0], pair[1]))
                .gather()?;
            if !group.value.is_var() {
                let text = beginning_with_names(&env, value, &options, names, LONGEST_VALUE)?;
                let equation = format!("{} = {text}", group.name());
                equations.put(with_definitions(equation, &text, &options)?)?;
            }
            if !equations.is_empty() {
                parts.put(joined_by(&equations, ", ")?)?;
            }
        }
        options.priority = GOAL_PRIORITY;
        let value_options = WriteOptions {
            priority: value_priority,
            ..options.clone()
        };
        for &goal in goals {
            let text = beginning_with_names(&env, goal, &options, names, LONGEST_VALUE)?;
            parts.put(with_definitions(text.clone(), &text, &value_options)?)?;
        }
        if parts.is_empty() {
            return Ok("true".to_owned());
        }
        joined_by(&parts, ",\n")
    }

    /// Returns the text of an answer with cyclic terms, written from the converted terms of the host.
    fn cyclic_text(
        &mut self,
        groups: &[Group<'_>],
        bindings: &[(Arc<str>, Term)],
        residual: &[Term],
        cycles: &[(Arc<str>, Term)],
    ) -> Result<String, Ended> {
        let mut variables = Variables::default();
        let mut values = with_room(groups.len())?;
        for group in groups {
            let value = bindings.iter().find(|(name, _)| **name == *group.name());
            let value = value.map_or_else(Term::default, |(_, value)| value.clone());
            values.put(self.build_term(&value, &mut variables)?)?;
        }
        let mut goals = with_room(residual.len())?;
        for goal in residual {
            goals.put(self.build_term(goal, &mut variables)?)?;
        }
        let mut definitions = with_room(cycles.len())?;
        for (name, value) in cycles {
            definitions.put((Arc::clone(name), self.build_term(value, &mut variables)?))?;
        }
        let names: Vec<(Cell, String)> = variables
            .into_iter()
            .map(|(name, var)| (var, displayed_name(&name)))
            .gather()?;
        let names = NameTable::new(&self.machine.store, &names)?;
        Ok(self.text(groups, &values, &goals, &definitions, &names)?)
    }
}

/// Returns the text that ends an answer or goal `text`: a full stop. A blank precedes the full stop if `text`
/// ends in a symbol character, which would otherwise absorb it.
pub fn full_stop(text: &str) -> &'static str {
    match text.chars().next_back() {
        Some(last) if is_symbol(last) => " .",
        _ => ".",
    }
}

/// Returns the numbers of the cyclic subterms that a text mentions by name.
fn cycles_in(text: &str, numbers: &FastMap<&str, usize>) -> Result<Vec<usize>, Stop> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.filter_map(|word| numbers.get(word).copied()).gather()
}

/// Returns the name of a variable in the text of an answer: `_` if it occurs once and therefore has a number as
/// its name.
fn displayed_name(name: &str) -> String {
    let digits = name.strip_prefix('_').unwrap_or_default();
    let numbered = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if numbered { "_" } else { name }.to_owned()
}
