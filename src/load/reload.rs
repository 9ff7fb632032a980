//! The clauses that a load removes from the program: those of an earlier load of the file, and those of
//! other files that the file redefines. They are kept until the load has ended. If a limit, an interrupt or
//! an exception stops the load earlier, they are restored, and the clauses that the file added are removed.

use super::sources::take_module;
use crate::base::atom_table::{Atom, FastSet, Functor};
use crate::base::growth::{
    Gather, Grow, GrowBy, GrowSet, GrowTable, Within, reserve, room_for_one,
};
use crate::base::source::Span;
use crate::base::stop::Stop;
use crate::base::warning::Warning;
use crate::builtins::control::tables::forget_tables;
use crate::machine::state::Machine;
use crate::machine::upper_layers::Held;
use crate::machine::upper_layers::LayerState;
use crate::program::clauses::clause_list::Clause;
use crate::program::clauses::generation::Generation;
use crate::program::files::File;
use crate::program::predicate::{Kind, MetaArg, PredId, Traits};
use crate::source::loading::{loader, present_load};
use crate::source::report::warn_at;
use crate::source::term_texts::indicator_text;
use std::sync::Arc;

/// The parts of the program that a load has removed so far.
#[derive(Default)]
pub(super) struct Former {
    /// The former state of the file, if it was loaded before, and of the files that it includes
    /// now.
    files: Vec<(u32, File)>,
    predicates: Vec<Taken>,
    /// Predicates that the load has declared (as dynamic, multifile and so on).
    declared: FastSet<PredId>,
    /// The module that the file defined, with the exports in their order.
    module: Option<(Atom, Vec<Functor>)>,
    /// The earlier number of kept generations.
    kept: usize,
}

impl LayerState for Former {}

/// A predicate that has lost clauses or declarations.
struct Taken {
    id: PredId,
    /// The generation in which the predicate was recorded here. Its removed clauses, if any, died in this
    /// generation, and no other clauses did.
    since: Generation,
    /// Whether the predicate has lost clauses.
    clauses: bool,
    kind: Kind,
    traits: Traits,
    meta: Option<Arc<[MetaArg]>>,
}

impl Taken {
    fn new(m: &mut Machine, id: PredId, since: Generation, clauses: bool) -> Taken {
        let predicate = m.world.predicates.get(id);
        let (kind, traits, meta) = (predicate.kind, predicate.traits, predicate.meta.clone());
        Taken {
            id,
            since,
            clauses,
            kind,
            traits,
            meta,
        }
    }
}

/// Removes from the program the clauses of an earlier load of the file. The former state of an included
/// file is kept by the load that includes it.
pub(super) fn set_aside(m: &mut Machine, number: u32, included: bool) -> Result<Former, Stop> {
    if !included {
        return set_aside_loaded(m, number);
    }
    let stack = &mut loader(m).stack;
    if let Some(outer) = stack.iter().rposition(|loading| !loading.included) {
        let place = stack[outer].own.of::<Former>();
        room_for_one(&mut place.files)?;
        let mut former = std::mem::take(place);
        if former.again() {
            former.put_file(m, number)?;
        }
        *loader(m).stack[outer].own.of() = former;
    }
    Ok(Former::default())
}

fn set_aside_loaded(m: &mut Machine, number: u32) -> Result<Former, Stop> {
    let mut former = Former {
        kept: m.world.predicates.kept.len(),
        ..Former::default()
    };
    let entry = m.world.files.get(number);
    let Some(module) = entry.module else {
        return Ok(former);
    };
    let known = entry.defines.iter().chain(&entry.declares).copied();
    let mut known: Vec<PredId> = known.gather()?;
    known.sort_unstable();
    known.dedup();
    let included = m.world.files.with_included(number)?;
    if let Some(found) = m.world.modules.find(module)
        && found.file == number
    {
        let exports = found.export_order.iter().copied().gather()?;
        former.module = Some((module, exports));
    }
    reserve(&mut former.predicates, known.len())?;
    // At its end the load reports the lost predicates.
    reserve(&mut loader(m).lost, known.len())?;
    room_for_one(&mut former.files)?;
    room_for_one(&mut m.world.predicates.kept)?;
    // Room for all changes is reserved, so from here on they are made as a whole.
    m.world.predicates.kept.put(m.world.predicates.generation)?;
    m.world.predicates.generation += 1;
    let died = m.world.predicates.generation;
    for id in known {
        let taken = Taken::new(m, id, died, true);
        former.predicates.put(taken)?;
        erase(m, id, died, |clause| included.contains(&clause.file()))?;
        take_back(m, id);
    }
    for declared in &mut m.run.contexts.declared {
        if included.contains(&declared.file) && declared.replaced_by.is_none() {
            declared.replaced_by = Some(number);
        }
    }
    former.put_file(m, number)?;
    Ok(former)
}

