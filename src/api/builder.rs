//! Settings of an engine to be made, and making it.

use super::broken::LEAST_MEMORY;
use super::capabilities::Capabilities;
use super::double_quotes::DoubleQuotes;
use super::engine::{Engine, no_memory};
use super::error::Error;
use super::program::Program;
use super::setters::setters;
use crate::base::stop::Stop;
use crate::machine::budget::limits::Budget;
use crate::machine::events::tracer::Mode;
use crate::store::os::physical_memory;

/// Memory that an engine may use unless told otherwise: 2 GiB, or half of the machine's.
const DEFAULT_MEMORY: usize = 2 << 30;

/// How an engine shall be.
#[derive(Clone, Debug)]
pub struct EngineBuilder {
    memory: usize,
    args: Vec<String>,
    answer_depth: u32,
    collect_always: bool,
    indexing: bool,
    traced: bool,
    looping: bool,
    capabilities: Capabilities,
    allowed: Budget,
    double_quotes: Option<DoubleQuotes>,
    iso: bool,
}

impl Default for EngineBuilder {
    fn default() -> EngineBuilder {
        let half = physical_memory().map_or(DEFAULT_MEMORY as u64, |bytes| bytes / 2);
        EngineBuilder {
            memory: usize::try_from(half).map_or(DEFAULT_MEMORY, |half| half.min(DEFAULT_MEMORY)),
            args: Vec::new(),
            answer_depth: 0,
            collect_always: false,
            indexing: true,
            traced: false,
            looping: false,
            capabilities: Capabilities::script(),
            allowed: Budget::default(),
            double_quotes: None,
            iso: false,
        }
    }
}

setters! { EngineBuilder:
    /// Bytes of memory that terms may take. What needs more ends in a `resource_error`.
    pub memory_limit(bytes: usize) memory = bytes.max(LEAST_MEMORY);

    /// Leaves subterms deeper than this out of the text of answers, as a prompt does; 0, the
    /// default, for no limit.
    pub answer_depth(depth: u32) answer_depth = depth;

    /// How long each query may run, and each file may take to load. Time in which the host holds
    /// the engine between two solutions does not count. What takes longer ends in an error of the kind
    /// [`ErrorKind::TimeLimit`], which no program can catch; its cleanup goals have a tenth of a second.
    pub time_limit(time: std::time::Duration) allowed.time = Some(time);

    /// How many inferences (calls, and further solutions of builtins) each query may make, and the
    /// loading of each file. The same program meets this limit at the same place each time. What builtins
    /// do on large terms, texts and numbers counts, too: 64 steps of a few nanoseconds as an inference. What makes
    /// more ends in an error of the kind [`ErrorKind::InferenceLimit`], which no program can catch; its
    /// cleanup goals have a hundred thousand.
    pub inference_limit(inferences: u64) allowed.inferences = Some(inferences);

    /// What the text that runs in the engine may reach outside of it: [`Capabilities::script`] unless told otherwise.
    pub capabilities(capabilities: Capabilities) capabilities = capabilities;

    /// What `"…"` is in queries, and in files that declare no dialect and set no flag `double_quotes`: a string
    /// unless told otherwise, and a list of codes with [`EngineBuilder::iso`].
    ///
    /// ```
    /// # fn main() -> Result<(), wamlet::Error> {
    /// use wamlet::{DoubleQuotes, Engine};
    ///
    /// let mut engine = Engine::builder().double_quotes(DoubleQuotes::Codes).build()?;
    /// let solution = engine.query_once("X = \"ab\"")?.expect("there is an answer");
    /// assert_eq!(solution.to_string(), "X = [97, 98]");
    /// # Ok(())
    /// # }
    /// ```
    pub double_quotes(quotes: DoubleQuotes) double_quotes = Some(quotes);

    /// Follows ISO 13211-1 to the letter: sets the flag `iso`, which refuses extensions of the syntax and of
    /// builtins, and makes `"…"` a list of codes.
    pub iso(iso: bool) iso = iso;

    /// Collects garbage at every call, while there is so much on the stacks that this takes long at
    /// every few calls. Answers are the same, found very slowly: this is for those who look for
    /// faults in the engine itself, where a value that the collector does not see shows at once.
    pub collect_at_every_call(always: bool) collect_always = always;

    /// Without indexing all clauses of a predicate are tried in order. Answers are the same, but
    /// choices are left where an index would leave none: this is for those who look for faults in
    /// the engine itself.
    #[doc(hidden)]
    pub clause_indexing(indexing: bool) indexing = indexing;

    /// Has the tracer follow all goals without showing any: this is for those who look for faults in the
    /// engine itself.
    #[doc(hidden)]
    pub trace_silently(traced: bool) traced = traced;

    /// Has instructions done in a loop, not by handlers that call one another: this is for those who look for
    /// faults in the engine itself.
    #[doc(hidden)]
    pub loop_dispatch(looping: bool) looping = looping;
}

impl EngineBuilder {
    /// The arguments of the program: the flag `argv`.
    #[must_use]
    #[expect(
        clippy::disallowed_methods,
        reason = "the public interface fixes a signature without errors"
    )]
    pub fn args<S: Into<String>>(mut self, args: impl IntoIterator<Item = S>) -> EngineBuilder {
        self.args = args.into_iter().map(Into::into).collect();
        self
    }

    /// Makes the engine.
    ///
    /// # Errors
    /// [`ErrorKind::Resource`] if there is no memory.
    pub fn build(self) -> Result<Engine, Error> {
        let mut engine = Program::of_system()?.engine_with(self.memory)?;
        engine.answer_depth = self.answer_depth;
        engine.allowed = self.allowed;
        if !self.args.is_empty() {
            engine.bounded = true;
            engine.set_args(&self.args)?;
            engine.bounded = false;
        }
        engine.machine.run.collector.always = self.collect_always;
        engine.machine.world.symbols.wastes_numbers = self.collect_always;
        engine.machine.world.predicates.wastes_numbers = self.collect_always;
        engine.machine.world.indexing = self.indexing;
        engine.machine.run.tail_calls &= !self.looping;
        let m = &mut engine.machine;
        if self.iso {
            m.set_iso(true).map_err(|Stop| no_memory())?;
        }
        let quotes = self.iso.then_some(DoubleQuotes::Codes);
        if let Some(quotes) = self.double_quotes.or(quotes) {
            m.world.flags.double_quotes = quotes.into();
        }
        if self.traced {
            engine.machine.run.observers.tracer.visible = 0;
            engine.machine.set_trace_mode(Mode::Creep);
        }
        engine.confine(self.capabilities)?;
        Ok(engine)
    }
}

impl Engine {
    /// An engine with the default settings.
    ///
    /// # Errors
    /// [`ErrorKind::Resource`] if there is no memory.
    pub fn new() -> Result<Engine, Error> {
        EngineBuilder::default().build()
    }

    /// Settings for an engine to be made.
    pub fn builder() -> EngineBuilder {
        EngineBuilder::default()
    }
}
