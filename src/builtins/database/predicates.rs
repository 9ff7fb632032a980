//! Information on predicates: `current_predicate/1` (ISO 13211-1, 8.8.2) and `/2`, `predicate_property/2`, and
//! listings of their code. Long because each builtin has its manual beside it.

use super::modules::indicator_arg;
use crate::arith::evaluable::{EvalId, evaluable};
use crate::base::atom_table::{Atom, Functor, atoms, functors};
use crate::base::flags::UnknownAction;
use crate::base::growth::{Gather, Grow, GrowText};
use crate::base::stop::Stop;
use crate::builtins::system::system_names::is_system_name;
use crate::builtins::term_io::term_text::quoted_text;
use crate::code::instruction::{Op, decode, encode_wide};
use crate::code::listing::{Symbol, listing};
use crate::machine::builtin::{Step, builtins};
use crate::machine::control::throw::{Ball, Throw};
use crate::machine::frames::stubs;
use crate::machine::state::Machine;
use crate::program::predicate::{Kind, MetaArg, PredId};
use crate::store::cell::Cell;
use crate::store::heap::View;
use crate::text::write_atom::push_atom;

// ---- enumeration of predicates ----------------------------------------------------------------

/// Description of the requested predicates; `None` means unknown.
#[derive(Copy, Clone)]
struct Wanted {
    module: Option<Atom>,
    name: Option<Atom>,
    arity: Option<usize>,
    /// True to include predicates of the system.
    system: bool,
}

impl Wanted {
    fn fits(&self, m: &Machine, id: PredId) -> bool {
        let predicate = m.world.predicates.get(id);
        let functor = predicate.functor;
        if self.module.is_some_and(|module| module != predicate.module)
            || self.arity.is_some_and(|arity| arity != functor.arity())
            || self
                .name
                .is_some_and(|name| name != m.world.symbols.name(functor))
        {
            return false;
        }
        is_visible(m, id, self.system)
    }

    /// Returns the first fitting predicate at or after an index of the table of predicates.
    fn next(&self, m: &Machine, from: usize) -> Option<usize> {
        (from..m.world.predicates.len()).find(|&index| self.fits(m, PredId(index as u32)))
    }

    /// Makes one step of an enumeration. Passes the fitting predicate to `unify`, and unifies `var`, if given, with
    /// its module.
    fn step(
        &self,
        m: &mut Machine,
        (var, state): (Option<Cell>, Option<i64>),
        unify: impl FnOnce(&mut Machine, PredId, Functor) -> Result<(), Throw>,
    ) -> Result<Step, Throw> {
        let from = state
            .and_then(|state| usize::try_from(state).ok())
            .unwrap_or(0);
        let Some(index) = self.next(m, from) else {
            return Ok(Step::Fail);
        };
        let step = match self.next(m, index + 1) {
            Some(next) => Step::More(next as i64),
            None => Step::Last,
        };
        let id = PredId(index as u32);
        let (module, functor) = m.world.predicates.home(id);
        unify(m, id, functor)?;
        if let Some(var) = var {
            m.unify_atom(var, module)?;
        }
        Ok(step)
    }
}

/// Returns whether a program may see this predicate. Those of the system are not `current`, and those with a name
/// that begins with a dollar sign are always hidden.
fn is_visible(m: &Machine, id: PredId, system: bool) -> bool {
    let definition = m.world.predicates.get(m.definition(id));
    let known = definition.traits.defined || m.is_assumed(m.definition(id));
    if (definition.kind == Kind::Undefined && !known) || definition.module == atoms::LAMBDAS {
        return false;
    }
    if definition.traits.system {
        let own = m.definition(id) == id;
        return system
            && own
            && !m
                .world
                .symbols
                .name_text(definition.functor)
                .starts_with('$');
    }
    true
}

