//! What is kept of prompts from one query to the next.

use super::debugging::Debugging;
use super::engine::Engine;
use super::query_editor::Editor;
use super::values::Values;
use std::time::Duration;

/// What lasts from one query of a prompt to the next.
#[derive(Default)]
pub(super) struct Prompt {
    /// The editor of a terminal.
    pub(super) editor: Option<Editor>,
    /// Is it told what each query takes?
    pub(super) times: bool,
    /// The values that variables had in answers.
    pub(super) values: Values,
    /// How many queries wait for sessions that end by themselves, which the prompt shows.
    pub(super) level: usize,
    /// How many wait in all.
    pub(super) waiting: usize,
    /// Has it been told how to end tracing?
    pub(super) told_of_tracing: bool,
    /// Has it been told how to see all of a last answer?
    pub(super) told_of_more: bool,
    /// Has the present query failed without an explanation?
    pub(super) unexplained: bool,
    pub(super) query: PresentQuery,
}

/// What is known of the query that a prompt has asked last.
pub(super) struct PresentQuery {
    /// What it has taken so far: time on the clock, without that in which a person was waited for, and inferences.
    pub(super) time: Duration,
    pub(super) inferences: u64,
    /// What the tracer did when it began.
    pub(super) debugging: Debugging,
    /// Was a key typed that has it traced?
    pub(super) traced_by_key: bool,
}

impl Default for PresentQuery {
    fn default() -> PresentQuery {
        PresentQuery {
            time: Duration::ZERO,
            inferences: 0,
            debugging: Debugging::Off,
            traced_by_key: false,
        }
    }
}

impl Engine {
    /// What is kept of prompts.
    pub(super) fn prompt(&mut self) -> &mut Prompt {
        self.machine.world.layers.of()
    }
}
