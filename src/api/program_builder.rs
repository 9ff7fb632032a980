//! Construction of a program from texts, files, images and functions of the host.

use super::budget::Budget;
use super::builder::EngineBuilder;
use super::capabilities::Capabilities;
use super::consult::LoadReport;
use super::engine::Engine;
use super::error::Error;
use super::host::Call;
use super::program::Program;
use super::term::Term;
use crate::base::growth::{Bounded, Grow};
use std::path::PathBuf;
use std::sync::Arc;

/// A part of a program.
type Part = Box<dyn FnOnce(&mut Engine) -> Result<LoadReport, Error> + Send>;

/// The parts of a new program, in order. Its engines have the capabilities [`Capabilities::pure`] unless
/// [`ProgramBuilder::capabilities`] sets others.
pub struct ProgramBuilder {
    engines: EngineBuilder,
    budget: Budget,
    parts: Vec<Part>,
}

impl std::fmt::Debug for ProgramBuilder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ProgramBuilder")
            .field("engines", &self.engines)
            .field("parts", &self.parts.len())
            .finish()
    }
}

impl Program {
    /// Returns a builder for a program without parts.
    ///
    /// ```
    /// use wamlet::{Call, Program};
    ///
    /// # fn main() -> Result<(), wamlet::Error> {
    /// let (program, report) = Program::builder()
    ///     .predicate("has_role", 2, |call: &mut Call<'_>| {
    ///         Ok(call.arg(0).as_atom() == Some("ann") && call.arg(1).as_atom() == Some("admin"))
    ///     })
    ///     .text("policy.pl", "allow(User) :- has_role(User, admin).")
    ///     .build()?;
    /// assert!(report.is_clean());
    /// let worker = std::thread::spawn(move || {
    ///     let mut engine = program.engine()?;
    ///     engine.query_once("allow(ann)")
    /// });
    /// assert!(worker.join().expect("no panic")?.is_some());
    /// # Ok(())
    /// # }
    /// ```
    pub fn builder() -> ProgramBuilder {
        ProgramBuilder {
            engines: EngineBuilder::default().capabilities(Capabilities::pure()),
            budget: Budget::new(),
            parts: Vec::new(),
        }
    }
}

impl ProgramBuilder {
    /// Sets the settings of the program's engines: their limits, flags and capabilities. The capabilities are then
    /// those of [`EngineBuilder`].
    #[must_use]
    pub fn engines(mut self, engines: EngineBuilder) -> ProgramBuilder {
        self.engines = engines;
        self
    }

    /// Sets the budget for building the program. All texts and files share it, with their directives, expansions and
    /// initializations. Each query and each load of the engines gets the same budget again, unless a later call of
    /// [`ProgramBuilder::engines`] sets another one.
    #[must_use]
    pub fn budget(mut self, budget: Budget) -> ProgramBuilder {
        (self.budget, self.engines) = (budget, self.engines.budget(budget));
        self
    }

    /// Sets the resources outside the engine that the texts of the program, and those that its engines load, may use.
    /// The default is [`Capabilities::pure`].
    #[must_use]
    pub fn capabilities(mut self, capabilities: Capabilities) -> ProgramBuilder {
        self.engines = self.engines.capabilities(capabilities);
        self
    }

    /// Adds a text, as [`Engine::consult_text`] loads it. Messages use `name`.
    #[must_use]
    pub fn text(self, name: impl Into<String>, text: impl Into<String>) -> ProgramBuilder {
        let (name, text) = (name.into(), text.into());
        self.part(move |engine| engine.consult_text(&name, &text))
    }

    /// Adds a file, as [`Engine::consult_file`] loads it.
    #[must_use]
    pub fn file(self, path: impl Into<PathBuf>) -> ProgramBuilder {
        let path = path.into();
        self.part(move |engine| engine.consult_file(path))
    }

    /// Adds an image, as [`Engine::consult_image`] loads it.
    #[must_use]
    pub fn image(self, name: impl Into<String>, image: Arc<[u8]>) -> ProgramBuilder {
        let name = name.into();
        self.part(move |engine| engine.consult_image(&name, image))
    }

    /// Adds a function of the host as a predicate of the module `user`, as [`Engine::register`] does. All engines of
    /// the program can call it, on any thread.
    #[must_use]
    pub fn predicate(
        self,
        name: impl Into<String>,
        arity: usize,
        function: impl Fn(&mut Call<'_>) -> Result<bool, Term> + Send + Sync + 'static,
    ) -> ProgramBuilder {
        let name = name.into();
        self.part(move |engine| {
            engine.register_shared(&name, arity, function)?;
            Ok(LoadReport::default())
        })
    }

    /// Adds a function of the host as a predicate with any number of solutions, as [`Engine::register_each`] does. All
    /// engines of the program can call it, on any thread.
    #[must_use]
    pub fn predicate_each<I>(
        self,
        name: impl Into<String>,
        arity: usize,
        function: impl Fn(&mut Call<'_>) -> Result<I, Term> + Send + Sync + 'static,
    ) -> ProgramBuilder
    where
        I: Iterator<Item = Result<Vec<Term>, Term>> + Send + 'static,
    {
        let name = name.into();
        self.part(move |engine| {
            engine.register_each_shared(&name, arity, function)?;
            Ok(LoadReport::default())
        })
    }

    /// Protects a module of the texts added so far as a module of the host, as [`Engine::protect`] does.
    #[must_use]
    pub fn protect(self, module: impl Into<String>) -> ProgramBuilder {
        let module = module.into();
        self.part(move |engine| {
            engine.protect(&module)?;
            Ok(LoadReport::default())
        })
    }

    /// Adds the text of a tenant in its own module, as [`Engine::consult_tenant`] loads it.
    #[must_use]
    pub fn tenant(
        self,
        module: impl Into<String>,
        name: impl Into<String>,
        text: impl Into<String>,
    ) -> ProgramBuilder {
        let (module, name, text) = (module.into(), name.into(), text.into());
        self.part(move |engine| engine.consult_tenant(&module, &name, &text))
    }

    fn part(
        mut self,
        part: impl FnOnce(&mut Engine) -> Result<LoadReport, Error> + Send + 'static,
    ) -> ProgramBuilder {
        self.parts.put_bounded(Box::new(part));
        self
    }

    /// Builds the program. Returns it with a report of errors and warnings. An error in one clause does not keep the
    /// other clauses out of the program.
    ///
    /// # Errors
    /// Returns the errors of the budget, and those of the methods that load and change the parts:
    /// [`Engine::consult_text`], [`Engine::consult_file`], [`Engine::consult_image`], [`Engine::register`],
    /// [`Engine::protect`] and [`Engine::snapshot`].
    pub fn build(self) -> Result<(Program, LoadReport), Error> {
        let mut engine = self.engines.build_from(Program::compiled_library()?)?;
        let mut report = LoadReport::default();
        engine.within(&self.budget, |engine| {
            for part in self.parts {
                let more = part(engine)?;
                report.errors.put_all(more.errors)?;
                report.warnings.put_all(more.warnings)?;
                report.left_out += more.left_out;
            }
            Ok(())
        })?;
        // The texts of the program belong to the host.
        engine.scope = None;
        Ok((engine.snapshot()?, report))
    }
}
