//! Settings for a new engine, and its construction.

use super::budget::Budget;
use super::capabilities::Capabilities;
use super::double_quotes::DoubleQuotes;
use super::engine::{Engine, no_memory};
use super::error::Error;
use super::program::Program;
use super::setters::setters;
use crate::base::stop::Stop;
use crate::machine::budget::ends::nanoseconds;
use crate::machine::events::tracer::Mode;
use crate::store::os::physical_memory;

/// Returns the default memory limit of an engine: 2 GiB, or half of the machine's memory if that is less.
fn default_memory() -> usize {
    const MOST: usize = 2 << 30;
    let half = physical_memory().map_or(MOST as u64, |bytes| bytes / 2);
    usize::try_from(half).map_or(MOST, |half| half.min(MOST))
}

/// Settings for a new engine.
#[derive(Clone, Debug)]
pub struct EngineBuilder {
    args: Vec<String>,
    answer_depth: u32,
    collect_always: bool,
    indexing: bool,
    traced: bool,
    looping: bool,
    capabilities: Capabilities,
    budget: Budget,
    double_quotes: Option<DoubleQuotes>,
    iso: bool,
}

impl Default for EngineBuilder {
    fn default() -> EngineBuilder {
        EngineBuilder {
            args: Vec::new(),
            answer_depth: 0,
            collect_always: false,
            indexing: true,
            traced: false,
            looping: false,
            capabilities: Capabilities::script(),
            budget: Budget::default(),
            double_quotes: None,
            iso: false,
        }
    }
}

setters! { EngineBuilder:
    /// Sets the budget of each query and of each load of a file or text. Its memory limit is that of the whole
    /// engine. The default limit is 2 GiB, or half of the machine's memory if that is less.
    pub budget(budget: Budget) budget = budget;

    /// Sets the memory limit in bytes: see [`Budget::memory`].
    pub memory_limit(bytes: usize) budget.room.memory = Budget::new().memory(bytes).room.memory;

    /// Sets the time limit: see [`Budget::time`].
    pub time_limit(time: std::time::Duration) budget.usage.time = nanoseconds(time);

    /// Sets the limit of inferences: see [`Budget::steps`].
    pub inference_limit(inferences: u64) budget.usage.inferences = inferences;

    /// Leaves subterms deeper than `depth` out of the text of answers, as a prompt does. The default 0 means no
    /// limit.
    pub answer_depth(depth: u32) answer_depth = depth;

    /// Sets the resources outside the engine that programs in it may use. The default is [`Capabilities::script`].
    pub capabilities(capabilities: Capabilities) capabilities = capabilities;

    /// Sets the meaning of `"…"` in queries and in files that declare no dialect and set no flag `double_quotes`. The
    /// default is a string, or a list of codes with [`EngineBuilder::iso`].
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

    /// Follows ISO 13211-1 to the letter. Sets the flag `iso`, which refuses extensions of the syntax and of
    /// builtins, and makes `"…"` a list of codes.
    pub iso(iso: bool) iso = iso;

    /// Collects garbage at every call, or every few calls while the stacks are so large that a collection takes long.
    /// Answers stay the same but take very long. This setting helps to find faults in the engine itself: a value that
    /// the collector misses causes a failure at once.
    pub collect_at_every_call(always: bool) collect_always = always;

    /// Turns clause indexing on or off. Without it, the engine tries all clauses of a predicate in order. Answers
    /// stay the same, but choice points remain where an index would leave none. This setting helps to find faults in
    /// the engine itself.
    #[doc(hidden)]
    pub clause_indexing(indexing: bool) indexing = indexing;

    /// Lets the tracer follow all goals without showing any. This setting helps to find faults in the engine itself.
    #[doc(hidden)]
    pub trace_silently(traced: bool) traced = traced;

    /// Executes instructions in a loop instead of handlers that call one another. This setting helps to find faults
    /// in the engine itself.
    #[doc(hidden)]
    pub loop_dispatch(looping: bool) looping = looping;
}

impl EngineBuilder {
    /// Sets the arguments of the program: the flag `argv`.
    #[must_use]
    #[expect(
        clippy::disallowed_methods,
        reason = "the public interface fixes a signature without errors"
    )]
    pub fn args<S: Into<String>>(mut self, args: impl IntoIterator<Item = S>) -> EngineBuilder {
        self.args = args.into_iter().map(Into::into).collect();
        self
    }

    /// Builds the engine.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Resource`] if there is not enough memory.
    pub fn build(self) -> Result<Engine, Error> {
        self.build_from(Program::library()?)
    }

    /// Builds an engine from a program.
    pub(super) fn build_from(self, program: &Program) -> Result<Engine, Error> {
        let memory = match self.budget.room.memory {
            usize::MAX => default_memory(),
            bytes => bytes,
        };
        let mut engine = program.engine_with(memory)?;
        engine.answer_depth = self.answer_depth;
        if !self.args.is_empty() {
            engine.set_args(&self.args)?;
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
        engine.set_budget(self.budget);
        Ok(engine)
    }
}

impl Engine {
    /// Returns an engine with the default settings.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Resource`] if there is not enough memory.
    pub fn new() -> Result<Engine, Error> {
        EngineBuilder::default().build()
    }

    /// Returns the default settings for a new engine.
    pub fn builder() -> EngineBuilder {
        EngineBuilder::default()
    }
}
