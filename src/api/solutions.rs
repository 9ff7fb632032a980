//! Queries and their solutions. Long because half of it is documentation of public functions.

use super::answer::Answer;
use super::budget::{Bounds, Budget};
use super::engine::{Ended, Engine, refused};
use super::error::{Error, ErrorKind};
use super::query_language::QueryLanguageRef;
use super::term::Term;
use crate::base::atom_table::Functor;
use crate::base::growth::{Gather, Grow, Within, room_for_one, with_room};
use crate::base::stop::Stop;
use crate::machine::budget::ends::Usage;
use crate::machine::control::paused::Why;
use crate::machine::control::query::Query;
use crate::machine::host_scope::HostScope;
use crate::store::cell::Cell;
use crate::store::heap::View;
use std::fmt;
use std::sync::Arc;

/// A query that is open.
pub(super) struct OpenQuery {
    pub(super) query: Query,
    /// The named variables of the query in order of their first occurrence.
    vars: Arc<[(String, Cell)]>,
    /// Whether the last solution of the query is in place.
    solved: bool,
    /// Whether the query may have further solutions.
    active: bool,
    /// Whether the query has had any solution.
    ever_solved: bool,
    /// The language of the query.
    pub(super) language: QueryLanguageRef,
    /// The text of the query, if the host has given one.
    pub(super) text: Option<Box<str>>,
    /// Whether the host has opened the query, and not Wamlet itself.
    pub(super) asked: bool,
    /// Whether the query was typed at a prompt.
    pub(super) prompted: bool,
    /// Whether the query may request a break session.
    pub(super) breaks: bool,
    /// The limits of the query, in addition to those of the engine.
    pub(super) budget: Budget,
    /// The usage of the query so far.
    pub(super) spent: Usage,
    /// Number of solutions of the query so far.
    given: u64,
}

impl OpenQuery {
    /// Returns the reason why the query waits for a prompt, if it does.
    pub(super) fn waits_for(&self) -> Option<Why> {
        let why = self.query.paused.as_ref()?.why;
        matches!(why, Why::Break | Why::Prompt).then_some(why)
    }

    pub(super) fn waits(&self) -> bool {
        self.waits_for().is_some()
    }

    /// Returns the predicate that the query was about to call when it was interrupted, if it can resume.
    pub(super) fn interrupted_at(&self) -> Option<Functor> {
        match self.query.paused.as_ref()?.why {
            Why::Interrupted(functor) => Some(functor),
            Why::Break | Why::Prompt => None,
        }
    }
}

/// Maximum number of subterms of a goal that is stored when its query is interrupted. The limit keeps the interrupt
/// quick.
const SMALL_GOAL: usize = 1 << 16;

/// Predicates of queries about other queries.
const ASKING: [&str; 4] = ["why", "show_context", "trace_context", "notrace_context"];

/// The solutions of a query, found on request.
///
/// As an iterator it returns each [`Solution`] as an independent value, and ends after an error. A host that needs only
/// some values of many solutions can use [`Solutions::advance`] and [`Solutions::get`].
#[must_use = "solutions are found only when they are requested"]
pub struct Solutions<'e> {
    engine: &'e mut Engine,
    /// Number of open queries including this one, while the engine is not reset.
    opened_at: usize,
    /// The engine's number of resets when the query was opened.
    resets: u64,
}

/// The name of a variable, with its value if that is small: see [`Solutions::small_values`].
pub type NamedValue = (Arc<str>, Option<Term>);