/// Marks the clauses of a predicate that `goes` selects as dead, without removing them yet.
fn erase(
    m: &mut Machine,
    id: PredId,
    died: Generation,
    goes: impl Fn(&Clause) -> bool,
) -> Result<(), Stop> {
    let predicate = m.world.predicates.get_mut(id);
    if !predicate
        .clauses
        .erase_all(died, |clause, _| goes(clause))?
    {
        return Ok(());
    }
    predicate.traits.tabled = false;
    if predicate.kind == Kind::Static {
        m.world.predicates.reset_entry(id)?;
    }
    Ok(())
}

/// Revokes the declarations that the file made for the predicate, unless other files have clauses of it.
/// Dynamic and multifile predicates remain so.
fn take_back(m: &mut Machine, id: PredId) {
    let predicate = m.world.predicates.get_mut(id);
    let traits = &mut predicate.traits;
    let others = |clause: &Clause| clause.file() != 0;
    if traits.system || predicate.clauses.living_since(0).any(others) {
        return;
    }
    traits.discontiguous = false;
    traits.count_memo = false;
    traits.defined &= predicate.kind != Kind::Undefined || traits.multifile;
    predicate.meta = None;
}

/// Records that the file defines the module, and clears the exports of an earlier load.
pub(super) fn define_module(m: &mut Machine, name: Atom, file: u32) -> Result<(), Stop> {
    let module = m.world.modules.intern(name)?;
    if module.file == file {
        module.exports.clear();
        module.export_order.clear();
    }
    module.file = file;
    Ok(())
}

/// Saves the state of a predicate before a declaration changes it, if the file that is being loaded was
/// loaded before. This is a hook of the machine.
pub(crate) fn note_declared(m: &mut Machine, id: PredId) -> Result<(), Stop> {
    let since = m.world.predicates.generation;
    // A library remains loaded if the load that requested it is interrupted.
    if m.world.booting || m.is_system_module(m.world.predicates.get(id).module) {
        return Ok(());
    }
    let Some(loading) = present_load(m) else {
        return Ok(());
    };
    let (number, former) = (loading.file, loading.own.of::<Former>());
    if former.declared.contains(&id) {
        return Ok(());
    }
    let again = former.again();
    former.declared.make_room()?;
    room_for_one(&mut former.predicates)?;
    if let Some(entry) = m.world.files.get_mut(number) {
        entry.declares.put(id)?;
    }
    let taken = again.then(|| Taken::new(m, id, since, false));
    if let Some(loading) = present_load(m) {
        let former = loading.own.of::<Former>();
        former.predicates.put_all(taken)?;
        former.declared.put_new(id)?;
    }
    Ok(())
}

impl Former {
    /// Adds the symbols and predicates that it refers to.
    pub(super) fn hold(&self, held: &mut Held) -> Result<(), Stop> {
        if let Some((name, exports)) = &self.module {
            held.atoms.put(*name)?;
            held.functors.put_all(exports.iter().copied())?;
        }
        for (_, file) in &self.files {
            held.atoms
                .put_all(file.module.into_iter().chain(file.context))?;
            held.predicates
                .put_all(file.defines.iter().chain(&file.declares).copied())?;
        }
        held.predicates.put_all(self.declared.iter().copied())?;
        for taken in &self.predicates {
            held.predicates.put(taken.id)?;
            if let Kind::Imported(target) = taken.kind {
                held.predicates.put(target)?;
            }
            for mode in taken.meta.iter().flat_map(|modes| modes.iter()) {
                if let &MetaArg::Plain(mode) = mode {
                    held.atoms.put(mode)?;
                }
            }
        }
        Ok(())
    }

    /// Returns whether the file had clauses of the predicate.
    pub(super) fn had(&self, id: PredId) -> bool {
        self.predicates.iter().any(|taken| taken.id == id)
    }

