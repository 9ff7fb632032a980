//! The system's own library: Prolog text that is part of the program. Every engine loads the boot files. A library
//! is loaded when the program first calls or uses a part of it.

use super::system_text::{
    Text, any_deferred, as_system, complete, heading_of, load_text, text_of, undefine,
};
use crate::base::atom_table::{Atom, FastMap, Functor, atoms};
use crate::base::flags::OccursCheck;
use crate::base::growth::{Bounded, Gather, Grow, GrowSet};
use crate::base::shared::Shared;
use crate::base::stop::Stop;
use crate::builtins::database::stored::compile_stored;
use crate::builtins::linear::lolli::{CLAUSES as LOLLI_CLAUSES, NAMES as LOLLI_BUILTINS};
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::machine::upper_layers::{LayerState, Part};
use crate::program::operators::Operator;
use crate::program::predicate::{Kind, PredId, Traits};
use crate::store::cell::Cell;

macro_rules! text {
    ($folder:literal, $name:literal) => {
        include_str!(concat!("../../prelude/", $folder, "/", $name, ".pl"))
    };
}

/// Texts of the module `system`: their names, and whether programs may not redefine their predicates.
pub(crate) const BOOT: &[(&str, &str, bool)] = &[
    ("control", text!("iso", "control"), true),
    ("streams", text!("iso", "streams"), true),
    ("bags", text!("iso", "bags"), true),
    ("database", text!("iso", "database"), true),
    ("system", text!("system", "system"), false),
    ("terms_and_lists", text!("system", "terms_and_lists"), false),
    ("printing", text!("system", "printing"), false),
    ("load", text!("system", "load"), false),
    ("expand", text!("system", "expand"), false),
    ("inspection", text!("system", "inspection"), false),
    ("modules", text!("system", "modules"), false),
    ("sources", text!("system", "sources"), false),
    ("declarations", text!("system", "declarations"), false),
];

macro_rules! libraries {
    ($($folder:literal: $($name:literal)*;)*) => { &[$($(($name, text!($folder, $name))),*),*] };
}

/// Names and texts of the libraries, ordered by folder. Exports of libraries with their own folder, such as `dcg`,
/// are imported only on request.
pub(crate) const LIBRARIES: &[(&str, &str)] = libraries! {
    "system": "messages" "debug" "error" "time" "main" "shell" "date" "prolog_code" "operators" "filesex"
        "files" "thread" "statistics" "make" "prolog_debug" "prolog_stack";
    "lists": "lists" "apply" "aggregate" "ordsets" "option" "pairs" "yall" "apply_macros" "sort";
    "data": "gensym" "random" "ugraphs" "assoc" "heaps" "nb_set" "rbtrees" "recorded" "occurs" "terms"
        "varnumbers" "arithmetic";
    "text": "readutil" "listing" "listing_source" "writef" "strings" "pure_input" "ansi_term" "codesio" "charsio"
        "ctypes" "pio" "portray_text";
    "control": "freeze" "dif" "when" "solution_sequences" "tabling" "threads";
    "constraints": "clpfd_sets" "clpfd" "clpz";
    "linear": "linear" "explain" "lolli" "lolli_session" "search_tree" "linear_tree" "proof_tree";
    "dialects": "dialect_swi3" "edinburgh" "backcomp" "quintus";
    "tools": "misc" "plunit" "check" "help";
    ".": "dcg/basics" "dcg/high_order";
};

/// Modules of libraries that other texts of the system name, or that are names of attributes.
const NAMED_MODULES: &[&str] = &[
    "lolli",
    "lolli_session",
    "linear",
    "explain",
    "freeze",
    "dif",
    "when",
    "clpfd",
];

/// Libraries whose predicates only the modules that import them get. Their names are common words or operators.
const EXPLICIT: &[&str] = &["linear", "clpfd", "clpz"];

/// Predicates of such libraries that are available without an import.
const ALWAYS_AVAILABLE: &[(&str, usize)] = &[("transpose", 2)];

/// Libraries that export predicates of another one, with the name of the other one.
const BASES: &[(&str, &str)] = &[("clpz", "clpfd")];

/// Returns the number of the library whose predicates another one exports.
fn base_of(name: &str) -> Option<usize> {
    let (_, base) = BASES.iter().find(|(own, _)| *own == name)?;
    LIBRARIES.iter().position(|(known, _)| known == base)
}

/// Libraries without state. When the flag `occurs_check` is first set, their clauses are recompiled, and they obey
/// the flag from then on.
const PURE: &[&str] = &[
    "lists",
    "apply",
    "aggregate",
    "ordsets",
    "ugraphs",
    "assoc",
    "pairs",
    "dcg/basics",
    "dcg/high_order",
    "heaps",
    "rbtrees",
    "yall",
    "occurs",
    "terms",
];

