//! Interned names: atoms, and functors (a name with an arity).
//!
//! A table may extend a frozen one shared by many engines; the names that an engine adds are in its own overlay.
//! Indexes never change, so code that mentions a symbol of the frozen part can be shared.
//!
//! A symbol is kept or passing. The names in the system, images and Lolli texts are kept for good:
//! [`Symbols::intern`] and [`Symbols::functor`] make them so, even if they were passing before. Symbols that goals
//! make at run time ([`Symbols::intern_passing`], [`Symbols::functor_passing`]) are passing. Once there are many,
//! code that knows all places with symbols marks the symbols in use ([`Symbols::marks`]). [`Symbols::sweep`] then
//! removes the others, and new symbols get their numbers. So a passing symbol must be in one of these places
//! whenever a sweep may happen.
#![forbid(unsafe_code)]

use super::frozen_names::{FrozenNames, Layer};
use super::growth::Gather;
use super::stop::Stop;
use super::symbol_marks::{Bits, Marks};
use super::text_table::text_hash;
use std::sync::Arc;

/// The greatest arity of a compound term.
pub(crate) const MAX_ARITY: usize = (1 << 23) - 1;

/// An interned atom.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Atom(pub(crate) u32);

/// An interned name with an arity. The arity is part of the value: `index << 24 | arity`.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Functor(pub(crate) u64);

impl Functor {
    /// Returns the functor of table index `index`.
    pub(crate) const fn new(index: u32, arity: u32) -> Functor {
        Functor((index as u64) << 24 | arity as u64)
    }
    /// Returns the number of arguments.
    pub(crate) const fn arity(self) -> usize {
        (self.0 & 0xff_ffff) as usize
    }
    /// Returns the index in the functor table.
    pub(crate) const fn index(self) -> usize {
        (self.0 >> 24) as usize
    }
}

/// The builder of the fast hash.
pub(crate) type FastBuild = std::hash::BuildHasherDefault<FastHasher>;

/// A multiplicative hash (the one of the Rust compiler's own tables): names are short and come from the program, not
/// from an adversary of the host's tables.
#[derive(Default, Clone, Copy)]
pub(crate) struct FastHasher(u64);

