//! The binary interface of builtins. The table entry of a builtin contains everything about it.
#![forbid(unsafe_code)]

use super::control::throw::Throw;
use super::state::Machine;
use crate::base::growth::Grow;
use crate::base::locks::lock;
use crate::base::needs::Needs;
use crate::base::number::Number;
use crate::base::stop::Stop;
use crate::store::cell::Cell;
use std::sync::Mutex;

/// The body of a deterministic builtin. Failure is `Ok(false)`, an exception is `Err`.
pub(crate) type Det = fn(&mut Machine) -> Result<bool, Throw>;

/// The result of one step of a nondeterministic builtin.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// No solution, or no further one.
    Fail,
    /// The last solution.
    Last,
    /// A solution, perhaps not the last; on backtracking the builtin runs again with this state.
    More(i64),
    /// No solution so far; the builtin runs again with this state at once. The machine undoes all its bindings first.
    Again(i64),
}

impl Step {
    /// Returns the step of a call that has at most one solution.
    pub(crate) fn when(found: bool) -> Step {
        if found { Step::Last } else { Step::Fail }
    }
}

/// The body of a nondeterministic builtin. It runs with `None` at the call, and with the state of the previous
/// solution on backtracking. Each time it gets the arguments of the call.
pub(crate) type Nondet = fn(&mut Machine, Option<i64>) -> Result<Step, Throw>;

/// The functions of the machine for the choice points of a nondeterministic builtin. Such a choice point holds the
/// arguments and the state after the last solution.
pub(crate) struct NativeChoice {
    /// Finds the first solution and the next ones.
    pub(crate) retry: Nondet,
    /// Returns whether this call has at most one solution; if so, it runs without a choice point.
    pub(crate) once: fn(&Machine) -> bool,
    /// Returns the number of solutions left for these arguments and this state, if it is known without finding them.
    pub(crate) remaining: fn(&Machine, &[Cell], i64) -> Option<Number>,
    /// Releases the resources outside the stacks that the state refers to. The machine calls it once, when the choice
    /// point goes: after the last solution, at a cut, at an exception, or when the query is closed.
    pub(crate) dropped: Option<fn(&mut Machine, i64)>,
}

impl NativeChoice {
    /// Returns the functions of a builtin that defines only how its choice points are retried.
    pub(crate) const fn new(retry: Nondet) -> NativeChoice {
        NativeChoice {
            retry,
            once: |_| false,
            remaining: |_, _, _| None,
            dropped: None,
        }
    }
}

impl PartialEq for NativeChoice {
    fn eq(&self, other: &NativeChoice) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for NativeChoice {}

impl std::fmt::Debug for NativeChoice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("NativeChoice")
    }
}

/// A builtin that searches. It makes one decision after another and pushes a choice point for each decision that has
/// alternatives. Such a choice point holds the arguments and the decision: a number and a term.
pub(crate) struct Search {
    /// The functions for the choice points of the search, except the retry.
    pub(crate) choice: NativeChoice,
    /// Selects the next decision, given the last event of the search.
    pub(crate) go_on: fn(&mut Machine, Past) -> Result<Selected, Throw>,
    /// Returns another value for a decision that is retried, and whether more values are left. Returns `None` unless
    /// the new value can simply replace the old one.
    pub(crate) another: fn(&mut Machine, Decision) -> Option<(Cell, bool)>,
    /// Returns the number of solutions left, if it is known without finding them.
    pub(crate) solutions: fn(&mut Machine) -> Option<Number>,
}

/// A decision of a search: the number of the variable, and a value.
pub(crate) type Decision = (i64, Cell);

/// The last event of a search.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Past {
    /// The search begins, or other goals have run.
    Nothing,
    /// The decision that is to be made.
    Made(Decision),
    /// The decision that was undone and must not be made again.
    Undone(Decision),
}

/// The next action of a search.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Selected {
    /// There is no solution here.
    Fail,
    /// Everything is decided.
    Nothing,
    /// The decision that is to be made. It has alternatives.
    Open(Decision),
    /// Goals that the last decision has woken run first.
    Woken,
}

/// The body of a builtin. No builtin calls the machine.
#[derive(Copy, Clone)]
pub(crate) enum Body {
    /// At most one solution.
    Det(Det),
    /// Solutions on backtracking.
    Nondet(&'static NativeChoice),
    /// Solutions of a search.
    Search(&'static Search),
}

/// The programs that may redefine a builtin.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// ISO builtins and builtins that the system depends on: no program may redefine them.
    Iso,
    /// Library predicates: a definition in a program replaces them.
    Library,
    /// Not a predicate: only the compiler calls it, with arguments that the compiler makes.
    Internal,
}

/// The effect of an internal builtin on scopes of assumptions. Recorders of assumptions use it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum ScopeStep {
    /// No effect.
    None,
    /// Begins the first half of `&`.
    BeginWith,
    /// Begins the second half of `&`.
    MiddleWith,
    /// Ends `&`.
    EndWith,
    /// Ends a scope of assumptions.
    EndScope,
    /// Ends a goal under `{}`.
    EndBang,
    /// Checks that all resources are used up.
    AllUsed,
    /// Enters a module of Lolli.
    EnterModule,
}