/// Data of an engine about the libraries.
#[derive(Clone, Default)]
pub(crate) struct Library {
    /// Library of each exported predicate.
    index: Shared<FastMap<Functor, usize>>,
    /// Operators that each library exports. They take effect only when a program imports the library explicitly.
    operators: Shared<Vec<Vec<Operator>>>,
    /// Names of the libraries.
    names: Shared<Vec<Atom>>,
    /// Modules of the libraries, and whether they are loaded.
    modules: Shared<Vec<(Atom, bool)>>,
    /// True if the clauses of the libraries in [`PURE`] obey the flag `occurs_check`.
    checks_occurs: bool,
}

impl LayerState for Library {
    fn part(&self) -> Option<Part> {
        Part::of(self.clone())
    }
}

/// Loads the boot files and indexes the libraries.
///
/// # Errors
/// Returns an error only if there is no memory, because the texts are part of the program.
pub(crate) fn boot(m: &mut Machine) -> Result<(), Throw> {
    as_system(m, |m| -> Result<(), Throw> {
        for &(_, text, protected) in BOOT {
            let mut defined = Vec::new();
            let module = atoms::SYSTEM;
            load_text(m, Text { text, module }, &mut defined)?;
            for id in defined {
                // Calls within the system find the predicate in its module, whatever programs define.
                let functor = m.world.predicates.get(id).functor;
                let own = m.world.symbols.name_text(functor).starts_with('$');
                let traits = &mut m.world.predicates.get_mut(id).traits;
                traits.system = true;
                traits.protected |= protected && !own;
            }
        }
        name_lolli(m)?;
        Ok(())
    })?;
    let mut library = Library::default();
    for (number, &(name, text)) in LIBRARIES.iter().enumerate() {
        let heading = heading_of(m, text)?;
        let (exports, operators) = (heading.exports, heading.operators);
        let on_demand = name.contains('/');
        let asked_for = EXPLICIT.contains(&name);
        let name = m.world.symbols.intern(name)?;
        let module = heading.module.unwrap_or(name);
        // Lolli sees the definitions of programs.
        m.world.modules.intern(module)?.system = module != atoms::LOLLI;
        library.names.own().put_bounded(name);
        library.modules.own().put_bounded((module, false));
        for functor in exports {
            let symbols = &m.world.symbols;
            let at_hand = ALWAYS_AVAILABLE.contains(&(symbols.name_text(functor), functor.arity()));
            if !asked_for && !on_demand || at_hand {
                library.index.own().entry(functor).or_insert(number);
            }
            m.world.modules.export(module, functor)?;
        }
        library.operators.own().put_bounded(operators);
    }
    *m.world.layers.of::<Library>() = library;
    Ok(())
}

/// Gives Lolli's builtins their names.
fn name_lolli(m: &mut Machine) -> Result<(), Stop> {
    for &(name, arity, builtin) in LOLLI_BUILTINS {
        let (name, builtin) = (
            m.world.symbols.intern(name)?,
            m.world.symbols.intern(builtin)?,
        );
        let (functor, builtin) = (
            m.world.symbols.functor(name, arity)?,
            m.world.symbols.functor(builtin, arity)?,
        );
        let module = m.world.modules.intern(atoms::LOLLI)?;
        module.reserved.put_new(name)?;
        let id = m.intern_predicate(atoms::LOLLI, functor)?;
        if let Some(target) = m.world.predicates.find(atoms::SYSTEM, builtin) {
            m.import(id, target)?;
            m.world.predicates.get_mut(id).traits.system = true;
        }
    }
    for &name in LOLLI_CLAUSES {
        let name = m.world.symbols.intern(name)?;
        let module = m.world.modules.intern(atoms::LOLLI)?;
        module.reserved.put_new(name)?;
    }
    Ok(())
}

/// Loads Lolli's own predicates if needed.
///
/// # Errors
/// Returns an error only if there is no memory.
pub(crate) fn load_lolli(m: &mut Machine) -> Result<(), Throw> {
    match find_library(m, atoms::LOLLI) {
        Some(number) => m.unnoticed(|m| load_library(m, number).map(|_| ())),
        None => Ok(()),
    }
}

/// Returns the predicates that libraries export to all programs, loaded or not.
pub(crate) fn exported_predicates(m: &mut Machine) -> Vec<Functor> {
    m.world
        .layers
        .of::<Library>()
        .index
        .keys()
        .copied()
        .collect_bounded()
}

