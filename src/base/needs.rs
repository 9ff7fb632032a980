//! What builtins and evaluables need besides terms, and the permits without which nothing reaches it.
//!
//! A row of the tables names its needs. Its body gets a permit for each capability among them, and functions that reach
//! something outside of the engine take one. So a row that forgets a need does not compile, and one that names a
//! need in vain has a variable that nobody uses.
#![forbid(unsafe_code)]

use std::marker::PhantomData;

/// A set of needs.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Needs(u32);

/// The needs with the words for them that stand in rows, and their kinds of permits.
macro_rules! needs {
    ($($(#[doc = $doc:literal])* $constant:ident $word:literal $bit:literal $($kind:ident)?,)*) => {
        impl Needs {
            $($(#[doc = $doc])* pub(crate) const $constant: Needs = Needs(1 << $bit);)*
            /// All needs, each with its word.
            pub(crate) const ALL: &[(Needs, &str)] = &[$((Needs::$constant, $word)),*];
            /// Those for which there are permits.
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
    /// It looks at files and directories, or shows where they are.
    READ "read" 0 Read,
    /// It makes, changes or deletes files and directories.
    WRITE "write" 1 Write,
    /// It shows or changes variables of the environment, or shows what the process is.
    ENVIRONMENT "environment" 2 Environment,
    /// It runs other programs.
    PROCESSES "processes" 3 Processes,
    /// It shows the time, real or of the processor, or waits for it.
    CLOCK "clock" 4 Clock,
    /// It takes random numbers.
    RANDOM "random" 5 Random,
    /// It reads the standard input of the process or its keyboard.
    STDIN "stdin" 6 Stdin,
    /// It writes to the standard output or error output of the process, or measures its screen.
    STDOUT "stdout" 7 Stdout,
    /// It ends the program.
    HALT "halt" 8 Halt,
    /// It does what cannot be undone (it changes clauses, flags, global variables, streams, files, the process), or
    /// its outcome is that of the world outside.
    EFFECT "effect" 9,
    /// It shows what goals before have left behind without meaning to: libraries that were loaded for them,
    /// names and numbers that were used up.
    HISTORY "history" 10,
    /// It writes to the current output.
    OUTPUT "output" 11,
    /// It writes to the stream, or becomes the text, that its first argument names.
    OUTPUT_TO "output_to" 12,
    /// It loads texts of programs. A policy may let them be loaded and not be read otherwise.
    LOAD "load" 13 Load,
    /// It makes names of files absolute, from the working directory. In a confined engine that is `/`.
    PLACE "place" 14 Place,
    /// It asks for `environment` where it shows or takes a variable, and does without elsewhere.
    MAY_ENVIRONMENT "may_environment" 15,
    /// It asks for `clock` where it shows the time, and does without elsewhere.
    MAY_CLOCK "may_clock" 16,
}

/// A kind of permits.
pub(crate) trait Kind: 'static {
    /// What permits of this kind are for.
    const NEED: Needs;
}

impl Needs {
    /// No needs: backtracking undoes all, and terms and contexts alone determine it.
    pub(crate) const NONE: Needs = Needs(0);

    /// The need of this word, for constants.
    pub(crate) const fn named(word: &str) -> Needs {
        let mut row = 0;
        while !same(Needs::ALL[row].1, word) {
            row += 1;
        }
        Needs::ALL[row].0
    }

    /// Both.
    pub(crate) const fn and(self, other: Needs) -> Needs {
        Needs(self.0 | other.0)
    }

    /// Those that are no others.
    pub(crate) const fn without(self, others: Needs) -> Needs {
        Needs(self.0 & !others.0)
    }

    /// The capability that a refusal names.
    pub(crate) fn refused_word(self) -> &'static str {
        let asked = match self.any(Needs::LOAD) {
            true => Needs::READ,
            false => self,
        };
        let found = Needs::ALL.iter().find(|(need, _)| asked.any(*need));
        found.map_or("none", |row| row.1)
    }

    /// Is one of the others among them?
    pub(crate) const fn any(self, others: Needs) -> bool {
        self.0 & others.0 != 0
    }
}

/// Are these two texts the same? For constants.
pub(crate) const fn same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}

/// Leave to reach something outside of the engine. It takes no space; who has one, a row of a table has asked for it,
/// or one of the places that `tests/tidy` lists.
pub(crate) struct Permit<K>(PhantomData<K>);

impl<K: 'static> Permit<K> {
    /// Issues one.
    #[inline(always)]
    pub(crate) const fn issue() -> &'static Permit<K> {
        &Permit(PhantomData)
    }
}

/// Something that is reached by permits of a kind only.
pub(crate) struct Guarded<T, K>(T, PhantomData<fn() -> K>);

impl<T, K> Guarded<T, K> {
    /// Guards it.
    pub(crate) fn new(guarded: T) -> Guarded<T, K> {
        Guarded(guarded, PhantomData)
    }

    /// Reaches it.
    pub(crate) fn get(&mut self, _: &Permit<K>) -> &mut T {
        &mut self.0
    }
}

impl Permit<Processes> {
    /// Who may run other programs may do whatever those can.
    pub(crate) fn any<K: 'static>(&self) -> &'static Permit<K> {
        Permit::issue()
    }
}
