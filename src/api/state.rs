//! What the interface keeps in an engine.

use super::host::HostTable;
use crate::machine::upper::Layer;

/// What it keeps.
#[derive(Default)]
pub(super) struct State {
    /// The functions that the host registered.
    pub(super) functions: HostTable,
}

/// What it keeps in this engine.
pub(super) fn own(layer: &mut Layer) -> &mut State {
    layer.of()
}