/// Returns the name of the library that exports a predicate only to the modules that import it.
pub(crate) fn library_to_import(m: &mut Machine, functor: Functor) -> Option<&'static str> {
    let modules = m.world.layers.of::<Library>().modules.clone();
    let mut libraries = LIBRARIES.iter().zip(&*modules);
    let found = libraries.find(|((name, _), (module, _))| {
        let module = m.world.modules.find(*module);
        (EXPLICIT.contains(name) || name.contains('/'))
            && module.is_some_and(|module| module.exports.contains(&functor))
    });
    found.map(|((name, _), _)| *name)
}

/// Returns the names of the libraries with exports, in order.
pub(crate) fn library_names(m: &mut Machine) -> Result<Vec<String>, Stop> {
    let modules = m.world.layers.of::<Library>().modules.clone();
    let exports = |module: Atom| {
        m.world
            .modules
            .find(module)
            .is_some_and(|module| !module.export_order.is_empty())
    };
    let known = LIBRARIES
        .iter()
        .zip(&*modules)
        .filter(|(_, (module, _))| exports(*module));
    let mut names: Vec<String> = known.map(|((name, _), _)| (*name).to_owned()).gather()?;
    names.sort_unstable();
    Ok(names)
}

/// Returns the number of the library with this name, if there is one.
pub(crate) fn find_library(m: &mut Machine, name: Atom) -> Option<usize> {
    let library = m.world.layers.of::<Library>();
    library.names.iter().position(|&known| known == name)
}

/// Loads a library if it is not loaded yet. Returns its module.
///
/// # Errors
/// Returns an error only if there is no memory.
pub(crate) fn load_library(m: &mut Machine, number: usize) -> Result<Atom, Throw> {
    let (module, loaded) = m.world.layers.of::<Library>().modules[number];
    if loaded {
        return Ok(module);
    }
    let text = LIBRARIES[number].1;
    let mut defined = Vec::new();
    let load = |m: &mut Machine| load_text(m, Text { text, module }, &mut defined);
    let result = as_system(m, load);
    if result.is_ok() {
        for id in defined {
            m.world.predicates.get_mut(id).traits.system = true;
        }
        m.world.layers.of::<Library>().modules.own()[number].1 = true;
        return Ok(module);
    }
    // A part of a library is of no use. Undo it; the next call tries again.
    for id in defined {
        undefine(m, id)?;
    }
    m.entries = m.world.predicates.entries();
    result.map(|()| module)
}

/// Returns the module of the library that exports a predicate to all programs. Loads the library if needed.
pub(crate) fn load_exporter(m: &mut Machine, functor: Functor) -> Option<Atom> {
    let &number = m.world.layers.of::<Library>().index.get(&functor)?;
    // Without memory to load it, the library counts as unknown.
    m.unnoticed(|m| load_library(m, number)).ok()
}

/// Loads the library that defines this module, unless it is loaded or does not exist. The machine calls this as a
/// hook.
///
/// # Errors
/// Returns an error only if there is no memory.
pub(crate) fn load_module(m: &mut Machine, module: Atom) -> Result<(), Throw> {
    let modules = &m.world.layers.of::<Library>().modules;
    let unloaded = |&(home, loaded): &(Atom, bool)| home == module && !loaded;
    match modules.iter().position(unloaded) {
        Some(number) => load_library(m, number).map(|_| ()),
        None => Ok(()),
    }
}

/// Returns whether this is the text of a library in [`PURE`].
fn is_pure(text: &str) -> bool {
    let mut all = LIBRARIES.iter();
    all.any(|(name, known)| std::ptr::eq(*known, text) && PURE.contains(name))
}

/// Makes libraries obey the flag `occurs_check`. The machine calls this as a hook.
///
/// # Errors
/// Returns an error only if there is no memory.
pub(crate) fn obey_occurs_check(m: &mut Machine) -> Result<(), Throw> {
    let library = m.world.layers.of::<Library>();
    if std::mem::replace(&mut library.checks_occurs, true) {
        return Ok(());
    }
    let loaded: Vec<(usize, Atom)> = (0..LIBRARIES.len())
        .filter(|&number| library.modules[number].1 && PURE.contains(&LIBRARIES[number].0))
        .map(|number| (number, library.modules[number].0))
        .gather()?;
    for (number, module) in loaded {
        for id in predicates_of(m, module)? {
            undefine(m, id)?;
        }
        m.world.layers.of::<Library>().modules.own()[number].1 = false;
        load_library(m, number)?;
    }
    Ok(())
}

/// Returns the predicates that the text of a library defines.
fn predicates_of(m: &Machine, module: Atom) -> Result<Vec<PredId>, Stop> {
    let all = m.world.predicates.ids();
    let mut own = Vec::new();
    own.put_all(all.filter(|&id| {
        let predicate = m.world.predicates.get(id);
        predicate.module == module && predicate.traits.system
    }))?;
    Ok(own)
}

