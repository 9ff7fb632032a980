//! Primitives on the tables of tabled predicates. `prelude/control/tabling.pl` decides when a table is filled.

use crate::base::atom_table::{Atom, atoms, functors};
use crate::base::growth::{Gather, Grow};
use crate::base::stop::Stop;
use crate::builtins::database::clauses::modify_error;
use crate::machine::builtin::{Step, builtins};
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::machine::tables::{Answer, Next, SUFFIX, State, Tables};
use crate::machine::upper_layers::{LayerState, Part};
use crate::program::predicate::Kind;
use crate::store::cell::Cell;
use crate::store::heap::{Store, View};
use crate::store::stored::Attrs;

/// Records whether the program has declared a tabled predicate.
#[derive(Clone, Default)]
struct TablingDeclared(bool);

impl LayerState for TablingDeclared {
    fn part(&self) -> Option<Part> {
        Part::of(self.clone())
    }
}

/// Tables taken out of the machine. Dropping this puts them back, even after an error.
struct Lent<'a> {
    m: &'a mut Machine,
    tables: Tables,
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        self.m.world.tables = std::mem::take(&mut self.tables);
    }
}

/// Lends the tables to `work`.
fn with_tables<T>(
    m: &mut Machine,
    work: impl FnOnce(&mut Machine, &mut Tables) -> Result<T, Throw>,
) -> Result<T, Throw> {
    let tables = std::mem::take(&mut m.world.tables);
    let mut lent = Lent { m, tables };
    work(lent.m, &mut lent.tables)
}

/// Returns the clause to load in place of `clause`. A clause of a tabled predicate becomes a clause of the
/// predicate that holds its clauses.
///
/// # Errors
/// Resource errors.
pub(crate) fn tabled_clause(m: &mut Machine, clause: Cell, module: Atom) -> Result<Cell, Throw> {
    if !m.world.layers.of::<TablingDeclared>().0 {
        return Ok(clause);
    }
    let (plain, module) = m.strip_module(clause, module);
    let (head, body) = match m.store.view(plain) {
        View::Struct(functors::NECK, args) => (m.store.arg(args, 0), Some(m.store.arg(args, 1))),
        _ => (plain, None),
    };
    let (head, module) = m.strip_module(head, module);
    let functor = match m.store.view(head) {
        View::Atom(name) => m.world.symbols.functor_passing(name, 0)?,
        _ => match m.store.compound(head) {
            Some((functor, _)) => functor,
            None => return Ok(clause),
        },
    };
    let tabled = |id| m.world.predicates.get(id).traits.tabled;
    if !m.world.predicates.find(module, functor).is_some_and(tabled) {
        return Ok(clause);
    }
    forget(m);
    clause_of_tabled(m, (head, body), module)
}

/// Converts a clause of a tabled predicate to one of the predicate that holds its clauses. `body` is `None` for a
/// fact.
///
/// # Errors
/// Resource errors.
pub(crate) fn clause_of_tabled(
    m: &mut Machine,
    (head, body): (Cell, Option<Cell>),
    module: Atom,
) -> Result<Cell, Throw> {
    let (name, args) = match (m.store.compound(head), m.store.view(head)) {
        (Some((functor, args)), _) => {
            let args = m.store.args(functor, args);
            (m.world.symbols.name(functor), args.gather()?)
        }
        (None, View::Atom(name)) => (name, Vec::new()),
        _ => return Ok(head),
    };
    let name = format!("{}{SUFFIX}", m.world.symbols.text(name));
    let name = m.world.symbols.intern_passing(&name)?;
    m.store.reserve(args.len() + 8)?;
    let mut renamed = match args.as_slice() {
        [] => Cell::atom(name),
        _ => {
            let functor = m.world.symbols.functor_passing(name, args.len())?;
            m.store.new_struct(functor, &args)
        }
    };
    if let Some(body) = body {
        renamed = m.store.new_struct(functors::NECK, &[renamed, body]);
    }
    Ok(m.store
        .new_struct(functors::COLON, &[Cell::atom(module), renamed]))
}

/// Removes all tables, unless one is being filled. Returns whether it removed them.
fn forget(m: &mut Machine) -> bool {
    let tables = &mut m.world.tables;
    let idle = !tables.evaluating();
    if idle {
        tables.clear();
    }
    idle
}

