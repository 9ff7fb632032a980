//! The table of the predicates of an engine. It rests on a published table that engines share. Records are copied in
//! small groups before one of a group changes. Unpublished predicates are in further tables.

use super::clauses::clause_list::{CallKeys, Clause, ClauseList};
use super::clauses::generation::Generation;
use super::clauses::loaded_code::LoadedCode;
use super::clauses::shared_list::Clauses;
use super::predicate::{Kind, PredId, Predicate, RETRY, Traits};
use super::publication::Published;
use super::retired::Retired;
use crate::base::atom_table::{Atom, FastMap, Functor, Watcher, atoms, functors};
use crate::base::growth::{
    Bounded, Gather, GiveBack, Grow, GrowMap, GrowTable, Within, reserve, room_for_one, with_room,
};
use crate::base::stop::Stop;
use crate::code::instruction::{Op, encode_wide};
use crate::store::address::{Addr, CodeAddr, kind};
use crate::store::cell::WORD;
use crate::store::raw;
use std::sync::Arc;

/// The number of records that are shared, and copied, together.
pub(super) const CHUNK: usize = 16;

/// Some records, in the order of the numbers of their predicates.
pub(super) type Chunk = Vec<Predicate>;

#[cold]
#[inline(never)]
fn copy_chunk(records: &[Predicate]) -> Chunk {
    let mut own = Vec::with_capacity(CHUNK);
    own.put_all_bounded(records.iter().map(Predicate::share));
    own
}

/// The predicates of modules and functors.
pub(super) type Keys = FastMap<(Atom, Functor), PredId>;

/// The words that calls of a predicate with meta arguments reach first: `qualify`, and at [`QUALIFIED`] the entry of
/// the predicate itself.
pub(super) type Qualifier = [u64; 4];

/// All predicates of an engine, by module, name and arity.
#[derive(Default)]
pub(crate) struct Predicates {
    pub(super) published: Arc<Published>,
    /// The chunks of this engine. An empty chunk is unchanged since its publication.
    pub(super) table: Vec<Chunk>,
    /// Entry address of each predicate, which call instructions read.
    pub(super) entries: Vec<CodeAddr>,
    /// Whether an entry was set to other code than published code.
    pub(super) entries_set: bool,
    /// Keys of the predicates that are not published.
    pub(super) keys: Keys,
    /// For each predicate whose calls go elsewhere first, the address of its own entry, except for published
    /// qualifiers.
    pub(super) diverted: FastMap<u32, CodeAddr>,
    /// The qualifiers of this engine: here the published ones, below its own. They stay at their addresses.
    pub(super) published_qualifiers: Vec<Qualifier>,
    pub(super) qualifiers: FastMap<u32, Box<Qualifier>>,
    /// Code that may still be running though no call reaches it any more.
    pub(crate) retired: Retired,
    /// The present generation of the database.
    pub(crate) generation: Generation,
    /// Generations, in ascending order, that may be restored: clauses that have died since then are not removed yet.
    pub(crate) kept: Vec<Generation>,
    /// The addresses of the code of loaded texts.
    pub(super) loaded_code: LoadedCode,
    /// Numbers of forgotten predicates, for new ones.
    pub(super) free: Vec<u32>,
    /// Number of predicates ever made.
    pub(super) made: u64,
    /// Number of unknown predicates that something referred to at the last check.
    pub(crate) referenced: usize,
    /// Whether numbers of forgotten predicates are never used again. That exposes code that still holds one.
    pub(crate) wastes_numbers: bool,
    /// Function that receives the bytes that the predicates take, from time to time.
    pub(super) watcher: Option<Watcher>,
    /// Number of predicates before the watcher was set. They belong to the system and stay.
    pub(super) unwatched: usize,
}

/// Bytes that a predicate takes: its record, its list of clauses, its stub, its entry, and the row of its key.
const PREDICATE_BYTES: usize =
    size_of::<Predicate>() + size_of::<ClauseList>() + 4 * 8 + 2 * 16 + 8 + 40;
/// Number of new predicates between two calls of the watcher.
const WATCHED: u64 = 64;

/// Word of a `qualify` that keeps the entry of the predicate itself.
pub(crate) const QUALIFIED: u64 = 2;