/// Splits a module-sensitive argument. Returns the inner term, the module if it is known, and otherwise the
/// variable for the module.
fn qualified(m: &Machine, term: Cell) -> (Cell, Option<Atom>, Option<Cell>) {
    let (inner, module) = m.in_module(term);
    if let View::Struct(functors::COLON, args) = m.store.view(inner) {
        let name = m.store.arg(args, 0);
        if name.is_var() {
            return (m.store.arg(args, 1), None, Some(name));
        }
    }
    (inner, Some(module), None)
}

/// Returns whether a module sees a predicate with this functor, now or after loading its library. Programs must
/// know it as their own or, unless the flag `iso` is set, as one of the system. Other predicates of libraries do
/// not count as the system's.
fn is_current(m: &Machine, module: Atom, functor: Functor) -> Result<bool, Stop> {
    let visible = m.visible_definition(module, functor)?;
    if visible.is_some_and(|id| is_visible(m, id, false)) {
        return Ok(true);
    }
    if m.world.flags.iso {
        return Ok(false);
    }
    let home = |id: PredId| m.world.predicates.get(id).module;
    Ok(match visible.map(home) {
        Some(atoms::SYSTEM) => !m.world.symbols.name_text(functor).starts_with('$'),
        Some(home) if !m.is_system_module(home) => false,
        _ => is_system_name(m, functor),
    })
}

/// Returns whether the argument of `current_predicate/1` has a known module, name and arity.
fn indicator_is_known(m: &Machine) -> bool {
    let [spec] = m.args();
    let (indicator, module, _) = qualified(m, spec);
    let View::Struct(functors::SLASH, args) = m.store.view(indicator) else {
        return false;
    };
    module.is_some() && [0, 1].iter().all(|&at| !m.store.arg(args, at).is_var())
}

fn current_predicate(m: &mut Machine, spec: Cell, state: Option<i64>) -> Result<Step, Throw> {
    let (indicator, module, module_var) = qualified(m, spec);
    let (name, arity) = match m.store.view(indicator) {
        View::Struct(functors::SLASH, args) => (m.store.arg(args, 0), m.store.arg(args, 1)),
        View::Var(_) => {
            let (name, arity) = (m.store.new_var(), m.store.new_var());
            let pair = m.store.new_struct(functors::SLASH, &[name, arity]);
            m.unify(indicator, pair)?;
            (m.store.deref(name), m.store.deref(arity))
        }
        _ => return Err(m.type_error(atoms::PREDICATE_INDICATOR, indicator)),
    };
    let known_name = match m.store.view(name) {
        View::Var(_) => None,
        View::Atom(name) => Some(name),
        _ => return Err(m.type_error(atoms::PREDICATE_INDICATOR, indicator)),
    };
    let known_arity = match m.store.view(arity) {
        View::Var(_) => None,
        View::Int(arity @ 0..) => Some(arity as usize),
        View::Big(_) => return Ok(Step::Fail),
        _ => return Err(m.type_error(atoms::PREDICATE_INDICATOR, indicator)),
    };
    if let (Some(module), Some(name), Some(arity)) = (module, known_name, known_arity) {
        if arity > crate::machine::dispatch::regs::MAX_PREDICATE_ARITY {
            return Ok(Step::Fail);
        }
        let functor = m.world.symbols.functor_passing(name, arity)?;
        let found = is_current(m, module, functor)?;
        return Ok(Step::when(found));
    }
    let wanted = Wanted {
        module,
        name: known_name,
        arity: known_arity,
        system: false,
    };
    wanted.step(m, (module_var, state), |m, _, functor| {
        let found = m.world.symbols.name(functor);
        m.unify_atom(name, found)?;
        m.unify_size(arity, functor.arity())?;
        Ok(())
    })
}

/// Returns name and arity of a head, or `None` for a variable.
pub(crate) fn head_functor(m: &mut Machine, head: Cell) -> Result<Option<Functor>, Stop> {
    Ok(match m.store.view(head) {
        View::Atom(name) => Some(m.world.symbols.functor_passing(name, 0)?),
        _ => m.store.compound(head).map(|(functor, _)| functor),
    })
}

