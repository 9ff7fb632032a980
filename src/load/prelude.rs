//! The system's own library: Prolog text that is part of the program. The boot files are loaded
//! into every engine; the libraries when something of them is first called or used.

use super::dcg;
use crate::base::flags::OccursCheck;
use crate::base::op_table::{OpTable, OpType};
use crate::base::symbol::{Atom, FastMap, Functor, atoms, functors};
use crate::builtins::clauses::{compile_clause, load_clause, make_dynamic};
use crate::builtins::lolli::{CLAUSES as LOLLI_CLAUSES, NAMES as LOLLI_BUILTINS};
use crate::front::build::build;
use crate::machine::state::Machine;
use crate::machine::throw::Throw;
use crate::program::predicate::{Kind, MetaArg, PredId};
use crate::store::cell::Cell;
use crate::store::heap::{OutOfMemory, View};
use crate::text::ast::Ast;
use crate::text::parser::{ReadContext, read_term};

macro_rules! text {
    ($name:literal) => {
        include_str!(concat!("../../prelude/", $name, ".pl"))
    };
}

/// Texts of the module `system`, and whether programs may not define what they define.
const BOOT: &[(&str, bool)] = &[
    (text!("control"), true),
    (text!("builtins2_iso"), true),
    (text!("bags"), true),
    (text!("database"), true),
    (text!("system"), false),
    (text!("builtins1"), false),
    (text!("builtins2"), false),
    (text!("load"), false),
    (text!("inspection"), false),
    (text!("modules"), false),
    (text!("sources"), false),
];

macro_rules! libraries {
    ($($name:literal)*) => { &[$(($name, text!($name))),*] };
}

/// Names and texts of the libraries. What those in folders export is imported by those who ask for it
/// only.
const LIBRARIES: &[(&str, &str)] = libraries! {
    "misc" "lists" "apply" "aggregate" "ordsets" "option" "gensym" "readutil" "random" "ugraphs"
    "listing" "listing_source" "messages" "debug" "freeze" "dif" "when" "clpfd" "assoc" "error" "pairs" "writef" "dialect_swi3"
    "dcg/basics" "dcg/high_order" "heaps" "nb_set" "rbtrees" "yall" "strings" "time" "recorded" "pure_input" "solution_sequences" "occurs" "main"
    "ansi_term" "shell" "codesio" "charsio" "date" "tabling" "linear" "explain" "lolli" "lolli_session"
    "terms" "prolog_code" "varnumbers" "operators" "ctypes" "filesex" "files" "thread" "apply_macros" "statistics"
    "sort" "make" "pio" "edinburgh" "backcomp" "quintus" "plunit"
    "arithmetic"
};

/// Modules of libraries that other texts of the system name, or that are the names of attributes.
const NAMED_MODULES: &[&str] = &[
    "lolli",
    "lolli_session",
    "linear",
    "explain",
    "occurs",
    "freeze",
    "dif",
    "when",
];

/// Libraries that keep nothing: their clauses are compiled anew when the flag `occurs_check` is first
/// set, and heed it from then on.
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

/// An operator that a library exports.
type Operator = (u16, OpType, Atom);

/// What the first clause of a library declares.
#[derive(Default)]
struct Heading {
    /// Its module.
    module: Option<Atom>,
    /// The predicates that the module exports.
    exports: Vec<Functor>,
    /// The operators.
    operators: Vec<Operator>,
}

/// What an engine knows of the libraries.
#[derive(Default)]
pub(crate) struct Library {
    /// For each exported predicate the library that has it.
    index: FastMap<Functor, usize>,
    /// Operators that the libraries export, by library: they come with its explicit use.
    operators: Vec<Vec<Operator>>,
    /// Names of the libraries.
    names: Vec<Atom>,
    /// Their modules, loaded or not.
    modules: Vec<(Atom, bool)>,
    /// Do the clauses of [`PURE`] ones heed the flag `occurs_check`?
    checks_occurs: bool,
}

/// Loads the boot files and indexes the libraries.
///
/// # Errors
/// Only if there is no memory: the texts are part of the program.
pub(crate) fn boot(m: &mut Machine) -> Result<(), Throw> {
    m.booting = true;
    for &(text, protected) in BOOT {
        let mut defined = Vec::new();
        load_text(m, text, atoms::SYSTEM, &mut defined)?;
        for id in defined {
            let traits = &mut m.predicates.get_mut(id).traits;
            traits.system = true;
            traits.protected |= protected;
        }
    }
    name_lolli(m);
    m.booting = false;
    m.entries = m.predicates.entries();
    let mut library = Library::default();
    for (number, &(name, text)) in LIBRARIES.iter().enumerate() {
        let heading = heading_of(m, text);
        let (exports, operators) = (heading.exports, heading.operators);
        let on_demand = name.contains('/');
        let name = m.symbols.intern(name);
        let module = heading.module.unwrap_or(name);
        // Lolli sees what programs define.
        m.modules.intern(module).system = module != atoms::LOLLI;
        library.names.push(name);
        library.modules.push((module, false));
        for functor in exports {
            // Connectives are those of modules that ask for them.
            if operators.is_empty() && !on_demand {
                library.index.entry(functor).or_insert(number);
            }
            m.modules.export(module, functor);
        }
        library.operators.push(operators);
    }
    *m.extensions.get::<Library>() = library;
    Ok(())
}

