//! Interned names: atoms, and functors (a name with an arity).
//!
//! A table may stand on a frozen one that many engines share; what an engine adds lies in its own
//! overlay. Indexes never change, so code that mentions a symbol of the frozen part can be shared.

use super::text_table::{TextTable, text_hash};
use indexmap::IndexMap;
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
    /// The functor of table index `index`.
    pub(crate) const fn new(index: u32, arity: u32) -> Functor {
        Functor((index as u64) << 24 | arity as u64)
    }
    /// Number of arguments.
    pub(crate) const fn arity(self) -> usize {
        (self.0 & 0xff_ffff) as usize
    }
    /// Index in the functor table.
    pub(crate) const fn index(self) -> usize {
        (self.0 >> 24) as usize
    }
}

/// Makes the fast hash.
pub(crate) type FastBuild = std::hash::BuildHasherDefault<FastHasher>;

/// A multiplicative hash (the one of the Rust compiler's own tables): names are short and come
/// from the program, not from an adversary of the host's tables.
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
        // The multiplications above carry only upwards; tables look at the low bits too.
        let mixed = (self.0 ^ (self.0 >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ (mixed >> 29)
    }
}

/// A hash map with the fast hash.
pub(crate) type FastMap<K, V> = std::collections::HashMap<K, V, FastBuild>;
/// A hash set with the fast hash.
pub(crate) type FastSet<K> = std::collections::HashSet<K, FastBuild>;

#[derive(Clone, Default)]
struct Layer {
    atoms: TextTable,
    functors: IndexMap<(Atom, u32), (), FastBuild>,
}

/// What is told how many bytes the names of an engine take.
pub(crate) type Watcher = Arc<dyn Fn(u64) + Send + Sync>;

/// Bytes that a name takes besides its text.
const ENTRY_BYTES: u64 = 40;
/// The watcher is told each time that names have grown by so many bytes.
const WATCH_BYTES: u64 = 1 << 18;

/// All names of one engine.
#[derive(Clone)]
pub(crate) struct Symbols {
    frozen: Arc<Layer>,
    own: Layer,
    watcher: Option<Watcher>,
    /// Bytes that its own layer takes.
    bytes: u64,
    /// Of these, those that the watcher knows of.
    told: u64,
    /// The atoms of the ASCII characters, as far as they were asked for.
    characters: [Option<Atom>; 128],
    /// Has Lolli text been read with an application whose function is no name?
    pub(crate) applications: bool,
}

impl Symbols {
    /// A table that holds the atoms and functors that this program text names itself.
    pub(crate) fn new() -> Symbols {
        let mut symbols = Symbols {
            frozen: Arc::new(Layer::default()),
            own: Layer::default(),
            watcher: None,
            bytes: 0,
            told: 0,
            characters: [None; 128],
            applications: false,
        };
        for (index, text) in atoms::TEXTS.iter().enumerate() {
            let atom = symbols.intern(text);
            debug_assert_eq!(atom.0 as usize, index);
        }
        for (index, &(name, arity)) in functors::PARTS.iter().enumerate() {
            let functor = symbols.functor(name, arity);
            debug_assert_eq!(functor.index(), index);
        }
        symbols
    }

    /// Makes everything known so far the shared part: clones of the table share it.
    pub(crate) fn freeze(&mut self) {
        let mut layer = (*self.frozen).clone();
        let own = std::mem::take(&mut self.own);
        for text in own.atoms.iter() {
            layer.atoms.add(text, text_hash(text));
        }
        layer.functors.extend(own.functors);
        self.frozen = Arc::new(layer);
    }

    /// From now on this is told, from time to time, how many bytes names take.
    pub(crate) fn watch(&mut self, watcher: Watcher) {
        self.watcher = Some(watcher);
    }

    fn grow(&mut self, bytes: u64) {
        self.bytes += bytes;
        if self.bytes - self.told >= WATCH_BYTES {
            self.told = self.bytes;
            if let Some(watcher) = &self.watcher {
                watcher(self.bytes);
            }
        }
    }

    /// The atom of this text.
    pub(crate) fn intern(&mut self, text: &str) -> Atom {
        let hash = text_hash(text);
        if let Some(atom) = self.find_hashed(text, hash) {
            return atom;
        }
        let index = self.own.atoms.add(text, hash);
        self.grow(text.len() as u64 + ENTRY_BYTES);
        Atom((self.frozen.atoms.len() + index) as u32)
    }

    /// The atom of this text, if there is one already.
    pub(crate) fn find(&self, text: &str) -> Option<Atom> {
        self.find_hashed(text, text_hash(text))
    }

    fn find_hashed(&self, text: &str, hash: u32) -> Option<Atom> {
        if let Some(index) = self.frozen.atoms.find(text, hash) {
            return Some(Atom(index as u32));
        }
        let index = self.own.atoms.find(text, hash)?;
        Some(Atom((self.frozen.atoms.len() + index) as u32))
    }

    /// The atom of one character.
    pub(crate) fn intern_char(&mut self, char: char) -> Atom {
        if let Some(&Some(atom)) = self.characters.get(char as usize) {
            return atom;
        }
        let mut buffer = [0u8; 4];
        let atom = self.intern(char.encode_utf8(&mut buffer));
        if let Some(known) = self.characters.get_mut(char as usize) {
            *known = Some(atom);
        }
        atom
    }

    /// The text of an atom.
    pub(crate) fn text(&self, atom: Atom) -> &str {
        let index = atom.0 as usize;
        let frozen = self.frozen.atoms.len();
        if index < frozen {
            self.frozen.atoms.text(index)
        } else {
            self.own.atoms.text(index - frozen)
        }
    }

    /// The functor `name/arity`. `arity` is at most [`MAX_ARITY`].
    pub(crate) fn functor(&mut self, name: Atom, arity: usize) -> Functor {
        debug_assert!(arity <= MAX_ARITY);
        let key = (name, arity as u32);
        if let Some(index) = self.frozen.functors.get_index_of(&key) {
            return Functor::new(index as u32, arity as u32);
        }
        let (index, old) = self.own.functors.insert_full(key, ());
        if old.is_none() {
            self.grow(ENTRY_BYTES / 2);
        }
        Functor::new((self.frozen.functors.len() + index) as u32, arity as u32)
    }

    /// Name of a functor.
    pub(crate) fn name(&self, functor: Functor) -> Atom {
        let index = functor.index();
        let frozen = self.frozen.functors.len();
        let entry = if index < frozen {
            self.frozen.functors.get_index(index)
        } else {
            self.own.functors.get_index(index - frozen)
        };
        entry.map_or(atoms::NIL, |(&(name, _), ())| name)
    }

    /// Number of atoms.
    pub(crate) fn atom_count(&self) -> usize {
        self.frozen.atoms.len() + self.own.atoms.len()
    }
}

macro_rules! atom_table {
    ($($name:ident = $text:literal),* $(,)?) => {
        /// Atoms that this program text names itself.
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
        /// Functors that this program text names itself.
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