/// Builds the most general term of a functor.
pub(in crate::builtins) fn general_head(m: &mut Machine, functor: Functor) -> Result<Cell, Throw> {
    if functor.arity() == 0 {
        return Ok(Cell::atom(m.world.symbols.name(functor)));
    }
    Ok(m.store.new_general_struct(functor)?)
}

fn current_head(
    m: &mut Machine,
    name: Cell,
    head: Cell,
    state: Option<i64>,
) -> Result<Step, Throw> {
    let (head, module, module_var) = qualified(m, head);
    let mut known_name = match m.store.view(name) {
        View::Var(_) => None,
        View::Atom(name) => Some(name),
        _ => return Ok(Step::Fail),
    };
    let mut known_arity = None;
    if !head.is_var() {
        let Some(functor) = head_functor(m, head)? else {
            return Ok(Step::Fail);
        };
        let found = m.world.symbols.name(functor);
        if !m.unify_atom(name, found)? {
            return Ok(Step::Fail);
        }
        if let Some(module) = module {
            let found = is_current(m, module, functor)?;
            return Ok(Step::when(found));
        }
        known_name = Some(found);
        known_arity = Some(functor.arity());
    }
    // Predicates of the system are returned only if the query gives a name, and names that module or none.
    let anywhere = module.is_none_or(|module| module == atoms::SYSTEM);
    let wanted = Wanted {
        module,
        name: known_name,
        arity: known_arity,
        system: anywhere && known_name.is_some() && !m.world.flags.iso,
    };
    wanted.step(m, (module_var, state), |m, _, functor| {
        let found = m.world.symbols.name(functor);
        m.unify_atom(name, found)?;
        unify_general(m, head, functor)
    })
}

/// Unifies an unbound head with the most general head of a predicate.
fn unify_general(m: &mut Machine, head: Cell, functor: Functor) -> Result<(), Throw> {
    if head.is_var() {
        let general = general_head(m, functor)?;
        m.unify(head, general)?;
    }
    Ok(())
}

/// Runs `'$require_definition'/1` with this value of the flag `unknown`, or with that of the module.
fn require_definition(
    m: &mut Machine,
    goal: Cell,
    unknown: Option<UnknownAction>,
) -> Result<bool, Throw> {
    let (goal, module) = m.in_module(goal);
    let Some(functor) = head_functor(m, goal)? else {
        return Ok(false);
    };
    let id = m.intern_predicate(module, functor)?;
    match m.resolve_with(id, unknown) {
        Err(throw) if matches!(throw.0.ball, Ball::Error(..)) => {
            let ball = m.ball_term(&throw)?;
            let indicator = m.indicator(functor);
            let variable = m.store.new_var();
            let context = m
                .store
                .new_struct(functors::CONTEXT, &[indicator, variable]);
            let formal = match m.store.compound(ball) {
                Some((_, args)) => m.store.arg(args, 0),
                None => ball,
            };
            let error = m.store.new_struct(functors::ERROR, &[formal, context]);
            Err(m.throw_term(error))
        }
        // An assumed clause may match.
        Ok(false) => Ok(unknown.is_some() && m.is_assumed(id)),
        found => found,
    }
}

// ---- properties -------------------------------------------------------------------------------

