//! Modules: context, exports and imports, as used by the loader's `use_module/1,2`. Long because each builtin has
//! its manual beside it.

use crate::base::atom_table::{Atom, Functor, atoms, functors};
use crate::base::growth::{Gather, Grow, GrowBy};
use crate::base::stop::{Questions, Stop};
use crate::builtins::database::predicates::head_functor;
use crate::builtins::term_io::operators::{op_home, operators_arg};
use crate::machine::builtin::{Step, builtins};
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::program::operators::Operator;
use crate::program::predicate::{Kind, PredId};
use crate::store::cell::Cell;
use crate::store::heap::View;

/// Returns name and arity of an indicator `Name/Arity` or `Name//Arity`.
///
/// # Errors
/// Those of a predicate indicator as an argument (ISO 7.12.2), in their order.
pub(crate) fn indicator_arg(m: &mut Machine, term: Cell) -> Result<Functor, Throw> {
    let (args, extra) = match m.store.view(term) {
        View::Struct(functors::SLASH, args) => (args, 0),
        View::Struct(functors::INT_DIV, args) => (args, 2),
        _ => return Err(m.type_or_instantiation_error(atoms::PREDICATE_INDICATOR, term)),
    };
    let (name, arity) = (m.store.arg(args, 0), m.store.arg(args, 1));
    if name.is_var() || arity.is_var() {
        return Err(m.instantiation_error());
    }
    // If name and arity are both wrong, ISO 8.9.4 reports the type of the arity first.
    m.integer_arg(arity)?;
    let name = m.atom_arg(name)?;
    let count = m.size_arg(arity)?.saturating_add(extra);
    if count > crate::base::atom_table::MAX_ARITY {
        return Err(m.representation_error(atoms::MAX_ARITY));
    }
    Ok(m.world.symbols.functor_passing(name, count)?)
}

impl Machine {
    /// Splits a module-sensitive argument into the plain term and its module, `user` by default.
    pub(crate) fn in_module(&self, term: Cell) -> (Cell, Atom) {
        self.strip_module(term, atoms::USER)
    }

    /// Returns the definition that a call in `module` means. Does not search libraries that are not loaded.
    pub(crate) fn visible_definition(
        &self,
        module: Atom,
        functor: Functor,
    ) -> Result<Option<PredId>, Stop> {
        let defined = |id: PredId| {
            let predicate = self.world.predicates.get(id);
            predicate.kind != Kind::Undefined || predicate.traits.defined
        };
        let find = |module: Atom| {
            self.world
                .predicates
                .find(module, functor)
                .filter(|&id| defined(id))
        };
        let protected = self.protected_predicate(module, functor);
        // The module may have defined the predicate before the host took the name.
        let own = protected
            .filter(|&id| self.world.predicates.get(id).module == atoms::SYSTEM)
            .or_else(|| find(module))
            .or(protected)
            .or_else(|| find(atoms::SYSTEM));
        let found = match own {
            Some(own) => Some(own),
            None => self
                .world
                .modules
                .inherited(module)?
                .into_iter()
                .find_map(find),
        };
        Ok(found.map(|found| self.definition(found)))
    }
}

/// Converts the elements of a list of exports or imports, except operators.
fn items_of<T>(
    m: &mut Machine,
    list: Cell,
    item_of: fn(&mut Machine, Cell) -> Result<T, Throw>,
) -> Result<Vec<T>, Throw> {
    let mut found = Vec::new();
    for item in m.list_arg(list)? {
        if operator_arg(m, item).is_none() {
            found.put(item_of(m, item)?)?;
        }
    }
    Ok(found)
}

/// Returns the arguments of a term `op(Priority, Type, Name)`.
fn operator_arg(m: &mut Machine, item: Cell) -> Option<[Cell; 3]> {
    let (functor, args) = m.store.compound(item)?;
    let is_op = functor.arity() == 3 && m.world.symbols.name_text(functor) == "op";
    is_op.then(|| [0, 1, 2].map(|nth| m.store.arg(args, nth)))
}

