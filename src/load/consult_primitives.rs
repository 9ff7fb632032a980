//! The primitives of `prelude/system/load.pl`: they begin and end loads, and read and add items.

use super::consult::{Item, add, add_compiled, begin, begin_module, begin_replay, end, next_item};
use super::dialect::note_loaded;
use super::exports::check_exports;
use super::find::{find_source, given_text};
use super::hooks::has_clauses;
use super::reload::define_module;
use super::sources::remove;
use super::typed_text::begin_typed;
use crate::base::atom_table::{Atom, Functor, atoms};
use crate::base::growth::{self, Gather, Grow, require_memory};
use crate::base::stop::Stop;
use crate::builtins::control::tables::clause_of_tabled;
use crate::builtins::database::clauses::{compile_clause, load_clause, source_terms};
use crate::builtins::database::dcg;
use crate::builtins::database::predicates::head_functor;
use crate::builtins::linear::contexts::declare_linear;
use crate::builtins::streams::errors_io::may_take;
use crate::image::record::is_in_image;
use crate::image::replay::find_recorded;
use crate::library::lambdas::has_lambda;
use crate::library::prelude::{export_operators, find_library, free_module_name, load_library};
use crate::machine::builtin::builtins;
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::program::predicate::Kind;
use crate::source::encoding_directive::read_program_file;
use crate::source::loading::{line_of, loader};
use crate::source::term_texts::text_of;
use crate::store::cell::Cell;
use crate::store::heap::View;
use std::collections::VecDeque;
use std::sync::Arc;

/// Moves the clauses of a static predicate to the internal predicate that holds them when it is
/// tabled.
fn move_clauses(m: &mut Machine, module: Atom, functor: Functor) -> Result<(), Throw> {
    let Some(from) = m.world.predicates.find(module, functor) else {
        return Ok(());
    };
    m.complete_predicate(from)?;
    let predicate = m.world.predicates.get(from);
    if predicate.kind != Kind::Static || predicate.clauses.len() == 0 {
        return Ok(());
    }
    let clauses = predicate.clauses.iter();
    let places: Vec<(i64, u32, u32)> = clauses
        .map(|(position, clause)| (position, clause.file(), clause.line()))
        .gather()?;
    let mut positions = Vec::new();
    let mut target = from;
    for (position, file, line) in places {
        let top = m.store.heap_top;
        let Some((head, body)) = source_terms(m, from, position)? else {
            continue;
        };
        let body = Some(body).filter(|body| *body != Cell::atom(atoms::TRUE));
        let clause = clause_of_tabled(m, (head, body), module)?;
        let (into, clause) = compile_clause(m, clause, module, file, line)?;
        m.store.heap_top = top;
        load_clause(m, into, clause)?;
        target = into;
        positions.put(position)?;
        let whole = m.world.files.source(file)?;
        if let Some(entry) = m.world.files.get_mut(whole)
            && !entry.loading
            && !entry.defines.contains(&into)
        {
            entry.defines.put(into)?;
        }
    }
    remove(m, from, &positions)?;
    if let Some(loading) = loader(m).stack.last_mut() {
        loading.moved(from, target)?;
    }
    Ok(())
}

/// Returns the name of a file, if the argument is an atom.
fn name_of_path(m: &Machine, path: Cell) -> Result<Option<String>, Stop> {
    let View::Atom(name) = m.store.view(path) else {
        return Ok(None);
    };
    growth::text_of(m.world.symbols.text(name)).map(Some)
}

/// Checks that the present text may define the module. The text of a tenant may define only modules of the tenant,
/// and none that another text has defined.
///
/// # Errors
/// Returns a permission error if it may not.
fn check_heading(m: &mut Machine, name: Atom) -> Result<(), Throw> {
    let source = m.world.source_module;
    if m.is_protected_module(name) {
        return m.check_module(name);
    }
    let tenant = m.tenant_of(source);
    let of_tenant = tenant.is_some();
    if m.world.host.policy.strangers && m.is_system_module(name) {
        return Err(m.permission_error(atoms::CREATE, atoms::MODULE, Cell::atom(name)));
    }
    if name == source || !of_tenant && !m.is_tenant(name) {
        return Ok(());
    }
    let file = loader(m).stack.last().map(|loading| loading.file);
    match m.world.modules.find(name).map(|module| module.file) {
        None => m.make_tenant(name, tenant.unwrap_or(name))?,
        known if of_tenant && known == file && m.tenant_of(name) == tenant => {}
        Some(_) => return Err(m.permission_error(atoms::CREATE, atoms::MODULE, Cell::atom(name))),
    }
    Ok(())
}

