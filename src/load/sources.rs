//! Data about the files that were loaded, for `source_file/1`, `make/0` and `unload_file/1`.

use crate::base::atom_table::{atoms, functors};
use crate::base::growth::{Gather, Grow, GrowBy};
use crate::base::needs::{Load, Permit};
use crate::base::stop::Stop;
use crate::builtins::database::clauses::is_protected;
use crate::diagnose::rules::warn_program;
use crate::io::files::time_file;
use crate::machine::builtin::{Step, builtins};
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::program::files::File;
use crate::program::predicate::{Kind, PredId};
use crate::source::loading::{line_of, loader};
use crate::source::program_names::is_lolli;
use crate::store::cell::Cell;
use xxhash_rust::xxh3::Xxh3;

/// Returns whether the file was loaded, and not only included.
fn is_source(file: &File) -> bool {
    file.context.is_some() && file.module.is_some()
}

/// Returns the number of a loaded file. It is given by the name by which it is known, or by another name
/// of the file.
fn find_source_file(m: &mut Machine, cell: Cell) -> Result<Option<u32>, Throw> {
    let name = m.file_arg(cell)?;
    let found = m.world.files.seek(&name);
    Ok(found.filter(|&number| is_source(m.world.files.get(number))))
}

/// Returns whether a file has changed since it was loaded, or was not loaded to its end. A file that
/// no longer exists has not changed.
fn has_changed(load: &Permit<Load>, file: &File) -> bool {
    match (file.time, time_file(load, &file.path)) {
        (Some(then), Ok(now)) => now != then || file.broken && !file.loading,
        _ => false,
    }
}

/// Returns the names of the files, among a file and those it includes, that have disappeared since the last
/// check.
fn newly_gone(m: &mut Machine, load: &Permit<Load>, number: u32) -> Result<Vec<String>, Stop> {
    let mut names = Vec::new();
    for number in m.world.files.with_included(number)? {
        if let Some(file) = m.world.files.get_mut(number) {
            let gone = file.time.is_some() && time_file(load, &file.path).is_err();
            if gone && !file.gone_reported {
                names.put(file.name.to_string())?;
            }
            file.gone_reported = gone;
        }
    }
    Ok(names)
}