/// Returns the operators that the module exports and that an import of `what` includes: see [`imports`].
fn imported_operators(m: &mut Machine, from: Atom, what: Cell) -> Result<Vec<Operator>, Throw> {
    let exported = m.world.modules.find(from).map(|module| &module.op_exports);
    let exported = exported.into_iter().flatten().copied().gather()?;
    if exported.is_empty() {
        return Ok(exported);
    }
    let (list, named) = match m.store.view(what) {
        View::Atom(atoms::ALL) => return Ok(exported),
        View::Struct(functor, args) if m.world.symbols.name(functor) == atoms::EXCEPT => {
            (m.store.arg(args, 0), false)
        }
        _ => (what, true),
    };
    let mut patterns = Vec::new();
    for item in m.list_arg(list)? {
        patterns.put_all(operator_arg(m, item))?;
    }
    let fits = |m: &mut Machine, &(priority, op_type, name): &Operator| {
        let op_type = m.world.symbols.intern(op_type.name())?;
        let row = [
            Cell::int(i64::from(priority)),
            Cell::atom(op_type),
            Cell::atom(name),
        ];
        let found = patterns
            .iter()
            .try_position(|pattern| m.store.each_unifiable(pattern, &row));
        Ok::<_, Stop>(found?.is_some())
    };
    let mut wanted = Vec::new();
    for operator in exported {
        if fits(m, &operator)? == named {
            wanted.put(operator)?;
        }
    }
    Ok(wanted)
}

/// One import: the functor in the exporting module, and the functor in the importing one.
type Import = (Functor, Functor);

/// Returns the imports that the argument of `'$import'/4` requests.
fn imports(m: &mut Machine, from: Atom, what: Cell) -> Result<Vec<Import>, Throw> {
    let exports = match m.world.modules.find(from) {
        Some(module) => module.export_order.clone(),
        None => Vec::new(),
    };
    match m.store.view(what) {
        View::Atom(atoms::ALL) => Ok(exports.iter().map(|&export| (export, export)).gather()?),
        View::Struct(functor, args) if m.world.symbols.name(functor) == atoms::EXCEPT => {
            let renamed = items_of(m, m.store.arg(args, 0), import_of)?;
            let mut wanted = Vec::new();
            for export in exports {
                match renamed.iter().find(|&&(there, _)| there == export) {
                    Some(&(there, here)) if there != here => wanted.put((there, here))?,
                    Some(_) => {}
                    None => wanted.put((export, export))?,
                }
            }
            Ok(wanted)
        }
        _ => items_of(m, what, import_of),
    }
}

/// Reads `Indicator`, or `Indicator as Name`.
fn import_of(m: &mut Machine, item: Cell) -> Result<Import, Throw> {
    if let View::Struct(functor, args) = m.store.view(item)
        && functor.arity() == 2
        && m.world.symbols.name(functor) == atoms::AS
    {
        let there = indicator_arg(m, m.store.arg(args, 0))?;
        let name = m.atom_arg(m.store.arg(args, 1))?;
        return Ok((there, m.world.symbols.functor_passing(name, there.arity())?));
    }
    let there = indicator_arg(m, item)?;
    Ok((there, there))
}

/// Reason why a predicate is not imported.
enum Taken {
    /// Name already imported from this module.
    Imported(Atom),
    /// Name defined in the importing module.
    Defined,
    /// Name reserved for the system.
    Reserved,
    /// Name reserved for the host.
    Host,
    /// Private predicate of a module of the system or, for a tenant, predicate that its module does not export.
    Private,
    /// Stop during the check.
    Stopped(Stop),
}

impl From<Stop> for Taken {
    fn from(stop: Stop) -> Taken {
        Taken::Stopped(stop)
    }
}

