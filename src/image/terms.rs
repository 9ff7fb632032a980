//! Terms in an image. A term is written breadth first: its root, then the arguments of each
//! compound in the order in which the compounds occurred. No addresses need to be stored:
//!
//! ```text
//!   number     what                       followed by
//!   n << 3     an inline integer, its sign in the lowest bit of n
//!   n << 3|1   the atom n of the image
//!   n << 3|2   a new compound of the functor n of the image
//!       3      a new list
//!   n << 3|4   the variable n; a new one if n is the number of those so far
//!   n << 3|5   a value in a box of kind n  its words, or its text
//!   n << 3|6   the compound n of this term once more
//! ```
//!
//! A term is read into a block as `store::copy` makes them. The reader trusts no byte: any block
//! that it returns is a finite term without cycles.

use super::bytes::{Damaged, END, Input, Unread, put_number, put_text, signed};
use crate::base::atom_table::{Atom, FastMap, Functor, MAX_ARITY, Symbols, functors};
use crate::base::char_index;
use crate::base::growth::{Grow, GrowAt, GrowMap, filled};
use crate::base::number::{INLINE_MAX, INLINE_MIN};
use crate::base::stop::Stop;
use crate::base::watch::Watch;
use crate::store::address::HeapAddr;
use crate::store::cell::{BoxKind, Cell, WORD, tag};
use crate::store::heap::deref;
use crate::store::raw;

const INT: u64 = 0;
const ATOM: u64 = 1;
const STRUCT: u64 = 2;
const LIST: u64 = 3;
const VAR: u64 = 4;
const BOX: u64 = 5;
const AGAIN: u64 = 6;
const KIND_BITS: u32 = 3;

// ---- symbols ----------------------------------------------------------------------------------

/// Numbers of the atoms and functors in an image.
#[derive(Default)]
pub(super) struct Numbering {
    atoms: Vec<Atom>,
    by_atom: FastMap<Atom, u32>,
    functors: Vec<(u32, Functor)>,
    by_functor: FastMap<Functor, u32>,
}

impl Numbering {
    /// Returns the number of an atom. The atom is kept from now on.
    pub(super) fn atom(&mut self, symbols: &mut Symbols, atom: Atom) -> Result<u64, Stop> {
        if let Some(&number) = self.by_atom.get(&atom) {
            return Ok(u64::from(number));
        }
        symbols.keep_atom(atom)?;
        let number = self.atoms.len() as u32;
        self.atoms.put(atom)?;
        self.by_atom.put_entry(atom, number)?;
        Ok(u64::from(number))
    }

    fn functor(&mut self, symbols: &mut Symbols, functor: Functor) -> Result<u64, Stop> {
        if let Some(&number) = self.by_functor.get(&functor) {
            return Ok(u64::from(number));
        }
        let name = symbols.name(functor);
        let kept = symbols.functor(name, functor.arity())?;
        let name = self.atom(symbols, name)? as u32;
        let number = self.functors.len() as u32;
        self.functors.put((name, kept))?;
        self.by_functor.put_entry(functor, number)?;
        Ok(u64::from(number))
    }

    /// Adds the table of all numbered names.
    pub(super) fn write(&self, symbols: &Symbols, out: &mut Vec<u8>) -> Result<(), Stop> {
        put_number(out, self.atoms.len() as u64)?;
        for &atom in &self.atoms {
            put_text(out, symbols.text(atom))?;
        }
        put_number(out, self.functors.len() as u64)?;
        for &(name, functor) in &self.functors {
            put_number(out, u64::from(name))?;
            put_number(out, functor.arity() as u64)?;
        }
        Ok(())
    }
}

/// The atoms and functors of an image, by their numbers.
#[derive(Default)]
pub(super) struct Names {
    atoms: Vec<Atom>,
    functors: Vec<Functor>,
}

impl Names {
    /// Reads the table that [`Numbering::write`] has written.
    pub(super) fn read(input: &mut Input<'_>, symbols: &mut Symbols) -> Result<Names, Unread> {
        let mut names = Names::default();
        for _ in 0..input.count()? {
            let text = input.text()?;
            names.atoms.put(symbols.intern(text)?)?;
        }
        for _ in 0..input.count()? {
            let name = names.atom(input)?;
            let arity = input.below(MAX_ARITY + 1)?;
            names.functors.put(symbols.functor(name, arity)?)?;
        }
        Ok(names)
    }

