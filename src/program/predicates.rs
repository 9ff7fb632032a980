//! The table of the predicates of an engine. It stands on one that is published and shared by engines: records are copied
//! in small groups before one of a group changes, and what is not published lies beside.

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

/// What calls of a predicate with meta arguments come to first: `qualify`, and at [`QUALIFIED`] the entry of the
/// predicate itself.
pub(super) type Qualifier = [u64; 4];

/// All predicates of an engine, by module, name and arity.
#[derive(Default)]
pub(crate) struct Predicates {
    pub(super) published: Arc<Published>,
    /// The chunks of this engine. One without records is as it was published.
    pub(super) table: Vec<Chunk>,
    /// Entry address of each predicate: what call instructions read.
    pub(super) entries: Vec<CodeAddr>,
    /// Was one of them set that is not that of code which is published, too?
    pub(super) entries_set: bool,
    /// Those that are not published.
    pub(super) keys: Keys,
    /// Where the entries of predicates are kept whose calls go elsewhere first, but for published qualifiers.
    pub(super) diverted: FastMap<u32, CodeAddr>,
    /// The qualifiers of this engine, first those that were published. They stay in their places.
    pub(super) published_qualifiers: Vec<Qualifier>,
    pub(super) qualifiers: FastMap<u32, Box<Qualifier>>,
    /// What may still be running though no call comes to it any more.
    pub(crate) retired: Retired,
    /// The present generation of the database.
    pub(crate) generation: Generation,
    /// Generations, in ascending order, whose clauses are not removed yet: what has died since may be
    /// given its life back.
    pub(crate) kept: Vec<Generation>,
    /// Where the code of loaded texts lies.
    pub(super) loaded_code: LoadedCode,
    /// Numbers of predicates that were forgotten, for new ones.
    pub(super) free: Vec<u32>,
    /// How many were ever made.
    pub(super) made: u64,
    /// How many unknown ones something referred to when that was last looked for.
    pub(crate) referenced: usize,
    /// Numbers of predicates that were forgotten are not used again: whoever still holds one is found out.
    pub(crate) wastes_numbers: bool,
    /// Is told from time to time how many bytes they take.
    pub(super) watcher: Option<Watcher>,
    /// How many there were before it was to be told. They are the system's, and stay.
    pub(super) unwatched: usize,
}

/// Bytes that a predicate takes: its record, its list of clauses, its stub, its entry, and the way from its key to it.
const PREDICATE_BYTES: usize =
    size_of::<Predicate>() + size_of::<ClauseList>() + 4 * 8 + 2 * 16 + 8 + 40;
/// The watcher is told each time that so many more were made.
const WATCHED: u64 = 64;

/// Word of a `qualify` at which the entry of the predicate itself is kept.
pub(crate) const QUALIFIED: u64 = 2;