/// Removes all tables after clauses of predicates have changed. Keeps them while one is being filled.
pub(crate) fn forget_tables(m: &mut Machine) {
    if m.world.layers.of::<TablingDeclared>().0 {
        forget(m);
    }
}

/// Returns the number of the table of a goal, if it has one.
fn known_table(
    store: &mut Store,
    tables: &Tables,
    goal: Cell,
    hash: u64,
) -> Result<Option<u32>, Stop> {
    for id in tables.candidates(hash)? {
        let Some(table) = tables.get(id) else {
            continue;
        };
        let top = store.heap_top;
        let known = store.load_term(&table.goal)?;
        let same = store.variant(known, goal);
        store.heap_top = top;
        if same? {
            return Ok(Some(id));
        }
    }
    Ok(None)
}

/// Returns the number of the table of a goal, and makes the table if needed. `passing` has the meaning that
/// [`Tables::add`] gives it.
fn table_of(m: &mut Machine, tables: &mut Tables, goal: Cell, passing: bool) -> Result<u32, Throw> {
    let hash = m.store.variant_hash(goal)?;
    if let Some(id) = known_table(&mut m.store, tables, goal, hash)? {
        return Ok(id);
    }
    let stored = m
        .store
        .keep_term_with(goal, Attrs::Drop, Tables::TABLE_BYTES)?;
    Ok(tables.add(stored, hash, passing)?)
}

/// Returns the key of a goal's table under a limit of depth. All goals share a complete table. A limit may have
/// kept answers from an incomplete one, so only goals under an equal limit share it.
fn key_within(m: &mut Machine, tables: &Tables, key: Cell, deepest: i64) -> Result<Cell, Throw> {
    let hash = m.store.variant_hash(key)?;
    let known = known_table(&mut m.store, tables, key, hash)?;
    if known.is_some_and(|id| tables.is_complete(id)) {
        return Ok(key);
    }
    m.store.reserve(4)?;
    Ok(m.store.new_list(Cell::int(deepest), key))
}

/// Returns the number of the answer with this key in a table.
fn known_answer(
    m: &mut Machine,
    tables: &Tables,
    id: u32,
    key: Cell,
    hash: u64,
) -> Result<Option<u32>, Throw> {
    let Some(table) = tables.get(id) else {
        return Ok(None);
    };
    for &number in table.by_key.get(&hash).into_iter().flatten() {
        let Some(answer) = &table.answers[number as usize] else {
            continue;
        };
        let top = m.store.heap_top;
        let known = m.store.load_term(&answer.term)?;
        let same = match m.store.view(known) {
            View::Struct(_, args) => {
                let known = m.store.arg(args, 0);
                m.store.variant(known, key)
            }
            _ => Ok(false),
        };
        m.store.heap_top = top;
        if same? {
            return Ok(Some(number));
        }
    }
    Ok(None)
}

/// Adds an answer to a table.
fn add_answer(
    m: &mut Machine,
    tables: &mut Tables,
    (id, replaced): (u32, Option<u32>),
    (key, value, hash): (Cell, Cell, u64),
) -> Result<(), Throw> {
    let functor = m.world.symbols.functor(atoms::MINUS, 2)?;
    m.store.reserve(8)?;
    let answer = m.store.new_struct(functor, &[key, value]);
    let term = m
        .store
        .keep_term_with(answer, Attrs::Drop, Tables::ANSWER_BYTES)?;
    tables.answer(id, replaced, Answer { term, hash })?;
    Ok(())
}

/// Stores the continuation of the present goal, which calls an incomplete table. Returns `None` if a barrier
/// prevents this.
fn add_consumer(
    m: &mut Machine,
    tables: &mut Tables,
    id: u32,
    answer: Cell,
) -> Result<Option<u32>, Throw> {
    if !tables.takes_consumers(id) {
        return Ok(None);
    }
    let Some(continuation) = m.continuation(answer)? else {
        return Ok(None);
    };
    let top = m.store.heap_top;
    let term = m.store.list_of(&continuation)?;
    let stored = m
        .store
        .keep_term_with(term, Attrs::Keep, Tables::CONSUMER_BYTES)?;
    m.store.heap_top = top;
    Ok(tables.add_consumer(id, stored)?)
}