/// Runs `'$predicate'/3`: finds the definition for a head, which may be unbound.
fn property_subject(
    m: &mut Machine,
    spec: Cell,
    home: Cell,
    index: Cell,
    state: Option<i64>,
) -> Result<Step, Throw> {
    let (head, module, module_var) = qualified(m, spec);
    let functor = if head.is_var() {
        None
    } else {
        match head_functor(m, head)? {
            Some(functor) => Some(functor),
            None => return Ok(Step::Fail),
        }
    };
    if let (Some(functor), Some(module)) = (functor, module) {
        if functor.arity() > crate::machine::dispatch::regs::MAX_PREDICATE_ARITY {
            return Ok(Step::Fail);
        }
        let mut found = m.visible_definition(module, functor)?;
        if found.is_none() && m.unknown_action(module)? == UnknownAction::Error {
            let id = m.intern_predicate(module, functor)?;
            found = if m.find_definition(id)? {
                Some(m.definition(id))
            } else {
                None
            };
        }
        let Some(found) = found else {
            return Ok(Step::Fail);
        };
        m.unify_atom(home, module)?;
        m.unify_int(index, i64::from(found.0))?;
        return Ok(Step::Last);
    }
    let wanted = Wanted {
        module: module.filter(|&module| module != atoms::USER && module_var.is_none()),
        name: functor.map(|functor| m.world.symbols.name(functor)),
        arity: functor.map(Functor::arity),
        system: module_var.is_none(),
    };
    wanted.step(m, (module_var, state), |m, id, functor| {
        unify_general(m, head, functor)?;
        let found = m.definition(id);
        let module = module.unwrap_or(m.world.predicates.get(id).module);
        m.unify_atom(home, module)?;
        m.unify_int(index, i64::from(found.0))?;
        Ok(())
    })
}

/// Collector of properties. It keeps only those that may unify with the requested property.
struct Properties {
    asked: Option<Functor>,
    found: Vec<Cell>,
}

impl Properties {
    /// Returns whether a property is requested. Compares names as texts, so that no symbol has to be looked up.
    fn wants(&self, m: &Machine, name: &str, arity: usize) -> bool {
        self.asked
            .is_none_or(|asked| asked.arity() == arity && m.world.symbols.name_text(asked) == name)
    }

    fn wants_any(&self, m: &Machine, names: &[&str]) -> bool {
        names.iter().any(|name| self.wants(m, name, 1))
    }

    fn flag(&mut self, m: &mut Machine, name: &str, holds: bool) -> Result<(), Stop> {
        if holds && self.wants(m, name, 0) {
            let name = Cell::atom(m.world.symbols.intern_passing(name)?);
            self.found.put(name)?;
        }
        Ok(())
    }

    fn value(&mut self, m: &mut Machine, name: &str, value: Cell) -> Result<(), Stop> {
        if self.wants(m, name, 1) {
            let property = m.new_term(name, &[value])?;
            self.found.put(property)?;
        }
        Ok(())
    }
}

fn properties(m: &mut Machine, home: Atom, id: PredId, asked: Cell) -> Result<Vec<Cell>, Throw> {
    let asked = if asked.is_var() {
        None
    } else {
        head_functor(m, asked)?
    };
    let mut list = Properties {
        asked,
        found: Vec::new(),
    };
    let predicate = m.world.predicates.get(id);
    let (kind, traits, module) = (predicate.kind, predicate.traits, predicate.module);
    let functor = predicate.functor;
    let has_clauses = matches!(kind, Kind::Static | Kind::Dynamic);
    let built_in = traits.system && module == atoms::SYSTEM;
    let exported = list.wants(m, "exported", 0)
        && m.world
            .modules
            .find(module)
            .is_some_and(|module| module.exports.contains(&functor));
    let iso = traits.protected && !m.world.symbols.name_text(functor).starts_with('$');
    list.flag(m, "interpreted", has_clauses)?;
    list.flag(m, "visible", true)?;
    list.flag(m, "built_in", built_in)?;
    list.flag(m, "system", built_in)?;
    list.flag(
        m,
        "foreign",
        matches!(kind, Kind::Builtin(_) | Kind::Control),
    )?;
    list.flag(m, "dynamic", kind == Kind::Dynamic)?;
    list.flag(m, "static", kind != Kind::Dynamic)?;
    list.flag(m, "multifile", traits.multifile)?;
    list.flag(m, "discontiguous", traits.discontiguous)?;
    list.flag(m, "tabled", traits.tabled && !traits.det)?;
    list.flag(m, "det", traits.tabled && traits.det)?;
    list.flag(m, "iso", iso && built_in)?;
    list.flag(m, "defined", true)?;
    list.flag(m, "exported", exported)?;
    if module != home {
        list.value(m, "imported_from", Cell::atom(module))?;
    }
    if list.wants(m, "meta_predicate", 1)
        && let Some(meta) = meta_head(m, id)?
    {
        list.value(m, "meta_predicate", meta)?;
    }
    if has_clauses && !built_in && list.wants_any(m, OF_CLAUSES) {
        m.complete_predicate(id)?;
        clause_properties(m, id, &mut list)?;
    }
    Ok(list.found)
}

