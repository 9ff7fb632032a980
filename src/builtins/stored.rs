//! Clauses that are there as terms of a block, as an image of a program has them. A fact becomes a clause
//! at once. Another clause is stored without code: that is made when its predicate is first called or
//! looked at. What the code depends on besides the clause itself must not change in between, so
//! such clauses are compiled under the flags of the time when they were stored, and no others are left
//! without code than those for which nothing else matters.

use super::clauses::{compile_clause, modify_error};
use super::facts::{fact_of_block, is_head};
use crate::base::flags::OccursCheck;
use crate::base::room::Grow;
use crate::base::stop::Stop;
use crate::base::symbol::{Atom, Functor, atoms, functors};
use crate::code::instruction::{Op, encode_wide};
use crate::machine::state::Machine;
use crate::machine::throw::Throw;
use crate::program::clause::{Clause, Parts};
use crate::program::predicate::{Kind, PredId};
use crate::store::cell::{Cell, tag};

/// A term in a block whose pointers are offsets.
#[derive(Copy, Clone)]
pub(crate) struct Block<'a> {
    /// The words.
    pub(crate) words: &'a [u64],
    /// The term.
    pub(crate) root: u64,
}

/// Where a clause stands: module, file, line.
pub(crate) type Context = (Atom, u32, u32);

impl Block<'_> {
    /// The functor of a compound, and its first argument.
    fn compound(self, cell: Cell) -> Option<(Functor, Cell)> {
        if cell.tag() != tag::STR {
            return None;
        }
        let at = cell.addr().block_word();
        let functor = Cell::of_word(*self.words.get(at)?).as_functor();
        Some((functor, Cell::of_word(*self.words.get(at + 1)?)))
    }

    /// Module, name and arity of the predicate that a clause of a module is for.
    fn head(
        self,
        m: &mut Machine,
        mut module: Atom,
        is_fact: bool,
    ) -> Result<Option<(Atom, Functor)>, Stop> {
        let mut head = Cell::of_word(self.root);
        if !is_fact {
            let Some((functors::NECK, first)) = self.compound(head) else {
                return Ok(None);
            };
            head = first;
            while let Some((functors::COLON, prefix)) = self.compound(head) {
                if !prefix.is_atom() {
                    return Ok(None);
                }
                module = prefix.as_atom();
                let at = head.addr().block_word();
                match self.words.get(at + 2) {
                    Some(&word) => head = Cell::of_word(word),
                    None => return Ok(None),
                }
            }
        }
        let functor = match head.tag() {
            tag::LST => functors::LIST,
            tag::STR => match self.compound(head) {
                Some((functor, _)) => functor,
                None => return Ok(None),
            },
            _ if head.is_atom() => m.world.symbols.functor_passing(head.as_atom(), 0)?,
            _ => return Ok(None),
        };
        Ok(is_head(functor).then_some((module, functor)))
    }
}

/// The clause that a fact of a module is, without its code if that needs the compiler and can wait.
///
/// # Errors
/// Those of `assertz/1`, but for permissions.
pub(crate) fn stored_fact(
    m: &mut Machine,
    fact: Block<'_>,
    context: Context,
) -> Result<(PredId, Clause), Throw> {
    let (module, file, line) = context;
    if let Some(found) = fact_of_block(m, fact.words, fact.root, module, (file, line))? {
        return Ok(found);
    }
    match without_code(m, fact, context, true)? {
        Some(found) => Ok(found),
        None => present_clause(m, fact, context),
    }
}

/// The clause that a rule of a module is, without its code if that can wait.
///
/// # Errors
/// Those of `assertz/1`, but for permissions.
pub(crate) fn stored_rule(
    m: &mut Machine,
    rule: Block<'_>,
    context: Context,
) -> Result<(PredId, Clause), Throw> {
    match without_code(m, rule, context, false)? {
        Some(found) => Ok(found),
        None => present_clause(m, rule, context),
    }
}

/// A clause without its code. `None` if that cannot wait.
fn without_code(
    m: &mut Machine,
    block: Block<'_>,
    (module, file, line): Context,
    is_fact: bool,
) -> Result<Option<(PredId, Clause)>, Throw> {
    let Some((home, functor)) = block.head(m, module, is_fact)? else {
        return Ok(None);
    };
    if home != module
        || module == atoms::LOLLI
        || m.is_system_module(module)
        || m.world.flags.occurs_check != OccursCheck::False
    {
        return Ok(None);
    }
    let id = m.intern_predicate(module, functor)?;
    if !matches!(
        m.world.predicates.get(id).kind,
        Kind::Undefined | Kind::Static | Kind::Imported(_)
    ) {
        return Ok(None);
    }
    let parts = Parts {
        // This is never run: calls of the predicate make the code first.
        code: &[encode_wide(Op::Undefined, 0, id.0)],
        source: block.words,
        root: block.root,
        literals: &[],
        shares: true,
        is_fact,
        has_code: false,
        file,
        line,
        sites: &[],
    };
    Ok(Some((id, Clause::new(&parts, &m.store.events.watch)?)))
}

/// The clause with its code.
///
/// # Errors
/// Those of `assertz/1`, but for permissions.
pub(crate) fn present_clause(
    m: &mut Machine,
    block: Block<'_>,
    (module, file, line): Context,
) -> Result<(PredId, Clause), Throw> {
    let term = m.store.copy_in(block.words, block.root)?;
    compile_clause(m, term, module, file, line)
}

/// Calls of a predicate make the code of its clauses first, after one without code was added.
pub(crate) fn wait_for_code(m: &mut Machine, id: PredId) -> Result<(), Stop> {
    let predicate = m.world.predicates.get_mut(id);
    if predicate.kind == Kind::Static && !predicate.traits.deferred {
        predicate.traits.deferred = true;
        m.world.predicates.reset_entry(id)?;
    }
    Ok(())
}

/// Makes the code of the clauses of a predicate that were stored without.
///
/// # Errors
/// A resource error, or that of a clause that is none. Those that are left still wait then.
pub(crate) fn compile_stored(m: &mut Machine, id: PredId) -> Result<(), Throw> {
    let occurs_check = std::mem::replace(&mut m.world.flags.occurs_check, OccursCheck::False);
    let result = compile_waiting(m, id);
    m.world.flags.occurs_check = occurs_check;
    result?;
    m.world.predicates.get_mut(id).traits.deferred = false;
    m.world.predicates.reset_entry(id)?;
    m.entries = m.world.predicates.entries();
    Ok(())
}

fn compile_waiting(m: &mut Machine, id: PredId) -> Result<(), Throw> {
    let predicate = m.world.predicates.get(id);
    let (module, clauses) = (predicate.module, predicate.clauses.iter());
    let mut waiting: Vec<i64> = Vec::new();
    waiting.put_all(
        clauses
            .filter(|(_, clause)| !clause.has_code())
            .map(|(position, _)| position),
    )?;
    for position in waiting {
        m.go_on()?;
        let Some(stored) = m.world.predicates.get(id).clauses.get(position).cloned() else {
            continue;
        };
        let top = m.store.heap_top;
        let term = m.store.load_block(stored.source_words(), stored.source())?;
        let (found, clause) = compile_clause(m, term, module, stored.file(), stored.line())?;
        m.store.heap_top = top;
        if found != id {
            let functor = m.world.predicates.get(found).functor;
            return Err(modify_error(m, functor));
        }
        m.give_code(id, position, clause)?;
    }
    Ok(())
}