/// Passes the next new answer to a consumer.
fn next_new_answer(
    m: &mut Machine,
    tables: &mut Tables,
    consumer: i64,
    answer: Cell,
) -> Result<Step, Throw> {
    let number = u32::try_from(consumer).unwrap_or(u32::MAX);
    let Some(found) = tables.next_unmet(number) else {
        return Ok(Step::Fail);
    };
    let found = m.store.load_term(&found.term)?;
    m.unify(answer, found)?;
    Ok(Step::More(!consumer))
}

/// Returns the answer with this number, or the next one, of a complete table. Returns `None` if the table is not
/// complete.
fn complete_answer(
    m: &mut Machine,
    id: u32,
    answer: Cell,
    from: i64,
) -> Result<Option<Step>, Stop> {
    let (Some(table), Ok(from)) = (m.world.tables.get(id), usize::try_from(from)) else {
        return Ok(None);
    };
    if table.state != State::Complete {
        return Ok(None);
    }
    let rest = table.answers.iter().enumerate().skip(from);
    let mut rest = rest.filter_map(|(number, answer)| Some((number, answer.as_ref()?)));
    let Some((number, found)) = rest.next() else {
        return Ok(Some(Step::Fail));
    };
    let found = m.store.load_term(&found.term)?;
    let last = rest.next().is_none();
    m.unify(answer, found)?;
    Ok(Some(match last {
        true => Step::Last,
        false => Step::More(number as i64 + 1),
    }))
}

fn number(m: &mut Machine, cell: Cell) -> Result<u32, Throw> {
    let size = m.size_arg(cell)?;
    Ok(u32::try_from(size).unwrap_or(u32::MAX))
}

