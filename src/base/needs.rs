//! The needs of builtins and evaluables besides terms, and the permits for these needs.
//!
//! A row of the tables names its needs. Its body gets a permit for each capability among them, and a function that
//! reaches something outside of the engine takes a permit. So a row that lacks a need does not compile, and a row
//! with a superfluous need has an unused variable.
#![forbid(unsafe_code)]

use std::marker::PhantomData;

/// A set of needs.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Needs(u32);

/// Defines the needs with their words in rows, and their kinds of permits.
macro_rules! needs {
    ($($(#[doc = $doc:literal])* $constant:ident $word:literal $bit:literal $($kind:ident)?,)*) => {
        impl Needs {
            $($(#[doc = $doc])* pub(crate) const $constant: Needs = Needs(1 << $bit);)*
            /// All needs, each with its word.
            pub(crate) const ALL: &[(Needs, &str)] = &[$((Needs::$constant, $word)),*];
            /// The needs that have permits.
            pub(crate) const CAPABILITIES: Needs = Needs(0 $($(| needs!(@bit $bit $kind))?)*);
        }
        $($(#[doc = concat!("The kind of permits for ", $word, ".")]
        pub(crate) enum $kind {}
        impl Kind for $kind {
            const NEED: Needs = Needs::$constant;
        })?)*
    };
    (@bit $bit:literal $kind:ident) => { 1 << $bit };
}

needs! {
    /// The builtin reads files and directories, or reveals where they are.
    READ "read" 0 Read,
    /// The builtin makes, changes or deletes files and directories.
    WRITE "write" 1 Write,
    /// The builtin reveals or changes variables of the environment, or reveals properties of the process.
    ENVIRONMENT "environment" 2 Environment,
    /// The builtin runs other programs.
    PROCESSES "processes" 3 Processes,
    /// The builtin reveals the time, real or of the processor, or waits for it.
    CLOCK "clock" 4 Clock,
    /// The builtin takes random numbers.
    RANDOM "random" 5 Random,
    /// The builtin reads the standard input of the process or its keyboard.
    STDIN "stdin" 6 Stdin,
    /// The builtin writes to the standard output or error output of the process, or measures its screen.
    STDOUT "stdout" 7 Stdout,
    /// The builtin ends the program.
    HALT "halt" 8 Halt,
    /// The builtin does something that cannot be undone: it changes clauses, flags, global variables, streams, files or the
    /// process. Or its outcome depends on the world outside.
    EFFECT "effect" 9,
    /// The builtin reveals traces that earlier goals have left unintentionally: libraries that were loaded for them, names
    /// and numbers that were used up.
    HISTORY "history" 10,
    /// The builtin writes to the current output.
    OUTPUT "output" 11,
    /// The builtin writes to the stream, or makes the text, that its first argument names.
    OUTPUT_TO "output_to" 12,
    /// The builtin loads program texts. A policy may allow loading them but no other reading.
    LOAD "load" 13 Load,
    /// The builtin makes names of files absolute, from the working directory. In a confined engine that is `/`.
    PLACE "place" 14 Place,
    /// The builtin requests `environment` where it reveals or takes a variable, and works without it elsewhere.
    MAY_ENVIRONMENT "may_environment" 15,
    /// The builtin requests `clock` where it reveals the time, and works without it elsewhere.
    MAY_CLOCK "may_clock" 16,
}

/// A kind of permits.
pub(crate) trait Kind: 'static {
    /// The need that permits of this kind serve.
    const NEED: Needs;
}

impl Needs {
    /// No needs: backtracking undoes all, and terms and contexts alone determine it.
    pub(crate) const NONE: Needs = Needs(0);

    /// Returns the need of this word, for constants.
    pub(crate) const fn named(word: &str) -> Needs {
        let mut row = 0;
        while !same(Needs::ALL[row].1, word) {
            row += 1;
        }
        Needs::ALL[row].0
    }

    /// Returns the union of two sets of needs.
    pub(crate) const fn and(self, other: Needs) -> Needs {
        Needs(self.0 | other.0)
    }

    /// Returns the needs that are not among `others`.
    pub(crate) const fn without(self, others: Needs) -> Needs {
        Needs(self.0 & !others.0)
    }

    /// Returns the word of the capability that a refusal names.
    pub(crate) fn refused_word(self) -> &'static str {
        let asked = match self.any(Needs::LOAD) {
            true => Needs::READ,
            false => self,
        };
        let found = Needs::ALL.iter().find(|(need, _)| asked.any(*need));
        found.map_or("none", |row| row.1)
    }

    /// Returns whether one of the others is among them.
    pub(crate) const fn any(self, others: Needs) -> bool {
        self.0 & others.0 != 0
    }
}

/// Returns whether two texts are equal, for constants.
pub(crate) const fn same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}

/// Permission to reach something outside of the engine. It takes no space. Its holder is the body of a row that
/// requested it, or one of the exceptions that `tests/tidy` lists.
pub(crate) struct Permit<K>(PhantomData<K>);

impl<K: 'static> Permit<K> {
    /// Issues a permit.
    #[inline(always)]
    pub(crate) const fn issue() -> &'static Permit<K> {
        &Permit(PhantomData)
    }
}

/// A value that can be reached only with permits of a kind.
pub(crate) struct Guarded<T, K>(T, PhantomData<fn() -> K>);

impl<T, K> Guarded<T, K> {
    /// Guards a value.
    pub(crate) fn new(guarded: T) -> Guarded<T, K> {
        Guarded(guarded, PhantomData)
    }

    /// Returns the value.
    pub(crate) fn get(&mut self, _: &Permit<K>) -> &mut T {
        &mut self.0
    }
}

impl Permit<Processes> {
    /// Returns a permit of any kind: a holder that may run other programs may do whatever those programs can.
    pub(crate) fn any<K: 'static>(&self) -> &'static Permit<K> {
        Permit::issue()
    }
}
