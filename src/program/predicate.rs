//! Predicates: what an engine knows of each, keyed by module, name and arity.

use super::clauses::clause_list::{Clause, ClauseList, Generation};
use super::clauses::loaded_code::LoadedCode;
use crate::base::atom_table::{Atom, FastMap, Functor, Watcher, atoms, functors};
use crate::base::growth::{Gather, GiveBack, Grow, GrowMap, GrowTable, reserve, room_for_one};
use crate::base::on_demand::OnDemand;
use crate::base::stop::Stop;
use crate::code::instruction::{Op, encode_wide};
use crate::front::lower::Sensitive;
use crate::ir::selection::Node;
use crate::store::address::{Addr, CodeAddr, kind};
use crate::store::cell::WORD;
use crate::store::raw;
use std::ops::Range;

/// Index of a predicate in the table of its engine.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct PredId(pub(crate) u32);

/// Place in a stub of the instruction that takes a call of a dynamic predicate up again.
pub(crate) const STUB_RETRY: u64 = 3;
const RETRY: u64 = Op::DynamicRetry as u64;

/// How a predicate is defined.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Not at all, so far.
    Undefined,
    /// By clauses that do not change while they run.
    Static,
    /// By clauses that may change at any time.
    Dynamic,
    /// By a builtin of the engine's table.
    Builtin(u32),
    /// By instructions of its own.
    Control,
    /// As another module's predicate.
    Imported(PredId),
}

/// What a predicate was declared to be, and how it may be treated.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Traits {
    /// Belongs to the system: its clauses are not shown and it cannot be changed.
    pub(crate) system: bool,
    /// A control construct or ISO builtin: no module may define its own.
    pub(crate) protected: bool,
    /// Clauses may come from several files.
    pub(crate) multifile: bool,
    /// Clauses need not be together.
    pub(crate) discontiguous: bool,
    /// Declared by `dynamic/1` or `discontiguous/1` or defined: its call fails instead of raising
    /// an existence error.
    pub(crate) defined: bool,
    /// May be assumed: its call fails, too, where nothing defines it.
    pub(crate) assumed: bool,
    /// Its clauses are those of another predicate, whose answers are kept in tables.
    pub(crate) tabled: bool,
    /// If it is `tabled`: its clauses are those of another predicate, but of which each call must succeed once
    /// (`det/1`); there are no tables.
    pub(crate) det: bool,
    /// A static predicate with clauses that are compiled when it is first called or looked at: one of
    /// the system, or of an image.
    pub(crate) deferred: bool,
    /// Imported by its name: no file may define another one in its place.
    pub(crate) named: bool,
    /// Imported by `autoload/1,2`: a definition or another import takes its place without a word.
    pub(crate) lazy: bool,
    /// A function of the host: no program may define or declare it.
    pub(crate) host: bool,
}

/// One predicate.
pub(crate) struct Predicate {
    /// Its module.
    pub(crate) module: Atom,
    /// Name and arity.
    pub(crate) functor: Functor,
    /// How it is defined.
    pub(crate) kind: Kind,
    /// Declarations.
    pub(crate) traits: Traits,
    /// Argument modes given by `meta_predicate/1`, one cell each: an integer, `^`, `//`, `:` or a mode.
    pub(crate) meta: Option<Box<[MetaArg]>>,
    /// Its clauses.
    pub(crate) clauses: OnDemand<ClauseList>,
    /// Code of its index, built in parts; they live as long as the predicate is not linked anew.
    pub(crate) index: Vec<Vec<u64>>,
    /// Nodes of the index; absent once they are made.
    pub(crate) nodes: Vec<Option<Node>>,
    /// Number of the first of these nodes: older ones were of an index that is no more.
    pub(crate) first_node: usize,
    /// Instructions for its entry, of fixed place. The last is `dynamic_retry`, whatever the
    /// predicate is now: choice points of the time when it was dynamic refer to it.
    pub(crate) stub: Box<[u64; 4]>,
}

impl Predicate {
    /// Must an argument carry its module?
    pub(crate) fn sensitive(&self) -> bool {
        let modes = self.meta.as_ref();
        modes.is_some_and(|modes| modes.iter().any(|mode| mode.sensitive()))
    }
}

/// What `meta_predicate/1` says of an argument.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum MetaArg {
    /// A goal to be called with that many further arguments.
    Goal(u8),
    /// A goal under `^`.
    Existential,
    /// A grammar body.
    Grammar,
    /// Anything sensitive to the module.
    Module,
    /// Not sensitive; the atom is its mode.
    Plain(Atom),
}