/// One builtin.
#[derive(Copy, Clone)]
pub(crate) struct Builtin {
    /// Name.
    pub(crate) name: &'static str,
    /// Mode and type of each argument, such as `+atom`.
    pub(crate) modes: &'static [&'static str],
    /// The documentation of the builtin.
    pub(crate) doc: &'static str,
    /// The programs that may redefine the builtin.
    pub(crate) class: Class,
    /// The needs of the builtin besides terms and contexts.
    pub(crate) needs: Needs,
    /// The effect of the builtin on scopes of assumptions.
    pub(crate) scope_step: ScopeStep,
    /// The body of the builtin.
    pub(crate) body: Body,
}

/// A table of builtins.
pub(crate) type Table = &'static [&'static Builtin];

/// Tables that are made from other tables, each under its key. They are never freed: the same
/// key always gives the same table.
pub(crate) struct DerivedTables<K>(Mutex<Vec<(K, Table)>>);

impl<K: PartialEq> DerivedTables<K> {
    /// Returns an empty collection.
    pub(crate) const fn new() -> DerivedTables<K> {
        DerivedTables(Mutex::new(Vec::new()))
    }

    /// Returns the table of a key: the table `whole`, where a builtin gets another body if `other_body` gives one.
    ///
    /// # Errors
    /// Returns an error if there is no memory.
    pub(crate) fn get_or_make(
        &self,
        key: K,
        whole: Table,
        other_body: impl Fn(&Builtin) -> Option<Body>,
    ) -> Result<Table, Stop> {
        let mut tables = lock(&self.0);
        if let Some((_, made)) = tables.iter().find(|row| row.0 == key) {
            return Ok(made);
        }
        let mut made: Vec<&'static Builtin> = Vec::new();
        for &entry in whole {
            made.put(match other_body(entry) {
                None => entry,
                Some(body) => Box::leak(Box::new(Builtin { body, ..*entry })),
            })?;
        }
        let made: Table = Vec::leak(made);
        tables.put((key, made))?;
        Ok(made)
    }
}

impl Machine {
    /// Notes an effect that backtracking does not undo, or a look at what earlier goals left behind. So code that
    /// keeps a machine for another query knows that the machine has changed, or that its past is visible.
    #[inline]
    pub(crate) fn note_effect(&mut self) {
        self.world.effects += 1;
    }

    /// Runs `work` without noting effects. It is for work that goals do not notice, such as loading a library.
    pub(crate) fn unnoticed<T>(&mut self, work: impl FnOnce(&mut Machine) -> T) -> T {
        let before = self.world.effects;
        let outer = self.world.host.refusing.take();
        let builtins = outer.map(|outer| std::mem::replace(&mut self.world.host.builtins, outer));
        let result = self.unnumbered(work);
        if let Some(builtins) = builtins {
            self.world.host.builtins = builtins;
            self.world.host.refusing = outer;
        }
        self.world.effects = before;
        result
    }

    /// Returns the first `N` registers, dereferenced: the arguments of a builtin.
    pub(crate) fn args<const N: usize>(&self) -> [Cell; N] {
        let mut args = [Cell::ABSENT; N];
        for (arg, &register) in args.iter_mut().zip(self.x.iter()) {
            *arg = crate::store::heap::deref(register);
        }
        args
    }
}

