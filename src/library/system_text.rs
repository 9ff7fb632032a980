//! Texts of the system. Loading a text runs its declarations. Its clauses are compiled when their predicate is
//! first called or inspected.

use super::outline::{self, Entry};
use crate::base::atom_table::{Atom, FastMap, Functor, Symbols, atoms, functors};
use crate::base::growth::{Gather, Grow, GrowSet, GrowTable};
use crate::base::op_table::{OpTable, OpType};
use crate::base::shared::Shared;
use crate::base::stop::Stop;
use crate::builtins::database::clauses::{compile_clause, load_clause, make_dynamic};
use crate::builtins::database::dcg;
use crate::front::build::build;
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::machine::upper_layers::{LayerState, Part};
use crate::program::clauses::clause_list::Clause;
use crate::program::operators::Operator;
use crate::program::predicate::{Kind, MetaArg, PredId};
use crate::store::cell::Cell;
use crate::store::heap::View;
use crate::text::ast::Ast;
use crate::text::parser::{ReadContext, read_term};

/// Text with clauses that were not compiled when it was loaded.
#[derive(Clone, Copy)]
pub(super) struct Text {
    /// Text.
    pub(super) text: &'static str,
    /// Module that the text defines.
    pub(super) module: Atom,
}

/// Predicates, each with the place of a clause.
type Places = Vec<(PredId, u32)>;

/// Texts, and the predicates that wait for their clauses.
#[derive(Clone, Default)]
pub(super) struct Texts {
    /// Operators for reading the texts.
    ops: Shared<Option<OpTable>>,
    /// Texts with the places of their uncompiled clauses, in order.
    loaded: Shared<Vec<(Text, Places)>>,
    /// Text with the clauses of each waiting predicate.
    deferred: Shared<FastMap<PredId, usize>>,
}

impl LayerState for Texts {
    fn part(&self) -> Option<Part> {
        Part::of(self.clone())
    }
}

/// Declarations in the first clause of a library.
#[derive(Default)]
pub(super) struct Heading {
    /// Module.
    pub(super) module: Option<Atom>,
    /// Exported predicates.
    pub(super) exports: Vec<Functor>,
    /// Exported operators.
    pub(super) operators: Vec<Operator>,
}

/// Runs `action` with the flags for texts of the system. It cannot be interrupted, but memory may be refused.
pub(super) fn as_system<T>(m: &mut Machine, action: impl FnOnce(&mut Machine) -> T) -> T {
    let put_off = m.store.events.watch.put_off(true);
    let booting = std::mem::replace(&mut m.world.booting, true);
    let flags = std::mem::take(&mut m.world.flags);
    let result = action(m);
    m.world.flags = flags;
    m.world.booting = booting;
    m.entries = m.world.predicates.entries();
    m.store.events.watch.put_off(put_off);
    result
}

/// Loads a text of the system under the flags of [`as_system`]. Adds the predicates that it defines to `defined`.
///
/// # Errors
/// Returns an error only if there is no memory.
pub(super) fn load_text(
    m: &mut Machine,
    text: Text,
    defined: &mut Vec<PredId>,
) -> Result<(), Throw> {
    m.world.modules.intern(text.module)?.system = text.module != atoms::LOLLI;
    let loaded = m.world.layers.of::<Texts>().loaded.own();
    let number = loaded.len();
    loaded.put((text, Vec::new()))?;
    let mut places = Vec::new();
    let mut last = None;
    let result = outline::entries(text.text)
        .iter()
        .try_for_each(|&(start, ref entry)| {
            let (id, compiled) = match entry {
                &Entry::Clause(name, arity) => match last {
                    Some((id, before)) if before == (name, arity) => (id, None),
                    _ => {
                        let atom = m.world.symbols.intern(name)?;
                        let functor = m.world.symbols.functor(atom, arity)?;
                        let id = m.intern_predicate(text.module, functor)?;
                        last = Some((id, (name, arity)));
                        (id, None)
                    }
                },
                Entry::Other => match load_other(m, text, start, defined)? {
                    Some((id, clause)) => (id, Some(clause)),
                    None => return Ok(()),
                },
            };
            if defined.last() != Some(&id) {
                defined.put(id)?;
            }
            if defer(m, id, number)? {
                places.put((id, start as u32))?;
                return Ok(());
            }
            // The predicate is dynamic, or another text defines it, too.
            complete(m, id)?;
            let clause = match compiled {
                Some(clause) => Some(clause),
                None => load_other(m, text, start, defined)?.map(|(_, clause)| clause),
            };
            clause.map_or(Ok(()), |clause| load_clause(m, id, clause))
        });
    if let Some(loaded) = m.world.layers.of::<Texts>().loaded.own().get_mut(number) {
        loaded.1 = places;
    }
    result
}