/// Properties that depend on the clauses.
const OF_CLAUSES: &[&str] = &["number_of_clauses", "number_of_rules", "file", "line_count"];

/// Adds the number and the place of the clauses.
fn clause_properties(m: &mut Machine, id: PredId, list: &mut Properties) -> Result<(), Stop> {
    let clauses = &m.world.predicates.get(id).clauses;
    let number = clauses.len();
    let first = clauses
        .iter()
        .next()
        .map(|(_, clause)| (clause.file(), clause.line()));
    list.value(m, "number_of_clauses", Cell::int(number as i64))?;
    if list.wants(m, "number_of_rules", 1) {
        let rules = m
            .world
            .predicates
            .get(id)
            .clauses
            .iter()
            .filter(|(_, clause)| !clause.is_fact());
        let rules = rules.count();
        list.value(m, "number_of_rules", Cell::int(rules as i64))?;
    }
    if let Some((file @ 1.., line)) = first {
        let name = m.path_atom(file)?;
        list.value(m, "file", name)?;
        list.value(m, "line_count", Cell::int(i64::from(line)))?;
    }
    Ok(())
}

/// Builds the declaration of meta arguments as a term.
fn meta_head(m: &mut Machine, id: PredId) -> Result<Option<Cell>, Throw> {
    let predicate = m.world.predicates.get(id);
    let functor = predicate.functor;
    let Some(meta) = predicate.meta.clone() else {
        return Ok(None);
    };
    if meta.len() != functor.arity() || meta.is_empty() {
        return Ok(None);
    }
    m.store.reserve(meta.len() + 1)?;
    let args: Vec<Cell> = meta
        .iter()
        .map(|arg| match *arg {
            MetaArg::Goal(extra) => Cell::int(i64::from(extra)),
            MetaArg::Existential => Cell::atom(atoms::CARET),
            MetaArg::Grammar => Cell::atom(atoms::INT_DIV),
            MetaArg::Module => Cell::atom(atoms::COLON),
            MetaArg::Plain(mode) => Cell::atom(mode),
        })
        .gather()?;
    Ok(Some(m.store.new_struct(functor, &args)))
}

// ---- listings of code -------------------------------------------------------------------------

/// Returns `Name/Arity` as text, with its module before it unless that is `user`.
fn predicate_text(m: &Machine, id: PredId) -> Result<String, Stop> {
    let (module, functor) = m.world.predicates.home(id);
    let text = functor_text(m, functor)?;
    Ok(match module {
        atoms::USER => text,
        _ => format!("{}:{text}", atom_text(m.world.symbols.text(module))?),
    })
}

fn functor_text(m: &Machine, functor: Functor) -> Result<String, Stop> {
    let name = atom_text(m.world.symbols.name_text(functor))?;
    Ok(format!("{name}/{}", functor.arity()))
}

fn atom_text(name: &str) -> Result<String, Stop> {
    let mut text = String::new();
    push_atom(&mut text, name, true, true)?;
    Ok(text)
}