    /// Returns whether the file was loaded before.
    fn again(&self) -> bool {
        !self.files.is_empty()
    }

    /// Saves the state of a file, and clears its entry in the table.
    fn put_file(&mut self, m: &mut Machine, number: u32) -> Result<(), Stop> {
        room_for_one(&mut self.files)?;
        if let Some(entry) = m.world.files.get_mut(number) {
            let empty = File {
                name: entry.name.clone(),
                path: entry.path.clone(),
                ..File::default()
            };
            self.files
                .put_within((number, std::mem::replace(entry, empty)));
        }
        Ok(())
    }
}

/// Removes the clauses of a predicate that another file has defined. Clauses that programs added to a dynamic
/// predicate remain.
pub(super) fn redefine(
    m: &mut Machine,
    id: PredId,
    functor: Functor,
    span: Span,
) -> Result<(), Stop> {
    let name = indicator_text(m, functor)?;
    let dynamic = m.world.predicates.get(id).kind == Kind::Dynamic;
    let goes = |clause: &Clause| !dynamic || clause.file() != 0;
    let clauses = m.world.predicates.get(id).clauses.iter();
    let mut places = clauses
        .filter(|(_, clause)| goes(clause))
        .map(|(_, clause)| (clause.file(), clause.line()));
    let place = places.next();
    drop(places);
    let place = match place.filter(|place| place.0 != 0) {
        Some((file, line)) => format!("at {}:{line}", m.world.files.get(file).name),
        None => "elsewhere".to_owned(),
    };
    let message = format!("{name} was defined {place}; that definition is replaced");
    warn_at(m, Warning::Redefined, span, message, None)?;
    room_for_one(&mut m.world.predicates.kept)?;
    let present = m.world.predicates.generation;
    let died = present + 1;
    let taken = Taken::new(m, id, died, true);
    let Some(loading) = present_load(m) else {
        return Ok(());
    };
    let former = loading.own.of::<Former>();
    room_for_one(&mut former.predicates)?;
    former.predicates.put(taken)?;
    let latest = m.world.predicates.get(id).clauses.latest_birth();
    if m.world
        .predicates
        .kept
        .last()
        .is_none_or(|&kept| kept < latest)
    {
        m.world.predicates.kept.put(present)?;
    }
    m.world.predicates.generation = died;
    erase(m, id, died, goes)?;
    Ok(())
}

/// Discards the removed clauses after the load has ended.
pub(super) fn discard_former(m: &mut Machine, number: u32, former: &Former) -> Result<(), Stop> {
    m.world.predicates.kept.truncate(former.kept);
    let declared = &mut m.run.contexts.declared;
    declared.retain(|declared| declared.replaced_by != Some(number));
    for taken in &former.predicates {
        if forget_empty(m, taken.id)? {
            loader(m).lost.put(taken.id)?;
        }
        m.purge(taken.id)?;
    }
    if let Some((module, exports)) = &former.module {
        let present = m
            .world
            .modules
            .find(*module)
            .filter(|module| module.file != 0);
        let exported =
            |functor: &&Functor| present.is_some_and(|present| present.exports.contains(*functor));
        let gone: Vec<Functor> = exports
            .iter()
            .filter(|functor| !exported(functor))
            .copied()
            .gather()?;
        if !gone.is_empty() {
            let lost = m.forget_unexported(*module, &gone)?;
            loader(m).lost.put_all(lost)?;
        }
    }
    Ok(())
}

/// Restores the removed clauses after an interrupted load, in place of those that it added. If the file
/// was not loaded before, only predicates that lost clauses are restored; they are removed from those
/// that the file defines.
pub(super) fn put_back(
    m: &mut Machine,
    number: u32,
    defined: &mut FastSet<PredId>,
    mut former: Former,
) -> Result<(), Stop> {
    let files = m.world.files.with_included(number)?;
    let again = former.again();
    m.world.predicates.kept.truncate(former.kept);
    m.world.predicates.generation += 1;
    let died = m.world.predicates.generation;
    let brought = |clause: &Clause| files.contains(&clause.file());
    let taken: FastSet<PredId> = former
        .predicates
        .iter()
        .map(|taken| taken.id)
        .gather_set()?;
    let mut left = Vec::of(&m.world.files.get(number).defines)?;
    left.put_all(defined.iter().copied().filter(|id| !taken.contains(id)))?;
    defined.retain(|id| !again && !taken.contains(id));
    if again {
        for &id in &left {
            erase(m, id, died, brought)?;
            forget_empty(m, id)?;
        }
        put_back_files(m, number, &mut former)?;
        put_back_declared(m, number, &files);
    }
    for taken in former.predicates.into_iter().rev() {
        erase(m, taken.id, died, brought)?;
        taken.put_back(m, died)?;
    }
    forget_tables(m);
    for id in taken.into_iter().chain(left) {
        m.purge(id)?;
    }
    m.entries = m.world.predicates.entries();
    Ok(())
}