/// Postpones the clauses of a predicate, unless it has some. Returns whether it did so.
fn defer(m: &mut Machine, id: PredId, number: usize) -> Result<bool, Stop> {
    let predicate = m.world.predicates.get_mut(id);
    if !predicate.traits.deferred {
        let free = match predicate.kind {
            Kind::Undefined | Kind::Imported(_) => true,
            Kind::Static => predicate.clauses.len() == 0,
            _ => false,
        };
        if !free {
            return Ok(false);
        }
        predicate.kind = Kind::Static;
        predicate.traits.defined = true;
        predicate.traits.deferred = true;
        m.world.predicates.reset_entry(id)?;
    }
    let deferred = m.world.layers.of::<Texts>().deferred.own();
    deferred.make_room()?;
    Ok(*deferred.entry(id).or_insert(number) == number)
}

/// Runs the directive at a place of a text, or compiles the clause there.
fn load_other(
    m: &mut Machine,
    text: Text,
    start: usize,
    defined: &mut Vec<PredId>,
) -> Result<Option<(PredId, Clause)>, Throw> {
    let top = m.store.heap_top;
    let Some(term) = next_term(m, text.text, &mut start.clone())? else {
        return Ok(None);
    };
    let clause = match m.store.view(term) {
        View::Struct(functors::DIRECTIVE, args) => {
            let directive = m.store.arg(args, 0);
            directive_of_system(m, directive, text.module, defined)?;
            None
        }
        _ => Some(compile_term(m, term, text.module)?),
    };
    m.store.heap_top = top;
    Ok(clause)
}

/// Compiles a clause or grammar rule.
pub(super) fn compile_term(
    m: &mut Machine,
    term: Cell,
    module: Atom,
) -> Result<(PredId, Clause), Throw> {
    let clause = match m.store.view(term) {
        View::Struct(functors::DCG_ARROW, _) => dcg::translate_rule(m, term)?.unwrap_or(term),
        _ => term,
    };
    compile_clause(m, clause, module, 0, 0)
}

/// Returns the text with the clauses that a predicate waits for.
pub(super) fn text_of(m: &mut Machine, id: PredId) -> Option<&'static str> {
    let texts = m.world.layers.of::<Texts>();
    let number = *texts.deferred.get(&id)?;
    texts.loaded.get(number).map(|(text, _)| text.text)
}

/// Returns a predicate that waits for its clauses, if there is one.
pub(super) fn any_deferred(m: &mut Machine) -> Option<PredId> {
    let texts = m.world.layers.of::<Texts>();
    texts.deferred.keys().next().copied()
}

/// Compiles the clauses that a predicate waits for, under the flags of [`as_system`].
///
/// # Errors
/// Returns an error only if there is no memory. The clauses then still wait.
pub(super) fn complete(m: &mut Machine, id: PredId) -> Result<(), Throw> {
    let texts = m.world.layers.of::<Texts>();
    let Some(&number) = texts.deferred.get(&id) else {
        return Ok(());
    };
    let Some((text, places)) = texts.loaded.get(number) else {
        return Ok(());
    };
    let text = *text;
    let mut starts = Vec::new();
    starts.put_all(
        places
            .iter()
            .filter(|place| place.0 == id)
            .map(|place| place.1),
    )?;
    let mut clauses = Vec::new();
    for start in starts {
        let top = m.store.heap_top;
        if let Some(term) = next_term(m, text.text, &mut (start as usize))? {
            let (defined, clause) = compile_term(m, term, text.module)?;
            debug_assert!(defined == id, "the outline names the predicate of a clause");
            clauses.put(clause)?;
        }
        m.store.heap_top = top;
    }
    // An earlier attempt may have run out of memory and left some clauses.
    erase_clauses(m, id)?;
    for clause in clauses {
        load_clause(m, id, clause)?;
    }
    let texts = m.world.layers.of::<Texts>();
    if texts.deferred.contains_key(&id) {
        texts.deferred.own().remove(&id);
    }
    m.world.predicates.get_mut(id).traits.deferred = false;
    m.world.predicates.reset_entry(id)?;
    Ok(())
}

