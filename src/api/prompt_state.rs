//! The state of prompts that lasts from query to query.

use super::debugging::Debugging;
use super::engine::Engine;
use super::query_editor::Editor;
use super::values::Values;
use crate::machine::upper_layers::LayerState;
use std::time::Duration;

/// The state of a prompt that lasts from query to query.
#[derive(Default)]
pub(super) struct Prompt {
    /// The editor for the terminal.
    pub(super) editor: Option<Editor>,
    /// Whether the prompt prints the inferences and the time of each query.
    pub(super) times: bool,
    /// The values that variables had in answers.
    pub(super) values: Values,
    /// Number of waiting queries whose sessions print how to end them. The prompt shows this number.
    pub(super) level: usize,
    /// Number of all waiting queries.
    pub(super) waiting: usize,
    /// Whether the prompt has printed how to end tracing.
    pub(super) explained_tracing: bool,
    /// Whether the prompt has printed how to see the whole of a last answer.
    pub(super) explained_more: bool,
    /// Whether the present query has failed without an explanation.
    pub(super) unexplained: bool,
    pub(super) query: PresentQuery,
}

impl LayerState for Prompt {}

/// The state of the last query of a prompt.
pub(super) struct PresentQuery {
    /// The time and inferences of the query so far. The time on the clock does not include waiting for the user.
    pub(super) time: Duration,
    pub(super) inferences: u64,
    /// The mode of the tracer at the start of the query.
    pub(super) debugging: Debugging,
    /// Whether a key has turned on tracing for the query.
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
    /// Returns the state of the prompts.
    pub(super) fn prompt(&mut self) -> &mut Prompt {
        self.machine.world.layers.of()
    }
}
