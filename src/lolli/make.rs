//! Builtins of `make/0` for modules of Lolli. They find and reload modules whose files have changed, and compare the
//! predicates of their clauses.

use super::files::Found;
use super::modules::{Content, LolliModules, Module, Record, load_module};
use crate::base::atom_table::{atoms, functors};
use crate::base::growth::{Gather, Grow, GrowSet, GrowTable};
use crate::base::needs::{Load, Permit};
use crate::base::stop::Stop;
use crate::io::files::stamp;
use crate::machine::builtin::builtins;
use crate::machine::state::Machine;
use crate::program::predicate::PredId;
use crate::store::cell::Cell;
use indexmap::IndexMap;
use std::sync::Arc;
use xxhash_rust::xxh3::Xxh3;

/// Returns the modules whose files have changed or are gone: the path, the name of the module, and whether the file is
/// gone. Lists a module whose file is gone only once.
fn outdated(m: &mut Machine, load: &Permit<Load>) -> Result<Vec<(String, Cell, bool)>, Stop> {
    let known = m.world.layers.of::<LolliModules>();
    let mut found = Vec::new();
    for (path, (then, module)) in &known.loaded {
        let now = stamp(load, m.world.files.path_of(path));
        if then.is_none() || *then == now {
            known.gone.remove(path);
            continue;
        }
        let gone = now.is_none();
        if gone && !known.gone.put_new(path.clone())? {
            continue;
        }
        found.put((path.to_string(), Cell::atom(module.name), gone))?;
    }
    found.sort_by(|one, other| one.0.cmp(&other.0));
    Ok(found)
}

/// Returns the predicates of the clauses of a module, in the order of the clauses. With each comes a fingerprint of its
/// clauses. Leaves out clauses whose predicate is known only when the module is entered.
fn fingerprints(m: &Machine, module: &Module) -> Result<Vec<(PredId, i64)>, Stop> {
    let mut found: IndexMap<PredId, Xxh3> = IndexMap::new();
    for Record {
        linear,
        joined,
        what,
    } in &module.records
    {
        let Content::Closure {
            slot, predicate, ..
        } = what
        else {
            continue;
        };
        let Some(about) = m.run.contexts.predicate_of(*slot) else {
            continue;
        };
        found.make_room()?;
        let hash = found.entry(about).or_default();
        hash.update(&[u8::from(*linear), u8::from(*joined)]);
        let compiled = m.world.predicates.get(*predicate);
        // Each load gives these predicates new names, so names are not part of the fingerprint.
        let functor = compiled.functor;
        let name = [
            Cell::functor(functor),
            Cell::atom(m.world.symbols.name(functor)),
        ];
        for (_, clause) in compiled.clauses.iter() {
            hash.update(&clause.fingerprint_without(&name)?.to_le_bytes());
        }
    }
    let marked = found.into_iter();
    // Small integers have a few bits less than a word.
    let marked = marked.map(|(about, hash)| (about, (hash.digest() >> 8) as i64));
    marked.gather()
}

builtins! { LOLLI_MAKE =
    /// Returns the modules of Lolli whose files have changed since they were loaded: a list of
    /// `Path-Name-changed` and `Path-Name-gone`. Lists a module whose file is gone only once.
    iso "$lolli_outdated"("-list") needs load, effect = |m, [list]| {
        let mut found = Vec::new();
        for (path, name, gone) in outdated(m, load)? {
            let path = Cell::atom(m.world.symbols.intern_passing(&path)?);
            let what = Cell::atom(m.world.symbols.intern(if gone { "gone" } else { "changed" })?);
            m.store.reserve(16)?;
            let named = m.store.new_struct(functors::MINUS2, &[path, name]);
            found.put(m.store.new_struct(functors::MINUS2, &[named, what]))?;
        }
        m.unify_items(list, &found)
    };
    /// Loads again a module of Lolli whose file has changed.
    iso "$lolli_reload"("+path") needs load, effect = |m, [path]| {
        let path = m.atomic_text_arg(path, atoms::ATOM)?;
        load_module(m, load, &Found { path, text: None, by_path: true }, false)?;
        Ok(true)
    };
    /// Returns the predicates of a module of Lolli with their fingerprints, as `$file_fingerprints` does.
    iso "$lolli_fingerprints"("+path", "-list") needs history = |m, [path, list]| {
        let path = m.atomic_text_arg(path, atoms::ATOM)?;
        let known = m.world.layers.of::<LolliModules>().loaded.get(&*path);
        let Some(module) = known.map(|(_, module)| Arc::clone(module)) else { return Ok(false) };
        let mut found = Vec::new();
        for (about, mark) in fingerprints(m, &module)? {
            let functor = m.world.predicates.get(about).functor;
            m.store.reserve(16)?;
            let indicator = m.indicator(functor);
            let qualified = [Cell::atom(atoms::USER), indicator];
            let qualified = m.store.new_struct(functors::COLON, &qualified);
            found.put(m.store.new_struct(functors::MINUS2, &[qualified, Cell::int(mark)]))?;
        }
        m.unify_items(list, &found)
    };
}