impl Predicates {
    /// Returns the number of predicates, including forgotten ones whose numbers are free.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns all predicates.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Predicate> {
        (0..self.table.len()).flat_map(|number| self.chunk(number))
    }

    /// Returns the predicate of this key, if it is known.
    pub(crate) fn find(&self, module: Atom, functor: Functor) -> Option<PredId> {
        let key = &(module, functor);
        let published = || self.published.keys.iter().find_map(|keys| keys.get(key));
        self.keys.get(key).or_else(published).copied()
    }

    /// Returns the predicate of this key, and makes an undefined one if it was unknown.
    pub(crate) fn intern(&mut self, module: Atom, functor: Functor) -> Result<PredId, Stop> {
        if let Some(id) = self.find(module, functor) {
            return Ok(id);
        }
        // All or nothing: an entry without its predicate would belong to the next predicate. Reserve the entries
        // last, because the machine holds their address.
        self.room_for_record()?;
        self.keys.make_room()?;
        room_for_one(&mut self.entries)?;
        let number = self.free.pop().unwrap_or(self.entries.len() as u32);
        let id = PredId(number);
        let stub = Arc::new([encode_wide(Op::Undefined, 0, id.0), 0, 0, RETRY]);
        let entry = CodeAddr::of(&*stub);
        let predicate = Predicate {
            module,
            functor,
            kind: Kind::Undefined,
            traits: Traits::default(),
            meta: None,
            clauses: Clauses::None,
            index: Vec::new(),
            nodes: Vec::new(),
            first_node: 0,
            stub,
        };
        match self.entries.get_mut(number as usize) {
            Some(free) => {
                *free = entry;
                *self.get_mut(id) = predicate;
            }
            None => {
                self.entries.put(entry)?;
                self.chunk_mut(number as usize / CHUNK).put(predicate)?;
            }
        }
        self.keys.put_entry((module, functor), id)?;
        self.made += 1;
        if self.made.is_multiple_of(WATCHED) {
            self.report_bytes();
        }
        Ok(id)
    }

    /// Makes room for one more record in the last chunk.
    fn room_for_record(&mut self) -> Result<(), Stop> {
        if self.entries.len() == self.table.len() * CHUNK {
            room_for_one(&mut self.table)?;
            self.table.put_within(with_room(CHUNK)?);
        }
        Ok(())
    }

    /// Returns the number of predicates ever made.
    pub(crate) fn made(&self) -> u64 {
        self.made
    }

    fn report_bytes(&self) {
        if let Some(watcher) = &self.watcher {
            let known = (self.entries.len() - self.unwatched).saturating_sub(self.free.len());
            watcher((known * PREDICATE_BYTES) as u64);
        }
    }

    /// Sets the watcher, which receives the bytes that predicates take from time to time. Predicates that exist now
    /// do not count.
    pub(crate) fn watch(&mut self, watcher: Watcher) {
        self.watcher = Some(watcher);
        self.unwatched = self.entries.len();
    }

    /// Returns whether only the name of the predicate is known.
    fn is_unknown(&self, id: PredId) -> bool {
        let predicate = self.get(id);
        predicate.kind == Kind::Undefined
            && predicate.traits == Traits::default()
            && predicate.meta.is_none()
            && predicate.clauses.all().next().is_none()
            && predicate.index.is_empty()
            && !self.diverted.contains_key(&id.0)
            && self.qualifier(id).is_none()
            && self.find(predicate.module, predicate.functor) == Some(id)
    }

    /// Returns the predicates of programs that are known by name only.
    pub(crate) fn unknown(&self) -> Result<Vec<PredId>, Stop> {
        let all = (self.unwatched as u32..self.entries.len() as u32).map(PredId);
        all.filter(|&id| self.is_unknown(id)).gather()
    }

    /// Returns the undefined predicates whose former clauses still exist.
    pub(crate) fn undefined_with_clauses(&self) -> Result<Vec<PredId>, Stop> {
        let all = (self.unwatched as u32..self.entries.len() as u32).map(PredId);
        let with_clauses = |id: &PredId| {
            let predicate = self.get(*id);
            predicate.kind == Kind::Undefined && predicate.clauses.all().next().is_some()
        };
        all.filter(with_clauses).gather()
    }

    /// Forgets a predicate if only its name is known. The caller makes sure that nothing refers to it.
    pub(crate) fn forget(&mut self, id: PredId) -> Result<(), Stop> {
        if !self.is_unknown(id) {
            return Ok(());
        }
        room_for_one(&mut self.free)?;
        let (module, functor) = self.home(id);
        self.keys.remove(&(module, functor));
        let predicate = self.get_mut(id);
        // No module has this name.
        (predicate.module, predicate.functor) = (atoms::NIL, functors::COMMA);
        predicate.clauses = Clauses::None;
        predicate.nodes.give_back(0);
        if !self.wastes_numbers {
            self.free.put(id.0)?;
        }
        Ok(())
    }

    /// Forgets several predicates as [`Predicates::forget`] does: all of them, or none if there is no room.
    pub(crate) fn forget_all(&mut self, ids: &[PredId]) -> Result<(), Stop> {
        self.free.try_reserve(ids.len())?;
        ids.iter().try_for_each(|&id| self.forget(id))?;
        self.report_bytes();
        Ok(())
    }

    #[inline(always)]
    fn chunk(&self, number: usize) -> &Chunk {
        let own = &self.table[number];
        match own.is_empty() {
            true => self.published_chunk(number),
            false => own,
        }
    }

    /// Returns the chunk in its published form; an empty one if it is new.
    #[inline(always)]
    fn published_chunk(&self, number: usize) -> &Chunk {
        let published = self.published.chunks.get(number);
        published.map_or(&self.table[number], |chunk| chunk)
    }

    /// Returns the chunk for changes.
    #[inline(always)]
    fn chunk_mut(&mut self, number: usize) -> &mut Chunk {
        if self.table[number].is_empty() {
            self.table[number] = copy_chunk(self.published_chunk(number));
        }
        &mut self.table[number]
    }

    /// Returns a predicate.
    #[inline(always)]
    pub(crate) fn get(&self, id: PredId) -> &Predicate {
        let number = id.0 as usize;
        &self.chunk(number / CHUNK)[number % CHUNK]
    }

    /// Calls [`ClauseList::first`] of a predicate without a copy of published records.
    #[inline(always)]
    pub(crate) fn first_clause(
        &mut self,
        id: PredId,
        call: &CallKeys,
    ) -> Option<(CodeAddr, Option<(i64, i64)>)> {
        match &self.get(id).clauses {
            Clauses::None => return None,
            Clauses::Shared(frozen) => return frozen.first(call),
            Clauses::Own(_) => {}
        }
        let generation = self.generation;
        self.get_mut(id).clauses.first(call, generation)
    }

    /// Calls [`ClauseList::again`] of a predicate without a copy of published records.
    #[inline(always)]
    pub(crate) fn next_clause(
        &mut self,
        id: PredId,
        (number, call): (i64, &CallKeys),
        position: i64,
        generation: Generation,
    ) -> (Option<CodeAddr>, Option<i64>) {
        match &self.get(id).clauses {
            Clauses::None => return (None, None),
            Clauses::Shared(frozen) => return frozen.again(number, call, position),
            Clauses::Own(_) => {}
        }
        let clauses = &mut self.get_mut(id).clauses;
        clauses.again(number, call, position, generation)
    }

    /// Returns the numbers of all predicates.
    pub(crate) fn ids(&self) -> impl DoubleEndedIterator<Item = PredId> + use<> {
        (0..self.entries.len() as u32).map(PredId)
    }

    /// Returns the module and the functor of a predicate.
    pub(crate) fn home(&self, id: PredId) -> (Atom, Functor) {
        let predicate = self.get(id);
        (predicate.module, predicate.functor)
    }

    /// Returns a predicate for changes.
    #[inline(always)]
    pub(crate) fn get_mut(&mut self, id: PredId) -> &mut Predicate {
        let number = id.0 as usize;
        &mut self.chunk_mut(number / CHUNK)[number % CHUNK]
    }

    /// Returns the address of the table of entries, valid until a predicate is added.
    pub(crate) fn entries(&self) -> Addr<kind::Entries> {
        Addr::of_table(&self.entries)
    }

    /// Returns the entry address of a predicate.
    pub(crate) fn entry(&self, id: PredId) -> CodeAddr {
        self.entries[id.0 as usize]
    }

    /// Returns the address that calls of the predicate itself jump to.
    pub(crate) fn own_entry(&self, id: PredId) -> CodeAddr {
        match self.diverted_to(id) {
            Some(at) => raw::code_at(at),
            None => self.entries[id.0 as usize],
        }
    }

    /// Returns the address of the word with the own entry, for a predicate whose calls go elsewhere first.
    fn diverted_to(&self, id: PredId) -> Option<CodeAddr> {
        let published = || {
            let at = *self.published.qualified.get(&id.0)?;
            Some(CodeAddr::of(&self.published_qualifiers[at as usize]) + QUALIFIED * WORD)
        };
        self.diverted.get(&id.0).copied().or_else(published)
    }

    /// Returns the qualifier of a predicate.
    pub(super) fn qualifier(&self, id: PredId) -> Option<&Qualifier> {
        let published = || {
            let at = *self.published.qualified.get(&id.0)?;
            self.published_qualifiers.get(at as usize)
        };
        let own = self.qualifiers.get(&id.0);
        own.map(|own| &**own).or_else(published)
    }

    /// Makes calls of the predicate go to `address`.
    pub(crate) fn set_entry(&mut self, id: PredId, address: CodeAddr) {
        self.entries_set = true;
        self.link(id, address);
    }

    /// Makes calls of the predicate go to the code that selects among its clauses.
    pub(crate) fn link(&mut self, id: PredId, address: CodeAddr) {
        if let Some(at) = self.diverted_to(id) {
            raw::set_word(at, address.bits());
            raw::set_word(at + WORD, u64::from(self.has_clauses(id)));
            return;
        }
        self.entries[id.0 as usize] = address;
    }

    /// Makes calls of the predicate go to `address` from now on. Keeps the own entry of the predicate in the word
    /// `at`, which must not move. The next word says whether there are clauses.
    pub(crate) fn divert(
        &mut self,
        id: PredId,
        address: CodeAddr,
        at: CodeAddr,
    ) -> Result<(), Stop> {
        let own = self.own_entry(id);
        self.diverted.put_entry(id.0, at)?;
        self.set_entry(id, own);
        self.entries[id.0 as usize] = address;
        Ok(())
    }

    /// Makes calls of a predicate qualify its meta arguments first. Does nothing for an assumed predicate.
    pub(crate) fn qualify(&mut self, id: PredId) -> Result<(), Stop> {
        if self.diverted_to(id).is_some() {
            return Ok(());
        }
        let words = Box::new([encode_wide(Op::Qualify, 0, id.0), 0, 0, 0]);
        self.qualifiers.make_room()?;
        let words = self.qualifiers.entry(id.0).or_insert(words);
        let address = CodeAddr::of(&**words);
        self.divert(id, address, address + QUALIFIED * WORD)?;
        Ok(())
    }

    /// Removes the dead clauses of a predicate as [`ClauseList::purge`] does. Clauses that `goes` refuses may be
    /// running, so they are retired. Clauses stay dead in their places if there is no room to retire them.
    pub(crate) fn purge(
        &mut self,
        id: PredId,
        open: &[Generation],
        cost: usize,
        goes: impl FnMut(&Clause) -> bool,
    ) {
        let from = self.retired.clauses.len();
        let mut retired = std::mem::take(&mut self.retired.clauses);
        let predicate = self.get_mut(id);
        predicate.clauses.purge(open, cost, &mut retired);
        self.retired.clauses = retired;
        self.retired.settle(from, goes);
    }

    /// Returns the predicates that are imported from this one.
    pub(crate) fn importers(&self, target: PredId) -> Result<Vec<PredId>, Stop> {
        let ids = (0..self.entries.len() as u32).map(PredId);
        ids.filter(|&id| self.get(id).kind == Kind::Imported(target))
            .gather()
    }

    /// Returns whether a predicate has clauses after its assumptions: its own, or those of a module that is not a
    /// library.
    pub(super) fn has_clauses(&self, id: PredId) -> bool {
        let predicate = self.get(id);
        match predicate.kind {
            Kind::Undefined => false,
            Kind::Imported(target) => {
                predicate.module != atoms::LOLLI && !self.get(target).traits.system
            }
            _ => true,
        }
    }

    /// Makes calls of the predicate go to these instructions, kept in its stub.
    pub(crate) fn set_stub(&mut self, id: PredId, words: [u64; 3]) {
        let predicate = self.get_mut(id);
        let words = [words[0], words[1], words[2], RETRY];
        match Arc::get_mut(&mut predicate.stub) {
            Some(own) => *own = words,
            // The stub is shared. Choice points of other engines may refer to it, so it stays at its address.
            None => predicate.stub = Arc::new(words),
        }
        let address = predicate.stub();
        self.set_entry(id, address);
    }

    /// Sets the entry that fits the kind of the predicate.
    pub(crate) fn reset_entry(&mut self, id: PredId) -> Result<(), Stop> {
        let op = match self.get(id).kind {
            Kind::Undefined => Op::Undefined,
            Kind::Static if self.get(id).traits.deferred => Op::Undefined,
            Kind::Static => Op::Link,
            Kind::Dynamic => Op::Dynamic,
            Kind::Imported(_) => Op::Import,
            Kind::Builtin(_) | Kind::Control => return Ok(()),
        };
        // Code that may be running must not be freed if an error occurs halfway. So make room first.
        let blocks = self.get(id).index.len();
        reserve(&mut self.retired.indexes, blocks)?;
        let predicate = self.get_mut(id);
        predicate.traits.deferred &= predicate.kind == Kind::Static;
        let old = std::mem::take(&mut predicate.index);
        predicate.first_node += predicate.nodes.len();
        predicate.nodes = Vec::new();
        self.retired.words += old.iter().map(|code| code.len()).sum::<usize>();
        self.retired.indexes.put_all(old)?;
        let word = match self.get(id).kind {
            Kind::Imported(target) => encode_wide(op, 0, target.0),
            _ => encode_wide(op, 0, id.0),
        };
        self.set_stub(id, [word, 0, 0]);
        Ok(())
    }
}