/// Removes all clauses of a predicate, including waiting ones, and makes it undefined.
pub(super) fn undefine(m: &mut Machine, id: PredId) -> Result<(), Stop> {
    erase_clauses(m, id)?;
    let predicate = m.world.predicates.get_mut(id);
    if matches!(predicate.kind, Kind::Static | Kind::Dynamic) {
        predicate.kind = Kind::Undefined;
        predicate.traits.defined = false;
        predicate.traits.deferred = false;
        m.world.predicates.reset_entry(id)?;
    }
    let texts = m.world.layers.of::<Texts>();
    if texts.deferred.contains_key(&id) {
        texts.deferred.own().remove(&id);
    }
    Ok(())
}

fn erase_clauses(m: &mut Machine, id: PredId) -> Result<(), Stop> {
    loop {
        let first = m.world.predicates.get(id).clauses.iter().next();
        let Some(position) = first.map(|(position, _)| position) else {
            break;
        };
        m.erase_clause(id, position)?;
    }
    m.purge(id)?;
    Ok(())
}

/// Returns the operators for reading the texts.
fn ops_of<'a>(texts: &'a mut Texts, symbols: &mut Symbols) -> Result<&'a mut OpTable, Stop> {
    match texts.ops.own() {
        Some(ops) => Ok(ops),
        none => Ok(none.insert(OpTable::new(symbols)?)),
    }
}

/// Reads the next clause of a text of the system.
pub(super) fn next_term(m: &mut Machine, text: &str, at: &mut usize) -> Result<Option<Cell>, Stop> {
    let mut ast = Ast::new();
    let mut context = ReadContext {
        ops: ops_of(m.world.layers.of::<Texts>(), &mut m.world.symbols)?,
        symbols: &mut m.world.symbols,
        flags: &m.world.flags,
        char_conversions: None,
        room: usize::MAX,
        passing: false,
        watch: &m.store.events.watch,
    };
    match read_term(text, at, &mut context, &mut ast) {
        Ok(true) => Ok(Some(build(&mut m.store, &mut m.world.symbols, &ast)?.0)),
        Ok(false) => Ok(None),
        Err(error) if error.is_out_of_memory() => Err(Stop),
        Err(error) => unreachable!(
            "the library's own text is correct: {} at {:?}",
            error.message(),
            text.get(error.span.start as usize..)
        ),
    }
}

/// Returns the heading of a library.
pub(super) fn heading_of(m: &mut Machine, text: &'static str) -> Result<Heading, Stop> {
    let Some((module, exports)) = outline::known_heading(text) else {
        return read_heading(m, text);
    };
    let mut functor = |&(name, arity): &(&str, usize)| {
        let name = m.world.symbols.intern(name)?;
        m.world.symbols.functor(name, arity)
    };
    Ok(Heading {
        exports: exports.iter().map(&mut functor).try_gather()?,
        module: Some(m.world.symbols.intern(module)?),
        operators: Vec::new(),
    })
}

/// Reads the heading of a library with the reader.
pub(super) fn read_heading(m: &mut Machine, text: &str) -> Result<Heading, Stop> {
    let top = m.store.heap_top;
    let mut heading = Heading::default();
    if let Some(term) = next_term(m, text, &mut 0)?
        && let View::Struct(functors::DIRECTIVE, args) = m.store.view(term)
        && let Some((_, module)) = m.store.compound(m.store.arg(args, 0))
    {
        heading.module = match m.store.view(m.store.arg(module, 0)) {
            View::Atom(name) => Some(name),
            _ => None,
        };
        let list = m.store.arg(module, 1);
        heading.exports = indicators(m, list)?;
        let mut items = Vec::new();
        m.store.list_items(list, &mut items)?;
        let operators = items.iter().filter_map(|&item| operator(m, item));
        heading.operators = operators.gather()?;
    }
    m.store.heap_top = top;
    Ok(heading)
}

