//! Predicates written in Rust by the host.
//!
//! A clause `name(A1, …) :- '$host'(Number, v(A1, …))` stands for each; the builtin finds the
//! host's function by its number. For a function that gives solutions one by one it is `'$host_each'`, whose choice
//! point holds the place of the iterator in a stack.

use super::engine::{Engine, no_memory};
use super::error::{Error, ErrorKind};
use super::from_heap::Converter;
use super::term::Term;
use super::to_heap::{BuildError, Variables, build};
use crate::base::atom_table::{Atom, FastMap, Functor, atoms, functors};
use crate::base::growth::{Gather, Grow, GrowTable, Within, room_for_one};
use crate::base::panics::{self, Entrusted};
use crate::base::stop::Stop;
use crate::base::watch::Watch;
use crate::builtins::database::clauses::{compile_clause, load_clause};
use crate::machine::builtin::{Step, builtins};
use crate::machine::control::throw::Throw;
use crate::machine::dispatch::regs::MAX_PREDICATE_ARITY;
use crate::machine::state::Machine;
use crate::machine::upper_layers::{LayerState, Part};
use crate::program::predicate::{Kind, PredId};
use crate::store::cell::{Cell, WORD};
use crate::store::heap::View;
use std::panic::resume_unwind;
use std::sync::Arc;

/// The solutions of a call: what the arguments are unified with.
type Rows = Box<dyn Iterator<Item = Result<Vec<Term>, Term>> + Send>;

type Body<T> = dyn FnMut(&mut Call<'_>) -> Result<T, Term> + Send;

type SharedBody<T> = dyn Fn(&mut Call<'_>) -> Result<T, Term> + Send + Sync;

/// A function of the host, with one solution at most or with any number.
enum Function {
    Once(Box<Body<bool>>),
    Each(Box<Body<Rows>>),
}

impl Function {
    /// The builtin that calls it.
    fn builtin(&self) -> &'static str {
        match self {
            Function::Once(_) => "$host",
            Function::Each(_) => "$host_each",
        }
    }
}

/// The functions that the host registered.
#[derive(Default)]
pub(super) struct HostTable {
    /// A function is taken out while it runs.
    functions: Vec<Option<Entrusted<Function>>>,
    /// Of each what forks call; nothing of one that belongs to this engine alone.
    shared: Vec<Option<SharedFunction>>,
    /// The predicate of each.
    predicates: FastMap<PredId, usize>,
    /// The iterators of calls that have solutions left, in order of their choice points. One is taken out while it runs.
    open: Vec<Option<OpenRows>>,
}

impl LayerState for HostTable {
    fn part(&self) -> Option<Part> {
        let (functions, predicates) = (self.shared.clone(), self.predicates.clone());
        Part::made_by(move || HostTable {
            functions: functions
                .iter()
                .map(|function| Some(Entrusted::new(function.as_ref()?.function())))
                .collect_bounded(),
            shared: functions.clone(),
            predicates: predicates.clone(),
            open: Vec::new(),
        })
    }
}

/// A function that engines on any threads call.
#[derive(Clone)]
enum SharedFunction {
    Once(Arc<SharedBody<bool>>),
    Each(Arc<SharedBody<Rows>>),
}

impl SharedFunction {
    /// The same for one engine.
    fn function(&self) -> Function {
        match self {
            SharedFunction::Once(function) => {
                let function = Arc::clone(function);
                Function::Once(Box::new(move |call| function(call)))
            }
            SharedFunction::Each(function) => {
                let function = Arc::clone(function);
                Function::Each(Box::new(move |call| function(call)))
            }
        }
    }
}

/// A call that has solutions left.
struct OpenRows {
    rows: Entrusted<Rows>,
    /// The names of the variables of the arguments, in order of occurrence, in the terms given out.
    names: Vec<String>,
}

/// A call of a predicate of the host.
pub struct Call<'a> {
    machine: &'a mut Machine,
    args: Vec<Cell>,
    /// The variables of the arguments under the names that they have in the terms given out.
    names: Vec<(Cell, String)>,
}

