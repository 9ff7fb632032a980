//! Compilation of facts without the passes of the compiler. A fact whose arguments are constants, different
//! variables and ground terms compiles to the list of its arguments. Loading and `assertz/1` compile such facts
//! alike.

use crate::base::atom_table::{Atom, Functor, functors};
use crate::base::growth::Grow;
use crate::base::stop::Stop;
use crate::base::watch::Watch;
use crate::code::instruction::{Op, REGISTERS, encode};
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::program::clauses::clause::{Clause, Parts, Scratch, literal_mark};
use crate::program::predicate::PredId;
use crate::store::address::HeapAddr;
use crate::store::cell::{Cell, tag};
use crate::store::heap::View;
use crate::store::stored::Attrs;
use crate::store::unify::SMALL_GROUND_WORDS;

/// Number of words of terms above which the code first checks for heap space.
const UNCHECKED_WORDS: usize = 512;

/// Returns whether a term of this functor can be the head of a clause, and is a fact when it is the whole clause.
pub(in crate::builtins) fn is_head(functor: Functor) -> bool {
    !matches!(
        functor,
        functors::NECK | functors::DIRECTIVE | functors::QUERY | functors::COLON
    ) && (1..REGISTERS).contains(&functor.arity())
}

/// Compiles a fact that belongs to `module`. Returns `None` for a clause that needs the compiler.
///
/// # Errors
/// A resource error.
pub(in crate::builtins) fn fact(
    m: &mut Machine,
    term: Cell,
    module: Atom,
    place: (u32, u32),
) -> Result<Option<(PredId, Clause)>, Throw> {
    let View::Struct(functor, args) = m.store.view(term) else {
        return Ok(None);
    };
    if !is_head(functor) || (1..functor.arity()).any(|index| repeats(m, args, index)) {
        return Ok(None);
    }
    let mut scratch = std::mem::take(&mut m.run.scratch);
    scratch.clear();
    let made = match m.store.copy_out(term, &mut scratch.source, Attrs::Drop) {
        Ok(root) => {
            let Scratch {
                code,
                source,
                literals,
            } = &mut scratch;
            let is_acyclic = || m.store.acyclic_term(term);
            let watch = &m.store.events.watch;
            make(source, root, place, (code, literals), watch, is_acyclic)
        }
        Err(full) => Err(full),
    };
    scratch.give_back(&mut m.run.scratch);
    let Some(clause) = made? else {
        return Ok(None);
    };
    m.store.watch.did_many(clause.size());
    Ok(Some((m.intern_predicate(module, functor)?, clause)))
}

/// Compiles a fact stored in a block, like [`fact`].
///
/// # Errors
/// A resource error.
pub(in crate::builtins) fn fact_of_block(
    m: &mut Machine,
    block: &[u64],
    root: u64,
    module: Atom,
    place: (u32, u32),
) -> Result<Option<(PredId, Clause)>, Throw> {
    let functor = match block.first() {
        Some(&word) if root == Cell::structure(HeapAddr::NONE).word() => {
            Cell::of_word(word).as_functor()
        }
        _ => return Ok(None),
    };
    if !is_head(functor) {
        return Ok(None);
    }
    let mut scratch = std::mem::take(&mut m.run.scratch);
    scratch.clear();
    let made = make(
        block,
        root,
        place,
        (&mut scratch.code, &mut scratch.literals),
        &m.store.events.watch,
        || Ok(true),
    );
    scratch.give_back(&mut m.run.scratch);
    let Some(clause) = made? else {
        return Ok(None);
    };
    Ok(Some((m.intern_predicate(module, functor)?, clause)))
}

/// Returns whether the argument is a variable that also occurs before it.
fn repeats(m: &Machine, args: HeapAddr, index: usize) -> bool {
    let arg = m.store.arg(args, index);
    arg.is_var() && (0..index).any(|before| m.store.arg(args, before) == arg)
}

