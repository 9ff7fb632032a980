//! Terms with some of their parts replaced: the variables that each use of a clause has for itself, or the names
//! that a quantifier binds. Subterms without such parts are shared, not copied.
#![forbid(unsafe_code)]

use super::address::HeapAddr;
use super::body::CYCLE_CHECK;
use super::cell::{Cell, WORD};
use super::heap::{Store, View, deref};
use super::raw;
use crate::base::atom_table::{FastMap, functors};
use crate::base::growth::{Gather, Grow, GrowMap};
use crate::base::stop::Stop;

/// A compound that is being rebuilt.
struct Frame {
    /// The first word of the compound, and the first word of its copy: none while the two do not differ.
    from: HeapAddr,
    copy: Option<HeapAddr>,
    /// The number of words of the compound, and the index of the word that is being rebuilt.
    words: u32,
    at: u32,
    /// Whether the compound is a list cell.
    list: bool,
    /// Whether the compound hides a name that is to be replaced.
    hides: bool,
}

/// Number of frames that need no accounting.
const FRAMES: usize = 8;
/// Bytes of an entry about a compound.
const KNOWN_BYTES: usize = 48;

impl Store {
    /// Returns `term` with the variables `from` replaced by the terms `to`, one for each. Other variables stay.
    ///
    /// # Errors
    /// Returns an error if there is no room.
    pub(crate) fn replace(&mut self, term: Cell, from: &[Cell], to: &[Cell]) -> Result<Cell, Stop> {
        let pairs = from.iter().zip(to).map(|(from, &to)| (from.0, to));
        let to: FastMap<u64, Cell> = pairs.gather_map()?;
        self.rebuild(term, None, |_, cell| Ok(to.get(&cell.0).copied()))
    }

    /// Returns `term` with the names in `to` replaced. Every `$bound(name)` and every variable that is a key of `to`
    /// becomes its value there, except where an inner quantifier binds it again.
    ///
    /// # Errors
    /// Returns an error if there is no room.
    pub(crate) fn replace_bound(
        &mut self,
        term: Cell,
        to: &FastMap<u64, Cell>,
    ) -> Result<Cell, Stop> {
        self.rebuild(term, Some(to), |_, _| Ok(None))
    }

    /// Returns `term` with its variables replaced by the results of `instead`, and its bound names by those of
    /// `bound`.
    ///
    /// # Errors
    /// Returns an error if there is no room.
    pub(crate) fn rebuild(
        &mut self,
        term: Cell,
        bound: Option<&FastMap<u64, Cell>>,
        mut instead: impl FnMut(&mut Store, Cell) -> Result<Option<Cell>, Stop>,
    ) -> Result<Cell, Stop> {
        let mut frames: Vec<Frame> = Vec::new();
        // Names that inner quantifiers bind again, each once for each such quantifier around the present part.
        let mut hidden: Vec<u64> = Vec::new();
        // The results for compounds, once there are enough compounds that some may be shared.
        let mut known: FastMap<u64, Option<Cell>> = FastMap::default();
        let mut parts = 0usize;
        let mut given = term;
        loop {
            let part = deref(given);
            parts += 1;
            self.events.watch.go_on_at(parts)?;
            if parts == CYCLE_CHECK && !self.acyclic_term(term)? {
                return Err(Stop);
            }
            let mut changed = None;
            let mut entered = false;
            if part.is_compound() {
                if let Some((name, value)) = bound.and_then(|bound| self.bound_value(part, bound))
                    && !hidden.contains(&name)
                {
                    changed = Some(value);
                } else if let Some(&done) = known.get(&part.0)
                    && hidden.is_empty()
                {
                    changed = done;
                } else {
                    let hides = bound.and_then(|bound| self.hidden_name(part, bound));
                    hidden.put_all(hides)?;
                    if frames.len() == frames.capacity() {
                        self.room_for(2 * frames.len() * size_of::<Frame>())?;
                        let more = frames.len().max(FRAMES);
                        frames.try_reserve(more)?;
                    }
                    frames.put(self.frame(part, hides.is_some()))?;
                    entered = true;
                }
            } else if part.is_var() || part.is_forward() {
                changed = instead(self, part)?;
                if let Some(bound) = bound
                    && !hidden.contains(&part.0)
                {
                    changed = bound.get(&part.0).copied();
                }
            }
            // Go on to the next part, out of the compounds that end here.
            loop {
                let Some(frame) = frames.last_mut() else {
                    return Ok(changed.unwrap_or(term));
                };
                if !entered {
                    if let Some(value) = changed {
                        let copy = self.copy_of(frame)?;
                        raw::set_cell(copy + u64::from(frame.at) * WORD, value);
                    }
                    frame.at += 1;
                }
                if frame.at < frame.words {
                    given = Cell::reference(frame.from + u64::from(frame.at) * WORD);
                    break;
                }
                entered = false;
                changed = frame.copy.map(|copy| frame.cell(copy));
                let original = frame.cell(frame.from);
                if frame.hides {
                    hidden.pop();
                }
                frames.pop();
                if parts > CYCLE_CHECK && hidden.is_empty() {
                    self.room_for((known.len() + 1) * KNOWN_BYTES)?;
                    known.try_reserve(1)?;
                    known.put_entry(original.0, changed)?;
                }
            }
        }
    }

    fn room_for(&self, bytes: usize) -> Result<(), Stop> {
        if self.has_room_for(bytes) {
            Ok(())
        } else {
            Err(Stop)
        }
    }

    /// Returns the name and its replacement if the part is `$bound(name)` for one of these names.
    fn bound_value(&self, part: Cell, bound: &FastMap<u64, Cell>) -> Option<(u64, Cell)> {
        let View::Struct(functors::BOUND, args) = self.view(part) else {
            return None;
        };
        let name = self.arg(args, 0).0;
        bound.get(&name).map(|&value| (name, value))
    }

    /// Returns the one of these names that an abstraction binds again.
    fn hidden_name(&self, part: Cell, bound: &FastMap<u64, Cell>) -> Option<u64> {
        let View::Struct(functors::LAMBDA, args) = self.view(part) else {
            return None;
        };
        let name = self.arg(args, 0).0;
        bound.contains_key(&name).then_some(name)
    }

    /// Returns the frame of a compound.
    fn frame(&self, part: Cell, hides: bool) -> Frame {
        let Some((functor, args)) = self.compound(part) else {
            unreachable!("frames are made of compounds")
        };
        let list = functor == functors::LIST;
        Frame {
            from: part.addr(),
            copy: None,
            words: functor.arity() as u32 + u32::from(!list),
            at: ((args - part.addr()) / WORD) as u32,
            list,
            hides,
        }
    }

    /// Returns the copy of a compound, and makes it first if there is none.
    fn copy_of(&mut self, frame: &mut Frame) -> Result<HeapAddr, Stop> {
        if let Some(copy) = frame.copy {
            return Ok(copy);
        }
        self.reserve(frame.words as usize)?;
        let copy = self.allocate(frame.words as usize);
        for index in 0..u64::from(frame.words) {
            let at = frame.from + index * WORD;
            let mut cell = raw::cell(at);
            if cell.is_forward() {
                // A variable that is marked at present is copied as itself, not as its mark.
                cell = Cell::reference(at);
            }
            raw::set_cell(copy + index * WORD, cell);
        }
        frame.copy = Some(copy);
        Ok(copy)
    }
}

impl Frame {
    /// Returns the compound that begins at this address.
    fn cell(&self, addr: HeapAddr) -> Cell {
        if self.list {
            Cell::list(addr)
        } else {
            Cell::structure(addr)
        }
    }
}
