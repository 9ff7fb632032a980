//! The binary interface of builtins: a table entry is everything there is about one.
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

/// Failure is `Ok(false)`, an exception is `Err`.
pub(crate) type Det = fn(&mut Machine) -> Result<bool, Throw>;

/// What one step of a nondeterministic builtin came to.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// No (further) solution.
    Fail,
    /// The last solution.
    Last,
    /// A solution, perhaps not the last; the builtin runs again with this state on backtracking.
    More(i64),
    /// No solution so far; the builtin runs again with this state at once. All that it has bound is undone.
    Again(i64),
}

impl Step {
    /// The step of a call that has one solution at most.
    pub(crate) fn when(found: bool) -> Step {
        if found { Step::Last } else { Step::Fail }
    }
}

/// Runs with `None` at the call and with the state of the previous solution on backtracking. The
/// arguments are the call's own each time.
pub(crate) type Nondet = fn(&mut Machine, Option<i64>) -> Result<Step, Throw>;

/// What the machine does with the choice points of a nondeterministic builtin. Such a choice point holds the arguments
/// and the state after the last solution.
pub(crate) struct NativeChoice {
    /// Finds the first solution, and the next ones.
    pub(crate) retry: Nondet,
    /// Whether this call has one solution at most: then it runs without a choice point.
    pub(crate) once: fn(&Machine) -> bool,
    /// How many solutions are left for these arguments and this state, where that is known without finding them.
    pub(crate) remaining: fn(&Machine, &[Cell], i64) -> Option<Number>,
    /// Releases what the state stands for outside of the stacks. Called once when the choice point goes, whether after
    /// the last solution, by a cut, by an exception, or with its query.
    pub(crate) dropped: Option<fn(&mut Machine, i64)>,
}

impl NativeChoice {
    /// A builtin of whose choice points no more is known than how they go on.
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

/// A builtin that searches: it decides one thing after the other by itself, and pushes a choice point for each
/// decision that has alternatives. Such a choice point holds the arguments, and the decision: a number and a term.
pub(crate) struct Search {
    /// What is done with its choice points apart from going on.
    pub(crate) choice: NativeChoice,
    /// What is to be decided next, after what has happened.
    pub(crate) go_on: fn(&mut Machine, Past) -> Result<Selected, Throw>,
    /// Where a decision is tried again: another value for it, and whether there are more, if that takes no more than to
    /// make this one instead.
    pub(crate) another: fn(&mut Machine, Decision) -> Option<(Cell, bool)>,
    /// How many solutions are left, where that is known without finding them.
    pub(crate) solutions: fn(&mut Machine) -> Option<Number>,
}

/// A decision of a search: which of its variables, and a value.
pub(crate) type Decision = (i64, Cell);

/// What has happened to a search.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Past {
    /// It begins, or others have done something.
    Nothing,
    /// This is to be decided.
    Made(Decision),
    /// This decision has been undone, and is not to be made again.
    Undone(Decision),
}

/// What a search does next.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Selected {
    /// There is no solution here.
    Fail,
    /// Everything is decided.
    Nothing,
    /// A decision that has alternatives: it is made next.
    Open(Decision),
    /// Who waits for what was decided comes first.
    Woken,
}

/// How a builtin runs. No builtin calls the machine.
#[derive(Copy, Clone)]
pub(crate) enum Body {
    /// At most one solution.
    Det(Det),
    /// Solutions on backtracking.
    Nondet(&'static NativeChoice),
    /// Solutions of a search.
    Search(&'static Search),
}

/// Who may redefine a builtin.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// ISO builtins and what the system rests on: nobody.
    Iso,
    /// Library: a program's own definition takes its place.
    Library,
    /// No predicate at all: the compiler alone calls it, with arguments of its own making.
    Internal,
}

/// What a builtin of the compiler's own does to scopes of assumptions, for one who records what goals assume and use.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum ScopeStep {
    /// Nothing.
    None,
    /// It begins the first half of `&`.
    BeginWith,
    /// It begins the second half of `&`.
    MiddleWith,
    /// It ends `&`.
    EndWith,
    /// It ends a scope of assumptions.
    EndScope,
    /// It ends a goal under `{}`.
    EndBang,
    /// It looks whether all is used up.
    AllUsed,
    /// It enters a module of Lolli.
    EnterModule,
}

/// One builtin.
#[derive(Copy, Clone)]
pub(crate) struct Builtin {
    /// Name.
    pub(crate) name: &'static str,
    /// Mode and type of each argument, such as `+atom`.
    pub(crate) modes: &'static [&'static str],
    /// Its documentation.
    pub(crate) doc: &'static str,
    /// Who may redefine it.
    pub(crate) class: Class,
    /// What it needs besides terms and contexts.
    pub(crate) needs: Needs,
    /// What it does to scopes of assumptions.
    pub(crate) scope_step: ScopeStep,
    /// How it runs.
    pub(crate) body: Body,
}

/// A table of builtins.
pub(crate) type Table = &'static [&'static Builtin];

/// Tables that were made of others, each under its key. They stay: whoever needs the same gets the same.
pub(crate) struct MadeTables<K>(Mutex<Vec<(K, Table)>>);

impl<K: PartialEq> MadeTables<K> {
    /// None so far.
    pub(crate) const fn new() -> MadeTables<K> {
        MadeTables(Mutex::new(Vec::new()))
    }

    /// The table of a key: that of `whole`, where a builtin has another body if `other_body` gives one.
    ///
    /// # Errors
    /// There is no memory.
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
    /// Notes that something is done that backtracking does not undo, or looked at that goals before have
    /// left behind: who keeps a machine for another query learns that it is not as it was, or that it shows.
    #[inline]
    pub(crate) fn note_effect(&mut self) {
        self.world.effects += 1;
    }

    /// Does something that makes no difference to goals that do not look for it, such as loading a library
    /// for one.
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

    /// The first `N` registers: the arguments of a builtin.
    pub(crate) fn args<const N: usize>(&self) -> [Cell; N] {
        let mut args = [Cell::ABSENT; N];
        for (arg, &register) in args.iter_mut().zip(self.x.iter()) {
            *arg = crate::store::heap::deref(register);
        }
        args
    }
}

/// Makes a table of builtins. An entry: doc lines, class (`iso` or `library`), `nondet` if it is, name, modes, `needs`
/// and words of [`Needs`] if it has any, `does` and a [`ScopeStep`], `with` and those fields of [`NativeChoice`] that are not as
/// in [`NativeChoice::new`], each with its function, and the body over its dereferenced arguments. After `always` the
/// body has no value: the builtin is true once it is done. For each need that there
/// are permits of, the body finds a permit under the word for it:
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