/// Gives Lolli's builtins their names.
fn name_lolli(m: &mut Machine) {
    for &(name, arity, builtin) in LOLLI_BUILTINS {
        let (name, builtin) = (m.symbols.intern(name), m.symbols.intern(builtin));
        let (functor, builtin) = (
            m.symbols.functor(name, arity),
            m.symbols.functor(builtin, arity),
        );
        m.modules.intern(atoms::LOLLI).reserved.insert(name);
        let id = m.intern_predicate(atoms::LOLLI, functor);
        if let Some(target) = m.predicates.find(atoms::SYSTEM, builtin) {
            m.import(id, target);
            m.predicates.get_mut(id).traits.system = true;
        }
    }
    for &name in LOLLI_CLAUSES {
        let name = m.symbols.intern(name);
        m.modules.intern(atoms::LOLLI).reserved.insert(name);
    }
}

/// Makes sure that Lolli's own predicates are there.
///
/// # Errors
/// Only if there is no memory.
pub(crate) fn load_lolli(m: &mut Machine) -> Result<(), Throw> {
    match find_library(m, atoms::LOLLI) {
        Some(number) => load_library(m, number).map(|_| ()),
        None => Ok(()),
    }
}

/// What the libraries export to all programs, loaded or not.
pub(crate) fn exported_predicates(m: &mut Machine) -> Vec<Functor> {
    m.extensions
        .get::<Library>()
        .index
        .keys()
        .copied()
        .collect()
}

/// Is there a library of this name? Its number.
pub(crate) fn find_library(m: &mut Machine, name: Atom) -> Option<usize> {
    let library = m.extensions.get::<Library>();
    library.names.iter().position(|&known| known == name)
}

/// Loads a library if it is not loaded yet. Its module is returned.
///
/// # Errors
/// Only if there is no memory.
pub(crate) fn load_library(m: &mut Machine, number: usize) -> Result<Atom, Throw> {
    let library = m.extensions.get::<Library>();
    let (module, loaded) = library.modules[number];
    if !loaded {
        library.modules[number].1 = true;
        let booting = std::mem::replace(&mut m.booting, true);
        let checks = library.checks_occurs && PURE.contains(&LIBRARIES[number].0);
        let flags = std::mem::take(&mut m.flags);
        if checks {
            m.flags.occurs_check = OccursCheck::True;
        }
        let ops = OpTable::new(&mut m.symbols);
        let ops = std::mem::replace(&mut m.ops, ops);
        let mut defined = Vec::new();
        let result = load_text(m, LIBRARIES[number].1, module, &mut defined);
        m.flags = flags;
        m.ops = ops;
        m.booting = booting;
        m.entries = m.predicates.entries();
        for &id in &defined {
            m.predicates.get_mut(id).traits.system = true;
        }
        if let Err(throw) = result {
            // Half a library is worse than none: the next call tries again.
            m.extensions.get::<Library>().modules[number].1 = false;
            for id in defined {
                erase_all(m, id);
            }
            return Err(throw);
        }
    }
    Ok(module)
}

/// The hook of the machine for the flag `occurs_check`.
///
/// # Errors
/// Only if there is no memory.
pub(crate) fn heed_occurs_check(m: &mut Machine) -> Result<(), Throw> {
    let library = m.extensions.get::<Library>();
    if std::mem::replace(&mut library.checks_occurs, true) {
        return Ok(());
    }
    let loaded: Vec<(usize, Atom)> = (0..LIBRARIES.len())
        .filter(|&number| library.modules[number].1 && PURE.contains(&LIBRARIES[number].0))
        .map(|number| (number, library.modules[number].0))
        .collect();
    for (number, module) in loaded {
        let all = (0..m.predicates.len()).map(|index| PredId(index as u32));
        let own: Vec<PredId> = all
            .filter(|&id| m.predicates.get(id).module == module)
            .collect();
        for id in own {
            erase_all(m, id);
        }
        m.extensions.get::<Library>().modules[number].1 = false;
        load_library(m, number)?;
    }
    Ok(())
}

