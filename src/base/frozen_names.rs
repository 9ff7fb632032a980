//! Names that do not change any more, shared by many engines. They are in layers; each layer has the names that came
//! after those of the layers before. So a program that adds few names to those of another one takes little memory.
#![forbid(unsafe_code)]

use super::atom_table::Atom;
use super::functor_table::FunctorTable;
use super::growth::{Gather, Within, room_for_one};
use super::stop::Stop;
use super::text_table::TextTable;
use std::sync::Arc;

/// Names that are numbered together.
#[derive(Default)]
pub(super) struct Layer {
    pub(super) atoms: TextTable,
    pub(super) functors: FunctorTable,
}

impl Layer {
    fn len(&self) -> usize {
        self.atoms.end() + self.functors.end()
    }
}

/// A layer, and the numbers of its first names.
#[derive(Clone)]
struct Part {
    first_atom: usize,
    first_functor: usize,
    layer: Arc<Layer>,
}

/// All layers.
#[derive(Clone, Default)]
pub(super) struct FrozenNames {
    parts: Arc<Vec<Part>>,
    atoms_end: usize,
    functors_end: usize,
}

impl FrozenNames {
    /// Returns a number greater than those of all atoms.
    #[inline(always)]
    pub(super) fn atoms_end(&self) -> usize {
        self.atoms_end
    }

    /// Returns a number greater than those of all functors.
    #[inline(always)]
    pub(super) fn functors_end(&self) -> usize {
        self.functors_end
    }

    /// Returns the number of atoms.
    pub(super) fn atom_count(&self) -> usize {
        self.parts.iter().map(|part| part.layer.atoms.count()).sum()
    }

    /// Returns the number of functors.
    pub(super) fn functor_count(&self) -> usize {
        let counts = self.parts.iter().map(|part| part.layer.functors.count());
        counts.sum()
    }

    /// Returns the number of the atom of this text, which has this hash.
    #[inline]
    pub(super) fn find_atom(&self, text: &str, hash: u32) -> Option<usize> {
        self.parts.iter().find_map(|part| {
            let number = part.layer.atoms.find(text, hash)?;
            Some(part.first_atom + number)
        })
    }

    /// Returns the layer of an atom, and its number there.
    #[inline]
    fn atom(&self, number: usize) -> Option<(&TextTable, usize)> {
        let mut parts = self.parts.iter().rev();
        let part = parts.find(|part| part.first_atom <= number)?;
        Some((&part.layer.atoms, number - part.first_atom))
    }

    /// Returns the text of an atom; the text is empty if the number belongs to none.
    #[inline]
    pub(super) fn text(&self, number: usize) -> &str {
        let atom = self.atom(number);
        atom.map_or("", |(atoms, number)| atoms.text(number))
    }

    /// Returns whether a search for the atom's text finds the atom.
    pub(super) fn is_named(&self, number: usize) -> bool {
        let atom = self.atom(number);
        atom.is_some_and(|(atoms, number)| atoms.is_named(number))
    }

    /// Returns the number of a functor.
    #[inline]
    pub(super) fn find_functor(&self, name: Atom, arity: u32) -> Option<usize> {
        self.parts.iter().find_map(|part| {
            let number = part.layer.functors.find(name, arity)?;
            Some(part.first_functor + number)
        })
    }

    /// Returns the name of a functor.
    #[inline]
    pub(super) fn functor_name(&self, number: usize) -> Option<Atom> {
        let mut parts = self.parts.iter().rev();
        let part = parts.find(|part| part.first_functor <= number)?;
        Some(part.layer.functors.name(number - part.first_functor))
    }

    /// Returns name and arity of all functors, in order of their numbers.
    pub(super) fn functors(&self) -> impl Iterator<Item = (Atom, u32)> {
        self.parts
            .iter()
            .flat_map(|part| part.layer.functors.iter())
    }

    /// Adds the names of a layer under the numbers that follow, and leaves the layer empty. Older layers that are no
    /// larger than the layers after them are merged with them, so there are few layers.
    ///
    /// # Errors
    /// Returns an error and changes nothing if there is no memory.
    pub(super) fn push(&mut self, own: &mut Layer) -> Result<(), Stop> {
        let mut size = own.len();
        let ends = (
            self.atoms_end + own.atoms.end(),
            self.functors_end + own.functors.end(),
        );
        let mut kept = self.parts.len();
        let mut first = (self.atoms_end, self.functors_end);
        while let Some(part) = kept.checked_sub(1).and_then(|last| self.parts.get(last))
            && part.layer.len() <= size
        {
            size += part.layer.len();
            first = (part.first_atom, part.first_functor);
            kept -= 1;
        }
        let mut parts = self.parts.iter().take(kept).cloned().gather()?;
        room_for_one(&mut parts)?;
        let layer = match self.parts.get(kept..) {
            Some(merged) if !merged.is_empty() => {
                let mut layer = Layer::default();
                let merged = merged.iter().map(|part| &*part.layer);
                for part in merged.chain([&*own]) {
                    layer.atoms.append(&part.atoms)?;
                    layer.functors.append(&part.functors)?;
                }
                *own = Layer::default();
                layer
            }
            _ => std::mem::take(own),
        };
        parts.put_within(Part {
            first_atom: first.0,
            first_functor: first.1,
            layer: Arc::new(layer),
        });
        self.parts = Arc::new(parts);
        (self.atoms_end, self.functors_end) = ends;
        Ok(())
    }
}