impl Engine {
    /// Advances to the next solution of the newest query, which is at this level.
    fn advance_newest(&mut self, level: usize) -> Result<bool, Error> {
        let Some(open) = self.open.last_mut() else {
            return Ok(false);
        };
        // Any early end leaves the query inactive.
        open.active = false;
        self.machine.run.pausing.breaks = open.breaks;
        let mut outcome = self.machine.next_solution(&mut open.query);
        // The last goal may have exceeded a budget without a later call that checks it.
        if outcome.is_ok()
            && let Some(throw) = self.machine.spent_unnoticed()
        {
            outcome = Err(throw);
        }
        self.machine.run.pausing.breaks = false;
        match outcome {
            Err(throw) if open.query.paused.is_some() => {
                open.active = true;
                if open.waits() {
                    let message = "the query waits for a nested session";
                    return Err(Error::new(ErrorKind::Break, message));
                }
                Err(self.error(throw))
            }
            Ok(found) => {
                open.given += u64::from(found);
                let most = self.allowed.answers.min(open.budget.answers);
                if open.asked && open.given > most {
                    let message = "the query has more answers than the host allows";
                    return Err(refused("answers", message));
                }
                open.solved = found;
                open.active = found && self.machine.has_alternatives(&open.query);
                let first = !open.ever_solved && (level == 1 || open.prompted);
                open.ever_solved |= found;
                let after = open.prompted && open.language.manner().explains_after;
                if first && self.note_outcome(found, usize::MAX, None) && !found {
                    match after {
                        true => self.prompt().unexplained = true,
                        false => self.explain_failure(),
                    }
                }
                Ok(found)
            }
            Err(throw) => {
                let language = open.language;
                let noted = !open.ever_solved && (level == 1 || open.prompted);
                let error = self.raised_error(throw, language);
                let stopped = !matches!(error.kind(), ErrorKind::Uncaught);
                if noted {
                    let most = if stopped { SMALL_GOAL } else { usize::MAX };
                    let limits = [ErrorKind::TimeLimit, ErrorKind::InferenceLimit];
                    let limit = limits.contains(error.kind()).then(|| error.message());
                    self.note_outcome(false, most, limit);
                }
                Err(error)
            }
        }
    }
}

impl Engine {
    /// Returns the value of a variable in the present solution of an open query.
    fn value_of(&mut self, index: usize, name: &str) -> Result<Option<Term>, Stop> {
        self.refresh(index)?;
        let Some(open) = self.open.get(index) else {
            return Ok(None);
        };
        let vars = Arc::clone(&open.vars);
        let Some((_, value)) = vars.iter().find(|(known, _)| open.solved && known == name) else {
            return Ok(None);
        };
        let names = vars
            .iter()
            .map(|(name, value)| (*value, name.clone()))
            .gather()?;
        let value = self.machine.apply_terms(*value)?;
        self.owned_term(value, &names).map(Some)
    }

    /// Advances to the next solution of the query at this level, and returns the result of `take`. The caller runs the
    /// prompts that the query waits for.
    fn advance_at<T>(
        &mut self,
        level: usize,
        take: impl FnOnce(&mut Engine, usize) -> Result<T, Ended>,
    ) -> Result<Option<T>, Error> {
        self.close_above(level);
        let Some(open) = self.open.last_mut() else {
            return Ok(None);
        };
        open.solved = false;
        if !open.active {
            return Ok(None);
        }
        self.within_query(level, |engine| {
            engine.guarded(|engine| {
                let found = engine.advance_newest(level);
                engine.machine.world.host.streams.pass_on_output();
                match found? {
                    true => take(engine, level).map(Some),
                    false => Ok(None),
                }
            })
        })
    }

    /// Returns the first solution of a query, and closes the query.
    pub(super) fn once(&mut self, text: &str) -> Result<Option<Solution>, Error> {
        self.close_leaked();
        let mut level = None;
        // All of the work shares one budget, so the clock is read once.
        let found = self.within_bounds(Bounds::fresh(), |engine| {
            engine.open_query(text, &[])?;
            let opened = *level.insert(engine.open.len());
            engine.advance_at(opened, |engine, level| {
                engine.of_present(level, Solution::of)
            })
        });
        let Some(level) = level else {
            return found.map(Option::flatten);
        };
        let resets = self.resets;
        let mut solutions = Solutions {
            engine: self,
            opened_at: level,
            resets,
        };
        let solution = match solutions.waits_for() {
            Some(Why::Prompt) => {
                solutions.engine().session_of_goal()?;
                solutions.next().transpose()?
            }
            _ => found?.flatten(),
        };
        solutions.close()?;
        Ok(solution)
    }