impl Taken {
    /// Restores the predicate, unless another file has redefined it meanwhile. Another file that only
    /// added clauses to a multifile or dynamic predicate keeps them, and the declarations that they
    /// need. Clauses that directives added to a predicate that was static are removed: `died` is
    /// their generation.
    fn put_back(mut self, m: &mut Machine, died: Generation) -> Result<(), Stop> {
        let predicate = m.world.predicates.get_mut(self.id);
        let clauses = &mut predicate.clauses;
        let others = |clause: &Clause| clause.file() != 0;
        if self.kind == Kind::Static && clauses.living_since(self.since).any(others) {
            let dynamic = predicate.kind == Kind::Dynamic;
            if !self.traits.multifile && !dynamic && !predicate.traits.multifile {
                return Ok(());
            }
            self.traits.multifile |= predicate.traits.multifile;
            self.traits.defined |= dynamic;
            if dynamic {
                self.kind = Kind::Dynamic;
            }
        }
        if self.kind == Kind::Static {
            clauses.erase_all(died, |clause, born| !others(clause) && born > self.since)?;
        }
        let unknown = matches!(self.kind, Kind::Undefined | Kind::Imported(_));
        let imported = matches!(predicate.kind, Kind::Imported(_));
        if unknown && (clauses.len() > 0 || imported && self.kind == Kind::Undefined) {
            return Ok(());
        }
        if self.clauses {
            clauses.revive(self.since);
        }
        let present = predicate.traits;
        predicate.traits = Traits {
            assumed: present.assumed,
            ..self.traits
        };
        match self.kind {
            Kind::Imported(target) if predicate.kind != self.kind => m.import(self.id, target)?,
            kind => {
                predicate.kind = kind;
                m.world.predicates.reset_entry(self.id)?;
            }
        }
        m.world.predicates.get_mut(self.id).traits.named = self.traits.named;
        if m.world.predicates.get(self.id).meta != self.meta {
            match self.meta {
                Some(modes) => m.set_meta(self.id, modes)?,
                None => m.world.predicates.get_mut(self.id).meta = None,
            }
        }
        Ok(())
    }
}

/// Makes a predicate undefined again if it had only clauses of an interrupted load, or of a former one.
/// Returns whether that is so.
fn forget_empty(m: &mut Machine, id: PredId) -> Result<bool, Stop> {
    let predicate = m.world.predicates.get_mut(id);
    let traits = &mut predicate.traits;
    let empty = predicate.kind == Kind::Static && predicate.clauses.len() == 0 && !traits.system;
    if empty {
        predicate.kind = Kind::Undefined;
        traits.defined = traits.discontiguous || traits.multifile;
        traits.deferred = false;
        m.world.predicates.reset_entry(id)?;
    }
    Ok(empty)
}

/// Restores the state of the file and of its module.
fn put_back_files(m: &mut Machine, number: u32, former: &mut Former) -> Result<(), Stop> {
    take_module(m, number)?;
    if let Some((name, exports)) = former.module.take() {
        m.world.modules.intern(name)?.file = number;
        for functor in exports {
            m.world.modules.export(name, functor)?;
        }
    }
    while let Some((number, file)) = former.files.pop() {
        if let Some(entry) = m.world.files.get_mut(number) {
            *entry = file;
        }
    }
    Ok(())
}

/// Restores the declarations of linear assumptions that the file has made.
fn put_back_declared(m: &mut Machine, number: u32, files: &[u32]) {
    let declared = &mut m.run.contexts.declared;
    declared.retain(|declared| declared.replaced_by.is_some() || !files.contains(&declared.file));
    for declared in declared {
        if declared.replaced_by == Some(number) {
            declared.replaced_by = None;
        }
    }
}