/// Imports one predicate. `named` is true if the import names it.
fn import_one(
    m: &mut Machine,
    from: Atom,
    (there, here): Import,
    into: Atom,
    named: bool,
) -> Result<(), Taken> {
    let target = m.intern_predicate(from, there)?;
    let target = m.definition(target);
    if let Some(protected) = m.protected_predicate(into, here) {
        let protected = m.definition(protected);
        return match m.world.predicates.get(protected).traits.system {
            _ if from == atoms::SYSTEM || protected == target => Ok(()),
            true => Err(Taken::Reserved),
            false => Err(Taken::Host),
        };
    }
    if !m.world.booting && m.is_private(target) && !m.is_system_module(into) {
        return Err(Taken::Private);
    }
    let id = m.intern_predicate(into, here)?;
    if id == target {
        return Ok(());
    }
    if !m.is_changeable(into) {
        return Err(Taken::Host);
    }
    if m.is_tenant(into) && !m.is_system_module(from) && !exports(m, from, there) {
        return Err(Taken::Private);
    }
    match m.world.predicates.get(id).kind {
        Kind::Undefined => {}
        Kind::Imported(_) => {
            let present = m.definition(id);
            let module = m.world.predicates.get(present).module;
            let lazy = m.world.predicates.get(id).traits.lazy;
            let replaced =
                present == target || lazy || m.is_system_module(module) || module == from;
            if !replaced {
                return Err(Taken::Imported(module));
            }
        }
        _ => return Err(Taken::Defined),
    }
    let named = named || m.world.predicates.get(id).traits.named;
    m.import(id, target)?;
    m.world.predicates.get_mut(id).traits.named = named;
    Ok(())
}

/// Imports predicates. Returns the problems to report: `warning(Text)`, and errors.
fn import_all(m: &mut Machine, from: Atom, what: Cell, into: Atom) -> Result<Vec<Cell>, Throw> {
    let named = matches!(m.store.view(what), View::List(_));
    let mut problems = Vec::new();
    if named {
        m.settle_module(from)?;
    }
    for import in imports(m, from, what)? {
        let (there, here) = import;
        m.store.reserve(PROBLEM_WORDS)?;
        find_export(m, from, there)?;
        let taken = import_one(m, from, import, into, named);
        let why = match &taken {
            Ok(()) => None,
            Err(Taken::Imported(other)) => {
                let other = m.world.symbols.text(*other);
                Some(format!("already imported from {other}"))
            }
            Err(Taken::Defined) => named.then(|| "the module defines it itself".to_owned()),
            Err(Taken::Reserved) => {
                let warns = named && !m.is_system_module(from);
                warns.then(|| "the system uses that name".to_owned())
            }
            Err(Taken::Host) => {
                if named || !m.is_system_module(from) {
                    problems.put(host_error(m, here)?)?;
                }
                continue;
            }
            Err(Taken::Private) => Some("its module does not make it available".to_owned()),
            Err(Taken::Stopped(stop)) => return Err((*stop).into()),
        };
        if let Some(why) = why {
            problems.put(import_error(m, from, there, into, &why)?)?;
        }
        if let Err(Taken::Private) = taken {
            continue;
        }
        if named && !is_exported(m, from, there) {
            let text = format!(
                "{}:{}/{} is imported, but its module does not export it",
                m.world.symbols.text(from),
                m.world.symbols.name_text(there),
                here.arity()
            );
            let text = Cell::atom(m.world.symbols.intern_passing(&text)?);
            problems.put(m.new_term("warning", &[text])?)?;
        }
    }
    Ok(problems)
}

/// Imports the predicates that a module has neither defined nor imported. The module may still define or import
/// them later.
fn import_lazily(m: &mut Machine, from: Atom, what: Cell, into: Atom) -> Result<(), Throw> {
    for (there, here) in imports(m, from, what)? {
        m.store.reserve(PROBLEM_WORDS)?;
        if m.is_closed(into, here) || !is_exported(m, from, there) {
            continue;
        }
        find_export(m, from, there)?;
        let id = m.intern_predicate(into, here)?;
        if m.world.predicates.get(id).kind == Kind::Undefined
            && !m.world.predicates.get(id).traits.defined
        {
            let target = m.intern_predicate(from, there)?;
            m.import(id, target)?;
            m.world.predicates.get_mut(id).traits.lazy = true;
        }
    }
    Ok(())
}

/// Finds the definition of a library's export that another library or the system defines.
fn find_export(m: &mut Machine, from: Atom, functor: Functor) -> Result<(), Throw> {
    let exported = m
        .world
        .modules
        .find(from)
        .is_some_and(|module| module.system && module.exports.contains(&functor));
    if exported && m.protected_predicate(from, functor).is_none() {
        let id = m.intern_predicate(from, functor)?;
        m.find_definition(id)?;
    }
    Ok(())
}

/// Heap words for one reported problem of an import.
const PROBLEM_WORDS: usize = 64;