/// Leaves the name of a library's module to a program that defines one of that name, unless the
/// library is loaded already. The library goes by another name then.
pub(crate) fn leave_module(m: &mut Machine, name: Atom) {
    let library = m.extensions.get::<Library>();
    let unloaded = library
        .modules
        .iter()
        .position(|&(module, loaded)| module == name && !loaded);
    let named = NAMED_MODULES.contains(&m.symbols.text(name));
    let Some(number) = unloaded.filter(|_| !named) else {
        return;
    };
    let other = format!("library({})", m.symbols.text(name));
    let other = m.symbols.intern(&other);
    m.extensions.get::<Library>().modules[number].0 = other;
    let module = m.modules.intern(name);
    module.system = false;
    let exports = std::mem::take(&mut module.export_order);
    module.exports.clear();
    m.modules.intern(other).system = true;
    for functor in exports {
        m.modules.export(other, functor);
    }
}

fn erase_all(m: &mut Machine, id: PredId) {
    let clauses = m.predicates.get(id).clauses.iter();
    let positions: Vec<i64> = clauses.map(|(position, _)| position).collect();
    for position in positions {
        m.erase_clause(id, position);
    }
    m.purge(id);
}

/// The hook of the machine: imports an undefined predicate from the library that exports it.
pub(crate) fn autoload(m: &mut Machine, id: PredId) -> Result<bool, Throw> {
    let (home, functor) = {
        let predicate = m.predicates.get(id);
        (predicate.module, predicate.functor)
    };
    let library = m.extensions.get::<Library>();
    let unloaded = library
        .modules
        .iter()
        .position(|&(module, loaded)| module == home && !loaded);
    if let Some(number) = unloaded {
        load_library(m, number)?;
        if m.predicates.get(id).kind != Kind::Undefined {
            return Ok(true);
        }
    }
    let Some(&number) = m.extensions.get::<Library>().index.get(&functor) else {
        return Ok(false);
    };
    let module = load_library(m, number)?;
    let Some(target) = m.predicates.find(module, functor) else {
        return Ok(false);
    };
    if target == id || m.predicates.get(target).kind == Kind::Undefined {
        return Ok(false);
    }
    m.import(id, target);
    Ok(true)
}

/// Reads the next clause of a text of the system.
fn next_term(
    m: &mut Machine,
    text: &str,
    at: &mut usize,
    ast: &mut Ast,
) -> Result<Option<Cell>, OutOfMemory> {
    let mut context = ReadContext {
        symbols: &mut m.symbols,
        ops: &m.ops,
        flags: &m.flags,
        char_conversions: None,
        room: usize::MAX,
        passing: false,
        watch: &m.store.events.watch,
    };
    match read_term(text, at, &mut context, ast) {
        Ok(true) => Ok(Some(build(&mut m.store, &mut m.symbols, ast)?.0)),
        Ok(false) => Ok(None),
        Err(error) => unreachable!(
            "the library's own text is correct: {} at {:?}",
            error.message(),
            text.get(error.span.start as usize..)
        ),
    }
}

/// The heading of a library.
fn heading_of(m: &mut Machine, text: &str) -> Heading {
    let top = m.store.heap_top;
    let mut heading = Heading::default();
    if let Ok(Some(term)) = next_term(m, text, &mut 0, &mut Ast::new())
        && let View::Struct(functors::DIRECTIVE, args) = m.store.view(term)
        && let Some((_, module)) = m.store.compound(m.store.arg(args, 0))
    {
        heading.module = match m.store.view(m.store.arg(module, 0)) {
            View::Atom(name) => Some(name),
            _ => None,
        };
        let list = m.store.arg(module, 1);
        heading.exports = indicators(m, list);
        let mut items = Vec::new();
        m.store.list_items(list, &mut items);
        let operators = items.iter().filter_map(|&item| operator(m, item));
        heading.operators = operators.collect();
    }
    m.store.heap_top = top;
    heading
}

/// `op(Priority, Type, Name)`
fn operator(m: &Machine, term: Cell) -> Option<(u16, OpType, Atom)> {
    let (functor, args) = m.store.compound(term)?;
    if functor.arity() != 3 {
        return None;
    }
    let parts = [0, 1, 2].map(|index| m.store.view(m.store.arg(args, index)));
    let [View::Int(priority), View::Atom(kind), View::Atom(name)] = parts else {
        return None;
    };
    let op_type = OpType::from_name(m.symbols.text(kind))?;
    Some((priority as u16, op_type, name))
}

/// Adds the operators that a library exports.
pub(crate) fn use_operators(m: &mut Machine, number: usize) {
    let operators = m.extensions.get::<Library>().operators[number].clone();
    for (priority, op_type, name) in operators {
        m.ops.add(name, priority, op_type);
    }
}

