//! Clauses stored as terms, without code: clauses of images, and clauses of `assertz/1` that calls interpret.
//!
//! In an image, a clause is a term in a block. A fact becomes a clause at once. Another clause is stored without
//! code; Wamlet makes the code when its predicate is first called or inspected. Until then, nothing that the code
//! depends on may change. So Wamlet compiles such clauses under the flags of the time when they were stored. It
//! stores a clause without code only if nothing else can change its code.

use super::clauses::{compile_clause, modify_error};
use super::facts::{fact_of_block, is_head, refers_back};
use crate::base::atom_table::{Atom, Functor, atoms, functors};
use crate::base::flags::OccursCheck;
use crate::base::growth::Grow;
use crate::base::stop::Stop;
use crate::code::instruction::{Op, encode_wide};
use crate::front::goal_numbers::goal_arguments;
use crate::front::linear::is_connective;
use crate::ir::clause::NumCompare;
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::program::clauses::clause::{Clause, Parts};
use crate::program::predicate::{Kind, PredId};
use crate::store::body::is_construct;
use crate::store::cell::{Cell, tag};
use crate::store::heap::View;
use crate::store::stored::Attrs;

/// Term in a block whose pointers are offsets.
#[derive(Copy, Clone)]
pub(crate) struct Block<'a> {
    /// Words of the block.
    pub(crate) words: &'a [u64],
    /// Root of the term.
    pub(crate) root: u64,
}

/// Origin of a clause: module, file, line.
pub(crate) type Context = (Atom, u32, u32);

impl Block<'_> {
    /// Returns the functor of a compound term, and its first argument.
    fn compound(self, cell: Cell) -> Option<(Functor, Cell)> {
        if cell.tag() != tag::STR {
            return None;
        }
        let at = cell.addr().block_word();
        let functor = Cell::of_word(*self.words.get(at)?).as_functor();
        Some((functor, Cell::of_word(*self.words.get(at + 1)?)))
    }

    /// Returns module and functor of the predicate that a clause of a module is for.
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

/// Makes the clause of a fact of a module. If the fact needs the compiler, the code is made later where possible.
///
/// # Errors
/// Those of `assertz/1`, except permission errors.
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

/// Makes the clause of a rule of a module. The code is made later where possible.
///
/// # Errors
/// Those of `assertz/1`, except permission errors.
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

/// Makes a clause without its code. Returns `None` if the code must be made at once.
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
        // This instruction never runs: calls of the predicate make the code first.
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

/// Makes a clause with its code.
///
/// # Errors
/// Those of `assertz/1`, except permission errors.
pub(crate) fn present_clause(
    m: &mut Machine,
    block: Block<'_>,
    (module, file, line): Context,
) -> Result<(PredId, Clause), Throw> {
    let term = m.store.copy_in(block.words, block.root)?;
    compile_clause(m, term, module, file, line)
}

/// Makes calls of a predicate compile its clauses first, after a clause without code was added.
pub(crate) fn wait_for_code(m: &mut Machine, id: PredId) -> Result<(), Stop> {
    let predicate = m.world.predicates.get_mut(id);
    if predicate.kind == Kind::Static && !predicate.traits.deferred {
        predicate.traits.deferred = true;
        m.world.predicates.reset_entry(id)?;
    }
    Ok(())
}

/// Makes the code of the clauses of a predicate that were stored without code.
///
/// # Errors
/// A resource error, or the error of an invalid clause. The remaining clauses then stay without code.
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
        let found = compile_at(m, id, position, module)?;
        if found != id {
            let functor = m.world.predicates.get(found).functor;
            return Err(modify_error(m, functor));
        }
    }
    Ok(())
}

/// Makes the code of a clause that was stored without code. Returns the predicate of its head.
fn compile_at(m: &mut Machine, id: PredId, position: i64, module: Atom) -> Result<PredId, Throw> {
    let Some(stored) = m.world.predicates.get(id).clauses.get(position).cloned() else {
        return Ok(id);
    };
    let top = m.store.heap_top;
    let term = stored.load(&mut m.store)?;
    let (found, clause) = compile_clause(m, term, module, stored.file(), stored.line())?;
    m.store.heap_top = top;
    m.give_code(id, position, clause)?;
    Ok(found)
}

// ---- interpreted clauses -------------------------------------------------------------------------

/// Words of a clause above which it is compiled at once: calls that interpret a clause copy it.
const MOST_WORDS: usize = 256;
/// Goals and control constructs of a body above which the clause is compiled at once.
const MOST_GOALS: usize = 64;

