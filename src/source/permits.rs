//! Permits for what loading does itself, whatever goal runs: it compares files, reads texts again to show
//! places in them, asks the terminal what room a message has, and reads the keys of who traces.

use crate::base::needs::{Load, Permit, Place, Stdin, Stdout};

pub(crate) fn load() -> &'static Permit<Load> {
    Permit::issue()
}

pub(crate) fn place() -> &'static Permit<Place> {
    Permit::issue()
}

pub(crate) fn stdin() -> &'static Permit<Stdin> {
    Permit::issue()
}

pub(super) fn stdout() -> &'static Permit<Stdout> {
    Permit::issue()
}