impl MetaArg {
    /// What the argument has to do with modules.
    pub(crate) fn sensitivity(self) -> Sensitive {
        match self {
            MetaArg::Plain(_) => Sensitive::No,
            MetaArg::Module => Sensitive::ToModule,
            MetaArg::Goal(_) | MetaArg::Existential | MetaArg::Grammar => Sensitive::Goal,
        }
    }

    /// Must the argument carry its module?
    pub(crate) fn sensitive(self) -> bool {
        !matches!(self, MetaArg::Plain(_))
    }
}

/// Code that no call comes to any more, while continuations, choice points or terms may refer to it.
#[derive(Default)]
pub(crate) struct Retired {
    /// Clauses.
    pub(crate) clauses: Vec<Clause>,
    /// Codes of indexes.
    pub(crate) indexes: Vec<Vec<u64>>,
    /// Words of all of them.
    pub(crate) words: usize,
    /// Number of words from which on it is looked for what can be freed.
    pub(crate) limit: usize,
}

impl Retired {
    /// Frees those of the clauses from place `from` on that may go at once, and counts the others.
    fn settle(&mut self, from: usize, mut goes: impl FnMut(&Clause) -> bool) {
        let mut at = from;
        while let Some(clause) = self.clauses.get(at) {
            if goes(clause) {
                self.clauses.swap_remove(at);
            } else {
                self.words += words(&clause.addresses());
                at += 1;
            }
        }
        if self.clauses.capacity() > 4 * at + SPARE_PLACES {
            self.clauses.give_back(2 * at);
        }
    }

    /// Address ranges: first of the clauses, then of the indexes.
    pub(crate) fn ranges(&self) -> impl Iterator<Item = Range<CodeAddr>> {
        let indexes = self.indexes.iter().map(|code| {
            let start = CodeAddr::of(code);
            start..start + code.len() as u64 * 8
        });
        self.clauses.iter().map(Clause::addresses).chain(indexes)
    }

    /// Frees what is not marked; the marks are in the order of [`Retired::ranges`].
    pub(crate) fn keep(&mut self, marks: &[bool]) {
        let mut marks = marks.iter();
        self.clauses
            .retain(|_| marks.next().copied().unwrap_or(true));
        self.indexes
            .retain(|_| marks.next().copied().unwrap_or(true));
        self.words = self.ranges().map(|range| words(&range)).sum();
        self.clauses.give_back(0);
        self.indexes.give_back(0);
    }
}

/// Places for retired clauses that are kept though there are few of these.
const SPARE_PLACES: usize = 1 << 10;

fn words(range: &Range<CodeAddr>) -> usize {
    ((range.end - range.start) / 8) as usize
}