/// Makes a table of builtins. The parts of an entry, in this order:
///
/// - doc lines
/// - class: `iso`, `library` or `internal`
/// - `nondet` or `search`, if it is not deterministic
/// - name and modes
/// - `needs` and words of [`Needs`], if it has any
/// - `does` and a [`ScopeStep`], if it has one
/// - `with` and fields of [`NativeChoice`] that differ from [`NativeChoice::new`], each with its function
/// - the body, over the dereferenced arguments
///
/// After `always` the body has no value: the builtin succeeds once the body is done. For each need that has permits,
/// the body finds a permit under the word for the need:
///
/// ```text
/// builtins! { TABLE =
///     /// True when `Length` is the number of characters of `Atom`. ISO 8.16.1.
///     iso "atom_length"("+atom", "?integer") = |m, [atom, length]| { … Ok(true) };
///     /// …
///     library "delete_file"("+file") needs write, effect = |m, [file]| { … files::delete_file(write, &path) … };
///     /// …
///     library nondet "between"("+integer", "+integer", "?integer") = |m, [low, high, x], state| { … Ok(Step::Last) };
///     /// …
///     library search "$fd_search"("+vector", "+integer", "+term") = |m, []| &LABELING;
/// }
/// ```
#[macro_export]
#[doc(hidden)]
macro_rules! __wamlet_builtins {
    ($table:ident = $($(#[doc = $doc:literal])* $class:ident $($nondet:ident)? $name:literal ( $($mode:literal),* $(,)? )
        $(needs $($need:ident),+)? $(does $does:ident)? $(with $($part:ident $function:path),+)?
        = $($always:ident)? |$m:ident, [$($arg:ident),* $(,)?] $(, $state:ident)?| $body:expr;)*) => {
        /// The builtins of this file.
        pub(crate) const $table: &[$crate::machine::builtin::Builtin] = &[
            $($crate::machine::builtin::Builtin {
                name: $name,
                modes: &[$($mode),*],
                doc: concat!($($doc, "\n"),*),
                class: $crate::__wamlet_builtins!(@class $class),
                needs: $crate::base::needs::Needs::NONE $($(.and($crate::base::needs::Needs::named(stringify!($need))))+)?,
                scope_step: $crate::__wamlet_builtins!(@does $($does)?),
                body: $crate::__wamlet_builtins!(
                    @body [$($($need)+)?] [$($($part $function),+)?] $($nondet)? |$m, [$($arg),*] $(, $state)?|
                        $crate::__wamlet_builtins!(@value [$($always)?] $body)
                ),
            }),*
        ];
    };
    (@does) => { $crate::machine::builtin::ScopeStep::None };
    (@does $does:ident) => { $crate::machine::builtin::ScopeStep::$does };
    (@class internal) => { $crate::machine::builtin::Class::Internal };
    (@class iso) => { $crate::machine::builtin::Class::Iso };
    (@class library) => { $crate::machine::builtin::Class::Library };
    (@meet $m:ident $need:ident read) => { $crate::__wamlet_builtins!(@permit $need Read) };
    (@meet $m:ident $need:ident write) => { $crate::__wamlet_builtins!(@permit $need Write) };
    (@meet $m:ident $need:ident environment) => { $crate::__wamlet_builtins!(@permit $need Environment) };
    (@meet $m:ident $need:ident processes) => { $crate::__wamlet_builtins!(@permit $need Processes) };
    (@meet $m:ident $need:ident clock) => { $crate::__wamlet_builtins!(@permit $need Clock) };
    (@meet $m:ident $need:ident random) => { $crate::__wamlet_builtins!(@permit $need Random) };
    (@meet $m:ident $need:ident stdin) => { $crate::__wamlet_builtins!(@permit $need Stdin) };
    (@meet $m:ident $need:ident stdout) => { $crate::__wamlet_builtins!(@permit $need Stdout) };
    (@meet $m:ident $need:ident halt) => { $crate::__wamlet_builtins!(@permit $need Halt) };
    (@meet $m:ident $need:ident load) => { $crate::__wamlet_builtins!(@permit $need Load) };
    (@meet $m:ident $need:ident place) => { $crate::__wamlet_builtins!(@permit $need Place) };
    (@meet $m:ident $need:ident effect) => { $m.note_effect(); };
    (@meet $m:ident $need:ident history) => { $m.note_effect(); };
    (@meet $m:ident $need:ident $other:ident) => {};
    (@permit $need:ident $kind:ident) => {
        let $need = $crate::base::needs::Permit::<$crate::base::needs::$kind>::issue();
    };
    (@value [] $body:expr) => { $body };
    (@value [always] $body:expr) => {{
        $body;
        Ok(true)
    }};
    (@part dropped $function:path) => { Some($function) };
    (@part $part:ident $function:path) => { $function };
    (@body [$($need:ident)*] [] |$m:ident, [$($arg:ident),*]| $body:expr) => {
        $crate::machine::builtin::Body::Det(|$m: &mut $crate::machine::state::Machine| {
            $($crate::__wamlet_builtins!(@meet $m $need $need);)*
            let [$($arg),*] = $m.args();
            $body
        })
    };
    (@body [] [$($part:ident $function:path),*] search |$m:ident, [$($arg:ident),*]| $body:expr) => {
        $crate::machine::builtin::Body::Search($body)
    };
    (@body [$($need:ident)*] [$($part:ident $function:path),*] nondet
        |$m:ident, [$($arg:ident),*], $state:ident| $body:expr) => {
        $crate::machine::builtin::Body::Nondet(&$crate::machine::builtin::NativeChoice {
            $($part: $crate::__wamlet_builtins!(@part $part $function),)*
            ..$crate::machine::builtin::NativeChoice::new(|$m: &mut $crate::machine::state::Machine, $state: Option<i64>| {
                $($crate::__wamlet_builtins!(@meet $m $need $need);)*
                let [$($arg),*] = $m.args();
                $body
            })
        })
    };
}

pub(crate) use crate::__wamlet_builtins as builtins;
