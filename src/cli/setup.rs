//! How a command that runs programs sets its engines: limits, what programs may reach, how they are read, and how errors
//! are shown.

use super::args::Reading;
use super::limits::Limits;
use super::report::{self, no_engine, report_as};
use super::sandbox::Sandbox;
use super::status::BROKEN;
use std::process::ExitCode;
use wamlet::{Engine, EngineBuilder, Error};

/// The options for that.
#[derive(clap::Args, Clone, Debug, Default)]
pub(crate) struct Setup {
    #[command(flatten)]
    pub(crate) limits: Limits,
    #[command(flatten)]
    sandbox: Sandbox,
    /// Show errors and warnings as JSON, an object on each line of the standard error output
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

impl Setup {
    /// That of a command that runs no programs.
    pub(crate) fn plain(json: bool) -> Setup {
        Setup {
            json,
            ..Setup::default()
        }
    }

    fn built(&self, settings: EngineBuilder) -> Result<Engine, Error> {
        self.sandbox.set(self.limits.set(settings)).build()
    }

    /// An engine, which reports what it meets.
    ///
    /// # Errors
    /// There is none.
    pub(crate) fn engine(&self) -> Result<Engine, Error> {
        let mut engine = self.built(self.reading.settings())?;
        self.sandbox.show_output(&mut engine);
        report_as(&mut engine, self.json);
        Ok(engine)
    }

    /// The same, or the status to end with where there is none: then it was told why.
    pub(crate) fn engine_or_status(&self) -> Result<Engine, ExitCode> {
        self.engine().map_err(|error| no_engine(&error))
    }

    /// An engine for programs that are read so. What they write goes to the standard error output: the standard output is
    /// for lines. Signals end the process: a unit has no effects to be undone.
    ///
    /// # Errors
    /// The exit status if there is none.
    pub(crate) fn engine_of_lines(&self, reading: Reading) -> Result<Engine, i32> {
        let mut engine = self.built(reading.settings()).map_err(|error| {
            no_engine(&error);
            BROKEN
        })?;
        engine.set_output(std::io::stderr());
        engine.set_error_output(std::io::stderr());
        engine.print_diagnostics(true);
        engine.set_message_form(report::form(self.json));
        Ok(engine)
    }
}