impl Call<'_> {
    /// Number of arguments.
    pub fn arity(&self) -> usize {
        self.args.len()
    }

    /// The argument of this number, from 0. Beyond the last there is the empty list. A part that contains
    /// itself is a variable there, since a [`Term`] has an end. Where there is no memory for the argument
    /// the call ends here, as in a panic.
    pub fn arg(&self, index: usize) -> Term {
        let Some(&cell) = self.args.get(index) else {
            return Term::default();
        };
        let m = &*self.machine;
        let convert = || {
            let mut converter = Converter::new(&m.store, &m.world.symbols, &self.names)?.goes_on();
            converter.cut_cycles(cell, &[])?;
            converter.convert(cell)
        };
        // The function of the host has no other way to end: `call` catches this.
        convert().unwrap_or_else(|stop: Stop| resume_unwind(Box::new(stop)))
    }

    /// Unifies the argument of this number with a term; false if they do not unify, or if there is
    /// no such argument. Variables of the terms given out stand for themselves.
    ///
    /// # Errors
    /// The exception of a term that is too large, to be passed on.
    pub fn unify(&mut self, index: usize, value: impl Into<Term>) -> Result<bool, Term> {
        let Some(&cell) = self.args.get(index) else {
            return Ok(false);
        };
        let mut variables = variables(&self.names).map_err(|Stop| no_room())?;
        let m = &mut *self.machine;
        match build(
            &mut m.store,
            &mut m.world.symbols,
            &value.into(),
            &mut variables,
            false,
        ) {
            Ok(value) => m.unify(cell, value).map_err(|Stop| no_room()),
            Err(BuildError::Memory | BuildError::Stopped) => Err(no_room()),
            Err(BuildError::Arity) => {
                let limit = vec![Term::atom("max_arity")];
                Err(Call::error(Term::compound("representation_error", limit)))
            }
        }
    }

    /// The exception `error(Formal, _)`.
    pub fn error(formal: Term) -> Term {
        Term::compound("error", vec![formal, Term::var("_")])
    }

    /// The exception of an argument that is not of the type expected: an instantiation error if it
    /// is a variable.
    pub fn type_error(expected: &str, culprit: Term) -> Term {
        if culprit.is_var() {
            return Call::error(Term::atom("instantiation_error"));
        }
        Call::error(Term::compound(
            "type_error",
            vec![Term::atom(expected), culprit],
        ))
    }
}