/// Returns the predicates that have clauses in a file or its included files, each with a hash of
/// these clauses. Dynamic predicates whose clauses were all retracted are included.
fn fingerprints(m: &Machine, number: u32) -> Result<Vec<(PredId, i64)>, Stop> {
    let files = m.world.files.with_included(number)?;
    let entry = m.world.files.get(number);
    if is_lolli(&entry.name) {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for &id in &entry.defines {
        let mut hash = Xxh3::new();
        let mut first = None;
        let predicate = m.world.predicates.get(id);
        if predicate.module == atoms::LAMBDAS {
            continue;
        }
        let tabled = predicate.traits.tabled;
        for (_, clause) in predicate.clauses.iter() {
            // The clause of a tabled predicate is always the same; its real clauses belong to an
            // internal predicate.
            if files.contains(&clause.file()) && !tabled {
                hash.update(&clause.fingerprint()?.to_le_bytes());
                first.get_or_insert(clause.line());
            }
        }
        if predicate.kind == Kind::Dynamic {
            first.get_or_insert(u32::MAX);
        }
        if let Some(line) = first {
            // Small integers have fewer bits than a word.
            found.put((line, id, (hash.digest() >> 8) as i64))?;
        }
    }
    found.sort_by_key(|&(line, ..)| line);
    found.into_iter().map(|(_, id, mark)| (id, mark)).gather()
}

/// Checks that the host has not closed the module of the file. If a tenant's text is being loaded, also checks that
/// the file belongs to the tenant. Including a file ignores its earlier inclusions, because several texts may
/// include one file.
pub(super) fn check_forgetting(m: &mut Machine, file: u32, included: bool) -> Result<(), Throw> {
    let entry = m.world.files.get(file);
    let owner = entry.context.or(entry.module.filter(|_| !included));
    let tenant = m.tenant_of(m.world.source_module);
    if tenant.is_some() && owner.is_some_and(|owner| m.tenant_of(owner) != tenant) {
        let name = m.path_atom(file)?;
        return Err(m.permission_error(atoms::MODIFY, atoms::SOURCE_SINK, name));
    }
    let module = entry.module.unwrap_or(atoms::USER);
    if entry.defines.iter().any(|&id| is_protected(m, id)) {
        return Err(m.permission_error(atoms::MODIFY, atoms::MODULE, Cell::atom(module)));
    }
    match m.world.modules.find(module) {
        Some(found) if found.file == file && found.protected => m.check_module(module),
        _ => Ok(()),
    }
}

/// Removes the clauses of a file and its entry.
fn forget(m: &mut Machine, number: u32) -> Result<(), Stop> {
    let defines = Vec::of(&m.world.files.get(number).defines)?;
    unload(m, number)?;
    for id in defines {
        let predicate = m.world.predicates.get_mut(id);
        if predicate.kind == Kind::Static && predicate.clauses.len() == 0 {
            predicate.kind = Kind::Undefined;
            predicate.traits.defined = false;
            m.world.predicates.reset_entry(id)?;
        }
    }
    take_module(m, number)?;
    if let Some(file) = m.world.files.get_mut(number) {
        *file = File {
            name: std::mem::take(&mut file.name),
            path: std::mem::take(&mut file.path),
            ..File::default()
        };
    }
    m.entries = m.world.predicates.entries();
    Ok(())
}

/// Removes the clauses and declarations of a file.
pub(super) fn unload(m: &mut Machine, file: u32) -> Result<(), Stop> {
    m.run
        .contexts
        .declared
        .retain(|declared| declared.file != file);
    let files = m.world.files.with_included(file)?;
    while let Some(&id) = m.world.files.get(file).defines.last() {
        let positions: Vec<i64> = m
            .world
            .predicates
            .get(id)
            .clauses
            .iter()
            .filter(|(_, clause)| files.contains(&clause.file()))
            .map(|(position, _)| position)
            .gather()?;
        if !positions.is_empty() {
            remove(m, id, &positions)?;
        }
        if let Some(entry) = m.world.files.get_mut(file) {
            entry.defines.pop();
        }
    }
    Ok(())
}

/// Removes clauses of a predicate. Calls that are executing them continue.
pub(crate) fn remove(m: &mut Machine, id: PredId, positions: &[i64]) -> Result<(), Stop> {
    m.world.predicates.generation += 1;
    let generation = m.world.predicates.generation;
    let predicate = m.world.predicates.get_mut(id);
    predicate.traits.tabled = false;
    for &position in positions {
        predicate.clauses.erase(position, generation)?;
    }
    m.purge(id)?;
    if m.world.predicates.get(id).kind == Kind::Static {
        m.world.predicates.reset_entry(id)?;
    }
    Ok(())
}

/// Removes the link between a file and the module that it defined, and the exports of the module.
pub(super) fn take_module(m: &mut Machine, number: u32) -> Result<(), Stop> {
    let Some(name) = m.world.files.get(number).module else {
        return Ok(());
    };
    let module = m.world.modules.intern(name)?;
    if module.file == number {
        module.file = 0;
        module.exports.clear();
        module.export_order.clear();
    }
    Ok(())
}

builtins! { SOURCES =
    /// Unifies `list` with the absolute names of the loaded files, in order of their first loading.
    iso "$source_files"("-list") needs history = |m, [list]| {
        let sources = m
            .world.files
            .iter()
            .filter(|&(number, file)| is_source(file) && m.world.files.find(&file.name) == Some(number));
        let names: Vec<String> = sources.map(|(_, file)| file.path.to_string()).gather()?;
        let cells: Vec<Cell> =
            names.iter().map(|name| Ok(Cell::atom(m.world.symbols.intern_passing(name)?))).try_gather()?;
        m.unify_items(list, &cells)
    };
    /// Returns the name under which a file was loaded, and the module that it was loaded into.
    iso "$source_file"("+file", "-name", "-module") needs history = |m, [file, name, module]| {
        let Some(number) = find_source_file(m, file)? else { return Ok(false) };
        let found = m.world.files.get(number);
        let (text, context) = (found.name.to_string(), found.context.unwrap_or(atoms::USER));
        Ok(m.unify_text(name, &text)? && m.unify_atom(module, context)?)
    };
    /// Unifies `name` with the name of a file, or of an included file, as messages show it.
    iso "$shown_file"("+file", "-name") needs history = |m, [file, name]| {
        let text = m.file_arg(file)?;
        let shown = m.world.files.seek(&text).map_or(text, |number| m.world.files.get(number).name.to_string());
        Ok(m.unify_text(name, &shown)?)
    };
    /// Succeeds if the file, or one that it includes, has changed since it was loaded.
    iso "$source_changed"("+file") needs load, effect = |m, [file]| {
        let Some(number) = find_source_file(m, file)? else { return Ok(false) };
        let files = m.world.files.with_included(number)?;
        Ok(files.into_iter().any(|file| has_changed(load, m.world.files.get(file))))
    };
    /// Unifies `list` with the names of the files, among a loaded file and those it includes, that no
    /// longer exist. Each name is returned only once.
    iso "$sources_gone"("+file", "-list") needs load, effect = |m, [file, list]| {
        let Some(number) = find_source_file(m, file)? else { return Ok(false) };
        let names = newly_gone(m, load, number)?;
        let cells: Vec<Cell> =
            names.iter().map(|name| Ok(Cell::atom(m.world.symbols.intern_passing(name)?))).try_gather()?;
        m.unify_items(list, &cells)
    };
    /// Warns of calls of undefined predicates, also of those whose definitions were removed, unless a load is in
    /// progress.
    iso "$check_undefined"() needs effect = always |m, []| {
        if loader(m).stack.is_empty() {
            warn_program(m, true)?;
        }
    };
    /// Unifies `file` with the absolute name of the file that defines a predicate, given by a
    /// module and a head.
    iso "$predicate_file"(":head", "-file") needs history = |m, [head, file]| {
        let (head, module) = m.in_module(head);
        let functor = match m.store.compound(head) {
            Some((functor, _)) => functor,
            None if head.is_atom() => m.world.symbols.functor_passing(head.as_atom(), 0)?,
            None => return Err(m.type_or_instantiation_error(atoms::CALLABLE, head)),
        };
        let Some(id) = m.visible_definition(module, functor)? else { return Ok(false) };
        let clauses = m.world.predicates.get(id).clauses.iter();
        let number = clauses.map(|(_, clause)| clause.file()).find(|&file| file != 0);
        let Some(number) = number else { return Ok(false) };
        let name = m.world.files.get(m.world.files.source(number)?).path.to_string();
        Ok(m.unify_text(file, &name)?)
    };
    /// Unifies `list` with the heads of the predicates that a file defines, each with its module.
    iso "$file_predicates"("+file", "-list") needs history = |m, [file, heads]| {
        let Some(number) = find_source_file(m, file)? else { return Ok(false) };
        let mut found = Vec::new();
        let mut defines = Vec::of(&m.world.files.get(number).defines)?;
        defines.sort_unstable_by_key(|id| id.0);
        for id in defines {
            let predicate = m.world.predicates.get(id);
            if predicate.clauses.len() == 0 || predicate.module == atoms::LAMBDAS {
                continue;
            }
            let (module, functor) = (predicate.module, predicate.functor);
            m.store.reserve(functor.arity() + 8)?;
            let name = m.world.symbols.name(functor);
            let head = match functor.arity() {
                0 => Cell::atom(name),
                _ => m.store.new_general_struct(functor)?,
            };
            found.put(m.store.new_struct(functors::COLON, &[Cell::atom(module), head]))?;
        }
        m.unify_items(heads, &found)
    };
    /// Unifies `list` with the predicates that a file defines, each as `Module:Name/Arity-Mark`. Marks
    /// differ if the clauses of the file differ. Lolli modules have none.
    iso "$file_fingerprints"("+file", "-list") needs history = |m, [file, list]| {
        let Some(number) = find_source_file(m, file)? else { return Ok(false) };
        let marks = fingerprints(m, number)?;
        let mut found = Vec::new();
        for (id, mark) in marks {
            let predicate = m.world.predicates.get(id);
            let (module, functor) = (predicate.module, predicate.functor);
            m.store.reserve(16)?;
            let indicator = m.indicator(functor);
            let qualified = m.store.new_struct(functors::COLON, &[Cell::atom(module), indicator]);
            found.put(m.store.new_struct(functors::MINUS2, &[qualified, Cell::int(mark)]))?;
        }
        m.unify_items(list, &found)
    };
    /// Removes the clauses of a file. It has one solution. It is declared nondeterministic because
    /// such builtins are never compiled in place, which the collection of code requires.
    iso nondet "$unload_file"("+file") needs effect = |m, [file], _state| {
        let Some(number) = find_source_file(m, file)? else { return Ok(Step::Last) };
        if m.world.files.get(number).loading {
            return Err(m.permission_error("unload", atoms::SOURCE_SINK, file));
        }
        check_forgetting(m, number, false)?;
        forget(m, number)?;
        m.free_retired_code()?;
        Ok(Step::Last)
    };
    /// Unifies `file` and `integer` with the file and the line of the clause that is being loaded.
    library "source_location"("-file", "-integer") needs history = |m, [file, line]| {
        let Some(loading) = loader(m).stack.last() else { return Ok(false) };
        let (loaded, span, text) = (loading.file, loading.span, loading.text.clone());
        let number = line_of(m, &text, span);
        let name = m.world.files.get(loaded).path.to_string();
        Ok(m.unify_text(file, &name)? && m.unify_int(line, i64::from(number))?)
    };
}