/// Makes the clause of a fact at the beginning of a block. Returns `None` if it needs the compiler, which also
/// raises the error if `is_acyclic` returns false.
fn make(
    source: &[u64],
    root: u64,
    (file, line): (u32, u32),
    (code, literals): (&mut Vec<u64>, &mut Vec<u64>),
    watch: &Watch,
    is_acyclic: impl FnOnce() -> Result<bool, Stop>,
) -> Result<Option<Clause>, Stop> {
    let arity = Cell::of_word(source[0]).as_functor().arity();
    let (head, rest) = source.split_at(arity + 1);
    if rest.len() > UNCHECKED_WORDS {
        code.put(Op::EnsureHeap as u64)?;
        code.put(rest.len() as u64)?;
    }
    let constants = code.len();
    let has_constants = head[1..]
        .iter()
        .any(|&word| Cell::of_word(word).is_simple());
    if has_constants {
        code.put(0)?;
    }
    let mut shares = false;
    let is_plain = || -> Result<bool, Stop> {
        Ok(!has_variables(rest) && (!refers_back(source) || is_acyclic()?))
    };
    let mut unlooked = Some(is_plain);
    for (index, &word) in head[1..].iter().enumerate() {
        let cell = Cell::of_word(word);
        let op = match cell.tag() {
            tag::REF if cell.addr() == HeapAddr::in_block(index + 1) => continue,
            tag::REF => return Ok(None),
            _ if cell.is_simple() => continue,
            tag::BOX => Op::GetLiteral,
            _ => {
                if let Some(is_plain) = unlooked.take()
                    && !is_plain()?
                {
                    return Ok(None);
                }
                if is_small(source, cell) {
                    Op::GetGround
                } else {
                    Op::GetLiteral
                }
            }
        };
        shares |= op == Op::GetLiteral;
        code.put(encode(op, index as u16, 0, 0))?;
        code.put(literal_mark(literals.len()).word())?;
        literals.put(word)?;
    }
    code.put(Op::Proceed as u64)?;
    if has_constants {
        // The term follows the code and begins with its functor.
        let arguments = code.len() - constants + 1;
        code[constants] = encode(Op::GetConstants, arity as u16, arguments as u16, 0);
    }
    let parts = Parts {
        code,
        source,
        root,
        literals,
        shares,
        is_fact: true,
        has_code: true,
        file,
        line,
        sites: &[],
    };
    Ok(Some(Clause::new(&parts, watch)?))
}

/// Returns whether these words of a block contain a variable.
fn has_variables(words: &[u64]) -> bool {
    any_cell(words, |_, cell| cell.is_var())
}

/// Returns whether a part of this block refers to an earlier part or to itself. Every cyclic term does so; terms
/// with shared parts may.
pub(in crate::builtins) fn refers_back(block: &[u64]) -> bool {
    any_cell(block, |at, cell| {
        matches!(cell.tag(), tag::LST | tag::STR) && cell.addr() <= HeapAddr::in_block(at)
    })
}

/// Returns whether `is_so` holds for a cell of these words of a block. It receives each cell that is not a
/// constant, with its number.
#[inline(always)]
fn any_cell(words: &[u64], is_so: impl Fn(usize, Cell) -> bool) -> bool {
    let mut at = 0;
    while let Some(&word) = words.get(at) {
        let cell = Cell::of_word(word);
        at += 1;
        if !cell.is_simple() {
            if is_so(at - 1, cell) {
                return true;
            }
        } else if cell.is_box_header() {
            at += cell.box_words();
        }
    }
    false
}

/// Returns whether the term of a block is small enough for copying.
fn is_small(block: &[u64], term: Cell) -> bool {
    let mut words = 0;
    let mut todo = [term; SMALL_GROUND_WORDS as usize];
    let mut open = 1;
    while open > 0 {
        open -= 1;
        let cell = todo[open];
        let at = cell.addr().block_word();
        let inner = match cell.tag() {
            tag::LST => &block[at..at + 2],
            tag::STR => {
                words += 1;
                &block[at + 1..at + 1 + Cell::of_word(block[at]).as_functor().arity()]
            }
            _ => continue,
        };
        words += inner.len();
        if words > SMALL_GROUND_WORDS as usize {
            return false;
        }
        for &word in inner
            .iter()
            .filter(|&&word| Cell::of_word(word).is_compound())
        {
            todo[open] = Cell::of_word(word);
            open += 1;
        }
    }
    true
}