    /// Returns the result of `work` for the present solution of the newest query, which is at this level. `work` gets
    /// the variables with their values, the language, and whether there may be more solutions.
    fn of_present<T>(
        &mut self,
        level: usize,
        work: impl FnOnce(&mut Engine, &[(String, Cell)], (QueryLanguageRef, bool)) -> Result<T, Ended>,
    ) -> Result<Option<T>, Ended> {
        self.refresh(level.saturating_sub(1))?;
        let Some(open) = self.open.last().filter(|open| open.solved) else {
            return Ok(None);
        };
        let vars = Arc::clone(&open.vars);
        let (language, active) = (open.language, open.active);
        let vars = self.prolog_values(&vars)?;
        work(self, &vars, (language, active)).map(Some)
    }

    /// Returns these variables with their values. A value that is too large is `None`: see [`Solutions::small_values`].
    fn small_values_of(
        &mut self,
        vars: &[(String, Cell)],
        most: usize,
    ) -> Result<Vec<NamedValue>, Ended> {
        let names = vars.iter().map(|(name, var)| (*var, name.clone()));
        let names: Vec<(Cell, String)> = names.gather()?;
        let mut values = with_room(vars.len())?;
        for (name, value) in vars {
            let small = self.machine.store.is_small(*value, most);
            let value = match small? {
                true => Some(self.owned_term(*value, &names)?),
                false => None,
            };
            values.put((name.as_str().into(), value))?;
        }
        Ok(values)
    }

    /// Returns the variables with their values in the form that Prolog sees.
    fn prolog_values(&mut self, vars: &[(String, Cell)]) -> Result<Vec<(String, Cell)>, Ended> {
        let mut values = with_room(vars.len())?;
        for (name, value) in vars {
            let value = match self.machine.world.symbols.applications {
                false => *value,
                true => match self.machine.apply_terms(*value) {
                    Ok(value) => value,
                    Err(full) => return Err(self.error(full.into()).into()),
                },
            };
            values.put((name.clone(), value))?;
        }
        Ok(values)
    }
}