impl Predicates {
    /// Number of predicates, with those that were forgotten and whose numbers are free.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// All predicates.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Predicate> {
        (0..self.table.len()).flat_map(|number| self.chunk(number))
    }

    /// The predicate of this key, if it is known.
    pub(crate) fn find(&self, module: Atom, functor: Functor) -> Option<PredId> {
        let key = &(module, functor);
        let published = || self.published.keys.iter().find_map(|keys| keys.get(key));
        self.keys.get(key).or_else(published).copied()
    }

    /// The predicate of this key, made undefined if it was unknown.
    pub(crate) fn intern(&mut self, module: Atom, functor: Functor) -> Result<PredId, Stop> {
        if let Some(id) = self.find(module, functor) {
            return Ok(id);
        }
        // All or nothing: an entry without its predicate would be that of the next one. The entries
        // come last, for the machine knows where they are.
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
            self.tell();
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

    /// How many predicates were ever made.
    pub(crate) fn made(&self) -> u64 {
        self.made
    }

    fn tell(&self) {
        if let Some(watcher) = &self.watcher {
            let known = (self.entries.len() - self.unwatched).saturating_sub(self.free.len());
            watcher((known * PREDICATE_BYTES) as u64);
        }
    }

    /// From now on this is told, from time to time, how many bytes predicates take. Those that there are
    /// by now do not count.
    pub(crate) fn watch(&mut self, watcher: Watcher) {
        self.watcher = Some(watcher);
        self.unwatched = self.entries.len();
    }

    /// Is nothing known of the predicate but its name?
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

    /// The predicates of programs of which nothing is known but their names.
    pub(crate) fn unknown(&self) -> Result<Vec<PredId>, Stop> {
        let all = (self.unwatched as u32..self.entries.len() as u32).map(PredId);
        all.filter(|&id| self.is_unknown(id)).gather()
    }

    /// Undefined predicates whose former clauses are still there.
    pub(crate) fn undefined_with_clauses(&self) -> Result<Vec<PredId>, Stop> {
        let all = (self.unwatched as u32..self.entries.len() as u32).map(PredId);
        let with_clauses = |id: &PredId| {
            let predicate = self.get(*id);
            predicate.kind == Kind::Undefined && predicate.clauses.all().next().is_some()
        };
        all.filter(with_clauses).gather()
    }

    /// Forgets a predicate if nothing is known of it but its name. Whoever asks knows that nothing refers to it.
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

    /// The same of several: of all of them, or of none if there is no room.
    pub(crate) fn forget_all(&mut self, ids: &[PredId]) -> Result<(), Stop> {
        self.free.try_reserve(ids.len())?;
        ids.iter().try_for_each(|&id| self.forget(id))?;
        self.tell();
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

    /// The chunk as it was published; an empty one that is new.
    #[inline(always)]
    fn published_chunk(&self, number: usize) -> &Chunk {
        let published = self.published.chunks.get(number);
        published.map_or(&self.table[number], |chunk| chunk)
    }

    /// The chunk, to be changed.
    #[inline(always)]
    fn chunk_mut(&mut self, number: usize) -> &mut Chunk {
        if self.table[number].is_empty() {
            self.table[number] = copy_chunk(self.published_chunk(number));
        }
        &mut self.table[number]
    }

    /// A predicate.
    #[inline(always)]
    pub(crate) fn get(&self, id: PredId) -> &Predicate {
        let number = id.0 as usize;
        &self.chunk(number / CHUNK)[number % CHUNK]
    }

    /// [`ClauseList::first`] of a predicate. What is published is not copied for that.
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

    /// [`ClauseList::again`] of a predicate, likewise.
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

    /// All predicates.
    pub(crate) fn ids(&self) -> impl DoubleEndedIterator<Item = PredId> + use<> {
        (0..self.entries.len() as u32).map(PredId)
    }

    /// The module and the functor of a predicate.
    pub(crate) fn home(&self, id: PredId) -> (Atom, Functor) {
        let predicate = self.get(id);
        (predicate.module, predicate.functor)
    }

    /// A predicate, to be changed.
    #[inline(always)]
    pub(crate) fn get_mut(&mut self, id: PredId) -> &mut Predicate {
        let number = id.0 as usize;
        &mut self.chunk_mut(number / CHUNK)[number % CHUNK]
    }

    /// Address of the table of entries; valid until a predicate is added.
    pub(crate) fn entries(&self) -> Addr<kind::Entries> {
        Addr::of_table(&self.entries)
    }

    /// Entry address of a predicate.
    pub(crate) fn entry(&self, id: PredId) -> CodeAddr {
        self.entries[id.0 as usize]
    }

    /// Where calls of the predicate itself go.
    pub(crate) fn own_entry(&self, id: PredId) -> CodeAddr {
        match self.diverted_to(id) {
            Some(at) => raw::code_at(at),
            None => self.entries[id.0 as usize],
        }
    }

    /// Where the entry of a predicate is kept whose calls go elsewhere first.
    fn diverted_to(&self, id: PredId) -> Option<CodeAddr> {
        let published = || {
            let at = *self.published.qualified.get(&id.0)?;
            Some(CodeAddr::of(&self.published_qualifiers[at as usize]) + QUALIFIED * WORD)
        };
        self.diverted.get(&id.0).copied().or_else(published)
    }

    /// The qualifier of a predicate.
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

    /// Makes calls of the predicate go to `address` from now on, and keeps where they would go at
    /// the word `at`, which stays in its place, and in the next word whether clauses are there.
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

    /// Makes calls of a predicate qualify its meta arguments first. One that is assumed is left as
    /// it is.
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

    /// Removes the dead clauses of a predicate as [`ClauseList::purge`] does. Those that `goes` refuses may
    /// be running: they are retired. What there is no room to retire stays dead in its place.
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

    /// Predicates that are imported from this one.
    pub(crate) fn importers(&self, target: PredId) -> Result<Vec<PredId>, Stop> {
        let ids = (0..self.entries.len() as u32).map(PredId);
        ids.filter(|&id| self.get(id).kind == Kind::Imported(target))
            .gather()
    }

    /// Has it clauses that come after its assumptions: its own, or those of a module that is no
    /// library?
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
            // Choice points may refer to what others have, too: it stays where it is.
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
        // What may be running is not given back on the way: there is room first.
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
