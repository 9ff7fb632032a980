//! Permits for actions that loading does itself, whichever goal runs. It compares files, reads texts
//! again to show places in them, gets the width of the terminal, and reads keys for the tracer.

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
