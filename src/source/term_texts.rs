//! Texts of terms, for messages.

use crate::base::atom_table::{Functor, functors};
use crate::base::growth::GrowText;
use crate::base::stop::Stop;
use crate::machine::state::Machine;
use crate::store::cell::Cell;
use crate::store::heap::View;
use crate::text::write_atom::push_atom;
use crate::text::write_options::WriteOptions;
use crate::text::writer::message_text;

pub(crate) fn shown(m: &Machine, term: Cell) -> Result<String, Stop> {
    shown_with(m, term, Vec::new())
}

/// A term with these names for its variables.
pub(crate) fn shown_with(
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

pub(crate) fn indicator_text(m: &mut Machine, functor: Functor) -> Result<String, Stop> {
    let indicator = m.indicator(functor);
    shown(m, indicator)
}

/// `name/arity`
pub(crate) fn name_and_arity(m: &Machine, functor: Functor) -> Result<String, Stop> {
    let mut text = String::new();
    push_atom(
        &mut text,
        m.world.symbols.text(m.world.symbols.name(functor)),
        true,
        true,
    )?;
    text.put_str(&format!("/{}", functor.arity()))?;
    Ok(text)
}

/// The text of an atom or a string, or of `dir/file`.
pub(crate) fn text_of(m: &Machine, cell: Cell) -> Option<String> {
    match m.store.view(cell) {
        View::Atom(name) => Some(m.world.symbols.text(name).to_owned()),
        View::String(addr) => Some(m.store.text(addr).to_owned()),
        // `dir/file`, as SWI-Prolog reads it.
        View::Struct(functors::SLASH, args) => {
            let (a, b) = (m.store.arg(args, 0), m.store.arg(args, 1));
            Some(format!("{}/{}", text_of(m, a)?, text_of(m, b)?))
        }
        _ => None,
    }
}