impl<'e> Solutions<'e> {
    pub(super) fn new(engine: &'e mut Engine) -> Solutions<'e> {
        let (opened_at, resets) = (engine.open.len(), engine.resets);
        Solutions {
            engine,
            opened_at,
            resets,
        }
    }

    /// Returns the number of open queries including this one. Returns 0 if a reset of the engine has closed it.
    fn level(&self) -> usize {
        match self.resets == self.engine.resets {
            true => self.opened_at,
            false => 0,
        }
    }

    /// Advances to the next solution. Returns `false` if there is none.
    ///
    /// # Errors
    /// Returns the error of the query, which then has no more solutions.
    pub fn advance(&mut self) -> Result<bool, Error> {
        Ok(self.advance_to(|_, _| Ok(()))?.is_some())
    }

    /// Advances to the next solution, and returns the result of `take`.
    fn advance_to<T>(
        &mut self,
        mut take: impl FnMut(&mut Engine, usize) -> Result<T, Ended>,
    ) -> Result<Option<T>, Error> {
        loop {
            let outcome = self.engine.advance_at(self.level(), &mut take);
            if self.waits_for() != Some(Why::Prompt) {
                return outcome;
            }
            self.engine().session_of_goal()?;
        }
    }

    /// Returns the reason why the query waits, if it does.
    pub(super) fn waits_for(&self) -> Option<Why> {
        let index = self.level().checked_sub(1)?;
        self.engine.open.get(index)?.waits_for()
    }

    /// Advances as [`Solutions::advance`] does. The caller runs the prompts that the query waits for.
    pub(super) fn advance_once(&mut self) -> Result<bool, Error> {
        let found = self.engine.advance_at(self.level(), |_, _| Ok(()))?;
        Ok(found.is_some())
    }

    /// Returns whether there may be further solutions. After the last one, this is usually `false`. If the engine
    /// cannot know, this is `true` and [`Solutions::advance`] returns `false`.
    pub fn has_more(&self) -> bool {
        self.engine
            .open
            .get(self.level().wrapping_sub(1))
            .is_some_and(|open| open.active)
    }

    /// Returns the value of the query's variable `name` in the present solution. Also returns `None` if the value is
    /// too large for the remaining limits of memory and time.
    pub fn get(&mut self, name: &str) -> Option<Term> {
        let index = self.level().checked_sub(1)?;
        let value = self.engine.within_query(self.level(), |engine| {
            engine.guarded(|engine| Ok(engine.value_of(index, name)?))
        });
        value.ok()?
    }

    /// Returns the present solution. Returns `None` before the first solution and after the last one.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Resource`] if there is not enough memory.
    pub fn solution(&mut self) -> Result<Option<Solution>, Error> {
        self.of_present(Solution::of)
    }

    /// Returns the text of the present solution, as [`Solution`] writes it. Returns `None` before the first solution
    /// and after the last one. The values are not converted for this. An abbreviated answer
    /// ([`EngineBuilder::answer_depth`](super::EngineBuilder::answer_depth)) therefore takes little memory, however
    /// large it is.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Resource`] if there is not enough memory.
    pub fn text(&mut self) -> Result<Option<String>, Error> {
        self.of_present(|engine, vars, (language, _)| language.answer_text(engine, vars))
    }

    /// Returns the variables of the query in order of their first occurrence, with their values in the present
    /// solution. The value is `None` if it has more than `most` subterms and words of texts and large numbers, written
    /// out as a tree. Cyclic terms are never small.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Resource`] if there is not enough memory.
    pub fn small_values(&mut self, most: usize) -> Result<Vec<NamedValue>, Error> {
        let values = self.of_present(|engine, vars, _| engine.small_values_of(vars, most))?;
        Ok(values.unwrap_or_default())
    }

    /// Returns the result of `work` for the present solution, if there is one.
    fn of_present<T>(
        &mut self,
        work: impl FnOnce(&mut Engine, &[(String, Cell)], (QueryLanguageRef, bool)) -> Result<T, Ended>,
    ) -> Result<Option<T>, Error> {
        let level = self.level();
        self.engine.close_above(level);
        self.engine.within_query(level, |engine| {
            engine.guarded(|engine| engine.of_present(level, work))
        })
    }

    /// Ends the query, as dropping it does. The remaining cleanup goals run.
    ///
    /// # Errors
    /// Returns [`ErrorKind::TimeLimit`], [`ErrorKind::InferenceLimit`] or [`ErrorKind::Interrupted`] if a limit or an
    /// interrupt stopped a cleanup goal.
    pub fn close(self) -> Result<(), Error> {
        let level = self.level().saturating_sub(1);
        self.engine.close_above(self.level());
        self.engine.close_newest(level)
    }

    /// Returns the engine between two solutions, for its streams or for another query. Such a query ends when the next
    /// solution of this one is requested.
    pub fn engine(&mut self) -> &mut Engine {
        self.engine.lent = self.level();
        self.engine
    }

    /// Returns the engine for reading.
    pub(super) fn engine_ref(&self) -> &Engine {
        self.engine
    }
}

impl Iterator for Solutions<'_> {
    type Item = Result<Solution, Error>;

    fn next(&mut self) -> Option<Result<Solution, Error>> {
        let found = self.advance_to(|engine, level| engine.of_present(level, Solution::of));
        found.map(Option::flatten).transpose()
    }
}

impl Drop for Solutions<'_> {
    fn drop(&mut self) {
        self.engine.close_above(self.level().saturating_sub(1));
        self.engine.discard_unused_terms();
    }
}

/// Only leaked queries are still open here.
impl Drop for Engine {
    fn drop(&mut self) {
        if !self.open.is_empty() && !std::thread::panicking() {
            self.close_above(0);
        }
    }
}

impl fmt::Debug for Solutions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solutions")
            .field("has_more", &self.has_more())
            .finish_non_exhaustive()
    }
}