builtins! { TABLES_OF_GOALS =
    /// Declares a predicate as tabled. Another predicate holds its clauses from here on; its own clause looks into
    /// its table. All tables become invalid.
    iso "$set_tabled"("+module", "+name", "+arity") needs effect = always |m, [module, name, arity]| {
        let (module, functor) = m.predicate_args([module, name, arity])?;
        let id = m.intern_predicate(module, functor)?;
        let traits = &mut m.world.predicates.get_mut(id).traits;
        (traits.tabled, traits.det) = (true, false);
        m.world.layers.of::<TablingDeclared>().0 = true;
        forget(m);
    };
    /// Declares a predicate, which `'$set_tabled'/3` has changed, as deterministic. It has no tables.
    iso "$set_det"("+module", "+name", "+arity") needs effect = always |m, [module, name, arity]| {
        let (module, functor) = m.predicate_args([module, name, arity])?;
        let Some(id) = m.world.predicates.find(module, functor) else { return Ok(false) };
        m.world.predicates.get_mut(id).traits.det = true;
    };
    /// Succeeds if the predicate is tabled. Raises an error if it is defined and cannot be tabled.
    iso "$is_tabled"("+module", "+name", "+arity") = |m, [module, name, arity]| {
        let (module, functor) = m.predicate_args([module, name, arity])?;
        if m.is_shut(module, functor)? {
            return Err(modify_error(m, functor));
        }
        m.settle_module(module)?;
        let Some(id) = m.world.predicates.find(module, functor) else { return Ok(false) };
        let predicate = m.world.predicates.get(id);
        if predicate.traits.tabled {
            return Ok(true);
        }
        match predicate.kind {
            Kind::Undefined | Kind::Imported(_) => Ok(false),
            // The file of the predicate is being reloaded.
            Kind::Static | Kind::Dynamic if predicate.clauses.len() == 0 => Ok(false),
            Kind::Static if !predicate.traits.system => Ok(false),
            _ => Err(modify_error(m, functor)),
        }
    };
    /// Returns the table of a goal under the assumptions of `'$assumptions'/1`. `Todo` is `evaluate` if the caller
    /// must compute its answers now, else `answers`. The evaluation has not begun yet, so a stop is still safe
    /// here.
    iso "$table_call"("+goal", "+list", "-table", "-todo") needs effect = |m, [goal, assumed, table, todo]| {
        let (id, evaluate) = with_tables(m, |m, tables| {
            let mut key = goal;
            let assumes = !matches!(m.store.view(assumed), View::Atom(_));
            tables.forget_passing();
            if assumes {
                m.store.reserve(4)?;
                key = m.store.new_list(goal, assumed);
            }
            let deepest = m.run.budgets.depths.deepest_call();
            if let Some(deepest) = deepest {
                key = key_within(m, tables, key, deepest)?;
            }
            let id = table_of(m, tables, key, assumes || deepest.is_some())?;
            Ok((id, tables.call(id)))
        })?;
        let name = m.world.symbols.intern(if evaluate { "evaluate" } else { "answers" })?;
        Ok(m.unify(table, Cell::int(i64::from(id)))? && m.unify_atom(todo, name)?)
    };
    /// Returns the table of a goal and the variables of the goal. Fails unless the table is complete, there are no
    /// assumptions, and no limit of depth is active.
    iso "$table_ready"("+goal", "-table", "-list") = |m, [goal, table, variables]| {
        if m.run.budgets.depths.is_counting() || !m.unbounded_assumptions()?.is_empty() {
            return Ok(false);
        }
        let hash = m.store.variant_hash(goal)?;
        let tables = &m.world.tables;
        let known = known_table(&mut m.store, tables, goal, hash)?;
        let Some(id) = known.filter(|&id| tables.is_complete(id)) else { return Ok(false) };
        let found = m.store.variables_of(goal)?;
        Ok(m.unify(table, Cell::int(i64::from(id)))? && m.unify_items(variables, &found)?)
    };
    /// Begins the evaluation of a table.
    iso "$table_begin"("+table") needs effect = always |m, [table]| {
        let id = number(m, table)?;
        m.world.tables.begin(id)?;
    };
    /// Succeeds if a goal runs under a limit of depth.
    iso "$depth_limited"() = |m, []| Ok(m.run.budgets.depths.is_counting());
    /// Succeeds if a table is being evaluated.
    iso "$table_evaluating"() = |m, []| Ok(m.world.tables.evaluating());
    /// Returns the assumptions that goals may use any number of times: `[]`, or a list of terms. Only equal
    /// assumptions have the same list. The list contains all variables of the assumptions.
    iso "$assumptions"("-list") = |m, [list]| {
        let found = m.unbounded_assumptions()?;
        m.unify_items(list, &found)
    };
    /// Ends the last begun phase in the evaluation of a table. `Next` is `round`, `work`, `guarded_work` or
    /// `answers`.
    iso "$table_round_over"("+table", "-next") needs effect = |m, [table, next]| {
        let id = number(m, table)?;
        let name = match m.world.tables.end_round(id) {
            Next::Round => "round",
            Next::Work => "work",
            Next::GuardedWork => "guarded_work",
            Next::Answers => "answers",
        };
        let name = m.world.symbols.intern(name)?;
        Ok(m.unify_atom(next, name)?)
    };
    /// Records that a consumer has raised an exception within the evaluation of a table. True if a new round
    /// follows.
    iso "$table_raised"("+table") needs effect = |m, [table]| {
        let id = number(m, table)?;
        Ok(m.world.tables.on_exception(id))
    };
    /// Returns the consumers that still have new answers, while such consumers exist within the evaluation of a
    /// table.
    iso nondet "$table_consumer"("+table", "-consumer") needs effect = |m, [table, consumer], _state| {
        let id = number(m, table)?;
        let Some(found) = m.world.tables.next_consumer(id)? else {
            return Ok(Step::Fail);
        };
        m.unify(consumer, Cell::int(i64::from(found)))?;
        Ok(Step::More(0))
    };
    /// Ends the evaluation of a table early.
    iso "$table_broken_off"("+table") needs effect = always |m, [table]| {
        let id = number(m, table)?;
        m.world.tables.break_off(id);
    };
    /// Adds an answer. Fails if the table has it.
    iso "$table_add"("+table", "+key") needs effect = |m, [table, key]| {
        let id = number(m, table)?;
        let hash = m.store.variant_hash(key)?;
        with_tables(m, |m, tables| {
            if known_answer(m, tables, id, key, hash)?.is_some() {
                return Ok(false);
            }
            let answer = (key, Cell::atom(atoms::NIL), hash);
            add_answer(m, tables, (id, None), answer)?;
            Ok(true)
        })
    };
    /// Returns the value of a key in a table, and the number of that answer.
    iso "$table_value"("+table", "+key", "-number", "-value") = |m, [table, key, place, value]| {
        let id = number(m, table)?;
        let hash = m.store.variant_hash(key)?;
        let found = with_tables(m, |m, tables| {
            let Some(place) = known_answer(m, tables, id, key, hash)? else {
                return Ok(None);
            };
            let answers = tables.get(id).map(|table| &table.answers);
            match answers.and_then(|answers| answers[place as usize].as_ref()) {
                Some(answer) => Ok(Some((place, m.store.load_term(&answer.term)?))),
                None => Ok(None),
            }
        })?;
        let Some((number, answer)) = found else { return Ok(false) };
        let View::Struct(_, args) = m.store.view(answer) else { return Ok(false) };
        let known = m.store.arg(args, 1);
        Ok(m.unify(place, Cell::int(i64::from(number)))? && m.unify(value, known)?)
    };
    /// Adds an answer with a value. It replaces the answer with this number, unless the number is -1.
    iso "$table_put"("+table", "+number", "+key", "+value") needs effect = always |m, [table, place, key, value]| {
        let id = number(m, table)?;
        let replaced = match m.store.view(place) {
            View::Int(number) => u32::try_from(number).ok(),
            _ => None,
        };
        let hash = m.store.variant_hash(key)?;
        with_tables(m, |m, tables| add_answer(m, tables, (id, replaced), (key, value, hash)))?;
    };
    /// Returns the answers of a table, `Key-Value`, including answers added meanwhile. If the table is not
    /// complete, it stores the continuation, which then runs for later answers too.
    iso nondet "$table_answer"("+table", "-answer") needs effect = |m, [table, answer], state| {
        let id = number(m, table)?;
        if let Some(step) = complete_answer(m, id, answer, state.unwrap_or(0))? {
            return Ok(step);
        }
        with_tables(m, |m, tables| {
            let from = match state {
                Some(state) => state,
                None if tables.is_complete(id) => 0,
                None => match add_consumer(m, tables, id, answer)? {
                    Some(consumer) => !i64::from(consumer),
                    None => {
                        tables.watch(id)?;
                        0
                    }
                },
            };
            let Ok(from) = usize::try_from(from) else {
                return next_new_answer(m, tables, !from, answer);
            };
            let Some(table) = tables.get(id) else { return Ok(Step::Fail) };
            let rest = table.answers.iter().enumerate().skip(from);
            let mut rest = rest.filter_map(|(number, answer)| Some((number, answer.as_ref()?)));
            let Some((number, found)) = rest.next() else { return Ok(Step::Fail) };
            let found = m.store.load_term(&found.term)?;
            m.unify(answer, found)?;
            let last = table.state == State::Complete && rest.next().is_none();
            Ok(if last { Step::Last } else { Step::More(number as i64 + 1) })
        })
    };
    /// Returns the new answers for a consumer, including answers added meanwhile.
    iso nondet "$table_unmet"("+consumer", "-answer") needs effect = |m, [consumer, answer], _state| {
        let number = number(m, consumer)?;
        with_tables(m, |m, tables| next_new_answer(m, tables, i64::from(number), answer))
    };
    /// Returns the goals that have tables, with their numbers: `Goal-Number` each.
    iso "$tables"("-list") needs history = |m, [list]| {
        let found = with_tables(m, |m, tables| {
            let functor = m.world.symbols.functor(atoms::MINUS, 2)?;
            let mut found = Vec::new();
            for (id, table) in tables.iter() {
                let goal = m.store.load_term(&table.goal)?;
                m.store.reserve(8)?;
                found.put(m.store.new_struct(functor, &[goal, Cell::int(i64::from(id))]))?;
            }
            Ok(found)
        })?;
        m.unify_items(list, &found)
    };
    /// Removes all tables. Fails while one is being filled.
    iso "$tables_clear"() needs effect = |m, []| {
        Ok(forget(m))
    };
}