impl Engine {
    /// Makes a function of the host a predicate of the module `user`. The function succeeds with
    /// `Ok(true)`, fails with `Ok(false)` and throws with `Err`. A panic in it is a `system_error`.
    ///
    /// All modules of programs see the predicate, as they see a builtin. No module can define, declare, expand, import or
    /// assume another one of its name and arity: that raises `permission_error(modify, static_procedure, Name/Arity)`,
    /// whether a text, an image or `assertz/1` does it.
    ///
    /// ```
    /// # fn main() -> Result<(), wamlet::Error> {
    /// use wamlet::{Call, Engine};
    ///
    /// let mut engine = Engine::new()?;
    /// engine.register("double", 2, |call| {
    ///     let number = call.arg(0);
    ///     let value = number.as_integer().ok_or_else(|| Call::type_error("integer", number))?;
    ///     call.unify(1, 2 * value)
    /// })?;
    /// let solution = engine.query_once("double(21, X)")?.expect("a solution");
    /// assert_eq!(solution.to_string(), "X = 42");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::Usage`] if the arity is too great, if the program or the system defines the predicate, or if a
    /// function is registered for it already; an uncaught `permission_error` if it is a control construct or a builtin of ISO Prolog.
    pub fn register(
        &mut self,
        name: &str,
        arity: usize,
        function: impl FnMut(&mut Call<'_>) -> Result<bool, Term> + Send + 'static,
    ) -> Result<(), Error> {
        self.register_function(name, arity, Function::Once(Box::new(function)), None)
    }

    /// Makes a function of the host a predicate that has any number of solutions. The function is called once and
    /// returns an iterator, or throws with `Err`. Each item is a solution: the terms that the arguments are unified with,
    /// from the first argument on. An item that does not unify is skipped; an `Err` is thrown.
    ///
    /// The engine asks for an item when the program asks for a solution. It drops the iterator at once when no solution
    /// can be asked for any more: after the last item, at a cut, at an exception, and when the query is closed. In all
    /// else this is as [`Engine::register`].
    ///
    /// ```
    /// # fn main() -> Result<(), wamlet::Error> {
    /// use wamlet::{Call, Engine, Term};
    ///
    /// let mut engine = Engine::new()?;
    /// engine.register_each("word", 2, |call| {
    ///     let text = call.arg(0);
    ///     let words = text.as_atom().ok_or_else(|| Call::type_error("atom", text.clone()))?;
    ///     let words: Vec<String> = words.split(' ').map(String::from).collect();
    ///     Ok(words.into_iter().map(move |word| Ok(vec![text.clone(), Term::atom(word)])))
    /// })?;
    /// let solution = engine.query_once("findall(W, word('to be or', W), Words)")?.expect("a solution");
    /// assert_eq!(solution.to_string(), "Words = [to, be, or]");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Engine::register`].
    pub fn register_each<I>(
        &mut self,
        name: &str,
        arity: usize,
        mut function: impl FnMut(&mut Call<'_>) -> Result<I, Term> + Send + 'static,
    ) -> Result<(), Error>
    where
        I: Iterator<Item = Result<Vec<Term>, Term>> + Send + 'static,
    {
        let function = move |call: &mut Call<'_>| Ok(Box::new(function(call)?) as Rows);
        self.register_function(name, arity, Function::Each(Box::new(function)), None)
    }

    /// Registers a function that forks of the engine call, too.
    pub(super) fn register_shared(
        &mut self,
        name: &str,
        arity: usize,
        function: impl Fn(&mut Call<'_>) -> Result<bool, Term> + Send + Sync + 'static,
    ) -> Result<(), Error> {
        let shared = SharedFunction::Once(Arc::new(function));
        self.register_function(name, arity, shared.function(), Some(shared))
    }

    /// The same of one that gives any number of solutions.
    pub(super) fn register_each_shared<I>(
        &mut self,
        name: &str,
        arity: usize,
        function: impl Fn(&mut Call<'_>) -> Result<I, Term> + Send + Sync + 'static,
    ) -> Result<(), Error>
    where
        I: Iterator<Item = Result<Vec<Term>, Term>> + Send + 'static,
    {
        let function = move |call: &mut Call<'_>| Ok(Box::new(function(call)?) as Rows);
        let shared = SharedFunction::Each(Arc::new(function));
        self.register_function(name, arity, shared.function(), Some(shared))
    }

    /// The predicate of a function that belongs to this engine alone, if there is one.
    pub(super) fn unshared_function(&mut self) -> Option<PredId> {
        let table = self.machine.world.layers.of::<HostTable>();
        let mut predicates = table.predicates.iter();
        let unshared = |number: usize| table.shared.get(number).is_none_or(Option::is_none);
        let found = predicates.find(|(_, number)| unshared(**number));
        found.map(|(&id, _)| id)
    }

    fn register_function(
        &mut self,
        name: &str,
        arity: usize,
        function: Function,
        shared: Option<SharedFunction>,
    ) -> Result<(), Error> {
        let builtin = function.builtin();
        let function = Some(Entrusted::new(function));
        if arity > MAX_PREDICATE_ARITY {
            return Err(Error::new(
                ErrorKind::Usage,
                "a predicate has too many arguments",
            ));
        }
        self.machine.wake().map_err(|Stop| no_memory())?;
        if self.open.is_empty() {
            self.interrupts().clear();
        }
        let m = &mut *self.machine;
        let atom = m.world.symbols.intern(name);
        let functor = atom.and_then(|atom| m.world.symbols.functor(atom, arity));
        let functor = functor.map_err(|Stop| no_memory())?;
        if let Some(taken) = taken(m, functor) {
            let message = format!("{taken} {name}/{arity}");
            return Err(Error::new(ErrorKind::Usage, message));
        }
        let table = m.world.layers.of::<HostTable>();
        room_for_one(&mut table.functions)?;
        room_for_one(&mut table.shared)?;
        table.predicates.make_room()?;
        let number = table.functions.len();
        let vars: Vec<Cell> = (0..arity).map(|_| m.store.new_var()).gather()?;
        let head = self.goal(name, &vars)?;
        let args = self.goal("v", &vars)?;
        let body = self.goal(builtin, &[Cell::int(number as i64), args])?;
        let clause = self.machine.store.new_struct(functors::NECK, &[head, body]);
        let defined = define(&mut self.machine, clause);
        let result = match defined {
            Ok(id) => {
                let table = self.machine.world.layers.of::<HostTable>();
                table.functions.put_within(function);
                table.shared.put_within(shared);
                table.predicates.put_within((id, number));
                Ok(())
            }
            Err(throw) => Err(self.error(throw)),
        };
        self.tidy();
        result
    }
}

/// Variables by the names that terms given out have for them.
fn variables(names: &[(Cell, String)]) -> Result<Variables, Stop> {
    let named = names.iter();
    named
        .map(|(var, name)| (name.as_str().into(), *var))
        .gather_map()
}

/// The exception of a term that is too large.
fn no_room() -> Term {
    Call::error(Term::compound("resource_error", vec![Term::atom("memory")]))
}

/// Tells who has the name already, if somebody has: as a predicate, in whatever module of the program.
fn taken(m: &mut Machine, functor: Functor) -> Option<&'static str> {
    let find = |module: Atom| m.world.predicates.find(module, functor);
    let system = find(atoms::SYSTEM).map(|id| m.world.predicates.get(id));
    if system.is_some_and(|system| !system.traits.protected && system.kind != Kind::Undefined) {
        return Some("the system defines");
    }
    let defined = |&id: &PredId| {
        let kind = m.world.predicates.get(id).kind;
        matches!(kind, Kind::Static | Kind::Dynamic)
    };
    let modules = m.world.modules.names();
    let mut modules = modules.filter(|&name| name != atoms::LOLLI && !m.is_system_module(name));
    let found = modules.find_map(|module| find(module).filter(defined))?;
    let table = m.world.layers.of::<HostTable>();
    Some(match table.predicates.contains_key(&found) {
        true => "the host has registered",
        false => "the program defines",
    })
}

/// Makes the clause the only one of its predicate, which is new.
fn define(m: &mut Machine, clause: Cell) -> Result<PredId, Throw> {
    // Its body calls what programs may not.
    let booting = std::mem::replace(&mut m.world.booting, true);
    let compiled = compile_clause(m, clause, atoms::USER, 0, 0);
    m.world.booting = booting;
    let (id, clause) = compiled?;
    load_clause(m, id, clause)?;
    m.world.predicates.get_mut(id).traits.protected = true;
    m.run.contexts.check_anew();
    // What other modules have taken from elsewhere under its name is looked for anew.
    m.forget_imports_as(id)?;
    Ok(id)
}

/// The arguments of a call, and the variables in them.
fn arguments(m: &mut Machine, args: Cell) -> Result<(Vec<Cell>, Vec<Cell>), Stop> {
    let args: Vec<Cell> = match m.store.view(args) {
        View::Struct(functor, addr) => m.store.args(functor, addr).gather()?,
        _ => Vec::new(),
    };
    let mut variables = Vec::new();
    m.store.collect_variables(&args, &mut variables)?;
    Ok((args, variables))
}

/// Calls function `number` with these arguments. Gives also the names that it knows the variables under.
fn call<T>(
    m: &mut Machine,
    number: Cell,
    args: Cell,
    run: impl FnOnce(&mut Function, &mut Call<'_>) -> Result<T, Term>,
) -> Result<(T, Vec<String>), Throw> {
    let (args, variables) = arguments(m, args)?;
    let base = m.store.heap.base;
    let name = |var: &Cell| (*var, format!("_{}", (var.addr() - base) / WORD));
    let names = variables.iter().map(name).gather()?;
    let index = usize::try_from(number.int_value());
    let index = index.ok().filter(|_| number.is_int());
    let functions = &mut m.world.layers.of::<HostTable>().functions;
    let entry = index.and_then(|index| functions.get_mut(index));
    // Nothing ends the instruction from here on until the function is back in its place.
    let Some(mut function) = entry.and_then(Option::take) else {
        return Err(m.system_error("no such function of the host"));
    };
    let mut call = Call {
        machine: m,
        args,
        names,
    };
    let watch = Arc::clone(&call.machine.store.events.watch);
    let result = undisturbed(&watch, || run(function.get(), &mut call));
    let names = call.names;
    if let Some(entry) =
        index.and_then(|index| m.world.layers.of::<HostTable>().functions.get_mut(index))
    {
        *entry = Some(function);
    }
    match settled(m, result, &names) {
        Ok(result) => Ok((result, names.into_iter().map(|(_, name)| name).gather()?)),
        Err(throw) => Err(throw),
    }
}

/// Has code of the host do something. It is not ended half-way: it may hold what nobody else releases.
fn undisturbed<T>(watch: &Watch, work: impl FnOnce() -> T) -> std::thread::Result<T> {
    let within = watch.set_within_instruction(false);
    let result = panics::in_host(work);
    watch.set_within_instruction(within);
    result
}

/// What code of the host came to.
fn settled<T>(
    m: &mut Machine,
    result: std::thread::Result<Result<T, Term>>,
    names: &[(Cell, String)],
) -> Result<T, Throw> {
    match result {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(ball)) => {
            let mut variables = variables(names)?;
            match build(
                &mut m.store,
                &mut m.world.symbols,
                &ball,
                &mut variables,
                false,
            ) {
                Ok(ball) => Err(m.throw_term(ball)),
                Err(_) => Err(m.resource_error(atoms::MEMORY)),
            }
        }
        // An argument that it asked for was too large.
        Err(payload) if payload.is::<Stop>() => Err(Stop.into()),
        Err(_) => Err(m.system_error("a function of the host panicked")),
    }
}

/// Looks at the next item of a function that gives them one by one; at the call it gets the iterator first. The state is
/// the place of the iterator.
fn next(m: &mut Machine, number: Cell, args: Cell, state: Option<i64>) -> Result<Step, Throw> {
    let mut open =
        match state.and_then(|place| opened(m).get_mut(usize::try_from(place).ok()?)?.take()) {
            Some(open) => open,
            None => {
                let (rows, names) = call(m, number, args, |function, call| match function {
                    Function::Each(function) => function(call),
                    Function::Once(_) => unreachable!("it has a number of its own"),
                })?;
                let rows = Entrusted::new(rows);
                OpenRows { rows, names }
            }
        };
    // The names are those at the call; the variables may have moved.
    let (args, variables) = arguments(m, args)?;
    let names: Vec<(Cell, String)> = variables
        .into_iter()
        .zip(open.names.iter().cloned())
        .gather()?;
    let watch = Arc::clone(&m.store.events.watch);
    let item = undisturbed(&watch, || {
        let rows = open.rows.get();
        let item = rows.next().transpose()?;
        Ok(item.map(|row| (row, rows.size_hint().1 == Some(0))))
    });
    let Some((row, last)) = settled(m, item, &names)? else {
        return Ok(Step::Fail);
    };
    let mut call = Call {
        machine: m,
        args,
        names,
    };
    let mut fits = Ok(true);
    for (index, term) in row.into_iter().enumerate() {
        if let Ok(true) = fits {
            fits = call.unify(index, term);
        }
    }
    let names = call.names;
    let fits = settled(m, Ok(fits), &names)?;
    if last {
        return Ok(Step::when(fits));
    }
    let opened = opened(m);
    let place = state.unwrap_or(opened.len() as i64);
    match opened.get_mut(place as usize) {
        Some(entry) => *entry = Some(open),
        None => opened.put(Some(open))?,
    }
    Ok(if fits {
        Step::More(place)
    } else {
        Step::Again(place)
    })
}

fn opened(m: &mut Machine) -> &mut Vec<Option<OpenRows>> {
    &mut m.world.layers.of::<HostTable>().open
}

/// Drops the iterator at this place; those behind it are gone.
fn drop_rows(m: &mut Machine, place: i64) {
    opened(m).truncate(place as usize);
}

builtins! { HOST =
    /// Calls the function of the host that has this number.
    iso "$host"("+integer", "+term") needs effect = |m, [number, args]| {
        let (success, _) = call(m, number, args, |function, call| match function {
            Function::Once(function) => function(call),
            Function::Each(_) => unreachable!("it has a number of its own"),
        })?;
        Ok(success)
    };

    /// Calls the function of the host that has this number, and gives its solutions one by one.
    iso nondet "$host_each"("+integer", "+term") needs effect with dropped drop_rows = |m, [number, args], state| {
        next(m, number, args, state)
    };
}