/// A solution of a query: the bindings of its variables and the remaining constraints.
///
/// Its text is the answer of SWI-Prolog's prompt without the full stop: `X = 1,\nY = a`, or `true` if there are no
/// bindings and no constraints.
#[derive(Clone)]
pub struct Solution {
    answer: Answer,
    more: bool,
}

impl Solution {
    /// Returns the solution of a query in this language.
    fn of(
        engine: &mut Engine,
        vars: &[(String, Cell)],
        (language, more): (QueryLanguageRef, bool),
    ) -> Result<Solution, Ended> {
        let answer = language.answer(engine, vars)?;
        Ok(Solution { answer, more })
    }

    /// Returns the variables of the query in order of their first occurrence, with their values. Variables whose names
    /// begin with `_` are left out. An unbound variable is a [`Term::Var`]. Occurrences of the same variable have the
    /// same name.
    pub fn bindings(&self) -> &[(Arc<str>, Term)] {
        &self.answer.bindings
    }

    /// Returns the value of the variable `name`.
    pub fn get(&self, name: &str) -> Option<&Term> {
        self.answer
            .bindings
            .iter()
            .find(|(known, _)| &**known == name)
            .map(|(_, value)| value)
    }

    /// Returns the residual goals: the goals that are suspended on attributed variables, such as `dif(X,a)`.
    pub fn residual_goals(&self) -> &[Term] {
        &self.answer.residual
    }

    /// Returns the variables that replace cyclic subterms in the bindings, with their values.
    pub fn cycles(&self) -> &[(Arc<str>, Term)] {
        &self.answer.cycles
    }

    /// Returns the number of bytes of the solution's text.
    pub(crate) fn text_length(&self) -> usize {
        self.answer.text.len()
    }

    /// Returns whether there may be further solutions.
    pub fn has_more(&self) -> bool {
        self.more
    }

    /// Returns whether this is certainly the last solution.
    pub fn is_last(&self) -> bool {
        !self.more
    }
}

impl fmt::Display for Solution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.answer.text)
    }
}

impl fmt::Debug for Solution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solution")
            .field("answer", &self.answer.text)
            .field("has_more", &self.more)
            .finish()
    }
}

impl Engine {
    /// Updates the variables of an open query, which garbage collections move.
    fn refresh(&mut self, level: usize) -> Result<(), Stop> {
        let Some(open) = self.open.get_mut(level) else {
            return Ok(());
        };
        let cells = self.machine.held_cells(&open.query)?;
        let names = open.vars.iter().map(|(name, _)| name.clone());
        open.vars = names.zip(cells).gather()?.into();
        Ok(())
    }

    /// Runs work for the open query at this level. The work counts against the budget of the query.
    fn within_query<T>(
        &mut self,
        level: usize,
        work: impl FnOnce(&mut Engine) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let place = level.wrapping_sub(1);
        let Some(open) = self.open.get(place) else {
            return self.within_bounds(Bounds::fresh(), work);
        };
        let (own, mut spent) = (open.budget, open.spent);
        let bounds = Bounds {
            own,
            spent: Some(&mut spent),
        };
        let result = self.within_bounds(bounds, work);
        if let Some(open) = self.open.get_mut(place) {
            open.spent = spent;
        }
        result
    }

    /// Opens a query for a goal on the heap and its variables.
    pub(super) fn open_goal(
        &mut self,
        goal: Cell,
        mut vars: Vec<(String, Cell)>,
        language: QueryLanguageRef,
    ) -> Result<(), Ended> {
        let present = self.machine.world.source_module;
        let module = self.scope.as_ref().map_or(present, HostScope::module);
        let held: Vec<Cell> = vars.iter().map(|&(_, cell)| cell).gather()?;
        room_for_one(&mut self.open)?;
        let query = match self.machine.open_query_over(goal, module, &held) {
            Ok(query) => query,
            Err(throw) => return Err(self.error(throw).into()),
        };
        if self.open.iter().any(OpenQuery::waits) {
            self.machine.forget_traced_goals();
        }
        // Opening the query may have moved the variables.
        let cells = self.machine.held_cells(&query)?;
        for ((_, var), cell) in vars.iter_mut().zip(cells) {
            *var = cell;
        }
        // The tracer shows them by their names.
        self.machine.name_query_variables(&vars);
        self.open.put_within(OpenQuery {
            query,
            vars: vars.into(),
            solved: false,
            active: true,
            ever_solved: false,
            language,
            text: None,
            asked: true,
            prompted: false,
            breaks: self.breaks,
            budget: Budget::default(),
            spent: Usage::NONE,
            given: 0,
        });
        Ok(())
    }

