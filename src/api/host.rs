//! Predicates that the host implements in Rust.
//!
//! Each predicate has one clause `name(A1, …) :- '$host'(Number, v(A1, …))`. The builtin finds the host's function by
//! its number. A function that gives solutions one by one uses `'$host_each'`. The choice point of `'$host_each'` holds
//! the index of the iterator in a stack.

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

/// The solutions of a call: terms to unify with the arguments.
type Rows = Box<dyn Iterator<Item = Result<Vec<Term>, Term>> + Send>;

type Body<T> = dyn FnMut(&mut Call<'_>) -> Result<T, Term> + Send;

type SharedBody<T> = dyn Fn(&mut Call<'_>) -> Result<T, Term> + Send + Sync;

/// A function of the host with at most one solution, or with any number of solutions.
enum Function {
    Once(Box<Body<bool>>),
    Each(Box<Body<Rows>>),
}

impl Function {
    /// Returns the name of the builtin that calls the function.
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
    /// Functions by number. A function is taken out while it runs.
    functions: Vec<Option<Entrusted<Function>>>,
    /// For each function, the one that forks call. `None` if it belongs to this engine alone.
    shared: Vec<Option<SharedFunction>>,
    /// The number of the function of each predicate.
    predicates: FastMap<PredId, usize>,
    /// The iterators of calls that may have further solutions, in the order of their choice points. An iterator is
    /// taken out while it runs.
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

/// A function that engines on any thread can call.
#[derive(Clone)]
enum SharedFunction {
    Once(Arc<SharedBody<bool>>),
    Each(Arc<SharedBody<Rows>>),
}

impl SharedFunction {
    /// Returns the function for use by one engine.
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

/// A call that may have further solutions.
struct OpenRows {
    rows: Entrusted<Rows>,
    /// The names of the variables of the arguments, in order of occurrence, in the terms that the host received.
    names: Vec<String>,
}

/// A call of a predicate of the host.
pub struct Call<'a> {
    machine: &'a mut Machine,
    args: Vec<Cell>,
    /// The variables of the arguments, with their names in the terms that the host received.
    names: Vec<(Cell, String)>,
}

impl Call<'_> {
    /// Returns the number of arguments.
    pub fn arity(&self) -> usize {
        self.args.len()
    }

    /// Returns the argument with this number, from 0. Returns the empty list if there is no such argument. A subterm
    /// that contains itself is replaced by a variable, because a [`Term`] is finite. If there is not enough memory for
    /// the argument, the call ends here, as in a panic.
    pub fn arg(&self, index: usize) -> Term {
        let Some(&cell) = self.args.get(index) else {
            return Term::default();
        };
        let m = &*self.machine;
        let convert = || {
            let mut converter =
                Converter::new(&m.store, &m.world.symbols, &self.names)?.uninterrupted();
            converter.cut_cycles(cell, &[])?;
            converter.convert(cell)
        };
        // The host's function has no other way to end; `call` catches this.
        convert().unwrap_or_else(|stop: Stop| resume_unwind(Box::new(stop)))
    }

    /// Unifies the argument with this number with a term. Returns `false` if they do not unify or if there is no such
    /// argument. Variables in terms from [`Call::arg`] denote the variables of the arguments.
    ///
    /// # Errors
    /// Returns the exception for a term that is too large. The function should return this exception.
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

    /// Returns the exception `error(Formal, _)`.
    pub fn error(formal: Term) -> Term {
        Term::compound("error", vec![formal, Term::var("_")])
    }

    /// Returns the exception for an argument that does not have the expected type. For a variable this is an
    /// instantiation error.
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
    /// Registers a function of the host as the predicate `name`/`arity` of the module `user`. The function returns
    /// `Ok(true)` to succeed, `Ok(false)` to fail, and `Err` with a term to raise an exception. A panic in it raises a
    /// `system_error`.
    ///
    /// All modules of programs see the predicate, as they see a builtin. No module can define, declare, expand, import
    /// or assume another predicate of the same name and arity. Attempts raise
    /// `permission_error(modify, static_procedure, Name/Arity)`, whether a text, an image or `assertz/1` makes them.
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
    /// - [`ErrorKind::Usage`] if the arity is too great, if the program or the system defines the predicate, or if it
    ///   already has a function
    /// - [`ErrorKind::Uncaught`] with a `permission_error` if it is a control construct or a builtin of ISO Prolog
    pub fn register(
        &mut self,
        name: &str,
        arity: usize,
        function: impl FnMut(&mut Call<'_>) -> Result<bool, Term> + Send + 'static,
    ) -> Result<(), Error> {
        self.register_function(name, arity, Function::Once(Box::new(function)), None)
    }

    /// Registers a function of the host as a predicate with any number of solutions. The engine calls the function once
    /// per call of the predicate. The function returns an iterator, or `Err` with a term to raise an exception. Each
    /// item of the iterator is a solution: the terms to unify with the arguments, from the first argument on. The
    /// engine skips an item that does not unify, and raises an `Err`.
    ///
    /// The engine requests an item when the program requests a solution. It drops the iterator as soon as no further
    /// solution can be requested: after the last item, at a cut, at an exception, and when the query is closed.
    /// Otherwise this works like [`Engine::register`].
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
    /// Returns the errors of [`Engine::register`].
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

    /// Registers a function with any number of solutions that forks of the engine call, too.
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

    /// Returns the predicate of a function that belongs to this engine alone, if there is one.
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
        self.discard_unused_terms();
        result
    }
}

/// Returns the variables by their names in the terms that the host received.
fn variables(names: &[(Cell, String)]) -> Result<Variables, Stop> {
    let named = names.iter();
    named
        .map(|(var, name)| (name.as_str().into(), *var))
        .gather_map()
}

/// Returns the exception for a term that is too large.
fn no_room() -> Term {
    Call::error(Term::compound("resource_error", vec![Term::atom("memory")]))
}

/// Returns the owner of the name as part of a message, if the system or any module of the program defines the
/// predicate.
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

/// Makes the clause the only one of its new predicate.
fn define(m: &mut Machine, clause: Cell) -> Result<PredId, Throw> {
    // The body of the clause calls internal predicates.
    let booting = std::mem::replace(&mut m.world.booting, true);
    let compiled = compile_clause(m, clause, atoms::USER, 0, 0);
    m.world.booting = booting;
    let (id, clause) = compiled?;
    load_clause(m, id, clause)?;
    m.world.predicates.get_mut(id).traits.protected = true;
    m.run.contexts.recheck();
    // Other modules resolve their imports of this name again.
    m.forget_imports_as(id)?;
    Ok(id)
}

/// Returns the arguments of a call, and the variables in them.
fn arguments(m: &mut Machine, args: Cell) -> Result<(Vec<Cell>, Vec<Cell>), Stop> {
    let args: Vec<Cell> = match m.store.view(args) {
        View::Struct(functor, addr) => m.store.args(functor, addr).gather()?,
        _ => Vec::new(),
    };
    let mut variables = Vec::new();
    m.store.collect_variables(&args, &mut variables)?;
    Ok((args, variables))
}

/// Calls the function `number` with these arguments. Returns its result and the names that it uses for the variables.
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
    // Nothing may end the instruction from here on until the function is back in its place.
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

/// Runs code of the host without interruption, since it may hold resources that only it can release.
fn undisturbed<T>(watch: &Watch, work: impl FnOnce() -> T) -> std::thread::Result<T> {
    let within = watch.set_within_instruction(false);
    let result = panics::in_host(work);
    watch.set_within_instruction(within);
    result
}

/// Converts the result of code of the host: an error or a panic becomes an exception.
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
        // An argument that the function requested was too large.
        Err(payload) if payload.is::<Stop>() => Err(Stop.into()),
        Err(_) => Err(m.system_error("a function of the host panicked")),
    }
}

/// Gets the next item of a function with several solutions. The first call gets the iterator from the function. `state`
/// is the index of the iterator.
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
    // The names are those from the call. The variables may have moved since.
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

/// Drops the iterator at this index. Those behind it are already gone.
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