    /// Reads the number of an atom and returns the atom.
    pub(super) fn atom(&self, input: &mut Input<'_>) -> Result<Atom, Damaged> {
        let number = input.below(self.atoms.len())?;
        Ok(self.atoms[number])
    }

    /// Reads an optional atom: 0 for none, otherwise one more than the number of the atom.
    pub(super) fn atom_or_none(&self, input: &mut Input<'_>) -> Result<Option<Atom>, Damaged> {
        let number = input.below(self.atoms.len() + 1)?;
        Ok(number.checked_sub(1).map(|number| self.atoms[number]))
    }
}

// ---- writing ----------------------------------------------------------------------------------

/// Adds the term in a block of these words. Its pointers are addresses.
pub(super) fn write_term(
    (symbols, names): (&mut Symbols, &mut Numbering),
    words: &[u64],
    root: Cell,
    out: &mut Vec<u8>,
) -> Result<(), Stop> {
    let mut writer = Writer {
        symbols,
        names,
        base: HeapAddr::of_table(words),
        vars: filled(0, words.len())?,
        var_count: 0,
        compounds: filled(0, words.len())?,
        queue: Vec::new(),
        out,
    };
    writer.token(root)?;
    let mut next = 0;
    while let Some(&compound) = writer.queue.get(next) {
        next += 1;
        let (first, count) = match compound.tag() {
            tag::LST => (compound.addr(), 2),
            _ => {
                let functor = raw::cell(compound.addr()).as_functor();
                (compound.addr() + WORD, functor.arity() as u64)
            }
        };
        for index in 0..count {
            writer.token(raw::cell(first + index * WORD))?;
        }
    }
    Ok(())
}

struct Writer<'a> {
    symbols: &'a mut Symbols,
    names: &'a mut Numbering,
    base: HeapAddr,
    /// For each word that is a variable, the number of the variable, from 1.
    vars: Vec<u32>,
    var_count: u32,
    /// For each word where a compound begins, the number of the compound, from 1.
    compounds: Vec<u32>,
    queue: Vec<Cell>,
    out: &'a mut Vec<u8>,
}

impl Writer<'_> {
    fn put(&mut self, kind: u64, number: u64) -> Result<(), Stop> {
        put_number(self.out, number << KIND_BITS | kind)?;
        Ok(())
    }

    fn token(&mut self, cell: Cell) -> Result<(), Stop> {
        let cell = deref(cell);
        let place = || ((cell.addr() - self.base) / WORD) as usize;
        match cell.tag() {
            tag::INT => {
                let value = cell.int_value();
                self.put(INT, (value << 1 ^ value >> 63) as u64)?;
            }
            tag::REF => {
                let place = place();
                if self.vars[place] == 0 {
                    self.var_count += 1;
                    self.vars[place] = self.var_count;
                }
                self.put(VAR, u64::from(self.vars[place] - 1))?;
            }
            tag::LST | tag::STR => {
                let place = place();
                if self.compounds[place] != 0 {
                    self.put(AGAIN, u64::from(self.compounds[place] - 1))?;
                    return Ok(());
                }
                self.queue.put(cell)?;
                self.compounds[place] = self.queue.len() as u32;
                if cell.tag() == tag::LST {
                    self.put(LIST, 0)?;
                } else {
                    let functor = raw::cell(cell.addr()).as_functor();
                    let number = self.names.functor(self.symbols, functor)?;
                    self.put(STRUCT, number)?;
                }
            }
            tag::BOX => self.boxed(cell)?,
            _ => {
                let number = self.names.atom(self.symbols, cell.as_atom())?;
                self.put(ATOM, number)?;
            }
        }
        Ok(())
    }

    fn boxed(&mut self, cell: Cell) -> Result<(), Stop> {
        let kind = raw::cell(cell.addr()).box_kind();
        self.put(BOX, kind as u64)?;
        if kind == BoxKind::String {
            put_text(self.out, raw::text(&cell, cell.addr()))?;
            return Ok(());
        }
        let words = raw::payload(&cell, cell.addr());
        if kind != BoxKind::Float {
            put_number(self.out, words.len() as u64)?;
        }
        for word in words {
            self.out.put_all(word.to_le_bytes())?;
        }
        Ok(())
    }
}