/// Returns the engine's name for a symbol in code. Addresses are entries of clauses of `id`.
fn symbol_text(m: &Machine, id: PredId, symbol: Symbol) -> Result<String, Stop> {
    match symbol {
        Symbol::Constant(word) => Ok(quoted_text(m, Cell::of_word(word)).unwrap_or_default()),
        Symbol::Functor(word) => functor_text(m, Cell::of_word(word).as_functor()),
        Symbol::Predicate(index) if (index as usize) < m.world.predicates.len() => {
            predicate_text(m, PredId(index))
        }
        Symbol::Builtin(index) => match m.world.host.builtins.get(index as usize) {
            Some(builtin) => {
                let name = atom_text(builtin.name)?;
                Ok(format!("{name}/{}", builtin.modes.len()))
            }
            None => Ok(index.to_string()),
        },
        Symbol::Evaluable(number) => {
            match u16::try_from(number)
                .ok()
                .and_then(|number| evaluable(EvalId(number)))
            {
                Some(row) => Ok(format!("{}/{}", row.name, row.arity())),
                None => Ok(number.to_string()),
            }
        }
        Symbol::Address(address) if address == stubs::fail().bits() => Ok("fail".to_owned()),
        Symbol::Address(address) => {
            let mut clauses = m.world.predicates.get(id).clauses.iter();
            match clauses.position(|(_, clause)| clause.entry().bits() == address) {
                Some(index) => Ok(format!("clause {}", index + 1)),
                None => Ok(index_place(&m.world.predicates.get(id).index, address)),
            }
        }
        Symbol::Predicate(index) => Ok(index.to_string()),
    }
}

/// Returns the place in the parts of an index that an address points to.
fn index_place(parts: &[Vec<u64>], address: u64) -> String {
    for (number, part) in parts.iter().enumerate() {
        let offset = address.wrapping_sub(part.as_ptr() as u64) / 8;
        match part.get(offset as usize) {
            Some(&word) if decode(word) != Some(Op::IndexNode) => {
                return format!("index {}", number + 1);
            }
            _ => {}
        }
    }
    "later".to_owned()
}

/// Removes the instructions at the end of a part of an index that make further parts.
fn decided(id: PredId, mut part: &[u64]) -> &[u64] {
    let node = encode_wide(Op::IndexNode, 0, id.0);
    while let [rest @ .., op, _] = part
        && *op == node
    {
        part = rest;
    }
    part
}

/// Number of parts of an index that a listing makes.
const LISTED_PARTS: usize = 12;

/// Returns the code of a predicate: of its index and of its clauses. If the predicate never ran, the listing makes
/// the first parts of the index.
fn predicate_listing(m: &mut Machine, id: PredId) -> Result<String, Stop> {
    let predicate = m.world.predicates.get(id);
    if predicate.kind == Kind::Static && m.world.predicates.own_entry(id) == predicate.stub() {
        let upper = m.world.upper;
        let entry = upper.link(m, id, None)?;
        m.world.predicates.set_entry(id, entry);
    }
    for number in 0..LISTED_PARTS {
        let predicate = m.world.predicates.get(id);
        if let Some(Some(_)) = predicate.nodes.get(number) {
            let (number, upper) = (predicate.first_node + number, m.world.upper);
            upper.link(m, id, Some(number))?;
        }
    }
    let m = &*m;
    let predicate = m.world.predicates.get(id);
    let names = |symbol: Symbol| symbol_text(m, id, symbol);
    let mut text = format!("% {}\n", predicate_text(m, id)?);
    if predicate.kind != Kind::Static {
        text.put_str(&listing(predicate.first_instruction(), &names)?)?;
    }
    for (number, index) in predicate.selecting_code().enumerate() {
        text.put_str(&format!("% index {}\n", number + 1))?;
        text.put_str(&listing(decided(id, index), &names)?)?;
    }
    for (number, (_, clause)) in predicate.clauses.iter().enumerate() {
        text.put_str(&format!("% clause {}\n", number + 1))?;
        text.put_str(&listing(clause.code(), &names)?)?;
    }
    Ok(text)
}