/// Returns whether the module has declared the predicate as exported.
fn exports(m: &Machine, from: Atom, functor: Functor) -> bool {
    let found = m.world.modules.find(from);
    found.is_some_and(|module| module.exports.contains(&functor))
}

/// Returns whether the module exports the predicate. True also for modules that no file defines, and for predicates
/// that the system defines outside its library.
fn is_exported(m: &Machine, from: Atom, functor: Functor) -> bool {
    m.world.modules.find(from).is_none_or(|module| {
        module.exports.contains(&functor) || (module.file == 0 && !module.system)
    }) || m.world.predicates.find(atoms::SYSTEM, functor).is_some()
}

/// Builds `error(permission_error(modify, static_procedure, Name/Arity), _)`.
fn host_error(m: &mut Machine, functor: Functor) -> Result<Cell, Stop> {
    let indicator = m.indicator(functor);
    let args = [
        Cell::atom(atoms::MODIFY),
        Cell::atom(atoms::STATIC_PROCEDURE),
        indicator,
    ];
    let formal = m.store.new_struct(functors::PERMISSION_ERROR, &args);
    let context = m.store.new_var();
    Ok(m.store.new_struct(functors::ERROR, &[formal, context]))
}

/// Builds `error(permission_error(import_into(Into), procedure, From:Name/Arity), context(_, Why))`.
fn import_error(
    m: &mut Machine,
    from: Atom,
    functor: Functor,
    into: Atom,
    why: &str,
) -> Result<Cell, Stop> {
    let indicator = m.indicator(functor);
    let from = Cell::atom(from);
    let culprit = m.store.new_struct(functors::COLON, &[from, indicator]);
    let action = m.new_term("import_into", &[Cell::atom(into)])?;
    let kind = Cell::atom(atoms::PROCEDURE);
    let formal = m
        .store
        .new_struct(functors::PERMISSION_ERROR, &[action, kind, culprit]);
    let why = Cell::atom(m.world.symbols.intern(why)?);
    let place = m.store.new_var();
    let context = m.store.new_struct(functors::CONTEXT, &[place, why]);
    Ok(m.store.new_struct(functors::ERROR, &[formal, context]))
}

/// Returns the exports of a module that neither the module nor the system defines.
pub(crate) fn undefined_exports(m: &Machine, module: Atom) -> Result<Vec<Functor>, Stop> {
    let defined = |module: Atom, functor: Functor| {
        m.world.predicates.find(module, functor).is_some_and(|id| {
            let predicate = m.world.predicates.get(id);
            let (kind, traits) = (predicate.kind, predicate.traits);
            // During a reload, a predicate from the earlier load has no clauses until the load ends.
            let lost = kind == Kind::Static && predicate.clauses.len() == 0 && !traits.system;
            let declared = traits.discontiguous || traits.multifile;
            match lost {
                true => declared,
                false => kind != Kind::Undefined || traits.defined,
            }
        })
    };
    let exports = m
        .world
        .modules
        .find(module)
        .map(|module| &module.export_order);
    let exports = exports.into_iter().flatten().copied();
    exports
        .filter(|&functor| !defined(module, functor) && !defined(atoms::SYSTEM, functor))
        .gather()
}

/// Returns the known properties of a module: `class(C)`, `file(F)` and `exports(L)`.
fn properties(m: &mut Machine, name: Atom) -> Result<Vec<Cell>, Throw> {
    let Some(module) = m.world.modules.find(name) else {
        return Ok(Vec::new());
    };
    let class = match (module.class, module.system, name) {
        (Some(class), ..) => class,
        (_, _, atoms::SYSTEM) => atoms::SYSTEM,
        (_, true, _) => atoms::LIBRARY,
        (_, false, _) => atoms::USER,
    };
    let (file, exports) = (module.file, module.export_order.clone());
    let mut found = vec![m.new_term("class", &[Cell::atom(class)])?];
    if file != 0 {
        let text = m.path_atom(file)?;
        found.put(m.new_term("file", &[text])?)?;
    }
    let mut items = Vec::new();
    for functor in exports {
        m.store.reserve(3)?;
        items.put(m.indicator(functor))?;
    }
    let list = m.store.list_of(&items)?;
    found.put(m.new_term("exports", &[list])?)?;
    Ok(found)
}