/// Reads a term `op(Priority, Type, Name)`.
fn operator(m: &Machine, term: Cell) -> Option<(u16, OpType, Atom)> {
    let (functor, args) = m.store.compound(term)?;
    if functor.arity() != 3 {
        return None;
    }
    let parts = [0, 1, 2].map(|index| m.store.view(m.store.arg(args, index)));
    let [View::Int(priority), View::Atom(kind), View::Atom(name)] = parts else {
        return None;
    };
    let op_type = OpType::from_name(m.world.symbols.text(kind))?;
    Some((priority as u16, op_type, name))
}

/// Returns the predicate indicators in a list. Grammar indicators count two more arguments.
fn indicators(m: &mut Machine, list: Cell) -> Result<Vec<Functor>, Stop> {
    let mut items = Vec::new();
    m.store.list_items(list, &mut items)?;
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
            found.put(m.world.symbols.functor(name, arity as usize + extra)?)?;
        }
    }
    Ok(found)
}

/// Runs a directive in a text of the system. Only declarations have an effect.
fn directive_of_system(
    m: &mut Machine,
    directive: Cell,
    module: Atom,
    defined: &mut Vec<PredId>,
) -> Result<(), Stop> {
    let Some((functor, args)) = m.store.compound(directive) else {
        return Ok(());
    };
    let name = m.world.symbols.name(functor);
    let first = m.store.arg(args, 0);
    let text = m.world.symbols.text(name).to_owned();
    match text.as_str() {
        "dynamic" => {
            for functor in conjunction(m, first)? {
                let id = m.intern_predicate(module, functor)?;
                make_dynamic(m, id)?;
                defined.put(id)?;
            }
        }
        "discontiguous" | "multifile" => {
            for functor in conjunction(m, first)? {
                let id = m.intern_predicate(module, functor)?;
                let traits = &mut m.world.predicates.get_mut(id).traits;
                traits.defined = true;
                traits.multifile |= text == "multifile";
            }
        }
        "public" => {
            for functor in conjunction(m, first)? {
                m.world.modules.intern(module)?.open.put_new(functor)?;
            }
        }
        // A directive declares one predicate, which may be `','(0, 0)`.
        "meta_predicate" => declare_meta(m, first, module)?,
        "op" => {
            if let Some((priority, op_type, name)) = operator(m, directive) {
                let texts = m.world.layers.of::<Texts>();
                ops_of(texts, &mut m.world.symbols)?.add(name, priority, op_type)?;
            }
        }
        // Libraries find each other by autoloading.
        _ => {}
    }
    Ok(())
}

fn conjuncts(m: &Machine, term: Cell) -> Result<Vec<Cell>, Stop> {
    let mut parts = Vec::new();
    let mut rest = term;
    while let View::Struct(functors::COMMA, args) = m.store.view(rest) {
        parts.put(m.store.arg(args, 0))?;
        rest = m.store.arg(args, 1);
    }
    parts.put(rest)?;
    Ok(parts)
}

fn conjunction(m: &mut Machine, term: Cell) -> Result<Vec<Functor>, Stop> {
    let parts = conjuncts(m, term)?;
    match m.store.list_of(&parts) {
        Ok(list) => indicators(m, list),
        Err(_) => Ok(Vec::new()),
    }
}

/// Declares the meta arguments of a predicate, given as a term such as `maplist(1, ?)`.
fn declare_meta(m: &mut Machine, spec: Cell, module: Atom) -> Result<(), Stop> {
    let Some((functor, args)) = m.store.compound(spec) else {
        return Ok(());
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
        .gather()?
        .into();
    let id = m.intern_predicate(module, functor)?;
    m.world.predicates.get_mut(id).meta = Some(modes);
    Ok(())
}