// ---- reading ----------------------------------------------------------------------------------

/// Number of compounds between two checks whether the work must stop.
const WATCHED: usize = 1 << 14;

/// Working memory for reading terms one after the other.
#[derive(Default)]
pub(super) struct Reading {
    /// Offsets of the variables.
    vars: Vec<HeapAddr>,
    /// The compounds, as cells of the block.
    compounds: Vec<Cell>,
}

impl Reading {
    /// Reads a term, a constant or a compound, into the block `out`, and returns its root.
    pub(super) fn term(
        &mut self,
        names: &Names,
        input: &mut Input<'_>,
        out: &mut Vec<u64>,
        watch: &Watch,
    ) -> Result<u64, Unread> {
        out.clear();
        self.vars.clear();
        self.compounds.clear();
        let (mut open, mut again) = (0, false);
        let number = input.number()?;
        let root = match number & ((1 << KIND_BITS) - 1) {
            VAR | BOX => return Err(input.damaged("a clause is not a compound term").into()),
            _ => self.cell(number, names, input, out, 0, &mut open)?,
        };
        let mut next = 0;
        while let Some(&compound) = self.compounds.get(next) {
            next += 1;
            if next % WATCHED == 0 {
                watch.go_on_after(WATCHED)?;
            }
            let (first, count) = extent(compound, out);
            for place in first..first + count {
                let number = input.number()?;
                open -= 1;
                again |= number & ((1 << KIND_BITS) - 1) == AGAIN;
                out[place] = self
                    .cell(number, names, input, out, place, &mut open)?
                    .word();
            }
        }
        if again && !self.is_acyclic(out)? {
            return Err(input.damaged("a term does not end").into());
        }
        Ok(root.word())
    }

    /// Returns the cell for a number, to be stored at `place`. `open` counts the arguments of
    /// compounds that are still to be read. Each takes at least a byte.
    #[inline(always)]
    fn cell(
        &mut self,
        number: u64,
        names: &Names,
        input: &mut Input<'_>,
        out: &mut Vec<u64>,
        place: usize,
        open: &mut usize,
    ) -> Result<Cell, Unread> {
        let (kind, number) = (number & ((1 << KIND_BITS) - 1), number >> KIND_BITS);
        let index = usize::try_from(number).unwrap_or(usize::MAX);
        let found = match kind {
            INT => {
                let value = signed(number);
                (INLINE_MIN..=INLINE_MAX)
                    .contains(&value)
                    .then(|| Cell::int(value))
            }
            ATOM => names.atoms.get(index).map(|&atom| Cell::atom(atom)),
            STRUCT => match names.functors.get(index) {
                Some(&functor) if functor != functors::LIST => {
                    *open += functor.arity();
                    let addr = HeapAddr::in_block(out.len());
                    out.put(Cell::functor(functor).word())?;
                    self.begin(Cell::structure(addr), functor.arity(), *open, input, out)?
                }
                _ => None,
            },
            LIST => {
                *open += 2;
                let addr = HeapAddr::in_block(out.len());
                self.begin(Cell::list(addr), 2, *open, input, out)?
            }
            VAR if index == self.vars.len() => {
                let addr = HeapAddr::in_block(place);
                self.vars.put(addr)?;
                Some(Cell::reference(addr))
            }
            VAR => self.vars.get(index).map(|&addr| Cell::reference(addr)),
            BOX => return boxed(number, input, out),
            AGAIN => self.compounds.get(index).copied(),
            _ => None,
        };
        found.ok_or_else(|| {
            input
                .damaged("a term refers to something that does not exist")
                .into()
        })
    }