builtins! { CONSULT =
    /// Unifies `name` with the name of the system library that `library(Spec)` denotes. Fails if
    /// there is none.
    iso "$system_library"("+spec", "-name") = |m, [spec, name]| {
        let atom = text_of(m, spec)?.map(|text| m.world.symbols.intern_passing(&text)).transpose()?;
        match atom {
            Some(atom) if find_library(m, atom).is_some() => Ok(m.unify_atom(name, atom)?),
            _ => Ok(false),
        }
    };
    /// Finds the path of a file to be loaded. Fails if there is none.
    iso "$source_path"("+text", "-path") needs load = |m, [file, path]| {
        let text = m.file_arg(file)?;
        let found = find_source(m, load, &text);
        match m.of_file(found, ("open", "source_sink"), file)? {
            Some(found) => Ok(m.unify_text(path, &found)?),
            None => Ok(false),
        }
    };
    /// Resolves a file specification without an alias: to the path of a file, or to the name of a
    /// system library.
    iso "$find_source"("+spec", "-kind", "-name") needs load = |m, [spec, kind, name]| {
        let Some(text) = text_of(m, spec)? else {
            return Err(if spec.is_var() {
                m.instantiation_error()
            } else {
                m.domain_error(atoms::SOURCE_SINK, spec)
            });
        };
        let found = find_source(m, load, &text);
        if let Ok(Some(path)) = found {
            let path = Cell::atom(m.world.symbols.intern_passing(&path)?);
            return Ok(m.unify_atom(kind, atoms::FILE)? && m.unify(name, path)?);
        }
        // The path that `absolute_file_name/2,3` return for a library.
        let place = text.strip_prefix("library:/").and_then(|name| name.strip_suffix(".pl"));
        let atom = m.world.symbols.intern_passing(place.unwrap_or(&text))?;
        if find_library(m, atom).is_some() {
            return Ok(m.unify_atom(kind, atoms::LIBRARY)? && m.unify_atom(name, atom)?);
        }
        m.of_file(found, ("open", "source_sink"), spec)?;
        Err(m.existence_error(atoms::SOURCE_SINK, spec))
    };
    /// Succeeds if the file was loaded or is being loaded.
    iso "$is_loaded"("+path") = |m, [path]| {
        let Some(name) = name_of_path(m, path)? else { return Ok(false) };
        let loaded = m.world.files.find(&name).is_some_and(|file| m.world.files.get(file).module.is_some());
        Ok(loaded && is_in_image(m, &name))
    };
    /// Succeeds if this file is being loaded or included.
    iso "$is_loading"("+path") = |m, [path]| {
        let Some(name) = name_of_path(m, path)? else { return Ok(false) };
        Ok(loader(m).stack.iter().any(|loading| *loading.name == *name))
    };
    /// Succeeds if the module defines the predicate with at least one clause.
    iso "$has_clauses"("+module", "+name", "+arity") = |m, [module, name, arity]| {
        let (module, name) = (m.atom_arg(module)?, m.atom_arg(name)?);
        let arity = m.size_arg(arity)?;
        Ok(has_clauses(m, module, name, arity))
    };
    /// Unifies `module` with the module that a loaded file defines.
    iso "$file_module"("+path", "-module") = |m, [path, module]| {
        let Some(name) = name_of_path(m, path)? else { return Ok(false) };
        let found = m.world.files.find(&name).and_then(|file| m.world.files.get(file).module);
        match found {
            Some(name) => Ok(m.unify_atom(module, name)?),
            None => Ok(false),
        }
    };
    /// Loads a system library. `Module` is its module.
    iso "$load_library"("+name", "-module") needs effect = |m, [name, module]| {
        let View::Atom(atom) = m.store.view(name) else { return Ok(false) };
        let Some(number) = find_library(m, atom) else { return Ok(false) };
        let found = load_library(m, number)?;
        export_operators(m, number, found)?;
        note_loaded(m, number)?;
        Ok(m.unify_atom(module, found)?)
    };
    /// Declares a formula as a linear assumption that every query starts with.
    iso "$declare_linear"(":formula") needs effect = always |m, [formula]| {
        let loading = loader(m).stack.last();
        let place = loading.map(|loading| (loading.file, Arc::clone(&loading.text), loading.span));
        let (file, line) = match place {
            Some((file, text, span)) => (file, line_of(m, &text, span)),
            None => (0, 0),
        };
        declare_linear(m, formula, (file, line))?;
    };
    /// Begins to load a file into a module; `include` is `true` for an included one. `Depth` is the number of
    /// loads around it.
    iso "$load_begin"("+path", "+module", "+include", "-depth") needs load, effect = |m, [path, module, include, depth]| {
        let within = loader(m).stack.len() as i64;
        let (View::Atom(path_atom), View::Atom(module)) = (m.store.view(path), m.store.view(module)) else {
            return Ok(false);
        };
        let name = growth::text_of(m.world.symbols.text(path_atom))?;
        let included = include == Cell::atom(atoms::TRUE);
        let given = given_text(m, &name);
        if given.is_none()
            && let Some(replay) = find_recorded(m, &name, included)
        {
            begin_replay(m, &name, replay, module, included)?;
            return Ok(m.unify_int(depth, within)?);
        }
        let text: (Arc<str>, _, _) = match given {
            Some(text) => (text, VecDeque::new(), true),
            None => {
                let found = read_program_file(load, m.world.files.path_of(&name), &|bytes| may_take(&m.store, bytes));
                let (text, replaced) = m.of_file(found, ("open", "source_sink"), path)?;
                require_memory(text.len())?;
                (text.into(), replaced, false)
            }
        };
        begin(m, &name, text, module, included)?;
        Ok(m.unify_int(depth, within)?)
    };
    /// Registers a text under this name. The next load of the name takes it instead of a file.
    iso "$give_text"("+atom", "+text") needs effect = always |m, [name, text]| {
        let name = m.atom_arg(name)?;
        let name = growth::text_of(m.world.symbols.text(name))?;
        let text = m.text_arg(text)?;
        require_memory(text.len())?;
        let texts = &mut loader(m).texts;
        texts.retain(|(known, _)| *known != name);
        texts.put((name, text.into()))?;
    };
    /// Begins to load the text typed at `user_input` into a module.
    iso "$load_typed"("+module", "-depth") needs effect = |m, [module, depth]| {
        let (module, within) = (m.atom_arg(module)?, loader(m).stack.len() as i64);
        begin_typed(m, module)?;
        Ok(m.unify_int(depth, within)?)
    };
    /// Adds clauses of the present load until Prolog is needed: `Item` is `directive(Goal, Names)`,
    /// `expand(Term, Names)` or `end`.
    iso "$load_next"("-item") needs effect = |m, [item]| {
        let (name, arguments) = match next_item(m)? {
            Item::End => {
                check_exports(m)?;
                end(m)?;
                return Ok(m.unify_atom(item, atoms::END)?);
            }
            Item::Directive(goal, names) => ("directive", [goal, names]),
            Item::Expand(term, names) => ("expand", [term, names]),
            Item::Clause(term) => {
                let found = m.new_term("clause", &[term])?;
                return Ok(m.unify(item, found)?);
            }
        };
        let found = m.new_term(name, &arguments)?;
        Ok(m.unify(item, found)?)
    };
    /// Adds a clause to the present load.
    iso "$load_clause"("+clause") needs effect = |m, [clause]| add(m, clause).map(|()| true);
    /// Adds a clause that a directive generates to the present load. An image does not contain the
    /// clause, because the directive generates it again.
    iso "$load_made_clause"("+clause") needs effect = |m, [clause]| {
        let recording = loader(m).stack.last_mut().and_then(|loading| loading.recording.take());
        let added = add(m, clause);
        if let Some(loading) = loader(m).stack.last_mut() {
            loading.recording = recording;
        }
        added.map(|()| true)
    };
    /// Adds a rule to the present load: `Compiled` is compiled, and `Clause` is stored.
    iso "$load_compiled"("+clause", "+compiled") needs effect = |m, [clause, compiled]| {
        add_compiled(m, clause, compiled).map(|()| true)
    };
    /// Adds the clause of a lambda expression before the clause that contains the expression. An image
    /// does not contain it.
    iso "$load_lambda"("+clause", "+compiled") needs effect = |m, [clause, compiled]| {
        let Some(loading) = loader(m).stack.last_mut() else { return Ok(false) };
        let (recording, last) = (loading.recording.take(), loading.last);
        let added = add_compiled(m, clause, compiled);
        if let Some(loading) = loader(m).stack.last_mut() {
            (loading.recording, loading.last) = (recording, last);
        }
        added.map(|()| true)
    };
    /// Registers the predicate of a head before the predicates that its clause calls.
    iso "$know_predicate"("+head") needs effect = always |m, [head]| {
        let (head, module) = m.strip_module(head, atoms::USER);
        if let Some(functor) = head_functor(m, head)? {
            m.intern_predicate(module, functor)?;
        }
    };
    /// Unifies `name` with the name of a new predicate of this arity for a lambda expression.
    iso "$new_lambda"("+arity", "-name") needs effect = |m, [arity, name]| {
        m.world.modules.intern(atoms::LAMBDAS)?.system = true;
        let text = format!("lambda {}", m.world.predicates.made());
        let arity = m.size_arg(arity)?;
        let found = m.world.symbols.intern_passing(&text)?;
        let functor = m.world.symbols.functor_passing(found, arity)?;
        m.intern_predicate(atoms::LAMBDAS, functor)?;
        Ok(m.unify_atom(name, found)?)
    };
    /// Succeeds if a term may contain a lambda expression, `_ >> _`.
    iso "$has_lambda"("?term") = |m, [term]| Ok(has_lambda(m, term)?);
    /// Moves the clauses of a predicate to the internal predicate that holds them when it is tabled.
    iso "$table_clauses"("+module", "+name", "+arity") needs effect = always |m, [module, name, arity]| {
        let (module, functor) = m.predicate_args([module, name, arity])?;
        move_clauses(m, module, functor)?;
    };
    /// Succeeds if the present load has defined predicates, and no module.
    iso "$load_defines"() = |m, []| {
        let loading = loader(m).stack.last();
        Ok(loading.is_some_and(|loading| loading.heading.is_none() && !loading.defined.is_empty()))
    };
    /// Makes the present load define a module.
    iso "$load_module"("+module") needs effect = always |m, [module]| {
        let View::Atom(name) = m.store.view(module) else {
            return Err(m.type_or_instantiation_error(atoms::ATOM, module));
        };
        if loader(m).stack.last().is_some_and(|loading| loading.heading.is_some()) {
            return Err(m.permission_error(atoms::CREATE, atoms::MODULE, module));
        }
        check_heading(m, name)?;
        free_module_name(m, name)?;
        begin_module(m);
        m.world.source_module = name;
        m.world.modules.intern(name)?;
        if let Some(loading) = loader(m).stack.last_mut() {
            loading.module = name;
            loading.heading = Some(loading.span);
            let file = loading.file;
            if let Some(entry) = m.world.files.get_mut(file) {
                entry.module = Some(name);
            }
            define_module(m, name, file)?;
        }
    };
    /// Returns the module, the absolute name of the file, and the line of the present load.
    iso "$load_context"("-module", "-file", "-line") = |m, [module, file, line]| {
        let Some(loading) = loader(m).stack.last() else { return Ok(false) };
        let (loaded, span, text) = (loading.file, loading.span, loading.text.clone());
        let number = line_of(m, &text, span);
        let name = m.path_atom(loaded)?;
        let here = Cell::atom(m.world.source_module);
        Ok(m.unify(module, here)? && m.unify(file, name)? && m.unify(line, Cell::int(i64::from(number)))?)
    };
    /// Returns the file that is being loaded, not one that it includes: the name it is known by, and its
    /// absolute name.
    iso "$load_source"("-file", "-path") needs effect = |m, [file, path]| {
        let stack = &loader(m).stack;
        let Some(loading) = stack.iter().rfind(|loading| !loading.included) else {
            return Ok(false);
        };
        let (name, number) = (loading.name.clone(), loading.file);
        let absolute = m.world.files.get(number).path.to_string();
        Ok(m.unify_text(file, &name)? && m.unify_text(path, &absolute)?)
    };
    /// Unifies `module` with the module that clauses and directives are read in.
    iso "$source_module"("-module") = |m, [module]| {
        let here = Cell::atom(m.world.source_module);
        Ok(m.unify(module, here)?)
    };
    /// Succeeds if something is being loaded.
    iso "$loading"() = |m, []| Ok(!loader(m).stack.is_empty());
    /// Unifies `clause` with the translation of the grammar rule `rule`. Fails if `rule` is no grammar rule.
    ///
    /// ?- dcg_translate_rule((a --> [x], b), Clause).
    /// Clause = (a(_A, _B):-_A=[x|_C], b(_C, _B)).
    library "dcg_translate_rule"("+rule", "-clause") = |m, [rule, clause]| {
        match dcg::translate_rule(m, rule)? {
            Some(translated) => Ok(m.unify(clause, translated)?),
            None => Ok(false),
        }
    };
    /// Translates the body of a grammar rule to a goal between two lists.
    iso "$dcg_body"("+body", "?list", "?rest", "-goal") = |m, [body, list, rest, goal]| {
        let translated = dcg::body_goal(m, body, list, rest)?;
        Ok(m.unify(goal, translated)?)
    };
}
