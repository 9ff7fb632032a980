//! Messages of loading that are kept for the host.

use super::diagnostic::{Diagnostic, Severity};
use crate::base::growth::{Within, room_for_one};
use crate::base::stop::Stop;
use crate::store::claims::{Claim, Life};
use crate::store::heap::Store;

/// Maximum number of errors kept, and of warnings.
const MAX_MESSAGES: usize = 1000;

/// Divisor of the engine's memory: the messages take at most this part, so that no load ends because
/// of its messages.
const SHARE: u64 = 16;

/// The messages since the host last took them. Their memory counts against the limit of the engine.
#[derive(Default)]
pub(crate) struct Kept {
    pub(crate) errors: Vec<Diagnostic>,
    pub(crate) warnings: Vec<Diagnostic>,
    /// Number of messages that were not kept.
    pub(crate) left_out: usize,
    claim: Claim,
}

impl Kept {
    /// Reserves room for a message, so that keeping it later cannot fail for lack of memory.
    pub(super) fn make_room(&mut self) -> Result<(), Stop> {
        room_for_one(&mut self.errors)?;
        room_for_one(&mut self.warnings)
    }

    /// Keeps a message if there is room for it. The first error and the first warning are always kept.
    pub(super) fn keep(&mut self, store: &Store, message: Diagnostic) {
        let list = match message.severity {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
            Severity::Note => return,
        };
        let bytes = self.claim.bytes() + message.bytes();
        let fits = list.len() < MAX_MESSAGES
            && bytes <= store.area_bytes() as u64 / SHARE
            && store
                .resize_claim(&mut self.claim, bytes, Life::Passing)
                .is_ok();
        if (fits || list.is_empty()) && room_for_one(list).is_ok() {
            list.put_within(message);
        } else {
            self.left_out += 1;
        }
    }
}