    /// Reserves space for the arguments of a compound, if the image has enough bytes left for them.
    #[inline]
    fn begin(
        &mut self,
        compound: Cell,
        arity: usize,
        open: usize,
        input: &Input<'_>,
        out: &mut Vec<u64>,
    ) -> Result<Option<Cell>, Stop> {
        if open > input.rest() {
            return Ok(None);
        }
        out.fill_to(out.len() + arity, 0)?;
        self.compounds.put(compound)?;
        Ok(Some(compound))
    }

    /// Returns whether the block has no cycles.
    fn is_acyclic(&self, block: &[u64]) -> Result<bool, Stop> {
        // The compounds are in the order of the block.
        let number = |cell: Cell| {
            self.compounds
                .partition_point(|one| one.addr() < cell.addr())
        };
        let mut known = filled(false, self.compounds.len())?;
        let mut within = filled(false, self.compounds.len())?;
        let mut path: Vec<(usize, usize)> = Vec::new();
        for start in 0..self.compounds.len() {
            if !known[start] {
                path.put((start, 0))?;
            }
            while let Some((compound, next)) = path.last_mut() {
                let (compound, (first, count)) =
                    (*compound, extent(self.compounds[*compound], block));
                (known[compound], within[compound]) = (true, true);
                if *next == count {
                    within[compound] = false;
                    path.pop();
                    continue;
                }
                let cell = Cell::of_word(block[first + *next]);
                *next += 1;
                if cell.is_compound() {
                    let inner = number(cell);
                    if within[inner] {
                        return Ok(false);
                    }
                    if !known[inner] {
                        path.put((inner, 0))?;
                    }
                }
            }
        }
        Ok(true)
    }
}

/// Returns the place and the number of the arguments of a compound in a block.
#[inline]
fn extent(compound: Cell, block: &[u64]) -> (usize, usize) {
    let at = compound.addr().block_word();
    match compound.tag() {
        tag::LST => (at, 2),
        _ => (at + 1, Cell::of_word(block[at]).as_functor().arity()),
    }
}

/// Reads a boxed value.
fn boxed(kind: u64, input: &mut Input<'_>, out: &mut Vec<u64>) -> Result<Cell, Unread> {
    let cell = Cell::boxed(HeapAddr::in_block(out.len()));
    if kind == BoxKind::String as u64 {
        let text = input.text()?;
        let words = text.len().div_ceil(WORD as usize);
        let indexed = char_index::own_words(text);
        out.put(Cell::box_header(BoxKind::String, words + indexed + 1).word())?;
        out.put(text.len() as u64)?;
        out.put_all(text.as_bytes().chunks(WORD as usize).map(|chunk| {
            let mut word = [0; WORD as usize];
            word[..chunk.len()].copy_from_slice(chunk);
            u64::from_le_bytes(word)
        }))?;
        if indexed > 0 {
            out.put_all(char_index::index_of(text))?;
        }
        return Ok(cell);
    }
    if kind == BoxKind::Float as u64 {
        let value = f64::from_bits(input.word()?);
        // All NaN values have the same bits.
        let value = if value.is_nan() { f64::NAN } else { value };
        out.put(Cell::box_header(BoxKind::Float, 1).word())?;
        out.put(value.to_bits())?;
        return Ok(cell);
    }
    let kind = match kind {
        kind if kind == BoxKind::BigPositive as u64 => BoxKind::BigPositive,
        kind if kind == BoxKind::BigNegative as u64 => BoxKind::BigNegative,
        _ => return Err(input.damaged("unknown kind of value").into()),
    };
    let count = input.number()?;
    let count = usize::try_from(count)
        .ok()
        .filter(|&count| count > 0 && count <= input.rest() / WORD as usize);
    let Some(count) = count else {
        return Err(input.damaged(END).into());
    };
    out.put(Cell::box_header(kind, count).word())?;
    for _ in 0..count {
        out.put(input.word()?)?;
    }
    // An integer has only one form.
    let last = out[out.len() - 1];
    let inline = count == 1
        && match kind {
            BoxKind::BigNegative => last <= INLINE_MIN.unsigned_abs(),
            _ => last <= INLINE_MAX.unsigned_abs(),
        };
    if last == 0 || inline {
        return Err(input.damaged("an integer is malformed").into());
    }
    Ok(cell)
}
