//! Terms that move from one machine to another, which may have other numbers for the same names.
#![forbid(unsafe_code)]

use crate::base::atom_table::{FastMap, Symbols};
use crate::base::growth::{Grow, GrowMap, text_of};
use crate::base::stop::Stop;
use crate::store::cell::Cell;
use crate::store::heap::Store;
use crate::store::stored::Stored;

/// A term, and the names of the symbols in it.
#[derive(Debug)]
pub(crate) struct Carried {
    words: Vec<u64>,
    root: u64,
    /// The words of symbols, each with its name. The word of a functor includes the arity.
    names: Vec<(u64, String)>,
}

/// Calls `work` for each word of a block that is a cell.
fn each_cell(
    words: &mut [u64],
    mut work: impl FnMut(&mut u64) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let mut at = 0;
    while let Some(word) = words.get_mut(at) {
        let cell = Cell::of_word(*word);
        at += 1;
        match cell.is_box_header() {
            true => at += cell.box_words(),
            false => work(word)?,
        }
    }
    Ok(())
}

fn is_symbol(word: u64) -> bool {
    let cell = Cell::of_word(word);
    cell.is_atom() || cell.is_functor()
}

impl Carried {
    /// Copies a term with its attributes.
    ///
    /// # Errors
    /// Returns an error if memory runs out.
    pub(crate) fn take(store: &mut Store, symbols: &Symbols, term: Cell) -> Result<Carried, Stop> {
        let Stored { cells, root, .. } = store.store_ball(term)?;
        let mut carried = Carried {
            words: cells.into_vec(),
            root,
            names: Vec::new(),
        };
        let Carried { words, names, .. } = &mut carried;
        let mut known = FastMap::default();
        let mut name = |word: &mut u64| {
            let cell = Cell::of_word(*word);
            if !is_symbol(*word) || known.contains_key(word) {
                return Ok(());
            }
            known.put_entry(*word, ())?;
            let name = match cell.is_atom() {
                true => symbols.text(cell.as_atom()),
                false => symbols.name_text(cell.as_functor()),
            };
            names.put((*word, text_of(name)?))
        };
        name(&mut { root })?;
        each_cell(words, name)?;
        Ok(carried)
    }

    /// Builds the term in another machine.
    ///
    /// # Errors
    /// Returns an error if memory runs out.
    pub(crate) fn give(mut self, store: &mut Store, symbols: &mut Symbols) -> Result<Cell, Stop> {
        let mut numbers = FastMap::default();
        for (word, name) in &self.names {
            let cell = Cell::of_word(*word);
            let name = symbols.intern(name)?;
            let own = match cell.is_atom() {
                true => Cell::atom(name),
                false => Cell::functor(symbols.functor(name, cell.as_functor().arity())?),
            };
            if own != cell {
                numbers.put_entry(*word, own.word())?;
            }
        }
        let renumber = |word: &mut u64| {
            if is_symbol(*word)
                && let Some(&own) = numbers.get(word)
            {
                *word = own;
            }
            Ok(())
        };
        if !numbers.is_empty() {
            renumber(&mut self.root)?;
            each_cell(&mut self.words, renumber)?;
        }
        store.copy_in(&self.words, self.root)
    }
}
