//! Setup of engines for commands that run programs: limits, capabilities, reading and the form of errors.

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
    /// Write errors and warnings to standard error as JSON, one object a line
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

impl Setup {
    /// Returns the setup of a command that runs no programs.
    pub(crate) fn plain(json: bool) -> Setup {
        Setup {
            json,
            ..Setup::default()
        }
    }

    fn built(&self, settings: EngineBuilder) -> Result<Engine, Error> {
        self.sandbox.set(self.limits.set(settings)).build()
    }

    /// Returns an engine that reports its messages.
    ///
    /// # Errors
    /// Returns an error if the engine cannot be made.
    pub(crate) fn engine(&self) -> Result<Engine, Error> {
        let mut engine = self.built(self.reading.settings())?;
        self.sandbox.show_output(&mut engine);
        report_as(&mut engine, self.json);
        Ok(engine)
    }

    /// Returns an engine that reports its messages. Reports an error if there is none, and returns the exit status.
    pub(crate) fn engine_or_status(&self) -> Result<Engine, ExitCode> {
        self.engine().map_err(|error| no_engine(&error))
    }

    /// Returns an engine for programs that are read as `reading` says. The programs write to the standard error output,
    /// because the standard output is for result lines. Signals end the process, because a unit has no effects to undo.
    ///
    /// # Errors
    /// Returns the exit status if the engine cannot be made.
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