impl std::hash::Hasher for FastHasher {
    fn write(&mut self, bytes: &[u8]) {
        let mut chunks = bytes.chunks_exact(8);
        for chunk in &mut chunks {
            let mut word = [0u8; 8];
            word.copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
        let rest = chunks.remainder();
        if !rest.is_empty() {
            let mut word = [0u8; 8];
            word[..rest.len()].copy_from_slice(rest);
            self.write_u64(u64::from_le_bytes(word) ^ ((rest.len() as u64) << 56));
        }
    }
    fn write_u8(&mut self, n: u8) {
        self.write_u64(u64::from(n));
    }
    fn write_u32(&mut self, n: u32) {
        self.write_u64(u64::from(n));
    }
    fn write_u64(&mut self, n: u64) {
        self.0 = (self.0.rotate_left(5) ^ n).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
    fn write_usize(&mut self, n: usize) {
        self.write_u64(n as u64);
    }
    fn finish(&self) -> u64 {
        // The multiplications above carry only upwards; tables use the low bits too.
        let mixed = (self.0 ^ (self.0 >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ (mixed >> 29)
    }
}

/// A hash map with the fast hash.
pub(crate) type FastMap<K, V> = std::collections::HashMap<K, V, FastBuild>;
/// A hash set with the fast hash.
pub(crate) type FastSet<K> = std::collections::HashSet<K, FastBuild>;

/// A function that is called as the names of an engine grow, and when a sweep is due. Its argument is the number of
/// bytes that the names take.
pub(crate) type Watcher = Arc<dyn Fn(u64) + Send + Sync>;

/// Bytes that a name takes besides its text.
const ENTRY_BYTES: u64 = 40;
/// Bytes that a functor takes.
const FUNCTOR_BYTES: u64 = 32;
/// Growth of the names in bytes after which the watcher is called.
const WATCH_BYTES: u64 = 1 << 18;
/// Default number of passing symbols between two sweeps. Sweeps at this distance cost little, and the symbols that
/// they leave stay in the processor's cache.
const MARGIN: usize = 1 << 16;
/// Bytes of a text for which it counts as one more symbol.
const MARGIN_BYTES: usize = 64;
/// Greatest number of bytes of text and entry that count as one symbol.
const MADE_BYTES: u64 = MARGIN_BYTES as u64 + ENTRY_BYTES;
/// Words that a sweep looks at for which one more symbol is made before the next sweep. So looking takes no more
/// time than making.
const WORDS_PER_SYMBOL: usize = 16;
/// The share of the memory that passing symbols may take before a sweep, as a divisor. The work of a sweep is in
/// proportion to it.
const SHARE_OF_MEMORY: usize = 8;

/// Statistics of sweeps.
#[derive(Copy, Clone, Default)]
pub(crate) struct Sweeps {
    /// Sweeps so far.
    pub(crate) count: u64,
    /// Atoms that sweeps have removed.
    pub(crate) atoms: u64,
}

/// All names of one engine.
pub(crate) struct Symbols {
    frozen: FrozenNames,
    own: Layer,
    /// The symbols of its own layer that are kept for good.
    kept_atoms: Bits,
    kept_functors: Bits,
    /// Whether symbols that are read are passing.
    reads_passing: bool,
    /// Number of symbols made since the last sweep; a long text counts as several.
    made: usize,
    /// Number of symbols made before the next sweep.
    due: usize,
    /// Minimum of `due` that the program wants.
    margin: usize,
    /// Maximum of `due` that the limit of memory allows.
    most: usize,
    /// Whether numbers of removed symbols are wasted instead of used again. This detects holders of removed symbols.
    pub(crate) wastes_numbers: bool,
    sweeps: Sweeps,
    watcher: Option<Watcher>,
    /// Bytes that its own layer takes.
    bytes: u64,
    /// The number of bytes at the last call of the watcher.
    watched_bytes: u64,
    /// The atoms of the ASCII characters, as far as they were needed.
    characters: [Option<Atom>; 128],
    /// Whether Lolli text has been read with an application whose function is no name.
    pub(crate) applications: bool,
}

impl Symbols {
    /// Returns a table with the atoms and functors that Wamlet's own source uses.
    pub(crate) fn new() -> Result<Symbols, Stop> {
        let mut symbols = Symbols {
            frozen: FrozenNames::default(),
            own: Layer::default(),
            kept_atoms: Bits::default(),
            kept_functors: Bits::default(),
            reads_passing: false,
            made: 0,
            due: MARGIN,
            margin: MARGIN,
            most: usize::MAX,
            wastes_numbers: false,
            sweeps: Sweeps::default(),
            watcher: None,
            bytes: 0,
            watched_bytes: 0,
            characters: [None; 128],
            applications: false,
        };
        for (index, text) in atoms::TEXTS.iter().enumerate() {
            let atom = symbols.intern(text)?;
            debug_assert_eq!(atom.0 as usize, index);
        }
        for (index, &(name, arity)) in functors::PARTS.iter().enumerate() {
            let functor = symbols.functor(name, arity)?;
            debug_assert_eq!(functor.index(), index);
        }
        Ok(symbols)
    }

    /// Moves all present names to the frozen part, which forks share. No number changes.
    ///
    /// # Errors
    /// Returns an error and changes nothing if there is no memory.
    pub(crate) fn freeze(&mut self) -> Result<(), Stop> {
        if self.own.atoms.end() > 0 || self.own.functors.end() > 0 {
            self.frozen.push(&mut self.own)?;
        }
        (self.kept_atoms, self.kept_functors) = (Bits::default(), Bits::default());
        (self.bytes, self.watched_bytes, self.made) = (0, 0, 0);
        Ok(())
    }

    /// Returns another table on the same frozen part, to which all names must belong.
    pub(crate) fn fork(&self) -> Symbols {
        debug_assert!(self.own.atoms.end() == 0, "all is frozen");
        Symbols {
            frozen: self.frozen.clone(),
            own: Layer::default(),
            kept_atoms: Bits::default(),
            kept_functors: Bits::default(),
            watcher: None,
            sweeps: Sweeps::default(),
            ..*self
        }
    }

    /// Sets the watcher. It is called from time to time as names grow, and when a sweep is due.
    pub(crate) fn watch(&mut self, watcher: Watcher) {
        self.watcher = Some(watcher);
    }

    fn grow(&mut self, bytes: u64) {
        self.bytes += bytes;
        if self.bytes >= self.watched_bytes + WATCH_BYTES {
            self.call_watcher();
        }
    }

    #[cold]
    fn call_watcher(&mut self) {
        self.watched_bytes = self.bytes;
        if let Some(watcher) = &self.watcher {
            watcher(self.bytes);
        }
    }

    /// Notes that a passing symbol was made.
    fn pass(&mut self, bytes: usize) {
        self.made = self.made.saturating_add(1 + bytes / MARGIN_BYTES);
        if self.sweep_is_due() {
            self.call_watcher();
        }
    }

    fn add_atom(&mut self, text: &str, hash: u32) -> Result<Atom, Stop> {
        let number = self.own.atoms.add(text, hash)?;
        self.grow(text.len() as u64 + ENTRY_BYTES);
        Ok(Atom((self.frozen.atoms_end() + number) as u32))
    }

    /// Returns the atom of this text, kept for good.
    pub(crate) fn intern(&mut self, text: &str) -> Result<Atom, Stop> {
        let hash = text_hash(text);
        let atom = match self.find_hashed(text, hash) {
            Some(atom) => atom,
            None => self.add_atom(text, hash)?,
        };
        self.keep_atom(atom)?;
        Ok(atom)
    }

    /// Makes a new atom of this text, kept for good, that no search for the text finds. Only code that receives it
    /// has it.
    pub(crate) fn nameless(&mut self, text: &str) -> Result<Atom, Stop> {
        let atom = self.add_atom(text, !text_hash(text))?;
        self.keep_atom(atom)?;
        Ok(atom)
    }

    /// Returns the atom of this text, passing if it is new: it exists as long as something holds it.
    pub(crate) fn intern_passing(&mut self, text: &str) -> Result<Atom, Stop> {
        let hash = text_hash(text);
        if let Some(atom) = self.find_hashed(text, hash) {
            return Ok(atom);
        }
        let atom = self.add_atom(text, hash)?;
        self.pass(text.len());
        Ok(atom)
    }

    /// Returns the atom of a name that is read. A new one is passing if symbols that are read are passing
    /// ([`Symbols::read_passing`]).
    pub(crate) fn intern_read(&mut self, text: &str) -> Result<Atom, Stop> {
        if self.reads_passing {
            self.intern_passing(text)
        } else {
            self.intern(text)
        }
    }

    /// Sets whether symbols that are read from now on are passing. Returns the former setting.
    pub(crate) fn read_passing(&mut self, passing: bool) -> bool {
        std::mem::replace(&mut self.reads_passing, passing)
    }

    /// Keeps an atom for good.
    pub(crate) fn keep_atom(&mut self, atom: Atom) -> Result<(), Stop> {
        let number = (atom.0 as usize).checked_sub(self.frozen.atoms_end());
        if let Some(number) = number {
            self.kept_atoms.insert(number)?;
        }
        Ok(())
    }

    /// Returns the atom of this text, if it already exists.
    pub(crate) fn find(&self, text: &str) -> Option<Atom> {
        self.find_hashed(text, text_hash(text))
    }

    fn find_hashed(&self, text: &str, hash: u32) -> Option<Atom> {
        if let Some(index) = self.frozen.find_atom(text, hash) {
            return Some(Atom(index as u32));
        }
        let index = self.own.atoms.find(text, hash)?;
        Some(Atom((self.frozen.atoms_end() + index) as u32))
    }

    /// Returns the atom of one character.
    pub(crate) fn intern_char(&mut self, char: char) -> Result<Atom, Stop> {
        if let Some(&Some(atom)) = self.characters.get(char as usize) {
            return Ok(atom);
        }
        let mut buffer = [0u8; 4];
        let text = char.encode_utf8(&mut buffer);
        match self.characters.get_mut(char as usize) {
            Some(_) => {
                let atom = self.intern(text)?;
                self.characters[char as usize] = Some(atom);
                Ok(atom)
            }
            None => self.intern_passing(text),
        }
    }

    /// Returns the text of an atom.
    pub(crate) fn text(&self, atom: Atom) -> &str {
        let index = atom.0 as usize;
        let frozen = self.frozen.atoms_end();
        if index < frozen {
            self.frozen.text(index)
        } else {
            self.own.atoms.text(index - frozen)
        }
    }

    /// Returns the functor `name/arity`, kept for good. `arity` is at most [`MAX_ARITY`].
    pub(crate) fn functor(&mut self, name: Atom, arity: usize) -> Result<Functor, Stop> {
        let functor = match self.find_functor(name, arity) {
            Some(functor) => functor,
            None => self.add_functor(name, arity)?,
        };
        let number = functor.index().checked_sub(self.frozen.functors_end());
        if let Some(number) = number
            && !self.kept_functors.contains(number)
        {
            self.kept_functors.insert(number)?;
            self.keep_atom(name)?;
        }
        Ok(functor)
    }

    /// Returns the functor `name/arity`, passing if it is new: it exists as long as something holds it.
    pub(crate) fn functor_passing(&mut self, name: Atom, arity: usize) -> Result<Functor, Stop> {
        if let Some(functor) = self.find_functor(name, arity) {
            return Ok(functor);
        }
        let functor = self.add_functor(name, arity)?;
        self.pass(0);
        Ok(functor)
    }

    /// Returns the functor of a term that is read.
    pub(crate) fn functor_read(&mut self, name: Atom, arity: usize) -> Result<Functor, Stop> {
        if self.reads_passing {
            self.functor_passing(name, arity)
        } else {
            self.functor(name, arity)
        }
    }

    #[inline]
    pub(crate) fn find_functor(&self, name: Atom, arity: usize) -> Option<Functor> {
        debug_assert!(arity <= MAX_ARITY);
        let arity = arity as u32;
        let number = match self.frozen.find_functor(name, arity) {
            Some(number) => number,
            None => self.frozen.functors_end() + self.own.functors.find(name, arity)?,
        };
        Some(Functor::new(number as u32, arity))
    }

    fn add_functor(&mut self, name: Atom, arity: usize) -> Result<Functor, Stop> {
        let number = self.own.functors.add(name, arity as u32)?;
        self.grow(FUNCTOR_BYTES);
        let number = (self.frozen.functors_end() + number) as u32;
        Ok(Functor::new(number, arity as u32))
    }

    /// Returns the text of a functor's name.
    pub(crate) fn name_text(&self, functor: Functor) -> &str {
        self.text(self.name(functor))
    }

    /// Returns the name of a functor.
    pub(crate) fn name(&self, functor: Functor) -> Atom {
        let index = functor.index();
        match index.checked_sub(self.frozen.functors_end()) {
            Some(own) => self.own.functors.name(own),
            None => self.frozen.functor_name(index).unwrap_or(atoms::NIL),
        }
    }

    /// Returns the place in the table of the first atom that is not of the system.
    pub(crate) fn first_own(&self) -> usize {
        self.frozen.atoms_end()
    }

    /// Returns the first atom at or after a place in the table, and the place after it.
    pub(crate) fn next_atom(&self, from: usize) -> Option<(Atom, usize)> {
        let frozen = self.frozen.atoms_end();
        // A search does not find the text of a removed atom.
        let lives = |place: usize| match place.checked_sub(frozen) {
            Some(number) => self.own.atoms.is_named(number),
            None => self.frozen.is_named(place),
        };
        let end = frozen + self.own.atoms.end();
        let place = (from..end).find(|&place| lives(place))?;
        Some((Atom(place as u32), place + 1))
    }

    /// Returns the arities of the functors of this name, in order.
    pub(crate) fn arities(&self, name: Atom) -> Result<Vec<usize>, Stop> {
        let all = self.frozen.functors().chain(self.own.functors.iter());
        let found = all.filter(|&(found, _)| found == name);
        let mut arities = found.map(|(_, arity)| arity as usize).gather()?;
        arities.sort_unstable();
        Ok(arities)
    }

    /// Returns the number of atoms.
    pub(crate) fn atom_count(&self) -> usize {
        self.frozen.atom_count() + self.own.atoms.count()
    }

    /// Returns the number of functors.
    pub(crate) fn functor_count(&self) -> usize {
        self.frozen.functor_count() + self.own.functors.count()
    }

    /// Returns the number of bytes that all symbols take that are not shared.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    // ---- sweeping -----------------------------------------------------------------------------

    /// Returns whether enough passing symbols were made since the last sweep that one is due.
    pub(crate) fn sweep_is_due(&self) -> bool {
        self.made >= self.due.min(self.most)
    }

    /// Returns the number of bytes that the passing symbols made since the last sweep may take.
    pub(crate) fn passing_bytes(&self) -> u64 {
        (self.made as u64).saturating_mul(MADE_BYTES)
    }

    /// Returns whether passing symbols were made since the last sweep.
    pub(crate) fn has_passing_symbols(&self) -> bool {
        self.made > 0
    }

    /// Requests a sweep now.
    pub(crate) fn request_sweep(&mut self) {
        self.made = usize::MAX;
    }

    /// Returns whether a sweep was requested since the last one.
    pub(crate) fn sweep_was_requested(&self) -> bool {
        self.made == usize::MAX
    }

    /// Returns the statistics of sweeps.
    pub(crate) fn sweeps(&self) -> Sweeps {
        self.sweeps
    }

    /// Sets the size in bytes of the memory that names share with all other data.
    pub(crate) fn set_memory(&mut self, bytes: usize) {
        self.most = bytes / SHARE_OF_MEMORY / MADE_BYTES as usize;
    }

    /// Returns the minimum number of passing symbols made before a sweep.
    pub(crate) fn margin(&self) -> usize {
        self.margin
    }

    /// Sets the minimum number of passing symbols made before a sweep; 0 for no sweeps.
    pub(crate) fn set_margin(&mut self, margin: usize) {
        self.margin = margin;
        self.due = if margin == 0 { usize::MAX } else { margin };
    }

    /// Returns marks for all symbols; those that are kept for good are marked.
    pub(crate) fn marks(&self) -> Result<Marks, Stop> {
        let (frozen, own) = (&self.frozen, &self.own);
        Marks::new(
            (&self.kept_atoms, &self.kept_functors),
            (frozen.atoms_end(), frozen.functors_end()),
            (own.atoms.end(), own.functors.end()),
        )
    }

    /// Removes the symbols that have no mark. `words` is the number of words that were searched for symbols: the
    /// more, the later the next sweep. Nothing may hold a symbol that is not marked.
    pub(crate) fn sweep(&mut self, mut marks: Marks, words: usize) -> Result<(), Stop> {
        let reuse = !self.wastes_numbers;
        let functors = &mut self.own.functors;
        let gone = functors.retain(|number| marks.functors.contains(number), reuse)?;
        for (name, _) in functors.iter() {
            marks.atom(name);
        }
        let atoms = &mut self.own.atoms;
        let (gone_atoms, text) = atoms.retain(|number| marks.atoms.contains(number), reuse)?;
        let freed = text as u64 + gone_atoms as u64 * ENTRY_BYTES + gone as u64 * FUNCTOR_BYTES;
        self.bytes -= freed;
        self.sweeps.count += 1;
        self.sweeps.atoms += gone_atoms as u64;
        let live = self.own.atoms.count() + self.own.functors.count();
        self.made = 0;
        if self.margin > 0 {
            self.due = self.margin.max(live / 2).max(words / WORDS_PER_SYMBOL);
        }
        self.call_watcher();
        Ok(())
    }
}

macro_rules! atom_table {
    ($($name:ident = $text:literal),* $(,)?) => {
        /// Atoms that Wamlet's own source uses.
        pub(crate) mod atoms {
            use super::Atom;
            #[expect(non_camel_case_types, clippy::upper_case_acronyms, reason = "positions of the constants below")]
            #[repr(u32)]
            enum Position { $($name),* }
            $(pub(crate) const $name: Atom = Atom(Position::$name as u32);)*
            pub(super) const TEXTS: &[&str] = &[$($text),*];
        }
    };
}

macro_rules! functor_table {
    ($($name:ident = $atom:ident / $arity:literal),* $(,)?) => {
        /// Functors that Wamlet's own source uses.
        pub(crate) mod functors {
            use super::{Atom, Functor, atoms};
            #[expect(non_camel_case_types, clippy::upper_case_acronyms, reason = "positions of the constants below")]
            #[repr(u32)]
            enum Position { $($name),* }
            $(pub(crate) const $name: Functor = Functor::new(Position::$name as u32, $arity);)*
            pub(super) const PARTS: &[(Atom, usize)] = &[$((atoms::$atom, $arity)),*];
        }
    };
}

include!("symbol_list.rs");