/// The predicate indicators in a list; grammar indicators count two arguments more.
fn indicators(m: &mut Machine, list: Cell) -> Vec<Functor> {
    let mut items = Vec::new();
    m.store.list_items(list, &mut items);
    let mut found = Vec::new();
    for item in items {
        let Some((functor, args)) = m.store.compound(item) else {
            continue;
        };
        let extra = if functor == functors::SLASH { 0 } else { 2 };
        if let (View::Atom(name), View::Int(arity)) = (
            m.store.view(m.store.arg(args, 0)),
            m.store.view(m.store.arg(args, 1)),
        ) {
            found.push(m.symbols.functor(name, arity as usize + extra));
        }
    }
    found
}

/// Loads a text of the system into a module, under the usual flags, and tells what it defines.
fn load_text(
    m: &mut Machine,
    text: &str,
    module: Atom,
    defined: &mut Vec<PredId>,
) -> Result<(), Throw> {
    m.modules.intern(module).system = module != atoms::LOLLI;
    let mut at = 0;
    let mut ast = Ast::new();
    loop {
        let top = m.store.heap_top;
        let Some(term) = next_term(m, text, &mut at, &mut ast)? else {
            return Ok(());
        };
        match m.store.view(term) {
            View::Struct(functors::DIRECTIVE, args) => {
                let directive = m.store.arg(args, 0);
                directive_of_system(m, directive, module, defined);
            }
            View::Struct(functors::DCG_ARROW, _) => {
                let clause = dcg::translate_rule(m, term)?.unwrap_or(term);
                define(m, clause, module, defined)?;
            }
            _ => define(m, term, module, defined)?,
        }
        m.store.heap_top = top;
    }
}

fn define(
    m: &mut Machine,
    term: Cell,
    module: Atom,
    defined: &mut Vec<PredId>,
) -> Result<(), Throw> {
    let (id, clause) = compile_clause(m, term, module, 0, 0)?;
    if defined.last() != Some(&id) {
        defined.push(id);
    }
    load_clause(m, id, clause)
}

/// A directive in a text of the system: declarations only.
fn directive_of_system(m: &mut Machine, directive: Cell, module: Atom, defined: &mut Vec<PredId>) {
    let Some((functor, args)) = m.store.compound(directive) else {
        return;
    };
    let name = m.symbols.name(functor);
    let first = m.store.arg(args, 0);
    let text = m.symbols.text(name).to_owned();
    match text.as_str() {
        "dynamic" => {
            for functor in conjunction(m, first) {
                let id = m.intern_predicate(module, functor);
                make_dynamic(m, id);
                defined.push(id);
            }
        }
        "discontiguous" | "multifile" => {
            for functor in conjunction(m, first) {
                let id = m.intern_predicate(module, functor);
                m.predicates.get_mut(id).traits.defined = true;
            }
        }
        "meta_predicate" => {
            for spec in conjuncts(m, first) {
                declare_meta(m, spec, module);
            }
        }
        "op" => {
            if let Some((priority, op_type, name)) = operator(m, directive) {
                m.ops.add(name, priority, op_type);
            }
        }
        // Libraries find each other by autoloading.
        _ => {}
    }
}

fn conjuncts(m: &Machine, term: Cell) -> Vec<Cell> {
    let mut parts = Vec::new();
    let mut rest = term;
    while let View::Struct(functors::COMMA, args) = m.store.view(rest) {
        parts.push(m.store.arg(args, 0));
        rest = m.store.arg(args, 1);
    }
    parts.push(rest);
    parts
}

fn conjunction(m: &mut Machine, term: Cell) -> Vec<Functor> {
    let parts = conjuncts(m, term);
    match m.store.list_of(&parts) {
        Ok(list) => indicators(m, list),
        Err(_) => Vec::new(),
    }
}

/// Declares the meta arguments of a predicate, given as a term such as `maplist(1, ?)`.
pub(crate) fn declare_meta(m: &mut Machine, spec: Cell, module: Atom) {
    let Some((functor, args)) = m.store.compound(spec) else {
        return;
    };
    let modes = (0..functor.arity())
        .map(|index| match m.store.view(m.store.arg(args, index)) {
            View::Int(extra) => MetaArg::Goal(extra.clamp(0, 9) as u8),
            View::Atom(atoms::CARET) => MetaArg::Existential,
            View::Atom(atoms::INT_DIV) => MetaArg::Grammar,
            View::Atom(atoms::COLON) => MetaArg::Module,
            View::Atom(mode) => MetaArg::Plain(mode),
            _ => MetaArg::Plain(atoms::QUERY),
        })
        .collect();
    let id = m.intern_predicate(module, functor);
    m.predicates.get_mut(id).meta = Some(modes);
}
