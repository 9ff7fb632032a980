//! A program that engines share.

use super::budget::Budget;
use super::capabilities::Capabilities;
use crate::machine::host_scope::HostScope;
use crate::machine::template::Template;
use crate::machine::world::Confinement;
use std::sync::Arc;

/// A loaded program, from which engines are made. It never changes. Clones denote the same program, and can move to
/// other threads.
///
/// Each engine has the whole program as its own: no other engine sees what it adds, retracts, declares or sets. The
/// unchanged parts are shared, so an engine takes little time and memory, whatever the size of the program.
///
/// ```
/// use wamlet::Engine;
///
/// # fn main() -> Result<(), wamlet::Error> {
/// let mut engine = Engine::new()?;
/// engine.consult_text("colours.pl", ":- dynamic colour/1. colour(red). colour(green).")?;
/// let program = engine.snapshot()?;
///
/// let (mut one, mut other) = (program.engine()?, program.engine()?);
/// one.query_once("retract(colour(red))")?;
/// assert!(one.query_once("colour(red)")?.is_none());
/// assert!(other.query_once("colour(red)")?.is_some());
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Program(pub(super) Arc<Published>);

/// The contents of a program.
pub(super) struct Published {
    pub(super) template: Template,
    pub(super) settings: Settings,
}

/// The settings for engines of a program.
#[derive(Clone)]
pub(super) struct Settings {
    pub(super) memory: usize,
    pub(super) answer_depth: u32,
    pub(super) allowed: Budget,
    pub(super) breaks: bool,
    /// Whether to collect garbage at every call.
    pub(super) collect_always: bool,
    pub(super) wastes_numbers: bool,
    pub(super) confinement: Confinement,
    /// The capabilities, which include the standard streams.
    pub(super) capabilities: Arc<Capabilities>,
    /// The scope in which engines read texts of the host, if it comes from another engine and not from the program.
    pub(super) scope: Option<HostScope>,
}

impl std::fmt::Debug for Program {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Program").finish_non_exhaustive()
    }
}