/// All predicates of an engine.
#[derive(Default)]
pub(crate) struct Predicates {
    table: Vec<Predicate>,
    /// Entry address of each predicate: what call instructions read.
    entries: Vec<CodeAddr>,
    keys: FastMap<(Atom, Functor), PredId>,
    /// Where the entries of predicates are kept whose calls go elsewhere first.
    diverted: FastMap<u32, CodeAddr>,
    /// What calls of predicates with meta arguments come to first: `qualify`, and at
    /// [`QUALIFIED`] the entry of the predicate itself.
    qualifiers: FastMap<u32, Box<[u64; 4]>>,
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
    free: Vec<u32>,
    /// How many were ever made.
    made: u64,
    /// How many unknown ones something referred to when that was last looked for.
    pub(crate) referenced: usize,
    /// Numbers of predicates that were forgotten are not used again: whoever still holds one is found out.
    pub(crate) wastes_numbers: bool,
    /// Is told from time to time how many bytes they take.
    watcher: Option<Watcher>,
    /// How many there were before it was to be told. They are the system's, and stay.
    unwatched: usize,
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
        self.table.len()
    }

    /// All predicates.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Predicate> {
        self.table.iter()
    }

    /// The predicate of this key, if it is known.
    pub(crate) fn find(&self, module: Atom, functor: Functor) -> Option<PredId> {
        self.keys.get(&(module, functor)).copied()
    }

    /// The predicate of this key, made undefined if it was unknown.
    pub(crate) fn intern(&mut self, module: Atom, functor: Functor) -> Result<PredId, Stop> {
        if let Some(id) = self.find(module, functor) {
            return Ok(id);
        }
        // All or nothing: an entry without its predicate would be that of the next one. The entries
        // come last, for the machine knows where they are.
        room_for_one(&mut self.table)?;
        self.keys.make_room()?;
        room_for_one(&mut self.entries)?;
        let number = self.free.pop().unwrap_or(self.table.len() as u32);
        let id = PredId(number);
        let stub = Box::new([encode_wide(Op::Undefined, 0, id.0), 0, 0, RETRY]);
        let entry = CodeAddr::of(&*stub);
        let predicate = Predicate {
            module,
            functor,
            kind: Kind::Undefined,
            traits: Traits::default(),
            meta: None,
            clauses: OnDemand::default(),
            index: Vec::new(),
            nodes: Vec::new(),
            first_node: 0,
            stub,
        };
        match self.table.get_mut(number as usize) {
            Some(free) => {
                *free = predicate;
                self.entries[number as usize] = entry;
            }
            None => {
                self.entries.put(entry)?;
                self.table.put(predicate)?;
            }
        }
        self.keys.put_entry((module, functor), id)?;
        self.made += 1;
        if self.made.is_multiple_of(WATCHED) {
            self.tell();
        }
        Ok(id)
    }

    /// How many predicates were ever made.
    pub(crate) fn made(&self) -> u64 {
        self.made
    }

    fn tell(&self) {
        if let Some(watcher) = &self.watcher {
            let known = (self.table.len() - self.unwatched).saturating_sub(self.free.len());
            watcher((known * PREDICATE_BYTES) as u64);
        }
    }

    /// From now on this is told, from time to time, how many bytes predicates take. Those that there are
    /// by now do not count.
    pub(crate) fn watch(&mut self, watcher: Watcher) {
        self.watcher = Some(watcher);
        self.unwatched = self.table.len();
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
            && !self.qualifiers.contains_key(&id.0)
            && self.find(predicate.module, predicate.functor) == Some(id)
    }

    /// The predicates of programs of which nothing is known but their names.
    pub(crate) fn unknown(&self) -> Result<Vec<PredId>, Stop> {
        let all = (self.unwatched as u32..self.table.len() as u32).map(PredId);
        all.filter(|&id| self.is_unknown(id)).gather()
    }

    /// Undefined predicates whose former clauses are still there.
    pub(crate) fn undefined_with_clauses(&self) -> Result<Vec<PredId>, Stop> {
        let all = (self.unwatched as u32..self.table.len() as u32).map(PredId);
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
        let predicate = &mut self.table[id.0 as usize];
        self.keys.remove(&(predicate.module, predicate.functor));
        // No module has this name.
        (predicate.module, predicate.functor) = (atoms::NIL, functors::COMMA);
        predicate.clauses = OnDemand::default();
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

    /// A predicate.
    pub(crate) fn get(&self, id: PredId) -> &Predicate {
        &self.table[id.0 as usize]
    }

    /// All predicates.
    pub(crate) fn ids(&self) -> impl DoubleEndedIterator<Item = PredId> + use<> {
        (0..self.table.len() as u32).map(PredId)
    }

    /// The module and the functor of a predicate.
    pub(crate) fn home(&self, id: PredId) -> (Atom, Functor) {
        let predicate = self.get(id);
        (predicate.module, predicate.functor)
    }

    /// A predicate, to be changed.
    pub(crate) fn get_mut(&mut self, id: PredId) -> &mut Predicate {
        &mut self.table[id.0 as usize]
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
        match self.diverted.get(&id.0) {
            Some(&at) => raw::code_at(at),
            None => self.entries[id.0 as usize],
        }
    }

    /// Makes calls of the predicate go to `address`.
    pub(crate) fn set_entry(&mut self, id: PredId, address: CodeAddr) {
        if !self.diverted.is_empty()
            && let Some(&at) = self.diverted.get(&id.0)
        {
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
        if self.diverted.contains_key(&id.0) {
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
        let clauses = &mut self.table[id.0 as usize].clauses;
        clauses.purge(open, cost, &mut self.retired.clauses);
        self.retired.settle(from, goes);
    }

    /// Predicates that are imported from this one.
    pub(crate) fn importers(&self, target: PredId) -> Result<Vec<PredId>, Stop> {
        let ids = (0..self.table.len() as u32).map(PredId);
        ids.filter(|&id| self.get(id).kind == Kind::Imported(target))
            .gather()
    }

    /// Has it clauses that come after its assumptions: its own, or those of a module that is no
    /// library?
    fn has_clauses(&self, id: PredId) -> bool {
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
        let predicate = &mut self.table[id.0 as usize];
        predicate.stub[..3].copy_from_slice(&words);
        let address = CodeAddr::of(&*predicate.stub);
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
        let predicate = &mut self.table[id.0 as usize];
        predicate.traits.deferred &= predicate.kind == Kind::Static;
        // What may be running is not given back on the way: there is room first.
        reserve(&mut self.retired.indexes, predicate.index.len())?;
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