/// Makes the clause that `assertz/1` adds. It is stored as a term, which calls interpret, if that gives the same
/// results. Otherwise it is compiled.
///
/// # Errors
/// Those of `assertz/1`, except permission errors.
pub(in crate::builtins) fn asserted_clause(
    m: &mut Machine,
    term: Cell,
    module: Atom,
) -> Result<(PredId, Clause), Throw> {
    let (plain, home) = m.strip_module(term, module);
    if home == atoms::USER
        && m.world.flags.occurs_check == OccursCheck::False
        && let Some(found) = interpreted(m, plain)?
    {
        return Ok(found);
    }
    compile_clause(m, term, module, 0, 0)
}

/// Makes a clause of `user` that is stored as a term. Returns `None` if it must be compiled.
fn interpreted(m: &mut Machine, clause: Cell) -> Result<Option<(PredId, Clause)>, Throw> {
    let (head, body) = match m.store.view(clause) {
        View::Struct(functors::NECK, args) => (m.store.arg(args, 0), m.store.arg(args, 1)),
        _ => return Ok(None),
    };
    let functor = match m.store.view(head) {
        View::Struct(functor, _) if is_head(functor) => functor,
        View::Atom(name) => m.world.symbols.functor_passing(name, 0)?,
        _ => return Ok(None),
    };
    if !has_plain_goals(m, body) {
        return Ok(None);
    }
    let mut scratch = std::mem::take(&mut m.run.scratch);
    scratch.clear();
    let made = store(m, clause, &mut scratch.source);
    scratch.give_back(&mut m.run.scratch);
    let Some(clause) = made? else {
        return Ok(None);
    };
    m.store.watch.did_many(clause.size());
    Ok(Some((m.intern_predicate(atoms::USER, functor)?, clause)))
}

/// Stores a clause as a term, built in `source`. Returns `None` if it is large or cyclic.
fn store(m: &mut Machine, clause: Cell, source: &mut Vec<u64>) -> Result<Option<Clause>, Stop> {
    let root = m.store.copy_out(clause, source, Attrs::Drop)?;
    if source.len() > MOST_WORDS || refers_back(source) && !m.store.acyclic_term(clause)? {
        return Ok(None);
    }
    let parts = Parts {
        // Predicate and position are set when the clause is added.
        code: &[encode_wide(Op::Interpret, 0, 0), 0],
        source,
        root,
        literals: &[],
        shares: false,
        is_fact: false,
        has_code: false,
        file: 0,
        line: 0,
        sites: &[],
    };
    Ok(Some(Clause::new(&parts, &m.store.events.watch)?))
}

/// Returns whether a body consists of control constructs and plain goals. Calling such goals as terms means the
/// same and counts as many calls.
fn has_plain_goals(m: &Machine, body: Cell) -> bool {
    let mut todo = [body; MOST_GOALS];
    let (mut open, mut met) = (1, 0);
    while open > 0 {
        open -= 1;
        met += 1;
        let functor = match m.store.view(todo[open]) {
            View::Atom(atoms::OTHERWISE | atoms::DOLLAR | atoms::ERASE) => return false,
            View::Atom(atoms::TRUE) if met == 1 => return false,
            View::Atom(_) => continue,
            View::Struct(functors::NOT, args) => {
                todo[open] = m.store.arg(args, 0);
                open += 1;
                continue;
            }
            View::Struct(functor, args) if is_construct(functor) => {
                if open + 2 > MOST_GOALS || met > MOST_GOALS {
                    return false;
                }
                todo[open] = m.store.arg(args, 1);
                todo[open + 1] = m.store.arg(args, 0);
                open += 2;
                continue;
            }
            View::Struct(functor, _) => functor,
            _ => return false,
        };
        if !is_head(functor)
            || !goal_arguments(functor).is_empty()
            || is_connective(functor)
            || NumCompare::of_constraint(functor).is_some()
            || is_string_test(m, functor)
        {
            return false;
        }
    }
    true
}

/// Returns whether the functor is `string/1`. No other goal has its own instruction and may still be defined by
/// programs.
fn is_string_test(m: &Machine, functor: Functor) -> bool {
    functor.arity() == 1 && m.world.symbols.name(functor) == atoms::STRING
}

/// Makes the code of an interpreted clause.
///
/// # Errors
/// Resource errors.
pub(crate) fn compile_asserted(m: &mut Machine, id: PredId, position: i64) -> Result<(), Throw> {
    m.unnoticed(|m| {
        let occurs_check = std::mem::replace(&mut m.world.flags.occurs_check, OccursCheck::False);
        let result = compile_at(m, id, position, atoms::USER);
        m.world.flags.occurs_check = occurs_check;
        result.map(|_| ())
    })
}