/// Frees the name of a library's module for a program that defines a module with this name. The library and its
/// users switch to another name.
///
/// # Errors
/// A permission error for modules that the system itself names; resource errors.
pub(crate) fn free_module_name(m: &mut Machine, name: Atom) -> Result<(), Throw> {
    let library = m.world.layers.of::<Library>();
    let known = library
        .modules
        .iter()
        .position(|&(module, _)| module == name);
    if name == atoms::SYSTEM || NAMED_MODULES.contains(&m.world.symbols.text(name)) {
        return Err(m.permission_error("redefine", atoms::MODULE, Cell::atom(name)));
    }
    let Some(number) = known else {
        return Ok(());
    };
    let other = format!("library({})", m.world.symbols.text(name));
    let other = m.world.symbols.intern(&other)?;
    let library = m.world.layers.of::<Library>();
    let loaded = std::mem::replace(&mut library.modules.own()[number], (other, false)).1;
    let module = m.world.modules.intern(name)?;
    module.system = false;
    let exports = std::mem::take(&mut module.export_order);
    module.exports.clear();
    m.world.modules.intern(other)?.system = true;
    for functor in exports {
        m.world.modules.export(other, functor)?;
    }
    if !loaded {
        return Ok(());
    }
    load_library(m, number)?;
    for id in predicates_of(m, name)? {
        let functor = m.world.predicates.get(id).functor;
        if let Some(target) = m.world.predicates.find(other, functor) {
            for importer in m.world.predicates.importers(id)? {
                let named = m.world.predicates.get(importer).traits.named;
                m.import(importer, target)?;
                m.world.predicates.get_mut(importer).traits.named = named;
            }
        }
        undefine(m, id)?;
        m.world.predicates.get_mut(id).traits = Traits::default();
        m.world.predicates.get_mut(id).meta = None;
    }
    m.entries = m.world.predicates.entries();
    Ok(())
}

/// Compiles the waiting clauses of a predicate of the system, or imports an undefined predicate from the library
/// that exports it. The machine calls this as a hook.
///
/// # Errors
/// Returns an error only if there is no memory.
pub(crate) fn autoload(m: &mut Machine, id: PredId) -> Result<bool, Throw> {
    m.unnoticed(|m| autoload_now(m, id))
}

/// Loads all libraries and compiles all their clauses, for engines that share them. Libraries that are loaded
/// already stay unchanged. Skips libraries that are based on another one, because loading them changes the meaning
/// of constraints.
///
/// # Errors
/// Returns an error only if there is no memory.
pub(crate) fn complete_library(m: &mut Machine) -> Result<(), Throw> {
    m.unnoticed(|m| {
        for (number, &(name, _)) in LIBRARIES.iter().enumerate() {
            if base_of(name).is_none() {
                load_library(m, number)?;
            }
        }
        while let Some(id) = any_deferred(m) {
            autoload_now(m, id)?;
        }
        Ok(())
    })
}

fn autoload_now(m: &mut Machine, id: PredId) -> Result<bool, Throw> {
    if m.world.predicates.get(id).traits.deferred {
        let Some(text) = text_of(m, id) else {
            compile_stored(m, id)?;
            return Ok(true);
        };
        let checks = m.world.layers.of::<Library>().checks_occurs && is_pure(text);
        as_system(m, |m| {
            if checks {
                m.world.flags.occurs_check = OccursCheck::True;
            }
            complete(m, id)
        })?;
        return Ok(true);
    }
    let (home, functor) = {
        let predicate = m.world.predicates.get(id);
        (predicate.module, predicate.functor)
    };
    load_module(m, home)?;
    if m.world.predicates.get(id).kind != Kind::Undefined {
        return Ok(true);
    }
    let known = m.world.layers.of::<Library>().index.get(&functor);
    let number = match known
        .copied()
        .or_else(|| base_of(m.world.symbols.text(home)))
    {
        Some(number) => number,
        None => return Ok(false),
    };
    let module = load_library(m, number)?;
    let Some(target) = m.world.predicates.find(module, functor) else {
        return Ok(false);
    };
    if target == id || m.world.predicates.get(target).kind == Kind::Undefined {
        return Ok(false);
    }
    m.import(id, target)?;
    Ok(true)
}

/// Adds the operators of a library to the exports of its module.
pub(crate) fn export_operators(m: &mut Machine, number: usize, module: Atom) -> Result<(), Stop> {
    for operator in m.world.layers.of::<Library>().operators[number].clone() {
        m.world.modules.export_op(module, operator)?;
    }
    Ok(())
}
