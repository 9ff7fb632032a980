//! Texts of terms, for messages.

use crate::base::atom_table::{Functor, functors};
use crate::base::growth::{Grow, GrowText};
use crate::base::stop::Stop;
use crate::machine::state::Machine;
use crate::store::cell::Cell;
use crate::store::heap::View;
use crate::text::write_atom::push_atom;
use crate::text::write_options::WriteOptions;
use crate::text::writer::message_text;

pub(crate) fn term_text(m: &Machine, term: Cell) -> Result<String, Stop> {
    text_with_names(m, term, Vec::new())
}

/// Returns the text of a term, with these names for its variables.
pub(crate) fn text_with_names(
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
    term_text(m, indicator)
}

/// Returns `name/arity`.
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

/// Maximum number of parts in the name of a file.
const MOST_PARTS: usize = 4096;

/// Returns the text of an atom or a string, or of `dir/file`, as SWI-Prolog reads it.
pub(crate) fn text_of(m: &Machine, cell: Cell) -> Result<Option<String>, Stop> {
    let mut text = String::new();
    let (mut todo, mut parts) = (vec![cell], 0);
    while let Some(cell) = todo.pop() {
        let part = match m.store.view(cell) {
            View::Atom(name) => m.world.symbols.text(name),
            View::String(addr) => m.store.text(addr),
            View::Struct(functors::SLASH, args) if parts + todo.len() < MOST_PARTS => {
                todo.put(m.store.arg(args, 1))?;
                todo.put(m.store.arg(args, 0))?;
                continue;
            }
            _ => return Ok(None),
        };
        if parts > 0 {
            text.put('/')?;
        }
        text.put_str(part)?;
        parts += 1;
    }
    Ok(Some(text))
}
