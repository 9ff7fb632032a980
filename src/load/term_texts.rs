//! Texts of terms, for messages.

use crate::base::stop::Stop;
use crate::base::symbol::Functor;
use crate::machine::state::Machine;
use crate::store::cell::Cell;
use crate::text::write_options::WriteOptions;
use crate::text::writer::message_text;

pub(super) fn shown(m: &Machine, term: Cell) -> Result<String, Stop> {
    shown_with(m, term, Vec::new())
}

/// A term with these names for its variables.
pub(super) fn shown_with(
    m: &Machine,
    term: Cell,
    names: Vec<(Cell, String)>,
) -> Result<String, Stop> {
    let options = WriteOptions {
        variable_names: names,
        ..WriteOptions::print()
    };
    message_text(&m.write_env()?, term, &options)
}

pub(super) fn indicator_text(m: &mut Machine, functor: Functor) -> Result<String, Stop> {
    let indicator = m.indicator(functor);
    shown(m, indicator)
}