    /// Records the outcome of the open query for later questions about the reason. Without a solution, also stores the
    /// goal, if it has at most `most` subterms. `limit` is the message of a limit that has ended the query. Returns
    /// `false` for a query about another query, and for a query of Wamlet itself.
    fn note_outcome(&mut self, found: bool, most: usize, limit: Option<&str>) -> bool {
        let Some(open) = self.open.last().filter(|open| open.asked) else {
            return false;
        };
        let machine = &mut self.machine;
        let goal = machine.query_goal(&open.query);
        let (plain, _) = machine.strip_module(goal, machine.world.source_module);
        let plain = open.language.plain_goal(machine, plain);
        let name = match machine.store.view(plain) {
            View::Atom(name) => name,
            View::Struct(functor, _) => machine.world.symbols.name(functor),
            _ => return false,
        };
        let name = machine.world.symbols.text(name);
        if name.starts_with('$') || ASKING.contains(&name) {
            return false;
        }
        if found {
            machine.run.observers.last_query.note_succeeded();
            return true;
        }
        machine.undo_query(&open.query);
        let Ok(goal) = open.language.noted(machine, goal, limit) else {
            return false;
        };
        // Without enough memory, the goal is not stored.
        let small = most == usize::MAX || machine.store.is_small(goal, most) == Ok(true);
        let kept = small.then(|| machine.store.store_term(goal));
        let kept = kept.and_then(Result::ok);
        machine.run.observers.last_query.note_failed(kept);
        true
    }

    /// Explains why the last query failed, if the host wants that.
    pub(super) fn explain_failure(&mut self) {
        if self.machine.run.observers.last_query.explain
            && let Ok(mut solutions) = self.open_internal("'$explain_last'", &[])
        {
            // The tracer does not show the goal again.
            solutions.engine().machine.run.observers.tracer.suspended += 1;
            // The query prints the explanation itself.
            let _ = solutions.advance();
            solutions.engine().machine.run.observers.tracer.suspended = 0;
        }
    }

    /// Closes the newest query if there are more than `level`. Returns the error that stopped one of its cleanup goals.
    fn close_newest(&mut self, level: usize) -> Result<(), Error> {
        if self.open.len() <= level {
            return Ok(());
        }
        let Some(open) = self.open.pop() else {
            return Ok(());
        };
        // Cleanup goals have another budget of the same size.
        let own = Bounds {
            own: open.budget,
            spent: None,
        };
        let has_goals = self.machine.has_alternatives(&open.query) || open.query.paused.is_some();
        let close = |engine: &mut Engine| {
            let closed = engine.machine.close_query(open.query, false);
            engine.machine.world.host.streams.pass_on_output();
            closed.map_err(|throw| engine.error(throw))
        };
        match has_goals {
            true => self.within_bounds(own, close),
            false => self.at_work(close),
        }
    }

    /// Closes the queries opened after the first `level`.
    pub(super) fn close_above(&mut self, level: usize) {
        self.lent = self.lent.min(level);
        while self.open.len() > level {
            // An error of a cleanup goal cannot be reported here.
            let _ = self.close_newest(self.open.len() - 1);
        }
        if self.open.is_empty() && !self.bounded && self.limited == 0 {
            self.machine.forget_budgets();
        }
    }

    /// Closes leaked queries: their [`Solutions`] were forgotten and not dropped.
    pub(super) fn close_leaked(&mut self) {
        if self.open.len() > self.lent {
            self.close_above(self.lent);
            self.discard_unused_terms();
        }
    }
}
