//! A program that engines share.

use super::budget::Budget;
use super::capabilities::Capabilities;
use crate::machine::host_scope::HostScope;
use crate::machine::template::Template;
use crate::machine::world::Confinement;
use std::sync::Arc;

/// A loaded program, of which engines are made. It is not changed any more: clones stand for the same program, and may be
/// sent to other threads.
///
/// An engine of a program has all of it as its own: what it adds, retracts, declares or sets is seen by no other one. What
/// it does not change is shared, so that an engine takes little time and memory, whatever the size of the program.
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

/// What a program is made of.
pub(super) struct Published {
    pub(super) template: Template,
    pub(super) settings: Settings,
}

/// How engines of a program are set.
#[derive(Clone)]
pub(super) struct Settings {
    pub(super) memory: usize,
    pub(super) answer_depth: u32,
    pub(super) allowed: Budget,
    pub(super) breaks: bool,
    /// Collect garbage at every call?
    pub(super) collect_always: bool,
    pub(super) wastes_numbers: bool,
    pub(super) confinement: Confinement,
    /// What their standard streams are.
    pub(super) capabilities: Arc<Capabilities>,
    /// What they read texts of the host with, if it is that of another engine, not what the program has.
    pub(super) scope: Option<HostScope>,
}

impl std::fmt::Debug for Program {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Program").finish_non_exhaustive()
    }
}