/// Returns the next module of `current_module/1`.
fn next_module(m: &mut Machine, name: Cell, state: Option<i64>) -> Result<Step, Throw> {
    if !name.is_var() {
        let View::Atom(name) = m.store.view(name) else {
            return Ok(Step::Fail);
        };
        return Ok(Step::when(
            name != atoms::LAMBDAS && m.world.modules.find(name).is_some(),
        ));
    }
    let at = state.and_then(|at| usize::try_from(at).ok()).unwrap_or(0);
    let (found, more) = {
        let mut names = m.world.modules.visible_names().skip(at);
        (names.next(), names.next().is_some())
    };
    let Some(found) = found else {
        return Ok(Step::Fail);
    };
    m.unify_atom(name, found)?;
    Ok(if more {
        Step::More(at as i64 + 1)
    } else {
        Step::Last
    })
}

builtins! { MODULES =
    /// Unifies the last `term` with the first without its prefix `Module:`. Unifies `module` with the
    /// innermost module of the prefix, or with the module of the call.
    ///
    /// ?- strip_module(lists:append(_, _, _), M, G).
    /// M = lists,
    /// G = append(_, _, _).
    library "strip_module"(":term", "-module", "-term") = |m, [term, module, plain]| {
        let (found, name) = m.in_module(term);
        Ok(m.unify_atom(module, name)? && m.unify(plain, found)?)
    };

    /// True if `module` is a module. Enumerates all modules on backtracking.
    ///
    /// ?- current_module(lists).
    /// true.
    library nondet "current_module"("?module") needs history = |m, [module], state| next_module(m, module, state);

    /// Returns the properties of a module that may unify with `Property`.
    library "$module_properties"("+module", "?property", "-list") needs history =
        |m, [module, property, properties_found]| {
            let name = m.atom_arg(module)?;
            let mut found = properties(m, name)?;
            if let View::Struct(functor, _) = m.store.view(property) {
                found.retain(|&p| m.store.compound(p).is_some_and(|(other, _)| other == functor));
            }
            m.unify_items(properties_found, &found)
        };

    /// Makes `module` the module in which queries run.
    library "module"(":module") needs effect = |m, [module]| {
        let (module, caller) = m.in_module(module);
        let name = m.atom_arg(module)?;
        // Wamlet reads the host's queries with the host's operators.
        if m.is_tenant(caller) || m.is_protected_module(atoms::USER) {
            return Err(m.permission_error(atoms::MODIFY, atoms::MODULE, Cell::atom(atoms::USER)));
        }
        m.world.modules.intern(name)?;
        m.world.source_module = name;
        Ok(true)
    };

    /// Succeeds if this goal calls a predicate of the host in that module.
    library "$calls_host"("+module", "+goal") = |m, [module, goal]| {
        let module = m.atom_arg(module)?;
        let Some(functor) = head_functor(m, goal)? else { return Ok(false) };
        let found = m.protected_predicate(module, functor);
        Ok(found.is_some_and(|id| m.world.predicates.get(id).module == atoms::USER))
    };

    /// Returns the modules that a module takes missing definitions from.
    library "$import_modules"("+module", "-list") needs history = |m, [module, list]| {
        let name = m.atom_arg(module)?;
        let mut found = Vec::of(m.world.modules.bases(name))?;
        if found.is_empty() && name != atoms::SYSTEM {
            found.put(atoms::SYSTEM)?;
        }
        let cells: Vec<Cell> = found.into_iter().map(Cell::atom).gather()?;
        m.unify_items(list, &cells)
    };

    /// Returns the inner name of a module. Goals of the system use it to call private predicates of the module.
    library "$inner_module"("+module", "-name") = |m, [module, name]| {
        let module = m.atom_arg(module)?;
        let inner = m.inner_name(module)?;
        Ok(m.unify_atom(name, inner)?)
    };

    /// Sets the modules that a module takes missing definitions from. Definitions that it got from removed modules
    /// are searched again.
    library "$set_import_modules"("+module", "+list") needs effect = always |m, [module, list]| {
        let name = m.atom_arg(module)?;
        m.check_module(name)?;
        if m.is_tenant(name) {
            return Err(m.permission_error(atoms::MODIFY, atoms::MODULE, Cell::atom(name)));
        }
        let mut bases = Vec::new();
        for item in m.list_arg(list)? {
            bases.put(m.atom_arg(item)?)?;
        }
        for &base in &bases {
            if base == name || m.world.modules.inherited(base)?.contains(&name) {
                return Err(m.permission_error("add_import", atoms::MODULE, Cell::atom(base)));
            }
        }
        bases.retain(|&base| base != atoms::SYSTEM);
        let before = m.world.modules.inherited(name)?;
        m.world.modules.set_bases(name, bases)?;
        let after = m.world.modules.inherited(name)?;
        let lost: Vec<Atom> = before.into_iter().filter(|base| !after.contains(base)).gather()?;
        m.forget_imports(name, &lost)?;
    };

    /// Sets the class of a module.
    library "$set_module_class"("+module", "+atom") needs effect = always |m, [module, class]| {
        let (name, class) = (m.atom_arg(module)?, m.atom_arg(class)?);
        m.check_module(name)?;
        if class == atoms::SYSTEM {
            return Err(m.permission_error(atoms::MODIFY, atoms::MODULE, Cell::atom(name)));
        }
        m.world.modules.intern(name)?.class = Some(class);
    };

    /// Defines a module of the file `File`, or of no file for `[]`. Removes its former exports.
    library "$define_module"("+module", "+file", "+list") needs effect = always |m, [module, file, exports]| {
        let name = m.atom_arg(module)?;
        m.check_module(name)?;
        let exports = items_of(m, exports, indicator_arg)?;
        let file = match m.store.view(file) {
            View::Atom(atoms::NIL) => 0,
            _ => {
                let text = m.text_arg(file)?;
                let name = m.world.files.known_name(&text);
                m.world.files.intern(&name)?
            }
        };
        let made = m.world.modules.intern(name)?;
        made.file = file;
        made.exports.clear();
        made.export_order.clear();
        made.op_exports.clear();
        for functor in exports {
            m.world.modules.export(name, functor)?;
        }
    };

    /// Adds the predicates of a list to the exports of a module.
    library "$set_exports"("+module", "+list") needs effect = always |m, [module, list]| {
        let name = m.atom_arg(module)?;
        m.check_module(name)?;
        for functor in items_of(m, list, indicator_arg)? {
            m.world.modules.export(name, functor)?;
        }
    };

    /// Exports operators that op/3 has defined in the module.
    library "$export_op"("+module", "+priority", "+type", "+names") needs effect =
        |m, [module, priority, specifier, names]| {
            let module = m.atom_arg(module)?;
            m.check_module(module)?;
            let operators = operators_arg(m, module, [priority, specifier, names])?;
            for (module, operator) in operators {
                m.world.modules.export_op(module, operator)?;
            }
            Ok(true)
        };

    /// Imports predicates of one module into another: those of a list, `all`, or `except(List)`. `Problems` is the
    /// list of errors and `warning(Text)` to report.
    library "$import"("+module", "+term", "+module", "-problems") needs effect =
        |m, [from, what, into, list]| {
            let (from, into) = (m.atom_arg(from)?, m.atom_arg(into)?);
            let problems = import_all(m, from, what, into)?;
            if !m.is_changeable(into) {
                return m.unify_items(list, &problems);
            }
            for operator in imported_operators(m, from, what)? {
                m.world.modules.define_op(op_home(m, into), operator)?;
            }
            m.unify_items(list, &problems)
        };

    /// Imports predicates for `autoload/1,2`. The second argument is as for `'$import'/4`.
    library "$import_lazily"("+module", "+term", "+module") needs effect = always |m, [from, what, into]| {
        let (from, into) = (m.atom_arg(from)?, m.atom_arg(into)?);
        m.check_module(into)?;
        import_lazily(m, from, what, into)?;
    };

    /// Exports from a module predicates that it imported from another: see `'$import'/4`.
    library "$reexport"("+module", "+term", "+module") needs effect = always |m, [from, what, into]| {
        let (from, into) = (m.atom_arg(from)?, m.atom_arg(into)?);
        m.check_module(into)?;
        for (_, here) in imports(m, from, what)? {
            m.world.modules.export(into, here)?;
        }
        for operator in imported_operators(m, from, what)? {
            m.world.modules.export_op(into, operator)?;
        }
    };
}