fn list_code(m: &mut Machine, spec: Cell) -> Result<bool, Throw> {
    let (term, module) = m.in_module(spec);
    m.settle_module(module)?;
    let found = match m.store.view(term) {
        View::Var(_) => return Err(m.instantiation_error()),
        View::Atom(name) => {
            let wanted = Wanted {
                module: Some(module),
                name: Some(name),
                arity: None,
                system: true,
            };
            let table = 0..m.world.predicates.len() as u32;
            table
                .map(PredId)
                .filter(|&id| wanted.fits(m, id))
                .map(|id| m.definition(id))
                .gather()?
        }
        View::Struct(functors::SLASH | functors::INT_DIV, _) => {
            let functor = indicator_arg(m, term)?;
            m.visible_definition(module, functor)?
                .into_iter()
                .gather()?
        }
        _ => {
            m.callable_arg(term)?;
            let functor = head_functor(m, term)?;
            let found = match functor {
                Some(functor) => m.visible_definition(module, functor)?,
                None => None,
            };
            found.into_iter().gather()?
        }
    };
    let output = m.output_target(None)?;
    for &id in &found {
        m.complete_predicate(id)?;
        let text = predicate_listing(m, id)?;
        m.write_text_to(output, &text)?;
    }
    Ok(!found.is_empty())
}

builtins! { DATABASE_INFO =
    /// True if the program has a predicate with this `indicator`. Enumerates all matching predicates on
    /// backtracking. ISO 8.8.2. Also finds a predicate of the system if name and arity are given, except with
    /// the flag `iso`.
    ///
    /// ?- assertz(color(red)), current_predicate(color/N).
    /// N = 1.
    ///
    /// ?- current_predicate(no_such_thing/_).
    /// false.
    iso nondet "current_predicate"(":indicator") needs history with once indicator_is_known = |m, [indicator], state| {
        current_predicate(m, indicator, state)
    };
    /// True if the program has a predicate with the name `atom` and the most general term `head`. Enumerates
    /// all matching predicates on backtracking.
    ///
    /// ?- assertz(color(red)), current_predicate(color, Head).
    /// Head = color(_).
    library nondet "current_predicate"("?atom", ":head") needs history = |m, [name, head], state| {
        current_head(m, name, head, state)
    };

    /// Finds the predicate that `Head` means in the module `Module`; `Index` identifies it.
    library nondet "$predicate"(":head", "-module", "-index") needs history = |m, [head, module, index], state| {
        property_subject(m, head, module, index, state)
    };
    /// Succeeds if the predicate that `Head` means is defined already, without loading a library.
    library "$visible"(":head") needs history = |m, [head]| {
        let (head, module) = m.in_module(head);
        let Some(functor) = head_functor(m, head)? else {
            return Ok(false);
        };
        Ok(m.visible_definition(module, functor)?.is_some())
    };
    /// Succeeds if the predicate of a goal has a definition, here or in a library. Otherwise it fails or raises the
    /// error that a call would raise.
    library "$require_definition"(":goal") needs history = |m, [goal]| require_definition(m, goal, None);
    /// Works like `'$require_definition'/1`, with this value of the flag `unknown`.
    library "$require_definition"(":goal", "+atom") needs history = |m, [goal, unknown]| {
        let unknown = m.atom_arg(unknown)?;
        let unknown = UnknownAction::from_name(m.world.symbols.text(unknown));
        require_definition(m, goal, unknown)
    };
    /// Returns the properties of a predicate that may unify with `Property`.
    library "$predicate_properties"("+module", "+index", "?property", "-list") needs history =
        |m, [module, index, property, properties_found]| {
            let module = m.atom_arg(module)?;
            let index = m.i64_arg(index)?;
            if index < 0 || index >= m.world.predicates.len() as i64 {
                return Ok(false);
            }
            let found = properties(m, module, PredId(index as u32), property)?;
            m.unify_items(properties_found, &found)
        };

    /// Writes the machine code of the predicates that match `spec`: a name, an indicator or a head.
    library "vm_list"(":spec") needs output = |m, [spec]| list_code(m, spec);
}
